"""Fitted transformers in a `.skops` file, read as data: no object is made, and nothing that is named is imported."""

from __future__ import annotations

from typing import Any

from xpgcheck.errors import InputError
from xpgcheck.readers.fields import Fields, damaged
from xpgcheck.readers.fitted_parts import ColumnsPart, FittedPart, RawCell
from xpgcheck.readers.skops_records import Archive


class StoredPart:
    """The record of a fitted transformer."""

    def __init__(self, archive: Archive, record: Fields) -> None:
        self.kind = record.text("__class__")
        self.module = record.text("__module__")
        self.record = record
        self._archive = archive
        if record.text("__loader__") == "ObjectNode":
            content = record.fields("content")
            if content.text("__loader__") != "DictNode":
                raise damaged("the attributes are not there", record.place)
            self._attributes = content.fields("content")
        else:
            # A function, or an object that has a way of its own to be stored: known by its name alone.
            self._attributes = Fields({}, record.place)

    def has(self, key: str) -> bool:
        """Tell whether there is an attribute *key* that is not None."""
        if self._attributes.optional(key, dict) is None:
            return False
        record = self._attributes.fields(key)
        return record.text("__loader__") != "JsonNode" or self._archive.constant(record) is not None

    def constant(self, key: str) -> RawCell:
        """Return an attribute that is None, a Boolean, a number or a text."""
        return self._constant(self._attributes.fields(key)) if self._attributes.optional(key, dict) else None

    def constants(self, key: str) -> list[RawCell]:
        """Return the values of an array, a list or a tuple."""
        return self._list(self._attributes.fields(key))

    def lists(self, key: str) -> list[list[RawCell] | None]:
        """Return the values of each array or list in a list, None where one is None."""
        return [
            None if record.text("__loader__") == "JsonNode" else self._list(record)
            for record in self._archive.items(self._attributes.fields(key))
        ]

    def dtype(self, key: str) -> str:
        """Return the name of a NumPy type."""
        if not self.has(key):
            return ""
        record = self._attributes.fields(key)
        if record.text("__loader__") == "TypeNode":
            return record.text("__class__")
        if record.text("__loader__") != "DTypeNode":
            return str(self._constant(record))
        content = record.fields("content")
        return "object" if content.text("type") == "json" else str(self._archive.array(content).dtype.name)

    def child(self, key: str) -> StoredPart:
        """Return an attribute that is a fitted part."""
        return StoredPart(self._archive, self._attributes.fields(key))

    def steps(self) -> list[tuple[str, FittedPart | str | None]]:
        """Return the steps of a pipeline."""
        found: list[tuple[str, FittedPart | str | None]] = []
        for record in self._archive.items(self._attributes.fields("steps")):
            name, step = self._items(record, 2)
            found.append((str(self._constant(name)), self._part(step)))
        return found

    def transformers(self) -> list[ColumnsPart]:
        """Return the transformers of a ``ColumnTransformer``."""
        if self._attributes.optional("_transformer_to_input_indices", dict) is None:
            raise InputError("it does not say which columns it takes", mend="fit it with scikit-learn 1.4 or later")
        indices = self._attributes.fields("_transformer_to_input_indices").fields("content")
        found = []
        for record in self._archive.items(self._attributes.fields("transformers_")):
            own, part, _ = self._items(record, 3)
            name = str(self._constant(own))
            columns = self._list(indices.fields(name)) if indices.optional(name, dict) is not None else []
            if not all(isinstance(column, int) for column in columns):
                raise damaged("these are not numbers of columns", record.place)
            found.append(
                ColumnsPart(name, self._part(part) or "passthrough", [int(c) for c in columns if c is not None])
            )
        return found

    def weights(self) -> dict[str, float]:
        """Return the weights of a ``ColumnTransformer``."""
        if not self.has("transformer_weights"):
            return {}
        content = self._attributes.fields("transformer_weights").fields("content")
        found = {}
        for column in self.transformers():
            if content.optional(column.name, dict) is not None:
                weight = self._constant(content.fields(column.name))
                if isinstance(weight, bool) or not isinstance(weight, (int, float)):
                    raise damaged("this weight is no number", content.place)
                found[column.name] = float(weight)
        return found

    def _items(self, record: Fields, count: int) -> list[Fields]:
        found = self._archive.items(record)
        if len(found) != count:
            raise damaged(f"there are not {count} values", record.place)
        return found

    def _part(self, record: Fields) -> FittedPart | str | None:
        if record.text("__loader__") != "JsonNode":
            return StoredPart(self._archive, record)
        value = self._archive.constant(record)
        if value is not None and not isinstance(value, str):
            raise damaged("this is no transformer", record.place)
        return value

    def _constant(self, record: Fields) -> RawCell:
        if record.text("__loader__") == "NdArrayNode":
            found = self._list(record, scalar=True)
            if len(found) != 1:
                raise damaged("this is not one value", record.place)
            return found[0]
        value = self._archive.constant(record)
        if value is not None and not isinstance(value, (str, int, float, bool)):
            raise damaged("this is no text and no number", record.place)
        return value

    def _list(self, record: Fields, scalar: bool = False) -> list[RawCell]:
        loader = record.text("__loader__")
        if loader in ("ListNode", "TupleNode") or (loader == "NdArrayNode" and record.text("type") == "json"):
            return [self._constant(item) for item in self._archive.items(record)]
        array: Any = self._archive.array(record)
        if array.dtype.kind not in "biufU" or (array.ndim > 1 and not scalar):
            raise damaged("these are no texts and no numbers", record.place)
        found: list[RawCell] = array.reshape(-1).tolist()
        return found
