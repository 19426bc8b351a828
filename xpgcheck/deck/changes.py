"""Changes of a shape that leave its families as they are, up to the numbers of features."""

from __future__ import annotations

import itertools

from xpgcheck.deck.shapes import CaseShape, Test


def with_spares(shape: CaseShape, before: int, between: int = 0, after: int = 0) -> CaseShape:
    """Return *shape* with features that no node tests: in front, after every one of its own, and at the end."""
    place = [before + i * (1 + between) for i in range(len(shape.levels))]
    count = before + len(shape.levels) * (1 + between) + after
    levels = [2] * count
    for i, own in enumerate(shape.levels):
        levels[place[i]] = own
    nodes: dict[str, Test | int] = {
        name: node if isinstance(node, int) else Test(place[node.feature], node.edges)
        for name, node in shape.nodes.items()
    }
    asked = []
    for comment, point in shape.asked:
        moved = [0] * count
        for i, level in enumerate(point):
            moved[place[i]] = level
        asked.append((comment, tuple(moved)))
    return CaseShape(tuple(levels), nodes, tuple(asked))


def below_idle_nodes(shape: CaseShape, depth: int) -> CaseShape:
    """Return *shape* at the end of a path of *depth* nodes with one child each, which test its features in turn."""
    first = next(iter(shape.nodes))
    nodes: dict[str, Test | int] = {}
    for k in range(depth):
        feature = k % len(shape.levels)
        after = f"i{k + 1}" if k + 1 < depth else first
        nodes[f"i{k}"] = Test(feature, ((after, tuple(range(shape.levels[feature]))),))
    return CaseShape(shape.levels, {**nodes, **shape.nodes}, shape.asked)


def below_diamonds(shape: CaseShape, count: int) -> CaseShape:
    """Return *shape* at the end of *count* diamonds, over features of their own that are in no XP."""
    first, own = next(iter(shape.nodes)), len(shape.levels)
    nodes: dict[str, Test | int] = {}
    for k in range(count):
        after = f"j{k + 1}" if k + 1 < count else first
        nodes[f"j{k}"] = Test(own + k, ((f"jl{k}", (0,)), (f"jr{k}", (1,))))
        for side in ("jl", "jr"):
            nodes[f"{side}{k}"] = Test(k % own, ((after, tuple(range(shape.levels[k % own]))),))
    asked = tuple((comment, (*point, *[k % 2 for k in range(count)])) for comment, point in shape.asked)
    return CaseShape((*shape.levels, *[2] * count), {**nodes, **shape.nodes}, asked)


def unfolded(shape: CaseShape, least: int) -> CaseShape:
    """Return *shape* with more nodes, at least *least* if it can be: shared nodes are copied for each of their parents."""
    nodes, numbers = dict(shape.nodes), itertools.count(2)
    while len(nodes) < least:
        entered: dict[str, list[tuple[str, int]]] = {}
        for name, node in nodes.items():
            for position, (child, _) in enumerate(node.edges if isinstance(node, Test) else ()):
                entered.setdefault(child, []).append((name, position))
        shared = [child for child, parents in entered.items() if len(parents) > 1]
        if not shared:
            break
        for child in shared:
            for parent, position in entered[child][1:]:
                copy = f"{child}'{next(numbers)}"
                nodes[copy] = nodes[child]
                test = nodes[parent]
                assert isinstance(test, Test)
                edges = list(test.edges)
                edges[position] = (copy, edges[position][1])
                nodes[parent] = Test(test.feature, tuple(edges))
            if len(nodes) >= least:
                break
    return CaseShape(shape.levels, nodes, shape.asked)


def reversed_edges(shape: CaseShape) -> CaseShape:
    """Return *shape* with the edges of every node in the opposite order."""
    nodes: dict[str, Test | int] = {
        name: node if isinstance(node, int) else Test(node.feature, node.edges[::-1])
        for name, node in shape.nodes.items()
    }
    return CaseShape(shape.levels, nodes, shape.asked)


def asked_at(shape: CaseShape, *numbers: int) -> CaseShape:
    """Return *shape* with some of its instances."""
    return shape._replace(asked=tuple(shape.asked[number] for number in numbers))


def asked_everywhere(shape: CaseShape, most: int = 6) -> CaseShape:
    """Return *shape* with further instances: every level of its first feature, the others as in the first instance."""
    known = {point for _, point in shape.asked}
    first = shape.asked[0][1]
    more = [(f"level {level}", (level, *first[1:])) for level in range(shape.levels[0])]
    return shape._replace(asked=(*shape.asked, *[one for one in more if one[1] not in known])[:most])


def asked_one_by_one(shape: CaseShape) -> CaseShape:
    """Return *shape* with further instances: each feature at level 1 alone."""
    count = len(shape.levels)
    ones = [tuple(int(i == k) for i in range(count)) for k in range(count)]
    return shape._replace(asked=(*shape.asked[:2], *((f"feature {k} alone", point) for k, point in enumerate(ones))))
