"""``xpgcheck campaign``."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from xpgcheck.cli.seconds import MOST, Seconds
from xpgcheck.errors import InputError, XpgcheckError, shown

if TYPE_CHECKING:
    from xpgcheck.campaign.asked import Asked
    from xpgcheck.campaign.driver import Ended
    from xpgcheck.campaign.journal import Journal
    from xpgcheck.campaign.local import Scheduler
    from xpgcheck.campaign.plan import Plan

EXAMPLES = 50_000

ASKED = {
    "examples": "examples",
    "subject": "subject",
    "gate": "gate",
    "command_line": "command",
    "names": "properties",
    "smt": "smt",
    "smt_every": "smt_every",
    "unit": "unit",
    "models": "models",
    "instances": "instances",
    "sample": "sample",
    "size": "size",
    "seed": "seed",
    "timeout": "timeout",
    "start_timeout": "start_timeout",
    "memory": "memory",
    "solvers": "solvers",
}
"""The options that say what a campaign is, and their fields of ``Asked``."""

READING = ("status", "report", "export", "merge")
"""The options that look at journals, and run nothing."""


class Duration(click.types.FloatParamType):
    """A time, as in 8h, 90m, 45s, 1h30m or 2d; a number alone is seconds."""

    name = "duration"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return *value* as seconds, or fail."""
        text = str(value).strip()
        pattern = r"(?:(\d{1,7})d)?(?:(\d{1,7})h)?(?:(\d{1,7})m)?(?:(\d{1,7})s?)?"
        found = re.fullmatch(pattern, text, re.ASCII)
        numbers = [int(part or 0) for part in found.groups()] if found and text else [0]
        seconds = float(sum(n * unit for n, unit in zip(numbers, (86_400, 3_600, 60, 1), strict=False)))
        if not 0 < seconds <= 100 * MOST:
            self.fail(f"{value!r} is no time; write it like 8h, 90m or 1h30m", param, ctx)
        return seconds


@click.command("campaign", short_help="Run for hours over all cores or machines, and lose nothing.")
@click.argument("name")
@click.option("--examples", type=click.IntRange(0), metavar="N", help=f"Cases to generate (default: {EXAMPLES:,}).")
@click.option(
    "--for", "duration", type=Duration(), metavar="TIME", help="Go on for so long (8h, 90m), seed after seed."
)
@click.option("--property", "names", multiple=True, metavar="NAME", help="This property or group alone (repeatable).")
@click.option("--subject", metavar="SUBJECT", help="Whose properties are tried, as in 'run' (default: ours).")
@click.option("--gate", metavar="SUBJECT", help="Judge SUBJECT in a process of its own, as 'gate' does.")
@click.option("--command", "command_line", metavar="COMMAND", help="The same of a program that speaks the protocol.")
@click.option(
    "--models",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Models: the --gate is asked at their instances; without one, our own explanations are cross-checked.",
)
@click.option(
    "--instances",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Their instances, NAME.csv for the model NAME.*.",
)
@click.option(
    "--sample", type=click.IntRange(1), default=100, show_default=True, help="Instances of a model without a file."
)
@click.option("--smt/--no-smt", default=True, show_default=True, help="With or without the SMT properties.")
@click.option(
    "--smt-every",
    type=click.IntRange(1),
    default=1,
    metavar="K",
    help="Try the SMT properties in one of K units of generated cases, the others without (default: in all).",
)
@click.option("--size", type=click.IntRange(1, 200), default=40, show_default=True, help="Most nodes of a graph.")
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True, help="Seed of the cases.")
@click.option("--timeout", type=Seconds(), help="Seconds for one answer (default: 10), or SMT question (default: 30).")
@click.option("--start-timeout", type=Seconds(), default=60.0, show_default=True, help="Seconds for a --gate to start.")
@click.option(
    "--memory", type=click.IntRange(16), default=2048, show_default=True, help="MiB that a --gate's processes may take."
)
@click.option("--solver", "solvers", multiple=True, metavar="NAME", help="SMT solvers of the judges (default: z3).")
@click.option(
    "--unit", type=click.IntRange(1), default=250, show_default=True, metavar="N", help="Generated cases of a unit."
)
@click.option(
    "--unit-timeout",
    type=Duration(),
    default="1h",
    show_default=True,
    metavar="TIME",
    help="End the process of a unit after so long, and try again; left open after three times.",
)
@click.option("--jobs", "-j", type=click.IntRange(1), help="Processes (default: one a core).")
@click.option(
    "--scheduler", metavar="ADDRESS", help="Run on the Dask cluster whose scheduler listens at tcp://HOST:PORT."
)
@click.option(
    "--part", metavar="K/N", help="Carry out the K-th of N parts of the units, others do the rest; see --merge."
)
@click.option("--resume", is_flag=True, help="Go on with a campaign that was begun.")
@click.option("--status", is_flag=True, help="Show how far it is and what it found, also while it runs.")
@click.option(
    "--report", type=click.Path(path_type=Path), metavar="FILE", help="Write what it found as HTML, with plots."
)
@click.option(
    "--export", type=click.Path(path_type=Path), metavar="DIR", help="Write what failed as cases for 'replay'."
)
@click.option(
    "--merge",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="JOURNAL",
    help="Add what another machine found to this journal (repeatable).",
)
@click.option("--journal", type=click.Path(path_type=Path), help="The journal (default: NAME.campaign.sqlite).")
@click.option("--json", "as_json", is_flag=True, help="Show the status as JSON, at the end of a run or with --status.")
@click.option("--quiet", "-q", is_flag=True, help="Print only the last line.")
def command(
    name: str,
    duration: float | None,
    unit_timeout: float,
    jobs: int | None,
    scheduler: str | None,
    part: str | None,
    resume: bool,
    status: bool,
    report: Path | None,
    export: Path | None,
    merge: tuple[Path, ...],
    journal: Path | None,
    as_json: bool,
    quiet: bool,
    **options: Any,
) -> int:
    """Run properties, a gate or cross-checks as independent units of work, each written into a journal as it ends.

    The journal NAME.campaign.sqlite has every finished unit once. After an interruption of any kind, --resume goes on: it
    repeats no finished unit, and the same plan finds the same however often it was interrupted and wherever it ran.

    Resume only what you began yourself: a journal says which subject to load, or which command to run.
    """
    from xpgcheck.campaign.journal import journal_path
    from xpgcheck.campaign.part import parse_part
    from xpgcheck.progress import cores

    path = journal if journal is not None else journal_path(name)
    context = click.get_current_context()
    given = {
        ASKED[key]: _plain(value)
        for key, value in options.items()
        if context.get_parameter_source(key) is not ParameterSource.DEFAULT
    }
    if status or report is not None or export is not None or merge:
        running = [
            *given,
            *(word for word, on in (("resume", resume), ("for", duration), ("jobs", jobs), ("part", part)) if on),
        ]
        if running:
            raise _clash("--status, --report, --export and --merge run nothing", f"leave --{running[0]} out")
        return _read(path, name, status=status, report=report, export=export, merge=merge, as_json=as_json)
    if part is not None:
        # Wrong ones are refused before anything is made.
        parse_part(part)
    opened = _resumed(path, given, duration) if resume else _begun(path, name, given, duration)
    with opened[0] as found:
        if part is not None:
            found.note("part", part)
        try:
            workers = jobs or cores()
            staff = _scheduler(scheduler, workers, unit_timeout)
            return _run(found, opened[1], opened[2], name, path, workers, staff, as_json=as_json, quiet=quiet)
        except XpgcheckError:
            if not resume and not found.totals()[0]:
                # Nothing was done, say because there is no such scheduler: nothing is left either.
                found.discard()
            raise


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Path) else value


def _begun(path: Path, name: str, given: dict[str, Any], duration: float | None) -> tuple[Journal, Plan, float | None]:
    """Return the journal of a new campaign, its plan, and the seconds that it may take."""
    from xpgcheck.campaign.asked import Asked, planned
    from xpgcheck.campaign.identity import identity
    from xpgcheck.campaign.journal import Journal
    from xpgcheck.writers.writable import check_writable

    check_writable(path)
    if path.exists():
        # Said before a subject is looked at; making it looks again.
        raise InputError(
            "there is a journal of this name already",
            place=str(path),
            mend="go on with it: --resume; or take another NAME",
        )
    if "examples" not in given:
        alone = "models" in given and not {"gate", "command"} & given.keys()
        endless = duration is not None and not alone
        given["examples"] = None if endless else 0 if "models" in given else EXAMPLES
    asked: Asked = Asked(**given)
    plan = planned(asked)
    journal = Journal.create(path, plan, name)
    journal.note("asked", asked.text())
    journal.note("identity", identity())
    if duration is not None:
        journal.note("limit", repr(duration))
    return journal, plan, duration


def _resumed(path: Path, given: dict[str, Any], duration: float | None) -> tuple[Journal, Plan, float | None]:
    """Return the journal of a campaign that goes on, its plan, and the seconds that it may take over all sessions."""
    from xpgcheck.campaign.asked import parse_asked, planned
    from xpgcheck.campaign.identity import identity
    from xpgcheck.campaign.journal import Journal

    journal = Journal.open(path)
    try:
        plan = journal.plan
        begun = journal.noted("identity")
        if begun is not None and begun != identity():
            _say(f"begun with {shown(begun, 120)[1:-1]}, this is {identity()}: what is in the journal comes of both")
            journal.note("identity", f"several, the last {identity()}")
        if given:
            asked = replace(parse_asked(journal.noted("asked")), **given)
            # Files are read again only where they are named again.
            files = {"models", "instances", "sample", "seed"} & given.keys()
            wanted = planned(asked, None if files else plan.options["models"])
            journal.require(wanted)
            plan = wanted
        limit = journal.seconds_noted("limit")
        if duration is not None:
            limit = journal.spent + duration
            journal.note("limit", repr(limit))
    except BaseException:
        journal.close()
        raise
    return journal, plan, limit


def _run(
    journal: Journal,
    plan: Plan,
    limit: float | None,
    name: str,
    path: Path,
    workers: int,
    scheduler: Scheduler,
    *,
    as_json: bool,
    quiet: bool,
) -> int:
    from xpgcheck.campaign import driver
    from xpgcheck.campaign.part import goal
    from xpgcheck.campaign.watching import Pace, watched

    before, cases = journal.totals()
    if driver.is_finished(plan, journal, limit):
        click.echo(f"{name} is finished already: {before:,} units, {cases:,} cases", err=True)
        return _told(journal, as_json=as_json, quiet=quiet)
    wanted = goal(plan, journal.part, journal.finished())
    pace = Pace(cases, journal.spent, wanted and wanted[1], limit)
    with watched(pace, not quiet) as advance:
        ended = driver.run(plan, journal, scheduler, workers=workers, limit=limit, advance=advance)
    if ended.interrupted:
        _say_how_to_go_on(journal, name, path, ended)
        raise click.exceptions.Abort
    return _told(journal, as_json=as_json, quiet=quiet)


def _scheduler(address: str | None, workers: int, unit_seconds: float) -> Scheduler:
    if address is None:
        from xpgcheck.campaign.local import LocalScheduler

        return LocalScheduler(workers, unit_seconds=unit_seconds)
    from xpgcheck.campaign.cluster import DaskScheduler
    from xpgcheck.campaign.units import undecided

    return DaskScheduler(address, _say, undecided, unit_seconds=unit_seconds)


def _say(line: str) -> None:
    click.echo(f"xpgcheck: {line}", err=True)


def _say_how_to_go_on(journal: Journal, name: str, path: Path, ended: Ended) -> None:
    from xpgcheck.campaign.journal import journal_path

    units, cases = journal.totals()
    where = "" if path == journal_path(name) else f" --journal {path}"
    click.echo(
        f"{units:,} units ({cases:,} cases) are kept, {ended.units:,} of them new; "
        f"go on with: xpgcheck campaign {name}{where} --resume",
        err=True,
    )


def _told(journal: Journal, *, as_json: bool, quiet: bool) -> int:
    """Show what was found; return the exit status."""
    from xpgcheck.campaign.driver import verdict
    from xpgcheck.campaign.status import status_json, status_text

    found = verdict(journal)
    if as_json:
        click.echo(status_json(journal))
        return found.status
    if not quiet:
        click.echo(status_text(journal))
    click.echo(found.text)
    return found.status


def _read(
    path: Path,
    name: str,
    *,
    status: bool,
    report: Path | None,
    export: Path | None,
    merge: tuple[Path, ...],
    as_json: bool,
) -> int:
    """Do what only looks at journals."""
    from xpgcheck.campaign.journal import Journal

    if report is not None:
        from xpgcheck.writers.writable import check_writable

        check_writable(report, path, *merge)
    if merge:
        from xpgcheck.campaign.merge import merge as join

        count = join(path, list(merge))
        click.echo(f"{name}: {count:,} units added", err=True)
    with Journal.open(path, read_only=True) as journal:
        if status:
            from xpgcheck.campaign.status import status_json, status_text

            click.echo(status_json(journal) if as_json else status_text(journal))
        if report is not None:
            from xpgcheck.campaign.report import write_report

            write_report(journal, report)
        if export is not None:
            from xpgcheck.campaign.export import export as write_cases

            write_cases(journal, export)
    return 0


def _clash(problem: str, mend: str) -> InputError:
    return InputError(problem, place="command line", mend=mend)
