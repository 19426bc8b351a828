"""Columns that fitted transformers of scikit-learn make from those of a table, as data: each a function of one column.

Every transformer here keeps the columns apart.  What it does to one is written down as steps
(:mod:`xpgcheck.columns.steps`), in the order and with the arithmetic of its ``transform``; numbers of a table are binary64.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xpgcheck.columns.encoded import EncodedColumn
from xpgcheck.columns.steps import Bins, Exceeds, Fill, IsMissing, Lookup, Monotone, TableCell, same_cell
from xpgcheck.errors import InputError, XpgcheckError, shown
from xpgcheck.model.values import MISSING
from xpgcheck.readers.fields import damaged
from xpgcheck.readers.fitted_parts import FittedPart, RawCell

SUPPORTED = (
    "OneHotEncoder, OrdinalEncoder, StandardScaler, MinMaxScaler, MaxAbsScaler, RobustScaler, SimpleImputer, "
    "KBinsDiscretizer, Binarizer"
)


@dataclass(frozen=True, slots=True)
class EncodedColumns:
    """The columns of a table on its way through a pipeline.

    ``sparse``: it is a sparse matrix, in which some transformers calculate otherwise.  ``single``: its numbers are binary32.
    """

    columns: tuple[EncodedColumn, ...]
    sparse: bool = False
    single: bool = False


@dataclass(slots=True)
class Known:
    """Facts about the original columns from the transformers: the categories of some, in the order in which they are met."""

    categories: dict[int, list[TableCell]] = field(default_factory=dict)

    def add(self, original: int, cells: Sequence[TableCell]) -> None:
        """Add categories of a column, each once."""
        own = self.categories.setdefault(original, [])
        own += [cell for cell in cells if not any(same_cell(cell, other) for other in own)]


Transform = Callable[[FittedPart, EncodedColumns, Known], EncodedColumns]


def transformed(part: FittedPart | str | None, table: EncodedColumns, known: Known, name: str) -> EncodedColumns:
    """Return what *part*, the step *name*, makes of *table*; categories go into *known*.

    Raises ``InputError`` with the names of the steps where a step is not fitted, or is none that keeps columns apart.
    """
    if part is None or part == "passthrough":
        return table
    try:
        if isinstance(part, str):
            return EncodedColumns((), table.sparse, table.single)
        return _of_kind(part)(part, table, known)
    except XpgcheckError as error:
        raise error.at(f"step {shown(name)}") from None


def _of_kind(part: FittedPart) -> Transform:
    from xpgcheck.readers import sklearn_encoders, sklearn_scalers

    kinds: dict[str, tuple[Transform, str]] = {
        "Pipeline": (_pipeline, ""),
        "ColumnTransformer": (_column_transformer, "transformers_"),
        "FunctionTransformer": (_function_transformer, ""),
        "OneHotEncoder": (sklearn_encoders.one_hot, "categories_"),
        "OrdinalEncoder": (sklearn_encoders.ordinal, "categories_"),
        "KBinsDiscretizer": (sklearn_encoders.bins, "bin_edges_"),
        "Binarizer": (sklearn_encoders.binarizer, ""),
        "SimpleImputer": (sklearn_scalers.imputer, "statistics_"),
        "StandardScaler": (sklearn_scalers.standard, "n_samples_seen_"),
        "MinMaxScaler": (sklearn_scalers.min_max, "min_"),
        "MaxAbsScaler": (sklearn_scalers.max_abs, "scale_"),
        "RobustScaler": (sklearn_scalers.robust, "n_features_in_"),
    }
    known = kinds.get(part.kind) if part.module.partition(".")[0] == "sklearn" else None
    if known is None:
        problem = f"a {part.kind} is not a transformer whose columns are functions of one column each"
        mend = f"use {SUPPORTED}, or explain the last step alone, with rows as that step gets them"
        raise InputError(problem, mend=mend)
    transform, fitted = known
    if fitted and not part.has(fitted):
        raise InputError(f"this {part.kind} is not fitted", mend="call the pipeline's 'fit' first")
    return transform


def check_width(table: EncodedColumns, count: int, kind: str) -> None:
    """Raise ``InputError`` where a *kind* that was fitted to *count* columns gets others."""
    if len(table.columns) != count:
        problem = f"this {kind} was fitted to {count} columns and gets {len(table.columns)}"
        raise InputError(problem, mend="fit the whole pipeline again")


def _pipeline(part: FittedPart, table: EncodedColumns, known: Known) -> EncodedColumns:
    for name, step in part.steps():
        table = transformed(step, table, known, name)
    return table


def _column_transformer(part: FittedPart, table: EncodedColumns, known: Known) -> EncodedColumns:
    weights = part.weights()
    found: list[EncodedColumns] = []
    for own in part.transformers():
        if not own.columns:
            continue
        if min(own.columns) < 0 or max(own.columns) >= len(table.columns):
            check_width(table, max(own.columns) + 1, part.kind)
            raise damaged("the columns that it takes are not there", own.name)
        taken = EncodedColumns(tuple([table.columns[i] for i in own.columns]), table.sparse, table.single)
        made = transformed(own.part, taken, known, own.name)
        if own.name in weights and made.columns:
            from xpgcheck.readers.sklearn_scalers import multiplied

            made = multiplied(made, weights[own.name])
        found.append(made)
    columns = tuple([column for made in found for column in made.columns])
    return EncodedColumns(
        columns, part.constant("sparse_output_") is True, bool(found) and any(made.single for made in found)
    )


def _function_transformer(part: FittedPart, table: EncodedColumns, known: Known) -> EncodedColumns:
    if part.has("func"):
        problem = "a FunctionTransformer with a function of its own: what it does to a column is not known"
        raise InputError(problem, mend=f"use {SUPPORTED}, or apply the function to the table before it is fitted")
    return table


def plain_cell(raw: RawCell) -> TableCell:
    """Return a cell of a table as steps have it: nothing (None or NaN) is ``MISSING``."""
    return MISSING if raw is None or (isinstance(raw, float) and math.isnan(raw)) else raw


def note_categories(column: EncodedColumn, categories: Sequence[TableCell], known: Known) -> None:
    """Note that *categories* of *column* were seen in training: those of its original column, where it is one.

    Raises ``InputError`` where the column is a scaled number, any of which would be a category.
    """
    steps = column.steps
    if all(isinstance(step, (Fill, IsMissing)) for step in steps):
        marks = [step.mark for step in steps if isinstance(step, Fill)]
        known.add(column.original, [cell for cell in categories if not any(same_cell(cell, mark) for mark in marks)])
        return
    last = next(step for step in reversed(steps) if isinstance(step, (Monotone, Lookup)))
    if not isinstance(last, (Bins, Exceeds, Lookup)):
        problem = "categories of scaled numbers: no other number is one"
        raise InputError(problem, mend="bin the numbers first (KBinsDiscretizer), or encode the column as it is")


def check_known(column: EncodedColumn, lookup: Lookup) -> None:
    """Raise ``InputError`` where *column*, a number that is binned, has values that *lookup* refuses."""
    last = next((step for step in reversed(column.steps) if isinstance(step, (Monotone, Lookup))), None)
    if lookup.otherwise is None and isinstance(last, (Bins, Exceeds)):
        count = len(last.edges) + 1 if isinstance(last, Bins) else 2
        missing = [float(k) for k in range(count) if float(k) not in lookup.codes]
        if missing:
            problem = f"training saw no row in bin {int(missing[0])}, which other numbers fall into"
            raise InputError(
                problem, mend="fit the encoder with handle_unknown='ignore', or KBinsDiscretizer with encode='onehot'"
            )
