"""Gives the next answers in advance, to save time."""

import json
import os

from talk import converse


def misbehave(question):
    lines = [json.dumps({"id": question["id"] + k, "answer": [1]}) + "\n" for k in range(3)]
    os.write(1, "".join(lines).encode())


converse(misbehave)
