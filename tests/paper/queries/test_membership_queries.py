"""Membership on OBDDs compiled here: answers are confirmed, wrong ones refused, bad data named.  Needs no data folder."""

import itertools
import json

import pytest

from xpgcheck.errors import InputError, MissingPackageError
from xpgcheck.judging import panel
from xpgcheck.judging.panel import Panel
from xpgcheck.model.decision_graph import NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Categorical, Feature
from xpgcheck.model.value_sets import FiniteSet
from xpgcheck.paper.queries import confirming, query_evidence
from xpgcheck.paper.queries.confirming import (
    CONSENSUS,
    POINT_AND_CLOSED_SETS,
    REFUTATION,
    SECOND_SOLVER,
    Confirmation,
    confirm_no,
    confirm_yes,
    judge_by_consensus,
    membership_formula,
)
from xpgcheck.paper.queries.inputs import read_queries
from xpgcheck.paper.queries.query_evidence import OURS, SUBJECTS, MemberAnswer, outcome, run_unit, units
from xpgcheck.xpg.explanation_graph import features_of
from xpgcheck.xpg.membership_pruning import path_through

autoref = pytest.importorskip("dd.autoref")

FORMULAS = {
    "mixed": "(x0 & x1) | (!x0 & x2 & x3) | (x4 ^ x5) & x6",
    "threshold": "(x0 & x1) | (x0 & x2) | (x1 & x2 & x3) | (x4 & x5 & x6)",
    "chain": "x0 & (x1 | x2 & (x3 | x4 & (x5 | x6)))",
}

EVERY = [tuple(bits) for bits in itertools.product((False, True), repeat=7)]


def write(folder, name, formula, queries):
    """Write an OBDD over x0 … x6 with *queries*, pairs of a point and a feature."""
    bdd = autoref.BDD()
    bdd.declare(*[f"x{i}" for i in range(7)])
    target = folder / "obdd"
    target.mkdir(exist_ok=True)
    u = bdd.add_expr(formula)
    bdd.dump(str(target / f"{name}.json"), roots=[u])
    rows = [",".join(str(int(value)) for value in point) for point, _ in queries]
    (target / f"{name}.instances.csv").write_text("\n".join(rows) + "\n")
    (target / f"{name}.queries.csv").write_text("".join(f"{feature}\n" for _, feature in queries))


def yes_if_on_a_path(xpg, feature):
    """Say yes, with what the path frees, where some path to another class frees the feature.  Wrong: not minimal."""
    freed = path_through(xpg, feature, xpg.all_variables)
    return MemberAnswer(None if freed is None else features_of(freed))


WRONG = {"yes if on a path": yes_if_on_a_path, "no always": lambda xpg, feature: MemberAnswer(None)}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A data folder with three OBDDs of thirty queries each; wrong subjects may be asked too."""
    monkeypatch.delenv("XPGCHECK_DATA", raising=False)
    for name, subject in WRONG.items():
        monkeypatch.setitem(SUBJECTS, name, subject)
    for name, formula in FORMULAS.items():
        write(tmp_path, name, formula, [(EVERY[(k * 37) % 128], k % 7) for k in range(30)])
    return tmp_path


def members(graph, point):
    """The features in some CXp, by the definition: all subsets, all points."""
    own = graph.kappa(point)
    changes = {frozenset(i for i in range(7) if p[i] != point[i]) for p in EVERY if graph.kappa(p) != own}
    minimal = [c for c in changes if not any(d < c for d in changes)]
    return frozenset().union(*minimal), minimal


def run(folder, subject=OURS, quick=False):
    return outcome(
        {name: run_unit({**arguments, "subject": subject}) for name, arguments in units(data=str(folder), quick=quick)}
    )


def test_all_answers_are_right_and_confirmed(folder):
    found = run(folder)
    assert found.holds is True
    assert found.counterexample is None
    assert (found.counts["queries"], found.counts["of"], found.counts["obdds"]) == (90, 90, 3)
    assert found.counts["yes"] >= 30
    assert found.counts["no"] >= 10
    assert (found.counts["confirmed"], found.counts["refused"], found.counts["open"]) == (90, 0, 0)
    assert found.counts["skipped"] == 0
    assert "90 of 90 queries on 3 OBDDs" in found.limits
    for row in found.details:
        assert row["queries"] == row["yes"] + row["no"] == 30
        assert row["confirmed"][POINT_AND_CLOSED_SETS] == row["yes"]
        assert row["confirmed"].get(REFUTATION, 0) == row["no"]
        assert float(row["mean_ms"]) <= float(row["max_ms"])
        assert row["plain_clauses"] > 0
        assert "206,328" in row["published"]


def test_the_answers_are_those_of_the_definition(folder):
    for name in FORMULAS:
        asked = read_queries(folder / "obdd", name)
        for subject in SUBJECTS:
            for row in query_evidence.answer_queries(asked, range(30), SUBJECTS[subject]):
                k = row["query"] - 1
                union, minimal = members(asked.graph, asked.points[k])
                right = (row["answer"] == "yes") == (asked.features[k] in union)
                if right and row["cxp"] is not None:
                    right = frozenset(row["cxp"]) in minimal
                assert (row["fault"] == "") == right
                assert subject != OURS or right
                assert row["plain"]["answer"] == ("yes" if asked.features[k] in union else "no")


@pytest.mark.parametrize("subject", WRONG)
def test_wrong_answers_turn_it_red(folder, subject):
    found = run(folder, subject)
    assert found.holds is False
    assert found.counts["refused"] >= 5
    assert found.counterexample is not None
    assert found.counterexample["differs"]
    assert set(found.counterexample) == {"obdd", "query", "feature", "answer", "cxp", "differs"}


def test_results_are_json_and_the_same_but_for_seconds(folder):
    def without_seconds(value):
        if isinstance(value, dict):
            return {key: without_seconds(v) for key, v in value.items() if key != "seconds"}
        return [without_seconds(v) for v in value] if isinstance(value, list) else value

    def kinds(value):
        if isinstance(value, dict | list):
            return set().union(*map(kinds, value.values() if isinstance(value, dict) else value), set())
        return {type(value)}

    for _, arguments in units(data=str(folder))[:2]:
        first, second = (without_seconds(run_unit(json.loads(json.dumps(arguments)))) for _ in range(2))
        assert first == second == json.loads(json.dumps(first))
        assert float not in kinds(first)


def test_units_take_turns_and_quick_is_one(folder):
    names = [name for name, _ in units(data=str(folder))]
    assert names[:4] == [f"queries/{name}/1-10" for name in ("chain", "mixed", "threshold")] + ["queries/chain/11-20"]
    assert len(set(names)) == len(names) == 9
    assert [name for name, _ in units(data=str(folder), quick=True)] == ["queries/chain/1-5"]
    found = run(folder, quick=True)
    assert (found.counts["queries"], found.counts["of"]) == (5, 30)
    assert "5 of 30 queries" in found.limits


def test_the_published_obdds_come_first(folder):
    for name in ("flat30-88", "flat30-3", "flat30-58"):
        write(folder, name, "x0", [(EVERY[0], 0)])
    assert [name for name, _ in units(data=str(folder))][:4] == [
        "queries/flat30-58/1-1",
        "queries/flat30-3/1-1",
        "queries/flat30-88/1-1",
        "queries/chain/1-10",
    ]


@pytest.mark.parametrize("quick", [False, True])
def test_without_data_it_is_skipped_with_the_reason(tmp_path, monkeypatch, quick):
    monkeypatch.delenv("XPGCHECK_DATA", raising=False)
    for data, reason in ((None, "set XPGCHECK_DATA"), (str(tmp_path), "there is no such folder")):
        [(name, arguments)] = units(data=data, quick=quick)
        found = outcome({name: run_unit(arguments)})
        assert found.holds is None
        assert found.counts["skipped"] == 1
        assert reason in found.limits
    (tmp_path / "obdd").mkdir()
    [(name, arguments)] = units(data=str(tmp_path), quick=quick)
    assert "there is no OBDD" in outcome({name: run_unit(arguments)}).limits
    assert "no unit is finished" in outcome({}).limits
    assert outcome({}).holds is None


def test_the_environment_names_the_data(folder, monkeypatch):
    monkeypatch.setenv("XPGCHECK_DATA", str(folder))
    assert len(units()) == 9
    assert run_unit(units()[0][1])["queries"]


@pytest.mark.parametrize(
    ("file", "content", "reason"),
    [
        ("chain.json", "{", "chain.json"),
        ("chain.json", None, ""),
        ("chain.instances.csv", None, "chain.instances.csv: there is no such file"),
        ("chain.instances.csv", "0,1\n", "chain.instances.csv, row 1: 2 values for 7 features"),
        ("chain.instances.csv", "0,1,0,1,yes,0,0\n", "row 1: 'yes' is neither 0 nor 1"),
        ("chain.instances.csv", "0,1,0,1,1,0,0\n", "30 queries but 1 instance"),
        ("chain.queries.csv", None, "chain.queries.csv: there is no such file"),
        ("chain.queries.csv", "7\n", "row 1: '7' is no feature"),
        ("chain.queries.csv", "-1\n", "'-1' is no feature"),
        ("chain.queries.csv", "1,2\n", "'1,2' is no feature"),
        ("chain.queries.csv", "", "there is no query"),
        ("chain.queries.csv", b"\xff\n", "UTF-8"),
    ],
)
def test_broken_data_is_named_and_the_rest_runs(folder, file, content, reason):
    path = folder / "obdd" / file
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    found = run(folder)
    assert found.holds is True
    assert found.counts["queries"] == 60
    assert bool(found.counts["skipped"]) == bool(reason)
    assert not reason or reason in next(row["skipped"] for row in found.details if row["obdd"] == "chain")


def test_without_z3_the_rest_confirms(folder, monkeypatch):
    def missing(*_):
        raise MissingPackageError("z3 is not installed", mend="install it")

    monkeypatch.setattr(panel, "SmtSession", missing)
    found = run(folder, quick=True)
    assert found.holds is True
    assert found.counts["by_z3"] == 0


def test_an_answer_without_evidence_is_open(folder, monkeypatch):
    monkeypatch.setattr(query_evidence, "confirm_no", lambda *_: Confirmation(None, ""))
    found = run(folder)
    assert found.holds is None
    assert found.counts["open"] == found.counts["no"] > 0


def test_the_plain_query_is_a_check_too(folder, monkeypatch):
    monkeypatch.setattr(query_evidence, "confirm_no", lambda *_: Confirmation(None, REFUTATION))
    found = run(folder, "no always")
    assert found.holds is False
    assert found.counterexample is not None
    assert found.counterexample["differs"] == "the plain SAT query says yes"


def chain(folder):
    return read_queries(folder / "obdd", "chain").graph


def test_only_cxps_with_the_feature_are_confirmed(folder):
    graph = chain(folder)
    for point in EVERY[::9]:
        _, minimal = members(graph, point)
        for size in range(1, 4):
            for claim in map(frozenset, itertools.combinations(range(7), size)):
                for feature in range(7):
                    found = confirm_yes(graph, point, feature, claim)
                    assert (found.fault is None) == (claim in minimal and feature in claim)
                    assert found.how == ("" if found.fault else POINT_AND_CLOSED_SETS)


def test_z3_and_closed_sets_accept_cxps_only(folder):
    graph = chain(folder)
    point = EVERY[0b1010101]
    _, minimal = members(graph, point)
    with Panel(graph, cells=False) as judges:
        for claim in map(frozenset, itertools.combinations(range(7), 2)):
            found = judge_by_consensus(judges, point, claim)
            assert found == (Confirmation(None, CONSENSUS) if claim in minimal else found)
            assert (found.fault is None) == (claim in minimal)
    assert judge_by_consensus(judges, point, minimal[0]) == Confirmation(None, "")


def test_no_is_confirmed_exactly_where_it_is_right(folder):
    graph = chain(folder)
    noes = 0
    for point in EVERY[::5]:
        union, _ = members(graph, point)
        for feature in range(7):
            found = confirm_no(graph, point, feature)
            assert (found.fault is None) == (feature not in union)
            assert found.how == ("" if found.fault else REFUTATION)
            noes += feature not in union
    assert noes > 20


def test_a_formula_with_a_clause_too_many_is_not_believed_on_points_with_a_feature(folder, monkeypatch):
    """A mutated formula: the point has to agree on the feature too.  Then every answer would be no."""

    def mutated(graph, point, feature):
        bound = 7 + feature + 1
        return [*membership_formula(graph, point, feature), (bound if point[feature] else -bound,)]

    graph = chain(folder)
    point = next(p for p in EVERY if members(graph, p)[0])
    feature = min(members(graph, point)[0])
    assert confirm_no(graph, point, feature).fault is not None
    monkeypatch.setattr(confirming, "membership_formula", mutated)
    assert confirm_no(graph, point, feature).how == REFUTATION


def test_what_takes_too_long_or_is_no_refutation_confirms_less(folder, monkeypatch):
    graph = chain(folder)
    point, feature = next((p, i) for p in EVERY for i in range(7) if i not in members(graph, p)[0])
    assert confirm_no(graph, point, feature, 0.0) == Confirmation(None, "")
    assert confirm_no(graph, point, feature, 60.0).how == REFUTATION

    def late(*_, deadline):
        raise confirming.OutOfTime

    monkeypatch.setattr(confirming, "rup_fault", late)
    assert confirm_no(graph, point, feature) == Confirmation(None, SECOND_SOLVER)
    monkeypatch.setattr(confirming, "rup_fault", lambda *_, deadline: "line 1: no")
    assert confirm_no(graph, point, feature) == Confirmation(None, "")


def test_other_features_than_boolean_are_refused():
    domain = Categorical(("a", "b"))
    nodes = {
        0: NonTerminal(0, ((1, FiniteSet(frozenset("a"))), (2, FiniteSet(frozenset("b"))))),
        1: Terminal(0),
        2: Terminal(1),
    }
    graph = decision_graph("g", [Feature("f", domain), Feature("b", Boolean())], ["n", "y"], nodes, 0)
    for ask in (lambda: confirm_no(graph, ("a", True), 0), lambda: confirm_yes(graph, ("a", True), 0, {0})):
        with pytest.raises(InputError, match="not Boolean"):
            ask()
