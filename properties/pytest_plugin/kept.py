"""Kept cases in a run of pytest: which files are tried on which property, and a failing test for each bad file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from xpgcheck.errors import XpgcheckError
from xpgcheck.properties.corpus import read_corpus
from xpgcheck.properties.pytest_plugin.settings import PluginSettings


@dataclass(slots=True)
class Kept:
    """The files of a corpus by the property that they are tried on, and the bad ones, each with what is wrong with it."""

    by_property: dict[str, list[Path]] = field(default_factory=dict)
    bad: list[tuple[Path, XpgcheckError]] = field(default_factory=list)

    def files(self, property_name: str) -> Sequence[Path]:
        """Return the files that are tried on the property called *property_name*."""
        return self.by_property.get(property_name, ())


def read_kept(settings: PluginSettings) -> Kept:
    """Return what is in the corpus, nothing if it is not there."""
    kept = Kept()
    if settings.corpus.exists():
        for path, found in read_corpus(settings.corpus):
            if isinstance(found, XpgcheckError):
                kept.bad.append((path, found))
            else:
                kept.by_property.setdefault(found.property, []).append(path)
    return kept


class BadFileItem(pytest.Item):
    """A test that fails: a file of the corpus that is no case."""

    def __init__(self, *, error: XpgcheckError, **more: Any) -> None:
        """Fail by *error*."""
        super().__init__(**more)
        self._error = error

    def runtest(self) -> None:
        """Fail."""
        pytest.fail(str(self._error), pytrace=False)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return where the failure is, and its heading."""
        return self.path, None, f"kept case {self.name}"


def bad_files(session: pytest.Session, kept: Kept) -> Iterable[BadFileItem]:
    """Yield a failing test for each bad file."""
    for path, error in kept.bad:
        try:
            place = path.relative_to(session.config.rootpath).as_posix()
        except ValueError:
            place = path.as_posix()
        yield BadFileItem.from_parent(session, name=path.name, nodeid=f"{place}::xpgcheck", error=error)
