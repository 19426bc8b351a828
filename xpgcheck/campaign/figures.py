"""Plots of the report, as tables of numbers and as what is to be drawn of them: nothing here draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from xpgcheck.campaign.summary import Summary, clock, outcome_of
from xpgcheck.campaign.units import bucket_seconds
from xpgcheck.judging.verdicts import Outcome

MAX_POINTS = 300
"""Points of a curve."""

MAX_ROWS = 12
"""Rows of the table of a curve, and bars of a plot by name."""

MAX_BINS = 24
"""Columns of a histogram."""


@dataclass(frozen=True, slots=True)
class Curve:
    """A line through points; both axes from 0."""

    x: tuple[float, ...]
    y: tuple[float, ...]
    x_label: str
    y_label: str


@dataclass(frozen=True, slots=True)
class FigureColumns:
    """Columns side by side over ``labels``, of one colour for each of ``series``."""

    labels: tuple[str, ...]
    series: tuple[tuple[str, tuple[int, ...]], ...]
    x_label: str
    y_label: str


@dataclass(frozen=True, slots=True)
class Bars:
    """Bars from the left, one a name, of the colour of its outcome; logarithmic where ``wide``."""

    names: tuple[str, ...]
    values: tuple[float, ...]
    outcomes: tuple[Outcome | None, ...]
    x_label: str
    wide: bool


@dataclass(frozen=True, slots=True)
class Ranges:
    """A range and a middle for each name, on a logarithmic axis of seconds."""

    names: tuple[str, ...]
    ranges: tuple[tuple[float, float, float], ...]
    x_label: str


Plot = Curve | FigureColumns | Bars | Ranges


@dataclass(frozen=True, slots=True)
class Figure:
    """A plot with its table: what is to be drawn, and the same numbers for who cannot see it."""

    title: str
    caption: str
    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    plot: Plot


def figures(found: Summary) -> list[Figure]:
    """Return the figures of *found*, those alone of which something is known."""
    return [*_over_time(found), *_verdicts(found), *_sizes(found), *_xps(found), *_times(found), *_layers(found)]


_SCALES = ((172_800.0, 86_400.0, "days"), (7_200.0, 3_600.0, "hours"), (180.0, 60.0, "minutes"), (0.0, 1.0, "seconds"))


def _over_time(found: Summary) -> Iterator[Figure]:
    if len(found.ends) < 2:
        return
    start = min(found.ends[0][0], *(s.started for s in found.sessions[:1]), found.ends[0][0])
    ends, done = [(0.0, 0)], 0
    for ended, cases in found.ends:
        done += cases
        ends.append((ended - start, done))
    points = _thinned(ends, MAX_POINTS)
    unit, word = next((unit, word) for least, unit, word in _SCALES if points[-1][0] >= least)
    shown = _thinned(ends, MAX_ROWS)
    yield Figure(
        "Cases over time",
        f"Cases of finished units, by the clock since {clock(start)}; flat where nothing ran.",
        (f"after {word}", "cases"),
        tuple((f"{seconds / unit:,.1f}", f"{cases:,}") for seconds, cases in shown),
        Curve(tuple(s / unit for s, _ in points), tuple(float(n) for _, n in points), word, "cases"),
    )


def _thinned(points: Sequence[tuple[float, int]], most: int) -> list[tuple[float, int]]:
    """Return at most *most* of the points, the first and the last among them."""
    if len(points) <= most:
        return list(points)
    return [points[round(i * (len(points) - 1) / (most - 1))] for i in range(most)]


def _verdicts(found: Summary) -> Iterator[Figure]:
    words: Counter[str] = Counter()
    for row in found.counts.values():
        words.update(row)
    order = (Outcome.VIOLATED, Outcome.INCONCLUSIVE, Outcome.HOLDS, None)
    given = sorted(
        [(word, n) for word, n in words.items() if n > 0], key=lambda pair: (order.index(outcome_of(pair[0])), -pair[1])
    )
    if not given:
        return
    shown = given[:MAX_ROWS]
    yield Figure(
        "Verdicts",
        "All verdicts, by word: of properties on cases, of claims, of checks. The axis is logarithmic.",
        ("verdict", "times"),
        tuple((word, f"{n:,}") for word, n in given),
        Bars(
            tuple(word for word, _ in shown),
            tuple(float(n) for _, n in shown),
            tuple(outcome_of(word) for word, _ in shown),
            "times",
            wide=True,
        ),
    )


def _sizes(found: Summary) -> Iterator[Figure]:
    for label in ("non-terminals", "features"):
        if found.sizes.get(label):
            yield _histogram(
                f"Sizes: {label}", f"Cases by their number of {label}.", label, {"cases": found.sizes[label]}
            )


def _xps(found: Summary) -> Iterator[Figure]:
    series = {kind: found.sizes[kind] for kind in ("AXps", "CXps") if found.sizes.get(kind)}
    if series:
        caption = "Instances by how many explanations they have; a column spans twice the numbers of the one before."
        yield _histogram("Explanations of an instance", caption, "explanations", series, doubling=True)


def _histogram(
    title: str, caption: str, what: str, series: Mapping[str, Mapping[int, int]], *, doubling: bool = False
) -> Figure:
    largest = max(size for row in series.values() for size in row)
    bounds = _doubling(largest) if doubling else _even(largest)
    labels = tuple(f"{low:,}" if low == high else f"{low:,}–{high:,}" for low, high in bounds)
    columns = tuple(
        (name, tuple(sum(n for size, n in row.items() if low <= size <= high) for low, high in bounds))
        for name, row in series.items()
    )
    rows = tuple(
        (label, *(f"{column[i]:,}" for _, column in columns))
        for i, label in enumerate(labels)
        if any(column[i] for _, column in columns)
    )
    plot = FigureColumns(labels, columns, what, "cases")
    return Figure(title, caption, (what, *(name for name, _ in columns)), rows, plot)


def _even(largest: int) -> list[tuple[int, int]]:
    width = -(-(largest + 1) // MAX_BINS)
    return [(low, low + width - 1) for low in range(0, largest + 1, width)]


def _doubling(largest: int) -> list[tuple[int, int]]:
    bounds = [(0, 0), (1, 1)]
    while bounds[-1][1] < largest:
        bounds.append((bounds[-1][1] + 1, bounds[-1][1] * 2))
    return bounds


def _times(found: Summary) -> Iterator[Figure]:
    most = sorted(found.times.items(), key=lambda item: (-sum(item[1].values()), item[0]))
    rows: list[tuple[str, ...]] = []
    names: list[str] = []
    ranges: list[tuple[float, float, float]] = []
    for name, row in most:
        count = sum(row.values())
        if count <= 0:
            continue
        middle, late, last = (_quantile(row, share * count) for share in (0.5, 0.9, 1.0))
        rows.append((name, f"{count:,}", *(seconds_text(seconds) for seconds in (middle, late, last))))
        if len(names) < MAX_ROWS:
            names.append(name)
            ranges.append((middle, late, last))
    if rows:
        yield Figure(
            "Times of answers",
            "Half of the answers take at most as long as the mark says, nine in ten as the bar, all as the line; "
            "each rounded up to a power of two of a microsecond.",
            ("asked", "answers", "half", "nine in ten", "all"),
            tuple(rows),
            Ranges(tuple(names), tuple(ranges), "time of an answer"),
        )


def _quantile(row: Mapping[int, int], wanted: float) -> float:
    """Return the seconds below which at least *wanted* of the answers took."""
    seen = 0
    for bucket in sorted(row):
        seen += row[bucket]
        if seen >= wanted:
            break
    return bucket_seconds(str(bucket + 1))


def seconds_text(seconds: float) -> str:
    """Return a short time for people."""
    for factor, unit in ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")):
        if seconds >= factor:
            return f"{seconds / factor:,.3g} {unit}" if seconds < 1_000 * factor else f"{seconds / factor:,.0f} {unit}"
    return "0 s"


def _layers(found: Summary) -> Iterator[Figure]:
    rows = [(name, seconds) for name, seconds in found.layers.most_common() if seconds > 0]
    if not rows:
        return
    whole = sum(seconds for _, seconds in rows)
    yield Figure(
        "Where the time goes",
        "Seconds of all workers together, by what they did.",
        ("layer", "seconds", "share"),
        tuple((name, f"{seconds:,.1f}", f"{100 * seconds / whole:.0f} %") for name, seconds in rows),
        Bars(
            tuple(name for name, _ in rows[:MAX_ROWS]),
            tuple(float(seconds) for _, seconds in rows[:MAX_ROWS]),
            (None,) * len(rows[:MAX_ROWS]),
            "seconds",
            wide=False,
        ),
    )
