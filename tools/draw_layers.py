"""Draw the layers of xpgcheck from the import contracts: ``python tools/draw_layers.py``.

It writes ``docs/pictures/layers.svg``.  The order comes from the contract of layers in ``pyproject.toml``, what a room
never imports from the other contracts, and what it holds from its docstring.
"""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from xpgcheck.drawing.text import FONT, wrapped

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[1]

WIDTH, LEFT, RIGHT, GAP = 960, 56, 16, 10
LINE, SMALL = 17, 12
COLOURS = {"xpg": "explainer", "oracles": "judge", "judging": "judge"}


@dataclass(frozen=True)
class Room:
    """One module or package at the top of xpgcheck: what it holds, and what is not above it and yet forbidden to it."""

    name: str
    holds: str
    never: tuple[str, ...]
    is_package: bool


def layers(project: Path = ROOT) -> list[list[Room]]:
    """Return the rooms of each layer, the highest first, as the contracts in ``pyproject.toml`` of *project* say."""
    text = (project / "pyproject.toml").read_text(encoding="utf-8")
    contracts = tomllib.loads(text)["tool"]["importlinter"]["contracts"]
    names = [layer.replace(" ", "").split("|") for layer in _layers_contract(contracts)["layers"]]
    found = []
    for depth, layer in enumerate(names):
        reachable = {name for lower in names[depth + 1 :] for name in lower}
        found.append([_room(project, name, _never(contracts, name, reachable)) for name in layer])
    return found


def _layers_contract(contracts: list[dict[str, Any]]) -> dict[str, Any]:
    [contract] = [contract for contract in contracts if contract["type"] == "layers"]
    return contract


def _never(contracts: list[dict[str, Any]], name: str, reachable: set[str]) -> tuple[str, ...]:
    """Return the rooms among *reachable* that a contract forbids the room *name*, with the modules that are excepted."""
    module = f"xpgcheck.{name}"
    found = {}
    for contract in contracts:
        if contract["type"] == "forbidden" and module in contract["source_modules"]:
            for forbidden in contract["forbidden_modules"]:
                room = forbidden.removeprefix("xpgcheck.")
                if room in reachable:
                    found[room] = room + _excepted(contract.get("ignore_imports", []), module, forbidden)
    return tuple(found[room] for room in sorted(found))


def _excepted(ignored: list[str], module: str, forbidden: str) -> str:
    """Return which importers within *module* may import *forbidden* all the same, or nothing."""
    pairs = [arrow.split(" -> ") for arrow in ignored]
    excepted = sorted({source.removeprefix(f"{module}.") for source, target in pairs if target.startswith(forbidden)})
    return f" (but for {', '.join(excepted)})" if excepted else ""


def _room(project: Path, name: str, never: tuple[str, ...]) -> Room:
    package = project / "xpgcheck" / name / "__init__.py"
    file = package if package.exists() else project / "xpgcheck" / f"{name}.py"
    docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return Room(name, " ".join(docstring.split("\n\n")[0].split()), never, file == package)


def picture(rooms: list[list[Room]]) -> str:
    """Return the picture of *rooms*: one band per layer, the highest first, one box per room."""
    drawn = []
    top = 56
    for layer in rooms:
        width = (WIDTH - LEFT - RIGHT - GAP * (len(layer) - 1)) / len(layer)
        texts = [_lines(room, width) for room in layer]
        height = LINE * (1 + max(map(len, texts))) + 18
        for place, (room, lines) in enumerate(zip(layer, texts, strict=True)):
            drawn += _box(room, lines, LEFT + place * (width + GAP), top, width, height)
        top += height + GAP
    return (
        HEAD.format(width=WIDTH, height=top + 6, foot=top - GAP, font=FONT, small=SMALL)
        + "\n".join(drawn)
        + "\n</svg>\n"
    )


def _lines(room: Room, width: float) -> list[tuple[str, str]]:
    """Return (style, text) of each line below the name of *room*."""
    holds = [("small", line) for line in wrapped(room.holds.replace("``", "").split(), SMALL, width - 16)]
    if not room.never:
        return holds
    return holds + [("never", line) for line in wrapped(f"never: {', '.join(room.never)}".split(), SMALL, width - 16)]


def _box(room: Room, lines: list[tuple[str, str]], x: float, y: float, width: float, height: float) -> list[str]:
    middle = f"{x + width / 2:.0f}"
    name = room.name + ("/" if room.is_package else ".py")
    style = COLOURS.get(room.name, "room")
    return [
        f'  <rect class="{style}" x="{x:.0f}" y="{y:.0f}" width="{width:.0f}" height="{height:.0f}"/>',
        f'  <text class="name" x="{middle}" y="{y + 21:.0f}">{name}</text>',
        *(
            f'  <text class="{style}" x="{middle}" y="{y + 21 + LINE * number:.0f}">{escape(line)}</text>'
            for number, (style, line) in enumerate(lines, start=1)
        ),
    ]


HEAD = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" \
font-family="{font}" font-size="15" role="img" aria-labelledby="title">
  <title id="title">The layers of xpgcheck: a room imports only from the layers below it</title>
  <defs>
    <marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto">
      <path d="M0,0 L10,5 L0,10 z" fill="#444"/>
    </marker>
    <style>
      rect {{ rx: 6; stroke-width: 1.5; }}
      .room {{ fill: #eef2f7; stroke: #5b7083; }}
      .explainer {{ fill: #e6f3ea; stroke: #3d7f52; }}
      .judge {{ fill: #fdf0e0; stroke: #b5741b; }}
      .name {{ font-weight: bold; }}
      .small {{ font-size: {small}px; fill: #333; }}
      .never {{ font-size: {small}px; fill: #c0392b; }}
      .arrow {{ stroke: #444; stroke-width: 1.5; fill: none; marker-end: url(#tip); }}
      text {{ text-anchor: middle; }}
    </style>
  </defs>
  <rect x="0" y="0" width="{width}" height="{height}" fill="#fff" stroke="none"/>
  <text x="480" y="30">Imports go down only, and never to a neighbour. Green: the explainer. Orange: its judges.</text>
  <path class="arrow" d="M28,56 V{foot}"/>
"""


if __name__ == "__main__":
    (ROOT / "docs" / "pictures" / "layers.svg").write_text(picture(layers()), encoding="utf-8")
