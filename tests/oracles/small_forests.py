"""Small forests for tests, in the source format of forests that vote, with what is known of them."""

from __future__ import annotations

import json
from typing import Any

from xpgcheck.model.ensemble import Ensemble
from xpgcheck.readers.vote_forest import parse_vote_forest

Tree = dict[str, Any]


def leaf(label: int) -> Tree:
    return {"class": label}


def test(feature: int, at_most: object, yes: Tree, no: Tree) -> Tree:
    return {"feature": feature, "at_most": at_most, "yes": yes, "no": no}


test.__test__ = False  # type: ignore[attr-defined]


def stump(feature: int, at_most: object = "0.5") -> Tree:
    """Return a tree that votes 0 up to the threshold, and 1 above it."""
    return test(feature, at_most, leaf(0), leaf(1))


def document(*trees: Tree, features: int = 3, classes: tuple[object, ...] = (0, 1), **changed: Any) -> dict[str, Any]:
    names = [f"f{i}" for i in range(features)]
    return {
        "name": "small",
        "features": names,
        "classes": list(classes),
        "combine": f"majority vote, ties to class {classes[0]}",
        "trees": list(trees),
        **changed,
    }


def forest(*trees: Tree, features: int = 3, classes: tuple[object, ...] = (0, 1)) -> Ensemble:
    data = json.dumps(document(*trees, features=features, classes=classes)).encode()
    return parse_vote_forest(data, "file")


def majority_of_three() -> Ensemble:
    """Return three stumps on three features: two of three decide."""
    return forest(stump(0), stump(1), stump(2))
