"""Instances and lists of features as they are typed on a command line: ``age=41, "name, first"="O""Hara", student=Y``.

Items are separated by commas.  A name or a value with a comma, a quote or (a name) an equals sign stands in double
quotes, a quote inside doubled, as in CSV.  Spaces around names and values do not count, those inside quotes do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from xpgcheck.errors import InputError, InstanceError, shown
from xpgcheck.model.domains import Feature
from xpgcheck.model.values import Point
from xpgcheck.readers.instances import read_point
from xpgcheck.readers.names import NameLookup

_QUOTING = 'put names and values with commas or quotes in double quotes: "a, b"=1'


def parse_instance(text: str, features: Sequence[Feature]) -> Point:
    """Return the point that *text* (``feature=value, …``, in any order) names.

    Raises ``InstanceError`` on a feature that is missing, unknown or there twice, and on a value outside its domain.
    Linear in *text*.
    """
    raw: dict[int, str] = {}
    lookup = NameLookup([feature.name for feature in features])
    for name, value in _items(text):
        feature = lookup.position(name)
        if feature is None:
            raise InstanceError(f"there is no feature {shown(name)}", mend=_known(features))
        if value is None:
            mend = f"write {shown(name, 40)[1:-1]}=…, or {_QUOTING}"
            raise InstanceError("there is no value", place=f"feature {shown(name)}", mend=mend)
        if feature in raw:
            raise InstanceError("there are two values", place=f"feature {shown(name)}", mend="give it one")
        raw[feature] = value
    missing = [feature.name for i, feature in enumerate(features) if i not in raw]
    if missing:
        listed = ", ".join(map(shown, missing[:5])) + (", …" if len(missing) > 5 else "")
        count = "1 feature has" if len(missing) == 1 else f"{len(missing)} features have"
        raise InstanceError(f"{count} no value: {listed}", mend="write feature=value for each, with commas between")
    return read_point(features, [raw[i] for i in range(len(features))])


def parse_features(text: str, features: Sequence[Feature]) -> list[int]:
    """Return the indices of the features that *text* names, separated by commas (none in an empty text), each once.

    Names are found as :class:`xpgcheck.readers.names.NameLookup` does.  Raises ``InputError`` on one that is no feature's.
    """
    lookup = NameLookup([feature.name for feature in features])
    found: dict[int, None] = {}
    for name, value in _items(text, "") if text.strip() else ():
        feature = lookup.position(name) if value is None else None
        if feature is None:
            raise InputError(f"there is no feature {shown(name)}", mend=_known(features))
        found[feature] = None
    return list(found)


def _known(features: Sequence[Feature]) -> str:
    listed = ", ".join(shown(feature.name, 40) for feature in features[:8])
    return f"the features are {listed}{', …' if len(features) > 8 else ''}"


def _items(text: str, equals: str = "=") -> Iterator[tuple[str, str | None]]:
    """Yield the name and the value (None without an equals sign) of each item of *text*, scanned once."""
    position = 0
    while True:
        name, position = _field(text, position, f"{equals},")
        value = None
        if equals and text.startswith(equals, position):
            value, position = _field(text, position + 1, ",")
        yield name, value
        if position == len(text):
            return
        position += 1
        if not text[position:].strip():
            return


def _field(text: str, position: int, stops: str) -> tuple[str, int]:
    """Return the field that starts at *position* and where it ends: at one of *stops* or at the end of *text*."""
    while position < len(text) and text[position].isspace():
        position += 1
    if not text.startswith('"', position):
        end = position
        while end < len(text) and text[end] not in stops:
            if text[end] == '"':
                raise InstanceError("a quote inside a name or a value", place=_place(end), mend=_QUOTING)
            end += 1
        return text[position:end].strip(), end
    parts: list[str] = []
    start = position
    position += 1
    while True:
        end = text.find('"', position)
        if end < 0:
            raise InstanceError("a quote is not closed", place=_place(start), mend='close it; write a quote as ""')
        parts.append(text[position:end])
        position = end + 1
        if not text.startswith('"', position):
            break
        position += 1
    while position < len(text) and text[position].isspace():
        position += 1
    if position < len(text) and text[position] not in stops:
        raise InstanceError("text after a closing quote", place=_place(position), mend=_QUOTING)
    return '"'.join(parts), position


def _place(offset: int) -> str:
    return f"character {offset + 1}"
