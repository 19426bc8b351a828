"""What a name may be: of a model, a feature, a class, a category or a node."""

from __future__ import annotations

import unicodedata

from xpgcheck.errors import FormatError, shown

MAX_NAME_LENGTH = 200


def check_name(what: str, name: str, place: str = "") -> None:
    """Refuse an empty name, one over 200 characters, and one with control characters (or half a surrogate pair).

    Quotes, spaces, markup and any script are legal.  Raises ``FormatError``.
    """
    if name.isprintable() and 0 < len(name) <= MAX_NAME_LENGTH:
        return
    if not name:
        raise FormatError(f"the name of a {what} is empty", place=place, mend="write a name")
    if len(name) > MAX_NAME_LENGTH:
        problem = f"the name of a {what} has {len(name)} characters: {shown(name, 20)}"
        raise FormatError(problem, place=place, mend=f"write at most {MAX_NAME_LENGTH}")
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in name):
        problem = f"the name of a {what} has a control character: {shown(name)}"
        raise FormatError(problem, place=place, mend="remove the control characters")
