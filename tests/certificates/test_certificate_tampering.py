"""Certificates that were tampered with are refused, with the reason and at the place; others are accepted."""

from __future__ import annotations

import json
import os
import random
from collections.abc import Callable
from typing import Any

import pytest
import tamperings
from formulas import EXAMPLE
from tamperings import KINDS, campaign, certificates, fault, follows, majority, random_cases, random_ensembles, tampered

from xpgcheck import check_certificate
from xpgcheck.check_certificate import check_lines


@pytest.fixture(scope="module")
def files() -> list[bytes]:
    return [*certificates(random_cases(60)), *random_ensembles(60), majority(), EXAMPLE]


def test_untampered_certificates_are_accepted(files: list[bytes]) -> None:
    for data in files:
        outcome = check_lines(data.splitlines(keepends=True))
        assert outcome.status == 0, outcome.message


def test_there_are_more_than_thirty_kinds_each_with_its_own_reason() -> None:
    assert len(KINDS) > 90
    assert {kind.status for kind in KINDS.values()} == {1, 2}


@pytest.mark.parametrize("name", KINDS)
def test_a_kind_of_tampering_is_refused_with_reason_and_place(name: str, files: list[bytes]) -> None:
    rng = random.Random(name)
    problems = [fault(KINDS[name], rng.choice([*files, majority(), EXAMPLE]), rng) for _ in range(60)]
    problems += [fault(KINDS[name], rng.choice(random_ensembles(60)), rng) for _ in range(20)]
    problems += [fault(KINDS[name], data, rng) for data in (majority(), EXAMPLE)]
    applied = [problem for problem in problems if problem != "does not apply"]
    assert applied
    assert applied == [None] * len(applied)


@pytest.mark.slow
def test_thousands_of_tampered_files_are_refused() -> None:
    """In the environment ``fuzz`` of tox: fifty thousand."""
    count = 50_000 if "XPGCHECK_FUZZ" in os.environ else 10_000
    done, faults = campaign([*certificates(random_cases(400)), *random_ensembles(300)], count)
    assert done.total() == count
    assert min(done[name] for name in KINDS) > 0
    assert not faults


def test_the_tests_own_unit_propagation_tells_what_follows() -> None:
    assert follows([[1, 2], [1, -2]], [1])
    assert not follows([[1, 2], [-1, -2]], [])
    assert follows([[1], [-1]], [])


# Each check has to be able to fail: without it, what it is there for passes (or is refused for another reason).
BLIND: dict[str, tuple[str, Callable[..., Any]]] = {
    "node_dropped_from_a_closed_set": ("check_closed_set", lambda *_: None),
    "terminal_of_another_class_in_a_closed_set": ("check_closed_set", lambda *_: None),
    "empty_clause_dropped": ("check_rup", lambda *_: None),
    "xp_removed": ("check_rup", lambda *_: None),
    "clause_dropped": ("check_rup", lambda *_: None),
    "tree_goes_on": ("check_tree", lambda *_: None),
    "box_fixed_by_less": ("check_boxes", lambda *_: None),
    "box_dropped": ("check_boxes", lambda *_: None),
    "cut_outside_the_box": ("check_boxes", lambda *_: None),
    "members_out_of_order": ("ascending", lambda indexes, _: frozenset(indexes)),
    "blanks_between": ("read_json", json.loads),
    "another_format_or_version": ("check_form", lambda *_: None),
}


@pytest.mark.parametrize("name", BLIND)
def test_a_checker_without_the_check_lets_it_pass(
    name: str, files: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check_certificate, *BLIND[name])
    rng = random.Random(name)
    problems = (fault(KINDS[name], rng.choice([*files, majority(), *random_ensembles(60)]), rng) for _ in range(400))
    assert any(problem and problem.startswith("status 0") for problem in problems)


def test_the_table_of_a_campaign(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tamperings, "random_cases", lambda count: random_cases(10))
    monkeypatch.setattr(tamperings, "random_ensembles", lambda count: random_ensembles(60))
    assert tamperings.main(200) == 0
    printed = capsys.readouterr().out
    assert f"| all {len(KINDS)} kinds | 200 | 200 |" in printed


def test_a_kind_says_where_it_changed_the_file(files: list[bytes]) -> None:
    found = tampered(KINDS["another_class"], files[0], random.Random(1))
    assert found is not None
    assert found[1] in (2, 3, 4, 5)
