"""Additions of others without a fork: properties, readers, judges and adapters, of modules that are named or installed.

A plug-in is a module that registers its parts when it is imported: a property with
:func:`xpgcheck.properties.catalogue.holds`, and with :func:`reader`, :func:`judge` and :func:`adapter` of this module the
others.  Packages name it by entry points, in a group for each kind of part, and it is imported where such parts are needed;
those that ``--plugin`` or the environment variable ``XPGCHECK_PLUGINS`` names are imported for all kinds, in processes of
this one too.
"""

from __future__ import annotations

import functools
import importlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from typing import Any, Literal, TypeVar

from xpgcheck.errors import InputError, shown

PartKind = Literal["properties", "readers", "judges", "adapters"]
"""The kinds of parts; the group of entry points is ``xpgcheck.`` and the kind."""

VARIABLE = "XPGCHECK_PLUGINS"

Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class PluginPart:
    """A part of a plug-in, by its name; ``call`` is the function or class that was registered."""

    name: str
    call: Callable[..., Any]


@dataclass(frozen=True, slots=True)
class PluginReader(PluginPart):
    """A reader: ``call`` makes a model of the bytes of a file and the name that the model is to have.

    ``sniff`` tells from the bytes whether a file is of its format; ``recognised`` says it in words.
    """

    extensions: tuple[str, ...]
    recognised: str
    sniff: Callable[[bytes], bool]


_parts: dict[PartKind, dict[str, PluginPart]] = {"readers": {}, "judges": {}, "adapters": {}}


def reader(
    name: str, *, recognised: str, sniff: Callable[[bytes], bool], extensions: Sequence[str] = ()
) -> Callable[[Function], Function]:
    """Register the decorated function as the reader of the format *name*.

    It takes the bytes of a file and a name for the model, and returns a decision graph or an ensemble.  It is asked where
    *sniff* says so of a file that is in no format of this package; *recognised* and *extensions* say the same to people.
    """
    return _registered("readers", lambda call: PluginReader(name, call, tuple(extensions), recognised, sniff))


def judge(name: str) -> Callable[[Function], Function]:
    """Register the decorated function as the judge *name*, a further route to verdicts on AXps and CXps over features.

    It takes a model, an instance, the kind ("AXp", "CXp") and a frozen set of features, and tells whether the set is an XP
    of that kind there: ``True``, ``False``, or ``None`` where it does not say.  :mod:`xpgcheck.judging.second_opinions` says
    what comes of it.
    """
    return _registered("judges", lambda call: PluginPart(name, call))


def adapter(name: str) -> Callable[[Function], Function]:
    """Register the decorated function or class, which is called without arguments, as the subject ``adapter:NAME``."""
    return _registered("adapters", lambda call: PluginPart(name, call))


def parts(kind: PartKind) -> Mapping[str, PluginPart]:
    """Return the parts of *kind* by their names, once every plug-in with some is imported.  Raises as the import does."""
    load_plugins(kind)
    return _parts[kind]


def name_plugins(modules: Sequence[str]) -> None:
    """Have *modules* loaded here and in processes that are started from now on.  Raises ``InputError``."""
    if modules:
        os.environ[VARIABLE] = os.pathsep.join(dict.fromkeys([*_named(), *modules]))
    load_plugins("properties")


def load_plugins(kind: PartKind) -> None:
    """Import once every plug-in that has parts of *kind*.  Raises ``InputError`` that names the one that fails."""
    for module in (*_installed(kind), *_named()):
        _imported(module)


def failure(kind: str, part: PluginPart, error: BaseException) -> str:
    """Return in a line that *part*, a *kind*, raised *error*."""
    return f"the {kind} {shown(part.name)} of a plug-in failed ({_words(error)})"


def _registered(kind: PartKind, made: Callable[[Any], PluginPart]) -> Callable[[Function], Function]:
    def register(call: Function) -> Function:
        part = made(call)
        if part.name in _parts[kind]:
            raise ValueError(f"two {kind} are called {part.name}")
        _parts[kind][part.name] = part
        return call

    return register


def _named() -> list[str]:
    return [module for module in os.environ.get(VARIABLE, "").split(os.pathsep) if module]


@functools.cache
def _installed(kind: PartKind) -> tuple[str, ...]:
    return tuple(sorted({entry.module for entry in metadata.entry_points(group=f"xpgcheck.{kind}")}))


@functools.cache
def _imported(module: str) -> None:
    try:
        importlib.import_module(module)
    except (Exception, SystemExit) as error:
        problem = f"the plug-in {shown(module)} cannot be loaded ({_words(error)})"
        raise InputError(problem, mend="correct it, or leave it out") from error


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {shown(error, 200)[1:-1]}"
