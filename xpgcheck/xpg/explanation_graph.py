"""Explanation graphs (XpGs), the mapping from a decision graph and an instance, and the evaluation functions ε and σ.

Small on purpose: an XpG keeps what explaining needs (labels 0 and 1) and drops domains, literals and classes.
Sets of variables are ``int`` masks inside this package (bit i is feature i) and sets of feature indices at its border.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from xpgcheck.errors import InstanceError
from xpgcheck.model.decision_graph import DecisionGraph, in_feature_space
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.model.values import Point


@dataclass(frozen=True, slots=True, eq=False)
class ExplanationGraph:
    """An XpG 𝒟 = (G, S, υ, α_V, α_E).

    Node 0 is the root and edges go to higher numbers.  ``variable_of`` is υ (−1 at terminals).  α_E is kept by splitting a
    node's edges: ``one_child`` is the child of its only edge labelled 1 (−1 if none), ``zero_children`` those of its
    edges labelled 0.  ``is_zero`` is 1 at terminals labelled 0.
    """

    variables: tuple[str, ...]
    variable_of: tuple[int, ...]
    one_child: tuple[int, ...]
    zero_children: tuple[tuple[int, ...], ...]
    is_zero: bytes

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
        bytes(c >= 0 and c != target for c in graph.class_of),
    )


def from_labels(graph: LabelledGraph) -> ExplanationGraph:
    """Return the XpG that *graph* (read from an `.xpg` file) describes.  Linear."""
    one_child = []
    zero_children = []
    for edges in graph.edges:
        one_child.append(next((child for child, label in edges if label), -1))
        zero_children.append(tuple(child for child, label in edges if not label))
    zero = (v < 0 and not label for v, label in zip(graph.variable_of, graph.terminal_label, strict=True))
    return ExplanationGraph(graph.variables, graph.variable_of, tuple(one_child), tuple(zero_children), bytes(zero))


def mask_of(features: Iterable[int]) -> int:
    """Return the mask of a set of feature indices."""
    mask = 0
    for feature in features:
        mask |= 1 << feature
    return mask


def indices(mask: int) -> Iterator[int]:
    """Yield the feature indices in *mask*, in increasing order."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def features_of(mask: int) -> frozenset[int]:
    """Return the set of feature indices in *mask*."""
    return frozenset(indices(mask))
