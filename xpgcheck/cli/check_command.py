"""``xpgcheck check``."""

from __future__ import annotations

from pathlib import Path

import click

from xpgcheck.cli.column_options import LeftOut, column_options
from xpgcheck.cli.reading_options import Reading, reading_options
from xpgcheck.cli.spelling import option
from xpgcheck.cli.vocabulary import (
    instances_option,
    jobs_option,
    json_option,
    junit_option,
    limit_option,
    quiet_option,
    sample_option,
    solver_option,
    timeout_option,
)
from xpgcheck.errors import InputError


@click.command("check")
@click.argument("models", metavar="[MODEL]...", nargs=-1)
@instances_option("CSV file of the instances to explain.")
@option("--all-instances", is_flag=True, help="All instances of every model instead of samples of the larger ones.")
@sample_option(100, "Instances drawn where there are more.")
@option("--seed", type=int, default=0, show_default=True, help="Seed of the samples.")
@column_options
@solver_option("SMT solvers to ask, the first one first (repeatable; default: z3).")
@timeout_option(30.0, "Seconds for one SMT question.")
@limit_option("Most explanations enumerated per instance.", 10_000)
@jobs_option()
@json_option()
@junit_option()
@reading_options
@quiet_option()
def command(
    models: tuple[str, ...],
    instances: Path | None,
    all_instances: bool,
    sample: int,
    seed: int,
    left_out: LeftOut,
    solvers: tuple[str, ...],
    timeout: float,
    limit: int,
    jobs: int | None,
    json_file: Path | None,
    junit_file: Path | None,
    reading: Reading,
    quiet: bool,
) -> int:
    """Compute every AXp and CXp of every instance and judge all of them.

    MODEL is a file (see 'xpgcheck formats') or the name of an embedded model (see 'xpgcheck models'); without any, all
    embedded models are checked: those of at most 9 features on all their instances, larger ones on a seeded sample.

    XPs are computed by traversing the explanation graph. SMT oracles, which know nothing of it, then decide Eq. 1 and
    Eq. 2 over the original domains: each AXp suffices and each CXp can change the class, each of their features is
    needed, and the two families are complete because they are each other's minimal hitting sets.
    """
    from xpgcheck.gate import inputs
    from xpgcheck.gate.check import reports, run, table
    from xpgcheck.gate.check.cross_check import CheckSettings
    from xpgcheck.reports.terminal import console
    from xpgcheck.writers.atomic import write_atomically
    from xpgcheck.writers.writable import check_writable

    for target in (json_file, junit_file):
        if target is not None:
            check_writable(target, instances, *models)
    if json_file is not None and junit_file is not None and json_file.resolve() == junit_file.resolve():
        raise InputError("--json and --junit name the same file", place=str(json_file), mend="name two files")
    if instances is not None and not models:
        raise InputError("--instances needs a MODEL", place="command line", mend="name the model they belong to")
    selection = inputs.Selection(instances, all_instances, sample, seed, **left_out.options())
    jobs_to_do = inputs.jobs(models, selection, **reading.options())
    settings = CheckSettings(solvers or ("z3",), int(timeout * 1000), limit)
    results = run.check_all(jobs_to_do, settings, workers=jobs, progress=not quiet)
    options = {
        "models": list(models),
        "instances": str(instances) if instances else None,
        "all_instances": all_instances,
        "sample": sample,
        "seed": seed,
        "solvers": list(settings.solvers),
        "timeout_seconds": timeout,
        "limit": limit,
    }
    if json_file is not None:
        write_atomically(json_file, reports.json_report(results, options))
    if junit_file is not None:
        write_atomically(junit_file, reports.junit_report(results))
    if quiet:
        click.echo(table.verdict_line(results))
    else:
        table.print_report(results, console())
    return table.conclusion(results).status
