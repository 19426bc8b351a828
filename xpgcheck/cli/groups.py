"""Groups of commands: each command is loaded when it is run, the help shows headings, old names lead to the new ones."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from xpgcheck.cli.help_pages import HelpContext, with_help
from xpgcheck.cli.project_defaults import COMMANDS, project_defaults
from xpgcheck.cli.spelling import renamed, say
from xpgcheck.cli.verbosity import with_verbose
from xpgcheck.errors import InputError, did_you_mean, shown

Section = Mapping[str, str]
"""Commands by name, with the lines that the help shows."""

PLACE = "xpgcheck.cli.{}_command:command"
"""The place of a command, as ``module:name``, unless its group says otherwise."""

GO_ON = {
    "check": "'xpgcheck campaign start NAME --models DIR' keeps what is finished",
    "gate": "'xpgcheck campaign start NAME --gate SUBJECT' keeps what is finished",
    "run": "'xpgcheck campaign start NAME' keeps what is finished",
    "paper": "with --journal FILE the finished ones are kept",
}
"""Ways to run a command so that an interrupt loses nothing, for the line that says how far it was."""


class LazyGroup(click.Group):
    """A group whose *sections* (heading: commands) are imported when they are run, so that ``--help`` is fast.

    *places* has of headings where their commands are, *old* old names of commands, each with the words of the new one.
    """

    context_class = HelpContext

    def __init__(
        self,
        *args: Any,
        sections: Mapping[str, Section],
        places: Mapping[str, str] | None = None,
        old: Mapping[str, tuple[str, ...]] | None = None,
        **more: Any,
    ) -> None:
        super().__init__(*args, **{"no_args_is_help": False, **more})
        self.sections = sections
        self.old = old or {}
        self.places = {
            name: (places or {}).get(heading, PLACE).format(name.replace("-", "_"))
            for heading, section in sections.items()
            for name in section
        }

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands."""
        return list(self.places)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command called *cmd_name*; None where there is none."""
        if cmd_name not in self.places:
            return None
        module, _, name = self.places[cmd_name].partition(":")
        command: click.Command = getattr(importlib.import_module(module), name)
        return with_verbose(with_help(command, f"{ctx.command_path} {cmd_name}"))

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse *args*; without any, show the help and end with status 2, as a command is missing."""
        if not args and not self.invoke_without_command and not ctx.resilient_parsing:
            click.echo(ctx.get_help())
            ctx.exit(2)
        return super().parse_args(ctx, args)

    def old_command(self, words: list[str]) -> click.Command | None:
        """Return the command that takes *words* where they do not begin with a command, as they were once typed."""
        return None

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as interrupt:
            name = ctx.invoked_subcommand or str(ctx.info_name)
            far = [f"{text}; {GO_ON[name]}" if name in GO_ON else text for text in map(str, interrupt.args)]
            # Click would write an empty line first.
            raise click.exceptions.Abort(*far) from None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the name and the command that *args* begin with, and the rest of them."""
        if args and args[0] in self.old:
            words = self.old[args[0]]
            say(renamed(f"'{ctx.command_path} {args[0]}'", f"'{' '.join((ctx.command_path, *words))}'"))
            args = [*words, *args[1:]]
        if args and not args[0].startswith("-") and args[0] not in self.places:
            mend = did_you_mean(args[0], [*self.places, *self.old]) or f"use one of {', '.join(self.places)}"
            for name, words in self.old.items():
                mend = mend.replace(shown(name), shown(" ".join(words)))
            raise InputError(f"no command is called {shown(args[0])}", mend=mend)
        found = super().resolve_command(ctx, args)
        if found[0] in COMMANDS and found[1] is not None and ctx.parent is None:
            ctx.default_map = {found[0]: project_defaults(found[1], Path.cwd())}
        old = found[1].old_command(found[2]) if isinstance(found[1], LazyGroup) else None
        return found[0], old or found[1], found[2]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands under their headings."""
        for heading, section in self.sections.items():
            with formatter.section(heading):
                formatter.write_dl(list(section.items()))
