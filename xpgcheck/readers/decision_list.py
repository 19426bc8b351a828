"""Decision lists in a small text format (`.dl`), one line a declaration or a rule::

    # play tennis?
    feature outlook: sunny, overcast, rain
    feature windy: boolean
    class no, yes
    IF outlook = sunny AND windy = 1 THEN no
    IF outlook != rain THEN yes
    ELSE no

The first rule whose antecedent holds decides; the last line, ``ELSE class``, is the default rule and always holds
(``THEN class`` and ``IF TRUE THEN class`` say the same).  ``==`` is read as ``=``, and ``THEN y = class`` as
``THEN class``, so that what Orange prints of rules over discrete features is read too.  Names with spaces or any of
``, : = ! "`` stand in double quotes, a quote inside doubled.  Keywords may be of any case.  Lines that start with
``#`` and empty lines are left out.

Declarations come first and may be left out.  Without ``feature`` lines, the features are those that the rules test,
natural order of their names, and all are Boolean.  Without a ``class`` line the classes are those that the rules
predict, in natural order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from xpgcheck.errors import FormatError, InputError, XpgcheckError, shown
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.domains import Boolean, Categorical, Feature, read_value
from xpgcheck.model.values import Value
from xpgcheck.readers.dd_bdd import natural_order
from xpgcheck.readers.decision_list_graph import DEFAULT_NODE_LIMIT, DecisionList, ListRule, decision_list_graph
from xpgcheck.readers.files import DEFAULT_MAX_BYTES, PathLike, decode_utf8, place_of, read_bytes
from xpgcheck.readers.names import check_name


def read_decision_list(
    path: PathLike, *, max_bytes: int = DEFAULT_MAX_BYTES, limit: int = DEFAULT_NODE_LIMIT
) -> DecisionGraph:
    """Return the decision list at *path* as a decision graph, named after the file.

    Raises the errors of :func:`xpgcheck.readers.files.read_bytes` and of :func:`parse_decision_list`, each naming the
    file.
    """
    data = read_bytes(path, max_bytes)
    try:
        return parse_decision_list(data, Path(path).stem, limit)
    except XpgcheckError as error:
        raise error.at(place_of(path)) from None


def parse_decision_list(data: bytes, name: str, limit: int = DEFAULT_NODE_LIMIT) -> DecisionGraph:
    """Return the decision list in *data* as a decision graph called *name*.

    Raises ``FormatError`` that names the line, and ``LimitError`` where the graph would be too large (see
    :func:`~xpgcheck.readers.decision_list_graph.decision_list_graph`).
    """
    return decision_list_graph(parse_rules(data, name), limit)


def parse_rules(data: bytes, name: str) -> DecisionList:
    """Return the decision list in *data* as it stands, its rules in order.  Raises ``FormatError``.  Linear."""
    check_name("model", name)
    draft = _Draft()
    number = 0
    for number, text in enumerate(_NEWLINE.split(decode_utf8(data)), 1):
        if text.strip() and not text.lstrip().startswith("#"):
            draft.take(_Line(number, text))
    if not draft.rules or draft.rules[-1].conditions:
        mend = "end the list with 'ELSE class'"
        raise FormatError("there is no default rule", place=f"line {number}", mend=mend)
    features = draft.resolved_features()
    classes = draft.resolved_classes()
    index = {feature.name: position for position, feature in enumerate(features)}
    rules = tuple(_rule(rule, features, index, classes) for rule in draft.rules)
    return DecisionList(name, tuple(features), tuple(classes), rules)


@dataclass(frozen=True, slots=True)
class _Condition:
    feature: str
    negated: bool
    value: str


@dataclass(frozen=True, slots=True)
class _RawRule:
    line: int
    conditions: tuple[_Condition, ...]
    prediction: str


class _Word(str):
    """A word of a line; ``plain`` is False where it stood in quotes and so is no keyword and no symbol."""

    plain = True


class _Quoted(_Word):
    plain = False


class _Line:
    """The words of one line, taken from the left.  Scanned character by character, in linear time."""

    def __init__(self, number: int, text: str) -> None:
        self.place = f"line {number}"
        self.number = number
        self._words = list(self._scan(text))
        self._next = 0

    def at_end(self) -> bool:
        return self._next == len(self._words)

    def peek(self, *keywords: str) -> bool:
        """Tell whether one of *keywords* (or symbols) comes next."""
        if self.at_end():
            return False
        word = self._words[self._next]
        return word.plain and word.lower() in keywords

    def skip(self, *keywords: str) -> bool:
        """Take one of *keywords* if it comes next; tell whether it did."""
        found = self.peek(*keywords)
        self._next += found
        return found

    def expect(self, *keywords: str) -> None:
        if not self.skip(*keywords):
            raise self.wrong(" or ".join(word.upper() for word in keywords))

    def name(self, what: str) -> _Word:
        """Take a name: of a feature, a class or a category."""
        if self.at_end() or (self._words[self._next].plain and self._words[self._next] in _SYMBOLS):
            raise self.wrong(f"the name of a {what}")
        word = self._words[self._next]
        if word.plain and word.lower() in _KEYWORDS:
            raise self.wrong(f"the name of a {what}", f'put a name that is a keyword in quotes: "{word}"')
        check_name(what, word, self.place)
        self._next += 1
        return word

    def names(self, what: str) -> list[_Word]:
        """Take names separated by commas, up to the end of the line."""
        found = [self.name(what)]
        while self.skip(","):
            found.append(self.name(what))
        self.end()
        return found

    def end(self) -> None:
        if not self.at_end():
            raise self.wrong("the end of the line")

    def wrong(
        self, expected: str, mend: str = 'put names with spaces or one of , : = ! in quotes: "a, b"'
    ) -> FormatError:
        found = "the line ends" if self.at_end() else f"{shown(self._words[self._next], 40)} stands"
        return FormatError(f"{found} where {expected} is expected", place=self.place, mend=mend)

    def _scan(self, text: str) -> Iterator[_Word]:
        position = 0
        while position < len(text):
            character = text[position]
            if character.isspace():
                position += 1
            elif character == '"':
                word, position = self._quoted(text, position + 1)
                yield word
            elif text.startswith(("==", "!="), position):
                yield _Word(text[position : position + 2])
                position += 2
            elif character in "=,:":
                yield _Word(character)
                position += 1
            else:
                end = position + 1
                while end < len(text) and text[end] not in '"=!,:' and not text[end].isspace():
                    end += 1
                yield _Word(text[position:end])
                position = end

    def _quoted(self, text: str, position: int) -> tuple[_Quoted, int]:
        parts: list[str] = []
        while True:
            end = text.find('"', position)
            if end < 0:
                raise FormatError(
                    "a quote is not closed", place=self.place, mend='close it; write a quote inside as ""'
                )
            parts.append(text[position:end])
            if not text.startswith('"', end + 1):
                return _Quoted('"'.join(parts)), end + 1
            position = end + 2


_NEWLINE = re.compile("\r\n|\r|\n")
_SYMBOLS = frozenset(("=", "==", "!=", ",", ":"))
_KEYWORDS = frozenset(("if", "and", "then", "else", "feature", "class"))


class _Draft:
    """The lines so far: names are resolved when all are known."""

    def __init__(self) -> None:
        self.features: dict[str, Feature] = {}
        self.classes: list[str] = []
        self.rules: list[_RawRule] = []

    def take(self, line: _Line) -> None:
        if line.skip("feature"):
            self._before_rules(line)
            self._feature(line)
        elif line.skip("class"):
            self._before_rules(line)
            self._classes(line)
        elif line.peek("if", "then", "else"):
            self._rule(line)
        else:
            mend = "start each line with feature, class, IF, ELSE or #"
            raise line.wrong("FEATURE, CLASS, IF or ELSE", mend)

    def resolved_features(self) -> list[Feature]:
        """Return the declared features, or else those that the rules test as Boolean ones."""
        if self.features:
            return list(self.features.values())
        tested = {condition.feature for rule in self.rules for condition in rule.conditions}
        if not tested:
            raise FormatError("there are no features", mend="declare one: feature x: boolean")
        return [Feature(name, Boolean()) for name in sorted(tested, key=natural_order)]

    def resolved_classes(self) -> list[str]:
        """Return the declared classes, or else those that the rules predict."""
        return self.classes or sorted({rule.prediction for rule in self.rules}, key=natural_order)

    def _before_rules(self, line: _Line) -> None:
        if self.rules:
            raise FormatError("a declaration after a rule", place=line.place, mend="declare everything first")

    def _feature(self, line: _Line) -> None:
        name = line.name("feature")
        if name in self.features:
            raise FormatError(f"feature {shown(name)} is declared twice", place=line.place, mend="declare it once")
        line.expect(":")
        if line.skip("boolean"):
            line.end()
            self.features[name] = Feature(str(name), Boolean())
            return
        values = [str(value) for value in line.names("category")]
        try:
            domain = Boolean() if sorted(values) == ["0", "1"] else Categorical(tuple(values))
        except InputError as error:
            raise error.at(line.place) from None
        self.features[name] = Feature(str(name), domain)

    def _classes(self, line: _Line) -> None:
        if self.classes:
            raise FormatError("the classes are declared twice", place=line.place, mend="keep one class line")
        names = [str(name) for name in line.names("class")]
        if len(set(names)) < len(names):
            raise FormatError("a class is declared twice", place=line.place, mend="list each class once")
        self.classes = names

    def _rule(self, line: _Line) -> None:
        if self.rules and not self.rules[-1].conditions:
            problem = "a rule after the default rule, which always holds"
            raise FormatError(problem, place=line.place, mend="move the rule without conditions to the end")
        conditions: list[_Condition] = []
        if line.skip("else"):
            line.skip("then")
        else:
            if line.skip("if") and not line.skip("true"):
                conditions.append(self._condition(line))
                while line.skip("and"):
                    conditions.append(self._condition(line))
            line.expect("then")
        prediction = line.name("class")
        if line.skip("=", "=="):
            prediction = line.name("class")
        line.end()
        if self.classes and prediction not in self.classes:
            problem = f"the class {shown(prediction)} is not declared"
            raise FormatError(problem, place=line.place, mend="add it to the class line or correct it")
        self.rules.append(_RawRule(line.number, tuple(conditions), str(prediction)))

    def _condition(self, line: _Line) -> _Condition:
        name = line.name("feature")
        negated = line.peek("!=")
        line.expect("=", "==", "!=")
        value = line.name("category")
        if self.features and name not in self.features:
            problem = f"the feature {shown(name)} is not declared"
            raise FormatError(problem, place=line.place, mend="add a feature line for it or correct its name")
        return _Condition(str(name), negated, str(value))


def _rule(raw: _RawRule, features: Sequence[Feature], index: Mapping[str, int], classes: Sequence[str]) -> ListRule:
    """Return *raw* with its conditions on each feature as one set of values."""
    antecedent: dict[int, frozenset[Value]] = {}
    for condition in raw.conditions:
        position = index[condition.feature]
        domain = features[position].domain
        try:
            value = read_value(domain, condition.value)
        except InputError as error:
            place = f"line {raw.line}, feature {shown(condition.feature)}"
            mend = error.mend
            if isinstance(domain, Boolean):
                mend += f", or declare its values: feature {condition.feature}: …"
            raise FormatError(error.problem, place=place, mend=mend) from None
        whole = frozenset(domain.values) if isinstance(domain, Categorical) else frozenset((False, True))
        allowed = whole - {value} if condition.negated else frozenset([value])
        antecedent[position] = antecedent.get(position, whole) & allowed
    return ListRule(antecedent, classes.index(raw.prediction))
