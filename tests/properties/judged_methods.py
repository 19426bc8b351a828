"""Right explainers with helpers that have the names of abilities, for tests; also named as ``judged_methods:NAME``."""

from __future__ import annotations

from typing import Any

from xpgcheck.properties.seeded.textbook import Textbook
from xpgcheck.properties.subjects import ARGUMENTS

RIGHT = ("axp", "cxp")
"""The questions that the explainers here answer by a right method; every other name is that of a helper."""


def _spoken(*_: Any) -> Any:
    raise AssertionError("a helper was asked")


def _with_helpers(called: str, parameters: dict[str, str]) -> type:
    textbook = Textbook()
    members: dict[str, Any] = {
        "name": called,
        "axp": lambda self, graph, instance: textbook.axp(graph, instance),
        "cxp": lambda self, graph, instance: textbook.cxp(graph, instance),
    }
    for name, given in parameters.items():
        members[name] = eval(f"lambda self, {given}: spoken()", {"spoken": _spoken})
    return type(called, (), members)


_HELPERS = [name for name in ARGUMENTS if name not in RIGHT]

FewParameters = _with_helpers("FewParameters", dict.fromkeys(_HELPERS, "sets"))
ManyParameters = _with_helpers("ManyParameters", dict.fromkeys(_HELPERS, "a, b, c, d, e, f"))
NamedParameters = _with_helpers("NamedParameters", dict.fromkeys(_HELPERS, "graph, *, mode"))
OnlyHelpers = type("OnlyHelpers", (), {"name": "OnlyHelpers", "dual": lambda self, sets: _spoken()})


class Listed:
    """A helper with fitting parameters, which only a list tells from an ability."""

    name = "Listed"
    can = ("axp",)

    def axp(self, graph: Any, instance: Any) -> Any:
        return Textbook().axp(graph, instance)

    def terminals(self, graph: Any, node: Any) -> Any:
        return _spoken()


class ListedWithoutMethod(Listed):
    name = "ListedWithoutMethod"
    can = ("axp", "cxp")


class ListedWrongly(Listed):
    name = "ListedWrongly"
    can = ("axp", "axps")


class ListedThatDoesNotFit(Listed):
    name = "ListedThatDoesNotFit"
    can = ("axp", "dual")

    def dual(self, sets: Any) -> Any:
        return _spoken()


class ListedAsText(Listed):
    name = "ListedAsText"
    can = "axp"
