"""Questions to each ability over the line protocol: its arguments, and the JSON type of its answer.

Both sides use this table: who asks (:mod:`xpgcheck.subjects.remote`) and who serves a Python subject
(:mod:`xpgcheck.subjects.serving`).  ``docs/reference/protocol.md`` is the same table for implementers in other languages.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import msgspec


class WitnessAnswer(msgspec.Struct, forbid_unknown_fields=True):
    """The answer of an oracle: ``changeable``, with the witness as texts by the names of features."""

    changeable: bool | None
    witness: dict[str, str] | None = None
    reason: str = ""


class OracleAnswer(msgspec.Struct, forbid_unknown_fields=True):
    """An oracle of a ``settle`` question: its name, its route, and its answer to that question."""

    name: str
    engine: str
    answer: WitnessAnswer


@dataclass(frozen=True, slots=True)
class Ability:
    """One ability: the JSON type of each argument by its name, in their order, and the JSON type of the answer.

    ``on_model`` tells whether a model and an instance are asked about; only ``dual`` is about neither.
    """

    arguments: dict[str, Any]
    answer: Any
    on_model: bool = True


_SET = list[int]
_FAMILY = list[list[int]]

ABILITIES: dict[str, Ability] = {
    "predict": Ability({}, int),
    "axp": Ability({}, _SET),
    "cxp": Ability({}, _SET | None),
    "axp_inside": Ability({"seed": _SET}, _SET),
    "cxp_inside": Ability({"seed": _SET}, _SET),
    "enumerate": Ability({}, list[tuple[Literal["AXp", "CXp"], _SET]]),
    "sat_calls": Ability({}, int),
    "member": Ability({"feature": int}, bool),
    "sigma": Ability({"fixed": _SET}, bool),
    "path_to_zero": Ability({"free": _SET}, bool),
    "path_steps": Ability({"free": _SET}, int),
    "tree_cxps": Ability({}, _FAMILY),
    "tree_steps": Ability({}, int),
    "terminals": Ability({}, _SET),
    "inflate": Ability({"axp": _SET, "order": _SET}, list[tuple[int, list[str | int]]]),
    "inflate_cxp": Ability({"cxp": _SET}, list[tuple[int, list[str | int]]]),
    "changeable": Ability({"fixed": _SET}, WitnessAnswer),
    "dual": Ability({"axps": _FAMILY, "cxps": _FAMILY, "universe": int}, bool, on_model=False),
    "judge": Ability({"kind": Literal["AXp", "CXp"], "features": _SET}, str),
    "judge_family": Ability({"axps": _FAMILY, "cxps": _FAMILY}, str),
    "settle": Ability({"fixed": _SET, "oracles": list[OracleAnswer]}, bool | None),
}
"""Every ability of :mod:`xpgcheck.properties.subjects`."""

NOTIONS = ("features", "conditions", "conditions-with-theory", "constraints")
"""Meanings of the indices in answers: features, under constraints too, or the conditions that a question lists."""

BY_FEATURES = ("features", "constraints")
"""The notions whose indices stand for features."""
