"""Print figures on the structure of a checkout: ``python tools/structure_figures.py [FOLDER …]``, one column per folder.

Product is ``xpgcheck``, ``oracles`` and ``properties``; lines are all lines of Python files.  A loop over processes is a
call of a pool, a report writer a call that lays a whole document out (indented JSON, an environment of templates, a JUnit
file).  With ``--details`` the names that are counted follow.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

PRODUCT, TESTS = ("xpgcheck", "oracles", "properties"), ("tests",)
LONGEST, MOST_PARAMETERS = 60, 10
POOLS = {"pooled", "pooled_in_order", "over_processes", "run_units", "ProcessPoolExecutor", "ProcessPool", "Pool"}

Function = ast.FunctionDef | ast.AsyncFunctionDef


def modules(root: Path, folders: tuple[str, ...]) -> dict[Path, str]:
    """Return the text of each Python file below *folders* of *root*; links to folders are not followed."""
    found = {}
    waiting = [root / name for name in folders]
    while waiting:
        for path in sorted(waiting.pop().iterdir()):
            if path.is_symlink() or path.name.startswith((".", "__pycache__")):
                continue
            if path.is_dir():
                waiting.append(path)
            elif path.suffix == ".py":
                found[path.relative_to(root)] = path.read_text(encoding="utf-8")
    return found


def length(function: Function) -> int:
    """Return the lines of *function*, from ``def`` to its end, without decorators and its docstring."""
    lines = (function.end_lineno or function.lineno) - function.lineno + 1
    first = function.body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        lines -= (first.end_lineno or first.lineno) - first.lineno + 1
    return lines


def parameters(function: Function) -> int:
    """Return how many parameters *function* has."""
    taken = function.args
    stars = [star for star in (taken.vararg, taken.kwarg) if star]
    return len([*taken.posonlyargs, *taken.args, *taken.kwonlyargs, *stars])


def figures(root: Path) -> dict[str, str]:
    """Return the figures of the checkout in *root* by name."""
    product, tests = modules(root, PRODUCT), modules(root, TESTS)
    nodes = [(path, node) for path, text in product.items() for node in ast.walk(ast.parse(text))]
    functions = [(path, node) for path, node in nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]
    calls = [node for _, node in nodes if isinstance(node, ast.Call)]
    classes = Counter(node.name for _, node in nodes if isinstance(node, ast.ClassDef))
    several = [name for name, count in classes.items() if count > 1 and name[0].isupper()]
    files = Counter(path.name for path in product)
    return {
        "lines of product": _lines(product),
        "lines of tests": _lines(tests),
        "files of product": str(len(product)),
        "files of tests": str(len(tests)),
        "classes Verdict, Outcome, Finding": " ".join(str(classes[name]) for name in ("Verdict", "Outcome", "Finding")),
        "public class names defined more than once": str(len(several)),
        "file names used five times and more": str(
            sum(count > 4 for name, count in files.items() if name != "__init__.py")
        ),
        f"functions over {LONGEST} lines": str(sum(length(function) > LONGEST for _, function in functions)),
        "longest function": _most(functions, length),
        f"functions over {MOST_PARAMETERS} parameters": str(sum(parameters(f) > MOST_PARAMETERS for _, f in functions)),
        "most parameters": _most(functions, parameters),
        "loops over processes": str(sum(_name(call) in POOLS for call in calls)),
        "places that start processes": str(sum(_name(call) in ("Popen", "ProcessPoolExecutor") for call in calls)),
        "writers of JSON reports": str(sum(_name(call) == "dumps" and _has(call, "indent") for call in calls)),
        "writers of HTML reports": str(
            sum(_name(call) == "Environment" and _has(call, "autoescape") for call in calls)
        ),
        "writers of JUnit reports": str(sum(_name(call) == "JUnitXml" for call in calls)),
    }


def details(root: Path) -> Iterator[str]:
    """Yield a line for each class name, long function and long list of parameters of *root* that the figures count."""
    places: dict[str, list[str]] = {}
    rest = []
    for path, text in modules(root, PRODUCT).items():
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ClassDef):
                places.setdefault(node.name, []).append(f"{path}:{node.lineno}")
            elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                if length(node) > LONGEST:
                    rest.append(f"{length(node)} lines: {node.name} {path}:{node.lineno}")
                if parameters(node) > MOST_PARAMETERS:
                    rest.append(f"{parameters(node)} parameters: {node.name} {path}:{node.lineno}")
    yield from (f"class {name}: {', '.join(sorted(found))}" for name, found in sorted(places.items()) if len(found) > 1)
    yield from sorted(rest)


def _lines(texts: dict[Path, str]) -> str:
    return f"{sum(len(text.splitlines()) for text in texts.values())}"


def _most(functions: list[tuple[Path, Function]], size: Callable[[Function], int]) -> str:
    path, function = max(functions, key=lambda found: size(found[1]))
    return f"{size(function)} ({path.stem}.{function.name})"


def _name(call: ast.Call) -> str:
    return getattr(call.func, "attr", "") or getattr(call.func, "id", "")


def _has(call: ast.Call, keyword: str) -> bool:
    return any(given.arg == keyword for given in call.keywords)


if __name__ == "__main__":
    given = [word for word in sys.argv[1:] if word != "--details"]
    roots = [Path(word) for word in given] or [Path(__file__).resolve().parents[1]]
    columns = [figures(root) for root in roots]
    for name in columns[0]:
        print(" | ".join([f"{name:41}", *(f"{column[name]:45}" for column in columns)]).rstrip())
    if "--details" in sys.argv:
        for root in roots:
            print(*details(root), sep="\n")
