"""What comes up how often: floors, so that the generator cannot quietly become trivial."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings

from xpgcheck.properties.strategies import labels, property_cases

DRAWS = 900
RUNS = 3


@pytest.fixture(scope="module")
def shares():
    """Return the share of each label in per cent, and of some combinations of labels."""
    counts: Counter[str] = Counter()
    total = 0

    # Some runs of their own: within one, Hypothesis derives most examples from earlier ones.
    for run in range(RUNS):

        @seed(run)
        @settings(
            max_examples=DRAWS // RUNS,
            database=None,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(property_cases())
        def look(case):
            nonlocal total
            total += 1
            found = labels(case.graph, case.instance)
            assert len(set(found)) == len(found)
            counts.update(found)
            if "sharing: none" not in found:
                counts["sharing"] += 1
                counts["sharing and repetition"] += "repetition: yes" in found
            counts["non-terminals shared, and repetition"] += {
                "sharing: non-terminals",
                "repetition: yes",
            } <= set(found)
            counts["three classes or more"] += not {f"classes reached: {k}" for k in (1, 2)} & set(found)
            counts["depth of 3 or more"] += bool({"depth: 3-4", "depth: 5-8", "depth: 9-"} & set(found))
            counts["at most 3 non-terminals"] += bool({"non-terminals: 0", "non-terminals: 1-3"} & set(found))

        look()
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
        ("instance: missing value", 0.5, 30),
    ],
)
def test_how_often(shares, label, least, most):
    assert least <= shares.get(label, 0) <= most
