"""The canonical texts of a certificate: the same graph, instance and sets always give the same bytes.

JSON Lines in UTF-8: fixed keys in a fixed order, no blanks, nothing escaped that need not be.  Lists are joined here
rather than by :mod:`json`, which would take longer than finding the evidence.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache

from xpgcheck.errors import FormatError, shown
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Categorical
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.value_sets import number_text
from xpgcheck.model.values import MISSING, Point, Value
from xpgcheck.readers.names import MAX_NAME_LENGTH
from xpgcheck.writers.json_model import MAX_JSON_INTEGER, classifier_json

FORMAT = "xpgcheck-certificate"
VERSION = 1


def canonical_text(value: object) -> str:
    """Return *value* as JSON text with sorted keys and without blanks."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest_of(text: str) -> str:
    """Return the digest of a canonical text."""
    return "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def header_text(graph: DecisionGraph | Ensemble) -> str:
    """Return the first line of certificates about *graph*: the model itself, and the digest of its canonical text.

    Node k of the certificate is the k-th node of *graph*, or of its tree.  Raises ``FormatError`` as
    :func:`xpgcheck.writers.json_model.classifier_json` does, and where a name is longer than the checker takes.  Linear.
    """
    return _header("model", _model_text(graph))


def constrained_header_text(graph: DecisionGraph | Ensemble, rules: Sequence[object]) -> str:
    """Return the first line of certificates about *graph* under a constraint, as :func:`header_text` does.

    *rules* are the graphs of what can occur.
    """
    return _header("model", _model_text(graph), f',"constraints":{canonical_text(rules)}')


def _model_text(graph: DecisionGraph | Ensemble) -> str:
    for name in (*graph.classes, *(feature.name for feature in graph.features), *_categories(graph)):
        if len(name) > MAX_NAME_LENGTH:
            problem = f"a name has {len(name)} characters, and in certificates at most {MAX_NAME_LENGTH}"
            raise FormatError(problem, place=shown(name, 20), mend="give it a shorter one")
    model = json.loads(classifier_json(graph))
    for feature in model["features"]:
        # How cells of a table are read is not certified.
        feature["domain"] = {key: value for key, value in feature["domain"].items() if key not in ("cells", "unseen")}
    return canonical_text(model)


def _categories(graph: DecisionGraph | Ensemble) -> Iterator[str]:
    for feature in graph.features:
        if isinstance(feature.domain, Categorical):
            yield from feature.domain.values


def formula_header_text(variables: int, clauses: Sequence[Sequence[int]]) -> str:
    """Return the first line of certificates about a formula in CNF over the variables 1 … *variables*."""
    return _header("formula", formula_text(variables, clauses))


def formula_text(variables: int, clauses: Sequence[Sequence[int]]) -> str:
    """Return the canonical text of a formula in CNF over the variables 1 … *variables*."""
    return canonical_text({"variables": variables, "clauses": [list(clause) for clause in clauses]})


def _header(field: str, text: str, more: str = "") -> str:
    return f'{{"format":"{FORMAT}","version":{VERSION},"{field}":{text},"digest":"{digest_of(text)}"{more}}}\n'


def end_text(lines: int) -> str:
    """Return the last line of a certificate with so many *lines* after the header: one that is cut short has none."""
    return f'{{"end":{lines}}}\n'


def value_json(value: Value) -> str:
    """Return *value* as JSON text: 0 or 1, a category, null if it is missing, an integer, any other number as a text."""
    if value is MISSING:
        return "null"
    if isinstance(value, bool):
        return "1" if value else "0"
    if isinstance(value, str):
        return _quoted(value)
    if value.denominator == 1 and abs(value.numerator) < MAX_JSON_INTEGER:
        return str(value.numerator)
    return _number(value)


def instance_json(point: Point) -> str:
    """Return *point* as the JSON list of its values."""
    return f"[{','.join(map(value_json, point))}]"


@lru_cache(maxsize=10_000)
def _number(value: Fraction | int) -> str:
    """Return a number as a JSON text.  Instances share many values, and digits take time."""
    return f'"{number_text(value)}"'


@lru_cache(maxsize=10_000)
def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def class_json(graph: DecisionGraph | Ensemble, class_index: int) -> str:
    """Return the name of a class as JSON text."""
    return _quoted(graph.classes[class_index])


def members_json(features: Sequence[int]) -> str:
    """Return a list of integers as JSON text."""
    return f"[{','.join(map(str, features))}]"
