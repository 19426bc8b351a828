"""Which columns the lists of categories in a LightGBM file belong to.

``pandas_categorical`` has a list for each column of categories of the table, in the order of the columns, and does not say
which columns these are.  Categories without an order are tested as categories; ordered ones as numbers, by their codes.
Where more than one way is left to give the lists to columns, the model is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from xpgcheck.errors import InputError

MAX_WAYS = 10_000_000
"""Lists times columns, over which the columns are not looked for."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column as a file describes it: whether it is tested by categories (None: nothing says so), and the values seen."""

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

    def might_have(self, categories: Sequence[object]) -> bool:
        """As :meth:`may_have`, but of a column that training saw one value of only where there is one category."""
        return self.may_have(categories) and (self.low < self.high or len(categories) < 2)

    def seems_to_have(self, categories: Sequence[object]) -> bool:
        """Tell whether the values seen reach from the first code of *categories* to the last one."""
        return self.might_have(categories) and self.low <= 0 and self.high == len(categories) - 1


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
    """Return the list of each column that has one: those tested by categories come first.

    Raises ``InputError`` where no way is left, where several are alike, and where the values seen speak for another one.
    O(lists · columns).
    """
    tested = [position for position, column in enumerate(columns) if column.categorical]
    if len(lists) < len(tested):
        # Some of them were named by categorical_feature and have codes, so any column may have a list.
        found = _only_way(lists, columns, (), Column.may_have)
    else:
        found = _only_way(lists, columns, tested, Column.may_have)
        seeming = all(columns[position].seems_to_have(categories) for position, categories in found.items())
        if not seeming and _ways(lists, columns, (), Column.seems_to_have)[-1][-1]:
            raise InputError(_problem(lists), mend=_MEND)
    return found


def other_ways(lists: Sequence[Sequence[object]], columns: Sequence[Column]) -> bool:
    """Tell whether the values seen leave another way than that of :func:`columns_of_lists`.  O(lists · columns)."""
    return _ways(lists, columns, (), Column.might_have)[-1][-1] > 1


_MEND = "train with categories that have no order, without categorical_feature, and store the model with save_model"


def _problem(lists: Sequence[Sequence[object]]) -> str:
    count = "1 list of categories" if len(lists) == 1 else f"{len(lists)} lists of categories"
    return f"it cannot be told which columns the {count} in pandas_categorical belong to"


def _ways(
    lists: Sequence[Sequence[object]],
    columns: Sequence[Column],
    needed: Collection[int],
    fits: Callable[[Column, Sequence[object]], bool],
) -> list[list[int]]:
    """Return in how many ways (two stand for more) the first i lists go to the first k columns, in order, at [i][k].

    Each column that is *needed* has a list.  Raises ``InputError`` where there are too many lists and columns to tell.
    """
    if len(lists) * len(columns) > MAX_WAYS:
        raise InputError(_problem(lists), mend=_MEND)
    ways = [[0] * (len(columns) + 1) for _ in range(len(lists) + 1)]
    ways[0][0] = 1
    for k in range(len(columns)):
        ways[0][k + 1] = 0 if k in needed else ways[0][k]
    for i, categories in enumerate(lists, 1):
        for k, column in enumerate(columns):
            without = 0 if k in needed else ways[i][k]
            having = ways[i - 1][k] if fits(column, categories) else 0
            ways[i][k + 1] = min(2, without + having)
    return ways


def _only_way(
    lists: Sequence[Sequence[object]],
    columns: Sequence[Column],
    needed: Sequence[int],
    fits: Callable[[Column, Sequence[object]], bool],
) -> dict[int, Sequence[object]]:
    """Return the one way to give the lists to columns in order, so that each that is *needed* has one."""
    must = frozenset(needed)
    ways = _ways(lists, columns, must, fits)
    if ways[-1][-1] != 1:
        raise InputError(_problem(lists), mend=_MEND)
    found: dict[int, Sequence[object]] = {}
    i, k = len(lists), len(columns)
    while i:
        k -= 1
        if k in must or not ways[i][k]:
            found[k] = lists[i - 1]
            i -= 1
    return found
