"""Binary decision diagrams of the package `dd`: its JSON dumps, and its function objects, as decision graphs.

A dump is one JSON object: ``level_of_var`` (the level of each variable), ``roots`` (a list of references, or an object
from names to references) and one key a node, ``"7": [level, low, high]``.  A reference is a node's number, its negation
for the complement of that node's function, and ``"T"`` or ``"F"`` (among the roots also 1 or −1) for a constant.

A decision graph has no complemented edges, so a function and its complement are two nodes here, ``7`` and ``-7``; the
constants are ``1`` and ``-1``, the numbers that `dd` gives them.  Features are Boolean, one a declared variable, whether
tested or not, in the natural order of their names (x_2 before x_10): the order of the keys in a dump is arbitrary, and
levels change with every reordering.  The classes are "0" and "1".
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from xpgcheck.errors import FormatError, InputError, XpgcheckError, shown
from xpgcheck.model.decision_graph import DecisionGraph, Node, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Feature
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.value_sets import FiniteSet
from xpgcheck.readers.fields import written_once
from xpgcheck.readers.files import DEFAULT_MAX_BYTES, PathLike, decode_utf8, place_of, read_bytes
from xpgcheck.readers.names import check_name
from xpgcheck.readers.pauses import no_cycle_collection

CLASSES = ("0", "1")

FUNCTION_MODULES = ("dd.autoref", "dd.cudd")

_LOW, _HIGH = FiniteSet(frozenset([False])), FiniteSet(frozenset([True]))

Triple = tuple[int, int, int]
"""A node: its variable (a level, or the index of a feature), low and high as references (±1 the constants)."""


def read_dd_json(path: PathLike, *, max_bytes: int = DEFAULT_MAX_BYTES, root: str | int | None = None) -> DecisionGraph:
    """Return the function *root* of the `dd` dump at *path* as a decision graph, named after the file.

    Raises the errors of :func:`xpgcheck.readers.files.read_bytes` and of :func:`parse_dd_json`, each naming the file.
    """
    data = read_bytes(path, max_bytes)
    try:
        return parse_dd_json(data, Path(path).stem, root)
    except XpgcheckError as error:
        raise error.at(place_of(path)) from None


def parse_dd_json(data: bytes, name: str, root: str | int | None = None) -> DecisionGraph:
    """Return the function *root* of the dump *data* as a decision graph called *name*.  Needs no `dd`.

    *root* is a name where the dump names its roots, else a position from 0; it may be left out where there is one root.
    Raises ``FormatError`` that names the node where *data* is no dump, and where `dd` could not have written it: a node
    that is missing, on a wrong level, needless, there twice or reached from no root.  ``InputError`` for an unknown
    *root*.  Linear but for sorting the names, and without recursion.
    """
    check_name("model", name)
    with no_cycle_collection():
        dump = _decode(data)
        levels = _levels(dump.pop("level_of_var", None))
        roots = _roots(dump.pop("roots", None))
        at = _nodes(dump, levels, roots)
        chosen = _chosen(roots, root)
        names = sorted(levels.values(), key=natural_order)
        position = {variable: index for index, variable in enumerate(names)}
        feature_at = {level: position[variable] for level, variable in levels.items()}
        features = [Feature(variable, Boolean()) for variable in names]
        # Levels grow along every path and both values have an edge: assumptions (i) and (ii) hold by construction.
        return _graph(name, features, CLASSES, {n: (feature_at[t[0]], t[1], t[2]) for n, t in at.items()}, chosen)


def from_dd(
    bdd: Any, u: Any, *, name: str = "bdd", features: Sequence[str] | None = None, classes: Sequence[str] = CLASSES
) -> DecisionGraph:
    """Return the function *u* of the manager *bdd* (``dd.autoref`` or ``dd.cudd``) as a decision graph.

    *features* are the names of variables in the order wanted (all that *u* depends on); the default is every declared
    variable in natural order.  *classes* are the names of false and true.  Nodes are numbered from 2 by where they are
    first met, so equal functions under one order give equal graphs; the complement of node 7 is −7.

    Raises ``InputError`` where *bdd* or *u* is something else, *u* belongs to another manager, or *features* leaves a
    variable out.  Linear in the nodes of *u*, and without recursion.
    """
    _check_function(bdd, u)
    check_name("model", name)
    names = sorted(map(str, bdd.vars), key=natural_order) if features is None else list(features)
    for variable in names:
        check_name("feature", variable)
    position = {variable: index for index, variable in enumerate(names)}
    number: dict[int, int] = {}
    at: dict[int, Triple] = {}
    waiting: list[tuple[int, Any]] = []

    def reference(function: Any) -> int:
        if function.var is None:
            return 1 if function == bdd.true else -1
        plain = ~function if function.negated else function
        key = int(plain)
        if key not in number:
            number[key] = len(number) + 2
            waiting.append((number[key], plain))
        return -number[key] if function.negated else number[key]

    root = reference(u)
    while waiting:
        own, function = waiting.pop()
        if function.var not in position:
            problem = f"the function depends on the variable {shown(function.var)}, which is not among the features"
            raise InputError(problem, mend="list every variable that it depends on")
        at[own] = (position[function.var], reference(function.low), reference(function.high))
    return _graph(name, [Feature(variable, Boolean()) for variable in names], classes, at, root)


def natural_order(name: str) -> tuple[tuple[str | int, ...], str]:
    """Return the key that sorts *name* naturally: runs of digits by their number, so that x_2 comes before x_10."""
    parts = re.split(r"([0-9]+)", name)
    return tuple(int(part) if index % 2 else part for index, part in enumerate(parts)), name


def _graph(
    name: str, features: Sequence[Feature], classes: Sequence[str], at: Mapping[int, Triple], root: int
) -> DecisionGraph:
    """Resolve complemented edges: each (node, sign) that *root* reaches becomes a node."""
    if not features:
        raise FormatError("no variable is declared", mend="declare at least one, every model has a feature")
    nodes: dict[NodeId, Node] = {}
    stack = [root]
    while stack:
        key = stack.pop()
        if key in nodes:
            continue
        if key in (1, -1):
            nodes[key] = Terminal(int(key > 0))
            continue
        feature, low, high = at[abs(key)]
        if key < 0:
            low, high = -low, -high
        nodes[key] = NonTerminal(feature, ((low, _LOW), (high, _HIGH)))
        stack += (high, low)
    return decision_graph(name, features, classes, nodes, root)


def _check_function(bdd: Any, u: Any) -> None:
    for what, thing, kind in (("the manager", bdd, "BDD"), ("the function", u, "Function")):
        found = type(thing)
        if found.__module__ not in FUNCTION_MODULES or found.__name__ != kind:
            problem = f"{what} is a {shown(f'{found.__module__}.{found.__qualname__}')}"
            mend = f"pass a manager and a function of {' or '.join(FUNCTION_MODULES)}"
            raise InputError(problem, mend=mend)
    if type(bdd).__module__ != type(u).__module__ or u.bdd is not bdd:
        raise InputError("the function belongs to another manager", mend="pass the manager that made it: u.bdd")


def _decode(data: bytes) -> dict[str, Any]:
    text = decode_utf8(data)
    if not text.strip():
        raise FormatError("the file is empty", mend="dump the function again with bdd.dump('file.json', roots)")
    try:
        dump = json.loads(text, object_pairs_hook=written_once, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        if not text[error.pos :].strip():
            raise FormatError("the JSON breaks off here", place=place, mend="dump the function again") from None
        raise FormatError(f"this is not JSON ({error.msg})", place=place, mend="correct the JSON here") from None
    except RecursionError:
        raise FormatError("the JSON is nested too deeply", mend="pass a dump as dd writes it") from None
    except FormatError:
        raise
    except ValueError:
        raise FormatError("an integer has too many digits", mend="pass a dump as dd writes it") from None
    if not isinstance(dump, dict):
        raise FormatError("this is no object", place="$", mend="pass a dump as dd writes it")
    return dump


def _refuse_constant(text: str) -> None:
    raise FormatError(f"{text} is no JSON number", mend="pass a dump as dd writes it")


def _levels(raw: object) -> dict[int, str]:
    """Return the variable of each level."""
    place = "level_of_var"
    if raw is None:
        raise FormatError("the levels of variables are missing", place=place, mend="pass a dump as dd writes it")
    if not isinstance(raw, dict):
        raise FormatError("this is no object", place=place, mend="write the level of each variable")
    levels: dict[int, str] = {}
    for variable, level in raw.items():
        check_name("variable", variable, place)
        if type(level) is not int or level < 0:
            problem = f"the level of {shown(variable)} is {shown(json.dumps(level))}"
            raise FormatError(problem, place=place, mend="write an integer from 0 up")
        if level in levels:
            problem = f"{shown(levels[level])} and {shown(variable)} share the level {level}"
            raise FormatError(problem, place=place, mend="give each variable its own level")
        levels[level] = variable
    return levels


def _roots(raw: object) -> dict[str, int]:
    """Return the roots by name; those of a list are named by their positions."""
    place = "roots"
    if isinstance(raw, list):
        named: dict[str, object] = {str(position): reference for position, reference in enumerate(raw)}
    elif isinstance(raw, dict):
        named = raw
    else:
        problem = "there are no roots" if raw is None else "this is neither a list nor an object"
        raise FormatError(problem, place=place, mend="pass a dump as dd writes it")
    if not named:
        raise FormatError("there are no roots", place=place, mend="dump at least one function")
    # Places are put together for wrong references only: a dump can have a root a node.
    return {
        name: reference if type(reference) is int and reference else _reference(reference, f"root {shown(name)}")
        for name, reference in named.items()
    }


def _reference(raw: object, place: str) -> int:
    if raw == "T":
        return 1
    if raw == "F":
        return -1
    if type(raw) is not int or not raw:
        problem = f"{shown(json.dumps(raw))} refers to no node"
        raise FormatError(problem, place=place, mend='write the number of a node, its negation, "T" or "F"')
    return raw


def _nodes(dump: Mapping[str, Any], levels: Mapping[int, str], roots: Mapping[str, int]) -> dict[int, Triple]:
    """Return the nodes by number, after checking what `dd` promises of them."""
    at: dict[int, Triple] = {}
    for key, raw in dump.items():
        # Most nodes are right: build names of places only for those that are not.
        if not (key.isascii() and key.isdigit() and len(key) < 30 and key[0] != "0" and key != "1"):
            problem = f"the key {shown(key)} is not the number of a node"
            raise FormatError(problem, mend="write an integer from 2 up, 1 being the constant")
        if type(raw) is not list or len(raw) != 3:
            raise FormatError("this is not of the form [level, low, high]", place=f"node {key}", mend="write it so")
        level, low, high = raw
        if type(level) is not int or level not in levels:
            problem = f"no variable has the level {shown(json.dumps(level))}"
            raise FormatError(problem, place=f"node {key}", mend="correct it, or add the variable to level_of_var")
        if type(low) is not int or type(high) is not int or not low or not high:
            low, high = _reference(low, f"node {key}, low"), _reference(high, f"node {key}, high")
        at[int(key)] = (level, low, high)
    top = {1: max(levels, default=0) + 1, **{number: node[0] for number, node in at.items()}}
    for number, (level, low, high) in at.items():
        for side, child in (("low", low), ("high", high)):
            below = top.get(abs(child))
            if below is None or below <= level:
                _refuse_child(f"node {number}, {side}", child, level, below)
    _refuse_unreduced(at)
    _refuse_lost(at, roots)
    return at


def _refuse_child(place: str, child: int, level: int, below: int | None) -> None:
    if below is None:
        mend = "the dump is incomplete: dump the function again"
        raise FormatError(f"node {abs(child)} is missing", place=place, mend=mend)
    problem = f"node {abs(child)} is on level {below}, not below this node's level {level}"
    raise FormatError(problem, place=place, mend="correct the level or the edge: levels grow along every path")


def _refuse_unreduced(at: Mapping[int, Triple]) -> None:
    """Refuse what is not reduced: `dd` never writes it, so the file has been changed, or is of another kind (a ZDD)."""
    known: dict[Triple, int] = {}
    for number, node in at.items():
        if node[1] == node[2]:
            raise _unreduced(number, "low and high are the same", "remove the node")
        if node[2] < 0:
            raise _unreduced(number, "high is complemented", "complement the node and both edges instead")
        first = known.setdefault(node, number)
        if first != number:
            raise _unreduced(number, f"it equals node {first}", "keep one of them")


def _unreduced(number: int, problem: str, mend: str) -> FormatError:
    return FormatError(f"the diagram is not reduced: {problem}", place=f"node {number}", mend=mend)


def _refuse_lost(at: Mapping[int, Triple], roots: Mapping[str, int]) -> None:
    reached: set[int] = {1}
    for name, root in roots.items():
        if abs(root) != 1 and abs(root) not in at:
            mend = "the dump is incomplete (or of a constant, which dd.cudd dumps by its address): dump it again"
            raise FormatError(f"node {abs(root)} is missing", place=f"root {shown(name)}", mend=mend)
        stack = [abs(root)]
        while stack:
            number = stack.pop()
            if number not in reached:
                reached.add(number)
                _, low, high = at[number]
                stack += (abs(low), abs(high))
    lost = next((number for number in at if number not in reached), None)
    if lost is not None:
        raise FormatError("no root reaches this node", place=f"node {lost}", mend="remove it or add its root")


def _chosen(roots: Mapping[str, int], root: str | int | None) -> int:
    listed = ", ".join(shown(name, 40) for name in list(roots)[:10]) + (", …" if len(roots) > 10 else "")
    if root is None:
        if len(roots) > 1:
            raise InputError(f"there are {len(roots)} roots", place="roots", mend=f"choose one by name: {listed}")
        return next(iter(roots.values()))
    if str(root) not in roots:
        raise InputError(f"there is no root {shown(root)}", place="roots", mend=f"choose one of {listed}")
    return roots[str(root)]
