"""``xpgcheck ablations``."""

from __future__ import annotations

import click


@click.command("ablations", short_help="See what each assumption of the paper is good for.")
@click.option("--examples", type=click.IntRange(1), default=4_000, show_default=True, help="Cases an ablation.")
@click.option("--seed", type=click.IntRange(0, 2**32 - 1), default=0, show_default=True, help="Seed of the cases.")
@click.option("--only", metavar="NAME", help="The ablation of this name alone.")
@click.option("--all-graphs", is_flag=True, help="Show the smallest graph for each property that fails, not for one.")
def command(examples: int, seed: int, only: str | None, all_graphs: bool) -> int:
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
    if only is not None and only not in known:
        raise InputError(f"no ablation is called {shown(only)}", mend=f"use one of {', '.join(map(shown, known))}")
    chosen = [known[only]] if only is not None else list(known.values())
    results = []
    with bar(len(chosen), "leaving out", True) as advance:
        for ablation in chosen:
            results.append(ablations.ablate(ablation, examples=examples, seed=seed))
            advance(1)
    for result in results:
        ablations.print_ablated(result, console(), all_graphs=all_graphs)
    right = sum(result.as_stated for result in results)
    click.echo(f"{'AS STATED' if right == len(results) else 'NOT AS STATED'}: {right} of {len(results)} ablations")
    return 0 if right == len(results) else 1
