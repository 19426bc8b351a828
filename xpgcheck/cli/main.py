"""The command line: groups of commands, loaded when asked for, and the one place where errors become exit statuses.

Exit status: 0 everything holds, 1 a violation, 2 wrong input, 3 inconclusive.
"""

from __future__ import annotations

import os
import sys
import warnings
from typing import Any

import click

from xpgcheck.cli.groups import LazyGroup
from xpgcheck.cli.help_pages import with_help, worded_range
from xpgcheck.cli.spelling import without_old
from xpgcheck.cli.verbosity import with_verbose
from xpgcheck.errors import ModelNotice, XpgcheckError
from xpgcheck.version import __version__

SECTIONS = {
    "Models": {
        "check": "Explain models by graph traversal and judge every explanation by the oracles.",
        "explain": "Explain one prediction in words: every AXp and CXp, closest changes, each feature's role.",
        "draw": "Draw a model, an instance's path and an explanation: SVG, PNG, DOT.",
        "convert": "Write a model in another format: JSON, .xpg, DOT, SMT-LIB 2, text.",
        "domains": "Propose the domains of a table's columns, for --schema.",
        "models": "List the embedded models.",
        "formats": "List the formats of models that are read.",
        "schema": "Print a JSON Schema of this package's formats.",
    },
    "Explainers of others": {
        "gate": "Judge another implementation: in Python, or in any language by the line protocol.",
        "verify": "Judge explanations on file, of any explainer.",
        "convert-claims": "Turn a CSV log of explanations into a file of claims.",
        "replay": "Judge a saved case again, or ask a subject at it.",
        "vectors": "Write numbered test vectors, for implementations that want no tool.",
    },
    "Certificates": {
        "certify": "Explain predictions with evidence that needs no solver.",
        "check-certificate": "Check the evidence of a certificate, without solvers.",
    },
    "The paper's statements": {
        "properties": "Try them on generated graphs: run, selftest, ablations, list.",
        "paper": "Every claim of the paper, with evidence and its limits.",
        "reduction": "Put a CNF to the paper's reduction: MUS membership and prime implicants of DNFs.",
    },
    "Long runs": {
        "campaign": "Over all cores or machines, losing nothing: start, resume, status, report, merge, export.",
    },
}
"""The headings of the help, and below each its commands; only the command asked for is imported."""

OLD = {name: ("properties", name) for name in ("run", "selftest", "ablations")}
"""Commands that had another name."""


@click.group(cls=LazyGroup, sections=SECTIONS, old=OLD, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="xpgcheck")
def cli() -> None:
    """Explain decision trees, forests and decision diagrams exactly, and judge any explainer of them.

    Exit status: 0 everything holds, 1 a violation, 2 wrong input or command, 3 inconclusive.
    """


with_verbose(with_help(cli, "xpgcheck"))


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
        if isinstance(error, click.NoSuchOption):
            error = without_old(error)
        message = worded_range(" ".join(error.format_message().split()).rstrip("."))
        return _say(f"{message}; see '{_path(error)} --help'", 2)
    except XpgcheckError as error:
        return _say(str(error), error.exit_status)
    except (BrokenPipeError, SystemExit):
        # The reader of the output has left (click and rich then want to leave with 1, which would mean a violation).
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


def _path(error: click.ClickException) -> str:
    """Return the command that *error* is about."""
    return error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else "xpgcheck"


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
