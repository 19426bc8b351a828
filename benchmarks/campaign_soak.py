"""``python -m benchmarks.campaign_soak --minutes 60``: a campaign for so long, and what memory its processes take.

Exit status 1 where memory grows by 5 % or more after the first ten minutes (the first sixth of a shorter run).
"""

from __future__ import annotations

import contextlib
import json
import statistics
import sys
import threading
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import click
import psutil

from benchmarks.campaign_plans import passing_journal, property_plan
from xpgcheck.campaign import driver
from xpgcheck.campaign.local import LocalScheduler

MOST_GROWTH = 0.05

WARM_UP = 600.0

MEBIBYTE = 1 << 20


@dataclass(frozen=True)
class Sample:
    """Seconds since the start, and the resident memory in MiB of the driver and of all its workers together."""

    seconds: float
    driver: float
    workers: float


@dataclass(frozen=True)
class Soaked:
    """What a soak gave."""

    samples: list[Sample]
    units: int
    cases: int
    findings: int

    def growth(self, of: str) -> float:
        """Return by what part the memory *of* "driver" or "workers" grew after the warm-up: medians of the first and of the
        last tenth of what comes then."""
        last = self.samples[-1].seconds
        rest = [sample for sample in self.samples if sample.seconds >= min(WARM_UP, last / 6)]
        some = max(len(rest) // 10, 1)
        first, end = ([getattr(sample, of) for sample in part] for part in (rest[:some], rest[-some:]))
        return statistics.median(end) / statistics.median(first) - 1


def soak(seconds: float, jobs: int, unit: int = 250, every: float = 2.0) -> Soaked:
    """Run a campaign of properties for *seconds* by *jobs* processes, and look at the memory at regular times."""
    plan = property_plan(None, unit)
    stop, over = threading.Event(), threading.Event()
    samples: list[Sample] = []
    started = time.monotonic()

    def look() -> None:
        me = psutil.Process()
        while not over.wait(every):
            workers = sum(map(_resident, me.children(recursive=True)))
            passed = time.monotonic() - started
            samples.append(Sample(passed, me.memory_info().rss / MEBIBYTE, workers / MEBIBYTE))
            if passed >= seconds:
                # Not the end of the campaign, when the workers are gone.
                over.set()
                stop.set()

    watcher = threading.Thread(target=look, daemon=True)
    with passing_journal(plan) as journal:
        watcher.start()
        driver.run(plan, journal, LocalScheduler(jobs), workers=jobs, stop=stop)
        over.set()
        watcher.join()
        units, cases = journal.totals()
        findings = sum(cause.times for cause in journal.causes())
    return Soaked(samples, units, cases, findings)


def _resident(process: psutil.Process) -> int:
    with contextlib.suppress(psutil.Error):
        return int(process.memory_info().rss)
    return 0


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--minutes", type=click.FloatRange(0.1), default=60.0, show_default=True)
@click.option("--jobs", type=click.IntRange(1), default=2, show_default=True)
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path), help="Write all samples here.")
def main(minutes: float, jobs: int, json_file: Path | None) -> None:
    """Run a campaign for so many minutes; show what memory it took, and fail where that grows."""
    soaked = soak(60 * minutes, jobs)
    if json_file is not None:
        json_file.write_text(json.dumps(asdict(soaked)) + "\n", encoding="utf-8")
    step = max(len(soaked.samples) // 12, 1)
    for sample in soaked.samples[step - 1 :: step]:
        click.echo(
            f"{sample.seconds / 60:6.1f} min: driver {sample.driver:6.1f} MiB, workers {sample.workers:7.1f} MiB"
        )
    click.echo(f"{soaked.units:,} units, {soaked.cases:,} cases, {soaked.findings:,} findings")
    grown = {of: soaked.growth(of) for of in ("driver", "workers")}
    for of, growth in grown.items():
        verdict = "met" if growth < MOST_GROWTH else "not met"
        click.echo(f"growth of the {of} after the warm-up: {100 * growth:+.1f} % (target < 5 %): {verdict}")
    sys.exit(int(max(grown.values()) >= MOST_GROWTH))


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.campaign_soak")
