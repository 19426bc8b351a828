"""Help pages are whole and have examples that parse; the shell completes; a bare group shows its help."""

from __future__ import annotations

import io
import re
import shlex
from typing import Any

import click
import pytest
from click.shell_completion import ShellComplete

from xpgcheck.cli import help_pages
from xpgcheck.cli.columns import echo_wrapped
from xpgcheck.cli.main import cli, main


@pytest.mark.parametrize("words", ["", "properties", "campaign"])
def test_a_bare_group_shows_its_help(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words.split()) == 2
    out, err = capsys.readouterr()
    assert out.startswith(f"Usage: xpgcheck {words}".rstrip())
    assert "Examples:" in out
    assert err == ""


@pytest.mark.parametrize("path", list(help_pages.EXAMPLES))
def test_examples_of_a_help_page_parse(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    for line in help_pages.EXAMPLES[path]:
        assert len(line) <= 98
        assert line.startswith(path) or path == "xpgcheck"
        context, rest = click.Context(cli, info_name="xpgcheck"), shlex.split(line)[1:]
        command: click.Command = cli
        while isinstance(command, click.Group) and rest and not rest[0].startswith("-"):
            name, found, rest = command.resolve_command(context, rest)
            assert found is not None, line
            context, command = click.Context(found, info_name=name, parent=context), found
        if not isinstance(command, click.Group):
            command.make_context(context.info_name, rest)
    assert main([*path.split()[1:], "--help"]) == 0
    assert help_pages.EXAMPLES[path][0] in capsys.readouterr().out


@pytest.mark.parametrize("width", ["60", "80"])
def test_help_never_breaks_a_name(
    width: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    assert main(["gate", "--help"]) == 0
    page = capsys.readouterr().out
    assert help_pages.HYPHEN not in page
    assert not re.search(r"[\w]-$", page, re.MULTILINE)
    assert "docs/how-to/gate.md" in page
    assert "<=x" not in page
    assert "at least 1]" in page


@pytest.mark.parametrize(
    ("words", "begun", "expected"),
    [([], "ga", ["gate"]), (["check"], "ir", ["iris"]), (["gate"], "--graph", ["--graph-kind"])],
)
def test_the_shell_completes(words: list[str], begun: str, expected: list[str]) -> None:
    found = ShellComplete(cli, {}, "xpgcheck", "_XPGCHECK_COMPLETE").get_completions(words, begun)
    assert [item.value for item in found] == expected


def test_a_model_that_is_not_embedded_completes_as_a_file() -> None:
    (found,) = ShellComplete(cli, {}, "xpgcheck", "_XPGCHECK_COMPLETE").get_completions(["check"], "zz")
    assert found.type == "file"


class Terminal(io.StringIO):
    """A terminal, to who asks."""

    def isatty(self) -> bool:
        """Say so."""
        return True


def test_lists_are_wrapped_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    terminal: Any = Terminal()
    monkeypatch.setattr("sys.stdout", terminal)
    echo_wrapped("name      ", "one two three four five six seven eight nine")
    lines = terminal.getvalue().splitlines()
    assert max(map(len, lines)) <= 40
    assert lines[1].startswith("          ")
    assert " ".join(terminal.getvalue().split()) == "name one two three four five six seven eight nine"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ("explain iris --html", "Option '--html' requires an argument; see 'xpgcheck explain --help'"),
        ("explain iris --row 0", "Invalid value for '--row': 0 has to be at least 1; see 'xpgcheck explain --help'"),
        ("explain iris --row x", "Invalid value for '--row': 'x' is not a whole number; see 'xpgcheck explain --help'"),
        (
            "check --timeout x",
            "Invalid value for '--timeout': 'x' is not a number of seconds; see 'xpgcheck check --help'",
        ),
        ("help explain", "no command is called 'help'; type 'xpgcheck explain --help'"),
    ],
)
def test_the_line_says_which_help_to_read(words: str, line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words.split()) == 2
    assert capsys.readouterr().err == f"xpgcheck: {line}\n"
