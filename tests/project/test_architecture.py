"""The page and the picture of the architecture say what the contracts and the tree say."""

from __future__ import annotations

import re
import runpy
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest
from checkout import ROOT, pyproject

DRAW = runpy.run_path(str(ROOT / "tools" / "draw_layers.py"))
PAGE = ROOT / "docs" / "explanation" / "architecture.md"
PICTURE = ROOT / "docs" / "pictures" / "layers.svg"
AGAIN = "run: python tools/draw_layers.py"

PATH = re.compile(r"`([\w./-]+(?:/|\.py))`")
PLACE = re.compile(r"`([\w/]+\.py)` \(((?:`\w+`(?:, )?)+)\)")


def contract() -> list[list[str]]:
    """Return the names of each layer of the contract, the lowest first."""
    [found] = [
        contract for contract in pyproject()["tool"]["importlinter"]["contracts"] if contract["type"] == "layers"
    ]
    return [layer.split(" | ") for layer in reversed(found["layers"])]


def tree() -> set[str]:
    """Return the modules and packages at the top of xpgcheck, but for what starts the command line."""
    folder = ROOT / "xpgcheck"
    found = {path.stem for path in folder.glob("*.py")} | {path.parent.name for path in folder.glob("*/__init__.py")}
    return found - {"__init__", "__main__"}


def missing(page: str) -> list[str]:
    """Return the modules and folders on *page* that do not exist, and the names that their module does not define."""
    wrong = [path for path in PATH.findall(page) if place(path) is None]
    for path, names in PLACE.findall(page):
        file = place(path)
        text = file.read_text(encoding="utf-8") if file else ""
        wrong += [
            f"{name} in {path}"
            for name in re.findall(r"\w+", names)
            if not re.search(rf"^(?:def|class) {name}\b", text, re.M)
        ]
    return wrong


def place(path: str) -> Path | None:
    return next((found for found in (ROOT / path, ROOT / "xpgcheck" / path) if found.exists()), None)


def test_the_picture_has_a_box_per_room_and_a_band_per_layer() -> None:
    root = ElementTree.parse(PICTURE).getroot()
    bands: dict[str, list[str]] = {}
    for text in root.iter("{http://www.w3.org/2000/svg}text"):
        if text.get("class") == "name":
            bands.setdefault(text.attrib["y"], []).append((text.text or "").removesuffix("/").removesuffix(".py"))
    highest_first = [bands[height] for height in sorted(bands, key=int)]
    assert highest_first == contract()[::-1], AGAIN
    assert sorted(room for band in highest_first for room in band) == sorted(tree()), AGAIN


def test_the_picture_is_that_of_the_contracts_and_docstrings() -> None:
    assert DRAW["picture"](DRAW["layers"]()) == PICTURE.read_text(encoding="utf-8"), AGAIN


def test_the_walls_of_independence_are_in_the_picture() -> None:
    never = {room.name: room.never for layer in DRAW["layers"]() for room in layer}
    assert "readers" in never["oracles"]
    assert never["judging"] == ("xpg (but for candidates)",)
    assert "never: xpg (but for candidates)" in PICTURE.read_text(encoding="utf-8")


def test_modules_and_names_on_the_page_exist() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert len(PATH.findall(page)) > 50
    assert len(PLACE.findall(page)) > 5
    assert missing(page) == []


def test_what_does_not_exist_is_named() -> None:
    page = "`judging/verdict.py` (`Verdict`), `judging/verdicts.py` (`Verdict`, `Outcome`, `Finding`), `attic/`"
    assert missing(page) == [
        "judging/verdict.py",
        "attic/",
        "Verdict in judging/verdict.py",
        "Finding in judging/verdicts.py",
    ]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"certificates | tables",\n  "claims |', '"claims |'),
        ('  "explanations",\n  "properties",', '  "properties",\n  "explanations",'),
    ],
)
def test_a_changed_contract_changes_the_picture(old: str, new: str, tmp_path: Path) -> None:
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    head, contract_of_layers = text.split('type = "layers"')
    assert old in contract_of_layers
    (tmp_path / "pyproject.toml").write_text(
        f'{head}type = "layers"{contract_of_layers.replace(old, new)}', encoding="utf-8"
    )
    for file in (ROOT / "xpgcheck").glob("*/__init__.py"):
        (tmp_path / "xpgcheck" / file.parent.name).mkdir(parents=True)
        shutil.copy(file, tmp_path / "xpgcheck" / file.parent.name)
    for file in (ROOT / "xpgcheck").glob("*.py"):
        shutil.copy(file, tmp_path / "xpgcheck")
    rooms, changed = DRAW["layers"](), DRAW["layers"](tmp_path)
    assert DRAW["picture"](rooms) != DRAW["picture"](changed)
