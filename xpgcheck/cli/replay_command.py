"""``xpgcheck replay``."""

from __future__ import annotations

from pathlib import Path

import click

from xpgcheck.cli.bundles import bundled, command_error
from xpgcheck.cli.outputs import Outputs, check_outputs, concluded
from xpgcheck.cli.spelling import option
from xpgcheck.cli.vocabulary import (
    command_option,
    memory_option,
    quiet_option,
    solver_option,
    start_timeout_option,
    timeout_option,
    trace_option,
)


@click.command("replay")
@click.argument("case", type=click.Path(path_type=Path))
@option("--subject", metavar="SUBJECT", help="Ask this subject at the case, instead of judging what was claimed.")
@command_option()
@solver_option()
@timeout_option(10.0, "Seconds for one answer.")
@start_timeout_option()
@memory_option()
@trace_option()
@bundled(outputs=Outputs)
@quiet_option()
def command(
    case: Path,
    subject: str | None,
    command_line: str | None,
    solvers: tuple[str, ...],
    timeout: float,
    start_timeout: float,
    memory: int,
    trace_file: Path | None,
    outputs: Outputs,
    quiet: bool,
) -> int:
    """Judge the claims of a saved CASE again, or ask a subject at it.

    CASE is a file that --cases of 'xpgcheck gate' or 'xpgcheck verify' has written; its verdict does not depend on the
    explainer, so anyone can repeat it. One that 'xpgcheck properties run --record' has written is about a property, and
    needs --subject or --command.
    """
    from xpgcheck.gate.plan import Cases, GatePlan, opener, patience
    from xpgcheck.gate.replaying import ask_again, judge_again
    from xpgcheck.gate.results import SourcePlace
    from xpgcheck.oracles.pysmt_backend import require_solvers
    from xpgcheck.properties.catalogue import chosen
    from xpgcheck.subjects.limits import MEBIBYTE, Limits

    if subject is not None and command_line is not None:
        raise command_error("--subject and --command", "name one of them")
    if trace_file is not None and subject is None and command_line is None:
        raise command_error("--trace without a subject", "add --subject or --command")
    require_solvers(solvers)
    check_outputs({**outputs.files(), "trace_file": trace_file}, case)
    names = tuple(solvers) or ("z3",)
    if subject is None and command_line is None:
        report, other = judge_again(case, names, int(timeout * 1000), solvers_first=bool(solvers))
        for line in other:
            click.echo(f"xpgcheck: {line}", err=True)
    else:
        limits = Limits(seconds=timeout, memory=memory * MEBIBYTE, start_seconds=start_timeout)
        open_subject = opener(subject, command_line, limits, trace_file)
        properties = tuple(p.name for p in chosen(()))
        report = ask_again(
            case,
            GatePlan(open_subject, Cases(0, 0, 12), properties=properties, seconds=patience(limits), solvers=names),
        )
    report.source = SourcePlace(str(case))
    return concluded(report, outputs, quiet=quiet)
