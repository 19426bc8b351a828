"""Findings of units as the JSON documents that journals keep."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from xpgcheck.campaign.documents import CampaignFindingRecord
from xpgcheck.errors import FormatError
from xpgcheck.gate.results import Finding
from xpgcheck.gate.saving import case_text


def finding_document(finding: Finding[Any], subject: str) -> dict[str, Any]:
    """Return *finding* about *subject* as JSON, with the case where a document can hold it."""
    try:
        case: dict[str, Any] | None = json.loads(case_text(finding, subject))
    except FormatError:
        case = None
    non_terminals, features, _ = finding.size
    record = CampaignFindingRecord(
        about=finding.about,
        is_property=finding.is_property,
        verdict=finding.verdict,
        outcome=finding.outcome.value,
        way=finding.way,
        evidence=": ".join(filter(None, (finding.claim, finding.text))),
        subject=subject,
        origin=finding.origin,
        example=finding.example,
        times=finding.times,
        non_terminals=non_terminals,
        features=features,
        case=case,
    )
    fields: dict[str, Any] = msgspec.to_builtins(record)
    return fields
