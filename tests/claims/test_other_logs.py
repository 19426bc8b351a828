"""Logs of PyXAI and of xdl: what they claim, line for line, and what is refused with its line and the remedy."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest
from small_forests import document, stump

from xpgcheck.claims.stream import raw_lines
from xpgcheck.cli.main import main
from xpgcheck.errors import FormatError

AXPS = """\
i: 1.0,1.0,1.0
pred: 1
expl: [1, 2]
s: 2
rtime: 0.0143

i: 1.0,1.0,1.0
pred: 1
expl: [1, 2, 3]
s: 3
rtime: 0.0142

i: 0.0,0.0,-0.5
pred: 0
expl: []
s: 0
rtime: 0.0142

i: 0.0,1e-1,0.25
pred: 0
expl: timeout
s: 0
rtime: 60.0

max time: 0.02
min time: 0.01
avg time: 0.01
"""

CXPS = """\
i: 1.0,1.0,1.0
pred: 1
expl: [2, 3]
s: 2
wit: 1.0,0.0,0.0
pred of wit: 0
rtime: 0.0379

i: 1.0,1.0,1.0
pred: 1
expl: [3]
s: 1
wit: None
pred of wit: None
rtime: 0.0379
"""

LIST = "IF Lecture = Yes THEN No\nIF Concert = No THEN Yes\nELSE No\n"
LIST = "feature Lecture: Yes, No\nfeature Concert: Yes, No\nclass No, Yes\n" + LIST

XDL = """\
MODEL:
IF Lecture != No THEN Hike == No
IF Concert == No THEN Hike == Yes
IF TRUE THEN Hike == No

ENCODINDS:
# of classes: 2
min # of vars: 2

EXPLANATIONS:
  inst: "IF Lecture == Yes AND Concert == No THEN Hike == No"
  dexp: "IF Lecture == Yes THEN Hike == No"
  expl: "IF Lecture == Yes THEN Hike == No"
  # hypos left: 1
  time: 0.00

  inst: "IF Lecture == No AND Concert == No THEN Hike == Yes"
  expl: "IF Lecture == No AND Concert == No THEN Hike == Yes"
  # hypos left: 2
  expl: "IF Concert != No THEN Hike != Yes"
  # hypos left: 1
  time: 0.00

  inst: "IF Lecture == No AND Concert == Yes THEN Hike != No"
  expl: "IF  THEN Hike == No"
  # hypos left: 0
  time: 0.00

# of insts: 3
tot # of expls: 4
Min expl sz: 0
tot time: 0.00
min dxrd:   0.00%
"""


def read(text: str | bytes) -> list[tuple[int, Any]]:
    data = text if isinstance(text, bytes) else text.encode()
    found = raw_lines(io.BytesIO(data))
    return [(number, json.loads(line) if isinstance(line, bytes) else line) for number, line in found]


def test_records_of_pyxai() -> None:
    ones = ["1", "1", "1"]
    assert read(AXPS) == [
        (1, {"instance": ones, "class": 1, "axp": [0, 1]}),
        (7, {"instance": ones, "class": 1, "axp": [0, 1, 2]}),
        (13, {"instance": ["0", "0", "-0.5"], "class": 0, "axp": []}),
        (19, {"instance": ["0", "1e-1", "0.25"], "claim": "AXp", "failed": "timeout"}),
    ]
    assert read(CXPS) == [
        (1, {"instance": ones, "class": 1, "cxp": [1, 2], "witness": ["1", "0", "0"]}),
        (9, {"instance": ones, "class": 1, "cxp": [2]}),
    ]
    assert read(b"\xef\xbb\xbf" + CXPS.replace("\n", "\r\n").encode()) == read(CXPS)
    assert read(CXPS.replace("\n\n", "\n").replace("i: 1.0,1.0,1.0", " i: [1.0, 1.0, 1.0]")) == [
        (number if number == 1 else 8, claim) for number, claim in read(CXPS)
    ]


def test_what_xdl_prints() -> None:
    assert read(XDL) == [
        (13, {"instance": {"Lecture": "Yes", "Concert": "No"}, "class": "No", "axp": ["Lecture"]}),
        (18, {"instance": {"Lecture": "No", "Concert": "No"}, "class": "Yes", "axp": ["Lecture", "Concert"]}),
        (20, {"instance": {"Lecture": "No", "Concert": "No"}, "class": "Yes", "cxp": ["Concert"]}),
        (25, {"instance": {"Lecture": "No", "Concert": "Yes"}, "class": "No", "axp": []}),
    ]
    tail = XDL[XDL.index("  inst") :]
    assert [claim for _, claim in read(tail)] == [claim for _, claim in read(XDL)], "with --verbose left out"


@pytest.fixture
def verify(tmp_path: Path, capfd: Any) -> Any:
    def verify_(text: str | bytes, *options: object, model: str = "forest.json") -> tuple[int, str, str]:
        (tmp_path / "forest.json").write_text(json.dumps(document(stump(0), stump(1), stump(2))))
        (tmp_path / "list.dl").write_text(LIST)
        log = tmp_path / "run.log"
        log.write_bytes(text if isinstance(text, bytes) else text.encode())
        status = main(["verify", str(log), "--model", str(tmp_path / model), *map(str, options)])
        return status, *capfd.readouterr()

    return verify_


def verdicts(path: Path) -> list[tuple[int, str]]:
    return [(d["line"], d["verdict"]) for d in map(json.loads, path.read_text(encoding="utf-8").splitlines())]


def test_logs_of_pyxai_are_judged(verify: Any, tmp_path: Path) -> None:
    status, out, err = verify(AXPS, "-o", tmp_path / "out.jsonl")
    assert (status, err) == (1, "")
    assert verdicts(tmp_path / "out.jsonl") == [(1, "AXp"), (7, "redundant"), (13, "insufficient"), (19, "timeout")]
    status, out, _ = verify(CXPS, "-o", tmp_path / "out.jsonl")
    assert verdicts(tmp_path / "out.jsonl") == [(1, "CXp"), (9, "ineffective")]
    assert "1 of 1 that came with claims show them" in out
    assert verify(CXPS.replace("pred: 1", "pred: 0"))[1].count("prediction mismatch") >= 1
    assert "class 7 is claimed, of 2 from 0" in verify(record(pred="7"))[1]
    assert verify(CXPS * 200, "--jobs", 2, "--quiet")[1].startswith("VIOLATED: 400 claims")


def test_logs_of_xdl_are_judged(verify: Any, tmp_path: Path) -> None:
    status, _, err = verify(XDL, "-o", tmp_path / "out.jsonl", model="list.dl")
    assert (status, err) == (1, "")
    assert verdicts(tmp_path / "out.jsonl") == [(13, "AXp"), (18, "AXp"), (20, "CXp"), (25, "insufficient")]


def record(**changed: str | None) -> str:
    fields = {"i": "1,1,1", "pred": "1", "expl": "[1, 2]", "wit": "1,0,0", **changed}
    return "".join(f"{name}: {text}\n" for name, text in fields.items() if text is not None)


BAD_PYXAI = {
    "cut off": (record(expl=None, wit=None), 1, "the record has no 'expl:'; add it, or leave the record out"),
    "no class": (record(pred=None), 1, "the record has no 'pred:'; add it"),
    "twice": (record() + "expl: [1]\n", 5, "'expl:' is there twice in one record; begin each record with 'i:'"),
    "features": (record(expl="1; 2"), 3, "'1; 2' is not a list of features; write it as [1, 4], or timeout"),
    "nothing": (record(expl=""), 3, "'' is not a list of features; write it as [1, 4], or timeout"),
    "from 0": (
        record(expl="[0]"),
        3,
        "there is no feature 0; features are numbered from 1, and the instance has 3 values",
    ),
    "over": (
        record(expl="[4]"),
        3,
        "there is no feature 4; features are numbered from 1, and the instance has 3 values",
    ),
    "class": (record(pred="yes"), 2, "the class 'yes' is no number; write the index of the class, from 0"),
    "value": (record(i="1,,1"), 1, "'1,,1' is not a list of values; write values with commas between them"),
    "witness": (record(wit="1,,1"), 4, "'1,,1' is not a list of values; write values with commas between them"),
    "unknown": (
        record() + "weight: 3\n",
        5,
        "this is not a line of a log of PyXAI: 'weight: 3'; write the lines i:, pred:",
    ),
    "no colon": (
        record() + "Traceback\n",
        5,
        "this is not a line of a log of PyXAI: 'Traceback'; write the lines i:, pred:",
    ),
    "bytes": (record().encode() + b"s: \xff\n", 5, "; "),
}

BAD_PYXAI_CLAIMS = {
    "repeated feature": (record(expl="[1, 1]"), 1, "a set names 0 twice"),
    "short": (record(i="1,1"), 1, "the instance has 2 values, there are 3 features"),
    "word": (record(i="1,1,low"), 1, "'low' is not a finite number"),
    "short witness": (record(wit="1"), 1, "witness: the instance has 1 values"),
}


@pytest.mark.parametrize("name", [*BAD_PYXAI, *BAD_PYXAI_CLAIMS])
def test_bad_records_of_pyxai_are_named(name: str, verify: Any) -> None:
    text, number, said = (BAD_PYXAI | BAD_PYXAI_CLAIMS)[name]
    status, _, err = verify(text)
    assert status == 2
    assert err.count("\n") == 1
    assert f"run.log: line {number}: " in err
    assert said in err


@pytest.mark.parametrize("name", BAD_PYXAI)
def test_a_bad_record_of_pyxai_is_left_out_and_the_others_are_judged(name: str, verify: Any) -> None:
    text, _, _ = BAD_PYXAI[name]
    data = text if isinstance(text, bytes) else text.encode()
    status, out, _ = verify(data + CXPS.encode(), "--keep-going")
    assert status == 1
    assert "2 claims on 2 cases" in out
    assert out.endswith("1 bad line\n"), "one record, one complaint"


def inst(rule: str) -> str:
    return f'  inst: "{rule}"\n'


def expl(rule: str) -> str:
    return f'  expl: "{rule}"\n'


GOOD = inst("IF Lecture == No AND Concert == No THEN Hike == Yes")

BAD_XDL = {
    "no rule": (GOOD + "  expl: IF Lecture == No THEN Hike == Yes\n", 2, "is no rule; write: inst:"),
    "cut off": (GOOD + '  expl: "IF Lecture == N', 2, "is no rule; write: inst:"),
    "no literal": (GOOD + expl("IF Lecture THEN Hike == Yes"), 2, "'Lecture' is no literal; write feature == value"),
    "both": (GOOD + expl("IF Lecture == No AND Concert != No THEN Hike == Yes"), 2, "'==' and '!=' in one rule; write"),
    "not of it": (
        GOOD + expl("IF Lecture == Yes THEN Hike == Yes"),
        2,
        "the instance does not have 'Lecture == Yes'; ",
    ),
    "no instance": (
        "EXPLANATIONS:\n" + expl("IF Lecture == Yes THEN Hike == Yes"),
        2,
        "without an instance; write inst:",
    ),
    "empty instance": (GOOD + inst("IF  THEN Hike == Yes"), 2, "the instance has no values; write feature == value"),
    "twice": (GOOD + inst("IF a == 1 AND a == 2 THEN Hike == Yes"), 2, "the instance has a feature twice; give each"),
    "unknown": (GOOD + "Traceback (most recent call last):\n", 2, "this is not a line of a log of xdl: 'Traceback"),
}

BAD_XDL_CLAIMS = {
    "no value": (
        inst("IF Lecture == x AND Concert == No THEN Hike == No") + expl("IF Lecture == x THEN Hike == No"),
        "x",
    ),
    "no feature": (inst("IF Lecture == No THEN Hike == No") + expl("IF Lecture == No THEN Hike == No"), "Concert"),
    "no class": (GOOD.replace("== Yes", "== Maybe") + expl("IF Lecture == No THEN Hike == Maybe"), "Maybe"),
}


@pytest.mark.parametrize("name", BAD_XDL)
def test_bad_lines_of_xdl_are_named(name: str, verify: Any) -> None:
    text, number, said = BAD_XDL[name]
    status, _, err = verify(text, model="list.dl")
    assert status == 2
    assert err.count("\n") == 1
    assert f"run.log: line {number}: " in err
    assert said in err


@pytest.mark.parametrize("name", BAD_XDL_CLAIMS)
def test_claims_of_xdl_that_do_not_fit_the_model_are_named(name: str, verify: Any) -> None:
    text, said = BAD_XDL_CLAIMS[name]
    status, _, err = verify(text, model="list.dl")
    assert status == 2
    assert err.count("\n") == 1
    assert "run.log: line 2: " in err
    assert said in err


def test_a_log_without_claims_is_no_success(verify: Any) -> None:
    status, _, err = verify("EXPLANATIONS:\n", model="list.dl")
    assert status == 2
    assert "there are no claims" in err


def test_a_line_that_is_too_long_is_named_in_these_logs_too() -> None:
    limit = 100
    for text in (record(), XDL):
        found = list(raw_lines(io.BytesIO(text.encode() + b"x" * 200 + b"\n" + record().encode()), limit))
        assert any("over 100 bytes" in str(line) for _, line in found)


def test_of_a_broken_record_only_what_is_wrong_is_said() -> None:
    (number, error), *rest = read(record(expl="[1]").replace("pred", "prod"))
    assert (number, isinstance(error, FormatError), rest) == (2, True, [])
