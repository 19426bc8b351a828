"""``xpgcheck properties run``."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import replace
from pathlib import Path

import click

from xpgcheck.cli.again import repeated_command
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

DEFAULT_CORPUS = Path("tests/regressions")

DEFAULT_TIMEOUT = 10.0


@click.command("run")
@option("--subject", default="ours", show_default=True, metavar="SUBJECT", help="Who is judged; see below.")
@profile_option()
@examples_option("Cases to generate (default: the profile's).")
@seed_option()
@size_option()
@property_option()
@smt_option()
@corpus_option(f"replayed first (default: {DEFAULT_CORPUS} if it is there).")
@option(
    "--record",
    is_flag=True,
    repeats=False,
    help="Write failures into the corpus, so that every later run tries them first.",
)
@timeout_option(DEFAULT_TIMEOUT, "Seconds for one answer of the subject.")
@jobs_option()
@json_option()
@old_list_option("list")
@option("--statistics", is_flag=True, repeats=False, help="Show what kinds of graphs were generated.")
@quiet_option()
def command(
    subject: str,
    profile_name: str,
    examples: int | None,
    seed: int,
    size: int | None,
    names: tuple[str, ...],
    smt: bool | None,
    corpus: Path | None,
    record: bool,
    timeout: float,
    jobs: int | None,
    json_file: Path | None,
    listing: bool,
    statistics: bool,
    quiet: bool,
) -> int:
    """Try what the paper states on generated decision graphs, and on kept cases first.

    SUBJECT is 'ours' (this project: explainer and oracles), 'paper' (its algorithms as printed), 'oracle:z3-ite' and the
    like, 'textbook' (an independent implementation), 'seeded:NAME' (a seeded bug, see 'xpgcheck properties list --bugs'),
    or your own explainer in Python as package.module:factory.

    A property that fails is shrunk to a small graph. The same line gives the same cases, whatever --jobs.
    """
    from xpgcheck.properties.needed import require_hypothesis

    require_hypothesis()
    from xpgcheck.properties import catalogue
    from xpgcheck.properties.corpus import record as write_case
    from xpgcheck.properties.running import profiles, report
    from xpgcheck.properties.running.loading import load_subject
    from xpgcheck.properties.running.outcomes import Result
    from xpgcheck.properties.running.replaying import replay_corpus
    from xpgcheck.properties.running.units import RunPlan, run
    from xpgcheck.properties.subjects import methods_of
    from xpgcheck.reports.terminal import console
    from xpgcheck.runs.progress import bar, cores
    from xpgcheck.writers.atomic import write_atomically
    from xpgcheck.writers.writable import check_writable

    chosen_profile = profiles.profile(profile_name)
    with_smt = chosen_profile.smt if smt is None else smt
    # Who names an SMT property wants it.
    properties = catalogue.chosen(names, smt=with_smt or (bool(names) and smt is None))
    if listing:
        show_properties(properties)
        return 0
    if json_file is not None:
        check_writable(json_file)
    judged = load_subject(subject)
    methods = methods_of(judged)
    properties = catalogue.able(properties, methods.judged)
    if not properties:
        mend = f"select others: it has {', '.join(sorted(methods.judged))}"
        raise InputError(f"no selected property says anything of the subject {shown(subject)}", mend=mend)
    folder = corpus or (DEFAULT_CORPUS if DEFAULT_CORPUS.is_dir() else None)
    if record and folder is not None and folder.exists() and not folder.is_dir():
        raise InputError("--record needs a folder, and this is a file", place=str(folder), mend="name its folder")
    result = Result.of(p.name for p in properties)
    bad: list[XpgcheckError] = []
    if folder is not None and (folder.exists() or not record):
        with contextlib.redirect_stdout(sys.stderr):
            result, bad = replay_corpus(folder, properties, judged, timeout)
    plan = RunPlan(
        tuple(p.name for p in properties),
        subject,
        chosen_profile.examples if examples is None else examples,
        seed,
        size or chosen_profile.size,
        timeout,
        statistics,
    )
    if not plan.examples and not result.cases and not bad:
        raise NothingCheckedError("no kept case, and no case to generate", mend="raise --examples")
    # What failed on a kept case needs no other.
    failed = {finding.property_name for finding in result.findings}
    plan = replace(plan, properties=tuple(name for name in plan.properties if name not in failed))
    if plan.examples and plan.properties:
        with bar(plan.examples, "trying cases", not quiet) as advance:
            result.add(run(plan, jobs or cores(), advance, failed_before=bool(failed)))
    if record:
        for finding in result.findings:
            if finding.example:
                path = write_case(folder or DEFAULT_CORPUS, finding)
                click.echo(f"kept: {path}", err=True)
    options = {
        "subject": subject,
        "profile": profile_name,
        "examples": plan.examples,
        "seed": seed,
        "size": plan.size,
        "properties": list(names),
        "smt": with_smt,
        "corpus": str(folder) if folder else None,
    }
    if json_file is not None:
        write_atomically(json_file, report.json_report(result, properties, options, methods))
    if not quiet:
        if methods.passed_over:
            report.print_methods(methods, console())
        report.print_report(result, properties, console())
        if statistics:
            report.print_statistics(result, console())
    for error in bad:
        click.echo(f"xpgcheck: {error}", err=True)
    if not quiet:
        again = repeated_command(
            "xpgcheck properties run",
            subject=subject,
            examples=plan.examples,
            seed=seed,
            size=plan.size,
            smt=any(p.smt for p in properties),
        )
        click.echo(f"again: {again}")
    # Of each property or group that was named, some property has to have had a case.
    asked_for = [[p.name for p in properties if name in (p.name, p.group)] for name in names]
    click.echo(report.verdict_line(result, len(properties), asked_for))
    return 2 if bad else result.exit_status(asked_for)
