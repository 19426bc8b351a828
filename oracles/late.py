"""An oracle that is opened by the first question that reaches it: a solver as the last resort of many small graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from xpgcheck.oracles.answers import Answer, Oracle


class LateOracle:
    """Stands for the oracle that *opener* returns, whose ``name`` and ``engine`` are said beforehand."""

    def __init__(self, name: str, engine: str, opener: Callable[[], Oracle]) -> None:
        self.name = name
        self.engine = engine
        self._open = opener
        self._oracle: Oracle | None = None

    def changeable(self, fixed: Iterable[int]) -> Answer:
        """See :class:`xpgcheck.oracles.answers.Oracle`."""
        if self._oracle is None:
            self._oracle = self._open()
        return self._oracle.changeable(fixed)
