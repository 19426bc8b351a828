"""A checked certificate as a route: what a file proves of an instance, whatever its origin is.

The file is read and checked by :mod:`xpgcheck.check_certificate`, which has its own reading of the graph, from its first
line to its last, before it answers anything; and the line of an instance is checked again when it is used.  A closed set
whose fixed features are among those asked about answers "not changeable"; a point that changes none of them answers
"changeable", and is the witness.  Everything else is unknown.

What is proved is proved of the model in the file.  So that model has to be the graph that is judged, which is compared
here field by field: names, domains, classes, nodes, and of each edge the set of values.
"""

from __future__ import annotations

import io
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, BinaryIO

from xpgcheck.check_certificate import (
    MAX_LINE,
    Graph,
    Refused,
    Value,
    Values,
    Work,
    check_family,
    check_lines,
    read_json,
)
from xpgcheck.errors import FormatError, shown
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Boolean, Categorical, Domain, Float32, Float64, Integer, Real
from xpgcheck.model.value_sets import FiniteSet, Grid, Interval, ValueSet, interval_set
from xpgcheck.model.values import MISSING, Point
from xpgcheck.model.values import Value as ModelValue
from xpgcheck.oracles.answers import Answer

NAME, ENGINE = "certificate", "checked certificate"

KINDS: dict[type[Domain], str] = {
    Boolean: "boolean",
    Categorical: "categorical",
    Integer: "integer",
    Real: "real",
    Float32: "float32",
    Float64: "float64",
}
"""Names of the domains in a certificate."""

GRIDS = {
    "integer": Grid.INTEGERS,
    "real": Grid.DENSE,
    "float32": Grid.FLOAT32,
    "float64": Grid.FLOAT64,
}


class Certificate:
    """A certificate that was checked as a whole.  Holds a number for each line; lines are read again where they are used."""

    def __init__(self, opened: Callable[[], BinaryIO], place: str) -> None:
        """Check what *opened* gives, a new binary file at each call; messages call it *place*.

        Raises ``FormatError`` with the line that is refused.  Takes what the checker takes, and reads each line twice.
        """
        self.place = place
        self._opened = opened
        self._offsets: defaultdict[int, list[int]] = defaultdict(list)
        """Offsets of the lines of an instance, by the hash of its values: what is found is compared when it is read."""
        self._headers: list[tuple[Graph, dict[str, Any]]] = []
        try:
            with opened() as file:
                outcome = check_lines(self._noted(file))
        except OSError as error:
            raise FormatError(f"the file cannot be read ({error.strerror})", place=place, mend="name another") from None
        if outcome.status:
            mend = "have it issued again, or leave it out" if outcome.status == 1 else "give a certificate"
            raise FormatError(outcome.message, place=place, mend=mend)
        if not self._headers:
            raise FormatError("it is about a formula", place=place, mend="give one about the model of the claims")
        self.graph, self.model = self._headers[0]

    @classmethod
    def of_file(cls, path: str | Path) -> Certificate:
        """Return the certificate in the file *path*.  Raises ``FormatError`` as the constructor does."""
        return cls(lambda: open(path, "rb"), str(path))

    @classmethod
    def of_bytes(cls, data: bytes, place: str = "certificate") -> Certificate:
        """Return the certificate *data*.  Raises ``FormatError`` as the constructor does."""
        return cls(lambda: io.BytesIO(data), place)

    @property
    def name(self) -> str:
        """The name of the model in it."""
        return str(self.model["name"])

    def of(self, graph: DecisionGraph) -> CertifiedGraph:
        """Return what it proves of *graph*.  Raises ``FormatError`` where it is about another model.  Linear."""
        fault = _difference(graph, self.graph, self.model)
        if fault is not None:
            problem = f"it is about another model than {shown(graph.name)}: {fault}"
            raise FormatError(problem, place=self.place, mend="certify the model of the claims")
        return CertifiedGraph(self, graph)

    def families(self, values: Sequence[Value]) -> Iterator[dict[str, Any]]:
        """Yield the lines about the instance of these values, each checked.

        Raises ``FormatError`` where the file is no longer what it was.
        """
        own = list(values)
        with self._opened() as file:
            for offset in self._offsets.get(hash(tuple(own)), ()):
                file.seek(offset)
                try:
                    raw = read_json(file.readline(MAX_LINE + 1))
                    work = Work()
                    work.left = 2**62  # it was counted when the whole was checked
                    check_family(self.graph, raw, work)
                except (Refused, ValueError, RecursionError, AttributeError) as error:
                    problem = f"the line at byte {offset:,} is not what it was: {error}"
                    raise FormatError(problem, place=self.place, mend="leave the file as it is meanwhile") from None
                if _values(self.graph, raw) == own:
                    yield raw

    def _noted(self, file: BinaryIO) -> Iterator[bytes]:
        """Yield the lines, and note each when the next one is asked for: by then it has been accepted."""
        offset = 0
        for number, line in enumerate(iter(lambda: file.readline(MAX_LINE + 1), b"")):
            yield line
            raw = json.loads(line)
            if number == 0 and "constraints" in raw:
                problem = "it is about what holds under constraints or of sets of values, which is no evidence here"
                raise FormatError(problem, place=self.place, mend="leave it out")
            if number == 0 and "model" in raw:
                self._headers.append((Graph(raw["model"]), raw["model"]))
            elif self._headers and "end" not in raw:
                self._offsets[hash(tuple(_values(self._headers[0][0], raw)))].append(offset)
            offset += len(line)


class CertifiedGraph:
    """A certificate whose model is the graph that is judged."""

    def __init__(self, certificate: Certificate, graph: DecisionGraph) -> None:
        """Not to be called: see :meth:`Certificate.of`, which compares the two."""
        self.certificate = certificate
        self.graph = graph

    def at(self, instance: Point) -> CertificateOracle:
        """Return the oracle of *instance*."""
        return CertificateOracle(self, instance)


class CertificateOracle:
    """Answers what the certificate proves at one instance, and "unknown" otherwise."""

    name = NAME
    engine = ENGINE

    def __init__(self, certified: CertifiedGraph, instance: Point) -> None:
        self._certified = certified
        self._instance = instance
        self._fixed: list[frozenset[int]] | None = None
        self._points: list[dict[int, ModelValue]] = []

    def changeable(self, fixed: Iterable[int]) -> Answer:
        """Answer by the closed sets and the points that the certificate has.  Linear in their number.

        Raises ``FormatError`` where the file has changed since it was checked.
        """
        chosen = frozenset(fixed)
        if self._fixed is None:
            self._read()
        for sufficient in self._fixed or ():
            if sufficient <= chosen:
                return Answer(False, None, self.name)
        for changes in self._points:
            if chosen.isdisjoint(changes):
                witness = tuple(changes.get(i, value) for i, value in enumerate(self._instance))
                return Answer(True, witness, self.name)
        return Answer(None, None, self.name, "the certificate says nothing of it")

    def _read(self) -> None:
        certificate, features = self._certified.certificate, self._certified.graph.features
        self._fixed = []
        for raw in certificate.families([_plain(value) for value in self._instance]):
            self._fixed += [frozenset(closed["fixed"]) for closed in raw["closed"]]
            for changes in raw["points"]:
                values = {i: certificate.graph.domains[i].value(item) for i, item in changes}
                self._points.append({i: _of_model(features[i].domain, value) for i, value in values.items()})


def _values(graph: Graph, raw: dict[str, Any]) -> list[Value]:
    return [domain.value(item) for domain, item in zip(graph.domains, raw["instance"], strict=True)]


def _plain(value: ModelValue) -> Value:
    """Return a value of the model as the checker has it."""
    if value is MISSING:
        return None
    return int(value) if isinstance(value, bool) else value


def _of_model(domain: Domain, value: Value) -> ModelValue:
    """Return a value of the checker as the model has it."""
    if value is None:
        return MISSING
    if isinstance(domain, Boolean):
        return bool(value)
    return value if isinstance(domain, (Categorical, Integer)) or isinstance(value, str) else Fraction(value)


def _difference(graph: DecisionGraph, theirs: Graph, model: dict[str, Any]) -> str | None:
    """Return in what *graph* and the model of a certificate differ, or None where they are the same."""
    if [feature.name for feature in graph.features] != [feature["name"] for feature in model["features"]]:
        return "the features are others, or in another order"
    if list(graph.classes) != list(model["classes"]):
        return "the classes are others, or in another order"
    wholes = [feature.domain.all_values() for feature in graph.features]
    for index, (feature, domain) in enumerate(zip(graph.features, theirs.domains, strict=True)):
        kind = KINDS[type(feature.domain)]
        if kind != domain.kind or wholes[index] != _set_of(domain):
            return f"the domain of feature {shown(feature.name)} is another"
    if graph.node_count != len(theirs.nodes) or theirs.root != 0:
        return f"it has {len(theirs.nodes)} nodes, of which {theirs.root} is the root, instead of {graph.node_count}"
    # Literals may reach beyond the domain, where no value is.
    their_sets = [_set_of(literal).intersection(wholes[feature]) for feature, literal in theirs.literals]
    our_sets = [values.intersection(wholes[feature]) for feature, values in graph.literals]
    for node, (feature_index, name, edges) in enumerate(theirs.nodes):
        own = graph.class_of[node]
        if (graph.classes[own] if own >= 0 else "") != name or graph.feature_of[node] != feature_index:
            return f"node {node} has another class or feature"
        ours = Counter(zip(graph.children[node], [our_sets[k] for k in graph.literal_ids[node]], strict=True))
        if ours != Counter((child, their_sets[literal]) for child, literal in edges):
            return f"node {node} has other edges"
    return None


def _set_of(values: Values) -> ValueSet:
    """Return a domain or a literal of the checker as a set of the model."""
    if values.spans is None:
        boolean = values.kind == "boolean"
        return FiniteSet(frozenset(bool(value) if boolean else str(value) for value in values.listed))
    intervals = [Interval(*_end(low, opens=1), *_end(high, opens=0)) for low, high in values.spans]
    return interval_set(GRIDS[values.kind], intervals, None in values.listed)


def _end(cut: tuple[int | Fraction | float, int], opens: int) -> tuple[Fraction | None, bool]:
    """Return an end of an interval: its number, None where it is infinite, and whether the number is left out."""
    number, after = cut
    return (None, True) if isinstance(number, float) else (Fraction(number), after == opens)
