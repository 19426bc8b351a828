"""Claims on file are judged in constant memory: measured on a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from xpgcheck import embedded
from xpgcheck.claims.documents import instance_document
from xpgcheck.claims.verification import LastUsed

MAX_MIB = 300

SCRIPT = """
import re, resource, sys
from pathlib import Path
from xpgcheck.gate.verifying import Verification, verify
with open(sys.argv[1], "rb") as file:
    report, _ = verify(Verification("claims", full=True), file, write=lambda data: None)
# On Linux getrusage tells the parent's peak, where that was the larger one.
status = Path("/proc/self/status")
peak = re.search(r"VmHWM:\\s*([0-9]+) kB", status.read_text()) if status.exists() else None
print(report.claims, peak[1] if peak else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def rss_mib(path: Path, count: int) -> float:
    """Return the peak of a process that judges the claims in *path*."""
    done = subprocess.run([sys.executable, "-c", SCRIPT, str(path)], check=True, capture_output=True, text=True)
    claims, peak = map(int, done.stdout.split())
    assert claims == count
    return peak / 1024 if sys.platform != "darwin" else peak / 1024**2


def write_claims(path: Path, count: int) -> None:
    """Write *count* claims of iris, each of an instance of its own."""
    loaded = embedded.load("iris")
    names = [feature.name for feature in loaded.graph.features]
    with path.open("w") as file:
        for i in range(count):
            instance = instance_document(loaded.graph, loaded.instances[i % len(loaded.instances)])
            instance[names[0]] = f"{4 + i / 10_000:.4f}"
            claim = {"model": "iris", "instance": instance, "claim": "AXp", "features": names[i % 4 :], "id": i}
            file.write(json.dumps(claim) + "\n")


@pytest.mark.slow
def test_memory_does_not_grow_with_the_claims(tmp_path: Path) -> None:
    path = tmp_path / "claims.jsonl"
    write_claims(path, 600)
    few = rss_mib(path, 600)
    write_claims(path, 4_000)
    many = rss_mib(path, 4_000)
    assert many < MAX_MIB
    # It grows by 1.5 MiB; were all judges and verdicts kept, by 14.
    assert many < few + 7, "what is kept is kept for a few instances only"


def test_only_the_last_used_are_kept() -> None:
    kept: LastUsed[str, int] = LastUsed(2)
    assert kept.put("a", 1) is None
    assert kept.put("b", 2) is None
    assert kept.get("a") == 1
    assert kept.put("c", 3) == 2, "b was used before a"
    assert (kept.get("b"), sorted(kept.all())) == (None, [1, 3])
    kept.drop("a")
    kept.drop("a")
    assert kept.all() == [3]
    kept.clear()
    assert kept.all() == []
