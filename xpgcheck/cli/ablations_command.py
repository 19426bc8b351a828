"""``xpgcheck properties ablations``."""

from __future__ import annotations

import click

from xpgcheck.cli.spelling import option
from xpgcheck.cli.vocabulary import examples_option, quiet_option, seed_option


@click.command("ablations")
@examples_option("Cases per ablation.", 4_000, least=1)
@seed_option()
@option("--ablation", "names", old=("--only",), multiple=True, metavar="NAME", help="This ablation alone (repeatable).")
@option("--all-graphs", is_flag=True, help="Show the smallest graph for each property that fails, not for one.")
@quiet_option()
def command(examples: int, seed: int, names: tuple[str, ...], all_graphs: bool, quiet: bool) -> int:
    """Leave out an assumption and see which properties fail.

    Without (i), without (ii), with parallel edges unmerged, with Algorithm 1 as printed: exactly the properties fail that
    need what was left out, and all others hold. If not, the exit status is 1.
    """
    from xpgcheck.properties.needed import require_hypothesis

    require_hypothesis()
    from xpgcheck.errors import InputError, shown
    from xpgcheck.properties import ablations
    from xpgcheck.reports.terminal import console
    from xpgcheck.runs.progress import bar

    known = {a.name: a for a in ablations.ABLATIONS}
    for name in names:
        if name not in known:
            raise InputError(f"no ablation is called {shown(name)}", mend=f"use one of {', '.join(map(shown, known))}")
    chosen = [known[name] for name in dict.fromkeys(names or known)]
    results = []
    with bar(len(chosen), "leaving out", not quiet) as advance:
        for ablation in chosen:
            results.append(ablations.ablate(ablation, examples=examples, seed=seed))
            advance(1)
    for result in () if quiet else results:
        ablations.print_ablated(result, console(), all_graphs=all_graphs)
    right = sum(result.as_stated for result in results)
    click.echo(f"{'AS STATED' if right == len(results) else 'NOT AS STATED'}: {right} of {len(results)} ablations")
    return 0 if right == len(results) else 1
