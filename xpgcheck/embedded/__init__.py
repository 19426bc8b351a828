"""Models that come with the package: the paper's two figures, exact functions, the tic-tac-toe endgame, trained trees.

All are in the package's own format under ``data/``, made by ``tools/make_embedded.py``; nothing is downloaded and no
extra is needed to load them.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from xpgcheck.errors import InputError, did_you_mean, shown
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Boolean, Categorical, Feature, Integer
from xpgcheck.model.values import Point, Value
from xpgcheck.readers.instances import parse_instances, read_point
from xpgcheck.readers.json_model import parse_json


@dataclass(frozen=True, slots=True)
class EmbeddedModel:
    """A model with its instances.

    ``instances`` are all points of feature space where ``exhaustive``, else every distinct row of the data set.
    ``paper_instance`` is the instance of the paper's figure, None for models that are not in a figure.
    """

    name: str
    graph: DecisionGraph
    instances: tuple[Point, ...]
    exhaustive: bool
    origin: str
    paper_instance: Point | None = None


def names() -> tuple[str, ...]:
    """Return the names of the embedded models, the paper's figures first."""
    return tuple(_index())


def load(name: str) -> EmbeddedModel:
    """Return the embedded model called *name*.

    Raises ``InputError`` where there is none.  Each call returns the same object.
    """
    if name not in _index():
        raise InputError(
            f"there is no embedded model {shown(name)}",
            mend=did_you_mean(name, names()) or f"name one of {', '.join(names())}",
        )
    return _load(name)


@cache
def _load(name: str) -> EmbeddedModel:
    record = _index()[name]
    graph = parse_json(_read(f"{name}.json"))
    exhaustive: bool = record["exhaustive"]
    if exhaustive:
        instances = tuple(all_points(graph.features))
    else:
        instances = tuple(parse_instances(_read(f"{name}.csv"), graph.features))
    raw = record.get("paper_instance")
    instance = None if raw is None else read_point(graph.features, raw)
    return EmbeddedModel(name, graph, instances, exhaustive, record["origin"], instance)


def all_points(features: Sequence[Feature]) -> Iterator[Point]:
    """Yield every point of a finite feature space, the last feature changing first.  Else raises ``ValueError``."""
    return itertools.product(*(_values(feature) for feature in features))


def _values(feature: Feature) -> Sequence[Value]:
    domain = feature.domain
    if isinstance(domain, Boolean):
        return (False, True)
    if isinstance(domain, Categorical):
        return domain.values
    if isinstance(domain, Integer) and domain.low is not None and domain.high is not None:
        return range(domain.low, domain.high + 1)
    raise ValueError(f"feature {feature.name!r} has infinitely many values")


@cache
def _index() -> dict[str, Any]:
    index: dict[str, Any] = json.loads(_read("index.json"))
    return index


def _read(file: str) -> bytes:
    return resources.files(__name__).joinpath("data").joinpath(file).read_bytes()
