"""Features whose values are the categories of a table's column, where the model itself tests their codes 0, 1, …

A pandas column of categories reaches LightGBM and XGBoost as codes: positions in the list of its categories.  A file that
has that list is read with the categories as the domain, so that tables hold what the user's tables hold and explanations
name it.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterable, Sequence
from fractions import Fraction

from xpgcheck.errors import InputError, ModelNotice, XpgcheckError, shown
from xpgcheck.model.domains import Categorical, Cell
from xpgcheck.model.value_sets import FiniteSet, IntervalSet, ValueSet, number_text
from xpgcheck.model.values import MISSING
from xpgcheck.readers.fields import damaged
from xpgcheck.readers.names import check_name

MISSING_NAME = "missing"
"""The category of a missing value, unless a category of the table is called so."""


def category_domain(categories: Sequence[object], feature: str, *, missing: bool, unseen: bool) -> Categorical:
    """Return the domain of a column whose k-th category is ``categories[k]``: a text, an integer, a float or a Boolean.

    *missing* adds the missing value; *unseen* has it stand for every cell that is no category, too.  Raises
    ``FormatError`` on any other category and ``InputError`` where two are written alike; both name *feature*.
    """
    place = f"feature {shown(feature)}"
    cells = [_cell(category, place) for category in categories]
    names = [_name(cell) for cell in cells]
    if len(set(names)) != len(names):
        twice = next(name for position, name in enumerate(names) if name in names[:position])
        problem = f"two categories are written {shown(twice)}"
        raise InputError(problem, place=place, mend="give the categories of a column one type, and train again")
    try:
        for name in names:
            check_name("category", name)
    except XpgcheckError as error:
        raise error.at(place) from None
    if not missing:
        if not names:
            raise InputError(
                "there are no categories", place=place, mend="leave the column out, or allow missing values"
            )
        return Categorical(tuple(names), tuple(cells))
    unknown = MISSING_NAME
    while unknown in names:
        unknown = f"({unknown})"
    return Categorical((*names, unknown), (*cells, MISSING), unknown if unseen else None)


def category_literals(domain: Categorical, sides: Iterable[ValueSet]) -> tuple[FiniteSet, ...]:
    """Return *sides*, sets of codes, as sets of the values of *domain*."""
    found = []
    for side in sides:
        assert isinstance(side, IntervalSet)
        inside = [
            name
            for code, (name, cell) in enumerate(zip(domain.values, domain.cells, strict=True))
            if (side.missing if cell is MISSING else Fraction(code) in side)
        ]
        found.append(FiniteSet(frozenset(inside)))
    return tuple(found)


def warn_of_codes(model: str, names: Sequence[str], columns: Iterable[int]) -> None:
    """Warn that cells of *columns* are codes, where *model* has categories and its file no list of them."""
    found = {column for column in columns if 0 <= column < len(names)}
    if found:
        text = _some(names, found)
        features = f"feature {text} has categories" if len(found) == 1 else f"features {text} have categories"
        problem = f"{features} and the file has no list of them: their cells are codes (0, 1, …), not categories"
        warnings.warn(ModelNotice(f"model {shown(model)}: {problem}"), stacklevel=2)


def warn_of_choice(model: str, names: Sequence[str], columns: Iterable[int]) -> None:
    """Warn that the lists of categories of *model* are taken for those of *columns*, where others are possible."""
    problem = (
        f"the file does not say which columns have categories: they are taken to be {_some(names, columns)}, which is wrong "
        "if the model was trained with categorical_feature"
    )
    warnings.warn(ModelNotice(f"model {shown(model)}: {problem}"), stacklevel=2)


def _some(names: Sequence[str], columns: Iterable[int]) -> str:
    found = [shown(names[column]) for column in sorted(columns)]
    return ", ".join(found[:5]) + (", …" if len(found) > 5 else "")


def _cell(category: object, place: str) -> Cell:
    if isinstance(category, (bool, str)):
        return category
    if isinstance(category, int) or (isinstance(category, float) and category - category == 0):
        return Fraction(category)
    raise damaged(f"{shown(repr(category))} is not a category", place)


def _name(cell: Cell) -> str:
    """Return what *cell* is called: a text that is no name (an empty one, say) is called as JSON writes it."""
    if isinstance(cell, str):
        plain = cell.strip() and cell.isprintable() and cell.strip() == cell
        return cell if plain else json.dumps(cell)
    return str(cell) if not isinstance(cell, Fraction) else _number_name(cell)


def _number_name(number: Fraction) -> str:
    """Return a float as Python writes it, an integer in full."""
    return number_text(number) if number.denominator == 1 else repr(float(number))
