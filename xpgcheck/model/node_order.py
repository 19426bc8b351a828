"""The order of the nodes of a decision graph, and what stands in its way: no root, several ones, cycles, lost nodes."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from xpgcheck.errors import shown
from xpgcheck.model.graph_errors import CycleError, NodeId, RootError, UnreachableError, path_text
from xpgcheck.model.value_sets import ValueSet

Edges = tuple[tuple[NodeId, ValueSet], ...]
"""The edges of a node as a source gives them: pairs of a child and a literal."""


def topological_order(edges_of: Mapping[NodeId, Edges], root: NodeId | None) -> list[NodeId]:
    """Return the nodes in a topological order that starts at the only root (Kahn's algorithm, no recursion)."""
    if root is not None and root not in edges_of:
        raise RootError(f"the root {shown(root)} is not a node", mend="name an existing node as the root")
    incoming = dict.fromkeys(edges_of, 0)
    for edges in edges_of.values():
        for child, _ in edges:
            incoming[child] += 1
    sources = [key for key, count in incoming.items() if not count]
    start = root if root is not None else (sources[0] if sources else None)
    if start is None or start not in sources:
        cycle = _cycle(edges_of, start if start is not None else next(iter(edges_of)), set())
        if cycle:
            raise CycleError(f"the edges form a cycle: {path_text(cycle)}", cycle, mend="remove an edge of it")
        raise RootError(
            "it is named as the root and has incoming edges",
            [start] if start is not None else [],
            mend="name the node without incoming edges as the root",
        )
    if len(sources) > 1 and root is None:
        text = ", ".join(map(shown, sources[:5]))
        raise RootError(f"there are {len(sources)} roots: {text}", sources, mend="keep one, or name it as the 'root'")
    order: list[NodeId] = []
    queue = deque([start])
    while queue:
        key = queue.popleft()
        order.append(key)
        for child, _ in edges_of[key]:
            incoming[child] -= 1
            if not incoming[child]:
                queue.append(child)
    if len(order) < len(edges_of):
        _refuse_rest(edges_of, start)
    return order


def _refuse_rest(edges_of: Mapping[NodeId, Edges], root: NodeId) -> None:
    """Say why some nodes could not be ordered: unreachable ones first (they also hold back others), else a cycle."""
    reached = {root}
    stack = [root]
    while stack:
        for child, _ in edges_of[stack.pop()]:
            if child not in reached:
                reached.add(child)
                stack.append(child)
    lost = [key for key in edges_of if key not in reached]
    done: set[NodeId] = set()
    cycle = next((c for key in edges_of if key not in done and (c := _cycle(edges_of, key, done))), [])
    if cycle:
        raise CycleError(f"the edges form a cycle: {path_text(cycle)}", cycle, mend="remove an edge of it")
    problem = f"{len(lost)} node(s) cannot be reached from the root {shown(root)}: {', '.join(map(shown, lost[:5]))}"
    raise UnreachableError(problem, lost, mend="remove them or add the missing edges")


def _cycle(edges_of: Mapping[NodeId, Edges], start: NodeId, done: set[NodeId]) -> list[NodeId]:
    """Return a cycle reachable from *start* (first node repeated at the end), or an empty list.

    Nodes in *done* are known to reach no cycle; those found so are added, so that many starts cost one traversal.
    """
    on_path: dict[NodeId, int] = {start: 0}
    path = [start]
    stack = [iter(edges_of[start])]
    while stack:
        for child, _ in stack[-1]:
            if child in on_path:
                return [*path[on_path[child] :], child]
            if child not in done:
                on_path[child] = len(path)
                path.append(child)
                stack.append(iter(edges_of[child]))
                break
        else:
            stack.pop()
            finished = path.pop()
            del on_path[finished]
            done.add(finished)
    return []
