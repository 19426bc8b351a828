"""The summary of a table on the terminal.  Names are never read as markup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from xpgcheck.errors import printable
from xpgcheck.reports.terminal import print_table, say
from xpgcheck.tables.page import summary_facts
from xpgcheck.tables.plot import percent
from xpgcheck.tables.summary import ROLE_TITLES, ClassCounts, TableSummary
from xpgcheck.wording import counted

if TYPE_CHECKING:
    from rich.console import Console

MAX_FEATURES = 30
"""Features that a table on the terminal lists; the JSON has all."""

MAX_CLASSES = 8


def print_summary(summary: TableSummary, console: Console) -> None:
    """Print how often each feature plays each role, over all rows and by class."""
    say(console, f"{printable(summary.model_name)}: {counted(summary.rows, 'row')} explained", "bold")
    for name, text in summary_facts(summary):
        say(console, f"{name}: {text}")
    parts = [("all rows", summary.all_classes())]
    classes = [pair for pair in zip(summary.class_names, summary.classes, strict=True) if pair[1].rows]
    if len(classes) > 1:
        parts += [(f"class {printable(name)}", counts) for name, counts in classes[:MAX_CLASSES]]
    for title, counts in parts:
        _print_part(summary, counts, title, console)
    if len(classes) > MAX_CLASSES:
        say(console, f"{len(classes) - MAX_CLASSES:,} more classes are in the files")


def _print_part(summary: TableSummary, counts: ClassCounts, title: str, console: Console) -> None:
    console.print()
    say(console, f"{title}: {counted(counts.rows, 'row')}", "bold")
    features = summary.ranked(counts)
    if not features:
        say(console, "no feature is in any AXp or CXp")
        return
    rows = [
        [printable(summary.names[i]), *(percent(count, counts.rows) for count in counts.features[i].roles)]
        for i in features[:MAX_FEATURES]
    ]
    print_table(console, rows, ["feature"], [f"in {role}" for role in ROLE_TITLES], narrowest=10)
    if len(features) > MAX_FEATURES:
        say(console, f"{len(features) - MAX_FEATURES:,} more features are in the files")
