"""``python -m xpgcheck.properties.reduction``: the campaign, the families, the seeded bugs and the readings, as tables.

Exit 0 where all agree (and every bug is caught), 1 where something fails, 3 where something is left open.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence

from xpgcheck.paper.reduction.counterexamples import CLAIMS, smallest_counterexample
from xpgcheck.properties.reduction.campaign import explore_reduction
from xpgcheck.properties.reduction.cases import formula_text
from xpgcheck.properties.reduction.catalogue import all_properties
from xpgcheck.properties.reduction.families import examine, hard_formulas
from xpgcheck.properties.reduction.outcomes import Outcome
from xpgcheck.properties.reduction.seeded.table import idle_properties, markdown, measure


def main(arguments: Sequence[str] | None = None) -> int:
    """Print what is asked for, and return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m xpgcheck.properties.reduction", description=__doc__)
    parser.add_argument("what", choices=("campaign", "families", "seeded", "readings"))
    parser.add_argument("--examples", type=int, help="formulas (1000), or for 'seeded' those of each bug at most (500)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=3, help="seeds that each seeded bug is tried with")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--large", action="store_true", help="the large families too")
    chosen = parser.parse_args(arguments)
    if chosen.what == "campaign":
        return _campaign(chosen.examples or 1_000, chosen.seed, chosen.jobs)
    if chosen.what == "families":
        return _families(large=chosen.large)
    if chosen.what == "seeded":
        return _seeded(chosen.examples or 500, chosen.seeds, chosen.jobs)
    return _readings()


def _campaign(examples: int, seed: int, jobs: int) -> int:
    started = time.monotonic()
    outcome = explore_reduction(examples, seed, jobs)
    seconds = time.monotonic() - started
    print(_campaign_text(outcome))
    print(f"{outcome.cases:,} formulas, seed {seed}, {jobs} jobs, {seconds:.0f} s")
    return outcome.exit_status()


def _campaign_text(outcome: Outcome) -> str:
    lines = ["| property | about | held | said nothing | open | failed |", "| --- | --- | --- | --- | --- | --- |"]
    for found in all_properties():
        tally = outcome.tallies[found.name]
        counts = f"{tally.held:,} | {tally.silent:,} | {tally.open:,} | {tally.failed:,}"
        lines.append(f"| {found.statement} | {found.source} | {counts} |")
    lines += ["", "| route | formulas | answers |", "| --- | --- | --- |"]
    lines += [f"| {name} | {count:,} | {outcome.answers[name]:,} |" for name, count in outcome.formulas.items()]
    lines += ["", "| formulas with | % |", "| --- | --- |"]
    lines += [f"| {label} | {100 * count / outcome.cases:.1f} |" for label, count in sorted(outcome.labels.items())]
    lines += ["", *map(str, outcome.findings)]
    return "\n".join(lines)


def _families(*, large: bool) -> int:
    failed = False
    opened = False
    print(
        "| formula | variables | clauses | MUSes | MCSes | properties held | said nothing | open | failed | seconds |"
    )
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for name, formula in {**hard_formulas(), **(hard_formulas(large=True) if large else {})}.items():
        started = time.monotonic()
        found = examine(name, formula)
        failed |= bool(found.violations)
        opened |= bool(found.open)
        counts = " | ".join(str(len(group)) for group in (found.held, found.silent, found.open, found.violations))
        size = f"{formula.variables} | {len(formula.clauses)} | {found.muses} | {found.mcses}"
        print(f"| {name} | {size} | {counts} | {time.monotonic() - started:.1f} |", flush=True)
        for violation in found.violations.items():
            print(*violation)
    return 1 if failed else 3 if opened else 0


def _seeded(examples: int, seeds: int, jobs: int) -> int:
    measured = measure(examples=examples, seeds=seeds, jobs=jobs)
    print(markdown(measured))
    idle = idle_properties(measured)
    for name in idle:
        print(f"no seeded bug makes this property fail: {name}")
    caught = sum(found.caught for found in measured)
    print(f"{caught} of {len(measured)} seeded bugs caught in each of {seeds} seeds, at most {examples} formulas each")
    return int(caught < len(measured) or bool(idle))


def _readings() -> int:
    print("| reading | claimed | smallest counterexample | clause | x₀ |")
    print("| --- | --- | --- | --- | --- |")
    lacking = False
    for refuted in CLAIMS:
        found = smallest_counterexample(refuted, 5, 3)
        lacking |= found is None
        if found is not None:
            x = "" if found.point is None else "".join(str(int(value)) for value in found.point)
            where = f"{formula_text(found.formula)} | {found.clause + 1} | {x}"
            print(f"| {refuted.name} | {refuted.statement} | {where} |")
    return int(lacking)


if __name__ == "__main__":
    sys.exit(main())
