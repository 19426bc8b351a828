"""``xpgcheck check-certificate``."""

from __future__ import annotations

import contextlib
import tempfile
from pathlib import Path

import click

from xpgcheck.cli.bundles import bundled, command_error
from xpgcheck.cli.reading_options import ReadingOptions
from xpgcheck.cli.spelling import option
from xpgcheck.errors import printable


@click.command("check-certificate")
@click.argument("file", type=click.Path())
@option("--model", metavar="MODEL", help="The model that the certificate has to be about.")
@option("--formula", metavar="FILE", help="The formula, in DIMACS, that the certificate has to be about.")
@option(
    "--steps-per-byte",
    type=click.IntRange(min=1),
    metavar="N",
    help="Refuse what takes over N steps for each byte, 1000 unless given.",
)
@bundled(reading=ReadingOptions)
def command(
    file: str, model: str | None, formula: str | None, steps_per_byte: int | None, reading: ReadingOptions
) -> int:
    """Check everything that the certificate FILE says, without a solver and without an explainer.

    Exit status: 0 all of it is proved, 1 something is not, 2 FILE is no certificate. MODEL is a file in any format or the
    name of an embedded model; without it, the certificate is about the model in its first line.

    The checker is one file that needs Python alone: 'python check_certificate.py FILE [--model MODEL.json]'. See
    docs/reference/certificates.md.
    """
    from xpgcheck.check_certificate import STEPS_PER_BYTE, check_file

    if model is not None and formula is not None:
        raise command_error("a certificate is about a model or a formula", "name one of them")
    with contextlib.ExitStack() as stack:
        subject: str | None = None
        if formula is not None:
            from xpgcheck.certificates.canonical_texts import formula_text
            from xpgcheck.oracles.propositional.dimacs import parse_cnf
            from xpgcheck.readers.files import place_of, read_bytes

            cnf = parse_cnf(read_bytes(formula), place_of(formula))
            subject = str(Path(stack.enter_context(tempfile.TemporaryDirectory())) / "formula.json")
            Path(subject).write_text(formula_text(cnf.variables, cnf.clauses), encoding="utf-8")
        if model is not None:
            from xpgcheck.writers.json_model import write_json

            lacking = "domains and no classes, so that no certificate is about it"
            graph = reading.classifier(model, lacking, "name")
            subject = str(Path(stack.enter_context(tempfile.TemporaryDirectory())) / "model.json")
            write_json(graph, subject)
        elif reading.options():
            raise command_error("--root, --missing, --names and --max-bytes are for --model", "name one")
        outcome = check_file(file, subject, steps_per_byte or STEPS_PER_BYTE)
    # Where a file cannot be read, the checker's message begins with its name already.
    said = f"{printable(file)}: {outcome.message.removeprefix(ascii(f'{file}: ')[1:-1])}"
    click.echo(f"xpgcheck: {said}" if outcome.status else said, err=outcome.status != 0)
    return outcome.status
