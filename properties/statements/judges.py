"""Properties of oracles: what they answer, prove, judge and believe, against the definitions by their text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from xpgcheck.oracles.answers import Answer, replay
from xpgcheck.properties import asking
from xpgcheck.properties.catalogue import holds
from xpgcheck.properties.definitions import Definition
from xpgcheck.properties.statements.duality import minimal_hitting_sets
from xpgcheck.properties.trials import Trial
from xpgcheck.properties.verdicts import Inconclusive, Violation

Family = list[frozenset[int]]

PANELS = 2
"""Sets of features on which panels of oracles are asked."""

CLAIMS = 6
"""Sets of features that are judged as claims."""


@holds("Eq. 1, Eq. 2", "changeable")
def an_oracle_answers_by_the_definition(trial: Trial) -> None:
    """The oracle's answer is what Eq. 1 and Eq. 2 say, over every combination of cells."""
    definition = trial.definition
    for fixed in trial.subsets:
        answer = _answer(trial, fixed)
        expected = definition.changeable(fixed)
        if answer.changeable is None:
            raise Inconclusive(answer.reason)
        if answer.changeable != expected:
            evidence = f"with {trial.text(fixed)} fixed it says {answer.changeable}"
            raise Violation("wrong answer", evidence)


@holds("Eq. 2", "changeable")
def an_oracle_proves_that_the_class_can_change(trial: Trial) -> None:
    """A "changeable" comes with a point of feature space that agrees on the fixed features and has another class."""
    for fixed in trial.subsets:
        answer = _answer(trial, fixed)
        if answer.changeable:
            if answer.witness is None:
                raise Violation("no witness", f"with {trial.text(fixed)} fixed")
            problem = replay(trial.graph, trial.instance, fixed, answer.witness)
            if problem is not None:
                raise Violation("wrong witness", f"with {trial.text(fixed)} fixed: {problem}")


@holds("Eq. 1, Eq. 2", "judge")
def a_judge_gives_the_verdict_of_the_definition(trial: Trial) -> None:
    """Each set of features gets the verdict on it as an AXp, and as a CXp, that the definitions give."""
    definition = trial.definition
    for claim in trial.subsets[:CLAIMS]:
        for kind, weak in (("AXp", _weak_axp), ("CXp", _weak_cxp)):
            expected = kind
            if not weak(trial, definition, claim):
                expected = "insufficient" if kind == "AXp" else "ineffective"
            elif any(weak(trial, definition, claim - {i}) for i in claim):
                expected = "redundant"
            said = trial.raw("judge", (kind, claim), str)
            if said != expected:
                raise Violation("wrong verdict", f"{kind} {trial.text(claim)} is {expected}, it says {said}")


@holds("Hitting-set duality after Eq. 2", "judge_family")
def a_judge_of_families_finds_what_is_wrong(trial: Trial) -> None:
    """The right families are complete; with one XP left out, doubled, or made larger they are not."""
    axps, cxps = _families(trial.definition, trial)
    for what, changed_axps, changed_cxps in _changed(axps, cxps, trial):
        said = trial.raw("judge_family", (tuple(changed_axps), tuple(changed_cxps)), str)
        right = what == "as they are"
        if (said == "complete") != right:
            evidence = f"the families {what}: it says {said}"
            raise Violation("wrong verdict", evidence)


@holds("Hitting-set duality after Eq. 2", "dual")
def duality_is_what_the_definition_says(trial: Trial) -> None:
    """Two families are called dual exactly if each holds the minimal hitting sets of the other."""
    axps, cxps = _families(trial.definition, trial)
    for what, first, second in _changed(axps, cxps, trial):
        dual = len(set(first)) == len(first) and len(set(second)) == len(second)
        dual = dual and minimal_hitting_sets(first) == set(second) and minimal_hitting_sets(second) == set(first)
        said = trial.asks("dual", (tuple(first), tuple(second), trial.count), asking.truth)
        if said != dual:
            raise Violation("wrong verdict", f"the families {what}: it says {said}")


@holds("Eq. 1, Eq. 2", "settle")
def a_consensus_never_believes_a_liar(trial: Trial) -> None:
    """Whichever oracle lies, a belief is right or the question stays open; two honest routes are believed."""
    definition = trial.definition
    for fixed in trial.subsets[:PANELS]:
        right = definition.changeable(fixed)
        honest = trial.consensus.ask(fixed)
        for what, oracles in _panels(right, honest.witness, trial.instance):
            believed = trial.raw("settle", (fixed, oracles), _belief)
            allowed = (right,) if what.startswith("two honest") else (None, right)
            if believed not in allowed:
                evidence = f"{what}, with {trial.text(fixed)} fixed: it believes {believed}, right is {right}"
                raise Violation("wrong belief", evidence)


class _Says:
    """An oracle that says one thing."""

    def __init__(self, name: str, changeable: bool | None, witness: Any) -> None:
        self.name = self.engine = name
        self._answer = Answer(changeable, witness, name, "" if changeable is not None else "it does not know")

    def changeable(self, fixed: object) -> Answer:
        """Say it."""
        return self._answer


def _panels(right: bool, witness: Any, instance: Any) -> Iterator[tuple[str, tuple[_Says, ...]]]:
    proof = witness if right else None
    honest = [_Says(name, right, proof) for name in ("first", "second")]
    yield "two honest oracles", tuple(honest)
    if not right:
        liars = [_Says(f"liar {k}", True, instance) for k in range(2)]
        yield "two honest oracles and two with a made-up witness", (*liars, *honest)
        yield "two that claim a change without a witness", tuple(_Says(f"bare {k}", True, None) for k in range(2))
        yield "one with a made-up witness, and one honest", (liars[0], honest[0])
    else:
        deniers = [_Says(f"denier {k}", False, None) for k in range(2)]
        yield "one that denies, and one that does not know", (deniers[0], _Says("unsure", None, None))
        yield "one that denies, and one honest", (deniers[0], honest[0])
        twins = [_Says("same engine", False, None) for _ in range(2)]
        yield "two that deny by one route", tuple(twins)
    yield "two that do not know", (_Says("unsure", None, None), _Says("unsure too", None, None))


def _belief(answer: object) -> bool | None:
    return None if answer is None else asking.truth(answer)


def _answer(trial: Trial, fixed: frozenset[int]) -> Answer:
    found: Answer = trial.raw("changeable", (fixed,), _read)
    return found


def _read(answer: object) -> Answer:
    if not isinstance(answer, Answer):
        raise asking.malformed("an Answer", answer)
    return answer


def _weak_axp(trial: Trial, definition: Definition, features: frozenset[int]) -> bool:
    return not definition.changeable(features)


def _weak_cxp(trial: Trial, definition: Definition, features: frozenset[int]) -> bool:
    return definition.changeable(trial.everything - features)


def _families(definition: Definition, trial: Trial) -> tuple[Family, Family]:
    cxps = sorted(definition.minimal_changes(), key=sorted)
    return sorted(minimal_hitting_sets(cxps), key=sorted), cxps


def _changed(axps: Family, cxps: Family, trial: Trial) -> Iterator[tuple[str, Family, Family]]:
    """Yield the right families, and ones with a single thing wrong."""
    yield "as they are", axps, cxps
    dice = trial.random("families")
    for word, family, put in (
        ("AXp", axps, lambda changed: (changed, cxps)),
        ("CXp", cxps, lambda changed: (axps, changed)),
    ):
        if not family:
            continue
        k = dice.randrange(len(family))
        yield f"without an {word}", *put([*family[:k], *family[k + 1 :]])
        yield f"with an {word} twice", *put([*family, family[k]])
        rest = sorted(trial.everything - family[k])
        if rest:
            larger = family[k] | {dice.choice(rest)}
            yield f"with an {word} made larger", *put([*family[:k], larger, *family[k + 1 :]])
            yield f"with a larger {word} next to one", *put([*family, larger])
        if family[k]:
            smaller = family[k] - {dice.choice(sorted(family[k]))}
            yield f"with an {word} made smaller", *put([*family[:k], smaller, *family[k + 1 :]])
