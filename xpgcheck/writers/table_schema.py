"""Domains of columns as a file, for ``--schema``."""

from __future__ import annotations

import json
from typing import Any

from xpgcheck.readers.table_schemas import TableSchema
from xpgcheck.writers.json_model import domain_record


def schema_text(schema: TableSchema) -> str:
    """Return *schema* as the JSON that :func:`xpgcheck.readers.table_schemas.read_table_schema` takes, a line per column."""
    lines = []
    for name, domain in schema.columns.items():
        record: dict[str, Any] = {"name": name}
        if domain is not None:
            record["domain"] = domain_record(domain)
        if name in schema.seen:
            record["seen"] = schema.seen[name]
        lines.append(" " + json.dumps(record, ensure_ascii=False))
    return '{"format": "table-schema", "version": 1, "columns": [\n' + ",\n".join(lines) + "\n]}\n"
