"""Questions that a subject is asked at a case, and the claims that its answers make.

Each ability of the subject is one question, or one per seed or feature; an answer is one claim or several.  No
answer (it crashes, takes too long, answers nonsense) is a claim too, with a fault.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from xpgcheck.judging.claim import OF_VALUES, Claim, ClaimKind, FaultKind, Members, Notion
from xpgcheck.judging.claim_judge import ClaimJudge
from xpgcheck.judging.judged import Judged
from xpgcheck.judging.xp_judge import shrink_axp, shrink_cxp
from xpgcheck.model.constraint import ConstrainedModel
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.properties import asking
from xpgcheck.properties.cases import Case, EnsembleCase, LabelledCase
from xpgcheck.properties.trials import Untouched
from xpgcheck.properties.verdicts import NotApplicable, SubjectFault

ASKED = (
    "predict",
    "axp",
    "cxp",
    "axp_inside",
    "cxp_inside",
    "enumerate",
    "tree_cxps",
    "member",
    "inflate",
    "inflate_cxp",
)
"""The abilities whose answers are claims, in the order in which they are asked for."""

SEEDS = 4
"""Seeds drawn for each of ``axp_inside`` and ``cxp_inside``, next to the whole set of features."""

MAX_LISTED = 2_000
"""XPs of an enumeration that are judged one by one; the claim that they are all is about all of them."""


@dataclass(slots=True)
class Answers:
    """The claims of a subject at one case, judged.

    ``declined`` counts the questions that it declined by ability; ``stderr`` has of each ability that ended in a fault what
    the subject wrote there.
    """

    judged: list[tuple[str, Judged]] = field(default_factory=list)
    declined: Counter[str] = field(default_factory=Counter)
    stderr: dict[str, str] = field(default_factory=dict)


def judge_answers(
    subject: Any,
    can: Iterable[str],
    case: Case | LabelledCase | EnsembleCase,
    judge: ClaimJudge,
    notion: Notion,
    seconds: float,
    *,
    evidence: bool = False,
    most: int = MAX_LISTED,
) -> Answers:
    """Ask *subject* what of *can* makes claims, and judge these; of those that an enumeration lists one by one *most*.

    Raises ``InputError`` where the graph has no claims of *notion* (conditions of a graph whose tests are not two-way).
    """
    frame = judge.frame(notion)
    questions = _Questions(subject, case, len(frame.labels), notion, seconds, most)
    answers = Answers()
    untouched = Untouched(case.graph)
    with asking.alarm(seconds):
        for ability in (name for name in ASKED if name in can):
            try:
                said = list(_claims(questions, ability, judge))
            except NotApplicable:
                answers.declined[ability] += 1
                continue
            finally:
                changed = untouched.put_back()
            if changed:
                message = f"it put something else in the graph's {', '.join(changed)}"
                said = [Claim(_KIND_OF[ability], notion, fault=FaultKind.MALFORMED, message=message)]
            if said and said[-1].fault is not None:
                # Now: what is written there later belongs to another question.
                answers.stderr[ability] = str(getattr(subject, "last_stderr", ""))
            answers.judged += [(ability, judge.judge(claim, evidence=evidence)) for claim in said]
    return answers


@dataclass(frozen=True, slots=True)
class _Questions:
    """Asks one subject at one case, where sets are of *count* members, and an enumeration of *most* claims one by one."""

    subject: Any
    case: Case | LabelledCase | EnsembleCase
    count: int
    notion: Notion
    seconds: float
    most: int

    def ask(self, ability: str, arguments: tuple[Any, ...], read: Callable[[Any], Any]) -> Any:
        """Return what *read* makes of the answer.  Raises ``SubjectFault`` or ``NotApplicable``."""
        return asking.ask(self.subject, ability, (self.model, self.case.instance, *arguments), read, self.seconds)

    @property
    def model(self) -> DecisionGraph | LabelledGraph | Ensemble | ConstrainedModel:
        """The model that is asked about, with its constraint where the notion is one of constraints."""
        graph, constraint = self.case.graph, self.case.constraint
        if self.notion is not Notion.CONSTRAINTS or constraint is None or isinstance(graph, LabelledGraph):
            return graph
        return ConstrainedModel(graph, constraint)

    def members(self, answer: object) -> Members:
        """Read one set."""
        return asking.features(answer, self.count)

    def members_or_none(self, answer: object) -> Members | None:
        """Read one set, or that there is none."""
        return None if answer is None else self.members(answer)


_KIND_OF = {
    "predict": ClaimKind.PREDICTION,
    "axp": ClaimKind.AXP,
    "cxp": ClaimKind.CXP,
    "axp_inside": ClaimKind.AXP,
    "cxp_inside": ClaimKind.CXP,
    "enumerate": ClaimKind.FAMILY,
    "tree_cxps": ClaimKind.FAMILY,
    "member": ClaimKind.MEMBERSHIP,
    "inflate": ClaimKind.INFLATED_AXP,
    "inflate_cxp": ClaimKind.INFLATED_CXP,
}


def _claims(questions: _Questions, ability: str, judge: ClaimJudge) -> Iterator[Claim]:
    """Yield the claims of one ability's answers; the first fault ends them."""
    kind, notion = _KIND_OF[ability], questions.notion
    try:
        if ability == "predict":
            yield Claim(kind, class_index=questions.ask(ability, (), asking.number))
        elif ability == "axp":
            yield Claim(kind, notion, questions.ask(ability, (), questions.members))
        elif ability == "cxp":
            yield Claim(kind, notion, questions.ask(ability, (), questions.members_or_none))
        elif ability in ("axp_inside", "cxp_inside"):
            for seed in _seeds(questions, judge, is_axp=kind is ClaimKind.AXP):
                yield Claim(kind, notion, questions.ask(ability, (seed,), questions.members), seed)
        elif ability == "enumerate":
            yield from _listed(questions)
        elif ability == "tree_cxps":
            # Only of a decision graph is it known whether it is a tree.
            if not isinstance(questions.case, EnsembleCase) and questions.case.graph.is_tree():
                cxps = questions.ask(ability, (), lambda answer: asking.family(answer, questions.count))
                yield Claim(kind, notion, cxps=cxps)
        elif kind in OF_VALUES:
            yield from _of_values(questions, ability, judge)
        else:
            for i in range(questions.count):
                yield Claim(kind, notion, feature=i, member=questions.ask(ability, (i,), asking.truth))
    except SubjectFault as fault:
        yield Claim(kind, notion, fault=FaultKind(fault.verdict), message=fault.evidence)


def _listed(questions: _Questions) -> Iterator[Claim]:
    """Yield each XP that is listed, once, and the claim that these are all."""
    xps: Sequence[tuple[str, Members]] = questions.ask(
        "enumerate", (), lambda answer: asking.xps(answer, questions.count, max(asking.MAX_XPS, questions.most + 1))
    )
    for word, members in list(dict.fromkeys(xps))[: questions.most]:
        yield Claim(ClaimKind(word), questions.notion, members)
    axps, cxps = (tuple(members for own, members in xps if own == word) for word in ("AXp", "CXp"))
    yield Claim(ClaimKind.FAMILY, questions.notion, axps=axps, cxps=cxps)


def _of_values(questions: _Questions, ability: str, judge: ClaimJudge) -> Iterator[Claim]:
    """Yield the claim of the sets of values of an AXp, or of a CXp, that is known or that the oracles found."""
    case, consensus = questions.case, judge.frame(questions.notion).consensus
    if isinstance(case, LabelledCase) or not questions.notion.of_features:
        return
    everything = frozenset(range(questions.count))
    known = judge.inflation_asked(_KIND_OF[ability])
    if known is not None:
        xp: Members | None = frozenset(known)
    elif ability == "inflate":
        xp = shrink_axp(consensus, everything)
    else:
        xp = shrink_cxp(consensus, everything) if consensus.ask(()).changeable else None
    if xp is None:
        return
    arguments: tuple[Any, ...] = (xp,)
    if ability == "inflate":
        order = sorted(xp)
        random.Random(f"{case.dice} order of inflation").shuffle(order)
        arguments = (xp, known or tuple(order))
    box = questions.ask(ability, arguments, lambda answer: asking.box(answer, case.graph.features, xp))
    yield Claim(_KIND_OF[ability], questions.notion, box=tuple(sorted(box.items())))


def _seeds(questions: _Questions, judge: ClaimJudge, *, is_axp: bool) -> Iterator[Members]:
    """Yield seeds that the oracles call weak XPs: the set of all members, and some sets by the case's dice."""
    consensus, count = judge.frame(questions.notion).consensus, questions.count
    everything = frozenset(range(count))
    dice = random.Random(f"{questions.case.dice} seeds")
    sets = [everything, *(frozenset(i for i in range(count) if dice.random() < 0.7) for _ in range(SEEDS))]
    for seed in dict.fromkeys(sets):
        # Unknown is neither.
        if consensus.ask(seed if is_axp else everything - seed).changeable is (not is_axp):
            yield seed
