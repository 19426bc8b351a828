"""``python -m benchmarks.campaign_soak --minutes 60``: a campaign for so long, and what memory its processes take.

Exit status 1 where memory grows by 5 % or more after the first ten minutes (the first sixth of a shorter run), or
something was found.
"""

from __future__ import annotations

import contextlib
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import click
import psutil

from xpgcheck.campaign.journal import Journal

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
    """Results of a soak."""

    samples: list[Sample]
    units: int
    cases: int
    findings: int

    def growth(self, of: str) -> float:
        """Return by what part the memory *of* "driver" or "workers" grew from the first to the last third of the time after
        the warm-up: of the mean and of the level that is passed in one look of twenty, the larger.

        Workers are replaced now and then, and those that had SMT units are larger than others, so that shorter times tell
        only who was replaced last.
        """
        last = self.samples[-1].seconds
        rest = [sample for sample in self.samples if sample.seconds >= min(WARM_UP, last / 6)]
        third = max(len(rest) // 3, 2)
        first, end = ([getattr(sample, of) for sample in part] for part in (rest[:third], rest[-third:]))
        measures = statistics.fmean, lambda values: statistics.quantiles(values, n=20, method="inclusive")[-1]
        return max(measure(end) / measure(first) for measure in measures) - 1


def soak(
    seconds: float, jobs: int, arguments: Sequence[str] = (), journal: Path | None = None, every: float = 2.0
) -> Soaked:
    """Run ``xpgcheck campaign`` as a user does, by *jobs* processes, and look at its memory at regular times.

    It goes on for *seconds*, or, where *arguments* have --examples, to its end.  The *journal* is kept if one is named.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = journal or Path(folder, "soak.campaign.sqlite")
        command = [
            sys.executable,
            "-m",
            "xpgcheck",
            "campaign",
            "start",
            "soak",
            "--journal",
            str(path),
            "--jobs",
            str(jobs),
        ]
        command += ["--quiet", *([] if "--examples" in arguments else ["--for", f"{max(round(seconds), 1)}s"])]
        samples: list[Sample] = []
        with subprocess.Popen([*command, *arguments], stdout=subprocess.DEVNULL) as process:
            started, driver = time.monotonic(), psutil.Process(process.pid)
            while process.poll() is None:
                with contextlib.suppress(psutil.Error):
                    own, workers = _resident(driver), sum(map(_resident, driver.children(recursive=True)))
                    samples.append(Sample(time.monotonic() - started, own / MEBIBYTE, workers / MEBIBYTE))
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(every)
        with Journal.open(path, read_only=True) as kept:
            units, cases = kept.totals()
            findings = sum(cause.times for cause in kept.causes())
    # The last look may have met workers that were gone or going.
    return Soaked(samples[:-1], units, cases, findings)


def read(file: Path) -> Soaked:
    """Return what an earlier run has written."""
    document = json.loads(file.read_bytes())
    return Soaked(**{**document, "samples": [Sample(**sample) for sample in document["samples"]]})


def _resident(process: psutil.Process) -> int:
    with contextlib.suppress(psutil.Error):
        return int(process.memory_info().rss)
    return 0


@click.command(context_settings={"help_option_names": ["-h", "--help"], "ignore_unknown_options": True})
@click.option("--minutes", type=click.FloatRange(0.1), default=60.0, show_default=True)
@click.option("--jobs", type=click.IntRange(1), default=2, show_default=True)
@click.option("--journal", type=click.Path(path_type=Path), help="Keep the campaign's journal here.")
@click.option("--json", "json_file", type=click.Path(dir_okay=False, path_type=Path), help="Write all samples here.")
@click.option("--again", type=click.Path(exists=True, path_type=Path), help="Show samples of an earlier run's --json.")
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def main(
    minutes: float,
    jobs: int,
    journal: Path | None,
    json_file: Path | None,
    again: Path | None,
    arguments: tuple[str, ...],
) -> None:
    """Run a campaign for so many minutes; show what memory it took, and fail where that grows.

    ARGUMENTS are options of 'xpgcheck campaign start'; with --examples it goes on to its end, however long that takes.
    """
    soaked = soak(60 * minutes, jobs, arguments, journal) if again is None else read(again)
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
    sys.exit(int(max(grown.values()) >= MOST_GROWTH or soaked.findings > 0))


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.campaign_soak")
