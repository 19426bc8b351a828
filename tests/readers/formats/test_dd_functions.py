"""Functions and dumps of `dd` against its own list of satisfying assignments, at every point of 17 variables."""

from __future__ import annotations

import itertools
import random
from pathlib import Path
from typing import Any

import pytest

from xpgcheck.readers.dd_bdd import from_dd, read_dd_json

SIZE = 17


@pytest.mark.slow
def test_a_hundred_thousand_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The dump and the function give one graph but for the numbers of nodes, so that each is asked at all points."""
    bdd: Any = pytest.importorskip("dd.autoref", reason="the environment has no dd").BDD()
    names = [f"x_{i}" for i in range(SIZE)]
    bdd.declare(*names)
    chance = random.Random(0)
    function = bdd.false
    for _ in range(40):
        term = bdd.true
        for name in chance.sample(names, chance.randint(2, 6)):
            term &= bdd.var(name) if chance.random() < 0.5 else ~bdd.var(name)
        function = bdd.apply(chance.choice(["or", "or", "xor", "diff"]), function, term)
    graph = from_dd(bdd, function)
    monkeypatch.chdir(tmp_path)
    bdd.dump("function.json", [function])
    dumped = read_dd_json("function.json")
    assert dumped.features == graph.features
    assert (dumped.feature_of, dumped.class_of, dumped.children) == (graph.feature_of, graph.class_of, graph.children)
    true = {tuple(map(point.__getitem__, names)) for point in bdd.pick_iter(function, care_vars=set(names))}
    assert 2**SIZE // 20 < len(true) < 2**SIZE * 19 // 20
    points = list(itertools.product((False, True), repeat=SIZE))
    assert len(points) >= 100_000
    assert [graph.kappa(point) for point in points] == [int(point in true) for point in points]
