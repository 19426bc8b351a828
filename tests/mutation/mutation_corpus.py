"""Small seeded graphs, and what is true of them by brute force: no code of the modules under test is used for that."""

from __future__ import annotations

import itertools
import random
from dataclasses import astuple, dataclass
from functools import cache
from typing import NamedTuple

from xpgcheck.model.decision_graph import NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Categorical, Feature
from xpgcheck.model.labelled_graph import labelled_graph
from xpgcheck.model.value_sets import FiniteSet


@dataclass(frozen=True, eq=False)
class Parts:
    """An XpG as plain data."""

    m: int
    variable_of: tuple[int, ...]
    one_child: tuple[int, ...]
    zero_children: tuple[tuple[int, ...], ...]
    is_zero: bytes

    def children(self, node):
        one = self.one_child[node]
        return [*([one] if one >= 0 else []), *self.zero_children[node]]

    def build(self):
        # Imported late: where mutants are tested, the corpus is made before the mutated modules are imported.
        from xpgcheck.xpg.explanation_graph import ExplanationGraph

        names = tuple(f"s{i}" for i in range(self.m))
        return ExplanationGraph(names, self.variable_of, self.one_child, self.zero_children, self.is_zero)

    @cache  # noqa: B019 - the corpus lives as long as the process
    def reached(self, free):
        """The nodes that paths from the root meet when the features *free* are free."""
        found, new = frozenset(), {0}
        while new:
            found |= new
            new = {c for node in new for c in self.open_children(node, free)} - found
        return found

    def open_children(self, node, free):
        children = self.children(node)
        return children if self.variable_of[node] in free else children[: self.has_one(node)]

    def has_one(self, node):
        return int(self.one_child[node] >= 0)

    def changes(self, free):
        return any(self.is_zero[node] for node in self.reached(free))

    def paths(self, node=0):
        """Every path from *node* to a terminal, as lists of (node, label of the edge taken from it)."""
        if self.variable_of[node] < 0:
            yield [(node, None)]
        for label in (1, 0):
            following = self.zero_children[node] if label == 0 else ([self.one_child[node]] * self.has_one(node))
            for child in following:
                for path in self.paths(child):
                    yield [(node, label), *path]

    @cache  # noqa: B019
    def freed_on_ways_to_zero(self):
        """The sets of variables of the 0-edges of each path to a terminal labelled 0."""
        ending = (path for path in self.paths() if self.is_zero[path[-1][0]])
        return {frozenset(self.variable_of[node] for node, label in path if label == 0) for path in ending}

    @cache  # noqa: B019
    def is_tree(self):
        """Every node but the root has one incoming edge."""
        incoming = [c for node in range(len(self.variable_of)) for c in self.children(node)]
        return sorted(incoming) == list(range(1, len(self.variable_of)))

    @cache  # noqa: B019
    def is_read_once(self):
        """No path tests a variable twice."""
        tested = ([self.variable_of[node] for node, _ in path[:-1]] for path in self.paths())
        return all(len(set(variables)) == len(variables) for variables in tested)


class Truth(NamedTuple):
    """The weak XPs and XPs of a graph, by their definitions."""

    weak_axps: frozenset[frozenset[int]]
    weak_cxps: frozenset[frozenset[int]]
    axps: frozenset[frozenset[int]]
    cxps: frozenset[frozenset[int]]


def subsets(features):
    features = list(features)
    return [frozenset(s) for k in range(len(features) + 1) for s in itertools.combinations(features, k)]


def mask(features):
    return sum(2**i for i in set(features))


def unmask(number):
    return frozenset(i for i, digit in enumerate(reversed(bin(number)[2:])) if digit == "1")


def minimal_sets(sets):
    sets = list(sets)
    return frozenset(x for x in sets if not any(y < x for y in sets))


@cache
def truth(parts):
    everything = frozenset(range(parts.m))
    weak_cxps = frozenset(y for y in subsets(everything) if parts.changes(y))
    weak_axps = frozenset(x for x in subsets(everything) if everything - x not in weak_cxps)
    return Truth(weak_axps, weak_cxps, minimal_sets(weak_axps), minimal_sets(weak_cxps))


def _numbered(m, root, inner, zero_terminals, terminals):
    """Return the parts of the nodes reached from *root*, in a topological order with the root first."""
    order, state = [], {}
    stack = [(root, False)]
    while stack:
        node, left = stack.pop()
        if left:
            order.append(node)
        elif node not in state:
            state[node] = True
            stack.append((node, True))
            if node in inner:
                _, one, zeros = inner[node]
                children = [*zeros, *([one] if one is not None else [])]
                # In half of the graphs the way of the 1-edges gets the low numbers, in the others the high ones.
                stack.extend((c, False) for c in (children if len(inner) % 2 else reversed(children)))
    order.reverse()
    number = {node: k for k, node in enumerate(order)}
    variable_of = tuple(inner[n][0] if n in inner else -1 for n in order)
    one_child = tuple(number[inner[n][1]] if n in inner and inner[n][1] is not None else -1 for n in order)
    zeros = tuple(tuple(number[c] for c in inner[n][2]) if n in inner else () for n in order)
    assert all(n in inner or n in terminals for n in order)
    return Parts(m, variable_of, one_child, zeros, bytes([n in zero_terminals for n in order]))


def random_dag(rng):
    """Any labels, shared nodes, variables tested again on a path; the 1-path from the root ends in a terminal 1."""
    m, n = rng.randint(2, 6), rng.randint(2, 11)
    ones = rng.randint(1, 2)
    zeros_count = rng.randint(1, 2)
    terminals = list(range(n, n + ones + zeros_count))
    inner = {}
    for node in range(n):
        near = [*range(node + 1, min(node + 4, n)), rng.choice(terminals)]
        children = rng.sample(near, min(len(near), rng.choice([1, 2, 2, 2, 3, 4])))
        has_one = rng.random() < 0.8
        inner[node] = (rng.randrange(m), children[0] if has_one else None, children[1:] if has_one else children)
    # Make the 1-path end well.
    node = 0
    while node in inner:
        variable, one, zeros = inner[node]
        if one is None or one >= n + ones:
            one = n if n not in zeros else node + 1
            zeros = [c for c in zeros if c != one]
            inner[node] = (variable, one, zeros)
        node = one
    return _numbered(m, 0, inner, set(terminals[ones:]), terminals)


def random_tree(rng):
    """A tree with variables tested again on a path."""
    m = rng.randint(2, 6)
    budget = rng.randint(2, 10)
    inner, zero_terminals, terminals = {}, set(), []
    counter = itertools.count()

    def grow(on_ones, depth):
        nonlocal budget
        node = next(counter)
        if budget <= 0 or depth > 6 or (depth > 1 and rng.random() < 0.15):
            terminals.append(node)
            if not on_ones and rng.random() < 0.6:
                zero_terminals.add(node)
            return node
        budget -= 1
        has_one = on_ones or rng.random() < 0.8
        one = grow(on_ones, depth + 1) if has_one else None
        zeros = [grow(False, depth + 1) for _ in range(rng.choice([1, 1, 2, 0] if has_one else [1, 2]))]
        inner[node] = (rng.randrange(m), one, zeros)
        return node

    root = grow(True, 0)
    return _numbered(m, root, inner, zero_terminals, terminals)


def random_ordered(rng):
    """A read-once graph: edges lead to later variables."""
    m = rng.randint(2, 6)
    inner = {}
    below = ["one", "zero", "zero"]
    for variable in reversed(range(m)):
        level = []
        for position in range(1 if variable == 0 else rng.randint(1, 3)):
            children = list(dict.fromkeys(rng.choice(below[-5:]) for _ in range(rng.randint(2, 3))))
            one = children[0] if rng.random() < 0.85 else None
            name = (variable, position)
            inner[name] = (variable, one, children if one is None else children[1:])
            level.append(name)
        below += level
    # Make the 1-path end well: what would end badly ends in "one".
    node = (0, 0)
    while node in inner:
        variable, one, zeros = inner[node]
        if one in (None, "zero"):
            one = "one"
            inner[node] = (variable, one, [c for c in zeros if c != one])
        node = one
    return _numbered(m, (0, 0), inner, {"zero"}, ["one", "zero"])


BY_HAND = (
    # Node 2 has no 1-edge, and the last node is a terminal labelled 0.
    Parts(2, (0, -1, 1, -1), (1, -1, -1, -1), ((2,), (), (3,), ()), b"\0\0\0\1"),
    # Node 2 is met first with feature 0 freed; that path goes on to free 1, which alone is a CXp.
    Parts(2, (0, 1, 1, -1, -1), (1, 3, 3, -1, -1), ((2,), (2,), (4,), (), ()), b"\0\0\0\0\1"),
    # The path met first frees 0, 1 and 2; either 1 or 2 can go, but not both: the CXps are 0 and one of 1, 2 and 3.
    Parts(
        4,
        (2, 1, 0, 0, 3, 1, 0, -1, -1),
        (3, 5, 4, 8, 8, 8, 8, -1, -1),
        ((1, 2), (3,), (6,), (4, 5), (6, 5), (6,), (7,), (), ()),
        b"\0\0\0\0\0\0\0\1\0",
    ),
)
"""Graphs that random ones are seldom like; on the last two the cheapest path needs more than a CXp."""


@cache
def corpus():
    """A few hundred graphs: of any labels, trees, read-once ones, constant ones."""
    rng = random.Random(20)
    made = [make(rng) for _ in range(300) for make in (random_dag, random_tree, random_ordered)]
    made = list({astuple(parts): parts for parts in made}.values())
    rich = [parts for parts in made[60:] if len(truth(parts).axps) + len(truth(parts).cxps) > 3]
    constant = [Parts(m, (-1,), (-1,), ((),), b"\0") for m in (1, 3)]
    return (*constant, *BY_HAND, *made[:60], *rich)


@cache
def built():
    """The corpus with each graph built once: (parts, XpG, truth)."""
    return [(parts, parts.build(), truth(parts)) for parts in corpus()]


def random_case(rng):
    """A decision graph of nodes with one to four children, and a point: (graph, point).

    Literals of a node need not cover the domain where the point does not get to it.
    """
    while True:
        m = rng.randint(1, 4)
        domains = [
            Boolean() if rng.random() < 0.3 else Categorical(tuple("abcd"[: rng.randint(2, 4)])) for _ in range(m)
        ]
        values = [sorted(domain.all_values().values, key=str) for domain in domains]
        classes = rng.randint(2, 3)
        n = rng.randint(0, 9)
        nodes = {n + k: Terminal(k) for k in range(classes)}
        for node in range(n):
            feature = rng.randrange(m)
            left = rng.sample(values[feature], len(values[feature]))
            edges, targets = [], rng.sample(range(node + 1, n + classes), min(4, n + classes - node - 1))
            while left and targets:
                take = rng.choice([1, 1, max(1, len(left) - 1)]) if len(targets) > 1 else len(left)
                edges.append((targets.pop(), FiniteSet(frozenset(left[:take]))))
                left = left[take:]
            if len(edges) > 1 and rng.random() < 0.5:
                edges.pop(rng.randrange(len(edges)))
            nodes[node] = NonTerminal(feature, tuple(edges))
        reached, stack = set(), [0]
        while stack:
            node = stack.pop()
            if node not in reached:
                reached.add(node)
                if isinstance(nodes[node], NonTerminal):
                    stack += [child for child, _ in nodes[node].edges]
        features = [Feature(f"f{i}", domain) for i, domain in enumerate(domains)]
        kept = {node: nodes[node] for node in sorted(reached)}
        graph = decision_graph("random", features, [f"c{k}" for k in range(classes)], kept, 0)
        point = tuple(rng.choice(choices) for choices in values)
        try:
            graph.kappa(point)
        except ValueError:
            continue
        return graph, point


@cache
def prepared():
    """Work out what is true of the corpus, path by path too; that stays in memory."""
    for parts in corpus():
        for free in subsets(range(parts.m)):
            parts.reached(free)
        truth(parts)
        parts.freed_on_ways_to_zero()
        parts.is_tree()
        parts.is_read_once()
    cases()


@cache
def cases():
    rng = random.Random(21)
    return [random_case(rng) for _ in range(300)]


def labelled(parts):
    """The graph of *parts* as an `.xpg` file would give it, its edges labelled 0 first where the node's number is odd."""
    nodes = {}
    for node, variable in enumerate(parts.variable_of):
        if variable < 0:
            nodes[node] = not parts.is_zero[node]
            continue
        ones = [(parts.one_child[node], True)] * parts.has_one(node)
        zeros = [(child, False) for child in parts.zero_children[node]]
        nodes[node] = (variable, tuple(zeros + ones if node % 2 else ones + zeros))
    return labelled_graph("labelled", [f"s{i}" for i in range(parts.m)], nodes, 0)
