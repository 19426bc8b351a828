"""``--drop-column`` and ``--ignore-extra-columns``: which columns of a table are left out, the same for every command."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from xpgcheck.cli.spelling import option

drop_column_option = option(
    "--drop-column", multiple=True, metavar="NAME", help="Ignore this column of --instances (repeatable)."
)
ignore_extra_option = option(
    "--ignore-extra-columns", is_flag=True, help="Ignore all columns of --instances that are not features."
)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The columns that the user wants left out: those that are named, or all that are not features."""

    drop: tuple[str, ...] = ()
    extra: bool = False

    def __bool__(self) -> bool:
        return bool(self.drop) or self.extra

    def options(self) -> dict[str, Any]:
        """Return this as keyword arguments of ``read_instances`` and its like."""
        return {"drop_columns": self.drop, "ignore_extra_columns": self.extra}


def column_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give *command* the options; it takes them as one argument, ``left_out``."""

    @drop_column_option
    @ignore_extra_option
    @functools.wraps(command)
    def with_columns(*, drop_column: tuple[str, ...], ignore_extra_columns: bool, **others: Any) -> int:
        return command(left_out=LeftOut(drop_column, ignore_extra_columns), **others)

    return with_columns
