"""Properties of others: modules that are named by ``--plugin``, or by entry points of packages that are installed.

A plug-in is a module that registers properties with :func:`xpgcheck.properties.catalogue.holds` when it is imported.  Those
of the entry-point group ``xpgcheck.properties`` are loaded in every process; those that are named stand in the environment,
so that processes of this one load them too.
"""

from __future__ import annotations

import functools
import importlib
import os
from collections.abc import Sequence
from importlib import metadata

from xpgcheck.errors import InputError, shown

GROUP = "xpgcheck.properties"
VARIABLE = "XPGCHECK_PLUGINS"


def name_plugins(modules: Sequence[str]) -> None:
    """Have *modules* loaded here and in processes that are started from now on.  Raises ``InputError``."""
    if modules:
        os.environ[VARIABLE] = os.pathsep.join(dict.fromkeys([*_named(), *modules]))
    load_plugins()


def load_plugins() -> None:
    """Import every plug-in once.  Raises ``InputError`` that names the one that fails."""
    for module in (*_installed(), *_named()):
        _imported(module)


def _named() -> list[str]:
    return [module for module in os.environ.get(VARIABLE, "").split(os.pathsep) if module]


@functools.cache
def _installed() -> tuple[str, ...]:
    return tuple(sorted({entry.module for entry in metadata.entry_points(group=GROUP)}))


@functools.cache
def _imported(module: str) -> None:
    try:
        importlib.import_module(module)
    except Exception as error:
        problem = f"the plug-in {shown(module)} cannot be loaded ({type(error).__name__}: {shown(error, 200)[1:-1]})"
        raise InputError(problem, mend="correct it, or leave it out") from error
