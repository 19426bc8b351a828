"""All graphs of a size by trying everything, by the text of the definition: no code is shared with the generator."""

import itertools
from collections.abc import Iterator

Graph = tuple[tuple[int, tuple[object, ...]], ...]
"""For each node its feature, and what each value leads to: "n1", "c0", or None."""


def labelled(nodes: int, features: int, values: int, classes: int) -> Iterator[Graph]:
    """Yield every graph with node 0 as its root, all nodes named, whatever assumptions it breaks; no cycles, all reached."""
    ends = [f"c{number}" for number in range(classes)]
    if not nodes:
        return
    choices = []
    for node in range(nodes):
        targets = [None, *ends, *[f"n{other}" for other in range(1, nodes) if other != node]]
        choices.append(list(itertools.product(range(features), itertools.product(targets, repeat=values))))
    for graph in itertools.product(*choices):
        if all(any(target for target in row) for _, row in graph) and whole(graph):
            yield graph


def whole(graph: Graph) -> bool:
    """Tell whether all nodes are reached and none twice on a path."""
    reached = set()

    def walk(node: int, above: tuple[int, ...]) -> bool:
        reached.add(node)
        below = {int(target[1:]) for target in graph[node][1] if target and str(target)[0] == "n"}
        return not below & {node, *above} and all(walk(child, (*above, node)) for child in below)

    return walk(0, ()) and len(reached) == len(graph)


def assumptions(graph: Graph, features: int, values: int) -> tuple[bool, bool]:
    """Return whether (i) and whether (ii) holds, by looking at each path."""
    partition = consistent = True

    def walk(node: int, left: list[set[int]]) -> None:
        nonlocal partition, consistent
        feature, row = graph[node]
        for target in set(row):
            literal = {value for value in range(values) if row[value] == target}
            rest = left[feature] & literal
            if target is None:
                partition = partition and not rest
                continue
            consistent = consistent and bool(rest)
            if str(target)[0] == "n":
                walk(int(str(target)[1:]), [rest if f == feature else left[f] for f in range(features)])

    walk(0, [set(range(values)) for _ in range(features)])
    return partition, consistent


def renamed(graph: Graph, features: int, values: int, classes: int) -> Iterator[Graph]:
    """Yield what *graph* becomes by every renaming of nodes but the root, features, values but 0, and classes."""
    nodes = range(1, len(graph))
    orders = [order for order in itertools.permutations(range(values)) if order[0] == 0]
    for node, feature, value, end in itertools.product(
        itertools.permutations(nodes),
        itertools.permutations(range(features)),
        itertools.product(orders, repeat=features),
        itertools.permutations(range(classes)),
    ):
        number = {0: 0, **dict(zip(nodes, node, strict=True))}
        names = {None: None, **{f"n{old}": f"n{new}" for old, new in number.items()}}
        names |= {f"c{old}": f"c{new}" for old, new in enumerate(end)}
        found: list[tuple[int, tuple[object, ...]]] = [(0, ())] * len(graph)
        for old, (tested, row) in enumerate(graph):
            targets: list[object] = [None] * values
            for before, target in enumerate(row):
                targets[value[tested][before]] = names[target]  # type: ignore[index]
            found[number[old]] = feature[tested], tuple(targets)
        yield tuple(found)


def kinds(graphs: Iterator[Graph], features: int, values: int, classes: int) -> int:
    """Return how many of *graphs* no renaming makes equal."""
    seen: set[Graph] = set()
    count = 0
    for graph in graphs:
        if graph not in seen:
            count += 1
            seen.update(renamed(graph, features, values, classes))
    return count
