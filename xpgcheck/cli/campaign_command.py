"""``xpgcheck campaign``."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from xpgcheck.cli.column_options import drop_column_option, ignore_extra_option
from xpgcheck.cli.seconds import Seconds
from xpgcheck.errors import InputError, XpgcheckError, shown

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


@click.command("campaign", short_help="Run for hours over all cores or machines, and lose nothing.")
@click.argument("name")
@click.option(
    "--examples", type=click.IntRange(0, MOST_CASES), metavar="N", help=f"Cases to generate (default: {EXAMPLES:,})."
)
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
@drop_column_option
@ignore_extra_option
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
    "--unit",
    type=click.IntRange(1, 1_000_000),
    default=250,
    show_default=True,
    metavar="N",
    help="Generated cases of a unit.",
)
@click.option(
    "--unit-timeout",
    type=Duration(),
    default="1h",
    show_default=True,
    metavar="TIME",
    help="End the process of a unit after so long, and try again; left open after three times.",
)
@click.option("--jobs", "-j", type=click.IntRange(1, MOST_JOBS), help="Processes (default: one a core).")
@click.option(
    "--scheduler", metavar="ADDRESS", help="Run on the Dask cluster whose scheduler listens at tcp://HOST:PORT."
)
@click.option(
    "--part", metavar="K/N", help="Carry out the K-th of N parts of the units, others do the rest; see --merge."
)
@click.option("--resume", is_flag=True, help="Go on with a campaign that was begun.")
@click.option("--retry", is_flag=True, help="With --resume: try units again that could not be carried out.")
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
    retry: bool,
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

    Exit status: 0 all holds, 1 something failed, 2 wrong input, 3 something stayed open, 130 interrupted. --status and the
    like show what a journal says: 0, or 3 where nothing in it was checked.
    """
    from xpgcheck.campaign.journal import journal_path
    from xpgcheck.campaign.part import parse_part
    from xpgcheck.cli.campaign_looking import Look, look
    from xpgcheck.runs.progress import cores

    path = journal if journal is not None else journal_path(name)
    context = click.get_current_context()

    def said(*words: str) -> list[str]:
        return [word for word in words if context.get_parameter_source(word) is not ParameterSource.DEFAULT]

    given = {ASKED[key]: _plain(options[key]) for key in said(*options)}
    asked = Look(status, report, export, merge, as_json, quiet)
    if asked:
        running = said(*options, "duration", "unit_timeout", "jobs", "scheduler", "part", "resume", "retry")
        if running:
            problem = "--status, --report, --export and --merge run nothing"
            raise _clash(problem, f"leave {context.command.params[_index(context, running[0])].opts[0]} out")
        return look(path, name, asked)
    if scheduler is not None and jobs is not None:
        raise _clash("--jobs is for this machine, and --scheduler for others", "leave --jobs out")
    if retry and not resume:
        raise _clash("--retry is for a campaign that was begun", "add --resume")
    share = None if part is None else parse_part(part)
    opened, plan, limit = (
        _resumed(path, given, duration, share, retry) if resume else _begun(path, name, given, duration, share)
    )
    with opened as found:
        begun = found.totals()[0]
        try:
            return _run(found, plan, limit, jobs or cores(), scheduler, unit_timeout, as_json=as_json, quiet=quiet)
        except KeyboardInterrupt:
            _say_how_to_go_on(found, begun)
            raise click.exceptions.Abort from None
        except XpgcheckError:
            if not resume and not found.totals()[0]:
                # Nothing was done, say because there is no such scheduler: nothing is left either.
                found.discard()
            raise


def _index(context: click.Context, name: str) -> int:
    return [param.name for param in context.command.params].index(name)


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
        raise _clash(f"part {part} has none of the {plan.count():,} units", "ask for fewer parts, or smaller units")
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
            _say(f"begun with {shown(begun, 120)[1:-1]}, this is {identity()}: what is in the journal comes of both")
            journal.note("identity", f"several, the last {identity()}")
        if retry:
            _say(f"{journal.drop_undecided():,} units that could not be carried out are tried again")
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
    jobs: int,
    address: str | None,
    unit_seconds: float,
    *,
    as_json: bool,
    quiet: bool,
) -> int:
    from xpgcheck.campaign import driver
    from xpgcheck.campaign.part import WHOLE, goal
    from xpgcheck.campaign.watching import Pace, watched
    from xpgcheck.cli.campaign_looking import told

    begun, cases = journal.totals()
    wanted = goal(plan, journal.part, journal.finished())
    if driver.is_finished(plan, journal, limit):
        # Wrong ones are named before anything is said.
        driver.verdict(journal)
        rest = f", part {journal.part} of the plan; the rest: --part 1/1" if journal.part != WHOLE else ""
        click.echo(f"{journal.name} is finished already: {begun:,} units, {cases:,} cases{rest}", err=True)
        return told(journal, as_json=as_json, quiet=quiet)
    workers = jobs if wanted is None else min(jobs, wanted[0] - begun)
    pace = Pace(cases, journal.spent, wanted and wanted[1], limit)
    scheduler = _scheduler(address, workers, unit_seconds)
    with watched(pace, not quiet) as advance:
        ended = driver.run(plan, journal, scheduler, workers=workers, limit=limit, advance=advance)
    if ended.interrupted:
        raise KeyboardInterrupt
    return told(journal, as_json=as_json, quiet=quiet)


def _scheduler(address: str | None, workers: int, unit_seconds: float) -> Scheduler:
    if address is None:
        from xpgcheck.campaign.local import LocalScheduler

        return LocalScheduler(workers, unit_seconds=unit_seconds)
    from xpgcheck.campaign.cluster import DaskScheduler
    from xpgcheck.campaign.units import undecided

    return DaskScheduler(address, _say, undecided, unit_seconds=unit_seconds)


def _say(line: str) -> None:
    click.echo(f"xpgcheck: {line}", err=True)


def _say_how_to_go_on(journal: Journal, begun: int) -> None:
    """Say what is kept, and that it is more than the *begun* units of before."""
    from xpgcheck.campaign.commands import campaign_command

    units, cases = journal.totals()
    click.echo(
        f"{units:,} units ({cases:,} cases) are kept, {units - begun:,} of them new; "
        f"go on with: {campaign_command(journal.path, journal.name, '--resume')}",
        err=True,
    )


def _clash(problem: str, mend: str) -> InputError:
    return InputError(problem, place="command line", mend=mend)
