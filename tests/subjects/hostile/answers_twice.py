"""Gives one answer, and changes its mind."""

import json
import os

from talk import converse


def misbehave(question):
    lines = [json.dumps({"id": question["id"], "answer": [k]}) + "\n" for k in (0, 1)]
    os.write(1, "".join(lines).encode())


converse(misbehave)
