"""Explanations in words: the sentences that the command, ``print`` and a notebook show alike."""

from __future__ import annotations

from collections.abc import Iterator

from xpgcheck.errors import printable
from xpgcheck.explanations.case import ExplainedInstance
from xpgcheck.explanations.result import Explanations, Mode
from xpgcheck.explanations.standing import settled_trees, standing_lines
from xpgcheck.model.boxes import Box
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.reports.terminal import GLUE
from xpgcheck.wording import condition_text, counted, listed, short_value
from xpgcheck.xpg.explanation_graph import indices
from xpgcheck.xpg.xps import Kind

CONSTRAINED = "Under constraints: only points that can occur count."

MAX_VALUES = 8
"""Features up to which the heading repeats the whole instance."""


def heading(found: Explanations) -> str:
    """Return what is explained, and how many XPs there are: ``hardware, class T: 1 AXp, 2 CXps``."""
    families = [found.families[kind] for kind in (Kind.AXP, Kind.CXP)]
    totals = [
        ("" if family.total is not None else "at least ") + counted(family.total or len(family.masks), kind.value)
        for family, kind in zip(families, (Kind.AXP, Kind.CXP), strict=True)
    ]
    counts = ", ".join(totals) if found.mode is Mode.ALL else f"{found.mode.value} AXp and CXp"
    under = "" if found.case.constraint is None else " under constraints"
    return f"{printable(found.case.graph.name)}, {conclusion(found.case)}{under}: {counts}"


def conclusion(case: ExplainedInstance) -> str:
    """Return ``class T``, or what stands for it where the class is not known."""
    return "the prediction" if case.prediction is None else f"class {printable(case.prediction)}"


def _held(text: str) -> str:
    """Return *text* so that it is not broken into lines."""
    return text.replace(" ", GLUE)


def _plain(text: str, *, glued: bool) -> str:
    """Return *text* with blanks for glue, unless it is to be *glued*."""
    return text if glued else text.replace(GLUE, " ")


def instance_line(case: ExplainedInstance, *, glued: bool = False) -> str:
    """Return the instance as one line, or how many features it has where these are many; *glued* as of sentences."""
    if case.point is None:
        return "the instance that the labels stand for"
    if len(case.names) > MAX_VALUES:
        return f"an instance of {counted(len(case.names), 'feature')}"
    return _plain(", ".join(_held(equation(case, i)) for i in range(len(case.names))), glued=glued)


def name_of(case: ExplainedInstance, feature: int) -> str:
    """Return the feature's name, printable."""
    return printable(case.names[feature])


def value_of(case: ExplainedInstance, feature: int) -> str:
    """Return the instance's value of *feature*; an empty text for an `.xpg` model."""
    if case.point is None or case.model is None:
        return ""
    return short_value(case.model.features[feature].domain, case.point[feature])


def equation(case: ExplainedInstance, feature: int) -> str:
    """Return ``age = O``, of a labelled graph the name alone."""
    value = value_of(case, feature)
    return _equals(name_of(case, feature), value) if value else name_of(case, feature)


def _equals(name: str, value: str) -> str:
    """Return ``age = 3``, or ``age ≈ 3.1`` of a value that is shown approximately."""
    return f"{name} ≈ {value[1:]}" if value.startswith("≈") else f"{name} = {value}"


def axp_sentence(case: ExplainedInstance, axp: int, *, glued: bool = False) -> str:
    """Return why the prediction is what it is: ``class T because age ≤ 30, whatever the other 3 features are``.

    Where it is to be broken into lines, ``age ≤ 30`` can be *glued* together (:data:`xpgcheck.reports.terminal.GLUE`).
    """
    features = indices(axp)
    if not features:
        return f"{conclusion(case)} whatever the features are"
    rest = len(case.names) - len(features)
    others = f", whatever the other {'feature is' if rest == 1 else f'{rest} features are'}" if rest else ""
    if case.point is None:
        keep = "keeps its value" if len(features) == 1 else "keep their values"
        return f"the prediction holds while {listed([name_of(case, i) for i in features])} {keep}{others}"
    found, _ = case.other_values_of_axp(axp)
    also = "".join(f"; or because {listed(_conditions(case, box))}" for box in found)
    return _plain(f"{conclusion(case)} because {listed(_axp_conditions(case, axp))}{also}{others}", glued=glued)


def _axp_conditions(case: ExplainedInstance, axp: int) -> list[str]:
    """Return of each feature of *axp* which values would do, or the instance's where that is not known."""
    box = case.values_of_axp(axp) or {}
    return [_condition(case, i, box[i]) if i in box else _held(equation(case, i)) for i in indices(axp)]


def _conditions(case: ExplainedInstance, box: Box) -> list[str]:
    return [_condition(case, i, values) for i, values in sorted(box.items(), key=lambda pair: pair[0])]


def _condition(case: ExplainedInstance, feature: int, values: ValueSet) -> str:
    assert case.model is not None
    return _held(condition_text(name_of(case, feature), case.model.features[feature].domain, values))


def cxp_sentence(found: Explanations, cxp: int, *, glued: bool = False) -> str:
    """Return what would change the class: ``class L with age > 30 (not 27)``, the values around the closest such change."""
    case, point = found.case, found.closest_point(cxp)
    if point is None or case.model is None:
        return f"the prediction can change with {listed([name_of(case, i) for i in indices(cxp)])}"
    box = case.values_of_change(cxp, point.point) or {}
    changes = []
    for feature in indices(cxp):
        value = short_value(case.model.features[feature].domain, point.point[feature])
        new = _held(_equals(name_of(case, feature), value))
        if feature in box:
            new = _condition(case, feature, box[feature])
        changes.append(f"{new} {_held(f'(not {value_of(case, feature)})')}")
    doubt = "" if point.proven else "; a closer point may exist"
    return _plain(f"class {printable(point.prediction)} with {listed(changes)}{doubt}", glued=glued)


def family_title(found: Explanations, kind: Kind) -> str:
    """Return the title of a list of XPs, which says how many there are and whether they are all shown."""
    family = found.families[kind]
    aim = f"Why {conclusion(found.case)}" if kind is Kind.AXP else f"What changes {conclusion(found.case)}"
    if found.mode is not Mode.ALL:
        word = "One" if found.mode is Mode.ONE or family.doubts else "A smallest"
        return f"{aim}? {word} {kind.value}:" if family.masks else f"{aim}?"
    if family.complete:
        return f"{aim}? {counted(len(family.masks), kind.value)}{':' if family.masks else ''}"
    count = counted(len(family.masks), kind.value)
    if family.total is None and not family.masks:
        return f"{aim}? No {kind.value} was found before the search ended ({family.cut or 'the limit'})."
    if family.total is None:
        why = f"the search ended early ({family.cut})" if family.cut else "the limit cut the search short"
        return f"{aim}? At least {count}; {why}:"
    return f"{aim}? The smallest {len(family.masks):,} of {counted(family.total, kind.value)}:"


def family_notes(found: Explanations, kind: Kind) -> Iterator[str]:
    """Yield what else is to be said of a kind of XP: that there is none, and why; wishes that could not be met."""
    case, wish = found.case, found.wishes.get(kind)
    if wish is not None and wish.obstacle is not None:
        without = listed([name_of(case, i) for i in indices(wish.never)])
        if kind is Kind.AXP:
            yield f"No AXp does without {without}, all else as it is: {cxp_sentence(found, wish.obstacle)}."
        elif wish.obstacle:
            yield f"No CXp does without {without}: {axp_sentence(case, wish.obstacle)}."
    if kind is Kind.CXP and found.families[kind].total == 0:
        yield "Nothing changes it: the model is constant."
    if wish is not None:
        for feature in indices(wish.left_out):
            yield f"No {kind.value} holds {name_of(case, feature)} as well."


def sentences(found: Explanations, kind: Kind, *, glued: bool = False) -> Iterator[str]:
    """Yield a sentence per XP, with its conditions *glued* together if so."""
    for mask in found.families[kind].masks:
        sentence = (
            axp_sentence(found.case, mask, glued=glued) if kind is Kind.AXP else cxp_sentence(found, mask, glued=glued)
        )
        doubt = doubt_text(found, kind, mask)
        yield (f"{sentence} ({doubt})" if doubt else sentence) + _trees_settled(found.case, kind, mask)


def doubt_text(found: Explanations, kind: Kind, mask: int) -> str:
    """Return what stays open of an XP; an empty text where nothing does."""
    doubt = found.families[kind].doubts.get(mask)
    if doubt is None:
        return ""
    if not doubt.needless:
        return f"there may be a smaller one: {doubt.reason}"
    names = listed([name_of(found.case, i) for i in indices(doubt.needless)])
    return f"open whether it needs {names}: {doubt.reason}"


def _trees_settled(case: ExplainedInstance, kind: Kind, mask: int) -> str:
    """Return how many trees an AXp settles, of an ensemble."""
    if kind is Kind.CXP or not isinstance(case.graph, Ensemble) or case.point is None or not mask:
        return ""
    return f"; it settles {settled_trees(case.graph, case.point, mask)} of {counted(len(case.graph.trees), 'tree')}"


def ensemble_lines(case: ExplainedInstance) -> list[str]:
    """Return how an ensemble stands at the instance; nothing of a graph."""
    if not isinstance(case.graph, Ensemble) or case.point is None:
        return []
    return list(standing_lines(case.graph, case.point))


Row = tuple[str, str, bool | None, bool | None, bool | None, bool | None]

ROLE_TITLES = ("some AXp", "every AXp", "some CXp", "every CXp")


def role_rows(found: Explanations) -> list[Row]:
    """Return of each feature in some XP: its name, its value, and whether it is in some AXp, every AXp and so on."""
    roles = found.roles
    return [
        (
            name_of(found.case, i),
            value_of(found.case, i),
            True,
            roles.tells(roles.in_every_axp, i),
            True,
            roles.tells(roles.in_every_cxp, i),
        )
        for i in indices(roles.relevant)
    ]


def idle_line(found: Explanations) -> str:
    """Return how many features are in no XP; an empty text where there are none."""
    undecided = found.roles.undecided & ~found.roles.relevant
    idle = len(found.case.names) - (found.roles.relevant | undecided).bit_count()
    if undecided:
        one = undecided.bit_count() == 1
        which = "1 feature is" if one else f"{undecided.bit_count():,} features are"
        rest = "" if not idle else f", {idle:,} in none"
        return f"Not listed: {which} in some AXp and CXp or in none, which was not decided{rest}."
    if not idle:
        return ""
    which = "The other feature is" if idle == 1 else f"The other {idle:,} features are"
    return f"{which} in no AXp and no CXp." if found.roles.relevant else "No feature is in any AXp or CXp."


def text(found: Explanations) -> str:
    """Return everything as plain lines, one an explanation."""
    lines = [f"{printable(found.case.graph.name)}: {conclusion(found.case)} for {instance_line(found.case)}"]
    lines += ensemble_lines(found.case)
    for kind in (Kind.AXP, Kind.CXP):
        lines.append(family_title(found, kind))
        lines += [f"  {number}. {sentence}" for number, sentence in enumerate(sentences(found, kind), 1)]
        lines += [f"  {note}" for note in family_notes(found, kind)]
    lines.append(f"In every AXp (necessary): {', '.join(map(printable, found.necessary)) or 'no feature'}.")
    lines += [line for line in [idle_line(found)] if line]
    return "\n".join(lines)
