"""``xpgcheck campaign start`` and ``resume``."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from xpgcheck.cli.bundles import bundled, command_error, said
from xpgcheck.cli.campaign_looking import StatusOptions, check_json_file, path_of, told
from xpgcheck.cli.campaign_options import EXAMPLES, CampaignOptions, RunningOptions
from xpgcheck.cli.spelling import option, say
from xpgcheck.errors import InputError, XpgcheckError, shown
from xpgcheck.wording import counted

if TYPE_CHECKING:
    from xpgcheck.campaign.asked import CampaignRequest
    from xpgcheck.campaign.journal import Journal
    from xpgcheck.campaign.local import Scheduler
    from xpgcheck.campaign.part import Part
    from xpgcheck.campaign.plan import Plan


@click.command("start")
@click.argument("name")
@bundled(plan=CampaignOptions, running=RunningOptions, status=StatusOptions)
def start(name: str, plan: CampaignOptions, running: RunningOptions, status: StatusOptions) -> int:
    """Begin the campaign NAME, and carry out its units.

    The journal NAME.campaign.sqlite has every finished unit once. After an interruption of any kind, 'xpgcheck campaign
    resume' goes on: it repeats no finished unit, and the same plan finds the same however often it was interrupted and
    wherever it ran.

    Exit status: 0 all holds, 1 something failed, 2 wrong input, 3 something stayed open, 130 interrupted.
    """
    return carry_out(name, plan, running, status)


@click.command("resume")
@click.argument("name")
@option("--retry", is_flag=True, help="Try units again that could not be carried out.")
@bundled(plan=CampaignOptions, running=RunningOptions, status=StatusOptions)
def resume(name: str, retry: bool, plan: CampaignOptions, running: RunningOptions, status: StatusOptions) -> int:
    """Go on with the campaign NAME, which was begun by 'xpgcheck campaign start'.

    What it is stands in its journal; options that are given again have to say the same. Resume only what you began
    yourself: a journal says which subject to load, or which command to run.

    Exit status: 0 all holds, 1 something failed, 2 wrong input, 3 something stayed open, 130 interrupted.
    """
    return carry_out(name, plan, running, status, resumed=True, retry=retry)


def carry_out(
    name: str,
    plan_options: CampaignOptions,
    running: RunningOptions,
    status: StatusOptions,
    *,
    resumed: bool = False,
    retry: bool = False,
) -> int:
    """Begin the campaign *name*, or go on with it where it is *resumed*; return the exit status."""
    from xpgcheck.campaign.part import parse_part

    path = path_of(name, status.journal)
    if running.scheduler is not None and running.jobs is not None:
        raise command_error("--jobs is for this machine, and --scheduler for others", "leave --jobs out")
    check_json_file(status.json_file, path)
    share = None if running.part is None else parse_part(running.part)
    given = {field: _plain(value) for field, value in said(plan_options).items()}
    opened, plan, limit = (
        _resumed(path, given, running.duration, share, retry)
        if resumed
        else _begun(path, name, given, running.duration, share)
    )
    with opened as found:
        begun = found.totals()[0]
        try:
            return _run(found, plan, limit, running, status)
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
    from xpgcheck.campaign.asked import CampaignRequest, planned
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
    asked: CampaignRequest = CampaignRequest(**given)
    _require_needed(asked.kind, given)
    plan = planned(asked)
    if part is not None and goal(plan, part, ()) == (0, 0):
        raise command_error(
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
        raise command_error(
            "--solver is for a gate or a cross-check; properties name their solvers", "leave --solver out"
        )
    if "sample" in given and "models" not in given:
        raise command_error("--sample needs --models", "name the models whose instances are sampled")
    if kind != "gate" and {"memory", "start_timeout"} & given.keys():
        raise command_error("--memory and --start-timeout are for a gate", "leave them out, or name a --gate")


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


def _run(journal: Journal, plan: Plan, limit: float | None, running: RunningOptions, status: StatusOptions) -> int:
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
        kept = f"{counted(begun, 'unit')}, {counted(cases, 'case')}"
        click.echo(f"{journal.name} is finished already: {kept}{rest}", err=True)
        return told(journal, status)
    jobs = running.jobs or cores()
    workers = jobs if wanted is None else min(jobs, wanted[0] - begun)
    pace = Pace(cases, journal.spent, wanted and wanted[1], limit)
    scheduler = _scheduler(running.scheduler, workers, running.unit_timeout)
    with watched(pace, not status.quiet) as advance:
        ended = driver.run(plan, journal, scheduler, workers=workers, limit=limit, advance=advance)
    if ended.interrupted:
        raise KeyboardInterrupt
    return told(journal, status)


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
