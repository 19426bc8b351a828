"""Code that hangs on the internals of Hypothesis: with them, without them, and whether they are still needed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import hypothesis
import pytest
from hypothesis.internal.conjecture import providers

from xpgcheck.properties.catalogue import able, chosen
from xpgcheck.properties.ours import FastExplainer
from xpgcheck.properties.running import hypothesis_internals
from xpgcheck.properties.running.engine import explore
from xpgcheck.properties.running.hypothesis_internals import without_local_constants
from xpgcheck.properties.subjects import abilities

FROZEN = """
import gc, warnings
warnings.simplefilter("error")
import hypothesis
from xpgcheck.properties.running.hypothesis_internals import begin
begin()
gc.collect()
gc.freeze()
tried = []
hypothesis.given(hypothesis.strategies.integers())(lambda number: tried.append(number))()
print(len(tried) > 1)
"""

MINE = 918_273_645_546_372_819

DRAWN = """
import hypothesis, constants_of_mine
from hypothesis import Phase, strategies as st
from xpgcheck.properties.running.search import search_settings
from xpgcheck.properties.running.hypothesis_internals import without_local_constants

def drawn():
    numbers = []
    cases = st.integers(constants_of_mine.MINE - 10**12, constants_of_mine.MINE + 10**12)
    test = hypothesis.given(cases)(lambda number: numbers.append(number))
    hypothesis.seed(1)(search_settings(300, [Phase.generate])(test))()
    return constants_of_mine.MINE in numbers

before = drawn()
with without_local_constants():
    inside = drawn()
print(before, inside, drawn())
"""


def test_constants_of_loaded_modules_are_drawn_without_the_patch_and_not_with_it(tmp_path: Path) -> None:
    """If the first word is False, Hypothesis leaves them out itself: the patch may go."""
    (tmp_path / "constants_of_mine.py").write_text(f"MINE = {MINE}\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", DRAWN],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["True", "False", "True"]


def test_the_patch_finds_what_it_replaces_in_this_version() -> None:
    before = providers._get_local_constants
    with without_local_constants():
        assert providers._get_local_constants is not before
    assert providers._get_local_constants is before


def test_where_modules_are_set_aside_hypothesis_still_tries() -> None:
    """Versions before 6.138 would refuse to, unless they tried something before."""
    command = [sys.executable, "-c", FROZEN]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr


def test_a_search_in_which_nothing_can_be_tried_raises() -> None:
    """Before, such a search had no case and no finding."""
    properties = able(chosen(["sigma_is_monotone"]), abilities(FastExplainer()))

    def once_only(case: object, *_: object) -> object:
        raise hypothesis.errors.Flaky("the machinery")

    with pytest.raises(hypothesis.errors.Flaky):
        explore(properties, FastExplainer(), examples=5, seed=1, size=6, make_trial=once_only)  # type: ignore[arg-type]


def no_module(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(hypothesis_internals, "PROVIDERS", "hypothesis.internal.no_such_module")


def no_function(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(hypothesis_internals, "PROVIDERS", "hypothesis.strategies")


def no_cache(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(hypothesis_internals, "_providers", lambda: type("Module", (), {"_get_local_constants": dict}))


@pytest.mark.parametrize("missing", [no_module, no_function, no_cache])
def test_a_hypothesis_without_these_internals_still_searches(missing: object, monkeypatch: pytest.MonkeyPatch) -> None:
    missing(monkeypatch)  # type: ignore[operator]
    subject = FastExplainer()
    properties = able(chosen(["sigma_is_monotone"]), abilities(subject))
    result = explore(properties, subject, examples=20, seed=4, size=6)
    assert result.cases == 20
    assert result.findings == []
