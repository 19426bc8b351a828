"""Write the JSON Schemas of the documents that this package writes from the types that write them.

    python tools/write_schemas.py

A test compares the published files with what this writes.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from xpgcheck.campaign.documents import CampaignStatus
from xpgcheck.claims.documents import BadLineRecord, JudgedCaseRecord, JudgedLineRecord
from xpgcheck.deck.documents import Deck
from xpgcheck.explanations.documents import ExplanationsDocument
from xpgcheck.gate.check.documents import CheckReport
from xpgcheck.gate.reports.documents import GateReport
from xpgcheck.paper.ensembles.documents import PublishedClaimRecord
from xpgcheck.paper.reduction.documents import ReductionReport
from xpgcheck.paper.reports.documents import PaperReport
from xpgcheck.properties.corpus import PropertyCaseRecord
from xpgcheck.properties.running.documents import RunReport
from xpgcheck.readers.column_groups import GroupsDocument
from xpgcheck.readers.json_constraints import ConstraintsDocument
from xpgcheck.reports.documents import laid_out_text
from xpgcheck.reports.schemas import Record, schema_of
from xpgcheck.tables.documents import ExplainedRowRecord, TableSummaryDocument
from xpgcheck.vectors.documents import VectorFile

FOLDER = Path(__file__).resolve().parent.parent / "xpgcheck" / "schemas"


class Document(NamedTuple):
    """A document: the types that it can be of, the title of its schema, and the identifier of that, if it has one.

    ``description`` says what the types have in common, where there are several.
    """

    types: tuple[type[Record], ...]
    title: str
    identifier: str = ""
    description: str = ""


DOCUMENTS = {
    "campaign-status": Document((CampaignStatus,), "What 'xpgcheck campaign status --json' writes"),
    "check-report": Document(
        (CheckReport,), "Report of xpgcheck check, version 1", "https://xpgcheck.invalid/schemas/check-report-1.json"
    ),
    "constraints": Document(
        (ConstraintsDocument,),
        "Constraints: which points of feature space can occur, version 1",
        "https://xpgcheck.invalid/schemas/constraints-1.json",
        "Clauses, in each of which some literal has to hold, or the nodes of a graph of classes allowed and forbidden.",
    ),
    "deck": Document((Deck,), "xpgcheck-deck, version 1", "urn:xpgcheck:deck:1"),
    "explanations": Document(
        (ExplanationsDocument,),
        "Explanations of one prediction, as xpgcheck explain --json writes them, version 1",
        "https://xpgcheck.invalid/schemas/explanations-1.json",
    ),
    "explained-row": Document(
        (ExplainedRowRecord,), "A line that 'xpgcheck explain --all --output rows.jsonl' writes about a row of a table"
    ),
    "gate-report": Document((GateReport,), "What 'xpgcheck gate --json' and 'xpgcheck verify --json' write"),
    "groups": Document(
        (GroupsDocument,),
        "Groups of the columns that one categorical column was encoded into, version 1",
        "https://xpgcheck.invalid/schemas/groups-1.json",
    ),
    "judged-case": Document(
        (JudgedCaseRecord,),
        "A judged case: what a subject claimed of one instance, and the verdicts; 'xpgcheck replay' judges it again",
    ),
    "judged-claim": Document(
        (JudgedLineRecord, BadLineRecord),
        "A line that 'xpgcheck verify --output' writes about a line of a claims file",
        description="JSON Lines in UTF-8, in the order of the claims; "
        "bad lines are there where they are left out (--keep-going).",
    ),
    "published-claim": Document(
        (PublishedClaimRecord,), "A line that 'xpgcheck paper ensembles --output' writes about a published claim"
    ),
    "paper-report": Document((PaperReport,), "What 'xpgcheck paper --json' writes"),
    "property-case": Document(
        (PropertyCaseRecord,), "A kept case: a property is tried on it before anything is generated"
    ),
    "reduction-report": Document((ReductionReport,), "What 'xpgcheck reduction --json' writes about a CNF"),
    "run-report": Document((RunReport,), "What 'xpgcheck properties run --json' writes"),
    "table-summary": Document((TableSummaryDocument,), "What 'xpgcheck explain --all --json' writes about a table"),
    "test-vectors": Document((VectorFile,), "xpgcheck-test-vectors, version 1", "urn:xpgcheck:test-vectors:1"),
}


def schema(name: str) -> dict[str, Any]:
    """Return the schema called *name*."""
    return schema_of(*DOCUMENTS[name])


if __name__ == "__main__":
    for known in DOCUMENTS:
        (FOLDER / f"{known}.schema.json").write_text(laid_out_text(schema(known)), encoding="utf-8")
