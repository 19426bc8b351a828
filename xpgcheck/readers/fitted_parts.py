"""Fitted transformers, whether objects or records of a file: their attributes by name, each of its type."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from xpgcheck.errors import InputError

RawCell = str | int | float | bool | None
"""A value as NumPy and JSON have it: nothing is None or NaN."""


class FittedPart(Protocol):
    """A fitted transformer, or a pipeline of some.  Methods raise ``FormatError`` where an attribute is of another type."""

    kind: str
    """The name of its class."""
    module: str
    """The module of its class."""

    def has(self, key: str) -> bool:
        """Tell whether there is an attribute *key* that is not None."""

    def constant(self, key: str) -> RawCell:
        """Return an attribute that is None, a Boolean, a number or a text."""

    def constants(self, key: str) -> list[RawCell]:
        """Return the values of an array, a list or a tuple."""

    def lists(self, key: str) -> list[list[RawCell] | None]:
        """Return the values of each array or list in a list, None where one is None."""

    def dtype(self, key: str) -> str:
        """Return the name of an attribute that is a NumPy type, such as ``float64``; "" where there is none."""

    def child(self, key: str) -> FittedPart:
        """Return an attribute that is a fitted part."""

    def steps(self) -> list[tuple[str, FittedPart | str | None]]:
        """Return the steps of a pipeline, each with its name; a text or None is one that passes everything."""

    def transformers(self) -> list[ColumnsPart]:
        """Return the transformers of a ``ColumnTransformer``, in the order of its output."""

    def weights(self) -> dict[str, float]:
        """Return by what the outputs of the transformers of a ``ColumnTransformer`` are multiplied, by their names."""


@dataclass(frozen=True, slots=True)
class ColumnsPart:
    """A transformer of some columns: the columns are indices.  A text is ``drop`` or ``passthrough``."""

    name: str
    part: FittedPart | str
    columns: list[int]


class PartObject:
    """A fitted transformer in memory."""

    def __init__(self, value: Any) -> None:
        self.kind = type(value).__name__
        self.module = type(value).__module__
        self.value = value

    def has(self, key: str) -> bool:
        """Tell whether there is an attribute *key* that is not None."""
        return getattr(self.value, key, None) is not None

    def constant(self, key: str) -> RawCell:
        """Return an attribute that is None, a Boolean, a number or a text."""
        return self._plain(getattr(self.value, key, None), key)

    def constants(self, key: str) -> list[RawCell]:
        """Return the values of an array, a list or a tuple."""
        return self._list(getattr(self.value, key), key)

    def lists(self, key: str) -> list[list[RawCell] | None]:
        """Return the values of each array or list in a list, None where one is None."""
        return [None if own is None else self._list(own, key) for own in getattr(self.value, key)]

    def dtype(self, key: str) -> str:
        """Return the name of a NumPy type."""
        found = getattr(self.value, key, None)
        if found is None:
            return ""
        import numpy

        return str(numpy.dtype(found).name)

    def child(self, key: str) -> PartObject:
        """Return an attribute that is a fitted part."""
        return PartObject(getattr(self.value, key))

    def steps(self) -> list[tuple[str, FittedPart | str | None]]:
        """Return the steps of a pipeline."""
        return [(str(name), self._part(step)) for name, step in self.value.steps]

    def transformers(self) -> list[ColumnsPart]:
        """Return the transformers of a ``ColumnTransformer``."""
        indices = self.value._transformer_to_input_indices
        return [
            ColumnsPart(str(name), self._part(part) or "passthrough", [int(i) for i in indices.get(name, [])])
            for name, part, _ in self.value.transformers_
        ]

    def weights(self) -> dict[str, float]:
        """Return the weights of a ``ColumnTransformer``."""
        return {str(name): float(weight) for name, weight in (self.value.transformer_weights or {}).items()}

    @staticmethod
    def _part(value: Any) -> FittedPart | str | None:
        return value if value is None or isinstance(value, str) else PartObject(value)

    def _list(self, values: Any, key: str) -> list[RawCell]:
        plain = values.tolist() if hasattr(values, "tolist") else list(values)
        return [self._plain(value, key) for value in plain]

    def _plain(self, value: Any, key: str) -> RawCell:
        if hasattr(value, "dtype") and hasattr(value, "item"):
            value = value.item()
        if type(value).__name__ == "NAType":
            return None
        if value is None or isinstance(value, (str, int, float, bool)):
            return value
        problem = f"{key!r} has a value of type {type(value).__name__!r}, which is no text and no number"
        raise InputError(problem, mend="make the values of that column texts or numbers, and fit again")
