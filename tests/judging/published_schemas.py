"""The published schemas, each made a validator once per process: that takes longer than most documents do."""

from __future__ import annotations

import functools
from typing import Any

import jsonschema

from xpgcheck.schemas import schema


@functools.cache
def validator(name: str) -> Any:
    """Return the validator of the schema *name*, which is a schema."""
    jsonschema.Draft202012Validator.check_schema(schema(name))
    return jsonschema.Draft202012Validator(schema(name))


def fits_schema(document: Any, name: str) -> None:
    """Raise ``jsonschema.ValidationError`` where *document* does not follow the schema *name*."""
    validator(name).validate(document)
