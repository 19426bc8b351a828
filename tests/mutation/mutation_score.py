"""Mutation testing of the algorithms: the mutants that mutmut makes of a module, against the tests of this folder.

The mutants are those of mutmut's own operators, made in memory: nothing is written, and decorated functions (properties,
caches), defaults and constants of modules are mutated too, which mutmut's command leaves out.  Each mutant gets a fresh
process that imports the mutated module in place of the real one and runs the tests of this folder up to the first
failure.  A mutant that the tests do not notice must be listed in ``equivalent.toml`` with its reason, and a listed one
must exist and survive; else the exit status is 1.
"""

from __future__ import annotations

import argparse
import difflib
import gc
import importlib
import importlib.abc
import importlib.util
import json
import os
import resource
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import libcst
import mutation_corpus
import pytest
from equivalents import LIST, Key, Reasons, listed, source_of
from mutmut.mutation.file_mutation import MutationVisitor, deep_replace
from mutmut.mutation.mutators import mutation_operators
from mutmut.mutation.pragma_handling import IgnoredCode

MODULES = (
    "traversal",
    "find_one",
    "enumeration",
    "trees",
    "membership",
    "explanation_graph",
    "families",
    "choose",
)
FOLDER = Path(__file__).resolve().parent
MEMORY = 4 * 2**30
"""Bytes of address space of one mutant's process: a loop that grows a list without end fails instead of filling memory."""


@dataclass(frozen=True)
class Mutant:
    """A mutated source and what tells it from the others of its module."""

    key: Key
    line: int
    source: str


class Visitor(MutationVisitor):
    """mutmut's visitor, which also enters decorated functions: a whole module is replaced here, so they do no harm."""

    def _skip_node_and_children(self, node: libcst.CSTNode) -> bool:
        return not isinstance(node, libcst.FunctionDef) and super()._skip_node_and_children(node)


def functions_by_line(tree: libcst.Module) -> dict[int, str]:
    """Return the qualified name of the function (or class) that holds each line, the innermost."""
    wrapper = libcst.metadata.MetadataWrapper(tree, unsafe_skip_copy=True)
    positions = wrapper.resolve(libcst.metadata.PositionProvider)
    found: dict[int, str] = {}

    def enter(body: libcst.CSTNode, outer: str) -> None:
        for child in body.children:
            name = outer
            if isinstance(child, libcst.FunctionDef | libcst.ClassDef):
                name = f"{outer}.{child.name.value}".lstrip(".")
                for line in range(positions[child].start.line, positions[child].end.line + 1):
                    found[line] = name
            enter(child, name)

    enter(tree, "")
    return found


def mutants_of(module: str) -> Iterator[Mutant]:
    """Yield the mutants of *module* that compile, in the order of the source."""
    path = source_of(module)
    text = path.read_text(encoding="utf-8")
    wrapper = libcst.metadata.MetadataWrapper(libcst.parse_module(text))
    visitor = Visitor(mutation_operators, IgnoredCode(set(), set(), set()))
    tree = wrapper.visit(visitor)
    names = functions_by_line(libcst.parse_module(text))
    lines = text.splitlines()
    nth: Counter[tuple[str, str, str]] = Counter()
    for mutation in visitor.mutations:
        source = deep_replace(tree, mutation.original_node, mutation.mutated_node).code
        try:
            compile(source, str(path), "exec")
        except SyntaxError:
            continue
        matcher = difflib.SequenceMatcher(None, lines, source.splitlines(), autojunk=False)
        codes = [code for code in matcher.get_opcodes() if code[0] != "equal"]
        if not codes:
            continue
        first, last = codes[0][1], codes[-1][2]
        shift = codes[-1][4] - last
        before = "\n".join(line.strip() for line in lines[first:last])
        after = "\n".join(line.strip() for line in source.splitlines()[first : last + shift])
        function = names.get(first + 1, "")
        nth[function, before, after] += 1
        yield Mutant(Key(module, function, before, after, nth[function, before, after]), first + 1, source)


class InPlace(importlib.abc.MetaPathFinder, importlib.abc.SourceLoader):
    """Imports *source* as the module *name*."""

    def __init__(self, name: str, path: str, source: str) -> None:
        self.name = name
        self.path = path
        self.source = source

    def find_spec(self, fullname, path, target=None):
        return importlib.util.spec_from_loader(fullname, self) if fullname == self.name else None

    def get_filename(self, fullname: str) -> str:
        return self.path

    def get_data(self, path: str) -> bytes:
        return self.source.encode()


def run_tests(module: str, source: str | None, seconds: int, shown: bool = False) -> str:
    """Run the tests in a new process; return ``passed``, ``failed`` or ``timeout``."""
    name = f"xpgcheck.xpg.{module}"
    process = os.fork()
    if not process:
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            if not shown:
                quiet = os.open(os.devnull, os.O_RDWR)
                for stream in (0, 1, 2):
                    os.dup2(quiet, stream)
            if source is not None:
                sys.meta_path.insert(0, InPlace(name, str(source_of(module)), source))
            # Tests name their file after the module that they are about: those come first.
            tests = sorted(FOLDER.glob("test_kill_*.py"), key=lambda p: (p.stem != f"test_kill_{module}", p.stem))
            # In this process: none of pytest's options for all tests, which name plug-ins that are not loaded.
            options = [
                "-o",
                "addopts=",
                "-x",
                "-q",
                "--tb=line",
                "-p",
                "no:cacheprovider",
                "--noconftest",
                "--assert=plain",
            ]
            status = int(pytest.main([*options, *map(str, tests)]))
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
        except BaseException:
            traceback.print_exc()
            os._exit(70)
    # CPU time is what is limited; this ends what sleeps.
    end = time.monotonic() + 60 * seconds
    while time.monotonic() < end:
        done, status = os.waitpid(process, os.WNOHANG)
        if done:
            if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL):
                return "timeout"
            return "passed" if status == 0 else "failed"
        time.sleep(0.005)
    os.kill(process, signal.SIGKILL)
    os.waitpid(process, 0)
    return "timeout"


def score(module: str, seconds: int, reasons: Reasons, only: str | None) -> tuple[dict[str, int], list[str]]:
    """Run the mutants of *module*; return the row of the table and what is wrong, line by line."""
    row = dict.fromkeys(("mutants", "killed", "timeouts", "equivalent", "surviving"), 0)
    wrong = []
    met: set[Key] = set()
    for mutant in mutants_of(module):
        if only is not None and only not in mutant.key.function:
            continue
        row["mutants"] += 1
        outcome = run_tests(module, mutant.source, seconds)
        known = mutant.key in reasons
        met.add(mutant.key)
        where = f"{module}.py:{mutant.line} {mutant.key.shown()}"
        if outcome == "passed" and known:
            row["equivalent"] += 1
        elif outcome == "passed":
            row["surviving"] += 1
            wrong.append(f"survives and is not listed: {where}")
            print(wrong[-1], file=sys.stderr, flush=True)
        else:
            row["timeouts" if outcome == "timeout" else "killed"] += 1
            if known:
                wrong.append(f"is listed as equivalent and was killed ({outcome}): {where}")
    if only is None:
        gone = [key for key in reasons if key.module == module and key not in met]
        wrong += [f"is listed and does not exist: {module}.py {key.shown()}" for key in gone]
    return row, wrong


def main() -> int:
    """Print the table, in Markdown, and what is wrong; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("modules", nargs="*", help=f"modules of xpgcheck.xpg (default: all of {', '.join(MODULES)})")
    parser.add_argument("--function", help="only mutants in functions whose name contains this")
    parser.add_argument("--json", type=Path, help="write the table and the faults to this file as well")
    parser.add_argument("--list", type=Path, default=LIST, help="another list of equivalent mutants")
    options = parser.parse_args()
    unknown = set(options.modules) - set(MODULES)
    if unknown:
        parser.error(f"not among the modules: {', '.join(sorted(unknown))}")
    reasons = listed(options.list)
    os.environ["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    # Once here, not in every process.
    for slow in ("pysat.examples.hitman", "pysat.solvers", "xpgcheck.model.labelled_graph"):
        importlib.import_module(slow)
    mutation_corpus.prepared()
    gc.freeze()
    assert not any(name.startswith("xpgcheck.xpg.") for name in sys.modules)
    start = time.monotonic()
    if run_tests("traversal", None, 300, shown=True) != "passed":
        print("the tests fail without any mutation", file=sys.stderr)
        return 2
    baseline = time.monotonic() - start
    seconds = max(5, int(2 * baseline) + 1)
    print(f"tests without mutation: {baseline:.1f} s; a mutant is stopped after {seconds} s of CPU time\n")
    columns = ("mutants", "killed", "timeouts", "equivalent", "surviving")
    print(f"| module | {' | '.join(columns)} | score |\n| --- | {'--- | ' * len(columns)}--- |", flush=True)
    rows: dict[str, dict[str, int]] = {}
    wrong: list[str] = []
    for module in options.modules or MODULES:
        rows[module], faults = score(module, seconds, reasons, options.function)
        wrong += faults
        print(line_of(module, rows[module]), flush=True)
    total = {column: sum(row[column] for row in rows.values()) for column in columns}
    print(line_of("all", total))
    print(f"\n{time.monotonic() - start:.0f} s", flush=True)
    for fault in wrong:
        print(fault)
    if options.json:
        data = {"modules": rows, "all": total, "wrong": wrong}
        options.json.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    return 1 if wrong else 0


def line_of(module: str, row: dict[str, int]) -> str:
    """Return a line of the table; the score is the share of the killed among those not listed as equivalent."""
    counted = row["mutants"] - row["equivalent"]
    killed = row["killed"] + row["timeouts"]
    share = "–" if not counted else f"{100 * killed / counted:.1f} %"
    return f"| {module} | {' | '.join(map(str, row.values()))} | {share} |"


if __name__ == "__main__":
    sys.exit(main())
