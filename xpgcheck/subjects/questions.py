"""Questions as lines: each model is sent once, a few are kept alive, and texts that come again are made once."""

from __future__ import annotations

import itertools
import json
from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from xpgcheck.errors import InputError
from xpgcheck.model.classifier import Classifier
from xpgcheck.model.constraint import ConstrainedModel
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.literals import write_literal
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import Oracle
from xpgcheck.properties.verdicts import NotApplicable
from xpgcheck.subjects.abilities import ABILITIES
from xpgcheck.subjects.point_texts import point_texts
from xpgcheck.version import __version__
from xpgcheck.writers.json_constraints import constraint_json
from xpgcheck.writers.json_model import classifier_json

PROTOCOL = 1

LIVE_MODELS = 16
"""Models that a subject has to keep at a time."""

KEPT_INSTANCES = 64
"""Texts of instances that are kept for each model."""

Conditions = Callable[[Any], Iterable[Any]]
"""Returns the conditions of a model, objects with ``feature`` (an index) and ``values`` (a set of values)."""


def hello(number: int) -> bytes:
    """Return the first line of a conversation."""
    return _line({"id": number, "ask": "hello", "protocol": PROTOCOL, "xpgcheck": __version__})


Asked = DecisionGraph | Ensemble | ConstrainedModel
"""The model that is asked about."""


def _key(graph: object) -> tuple[int, int]:
    """Return what tells *graph* from others: a model under a constraint is made again for each case."""
    if isinstance(graph, ConstrainedModel):
        return id(graph.model), id(graph.constraint)
    return id(graph), 0


@dataclass(slots=True)
class _Model:
    """A model that the subject may be asked about; it holds on to its graph, whose identity is its key."""

    name: str
    graph: Asked
    sent: bool = False
    instances: dict[int, tuple[Point, str]] = field(default_factory=dict)


class Questions:
    """Writes the questions of one conversation; the models that the subject knows are its state."""

    def __init__(self, conditions: Conditions | None = None) -> None:
        """Send with each graph its *conditions*, if any."""
        self._conditions = conditions
        self._models: OrderedDict[tuple[int, int], _Model] = OrderedDict()
        self._names = (f"m{number}" for number in itertools.count(1))
        self._forget: list[str] = []

    def start_anew(self) -> None:
        """Take it that the subject knows no model."""
        self._forget.clear()
        for model in self._models.values():
            model.sent = False

    def send_again(self, graph: object) -> None:
        """Take it that the subject does not know *graph*, if it was asked about that at all."""
        model = self._models.get(_key(graph))
        if model is not None:
            model.sent = False

    def question(self, number: int, ability: str, arguments: tuple[Any, ...]) -> bytes:
        """Return the line that asks *ability* of *arguments*, as a subject's method takes them.

        Raises ``NotApplicable`` where the format cannot hold the graph, or it has no conditions; ``TypeError`` where there
        are more or fewer arguments than the ability takes.  Linear in a graph that is new, else in the arguments.
        """
        parts = [f'{{"id":{number},"ask":"{ability}"']
        known = ABILITIES[ability]
        graph: Asked | None = None
        if known.on_model:
            if len(arguments) < 2:
                raise TypeError(f"{ability} is asked of a graph and an instance")
            graph, instance, *rest = arguments
            parts.append(self._about(graph, instance))
        else:
            rest = list(arguments)
        if len(rest) != len(known.arguments):
            raise TypeError(f"{ability} takes {len(known.arguments)} further arguments, not {len(rest)}")
        for name, value in zip(known.arguments, rest, strict=True):
            if name == "oracles":
                value = [_oracle(graph, oracle, rest[0]) for oracle in value] if graph is not None else []
            parts.append(f'"{name}":{json.dumps(value, default=_listed, separators=(",", ":"))}')
        if self._forget:
            parts.append(f'"forget":{json.dumps(self._forget)}')
            self._forget.clear()
        return (",".join(parts) + "}\n").encode()

    def _about(self, graph: Asked, instance: Point) -> str:
        model = self._models.get(_key(graph))
        if model is None:
            model = _Model(next(self._names), graph)
        text = f'"model":"{model.name}"'
        if not model.sent:
            try:
                text += f',"graph":{_document(graph)}'
                if self._conditions is not None:
                    text += f',"conditions":{_listed_conditions(graph, self._conditions(graph))}'
            except InputError as error:
                raise NotApplicable(f"the graph cannot be sent: {error}") from error
            model.sent = True
        self._models[_key(graph)] = model
        self._models.move_to_end(_key(graph))
        if len(self._models) > LIVE_MODELS:
            old = self._models.popitem(last=False)[1]
            if old.sent:
                self._forget.append(old.name)
        return f'{text},"instance":{_instance_text(model, instance)}'


def _document(graph: Asked) -> str:
    # Newlines stand between its parts only: those in names are escaped.
    if isinstance(graph, ConstrainedModel):
        return f'{_document(graph.model)},"constraints":{constraint_json(graph.constraint).rstrip()}'
    return classifier_json(graph).replace("\n", "")


def _listed_conditions(graph: Classifier, conditions: Iterable[Any]) -> str:
    listed = [
        {
            "feature": condition.feature,
            "values": write_literal(graph.features[condition.feature].domain, condition.values),
        }
        for condition in conditions
    ]
    return json.dumps(listed, ensure_ascii=False)


def _instance_text(model: _Model, instance: Point) -> str:
    kept = model.instances.get(id(instance))
    if kept is None or kept[0] is not instance:
        if len(model.instances) >= KEPT_INSTANCES:
            model.instances.clear()
        text = json.dumps(point_texts(model.graph, instance), ensure_ascii=False, separators=(",", ":"))
        kept = model.instances[id(instance)] = instance, text
    return kept[1]


def _oracle(graph: Classifier, oracle: Oracle, fixed: Iterable[int]) -> dict[str, Any]:
    """Return what *oracle* answers, asked now: a subject in another process cannot ask it."""
    said = oracle.changeable(fixed)
    witness = None if said.witness is None else point_texts(graph, said.witness)
    answer = {"changeable": said.changeable, "witness": witness, "reason": said.reason}
    return {"name": oracle.name, "engine": oracle.engine, "answer": answer}


def _listed(value: Any) -> list[Any]:
    """Return a set of features as a list in increasing order."""
    if isinstance(value, (frozenset, set)):
        return sorted(value)
    return list(value)


def _line(record: dict[str, Any]) -> bytes:
    return (json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n").encode()
