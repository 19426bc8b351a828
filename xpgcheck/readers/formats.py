"""Every format of models that is read from a file: one entry each, in the order in which they are tried.

An entry says how its format is told from the others by content, and which function reads it; the module is imported when
a file of that format is read.  To add a format, write its ``parse_…`` function and add its entry.
"""

from __future__ import annotations

import functools
import importlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from xpgcheck.model.decision_graph import DecisionGraph
    from xpgcheck.model.ensemble import Ensemble
    from xpgcheck.model.labelled_graph import LabelledGraph
    from xpgcheck.plugins import PluginReader

HEAD = 4096


class Content:
    """The content of a file, as far as its format is to be found out."""

    def __init__(self, data: bytes, ending: str) -> None:
        self.data = data
        self.ending = ending
        """The file's extension with its dot, in lower case."""
        self.start = data[:HEAD].removeprefix(b"\xef\xbb\xbf").lstrip()

    @functools.cached_property
    def json_keys(self) -> frozenset[str]:
        """The keys of the JSON object that the file holds, of those that tell formats apart; empty where there is none."""
        if self.start[:1] != b"{":
            return frozenset()
        import msgspec

        decoder = msgspec.json.Decoder(msgspec.defstruct("Keys", [(key, msgspec.Raw, msgspec.UNSET) for key in KEYS]))
        try:
            found = decoder.decode(self.data.removeprefix(b"\xef\xbb\xbf"))
        except (msgspec.DecodeError, ValueError, RecursionError):
            # Cut off, or with NaN as XGBoost writes it.
            return _outer_keys(self.data)
        return frozenset(key for key in KEYS if getattr(found, key) is not msgspec.UNSET)


KEYS = ("format", "learner", "tree_info", "level_of_var", "roots", "combine", "trees")
"""The keys that tell formats of JSON apart."""

_TOKEN = re.compile(rb'"((?:[^"\\]|\\.)*)"(\s*:)?|[{}\[\]]', re.DOTALL)


def _outer_keys(data: bytes) -> frozenset[str]:
    """Return which of the known keys the outermost object has, as far as *data* goes; numbers may be anything.  Linear."""
    depth = 0
    found = set()
    for token in _TOKEN.finditer(data):
        mark = token[0]
        if mark in (b"{", b"["):
            depth += 1
        elif mark in (b"}", b"]"):
            depth -= 1
        elif depth == 1 and token[2] and (key := token[1].decode("utf-8", "replace")) in KEYS:
            found.add(key)
            if key in ("format", "learner", "tree_info"):
                break
    return frozenset(found)


@dataclass(frozen=True, slots=True)
class ModelFormat:
    """A format of models.

    ``function`` of ``module`` takes the bytes, the name of the model unless the file has it (``names_itself``), and those
    of the ``options`` that are given.  ``extra`` is the extra of xpgcheck that reading needs, if any.  A format of a plug-in
    has its ``plugin`` in place of a module.
    """

    name: str
    extensions: tuple[str, ...]
    recognised: str
    sniff: Callable[[Content], bool]
    module: str
    function: str
    options: tuple[str, ...] = ()
    extra: str = ""
    names_itself: bool = False
    plugin: PluginReader | None = None

    def parse(self, data: bytes, name: str, options: dict[str, Any]) -> DecisionGraph | LabelledGraph | Ensemble:
        """Return the model in *data*."""
        if self.plugin is not None:
            return _by_plugin(self.plugin, data, name)
        function = getattr(importlib.import_module(f"xpgcheck.readers.{self.module}"), self.function)
        arguments = (data,) if self.names_itself else (data, name)
        model: DecisionGraph | LabelledGraph | Ensemble = function(*arguments, **options)
        return model


def _by_plugin(plugin: PluginReader, data: bytes, name: str) -> DecisionGraph | Ensemble:
    """Return what a reader of a plug-in makes of *data*.  Raises ``FormatError`` where that is no model, or it fails."""
    from xpgcheck.errors import FormatError, XpgcheckError, shown
    from xpgcheck.model.decision_graph import DecisionGraph
    from xpgcheck.model.ensemble import Ensemble
    from xpgcheck.plugins import failure

    try:
        model = plugin.call(data, name)
    except XpgcheckError:
        raise
    except Exception as error:
        raise FormatError(failure("reader", plugin, error), mend="correct the file or the plug-in") from error
    if not isinstance(model, (DecisionGraph, Ensemble)):
        problem = f"the reader {shown(plugin.name)} of a plug-in gave {shown(model)}"
        raise FormatError(problem, mend="have it return a decision graph or an ensemble")
    return model


def _is_skops(content: Content) -> bool:
    return content.start.startswith(b"PK\x03\x04") and (content.ending == ".skops" or b"schema.json" in content.data)


def _is_ubjson(content: Content) -> bool:
    # An object whose first key has the length of its name as a typed integer; keys come in any order.
    return (
        re.match(rb"\{(L\0{7}|l\0{3}|I\0|[Ui])[\x01-\x7f]", content.data) is not None and b"\x07learner" in content.data
    )


def _is_onnx(content: Content) -> bool:
    # A protocol buffer whose first field is 1, the small number that is the version of the format.
    return (
        content.ending == ".onnx"
        or re.match(rb"\x08[\x01-\x1f][\x12\x1a\x22\x28\x32\x3a\x42]", content.data) is not None
    )


def _is_lightgbm_text(content: Content) -> bool:
    return re.match(rb"tree\r?\n\w+=", content.start) is not None


def _is_decision_list(content: Content) -> bool:
    words = rb"(?im)^[ \t]*(IF[ \t].*[ \t]THEN[ \t]|ELSE[ \t]|THEN[ \t]|feature[ \t].*:|class[ \t])"
    return content.ending == ".dl" or (content.start[:1] not in b"{[" and re.search(words, content.start) is not None)


def _is_xpg(content: Content) -> bool:
    start = re.sub(rb"\A(\s*#[^\n]*\n)+", b"", content.start).lstrip()
    return start.startswith(b"NN:") or (content.ending == ".xpg" and not start.startswith(b"{"))


def _is_json(content: Content) -> bool:
    return content.start.startswith((b"{", b"[")) or content.ending == ".json" or not content.start


FORMATS = (
    ModelFormat(
        "scikit-learn trees, by skops",
        (".skops",),
        "a zip file with schema.json",
        _is_skops,
        "skops_tree",
        "parse_skops",
        ("missing", "combine", "names", "max_bytes"),
        "models",
    ),
    ModelFormat(
        "XGBoost, UBJSON",
        (".ubj",),
        "UBJSON with the key learner",
        _is_ubjson,
        "xgboost_model",
        "parse_xgboost",
        ("missing", "names"),
    ),
    ModelFormat(
        "XGBoost, JSON",
        (".json",),
        "JSON with the key learner",
        lambda content: "learner" in content.json_keys,
        "xgboost_model",
        "parse_xgboost",
        ("missing", "names"),
    ),
    ModelFormat(
        "LightGBM, JSON",
        (".json",),
        "JSON with the key tree_info",
        lambda content: "tree_info" in content.json_keys,
        "lightgbm_model",
        "parse_lightgbm",
        ("missing", "names"),
    ),
    ModelFormat(
        "LightGBM, text",
        (".txt",),
        "text that begins with the line tree",
        _is_lightgbm_text,
        "lightgbm_model",
        "parse_lightgbm",
        ("missing", "names"),
    ),
    ModelFormat(
        "BDD, by dd",
        (".json",),
        "JSON with the keys level_of_var and roots",
        lambda content: {"level_of_var", "roots"} <= content.json_keys,
        "dd_bdd",
        "parse_dd_json",
        ("root",),
    ),
    ModelFormat(
        "forest that votes, JSON",
        (".json",),
        "JSON with the keys combine and trees",
        lambda content: {"combine", "trees"} <= content.json_keys,
        "vote_forest",
        "parse_vote_forest",
    ),
    ModelFormat(
        "explanation graph, .xpg",
        (".xpg",),
        "text that begins with NN:, after comments",
        _is_xpg,
        "xpg",
        "parse_xpg",
    ),
    ModelFormat(
        "decision list",
        (".dl",),
        "lines with IF … THEN …, ELSE, feature or class",
        _is_decision_list,
        "decision_list",
        "parse_decision_list",
    ),
    ModelFormat(
        "ensemble JSON",
        (".json",),
        'JSON with "format": "ensemble"',
        lambda content: {"format", "trees"} <= content.json_keys,
        "json_ensemble",
        "parse_ensemble",
        names_itself=True,
    ),
    ModelFormat(
        "decision-graph JSON",
        (".json",),
        'JSON with "format": "decision-graph"',
        _is_json,
        "json_model",
        "parse_json",
        names_itself=True,
    ),
    ModelFormat(
        "ONNX",
        (".onnx",),
        "a protocol buffer whose first field is the version",
        _is_onnx,
        "onnx_tree",
        "parse_onnx",
        ("missing", "names"),
        "models",
    ),
)


def find_format(content: Content) -> ModelFormat | None:
    """Return the format that *content* is in; None where it is in none."""
    return next((known for known in FORMATS if known.sniff(content)), None)


def plugin_formats() -> tuple[ModelFormat, ...]:
    """Return the formats of plug-ins.  Raises ``InputError`` where one cannot be loaded."""
    from xpgcheck.plugins import PluginReader, parts

    return tuple(
        ModelFormat(part.name, part.extensions, part.recognised, functools.partial(_sniffed, part), "", "", plugin=part)
        for part in parts("readers").values()
        if isinstance(part, PluginReader)
    )


def find_plugin_format(content: Content, own: ModelFormat | None) -> ModelFormat | None:
    """Return the format of a plug-in that *content* is in; None where there is none, or it is in one of ours, *own*.

    JSON that does not name its format is in none of ours.  Raises ``InputError`` where a plug-in fails.
    """
    if own is not None and (own.function != "parse_json" or "format" in content.json_keys):
        return None
    return next((known for known in plugin_formats() if known.sniff(content)), None)


def _sniffed(part: PluginReader, content: Content) -> bool:
    from xpgcheck.errors import InputError
    from xpgcheck.plugins import failure

    try:
        return bool(part.sniff(content.data))
    except Exception as error:
        raise InputError(failure("reader", part, error), mend="correct the plug-in, or leave it out") from error
