"""alibi's anchors and DiCE's counterfactuals themselves: run where they are installed (tox run -e alibi, dice)."""

from __future__ import annotations

import importlib.metadata
import subprocess
import sys
import warnings
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from small_forests import majority_of_three

from xpgcheck.embedded import load
from xpgcheck.judging.rule_judge import RuleJudge, in_box
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.model.decision_graph import NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Categorical, Feature, Integer
from xpgcheck.model.literals import read_literal
from xpgcheck.properties.subjects import methods_of, models_of
from xpgcheck.subjects.adapters import alibi_anchors, dice

FINDINGS = Path(__file__).parents[2] / "docs" / "findings"


def needs(package: str) -> Any:
    try:
        found = importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        found = None
    return pytest.mark.skipif(found is None, reason=f"{package} is not installed")


needs_alibi, needs_dice = needs("alibi"), needs("dice-ml")


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Let the packages and what they import warn."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def mixed_graph() -> Any:
    """Return a graph of a Boolean, a category and an integer: class c1 where the flag is set and the colour is green."""
    colour, number = Categorical(("red", "green", "blue")), Integer(0, 9)
    features = [Feature("flag", Boolean()), Feature("colour", colour), Feature("number", number)]
    nodes = {
        0: NonTerminal(0, ((1, read_literal(Boolean(), [1])), (2, read_literal(Boolean(), [0])))),
        1: NonTerminal(1, ((3, read_literal(colour, ["green"])), (2, read_literal(colour, ["red", "blue"])))),
        2: Terminal(0),
        3: Terminal(1),
    }
    return decision_graph("mixed", features, ["c0", "c1"], nodes, 0)


@needs_alibi
class TestAnchors:
    def test_says_what_it_is_and_takes(self) -> None:
        subject = alibi_anchors.Anchors()
        assert subject.name == "alibi 0.9.6, AnchorTabular, threshold 0.95"
        assert list(methods_of(subject).judged) == ["axp"]
        assert models_of(subject) == ("decision-graph", "majority", "sum")

    def test_the_rule_is_what_alibi_prints(self) -> None:
        model = load("iris")
        subject = alibi_anchors.Anchors(model.instances)
        checked = 0
        for instance in model.instances[::30]:
            anchor = subject.anchor(model.graph, instance)
            assert in_box(instance, anchor.rule)
            assert len(anchor.text) == len(anchor.rule)
            for text in anchor.text:
                # "f3 <= 0.80", "f3 > 1.80" or "0.30 < f3 <= 1.80"
                name, relation, end = text.split()[-3:]
                (interval,) = anchor.rule[int(name[1:])].intervals()  # type: ignore[union-attr]
                found = interval.high if relation == "<=" else interval.low
                assert found is not None
                assert abs(float(found) - float(end)) < 0.006
                checked += 1
        assert checked > 4

    def test_the_same_question_has_the_same_answer(self) -> None:
        model = load("iris")
        subject = alibi_anchors.Anchors(model.instances)
        first = [subject.anchor(model.graph, v).rule for v in model.instances[:100:40]]
        again = [subject.anchor(model.graph, v).rule for v in reversed(model.instances[:100:40])]
        assert first == again[::-1]

    def test_categories_booleans_and_integers(self) -> None:
        graph = mixed_graph()
        subject = alibi_anchors.Anchors()
        rule = subject.rule(graph, (True, "green", 4))
        assert {str(graph.features[i].name): str(values) for i, values in rule.items()} == {
            "flag": "{1}",
            "colour": "{green}",
        }
        assert subject.axp(graph, (False, "red", 9)) in ([0], [1])

    def test_of_the_forest_that_votes(self) -> None:
        instance = tuple(map(Fraction, (0, 0, 0)))
        with RuleJudge(majority_of_three()) as judge:
            found = judge.rule(instance, alibi_anchors.Anchors().rule(majority_of_three(), instance))
        assert (found.holds, found.features.verdict) == (True, Verdict.AXP)

    def test_no_anchor_of_the_wanted_precision_is_declined(self) -> None:
        model = load("iris")
        subject = alibi_anchors.Anchors(model.instances)
        versicolour = [v for v in model.instances if model.graph.kappa(v) == 1]
        eligible = [subject.anchor(model.graph, v).eligible for v in versicolour[:6]]
        assert not all(eligible)
        with pytest.raises(NotImplementedError, match=r"no anchor of precision 0\.95 was found"):
            subject.axp(model.graph, versicolour[eligible.index(False)])


@needs_dice
class TestCounterfactuals:
    @pytest.mark.parametrize("search", [dice.Dice, dice.DiceGenetic, dice.DiceTree])
    def test_points_of_each_search(self, search: Any) -> None:
        model = load("iris")
        subject = search(model.instances, count=2)
        assert subject.name == f"DiCE 0.12, {search.method}"
        assert list(methods_of(subject).judged) == ["cxp"]
        with RuleJudge(model.graph) as judge:
            for instance in model.instances[:100:45]:
                points = subject.points(model.graph, instance)
                assert len(points) == 2
                judged = [judge.point(instance, point) for point in points]
                # What it does not change keeps its value, exactly.
                assert all(found.changed.claim for found in judged)
                assert any(found.another for found in judged)
                assert subject.points(model.graph, instance) == points

    def test_categories_booleans_and_integers(self) -> None:
        graph = mixed_graph()
        (point,) = dice.Dice().points(graph, (True, "green", 4))
        assert graph.kappa(point) == 0
        assert dice.Dice().cxp(graph, (True, "green", 4)) in ([0], [1], [0, 1], [0, 2], [1, 2], [0, 1, 2])

    def test_no_point_is_no_claim(self) -> None:
        constant = decision_graph("constant", [Feature("flag", Boolean())], ["c0", "c1"], {0: Terminal(0)}, 0)
        assert dice.Dice().points(constant, (True,)) == []
        with pytest.raises(NotImplementedError, match="no counterfactual was found"):
            dice.Dice().cxp(constant, (True,))

    def test_integers_of_more_than_32_bits_are_declined(self) -> None:
        wide = Integer(0, 1 << 40)
        halves = [read_literal(wide, [text]) for text in ("[0, 3]", f"[4, {1 << 40}]")]
        nodes = {0: NonTerminal(0, ((1, halves[0]), (2, halves[1]))), 1: Terminal(0), 2: Terminal(1)}
        graph = decision_graph("wide", [Feature("n", wide)], ["c0", "c1"], nodes, 0)
        with pytest.raises(NotImplementedError, match="beyond 32 bits"):
            dice.Dice().cxp(graph, (1 << 40,))


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        pytest.param(
            "anchors.md",
            ["worst radius > 18.79 and worst concave points > 0.16 precision 1.0", "[0] [1 1 1 1 1 1 1 1 1 1]"],
            marks=needs_alibi,
        ),
        pytest.param("dice.md", ["0 says DiCE, 1 says the tree"], marks=needs_dice),
    ],
)
def test_programs_in_the_findings_print_what_these_say(name: str, printed: list[str], tmp_path: Path) -> None:
    program = (FINDINGS / name).read_text(encoding="utf-8").partition("```py\n")[2].partition("```")[0]
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", timeout=900
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == printed
