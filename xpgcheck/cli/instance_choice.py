"""Which instance a command means: ``--instance``, ``--row`` with ``--instances``, ``--row`` of an embedded model."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from xpgcheck.errors import InputError, XpgcheckError

if TYPE_CHECKING:
    from xpgcheck.cli.column_options import LeftOut
    from xpgcheck.model.decision_graph import DecisionGraph
    from xpgcheck.model.labelled_graph import LabelledGraph
    from xpgcheck.model.values import Point


def refuse_two_instances(instance: str | None, row: int | None, instances: Path | None) -> None:
    """Raise ``InputError`` where the options name two instances, or rows without saying which."""
    if instance is not None and (row is not None or instances is not None):
        raise command_error("both --instance and --row name an instance", "give one of them")
    if instances is not None and row is None:
        raise command_error("--instances needs --row", "say which row to explain, counted from 1")


def command_error(problem: str, mend: str) -> InputError:
    """Return the error of a command whose options do not go together."""
    return InputError(problem, place="command line", mend=mend)


def chosen_point(
    graph: DecisionGraph | LabelledGraph,
    model: str,
    instance: str | None,
    row: int | None,
    instances: Path | None,
    left_out: LeftOut,
) -> Point | None:
    """Return the instance that the command names; None for an `.xpg` model."""
    from xpgcheck.model.labelled_graph import LabelledGraph

    if isinstance(graph, LabelledGraph):
        if instance is not None or row is not None:
            raise command_error("an .xpg model stands for one instance, which it does not hold", "leave --instance out")
        return None
    if instance is not None:
        from xpgcheck.cli.instance_option import parse_instance

        try:
            return parse_instance(instance, graph.features)
        except XpgcheckError as error:
            raise error.at("--instance") from None
    if row is None:
        first = graph.features[0].name
        raise command_error("no instance is named", f"give --instance '{first}=…, …' or --row N --instances FILE.csv")
    rows, place = _rows(graph, model, instances, left_out)
    if row > len(rows):
        problem = f"there is no row {row:,}: the instances are {len(rows):,}"
        raise InputError(problem, place=place, mend=f"give --row from 1 to {len(rows)}")
    return rows[row - 1]


def _rows(graph: DecisionGraph, model: str, instances: Path | None, left_out: LeftOut) -> tuple[tuple[Point, ...], str]:
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
