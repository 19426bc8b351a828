"""Ensembles of scikit-learn and ONNX, each of twice the same tree: what is true of the tree is true of them."""

from __future__ import annotations

from typing import Any

import pytest
from battery_tree_readers import Onnx, SklearnObject, Skops, constant, dictionary, label_array
from battery_trees import Tree


class SklearnForest(SklearnObject):
    """A forest whose two trees are averaged."""

    name = "scikit-learn forest, object"

    def make(self, tree: Tree) -> Any:
        forests = pytest.importorskip("sklearn.ensemble", reason="the environment has no scikit-learn")
        member = super().make(tree)
        forest = forests.RandomForestClassifier(n_estimators=2)
        for key in ("n_features_in_", "n_outputs_", "feature_names_in_", "n_classes_"):
            setattr(forest, key, getattr(member, key))
        forest.classes_ = label_array(tree.labels)
        member.classes_ = label_array(list(map(float, range(len(tree.labels)))))
        del member.feature_names_in_
        forest.estimators_ = [member, member]
        return forest


class SkopsForest(Skops):
    """A forest whose two trees are averaged, made without skops."""

    name = "scikit-learn forest, skops"
    many = True

    def document(self, tree: Tree) -> tuple[dict[str, Any], dict[str, bytes]]:
        numpy = pytest.importorskip("numpy", reason="the environment has no numpy")
        member, members = super().document(tree)
        attributes = member["content"]["content"]
        shared = ("n_features_in_", "feature_names_in_", "n_outputs_", "classes_", "n_classes_", "_sklearn_version")
        forest = {key: attributes[key] for key in shared}
        classes, members["own_classes.npy"] = self.array("own_classes", numpy.arange(float(len(tree.labels))))
        own = {**attributes, "classes_": classes}
        stored = {**member, "content": dictionary({key: own[key] for key in own if key != "feature_names_in_"})}
        items = {"__class__": "list", "__module__": "builtins", "__loader__": "ListNode", "content": [stored, stored]}
        kind = {"__class__": "RandomForestClassifier", "__module__": "sklearn.ensemble._forest"}
        unfitted = {**member, "content": dictionary({"criterion": constant("gini")})}
        more = {"n_estimators": 2, "criterion": "gini", "n_jobs": 1, "verbose": 0}
        parameters = {"estimator": unfitted, **{key: constant(value) for key, value in more.items()}}
        content = dictionary({**forest, **parameters, "estimators_": items})
        return {**kind, "__loader__": "ObjectNode", "content": content, "protocol": 2}, members


class OnnxForest(Onnx):
    """An operator of two trees whose weights are summed."""

    name = "ONNX, two trees"
    many = True

    trees = 2


ENSEMBLE_READERS = (SklearnForest(), SkopsForest(), OnnxForest())
