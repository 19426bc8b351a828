"""Groups of commands: each command is loaded when it is run, the help shows headings, old names lead to the new ones."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import click

from xpgcheck.cli.spelling import renamed, say
from xpgcheck.errors import InputError, did_you_mean, shown

Section = Mapping[str, str]
"""Commands by name, with the lines that the help shows."""

PLACE = "xpgcheck.cli.{}_command:command"
"""Where a command is, as ``module:name``, unless its group says otherwise."""


class LazyGroup(click.Group):
    """A group whose *sections* (heading: commands) are imported when they are run, so that ``--help`` is fast.

    *places* has of headings where their commands are, *old* old names of commands, each with the words of the new one.
    """

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
        return command

    def old_command(self, words: list[str]) -> click.Command | None:
        """Return the command that takes *words* where they do not begin with a command, as they were once typed."""
        return None

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as interrupt:
            # Click would write an empty line first.
            raise click.exceptions.Abort(*interrupt.args) from None

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
        old = found[1].old_command(found[2]) if isinstance(found[1], LazyGroup) else None
        return found[0], old or found[1], found[2]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands under their headings."""
        for heading, section in self.sections.items():
            with formatter.section(heading):
                formatter.write_dl(list(section.items()))
