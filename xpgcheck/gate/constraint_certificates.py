"""Properties of certificates under constraints: what is issued is accepted, and nothing that does not hold.

They stand here as properties know no certificates; the search, the cases and the truth are those of
:mod:`xpgcheck.properties.constraints`.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from xpgcheck import check_certificate
from xpgcheck.certificates.canonical_texts import value_json
from xpgcheck.certificates.issuing import certificate
from xpgcheck.model.constraint import Constraint
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.properties.catalogue import Catalogue, Property
from xpgcheck.properties.constraints import exploring, statements
from xpgcheck.properties.constraints.routes import HonestConstraintRoutes
from xpgcheck.properties.constraints.strategies import changed_at
from xpgcheck.properties.constraints.trials import ConstraintTrial, plain_allows
from xpgcheck.properties.verdicts import NotApplicable, Violation

_certificates = Catalogue(
    "xpgcheck.gate",
    ("constraint_certificates",),
    "property of certificates under constraints",
    "'xpgcheck properties list --under-constraints' lists them",
)

holds = _certificates.holds
"""Registers a property of certificates under constraints."""


class CertifiedRoutes(HonestConstraintRoutes):
    """The routes as they are, those of certificates among them."""

    def certificate(self, model: DecisionGraph | Ensemble, constraint: Constraint, point: Point) -> str:
        """Return the certificate of all explanations at *point*."""
        return certificate(model, [point], constraint=constraint)

    def checked(self, text: str) -> str | None:
        """Return why the checker refuses the certificate *text*; None where it accepts it."""
        outcome = check_certificate.check_lines(line.encode() + b"\n" for line in text.split("\n")[:-1])
        return outcome.message if outcome.status else None


def _routes(trial: ConstraintTrial) -> CertifiedRoutes:
    assert isinstance(trial.routes, CertifiedRoutes)
    return trial.routes


@holds("docs/reference/certificates.md", "certificate", "checked")
def certificates_are_accepted(trial: ConstraintTrial) -> None:
    """The certificate of all AXps and CXps under the constraint is accepted, and claims exactly these."""
    axps, cxps = trial.families
    text = _routes(trial).certificate(trial.model, trial.constraint, trial.instance)
    problem = _routes(trial).checked(text)
    if problem is not None:
        raise Violation("refused", problem)
    line = json.loads(text.split("\n")[1])
    found = {(claim["kind"], frozenset(claim["features"])) for claim in line["claims"]}
    if found != {("AXp", members) for members in axps} | {("CXp", members) for members in cxps}:
        raise Violation("incomplete", "the certificate is about other sets")
    if "complete" not in line or line["notion"] != "constraints":
        raise Violation("incomplete", "the certificate does not say that these are all under constraints")


@holds("docs/reference/certificates.md", "checked")
def nothing_else_is_accepted(trial: ConstraintTrial) -> None:
    """A certificate is refused without its constraints, and where a set that does not suffice is claimed to."""
    trial.require_settled()
    header, line, end = (
        _routes(trial).certificate(trial.model, trial.constraint, trial.instance).splitlines(keepends=True)
    )
    bare = json.loads(header)
    del bare["constraints"]
    if _routes(trial).checked(_text(bare) + line + end) is None:
        raise Violation("accepted", "the lines are accepted without the constraints of the header")
    for k, rule in enumerate(json.loads(header)["constraints"]):
        # A rule that forbids everything refuses the instance.
        wrong = json.loads(header)
        wrong["constraints"][k] = {**rule, "root": 0, "nodes": [{"id": 0, "class": "forbidden"}]}
        if _routes(trial).checked(_text(wrong) + line + end) is None:
            raise Violation("accepted", "an instance that constraints forbid is accepted")
    wrong = json.loads(line)
    for claim in wrong["claims"]:
        fixed = frozenset(wrong["closed"][claim["sufficient"]]["fixed"]) if claim["kind"] == "AXp" else frozenset()
        if fixed:
            closed = wrong["closed"][claim["sufficient"]]
            closed["fixed"] = sorted(fixed)[1:]
            if trial.changeable(closed["fixed"]) and _routes(trial).checked(header + _text(wrong) + end) is None:
                raise Violation("accepted", f"that {closed['fixed']} suffices is accepted")
            return


@holds("docs/reference/certificates.md", "checked")
def impossible_points_are_refused(trial: ConstraintTrial) -> None:
    """A point of another class that cannot occur is no evidence."""
    trial.require_settled()
    header, line, end = (
        _routes(trial).certificate(trial.model, trial.constraint, trial.instance).splitlines(keepends=True)
    )
    for point in trial.points:
        if trial.changes(point) and not plain_allows(trial.constraint, point):
            changed = sorted(changed_at(point, trial.instance))
            raw = json.loads(line)
            own = "[" + ",".join(f"[{i},{value_json(point[i])}]" for i in changed) + "]"
            claim = {"kind": "CXp", "features": changed, "verdict": "redundant", "changes": 0}
            wide = {**claim, "features": sorted({*changed, *trial.features})}
            if wide["features"] == changed:
                continue
            raw |= {"closed": [], "points": [json.loads(own)], "claims": [wide]}
            raw.pop("complete", None)
            if _routes(trial).checked(header + _text(raw) + end) is None:
                raise Violation("accepted", f"{point} is accepted, and cannot occur")
            return
    raise NotApplicable("every point of another class can occur")


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def all_properties() -> tuple[Property, ...]:
    """Return every property of constraints and of certificates under them, in the order of reports."""
    return (*statements.all_properties(), *_certificates.all())


def chosen(names: tuple[str, ...]) -> tuple[Property, ...]:
    """Return the properties that *names* name, all if empty.  Raises ``InputError`` on an unknown name."""
    known = {check.name: check for check in _certificates.all()}
    own = tuple(known[name] for name in names if name in known)
    others = [name for name in names if name not in known]
    if names and not others:
        return own
    return (*statements.chosen(others), *(own if names else known.values()))


SEARCH = replace(exploring.SEARCH, honest=CertifiedRoutes, names=("certificate", "checked"), properties=all_properties)
