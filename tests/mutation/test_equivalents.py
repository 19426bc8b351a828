"""The list of equivalent mutants speaks of lines that exist; whether they survive is for ``tox run -e mutation``."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from equivalents import listed, source_of

SCRIPT = Path(__file__).with_name("mutation_score.py")


def test_every_listed_line_exists():
    texts = {}
    for key, reason in listed().items():
        if key.module not in texts:
            lines = source_of(key.module).read_text(encoding="utf-8").splitlines()
            texts[key.module] = "\n".join(["", *(line.strip() for line in lines), ""])
        assert f"\n{key.original}\n" in texts[key.module], key.shown()
        assert key.original != key.mutated
        assert reason.endswith("."), key.shown()


@pytest.mark.slow
def test_the_score_fails_on_a_survivor_and_on_a_false_entry(tmp_path):
    pytest.importorskip("mutmut", reason="mutmut is not installed: tox run -e mutation")

    def run(text):
        (tmp_path / "list.toml").write_text(text, encoding="utf-8")
        options = ["trees", "--list", tmp_path / "list.toml", "--json", tmp_path / "score.json"]
        command = [sys.executable, SCRIPT, *options, "--function", "axps_by_dualization"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=900)
        return done.returncode, json.loads((tmp_path / "score.json").read_text(encoding="utf-8"))

    entries = Path(SCRIPT).with_name("equivalent.toml").read_text(encoding="utf-8")
    status, report = run(entries)
    assert (status, report["wrong"], report["all"]["surviving"]) == (0, [], 0)
    assert report["all"]["equivalent"] > 0

    status, report = run("")
    assert status == 1
    assert all(fault.startswith("survives and is not listed: trees.py:") for fault in report["wrong"])
    assert len(report["wrong"]) == report["all"]["surviving"] > 0

    killed = "module = 'trees'\nfunction = 'axps_by_dualization'\noriginal = 'if not sets:'\nmutated = 'if sets:'\n"
    status, report = run(f"{entries}\n[[mutant]]\n{killed}reason = 'Wrong.'\n")
    assert status == 1
    (fault,) = report["wrong"]
    assert fault.startswith("is listed as equivalent and was killed (failed): trees.py:")
