"""The part of a plan that a subject takes: it is asked about models of the kinds that it takes, and about no others."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Sequence

from xpgcheck.errors import InputError, shown
from xpgcheck.gate.plan import Cases, GatePlan
from xpgcheck.gate.results import Report
from xpgcheck.judging.claim import Notion
from xpgcheck.properties.subjects import GRAPH_KIND, MODEL_KINDS, model_kind


def taken(plan: GatePlan, report: Report) -> tuple[GatePlan, Counter[str]]:
    """Return what is left of *plan* for a subject that takes the models of *report*, and how many instances are left out.

    Those are counted by the kind of their model.  Raises ``InputError`` where a model that was named, or the kind of
    models that were to be generated, is not taken.
    """
    takes, left_out = report.models, Counter[str]()
    kept = []
    for job in plan.models:
        kind = model_kind(job.graph)
        if kind in takes:
            kept.append(job)
        elif plan.named:
            problem = f"{report.subject} takes no {MODEL_KINDS[kind]}, and {shown(job.graph.name)} is one"
            raise InputError(problem, mend=f"leave that --model out, or list {kind!r} in its 'models' if it takes them")
        else:
            left_out[kind] += job.count
    under = report.notion == Notion.CONSTRAINTS.value
    if not under and any(job.constraint is not None for job in kept):
        problem = f"{report.subject} explains without constraints"
        raise InputError(problem, mend="leave --constraints out, or give it the notion 'constraints'")
    if under:
        # Models that come without a constraint are not what such a subject explains, nor is the deck.
        without = [job for job in kept if job.constraint is None]
        if without and plan.named:
            problem = (
                f"{report.subject} explains under constraints, and there are none of {shown(without[0].graph.name)}"
            )
            raise InputError(problem, mend="give them: --constraints FILE")
        left_out.update({model_kind(job.graph): job.count for job in without})
        kept = [job for job in kept if job.constraint is not None]
    deck = plan.deck and GRAPH_KIND in takes and not under
    return dataclasses.replace(plan, models=tuple(kept), cases=_cases(plan.cases, report), deck=deck), left_out


def _cases(cases: Cases, report: Report) -> Cases:
    wanted = cases.models or ((GRAPH_KIND,) if cases.kinds else tuple(MODEL_KINDS))
    models = tuple(kind for kind in MODEL_KINDS if kind in wanted and kind in report.models)
    if not models and cases.examples:
        problem = f"{report.subject} takes no {_words(wanted)}, and nothing else was to be generated"
        raise InputError(problem, mend="leave --ensembles and --graph-kind out")
    return dataclasses.replace(cases, models=models)


def _words(kinds: Sequence[str]) -> str:
    return " or ".join(MODEL_KINDS[kind] for kind in kinds)


def drawn(cases: Cases) -> list[Cases]:
    """Return *cases* in parts that are of decision graphs, or of ensembles; of each half, where both are drawn."""
    ensembles = tuple(kind for kind in cases.models if kind != GRAPH_KIND)
    halves = [(GRAPH_KIND,), ensembles] if ensembles and GRAPH_KIND in cases.models else [cases.models]
    counts = [cases.examples - cases.examples // len(halves), cases.examples // len(halves)][-len(halves) :]
    return [
        dataclasses.replace(cases, examples=count, models=models)
        for count, models in zip(counts, halves, strict=True)
        if count
    ]
