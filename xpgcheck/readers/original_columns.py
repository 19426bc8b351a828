"""The original columns of a table as features, and the model over encoded columns rewritten over them.

The domain of a column is what the pipeline takes there, and no more: the categories that its encoders were fitted to, or
the binary64 numbers; the missing value where every step on its way takes it.  What an encoder has for unknown categories is
no value of the domain: nobody can list them.
"""

from __future__ import annotations

from collections.abc import Sequence

from xpgcheck.columns.encoded import EncodedColumn
from xpgcheck.columns.rewriting import rewritten
from xpgcheck.columns.steps import Lookup, TableCell, applied
from xpgcheck.errors import InputError, XpgcheckError, shown
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Boolean, Categorical, Domain, Feature, Float32, Float64, has_missing
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import MISSING
from xpgcheck.readers.categories import category_domain
from xpgcheck.readers.sklearn_columns import EncodedColumns, Known

ANY = "any value"
"""The one value of a column that the pipeline drops: every cell is read as it."""


def over_original_columns(
    classifier: DecisionGraph | Ensemble,
    table: EncodedColumns,
    known: Known,
    names: Sequence[str],
    missing: bool | None,
) -> DecisionGraph | Ensemble:
    """Return *classifier*, which gets the columns of *table*, over the columns *names* of the user's table.

    *missing* False leaves the missing value out of all domains.  Raises ``InputError`` that names the column.
    """
    count = len(classifier.features)
    if len(table.columns) != count:
        problem = f"the steps give {len(table.columns)} columns, and the last one was fitted to {count}"
        raise InputError(problem, mend="fit the whole pipeline again")
    features = [
        Feature(name, _domain(index, name, classifier, table, known, missing is not False))
        for index, name in enumerate(names)
    ]
    if missing and not any(map(_has_missing, features)):
        problem = "no column of this pipeline takes missing values"
        raise InputError(problem, mend="leave 'missing' out, or begin with a SimpleImputer")
    return rewritten(classifier, table.columns, features)


def _has_missing(feature: Feature) -> bool:
    domain = feature.domain
    if isinstance(domain, Categorical):
        return MISSING in domain.cells and domain.unseen != ANY
    return has_missing(domain)


def _domain(
    index: int, name: str, classifier: DecisionGraph | Ensemble, table: EncodedColumns, known: Known, missing: bool
) -> Domain:
    own = [
        (column, feature.domain)
        for column, feature in zip(table.columns, classifier.features, strict=True)
        if column.original == index
    ]
    place = f"column {shown(name)}"
    if not own:
        return Categorical((ANY,), (MISSING,), ANY)
    if index in known.categories:
        cells = [cell for cell in known.categories[index] if cell is not MISSING]
        taken = [cell for cell in cells if all(_takes(column, cell, domain) for column, domain in own)]
        if not taken:
            raise InputError("no category of it reaches the model", place=place, mend="fit the whole pipeline again")
        with_missing = missing and all(_takes(column, MISSING, domain) for column, domain in own)
        return category_domain(taken, name, missing=with_missing, unseen=False)
    plain = [domain for column, domain in own if not column.steps and isinstance(domain, (Categorical, Boolean))]
    if plain:
        if len(own) > 1:
            problem = "the model takes it as categories and another way, too"
            raise InputError(problem, place=place, mend="give the model one column of it")
        return plain[0]
    for column, domain in own:
        if not isinstance(domain, (Float32, Float64)) and not any(isinstance(step, Lookup) for step in column.steps):
            problem = f"it is a number, and the model takes {domain}"
            raise InputError(problem, place=place, mend="encode the column with an OrdinalEncoder")
    return Float64(missing and all(_takes(column, MISSING, domain) for column, domain in own))


def _takes(column: EncodedColumn, cell: TableCell, domain: Domain) -> bool:
    """Tell whether every step of *column* takes *cell*, and the model what becomes of it; an unknown category is not one."""
    try:
        for step in column.steps:
            if cell is MISSING and isinstance(step, Lookup) and MISSING not in step.codes:
                return False
            cell = applied(step, cell)
    except XpgcheckError:
        return False
    if cell is MISSING:
        return not isinstance(domain, Boolean) and (
            isinstance(domain, Categorical) or getattr(domain, "missing", False)
        )
    if isinstance(cell, str):
        return isinstance(domain, Categorical)
    return True
