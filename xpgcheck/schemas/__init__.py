"""The published JSON Schemas."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any


def schema(name: str) -> dict[str, Any]:
    """Return the JSON Schema called *name* (``decision-graph``).  Raises ``FileNotFoundError`` where there is none."""
    text = resources.files(__name__).joinpath(f"{name}.schema.json").read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded
