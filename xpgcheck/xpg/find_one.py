"""Algorithms 2 and 3: one AXp and one CXp from a seed.

Both delete variables from the seed one by one, in the order given, as the paper does; what the seed does not hold stays
out, so the XP lies inside the seed.  They differ from the printed text in cost alone: Algorithm 2 extends one reached set
instead of traversing afresh, and Algorithm 3 starts from the variables that a cheapest path to a 0-terminal needs.
The ``*_by_deletion`` variants run Algorithm 1 afresh for every variable, as printed.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence

from xpgcheck.arguments import INDICES, optional, takes
from xpgcheck.errors import InputError
from xpgcheck.xpg.explanation_graph import XPG, ExplanationGraph, features_of, indices, mask_of
from xpgcheck.xpg.traversal import Reach, cheapest_path, droppable, reaches_zero


class SeedError(InputError):
    """The seed breaks the invariant of Algorithm 2 or 3.  ``seed`` is the set of feature indices at fault."""

    def __init__(self, problem: str, seed: int, *, mend: str) -> None:
        super().__init__(problem, place="seed", mend=mend)
        self.seed = features_of(seed)


@takes(xpg=XPG, seed=optional(INDICES), order=optional(INDICES))
def find_axp(
    xpg: ExplanationGraph, seed: Iterable[int] | None = None, order: Sequence[int] | None = None
) -> frozenset[int]:
    """Return one AXp inside *seed*: Algorithm 2.

    Parameters
    ----------
    xpg
        The explanation graph of a classifier at an instance.
    seed
        Indices of features, a weak AXp; all features if None.
    order
        The features that are dropped first, those not named last (default: increasing index).

    Returns
    -------
    frozenset of int
        The features of the AXp.

    Raises
    ------
    SeedError
        Fixing the seed does not suffice for the prediction.

    Notes
    -----
    O(m·(nodes + edges)) at worst, near linear as a rule.

    Examples
    --------
    >>> from xpgcheck import embedded, explanation_graph
    >>> model = embedded.load("hardware")
    >>> xpg = explanation_graph(model.graph, model.paper_instance)
    >>> sorted(find_axp(xpg))
    [0, 3]

    References
    ----------
    Huang, Izza, Ignatiev, Marques-Silva, *On Efficiently Explaining Graph-Based Classifiers*, KR 2021: Algorithm 2.
    """
    a = xpg.all_variables if seed is None else _mask(xpg, seed)
    if reaches_zero(xpg, xpg.all_variables & ~a):
        raise SeedError("fixing these features does not suffice for the prediction", a, mend="give a larger seed")
    return features_of(shrink_axp(xpg, a, _order(xpg, order)))


@takes(xpg=XPG, seed=optional(INDICES), order=optional(INDICES))
def find_cxp(
    xpg: ExplanationGraph, seed: Iterable[int] | None = None, order: Sequence[int] | None = None
) -> frozenset[int]:
    """Return one CXp inside *seed*: Algorithm 3.

    Parameters
    ----------
    xpg
        The explanation graph of a classifier at an instance.
    seed
        Indices of features, a weak CXp; all features if None.
    order
        The features that are dropped first, those not named last (default: increasing index).

    Returns
    -------
    frozenset of int
        The features of the CXp.

    Raises
    ------
    SeedError
        Freeing the seed cannot change the prediction; a constant classifier has no CXp at all.

    Notes
    -----
    O(m·(nodes + edges)) at worst.

    Examples
    --------
    >>> from xpgcheck import embedded, explanation_graph
    >>> model = embedded.load("hardware")
    >>> xpg = explanation_graph(model.graph, model.paper_instance)
    >>> sorted(find_cxp(xpg))
    [3]

    References
    ----------
    Huang, Izza, Ignatiev, Marques-Silva, *On Efficiently Explaining Graph-Based Classifiers*, KR 2021: Algorithm 3.
    """
    c = xpg.all_variables if seed is None else _mask(xpg, seed)
    return features_of(shrink_cxp(xpg, c, _order(xpg, order)))


def shrink_axp(xpg: ExplanationGraph, seed: int, order: Iterable[int] | None = None) -> int:
    """Algorithm 2 on masks; *seed* must be a weak AXp (the paper's invariant), which is not checked here."""
    reach = Reach(xpg, xpg.all_variables & ~seed)
    for variable in indices(seed) if order is None else order:
        if seed >> variable & 1 and reach.release(variable):
            seed &= ~(1 << variable)
    return seed


def shrink_cxp(xpg: ExplanationGraph, seed: int, order: Iterable[int] | None = None) -> int:
    """Algorithm 3 on masks.  Without an *order*, a path that needs few variables chooses which stay."""
    found = cxp_inside(xpg, seed)
    if found is None:
        raise SeedError(
            "freeing these features cannot change the prediction",
            seed,
            mend="give a larger seed (a constant classifier has no CXp)",
        )
    if order is None:
        return found
    spare = droppable(xpg, seed)
    for variable in order:
        if spare >> variable & 1:
            seed &= ~(1 << variable)
            spare = droppable(xpg, seed)
    return seed


def cxp_inside(xpg: ExplanationGraph, free: int) -> int | None:
    """Return a CXp inside *free*, or None if there is none.  One traversal where a cheapest path is sure to be minimal."""
    found = cheapest_path(xpg, free)
    if found is not None and not xpg.cheapest_is_minimal:
        while spare := droppable(xpg, found):
            found = cheapest_path(xpg, found & ~(spare & -spare)) or 0
    return found


def find_axp_by_deletion(xpg: ExplanationGraph, seed: Iterable[int]) -> frozenset[int]:
    """Algorithm 2 line by line: one fresh run of Algorithm 1 a variable.  O(m·(nodes + edges))."""
    everything = xpg.all_variables
    a = _mask(xpg, seed)
    for variable in indices(a):
        if not reaches_zero(xpg, everything & ~(a & ~(1 << variable))):
            a &= ~(1 << variable)
    return features_of(a)


def find_cxp_by_deletion(xpg: ExplanationGraph, seed: Iterable[int]) -> frozenset[int]:
    """Algorithm 3 line by line: one fresh run of Algorithm 1 a variable.  O(m·(nodes + edges))."""
    c = _mask(xpg, seed)
    for variable in indices(c):
        if reaches_zero(xpg, c & ~(1 << variable)):
            c &= ~(1 << variable)
    return features_of(c)


def _mask(xpg: ExplanationGraph, seed: Iterable[int]) -> int:
    members = list(map(operator.index, seed))
    wrong = [i for i in members if not 0 <= i < len(xpg.variables)]
    if wrong:
        raise InputError(f"feature index {wrong[0]} is not in 0 … {len(xpg.variables) - 1}", mend="correct the seed")
    return mask_of(members)


def _order(xpg: ExplanationGraph, order: Sequence[int] | None) -> list[int] | None:
    if order is None:
        return None
    order = list(map(operator.index, order))
    _mask(xpg, order)
    return list(dict.fromkeys([*order, *range(len(xpg.variables))]))
