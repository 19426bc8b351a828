"""``xpgcheck paper`` as a user runs it: rows, journal, reports, and what is refused."""

from __future__ import annotations

import base64
import contextlib
import json
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import psutil
import pytest
from published_schemas import fits_schema

from xpgcheck import embedded
from xpgcheck.cli.main import main
from xpgcheck.errors import InputError
from xpgcheck.paper import running
from xpgcheck.paper.catalogue import ROWS, chosen
from xpgcheck.paper.journal import PaperJournal
from xpgcheck.paper.judging import judge
from xpgcheck.paper.pictures import picture
from xpgcheck.paper.reports.html import html_report
from xpgcheck.paper.reports.json_report import json_report
from xpgcheck.paper.rows import Expect, Row, RowCheck
from xpgcheck.paper.running import run, units_for
from xpgcheck.paper.sources import NAMES, Options, SourceUnit, all_units

Run = Callable[..., tuple[int, str, str]]
CHEAP = ("--quick", "--claim", "example-7", "--claim", "accuracy", "--jobs", 1)


@pytest.fixture
def call(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.delenv("XPGCHECK_DATA", raising=False)

    def call_(*arguments: object) -> tuple[int, str, str]:
        status = main(["paper", *map(str, arguments)])
        out, err = capsys.readouterr()
        return status, out, err

    return call_


def test_rows_are_listed_with_what_turns_them_red(call: Run) -> None:
    status, out, _ = call("--list")
    assert status == 0
    for row in ROWS:
        assert row.id in out
    assert "red by: no-marks" in out


def test_some_rows_are_judged(call: Run, tmp_path: Path) -> None:
    report, page = tmp_path / "r.json", tmp_path / "p.html"
    status, out, _ = call(*CHEAP, "--json", report, "--html", page)
    assert status == 0
    assert "AS KNOWN: 2 rows: 1 holds, 1 fails as printed" in out
    assert "printed with 75 %" in out
    document = json.loads(report.read_text(encoding="utf-8"))
    fits_schema(document, "paper-report")
    assert [row["verdict"] for row in document["rows"]] == ["holds", "fails as printed"]
    assert "Example 7" in page.read_text(encoding="utf-8")


def test_a_row_that_comes_out_otherwise_is_a_violation(call: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xpgcheck.paper.said.accuracy.__code__", (lambda first, second: "").__code__)
    status, out, _ = call(*CHEAP)
    assert (status, "NOT AS KNOWN" in out, "accuracy" in out.splitlines()[-1]) == (1, True, True)


def test_without_data_the_row_is_skipped_and_nothing_else_ran(call: Run) -> None:
    status, out, _ = call("--quick", "--claim", "membership-at-scale", "--jobs", 1)
    assert status == 2
    assert "skipped" in out


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--claim", "prop-44"], "--claim: no row is called 'prop-44'; did you mean 'prop-4'?"),
        (["--resume"], "--resume goes on with a journal; name it with --journal"),
        (["--data", "/no/such/folder"], "there is no such folder"),
        (["--bound", "4,3,3"], "is no bound"),
        (["--bound", "0,0,0,0"], "is no bound"),
        (["--jobs", "0"], "--jobs"),
    ],
)
def test_wrong_commands_get_one_line(call: Run, arguments: list[str], line: str) -> None:
    status, _, err = call(*arguments)
    assert status == 2
    assert line in err
    assert "Traceback" not in err


def test_a_file_that_cannot_be_written_is_named_at_once(call: Run, tmp_path: Path) -> None:
    status, _, err = call(*CHEAP, "--html", tmp_path / "none" / "p.html")
    assert (status, "p.html" in err) == (2, True)


# ---------------------------------------------------------------------------------------------------------- the journal


def counting(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    ran: list[str] = []
    plain = running.run_unit

    def noted(unit: SourceUnit) -> dict[str, Any]:
        ran.append(unit.name)
        return plain(unit)

    monkeypatch.setattr(running, "run_unit", noted)
    return ran


def test_a_stopped_run_goes_on(call: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = counting(monkeypatch)
    file = tmp_path / "j.sqlite"
    command = ("--quick", "--claim", "one-xp-polynomial", "--claim", "example-1", "--jobs", 1)
    rows = chosen(["example-1", "one-xp-polynomial", "axps-quasi-polynomial"])
    whole = units_for(rows, Options(quick=True))
    with PaperJournal(file, whole, resume=False) as journal:
        run(whole[:3], journal)
    assert len(ran) == 3
    with PaperJournal(file, whole, resume=True) as journal:
        results = run(whole, journal)
    assert sorted(ran) == sorted(unit.name for unit in whole)
    assert {row.verdict for row in judge(rows, results)} == {"holds"}
    status, _, err = call(*command, "--journal", file)
    assert (status, "there is a journal of this name already; add --resume, or name another" in err) == (2, True)
    status, _, err = call(*command, "--journal", file, "--resume")
    assert (status, "it is of another set of units" in err) == (2, True)


def test_what_a_process_kept_before_it_was_killed_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Copied while it is written: as it lies on the disk at that moment."""
    ran = counting(monkeypatch)
    units = units_for(chosen(["example-1", "one-xp-polynomial"]), Options(quick=True))
    with PaperJournal(tmp_path / "j.sqlite", units, resume=False) as journal:
        run(units[:1], journal)
        for ending in ("", "-wal"):
            shutil.copy(tmp_path / f"j.sqlite{ending}", tmp_path / f"k.sqlite{ending}")
        with pytest.raises(InputError, match=r"another driver \(process \d+\) is at work on this journal; let it end"):
            PaperJournal(tmp_path / "j.sqlite", units, resume=True)
    with PaperJournal(tmp_path / "k.sqlite", units, resume=True) as journal:
        run(units, journal)
    assert sorted(ran) == sorted(unit.name for unit in units)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["j.sqlite", "k.sqlite"]


@pytest.mark.parametrize("result", ["{}", "[]", "null", '{"differs":{}}', '{"figures":[[1]]}', '{"said":1}', "7]"])
def test_a_result_that_is_not_as_it_was_written_is_made_again(call: Run, tmp_path: Path, result: str) -> None:
    file = tmp_path / "j.sqlite"
    command = (*CHEAP, "--claim", "one-xp-polynomial", "--journal", file)
    assert call(*command)[0] == 0
    kept = rows_of(file)
    with contextlib.closing(sqlite3.connect(file)) as connection:
        connection.execute("UPDATE units SET result = ?", (result,))
        connection.execute("INSERT INTO units VALUES ('7', '{}', '')")
        connection.commit()
    status, out, _ = call(*command, "--resume")
    assert status == 0
    assert "AS KNOWN: 3 rows" in out
    assert {name for name, _ in rows_of(file)} == {*(name for name, _ in kept), "7"}
    assert result not in [text for name, text in rows_of(file) if name != "7"]


def rows_of(file: Path) -> list[tuple[str, str]]:
    """Return the names and the results in a journal."""
    with contextlib.closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
        return connection.execute("SELECT name, result FROM units ORDER BY name").fetchall()


def test_an_interrupted_run_says_how_it_goes_on(call: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "j.sqlite"
    plain = running.run_unit

    def stopped(unit: SourceUnit) -> dict[str, Any]:
        if unit.source == "growth":
            raise KeyboardInterrupt
        return plain(unit)

    monkeypatch.setattr(running, "run_unit", stopped)
    command = ("--quick", "--claim", "example-1", "--claim", "one-xp-polynomial", "--jobs", 1, "--journal", file)
    status, _, err = call(*command)
    assert status == 130
    assert "j.sqlite: 1 of 2 units are kept; add --resume to go on" in err
    monkeypatch.undo()
    monkeypatch.delenv("XPGCHECK_DATA", raising=False)
    assert call(*command, "--resume")[0] == 0


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_all_processes(tmp_path: Path, number: signal.Signals) -> None:
    file = tmp_path / "j.sqlite"
    command = [sys.executable, "-m", "xpgcheck", "paper", "--quick", "--jobs", "2", "--journal", str(file)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, encoding="utf-8"
    ) as process:
        try:
            deadline = time.monotonic() + 60
            while not (file.exists() and len(rows_of(file)) > 2) and time.monotonic() < deadline:
                time.sleep(0.05)
            children = psutil.Process(process.pid).children(recursive=True)
            process.send_signal(number)
            _, err = process.communicate(timeout=30)
        finally:
            process.kill()
    assert process.returncode == 130
    assert "add --resume to go on" in err
    assert psutil.wait_procs(children, timeout=10)[1] == []
    assert all(json.loads(result) for _, result in rows_of(file))


# A row alone takes what bears on it.


@pytest.mark.parametrize("quick", [True, False])
def test_units_of_all_rows_are_those_of_the_sources(quick: bool) -> None:
    whole = units_for(ROWS, Options(quick=quick))
    assert whole == all_units(dict.fromkeys(NAMES), Options(quick=quick))
    assert len({unit.name for unit in whole}) == len(whole)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_a_row_alone_takes_some_units_of_each_of_its_sources(row: Row) -> None:
    units = units_for([row], Options(quick=True))
    assert {unit.source for unit in units} == {check.source for check in row.checks}
    assert {unit.name for unit in units} <= {unit.name for unit in units_for(ROWS, Options(quick=True))}


def test_a_sentence_alone_makes_no_table_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xpgcheck.paper.tables.table_evidence.units", lambda **_: pytest.fail("tables are made"))
    assert [unit.name for unit in units_for(chosen(["accuracy", "spect"]), Options())] == ["tables/text"]


@pytest.mark.parametrize("name", ["prop-7-size", "one-terminals"])
def test_a_row_alone_is_judged_as_among_all(call: Run, name: str) -> None:
    status, out, _ = call("--quick", "--claim", name, "--jobs", 1)
    assert (status, out.splitlines()[-1].partition(":")[0]) == (0, "AS KNOWN")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["algorithm-1-linear", "prop-4", "prop-7"])
def test_a_row_with_several_sources_is_judged_alone(call: Run, name: str) -> None:
    status, out, _ = call("--quick", "--claim", name, "--jobs", 1)
    assert (status, out.splitlines()[-1].partition(":")[0]) == (0, "AS KNOWN")


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"{}\n", b"[1]\n", b"\xff\xfe\n", b'{"format":"other"}\n', b"[" * 5000 + b"\n"]
)
def test_what_is_no_journal_is_left_as_it_is(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "j.sqlite"
    file.write_bytes(data)
    with pytest.raises(InputError, match="name the journal of 'xpgcheck paper', or begin again"):
        PaperJournal(file, [], resume=True)
    assert file.read_bytes() == data


def test_a_journal_of_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "j.sqlite"
    with PaperJournal(file, [], resume=False):
        pass
    monkeypatch.setattr("xpgcheck.paper.journal.__version__", "99")
    with pytest.raises(InputError, match="it is of another version of xpgcheck"):
        PaperJournal(file, [], resume=True)


def test_a_folder_is_no_journal(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        PaperJournal(tmp_path, [], resume=True)


# ------------------------------------------------------------------------------------------------------------ the page


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert not any(name.startswith("on") or name in ("src", "href") for name, _ in attrs)


def test_the_page_escapes_what_it_is_given_and_needs_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    row = Row("x", "<b>place</b>", "<script>alert(1)</script>", (RowCheck("formulas", "reading B", "</style>"),))
    results = {
        "formulas": {
            "formulas/reading B": {
                "statement": "<i>",
                "counterexample": {"text": "<img src=x>", "formula": "'\"><script>"},
            }
        }
    }
    text = html_report(judge([row], results), {"data": "<a href=x>"})
    page = _Page()
    page.feed(text)
    assert "script" not in page.tags
    assert "img" not in page.tags
    assert "http" not in re.sub(r"http-equiv", "", text)
    assert len(text) < 100_000


def test_the_page_of_all_rows_is_small() -> None:
    assert len(html_report(judge(ROWS, {}), {})) < 400_000


def test_a_counterexample_has_a_picture_on_the_page_and_none_in_the_report() -> None:
    pytest.importorskip("graphlay")
    graph = embedded.load("omdd").graph
    svg = picture(graph, embedded.load("omdd").instances[0])
    assert svg.startswith("<svg")
    finding = {"text": "t", "nodes": 8, "case": {}, "svg": svg}
    results = {"ablations": {"ablations/without (i)": {"cases": 1, "held": [], "findings": {"x": finding}}}}
    row = Row("x", "p", "s", (RowCheck("ablations", "without (i): x", "r", Expect.WITHOUT),))
    page = html_report(judge([row], results), {})
    assert base64.b64encode(svg.encode()).decode() in page
    assert "<svg" not in page
    options = {"quick": True, "seed": 0, "data": None, "bound": None, "rows": row.id}
    document = json.loads(json_report(judge([row], results), {}, options))
    assert set(document["rows"][0]["checks"][0]["counterexample"]) == {"text", "nodes", "case"}


def test_what_a_journal_calls_a_picture_is_an_image_at_most() -> None:
    finding = {"text": "t", "svg": '"><script>alert(1)</script>'}
    results = {"ablations": {"ablations/without (i)": {"cases": 1, "held": [], "findings": {"x": finding}}}}
    row = Row("x", "p", "s", (RowCheck("ablations", "without (i): x", "r", Expect.WITHOUT),))
    assert "<script" not in html_report(judge([row], results), {})


def test_without_a_path_there_is_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    model = embedded.load("omdd")
    monkeypatch.setattr("xpgcheck.drawing.api.draw", refused)
    assert picture(model.graph, model.instances[0]) == ""


def refused(*_: object, **__: object) -> None:
    raise InputError("no path")
