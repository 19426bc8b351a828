"""The deck: what it covers, that its families are right, and that it catches explainers wrong beyond small graphs."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import right_explainers
from msgspec import UNSET

from xpgcheck.cli.main import main
from xpgcheck.deck.building import certified_case, deck_document, deck_text
from xpgcheck.deck.cases import designed
from xpgcheck.deck.designs import KINDS
from xpgcheck.deck.documents import Deck
from xpgcheck.deck.storage import check_deck, read_case, read_deck, sequences, stored_deck
from xpgcheck.errors import FormatError, InputError
from xpgcheck.gate.deck_run import DeckRun
from xpgcheck.gate.reports.summary import verdict_line
from xpgcheck.gate.results import Report
from xpgcheck.judging.claim import OF_VALUES, Claim, ClaimKind, Notion
from xpgcheck.judging.known_families import KnownJudge
from xpgcheck.judging.panel import Panel
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.properties.seeded import reach_bugs, seeded_bug
from xpgcheck.properties.seeded.reach import by_kind
from xpgcheck.properties.selftest import made
from xpgcheck.properties.subjects import abilities

DECK = read_deck()


def part(kind: str, most: int = 12) -> Deck:
    """Return a small deck: cases of one kind."""
    cases = [case for case in DECK.cases if kind in case.kinds][:most]
    return part_of([case.name for case in cases])


def part_of(names: list[str]) -> Deck:
    cases = [case for case in DECK.cases if case.name in names]
    return Deck(
        format="xpgcheck-deck",
        version=DECK.version,
        description="a part",
        made_with=DECK.made_with,
        kinds=DECK.kinds,
        number_of_cases=len(cases),
        number_of_tests=sum(len(case.tests) for case in cases),
        cases=cases,
        sequences=[s for s in DECK.sequences if all(step.rpartition(": ")[2] in names for step in s.steps)],
    )


def asked(subject: Any, deck: Deck, seconds: float = 60.0) -> Report:
    return DeckRun(subject, sorted(abilities(subject)), Notion.FEATURES, seconds, ("z3",)).run(deck)


def test_every_kind_and_every_two_kinds_meet_in_a_case_or_a_sequence() -> None:
    met = [set(case.kinds) for case in DECK.cases] + [set(sequence.kinds) for sequence in sequences(DECK)]
    assert set(KINDS) == set(DECK.kinds) == set().union(*met)
    for two in itertools.combinations(KINDS, 2):
        assert any(set(two) <= kinds for kinds in met), two
    assert DECK.number_of_cases == len(DECK.cases) == len({case.name for case in DECK.cases}) >= 150
    assert DECK.number_of_tests == sum(len(case.tests) for case in DECK.cases)
    assert not [case.name for case in DECK.cases if not (case.reason and case.stands_for)]


def test_the_design_is_what_is_stored() -> None:
    assert [(c.name, list(c.kinds), c.reason) for c in designed()] == [(c.name, c.kinds, c.reason) for c in DECK.cases]


def test_some_families_are_certified_again() -> None:
    wanted = ("AND of 7", "4 pairs", "3 diamonds", "fan of 6", "values beyond 2^53", "categories equal but for case")
    by_name = {case.name: case for case in designed()}
    for case in DECK.cases:
        if case.name in wanted:
            assert certified_case(by_name[case.name]) == case


@pytest.mark.slow
def test_the_deck_is_made_again() -> None:
    made = deck_document()
    made.made_with["xpgcheck"] = DECK.made_with["xpgcheck"]
    assert deck_text(made) == stored_deck()


def test_a_family_that_is_left_out_follows_from_the_other() -> None:
    (case,) = [read_case(case) for case in DECK.cases if case.name == "20 pairs"]
    families = case.points[0].families
    assert families.axps is None
    one_of_each = frozenset(range(0, 40, 2))
    assert families.holds(one_of_each, is_axp=True)
    assert not families.holds(one_of_each | {1}, is_axp=True)
    assert not families.holds(one_of_each - {0}, is_axp=True)
    assert families.in_some_xp() == frozenset(range(40))


@pytest.mark.parametrize(
    "name", ["4 pairs", "combinations, with missing values", "values missing", "AND of 3, 11 levels down"]
)
def test_verdicts_are_those_of_the_oracles(name: str) -> None:
    (case,) = [read_case(case) for case in DECK.cases if case.name == name]
    count = len(case.graph.features)
    some = [frozenset(s) for k in range(3) for s in itertools.combinations(range(min(count, 6)), k)]
    with Panel(case.graph, solver_last=True) as panel:
        for point in case.points:
            oracles = panel.claims_at(point.point)
            known = KnownJudge(case.graph, point.point, point.families, lambda judge=oracles: judge)
            own = [*some, *(point.families.axps or ())[:4], *(point.families.cxps or ())[:4]]
            claims = [Claim(kind, members=members) for kind in (ClaimKind.AXP, ClaimKind.CXP) for members in own]
            claims += [Claim(ClaimKind.MEMBERSHIP, feature=i, member=m) for i in range(count) for m in (True, False)]
            claims.append(Claim(ClaimKind.FAMILY, axps=point.families.axps, cxps=point.families.cxps))
            claims.append(Claim(ClaimKind.FAMILY, axps=(point.families.axps or ())[1:], cxps=point.families.cxps))
            claims.append(Claim(ClaimKind.CXP))
            for kind in OF_VALUES[:2]:
                inflation = point.families.inflation(kind)
                if inflation is not None:
                    first, *rest = inflation.box
                    whole = case.graph.features[first[0]].domain.all_values()
                    claims += [Claim(kind, box=inflation.box), Claim(kind, box=((first[0], whole), *rest))]
            for claim in claims:
                assert known.judge(claim, evidence=False).verdict is oracles.judge(claim).verdict, claim


WRONG_SETS = ["literals-one-by-one", "changes-to-missing-forgotten", "changes-of-the-first-feature", "each-by-itself"]


@pytest.mark.parametrize("name", WRONG_SETS)
def test_wrong_sets_of_values_are_caught(name: str) -> None:
    names = [case.name for case in DECK.cases if case.name.startswith(("tested twice, ", "combinations, "))]
    run = DeckRun(seeded_bug(name).make(), ["inflate", "inflate_cxp"], Notion.FEATURES, 60.0, ("z3",), first_only=True)
    assert run.run(part_of(names)).outcome() is Outcome.VIOLATED


def test_sets_that_grew_in_another_order_are_no_violation() -> None:
    deck = part_of(["combinations, categories"])
    known = [test.inflated_axp for test in deck.cases[0].tests]
    (decided,) = [one for one in known if len(set(map(len, one.values))) > 1]
    assert {len(values) for values in decided.values} == {1, 2}, "who grows first has two values"
    run = DeckRun(seeded_bug("order-reversed").make(), ["inflate"], Notion.FEATURES, 60.0, ("z3",))
    assert run.run(deck).outcome() is Outcome.HOLDS


def test_a_deck_without_sets_of_values_is_read_and_these_are_judged_by_oracles() -> None:
    deck = part_of(["tested twice, integers"])
    deck.version = 1
    for test in (*(case.tests for case in deck.cases),)[0]:
        test.inflated_axp = test.inflated_cxp = UNSET
    run = DeckRun(seeded_bug("literals-one-by-one").make(), ["inflate"], Notion.FEATURES, 60.0, ("z3",))
    assert run.run(deck).outcome() is Outcome.VIOLATED


ONE_OF_A_KIND = {
    "size of the answer": ("axp-cut-at-6", "answer"),
    "size of the family": ("list-ends-after-40", "family"),
    "depth": ("not-followed-below-10", "depth"),
    "width": ("first-edges-5", "width"),
    "size of the graph": ("large-graphs-raise-150", "nodes"),
    "names": ("classes-without-case", "names"),
    "values": ("numbers-in-binary64", "values"),
    "shape": ("untested-left-out-5", "shape"),
}


@pytest.mark.parametrize(("name", "kind"), ONE_OF_A_KIND.values(), ids=list(ONE_OF_A_KIND))
def test_one_of_each_kind_is_caught_with_evidence(name: str, kind: str) -> None:
    subject = seeded_bug(name).make()
    run = DeckRun(subject, ["axp", "cxp", "enumerate"], Notion.FEATURES, 60.0, ("z3",), first_only=True)
    (finding, *_) = [f for f in run.run(part(kind)).findings if f.outcome is Outcome.VIOLATED]
    assert finding.origin.startswith("deck: ")
    (judged,) = finding.judged
    evidence = judged.evidence
    assert judged.claim.fault or evidence.witness or evidence.needless or evidence.missing or evidence.closed_set


def test_a_kind_has_bugs_of_its_own_and_each_has_a_name() -> None:
    assert set(by_kind()) == {*ONE_OF_A_KIND, "state and time"} == set(KINDS.values())
    assert len(reach_bugs()) >= 100
    assert Counter(bug.name for bug in reach_bugs()).most_common(1)[0][1] == 1


@pytest.mark.parametrize("name", ["asked-again-2", "kept-by-the-instance", "after-an-error", "back-again"])
def test_what_depends_on_earlier_questions_is_caught(name: str) -> None:
    subject = seeded_bug(name).make()
    names = ["AND of 7", "3 of 8", "4 of 7", "parity of 8", "8 steps", "12 steps", "two features among 70"]
    report = asked(subject, part_of(names))
    assert report.outcome() is Outcome.VIOLATED


@pytest.mark.parametrize("made", right_explainers.RIGHT, ids=lambda made: made.name)
def test_right_explainers_of_other_shapes_are_not_accused(made: Any) -> None:
    names = [c.name for kind in KINDS for c in DECK.cases if kind in c.kinds and len(c.tests[0].instance) < 9]
    some = part_of(names[::9])
    report = asked(made(), some)
    assert report.number(Outcome.VIOLATED) == 0, report.findings
    assert report.outcome() is Outcome.HOLDS


@pytest.mark.slow
@pytest.mark.parametrize(
    "made", [made for made in right_explainers.RIGHT if made.name != "brute force"], ids=lambda made: made.name
)
def test_right_explainers_are_not_accused_by_the_whole_deck(made: Any) -> None:
    # Brute force is too slow for most of it.
    report = asked(made(), DECK, seconds=0.3)
    assert report.number(Outcome.VIOLATED) == 0, [(f.about, f.text, f.origin) for f in report.findings]
    assert report.deck[0] > 100


class _Endless(right_explainers.Recursive):
    name = "endless"

    def axp(self, graph: Any, instance: Any) -> Any:
        while len(instance) > 10:
            pass
        return super().axp(graph, instance)


def test_too_long_a_time_on_large_cases_is_counted_and_not_judged() -> None:
    report = asked(_Endless(), part_of(["AND of 7", "AND of 11", "AND of 14", "AND of 20"]), seconds=0.3)
    assert report.number(Outcome.VIOLATED) == 0
    assert report.late == Counter({"axp": 1})
    assert report.unsupported["axp"] >= 3


def test_a_run_that_judged_little_of_the_deck_does_not_hold() -> None:
    report = Report("a run", deck=(15, 177))
    report.counts["axp", "AXp"] = 100
    assert report.outcome() is Outcome.INCONCLUSIVE
    assert report.exit_status() == 3
    assert verdict_line(report).startswith("INCONCLUSIVE: 100 claims")
    assert verdict_line(report).endswith("15 cases of the deck judged and 18 needed")
    report.deck = 18, 177
    assert report.outcome() is Outcome.HOLDS


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "no deck"),
        ('{"format": "decision-graph"}', "format 'decision-graph'; expected xpgcheck-deck"),
        ('{"format": "xpgcheck-deck", "version": 3}', "a deck of version 3, and this xpgcheck reads versions 1 to 2"),
        ('{"format": "xpgcheck-deck", "version": 1}', "does not fit its schema"),
    ],
)
def test_another_deck_is_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, said: str
) -> None:
    file = tmp_path / "deck.json"
    file.write_text(text)
    with pytest.raises(FormatError, match=said.replace("(", r"\(")):
        read_deck(file)
    assert main(["gate", "ours", "--deck-file", str(file), "--no-models", "--examples", "0"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line


def test_a_wrong_class_in_a_deck_is_refused(tmp_path: Path) -> None:
    document = json.loads(deck_text(part_of(["AND of 7"])))
    document["cases"][0]["tests"][0]["class"] = "no"
    file = tmp_path / "deck.json"
    file.write_text(json.dumps(document))
    with pytest.raises(InputError, match="case 'AND of 7': the class of an instance is 'yes', not 'no'"):
        check_deck(file)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("wrong-at-first-4", "asked first it answers wrongly, and rightly after others: AXp"),
        ("left-by-the-axp", "asked first it answers rightly, and wrongly after 1 other (the last: axp of deck): "),
    ],
)
def test_a_new_process_has_to_answer_as_the_old_one(name: str, said: str) -> None:
    def opened() -> Any:
        return made(seeded_bug(name))

    names = ["values beyond 2^53", "AND of 7", "AND of 9", "3 of 8", "4 of 7", "5 crossed layers"]
    with opened() as subject:
        run = DeckRun(subject, ["axp", "enumerate"], Notion.FEATURES, 60.0, ("z3",), opened, opened)
        report = run.run(part_of(names))
    texts = [finding.text for finding in report.findings if finding.outcome is Outcome.VIOLATED]
    assert any(text.startswith(f"depends on earlier questions: {said}") for text in texts), texts


def test_a_process_that_cannot_be_started_again_loses_nothing() -> None:
    def opened() -> Any:
        raise InputError("it is gone", mend="look for it")

    run = DeckRun(seeded_bug("axp-cut-at-6").make(), ["axp"], Notion.FEATURES, 60.0, ("z3",), None, opened)
    report = run.run(part_of(["AND of 7"]))
    assert report.outcome() is Outcome.VIOLATED
    assert report.bad == ["a new process could not be asked: it is gone; look for it"]
