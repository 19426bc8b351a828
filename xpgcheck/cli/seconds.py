"""A number of seconds on the command line."""

from __future__ import annotations

import math
from typing import Any

import click

MOST = 1_000_000.0
"""Eleven days: more is a mistake, and the timers of the system take no more."""


class Seconds(click.FloatRange):
    """Seconds from a thousandth up: a finite number, which "nan" and "inf" are not."""

    name = "seconds"

    def __init__(self) -> None:
        super().__init__(0.001, MOST)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return *value* as a number, or fail."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value} is not a number of seconds", param, ctx)
        return number
