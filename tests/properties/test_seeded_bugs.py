"""The seeded bugs themselves: what they are variations of is right, and each of them is different from it."""

from __future__ import annotations

import functools
import random
import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any

import hypothesis
import pytest

from xpgcheck.errors import InputError
from xpgcheck.model.decision_graph import Node, NodeId, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Feature, Float64
from xpgcheck.model.value_sets import Grid, Interval, interval_set
from xpgcheck.model.values import MISSING
from xpgcheck.properties import asking, transformations
from xpgcheck.properties.cases import Case
from xpgcheck.properties.catalogue import able, all_properties
from xpgcheck.properties.definitions import cell_points
from xpgcheck.properties.running.outcomes import Tally
from xpgcheck.properties.running.trying import judge
from xpgcheck.properties.seeded import SeededBug, chosen_bugs, seeded_bug, seeded_bugs
from xpgcheck.properties.seeded.honest import HonestOracle
from xpgcheck.properties.seeded.textbook import Textbook
from xpgcheck.properties.strategies import property_cases
from xpgcheck.properties.subjects import EXPLAINS, JUDGES, abilities
from xpgcheck.properties.trials import Trial
from xpgcheck.properties.verdicts import SubjectFault

Question = tuple[str, tuple[Any, ...]]

BUGS = seeded_bugs()
RIGHT = {"explainer": Textbook, "oracle": HonestOracle}


@functools.cache
def generated(count: int) -> tuple[Case, ...]:
    """The same cases in every run."""
    found: list[Case] = []
    settings = hypothesis.settings(
        max_examples=count,
        database=None,
        deadline=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )

    def keep(case: Case) -> None:
        found.append(case)

    hypothesis.seed(2107)(settings(hypothesis.given(property_cases(size=12))(keep)))()
    return tuple(found)


@pytest.mark.parametrize("kind", ["explainer", "oracle"])
def test_what_the_bugs_vary_passes_all_properties(kind: str) -> None:
    right = RIGHT[kind]()
    properties = able((p for p in all_properties() if not p.smt), abilities(right))
    assert properties
    for case in generated(100):
        with Trial(case, right) as trial:
            for check in properties:
                tally = Tally()
                violation = judge(check, trial, tally)
                assert violation is None, f"{check.name}: {violation}"
                assert not tally.open, f"{check.name}: {tally.reasons}"


def test_what_the_bugs_vary_can_do_everything() -> None:
    assert abilities(Textbook()) == set(EXPLAINS)
    assert abilities(HonestOracle()) == set(JUDGES)


def test_there_are_as_many_as_promised() -> None:
    kinds = [bug.kind for bug in BUGS]
    assert kinds.count("explainer") >= 60
    assert kinds.count("oracle") >= 15
    assert kinds == sorted(kinds), "explainers come first"


@pytest.mark.parametrize("field", ["name", "wrong"])
def test_no_two_bugs_share_their_text(field: str) -> None:
    texts = [getattr(bug, field) for bug in BUGS]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_a_bug_is_a_small_named_variation(bug: SeededBug) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)+", bug.name)
    assert re.fullmatch(r"[A-Zσε].{15,150}\.", bug.wrong)
    first, second = bug.make(), bug.make()
    assert first is not second, "a fresh subject each time"
    assert first.name == bug.name
    # Those that stand alone have few abilities, and hand most of them on to a textbook.
    assert isinstance(first, RIGHT[bug.kind]) or bug.make.__module__.endswith(".alone")  # type: ignore[attr-defined]
    overridden = [name for name in vars(type(first)) if callable(getattr(type(first), name)) and name[:2] != "__"]
    assert 1 <= len(overridden) <= 4
    assert 0 < bug.seconds <= asking.DEFAULT_SECONDS
    assert bug.source


EXPLAINERS = [bug for bug in BUGS if bug.kind == "explainer"]
ORACLES = [bug for bug in BUGS if bug.kind == "oracle"]


@pytest.mark.parametrize("bug", EXPLAINERS, ids=lambda bug: bug.name)
def test_a_wrong_explainer_is_different(bug: SeededBug) -> None:
    """A different answer to some question; whether a property notices is not asked here."""
    wrong = bug.make()
    with asking.alarm(min(bug.seconds, 1)):
        for number in range(-1, 400):
            for (ability, arguments), right in answered(number):
                if said(wrong, ability, arguments, bug.seconds) != right:
                    return
    pytest.fail("it answers every question as the right one does")


@pytest.mark.parametrize("bug", ORACLES, ids=lambda bug: bug.name)
def test_a_wrong_oracle_is_different(bug: SeededBug) -> None:
    """The questions put to oracles are those of properties."""
    wrong = bug.make()
    properties = able(all_properties(), abilities(wrong))
    for case in generated(400):
        with Trial(case, wrong) as trial:
            if any(judge(check, trial, Tally()) for check in properties):
                return
    pytest.fail("no property of oracles fails")


@functools.cache
def answered(number: int) -> list[tuple[Question, object]]:
    """Questions about a generated case, with the right answers."""
    case = missing_value() if number < 0 else generated(400)[number]
    right = Textbook()
    return [(question, said(right, *question, 10)) for question in questions(case)]


def missing_value() -> Case:
    """Few generated instances have a missing value; this one has."""
    low, high = (
        interval_set(Grid.FLOAT64, [span], missing=missing)
        for span, missing in (
            (Interval(None, True, Fraction(1), False), False),
            (Interval(Fraction(1), True, None, True), True),
        )
    )
    nodes: dict[NodeId, Node] = {
        "root": NonTerminal(0, (("no", low), ("yes", high))),
        "no": Terminal(0),
        "yes": Terminal(1),
    }
    graph = decision_graph("missing", [Feature("x", Float64(missing=True))], ["no", "yes"], nodes, "root")
    return Case(graph, (MISSING,), 1)


def said(subject: Any, ability: str, arguments: tuple[Any, ...], seconds: float) -> object:
    """An answer in a form that compares equal to another one exactly if it means the same."""
    try:
        return asking.ask(subject, ability, arguments, comparable, seconds)
    except SubjectFault as fault:
        return fault.verdict


def comparable(answer: Any) -> object:
    if isinstance(answer, frozenset):
        return answer
    if isinstance(answer, Iterable) and not isinstance(answer, str):
        return [comparable(part) for part in answer]
    return type(answer).__name__, answer


def questions(case: Case) -> Iterator[Question]:
    graph, instance = case.graph, case.instance
    with Trial(case, Textbook()) as trial:
        subsets = trial.subsets
        weak_axps = [s for s in subsets if trial.is_weak_axp(s)]
        weak_cxps = [s for s in subsets if trial.is_weak_cxp(s)]
    for ability in ("predict", "axp", "cxp", "enumerate", "sat_calls", "terminals"):
        yield ability, (graph, instance)
    if graph.is_tree():
        yield "tree_cxps", (graph, instance)
        yield "tree_steps", (graph, instance)
    for feature in range(trial.count):
        yield "member", (graph, instance, feature)
    for ability, sets in (
        ("sigma", subsets),
        ("path_to_zero", subsets),
        ("path_steps", subsets),
        ("axp_inside", weak_axps),
        ("cxp_inside", weak_cxps),
    ):
        for features in sets:
            yield ability, (graph, instance, features)
    # Some bugs show on other instances, and on the same graph written in another order.
    for point in cell_points(graph):
        yield "terminals", (graph, point)
    yield "enumerate", (transformations.with_nodes_permuted(graph, random.Random(1)), instance)
    yield "predict", (transformations.with_classes_permuted(graph, range(len(graph.classes))[::-1]), instance)


def test_bugs_are_chosen_by_name() -> None:
    assert chosen_bugs(()) == BUGS
    assert chosen_bugs(["seed-ignored", "no-marks", "seed-ignored"]) == (
        seeded_bug("seed-ignored"),
        seeded_bug("no-marks"),
    )


def test_a_name_that_no_bug_has_is_refused() -> None:
    with pytest.raises(InputError, match="did you mean 'seed-ignored") as caught:
        seeded_bug("seed-ignore")
    assert "no seeded bug is called" in str(caught.value)
