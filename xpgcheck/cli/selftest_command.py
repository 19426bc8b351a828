"""``xpgcheck properties selftest``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from xpgcheck.cli.again import repeated_command
from xpgcheck.cli.bundles import bundled, command_error
from xpgcheck.cli.list_command import old_list_option, show_bugs
from xpgcheck.cli.spelling import option
from xpgcheck.cli.vocabulary import (
    bug_option,
    cases_option,
    examples_option,
    jobs_option,
    json_option,
    markdown_option,
    quiet_option,
    seeds_option,
    size_option,
)

if TYPE_CHECKING:
    from xpgcheck.properties.seeded import SeededBug
    from xpgcheck.properties.selftest import SelftestSettings


MANY = 5_000
"""Random cases of the largest run with ``--gate``."""


@dataclass(frozen=True, slots=True)
class SelftestOptions:
    """Which seeded bugs are tried, on how many cases, and where it is written."""

    bug_names: Annotated[tuple[str, ...], bug_option()]
    ensembles: Annotated[
        bool,
        option(
            "--ensembles",
            is_flag=True,
            help="Try the seeded bugs of the judges of ensembles instead (docs/explanation/forests.md).",
        ),
    ]
    under_constraints: Annotated[
        bool,
        option(
            "--under-constraints",
            is_flag=True,
            help="Try the seeded bugs of the routes under constraints instead (docs/reference/constraints.md).",
        ),
    ]
    gate: Annotated[
        bool,
        option(
            "--gate",
            is_flag=True,
            help="Run the gate on seeded bugs and on explainers wrong beyond small graphs (docs/reference/gate-reach.md): "
            "the deck alone, the default run, and a run with --examples (default: 5000).",
        ),
    ]
    resume: Annotated[
        bool, option("--resume", is_flag=True, repeats=False, help="With --gate: leave out what the --json file has.")
    ]
    seeds: Annotated[int, seeds_option(1, "Seeds, each a run of its own.")]
    shrunk: Annotated[
        int | None,
        option("--shrunk", type=click.IntRange(1), help="Seeds whose counterexamples are shrunk (default: all)."),
    ]
    examples: Annotated[int | None, examples_option("Most cases per seed (default: 1000).", None, least=1)]
    size: Annotated[int, size_option(12)]
    protocol: Annotated[
        bool, option("--protocol", is_flag=True, help="Each bug in a process of its own, asked over the line protocol.")
    ]
    jobs: Annotated[int | None, jobs_option()]
    json_file: Annotated[Path | None, json_option("Write the figures as JSON.")]
    markdown_file: Annotated[Path | None, markdown_option("Write the figures as a document.")]
    cases_folder: Annotated[
        Path | None,
        cases_option(
            "Save the smallest case on which each property failed, as 'xpgcheck properties run --corpus DIR' replays them.",
            old=("--record",),
        ),
    ]
    show: Annotated[
        bool, option("--show", is_flag=True, repeats=False, help="Show the smallest counterexample of each bug.")
    ]
    listing: Annotated[bool, old_list_option("list --bugs")]
    quiet: Annotated[bool, quiet_option()]


@click.command("selftest")
@bundled(asked=SelftestOptions)
def command(asked: SelftestOptions) -> int:
    """Run the properties on explainers and oracles that are wrong on purpose.

    Each seeded bug has to be caught by some property, with every seed; one that is not fails the run, and so does a
    property that no seeded bug makes fail. The table says which property caught it first, how many properties fail of
    it, after how many cases it was caught (median over the seeds), and how large its largest and smallest shrunk
    counterexamples are (non-terminals, features).
    """
    from xpgcheck.properties.needed import require_hypothesis

    require_hypothesis()
    from xpgcheck.gate.saving import make_folder
    from xpgcheck.properties.selftest import SelftestSettings

    bugs = _bugs(asked)
    if asked.listing:
        show_bugs(bugs)
        return 0
    if asked.cases_folder is not None:
        make_folder(asked.cases_folder)
    shrunk = asked.seeds if asked.shrunk is None else min(asked.shrunk, asked.seeds)
    if asked.resume and not (asked.gate and asked.json_file):
        raise command_error("--resume goes on with --gate from the file of --json", "name it")
    if asked.gate:
        return _gate(asked, bugs)
    settings = SelftestSettings(asked.examples or 1_000, asked.seeds, shrunk, asked.size)
    if asked.protocol:
        from xpgcheck.subjects.seeded import over_the_protocol

        settings = replace(settings, open=over_the_protocol)
    line = repeated_command(
        "xpgcheck properties selftest", seeds=settings.seeds, shrunk=shrunk, markdown_file=asked.markdown_file
    )
    outputs = MeasuredOutputs(line, asked.json_file, asked.markdown_file, asked.cases_folder, asked.show, asked.quiet)
    # A property without a bug that it catches is a fault of the whole catalogue only.
    return show_measured(bugs, settings, outputs, asked.jobs, whole=not asked.bug_names)


def _bugs(asked: SelftestOptions) -> Sequence[SeededBug]:
    from xpgcheck.properties.seeded import chosen_bugs, constraint_bugs, ensemble_bugs

    kinds = (("--gate", asked.gate), ("--ensembles", asked.ensembles), ("--under-constraints", asked.under_constraints))
    said = [name for name, given in kinds if given]
    if len(said) > 1:
        raise command_error(" and ".join(said), "leave one of them out")
    if asked.gate:
        return _gated(asked.bug_names)
    if not said:
        return chosen_bugs(asked.bug_names)
    for name, given in (("--bug", asked.bug_names), ("--protocol", asked.protocol), ("--cases", asked.cases_folder)):
        if given:
            raise command_error(f"{name} is for explainers and oracles of graphs", f"leave {name} or {said[0]} out")
    return ensemble_bugs() if asked.ensembles else constraint_bugs()


def _gated(names: Sequence[str]) -> Sequence[SeededBug]:
    """Return the catalogue of the gate, or those of it called *names*.  Raises ``InputError``."""
    from xpgcheck.errors import InputError, did_you_mean, shown
    from xpgcheck.gate.reach import catalogue

    known = {bug.name: bug for bug in catalogue()}
    for name in names:
        if name not in known:
            mend = did_you_mean(name, known) or "'xpgcheck properties selftest --gate --list' lists them"
            raise InputError(f"no broken explainer is called {shown(name)}", mend=mend)
    return [known[name] for name in names] or list(known.values())


def _gate(asked: SelftestOptions, bugs: Sequence[SeededBug]) -> int:
    """Measure the gate's reach on *bugs*, show it, and return the exit status."""
    from xpgcheck.gate.reach import reach
    from xpgcheck.gate.reach_report import ReachReport, json_text, read_found
    from xpgcheck.reports.terminal import console
    from xpgcheck.runs.progress import bar, cores, progress_text, telling
    from xpgcheck.writers.atomic import write_atomically
    from xpgcheck.writers.writable import check_writable

    examples = asked.examples or MANY
    for target in (asked.json_file, asked.markdown_file):
        if target is not None:
            check_writable(target)
    known = read_found(asked.json_file, examples) if asked.resume and asked.json_file is not None else {}
    left = [bug for bug in bugs if bug.name not in known]

    def so_far() -> str:
        kept = f"; add --resume to go on from {asked.json_file}" if asked.json_file is not None else ""
        return progress_text(sum(bug.name in known for bug in bugs), len(bugs), "broken explainers are tried") + kept

    with telling(so_far), bar(len(left), "trying broken explainers", not asked.quiet) as advance:
        for found in reach(left, examples, asked.jobs or cores()):
            known[found.name] = found
            if asked.json_file is not None:
                # After each: whatever ends this, what is finished stays.
                write_atomically(asked.json_file, json_text(known, examples))
            advance(1)
    measured = ReachReport(bugs, known, examples)
    if asked.markdown_file is not None:
        write_atomically(asked.markdown_file, measured.markdown())
    if not asked.quiet:
        measured.print(console())
    click.echo(measured.line())
    return 0 if measured.is_enough else 1


@dataclass(frozen=True, slots=True)
class MeasuredOutputs:
    """Files for what catches seeded bugs; *line* is the command line that the document gives."""

    line: str
    json_file: Path | None = None
    markdown_file: Path | None = None
    cases_folder: Path | None = None
    show: bool = False
    quiet: bool = False


def show_measured(
    bugs: Sequence[SeededBug],
    settings: SelftestSettings,
    outputs: MeasuredOutputs,
    jobs: int | None,
    *,
    whole: bool = True,
) -> int:
    """Measure *bugs*, the *whole* of their kinds or some, show what catches them, and return the exit status."""
    from xpgcheck.properties import selftest, selftest_report
    from xpgcheck.properties.corpus import record
    from xpgcheck.reports.terminal import console
    from xpgcheck.runs.progress import bar, cores
    from xpgcheck.writers.atomic import write_atomically
    from xpgcheck.writers.writable import check_writable

    for target in (outputs.json_file, outputs.markdown_file):
        if target is not None:
            check_writable(target)
    with bar(len(bugs) * (settings.seeds + 1), "trying seeded bugs", not outputs.quiet) as advance:
        measured = selftest.measure(bugs, settings, jobs or cores(), advance)
    idle = selftest.idle_checks(measured) if whole else ()
    if outputs.json_file is not None:
        write_atomically(outputs.json_file, selftest_report.json_text(measured, idle, settings))
    if outputs.markdown_file is not None:
        write_atomically(outputs.markdown_file, selftest_report.markdown(measured, idle, settings, outputs.line))
    if outputs.cases_folder is not None:
        for finding in selftest.smallest_of_each_check(measured):
            record(outputs.cases_folder, finding)
    if not outputs.quiet:
        selftest_report.print_report(measured, idle, console(), show=outputs.show)
    click.echo(selftest_report.verdict_line(measured, idle, settings))
    return 0 if selftest_report.all_caught(measured, idle) else 1
