"""Pipelines of scikit-learn: a scaler that changes no number, and the tree."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from battery_tree_readers import SklearnObject, Skops, constant, dictionary, several
from battery_trees import Tree

WITHOUT_SCALES = {"with_mean": False, "with_std": False}


class SklearnPipeline(SklearnObject):
    """The object of a fitted pipeline."""

    name = "scikit-learn pipeline, object"

    def make(self, tree: Tree) -> Any:
        pipelines = pytest.importorskip("sklearn.pipeline", reason="the environment has no scikit-learn")
        preprocessing = pytest.importorskip("sklearn.preprocessing", reason="the environment has no scikit-learn")
        last = super().make(tree)
        scaler = preprocessing.StandardScaler(**WITHOUT_SCALES)
        scaler.n_samples_seen_ = 2
        scaler.mean_ = scaler.scale_ = scaler.var_ = None
        scaler.n_features_in_, scaler.feature_names_in_ = last.n_features_in_, last.feature_names_in_
        del last.feature_names_in_
        return pipelines.Pipeline([("scale", scaler), ("tree", last)])


class SkopsPipeline(Skops):
    """A pipeline made without skops."""

    name = "scikit-learn pipeline, skops"
    numbers: ClassVar = Skops.numbers[:1]

    def document(self, tree: Tree) -> tuple[dict[str, Any], dict[str, bytes]]:
        last, members = super().document(tree)
        names = last["content"]["content"].pop("feature_names_in_")
        own: dict[str, Any] = {key: constant(value) for key, value in WITHOUT_SCALES.items()}
        own |= {
            "n_features_in_": constant(len(tree.features)),
            "feature_names_in_": names,
            "n_samples_seen_": constant(2),
        }
        module = {"__module__": "sklearn.preprocessing._data", "__loader__": "ObjectNode"}
        scaler = {"__class__": "StandardScaler", **module, "content": dictionary(own)}
        pairs = [several(constant("scale"), scaler), several(constant("tree"), last)]
        steps = {"__class__": "list", "__module__": "builtins", "__loader__": "ListNode", "content": pairs}
        kind = {"__class__": "Pipeline", "__module__": "sklearn.pipeline", "__loader__": "ObjectNode"}
        content = dictionary({"steps": steps, "memory": constant(None), "_sklearn_version": constant("1.6.1")})
        return {**kind, "content": content, "protocol": 2}, members


PIPELINE_READERS = (SklearnPipeline(), SkopsPipeline())
