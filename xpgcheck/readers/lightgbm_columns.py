"""Which columns the lists of categories in a LightGBM file belong to.

``pandas_categorical`` has a list for each column of categories of the table, in the order of the columns, and does not say
which columns these are.  Categories without an order are tested as categories; ordered ones as numbers, by their codes.
Where more than one way is left to give the lists to columns, the model is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from xpgcheck.errors import InputError

MAX_WAYS = 10_000_000
"""Lists times columns, over which the columns are not looked for."""


@dataclass(frozen=True, slots=True)
class Column:
    """What a file says of a column: whether it is tested by categories (None: nothing says so), and the values seen."""

    categorical: bool | None
    low: float = 0.0
    high: float = 0.0

    def may_have(self, categories: Sequence[object]) -> bool:
        """Tell whether the values seen can be codes of *categories*."""
        if self.categorical is None:
            return True
        lowest = -1 if self.categorical else 0
        codes = float(self.low).is_integer() and float(self.high).is_integer()
        return codes and lowest <= self.low <= self.high < len(categories)


def text_column(info: str) -> Column:
    """Return the column that a word of ``feature_infos`` describes: ``[0:3]``, ``-1:2:0:1`` or ``none``."""
    if match := re.fullmatch(r"\[([^:\]]+):([^:\]]+)\]", info):
        try:
            return Column(False, *_finite(float(match[1]), float(match[2])))
        except ValueError:
            return Column(None)
    if re.fullmatch(r"-?\d{1,18}(:-?\d{1,18})*", info):
        codes = [int(code) for code in info.split(":")]
        return Column(True, float(min(codes)), float(max(codes)))
    return Column(None)


def json_column(info: object) -> Column:
    """Return the column that a value of ``feature_infos`` describes."""
    if not isinstance(info, dict):
        return Column(None)
    low, high = info.get("min_value"), info.get("max_value")
    if not isinstance(low, (int, float)) or not isinstance(high, (int, float)):
        return Column(None)
    try:
        return Column(bool(info.get("values")), *_finite(float(low), float(high)))
    except OverflowError:
        return Column(None)


def _finite(low: float, high: float) -> tuple[float, float]:
    """Return the two ends, where one is infinite or NaN two that are no codes."""
    return (low, high) if low - low == 0 and high - high == 0 else (0.5, 0.5)


def columns_of_lists(lists: Sequence[Sequence[object]], columns: Sequence[Column]) -> dict[int, Sequence[object]]:
    """Return the list of each column that has one.

    Raises ``InputError`` where no way or more than one is left.  O(lists · columns) where the number of lists is not that of
    the columns tested by categories, else linear.
    """
    tested = [position for position, column in enumerate(columns) if column.categorical]
    found = dict(zip(tested, lists, strict=True)) if len(tested) == len(lists) else _only_way(lists, columns, tested)
    if not all(columns[position].may_have(categories) for position, categories in found.items()):
        raise InputError(_problem(lists), mend=_MEND)
    return found


_MEND = "train with categories that have no order, without categorical_feature, and store the model with save_model"


def _problem(lists: Sequence[Sequence[object]]) -> str:
    count = "1 list of categories" if len(lists) == 1 else f"{len(lists)} lists of categories"
    return f"it cannot be told which columns the {count} in pandas_categorical belong to"


def _only_way(
    lists: Sequence[Sequence[object]], columns: Sequence[Column], tested: Sequence[int]
) -> dict[int, Sequence[object]]:
    """Return the one way to give the lists to columns in order; every tested column has one, if there are enough."""
    more = len(lists) > len(tested)
    needed = set(tested) if more else set()
    # Fewer lists than tested columns: the others were named by categorical_feature, and have codes.
    allowed = list(range(len(columns))) if more else list(tested)
    if len(lists) > len(allowed) or len(lists) * len(allowed) > MAX_WAYS:
        raise InputError(_problem(lists), mend=_MEND)
    # ways[i][k]: in how many ways (two stand for more) the first i lists go to the first k columns.
    ways = [[0] * (len(allowed) + 1) for _ in range(len(lists) + 1)]
    ways[0] = [1]
    for k in allowed:
        ways[0].append(0 if k in needed else ways[0][-1])
    for i, categories in enumerate(lists, 1):
        for j, k in enumerate(allowed, 1):
            without = 0 if k in needed else ways[i][j - 1]
            having = ways[i - 1][j - 1] if columns[k].may_have(categories) else 0
            ways[i][j] = min(2, without + having)
    if ways[-1][-1] != 1:
        raise InputError(_problem(lists), mend=_MEND)
    found: dict[int, Sequence[object]] = {}
    i, j = len(lists), len(allowed)
    while i:
        k = allowed[j - 1]
        if k in needed or not ways[i][j - 1]:
            found[k] = lists[i - 1]
            i -= 1
        j -= 1
    return found
