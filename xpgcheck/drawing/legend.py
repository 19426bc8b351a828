"""The legend of a picture: title, instance, what the XP does, and the legend."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum

from xpgcheck.drawing.plan import NodeShape, PicturePlan
from xpgcheck.drawing.text import fitted, isolated
from xpgcheck.drawing.view import View
from xpgcheck.errors import printable
from xpgcheck.wording import counted, listed, short_value
from xpgcheck.xpg.xps import Kind

MAX_VALUES = 12
"""Features of the instance that the heading lists; the tooltip lists all."""


def title(view: View) -> str:
    """Return the model's name, and the instance's class."""
    name = printable(view.graph.name)
    return name if view.point is None else f"{name}: {class_words(view, [view.target])}"


def equations(view: View, features: Sequence[int]) -> list[str]:
    """Return ``age = 41`` for each of *features*."""
    assert view.point is not None
    graph, point = view.graph, view.point
    return [
        f"{isolated(printable(graph.features[i].name))} = {short_value(graph.features[i].domain, point[i])}"
        for i in features
    ]


def instance_words(view: View) -> Iterator[str]:
    """Yield the words of the line that gives the instance: the XP's features first, then those that its path tests."""
    if view.point is None:
        return
    graph = view.graph
    first = sorted(view.xp.features) if view.xp else []
    tested = [graph.feature_of[node] for node in view.taken if not graph.is_terminal(node)]
    order = list(dict.fromkeys([*first, *tested, *range(len(graph.features))]))
    shown = sorted(order[:MAX_VALUES])
    parts = [fitted(part, 12, 320) for part in equations(view, shown)]
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
    kind, count = view.xp.kind, len(view.graph.features)
    names = [isolated(fitted(printable(view.graph.features[i].name), 12, 200)) for i in sorted(view.xp.features)]
    some = listed(names)
    if len(names) > MAX_VALUES:
        some = f"{', '.join(names[:MAX_VALUES])} and {counted(len(names) - MAX_VALUES, 'more feature')}"
    own, rest = ("fixed", "free") if kind is Kind.AXP else ("free", "fixed")
    others = count - len(names)
    kept = f"{some or 'no feature'} {own}, {_the_other(others)} {rest}" if others else f"{some} {own}"
    kept = kept if names else f"no feature {own}, all {rest}"
    number = "" if view.number is None else f" {view.number}"
    return f"{kind.value}{number}: {kept}; {_outcome(view, kind)}."


def _the_other(count: int) -> str:
    return "the other feature" if count == 1 else f"the other {counted(count, 'feature')}"


def _outcome(view: View, kind: Kind) -> str:
    others = [index for index in view.reached_classes if index != view.target]
    if not others:
        doubt = "" if kind is Kind.AXP else ", so it changes nothing"
        return f"only {class_words(view, [view.target])} is reached{doubt}"
    doubt = ", so it does not suffice" if kind is Kind.AXP else ""
    too = "too " if kind is Kind.CXP else ""
    return f"{class_words(view, others)} {'is' if len(others) == 1 else 'are'} reached {too}".rstrip() + doubt


def class_words(view: View, indices: Sequence[int]) -> str:
    """Return ``class T``, ``classes T and L``; names that say so themselves are not called classes again."""
    names = [fitted(printable(view.graph.classes[index]), 14, 220) for index in indices[:MAX_VALUES]]
    prefix = (
        "" if all(name.lower().startswith("class") for name in names) else "class " if len(names) == 1 else "classes "
    )
    more = f" and {len(indices) - MAX_VALUES} more" if len(indices) > MAX_VALUES else ""
    return prefix + (", ".join(map(isolated, names)) + more if more else listed(list(map(isolated, names))))


class Key(Enum):
    """The part of a picture that an item of the legend explains."""

    PATH = "the instance's path"
    FIXED = "tests a feature of the AXp (fixed)"
    FREED = "tests a feature of the CXp (free)"
    OPEN = "open: reached under it"
    SHUT = "not reached"
    OTHER = "another class, reached"
    FOLD = "folded nodes"


def legend_keys(plan: PicturePlan) -> list[Key]:
    """Return what the legend explains besides the classes: only what is in the picture."""
    view = plan.view
    keys = [Key.PATH] if view.point is not None else []
    if view.xp is not None:
        if any(box.marked for box in plan.boxes):
            keys.append(Key.FIXED if view.xp.kind is Kind.AXP else Key.FREED)
        keys.append(Key.OPEN)
        if not all(box.reached for box in plan.boxes):
            keys.append(Key.SHUT)
        if any(box.shape is NodeShape.TERMINAL and box.other and box.reached for box in plan.boxes):
            keys.append(Key.OTHER)
    if plan.folded:
        keys.append(Key.FOLD)
    return keys


def notes(plan: PicturePlan) -> list[str]:
    """Return what else a reader has to know."""
    found = []
    if plan.folded:
        shown = plan.view.graph.node_count - plan.folded
        found.append(f"{shown:,} of {plan.view.graph.node_count:,} nodes are shown.")
    if plan.rounded:
        found.append("Numbers on edges are rounded; tooltips have them in full.")
    return found
