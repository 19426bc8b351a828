"""Certificates of sets of values: issued for what was judged, taken by the checker, and refused after any tampering."""

from __future__ import annotations

import copy
import functools
import itertools
import json
import random
import types
from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from test_inflated_claims import drawn_box

from xpgcheck import check_certificate
from xpgcheck.certificates.canonical_texts import end_text, value_json
from xpgcheck.certificates.checked import CertifiedLine, CertifierPool, RefusedLineError
from xpgcheck.certificates.constrained_evidence import BoxTables, ConstrainedTables
from xpgcheck.certificates.judged_claims import ClaimCertifier
from xpgcheck.certificates.value_evidence import ValueEvidence
from xpgcheck.check_certificate import check_lines
from xpgcheck.explanations.case import case_of
from xpgcheck.judging.claim import Claim, ClaimKind, Notion
from xpgcheck.judging.judged import Judged
from xpgcheck.judging.panel import open_panel
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.judging.xp_judge import shrink_axp, shrink_cxp
from xpgcheck.model.domains import Float32, Float64, Integer
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.literals import read_literal, write_literal
from xpgcheck.model.value_sets import Grid, IntervalSet, set_of_spans, value_text
from xpgcheck.model.values import MISSING
from xpgcheck.properties.constraints.strategies import constraint_cases
from xpgcheck.properties.ensembles.strategies import ensemble_cases
from xpgcheck.properties.running.search import visit
from xpgcheck.properties.strategies import cases
from xpgcheck.readers.json_model import parse_json
from xpgcheck.xpg.explanation_graph import mask_of

MAX_POINTS = 2_000
"""Combinations of cells up to which a case is looked at."""


def ours(model: Any, instance: Any, consensus: Any, constraint: Any) -> Iterator[tuple[ClaimKind, Any]]:
    """Yield our own sets of values of an AXp, a CXp and a change, and the same a cell smaller or larger."""
    everything = frozenset(range(len(model.features)))
    explainer = case_of(model, instance, constraint=constraint).explainer
    boxes = []
    axp = shrink_axp(consensus, everything)
    if axp is not None:
        boxes.append((ClaimKind.INFLATED_AXP, explainer.values_of_axp(mask_of(axp))))
    cxp = shrink_cxp(consensus, everything) if consensus.ask(()).changeable else None
    if cxp is not None:
        boxes.append((ClaimKind.INFLATED_CXP, explainer.values_of_cxp(mask_of(cxp))))
        changed = consensus.ask(everything - cxp).witness
        boxes.append((ClaimKind.INFLATED_CHANGE, explainer.values_of_change(mask_of(cxp), changed)))
    for kind, box in boxes:
        assert box is not None
        yield kind, dict(box)
        for i, values in box.items():
            for cell in model.cells[i]:
                for other in (values.difference(cell), values.union(cell)):
                    if other != values and not other.is_empty():
                        yield kind, {**box, i: other}
            yield kind, {j: values for j, values in box.items() if j != i}
        for i in sorted(everything - box.keys())[:1]:
            yield kind, {**box, i: model.cells[i][0]}


def judged_claims(model: Any, instance: Any, dice: random.Random, constraint: Any) -> Iterator[Judged]:
    """Yield claims of sets of values, right and wrong, with their verdicts."""
    notion = Notion.FEATURES if constraint is None else Notion.CONSTRAINTS
    with open_panel(model, solver_last=True, constraint=constraint) as panel:
        judge = panel.claims_at(instance)
        consensus = judge.frame(notion).consensus
        drawn = [(kind, drawn_box(model, instance, dice)) for kind in (ClaimKind.INFLATED_AXP, ClaimKind.INFLATED_CXP)]
        listed = list(ours(model, instance, consensus, constraint))
        for kind, box in [*drawn, *dice.sample(listed, min(12, len(listed)))]:
            yield judge.judge(Claim(kind, notion, box=tuple(sorted(box.items(), key=lambda pair: pair[0]))))


def small(model: Any, instance: Any) -> bool:
    count = 1
    for split in model.cells:
        count *= len(split)
    settled = not isinstance(model, Ensemble) or (model.is_settled(instance) and not model.tally.slack)
    return count <= MAX_POINTS and settled


class Certified(NamedTuple):
    """A judged claim, and its line or why there is none."""

    model: Any
    instance: Any
    constraint: Any
    judged: Judged
    line: CertifiedLine | str


def look(model: Any, instance: Any, dice: random.Random, constraint: Any = None) -> Iterator[Certified]:
    """Yield judged claims, each with its line or why there is none."""
    pool = CertifierPool()
    for judged in judged_claims(model, instance, dice, constraint) if small(model, instance) else ():
        line = pool.certified(model, instance, judged, constraint)
        yield Certified(model, instance, constraint, judged, line)


@functools.cache
def certified(graphs: int = 12, ensembles: int = 7) -> tuple[Certified, ...]:
    found: list[Certified] = []
    visit(cases(), lambda case: found.extend(look(*case, random.Random(len(found)))), graphs, 0)
    visit(
        ensemble_cases(trees=3),
        lambda case: found.extend(look(case.graph, case.instance, random.Random(len(found)))),
        ensembles,
        0,
    )
    visit(
        constraint_cases(8),
        lambda case: found.extend(look(case.graph, case.instance, random.Random(len(found)), case.constraint)),
        11,
        0,
    )
    for value in (MISSING, Fraction(0), Fraction(4)):
        found.extend(look(STRIPES, (value,), random.Random(0)))
    return tuple(found)


STRIPES = parse_json(b"""{"format": "decision-graph", "version": 1, "name": "stripes",
 "features": [{"name": "x", "domain": {"type": "float32", "missing": true}}], "classes": ["no", "yes"], "root": "r",
 "nodes": [{"id": "r", "feature": "x", "edges": [{"to": "n", "in": ["(-inf, 1]", "(2, 3]", "(4, inf)"]},
   {"to": "y", "in": ["missing", "(1, 2]", "(3, 4]"]}]}, {"id": "n", "class": "no"}, {"id": "y", "class": "yes"}]}""")
"""Between values of one class lie some of the other."""


def test_every_judged_claim_has_a_line() -> None:
    counts = Counter(
        (item.judged.claim.kind, item.judged.verdict, isinstance(item.line, CertifiedLine)) for item in certified()
    )
    assert [key for key in counts if not key[2] and key[1] is not Verdict.INCONCLUSIVE] == []
    kinds = {(kind.value, verdict.value) for kind, verdict, _ in counts}
    assert kinds >= {
        *[(kind, "inflated") for kind in check_certificate.INFLATED],
        *[(kind, "not maximal") for kind in check_certificate.INFLATED],
        *[(kind, "redundant") for kind in check_certificate.INFLATED],
        ("inflated AXp", "insufficient"),
        ("inflated CXp", "ineffective"),
        ("inflated change", "ineffective"),
        ("inflated change", "insufficient"),
    }


# ------------------------------------------------------------------------------------------------------------ tampering


class Statement:
    """The meaning of a claim of sets of values, by κ at every combination of cells."""

    def __init__(self, model: Any, instance: Any, constraint: Any, kind: str, box: Any) -> None:
        self.model, self.kind, self.box, self.constraint = model, kind, box, constraint
        self.own = model.kappa(instance)
        self.parts = model.cells if constraint is None else constraint.cells_with(model)
        pairs = enumerate(zip(self.parts, instance, strict=True))
        self.cells = [[instance[i] if v in cell else cell.representative() for cell in s] for i, (s, v) in pairs]
        self.instance = instance

    def points(self, box: Any, free: bool) -> Iterator[Any]:
        """Points with values in *box*, the others *free* or as at the instance."""
        rows = [
            [x for x in row if x in box[i]] if i in box else row if free else [self.instance[i]]
            for i, row in enumerate(self.cells)
        ]
        return itertools.product(*rows)

    def occurs(self, point: Any) -> bool:
        return self.constraint is None or self.constraint.allows(point)

    def classes(self, box: Any) -> set[int]:
        """The classes of points that occur; what does not is no change, as is the own class."""
        points = list(self.points(box, self.kind == "inflated AXp"))
        none = {self.own} if self.kind == "inflated change" and not all(map(self.occurs, points)) else set()
        return {self.model.kappa(point) for point in points if self.occurs(point)} | none

    def grows(self) -> bool:
        target = self.classes(self.box)
        for i, values in self.box.items():
            for cell in self.parts[i]:
                larger = values.union(cell)
                numbers = isinstance(larger, IntervalSet) and larger.cuts != values.cuts and bool(values.cuts)
                nearby = not numbers or len(larger.cuts) <= len(values.cuts)
                if larger != values and nearby and self.classes({**self.box, i: larger}) == target:
                    return True
        return False

    def changes(self, features: Any) -> list[Any]:
        whole = {i: self.model.features[i].domain.all_values() for i in features}
        points = [point for point in self.points(whole, free=False) if self.occurs(point)]
        return [point for point in points if self.model.kappa(point) != self.own]

    def features_are_right(self) -> bool:
        members = frozenset(self.box)
        if self.kind == "inflated AXp":
            rest = frozenset(range(len(self.cells))) - members
            return not self.changes(rest) and all(self.changes(rest | {i}) for i in members)
        return bool(self.changes(members)) and not any(self.changes(members - {i}) for i in members)

    def holds(self, verdict: str) -> bool:
        if self.kind == "inflated CXp":
            changes = self.changes(self.box)
            right = {i: {point[i] for point in changes} for i in self.box}
            said = {i: {x for x in self.cells[i] if x in values} for i, values in self.box.items()}
            missed = any(right[i] - said[i] for i in self.box)
            idle = any(said[i] - right[i] for i in self.box)
            if verdict == "inflated":
                return not missed and not idle and self.features_are_right()
            return missed if verdict == "not maximal" else idle
        found = self.classes(self.box)
        at = self.kind != "inflated AXp" or all(self.instance[i] in values for i, values in self.box.items())
        one = at and len(found) == 1 and (self.own in found) is (self.kind == "inflated AXp")
        if verdict == "ineffective":
            return self.own in found
        if verdict == "insufficient":
            return not at or len(found) > 1
        return (
            one and self.grows() is (verdict == "not maximal") and (verdict != "inflated" or self.features_are_right())
        )


Claims = list[Any]


def a_cell(model: Any, said: Any, dice: random.Random) -> tuple[int, Any, Any]:
    at = dice.randrange(len(said["features"]))
    feature = said["features"][at]
    return at, read_literal(model.features[feature].domain, said["values"][at]), dice.choice(model.cells[feature])


def put(model: Any, said: Any, at: int, values: Any) -> None:
    said["values"][at] = write_literal(model.features[said["features"][at]].domain, values)


def set_smaller(model: Any, claims: Claims, dice: random.Random) -> bool:
    at, values, cell = a_cell(model, claims[-1], dice)
    put(model, claims[-1], at, values.difference(cell))
    return bool(values.difference(cell) != values)


def set_larger(model: Any, claims: Claims, dice: random.Random) -> bool:
    at, values, cell = a_cell(model, claims[-1], dice)
    put(model, claims[-1], at, values.union(cell))
    return bool(values.union(cell) != values)


def feature_dropped(model: Any, claims: Claims, dice: random.Random) -> bool:
    said = claims[-1]
    at = dice.randrange(len(said["features"]))
    del said["features"][at], said["values"][at]
    return True


def another_verdict(model: Any, claims: Claims, dice: random.Random) -> bool:
    verdicts = ["inflated", "not maximal", "insufficient", "ineffective", "redundant", ""]
    claims[-1]["verdict"] = dice.choice([verdict for verdict in verdicts if verdict != claims[-1]["verdict"]])
    return True


def another_kind(model: Any, claims: Claims, dice: random.Random) -> bool:
    claims[-1]["kind"] = dice.choice([kind for kind in check_certificate.INFLATED if kind != claims[-1]["kind"]])
    return True


def point_dropped(model: Any, claims: Claims, dice: random.Random) -> bool:
    points = claims[-1]["points"]
    if points:
        del points[dice.randrange(len(points))]
    return True


def point_for_all(model: Any, claims: Claims, dice: random.Random) -> bool:
    points = claims[-1]["points"]
    if points:
        points[:] = [dice.choice(points)] * len(points)
    return True


def change_undone(model: Any, claims: Claims, dice: random.Random) -> bool:
    found = [point for point in claims[-1]["points"] if point]
    if found:
        point = dice.choice(found)
        del point[dice.randrange(len(point))]
    return bool(found)


def another_value(model: Any, claims: Claims, dice: random.Random) -> bool:
    found = [change for point in claims[-1]["points"] for change in point] + [claims[-1].get("value")] * 3
    change = dice.choice([change for change in found if change] or [None])
    if change:
        cell = dice.choice(model.cells[change[0]])
        change[1] = json.loads(value_json(cell.representative()))
    return bool(change)


def box_not_cut(model: Any, claims: Claims, dice: random.Random) -> bool:
    boxes = claims[-1]["boxes"]
    if boxes:
        boxes[dice.randrange(len(boxes))] = [-1]
    return bool(boxes)


def box_dropped(model: Any, claims: Claims, dice: random.Random) -> bool:
    boxes = claims[-1]["boxes"]
    if boxes:
        del boxes[dice.randrange(len(boxes))]
    return bool(boxes)


def claim_of_features_dropped(model: Any, claims: Claims, dice: random.Random) -> bool:
    del claims[:-1]
    return claims[-1]["verdict"] == "inflated"


def called_maximal(model: Any, claims: Claims, dice: random.Random) -> bool:
    """A set that is not as large as it can be has nothing wrong in its features."""
    said = claims[-1]
    said["verdict"] = "inflated"
    said.pop("value", None)
    return True


def change_elsewhere(model: Any, claims: Claims, dice: random.Random) -> bool:
    """The change is another one of stripes, outside the set: of the same class."""
    said = claims[-1]
    if model is not STRIPES or said["kind"] != "inflated change" or said["verdict"] != "inflated":
        return False
    said["points"][0] = [[0, "3.5"]]
    return True


def missing_alone(model: Any, claims: Claims, dice: random.Random) -> bool:
    """The missing value is left of a set of numbers and it."""
    said = claims[-1]
    found = [at for at, items in enumerate(said["values"]) if "missing" in items and len(items) > 1]
    if found:
        said["values"][dice.choice(found)] = ["missing"]
        said["points"] = []
    return bool(found)


def half_a_place(model: Any, claims: Claims, dice: random.Random) -> bool:
    """A set of reals or floats ends between two ends of literals."""
    said = claims[-1]
    for at, i in enumerate(said["features"] if said["verdict"] == "inflated" else ()):
        values = read_literal(model.features[i].domain, said["values"][at])
        if isinstance(values, IntervalSet) and values.grid is not Grid.INTEGERS and values.cuts:
            inside = values.representative()
            if inside is not MISSING:
                put(
                    model,
                    said,
                    at,
                    values.intersection(read_literal(model.features[i].domain, [f"(-inf, {value_text(inside)}]"])),
                )
                return True
    return False


TAMPERINGS: tuple[Callable[[Any, Claims, random.Random], bool], ...] = (
    set_smaller,
    set_larger,
    feature_dropped,
    another_verdict,
    another_kind,
    point_dropped,
    point_for_all,
    change_undone,
    another_value,
    box_not_cut,
    box_dropped,
    claim_of_features_dropped,
    called_maximal,
    change_elsewhere,
    missing_alone,
    half_a_place,
)
ALWAYS_REFUSED = (claim_of_features_dropped, point_dropped, box_dropped, another_kind)


class File(NamedTuple):
    """A certificate of one claim, whose last line but one says *raw*."""

    model: Any
    instance: Any
    constraint: Any
    header: str
    raw: Any

    def with_claims(self, claims: Claims) -> list[bytes]:
        line = json.dumps({**self.raw, "claims": claims}, ensure_ascii=False, separators=(",", ":"))
        return [text.encode() for text in (self.header, f"{line}\n", end_text(1))]


@functools.cache
def of_values() -> tuple[File, ...]:
    """Certificates of claims of sets of values of some features."""
    found = []
    for model, instance, constraint, _, line in certified():
        if isinstance(line, CertifiedLine):
            raw = json.loads(line.text)
            last = raw["claims"][-1]
            if last["kind"] in check_certificate.INFLATED and last["features"]:
                header = ClaimCertifier(model, constraint, of_values=True).header()
                found.append(File(model, instance, constraint, header, raw))
    return tuple(found)


@functools.cache
def tampered() -> tuple[tuple[str, File, list[bytes]], ...]:
    """Each file after each kind of tampering."""
    found = []
    for number, file in enumerate(of_values()):
        for kind in TAMPERINGS:
            dice = random.Random(f"{number} {kind.__name__}")
            claims = copy.deepcopy(file.raw["claims"])
            if kind(file.model, claims, dice) and claims != file.raw["claims"]:
                found.append((kind.__name__, file, file.with_claims(claims)))
    return tuple(found)


def true(file: File, lines: list[bytes]) -> bool:
    """Tell whether what the last claim says is true."""
    said = json.loads(lines[1])["claims"][-1]
    features = said["features"]
    box = {
        i: read_literal(file.model.features[i].domain, items) for i, items in zip(features, said["values"], strict=True)
    }
    return Statement(file.model, file.instance, file.constraint, said["kind"], box).holds(said["verdict"])


def test_each_file_is_taken_and_true() -> None:
    for file in of_values():
        lines = file.with_claims(file.raw["claims"])
        outcome = check_lines(lines)
        assert outcome.status == 0, outcome.message
        assert true(file, lines)


def test_what_is_taken_after_tampering_is_true() -> None:
    refused: Counter[str] = Counter()
    for kind, file, lines in tampered():
        outcome = check_lines(lines)
        refused[kind] += outcome.status != 0
        assert outcome.status != 0 or true(file, lines), (kind, lines[1], outcome)
    assert refused.keys() == {kind.__name__ for kind in TAMPERINGS}
    assert min(refused.values()) > 0


@pytest.mark.parametrize("kind", [kind.__name__ for kind in ALWAYS_REFUSED])
def test_this_is_always_refused(kind: str) -> None:
    assert not [lines for name, _, lines in tampered() if name == kind and check_lines(lines).status == 0]


# --------------------------------------------------------------------------------------------------------- seeded bugs

SOURCE = Path(check_certificate.__file__).read_text(encoding="utf-8")

BUGS: dict[str, tuple[str, str]] = {
    "what is in no set is not left out": ("if all(any(low <= place < high for place in sets[i])", "if all(True"),
    "one set inside is enough": (
        "if all(any(low <= place < high for place in sets[i]) for i in sets for low, high in [box[i]]):",
        "if not any(all(low <= p < high for p in sets[i]) for i in sets for low, high in [box[i]]):",
    ),
    "the first place of a set alone": ("max(within[i]) + 1) if i in within", "min(within[i]) + 1) if i in within"),
    "the last place of a set is left out": ("max(within[i]) + 1) if i in within", "max(within[i])) if i in within"),
    "places without values count": ("if domain.numbers(row[p], row[p + 1])]", "]"),
    "missing is next to no set": ("(near | every - {*filled} if numbers else every)", "near"),
    "only larger numbers are next to a set": ("filled[max(0, k - 1) : k + 2]", "filled[max(0, k - 1) : k + 1]"),
    "only smaller numbers are next to a set": ("filled[max(0, k - 1) : k + 2]", "filled[k : k + 2]"),
    "categories are next to each other": ("if numbers else every) - met", ") - met"),
    "what has all values missing has nothing next to it": (": k + 2])} or every", ": k + 2])}"),
    "a part of a place is a place": ('ensure(not part or claim["verdict"] != "inflated"', "ensure(True"),
    "the instance may be outside": ("ensure(cxp or (fits[0] and not none), ", "ensure(True, "),
    "features are not looked at": ('{features}" in xps, ', '{features}" in xps or True, '),
    "an AXp for a CXp": ("f\"{'AXp' if axp else 'CXp'}{features}\"", 'f"AXp{features}"'),
    "others are free at a CXp": ("held = {} if axp else", "held = {} if axp or cxp else"),
    "others are free at a change": ("held = {} if axp else", "held = {} if axp or change else"),
    "others are fixed at an AXp": ("held = {} if axp else", "held = {} if False else"),
    "points may change others": ("ensure(all(point[i] == v[i] for i in held for point in points), ", "ensure(True, "),
    "a change of the same class": ("none = change and target == own", "none = False"),
    "a change to the class of the instance": (
        "target = own if forbidden(at) else model.class_at(at, work)",
        "target = own",
    ),
    "values of a CXp are not looked at": ("sorted(places if cxp else nearby)]", "sorted(() if cxp else nearby)]"),
    "values of no change are not looked at": ("[{**held, i: others} for i, (_, _, _, others) in sets.items()]", "[]"),
    "nothing next to a set is looked at": ("sorted(places if cxp else nearby)]", "sorted(places if cxp else ())]"),
    "the sets are not proved": ("if cxp else [whole]", "if cxp else []"),
    "any value can join": ("cxp and (cxp or place in places | nearby)", "cxp"),
    "a value inside joins": ("ensure((value in values) == cxp and", "ensure(True and"),
    "a value joins nothing": ("{**whole, i: places | {place}}]", "whole]"),
    "a value without the others": ("{**whole, i: places | {place}}]", "{**whole, i: {place}}]"),
    "a point outside shows it": ("ensure(fits[1:] == [not cxp], ", "ensure(len(fits) == 2, "),
    "a point of the same class shows it": (
        "found = forbidden(points[-1]) or model.class_at(points[-1], work, target) != target",
        "found = True",
    ),
    "every set lacks it": ("lacks = axp and verdict", "lacks = verdict"),
    "a change from outside": ('(none and verdict == "ineffective" and fits[0])', '(none and verdict == "ineffective")'),
    "all places may differ": (
        "fine = all(place_of(model, j, point[j]) in places for j, places in",
        "fine = True or all(0 for j, places in",
    ),
    "the place does not count": ("in {**whole, i: {place}}.items())", "in whole.items())"),
    "a point next to it of the same class": (
        "found = forbidden(point) or model.class_at(point, work, target) != target",
        "found = True",
    ),
    "the class of the change is forgotten": ("model.classes.index(target), tree", "model.classes.index(own), tree"),
    "all of a change need not occur": ("ensure(not (occurs and any(", "ensure(not (False and any("),
    "all of an AXp has to occur": ("ensure(not (occurs and any(", "ensure(not (any("),
    "what cannot occur next to a change is one": ("return change and any(rule", "return False and any(rule"),
    "what cannot occur next to an AXp shows it": ("return change and any(rule", "return any(rule"),
    "numbers just below a power of two": ("bool(after and number < 0 and size == Fraction(2) ** high)", "False"),
    "numbers are twice as far apart": ("max(high - digits + 1, -least)", "max(high - digits + 2, 1 - least)"),
    "numbers are half as far apart": ("max(high - digits + 1, -least)", "max(high - digits, -least - 1)"),
    "zero is far from its neighbour": ("if size else -least", "if size else 0"),
}


def changed(old: str, new: str) -> Any:
    """Return the checker with *old* in its text, which is there once, replaced."""
    assert SOURCE.count(old) == 1, (SOURCE.count(old), old)
    module = types.ModuleType("changed_checker")
    exec(compile(SOURCE.replace(old, new), "changed_checker", "exec"), module.__dict__)
    return module


def not_next_to() -> Iterator[list[bytes]]:
    """Yield files that show that a place could join a set which has others in between."""
    for file in of_values():
        said = file.raw["claims"][-1]
        if (said["kind"], said["verdict"]) != ("inflated AXp", "inflated") or file.constraint is not None:
            continue
        evidence = ValueEvidence(BoxTables(file.model), file.instance)
        for i, items in zip(said["features"], said["values"], strict=True):
            values = read_literal(file.model.features[i].domain, items)
            box = tuple(
                (j, read_literal(file.model.features[j].domain, items))
                for j, items in zip(said["features"], said["values"], strict=True)
            )
            for cell in file.model.cells[i]:
                if isinstance(values, IntervalSet) and len(values.union(cell).cuts) > len(values.cuts):
                    claim = Claim(ClaimKind.INFLATED_AXP, box=box)
                    text = evidence.claim(claim, Verdict.NOT_MAXIMAL, {i: cell})
                    if text is not None:
                        yield file.with_claims([json.loads(text)])


class Lenient(ValueEvidence):
    """It takes changes to need not occur."""

    def _search(self, *arguments: Any, occurs: bool = False) -> Any:
        return super()._search(*arguments)


def with_what_cannot_occur() -> Iterator[list[bytes]]:
    """Yield files that show a change to be as large as can be, points that cannot occur among it."""
    for file in of_values():
        said = file.raw["claims"][-1]
        if (said["kind"], said["verdict"]) != ("inflated change", "inflated") or file.constraint is None:
            continue
        evidence = Lenient(ConstrainedTables(file.model, file.constraint), file.instance)
        features = zip(said["features"], said["values"], strict=True)
        box = {i: read_literal(file.model.features[i].domain, items) for i, items in features}
        for i, values in box.items():
            for cell in file.constraint.cells_with(file.model)[i]:
                larger = tuple({**box, i: values.union(cell)}.items())
                claim = Claim(ClaimKind.INFLATED_CHANGE, Notion.CONSTRAINTS, box=larger)
                text = evidence.claim(claim, Verdict.INFLATED, {}) if cell.intersection(values).is_empty() else None
                lines = file.with_claims([*file.raw["claims"][:-1], json.loads(text or "{}")])
                if text is not None and not true(file, lines):
                    yield lines


def test_what_cannot_occur_is_no_change() -> None:
    files = list(with_what_cannot_occur())
    assert files
    assert not [lines for lines in files if check_lines(lines).status == 0]


def test_a_place_further_on_does_not_join() -> None:
    files = list(not_next_to())
    assert files
    assert not [lines for lines in files if check_lines(lines).status == 0]


def numbers_differ(checker: Any) -> bool:
    """Tell whether the checker finds other numbers between two cuts than the grids of the model have."""
    for kind, domain in (("integer", Integer()), ("float32", Float32()), ("float64", Float64())):
        mine = checker.Values(kind, frozenset(), ())
        whole = domain.all_values()
        step = {"integer": 0, "float32": 23, "float64": 52}[kind]
        ends = [Fraction(0), Fraction(1, 2**149), Fraction(1, 2**1074), Fraction(1, 3), Fraction(7, 2)]
        for power in (0, 1, 3, 40):
            ends += [
                Fraction(2) ** power + k * Fraction(2) ** (power - step - more) for k in (-1, 0, 1) for more in (0, 1)
            ]
        cuts = sorted((number, after) for x in ends for number in (x, -x) for after in (0, 1))
        cuts = sorted(set(cuts))
        for start, end in ((a, b) for k, a in enumerate(cuts) for b in cuts[k + 1 : k + 6]):
            between = set_of_spans(whole.grid, [(whole.grid.cut(*start), whole.grid.cut(*end))])
            if mine.numbers(start, end) is between.is_empty():
                return True
    return False


def test_numbers_of_the_checker_are_those_of_the_grids() -> None:
    assert not numbers_differ(check_certificate)


@functools.cache
def all_files() -> tuple[tuple[list[bytes], bool], ...]:
    """All files, right and tampered with, and whether the checker takes them."""
    right = [file.with_claims(file.raw["claims"]) for file in of_values()]
    files = [*right, *(lines for _, _, lines in tampered()), *not_next_to(), *with_what_cannot_occur()]
    return tuple((lines, check_lines(lines).status == 0) for lines in files)


def differs(checker: Any, lines: list[bytes], taken: bool) -> bool:
    try:
        return bool((checker.check_lines(lines).status == 0) is not taken)
    except (ValueError, KeyError, TypeError, AttributeError):
        return True


@pytest.mark.slow
@pytest.mark.parametrize("name", BUGS)
def test_a_seeded_bug_of_the_checker_is_found(name: str) -> None:
    checker = changed(*BUGS[name])
    assert numbers_differ(checker) or any(differs(checker, lines, taken) for lines, taken in all_files())


def a_place_short(plain: Any) -> Any:
    """Take the last place of each set of several to be outside."""

    def wrong(self: Any, within: Any, *rest: Any, **options: Any) -> Any:
        return plain(self, {i: p - {max(p)} if len(p) > 1 else p for i, p in within.items()}, *rest, **options)

    return wrong


def hulls(plain: Any) -> Any:
    """Take every set for what lies between its first and its last place."""

    def wrong(self: Any, within: Any, *rest: Any, **options: Any) -> Any:
        hull = {i: set(range(min(p), max(p) + 1)) if p else p for i, p in within.items()}
        return plain(self, hull, *rest, **options)

    return wrong


def everything_decided(plain: Any) -> Any:
    """Take each box to be decided."""
    return lambda self, box, within, search: [-1] if isinstance(plain(self, box, within, search), list) else box


def the_instance(plain: Any) -> Any:
    """Take the values of the instance wherever no change is wanted."""
    return lambda self, box, at, inside: plain(
        self, {i: (0, 10**6) if i else places for i, places in box.items()}, at, inside
    )


def any_number(plain: Any) -> Any:
    """Take each place to have values."""
    return lambda self, feature: list(range(len(self._model.places[feature])))


ISSUER_BUGS = {
    "a place short": ("_search", a_place_short),
    "hulls of sets": ("_search", hulls),
    "everything decided": ("_cut", everything_decided),
    "the instance": ("_point", the_instance),
    "any number": ("_filled", any_number),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ISSUER_BUGS)
def test_a_wrong_issuer_of_values_is_refused(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line is checked before it is handed out."""
    given = [(item.model, item.instance, item.judged, item.constraint) for item in certified()]
    method, make = ISSUER_BUGS[name]
    monkeypatch.setattr(ValueEvidence, method, make(getattr(ValueEvidence, method)))
    pool = CertifierPool()
    assert any(refused(pool, *each) for each in given)


def refused(pool: CertifierPool, *about: Any) -> bool:
    try:
        pool.certified(*about)
    except (RefusedLineError, StopIteration, IndexError, ValueError):
        return True
    return False
