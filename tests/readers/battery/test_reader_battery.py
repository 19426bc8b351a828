"""One battery of edge cases that every reader passes: κ is the source's documented comparison, or one line refuses.

``python tests/readers/battery/test_reader_battery.py`` prints the same as the page of the site, with a table.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from battery_boosted_readers import BOOSTED_READERS
from battery_booster_readers import BOOSTER_READERS
from battery_cases import CASES, Case
from battery_ensemble_readers import ENSEMBLE_READERS
from battery_pipeline_readers import PIPELINE_READERS
from battery_plain_readers import PLAIN_READERS
from battery_reader import Reader
from battery_table import page, table
from battery_tree_readers import TREE_READERS
from battery_trees import Tree

from xpgcheck.errors import XpgcheckError
from xpgcheck.readers import read_classifier

READERS = (*PLAIN_READERS, *TREE_READERS, *PIPELINE_READERS, *ENSEMBLE_READERS, *BOOSTED_READERS, *BOOSTER_READERS)

FILES_WITH_CODES = ("XGBoost, JSON", "XGBoost, UBJSON", "LightGBM, text", "LightGBM, JSON")


def pairs() -> list[Any]:
    return [
        pytest.param(
            reader,
            case,
            id=f"{reader.name}: {case.name}",
            marks=[pytest.mark.slow] if case.name == "1,000 classes" and reader.tree_per_class else [],
        )
        for reader in READERS
        for case in CASES
        if case.name not in reader.cannot
    ]


@pytest.mark.filterwarnings("ignore:.*feature names:UserWarning")
class TestEveryReader:
    """Questions to each reader, case by case."""

    @pytest.mark.parametrize(("reader", "case"), pairs())
    def test_the_case(self, reader: Reader, case: Case, tmp_path: Path) -> None:
        asked = 0
        if case.questions is not None:
            for tree, points in case.questions(reader):
                asked += 1
                source = reader.make(tree)
                problem = reader.refused.get(case.name)
                if problem is not None and case.whole:
                    refused(partial(opened, reader, source, tmp_path, tree.missing), problem, tmp_path, reader)
                    continue
                graph = opened(reader, source, tmp_path, tree.missing)
                if problem is not None:
                    refused(partial(wrong, reader, graph, tree, points), problem)
                    continue
                assert not wrong(reader, graph, tree, points)
                if case.orders and reader.extension:
                    for data in reader.in_other_orders(tree):
                        assert opened(reader, data, tmp_path, tree.missing) == graph
                if reader.names_features:
                    tested = [tree.features[i].name for i in reader.kept(tree)]
                    assert sorted(reader.names(graph)) == sorted(tested)
        if case.damage is not None:
            whole = opened(reader, reader.make(reader.sample()), tmp_path, False)
            for data, meaning in case.damage(reader):
                asked += 1
                if meaning == "same":
                    assert opened(reader, data, tmp_path, False) == whole
                elif meaning == "refused":
                    problem = reader.refused.get(case.name, "")
                    refused(partial(opened, reader, data, tmp_path, False), problem, tmp_path, reader)
                else:
                    either(partial(opened, reader, data, tmp_path, False), whole, meaning)
        assert asked, "the case asks nothing"

    @pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
    def test_what_a_format_cannot_have_is_a_case_and_has_a_reason(self, reader: Reader) -> None:
        names = {case.name for case in CASES}
        assert reader.cannot.keys() | reader.refused.keys() <= names
        assert not reader.cannot.keys() & reader.refused.keys()
        assert all(reader.cannot.values())

    def test_every_format_is_in_the_battery(self) -> None:
        from xpgcheck.readers.formats import FORMATS

        assert len({reader.name for reader in READERS}) == len(READERS)
        # Pipelines are in files of a format that holds models alone, too.
        own = [reader for reader in READERS if reader.extension and not reader.many and reader not in PIPELINE_READERS]
        extensions = sorted(reader.extension for reader in own)
        assert extensions == sorted(known.extensions[0] for known in FORMATS)

    def test_the_page_has_every_case_and_every_reader(self) -> None:
        lines = table(READERS, CASES).splitlines()
        assert lines[0].split(" | ")[1:-1] == [reader.name for reader in READERS][:-1]
        assert [line.split(" | ")[0].removeprefix("| ") for line in lines[2 : len(CASES) + 2]] == [
            c.name for c in CASES
        ]
        assert page(READERS, CASES).endswith(table(READERS, CASES))


def opened(reader: Reader, source: Any, folder: Path, missing: bool) -> Any:
    """Return the graph, from a file where the format has files: what kind it is has to be found out too."""
    if not reader.extension:
        return reader.read(source, missing)
    path = folder / f"model{reader.extension}"
    path.write_bytes(source)
    return read_classifier(path, missing=missing if reader.missing_option else None)


def wrong(reader: Reader, graph: Any, tree: Tree, points: Any) -> list[object]:
    """Return the points at which κ is not what the plain evaluation says."""
    return list(reader.disagreements(graph, tree, points))


def refusal(read: Callable[[], object]) -> tuple[str, str, str, str] | None:
    """Return place, problem, fix and line of the refusal, None where there is none; other exceptions pass through.

    The error itself is not kept: its frames, and what is in them, would be a cycle.
    """
    try:
        read()
    except XpgcheckError as error:
        return error.place, error.problem, error.mend, str(error)
    return None


def refused(read: Callable[[], object], problem: str, folder: Path | None = None, reader: Reader | None = None) -> None:
    """Hold a refusal to one line that says what is wrong, where and what to do."""
    found = refusal(read)
    assert found is not None, f"read, though it should be refused: {problem}"
    assert problem in found[1]
    assert found[2], "no fix is named"
    assert found[3].isprintable()
    assert len(found[3]) < 600
    if reader is not None and reader.extension:
        assert found[0].startswith(str(folder))


def either(read: Callable[[], object], whole: object, meaning: str) -> None:
    """Hold a file to what the whole one means, or to a refusal."""
    graphs: list[object] = []
    found = refusal(lambda: graphs.append(read()))
    assert graphs == [whole] if found is None and meaning == "either" else found is None or found[2]


if __name__ == "__main__":
    sys.stdout.write(page(READERS, CASES))
