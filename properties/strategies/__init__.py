"""Hypothesis strategies: decision graphs of every kind, valid by construction, and what goes with them.

:func:`graphs` and :func:`trees`, :func:`points` and :func:`cases`, :func:`property_cases` with dice; seeds for the paper's
Algorithms 2 and 3; sources that break one rule of the definition, and graphs that break one assumption; labels of what came.
"""

from xpgcheck.properties.strategies.atoms import Atoms, domains
from xpgcheck.properties.strategies.growing import GraphSource
from xpgcheck.properties.strategies.invalid import (
    INVALID,
    invalid_sources,
    lawless_cases,
    lawless_graphs,
)
from xpgcheck.properties.strategies.kinds import DEFAULT_SIZE, KINDS, MAX_SIZE, graphs, sources, trees
from xpgcheck.properties.strategies.labels import labels
from xpgcheck.properties.strategies.points import cases, points, property_cases
from xpgcheck.properties.strategies.seeds import changes, weak_axp_seeds, weak_cxp_seeds

__all__ = [
    "DEFAULT_SIZE",
    "INVALID",
    "KINDS",
    "MAX_SIZE",
    "Atoms",
    "GraphSource",
    "cases",
    "changes",
    "domains",
    "graphs",
    "invalid_sources",
    "labels",
    "lawless_cases",
    "lawless_graphs",
    "points",
    "property_cases",
    "sources",
    "trees",
    "weak_axp_seeds",
    "weak_cxp_seeds",
]
