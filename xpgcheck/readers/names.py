"""Names (of a model, a feature, a class, a category or a node): which are valid, and which one a text means."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

from xpgcheck.errors import JOINERS, FormatError, InputError, LimitError, shown

MAX_NAME_LENGTH = 200

_CONTROLS = ("Cc", "Cf", "Cs", "Zl", "Zp")

MAX_FEATURES = 1_000_000
"""Features that a file may announce by their number alone."""


def check_name(what: str, name: str, place: str = "") -> None:
    """Refuse an empty or blank name, one over 200 characters, and one with characters that control how text is shown.

    These are control and format characters (also those that change the direction), line and paragraph separators, and
    half a surrogate pair.  Quotes, spaces, markup and any script are legal, and so are the joiners that Persian words and
    emoji are written with (U+200C, U+200D).  Raises ``FormatError``.
    """
    if name.isprintable() and name.strip() and len(name) <= MAX_NAME_LENGTH:
        return
    visible = name.replace(JOINERS[0], "").replace(JOINERS[1], "")
    if not visible.strip():
        raise FormatError(f"the name of a {what} is empty", place=place, mend="write a name")
    if len(name) > MAX_NAME_LENGTH:
        problem = f"the name of a {what} has {len(name)} characters: {shown(name, 20)}"
        raise FormatError(problem, place=place, mend=f"write at most {MAX_NAME_LENGTH}")
    if any(unicodedata.category(character) in _CONTROLS for character in visible):
        problem = f"the name of a {what} has a control character: {shown(name)}"
        raise FormatError(problem, place=place, mend="remove the control characters")


def numbered_names(prefix: str, count: int) -> list[str]:
    """Return the names of *count* features that have none in their file.  Raises ``LimitError`` where they are too many."""
    if count > MAX_FEATURES:
        problem = f"there are {count} features, the limit is {MAX_FEATURES}"
        raise LimitError(problem, mend="train on fewer features")
    return [f"{prefix}{i}" for i in range(count)]


_PLURAL = {"feature": "features", "class": "classes"}


def checked_names(what: str, given: Sequence[object], count: int) -> list[str]:
    """Return the names of *count* features (or classes) as texts.

    Raises ``InputError`` where there are more or fewer, where two are alike, and where one may not be a name.
    """
    if isinstance(given, str) or len(given) != count:
        found = "one text" if isinstance(given, str) else f"{len(given)} name(s)"
        problem = f"{found} for {count} {_PLURAL[what]}"
        raise InputError(problem, mend=f"pass {what}_names, a list with one name for each {what}")
    names = [str(text) for text in given]
    try:
        for text in names:
            check_name(what, text)
    except FormatError as error:
        # They are a fitted model's, which cannot be renamed.
        error.mend += f", or pass {what}_names, a list of other names"
        raise
    if len(set(names)) != len(names):
        twice = next(text for position, text in enumerate(names) if text in names[:position])
        raise InputError(f"two {what} names are {shown(twice)}", mend=f"pass {what}_names that all differ")
    return names


def _underscored(text: str) -> str:
    return text.replace(" ", "_")


_DEGREES: tuple[Callable[[str], str], ...] = (
    str,
    str.strip,
    _underscored,
    lambda text: _underscored(text.strip()),
)
"""Degrees of likeness of a text and a name: equal, or equal after the same change of both."""

EXACT = 0
"""The degree of a text that is equal to the name."""


class NameLookup:
    """Finds which of *names* a text means.

    A name that is equal comes first.  Then blanks at either end do not count, and then a blank and an underscore are the
    same: tables have blanks after commas, and LightGBM writes underscores for blanks into its models.
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._tables: dict[int, dict[str, list[int]]] = {}

    def matches(self, text: str) -> tuple[int, list[int]]:
        """Return how alike *text* and the names that it means are (0: equal), and their positions.  None: no name."""
        for degree, change in enumerate(_DEGREES):
            found = self._table(degree).get(change(text))
            if found:
                return degree, found
        return len(_DEGREES), []

    def position(self, text: str) -> int | None:
        """Return the position of the name that *text* means, None if there is none.

        Raises ``InputError`` where it could be several.
        """
        _, found = self.matches(text)
        if len(found) > 1:
            raise self.ambiguous(text, found)
        return found[0] if found else None

    def ambiguous(self, text: str, found: Sequence[int]) -> InputError:
        """Return the error that *text* could be each of the names at *found*."""
        some = list(dict.fromkeys(shown(self._names[i], 40) for i in found))
        listed = f"{', '.join(some[:4])}{', …' if len(some) > 4 else ''}"
        return InputError(
            f"{shown(text)} could be any of {listed}", mend="write the name as one of them, blanks included"
        )

    def _table(self, degree: int) -> dict[str, list[int]]:
        table = self._tables.get(degree)
        if table is None:
            table = self._tables[degree] = {}
            for position, name in enumerate(self._names):
                table.setdefault(_DEGREES[degree](name), []).append(position)
        return table
