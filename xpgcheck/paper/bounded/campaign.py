"""All laws on all cases of a share of the graphs up to a size: tallies, and the first violation of each law."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field

from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.paper.bounded import forms
from xpgcheck.paper.bounded.cases import BoundedCase
from xpgcheck.paper.bounded.code import OURS, Code
from xpgcheck.paper.bounded.generation import Assumed, Bound, Generated, Rows, generate, orbit
from xpgcheck.paper.bounded.laws import LAWS, Law
from xpgcheck.paper.bounded.truth import NOWHERE, class_of_instance, ends, truth_of


@dataclass(frozen=True, slots=True)
class LawViolation:
    """The law, the text of the graph, its form, and what differs."""

    law: str
    rows: Rows
    form: str
    what: str

    def graph(self, bound: Bound) -> DecisionGraph:
        """Return the graph, of the size *bound*, in its form."""
        return dict(_forms(bound, self.rows))[self.form]


@dataclass(slots=True)
class Campaign:
    """The cases that were looked at, and the findings.

    ``pairs`` and ``labelled`` are counts by number of non-terminals: of (graph, instance) up to renaming, and of graphs
    with names that they stand for.  ``asked`` and ``failed`` count by law, a case being a pair in one form.
    """

    pairs: dict[int, int] = field(default_factory=dict)
    labelled: dict[int, int] = field(default_factory=dict)
    cases: int = 0
    asked: dict[str, int] = field(default_factory=dict)
    failed: dict[str, int] = field(default_factory=dict)
    first: dict[str, LawViolation] = field(default_factory=dict)


def run(
    bound: Bound,
    *,
    assumed: Assumed = Assumed.BOTH,
    share: tuple[int, int] = (0, 1),
    tested: int = 0,
    code: Code = OURS,
    laws: Collection[Law] = LAWS,
    enough: Callable[[Campaign], bool] = lambda campaign: False,
) -> Campaign:
    """Ask *laws* about every case of the *share*, by number of non-terminals, until it is *enough*.

    See :func:`xpgcheck.paper.bounded.generation.generate` for *assumed*, *share* and *tested*.
    """
    found = Campaign(asked={law.name: 0 for law in laws}, failed={law.name: 0 for law in laws})
    for generated in generate(bound, assumed, share, tested=tested):
        size = len(generated.rows)
        found.pairs[size] = found.pairs.get(size, 0) + 1
        found.labelled[size] = found.labelled.get(size, 0) + orbit(bound, generated)
        _examine(bound, generated, code, laws, found)
        if enough(found):
            break
    return found


def _examine(bound: Bound, generated: Generated, code: Code, laws: Collection[Law], found: Campaign) -> None:
    where = ends(bound, generated.rows)
    if class_of_instance(where) == NOWHERE:
        return
    truth = truth_of(bound, where)
    for form, graph in _forms(bound, generated.rows):
        case = BoundedCase(bound, generated.rows, graph, where, truth, code)
        found.cases += 1
        for law in laws:
            if law.speaks_of(case, form):
                found.asked[law.name] += 1
                what = law.violated(case)
                if what is not None:
                    found.failed[law.name] += 1
                    found.first.setdefault(law.name, LawViolation(law.name, generated.rows, form, what))


def _forms(bound: Bound, rows: Rows) -> Iterator[tuple[str, DecisionGraph]]:
    yield "merged", forms.merged(bound, rows)
    tree = forms.with_leaves(bound, rows)
    if tree is not None:
        yield "leaves", tree
