"""The last line of a report: one word for what everything comes to, then the counts; colours and signs of the outcomes."""

from __future__ import annotations

from dataclasses import dataclass

from xpgcheck.errors import NOTHING_CHECKED
from xpgcheck.judging.verdicts import Outcome

BAD_INPUT = "BAD INPUT"

STATUS = {Outcome.HOLDS: 0, Outcome.VIOLATED: 1, Outcome.INCONCLUSIVE: 3}
"""The exit statuses of commands."""

STYLES = {Outcome.HOLDS: "green", Outcome.VIOLATED: "bold red", Outcome.INCONCLUSIVE: "yellow"}
"""The colours of outcomes on the terminal."""

SIGNS = {Outcome.HOLDS: "✓", Outcome.VIOLATED: "✗", Outcome.INCONCLUSIVE: "?"}
"""Signs that say in black and white what the colours say."""


@dataclass(frozen=True, slots=True)
class Conclusion:
    """The conclusion of a report, for people: its outcome, whether anything was asked, whether all of the input was read.

    A violation comes first; bad input and a report over nothing are no success.
    """

    outcome: Outcome
    asked: bool = True
    read: bool = True

    @classmethod
    def of(cls, violated: int, inconclusive: int, *, asked: bool = True) -> Conclusion:
        """Return what so many violations and open questions come to; a report over nothing is inconclusive."""
        undecided = bool(inconclusive) or not asked
        outcome = Outcome.VIOLATED if violated else Outcome.INCONCLUSIVE if undecided else Outcome.HOLDS
        return cls(outcome, asked or bool(inconclusive))

    @property
    def word(self) -> str:
        """The word that verdict lines begin with."""
        if self.outcome is not Outcome.VIOLATED and not self.read:
            return BAD_INPUT
        if self.outcome is Outcome.INCONCLUSIVE and not self.asked:
            return NOTHING_CHECKED
        return self.outcome.name

    @property
    def shown(self) -> Outcome:
        """The outcome whose colour and sign the word has."""
        return Outcome.INCONCLUSIVE if self.word == BAD_INPUT else self.outcome

    @property
    def status(self) -> int:
        """The exit status."""
        return 2 if self.word == BAD_INPUT else STATUS[self.outcome]

    @property
    def style(self) -> str:
        """The style of the verdict line on a terminal."""
        colour = STYLES[self.shown]
        return colour if colour.startswith("bold") else f"bold {colour}"

    def line(self, *counts: str) -> str:
        """Return the verdict line, with *counts*."""
        return f"{self.word}: {', '.join(counts)}"
