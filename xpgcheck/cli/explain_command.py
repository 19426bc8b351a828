"""``xpgcheck explain``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from xpgcheck.cli.column_options import LeftOut, column_options
from xpgcheck.cli.instance_choice import chosen_point, command_error, refuse_two_instances
from xpgcheck.cli.reading_options import Reading, reading_options
from xpgcheck.cli.spelling import option
from xpgcheck.cli.vocabulary import instance_option, instances_option, limit_option, row_option
from xpgcheck.errors import XpgcheckError

if TYPE_CHECKING:
    from xpgcheck.explanations.case import ExplainedInstance
    from xpgcheck.explanations.result import Explanations

DEFAULT_LIMIT = 1_000


@click.command("explain")
@click.argument("model")
@instance_option()
@row_option()
@instances_option()
@column_options
@option("--one", is_flag=True, help="One AXp and one CXp instead of all.")
@option("--smallest", is_flag=True, help="An AXp and a CXp with as few features as any.")
@option("--prefer", multiple=True, metavar="NAMES", help="One that holds these features where it can (a,b).")
@option("--never", multiple=True, metavar="NAMES", help="One without these features (a,b).")
@option("--membership", multiple=True, metavar="NAMES", help="Only: are these features in some AXp, some CXp?")
@limit_option(f"Most explanations to list (default: {DEFAULT_LIMIT:,}).")
@option("--json", "json_file", metavar="FILE", help="Write everything as JSON ('-': to the output, nothing else).")
@reading_options
def command(
    model: str,
    instance: str | None,
    row: int | None,
    instances: Path | None,
    left_out: LeftOut,
    one: bool,
    smallest: bool,
    prefer: tuple[str, ...],
    never: tuple[str, ...],
    membership: tuple[str, ...],
    limit: int | None,
    json_file: str | None,
    reading: Reading,
) -> int:
    """Explain the prediction of MODEL at one instance: all AXps and CXps in words.

    MODEL is a file or the name of an embedded model (see 'xpgcheck models'). An AXp says why: features that fix the
    prediction whatever the others are. A CXp says what would change it, with a closest point of another class. A table
    says of each feature whether it is in some or in every one of them.

    --row alone takes an embedded model's own instances. --prefer and --never ask for one AXp and one CXp. An .xpg model
    stands for one instance, and has no values. --membership lists nothing: it decides, and shows one AXp and one CXp
    of each feature that is in some.
    """
    _refuse_contradictions(instance, row, instances, one, smallest, bool(prefer or never), limit)
    from xpgcheck.explanations.api import explain_case
    from xpgcheck.explanations.case import case_of
    from xpgcheck.explanations.inputs import model_of
    from xpgcheck.explanations.result import Mode

    target = None if json_file in (None, "-") else Path(str(json_file))
    if target is not None:
        from xpgcheck.writers.writable import check_writable

        check_writable(target, model, instances)
    graph = model_of(model, **reading.options())
    case = case_of(graph, chosen_point(graph, model, instance, row, instances, left_out))
    if membership:
        if one or smallest or prefer or never or limit is not None or json_file is not None:
            raise command_error("--membership stands alone", "leave the options on lists and reports out")
        from xpgcheck.explanations.membership_texts import membership_text

        for name in _names(case, membership, "--membership"):
            click.echo(membership_text(case, name, "--membership"))
        return 0
    mode = Mode.SMALLEST if smallest else Mode.ONE if one or prefer or never else Mode.ALL
    found = explain_case(
        case,
        mode=mode,
        limit=limit or DEFAULT_LIMIT,
        prefer=_names(case, prefer, "--prefer"),
        never=_names(case, never, "--never"),
    )
    _write(found, json_file, target)
    return 0


def _refuse_contradictions(
    instance: str | None,
    row: int | None,
    instances: Path | None,
    one: bool,
    smallest: bool,
    wishes: bool,
    limit: int | None,
) -> None:
    refuse_two_instances(instance, row, instances)
    if one and smallest:
        raise command_error("--one and --smallest exclude one another", "give one of them")
    if limit is not None and (one or smallest or wishes):
        raise command_error("--limit is for listing all explanations", "leave it out")


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


def _write(found: Explanations, json_file: str | None, target: Path | None) -> None:
    if json_file is not None:
        from xpgcheck.reports.documents import json_text

        text = json_text(found.to_dict(), ascii_only=False)
        if target is None:
            click.echo(text, nl=False)
            return
        from xpgcheck.writers.atomic import write_atomically

        write_atomically(target, text)
    from rich.console import Console

    from xpgcheck.explanations.report import print_explanations

    print_explanations(found, Console(highlight=False))
