"""Generated cases per second and core that the properties take."""

from __future__ import annotations

import statistics
import time

from benchmarks.measure import Report, SkippedError, Target
from xpgcheck.oracles.pysmt_backend import available_solvers
from xpgcheck.properties.cases import Case
from xpgcheck.properties.catalogue import able, chosen
from xpgcheck.properties.ours import Project
from xpgcheck.properties.running.engine import explore
from xpgcheck.properties.running.search import visit
from xpgcheck.properties.strategies import property_cases
from xpgcheck.properties.subjects import abilities

METHOD = """\
Generated cases a second of CPU time of one process, median of several runs with other seeds: every property on every \
case, of this project's explainer and oracles. A case is a decision graph of at most so many nodes and an instance; what it \
takes to generate the cases is part of it, and also shown alone."""

COLUMNS = ("what", "most nodes", "cases", "cases/s", "ms/case")

REPETITIONS = 5


def run(examples: int = 300) -> Report:
    """Time runs of *examples* cases each."""
    if "cvc5" not in available_solvers():
        raise SkippedError("the SMT properties need cvc5 too: pip install 'xpgcheck[cvc5]'")
    report = Report("properties", METHOD, COLUMNS)
    subject = Project()
    for what, size, smt, wanted in (
        ("all but the SMT properties", 12, False, 250),
        ("all properties (Z3 and cvc5)", 12, True, 80),
        ("all but the SMT properties", 40, False, None),
        ("all properties (Z3 and cvc5)", 40, True, None),
    ):
        properties = able(chosen((), smt=smt), abilities(subject))
        explore(properties, subject, examples=20, seed=99, size=size)
        rates = []
        for seed in range(REPETITIONS):
            started = time.process_time()
            result = explore(properties, subject, examples=examples, seed=seed, size=size)
            rates.append(result.cases / (time.process_time() - started))
        rate = statistics.median(rates)
        report.rows.append((f"{what}: {len(properties)}", size, examples, round(rate), 1e3 / rate))
        if wanted:
            report.targets.append(Target(f"{what}, cases per second and core, at most {size} nodes", rate, "≥", wanted))
    for size in (12, 40, 200):
        rate = statistics.median(generated(size, examples, seed) for seed in range(REPETITIONS))
        report.rows.append(("generating alone", size, examples, round(rate), 1e3 / rate))
    return report


def generated(size: int, examples: int, seed: int) -> float:
    """Return the cases a second that are generated."""
    cases: list[Case] = []
    started = time.process_time()
    visit(property_cases(size=size), cases.append, examples, seed)
    return len(cases) / (time.process_time() - started)
