"""Which instance a command means: ``--instance``, ``--row`` with ``--instances``, ``--row`` of an embedded model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from xpgcheck.cli.bundles import command_error
from xpgcheck.cli.vocabulary import instance_option, instances_option, row_option
from xpgcheck.errors import InputError, XpgcheckError

if TYPE_CHECKING:
    from xpgcheck.cli.column_options import LeftOut
    from xpgcheck.model.decision_graph import DecisionGraph
    from xpgcheck.model.ensemble import Ensemble
    from xpgcheck.model.labelled_graph import LabelledGraph
    from xpgcheck.model.values import Point


@dataclass(frozen=True, slots=True)
class InstanceChoice:
    """Which instance the user means."""

    instance: Annotated[str | None, instance_option()]
    row: Annotated[int | None, row_option()]
    instances: Annotated[Path | None, instances_option()]

    def refuse_one(self) -> None:
        """Raise ``InputError`` where the options name one instance, and all rows are meant."""
        if self.instance is not None or self.row is not None:
            raise command_error("--all is for every row of --instances", "leave --instance and --row out")

    def refuse_two(self) -> None:
        """Raise ``InputError`` where the options name two instances, or rows without saying which."""
        if self.instance is not None and (self.row is not None or self.instances is not None):
            raise command_error("both --instance and --row name an instance", "give one of them")
        if self.instances is not None and self.row is None:
            raise command_error(
                "--instances needs --row", "say which row to explain, counted from 1, or explain them --all"
            )


def chosen_point(
    graph: DecisionGraph | LabelledGraph | Ensemble, model: str, choice: InstanceChoice, left_out: LeftOut
) -> Point | None:
    """Return the instance that the command names; None for an `.xpg` model."""
    from xpgcheck.model.labelled_graph import LabelledGraph

    if isinstance(graph, LabelledGraph):
        if choice.instance is not None or choice.row is not None:
            raise command_error("an .xpg model stands for one instance, which it does not hold", "leave --instance out")
        return None
    if choice.instance is not None:
        return parsed_instance(choice.instance, graph)
    row = choice.row
    if row is None:
        first = graph.features[0].name
        raise command_error("no instance is named", f"give --instance '{first}=…, …' or --row N --instances FILE.csv")
    rows, place = _rows(graph, model, choice.instances, left_out)
    if row > len(rows):
        problem = f"there is no row {row:,}: the instances are {len(rows):,}"
        raise InputError(problem, place=place, mend=f"give --row from 1 to {len(rows)}")
    return rows[row - 1]


def parsed_instance(instance: str, graph: DecisionGraph | Ensemble) -> Point:
    """Return the point that the text *instance* names.  Raises ``InputError`` where it is none of *graph*'s."""
    from xpgcheck.cli.instance_option import parse_instance

    try:
        return parse_instance(instance, graph.features)
    except XpgcheckError as error:
        raise error.at("--instance") from None


def _rows(
    graph: DecisionGraph | Ensemble, model: str, instances: Path | None, left_out: LeftOut
) -> tuple[tuple[Point, ...], str]:
    """Return the rows that --row counts, and where they come from."""
    if instances is not None:
        from xpgcheck.readers.files import place_of
        from xpgcheck.readers.instances import read_instances

        return tuple(read_instances(instances, graph.features, **left_out.options())), place_of(instances)
    from xpgcheck import embedded
    from xpgcheck.explanations.inputs import is_embedded

    if not is_embedded(model):
        raise command_error("--row needs --instances", "name the CSV file that the row is taken from")
    return embedded.load(model).instances, model
