"""Advice on objects that are no tree or ensemble of trees of scikit-learn that is read: what they are, and what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

_ONE_TREE = "fit a DecisionTreeClassifier, a forest or boosted trees"

_TREES_OF_NUMBERS = {
    "IsolationForest": "its trees isolate outliers, and none of them predicts a class",
}

_OTHER_LIBRARIES = {
    "LGBMClassifier": (
        "it is of LightGBM",
        "save it with model.booster_.save_model('model.txt'), and {verb} that file",
    ),
    "XGBClassifier": ("it is of XGBoost", "save it with model.save_model('model.json'), and {verb} that file"),
    "Booster": ("it is of LightGBM or XGBoost", "save it with model.save_model('model.json'), and {verb} that file"),
    "TreeModel": ("it is of Orange", "pass what xpgcheck.readers.orange_tree.from_orange(model) returns"),
}


def advice_by_name(kind: str, verb: str) -> tuple[str, str] | None:
    """Return what an object of the type *kind* is, and what to do; None where the name alone does not tell.

    *verb* is what a user does with the right object: "pass" it, "store" it.
    """
    if kind in _TREES_OF_NUMBERS:
        return _TREES_OF_NUMBERS[kind], _ONE_TREE
    if kind in _OTHER_LIBRARIES:
        what, mend = _OTHER_LIBRARIES[kind]
        return what, mend.format(verb="pass" if verb == "pass" else "read")
    if kind.endswith(("Regressor", "Regression")) and not kind.startswith("Logistic"):
        return "it predicts numbers, and only classes are explained", _ONE_TREE
    return None


def advice(estimator: Any, is_tree: Callable[[object], bool], is_ensemble: Callable[[object], bool]) -> tuple[str, str]:
    """Return what *estimator* is ("" where there is nothing to add), and what to do to have a tree of it.

    *is_tree* tells a classification tree, *is_ensemble* one of the ensembles that are read.  Nothing of *estimator* is
    called.
    """
    kind = type(estimator).__name__
    if isinstance(estimator, type):
        return "", "pass a fitted object, not the class"
    if isinstance(estimator, (str, bytes)):
        return "", "pass the fitted object, or name a model file to read_model"
    if hasattr(estimator, "best_estimator_"):
        return "", "pass its best_estimator_"
    if hasattr(estimator, "param_grid") or hasattr(estimator, "param_distributions"):
        return "it is not fitted", "call its 'fit' first, then pass its best_estimator_"
    if hasattr(estimator, "steps"):
        last = estimator.steps[-1][1]
        if is_tree(last) or is_ensemble(last):
            return "", "pass its last step, and instances as that step gets them"
        what, mend = advice(last, is_tree, is_ensemble)
        return f"its last step is of type {type(last).__name__}" + (f": {what}" if what else ""), mend
    found = advice_by_name(kind, "pass")
    if found is not None:
        return found
    members = list(_members(estimator))
    if members and all(map(is_tree, members)):
        return "it is an ensemble of trees", f"pass one of its trees with its names: {_one_tree(estimator, members[0])}"
    if members:
        return f"it is an ensemble of {type(members[0]).__name__} objects", _ONE_TREE
    return "", "pass a fitted DecisionTreeClassifier, a forest or boosted trees"


def _members(ensemble: Any) -> Iterator[object]:
    """Yield the fitted members of *ensemble*, which may stand in rows."""
    for member in getattr(ensemble, "estimators_", ()):
        yield from member if isinstance(member, (list, tuple)) or hasattr(member, "shape") else (member,)


def _one_tree(ensemble: Any, member: Any) -> str:
    """Return the call that reads the first tree of *ensemble* with the names that only the ensemble has."""
    arguments = ["model.estimators_[0]"]
    # A tree that was fitted to some of the features has a numbering of its own.
    if hasattr(ensemble, "feature_names_in_") and getattr(member, "n_features_in_", 0) == len(
        ensemble.feature_names_in_
    ):
        arguments.append("feature_names=model.feature_names_in_")
    if hasattr(ensemble, "classes_"):
        arguments.append("class_names=model.classes_")
    return f"xpgcheck.from_sklearn({', '.join(arguments)})"
