"""``xpgcheck properties selftest``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from xpgcheck.cli.again import repeated_command
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


@click.command("selftest")
@bug_option()
@seeds_option(1, "Seeds, each a run of its own.")
@option("--shrunk", type=click.IntRange(1), help="Seeds whose counterexamples are shrunk (default: all).")
@examples_option("Most cases per seed.", 1_000, least=1)
@size_option(12)
@option("--protocol", is_flag=True, help="Each bug in a process of its own, asked over the line protocol.")
@jobs_option()
@json_option("Write the figures as JSON.")
@markdown_option("Write the figures as a document.")
@cases_option(
    "Save the smallest case on which each property failed, as 'xpgcheck properties run --corpus DIR' replays them.",
    old=("--record",),
)
@option("--show", is_flag=True, repeats=False, help="Show the smallest counterexample of each bug.")
@old_list_option("list --bugs")
@quiet_option()
def command(
    bug_names: tuple[str, ...],
    seeds: int,
    shrunk: int | None,
    examples: int,
    size: int,
    protocol: bool,
    jobs: int | None,
    json_file: Path | None,
    markdown_file: Path | None,
    cases_folder: Path | None,
    show: bool,
    listing: bool,
    quiet: bool,
) -> int:
    """Run the properties on explainers and oracles that are wrong on purpose.

    Each seeded bug has to be caught by some property, with every seed; one that is not fails the run, and so does a
    property that no seeded bug makes fail. The table says which property caught it first, how many properties fail of
    it, after how many cases it was caught (median over the seeds), and how large its largest and smallest shrunk
    counterexamples are (non-terminals, features).
    """
    from xpgcheck.properties.needed import require_hypothesis

    require_hypothesis()
    from xpgcheck.gate.saving import make_folder
    from xpgcheck.properties.seeded import chosen_bugs
    from xpgcheck.properties.selftest import SelftestSettings
    from xpgcheck.writers.writable import check_writable

    bugs = chosen_bugs(bug_names)
    if listing:
        show_bugs(bugs)
        return 0
    if json_file is not None:
        check_writable(json_file)
    if cases_folder is not None:
        make_folder(cases_folder)
    settings = SelftestSettings(examples, seeds, seeds if shrunk is None else min(shrunk, seeds), size)
    if protocol:
        from xpgcheck.subjects.seeded import over_the_protocol

        settings = replace(settings, open=over_the_protocol)
    line = repeated_command(
        "xpgcheck properties selftest", seeds=settings.seeds, shrunk=settings.shrunk, markdown_file=markdown_file
    )
    # A property without a bug that it catches is a fault of the whole catalogue only.
    return show_measured(
        bugs,
        settings,
        line,
        markdown_file,
        jobs,
        quiet,
        whole=not bug_names,
        json_file=json_file,
        cases_folder=cases_folder,
        show=show,
    )


def show_measured(
    bugs: Sequence[SeededBug],
    settings: SelftestSettings,
    line: str,
    markdown_file: Path | None,
    jobs: int | None,
    quiet: bool,
    *,
    whole: bool = True,
    json_file: Path | None = None,
    cases_folder: Path | None = None,
    show: bool = False,
) -> int:
    """Measure *bugs*, the *whole* of their kinds or some, show what catches them, and return the exit status.

    *line* is the command line for documents.
    """
    from xpgcheck.properties import selftest, selftest_report
    from xpgcheck.reports.terminal import console
    from xpgcheck.runs.progress import bar, cores
    from xpgcheck.writers.atomic import write_atomically
    from xpgcheck.writers.writable import check_writable

    if markdown_file is not None:
        check_writable(markdown_file)
    with bar(len(bugs) * (settings.seeds + 1), "trying seeded bugs", not quiet) as advance:
        measured = selftest.measure(bugs, settings, jobs or cores(), advance)
    idle = selftest.idle_checks(measured) if whole else ()
    if json_file is not None:
        write_atomically(json_file, selftest_report.json_text(measured, idle, settings))
    if markdown_file is not None:
        write_atomically(markdown_file, selftest_report.markdown(measured, idle, settings, line))
    if cases_folder is not None:
        from xpgcheck.properties.corpus import record

        for finding in selftest.smallest_of_each_check(measured):
            record(cases_folder, finding)
    if not quiet:
        selftest_report.print_report(measured, idle, console(), show=show)
    click.echo(selftest_report.verdict_line(measured, idle, settings))
    return 0 if selftest_report.all_caught(measured, idle) else 1
