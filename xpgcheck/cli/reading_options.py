"""``--root``, ``--missing``, ``--names`` and ``--max-bytes``: how a model file is read, the same for every command."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xpgcheck.cli.spelling import file_option, option
from xpgcheck.cli.vocabulary import max_bytes_option


@dataclass(frozen=True, slots=True)
class Reading:
    """What the user said of the model file; None is the reader's own choice."""

    max_bytes: int | None = None
    missing: bool | None = None
    root: str | None = None
    names: Path | None = None

    def options(self) -> dict[str, Any]:
        """Return what was said as keyword arguments for ``read_model`` and its like."""
        said = {"max_bytes": self.max_bytes, "missing": self.missing, "root": self.root, "names": self.names}
        return {name: value for name, value in said.items() if value is not None}


def reading_options(command: Callable[..., int]) -> Callable[..., int]:
    """Give *command* the options; it takes them as one argument, ``reading``."""

    @option("--root", metavar="NAME", help="Which function of a BDD dump to read.")
    @option(
        "--missing/--no-missing", default=None, help="Whether values may be missing, where the format leaves it open."
    )
    @file_option(
        "--names",
        "other_names",
        help="Call the features by the names in this file, one per line (or JSON; see docs/format.md).",
    )
    @max_bytes_option("model file")
    @functools.wraps(command)
    def with_reading(
        *, root: str | None, missing: bool | None, other_names: Path | None, max_bytes: int | None, **others: Any
    ) -> int:
        return command(reading=Reading(max_bytes, missing, root, other_names), **others)

    return with_reading
