"""No vector is made where two routes, or a route and the explainer, say different things; flags are found, not told."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

import pytest

from xpgcheck.judging.consensus import Consensus
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import Answer, Oracle
from xpgcheck.oracles.closed_set import ClosedSetOracle
from xpgcheck.oracles.exhaustive import ExhaustiveOracle
from xpgcheck.readers.instances import read_point
from xpgcheck.vectors import certifying
from xpgcheck.vectors.certifying import CertifiedFamilies, Certifier, GraphCertifier, UncertifiedError
from xpgcheck.vectors.flagging import flags_of
from xpgcheck.vectors.grouping import Group
from xpgcheck.vectors.writing_cases import BOOLEAN, FLOAT32, REAL, below, group, zero_one
from xpgcheck.xpg.xps import XP, Kind


def either() -> tuple[DecisionGraph, Point]:
    """Return x or y, at (1, 1): AXps {x} and {y}, CXp {x, y}."""
    nodes = [("root", "x", zero_one("n", "Y")), ("n", "y", zero_one("N", "Y")), ("N", "no"), ("Y", "yes")]
    made = group("x or y", {"x": BOOLEAN, "y": BOOLEAN}, ["no", "yes"], nodes, [("", (1, 1))])
    return made.graph, made.instances[0][1]


class Lying:
    """Says of one set of fixed features what is not so; a change is claimed with a point that the graph knows."""

    name = engine = "lying"

    def __init__(self, graph: DecisionGraph, instance: Point, about: frozenset[int], answer: bool | None) -> None:
        self._honest = ExhaustiveOracle(graph, instance)
        self._about = about
        self._answer = answer

    def changeable(self, fixed: Iterable[int]) -> Answer:
        chosen = frozenset(fixed)
        if chosen == self._about:
            return Answer(self._answer, (False, False), self.name)
        return self._honest.changeable(chosen)


def certifier(*routes: Oracle) -> Certifier:
    graph, instance = either()
    closed = ClosedSetOracle(graph, instance)
    asked = [Consensus.of_graph(graph, instance, [route, closed], thorough=True) for route in routes]
    return Certifier(graph, instance, asked)


def everything(at: Certifier) -> None:
    """Ask all that a vector of this instance asks of XPs."""
    at.families()
    at.axp(frozenset([0]))
    at.axp(frozenset([1]))
    at.cxp(frozenset([0, 1]))


def test_honest_routes_certify() -> None:
    graph, instance = either()
    with GraphCertifier(graph) as routes:
        at = routes.at(instance)
        assert at.families() == CertifiedFamilies((frozenset([0]), frozenset([1])), (frozenset([0, 1]),))
        assert at.axp(frozenset([0, 1])).verdict.value == "redundant"
        assert at.cxp(frozenset([0])).verdict.value == "ineffective"
        assert at.family([frozenset([0])], [frozenset([0, 1])]).verdict.value == "incomplete"


@pytest.mark.parametrize(
    ("about", "answer"),
    [(frozenset(), False), (frozenset(), None), (frozenset([0]), True), (frozenset([1]), True)],
)
@pytest.mark.parametrize("first", [True, False])
def test_a_lying_route_ends_the_generation(about: frozenset[int], answer: bool | None, first: bool) -> None:
    graph, instance = either()
    routes: list[Oracle] = [Lying(graph, instance, about, answer), ExhaustiveOracle(graph, instance)]
    at = certifier(*routes[:: 1 if first else -1])
    with pytest.raises(UncertifiedError) as caught:
        everything(at)
    assert "x=1, y=1" in str(caught.value)
    assert caught.value.exit_status == 3


def test_a_lying_route_ends_the_generation_of_wrong_families_too() -> None:
    graph, instance = either()
    at = certifier(ExhaustiveOracle(graph, instance), Lying(graph, instance, frozenset(), False))
    with pytest.raises(UncertifiedError, match="by two routes"):
        at.family([frozenset()], [frozenset([0, 1])])


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ([XP(Kind.AXP, frozenset([0])), XP(Kind.CXP, frozenset([0, 1]))], "the AXps found are not those of Eq. 1"),
        ([XP(Kind.AXP, frozenset([0])), XP(Kind.AXP, frozenset([1]))], "the CXps found are not those of Eq. 2"),
        ([XP(Kind.AXP, frozenset([0, 1])), XP(Kind.CXP, frozenset([0, 1]))], "the AXps found are not those of Eq. 1"),
    ],
)
def test_a_wrong_explainer_ends_the_generation(monkeypatch: pytest.MonkeyPatch, found: list[XP], said: str) -> None:
    monkeypatch.setattr(certifying, "enumerate_xps", lambda _: iter(found))
    graph, instance = either()
    with pytest.raises(UncertifiedError, match=said):
        certifier(ExhaustiveOracle(graph, instance)).families()


def flags(made: Group, *values: object) -> set[str]:
    graph = made.graph
    instance = read_point(graph.features, list(values))
    with GraphCertifier(graph) as routes:
        return set(flags_of(graph, instance, routes.at(instance).families()))


def test_flags_are_those_of_the_graph_and_the_instance() -> None:
    ends = [("N", "no"), ("Y", "yes")]
    two = ["no", "yes"]
    plain = group("one", {"x": BOOLEAN}, two, [("root", "x", zero_one("N", "Y")), *ends], [])
    assert flags(plain, 1) == {"normal"}
    real = group("one", {"x": REAL}, two, [("root", "x", below("1/3", "N", "Y")), *ends], [])
    assert flags(real, "1/3") == {"on_threshold", "exact_fraction"}
    assert flags(real, "0.3333333") == {"next_to_threshold", "exact_fraction"}
    assert flags(real, "-1") == {"negative_numbers", "exact_fraction"}
    twice = group(
        "twice", {"x": REAL}, two, [("root", "x", below("5", "n", "N")), ("n", "x", below("3", "Y", "N")), *ends], []
    )
    again = {"feature_tested_twice", "repeated_conditions", "literal_beyond_its_path"}
    assert flags(twice, "1") == {*again, "tested_twice_on_own_path"}
    assert flags(twice, "9") == again
    floats = group("one", {"x": FLOAT32}, two, [("root", "x", below("0.1", "N", "Y")), *ends], [])
    # On a grid both literals are closed: one ends at a neighbour of 1/10, the other at the next number.
    above = Fraction(13421773, 2**27)
    below_it = above - Fraction(1, 2**27)
    assert flags(floats, str(above)) == flags(floats, str(below_it)) == {"float32", "on_threshold", "next_to_threshold"}
    assert flags(floats, str(above + Fraction(1, 2**27))) == {"float32", "next_to_threshold"}
    assert flags(floats, "1") == {"float32"}
