"""``xpgcheck verify``: claims judged a second, and the time and memory of a large claims file."""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.measure import Report, SkippedError, Target
from xpgcheck import embedded
from xpgcheck.claims.documents import instance_document
from xpgcheck.gate.verifying import Verification, verify
from xpgcheck.xpg.choose import xp_masks
from xpgcheck.xpg.explanation_graph import explanation_graph, features_of

METHOD = """\
Rate: CPU s of verify in this process, every claim another one, Z3 asked first, all evidence written: an AXp and a CXp of \
each instance, and each with a feature left out or one too many. Whole: python -m xpgcheck verify --output on a file of \
which one claim in 50 is new and the others are among the last 200; wall s and peak of the resident set."""

COLUMNS = ("what", "claims", "s", "claims/s", "MiB")

TREES = ("iris", "wine", "breast_cancer", "tic_tac_toe", "digits")


def run(instances: int = 60, large: int = 1_000_000) -> Report:
    """Judge claims of *instances* instances of each tree, and then a file of *large* claims."""
    report = Report("claims", METHOD, COLUMNS)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "claims.jsonl")
        claims = seconds = 0.0
        for name in TREES:
            count = _write(path, tree_claims(name, instances))
            spent = _judged(path, count)
            report.rows.append((name, count, spent, count / spent, None))
            claims, seconds = claims + count, seconds + spent
        report.targets.append(
            Target("claims judged a second on the embedded trees, Z3 first", claims / seconds, "≥", 200)
        )
        if large:
            count = _write(path, repeated(large))
            wall, peak = _whole(path, Path(folder, "judged.jsonl"))
            report.rows.append(("whole", count, wall, count / wall, peak))
            report.targets.append(Target(f"peak memory of verify on {count:,} claims, MiB", peak, "<", 300))
    return report


def tree_claims(name: str, instances: int) -> Iterator[dict[str, Any]]:
    """Yield right and wrong claims of some instances of the embedded model *name*."""
    rng = random.Random(name)
    loaded = embedded.load(name)
    graph = loaded.graph
    names = [feature.name for feature in graph.features]
    for point in rng.sample(loaded.instances, min(instances, len(loaded.instances))):
        families = xp_masks(explanation_graph(graph, point))
        assert families is not None
        base = {"model": name, "instance": instance_document(graph, point)}
        for kind, masks in zip(("AXp", "CXp"), families, strict=True):
            right = sorted(features_of(rng.choice(list(masks))))
            wrong = right[1:] if rng.random() < 0.5 else sorted({*right, rng.randrange(len(names))})
            for members in (right, wrong):
                yield {**base, "claim": kind, "features": [names[i] for i in members]}


def repeated(count: int) -> Iterator[dict[str, Any]]:
    """Yield *count* claims of iris: one in 50 of an instance of its own, the others of 200 in turn."""
    some = list(itertools.islice(tree_claims("iris", 100), 200))
    first = next(iter(some[0]["instance"]))
    for i in range(count):
        claim = {**some[i % len(some)], "id": i}
        if i % 50 == 0:
            claim["instance"] = {**claim["instance"], first: f"{4 + i / 10_000_000:.7f}"}
        yield claim


def _write(path: Path, claims: Iterator[dict[str, Any]]) -> int:
    count = 0
    with path.open("w") as file:
        for claim in claims:
            file.write(json.dumps(claim) + "\n")
            count += 1
    return count


def _judged(path: Path, count: int) -> float:
    with path.open("rb") as file:
        started = time.process_time()
        report, _ = verify(Verification("claims", full=True), file, write=lambda _: None)
        spent = time.process_time() - started
    if report.claims != count:
        raise SkippedError(f"{report.claims} of {count} claims were judged")
    return spent


def _whole(path: Path, out: Path) -> tuple[float, float]:
    """Return the wall seconds and the peak MiB of a process of its own."""
    command = [sys.executable, "-m", "xpgcheck", "verify", str(path), "--output", str(out), "--quiet"]
    started = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        raise SkippedError(f"xpgcheck verify left with status {process.returncode}")
    return wall, usage.ru_maxrss / 1024 if sys.platform != "darwin" else usage.ru_maxrss / 1024**2
