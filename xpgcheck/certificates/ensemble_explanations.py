"""The explanations of an ensemble that certificates are about, found by asking for evidence.

The explainer's place: whoever has AXps and CXps of an instance by other means hands them to the issuer instead.
"""

from __future__ import annotations

from xpgcheck.certificates.closed_sets_and_points import OtherPoint, members_of
from xpgcheck.certificates.ensemble_evidence import EnsembleEvidence

SOLVER = "glucose4"


def explanations(asked: EnsembleEvidence, limit: int | None = None) -> tuple[list[int], list[int], bool]:
    """Return AXps and CXps at the instance of *asked*, as masks, at most *limit* together, and whether these are all.

    As MARCO does: a SAT solver names a set of features that contains no AXp found so far and meets every CXp; it is shrunk
    to an AXp, or what it leaves out to a CXp.  Raises ``UndecidedError`` as :meth:`EnsembleEvidence.of` does.
    """
    from pysat.solvers import Solver

    axps: list[int] = []
    cxps: list[int] = []
    features = members_of(asked.all_variables)
    with Solver(name=SOLVER) as solver:
        solver.set_phases([i + 1 for i in features])
        while solver.solve():
            if limit is not None and len(axps) + len(cxps) == limit:
                return axps, cxps, False
            out = {-literal - 1 for literal in solver.get_model() or () if literal < 0}
            inside = sum([1 << i for i in features if i not in out])
            if isinstance(found := asked.of(asked.all_variables & ~inside), OtherPoint):
                cxps.append(smallest_cxp(asked, found.changed))
                solver.add_clause([i + 1 for i in members_of(cxps[-1])])
            else:
                axps.append(smallest_axp(asked, found.fixed))
                solver.add_clause([-i - 1 for i in members_of(axps[-1])])
    return axps, cxps, True


def smallest_axp(asked: EnsembleEvidence, fixed: int) -> int:
    """Return an AXp within *fixed*, a weak one, by leaving out one feature after the other.  A question a member."""
    for feature in members_of(fixed):
        less = fixed & ~(1 << feature)
        if less != fixed and not isinstance(found := asked.of(asked.all_variables & ~less), OtherPoint):
            fixed = found.fixed
    return fixed


def smallest_cxp(asked: EnsembleEvidence, changed: int) -> int:
    """Return a CXp within *changed*, a weak one, by leaving out one feature after the other.  A question a member."""
    for feature in members_of(changed):
        less = changed & ~(1 << feature)
        if less != changed and isinstance(found := asked.of(less), OtherPoint):
            changed = found.changed
    return changed
