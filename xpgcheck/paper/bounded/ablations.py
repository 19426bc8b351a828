"""The laws without assumption (i) and without (ii), on every graph of a size that is left then.

Exactly the laws named here go on holding; each of the others fails on some graph.
"""

from __future__ import annotations

from xpgcheck.paper.bounded.generation import Assumed

HOLDS: dict[Assumed, frozenset[str]] = {
    Assumed.WITHOUT_I: frozenset({"monotone", "duality", "same features"}),
    Assumed.WITHOUT_II: frozenset({"one terminal", "σ is sound", "monotone", "duality", "same features", "every cell"}),
}
"""Properties that need no assumption.

σ is monotone on every explanation graph, and AXps and CXps of a monotone function are dual.  Without (ii) σ takes
paths that no point takes, so σ(s) = 1 still suffices for the prediction: closed sets are sound for every graph.
"""


def as_stated(assumed: Assumed, asked: dict[str, int], failed: dict[str, int]) -> list[str]:
    """Return what differs from ``HOLDS``, in words, given how often each law was asked and failed."""
    wrong = []
    for law, count in asked.items():
        if count and bool(failed[law]) == (law in HOLDS[assumed]):
            fails = f"fails on {failed[law]} of {count} cases" if failed[law] else f"fails on none of {count} cases"
            wrong.append(f"{assumed.value}, the law {law!r} {fails}")
    return wrong
