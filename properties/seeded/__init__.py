"""Seeded bugs: explainers and oracles that are wrong on purpose, and right ones of which they are small variations.

A property that has never failed says nothing, and a referee that has never caught anybody even less.  Each bug overrides
a method or two of :class:`~xpgcheck.properties.seeded.textbook.Textbook`, an explainer written for reading from the paper
alone, of :class:`~xpgcheck.properties.seeded.ensemble_textbook.EnsembleTextbook`, or of
:class:`~xpgcheck.properties.seeded.honest.HonestOracle`; those of the Σ₂ᵖ reduction stand in
:mod:`xpgcheck.properties.reduction.seeded`, those of the judges of ensembles in
:mod:`xpgcheck.properties.ensembles.wrong`, those of the routes under constraints in
:mod:`xpgcheck.properties.constraints.wrong`.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from dataclasses import replace

from xpgcheck.errors import InputError, did_you_mean, shown
from xpgcheck.oracles.ensembles.integer_sums import is_available
from xpgcheck.properties.seeded.bugs import SeededBug, registered

__all__ = [
    "SeededBug",
    "chosen_bugs",
    "constraint_bugs",
    "ensemble_bugs",
    "ensemble_explainer_bugs",
    "reach_bugs",
    "reduction_bugs",
    "seeded_bug",
    "seeded_bugs",
]

GRAPHS = {
    "edges": "mapping to explanation graphs, Eq. 3 and Eq. 4",
    "domains": "Definition 2",
    "traversals": "Algorithm 1",
    "one_xp": "Algorithms 2 and 3",
    "enumerations": "Algorithm 4",
    "trees": "Proposition 6",
    "wrong_membership": "Propositions 1, 8 and 9",
    "inflations": "inflated AXps and CXps",
    "answers": "Eq. 1 and Eq. 2",
    "alone": "Eq. 1 and Eq. 2",
    "wrong_witnesses": "Eq. 1 and Eq. 2",
    "wrong_verdicts": "Eq. 1, Eq. 2 and duality",
    "wrong_beliefs": "Eq. 1 and Eq. 2",
}
"""The modules of wrong explainers and oracles, in the order of reports, and what of the paper they get wrong."""

ENSEMBLES = {"wrong_classes_of_ensembles": "κ of ensembles", "wrong_xps_of_ensembles": "Eq. 1 and Eq. 2"}
"""The modules of wrong explainers of ensembles likewise."""

REDUCTION = {
    "reductions": "Proposition 7, its reduction",
    "solvers": "Proposition 7, MUSes and prime implicants",
    "answers": "Proposition 7, MUSes and prime implicants",
}
"""The modules of :mod:`xpgcheck.properties.reduction.seeded` likewise."""


def seeded_bugs() -> tuple[SeededBug, ...]:
    """Return every wrong explainer and oracle, explainers first."""
    return _of("xpgcheck.properties.seeded", GRAPHS)


def reduction_bugs() -> tuple[SeededBug, ...]:
    """Return every seeded bug of the Σ₂ᵖ reduction, its solvers and its checkers."""
    return _of("xpgcheck.properties.reduction.seeded", REDUCTION)


def ensemble_bugs() -> tuple[SeededBug, ...]:
    """Return every seeded bug of the judges of ensembles; those of whole numbers where ``ortools`` is installed."""
    modules = ["others", "clauses", "boxes", "sum_rules", "box_sums", "gain_sums"]
    if is_available():
        modules.append("integer_sums")
    return _of("xpgcheck.properties.ensembles.wrong", dict.fromkeys(modules, "Eq. 1 and Eq. 2"))


def constraint_bugs() -> tuple[SeededBug, ...]:
    """Return every seeded bug of the routes under constraints, and of certificates under them."""
    modules = dict.fromkeys(("explainers", "judges"), "Eq. 1 and Eq. 2, under a constraint")
    certificates = {"constraint_certificate_bugs": "certificates under a constraint"}
    return (*_of("xpgcheck.properties.constraints.wrong", modules), *_of("xpgcheck.gate", certificates))


def _of(package: str, modules: Mapping[str, str]) -> tuple[SeededBug, ...]:
    found: list[SeededBug] = []
    for name, source in modules.items():
        module = importlib.import_module(f"{package}.{name}").__name__
        found += [replace(bug, source=source) for bug in registered.values() if bug.make.__module__ == module]
    return tuple(found)


def ensemble_explainer_bugs() -> tuple[SeededBug, ...]:
    """Return every wrong explainer of ensembles."""
    return _of("xpgcheck.properties.seeded", ENSEMBLES)


def reach_bugs() -> tuple[SeededBug, ...]:
    """Return every explainer that is right on small ordinary graphs and wrong on others."""
    return importlib.import_module("xpgcheck.properties.seeded.reach").reach_bugs()  # type: ignore[no-any-return]


def seeded_bug(name: str) -> SeededBug:
    """Return the seeded bug called *name*.  Raises ``InputError`` where there is none."""
    known = {bug.name: bug for bug in (*seeded_bugs(), *reduction_bugs(), *ensemble_explainer_bugs(), *reach_bugs())}
    if name not in known:
        mend = did_you_mean(name, known) or "'xpgcheck properties list --bugs' lists them"
        raise InputError(f"no seeded bug is called {shown(name)}", mend=mend)
    return known[name]


def chosen_bugs(names: Sequence[str]) -> tuple[SeededBug, ...]:
    """Return the seeded bugs called *names*; if empty, every wrong explainer and oracle.

    Raises ``InputError`` on an unknown name.
    """
    return tuple(map(seeded_bug, dict.fromkeys(names))) if names else seeded_bugs()
