"""Costs of a question over the line protocol, and of the start of a process of its own."""

from __future__ import annotations

import dataclasses
import shutil
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.measure import Report, Target
from xpgcheck import embedded
from xpgcheck.embedded import EmbeddedModel
from xpgcheck.properties.ours import Project
from xpgcheck.subjects.remote import RemoteSubject

METHOD = """\
Wall µs a question for one AXp, median over rounds in which the sides take turns: this project's explainer in this process, \
in a process of its own, and the example for Node.js; instances of a model take turns. A new model is one that was not \
sent before. Wall ms of starting a subject up to its answer to hello, and of ending it with a look for processes left."""

COLUMNS = ("what", "in this process", "own process", "explainer.js")

MODELS = ("hardware", "iris", "tic_tac_toe")

EXAMPLE = Path(__file__).parents[1] / "docs" / "examples" / "explainer.js"


def run(rounds: int = 9, questions: int = 300, models: tuple[str, ...] = MODELS) -> Report:
    """Ask *questions* of each side in each of *rounds*."""
    report = Report("protocol", METHOD, COLUMNS)
    overheads = []
    own = Project()
    with RemoteSubject.of_python("ours") as remote:
        sides: list[Any] = [own, remote]
        node = RemoteSubject(["node", str(EXAMPLE)]) if shutil.which("node") else None
        if node is not None:
            sides.append(node)
        else:
            report.notes.append("explainer.js is left out: Node.js is not installed")
        for name in models:
            model = embedded.load(name)
            _check(sides, model)
            costs = _in_turns([partial(_ask, side, model, questions) for side in sides], rounds)
            report.rows.append((f"{name}, µs", *(1e6 * cost / questions for cost in costs), *[None] * (3 - len(sides))))
            overheads.append(1e6 * (costs[1] - costs[0]) / questions)
            news = _in_turns([partial(_new, side, name) for side in sides[1:]], rounds)
            report.rows.append((f"{name}, new, µs", None, *(1e6 * cost for cost in news), *[None] * (3 - len(sides))))
        if node is not None:
            node.close()
    commands: list[Callable[[], RemoteSubject]] = [lambda: RemoteSubject.of_python("ours")]
    if node is not None:
        commands.append(lambda: RemoteSubject(["node", str(EXAMPLE)]))
    starts = _in_turns([lambda start=start: start().close() for start in commands], rounds)
    report.rows.append(("start and end, ms", None, *(1e3 * cost for cost in starts), *[None] * (2 - len(starts))))
    worst = max(overheads)
    report.targets.append(Target("overhead of a question in a process of its own, largest of µs", worst, "<", 500))
    return report


def _check(sides: list[Any], model: EmbeddedModel) -> None:
    """Raise ``ValueError`` unless all sides list the same XPs."""
    for instance in model.instances[:5]:
        listed = [
            {
                (str(getattr(kind, "value", kind)), frozenset(members))
                for kind, members in side.enumerate(model.graph, instance)
            }
            for side in sides
        ]
        if any(other != listed[0] for other in listed):
            raise ValueError(f"the sides list different XPs of {model.name}")


def _ask(side: Any, model: EmbeddedModel, questions: int) -> None:
    instances = model.instances
    for number in range(questions):
        side.axp(model.graph, instances[number % len(instances)])


def _new(side: Any, name: str) -> None:
    """Ask about a model that is equal to the embedded one, and another object."""
    model = embedded.load(name)
    side.axp(_copy(model), model.instances[0])


def _copy(model: EmbeddedModel) -> Any:
    return dataclasses.replace(model.graph)


def _in_turns(sides: list[Callable[[], object]], rounds: int) -> list[float]:
    """Return each side's median wall seconds."""
    walls: list[list[float]] = [[] for _ in sides]
    for turn in range(rounds):
        for position in range(len(sides)):
            side = (position + turn) % len(sides)
            started = time.perf_counter()
            sides[side]()
            walls[side].append(time.perf_counter() - started)
    return [statistics.median(wall) for wall in walls]
