"""Arguments of public functions: wrong ones end in one line with the fix, not somewhere inside."""

from __future__ import annotations

import functools
import inspect
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar, cast

from xpgcheck.errors import InputError, shown

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule for an argument: a test of it, what it has to be in words, and what to pass instead."""

    holds: Callable[[Any], bool]
    what: str
    mend: str


def takes(**rules: Rule) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Check the named arguments of the decorated function by their *rules* when it is called.

    A default is not checked.  The function then raises ``InputError`` that names the argument.
    """

    def decorated(function: Callable[P, R]) -> Callable[P, R]:
        names = _parameters(function)
        # The checks are part of the time of functions that take microseconds.
        holds = {name: rule.holds for name, rule in rules.items()}
        in_order = tuple(holds.get(name) for name in names)

        @functools.wraps(function)
        def checked(*args: P.args, **kwargs: P.kwargs) -> R:
            for test, value in zip(in_order, args, strict=False):
                if test is not None and not test(value):
                    raise _refused(rules, names, args)
            if kwargs:
                for name, value in kwargs.items():
                    if name in holds and not holds[name](value):
                        raise _refused(rules, (name,), (value,))
            return function(*args, **kwargs)

        return checked

    return decorated


def _parameters(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of the parameters; of a plain function from its code: signatures slow every start-up down."""
    code = getattr(function, "__code__", None)
    if code is None or hasattr(function, "__wrapped__") or code.co_flags & inspect.CO_VARARGS:
        return tuple(inspect.signature(function).parameters)
    names: tuple[str, ...] = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return names


def _refused(rules: Mapping[str, Rule], names: Sequence[str], values: Sequence[object]) -> InputError:
    """Return the error of the first of *values*, of the arguments *names*, that is not as its rule says."""
    pairs = ((name, value) for name, value in zip(names, values, strict=False) if name in rules)
    name, value = next((name, value) for name, value in pairs if not rules[name].holds(value))
    return InputError(f"{_repr(value)} is not {rules[name].what}", place=name, mend=rules[name].mend)


def instance_of_type(kind: type, what: str, mend: str) -> Rule:
    """Return the rule of an argument that is of the type *kind*."""
    return Rule(lambda value: isinstance(value, kind), what, mend)


def optional(rule: Rule) -> Rule:
    """Return *rule* for an argument that may be None."""
    return Rule(lambda value: value is None or rule.holds(value), rule.what, rule.mend)


def features_of_a_model(kind: type) -> Rule:
    """Return the rule of the features of a model, which are of the type *kind*."""
    return Rule(
        lambda value: _all_are(value, lambda member: isinstance(member, kind)),
        "a list of features",
        "pass graph.features",
    )


def count_from(least: int) -> Rule:
    """Return the rule of an integer of at least *least*."""
    return Rule(lambda value: _is_integer(value) and value >= least, f"an integer from {least}", "pass such a number")


def _is_integer(value: object) -> bool:
    return type(value) is int or (hasattr(type(value), "__index__") and not isinstance(value, bool))


_PLAIN = frozenset([frozenset, set, tuple, list, range])


def _all_are(value: object, holds: Callable[[object], bool]) -> bool:
    """Tell whether *value* is a collection, no text, whose members all are so."""
    if type(value) in _PLAIN:
        # The usual collections are known without the questions that others are asked.
        return all(map(holds, cast(Iterable[object], value)))
    if not isinstance(value, Iterable) or isinstance(value, (str, bytes, dict)):
        return False
    # Whatever can be gone through only once is left to the function.
    return all(map(holds, value)) if hasattr(type(value), "__len__") else True


INDICES = Rule(
    lambda value: _all_are(value, _is_integer),
    "a collection of feature indices",
    "pass indices from 0, such as {0, 3}; graph.features has the names",
)
COLLECTION = Rule(lambda value: _all_are(value, lambda _: True), INDICES.what, INDICES.mend)
INDEX = Rule(_is_integer, "the index of a feature", "pass an integer; graph.features has the names")
TEXTS = Rule(
    lambda value: _all_are(value, lambda member: isinstance(member, str)),
    "a list of names",
    "pass a list, such as ['Age']",
)
LABELS = Rule(
    lambda value: isinstance(value, str) or _all_are(value, lambda member: not isinstance(member, (list, tuple, dict))),
    "a list of names",
    "pass a list with one name for each, such as ['Age', 'Income']",
)
TEXT = Rule(lambda value: isinstance(value, str), "a text", "pass a str")
FLAG = Rule(lambda value: isinstance(value, bool), "True or False", "pass one of the two")
SECONDS = Rule(
    lambda value: isinstance(value, (int, float)) and not isinstance(value, bool) and 0 < value <= 1_000_000,
    "a number of seconds",
    "pass a number over 0, at most 1,000,000",
)
PATH = Rule(lambda value: isinstance(value, (str, os.PathLike)), "the path of a file", "pass a str or a pathlib.Path")


def _repr(value: object) -> str:
    try:
        return shown(repr(value), 60)[1:-1]
    except Exception:
        return f"an object of type {type(value).__name__}"
