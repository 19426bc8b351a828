"""The fixture ``xpg_gate``, run by pytest's own ``pytester`` on small test files."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from small_forests import document, stump

# Loaded here, since pytester forgets after each run what was first imported in it, and none of this is loaded twice.
from xpgcheck.gate import run
from xpgcheck.properties import catalogue
from xpgcheck.properties.seeded import ensemble_textbook, textbook

assert run
assert textbook
assert ensemble_textbook
assert catalogue.all_properties()

TESTS = """
import sys

import pytest
from xpgcheck.properties.seeded.textbook import Textbook


class Greedy(Textbook):
    '''A CXp that is not minimal.'''

    name = "greedy"

    def cxp(self, graph, instance):
        found = super().cxp(graph, instance)
        return None if found is None else range(len(instance))


def test_right(xpg_gate):
    report = xpg_gate.check(Textbook())
    assert report.claims > 50


def test_wrong(xpg_gate):
    xpg_gate.check(Greedy())


def test_model(xpg_gate):
    report = xpg_gate.check(Textbook(), models=["hardware"], sample=3)
    assert report.cases["of model hardware"] == 3


def test_a_process_of_its_own(xpg_gate):
    xpg_gate.check("textbook")


def test_a_command(xpg_gate):
    xpg_gate.check(command=f"{sys.executable} -m xpgcheck.subjects.serve textbook")


def test_a_class(xpg_gate):
    xpg_gate.check(Textbook)


def test_nothing(xpg_gate):
    xpg_gate.check()


def test_a_wrong_name(xpg_gate):
    xpg_gate.check("nowhere:Explainer")


def test_a_wrong_model(xpg_gate):
    xpg_gate.check(Textbook(), models=["nowhere"])


def test_forests(xpg_gate, tmp_path):
    path = tmp_path / "forest.json"
    path.write_text(FOREST)
    report = xpg_gate.check(EnsembleTextbook(), models=[str(path)])
    assert report.cases["generated"] == 12
    assert report.cases["of model small"] == 8


def test_a_forest_for_whom_takes_none(xpg_gate, tmp_path):
    path = tmp_path / "forest.json"
    path.write_text(FOREST)
    xpg_gate.check(Textbook(), models=[str(path)])
"""

TESTS = TESTS.replace(
    "\n\nclass Greedy",
    "from xpgcheck.properties.seeded.ensemble_textbook import EnsembleTextbook\n\n"
    f"FOREST = {json.dumps(document(stump(0), stump(1), stump(2)))!r}\n\nclass Greedy",
    1,
)


@pytest.fixture
def result(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("XPGCHECK_PROFILE", raising=False)
    # The summary is cut where CI is not set.
    monkeypatch.setenv("CI", "true")
    pytester.makepyfile(test_mine=TESTS)

    def tried(*words: str) -> pytest.RunResult:
        return pytester.runpytest_inprocess("-p", "no:cacheprovider", "--xpgcheck-examples=12", *words)

    return tried


def test_a_right_explainer_passes_and_a_wrong_one_fails_with_the_report(result):
    found = result("-k", "right or wrong and not name and not model")
    found.assert_outcomes(passed=1, failed=1)
    text = found.stdout.str()
    summary = next(line for line in text.splitlines() if line.startswith("FAILED"))
    again = "pytest test_mine.py::test_wrong --xpgcheck-profile=dev --xpgcheck-examples=12 --xpgcheck-seed=0"
    assert re.search(rf" - Failed: cxp: redundant \(\d+ times\); .*again: {again} --xpgcheck-size=12$", summary), (
        summary
    )
    assert f"\nagain: {again}" in text
    assert "is right" in text
    assert "VIOLATED: " in text
    assert "Traceback" not in text


def test_models_processes_and_programs_are_judged(result):
    result("-k", "test_model or process or command").assert_outcomes(passed=3)


def test_an_explainer_of_ensembles_is_judged_on_these(result):
    found = result("-k", "forest")
    found.assert_outcomes(passed=1, failed=1)
    assert "textbook takes no ensembles that vote, and 'small' is one; leave that --model out" in found.stdout.str()


def test_misuse_is_one_line(result):
    found = result("-k", "class or nothing or wrong_name or wrong_model")
    found.assert_outcomes(failed=4)
    text = found.stdout.str()
    for said in ("call it: check(Textbook())", "give one of them", "No module named 'nowhere'", "nowhere"):
        assert said in text
    assert "Traceback" not in text


def test_findings_are_kept_for_later_runs(result, pytester):
    result("-k", "test_wrong and not name and not model", "--xpgcheck-record", "--xpgcheck-corpus=kept")
    [case] = Path(pytester.path, "kept").glob("*.json")
    assert case.name.startswith("cxp-redundant")
    found = result("-k", "test_wrong and not name and not model", "--xpgcheck-corpus=kept", "--xpgcheck-examples=0")
    found.assert_outcomes(failed=1)
    assert f"kept in {case.name}" in found.stdout.str()


def test_loading_the_plugin_imports_nothing_heavy():
    import subprocess

    code = (
        "import sys, xpgcheck.gate.pytest_fixture\n"
        "heavy = {'hypothesis', 'z3', 'pysmt', 'pysat', 'rich', 'msgspec', 'psutil', 'jinja2'} & set(sys.modules)\n"
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=900)
