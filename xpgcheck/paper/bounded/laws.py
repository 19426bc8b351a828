"""The laws: what the paper states, with its place there, and which seeded bugs turn a law red.

All of them are asked of every case, over every set of features.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from xpgcheck.errors import XpgcheckError
from xpgcheck.paper.bounded import checks
from xpgcheck.paper.bounded.cases import BoundedCase

Check = Callable[[BoundedCase], str | None]


@dataclass(frozen=True, slots=True)
class Law:
    """A named law: its place in the paper, what it says, the check, and the bugs (of
    :mod:`xpgcheck.paper.bounded.seeded`) that have been seen to turn it red.

    ``forms`` says of which forms of a graph it speaks: "merged" (one terminal per class), "trees", or "all".
    """

    name: str
    place: str
    statement: str
    check: Check
    turned_red_by: tuple[str, ...]
    forms: str = "all"

    def speaks_of(self, case: BoundedCase, form: str) -> bool:
        """Tell whether the law says something of *case* in this *form*: "merged" or "leaves"."""
        return self.forms == "all" or (case.graph.is_tree() if self.forms == "trees" else form == "merged")

    def violated(self, case: BoundedCase) -> str | None:
        """Return what differs, or None; an exception is a difference too."""
        try:
            return self.check(case)
        except (XpgcheckError, ArithmeticError, LookupError, TypeError, ValueError, RecursionError) as error:
            return f"raised {type(error).__name__}: {error}"


LAWS = (
    Law(
        "definition",
        "decision graphs, assumptions (i) and (ii)",
        "both assumptions hold, says the project's check, where the generator says so",
        checks.definition,
        ("retested features refused",),
    ),
    Law(
        "one terminal",
        "Proposition 2",
        "every point reaches exactly one terminal, and κ of the project is the table's",
        checks.one_terminal,
        ("first edge taken",),
    ),
    Law(
        "each terminal reached",
        "Proposition 3",
        "every terminal is reached by some point",
        checks.each_terminal_reached,
        ("first edge taken",),
    ),
    Law(
        "σ is Eq. 1",
        "mapping to explanation graphs, σ",
        "σ(s) = 1 exactly where fixing s suffices for the prediction (Eq. 1)",
        checks.sigma_is_eq_1,
        ("class 0 labelled 1", "first value labelled", "fixed and free swapped"),
    ),
    Law(
        "σ is sound",
        "closed sets",
        "where σ(s) = 1, fixing s suffices for the prediction (Eq. 1)",
        checks.sound,
        ("first value labelled", "fixed and free swapped"),
    ),
    Law(
        "monotone",
        "Proposition 4",
        "σ never falls as features are fixed",
        checks.monotone,
        ("fixed and free swapped",),
    ),
    Law(
        "same XPs",
        "Proposition 5",
        "the minimal sets of σ are the AXps (Eq. 1) and CXps (Eq. 2) of the classifier",
        checks.same_xps,
        ("class 0 labelled 1", "first value labelled", "fixed and free swapped"),
    ),
    Law(
        "Algorithm 1",
        "Algorithm 1",
        "the linear traversal finds a path to 0 exactly where Eq. 2 holds",
        checks.path_to_zero,
        ("one 0-edge a node", "class 0 labelled 1"),
    ),
    Law(
        "Algorithm 1 as printed",
        "Algorithm 1",
        "so does the printed one",
        checks.path_to_zero_as_printed,
        ("no 1-edge where free",),
    ),
    Law(
        "Algorithm 2",
        "Algorithm 2",
        "from every seed, in two orders: what deletion by Eq. 1 gives; other seeds are refused",
        checks.algorithm_2,
        ("last feature kept", "seed taken on trust"),
    ),
    Law(
        "Algorithm 2 as printed",
        "Algorithm 2",
        "from every weak AXp: what deletion by Eq. 1 gives, an AXp",
        checks.algorithm_2_as_printed,
        ("one pass backwards",),
    ),
    Law(
        "Algorithm 3",
        "Algorithm 3",
        "from every seed: a CXp inside; in two orders: what deletion by Eq. 2 gives; other seeds are refused",
        checks.algorithm_3,
        ("cheapest path taken for a CXp",),
    ),
    Law(
        "Algorithm 3 as printed",
        "Algorithm 3",
        "from every weak CXp: what deletion by Eq. 2 gives, a CXp",
        checks.algorithm_3_as_printed,
        ("dropped where no path",),
    ),
    Law(
        "Algorithm 4",
        "Algorithm 4",
        "all XPs, none twice, with one SAT call each and one more",
        checks.algorithm_4,
        ("last XP lost", "XP twice", "SAT call uncounted"),
    ),
    Law(
        "families",
        "enumeration without SAT",
        "all XPs, none twice",
        checks.families,
        ("largest CXp lost", "AXps not minimal"),
    ),
    Law(
        "duality",
        "duality after Eq. 2",
        "AXps are the minimal hitting sets of CXps, and the other way round",
        checks.duality,
        ("largest CXp lost", "AXps not minimal"),
    ),
    Law(
        "same features",
        "Proposition 1",
        "a feature is in some AXp exactly where it is in some CXp",
        checks.same_features,
        ("largest CXp lost",),
    ),
    Law(
        "membership",
        "Propositions 1, 8 and 9",
        "a feature is said to be in some XP exactly where it is in some AXp",
        checks.membership,
        ("tested is relevant",),
    ),
    Law(
        "membership by SAT",
        "Proposition 8",
        "the SAT query gives an AXp with the feature exactly where there is one",
        checks.membership_by_sat,
        ("weak AXp for an AXp",),
        "merged",
    ),
    Law(
        "CXps of trees",
        "Proposition 6",
        "all CXps, at most one a path to another class, in at most as many steps as stated",
        checks.tree_cxps,
        ("candidates not minimal", "paths walked twice"),
        "trees",
    ),
    Law(
        "membership in trees",
        "Proposition 9",
        "a feature is said to be in some XP exactly where it is in some AXp",
        checks.tree_membership,
        ("tested is relevant, in trees",),
        "trees",
    ),
    Law(
        "closed sets",
        "oracle",
        "a closed set is found exactly where Eq. 1 holds",
        checks.closed_set,
        ("only the root's literals held",),
        "merged",
    ),
    Law(
        "every cell",
        "oracle",
        "a changed cell is found exactly where Eq. 1 does not hold, and it keeps what is fixed",
        checks.exhaustive,
        ("cells that differ in one feature",),
        "merged",
    ),
)
"""All laws, in the order of the paper."""
