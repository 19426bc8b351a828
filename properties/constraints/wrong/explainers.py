"""Wrong explainers under constraints: of the product, of clauses as a graph, and of questions about ensembles."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from xpgcheck.model.combination import Majority
from xpgcheck.model.constraint import ALLOWED, FORBIDDEN, Constraint
from xpgcheck.model.decision_graph import DecisionGraph, decision_graph
from xpgcheck.model.ensemble import Ensemble, ensemble
from xpgcheck.model.values import Point
from xpgcheck.properties.constraints.routes import HonestConstraintRoutes
from xpgcheck.properties.seeded.bugs import constraint_route
from xpgcheck.xpg.constraints.compiling import constraint_graph
from xpgcheck.xpg.constraints.ensembles import ConstrainedEnsemble
from xpgcheck.xpg.ensembles.choose import prepared
from xpgcheck.xpg.ensembles.explained import ExplainedEnsemble
from xpgcheck.xpg.ensembles.places import EnsemblePlaces
from xpgcheck.xpg.ensembles.sum_boxes import SumBoxes
from xpgcheck.xpg.ensembles.vote_solver import VoteSolver


@constraint_route
class ProductForgetsTheConstraint(HonestConstraintRoutes):
    """The explainer looks at the decision graph alone."""

    def product(self, graph: DecisionGraph, constraint: Constraint, point: Point) -> DecisionGraph:
        """Return the graph."""
        return graph


@constraint_route
class ProductOfTheFirstClauses(HonestConstraintRoutes):
    """The product leaves out the last clause."""

    def product(self, graph: DecisionGraph, constraint: Constraint, point: Point) -> DecisionGraph:
        """Return the product with all clauses but the last."""
        return super().product(graph, replace(constraint, clauses=constraint.clauses[:-1]), point)


@constraint_route
class ProductOfAnyLiteral(HonestConstraintRoutes):
    """The product takes a clause for the first of its literals alone."""

    def product(self, graph: DecisionGraph, constraint: Constraint, point: Point) -> DecisionGraph:
        """Return the product with the literal of each clause that holds at the instance."""
        clauses = []
        for clause in constraint.clauses:
            held = [literal for literal in clause.literals if point[literal.feature] in literal.values]
            clauses.append(replace_literals(clause, held[:1]))
        return super().product(graph, replace(constraint, clauses=tuple(clauses)), point)


def replace_literals(clause: Any, literals: Any) -> Any:
    """Return *clause* with other literals."""
    return clause._replace(literals=tuple(literals))


@constraint_route
class ImpossibleIsAnotherClass(HonestConstraintRoutes):
    """Points that cannot occur count as another class, as if the constraint were a part of the classifier."""

    def product(self, graph: DecisionGraph, constraint: Constraint, point: Point) -> DecisionGraph:
        """Return the graph of the constraint with another class where nothing can occur, and the instance's elsewhere."""
        own = graph.kappa(point)
        what = constraint_graph(constraint)
        if FORBIDDEN not in what.class_of or len(graph.classes) < 2:
            return super().product(graph, constraint, point)
        other = 0 if own else 1
        classes = tuple([-1 if k < 0 else own if k == ALLOWED else other for k in what.class_of])
        return replace(what, name=graph.name, classes=graph.classes, class_of=classes)


@constraint_route
class ProductLosesWhatIsLeft(HonestConstraintRoutes):
    """The product does not remember what a path leaves of features that the constraint tests again."""

    def product(self, graph: DecisionGraph, constraint: Constraint, point: Point) -> DecisionGraph:
        """Return κ with the constraint's graph below its terminals of other classes, whatever the paths leave."""
        own, what = graph.kappa(point), constraint_graph(constraint)
        if FORBIDDEN not in what.class_of:
            return super().product(graph, constraint, point)
        nodes: dict[Any, Any] = {}
        from xpgcheck.model.decision_graph import NonTerminal, Terminal

        for node in range(graph.node_count):
            if graph.class_of[node] < 0:
                edges = []
                for child, values in graph.edges(node):
                    k = graph.class_of[child]
                    edges.append((f"g{child}" if k < 0 else "own" if k == own else f"c{k}_0", values))
                nodes[f"g{node}"] = NonTerminal(graph.feature_of[node], tuple(edges))
            elif graph.class_of[node] != own:
                k = graph.class_of[node]
                for below in range(what.node_count):
                    if what.class_of[below] < 0:
                        edges = [(_below(what, k, child), values) for child, values in what.edges(below)]
                        nodes[f"c{k}_{below}"] = NonTerminal(what.feature_of[below], tuple(edges))
                    elif below == 0 or what.class_of[below] == ALLOWED:
                        nodes[_below(what, k, below)] = Terminal(k)
        if graph.node_count == 1 or "g0" not in nodes:
            return super().product(graph, constraint, point)
        nodes["own"] = Terminal(own)
        reached: dict[Any, Any] = {}
        waiting = ["g0"]
        while waiting:
            key = waiting.pop()
            if key not in reached:
                reached[key] = nodes[key]
                waiting += [child for child, _ in getattr(nodes[key], "edges", ())]
        return decision_graph(graph.name, graph.features, graph.classes, reached, "g0")


def _below(what: DecisionGraph, k: int, node: int) -> str:
    if what.class_of[node] == FORBIDDEN:
        return "own"
    return f"c{k}_allowed" if what.class_of[node] == ALLOWED else f"c{k}_{node}"


@constraint_route
class ProductOfClausesAlone(HonestConstraintRoutes):
    """The product is of the constraint's clauses, and leaves its graph out."""

    def product(self, graph: DecisionGraph, constraint: Constraint, point: Point) -> DecisionGraph:
        """Return the product without the graph."""
        return super().product(graph, replace(constraint, graph=None), point)


@constraint_route
class OneProductForAllClasses(HonestConstraintRoutes):
    """The product is made for the first class, whatever the class of the instance is."""

    def product(self, graph: DecisionGraph, constraint: Constraint, point: Point) -> DecisionGraph:
        """Return the product that takes what cannot occur for the first class."""
        right = super().product(graph, constraint, point)
        if graph.kappa(point) == 0:
            return right
        for other in _points(graph):
            if graph.kappa(other) == 0 and constraint.allows(other):
                return super().product(graph, constraint, other)
        return right


def _points(graph: DecisionGraph) -> list[Point]:
    points: list[Point] = [()]
    for cells in graph.cells:
        points = [(*point, cell.representative()) for point in points for cell in cells][:200]
    return points


class _Questions(HonestConstraintRoutes):
    """Routes with wrong questions: *rules* are what a constraint comes to."""

    def rules(self, places: EnsemblePlaces) -> None:
        """Change the rules of *places*."""

    def questions(self, model: DecisionGraph | Ensemble, constraint: Constraint, point: Point) -> Any:
        """Return the explainer of an ensemble by wrong rules."""
        right = ConstrainedEnsemble(model, constraint)
        places = EnsemblePlaces(right.ensemble)
        places.rules = [list(rule) for rule in right.places.rules]
        self.rules(places)
        votes = isinstance(right.ensemble.rule, Majority)
        solver = VoteSolver(places) if votes else SumBoxes(places)
        return ExplainedEnsemble(places, point, solver.at(point))


@constraint_route
class QuestionsWithoutRules(_Questions):
    """The questions about ensembles are asked as if everything could occur."""

    def rules(self, places: EnsemblePlaces) -> None:
        """Forget all rules."""
        places.rules = []


@constraint_route
class QuestionsForgetARule(_Questions):
    """The questions about ensembles leave out the last clause."""

    def rules(self, places: EnsemblePlaces) -> None:
        """Forget the last rule."""
        places.rules = places.rules[:-1]


@constraint_route
class QuestionsForbidTooMuch(_Questions):
    """The path after a forbidden one of a rule is forbidden, too."""

    def rules(self, places: EnsemblePlaces) -> None:
        """Forbid the first path of each rule that the instance need not take."""
        places.rules = [
            [(occurs and k != 0, tested) for k, (occurs, tested) in enumerate(rule)] for rule in places.rules
        ]


@constraint_route
class QuestionsBySeparateFeatures(_Questions):
    """A forbidden combination forbids the first of its values alone."""

    def rules(self, places: EnsemblePlaces) -> None:
        """Keep of each forbidden path one feature."""
        places.rules = [
            [(occurs, tested if occurs else dict(list(tested.items())[:1])) for occurs, tested in rule]
            for rule in places.rules
        ]


@constraint_route
class QuestionsOnCellsOfTheModel(HonestConstraintRoutes):
    """The questions about ensembles know the places of the model alone, whatever the constraint tells apart."""

    def questions(self, model: DecisionGraph | Ensemble, constraint: Constraint, point: Point) -> Any:
        """Return the explainer of the ensemble without the constraint, which refuses points that cannot occur."""
        own = (
            model
            if isinstance(model, Ensemble)
            else ensemble(model.name, model.features, model.classes, [model], Majority())
        )
        solver = prepared(own)
        return _Refusing(solver.places, point, solver.at(point), constraint)


class _Refusing(ExplainedEnsemble):
    def __init__(self, places: EnsemblePlaces, point: Point, decider: Any, constraint: Constraint) -> None:
        super().__init__(places, point, decider)
        self._constraint = constraint

    def decide(self, fixed: int, *more: Any) -> Any:
        found = super().decide(fixed, *more)
        if found.changed and not self._constraint.allows(self.point_at(found)):
            # The one point that was found cannot occur: taken for none at all.
            return found._replace(changed=False, mask=fixed)
        return found
