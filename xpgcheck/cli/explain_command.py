"""``xpgcheck explain``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import click

from xpgcheck.cli.bundles import bundled, command_error
from xpgcheck.cli.column_options import LeftOut
from xpgcheck.cli.instance_choice import InstanceChoice, chosen_point
from xpgcheck.cli.reading_options import ReadingOptions
from xpgcheck.cli.spelling import option
from xpgcheck.cli.table_options import RowLimits, TableOptions, explain_all
from xpgcheck.cli.vocabulary import constraints_option, limit_option, markdown_option, model_names, timeout_option
from xpgcheck.errors import XpgcheckError

if TYPE_CHECKING:
    from xpgcheck.explanations.case import ExplainedInstance
    from xpgcheck.explanations.result import Explanations

DEFAULT_LIMIT = 1_000

DEFAULT_SHOWN = 50
"""Explanations of a kind that are put in words without --limit."""


@dataclass(frozen=True, slots=True)
class ExplainOptions:
    """Which explanations are wanted, and where they are written."""

    one: Annotated[bool, option("--one", is_flag=True, help="One AXp and one CXp instead of all.")]
    smallest: Annotated[bool, option("--smallest", is_flag=True, help="An AXp and a CXp with as few features as any.")]
    prefer: Annotated[
        tuple[str, ...],
        option("--prefer", multiple=True, metavar="NAMES", help="One that holds these features where it can (a,b)."),
    ]
    never: Annotated[
        tuple[str, ...], option("--never", multiple=True, metavar="NAMES", help="One without these features (a,b).")
    ]
    membership: Annotated[
        tuple[str, ...],
        option("--membership", multiple=True, metavar="NAMES", help="Only: are these features in some AXp, some CXp?"),
    ]
    limit: Annotated[
        int | None,
        limit_option(f"Most explanations to list (default: {DEFAULT_LIMIT:,}, {DEFAULT_SHOWN} of a kind in words)."),
    ]
    order: Annotated[
        tuple[str, ...],
        option("--order", multiple=True, metavar="NAMES", help="Whose set of values grows first (a,b), of each AXp."),
    ]
    boxes: Annotated[
        int,
        option("--boxes", type=click.IntRange(1), default=1, metavar="N", help="Up to N sets of values of each AXp."),
    ]
    timeout: Annotated[
        float | None, timeout_option(None, "Seconds for all explanations of an ensemble; then those found are shown.")
    ]
    constraints_file: Annotated[
        Path | None, constraints_option("What can occur: only such points count (docs/reference/constraints.md).")
    ]
    markdown_file: Annotated[Path | None, markdown_option("Write everything in GitHub's Markdown.")]
    json_file: Annotated[
        str | None,
        option(
            "--json", "json_file", metavar="FILE", help="Write everything as JSON ('-': to the output, nothing else)."
        ),
    ]

    def refuse_for_tables(self) -> None:
        """Raise ``InputError`` that names an option of one instance, where all rows are explained."""
        given = {
            "--one": self.one,
            "--smallest": self.smallest,
            "--prefer": self.prefer,
            "--never": self.never,
            "--membership": self.membership,
            "--order": self.order,
            "--boxes": self.boxes > 1,
            "--markdown": self.markdown_file,
        }
        for name, value in given.items():
            if value:
                raise command_error(f"{name} is for one instance", "leave it or --all out (--all explains by --parts)")

    def refuse_contradictions(self) -> None:
        """Raise ``InputError`` where the options do not go together."""
        if self.one and self.smallest:
            raise command_error("--one and --smallest exclude one another", "give one of them")
        if self.limit is not None and (self.one or self.smallest or self.prefer or self.never):
            raise command_error("--limit is for listing all explanations", "leave it out")


@click.command("explain")
@click.argument("model", shell_complete=model_names)
@bundled(choice=InstanceChoice, left_out=LeftOut, wanted=ExplainOptions, whole=TableOptions, reading=ReadingOptions)
def command(
    model: str,
    choice: InstanceChoice,
    left_out: LeftOut,
    wanted: ExplainOptions,
    whole: TableOptions,
    reading: ReadingOptions,
) -> int:
    """Explain the prediction of MODEL at one instance: all AXps and CXps in words; or at every row of a table.

    MODEL is a file or the name of an embedded model (see 'xpgcheck models'). An AXp says why: features that fix the
    prediction whatever the others are. A CXp says what would change it, with a closest point of another class. A table
    says of each feature whether it is in some or in every one of them.

    --row alone takes an embedded model's own instances. --prefer and --never ask for one AXp and one CXp. An .xpg model
    stands for one instance, and has no values. --membership lists nothing: it decides, and shows one AXp and one CXp
    of each feature that is in some.

    --all explains every row of --instances: --parts says what of each row goes to --output, as a stream, and the summary
    says how often each feature is in some AXp, in every AXp and in a smallest CXp, by class (as JSON, too: --json).
    """
    wanted.refuse_contradictions()
    if whole.every_row:
        choice.refuse_one()
        wanted.refuse_for_tables()
    else:
        choice.refuse_two()
        whole.refuse_without_all()
        files = {"output": whole.output, "html_file": whole.html_file, "markdown_file": wanted.markdown_file}
        target = _checked_outputs(wanted, files, model, choice.instances)
    from xpgcheck.explanations.inputs import classifier_of

    graph = classifier_of(model, **reading.options())
    if whole.every_row:
        limits = RowLimits(wanted.limit or DEFAULT_LIMIT, wanted.timeout)
        return explain_all(
            graph, model, choice.instances, left_out, whole, limits, wanted.json_file, wanted.constraints_file
        )
    from xpgcheck.explanations.api import constraint_of
    from xpgcheck.explanations.case import case_of

    constraint = constraint_of(graph, wanted.constraints_file)
    case = case_of(graph, chosen_point(graph, model, choice, left_out), wanted.timeout, constraint)
    if wanted.membership:
        _print_membership(case, wanted, any(path is not None for path in files.values()))
        return 0
    found = _found(case, wanted)
    _write(found, wanted, target)
    _write_pages(found, files)
    return 0


def _checked_outputs(
    wanted: ExplainOptions, files: dict[str, Path | None], model: str, instances: Path | None
) -> Path | None:
    """Return the file for JSON, if one is wanted.  Raises ``InputError`` where an output cannot be written."""
    if any(path is not None for path in files.values()):
        from xpgcheck.cli.outputs import check_outputs

        check_outputs(files, model, instances)
    if wanted.json_file in (None, "-"):
        return None
    from xpgcheck.writers.writable import check_writable

    target = Path(str(wanted.json_file))
    check_writable(target, model, instances)
    return target


def _print_membership(case: ExplainedInstance, wanted: ExplainOptions, pages: bool) -> None:
    lists = wanted.one or wanted.prefer or wanted.never or wanted.smallest or wanted.limit is not None
    if lists or wanted.json_file is not None or pages:
        raise command_error("--membership stands alone", "leave the options on lists and reports out")
    from xpgcheck.explanations.membership_texts import membership_text

    for name in _names(case, wanted.membership, "--membership"):
        click.echo(membership_text(case, name, "--membership"))


def _found(case: ExplainedInstance, wanted: ExplainOptions) -> Explanations:
    """Return the explanations that are asked for, with progress."""
    from xpgcheck.explanations.api import explain_case
    from xpgcheck.explanations.result import Mode
    from xpgcheck.runs.progress import bar

    limit = wanted.limit or DEFAULT_LIMIT
    picky = wanted.one or wanted.prefer or wanted.never
    with bar(limit, "explanations", wanted.json_file != "-") as advance:
        case.explainer.told = advance
        return explain_case(
            case,
            mode=Mode.SMALLEST if wanted.smallest else Mode.ONE if picky else Mode.ALL,
            limit=limit,
            prefer=_names(case, wanted.prefer, "--prefer"),
            never=_names(case, wanted.never, "--never"),
            order=_names(case, wanted.order, "--order"),
            boxes=wanted.boxes,
        )


def _names(case: ExplainedInstance, texts: tuple[str, ...], option: str) -> list[str]:
    """Return the features that *texts* name, each a list with commas between."""
    if not texts:
        return []
    from xpgcheck.cli.instance_option import parse_features
    from xpgcheck.model.domains import Boolean, Feature

    features = [Feature(name, Boolean()) for name in case.names]
    try:
        return [case.names[i] for text in texts for i in parse_features(text, features)]
    except XpgcheckError as error:
        raise error.at(option) from None


def _write(found: Explanations, wanted: ExplainOptions, target: Path | None) -> None:
    if wanted.json_file is not None:
        from xpgcheck.reports.documents import json_text

        text = json_text(found.to_dict(), ascii_only=False)
        if target is None:
            click.echo(text, nl=False)
            return
        from xpgcheck.writers.atomic import write_atomically

        write_atomically(target, text)
    from rich.console import Console

    from xpgcheck.explanations.report import print_explanations

    print_explanations(found, Console(highlight=False), DEFAULT_SHOWN if wanted.limit is None else None)


def _write_pages(found: Explanations, files: Mapping[str, Path | None]) -> None:
    """Write the pages that are asked for: HTML, with the first XPs drawn where that is possible, or Markdown."""
    wanted = {name: path for name, path in files.items() if path is not None}
    if not wanted:
        return
    from xpgcheck.drawing.notebook import first_pictures
    from xpgcheck.explanations.html import markdown_text, whole_page
    from xpgcheck.writers.atomic import write_atomically

    for name, path in wanted.items():
        is_text = name == "markdown_file" or (name == "output" and path.suffix.lower() == ".md")
        write_atomically(path, markdown_text(found) if is_text else whole_page(found, first_pictures(found)))
