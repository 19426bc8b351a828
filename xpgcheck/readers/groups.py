"""Groups of columns that one categorical column was encoded into, of models that come without their pipeline.

A group says of each category what it has in the columns: 1 in one of them and 0 in the others (one-hot, dummies), 0 in all
for a level that was dropped, a number in one column (ordinal), bits in several (binary).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from xpgcheck.arguments import Rule, takes
from xpgcheck.columns.encoded import EncodedColumn
from xpgcheck.columns.rewriting import rewritten
from xpgcheck.columns.steps import Lookup, TableCell
from xpgcheck.errors import InputError, XpgcheckError, did_you_mean, shown
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Categorical, Feature, read_value
from xpgcheck.model.encodings import Encoding
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.values import Missing
from xpgcheck.readers.column_groups import ColumnGroup, column_groups, one_hot_codes
from xpgcheck.readers.names import NameLookup, check_name

_CLASSIFIER = Rule(
    lambda classifier: isinstance(classifier, (DecisionGraph, Ensemble)),
    "a decision graph or an ensemble",
    "pass what from_sklearn or read_model returns",
)


@takes(classifier=_CLASSIFIER)
def grouped(classifier: DecisionGraph | Ensemble, groups: object) -> DecisionGraph | Ensemble:
    """Return a classifier with each group of its features as one feature, whose values are the categories.

    Parameters
    ----------
    classifier
        A decision graph or an ensemble over encoded columns.
    groups
        The path of a JSON file, a mapping from names to patterns such as ``"housing_*"`` or to what the file has for a
        group, a
        list of patterns, or :class:`ColumnGroup` objects.

    Returns
    -------
    DecisionGraph or Ensemble
        The classifier over the groups; rows may have the categories, or the encoded columns.

    Raises
    ------
    InputError
        A column does not exist, is in two groups, or cannot have a code; the message names the group.

    Examples
    --------
    >>> from xpgcheck.model.decision_graph import NonTerminal, Terminal, decision_graph
    >>> from xpgcheck.model.domains import Boolean, Feature
    >>> from xpgcheck.model.value_sets import FiniteSet
    >>> columns = [Feature(name, Boolean()) for name in ("house_own", "house_rent")]
    >>> edges = ("no", FiniteSet(frozenset([False]))), ("yes", FiniteSet(frozenset([True])))
    >>> nodes = {"top": NonTerminal(0, edges), "no": Terminal(0), "yes": Terminal(1)}
    >>> graph = decision_graph("loan", columns, ["no", "yes"], nodes)
    >>> [feature.name for feature in grouped(graph, ["house_*"]).features]
    ['house']
    """
    found = column_groups(groups)
    names = [feature.name for feature in classifier.features]
    encodings = [(group, _encoding(group, names)) for group in found]
    home: dict[int, int] = {}
    for number, (group, encoding) in enumerate(encodings):
        for column in encoding.columns:
            index = names.index(column)
            if index in home:
                other = found[home[index]].name
                problem = f"the column {shown(column)} is in the group {shown(other)}, too"
                raise InputError(problem, place=_place(group), mend="put each column into one group")
            home[index] = number
    return _rewritten(classifier, encodings, home)


Resolved = tuple[ColumnGroup, Encoding]
"""A group as it was said, and what it is in the model."""


def _rewritten(
    classifier: DecisionGraph | Ensemble, encodings: Sequence[Resolved], home: Mapping[int, int]
) -> DecisionGraph | Ensemble:
    features: list[Feature] = []
    columns: list[EncodedColumn] = []
    position: dict[int, int] = {}
    for index, feature in enumerate(classifier.features):
        number = home.get(index)
        if number is None:
            columns.append(EncodedColumn(len(features)))
            features.append(feature)
            continue
        group, encoding = encodings[number]
        if number not in position:
            position[number] = len(features)
            features.append(_feature(group, encoding))
        place = encoding.columns.index(feature.name)
        codes: dict[TableCell, float | Missing] = {
            name: _code(group, code[place], feature)
            for name, code in zip(encoding.categories, encoding.codes, strict=True)
        }
        # The cells of a single column are its codes already.
        columns.append(EncodedColumn(position[number], (Lookup(codes),) if len(encoding.columns) > 1 else ()))
    twice = next((f.name for i, f in enumerate(features) if f.name in [other.name for other in features[:i]]), None)
    if twice is not None:
        group = next(own for own, _ in encodings if own.name == twice)
        raise InputError(
            f"there is a feature {shown(twice)} already", place=_place(group), mend="give the group another name"
        )
    return rewritten(classifier, columns, features)


def _feature(group: ColumnGroup, encoding: Encoding) -> Feature:
    """Return the feature of *group*; a table may have the codes of a single column instead of its categories."""
    cells = tuple([code[0] for code in encoding.codes]) if len(encoding.columns) == 1 else ()
    return Feature(group.name, Categorical(encoding.categories, cells), encoding)


def _code(group: ColumnGroup, code: Fraction, column: Feature) -> float:
    """Return *code* as a float, after a look whether the domain of its *column* has it."""
    try:
        read_value(column.domain, code)
    except XpgcheckError:
        problem = f"{code} is not a value of the column {shown(column.name)}, which has {column.domain}"
        raise InputError(problem, place=_place(group), mend="correct the codes") from None
    return float(code)


def _place(group: ColumnGroup) -> str:
    return group.place or f"group {shown(group.name)}"


def _encoding(group: ColumnGroup, names: Sequence[str]) -> Encoding:
    """Return the columns, codes and categories of *group* in a model whose features are *names*."""
    place = _place(group)
    if group.prefix:
        columns = [name for name in names if name.startswith(group.prefix) and len(name) > len(group.prefix)]
        if not columns:
            problem = f"no column starts with {shown(group.prefix)}"
            mend = did_you_mean(group.prefix, names) or "correct the prefix"
            raise InputError(problem, place=place, mend=mend)
        codes = one_hot_codes([name[len(group.prefix) :] for name in columns])
    else:
        columns, codes = _found(group, names), list(group.codes)
    categories = [category for category, _ in codes]
    if group.dropped is not None:
        codes.append((group.dropped, (Fraction(0),) * len(columns)))
        categories.append(group.dropped)
    for category in categories:
        check_name("category", category, place)
    _refuse_alike(group, codes)
    return Encoding(tuple(columns), tuple(categories), tuple([code for _, code in codes]))


def _found(group: ColumnGroup, names: Sequence[str]) -> list[str]:
    lookup = NameLookup(names)
    found = []
    for column in group.columns:
        index = lookup.position(column)
        if index is None:
            mend = did_you_mean(column, names) or "correct the name"
            raise InputError(f"the model has no feature {shown(column)}", place=_place(group), mend=mend)
        found.append(names[index])
    return found


def _refuse_alike(group: ColumnGroup, codes: Sequence[tuple[str, tuple[Fraction, ...]]]) -> None:
    names: set[str] = set()
    known: dict[tuple[Fraction, ...], str] = {}
    for category, code in codes:
        if category in names:
            raise InputError(f"the category {shown(category)} is there twice", place=_place(group), mend="name it once")
        if code in known:
            problem = f"the categories {shown(known[code])} and {shown(category)} have the same code"
            raise InputError(problem, place=_place(group), mend="give each category its own")
        names.add(category)
        known[code] = category
