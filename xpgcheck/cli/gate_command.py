"""``xpgcheck gate``."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from xpgcheck.cli.outputs import outputs_option
from xpgcheck.cli.reading_options import Reading, reading_options
from xpgcheck.errors import InputError

DEFAULT_CORPUS = Path("tests/regressions")

DEFAULT_TIMEOUT = 10.0
DEFAULT_MEMORY = 2048


@click.command("gate", short_help="Judge another implementation.")
@click.argument("subject", required=False)
@click.option("--command", "command_line", metavar="COMMAND", help="A program that speaks the line protocol.")
@click.option("--profile", "profile_name", default="dev", show_default=True, help="dev, ci or nightly.")
@click.option("--examples", type=click.IntRange(0), metavar="N", help="Cases to generate (default: the profile's).")
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True, help="Seed of the cases.")
@click.option("--size", type=click.IntRange(1, 200), help="Most nodes of a generated graph (default: the profile's).")
@click.option("--kind", "kinds", multiple=True, metavar="KIND", help="Generate this kind of graph alone (repeatable).")
@click.option(
    "--model", "models", multiple=True, metavar="MODEL", help="Ask at instances of this model too (repeatable)."
)
@click.option("--no-models", is_flag=True, help="Ask at no instances of the embedded models.")
@click.option("--instances", type=click.Path(path_type=Path), help="CSV file of the instances of the one --model.")
@click.option(
    "--sample", type=click.IntRange(1), default=10, show_default=True, help="Instances of each model, drawn by --seed."
)
@click.option("--properties/--no-properties", "properties", default=True, help="Try the paper's statements too.")
@click.option("--property", "names", multiple=True, metavar="NAME", help="Try this property or group (repeatable).")
@click.option("--smt/--no-smt", default=None, help="With the SMT properties (default: the profile's).")
@click.option(
    "--corpus",
    type=click.Path(path_type=Path),
    help=f"Folder (or file) of kept cases, judged too (default: {DEFAULT_CORPUS} if it is there).",
)
@click.option("--solver", "solvers", multiple=True, metavar="NAME", help="SMT solvers of the judges (default: z3).")
@click.option(
    "--timeout",
    type=click.FloatRange(0.001),
    default=DEFAULT_TIMEOUT,
    show_default=True,
    help="Seconds that the subject has for one answer.",
)
@click.option(
    "--start-timeout",
    type=click.FloatRange(0.001),
    default=60.0,
    show_default=True,
    help="Seconds that the subject has to start.",
)
@click.option(
    "--memory",
    type=click.IntRange(16),
    default=DEFAULT_MEMORY,
    show_default=True,
    help="MiB that the subject's processes may take.",
)
@click.option("--jobs", "-j", type=click.IntRange(1), help="Processes (default: one a core).")
@click.option("--cases", "cases_folder", type=click.Path(path_type=Path), help="Save each finding here, for 'replay'.")
@outputs_option
@reading_options
@click.option("--quiet", "-q", is_flag=True, help="Print only the last line.")
def command(
    subject: str | None,
    command_line: str | None,
    profile_name: str,
    examples: int | None,
    seed: int,
    size: int | None,
    kinds: tuple[str, ...],
    models: tuple[str, ...],
    no_models: bool,
    instances: Path | None,
    sample: int,
    properties: bool,
    names: tuple[str, ...],
    smt: bool | None,
    corpus: Path | None,
    solvers: tuple[str, ...],
    timeout: float,
    start_timeout: float,
    memory: int,
    jobs: int | None,
    cases_folder: Path | None,
    outputs: dict[str, Path | None],
    reading: Reading,
    quiet: bool,
) -> int:
    """Ask another implementation for explanations, and judge every answer.

    SUBJECT is an explainer in Python, package.module:factory (see docs/gate.md; also 'ours', 'paper', 'textbook',
    'seeded:NAME'); --command names a program in any language that speaks the line protocol (docs/protocol.md). It runs in a
    process of its own, within limits, and is started anew after a crash.

    It is asked at instances of models, at kept cases, and at generated ones, and only for what it can do. Whatever is wrong
    comes with its evidence, the right explanation beside it, and for generated cases the smallest graph that shows it.
    """
    from xpgcheck.check.table import console
    from xpgcheck.cli.outputs import check_outputs
    from xpgcheck.gate import run
    from xpgcheck.gate.plan import Plan, opener, patience, selected_models
    from xpgcheck.gate.reports import write_reports
    from xpgcheck.gate.reports.console import print_report
    from xpgcheck.gate.reports.summary import verdict_line
    from xpgcheck.gate.saving import save_findings
    from xpgcheck.gate.search import Cases
    from xpgcheck.oracles.pysmt_backend import require_solvers
    from xpgcheck.progress import bar, cores
    from xpgcheck.properties import catalogue
    from xpgcheck.properties.corpus import corpus_files
    from xpgcheck.properties.running import profiles
    from xpgcheck.properties.strategies.kinds import KINDS
    from xpgcheck.subjects.limits import MEBIBYTE, Limits

    if (subject is None) == (command_line is None):
        mend = "name package.module:factory, or --command 'PROGRAM …'"
        raise InputError("name a SUBJECT or a --command, one of them", place="command line", mend=mend)
    for kind in kinds:
        if kind not in KINDS:
            raise InputError(f"no kind of graph is called {kind!r}", mend=f"use some of {', '.join(KINDS)}")
    if no_models and models:
        raise InputError("--no-models and --model", place="command line", mend="leave one of them out")
    chosen_profile = profiles.profile(profile_name)
    with_smt = chosen_profile.smt if smt is None else smt
    wanted = catalogue.chosen(names, smt=with_smt or bool(names)) if properties or names else ()
    require_solvers(solvers)
    check_outputs(outputs, *models, instances)
    folder = corpus or (DEFAULT_CORPUS if DEFAULT_CORPUS.is_dir() else None)
    limits = Limits(seconds=timeout, memory=memory * MEBIBYTE, start_seconds=start_timeout)
    plan = Plan(
        opener(subject, command_line, limits),
        Cases(
            chosen_profile.examples if examples is None else examples, seed, size or chosen_profile.size, tuple(kinds)
        ),
        () if no_models else selected_models(models, instances, sample, seed, **reading.options()),
        tuple(corpus_files(folder)) if folder is not None else (),
        tuple(p.name for p in wanted),
        patience(limits),
        tuple(solvers) or ("z3",),
    )
    with bar(run.case_count(plan), "judging cases", not quiet) as advance:
        report = run.gate(plan, jobs or cores(), advance)
    report.again = _again(
        subject, command_line, plan, models, no_models, instances, sample, properties, names, corpus, timeout
    )
    if cases_folder is not None:
        save_findings(report, cases_folder)
    write_reports(report, **outputs)
    for line in report.bad if quiet else ():
        click.echo(f"xpgcheck: {line}", err=True)
    if quiet:
        click.echo(verdict_line(report))
    else:
        print_report(report, console())
    return report.exit_status()


def _again(
    subject: str | None,
    command_line: str | None,
    plan: object,
    models: tuple[str, ...],
    no_models: bool,
    instances: Path | None,
    sample: int,
    properties: bool,
    names: tuple[str, ...],
    corpus: Path | None,
    timeout: float,
) -> str:
    """Return the command line that asks the same again."""
    from xpgcheck.gate.plan import Plan

    assert isinstance(plan, Plan)
    cases = plan.cases
    words = ["xpgcheck", "gate", *([subject] if subject else ["--command", command_line or ""])]
    words += ["--examples", str(cases.examples), "--seed", str(cases.seed), "--size", str(cases.size)]
    words += [word for kind in cases.kinds for word in ("--kind", kind)]
    words += [word for model in models for word in ("--model", model)]
    words += ["--no-models"] if no_models else ["--sample", str(sample)]
    words += ["--instances", str(instances)] if instances else []
    words += [] if properties else ["--no-properties"]
    words += [word for name in names for word in ("--property", name)]
    words += ["--corpus", str(corpus)] if corpus else []
    words += [word for solver in plan.solvers for word in ("--solver", solver)] if plan.solvers != ("z3",) else []
    words += ["--timeout", f"{timeout:g}"] if timeout != DEFAULT_TIMEOUT else []
    return shlex.join(words)
