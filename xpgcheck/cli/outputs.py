"""``--json``, ``--junit``, ``--html`` and ``--markdown``: the reports that a command writes beside what it prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from xpgcheck.cli.vocabulary import html_option, json_option, junit_option, markdown_option
from xpgcheck.errors import InputError


@dataclass(frozen=True)
class Outputs:
    """The files that are written, by the parameters of ``write_reports``."""

    json_file: Annotated[Path | None, json_option()]
    junit_file: Annotated[Path | None, junit_option()]
    html_file: Annotated[Path | None, html_option()]
    markdown_file: Annotated[Path | None, markdown_option()]


def check_outputs(outputs: Mapping[str, Path | None], *inputs: str | Path | None) -> None:
    """See that every file can be written, that none is an input, and that no two are one.  Raises ``InputError``."""
    from xpgcheck.writers.writable import check_writable

    seen: dict[Path, str] = {}
    for name, target in outputs.items():
        if target is None:
            continue
        option = f"--{name.removesuffix('_file')}"
        if str(target) == "-":
            raise InputError(
                f"{option} writes a file", place="command line", mend="name one ('./-' if it is called that)"
            )
        check_writable(target, *inputs)
        real = target.resolve()
        if real in seen:
            raise InputError(f"{seen[real]} and {option} name the same file", place=str(target), mend="name two files")
        seen[real] = option
