"""``xpgcheck campaign start`` and ``resume``."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from xpgcheck.cli.campaign_looking import JSON_HELP, check_json_file, journal_option, told
from xpgcheck.cli.column_options import drop_column_option, ignore_extra_option
from xpgcheck.cli.spelling import Decorator, folder_option, option, say
from xpgcheck.cli.vocabulary import (
    command_option,
    examples_option,
    jobs_option,
    json_option,
    memory_option,
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
from xpgcheck.errors import InputError, XpgcheckError, shown
from xpgcheck.wording import counted

if TYPE_CHECKING:
    from xpgcheck.campaign.asked import Asked
    from xpgcheck.campaign.journal import Journal
    from xpgcheck.campaign.local import Scheduler
    from xpgcheck.campaign.part import Part
    from xpgcheck.campaign.plan import Plan

EXAMPLES = 50_000

MOST_CASES = 10**12

MOST_JOBS = 1_000

MOST_SECONDS = 1_000 * 86_400

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
    "drop_column": "drop_columns",
    "ignore_extra_columns": "ignore_extra_columns",
    "sample": "sample",
    "size": "size",
    "seed": "seed",
    "timeout": "timeout",
    "start_timeout": "start_timeout",
    "memory": "memory",
    "solvers": "solvers",
}
"""The options that say what a campaign is, and their fields of ``Asked``."""


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
        if not 0 < seconds <= MOST_SECONDS:
            self.fail(
                f"{value!r} is no time; write it like 8h, 90m or 1h30m, in whole numbers, at most 1000d", param, ctx
            )
        return seconds


@dataclass(frozen=True)
class Session:
    """How units are carried out this time, and what is shown at the end."""

    duration: float | None
    unit_timeout: float
    jobs: int | None
    scheduler: str | None
    part: str | None
    journal: Path | None
    json_file: Path | None
    quiet: bool


SESSION: tuple[Decorator, ...] = (
    option("--for", "duration", type=Duration(), metavar="TIME", help="Go on for so long (8h, 90m), seed after seed."),
    option(
        "--unit-timeout",
        type=Duration(),
        default="1h",
        show_default=True,
        metavar="TIME",
        help="End the process of a unit after so long, and try again; left open after three times.",
    ),
    jobs_option(most=MOST_JOBS),
    option(
        "--scheduler", metavar="ADDRESS", help="Run on the Dask cluster whose scheduler listens at tcp://HOST:PORT."
    ),
    option(
        "--part", metavar="K/N", help="Carry out the K-th of N parts of the units, others do the rest; see 'merge'."
    ),
)
"""How units are carried out."""

PLAN: tuple[Decorator, ...] = (
    examples_option(f"Cases to generate (default: {EXAMPLES:,}).", most=MOST_CASES),
    property_option(),
    option("--subject", metavar="SUBJECT", help="Whose properties are tried, as in 'properties run' (default: ours)."),
    option("--gate", metavar="SUBJECT", help="Judge SUBJECT in a process of its own, as 'gate' does."),
    command_option(),
    folder_option(
        "--models",
        help="Models: the --gate is asked at their instances; without one, our own explanations are cross-checked.",
    ),
    folder_option("--instances", help="Their instances, NAME.csv for the model NAME.*."),
    drop_column_option,
    ignore_extra_option,
    sample_option(100, "Instances of a model without a file."),
    smt_option(True),
    option(
        "--smt-every",
        type=click.IntRange(1),
        default=1,
        help="Try the SMT properties in one of N units of generated cases, the others without (default: in all).",
    ),
    size_option(40),
    seed_option(),
    timeout_option(None, "Seconds for one answer (default: 10), or SMT question (default: 30)."),
    start_timeout_option("Seconds for a --gate to start."),
    memory_option("MiB that a --gate's processes may take."),
    solver_option(),
    option(
        "--unit",
        type=click.IntRange(1, 1_000_000),
        default=250,
        show_default=True,
        help="Generated cases of a unit.",
    ),
)
"""What a campaign is."""


def with_options(options: Iterable[Decorator], command: Callable[..., int]) -> Callable[..., int]:
    """Return *command* with *options*, shown in their order."""
    for decorator in reversed(tuple(options)):
        command = decorator(command)
    return command


def _session(command: Callable[..., int]) -> Callable[..., int]:
    """Give *command* all options; those of this time come as one argument, ``session``."""

    @functools.wraps(command)
    def with_session(**given: Any) -> int:
        session = Session(**{field.name: given.pop(field.name) for field in fields(Session)})
        return command(session=session, **given)

    shown = (journal_option(), json_option(JSON_HELP), quiet_option())
    return with_options((*PLAN, *SESSION, *shown), with_session)


@click.command("start")
@click.argument("name")
@_session
def start(name: str, session: Session, **options: Any) -> int:
    """Begin the campaign NAME, and carry out its units.

    The journal NAME.campaign.sqlite has every finished unit once. After an interruption of any kind, 'xpgcheck campaign
    resume' goes on: it repeats no finished unit, and the same plan finds the same however often it was interrupted and
    wherever it ran.

    Exit status: 0 all holds, 1 something failed, 2 wrong input, 3 something stayed open, 130 interrupted.
    """
    return carry_out(name, asked_for(options), session)


@click.command("resume")
@click.argument("name")
@option("--retry", is_flag=True, help="Try units again that could not be carried out.")
@_session
def resume(name: str, retry: bool, session: Session, **options: Any) -> int:
    """Go on with the campaign NAME, which was begun by 'xpgcheck campaign start'.

    What it is stands in its journal; options that are given again have to say the same. Resume only what you began
    yourself: a journal says which subject to load, or which command to run.

    Exit status: 0 all holds, 1 something failed, 2 wrong input, 3 something stayed open, 130 interrupted.
    """
    return carry_out(name, asked_for(options), session, resumed=True, retry=retry)


def said(names: Iterable[str]) -> list[str]:
    """Return those of the parameters *names* that were given to the command that runs."""
    context = click.get_current_context()
    return [name for name in names if context.get_parameter_source(name) is not ParameterSource.DEFAULT]


def asked_for(options: dict[str, Any]) -> dict[str, Any]:
    """Return those of *options* that were given, by the fields of ``Asked``."""
    return {ASKED[key]: _plain(options[key]) for key in said(options)}


def carry_out(name: str, given: dict[str, Any], session: Session, *, resumed: bool = False, retry: bool = False) -> int:
    """Begin the campaign *name*, or go on with it where it is *resumed*; return the exit status."""
    from xpgcheck.campaign.journal import journal_path
    from xpgcheck.campaign.part import parse_part

    path = session.journal if session.journal is not None else journal_path(name)
    if session.scheduler is not None and session.jobs is not None:
        raise _clash("--jobs is for this machine, and --scheduler for others", "leave --jobs out")
    check_json_file(session.json_file, path)
    share = None if session.part is None else parse_part(session.part)
    opened, plan, limit = (
        _resumed(path, given, session.duration, share, retry)
        if resumed
        else _begun(path, name, given, session.duration, share)
    )
    with opened as found:
        begun = found.totals()[0]
        try:
            return _run(found, plan, limit, session)
        except KeyboardInterrupt:
            _say_how_to_go_on(found, begun)
            raise click.exceptions.Abort from None
        except XpgcheckError:
            if not resumed and not found.totals()[0]:
                # Nothing was done, say because there is no such scheduler: nothing is left either.
                found.discard()
            raise


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Path) else value


def _begun(
    path: Path, name: str, given: dict[str, Any], duration: float | None, part: Part | None
) -> tuple[Journal, Plan, float | None]:
    """Return the journal of a new campaign, its plan, and the seconds that it may take."""
    from xpgcheck.campaign.asked import Asked, planned
    from xpgcheck.campaign.identity import identity
    from xpgcheck.campaign.journal import EXISTS, Journal
    from xpgcheck.campaign.part import goal
    from xpgcheck.writers.writable import check_writable

    check_writable(path)
    if path.exists():
        # Said before a subject is looked at; making it looks again.
        raise InputError("there is a journal of this name already", place=str(path), mend=EXISTS)
    if "examples" not in given:
        alone = "models" in given and not {"gate", "command"} & given.keys()
        endless = duration is not None and not alone
        given["examples"] = None if endless else 0 if "models" in given else EXAMPLES
    asked: Asked = Asked(**given)
    _require_needed(asked.kind, given)
    plan = planned(asked)
    if part is not None and goal(plan, part, ()) == (0, 0):
        raise _clash(
            f"part {part} has none of {counted(plan.count() or 0, 'unit')}", "ask for fewer parts, or smaller units"
        )
    noted = {"asked": asked.text(), "identity": identity()}
    noted |= {"part": str(part)} if part is not None else {}
    noted |= {"limit": repr(duration)} if duration is not None else {}
    # All at once: killed in between, it would go on as something else.
    journal = Journal.create(path, plan, Path(name).name, noted)
    return journal, plan, duration


def _require_needed(kind: str, given: dict[str, Any]) -> None:
    """Refuse options that would not be looked at."""
    if kind == "properties" and "solvers" in given:
        raise _clash("--solver is for a gate or a cross-check; properties name their solvers", "leave --solver out")
    if "sample" in given and "models" not in given:
        raise _clash("--sample needs --models", "name the models whose instances are sampled")
    if kind != "gate" and {"memory", "start_timeout"} & given.keys():
        raise _clash("--memory and --start-timeout are for a gate", "leave them out, or name a --gate")


def _resumed(
    path: Path, given: dict[str, Any], duration: float | None, part: Part | None, retry: bool
) -> tuple[Journal, Plan, float | None]:
    """Return the journal of a campaign that goes on, its plan, and the seconds that it may take over all sessions."""
    from xpgcheck.campaign.asked import parse_asked, planned
    from xpgcheck.campaign.identity import identity
    from xpgcheck.campaign.journal import Journal

    journal = Journal.open(path)
    try:
        plan = journal.plan
        if given:
            asked = replace(parse_asked(journal.noted("asked")), **given)
            # Files are read again only where they are named again.
            files = {"models", "instances", "drop_columns", "ignore_extra_columns", "sample", "seed"} & given.keys()
            wanted = planned(asked, None if files else plan.options["models"])
            journal.require(wanted)
            plan = wanted
        begun = journal.noted("identity")
        if begun is not None and begun != identity():
            say(f"begun with {shown(begun, 120)[1:-1]}, this is {identity()}: what is in the journal comes of both")
            journal.note("identity", f"several, the last {identity()}")
        if retry:
            lost = journal.drop_undecided()
            many = "units that could not be carried out are"
            say(f"{counted(lost, 'unit that could not be carried out is', many)} tried again")
        limit = journal.seconds_noted("limit")
        if duration is not None:
            limit = journal.spent + duration
            journal.note("limit", repr(limit))
        count = plan.count()
        if part is not None and (count is None or journal.totals()[0] < count):
            journal.note("part", str(part))
    except BaseException:
        journal.close()
        raise
    return journal, plan, limit


def _run(
    journal: Journal,
    plan: Plan,
    limit: float | None,
    session: Session,
) -> int:
    from xpgcheck.campaign import driver
    from xpgcheck.campaign.part import WHOLE, goal
    from xpgcheck.campaign.watching import Pace, watched
    from xpgcheck.runs.progress import cores

    begun, cases = journal.totals()
    wanted = goal(plan, journal.part, journal.finished())
    if driver.is_finished(plan, journal, limit):
        # Wrong ones are named before anything is said.
        driver.verdict(journal)
        rest = f", part {journal.part} of the plan; the rest: --part 1/1" if journal.part != WHOLE else ""
        click.echo(
            f"{journal.name} is finished already: {counted(begun, 'unit')}, {counted(cases, 'case')}{rest}", err=True
        )
        return told(journal, session.json_file, quiet=session.quiet)
    jobs = session.jobs or cores()
    workers = jobs if wanted is None else min(jobs, wanted[0] - begun)
    pace = Pace(cases, journal.spent, wanted and wanted[1], limit)
    scheduler = _scheduler(session.scheduler, workers, session.unit_timeout)
    with watched(pace, not session.quiet) as advance:
        ended = driver.run(plan, journal, scheduler, workers=workers, limit=limit, advance=advance)
    if ended.interrupted:
        raise KeyboardInterrupt
    return told(journal, session.json_file, quiet=session.quiet)


def _scheduler(address: str | None, workers: int, unit_seconds: float) -> Scheduler:
    if address is None:
        from xpgcheck.campaign.local import LocalScheduler

        return LocalScheduler(workers, unit_seconds=unit_seconds)
    from xpgcheck.campaign.cluster import DaskScheduler
    from xpgcheck.campaign.units import undecided

    return DaskScheduler(address, say, undecided, unit_seconds=unit_seconds)


def _say_how_to_go_on(journal: Journal, begun: int) -> None:
    """Say what is kept, and that it is more than the *begun* units of before."""
    from xpgcheck.campaign.commands import campaign_command

    units, cases = journal.totals()
    click.echo(
        f"{counted(units, 'unit')} ({counted(cases, 'case')}) {'is' if units == 1 else 'are'} kept, "
        f"{units - begun:,} of them new; "
        f"go on with: {campaign_command('resume', journal.path, journal.name)}",
        err=True,
    )


def _clash(problem: str, mend: str) -> InputError:
    return InputError(problem, place="command line", mend=mend)
