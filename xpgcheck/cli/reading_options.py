"""Options of every command that reads a model file: ``--root``, ``--missing``, ``--names``, ``--schema``, ``--group``, …"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from xpgcheck.cli.spelling import file_option, option
from xpgcheck.cli.vocabulary import combine_option, max_bytes_option
from xpgcheck.errors import InputError

if TYPE_CHECKING:
    from xpgcheck.model.decision_graph import DecisionGraph
    from xpgcheck.model.ensemble import Ensemble
    from xpgcheck.model.labelled_graph import LabelledGraph
    from xpgcheck.readers.column_groups import ColumnGroup


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """The user's options of a model file; None is the reader's own choice."""

    root: Annotated[str | None, option("--root", metavar="NAME", help="Which function of a BDD dump to read.")]
    missing: Annotated[
        bool | None,
        option(
            "--missing/--no-missing",
            default=None,
            help="Whether values may be missing, where the format leaves it open.",
        ),
    ]
    names: Annotated[
        Path | None,
        file_option(
            "--names",
            "other_names",
            help="Call the features by the names in this file, one per line (or JSON; see docs/reference/format.md).",
        ),
    ]
    combine: Annotated[str | None, combine_option()]
    schema: Annotated[
        Path | None,
        file_option(
            "--schema", help="The columns' domains: whole numbers, Booleans, … ('xpgcheck domains' proposes one)."
        ),
    ]
    max_bytes: Annotated[int | None, max_bytes_option("model file")]
    group: Annotated[
        tuple[str, ...],
        option(
            "--group",
            multiple=True,
            metavar="NAMES",
            help="Columns that one column was encoded into, as 'housing_*': one feature (repeatable).",
        ),
    ]
    dropped: Annotated[
        tuple[str, ...],
        option(
            "--dropped",
            multiple=True,
            metavar="NAME=LEVEL",
            help="The level of a --group that has no column, as 'housing=own' (repeatable).",
        ),
    ]
    groups_file: Annotated[
        Path | None, file_option("--groups", "groups_file", help="A JSON file of groups of encoded columns.")
    ]

    def options(self) -> dict[str, Any]:
        """Return what was said as keyword arguments for ``read_model`` and its like."""
        said = {
            "max_bytes": self.max_bytes,
            "missing": self.missing,
            "root": self.root,
            "names": self.names,
            "combine": self.combine,
            "domains": self.schema,
            "groups": self._groups(),
        }
        return {name: value for name, value in said.items() if value is not None}

    def _groups(self) -> list[ColumnGroup] | None:
        """Return the groups of encoded columns that the user named; None where there are none."""
        if not self.group and self.groups_file is None:
            if self.dropped:
                raise InputError("--dropped names a level of no group", mend="give --group 'housing_*', too")
            return None
        from xpgcheck.readers.column_groups import groups_of_options

        return groups_of_options(self.group, self.dropped, self.groups_file)

    def model(self, model: str) -> DecisionGraph | LabelledGraph:
        """Return *model*, a file or the name of an embedded model.  Raises ``InputError``."""
        from xpgcheck.explanations.inputs import model_of

        return model_of(model, **self.options())

    def graph(self, model: str, lacking: str, use: str) -> DecisionGraph:
        """Return *model*; an `.xpg` one, which has no *lacking*, is refused: to *use* is the model that it was made from.

        So is an ensemble.
        """
        from xpgcheck.model.ensemble import Ensemble
        from xpgcheck.readers import not_one_graph
        from xpgcheck.readers.files import place_of

        graph = self.classifier(model, lacking, use)
        if isinstance(graph, Ensemble):
            raise not_one_graph(graph, place_of(model))
        return graph

    def classifier(self, model: str, lacking: str, use: str) -> DecisionGraph | Ensemble:
        """Return *model*, a graph or an ensemble; an `.xpg` one is refused as :meth:`graph` does."""
        from xpgcheck.explanations.inputs import classifier_of
        from xpgcheck.model.labelled_graph import LabelledGraph
        from xpgcheck.readers.files import place_of

        graph = classifier_of(model, **self.options())
        if isinstance(graph, LabelledGraph):
            mend = f"{use} the model that it was made from"
            raise InputError(f"an .xpg model has no {lacking}", place=place_of(model), mend=mend)
        return graph
