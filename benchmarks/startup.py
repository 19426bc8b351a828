"""Time that ``xpgcheck --help`` takes, and where the time to import goes."""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import time
from collections import Counter

from benchmarks.measure import Report, Target

METHOD = """\
Wall ms of whole processes, median (python -m xpgcheck --help, next to python -c pass); the import time by family of \
modules is what python -X importtime says of one of them, each module's own time."""

COLUMNS = ("what", "ms", "share")


def run(repetitions: int = 15) -> Report:
    """Start *repetitions* processes of each kind, in turn."""
    report = Report("startup", METHOD, COLUMNS)
    commands = {"python -c pass": ["-c", "pass"], "xpgcheck --help": ["-m", "xpgcheck", "--help"]}
    walls: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(repetitions):
        for name, arguments in commands.items():
            started = time.perf_counter()
            subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
            walls[name].append(1e3 * (time.perf_counter() - started))
    for name, values in walls.items():
        report.rows.append((name, statistics.median(values), None))
    report.targets.append(Target("xpgcheck --help, median ms", statistics.median(walls["xpgcheck --help"]), "<", 300))
    families = import_times(["-m", "xpgcheck", "--help"])
    total = sum(families.values())
    for family, microseconds in families.most_common(8):
        report.rows.append((f"import {family}", microseconds / 1e3, f"{100 * microseconds / total:.0f} %"))
    return report


def import_times(arguments: list[str]) -> Counter[str]:
    """Return the microseconds of importing by the first part of modules' names; the standard library is one family."""
    done = subprocess.run(
        [sys.executable, "-X", "importtime", *arguments], check=True, capture_output=True, text=True, encoding="utf-8"
    )
    families: Counter[str] = Counter()
    for own, name in re.findall(r"import time:\s*(\d+) \|\s*\d+ \|\s*(\S+)", done.stderr):
        family = name.split(".")[0]
        families["(standard library)" if family in sys.stdlib_module_names else family] += int(own)
    return families
