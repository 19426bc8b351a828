"""The line of a certificate about one instance: its explanations, each with evidence, and that these are all.

The evidence of an AXp is a closed set (of an ensemble, a tree of boxes), that of a CXp is a point; and most of the time no
more is needed.  That i ∈ X is needed is shown by the point of a CXp Y with X ∩ Y = {i}, and that j ∈ Y is by the
closed set of an AXp X with X ∩ Y = {j}: minimal hitting sets always have such partners.  Where families are not complete, a
partner may be missing; then a closed set or a point is made for that member.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Protocol

from xpgcheck.certificates import completeness as complete
from xpgcheck.certificates.canonical_texts import members_json
from xpgcheck.certificates.closed_sets_and_points import (
    BoxTree,
    ClosedSet,
    GraphTables,
    OtherPoint,
    evidence_of,
    members_of,
)
from xpgcheck.errors import InputError, shown
from xpgcheck.xpg.explanation_graph import ExplanationGraph

Sufficient = ClosedSet | BoxTree
"""Evidence that fixing some features leaves one class."""

Pools = tuple[list[Sufficient], list[OtherPoint]]

KINDS, FIELDS = ("AXp", "CXp"), ("sufficient", "changes")

SMALL = 64
"""Explanations of an instance up to which the text of its claims is remembered."""

RECENT = 64
"""Closed sets that were made for members and are tried for the next: trying all takes longer than making one."""


class SetProver(Protocol):
    """The source of evidence that sets of features of one model are explanations, or not, at one instance."""

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the features."""

    @property
    def all_variables(self) -> int:
        """All features, as a mask."""

    def evidence(self, free_sets: Sequence[int], *, tight: bool = False) -> Sequence[Sufficient | OtherPoint]:
        """Return what each mask of free features shows; with *tight*, what suffices fixes little."""


class AskedGraph:
    """The evidence of a decision graph at the instance of an explanation graph."""

    def __init__(self, tables: GraphTables, xpg: ExplanationGraph) -> None:
        self.variables, self.all_variables = xpg.variables, xpg.all_variables
        self._tables, self._xpg = tables, xpg

    def evidence(self, free_sets: Sequence[int], *, tight: bool = False) -> Sequence[Sufficient | OtherPoint]:
        """Return what :func:`evidence_of` does."""
        return evidence_of(self._tables, self._xpg, free_sets, tight=tight)


def family_fields(asked: SetProver, axps: Iterable[int], cxps: Iterable[int], method: str) -> tuple[str, bool]:
    """Return the fields from ``closed`` on as JSON text, and whether completeness is among them.

    *axps* and *cxps* are masks, in any order; the text has them by size.  *method* is how to show that they are all:
    "rup", "tree" or "none".  Raises ``InputError`` that names a set which is no AXp (CXp).
    """
    axps, cxps = _ordered(axps), _ordered(cxps)
    everything = asked.all_variables
    evidence = asked.evidence([*(everything ^ axp for axp in axps), *cxps])
    closed: list[Sufficient] = []
    points: list[OtherPoint] = []
    for axp, item in zip(axps, evidence, strict=False):
        if isinstance(item, OtherPoint):
            raise _no_xp(asked, "AXp", axp, "a point that agrees with the instance on it has another class")
        closed.append(item)
    for cxp, item in zip(cxps, evidence[len(axps) :], strict=True):
        if not isinstance(item, OtherPoint):
            raise _no_xp(asked, "CXp", cxp, "no point that differs only there has another class")
        points.append(item)
    claims = (_remembered if len(evidence) <= SMALL else _claims)(tuple(axps), tuple(cxps), method)
    if claims is None:
        partners = _partners(axps, cxps), _partners(cxps, axps)
        _make_missing(asked, (axps, cxps), partners, (closed, points))
        claims = _claims_text((axps, cxps), partners, method)
    text, complete = claims
    return f"{pools_json(closed, points)},{text}", complete


def _claims(axps: Sequence[int], cxps: Sequence[int], method: str) -> tuple[str, bool] | None:
    """Return what :func:`_claims_text` does, or None where some member has no partner.

    The k-th closed set is that of the k-th AXp, the k-th point that of the k-th CXp.
    """
    partners = _partners(axps, cxps), _partners(cxps, axps)
    families = axps, cxps
    if any(
        sum(map(len, found)) < sum(map(int.bit_count, sets)) for found, sets in zip(partners, families, strict=True)
    ):
        return None
    return _claims_text(families, partners, method)


_remembered = lru_cache(maxsize=2_000)(_claims)
"""The same of small families, which the instances of a model share."""


def _claims_text(
    families: tuple[Sequence[int], Sequence[int]],
    partners: tuple[list[dict[int, int]], list[dict[int, int]]],
    method: str,
) -> tuple[str, bool]:
    """Return the claims and what shows that they are all, as JSON text, and whether that is there."""
    claims = [
        f'{{"kind":"{kind}","features":{_members(mask)[1]},"verdict":"{kind}","{field}":{k},'
        f'"needed":[{",".join([str(found[bit]) for bit in _members(mask)[0]])}]}}'
        for kind, field, sets, founds in zip(KINDS, FIELDS, families, partners, strict=True)
        for k, (mask, found) in enumerate(zip(sets, founds, strict=True))
    ]
    end = _completeness(*families, method)
    return claims_json(claims) + end, bool(end)


def pools_json(closed: Iterable[Sufficient], points: Iterable[OtherPoint]) -> str:
    """Return the fields ``closed`` and ``points`` as JSON text."""
    sets = ",".join([f'{{"fixed":{_members(item.fixed)[1]},{item.shown}}}' for item in closed])
    return f'"closed":[{sets}],"points":[{",".join([point.text for point in points])}]'


def claims_json(claims: Iterable[str]) -> str:
    """Return the field ``claims`` as JSON text."""
    return f'"claims":[{",".join(claims)}]'


def _completeness(axps: Sequence[int], cxps: Sequence[int], method: str) -> str:
    """Return the field ``complete`` as JSON text with a comma in front, empty where it is not wanted or cannot be shown."""
    if method == "rup":
        lines = complete.refutation(axps, cxps)
        if lines is not None:
            return f',"complete":{{"method":"rup","lines":[{",".join(map(members_json, lines))}]}}'
    elif method == "tree":
        nodes = complete.decision_tree(axps, cxps)
        if nodes is not None:
            return f',"complete":{{"method":"tree","nodes":{members_json(nodes)}}}'
    return ""


def _ordered(family: Iterable[int]) -> list[int]:
    """Return *family* smallest sets first, and then by their masks: sorted twice, as counting bits is all done in C."""
    return sorted(sorted(family), key=int.bit_count)


@lru_cache(maxsize=20_000)
def _members(mask: int) -> tuple[tuple[int, ...], str]:
    """Return the members of *mask*, each as a bit, and all as JSON text.  The instances of a model share many sets."""
    found = members_of(mask)
    return tuple([1 << i for i in found]), members_json(found)


def _partners(family: Sequence[int], others: Sequence[int]) -> list[dict[int, int]]:
    """Return for each set the positions, by member (a bit), of a set among *others* that has only this member in common.

    O(members of all sets) operations on masks of as many bits as there are *others*.
    """
    with_member: dict[int, int] = {}
    for position, other in enumerate(others):
        for bit in _members(other)[0]:
            with_member[bit] = with_member.get(bit, 0) | 1 << position
    partners = []
    for mask in family:
        once = more = 0
        bits = _members(mask)[0]
        for bit in bits:
            those = with_member.get(bit, 0)
            more |= once & those
            once |= those
        once &= ~more
        found = {}
        for bit in bits:
            those = once & with_member.get(bit, 0)
            if those:
                found[bit] = (those & -those).bit_length() - 1
        partners.append(found)
    return partners


def _make_missing(
    asked: SetProver,
    families: tuple[Sequence[int], Sequence[int]],
    partners: tuple[list[dict[int, int]], list[dict[int, int]]],
    pools: Pools,
) -> None:
    """Add points and closed sets for the members that have no partner; what was made last may serve the next, too."""
    everything = asked.all_variables
    (axps, cxps), (for_axps, for_cxps), (closed, points) = families, partners, pools
    wanted = _without_partner(axps, for_axps)
    for (axp, bit, found), point in zip(
        wanted, asked.evidence([everything ^ axp | bit for axp, bit, _ in wanted]), strict=True
    ):
        if not isinstance(point, OtherPoint):
            raise _no_xp(asked, "AXp", axp, f"feature {_name(asked, bit)} can be left out")
        found[bit] = len(points)
        points.append(point)
    wanted = _without_partner(cxps, for_cxps)
    recent: deque[tuple[int, int]] = deque(maxlen=RECENT)
    for (cxp, bit, found), nodes in zip(
        wanted, asked.evidence([cxp ^ bit for cxp, bit, _ in wanted], tight=True), strict=True
    ):
        if isinstance(nodes, OtherPoint):
            raise _no_xp(asked, "CXp", cxp, f"feature {_name(asked, bit)} can be left out")
        rest = cxp ^ bit
        for fixed, position in recent:
            if not fixed & rest:
                found[bit] = position
                break
        else:
            found[bit] = len(closed)
            recent.appendleft((nodes.fixed, len(closed)))
            closed.append(nodes)


def _without_partner(
    family: Sequence[int], partners: Sequence[dict[int, int]]
) -> list[tuple[int, int, dict[int, int]]]:
    """Return each set with a member that has no partner (a bit), and the set's partners."""
    pairs = zip(family, partners, strict=True)
    return [(mask, bit, found) for mask, found in pairs for bit in _members(mask)[0] if bit not in found]


def _no_xp(asked: SetProver, kind: str, mask: int, why: str) -> InputError:
    names = ", ".join(shown(asked.variables[i], 40) for i in members_of(mask)[:8])
    article = "an" if kind == "AXp" else "a"
    problem = f"{{{names}}} is not {article} {kind} of the instance: {why}"
    return InputError(problem, mend="give explanations of this instance")


def _name(asked: SetProver, bit: int) -> str:
    return shown(asked.variables[bit.bit_length() - 1], 40)
