"""A checker of ensembles that goes wrong is found out: each bug accepts what is wrong, or refuses what is right.

The cases are small ensembles with everything that is true of them by trying every point (``naive_ensembles``); a bug is a
change of the checker's own text.
"""

from __future__ import annotations

import functools
import itertools
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st
from naive_ensembles import EnsembleInstance, document, small_ensembles, winners
from naive_issuer import raw_value

from xpgcheck import check_certificate
from xpgcheck.properties.strategies.points import draw_point

SOURCE = Path(check_certificate.__file__).read_text(encoding="utf-8")

LEADS = "max([row[c] - row[own] for row in chosen])"
TIES = "int((rival > own) != self.last)"
DOUBT = 'Fraction(read_number(rule.get("doubt", 0))) * times'
MEETS = "any(a < high and low < b for"
RIVALS = "for rival, lead in enumerate(leads):"
SECOND_HALF = "(len(done), feature, (cut, high))"

BUGS: dict[str, tuple[str, str]] = {
    "a tree is forgotten": ("x + max([row[c]", "x + bool(number) * max([row[c]"),
    "the base is forgotten in boxes": (
        "leads = [x - self.base[own] for x in self.base]",
        "leads = [0 for x in self.base]",
    ),
    "the base is forgotten at points": ("sums = self.base\n", "sums = [0] * len(self.base)\n"),
    "the last rival alone": (RIVALS, "for rival, lead in [*enumerate(leads)][-1:]:"),
    "the first rival alone": (RIVALS, "for rival, lead in [*enumerate(leads)][:1]:"),
    "the smallest lead for the largest": (LEADS, LEADS.replace("max", "min")),
    "any terminal": (LEADS, "[row[c] - row[own] for row in chosen][0]"),
    "ties are for the instance": (TIES, "1"),
    "ties are against the instance": (TIES, "0"),
    "ties the other way round": (TIES, TIES.replace("!=", "==")),
    "ties at points the other way round": ("(sums[c], c if self.last else -c)", "(sums[c], -c if self.last else c)"),
    "may win for must win": ("enough = -self.slack if", "enough = self.slack + 1 if"),
    "slack forgotten in boxes": ("enough = -self.slack if self.slack >= 0 else", "enough ="),
    "slack forgotten at points": ("ensure(settled", "ensure(True"),
    "no slack by rounding": ("doubt += Fraction(steps", "doubt += 0 * Fraction(steps"),
    "slack of less than a unit is none": ("math.floor(doubt * unit) if doubt else -1", "int(doubt * unit) or -1"),
    "slack in whole units more": ("math.floor(doubt * unit)", "math.ceil(doubt * unit)"),
    "no doubt": (DOUBT, "Fraction(0)"),
    "doubt of the average": (DOUBT, DOUBT.removesuffix(" * times")),
    "slack of one class": ("sum(sorted(most)[-2:])", "sorted(most)[-1]"),
    "every sum of floats is exact": ("max(most) * unit * 4 < 2**digits", "True"),
    "quotients meet no threshold": ('(not exact or (at and rule["type"] == "average"))', "(not exact)"),
    "a threshold of the average": ('[read_number(at["at"]) * times]', '[read_number(at["at"])]'),
    "strict for inclusive": ('bool(at and at["inclusive"])', "False"),
    "inclusive for strict": ('bool(at and at["inclusive"])', "bool(at)"),
    "the second half is not checked": (f"pending += [{SECOND_HALF}, ", "pending += ["),
    "a gap between the halves": (SECOND_HALF, SECOND_HALF.replace("(cut,", "(cut + 1,")),
    "what was cut stays cut": ("            i, box[i] = done.pop()\n", "            done.pop()\n"),
    "one edge per node": ("    order.append(child)\n", "    order.append(child)\n                    break\n"),
    "the lower place alone": (MEETS, "any(a <= low < b for"),
    "places at the border are left out": (MEETS, "any(a < high - 1 and low < b for"),
    "free features are fixed": ("(place, place + 1) if i in fixed else (0, end)", "(place, place + 1)"),
    "missing is never left free": ("and None not in domain.listed)", ")"),
    "missing is in no literal": ("[(last, last + 1)] * (None in values.listed)", "[]"),
    "the first interval of a literal alone": (
        "for a, b in values.spans or ()]\n",
        "for a, b in (values.spans or ())[:1]]\n",
    ),
    "the wrong place": ("bisect_right(row, (value, 0)) - 1", "max(0, bisect_right(row, (value, 0)) - 2)"),
}


def changed(old: str, new: str) -> Any:
    """Return the checker with *old* in its text, which is there once, replaced."""
    assert SOURCE.count(old) == 1, (SOURCE.count(old), old)
    module = types.ModuleType("changed_checker")
    exec(compile(SOURCE.replace(old, new), "changed_checker", "exec"), module.__dict__)
    return module


@functools.cache
def cases() -> tuple[tuple[Any, tuple[Any, ...], tuple[str, ...] | None, tuple[Any, ...]], ...]:
    """Return documents, each with a raw instance, its class if it is settled, and trees of boxes with whether they hold.

    Trees of cells say everything that is true, other trees nothing that is false: with whether a set of fixed features
    is sufficient, and whether the tree is of cells.
    """
    found: list[Any] = []

    @seeded(0)
    @settings(
        max_examples=500,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(st.data())
    def drawn(data: st.DataObject) -> None:
        model = data.draw(small_ensembles())
        v = draw_point(data.draw, model)
        raw = tuple(raw_value(value) for value in v)
        if len(winners(model, v)) > 1:
            found.append((document(model), raw, None, ()))
            return
        instance = EnsembleInstance(model, v)
        subsets = itertools.chain(*[itertools.combinations(range(len(v)), n) for n in range(len(v) + 1)])
        trees: list[Any] = []
        for fixed in map(frozenset, subsets):
            holds = fixed in instance.sufficient
            trees.append((fixed, instance.closed(fixed)["boxes"], holds, True))
            trees.append((fixed, [-1], holds, False))
        found.append((document(model), raw, model.classes[instance.own], tuple(trees)))

    drawn()
    return tuple(found)


def faults(checker: Any) -> Iterator[str]:
    """Yield what *checker* gets wrong."""
    for model, raw, own, trees in cases():
        try:
            mine = checker.Ensemble(model)
            values = [domain.value(item) for domain, item in zip(mine.domains, raw, strict=True)]
            name = mine.class_at(values, checker.Work())
        except checker.Refused:
            name = None
        if name != own:
            yield f"the class {name} for {own}"
            continue
        for fixed, boxes, holds, cells in trees if own is not None else ():
            try:
                first = checker.first_box(mine, values, fixed)
                checker.check_boxes(mine, first, mine.classes.index(own), boxes, checker.Work())
                accepted = True
            except checker.Refused:
                accepted = False
            if accepted != holds and (accepted or cells):
                yield f"{'accepted' if accepted else 'refused'} {boxes}"


def test_the_checker_has_no_fault() -> None:
    assert next(faults(check_certificate), None) is None


@pytest.mark.parametrize("name", BUGS)
def test_a_seeded_bug_of_the_checker_is_found(name: str) -> None:
    assert next(faults(changed(*BUGS[name])), None) is not None
