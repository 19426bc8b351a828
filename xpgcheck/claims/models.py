"""The models that the lines of a claims file name."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from xpgcheck import embedded
from xpgcheck.errors import InputError, shown
from xpgcheck.explanations.inputs import classifier_of
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.ensemble import Ensemble
from xpgcheck.model.labelled_graph import LabelledGraph
from xpgcheck.readers.files import place_of

KEPT = 8
"""Models that are kept, the last used ones, next to those that the user gave."""


class NamedModels:
    """Finds the model of a name: a model that the user *gave*, an embedded one, or a file below *folder*.

    *given* are paths and names of embedded models; a line names one by what was given, by the file's name with or without
    its extension, or by the name that the model has.  A name that is also another file below *folder* is refused.  *options*
    say how files are read, as ``read_model`` takes them.  Where *graphs_for* names what takes decision graphs
    alone, ensembles are refused.
    """

    def __init__(
        self,
        given: Sequence[str] = (),
        folder: Path = Path(),
        options: Mapping[str, Any] | None = None,
        *,
        graphs_for: str = "",
    ) -> None:
        """Read the models that are given.  Raises what the readers raise."""
        self._graphs_for = graphs_for
        self._folder = folder
        self._options = dict(options or {})
        self._given = {text: self._read(text, text) for text in given}
        self._texts: dict[str, set[str]] = {}
        for text, graph in self._given.items():
            for name in {text, Path(text).name, Path(text).stem, graph.name}:
                self._texts.setdefault(name, set()).add(text)
        self._kept: OrderedDict[str, DecisionGraph | Ensemble | InputError] = OrderedDict()
        self._clear: set[str] = set()
        self.used: set[str] = set()
        """The texts, as they were given, by which models were found."""

    def find(self, name: str | None) -> DecisionGraph | Ensemble:
        """Return the model called *name*; where it is None, the one that was given.

        The same object while the model is kept.  Raises ``InputError`` where there is none or there are several, and what
        reading raises.
        """
        if name is None:
            if len(self._given) != 1:
                said = f"{len(self._given)} models were given" if self._given else "no model was given"
                raise InputError(f"no model is named, and {said}", mend="add 'model', or give one --model")
            return self._used(next(iter(self._given)))
        if name in self._given:
            self._refuse_two(name)
            return self._used(name)
        texts = self._texts.get(name, set())
        if len(texts) > 1:
            mend = f"name it by what was given: {', '.join(sorted(map(shown, texts)))}"
            raise InputError(f"several models are called {shown(name)}", mend=mend)
        if texts:
            self._refuse_two(name, next(iter(texts)))
            return self._used(next(iter(texts)))
        return self._found(name)

    def _used(self, text: str) -> DecisionGraph | Ensemble:
        self.used.add(text)
        return self._given[text]

    def _refuse_two(self, name: str, given: str | None = None) -> None:
        """Raise ``InputError`` where *name* is also a file next to the claims, not the model that is *given*."""
        if name in self._clear:
            return
        beside = self._folder / name
        try:
            two = "\0" not in name and beside.is_file() and beside.resolve() != Path(given or name).resolve()
        except OSError:
            two = False
        if two:
            mend = "give that file by --model too, or rename one of them"
            raise InputError(f"{shown(name)} is a file next to the claims, and another model of --model", mend=mend)
        self._clear.add(name)

    def _found(self, name: str) -> DecisionGraph | Ensemble:
        found = self._kept.get(name)
        if found is None:
            try:
                found = embedded.load(name).graph if name in embedded.names() else self._file(name)
            except InputError as error:
                found = error
            self._kept[name] = found
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(name)
        if isinstance(found, InputError):
            raise type(found)(found.problem, place=found.place, mend=found.mend)
        return found

    def _file(self, name: str) -> DecisionGraph | Ensemble:
        path = self._folder / name
        if PurePosixPath(name).is_absolute() or PureWindowsPath(name).drive:
            problem = f"the model {shown(name)} is an absolute path"
            raise InputError(problem, mend="name it relative to the claims file, or give it by --model")
        try:
            there = "\0" not in name and path.is_file()
        except OSError:
            # A name that no file can have.
            there = False
        if not there:
            mend = "name an embedded model, a path relative to the claims file, or one of --model"
            raise InputError(f"there is no model {shown(name)}", mend=mend)
        return self._read(str(path), name)

    def _read(self, text: str, name: str) -> DecisionGraph | Ensemble:
        options = {} if text in embedded.names() and not Path(text).is_file() else self._options
        graph = classifier_of(text, **options)
        if self._graphs_for and isinstance(graph, Ensemble):
            problem = f"this is an ensemble, and {self._graphs_for} is for decision graphs alone"
            raise InputError(problem, place=place_of(name), mend=f"leave {self._graphs_for} out")
        if isinstance(graph, LabelledGraph):
            problem = "an .xpg model has no domains and no literals"
            raise InputError(problem, place=place_of(name), mend="name the model that it was made from")
        return graph
