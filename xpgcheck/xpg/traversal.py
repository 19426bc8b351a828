"""Algorithm 1: is there a path to a terminal labelled 0?

:func:`path_to_zero` marks visited nodes and so is linear in the graph.  :func:`path_to_zero_as_printed` is the algorithm
as the paper prints it, without marks: exponential on DAGs (2ⁿ on n diamonds), kept to show that with its step counter.
:class:`Reach` is the same traversal made incremental: freeing one more variable only extends what is reached.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable

from xpgcheck.errors import UndecidedError
from xpgcheck.xpg.explanation_graph import ExplanationGraph, mask_of


def path_to_zero(xpg: ExplanationGraph, free: Iterable[int]) -> bool:
    """Tell whether a terminal labelled 0 is reached when the features *free* are free and all others fixed (Algorithm 1).

    ``path_to_zero(D, R)`` is ¬σ(s) for the s that is 0 exactly at R.  O(nodes + edges): each node is visited once.
    """
    return reaches_zero(xpg, mask_of(free))


def reaches_zero(xpg: ExplanationGraph, free: int) -> bool:
    """Algorithm 1 on a mask of free variables."""
    variable_of, one_child, zero_children, is_zero = xpg.variable_of, xpg.one_child, xpg.zero_children, xpg.is_zero
    seen = bytearray(len(variable_of))
    stack = [0]
    while stack:
        node = stack.pop()
        if seen[node]:
            continue
        seen[node] = 1
        variable = variable_of[node]
        if variable < 0:
            if is_zero[node]:
                return True
            continue
        if free >> variable & 1:
            stack.extend(zero_children[node])
        if one_child[node] >= 0:
            stack.append(one_child[node])
    return False


def path_to_zero_as_printed(
    xpg: ExplanationGraph, free: Iterable[int], max_steps: int | None = None
) -> tuple[bool, int]:
    """Run Algorithm 1 exactly as printed; return its answer and the number of nodes taken from the queue.

    The queue holds a node once per path to it: exponential on graphs with sharing.  Raises ``UndecidedError`` after
    *max_steps* steps.
    """
    released = frozenset(free)
    queue = deque([0])
    steps = 0
    while queue:
        node = queue.popleft()
        steps += 1
        if max_steps is not None and steps > max_steps:
            raise UndecidedError(f"Algorithm 1 as printed took more than {max_steps} steps", mend="use path_to_zero")
        variable = xpg.variable_of[node]
        if variable < 0:
            if xpg.is_zero[node]:
                return True, steps
            continue
        children = xpg.zero_children[node] if variable in released else ()
        queue.extend(children)
        if xpg.one_child[node] >= 0:
            queue.append(xpg.one_child[node])
    return False, steps


class Reach:
    """The nodes reached from the root with some variables free, growing as more are freed.

    ``free`` is the mask of free variables.  While no terminal labelled 0 is reached, :meth:`release` tries to free one
    more variable and takes everything back if that would reach one.
    """

    __slots__ = ("_seen", "_waiting", "_xpg", "free")

    def __init__(self, xpg: ExplanationGraph, free: int) -> None:
        """Traverse *xpg* with *free*; raises ``ValueError`` if that reaches a terminal labelled 0.  Linear."""
        self._xpg = xpg
        self._seen = bytearray(xpg.node_count)
        # Reached nodes whose 0-edges are still closed, by variable.
        self._waiting: list[list[int]] = [[] for _ in xpg.variables]
        self.free = free
        self._seen[0] = 1
        if not self._extend([0]):
            raise ValueError("a terminal labelled 0 is reached")

    def release(self, variable: int) -> bool:
        """Free *variable* if no terminal labelled 0 is reached then; tell whether it was freed.

        Costs what is newly reached: linear in the graph over all successful calls together, linear a failed one.
        """
        seen = self._seen
        zero_children = self._xpg.zero_children
        opened = self._waiting[variable]
        start = []
        for node in opened:
            for child in zero_children[node]:
                if not seen[child]:
                    seen[child] = 1
                    start.append(child)
        self._waiting[variable] = []
        self.free |= 1 << variable
        if self._extend(start):
            return True
        self._waiting[variable] = opened
        self.free &= ~(1 << variable)
        return False

    def _extend(self, stack: list[int]) -> bool:
        """Reach on from the marked nodes of *stack*; on meeting a 0-terminal unmark what was new and return False."""
        xpg, seen, waiting, free = self._xpg, self._seen, self._waiting, self.free
        variable_of, bit_of, one_child, zero_children = xpg.variable_of, xpg.bit_of, xpg.one_child, xpg.zero_children
        live = xpg.live
        new = list(stack)
        waited = []
        while stack:
            node = stack.pop()
            # Follow the run of 1-edges.
            while True:
                bit = bit_of[node]
                if bit & free:
                    for child in zero_children[node]:
                        if not seen[child]:
                            seen[child] = 1
                            new.append(child)
                            stack.append(child)
                elif bit:
                    variable = variable_of[node]
                    waiting[variable].append(node)
                    waited.append(variable)
                elif live[node]:
                    for marked in new:
                        seen[marked] = 0
                    for variable in reversed(waited):
                        waiting[variable].pop()
                    return False
                node = one_child[node]
                if node < 0 or seen[node]:
                    break
                seen[node] = 1
                new.append(node)
        return True


def cheapest_path(xpg: ExplanationGraph, free: int) -> int | None:
    """Return the variables that one path to a 0-terminal needs to be free when *free* are; None if there is no path.

    Algorithm 1 in levels: nodes reached by freeing k variables come before those that need k + 1.  A node keeps the
    variables of the first path to it.  Where it has only one (trees), or where no path tests a variable twice (so that k
    is the number of 0-edges), the answer has fewest variables of all, so it is a CXp: ``xpg.cheapest_is_minimal``.
    Linear.
    """
    bit_of, one_child, zero_children = xpg.bit_of, xpg.one_child, xpg.zero_children
    new = bytearray(xpg.live)
    level = [(0, 0)]
    while level:
        following: list[tuple[int, int]] = []
        next_answer = 0
        for node, freed in level:  # the level grows while the loop runs
            # Follow the run of 1-edges: it costs no variable.
            while new[node]:
                new[node] = 0
                bit = bit_of[node]
                if bit & free:
                    more = freed | bit
                    if more == freed:
                        level += [(child, more) for child in zero_children[node]]
                    else:
                        for child in zero_children[node]:
                            if bit_of[child]:
                                following.append((child, more))
                            elif new[child]:
                                next_answer = more
                elif not bit:
                    return freed
                node = one_child[node]
                if node < 0:
                    break
        if next_answer:
            return next_answer
        level = following
    return None


def droppable(xpg: ExplanationGraph, free: int) -> int:
    """Return the mask of the variables v in *free* such that freeing only the others still reaches a 0-terminal.

    Runs Algorithm 1 for all of these choices at once, one bit a choice: a node carries the choices that reach it.
    O(nodes + edges) operations on masks.
    """
    cases = [0] * len(xpg.variable_of)
    cases[0] = free
    found = 0
    for case, variable, one, zeros, zero in zip(  # cases of later nodes grow while the loop runs
        cases, xpg.variable_of, xpg.one_child, xpg.zero_children, xpg.is_zero, strict=False
    ):
        if case:
            if variable < 0:
                if zero:
                    found |= case
                continue
            if one >= 0:
                cases[one] |= case
            if free >> variable & 1:
                case &= ~(1 << variable)
                if case:
                    for child in zeros:
                        cases[child] |= case
    return found


def necessary(xpg: ExplanationGraph, fixed: int, free: int) -> int:
    """Return the mask of the variables v in *fixed* such that freeing *free* and v reaches a 0-terminal.

    All v at once, as :func:`droppable`.  If *free* alone reaches a 0-terminal, all of *fixed* are returned.
    """
    cases = [0] * len(xpg.variable_of)
    cases[0] = fixed
    found = 0
    for case, variable, one, zeros, zero in zip(
        cases, xpg.variable_of, xpg.one_child, xpg.zero_children, xpg.is_zero, strict=False
    ):
        if case:
            if variable < 0:
                if zero:
                    found |= case
                continue
            if one >= 0:
                cases[one] |= case
            if not free >> variable & 1:
                case &= 1 << variable
            if case:
                for child in zeros:
                    cases[child] |= case
    return found
