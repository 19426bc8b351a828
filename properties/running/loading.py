"""From the name of a subject, as users give it, to the subject."""

from __future__ import annotations

import ast
import importlib
import os
import sys
from pathlib import Path
from typing import Any

from xpgcheck.errors import InputError, did_you_mean, shown
from xpgcheck.plugins import failure, parts
from xpgcheck.properties.subjects import require_abilities

OURS = "ours"


def load_subject(spec: str) -> Any:
    """Return the subject that *spec* names.

    ``ours`` (this project: explainer and oracles), ``ours-under-constraints`` (its explainer under constraints), ``paper``
    (its algorithms as printed), ``oracle:NAME`` (one of its oracles: exhaustive, z3-ite, z3-activation, cvc5-ite,
    cvc5-activation), ``textbook`` (an independent implementation, written for reading), ``textbook-ensembles`` (one of
    ensembles), ``seeded:NAME`` (a seeded bug), ``adapter:NAME`` (an adapter of a plug-in), or
    ``package.module:factory``: an object of the user's own, or what returns one when called without arguments.

    Raises ``InputError`` where it cannot be had.
    """
    own = _own(spec)
    subject = own if own is not None else _imported(spec)
    require_abilities(subject, spec)
    return subject


def _own(spec: str) -> Any:
    from xpgcheck.properties import ours

    if spec == OURS:
        return ours.Project()
    if spec == "ours-under-constraints":
        from xpgcheck.properties.ours_constraints import ConstrainedExplainer

        return ConstrainedExplainer()
    if spec == "paper":
        return ours.PaperExplainer()
    if spec.startswith("oracle:"):
        route = spec.removeprefix("oracle:")
        if route not in ours.ROUTES:
            raise InputError(f"no oracle is called {shown(route)}", mend=f"use one of {', '.join(ours.ROUTES)}")
        return ours.OracleSubject(route)
    if spec == "textbook":
        from xpgcheck.properties.seeded.textbook import Textbook

        return Textbook()
    if spec == "textbook-ensembles":
        from xpgcheck.properties.seeded.ensemble_textbook import EnsembleTextbook

        return EnsembleTextbook()
    if spec.startswith("adapter:"):
        return _adapted(spec.removeprefix("adapter:"))
    if spec.startswith("seeded:"):
        from xpgcheck.properties.seeded import seeded_bug

        bug = seeded_bug(spec.removeprefix("seeded:"))
        if bug.kind == "reduction":
            mend = "'xpgcheck properties list --bugs' lists those that have"
            raise InputError(f"the seeded bug {shown(bug.name)} has no decision graphs to explain", mend=mend)
        return bug.make()
    return None


def _adapted(name: str) -> Any:
    known = parts("adapters")
    if name not in known:
        mend = f"use one of {', '.join(known)}" if known else "install a package that has it, or name one by --plugin"
        raise InputError(f"no adapter is called {shown(name)}", mend=mend)
    try:
        return known[name].call()
    except Exception as error:
        raise InputError(failure("adapter", known[name], error), mend="correct it, or what it adapts") from error


def _imported(spec: str) -> Any:
    module_name, separator, factory = spec.partition(":")
    if not separator or not module_name or not factory:
        mend = "name ours, paper, textbook, seeded:NAME, adapter:NAME, or your own as package.module:factory"
        named = _classes_in(Path(f"{spec.removesuffix('.py')}.py"))
        if named:
            mend = f"name what is in it: {spec.removesuffix('.py')}:{named[0]}"
        raise InputError(f"no subject is called {shown(spec)}", mend=mend)
    if module_name.endswith(".py"):
        mend = f"name the module: {shown(spec.replace('.py:', ':', 1).replace('/', '.'))}"
        raise InputError(f"{shown(spec)} names a file, not a module", mend=mend)
    if os.getcwd() not in sys.path:
        # After all else, so that nothing of the user's shadows a library.
        sys.path.append(os.getcwd())
    try:
        found: Any = importlib.import_module(module_name)
        for name in factory.split("."):
            found = getattr(found, name)
        return found() if callable(found) else found
    except (KeyboardInterrupt, GeneratorExit):
        raise
    except BaseException as error:
        text = f"{type(error).__name__}: {error}"
        problem = f"the subject {shown(spec)} cannot be loaded: {shown(text)[1:-1]}"
        raise InputError(problem, mend=_way_out(module_name, factory, error)) from error


def _classes_in(file: Path) -> list[str]:
    """Return the names of the classes that *file*, read and not imported, defines at its top."""
    try:
        found = ast.parse(file.read_bytes()).body
    except (OSError, SyntaxError, ValueError):
        return []
    return [statement.name for statement in found if isinstance(statement, ast.ClassDef)]


def _way_out(module_name: str, factory: str, error: BaseException) -> str:
    """Return what to do where *factory* of the module could not be had."""
    if isinstance(error, ModuleNotFoundError) and error.name == module_name:
        here = [file.stem for file in Path.cwd().glob("*.py")]
        return did_you_mean(module_name, here) or "name a module of this folder, or one that is installed"
    if isinstance(error, AttributeError) and module_name in sys.modules:
        names = [name for name in vars(sys.modules[module_name]) if not name.startswith("_")]
        if factory.partition(".")[0] not in names:
            return did_you_mean(factory, names) or f"use one of {', '.join(names[:9])}"
    if isinstance(error, SyntaxError):
        return "correct that line"
    return "check the module's name and path, and that the factory takes no arguments"
