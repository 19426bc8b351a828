"""The server's side of the line protocol: questions are put to a Python subject, and its answers written down."""

from __future__ import annotations

import contextlib
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, BinaryIO

import msgspec

from xpgcheck.errors import InputError, UndecidedError, XpgcheckError, shown
from xpgcheck.model.classifier import Classifier
from xpgcheck.model.constraint import ConstrainedModel
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import read_value
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.literals import write_literal
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import Answer
from xpgcheck.properties import asking
from xpgcheck.properties.running.loading import load_subject
from xpgcheck.properties.subjects import MODEL_KINDS, methods_of, model_kind, models_of, subject_name
from xpgcheck.properties.verdicts import NotApplicable, SubjectFault
from xpgcheck.readers.json_constraints import parse_constraint
from xpgcheck.readers.json_ensemble import parse_classifier
from xpgcheck.subjects.abilities import ABILITIES, BY_FEATURES, OracleAnswer
from xpgcheck.subjects.point_texts import one_line, point_texts, read_point
from xpgcheck.subjects.questions import KEPT_INSTANCES, PROTOCOL


class _Question(msgspec.Struct):
    id: int
    ask: str
    model: str = ""
    graph: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    instance: dict[str, str] = {}
    conditions: list[Any] | None = None
    constraints: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    forget: list[str] = []


@dataclass(slots=True)
class _Model:
    """A model that questions name, the instances that were asked about, and the number of its conditions."""

    graph: DecisionGraph | Ensemble | ConstrainedModel
    conditions: int
    instances: dict[tuple[str, ...], Point] = field(default_factory=dict)

    def instance(self, texts: dict[str, str]) -> Point:
        """Return the point that *texts* writes: the same object for the same texts, as subjects may keep it."""
        names = [feature.name for feature in self.graph.features]
        if not texts.keys() >= set(names):
            raise InputError("the instance lacks features", mend="give every feature a value")
        key = tuple(texts[name] for name in names)
        if key not in self.instances:
            if len(self.instances) >= KEPT_INSTANCES:
                self.instances.clear()
            pairs = zip(self.graph.features, key, strict=True)
            self.instances[key] = tuple(read_value(feature.domain, text) for feature, text in pairs)
        return self.instances[key]


class _Says:
    """An oracle of a ``settle`` question: it was asked before, and repeats what it said."""

    def __init__(self, said: OracleAnswer, graph: Classifier) -> None:
        self.name = said.name
        self.engine = said.engine
        witness = None if said.answer.witness is None else read_point(graph, said.answer.witness)
        self._answer = Answer(said.answer.changeable, witness, said.name, said.answer.reason)

    def changeable(self, fixed: object) -> Answer:
        """Repeat it."""
        return self._answer


_QUESTION = msgspec.json.Decoder(_Question)
_ARGUMENTS = {
    name: msgspec.json.Decoder(msgspec.defstruct(f"_{name}", list(ability.arguments.items())))
    for name, ability in ABILITIES.items()
}


def serve(spec: str, asked: BinaryIO, answered: BinaryIO) -> None:
    """Answer the questions of *asked*, one a line, on *answered*, until there are no more.

    Whatever the subject raises becomes an answer; what ends the process, ends it.
    """
    server: Server | None = None
    for line in asked:
        server, reply = _replied(server, spec, line)
        answered.write(_encoded(reply) + b"\n")
        answered.flush()


def _encoded(reply: dict[str, Any]) -> bytes:
    try:
        return msgspec.json.encode(reply)
    except (OverflowError, TypeError, ValueError) as error:
        # An integer of over 64 bits, or half a character.
        text = f"the answer cannot be written: {one_line(error)}"
        return msgspec.json.encode({"id": reply["id"], "error": text, "verdict": "malformed answer"})


def _replied(server: Server | None, spec: str, line: bytes) -> tuple[Server | None, dict[str, Any]]:
    number = 0
    try:
        question = _QUESTION.decode(line)
        number = question.id
        if question.ask == "hello":
            server = Server(load_subject(spec))
            return server, {"id": number, **server.hello()}
        if server is None:
            return None, {"id": number, "error": "the first question has to be hello"}
        return server, {"id": number, **server.reply(question, line)}
    except UndecidedError as error:
        return server, {"id": number, "unsupported": str(error)}
    except (XpgcheckError, msgspec.MsgspecError, UnicodeDecodeError) as error:
        # An error of the question, or of the subject's loading.
        return server, {"id": number, "error": str(error)}


class Server:
    """A subject, and the models that it was asked about."""

    def __init__(self, subject: Any) -> None:
        self._subject = subject
        self._methods = methods_of(subject)
        self._takes = models_of(subject)
        self._models: dict[str, _Model] = {}

    def hello(self) -> dict[str, Any]:
        """Return what the subject is called, can do, and takes."""
        said: dict[str, Any] = {"protocol": PROTOCOL, "name": subject_name(self._subject)}
        for optional in ("version", "notion"):
            value = getattr(self._subject, optional, None)
            if value is not None:
                said[optional] = str(value)
        said["models"] = list(self._takes)
        if self._methods.passed_over:
            said["passed_over"] = dict(self._methods.passed_over)
        return {**said, "can": [name for name in ABILITIES if name in self._methods.judged]}

    def reply(self, question: _Question, line: bytes) -> dict[str, Any]:
        """Return the answer to *question*, which *line* writes.  Raises ``XpgcheckError`` where the question is wrong."""
        for name in question.forget:
            self._models.pop(name, None)
        if question.ask not in self._methods.judged:
            return {"unsupported": f"{question.ask} is not among the abilities"}
        arguments, model = self._arguments(question, line)
        if model is not None and model_kind(model.graph) not in self._takes:
            return {"unsupported": f"it takes no {MODEL_KINDS[model_kind(model.graph)]}"}
        read = self._reader(question.ask, model)
        try:
            answer = asking.ask(self._subject, question.ask, arguments, read, 0.0)
        except SubjectFault as fault:
            cause = fault.__cause__
            if isinstance(cause, NotImplementedError):
                return {"unsupported": one_line(cause) or f"{question.ask} is not supported"}
            if cause is not None:
                with contextlib.suppress(Exception):
                    # For a reader of stderr; the subject may have closed that.
                    traceback.print_exception(type(cause), cause, cause.__traceback__)
            return {"error": fault.evidence, "verdict": fault.verdict}
        except NotApplicable as reason:
            return {"unsupported": str(reason)}
        return {"answer": answer}

    def _arguments(self, question: _Question, line: bytes) -> tuple[tuple[Any, ...], _Model | None]:
        given = _ARGUMENTS[question.ask].decode(line)
        model: _Model | None = None
        arguments: list[Any] = []
        if ABILITIES[question.ask].on_model:
            if question.graph is not msgspec.UNSET:
                graph: DecisionGraph | Ensemble | ConstrainedModel = parse_classifier(bytes(question.graph))
                if question.constraints is not msgspec.UNSET:
                    graph = _under(graph, bytes(question.constraints))
                self._models[question.model] = _Model(graph, len(question.conditions or ()))
            model = self._models.get(question.model)
            if model is None:
                raise InputError(f"no model {shown(question.model)} is known", mend="send its graph")
            arguments += [model.graph, model.instance(question.instance)]
        for name in ABILITIES[question.ask].arguments:
            value = getattr(given, name)
            if name in ("seed", "fixed", "free", "features", "axp", "cxp"):
                value = frozenset(value)
            elif name in ("axps", "cxps"):
                value = tuple(map(frozenset, value))
            elif name == "order":
                value = tuple(value)
            elif name == "oracles" and model is not None:
                value = tuple(_Says(said, model.graph) for said in value)
            arguments.append(value)
        return tuple(arguments), model

    def _reader(self, ability: str, model: _Model | None) -> Callable[[Any], Any]:
        """Return what turns an answer of the subject into JSON values, with the limits that hold for it."""
        graph = model.graph if model is not None else None
        notion = getattr(self._subject, "notion", None)
        count = len(graph.features) if graph is not None else 0
        if model is not None and notion not in (None, *BY_FEATURES):
            count = model.conditions
        return lambda answer: _READERS[ability](answer, graph, count)


def _under(model: DecisionGraph | Ensemble | ConstrainedModel, constraints: bytes) -> ConstrainedModel:
    """Return *model* under the constraint that a question writes."""
    assert not isinstance(model, ConstrainedModel)
    return ConstrainedModel(model, parse_constraint(constraints, model.features))


def _sorted_set(answer: object, graph: Any, count: int) -> list[int]:
    return sorted(asking.features(answer, count))


def _sorted_set_or_none(answer: object, graph: Any, count: int) -> list[int] | None:
    return None if answer is None else sorted(asking.features(answer, count))


def _number(answer: object, graph: Any, count: int) -> int:
    return asking.number(answer)


def _truth(answer: object, graph: Any, count: int) -> bool:
    return asking.truth(answer)


def _belief(answer: object, graph: Any, count: int) -> bool | None:
    return None if answer is None else asking.truth(answer)


def _boxed(answer: object, graph: Any, count: int) -> list[tuple[int, list[str | int]]]:
    members = asking.features(answer, count)
    found = asking.box(answer, graph.features, members)
    return [(i, write_literal(graph.features[i].domain, values)) for i, values in found.items()]


def _word(answer: object, graph: Any, count: int) -> str:
    return str(answer)


def _witnessed(answer: object, graph: Any, count: int) -> dict[str, Any]:
    if not isinstance(answer, Answer):
        raise asking.malformed("an Answer", answer)
    witness = None if answer.witness is None else point_texts(graph, answer.witness)
    changeable = answer.changeable if answer.changeable is None else asking.truth(answer.changeable)
    return {"changeable": changeable, "witness": witness, "reason": shown(answer.reason)[1:-1]}


_READERS: dict[str, Callable[[Any, Any, int], Any]] = {
    "predict": _number,
    "axp": _sorted_set,
    "cxp": _sorted_set_or_none,
    "axp_inside": _sorted_set,
    "cxp_inside": _sorted_set,
    "enumerate": lambda answer, _, count: [(kind, sorted(members)) for kind, members in asking.xps(answer, count)],
    "sat_calls": _number,
    "member": _truth,
    "sigma": _truth,
    "path_to_zero": _truth,
    "path_steps": _number,
    "tree_cxps": lambda answer, _, count: [sorted(members) for members in asking.family(answer, count)],
    "tree_steps": _number,
    "terminals": lambda answer, graph, _: asking.numbers(answer, graph.node_count),
    "inflate": _boxed,
    "inflate_cxp": _boxed,
    "changeable": _witnessed,
    "dual": _truth,
    "judge": _word,
    "judge_family": _word,
    "settle": _belief,
}
