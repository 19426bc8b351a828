"""Carrying out one unit, in a worker; subjects and models are opened once a process and kept between units."""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import sys
import time
from dataclasses import replace

from xpgcheck.campaign.plan import Plan
from xpgcheck.campaign.units import Unit, UnitResult

__all__ = ["UnitResult", "execute"]

HOW = {
    "properties": "xpgcheck.campaign.trying",
    "gate": "xpgcheck.campaign.gating",
    "check": "xpgcheck.campaign.checking",
}
"""Each kind of unit, and the module that carries it out, by its function ``carried_out(plan, unit)``."""


def execute(plan: Plan, unit: Unit) -> UnitResult:
    """Carry out *unit* of *plan*.

    The same unit gives the same, wherever it is carried out, as long as the subject is deterministic and nothing runs out of
    time.  Raises ``InputError`` where the subject or a model cannot be had.
    """
    started = time.perf_counter()
    carried_out = importlib.import_module(HOW[unit.kind]).carried_out
    _set_modules_aside()
    # A subject's prints are no results.
    with contextlib.redirect_stdout(sys.stderr):
        result: UnitResult = carried_out(plan, unit)
    return replace(result, seconds=time.perf_counter() - started)


@functools.cache
def _set_modules_aside() -> None:
    """Let collections of garbage leave out what is loaded by now: the solvers' packages.  Once a process."""
    if "hypothesis" in sys.modules:
        from xpgcheck.properties.running.hypothesis_internals import begin

        begin()
    gc.collect()
    gc.freeze()
