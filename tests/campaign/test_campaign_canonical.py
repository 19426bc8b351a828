"""Canonical forms of small structures, against known numbers of graphs up to isomorphism and against all renamings."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from xpgcheck.campaign.canonical import Arc, canonical_form

Structure = tuple[Sequence[str], Sequence[Arc]]


def renamed(structure: Structure, order: Sequence[int]) -> Structure:
    """Return *structure* with vertex i called ``order[i]``, and its arcs in another order."""
    colours, arcs = structure
    named = dict(zip(order, colours, strict=True))
    moved = [(order[tail], order[head], label) for tail, head, label in arcs]
    random.Random(len(arcs)).shuffle(moved)
    return [named[i] for i in range(len(colours))], moved


def undirected(count: int, edges: Iterable[tuple[int, int]]) -> Structure:
    """Return a graph as a structure."""
    arcs = [(a, b, "e") for one, other in edges for a, b in ((one, other), (other, one))]
    return ["v"] * count, arcs


def form(structure: Structure) -> str:
    found = canonical_form(*structure)
    assert found.exact
    return found.text


def subsets(items: Sequence[Arc]) -> Iterable[list[Arc]]:
    for mask in range(1 << len(items)):
        yield [item for i, item in enumerate(items) if mask >> i & 1]


# The numbers of digraphs and graphs with so many vertices, up to isomorphism: A000273 and A000088 of the OEIS.
@pytest.mark.parametrize(("count", "known"), [(1, 1), (2, 3), (3, 16), (4, 218)])
def test_as_many_forms_as_digraphs(count: int, known: int) -> None:
    pairs = [(a, b, "e") for a, b in itertools.permutations(range(count), 2)]
    assert len({form((["v"] * count, arcs)) for arcs in subsets(pairs)}) == known


@pytest.mark.parametrize(("count", "known"), [(3, 4), (4, 11), (5, 34), pytest.param(6, 156, marks=pytest.mark.slow)])
def test_as_many_forms_as_graphs(count: int, known: int) -> None:
    pairs = list(itertools.combinations(range(count), 2))
    found = {
        form(undirected(count, [pair for i, pair in enumerate(pairs) if mask >> i & 1]))
        for mask in range(1 << len(pairs))
    }
    assert len(found) == known


def test_colours_and_labels_by_all_renamings() -> None:
    """Every structure of three vertices, two colours and two labels: equal forms exactly where a renaming leads over."""
    pairs = list(itertools.permutations(range(3), 2))
    representatives: dict[str, object] = {}
    for colours in itertools.product("rb", repeat=3):
        for labels in itertools.product(("", "x", "y"), repeat=len(pairs)):
            arcs = [(a, b, label) for (a, b), label in zip(pairs, labels, strict=True) if label]
            least = min(
                json.dumps([c, sorted(a)])
                for c, a in (renamed((colours, arcs), order) for order in itertools.permutations(range(3)))
            )
            assert representatives.setdefault(form((colours, arcs)), least) == least
    assert len(set(map(str, representatives.values()))) == len(representatives)


@st.composite
def structures(draw: st.DrawFn) -> Structure:
    count = draw(st.integers(1, 12))
    colours = draw(st.lists(st.sampled_from("rgb"), min_size=count, max_size=count))
    vertex = st.integers(0, count - 1)
    arcs = draw(st.sets(st.tuples(vertex, vertex, st.sampled_from("xy")), max_size=3 * count))
    return colours, sorted(arcs)


@given(structures(), st.randoms(use_true_random=False))
def test_a_renaming_has_the_same_form(structure: Structure, dice: random.Random) -> None:
    order = list(range(len(structure[0])))
    dice.shuffle(order)
    assert form(renamed(structure, order)) == form(structure)


@given(st.lists(st.integers(3, 6), min_size=1, max_size=4), st.data())
def test_cycles_side_by_side(lengths: list[int], data: st.DataObject) -> None:
    """Regular graphs, of which refinement sees nothing: what decides is which way is taken, and when one is given up."""
    starts = itertools.accumulate(lengths, initial=0)
    count = sum(lengths)
    structure = undirected(
        count, [edge for start, length in zip(starts, lengths, strict=False) for edge in cycle(start, length)]
    )
    assert form(renamed(structure, data.draw(st.permutations(range(count))))) == form(structure)


@given(structures(), st.data())
def test_an_arc_more_is_another_form(structure: Structure, data: st.DataObject) -> None:
    colours, arcs = structure
    vertex = st.integers(0, len(colours) - 1)
    arc = data.draw(st.tuples(vertex, vertex, st.sampled_from("xy")).filter(lambda arc: arc not in arcs))
    assert form((colours, [*arcs, arc])) != form(structure)


def cycle(start: int, length: int) -> list[tuple[int, int]]:
    return [(start + i, start + (i + 1) % length) for i in range(length)]


def rook() -> Structure:
    """The 4 × 4 rook's graph."""
    squares = list(itertools.product(range(4), repeat=2))
    pairs = itertools.combinations(range(16), 2)
    return undirected(
        16, [p for p in pairs if (squares[p[0]][0] == squares[p[1]][0]) != (squares[p[0]][1] == squares[p[1]][1])]
    )


def shrikhande() -> Structure:
    """The Shrikhande graph: strongly regular with the parameters of the rook's graph, and another graph."""
    steps = {(0, 1), (0, 3), (1, 0), (3, 0), (1, 1), (3, 3)}
    squares = list(itertools.product(range(4), repeat=2))
    pairs = itertools.combinations(range(16), 2)
    return undirected(
        16,
        [
            (a, b)
            for a, b in pairs
            if ((squares[a][0] - squares[b][0]) % 4, (squares[a][1] - squares[b][1]) % 4) in steps
        ],
    )


ALIKE = [
    (undirected(6, cycle(0, 6)), undirected(6, cycle(0, 3) + cycle(3, 3))),
    (undirected(16, cycle(0, 16)), undirected(16, cycle(0, 8) + cycle(8, 8))),
    (rook(), shrikhande()),
]


@pytest.mark.parametrize("pair", ALIKE)
def test_what_refinement_cannot_tell_apart(pair: tuple[Structure, Structure]) -> None:
    """The search is needed: without it, as where there is no work left, these have one form."""
    one, other = pair
    assert form(one) != form(other)
    assert canonical_form(*one, work=0) == canonical_form(*other, work=0)


@pytest.mark.parametrize(
    "structure",
    [
        rook(),
        shrikhande(),
        undirected(14, itertools.combinations(range(14), 2)),
        undirected(14, []),
        undirected(32, [(a, a ^ 1 << bit) for a in range(32) for bit in range(5) if a < a ^ 1 << bit]),
        undirected(24, [edge for k in range(6) for edge in cycle(4 * k, 4)]),
    ],
    ids=["rook", "Shrikhande", "complete", "empty", "cube", "squares"],
)
def test_many_symmetries_are_no_long_search(structure: Structure) -> None:
    dice = random.Random(1)
    order = list(range(len(structure[0])))
    found = form(structure)
    for _ in range(2):
        dice.shuffle(order)
        assert form(renamed(structure, order)) == found


@pytest.mark.parametrize(
    "structure",
    [
        undirected(12, cycle(0, 3) + cycle(3, 3) + cycle(6, 6)),
        undirected(17, cycle(0, 5) + cycle(5, 4) + cycle(9, 4) + cycle(13, 4)),
        undirected(32, [(a, b) for a, b, _ in rook()[1]] + [(a + 16, b + 16) for a, b, _ in shrikhande()[1]]),
    ],
    ids=["cycles of 3 and 6", "cycles of 4 and 5", "rook and Shrikhande"],
)
def test_symmetric_parts_that_differ_are_all_looked_at(structure: Structure) -> None:
    """Refinement sees one class of vertices, and which part is tried first depends on their names: the form must not."""
    dice = random.Random(3)
    order = list(range(len(structure[0])))
    forms = {form(structure)}
    for _ in range(4):
        dice.shuffle(order)
        forms.add(form(renamed(structure, order)))
    assert len(forms) == 1


def test_beyond_the_limits_the_form_says_so_and_is_still_that_of_renamings() -> None:
    structure = undirected(700, [edge for k in range(100) for edge in cycle(7 * k, 7)])
    found = canonical_form(*structure)
    order = list(range(700))
    random.Random(2).shuffle(order)
    assert not found.exact
    assert canonical_form(*renamed(structure, order)) == found
    assert found != canonical_form(*undirected(700, [edge for k in range(99) for edge in cycle(7 * k, 7)]))
