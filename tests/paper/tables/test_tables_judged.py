"""Tables 1 and 2: what a wrong model, an open question, a slow peer and values that models cannot hold come to."""

from __future__ import annotations

import importlib.util
import itertools
import random
import threading
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from xpgcheck.certificates.issuing import Issuer
from xpgcheck.errors import UndecidedError, XpgcheckError
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.model.domains import Boolean, Feature
from xpgcheck.paper.evidence_summary import EvidenceSummary
from xpgcheck.paper.tables import data, measuring, models, table_evidence
from xpgcheck.readers.decision_list_graph import DecisionList, ListRule, by_equation
from xpgcheck.readers.sklearn_tree import from_sklearn

BITS = (Feature("a", Boolean()), Feature("b", Boolean()))
BOTH = DecisionList("d", BITS, ("0", "1"), (ListRule({0: frozenset([True]), 1: frozenset([True])}, 1), ListRule({}, 0)))
FIRST = DecisionList("d", BITS, ("0", "1"), (ListRule({0: frozenset([True])}, 1), ListRule({}, 0)))


@pytest.fixture(autouse=True)
def _no_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XPGCHECK_DATA", raising=False)
    table_evidence._model.cache_clear()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Write a AND b, each row four times."""
    rows = [f"{a},{b},{a & b}\n" for a, b in itertools.product((0, 1), repeat=2)]
    (tmp_path / "d.csv").write_text("a,b,target\n" + "".join(4 * rows), encoding="utf-8")
    return tmp_path


def made(folder: Path, how: str) -> EvidenceSummary:
    """Return the outcome of the units of one kind of model."""
    units = [unit for unit in table_evidence.units(str(folder)) if unit[1].get("how") == how]
    assert units
    return table_evidence.outcome({name: table_evidence.run_unit(arguments) for name, arguments in units})


def with_learner(monkeypatch: pytest.MonkeyPatch, learned: DecisionList, says: DecisionList) -> None:
    """Put a learner in the place of Orange's: what is read of it is *learned*, and it predicts what *says* does."""
    pytest.importorskip("dd")
    real = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: name == "Orange" or real(name, *rest))

    def learn(of: data.DataSet, train: Sequence[int]) -> tuple[DecisionList, list[int]]:
        return learned, [says.kappa(tuple(map(bool, row))) for row in of.rows]

    monkeypatch.setattr(models, "_learned", learn)


# ------------------------------------------------------------------------------------- the model is the learned classifier


def test_the_right_list_holds(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_learner(monkeypatch, BOTH, BOTH)
    found = made(folder, "list")
    assert found.holds is True
    assert found.details[0]["accuracy"] == "100"


def test_an_obdd_of_another_list_is_a_fault_and_no_skip(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_learner(monkeypatch, BOTH, BOTH)
    monkeypatch.setattr(models, "by_equation", lambda _: by_equation(FIRST))
    found = made(folder, "list")
    assert found.holds is False
    assert found.counts["skipped"] == 0
    assert "the graph differs from the learned list on 4 of 16 rows" in str(found.counterexample)
    assert table_evidence.look(found, "table 1").holds is False


def test_a_learner_that_is_misread_is_a_fault(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with_learner(monkeypatch, BOTH, FIRST)
    assert made(folder, "list").holds is False


def test_a_tree_that_is_misread_is_a_fault(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sklearn")
    assert made(folder, "tree").holds is True
    table_evidence._model.cache_clear()

    def classes_swapped(tree: Any, **named: Any) -> Any:
        return from_sklearn(tree, class_names=["1", "0"], **named)

    monkeypatch.setattr(models, "from_sklearn", classes_swapped)
    found = made(folder, "tree")
    assert found.holds is False
    assert "the graph differs from the trained tree on 16 of 16 rows" in str(found.counterexample)


def test_ties_are_learned_alike_each_time_and_read_as_predicted() -> None:
    """CN2 draws the class of a rule whose classes tie; the classifier that it returns does not."""
    if importlib.util.find_spec("Orange") is None:
        pytest.skip("Orange3 is not installed")
    pytest.importorskip("dd")
    dice = random.Random(5)
    rows = tuple(tuple(dice.randrange(2) for _ in range(8)) for _ in range(120))
    tied = data.DataSet("tied", tuple(f"x{k}" for k in range(8)), rows, tuple(str(dice.randrange(2)) for _ in rows))
    lists = [models._learned(tied, tied.split()[0]) for _ in range(4)]
    assert all(found == lists[0] for found in lists)
    assert models.decision_list_obdd(tied).differs == ""


# ------------------------------------------------------------------------------------------------------ open is no fault


def undecided(*_: object) -> Any:
    raise UndecidedError("the decision tree is too large", mend="x")


def test_without_a_certificate_z3_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Issuer, "line", undecided)
    ((_, arguments), *_) = table_evidence.units(None, quick=True)
    result = table_evidence.run_unit({**arguments, "count": 3})
    assert (result["judged_by_z3"], result["open"], result["faults"]) == (3, [], [])


def test_what_no_judge_settles_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Issuer, "line", undecided)

    class Judgement:
        verdict = Verdict.INCONCLUSIVE

    monkeypatch.setattr(measuring, "judge_family", lambda *_: Judgement)
    ((name, arguments), *_) = table_evidence.units(None, quick=True)
    found = table_evidence.outcome({name: table_evidence.run_unit({**arguments, "count": 3})})
    assert (found.holds, found.counts["faults"], found.counts["open"]) == (None, 0, 3)
    looked = table_evidence.look(found, "table 1")
    assert looked.holds is None
    assert looked.limit.startswith("3 instances are open")


def test_a_part_of_an_exact_function_is_not_held_against_the_whole() -> None:
    ((name, arguments), *_) = table_evidence.units(None, quick=True)
    part = table_evidence.outcome({name: table_evidence.run_unit({**arguments, "count": 3})})
    assert table_evidence.look(part, "table 1").holds is True
    assert part.details[0]["compared"] == "same order"


# --------------------------------------------------------------------------------------------------------------- the peer


class HangingPeer:
    """A peer that ends no enumeration, and counts how often it is asked."""

    def __init__(self) -> None:
        self.asked = 0

    def opened(self, graph: Any, point: Any) -> tuple[HangingPeer, list[int]]:
        self.asked += 1
        return self, list(range(len(graph.features)))

    def enum(self) -> Any:
        while True:
            pass


def test_a_peer_that_does_not_end_is_not_asked_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    peer = HangingPeer()
    monkeypatch.setattr(measuring, "_peer", lambda: peer)
    monkeypatch.setattr(measuring, "PEER_SECONDS", 0.02)
    ((name, arguments), *_) = table_evidence.units(None, quick=True)
    result = table_evidence.run_unit({**arguments, "count": 8})
    assert peer.asked == measuring.PEER_LATE
    assert [i[6] for i in result["instances"]] == [measuring.LATE] * 3 + [measuring.LEFT_OUT] * 5
    assert table_evidence.outcome({name: result}).details[0]["peer fails"] == 8


def test_a_peer_that_nothing_can_end_is_not_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    peer = HangingPeer()
    monkeypatch.setattr(measuring, "_peer", lambda: peer)
    ((_, arguments), *_) = table_evidence.units(None, quick=True)
    results: list[dict[str, Any]] = []
    thread = threading.Thread(target=lambda: results.append(table_evidence.run_unit({**arguments, "count": 2})))
    thread.start()
    thread.join()
    assert peer.asked == 0
    assert [i[6] for i in results[0]["instances"]] == [measuring.NO_TIMER] * 2


@pytest.mark.parametrize(
    ("ratio", "holds", "said"), [("0.0004", False, "missed"), ("7", True, "missed"), ("29", True, "reached")]
)
def test_the_goal_is_said_to_be_reached_or_missed(ratio: str, holds: bool, said: str) -> None:
    row = {"table": 1, "peer ×": ratio, "peer same": 5, "peer fails": 0}
    found = table_evidence.look(EvidenceSummary(True, {}, "", None, [row]), "peer")
    assert found.holds is holds
    assert found.limit.endswith(f"the goal of 20 times is {said}")


def test_ratios_below_one_are_not_rounded_to_nothing() -> None:
    ((_, arguments), *_) = table_evidence.units(None, quick=True)
    result = table_evidence.run_unit({**arguments, "count": 2})
    for instance in result["instances"]:
        instance[5:] = [1.0, 0.0004]
    found = table_evidence.outcome({"x": result})
    assert found.details[0]["peer ×"] == "0.0004"
    assert table_evidence.look(found, "peer").holds is False


# --------------------------------------------------------------------------------------------------- what no model can hold


@pytest.mark.parametrize("number", ["1e300", "-1e400", "3.41e38"])
def test_numbers_beyond_single_precision_are_named(tmp_path: Path, number: str) -> None:
    (tmp_path / "d.csv").write_text(f"a,target\n{number},0\n1,1\n")
    with pytest.raises(XpgcheckError, match=r"row 2, column 'a': .* is too large for single precision"):
        data.read_data(tmp_path / "d.csv")


def test_the_largest_number_makes_a_tree(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    largest = data.LARGEST.numerator
    (tmp_path / "d.csv").write_text("a,target\n" + f"{largest},0\n-{largest},1\n" * 8)
    assert made(tmp_path, "tree").holds is True


@pytest.mark.parametrize("missing", ["nan", "NaN", "NA", "?", "null", " "])
def test_a_missing_target_is_no_class(tmp_path: Path, missing: str) -> None:
    (tmp_path / "d.csv").write_text(f"a,target\n1,0\n2,{missing}\n3,1\n")
    with pytest.raises(XpgcheckError, match="row 3 has no target"):
        data.read_data(tmp_path / "d.csv")


def test_codes_of_one_class_are_one_class(tmp_path: Path) -> None:
    (tmp_path / "d.csv").write_text("a,target\n1,1\n2,1.00\n3,1e0\n4,red\n")
    assert data.read_data(tmp_path / "d.csv").targets == ("1", "1", "1", "red")


def test_rows_that_single_precision_does_not_tell_apart_are_one_instance() -> None:
    pytest.importorskip("sklearn")
    close = Fraction(1, 10) + Fraction(1, 10**12)
    rows = ((Fraction(1, 10),), (close,), (1,), (2,)) * 3
    model = models.decision_tree(data.DataSet("d", ("a",), rows, ("0", "0", "1", "1") * 3))
    assert len(model.points) == 3


def test_many_classes_give_no_warning() -> None:
    pytest.importorskip("sklearn")
    rows = tuple((k,) for k in range(40))
    assert models.decision_tree(data.DataSet("d", ("a",), rows, tuple(map(str, range(40))))).differs == ""


def test_more_features_than_the_equation_takes_are_skipped_before_learning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "_learned", lambda *_: pytest.fail("learned"))
    names = tuple(f"x{k}" for k in range(251))
    with pytest.raises(XpgcheckError, match="251 features, the equation takes 250"):
        models.decision_list_obdd(data.DataSet("d", names, ((0,) * 251, (1,) * 251), ("0", "1")))


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    ((_, arguments),) = [
        unit for unit in table_evidence.units(str(tmp_path / "no"), quick=True) if "skipped" in unit[1]
    ]
    assert arguments["skipped"] == f"{tmp_path / 'no'}: there is no such folder"
