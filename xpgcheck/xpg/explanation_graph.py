"""Explanation graphs (XpGs), the mapping from a decision graph and an instance, and the evaluation functions ε and σ.

Small on purpose: an XpG keeps what explaining needs (labels 0 and 1) and drops domains, literals and classes.
Sets of variables are ``int`` masks inside this package (bit i is feature i) and sets of feature indices at its border.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import InitVar, dataclass, field
from functools import lru_cache
from typing import Any

from xpgcheck.arguments import instance_of_type, takes
from xpgcheck.errors import InstanceError
from xpgcheck.model.classifier import in_feature_space
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.model.shape import Shape, shape_of
from xpgcheck.model.values import Point

MANY_VARIABLES = 10_000
"""Variables above which their masks, of as many bits each, are made when they are needed: all of them take m²/2 bits."""


@dataclass(frozen=True, slots=True, eq=False)
class ExplanationGraph:
    """An XpG 𝒟 = (G, S, υ, α_V, α_E).

    Node 0 is the root and edges go to higher numbers.  ``variable_of`` is υ (−1 at terminals).  α_E is kept by splitting a
    node's edges: ``one_child`` is the child of its only edge labelled 1 (−1 if none), ``zero_children`` those of its
    edges labelled 0.  ``is_zero`` is 1 at terminals labelled 0.
    For traversals, ``bit_of`` is υ as masks (0 at terminals) and ``live`` is 0 at terminals labelled 1, 1 elsewhere.
    """

    variables: tuple[str, ...]
    variable_of: tuple[int, ...]
    one_child: tuple[int, ...]
    zero_children: tuple[tuple[int, ...], ...]
    is_zero: bytes
    known_shape: InitVar[Shape | None] = None
    shape: Shape = field(init=False, repr=False)
    bit_of: Sequence[int] = field(init=False, repr=False)
    live: bytes = field(init=False, repr=False)

    def __post_init__(self, known_shape: Shape | None) -> None:
        object.__setattr__(self, "shape", known_shape or self._own_shape())
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
        """Tell whether this is a tree XpG: every node but the root has one incoming edge."""
        return self.shape.tree

    def _own_shape(self) -> Shape:
        pairs = zip(self.one_child, self.zero_children, strict=True)
        children = [zeros if one < 0 else (one, *zeros) for one, zeros in pairs]
        return shape_of(len(self.variables), self.variable_of, children)

    @property
    def cheapest_is_minimal(self) -> bool:
        """Whether :func:`xpgcheck.xpg.traversal.cheapest_path` is sure to give a CXp: on trees and read-once graphs."""
        return self.shape.tree or self.shape.read_once

    def epsilon(self, fixed: Iterable[int]) -> bytes:
        """Return ε(s, ·), one byte per node, for the s that is 1 exactly at *fixed* (feature indices).

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


GRAPH = instance_of_type(
    DecisionGraph, "a decision graph", "pass what xpgcheck.read_model(path) or from_sklearn(tree) returns"
)


@takes(
    graph=GRAPH,
    point=instance_of_type(tuple, "a point", "pass what xpgcheck.read_point(graph.features, instance) returns"),
)
def explanation_graph(graph: DecisionGraph, point: Point) -> ExplanationGraph:
    """Map a decision graph and an instance to their XpG.

    The same DAG: terminals of class κ(v) are labelled 1, and so are edges whose literal holds at v.

    Parameters
    ----------
    graph
        A decision graph.
    point
        The instance v: a value for each feature.

    Returns
    -------
    ExplanationGraph
        The explanation graph, on which XPs are found.

    Raises
    ------
    InstanceError
        *point* is not in feature space.

    Notes
    -----
    Linear; each distinct literal is evaluated once.

    Examples
    --------
    >>> from xpgcheck import embedded
    >>> model = embedded.load("hardware")
    >>> explanation_graph(model.graph, model.paper_instance).node_count
    15

    References
    ----------
    Huang, Izza, Ignatiev, Marques-Silva, *On Efficiently Explaining Graph-Based Classifiers*, KR 2021: Definition 3.
    """
    if not in_feature_space(graph, point):
        raise InstanceError(
            "the point is not in the model's feature space", mend="give one domain value for each feature"
        )
    holds = graph.held(point)
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
        graph.shape,
    )


def from_labels(graph: LabelledGraph) -> ExplanationGraph:
    """Return the XpG that *graph* (read from an `.xpg` file) describes.  Linear."""
    one_child = []
    zero_children = []
    for edges in graph.edges:
        one_child.append(next((child for child, label in edges if label), -1))
        zero_children.append(tuple(child for child, label in edges if not label))
    zero = bytes([v < 0 and not label for v, label in zip(graph.variable_of, graph.terminal_label, strict=True)])
    return ExplanationGraph(
        graph.variables,
        graph.variable_of,
        tuple(one_child),
        tuple(zero_children),
        zero,
        graph.shape,
    )


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


XPG = instance_of_type(
    ExplanationGraph, "an explanation graph", "pass what xpgcheck.explanation_graph(graph, point) returns"
)
"""The rule of an argument of public functions."""
