"""Explanation graphs in the `.xpg` format of the paper's own package (``XpGraph`` on PyPI).

A text of sections in a fixed order; lines that start with ``#`` and empty lines are left out::

    NN: 3              number of nodes
    Root: 1
    T: 2 3             terminals
    TDef:              terminal, label
    2 1
    3 0
    NT: 1              non-terminals
    NTDef:             node, child, label of the edge
    1 2 1
    1 3 0
    NV: 1              number of variables
    VarDef:            non-terminal, name of its variable (which may hold spaces)
    1 Age

What differs from that package's reader: input that breaks the format is refused with its line, and parallel edges
become one edge, labelled 1 where one of them is (there, the last one wins).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from xpgcheck.errors import FormatError, XpgcheckError, shown
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.labelled_graph import LabelledGraph, LabelledNode, labelled_graph
from xpgcheck.readers.files import DEFAULT_MAX_BYTES, PathLike, decode_utf8, place_of, read_bytes
from xpgcheck.readers.names import check_name
from xpgcheck.readers.pauses import no_cycle_collection

SECTIONS = ("NN:", "Root:", "T:", "TDef:", "NT:", "NTDef:", "NV:", "VarDef:")

_NEWLINE = re.compile("\r\n|\r|\n")
_NUMBER = re.compile(r"-?\d{1,18}", re.ASCII)

Line = tuple[int, str]
Edges = dict[NodeId, list[tuple[NodeId, bool]]]


def read_xpg(path: PathLike, *, max_bytes: int = DEFAULT_MAX_BYTES) -> LabelledGraph:
    """Return the labelled graph in the `.xpg` file at *path*, named after the file.

    Raises the errors of :func:`xpgcheck.readers.files.read_bytes` and of :func:`parse_xpg`, each naming the file.
    """
    data = read_bytes(path, max_bytes)
    try:
        return parse_xpg(data, Path(path).stem)
    except XpgcheckError as error:
        raise error.at(place_of(path)) from None


def parse_xpg(data: bytes, name: str) -> LabelledGraph:
    """Return the labelled graph that *data* holds; variables are numbered by where ``VarDef:`` first names them.

    Raises ``FormatError`` with the line where *data* breaks the format, ``LabelError`` where the graph breaks the
    definition of explanation graphs.  Linear.
    """
    with no_cycle_collection():
        sections = _Sections(decode_utf8(data))
        terminals = _terminals(sections)
        edges = _edges(sections, terminals)
        variables, variable_of = _variables(sections, edges)
        nodes: dict[NodeId, LabelledNode] = {node: (variable_of[node], tuple(pairs)) for node, pairs in edges.items()}
        nodes |= terminals
        line, count = sections.number("NN:")
        if count != len(nodes):
            problem = f"NN: says {count} nodes, {len(nodes)} are defined"
            raise FormatError(problem, place=f"line {line}", mend="correct the number")
        return labelled_graph(name, variables, nodes, sections.number("Root:")[1])


class _Sections:
    """The lines of each section, and what stands on its heading after the colon."""

    def __init__(self, text: str) -> None:
        self.heading: dict[str, Line] = {}
        self.lines: dict[str, list[Line]] = {}
        current = ""
        last = 0
        for number, raw in enumerate(_NEWLINE.split(text), 1):
            line = raw.strip()
            if not line or line.startswith("#"):
                continue
            last = number
            expected = SECTIONS[len(self.heading)] if len(self.heading) < len(SECTIONS) else ""
            found = next((section for section in SECTIONS if line.startswith(section)), "")
            if found and found == expected:
                current = found
                self.heading[found] = (number, line[len(found) :])
                self.lines[found] = []
            elif found or current not in ("TDef:", "NTDef:", "VarDef:"):
                problem = f"{shown(line, 40)} stands where {expected or 'no section'} is expected"
                raise FormatError(problem, place=f"line {number}", mend=f"write the sections {' '.join(SECTIONS)}")
            else:
                self.lines[current].append((number, line))
        if len(self.heading) < len(SECTIONS):
            problem = f"the file ends before {SECTIONS[len(self.heading)]}"
            mend = f"write the sections {' '.join(SECTIONS)}"
            raise FormatError(problem, place=f"line {last + 1}", mend=mend)

    def number(self, section: str) -> tuple[int, int]:
        line, text = self.heading[section]
        return line, _number(text.strip(), line)

    def numbers(self, section: str) -> tuple[int, list[int]]:
        line, text = self.heading[section]
        return line, [_number(part, line) for part in text.split()]

    def rows(self, section: str, width: int, shape: str) -> list[tuple[int, list[int]]]:
        rows = []
        for line, text in self.lines[section]:
            parts = text.split()
            if len(parts) != width:
                problem = f"{shown(text, 40)} is not of the form {shape}"
                raise FormatError(problem, place=f"line {line}", mend=f"write {width} numbers")
            rows.append((line, [_number(part, line) for part in parts]))
        return rows


def _number(text: str, line: int) -> int:
    if not _NUMBER.fullmatch(text):
        raise FormatError(f"{shown(text, 40)} is not an integer", place=f"line {line}", mend="write an integer")
    return int(text)


def _label(number: int, line: int) -> bool:
    if number not in (0, 1):
        raise FormatError(f"the label is {number}", place=f"line {line}", mend="write 0 or 1")
    return number == 1


def _terminals(sections: _Sections) -> dict[NodeId, LabelledNode]:
    terminals: dict[NodeId, LabelledNode] = {}
    for line, (node, label) in sections.rows("TDef:", 2, "'node label'"):
        if node in terminals:
            raise FormatError(f"terminal {node} is defined twice", place=f"line {line}", mend="define it once")
        terminals[node] = _label(label, line)
    _same_nodes(sections, "T:", "TDef:", terminals)
    return terminals


def _edges(sections: _Sections, terminals: Mapping[NodeId, object]) -> Edges:
    edges: Edges = {}
    rows = sections.rows("NTDef:", 3, "'node child label'")
    for line, (node, child, label) in rows:
        if node in terminals:
            problem = f"node {node} is a terminal and has an edge"
            raise FormatError(problem, place=f"line {line}", mend="remove the edge or the terminal")
        edges.setdefault(node, []).append((child, _label(label, line)))
    _same_nodes(sections, "NT:", "NTDef:", edges)
    defined = terminals.keys() | edges.keys()
    for line, (_, child, _) in rows:
        if child not in defined:
            raise FormatError(f"there is no node {child}", place=f"line {line}", mend="define it or correct the edge")
    return edges


def _variables(sections: _Sections, edges: Edges) -> tuple[list[str], dict[NodeId, int]]:
    index: dict[str, int] = {}
    variable_of: dict[NodeId, int] = {}
    for line, text in sections.lines["VarDef:"]:
        # The name is the rest of the line as it stands.
        first, *rest = text.split(maxsplit=1)
        node = _number(first, line)
        if node not in edges:
            raise FormatError(f"node {node} is no non-terminal", place=f"line {line}", mend="remove the line")
        if node in variable_of:
            raise FormatError(f"node {node} has two variables", place=f"line {line}", mend="give it one")
        name = "".join(rest)
        check_name("variable", name, f"line {line}")
        variable_of[node] = index.setdefault(name, len(index))
    line, count = sections.number("NV:")
    without = next((node for node in edges if node not in variable_of), None)
    if without is not None:
        place = f"line {sections.heading['VarDef:'][0]}"
        raise FormatError(f"node {without} has no variable", place=place, mend="name its variable under VarDef:")
    # A larger number is legal: variables that no node tests, which are in no explanation.
    if count < len(index):
        problem = f"NV: says {count} variables, {len(index)} are named"
        raise FormatError(problem, place=f"line {line}", mend="correct the number")
    return list(index), variable_of


def _same_nodes(sections: _Sections, listing: str, section: str, defined: Mapping[NodeId, object]) -> None:
    line, listed = sections.numbers(listing)
    if len(set(listed)) != len(listed):
        raise FormatError(f"{listing} lists a node twice", place=f"line {line}", mend="list each node once")
    for node in sorted(defined.keys() ^ listed, key=str):
        where = (listing, section) if node in defined else (section, listing)
        problem = f"node {node} is under {where[1]} but not under {where[0]}"
        raise FormatError(problem, place=f"line {line}", mend="make both name the same nodes")
