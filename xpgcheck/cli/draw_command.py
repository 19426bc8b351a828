"""``xpgcheck draw``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import click

from xpgcheck.cli.bundles import bundled, command_error
from xpgcheck.cli.column_options import LeftOut
from xpgcheck.cli.instance_choice import InstanceChoice, chosen_point
from xpgcheck.cli.reading_options import ReadingOptions
from xpgcheck.cli.spelling import file_option, option
from xpgcheck.cli.vocabulary import instance_option, model_names
from xpgcheck.errors import XpgcheckError


@dataclass(frozen=True, slots=True)
class _DrawnInstance(InstanceChoice):
    instance: Annotated[str | None, instance_option("The instance whose path is drawn, as 'age=41, student=Y'.")]


@click.command("draw")
@click.argument("model", shell_complete=model_names)
@file_option("--output", "-o", required=True, help="The file: .svg, .png, .dot or .gv.")
@bundled(choice=_DrawnInstance, left_out=LeftOut)
@option(
    "--xp",
    metavar="XP",
    help="Show an explanation as 'explain' numbers them: axp1, cxp2; a number alone counts all, AXps first.",
)
@option(
    "--max-nodes", type=click.IntRange(1), help="Nodes above which some are folded (default: 300 of a tree, else 80)."
)
@option("--tree", type=click.IntRange(0), metavar="N", help="Draw this tree of an ensemble, counted from 0.")
@bundled(reading=ReadingOptions)
def command(
    model: str,
    output: Path,
    choice: InstanceChoice,
    left_out: LeftOut,
    xp: str | None,
    max_nodes: int | None,
    tree: int | None,
    reading: ReadingOptions,
) -> int:
    """Draw MODEL, a file or the name of an embedded model (see 'xpgcheck models').

    With an instance, its path is bold. With --xp as well, the features of that explanation are marked, and what cannot
    be reached while its fixed features keep their values is grey: under an AXp no other class is reached, under a CXp one
    is. Terminals have their class's colour and name; the whole of a text that is cut is its tooltip. Large graphs are
    folded: boxes say how many nodes are left out.
    """
    from xpgcheck.drawing.api import NOT_OF_ONE_TREE, drawable, numbered, which
    from xpgcheck.drawing.picture import Picture, format_of
    from xpgcheck.drawing.view import View
    from xpgcheck.explanations.case import case_of
    from xpgcheck.model.decision_graph import DecisionGraph
    from xpgcheck.readers.files import place_of
    from xpgcheck.writers.writable import check_writable

    format_of(output)
    choice.refuse_two()
    named = choice.instance is not None or choice.row is not None
    check_writable(output, model, choice.instances)
    if xp is not None and tree is not None:
        raise command_error(NOT_OF_ONE_TREE, "leave --xp or --tree out")
    graph = drawable(reading.classifier(model, "literals to draw", "draw"), tree, place_of(model))
    assert isinstance(graph, DecisionGraph)
    if xp is not None and not named:
        mend = "give --instance 'feature=value, …' or --row N --instances FILE.csv"
        raise command_error("--xp needs an instance", mend)
    point = chosen_point(graph, model, choice, left_out) if named else None
    try:
        view = View(graph, point) if xp is None else numbered(graph, case_of(graph, point), *which(xp))
    except XpgcheckError as error:
        error.place = "--xp"
        raise
    Picture(view, max_nodes).save(output)
    return 0
