"""The options of ``xpgcheck campaign start`` and ``resume``: what a campaign is, and how its units are carried out."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import click

from xpgcheck.cli.column_options import LeftOut
from xpgcheck.cli.spelling import folder_option, option
from xpgcheck.cli.vocabulary import (
    command_option,
    examples_option,
    jobs_option,
    memory_option,
    property_option,
    sample_option,
    seed_option,
    size_option,
    smt_option,
    solver_option,
    start_timeout_option,
    timeout_option,
)

EXAMPLES = 50_000

MOST_CASES = 10**12

MOST_JOBS = 1_000

MOST_SECONDS = 1_000 * 86_400


class Duration(click.types.FloatParamType):
    """A time, as in 8h, 90m, 45s, 1h30m or 2d; a number alone is seconds."""

    name = "duration"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return *value* as seconds, or fail."""
        text = str(value).strip()
        pattern = r"(?:(\d{1,7})d)?(?:(\d{1,7})h)?(?:(\d{1,7})m)?(?:(\d{1,7})s?)?"
        found = re.fullmatch(pattern, text, re.ASCII)
        numbers = [int(part or 0) for part in found.groups()] if found and text else [0]
        seconds = float(sum(n * unit for n, unit in zip(numbers, (86_400, 3_600, 60, 1), strict=False)))
        if not 0 < seconds <= MOST_SECONDS:
            self.fail(
                f"{value!r} is no time; write it like 8h, 90m or 1h30m, in whole numbers, at most 1000d", param, ctx
            )
        return seconds


@dataclass(frozen=True, slots=True)
class CampaignOptions:
    """The definition of a campaign, by the fields of ``Asked``."""

    examples: Annotated[int | None, examples_option(f"Cases to generate (default: {EXAMPLES:,}).", most=MOST_CASES)]
    properties: Annotated[tuple[str, ...], property_option()]
    subject: Annotated[
        str | None,
        option(
            "--subject", metavar="SUBJECT", help="Whose properties are tried, as in 'properties run' (default: ours)."
        ),
    ]
    gate: Annotated[
        str | None, option("--gate", metavar="SUBJECT", help="Judge SUBJECT in a process of its own, as 'gate' does.")
    ]
    command: Annotated[str | None, command_option()]
    models: Annotated[
        Path | None,
        folder_option(
            "--models",
            help="Models: the --gate is asked at their instances; without one, our own explanations are cross-checked.",
        ),
    ]
    instances: Annotated[
        Path | None, folder_option("--instances", help="Their instances, NAME.csv for the model NAME.*.")
    ]
    left_out: LeftOut
    sample: Annotated[int, sample_option(100, "Instances of a model without a file.")]
    smt: Annotated[bool, smt_option(True)]
    smt_every: Annotated[
        int,
        option(
            "--smt-every",
            type=click.IntRange(1),
            default=1,
            help="Try the SMT properties in one of N units of generated cases, the others without (default: in all).",
        ),
    ]
    size: Annotated[int, size_option(40)]
    seed: Annotated[int, seed_option()]
    timeout: Annotated[
        float | None, timeout_option(None, "Seconds for one answer (default: 10), or SMT question (default: 30).")
    ]
    start_timeout: Annotated[float, start_timeout_option("Seconds for a --gate to start.")]
    memory: Annotated[int, memory_option("MiB that a --gate's processes may take.")]
    solvers: Annotated[tuple[str, ...], solver_option()]
    unit: Annotated[
        int,
        option(
            "--unit",
            type=click.IntRange(1, 1_000_000),
            default=250,
            show_default=True,
            help="Generated cases of a unit.",
        ),
    ]


@dataclass(frozen=True, slots=True)
class RunningOptions:
    """Options of how units are carried out this time."""

    duration: Annotated[
        float | None,
        option(
            "--for", "duration", type=Duration(), metavar="TIME", help="Go on for so long (8h, 90m), seed after seed."
        ),
    ]
    unit_timeout: Annotated[
        float,
        option(
            "--unit-timeout",
            type=Duration(),
            default="1h",
            show_default=True,
            metavar="TIME",
            help="End the process of a unit after so long, and try again; left open after three times.",
        ),
    ]
    jobs: Annotated[int | None, jobs_option(most=MOST_JOBS)]
    scheduler: Annotated[
        str | None,
        option(
            "--scheduler", metavar="ADDRESS", help="Run on the Dask cluster whose scheduler listens at tcp://HOST:PORT."
        ),
    ]
    part: Annotated[
        str | None,
        option(
            "--part", metavar="K/N", help="Carry out the K-th of N parts of the units, others do the rest; see 'merge'."
        ),
    ]
