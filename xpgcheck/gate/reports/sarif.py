"""The report as SARIF 2.1.0 (OASIS), which code hosts and editors show: a result for each finding, a rule for each verdict.

A finding has a *partial fingerprint* of what was asked, the verdict and the way in which an answer failed: it stays the same
when the case that shows it changes, so that a host knows it again.
"""

from __future__ import annotations

import hashlib
from typing import Any
from urllib.parse import quote

from xpgcheck.gate.reports.finding_texts import finding_lines, headline
from xpgcheck.gate.reports.places import CheckoutRoot, model_of_finding, place_of_finding
from xpgcheck.gate.reports.summary import name_of, verdict_line
from xpgcheck.gate.results import MAX_FINDINGS, Finding, Report, SourcePlace
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.properties.catalogue import all_properties
from xpgcheck.reports.documents import json_text
from xpgcheck.version import __version__

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"

MEANINGS = {
    "redundant": "A set that is not minimal: some member can be left out.",
    "insufficient": "A set that does not suffice: some point agrees with the instance on it and has another class.",
    "ineffective": "A change that changes nothing: no point that differs on the set alone has another class.",
    "not maximal": "Sets of values that could be larger and leave the class as it is.",
    "outside the seed": "An explanation that is not inside the seed that was given.",
    "incomplete": "Families that lack an explanation.",
    "duplicate": "Families that list a set twice.",
    "not dual": "Families that are not each other's minimal hitting sets.",
    "prediction mismatch": "Another class than that of the model.",
    "wrong membership": "A feature that is in some explanation is said to be in none, or the other way round.",
    "crash": "The explainer raised, or its process ended, instead of an answer.",
    "timeout": "No answer in time.",
    "memory": "The explainer took more memory than it may.",
    "malformed answer": "An answer that is not of the form that was asked for.",
    "inconclusive": "The oracles left a claim open: neither right nor wrong.",
}
"""The verdicts that findings have, each in a sentence."""


def sarif_report(report: Report) -> str:
    """Return *report* as SARIF, in ASCII; the same report, in the same checkout, always gives the same text."""
    root = CheckoutRoot.here()
    findings = report.findings[:MAX_FINDINGS]
    names = list(dict.fromkeys(_rule_name(finding) for finding in findings))
    invocation: dict[str, Any] = {"executionSuccessful": not report.bad_count, "exitCode": report.exit_status()}
    if report.again:
        invocation["commandLine"] = report.again
    notes = [{"level": "error", "message": {"text": text}} for text in report.bad]
    if notes:
        invocation["toolExecutionNotifications"] = notes
    run = {
        "tool": {"driver": {"name": "xpgcheck", "version": __version__, "rules": [_rule(name) for name in names]}},
        "automationDetails": {"id": f"{report.title}/{name_of(report)}/"},
        "invocations": [invocation],
        "columnKind": "unicodeCodePoints",
        "results": [_result(report, finding, names, root) for finding in findings],
        "properties": {"verdict": verdict_line(report)},
    }
    return json_text({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]})


def _rule_name(finding: Finding) -> str:
    return finding.about if finding.is_property else finding.verdict


def _rule(name: str) -> dict[str, Any]:
    known = MEANINGS | {item.name: item.statement for item in all_properties()}
    return {"id": name.replace(" ", "-"), "shortDescription": {"text": known.get(name, f"The verdict {name}.")}}


def _result(report: Report, finding: Finding, names: list[str], root: CheckoutRoot) -> dict[str, Any]:
    name = _rule_name(finding)
    place, model = place_of_finding(report, finding), model_of_finding(report, finding)
    result: dict[str, Any] = {
        "ruleId": name.replace(" ", "-"),
        "ruleIndex": names.index(name),
        "level": "error" if finding.outcome is Outcome.VIOLATED else "warning",
        "message": {"text": "\n".join([f"{headline(finding)}.", *finding_lines(finding)])},
        "occurrenceCount": finding.times,
        "partialFingerprints": {"finding/v1": fingerprint(finding)},
    }
    if place is not None:
        result["locations"] = [_location(place, root)]
    if model is not None and model != place:
        result["relatedLocations"] = [{"id": 1, **_location(model, root), "message": {"text": "the model"}}]
    return result


def fingerprint(finding: Finding) -> str:
    """Return what tells the finding from others, whatever case shows it."""
    key = (finding.about, finding.verdict, finding.way, finding.is_property, finding.line)
    return hashlib.sha256(repr(key).encode()).hexdigest()[:32]


def _location(place: SourcePlace, root: CheckoutRoot) -> dict[str, Any]:
    path = root.path_to(place.file)
    below = not path.startswith("/")
    artifact = {"uri": quote(path), "uriBaseId": "%SRCROOT%"} if below else {"uri": f"file://{quote(path)}"}
    physical: dict[str, Any] = {"artifactLocation": artifact}
    if place.line:
        physical["region"] = {"startLine": place.line}
    return {"physicalLocation": physical}
