"""Trying one property on one case: what comes of it is counted, and a violation is handed back."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from xpgcheck.properties.asking import DEFAULT_SECONDS
from xpgcheck.properties.cases import Case
from xpgcheck.properties.catalogue import Property
from xpgcheck.properties.running.outcomes import MAX_REASONS, PropertyTally
from xpgcheck.properties.trials import Trial
from xpgcheck.properties.verdicts import Inconclusive, NotApplicable, SubjectFault, Violation


def tallied(attempt: Callable[[], None], tally: PropertyTally) -> Violation | None:
    """Make *attempt*, count what comes of it in *tally*, and return the violation if there is one."""
    started = time.perf_counter()
    try:
        attempt()
        tally.held += 1
    except NotApplicable:
        tally.silent += 1
    except Inconclusive as reason:
        tally.open += 1
        if len(tally.reasons) < MAX_REASONS:
            tally.reasons.append(str(reason))
    except Violation as violation:
        tally.failed += 1
        return violation
    finally:
        tally.seconds += time.perf_counter() - started
    return None


def tallied_or_crash(attempt: Callable[[], None], tally: PropertyTally) -> Violation | None:
    """Do what :func:`tallied` does; whatever else is raised is a crash, and a violation."""

    def caught() -> None:
        try:
            attempt()
        except (NotApplicable, Inconclusive, Violation):
            raise
        except Exception as error:
            raise Violation("crash", f"{type(error).__name__}: {error}"[:500]) from error

    return tallied(caught, tally)


def judge(check: Property, trial: Trial, tally: PropertyTally) -> Violation | None:
    """Run one property on *trial*, count the outcome in *tally*, and return the violation if there is one."""

    def attempt() -> None:
        try:
            check.check(trial)
        finally:
            changed = trial.put_back()
        if changed:
            raise SubjectFault("changed the graph", f"the subject put something else in its {', '.join(changed)}")

    return tallied(attempt, tally)


def try_one(
    check: Property, case: Case, subject: Any, seconds: float = DEFAULT_SECONDS
) -> tuple[PropertyTally, Violation | None]:
    """Run one property on one case; return its tally and the violation if there is one."""
    tally = PropertyTally()
    with Trial(case, subject, seconds) as trial:
        return tally, judge(check, trial, tally)
