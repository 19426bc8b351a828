"""The same option is the same option in every command, and every old spelling works and names its new one."""

from __future__ import annotations

import re
import shutil
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest

from xpgcheck.cli import vocabulary
from xpgcheck.cli.groups import LazyGroup
from xpgcheck.cli.main import OLD, cli, main
from xpgcheck.cli.spelling import Option
from xpgcheck.oracles.pysmt_backend import SOLVERS
from xpgcheck.properties.running.profiles import PROFILES
from xpgcheck.properties.strategies.kinds import KINDS
from xpgcheck.readers import COMBINATIONS

WORDS = {"FILE", "DIR", "N", "SECONDS", "TIME", "NAME", "NAMES", "TEXT", "MODEL", "SUBJECT", "COMMAND", "ADDRESS", "XP"}
SHAPES = {"K/N", "N,M,D", "N,M,D,K", "0|1", "NAME=LEVEL"}
"""Metavars that show how a value is written."""

FILE_OR_FOLDER = {"--output", "--instances"}
"""Options that name the file or the folder that a command writes or reads."""

SEVERAL = {"--model"}
"""Options that only some commands take several times."""


def walk(command: click.Command, path: str = "") -> Iterator[tuple[str, click.Command]]:
    """Yield every command with its words; a group that runs alone, too."""
    if not isinstance(command, click.Group) or command.invoke_without_command:
        yield path, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            assert below is not None
            yield from walk(below, f"{path} {name}".strip())


ALL = dict(walk(cli))


def options() -> Iterator[tuple[str, str, click.Option]]:
    """Yield (name, command, option) of every option that is shown."""
    for path, command in ALL.items():
        for param in command.params:
            if isinstance(param, click.Option) and not param.hidden:
                yield next(name for name in param.opts if name.startswith("--")), path, param


def shape(name: str, param: click.Option) -> tuple[Any, ...]:
    """Return what has to be the same of an option in every command."""
    flag = param.is_flag or not (param.metavar or isinstance(param.type, click.Choice))
    value: Any = None if flag else param.metavar
    if isinstance(param.type, click.Choice) and not flag:
        value = tuple(param.type.choices)
    if name in FILE_OR_FOLDER:
        value = {"FILE": "place", "DIR": "place"}[value]
    return tuple(param.opts), tuple(param.secondary_opts), value, param.multiple and name not in SEVERAL


def test_an_option_is_the_same_in_every_command() -> None:
    shapes: dict[str, dict[tuple[Any, ...], list[str]]] = defaultdict(lambda: defaultdict(list))
    for name, path, param in options():
        # A gate's profiles are its own, and its self-test has no subject that could be named.
        if (name, path.split()[-1]) not in (("--profile", "gate"), ("--gate", "selftest")):
            shapes[name][shape(name, param)].append(path)
    assert {name: dict(found) for name, found in shapes.items() if len(found) > 1} == {}
    assert {"--output", "--json", "--solver", "--seed", "--jobs", "--limit", "--quiet", "--timeout"} <= set(shapes)


def test_a_letter_is_always_the_same_option() -> None:
    letters = defaultdict(set)
    for name, _, param in options():
        for short in param.opts:
            if not short.startswith("--"):
                letters[short].add(name)
    assert letters == {
        "-o": {"--output"},
        "-j": {"--jobs"},
        "-q": {"--quiet"},
        "-v": {"--verbose"},
        "-x": {"--stop-first"},
    }


def test_values_are_words_or_choices() -> None:
    wrong = []
    for name, path, param in options():
        known = (
            param.is_flag
            or param.metavar == ""
            or isinstance(param.type, click.Choice)
            or param.metavar in WORDS | SHAPES
        )
        if not known or not param.help or not param.help.endswith((".", "?")):
            wrong.append((path, name, param.metavar, param.help))
    assert wrong == []


@pytest.mark.parametrize("width", [40, 60, 80])
def test_the_usage_never_breaks_inside_a_name(width: int) -> None:
    for path, command in ALL.items():
        usages = []
        for most in (width, 1_000):
            context = click.Context(command, info_name=f"xpgcheck {path}", terminal_width=most, max_content_width=most)
            usages.append(command.get_usage(context).split())
        assert usages[0] == usages[1]


def test_choices_are_what_there_is() -> None:
    assert tuple(PROFILES) == vocabulary.PROFILES
    assert tuple(KINDS) == vocabulary.GRAPH_KINDS
    assert tuple(SOLVERS) == vocabulary.SOLVERS
    assert COMBINATIONS == vocabulary.COMBINATIONS


@pytest.mark.parametrize("path", ["", *(name for name in ("properties", "campaign", "paper"))])
def test_the_help_shows_every_command_below_a_heading(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    group = ALL[path] if path in ALL else cli.get_command(click.Context(cli), path) if path else cli
    assert isinstance(group, LazyGroup)
    assert main([*path.split(), "--help"]) == 0
    text = capsys.readouterr().out
    for heading, section in group.sections.items():
        below = re.search(rf"^{heading}:\n((?:  .*\n?)+)", text, re.MULTILINE)
        assert below is not None, heading
        assert re.findall(r"^  ([\w-]+)  ", below[1], re.MULTILINE) == list(section)


SPELLINGS = [
    ("run --property sigma_is_monotone --examples 2 --jobs 1 -q", "properties run"),
    ("run --list --no-smt", "properties list --no-smt"),
    ("properties run --list", "properties list --no-smt"),
    ("selftest --bug nothing", "properties selftest --bug nothing"),
    ("properties selftest --list --bug seed-ignored", "properties list --bugs --bug seed-ignored"),
    ("properties selftest --record kept --bug nothing", "properties selftest --cases kept --bug nothing"),
    ("ablations --examples 0", "properties ablations --examples 0"),
    ("properties ablations --only nothing", "properties ablations --ablation nothing"),
    ("certify omdd --row 1 --out new", "certify omdd --row 1 --output new"),
    ("certify omdd --all-instances rows.csv", "certify omdd --instances rows.csv"),
    ("verify claims.jsonl --jobs 1 -q --out new", "verify claims.jsonl --jobs 1 -q --output new"),
    ("vectors --file trees --out new", "vectors --file trees -o new"),
    (
        "gate ours --kind tree --examples 1 --no-models --no-deck --no-properties -j 1 -q",
        "gate ours --graph-kind tree --examples 1 --no-models --no-deck --no-properties -j 1 -q",
    ),
    (
        "convert-claims log.csv --model omdd --set-column why --kind AXp --subject me -o new",
        "convert-claims log.csv --model omdd --set-column why --kind AXp --explainer me -o new",
    ),
    ("reduction formula.cnf -q --max-muses 5", "reduction formula.cnf -q --limit 5"),
    ("paper --list --row example-1", "paper --list --claim example-1"),
    ("paper --list --evidence", "paper --list --checks"),
    ("paper --list --smtlib new", "paper --list --theorems new"),
    (
        "paper symbolic --theorem monotone --size 2,1,2 --smtlib new",
        "paper symbolic --theorem monotone --shape 2,1,2 --smtlib new",
    ),
    (
        "paper symbolic --theorem monotone --kind consistent --shape 2,1,2 --smtlib new",
        "paper symbolic --theorem monotone --graphs consistent --shape 2,1,2 --smtlib new",
    ),
    ("campaign fresh {small} -q", "campaign start fresh {small} -q"),
    ("campaign night --resume", "campaign resume night"),
    ("campaign --status night", "campaign status night"),
    ("campaign night --status --json", "campaign status night --json -"),
    ("campaign night --report new", "campaign report night -o new"),
    ("campaign night --export new", "campaign export night -o new"),
    ("campaign night --merge day.campaign.sqlite", "campaign merge night day.campaign.sqlite"),
]
"""Old spellings, and the same in new ones."""

SMALL = "--property sigma_is_monotone --size 6 --examples 4 --unit 2 --jobs 1"


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a campaign and the files that the commands read."""
    folder = tmp_path_factory.mktemp("spellings")
    (folder / "rows.csv").write_text("x1,x2,x3\n0,1,2\n")
    (folder / "log.csv").write_text("x1,x2,x3,why\n0,1,2,x1\n")
    (folder / "claims.jsonl").write_text('{"model":"omdd","instance":[0,1,2],"claim":"AXp","features":[0]}\n')
    (folder / "formula.cnf").write_text("p cnf 1 2\n1 0\n-1 0\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name in ("night", "day"):
            assert main(f"campaign start {name} {SMALL} -q".split()) == 0
    return folder


@pytest.mark.parametrize(("old", "new"), SPELLINGS, ids=[old for old, _ in SPELLINGS])
def test_an_old_spelling_works_and_names_the_new_one(
    old: str, new: str, prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    if new == "properties run":
        new = f"properties {old}"
    ends = []
    for number, line in enumerate((old, new)):
        folder = tmp_path / str(number)
        shutil.copytree(prepared, folder)
        monkeypatch.chdir(folder)
        status = main(line.format(small=SMALL).split())
        said = capsys.readouterr()
        written = sorted(path.name for path in folder.rglob("*"))
        ends.append((status, said.out, said.err.splitlines(), written))
    (status, out, err, written), (new_status, new_out, new_err, new_written) = ends
    assert (status, steady(out), written) == (new_status, steady(new_out), new_written)
    told = [text for text in err if " is an old spelling of " in text]
    assert len(told) == (2 if old.startswith("run --list") else 1)
    assert [text for text in err if text not in told] == new_err
    # It names the command, or its option.
    named = told[-1].partition(" is an old spelling of ")[2].strip("'").removeprefix("xpgcheck ").split()
    assert named[0] in (*new.replace(" -o ", " --output ").split(), "--instances")


def steady(out: str) -> str:
    """Return *out* without what differs from process to process and from second to second."""
    return re.sub(
        r"process \d+|[\d.]+ s$|[\d.]+ cases per second.*|.*so far$|.*ended \d{4}-.*|\"now\": .*",
        "",
        out,
        flags=re.MULTILINE,
    )


def test_every_old_spelling_is_tried() -> None:
    tried = " ".join(old for old, _ in SPELLINGS)
    assert [name for name in OLD if f" {name} " not in f" {tried} "] == []
    for path, command in ALL.items():
        for param in command.params:
            for spelling in getattr(param, "old", ()) if isinstance(param, Option) else ():
                assert any(line.startswith(path) and f" {spelling} " in f"{line} " for line, _ in SPELLINGS), spelling


def test_old_spellings_are_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["certify", "--help"]) == 0
    assert "--out " not in capsys.readouterr().out
    assert main(["certify", "iris", "--outt", "x"]) == 2
    suggested = capsys.readouterr().err.partition("--outt")[2]
    assert "--output" in suggested
    assert "--out'" not in suggested
    assert "--out," not in suggested
    assert main(["runn"]) == 2
    assert "did you mean 'properties run'?" in capsys.readouterr().err
    assert main(["campaign", "statu", "night"]) == 2
    assert "did you mean 'status'?" in capsys.readouterr().err


def test_a_value_that_looks_like_an_old_spelling_is_a_value(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "omdd", "--instance", "--out"]) == 2
    assert "old spelling" not in capsys.readouterr().err
