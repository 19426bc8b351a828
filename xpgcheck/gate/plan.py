"""The plan of a gate: whom it asks, on which cases, and who judges."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from xpgcheck.errors import InputError
from xpgcheck.explanations.inputs import is_embedded
from xpgcheck.gate import inputs
from xpgcheck.gate.chosen import with_chosen
from xpgcheck.gate.inputs import Job, Selection
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.properties.cases import Case, EnsembleCase
from xpgcheck.properties.subjects import GRAPH_KIND
from xpgcheck.subjects.limits import Limits
from xpgcheck.subjects.remote import RemoteSubject
from xpgcheck.subjects.trace import ProtocolTrace

Opened = Callable[[], AbstractContextManager[Any]]
"""Opens the subject: gives the object that is asked, and ends its process on leaving."""


@dataclass(frozen=True, slots=True)
class Cases:
    """Cases to generate: how many, with what seed, of at most how many nodes, of which kinds of graphs (any if empty).

    ``models`` are the kinds of models, as ``MODEL_KINDS`` of :mod:`xpgcheck.properties.subjects` has them.  In a gate's plan
    they are the wanted kinds, of which those that the subject takes are drawn, and all that it takes if empty.
    """

    examples: int
    seed: int
    size: int
    kinds: tuple[str, ...] = ()
    models: tuple[str, ...] = (GRAPH_KIND,)


@dataclass(frozen=True, slots=True)
class FailedCase:
    """A case of an earlier run, and what failed there: an ability, or a property."""

    about: str
    case: Case | EnsembleCase
    origin: str


@dataclass(frozen=True, slots=True)
class LastRun:
    """The failures of an earlier run, by its report in the file called *name*, if that was *there*.

    ``left_out`` counts failures on cases that the report could not hold, ``subject`` is who was judged.
    """

    name: str
    cases: tuple[FailedCase, ...] = ()
    left_out: int = 0
    subject: str = ""
    there: bool = True


@dataclass(frozen=True, slots=True)
class GatePlan:
    """One gate.

    ``open`` gives the subject, in each process again.  ``models`` with their instances come first, then the cases of the
    files ``kept``, then generated ones; on generated decision graphs the *properties* (names; none if empty) are tried too.
    The subject has to take models that the user ``named``, and others are passed over where it does not.  ``seconds`` is
    the time for one answer, of a subject in a process of its own :func:`patience`; ``solvers`` and ``timeout_ms`` are for
    the judges, and ``solvers_named`` says that the user named the solvers.  With *certify*, claims at instances of the
    models come with lines of certificates.  With *deck*, the designed cases of the package, or of ``deck_file``, come before
    all others.  With ``all_failures``, every wrong or open claim of the deck, of models and of kept cases is listed.
    With ``stop_first``, the run ends with the unit of work in which something is wrong.  What failed in the ``last`` run is
    asked before all else, and where some of it fails again, nothing else is.
    """

    open: Opened
    cases: Cases
    models: tuple[Job, ...] = ()
    kept: tuple[Path, ...] = ()
    properties: tuple[str, ...] = ()
    seconds: float = 10.0
    solvers: tuple[str, ...] = ("z3",)
    timeout_ms: int = 30_000
    certify: bool = False
    named: bool = False
    solvers_named: bool = False
    deck: bool = False
    deck_file: Path | None = None
    all_failures: bool = False
    stop_first: bool = False
    last: LastRun | None = None


def selected_models(models: Sequence[str], selection: Selection, **reading: Any) -> tuple[Job, ...]:
    """Return *models* (all embedded ones if none is named), each with a sample of instances, or those of a file.

    Of models in files, instances are chosen too (:mod:`xpgcheck.gate.chosen`).

    Of a file, which belongs to all models that are named, all instances are taken.  Raises ``InputError``, also for an
    `.xpg` model, which has no domains that claims could be judged over.
    """
    if selection.instances is not None and not models:
        raise InputError("--instances needs a --model", place="command line", mend="name the models they belong to")
    found = inputs.jobs(models, selection, **reading)
    for name, job in zip(models, found, strict=False):
        if isinstance(job.graph, LabelledGraph):
            raise InputError(
                "an .xpg model has no domains to judge claims over",
                place=name,
                mend="name the model that it was made from",
            )
    if selection.instances is not None:
        return tuple(found)
    origin = f"a sample of {selection.sample} (seed {selection.seed})"
    jobs = [inputs.sampled(job, selection, origin) for job in found]
    files = [bool(models) and not is_embedded(name) for name in models or [""] * len(jobs)]
    return tuple(with_chosen(job, selection.seed) if is_file else job for job, is_file in zip(jobs, files, strict=True))


@dataclass(frozen=True, slots=True)
class InProcess:
    """A subject that is asked in this process, as it is."""

    subject: Any

    def __call__(self) -> AbstractContextManager[Any]:
        """Give the subject."""
        return _as_it_is(self.subject)


@contextmanager
def _as_it_is(subject: Any) -> Iterator[Any]:
    yield subject


@dataclass(frozen=True, slots=True)
class Remote:
    """A subject in a process of its own: *spec* names one in Python, *command* runs any program."""

    spec: str | None
    command: str | None
    limits: Limits
    trace: ProtocolTrace | None = None

    def __call__(self) -> AbstractContextManager[Any]:
        """Start it.  Raises ``InputError`` where it cannot be used."""
        if self.command is not None:
            return RemoteSubject.of_command(self.command, limits=self.limits, trace=self.trace)
        assert self.spec is not None
        return RemoteSubject.of_python(self.spec, limits=self.limits, trace=self.trace)


def patience(limits: Limits) -> float:
    """Return the seconds after which this process gives an answer up: the subject's own limits have ended it long before.

    An answer may have to wait until the process is started again.
    """
    return limits.seconds + limits.start_seconds + 10.0


def opener(spec: str | None, command: str | None, limits: Limits, trace: Path | None = None) -> Opened:
    """Return what opens the subject *spec* (in Python), or the one that *command* runs, in a process of its own.

    What is said is written to the file *trace*, if there is one.  Raises ``InputError`` where that cannot be.
    """
    return Remote(spec, command, limits, None if trace is None else ProtocolTrace.begun(trace))
