"""Requests on a command line, and the plans that they give."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import msgspec

from xpgcheck.campaign.models import model_files
from xpgcheck.campaign.plan import MOST_MODEL_UNITS, Plan, canonical
from xpgcheck.errors import FormatError, InputError, shown
from xpgcheck.gate.inputs import Selection

UNIT = 250
"""Generated cases in a unit, unless asked otherwise: a few seconds, against which starting Hypothesis and writing the
journal count little."""

GATE_STRETCH = 25
"""Instances of a model in a unit of a gate."""

CHECK_STRETCH = 64
"""Instances of a model in a unit of a cross-check: they share one solver."""

LIMIT = 10_000
"""XPs that a cross-check enumerates at an instance."""

ANSWER_SECONDS = 10.0
QUESTION_SECONDS = 30.0


@dataclass(frozen=True)
class CampaignRequest:
    """The options of a campaign as they are given; ``examples`` is None where the campaign is endless.

    ``timeout`` (by default as the kind needs it) is for one answer of the subject, or for one SMT question of a cross-check.
    """

    examples: int | None
    subject: str | None = None
    gate: str | None = None
    command: str | None = None
    properties: tuple[str, ...] = ()
    smt: bool = True
    smt_every: int = 1
    unit: int = UNIT
    models: str | None = None
    instances: str | None = None
    drop_columns: tuple[str, ...] = ()
    ignore_extra_columns: bool = False
    sample: int = 100
    size: int = 40
    seed: int = 0
    timeout: float | None = None
    start_timeout: float = 60.0
    memory: int = 2048
    solvers: tuple[str, ...] = ()

    def text(self) -> str:
        """Return this as JSON, which :func:`parse_asked` reads back."""
        return canonical(asdict(self))

    @property
    def kind(self) -> str:
        """The kind of the campaign."""
        if self.gate is not None or self.command is not None:
            return "gate"
        return "check" if self.models is not None else "properties"


def parse_asked(text: str | None) -> CampaignRequest:
    """Return what was asked for.  Raises ``FormatError`` where *text* does not say so."""
    try:
        return msgspec.json.decode(text or "", type=CampaignRequest)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        problem = f"the journal does not say what was asked for: {shown(error)[1:-1]}"
        raise FormatError(problem, mend="name the journal of a campaign") from None


def planned(asked: CampaignRequest, models: Sequence[dict[str, Any]] | None = None) -> Plan:
    """Return the plan of what is *asked*, after a look at all that it needs: the subject, solvers, files.

    *models*, if given, are those of the files as they are known already.  Raises ``InputError``.
    """
    if asked.gate is not None and asked.command is not None:
        raise _clash("--gate and --command both name a subject", "leave one of them out")
    if asked.instances is not None and asked.models is None:
        raise _clash("--instances needs --models", "name the models that they belong to")
    if (asked.drop_columns or asked.ignore_extra_columns) and asked.instances is None:
        raise _clash("--drop-column and --ignore-extra-columns are for --instances", "leave them out")
    if asked.subject is not None and asked.kind != "properties":
        raise _clash(f"--subject is for properties, and this is a {asked.kind}", "name the subject by --gate")
    if asked.kind == "check" and (asked.properties or asked.examples):
        mend = "leave --models out, or name a --gate that is asked at them"
        raise _clash("--models alone is a cross-check, without properties and generated cases", mend)
    if asked.smt_every > 1:
        _require_both_sorts(asked)
    if models is None and asked.models is not None:
        rows = Path(asked.instances) if asked.instances is not None else None
        domains = asked.kind == "gate"
        selection = Selection(
            rows,
            sample=asked.sample,
            seed=asked.seed,
            drop_columns=asked.drop_columns,
            ignore_extra_columns=asked.ignore_extra_columns,
        )
        models = model_files(Path(asked.models), selection, domains=domains)
    by_kind = {"properties": _properties, "gate": _gate, "check": _check}[asked.kind]
    common = {
        "models": list(models or ()),
        "examples": asked.examples if asked.kind != "check" else 0,
        "seed": asked.seed,
        "unit": asked.unit,
        "smt_every": asked.smt_every,
    }
    plan = Plan(asked.kind, common | by_kind(asked))
    if len(plan.model_units()) > MOST_MODEL_UNITS:
        raise _clash(f"more than {MOST_MODEL_UNITS:,} units of models", "name fewer instances, or parts of them")
    if plan.count() == 0:
        raise _clash("there is nothing to do: no instance, and no case to generate", "raise --examples")
    return plan


def _properties(asked: CampaignRequest) -> dict[str, Any]:
    from xpgcheck.properties import catalogue
    from xpgcheck.properties.needed import require_hypothesis

    require_hypothesis()
    from xpgcheck.properties.running.loading import load_subject
    from xpgcheck.properties.subjects import abilities

    spec = asked.subject or "ours"
    subject = load_subject(spec)
    properties = catalogue.able(catalogue.chosen(asked.properties, smt=asked.smt), abilities(subject))
    if not properties:
        mend = f"select others: it has {', '.join(sorted(abilities(subject)))}"
        raise InputError(f"no selected property says anything of the subject {shown(spec)}", mend=mend)
    return {
        "subject": spec,
        "properties": [item.name for item in properties],
        "size": asked.size,
        "timeout": asked.timeout or ANSWER_SECONDS,
        "stretch": 1,
    }


def _gate(asked: CampaignRequest) -> dict[str, Any]:
    from xpgcheck.gate.plan import opener
    from xpgcheck.properties import catalogue
    from xpgcheck.properties.needed import require_hypothesis
    from xpgcheck.subjects.limits import MEBIBYTE, Limits

    if asked.examples != 0:
        require_hypothesis()
    seconds = asked.timeout or ANSWER_SECONDS
    limits = Limits(seconds=seconds, memory=asked.memory * MEBIBYTE, start_seconds=asked.start_timeout)
    with opener(asked.gate, asked.command, limits)():
        # It can be opened.
        pass
    return {
        "subject": asked.gate,
        "command": asked.command,
        "properties": [item.name for item in catalogue.chosen(asked.properties, smt=asked.smt)],
        "kinds": [],
        "solvers": _solvers(asked),
        "size": asked.size,
        "timeout": seconds,
        "start_timeout": asked.start_timeout,
        "memory": asked.memory,
        "stretch": GATE_STRETCH,
    }


def _check(asked: CampaignRequest) -> dict[str, Any]:
    return {
        "solvers": _solvers(asked),
        "timeout": asked.timeout or QUESTION_SECONDS,
        "limit": LIMIT,
        "stretch": CHECK_STRETCH,
    }


def _require_both_sorts(asked: CampaignRequest) -> None:
    """Refuse --smt-every where no unit would have SMT properties, or some would have none at all."""
    from xpgcheck.properties import catalogue

    if not asked.smt:
        raise _clash("--smt-every says how often SMT properties are tried, and --no-smt never", "leave one of them out")
    if asked.kind == "check":
        raise _clash("--smt-every is for generated cases, and this is a check", "leave it out")
    if len({item.smt for item in catalogue.chosen(asked.properties)}) < 2:
        mend = "leave --smt-every out, or select properties of both sorts"
        raise _clash("--smt-every needs properties with SMT and properties without", mend)
    if asked.examples is not None and -(-asked.examples // asked.unit) < asked.smt_every:
        problem = (
            f"of {-(-asked.examples // asked.unit)} units none is the {asked.smt_every}-th, which has SMT properties"
        )
        raise _clash(problem, "generate more cases, or make units smaller (--unit)")


def _solvers(asked: CampaignRequest) -> list[str]:
    from xpgcheck.oracles.pysmt_backend import require_solvers

    require_solvers(asked.solvers)
    return list(asked.solvers) or ["z3"]


def _clash(problem: str, mend: str) -> InputError:
    return InputError(problem, place="command line", mend=mend)
