"""Check a certificate of explanations without a solver, an explainer, or anything but Python's standard library.

    python check_certificate.py FILE [--model MODEL.json]        0: all is proved   1: refused   2: not the format

A decision graph gives a point the class at the end of the one path from its root whose literals all hold there.  Let v be
an instance, F the features.  X ⊆ F is a *weak AXp* if all points that agree with v on X have v's class; Y ⊆ F is a *weak
CXp* if some point that agrees with v on F∖Y has another.  AXps and CXps are those without needless members.  Proved are:
1. Closed set.  Some features are fixed at their values in v.  A set of nodes holds the root and, with a node, each child
   over an edge whose feature is not fixed or whose literal holds at v.  A point that agrees with v on what is fixed never
   leaves the set.  So if all its terminals have v's class, the fixed features are a weak AXp: of any graph at all.
2. Point.  It ends in another class, over the only edge that holds at each node.  So the features where it differs from v
   are a weak CXp, and a set that has none of them is no weak AXp.
3. AXp X: a closed set that fixes members only, and for each i ∈ X a point that changes no member but i.
   CXp Y: a point that changes members only, and for each j ∈ Y a closed set that fixes no member but j.
   The same shows that a claimed AXp (CXp) is weak, but "redundant", or not even weak ("insufficient", "ineffective").
4. Complete.  No S ⊆ F meets every listed CXp and contains no listed AXp: by clauses that follow by unit propagation (RUP),
   or a tree that puts features into S or keeps them out.  So a weak AXp, which meets every CXp, contains a listed AXp; and
   a weak CXp, whose complement contains no AXp, contains a listed CXp.
5. MUS of a formula in clauses: a refutation of these clauses (RUP), and for each of them a model of all the others.
6. An *ensemble* of DGs adds what their terminals weigh; the largest sum wins.  Sums are exact here, in whole units.  Its
   machine's sum of n numbers x, rounded at each of n + 2 steps to d binary digits, is off by (n + 2) / (2^d - n - 2) · Σ|x|
   at most, and not at all where d digits hold all that comes up.  Refused is what such *slack* in two sums could change: the
   class of v, or that a point has another.  Instead of 1, a *tree of boxes*: the points that agree with v on what is fixed,
   cut in two again and again.  For each box in the end, and each other class, its largest lead over v's class at a terminal
   is taken in each tree, from terminals that edges lead to whose literals meet the box, and the leads are added up.  The
   class leads by so much in this box at most: where that never suffices to win, nor to come within the slack, the fixed
   features are a weak AXp.
7. *Constraints* are DGs of classes allowed and forbidden.  All have to allow a point, and a box that one forbids is done.
8. *Values*, of an AXp, a CXp, or a CXp with a *change* (a point of another class): one set per member.  A *place* has
   values that no literal tells apart, and points next to a set have a value in the first place after an end that has some.
   AXp: the box of these sets has one class (6), and each place next to a set has a point of another; so no set, of numbers
   an interval and "missing" or not, can be larger.  Change: the same, with v's values elsewhere, and the whole box has to be
   allowed.  CXp: for each place of a set, a point that changes members only; for all places outside a set, no such point has
   another class (6).
To be trusted: this file, Python, its library; that model (--model compares) and constraints in line 1 are yours.  Work is
linear in the file: what takes over so many steps per byte is refused.  Lines count from 1, all else from 0.
"""

import argparse
import hashlib
import json
import math
import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import compress
from pathlib import Path
from typing import Any, NamedTuple

MAX_LINE, STEPS_PER_BYTE, FIRST_STEPS = 2**26, 1000, 10**6
Value = int | str | Fraction | None  # 0 or 1 of a Boolean feature; None is the missing value
Cut = tuple[int | Fraction | float, int]  # the gap just before (0) or after (1) a number; the only floats are ±inf
Box = list[tuple[int, int]]  # of each feature, from which place to which (left out)
BOTTOM, TOP = (float("-inf"), 0), (float("inf"), 0)
GRIDS = {"integer": (2000, 0, 2000), "float32": (24, 149, 128), "float64": (53, 1074, 1024)}  # see Values.value
MACHINES = {"binary32": GRIDS["float32"], "binary64": GRIDS["float64"], "exact": (1, 1, 10**4)}  # see Ensemble.weigh

# The format: a tuple is the types that may stand here, [form] a list, a pattern a text, any other constant itself.
INT, TEXT, OBJECT, FLAG, NUMBER, VALUE = (int,), (str,), (dict,), (bool,), (int, str), (int, str, type(None))
BITS, NAME = re.compile("0|[1-9a-f][0-9a-f]*"), re.compile("(?s:.{0,200})")
HEADER = {"format": "xpgcheck-certificate", "version": 1, "digest": TEXT}
MODEL_TREE, FEATURES = {"name": TEXT, "root": NUMBER, "nodes": [OBJECT]}, [{"name": NAME, "domain": OBJECT}]
MODEL = {"format": "decision-graph", "version": 1, "classes": [NAME], "features": FEATURES, **MODEL_TREE}
ENSEMBLE = {"format": "ensemble", "version": 1, "classes": [NAME], "features": FEATURES, "name": TEXT, "rule": OBJECT}
MAJORITY = {"type": "majority", "ties": "first class"}
SUM = {"type": re.compile("sum|average"), "base": [NUMBER], "arithmetic": re.compile("|".join(MACHINES))}
THRESHOLD = {"threshold": {"at": NUMBER, "inclusive": FLAG}, "doubt": NUMBER}
CLOSED, BOXES = {"closed": [{"fixed": [INT], "nodes": BITS}]}, {"closed": [{"fixed": [INT], "boxes": [INT]}]}
BOUNDS, TERMINAL = {"low": NUMBER, "high": NUMBER, "low_open": FLAG, "high_open": FLAG}, {"id": NUMBER, "class": NAME}
NON_TERMINAL = {"id": NUMBER, "feature": TEXT, "edges": [{"to": NUMBER, "in": [NUMBER]}]}
FAMILY = {"instance": [VALUE], "class": TEXT, "points": [[[VALUE]]], "claims": [OBJECT]}
CLAIM = {"kind": TEXT, "features": [INT], "verdict": TEXT}
BY_CLOSED_SET = ("AXp", "AXp"), ("AXp", "redundant"), ("CXp", "ineffective")
BY_POINT = ("CXp", "CXp"), ("CXp", "redundant"), ("AXp", "insufficient")
INFLATED = "inflated AXp", "inflated CXp", "inflated change"
VALUES = {**CLAIM, "values": [[NUMBER]], "boxes": [[INT]], "points": [[[VALUE]]]}
RUP, TREE = {"method": "rup", "lines": [[INT]]}, {"method": "tree", "nodes": [INT]}
FORMULA, MUS = {"clauses": [[INT]], "variables": INT}, {"mus": [INT], "refutation": [[INT]], "models": [BITS]}
Outcome = NamedTuple("Outcome", [("status", int), ("message", str), ("counts", dict[str, int])])  # noqa: UP014


class Refused(Exception):  # noqa: N818 - the word of the documents
    """The file does not prove what it says.  (``ValueError``: it is not in the format.)"""


def ensure(holds: bool, message: str, error: type[Exception] = Refused) -> None:
    """Raise *error* unless *holds*."""
    if not holds:
        raise error(message)


class Work:
    """Steps that may still be taken (looks at an edge, an interval, a feature), and what is looked at.  Call it first."""

    left, place = FIRST_STEPS, "the file"

    def __call__(self, steps: int, place: str = "") -> None:  # noqa: D102
        self.left, self.place = self.left - steps, place or self.place
        ensure(self.left >= 0, "this takes too many steps per byte (--steps-per-byte sets the limit)")


def read_json(line: bytes) -> Any:
    """Return the value of *line*, which has to be the one text of that value: no field twice, no blanks, no NaN."""
    ensure(not re.search(rb"(?:^|[\[,:\s-])[0-9]{401}", line), "a number has more than 400 digits", ValueError)
    value = json.loads(line.decode())
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"
    ensure(text == line.decode(), "it breaks off, or has a field twice, blanks or unusual spellings", ValueError)
    return value


def digest_of(value: Any) -> str:
    """Return the digest of a model or a formula: of its JSON text with sorted keys and without blanks."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def check_form(value: Any, form: Any, name: str, optional: Any = None) -> None:
    """Refuse *value* unless it has the *form* (see above), with exactly its types: True is no integer."""
    if type(form) is list and type(value) is list:
        if type(form[0]) is not tuple or any(type(item) not in form[0] for item in value):
            for position, item in enumerate(value):
                check_form(item, form[0], f"{name}[{position}]")
    elif type(form) is dict and type(value) is dict:
        forms = {**form, **(optional or {})}
        odd = (value.keys() - forms.keys()) | (form.keys() - value.keys())
        ensure(not odd, f"{name} has fields that are unknown here or missing: {sorted(odd)!a:.60}", ValueError)
        for key, item in value.items():
            check_form(item, forms[key], f"{name}.{key}")
    elif type(form) is re.Pattern and type(value) is str:
        ensure(form.fullmatch(value) is not None, f"{name} is not of the form {form.pattern}", ValueError)
    elif type(value) not in form if type(form) is tuple else type(value) is not type(form) or value != form:
        wanted = [kind.__name__ for kind in form] if type(form) is tuple else form
        raise ValueError(f"{name} is {value!a:.60} instead of {wanted!a:.60}")


def ascending(indexes: Sequence[int], size: int) -> frozenset[int]:
    """Return *indexes* as a set.  Refuses them where they do not ascend or there is nothing with that index."""
    fine = all(a < b < size for a, b in zip([-1, *indexes], indexes, strict=False))
    ensure(fine, f"{indexes!a:.60} do not ascend, or one is not from 0 to {size - 1}")
    return frozenset(indexes)


def read_number(raw: int | str) -> int | Fraction:
    """Return the number that an integer or a text ('-3', '2.45', '5/2') writes, exactly."""
    match = re.fullmatch(r"-?[0-9]{1,400}(\.[0-9]{1,400}|/[1-9][0-9]{0,399})?", str(raw))
    ensure(match is not None, f"{raw!a:.60} is not a number of at most 400 digits", ValueError)
    number = Fraction(raw)
    return number.numerator if number.denominator == 1 else number


class Values(NamedTuple):
    """A domain or a literal: listed values (of numbers only None, the missing one) and intervals; the domain's kind."""

    kind: str
    listed: frozenset[Value]
    spans: tuple[tuple[Cut, Cut], ...] | None = None  # None where values are not numbers

    def __contains__(self, value: Any) -> bool:
        if value is None or self.spans is None:
            return value in self.listed
        return any(start <= (value, 0) < end for start, end in self.spans)

    def literal(self, items: list[int | str]) -> "Values":
        """Return the union of the values and intervals of this domain in *items*; intervals may reach beyond it."""
        if self.spans is None:
            ensure(self.listed.issuperset(items), "a literal is not in the domain", ValueError)
            return Values(self.kind, frozenset(items))
        spans: list[tuple[Cut, Cut]] = []
        for item in (item for item in items if item != "missing"):
            match = re.fullmatch(r"([\[(])([^,\s]+), ([^,\s]+)([\])])", str(item))
            left, low, high, right = match.groups() if match else ("[", item, item, "]")
            start = BOTTOM if f"{left}{low}" == "(-inf" else (read_number(low), int(left == "("))
            spans.append((start, TOP if f"{high}{right}" == "inf)" else (read_number(high), int(right == "]"))))
        return Values(self.kind, frozenset([None] if "missing" in items else []), tuple(spans))

    def numbers(self, start: Cut, end: Cut) -> bool:
        """Tell whether some number lies between two cuts: of the integers or floats, where the domain is one of these."""
        number, after = start
        if start >= end or self.kind not in GRIDS or not isinstance(number, (int, Fraction)):
            return start < end
        digits, least, _ = GRIDS[self.kind]
        size = abs(Fraction(number))
        high = size.numerator.bit_length() - size.denominator.bit_length() if size else -least
        high -= 0 < size < Fraction(2) ** high or bool(after and number < 0 and size == Fraction(2) ** high)
        unit = Fraction(2) ** max(high - digits + 1, -least)  # between numbers from here on
        return ((math.floor(number / unit) + 1 if after else math.ceil(number / unit)) * unit, 0) < end

    def value(self, raw: Any) -> Value:
        """Return the value of this domain that *raw* writes: 0 or 1, a category, a number, None if missing."""
        value: Any = raw if self.spans is None or raw is None else read_number(raw)
        known = value in self
        if known and value is not None and self.kind in GRIDS:
            digits, least, top = GRIDS[self.kind]
            units = abs(value) * 2**least
            below = min(2 ** (top + least), (units.numerator & -units.numerator or 1) << digits)
            known = units.denominator == 1 and units < below
        ensure(known, f"{raw!a:.60} is not in the domain ({self.kind})")
        return value  # type: ignore[no-any-return]


def read_domain(raw: dict[str, Any]) -> Values:
    """Return the domain of a feature."""
    kind = str(raw.get("type"))
    if kind in ("boolean", "categorical"):
        check_form(raw, {"type": TEXT, "values": [NAME]} if kind == "categorical" else {"type": TEXT}, "domain")
        return Values(kind, frozenset(raw.get("values", (0, 1))))
    optional: Any = ({"missing": FLAG} if kind in GRIDS else {}) | (BOUNDS if kind[:5] != "float" else {})
    check_form(raw, {"type": kind if kind in GRIDS else "real"}, "domain", optional)
    start = (read_number(raw["low"]), int(raw.get("low_open", False))) if "low" in raw else BOTTOM
    end = (read_number(raw["high"]), int(not raw.get("high_open", False))) if "high" in raw else TOP
    return Values(kind, frozenset([None] if raw.get("missing") else []), ((start, end),))


class Space:
    """The features of a model: their domains, and the literals on them, each once."""

    def __init__(self, features: list[dict[str, Any]]) -> None:
        self.feature_of = {feature["name"]: i for i, feature in enumerate(features)}
        fine = 0 < len(self.feature_of) == len(features)
        ensure(fine, "features: there are none, or two are called alike", ValueError)
        self.domains = [read_domain(feature["domain"]) for feature in features]
        self.literals: list[tuple[int, Values]] = []  # (feature, set)
        self.known: dict[tuple[int, str], int] = {}


class Graph:
    """A DG as this project spells it, or a tree of an ensemble, over its features.  Node k is the k-th of the file."""

    def __init__(self, raw: dict[str, Any], space: Space | None = None) -> None:
        if space is None:
            check_form(raw, MODEL, "model")
            space = Space(raw["features"])
        self.domains, self.literals, feature_of = space.domains, space.literals, space.feature_of
        for k, node in enumerate(raw["nodes"]):
            check_form(node, TERMINAL if "class" in node else NON_TERMINAL, f"node {k}")
        node_of = {repr(node["id"]): k for k, node in enumerate(raw["nodes"])}  # texts cannot be made to collide
        for field, found in ("nodes", node_of), ("classes", classes := {*raw["classes"]}):
            ensure(0 < len(found) == len(raw[field]), f"{field}: there are none, or two are called alike", ValueError)
        self.nodes: list[tuple[int, str, list[tuple[int, int]]]] = []  # (feature or -1, class, [(child, literal)])
        self.root, self.costs = node_of.get(repr(raw["root"]), -1), list[int]()
        for k, node in enumerate(raw["nodes"]):
            feature, edges = feature_of.get(node.get("feature"), -1), list[tuple[int, int]]()
            declared = node["class"] in classes if "class" in node else feature >= 0
            ensure(declared, f"node {k}: its class or its feature is not declared", ValueError)
            for edge in node.get("edges", ()):
                ensure(repr(edge["to"]) in node_of, f"node {k}: there is no node {edge['to']!a:.60}", ValueError)
                literal = space.known.setdefault((feature, repr(edge["in"])), len(space.known))
                if literal == len(self.literals):
                    self.literals.append((feature, self.domains[feature].literal(edge["in"])))
                edges.append((node_of[repr(edge["to"])], literal))
            self.nodes.append((feature, node.get("class", ""), edges))
            self.costs.append(1 + sum(1 + 4 * len(self.literals[literal][1].spans or ()) for _, literal in edges))
        ensure(self.root >= 0, "the root is no node", ValueError)
        self.size, self.form = sum(self.costs), {**CLOSED, "notion": "features"}

    def class_at(self, point: Sequence[Value], work: Work) -> str:
        """Return κ(point).  At each node exactly one edge has to hold; a walk longer than the graph goes in circles."""
        node = self.root
        for _ in self.nodes:
            feature, name, edges = self.nodes[node]
            work(self.costs[node])
            if feature < 0:
                return name
            ends = [child for child, literal in edges if point[feature] in self.literals[literal][1]]
            ensure(len(ends) == 1, f"{len(ends)} edges of node {node} hold, so that there is no class here")
            node = ends[0]
        raise Refused("the walk through the graph meets a cycle")


class Ensemble:
    """DGs over the same features, from an ensemble document as this project spells it, and what their terminals weigh."""

    def __init__(self, raw: dict[str, Any], rules: Sequence[dict[str, Any]] = ()) -> None:
        check_form(raw, {**ENSEMBLE, "trees": [OBJECT]}, "model")
        space, self.classes, votes = Space(raw["features"]), raw["classes"], raw["rule"].get("type") == "majority"
        self.trees, self.domains = list[Graph](), space.domains
        check_form(raw["rule"], MAJORITY if votes else SUM, "rule", {} if votes else THRESHOLD)
        fine = 0 < len({*self.classes}) == len(self.classes) <= 1000 and 0 < len(raw["trees"]) < 2**20
        ensure(fine, "too many classes or trees, or none, or two classes are called alike", ValueError)
        for k, tree in enumerate(raw["trees"]):
            check_form(tree, {**MODEL_TREE, **({} if votes else {"answers": OBJECT})}, f"tree {k}")
            self.trees.append(Graph({**tree, "classes": [*tree.get("answers", self.classes)]}, space))
        # What answers add to each class, what classes begin with; slack (-1: none); of equal sums, does the last win?
        self.rows = [{name: [int(name == c) for c in self.classes] for name in self.classes}] * len(self.trees)
        self.base, self.slack, self.last = [0] * len(self.classes), -1, False
        if not votes:
            self.weigh(raw["rule"], [tree["answers"] for tree in raw["trees"]])
        self.form = {**BOXES, "notion": "constraints" if rules else "features"}
        self.rules = [Graph({**rule, "classes": ["allowed", "forbidden"]}, space) for rule in rules]
        self.places, self.spans, self.size = *places_of(space), sum(tree.size for tree in self.trees + self.rules)

    def weigh(self, rule: dict[str, Any], answers: list[dict[str, Any]]) -> None:
        """Take the sums as whole numbers of one unit, and how far the machine's sums of two classes may be off together."""
        at, times = rule.get("threshold"), len(answers) if rule["type"] == "average" else 1
        check_form([[*rows] for rows in answers], [[NAME]], "answers")
        check_form([rule["base"], *(row for rows in answers for row in rows.values())], [[NUMBER]], "base or answers")
        base, scores = [*map(read_number, rule["base"])], 1 if at else len(self.classes)
        tables: list[dict[str, list[Any]]] = [{a: [*map(read_number, r)] for a, r in rows.items()} for rows in answers]
        fits = all(len(row) == scores for row in [base, *(row for rows in tables for row in rows.values())])
        ensure(fits and (not at or len(self.classes) == 2), "base or answers are not a number a score", ValueError)
        largest = [[max(abs(row[k]) for row in rows.values()) for k in range(scores)] for rows in tables]
        most = [sum(column) for column in zip(map(abs, base), *largest, strict=True)]
        unit = denominator([*base, *(x for rows in tables for row in rows.values() for x in row)])
        digits, least, top = MACHINES[rule["arithmetic"]]
        doubt, steps = Fraction(read_number(rule.get("doubt", 0))) * times, len(answers) + 2
        ensure(doubt >= 0 and max(most) < 2 ** (top - 2), "its doubt is negative, or its sums may overflow", ValueError)
        # With two digits to spare the machine's sums are exact, and two that differ have quotients by one number that do.
        exact = unit & (unit - 1) == 0 and unit <= 2 ** (least // 2) and max(most) * unit * 4 < 2**digits
        if rule["arithmetic"] != "exact" and any(most) and (not exact or (at and rule["type"] == "average")):
            # The last term is for numbers that are too small to have all digits.
            doubt += Fraction(steps, 2**digits - steps) * sum(sorted(most)[-2:]) + Fraction(2 * steps, 2**least)
        limit = [read_number(at["at"]) * times] if at else []  # the sum of the first class, with a threshold
        unit = denominator([Fraction(1, unit), *limit])
        self.base, self.slack = [int(x * unit) for x in limit + base], math.floor(doubt * unit) if doubt else -1
        self.last = bool(at and at["inclusive"])
        self.rows = [{a: [0] * len(limit) + [int(x * unit) for x in row] for a, row in rows.items()} for rows in tables]

    def class_at(self, point: Sequence[Value], work: Work, own: str = "") -> str:
        """Return κ(point), which no rounding may change; where it is not *own*, rounding may choose among the others."""
        ensure(all(rule.class_at(point, work) == "allowed" for rule in self.rules), "the constraints forbid it")
        sums = self.base
        for tree, rows in zip(self.trees, self.rows, strict=True):
            sums = [a + b for a, b in zip(sums, rows[tree.class_at(point, work)], strict=True)]
            work(len(sums))
        order = sorted(range(len(sums)), key=lambda c: (sums[c], c if self.last else -c))
        best, others = self.classes[order[-1]], order[:-1]
        second = self.classes.index(own) if own not in ("", best) else others[-1] if others else -1
        settled = second < 0 or sums[order[-1]] - sums[second] > self.slack
        ensure(settled, "two of its sums are nearer to each other than rounding can tell apart")
        return str(best)

    def answers_in(self, box: Sequence[tuple[int, int]], tree: Graph, work: Work) -> set[str]:
        """Return the classes of the terminals of a tree to which edges lead that meet the box."""
        reached, order, answers = {tree.root}, [tree.root], set[str]()
        for node in order:  # which grows
            feature, name, edges = tree.nodes[node]
            work(tree.costs[node])
            if feature < 0:
                answers.add(name)
                continue
            low, high = box[feature]
            for child, literal in edges:
                if child not in reached and any(a < high and low < b for a, b in self.spans[literal]):
                    reached.add(child)
                    order.append(child)
        return answers

    def check_box(self, box: Sequence[tuple[int, int]], own: int, work: Work, occurs: bool = False) -> None:
        """Check that no class but *own* can win in the box, and that all of it *occurs*, or just what does counts."""
        outcomes = [self.answers_in(box, rule, work) for rule in self.rules]
        ensure(not (occurs and any("forbidden" in found for found in outcomes)), "some of it may be forbidden")
        if any("allowed" not in found for found in outcomes):
            return
        leads = [x - self.base[own] for x in self.base]
        for number, (tree, rows) in enumerate(zip(self.trees, self.rows, strict=True)):
            answers = self.answers_in(box, tree, work)
            work(len(answers) * len(leads))
            ensure(bool(answers), f"tree {number} has no terminal in it")
            chosen = [rows[name] for name in answers]
            leads = [x + max([row[c] - row[own] for row in chosen]) for c, x in enumerate(leads)]
        for rival, lead in enumerate(leads):
            enough = -self.slack if self.slack >= 0 else int((rival > own) != self.last)  # to win, with slack perhaps
            ensure(rival == own or lead < enough, f"class {self.classes[rival]!a:.60} may win in it")


def denominator(numbers: Iterable[int | Fraction]) -> int:
    """Return the least common denominator."""
    found = 1
    for number in numbers:
        found = math.lcm(found, number.denominator)
        ensure(found < 2**1200, "its numbers have too large a common denominator", ValueError)
    return found


def places_of(space: Space) -> tuple[list[list[Any]], list[list[tuple[int, int]]]]:
    """Return of each feature its values, or ends of literals and so what lies between; and the literals by places there."""
    ends: list[list[Any]] = [[*(domain.spans[0] if domain.spans else domain.listed)] for domain in space.domains]
    for feature, literal in space.literals:
        own = ends[feature]
        own += [cut for span in literal.spans or () for cut in span if own[0] < cut < own[1]]
    places = [[cut for k, cut in enumerate(cuts) if not k or cuts[k - 1] != cut] for cuts in map(sorted, ends)]
    return places, [ranges_of(places[feature], literal) for feature, literal in space.literals]


def ranges_of(row: list[Any], values: Values) -> list[tuple[int, int]]:
    """Return from which to which place of *row* a set has values."""
    last = len(row) - 1
    found = [(k, k + 1) for k in (bisect_left(row, value) for value in values.listed if value is not None)]
    found += [(last, last + 1)] * (None in values.listed)
    return found + [(max(0, bisect_right(row, a) - 1), min(bisect_left(row, b), last)) for a, b in values.spans or ()]


def place_of(model: Ensemble, feature: int, value: Any) -> int:
    """Return the place of a value of the feature's domain."""
    row, listed = model.places[feature], model.domains[feature].spans is None
    return len(row) - 1 if value is None else bisect_left(row, value) if listed else bisect_right(row, (value, 0)) - 1


def first_box(model: Ensemble, v: Sequence[Value], fixed: frozenset[int]) -> Box:
    """Return the box of all points that agree with *v* on *fixed*, as far as literals can tell."""
    box: Box = []
    for i, (value, row, domain) in enumerate(zip(v, model.places, model.domains, strict=True)):
        place, end = place_of(model, i, value), len(row) - (domain.spans is not None and None not in domain.listed)
        box.append((place, place + 1) if i in fixed else (0, end))
    return box


def check_boxes(model: Ensemble, box: Box, winner: int, nodes: list[int], work: Work, *within: Any) -> None:
    """Check that a tree of boxes in preorder, (feature, place) of a cut or -1, proves that *winner* wins *within* a box."""
    sets, *occurs = within or ({},)
    pending, done = [(0, -1, (0, 0))], list[tuple[int, tuple[int, int]]]()  # halves to come; what was cut, as it was
    rest = iter(enumerate(nodes))
    for position, feature in rest:
        ensure(bool(pending), f"[{position}] comes after the end")
        depth, last, half = pending.pop()
        while len(done) > depth:
            i, box[i] = done.pop()
        if last >= 0:
            done.append((last, box[last]))
            box[last] = half
        if feature == -1:
            work(sum(map(len, sets.values())))
            if all(any(low <= place < high for place in sets[i]) for i in sets for low, high in [box[i]]):
                model.check_box(box, winner, work, *occurs)
        else:
            (low, high), (_, cut) = box[feature] if 0 <= feature < len(box) else (0, 0), next(rest, (0, -1))
            ensure(low < cut < high, f"[{position}] does not cut its box")
            pending += [(len(done), feature, (cut, high)), (len(done), feature, (low, cut))]
    ensure(not pending, "it breaks off")


def check_closed_set(graph: Graph, held: Sequence[bool], own: str, fixed: frozenset[int], bits: str) -> None:
    """Check that the nodes *bits* prove that *fixed* is a weak AXp of class *own* (1); *held*: the literals at v."""
    inside = bin(int(bits, 16))[:1:-1].ljust(len(graph.nodes), "0").encode().translate(bytes.maketrans(b"01", b"\0\1"))
    ensure(len(inside) == len(graph.nodes) and inside[graph.root] == 1, "it lacks the root, or has an unknown node")
    for node, (feature, name, edges) in compress(enumerate(graph.nodes), inside):
        if feature < 0 and name != own:
            raise Refused(f"it has node {node}, a terminal of class {name!a:.60}")
        for child, literal in edges:
            if not inside[child] and (feature not in fixed or held[literal]):
                raise Refused(f"it has node {node} but not node {child}, to which a compatible edge leads")


def read_model(header: dict[str, Any]) -> Graph | Ensemble:
    """Return the model of a header; where it has constraints, perhaps none of them, a DG as an ensemble of one."""
    raw, rules = header["model"], header.get("constraints", [])
    if "constraints" in header and raw.get("format") == "decision-graph":
        raw = {**raw, "format": "ensemble", "rule": MAJORITY}
        raw["trees"] = [{"name": "", "root": raw.pop("root", None), "nodes": raw.pop("nodes", None)}]
    return Ensemble(raw, rules) if raw.get("format") == "ensemble" else Graph(raw)


def check_rup(clauses: list[list[int]], lines: list[list[int]], variables: int, work: Work) -> None:
    """Check that *lines* refute *clauses*: each has to follow by unit propagation, and the last to be empty."""
    watching, units = defaultdict[int, list[list[int]]](list), list[int]()  # clauses by their first two literals

    def conflict(trail: list[int]) -> bool:
        true: set[int] = set()
        work(len(trail))
        for literal in trail:  # which grows
            if -literal in true:
                return True
            watchers = [] if literal in true else watching.pop(-literal, [])
            true.add(literal)
            work(1 + len(watchers))
            for clause in watchers:
                if clause[0] == -literal:
                    clause[0], clause[1] = clause[1], clause[0]
                if clause[0] not in true:
                    other = next((k for k in range(2, len(clause)) if -clause[k] not in true), 1)
                    work(other if other > 1 else len(clause))
                    clause[1], clause[other] = clause[other], clause[1]
                    if other == 1:
                        trail.append(clause[0])
                watching[clause[1]].append(clause)
        return False

    for number, line in enumerate([*clauses, *lines], -len(clauses)):
        ensure(all(0 < abs(x) <= variables for x in line), f"{line!a:.60} has an unknown variable")
        ensure(number < 0 or conflict([-x for x in line] + units), f"line {number} does not follow by unit propagation")
        clause = [*dict.fromkeys(line)]
        for literal in clause[:2] if len(clause) > 1 else ():
            watching[literal].append(clause)
        units += clause if len(clause) == 1 else () if clause else (1, -1)
    ensure(bool(lines) and not lines[-1], "the last line is not the empty clause")


def check_tree(xps: dict[int, tuple[str, frozenset[int]]], nodes: list[int], size: int, work: Work) -> None:
    """Check that a tree in preorder shows that each S contains an AXp or misses a CXp of *xps* (by claim)."""
    chosen: dict[int, str] = {}  # features put into S ("AXp") and kept out ("CXp"), the last choice last
    pending = [(0, -1, "")]  # of each tree to come: how many are chosen above it, and what is chosen for it
    for position, node in enumerate(nodes):
        ensure(bool(pending), f"[{position}] comes after the end")
        depth, feature, choice = pending.pop()
        while len(chosen) > depth:
            chosen.popitem()
        chosen[feature] = choice
        kind, features = xps.get(-node - 1, ("", ()))
        work(1 + len(features))
        if 0 <= node < size and node not in chosen:  # a branch: first the tree for S with this feature
            pending += [(depth + 1, node, "CXp"), (depth + 1, node, "AXp")]
        elif not kind or any(chosen.get(i) != kind for i in features):
            raise Refused(f"[{position}] is no feature that is undecided, nor a claim that settles this leaf")
    ensure(not pending, "it breaks off")


def moved(graph: Graph | Ensemble, v: list[Value], changes: list[list[Any]]) -> tuple[list[Value], frozenset[int]]:
    """Return *v* with *changes*, [feature, value] each, and which features differ."""
    ensure(all(len(c) == 2 and type(c[0]) is int for c in changes), "a change is no [feature, value]", ValueError)
    point, touched = [*v], ascending([feature for feature, _ in changes], len(v))
    for feature, item in changes:
        point[feature] = graph.domains[feature].value(item)
        ensure(point[feature] != v[feature], f"feature {feature} is not changed")
    return point, touched


def filled_places(model: Ensemble, feature: int) -> list[int]:
    """Return the places that have values, in order: no integer lies between 0 and 1.  Missing values come last."""
    domain, row = model.domains[feature], model.places[feature]
    last = len(row) - 1
    if domain.spans is None:
        return [*range(last + 1)]
    return [p for p in range(last) if domain.numbers(row[p], row[p + 1])] + [last] * (None in domain.listed)


def sets_of(model: Ensemble, claim: dict[str, Any], work: Work) -> Iterator[tuple[int, Any]]:
    """Yield each member of a claim with its set, the places of this, those next to it, and all others."""
    ensure(len(claim["values"]) == len(claim["features"]), "values: there is not one set for each feature")
    for i, items in zip(claim["features"], claim["values"], strict=True):
        domain, row, last = model.domains[i], model.places[i], len(model.places[i]) - 1
        values, numbers = domain.literal(items), domain.spans is not None
        ranges = ranges_of(row, values)
        work(4 * len(row) + sum(1 + max(0, high - low) for low, high in ranges))
        every = {*(filled := filled_places(model, i))}
        filled = [p for p in filled if p < last or not numbers]
        met = every.intersection(place for low, high in ranges for place in range(low, high))
        near = {p for k, p in enumerate(filled) if met.intersection(filled[max(0, k - 1) : k + 2])} or every
        for a, b in values.spans or ():
            start, end = bisect_right(row, a) - 1, bisect_left(row, b)
            part = (start >= 0 and domain.numbers(row[start], a)) or (end <= last and domain.numbers(b, row[end]))
            ensure(not part or claim["verdict"] != "inflated", "values: literals cannot tell a set from a larger one")
        yield i, (values, met, (near | every - {*filled} if numbers else every) - met, every - met)


def check_values(model: Ensemble, v: list[Value], own: str, claim: dict[str, Any], xps: Any, work: Work) -> None:
    """Check what a claim says of sets of values (8); *xps* are the AXps and CXps before it."""
    check_form(claim, VALUES, "the claim", {"value": [VALUE]})
    kind, verdict, features = claim["kind"], claim["verdict"], claim["features"]
    ascending(features, len(v))
    axp, cxp, change = (kind == name for name in INFLATED)
    sets = dict(sets_of(model, claim, work))
    held = {} if axp else {i: {place_of(model, i, x)} for i, x in enumerate(v) if i not in sets}
    whole = held if cxp else {**held, **{i: places for i, (_, places, _, _) in sets.items()}}
    work((1 + len(claim["points"])) * len(v))
    points, at, target = [moved(model, v, changes)[0] for changes in claim["points"]], v, own
    ensure(all(point[i] == v[i] for i in held for point in points), "points: one changes what is no member")

    def forbidden(point: list[Value]) -> bool:
        return change and any(rule.class_at(point, work) != "allowed" for rule in model.rules)

    if change:
        ensure(bool(points), "points: the first has to be the change")
        at = points.pop(0)
        target = own if forbidden(at) else model.class_at(at, work)

    fits = [all(point[i] in values for i, (values, *_) in sets.items()) for point in (at, *points)]
    proofs, wanted = list[dict[int, set[int]]](), list[tuple[int, int]]()
    none = change and target == own  # a change has another class
    if verdict == "inflated":
        ensure(cxp or (fits[0] and not none), "values: a set lacks the value of the instance, or there is no change")
        ensure(f"{'AXp' if axp else 'CXp'}{features}" in xps, "no claim before it shows that of the features")
        proofs = [{**held, i: others} for i, (_, _, _, others) in sets.items()] if cxp else [whole]
        wanted = [(i, p) for i, (_, places, nearby, _) in sets.items() for p in sorted(places if cxp else nearby)]
    elif verdict == ("ineffective" if cxp else "not maximal"):  # some value has no change, or can join
        i, raw = claim["value"] if len(claim.get("value", ())) == 2 else (-1, None)
        ensure(i in sets and (cxp or fits[0]) and not none, "value: it is no [feature, value] that could show that")
        place = place_of(model, i, value := model.domains[i].value(raw))
        values, places, nearby, _ = sets[i]
        ensure((value in values) == cxp and (cxp or place in places | nearby), "value: it could not show that")
        proofs = [{**held, i: {place}} if cxp else {**whole, i: places | {place}}]
    elif verdict == ("not maximal" if cxp else "insufficient") and (cxp or fits[0]):
        ensure(fits[1:] == [not cxp], "points: there is not one that could show that")
        found = forbidden(points[-1]) or model.class_at(points[-1], work, target) != target
        ensure(found and bool(points.pop()), f"points: the last has class {target!a:.60}")
    else:
        lacks = axp and verdict == "insufficient"  # the instance's value
        ensure(lacks or (none and verdict == "ineffective" and fits[0]), f"there is no verdict {verdict!a:.60} here")
    ensure(len(proofs) == len(claim["boxes"]) and len(wanted) == len(points), "boxes or points are missing or too many")
    for within, tree in zip(proofs, claim["boxes"], strict=True):
        ensure(all(within.values()), "values: a set has no value of the domain, or all")
        whole_box = enumerate(first_box(model, v, frozenset()))
        box = [(min(within[i]), max(within[i]) + 1) if i in within else places for i, places in whole_box]
        check_boxes(model, box, model.classes.index(target), tree, work, within, change)
    for (i, place), point in zip(wanted, points, strict=True):
        fine = all(place_of(model, j, point[j]) in places for j, places in {**whole, i: {place}}.items())
        ensure(fine, f"points: one is not at place {place} of feature {i}, or outside the others")
        found = forbidden(point) or model.class_at(point, work, target) != target
        ensure(found, f"points: one next to a set has class {target!a:.60}")


def check_family(graph: Graph | Ensemble, raw: dict[str, Any], work: Work) -> Counter[str]:
    """Check the line of one instance; return how many claims there are of which kind and verdict."""
    check_form(raw, {**FAMILY, **graph.form}, "family", {"complete": OBJECT})
    size, own, fixed, changed = len(graph.domains), raw["class"], list[frozenset[int]](), list[frozenset[int]]()
    work(graph.size, "instance")
    ensure(len(raw["instance"]) == size, f"there are {len(raw['instance'])} values of {size} features")
    v = [domain.value(item) for domain, item in zip(graph.domains, raw["instance"], strict=True)]
    ensure(graph.class_at(v, work) == own, f"its class is not {own!a:.60}")
    held = [v[feature] in values for feature, values in graph.literals] if isinstance(graph, Graph) else []
    for position, closed in enumerate(raw["closed"]):
        work(graph.size, f"closed set {position}")
        fixed.append(ascending(closed["fixed"], size))
        if isinstance(graph, Graph):
            check_closed_set(graph, held, own, fixed[-1], closed["nodes"])
        else:
            check_boxes(graph, first_box(graph, v, fixed[-1]), graph.classes.index(own), closed["boxes"], work)
    for position, changes in enumerate(raw["points"]):
        work(size, f"point {position}")
        point, touched = moved(graph, v, changes)
        changed.append(touched)
        found = graph.class_at(point, work) if isinstance(graph, Graph) else graph.class_at(point, work, own)
        ensure(found != own, f"it has the class of the instance, {own!a:.60}")
    counts, first, xps = Counter(instances=1, complete=int("complete" in raw)), dict[str, int](), dict[int, Any]()
    for position, claim in enumerate(raw["claims"]):
        work(1, f"claim {position}")
        kind, verdict = what = claim.get("kind"), claim.get("verdict")
        if kind in INFLATED and isinstance(graph, Ensemble):
            check_values(graph, v, own, claim, first, work)
            counts[kind if verdict == "inflated" else f"{verdict} {kind}"] += 1
            continue
        ensure(what in BY_CLOSED_SET + BY_POINT, f"there is no {kind!a:.60} with verdict {verdict!a:.60}", ValueError)
        name, pool, others = ("changes", changed, fixed) if what in BY_POINT else ("sufficient", fixed, changed)
        check_form(claim, {**CLAIM, name: INT, **({"needed": [INT]} if kind == verdict else {})}, "the claim")
        features, needed = ascending(claim["features"], size), claim.get("needed", [])
        work(len(features) * (1 + len(needed)))
        ensure(0 <= claim[name] < len(pool) and all(0 <= k < len(others) for k in needed), "it refers to nothing")
        touched = pool[claim[name]]
        smaller = touched < features if verdict == "redundant" else touched <= features
        fits = touched.isdisjoint(features) if verdict[0] == "i" else smaller
        ensure(fits, "" if fits else f"{name}: {sorted(touched)!a:.60} does not show it of {sorted(features)!a:.60}")
        if kind == verdict:
            ensure(len(needed) == len(features), f"needed: {len(needed)} for {len(features)} features")
            for member, reference in zip(claim["features"], needed, strict=True):
                kept = others[reference] & features - {member}
                ensure(not kept, f"needed: {member} by {reference}, which also touches members {sorted(kept)!a:.60}")
            xps[position] = kind, features
            ensure(first.setdefault(f"{kind}{claim['features']}", position) == position, "an earlier claim is the same")
        counts[kind if kind == verdict else f"{verdict} {kind}"] += 1
    if "complete" in raw:
        proof, work.place, rup = raw["complete"], "complete", "lines" in raw["complete"]
        check_form(proof, RUP if rup else TREE, "it")
        clauses = [[i + 1 if kind == "CXp" else -i - 1 for i in sorted(features)] for kind, features in xps.values()]
        check_rup(clauses, proof["lines"], size, work) if rup else check_tree(xps, proof["nodes"], size, work)
    return counts


def check_mus(formula: dict[str, Any], raw: dict[str, Any], work: Work) -> Counter[str]:
    """Check the line of one MUS."""
    check_form(raw, MUS, "MUS")
    members = [formula["clauses"][index] for index in sorted(ascending(raw["mus"], len(formula["clauses"])))]
    ensure(len(raw["models"]) == len(members), f"{len(raw['models'])} models of {len(members)} clauses")
    work(0, "refutation")
    check_rup(members, raw["refutation"], formula["variables"], work)
    for position, bits in enumerate(raw["models"]):
        work(sum(map(len, members)), f"model {position}")
        true = {variable for variable, bit in enumerate(bin(int(bits, 16))[:1:-1], 1) if bit == "1"}
        wrong = {k for k, clause in enumerate(members) if not any((abs(x) in true) == (x > 0) for x in clause)}
        ensure(wrong <= {position}, f"clauses {wrong!a:.60} are false in it, as the MUS counts them")
    return Counter(MUSes=1)


def check_lines(lines: Iterable[bytes], digest: str | None = None, per_byte: int = STEPS_PER_BYTE) -> Outcome:
    """Check a certificate line by line; *digest*: of the model or the formula that it has to be about."""
    work, counts, number, ended, subjects = Work(), Counter[str](), 0, False, list[Any]()
    try:
        for number, line in enumerate(lines, 1):
            work(-per_byte * len(line), "the line")
            ensure(len(line) <= MAX_LINE and not ended, "it is over 64 MiB long, or after the end", ValueError)
            check_form(raw := read_json(line), OBJECT, "line")
            if number == 1:
                field = "formula" if "formula" in raw else "model"
                form, more = (FORMULA, {}) if field == "formula" else (OBJECT, {"constraints": [MODEL_TREE]})
                check_form(raw, {**HEADER, field: form}, "header", more)
                subjects.append(read_model(raw) if field == "model" else raw["formula"])
                found = {digest_of(raw[field]), raw["digest"], digest or raw["digest"]}
                ensure(len(found) == 1, f"digests of the {field} differ: {sorted(found)!a:.400}")
            elif "end" in raw:
                check_form(raw, {"end": number - 2}, "end")
                ended = True
            else:
                counts += (check_family if field == "model" else check_mus)(subjects[0], raw, work)
        work(0, "the end")
        ensure(ended and number > 2, 'there is no last line {"end":n}, or no line to check', ValueError)
    except (Refused, ValueError, RecursionError, MemoryError) as error:
        message = f"line {number}: {work.place}: {error or type(error).__name__}".encode("ascii", "backslashreplace")
        return Outcome(1 if isinstance(error, Refused) else 2, message.decode()[:500], dict(counts))
    return Outcome(0, "proved: " + ", ".join(f"{what} {count}" for what, count in counts.items()), dict(counts))


def check_file(path: str, model: str | None = None, per_byte: int = STEPS_PER_BYTE) -> Outcome:
    """Check the certificate at *path*; *model*: the file of the model that it has to be about."""
    try:
        digest = digest_of(json.loads(Path(model).read_bytes())) if model else None
        with open(path, "rb") as file:
            return check_lines(iter(lambda: file.readline(MAX_LINE + 1), b""), digest, per_byte)
    except (OSError, ValueError, RecursionError) as error:
        place, problem = getattr(error, "filename", model), getattr(error, "strerror", error)
        return Outcome(2, ascii(f"{place}: {problem}; name another file")[1:-1], {})


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Check a certificate of explanations.")
    parser.add_argument("path", metavar="FILE", help="the certificate")
    parser.add_argument("--model", help="the model that it has to be about, as this project writes it")
    parser.add_argument("--steps-per-byte", type=int, default=STEPS_PER_BYTE, dest="per_byte", metavar="N")
    print((outcome := check_file(**vars(parser.parse_args()))).message)
    raise SystemExit(outcome.status)
