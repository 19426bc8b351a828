"""``xpgcheck gate``."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from xpgcheck.cli.again import repeated_command
from xpgcheck.cli.bundles import bundled, command_error
from xpgcheck.cli.column_options import LeftOut
from xpgcheck.cli.outputs import Outputs, check_outputs, concluded
from xpgcheck.cli.reading_options import ReadingOptions
from xpgcheck.cli.spelling import folder_option, option
from xpgcheck.cli.vocabulary import (
    GRAPH_KINDS,
    cases_option,
    command_option,
    constraints_option,
    corpus_option,
    examples_option,
    instances_option,
    jobs_option,
    memory_option,
    plugin_option,
    property_option,
    quiet_option,
    sample_option,
    seed_option,
    size_option,
    smt_option,
    solver_option,
    start_timeout_option,
    timeout_option,
    trace_option,
)
from xpgcheck.gate.profiles import GATE_PROFILES, choices, gate_profile
from xpgcheck.gate.profiles import OLD as OLD_PROFILES

if TYPE_CHECKING:
    from xpgcheck.gate.inputs import Job, Selection
    from xpgcheck.gate.plan import GatePlan, LastRun
    from xpgcheck.gate.results import Report

DEFAULT_TIMEOUT = 10.0


@dataclass(frozen=True, slots=True)
class GateOptions:
    """The subject, its cases and questions, its limits, and the reports."""

    subject: Annotated[str | None, click.argument("subject", required=False)]
    command_line: Annotated[str | None, command_option("A program that speaks the line protocol.")]
    profile_name: Annotated[
        str,
        option(
            "--profile",
            "profile_name",
            type=click.Choice([*GATE_PROFILES, *OLD_PROFILES]),
            default="default",
            show_default=True,
            repeats=False,
            help=f"How much to do in addition to the deck ({choices()} of our own time); dev and ci are old names.",
        ),
    ]
    examples: Annotated[int | None, examples_option("Cases to generate (default: the profile's).")]
    seed: Annotated[int, seed_option()]
    size: Annotated[int | None, size_option()]
    kinds: Annotated[
        tuple[str, ...],
        option(
            "--graph-kind",
            "kinds",
            old=("--kind",),
            multiple=True,
            type=click.Choice(GRAPH_KINDS),
            help="Generate this kind of graph alone (repeatable).",
        ),
    ]
    ensembles: Annotated[
        bool,
        option(
            "--ensembles",
            is_flag=True,
            help="Generate ensembles alone (default: half of the cases, of a subject that takes them).",
        ),
    ]
    models: Annotated[
        tuple[str, ...],
        option(
            "--model",
            "models",
            multiple=True,
            metavar="MODEL",
            help="Ask at instances of this model, a file or an embedded one, instead of all embedded ones (repeatable).",
        ),
    ]
    no_models: Annotated[bool, option("--no-models", is_flag=True, help="Ask at instances of no model.")]
    instances: Annotated[Path | None, instances_option("CSV file of instances of the one --model; all are taken.")]
    constraints_file: Annotated[
        Path | None, constraints_option("What can occur of the one --model, for a subject of the notion constraints.")
    ]
    left_out: LeftOut
    deck: Annotated[
        bool | None,
        option(
            "--deck/--no-deck", default=None, help="Ask the designed cases first (default: where cases are generated)."
        ),
    ]
    deck_file: Annotated[
        Path | None,
        option(
            "--deck-file",
            type=click.Path(path_type=Path, dir_okay=False),
            help="Ask the deck of this file, as 'vectors' writes one.",
        ),
    ]
    stop_first: Annotated[
        bool,
        option("-x", "--stop-first", "stop_first", is_flag=True, repeats=False, help="End where something is wrong."),
    ]
    last_report: Annotated[
        Path | None,
        option(
            "--last-failed",
            "last_report",
            type=click.Path(path_type=Path, dir_okay=False),
            repeats=False,
            help="Ask first what failed by this --json report, and all else only where that is right now.",
        ),
    ]
    failures_file: Annotated[
        Path | None,
        option(
            "--all-failures",
            "failures_file",
            type=click.Path(path_type=Path, dir_okay=False),
            repeats=False,
            help="Write every wrong or open claim of the deck, of models and of kept cases: CSV.",
        ),
    ]
    coverage: Annotated[
        bool,
        option(
            "--coverage",
            is_flag=True,
            repeats=False,
            help="Print how many instances were aimed at what (docs/reference/gate-reach.md).",
        ),
    ]
    sample: Annotated[
        int | None, sample_option(None, "Instances of each model, drawn by --seed (default: the profile's).")
    ]
    properties: Annotated[
        bool,
        option("--properties/--no-properties", default=True, show_default=True, help="Try the paper's statements too."),
    ]
    names: Annotated[tuple[str, ...], property_option("Try this property or group (repeatable).")]
    plugins: Annotated[tuple[str, ...], plugin_option()]
    smt: Annotated[bool | None, smt_option()]
    corpus: Annotated[
        Path | None, corpus_option("judged too: those of --cases, or of 'xpgcheck properties run --record'.")
    ]
    solvers: Annotated[tuple[str, ...], solver_option()]
    timeout: Annotated[float, timeout_option(DEFAULT_TIMEOUT, "Seconds that the subject has for one answer.")]
    start_timeout: Annotated[float, start_timeout_option()]
    memory: Annotated[int, memory_option()]
    trace_file: Annotated[Path | None, trace_option()]
    jobs: Annotated[int | None, jobs_option()]
    cases_folder: Annotated[Path | None, cases_option("Save each finding here, for 'replay'.")]
    certificates_folder: Annotated[
        Path | None,
        folder_option(
            "--certificates",
            "certificates_folder",
            repeats=False,
            help="Write certificates of all claims at instances of models here, right or wrong.",
        ),
    ]
    outputs: Outputs
    reading: ReadingOptions
    quiet: Annotated[bool, quiet_option()]


@click.command("gate")
@bundled(asked=GateOptions)
def command(asked: GateOptions) -> int:
    """Ask another implementation for explanations, and judge every answer.

    SUBJECT is an explainer in Python, package.module:factory (see docs/how-to/gate.md; also 'ours', 'paper', 'textbook',
    'seeded:NAME', 'adapter:NAME'); --command names a program in any language that speaks the line protocol (see
    docs/reference/protocol.md). It runs in a process of its own, within limits, and is started again after a crash.

    It is asked at instances of models, at kept cases, and at generated ones, and only for what it can do. Whatever is wrong
    comes with its evidence, the right explanation next to it, and for generated cases the smallest graph that shows it.
    """
    from xpgcheck.explanations.inputs import is_embedded
    from xpgcheck.gate import run
    from xpgcheck.gate.certificate_folder import CertificateFolder
    from xpgcheck.gate.reports.failures import failures_text
    from xpgcheck.gate.reports.places import place_of_subject
    from xpgcheck.gate.saving import save_findings
    from xpgcheck.runs.progress import bar, cores
    from xpgcheck.writers.atomic import write_atomically

    if (asked.subject is None) == (asked.command_line is None):
        mend = "name package.module:factory, or --command 'PROGRAM …'"
        raise command_error("name a SUBJECT or a --command, one of them", mend)
    with_smt = gate_profile(asked.profile_name).smt if asked.smt is None else asked.smt
    plan = _plan(asked, with_smt=with_smt)
    with contextlib.ExitStack() as stack:
        folder = None
        if asked.certificates_folder is not None:
            folder = stack.enter_context(CertificateFolder(asked.certificates_folder))
        advance = stack.enter_context(bar(run.case_count(plan), "judging cases", not asked.quiet))
        report = run.gate(plan, asked.jobs or cores(), advance, folder)
    report.source = place_of_subject(asked.subject, asked.command_line)
    report.model_files = {
        job.graph.name: file for job, file in zip(plan.models, asked.models, strict=False) if not is_embedded(file)
    }
    report.again = repeated_command(
        "xpgcheck gate",
        examples=plan.cases.examples,
        seed=asked.seed,
        size=plan.cases.size,
        sample=None if asked.no_models or asked.instances else asked.sample or gate_profile(asked.profile_name).sample,
        smt=with_smt or None,
    )
    if asked.cases_folder is not None:
        save_findings(report, asked.cases_folder)
    if asked.failures_file is not None:
        write_atomically(asked.failures_file, failures_text(report))
    if asked.coverage:
        _print_coverage(report)
    return concluded(report, asked.outputs, quiet=asked.quiet)


def _plan(asked: GateOptions, *, with_smt: bool) -> GatePlan:
    """Return the plan of what is *asked*, after a look at all that it needs and at the files that are to be written."""
    from xpgcheck.gate.inputs import Selection
    from xpgcheck.gate.plan import Cases, GatePlan, opener, patience
    from xpgcheck.gate.saving import make_folder
    from xpgcheck.oracles.pysmt_backend import require_solvers
    from xpgcheck.plugins import name_plugins
    from xpgcheck.properties import catalogue
    from xpgcheck.properties.corpus import corpus_files
    from xpgcheck.properties.needed import require_hypothesis
    from xpgcheck.properties.subjects import ENSEMBLE_KINDS
    from xpgcheck.subjects.limits import MEBIBYTE, Limits

    profile = gate_profile(asked.profile_name)
    name_plugins(asked.plugins)
    if asked.kinds:
        require_hypothesis()
    if asked.kinds and asked.ensembles:
        raise command_error("--graph-kind and --ensembles", "leave one of them out")
    if asked.no_models and asked.models:
        raise command_error("--no-models and --model", "leave one of them out")
    smt = with_smt or bool(asked.names)
    wanted = catalogue.chosen(asked.names, smt=smt) if asked.properties or asked.names else ()
    require_solvers(asked.solvers)
    read = None if _writes_the_last_report(asked) else asked.last_report
    more = {"all-failures_file": asked.failures_file, "trace_file": asked.trace_file}
    check_outputs({**asked.outputs.files(), **more}, *asked.models, asked.instances, read)
    if asked.cases_folder is not None:
        make_folder(asked.cases_folder)
    limits = Limits(seconds=asked.timeout, memory=asked.memory * MEBIBYTE, start_seconds=asked.start_timeout)
    sample = asked.sample or profile.sample
    selection = Selection(asked.instances, sample=sample, seed=asked.seed, **asked.left_out.options())
    examples = profile.examples if asked.examples is None else asked.examples
    return GatePlan(
        opener(asked.subject, asked.command_line, limits, asked.trace_file),
        Cases(examples, asked.seed, asked.size or profile.size, asked.kinds, ENSEMBLE_KINDS if asked.ensembles else ()),
        () if asked.no_models else _models(asked, selection),
        tuple(corpus_files(asked.corpus)) if asked.corpus is not None else (),
        tuple(p.name for p in wanted),
        patience(limits),
        asked.solvers or ("z3",),
        certify=asked.certificates_folder is not None,
        named=bool(asked.models),
        solvers_named=bool(asked.solvers),
        deck=_with_deck(asked, examples),
        deck_file=asked.deck_file,
        all_failures=asked.failures_file is not None,
        stop_first=asked.stop_first,
        last=_last_run(asked),
    )


def _last_run(asked: GateOptions) -> LastRun | None:
    """Return what failed last time; nothing yet, where the report is one that this run writes for the first time."""
    from xpgcheck.gate.cases_on_file import last_run

    if asked.last_report is None:
        return None
    return last_run(asked.last_report, may_be_missing=_writes_the_last_report(asked))


def _writes_the_last_report(asked: GateOptions) -> bool:
    """Tell whether the report that is read is the one that is written in the end."""
    files = asked.last_report, asked.outputs.json_file
    return None not in files and len({file.resolve() for file in files if file is not None}) == 1


def _models(asked: GateOptions, selection: Selection) -> tuple[Job, ...]:
    """Return the models that are asked about, the one that is named under its constraint, if there is one."""
    from xpgcheck.gate.inputs import under
    from xpgcheck.gate.plan import selected_models

    models = selected_models(asked.models, selection, **asked.reading.options())
    if asked.constraints_file is None:
        return models
    if len(models) != 1:
        raise command_error("--constraints needs one --model", "name the model that they are about")
    return (under(models[0], asked.constraints_file, every=asked.instances is not None),)


def _with_deck(asked: GateOptions, examples: int) -> bool:
    """Tell whether the deck is asked: where nothing else is said, before generated cases.  Raises ``InputError``."""
    from xpgcheck.deck.storage import check_deck

    if asked.deck is False and asked.deck_file is not None:
        raise command_error("--no-deck and --deck-file", "leave one of them out")
    wanted = asked.deck or asked.deck_file is not None or (asked.deck is None and examples > 0)
    if wanted:
        check_deck(asked.deck_file)
    return wanted


def _print_coverage(report: Report) -> None:
    from xpgcheck.deck.designs import KINDS
    from xpgcheck.reports.terminal import console, new_table

    places = sorted({where for _, where in report.coverage}, reverse=True)
    table = new_table(["aimed at"], places)
    for kind, words in KINDS.items():
        table.add_row(words, *(str(report.coverage[kind, where]) for where in places))
    console().print(table)
