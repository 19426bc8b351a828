"""The checker on ensembles: its own reading of sums, what it accepts and what it refuses, against trying every point."""

from __future__ import annotations

import copy
import itertools
import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from naive_ensembles import EnsembleInstance, document, ensemble_certificate, settled, small_ensembles, totals, winners
from naive_issuer import certificate, header, raw_value
from published_schemas import fits_schema, validator

from xpgcheck.check_certificate import Ensemble, Refused, Work, check_boxes, check_lines, first_box
from xpgcheck.properties.strategies.points import draw_point

HALVES = [{"to": "l", "in": ["(-inf, 5/2]"]}, {"to": "r", "in": ["(5/2, inf)"]}]


def stump(name: str, feature: str, edges: list[Any], left: str, right: str, **more: Any) -> dict[str, Any]:
    ends = [{"id": "l", "class": left}, {"id": "r", "class": right}]
    return {"name": name, "root": "a", **more, "nodes": [{"id": "a", "feature": feature, "edges": edges}, *ends]}


# Three trees over a number and a Boolean; "yes" at (3, 1), for which both vote, and a constant against.
BITS = [{"to": "l", "in": [0]}, {"to": "r", "in": [1]}]
VOTES: dict[str, Any] = {
    "format": "ensemble",
    "version": 1,
    "name": "by hand",
    "features": [{"name": "x", "domain": {"type": "real"}}, {"name": "b", "domain": {"type": "boolean"}}],
    "classes": ["no", "yes"],
    "rule": {"type": "majority", "ties": "first class"},
    "trees": [
        stump("t0", "x", HALVES, "no", "yes"),
        stump("t1", "b", BITS, "no", "yes"),
        {"name": "t2", "root": 0, "nodes": [{"id": 0, "class": "no"}]},
    ],
}
# The same by weights: x adds -1/2 or 0.75, b 0 or 1; "yes" where the sum is over 1, that is where both are large.
WEIGHTS = {
    **VOTES,
    "rule": {"type": "sum", "base": [0], "threshold": {"at": 1, "inclusive": False}, "arithmetic": "binary32"},
    "trees": [
        stump("t0", "x", HALVES, "low", "high", answers={"low": ["-1/2"], "high": ["0.75"]}),
        stump("t1", "b", BITS, "0", "1", answers={"0": [0], "1": [1]}),
    ],
}
FAMILY: dict[str, Any] = {
    "instance": [3, 1],
    "class": "yes",
    "notion": "features",
    "closed": [{"fixed": [0, 1], "boxes": [-1]}],
    "points": [[[0, 0]], [[1, 0]]],
    "claims": [
        {"kind": "AXp", "features": [0, 1], "verdict": "AXp", "sufficient": 0, "needed": [0, 1]},
        {"kind": "CXp", "features": [0], "verdict": "CXp", "changes": 0, "needed": [0]},
        {"kind": "CXp", "features": [1], "verdict": "CXp", "changes": 1, "needed": [0]},
    ],
    "complete": {"method": "rup", "lines": [[]]},
}
# At (0, 1), "no": x alone suffices, and the boxes of b are cut, once more than need be.
CUT: dict[str, Any] = {
    "instance": [0, 1],
    "class": "no",
    "notion": "features",
    "closed": [{"fixed": [0], "boxes": [1, 1, -1, -1]}],
    "points": [[[0, 3]]],
    "claims": [{"kind": "AXp", "features": [0], "verdict": "AXp", "sufficient": 0, "needed": [0]}],
}


def test_the_schema_takes_ensembles() -> None:
    for line in (header("model", VOTES), header("model", WEIGHTS), FAMILY, CUT):
        fits_schema(line, "certificate")
    for closed in ({"fixed": [0]}, {"fixed": [0], "boxes": []}, {"fixed": [0], "boxes": [-2]}):
        assert not validator("certificate").is_valid({**CUT, "closed": [closed]})
    assert not validator("certificate").is_valid({**CUT, "closed": [{"fixed": [0], "boxes": [-1], "nodes": "1"}]})


def check(line: Any, model: Any = VOTES) -> tuple[int, str]:
    outcome = check_lines(certificate(header("model", model), [line]).splitlines(keepends=True))
    return outcome.status, outcome.message


@pytest.mark.parametrize("model", [VOTES, WEIGHTS], ids=["votes", "weights"])
def test_ensembles_by_hand_are_proved(model: Any) -> None:
    assert check(FAMILY, model) == (0, "proved: instances 1, complete 1, AXp 1, CXp 2")
    assert check(CUT, model) == (0, "proved: instances 1, AXp 1")


def test_the_example_of_the_document_is_proved() -> None:
    text = (Path(__file__).parents[2] / "docs" / "reference" / "certificates.md").read_text(encoding="utf-8")
    _, example = re.findall(r"```jsonl\n(.*?)```", text, re.DOTALL)
    assert check(json.loads(example)) == check(CUT)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda line: line["closed"][0].update(boxes=[]), "closed set 0: it breaks off"),
        (lambda line: line["closed"][0].update(boxes=[1, 1, -1]), "closed set 0: it breaks off"),
        (lambda line: line["closed"][0].update(boxes=[1, 1, -1, -1, -1]), "closed set 0: [4] comes after the end"),
        (lambda line: line["closed"][0].update(boxes=[1, 2, -1, -1]), "closed set 0: [0] does not cut its box"),
        (lambda line: line["closed"][0].update(boxes=[1, 0, -1, -1]), "closed set 0: [0] does not cut its box"),
        (lambda line: line["closed"][0].update(boxes=[1]), "closed set 0: [0] does not cut its box"),
        (lambda line: line["closed"][0].update(boxes=[0, 1, -1, -1]), "closed set 0: [0] does not cut its box"),
        (lambda line: line["closed"][0].update(boxes=[2, 1, -1, -1]), "closed set 0: [0] does not cut its box"),
        (lambda line: line["closed"][0].update(boxes=[-2, 1, -1, -1]), "closed set 0: [0] does not cut its box"),
        (lambda line: line["closed"][0].update(fixed=[]), "closed set 0: class 'yes' may win in it"),
        (lambda line: line["closed"][0].update(fixed=[1]), "closed set 0: [0] does not cut its box"),
        (lambda line: line["points"].append([[1, 0]]), "point 1: it has the class of the instance, 'no'"),
    ],
)
def test_what_is_not_proved_is_refused(change: Any, says: str) -> None:
    for model in (VOTES, WEIGHTS):
        line = copy.deepcopy(CUT)
        change(line)
        assert check(line, model) == (1, f"line 2: {says}")


def test_the_pools_are_those_of_the_kind_of_model() -> None:
    line = copy.deepcopy(CUT)
    line["closed"] = [{"fixed": [0], "nodes": "1"}]
    assert check(line)[0] == 2


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda m: m.update(trees=[]), "too many classes or trees"),
        (lambda m: m.update(classes=[]), "too many classes or trees"),
        (lambda m: m.update(classes=["yes", "yes"]), "called alike"),
        (lambda m: m["rule"].update(type="median"), "rule.type is not of the form"),
        (lambda m: m["rule"].update(type="majority"), "rule has fields that are unknown"),
        (lambda m: m["rule"].update(ties="first class"), "rule has fields that are unknown"),
        (lambda m: m["rule"].pop("arithmetic"), "missing: ['arithmetic']"),
        (lambda m: m["rule"].update(arithmetic="binary16"), "rule.arithmetic is not of the form"),
        (lambda m: m["rule"].update(base=[0, 0]), "number a score"),
        (lambda m: m["rule"].update(base=[]), "number a score"),
        (lambda m: m["rule"].update(base=["inf"]), "is not a number"),
        (lambda m: m["rule"].update(base=[10**38]), "its sums may overflow"),
        (lambda m: m["rule"].update(doubt=-1), "its doubt is negative"),
        (lambda m: m["rule"].update(doubt="nan"), "is not a number"),
        (lambda m: m["rule"]["threshold"].update(inclusive=0), "rule.threshold.inclusive is 0"),
        (lambda m: m["trees"][0].pop("answers"), "missing: ['answers']"),
        (lambda m: m["trees"][0]["answers"].pop("low"), "not declared"),
        (lambda m: m["trees"][0]["answers"].update(low=[0, 0]), "number a score"),
        (lambda m: m["trees"][0]["answers"].update(low=["1e5"]), "is not a number"),
        (lambda m: m["trees"][0]["answers"].update(low=[True]), "base or answers[1][0] is True"),
        (lambda m: m["trees"][0]["answers"].update({"n" * 201: [0]}), "answers[0][2] is not of the form"),
        (lambda m: m["trees"][0].update(answers={}), "classes: there are none"),
        (lambda m: m["trees"][0].update(answers=[]), "answers is []"),
        (lambda m: m["trees"][0]["answers"].update(low=[f"1/{3**790}"]), "too large a common denominator"),
        (lambda m: m["trees"][1].update(classes=["no", "yes"]), "fields that are unknown"),
        (lambda m: m["trees"][0]["nodes"][0].update(feature="y"), "not declared"),
    ],
)
def test_models_that_are_none_are_not_the_format(change: Any, says: str) -> None:
    model = copy.deepcopy(WEIGHTS)
    change(model)
    status, message = check(FAMILY, model)
    assert (status, says in message) == (2, True), message


# ------------------------------------------------------------------------------------- against trying every point


@given(st.data())
def test_classes_are_those_of_the_model_and_nothing_within_rounding_has_one(data: st.DataObject) -> None:
    model = data.draw(small_ensembles())
    mine = Ensemble(document(model))
    for _ in range(5):
        point = draw_point(data.draw, model)
        values = [domain.value(raw_value(item)) for domain, item in zip(mine.domains, point, strict=True)]
        found = winners(model, point)
        sums = mine.base
        for tree, rows in zip(mine.trees, mine.rows, strict=True):
            sums = [a + b for a, b in zip(sums, rows[tree.class_at(values, Work())], strict=True)]
        exact = totals(model, point)
        order = [(a > b) - (a < b) for a, b in itertools.combinations(exact, 2)]
        assert order == [(a > b) - (a < b) for a, b in itertools.combinations(sums, 2)]
        try:
            name = mine.class_at(values, Work())
        except Refused:
            assert len(found) > 1
            assert not model.is_settled(point)
        else:
            assert found == {model.classes.index(name)} == {model.kappa(point)}


@given(st.data(), st.sampled_from(["rup", "tree"]))
def test_certificates_of_random_ensembles_are_accepted(data: st.DataObject, method: str) -> None:
    model = data.draw(small_ensembles())
    instances = settled(model, [draw_point(data.draw, model)])
    if instances:
        outcome = check_lines(ensemble_certificate(model, instances, method).splitlines(keepends=True))
        assert outcome.status == 0, outcome.message


@given(st.data())
def test_what_boxes_prove_is_true_and_cells_prove_all_that_is_true(data: st.DataObject) -> None:
    """Whatever the cuts: what is accepted is true, whatever rounding does; cut into cells, all that is true is accepted."""
    model = data.draw(small_ensembles())
    v = draw_point(data.draw, model)
    if len(winners(model, v)) > 1:
        return
    instance, mine = EnsembleInstance(model, v), Ensemble(document(model))
    values = [domain.value(raw_value(item)) for domain, item in zip(mine.domains, v, strict=True)]
    everything = range(len(v))
    for fixed in map(frozenset, itertools.chain(*[itertools.combinations(everything, n) for n in range(len(v) + 1)])):
        cells = instance.closed(fixed)["boxes"]
        assert accepted(mine, values, fixed, instance.own, cells) == (fixed in instance.sufficient)
        drawn: list[int] = []
        pending = [first_box(mine, values, fixed)]
        while pending:
            box = pending.pop()
            cuts = [(i, k) for i, (low, high) in enumerate(box) for k in range(low + 1, high)]
            if not cuts or data.draw(st.integers(0, 3)) == 0 or len(drawn) > 30:
                drawn.append(-1)
                continue
            i, k = data.draw(st.sampled_from(cuts))
            drawn += [i, k]
            pending += [[*box[:i], (k, box[i][1]), *box[i + 1 :]], [*box[:i], (box[i][0], k), *box[i + 1 :]]]
        for rival in range(len(model.classes)):
            if accepted(mine, values, fixed, rival, drawn):
                assert rival == instance.own
                assert fixed in instance.sufficient


def accepted(mine: Ensemble, values: Any, fixed: frozenset[int], own: int, boxes: list[int]) -> bool:
    try:
        check_boxes(mine, first_box(mine, values, fixed), own, boxes, Work())
    except Refused:
        return False
    return True


@given(st.data())
def test_a_claim_that_is_wrong_has_no_certificate(data: st.DataObject) -> None:
    """Whatever evidence is put together: a set that is no AXp (CXp) by trying every point is not accepted as one."""
    model = data.draw(small_ensembles())
    v = draw_point(data.draw, model)
    if len(winners(model, v)) > 1:
        return
    instance = EnsembleInstance(model, v)
    subsets = [frozenset(s) for n in range(len(v) + 1) for s in itertools.combinations(range(len(v)), n)]
    features = data.draw(st.sampled_from(subsets))
    kind, right = data.draw(st.sampled_from([("AXp", instance.axps), ("CXp", instance.cxps)]))
    line = instance.line([data.draw(st.sampled_from(subsets)), *instance.sufficient], instance.others, [])
    if data.draw(st.booleans()):
        del line["closed"][0]
    name, pool, others = ("sufficient", "closed", "points") if kind == "AXp" else ("changes", "points", "closed")
    if not line[pool] or (features and not line[others]):
        return
    needed = [data.draw(st.integers(0, len(line[others]) - 1)) for _ in features]
    reference = data.draw(st.integers(0, len(line[pool]) - 1))
    line["claims"] = [{"kind": kind, "features": sorted(features), "verdict": kind, name: reference, "needed": needed}]
    status, _ = check(json.loads(json.dumps(line)), document(model))
    assert status == 1 or features in right


def test_the_slack_is_not_taken_from_the_certificate() -> None:
    """Only a machine knows about 0.1 + 0.2 against 0.3; where the sum is exact, or twice as large, everybody does."""
    model: dict[str, Any] = copy.deepcopy(WEIGHTS)
    model["rule"] = {
        "type": "sum",
        "base": [0],
        "threshold": {"at": tenth(3), "inclusive": False},
        "arithmetic": "binary64",
    }
    model["trees"][0]["answers"] = {"low": [tenth(1)], "high": [tenth(1)]}
    model["trees"][1]["answers"] = {"0": [tenth(2)], "1": [tenth(4)]}
    line: dict[str, Any] = {**CUT, "closed": [], "points": [], "claims": [], "class": "yes"}
    assert check({**line, "instance": [0, 1]}, model)[0] == 0
    status, message = check({**line, "instance": [0, 0]}, model)
    assert (status, "nearer to each other than rounding" in message) == (1, True)
    model["rule"]["arithmetic"] = "exact"
    assert check({**line, "instance": [0, 0]}, model)[0] == 0
    model["rule"]["doubt"] = "1/8"
    assert check({**line, "instance": [0, 0]}, model)[0] == 1


def tenth(n: int) -> str:
    numerator, denominator = (n / 10).as_integer_ratio()
    return f"{numerator}/{denominator}"
