"""The deck as it comes with the package, and decks of other files, as cases that can be asked."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

import msgspec
from msgspec import UNSET, UnsetType

from xpgcheck.deck.documents import FORMAT, VERSION, Deck, DeckCase, DeckInflation, DeckSequence, DeckTest
from xpgcheck.errors import FormatError, InputError, XpgcheckError, shown
from xpgcheck.judging.known_families import KnownFamilies, KnownInflation
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.literals import read_literal
from xpgcheck.model.values import Point
from xpgcheck.readers.files import DEFAULT_MAX_BYTES, read_bytes
from xpgcheck.readers.instances import read_point
from xpgcheck.readers.json_model import parse_json

NAME = "deck"
SCHEMA = "deck.schema.json"


@dataclass(frozen=True, slots=True)
class DeckPoint:
    """An instance of a case: the point, what it shows, and the families that are known."""

    point: Point
    comment: str
    families: KnownFamilies


@dataclass(frozen=True, slots=True)
class ReadCase:
    """A case of a deck, read: its graph and its instances."""

    record: DeckCase
    graph: DecisionGraph
    points: tuple[DeckPoint, ...]


def stored_deck() -> bytes:
    """Return the deck as it came with the package."""
    return resources.files(__package__).joinpath("data").joinpath(f"{NAME}.json").read_bytes()


@functools.lru_cache(maxsize=4)
def read_deck(path: Path | None = None) -> Deck:
    """Return the deck in the file *path*, by default the package's.  Raises ``FormatError`` where it is none."""
    place = str(path) if path is not None else f"the package's {NAME}.json"
    data = stored_deck() if path is None else read_bytes(path, DEFAULT_MAX_BYTES)
    try:
        head = msgspec.json.decode(data, type=_Head)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise FormatError(f"no deck: {shown(error)[1:-1]}", mend=_MEND).at(place) from None
    if head.format != FORMAT:
        raise FormatError(f"format {shown(head.format)}", mend=f"expected {FORMAT}: {_MEND}").at(place)
    if head.version not in range(1, VERSION + 1):
        own = head.version if isinstance(head.version, int) else shown(head.version)
        problem = f"a deck of version {own}, and this xpgcheck reads versions 1 to {VERSION}"
        raise FormatError(problem, mend=_MEND).at(place)
    try:
        return msgspec.json.decode(data, type=Deck)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise FormatError(f"a deck that does not fit its schema: {shown(error)[1:-1]}", mend=_MEND).at(place) from None


_MEND = "name a file as 'xpgcheck vectors --file deck' writes it, or leave --deck-file out"


class _Head(msgspec.Struct):
    format: object = ""
    version: object = 0


def read_case(record: DeckCase, place: str = "") -> ReadCase:
    """Return the case of *record*.  Raises ``InputError`` that names it where its graph or an instance cannot be read."""
    try:
        graph = parse_json(bytes(record.graph))
        points = tuple(_point(graph, test) for test in record.tests)
    except XpgcheckError as error:
        raise error.at(f"case {shown(record.name)}").at(place or f"the package's {NAME}.json") from None
    return ReadCase(record, graph, points)


def _point(graph: DecisionGraph, test: DeckTest) -> DeckPoint:
    names = [feature.name for feature in graph.features]
    if list(test.instance) != names:
        raise InputError(
            "an instance has other features than the graph", mend="give one value per feature, in their order"
        )
    point = read_point(graph.features, list(test.instance.values()))
    if graph.classes[graph.kappa(point)] != test.class_name:
        own = graph.classes[graph.kappa(point)]
        raise InputError(
            f"the class of an instance is {shown(own)}, not {shown(test.class_name)}", mend="correct the deck"
        )
    families = KnownFamilies(
        len(names),
        _family(test.axps),
        _family(test.cxps),
        _inflation(graph, test.inflated_axp),
        _inflation(graph, test.inflated_cxp),
    )
    return DeckPoint(point, test.comment, families)


def _family(listed: Sequence[Sequence[int]] | UnsetType) -> tuple[frozenset[int], ...] | None:
    return None if listed is UNSET or isinstance(listed, UnsetType) else tuple(map(frozenset, listed))


def _inflation(graph: DecisionGraph, listed: DeckInflation | UnsetType) -> KnownInflation | None:
    if isinstance(listed, UnsetType):
        return None
    order, features = tuple(listed.features), graph.features
    if len(set(order)) != len(listed.values) or not set(order) <= set(range(len(features))):
        raise InputError("an inflated XP needs one set of values per feature", mend="correct the deck")
    sets = [read_literal(features[i].domain, values) for i, values in zip(order, listed.values, strict=True)]
    return KnownInflation(order, tuple(sorted(zip(order, sets, strict=True), key=lambda pair: pair[0])))


def check_deck(path: Path | None = None) -> None:
    """Read the deck at *path*, and with a file every case of it.  Raises ``InputError`` that says what is wrong."""
    deck = read_deck(path)
    if path is None:
        return
    sequences(deck)
    for record in deck.cases:
        read_case(record, str(path))


def sequences(deck: Deck) -> list[DeckSequence]:
    """Return the sequences of *deck*, whose steps all name cases of it.  Raises ``FormatError`` where one does not."""
    names = {case.name for case in deck.cases}
    for sequence in deck.sequences:
        for step in sequence.steps:
            if step_of(step, names)[1] not in names:
                raise FormatError(f"no case is called as in the step {shown(step)}", mend="correct the deck")
    return deck.sequences


def step_of(step: str, names: set[str]) -> tuple[str, str]:
    """Return how a step asks ("", "again", "another", "nonsense"), and the case that it names."""
    how, _, name = step.partition(": ")
    return ("", step) if step in names else (how, name)
