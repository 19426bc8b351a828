"""Ensembles from the package's own JSON format, ``ensemble`` version 1 (see its published schema)."""

from __future__ import annotations

from msgspec import UnsetType

from xpgcheck.errors import LimitError, XpgcheckError
from xpgcheck.model.assumptions import check_assumptions
from xpgcheck.model.combination import Majority
from xpgcheck.model.decision_graph import DecisionGraph, decision_graph
from xpgcheck.model.domains import Feature
from xpgcheck.model.ensemble import MAX_TREES, Ensemble, ensemble
from xpgcheck.readers.json_model import GraphNodes, check_classes, features_of, parse_json
from xpgcheck.readers.json_records import TreeRecord, decode_ensemble, is_ensemble
from xpgcheck.readers.names import check_name
from xpgcheck.readers.pauses import no_cycle_collection


def parse_ensemble(data: bytes) -> Ensemble:
    """Return the ensemble that *data* holds, both assumptions of each of its trees checked.

    Raises as :func:`xpgcheck.readers.json_model.parse_json` does, with the place of the tree, and ``LimitError`` where there
    are too many trees.
    """
    with no_cycle_collection():
        document = decode_ensemble(data)
        check_name("model", document.name, "$.name")
        features = features_of(document.features)
        check_classes(document.classes)
        if len(document.trees) > MAX_TREES:
            problem = f"there are {len(document.trees):,} trees"
            raise LimitError(problem, place="$.trees", mend=f"keep at most {MAX_TREES:,}")
        nodes = GraphNodes(features, document.classes)
        trees = [
            _tree(record, f"$.trees[{number}]", features, document.classes, nodes)
            for number, record in enumerate(document.trees)
        ]
        try:
            return ensemble(document.name, features, document.classes, trees, Majority())
        except XpgcheckError as error:
            raise error.at("$.trees") from None


def parse_classifier(data: bytes) -> DecisionGraph | Ensemble:
    """Return the decision graph or the ensemble that *data* holds, as its format says.  Raises what their readers raise."""
    return parse_ensemble(data) if is_ensemble(data) else parse_json(data)


def _tree(
    record: TreeRecord, place: str, features: list[Feature], classes: list[str], nodes: GraphNodes
) -> DecisionGraph:
    check_name("tree", record.name, f"{place}.name")
    found = nodes.read(record.nodes, place)
    root = None if isinstance(record.root, UnsetType) else record.root
    try:
        graph = decision_graph(record.name, features, classes, found, root)
        check_assumptions(graph)
    except XpgcheckError as error:
        raise error.at(place) from None
    return graph
