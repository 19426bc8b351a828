"""What stands above a picture: title, instance, what the XP does, and the legend."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum

from xpgcheck.drawing.literals import rounds
from xpgcheck.drawing.plan import Plan, Shape
from xpgcheck.drawing.text import fitted
from xpgcheck.drawing.view import View
from xpgcheck.explanations.texts import counted, listed, printable, short_value
from xpgcheck.xpg.xps import Kind

MAX_VALUES = 12
"""Features of the instance that the heading lists; the tooltip lists all."""


def title(view: View) -> str:
    """Return the model's name, and the instance's class."""
    name = printable(view.graph.name)
    return name if view.point is None else f"{name}: class {_class(view, view.target)}"


def equations(view: View, features: Sequence[int]) -> list[str]:
    """Return ``age = 41`` for each of *features*."""
    assert view.point is not None
    graph, point = view.graph, view.point
    return [f"{printable(graph.features[i].name)} = {short_value(graph.features[i].domain, point[i])}" for i in features]


def instance_words(view: View) -> Iterator[str]:
    """Yield the words of the line that gives the instance: the XP's features first, then those that its path tests."""
    if view.point is None:
        return
    graph = view.graph
    first = sorted(view.xp.features) if view.xp else []
    tested = [graph.feature_of[node] for node in view.taken if not graph.is_terminal(node)]
    order = list(dict.fromkeys([*first, *tested, *range(len(graph.features))]))
    shown = sorted(order[:MAX_VALUES])
    parts = [fitted(part, 12, 280) for part in equations(view, shown)]
    rest = len(order) - len(shown)
    if rest:
        parts.append(f"… {counted(rest, 'more feature')}")
    yield "Instance:"
    for part in parts[:-1]:
        yield f"{part},"
    yield parts[-1]


def xp_sentence(view: View) -> str:
    """Return what the XP does in this picture, as it shows it: which classes are reached, whatever was claimed."""
    if view.xp is None:
        return ""
    names = [fitted(printable(view.graph.features[i].name), 12, 200) for i in sorted(view.xp.features)]
    number = "" if view.number is None else f" {view.number}"
    some = listed(names) if len(names) <= MAX_VALUES else f"{listed(names[:MAX_VALUES])} and {len(names) - MAX_VALUES} more"
    others = [_class(view, index) for index in view.reached_classes if index != view.target]
    free = len(view.graph.features) - len(view.fixed)
    own = _class(view, view.target)
    if view.xp.kind is Kind.AXP:
        kept = f"{some or 'no feature'} fixed, the other {free} free" if free else f"{some} fixed"
        outcome = f"only class {own} is reached" if not others else f"class {listed(others)} is reached too: not sufficient"
    else:
        kept = f"{some or 'no feature'} free, the other {len(view.fixed)} fixed" if view.fixed else f"{some} free"
        outcome = f"class {listed(others)} is reached" if others else f"only class {own} is reached: no change of class"
    return f"{view.xp.kind.value}{number}: {kept}; {outcome}."


def _class(view: View, index: int) -> str:
    return fitted(printable(view.graph.classes[index]), 14, 220)


class Key(Enum):
    """What an item of the legend explains."""

    PATH = "the instance's path"
    FIXED = "tests a feature of the AXp (fixed)"
    FREED = "tests a feature of the CXp (free)"
    OPEN = "open: reached under it"
    SHUT = "not reached"
    OTHER = "another class, reached"
    FOLD = "folded nodes"


def legend_keys(plan: Plan) -> list[Key]:
    """Return what the legend explains besides the classes: only what is in the picture."""
    view = plan.view
    keys = [Key.PATH] if view.point is not None else []
    if view.xp is not None:
        if any(box.marked for box in plan.boxes):
            keys.append(Key.FIXED if view.xp.kind is Kind.AXP else Key.FREED)
        keys.append(Key.OPEN)
        if not all(box.reached for box in plan.boxes):
            keys.append(Key.SHUT)
        if any(box.shape is Shape.TERMINAL and box.other and box.reached for box in plan.boxes):
            keys.append(Key.OTHER)
    if plan.folded:
        keys.append(Key.FOLD)
    return keys


def notes(plan: Plan) -> list[str]:
    """Return what else a reader has to know."""
    found = []
    if plan.folded:
        shown = plan.view.graph.node_count - plan.folded
        found.append(f"{shown:,} of {plan.view.graph.node_count:,} nodes are shown.")
    if rounds(plan.view.graph):
        found.append("Numbers on edges are rounded; tooltips have them in full.")
    return found
