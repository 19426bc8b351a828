"""From graphs and instances to test groups: documents of JSON values, and the text of a vector file."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

import msgspec

from xpgcheck.claims.documents import instance_document
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.readers.json_model import parse_json
from xpgcheck.reports.documents import laid_out_text
from xpgcheck.vectors.certifying import CertifiedFamilies, Certifier, GraphCertifier
from xpgcheck.vectors.claiming import claims_at
from xpgcheck.vectors.documents import GroupRecord, NoteRecord, VectorFile, VectorTest
from xpgcheck.vectors.flagging import flags_of
from xpgcheck.vectors.notes import NOTES
from xpgcheck.version import __version__
from xpgcheck.writers.json_model import model_json

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Group:
    """A decision graph as a document, and what is to be asked of it.

    ``instances`` are points with a comment each.  ``flags`` are those that are not found from the graph itself.
    """

    kind: str
    document: Document
    instances: tuple[tuple[str, Point], ...]
    flags: tuple[str, ...] = ()

    @property
    def graph(self) -> DecisionGraph:
        """The graph as our reader reads the document."""
        return parse_json(json.dumps(self.document).encode())


def graph_document(graph: DecisionGraph) -> Document:
    """Return *graph* as a ``decision-graph`` document."""
    document: Document = json.loads(model_json(graph))
    return document


def vector_file(
    name: str, description: str, groups: Iterable[Group], *, first: int, seed: int, made_with: dict[str, str]
) -> VectorFile:
    """Return a vector file: all tests of *groups*, numbered from *first*, certified, with the claims that *seed* draws.

    *made_with* names the versions that matter next to our own.  Raises ``UncertifiedError`` where two routes differ.
    """
    rng = random.Random(f"{name} {seed}")
    number = first
    written: list[GroupRecord] = []
    for group in groups:
        graph = group.graph
        tests = []
        with GraphCertifier(graph) as certifier:
            for comment, instance in group.instances:
                at = certifier.at(instance)
                tests.append(_test(number, comment, group, at, at.families(), rng))
                number += 1
        written.append(GroupRecord(kind=cast("Any", group.kind), graph=group.document, tests=tests))
    flags = {flag for group_ in written for test in group_.tests for flag in test.flags}
    return VectorFile(
        format="xpgcheck-test-vectors",
        version=1,
        name=name,
        description=description,
        made_with={"xpgcheck": __version__, **made_with},
        seed=seed,
        number_of_tests=number - first,
        notes={flag: _note(flag) for flag in NOTES if flag in flags},
        test_groups=written,
    )


def _test(
    number: int, comment: str, group: Group, certifier: Certifier, families: CertifiedFamilies, rng: random.Random
) -> VectorTest:
    graph, instance = certifier.graph, certifier.instance
    return VectorTest(
        tc_id=number,
        comment=comment,
        flags=flags_of(graph, instance, families, group.flags),
        instance=instance_document(graph, instance),
        class_name=graph.classes[graph.kappa(instance)],
        axps=[sorted(axp) for axp in families.axps],
        cxps=[sorted(cxp) for cxp in families.cxps],
        claims=claims_at(certifier, families, rng),
    )


def _note(flag: str) -> NoteRecord:
    note = NOTES[flag]
    return NoteRecord(bug_type=note.bug_type, description=note.description, effect=note.effect, seen=list(note.seen))


def text_of(document: VectorFile | Document) -> str:
    """Return a vector file as JSON text, a node, a claim or another small thing a line."""
    return laid_out_text(msgspec.to_builtins(document), whole=("verdict", "id"))
