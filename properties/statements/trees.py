"""Tree XpGs: all CXps by one walk, at most one a terminal labelled 0, in polynomial time."""

from __future__ import annotations

from collections import Counter

from xpgcheck.properties.catalogue import holds
from xpgcheck.properties.trials import Trial
from xpgcheck.properties.verdicts import Violation
from xpgcheck.wording import counted


@holds("Proposition 6", "tree_cxps", "enumerate")
def tree_cxps_are_the_enumerated_ones(trial: Trial) -> None:
    """On a tree, the method for trees lists the CXps that the enumeration lists."""
    trial.require_tree()
    own, general = Counter(trial.tree_cxps()), Counter(trial.listed("CXp"))
    for claim in sorted(own.keys() | general.keys(), key=sorted):
        if own[claim] != general[claim]:
            evidence = (
                f"CXp {trial.text(claim)}: {counted(own[claim], 'time')} by the method for trees, "
                f"{general[claim]} by enumeration"
            )
            raise Violation("incomplete", evidence)


@holds("Proposition 6, Eq. 2", "tree_cxps")
def tree_cxps_are_cxps(trial: Trial) -> None:
    """On a tree, what the method for trees lists are the minimal sets that can change the class, each once."""
    trial.require_tree()
    found = trial.tree_cxps()
    for claim in found:
        if not trial.is_weak_cxp(claim):
            raise Violation("ineffective", f"CXp {trial.text(claim)}; no point changes the class")
        for j in claim:
            smaller = claim - {j}
            if trial.is_weak_cxp(smaller):
                evidence = f"CXp {trial.text(claim)}; needless: {trial.text([j])}"
                raise Violation("redundant", evidence)
    if len(set(found)) != len(found):
        raise Violation("duplicate", f"{len(found)} CXps, {len(set(found))} of them different")


@holds("Proposition 6", "tree_cxps")
def a_tree_has_at_most_one_cxp_a_terminal_of_another_class(trial: Trial) -> None:
    """On a tree there are at most as many CXps as terminals of another class than the instance's."""
    trial.require_tree()
    own = trial.graph.kappa(trial.instance)
    others = sum(1 for c in trial.graph.class_of if c >= 0 and c != own)
    count = len(trial.tree_cxps())
    if count > others:
        raise Violation("too many CXps", f"{count} CXps, {others} terminals of another class")


@holds("Proposition 6", "tree_steps")
def tree_cxps_take_polynomial_work(trial: Trial) -> None:
    """On a tree of n nodes, listing all CXps takes at most n + n² elementary steps."""
    trial.require_tree()
    steps, nodes = trial.counts("tree_steps"), trial.graph.node_count
    if not 0 <= steps <= nodes + nodes**2:
        raise Violation("not polynomial", f"{steps} steps on a tree of {nodes} nodes")
