"""Names that a user gives the features and classes of a model, instead of those that it has.

A fitted model cannot be renamed, and its names may be refused (:func:`xpgcheck.readers.names.check_name`) or be none.
"""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from xpgcheck.errors import FormatError, InputError, XpgcheckError, shown
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.readers.files import decode_utf8, line_at, place_of, read_bytes
from xpgcheck.readers.names import NameLookup, check_name, checked_names

_KINDS = {"feature": "features", "class": "classes"}

MAX_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class OtherNames:
    """The names of the features and of the classes: all in order, some by those that they replace, or None.

    ``place`` is the file that they come from, if any.
    """

    features: Sequence[str] | Mapping[str, str] | None = None
    classes: Sequence[str] | Mapping[str, str] | None = None
    place: str = ""

    def instead_of(self, what: str, own: Sequence[str]) -> Sequence[str]:
        """Return the names of the features (*what* is ``feature``) or classes that are called *own* in the model.

        Raises ``InputError`` where they do not fit.
        """
        given = self.features if what == "feature" else self.classes
        if given is None:
            return own
        if isinstance(given, Mapping):
            lookup, names = NameLookup(own), list(own)
            for old, new in given.items():
                _, found = lookup.matches(old)
                if not found:
                    problem = f"the model has no {what} {shown(old)}"
                    raise InputError(problem, place=self._of(what), mend="correct the name, or list all names in order")
                for position in found:
                    names[position] = new
        else:
            names = list(given)
            if len(names) != len(own):
                problem = f"{what} names: {len(own):,} are needed, {len(names):,} given"
                raise InputError(
                    problem, place=self._of(what), mend=f"give one name for each {what}, in the model's order"
                )
        return names

    def _of(self, what: str) -> str:
        return self.place or f"names of {_KINDS[what]}"


def stored_names(what: str, own: Sequence[object], count: int, others: OtherNames | None) -> list[str]:
    """Return the names of *count* features (or classes) that are called *own* in a stored model, or their *others*.

    Raises ``InputError`` as :func:`xpgcheck.readers.names.checked_names` does, saying how to give others.
    """
    texts = [str(text) for text in own]
    fitting = len(texts) == count
    if others is not None and fitting:
        texts = list(others.instead_of(what, texts))
    try:
        return checked_names(what, texts, count)
    except InputError as error:
        where = "a file with one name per line" if what == "feature" else 'JSON with a list of "classes"'
        ways = f"give other names with --names FILE, {where} (in Python: read_model(…, names=[…]))"
        error.mend = ways if fitting else "the file is damaged; write it again"
        raise


def renamed(
    graph: DecisionGraph | LabelledGraph | Ensemble, others: OtherNames
) -> DecisionGraph | LabelledGraph | Ensemble:
    """Return *graph* with the *others* as names.  Raises ``InputError`` where they do not fit."""
    if isinstance(graph, LabelledGraph):
        if others.classes is not None:
            raise InputError("an .xpg model has no classes", place=others.place, mend="leave the names of classes out")
        names = stored_names("feature", graph.variables, len(graph.variables), others)
        return dataclasses.replace(graph, variables=tuple(names))
    own = [feature.name for feature in graph.features]
    names = stored_names("feature", own, len(own), others)
    pairs = zip(graph.features, names, strict=True)
    features = tuple(dataclasses.replace(feature, name=name) for feature, name in pairs)
    classes = tuple(stored_names("class", graph.classes, len(graph.classes), others))
    if isinstance(graph, Ensemble):
        trees = tuple(dataclasses.replace(tree, features=features, classes=classes) for tree in graph.trees)
        return dataclasses.replace(graph, features=features, classes=classes, trees=trees)
    return dataclasses.replace(graph, features=features, classes=classes)


def other_names(given: object) -> OtherNames:
    """Return the names that *given* says: a path, a list of the features' names, or a mapping as in a JSON file.

    Raises the errors of :func:`read_names`.
    """
    if isinstance(given, OtherNames):
        return given
    if isinstance(given, (str, os.PathLike)):
        return read_names(given)
    return _of_document(given, "names")


def read_names(path: str | os.PathLike[str]) -> OtherNames:
    """Return the names in the file at *path*.

    A file that ends in ``.json`` holds an object with ``features``, ``classes`` or both, each a list of all names in order,
    or an object from names of the model to new ones; a list alone is that of the features.  Any other file is text with one
    name of a feature per line.  Raises ``InputError`` that names the line.
    """
    data = read_bytes(path, MAX_BYTES)
    place = place_of(path)
    try:
        if place.lower().endswith(".json"):
            found = _of_document(_decoded(data), "$")
        else:
            lines = [line.removesuffix("\r") for line in decode_utf8(data).rstrip("\r\n").split("\n")]
            for number, name in enumerate(lines, 1):
                check_name("feature", name, f"line {number}")
            _refuse_twice(lines, lambda position: f"line {position + 1}")
            found = OtherNames(lines)
    except XpgcheckError as error:
        raise error.at(place) from None
    return dataclasses.replace(found, place=place)


def _decoded(data: bytes) -> Any:
    try:
        return json.loads(decode_utf8(data), object_pairs_hook=_pairs)
    except json.JSONDecodeError as error:
        place = line_at(data, len(error.doc[: error.pos].encode()))
        raise FormatError(f"this is not JSON ({error.msg})", place=place, mend="correct the JSON here") from None
    except XpgcheckError:
        raise
    except (RecursionError, ValueError):
        raise FormatError("this is not JSON that names are written in", mend=_FORM) from None


def _refuse_twice(names: Sequence[str], place: Callable[[int], str]) -> None:
    if len(set(names)) != len(names):
        position = next(i for i, name in enumerate(names) if name in names[:i])
        problem = f"{shown(names[position])} is there twice"
        raise InputError(problem, place=place(position), mend="give names that all differ")


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    _refuse_twice(keys, lambda position: "$")
    return dict(pairs)


_FORM = 'write {"features": [names in order]} or {"features": {"old name": "new name"}}, and "classes" the same way'


def _of_document(document: object, place: str) -> OtherNames:
    if isinstance(document, (list, tuple)):
        document = {"features": document}
    if not isinstance(document, Mapping) or not document or document.keys() - {"features", "classes"}:
        raise FormatError("these are not names of features or classes", place=place, mend=_FORM)
    features = _checked("feature", document.get("features"), f"{place}.features")
    return OtherNames(features, _checked("class", document.get("classes"), f"{place}.classes"))


def _checked(what: str, given: object, place: str) -> Sequence[str] | Mapping[str, str] | None:
    """Return *given* where it is a list of names, or a mapping to names."""
    if given is None:
        return None
    if isinstance(given, Mapping):
        pairs: dict[Any, Any] = {shown(str(old)): new for old, new in given.items()}
        if not all(isinstance(old, str) for old in given):
            old = next(old for old in given if not isinstance(old, str))
            raise FormatError(
                f"{shown(repr(old))} is not a name", place=place, mend="write the names of the model as texts"
            )
    elif isinstance(given, Sequence) and not isinstance(given, (str, bytes)):
        pairs = dict(enumerate(given))
        _refuse_twice([str(name) for name in given], lambda position: f"{place}[{position}]")
    else:
        raise FormatError("these are not names", place=place, mend=_FORM)
    for key, name in pairs.items():
        if not isinstance(name, str):
            raise FormatError(f"{shown(name)} is not a text", place=f"{place}[{key}]", mend="write a text")
        check_name(what, name, f"{place}[{key}]")
    return given
