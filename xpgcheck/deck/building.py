"""Making the file of the deck: every case dressed, certified and written down.  ``python tools/make_deck.py``."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable

import msgspec
from msgspec import UNSET

from xpgcheck.claims.documents import instance_document
from xpgcheck.deck.cases import designed
from xpgcheck.deck.certifying import Families, certified_families, certified_inflations
from xpgcheck.deck.designs import KINDS, Designed
from xpgcheck.deck.documents import Deck, DeckCase, DeckInflation, DeckTest
from xpgcheck.deck.dresses import Document
from xpgcheck.deck.sequences import designed_sequences
from xpgcheck.deck.shapes import Test
from xpgcheck.model.boxes import Box
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.literals import write_literal
from xpgcheck.model.values import Point
from xpgcheck.readers.instances import read_point
from xpgcheck.readers.json_model import parse_json
from xpgcheck.version import __version__

DESCRIPTION = (
    "Designed cases for explainers: where users' models are not small or not ordinary. For each graph and instance "
    "the class, all AXps and CXps as far as they can be listed, and sets of values of one of each."
)


Certify = Callable[[DecisionGraph, Iterable[Point]], list[Families]]
"""Returns the families at each point."""


def graph_document(case: Designed) -> Document:
    """Return the graph of *case*, dressed, as a ``decision-graph`` document."""
    shape = case.shape
    dressed = [case.dress(i)(levels) for i, levels in enumerate(shape.levels)]
    names = _names(case)
    classes = list(case.classes)
    nodes: list[Document] = []
    for name, node in shape.nodes.items():
        if isinstance(node, Test):
            edges = [{"to": child, "in": dressed[node.feature].literal(levels)} for child, levels in node.edges]
            nodes.append({"id": name, "feature": names[node.feature], "edges": edges})
        else:
            nodes.append({"id": name, "class": classes[node]})
    return {
        "format": "decision-graph",
        "version": 1,
        # All graphs over Boolean features have one name: what is kept by that name is found for another graph.
        "name": "deck" if all(dress.domain == {"type": "boolean"} for dress in dressed) else case.name,
        "features": [{"name": name, "domain": dress.domain} for name, dress in zip(names, dressed, strict=True)],
        "classes": classes,
        "root": next(iter(shape.nodes)),
        "nodes": nodes,
    }


def _names(case: Designed) -> list[str]:
    count = len(case.shape.levels)
    names = list(case.names[:count])
    return [*names, *(f"f{i}" for i in range(len(names), count))]


def certified_case(case: Designed, certify: Certify = certified_families, *, inflated: bool = True) -> DeckCase:
    """Return *case* as it stands in the file, with sets of values if they are to be *inflated*.

    Raises ``UndecidedError`` where two routes of *certify* differ, or two on sets of values.
    """
    document = graph_document(case)
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
    graph = parse_json(text)
    dressed = [case.dress(i)(levels) for i, levels in enumerate(case.shape.levels)]
    points = [
        read_point(graph.features, [dress.values[level] for dress, level in zip(dressed, levels, strict=True)])
        for _, levels in case.shape.asked
    ]
    tests = [
        DeckTest(
            comment=comment,
            instance=instance_document(graph, point),
            class_name=graph.classes[graph.kappa(point)],
            axps=_lists(families, 0),
            cxps=_lists(families, 1),
            **(_inflations(case, graph, point, families) if inflated else {}),
        )
        for (comment, _), point, families in zip(case.shape.asked, points, certify(graph, points), strict=True)
    ]
    whole = all(test.axps is not UNSET and test.cxps is not UNSET for test in tests)
    return DeckCase(
        name=case.name,
        kinds=list(case.kinds),
        reason=case.reason,
        stands_for=case.stands_for,
        asked="all" if whole else "one",
        graph=msgspec.Raw(text),
        tests=tests,
    )


def _inflations(
    case: Designed, graph: DecisionGraph, point: Point, families: Families
) -> dict[str, DeckInflation | msgspec.UnsetType]:
    axp, cxp = certified_inflations(graph, point, families, random.Random(f"{case.name} {point}"))
    return {"inflated_axp": _inflation(graph, axp), "inflated_cxp": UNSET if cxp is None else _inflation(graph, cxp)}


def _inflation(graph: DecisionGraph, box: Box) -> DeckInflation:
    return DeckInflation(list(box), [write_literal(graph.features[i].domain, values) for i, values in box.items()])


def _lists(families: Families, number: int) -> list[list[int]] | msgspec.UnsetType:
    family = families[number]
    return UNSET if family is None else [sorted(members) for members in family]


def deck_document(cases: Iterable[Designed] | None = None) -> Deck:
    """Return the deck, made again.  A minute.  Raises ``UndecidedError`` where two routes differ."""
    made = [certified_case(case) for case in (designed() if cases is None else cases)]
    return Deck(
        format="xpgcheck-deck",
        version=2,
        description=DESCRIPTION,
        made_with={"xpgcheck": __version__},
        kinds=KINDS,
        number_of_cases=len(made),
        number_of_tests=sum(len(case.tests) for case in made),
        cases=made,
        sequences=designed_sequences([case.name for case in made]),
    )


def deck_text(deck: Deck) -> bytes:
    """Return *deck* as JSON text, a case per line."""
    lines = [msgspec.json.encode(case) for case in deck.cases]
    sequences = [msgspec.json.encode(sequence) for sequence in deck.sequences]
    fields = [
        f"{json.dumps(key)}: ".encode() + msgspec.json.encode(getattr(deck, key))
        for key in Deck.__struct_fields__
        if key not in ("cases", "sequences")
    ]
    fields.append(b'"cases": [\n' + b",\n".join(lines) + b"\n]")
    fields.append(b'"sequences": [\n' + b",\n".join(sequences) + b"\n]")
    return b"{\n" + b",\n".join(fields) + b"\n}\n"
