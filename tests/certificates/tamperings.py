"""Kinds of tampering with a certificate, each of which takes its proof away.

Each is a function of the parsed lines (which it changes) or of the bytes, and a source of random choices.  It returns the
number of the line at which the checker has to refuse the file, or None where the kind does not apply.  That none of them
leaves a valid certificate is argued in its docstring, or looked at by code of its own where it depends on the case.

``python tests/certificates/tamperings.py 50000`` tampers with that many files and prints a table.
"""

from __future__ import annotations

import copy
import functools
import json
import random
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from formulas import EXAMPLE, formula_certificate, muses
from naive_ensembles import ensemble_certificate, settled, small_ensembles
from naive_issuer import Instance, certificate, digest_of, graph_certificate, header, line_of

from xpgcheck.check_certificate import check_lines
from xpgcheck.model.decision_graph import DecisionGraph, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Feature
from xpgcheck.model.value_sets import FiniteSet
from xpgcheck.model.values import Point
from xpgcheck.writers.json_model import model_json

Lines = list[Any]


@dataclass(frozen=True)
class Tampering:
    """A kind: its function, what it works on, the status that it has to end with, and what the reason says."""

    name: str
    function: Callable[..., Any]
    subject: str
    """The bytes, or the lines of a certificate of a model, of an ensemble alone or of a formula."""
    status: int
    says: str


KINDS: dict[str, Tampering] = {}

OF_NODES = {
    "edge_led_elsewhere", "threshold_moved", "edge_to_no_node", "called_alike", "name_not_declared", "walk_without_an_end",
    "node_dropped_from_a_closed_set", "terminal_of_another_class_in_a_closed_set", "node_that_does_not_exist",
    "digits_spelled_otherwise", "fewer_features_fixed", "more_features_fixed",
}  # fmt: skip
"""Kinds that look at the nodes of a graph; all others are for ensembles, too."""


def on_lines(status: int, says: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return _kind("model", status, says)


def on_ensemble(status: int, says: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return _kind("ensemble", status, says)


def on_formula(status: int, says: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return _kind("formula", status, says)


def on_bytes(status: int, says: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    return _kind("bytes", status, says)


def _kind(subject: str, status: int, says: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def added(function: Callable[..., Any]) -> Callable[..., Any]:
        KINDS[function.__name__] = Tampering(function.__name__, function, subject, status, says)
        return function

    return added


def tampered(kind: Tampering, data: bytes, rng: random.Random) -> tuple[bytes, int] | None:
    """Return the changed file and the number of the line that is to be refused; None where the kind does not apply."""
    if kind.subject == "bytes":
        found: tuple[bytes, int] | None = kind.function(data, rng)
        return found
    lines = [json.loads(line) for line in data.splitlines()]
    subject = "formula" if "formula" in lines[0] else "ensemble" if "trees" in lines[0]["model"] else "model"
    fits = kind.subject == subject or (subject == "ensemble" and kind.subject == "model" and kind.name not in OF_NODES)
    at = kind.function(lines, rng) if fits else None
    return None if at is None else (b"".join(map(line_of, lines)), at)


def fault(kind: Tampering, data: bytes, rng: random.Random) -> str | None:
    """Return what is wrong with how the checker takes a file of this kind; "does not apply" where there is none."""
    changed = tampered(kind, data, rng)
    if changed is None:
        return "does not apply"
    outcome = check_lines(changed[0].splitlines(keepends=True))
    if outcome.status != kind.status:
        return f"status {outcome.status}: {outcome.message}"
    if not outcome.message.startswith(f"line {changed[1]}: "):
        return f"not at line {changed[1]}: {outcome.message}"
    return None if re.search(kind.says, outcome.message) else f"another reason: {outcome.message}"


# ------------------------------------------------------------------------------------------------ choices that are shared


def families(lines: Lines, field: str = "instance", test: Callable[[Any], bool] = bool) -> list[int]:
    return [k for k, line in enumerate(lines) if field in line and test(line[field])]


def family(lines: Lines, rng: random.Random, field: str = "instance") -> int | None:
    chosen = families(lines, field)
    return rng.choice(chosen) if chosen else None


def claim(lines: Lines, rng: random.Random, test: Callable[[Any], bool], whole: bool = False) -> tuple[int, int] | None:
    """Return (line, claim) of a claim that passes *test*; *whole*: of a line that says it is complete."""
    found = [
        (k, number)
        for k in families(lines, "complete" if whole else "instance")
        for number, item in enumerate(lines[k]["claims"])
        if test(item)
    ]
    return rng.choice(found) if found else None


def is_xp(item: Any) -> bool:
    return bool(item["kind"] == item["verdict"])


def evidence(lines: Lines, rng: random.Random, pool: str) -> tuple[int, int] | None:
    """Return (line, index in *pool*) of evidence for an XP of a complete family: there, all evidence is needed."""
    found = [(k, n) for k in families(lines, "complete") for n in range(len(lines[k][pool]))]
    return rng.choice(found) if found else None


def size_of(lines: Lines) -> int:
    return len(lines[0]["model"]["features"])


def nodes_of(closed: Any) -> set[int]:
    return {k for k in range(int(closed["nodes"], 16).bit_length()) if int(closed["nodes"], 16) >> k & 1}


def set_nodes(closed: Any, nodes: Iterable[int]) -> None:
    closed["nodes"] = f"{sum(1 << node for node in nodes):x}"


# ------------------------------------------------------------------------------------------------- the file and its bytes


@on_bytes(2, "breaks off|not JSON|Expecting|Unterminated|Invalid|no last line|codec")
def cut_off(data: bytes, rng: random.Random) -> Any:
    """Every proper prefix lacks the last line or its end."""
    cut = data[: rng.randrange(len(data))]
    return cut, len(cut.splitlines())


@on_bytes(2, "no last line")
def last_line_dropped(data: bytes, rng: random.Random) -> Any:
    lines = data.splitlines(keepends=True)
    return b"".join(lines[:-1]), len(lines) - 1


@on_bytes(2, "end.* instead of")
def line_dropped(data: bytes, rng: random.Random) -> Any:
    lines = data.splitlines(keepends=True)
    del lines[rng.randrange(1, len(lines) - 1)]
    return b"".join(lines), len(lines)


@on_bytes(2, "end.* instead of")
def line_repeated(data: bytes, rng: random.Random) -> Any:
    lines = data.splitlines(keepends=True)
    lines.insert(1, lines[rng.randrange(1, len(lines) - 1)])
    return b"".join(lines), len(lines)


@on_bytes(2, "fields that are unknown here or missing")
def header_repeated(data: bytes, rng: random.Random) -> Any:
    lines = data.splitlines(keepends=True)
    at = rng.randrange(1, len(lines))
    lines.insert(at, lines[0])
    return b"".join(lines), at + 1


@on_bytes(2, "fields that are unknown here or missing")
def header_dropped(data: bytes, rng: random.Random) -> Any:
    return data.split(b"\n", 1)[1], 1


@on_bytes(2, "Expecting value")
def blank_line(data: bytes, rng: random.Random) -> Any:
    lines = data.splitlines(keepends=True)
    at = rng.randrange(len(lines))
    lines.insert(at, b"\n")
    return b"".join(lines), at + 1


@on_bytes(2, "after the end")
def line_after_the_end(data: bytes, rng: random.Random) -> Any:
    lines = data.splitlines(keepends=True)
    return data + rng.choice(lines), len(lines) + 1


@on_bytes(2, "BOM")
def byte_order_mark(data: bytes, rng: random.Random) -> Any:
    return b"\xef\xbb\xbf" + data, 1


@on_bytes(2, "codec")
def not_utf8(data: bytes, rng: random.Random) -> Any:
    at = rng.randrange(len(data))
    at = max(data.rfind(b'"', 0, at), 0)
    return data[:at] + b"\xff" + data[at:], data[:at].count(b"\n") + 1


@on_bytes(2, "Invalid control|Expecting|Extra data|Unterminated|Invalid")
def nul(data: bytes, rng: random.Random) -> Any:
    at = rng.randrange(len(data))
    return data[:at] + b"\0" + data[at:], data[:at].count(b"\n") + 1


@on_bytes(2, "unusual spellings")
def carriage_returns(data: bytes, rng: random.Random) -> Any:
    return data.replace(b"\n", b"\r\n"), 1


@on_bytes(2, "unusual spellings")
def blanks_between(data: bytes, rng: random.Random) -> Any:
    lines = data.splitlines(keepends=True)
    at = rng.randrange(len(lines))
    lines[at] = lines[at].replace(b"{", b"{ ", 1)
    return b"".join(lines), at + 1


@on_bytes(2, "field twice")
def field_twice(data: bytes, rng: random.Random) -> Any:
    """The first field of an object, again: equal or not, a reader could take either."""
    lines = data.splitlines(keepends=True)
    at = rng.randrange(len(lines))
    starts = [match.start() for match in re.finditer(rb'\{"[a-z]+":', lines[at])]
    start = rng.choice(starts)
    key = re.match(rb'\{("[a-z]+":)', lines[at][start:])
    assert key is not None
    lines[at] = lines[at][: start + 1] + key[1] + b"0," + lines[at][start + 1 :]
    return b"".join(lines), at + 1


def in_place_of_an_integer(data: bytes, rng: random.Random, text: bytes) -> Any:
    lines = data.splitlines(keepends=True)
    at = rng.randrange(len(lines))
    places = [match.span(1) for match in re.finditer(rb"[\[,:](-?[0-9]+)(?=[\],}])", without_texts(lines[at]))]
    if not places:
        return None
    start, end = rng.choice(places)
    lines[at] = lines[at][:start] + text + lines[at][end:]
    return b"".join(lines), at + 1


def without_texts(line: bytes) -> bytes:
    """The line with its texts blanked out, of the same length."""
    return re.sub(rb'"(?:[^"\\]|\\.)*"', lambda match: b'"' + b"_" * (len(match[0]) - 2) + b'"', line)


@on_bytes(2, "not JSON compliant|instead of|unusual")
def not_a_number(data: bytes, rng: random.Random) -> Any:
    return in_place_of_an_integer(data, rng, rng.choice([b"NaN", b"Infinity", b"-Infinity", b"1e999999999"]))


@on_bytes(2, "400 digits")
def too_many_digits(data: bytes, rng: random.Random) -> Any:
    return in_place_of_an_integer(data, rng, rng.choice([b"", b"-"]) + b"9" * rng.choice([401, 4300, 30000]))


@on_bytes(2, "instead of|unusual")
def decimal_number(data: bytes, rng: random.Random) -> Any:
    return in_place_of_an_integer(data, rng, rng.choice([b"1.0", b"0.0", b"-0", b"1e0", b"2.5"]))


@on_bytes(2, "instead of")
def truth_value_for_an_integer(data: bytes, rng: random.Random) -> Any:
    return in_place_of_an_integer(data, rng, rng.choice([b"true", b"false"]))


@on_bytes(2, "instead of")
def list_for_an_integer(data: bytes, rng: random.Random) -> Any:
    return in_place_of_an_integer(data, rng, rng.choice([b"{}", b"[[]]"]))


@on_bytes(2, "recursion")
def nested_deeply(data: bytes, rng: random.Random) -> Any:
    return in_place_of_an_integer(data, rng, b"[" * 50_000 + b"]" * 50_000)


@on_bytes(2, "surrogates not allowed|unusual")
def lone_surrogate(data: bytes, rng: random.Random) -> Any:
    lines = data.splitlines(keepends=True)
    at = rng.randrange(1, len(lines) - 1)
    if b'"class":"' not in lines[at]:
        return None
    lines[at] = lines[at].replace(b'"class":"', b'"class":"\\ud800', 1)
    return b"".join(lines), at + 1


# ----------------------------------------------------------------------------------------- the header and the model in it


@on_lines(2, "header")
def another_format_or_version(lines: Lines, rng: random.Random) -> int | None:
    field, value = rng.choice([("format", "xpgcheck-claims"), ("version", 2), ("version", True), ("version", "1")])
    lines[0][field] = value
    return 1


@on_lines(1, "digests")
def another_digest(lines: Lines, rng: random.Random) -> int | None:
    digest = lines[0]["digest"]
    at = rng.randrange(len("sha256:"), len(digest))
    lines[0]["digest"] = digest[:at] + rng.choice([c for c in "0123456789abcdef" if c != digest[at]]) + digest[at + 1 :]
    return 1


@on_lines(1, "digests")
def model_renamed(lines: Lines, rng: random.Random) -> int | None:
    lines[0]["model"]["name"] += "'"
    return 1


@on_lines(1, "digests")
def edge_led_elsewhere(lines: Lines, rng: random.Random) -> int | None:
    model = lines[0]["model"]
    edges = [edge for node in model["nodes"] for edge in node.get("edges", ())]
    if not edges:
        return None
    edge = rng.choice(edges)
    edge["to"] = rng.choice([node["id"] for node in model["nodes"] if node["id"] != edge["to"]])
    return 1


@on_lines(1, "digests")
def threshold_moved(lines: Lines, rng: random.Random) -> int | None:
    edges = [edge for node in lines[0]["model"]["nodes"] for edge in node.get("edges", ())]
    spans = [(e, i) for e in edges for i, t in enumerate(e["in"]) if re.fullmatch(r"[\[(].*[0-9][\])]", str(t))]
    if not spans:
        return None
    edge, at = rng.choice(spans)
    edge["in"][at] = re.sub(r"([0-9])(?=[\])]$)", lambda match: str((int(match[1]) + 1) % 10), edge["in"][at])
    return 1


def _with_digest(lines: Lines) -> int:
    lines[0]["digest"] = digest_of(lines[0]["model"])
    return 1


@on_lines(2, "there is no node|the root is no node")
def edge_to_no_node(lines: Lines, rng: random.Random) -> int | None:
    model = lines[0]["model"]
    places = [("to", edge) for node in model["nodes"] for edge in node.get("edges", ())] + [("root", model)]
    field, holder = rng.choice(places)
    holder[field] = "no such node"
    return _with_digest(lines)


@on_lines(2, "called alike")
def called_alike(lines: Lines, rng: random.Random) -> int | None:
    model = lines[0]["model"]
    field = rng.choice(["features", "nodes", "classes"])
    model[field].append(copy.deepcopy(rng.choice(model[field])))
    return _with_digest(lines)


@on_lines(2, "not declared")
def name_not_declared(lines: Lines, rng: random.Random) -> int | None:
    node = rng.choice(lines[0]["model"]["nodes"])
    node["class" if "class" in node else "feature"] = "no such name"
    return _with_digest(lines)


@on_lines(2, "domain")
def unknown_domain(lines: Lines, rng: random.Random) -> int | None:
    rng.choice(lines[0]["model"]["features"])["domain"]["type"] = rng.choice(["", "float16", "Boolean", "f", 1])
    return _with_digest(lines)


@on_lines(1, "edges of node .* hold|cycle")
def walk_without_an_end(lines: Lines, rng: random.Random) -> int | None:
    """All edges of the root lead back to it, or none holds: no point has a class."""
    model = lines[0]["model"]
    root = next(node for node in model["nodes"] if node["id"] == model["root"])
    if "class" in root:
        return None
    for edge in root["edges"]:
        edge["to"] = model["root"]
    _with_digest(lines)
    return 2


# -------------------------------------------------------------------------------------------------------------- instances


@on_lines(1, "instance: its class is not")
def another_class(lines: Lines, rng: random.Random) -> int | None:
    at = family(lines, rng)
    assert at is not None
    names = [*lines[0]["model"]["classes"], "no such class"]
    lines[at]["class"] = rng.choice([name for name in names if name != lines[at]["class"]])
    return at + 1


@on_lines(1, "instance: there are")
def instance_of_another_length(lines: Lines, rng: random.Random) -> int | None:
    at = family(lines, rng)
    assert at is not None
    values = lines[at]["instance"]
    values.append(values[-1]) if rng.random() < 0.5 else values.pop()
    return at + 1


@on_lines(1, "instance: (its class is not|two of its sums are nearer)")
def instance_of_another_class(lines: Lines, rng: random.Random) -> int | None:
    found = [(k, p) for k in families(lines) for p in lines[k]["points"]]
    if not found:
        return None
    at, changes = rng.choice(found)
    for feature, value in changes:
        lines[at]["instance"][feature] = value
    return at + 1


@on_lines(2, "notion")
def another_notion(lines: Lines, rng: random.Random) -> int | None:
    at = family(lines, rng)
    assert at is not None
    lines[at]["notion"] = rng.choice(["conditions", "conditions-with-theory", ""])
    return at + 1


@on_lines(2, "unknown here or missing")
def field_dropped_or_added(lines: Lines, rng: random.Random) -> int | None:
    """A field of the line or of a claim.  Only "complete" may be left out, and saying less is no lie."""
    at = family(lines, rng)
    assert at is not None
    holder = rng.choice([lines[at], *lines[at]["claims"]])
    if rng.random() < 0.5:
        holder["note"] = 1
    else:
        del holder[rng.choice([key for key in holder if key not in ("complete", "kind", "verdict")])]
    return at + 1


# ----------------------------------------------------------------------------------------------- closed sets and points


@on_lines(1, "closed set .*: it (lacks the root|has node .* but not node)")
def node_dropped_from_a_closed_set(lines: Lines, rng: random.Random) -> int | None:
    """The sets are the least ones: each node but the root has a compatible edge from another node of the set."""
    found = evidence(lines, rng, "closed")
    if found is None:
        return None
    at, k = found
    nodes = nodes_of(lines[at]["closed"][k])
    set_nodes(lines[at]["closed"][k], nodes - {rng.choice(sorted(nodes))})
    return at + 1


@on_lines(1, "closed set .*: it has node .* a terminal of class")
def terminal_of_another_class_in_a_closed_set(lines: Lines, rng: random.Random) -> int | None:
    found = evidence(lines, rng, "closed")
    if found is None:
        return None
    at, k = found
    nodes = lines[0]["model"]["nodes"]
    others = [i for i, node in enumerate(nodes) if node.get("class", lines[at]["class"]) != lines[at]["class"]]
    if not others:
        return None
    set_nodes(lines[at]["closed"][k], nodes_of(lines[at]["closed"][k]) | {rng.choice(others)})
    return at + 1


@on_lines(1, "an unknown node")
def node_that_does_not_exist(lines: Lines, rng: random.Random) -> int | None:
    found = evidence(lines, rng, "closed")
    if found is None:
        return None
    at, k = found
    beyond = len(lines[0]["model"]["nodes"]) + rng.choice([0, 1, 10_000])
    set_nodes(lines[at]["closed"][k], nodes_of(lines[at]["closed"][k]) | {beyond})
    return at + 1


@on_lines(1, "closed set .*: it has node")
def fewer_features_fixed(lines: Lines, rng: random.Random) -> int | None:
    """The closed sets fix AXps.  Were a set closed with less fixed, the AXp would not be minimal."""
    found = evidence(lines, rng, "closed")
    if found is None or not lines[found[0]]["closed"][found[1]]["fixed"]:
        return None
    fixed = lines[found[0]]["closed"][found[1]]["fixed"]
    fixed.remove(rng.choice(fixed))
    return found[0] + 1


@on_lines(1, "sufficient: .* does not show")
def more_features_fixed(lines: Lines, rng: random.Random) -> int | None:
    """Still closed, but then it does not show that the AXp is sufficient."""
    found = evidence(lines, rng, "closed")
    if found is None:
        return None
    fixed = lines[found[0]]["closed"][found[1]]["fixed"]
    others = sorted(set(range(size_of(lines))) - set(fixed))
    if not others:
        return None
    fixed[:] = sorted([*fixed, rng.choice(others)])
    return found[0] + 1


@on_lines(2, "nodes is not of the form")
def digits_spelled_otherwise(lines: Lines, rng: random.Random) -> int | None:
    found = evidence(lines, rng, "closed")
    if found is None:
        return None
    closed = lines[found[0]]["closed"][found[1]]
    bits = closed["nodes"]
    closed["nodes"] = rng.choice(["0" + bits, "0x" + bits, bits + "_0", " " + bits, "-" + bits, "", bits + "A"])
    return found[0] + 1


@on_lines(1, "indexes|ascend")
def index_that_does_not_exist(lines: Lines, rng: random.Random) -> int | None:
    at = family(lines, rng)
    assert at is not None
    places = [c["fixed"] for c in lines[at]["closed"]] + [c["features"] for c in lines[at]["claims"]]
    rng.choice(places).append(rng.choice([-1, size_of(lines), 10**6, 10**300, -(10**300)]))
    return at + 1


@on_lines(1, "point .*: feature .* is not changed")
def value_moved_back(lines: Lines, rng: random.Random) -> int | None:
    """A point is moved over the threshold, to where the instance is."""
    found = evidence(lines, rng, "points")
    if found is None:
        return None
    change = rng.choice(lines[found[0]]["points"][found[1]])
    change[1] = lines[found[0]]["instance"][change[0]]
    return found[0] + 1


@on_lines(1, "point .*: it has the class of the instance")
def change_dropped(lines: Lines, rng: random.Random) -> int | None:
    """The points change CXps.  Had a point another class with less changed, the CXp would not be minimal."""
    found = evidence(lines, rng, "points")
    if found is None:
        return None
    changes = lines[found[0]]["points"][found[1]]
    changes.remove(rng.choice(changes))
    return found[0] + 1


@on_lines(1, "is not in the domain")
def value_outside_the_domain(lines: Lines, rng: random.Random) -> int | None:
    at = family(lines, rng)
    assert at is not None
    found = [change for point in lines[at]["points"] for change in point]
    feature = rng.randrange(size_of(lines))
    holder, place = lines[at]["instance"], feature
    if found and rng.random() < 0.7:
        holder, place = rng.choice(found), 1
        feature = holder[0]
    domain = lines[0]["model"]["features"][feature]["domain"]
    if domain["type"] == "real":
        outside: list[Any] = [None]
    elif domain["type"] == "integer":
        outside = [None, "1/2", "7.5"] + [int(domain[b]) + s for b, s in (("low", -1), ("high", 1)) if b in domain]
    elif domain["type"] in ("float32", "float64"):
        outside = ["1/3", "0.1", str(2**1024), "1/" + str(2**1075)] + [None] * (not domain.get("missing"))
    else:
        outside = ["no such value", 2, None, -1]
    holder[place] = rng.choice(outside)
    return at + 1


@on_lines(1, "do not ascend")
def feature_changed_twice(lines: Lines, rng: random.Random) -> int | None:
    found = evidence(lines, rng, "points")
    if found is None:
        return None
    changes = lines[found[0]]["points"][found[1]]
    changes.append(rng.choice(changes))
    return found[0] + 1


# ----------------------------------------------------------------------------------------------------------------- claims


@on_lines(1, "does not show|needed|ascend|refers to nothing|an earlier claim")
def xp_added(lines: Lines, rng: random.Random) -> int | None:
    """To a complete family: a set that is listed already is refused, any other is no AXp (CXp), whatever the evidence."""
    at = family(lines, rng, "complete")
    assert at is not None
    features = sorted(i for i in range(size_of(lines)) if rng.random() < 0.5)
    kind, name, pool, others = rng.choice(
        [("AXp", "sufficient", "closed", "points"), ("CXp", "changes", "points", "closed")]
    )
    needed = [rng.randrange(max(1, len(lines[at][others]))) for _ in features]
    reference = rng.randrange(max(1, len(lines[at][pool])))
    lines[at]["claims"].append({"kind": kind, "features": features, "verdict": kind, name: reference, "needed": needed})
    return at + 1


@on_lines(1, "complete")
def xp_removed(lines: Lines, rng: random.Random) -> int | None:
    """In a complete family: some S then contains no listed AXp and meets every listed CXp, so no proof exists."""
    found = claim(lines, rng, is_xp, whole=True)
    if found is None:
        return None
    del lines[found[0]]["claims"][found[1]]
    return found[0] + 1


@on_lines(1, "an earlier claim is the same")
def xp_repeated(lines: Lines, rng: random.Random) -> int | None:
    found = claim(lines, rng, is_xp)
    if found is None:
        return None
    claims = lines[found[0]]["claims"]
    claims.append(claims[found[1]])
    return found[0] + 1


@on_lines(1, "does not show|needed")
def member_dropped(lines: Lines, rng: random.Random) -> int | None:
    """An AXp (CXp) without a member is none."""
    found = claim(lines, rng, lambda item: is_xp(item) and bool(item["features"]))
    if found is None:
        return None
    item = lines[found[0]]["claims"][found[1]]
    at = rng.randrange(len(item["features"]))
    del item["features"][at]
    del item["needed"][at]
    return found[0] + 1


@on_lines(1, "needed")
def member_added(lines: Lines, rng: random.Random) -> int | None:
    """An AXp (CXp) with one feature more is none: nothing shows that this one is needed."""
    size = size_of(lines)
    found = claim(lines, rng, lambda item: is_xp(item) and len(item["features"]) < size)
    if found is None:
        return None
    item = lines[found[0]]["claims"][found[1]]
    added = rng.choice(sorted(set(range(size)) - set(item["features"])))
    item["features"] = sorted([*item["features"], added])
    others = lines[found[0]]["points" if item["kind"] == "AXp" else "closed"]
    if not others:
        return None
    item["needed"].insert(item["features"].index(added), rng.randrange(len(others)))
    return found[0] + 1


@on_lines(1, "refers to nothing|does not show|needed|an earlier claim")
def kind_swapped(lines: Lines, rng: random.Random) -> int | None:
    """In a complete family: an AXp that is a CXp too is listed as such already."""
    found = claim(lines, rng, is_xp, whole=True)
    if found is None:
        return None
    item = lines[found[0]]["claims"][found[1]]
    swapped = "CXp" if item["kind"] == "AXp" else "AXp"
    item["kind"] = item["verdict"] = swapped
    reference = item.pop("sufficient" if swapped == "CXp" else "changes")
    item["changes" if swapped == "CXp" else "sufficient"] = reference
    lines[found[0]]["claims"].append(lines[found[0]]["claims"].pop(found[1]))
    return found[0] + 1


@on_lines(1, "needed")
def needs_swapped(lines: Lines, rng: random.Random) -> int | None:
    """Each piece of evidence touches its own member; two that are not the same cannot stand for each other."""
    found = claim(lines, rng, lambda item: is_xp(item) and len(set(item["needed"])) > 1)
    if found is None:
        return None
    needed = lines[found[0]]["claims"][found[1]]["needed"]
    first = rng.randrange(len(needed))
    second = rng.choice([k for k in range(len(needed)) if needed[k] != needed[first]])
    needed[first], needed[second] = needed[second], needed[first]
    return found[0] + 1


@on_lines(1, "needed: .* for")
def need_dropped(lines: Lines, rng: random.Random) -> int | None:
    found = claim(lines, rng, lambda item: is_xp(item) and bool(item["needed"]))
    if found is None:
        return None
    lines[found[0]]["claims"][found[1]]["needed"].pop()
    return found[0] + 1


@on_lines(1, "refers to nothing")
def reference_to_nothing(lines: Lines, rng: random.Random) -> int | None:
    found = claim(lines, rng, lambda item: True)
    if found is None:
        return None
    item = lines[found[0]]["claims"][found[1]]
    nothing = rng.choice([-1, 10**6, 10**300])
    if item.get("needed") and rng.random() < 0.5:
        item["needed"][rng.randrange(len(item["needed"]))] = nothing
    else:
        item["sufficient" if "sufficient" in item else "changes"] = nothing
    return found[0] + 1


@on_lines(1, "do not ascend")
def members_out_of_order(lines: Lines, rng: random.Random) -> int | None:
    found = claim(lines, rng, lambda item: len(item["features"]) > 1)
    if found is None:
        return None
    features = lines[found[0]]["claims"][found[1]]["features"]
    features.reverse() if rng.random() < 0.5 else features.append(features[0])
    return found[0] + 1


@on_lines(2, "there is no .* with verdict")
def unknown_verdict(lines: Lines, rng: random.Random) -> int | None:
    found = claim(lines, rng, lambda item: True)
    if found is None:
        return None
    item = lines[found[0]]["claims"][found[1]]
    field = rng.choice(["kind", "verdict"])
    item[field] = rng.choice(["XP", "", 1, None, [], "complete"])
    return found[0] + 1


@on_lines(1, "does not show")
def called_redundant(lines: Lines, rng: random.Random) -> int | None:
    """An AXp (CXp) is called redundant, by its own evidence."""
    found = claim(lines, rng, is_xp)
    if found is None:
        return None
    item = lines[found[0]]["claims"][found[1]]
    item["verdict"] = "redundant"
    del item["needed"]
    return found[0] + 1


@on_lines(1, "does not show")
def called_no_xp(lines: Lines, rng: random.Random) -> int | None:
    """An AXp is called insufficient, a CXp ineffective: no point, no closed set shows that."""
    found = claim(lines, rng, is_xp)
    if found is None:
        return None
    line, item = lines[found[0]], lines[found[0]]["claims"][found[1]]
    axp = item["kind"] == "AXp"
    pool = line["points" if axp else "closed"]
    if not pool:
        return None
    del item["sufficient" if axp else "changes"], item["needed"]
    item["verdict"] = "insufficient" if axp else "ineffective"
    item["changes" if axp else "sufficient"] = rng.randrange(len(pool))
    return found[0] + 1


@on_lines(1, "does not show")
def called_redundant_though_no_xp(lines: Lines, rng: random.Random) -> int | None:
    """A set that is no weak AXp (CXp) at all is called redundant: no closed set, no point shows that."""
    found = claim(lines, rng, lambda item: item["verdict"] in ("insufficient", "ineffective"))
    if found is None:
        return None
    line, item = lines[found[0]], lines[found[0]]["claims"][found[1]]
    name, pool = ("sufficient", "closed") if item["kind"] == "AXp" else ("changes", "points")
    if not line[pool]:
        return None
    del item["changes" if name == "sufficient" else "sufficient"]
    item["verdict"] = "redundant"
    item[name] = rng.randrange(len(line[pool]))
    return found[0] + 1


# ----------------------------------------------------------------------------------------------------------- completeness


def _proof(lines: Lines, rng: random.Random, method: str) -> int | None:
    found = families(lines, "complete", lambda proof: proof["method"] == method)
    return rng.choice(found) if found else None


def follows(clauses: Sequence[Sequence[int]], line: Sequence[int]) -> bool:
    """Tell whether *line* is RUP, by looking at all clauses again and again."""
    true = {-literal for literal in line}
    changed = True
    while changed:
        changed = False
        for clause in clauses:
            if any(literal in true for literal in clause):
                continue
            rest = {literal for literal in clause if -literal not in true}
            if not rest:
                return True
            if len(rest) == 1:
                true |= rest
                changed = True
        if any(-literal in true for literal in true):
            return True
    return False


def refutes(line: Any) -> bool:
    """Tell whether the lines of a proof refute: by code that has nothing in common with the checker's."""
    known = [
        [i + 1 if item["kind"] == "CXp" else -i - 1 for i in item["features"]] for item in line["claims"] if is_xp(item)
    ]
    for clause in line["complete"]["lines"]:
        if not follows(known, clause):
            return False
        known.append(clause)
    return bool(line["complete"]["lines"]) and not line["complete"]["lines"][-1]


def _still_a_proof(lines: Lines, at: int) -> int | None:
    return None if refutes(lines[at]) else at + 1


@on_lines(1, "complete: the last line")
def empty_clause_dropped(lines: Lines, rng: random.Random) -> int | None:
    at = _proof(lines, rng, "rup")
    if at is None:
        return None
    lines[at]["complete"]["lines"].pop()
    return at + 1


@on_lines(1, "complete: line")
def clause_dropped(lines: Lines, rng: random.Random) -> int | None:
    """Not where what follows still follows."""
    at = _proof(lines, rng, "rup")
    if at is None or len(lines[at]["complete"]["lines"]) < 2:
        return None
    del lines[at]["complete"]["lines"][rng.randrange(len(lines[at]["complete"]["lines"]) - 1)]
    return _still_a_proof(lines, at)


@on_lines(1, "complete: line|the last line")
def clauses_reordered(lines: Lines, rng: random.Random) -> int | None:
    at = _proof(lines, rng, "rup")
    if at is None:
        return None
    proof = lines[at]["complete"]["lines"]
    proof.reverse() if rng.random() < 0.3 else rng.shuffle(proof)
    return _still_a_proof(lines, at)


@on_lines(1, "complete: line")
def literal_dropped(lines: Lines, rng: random.Random) -> int | None:
    at = _proof(lines, rng, "rup")
    if at is None:
        return None
    clauses = [clause for clause in lines[at]["complete"]["lines"] if clause]
    if not clauses:
        return None
    clause = rng.choice(clauses)
    clause.remove(rng.choice(clause))
    return _still_a_proof(lines, at)


@on_lines(1, "complete: .* has an unknown variable")
def literal_zero(lines: Lines, rng: random.Random) -> int | None:
    """0 is its own opposite: a careless checker takes it for a conflict."""
    at = _proof(lines, rng, "rup")
    if at is None:
        return None
    lines[at]["complete"]["lines"].insert(0, rng.choice([[0], [0, 0]]))
    return at + 1


@on_lines(1, "complete: .* after the end")
def tree_goes_on(lines: Lines, rng: random.Random) -> int | None:
    at = _proof(lines, rng, "tree")
    if at is None:
        return None
    lines[at]["complete"]["nodes"].append(rng.choice([-1, 0, *lines[at]["complete"]["nodes"]]))
    return at + 1


@on_lines(1, "complete: (it breaks off|.* no feature)")
def tree_cut_off(lines: Lines, rng: random.Random) -> int | None:
    at = _proof(lines, rng, "tree")
    if at is None:
        return None
    nodes = lines[at]["complete"]["nodes"]
    del nodes[rng.randrange(len(nodes)) :]
    return at + 1


@on_lines(1, "complete: .* no feature that is undecided|after the end|breaks off")
def leaf_of_no_claim(lines: Lines, rng: random.Random) -> int | None:
    at = _proof(lines, rng, "tree")
    if at is None:
        return None
    nodes = lines[at]["complete"]["nodes"]
    leaf = rng.choice([k for k, node in enumerate(nodes) if node < 0])
    nodes[leaf] = rng.choice([-len(lines[at]["claims"]) - 1, size_of(lines), -(10**300), 10**300])
    return at + 1


@on_lines(1, "complete: .* no feature that is undecided")
def subtrees_swapped(lines: Lines, rng: random.Random) -> int | None:
    """A leaf below the root settles by a claim of the decided features; on the other side of a branch it does not.

    The least tree: feature, in, out.  Both leaves need the feature, or one leaf alone would settle all.
    """
    found = families(lines, "complete", lambda proof: proof["method"] == "tree" and len(proof["nodes"]) == 3)
    if not found:
        return None
    at = rng.choice(found)
    nodes = lines[at]["complete"]["nodes"]
    nodes[1], nodes[2] = nodes[2], nodes[1]
    return at + 1


@on_lines(2, "it")
def unknown_method(lines: Lines, rng: random.Random) -> int | None:
    at = family(lines, rng, "complete")
    assert at is not None
    lines[at]["complete"]["method"] = rng.choice(["drat", "", "RUP", 1, None])
    return at + 1


@on_lines(2, "end.* instead of")
def another_count(lines: Lines, rng: random.Random) -> int | None:
    lines[-1]["end"] += rng.choice([-1, 1, 10**300])
    return len(lines)


# ------------------------------------------------------------------------------------------------------------------- MUSes


def mus(lines: Lines, rng: random.Random) -> tuple[int, Any] | None:
    found = families(lines, "mus")
    at = rng.choice(found) if found else 0
    return (at, lines[at]) if found else None


@on_formula(1, "refutation: line|the last line")
def mus_clause_dropped(lines: Lines, rng: random.Random) -> int | None:
    """The rest of a MUS is satisfiable."""
    found = mus(lines, rng)
    if found is None:
        return None
    at, line = found
    k = rng.randrange(len(line["mus"]))
    del line["mus"][k]
    del line["models"][k]
    return at + 1


@on_formula(1, "model [0-9]+: ")
def mus_clause_added(lines: Lines, rng: random.Random) -> int | None:
    """With another clause it is no MUS: no model of all clauses but this one exists, and others lack theirs."""
    found = mus(lines, rng)
    if found is None:
        return None
    at, line = found
    others = sorted(set(range(len(lines[0]["formula"]["clauses"]))) - set(line["mus"]))
    if not others:
        return None
    line["mus"] = sorted([*line["mus"], rng.choice(others)])
    line["models"] = [rng.choice(line["models"]) for _ in line["mus"]]
    return at + 1


@on_formula(1, "model [0-9]+: ")
def model_changed(lines: Lines, rng: random.Random) -> int | None:
    """To a model of another clause's, or to bits that do not satisfy the others."""
    found = mus(lines, rng)
    if found is None or len(found[1]["mus"]) < 2:
        return None
    at, line = found
    clauses = [lines[0]["formula"]["clauses"][k] for k in line["mus"]]
    k = rng.randrange(len(clauses))
    bits = rng.randrange(2 ** lines[0]["formula"]["variables"])
    others = [clause for number, clause in enumerate(clauses) if number != k]
    if all(any((bits >> (abs(x) - 1) & 1) == (x > 0) for x in clause) for clause in others):
        return None
    line["models"][k] = f"{bits:x}"
    return at + 1


@on_formula(1, "models of")
def model_dropped(lines: Lines, rng: random.Random) -> int | None:
    found = mus(lines, rng)
    if found is None:
        return None
    found[1]["models"].pop()
    return found[0] + 1


@on_formula(1, "refutation: ")
def refutation_emptied(lines: Lines, rng: random.Random) -> int | None:
    """Not where unit propagation alone refutes the clauses."""
    found = mus(lines, rng)
    if found is None:
        return None
    at, line = found
    clauses = [lines[0]["formula"]["clauses"][k] for k in line["mus"]]
    line["refutation"] = [] if follows(clauses, []) else rng.choice([[], [[]]])
    return at + 1


@on_formula(1, "digests")
def formula_changed(lines: Lines, rng: random.Random) -> int | None:
    clauses = lines[0]["formula"]["clauses"]
    clauses.append([1]) if rng.random() < 0.5 else clauses.pop()
    return 1


# --------------------------------------------------------------------------------------------------------------- ensembles


def boxes(lines: Lines, rng: random.Random, test: Callable[[Any], bool]) -> tuple[int, Any] | None:
    """Return (line, what stands for a closed set) of an XP of a complete family, of those that pass *test*."""
    found = [(k, item) for k in families(lines, "complete") for item in lines[k]["closed"] if test(item)]
    return rng.choice(found) if found else None


def cuts_of(numbers: Sequence[int]) -> list[int]:
    """Return where the cuts of a tree of boxes begin."""
    found, at = [], 0
    while at < len(numbers):
        if numbers[at] != -1:
            found.append(at)
            at += 1
        at += 1
    return found


def has_cut(item: Any) -> bool:
    return len(item["boxes"]) > 1


@on_ensemble(1, "closed set .*: class .* may win")
def box_fixed_by_less(lines: Lines, rng: random.Random) -> int | None:
    """The trees are of AXps.  Were a box too large by a feature decided, the AXp would not be minimal."""
    found = boxes(lines, rng, lambda item: bool(item["fixed"]))
    if found is None:
        return None
    found[1]["fixed"].remove(rng.choice(found[1]["fixed"]))
    return found[0] + 1


@on_ensemble(1, "closed set .*: class .* may win")
def one_box_of_everything(lines: Lines, rng: random.Random) -> int | None:
    """All points of another class are in it."""
    found = boxes(lines, rng, lambda item: bool(item["fixed"]))
    if found is None:
        return None
    found[1].update(fixed=[], boxes=[-1])
    return found[0] + 1


@on_ensemble(1, "does not cut its box")
def box_fixed_by_more(lines: Lines, rng: random.Random) -> int | None:
    """A feature that is cut."""
    found = boxes(lines, rng, has_cut)
    if found is None:
        return None
    numbers = found[1]["boxes"]
    found[1]["fixed"] = sorted({*found[1]["fixed"], numbers[rng.choice(cuts_of(numbers))]})
    return found[0] + 1


@on_ensemble(1, "closed set .*: (it breaks off|\\[[0-9]+\\] does not cut its box)")
def boxes_cut_off(lines: Lines, rng: random.Random) -> int | None:
    """Between two boxes, or between the feature of a cut and its place."""
    found = boxes(lines, rng, lambda item: True)
    if found is None:
        return None
    numbers = found[1]["boxes"]
    del numbers[rng.randrange(len(numbers)) :]
    return found[0] + 1


@on_ensemble(1, "closed set .*: (it breaks off|\\[[0-9]+\\] does not cut its box|.* may win)")
def box_dropped(lines: Lines, rng: random.Random) -> int | None:
    """A gap: there is one half too few.  The following box takes its place: a cut may lie outside of that."""
    found = boxes(lines, rng, has_cut)
    if found is None:
        return None
    numbers = found[1]["boxes"]
    del numbers[rng.choice([k for k in range(len(numbers)) if k not in cuts_of(numbers) and numbers[k] == -1])]
    return found[0] + 1


@on_ensemble(1, "closed set .*: \\[[0-9]+\\] comes after the end")
def box_added(lines: Lines, rng: random.Random) -> int | None:
    found = boxes(lines, rng, lambda item: True)
    if found is None:
        return None
    found[1]["boxes"].append(rng.choice([-1, 0, 10**300]))
    return found[0] + 1


@on_ensemble(1, "does not cut its box")
def cut_outside_the_box(lines: Lines, rng: random.Random) -> int | None:
    found = boxes(lines, rng, has_cut)
    if found is None:
        return None
    at = rng.choice(cuts_of(found[1]["boxes"]))
    found[1]["boxes"][at + 1] = rng.choice([0, -1, -7, 10**6, 10**300])
    return found[0] + 1


@on_ensemble(1, "does not cut its box")
def cut_made_twice(lines: Lines, rng: random.Random) -> int | None:
    """In its own lower half: nothing is left to cut there."""
    found = boxes(lines, rng, has_cut)
    if found is None:
        return None
    numbers = found[1]["boxes"]
    at = rng.choice(cuts_of(numbers))
    numbers[at + 2 : at + 2] = [numbers[at], numbers[at + 1], -1]
    return found[0] + 1


@on_ensemble(1, "does not cut its box")
def cut_of_another_feature(lines: Lines, rng: random.Random) -> int | None:
    found = boxes(lines, rng, has_cut)
    if found is None:
        return None
    at = rng.choice(cuts_of(found[1]["boxes"]))
    found[1]["boxes"][at] = rng.choice([size_of(lines), -2, 10**300, *found[1]["fixed"]])
    return found[0] + 1


@on_ensemble(1, "does not cut its box")
def box_called_otherwise(lines: Lines, rng: random.Random) -> int | None:
    """−1 is a box that is decided, and no other number is."""
    found = boxes(lines, rng, lambda item: True)
    if found is None:
        return None
    numbers = found[1]["boxes"]
    ends = [k for k in range(len(numbers)) if numbers[k] == -1]
    numbers[rng.choice(ends)] = rng.choice([-2, -(10**300), 10**300])
    return found[0] + 1


@on_ensemble(2, "closed\\[")
def nodes_for_boxes(lines: Lines, rng: random.Random) -> int | None:
    found = boxes(lines, rng, lambda item: True)
    if found is None:
        return None
    del found[1]["boxes"]
    found[1]["nodes"] = "1"
    return found[0] + 1


def weights_of(lines: Lines) -> list[tuple[list[Any], int]]:
    """Return the places of the numbers that an ensemble adds."""
    model = lines[0]["model"]
    rows = [model["rule"].get("base", []), *(row for t in model["trees"] for row in t.get("answers", {}).values())]
    return [(row, k) for row in rows for k in range(len(row))]


@on_ensemble(1, "digests")
def weight_changed(lines: Lines, rng: random.Random) -> int | None:
    """A weight of a tree or of the base, by a little or by much."""
    places = weights_of(lines)
    if not places:
        return None
    row, k = rng.choice(places)
    row[k] = rng.choice(["19/97", 10**30, -7])
    return 1


@on_ensemble(1, "digests")
def rule_changed(lines: Lines, rng: random.Random) -> int | None:
    """Sum for average, another threshold, strictness, arithmetic or doubt."""
    rule = lines[0]["model"]["rule"]
    if rule["type"] == "majority":
        # The first one wins among equals.
        lines[0]["model"]["classes"].reverse()
        return 1
    changes: list[Callable[[], Any]] = [
        lambda: rule.update(type="sum" if rule["type"] == "average" else "average"),
        lambda: rule.update(arithmetic="binary32" if rule["arithmetic"] == "exact" else "exact"),
        lambda: rule.update(doubt="2/7"),
    ]
    if "threshold" in rule:
        changes.append(lambda: rule["threshold"].update(inclusive=not rule["threshold"]["inclusive"]))
        changes.append(lambda: rule["threshold"].update(at="19/97"))
    rng.choice(changes)()
    return 1


@on_ensemble(1, "digests")
def tree_dropped_or_moved(lines: Lines, rng: random.Random) -> int | None:
    trees = lines[0]["model"]["trees"]
    if rng.random() < 0.5 or len(trees) == 1:
        trees.append(trees[0]) if len(trees) == 1 else trees.pop(rng.randrange(len(trees)))
    else:
        trees.append(trees.pop(0))
        return 1 if any(tree["name"] != f"tree {k}" for k, tree in enumerate(trees)) else None
    return 1


@on_ensemble(1, "digests")
def answers_swapped(lines: Lines, rng: random.Random) -> int | None:
    """Two rows of a tree, or two numbers of a row, change places."""
    found = [
        a for t in lines[0]["model"]["trees"] for a in [t.get("answers", {})] if len(set(map(str, a.values()))) > 1
    ]
    if not found:
        return None
    answers = rng.choice(found)
    first, second = rng.choice([(a, b) for a in answers for b in answers if answers[a] != answers[b]])
    answers[first], answers[second] = answers[second], answers[first]
    return 1


@on_ensemble(2, "rule|tree|answers|instead of|doubt|missing|score|number|nodes: there are none|classes: there are none")
def model_that_is_none(lines: Lines, rng: random.Random) -> int | None:
    """With the right digest, so that it is the model that is refused."""
    model = lines[0]["model"]
    rule, trees = model["rule"], model["trees"]
    changes: list[Callable[[], Any]] = [
        trees.clear,
        model["classes"].clear,
        lambda: rule.update(type=rng.choice(["", "median", None, ["sum"]])),
        lambda: trees[0].update(classes=["a"]),
        lambda: trees[0].pop("root"),
        lambda: trees[-1]["nodes"].clear(),
        lambda: model.update(trees={}),
        lambda: model["classes"].append(model["classes"][0]),
    ]
    if rule["type"] == "majority":
        changes += [lambda: rule.update(base=[0, 0]), lambda: trees[0].update(answers={"c0": [1]})]
    else:
        answers = trees[0]["answers"]
        changes += [
            lambda: rule.update(doubt=rng.choice([-1, None, "1e-3"])),
            lambda: rule.update(arithmetic=rng.choice(["float", "binary16", None])),
            lambda: rule["base"].append(0),
            lambda: answers[next(iter(answers))].pop(),
            lambda: answers.update({next(iter(answers)): [rng.choice(["nan", "inf", True, None, "1e3", "0x1"])]}),
            lambda: trees[0].pop("answers"),
            answers.clear,
            lambda: rule["base"].__setitem__(0, f"1/{3**790}"),
        ]
    rng.choice(changes)()
    return _with_digest(lines)


# -------------------------------------------------------------------------------------------------------------- campaigns


def certificates(cases: Iterable[tuple[DecisionGraph, Sequence[Point]]]) -> list[bytes]:
    """Return the certificates of graphs at some instances, by both methods."""
    return [graph_certificate(graph, points, ("rup", "tree")[k % 2]) for k, (graph, points) in enumerate(cases)]


@functools.cache
def random_ensembles(count: int, seed: int = 0) -> tuple[bytes, ...]:
    """Return certificates of ensembles of at most four features, each at an instance or two, by both methods."""
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded
    from hypothesis import strategies as st

    from xpgcheck.properties.strategies.points import draw_point

    found: list[bytes] = []

    @seeded(seed)
    @settings(
        max_examples=6 * count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def drawn(data: st.DataObject) -> None:
        model = data.draw(small_ensembles())
        instances = settled(model, [draw_point(data.draw, model) for _ in range(2)])
        # In a constant ensemble there is little to tamper with.
        if len(found) < count and any(instance.cxps for instance in instances):
            found.append(ensemble_certificate(model, instances, ("rup", "tree")[len(found) % 2]))

    drawn()
    return tuple(found)


def random_cases(count: int, seed: int = 0) -> list[tuple[DecisionGraph, list[Point]]]:
    """Return graphs of all kinds of at most five features, each with two instances."""
    from hypothesis import HealthCheck, Phase, given, settings
    from hypothesis import seed as seeded
    from hypothesis import strategies as st

    from xpgcheck.properties.strategies import graphs, points

    found: list[tuple[DecisionGraph, list[Point]]] = []

    @seeded(seed)
    @settings(
        max_examples=2 * count,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def drawn(data: st.DataObject) -> None:
        graph = data.draw(graphs())
        instances = [data.draw(points(graph)) for _ in range(2)]
        if len(graph.features) <= 5 and len(found) < count:
            found.append((graph, instances))

    drawn()
    return found


@functools.cache
def majority() -> bytes:
    """The certificate of the majority of five: ten AXps, ten CXps, and a refutation of which no line can be left out."""
    nodes: dict[str | int, NonTerminal | Terminal] = {"no": Terminal(0), "yes": Terminal(1)}
    for level in range(5):
        for ones in range(max(0, level - 2), min(level, 2) + 1):
            sides = []
            for value in (False, True):
                count, zeros = ones + value, level + 1 - ones - value
                child = "yes" if count == 3 else "no" if zeros == 3 else f"{level + 1} {count}"
                sides.append((child, FiniteSet(frozenset([value]))))
            nodes[f"{level} {ones}"] = NonTerminal(level, tuple(sides))
    graph = decision_graph("majority", [Feature(f"x{i}", Boolean()) for i in range(5)], ["0", "1"], nodes, "0 0")
    instance = Instance(graph, (True,) * 5)
    head = header("model", json.loads(model_json(graph)))
    line = instance.family("rup")
    proof = line["complete"]["lines"]
    for k in range(len(proof) - 2, -1, -1):
        dropped = proof.pop(k)
        if not refutes(line):
            proof.insert(k, dropped)
    return certificate(head, [line])


def random_formulas(count: int, seed: int = 0) -> list[bytes]:
    """Return certificates of all MUSes of small unsatisfiable formulas."""
    rng = random.Random(seed)
    found: list[bytes] = [EXAMPLE]
    while len(found) < count:
        signed = [[v, -v] for v in (1, 2, 3)]
        clauses = [[rng.choice(v) for v in rng.sample(signed, rng.choice([1, 2, 2, 3]))] for _ in range(8)]
        if muses(3, clauses):
            found.append(formula_certificate(3, clauses))
    return found


def campaign(files: Sequence[bytes], count: int, seed: int = 0) -> tuple[Counter[str], list[str]]:
    """Tamper *count* times, with all kinds in turn; return how often by which kind, and what the checker did wrong."""
    rng = random.Random(seed)
    done: Counter[str] = Counter()
    faults: list[str] = []
    kinds = list(KINDS.values())
    files = [*files, *[majority()] * (len(files) // 5 + 1)]
    formulas = random_formulas(40, seed)
    for turn in range(20 * count):
        if done.total() >= count:
            break
        kind = kinds[turn % len(kinds)]
        problem = fault(kind, rng.choice(formulas if kind.subject == "formula" else files), rng)
        if problem == "does not apply":
            continue
        done[kind.name] += 1
        if problem is not None:
            faults.append(f"{kind.name}: {problem}")
    return done, faults


def main(count: int) -> int:
    files = [*certificates(random_cases(400)), *random_ensembles(300)]
    start = time.perf_counter()
    done, faults = campaign(files, count)
    print("| kind | files | refused as it has to be |\n| --- | --- | --- |")
    wrong = Counter(text.split(":")[0] for text in faults)
    for name in KINDS:
        print(f"| {name} | {done[name]} | {done[name] - wrong[name]} |")
    print(f"| all {len(KINDS)} kinds | {done.total()} | {done.total() - len(faults)} |")
    print(f"{time.perf_counter() - start:.0f} s", *faults[:20], sep="\n")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1])))
