"""Claims of ``xpgcheck reduction --json``, checked again from the report alone by code of its own."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from plain_propagation import first_fault
from published_schemas import fits_schema

from xpgcheck.cli.main import main

Clauses = list[list[int]]

KNOWN: list[Clauses] = [
    [[1], [-1], [2]],
    [[-1], [1, 2], [-2], [-2, 3], [-3, -2], [3, 2]],
    [[], [1, -1], [1, 1], [-1]],
    [[1], [-1], [2], [1, -2, 3], [-1, -2, -3]],
    [[1, 2], [-1, 2], [1, -2], [-1, -2], [3]],
]


def reported(folder: Path, clauses: Clauses, *options: str) -> tuple[int, dict[str, Any]]:
    variables = max((abs(x) for clause in clauses for x in clause), default=0)
    lines = [f"p cnf {variables} {len(clauses)}", *(" ".join(map(str, [*clause, 0])) for clause in clauses)]
    (folder / "f.cnf").write_text("\n".join(lines) + "\n", encoding="utf-8")
    status = main(["reduction", str(folder / "f.cnf"), "--json", str(folder / "f.json"), "-q", *options])
    report = json.loads((folder / "f.json").read_text(encoding="ascii"))
    fits_schema(report, "reduction-report")
    assert report["clauses"] == clauses
    assert report["exit_status"] == status
    return status, report


def refutes(clauses: Clauses, lines: Clauses) -> bool:
    return [] in lines and first_fault(clauses, lines) is None


def satisfies(point: str, clause: list[int]) -> bool:
    return any((point[abs(x) - 1] == "1") == (x > 0) for x in clause)


def is_mus(clauses: Clauses, mus: dict[str, Any]) -> bool:
    members = [clauses[number - 1] for number in mus["clauses"]]
    return refutes(members, mus["refutation"]) and all(
        satisfies(point, clause)
        for k, point in enumerate(mus["models"])
        for other, clause in enumerate(members)
        if other != k
    ) * (len(mus["models"]) == len(members))


def is_in_none(report: dict[str, Any], asked: dict[str, Any]) -> bool:
    """As docs/explanation/reduction.md says it."""
    n, j = report["variables"], asked["clause"]
    given = [[-x] for x in asked["literals"]]
    given += [[-(n + i), *clause] for i, clause in enumerate(report["clauses"], 1) if i != j]
    for point in asked["no"]["counterexamples"]:
        falsified = [i for i, clause in enumerate(report["clauses"], 1) if not satisfies(point, clause)]
        if j not in falsified:
            given.append([n + i for i in falsified])
    return refutes(given, asked["no"]["refutation"])


def is_whole(report: dict[str, Any]) -> bool:
    family, clauses = report["family"], report["clauses"]
    given = [*family["mcses"], *([-number for number in mus["clauses"]] for mus in family["muses"])]
    return (
        all(is_mus(clauses, mus) for mus in family["muses"])
        and len(family["models"]) == len(family["mcses"])
        and all(
            satisfies(point, clause)
            for mcs, point in zip(family["mcses"], family["models"], strict=True)
            for number, clause in enumerate(clauses, 1)
            if number not in mcs
        )
        and refutes(given, family["refutation"])
    )


def fault(report: dict[str, Any]) -> str | None:
    """Say what *report* does not show of what it claims."""
    if report["model"] is not None and not all(satisfies(report["model"], c) for c in report["clauses"]):
        return "model"
    if report["complete"] and not is_whole(report):
        return "family"
    k = len(report["clauses"])
    psi = [[j, *(-(abs(x) + k) if x > 0 else abs(x) + k for x in c)] for j, c in enumerate(report["clauses"], 1)]
    not_psi = [[-x for x in term] for term in psi]
    for asked in report["asked"]:
        j, answer = asked["clause"], asked["in_some_mus"]["answer"]
        if answer is True and (j not in asked["mus"]["clauses"] or not is_mus(report["clauses"], asked["mus"])):
            return f"clause {j}: mus"
        if answer is False and not is_in_none(report, asked):
            return f"clause {j}: no"
        if asked["selected"]["B"]["answer"] is True:
            term = asked["prime_implicant"]
            # ψ is small here: propagation alone need not decide whether a term is an implicant.
            if j not in term or not implies(not_psi, term) or any(implies(not_psi, without(term, x)) for x in term):
                return f"clause {j}: prime_implicant"
    return None


def without(term: list[int], literal: int) -> list[int]:
    return [x for x in term if x != literal]


def implies(negated: Clauses, term: list[int]) -> bool:
    """Whether *term* contradicts the clauses *negated*, by splitting."""
    if first_fault(negated, [[-x for x in term]]) is None:
        return True
    free = next((abs(x) for c in negated for x in c if x not in term and -x not in term), None)
    return free is not None and implies(negated, [*term, free]) and implies(negated, [*term, -free])


def random_clauses(seed: int) -> Clauses:
    chance = random.Random(seed)
    n = chance.randint(1, 5)
    literals = [sign * v for v in range(1, n + 1) for sign in (1, -1)]
    return [chance.choices(literals, k=chance.choice((0, 1, 1, 2, 2, 2, 3))) for _ in range(chance.randint(1, 9))]


@pytest.mark.parametrize("clauses", [*KNOWN, *map(random_clauses, range(12))])
def test_the_report_shows_what_it_claims(tmp_path: Path, clauses: Clauses) -> None:
    status, report = reported(tmp_path, clauses)
    assert status == 0
    assert fault(report) is None


def change_mus(report: dict[str, Any]) -> None:
    report["asked"][0]["mus"]["clauses"][-1] = 3


def change_mus_model(report: dict[str, Any]) -> None:
    point = report["asked"][0]["mus"]["models"][0]
    report["asked"][0]["mus"]["models"][0] = "".join("10"[int(c)] for c in point)


def drop_last_line(report: dict[str, Any]) -> None:
    report["asked"][2]["no"]["refutation"].pop()


def drop_points(report: dict[str, Any]) -> None:
    report["asked"][2]["no"]["counterexamples"].clear()


def drop_mus(report: dict[str, Any]) -> None:
    report["family"]["muses"].pop()


def fatten_prime(report: dict[str, Any]) -> None:
    report["asked"][2]["prime_implicant"].append(4)


def thin_prime(report: dict[str, Any]) -> None:
    report["asked"][2]["prime_implicant"].pop()


CHANGES = [change_mus, change_mus_model, drop_last_line, drop_points, drop_mus, fatten_prime, thin_prime]


@pytest.mark.parametrize("change", CHANGES)
def test_a_report_that_was_changed_shows_less(tmp_path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    _, report = reported(tmp_path, KNOWN[0])
    changed = copy.deepcopy(report)
    change(changed)
    assert changed != report
    assert fault(changed) is not None


def test_what_is_known_when_muses_are_too_many(tmp_path: Path) -> None:
    clauses = [[sign * v] for v in range(1, 9) for sign in (1, -1)] + [[9]]
    status, report = reported(tmp_path, clauses, "--limit", "2", "--time", "30")
    assert status == 0
    assert (len(report["muses"]), report["complete"], report["family"]) == (2, False, None)
    assert fault(report) is None


def test_what_is_known_when_the_time_is_over(tmp_path: Path) -> None:
    from pysat.examples.genhard import PHP

    pigeons = [list(clause) for clause in PHP(9).clauses]
    status, report = reported(tmp_path, pigeons, "--time", "0.2", "--limit", "1")
    assert status == 3
    assert report["outcome"] == "inconclusive"
    assert {asked["in_some_mus"]["answer"] for asked in report["asked"]} == {None}
    assert "out of time" in report["asked"][0]["in_some_mus"]["reason"]
    assert report["readings"][0]["open_at"] == [asked["clause"] for asked in report["asked"]]
    assert fault(report) is None
