"""Errors, as types that carry the evidence.

Every error that a user can cause is an :class:`XpgcheckError`.  Its text is one line of three parts, ``place: problem;
fix``, and the command line prints just that line and exits with ``exit_status`` (2 wrong input, 3 inconclusive).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

MAX_SHOWN = 120

JOINERS = "\u200c\u200d"
"""The characters that part or join their neighbours (ZWNJ, ZWJ): Persian words and many emoji are written with them."""

_JOINING = re.compile(f"(?<=[^\\x00-\\x7f{JOINERS}])[{JOINERS}]|[{JOINERS}](?=[^\\x00-\\x7f{JOINERS}])")


def is_plain(text: str) -> bool:
    """Tell whether *text* can be shown as it is: every character prints, or joins a letter or a sign beyond ASCII.

    Between ASCII characters a joiner would be there and not be seen.
    """
    return text.isprintable() or _JOINING.sub("", text).isprintable()


def printable(text: str, template: str = "\\u{:04x}") -> str:
    """Return *text* with what is not plain escaped by *template*, so that no name moves the cursor or breaks a line."""
    if text.isprintable():
        return text
    joining = {match.start() for match in _JOINING.finditer(text)}
    return "".join(c if c.isprintable() or i in joining else template.format(ord(c)) for i, c in enumerate(text))


def shown(text: object, limit: int = MAX_SHOWN) -> str:
    """Return *text* quoted for a one-line message: control characters escaped, long texts cut."""
    quoted = printable(json.dumps(str(text), ensure_ascii=False)[1:-1])
    return f"'{quoted if len(quoted) <= limit else quoted[: limit - 1] + '…'}'"


def did_you_mean(name: str, known: Iterable[str], most: int = 1) -> str:
    """Return ``did you mean 'X'?`` with the *most* nearest of *known*; "" where none is near."""
    from difflib import get_close_matches

    names = list(known)
    near = get_close_matches(name, names, most)
    if not near:
        by_lower = {text.lower(): text for text in names}
        near = [by_lower[text] for text in get_close_matches(name.strip().lower(), by_lower, most)]
    return f"did you mean {' or '.join(map(shown, near))}?" if near else ""


class XpgcheckError(Exception):
    """The root of this package's errors.

    ``place`` says where (a file, a node, a feature), ``problem`` what, ``mend`` how to put it right.
    """

    exit_status = 2

    def __init__(self, problem: str, *, place: str = "", mend: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.place = place
        self.mend = mend

    def at(self, place: str) -> XpgcheckError:
        """Put *place* (usually a file) in front of the place known so far; return the same error, to be raised."""
        self.place = f"{place}: {self.place}" if self.place else place
        return self

    def __str__(self) -> str:
        line = f"{self.place}: {self.problem}" if self.place else self.problem
        return f"{line}; {self.mend}" if self.mend else line


class InputError(XpgcheckError, ValueError):
    """A file, an option or a value that is not what it has to be."""


NOTHING_CHECKED = "NOTHING CHECKED"
"""The verdict over nothing.

Exit status 2 where the command asked for nothing, 3 where what it asked brought no answer.
"""


class NothingCheckedError(InputError):
    """A command that asked for nothing: an empty input, or a selection that matches nothing."""

    def __init__(self, why: str, *, place: str = "", mend: str) -> None:
        super().__init__(f"nothing checked: {why}", place=place, mend=mend)


class FormatError(InputError):
    """A file that is not in the format that it claims or has to be in."""


class LimitError(InputError):
    """An input over a stated limit of size."""


class DomainError(InputError):
    """A domain that is empty or badly bounded."""


class ValueSetError(InputError):
    """A set of values that cannot be read, or is not inside its domain."""


class InstanceError(InputError):
    """A point that is not in feature space: a missing, extra or out-of-domain value."""


class ModelError(InputError):
    """A graph that is not a decision graph, or not an explanation graph.  Subclasses say why and carry the evidence."""


class UndecidedError(XpgcheckError):
    """A question that a stated limit left open: neither yes nor no."""

    exit_status = 3


class MissingPackageError(XpgcheckError, ImportError):
    """An optional package that the request needs is not installed."""


class ModelNotice(UserWarning):
    """A warning about a model that is read, in one line: something in its file can be taken for what it is not."""
