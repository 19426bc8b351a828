"""The same κ: a graph against what the source library predicts, on the points where a reader can go wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from xpgcheck.errors import InstanceError, XpgcheckError
from xpgcheck.model.decision_graph import DecisionGraph, Literal
from xpgcheck.model.domains import Float32, Float64, read_value
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import IntervalSet
from xpgcheck.model.values import Value

Table = NDArray[np.float64]

LARGEST_FLOAT32 = float(np.finfo(np.float32).max)

SPECIAL = (0.0, -0.0, 1e-35, -1e-35, 1.0000000180025095e-35, 1e-45, -1e-45, 5e-324, 3.4028234663852886e38, -3.4e38)


def neighbours(value: float) -> list[float]:
    """Return *value*, the float32 numbers next to it, the float64 numbers next to it, and where a cast has to round."""
    found = [value, float(np.nextafter(value, np.inf)), float(np.nextafter(value, -np.inf))]
    if abs(value) > LARGEST_FLOAT32:
        return found
    single = np.float32(value)
    for other in (np.nextafter(single, np.float32(np.inf)), np.nextafter(single, np.float32(-np.inf)), single):
        found += [float(other), (float(other) + float(single)) / 2]
    return [x for x in found if abs(x) <= LARGEST_FLOAT32]


def literals_of(graph: DecisionGraph | Ensemble) -> list[Literal]:
    """Return the literals of a graph, or of all trees of an ensemble."""
    trees = graph.trees if isinstance(graph, Ensemble) else [graph]
    return [literal for tree in trees for literal in tree.literals]


def interesting(graph: DecisionGraph | Ensemble, feature: int, more: Iterable[float] = ()) -> list[float]:
    """Return the numbers at which κ can change along *feature*, their neighbours, and *more*."""
    ends: set[float] = set()
    for literal in literals_of(graph):
        if literal.feature == feature and isinstance(literal.values, IntervalSet):
            for span in literal.values.intervals():
                ends.update(float(end) for end in (span.low, span.high) if end is not None)
    found = {x for end in ends for x in neighbours(end)} | set(SPECIAL) | set(more)
    missing = getattr(graph.features[feature].domain, "missing", False)
    return [*sorted(found), *([float("nan")] if missing else [])]


def table(graph: DecisionGraph | Ensemble, count: int, seed: int, more: Sequence[Iterable[float]] = ()) -> Table:
    """Return *count* rows: every interesting number of every feature at least once, combined at random.

    Of many rows the last quarter is random numbers of every size, the missing value among them where the domain has it.
    """
    rng = np.random.default_rng(seed)
    columns = []
    anywhere = count // 4 if count >= 4000 else 0
    for feature in range(len(graph.features)):
        numbers = interesting(graph, feature, more[feature] if more else ())
        first = count - anywhere
        column = rng.permutation(np.resize(np.array(numbers), max(first, len(numbers))))
        column = column[:first] if len(numbers) <= first else rng.choice(np.array(numbers), first)
        found = random_numbers(rng, anywhere)
        if numbers[-1] != numbers[-1]:
            found[rng.random(anywhere) < 0.1] = np.nan
        columns.append(np.concatenate([column, found]))
    return np.column_stack(columns)


def random_numbers(rng: np.random.Generator, count: int) -> Table:
    """Return float64 numbers, half of them about one in size, half of any size that float32 has."""
    sizes = np.where(rng.random(count) < 0.5, 0, rng.integers(-38, 38, count))
    found: Table = rng.normal(size=count) * 10.0**sizes
    return found


def kappa(graph: DecisionGraph, rows: Table) -> list[str]:
    """Return the class of each row, read as instances are read."""
    known: list[dict[object, Value]] = [{} for _ in graph.features]
    classes = []
    for row in rows.tolist():
        point = []
        for feature, number in enumerate(row):
            key = "nan" if number != number else number
            if key not in known[feature]:
                known[feature][key] = read_value(graph.features[feature].domain, number)
            point.append(known[feature][key])
        classes.append(graph.classes[graph.kappa(tuple(point))])
    return classes


def predicted(model: Any, rows: Table) -> Any:
    """Return ``model.predict(rows)``; sums of huge numbers in its checks may overflow."""
    with np.errstate(all="ignore"):
        return model.predict(rows)


def assert_same(graph: DecisionGraph, rows: Table, labels: Iterable[object]) -> int:
    """Hold κ to the predictions, row by row; return how many rows there were."""
    expected = [str(label) for label in labels]
    found = kappa(graph, rows)
    wrong = [(row, a, b) for row, a, b in zip(rows.tolist(), found, expected, strict=True) if a != b]
    assert not wrong, f"{len(wrong)} of {len(expected)} differ, the first: {wrong[0]}"
    return len(expected)


def assert_infinities_are_no_values(graph: DecisionGraph) -> None:
    """Assert that infinities, where the source takes them, behave as the largest numbers do; the domain is finite."""
    for feature in graph.features:
        if isinstance(feature.domain, (Float32, Float64)):
            for number in (float("inf"), float("-inf")):
                try:
                    read_value(feature.domain, number)
                except InstanceError:
                    continue
                raise AssertionError(f"{number} is in the domain of {feature.name}")


def refusal(read: Callable[[], object]) -> str:
    """Return the line that *read* refuses its file with, empty where it reads it; any other exception passes."""
    try:
        read()
    except XpgcheckError as error:
        return str(error)
    return ""


def random_data(seed: int, rows: int = 400, features: int = 4, missing: bool = True) -> tuple[Table, NDArray[np.int64]]:
    """Return training data with ties at few distinct values, tiny and large numbers, zeros and missing values."""
    rng = np.random.default_rng(seed)
    data = rng.normal(size=(rows, features))
    data[:, 0] = np.round(data[:, 0], 1)
    data[:, 1] *= 10.0 ** rng.integers(-38, 30, size=rows)
    if features > 2:
        data[:, 2] = rng.integers(0, 12, size=rows)
    labels = (data[:, 0] > 0) ^ (data[:, -1] > 0.5) ^ (rng.random(rows) < 0.2)
    if features > 2:
        labels ^= np.isin(data[:, 2], (1, 4, 5, 11))
    if missing:
        data[rng.random(data.shape) < 0.1] = np.nan
    return data, labels.astype(np.int64)
