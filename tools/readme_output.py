"""Refresh the printed outputs in documents: ``python tools/readme_output.py README.md``.

A place is marked by ``<!-- output: COMMAND -->`` before a fenced block of text; the block becomes what COMMAND prints.
COMMAND runs without a shell, and ``xpgcheck`` in it is the one of this Python.  Run it where the files are that commands
name: for README.md, a folder with its ``my_explainer.py``.
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

PLACE = re.compile(r"(<!-- output: (?P<command>[^\n]+?) -->\n```text\n)(?P<output>.*?)(```)", re.DOTALL)


def refreshed(text: str) -> str:
    """Return *text* with every marked block replaced.  Raises ``CalledProcessError`` where a command fails."""
    return PLACE.sub(lambda place: f"{place[1]}{output_of(place['command'])}{place[4]}", text)


def output_of(command: str) -> str:
    """Return what *command* prints, without blanks at the ends of lines."""
    words = shlex.split(command)
    if words[0] == "xpgcheck":
        words[:1] = [sys.executable, "-m", "xpgcheck"]
    done = subprocess.run(words, check=False, capture_output=True, text=True, encoding="utf-8")
    # A violation is shown like anything else.
    if done.returncode not in (0, 1):
        done.check_returncode()
    return "".join(f"{line.rstrip()}\n" for line in done.stdout.splitlines())


if __name__ == "__main__":
    for name in sys.argv[1:]:
        path = Path(name)
        path.write_text(refreshed(path.read_text(encoding="utf-8")), encoding="utf-8")
