"""The laws hold of the code as it is, and each of them is turned red by each bug that it names."""

import dataclasses

import pytest

from xpgcheck.paper.bounded.ablations import HOLDS, as_stated
from xpgcheck.paper.bounded.campaign import run
from xpgcheck.paper.bounded.code import OURS
from xpgcheck.paper.bounded.forms import merged
from xpgcheck.paper.bounded.generation import Assumed, Bound, generate
from xpgcheck.paper.bounded.law_bugs import CASES
from xpgcheck.paper.bounded.laws import LAWS
from xpgcheck.paper.bounded.seeded import BUGS
from xpgcheck.properties.selftest import SelftestSettings, ground_of
from xpgcheck.xpg.xps import XP, Kind

BY_NAME = {bug.name: bug for bug in BUGS}


@pytest.mark.parametrize("bound", [Bound(3, 2, 2, 2), Bound(2, 2, 3, 3)], ids=str)
def test_all_laws_hold(bound):
    found = run(bound)
    assert not any(found.failed.values()), found.first
    assert all(found.asked.values())
    assert not all(merged(bound, graph.rows).shape.read_once for graph in generate(bound))


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_every_law_that_names_a_bug_is_turned_red_by_it(bug):
    named = [law.name for law in LAWS if bug.name in law.turned_red_by]
    assert set(ground_of(bug).failing(bug, SelftestSettings(CASES))) == set(named)
    assert bug.wrong.endswith(".")


def test_every_law_names_a_bug():
    assert {bug for law in LAWS for bug in law.turned_red_by} == {bug.name for bug in BUGS}
    assert len(BUGS) == 24
    assert all(law.turned_red_by for law in LAWS)
    assert len({law.name for law in LAWS}) == len(LAWS)


@pytest.mark.parametrize("assumed", list(HOLDS))
def test_without_an_assumption(assumed):
    found = run(Bound(3, 2, 2, 2), assumed=assumed)
    assert as_stated(assumed, found.asked, found.failed) == []
    assert all(found.asked.values())


def test_closed_sets_are_sound_without_assumption_ii():
    found = run(
        Bound(3, 3, 2, 3),
        assumed=Assumed.WITHOUT_II,
        laws=[law for law in LAWS if law.name in ("σ is sound", "σ is Eq. 1")],
    )
    assert found.failed == {"σ is sound": 0, "σ is Eq. 1": 146}


def test_as_stated_says_what_differs():
    held = dict.fromkeys(law.name for law in LAWS)
    asked = dict.fromkeys(held, 7)
    failed = {name: 0 if name in HOLDS[Assumed.WITHOUT_II] else 2 for name in held}
    assert as_stated(Assumed.WITHOUT_II, asked, failed) == []
    assert len(as_stated(Assumed.WITHOUT_II, asked, {**failed, "monotone": 1})) == 1
    assert len(as_stated(Assumed.WITHOUT_II, asked, {**failed, "Algorithm 2": 0})) == 1


def test_the_first_violation_is_a_smallest_one():
    wrong = BY_NAME["largest CXp lost"]
    found = ground_of(wrong).first(wrong, 0, SelftestSettings(CASES))
    assert (found.property_name, found.case.size, found.example) == ("families", (1, 2, 3), 3)
    assert ground_of(wrong).first(wrong, 0, SelftestSettings(2)) is None


def test_an_exception_is_a_violation():
    def broken(xpg, free):
        raise ZeroDivisionError("broken")

    found = run(Bound(1, 1, 2, 2), code=dataclasses.replace(OURS, path_to_zero=broken))
    assert found.first["Algorithm 1"].what == "raised ZeroDivisionError: broken"


def test_an_xp_twice_is_a_violation():
    def twice(xpg):
        return [*OURS.all_xps(xpg), XP(Kind.AXP, frozenset())]

    found = run(Bound(0, 1, 2, 2), code=dataclasses.replace(OURS, all_xps=twice))
    assert found.failed["families"] == 1
