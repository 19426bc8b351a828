"""Wrong oracles: what is believed when several are asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import Answer, Oracle
from xpgcheck.properties.seeded.bugs import oracle
from xpgcheck.properties.seeded.honest import Features, HonestOracle


@oracle
class _MajorityVote(HonestOracle):
    """The answer of most oracles is believed."""

    def settle(self, graph: DecisionGraph, instance: Point, fixed: Features, oracles: Sequence[Oracle]) -> bool | None:
        said = [voice.changeable(fixed).changeable for voice in oracles]
        yes, no = said.count(True), said.count(False)
        return None if yes == no else yes > no


@oracle
class _FirstAnswerWins(HonestOracle):
    """The answer of the first oracle is believed."""

    def settle(self, graph: DecisionGraph, instance: Point, fixed: Features, oracles: Sequence[Oracle]) -> bool | None:
        return oracles[0].changeable(fixed).changeable


@oracle
class _WitnessNotReplayed(HonestOracle):
    """A witness is believed without a look at it."""

    def is_proof(self, graph: DecisionGraph, instance: Point, fixed: Features, answer: Answer) -> bool:
        return answer.witness is not None


@oracle
class _WitnessHalfReplayed(HonestOracle):
    """A witness is only seen to agree on the fixed features, and not to have another class."""

    def is_proof(self, graph: DecisionGraph, instance: Point, fixed: Features, answer: Answer) -> bool:
        return answer.witness is not None and all(answer.witness[i] == instance[i] for i in fixed)


@oracle
class _OneRouteIsEnough(HonestOracle):
    """A single oracle that denies is believed."""

    def believed(self, proofs: int, bare: int, routes: int) -> bool | None:
        return super().believed(proofs, bare, routes + 1 if routes else 0)


@oracle
class _EachOracleIsARoute(HonestOracle):
    """Two oracles with one engine count as two routes."""

    def routes(self, oracles: Iterable[Oracle]) -> int:
        return sum(1 for _ in oracles)


@oracle
class _UnknownDenies(HonestOracle):
    """An oracle that does not know counts as one that denies."""

    def denies(self, answer: Answer) -> bool:
        return not answer.changeable


@oracle
class _BareClaimBelieved(HonestOracle):
    """Two claims that the class can change are believed without a witness."""

    def believed(self, proofs: int, bare: int, routes: int) -> bool | None:
        return True if bare > 1 and not routes else super().believed(proofs, bare, routes)


@oracle
class _DenialOverridesProof(HonestOracle):
    """Two routes that deny are believed against whatever is claimed, and one against a proof."""

    def believed(self, proofs: int, bare: int, routes: int) -> bool | None:
        return False if routes else super().believed(proofs, bare, routes)


@oracle
class _FaultCrashes(HonestOracle):
    """Ends in an error where a witness does not replay, whatever the other oracles say."""

    def is_proof(self, graph: DecisionGraph, instance: Point, fixed: Features, answer: Answer) -> bool:
        if answer.witness is None:
            return False
        if not super().is_proof(graph, instance, fixed, answer):
            raise LookupError("an oracle gave a wrong witness")
        return True


@oracle
class _NothingBelieved(HonestOracle):
    """Every question stays open."""

    def believed(self, proofs: int, bare: int, routes: int) -> bool | None:
        return None
