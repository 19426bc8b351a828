"""The plain part of a hostile subject: it answers well where the feature "bad" is 0, and misbehaves where it is 1."""

import json
import os
import sys
from collections.abc import Callable
from typing import Any


def say(record: Any) -> None:
    os.write(1, (json.dumps(record) + "\n").encode())


def answer(question: dict[str, Any]) -> None:
    say({"id": question["id"], "answer": [1]})


def converse(misbehave: Callable[[dict[str, Any]], None]) -> None:
    """Answer questions for one AXp until stdin ends."""
    for line in sys.stdin:
        question = json.loads(line)
        if question["ask"] == "hello":
            say({"id": question["id"], "protocol": 1, "name": "hostile", "can": ["axp"]})
        elif question["instance"]["bad"] == "1":
            misbehave(question)
        else:
            answer(question)
