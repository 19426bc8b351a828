"""One size of :mod:`benchmarks.scale`, in a process of its own: ``python -m benchmarks.scale_point FAMILY SIZE``.

Prints a line of JSON for each piece of work when it is done, so that what was done before a limit stands.
"""

from __future__ import annotations

import json
import random
import resource
import sys
import time
from collections.abc import Callable

from benchmarks.explain import ladder, random_tree
from xpgcheck.certificates.canonical_texts import end_text
from xpgcheck.certificates.issuing import Issuer
from xpgcheck.check_certificate import check_lines
from xpgcheck.gate.check.cross_check import CheckSettings, cross_check
from xpgcheck.gate.inputs import Job
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.readers.json_model import parse_json
from xpgcheck.writers.json_model import model_json
from xpgcheck.xpg.choose import enumerate_xps
from xpgcheck.xpg.explanation_graph import explanation_graph
from xpgcheck.xpg.find_one import find_axp, find_cxp

XPS = 100
"""Explanations of a row that are enumerated, judged and certified."""

TREE_OF_FEATURES = 1_000
"""Leaves of the trees of the family that grows in its features."""


def model(family: str, size: int) -> bytes:
    """Return the JSON of the model of that *family* and about that *size* (nodes, or features)."""
    if family == "OBDDs":
        return ladder(size // 2)
    # Just deep enough for so many leaves at random places.
    leaves = TREE_OF_FEATURES if family == "features" else size // 2
    width = size if family == "features" else 64
    return model_json(random_tree(leaves, 8 + 2 * leaves.bit_length(), width=width)).encode()


def work(data: bytes) -> dict[str, Callable[[], object]]:
    """Return what is timed, in order; the first reads the model for the others."""
    found: list[DecisionGraph] = []

    def point() -> Point:
        dice = random.Random(1)
        return tuple(dice.choice(cells).representative() for cells in found[0].cells)

    def one() -> None:
        xpg = explanation_graph(found[0], point())
        find_axp(xpg)
        find_cxp(xpg)

    def certificate() -> None:
        issuer = Issuer(found[0], "rup", XPS)
        text = issuer.header() + issuer.line(point()).line + end_text(1)
        outcome = check_lines(text.encode().splitlines(keepends=True))
        if outcome.status:
            raise AssertionError(outcome.message)

    def check() -> None:
        (result,) = cross_check(Job(found[0], (point(),), "a random row"), range(1), CheckSettings(limit=XPS))
        if any(finding.outcome is Outcome.VIOLATED for finding in result.findings):
            raise AssertionError("an XP was called wrong")

    return {
        "read": lambda: found.append(parse_json(data)),
        "one AXp, one CXp": one,
        f"{XPS} XPs": lambda: list(enumerate_xps(explanation_graph(found[0], point()), XPS)),
        "check of a row": check,
        "certificate": certificate,
    }


def main(family: str, size: int) -> None:
    data = model(family, size)
    for name, run in work(data).items():
        started = time.process_time()
        run()
        seconds = time.process_time() - started
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps({"what": name, "seconds": seconds, "peak MiB": peak}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
