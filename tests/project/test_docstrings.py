"""Public functions say what they take, return and raise, with an example that runs."""

from __future__ import annotations

import doctest
import inspect
import re
from typing import Any

import pytest

import xpgcheck

FUNCTIONS = [name for name in xpgcheck.__all__ if inspect.isfunction(getattr(xpgcheck, name))]

PAPERS = {
    "decision_graph",
    "enumerate_xps",
    "explain",
    "explain_one",
    "explanation_graph",
    "find_axp",
    "find_cxp",
    "in_some_xp",
    "judge_axp",
    "judge_cxp",
    "judge_family",
}
"""Functions that do a definition, an equation or an algorithm of the paper."""


def text_of(name: str) -> str:
    return inspect.getdoc(getattr(xpgcheck, name)) or ""


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_public_function_says_what_it_takes_returns_and_raises(name: str) -> None:
    text = text_of(name)
    sections = re.findall(r"^(\w+)\n-+$", text, re.MULTILINE)
    assert {"Parameters", "Raises", "Examples"} <= set(sections)
    assert {"Returns", "Yields"} & set(sections)
    assert ("References" in sections) == (name in PAPERS)
    taken = inspect.signature(getattr(xpgcheck, name)).parameters
    described = text.partition("Parameters\n----------\n")[2].partition("\n\n")[0]
    named = {word for line in re.findall(r"^(\w.*)$", described, re.MULTILINE) for word in line.split(", ")}
    assert named == set(taken)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_example_of_a_public_function_runs(name: str) -> None:
    if "sklearn" in text_of(name):
        pytest.importorskip("sklearn", reason="scikit-learn is not installed: pip install 'xpgcheck[sklearn]'")
    function: Any = getattr(xpgcheck, name)
    finder = doctest.DocTestFinder(recurse=False)
    (found,) = finder.find(function, function.__name__, globs={name: function})
    assert found.examples
    said: list[str] = []
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(found, out=said.append)
    assert result.failed == 0, "".join(said)
