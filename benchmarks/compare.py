"""``python -m benchmarks.compare BEFORE AFTER``: the figures of two trees in one table.

Each file is what ``python -m benchmarks NAME --json`` wrote, or a folder of such files.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("before", type=click.Path(exists=True, path_type=Path))
@click.argument("after", type=click.Path(exists=True, path_type=Path))
def main(before: Path, after: Path) -> None:
    """Print the targets of AFTER as a Markdown table, with what BEFORE measured of the same."""
    earlier = {target["what"]: target["measured"] for target in targets(before)}
    click.echo("| what | before | after | after / before | goal | |\n| --- | --- | --- | --- | --- | --- |")
    for target in targets(after):
        known = earlier.get(target["what"])
        ratio = "" if not known else f"{target['measured'] / known:.2f}"
        goal = f"{target['relation'].replace('<', '≤')} {number(target['wanted'])}"
        cells = (target["what"], "" if known is None else number(known), number(target["measured"]), ratio, goal)
        click.echo(f"| {' | '.join(cells)} | {'met' if target['met'] else 'not met'} |")


def targets(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the targets of the reports in the file, or in the JSON files of the folder, at *path*."""
    for file in sorted(path.glob("*.json")) if path.is_dir() else [path]:
        for report in json.loads(file.read_text(encoding="utf-8"))["benchmarks"]:
            yield from report["targets"]


def number(value: float) -> str:
    """Return *value* to three digits."""
    return f"{value:.3g}" if abs(value) < 100 else f"{value:,.0f}"


if __name__ == "__main__":
    main(prog_name="python -m benchmarks.compare")
