"""Certificates of ensembles: what the issuer writes is accepted and true; beyond limits it refuses in one line."""

from __future__ import annotations

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive_ensembles import EnsembleInstance, small_ensembles, winners
from small_forests import forest, leaf, stump, test

from xpgcheck.certificates import box_trees, issuing
from xpgcheck.certificates.ensemble_evidence import EnsembleTables
from xpgcheck.certificates.issuing import EnsembleIssuer, certificate
from xpgcheck.check_certificate import check_lines
from xpgcheck.errors import FormatError, InputError, LimitError, UndecidedError
from xpgcheck.model.combination import Arithmetic, Sum, Threshold
from xpgcheck.model.decision_graph import NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Feature, Real
from xpgcheck.model.ensemble import Ensemble, ensemble
from xpgcheck.model.value_sets import FiniteSet
from xpgcheck.properties.strategies.points import draw_point
from xpgcheck.xpg.xps import XP, Kind


def majority_of(count: int) -> Ensemble:
    """Each tree asks for one Boolean feature of its own."""
    features = tuple([Feature(f"x{i}", Boolean()) for i in range(count)])
    trees = []
    for i in range(count):
        edges = tuple([(f"{value:d}", FiniteSet(frozenset([value]))) for value in (False, True)])
        nodes = {"r": NonTerminal(i, edges), "0": Terminal(0), "1": Terminal(1)}
        trees.append(decision_graph(f"t{i}", features, ("no", "yes"), nodes, "r"))
    return ensemble("majority", features, ("no", "yes"), trees)


@given(st.data())
def test_all_explanations_are_certified_where_nothing_lies_within_rounding(data: st.DataObject) -> None:
    model = data.draw(small_ensembles())
    v = draw_point(data.draw, model)
    issuer = EnsembleIssuer(model, data.draw(st.sampled_from(["rup", "tree"])))
    if len(winners(model, v)) > 1:
        with pytest.raises(UndecidedError, match="within rounding"):
            issuer.line(v)
        return
    instance = EnsembleInstance(model, v)
    try:
        issued = issuer.line(v)
    except UndecidedError:
        assert not instance.decided
        return
    claims = json.loads(issued.line)["claims"]
    for kind, right in (("AXp", instance.axps), ("CXp", instance.cxps)):
        assert {frozenset(c["features"]) for c in claims if c["kind"] == kind} == set(right)
    assert issued.complete
    text = issuer.header() + issued.line + '{"end":1}\n'
    outcome = check_lines(text.encode().splitlines(keepends=True))
    assert outcome.status == 0, outcome.message


@given(st.data())
def test_a_set_that_is_no_explanation_is_not_certified(data: st.DataObject) -> None:
    model = data.draw(small_ensembles())
    v = draw_point(data.draw, model)
    if len(winners(model, v)) > 1:
        return
    instance = EnsembleInstance(model, v)
    features = data.draw(st.frozensets(st.integers(0, len(v) - 1)))
    kind, right = data.draw(st.sampled_from([(Kind.AXP, instance.axps), (Kind.CXP, instance.cxps)]))
    try:
        EnsembleIssuer(model, "none").line(v, [XP(kind, features)])
    except (InputError, UndecidedError):
        assert features not in right or not instance.decided
    else:
        assert features in right


def test_the_same_bytes_whatever_the_number_of_processes() -> None:
    model = majority_of(5)
    points = [(True,) * 5, (False,) * 5, (True, True, True, False, False)]
    text = certificate(model, points)
    lines = [issued.line for issued in issuing.issued_lines(model, points, jobs=2)]
    assert text == EnsembleIssuer(model).header() + "".join(lines) + '{"end":3}\n'
    outcome = check_lines(text.encode().splitlines(keepends=True))
    assert outcome.counts == {"instances": 3, "complete": 3, "AXp": 21, "CXp": 23}


def test_a_line_does_not_depend_on_the_lines_before_it() -> None:
    model = majority_of(5)
    points = [(True,) * 5, (True, True, True, False, False), (True,) * 5, (False, True, True, True, False)]
    issuer = EnsembleIssuer(model, "rup", 6)
    assert [issuer.line(point) for point in points] == [EnsembleIssuer(model, "rup", 6).line(point) for point in points]


def test_a_limit_leaves_completeness_open() -> None:
    issued = EnsembleIssuer(majority_of(5), "rup", 4).line((True,) * 5)
    assert (issued.axps + issued.cxps, issued.complete) == (4, False)


def test_what_takes_too_much_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    model = majority_of(9)
    # Constant, but two of its trees have to be told apart by a cut.
    cancelling = forest(stump(0), test(0, "0.5", leaf(1), leaf(0)), leaf(1))
    assert '"boxes":[0,' in EnsembleIssuer(cancelling).line((0, 0, 0)).line
    monkeypatch.setattr(box_trees, "MAX_BOXES", 1)
    with pytest.raises(UndecidedError, match="over 1 boxes are needed, so that there is no certificate"):
        EnsembleIssuer(cancelling).line((0, 0, 0))
    monkeypatch.setattr(box_trees, "MAX_PATHS", 17)
    with pytest.raises(LimitError, match="over 17 paths, so that there is no certificate"):
        EnsembleIssuer(model)


def test_what_the_checker_does_not_read_is_refused_in_one_line() -> None:
    features = (Feature("x", Real()),)
    tree = decision_graph("t", features, ("a",), {0: Terminal(0)})
    rule = Sum((Fraction(1, 3**790),), Threshold(Fraction(0)), Arithmetic.EXACT)
    with pytest.raises(FormatError, match="certificates cannot be about it: its numbers have too large"):
        EnsembleIssuer(ensemble("odd", features, ("no", "yes"), [tree], rule, [[(Fraction(1),)]]))


def test_one_tree_of_boxes_serves_many_claims() -> None:
    """Evidence that is found for one set of features is not searched for again, and few boxes are needed."""
    model = majority_of(5)
    asked = EnsembleTables(model).at((True,) * 5)
    first = asked.of(0b00011)
    assert first is asked.of(0b00011)
    assert first is asked.of(0b00001)
    assert first.boxes == "[-1]"  # type: ignore[union-attr]
