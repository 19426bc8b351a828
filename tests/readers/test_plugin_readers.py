"""Readers and adapters of plug-ins: which files they get, and one line where they fail."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from xpgcheck import plugins
from xpgcheck.cli.main import main
from xpgcheck.errors import FormatError, InputError, XpgcheckError
from xpgcheck.plugins import adapter, reader
from xpgcheck.properties.running.loading import load_subject
from xpgcheck.properties.seeded.textbook import Textbook
from xpgcheck.readers import read_model
from xpgcheck.readers.decision_list import parse_decision_list
from xpgcheck.writers.json_model import model_json

LIST = "IF windy = 1 THEN no\nELSE yes\n"


@pytest.fixture(autouse=True)
def nothing_registered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plugins, "_parts", {"readers": {}, "judges": {}, "adapters": {}})


def everything(read: Any, sniff: Any = lambda _: True) -> None:
    """Register *read* for all files that *sniff* takes."""
    reader("mine", recognised="whatever it is", sniff=sniff, extensions=(".mine",))(read)


def parsed(data: bytes, name: str) -> Any:
    return parse_decision_list(LIST.encode(), name)


def test_a_reader_gets_what_is_in_no_format_of_ours(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    everything(parsed)
    for text in ("nothing that is known", '{"whose": "mine"}'):
        path = tmp_path / "play.mine"
        path.write_text(text)
        found = read_model(path)
        assert (found.name, found.classes) == ("play", ("no", "yes"))
    assert main(["formats"]) == 0
    assert "mine                        .mine      plug-in whatever it is\n" in capsys.readouterr().out


def test_what_is_in_a_format_of_ours_it_never_sees(tmp_path: Path) -> None:
    everything(lambda *_: pytest.fail("it is asked"), lambda _: pytest.fail("it is asked"))
    graph = parse_decision_list(LIST.encode(), "play")
    for name, data in {"a.dl": LIST.encode(), "a.mine": model_json(graph).encode()}.items():
        (tmp_path / name).write_bytes(data)
        assert read_model(tmp_path / name).classes == ("no", "yes")
    for data in (b"\x80\x04pickled", b"\x1f\x8bpacked", b'{"format": "decision-graph"}'):
        (tmp_path / "a.mine").write_bytes(data)
        with pytest.raises(XpgcheckError):
            read_model(tmp_path / "a.mine")


@pytest.mark.parametrize(
    ("read", "sniff", "said"),
    [
        (
            lambda *_: 1 / 0,
            lambda _: True,
            "the reader 'mine' of a plug-in failed (ZeroDivisionError: division by zero)",
        ),
        (lambda *_: [1], lambda _: True, "the reader 'mine' of a plug-in gave '[1]'"),
        (parsed, lambda _: 1 / 0, "the reader 'mine' of a plug-in failed (ZeroDivisionError: division by zero)"),
    ],
)
def test_one_that_fails_is_one_line_with_the_file(tmp_path: Path, read: Any, sniff: Any, said: str) -> None:
    everything(read, sniff)
    path = tmp_path / "a.mine"
    path.write_text("whatever")
    with pytest.raises(XpgcheckError) as failed:
        read_model(path)
    assert str(failed.value).startswith(f"{path}: {said}; ")


def test_a_refusal_of_its_own_is_said_as_it_is(tmp_path: Path) -> None:
    def refuses(data: bytes, name: str) -> Any:
        raise FormatError("no lines", mend="write some")

    everything(refuses)
    path = tmp_path / "a.mine"
    path.write_text("whatever")
    with pytest.raises(FormatError, match=r"a\.mine: no lines; write some"):
        read_model(path)


def test_two_of_one_name_are_refused() -> None:
    everything(parsed)
    with pytest.raises(ValueError, match="two readers are called mine"):
        everything(parsed)


def test_an_adapter_is_a_subject_or_one_line() -> None:
    adapter("right")(Textbook)
    assert load_subject("adapter:right").name == "textbook"
    with pytest.raises(InputError, match="no adapter is called 'left'; use one of right"):
        load_subject("adapter:left")

    @adapter("broken")
    def broken() -> Any:
        raise ImportError("what it adapts is not installed")

    with pytest.raises(InputError, match=r"the adapter 'broken' of a plug-in failed \(ImportError: what it adapts"):
        load_subject("adapter:broken")
    adapter("empty")(object)
    with pytest.raises(InputError):
        load_subject("adapter:empty")
