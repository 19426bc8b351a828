"""The models and instances of a campaign: which files, what they held when it began, and reading them in a worker."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from xpgcheck.campaign.plan import canonical
from xpgcheck.errors import InputError, InstanceError, shown
from xpgcheck.gate.inputs import Job, Selection, file_job
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.readers import graph_alone
from xpgcheck.readers.csv_rows import csv_rows
from xpgcheck.readers.files import place_of
from xpgcheck.readers.names import NameLookup

KEPT = 8
"""Models that a process keeps."""


def model_files(models: Path, selection: Selection, *, domains: bool) -> list[dict[str, Any]]:
    """Return what a plan has to know of the models in the folder *models* (or of one file), in the order of their names.

    Of each: ``name``, ``path``, ``instances`` (the file ``NAME.csv`` of the folder ``selection.instances``, or None: a
    sample), ``digest`` of both files, ``sample``, ``seed``, the columns left out, if any, and ``count``, its number of
    instances.  Reads every file once.  Raises ``InputError``; for models without domains too, if *domains* are needed.
    """
    paths = [models] if models.is_file() else sorted(p for p in _listed(models) if p.is_file())
    paths = [path for path in paths if not path.name.startswith(".")]
    if not paths:
        raise InputError("there is no model in this folder", place=str(models), mend="name a folder of model files")
    found = []
    unseen = set(selection.drop_columns)
    for path in paths:
        rows = None if selection.instances is None else _rows(path, selection.instances)
        files: dict[str, Any] = {
            "name": path.name,
            "path": str(path.absolute()),
            "instances": None if rows is None else str(rows.absolute()),
            "digest": _digest(path, rows),
            "sample": selection.sample,
            "seed": selection.seed,
        }
        dropped = [] if rows is None else _columns_there(rows, selection.drop_columns)
        unseen.difference_update(dropped)
        if dropped or selection.ignore_extra_columns:
            files["left out"] = [dropped, selection.ignore_extra_columns]
        job = _read(files)
        if domains and isinstance(job.graph, LabelledGraph):
            mend = "take the model that it was made from"
            raise InputError("an .xpg model has no domains to judge claims over", place=str(path), mend=mend)
        found.append(files | {"count": job.count})
    if unseen:
        problem = f"no table has the column {shown(min(unseen))} to drop"
        raise InputError(problem, place=str(selection.instances or models), mend="correct --drop-column")
    return found


def job_of(files: dict[str, Any]) -> Job:
    """Return the model with its instances; kept in this process.  Raises ``InputError`` where the files have changed."""
    return _kept(canonical(files))


@functools.lru_cache(maxsize=KEPT)
def _kept(text: str) -> Job:
    files = json.loads(text)
    path, rows = files["path"], files["instances"]
    if _digest(Path(path), None if rows is None else Path(rows)) != files["digest"]:
        mend = "put the files back, or begin another campaign"
        raise InputError("the model or its instances have changed since the campaign began", place=path, mend=mend)
    return _read(files)


def _read(files: dict[str, Any]) -> Job:
    rows = None if files["instances"] is None else Path(files["instances"])
    drop, extra = files.get("left out", ((), False))
    selection = Selection(
        rows,
        sample=files["sample"],
        seed=files["seed"],
        drop_columns=tuple(drop),
        ignore_extra_columns=extra,
    )
    job = file_job(Path(files["path"]), selection)
    graph_alone(job.graph, files["path"])
    return job


def _listed(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError as error:
        raise InputError(
            f"no folder that can be read ({error.strerror})", place=str(folder), mend="name a folder of model files"
        ) from None


def _rows(model: Path, instances: Path) -> Path:
    rows = instances if instances.is_file() else instances / f"{model.name.partition('.')[0]}.csv"
    if not rows.is_file():
        mend = f"put them there as CSV, for the model {model.name}, or leave --instances out"
        raise InputError("there is no such file of instances", place=str(rows), mend=mend)
    return rows


def _columns_there(rows: Path, names: Sequence[str]) -> list[str]:
    """Return those of *names* that the table in *rows* has as columns: each table of a folder has columns of its own."""
    if not names:
        return []
    try:
        with rows.open(encoding="utf-8-sig", newline="") as lines:
            _, header = next(csv_rows(lines, InstanceError), (1, list[str]()))
    except InputError as error:
        raise error.at(place_of(rows)) from None
    lookup = NameLookup(header)
    return [name for name in names if lookup.matches(name)[1]]


def _digest(*paths: Path | None) -> str:
    digest = hashlib.sha256()
    for path in filter(None, paths):
        digest.update(hashlib.sha256(_bytes(path)).digest())
    return digest.hexdigest()


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        problem = f"the file cannot be read ({error.strerror})"
        raise InputError(problem, place=str(path), mend="put it where every worker can read it") from None
