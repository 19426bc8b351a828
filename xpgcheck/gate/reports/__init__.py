"""Reports of a gate or a verification, for people and for programs: console, JSON, JUnit XML, Markdown, HTML, SARIF."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xpgcheck.gate.results import Report
    from xpgcheck.readers.files import PathLike


def write_reports(
    report: Report,
    *,
    json_file: PathLike | None = None,
    junit_file: PathLike | None = None,
    html_file: PathLike | None = None,
    markdown_file: PathLike | None = None,
    sarif_file: PathLike | None = None,
) -> None:
    """Write *report* to each file that is named; each is whole or not there, and none is begun before all are made.

    Raises ``InputError`` where a file cannot be written.
    """
    from xpgcheck.writers.atomic import write_atomically

    contents: list[tuple[PathLike, str | bytes]] = []
    if json_file is not None:
        from xpgcheck.gate.reports.json_report import json_report

        contents.append((json_file, json_report(report)))
    if junit_file is not None:
        from xpgcheck.gate.reports.junit import junit_report

        contents.append((junit_file, junit_report(report)))
    if html_file is not None:
        from xpgcheck.gate.reports.html import html_report

        contents.append((html_file, html_report(report)))
    if markdown_file is not None:
        from xpgcheck.gate.reports.markdown import markdown_report

        contents.append((markdown_file, markdown_report(report)))
    if sarif_file is not None:
        from xpgcheck.gate.reports.sarif import sarif_report

        contents.append((sarif_file, sarif_report(report)))
    for file, content in contents:
        write_atomically(file, content)
