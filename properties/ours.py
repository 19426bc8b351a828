"""This project's own explainers and oracles as subjects."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from xpgcheck.judging import xp_judge
from xpgcheck.judging.consensus import Consensus
from xpgcheck.model.boxes import Box
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Point
from xpgcheck.oracles import duality
from xpgcheck.oracles.answers import Answer, Oracle
from xpgcheck.oracles.closed_set import ClosedSetOracle
from xpgcheck.oracles.exhaustive import CellTable, ExhaustiveOracle
from xpgcheck.oracles.smt_sessions import SmtSession
from xpgcheck.properties.ours_ensembles import OurEnsembles
from xpgcheck.properties.subjects import MODEL_KINDS
from xpgcheck.xpg.choose import enumerate_xps
from xpgcheck.xpg.enumeration import Enumeration
from xpgcheck.xpg.explanation_graph import ExplanationGraph, explanation_graph
from xpgcheck.xpg.find_one import find_axp, find_axp_by_deletion, find_cxp, find_cxp_by_deletion
from xpgcheck.xpg.inflation import inflate_axp, inflate_cxp
from xpgcheck.xpg.membership import MembershipSolver, in_some_xp
from xpgcheck.xpg.traversal import path_to_zero, path_to_zero_as_printed
from xpgcheck.xpg.trees import Steps, tree_cxps
from xpgcheck.xpg.xps import XP


class _OnXpgs:
    """The common part of both explainers: the XpG of a case, made once."""

    def __init__(self) -> None:
        self._last: tuple[DecisionGraph, Point, ExplanationGraph] | None = None

    def _xpg(self, graph: DecisionGraph, instance: Point) -> ExplanationGraph:
        if self._last is None or self._last[0] is not graph or self._last[1] is not instance:
            self._last = graph, instance, explanation_graph(graph, instance)
        return self._last[2]

    def predict(self, graph: DecisionGraph, instance: Point) -> int:
        """Return κ."""
        return graph.kappa(instance)

    def terminals(self, graph: DecisionGraph, instance: Point) -> list[int]:
        """Return the terminals at the ends of all edges that hold, whatever there are."""
        return reached_terminals(graph, instance)

    def sigma(self, graph: DecisionGraph, instance: Point, fixed: frozenset[int]) -> bool:
        """Return σ by its definition."""
        return self._xpg(graph, instance).sigma(fixed)


class FastExplainer(_OnXpgs):
    """The explainer of ``xpgcheck explain``: the method that suits the graph's shape, and Algorithms 1 to 3 made fast."""

    name = "xpgcheck"

    def axp(self, graph: DecisionGraph, instance: Point) -> frozenset[int]:
        """Return one AXp (Algorithm 2)."""
        return find_axp(self._xpg(graph, instance))

    def cxp(self, graph: DecisionGraph, instance: Point) -> frozenset[int] | None:
        """Return one CXp (Algorithm 3), None where the classifier is constant."""
        xpg = self._xpg(graph, instance)
        return None if xpg.sigma(()) else find_cxp(xpg)

    def axp_inside(self, graph: DecisionGraph, instance: Point, seed: frozenset[int]) -> frozenset[int]:
        """Return an AXp inside *seed*."""
        return find_axp(self._xpg(graph, instance), seed)

    def cxp_inside(self, graph: DecisionGraph, instance: Point, seed: frozenset[int]) -> frozenset[int]:
        """Return a CXp inside *seed*."""
        return find_cxp(self._xpg(graph, instance), seed)

    def enumerate(self, graph: DecisionGraph, instance: Point) -> Iterable[XP]:
        """Return all XPs by the method for the graph's shape."""
        return enumerate_xps(self._xpg(graph, instance))

    def member(self, graph: DecisionGraph, instance: Point, feature: int) -> bool:
        """Tell whether *feature* is in some XP."""
        return in_some_xp(self._xpg(graph, instance), feature)

    def inflate(self, graph: DecisionGraph, instance: Point, axp: frozenset[int], order: Sequence[int]) -> Box:
        """Return the sets of an inflated AXp."""
        return inflate_axp(graph, instance, axp, order)

    def inflate_cxp(self, graph: DecisionGraph, instance: Point, cxp: frozenset[int]) -> Box:
        """Return all values of the features of *cxp* that some change has."""
        return inflate_cxp(graph, instance, cxp)

    def path_to_zero(self, graph: DecisionGraph, instance: Point, free: frozenset[int]) -> bool:
        """Return Algorithm 1's answer."""
        return path_to_zero(self._xpg(graph, instance), free)

    def tree_cxps(self, graph: DecisionGraph, instance: Point) -> list[frozenset[int]]:
        """Return all CXps of a tree."""
        return tree_cxps(self._xpg(graph, instance))

    def tree_steps(self, graph: DecisionGraph, instance: Point) -> int:
        """Return the steps that ``tree_cxps`` takes."""
        steps = Steps()
        tree_cxps(self._xpg(graph, instance), steps)
        return steps.visited + steps.compared


class PaperExplainer(_OnXpgs):
    """The algorithms as the paper prints them: fresh traversals, Algorithm 4 whatever the shape, membership by SAT."""

    name = "xpgcheck, as printed"

    def axp(self, graph: DecisionGraph, instance: Point) -> frozenset[int]:
        """Return one AXp: Algorithm 2 line by line."""
        return find_axp_by_deletion(self._xpg(graph, instance), range(len(instance)))

    def cxp(self, graph: DecisionGraph, instance: Point) -> frozenset[int] | None:
        """Return one CXp: Algorithm 3 line by line; None where the classifier is constant."""
        xpg = self._xpg(graph, instance)
        return find_cxp_by_deletion(xpg, range(len(instance))) if path_to_zero(xpg, range(len(instance))) else None

    def axp_inside(self, graph: DecisionGraph, instance: Point, seed: frozenset[int]) -> frozenset[int]:
        """Return an AXp inside *seed*."""
        return find_axp_by_deletion(self._xpg(graph, instance), seed)

    def cxp_inside(self, graph: DecisionGraph, instance: Point, seed: frozenset[int]) -> frozenset[int]:
        """Return a CXp inside *seed*."""
        return find_cxp_by_deletion(self._xpg(graph, instance), seed)

    def enumerate(self, graph: DecisionGraph, instance: Point) -> Iterable[XP]:
        """Return all XPs by Algorithm 4."""
        return Enumeration(self._xpg(graph, instance))

    def sat_calls(self, graph: DecisionGraph, instance: Point) -> int:
        """Return the SAT calls of a full enumeration by Algorithm 4."""
        return count_sat_calls(self._xpg(graph, instance))

    def member(self, graph: DecisionGraph, instance: Point, feature: int) -> bool:
        """Tell by one SAT query whether *feature* is in some XP, on trees too."""
        with MembershipSolver(self._xpg(graph, instance)) as solver:
            return solver.axp_with(feature) is not None

    def path_to_zero(self, graph: DecisionGraph, instance: Point, free: frozenset[int]) -> bool:
        """Return the answer of Algorithm 1 as printed."""
        return path_to_zero_as_printed(self._xpg(graph, instance), free)[0]


def count_sat_calls(xpg: ExplanationGraph) -> int:
    """Return the SAT calls of a full enumeration by Algorithm 4."""
    enumeration = Enumeration(xpg)
    for _ in enumeration:
        pass
    return enumeration.sat_calls


def reached_terminals(graph: DecisionGraph, instance: Point) -> list[int]:
    """Return the terminals that *instance* reaches over every edge that holds, in increasing order."""
    reached, stack = {0}, [0]
    while stack:
        node = stack.pop()
        for child, values in graph.edges(node):
            if child not in reached and instance[graph.feature_of[node]] in values:
                reached.add(child)
                stack.append(child)
    return sorted(node for node in reached if graph.is_terminal(node))


ROUTES = ("exhaustive", "z3-ite", "z3-activation", "cvc5-ite", "cvc5-activation")
"""The oracles that can be subjects."""


class OracleSubject:
    """One of this project's oracles as a subject: what it answers, and the verdicts that it and closed sets give."""

    def __init__(self, route: str = "exhaustive") -> None:
        """Judge by *route*: "exhaustive", or a solver and a formulation such as "z3-ite".  Raises ``InputError``."""
        self.name = f"xpgcheck's oracle {route}"
        self._smt: tuple[str, str] | None = None
        if route != "exhaustive":
            solver, _, formulation = route.partition("-")
            self._smt = solver, formulation or "ite"
        self._last: tuple[DecisionGraph, Point, Oracle, Consensus] | None = None
        self._session: SmtSession | None = None

    def changeable(self, graph: DecisionGraph, instance: Point, fixed: frozenset[int]) -> Answer:
        """Return the oracle's answer."""
        return self._at(graph, instance)[0].changeable(fixed)

    def judge(self, graph: DecisionGraph, instance: Point, kind: str, features: frozenset[int]) -> str:
        """Return the verdict on one claimed XP."""
        judges = self._at(graph, instance)[1]
        return (xp_judge.judge_axp if kind == "AXp" else xp_judge.judge_cxp)(judges, features).verdict.value

    def judge_family(
        self,
        graph: DecisionGraph,
        instance: Point,
        axps: Collection[frozenset[int]],
        cxps: Collection[frozenset[int]],
    ) -> str:
        """Return the verdict on two families."""
        return xp_judge.judge_family(self._at(graph, instance)[1], axps, cxps).verdict.value

    def dual(self, axps: Collection[frozenset[int]], cxps: Collection[frozenset[int]], universe: int) -> bool:
        """Tell whether two families are dual."""
        return duality.dual(axps, cxps, universe) is None

    def settle(
        self, graph: DecisionGraph, instance: Point, fixed: frozenset[int], oracles: Sequence[Oracle]
    ) -> bool | None:
        """Return what the consensus of *oracles* believes."""
        return Consensus.of_graph(graph, instance, oracles).ask(fixed).changeable

    def _at(self, graph: DecisionGraph, instance: Point) -> tuple[Oracle, Consensus]:
        if self._last is None or self._last[0] is not graph or self._last[1] is not instance:
            oracle = self._oracle(graph, instance)
            judges = Consensus.of_graph(graph, instance, [oracle, ClosedSetOracle(graph, instance)])
            self._last = graph, instance, oracle, judges
        return self._last[2], self._last[3]

    def _oracle(self, graph: DecisionGraph, instance: Point) -> Oracle:
        if self._smt is None:
            return ExhaustiveOracle(CellTable(graph), instance)
        if self._session is not None:
            self._session.close()
        self._session = SmtSession(graph, *self._smt)
        return self._session.at(instance)


class Project(FastExplainer):
    """All that this project does: its explainers, the SAT calls of its Algorithm 4, and its oracles."""

    name = "xpgcheck"
    models = tuple(MODEL_KINDS)

    def __init__(self) -> None:
        """Prepare all parts."""
        super().__init__()
        self._of_ensembles = OurEnsembles()
        judges = OracleSubject()
        self.changeable = judges.changeable
        self.judge = judges.judge
        self.judge_family = judges.judge_family
        self.dual = judges.dual
        self.settle = judges.settle

    def axp(self, graph: DecisionGraph | Ensemble, instance: Point) -> frozenset[int]:
        """Return one AXp."""
        return self._of_ensembles.axp(graph, instance) if isinstance(graph, Ensemble) else super().axp(graph, instance)

    def cxp(self, graph: DecisionGraph | Ensemble, instance: Point) -> frozenset[int] | None:
        """Return one CXp, None where the classifier is constant."""
        return self._of_ensembles.cxp(graph, instance) if isinstance(graph, Ensemble) else super().cxp(graph, instance)

    def axp_inside(self, graph: DecisionGraph | Ensemble, instance: Point, seed: frozenset[int]) -> frozenset[int]:
        """Return an AXp inside *seed*."""
        if isinstance(graph, Ensemble):
            return self._of_ensembles.axp_inside(graph, instance, seed)
        return super().axp_inside(graph, instance, seed)

    def cxp_inside(self, graph: DecisionGraph | Ensemble, instance: Point, seed: frozenset[int]) -> frozenset[int]:
        """Return a CXp inside *seed*."""
        if isinstance(graph, Ensemble):
            return self._of_ensembles.cxp_inside(graph, instance, seed)
        return super().cxp_inside(graph, instance, seed)

    def enumerate(self, graph: DecisionGraph | Ensemble, instance: Point) -> Iterable[XP]:
        """Return all XPs."""
        if isinstance(graph, Ensemble):
            return self._of_ensembles.enumerate(graph, instance)
        return super().enumerate(graph, instance)

    def member(self, graph: DecisionGraph | Ensemble, instance: Point, feature: int) -> bool:
        """Tell whether *feature* is in some XP."""
        if isinstance(graph, Ensemble):
            return self._of_ensembles.member(graph, instance, feature)
        return super().member(graph, instance, feature)

    def inflate(
        self, graph: DecisionGraph | Ensemble, instance: Point, axp: frozenset[int], order: Sequence[int]
    ) -> Box:
        """Return the sets of an inflated AXp."""
        if isinstance(graph, Ensemble):
            return self._of_ensembles.inflate(graph, instance, axp, order)
        return super().inflate(graph, instance, axp, order)

    def inflate_cxp(self, graph: DecisionGraph | Ensemble, instance: Point, cxp: frozenset[int]) -> Box:
        """Return all values of the features of *cxp* that some change has."""
        if isinstance(graph, Ensemble):
            return self._of_ensembles.inflate_cxp(graph, instance, cxp)
        return super().inflate_cxp(graph, instance, cxp)

    def sat_calls(self, graph: DecisionGraph, instance: Point) -> int:
        """Return the SAT calls of a full enumeration by Algorithm 4."""
        return count_sat_calls(self._xpg(graph, instance))

    def path_steps(self, graph: DecisionGraph, instance: Point, free: frozenset[int]) -> int:
        """Return the nodes that the linear Algorithm 1 takes up, counted where it looks at a node's variable."""
        xpg, looked = counted(self._xpg(graph, instance))
        path_to_zero(xpg, free)
        return looked.looks


class Looked(tuple[int, ...]):
    """υ that counts how often a node's variable is looked up: what a traversal does once a node that it takes up."""

    looks = 0

    def __getitem__(self, node: Any) -> Any:
        """Return the variable of *node*, and count."""
        self.looks += 1
        return super().__getitem__(node)


def counted(xpg: ExplanationGraph) -> tuple[ExplanationGraph, Looked]:
    """Return *xpg* with a counter of the looks at its nodes."""
    looked = Looked(xpg.variable_of)
    copy = ExplanationGraph(xpg.variables, looked, xpg.one_child, xpg.zero_children, xpg.is_zero, xpg.shape)
    looked.looks = 0
    return copy, looked
