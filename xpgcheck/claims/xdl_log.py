"""Output of ``xdl`` (``alexeyignatiev/xdl-tool``, explanations of decision lists), as lines of a log of our own.

.. code-block:: text

    EXPLANATIONS:
      inst: "IF outlook == rain AND windy == false THEN classes == +"
      expl: "IF windy == false THEN classes == +"
      # hypos left: 1
      time: 0.00

An explanation with ``==`` is an AXp of the instance before it, one with ``!=`` a CXp; there may be several.  Features,
values and classes go by name.  The model, the default explanation (``dexp:``) and the figures are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import msgspec

from xpgcheck.claims.pyxai_log import Numbered
from xpgcheck.errors import FormatError, XpgcheckError, shown
from xpgcheck.readers.files import decode_utf8

_FIRST = re.compile(rb'\s*(MODEL:|ENCODINDS:|EXPLANATIONS:|# of classes:|inst: "IF )')

_PASSED = re.compile(r"(dexp:|time:|# |[Mm](in|ax) |avg |tot )")
"""Lines after the first instance that are not read: the default explanation, sizes and times."""

_RULE = re.compile(r'"IF (.*) THEN (.+?) (==|!=) (.*)"')

_LITERAL = re.compile(r"(.+?) (==|!=) (.*)")

_MEND = 'write: inst: "IF feature == value AND … THEN class == name", and expl: the same'


class _Rule(NamedTuple):
    """A rule that is printed: its literals (feature, value), whether these are with ``!=``, and the class."""

    literals: list[tuple[str, str]]
    negated: bool
    label: str


def begins_xdl_log(line: bytes) -> bool:
    """Tell whether *line* is the first one of such a log."""
    return _FIRST.match(line) is not None


def claims_of_xdl(lines: Iterable[Numbered]) -> Iterator[Numbered]:
    """Yield for each explanation the line of a log that says the same (:mod:`xpgcheck.claims.logged`), with its number.

    Of what is none the ``FormatError``.  Holds one instance at a time.
    """
    reader = _Reader()
    for number, data in lines:
        found = reader.take(data)
        if found is not None:
            yield number, found


class _Reader:
    """The instance that explanations are of, with its class; None before the first one, and after one that is refused."""

    def __init__(self) -> None:
        self._begun = False
        self._instance: dict[str, str] | None = None
        self._label = ""

    def take(self, data: bytes | XpgcheckError) -> bytes | XpgcheckError | None:
        """Return the line of a log that says the same as a line, or what is wrong with it; None where it claims nothing."""
        try:
            if not isinstance(data, bytes):
                raise data
            return self._taken(decode_utf8(data).strip())
        except XpgcheckError as error:
            return error

    def _taken(self, text: str) -> bytes | None:
        if text.startswith("inst:"):
            self._begun, self._instance = True, None
            rule = _rule(text)
            self._instance, self._label = _instance(rule), rule.label
        elif text.startswith("expl:"):
            self._begun = True
            document = _explanation(_rule(text), self._instance)
            return msgspec.json.encode({"instance": self._instance, "class": self._label, **document})
        elif self._begun and _PASSED.match(text) is None:
            raise FormatError(f"this is not a line of a log of xdl: {shown(text, 60)}", mend=_MEND)
        return None


def _rule(text: str) -> _Rule:
    found = _RULE.fullmatch(text.partition(":")[2].strip())
    if found is None:
        raise FormatError(f"{shown(text, 60)} is no rule", mend=_MEND)
    antecedent, _, operator, label = found.groups()
    literals = []
    operators = set()
    for part in antecedent.split(" AND ") if antecedent else ():
        literal = _LITERAL.fullmatch(part)
        if literal is None:
            raise FormatError(f"{shown(part, 60)} is no literal", mend="write feature == value")
        feature, own, value = literal.groups()
        literals.append((feature, value))
        operators.add(own)
    if len(operators) > 1:
        raise FormatError("'==' and '!=' in one rule", mend="write an AXp with '==', a CXp with '!='")
    # Without literals, the class tells an AXp from a CXp.
    return _Rule(literals, (operators or {operator}) == {"!="}, label)


def _instance(rule: _Rule) -> dict[str, str]:
    instance = dict(rule.literals)
    if len(instance) < len(rule.literals):
        raise FormatError("the instance has a feature twice", mend="give each feature one value")
    if rule.negated or not instance:
        raise FormatError("the instance has no values", mend="write feature == value for each feature")
    return instance


def _explanation(rule: _Rule, instance: dict[str, str] | None) -> dict[str, Any]:
    if instance is None:
        raise FormatError("an explanation without an instance", mend="write inst: before expl:")
    for feature, value in rule.literals:
        if instance.get(feature) != value:
            problem = f"the instance does not have {shown(f'{feature} == {value}', 60)}"
            raise FormatError(problem, mend="explain by values of the instance")
    return {"cxp" if rule.negated else "axp": [feature for feature, _ in rule.literals]}
