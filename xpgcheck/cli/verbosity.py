"""``--verbose``, an option of every command: what is being done goes to standard error, a line with its time each.

Rooms note it with :mod:`logging`, below the name ``xpgcheck``.  Processes that a command starts show nothing of their own.
"""

from __future__ import annotations

import platform
import sys

import click

from xpgcheck.cli.spelling import Option
from xpgcheck.version import __version__

HELP = "Say on standard error what is being done, with times: files, models, solvers, units of work."


def with_verbose(command: click.Command) -> click.Command:
    """Return *command* with ``--verbose``, unless it only holds other commands."""
    only_holds = isinstance(command, click.Group) and not command.invoke_without_command
    if not only_holds and not any("--verbose" in param.opts for param in command.params):
        option = Option(
            ["--verbose", "-v"], is_flag=True, repeats=False, expose_value=False, help=HELP, callback=_begin
        )
        command.params.append(option)
    return command


def _begin(ctx: click.Context, _: click.Parameter, wanted: bool) -> None:
    if not wanted or ctx.resilient_parsing or ctx.meta.setdefault(__name__, ctx) is not ctx:
        return
    # Here, as help pages do without it.
    import logging

    log = logging.getLogger("xpgcheck")
    level, handler = log.level, logging.StreamHandler(sys.stderr)
    handler.setFormatter(logging.Formatter("%(relativeCreated)8.0f ms  %(message)s"))
    log.addHandler(handler)
    log.setLevel(logging.INFO)

    def end() -> None:
        log.info("%s ends", ctx.command_path)
        log.removeHandler(handler)
        log.setLevel(level)

    # Not of its own context, which is not closed where its arguments are wrong.
    ctx.find_root().call_on_close(end)
    log.info("%s begins: version %s, Python %s", ctx.command_path, __version__, platform.python_version())
