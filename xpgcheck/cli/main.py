"""The command line: one group of commands, loaded when asked for, and the one place where errors become exit statuses.

Exit status: 0 everything holds, 1 a violation, 2 wrong input, 3 inconclusive.
"""

from __future__ import annotations

import importlib
import os
import sys
import warnings
from typing import Any

import click

from xpgcheck.errors import InputError, ModelNotice, XpgcheckError, did_you_mean, shown
from xpgcheck.version import __version__

COMMANDS = {
    "ablations": "xpgcheck.cli.ablations_command",
    "campaign": "xpgcheck.cli.campaign_command",
    "paper": "xpgcheck.cli.paper_command",
    "certify": "xpgcheck.cli.certify_command",
    "check": "xpgcheck.cli.check_command",
    "check-certificate": "xpgcheck.cli.check_certificate_command",
    "convert": "xpgcheck.cli.convert_command",
    "convert-claims": "xpgcheck.cli.convert_claims_command",
    "draw": "xpgcheck.cli.draw_command",
    "explain": "xpgcheck.cli.explain_command",
    "formats": "xpgcheck.cli.formats_command",
    "gate": "xpgcheck.cli.gate_command",
    "models": "xpgcheck.cli.models_command",
    "reduction": "xpgcheck.cli.reduction_command",
    "replay": "xpgcheck.cli.replay_command",
    "run": "xpgcheck.cli.run_command",
    "schema": "xpgcheck.cli.schema_command",
    "selftest": "xpgcheck.cli.selftest_command",
    "vectors": "xpgcheck.cli.vectors_command",
    "verify": "xpgcheck.cli.verify_command",
}
"""Each command and the module that holds it as ``command``; only the one asked for is imported."""

SHORT_HELP = {
    "ablations": "Leave out an assumption of the paper, and see which properties fail.",
    "campaign": "Run for hours over all cores or machines, and lose nothing.",
    "paper": "Every claim of the paper, with evidence and its limits.",
    "certify": "Explain predictions with evidence that needs no solver.",
    "check": "Explain models by graph traversal and judge every explanation by the oracles.",
    "check-certificate": "Check the evidence of a certificate, without solvers.",
    "convert": "Write a model in another format: JSON, .xpg, DOT, SMT-LIB 2, text.",
    "convert-claims": "Turn a CSV log of explanations into a file of claims.",
    "draw": "Draw a model, an instance's path and an explanation: SVG, PNG, DOT.",
    "explain": "Explain one prediction in words: every AXp and CXp, closest changes, each feature's role.",
    "formats": "List the formats of models that are read.",
    "gate": "Judge another implementation: in Python, or in any language by the line protocol.",
    "models": "List the embedded models.",
    "reduction": "Put a CNF to the paper's reduction: MUS membership and prime implicants of DNFs.",
    "replay": "Judge a saved case again, or ask a subject at it.",
    "run": "Try what the paper states on generated decision graphs, with any explainer in Python.",
    "schema": "Print a JSON Schema of this package's formats.",
    "selftest": "See that every seeded bug, a wrong explainer or oracle, is caught by some property.",
    "vectors": "Write numbered test vectors, for implementations that want no tool.",
    "verify": "Judge explanations on file, of any explainer.",
}


class _LazyGroup(click.Group):
    """Commands are imported when they are run, so that ``--help`` is fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(COMMANDS[cmd_name]).command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt as interrupt:
            # Click would write an empty line first.
            raise click.exceptions.Abort(*interrupt.args) from None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            mend = did_you_mean(args[0], COMMANDS) or f"use one of {', '.join(COMMANDS)}"
            raise InputError(f"no command is called {shown(args[0])}", mend=mend)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, SHORT_HELP[name]) for name in COMMANDS])


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="xpgcheck")
def cli() -> None:
    """A referee for formal explainers of graph-based classifiers.

    Exit status: 0 everything holds, 1 a violation, 2 wrong input or command, 3 inconclusive.
    """


def main(arguments: list[str] | None = None) -> int:
    """Run the command line on *arguments* (those of the process if None); return the exit status."""
    try:
        with warnings.catch_warnings():
            _show_notices()
            status = cli.main(arguments, prog_name="xpgcheck", standalone_mode=False)
        sys.stdout.flush()
    except (click.exceptions.Abort, KeyboardInterrupt) as interrupt:
        return _say(f"interrupted: {interrupt}" if interrupt.args else "interrupted", 130)
    except click.ClickException as error:
        command = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "xpgcheck"
        message = " ".join(error.format_message().split()).rstrip(".")
        return _say(f"{message}; see '{command} --help'", 2)
    except XpgcheckError as error:
        return _say(str(error), error.exit_status)
    except (BrokenPipeError, SystemExit):
        # Whoever read our output has left (click and rich then want to leave with 1, which would mean a violation).
        _drop_output()
        return 141
    except OSError as error:
        _drop_output()
        return _say(f"the output cannot be written ({error.strerror or error}); make room or write elsewhere", 2)
    except MemoryError:
        return _say("out of memory; use fewer --jobs or a smaller model", 3)
    except Exception as error:
        if os.environ.get("XPGCHECK_DEBUG"):
            raise
        text = " ".join(f"{type(error).__name__}: {error}".split())[:500]
        return _say(f"internal error, nothing was decided: {text}; set XPGCHECK_DEBUG=1 and report the traceback", 3)
    return status if isinstance(status, int) else 0


def _show_notices() -> None:
    """Have notices about models shown as one line each, like errors; other warnings as Python shows them."""
    others = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *place: Any, **more: Any) -> None:
        if issubclass(category, ModelNotice):
            click.echo(f"xpgcheck: {message}", err=True)
        else:
            others(message, category, *place, **more)

    warnings.simplefilter("always", ModelNotice)
    warnings.showwarning = show


def _drop_output() -> None:
    """Let what is still buffered go nowhere: Python would try to write it once more on leaving, and exit with 120."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _say(line: str, status: int) -> int:
    click.echo(f"xpgcheck: {line}", err=True)
    return status
