"""Inputs of a check or a gate: models with the instances to explain, and where these come from."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from xpgcheck import embedded
from xpgcheck.errors import InputError, LimitError, NothingCheckedError, shown
from xpgcheck.explanations.api import constraint_of
from xpgcheck.explanations.inputs import AS_THEY_ARE, classifier_of, is_embedded
from xpgcheck.model.constraint import Constraint
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.model.values import Point
from xpgcheck.properties.cases import Case, EnsembleCase, LabelledCase, case_of
from xpgcheck.readers.instances import read_instances

DEFAULT_SAMPLE = 100
"""Instances drawn from a model without instances of its own, or from a larger embedded model."""

SMALL_MODEL = 9
"""Embedded models of at most this many features are always checked on all their instances."""

MAX_ALL_INSTANCES = 100_000


@dataclass(frozen=True, slots=True)
class Job:
    """A model and the points to explain it at; an `.xpg` model has none and is explained once, as it is.

    ``origin`` says where the points come from, for the reports; ``constraint`` what can occur, where claims are about that.
    """

    graph: DecisionGraph | LabelledGraph | Ensemble
    points: tuple[Point, ...]
    origin: str
    constraint: Constraint | None = None

    @property
    def count(self) -> int:
        """The number of instances."""
        return 1 if isinstance(self.graph, LabelledGraph) else len(self.points)

    def case(self, number: int) -> Case | LabelledCase | EnsembleCase:
        """Return the case of instance *number*, from 0."""
        if isinstance(self.graph, LabelledGraph):
            return LabelledCase(self.graph)
        return case_of(self.graph, self.points[number], number, self.constraint)

    def place(self, number: int) -> str:
        """Say which instance *number* is."""
        return f"{self.graph.name}, instance {number + 1} of {self.origin}"


def under(job: Job, constraints: Path, *, every: bool) -> Job:
    """Return *job* under the constraint in the file *constraints*, at its instances that can occur.

    Raises ``InputError`` with the first one that cannot, where *every* instance was named, and ``NothingCheckedError`` where
    none can.
    """
    graph = job.graph
    constraint = constraint_of(graph, constraints)
    assert constraint is not None
    broken = next((number for number, point in enumerate(job.points) if not constraint.allows(point)), None)
    if every and broken is not None:
        try:
            constraint.require(job.points[broken])
        except InputError as error:
            raise error.at(f"instance {broken + 1} of {job.origin}") from None
    points = tuple(point for point in job.points if constraint.allows(point))
    if not points:
        problem = f"no instance of {shown(graph.name)} satisfies the constraint"
        raise NothingCheckedError(problem, mend="name instances that can occur (--instances FILE)")
    origin = job.origin if len(points) == len(job.points) else f"those that can occur of {job.origin}"
    return replace(job, points=points, origin=origin, constraint=constraint)


def blocks(jobs: Sequence[Job], size: int) -> list[tuple[int, range]]:
    """Return the instances of *jobs* in blocks of at most *size*, each with the number of its job."""
    return [
        (number, range(start, min(start + size, job.count)))
        for number, job in enumerate(jobs)
        for start in range(0, job.count, size)
    ]


@dataclass(frozen=True, slots=True)
class Selection:
    """Which instances to explain: a file (without some columns), all of them, or a seeded sample."""

    instances: Path | None = None
    everything: bool = False
    sample: int = DEFAULT_SAMPLE
    seed: int = 0
    drop_columns: tuple[str, ...] = ()
    ignore_extra_columns: bool = False


def jobs(models: Sequence[str], selection: Selection, **reading: Any) -> list[Job]:
    """Return a job for each of *models*: files, or names of embedded models; all embedded ones where none is named.

    A file wins over an embedded model of the same name; *reading* is for files, as ``read_model`` takes it.  Raises an
    ``InputError`` that names the file, and where *reading* says how to read files and none is named.
    """
    if all(map(is_embedded, models)) and not {"missing", "root", "names", "domains"}.isdisjoint(reading):
        place = models[0] if models else "command line"
        raise InputError("embedded models are read as they are", place=place, mend=AS_THEY_ARE)
    if not models:
        return [embedded_job(name, selection) for name in embedded.names()]
    found = []
    for name in models:
        if is_embedded(name):
            found.append(embedded_job(name, selection))
        else:
            found.append(file_job(Path(name), selection, **reading))
    return found


def embedded_job(name: str, selection: Selection) -> Job:
    """Return the embedded model *name* with all its instances, or a sample where they are many (see the constants)."""
    model = embedded.load(name)
    if selection.instances is not None:
        return _from_file(model.graph, selection)
    whole = "every point of feature space" if model.exhaustive else "every distinct row of the data set"
    if selection.everything or len(model.graph.features) <= SMALL_MODEL:
        return Job(model.graph, model.instances, whole)
    return sampled(Job(model.graph, model.instances, whole), selection, _sample_text(selection, whole))


def file_job(path: Path, selection: Selection, **reading: Any) -> Job:
    """Read the model at *path* and choose its instances.

    Without a file of instances: one point of every combination of cells that the graph's literals can tell apart, where
    these are at most ``selection.sample`` or all are asked for; otherwise a seeded sample of combinations.
    """
    graph = classifier_of(path, **reading)
    if isinstance(graph, LabelledGraph):
        if selection.instances is not None:
            raise InputError(
                "an .xpg model has no domains, so no instances", place=str(path), mend="leave --instances out"
            )
        return Job(graph, (), "the instance that its labels stand for")
    if selection.instances is not None:
        return _from_file(graph, selection)
    combinations = math.prod(len(cells) for cells in graph.cells)
    whole = "every combination of cells"
    if selection.everything and combinations > MAX_ALL_INSTANCES:
        raise LimitError(
            f"there are {_count(combinations)} combinations of cells, more than {MAX_ALL_INSTANCES:,}",
            place=str(path),
            mend="name a file of instances, or sample with --sample N",
        )
    if selection.everything or combinations <= selection.sample:
        representatives = [[cell.representative() for cell in cells] for cells in graph.cells]
        return Job(graph, tuple(itertools.product(*representatives)), whole)
    return Job(
        graph,
        _random_points(graph, selection),
        _sample_text(selection, f"{_count(combinations)} combinations of cells"),
    )


def _count(number: int) -> str:
    """Return a number that may have any number of digits."""
    return f"{number:,}" if number < 10**15 else f"about 10^{int(number.bit_length() * 0.30103)}"


def _from_file(graph: DecisionGraph | Ensemble, selection: Selection) -> Job:
    assert selection.instances is not None
    points = read_instances(
        selection.instances,
        graph.features,
        drop_columns=selection.drop_columns,
        ignore_extra_columns=selection.ignore_extra_columns,
    )
    return Job(graph, tuple(dict.fromkeys(points)), f"the distinct rows of {shown(selection.instances.name)}")


def sampled(job: Job, selection: Selection, origin: str) -> Job:
    """Return *job*, or a sample of its instances, called *origin*, where they are more than the selection's."""
    if len(job.points) <= selection.sample:
        return job
    chosen = random.Random(selection.seed).sample(range(len(job.points)), selection.sample)
    points = tuple(job.points[i] for i in sorted(chosen))
    return replace(job, points=points, origin=origin)


def _random_points(graph: DecisionGraph | Ensemble, selection: Selection) -> tuple[Point, ...]:
    """Draw distinct combinations of cells; a combination drawn twice is drawn again a few times, then let be."""
    rng = random.Random(selection.seed)
    points: dict[Point, None] = {}
    for _ in range(4 * selection.sample):
        if len(points) == selection.sample:
            break
        points[tuple(rng.choice(cells).representative() for cells in graph.cells)] = None
    return tuple(points)


def _sample_text(selection: Selection, whole: str) -> str:
    return f"a sample of {selection.sample} (seed {selection.seed}) of {whole}"
