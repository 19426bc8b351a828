"""Explanation graphs of any labels: DAGs whose 1-path may end anywhere, read-many, with useless and equal parts."""

import random

from xpgcheck.xpg.explanation_graph import ExplanationGraph
from xpgcheck.xpg.traversal import reaches_zero


def random_graph(rng, most=14):
    """A DAG of any labels whose 1-path may end anywhere, with children that are there twice, useless or unreached."""
    m, inner = rng.randint(1, 5), rng.randint(1, most)
    one, zeros = [], []
    for k in range(inner):
        near = [*range(k + 1, min(k + 5, inner)), inner, inner + 1]
        one.append(rng.choice([-1, *near, *near]))
        zeros.append(tuple(rng.choice(near) for _ in range(rng.choice((0, 1, 1, 1, 2, 3)))))
    variable_of = (*[rng.randrange(m) for _ in range(inner)], -1, -1)
    names = tuple(f"s{i}" for i in range(m))
    return ExplanationGraph(names, variable_of, (*one, -1, -1), (*zeros, (), ()), bytes(inner) + b"\0\1")


CORPUS = [random_graph(random.Random(seed)) for seed in range(600)]


def weak_cxps(xpg):
    return [free for free in range(1 << len(xpg.variables)) if reaches_zero(xpg, free)]
