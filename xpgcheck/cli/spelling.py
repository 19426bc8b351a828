"""Options and commands with their old spellings, which still work, hidden, with one line that names the new one."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar

import click

from xpgcheck.cli.help_pages import worded
from xpgcheck.cli.seconds import Seconds

AnyCommand = TypeVar("AnyCommand", bound="Callable[..., Any] | click.Command")


class Decorator(Protocol):
    """A decorator that gives a command an option."""

    def __call__(self, command: AnyCommand, /) -> AnyCommand:
        """Return *command* with the option."""


class Option(click.Option):
    """An option of click with old spellings, and with a word as its metavar: FILE, DIR, N or SECONDS by its type.

    ``repeats`` tells whether it belongs to the command line that repeats a run: whether results depend on it.
    """

    def __init__(self, *names: Any, old: Sequence[str] = (), repeats: bool = True, **more: Any) -> None:
        super().__init__(*names, **more)
        self.old = tuple(old)
        self.repeats = repeats
        if self.metavar is None and not self.is_flag:
            self.metavar = _metavar(self.type)

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return the option as the help shows it, with its bounds in words."""
        found = super().get_help_record(ctx)
        return None if found is None else (found[0], worded(found[1]))

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Add the option to *parser* under all its spellings."""
        super().add_to_parser(parser, ctx)
        for spelling in self.old:
            twin = copy.copy(self)
            twin.opts, twin.secondary_opts, twin.name = [spelling], [], spelling
            click.Option.add_to_parser(twin, parser, ctx)

    def handle_parse_result(
        self, ctx: click.Context, opts: Mapping[str, Any], args: list[str]
    ) -> tuple[Any, list[str]]:
        """Take the value, and say the new spelling where an old one was used."""
        given: dict[str, Any] = dict(opts)
        for spelling in self.old:
            if spelling in opts:
                say(renamed(spelling, self.opts[0]))
                value = opts[spelling]
                given[self.name] = [*given.get(self.name, ()), *value] if self.multiple else given.get(self.name, value)
        return super().handle_parse_result(ctx, given, args)


def _metavar(kind: Any) -> str | None:
    if isinstance(kind, Seconds):
        return "SECONDS"
    if isinstance(kind, (click.IntRange, click.types.IntParamType)):
        return "N"
    if isinstance(kind, click.Path):
        return "FILE" if kind.file_okay else "DIR"
    return None


def option(*names: str, old: Sequence[str] = (), **more: Any) -> Decorator:
    """Return the decorator that gives a command the option *names*; the spellings in *old* still work."""
    return click.option(*names, **{"cls": Option, **more}, old=old)


def file_option(*names: str, **more: Any) -> Decorator:
    """Return the decorator of an option that takes a FILE."""
    return option(*names, type=click.Path(path_type=Path), **more)


def folder_option(*names: str, **more: Any) -> Decorator:
    """Return the decorator of an option that takes a folder, DIR."""
    return option(*names, type=click.Path(path_type=Path), metavar="DIR", **more)


def renamed(old: str, new: str) -> str:
    """Return the line that names the new spelling of *old*."""
    return f"{old} is an old spelling of {new}"


def say(line: str) -> None:
    """Say *line* on the standard error."""
    click.echo(f"xpgcheck: {line}", err=True)


def without_old(error: click.NoSuchOption) -> click.NoSuchOption:
    """Return *error* without old spellings among what it proposes."""
    params = error.ctx.command.params if error.ctx is not None else ()
    old = {spelling for param in params if isinstance(param, Option) for spelling in param.old}
    near = [name for name in error.possibilities or () if name not in old]
    return click.NoSuchOption(error.option_name, possibilities=near, ctx=error.ctx)
