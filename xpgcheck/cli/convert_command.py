"""``xpgcheck convert``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from xpgcheck.cli.bundles import bundled, command_error
from xpgcheck.cli.instance_choice import parsed_instance
from xpgcheck.cli.reading_options import ReadingOptions
from xpgcheck.cli.spelling import option
from xpgcheck.cli.vocabulary import instance_option, model_names
from xpgcheck.errors import XpgcheckError

if TYPE_CHECKING:
    from xpgcheck.model.decision_graph import DecisionGraph
    from xpgcheck.model.ensemble import Ensemble

ENDINGS = {".json": "json", ".xpg": "xpg", ".dot": "dot", ".gv": "dot", ".smt2": "smt2", ".txt": "text"}

NEEDS_INSTANCE = ("xpg", "smt2")

TAKES_INSTANCE = (*NEEDS_INSTANCE, "dot")


@click.command("convert")
@click.argument("model", shell_complete=model_names)
@option("--output", "-o", metavar="FILE", required=True, help="The file to write ('-': to the output).")
@option(
    "--to",
    "form",
    type=click.Choice(sorted(set(ENDINGS.values()))),
    help=f"The format (default: by the ending of FILE: {', '.join(ENDINGS)}).",
)
@instance_option("The instance, as 'age=41, student=Y' (xpg, smt2; dot: its path).")
@option("--fixed", metavar="NAMES", help="smt2: the fixed features, as 'age,student' (default: none).")
@bundled(reading=ReadingOptions)
def command(
    model: str,
    output: str,
    form: str | None,
    instance: str | None,
    fixed: str | None,
    reading: ReadingOptions,
) -> int:
    """Write MODEL, a file or the name of an embedded model, in another format.

    json: our own format, which holds all of a model. text: an indented tree, of an ensemble all of them. These two are for
    ensembles, too. dot: a graph for
    Graphviz. xpg: the explanation graph at --instance, for the paper's own package. smt2: an SMT-LIB 2 script that asks
    whether a point that agrees with --instance on the --fixed features has another class.
    """
    from xpgcheck.readers.files import place_of
    from xpgcheck.writers.atomic import write_atomically
    from xpgcheck.writers.writable import check_writable

    form = form or ENDINGS.get(Path(output).suffix.lower())
    if form is None:
        problem = "no format is named" if output == "-" else f"the ending of {place_of(output)} says no format"
        raise command_error(problem, f"give --to, or a file that ends in one of {', '.join(ENDINGS)}")
    if output != "-":
        check_writable(Path(output), model)
    read = reading.classifier if form in ("json", "text") else reading.graph
    graph = read(model, "domains and no literals", "convert")
    _refuse_contradictions(form, instance, fixed)
    try:
        text = _written(graph, form, instance, fixed)
    except XpgcheckError as error:
        raise error.at(place_of(model)) if not error.place.startswith("--") else error from None
    if output == "-":
        click.echo(text, nl=False)
    else:
        write_atomically(output, text)
    return 0


def _refuse_contradictions(form: str, instance: str | None, fixed: str | None) -> None:
    if instance is None and form in NEEDS_INSTANCE:
        raise command_error(f"{form} is written at an instance", "give --instance 'feature=value, …'")
    if instance is not None and form not in TAKES_INSTANCE:
        raise command_error(f"{form} is written without an instance", "leave --instance out")
    if fixed is not None and form != "smt2":
        raise command_error(f"{form} is written without fixed features", "leave --fixed out, or use --to smt2")


def _trees_written(ensemble: Ensemble) -> str:
    """Return the trees of *ensemble* as text, each under its number; of sums with what its answers add for classes."""
    from xpgcheck.drawing.ensemble_trees import tree_of
    from xpgcheck.writers.text_tree import tree_text

    numbers = range(len(ensemble.trees))
    return "".join(f"tree {n}\n{tree_text(tree_of(ensemble, n), max_depth=None)}" for n in numbers)


def _written(graph: DecisionGraph | Ensemble, form: str, instance: str | None, fixed: str | None) -> str:
    from xpgcheck.model.ensemble import Ensemble

    if form == "json":
        from xpgcheck.writers.json_model import classifier_json

        return classifier_json(graph)
    if isinstance(graph, Ensemble):
        return _trees_written(graph)
    point = None if instance is None else parsed_instance(instance, graph)
    if form == "text":
        from xpgcheck.writers.text_tree import tree_text

        return tree_text(graph, max_depth=None)
    if form == "dot":
        from xpgcheck.writers.dot import dot_text

        return dot_text(graph, point)
    assert point is not None
    if form == "xpg":
        from xpgcheck.writers.xpg import write_xpg, xpg_of

        return write_xpg(xpg_of(graph, point))
    from xpgcheck.cli.instance_option import parse_features
    from xpgcheck.oracles.smtlib import smtlib_query

    try:
        chosen = parse_features(fixed or "", graph.features)
    except XpgcheckError as error:
        raise error.at("--fixed") from None
    return smtlib_query(graph, point, chosen)
