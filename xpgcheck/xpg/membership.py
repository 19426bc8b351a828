"""Is a feature in some AXp, equivalently in some CXp (Proposition 1)?

For tree XpGs this is polynomial (Proposition 9, :func:`xpgcheck.xpg.trees.tree_membership`).  For XpGs in general it is in
NP (Proposition 8) and is decided by one SAT query: feature i is in some AXp iff there is a set of fixed features that
holds i, suffices for the prediction, and no longer suffices without i.  (An AXp inside that set cannot miss i.)

The query, over s ∈ {0, 1}^m and two bits a node, is linear in the graph:

* R is closed: it holds the root, follows every edge open under s, and holds no terminal labelled 0: σ(s) = 1;
* Q is a path: it holds the root, every non-terminal in it has a child in it over an edge open under s with s_i = 0, and
  it holds no terminal labelled 1: σ(s with s_i = 0) = 0.

:func:`in_some_xp` asks about one feature only, and seldom by SAT: see :mod:`xpgcheck.xpg.membership_search`.
"""

from __future__ import annotations

from types import TracebackType
from typing import Any

from xpgcheck.arguments import INDEX, takes
from xpgcheck.errors import InputError
from xpgcheck.xpg.explanation_graph import XPG, ExplanationGraph, features_of
from xpgcheck.xpg.find_one import shrink_axp
from xpgcheck.xpg.membership_search import cxp_with
from xpgcheck.xpg.trees import tree_membership

DEFAULT_SOLVER = "cadical153"


class MembershipSolver:
    """A SAT solver that holds the membership formula of one XpG; one query a feature.  A context manager.

    ``queries`` counts the SAT calls, ``clauses`` the clauses of the formula.
    """

    def __init__(self, xpg: ExplanationGraph, solver: str = DEFAULT_SOLVER) -> None:
        """Encode *xpg*: O(nodes + edges + m) clauses."""
        from pysat.solvers import Solver

        clauses = _clauses(xpg)
        self.queries = 0
        self.clauses = len(clauses)
        self._xpg = xpg
        self._sat: Any = Solver(name=solver, bootstrap_with=clauses)

    def axp_with(self, feature: int) -> frozenset[int] | None:
        """Return an AXp that contains *feature* (an index), or None if no XP does.  One SAT query, then Algorithm 2."""
        check_feature(self._xpg, feature)
        m = len(self._xpg.variables)
        self.queries += 1
        released = [_released(m, v) if v == feature else -_released(m, v) for v in range(m)]
        if not self._sat.solve(assumptions=[feature + 1, *released]):
            return None
        model = self._sat.get_model()
        seed = 0
        for variable in range(m):
            if model[variable] > 0:
                seed |= 1 << variable
        return features_of(shrink_axp(self._xpg, seed))

    def __enter__(self) -> MembershipSolver:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._sat.delete()


@takes(xpg=XPG, feature=INDEX)
def in_some_xp(xpg: ExplanationGraph, feature: int) -> bool:
    """Tell whether a feature is in some AXp, equivalently in some CXp.

    Parameters
    ----------
    xpg
        The explanation graph of a classifier at an instance.
    feature
        The index of the feature.

    Returns
    -------
    bool
        Whether it is in some XP.

    Raises
    ------
    InputError
        There is no such feature.

    Notes
    -----
    Polynomial for tree XpGs, at most one SAT query for others; nothing is enumerated.

    Examples
    --------
    >>> from xpgcheck import embedded, explanation_graph
    >>> model = embedded.load("hardware")
    >>> xpg = explanation_graph(model.graph, model.paper_instance)
    >>> [in_some_xp(xpg, feature) for feature in range(4)]
    [True, False, False, True]

    References
    ----------
    Huang, Izza, Ignatiev, Marques-Silva, *On Efficiently Explaining Graph-Based Classifiers*, KR 2021: Definition 1 and
    Propositions 1, 8 and 9.
    """
    check_feature(xpg, feature)
    if xpg.is_tree():
        return tree_membership(xpg, feature)
    return cxp_with(xpg, feature) is not None


def check_feature(xpg: ExplanationGraph, feature: int) -> None:
    """Raise ``InputError`` where *feature* is not the index of a feature."""
    if not 0 <= feature < len(xpg.variables):
        problem = f"feature index {feature} is not in 0 … {len(xpg.variables) - 1}"
        raise InputError(problem, mend="name a feature of the model")


def _fixed_on_path(m: int, variable: int) -> int:
    """The SAT variable "``variable`` is fixed for Q"."""
    return m + variable + 1


def _released(m: int, variable: int) -> int:
    """The SAT variable "the query is about ``variable``": only then may it be free for Q and fixed for R."""
    return 2 * m + variable + 1


def _clauses(xpg: ExplanationGraph) -> list[list[int]]:
    m = len(xpg.variables)
    n = xpg.node_count
    closed = 3 * m + 1
    path = closed + n
    clauses = [[-(v + 1), _fixed_on_path(m, v), _released(m, v)] for v in range(m)]
    clauses += [[closed], [path]]
    for node, variable in enumerate(xpg.variable_of):
        if variable < 0:
            clauses.append([-(closed + node)] if xpg.is_zero[node] else [-(path + node)])
            continue
        one = xpg.one_child[node]
        zeros = xpg.zero_children[node]
        onward = [path + one] if one >= 0 else []
        if one >= 0:
            clauses.append([-(closed + node), closed + one])
        clauses.extend([-(closed + node), variable + 1, closed + child] for child in zeros)
        clauses.append([-(path + node), *onward, *(path + child for child in zeros)])
        if zeros:
            clauses.append([-(path + node), *onward, -_fixed_on_path(m, variable)])
    return clauses
