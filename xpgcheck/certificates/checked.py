"""Certificates of judged claims, each line checked before anyone gets it.

The check is that of :mod:`xpgcheck.check_certificate`, in this process, of the text as it will be written; and that the
line says what was judged: this instance, this claim, this verdict.  A line that does not pass means that the oracles, the
issuer or the checker is wrong, so that the verdict cannot stand.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from xpgcheck.certificates.canonical_texts import digest_of
from xpgcheck.certificates.judged_claims import ClaimCertifier
from xpgcheck.check_certificate import MAX_LINE, Refused, Work, check_family, read_json, read_model
from xpgcheck.errors import FormatError, InputError, LimitError, ModelError, UndecidedError
from xpgcheck.judging.claim import OF_VALUES, Claim, ClaimKind, Members, Notion
from xpgcheck.judging.judged import Evidence, Judged
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.model.constraint import Constraint
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.literals import read_literal
from xpgcheck.model.values import MISSING, Point
from xpgcheck.oracles.conditions import condition_graph, conditions_at, conditions_of

WITHOUT = {
    Verdict.INCONCLUSIVE: "inconclusive claims",
    Verdict.PREDICTION: "predictions",
    Verdict.PREDICTION_MISMATCH: "predictions",
    Verdict.MEMBERSHIP: "features that are in no XP",
    Verdict.WRONG_MEMBERSHIP: "features that are in no XP",
    Verdict.DUPLICATE: "sets that are listed twice",
    Verdict.NOT_DUAL: "families that are not dual",
    Verdict.COMPLETE: "families of one kind",
}
"""Claims that have no certificate, by the verdict."""

NO_ANSWER, THEORY, MEMBER = "claims without an answer", "conditions with theory", "families with a wrong member"
NOT_WRITTEN, TOO_LONG = "models that JSON cannot hold", "lines over the checker's limits"
UNKNOWN_CONSTRAINT = "claims under a constraint that is not at hand"
ENSEMBLE_CONDITIONS, TOO_LARGE = "conditions of an ensemble", "evidence of too many boxes"


class RefusedLineError(UndecidedError):
    """The line that was to show a verdict does not: the verdict does not stand."""


class TooLargeError(UndecidedError):
    """No evidence was found within its limits: the verdict stands, without a line that shows it."""


@dataclass(frozen=True, slots=True)
class CertifiedLine:
    """A line that was checked: which model it is about, its text, and the steps that checking it took.

    ``digest`` tells models apart; ``header`` is the first line of its certificates, which the first line of each process
    brings along, else "".
    """

    digest: str
    name: str
    header: str
    text: str
    steps: int


class CheckedCertifier:
    """Issues the lines of judged claims about one graph, or one ensemble, and checks each."""

    def __init__(
        self, graph: DecisionGraph | Ensemble, constraint: Constraint | None = None, *, of_values: bool = False
    ) -> None:
        """Raises ``FormatError`` where JSON cannot hold the graph's names; of an ensemble, what its certifier does."""
        self._certifier = ClaimCertifier(graph, constraint, of_values=of_values)
        self.header = self._certifier.header()
        raw = read_json(self.header.encode())
        # Under a constraint, or of values, lines belong under another header than those of the model alone.
        self.digest: str = digest_of(self.header) if "constraints" in raw else raw["digest"]
        self.name = f"{graph.name} values" if of_values else graph.name
        self._graph = read_model(raw)
        self._features = graph.features

    def line(self, instance: Point, judged: Judged) -> tuple[str, int] | None:
        """Return the checked line of a claim at *instance* and the steps that checking takes; None where there can be none.

        The evidence is made again, so that the same claim and verdict have the same line, whatever point a solver found (but
        which XP a family lacks is as judged).  Raises ``RefusedLineError`` where the line does not show the verdict, and
        ``TooLargeError`` where its evidence takes too much.
        """
        proof = judged.evidence
        bare = Evidence(
            needless=proof.needless,
            correct=proof.correct,
            missing=proof.missing,
            joining=proof.joining,
            idle=proof.idle,
        )
        judged = replace(judged, evidence=bare)
        try:
            text = self._certifier.line(instance, judged)
        except ModelError:
            raise  # of an inconsistent path no point can be given, but the verdict is not at fault
        except UndecidedError as error:
            raise TooLargeError(error.problem) from None
        except InputError as error:
            raise RefusedLineError(f"the evidence is no certificate: {error}") from None
        if text is None and (judged.claim.members is not None or judged.claim.kind in OF_VALUES):
            raise RefusedLineError(f"no evidence shows that the claim is {judged.verdict.value}")
        if text is None:
            return None
        data = text.encode()
        work = Work()
        work.left = before = 2**62  # the whole file has a budget, and its writer counts
        try:
            raw = read_json(data)
            check_family(self._graph, raw, work)
        except (Refused, ValueError) as error:
            raise RefusedLineError(f"the checker refuses its certificate: {work.place}: {error}") from None
        fault = self._fault(raw, instance, judged)
        if fault is not None:
            raise RefusedLineError(f"its certificate is about something else: {fault}")
        return text, before - work.left

    def _fault(self, raw: dict[str, Any], instance: Point, judged: Judged) -> str | None:
        """Return in what a line that is true is not what was judged."""
        values = [domain.value(item) for domain, item in zip(self._graph.domains, raw["instance"], strict=True)]
        if values != [None if value is MISSING else value for value in instance]:
            return "another instance"
        if judged.claim.kind in OF_VALUES:
            return None if self._shows_values(judged, raw["claims"]) else "another claim"
        listed = [(item["kind"], frozenset(item["features"]), item["verdict"]) for item in raw["claims"]]
        return None if _shows(judged.claim, judged.verdict, listed, complete="complete" in raw) else "another claim"

    def _shows_values(self, judged: Judged, claims: list[dict[str, Any]]) -> bool:
        """Tell whether the last of *claims*, all true, shows that the verdict on a claim of sets of values is right."""
        claim, said = judged.claim, claims[-1]
        box = dict(claim.box or ())
        if not said["kind"].startswith("inflated"):
            kind = "AXp" if claim.kind is ClaimKind.INFLATED_AXP else "CXp"
            wanted = kind, sorted(box), judged.verdict.value
            fault = judged.verdict in (Verdict.REDUNDANT, Verdict.INEFFECTIVE)
            return fault and (said["kind"], said["features"], said["verdict"]) == wanted
        if (said["kind"], said["features"], said["verdict"]) != (claim.kind.value, sorted(box), judged.verdict.value):
            return False
        for i, items in zip(said["features"], said["values"], strict=True):
            domain = self._features[i].domain
            whole = domain.all_values()
            if read_literal(domain, items).intersection(whole) != box[i].intersection(whole):
                return False
        return True


Listed = Sequence[tuple[str, Members, str]]


def _shows(claim: Claim, verdict: Verdict, listed: Listed, *, complete: bool) -> bool:
    """Tell whether the claims *listed* in a line that is true show that *verdict* on *claim* is right."""
    kind = claim.kind.value
    if claim.members is not None and verdict is not Verdict.OUTSIDE_SEED:
        return list(listed) == [(kind, claim.members, verdict.value)]
    if claim.members is not None:
        outside = claim.seed is not None and not claim.members <= claim.seed
        return outside and list(listed) == [(kind, claim.members, kind)]
    if any(own != said for own, _, said in listed):
        return False
    sets = {name: {members for own, members, _ in listed if own == name} for name in ("AXp", "CXp")}
    if verdict is Verdict.COMPLETE:
        if claim.kind is ClaimKind.CXP:
            return complete and sets == {"AXp": {frozenset()}, "CXp": set()}
        return complete and sets == {"AXp": set(claim.axps or ()), "CXp": set(claim.cxps or ())}
    if len(listed) != 1:
        return False
    found, members, _ = listed[0]
    if claim.kind is ClaimKind.MEMBERSHIP:
        return claim.feature in members and claim.member is (verdict is Verdict.MEMBERSHIP)
    if verdict is not Verdict.INCOMPLETE:
        return False
    if claim.kind is not ClaimKind.FAMILY:
        return found == kind
    claimed = claim.axps if found == "AXp" else claim.cxps
    return claimed is not None and members not in claimed


class CertifierPool:
    """The certifiers of the graphs that were met last, for claims of each notion."""

    def __init__(self, kept: int = 8) -> None:
        self._kept = kept
        # The graph is held, so that its id stays its own.
        self._known: dict[tuple[int, bool, bool, str], tuple[DecisionGraph | Ensemble, CheckedCertifier | str]] = {}
        self._brought: set[str] = set()

    def certified(
        self, graph: DecisionGraph | Ensemble, instance: Point, judged: Judged, constraint: Constraint | None = None
    ) -> CertifiedLine | str:
        """Return the line that shows the verdict, or in a few words what it is that has no certificate.

        A claim under a constraint takes *constraint*, of which others know nothing.
        Raises ``RefusedLineError`` as :meth:`CheckedCertifier.line` does.
        """
        claim = judged.claim
        without = NO_ANSWER if claim.fault is not None else THEORY if claim.notion is Notion.THEORY else ""
        under = claim.notion is Notion.CONSTRAINTS
        without = without or (UNKNOWN_CONSTRAINT if under and constraint is None else "")
        without = without or (WITHOUT[judged.verdict] if judged.verdict is Verdict.INCONCLUSIVE else "")
        if without:
            return without
        over_conditions = claim.notion is Notion.CONDITIONS
        if over_conditions and isinstance(graph, Ensemble):
            return ENSEMBLE_CONDITIONS
        of_values = claim.kind in OF_VALUES and not under
        certifier = self._of(graph, constraint if under else None, over_conditions=over_conditions, of_values=of_values)
        if isinstance(certifier, str):
            return certifier
        point = instance
        if over_conditions and not isinstance(graph, Ensemble):
            point = conditions_at(conditions_of(graph), instance) or (False,)
        try:
            found = certifier.line(point, judged)
        except ModelError:
            return "models with inconsistent paths"
        except TooLargeError:
            return TOO_LARGE
        if found is None:
            return WITHOUT.get(judged.verdict, MEMBER)
        text, steps = found
        if len(text.encode()) > MAX_LINE:
            return TOO_LONG
        header = "" if certifier.digest in self._brought else certifier.header
        self._brought.add(certifier.digest)
        return CertifiedLine(certifier.digest, certifier.name, header, text, steps)

    def _of(
        self, graph: DecisionGraph | Ensemble, constraint: Constraint | None, *, over_conditions: bool, of_values: bool
    ) -> CheckedCertifier | str:
        key = id(graph), over_conditions, of_values, "" if constraint is None else constraint.digest
        known = self._known.pop(key, None)
        if known is None:
            over = condition_graph(graph) if over_conditions and not isinstance(graph, Ensemble) else graph
            try:
                known = graph, CheckedCertifier(over, constraint, of_values=of_values)
            except LimitError:
                known = graph, TOO_LARGE
            except FormatError:
                known = graph, NOT_WRITTEN
        self._known[key] = known  # the last one used comes last
        if len(self._known) > self._kept:
            del self._known[next(iter(self._known))]
        return known[1]


def undecided(judged: Judged, error: RefusedLineError) -> Judged:
    """Return *judged* as what is left of it where its certificate does not hold."""
    return Judged(judged.claim, Verdict.INCONCLUSIVE, Evidence(judged.evidence.text, reason=str(error)))
