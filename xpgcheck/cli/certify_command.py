"""``xpgcheck certify``."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from xpgcheck.cli.bundles import bundled, command_error
from xpgcheck.cli.column_options import LeftOut
from xpgcheck.cli.instance_choice import InstanceChoice, chosen_point
from xpgcheck.cli.reading_options import ReadingOptions
from xpgcheck.cli.spelling import Option, folder_option, option, renamed, say
from xpgcheck.cli.vocabulary import (
    constraints_option,
    instances_option,
    jobs_option,
    limit_option,
    model_names,
    quiet_option,
)
from xpgcheck.errors import InputError

if TYPE_CHECKING:
    from xpgcheck.certificates.issuing import Issued
    from xpgcheck.model.decision_graph import DecisionGraph
    from xpgcheck.model.ensemble import Ensemble
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


@dataclass(frozen=True, slots=True)
class CertifiedInstances(InstanceChoice):
    """Which instances the user means: one, those of a table, or those that a model comes with."""

    instances: Annotated[Path | None, instances_option("CSV file of the instances; with --row, of one.")]
    all_instances: Annotated[
        str | None,
        option(
            "--all-instances",
            cls=_AllInstances,
            metavar="",
            is_flag=False,
            flag_value=OWN,
            help="All instances that an embedded model comes with.",
        ),
    ]

    def refuse_two(self) -> None:
        """Raise ``InputError`` where the options name different instances."""
        table = self.instances is not None
        named = [
            option
            for option, given in (
                ("--instance", self.instance is not None),
                ("--instances" if table else "--row", table or self.row is not None),
                ("--all-instances", self.all_instances is not None),
            )
            if given
        ]
        if len(named) > 1:
            raise command_error(f"{named[0]} and {named[1]} both say which instances", "give one of them")

    def with_table(self) -> CertifiedInstances:
        """Return this with the table in its place where ``--all-instances`` names one."""
        if self.all_instances in (None, OWN):
            return self
        return replace(self, instances=Path(str(self.all_instances)), all_instances=None)


@dataclass(frozen=True, slots=True)
class CertifyOptions:
    """The parts of a certificate, and its file."""

    completeness: Annotated[
        str,
        option(
            "--completeness",
            type=click.Choice(["rup", "tree", "none"]),
            default="rup",
            show_default=True,
            help="How to show that no explanation is left out: a refutation, a decision tree, or not at all.",
        ),
    ]
    limit: Annotated[int | None, limit_option("Most explanations of an instance; then they are not all.")]
    output: Annotated[
        str,
        option(
            "--output",
            "-o",
            old=("--out",),
            default=STDOUT,
            metavar="FILE",
            help="The file to write ('-', the default: to the output).",
        ),
    ]
    constraints_file: Annotated[
        Path | None,
        constraints_option("What can occur: explanations under constraints (docs/reference/constraints.md)."),
    ]
    smt_proofs: Annotated[Path | None, folder_option("--smt-proofs", help="Also write cvc5's proofs here.")]
    jobs: Annotated[int, jobs_option(1)]


@click.command("certify")
@click.argument("model", shell_complete=model_names)
@bundled(choice=CertifiedInstances, left_out=LeftOut, asked=CertifyOptions, reading=ReadingOptions)
@quiet_option()
def command(
    model: str,
    choice: CertifiedInstances,
    left_out: LeftOut,
    asked: CertifyOptions,
    reading: ReadingOptions,
    quiet: bool,
) -> int:
    """Write every AXp and CXp of the prediction of MODEL at one instance or at many, each with evidence.

    MODEL is a file or the name of an embedded model (see 'xpgcheck models'). The evidence is closed sets of nodes (of an
    ensemble, trees of boxes), points of another class, and a refutation that leaves no explanation out; 'xpgcheck
    check-certificate', or check_certificate.py alone, checks it without a solver. See
    docs/reference/certificates.md. One JSON object per line: the model, then one line for each instance. An ensemble may
    have too many explanations for a file of all: --limit.

    --row alone takes an embedded model's own instances. --smt-proofs writes for every AXp the SMT-LIB query whether it
    leaves another class, and cvc5's proof in Alethe that it does not, for checkers such as Carcara.
    """
    choice.refuse_two()
    from xpgcheck.writers.writable import check_writable

    choice = choice.with_table()
    if asked.output != STDOUT:
        check_writable(Path(asked.output), model, choice.instances)
    if asked.smt_proofs is not None:
        _prepare_folder(asked.smt_proofs)
    graph = reading.classifier(model, "domains and no classes, so that there is nothing to certify", "certify")
    written = _write(graph, _points(graph, model, choice, left_out), asked)
    open_ended = written.lines - written.complete if asked.completeness != "none" else 0
    # The last line of a certificate that is printed is its own end.
    if not quiet or open_ended or asked.output != STDOUT:
        click.echo(written.text(open_ended), err=asked.output == STDOUT)
    return 3 if open_ended else 0


def _write(graph: DecisionGraph | Ensemble, points: Sequence[Point], asked: CertifyOptions) -> _Written:
    """Write the certificate of *graph* at *points*, a line each, and the proofs where they are asked for."""
    from xpgcheck.certificates.canonical_texts import constrained_header_text, end_text, header_text
    from xpgcheck.certificates.constrained_evidence import rules_of
    from xpgcheck.certificates.issuing import issued_lines
    from xpgcheck.explanations.api import constraint_of
    from xpgcheck.model.ensemble import Ensemble
    from xpgcheck.writers.streamed import streamed

    written = _Written()
    if isinstance(graph, Ensemble) and asked.smt_proofs is not None:
        raise command_error("--smt-proofs is for decision graphs alone", "leave it out")
    if asked.constraints_file is not None and asked.smt_proofs is not None:
        raise command_error("--smt-proofs is for explanations without constraints", "leave one of them out")
    constraint = constraint_of(graph, asked.constraints_file)
    with ExitStack() as stack:
        if asked.output == STDOUT:
            # Not click.echo, which would look for a terminal at every line.
            write: Callable[[bytes], object] = sys.stdout.buffer.write
        else:
            write = stack.enter_context(streamed(asked.output)).write
        text = header_text(graph) if constraint is None else constrained_header_text(graph, rules_of(constraint))
        header = text.encode()
        write(header)
        written.allow(len(header))
        issued_all = issued_lines(graph, points, asked.completeness, asked.limit, asked.jobs, constraint)
        for number, issued in enumerate(issued_all, 1):
            line = issued.line.encode()
            written.allow(len(line), issued.steps)
            write(line)
            written.add(issued)
            if asked.smt_proofs is not None and not isinstance(graph, Ensemble):
                _write_proofs(graph, points[number - 1], number, issued, asked.smt_proofs, written)
        write(end_text(written.lines).encode())
    return written


@dataclass(slots=True)
class _Written:
    """The lines that were written so far."""

    lines: int = 0
    axps: int = 0
    cxps: int = 0
    complete: int = 0
    proofs: int = 0
    holes: int = 0
    left: int = 0
    """Steps that the checker may still take."""

    def allow(self, size: int, steps: int = 0) -> None:
        """Count a line of *size* bytes that takes so many *steps* to check.

        Raises ``UndecidedError`` where the checker would refuse the file for the steps that it takes.
        """
        from xpgcheck.check_certificate import FIRST_STEPS, STEPS_PER_BYTE
        from xpgcheck.errors import UndecidedError

        self.left += STEPS_PER_BYTE * size - steps
        if self.left + FIRST_STEPS < 0:
            problem = f"after {self.lines:,} instances the checker would take over {STEPS_PER_BYTE:,} steps per byte"
            raise UndecidedError(problem, mend="certify fewer instances in one file")

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


def _points(
    graph: DecisionGraph | Ensemble, model: str, choice: CertifiedInstances, left_out: LeftOut
) -> Sequence[Point]:
    """Return the instances that the command names."""
    from xpgcheck.explanations.inputs import is_embedded

    if choice.all_instances is not None:
        if not is_embedded(model):
            raise command_error(
                "--all-instances is for embedded models, which have instances of their own",
                "name a CSV file: --instances FILE",
            )
        from xpgcheck import embedded

        return embedded.load(model).instances
    if choice.instances is not None and choice.row is None:
        from xpgcheck.readers.instances import read_instances

        return read_instances(choice.instances, graph.features, **left_out.options())
    point = chosen_point(graph, model, choice, left_out)
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
