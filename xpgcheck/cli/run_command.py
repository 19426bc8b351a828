"""``xpgcheck properties run``."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from xpgcheck.cli.again import repeated_command
from xpgcheck.cli.bundles import bundled, command_error
from xpgcheck.cli.ensemble_run import refuse_options_of_graphs, run_on_routes
from xpgcheck.cli.list_command import old_list_option, show_properties
from xpgcheck.cli.spelling import option
from xpgcheck.cli.vocabulary import (
    corpus_option,
    examples_option,
    jobs_option,
    json_option,
    profile_option,
    property_option,
    quiet_option,
    seed_option,
    size_option,
    smt_option,
    timeout_option,
)
from xpgcheck.errors import InputError, NothingCheckedError, XpgcheckError, shown

if TYPE_CHECKING:
    from xpgcheck.properties.catalogue import Property
    from xpgcheck.properties.running.outcomes import Result
    from xpgcheck.properties.subjects import Methods

DEFAULT_CORPUS = Path("tests/regressions")

DEFAULT_TIMEOUT = 10.0


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The subject, the cases, the properties, and the reports."""

    subject: Annotated[
        str, option("--subject", default="ours", show_default=True, metavar="SUBJECT", help="Who is judged; see below.")
    ]
    ensembles: Annotated[
        bool,
        option(
            "--ensembles",
            is_flag=True,
            help="Try the properties of judges of ensembles on generated ensembles instead (docs/explanation/forests.md).",
        ),
    ]
    under_constraints: Annotated[
        bool,
        option(
            "--under-constraints",
            is_flag=True,
            help="Try the properties of routes under constraints instead (docs/reference/constraints.md).",
        ),
    ]
    profile_name: Annotated[str, profile_option()]
    examples: Annotated[int | None, examples_option("Cases to generate (default: the profile's).")]
    seed: Annotated[int, seed_option()]
    size: Annotated[int | None, size_option()]
    names: Annotated[tuple[str, ...], property_option()]
    smt: Annotated[bool | None, smt_option()]
    corpus: Annotated[Path | None, corpus_option(f"replayed first (default: {DEFAULT_CORPUS} if it is there).")]
    record: Annotated[
        bool,
        option(
            "--record",
            is_flag=True,
            repeats=False,
            help="Write failures into the corpus, so that every later run tries them first.",
        ),
    ]
    timeout: Annotated[float, timeout_option(DEFAULT_TIMEOUT, "Seconds for one answer of the subject.")]
    jobs: Annotated[int | None, jobs_option()]
    json_file: Annotated[Path | None, json_option()]
    listing: Annotated[bool, old_list_option("list")]
    statistics: Annotated[
        bool, option("--statistics", is_flag=True, repeats=False, help="Show what kinds of graphs were generated.")
    ]
    quiet: Annotated[bool, quiet_option()]

    def folder(self) -> Path | None:
        """Return the corpus whose cases are tried first.  Raises ``InputError`` where failures cannot be written into it."""
        folder = self.corpus or (DEFAULT_CORPUS if DEFAULT_CORPUS.is_dir() else None)
        if self.record and folder is not None and folder.exists() and not folder.is_dir():
            raise InputError("--record needs a folder, and this is a file", place=str(folder), mend="name its folder")
        return folder


@click.command("run")
@bundled(asked=RunOptions)
def command(asked: RunOptions) -> int:
    """Try what the paper states on generated decision graphs, and on kept cases first.

    SUBJECT is 'ours' (this project: explainer and oracles), 'paper' (its algorithms as printed), 'oracle:z3-ite' and the
    like, 'textbook' (an independent implementation), 'seeded:NAME' (a seeded bug, see 'xpgcheck properties list --bugs'),
    or your own explainer in Python as package.module:factory.

    A property that fails is shrunk to a small graph. The same line gives the same cases, whatever --jobs.
    """
    from xpgcheck.properties.needed import require_hypothesis

    require_hypothesis()
    from xpgcheck.properties import catalogue
    from xpgcheck.properties.running import profiles, report
    from xpgcheck.properties.running.loading import load_subject
    from xpgcheck.properties.subjects import methods_of
    from xpgcheck.writers.atomic import write_atomically
    from xpgcheck.writers.writable import check_writable

    profile = profiles.profile(asked.profile_name)
    examples = profile.examples if asked.examples is None else asked.examples
    if asked.ensembles and asked.under_constraints:
        raise command_error("--ensembles and --under-constraints", "leave one of them out")
    if asked.ensembles or asked.under_constraints:
        refuse_options_of_graphs(asked)
        return run_on_routes(asked, examples)
    with_smt = profile.smt if asked.smt is None else asked.smt
    # Who names an SMT property wants it.
    properties = catalogue.chosen(asked.names, smt=with_smt or (bool(asked.names) and asked.smt is None))
    if asked.listing:
        show_properties(properties)
        return 0
    if asked.json_file is not None:
        check_writable(asked.json_file)
    judged = load_subject(asked.subject)
    methods = methods_of(judged)
    properties = catalogue.able(properties, methods.judged)
    if not properties:
        mend = f"select others: it has {', '.join(sorted(methods.judged))}"
        raise InputError(f"no selected property says anything of the subject {shown(asked.subject)}", mend=mend)
    folder = asked.folder()
    size = asked.size or profile.size
    result, bad = _tried(asked, properties, judged, folder, examples, size)
    if asked.json_file is not None:
        options = _options(asked, examples, size, folder, smt=with_smt)
        write_atomically(asked.json_file, report.json_report(result, properties, options, methods))
    if not asked.quiet:
        _show(result, properties, methods, statistics=asked.statistics)
    for error in bad:
        click.echo(f"xpgcheck: {error}", err=True)
    if not asked.quiet:
        again = repeated_command(
            "xpgcheck properties run",
            subject=asked.subject,
            examples=examples,
            seed=asked.seed,
            size=size,
            smt=any(p.smt for p in properties),
        )
        click.echo(f"again: {again}")
    # For each property or group that was named, some property has to have had a case.
    asked_for = [[p.name for p in properties if name in (p.name, p.group)] for name in asked.names]
    click.echo(report.verdict_line(result, len(properties), asked_for))
    return 2 if bad else result.exit_status(asked_for)


def _options(asked: RunOptions, examples: int, size: int, folder: Path | None, *, smt: bool) -> dict[str, Any]:
    """Return what the report says of the options of the run."""
    return {
        "subject": asked.subject,
        "profile": asked.profile_name,
        "examples": examples,
        "seed": asked.seed,
        "size": size,
        "properties": list(asked.names),
        "smt": smt,
        "corpus": str(folder) if folder else None,
    }


def _tried(
    asked: RunOptions, properties: Sequence[Property], subject: Any, folder: Path | None, examples: int, size: int
) -> tuple[Result, list[XpgcheckError]]:
    """Try *properties* on the cases kept in *folder* and on generated ones; return the result and the bad files.

    Failures are written into the corpus where that is asked for.
    """
    from xpgcheck.properties.corpus import record
    from xpgcheck.properties.running.outcomes import Result
    from xpgcheck.properties.running.replaying import replay_corpus
    from xpgcheck.properties.running.units import RunPlan, run
    from xpgcheck.runs.progress import bar, cores

    result = Result.of(p.name for p in properties)
    bad: list[XpgcheckError] = []
    if folder is not None and (folder.exists() or not asked.record):
        with contextlib.redirect_stdout(sys.stderr):
            result, bad = replay_corpus(folder, properties, subject, asked.timeout)
    if not examples and not result.cases and not bad:
        raise NothingCheckedError("no kept case, and no case to generate", mend="raise --examples")
    # What failed on a kept case needs no other.
    failed = {finding.property_name for finding in result.findings}
    left = tuple(p.name for p in properties if p.name not in failed)
    if examples and left:
        plan = RunPlan(left, asked.subject, examples, asked.seed, size, asked.timeout, asked.statistics)
        with bar(examples, "trying cases", not asked.quiet) as advance:
            result.add(run(plan, asked.jobs or cores(), advance, failed_before=bool(failed)))
    if asked.record:
        for finding in result.findings:
            if finding.example:
                click.echo(f"kept: {record(folder or DEFAULT_CORPUS, finding)}", err=True)
    return result, bad


def _show(result: Result, properties: Sequence[Property], methods: Methods, *, statistics: bool) -> None:
    from xpgcheck.properties.running import report
    from xpgcheck.reports.terminal import console

    if methods.passed_over:
        report.print_methods(methods, console())
    report.print_report(result, properties, console())
    if statistics:
        report.print_statistics(result, console())
