"""``--drop-column`` and ``--ignore-extra-columns``: which columns of a table are left out, the same for every command."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Annotated, Any

from xpgcheck.cli.spelling import option


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The columns that the user wants left out: those that are named, or all that are not features."""

    drop_columns: Annotated[
        tuple[str, ...],
        option("--drop-column", multiple=True, metavar="NAME", help="Ignore this column of --instances (repeatable)."),
    ]
    ignore_extra_columns: Annotated[
        bool,
        option("--ignore-extra-columns", is_flag=True, help="Ignore all columns of --instances that are not features."),
    ]

    def __bool__(self) -> bool:
        return bool(self.drop_columns) or self.ignore_extra_columns

    def options(self) -> dict[str, Any]:
        """Return this as keyword arguments of ``read_instances`` and its like."""
        return asdict(self)
