"""Which theorem is proved of which kind of graphs up to which size, and in how many units."""

from __future__ import annotations

from dataclasses import dataclass

from xpgcheck.paper.symbolic.graphs import GraphKind, Size

CONTROL_SIZE = Size(3, 2, 2)
"""The size at which groups of clauses are left out."""


@dataclass(frozen=True, slots=True)
class ProofLimits:
    """The largest size that may be asked for."""

    nodes: int
    values: int
    points: int


LARGEST = ProofLimits(64, 6, 1024)
"""Formulas beyond take gigabytes."""


@dataclass(frozen=True, slots=True)
class Goal:
    """A theorem for all graphs of a kind and size.

    ``weak``: how many units the part "weak", or the only one, is cut into.  ``whole``: the formula is one question, without
    cases, so that no idea of a proof has a part in it.
    """

    key: str
    kind: GraphKind
    size: Size
    weak: int = 1
    check_proofs: bool = True
    whole: bool = False

    def units(self, part: str) -> int:
        """Return how many units *part* is cut into."""
        return self.weak if part in ("all", "weak") else 1


QUICK: tuple[Goal, ...] = (
    Goal("necessary", GraphKind.READ_ONCE, Size(6, 4, 2)),
    Goal("necessary", GraphKind.READ_ONCE, Size(4, 3, 3)),
    Goal("necessary", GraphKind.CONSISTENT, Size(5, 3, 2)),
    Goal("sufficient", GraphKind.READ_ONCE, Size(6, 4, 2)),
    Goal("sufficient", GraphKind.INCONSISTENT, Size(6, 4, 2)),
    Goal("sufficient", GraphKind.CONSISTENT, Size(5, 3, 2)),
    Goal("monotone", GraphKind.INCONSISTENT, Size(6, 4, 2)),
    Goal("one terminal", GraphKind.CONSISTENT, Size(4, 3, 2)),
    Goal("Algorithm 2", GraphKind.READ_ONCE, Size(4, 3, 2)),
    Goal("Algorithm 2", GraphKind.CONSISTENT, Size(4, 3, 2)),
    Goal("Algorithm 3", GraphKind.CONSISTENT, Size(4, 3, 2)),
    Goal("Algorithm 3", GraphKind.READ_ONCE, Size(4, 3, 2)),
)
"""Seconds in all."""

FULL: tuple[Goal, ...] = (
    Goal("necessary", GraphKind.READ_ONCE, Size(8, 5, 2)),
    Goal("sufficient", GraphKind.READ_ONCE, Size(12, 5, 2)),
    Goal("necessary", GraphKind.READ_ONCE, Size(6, 4, 3)),
    Goal("sufficient", GraphKind.READ_ONCE, Size(8, 4, 3)),
    Goal("necessary", GraphKind.CONSISTENT, Size(8, 5, 2)),
    Goal("sufficient", GraphKind.CONSISTENT, Size(8, 5, 2), weak=2),
    Goal("necessary", GraphKind.CONSISTENT, Size(6, 4, 3), weak=2),
    Goal("sufficient", GraphKind.CONSISTENT, Size(6, 4, 3), weak=2),
    Goal("Algorithm 2", GraphKind.READ_ONCE, Size(8, 5, 2)),
    Goal("Algorithm 3", GraphKind.READ_ONCE, Size(8, 5, 2), weak=4),
    Goal("Algorithm 2", GraphKind.CONSISTENT, Size(6, 4, 2)),
    Goal("Algorithm 3", GraphKind.CONSISTENT, Size(6, 4, 2)),
    Goal("Algorithm 2", GraphKind.CONSISTENT, Size(5, 3, 3)),
    Goal("Algorithm 3", GraphKind.CONSISTENT, Size(5, 3, 3)),
    Goal("sufficient", GraphKind.INCONSISTENT, Size(12, 5, 2)),
    Goal("necessary", GraphKind.UNCOVERED, Size(8, 5, 2)),
    Goal("monotone", GraphKind.INCONSISTENT, Size(8, 5, 2)),
    Goal("one terminal", GraphKind.CONSISTENT, Size(8, 5, 2), weak=2),
    Goal("necessary", GraphKind.READ_ONCE, Size(12, 5, 2), weak=4),
    # Larger ones, whose proofs would take minutes to check.
    Goal("necessary", GraphKind.READ_ONCE, Size(16, 6, 2), weak=4, check_proofs=False),
    Goal("sufficient", GraphKind.READ_ONCE, Size(24, 6, 2), weak=4, check_proofs=False),
    Goal("necessary", GraphKind.CONSISTENT, Size(12, 5, 2), check_proofs=False),
    Goal("sufficient", GraphKind.CONSISTENT, Size(12, 5, 2), check_proofs=False),
    Goal("necessary", GraphKind.CONSISTENT, Size(10, 4, 3), check_proofs=False),
    Goal("necessary", GraphKind.READ_ONCE, Size(12, 5, 3), weak=4, check_proofs=False),
    Goal("Algorithm 2", GraphKind.READ_ONCE, Size(12, 5, 2), check_proofs=False),
    Goal("Algorithm 3", GraphKind.READ_ONCE, Size(12, 5, 2), weak=2, check_proofs=False),
    Goal("Algorithm 2", GraphKind.CONSISTENT, Size(8, 5, 2), check_proofs=False),
    Goal("Algorithm 3", GraphKind.CONSISTENT, Size(8, 5, 2), check_proofs=False),
    Goal("necessary", GraphKind.READ_ONCE, Size(6, 5, 2), check_proofs=False, whole=True),
    Goal("necessary", GraphKind.READ_ONCE, Size(5, 4, 3), check_proofs=False, whole=True),
    Goal("necessary", GraphKind.CONSISTENT, Size(5, 3, 3), check_proofs=False, whole=True),
    Goal("Algorithm 2", GraphKind.READ_ONCE, Size(5, 4, 2), check_proofs=False, whole=True),
    Goal("Algorithm 3", GraphKind.READ_ONCE, Size(5, 4, 2), check_proofs=False, whole=True),
)
"""About 20 minutes of CPU time in all, proof checks included; each unit takes a minute at most."""
