"""Print the lower bounds of ``pyproject.toml`` as pins, one on each line: what ``tox run -e oldest`` installs.

    python tools/lowest_versions.py [--out FILE] [EXTRA ...]

Without extras: what the package itself requires.  Needs nothing but Python, and no TOML reader (Python 3.10 has none).
"""

from __future__ import annotations

import argparse
import ast
import re
from pathlib import Path

PYPROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"


def lowest_versions(text: str, extras: list[str]) -> list[str]:
    """Return ``name==version`` for each bound in *text*, a ``pyproject.toml``: of the package, and of *extras*."""
    lists = {name: ast.literal_eval(items) for name, items in re.findall(r"^(\w+) = (\[[^\]]*\])", _bare(text), re.M)}
    names = ["dependencies", *extras]
    pins: list[str] = []
    for name in names:
        if name not in lists:
            raise SystemExit(f"lowest_versions: pyproject.toml has no extra {name!r}; fix: name one that it has")
        for requirement in lists[name]:
            inner = re.fullmatch(r"xpgcheck<(.*)>", requirement)
            if inner:
                names += [extra for extra in inner[1].split(",") if extra not in names]
            else:
                pins.append("==".join(requirement.split(">=", 1)))
    return sorted(set(pins))


def _bare(text: str) -> str:
    """Return the tables of the package and of its extras, with extras in ``<…>``: a ``]`` then always ends a list."""
    start, end = text.index("[project]"), text.index("[project.scripts]")
    return re.sub(r"\[([\w,]+)\](?=\")", r"<\1>", text[start:end])


def main() -> None:
    """Print the pins, or write them to a file."""
    parser = argparse.ArgumentParser(description="Print the lower bounds of pyproject.toml as pins.")
    parser.add_argument("extras", nargs="*", metavar="EXTRA")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write them there instead")
    options = parser.parse_args()
    pins = "".join(f"{pin}\n" for pin in lowest_versions(PYPROJECT.read_text(encoding="utf-8"), options.extras))
    if options.out is None:
        print(pins, end="")
    else:
        options.out.write_text(pins, encoding="utf-8")


if __name__ == "__main__":
    main()
