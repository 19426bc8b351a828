"""Build the documents as a site: ``python tools/build_site.py FOLDER``, with the dependency group ``docs``.

The sources are copied to a temporary folder, and pages that come from the code are added: a page for each command from its
own help, the public names from their docstrings, seeded bugs and edge cases.  Warnings are errors; Sphinx checks links.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

import xpgcheck
from xpgcheck.cli.main import cli
from xpgcheck.properties import seeded

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[1]

LINK = re.compile(r"(\]\()([^)\s#]*)(#[^)\s]*)?\)")

WIDTH = 80


def repository() -> str:
    """Return the address of the repository, as ``pyproject.toml`` has it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["urls"]["Repository"])


def commands(group: click.Group, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Context]]:
    """Yield every command below *group*: its words and its context; groups come before their commands."""
    parent = click.Context(group, info_name=" ".join(("xpgcheck", *words)), max_content_width=WIDTH)
    for name in group.list_commands(parent):
        command = group.get_command(parent, name)
        if command is None or command.hidden:
            continue
        context = click.Context(command, info_name=name, parent=parent, terminal_width=WIDTH)
        yield (*words, name), context
        if isinstance(command, click.Group):
            yield from commands(command, (*words, name))


def command_page(words: tuple[str, ...], context: click.Context) -> str:
    """Return the page of the command that *words* call: what ``--help`` prints."""
    title = " ".join(("xpgcheck", *words))
    return f"# {title}\n\nThis page is the output of `{title} --help`.\n\n```text\n{context.get_help().rstrip()}\n```\n"


def python_page() -> str:
    """Return the page of the public names, made from their docstrings."""
    lines = ["# Python", "", "The public names of the package `xpgcheck`.", ""]
    for name in xpgcheck.__all__:
        value = getattr(xpgcheck, name)
        if name.startswith("__"):
            continue
        directive = "autoclass" if isinstance(value, type) else "autofunction"
        members = ["   :members:"] if isinstance(value, type) else []
        lines += ["```{eval-rst}", f".. {directive}:: xpgcheck.{name}", *members, "```", ""]
    return "\n".join(lines)


def bugs_page() -> str:
    """Return the page of the seeded bugs: what each has wrong."""
    lines = [
        "# Seeded bugs",
        "",
        "Variations that are wrong on purpose; each has to be caught, or a self-test fails.",
        "",
    ]
    kinds = {
        "Explainers and oracles of decision graphs (`xpgcheck properties selftest`)": seeded.seeded_bugs(),
        "Ensembles (`xpgcheck properties selftest --ensembles`)": seeded.ensemble_bugs(),
        "The Σ₂ᵖ reduction (`xpgcheck paper reduction --seeded`)": seeded.reduction_bugs(),
    }
    for title, bugs in kinds.items():
        lines += [f"## {title}", "", "| name | kind | what is wrong |", "| --- | --- | --- |"]
        lines += [f"| {bug.name} | {bug.kind} | {bug.wrong.replace('|', chr(92) + '|')} |" for bug in bugs]
        lines.append("")
    return "\n".join(lines)


def edge_cases_page() -> str:
    """Return the page of the edge cases, as the battery of the readers prints it."""
    program = ROOT / "tests" / "readers" / "battery" / "test_reader_battery.py"
    return subprocess.run([sys.executable, str(program)], check=True, capture_output=True, text=True).stdout


def site_page(path: Path) -> Path | None:
    """Return the page of the site that *path* of the checkout becomes, None where it is none."""
    top = {"README.md": "start.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
    inside = path.relative_to(ROOT)
    if inside == Path("docs", "README.md"):
        return Path("index.md")
    if inside.parts[:1] == ("docs",):
        return Path(*inside.parts[1:])
    return Path(top[str(inside)]) if str(inside) in top else None


def led(path: Path) -> str:
    """Return the text of *path* with its links leading to pages of the site, or else to the repository."""
    at = site_page(path)
    assert at is not None
    prefix = re.compile(re.escape(repository()) + r"/(?:blob|raw)/main/")

    def link(found: re.Match[str]) -> str:
        name, anchor = found[2], found[3] or ""
        absolute = prefix.match(name)
        if not name or (re.match(r"\w+:", name) and not absolute):
            return found[0]
        target = ROOT / name[absolute.end() :] if absolute else Path(os.path.normpath(path.parent / name))
        page = None if target.is_dir() else site_page(target)
        to = (
            f"{repository()}/blob/main/{target.relative_to(ROOT)}" if page is None else os.path.relpath(page, at.parent)
        )
        return f"{found[1]}{to}{anchor})"

    return LINK.sub(link, path.read_text(encoding="utf-8"))


def contents() -> str:
    """Return the tables of contents, a section each, as the index of the documents lists its pages."""
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    lines: list[str] = []
    for section in index.split("\n## ")[1:]:
        title, _, rest = section.partition("\n")
        pages = [re.sub(r"\.(md|ipynb)$", "", page) for page in re.findall(r"\]\(([^)#\s]+)\)", rest)]
        if title == "The project":
            pages = ["contributing", "how-to/release", "changelog"]
        lines += [
            "```{toctree}",
            ":hidden:",
            f":caption: {title}",
            "",
            *(["start"] if title == "Start" else []),
            *pages,
        ]
        if title == "Reference":
            lines += ["reference/commands/index", "reference/python", "reference/edge-cases", "reference/seeded-bugs"]
        lines += ["```", ""]
    return "\n".join(lines)


def write_sources(source: Path) -> None:
    """Copy the documents to *source* and add the pages that are made."""
    shutil.copytree(ROOT / "docs", source, ignore=shutil.ignore_patterns("__pycache__", "README.md"))
    texts = [*(ROOT / "docs").rglob("*.md"), *(ROOT / "docs").rglob("*.ipynb")]
    for path in [*texts, ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]:
        page = site_page(path)
        assert page is not None
        (source / page).write_text(led(path), encoding="utf-8")
    with (source / "index.md").open("a", encoding="utf-8") as index:
        index.write("\n" + contents())
    write_command_pages(source / "reference" / "commands")
    made = {"python": python_page(), "seeded-bugs": bugs_page(), "edge-cases": edge_cases_page()}
    for name, text in made.items():
        (source / "reference" / f"{name}.md").write_text(text, encoding="utf-8")


def write_command_pages(folder: Path) -> None:
    """Write a page for each command to *folder*, and an index of them."""
    folder.mkdir(parents=True)
    listed = ["# Commands", "", "One page per command, made from its own help.", ""]
    names: list[str] = []
    for words, context in commands(cli):
        name = "-".join(words)
        (folder / f"{name}.md").write_text(command_page(words, context), encoding="utf-8")
        listed.append(f"* [xpgcheck {' '.join(words)}]({name}.md): {context.command.get_short_help_str(200)}")
        names.append(name)
    text = "\n".join([*listed, "", "```{toctree}", ":hidden:", "", *names, "```", ""])
    (folder / "index.md").write_text(text, encoding="utf-8")


def main() -> int:
    """Build the site into the folder that is given."""
    parser = argparse.ArgumentParser(description="Build the documents as a site.")
    parser.add_argument("folder", type=Path, help="the folder that the pages are written to")
    folder = parser.parse_args().folder.resolve()
    with tempfile.TemporaryDirectory() as temporary:
        source = Path(temporary) / "docs"
        write_sources(source)
        words = ["-m", "sphinx", "--builder", "html", "--fail-on-warning", "--keep-going", "--quiet"]
        return subprocess.run([sys.executable, *words, str(source), str(folder)], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
