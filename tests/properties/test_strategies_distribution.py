"""Frequencies of what comes up: floors, so that the generator cannot quietly become trivial."""

import itertools
from collections import Counter

import pytest
from hypothesis import Phase, event, given, settings

from xpgcheck.properties.running.search import visit
from xpgcheck.properties.strategies import labels, property_cases
from xpgcheck.xpg.choose import xp_masks
from xpgcheck.xpg.explanation_graph import explanation_graph

DRAWS = 900
RUNS = 3


def xp_labels(case):
    """Return what XPs a case has, as labels."""
    axps, cxps = xp_masks(explanation_graph(case.graph, case.instance))
    found = [f"AXps: {bucket(len(axps))}", f"CXps: {bucket(len(cxps))}"]
    if any(cxp.bit_count() > 1 for cxp in cxps):
        found.append("CXps: one of several features")
    if any(a & b for a, b in itertools.combinations(cxps, 2)):
        found.append("CXps: two that overlap")
    return found


def bucket(count):
    return str(count) if count < 3 else "3-5" if count < 6 else "6-"


@pytest.fixture(scope="module")
def shares():
    """Return the share of each label in per cent, and of some combinations of labels."""
    counts: Counter[str] = Counter()
    total = 0

    def look(case):
        nonlocal total
        total += 1
        found = (*labels(case.graph, case.instance), *xp_labels(case))
        assert len(set(found)) == len(found)
        counts.update(found)
        if "sharing: none" not in found:
            counts["sharing"] += 1
            counts["sharing and repetition"] += "repetition: yes" in found
        counts["non-terminals shared, and repetition"] += {
            "sharing: non-terminals",
            "repetition: yes",
        } <= set(found)
        counts["several AXps"] += not {"AXps: 0", "AXps: 1"} & set(found)
        counts["several CXps"] += not {"CXps: 0", "CXps: 1"} & set(found)
        counts["three classes or more"] += not {f"classes reached: {k}" for k in (1, 2)} & set(found)
        counts["depth of 3 or more"] += bool({"depth: 3-4", "depth: 5-8", "depth: 9-"} & set(found))
        counts["at most 3 non-terminals"] += bool({"non-terminals: 0", "non-terminals: 1-3"} & set(found))

    # Some runs of their own: within one, Hypothesis derives most examples from earlier ones.
    for run in range(RUNS):
        visit(property_cases(), look, DRAWS // RUNS, run)
    return {label: 100 * count / total for label, count in counts.items()}


@pytest.mark.parametrize(
    ("label", "least", "most"),
    [
        ("sharing", 25, 80),
        ("sharing: non-terminals", 12, 80),
        ("repetition: yes", 25, 80),
        ("sharing and repetition", 10, 80),
        ("non-terminals shared, and repetition", 5, 80),
        ("tree: yes", 15, 60),
        ("constant: yes", 2, 15),
        ("depth of 3 or more", 40, 90),
        ("three classes or more", 15, 60),
        ("at most 3 non-terminals", 20, 60),
        ("non-terminals: 7-12", 4, 80),
        ("domain: Boolean", 5, 80),
        ("domain: categorical", 5, 80),
        ("domain: integer, bounded", 5, 80),
        ("domain: integer, unbounded", 5, 80),
        ("domain: real", 5, 80),
        ("domain: float32", 5, 80),
        ("domain: float64", 5, 80),
        ("domain: missing value", 5, 80),
        ("domain: mixed", 20, 95),
        ("domain: one value", 3, 40),
        ("feature: never tested", 10, 80),
        ("node: wide", 3, 40),
        ("node: one child", 3, 30),
        ("terminals: several of one class", 20, 80),
        ("several AXps", 8, 80),
        ("several CXps", 25, 90),
        ("CXps: one of several features", 8, 80),
        ("CXps: two that overlap", 1.5, 80),
        ("instance: missing value", 0.5, 30),
    ],
)
def test_how_often(shares, label, least, most):
    assert least <= shares.get(label, 0) <= most


@settings(max_examples=50, database=None, phases=[Phase.generate])
@given(property_cases())
def test_statistics(case):
    """``pytest --hypothesis-show-statistics -k test_statistics`` shows the shares of one run."""
    for label in (*labels(case.graph, case.instance), *xp_labels(case)):
        event(label)
