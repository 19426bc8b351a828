"""Plans: the units that they give, their digests, and what is asked for on a command line."""

from __future__ import annotations

import itertools
import json
from pathlib import Path
from typing import Any

import pytest
from campaign_units import plan_of

from xpgcheck.campaign.asked import UNIT, CampaignRequest, parse_asked, planned
from xpgcheck.campaign.models import job_of, model_files
from xpgcheck.campaign.part import WHOLE, Part, goal, parse_part
from xpgcheck.campaign.plan import Plan, parse_plan, require_same
from xpgcheck.campaign.units import Unit
from xpgcheck.embedded import load
from xpgcheck.errors import FormatError, InputError
from xpgcheck.gate.inputs import Selection
from xpgcheck.model.values import Point
from xpgcheck.writers.json_model import model_json


def models_of(*counts: int, **more: Any) -> list[dict[str, Any]]:
    return [
        {"name": f"m{i}.json", "path": f"/a/m{i}.json", "instances": None, "digest": str(i), "count": count, **more}
        for i, count in enumerate(counts)
    ]


def size(unit: Unit) -> int:
    arguments = unit.arguments
    return int(arguments["stop"] - arguments["start"] if "model" in arguments else arguments["examples"])


def test_units_cover_each_case_once() -> None:
    sizes = {"stretch": 2, "examples": 25, "unit": 10, "smt_every": 2}
    plan = Plan("gate", {"models": models_of(5, 0, 2), "seed": 7, **sizes})
    units = list(plan.units())
    assert [unit.id for unit in units] == list(range(len(units)))
    assert plan.count() == len(units) == 7
    assert plan.cases() == 32
    assert [unit.arguments for unit in units[:4]] == [
        {"model": 0, "start": 0, "stop": 2},
        {"model": 0, "start": 2, "stop": 4},
        {"model": 0, "start": 4, "stop": 5},
        {"model": 2, "start": 0, "stop": 2},
    ]
    assert [unit.arguments for unit in units[4:]] == [
        {"seed": 7, "examples": 10, "before": 0, "smt": False},
        {"seed": 7 + (1 << 40), "examples": 10, "before": 10, "smt": True},
        {"seed": 7 + (2 << 40), "examples": 5, "before": 20, "smt": False},
    ]
    assert {unit.kind for unit in units} == {"gate"}
    assert [size(unit) for unit in units] == [2, 2, 1, 2, 10, 10, 5]
    assert plan.model_units() == [2, 2, 1, 2]


def test_smt_properties_are_tried_in_one_of_so_many_units() -> None:
    units = plan_of(12, smt_every=4).units()
    assert [unit.id for unit in units if unit.arguments["smt"]] == [3, 7, 11]
    assert all(unit.arguments["smt"] for unit in plan_of(12).units())


@pytest.mark.parametrize("of", [2, 3, 11])
def test_parts_have_alike_many_units_with_smt(of: int) -> None:
    plan = plan_of(990, smt_every=11)
    parts = [[unit for unit in plan.units() if Part(number, of).has(unit.id, plan)] for number in range(1, of + 1)]
    with_smt = [sum(unit.arguments["smt"] for unit in part) for part in parts]
    assert sum(with_smt) == 90
    assert max(with_smt) - min(with_smt) <= 1


@pytest.mark.parametrize("smt_every", [1, 3])
@pytest.mark.parametrize("of", [1, 2, 3, 7, 40])
def test_parts_have_each_unit_once(of: int, smt_every: int) -> None:
    more = {"models": models_of(5, 3), "stretch": 2, "examples": 44, "smt_every": smt_every}
    plan = Plan("gate", plan_of(5).options | more)
    sizes = {unit.id: size(unit) for unit in plan.units()}
    parts = [Part(number, of) for number in range(1, of + 1)]
    assert sorted(unit for part in parts for unit in sizes if part.has(unit, plan)) == sorted(sizes)
    goals = [goal(plan, part, set()) for part in parts]
    assert [sum(column) for column in zip(*filter(None, goals), strict=True)] == [plan.count(), plan.cases()]
    for part in parts:
        assert parse_part(str(part)) == part
        # Units that are done outside of it count.
        others = {unit for unit in sizes if not part.has(unit, plan)}
        assert goal(plan, part, others) == (plan.count(), plan.cases())


def test_an_endless_plan_has_no_goal() -> None:
    assert goal(plan_of(None), WHOLE, set()) is goal(plan_of(None), Part(2, 3), {1}) is None


def test_an_endless_plan_goes_on() -> None:
    plan = plan_of(None)
    assert plan.count() is None
    assert plan.cases() is None
    assert [unit.id for unit in itertools.islice(plan.units(), 1_000)] == list(range(1_000))
    # It begins as the finite one.
    assert list(itertools.islice(plan.units(), 20)) == list(plan_of(20).units())


def test_a_plan_is_read_back() -> None:
    plan = Plan("check", {**plan_of(3).options, "models": models_of(5), "more": ["é", 1.5, None]})
    assert parse_plan(plan.text()) == plan
    assert parse_plan(plan.text()).digest == plan.digest


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "else"},
        {"kind": 3},
        {"more": 1},
        {"options": []},
        {"options": {"models": []}},
        {"options": {**plan_of().options, "stretch": 0}},
        {"options": {**plan_of().options, "unit": 0}},
        {"options": {**plan_of().options, "smt_every": 0}},
        {"options": {**plan_of().options, "examples": -1}},
        {"options": {**plan_of().options, "examples": "many"}},
        {"options": {**plan_of().options, "models": models_of(-1)}},
        {"options": {**plan_of().options, "models": models_of(10**11)}},
        {"options": {**plan_of().options, "models": [{"path": "x"}]}},
    ],
)
def test_what_is_no_plan_is_refused(change: dict[str, Any]) -> None:
    document = json.loads(plan_of().text()) | change
    with pytest.raises(FormatError):
        parse_plan(json.dumps(document))


def test_digests_tell_what_decides_the_results() -> None:
    plan = Plan("check", {**plan_of().options, "models": models_of(5)})
    moved = Plan("check", {**plan_of().options, "models": [{**models_of(5)[0], "path": "/elsewhere/m0.json"}]})
    assert moved.digest == plan.digest
    require_same(plan, moved)
    other = Plan("check", {**plan_of().options, "models": models_of(6)})
    assert other.digest != plan.digest
    with pytest.raises(InputError, match=r"models \(other files\)"):
        require_same(plan, other)
    assert Plan("gate", plan.options).digest != plan.digest
    with pytest.raises(InputError, match="of check, not of gate"):
        require_same(plan, Plan("gate", plan.options))


def test_the_version_decides_too(monkeypatch: pytest.MonkeyPatch) -> None:
    before = plan_of().digest
    monkeypatch.setattr("xpgcheck.campaign.plan.__version__", "9.9.9")
    assert plan_of().digest != before


def test_options_that_differ_are_named_up_to_some() -> None:
    more = dict.fromkeys("abcdef", 0)
    with pytest.raises(InputError, match=r"a \(1, was 0\), b \(.*, d \(1, was 0\), …; leave options out"):
        require_same(plan_of(**more), plan_of(**dict.fromkeys("abcdef", 1)))
    with pytest.raises(InputError, match=r"properties \(one, two, was none\)"):
        require_same(plan_of(properties=[]), plan_of(properties=["one", "two"]))


# What is asked for


def test_properties_are_asked_for() -> None:
    plan = planned(CampaignRequest(1_000, size=9, seed=3, properties=("soundness",), smt=False))
    assert plan.kind == "properties"
    assert plan.options["subject"] == "ours"
    assert "an_axp_suffices" in plan.options["properties"]
    assert (plan.count(), plan.cases()) == (1_000 // UNIT, 1_000)
    assert (plan.options["size"], plan.options["seed"], plan.options["timeout"]) == (9, 3, 10.0)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (CampaignRequest(10, gate="ours", command="x"), "both name a subject"),
        (CampaignRequest(10, instances="rows"), "--instances needs --models"),
        (CampaignRequest(10, gate="ours", subject="ours"), "--subject is for properties"),
        (CampaignRequest(0, models="models", subject="ours"), "--subject is for properties"),
        (CampaignRequest(10, models="models"), "without properties and generated cases"),
        (CampaignRequest(0, models="models", properties=("soundness",)), "without properties and generated cases"),
        (CampaignRequest(0), "nothing to do"),
        (CampaignRequest(10, subject="nobody"), "no subject is called"),
        (CampaignRequest(10, properties=("nothing",)), "no property is called"),
        (CampaignRequest(10, subject="oracle:z3-ite", properties=("an_axp_suffices",)), "says anything of the subject"),
        (CampaignRequest(0, models="no-such-folder"), "no-such-folder: no folder that can be read"),
        (CampaignRequest(0, models="no-such-folder", solvers=("minisat",)), "no-such-folder|minisat"),
        (CampaignRequest(10, command="no-such-program-at-all"), "no-such-program-at-all"),
    ],
)
def test_what_cannot_be_is_one_line(asked: CampaignRequest, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        planned(asked)
    assert "\n" not in str(caught.value)


def test_what_was_asked_for_is_read_back() -> None:
    asked = CampaignRequest(None, properties=("soundness", "duality"), smt=False, timeout=2.5)
    assert parse_asked(asked.text()) == asked
    for text in (None, "", "{}x", "[]", '{"examples": "x"}'):
        with pytest.raises(FormatError, match="does not say what was asked"):
            parse_asked(text)


# Files of models


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two models, one of them with a file of instances."""
    models, rows = tmp_path / "models", tmp_path / "rows"
    models.mkdir(), rows.mkdir()
    model = load("monk1")
    for name in ("first", "second"):
        (models / f"{name}.json").write_text(model_json(model.graph))
        (rows / f"{name}.csv").write_text(_csv(model.graph, model.instances[:3]))
    (models / ".hidden").write_text("not a model")
    return tmp_path


def _csv(graph: Any, points: tuple[Point, ...]) -> str:
    from xpgcheck.model.value_sets import value_text

    lines = [",".join(feature.name for feature in graph.features)]
    return "\n".join([*lines, *(",".join(map(value_text, point)) for point in points)]) + "\n"


def test_models_are_found_with_their_instances(folder: Path) -> None:
    files = model_files(folder / "models", Selection(folder / "rows", sample=5), domains=True)
    assert [entry["name"] for entry in files] == ["first.json", "second.json"]
    assert [entry["count"] for entry in files] == [3, 3]
    assert len(job_of(files[0]).points) == 3
    sampled = model_files(folder / "models", Selection(sample=2), domains=True)
    assert [entry["count"] for entry in sampled] == [2, 2]
    assert job_of(sampled[0]).points == job_of(sampled[1]).points


def test_one_model_may_be_named(folder: Path) -> None:
    files = model_files(
        folder / "models" / "second.json", Selection(folder / "rows" / "first.csv", sample=5), domains=True
    )
    assert [(entry["name"], entry["count"]) for entry in files] == [("second.json", 3)]


def test_files_that_changed_are_refused(folder: Path) -> None:
    (files, _) = model_files(folder / "models", Selection(folder / "rows", sample=5), domains=True)
    (folder / "rows" / "first.csv").write_text((folder / "rows" / "first.csv").read_text().rpartition("\n")[0][:-8])
    with pytest.raises(InputError, match="have changed since the campaign began"):
        job_of({**files, "seed": 99})
    (folder / "rows" / "first.csv").unlink()
    with pytest.raises(InputError, match="cannot be read"):
        job_of({**files, "seed": 98})


def test_what_is_no_folder_of_models_is_said(folder: Path) -> None:
    (folder / "empty").mkdir()
    with pytest.raises(InputError, match="there is no model in this folder"):
        model_files(folder / "empty", Selection(sample=5), domains=True)
    (folder / "rows" / "second.csv").unlink()
    with pytest.raises(InputError, match=r"second.csv: there is no such file of instances"):
        model_files(folder / "models", Selection(folder / "rows", sample=5), domains=True)
    (folder / "models" / "third.json").write_text("{")
    with pytest.raises(InputError, match=r"third.json"):
        model_files(folder / "models", Selection(sample=5), domains=True)
