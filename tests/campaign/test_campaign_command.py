"""``xpgcheck campaign`` as a user types it: what is begun, resumed, refused and interrupted, and how it ends."""

from __future__ import annotations

import itertools
import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from campaign_units import HANG_SECONDS, Inline, gone, kept, within, workers_of
from published_schemas import fits_schema

from xpgcheck.campaign.journal import Journal
from xpgcheck.campaign.units import undecided
from xpgcheck.cli import campaign_options, campaign_running
from xpgcheck.cli import main as cli
from xpgcheck.errors import InputError

WRONG = ("--property", "every_listed_cxp_can_change_the_class", "--size", "6", "--examples", "20", "--unit", "10")
WRONG += ("--subject", "seeded:labels-swapped")
SMALL = ("--property", "the_predicted_class_is_kappa", "--size", "6", "--examples", "40", "--unit", "10")

ENDLESS = ("--property", "the_predicted_class_is_kappa", "--size", "6", "--unit", "10")


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(campaign_running, "_scheduler", lambda *_: Inline())
    monkeypatch.setattr(Inline, "after", staticmethod(lambda: None))


def campaign(*words: str) -> int:
    return cli.main(["campaign", *words])


def finished() -> set[int]:
    with Journal.open(Path("night.campaign.sqlite"), read_only=True) as journal:
        return journal.finished()


def interrupted_at(monkeypatch: pytest.MonkeyPatch, units: int, number: signal.Signals = signal.SIGINT) -> None:
    """Let a signal come after so many units."""
    left = [units]

    def after() -> None:
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), number)

    monkeypatch.setattr(Inline, "after", staticmethod(after))


def test_a_campaign_runs_to_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert campaign("start", "night", *SMALL, "--quiet") == 0
    said = capsys.readouterr()
    assert said.out == "HOLDS: properties, 40 cases in 4 units, no failure, 0 inconclusive\n"
    assert said.err == ""
    assert finished() == {0, 1, 2, 3}
    assert sorted(path.name for path in Path().iterdir() if path.suffix != ".hypothesis") >= ["night.campaign.lock"]


def test_its_status_is_shown_at_the_end(capsys: pytest.CaptureFixture[str]) -> None:
    assert campaign("start", "night", *SMALL) == 0
    out = capsys.readouterr().out
    assert "\nall 1 held, in all 40 cases that they spoke of\n" in out
    assert out.endswith("HOLDS: properties, 40 cases in 4 units, no failure, 0 inconclusive\n")
    assert campaign("resume", "night", "--json", "-") == 0
    document = json.loads(capsys.readouterr().out)
    fits_schema(document, "campaign-status")
    assert document["cases"] == {"done": 40, "of": 40}


def test_what_fails_is_exit_status_1(capsys: pytest.CaptureFixture[str]) -> None:
    assert campaign("start", "night", *WRONG) == 1
    out = capsys.readouterr().out
    assert "VIOLATED: properties, " in out
    assert campaign("status", "night", "--json", "-") == 0
    document = json.loads(capsys.readouterr().out)
    fits_schema(document, "campaign-status")
    assert document["findings"]
    assert campaign("resume", "night", "--quiet") == 1
    Path("night.campaign.sqlite").unlink()


def test_a_mistyped_command_begins_no_campaign(capsys: pytest.CaptureFixture[str]) -> None:
    assert campaign("stauts") == 2
    assert capsys.readouterr().err == "xpgcheck: no command is called 'stauts'; did you mean 'status'?\n"
    assert list(Path().iterdir()) == []


def test_a_campaign_is_not_begun_twice(capsys: pytest.CaptureFixture[str]) -> None:
    Path("night.campaign.sqlite").write_text("the user's own")
    assert campaign("start", "night", *SMALL) == 2
    assert (
        "there is a journal of this name already; go on with it by 'xpgcheck campaign resume'"
        in capsys.readouterr().err
    )
    assert Path("night.campaign.sqlite").read_text() == "the user's own"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interruption_says_how_to_go_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], number: signal.Signals
) -> None:
    interrupted_at(monkeypatch, 2, number)
    assert campaign("start", "night", *SMALL) == 130
    err = capsys.readouterr().err
    assert "2 units (20 cases) are kept, 2 of them new; go on with: xpgcheck campaign resume night\n" in err
    assert err.endswith("xpgcheck: interrupted\n")
    assert finished() == {0, 1}
    assert campaign("resume", "night", "--quiet") == 0
    assert finished() == {0, 1, 2, 3}


def test_a_finished_campaign_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert campaign("start", "night", *SMALL, "--quiet") == 0
    capsys.readouterr()
    assert campaign("resume", "night", "--quiet") == 0
    said = capsys.readouterr()
    assert said.err == "night is finished already: 4 units, 40 cases\n"
    assert said.out.startswith("HOLDS: ")


def test_the_same_options_may_be_given_again(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted_at(monkeypatch, 1)
    assert campaign("start", "night", *SMALL, "--seed", "4") == 130
    assert campaign("resume", "night", "--seed", "4", *SMALL, "--quiet") == 0
    assert finished() == {0, 1, 2, 3}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--seed", "5"), "seed (5, was 0)"),
        (("--size", "7"), "size (7, was 6)"),
        (("--examples", "50"), "examples (50, was 40)"),
        (("--unit", "20"), "unit (20, was 10)"),
        (("--subject", "textbook"), "subject (textbook, was ours)"),
        (
            ("--property", "an_axp_suffices"),
            "properties (with an_axp_suffices and without the_predicted_class_is_kappa)",
        ),
        (("--timeout", "3"), "timeout (3.0, was 10.0)"),
        (("--seed", "5", "--size", "7"), "seed (5, was 0), size (7, was 6)"),
        (("--command", "cat"), "cat"),
    ],
)
def test_other_options_are_refused_and_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    interrupted_at(monkeypatch, 1)
    assert campaign("start", "night", *SMALL) == 130
    capsys.readouterr()
    assert campaign("resume", "night", *words) == 2
    assert said in capsys.readouterr().err
    assert finished() == {0}


def test_there_is_nothing_to_resume(capsys: pytest.CaptureFixture[str]) -> None:
    assert campaign("resume", "night") == 2
    assert "no such journal; begin it by 'xpgcheck campaign start'" in capsys.readouterr().err
    assert not list(Path().iterdir())


def test_a_journal_of_another_kind_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    connection = sqlite3.connect("night.campaign.sqlite")
    connection.execute("CREATE TABLE mine (x)")
    connection.commit()
    connection.close()
    before = Path("night.campaign.sqlite").read_bytes()
    for verb, *words in (("resume",), ("status",), ("report", "-o", "page.html"), ("export", "-o", "cases")):
        assert campaign(verb, "night", *words) == 2
        err = capsys.readouterr().err
        assert "no journal of a campaign" in err
        assert err.count("\n") == 1
    assert Path("night.campaign.sqlite").read_bytes() == before


def test_a_limit_of_time(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """By a clock that goes on by a tenth of a second whenever it is looked at."""
    ticks = itertools.count()
    clock = SimpleNamespace(**{**vars(time), "monotonic": lambda: next(ticks) / 10})
    monkeypatch.setattr("xpgcheck.campaign.driver.time", clock)
    assert campaign("start", "night", *ENDLESS, "--for", "1s", "--quiet") == 0
    some = len(finished())
    assert some > 1
    capsys.readouterr()
    assert campaign("resume", "night", "--quiet") == 0
    assert "night is finished already" in capsys.readouterr().err
    # It may be given more time.
    assert campaign("resume", "night", "--for", "1s", "--quiet") == 0
    assert len(finished()) > some


@pytest.mark.parametrize("text", ["", "0", "8x", "h", "-3s", "1h2d", "1.5h", "nan", "99999999d", "٣h"])
def test_what_is_no_time(capsys: pytest.CaptureFixture[str], text: str) -> None:
    assert campaign("start", "night", "--for", text) == 2
    assert "no time; write it like 8h" in capsys.readouterr().err


def test_times_are_read() -> None:
    read = campaign_options.Duration().convert
    for text, seconds in (("8h", 28_800), ("90m", 5_400), ("45s", 45), ("45", 45), ("1h30m", 5_400), ("2d", 172_800)):
        assert read(text, None, None) == seconds


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--models", "m", "--property", "soundness"), "--models alone is a cross-check"),
        (("--instances", "m"), "--instances needs --models"),
        (("--gate", "ours", "--command", "x"), "both name a subject"),
        (("--examples", "0"), "nothing to do"),
        (("--part", "0/3"), "is no --part of a plan; write it K/N"),
        (("--part", "4/3"), "is no --part of a plan"),
        (("--part", "1/3 "), "is no --part of a plan"),
        (("--smt-every", "3", "--no-smt"), "--smt-every says how often SMT properties are tried, and --no-smt never"),
        (("--smt-every", "3", "--property", "soundness"), "properties with SMT and properties without"),
        (("--smt-every", "3", "--models", "models"), "--smt-every is for generated cases"),
        (("--unit-timeout", "soon"), "is no time"),
        (("--scheduler", "tcp://x:1", "--jobs", "2"), "leave --jobs out"),
        (("--solver", "z3"), "--solver is for a gate or a cross-check"),
        (("--sample", "3"), "--sample needs --models"),
        (("--memory", "500"), "--memory and --start-timeout are for a gate"),
        (("--examples", "20", "--unit", "20", "--part", "5/5"), "part 5/5 has none of 1 unit"),
        (("--jobs", "100000"), "has to be "),
        (("--examples", "500", "--smt-every", "4"), "of 2 units none is the 4-th, which has SMT properties"),
        (("--examples", "9" * 20), "has to be "),
        (("--subject", "nobody"), "no subject is called"),
        (("--journal", "no/folder/x.sqlite"), "its folder does not exist"),
        (("--journal", "."), "this is a folder"),
    ],
)
def test_what_does_not_go_together(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str) -> None:
    assert campaign("start", "night", *words) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1
    assert not list(Path().glob("*.sqlite*"))


def test_a_scheduler_that_is_not_there_leaves_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Unreachable(Inline):
        def run(self, *_: Any) -> None:
            raise InputError("no Dask scheduler answers")

    monkeypatch.setattr(campaign_running, "_scheduler", lambda *_: Unreachable())
    assert campaign("start", "night", *SMALL) == 2
    assert "no Dask scheduler answers" in capsys.readouterr().err
    assert not list(Path().glob("*.sqlite*"))
    interrupted_at(monkeypatch, 1)
    monkeypatch.setattr(campaign_running, "_scheduler", lambda *_: Inline())
    assert campaign("start", "night", *SMALL, "--quiet") == 130
    # What is resumed stays.
    monkeypatch.setattr(campaign_running, "_scheduler", lambda *_: Unreachable())
    assert campaign("resume", "night") == 2
    assert finished() == {0}


def test_a_journal_elsewhere(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    interrupted_at(monkeypatch, 1)
    assert campaign("start", "night", *SMALL, "--journal", "other.db") == 130
    assert "xpgcheck campaign resume night --journal other.db" in capsys.readouterr().err
    assert campaign("resume", "night", "--journal", "other.db", "--quiet") == 0
    assert not Path("night.campaign.sqlite").exists()


def test_the_status_report_and_cases_of_a_campaign(capsys: pytest.CaptureFixture[str]) -> None:
    assert campaign("start", "night", *WRONG, "--quiet") == 1
    capsys.readouterr()
    assert campaign("status", "night") == 0
    assert "every_listed_cxp_can_change_the_class" in capsys.readouterr().out
    assert campaign("status", "night", "--json", "-") == 0
    assert json.loads(capsys.readouterr().out)
    assert campaign("report", "night", "-o", "page.html") == 0
    assert campaign("export", "night", "-o", "cases") == 0
    assert "<html" in Path("page.html").read_text()
    (case,) = sorted(Path("cases").glob("*.json"))
    assert cli.main(["replay", str(case), "--subject", "seeded:labels-swapped", "--quiet"]) == 1
    assert cli.main(["replay", str(case), "--subject", "ours", "--quiet"]) == 0
    assert campaign("report", "night", "-o", "night.campaign.sqlite") == 2


def test_journals_are_merged(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    interrupted_at(monkeypatch, 2)
    assert campaign("start", "night", *SMALL) == 130
    assert campaign("start", "day", *SMALL, "--quiet") == 0
    assert campaign("merge", "night", "day.campaign.sqlite") == 0
    assert "2 units added" in capsys.readouterr().err
    assert finished() == {0, 1, 2, 3}


def test_models_are_checked_and_gates_asked(tmp_path: Path) -> None:
    from xpgcheck.embedded import load
    from xpgcheck.writers.json_model import model_json

    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "monk1.json").write_text(model_json(load("monk1").graph))
    assert campaign("start", "night", "--models", "models", "--sample", "5", "--quiet") == 0
    assert finished() == {0}
    assert campaign("resume", "night", "--models", "models", "--quiet") == 0
    (tmp_path / "models" / "monk1.json").write_text(model_json(load("xd6").graph))
    assert campaign("resume", "night", "--models", "models", "--quiet") == 2


@pytest.mark.parametrize("into", ["night.campaign.sqlite", "1.sqlite"])
def test_parts_are_merged_to_the_whole(capsys: pytest.CaptureFixture[str], into: str) -> None:
    assert campaign("start", "whole", *WRONG) == 1
    for number in ("1", "2"):
        assert campaign("start", "night", *WRONG, "--part", f"{number}/2", "--journal", f"{number}.sqlite") == 1
    capsys.readouterr()
    assert campaign("status", "night", "--journal", "2.sqlite") == 0
    status = capsys.readouterr().out
    assert ", finished\npart     2/2 of the plan" in status
    assert "units    1 of 1 (100.0 %)" in status
    # Merged units count in addition to the part; a journal that is made is of the whole plan.
    both = [f"{number}.sqlite" for number in ("1", "2") if f"{number}.sqlite" != into]
    assert campaign("merge", "night", *both, "--journal", into) == 0
    assert campaign("status", "night", "--journal", into) == 0
    assert "units    2 of 2 (100.0 %)" in capsys.readouterr().out
    assert kept(Path(into)) == kept(Path("whole.campaign.sqlite"))
    assert campaign("resume", "night", "--journal", into, "--quiet") == 1
    assert "is finished already: 2 units" in capsys.readouterr().err


def test_a_part_may_be_taken_over(capsys: pytest.CaptureFixture[str]) -> None:
    assert campaign("start", "night", *SMALL, "--part", "2/3", "--quiet") == 0
    assert finished() == {1}
    assert campaign("resume", "night", "--quiet") == 0
    assert finished() == {1}
    assert campaign("resume", "night", "--part", "3/3", "--quiet") == 0
    assert finished() == {1, 2}
    assert campaign("resume", "night", "--part", "1/1", "--quiet") == 0
    assert finished() == {0, 1, 2, 3}
    assert "40 cases in 4 units" in capsys.readouterr().out


def test_going_on_with_other_sources_is_said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted_at(monkeypatch, 2)
    assert campaign("start", "night", *SMALL) == 130
    with Journal.open(Path("night.campaign.sqlite")) as journal:
        journal.note("identity", "xpgcheck 0.1.0, sources 000000000000, hypothesis 1")
    capsys.readouterr()
    assert campaign("resume", "night", "--quiet") == 0
    err = capsys.readouterr().err
    assert "begun with xpgcheck 0.1.0, sources 000000000000, hypothesis 1, this is xpgcheck" in err
    assert err.count("\n") == 1
    assert campaign("status", "night") == 0
    assert "\nby       several, the last xpgcheck " in capsys.readouterr().out


def test_the_time_of_a_unit_may_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Any] = []
    monkeypatch.setattr(campaign_running, "_scheduler", lambda *words: given.append(words) or Inline())
    assert campaign("start", "night", *SMALL, "--jobs", "3", "--unit-timeout", "2m", "--quiet") == 0
    assert campaign("start", "other", *SMALL, "--scheduler", "tcp://x:1", "--quiet") == 0
    assert [words[::2] for words in given] == [(None, 120.0), ("tcp://x:1", 3600.0)]
    assert given[0][1] == 3


@pytest.mark.parametrize("ending", ["", "-wal", "-shm", "lock"])
def test_a_report_overwrites_no_part_of_a_journal(capsys: pytest.CaptureFixture[str], ending: str) -> None:
    assert campaign("start", "night", *SMALL, "--quiet") == 0
    assert campaign("start", "other", *SMALL, "--quiet") == 0
    for name in ("night", "other"):
        file = Path(f"{name}.campaign.lock" if ending == "lock" else f"{name}.campaign.sqlite{ending}")
        before = file.read_bytes() if file.exists() else file.write_bytes(b"kept") and b"kept"
        old = ("night", "--merge", "other.campaign.sqlite", "--report", str(file))
        assert campaign(*(old if name == "other" else ("report", "night", "-o", str(file)))) == 2
        assert f"{file}: this is also an input" in capsys.readouterr().err
        assert file.read_bytes() == before


def test_cases_overwrite_nothing_else(capsys: pytest.CaptureFixture[str]) -> None:
    assert campaign("start", "night", *WRONG, "--quiet") == 1
    assert campaign("export", "night", "-o", "cases") == 0
    assert "cases: 1 case written\n" in capsys.readouterr().err
    (case,) = Path("cases").iterdir()
    assert campaign("export", "night", "-o", "cases") == 0
    case.write_text("notes")
    assert campaign("export", "night", "-o", "cases") == 2
    assert f"{case}: there is a file of this name that is no case" in capsys.readouterr().err
    assert case.read_text() == "notes"


@pytest.mark.parametrize(
    "name", ["", " ", ".", "..", "/", "folder/..", "a\nb", "a\x1b[31m", "\udcff", "x" * 201, "é" * 101]
)
def test_what_is_no_name(capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert campaign("start", name, *SMALL) == 2
    err = capsys.readouterr().err
    assert "is not a valid name of a campaign" in err
    assert err.count("\n") == 1
    assert not list(Path().glob("*.campaign.*"))


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (("a b;c",), "'a b;c'"),
        (("runs/night",), "runs/night"),
        (("night", "--journal", "k l.sqlite"), "night --journal 'k l.sqlite'"),
    ],
)
def test_commands_that_are_shown_can_be_typed(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], shown: str
) -> None:
    Path("runs").mkdir()
    interrupted_at(monkeypatch, 1)
    assert campaign("start", *words, *WRONG) == 130
    assert f"go on with: xpgcheck campaign resume {shown}\n" in capsys.readouterr().err
    assert campaign("resume", *words) == 1
    assert f"write the cases: xpgcheck campaign export {shown} -o cases\n" in capsys.readouterr().out
    assert campaign(*words, "--status", "--export", "my cases") == 0
    out = capsys.readouterr().out
    assert "write the cases" not in out
    (case,) = Path("my cases").iterdir()
    assert f"--corpus '{case}'" in out


def test_a_second_key_says_how_to_go_on_too(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def after() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(Inline, "after", staticmethod(after))
    assert campaign("start", "night", *SMALL) == 130
    err = capsys.readouterr().err
    assert "1 unit (10 cases) is kept" in err
    assert "xpgcheck campaign resume night\nxpgcheck: interrupted\n" in err


def test_units_that_could_not_be_carried_out_are_tried_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert campaign("start", "night", *SMALL, "--quiet") == 0
    whole = kept(Path("night.campaign.sqlite"))
    with Journal.open(Path("night.campaign.sqlite")) as journal:
        unit = list(journal.plan.units())[2]
        with journal.transaction() as run:
            run("DELETE FROM units WHERE id = 2")
        journal.add(undecided(unit, "worker died 3 times"), "worker")
    assert campaign("resume", "night", "--quiet") == 3
    assert campaign("resume", "night", "--retry", "--quiet") == 0
    assert "1 unit that could not be carried out is tried again" in capsys.readouterr().err
    assert kept(Path("night.campaign.sqlite")) == whole


@pytest.mark.parametrize("words", [("resume", "night"), ("merge", "night", "text"), ("status", "night")])
def test_a_refused_journal_is_left_as_it_is_and_alone(words: tuple[str, ...]) -> None:
    for name in ("night.campaign.sqlite", "text"):
        Path(name).write_text("no journal " * 100)
    assert campaign(*words) == 2
    assert {path.name for path in Path().iterdir()} <= {"night.campaign.sqlite", "text", ".hypothesis"}
    assert campaign("merge", "other", "text") == 2
    assert not list(Path().glob("other*"))


def test_a_part_of_a_large_plan_is_counted_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    Inline.after = staticmethod(lambda: os.kill(os.getpid(), signal.SIGINT))
    words = ("--property", "the_predicted_class_is_kappa", "--size", "6", "--examples", "9" * 12, "--unit", "1")
    assert campaign("start", "night", *words, "--part", "3/7") == 130
    assert campaign("status", "night") == 0
    assert "units    1 of 142,857,142,857" in capsys.readouterr().out


PROGRAM = """
from xpgcheck.cli.entry import entry
entry()
"""


def test_a_key_in_the_middle_with_real_workers(tmp_path: Path) -> None:
    words = (
        "--property",
        "the_predicted_class_is_kappa",
        "--size",
        "6",
        "--examples",
        "4000000",
        "--unit",
        "5",
        "--jobs",
        "2",
    )
    command = [sys.executable, "-c", PROGRAM, "campaign", "start", "night"]
    with subprocess.Popen([*command, *words], stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        try:
            with within("some units") as wait:
                while not Path("night.campaign.sqlite").exists() or len(finished()) < 3:
                    assert process.poll() is None
                    wait()
            workers = workers_of(process.pid)
            assert len(workers) == 2
            # As the terminal does it: to the whole group.
            os.killpg(process.pid, signal.SIGINT)
            assert process.wait(HANG_SECONDS) == 130
        finally:
            process.kill()
        assert process.stderr is not None
        err = process.stderr.read()
    gone(workers)
    assert err.count("\n") == 2
    assert "go on with: xpgcheck campaign resume night" in err
    some = finished()
    assert 3 <= len(some) < 800_000
    time.sleep(0.1)
    assert finished() == some
