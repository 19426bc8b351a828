"""Two ways to spare membership its SAT query or most of it: one path, and a reduced XpG.

Both rest on reaching a 0-terminal from a node p that tests s_i being z(p) = z(one) ∨ (¬s_i ∧ ⋁ z(zeros)), a monotone
function of what is freed.
"""

from __future__ import annotations

from xpgcheck.model.shape import Shape
from xpgcheck.xpg.explanation_graph import ExplanationGraph

_NEVER, _ALWAYS = 0, 1
"""The two terminals of a pruned graph: a 0-terminal is reached from here never, or without freeing anything."""


def path_through(xpg: ExplanationGraph, feature: int, free: int) -> int | None:
    """Return what a path to a 0-terminal frees, *feature* and others of the mask *free*; None if there is no such path.

    As :func:`xpgcheck.xpg.traversal.cheapest_path`, each node once before and once after *feature* is freed.  Freeing the
    answer reaches a 0-terminal, but it need not be minimal.  A CXp is what some path frees, so None says that no CXp
    inside *free* holds *feature*.  Linear.
    """
    bit_of, one_child, zero_children, live = xpg.bit_of, xpg.one_child, xpg.zero_children, xpg.live
    wanted = 1 << feature
    before, after = bytearray(live), bytearray(live)
    level = [(0, 0)]
    while level:
        following: list[tuple[int, int]] = []
        for node, freed in level:  # the level grows while the loop runs
            new = after if freed & wanted else before
            # Follow the run of 1-edges: it costs no variable.
            while new[node]:
                new[node] = 0
                bit = bit_of[node]
                if not bit:
                    if freed & wanted:
                        return freed
                    break
                if bit & free:
                    more = freed | bit
                    if more == freed:
                        level += [(child, more) for child in zero_children[node]]
                    else:
                        following += [(child, more) for child in zero_children[node] if live[child]]
                node = one_child[node]
                if node < 0:
                    break
        level = following
    return None


def pruned(xpg: ExplanationGraph) -> ExplanationGraph:
    """Return an XpG with the same AXps and CXps, as small as local rules make it.

    Left out are edges to where no 0-terminal can be reached, 0-edges to where the 1-edge leads, and nodes with no
    0-edge left; nodes from where a 0-terminal is reached by 1-edges alone become one terminal, and equal nodes become
    one.  In the answer nodes are numbered from the root, which may be a terminal.  Linear, but for sorting children.
    """
    # The new number of each old node: children are done before their parents.
    new_of = [_ALWAYS if zero else _NEVER for zero in xpg.is_zero]
    number: dict[tuple[int, int, tuple[int, ...]], int] = {}
    nodes: list[tuple[int, int, tuple[int, ...]]] = []
    variable_of, one_child, zero_children = xpg.variable_of, xpg.one_child, xpg.zero_children
    for old in xpg.shape.upward:
        one = new_of[one_child[old]] if one_child[old] >= 0 else _NEVER
        if one == _ALWAYS:
            new_of[old] = _ALWAYS
            continue
        zeros = zero_children[old]
        found = (new_of[zeros[0]],) if len(zeros) == 1 else tuple(sorted({new_of[child] for child in zeros}))
        kept = tuple([child for child in found if child not in (_NEVER, one)])
        if not kept:
            new_of[old] = one
            continue
        key = (variable_of[old], one, (_ALWAYS,) if _ALWAYS in kept else kept)
        name = number.get(key)
        if name is None:
            name = number[key] = len(nodes) + 2
            nodes.append(key)
        new_of[old] = name
    return _from_the_root(xpg, nodes, new_of[0])


def _from_the_root(xpg: ExplanationGraph, nodes: list[tuple[int, int, tuple[int, ...]]], root: int) -> ExplanationGraph:
    """Number what *root* reaches from 0, parents before children, and leave out edges to the terminal ``_NEVER``."""
    if root < 2:
        return ExplanationGraph(xpg.variables, (-1,), (-1,), ((),), bytes([root == _ALWAYS]))
    reached = bytearray(root + 1)
    reached[root] = 1
    for name in range(root, 1, -1):  # a node was named after its children
        if reached[name]:
            _, one, zeros = nodes[name - 2]
            reached[one] = 1
            for child in zeros:
                reached[child] = 1
    kept = [name for name in range(root, 1, -1) if reached[name]]
    terminal = len(kept)
    place = [-1] * (root + 1)
    place[_ALWAYS] = terminal
    for position, name in enumerate(kept):
        place[name] = position
    parts = [nodes[name - 2] for name in kept]
    # No 0-edge leads to _NEVER, and a 1-edge there is left out, its place being −1.
    one_child = (*[place[one] for _, one, _ in parts], -1)
    zero_children = (*[tuple([place[child] for child in zeros]) for _, _, zeros in parts], ())
    edges = sum(map(len, zero_children)) + sum(one >= 0 for one in one_child)
    shape = Shape(edges == terminal, xpg.shape.read_once, tuple(range(terminal - 1, -1, -1)))
    variable_of = (*[variable for variable, _, _ in parts], -1)
    return ExplanationGraph(xpg.variables, variable_of, one_child, zero_children, bytes(terminal) + b"\1", shape)
