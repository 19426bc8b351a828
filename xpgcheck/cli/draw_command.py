"""``xpgcheck draw``."""

from __future__ import annotations

from pathlib import Path

import click

from xpgcheck.cli.column_options import LeftOut, column_options
from xpgcheck.cli.instance_choice import chosen_point, command_error, refuse_two_instances
from xpgcheck.cli.reading_options import Reading, reading_options
from xpgcheck.cli.spelling import file_option, option
from xpgcheck.cli.vocabulary import instance_option, instances_option, row_option
from xpgcheck.errors import InputError, XpgcheckError


@click.command("draw")
@click.argument("model")
@file_option("--output", "-o", required=True, help="The file: .svg, .png, .dot or .gv.")
@instance_option("The instance whose path is drawn, as 'age=41, student=Y'.")
@row_option()
@instances_option()
@column_options
@option(
    "--xp",
    metavar="XP",
    help="Show an explanation as 'explain' numbers them: axp1, cxp2; a number alone counts all, AXps first.",
)
@option(
    "--max-nodes", type=click.IntRange(1), help="Nodes above which some are folded (default: 300 of a tree, else 80)."
)
@reading_options
def command(
    model: str,
    output: Path,
    instance: str | None,
    row: int | None,
    instances: Path | None,
    left_out: LeftOut,
    xp: str | None,
    max_nodes: int | None,
    reading: Reading,
) -> int:
    """Draw MODEL, a file or the name of an embedded model (see 'xpgcheck models').

    With an instance, its path is bold. With --xp as well, the features of that explanation are marked, and what cannot
    be reached while its fixed features keep their values is grey: under an AXp no other class is reached, under a CXp one
    is. Terminals have their class's colour and name; the whole of a text that is cut is its tooltip. Large graphs are
    folded: boxes say how many nodes are left out.
    """
    from xpgcheck.drawing.api import numbered, which
    from xpgcheck.drawing.picture import Picture, format_of
    from xpgcheck.drawing.view import View
    from xpgcheck.explanations.case import case_of
    from xpgcheck.explanations.inputs import model_of
    from xpgcheck.model.decision_graph import DecisionGraph
    from xpgcheck.readers.files import place_of
    from xpgcheck.writers.writable import check_writable

    format_of(output)
    refuse_two_instances(instance, row, instances)
    named = instance is not None or row is not None
    check_writable(output, model, instances)
    graph = model_of(model, **reading.options())
    if not isinstance(graph, DecisionGraph):
        problem = "an .xpg model has no literals to draw"
        raise InputError(problem, place=place_of(model), mend="draw the model that it was made from")
    if xp is not None and not named:
        mend = "give --instance 'feature=value, …' or --row N --instances FILE.csv"
        raise command_error("--xp needs an instance", mend)
    point = chosen_point(graph, model, instance, row, instances, left_out) if named else None
    try:
        view = View(graph, point) if xp is None else numbered(graph, case_of(graph, point), *which(xp))
    except XpgcheckError as error:
        error.place = "--xp"
        raise
    Picture(view, max_nodes).save(output)
    return 0
