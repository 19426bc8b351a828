"""``xpgcheck check-certificate``."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path

import click

from xpgcheck.cli.reading_options import Reading, reading_options
from xpgcheck.errors import InputError


@click.command("check-certificate", short_help="Check the evidence of a certificate.")
@click.argument("file", type=click.Path())
@click.option("--model", metavar="MODEL", help="The model that the certificate has to be about.")
@reading_options
def command(file: str, model: str | None, reading: Reading) -> int:
    """Check everything that the certificate FILE says, without a solver and without an explainer.

    Exit status: 0 all of it is proved, 1 something is not, 2 FILE is no certificate. MODEL is a file in any format or the
    name of an embedded model; without it, the certificate is about the model in its first line.

    The checker is one file that needs Python alone: 'python check_certificate.py FILE [--model MODEL.json]'. See
    docs/certificates.md.
    """
    from xpgcheck.check_certificate import check_file
    from xpgcheck.explanations.texts import printable

    with contextlib.ExitStack() as stack:
        graph_file: str | None = None
        if model is not None:
            from xpgcheck.explanations.inputs import model_of
            from xpgcheck.model.labelled_graph import LabelledGraph
            from xpgcheck.readers.files import place_of
            from xpgcheck.writers.json_model import write_json

            graph = model_of(model, **reading.options())
            if isinstance(graph, LabelledGraph):
                problem = "an .xpg model has no domains and no classes, so that no certificate is about it"
                raise InputError(problem, place=place_of(model), mend="name the model that it was made from")
            graph_file = str(Path(stack.enter_context(tempfile.TemporaryDirectory())) / "model.json")
            write_json(graph, graph_file)
        elif reading.options():
            raise InputError("--root, --missing and --max-bytes are for --model", place="command line", mend="name one")
        outcome = check_file(file, graph_file)
    said = f"{printable(file)}: {outcome.message}"
    click.echo(f"xpgcheck: {said}" if outcome.status else said, err=outcome.status != 0)
    return outcome.status
