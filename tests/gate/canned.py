"""A subject with one canned answer for each verdict, at the paper's instance of its Fig. 1 (the model "hardware").

There the one AXp is {Age, Credit}, features 0 and 3, and the CXps are {Age} and {Credit}; the class is T, of index 1.  It
comes as Python, ``canned:redundant``, and as a program of the line protocol, ``python canned.py redundant``, which imports
nothing of ours.
"""

import functools
import json
import os
import sys
import time

AXP, CXPS = [0, 3], ([0], [3])

RIGHT = [["AXp", AXP], ["CXp", CXPS[0]], ["CXp", CXPS[1]]]

ANSWERS = {
    "AXp": ("axp", AXP),
    "CXp": ("cxp", [0]),
    "complete": ("enumerate", RIGHT),
    "right prediction": ("predict", 1),
    "right membership": ("member", lambda feature: feature in AXP),
    "redundant": ("axp", [0, 1, 3]),
    "insufficient": ("axp", [0]),
    "ineffective": ("cxp", [1]),
    "outside the seed": ("cxp_inside", lambda seed: [0]),
    "incomplete": ("enumerate", RIGHT[:2]),
    "duplicate": ("enumerate", [*RIGHT, ["CXp", [3]]]),
    "not dual": ("enumerate", [*RIGHT, ["AXp", [0, 1, 3]]]),
    "prediction mismatch": ("predict", 0),
    "wrong membership": ("member", lambda feature: False),
    "crash": ("axp", lambda: os._exit(3)),
    "timeout": ("axp", lambda: time.sleep(3600)),
    "memory": ("axp", lambda: hog()),
    "malformed answer": ("axp", "Age, Credit"),
    "inconclusive": ("axp", [0]),
    "inflated": ("inflate", [[0, ["O"]], [3, ["F", "P"]]]),
    "not maximal": ("inflate", [[0, ["O"]], [3, ["P"]]]),
}


def hog():
    held = []
    while True:
        held.append(bytearray(os.urandom(1 << 20)) * 32)
        time.sleep(0.02)


class Canned:
    """The subject in Python."""

    def __init__(self, verdict):
        self.name = f"canned {verdict}"
        ability, answer = ANSWERS[verdict]

        def answered(graph, instance, *arguments):
            said = answer(*arguments) if callable(answer) else answer
            # JSON has no mappings from numbers.
            return dict(said) if ability == "inflate" else said

        setattr(self, ability, answered)


def __getattr__(name):
    return functools.partial(Canned, name.replace("_", " "))


def main(verdict):
    """The subject as a program."""
    ability, answer = ANSWERS[verdict]
    for line in sys.stdin:
        question = json.loads(line)
        if question["ask"] == "hello":
            reply = {"protocol": 1, "name": f"canned {verdict}", "can": [ability]}
        else:
            arguments = [question[name] for name in ("seed", "feature") if name in question]
            reply = {"answer": answer(*arguments) if callable(answer) else answer}
        print(json.dumps({"id": question["id"], **reply}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
