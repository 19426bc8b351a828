"""JUnit XML: what is wrong fails, what is open is an error, what was not asked is skipped."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from xpgcheck.reports.xml_text import xml_text

if TYPE_CHECKING:
    from junitparser import TestCase, TestSuite


def new_case(
    name: str,
    place: str,
    *,
    failed: bool = False,
    erred: bool = False,
    message: str = "",
    text: str = "",
    skipped: str = "",
    seconds: float | None = None,
) -> TestCase:
    """Return the case *name* below ``xpgcheck.PLACE``: *skipped* for a reason, failed or erred with a message, or passed."""
    from junitparser import Error, Failure, Skipped, TestCase

    case = TestCase(xml_text(name), xml_text(f"xpgcheck.{place}"))
    if skipped:
        case.result = [Skipped(xml_text(skipped))]
    elif failed or erred:
        problem = (Failure if failed else Error)(message)
        problem.text = xml_text(text)
        case.result = [problem]
    if seconds is not None:
        case.time = round(seconds, 6)
    return case


def new_suite(
    name: str, cases: Iterable[TestCase], seconds: float, properties: Mapping[str, str] | None = None
) -> TestSuite:
    """Return a suite of *cases* that took *seconds*; *properties* that are empty are left out."""
    from junitparser import TestSuite

    suite = TestSuite(xml_text(name))
    for key, value in (properties or {}).items():
        if value:
            suite.add_property(key, xml_text(value))
    for case in cases:
        suite.add_testcase(case)
    suite.time = round(seconds, 6)
    return suite


def junit_text(name: str, suites: Iterable[TestSuite]) -> bytes:
    """Return *suites* as the content of a file."""
    from junitparser import JUnitXml

    xml = JUnitXml(name)
    for suite in suites:
        xml.add_testsuite(suite)
    text: bytes = xml.tostring()  # type: ignore[no-untyped-call]
    return text
