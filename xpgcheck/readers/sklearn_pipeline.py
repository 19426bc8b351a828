"""Fitted pipelines of scikit-learn, over the columns of the table that they were fitted to.

κ of a row of the table is what ``pipeline.predict`` says of it: the last step is read as any classifier is, the steps before
it as functions of columns (:mod:`xpgcheck.readers.sklearn_columns`), and the classifier is rewritten over the columns of the
table (:mod:`xpgcheck.columns.rewriting`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from xpgcheck.columns.encoded import EncodedColumn
from xpgcheck.errors import InputError, XpgcheckError, shown
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import MISSING
from xpgcheck.readers.fields import damaged
from xpgcheck.readers.fitted_parts import FittedPart, RawCell
from xpgcheck.readers.names import numbered_names
from xpgcheck.readers.original_columns import over_original_columns
from xpgcheck.readers.sklearn_columns import EncodedColumns, Known, transformed

Part = TypeVar("Part", bound=FittedPart)

Replay = Callable[[EncodedColumns, "DecisionGraph | Ensemble"], None]
"""Looks whether the columns are what the pipeline itself makes of a table, for the classifier over its columns."""

Read = Callable[[Part, list[str], "bool | None"], "DecisionGraph | Ensemble"]
"""Reads a classifier, given names for its columns, and whether values may be missing, as ``from_sklearn`` has it."""


def is_pipeline(estimator: object) -> bool:
    """Tell whether *estimator* is a ``Pipeline`` of scikit-learn.  Nothing is imported."""
    pipeline = getattr(sys.modules.get("sklearn.pipeline"), "Pipeline", None)
    return pipeline is not None and isinstance(estimator, pipeline)


@dataclass(frozen=True, slots=True)
class PipelineColumns:
    """Facts about a pipeline's table: how many columns there are, and their names if it was fitted to any."""

    count: int
    names: list[RawCell] | None


def pipeline_columns(pipeline: FittedPart) -> PipelineColumns:
    """Return what the first step that was fitted to the table says of it.  Raises ``InputError`` where none was."""
    for part in _parts(pipeline):
        if part.has("n_features_in_"):
            count = part.constant("n_features_in_")
            names = part.constants("feature_names_in_") if part.has("feature_names_in_") else None
            if isinstance(count, bool) or not isinstance(count, int) or count < 0:
                raise damaged("the number of columns is not there", part.kind)
            return PipelineColumns(count, names)
    raise InputError("this Pipeline is not fitted", mend="call its 'fit' first")


def _parts(pipeline: FittedPart) -> Iterator[FittedPart]:
    for _, step in pipeline.steps():
        if step is None or isinstance(step, str):
            continue
        if step.kind == "Pipeline":
            yield from _parts(step)
        else:
            yield step


def pipeline_classifier(
    pipeline: FittedPart, names: Sequence[str], missing: bool | None, read: Read[Any], replay: Replay | None = None
) -> DecisionGraph | Ensemble:
    """Return the classifier that *pipeline* is, over the columns *names* of its table; *read* reads its last step.

    Raises ``InputError`` that names the step which is not fitted or not supported, or the column that cannot be mapped.
    """
    steps = _steps(pipeline)
    name, last = steps[-1]
    known = Known()
    table = EncodedColumns(tuple([EncodedColumn(i) for i in range(len(names))]))
    for own, step in steps[:-1]:
        table = transformed(step, table, known, own)
    if table.sparse and last.module.startswith("xgboost"):
        problem = "the steps before it give a sparse matrix, whose zeros XGBoost takes for missing values"
        mend = "give OneHotEncoder sparse_output=False and ColumnTransformer sparse_threshold=0, and fit again"
        raise InputError(problem, place=f"step {shown(name)}", mend=mend)
    count = last.constant("n_features_in_") if last.has("n_features_in_") else None
    if count not in (None, len(table.columns)):
        problem = f"it was fitted to {count} columns, and the steps before it give {len(table.columns)}"
        raise InputError(problem, place=f"step {shown(name)}", mend="fit the whole pipeline again")
    # Whether values may be missing is a question about the table: filled in before, they reach no model.
    asked = None if missing and not any(map(_passes_missing, table.columns)) else missing
    try:
        model = read(last, numbered_names("column_", len(table.columns)), asked)
    except XpgcheckError as error:
        raise error.at(f"step {shown(name)}") from None
    over = over_original_columns(model, table, known, names, missing)
    if replay is not None:
        replay(table, over)
    return over


def _passes_missing(column: EncodedColumn) -> bool:
    try:
        return column.value(MISSING) is MISSING
    except XpgcheckError:
        return False


def _steps(pipeline: FittedPart) -> list[tuple[str, FittedPart]]:
    """Return the steps of *pipeline* that do something, a pipeline at its end taken apart."""
    steps = pipeline.steps()
    if not steps:
        raise InputError("this Pipeline has no steps", mend="give it a classifier of trees as its last step")
    name, last = steps[-1]
    if last is None or isinstance(last, str):
        problem, mend = "the last step predicts nothing", "give the pipeline a classifier of trees as its last step"
        raise InputError(problem, place=f"step {shown(name)}", mend=mend)
    before = [(own, step) for own, step in steps[:-1] if step is not None and not isinstance(step, str)]
    return [*before, *(_steps(last) if last.kind == "Pipeline" else [(name, last)])]
