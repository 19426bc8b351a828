"""Tables 1 and 2 made again: from small data written here, and from the embedded functions."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from xpgcheck.errors import XpgcheckError
from xpgcheck.paper.printed import TABLE_1
from xpgcheck.paper.tables import figures, measuring, table_evidence
from xpgcheck.paper.tables.data import MANY, DataSet, read_data
from xpgcheck.paper.tables.figures import Family, comparison, family
from xpgcheck.xpg.choose import enumerate_xps
from xpgcheck.xpg.explanation_graph import ExplanationGraph
from xpgcheck.xpg.xps import XP, Kind


@pytest.fixture(autouse=True)
def _no_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XPGCHECK_DATA", raising=False)
    table_evidence._model.cache_clear()


def write(path: Path, rows: Iterable[Iterable[object]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(",".join(map(str, row)) + "\n" for row in rows), encoding="utf-8")
    return path


def majority(folder: Path) -> Path:
    """Write the majority of three, and one feature that does not matter."""
    rows = [[*bits, int(sum(bits[:3]) > 1)] for bits in itertools.product((0, 1), repeat=4)]
    return write(folder / "pmlb" / "majority.csv", [["a", "b", "c", "d", "target"], *rows, *rows])


def numbers(folder: Path, count: int = 60) -> Path:
    dice = random.Random(1)
    rows = [[f"{dice.random():.3f}", dice.randrange(4), dice.randrange(3)] for _ in range(count)]
    labelled = [[*row, int(float(str(row[0])) + int(str(row[1])) / 4 > 0.7)] for row in rows]
    return write(folder / "pmlb" / "numbers.csv", [["x", "y", "z", "target"], *labelled])


# ------------------------------------------------------------------------------------------------------------ the data


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "it has no rows"),
        ("a,target\n", "it has no rows"),
        ("a,b\n1,2\n", "its last column is not called target"),
        ("target\n1\n", "it has no features"),
        ("a,a,target\n1,2,0\n1,2,1\n", "two columns are called 'a'"),
        ("a,target\nred,0\n1,1\n", "row 2, column 'a': 'red' is no number"),
        ("a,target\n1,0\nnan,1\n", "row 3, column 'a': 'nan' is no number"),
        ("a,target\n1,0\ninf,1\n", "'inf' is no number"),
        ("a,target\n,0\n1,1\n", "'' is no number"),
        ("a,target\n1,0\n1\n", "row 3 has 1 values of 2"),
        ("a,target\n1,0\n1,\n", "row 3 has no target"),
        ("a,target\n1,0\n2,0\n", "all rows have one class"),
        ('a,target\n"1,0\n', "this is not CSV"),
        ("a,target\n1,0\n" + "9" * 500 + ",1\n", "is no number"),
    ],
)
def test_bad_files_are_named(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "bad.csv"
    path.write_text(text)
    with pytest.raises(XpgcheckError) as caught:
        read_data(path)
    assert problem in str(caught.value)
    assert str(path) in str(caught.value)


def test_other_encodings_and_sizes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "d.csv"
    path.write_bytes("\ufeffa,target\r\n1,0\r\n2,1\r\n".encode())
    assert read_data(path).features == ("a",)
    path.write_bytes(b"\xff\xfea,target\n")
    with pytest.raises(XpgcheckError, match="not UTF-8"):
        read_data(path)
    write(path, [[*(f"x{i}" for i in range(1001)), "target"], [*[0] * 1001, 0], [*[1] * 1001, 1]])
    with pytest.raises(XpgcheckError, match="1001 features, the limit is 1000"):
        read_data(path)
    monkeypatch.setattr("xpgcheck.paper.tables.data.MAX_BYTES", 10)
    with pytest.raises(XpgcheckError):
        read_data(path)


def test_instances_are_distinct_and_many_are_sampled() -> None:
    rows = tuple((k % 1500,) for k in range(3000))
    data = DataSet("many", ("a",), rows, ("0",) * 3000)
    found = data.instances()
    assert len(set(found)) == len(found) == 3 * 1500 // 10
    assert data.instances() == found
    few = DataSet("few", ("a",), rows[: MANY // 2], ("0",) * (MANY // 2))
    assert len(few.instances()) == MANY // 2
    train, test = data.split()
    assert sorted([*train, *test]) == list(range(3000))


def test_numbers_are_exact(tmp_path: Path) -> None:
    data = read_data(numbers(tmp_path))
    assert isinstance(data.rows[0][0], Fraction)
    assert data.rows[0][0].denominator in (1, 2, 4, 5, 8, 10, 20, 25, 40, 50, 100, 125, 200, 250, 500, 1000)
    assert not data.binary


# ---------------------------------------------------------------------------------------------------------- the units


def results_of(units: list[tuple[str, dict[str, Any]]]) -> dict[str, dict[str, Any]]:
    return {name: table_evidence.run_unit(arguments) for name, arguments in units}


def test_trees_of_a_folder_are_made_and_judged(tmp_path: Path) -> None:
    pytest.importorskip("sklearn")
    majority(tmp_path)
    numbers(tmp_path)
    write(tmp_path / "pmlb" / "bad.csv", [["a", "b"], [1, 2]])
    units = [unit for unit in table_evidence.units(str(tmp_path)) if unit[1].get("how") != "function"]
    found = table_evidence.outcome(results_of(units))
    assert found.holds is True
    trees = {row["data"]: row for row in found.details if row["table"] == 2}
    assert set(trees) == {"majority", "numbers"}
    assert trees["majority"]["instances"] == 16
    assert trees["majority"]["compared"] == "not in the paper"
    assert "its last column is not called target" in found.limits
    assert table_evidence.look(found, "table 2").holds is True


def test_lists_are_learned_where_orange_is(tmp_path: Path) -> None:
    majority(tmp_path)
    units = [unit for unit in table_evidence.units(str(tmp_path)) if unit[1].get("how") == "list"]
    assert len(units) == 1
    (result,) = results_of(units).values()
    try:
        import dd  # noqa: F401
        import Orange  # noqa: F401
    except ImportError:
        assert "learning decision lists needs" in result["skipped"]
        assert table_evidence.look(table_evidence.outcome({"x": result}), "table 1").skipped
    else:
        assert result["faults"] == []


def test_without_a_folder_the_functions_remain() -> None:
    units = table_evidence.units(None, quick=True)
    assert {arguments.get("how", "skipped") for _, arguments in units} == {"function", "skipped"}
    found = table_evidence.outcome(results_of(units))
    assert [row["compared"] for row in found.details] == ["equal", "equal"]
    assert "name one by --data" in found.limits
    assert table_evidence.look(found, "table 1").holds is True
    assert table_evidence.look(found, "table 2").skipped


def test_an_empty_folder_is_named(tmp_path: Path) -> None:
    assert any(
        "there are no CSV files" in str(unit[1].get("skipped"))
        for unit in table_evidence.units(str(tmp_path), quick=True)
    )


# ----------------------------------------------------------------------------------------------------- what turns it red


def a_cxp_lost(xpg: ExplanationGraph) -> list[XP]:
    found = list(enumerate_xps(xpg))
    lost = next((xp for xp in found if xp.kind is Kind.CXP), None)
    return [xp for xp in found if xp is not lost]


def an_axp_made_larger(xpg: ExplanationGraph) -> list[XP]:
    everything = frozenset(range(len(xpg.variables)))
    return [XP(xp.kind, everything) if xp.kind is Kind.AXP else xp for xp in enumerate_xps(xpg)]


def an_axp_twice(xpg: ExplanationGraph) -> list[XP]:
    found = list(enumerate_xps(xpg))
    return [*found, found[0]]


@pytest.mark.parametrize("wrong", [a_cxp_lost, an_axp_made_larger, an_axp_twice])
def test_a_wrong_explainer_turns_the_table_red(wrong: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(table_evidence.EXPLAINERS, "wrong", wrong)
    units = [(name, {**a, "explainer": "wrong"}) for name, a in table_evidence.units(None, quick=True) if "how" in a]
    found = table_evidence.outcome(results_of(units))
    assert found.holds is False
    assert table_evidence.look(found, "table 1").holds is False


def test_a_changed_figure_turns_the_comparison_red(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = [row._replace(axps=(5, *row.axps[1:])) if row.name == "mux6" else row for row in TABLE_1]
    monkeypatch.setattr(figures, "TABLE_1", changed)
    found = table_evidence.outcome(results_of([u for u in table_evidence.units(None, quick=True) if "how" in u[1]]))
    assert table_evidence.look(found, "table 1").holds is False


def test_comparisons() -> None:
    printed = TABLE_1[5]
    few, many = (Family(1, 1, Fraction(k), Fraction(20)) for k in (1, 60))
    assert comparison("mofn_3_7_10", "CN2", 10, few, few, printed).startswith("differs: 2.0 XPs on average, 11 printed")
    assert comparison("mofn_3_7_10", "CN2", 10, few, many, printed).startswith("differs")
    assert comparison("mofn_3_7_10", "CN2", 9, few, few, printed) == "not comparable: 9 features here, 10 there"
    assert comparison("x", "CN2", 9, few, few, None) == "not in the paper"
    assert family([1, 2], 6, 4) == Family(2, 1, Fraction(3, 2), Fraction(50))


# -------------------------------------------------------------------------------------------------------------- the peer


class FakePeer:
    """A peer whose enumeration does what it is told."""

    def __init__(self, act: Any) -> None:
        self._act = act

    def opened(self, graph: Any, point: Any) -> tuple[FakePeer, list[int]]:
        return self, list(range(len(graph.features)))

    def enum(self) -> Any:
        return self._act()


def crash() -> None:
    raise AssertionError


@pytest.mark.parametrize(("act", "said"), [(crash, "fails: AssertionError"), (lambda: ([], []), "differs")])
def test_what_the_peer_does_is_said(act: Any, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measuring, "_peer", lambda: FakePeer(act))
    units = [(name, {**a, "count": 2}) for name, a in table_evidence.units(None, quick=True) if "how" in a][:1]
    (result,) = results_of(units).values()
    assert [instance[6] for instance in result["instances"]] == [said, said]
    found = table_evidence.outcome({"x": result})
    assert found.details[0]["peer fails"] == 2
    assert table_evidence.look(found, "peer").skipped
