"""Patterns of what is not English, in documents and in the texts of sources: docstrings, comments and messages.

``python tests/project/english.py [KIND ...]`` prints every place.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from checkout import ROOT, documents, files

UNITS = (
    "answer|bug|byte|case|cell|check|claim|class|clause|core|day|edge|feature|file|finding|forest|graph|hour|instance|level|line|"
    "literal|member|minute|model|name|node|objective|pair|path|point|property|question|record|round|row|seed|sentence|set|side|"
    "step|terminal|test|tree|unit|value|variable|vector|verdict|worker|xp|AXp|CXp|XP"
)

COUNTED = re.sub(r"\b(?:test|name|claim|model)\|", "", UNITS) + "|second|ms|MiB|KiB|µs|times"
"""Without those that are verbs as well."""

KINDS = {
    # "one line a sentence", "36 ms a query": per, or for each.
    "a X a Y": re.compile(
        rf"(?<![Gg]ive )\b(?:one|an?|[\d.,·]+) (?:[\w./]+ )?(?:{COUNTED})s? an? (?:{UNITS}|second|query)\b"
    ),
    # "is no name of a campaign": is not a valid name.
    "is no X of": re.compile(r"\b(?:is|are|was|were) no \w+ of\b"),
    # "Of both, …", "Of a graph the …": subject, verb, object.
    "fronted Of": re.compile(r"(?:^|(?<=[.;:] )|(?<=[.] {2}))Of (?!course)\w[^.?!]*", re.MULTILINE),
    "whoever": re.compile(r"\b[Ww]hoever\b"),
    # "What workers have is finished": name the noun.
    "relative what": re.compile(
        r"(?:^|(?<=[.;:] )|(?<=[.] {2}))What (?!is\b|are\b|does\b|do\b|if\b|was\b)[^.?!\n]*?"
        r"\b(?:is|are|has|have|comes|goes|takes|ends|fails|holds)\b[^?\n]*?\.(?= |$)",
        re.MULTILINE,
    ),
    "dated word": re.compile(r"\b(?:anew|beside|spoilt|mends?|mended)\b"),
    # "whatever the other 2 features": are.
    "whatever without a verb": re.compile(r"whatever the other(?: (?!(?:is|are|have|has|say|take)\b)\w+){1,3}[.,;:)]"),
    # "what ends first", "What it costs." as the summary of a docstring: noun first.
    "summary without a noun": re.compile(r"\A(?:What|How|That|Where|Why|Who)\b[^?]*\Z", re.DOTALL),
}
"""The kinds, as the guide to the project's English has them."""

CODE = re.compile(r"^ *(?:```|~~~).*?^ *(?:```|~~~)$|``?[^`\n]+``?", re.MULTILINE | re.DOTALL)


def document_hits(path: Path) -> Iterator[tuple[str, int, str]]:
    """Yield (kind, line, text) of a Markdown file, without its code."""
    text = CODE.sub(lambda found: re.sub(r"[^\n]", "·", found[0]), path.read_text(encoding="utf-8"))
    for kind, pattern in KINDS.items():
        if kind != "summary without a noun":
            for found in pattern.finditer(text):
                yield kind, text.count("\n", 0, found.start()) + 1, found[0]


def source_hits(path: Path) -> Iterator[tuple[str, int, str]]:
    """Yield (kind, line, text) of a Python file: comments, docstrings and other texts with a blank in them."""
    text = path.read_text(encoding="utf-8")
    for place, line, part in source_texts(text):
        bare = re.sub(r"``?[^`\n]+``?|\{[^{}]*\}", "·", part)
        for kind, pattern in KINDS.items():
            if kind != "summary without a noun":
                for found in pattern.finditer(bare):
                    yield kind, line + bare.count("\n", 0, found.start()), found[0]
            elif place == "docstring" and pattern.match(bare.partition("\n")[0]):
                yield kind, line, bare.partition("\n")[0]


def source_texts(text: str) -> Iterator[tuple[str, int, str]]:
    """Yield (place, line, text) of each comment, docstring and message of a Python source."""
    docstrings = set()
    for node in ast.walk(ast.parse(text)):
        body = getattr(node, "body", None)
        for statement in body if isinstance(body, list) else ():
            if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
                docstrings.add(statement.value.lineno)
                if isinstance(statement.value.value, str):
                    yield "docstring", statement.value.lineno, statement.value.value
        if isinstance(node, ast.JoinedStr):
            # A placeholder stands for a number: "{count} cases a second".
            parts = [str(part.value) if isinstance(part, ast.Constant) else "1" for part in node.values]
            yield "message", node.lineno, "".join(parts)
        text_of_code = isinstance(node, ast.Constant) and isinstance(node.value, str) and node.lineno not in docstrings
        if text_of_code and " " in node.value:  # type: ignore[attr-defined, operator]
            yield "message", node.lineno, node.value  # type: ignore[attr-defined, misc]
    for number, line in enumerate(text.splitlines(), 1):
        # A mark within a text is taken for a comment, too: texts are looked at anyway.
        _, mark, comment = line.partition("# ")
        if mark:
            yield "comment", number, comment


PATTERNS = {"tests/project/english.py", "tests/project/test_english.py"}
"""The files that quote what is not English: the patterns and their tests."""


def sources() -> Iterator[Path]:
    """Yield the project's Python files, without those that quote what is not English."""
    for path in files(".py"):
        if path.relative_to(ROOT).as_posix() not in PATTERNS:
            yield path


if __name__ == "__main__":
    hits = [(path, *hit) for path in documents() for hit in document_hits(path)]
    hits += [(path, *hit) for path in sources() for hit in source_hits(path)]
    for path, kind, line, text in hits:
        if not sys.argv[1:] or kind in sys.argv[1:]:
            print(f"{path.relative_to(ROOT)}:{line}: {kind}: {' '.join(text.split())[:150]}")
