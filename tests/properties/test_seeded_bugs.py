"""The seeded bugs themselves: what they are variations of is right, and each of them is different from it."""

from __future__ import annotations

import functools
import re

import pytest

from xpgcheck.errors import InputError
from xpgcheck.properties import asking
from xpgcheck.properties.cases import Case
from xpgcheck.properties.catalogue import able, all_properties
from xpgcheck.properties.running.outcomes import PropertyTally
from xpgcheck.properties.running.search import visit
from xpgcheck.properties.running.trying import judge
from xpgcheck.properties.seeded import SeededBug, chosen_bugs, seeded_bug, seeded_bugs
from xpgcheck.properties.seeded.honest import HonestOracle
from xpgcheck.properties.seeded.textbook import Textbook
from xpgcheck.properties.strategies import property_cases
from xpgcheck.properties.subjects import EXPLAINS, JUDGES, abilities
from xpgcheck.properties.trials import Trial

BUGS = seeded_bugs()
RIGHT = {"explainer": Textbook, "oracle": HonestOracle}


@functools.cache
def generated(count: int) -> tuple[Case, ...]:
    """The same cases in every run."""
    found: list[Case] = []
    visit(property_cases(size=12), found.append, count, 2107)
    return tuple(found)


@pytest.mark.parametrize("kind", ["explainer", "oracle"])
def test_what_the_bugs_vary_passes_all_properties(kind: str) -> None:
    right = RIGHT[kind]()
    properties = able((p for p in all_properties() if not p.smt), abilities(right))
    assert properties
    for case in generated(400)[:60]:
        with Trial(case, right) as trial:
            for check in properties:
                tally = PropertyTally()
                violation = judge(check, trial, tally)
                assert violation is None, f"{check.name}: {violation}"
                assert not tally.open, f"{check.name}: {tally.reasons}"


def test_what_the_bugs_vary_can_do_everything() -> None:
    assert abilities(Textbook()) == set(EXPLAINS)
    assert abilities(HonestOracle()) == set(JUDGES)


def test_there_are_as_many_as_promised() -> None:
    kinds = [bug.kind for bug in BUGS]
    assert kinds.count("explainer") >= 60
    assert kinds.count("oracle") >= 15
    assert kinds == sorted(kinds), "explainers come first"


@pytest.mark.parametrize("field", ["name", "wrong"])
def test_no_two_bugs_share_their_text(field: str) -> None:
    texts = [getattr(bug, field) for bug in BUGS]
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_a_bug_is_a_small_named_variation(bug: SeededBug) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)+", bug.name)
    assert re.fullmatch(r"[A-Zσε].{15,150}\.", bug.wrong)
    first, second = bug.make(), bug.make()
    assert first is not second, "a fresh subject each time"
    assert first.name == bug.name
    # Those that stand alone have few abilities, and hand most of them on to a textbook.
    assert isinstance(first, RIGHT[bug.kind]) or bug.make.__module__.endswith(".alone")  # type: ignore[attr-defined]
    overridden = [name for name in vars(type(first)) if callable(getattr(type(first), name)) and name[:2] != "__"]
    assert 1 <= len(overridden) <= 4
    assert 0 < bug.seconds <= asking.DEFAULT_SECONDS
    assert bug.source


def test_bugs_are_chosen_by_name() -> None:
    assert chosen_bugs(()) == BUGS
    assert chosen_bugs(["seed-ignored", "no-marks", "seed-ignored"]) == (
        seeded_bug("seed-ignored"),
        seeded_bug("no-marks"),
    )


def test_a_name_that_no_bug_has_is_refused() -> None:
    with pytest.raises(InputError, match="did you mean 'seed-ignored") as caught:
        seeded_bug("seed-ignore")
    assert "no seeded bug is called" in str(caught.value)
