"""Evidence for a verdict on a claimed XP, question by question, and whether each answer has all that it needs.

A verdict is answers to one kind of question: is there a point that agrees with the instance on these features and has
another class?  A "yes" is a point, which is replayed here once more, by κ alone.  A "no" has to come from two routes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from xpgcheck.judging.claim import ClaimKind, Members
from xpgcheck.judging.consensus import Consensus
from xpgcheck.judging.judged import Judged
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.model.classifier import Classifier
from xpgcheck.model.value_sets import value_text
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import replay
from xpgcheck.paper.ensembles.documents import AnswerRecord
from xpgcheck.wording import set_text

Question = tuple[Members, bool]
"""Features that are fixed, and whether some point that agrees with the instance on them has to have another class."""


@dataclass(slots=True)
class VerdictEvidence:
    """The evidence of one verdict.

    ``points`` of another class were replayed; ``routes`` counts the answers "no" by those who gave them.  ``faults`` say
    which answers lack evidence.  ``answers`` are all of them.
    """

    points: int = 0
    routes: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)
    answers: list[AnswerRecord] = field(default_factory=list)


def questions(judged: Judged, features: int) -> Iterator[Question]:
    """Yield the questions that the verdict on an XP of *features* features rests on, with the answers that it needs.

    None where the verdict is not on a set: the class of the instance is another one, or the claim stays open.
    """
    members = judged.claim.members
    if members is None:
        return
    everything = frozenset(range(features))
    needless = judged.evidence.needless
    if judged.verdict is Verdict.AXP:
        yield members, False
        yield from ((members - {i}, True) for i in sorted(members))
    elif judged.verdict is Verdict.INSUFFICIENT:
        yield members, True
    elif judged.verdict is Verdict.CXP:
        yield everything - members, True
        yield from (((everything - members) | {i}, False) for i in sorted(members))
    elif judged.verdict is Verdict.INEFFECTIVE:
        yield everything - members, False
    elif judged.verdict is Verdict.REDUNDANT:
        is_axp = judged.claim.kind is ClaimKind.AXP
        fixed = members if is_axp else everything - members
        yield fixed, not is_axp
        yield from ((fixed - {i} if is_axp else fixed | {i}, not is_axp) for i in sorted(needless))


def evidence_of(judged: Judged, graph: Classifier, instance: Point, consensus: Consensus) -> VerdictEvidence:
    """Return the evidence of a verdict: what *consensus* answers to its questions, looked at again.

    O(k·(m + Σ depth)) for a claim of k members over m features, where the answers are known.
    """
    names = [feature.name for feature in graph.features]
    found = VerdictEvidence()
    if judged.verdict is Verdict.REDUNDANT and not judged.evidence.needless:
        found.faults.append("redundant, and no feature is named that can be left out")
    for fixed, wanted in questions(judged, len(names)):
        belief = consensus.ask(fixed)
        about = f"{set_text(names, fixed)} fixed"
        answer = AnswerRecord(fixed=[names[i] for i in sorted(fixed)])
        found.answers.append(answer)
        if belief.changeable is not wanted:
            found.faults.append(f"{about}: the verdict needs '{_word(wanted)}', the oracles say {belief.changeable}")
        elif wanted:
            problem = "no point" if belief.witness is None else replay(graph, instance, fixed, belief.witness)
            if problem is not None:
                found.faults.append(f"{about}: {problem}")
            found.points += problem is None
            answer.point = list(map(value_text, belief.witness or ()))
        else:
            routes = sorted(set(belief.confirmed_by))
            if len(routes) < 2:
                found.faults.append(f"{about}: 'no' by one route alone")
            found.routes[" + ".join(routes)] += 1
            answer.no_point_by = routes
    return found


def _word(wanted: bool) -> str:
    return "yes" if wanted else "no"
