"""Help pages: names are never broken, bounds are words, and each command has examples."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import click

EXAMPLES: Mapping[str, Sequence[str]] = {
    "xpgcheck": ("xpgcheck explain iris --row 60", "xpgcheck check", "xpgcheck gate textbook --html report.html"),
    "xpgcheck check": ("xpgcheck check iris wine --json report.json", "xpgcheck check model.json --instances rows.csv"),
    "xpgcheck explain": (
        "xpgcheck explain iris --row 60",
        "xpgcheck explain model.skops --row 1 --instances table.csv",
        "xpgcheck explain hardware --row 1 --smallest",
    ),
    "xpgcheck draw": ("xpgcheck draw iris -o iris.svg", "xpgcheck draw iris --row 60 --xp axp1 -o why.svg"),
    "xpgcheck convert": ("xpgcheck convert iris --to dot -o iris.dot",),
    "xpgcheck models": ("xpgcheck models",),
    "xpgcheck formats": ("xpgcheck formats",),
    "xpgcheck schema": ("xpgcheck schema decision-graph",),
    "xpgcheck gate": (
        "xpgcheck gate my_explainer:Mine",
        "xpgcheck gate my_explainer:Mine --profile thorough --junit report.xml",
        'xpgcheck gate --command "node explainer.js" --html report.html',
    ),
    "xpgcheck verify": (
        "xpgcheck verify claims.jsonl --model model.json",
        "xpgcheck verify claims.jsonl --output judged.jsonl",
    ),
    "xpgcheck convert-claims": (
        "xpgcheck convert-claims log.csv --model omdd --set-column why --kind AXp -o claims.jsonl",
    ),
    "xpgcheck replay": ("xpgcheck replay cases", "xpgcheck replay cases --subject my_explainer:Mine"),
    "xpgcheck vectors": ("xpgcheck vectors -o vectors",),
    "xpgcheck certify": ("xpgcheck certify iris --row 60 -o proof.jsonl",),
    "xpgcheck check-certificate": ("xpgcheck check-certificate proof.jsonl --model iris",),
    "xpgcheck properties": ("xpgcheck properties run", "xpgcheck properties list --bugs"),
    "xpgcheck properties run": (
        "xpgcheck properties run --examples 1000 --seed 1",
        "xpgcheck properties run --subject my_explainer:Mine",
    ),
    "xpgcheck properties selftest": ("xpgcheck properties selftest --bug labels-swapped",),
    "xpgcheck properties ablations": ("xpgcheck properties ablations",),
    "xpgcheck properties list": ("xpgcheck properties list",),
    "xpgcheck paper": ("xpgcheck paper --quick", "xpgcheck paper --claim example-1 --checks"),
    "xpgcheck reduction": ("xpgcheck reduction formula.cnf --json found.json",),
    "xpgcheck campaign": (
        "xpgcheck campaign start nightly --gate my_explainer:Mine",
        "xpgcheck campaign resume nightly",
    ),
    "xpgcheck campaign start": ("xpgcheck campaign start nightly --examples 1000000",),
    "xpgcheck campaign resume": ("xpgcheck campaign resume nightly",),
    "xpgcheck campaign status": ("xpgcheck campaign status nightly",),
    "xpgcheck campaign report": ("xpgcheck campaign report nightly -o nightly.html",),
}
"""For each command what someone would type; a test parses every line."""

_NUMBERS = {"integer": "is not a whole number", "float": "is not a number", "seconds": "is not a number of seconds"}

HYPHEN = "\N{NON-BREAKING HYPHEN}"


class HelpFormatter(click.HelpFormatter):
    """A formatter that never breaks a line at a hyphen, which is part of names of options and files."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the usage line."""
        super().write_usage(_kept(prog), _kept(args), prefix)

    def write_text(self, text: str) -> None:
        """Write a paragraph."""
        super().write_text(_kept(text))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write the rows of options or commands."""
        super().write_dl([(_kept(name), _kept(text)) for name, text in rows], col_max, col_spacing)

    def getvalue(self) -> str:
        """Return the page."""
        return super().getvalue().replace(HYPHEN, "-")


class HelpContext(click.Context):
    """The context of every command of ours: its help is set by :class:`HelpFormatter`."""

    formatter_class = HelpFormatter


def with_help(command: click.Command, path: str) -> click.Command:
    """Return *command*, which *path* calls, with the examples of its help page."""
    command.context_class = HelpContext
    lines = EXAMPLES.get(path)
    if lines:
        command.epilog = "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)
    return command


def worded(text: str) -> str:
    """Return the help of an option with its bounds in words: "at least 1" for "x>=1"."""
    return _bounds(re.sub(r"(; )?0\.001<=x<=1000000\.0", "", text).replace("  []", ""))


def _bounds(text: str) -> str:
    text = re.sub(r"(-?[\d.]+)<=x<=([\d.]+)", r"\1 to \2", text)
    return re.sub(r"x>=(-?[\d.]+)", r"at least \1", text)


def worded_range(message: str) -> str:
    """Return the *message* of click with kinds of numbers and ranges in words: "0 has to be at least 1"."""
    message = re.sub(r"is not a valid (integer|float|seconds)( range)?\b", lambda kind: _NUMBERS[kind[1]], message)
    found = re.search(r"is not in the range (.*[<>].*)", message)
    return message if found is None else f"{message[: found.start()]}has to be {_bounds(found[1])}"


def _kept(text: str) -> str:
    return re.sub(r"(?<=[\w-])-(?=[\w-])|(?<!\S)--?(?=\w)", lambda found: HYPHEN * len(found[0]), text)
