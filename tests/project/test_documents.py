"""The documents are true: links lead somewhere, commands exist, examples run and print what is shown."""

from __future__ import annotations

import itertools
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from checkout import ROOT, documents, tox_ini
from test_declarations import env_list

from xpgcheck import embedded
from xpgcheck.cli.main import cli
from xpgcheck.readers.json_ensemble import parse_ensemble
from xpgcheck.readers.json_model import parse_json
from xpgcheck.readers.vote_forest import parse_vote_forest
from xpgcheck.readers.xpg import parse_xpg

FENCE = re.compile(r"^```(?P<kind>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)

PLAIN_PROGRAMS = {".", "dask", "bash", "git", "python", "python3", "pip", "pytest"}


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


def blocks(path: Path, kind: str) -> list[str]:
    return [block["text"] for block in FENCE.finditer(path.read_text(encoding="utf-8")) if block["kind"] == kind]


def commands(path: Path) -> Iterator[list[str]]:
    """Yield the words of each command in the console blocks of *path*."""
    for block in blocks(path, "console"):
        for line in block.splitlines():
            assert line.startswith("$ "), f"{named(path)}: {line!r} is no command"
            for command in line.removeprefix("$ ").split(" && "):
                words = shlex.split(command)
                # What is set for one command alone stands before it.
                yield list(itertools.dropwhile(re.compile(r"[A-Z_]+=").match, words))


def anchors(path: Path) -> set[str]:
    """Return the anchors of the headings of *path*."""
    headings = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("path", documents(), ids=named)
def test_relative_links_of_a_document_lead_somewhere(path: Path) -> None:
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    wrong = []
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if re.match(r"\w+:", target):
            continue
        name, _, anchor = target.partition("#")
        place = path.parent / name if name else path
        if not place.exists() or (anchor and anchor not in anchors(place)):
            wrong.append(target)
    assert wrong == []


@pytest.mark.parametrize("path", documents(), ids=named)
def test_paths_in_a_document_exist(path: Path) -> None:
    text = FENCE.sub("", path.read_text(encoding="utf-8"))
    places = re.findall(r"`((?:xpgcheck|oracles|properties|tests|tools|docs|benchmarks|\.ci)/[\w./+-]*)`", text)
    assert [place for place in places if not (ROOT / place).exists()] == []


@pytest.mark.parametrize("path", documents(), ids=named)
def test_commands_in_a_document_are_valid(path: Path) -> None:
    for words in commands(path):
        program = Path(words[0]).name or words[0]
        if program == "xpgcheck":
            check_own_command(words[1:])
        elif program == "tox":
            check_tox(words)
        else:
            assert program in PLAIN_PROGRAMS, words
            check_scripts(words)


def check_own_command(words: list[str]) -> None:
    """Parse *words* as the command line does, without running the command."""
    group = click.Context(cli, info_name="xpgcheck")
    name, command, rest = cli.resolve_command(group, list(words))
    assert command is not None, name
    context = command.make_context(name, rest, parent=group)
    for model in context.params.get("models") or ():
        assert model.endswith((".json", ".xpg", ".skops", ".dl")) or model in embedded.names(), model


def check_tox(words: list[str]) -> None:
    known = env_list() | {section.partition(":")[2] for section in tox_ini().sections()}
    for option, value in itertools.pairwise(words):
        if option == "-e":
            assert set(value.split(",")) <= known, words


def check_scripts(words: list[str]) -> None:
    for word in words[1:]:
        if word.startswith(("tools/", "benchmarks/", ".ci/", "tests/")):
            assert (ROOT / word).exists(), word


def python_blocks() -> Iterator[tuple[str, str, str | None]]:
    """Yield (document, program, its output where a block of text right after it shows that)."""
    for path in documents():
        found = list(FENCE.finditer(path.read_text(encoding="utf-8")))
        for block, following in itertools.zip_longest(found, found[1:]):
            if block["kind"] == "python":
                output = following if following and following["kind"] == "text" else None
                adjacent = output and output.start() == block.end() + 2
                yield named(path), block["text"], output["text"] if output and adjacent else None


@pytest.mark.parametrize(("document", "program", "shown"), list(python_blocks()))
def test_programs_in_a_document_run(document: str, program: str, shown: str | None, tmp_path: Path) -> None:
    if "sklearn" in program:
        pytest.importorskip("sklearn", reason="scikit-learn is not installed: pip install 'xpgcheck[sklearn]'")
    command = [sys.executable, "-W", "error", "-c", program]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", timeout=900)
    assert done.returncode == 0, done.stderr
    if shown is not None:
        assert done.stdout == shown


def test_the_models_in_the_document_of_formats_are_read() -> None:
    path = ROOT / "docs" / "reference" / "format.md"
    loan, two, other, summed = blocks(path, "json")
    assert parse_json(loan.encode()).name == "loan"
    assert len(parse_vote_forest(two.encode(), "example").trees) == 2
    assert len(parse_ensemble(other.encode()).trees) == 2
    found = parse_ensemble(summed.encode())
    assert [found.kappa((value,)) for value in (False, True)] == [0, 1]
    assert [parse_xpg(text.encode(), "example").variables for text in blocks(path, "text")] == [("Age",)]


def test_the_document_of_outputs_shows_every_embedded_model() -> None:
    """The table of ``check`` was printed by a version that had the same models."""
    path = ROOT / "docs" / "how-to" / "check.md"
    table = next(block for block in blocks(path, "text") if "XPs" in block)
    assert "<!-- output: xpgcheck check -->" in path.read_text(encoding="utf-8")
    assert [name for name in embedded.names() if not re.search(rf"^{re.escape(name)} ", table, re.MULTILINE)] == []
    assert "HOLDS" in table


def test_the_readme_is_short_and_its_explainer_is_that_of_the_tutorial() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(readme.splitlines()) <= 100
    explainer = next(block for block in blocks(ROOT / "README.md", "python") if "class PathExplainer" in block)
    assert explainer in blocks(ROOT / "docs" / "tutorial.md", "python")


def test_the_explainers_of_the_tutorial_end_as_it_says(tmp_path: Path) -> None:
    """The wrong one is found out, and the fixed one holds."""
    programs = [block for block in blocks(ROOT / "docs" / "tutorial.md", "python") if "class " in block]
    for name, program, status in zip(
        ("my_explainer:PathExplainer", "my_fix:DeletionExplainer"), programs, (1, 0), strict=True
    ):
        (tmp_path / f"{name.partition(':')[0]}.py").write_text(program, encoding="utf-8")
        command = [
            sys.executable,
            "-m",
            "xpgcheck",
            "gate",
            name,
            "--no-models",
            "--examples",
            "40",
            "--no-deck",
            "--quiet",
        ]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", timeout=300)
        assert done.returncode == status, done.stdout + done.stderr


def test_the_document_of_the_picture_is_well_formed() -> None:
    from xml.etree import ElementTree

    root = ElementTree.parse(ROOT / "docs" / "pictures" / "architecture.svg").getroot()
    assert root.tag.endswith("svg")


WORDS = 30_000
"""Words that the documents may have, code aside: a new page takes the place of other words."""


def test_the_documents_are_short() -> None:
    pages = sorted((ROOT / "docs").rglob("*.md"))
    texts = {page: FENCE.sub("", page.read_text(encoding="utf-8")) for page in pages}
    words = sum(bool(re.search(r"[^\W\d_]", word)) for text in texts.values() for word in text.split())
    assert words <= WORDS
    long = {named(page) for page in pages if len(page.read_text(encoding="utf-8").splitlines()) > 200}
    assert {page for page in long if not page.startswith("docs/reference/")} == set()
