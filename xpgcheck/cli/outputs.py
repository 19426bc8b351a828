"""``--json``, ``--junit``, ``--html`` and ``--markdown``: the reports that a command writes beside what it prints."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from xpgcheck.cli.vocabulary import html_option, json_option, junit_option, markdown_option
from xpgcheck.errors import InputError


def outputs_option(command: Callable[..., int]) -> Callable[..., int]:
    """Give *command* the options; it takes them as one argument, ``outputs``, by the parameters of ``write_reports``."""

    @json_option()
    @junit_option()
    @html_option()
    @markdown_option()
    @functools.wraps(command)
    def with_outputs(
        *,
        json_file: Path | None,
        junit_file: Path | None,
        html_file: Path | None,
        markdown_file: Path | None,
        **others: Any,
    ) -> int:
        outputs = {
            "json_file": json_file,
            "junit_file": junit_file,
            "html_file": html_file,
            "markdown_file": markdown_file,
        }
        return command(outputs=outputs, **others)

    return with_outputs


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
