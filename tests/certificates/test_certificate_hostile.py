"""Certificates that are made to be slow: the time to refuse or accept them grows as the file does, not as its square.

Each kind is built at two sizes, the second four times the first.  A checker that is quadratic in it takes sixteen times
as long, as it once was.

``python tests/certificates/test_certificate_hostile.py`` prints what a step takes at worst, and memory for each byte.
"""

from __future__ import annotations

import gc
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from naive_issuer import certificate, header

from xpgcheck import check_certificate, embedded
from xpgcheck.certificates import issuing
from xpgcheck.check_certificate import check_lines

COLLIDING = 2**61 - 1
"""Integers that differ by it have one hash in CPython."""

TESTED = {"id": 0, "feature": "f0", "edges": [{"to": 1, "in": [0]}, {"to": 2, "in": [1]}]}
NO, YES = {"id": 1, "class": "n"}, {"id": 2, "class": "y"}


def features(count: int) -> list[dict[str, Any]]:
    return [{"name": f"f{i}", "domain": {"type": "boolean"}} for i in range(count)]


def model(tested: list[dict[str, Any]], *more: dict[str, Any], classes: tuple[str, str] = ("n", "y")) -> dict[str, Any]:
    nodes = [TESTED, {**NO, "class": classes[0]}, YES, *more]
    kept = {"format": "decision-graph", "version": 1, "name": "hostile"}
    return {**kept, "features": tested, "classes": list(classes), "root": 0, "nodes": nodes}


def family(count: int, **fields: Any) -> dict[str, Any]:
    empty: dict[str, Any] = {"closed": [], "points": [], "claims": []}
    return {"instance": [0] * count, "class": "n", "notion": "features", **empty, **fields}


def graph_file(graph: dict[str, Any], line: dict[str, Any]) -> bytes:
    return certificate(header("model", graph), [line])


def many_claims_on_a_large_point(n: int) -> bytes:
    """Messages with the whole pool, where nothing is wrong."""
    claim = {"kind": "AXp", "features": [], "verdict": "insufficient", "changes": 0}
    point = [[i, 1] for i in range(4 * n)]
    return graph_file(model(features(4 * n)), family(4 * n, points=[point], claims=[claim] * n))


def long_class(n: int) -> bytes:
    """A class name compared at each walk: names have at most 200 characters."""
    name = "n" * (100 * n)
    line = family(1, points=[[[0, 1]]] * (5 * n))
    return graph_file(model(features(1), classes=(name, "y")), {**line, "class": name})


def long_category(n: int) -> bytes:
    """A category compared at each walk."""
    name = "c" * (100 * n)
    tested = [{"name": "f0", "domain": {"type": "categorical", "values": [name, "d"]}}, *features(2)[1:]]
    graph = model(tested)
    graph["nodes"] = [
        {"id": 0, "feature": "f0", "edges": [{"to": 3, "in": [name]}, {"to": 1, "in": ["d"]}]}, NO, YES,
        {"id": 3, "feature": "f1", "edges": [{"to": 1, "in": [0]}, {"to": 2, "in": [1]}]},
    ]  # fmt: skip
    return graph_file(graph, {**family(2, points=[[[1, 1]]] * (5 * n)), "instance": [name, 0]})


def colliding_literals(n: int) -> bytes:
    """Literals with one hash: they have to be of the formula's variables."""
    lines = [[COLLIDING * k + 2 for k in range(1, 4 * n)], []]
    return graph_file(model(features(1)), family(1, complete={"method": "rup", "lines": lines}))


def colliding_nodes(n: int) -> bytes:
    """Ids of nodes with one hash: their texts are looked up, whose hashes nobody can foresee."""
    return graph_file(model(features(1), *({"id": COLLIDING * k, "class": "n"} for k in range(1, 4 * n))), family(1))


def deep_tree(n: int) -> bytes:
    """A branch for each feature: what was chosen above is not copied at each."""
    return graph_file(model(features(n)), family(n, complete={"method": "tree", "nodes": list(range(n))}))


def ensemble(trees: list[dict[str, Any]], tested: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    kept = {"format": "ensemble", "version": 1, "name": "hostile", "features": tested, "classes": ["n", "y"]}
    return {**kept, "rule": {"type": "majority", "ties": "first class"}, "trees": trees, **more}


def weighing(*rows: Any, **rule: Any) -> dict[str, Any]:
    """One terminal a tree, which adds one row."""
    end = [{"id": 0, "class": "a"}]
    trees = [{"name": "t", "root": 0, "nodes": end, "answers": {"a": row}} for row in rows]
    return ensemble(trees, features(1), rule={"type": "sum", "base": [0, 0], "arithmetic": "exact", **rule})


def many_denominators(n: int) -> bytes:
    """Weights whose common denominator would have as many digits as the file."""
    return graph_file(weighing(*([f"1/{10**30 + k}", 0] for k in range(n))), family(1))


def long_unit(n: int) -> bytes:
    """Small weights, each of which is large in the unit of one of them."""
    return graph_file(weighing([f"1/{7**400}", 0], *([1, 0] for _ in range(n))), family(1))


def many_ends(n: int) -> bytes:
    """Ends of literals that are long fractions, to be put in order."""
    ten = 10**399
    cuts = [f"{(k * 7919) % (20 * n)}/{ten - 1}" for k in range(20 * n)]
    edges = [{"to": k % 2 + 1, "in": [cut]} for k, cut in enumerate(cuts)]
    tree = {"name": "t", "root": 0, "nodes": [{"id": 0, "feature": "f0", "edges": edges}, NO, YES]}
    return graph_file(ensemble([tree], [{"name": "f0", "domain": {"type": "real"}}]), family(1))


def many_classes_that_vote(n: int) -> bytes:
    """A row a class has as many numbers as there are classes: of these there are at most a thousand."""
    names = [f"c{k}" for k in range(n)]
    end = {"name": "t", "root": 0, "nodes": [{"id": 0, "class": "c0"}]}
    return graph_file(ensemble([end] * (10 * n), features(1), classes=names), {**family(1), "class": "c0"})


def many_features_of_a_box(n: int) -> bytes:
    """A chain of cuts through as many features: what was cut above is not copied at each."""
    tree = {"name": "t", "root": 0, "nodes": [TESTED, NO, YES]}
    numbers = [x for k in range(1, n) for x in (k, 1)] + [-1] * n
    line = family(n, closed=[{"fixed": [0], "boxes": numbers}])
    return graph_file(ensemble([tree], features(n)), line)


KINDS: list[tuple[Callable[[int], bytes], int]] = [
    (many_denominators, 400),
    (long_unit, 2000),
    (many_ends, 20),
    (many_classes_that_vote, 200),
    (many_features_of_a_box, 2000),
    (many_claims_on_a_large_point, 400),
    (long_class, 1000),
    (long_category, 2000),
    (colliding_literals, 700),
    (colliding_nodes, 600),
    (deep_tree, 2000),
]


def seconds(data: bytes) -> float:
    lines = data.splitlines(keepends=True)
    taken = []
    for _ in range(3):
        gc.collect()
        start = time.process_time()
        check_lines(lines)
        taken.append(time.process_time() - start)
    return min(taken)


@pytest.mark.parametrize(("build", "size"), KINDS, ids=lambda value: getattr(value, "__name__", ""))
def test_time_grows_as_the_file_does(build: Callable[[int], bytes], size: int) -> None:
    small, large = build(size), build(4 * size)
    growth = len(large) / len(small)
    assert growth < 5
    # What is quadratic takes four times as long as what is linear, however often it is tried; a busy machine does not.
    assert any(seconds(large) < 2.2 * growth * seconds(small) + 0.02 for _ in range(10))


# ------------------------------------------------------------------------------------------------ what a step takes


def long_numbers(n: int) -> bytes:
    """Intervals between numbers of 400 digits, looked at by each of many points."""
    ten = 10**399
    sets = [[f"{ten // 3 + k}/{ten - 1}" for k in part] for part in (range(1), range(1, n))]
    tested = [{"name": "f0", "domain": {"type": "real"}}, *features(2)[1:]]
    graph = model(tested)
    graph["nodes"] = [
        {"id": 0, "feature": "f0", "edges": [{"to": 3, "in": sets[0]}, {"to": 1, "in": sets[1]}]}, NO, YES,
        {"id": 3, "feature": "f1", "edges": [{"to": 1, "in": [0]}, {"to": 2, "in": [1]}]},
    ]  # fmt: skip
    return graph_file(graph, {**family(2, points=[[[1, 1]]] * (20 * n)), "instance": [sets[0][0], 0]})


def many_points(n: int) -> bytes:
    """Points of one change: the most values for their bytes."""
    return graph_file(model(features(1)), family(1, points=[[[0, 1]]] * (50 * n)))


def refuted_units(n: int) -> bytes:
    """Lines of two literals, each of which follows from two clauses."""
    formula = {"variables": 2, "clauses": [[1, 2], [1, -2], [-1, 2], [-1, -2]]}
    line = {"mus": [0, 1, 2, 3], "refutation": [[1, 2]] * (50 * n) + [[1], []], "models": ["0", "2", "1", "3"]}
    return certificate(header("formula", formula), [line])


def deep_boxes(n: int) -> bytes:
    """Each of many small boxes has to be decided by many trees that are there once."""
    edges = [{"to": 1, "in": [f"[{k}, {k + 1})"]} for k in range(2 * n)]
    tree = {"name": "t", "root": 0, "nodes": [{"id": 0, "feature": "f0", "edges": edges}, NO]}
    numbers = [x for k in range(2, n) for x in (0, n - k)] + [-1] * (n - 1)
    tested = [{"name": "f0", "domain": {"type": "real", "low": 0, "high": n}}]
    return graph_file(ensemble([tree] * 20, tested), family(1, closed=[{"fixed": [], "boxes": numbers}]))


def many_boxes(n: int) -> bytes:
    """Boxes that are decided by one terminal: the least work for their bytes."""
    end = {"name": "t", "root": 0, "nodes": [{"id": 0, "class": "n"}]}
    closed = [{"fixed": [], "boxes": [0, 1, -1, -1]}] * (20 * n)
    return graph_file(ensemble([end], features(1)), family(1, closed=closed))


MEASURED = [(build, 4 * size) for build, size in KINDS] + [
    (long_numbers, 400),
    (many_points, 4000),
    (refuted_units, 100),
    (deep_boxes, 100),
    (many_boxes, 1000),
]


def issued(name: str) -> bytes:
    """Return what is issued of an embedded model: no hostile file, to compare with."""
    model = embedded.load(name)
    return issuing.certificate(model.graph, model.instances[:60]).encode()


def main() -> None:
    files = [(build.__name__, build(size)) for build, size in MEASURED]
    files += [(f"issued: {name}", issued(name)) for name in embedded.names()]
    for name, data in files:
        works: list[check_certificate.Work] = []

        class Noted(check_certificate.Work):
            def __init__(self) -> None:
                works.append(self)  # noqa: B023 - used in this round alone

        plain, check_certificate.Work = check_certificate.Work, Noted  # type: ignore[misc]
        taken = seconds(data)
        check_certificate.Work = plain  # type: ignore[misc]
        steps = check_certificate.FIRST_STEPS + check_certificate.STEPS_PER_BYTE * len(data) - works[-1].left
        lines = data.splitlines(keepends=True)
        tracemalloc.start()
        check_lines(lines)
        memory = tracemalloc.get_traced_memory()[1] / max(map(len, lines))
        tracemalloc.stop()
        print(
            f"{name:28} {len(data) / 1e6:6.2f} MB {taken:.2f} s {1e6 * taken / len(data):6.2f} µs per byte "
            f"{steps / len(data):7.2f} steps per byte {1e6 * taken / max(1, steps):7.2f} µs per step {memory:4.0f} × a line"
        )


if __name__ == "__main__":
    main()
