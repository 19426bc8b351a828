"""Ends of a property: it holds (returns), or raises one of these three."""

from __future__ import annotations


class Violation(Exception):  # noqa: N818 - an outcome, not an error
    """The property fails.  ``verdict`` is a word of the verdicts, ``evidence`` one line that shows it."""

    def __init__(self, verdict: str, evidence: str) -> None:
        super().__init__(f"{verdict}: {evidence}")
        self.verdict = verdict
        self.evidence = evidence


class SubjectFault(Violation):
    """The subject gave no answer that could be judged: ``verdict`` is crash, timeout or malformed answer."""


class Inconclusive(Exception):  # noqa: N818
    """The oracles left the property open: neither pass nor fail.  The text is the reason."""


class NotApplicable(Exception):  # noqa: N818
    """The property says nothing about this case (a tree's property on a graph that is no tree).  The text is the reason."""
