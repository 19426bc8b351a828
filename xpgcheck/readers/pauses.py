"""Pausing the collector of reference cycles while a large model is built."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

MANY = 10_000
"""New objects that a collection takes long to walk."""


@contextlib.contextmanager
def no_cycle_collection() -> Iterator[None]:
    """Keep the cycle collector off inside: a loading model is millions of new objects and no garbage.

    Each collection would walk all of them again, which takes most of the time of reading a graph of 10⁵ nodes.  They then
    count as long-lived: the first collection after this would walk them as young ones.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            # How many are frozen is counted one by one, which only many new objects are worth.
            if gc.get_count()[0] > MANY and not gc.get_freeze_count():
                # To where nothing is collected, and back: among the oldest, without a look at each.
                gc.freeze()
                gc.unfreeze()
            gc.enable()
