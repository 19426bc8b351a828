"""Time of the main job: ``xpgcheck check`` on all embedded models."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from benchmarks.measure import Report, Target, median_and_max

METHOD = "Wall seconds of whole processes: python -m xpgcheck check --jobs 2 on all embedded models; seconds by model."

COLUMNS = ("what", "instances", "seconds", "max")


def run(repetitions: int = 3, models: tuple[str, ...] = ()) -> Report:
    """Run the check *repetitions* times."""
    report = Report("check", METHOD, COLUMNS)
    walls = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "report.json")
        command = [sys.executable, "-m", "xpgcheck", "check", *models, "--jobs", "2", "--json", str(file)]
        for _ in range(repetitions):
            started = time.perf_counter()
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            walls.append(time.perf_counter() - started)
        found = json.loads(file.read_text())["models"]
    median, most = median_and_max(walls)
    report.rows.append(("xpgcheck check, wall", sum(model["instances"] for model in found), median, most))
    seconds = Counter({model["name"]: model["seconds"] + model["oracle_seconds"] for model in found})
    counts = {model["name"]: model["instances"] for model in found}
    report.rows += [(name, counts[name], spent, None) for name, spent in seconds.most_common(6)]
    report.notes.append("by model: explaining and judging, the workers together, in the last run; the longest six")
    report.targets.append(Target("xpgcheck check on all embedded models, 2 jobs, median s", median, "<", 60))
    return report
