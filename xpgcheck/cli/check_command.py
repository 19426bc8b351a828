"""``xpgcheck check``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import click

from xpgcheck.cli.bundles import bundled, command_error
from xpgcheck.cli.column_options import LeftOut
from xpgcheck.cli.reading_options import ReadingOptions
from xpgcheck.cli.spelling import option
from xpgcheck.cli.vocabulary import (
    constraints_option,
    instances_option,
    jobs_option,
    json_option,
    junit_option,
    limit_option,
    model_names,
    quiet_option,
    sample_option,
    solver_option,
    timeout_option,
)
from xpgcheck.errors import InputError


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """Which models are checked, at which instances, by whom, and where it is written."""

    models: Annotated[
        tuple[str, ...], click.argument("models", metavar="[MODEL]...", nargs=-1, shell_complete=model_names)
    ]
    instances: Annotated[Path | None, instances_option("CSV file of the instances to explain.")]
    all_instances: Annotated[
        bool,
        option(
            "--all-instances", is_flag=True, help="All instances of every model instead of samples of the larger ones."
        ),
    ]
    sample: Annotated[int, sample_option(100, "Instances drawn where there are more.")]
    constraints_file: Annotated[
        Path | None, constraints_option("What can occur of the one MODEL: explain and judge under it.")
    ]
    seed: Annotated[int, option("--seed", type=int, default=0, show_default=True, help="Seed of the samples.")]
    left_out: LeftOut
    solvers: Annotated[
        tuple[str, ...], solver_option("SMT solvers to ask, the first one first (repeatable; default: z3).")
    ]
    timeout: Annotated[float, timeout_option(30.0, "Seconds for one SMT question.")]
    limit: Annotated[int, limit_option("Most explanations enumerated per instance.", 10_000)]
    jobs: Annotated[int | None, jobs_option()]
    json_file: Annotated[Path | None, json_option()]
    junit_file: Annotated[Path | None, junit_option()]
    reading: ReadingOptions
    quiet: Annotated[bool, quiet_option()]


@click.command("check")
@bundled(asked=CheckOptions)
def command(asked: CheckOptions) -> int:
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

    json_file, junit_file = asked.json_file, asked.junit_file
    for target in (json_file, junit_file):
        if target is not None:
            check_writable(target, asked.instances, *asked.models)
    if json_file is not None and junit_file is not None and json_file.resolve() == junit_file.resolve():
        raise InputError("--json and --junit name the same file", place=str(json_file), mend="name two files")
    if asked.instances is not None and not asked.models:
        raise command_error("--instances needs a MODEL", "name the model they belong to")
    selection = inputs.Selection(
        asked.instances, asked.all_instances, asked.sample, asked.seed, **asked.left_out.options()
    )
    jobs_to_do = inputs.jobs(asked.models, selection, **asked.reading.options())
    if asked.constraints_file is not None:
        if len(jobs_to_do) != 1:
            raise command_error("--constraints needs one MODEL", "name the model that they are about")
        jobs_to_do = [inputs.under(jobs_to_do[0], asked.constraints_file, every=asked.instances is not None)]
    settings = CheckSettings(asked.solvers or ("z3",), int(asked.timeout * 1000), asked.limit, bool(asked.solvers))
    results = run.check_all(jobs_to_do, settings, workers=asked.jobs, progress=not asked.quiet)
    options = {
        "models": list(asked.models),
        "instances": str(asked.instances) if asked.instances else None,
        "all_instances": asked.all_instances,
        "sample": asked.sample,
        "seed": asked.seed,
        "solvers": list(settings.solvers),
        "timeout_seconds": asked.timeout,
        "limit": asked.limit,
    }
    if json_file is not None:
        write_atomically(json_file, reports.json_report(results, options))
    if junit_file is not None:
        write_atomically(junit_file, reports.junit_report(results))
    if asked.quiet:
        click.echo(table.verdict_line(results))
    else:
        table.print_report(results, console())
    return table.conclusion(results).status
