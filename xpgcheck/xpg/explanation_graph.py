"""Explanation graphs (XpGs), the mapping from a decision graph and an instance, and the evaluation functions ε and σ.

Small on purpose: an XpG keeps what explaining needs (labels 0 and 1) and drops domains, literals and classes.
Sets of variables are ``int`` masks inside this package (bit i is feature i) and sets of feature indices at its border.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from xpgcheck.errors import InstanceError
from xpgcheck.model.decision_graph import DecisionGraph, in_feature_space
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.model.values import Point

MANY_VARIABLES = 2_000
"""Variables above which their masks, of as many bits each, are made when they are needed: all of them take m² bits."""

MANY_MASK_BITS = 100_000_000
"""Bits above which the variables tested above each node are not gathered."""


@dataclass(frozen=True, slots=True, eq=False)
class ExplanationGraph:
    """An XpG 𝒟 = (G, S, υ, α_V, α_E).

    Node 0 is the root and edges go to higher numbers.  ``variable_of`` is υ (−1 at terminals).  α_E is kept by splitting a
    node's edges: ``one_child`` is the child of its only edge labelled 1 (−1 if none), ``zero_children`` those of its
    edges labelled 0.  ``is_zero`` is 1 at terminals labelled 0.  ``cheapest_is_minimal`` may be set on trees and where no
    path tests a variable twice (see :func:`xpgcheck.xpg.traversal.cheapest_path`); unset, it costs time and nothing else.

    For traversals, ``bit_of`` is υ as masks (0 at terminals) and ``live`` is 0 at terminals labelled 1, 1 elsewhere.
    """

    variables: tuple[str, ...]
    variable_of: tuple[int, ...]
    one_child: tuple[int, ...]
    zero_children: tuple[tuple[int, ...], ...]
    is_zero: bytes
    cheapest_is_minimal: bool = False
    bit_of: Sequence[int] = field(init=False, repr=False)
    live: bytes = field(init=False, repr=False)

    def __post_init__(self) -> None:
        bit_of: Sequence[int] = _Bits(self.variable_of)
        if len(self.variables) <= MANY_VARIABLES:
            bits = [*(1 << variable for variable in range(len(self.variables))), 0]
            bit_of = tuple([bits[variable] for variable in self.variable_of])
        object.__setattr__(self, "bit_of", bit_of)
        live = bytes([variable >= 0 or zero for variable, zero in zip(self.variable_of, self.is_zero, strict=True)])
        object.__setattr__(self, "live", live)

    @property
    def node_count(self) -> int:
        """The number of nodes, terminals counted."""
        return len(self.variable_of)

    @property
    def all_variables(self) -> int:
        """The mask of S."""
        return (1 << len(self.variables)) - 1

    def is_tree(self) -> bool:
        """Tell whether this is a tree XpG: every node but the root has one incoming edge.  Linear."""
        ones = sum(child >= 0 for child in self.one_child)
        return ones + sum(map(len, self.zero_children)) == self.node_count - 1

    def epsilon(self, fixed: Iterable[int]) -> bytes:
        """Return ε(s, ·), one byte a node, for the s that is 1 exactly at *fixed* (feature indices).

        By the definition, node by node in topological order.  Linear.
        """
        s = mask_of(fixed)
        active = bytearray(self.node_count)
        active[0] = 1
        for node, variable in enumerate(self.variable_of):
            if active[node] and variable >= 0:
                if self.one_child[node] >= 0:
                    active[self.one_child[node]] = 1
                if not s >> variable & 1:
                    for child in self.zero_children[node]:
                        active[child] = 1
        return bytes(active)

    def sigma(self, fixed: Iterable[int]) -> bool:
        """Return σ(s) for the s that is 1 exactly at *fixed*: no terminal labelled 0 is active.  Linear."""
        return not any(zero and active for zero, active in zip(self.is_zero, self.epsilon(fixed), strict=True))


class _Bits(Sequence[int]):
    """υ as masks, each made when it is asked for."""

    def __init__(self, variable_of: Sequence[int]) -> None:
        self._variable_of = variable_of

    def __len__(self) -> int:
        return len(self._variable_of)

    def __getitem__(self, node: Any) -> Any:
        variable = self._variable_of[node]
        return 1 << variable if variable >= 0 else 0


def explanation_graph(graph: DecisionGraph, point: Point) -> ExplanationGraph:
    """Map (𝒢, (v, κ(v))) to its XpG (the mapping after the paper's definition of XpGs).

    The same DAG; terminals of class κ(v) are labelled 1, edges whose literal holds at v are labelled 1.  Each distinct
    literal is evaluated once.  Linear.  Raises ``InstanceError`` when *point* is not in feature space.
    """
    if not in_feature_space(graph, point):
        raise InstanceError("the point is not in the model's feature space", mend="give one domain value a feature")
    holds = [point[literal.feature] in literal.values for literal in graph.literals]
    target = graph.kappa(point)
    one_child: list[int] = []
    zero_children: list[tuple[int, ...]] = []
    for children, ids in zip(graph.children, graph.literal_ids, strict=True):
        if len(children) == 2:
            # Binary nodes are nearly all nodes of trees and BDDs: no inner loop for them.
            first, second = children
            if holds[ids[0]]:
                one_child.append(first)
                zero_children.append((second,))
            elif holds[ids[1]]:
                one_child.append(second)
                zero_children.append((first,))
            else:
                one_child.append(-1)
                zero_children.append(children)
        else:
            one = -1
            zeros = []
            for child, index in zip(children, ids, strict=True):
                if holds[index]:
                    one = child
                else:
                    zeros.append(child)
            one_child.append(one)
            zero_children.append(tuple(zeros))
    return ExplanationGraph(
        tuple(feature.name for feature in graph.features),
        graph.feature_of,
        tuple(one_child),
        tuple(zero_children),
        bytes([c >= 0 and c != target for c in graph.class_of]),
        _of_decision_graph(_Itself(graph)),
    )


def from_labels(graph: LabelledGraph) -> ExplanationGraph:
    """Return the XpG that *graph* (read from an `.xpg` file) describes.  Linear."""
    one_child = []
    zero_children = []
    for edges in graph.edges:
        one_child.append(next((child for child, label in edges if label), -1))
        zero_children.append(tuple(child for child, label in edges if not label))
    zero = bytes([v < 0 and not label for v, label in zip(graph.variable_of, graph.terminal_label, strict=True)])
    children = [[child for child, _ in edges] for edges in graph.edges]
    return ExplanationGraph(
        graph.variables,
        graph.variable_of,
        tuple(one_child),
        tuple(zero_children),
        zero,
        graph.is_tree() or tests_once(len(graph.variables), graph.variable_of, children),
    )


def tests_once(variables: int, variable_of: Sequence[int], children: Sequence[Sequence[int]]) -> bool:
    """Tell whether no path tests a variable twice, as in OBDDs and OMDDs.  O(nodes + edges) operations on masks.

    False on graphs so large that the masks would fill the memory (``MANY_MASK_BITS``).
    """
    if variables * len(variable_of) > MANY_MASK_BITS:
        return False
    above = [0] * len(variable_of)
    for node, variable in enumerate(variable_of):
        if variable >= 0:
            if above[node] >> variable & 1:
                return False
            tested = above[node] | 1 << variable
            for child in children[node]:
                above[child] |= tested
    return True


class _Itself:
    """A decision graph as a key that equals itself alone: comparing graphs node by node would cost more than is saved."""

    __slots__ = ("graph",)

    def __init__(self, graph: DecisionGraph) -> None:
        self.graph = graph

    def __hash__(self) -> int:
        return id(self.graph)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Itself) and other.graph is self.graph


@lru_cache(maxsize=8)
def _of_decision_graph(key: _Itself) -> bool:
    """Return ``cheapest_is_minimal`` of all XpGs of one decision graph, found once for all of its instances."""
    graph = key.graph
    return graph.is_tree() or tests_once(len(graph.features), graph.feature_of, graph.children)


def mask_of(features: Iterable[int]) -> int:
    """Return the mask of a set of feature indices."""
    mask = 0
    for feature in features:
        mask |= 1 << feature
    return mask


def indices(mask: int) -> list[int]:
    """Return the feature indices in *mask*, in increasing order."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


@lru_cache(maxsize=10_000)
def features_of(mask: int) -> frozenset[int]:
    """Return the set of feature indices in *mask*.  The instances of a model share many XPs, and so these sets."""
    return frozenset(indices(mask))
