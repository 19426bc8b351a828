"""Scalers and imputers of scikit-learn as steps, with the operations of their ``transform`` in its order."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xpgcheck.columns.encoded import EncodedColumn
from xpgcheck.columns.steps import Clip, Fill, IsMissing, Minus, Monotone, Over, Plus, Step, TableCell, Times
from xpgcheck.errors import InputError, shown
from xpgcheck.model.ieee754 import BINARY32
from xpgcheck.model.values import MISSING
from xpgcheck.readers.fields import damaged
from xpgcheck.readers.fitted_parts import FittedPart
from xpgcheck.readers.sklearn_columns import EncodedColumns, Known, check_width, plain_cell


def standard(part: FittedPart, table: EncodedColumns, known: Known) -> EncodedColumns:
    """Return *table* through a ``StandardScaler``: ``X -= mean_``, ``X /= scale_``."""
    means = _numbers(part, "mean_") if part.constant("with_mean") is True else None
    scales = _scales(part) if part.constant("with_std") is True else None
    return _scaled(part, table, [(Minus, means), (_divided(table), scales)])


def min_max(part: FittedPart, table: EncodedColumns, known: Known) -> EncodedColumns:
    """Return *table* through a ``MinMaxScaler``: ``X *= scale_``, ``X += min_``, and clipped if it clips."""
    scaled = _scaled(part, table, [(Times, _numbers(part, "scale_")), (Plus, _numbers(part, "min_"))])
    if part.constant("clip") is not True:
        return scaled
    ends = [_finite(end) for end in part.constants("feature_range")]
    if len(ends) != 2:
        raise damaged("the range is not there", "feature_range")
    low, high = ends
    return _each(scaled, [(Clip(low, high),)] * len(scaled.columns))


def max_abs(part: FittedPart, table: EncodedColumns, known: Known) -> EncodedColumns:
    """Return *table* through a ``MaxAbsScaler``: ``X /= scale_``, and clipped if it clips."""
    scaled = _scaled(part, table, [(_divided(table), _scales(part))])
    if part.constant("clip") is not True:
        return scaled
    return _each(scaled, [(Clip(-1.0, 1.0),)] * len(scaled.columns))


def robust(part: FittedPart, table: EncodedColumns, known: Known) -> EncodedColumns:
    """Return *table* through a ``RobustScaler``: ``X -= center_``, ``X /= scale_``."""
    centers = _numbers(part, "center_") if part.constant("with_centering") is True else None
    scales = _scales(part) if part.constant("with_scaling") is True else None
    return _scaled(part, table, [(Minus, centers), (_divided(table), scales)])


def multiplied(table: EncodedColumns, weight: float) -> EncodedColumns:
    """Return *table* times *weight*, as a ``ColumnTransformer`` with weights has it."""
    _refuse_single(table)
    return _each(table, [(Times(_finite(weight)),)] * len(table.columns))


def imputer(part: FittedPart, table: EncodedColumns, known: Known) -> EncodedColumns:
    """Return *table* through a ``SimpleImputer``: a value for what is missing, columns with none left out, indicators."""
    mark = plain_cell(part.constant("missing_values"))
    statistics = [plain_cell(raw) for raw in part.constants("statistics_")]
    check_width(table, len(statistics), part.kind)
    kept = part.constant("keep_empty_features") is True
    single = part.dtype("_fill_dtype") == "float32"
    found = []
    for column, value in zip(table.columns, statistics, strict=True):
        if mark is not MISSING and any(isinstance(step, Monotone) for step in column.steps):
            problem = f"the value {shown(mark)} stands for a missing one after a scaler"
            raise InputError(problem, mend="impute before scaling")
        if value is MISSING and not kept:
            continue
        found.append(column.then(Fill(_same_kind(mark), _filled(value, single))))
    if part.has("indicator_"):
        indicator = part.child("indicator_")
        for index in indicator.constants("features_"):
            if not isinstance(index, int) or not 0 <= index < len(table.columns):
                raise damaged("the indicator's columns are not there", "indicator_")
            found.append(table.columns[index].then(IsMissing(_same_kind(mark))))
    return EncodedColumns(tuple(found), table.sparse, table.single)


def _same_kind(mark: TableCell) -> TableCell:
    """Return *mark*, a number as a float."""
    return float(mark) if isinstance(mark, (int, float)) and not isinstance(mark, bool) else mark


def _filled(value: TableCell, single: bool) -> TableCell:
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return BINARY32.rounded(float(value)) if single else float(value)
    return value


Make = Callable[[float], Step]
"""Makes the step of a column of its number."""


def _divided(table: EncodedColumns) -> Make:
    """Return what makes a step that divides: in a sparse matrix scikit-learn multiplies by 1/x instead."""
    return (lambda by: Times(1.0 / by)) if table.sparse else Over


def _scales(part: FittedPart) -> list[float]:
    found = _numbers(part, "scale_")
    if 0 in found:
        raise damaged("a scale is 0", "scale_")
    return found


def _numbers(part: FittedPart, key: str) -> list[float]:
    if not part.has(key):
        raise InputError(f"this {part.kind} is not fitted", mend="call the pipeline's 'fit' first")
    return [_finite(value) for value in part.constants(key)]


def _finite(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value - value != 0:
        raise InputError(
            f"it scales by {shown(repr(value))}, which is no finite number", mend="fit it to numbers that are finite"
        )
    return float(value)


def _scaled(
    part: FittedPart, table: EncodedColumns, operations: Sequence[tuple[Make, list[float] | None]]
) -> EncodedColumns:
    _refuse_single(table)
    steps: list[tuple[Step, ...]] = [()] * len(table.columns)
    for step, numbers in operations:
        if numbers is not None:
            check_width(table, len(numbers), part.kind)
            steps = [(*own, step(number)) for own, number in zip(steps, numbers, strict=True)]
    return _each(table, steps)


def _refuse_single(table: EncodedColumns) -> None:
    if table.single:
        problem = "it calculates in float32, as an encoder before it has that type"
        raise InputError(problem, mend="leave the encoder's dtype at float64")


def _each(table: EncodedColumns, steps: Sequence[Sequence[Step]]) -> EncodedColumns:
    columns: list[EncodedColumn] = [column.then(*own) for column, own in zip(table.columns, steps, strict=True)]
    return EncodedColumns(tuple(columns), table.sparse, table.single)
