"""Reports to be shown: real verdicts on small graphs, and names that try to be more than names."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

from xpgcheck import embedded
from xpgcheck.gate.results import Finding, Report
from xpgcheck.judging.claim import Claim, ClaimKind, FaultKind, Notion
from xpgcheck.judging.judged import Evidence, Judged
from xpgcheck.judging.panel import Panel
from xpgcheck.judging.verdicts import Outcome, Verdict
from xpgcheck.model.decision_graph import DecisionGraph, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Categorical, Feature
from xpgcheck.model.value_sets import FiniteSet
from xpgcheck.model.values import Point
from xpgcheck.properties.cases import Case
from xpgcheck.properties.running.outcomes import PropertyTally

AXP, CXP = ClaimKind.AXP, ClaimKind.CXP


def some(*members: int) -> frozenset[int]:
    return frozenset(members)


CLAIMS: tuple[tuple[str, Claim, Verdict], ...] = (
    ("axp", Claim(AXP, members=some(0, 3)), Verdict.AXP),
    ("axp", Claim(AXP, members=some(0, 1, 3)), Verdict.REDUNDANT),
    ("axp", Claim(AXP, members=some(0)), Verdict.INSUFFICIENT),
    ("axp_inside", Claim(AXP, members=some(0, 3), seed=some(0, 1)), Verdict.OUTSIDE_SEED),
    ("cxp", Claim(CXP, members=some(0)), Verdict.CXP),
    ("cxp", Claim(CXP, members=some(2)), Verdict.INEFFECTIVE),
    ("cxp", Claim(CXP, members=some(0, 1)), Verdict.REDUNDANT),
    ("cxp", Claim(CXP), Verdict.INCOMPLETE),
    ("enumerate", Claim(ClaimKind.FAMILY, axps=(some(0, 3),), cxps=(some(0), some(3))), Verdict.COMPLETE),
    ("enumerate", Claim(ClaimKind.FAMILY, axps=(some(0, 3),), cxps=(some(0),)), Verdict.INCOMPLETE),
    ("enumerate", Claim(ClaimKind.FAMILY, axps=(some(0, 3), some(0, 3))), Verdict.DUPLICATE),
    (
        "enumerate",
        Claim(ClaimKind.FAMILY, axps=(some(0, 3), some(0, 1, 3)), cxps=(some(0), some(3))),
        Verdict.NOT_DUAL,
    ),
    ("predict", Claim(ClaimKind.PREDICTION, class_index=1), Verdict.PREDICTION),
    ("predict", Claim(ClaimKind.PREDICTION, class_index=0), Verdict.PREDICTION_MISMATCH),
    ("member", Claim(ClaimKind.MEMBERSHIP, feature=0, member=True), Verdict.MEMBERSHIP),
    ("member", Claim(ClaimKind.MEMBERSHIP, feature=1, member=True), Verdict.WRONG_MEMBERSHIP),
    ("axp", Claim(AXP, fault=FaultKind.CRASH, message="ValueError: no path"), Verdict.CRASH),
    ("cxp", Claim(CXP, fault=FaultKind.TIMEOUT, message="no answer in 10 s"), Verdict.TIMEOUT),
    ("enumerate", Claim(ClaimKind.FAMILY, fault=FaultKind.MEMORY, message="over 2048 MiB"), Verdict.MEMORY),
    ("tree_cxps", Claim(ClaimKind.FAMILY, fault=FaultKind.MALFORMED, message="a float"), Verdict.MALFORMED),
)
"""Claims at the instance of the paper's example, and their verdicts: all that there are but ``inconclusive``."""


@functools.cache
def judged_claims() -> tuple[tuple[str, Judged], ...]:
    """Return ``CLAIMS`` judged, and one that stayed open."""
    graph, instance = hardware()
    with Panel(graph, solver_last=True) as judges:
        judge = judges.claims_at(instance)
        found = [(about, judge.judge(claim)) for about, claim, _ in CLAIMS]
    still_open = Judged(
        Claim(AXP, members=some(1)), Verdict.INCONCLUSIVE, Evidence("AXp {Income}", reason="the solver timed out")
    )
    return (*found, ("axp", still_open))


def hardware() -> tuple[DecisionGraph, Point]:
    """Return the paper's example with its instance."""
    model = embedded.load("hardware")
    assert model.paper_instance is not None
    return model.graph, model.paper_instance


def full_report() -> Report:
    """Return a report with every verdict, properties of each outcome, and bad lines."""
    report = Report(
        "generated cases",
        subject="my_explainer:Explainer",
        version="1.2",
        notion="features",
        abilities=("predict", "axp", "cxp", "axp_inside", "cxp_inside", "enumerate", "tree_cxps", "member", "xpg"),
        cases=Counter({"generated": 1_000, "kept": 3}),
        questions=12_345,
        restarts=2,
        seconds=3.25,
        bad=["claims.jsonl: line 3: there is no feature 'x'; name one"],
        bad_count=2,
        again="xpgcheck gate my_explainer:Explainer --seed 0",
    )
    for number, (about, judged) in enumerate(judged_claims(), 1):
        report.counts[about, judged.verdict.value] += number
        if judged.outcome is not Outcome.HOLDS:
            report.findings.append(claim_finding(about, judged, number))
    report.projected["axp", "redundant"] = 7
    report.unsupported["cxp_inside"] = 40
    report.properties = {
        "no_axp_is_missed": PropertyTally(held=1_100, failed=2, seconds=0.5),
        "every_cxp_is_one": PropertyTally(held=4, open=1, reasons=["too many cells"], seconds=0.25),
        "asked_again_alike": PropertyTally(held=9),
        "says_nothing": PropertyTally(silent=3),
    }
    report.findings.append(property_finding("no_axp_is_missed"))
    return report


def claim_finding(about: str, judged: Judged, number: int) -> Finding:
    graph, instance = hardware()
    return Finding(
        about,
        judged.verdict.value,
        judged.outcome,
        judged.evidence.text,
        Case(graph, instance, 3),
        (judged,),
        times=number,
        origin="generated, seed 0, size 12, shrunk",
        example=number,
        stderr="Traceback (most recent call last):\n  boom" if judged.verdict is Verdict.CRASH else "",
        file=f"kept cases/{about}-{number}.json",
    )


def property_finding(name: str) -> Finding:
    case = Case(*hardware(), 5)
    return Finding(name, "violated", Outcome.VIOLATED, "AXp {a} misses CXp {b}", case, is_property=True, origin="kept")


def conditions_report() -> Report:
    """Return a report over conditions, with a witness that is a point of feature space, and one that is none."""
    graph = embedded.load("iris").graph
    instance = tuple(Fraction(value) for value in ("5", "3", "4.875", "1.625"))
    report = Report("claims.jsonl", notion="conditions", cases=Counter({"claims": 2}))
    with Panel(graph, solver_last=True) as judges:
        for notion in (Notion.CONDITIONS, Notion.THEORY):
            for claim in (Claim(AXP, notion, some(0)), Claim(CXP, notion, some(0, 1))):
                judged = judges.claims_at(instance).judge(claim)
                report.counts[claim.kind.value, judged.verdict.value] += 1
                text, case = judged.evidence.text, Case(graph, instance)
                about, verdict = claim.kind.value, judged.verdict.value
                report.findings.append(Finding(about, verdict, judged.outcome, text, case, (judged,), line=3))
    return report


def right_report() -> Report:
    """Return a report of a subject that does everything right."""
    report = Report("claims.jsonl", notion="features", cases=Counter({"claims": 2}))
    report.counts["AXp", "AXp"] = 2
    return report


HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "a|b`c``d*e_f[g](h)~~i~~$j$\\",
    "@octocat #1 https://evil.example www.evil.example :smile:",
    "\x1b[31mred\x07\r\nnext line",
    "\u202egnidaer \u05d2\u05d9\u05dc ]]> <![CDATA[ &amp; &#64;octocat",
    "{{ 7 * 7 }} {% raw %} {# no #}",
    "x" * 900,
)
"""Names that try to be markup, mentions, control sequences, or too long."""


LEGAL = (*(name for name in HOSTILE if name.isprintable() and len(name) < 200), "y" * 190)
"""Those of them that a file may hold."""


def hostile_graph(names: Sequence[str]) -> tuple[DecisionGraph, Point]:
    """Return a chain that tests a feature of each name, whose values and classes have these names too."""
    features = [Feature(name, Categorical((name, f"{name}!"))) for name in names]
    nodes: dict[str | int, NonTerminal | Terminal] = {}
    last = len(names)
    for i, name in enumerate(names):
        yes, no = FiniteSet(frozenset((name,))), FiniteSet(frozenset((f"{name}!",)))
        nodes[f"{name} {i}"] = NonTerminal(i, ((f"{names[i + 1]} {i + 1}" if i + 1 < last else "yes", yes), ("no", no)))
    nodes["yes"], nodes["no"] = Terminal(0), Terminal(1)
    graph = decision_graph(names[0], features, [names[1], names[2]], nodes, f"{names[0]} 0")
    return graph, tuple(names)


def hostile_report(names: Sequence[str] = HOSTILE) -> Report:
    """Return a report in which every text of others is hostile; *names* are those of the graph."""
    graph, instance = hostile_graph(names)
    everything = " ".join(HOSTILE[:-1])
    report = Report(
        everything,
        subject=HOSTILE[0],
        version=HOSTILE[1],
        notion=HOSTILE[2],
        abilities=HOSTILE,
        bad=list(HOSTILE),
        bad_count=len(HOSTILE),
        again=everything,
        cases=Counter({HOSTILE[0]: 3}),
    )
    with Panel(graph, solver_last=True) as judges:
        judged = judges.claims_at(instance).judge(Claim(AXP, members=some(0, 1, 3)))
        crash = judges.claims_at(instance).judge(Claim(AXP, fault=FaultKind.CRASH, message=everything))
    for about in HOSTILE:
        for item in (judged, crash):
            report.counts[about, item.verdict.value] += 1
            report.findings.append(
                Finding(
                    about,
                    item.verdict.value,
                    item.outcome,
                    item.evidence.text,
                    Case(graph, instance),
                    (item,),
                    origin=everything,
                    stderr="\n".join(HOSTILE),
                    file=f"{HOSTILE[0]}/{about}.json",
                )
            )
        report.properties[about] = PropertyTally(failed=1, open=1, reasons=[about])
        report.unsupported[about] = 1
    return report
