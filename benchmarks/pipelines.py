"""κ of mapped pipelines against ``pipeline.predict``, 100,000 points of the original table for each kind of transformer."""

from __future__ import annotations

import time

from benchmarks.measure import Report, SkippedError
from benchmarks.pipeline_cases import cases, differences, fitted_table, points_of

METHOD = """\
A pipeline for each kind of transformer and option, fitted to one seeded table, is read over the columns of that table. κ \
is compared with pipeline.predict at points of the table: first every category and every end of an interval with its float \
neighbours, then these and other numbers at random. Read s: seconds to read the pipeline and rewrite its trees."""

COLUMNS = ("pipeline", "original", "encoded", "nodes", "borders", "points", "differ", "read s")


def run(points: int = 100_000, only: str = "") -> Report:
    """Compare *points* points of each case, or of those whose name holds *only*."""
    try:
        import sklearn  # noqa: F401
    except ImportError:
        raise SkippedError("scikit-learn is not installed") from None
    from xpgcheck.readers.sklearn_tree import from_sklearn

    report = Report("pipelines", METHOD, COLUMNS)
    table, classes = fitted_table(1)
    for name, make in cases().items():
        if only in name:
            pipeline = make().fit(table, classes)
            start = time.process_time()
            model = from_sklearn(pipeline)
            seconds = time.process_time() - start
            found = points_of(model, points, 2)
            encoded = pipeline[:-1].transform(table[:1]).shape[1]
            cells = sum(len(own) for own in model.cells)
            differ = differences(model, pipeline, found)
            report.rows.append(
                [name, len(model.features), encoded, model.node_count, cells, points, differ, round(seconds, 3)]
            )
    return report
