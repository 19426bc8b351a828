"""Models and instances from files and from the objects of other libraries."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from xpgcheck.arguments import FLAG, PATH, Rule, count_from, optional, takes
from xpgcheck.errors import FormatError, InputError, LimitError, XpgcheckError
from xpgcheck.readers.files import DEFAULT_MAX_BYTES, PathLike, place_of, read_bytes

if TYPE_CHECKING:
    from xpgcheck.model.decision_graph import DecisionGraph
    from xpgcheck.model.ensemble import Ensemble
    from xpgcheck.model.labelled_graph import LabelledGraph
    from xpgcheck.readers.formats import Content, ModelFormat

_log = logging.getLogger(__name__)

_ZIP = b"PK\x03\x04"
_COMPRESSED = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0", b"(\xb5/\xfd", b"\x04\x22M\x18")
COMBINATIONS = ("majority", "average")
"""Ways to combine the trees of a forest, where its source leaves the choice: votes counted, or what leaves hold
averaged."""

_PICKLED = (".pkl", ".pickle", ".joblib", ".p")


_ROOT = Rule(
    lambda root: root is None or (isinstance(root, (str, int)) and not isinstance(root, bool)),
    "the name or the number of a function",
    "pass one that the file lists, or leave it out",
)

_COMBINE = Rule(
    lambda combine: combine in (None, *COMBINATIONS),
    "a way to combine trees",
    "pass 'majority' or 'average', or leave it out",
)


@takes(path=PATH, max_bytes=count_from(1), missing=optional(FLAG), root=_ROOT, combine=_COMBINE)
def read_model(
    path: PathLike,
    max_bytes: int = DEFAULT_MAX_BYTES,
    *,
    missing: bool | None = None,
    root: str | int | None = None,
    names: object = None,
    combine: str | None = None,
    domains: object = None,
) -> DecisionGraph | LabelledGraph:
    r"""Return the model in a file; its format is found by its content, then by its name.

    Parameters
    ----------
    path
        The file.  A pickle is never loaded: it could run any code.
    max_bytes
        The largest file that is read.
    missing
        Whether a value may be missing, where the format leaves that open.
    root
        The function that is meant, of a dump of BDDs.
    names
        Names in place of the file's own: a path, a list, or a mapping (:func:`xpgcheck.readers.other_names.other_names`).
    combine
        How the trees of a forest are combined, ``"majority"`` or ``"average"``, where the format leaves that open.
    domains
        The values that the columns of a table have (:func:`xpgcheck.readers.table_schemas.table_schema`).

    Returns
    -------
    DecisionGraph or LabelledGraph
        A ``LabelledGraph`` for an `.xpg` file.  An ensemble is refused: :func:`read_classifier` reads it.

    Raises
    ------
    InputError
        The format does not have an option that is given.
    FormatError
        The file is none of the formats of :mod:`xpgcheck.readers.formats`, or not a whole one.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "play.dl")
    ...     _ = path.write_text("IF windy = 1 THEN no\nELSE yes\n")
    ...     read_model(path).classes
    ('no', 'yes')
    """
    found = read_classifier(path, max_bytes, missing=missing, root=root, names=names, combine=combine, domains=domains)
    return graph_alone(found, place_of(path))


@takes(path=PATH, max_bytes=count_from(1), missing=optional(FLAG), root=_ROOT, combine=_COMBINE)
def read_classifier(
    path: PathLike,
    max_bytes: int = DEFAULT_MAX_BYTES,
    *,
    missing: bool | None = None,
    root: str | int | None = None,
    names: object = None,
    combine: str | None = None,
    domains: object = None,
) -> DecisionGraph | LabelledGraph | Ensemble:
    """Return the model in the file at *path*, as :func:`read_model` does; a forest gives an ``Ensemble``."""
    if domains is not None:
        from xpgcheck.readers.table_schemas import table_schema, with_domains

        # A schema that cannot be read is refused before the model is.
        domains = table_schema(domains)
        found = read_classifier(path, max_bytes, missing=missing, root=root, names=names, combine=combine)
        return with_domains(found, domains, place_of(path))
    from xpgcheck.readers import formats
    from xpgcheck.readers.other_files import refuse_other_files

    others = None
    if names is not None:
        from xpgcheck.readers.other_names import other_names, renamed

        others = other_names(names)
    data = read_bytes(path, max_bytes)
    content = formats.Content(data, "." + str(path).rpartition(".")[2].lower())
    try:
        _refuse_pickle(content)
        # Before the format is looked for by the name: a text under its usual name may be compressed.
        if content.data.startswith(_COMPRESSED):
            raise _compressed()
        own = formats.find_format(content)
        known = formats.find_plugin_format(content, own)
        if known is None:
            refuse_other_files(content)
            known = own
        if known is None:
            raise _unknown(content)
        options = _options(known, {"missing": missing, "root": root, "combine": combine, "max_bytes": max_bytes})
        if others is None:
            model = known.parse(data, _stem(path), options)
        elif "names" in known.options:
            # They stand for names that would be refused.
            model = known.parse(data, _stem(path), {**options, "names": others})
        else:
            model = renamed(known.parse(data, _stem(path), options), others)
        _log.info("%s is read as %s: %r", place_of(path), known.name, model)
        return model
    except RecursionError:
        raise LimitError("the file is nested too deeply", place=place_of(path), mend="use a flatter format") from None
    except XpgcheckError as error:
        raise error.at(place_of(path)) from None


def _options(known: ModelFormat, given: dict[str, Any]) -> dict[str, Any]:
    """Return those of *given* that are not None, for the parser of *known*.  Raises ``InputError`` where it takes none."""
    if "max_bytes" not in known.options:
        del given["max_bytes"]
    options = {key: value for key, value in given.items() if value is not None}
    for key in sorted(options.keys() - set(known.options)):
        problem = f"the format {known.name} has no option '{key}'"
        if key == "combine":
            problem = f"the format {known.name} leaves no choice how trees are combined"
        raise InputError(problem, mend=f"leave '{key}' out")
    return options


def graph_alone(model: DecisionGraph | LabelledGraph | Ensemble, place: str) -> DecisionGraph | LabelledGraph:
    """Return *model*, unless it is an ensemble.  Raises ``InputError`` at *place*: most commands take one graph."""
    from xpgcheck.model.ensemble import Ensemble

    if isinstance(model, Ensemble):
        raise not_one_graph(model, place)
    return model


def not_one_graph(model: Ensemble, place: str) -> InputError:
    """Return the error for an ensemble at *place* where one graph is needed."""
    from xpgcheck.wording import counted

    problem = f"this is an ensemble of {counted(len(model.trees), 'tree')}, and one decision graph is needed here"
    return InputError(problem, place=place, mend="'xpgcheck verify' judges claims about ensembles")


def _refuse_pickle(content: Content) -> None:
    start = content.data[:2]
    if content.ending in _PICKLED or (start[:1] == b"\x80" and start[1:2] in (b"\2", b"\3", b"\4", b"\5")):
        raise FormatError(
            "this is a pickle, which can run any code and is never loaded",
            mend="store the tree with skops.io.dump(tree, 'model.skops'), or export it to ONNX with skl2onnx",
        )


def _unknown(content: Content) -> FormatError:
    if content.data.startswith(_ZIP):
        return _compressed()
    problem = "this is no model in a format that is known"
    return FormatError(problem, mend="'xpgcheck formats' lists what is read")


def _compressed() -> FormatError:
    return FormatError("this is a compressed file", mend="unpack it; 'xpgcheck formats' lists what is read")


def _stem(path: PathLike) -> str:
    from pathlib import Path

    return Path(path).stem
