"""The same by SMT solvers: Eq. 1 and Eq. 2 encoded over the original domains."""

from __future__ import annotations

from xpgcheck.judging.verdicts import Verdict
from xpgcheck.judging.xp_judge import judge_axp, judge_cxp
from xpgcheck.properties.catalogue import holds
from xpgcheck.properties.trials import Trial
from xpgcheck.properties.verdicts import Inconclusive, Violation


@holds("Eq. 1, Eq. 2", "enumerate")
def z3_accepts_every_xp(trial: Trial) -> None:
    """Z3 finds every listed XP sufficient (effective) and minimal."""
    _judge(trial, "z3")


@holds("Eq. 1, Eq. 2", "enumerate")
def cvc5_accepts_every_xp(trial: Trial) -> None:
    """cvc5, by another encoding, finds every listed XP sufficient (effective) and minimal."""
    _judge(trial, "cvc5")


@holds("Eq. 1", "sigma")
def z3_agrees_with_sigma(trial: Trial) -> None:
    """σ(s) = 1 exactly where Z3 finds no point of another class with the features of s fixed."""
    judges = trial.solver("z3")
    for fixed in trial.subsets:
        finding = judges.ask(fixed)
        if finding.changeable is None:
            raise Inconclusive(finding.reason)
        if trial.says("sigma", fixed) == finding.changeable:
            raise Violation("wrong σ", f"with {trial.text(fixed)} fixed, changeable by Z3 is {finding.changeable}")


def _judge(trial: Trial, solver: str) -> None:
    judges = trial.solver(solver)
    for kind, claim in trial.xps():
        judged = (judge_axp if kind == "AXp" else judge_cxp)(judges, claim)
        if judged.verdict is Verdict.INCONCLUSIVE:
            raise Inconclusive(judged.reason)
        if judged.verdict not in (Verdict.AXP, Verdict.CXP):
            raise Violation(judged.verdict.value, f"{kind} {trial.text(claim)}, by {solver}")
