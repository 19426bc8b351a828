"""Claims as records and judged claims as documents: what is written is what is read back."""

from __future__ import annotations

import itertools
import random

import msgspec
import pytest

from xpgcheck import embedded
from xpgcheck.claims.documents import JudgedRecord, case_document, judged_document, parse_judged_case
from xpgcheck.claims.reading import ClaimReader, ClaimRecord, claim_record
from xpgcheck.errors import FormatError, InputError
from xpgcheck.judging.claim import OF_VALUES, Claim, ClaimKind, FaultKind, Notion
from xpgcheck.judging.panel import Panel
from xpgcheck.model.constraint import constraint_of_clauses
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.oracles.conditions import conditions_of

MODELS = ("omdd", "hardware", "corral", "iris", "breast_cancer")


def some_claims(graph: DecisionGraph, notion: Notion) -> list[Claim]:
    """Return claims of every kind, with newly drawn sets."""
    rng = random.Random(graph.name)
    count = len(graph.features) if notion.of_features else len(conditions_of(graph))

    def drawn() -> frozenset[int]:
        return frozenset(i for i in range(count) if rng.random() < 0.5)

    claims = [
        Claim(kind, notion, members, seed)
        for kind, members, seed in itertools.product(
            (ClaimKind.AXP, ClaimKind.CXP), (None, frozenset(), drawn(), drawn()), (None, frozenset(), drawn())
        )
        if members is not None or seed is None
    ]
    claims += [
        Claim(ClaimKind.FAMILY, notion, axps=axps, cxps=cxps)
        for axps, cxps in (((), None), (None, (drawn(),)), ((drawn(), drawn()), ()))
    ]
    claims += [
        Claim(ClaimKind.MEMBERSHIP, notion, feature=i, member=member) for i in range(count) for member in (False, True)
    ]
    claims += [Claim(ClaimKind.AXP, notion, fault=fault, message="m" * bool(fault.value)) for fault in FaultKind]
    if notion is Notion.FEATURES:
        boxes = [tuple((i, rng.choice(graph.cells[i])) for i in sorted(drawn())) for _ in range(3)]
        claims += [Claim(kind, box=box) for kind, box in itertools.product(OF_VALUES, boxes)]
    return claims + [Claim(ClaimKind.PREDICTION, notion, class_index=i) for i in range(len(graph.classes))]


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("notion", Notion)
def test_a_claim_and_back(model: str, notion: Notion) -> None:
    loaded = embedded.load(model)
    graph = loaded.graph
    if not notion.of_features and model in ("omdd", "hardware"):
        return  # Their tests are not two-way.
    reader = ClaimReader(graph)
    for claim in some_claims(graph, notion):
        for instance in loaded.instances[:: max(1, len(loaded.instances) // 3)]:
            record = msgspec.json.encode(claim_record(claim, graph, instance))
            assert reader.read(msgspec.json.decode(record, type=ClaimRecord), instance) == claim


def test_features_by_index_are_those_by_name() -> None:
    graph = embedded.load("omdd").graph
    reader, instance = ClaimReader(graph), (0, 0, 0)
    by_index = reader.read(ClaimRecord("AXp", features=[2, 0]), instance)
    assert by_index == reader.read(ClaimRecord("AXp", features=["x1", "x3"]), instance)
    assert by_index.members == frozenset((0, 2))


@pytest.mark.parametrize("model", ["omdd", "corral"])
def test_a_case_and_back(model: str) -> None:
    loaded = embedded.load(model)
    graph, instance = loaded.graph, loaded.instances[0]
    notions = [notion for notion in Notion if notion.of_features or model != "omdd"]
    # Points can occur whose first feature has the instance's value.
    own = (0, next(cell for cell in graph.cells[0] if instance[0] in cell))
    constraint = constraint_of_clauses(graph.features, [[own]])
    with Panel(graph, solver_last=True, constraint=constraint) as judges:
        judge = judges.claims_at(instance)
        judged = [judge.judge(claim) for notion in notions for claim in some_claims(graph, notion)]
    text = case_document(graph, instance, judged, subject="s", origin="o", stderr="e\n", constraint=constraint)
    case = parse_judged_case(text.encode())
    assert (case.graph, case.instance, case.constraint) == (graph, instance, constraint)
    assert (case.subject, case.origin, case.stderr) == ("s", "o", "e\n")
    assert case.claims == tuple(item.claim for item in judged)
    assert case.verdicts == tuple(item.verdict.value for item in judged)
    for item in judged:
        document = judged_document(item, graph, instance)
        assert msgspec.json.decode(msgspec.json.encode(document), type=JudgedRecord) == document
        assert document.outcome is item.outcome


def test_cases_that_are_none() -> None:
    graph = embedded.load("omdd").graph
    text = case_document(graph, (0, 0, 0), [], subject="", origin="")
    for data, said in (
        (b"{", "no judged case: "),
        (text.replace("judged-case", "other").encode(), "format 'other' version 1"),
        (text.replace('"version": 1', '"version": 9', 1).encode(), "version 9"),
        (text.encode().replace(b'"subject": ""', b'"subject": "\xff"'), "no judged case: "),
    ):
        with pytest.raises(FormatError, match=said):
            parse_judged_case(data)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"notion": "conditions"}, "an inflated AXp over conditions"),
        ({"values": msgspec.UNSET}, "an inflated AXp without 'values'"),
        ({"values": {"x9": [0]}}, "there is no feature 'x9'"),
        ({"values": {"x1": ["zz"]}}, "values of 'x1'"),
        ({"features": ["x1"]}, "'features' in a claim of kind inflated AXp"),
        ({"claim": "AXp", "features": ["x1"]}, "'values' in a claim of kind AXp"),
    ],
)
def test_sets_of_values_that_are_refused(change: dict[str, object], said: str) -> None:
    reader = ClaimReader(embedded.load("omdd").graph)
    record = ClaimRecord("inflated AXp", values={"x1": ["0"]})
    for field, value in change.items():
        setattr(record, field, value)
    with pytest.raises(InputError, match=said):
        reader.read(record, (0, 0, 0))
