"""Places of findings in the user's files: in the explainer's source or a file of claims, and in models."""

from __future__ import annotations

import ast
import os
from dataclasses import dataclass
from pathlib import Path

from xpgcheck.gate.results import Finding, Report, SourcePlace
from xpgcheck.subjects.remote import split_command

NOT_MODULES = ("adapter", "oracle", "seeded")
"""Words before the colon of subjects that are no modules."""


def place_of_finding(report: Report, finding: Finding) -> SourcePlace | None:
    """Return the line of the claims file, else where the explainer stands, else the model, else None."""
    if report.source is not None:
        return SourcePlace(report.source.file, finding.line or report.source.line)
    return model_of_finding(report, finding)


def model_of_finding(report: Report, finding: Finding) -> SourcePlace | None:
    """Return the file of the model at whose instance *finding* is; None where it has none."""
    for name, file in report.model_files.items():
        if finding.origin.startswith(f"{name}, "):
            return SourcePlace(file)
    return None


def place_of_subject(spec: str | None, command: str | None) -> SourcePlace | None:
    """Return the source of ``package.module:factory``, or the first file that *command* names; None where neither is here.

    It is looked for below the working folder, in it and in ``src``, and read, not imported: that would run it.
    """
    if command is not None:
        words = (Path(word) for word in split_command(command))
        return next((SourcePlace(str(word)) for word in words if not word.is_absolute() and word.is_file()), None)
    module, _, factory = (spec or "").partition(":")
    if not factory or module in NOT_MODULES or not all(part.isidentifier() for part in module.split(".")):
        return None
    stem = Path(*module.split("."))
    for folder in (Path(), Path("src")):
        for path in (folder / stem.with_suffix(".py"), folder / stem / "__init__.py"):
            if path.is_file():
                return SourcePlace(str(path), _line_of(path, factory.partition(".")[0]))
    return None


def _line_of(path: Path, name: str) -> int:
    """Return the line on which the module at *path* defines *name*; 1 where it does not, or cannot be read."""
    try:
        statements = ast.parse(path.read_bytes()).body
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return 1
    for statement in statements:
        if getattr(statement, "name", None) == name:
            return statement.lineno
    return 1


@dataclass(frozen=True, slots=True)
class CheckoutRoot:
    """The folder that paths in reports for GitHub begin at: the checkout, or where there is none the working folder."""

    folder: Path

    @classmethod
    def here(cls) -> CheckoutRoot:
        """Return the checkout of the job that runs, if the working folder lies in it."""
        here, checkout = Path.cwd(), os.environ.get("GITHUB_WORKSPACE", "")
        inside = bool(checkout) and here.is_relative_to(checkout)
        return cls(Path(checkout) if inside else here)

    def path_to(self, file: str) -> str:
        """Return *file* from there, with slashes; as it is, where it lies elsewhere."""
        absolute = Path(os.path.abspath(file))
        return (absolute.relative_to(self.folder) if absolute.is_relative_to(self.folder) else absolute).as_posix()
