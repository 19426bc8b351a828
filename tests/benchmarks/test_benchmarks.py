"""The benchmarks run at tiny sizes and check their own answers; nothing here is timed."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

# The benchmarks are in the checkout alone; last on the path, so that an installed xpgcheck comes first.
sys.path.append(str(Path(__file__).parents[2]))

from benchmarks import __main__ as command
from benchmarks import compare, enumeration, large, measure, processes, scale, scale_point, smt, startup, traversal


def test_enumeration_compares_equal_families():
    pytest.importorskip("xpg.xpg", reason="the peer XpGraph is not installed")
    report = enumeration.run(sample=3, repetitions=1, models=["corral", "iris"])
    assert [row[0] for row in report.rows] == ["corral", "iris", "median"]
    assert all(len(row) == len(report.columns) for row in report.rows)


def test_smt_asks_the_same_questions_of_all_sides():
    report = smt.run(models=["mux6"], dags=[40], repetitions=1, max_xps=4)
    assert len(report.rows) == 3
    assert all(len(row) == len(report.columns) for row in report.rows)


def test_traversal_grows():
    report = traversal.run(largest=32_000, printed=6, repetitions=1)
    steps = [row[-1] for row in report.rows if row[0] == "as printed"]
    assert steps == [11, 47, 191]
    assert [row[2] for row in report.rows if row[0] == "ours"][-1] == 32_000


def test_startup_counts_imports_by_family():
    assert startup.import_times(["-m", "xpgcheck", "--help"])["click"] > 0


def test_each_piece_of_work_is_measured_in_a_process_of_its_own():
    report = scale.run(picture=None, sizes={"trees": (40,)})
    ((family, size, *seconds),) = report.rows
    assert (family, size, report.notes) == ("trees", 40, [])
    assert all(isinstance(each, float) for each in seconds)


@pytest.mark.parametrize("family", scale.SIZES)
def test_each_family_is_a_model_of_about_its_size(family):
    work = scale_point.work(scale_point.model(family, 100))
    assert tuple(work) == scale.WORK
    for run in work.values():
        run()


@pytest.mark.slow
def test_each_command_ends_as_it_should():
    report = processes.run(1, scale=100)
    assert len(report.rows) == 8
    assert all(seconds > 0 for _, seconds, _ in report.rows)


def test_a_command_that_ends_otherwise_is_no_figure(tmp_path):
    with pytest.raises(AssertionError, match="exit status 2"):
        processes.cpu_of(["explain", "no-such-model.json"], 0, str(tmp_path))


def test_a_family_ends_where_a_size_is_not_done(monkeypatch):
    monkeypatch.setattr(
        scale, "measured", lambda *_: ({"read": {"seconds": 1.0, "peak MiB": 30.0}}, "it took too long")
    )
    report = scale.run(picture=None, sizes={"trees": (40, 50)})
    assert report.rows == [["trees", 40, 1.0, None, None, None, None, 30.0]]
    assert report.notes == ["trees end at 40: it took too long"]


def test_large_is_skipped_without_its_data(monkeypatch):
    monkeypatch.delenv("XPGCHECK_DATA", raising=False)
    with pytest.raises(measure.SkippedError, match="XPGCHECK_DATA"):
        large.run()


def test_the_command_writes_json_and_skips_with_a_reason(monkeypatch, tmp_path):
    monkeypatch.delenv("XPGCHECK_DATA", raising=False)
    file = tmp_path / "figures.json"
    done = CliRunner().invoke(command.main, ["large", "--json", str(file)])
    assert done.exit_code == 0
    assert "skipped: XPGCHECK_DATA" in done.output
    (report,) = json.loads(file.read_text())["benchmarks"]
    assert report["skipped"]


def test_two_trees_side_by_side(tmp_path):
    for name, measured in (("before", 8.0), ("after", 2.0)):
        target = {"what": "a walk, s", "measured": measured, "relation": "<", "wanted": 4, "met": measured < 4}
        new = {"what": "a new thing", "measured": 0.5, "relation": "≥", "wanted": 1, "met": False}
        (tmp_path / name).mkdir()
        targets = [target] if name == "before" else [target, new]
        (tmp_path / name / "walk.json").write_text(json.dumps({"benchmarks": [{"targets": targets}]}))
    done = CliRunner().invoke(compare.main, [str(tmp_path / "before"), str(tmp_path / "after" / "walk.json")])
    assert done.output.splitlines()[2:] == [
        "| a walk, s | 8 | 2 | 0.25 | ≤ 4 | met |",
        "| a new thing |  | 0.5 |  | ≥ 1 | not met |",
    ]
