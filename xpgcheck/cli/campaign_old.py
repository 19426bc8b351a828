"""How ``xpgcheck campaign`` was spelt once: ``campaign NAME`` with ``--resume``, ``--status`` and the like."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from xpgcheck.cli import campaign_looking as looking
from xpgcheck.cli.campaign_running import PLAN, SESSION, Session, asked_for, carry_out, said, with_options
from xpgcheck.cli.spelling import Decorator, renamed, say
from xpgcheck.cli.vocabulary import quiet_option
from xpgcheck.errors import InputError, did_you_mean, shown

NEW = ("start", "resume", "status", "report", "merge", "export")


@dataclass(frozen=True)
class _Asked:
    """What to do with a journal rather than run: show its status, write its report or its cases, add other journals."""

    status: bool
    report: Path | None
    export: Path | None
    merge: tuple[Path, ...]

    def spellings(self) -> list[tuple[str, str]]:
        """Return the old option and the new command of each that is asked for."""
        every = [
            (self.merge, "--merge JOURNAL", "merge {} JOURNAL"),
            (self.report is not None, "--report FILE", "report {} -o FILE"),
            (self.export is not None, "--export DIR", "export {} -o DIR"),
            (self.status, "--status", "status {}"),
        ]
        return [(old, new) for wanted, old, new in every if wanted]


def _command(
    typed_names: tuple[str, ...],
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
    """Do what the old spelling says, and name the new one."""
    if len(typed_names) != 1:
        word = typed_names[0] if typed_names else ""
        mend = did_you_mean(word, NEW) or f"use one of {', '.join(NEW)}"
        raise InputError(f"no command of 'xpgcheck campaign' is called {shown(word)}", mend=mend)
    (name,) = typed_names
    asked = _Asked(status, report, export, merge)
    spellings = asked.spellings() or [("--resume", "resume {}") if resume else ("", "start {}")]
    typed = shlex.quote(name) if name.isprintable() else "NAME"
    old = " ".join(("xpgcheck campaign", typed, *(word for word, _ in spellings if word)))
    news = (f"'xpgcheck campaign {new.format(typed)}'" for _, new in spellings)
    say(renamed(f"'{old}'", " and ".join(news)))
    session = Session(
        **{field: options.pop(field) for field in ("duration", "unit_timeout", "jobs", "scheduler", "part")},
        journal=journal,
        json_file=looking.STDOUT if as_json else None,
        quiet=quiet,
    )
    if asked.spellings():
        _refuse_running(said([*options, "duration", "unit_timeout", "jobs", "scheduler", "part", "resume", "retry"]))
        return _look(looking.path_of(name, journal), name, asked, session)
    if retry and not resume:
        raise InputError("--retry is for a campaign that was begun", place="command line", mend="add --resume")
    return carry_out(name, asked_for(options), session, resumed=resume, retry=retry)


def _refuse_running(running: list[str]) -> None:
    if running:
        params = click.get_current_context().command.params
        spelt = next(param.opts[0] for param in params if param.name == running[0])
        problem = "--status, --report, --export and --merge run nothing"
        raise InputError(problem, place="command line", mend=f"leave {spelt} out")


def _look(path: Path, name: str, asked: _Asked, session: Session) -> int:
    """Do what is *asked* with the journal at *path*."""
    from xpgcheck.campaign.driver import any_asked

    if session.json_file is not None and not asked.status:
        raise InputError("--json is for the status", place="command line", mend="add --status, or leave --json out")
    if asked.report is not None:
        looking.check_page(asked.report, path, *asked.merge)
    if asked.merge:
        looking.add(path, name, asked.merge)
    with looking.opened(path) as journal:
        if asked.report is not None:
            looking.write_page(journal, asked.report)
        if asked.export is not None:
            looking.write_folder(journal, asked.export)
        if asked.status:
            looking.told(journal, session.json_file, quiet=session.quiet, folder=asked.export)
        return 3 if (asked.status or asked.report is not None) and not any_asked(journal) else 0


_OPTIONS: tuple[Decorator, ...] = (
    click.argument("typed_names", nargs=-1),
    *PLAN,
    *SESSION,
    click.option("--resume", is_flag=True),
    click.option("--retry", is_flag=True),
    click.option("--status", is_flag=True),
    click.option("--report", type=click.Path(path_type=Path)),
    click.option("--export", type=click.Path(path_type=Path)),
    click.option("--merge", multiple=True, type=click.Path(path_type=Path)),
    click.option("--json", "as_json", is_flag=True),
    looking.journal_option(),
    quiet_option(),
)

command = click.command("campaign", hidden=True)(with_options(_OPTIONS, _command))
"""The command of before, with all its options."""
