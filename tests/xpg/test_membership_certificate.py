"""Certificates of membership (Proposition 8): every true one is accepted, no other is, by at most m + 1 traversals."""

import contextlib
import functools
import itertools
import random
from dataclasses import replace

import pysat.solvers
import pytest
from hypothesis import given
from pysat.solvers import Solver
from wrong_certificate_checkers import CHECKERS, TRAVERSALS

from xpgcheck import embedded
from xpgcheck.errors import InputError
from xpgcheck.model.labelled_graph import LabelError, labelled_graph
from xpgcheck.oracles.closed_set import check_closed_set, closed_set
from xpgcheck.oracles.exhaustive import ExhaustiveOracle
from xpgcheck.oracles.sigma import assignment, sigma
from xpgcheck.properties.strategies import cases, trees
from xpgcheck.xpg import membership_certificate as module
from xpgcheck.xpg.explanation_graph import ExplanationGraph, explanation_graph, from_labels
from xpgcheck.xpg.membership import in_some_xp
from xpgcheck.xpg.membership_certificate import (
    MembershipCertificate,
    Traversals,
    certificate_fault,
    membership_certificate,
)
from xpgcheck.xpg.traversal import reaches_zero
from xpgcheck.xpg.xps import Kind


def subsets(m):
    return [frozenset(s) for k in range(m + 1) for s in itertools.combinations(range(m), k)]


def all_certificates(m):
    """Every certificate that can be written down over m features."""
    return [MembershipCertificate(kind, i, u, m) for kind in Kind for i in range(m) for u in subsets(m)]


def true_certificates(m, suffices):
    """Those that are true, by the definitions of AXp and CXp; *suffices* holds the weak AXps."""
    everything = frozenset(range(m))
    axps = {x for x in suffices if not any(x - {i} in suffices for i in x)}
    weak_cxps = {everything - x for x in subsets(m) if x not in suffices}
    cxps = {y for y in weak_cxps if not any(y - {i} in weak_cxps for i in y)}
    as_axps = {MembershipCertificate(Kind.AXP, i, x, m) for x in axps for i in x}
    return as_axps | {MembershipCertificate(Kind.CXP, i, everything - y, m) for y in cxps for i in y}


def random_labels(rng):
    """A labelled DAG of any labels with σ(1, …, 1) = 1; some nodes have no edge labelled 1, some variables no node."""
    while True:
        variables, inner = rng.choice((1, 2, 3, 4, 4, 5, 5)), rng.randint(1, 16)
        nodes = {inner: False, inner + 1: True}
        reached = {0}
        for k in range(inner):
            if k in reached:
                # Mostly near nodes, so that paths are long.
                near = range(k + 1, min(k + 5, inner))
                ends = [rng.choice(near if near and rng.random() < 0.8 else (inner, inner + 1)) for _ in range(3)]
                children = list(dict.fromkeys(ends))
                has_one = k == 0 or rng.random() < 0.85
                edges = tuple((child, has_one and not place) for place, child in enumerate(children))
                nodes[k] = (rng.randrange(variables), edges)
                reached.update(children)
        kept = {key: node for key, node in nodes.items() if key in reached}
        # Refused where the 1-path does not end in a terminal labelled 1: then draw again.
        with contextlib.suppress(LabelError):
            return labelled_graph("random", [f"s{i}" for i in range(variables)], kept, 0)


def corpus(count=300, seed=0):
    """Explanation graphs with their true certificates by the oracle of σ, which shares no code with Algorithm 1."""
    rng = random.Random(seed)
    for _ in range(count):
        labels = random_labels(rng)
        m = len(labels.variables)
        yield from_labels(labels), true_certificates(m, {x for x in subsets(m) if sigma(labels, assignment(labels, x))})


def test_the_corpus_has_what_tells_checkers_apart():
    shapes = [(xpg.is_tree(), {c.explanation for c in true if c.kind is Kind.AXP}, true) for xpg, true in corpus()]
    assert sum(tree for tree, *_ in shapes) >= 20
    assert sum(len(axps) > 1 for _, axps, _ in shapes) >= 40
    assert sum(not true for *_, true in shapes) >= 5
    assert sum(any(c.kind is Kind.CXP and len(c.explanation) > 1 for c in true) for *_, true in shapes) >= 40


def constant(m=3):
    return ExplanationGraph(tuple("abc"[:m]), (-1,), (-1,), ((),), b"\0")


def check_everything(xpg, true):
    m = len(xpg.variables)
    for certificate in all_certificates(m):
        traversals = Traversals()
        fault = certificate_fault(xpg, certificate, traversals)
        assert (fault is None) == (certificate in true)
        assert traversals.count <= certificate.traversals <= m + 1
        assert fault is not None or traversals.count == certificate.traversals
    for kind, i in itertools.product(Kind, range(m)):
        found = membership_certificate(xpg, i, kind)
        assert (found is not None) == in_some_xp(xpg, i) == any(c.kind is kind and c.feature == i for c in true)
        assert found is None or (found in true and found.kind is kind and found.feature == i)


def test_of_all_certificates_the_true_ones_are_accepted_on_any_labels():
    for xpg, true in corpus(150):
        check_everything(xpg, true)


def check_case(case):
    graph, v = case
    m = len(v)
    oracle = ExhaustiveOracle(graph, v)
    true = true_certificates(m, {x for x in subsets(m) if oracle.changeable(x).changeable is False})
    check_everything(explanation_graph(graph, v), true)
    for certificate in true:
        if certificate.kind is Kind.AXP:
            evidence = closed_set(graph, v, certificate.fixed)
            assert check_closed_set(graph, v, certificate.fixed, evidence) is None


@given(cases())
def test_certificates_on_decision_graphs_are_true_by_the_definition_of_xps(case):
    check_case(case)


@given(cases(trees()))
def test_certificates_on_trees_are_true_by_the_definition_of_xps(case):
    check_case(case)


def check_model(name, instances, seed):
    model = embedded.load(name)
    points = random.Random(seed).sample(model.instances, min(instances, len(model.instances)))
    yes = no = 0
    for point in points:
        xpg = explanation_graph(model.graph, point)
        m = len(point)
        for i in random.Random(seed).sample(range(m), min(m, 12)):
            member = in_some_xp(xpg, i)
            yes, no = yes + member, no + (not member)
            for kind in Kind:
                found = membership_certificate(xpg, i, kind)
                assert (found is not None) == member
                if found is None:
                    continue
                assert certificate_fault(xpg, found) is None
                # Closed sets of the decision graph prove what does suffice; σ = 0 is the other side's business.
                enough = [found.fixed] if kind is Kind.AXP else [found.fixed | {j} for j in found.explanation]
                for fixed in enough:
                    assert check_closed_set(model.graph, point, fixed, closed_set(model.graph, point, fixed)) is None
                short = [found.fixed - {j} for j in found.explanation] if kind is Kind.AXP else [found.fixed]
                for fixed in short:
                    assert check_closed_set(model.graph, point, fixed, closed_set(model.graph, point, fixed))
    return yes, no


@pytest.mark.parametrize("name", embedded.names())
def test_certificates_of_an_embedded_model(name):
    yes, _ = check_model(name, instances=2, seed=1)
    assert yes


def test_certificates_of_many_instances_of_all_embedded_models():
    counts = [check_model(name, instances=12, seed=2) for name in embedded.names()]
    assert all(yes for yes, _ in counts)
    assert sum(no for _, no in counts) > 30


# Tampered certificates: root (a) → node (b) → 1, both 0-edges to 0; c is tested by no node.  The one AXp is {a, b}.

CHAIN = ExplanationGraph(("a", "b", "c"), (0, 1, -1, -1), (1, 2, -1, -1), ((3,), (3,), (), ()), b"\0\0\0\1")
AXP = MembershipCertificate(Kind.AXP, 0, frozenset({0, 1}), 3)
CXP = MembershipCertificate(Kind.CXP, 0, frozenset({1, 2}), 3)


def test_the_certificates_of_a_chain():
    assert membership_certificate(CHAIN, 0) == AXP
    assert membership_certificate(CHAIN, 0, "AXp") == AXP
    assert membership_certificate(CHAIN, 0, "CXp") == CXP
    assert membership_certificate(CHAIN, 0, Kind.CXP) == CXP
    assert (AXP.explanation, CXP.explanation) == ({0, 1}, {0})
    assert (AXP.traversals, CXP.traversals) == (3, 2)
    assert certificate_fault(CHAIN, AXP) is None
    assert certificate_fault(CHAIN, CXP) is None


@pytest.mark.parametrize(
    ("certificate", "runs", "reason"),
    [
        (replace(AXP, variables=2), 0, "the assignment is over 2 features and the explanation graph over 3"),
        (
            replace(AXP, variables=10**18),
            0,
            f"the assignment is over {10**18} features and the explanation graph over 3",
        ),
        (replace(AXP, feature=3), 0, "feature index 3 is not in 0 … 2"),
        (replace(AXP, feature=-1), 0, "feature index -1 is not in 0 … 2"),
        (replace(AXP, fixed=AXP.fixed | {3, -7}), 0, "feature index -7 is not in 0 … 2"),
        (replace(AXP, fixed=AXP.fixed | {3}), 0, "feature index 3 is not in 0 … 2"),
        (replace(AXP, feature=2), 0, "feature 'c' is free, so it is not in the AXp"),
        (replace(CXP, feature=1), 0, "feature 'b' is fixed, so it is not in the CXp"),
        (replace(AXP, kind=Kind.CXP), 0, "feature 'a' is fixed, so it is not in the CXp"),
        (replace(AXP, kind=Kind.CXP, feature=2), 1, "σ(u) is 1: the free features cannot change the prediction"),
        (replace(CXP, kind=Kind.AXP), 0, "feature 'a' is free, so it is not in the AXp"),
        (replace(CXP, kind=Kind.AXP, feature=1), 1, "σ(u) is 0: the fixed features do not suffice"),
        (replace(AXP, fixed=frozenset({0})), 1, "σ(u) is 0: the fixed features do not suffice"),
        (replace(AXP, fixed=frozenset({0, 1, 2})), 4, "σ stays 1 when feature 'c' is freed too: not minimal"),
        (replace(CXP, fixed=frozenset({1})), 3, "σ stays 0 when feature 'c' is fixed too: not minimal"),
        (replace(CXP, fixed=frozenset({2})), 2, "σ stays 0 when feature 'a' is fixed too: not minimal"),
    ],
)
def test_a_tampered_certificate_is_refused_for_its_reason(certificate, runs, reason):
    traversals = Traversals()
    assert certificate_fault(CHAIN, certificate, traversals) == reason
    assert traversals.count == runs


def test_every_single_change_of_a_certificate_is_refused_or_true():
    """A bit of u, the feature or the kind: the result is a certificate that is true on its own, or it is refused."""
    refused = 0
    for xpg, true in corpus(60, seed=3):
        m = len(xpg.variables)
        for certificate in true:
            changes = [replace(certificate, fixed=certificate.fixed ^ {j}) for j in range(m)]
            changes += [replace(certificate, feature=j) for j in range(m) if j != certificate.feature]
            changes += [replace(certificate, kind=kind) for kind in Kind if kind is not certificate.kind]
            for changed in changes:
                fault = certificate_fault(xpg, changed)
                assert (fault is None) == (changed in true)
                refused += fault is not None
    assert refused > 500


def test_constant_classifiers_and_untested_features_have_no_certificate():
    for kind in Kind:
        assert [membership_certificate(constant(), i, kind) for i in range(3)] == [None] * 3
        assert membership_certificate(CHAIN, 2, kind) is None
    assert all(certificate_fault(constant(), certificate) for certificate in all_certificates(3))
    untested = [certificate for certificate in all_certificates(3) if certificate.feature == 2]
    assert all(certificate_fault(CHAIN, certificate) for certificate in untested)
    # The AXp ∅ and the lack of CXps: refused because the feature is not in the one, and σ is 1 for the other.
    assert certificate_fault(constant(), replace(AXP, fixed=frozenset())) == (
        "feature 'a' is free, so it is not in the AXp"
    )
    assert certificate_fault(constant(), replace(CXP, fixed=frozenset())) == (
        "σ(u) is 1: the free features cannot change the prediction"
    )


def test_features_and_kinds_that_there_are_not_are_refused():
    for wrong, xpg in itertools.product((-1, 3), (CHAIN, constant())):
        with pytest.raises(InputError) as caught:
            membership_certificate(xpg, wrong)
        assert str(caught.value) == f"feature index {wrong} is not in 0 … 2; name a feature of the model"
    with pytest.raises(InputError) as caught:
        membership_certificate(CHAIN, 0, "PI")
    assert str(caught.value) == '\'PI\' is not a kind of explanation; say "AXp" or "CXp"'


def test_finding_asks_at_most_one_query_of_graphs_and_none_of_trees(monkeypatch):
    asked = []

    def solver(*, name, bootstrap_with):
        asked.append(name)
        return Solver(name=name, bootstrap_with=bootstrap_with)

    monkeypatch.setattr(pysat.solvers, "Solver", solver)
    shapes = set()
    for xpg, _ in corpus(200, seed=4):
        for kind in Kind:
            asked.clear()
            membership_certificate(xpg, 0, kind)
            assert len(asked) <= (not xpg.is_tree())
            shapes.add((xpg.is_tree(), len(asked)))
    assert shapes == {(True, 0), (False, 0), (False, 1)}


def test_checking_traverses_and_asks_nothing_else(monkeypatch):
    runs = []

    def watched(xpg, free):
        runs.append(free)
        return reaches_zero(xpg, free)

    found = [(xpg, certificate) for xpg, true in corpus(40, seed=5) for certificate in true]
    monkeypatch.setattr(module, "reaches_zero", watched)
    for name in ("axp_with", "cxp_with", "tree_cxps", "shrink_axp", "shrink_cxp"):
        monkeypatch.setattr(module, name, None)
    for xpg, certificate in found:
        runs.clear()
        traversals = Traversals()
        assert certificate_fault(xpg, certificate, traversals) is None
        assert len(runs) == traversals.count == 1 + len(certificate.explanation) <= len(xpg.variables) + 1


@functools.cache
def small_corpus():
    return tuple(corpus(80, seed=6))


def mistakes(accepts):
    """Return (false certificates accepted, true ones refused) of a checker over all certificates of small graphs."""
    accepted = refused = 0
    for xpg, true in small_corpus():
        for certificate in all_certificates(len(xpg.variables)):
            verdict = accepts(xpg, certificate)
            accepted += verdict and certificate not in true
            refused += certificate in true and not verdict
    return accepted, refused


def test_the_checker_makes_no_mistake():
    assert mistakes(lambda xpg, certificate: certificate_fault(xpg, certificate) is None) == (0, 0)


@pytest.mark.parametrize("checker", CHECKERS, ids=lambda checker: checker.__name__)
def test_a_wrong_checker_is_caught(checker):
    assert any(mistakes(checker))


@pytest.mark.parametrize("traversal", TRAVERSALS, ids=lambda traversal: traversal.__name__)
def test_a_wrong_traversal_is_caught(traversal, monkeypatch):
    monkeypatch.setattr(module, "reaches_zero", traversal)
    assert any(mistakes(lambda xpg, certificate: certificate_fault(xpg, certificate) is None))


def test_a_kind_that_is_a_text_is_refused():
    xpg, _ = next(corpus(1))
    odd = MembershipCertificate("AXp", 0, frozenset({0}), len(xpg.variables))
    assert certificate_fault(xpg, odd) == "the kind 'AXp' is neither Kind.AXP nor Kind.CXP"
