"""Models and instances from the outside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xpgcheck.errors import FormatError, XpgcheckError
from xpgcheck.readers.files import DEFAULT_MAX_BYTES, PathLike, place_of, read_bytes

if TYPE_CHECKING:
    from xpgcheck.model.decision_graph import DecisionGraph
    from xpgcheck.model.labelled_graph import LabelledGraph

READ = "decision-graph JSON and .xpg"

_COMPRESSED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0", b"PK\x03\x04")
_PICKLED = (".pkl", ".pickle", ".joblib", ".p")


def read_model(path: PathLike, max_bytes: int = DEFAULT_MAX_BYTES) -> DecisionGraph | LabelledGraph:
    """Return the model in the file at *path*; its format is found by its content, then by its name.

    A ``decision-graph`` JSON file gives a ``DecisionGraph``, an `.xpg` file a ``LabelledGraph``.  Raises what their
    readers raise, and ``FormatError`` on anything else.  A pickle is never loaded: it could run any code.
    """
    data = read_bytes(path, max_bytes)
    place = place_of(path)
    ending = "." + str(path).rpartition(".")[2].lower()
    start = data.removeprefix(b"\xef\xbb\xbf").lstrip()
    try:
        if ending in _PICKLED or (start[:1] == b"\x80" and start[1:2] in (b"\2", b"\3", b"\4", b"\5")):
            raise FormatError(
                "this is a pickle, which can run any code and is never loaded",
                mend="load it yourself, then write_json(from_sklearn(tree), 'model.json') and read that",
            )
        if start.startswith(_COMPRESSED):
            raise FormatError("this is a compressed file", mend=f"unpack it; what is read: {READ}")
        if start.startswith((b"NN:", b"#")) or (ending == ".xpg" and not start.startswith(b"{")):
            from xpgcheck.readers.xpg import parse_xpg

            return parse_xpg(data, _stem(path))
        if start.startswith((b"{", b"[")) or ending == ".json" or not start:
            from xpgcheck.readers.json_model import parse_json

            return parse_json(data)
        raise FormatError("this is no model in a format that is known", mend=f"what is read: {READ}")
    except XpgcheckError as error:
        raise error.at(place) from None


def _stem(path: PathLike) -> str:
    from pathlib import Path

    return Path(path).stem
