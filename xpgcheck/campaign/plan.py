"""The plan of a campaign: a kind, the options that decide its results, and the units that these give."""

from __future__ import annotations

import hashlib
import itertools
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import msgspec

from xpgcheck.campaign.units import KINDS, Unit
from xpgcheck.errors import FormatError, InputError, shown
from xpgcheck.version import __version__

SEED_BITS = 40
"""Unit *n* of generated cases has the plan's seed plus n·2^40, as in ``xpgcheck properties run`` and ``xpgcheck gate``."""

MOST_MODEL_UNITS = 1_000_000
"""Units of models in a plan: they are listed."""

PLACES = ("path", "instances")
"""The fields of a model that say where its files are; what they hold is decided by its ``digest``."""


@dataclass(frozen=True)
class Plan:
    """A campaign: its ``kind`` and ``options``, plain JSON, all that decides the results.

    Of every kind: ``models`` (a list: see :class:`xpgcheck.campaign.models.ModelFiles`), of which ``stretch`` instances are
    a unit, then ``examples`` generated cases by ``seed``, ``unit`` of them a unit; ``examples`` is None where they go on
    until somebody stops them.  SMT properties are tried in the last of every ``smt_every`` units of generated cases.
    """

    kind: str
    options: dict[str, Any]

    def units(self) -> Iterator[Unit]:
        """Yield the units in the order of their numbers: instances of models, then generated cases (perhaps endless)."""
        numbers = itertools.count()
        stretch = self.options["stretch"]
        for model, files in enumerate(self.options["models"]):
            for start in range(0, files["count"], stretch):
                stop = min(start + stretch, files["count"])
                yield Unit(next(numbers), self.kind, {"model": model, "start": start, "stop": stop})
        examples, unit, seed = self.options["examples"], self.options["unit"], self.options["seed"]
        starts = itertools.count(0, unit) if examples is None else range(0, examples, unit)
        for number, before in enumerate(starts):
            some = unit if examples is None else min(unit, examples - before)
            smt = (number + 1) % self.options["smt_every"] == 0
            arguments = {"seed": seed + (number << SEED_BITS), "examples": some, "before": before, "smt": smt}
            yield Unit(next(numbers), self.kind, arguments)

    @property
    def block(self) -> int:
        """Units in a row of which one has the SMT properties: parts take whole blocks, so that they are alike."""
        return int(self.options["smt_every"])

    def model_units(self) -> list[int]:
        """Return how many instances each unit of models has, in the order of the units."""
        stretch = self.options["stretch"]
        return [
            min(stretch, files["count"] - start)
            for files in self.options["models"]
            for start in range(0, files["count"], stretch)
        ]

    def count(self) -> int | None:
        """Return the number of units, None where they are endless."""
        if self.options["examples"] is None:
            return None
        stretch = self.options["stretch"]
        of_models = sum(-(-files["count"] // stretch) for files in self.options["models"])
        return int(of_models - (-self.options["examples"] // self.options["unit"]))

    def cases(self) -> int | None:
        """Return the number of cases, None where they are endless."""
        if self.options["examples"] is None:
            return None
        return int(self.options["examples"] + sum(files["count"] for files in self.options["models"]))

    @property
    def digest(self) -> str:
        """The SHA-256 digest of what decides the results: kind, options, and the version of the project."""
        document = {"kind": self.kind, "options": deciding(self.options), "version": __version__}
        return hashlib.sha256(canonical(document).encode()).hexdigest()

    def text(self) -> str:
        """Return the plan as JSON; :func:`parse_plan` reads it back."""
        return canonical({"kind": self.kind, "options": self.options})


def canonical(document: Any) -> str:
    """Return *document* as JSON that is the same for the same content."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def deciding(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return *options* without the places of files: the same files may lie elsewhere on another machine."""
    models = [{key: value for key, value in files.items() if key not in PLACES} for files in options["models"]]
    return {**options, "models": models}


class _Files(msgspec.Struct):
    """The parts of a model that its units need; the rest is for who reads it."""

    path: str
    count: int
    digest: str
    instances: str | None = None


class _Options(msgspec.Struct):
    models: list[_Files]
    stretch: int
    examples: int | None
    unit: int
    smt_every: int
    seed: int


class _Document(msgspec.Struct, forbid_unknown_fields=True):
    kind: str
    options: _Options


def parse_plan(text: str) -> Plan:
    """Return the plan that *text* holds.  Raises ``FormatError`` where it is none."""
    try:
        found = msgspec.json.decode(text, type=_Document)
        document = msgspec.json.decode(text)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise FormatError(f"it holds no plan of a campaign: {shown(error)[1:-1]}", mend="name another file") from None
    options = found.options
    steps = [options.stretch - 1, options.unit - 1, options.smt_every - 1]
    sizes = [*steps, options.examples or 0, *(files.count for files in options.models)]
    many = (
        sum(files.count // (steps[0] + 1) for files in options.models) > MOST_MODEL_UNITS if min(sizes) >= 0 else True
    )
    if found.kind not in KINDS or min(sizes) < 0 or many:
        raise FormatError("it holds no plan of a campaign: a size or a kind out of bounds", mend="name another file")
    return Plan(document["kind"], document["options"])


def require_same(stored: Plan, wanted: Plan) -> None:
    """Raise an ``InputError`` that names the first options in which *wanted* differs from the plan *stored*."""
    if stored.kind != wanted.kind:
        raise InputError(f"the journal is of a campaign of {stored.kind}, not of {wanted.kind}", mend=_MEND)
    before, now = deciding(stored.options), deciding(wanted.options)
    other = [key for key in sorted(before.keys() | now.keys()) if before.get(key) != now.get(key)]
    if not other:
        return
    told = [f"{key} ({_difference(key, before.get(key), now.get(key))})" for key in other[:4]]
    more = ", …" if len(other) > 4 else ""
    raise InputError(f"the campaign was begun with other options: {', '.join(told)}{more}", mend=_MEND)


_MEND = "leave options out to go on as begun, or take another NAME"


def _difference(key: str, before: Any, now: Any) -> str:
    if key == "models":
        return "other files"
    if isinstance(before, list) and isinstance(now, list) and before and now:
        # Long lists look alike at their beginnings.
        more = [item for item in now if item not in before]
        fewer = [item for item in before if item not in now]
        parts = [f"with {_said(more)}"] * bool(more) + [f"without {_said(fewer)}"] * bool(fewer)
        return " and ".join(parts) or "in another order"
    return f"{_said(now)}, was {_said(before)}"


def _said(value: Any) -> str:
    if isinstance(value, list):
        names = [str(PurePath(str(item)).name) for item in value]
        return shown(", ".join(names) or "none", 60)[1:-1]
    return "endless" if value is None else shown(value, 60)[1:-1]
