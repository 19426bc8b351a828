"""Ablations: what each assumption of the paper is good for, seen by leaving it out.

Each ablation leaves one thing out and names the properties that then fail; all others that say something of the subject
must go on holding.  Without (i) or (ii) the graphs are no decision graphs, and the judges are the definitions by their
text alone.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from xpgcheck.judging.consensus import Consensus
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.model.decision_graph import DecisionGraph, Node, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Domain, Feature
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.value_sets import FiniteSet, ValueSet
from xpgcheck.model.values import MISSING, Point, Value
from xpgcheck.oracles.answers import Answer
from xpgcheck.properties import strategies
from xpgcheck.properties.cases import Case
from xpgcheck.properties.catalogue import Property, able, chosen
from xpgcheck.properties.definitions import Definition
from xpgcheck.properties.ours import FastExplainer, PaperExplainer
from xpgcheck.properties.running.engine import graph_ground, try_all
from xpgcheck.properties.running.outcomes import Failure, Result, smallest
from xpgcheck.properties.running.report import case_lines
from xpgcheck.properties.seeded.textbook import Textbook, Xpg
from xpgcheck.properties.subjects import abilities
from xpgcheck.properties.trials import Trial
from xpgcheck.reports.conclusion import STYLES
from xpgcheck.reports.terminal import say
from xpgcheck.wording import counted
from xpgcheck.xpg.traversal import path_to_zero_as_printed

if TYPE_CHECKING:
    from rich.console import Console


SIZE = 12

SMALL_SIZES = (4, 6, 8)
"""Nodes of the graphs among which a smaller counterexample is looked for."""

SMALL_EXAMPLES = 300


class ByDefinition(Trial):
    """A trial whose judge is the text of Eq. 1 and Eq. 2, over every combination of cells."""

    @functools.cached_property
    def consensus(self) -> Consensus:
        """The definition, once for each of two votes: here it is what is meant, and no oracle is to be confirmed."""
        definition = Definition(self.graph, self.instance)
        voices = [_Voice(f"the definition ({k})", definition) for k in ("first", "second")]
        return Consensus(self.count, voices, lambda fixed, witness: None)


class _Voice:
    """The definition in the form of an oracle."""

    def __init__(self, name: str, definition: Definition) -> None:
        self.name = self.engine = name
        self._definition = definition

    def changeable(self, fixed: Any) -> Answer:
        """See :class:`xpgcheck.oracles.answers.Oracle`."""
        witness = self._definition.witness(frozenset(fixed))
        return Answer(witness is not None, witness, self.name)


class AsPrinted(PaperExplainer):
    """Algorithm 1 as printed, with its steps."""

    name = "Algorithm 1 as printed"

    def path_steps(self, graph: DecisionGraph, instance: Point, free: frozenset[int]) -> int:
        """Return the nodes that are taken from the queue."""
        return path_to_zero_as_printed(self._xpg(graph, instance), free)[1]


class ParallelEdgesOverwritten(Textbook):
    """E ⊆ V × V with one label a pair: of parallel edges, one for each value or interval, the last remains."""

    name = "parallel edges unmerged"

    def predict(self, graph: DecisionGraph, instance: Point) -> int:
        """Return κ of the whole graph: it is the XpG whose edges are lost."""
        return graph.kappa(instance)

    def mapped(self, graph: DecisionGraph, instance: Point) -> Xpg:
        """Map as the textbook does, but to the class of the graph before its edges were lost."""
        self._target = graph.kappa(instance)
        return super().mapped(graph, instance)

    def class_reached(self, graph: DecisionGraph, edges: list[list[tuple[int, bool]]]) -> int:
        """Return κ of the whole graph."""
        return self._target

    def holds(self, domain: Domain, value: Value, literal: ValueSet) -> bool:
        """Tell whether *value* is in the last of the edges that *literal* stands for."""
        if isinstance(literal, FiniteSet):
            return value == sorted(literal.values, key=str)[-1]
        if literal.missing:
            return value is MISSING
        return value is not MISSING and self.is_between(value, literal.intervals()[-1])


@dataclass(frozen=True, slots=True)
class Ablation:
    """Something that is left out, what that does to the statements, and which properties fail of it."""

    name: str
    left_out: str
    effect: str
    subject: Callable[[], Any]
    cases: Callable[[int], SearchStrategy[Case]]
    fails: frozenset[str]
    make_trial: Callable[[Case, Any, float, bool], Trial] = Trial
    not_tried: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Ablated:
    """Results of an ablation: properties that failed with their smallest cases, and those that held where they spoke."""

    ablation: Ablation
    findings: tuple[Failure, ...]
    held: frozenset[str]
    result: Result

    @property
    def failed(self) -> frozenset[str]:
        """The properties that failed."""
        return frozenset(finding.property_name for finding in self.findings)

    @property
    def as_stated(self) -> bool:
        """Whether exactly the properties failed that the ablation names, and all others held on some case."""
        return self.failed == self.ablation.fails and self.held | self.failed == self.result.tallies.keys()


def ablate(ablation: Ablation, *, examples: int = 1_000, seed: int = 0, names: Sequence[str] = ()) -> Ablated:
    """Try the properties *names* (all if empty), but those that ask an SMT solver, on *examples* cases of *ablation*."""
    subject = ablation.subject()
    tried = able(chosen(names, smt=False), abilities(subject))
    properties = [p for p in tried if p.name not in ablation.not_tried]

    def search(wanted: Sequence[Property], count: int, size: int) -> Result:
        ground = graph_ground(subject, seed=seed, size=size, cases=ablation.cases(size), make_trial=ablation.make_trial)
        return try_all(ground, wanted, count, seed)

    result = search(properties, examples, SIZE)
    # Shrinking finds a local minimum; the smallest graph is looked for among the small ones.
    for size in SMALL_SIZES:
        large = {f.property_name for f in result.findings if f.case.graph.node_count > size}
        left = [p for p in properties if p.name in large]
        if left:
            found = search(left, SMALL_EXAMPLES, size)
            result.findings = smallest([*result.findings, *found.findings])
    failed = {finding.property_name for finding in result.findings}
    held = frozenset(name for name, tally in result.tallies.items() if tally.held and name not in failed)
    return Ablated(ablation, tuple(result.findings), held, result)


def print_ablated(result: Ablated, console: Console, *, all_graphs: bool) -> None:
    """Print what was left out, what failed with the smallest graph of all (or of each), and how many held."""
    ablation = result.ablation
    say(console, f"{ablation.name}: leaves out {ablation.left_out}", "bold")
    say(console, f"  {ablation.effect}")
    fail = counted(len(result.failed), "property fails", "properties fail")
    say(console, f"  {fail}, {counted(len(result.held), 'holds', 'hold')}")
    order = sorted(result.findings, key=lambda finding: finding.size)
    for finding in order:
        say(console, f"  fails: {finding.property_name}: {finding.evidence}")
        if all_graphs or finding is order[0]:
            for line in case_lines(finding.case):
                say(console, f"      {line}")
    for name in sorted(result.failed - ablation.fails):
        say(console, f"  fails, and should hold: {name}", STYLES[Outcome.VIOLATED])
    for name in sorted(ablation.fails - result.failed):
        say(console, f"  should fail, and was not seen to: {name}", STYLES[Outcome.VIOLATED])
    console.print()


def ghost() -> Case:
    """Return a constant classifier with an inconsistent path to another class: the smallest graph of its kind."""
    zero, one = FiniteSet(frozenset([False])), FiniteSet(frozenset([True]))
    nodes: dict[NodeId, Node] = {
        0: NonTerminal(0, ((1, zero), (2, one))),
        1: NonTerminal(0, ((2, zero), (3, one))),
        2: Terminal(0),
        3: Terminal(1),
    }
    return Case(decision_graph("ghost", [Feature("f0", Boolean())], ["c0", "c1"], nodes, 0), (False,))


ELSEWHERE = frozenset(
    {
        "another_instance_has_an_axp_of_its_own",
        "another_instance_has_a_cxp_of_its_own",
        "another_instance_has_xps_of_its_own",
    }
)
"""Properties that look at another instance: without (i) it need not have a class."""

READING = frozenset({"a_refined_literal_changes_no_xp", "a_written_and_read_graph_has_the_same_xps"})
"""Properties that build a decision graph and check it: without the assumptions there is none to build."""

BOXES = frozenset(
    {
        "an_inflated_axp_holds_the_instance",
        "an_inflated_axp_suffices",
        "an_inflated_axp_is_maximal",
        "sets_grow_in_the_order_that_was_given",
        "every_value_of_an_inflated_cxp_is_one_of_a_change",
        "an_inflated_cxp_has_every_value_of_a_change",
    }
)
"""Properties whose judge, of sets of values, has no definition without the assumptions to go by."""

TOO_MUCH_SUFFICES = frozenset(
    {
        "an_axp_suffices",
        "every_listed_axp_suffices",
        "an_axp_from_a_seed_is_an_axp",
        "a_cxp_is_minimal",
        "every_listed_cxp_is_minimal",
        "a_cxp_from_a_seed_is_a_cxp",
        "tree_cxps_are_cxps",
        "sigma_is_one_exactly_for_weak_axps",
        "a_path_to_zero_exists_exactly_for_weak_cxps",
        "the_enumeration_is_complete",
        "membership_is_what_the_definition_says",
        "a_point_reaches_exactly_one_terminal",
        "an_axp_asked_for_again_suffices",
    }
)
"""Properties that fail where a path that points take is not seen: σ is 1 too often."""

ABLATIONS = (
    Ablation(
        "without (i)",
        "assumption (i): the literals of a node cover what a path leaves open",
        "A point may reach no terminal (Prop. 2). It has no class, so a set of features that suffices in the XpG need not "
        "suffice: σ(s) = 1 no longer implies Eq. 1. The other way round nothing changes: CXps are effective, AXps minimal.",
        FastExplainer,
        lambda size: strategies.lawless_cases("i", max(size, 8)),
        TOO_MUCH_SUFFICES | {"a_cxp_can_change_the_class", "a_cxp_lies_inside_its_seed", "sigma_is_right_at_its_ends"},
        ByDefinition,
        READING | ELSEWHERE | BOXES,
    ),
    Ablation(
        "without (ii)",
        "assumption (ii): every path is consistent",
        "A terminal may be reached by no point (Prop. 3), but a traversal finds the way: σ(s) = 0 no longer implies that "
        "Eq. 1 fails, so AXps may be redundant and CXps ineffective. Every AXp still suffices: closed sets are sound on "
        "any graph.",
        FastExplainer,
        lambda size: strategies.lawless_cases("ii", max(size, 8)) | st.just(ghost()),
        frozenset(
            {
                "every_terminal_is_reached_by_some_point",
                "a_cxp_can_change_the_class",
                "every_listed_cxp_can_change_the_class",
                "a_cxp_from_a_seed_is_a_cxp",
                "another_instance_has_a_cxp_of_its_own",
                "another_instance_has_xps_of_its_own",
                "an_axp_is_minimal",
                "every_listed_axp_is_minimal",
                "an_axp_lies_inside_its_seed",
                "an_axp_from_a_seed_is_an_axp",
                "tree_cxps_are_cxps",
                "sigma_is_right_at_its_ends",
                "sigma_is_one_exactly_for_weak_axps",
                "a_path_to_zero_exists_exactly_for_weak_cxps",
                "the_enumeration_is_complete",
                "membership_is_what_the_definition_says",
            }
        ),
        Trial,
        READING | BOXES,
    ),
    Ablation(
        "parallel edges unmerged",
        "that parallel edges are made one: with E a set of pairs and one label a pair, the last edge written remains",
        "Values of the lost edges have nowhere to go, as without (i). All else that depends on how a literal is cut into "
        "edges changes too: merging nodes and refining a literal change the XPs.",
        ParallelEdgesOverwritten,
        strategies.property_cases,
        TOO_MUCH_SUFFICES
        | {
            "every_terminal_is_reached_by_some_point",
            "merged_nodes_change_no_xp",
            "a_refined_literal_changes_no_xp",
            "another_instance_has_an_axp_of_its_own",
            "another_instance_has_xps_of_its_own",
        },
    ),
    Ablation(
        "Algorithm 1 as printed",
        "visited marks, which Algorithm 1 as printed does not have",
        "All answers are right. The work is no longer linear: a node is taken up once for each path to it, 2ⁿ times below n "
        "diamonds.",
        AsPrinted,
        strategies.property_cases,
        frozenset({"a_traversal_takes_each_node_once"}),
    ),
)
"""Everything that can be left out."""
