"""``xpgcheck gate``."""

from __future__ import annotations

import contextlib
from pathlib import Path

import click

from xpgcheck.cli.again import repeated_command
from xpgcheck.cli.column_options import LeftOut, column_options
from xpgcheck.cli.outputs import outputs_option
from xpgcheck.cli.reading_options import Reading, reading_options
from xpgcheck.cli.spelling import folder_option, option
from xpgcheck.cli.vocabulary import (
    GRAPH_KINDS,
    cases_option,
    command_option,
    corpus_option,
    examples_option,
    instances_option,
    jobs_option,
    memory_option,
    profile_option,
    property_option,
    quiet_option,
    sample_option,
    seed_option,
    size_option,
    smt_option,
    solver_option,
    start_timeout_option,
    timeout_option,
)
from xpgcheck.errors import InputError

DEFAULT_TIMEOUT = 10.0


@click.command("gate")
@click.argument("subject", required=False)
@command_option("A program that speaks the line protocol.")
@profile_option()
@examples_option("Cases to generate (default: the profile's).")
@seed_option()
@size_option()
@option(
    "--graph-kind",
    "kinds",
    old=("--kind",),
    multiple=True,
    type=click.Choice(GRAPH_KINDS),
    help="Generate this kind of graph alone (repeatable).",
)
@option(
    "--model",
    "models",
    multiple=True,
    metavar="MODEL",
    help="Ask at instances of this model, a file or an embedded one, instead of all embedded ones (repeatable).",
)
@option("--no-models", is_flag=True, help="Ask at instances of no model.")
@instances_option("CSV file of instances of the one --model; all are taken.")
@column_options
@sample_option(10, "Instances of each model, drawn by --seed.")
@option(
    "--properties/--no-properties",
    "properties",
    default=True,
    show_default=True,
    help="Try the paper's statements too.",
)
@property_option("Try this property or group (repeatable).")
@smt_option()
@corpus_option("judged too: those of --cases, or of 'xpgcheck properties run --record'.")
@solver_option()
@timeout_option(DEFAULT_TIMEOUT, "Seconds that the subject has for one answer.")
@start_timeout_option()
@memory_option()
@jobs_option()
@cases_option("Save each finding here, for 'replay'.")
@folder_option(
    "--certificates",
    "certificates_folder",
    repeats=False,
    help="Write certificates of all claims at instances of models here, right or wrong.",
)
@outputs_option
@reading_options
@quiet_option()
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
    left_out: LeftOut,
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
    certificates_folder: Path | None,
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
    from xpgcheck.cli.outputs import check_outputs
    from xpgcheck.gate import run
    from xpgcheck.gate.certificate_folder import CertificateFolder
    from xpgcheck.gate.inputs import Selection
    from xpgcheck.gate.plan import Cases, GatePlan, opener, patience, selected_models
    from xpgcheck.gate.reports import write_reports
    from xpgcheck.gate.reports.console import print_report
    from xpgcheck.gate.reports.summary import verdict_line
    from xpgcheck.gate.saving import make_folder, save_findings
    from xpgcheck.oracles.pysmt_backend import require_solvers
    from xpgcheck.properties import catalogue
    from xpgcheck.properties.corpus import corpus_files
    from xpgcheck.properties.running import profiles
    from xpgcheck.reports.terminal import console
    from xpgcheck.runs.progress import bar, cores
    from xpgcheck.subjects.limits import MEBIBYTE, Limits

    if (subject is None) == (command_line is None):
        mend = "name package.module:factory, or --command 'PROGRAM …'"
        raise InputError("name a SUBJECT or a --command, one of them", place="command line", mend=mend)
    chosen_profile = profiles.profile(profile_name)
    if kinds:
        from xpgcheck.properties.needed import require_hypothesis

        require_hypothesis()
    if no_models and models:
        raise InputError("--no-models and --model", place="command line", mend="leave one of them out")
    with_smt = chosen_profile.smt if smt is None else smt
    wanted = catalogue.chosen(names, smt=with_smt or bool(names)) if properties or names else ()
    require_solvers(solvers)
    check_outputs(outputs, *models, instances)
    if cases_folder is not None:
        make_folder(cases_folder)
    limits = Limits(seconds=timeout, memory=memory * MEBIBYTE, start_seconds=start_timeout)
    selection = Selection(instances, sample=sample, seed=seed, **left_out.options())
    plan = GatePlan(
        opener(subject, command_line, limits),
        Cases(
            chosen_profile.examples if examples is None else examples, seed, size or chosen_profile.size, tuple(kinds)
        ),
        () if no_models else selected_models(models, selection, **reading.options()),
        tuple(corpus_files(corpus)) if corpus is not None else (),
        tuple(p.name for p in wanted),
        patience(limits),
        tuple(solvers) or ("z3",),
        certify=certificates_folder is not None,
    )
    with contextlib.ExitStack() as stack:
        folder = None
        if certificates_folder is not None:
            folder = stack.enter_context(CertificateFolder(certificates_folder))
        advance = stack.enter_context(bar(run.case_count(plan), "judging cases", not quiet))
        report = run.gate(plan, jobs or cores(), advance, folder)
    report.again = repeated_command(
        "xpgcheck gate",
        examples=plan.cases.examples,
        seed=seed,
        size=plan.cases.size,
        sample=None if no_models or instances else sample,
        smt=with_smt or None,
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
