"""What a name may be: of a model, a feature, a class, a category or a node."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from xpgcheck.errors import FormatError, InputError, LimitError, shown

MAX_NAME_LENGTH = 200

_CONTROLS = ("Cc", "Cf", "Cs", "Zl", "Zp")

MAX_FEATURES = 1_000_000
"""Features that a file may announce by their number alone."""


def check_name(what: str, name: str, place: str = "") -> None:
    """Refuse an empty or blank name, one over 200 characters, and one with characters that control how text is shown.

    These are control and format characters (also those that change the direction), line and paragraph separators, and
    half a surrogate pair.  Quotes, spaces, markup and any script are legal.  Raises ``FormatError``.
    """
    if name.isprintable() and name.strip() and len(name) <= MAX_NAME_LENGTH:
        return
    if not name.strip():
        raise FormatError(f"the name of a {what} is empty", place=place, mend="write a name")
    if len(name) > MAX_NAME_LENGTH:
        problem = f"the name of a {what} has {len(name)} characters: {shown(name, 20)}"
        raise FormatError(problem, place=place, mend=f"write at most {MAX_NAME_LENGTH}")
    if any(unicodedata.category(character) in _CONTROLS for character in name):
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
        raise InputError(problem, mend=f"pass {what}_names, a list with one name a {what}")
    names = [str(text) for text in given]
    for text in names:
        check_name(what, text)
    if len(set(names)) != len(names):
        twice = next(text for position, text in enumerate(names) if text in names[:position])
        raise InputError(f"two {what} names are {shown(twice)}", mend=f"pass {what}_names that all differ")
    return names
