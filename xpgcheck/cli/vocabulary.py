"""The options that several commands have: each is spelt, typed and called the same everywhere.

A test walks all commands and sees that an option of one name is the same option.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from xpgcheck.cli.seconds import Seconds
from xpgcheck.cli.spelling import Decorator, file_option, folder_option, option

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

SOLVERS = ("z3", "cvc5")

PROFILES = ("dev", "ci", "nightly")

COMBINATIONS = ("majority", "average")
"""The rules that readers know; a test compares them."""

GRAPH_KINDS = ("tree", "graph", "ordered", "omdd", "obdd", "ladder", "threshold-tree")
"""Kinds of generated graphs; a test compares them with the strategies', which need Hypothesis."""

DEFAULT_START_TIMEOUT = 60.0

DEFAULT_MEMORY = 2048

MOST_SEED = 2**32 - 1

SEED = click.IntRange(0, MOST_SEED)

SIZE = click.IntRange(1, 200)


def model_names(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return what completes a MODEL in the shell: embedded models, or a file."""
    from click.shell_completion import CompletionItem

    from xpgcheck import embedded

    names = [CompletionItem(name) for name in embedded.names() if name.startswith(incomplete)]
    return names or [CompletionItem(incomplete, type="file")]


def quiet_option() -> Decorator:
    """Return ``--quiet``."""
    return option("--quiet", "-q", is_flag=True, repeats=False, help="Print only the last line.")


def json_option(help_text: str = "Write the report as JSON.") -> Decorator:
    """Return ``--json``."""
    return file_option("--json", "json_file", repeats=False, help=help_text)


def jobs_option(default: int | None = None, most: int | None = None) -> Decorator:
    """Return ``--jobs``; by default one process per core."""
    help_text = "Processes." if default is not None else "Processes (default: one per core)."
    return option(
        "--jobs", "-j", type=click.IntRange(1, most), default=default, show_default=True, repeats=False, help=help_text
    )


def seed_option(of: str = "cases") -> Decorator:
    """Return ``--seed`` of the *of*."""
    return option("--seed", type=SEED, default=0, show_default=True, help=f"Seed of the {of}.")


def examples_option(help_text: str, default: int | None = None, least: int = 0, most: int | None = None) -> Decorator:
    """Return ``--examples``, from *least* to *most*; *default* is shown where there is one."""
    return option("--examples", type=click.IntRange(least, most), default=default, show_default=True, help=help_text)


def size_option(default: int | None = None) -> Decorator:
    """Return ``--size``; by default the profile's."""
    otherwise = "" if default is not None else " (default: the profile's)"
    return option(
        "--size", type=SIZE, default=default, show_default=True, help=f"Most nodes of a generated graph{otherwise}."
    )


def profile_option() -> Decorator:
    """Return ``--profile``.  The settings that it chooses are in the command line that repeats a run, in place of it."""
    return option(
        "--profile",
        "profile_name",
        type=click.Choice(PROFILES),
        default="dev",
        show_default=True,
        repeats=False,
        help="How much to do: cases, their size, and whether with SMT.",
    )


def property_option(help_text: str = "This property or group alone (repeatable).") -> Decorator:
    """Return ``--property``."""
    return option("--property", "names", multiple=True, metavar="NAME", help=help_text)


def plugin_option() -> Decorator:
    """Return ``--plugin``."""
    return option(
        "--plugin",
        "plugins",
        multiple=True,
        metavar="NAME",
        help="Use the plug-ins of this module too (repeatable; docs/how-to/properties-of-your-own.md).",
    )


def solver_option(help_text: str = "SMT solvers of the judges (repeatable; default: z3).") -> Decorator:
    """Return ``--solver``."""
    return option("--solver", "solvers", type=click.Choice(SOLVERS), multiple=True, help=help_text)


def timeout_option(default: float | None, help_text: str) -> Decorator:
    """Return ``--timeout``."""
    return option("--timeout", type=Seconds(), default=default, show_default=True, help=help_text)


def start_timeout_option(help_text: str = "Seconds that the subject has to start.") -> Decorator:
    """Return ``--start-timeout``."""
    return option("--start-timeout", type=Seconds(), default=DEFAULT_START_TIMEOUT, show_default=True, help=help_text)


def memory_option(help_text: str = "MiB that the subject's processes may take.") -> Decorator:
    """Return ``--memory``."""
    return option("--memory", type=click.IntRange(16), default=DEFAULT_MEMORY, show_default=True, help=help_text)


def trace_option() -> Decorator:
    """Return ``--trace``."""
    help_text = "Write every question and answer with its time: JSON lines (docs/reference/protocol.md)."
    return file_option("--trace", "trace_file", repeats=False, help=help_text)


def sample_option(default: int | None, help_text: str) -> Decorator:
    """Return ``--sample``."""
    return option("--sample", type=click.IntRange(1), default=default, show_default=True, help=help_text)


def command_option(help_text: str = "The same of a program that speaks the protocol.") -> Decorator:
    """Return ``--command``."""
    return option("--command", "command_line", metavar="COMMAND", help=help_text)


def instance_option(help_text: str = "The instance, as 'age=41, student=Y'.") -> Decorator:
    """Return ``--instance``."""
    return option("--instance", metavar="TEXT", help=help_text)


def row_option() -> Decorator:
    """Return ``--row``."""
    return option(
        "--row", type=click.IntRange(1), metavar="N", help="The instance is the N-th data row of --instances."
    )


def instances_option(help_text: str = "CSV file that --row is taken from.") -> Decorator:
    """Return ``--instances``."""
    return file_option("--instances", help=help_text)


def list_option(help_text: str) -> Decorator:
    """Return ``--list``."""
    return option("--list", "listing", is_flag=True, repeats=False, help=help_text)


def max_bytes_option(of: str) -> Decorator:
    """Return ``--max-bytes`` of the *of*."""
    return option("--max-bytes", type=click.IntRange(1), help=f"Largest {of} to read, in bytes (default: 256 MiB).")


def combine_option() -> Decorator:
    """Return ``--combine``: what a forest's source leaves open."""
    help_text = "How the trees of a forest are combined, where its source leaves the choice (docs/reference/format.md)."
    return option("--combine", type=click.Choice(COMBINATIONS), help=help_text)


def limit_option(help_text: str, default: int | None = None, old: Sequence[str] = ()) -> Decorator:
    """Return ``--limit``, of what is listed or enumerated."""
    return option("--limit", type=click.IntRange(1), old=old, default=default, show_default=True, help=help_text)


def junit_option() -> Decorator:
    """Return ``--junit``."""
    return file_option("--junit", "junit_file", repeats=False, help="Write the report as JUnit XML.")


def html_option(help_text: str = "Write the report as one HTML page.") -> Decorator:
    """Return ``--html``."""
    return file_option("--html", "html_file", repeats=False, help=help_text)


def markdown_option(help_text: str = "Write a summary in GitHub's Markdown.") -> Decorator:
    """Return ``--markdown``."""
    return file_option("--markdown", "markdown_file", repeats=False, help=help_text)


def sarif_option() -> Decorator:
    """Return ``--sarif``."""
    return file_option("--sarif", "sarif_file", repeats=False, help="Write the report as SARIF 2.1.0.")


def github_option() -> Decorator:
    """Return ``--github``."""
    help_text = "In a job of GitHub Actions: annotate the findings, and add the Markdown report to the job's summary."
    return option("--github", is_flag=True, repeats=False, help=help_text)


def smt_option(default: bool | None = None) -> Decorator:
    """Return ``--smt``; by default the profile's."""
    otherwise = "" if default is not None else " (default: the profile's)"
    help_text = f"With or without the SMT properties{otherwise}."
    return option("--smt/--no-smt", default=default, show_default=True, help=help_text)


def corpus_option(what: str) -> Decorator:
    """Return ``--corpus``; *what* is done to its cases."""
    return file_option("--corpus", help=f"Folder (or file) of kept cases, {what}")


def cases_option(help_text: str, old: Sequence[str] = ()) -> Decorator:
    """Return ``--cases``."""
    return folder_option("--cases", "cases_folder", old=old, repeats=False, help=help_text)


def bug_option() -> Decorator:
    """Return ``--bug``."""
    return option("--bug", "bug_names", multiple=True, metavar="NAME", help="This seeded bug alone (repeatable).")


def seeds_option(default: int, help_text: str) -> Decorator:
    """Return ``--seeds``."""
    return option("--seeds", type=click.IntRange(1), default=default, show_default=True, help=help_text)


def constraints_option(
    help_text: str = "File that says which points can occur (docs/reference/constraints.md).",
) -> Decorator:
    """Return ``--constraints``."""
    return file_option("--constraints", "constraints_file", help=help_text)
