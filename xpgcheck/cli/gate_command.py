"""``xpgcheck gate``."""

from __future__ import annotations

import contextlib
import shlex
from pathlib import Path
from typing import Any

import click

from xpgcheck.cli.column_options import LeftOut, column_options
from xpgcheck.cli.outputs import outputs_option
from xpgcheck.cli.reading_options import Reading, reading_options
from xpgcheck.cli.seconds import Seconds
from xpgcheck.errors import InputError

DEFAULT_TIMEOUT = 10.0
DEFAULT_START = 60.0
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
    "--model",
    "models",
    multiple=True,
    metavar="MODEL",
    help="Ask at instances of this model, a file or an embedded one, instead of all embedded ones (repeatable).",
)
@click.option("--no-models", is_flag=True, help="Ask at instances of no model.")
@click.option(
    "--instances", type=click.Path(path_type=Path), help="CSV file of instances of the one --model; all are taken."
)
@column_options
@click.option(
    "--sample", type=click.IntRange(1), default=10, show_default=True, help="Instances of each model, drawn by --seed."
)
@click.option(
    "--properties/--no-properties",
    "properties",
    default=True,
    show_default=True,
    help="Try the paper's statements too.",
)
@click.option("--property", "names", multiple=True, metavar="NAME", help="Try this property or group (repeatable).")
@click.option("--smt/--no-smt", default=None, help="With the SMT properties (default: the profile's).")
@click.option(
    "--corpus",
    type=click.Path(path_type=Path),
    help="Folder (or file) of kept cases, judged too: those of --cases, or of 'xpgcheck run --record'.",
)
@click.option("--solver", "solvers", multiple=True, metavar="NAME", help="SMT solvers of the judges (default: z3).")
@click.option(
    "--timeout",
    type=Seconds(),
    default=DEFAULT_TIMEOUT,
    show_default=True,
    help="Seconds that the subject has for one answer.",
)
@click.option(
    "--start-timeout",
    type=Seconds(),
    default=DEFAULT_START,
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
@click.option(
    "--certificates",
    "certificates_folder",
    type=click.Path(path_type=Path),
    help="Write certificates of all claims at instances of models here, right or wrong.",
)
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
    from xpgcheck.check.inputs import Selection
    from xpgcheck.cli.outputs import check_outputs
    from xpgcheck.gate import run
    from xpgcheck.gate.certificate_folder import CertificateFolder
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
        _check_kinds(kinds)
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
    given = click.get_current_context().params
    report.again = _again(
        reading, left_out, {**given, "examples": plan.cases.examples, "size": plan.cases.size, "smt": with_smt}
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


def _check_kinds(kinds: tuple[str, ...]) -> None:
    from xpgcheck.properties.needed import require_hypothesis

    require_hypothesis()
    from xpgcheck.properties.strategies.kinds import KINDS

    for kind in kinds:
        if kind not in KINDS:
            raise InputError(f"no kind of graph is called {kind!r}", mend=f"use some of {', '.join(KINDS)}")


def _again(reading: Reading, left_out: LeftOut, given: dict[str, Any]) -> str:
    """Return the command line that asks the same again: what the questions and answers depend on, of what was *given*."""
    words = ["xpgcheck", "gate", *([given["subject"]] if given["subject"] else ["--command", given["command_line"]])]
    words += ["--examples", str(given["examples"]), "--seed", str(given["seed"]), "--size", str(given["size"])]
    words += [word for kind in given["kinds"] for word in ("--kind", kind)]
    words += [word for model in given["models"] for word in ("--model", model)]
    if given["no_models"]:
        words += ["--no-models"]
    elif given["instances"]:
        words += ["--instances", str(given["instances"])]
        words += left_out.words()
    else:
        words += ["--sample", str(given["sample"])]
    words += [] if given["properties"] else ["--no-properties"]
    words += [word for name in given["names"] for word in ("--property", name)]
    words += ["--smt"] if given["smt"] else []
    words += ["--corpus", str(given["corpus"])] if given["corpus"] else []
    words += [word for solver in given["solvers"] for word in ("--solver", solver)]
    for option, default in (("timeout", DEFAULT_TIMEOUT), ("start_timeout", DEFAULT_START), ("memory", DEFAULT_MEMORY)):
        if given[option] != default:
            words += [f"--{option.replace('_', '-')}", f"{given[option]:g}"]
    return shlex.join([*words, *reading.words()])
