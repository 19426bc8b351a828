"""Tree XpGs: all CXps in polynomial time (Proposition 6), and AXps from them by hitting-set dualization.

Each path to a terminal labelled 0 contributes at most one candidate: the variables of its 0-edges.  The CXps are the
subset-minimal candidates.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from xpgcheck.errors import InputError
from xpgcheck.xpg.explanation_graph import ExplanationGraph, features_of, mask_of
from xpgcheck.xpg.families import minimal


@dataclass(slots=True)
class Steps:
    """A counter of elementary steps: nodes visited and pairs of sets compared."""

    visited: int = 0
    compared: int = 0


class NotATreeError(InputError):
    """The XpG is not a tree XpG."""


def tree_cxps(xpg: ExplanationGraph, steps: Steps | None = None) -> list[frozenset[int]]:
    """Return all CXps of a tree XpG (Proposition 6), smallest first; an empty list if the classifier is constant.

    At most one a terminal labelled 0.  O(nodes + L²) for L such terminals, counted in *steps*.  Raises ``NotATreeError``.
    """
    if not xpg.is_tree():
        raise NotATreeError("this explanation graph is not a tree", mend="enumerate it by Algorithm 4")
    candidates = []
    stack = [(0, 0)]
    while stack:
        node, freed = stack.pop()
        if steps is not None:
            steps.visited += 1
        variable = xpg.variable_of[node]
        if variable < 0:
            if xpg.is_zero[node]:
                candidates.append(freed)
            continue
        if xpg.one_child[node] >= 0:
            stack.append((xpg.one_child[node], freed))
        stack.extend((child, freed | 1 << variable) for child in xpg.zero_children[node])
    if steps is not None:
        steps.compared += len(candidates) ** 2
    return [features_of(mask) for mask in minimal(candidates)]


def axps_by_dualization(cxps: Iterable[Iterable[int]]) -> Iterator[frozenset[int]]:
    """Yield the minimal hitting sets of *cxps*, which are the AXps when *cxps* are all the CXps, by PySAT's ``Hitman``.

    Quasi-polynomial in theory (Fredman and Khachiyan), by SAT in practice.  The dual of no sets is {∅}.
    """
    from pysat.examples.hitman import Hitman

    sets = [sorted(cxp) for cxp in cxps]
    if not sets:
        yield frozenset()
        return
    with Hitman(bootstrap_with=sets, solver="m22", htype="lbx") as hitman:
        for hit in hitman.enumerate():
            yield frozenset(hit)


def tree_membership(xpg: ExplanationGraph, feature: int) -> bool:
    """Tell whether *feature* is in some CXp, equivalently some AXp (Proposition 1), of a tree XpG.  Polynomial (Prop. 9).

    Raises ``NotATreeError``.
    """
    mask = mask_of([feature])
    return any(mask & mask_of(cxp) for cxp in tree_cxps(xpg))
