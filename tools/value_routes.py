"""Compare every route to answers about sets of values with all combinations of cells, on generated cases.

    python tools/value_routes.py [--cases 100000] [--seed 0] [--solver-every 25] [--under-constraints]

A case is a graph or an ensemble, an instance, and a box around it: a set of cells of some features.  "Is there a point of
another class in the box?" is asked of the paths in the box, of every oracle of the classifier confined to it, and of the
explainer; in every --solver-every'th case also of Z3.  In every fifth case claims of sets of values are judged too: the
inflated AXp and CXp of the explainer, an inflated change, and the drawn box as each of them; and each verdict is certified.
Prints the answers of each route, and ends with status 1 where one differs.
"""

from __future__ import annotations

import argparse
import itertools
import random
import sys
import time
from collections import Counter
from typing import Any

from xpgcheck.certificates.checked import CertifierPool, RefusedLineError
from xpgcheck.explanations.case import case_of
from xpgcheck.judging.claim import Claim, ClaimKind, Notion
from xpgcheck.judging.constraint_panel import ConstraintOracles
from xpgcheck.judging.ensemble_panel import EnsemblePanel
from xpgcheck.judging.panel import Panel, open_panel
from xpgcheck.judging.verdicts import Verdict
from xpgcheck.judging.xp_judge import shrink_axp, shrink_cxp
from xpgcheck.model.boxes import confined, confined_constraint, union_of_cells
from xpgcheck.model.constraint import Constraint
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import IntervalSet
from xpgcheck.oracles.box_paths import BoxPaths
from xpgcheck.properties.constraints.strategies import constraint_cases
from xpgcheck.properties.ensembles.strategies import ensemble_cases
from xpgcheck.properties.running.search import visit
from xpgcheck.properties.strategies import cases
from xpgcheck.xpg.constraints.ensembles import ConstrainedEnsemble
from xpgcheck.xpg.ensembles.inflation import BoxQuestions
from xpgcheck.xpg.explanation_graph import mask_of
from xpgcheck.xpg.graph_boxes import box_at

BOXES = 8
"""Boxes drawn for each model and instance."""

MAX_POINTS = 20_000
"""Combinations of cells up to which a model is looked at."""


class Compared:
    """The answers so far, and those that differ from what all combinations of cells say."""

    def __init__(self, solver_every: int) -> None:
        self.answers: Counter[tuple[str, str]] = Counter()
        self.claims: Counter[tuple[str, str]] = Counter()
        self.differ: list[str] = []
        self.cases = 0
        self._every = solver_every
        self._certifiers = CertifierPool()

    def look(
        self, model: DecisionGraph | Ensemble, instance: Any, dice: random.Random, constraint: Constraint | None = None
    ) -> None:
        """Compare all routes on boxes of *model* around *instance*, under *constraint* if there is one."""
        count = 1
        for split in model.cells if constraint is None else constraint.cells_with(model):
            count *= len(split)
        if count > MAX_POINTS or (
            isinstance(model, Ensemble) and (model.tally.slack or not model.is_settled(instance))
        ):
            return
        truth = Truth(model, instance, constraint)
        for _ in range(BOXES):
            masks = truth.drawn(dice)
            self._box(truth, masks)
            if self.cases % 5 == 0:
                self._claims(truth, masks)
            self.cases += 1

    def _box(self, truth: Truth, masks: dict[int, int]) -> None:
        model, instance, constraint = truth.model, truth.instance, truth.constraint
        box = {i: union_of_cells(truth.cells[i], bits) for i, bits in masks.items()}
        wanted = truth.changeable(masks)
        said: list[tuple[str, bool | None]] = []
        if isinstance(model, DecisionGraph):
            said.append(("paths in the box", BoxPaths(model, constraint).changeable(box, instance).changeable))
        if constraint is not None:
            under = ConstrainedEnsemble(model, constraint)
            questions = BoxQuestions(under.ensemble, instance, decider=under.decider)
            said.append(("the explainer", questions.other(masks) is not None))
        elif isinstance(model, DecisionGraph):
            own = box_at(model, truth.at, truth.own, sorted(masks), free=True)
            for i, bits in masks.items():
                own.grow(i, bits)
            said.append(("the explainer", own.is_open))
        else:
            said.append(("the explainer", BoxQuestions(model, instance).other(masks) is not None))
        solvers = ("z3",) if self.cases % self._every == 0 else ()
        inside = confined(model, box, instance)
        panel: Panel | EnsemblePanel | ConstraintOracles
        if constraint is not None:
            panel = ConstraintOracles(inside, confined_constraint(constraint, box, instance), solvers, thorough=True)
        elif isinstance(inside, Ensemble):
            panel = EnsemblePanel(inside, solvers, thorough=True)
        else:
            panel = Panel(inside, solvers, thorough=True)
        with panel:
            belief = panel.at(instance).ask(())
        said += [(answer.oracle, answer.changeable) for answer in belief.answers]
        said.append(("what is believed", belief.changeable))
        for route, answer in said:
            self.answers[route, {True: "yes", False: "no", None: "open"}[answer]] += 1
            if answer is not None and answer is not wanted:
                self.differ.append(f"{route} says {answer} of {model!r} at {instance} in {box}")

    def _claims(self, truth: Truth, masks: dict[int, int]) -> None:
        model, instance, constraint = truth.model, truth.instance, truth.constraint
        drawn = {i: union_of_cells(truth.cells[i], bits) for i, bits in masks.items()}
        notion = Notion.FEATURES if constraint is None else Notion.CONSTRAINTS
        with open_panel(model, solver_last=True, constraint=constraint) as panel:
            judge = panel.claims_at(instance)
            consensus = judge.frame(notion).consensus
            explainer = case_of(model, instance, constraint=constraint).explainer
            everything = frozenset(range(len(model.features)))
            wanted = [
                (ClaimKind.INFLATED_AXP, drawn, truth.of_axp(masks)),
                (ClaimKind.INFLATED_CXP, drawn, truth.of_cxp(masks)),
            ]
            axp = shrink_axp(consensus, everything)
            cxp = shrink_cxp(consensus, everything) if truth.changeable({}) else None
            of_axp = None if axp is None else explainer.values_of_axp(mask_of(axp))
            if of_axp is not None:
                wanted.append((ClaimKind.INFLATED_AXP, dict(of_axp), Verdict.INFLATED))
            of_cxp = None if cxp is None else explainer.values_of_cxp(mask_of(cxp))
            if cxp is not None and of_cxp is not None:
                wanted.append((ClaimKind.INFLATED_CXP, dict(of_cxp), Verdict.INFLATED))
                changed = consensus.ask(everything - cxp).witness
                around = None if changed is None else explainer.values_of_change(mask_of(cxp), changed)
                if around is not None:
                    wanted.append((ClaimKind.INFLATED_CHANGE, dict(around), Verdict.INFLATED))
            for kind, box, right in wanted:
                claim = Claim(kind, notion, box=tuple(sorted(box.items(), key=lambda pair: pair[0])))
                judged = judge.judge(claim)
                given = judged.verdict
                self.claims[kind.value, given.value] += 1
                try:
                    line = self._certifiers.certified(model, instance, judged, constraint)
                    self.claims["certificate", "none" if isinstance(line, str) else "accepted"] += 1
                except RefusedLineError as error:
                    self.differ.append(f"{kind.value} {box} of {model!r} at {instance}, {given}: {error}")
                if given is not right:
                    self.differ.append(f"{kind.value} {box} of {model!r} at {instance} is {right}, and judged {given}")


class Truth:
    """A model at an instance by κ at every combination of cells."""

    def __init__(self, model: DecisionGraph | Ensemble, instance: Any, constraint: Constraint | None = None) -> None:
        self.model, self.instance, self.own = model, instance, model.kappa(instance)
        self.constraint = constraint
        self.cells = model.cells if constraint is None else constraint.cells_with(model)
        pairs = zip(self.cells, instance, strict=True)
        self.at = [next(k for k, cell in enumerate(split) if value in cell) for split, value in pairs]
        places = itertools.product(*[range(len(split)) for split in self.cells])
        values = [[cell.representative() for cell in split] for split in self.cells]
        self.others = []
        for place in places:
            point = tuple([v[k] for v, k in zip(values, place, strict=True)])
            if model.kappa(point) != self.own and (constraint is None or constraint.allows(point)):
                self.others.append(place)

    def drawn(self, dice: random.Random) -> dict[int, int]:
        """Return cells of some features, as bits: any, or a largest box with perhaps a cell more or less."""
        if dice.random() < 0.5:
            return self._any(dice)
        box = {i: 1 << own for i, own in enumerate(self.at)}
        for i in dice.sample(sorted(box), len(box)):
            if not self.changeable({j: bits for j, bits in box.items() if j != i}):
                del box[i]
        for i in dice.sample(sorted(box), len(box)):
            for k in sorted(range(len(self.cells[i])), key=lambda k: abs(k - self.at[i])):
                if not self.changeable({**box, i: box[i] | 1 << k}):
                    box[i] |= 1 << k
        for i in box:
            changed = box[i] ^ 1 << dice.randrange(len(self.cells[i]))
            if dice.random() < 0.3 and changed >> self.at[i] & 1:
                box[i] = changed
        return box

    def _any(self, dice: random.Random) -> dict[int, int]:
        """Return cells of some features: of ordered ones mostly a run, the instance's among them."""
        box = {}
        for i, split in enumerate(self.cells):
            if dice.random() < 0.4:
                continue
            own, last = self.at[i], len(split) - 1
            low, high = dice.randint(0, own), dice.randint(own, last)
            box[i] = (1 << high + 1) - (1 << low)
            if not isinstance(split[0], IntervalSet) or dice.random() < 0.2:
                box[i] = dice.randrange(1 << last + 1) | 1 << own
        return box

    def changeable(self, masks: dict[int, int]) -> bool:
        """Tell whether the box has a point of another class."""
        return any(all(bits >> place[i] & 1 for i, bits in masks.items()) for place in self.others)

    def of_axp(self, masks: dict[int, int]) -> Verdict:
        """Return the verdict on an inflated AXp."""
        if self.changeable(masks):
            return Verdict.INSUFFICIENT
        single = {i: 1 << self.at[i] for i in masks}
        if any(not self.changeable({i: bits for i, bits in single.items() if i != j}) for j in masks):
            return Verdict.REDUNDANT
        for i, bits in masks.items():
            split = self.cells[i]
            held = union_of_cells(split, bits)
            for k in range(len(split)):
                larger = union_of_cells(split, bits | 1 << k)
                # Numbers join next to the first or the last of them; the missing value always.
                joins = not isinstance(held, IntervalSet) or not held.cuts or _next_to(larger, held)
                if not bits >> k & 1 and joins and not self.changeable({**masks, i: bits | 1 << k}):
                    return Verdict.NOT_MAXIMAL
        return Verdict.INFLATED

    def of_cxp(self, masks: dict[int, int]) -> Verdict:
        """Return the verdict on an inflated CXp."""
        free = frozenset(masks)
        changes = self._changes(free)
        if not changes:
            return Verdict.INEFFECTIVE
        if any(self._changes(free - {i}) for i in free):
            return Verdict.REDUNDANT
        right = {i: sum(1 << k for k in {place[i] for place in changes}) for i in free}
        if any(masks[i] & ~right[i] for i in free):
            return Verdict.INEFFECTIVE
        return Verdict.INFLATED if masks == right else Verdict.NOT_MAXIMAL

    def _changes(self, free: frozenset[int]) -> list[tuple[int, ...]]:
        return [p for p in self.others if all(p[i] == own for i, own in enumerate(self.at) if i not in free)]


def _next_to(larger: Any, held: IntervalSet) -> bool:
    """Tell whether *larger* has, besides *held*, the missing value or numbers next to some of it."""
    if larger.cuts == held.cuts:
        return bool(larger.missing and not held.missing)
    return len(larger.cuts) <= len(held.cuts)


def main() -> int:
    """Look at the cases and print what was compared."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--solver-every", type=int, default=25, metavar="N")
    parser.add_argument("--under-constraints", action="store_true", help="with generated constraints")
    options = parser.parse_args()
    compared, started = Compared(options.solver_every), time.monotonic()
    part = 0
    while compared.cases < options.cases and not compared.differ:
        seed = options.seed + (part << 32)

        def of_graph(case: Any, seed: int = seed) -> None:
            compared.look(*case, random.Random(f"{seed} {compared.cases}"))

        def of_ensemble(case: Any, seed: int = seed) -> None:
            compared.look(case.graph, case.instance, random.Random(f"{seed} {compared.cases}"), case.constraint)

        if options.under_constraints:
            visit(constraint_cases(), of_ensemble, 500, seed)
        else:
            visit(cases(), of_graph, 400, seed)
            visit(ensemble_cases(trees=3), of_ensemble, 100, seed)
        part += 1
    print(f"{compared.cases:,} cases in {time.monotonic() - started:,.0f} s")
    for title, counts in (("answers", compared.answers), ("claims", compared.claims)):
        print(title)
        for (what, answer), number in sorted(counts.items()):
            print(f"  {what}: {answer} {number:,}")
    for text in compared.differ[:10]:
        print(f"DIFFERS: {text}")
    print("no route differs" if not compared.differ else f"{len(compared.differ):,} answers differ")
    return 1 if compared.differ else 0


if __name__ == "__main__":
    sys.exit(main())
