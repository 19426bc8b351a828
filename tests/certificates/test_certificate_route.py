"""A checked certificate as a route of the oracles: what it says is true, and what was tampered with says nothing."""

from __future__ import annotations

import dataclasses
import itertools
import json
import random
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from formulas import EXAMPLE
from hypothesis import given
from tamperings import KINDS, certificates, majority, random_cases, tampered

from xpgcheck import embedded
from xpgcheck.certificates.issuing import certificate
from xpgcheck.errors import FormatError, InputError
from xpgcheck.judging.consensus import Consensus
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import Answer, replay
from xpgcheck.oracles.certificates import Certificate, CertificateOracle
from xpgcheck.oracles.closed_set import ClosedSetOracle
from xpgcheck.oracles.exhaustive import ExhaustiveOracle
from xpgcheck.properties import strategies
from xpgcheck.properties.cases import Case
from xpgcheck.readers.json_model import parse_json
from xpgcheck.writers.json_model import model_json

LOAN = """{"format": "decision-graph", "version": 1, "name": "loan",
 "features": [{"name": "member", "domain": {"type": "boolean"}}, {"name": "age", "domain": {"type": "integer"}},
  {"name": "job", "domain": {"type": "categorical", "values": ["a", "b"]}},
  {"name": "rate", "domain": {"type": "float32", "missing": true}}],
 "classes": ["no", "yes"], "root": "r",
 "nodes": [{"id": "r", "feature": "rate", "edges": [{"to": "m", "in": ["missing", "(-inf, 0.5]"]},
   {"to": "j", "in": ["(0.5, inf)"]}]},
  {"id": "m", "feature": "member", "edges": [{"to": "n", "in": [0]}, {"to": "g", "in": [1]}]},
  {"id": "j", "feature": "job", "edges": [{"to": "n", "in": ["a"]}, {"to": "y", "in": ["b"]}]},
  {"id": "g", "feature": "age", "edges": [{"to": "n", "in": ["(-inf, 24]"]}, {"to": "y", "in": ["[25, inf)"]}]},
  {"id": "n", "class": "no"}, {"id": "y", "class": "yes"}]}"""
"""Every kind of value; some of its variants below differ in one place and keep all names."""

GRAPH = parse_json(LOAN.encode())
POINT: Point = (True, 30, "a", next(iter(GRAPH.cells[3])).representative())


def subsets(count: int) -> Iterator[frozenset[int]]:
    for size in range(count + 1):
        yield from map(frozenset, itertools.combinations(range(count), size))


def issued(graph: DecisionGraph, *points: Point) -> bytes:
    return certificate(graph, points or [POINT]).encode()


def route(graph: DecisionGraph = GRAPH, *points: Point, at: Point = POINT) -> CertificateOracle:
    return Certificate.of_bytes(issued(graph, *points)).of(graph).at(at)


class Says:
    """An oracle that always says the same."""

    def __init__(self, changeable: bool | None, engine: str = "stub") -> None:
        self.name = f"{engine} says {changeable}"
        self.engine = engine
        self._answer = Answer(changeable, None, self.name)

    def changeable(self, fixed: Iterable[int]) -> Answer:
        return self._answer


@given(case=strategies.property_cases(12))
def test_complete_families_answer_every_question(case: Case) -> None:
    oracle = route(case.graph, case.instance, at=case.instance)
    cells = ExhaustiveOracle(case.graph, case.instance)
    for fixed in itertools.islice(subsets(len(case.graph.features)), 128):
        answer = oracle.changeable(fixed)
        assert answer.changeable is cells.changeable(fixed).changeable
        if answer.changeable:
            assert answer.witness is not None
            assert replay(case.graph, case.instance, fixed, answer.witness) is None


@pytest.mark.parametrize("name", embedded.names())
def test_embedded_models_are_recognized(name: str) -> None:
    model = embedded.load(name)
    if isinstance(model.graph, DecisionGraph):
        point = model.instances[0]
        oracle = route(model.graph, point, at=point)
        assert oracle.changeable(range(len(point))).changeable is False


def test_values_are_those_of_the_model() -> None:
    for fixed in subsets(4):
        answer = route().changeable(fixed)
        assert answer.changeable is ExhaustiveOracle(GRAPH, POINT).changeable(fixed).changeable
        if answer.witness is not None:
            assert replay(GRAPH, POINT, fixed, answer.witness) is None
    missing = (*POINT[:3], parse_json(LOAN.encode()).cells[3][-1].representative())
    assert route(GRAPH, missing, at=missing).changeable(range(4)).changeable is False


def test_it_is_one_route_of_two() -> None:
    axp = next(fixed for fixed in subsets(4) if route().changeable(fixed).changeable is False)

    def ask(*oracles: Any) -> Any:
        return Consensus.of_graph(GRAPH, POINT, oracles).ask(axp)

    alone = ask(route())
    assert (alone.changeable, alone.reason) == (None, "only one route says so: certificate")
    assert ask(route(), route()).changeable is None
    assert ask(route(), Says(None)).changeable is None
    both = ask(route(), Says(False))
    assert (both.changeable, both.confirmed_by) == (False, ("certificate", "stub says False"))
    assert ask(route(), ClosedSetOracle(GRAPH, POINT)).changeable is False
    assert ask(Says(None), Says(False), route()).changeable is False


def test_a_point_is_a_witness() -> None:
    finding = Consensus.of_graph(GRAPH, POINT, [route()]).ask(())
    assert finding.changeable
    assert finding.confirmed_by == ("certificate",)


def test_of_another_instance_it_says_nothing() -> None:
    other = (True, 31, *POINT[2:])
    for fixed in subsets(4):
        assert route(GRAPH, POINT, at=other).changeable(fixed).changeable is None
    # Beside others, it is found among them.
    assert route(GRAPH, other, POINT, at=POINT).changeable(range(4)).changeable is False


def test_a_closed_set_of_more_features_proves_nothing_of_fewer() -> None:
    lines = issued(GRAPH).splitlines(keepends=True)
    family = json.loads(lines[1])
    axp = next(claim for claim in family["claims"] if claim["kind"] == "AXp" and len(claim["features"]) > 1)
    fixed = family["closed"][axp["sufficient"]]["fixed"]
    family.update(closed=[family["closed"][axp["sufficient"]]], points=[], claims=[])
    del family["complete"]
    lines[1] = json.dumps(family, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
    oracle = Certificate.of_bytes(b"".join(lines)).of(GRAPH).at(POINT)
    for asked in subsets(4):
        assert oracle.changeable(asked).changeable is (False if asked >= frozenset(fixed) else None)
    # Seeded: an oracle that takes it for a proof of fewer is found out by the definition.
    wrong = [asked for asked in subsets(4) if asked < set(fixed)]
    assert any(ExhaustiveOracle(GRAPH, POINT).changeable(asked).changeable for asked in wrong)
    # Claiming the smaller set in the file is refused.
    family["closed"][0]["fixed"] = fixed[1:]
    lines[1] = json.dumps(family, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
    with pytest.raises(FormatError, match="line 2: closed set 0"):
        Certificate.of_bytes(b"".join(lines))


VARIANTS: dict[str, tuple[str, dict[str, str]]] = {
    "an edge of an integer": ("node", {"24]": "25]", "[25": "[26"}),
    "an edge of a float": ("node", {"0.5": "0.25"}),
    "the missing value goes elsewhere": ("node", {'"missing", ': "", '"(0.5, inf)"': '"(0.5, inf)", "missing"'}),
    "edges swapped": ("node", {"[0]": "[2]", "[1]": "[0]", "[2]": "[1]"}),
    "categories swapped": ("node", {'["a"]': '["c"]', '["b"]': '["a"]', '["c"]': '["b"]'}),
    "terminals swapped": (
        "",
        {'"n", "class": "no"': '"n", "class": "yes"', '"y", "class": "yes"': '"y", "class": "no"'},
    ),
    "a bounded domain": ("domain", {'"integer"': '"integer", "low": 0'}),
    "reals for integers": ("domain", {'"integer"': '"real"', "[25": "(24"}),
    "one more category": ("domain", {'["a", "b"]': '["a", "b", "c"]', '"in": ["a"]': '"in": ["a", "c"]'}),
    "binary64": ("domain", {"float32": "float64"}),
    "classes in another order": ("classes", {'["no", "yes"]': '["yes", "no"]'}),
    "a feature of another name": ("features", {'"member"': '"Member"'}),
}


@pytest.mark.parametrize("name", VARIANTS)
def test_another_model_of_the_same_name_is_no_evidence(name: str) -> None:
    where, changes = VARIANTS[name]
    text = LOAN
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    other = parse_json(text.encode())
    assert other.name == GRAPH.name
    for first, second in ((GRAPH, other), (other, GRAPH)):
        found = Certificate.of_bytes(issued(first, tuple(cells[0].representative() for cells in first.cells)))
        with pytest.raises(FormatError, match=f"another model than 'loan': .*{where}"):
            found.of(second)
        assert found.of(first)


def test_the_same_model_in_other_words_is_the_same() -> None:
    same = LOAN.replace("[25, inf)", "(24, inf)").replace("0.5", "1/2")
    assert same != LOAN
    assert Certificate.of_bytes(issued(GRAPH)).of(parse_json(same.encode()))
    assert Certificate.of_bytes(issued(GRAPH)).of(parse_json(model_json(GRAPH).encode()))


@given(case=strategies.property_cases(12))
def test_a_graph_without_an_edge_of_its_own_is_another(case: Case) -> None:
    graph = case.graph
    found = Certificate.of_bytes(issued(graph, case.instance))
    assert found.of(graph)
    for node in range(graph.node_count):
        if len(graph.children[node]) > 1 and len(set(graph.children[node])) > 1:
            children = list(graph.children)
            children[node] = (*children[node][1:], children[node][0])
            with pytest.raises(FormatError, match=f"node {node} has other edges"):
                found.of(dataclasses.replace(graph, children=tuple(children)))


@pytest.fixture(scope="module")
def files() -> list[bytes]:
    return [*certificates(random_cases(12)), majority(), EXAMPLE]


# A certificate of an ensemble is no route yet.
@pytest.mark.parametrize("name", [name for name, kind in KINDS.items() if kind.subject != "ensemble"])
def test_what_was_tampered_with_is_no_evidence(name: str, files: list[bytes]) -> None:
    rng = random.Random(name)
    refused = 0
    for data in files:
        result = tampered(KINDS[name], data, rng)
        if result is None:
            continue
        refused += 1
        with pytest.raises(FormatError, match=r"^certificate: line \d+: "):
            Certificate.of_bytes(result[0], "certificate")
    assert refused


def test_a_formula_is_no_model() -> None:
    with pytest.raises(FormatError, match="it is about a formula"):
        Certificate.of_bytes(EXAMPLE)


def test_a_file_that_changes_meanwhile_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_bytes(issued(GRAPH))
    oracle = Certificate.of_file(path).of(GRAPH).at(POINT)
    path.write_bytes(issued(GRAPH).replace(b'"fixed":[', b'"fixed":[9,', 1))
    with pytest.raises(FormatError, match="is not what it was"):
        oracle.changeable(())


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        Certificate.of_file(tmp_path / "none")


BLIND: dict[str, Callable[..., Any]] = {"check_closed_set": lambda *_: None}


def test_a_route_without_the_check_would_be_lied_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lie that matters: a closed set that fixes nothing.  Without the checker's look at it, it would be believed."""
    data = issued(GRAPH)
    lines = data.splitlines(keepends=True)
    family = json.loads(lines[1])
    family["closed"][0]["fixed"] = []
    lines[1] = json.dumps(family, separators=(",", ":"), ensure_ascii=False).encode() + b"\n"
    lie = b"".join(lines)
    with pytest.raises(FormatError, match="line 2: closed set 0"):
        Certificate.of_bytes(lie)
    from xpgcheck import check_certificate

    monkeypatch.setattr(check_certificate, "check_closed_set", BLIND["check_closed_set"])
    oracle = Certificate.of_bytes(lie).of(GRAPH).at(POINT)
    assert oracle.changeable(()).changeable is False
    # Even then a witness that replays keeps it from being believed.
    consensus = Consensus.of_graph(GRAPH, POINT, [oracle, ExhaustiveOracle(GRAPH, POINT)])
    assert consensus.ask(()).disagreement
