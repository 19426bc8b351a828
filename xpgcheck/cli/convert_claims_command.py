"""``xpgcheck convert-claims``."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import click

from xpgcheck.cli.bundles import bundled, command_error
from xpgcheck.cli.column_options import LeftOut
from xpgcheck.cli.reading_options import ReadingOptions
from xpgcheck.cli.spelling import option
from xpgcheck.cli.vocabulary import instances_option
from xpgcheck.errors import NothingCheckedError, XpgcheckError

if TYPE_CHECKING:
    from xpgcheck.claims.from_csv import LogColumns
    from xpgcheck.model.classifier import Classifier


@dataclass(frozen=True, slots=True)
class LogOptions:
    """The kinds of the rows of a log, and their columns."""

    set_column: Annotated[
        str, option("--set-column", required=True, metavar="NAME", help="The column with the set of features.")
    ]
    kind: Annotated[
        str | None,
        option(
            "--kind", type=click.Choice(["AXp", "CXp"], case_sensitive=False), help="The kind of claim of every row."
        ),
    ]
    kind_column: Annotated[
        str | None, option("--kind-column", metavar="NAME", help="The column that says which of the two a row is.")
    ]
    class_column: Annotated[
        str | None,
        option("--class-column", metavar="NAME", help="The column with the class that the explainer predicts."),
    ]
    id_column: Annotated[
        str | None,
        option("--id-column", metavar="NAME", help="A column to echo, so that a verdict leads back to its row."),
    ]
    instances: Annotated[Path | None, instances_option("CSV file of the instances, if not in the log.")]
    row_column: Annotated[
        str | None,
        option("--row-column", metavar="NAME", help="The column with the instance's row in --instances, from 1."),
    ]
    left_out: LeftOut
    separator: Annotated[
        str,
        option(
            "--separator", metavar="TEXT", default=";", show_default=True, help="What is between the features of a set."
        ),
    ]
    first_index: Annotated[
        int,
        option(
            "--first-index",
            metavar="0|1",
            type=click.IntRange(0, 1),
            default=0,
            show_default=True,
            help="The number of the first feature.",
        ),
    ]
    none_text: Annotated[
        str | None,
        option("--none", "none_text", metavar="TEXT", help="The text of a cell where there is no such explanation."),
    ]

    def refuse_contradictions(self) -> None:
        """Raise ``InputError`` where the options do not go together."""
        if (self.kind is None) == (self.kind_column is None):
            raise command_error("the kind of the rows is not clear", "give --kind or --kind-column, one of them")
        if (self.instances is None) != (self.row_column is None):
            raise command_error("--instances and --row-column go together", "give both, or have the values in the log")
        if self.left_out and self.instances is None:
            problem = (
                f"{'--drop-column' if self.left_out.drop_columns else '--ignore-extra-columns'} is for --instances"
            )
            raise command_error(problem, "leave it out: other columns of the log are ignored")
        if not self.separator.strip() and self.separator != " ":
            raise command_error("the separator is empty", "give one character or more")

    def columns(self) -> LogColumns:
        """Return how the log is read."""
        from xpgcheck.claims.from_csv import KINDS, LogColumns

        return LogColumns(
            self.set_column,
            KINDS[self.kind.lower()] if self.kind is not None else None,
            self.kind_column,
            self.class_column,
            self.row_column,
            self.id_column,
            self.separator,
            self.none_text,
            self.first_index,
        )


@click.command("convert-claims")
@click.argument("log", type=click.Path(path_type=Path))
@option("--model", required=True, metavar="MODEL", help="The model that was explained.")
@bundled(said=LogOptions)
@option(
    "--explainer",
    old=("--subject",),
    default="",
    metavar="NAME",
    help="The explainer, for the header of the claims file.",
)
@option("--output", "-o", required=True, metavar="FILE", help="The claims file to write; - for standard output.")
@bundled(reading=ReadingOptions)
def command(log: Path, model: str, said: LogOptions, explainer: str, output: str, reading: ReadingOptions) -> int:
    """Turn a CSV log of explanations, one a row, into a claims file for 'xpgcheck verify'.

    LOG has a header. The values of the instance are in columns named as the features are, or in the file --instances. The
    column --set-column holds names or numbers of features, such as 'petal length; petal width'; an empty cell is the empty
    set. The claims name the model by its path where it is in the claims file's folder or below; else give it to 'verify'.
    """
    from xpgcheck.claims.from_csv import claims_of_log
    from xpgcheck.claims.models import NamedModels
    from xpgcheck.claims.stream import FORMAT, VERSION, opened
    from xpgcheck.readers.files import place_of
    from xpgcheck.readers.instances import read_instances

    said.refuse_contradictions()
    if output != "-":
        from xpgcheck.writers.writable import check_writable

        check_writable(Path(output), log, model, said.instances)
    graph = NamedModels([model], options=reading.options()).find(None)
    rows = None
    if said.instances is not None:
        rows = read_instances(said.instances, graph.features, **said.left_out.options())
    named = _name_in_file(model, graph, output)
    header: dict[str, Any] = {"format": FORMAT, "version": VERSION}
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(opened(log))
        write = _writer(output, stack)
        write({**header, "subject": explainer} if explainer else header)
        found = False
        try:
            for record in claims_of_log(file, graph, said.columns(), instances=rows):
                write({"model": named, **record} if named is not None else record)
                found = True
            if not found:
                raise NothingCheckedError("there is a header and no row", mend="write one row for each explanation")
        except XpgcheckError as error:
            raise error.at(place_of(log)) from None
    if named is None:
        click.echo(f"xpgcheck: the claims name no model: verify them with --model {model}", err=True)
    return 0


def _name_in_file(model: str, graph: Classifier, output: str) -> str | None:
    """Return how a line names the model: an embedded one by its name, a file by its path if that stays in the folder."""
    from xpgcheck.explanations.inputs import is_embedded

    if is_embedded(model):
        return model
    if output == "-":
        return None
    folder, path = Path(output).resolve().parent, Path(model).resolve()
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else None


def _writer(output: str, stack: contextlib.ExitStack) -> Callable[[dict[str, Any]], None]:
    import msgspec

    from xpgcheck.writers.streamed import streamed

    if output == "-":
        out = sys.stdout.buffer

        def show(record: dict[str, Any]) -> None:
            out.write(msgspec.json.encode(record) + b"\n")

        return show
    target = stack.enter_context(streamed(output))

    def keep(record: dict[str, Any]) -> None:
        target.write(msgspec.json.encode(record) + b"\n")

    return keep
