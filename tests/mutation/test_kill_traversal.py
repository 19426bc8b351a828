"""Algorithm 1 and its relatives, against reachability by brute force."""

import random

import pytest
from mutation_corpus import built, mask, minimal_sets, subsets, unmask

from xpgcheck.errors import UndecidedError
from xpgcheck.xpg.explanation_graph import ExplanationGraph
from xpgcheck.xpg.traversal import (
    Reach,
    cheapest_path,
    droppable,
    necessary,
    path_to_zero,
    path_to_zero_as_printed,
    reaches_zero,
)


def test_algorithm_1_is_reachability():
    for parts, xpg, truth in built():
        for free in subsets(range(parts.m)):
            expected = free in truth.weak_cxps
            assert path_to_zero(xpg, free) is expected
            assert path_to_zero(xpg, iter(sorted(free))) is expected
            assert reaches_zero(xpg, mask(free)) is expected


def chain(length):
    """A ladder: each node's edges, both of one variable, lead to the next and to a common later node."""
    zeros = tuple((min(k + 2, length),) if k + 1 < length else () for k in range(length))
    ones = tuple(range(1, length + 1))
    return ExplanationGraph(("a",), (0,) * length + (-1,), (*ones, -1), (*zeros, ()), bytes(length + 1))


def test_algorithm_1_visits_a_node_once():
    """A ladder has more than 10⁸ paths at 40 rungs: without marks this would not end."""
    assert path_to_zero(chain(60), [0]) is False
    assert Reach(chain(60), 0).release(0) is True
    assert cheapest_path(chain(60), 1) is None


def printed(parts, free):
    """Algorithm 1 as printed, by its text: (answer, nodes taken from the queue)."""
    queue, taken = [0], 0
    while queue:
        node = queue.pop(0)
        taken += 1
        if parts.is_zero[node]:
            return True, taken
        if parts.variable_of[node] in free:
            queue += parts.zero_children[node]
        queue += [parts.one_child[node]] * parts.has_one(node)
    return False, taken


def test_algorithm_1_as_printed_counts_its_steps():
    for parts, xpg, _ in built():
        for free in subsets(range(parts.m))[::3]:
            expected = printed(parts, free)
            assert path_to_zero_as_printed(xpg, iter(free)) == expected
            assert type(path_to_zero_as_printed(xpg, free)) is tuple
            assert path_to_zero_as_printed(xpg, free, expected[1]) == expected
            with pytest.raises(UndecidedError) as caught:
                path_to_zero_as_printed(xpg, free, max_steps=expected[1] - 1)
            error = caught.value
            assert error.problem == f"Algorithm 1 as printed took more than {expected[1] - 1} steps"
            assert error.mend == "use path_to_zero"
            assert error.place == ""
            assert str(error) == f"{error.problem}; {error.mend}"


def test_reach_frees_what_it_may_and_takes_back_what_it_may_not():
    rng = random.Random(23)
    for parts, xpg, truth in built():
        weak = [frozenset(range(parts.m)) - x for x in truth.weak_axps]
        for free in weak[:8]:
            reach = Reach(xpg, mask(free))
            assert reach.free == mask(free)
            current = free
            # Each variable is tried several times, also those that are free.
            for variable in rng.choices(range(parts.m), k=3 * parts.m):
                wanted = current | {variable}
                allowed = wanted not in truth.weak_cxps
                assert reach.release(variable) is allowed
                if allowed:
                    current = wanted
                assert reach.free == mask(current)
                assert {node for node, seen in enumerate(reach._seen) if seen} == parts.reached(current)
                waiting = [set() for _ in range(parts.m)]
                for node in parts.reached(current):
                    if parts.variable_of[node] >= 0 and parts.variable_of[node] not in current:
                        waiting[parts.variable_of[node]].add(node)
                assert [set(nodes) for nodes in reach._waiting] == waiting
                assert sum(map(len, reach._waiting)) == sum(map(len, waiting))


def test_reach_refuses_what_reaches_a_zero():
    for _, xpg, truth in built():
        for free in sorted(truth.weak_cxps, key=sorted)[:4]:
            with pytest.raises(ValueError, match=r"\Aa terminal labelled 0 is reached\Z"):
                Reach(xpg, mask(free))
    with pytest.raises(AttributeError):
        Reach(built()[0][1], 0).another = 1
    assert Reach.__slots__ == ("_seen", "_waiting", "_xpg", "free")


def test_a_cheapest_path_frees_what_a_path_needs_and_no_more():
    for parts, xpg, truth in built():
        for free in subsets(range(parts.m)):
            found = cheapest_path(xpg, mask(free))
            candidates = [freed for freed in parts.freed_on_ways_to_zero() if freed <= free]
            if not candidates:
                assert found is None
                continue
            assert type(found) is int
            assert unmask(found) in candidates
            if parts.is_tree() or parts.is_read_once():
                assert len(unmask(found)) == min(map(len, candidates))
                assert unmask(found) in minimal_sets(y for y in truth.weak_cxps if y <= free)


def test_droppable_and_necessary_are_their_definitions():
    for parts, xpg, truth in built():
        everything = frozenset(range(parts.m))
        for free in subsets(everything):
            spare = {v for v in free if free - {v} in truth.weak_cxps}
            assert droppable(xpg, mask(free)) == mask(spare)
            for fixed in (everything - free, everything, frozenset([0]), frozenset()):
                needed = {v for v in fixed if free | {v} in truth.weak_cxps}
                assert necessary(xpg, mask(fixed), mask(free)) == mask(needed)
