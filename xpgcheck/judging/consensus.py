"""Several oracles asked at once: what is believed, on what evidence, and what stays open.

1. "Changeable" is believed when its witness replays exactly, however it was found.  A witness that does not replay is an
   *oracle fault*: recorded, and the answer is ignored.
2. "Not changeable" is believed when a second, different route (another ``engine``) says the same.  A certificate that came
   with the claims and was checked is such a route (:mod:`xpgcheck.oracles.certificates`), whatever its origin is.
3. Everything else is inconclusive: unknowns, one route alone, a claim without evidence against one without evidence.
   An oracle that says "not changeable" against a witness that replays is a *disagreement*; it is inconclusive too, and
   never put to the vote.
4. For sums that a machine rounds, what hangs on points too near to a tie is inconclusive, "within rounding": everything
   about an instance that is one itself, and a question of which two routes say so.

The usual question is cheap: the first oracle finds a witness, and that is all; or it claims there is none, and the next
route, usually the closed set, confirms it.  A witness that was found for one question answers all others on whose fixed
features it agrees with the instance too.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from xpgcheck.model.classifier import Classifier
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import WITHIN_ROUNDING, Answer, Oracle, OracleFault, replay
from xpgcheck.oracles.sigma import replay_sigma

Replay = Callable[[frozenset[int], Point], str | None]
"""Returns what is wrong with a witness for the fixed features, or None."""

EARLIER = "an earlier witness"
"""The name in ``queries`` of questions that no oracle was asked, as a witness for another one answers them."""

MAX_WITNESSES = 256
"""Witnesses of an instance that are kept for other questions: the last ones, so that looking costs less than asking."""


@dataclass(frozen=True, slots=True)
class Belief:
    """The belief about one question.

    ``changeable`` is None where the question stays open, ``reason`` then says why.  ``witness`` has been replayed.
    ``confirmed_by`` names the oracles whose answers are believed; ``answers`` are all that were given.
    """

    changeable: bool | None
    witness: Point | None
    confirmed_by: tuple[str, ...]
    reason: str
    disagreement: bool
    answers: tuple[Answer, ...]


class Consensus:
    """The oracles for one instance, the cheapest complete one first.

    ``queries`` counts the questions put to each oracle by its name; ``faults`` and ``disagreements`` collect what went
    wrong.  ``features`` is the number of features.  A question that was settled before is not asked again, nor one that an
    earlier witness answers.
    """

    def __init__(
        self,
        features: int,
        oracles: Sequence[Oracle],
        replay: Replay,
        *,
        instance: Point | None = None,
        thorough: bool = False,
        open_because: str = "",
    ) -> None:
        """Ask *oracles* in the order given; all at each question where *thorough*, none where *open_because* says why.

        *instance* is the point with whose values the fixed features are held, where these are the members of the
        questions: then a witness tells by itself which other questions it answers.
        """
        self.features = features
        self.queries: Counter[str] = Counter()
        self.faults: list[OracleFault] = []
        self.disagreements: list[Belief] = []
        self._oracles = tuple(oracles)
        self._replay = replay
        self._thorough = thorough
        self._open_because = open_because
        self._known: dict[frozenset[int], Belief] = {}
        self._instance = None if thorough else instance
        self._found: deque[tuple[frozenset[int], Belief]] = deque(maxlen=MAX_WITNESSES)

    @classmethod
    def of_graph(
        cls, graph: Classifier, instance: Point, oracles: Sequence[Oracle], *, thorough: bool = False
    ) -> Consensus:
        """Return the consensus on a decision graph or an ensemble: witnesses are points, replayed by the definition of κ."""
        own_class = graph.kappa(instance)
        settled = not isinstance(graph, Ensemble) or graph.is_settled(instance)
        return cls(
            len(graph.features),
            oracles,
            lambda fixed, witness: replay(graph, instance, fixed, witness, own_class),
            instance=instance,
            thorough=thorough,
            open_because="" if settled else WITHIN_ROUNDING,
        )

    @classmethod
    def of_sigma(cls, graph: LabelledGraph, oracles: Sequence[Oracle], *, thorough: bool = False) -> Consensus:
        """Return the consensus on a labelled graph: witnesses are assignments, replayed by the definition of σ."""
        return cls(
            len(graph.variables),
            oracles,
            lambda fixed, witness: replay_sigma(graph, fixed, witness),
            thorough=thorough,
        )

    def ask(self, fixed: Iterable[int]) -> Belief:
        """Return what is believed of "some point that agrees with the instance on *fixed* has another class"."""
        key = frozenset(fixed)
        belief = self._known.get(key)
        if belief is None:
            belief = self._known[key] = self._by_an_earlier_witness(key) or self._settle(key)
            if belief.changeable and belief.answers and belief.witness is not None and self._instance is not None:
                differs = (
                    i for i, (own, value) in enumerate(zip(self._instance, belief.witness, strict=True)) if own != value
                )
                self._found.appendleft((frozenset(differs), belief))
        return belief

    def _by_an_earlier_witness(self, fixed: frozenset[int]) -> Belief | None:
        """Return what is believed where a witness that was replayed agrees with the instance on *fixed* too."""
        for differs, belief in self._found:
            if fixed.isdisjoint(differs):
                self.queries[EARLIER] += 1
                return replace(belief, answers=())
        return None

    def _settle(self, fixed: frozenset[int]) -> Belief:
        answers: list[Answer] = []
        proof: Answer | None = None
        proofs: list[str] = []
        bare: list[str] = []
        denials: list[str] = []
        engines: set[str] = set()
        rounding: set[str] = set()
        if self._open_because:
            return Belief(None, None, (), self._open_because, False, ())
        for oracle in self._oracles:
            self.queries[oracle.name] += 1
            answer = oracle.changeable(fixed)
            answers.append(answer)
            if answer.changeable is False:
                denials.append(oracle.name)
                engines.add(oracle.engine)
            elif answer.changeable and answer.witness is None:
                bare.append(oracle.name)
            elif answer.changeable and answer.witness is not None:
                problem = self._replay(fixed, answer.witness)
                if problem is None:
                    proof = proof or answer
                    proofs.append(oracle.name)
                else:
                    self.faults.append(OracleFault(oracle.name, fixed, problem, answer))
            elif answer.reason == WITHIN_ROUNDING:
                rounding.add(oracle.engine)
            if not self._thorough and (proof is not None or (len(engines) > 1 and not bare) or len(rounding) > 1):
                break
        return self._believe(answers, proof, proofs, bare, denials, engines)

    def _believe(
        self,
        answers: list[Answer],
        proof: Answer | None,
        proofs: list[str],
        bare: list[str],
        denials: list[str],
        engines: set[str],
    ) -> Belief:
        if denials and (proofs or bare):
            reason = f"disagreement: {', '.join(proofs + bare)} against {', '.join(denials)}"
            belief = Belief(None, proof.witness if proof else None, (), reason, True, tuple(answers))
            self.disagreements.append(belief)
            return belief
        if proof is not None:
            return Belief(True, proof.witness, tuple(proofs), "", False, tuple(answers))
        if len(engines) > 1:
            return Belief(False, None, tuple(denials), "", False, tuple(answers))
        if denials:
            reason = f"only one route says so: {', '.join(denials)}"
        elif bare:
            reason = f"claimed without a witness: {', '.join(bare)}"
        elif all(answer.reason == WITHIN_ROUNDING for answer in answers) and answers:
            reason = WITHIN_ROUNDING
        else:
            reason = "; ".join(f"{a.oracle}: {a.reason or 'its witness does not replay'}" for a in answers)
        return Belief(None, None, (), reason or "no oracle was asked", False, tuple(answers))
