"""The command line that repeats a run, from click's own parameters."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

import click

from xpgcheck.cli.spelling import Option


def repeated_command(called: str, **said: object) -> str:
    """Return the command line of the command that is running, *called* so: its parameters that are not at their defaults.

    *said* has values by the names of parameters.  They are written in place of what was given, also where they are the
    default; None is left out.  Options that decide nothing of the results (``repeats=False``) are left out, unless *said*.
    """
    context = click.get_current_context()
    # Defaults of a project are written out: the line is to do the same elsewhere.
    plain = click.Context(context.command)
    words = called.split()
    for parameter in context.command.params:
        name = parameter.name or ""
        if name in said:
            words += _words(parameter, said[name])
        elif getattr(parameter, "repeats", True) and context.params.get(name) != parameter.get_default(plain):
            words += _words(parameter, context.params.get(name))
    return shlex.join(words)


def _words(parameter: click.Parameter, value: object) -> Iterator[str]:
    """Yield *value*, of *parameter*, as it is typed."""
    if value is None:
        return
    if isinstance(parameter, Option) and isinstance(value, bool):
        yield from (parameter.opts if value else parameter.secondary_opts)[:1]
        return
    for item in value if isinstance(value, tuple) else (value,):
        if isinstance(parameter, Option):
            yield parameter.opts[0]
        short = f"{item:g}" if isinstance(item, float) else ""
        yield short if short and float(short) == item else str(item)
