"""Answers from lines: of the right question and the right type, or a verdict on what came instead."""

from __future__ import annotations

from typing import Any

import msgspec

from xpgcheck.errors import shown
from xpgcheck.properties.subjects import GRAPH_KIND
from xpgcheck.properties.verdicts import NotApplicable, SubjectFault
from xpgcheck.subjects.abilities import ABILITIES
from xpgcheck.subjects.point_texts import one_line

VERDICTS = ("crash", "memory", "malformed answer")
"""The kinds of error that a server may name."""


class SaidError(SubjectFault):
    """A fault of one answer that the subject tells of itself, so that the conversation can go on."""


class Reply(msgspec.Struct):
    """A line of the subject: with ``answer``, ``error`` or ``unsupported``.  Unknown fields are ignored."""

    id: int
    answer: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    error: str | None = None
    verdict: str = "crash"
    unsupported: str | None = None


class Hello(msgspec.Struct):
    """The answer to hello.  Unknown fields are ignored."""

    id: int
    protocol: int | None = None
    name: str = ""
    version: str = ""
    can: list[str] = []
    notion: str = "features"
    models: tuple[str, ...] = (GRAPH_KIND,)
    passed_over: dict[str, str] = {}
    error: str | None = None


_REPLY = msgspec.json.Decoder(Reply)
_HELLO = msgspec.json.Decoder(Hello)
_ANSWERS = {name: msgspec.json.Decoder(ability.answer) for name, ability in ABILITIES.items()}


def read_hello(line: bytes) -> Hello:
    """Return what a subject says of itself.  Raises ``SubjectFault`` where *line* is no answer to hello."""
    hello: Hello = _decoded(_HELLO, line, "no answer to hello")
    return hello


def read_reply(line: bytes, number: int, ability: str) -> Any:
    """Return the answer that *line* gives to question *number*: JSON values of the type that *ability* has.

    Raises ``SubjectFault`` where it is none, ``NotApplicable`` where the subject says that it cannot answer.
    """
    reply: Reply = _decoded(_REPLY, line, "no answer")
    if reply.id != number:
        raise SubjectFault("malformed answer", f"asked {ability} as question {number} it answers question {reply.id}")
    given = [reply.answer is not msgspec.UNSET, reply.error is not None, reply.unsupported is not None]
    if sum(given) != 1:
        evidence = f"{ability}: not one of answer, error, unsupported: {shown(line.decode(errors='replace'), 200)}"
        raise SubjectFault("malformed answer", evidence)
    if reply.error is not None:
        evidence = one_line(reply.error) or f"{ability} ended in an error"
        verdict = reply.verdict if reply.verdict in VERDICTS else "crash"
        if verdict == "memory":
            # A subject that ran out of memory starts again.
            raise SubjectFault(verdict, evidence)
        raise SaidError(verdict, evidence)
    if reply.unsupported is not None:
        raise NotApplicable(one_line(reply.unsupported) or f"{ability} is not supported here")
    return _decoded(_ANSWERS[ability], reply.answer, f"{ability}: not what it has to answer")


def _decoded(decoder: msgspec.json.Decoder[Any], data: Any, problem: str) -> Any:
    try:
        return decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, ValueError) as error:
        text = bytes(data).decode(errors="replace").strip()
        evidence = f"{problem} ({one_line(error, 100)}): {shown(text, 120)}"
        raise SubjectFault("malformed answer", evidence) from None
