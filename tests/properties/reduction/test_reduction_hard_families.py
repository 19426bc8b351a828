"""PySAT's hard families in sizes small enough to exhaust, and larger ones, which the truth of every subset declines."""

import pytest
from pysat.examples import genhard

from xpgcheck.oracles.propositional.formulas import cnf
from xpgcheck.oracles.propositional.limits import TooLarge
from xpgcheck.properties.reduction.cases import FormulaCase
from xpgcheck.properties.reduction.catalogue import all_properties
from xpgcheck.properties.reduction.exploring import judge
from xpgcheck.properties.reduction.routes import HonestRoutes
from xpgcheck.properties.reduction.trials import ReductionTrial
from xpgcheck.properties.running.outcomes import PropertyTally


@pytest.mark.parametrize(
    ("family", "size", "muses", "mcses"),
    [
        ("PHP", 1, 1, 3),
        ("PHP", 2, 1, 9),
        ("GT", 3, 9, 8),
        ("PAR", 1, 1, 6),
        ("CB", 1, 0, 1),
        pytest.param("PHP", 3, 1, 22, marks=pytest.mark.slow),
    ],
)
def test_the_properties_hold(family, size, muses, mcses):
    made = getattr(genhard, family)(size)
    formula = cnf(made.clauses, made.nv)
    trial = ReductionTrial(FormulaCase(formula), HonestRoutes())
    tallies = {}
    for check in all_properties():
        assert judge(check, trial, tallies.setdefault(check.name, PropertyTally())) is None, check.name
    assert not any(tally.open for tally in tallies.values())
    assert (len(trial.reference), len(trial.mcses)) == (muses, mcses)
    if trial.count > 14:
        with pytest.raises(TooLarge):
            _ = trial.all_muses
        assert tallies["cegar_decides_membership"].held
