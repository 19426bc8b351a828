"""One tree of an ensemble, as a decision graph that can be drawn by itself."""

from __future__ import annotations

import dataclasses

from xpgcheck.errors import InputError
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.wording import counted, short_number


def tree_of(ensemble: Ensemble, number: int) -> DecisionGraph:
    """Return tree *number*, from 0; where trees are summed its classes are called what they add to the scores.

    Raises ``InputError`` where there is none.
    """
    count = len(ensemble.trees)
    if not 0 <= number < count:
        problem = f"there is no tree {number:,}: the ensemble has {counted(count, 'tree')}"
        raise InputError(problem, mend=f"give a number from 0 to {count - 1:,}")
    tree = ensemble.trees[number]
    if not ensemble.outputs:
        return tree
    names: dict[str, None] = {}
    for answer, row in enumerate(ensemble.outputs[number]):
        adds = ", ".join(map(short_number, row))
        # Two answers may add the same.
        names[f"adds {adds}" if f"adds {adds}" not in names else f"adds {adds} (answer {answer})"] = None
    return dataclasses.replace(tree, classes=tuple(names))
