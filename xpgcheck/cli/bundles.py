"""Options as fields: a command takes one object, a frozen dataclass, whose fields say which options fill them.

A field is annotated with its option or argument, as in ``seed: Annotated[int, seed_option()]``, or is of a bundle itself.
The help shows the options in the order of the fields.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, get_type_hints

import click
from click.core import ParameterSource

from xpgcheck.cli.spelling import Decorator
from xpgcheck.errors import InputError


def bundled(**bundles: type[Any]) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Return the decorator that gives a command the options of *bundles*; each comes as one argument, by its name here."""

    def decorate(command: Callable[..., int]) -> Callable[..., int]:
        @functools.wraps(command)
        def with_bundles(**given: Any) -> int:
            filled = {name: _filled(kind, given) for name, kind in bundles.items()}
            return command(**given, **filled)

        # Click shows what decorates last first.
        for decorator in reversed([each for kind in bundles.values() for each in _decorators(kind)]):
            decorator(with_bundles)
        return with_bundles

    return decorate


def said(bundle: object) -> dict[str, Any]:
    """Return the fields of *bundle* and of those in it that the command line gives: none that was left to its default."""
    context = click.get_current_context()
    found: dict[str, Any] = {}
    for field, part in _parts(type(bundle)).items():
        value = getattr(bundle, field)
        if not isinstance(part, str):
            found |= said(value)
        elif context.get_parameter_source(part) is not ParameterSource.DEFAULT:
            found[field] = value
    return found


def command_error(problem: str, mend: str) -> InputError:
    """Return the error of a command whose options do not go together."""
    return InputError(problem, place="command line", mend=mend)


def _decorators(kind: type[Any]) -> list[Decorator]:
    """Return what gives a command the options of *kind*, in the order of its fields."""
    found: list[Decorator] = []
    for hint in get_type_hints(kind, include_extras=True).values():
        found += _decorators(hint) if isinstance(hint, type) else hint.__metadata__
    return found


def _parts(kind: type[Any]) -> dict[str, str | type[Any]]:
    """Return for each field of *kind* the name of the parameter that fills it, or the bundle that it is of."""
    parts: dict[str, str | type[Any]] = {}
    for field, hint in get_type_hints(kind, include_extras=True).items():
        if isinstance(hint, type):
            parts[field] = hint
        else:
            (decorator,) = hint.__metadata__
            parts[field] = str(decorator(click.Command(None)).params[0].name)
    return parts


def _filled(kind: type[Any], given: dict[str, Any]) -> Any:
    """Return the object of *kind* that the parameters *given* make, which are taken out of them."""
    parts = _parts(kind).items()
    return kind(**{field: given.pop(part) if isinstance(part, str) else _filled(part, given) for field, part in parts})
