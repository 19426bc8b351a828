"""The two assumptions on decision graphs, checked rather than presumed.

(i)  For every path to a node that tests feature i, its outgoing literals cover the values of i that the path leaves open
     (and are disjoint, which :func:`~xpgcheck.model.decision_graph.decision_graph` made sure of).
(ii) Every path from the root to a terminal is consistent: some value of i satisfies all of its literals on i.

A literal may hold values that cannot arrive at its node (``x > 3`` below ``x ≤ 5``): it is read as its part inside the
paper's ℂ_i, so trees as learners write them need no rewriting.

On a tree one walk decides.  On other graphs one feature is looked at a time.  Its domain is split into cells that its
literals cannot distinguish, and the states (node, cells left) that paths from the root can produce are explored, only
where the feature is tested again below.  A feature tested at most once on every path, by literals that cover its whole
domain, satisfies both assumptions without any exploration: OBDDs and OMDDs are checked in linear time.

Complexity: for an ordered feature tested through single intervals by k literals, what a path leaves is an interval of
cells: O(n·k²) states.  For a feature of d distinguishable values there are at most n·2^d.  Unordered literals on a
feature with many values that paths of a shared graph test again and again can reach that bound: deciding (ii) is then
NP-hard in general, and after ``limit`` states of a feature the check gives up with an ``UndecidedError`` (exit status
3) that names the feature; the graph is then neither accepted nor refused.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence

from xpgcheck.errors import UndecidedError, shown
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.graph_errors import LiteralError, NodeId, path_text
from xpgcheck.model.value_sets import ValueSet

DEFAULT_STATE_LIMIT = 4_000_000

Ranges = tuple[tuple[int, int], ...]
State = tuple[int, Ranges]


class UncoveredError(LiteralError):
    """Assumption (i) fails: at ``node``, reached by ``path``, no outgoing literal holds for ``values``."""


class InconsistentPathError(LiteralError):
    """Assumption (ii) fails: no value of ``feature`` satisfies every literal on ``path``.

    ``values`` is what the path leaves of the feature before its last edge, which excludes all of it.
    """


def check_assumptions(graph: DecisionGraph, limit: int = DEFAULT_STATE_LIMIT) -> None:
    """Check assumptions (i) and (ii) of the definition of decision graphs; return None where both hold.

    Raises ``UncoveredError`` or ``InconsistentPathError`` with the path, the feature and the set of values at fault, or
    ``UndecidedError`` after *limit* states of one feature (see this module's text for the complexity).
    """
    if graph.shape.tree and _holds_on_tree(graph):
        return
    for feature, tested_below in _suspects(graph):
        _explore(graph, feature, tested_below, limit)


def _holds_on_tree(graph: DecisionGraph) -> bool:
    """Tell whether both assumptions hold of a tree: one walk for all features, as a node is reached by one path only.

    What is wrong, if something is, is left to :func:`_explore` to find.  O(n) meetings of ranges.
    """
    feature_of, children, literal_ids, literal_cells = (
        graph.feature_of,
        graph.children,
        graph.literal_ids,
        graph.literal_cells,
    )
    left: list[Ranges] = [((0, len(cells)),) for cells in graph.cells]
    # A node to enter with what its path leaves of its parent's feature, or (-1) a feature to give back what was left.
    waiting: list[tuple[int, int, Ranges]] = [(0, 0, left[0])]
    while waiting:
        node, changed, ranges = waiting.pop()
        left[changed] = ranges
        if node < 0 or feature_of[node] < 0:
            continue
        feature = feature_of[node]
        before = left[feature]
        covered = 0
        waiting.append((-1, feature, before))
        for child, index in zip(children[node], literal_ids[node], strict=True):
            rest = _meet(before, literal_cells[index])
            if not rest:
                return False
            covered += rest[0][1] - rest[0][0] if len(rest) == 1 else _cells_in(rest)
            waiting.append((child, feature, rest))
        if covered < (before[0][1] - before[0][0] if len(before) == 1 else _cells_in(before)):
            return False
    return True


BLOCK = 1024
"""Features looked at in one pass, one bit a feature and node, so that memory stays linear in the nodes."""

Below = Callable[[int], int]


def _suspects(graph: DecisionGraph) -> Iterator[tuple[int, Below]]:
    """Yield the features that some path tests twice, or whose literals at some node do not cover the domain.

    With each comes a function that tells of a node whether the feature is tested at it or below it.
    """
    partial = _partly_covered(graph)
    tests = Counter(feature for feature in graph.feature_of if feature >= 0)
    candidates = sorted({f for f, count in tests.items() if count > 1} | partial)
    for start in range(0, len(candidates), BLOCK):
        block = candidates[start : start + BLOCK]
        bit = {feature: 1 << position for position, feature in enumerate(block)}
        below = [0] * graph.node_count
        twice = 0
        for node in range(graph.node_count - 1, -1, -1):
            mask = 0
            for child in graph.children[node]:
                mask |= below[child]
            own = bit.get(graph.feature_of[node], 0)
            twice |= own & mask
            below[node] = mask | own
        for feature in block:
            if feature in partial or twice & bit[feature]:
                yield feature, lambda node, mask=bit[feature], below=below: below[node] & mask  # type: ignore[misc]


def _partly_covered(graph: DecisionGraph) -> set[int]:
    """Return the features whose literals at some node leave out a part of the domain."""
    partial: set[int] = set()
    seen: set[tuple[int, ...]] = set()
    for ids, feature in zip(graph.literal_ids, graph.feature_of, strict=True):
        if feature >= 0 and ids not in seen:
            seen.add(ids)
            if sum(_cells_in(graph.literal_cells[index]) for index in ids) < len(graph.cells[feature]):
                partial.add(feature)
    return partial


def _explore(graph: DecisionGraph, feature: int, tested_below: Below, limit: int) -> None:
    """Visit every state (node, cells of *feature* left) that paths reach, at most *limit* of them."""
    start: State = (0, ((0, len(graph.cells[feature])),))
    came_from: dict[State, State | None] = {start: None}
    queue = deque([start])
    while queue:
        state = queue.popleft()
        node, left = state
        tested = graph.feature_of[node] == feature
        covered: list[tuple[int, int]] = []
        for child, index in zip(graph.children[node], graph.literal_ids[node], strict=True):
            rest = left
            if tested:
                rest = _meet(left, graph.literal_cells[index])
                if not rest:
                    _refuse_path(graph, feature, came_from, state, child)
                covered.extend(rest)
            if tested_below(child):
                following = (child, rest)
                if following not in came_from:
                    came_from[following] = state
                    queue.append(following)
        if tested and _cells_in(covered) < _cells_in(left):
            _refuse_gap(graph, feature, came_from, state)
        if len(came_from) > limit:
            name = shown(graph.features[feature].name)
            problem = f"more than {limit} combinations of a node and remaining values of feature {name}"
            raise UndecidedError(
                f"the assumptions on decision graphs could not be decided: {problem}",
                mend="raise the limit of states, or split the model",
            )


def _meet(first: Ranges, second: Ranges) -> Ranges:
    if len(first) == 1 and len(second) == 1:
        low, high = max(first[0][0], second[0][0]), min(first[0][1], second[0][1])
        return ((low, high),) if low < high else ()
    result = []
    i = j = 0
    while i < len(first) and j < len(second):
        low, high = max(first[i][0], second[j][0]), min(first[i][1], second[j][1])
        if low < high:
            result.append((low, high))
        if first[i][1] < second[j][1]:
            i += 1
        else:
            j += 1
    return tuple(result)


def _cells_in(ranges: Sequence[tuple[int, int]]) -> int:
    """Return how many cells *ranges* hold; outgoing literals are disjoint, so counts tell whether they cover."""
    return sum(high - low for low, high in ranges)


def _path(graph: DecisionGraph, came_from: dict[State, State | None], state: State) -> list[NodeId]:
    path: list[NodeId] = []
    step: State | None = state
    while step is not None:
        path.append(graph.node_ids[step[0]])
        step = came_from[step]
    return path[::-1]


def _union(split: Sequence[ValueSet], ranges: Ranges) -> ValueSet:
    members = [split[k] for low, high in ranges for k in range(low, high)]
    union = members[0]
    for member in members[1:]:
        union = union.union(member)
    return union


def _refuse_path(
    graph: DecisionGraph,
    feature: int,
    came_from: dict[State, State | None],
    state: State,
    child: int,
) -> None:
    path = [*_path(graph, came_from, state), graph.node_ids[child]]
    left = _union(graph.cells[feature], state[1])
    name = shown(graph.features[feature].name)
    raise InconsistentPathError(
        f"the path {path_text(path)} is inconsistent: it leaves {shown(left)} of feature {name}, "
        "and its last edge holds for none of these values (an empty set)",
        graph.node_ids[state[0]],
        feature,
        left,
        path,
        mend="remove that edge or correct the literals along the path",
    )


def _refuse_gap(
    graph: DecisionGraph,
    feature: int,
    came_from: dict[State, State | None],
    state: State,
) -> None:
    node, left = state
    rest = _union(graph.cells[feature], left)
    for index in graph.literal_ids[node]:
        rest = rest.difference(graph.literals[index].values)
    path = _path(graph, came_from, state)
    name = shown(graph.features[feature].name)
    raise UncoveredError(
        f"no outgoing literal of feature {name} holds for {shown(rest)}, which the path {path_text(path)} leaves open",
        graph.node_ids[node],
        feature,
        rest,
        path,
        mend="add the missing values to a literal",
    )
