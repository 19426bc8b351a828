"""``xpgcheck certify``."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from xpgcheck.cli.column_options import LeftOut, column_options
from xpgcheck.cli.instance_choice import chosen_point, command_error
from xpgcheck.cli.reading_options import Reading, reading_options
from xpgcheck.cli.spelling import Option, folder_option, option, renamed, say
from xpgcheck.cli.vocabulary import (
    instance_option,
    instances_option,
    jobs_option,
    limit_option,
    quiet_option,
    row_option,
)
from xpgcheck.errors import InputError

if TYPE_CHECKING:
    from xpgcheck.certificates.issuing import Issued
    from xpgcheck.model.decision_graph import DecisionGraph
    from xpgcheck.model.values import Point

STDOUT = "-"

OWN = "\0"
"""``--all-instances`` as a flag: a text that is no file's name."""


class _AllInstances(Option):
    """A flag; once it took a FILE, too."""

    def process_value(self, ctx: click.Context, value: Any) -> Any:
        """Return *value*; say how a file is named now."""
        if isinstance(value, str) and value != OWN:
            say(renamed("--all-instances FILE", "--instances FILE"))
        return super().process_value(ctx, value)


@click.command("certify")
@click.argument("model")
@instance_option()
@row_option()
@instances_option("CSV file of the instances; with --row, of one.")
@option(
    "--all-instances",
    cls=_AllInstances,
    metavar="",
    is_flag=False,
    flag_value=OWN,
    help="All instances that an embedded model comes with.",
)
@column_options
@option(
    "--completeness",
    type=click.Choice(["rup", "tree", "none"]),
    default="rup",
    show_default=True,
    help="How to show that no explanation is left out: a refutation, a decision tree, or not at all.",
)
@limit_option("Most explanations of an instance; then they are not all.")
@option(
    "--output",
    "-o",
    old=("--out",),
    default=STDOUT,
    metavar="FILE",
    help="The file to write ('-', the default: to the output).",
)
@folder_option("--smt-proofs", help="Also write cvc5's proofs here.")
@jobs_option(1)
@reading_options
@quiet_option("Print no summary.")
def command(
    model: str,
    instance: str | None,
    row: int | None,
    instances: Path | None,
    all_instances: str | None,
    left_out: LeftOut,
    completeness: str,
    limit: int | None,
    output: str,
    smt_proofs: Path | None,
    jobs: int,
    reading: Reading,
    quiet: bool,
) -> int:
    """Write every AXp and CXp of the prediction of MODEL at one instance or at many, each with evidence.

    MODEL is a file or the name of an embedded model (see 'xpgcheck models'). The evidence is closed sets of nodes, points of
    another class, and a refutation that leaves no explanation out; 'xpgcheck check-certificate', or check_certificate.py
    alone, checks it without a solver. See docs/certificates.md. One JSON object a line: the model, then an instance each.

    --row alone takes an embedded model's own instances. --smt-proofs writes for every AXp the SMT-LIB query whether it
    leaves another class, and cvc5's proof in Alethe that it does not, for checkers such as Carcara.
    """
    _refuse_contradictions(instance, row, instances, all_instances)
    from xpgcheck.certificates.canonical_texts import end_text, header_text
    from xpgcheck.certificates.issuing import issued_lines
    from xpgcheck.explanations.inputs import model_of
    from xpgcheck.model.labelled_graph import LabelledGraph
    from xpgcheck.readers.files import place_of
    from xpgcheck.writers.streamed import streamed
    from xpgcheck.writers.writable import check_writable

    table = instances if all_instances in (None, OWN) else Path(str(all_instances))
    if output != STDOUT:
        check_writable(Path(output), model, table)
    if smt_proofs is not None:
        _prepare_folder(smt_proofs)
    graph = model_of(model, **reading.options())
    if isinstance(graph, LabelledGraph):
        problem = "an .xpg model has no domains and no classes, so that there is nothing to certify"
        raise InputError(problem, place=place_of(model), mend="certify the model that it was made from")
    points = _points(graph, model, instance, row, table, all_instances == OWN, left_out)
    written = _Written()
    with ExitStack() as stack:
        if output == STDOUT:
            # Not click.echo, which would look for a terminal at every line.
            write: Callable[[bytes], object] = sys.stdout.buffer.write
        else:
            write = stack.enter_context(streamed(output)).write
        write(header_text(graph).encode())
        for number, issued in enumerate(issued_lines(graph, points, completeness, limit, jobs), 1):
            write(issued.line.encode())
            written.add(issued)
            if smt_proofs is not None:
                _write_proofs(graph, points[number - 1], number, issued, smt_proofs, written)
        write(end_text(written.lines).encode())
    open_ended = written.lines - written.complete if completeness != "none" else 0
    if not quiet or open_ended:
        click.echo(written.text(open_ended), err=output == STDOUT)
    return 3 if open_ended else 0


@dataclass(slots=True)
class _Written:
    """What was written so far."""

    lines: int = 0
    axps: int = 0
    cxps: int = 0
    complete: int = 0
    proofs: int = 0
    holes: int = 0

    def add(self, issued: Issued) -> None:
        self.lines += 1
        self.axps += issued.axps
        self.cxps += issued.cxps
        self.complete += issued.complete

    def text(self, open_ended: int) -> str:
        """Return the line that sums up."""
        from xpgcheck.wording import counted

        text = f"{counted(self.axps, 'AXp')} and {counted(self.cxps, 'CXp')} of {counted(self.lines, 'instance')}"
        if self.complete:
            text += ", which are all" if self.complete == self.lines else f", which are all of {self.complete:,}"
        if open_ended:
            text += f"; of {counted(open_ended, 'instance')} not all, as --limit says"
        if self.proofs:
            text += f"; {counted(self.proofs, 'proof')} by cvc5, with {counted(self.holes, 'hole')}"
        return text


def _refuse_contradictions(instance: str | None, row: int | None, instances: Path | None, every: str | None) -> None:
    named = [
        option
        for option, given in (
            ("--instance", instance is not None),
            ("--instances" if instances is not None else "--row", instances is not None or row is not None),
            ("--all-instances", every is not None),
        )
        if given
    ]
    if len(named) > 1:
        raise command_error(f"{named[0]} and {named[1]} both say which instances", "give one of them")


def _points(
    graph: DecisionGraph,
    model: str,
    instance: str | None,
    row: int | None,
    table: Path | None,
    own: bool,
    left_out: LeftOut,
) -> Sequence[Point]:
    """Return the instances that the command names."""
    from xpgcheck.explanations.inputs import is_embedded

    if own:
        if not is_embedded(model):
            raise command_error(
                "--all-instances is for embedded models, which have instances of their own",
                "name a CSV file: --instances FILE",
            )
        from xpgcheck import embedded

        return embedded.load(model).instances
    if table is not None and row is None:
        from xpgcheck.readers.instances import read_instances

        return read_instances(table, graph.features, **left_out.options())
    point = chosen_point(graph, model, instance, row, table, left_out)
    assert point is not None  # only an .xpg model has none
    return [point]


def _prepare_folder(folder: Path) -> None:
    """See that cvc5 is there and that *folder* can be written to, before any work is done."""
    from xpgcheck.certificates.outside import require_cvc5

    require_cvc5()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        problem = f"the folder cannot be made ({error.strerror or error})"
        raise InputError(problem, place=str(folder), mend="name a folder that may be written to") from None


def _write_proofs(
    graph: DecisionGraph, point: Point, number: int, issued: Issued, folder: Path, written: _Written
) -> None:
    """Write the query and the proof for each AXp of the line *issued*, the *number*-th, into *folder*."""
    from xpgcheck.certificates.outside import smt_proof
    from xpgcheck.writers.atomic import write_atomically

    claims = [claim for claim in json.loads(issued.line)["claims"] if claim["kind"] == "AXp"]
    for count, claim in enumerate(claims, 1):
        proof = smt_proof(graph, point, claim["features"])
        name = f"instance{number}-axp{count}"
        write_atomically(folder / f"{name}.smt2", proof.query)
        write_atomically(folder / f"{name}.alethe", proof.alethe)
        written.proofs += 1
        written.holes += proof.holes
