"""A fitted pipeline's attributes, replayed on its own ``transform``: at every end of an interval and every category.

Attributes of another version could mean something else than they did; what ``transform`` returns is what the model gets.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from xpgcheck.columns.encoded import EncodedColumn, cells_of
from xpgcheck.columns.steps import TableCell
from xpgcheck.errors import InputError, shown
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Categorical, Float64
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.ieee754 import BINARY32
from xpgcheck.model.value_sets import IntervalSet
from xpgcheck.model.values import MISSING

LARGEST = float(BINARY32.highest)


def check_replayed(
    pipeline: Any, columns: Sequence[EncodedColumn], model: DecisionGraph | Ensemble, names: Sequence[str] | None
) -> None:
    """Compare what the steps before the last one make of a table with *columns*, one column of the table after the other.

    The table has every category, every end of an interval of *model* and the numbers next to it; its columns have *names*
    if the pipeline was fitted to any.  Raises ``InputError`` with the column and the value where the two differ.  Linear in
    ends and columns.
    """
    places = [(i, cell) for i in range(len(model.features)) for cell in replayed_cells(model, i)]
    if not places:
        return
    table = _table(model, places, names)
    if table is None:
        return
    try:
        got = _through(pipeline, table)
    except Exception as error:
        # Each transformer has errors of its own for what it does not take.
        problem = f"its steps do not take a row of their own categories and thresholds: {shown(str(error))}"
        raise InputError(problem, mend="explain its last step alone, with rows as that step gets them") from None
    for row, (original, cell) in enumerate(places):
        for k, column in enumerate(columns):
            if column.original == original and not _same(got[row][k], column.value(cell)):
                place = f"column {shown(model.features[original].name)}"
                problem = (
                    f"the pipeline makes {got[row][k]!r} of {cell!r}, and its attributes say {column.value(cell)!r}"
                )
                mend = "explain its last step alone, with rows as that step gets them"
                raise InputError(problem, place=place, mend=mend)


def replayed_cells(model: DecisionGraph | Ensemble, feature: int) -> list[TableCell]:
    """Return the cells of a column at which the pipeline is replayed; none of one that it drops or passes as it is."""
    domain = model.features[feature].domain
    if isinstance(domain, Categorical):
        return [float(cell) if isinstance(cell, Fraction) else cell for _, cell in cells_of(domain)]
    if not isinstance(domain, Float64):
        return []
    ends = {0.0}
    for part in model.cells[feature]:
        assert isinstance(part, IntervalSet)
        for span in part.intervals():
            ends.update(float(end) for end in (span.low, span.high) if end is not None)
    near = {math.nextafter(end, way) for end in ends for way in (math.inf, -math.inf)}
    found: list[TableCell] = [number for number in sorted(ends | near) if abs(number) <= LARGEST]
    return [*found, MISSING] if domain.missing else found


def _table(
    model: DecisionGraph | Ensemble, places: Sequence[tuple[int, TableCell]], names: Sequence[str] | None
) -> Any:
    """Return a table with a row for each of *places*, other columns at their first cell; None for names without pandas."""
    first = [next(iter(replayed_cells(model, i)), None) for i in range(len(model.features))]
    columns: list[list[object]] = []
    for i, cell in enumerate(first):
        own = [given if original == i else cell for original, given in places]
        columns.append([math.nan if value is MISSING else value for value in own])
    if names is not None:
        try:
            import pandas
        except ImportError:
            return None
        return pandas.DataFrame(dict(zip(names, columns, strict=True)))
    import numpy

    if all(isinstance(feature.domain, Float64) for feature in model.features):
        return numpy.array(columns, dtype=float).T
    table = numpy.empty((len(places), len(columns)), dtype=object)
    for i, values in enumerate(columns):
        table[:, i] = values
    return table


def _through(pipeline: Any, table: Any) -> Any:
    """Return what the steps before the last one make of *table*, as an array."""
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        while True:
            if len(pipeline.steps) > 1:
                table = pipeline[:-1].transform(table)
            last = pipeline.steps[-1][1]
            if not hasattr(last, "steps"):
                break
            pipeline = last
    if hasattr(table, "toarray"):
        table = table.toarray()
    return table.to_numpy() if hasattr(table, "to_numpy") else table


def _same(got: Any, said: TableCell) -> bool:
    if said is MISSING:
        return bool(got is None or got != got)
    return bool(got == said)
