"""Growth of the time of deciding membership: DNFs, explanation graphs in general, and trees (Propositions 7, 8 and 9)."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.dags import random_dag, random_points
from benchmarks.explain import random_tree
from benchmarks.hard_families import axp_question, mus_question, random_3cnf, random_qbf, xpg_question
from benchmarks.measure import Report, cpu_seconds
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.oracles.propositional.limits import Deadline, OutOfTime
from xpgcheck.oracles.propositional.reduction import selector_dnf
from xpgcheck.xpg.explanation_graph import ExplanationGraph, explanation_graph
from xpgcheck.xpg.membership import in_some_xp

METHOD = """\
CPU s (median) of deciding whether one feature is in some AXp, or one clause in some MUS, on random inputs of growing \
size: literals of the formula, edges of the graph (median). Formulas come from random 2QBFs, about half of them true, and \
hard graphs from random 3-CNFs at the threshold of satisfiability; the other graphs and the trees are random. Questions \
about formulas are given up at the cap. A family ends where half of the questions of a size are given up, or where its \
share of time is used up. The answers of the first two families, of the same 2QBFs, were compared and are equal."""

COLUMNS = ("family", "n", "size", "yes", "no", "given up", "median s", "growth ×")

PICTURE = Path(__file__).resolve().parents[1] / "docs" / "pictures" / "membership-growth.svg"
"""The file of the picture."""

QBF_STEPS = (*range(4, 21, 2), 25, 30, 35, 40, 50, 60, 70, 80, 90, 100)
"""Variables of each kind in the 2QBFs."""

Answer = bool | None
"""Is it in one?  None: given up."""


@dataclass(frozen=True)
class Question:
    """A question of ``size`` literals or edges; ``decide`` is what is timed."""

    size: int
    decide: Callable[[], Answer]


@dataclass(frozen=True)
class Family:
    """Questions of growing size: ``make(n, seed)``, for n in ``steps``.  ``where`` is the class that membership is in."""

    name: str
    where: str
    steps: Sequence[int]
    make: Callable[[int, int], Question]


@dataclass
class Point:
    """Measurements at one size."""

    n: int
    size: float
    seconds: float
    answers: list[Answer]
    capped: bool


@dataclass
class Curve:
    """A family with its points."""

    family: Family
    points: list[Point] = field(default_factory=list)


def run(
    picture: Path | None = PICTURE, questions: int = 5, cap: float = 10.0, share: float = 50.0, largest: float = 1.0
) -> Report:
    """Ask *questions* a size, each up to *cap* seconds, a family for about *share* seconds; draw *picture*.

    *largest* scales the largest n of each family.
    """
    report = Report("hardness", METHOD, COLUMNS)
    curves = [measured(family, questions, cap, share, largest) for family in families(cap)]
    compare(*curves[:2])
    for curve in curves:
        before: Point | None = None
        for point in curve.points:
            growth = None if before is None or point.capped else exponent(before, point)
            counts = [sum(answer is wanted for answer in point.answers) for wanted in (True, False, None)]
            seconds: float | str = f"> {cap:g}" if point.capped else point.seconds
            report.rows.append((curve.family.name, point.n, round(point.size), *counts, seconds, growth))
            before = point
    report.notes.append(
        f"growth ×: the power of the size by which time grew from the row above; cap {cap:g} s a question"
    )
    if picture is not None:
        try:
            from benchmarks.growth_chart import draw
        except ImportError:
            report.notes.append("no picture: matplotlib is not installed")
        else:
            draw(curves, cap, picture)
            report.notes.append(f"picture: {picture.name}")
    return report


def compare(left: Curve, right: Curve) -> None:
    """Raise ``AssertionError`` where two families of the same 2QBFs were answered differently."""
    for one, other in zip(left.points, right.points, strict=False):
        for a, b in zip(one.answers, other.answers, strict=False):
            if None not in (a, b) and a != b:
                raise AssertionError(f"{left.family.name} and {right.family.name} differ at n = {one.n}")


def exponent(before: Point, after: Point) -> float:
    """Return e such that time grew by the e-th power of the size."""
    return math.log(after.seconds / before.seconds) / math.log(after.size / before.size)


def measured(family: Family, questions: int, cap: float, share: float, largest: float) -> Curve:
    curve = Curve(family)
    spent = 0.0
    for n in family.steps:
        if n > family.steps[-1] * largest or spent >= share:
            break
        sizes, seconds, answers = [], [], []
        for seed in range(questions):
            question = family.make(n, seed)
            found: list[Answer] = []
            took = cpu_seconds(lambda: found.append(question.decide()))  # noqa: B023
            spent += took
            sizes.append(question.size)
            answers += found
            seconds.append(math.inf if found[0] is None else took)
            if 2 * answers.count(None) > questions:
                break
        # Where it broke off, more than half would be over the cap: the median is over it whatever the rest is.
        capped = 2 * answers.count(None) > questions
        median = cap if capped else statistics.median(seconds)
        curve.points.append(Point(n, statistics.median(sizes), median, answers, capped))
        if capped:
            break
    return curve


def families(cap: float) -> list[Family]:
    """Return the families, the hardest first."""
    return [
        Family("MUS of a CNF, by CEGAR", "Σ₂ᵖ", QBF_STEPS, lambda n, seed: _mus(n, seed, cap)),
        Family("AXp of a DNF, by CEGAR", "Σ₂ᵖ", QBF_STEPS, lambda n, seed: _axp(n, seed, cap)),
        Family("AXp of ψ at x₀, by CEGAR", "Σ₂ᵖ", QBF_STEPS, lambda n, seed: _psi(n, seed, cap)),
        Family("hard XpG, one SAT query", "NP", (10, 20, 40, 60, 80, 100, 125, 150, 175, 200, 225, 250), _hard_xpg),
        Family("random XpG, one SAT query", "NP", tuple(100 * 2**k for k in range(8)), _random_xpg),
        Family("tree XpG", "P", tuple(50 * 2**k for k in range(10)), _tree),
    ]


def _within(cap: float, found: Callable[[Deadline], object | None]) -> Answer:
    try:
        return found(Deadline(cap)) is not None
    except OutOfTime:
        return None


def _mus(n: int, seed: int, cap: float) -> Question:
    from xpgcheck.oracles.propositional.membership_cegar import mus_with

    formula, clause = mus_question(random_qbf(n, seed))
    size = sum(map(len, formula.clauses))
    return Question(size, lambda: _within(cap, lambda deadline: mus_with(formula, clause, deadline).mus))


def _axp(n: int, seed: int, cap: float) -> Question:
    from xpgcheck.oracles.propositional.classifier_axps import axp_with

    formula, point, feature = axp_question(random_qbf(n, seed))
    size = sum(map(len, formula.terms))
    return Question(size, lambda: _within(cap, lambda deadline: axp_with(formula, point, feature, deadline)))


def _psi(n: int, seed: int, cap: float) -> Question:
    """Reading C of the paper's reduction of the same CNF: x₀ is random but for w, at which the clause asked about holds."""
    from xpgcheck.oracles.propositional.classifier_axps import axp_with

    formula, clause = mus_question(random_qbf(n, seed))
    psi = selector_dnf(formula)
    rng = random.Random(seed)
    x0 = [*(rng.random() < 0.5 for _ in range(formula.variables - 1)), True]
    point = (*(True for _ in formula.clauses), *x0)
    size = sum(map(len, psi.terms))
    return Question(size, lambda: _within(cap, lambda deadline: axp_with(psi, point, clause, deadline)))


def _hard_xpg(n: int, seed: int) -> Question:
    xpg, feature = xpg_question(n, random_3cnf(n, seed))
    return Question(_edges(xpg), lambda: in_some_xp(xpg, feature))


def _random_xpg(n: int, seed: int) -> Question:
    return _of_graph(random_dag(n, seed), seed)


def _tree(leaves: int, seed: int) -> Question:
    return _of_graph(random_tree(leaves, depth=16, seed=seed), seed)


def _of_graph(graph: DecisionGraph, seed: int) -> Question:
    xpg = explanation_graph(graph, random_points(graph, 1, seed)[0])
    feature = random.Random(seed).randrange(len(xpg.variables))
    return Question(_edges(xpg), lambda: in_some_xp(xpg, feature))


def _edges(xpg: ExplanationGraph) -> int:
    return sum(map(len, xpg.zero_children)) + sum(child >= 0 for child in xpg.one_child)
