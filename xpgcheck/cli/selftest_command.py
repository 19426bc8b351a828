"""``xpgcheck selftest``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click


@click.command("selftest", short_help="See that every seeded bug is caught.")
@click.option("--bug", "names", multiple=True, metavar="NAME", help="This seeded bug alone (repeatable).")
@click.option("--seeds", type=click.IntRange(1), default=1, show_default=True, help="Seeds, each a run of its own.")
@click.option("--shrunk", type=click.IntRange(1), help="Seeds whose counterexamples are shrunk (default: all).")
@click.option("--examples", type=click.IntRange(1), default=1_000, show_default=True, help="Cases a seed at most.")
@click.option("--size", type=click.IntRange(1, 200), default=12, show_default=True, help="Most nodes of a graph.")
@click.option("--protocol", is_flag=True, help="Each bug in a process of its own, asked over the line protocol.")
@click.option("--jobs", "-j", type=click.IntRange(1), help="Processes (default: one a core).")
@click.option("--json", "json_file", type=click.Path(path_type=Path), help="Write the figures as JSON.")
@click.option("--markdown", type=click.Path(path_type=Path), help="Write the figures as a document.")
@click.option(
    "--record",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Keep the smallest case on which each property failed, as 'xpgcheck run --corpus DIR' replays them.",
)
@click.option("--show", is_flag=True, help="Show the smallest counterexample of each bug.")
@click.option("--list", "listing", is_flag=True, help="List the seeded bugs, and run none.")
@click.option("--quiet", "-q", is_flag=True, help="Print only the last line.")
def command(
    names: tuple[str, ...],
    seeds: int,
    shrunk: int | None,
    examples: int,
    size: int,
    protocol: bool,
    jobs: int | None,
    json_file: Path | None,
    markdown: Path | None,
    folder: Path | None,
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
    from xpgcheck.properties import selftest, selftest_report
    from xpgcheck.properties.corpus import record
    from xpgcheck.properties.seeded import chosen_bugs
    from xpgcheck.reports.terminal import console
    from xpgcheck.runs.progress import bar, cores
    from xpgcheck.writers.atomic import write_atomically
    from xpgcheck.writers.writable import check_writable

    bugs = chosen_bugs(names)
    if listing:
        for bug in bugs:
            click.echo(f"{bug.name}  ({bug.kind})\n    {bug.wrong}")
        return 0
    for target in (json_file, markdown):
        if target is not None:
            check_writable(target)
    settings = selftest.Settings(examples, seeds, seeds if shrunk is None else min(shrunk, seeds), size)
    if protocol:
        from xpgcheck.subjects.seeded import over_the_protocol

        settings = replace(settings, open=over_the_protocol)
    with bar(len(bugs) * (seeds + 1), "trying seeded bugs", not quiet) as advance:
        measured = selftest.measure(bugs, settings, jobs or cores(), advance)
    # A property without a bug that it catches is a fault of the whole catalogue only.
    idle = selftest.idle_properties(measured) if not names else ()
    report = selftest_report.report_of(bugs, measured, idle, settings)
    if json_file is not None:
        write_atomically(json_file, selftest_report.json_text(report))
    if markdown is not None:
        line = f"xpgcheck selftest --seeds {settings.seeds} --shrunk {settings.shrunk} --markdown {markdown}"
        write_atomically(markdown, selftest_report.markdown(report, line))
    if folder is not None:
        for finding in selftest.smallest_of_each_property(measured):
            record(folder, finding)
    if not quiet:
        selftest_report.print_report(bugs, measured, idle, console(), show=show)
    click.echo(selftest_report.verdict_line(measured, idle, settings))
    return 1 if idle or not all(m.caught for m in measured) else 0
