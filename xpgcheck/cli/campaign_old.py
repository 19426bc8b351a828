"""The old spelling of ``xpgcheck campaign``: ``campaign NAME`` with ``--resume``, ``--status`` and the like."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import click
from click.core import ParameterSource

from xpgcheck.cli import campaign_looking as looking
from xpgcheck.cli.bundles import bundled, command_error
from xpgcheck.cli.campaign_options import CampaignOptions, RunningOptions
from xpgcheck.cli.campaign_running import carry_out
from xpgcheck.cli.spelling import renamed, say
from xpgcheck.cli.vocabulary import quiet_option
from xpgcheck.errors import InputError, did_you_mean, shown

NEW = ("start", "resume", "status", "report", "merge", "export")

_LOOKING = ("typed_names", "status", "report", "export", "merge", "as_json", "journal", "quiet")
"""The parameters that go together with looking at a journal."""

_FILE = click.Path(path_type=Path)


@dataclass(frozen=True, slots=True)
class _Looking:
    """Work on a journal rather than a run: show its status, write its report or its cases, add other journals."""

    status: Annotated[bool, click.option("--status", is_flag=True)]
    report: Annotated[Path | None, click.option("--report", type=_FILE)]
    export: Annotated[Path | None, click.option("--export", type=_FILE)]
    merge: Annotated[tuple[Path, ...], click.option("--merge", multiple=True, type=_FILE)]

    def spellings(self) -> list[tuple[str, str]]:
        """Return the old option and the new command of each that is asked for."""
        every = [
            (self.merge, "--merge JOURNAL", "merge {} JOURNAL"),
            (self.report is not None, "--report FILE", "report {} -o FILE"),
            (self.export is not None, "--export DIR", "export {} -o DIR"),
            (self.status, "--status", "status {}"),
        ]
        return [(old, new) for wanted, old, new in every if wanted]


@click.command("campaign", hidden=True)
@click.argument("typed_names", nargs=-1)
@bundled(plan=CampaignOptions, running=RunningOptions)
@click.option("--resume", is_flag=True)
@click.option("--retry", is_flag=True)
@bundled(asked=_Looking)
@click.option("--json", "as_json", is_flag=True)
@looking.journal_option()
@quiet_option()
def command(
    typed_names: tuple[str, ...],
    plan: CampaignOptions,
    running: RunningOptions,
    resume: bool,
    retry: bool,
    asked: _Looking,
    as_json: bool,
    journal: Path | None,
    quiet: bool,
) -> int:
    """Do what the old spelling says, and name the new one."""
    if len(typed_names) != 1:
        word = typed_names[0] if typed_names else ""
        mend = did_you_mean(word, NEW) or f"use one of {', '.join(NEW)}"
        raise InputError(f"no command of 'xpgcheck campaign' is called {shown(word)}", mend=mend)
    (name,) = typed_names
    spellings = asked.spellings() or [("--resume", "resume {}") if resume else ("", "start {}")]
    typed = shlex.quote(name) if name.isprintable() else "NAME"
    old = " ".join(("xpgcheck campaign", typed, *(word for word, _ in spellings if word)))
    news = (f"'xpgcheck campaign {new.format(typed)}'" for _, new in spellings)
    say(renamed(f"'{old}'", " and ".join(news)))
    status = looking.StatusOptions(journal, looking.STDOUT if as_json else None, quiet)
    if asked.spellings():
        _refuse_running()
        return _look(name, asked, status)
    if retry and not resume:
        raise command_error("--retry is for a campaign that was begun", "add --resume")
    return carry_out(name, plan, running, status, resumed=resume, retry=retry)


def _refuse_running() -> None:
    context = click.get_current_context()
    for param in context.command.params:
        name = str(param.name)
        if name not in _LOOKING and context.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            problem = "--status, --report, --export and --merge run nothing"
            raise command_error(problem, f"leave {param.opts[0]} out")


def _look(name: str, asked: _Looking, status: looking.StatusOptions) -> int:
    """Do what is *asked* with the journal of the campaign *name*."""
    from xpgcheck.campaign.driver import any_asked

    path = looking.path_of(name, status.journal)
    if status.json_file is not None and not asked.status:
        raise command_error("--json is for the status", "add --status, or leave --json out")
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
            looking.told(journal, status, asked.export)
        return 3 if (asked.status or asked.report is not None) and not any_asked(journal) else 0
