"""Handlers of signals and processes, all over the tree: no handler takes a lock or imports, no process shares a lock."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest
from checkout import ROOT


def sources(*words: str) -> Iterator[tuple[str, ast.AST]]:
    """Yield each of the project's sources that has one of *words*, and its place."""
    for folder in ("xpgcheck", "oracles", "properties"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            text = path.read_text(encoding="utf-8")
            if any(word in text for word in words):
                yield path.relative_to(ROOT).as_posix(), ast.parse(text)


HANDLERS = {
    "properties/asking.py": {"_tick", "handler"},
    "xpgcheck/campaign/driver.py": {"handle", "handler"},
    "xpgcheck/cli/entry.py": {"SIG_DFL", "SIG_IGN", "self"},
    "xpgcheck/runs/far_end.py": {"lambda"},
}
"""Places where handlers of signals are set, and which: those of ours, and those that are put back."""

LOCKING = {"set", "acquire", "notify", "notify_all", "put", "print", "flush", "write", "echo", "wait", "join"}
"""Methods and functions that take a lock, or may wait for one."""


def handlers(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield what is set as a handler of a signal."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "signal.signal":
            second = node.args[1]
            yield from (second.body, second.orelse) if isinstance(second, ast.IfExp) else (second,)


def name_of(handler: ast.expr) -> str:
    return "lambda" if isinstance(handler, ast.Lambda) else ast.unparse(handler).rsplit(".", 1)[-1]


def faults(tree: ast.AST) -> list[str]:
    """Return what must not stand in a handler of a signal that is set and defined in *tree*."""
    names = {"__call__" if name_of(handler) == "self" else name_of(handler) for handler in handlers(tree)}
    bodies = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name in names]
    found = []
    for body in bodies:
        for node in ast.walk(body):
            if isinstance(node, ast.Import | ast.ImportFrom | ast.With):
                found.append(f"{body.name}: {ast.unparse(node).splitlines()[0]}")
            elif isinstance(node, ast.Call) and ast.unparse(node.func).rsplit(".", 1)[-1] in LOCKING:
                found.append(f"{body.name}: {ast.unparse(node)}")
    return found


def test_every_handler_is_known_and_harmless() -> None:
    found: dict[str, set[str]] = {}
    for place, tree in sources("signal.signal"):
        if names := {name_of(handler) for handler in handlers(tree)}:
            found[place] = names
        assert faults(tree) == [], place
    assert found == HANDLERS


@pytest.mark.parametrize("line", ["import psutil", "stop.set()", "with lock: pass", "logging.getLogger().flush()"])
def test_a_handler_that_takes_a_lock_is_found(line: str) -> None:
    tree = ast.parse(f"signal.signal(signal.SIGTERM, leave)\ndef leave(*_):\n    {line}\n")
    assert len(faults(tree)) == 1


def test_no_process_shares_a_queue_or_a_lock_with_another() -> None:
    """A process that is ended while it holds one keeps the others waiting for ever: processes have pipes of their own."""
    pooling = ("multiprocessing", "concurrent.futures.process", "ProcessPoolExecutor", "active_children")
    for place, tree in sources("multiprocessing", "concurrent.futures", "ProcessPoolExecutor"):
        for node in ast.walk(tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [getattr(node, "module", None) or "", *(alias.name for alias in node.names)]
                assert not [name for name in names if name.startswith(pooling)], place
