"""Tables 1 and 2: made again from data, and what the text says of the printed ones."""

from __future__ import annotations

from typing import Any

from xpgcheck.paper.said import SAYINGS, contradiction
from xpgcheck.paper.sources import Found, Items, Options, Results, SourceUnit, source_units
from xpgcheck.paper.tables import table_evidence

TEXT = "tables/text"


def units(options: Options, items: Items = None) -> list[SourceUnit]:
    """Return one unit for what the text says, and those of the tables."""
    text = [SourceUnit("tables", TEXT, {"text": True})]
    if items is not None and all(item.startswith("text: ") for item in items):
        return text
    made = source_units("tables", table_evidence.units(data=options.data, quick=options.quick))
    wanted = {0, 1, 2} if items is None or "peer" in items else {0, *(t for t in (1, 2) if f"table {t}" in items)}
    return text + [unit for unit in made if unit.arguments["table"] in wanted]


def run_unit(arguments: dict[str, Any]) -> dict[str, Any]:
    """Look the text up in the printed tables, or make a part of one again."""
    if arguments.get("text"):
        return {"said": {name: contradiction(name) for name in SAYINGS}}
    return table_evidence.run_unit(arguments)


def look(results: Results, item: str) -> Found:
    """Return whether a sentence ("text: …"), a table ("table 1", "table 2") or the comparison with the peer holds."""
    if item.startswith("text: "):
        problem = results[TEXT]["said"][item.removeprefix("text: ")]
        example = {"text": problem} if problem else None
        return Found(not problem, "the figures of Tables 1 and 2 as printed", "", example)
    made = {name: result for name, result in results.items() if name != TEXT}
    return table_evidence.look(table_evidence.outcome(made), item)
