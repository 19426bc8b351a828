"""Verify test vectors by brute force: ``python verify_vectors.py FILE...``.  Standard library only, nothing of xpgcheck."""

import itertools
import json
import math
import re
import struct
import sys
from fractions import Fraction
from pathlib import Path

LISTED, FLOATS = ("boolean", "categorical"), {"float32": ("<f", "<I", 1 << 31), "float64": ("<d", "<Q", 1 << 63)}
WRONG = {"AXp": "insufficient", "CXp": "ineffective"}
WRONG |= {"prediction": "prediction mismatch", "membership": "wrong membership"}


def spans(items):
    """Yield the intervals that numeric items list: low, high (infinite where unbounded), whether each is open."""
    for item in (str(item) for item in items if item != "missing"):
        match = re.fullmatch(r"([\[(])(.+), (.+)([\])])", item)
        left, low, high, right = match.groups() if match else ("[", item, item, "]")
        yield *(float(end) if "inf" in end else Fraction(end) for end in (low, high)), left == "(", right == ")"


def holds(items, x):
    """Tell whether a value (a text, or a number) is in a literal."""
    if isinstance(x, str):
        return x in map(str, items)
    return any((a < x or (a == x and not p)) and (x < b or (x == b and not q)) for a, b, p, q in spans(items))


def in_domain(domain, x):
    """Tell whether a feature of this domain can have the value."""
    if isinstance(x, str):
        return domain.get("missing", False) if "missing" in domain else x in domain.get("values", ["0", "1"])
    if domain["type"] in FLOATS:
        return struct.unpack(code := FLOATS[domain["type"]][0], struct.pack(code, float(x)))[0] == x
    whole = "[("[domain.get("low_open", False)] + f"{domain.get('low', '-inf')}, {domain.get('high', 'inf')}"
    return holds([whole + "])"[domain.get("high_open", False)]], x) and (domain["type"] == "real" or x.denominator == 1)


def candidates(domain, literals):
    """Return values of the domain, one at least of every kind that the literals tell apart."""
    if domain["type"] in LISTED:
        return domain.get("values", ["0", "1"])
    ends = {end for items in literals for span in spans(items) for end in span[:2] if abs(end) < math.inf}
    ends = sorted(ends | {Fraction(domain[key]) for key in ("low", "high") if key in domain} | {Fraction(0)})
    found = {*ends, *((a + b) / 2 for a, b in itertools.pairwise(ends))}
    found.update(Fraction(math.floor(end) + step) for end in ends for step in (-1, 0, 1, 2))
    for end in ends if domain["type"] in FLOATS else ():
        code, integer, sign = FLOATS[domain["type"]]
        bits = struct.unpack(integer, struct.pack(code, float(end)))[0]
        rank = bits if bits < sign else sign - bits
        near = [struct.pack(integer, r if r >= 0 else sign - r) for r in range(rank - 2, rank + 3)]
        found.update(Fraction(x) for (x,) in (struct.unpack(code, data) for data in near) if math.isfinite(x))
    return [x for x in found if in_domain(domain, x)] + ["missing"] * domain.get("missing", False)


class Space:
    """A graph, and the class of every kind of point: a kind is, of each feature, the set of its literals that hold."""

    def __init__(self, graph):
        self.domains, nodes = {f["name"]: f["domain"] for f in graph["features"]}, {n["id"]: n for n in graph["nodes"]}
        edges = [(node["feature"], edge) for node in graph["nodes"] for edge in node.get("edges", ())]
        (root,) = nodes.keys() - {edge["to"] for _, edge in edges}
        self.tests = {n: {str(e["in"]): e["in"] for tested, e in edges if tested == n} for n in self.domains}
        kinds_of = [{self.kind(n, x) for x in candidates(d, self.tests[n].values())} for n, d in self.domains.items()]
        self.classes = {}
        for kinds in itertools.product(*kinds_of):
            node, held = nodes[root], dict(zip(self.domains, kinds, strict=True))
            while "class" not in node:
                (child,) = {edge["to"] for edge in node["edges"] if str(edge["in"]) in held[node["feature"]]}
                node = nodes[child]
            self.classes[kinds] = node["class"]

    def kind(self, name, value):
        """Return the literals that hold of a value; raise ValueError where it is none of the feature's."""
        x = value if self.domains[name]["type"] in LISTED or value == "missing" else Fraction(value)
        if not in_domain(self.domains[name], x):
            raise ValueError(f"{value} is not a value of {name}")
        return frozenset(text for text, items in self.tests[name].items() if holds(items, x))


def verdict(claim, weak, xps, own):
    """Return the verdict on a claim."""
    kind = claim["kind"]
    if kind not in (*weak, "family"):
        held = any(claim.get("feature") in axp for axp in xps["AXp"])
        right = claim["class"] == own if kind == "prediction" else claim["member"] == held
        return f"right {kind}" if right else WRONG[kind]
    if kind != "family":
        chosen = frozenset(claim["features"])
        return WRONG[kind] if not weak[kind](chosen) else kind if chosen in xps[kind] else "redundant"
    listed = {"AXp": [*map(frozenset, claim["axps"])], "CXp": [*map(frozenset, claim["cxps"])]}
    wrong = [WRONG[kind] for kind, family in listed.items() if not all(map(weak[kind], family))]
    if wrong or any(len(set(family)) < len(family) for family in listed.values()):
        return wrong[0] if wrong else "duplicate"
    if any(a < b for family in listed.values() for a in family for b in family):
        return "not dual"
    return "complete" if all(set(listed[kind]) == set(xps[kind]) for kind in xps) else "incomplete"


def problems(space, test):
    """Yield what is wrong in a test, by Eq. 1 and Eq. 2 over all kinds of points and all sets of features."""
    kinds = tuple(space.kind(name, test["instance"][name]) for name in space.domains)
    own, features = space.classes[kinds], range(len(kinds))
    changes = {frozenset(i for i in features if row[i] != kinds[i]) for row, c in space.classes.items() if c != own}
    changes = [change for change in changes if not any(other < change for other in changes)]
    weak = {"AXp": lambda s: all(s & c for c in changes), "CXp": lambda s: any(c <= s for c in changes)}
    sets = [frozenset(s) for size in range(len(kinds) + 1) for s in itertools.combinations(features, size)]
    # Weakness is monotone: a weak set is minimal where it can do without no single feature.
    xps = {k: [s for s in sets if is_weak(s) and not any(is_weak(s - {i}) for i in s)] for k, is_weak in weak.items()}
    found = {"class": own, "axps": [sorted(s) for s in xps["AXp"]], "cxps": [sorted(s) for s in xps["CXp"]]}
    yield from (f"{key}: {value}, not {test[key]}" for key, value in found.items() if test[key] != value)
    for claim in test["claims"]:
        if claim["verdict"] != verdict(claim, weak, xps, own):
            yield f"{claim} is {verdict(claim, weak, xps, own)}"


if __name__ == "__main__":
    wrong = []
    groups = [group for path in sys.argv[1:] for group in json.loads(Path(path).read_text("utf-8"))["test_groups"]]
    for group in groups:
        space = Space(group["graph"])
        wrong += [f"test {test['tc_id']}: {problem}" for test in group["tests"] for problem in problems(space, test)]
    print(*wrong, f"{sum(len(group['tests']) for group in groups)} tests, {len(wrong)} problems", sep="\n")
    sys.exit(1 if wrong or not groups else 0)
