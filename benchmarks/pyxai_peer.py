"""PyXAI's reasons of the forests of the public corpus, next to ours on the same rows: run where ``pyxai`` is installed."""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import statistics
import time
from collections.abc import Callable
from importlib import util
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.forests_explain import Timed, timed_xps
from benchmarks.measure import Report, SkippedError, Target
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.readers import read_classifier
from xpgcheck.readers.instances import read_point
from xpgcheck.subjects.adapters.pyxai import elsewhere

METHOD = """\
PyXAI 2.0.1 and the explainer of ensembles on the same rows of the same forests of 50 trees, in one process: CPU time with \
that of its children. PyXAI: initialize, then sufficient_reason (AXp) and minimal_contrastive_reason (CXp), over \
conditions, as it defines them; a CXp is stopped after some seconds, which then count. Ours: an AXp and a CXp over \
features, minimal by Eq. 1 and Eq. 2."""

COLUMNS = ("forest", "rows", "AXp ms", "PyXAI ms", "ratio", "CXp ms", "PyXAI ms", "ratio", "PyXAI stopped")

FORESTS = ("29_Pima", "33_skin", "heart-c", "mofn-3-7-10", "sonar", "xd6")

STOP = 20
"""Seconds after which PyXAI stops the search for a smallest contrastive reason."""


class PeerTimes(NamedTuple):
    """Milliseconds of the reasons of PyXAI, and how many were stopped."""

    axps: list[float]
    cxps: list[float]
    stopped: int


def run(data: str | None = None, forests: tuple[str, ...] = FORESTS, rows: int = 5) -> Report:
    """Compare on *rows* rows of each of *forests* in the folder *data*, else in ``XPGCHECK_DATA``."""
    folder = Path(data or os.environ.get("XPGCHECK_DATA", ""), "forests")
    if not folder.is_dir():
        raise SkippedError("XPGCHECK_DATA does not name the folder of research data")
    if util.find_spec("pyxai") is None:
        raise SkippedError("pyxai is not installed here")
    report = Report("pyxai_peer", METHOD, COLUMNS)
    own: list[Timed] = []
    peer: list[PeerTimes] = []
    for name in forests:
        ensemble = read_classifier(folder / f"{name}.50.json")
        assert isinstance(ensemble, Ensemble)
        with (folder / f"{name}.50.axp.jsonl").open() as file:
            instances = [json.loads(line)["instance"] for line in file]
        chosen = random.Random(0).sample(instances, rows)
        own.append(timed_xps(ensemble, [read_point(ensemble.features, each) for each in chosen], clock=cpu))
        document = json.loads((folder / f"{name}.50.json").read_text(encoding="utf-8"))
        peer.append(_reasons(document, [[float(value) for value in each] for each in chosen]))
        pairs = (own[-1].axps, peer[-1].axps), (own[-1].cxps, peer[-1].cxps)
        cells = [cell for ours, theirs in pairs for cell in _compared(ours, theirs)]
        report.rows.append((name, rows, *cells, peer[-1].stopped))
    for kind, wanted in (("axps", 20), ("cxps", 100)):
        ours, theirs = (sum(sum(getattr(times, kind)) for times in all_times) for all_times in (own, peer))
        report.targets.append(Target(f"{kind}: times as fast, all rows together", theirs / ours, "≥", wanted))
    return report


def _compared(ours: list[float], theirs: list[float]) -> tuple[float, float, float]:
    mine, peer = statistics.mean(ours), statistics.mean(theirs)
    return mine, peer, peer / mine


def _reasons(document: dict[str, Any], rows: list[list[float]]) -> PeerTimes:
    """Return what PyXAI takes for the reasons of *rows*."""
    from pyxai import Builder, Explaining, Tools

    Tools.set_verbose(0)
    features = len(document["features"])
    trees = [Builder.DecisionTree(features, _node(Builder, tree)) for tree in document["trees"]]
    forest = Builder.RandomForest(trees, n_classes=len(document["classes"]))
    axps, cxps, stopped = [], [], 0
    with elsewhere():
        for row in rows:
            started = cpu()
            explainer = Explaining.initialize(forest, instance=row)
            opened = cpu() - started
            axps.append(1e3 * opened + _milliseconds(explainer.sufficient_reason))
            cxps.append(1e3 * opened + _milliseconds(lambda e=explainer: e.minimal_contrastive_reason(time_limit=STOP)))
            stopped += cxps[-1] >= 1e3 * STOP
    return PeerTimes(axps, cxps, stopped)


def cpu() -> float:
    """Return the seconds of CPU time of this process and of the children that it waited for."""
    import resource

    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _milliseconds(work: Callable[[], object]) -> float:
    started = cpu()
    with contextlib.redirect_stdout(io.StringIO()):
        work()
    return 1e3 * (cpu() - started)


def _node(builder: Any, tree: dict[str, Any]) -> Any:
    """Return a node of a source tree; one that is a leaf at the root is made one."""
    if "class" in tree:
        return int(tree["class"])
    return builder.DecisionNode(
        tree["feature"] + 1,
        operator="GT",
        threshold=float(tree["at_most"]),
        left=_node(builder, tree["yes"]),
        right=_node(builder, tree["no"]),
    )
