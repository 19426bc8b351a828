"""Findings of a review of the gate, each as a test of its kind."""

from __future__ import annotations

import os
import shlex
import signal
import subprocess
import sys
import textwrap
import time
from contextlib import nullcontext
from pathlib import Path

import psutil
import pytest

from xpgcheck import embedded
from xpgcheck.claims.documents import case_document, parse_judged_case
from xpgcheck.errors import InputError
from xpgcheck.gate.inputs import Job
from xpgcheck.gate.plan import Cases, GatePlan, InProcess, opener
from xpgcheck.gate.run import gate
from xpgcheck.judging.claim import Claim, ClaimKind, FaultKind
from xpgcheck.judging.claim_judge import MAX_FAMILY
from xpgcheck.judging.judged import Evidence, Judged
from xpgcheck.judging.panel import Panel
from xpgcheck.judging.verdicts import Outcome, Verdict
from xpgcheck.properties.seeded.textbook import Textbook
from xpgcheck.subjects.limits import Limits

MODEL = embedded.load("hardware")


def judged(claim):
    with Panel(MODEL.graph) as judges:
        return judges.claims_at(MODEL.paper_instance).judge(claim)


class OpensTwice:
    """A subject that can be opened two times, and then no more."""

    def __init__(self):
        self.times = 0

    def __call__(self):
        self.times += 1
        if self.times > 2:
            raise InputError("the subject cannot be used: no licence is left")
        return nullcontext(Textbook())


def test_a_subject_that_does_not_start_again_loses_no_verdict(monkeypatch):
    monkeypatch.setattr("xpgcheck.gate.run.INSTANCES", 1)
    jobs = tuple(Job(MODEL.graph, (point,), "one") for point in MODEL.instances[:2])
    report = gate(GatePlan(OpensTwice(), Cases(0, 0, 12), jobs))
    assert report.counts["axp", "AXp"] == 1
    assert report.bad_count == 1
    assert "no licence is left" in report.bad[0]
    assert report.exit_status() == 2


def test_a_predicted_class_that_does_not_exist_is_a_wrong_prediction_also_when_replayed():
    for index in (99, -1):
        found = judged(Claim(ClaimKind.PREDICTION, class_index=index))
        assert found.verdict is Verdict.PREDICTION_MISMATCH
        text = case_document(MODEL.graph, MODEL.paper_instance, [found], subject="", origin="")
        [claim] = parse_judged_case(text.encode()).claims
        assert claim == found.claim


def test_the_stderr_of_a_finding_is_that_of_its_question(tmp_path, monkeypatch):
    (tmp_path / "chatters.py").write_text(
        textwrap.dedent(
            """
            import os, sys

            class Dies:
                name = "dies"

                def predict(self, graph, instance):
                    print("predict died here", file=sys.stderr)
                    sys.stderr.flush()
                    os._exit(1)

                def axp(self, graph, instance):
                    print("axp chatters", file=sys.stderr)
                    return range(len(instance))
            """
        )
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    job = Job(MODEL.graph, (MODEL.paper_instance,), "one")
    report = gate(GatePlan(opener("chatters:Dies", None, Limits()), Cases(0, 0, 12), (job,), seconds=60))
    stderr = {finding.about: finding.stderr for finding in report.findings}
    assert stderr["predict"].strip() == "predict died here"
    assert "chatters" not in stderr["predict"]


def test_the_way_an_answer_failed_has_no_numbers_of_the_case():
    ways = {
        Judged(
            Claim(ClaimKind.AXP, fault=FaultKind.MALFORMED, message=f"asked axp as question {n} it answers {n + 1}"),
            Verdict.MALFORMED,
            Evidence(),
        ).way
        for n in range(3)
    }
    assert len(ways) == 1


def test_a_family_that_is_too_large_to_compare_stays_open():
    many = tuple(frozenset({i % 4, (i // 4) % 4}) for i in range(16)) * MAX_FAMILY
    found = judged(Claim(ClaimKind.FAMILY, axps=tuple(dict.fromkeys(many)), cxps=(frozenset({0}),)))
    assert found.outcome is Outcome.VIOLATED
    sets = tuple(frozenset(i for i in range(13) if n >> i & 1) for n in range(1, MAX_FAMILY + 2))
    wide = embedded.load("wine")
    with Panel(wide.graph) as judges:
        found = judges.claims_at(wide.instances[0]).judge(Claim(ClaimKind.FAMILY, axps=sets, cxps=()))
    assert found.outcome is Outcome.INCONCLUSIVE


class ChangesTheGraph(Textbook):
    """Puts one class in the place of all others, so that whatever it says suffices."""

    name = "changes the graph"

    def axp(self, graph, instance):
        own = graph.kappa(instance)
        object.__setattr__(graph, "class_of", tuple(own if c >= 0 else c for c in graph.class_of))
        return ()


def test_a_subject_that_changes_the_graph_is_found_out_and_the_graph_is_put_back():
    job = Job(MODEL.graph, (MODEL.paper_instance,), "one")
    before = MODEL.graph.class_of
    report = gate(GatePlan(InProcess(ChangesTheGraph()), Cases(0, 0, 12), (job,)))
    assert MODEL.graph.class_of is before
    assert report.counts["axp", "malformed answer"] == 1
    assert report.counts["axp", "AXp"] == 0
    [finding] = [f for f in report.findings if f.about == "axp"]
    assert "class_of" in finding.text
    # Its later answers are judged on the graph as it is.
    assert report.counts["enumerate", "complete"] == 1


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs signals")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_whoever_is_told_to_end_ends_all_that_it_started(tmp_path, jobs):
    marker = f"hangs-{os.getpid()}-{jobs}"
    script = tmp_path / "hangs.py"
    script.write_text(
        textwrap.dedent(
            """
            import json, sys, time
            for line in sys.stdin:
                question = json.loads(line)
                if question["ask"] != "hello":
                    time.sleep(3600)
                print(json.dumps({"id": question["id"], "protocol": 1, "name": "hangs", "can": ["axp"]}), flush=True)
            """
        )
    )
    command = shlex.join([sys.executable, str(script), marker])
    words = [
        "gate",
        "--command",
        command,
        "--no-models",
        "--no-properties",
        "--timeout",
        "600",
        "--examples",
        "600",
        "--no-deck",
    ]
    code = "from xpgcheck.cli.entry import entry; entry()"
    running = subprocess.Popen(
        [sys.executable, "-c", code, *words, "--jobs", jobs],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=Path(__file__).parent,
    )
    try:
        until = time.monotonic() + 300
        # Itself and a subject a job, besides the one that was opened to see what it can do.
        while len(with_word(marker)) < 1 + int(jobs) and time.monotonic() < until:
            time.sleep(0.1)
        time.sleep(1)
        running.send_signal(signal.SIGTERM)
        assert running.wait(300) == 130
        until = time.monotonic() + 300
        while with_word(marker) and time.monotonic() < until:
            time.sleep(0.1)
        assert with_word(marker) == []
    finally:
        running.kill()
        for process in with_word(marker):
            process.kill()


def with_word(word):
    """Return the processes whose command line names *word*."""
    named = (p for p in psutil.process_iter(["cmdline", "status"]) if p.info["status"] != psutil.STATUS_ZOMBIE)
    return [p for p in named if any(word in part for part in p.info["cmdline"] or ())]
