"""The cross-check says "holds" of right explainers, and names what is wrong with each of the seeded bugs."""

import itertools

import pytest
from hypothesis import given, settings
from msgspec.structs import replace

from xpgcheck import embedded
from xpgcheck.gate.check.cross_check import CheckSettings, cross_check
from xpgcheck.gate.check.results import Check, summary
from xpgcheck.gate.check.run import check_all
from xpgcheck.gate.check.table import conclusion
from xpgcheck.gate.inputs import Job
from xpgcheck.judging import claim_judge
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.model.decision_graph import NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Feature, Integer
from xpgcheck.model.literals import read_literal
from xpgcheck.oracles.answers import Answer
from xpgcheck.oracles.smt_sessions import SmtOracle
from xpgcheck.properties.strategies import cases
from xpgcheck.readers.xpg import parse_xpg
from xpgcheck.writers.xpg import write_xpg, xpg_of
from xpgcheck.xpg.choose import enumerate_xps
from xpgcheck.xpg.inflation import inflate_axp
from xpgcheck.xpg.xps import XP, Kind


def checked(graph, point=(), explain=enumerate_xps, **how):
    """Cross-check one instance."""
    (result,) = cross_check(Job(graph, (point,), "one point"), range(1), CheckSettings(**how), explain)
    return result


def found(result):
    return {(Check(f.about), f.verdict) for f in result.findings if f.outcome is Outcome.VIOLATED}


@given(cases())
def test_our_explainer_holds_on_generated_graphs(case):
    graph, v = case
    result = checked(graph, v)
    assert result.findings == ()
    assert result.checks[Check.COMPLETE] == 1


@given(cases())
@settings(max_examples=25)
def test_our_explainer_holds_with_two_solvers(case):
    pytest.importorskip("cvc5", reason="cvc5 is an extra")
    graph, v = case
    result = checked(graph, v, solvers=("cvc5", "z3"))
    assert result.findings == ()


def everything(xpg):
    return frozenset(range(len(xpg.variables)))


def first(xps, kind):
    return next(xp for xp in xps if xp.kind is kind and xp.features)


def replaced(xps, old, *new):
    return [n for xp in xps for n in (new if xp == old else [xp])]


def forgets_an_axp(xpg, xps):
    return replaced(xps, first(xps, Kind.AXP))


def forgets_a_cxp(xpg, xps):
    return replaced(xps, first(xps, Kind.CXP))


def lists_an_axp_twice(xpg, xps):
    return [*xps, first(xps, Kind.AXP)]


def axp_without_its_last_feature(xpg, xps):
    axp = first(xps, Kind.AXP)
    return replaced(xps, axp, XP(Kind.AXP, axp.features - {max(axp.features)}))


def cxp_without_its_last_feature(xpg, xps):
    cxp = next(xp for xp in xps if xp.kind is Kind.CXP and len(xp.features) > 1)
    return replaced(xps, cxp, XP(Kind.CXP, cxp.features - {max(cxp.features)}))


def axp_with_a_needless_feature(xpg, xps):
    axp = next(xp for xp in xps if xp.kind is Kind.AXP and xp.features < everything(xpg))
    return replaced(xps, axp, XP(Kind.AXP, axp.features | {min(everything(xpg) - axp.features)}))


def cxp_with_a_needless_feature(xpg, xps):
    cxp = next(xp for xp in xps if xp.kind is Kind.CXP and xp.features < everything(xpg))
    return replaced(xps, cxp, XP(Kind.CXP, cxp.features | {min(everything(xpg) - cxp.features)}))


def never_shrinks_its_seed(xpg, xps):
    return [XP(Kind.AXP, everything(xpg)), XP(Kind.CXP, everything(xpg))]


def takes_axps_for_cxps(xpg, xps):
    return [XP(Kind.CXP if xp.kind is Kind.AXP else Kind.AXP, xp.features) for xp in xps]


def adds_an_unfiltered_tree_candidate(xpg, xps):
    """Proposition 6 without the subset filter: the union of two CXps is a candidate of a longer path."""
    cxps = [xp.features for xp in xps if xp.kind is Kind.CXP]
    return [*xps, XP(Kind.CXP, cxps[0] | cxps[1])]


def says_nothing(xpg, xps):
    return []


BUGS = [
    (forgets_an_axp, Check.COMPLETE, "incomplete"),
    (forgets_a_cxp, Check.COMPLETE, "incomplete"),
    (lists_an_axp_twice, Check.COMPLETE, "duplicate"),
    (axp_without_its_last_feature, Check.AXP_SUFFICIENT, "insufficient"),
    (cxp_without_its_last_feature, Check.CXP_CHANGES, "ineffective"),
    (axp_with_a_needless_feature, Check.AXP_MINIMAL, "redundant"),
    (cxp_with_a_needless_feature, Check.CXP_MINIMAL, "redundant"),
    (never_shrinks_its_seed, Check.AXP_MINIMAL, "redundant"),
    (takes_axps_for_cxps, Check.AXP_SUFFICIENT, "insufficient"),
    (adds_an_unfiltered_tree_candidate, Check.CXP_MINIMAL, "redundant"),
    (says_nothing, Check.COMPLETE, "incomplete"),
]


@pytest.mark.parametrize(("bug", "check", "verdict"), BUGS, ids=[bug.__name__ for bug, _, _ in BUGS])
@pytest.mark.parametrize("solvers", [("z3",), ("cvc5", "z3")], ids=["z3", "cvc5+z3"])
def test_each_seeded_bug_gets_its_verdict(bug, check, verdict, solvers):
    if "cvc5" in solvers:
        pytest.importorskip("cvc5", reason="cvc5 is an extra")
    model = embedded.load("mux6")
    result = checked(
        model.graph,
        model.instances[0],
        lambda xpg, limit: bug(xpg, list(enumerate_xps(xpg, limit))),
        solvers=solvers,
    )
    assert (check, verdict) in found(result)
    assert all(f.text and f.claim for f in result.findings)


def raises(xpg, limit):
    yield from enumerate_xps(xpg, 1)
    raise KeyError("lost")


@pytest.mark.parametrize(
    ("explain", "verdict", "said"),
    [
        (raises, "crash", "KeyError"),
        (lambda xpg, limit: 7, "crash", "TypeError"),
        (lambda xpg, limit: [("AXp", {99})], "malformed answer", "feature 99"),
        (lambda xpg, limit: [("XP", {0})], "malformed answer", "CXp"),
    ],
    ids=["raises", "is no list", "no such feature", "no such kind"],
)
def test_an_answer_that_is_none_is_wrong(explain, verdict, said):
    model = embedded.load("hardware")
    result = checked(model.graph, model.paper_instance, explain)
    assert found(result) == {(Check.COMPLETE, verdict)}
    (finding,) = result.findings
    assert said in finding.text
    assert result.checks == {Check.COMPLETE: 1, Check.ORACLES: 1}


def test_to_run_out_of_memory_is_no_violation():
    def hungry(xpg, limit):
        raise MemoryError

    model = embedded.load("hardware")
    with pytest.raises(MemoryError):
        checked(model.graph, model.paper_instance, hungry)


def test_no_set_of_our_explainer_helps_to_judge_it(monkeypatch):
    """Candidates of the explainer are for claims of other kinds (one family alone, membership)."""

    def asked(*_):
        raise AssertionError("the explainer under judgement is asked by its judge")

    monkeypatch.setattr(claim_judge, "candidate_families", asked)
    monkeypatch.setattr(claim_judge, "candidate_duals", asked)
    model = embedded.load("mux6")
    assert checked(model.graph, model.instances[0]).findings == ()
    for bug, check, verdict in BUGS:
        result = checked(
            model.graph, model.instances[0], lambda xpg, limit, bug=bug: bug(xpg, list(enumerate_xps(xpg, limit)))
        )
        assert (check, verdict) in found(result)


def test_evidence_is_a_witness_of_another_class():
    model = embedded.load("hardware")
    result = checked(
        model.graph,
        model.paper_instance,
        lambda xpg, limit: axp_without_its_last_feature(xpg, list(enumerate_xps(xpg, limit))),
    )
    (finding,) = [f for f in result.findings if f.about == Check.AXP_SUFFICIENT.value]
    (judged,) = finding.judged
    assert finding.claim == "AXp {Age}"
    assert finding.text.startswith("a point that agrees with the instance on it has another class; AXp {Age, ")
    assert "; witness ('Age'='O', " in finding.text
    assert model.graph.kappa(judged.evidence.witness) != model.graph.kappa(model.paper_instance)
    assert judged.evidence.witness[0] == model.paper_instance[0]
    (record,) = summary(Job(model.graph, (model.paper_instance,), ""), [result]).findings[:1]
    assert record.point == "'Age'='O', 'Income'='L', 'Student'='Y', 'Credit'='P'"


@pytest.mark.parametrize("lie", [True, False, None])
def test_a_lying_solver_makes_no_verdict(monkeypatch, lie):
    """Whatever it claims without evidence, nothing turns into a violation, and "holds" is not said either."""

    def changeable(self, fixed):
        return Answer(lie, self._point if lie else None, self.name, "lies")

    monkeypatch.setattr(SmtOracle, "changeable", changeable)
    model = embedded.load("digits")  # too many cells for the exhaustive oracle to step in
    result = checked(model.graph, model.instances[0])
    assert {f.outcome for f in result.findings} == {Outcome.INCONCLUSIVE}


def test_a_witness_that_does_not_replay_is_told(monkeypatch):
    monkeypatch.setattr(SmtOracle, "changeable", lambda self, fixed: Answer(True, self._point, self.name))
    model = embedded.load("hardware")
    result = checked(model.graph, model.paper_instance)
    faults = [f for f in result.findings if f.about == Check.ORACLES.value]
    assert faults
    assert {(f.claim, f.verdict, f.outcome) for f in faults} == {
        ("an answer of z3-ite", "an oracle fault", Outcome.INCONCLUSIVE)
    }


def test_an_enumeration_cut_short_is_inconclusive():
    model = embedded.load("hardware")
    result = checked(model.graph, model.paper_instance, limit=1)
    assert [(f.outcome, f.about) for f in result.findings] == [(Outcome.INCONCLUSIVE, Check.COMPLETE.value)]
    assert Check.COMPLETE not in result.checks


XPG = b"""NN: 4
Root: 1
T: 5 6
TDef:
5 1
6 0
NT: 1 4
NTDef:
1 4 1
1 6 0
4 5 1
4 6 0
NV: 1
VarDef:
1 f0
4 f0
"""


def test_an_xpg_file_is_judged_on_sigma():
    graph = parse_xpg(XPG, "small")
    result = checked(graph)
    assert result.findings == ()
    assert (result.axps, result.cxps) == ((1,), (1,))
    wrong = checked(graph, (), lambda xpg, limit: [XP(Kind.AXP, frozenset({0}))])
    assert [f.verdict for f in wrong.findings] == ["incomplete"]
    assert "CXp {f0} is missing" in wrong.findings[0].text
    (record,) = summary(Job(graph, (), ""), [wrong]).findings
    assert (record.point, record.check, record.outcome) == ("as labelled", "complete", "violated")


@pytest.mark.parametrize(
    ("bug", "expected"),
    [
        (lambda xps: [XP(xp.kind, frozenset()) for xp in xps], {"insufficient", "ineffective"}),
        (lambda xps: [XP(xp.kind, frozenset({0, 1, 2})) for xp in xps], {"redundant"}),
        (lambda xps: [xp for xp in xps if xp.kind is Kind.AXP], {"incomplete"}),
    ],
    ids=["empty", "everything", "no CXps"],
)
def test_wrong_xps_of_an_xpg_file_are_caught_with_evidence(bug, expected):
    model = embedded.load("omdd")
    graph = parse_xpg(write_xpg(xpg_of(model.graph, model.paper_instance)).encode(), "omdd")
    assert checked(graph).findings == ()
    result = checked(graph, (), lambda xpg, limit: bug(list(enumerate_xps(xpg, limit))))
    assert expected <= {verdict for _, verdict in found(result)}
    assert all(f.text and f.outcome is Outcome.VIOLATED for f in result.findings)
    assert any(" is right" in f.text or "missing" in f.text for f in result.findings)


def test_processes_and_one_process_find_the_same():
    names = ("hardware", "omdd", "mux6")
    jobs = [Job(m.graph, m.instances, "all") for m in map(embedded.load, names)]
    one = check_all(jobs, CheckSettings(), workers=1)
    two = check_all(jobs, CheckSettings(), workers=2)
    for a, b in itertools.zip_longest(one, two):
        assert replace(a, seconds=0, oracle_seconds=0) == replace(b, seconds=0, oracle_seconds=0)
    assert conclusion(one).status == conclusion(two).status == 0


def a_piece_short(graph, point, axp, **options):
    """Leave out of a set what is not the instance's cell."""
    box = dict(inflate_axp(graph, point, axp))
    for i, values in box.items():
        own = next(cell for cell in graph.cells[i] if point[i] in cell)
        if values != own:
            return {**box, i: own}
    return box


def any_value(graph, point, cxp, **options):
    """Say that any value changes the class."""
    return {i: graph.features[i].domain.all_values() for i in cxp}


@pytest.mark.parametrize(
    ("name", "wrong", "verdict"),
    [("inflate_axp", a_piece_short, "not maximal"), ("inflate_cxp", any_value, "ineffective")],
)
def test_wrong_sets_of_values_are_found(name, wrong, verdict, monkeypatch):
    domain = Integer(0, 2)
    ends = {0: "yes", 1: "also", 2: "no"}
    edges = tuple((end, read_literal(domain, [k])) for k, end in ends.items())
    nodes = {"root": NonTerminal(0, edges), "yes": Terminal(1), "also": Terminal(1), "no": Terminal(0)}
    graph = decision_graph("steps", (Feature("x", domain),), ("no", "yes"), nodes, "root")
    job = Job(graph, ((0,),) * 16, "steps")
    right = cross_check(job, range(16), CheckSettings())
    assert [result.checks[Check.VALUES] for result in right] == [2, *[0] * 7, 2, *[0] * 7]
    assert not any(result.findings for result in right)
    monkeypatch.setattr(f"xpgcheck.gate.check.cross_check.{name}", wrong)
    found = [finding for result in cross_check(job, range(16), CheckSettings()) for finding in result.findings]
    assert {(finding.about, finding.verdict) for finding in found} == {(Check.VALUES.value, verdict)}
