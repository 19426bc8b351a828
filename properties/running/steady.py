"""The same seed, the same cases, whatever modules are loaded.

Hypothesis mixes constants that it finds in the loaded modules outside of site-packages into what it generates.  So a seed
would mean other cases in a checkout than from a wheel, in pytest than on the command line, and after each edit of the
user's own explainer.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def without_local_constants() -> Iterator[None]:
    """Keep Hypothesis from using constants of loaded modules in the body.

    There is no public switch, so this replaces an internal function; where a version of Hypothesis has none of that name,
    nothing is done.  A test compares the cases of processes that differ in their modules.
    """
    from hypothesis.internal.conjecture import providers

    # Looked up by name: versions before 6.131 have neither.
    module: Any = providers
    original = getattr(module, "_get_local_constants", None)
    cache = getattr(module, "CONSTANTS_CACHE", None)
    if original is None or cache is None:
        yield
        return
    none = type(original())()
    module._get_local_constants = lambda: none
    cache.cache.clear()
    try:
        yield
    finally:
        module._get_local_constants = original
        cache.cache.clear()
