"""Issuing: what is issued is true, the checker accepts all of it, and the same is issued everywhere."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from certificate_facts import assert_facts, facts_of
from hypothesis import given
from hypothesis import strategies as st

from xpgcheck import check_certificate, embedded
from xpgcheck.certificates import completeness, family_lines, issuing
from xpgcheck.certificates.canonical_texts import (
    canonical_text,
    digest_of,
    end_text,
    formula_header_text,
    header_text,
    value_json,
)
from xpgcheck.certificates.completeness import METHODS, decision_tree, refutation
from xpgcheck.certificates.issuing import Issuer, certificate, issued_lines
from xpgcheck.certificates.judged_claims import ClaimCertifier, certificate_of_judged
from xpgcheck.check_certificate import check_lines
from xpgcheck.errors import InputError, InstanceError, ModelError, UndecidedError
from xpgcheck.judging.claim import Claim, ClaimKind, Notion
from xpgcheck.judging.judged import Evidence, Judged
from xpgcheck.judging.panel import Panel
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.model.decision_graph import DecisionGraph, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Categorical, Feature, Real
from xpgcheck.model.literals import read_literal
from xpgcheck.model.values import MISSING, Point
from xpgcheck.properties import strategies
from xpgcheck.properties.cases import Case
from xpgcheck.readers.json_model import parse_json
from xpgcheck.xpg.choose import enumerate_xps
from xpgcheck.xpg.explanation_graph import explanation_graph, indices, mask_of
from xpgcheck.xpg.xps import XP, Kind

CONSTANT = decision_graph("constant", [Feature("a", Boolean())], ["no", "yes"], {0: Terminal(1)}, 0)


def accepted(text: str) -> bool:
    outcome = check_lines(text.encode().splitlines(keepends=True))
    assert outcome.status == 0, outcome.message
    return True


def body(text: str) -> list[str]:
    return text.splitlines(keepends=True)[1:-1]


def whole(issuer: Issuer | ClaimCertifier, line: str) -> str:
    return issuer.header() + line + end_text(1)


@pytest.mark.parametrize("method", METHODS)
@given(case=strategies.property_cases(12, strategies.KINDS))
def test_what_is_issued_of_any_graph_is_true_and_accepted(case: Case, method: str) -> None:
    text = certificate(case.graph, [case.instance], method)
    (line,) = body(text)
    assert_facts(case.graph, line)
    assert accepted(text)
    record = json.loads(line)
    found = {XP(Kind(claim["kind"]), frozenset(claim["features"])) for claim in record["claims"]}
    assert found == set(enumerate_xps(explanation_graph(case.graph, case.instance)))
    assert ("complete" in record) == (method != "none")


def close_thresholds(digits: int) -> DecisionGraph:
    """A class between 1/(10ⁿ + 1) and 1/10ⁿ, whose midpoint has a denominator of twice as many digits."""
    low, high = f"1/{10**digits + 1}", f"1/{10**digits}"
    x = Feature("x", Real())
    edges = {"n": [f"(-inf, {low}]"], "y": [f"({low}, {high})"], "n2": [f"[{high}, inf)"]}
    split = {child: read_literal(x.domain, literals) for child, literals in edges.items()}
    return decision_graph(
        "close", [x], ["no", "yes"],
        {"r": NonTerminal(0, tuple(split.items())), "n": Terminal(0), "y": Terminal(1), "n2": Terminal(0)}, "r",
    )  # fmt: skip


@pytest.mark.parametrize("digits", [1, 20, 390])
def test_a_point_between_close_thresholds_is_written_with_no_more_digits(digits: int) -> None:
    text = certificate(close_thresholds(digits), [(Fraction(0),)])
    assert accepted(text)


@given(case=strategies.property_cases(40), more=st.integers(-1, 1))
def test_a_limit_of_as_many_as_there_are_leaves_none_out_by_algorithm_4_too(case: Case, more: int) -> None:
    count = len(list(enumerate_xps(explanation_graph(case.graph, case.instance))))
    limit = max(1, count + more)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(issuing, "xp_masks", lambda xpg: None)
        issued = Issuer(case.graph, "rup", limit).line(case.instance)
    assert issued.axps + issued.cxps == min(limit, count)
    assert issued.complete == (count <= limit)


@given(case=strategies.property_cases(40), limit=st.integers(1, 12), method=st.sampled_from(METHODS))
def test_within_a_limit_the_claims_are_true_and_not_called_all(case: Case, limit: int, method: str) -> None:
    issuer = Issuer(case.graph, method, limit)
    issued = issuer.line(case.instance)
    assert_facts(case.graph, issued.line)
    assert accepted(whole(issuer, issued.line))
    count = len(list(enumerate_xps(explanation_graph(case.graph, case.instance))))
    assert issued.axps + issued.cxps == min(limit, count)
    assert issued.complete == (count <= limit and method != "none")


@given(case=strategies.property_cases(40), data=st.data())
def test_any_of_the_explanations_can_be_certified_alone(case: Case, data: st.DataObject) -> None:
    xps = list(enumerate_xps(explanation_graph(case.graph, case.instance)))
    some = data.draw(st.lists(st.sampled_from(xps), min_size=1, unique=True))
    issuer = Issuer(case.graph)
    issued = issuer.line(case.instance, some)
    assert issued.complete == (len(some) == len(xps))
    assert_facts(case.graph, issued.line)
    assert accepted(whole(issuer, issued.line))


@given(case=strategies.property_cases(40), data=st.data())
def test_what_is_no_explanation_is_refused(case: Case, data: st.DataObject) -> None:
    xps = set(enumerate_xps(explanation_graph(case.graph, case.instance)))
    kind = data.draw(st.sampled_from(Kind))
    members = data.draw(st.frozensets(st.integers(0, len(case.graph.features) - 1)))
    issuer = Issuer(case.graph)
    if XP(kind, members) in xps:
        assert accepted(whole(issuer, issuer.line(case.instance, [XP(kind, members)]).line))
    else:
        with pytest.raises(InputError, match=f"is not an? {kind.value} of the instance: (a|no) point|can be left out"):
            issuer.line(case.instance, [XP(kind, members)])


@pytest.mark.parametrize("name", embedded.names())
def test_certificates_of_embedded_models_are_accepted(name: str) -> None:
    model = embedded.load(name)
    points = model.instances[:: max(1, len(model.instances) // 40)]
    for method in ("rup", "tree"):
        text = certificate(model.graph, points, method)
        assert all(json.loads(line)["complete"]["method"] == method for line in body(text))
        assert accepted(text)
    assert_facts(model.graph, body(text)[0])


def checked_by_a_process(text: str, folder: Path) -> tuple[int, str]:
    """Check *text* by the checker as a plain script that sees nothing but the standard library."""
    file = folder / "c.jsonl"
    file.write_text(text, encoding="utf-8", newline="")
    done = subprocess.run(
        [sys.executable, "-I", "-S", check_certificate.__file__, str(file)], capture_output=True, text=True
    )
    return done.returncode, done.stdout + done.stderr


def test_an_embedded_model_is_certified_to_a_process_that_knows_nothing_else(tmp_path: Path) -> None:
    model = embedded.load("digits")
    status, said = checked_by_a_process(certificate(model.graph, model.instances[:5]), tmp_path)
    assert (status, said.count("\n")) == (0, 1), said


@pytest.mark.slow
@pytest.mark.parametrize("method", ["rup", "tree"])
@pytest.mark.parametrize("name", embedded.names())
def test_all_instances_of_embedded_models_are_certified(name: str, method: str, tmp_path: Path) -> None:
    model = embedded.load(name)
    status, said = checked_by_a_process(certificate(model.graph, model.instances, method), tmp_path)
    assert (status, said.count("\n")) == (0, 1), said


def test_a_constant_class_has_the_empty_axp_alone() -> None:
    for method in ("rup", "tree"):
        (line,) = body(certificate(CONSTANT, [(True,)], method))
        record = json.loads(line)
        assert record["points"] == []
        assert [(claim["kind"], claim["features"]) for claim in record["claims"]] == [("AXp", [])]
        assert accepted(certificate(CONSTANT, [(True,)], method))


def test_values_are_written_exactly() -> None:
    assert [value_json(v) for v in (True, False, 3, Fraction(5, 2), Fraction(1, 3), Fraction(4), MISSING, 'a"é')] == [
        "1",
        "0",
        "3",
        '"2.5"',
        '"1/3"',
        "4",
        "null",
        '"a\\"é"',
    ]
    assert value_json(-(2**53)) == f'"{-(2**53)}"'
    assert value_json(2**53 - 1) == str(2**53 - 1)


@given(case=strategies.property_cases(12, strategies.KINDS))
def test_lines_are_canonical_and_the_header_is_the_model(case: Case) -> None:
    text = certificate(case.graph, [case.instance])
    header, line, end = (json.loads(line) for line in text.splitlines())
    assert text == "".join(json.dumps(v, separators=(",", ":"), ensure_ascii=False) + "\n" for v in (header, line, end))
    assert header["digest"] == digest_of(canonical_text(header["model"]))
    assert parse_json(canonical_text(header["model"]).encode()) == case.graph
    assert list(header) == ["format", "version", "model", "digest"]
    assert list(line) == ["instance", "class", "notion", "closed", "points", "claims", "complete"]
    for claim in line["claims"]:
        assert claim["features"] == sorted(claim["features"])


def test_the_header_of_a_formula_has_its_digest() -> None:
    header = json.loads(formula_header_text(2, [[1, -2], [2]]))
    assert header["formula"] == {"variables": 2, "clauses": [[1, -2], [2]]}
    text = canonical_text(header["formula"])
    assert header["digest"] == "sha256:" + hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("name", ["monk2", "iris"])
def test_processes_issue_the_same_bytes(name: str) -> None:
    model = embedded.load(name)
    points = model.instances[:70]
    alone = [issued.line for issued in issued_lines(model.graph, points)]
    assert [issued.line for issued in issued_lines(model.graph, iter(points), jobs=2)] == alone
    assert header_text(model.graph) + "".join(alone) + end_text(70) == certificate(model.graph, points)


def test_hash_seeds_change_no_byte() -> None:
    script = (
        "import hashlib; from xpgcheck import embedded; from xpgcheck.certificates.issuing import certificate\n"
        "h = hashlib.sha256()\n"
        "for name in ('omdd', 'mofn_3_7_10', 'breast_cancer'):\n"
        "    m = embedded.load(name)\n"
        "    for method in ('rup', 'tree'): h.update(certificate(m.graph, m.instances[:30], method).encode())\n"
        "    h.update(certificate(m.graph, m.instances[:30], 'none', 5).encode())\n"
        "print(h.hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "2")
    }
    assert len(digests) == 1


def test_lines_are_issued_one_by_one() -> None:
    model = embedded.load("corral")
    asked = []

    def points() -> Iterator[Point]:
        for point in model.instances:
            asked.append(point)
            yield point

    lines = issued_lines(model.graph, points())
    next(lines)
    assert len(asked) == 1


def test_wrong_input_is_refused() -> None:
    model = embedded.load("corral")
    with pytest.raises(InstanceError, match="not in the model's feature space"):
        Issuer(model.graph).line((True,))
    with pytest.raises(InputError, match="no evidence of completeness is called 'drat'; use rup, tree, none"):
        Issuer(model.graph, "drat")
    with pytest.raises(InputError, match="a limit of 0 explanations"):
        Issuer(model.graph, limit=0)


def test_an_inconsistent_path_gives_no_point() -> None:
    literal = {text: read_literal(Real(), [text]) for text in ("(-inf, 0]", "(0, inf)")}
    nodes = {
        "r": NonTerminal(0, (("s", literal["(-inf, 0]"]), ("no", literal["(0, inf)"]))),
        "s": NonTerminal(0, (("no", literal["(-inf, 0]"]), ("yes", literal["(0, inf)"]))),
        "no": Terminal(0),
        "yes": Terminal(1),
    }
    graph = decision_graph("lawless", [Feature("x", Real())], ["no", "yes"], nodes)
    with pytest.raises(ModelError, match="the path 'r' → 's' → 'yes' is inconsistent"):
        Issuer(graph).line((Fraction(0),))


def masks_of(case: Case) -> tuple[list[int], list[int]]:
    axps, cxps = [], []
    for kind, features in enumerate_xps(explanation_graph(case.graph, case.instance)):
        (axps if kind is Kind.AXP else cxps).append(mask_of(features))
    return axps, cxps


@given(case=strategies.property_cases(40), data=st.data())
def test_families_that_lack_a_set_have_no_evidence_of_completeness(case: Case, data: st.DataObject) -> None:
    axps, cxps = masks_of(case)
    assert refutation(axps, cxps) is not None
    assert decision_tree(axps, cxps) is not None
    lost = data.draw(st.integers(0, len(axps) + len(cxps) - 1))
    if lost < len(axps):
        axps.pop(lost)
    else:
        cxps.pop(lost - len(axps))
    assert refutation(axps, cxps) is None
    assert decision_tree(axps, cxps) is None


def test_large_families_are_refuted_by_cadical(monkeypatch: pytest.MonkeyPatch) -> None:
    model = embedded.load("mofn_3_7_10")
    point = max(model.instances, key=lambda p: sum(1 for _ in enumerate_xps(explanation_graph(model.graph, p))))
    asked = []
    by_cadical = completeness._from_cadical
    monkeypatch.setattr(completeness, "_from_cadical", lambda *families: asked.append(1) or by_cadical(*families))
    for small in (0, completeness.SMALL):
        monkeypatch.setattr(completeness, "SMALL", small)
        family_lines._remembered.cache_clear()
        assert accepted(certificate(model.graph, [point]))
    assert asked
    family_lines._remembered.cache_clear()


def follows(clauses: list[list[int]], lines: list[list[int]]) -> bool:
    """Tell whether each line makes the clauses and lines before propagate to a conflict: plainly, all over again."""
    known = [set(clause) for clause in clauses]
    for line in lines:
        false = set(line)
        while not any(clause <= false for clause in known):
            units = {literal for clause in known for literal in clause if clause - false == {literal}}
            if all(-literal in false for literal in units):
                return False
            false |= {-literal for literal in units}
        known.append(set(line))
    return True


@given(case=strategies.property_cases(40))
def test_both_ways_to_refute_are_accepted(case: Case) -> None:
    axps, cxps = masks_of(case)
    clauses = [[-i - 1 for i in indices(mask)] for mask in axps] + [[i + 1 for i in indices(mask)] for mask in cxps]
    found = [completeness._from_cadical(axps, cxps), completeness._searched(axps, cxps)]
    for lines in found:
        if lines is not None and 0 not in axps:
            assert lines[-1] == []
            assert follows(clauses, lines)
            # Without any one of the sets, some set of features is left.
            assert not follows(clauses[1:], lines)


def test_a_tree_that_grows_too_large_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(completeness, "MAX_TREE", 1)
    model = embedded.load("mofn_3_7_10")
    with pytest.raises(UndecidedError, match="more than 1 nodes; use the other evidence of completeness, rup"):
        certificate(model.graph, model.instances[:3], "tree")


# Judged claims


@given(case=strategies.property_cases(12), data=st.data())
def test_verdicts_on_sets_come_with_certificates(case: Case, data: st.DataObject) -> None:
    members = st.frozensets(st.integers(0, len(case.graph.features) - 1))
    claims = [Claim(kind, members=data.draw(members)) for kind in (ClaimKind.AXP, ClaimKind.CXP) for _ in range(3)]
    certifier = ClaimCertifier(case.graph)
    with Panel(case.graph, solver_last=True) as judges:
        judge = judges.claims_at(case.instance)
        for claim in claims:
            for evidence in (True, False):
                judged = judge.judge(claim, evidence=evidence)
                line = certifier.line(case.instance, judged)
                assert line is not None
                assert_facts(case.graph, line)
                assert accepted(whole(certifier, line))
                (said,) = json.loads(line)["claims"]
                assert (said["features"], said["verdict"]) == (sorted(claim.members or ()), judged.verdict.value)


def test_families_and_other_claims_come_with_what_shows_them() -> None:
    model = embedded.load("hardware")
    graph, point = model.graph, model.instances[0]
    xps = list(enumerate_xps(explanation_graph(graph, point)))
    axps = tuple(xp.features for xp in xps if xp.kind is Kind.AXP)
    cxps = tuple(xp.features for xp in xps if xp.kind is Kind.CXP)
    with Panel(graph, solver_last=True) as judges:
        judge = judges.claims_at(point)

        def said(claim: Claim) -> list[tuple[str, str, list[int]]] | None:
            text = certificate_of_judged(graph, point, judge.judge(claim))
            if text is None:
                return None
            assert accepted(text)
            record = json.loads(body(text)[0])
            listed = [(c["kind"], c["verdict"], c["features"]) for c in record["claims"]]
            return [*listed, ("complete", "", [])] if "complete" in record else listed

        everything = said(Claim(ClaimKind.FAMILY, axps=axps, cxps=cxps))
        assert everything is not None
        assert len(everything) == len(xps) + 1
        assert everything[-1][0] == "complete"
        (lacking,) = said(Claim(ClaimKind.FAMILY, axps=axps[1:], cxps=cxps)) or [("", "", [])]
        assert (lacking[0], frozenset(lacking[2])) in [("AXp", axps[0]), *(("CXp", cxp) for cxp in cxps)]
        assert said(Claim(ClaimKind.FAMILY, axps=axps)) is None
        assert said(Claim(ClaimKind.CXP)) is not None
        assert said(Claim(ClaimKind.PREDICTION, class_index=0)) is None
        in_some = said(Claim(ClaimKind.MEMBERSHIP, feature=min(axps[0]), member=True))
        assert in_some is not None
        assert min(axps[0]) in in_some[0][2]
        outside = said(Claim(ClaimKind.AXP, members=axps[0], seed=frozenset()))
        assert outside == [("AXp", "AXp", sorted(axps[0]))]
    theory = Judged(Claim(ClaimKind.AXP, Notion.THEORY, frozenset()), Verdict.AXP, Evidence())
    assert certificate_of_judged(graph, point, theory) is None
    undecided = Judged(Claim(ClaimKind.AXP, members=frozenset()), Verdict.INCONCLUSIVE, Evidence())
    assert certificate_of_judged(graph, point, undecided) is None


def test_a_redundant_cxp_is_shown_by_a_point_that_changes_less() -> None:
    model = embedded.load("corral")
    instance = (True, True, False, False, False, False)
    witness = (False, False, *instance[2:])
    assert model.graph.kappa(instance) != model.graph.kappa(witness)
    claim = Claim(ClaimKind.CXP, members=frozenset((0, 1)))
    judged = Judged(claim, Verdict.REDUNDANT, Evidence(witness=witness, needless=frozenset((0, 1))))
    text = certificate_of_judged(model.graph, instance, judged)
    assert text is not None
    assert '"points":[[[1,0]]]' in text
    assert accepted(text)


def test_a_constant_class_is_certified_to_have_no_cxp() -> None:
    with Panel(CONSTANT, solver_last=True) as judges:
        judged = judges.claims_at((True,)).judge(Claim(ClaimKind.CXP))
    text = certificate_of_judged(CONSTANT, (True,), judged)
    assert text is not None
    assert accepted(text)
    assert json.loads(body(text)[0])["complete"] == {"method": "rup", "lines": [[]]}


def test_claims_over_conditions_are_certified_on_the_graph_over_them() -> None:
    model = embedded.load("wine")
    point = model.instances[0]
    with Panel(model.graph, solver_last=True) as judges:
        judge = judges.claims_at(point)
        frame = judge.frame(Notion.CONDITIONS)
        for kind in (ClaimKind.AXP, ClaimKind.CXP):
            everything = frozenset(range(len(frame.labels)))
            for members in (everything, frozenset()):
                judged = judge.judge(Claim(kind, Notion.CONDITIONS, members))
                text = certificate_of_judged(frame.space, frame.instance, judged)
                assert text is not None
                assert accepted(text)


# The tests can fail


@given(case=strategies.property_cases(12))
def test_a_false_line_is_found_out(case: Case) -> None:
    """The facts are looked at: without a node of a closed set, or with a point that is v, some fact fails."""
    line = Issuer(case.graph).line(case.instance).line
    record = json.loads(line)
    for item in record["closed"]:
        item["nodes"] = f"{int(item['nodes'], 16) & ~1:x}"
    assert not all(holds for _, holds in facts_of(case.graph, json.dumps(record)))
    record = json.loads(line)
    if record["points"]:
        record["points"][0] = []
        assert not all(holds for _, holds in facts_of(case.graph, json.dumps(record)))


def test_categories_are_written_by_name() -> None:
    domain = Categorical(("ä", "b"))
    literal = {value: read_literal(domain, [value]) for value in domain.values}
    nodes = {0: NonTerminal(0, ((1, literal["ä"]), (2, literal["b"]))), 1: Terminal(0), 2: Terminal(1)}
    graph: DecisionGraph = decision_graph("letters", [Feature("x", domain)], ["no", "yes"], nodes)
    text = certificate(graph, [("ä",)])
    assert '"instance":["ä"]' in text
    assert '"points":[[[0,"b"]]]' in text
    assert accepted(text)
