"""Foreign text, and points of feature space, as the line protocol writes and reads them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from xpgcheck.errors import InputError, printable
from xpgcheck.model.classifier import Classifier
from xpgcheck.model.domains import Boolean, Categorical, Domain, Integer, Real, exact_number
from xpgcheck.model.value_sets import value_text
from xpgcheck.model.values import MISSING, Value


def one_line(text: object, limit: int = 300) -> str:
    """Return *text* on one line, without characters that control how it is shown, and cut; quotes stay as they are."""
    plain = " ".join(str(text).split())
    plain = printable(plain)
    return plain if len(plain) <= limit else plain[: limit - 1] + "…"


def point_texts(graph: Classifier, point: Sequence[Any]) -> dict[str, str]:
    """Return the values of *point* as texts by the names of features; *point* may be no point of feature space.

    A value of another type than its domain's is written so that it reads as no value; values beyond the last feature
    have made-up names.  So a check of the point sees as much of what is wrong as JSON can say.
    """
    names = [feature.name for feature in graph.features]
    texts: dict[str, str] = {}
    for position, value in enumerate(point):
        if position < len(names):
            texts[names[position]] = _text(graph.features[position].domain, value)
        else:
            # Longer than any name can be.
            texts[f"value {position} ".ljust(201, ".")] = one_line(repr(value))
    return texts


def _text(domain: Domain, value: Any) -> str:
    if isinstance(domain, Boolean):
        fits = isinstance(value, bool)
    elif isinstance(domain, Categorical):
        fits = isinstance(value, str)
    elif isinstance(domain, Integer):
        fits = (isinstance(value, int) and not isinstance(value, bool)) or value is MISSING
    else:
        fits = isinstance(value, Fraction) or value is MISSING
    return value_text(value) if fits else f"{one_line(repr(value))} ({type(value).__name__})"


def read_point(graph: Classifier, texts: Mapping[str, str]) -> tuple[Any, ...]:
    """Return the point that *texts* writes, for someone who checks it: nothing is rounded, and nothing refused.

    A text that is not a value of its domain stays a text, so it is no value there either; a feature without a text is left
    out and one that *graph* does not have is added, so the point then has another number of values.
    """
    names = {feature.name for feature in graph.features}
    point = [read_exactly(f.domain, texts[f.name]) for f in graph.features if f.name in texts]
    return (*point, *(text for name, text in texts.items() if name not in names))


def read_exactly(domain: Domain, text: str) -> Value:
    """Return the value that *text* writes, in *domain* or not, without rounding; *text* itself where it writes none."""
    if isinstance(domain, Categorical):
        return text
    if isinstance(domain, Boolean):
        return {"0": False, "1": True}.get(text, text)
    if not isinstance(domain, Real) and text == "missing":
        return MISSING
    try:
        number = exact_number(text)
    except InputError:
        return text
    whole = isinstance(domain, Integer) and number.denominator == 1
    return number.numerator if whole else number
