"""``xpgcheck paper bounded``, ``symbolic`` and ``reduction``: one source of evidence alone, in all its detail."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from xpgcheck.cli.again import repeated_command
from xpgcheck.cli.spelling import option
from xpgcheck.cli.vocabulary import (
    examples_option,
    jobs_option,
    json_option,
    markdown_option,
    property_option,
    quiet_option,
    seed_option,
    seeds_option,
)
from xpgcheck.errors import InputError

if TYPE_CHECKING:
    from xpgcheck.paper.evidence_summary import EvidenceSummary
    from xpgcheck.paper.sources import Results, SourceUnit

KINDS = ("read-once", "consistent", "inconsistent", "uncovered", "overlapping")

THEOREMS = ("sufficient", "necessary", "monotone", "one terminal", "Algorithm 2", "Algorithm 3")


@click.command("bounded")
@option("--bound", metavar="N,M,D,K", help="Non-terminals, features, values, classes (default: all sizes).")
@option("--quick", is_flag=True, help="Small sizes, some seconds.")
@option("--seeded", is_flag=True, help="See that every seeded bug of the code under test turns a law red, instead.")
@markdown_option("Write what --seeded found.")
@jobs_option()
@json_option()
@quiet_option()
def bounded(
    bound: str | None,
    quick: bool,
    seeded: bool,
    markdown_file: Path | None,
    jobs: int | None,
    json_file: Path | None,
    quiet: bool,
) -> int:
    """Check all laws on every decision graph up to a size, at every instance and for every set of features.

    Exit status: 0 all laws hold, and the ablations are as stated; 1 one fails, or a seeded bug is not caught; 2 wrong input;
    3 something is open.
    """
    from xpgcheck.paper.bounded.law_evidence import outcome, read_bound
    from xpgcheck.paper.reports.tables import BOUNDED
    from xpgcheck.paper.sources import Options
    from xpgcheck.paper.sources import bounded as source

    if markdown_file is not None and not seeded:
        raise InputError("--markdown writes what --seeded found", mend="add --seeded")
    if seeded:
        from xpgcheck.cli.selftest_command import MeasuredOutputs, show_measured
        from xpgcheck.paper.bounded.law_bugs import CASES
        from xpgcheck.paper.bounded.seeded import BUGS
        from xpgcheck.properties.selftest import SelftestSettings

        if bound is not None or quick:
            raise InputError("--seeded has sizes of its own", mend="leave --bound and --quick out")
        line = repeated_command("xpgcheck paper bounded", seeded=True, markdown_file=markdown_file)
        outputs = MeasuredOutputs(line, json_file, markdown_file, quiet=quiet)
        return show_measured(BUGS, SelftestSettings(CASES), outputs, jobs)
    if bound is not None:
        read_bound(bound)
    units = source.units(Options(quick=quick, bound=bound))
    return _shown(outcome, units, BOUNDED, jobs, json_file, quiet)


def _size(context: click.Context, parameter: click.Parameter, value: str) -> Any:
    """Return *value* as a size; a usage error where it is none, or larger than what formulas are built for."""
    from xpgcheck.paper.symbolic.graphs import Size
    from xpgcheck.paper.symbolic.plans import LARGEST

    parts = value.split(",")
    if len(parts) != 3 or not all(part.strip().isdecimal() for part in parts):
        raise click.BadParameter(f"{value!r} is not three numbers n,m,d, as in 6,4,2")
    size = Size(*map(int, parts))
    if min(size.nodes, size.features) < 1 or size.values < 2:
        raise click.BadParameter(f"{value}: there must be a non-terminal, a feature, and two values")
    if size.nodes > LARGEST.nodes or size.values > LARGEST.values or size.values**size.features > LARGEST.points:
        limits = f"{LARGEST.nodes} non-terminals, {LARGEST.values} values, {LARGEST.points} points"
        raise click.BadParameter(f"{value}: at most {limits}")
    return size


@click.command("symbolic")
@option("--theorem", "key", type=click.Choice(THEOREMS), help="One theorem (default: all the evidence).")
@option(
    "--shape",
    "size",
    old=("--size",),
    metavar="N,M,D",
    callback=_size,
    default="6,4,2",
    show_default=True,
    help="For one theorem: non-terminals, features, values.",
)
@option(
    "--graphs",
    "kind",
    old=("--kind",),
    type=click.Choice(KINDS),
    default="read-once",
    show_default=True,
    help="For one theorem: the graphs that it is about.",
)
@option("--two-solvers", is_flag=True, help="For one theorem: ask a second solver, and check no proofs.")
@option("--smtlib", "path", type=click.Path(dir_okay=False, path_type=Path), help="Only write what is proved.")
@option("--quick", is_flag=True, help="All the evidence, at small sizes.")
@jobs_option()
@json_option()
@quiet_option()
def symbolic(
    key: str | None,
    size: Any,
    kind: str,
    two_solvers: bool,
    path: Path | None,
    quick: bool,
    jobs: int | None,
    json_file: Path | None,
    quiet: bool,
) -> int:
    """Prove one theorem for all decision graphs with N non-terminals over M features of D values, or show all the evidence.

    Exit status: 0 it is proved; 1 a counterexample is found; 2 wrong input; 3 it is left open.
    """
    from xpgcheck.paper.exporting import export_theorem
    from xpgcheck.paper.reports.tables import SYMBOLIC
    from xpgcheck.paper.sources import Options, source_units
    from xpgcheck.paper.sources import symbolic as source
    from xpgcheck.paper.symbolic.graphs import GraphKind
    from xpgcheck.paper.symbolic.plans import Goal
    from xpgcheck.paper.symbolic.proof_evidence import outcome, proof_units
    from xpgcheck.runs.progress import cores

    if path is not None:
        for file in export_theorem(Goal(key or "necessary", GraphKind(kind), size), path):
            click.echo(file)
        return 0
    units = source.units(Options(quick=quick))
    if key is not None:
        goal = Goal(key, GraphKind(kind), size, jobs or cores(), not two_solvers)
        units = source_units("symbolic", proof_units([goal]))
    return _shown(outcome, units, SYMBOLIC, jobs, json_file, quiet)


def _shown(
    outcome: Callable[[Results], EvidenceSummary],
    units: Sequence[SourceUnit],
    tables: Mapping[str, Sequence[str]],
    jobs: int | None,
    json_file: Path | None,
    quiet: bool,
) -> int:
    """Carry out *units*, show what they found, and return the exit status."""
    from xpgcheck.paper.reports.tables import exit_status, outcome_json, outcome_text
    from xpgcheck.writers.atomic import write_atomically
    from xpgcheck.writers.writable import check_writable

    if json_file is not None:
        check_writable(json_file)
    found = outcome(results_of(units, jobs, quiet=quiet))
    if json_file is not None:
        write_atomically(json_file, outcome_json(found))
    text = outcome_text(found, tables)
    click.echo(text.rpartition("\n")[2] if quiet else text)
    return exit_status(found)


def results_of(units: Sequence[SourceUnit], jobs: int | None, *, quiet: bool) -> Results:
    """Carry out *units*, which are of one source, in *jobs* processes (None: one per core); return what they found."""
    from xpgcheck.paper.journal import PaperJournal
    from xpgcheck.paper.running import run
    from xpgcheck.runs.progress import bar, cores

    with PaperJournal(None, units, resume=False) as kept, bar(len(units), "units of evidence", not quiet) as advance:
        (results,) = run(units, kept, jobs or cores(), advance).values()
    return results


@click.command("reduction")
@examples_option("Formulas (default: 1,000; with --seeded 500 per seed at most).", least=1)
@seed_option("formulas")
@property_option("This property alone (repeatable).")
@option("--readings", is_flag=True, help="The smallest formula on which each wrong reading fails, instead.")
@option("--seeded", is_flag=True, help="See that every seeded bug of the reduction is caught, instead.")
@seeds_option(3, "Seeds of each seeded bug.")
@markdown_option("Write what --seeded found.")
@jobs_option()
@quiet_option()
def reduction(
    examples: int | None,
    seed: int,
    names: tuple[str, ...],
    readings: bool,
    seeded: bool,
    seeds: int,
    markdown_file: Path | None,
    jobs: int | None,
    quiet: bool,
) -> int:
    """Try the properties of the paper's reduction for Proposition 7 on generated formulas.

    'xpgcheck reduction FORMULA' puts one formula of yours to it. Exit status: 0 all hold; 1 one fails, or a seeded bug is
    not caught; 2 wrong input; 3 something is open.
    """
    from xpgcheck.properties.reduction.catalogue import chosen
    from xpgcheck.properties.reduction.exploring import explore_reduction
    from xpgcheck.properties.running.report import print_report, print_statistics, verdict_line
    from xpgcheck.reports.terminal import console
    from xpgcheck.runs.progress import bar, cores

    if readings and seeded:
        raise InputError("--readings and --seeded are asked at once", mend="ask one of them")
    if markdown_file is not None and not seeded:
        raise InputError("--markdown writes what --seeded found", mend="add --seeded")
    if readings:
        return _readings()
    if seeded:
        from xpgcheck.cli.selftest_command import MeasuredOutputs, show_measured
        from xpgcheck.properties.seeded import reduction_bugs
        from xpgcheck.properties.selftest import SelftestSettings

        settings = SelftestSettings(examples or 500, seeds, shrunk=1, first_seed=seed)
        line = repeated_command("xpgcheck paper reduction", seeded=True, seeds=seeds, markdown_file=markdown_file)
        outputs = MeasuredOutputs(line, markdown_file=markdown_file, quiet=quiet)
        return show_measured(reduction_bugs(), settings, outputs, jobs)
    properties = chosen(names)
    count = examples or 1_000
    with bar(count, "formulas", not quiet) as advance:
        found = explore_reduction(count, seed, jobs or cores(), properties=names, advance=advance)
    if not quiet:
        print_report(found, properties, console())
        print_statistics(found, console())
    click.echo(verdict_line(found, len(properties)))
    return found.exit_status()


def _readings() -> int:
    from xpgcheck.paper.reduction.counterexamples import CLAIMS, smallest_counterexample
    from xpgcheck.paper.reports.tables import table
    from xpgcheck.properties.reduction.cases import formula_text

    rows: list[Sequence[object]] = []
    for name, refuted in CLAIMS.items():
        found = smallest_counterexample(refuted, 5, 3)
        if found is not None:
            x = "" if found.point is None else "".join(str(int(value)) for value in found.point)
            rows.append((name, refuted.statement, formula_text(found.formula), found.clause + 1, x))
    for line in table(("reading", "claimed", "smallest counterexample", "clause", "x₀"), rows):
        click.echo(line)
    return int(len(rows) < len(CLAIMS))
