"""Wrong issuers and checkers of certificates under constraints, and where they have to be caught."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from unittest import mock

from xpgcheck import check_certificate
from xpgcheck.gate.constraint_certificates import SEARCH, CertifiedRoutes, all_properties
from xpgcheck.model.constraint import Constraint
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.properties.catalogue import Property
from xpgcheck.properties.constraints import exploring
from xpgcheck.properties.seeded.bugs import certified_constraint

LOOKED_AT = 30
"""Cases on which every property is tried, to see all that catch a bug."""


@certified_constraint
class CertificatesWithoutConstraints(CertifiedRoutes):
    """The issuer certifies what holds without the constraint, and writes the constraint above it."""

    def certificate(self, model: DecisionGraph | Ensemble, constraint: Constraint, point: Point) -> str:
        """Return the lines under a constraint that allows all, below the header of the right one."""
        clause = next((own for own in constraint.clauses), None)
        header = super().certificate(model, constraint, point).split("\n")[0]
        if clause is None:
            return super().certificate(model, constraint, point)
        # A clause that holds everywhere: one literal, of the whole domain.
        literal = clause.literals[0]._replace(values=model.features[clause.literals[0].feature].domain.all_values())
        free = replace(constraint, clauses=(clause._replace(literals=(literal,)),))
        return "\n".join([header, *super().certificate(model, free, point).split("\n")[1:]])


@certified_constraint
class CertificatesLeaveOneOut(CertifiedRoutes):
    """The issuer leaves the last explanation out."""

    def certificate(self, model: DecisionGraph | Ensemble, constraint: Constraint, point: Point) -> str:
        """Return the certificate with one claim less, and without the proof that these are all."""
        header, line, *rest = super().certificate(model, constraint, point).split("\n")
        raw = json.loads(line)
        raw["claims"] = raw["claims"][:-1]
        raw.pop("complete", None)
        return "\n".join([header, json.dumps(raw, ensure_ascii=False, separators=(",", ":")), *rest])


class _WrongChecker(CertifiedRoutes):
    def change(self, model: Any) -> None:
        """Make *model*, an ensemble as the checker reads it, wrong."""

    def checked(self, text: str) -> str | None:
        """Check by the wrong reading of the model."""
        right = check_certificate.read_model

        def read(header: dict[str, Any]) -> Any:
            model = right(header)
            self.change(model)
            return model

        with mock.patch.object(check_certificate, "read_model", read):
            return super().checked(text)


@certified_constraint
class CheckerBelievesImpossiblePoints(_WrongChecker):
    """The checker takes points that constraints forbid."""

    def change(self, model: Any) -> None:
        """Ask no rule about points."""
        rules, right = model.rules, model.class_at

        def class_at(*arguments: Any) -> Any:
            model.rules = []
            try:
                return right(*arguments)
            finally:
                model.rules = rules

        model.class_at = class_at


@certified_constraint
class CheckerClosesBoxesTooSoon(_WrongChecker):
    """The checker takes a box for decided in which some point is forbidden."""

    def change(self, model: Any) -> None:
        """Forget the terminal 'allowed' wherever the other one is reached, too."""
        right = model.answers_in

        def answers_in(box: Any, tree: Any, work: Any) -> Any:
            found = right(box, tree, work)
            return found - {"allowed"} if tree in model.rules and "forbidden" in found else found

        model.answers_in = answers_in


@certified_constraint
class CheckerForgetsConstraints(CertifiedRoutes):
    """The checker reads the model alone, whatever constraints the header has."""

    def checked(self, text: str) -> str | None:
        """Check without the constraints."""
        header, *rest = text.split("\n")
        raw = json.loads(header)
        rules = raw.pop("constraints", [])
        # One that forbids nothing, so that the notion is what it says.
        free = [{"name": "", "root": 0, "nodes": [{"id": 0, "class": "allowed"}]}] if rules else []
        bare = {**raw, "constraints": free} if free else raw
        return super().checked("\n".join([json.dumps(bare, ensure_ascii=False, separators=(",", ":")), *rest]))


def _own_properties() -> Sequence[Property]:
    return [check for check in all_properties() if check.needs & set(SEARCH.names)]


GROUND = replace(SEARCH, properties=_own_properties).bug_ground(
    "constraint certificate",
    "certificate",
    replace(
        exploring.GROUND.page,
        title="Seeded bugs of certificates under constraints",
        wrong="Certificates",
        looked_at=LOOKED_AT,
    ),
)
