"""The common part of panels: solvers that are opened by the first question that needs them, and freed together."""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable
from contextlib import AbstractContextManager, ExitStack
from types import TracebackType
from typing import Any, TypeVar

_log = logging.getLogger(__name__)

P = TypeVar("P", bound="Opening")
S = TypeVar("S", bound=AbstractContextManager[Any])


class Opening:
    """An object that opens solvers: a context manager that frees on leaving what it opened."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._opened: dict[Hashable, Any] = {}

    def __enter__(self: P) -> P:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Free the solvers.  Closing twice is harmless."""
        self._stack.close()

    def opened(self, key: Hashable, opener: Callable[[], S]) -> S:
        """Return what *opener* opened when *key* was first asked for."""
        if key not in self._opened:
            _log.info("%s is opened to be asked", getattr(key, "__name__", key))
            self._opened[key] = self._stack.enter_context(opener())
        found: S = self._opened[key]
        return found
