"""The one place that touches the internals of Hypothesis: the same seed, the same cases, whatever modules are loaded.

Since 6.131.1 Hypothesis mixes constants that it finds in the loaded modules outside of site-packages into what it generates.
So a seed would mean other cases in a checkout than from a wheel, in pytest than on the command line, and after each edit
of the user's own explainer.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import hypothesis
import hypothesis.strategies

PROVIDERS = "hypothesis.internal.conjecture.providers"
"""The module that collects the constants."""


@contextmanager
def without_local_constants() -> Iterator[None]:
    """Keep Hypothesis from using constants of loaded modules in the body.

    No version up to 6.170 has a public switch for that, so this replaces an internal function.  Where a version has none of
    that name nothing is done: the cases are as right, but a seed may mean others elsewhere.  Tests compare the cases of
    processes that differ in their modules, and see that they would differ without this.
    """
    module = _providers()
    original = getattr(module, "_get_local_constants", None)
    constants = getattr(module, "Constants", None)
    cache = getattr(getattr(module, "CONSTANTS_CACHE", None), "cache", None)
    if original is None or constants is None or cache is None:
        yield
        return
    # Not by calling the original: it would parse every loaded module of a checkout, for a second per process.
    none = constants()
    module._get_local_constants = lambda: none
    cache.clear()
    try:
        yield
    finally:
        module._get_local_constants = original
        cache.clear()


def begin() -> None:
    """Have Hypothesis set up what it sets up at its first test.  Before ``gc.freeze``.

    It registers a generator of its own, and versions before 6.138 look among the objects that can be collected for
    one that refers to it: where all are set aside they warn, and the test is not run.
    """
    hypothesis.given(hypothesis.strategies.none())(_nothing)()


def _nothing(_: None) -> None:
    """A test that holds."""


def _providers() -> Any:
    try:
        return importlib.import_module(PROVIDERS)
    except ImportError:
        return None
