"""The fixture ``xpg_gate``: an explainer judged inside its author's own tests.

pytest loads this module in every process of everyone who has xpgcheck installed, so it imports the gate only when asked.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from xpgcheck.errors import InputError
from xpgcheck.properties.pytest_plugin.settings import PluginSettings, failed_test, read_settings

if TYPE_CHECKING:
    from xpgcheck.gate.plan import Opened
    from xpgcheck.gate.results import Report

CAUSES = 3
"""Kinds of failure in the first line of a failed test."""


@dataclass(frozen=True, slots=True)
class XpgGate:
    """The value of the fixture ``xpg_gate``; its settings are those of the plugin (``--xpgcheck-examples`` and the like)."""

    _settings: PluginSettings
    _item: pytest.Item

    def check(
        self,
        subject: Any = None,
        *,
        command: str | None = None,
        models: tuple[str, ...] | list[str] = (),
        kinds: tuple[str, ...] | list[str] = (),
        sample: int = 10,
        deck: bool = False,
    ) -> Report:
        """Judge *subject* on instances of *models*, on kept cases and on generated ones; return the report if all holds.

        *subject* is an object with some of the methods of ``xpgcheck.properties.subjects``, asked in this process; or the
        text ``"package.module:factory"``, or *command* a program that speaks the line protocol, each in its own process.
        *models* are files or names of embedded models, at most *sample* instances of each; *kinds* confine what is
        generated.  With *deck*, the designed cases come first.  Fails the test with the report where a claim is wrong or
        stays open.
        """
        __tracebackhide__ = True
        from xpgcheck.gate.inputs import Selection
        from xpgcheck.gate.plan import Cases, GatePlan, selected_models
        from xpgcheck.gate.run import gate
        from xpgcheck.properties.catalogue import chosen

        settings = self._settings
        with failed_test():
            opened, seconds = _opened(subject, command, settings)
            plan = GatePlan(
                opened,
                Cases(settings.examples, settings.seed, settings.size, tuple(kinds), ()),
                selected_models(tuple(models), Selection(sample=sample, seed=settings.seed)) if models else (),
                _kept(settings.corpus),
                tuple(p.name for p in chosen(settings.names, smt=settings.smt or bool(settings.names))),
                seconds,
                named=bool(models),
                deck=deck,
            )
            report = gate(plan)
            if settings.record:
                from xpgcheck.gate.saving import save_findings

                save_findings(report, settings.corpus)
        if report.exit_status():
            from xpgcheck.properties.pytest_plugin.checking import repeated_test

            report.again = repeated_test(settings, self._item)
            pytest.fail(_text(report), pytrace=False)
        return report


def _text(report: Report) -> str:
    """Return the report as the terminal shows it, without colours, after the line that pytest's summary shows."""
    from rich.console import Console

    from xpgcheck.gate.reports.console import print_report

    written = io.StringIO()
    print_report(report, Console(file=written, width=120, no_color=True))
    return f"{_cause(report)}; again: {report.again}\n{written.getvalue().rstrip()}"


def _cause(report: Report) -> str:
    """Return what is wrong in few words; the verdict where nothing is but the report is no success."""
    from xpgcheck.gate.reports.finding_texts import headline
    from xpgcheck.gate.reports.summary import verdict_line

    if not report.findings:
        return verdict_line(report)
    rest = len(report.findings) - CAUSES
    more = [f"{rest:,} more"] if rest > 0 else []
    return "; ".join([*map(headline, report.findings[:CAUSES]), *more])


def _opened(subject: Any, command: str | None, settings: PluginSettings) -> tuple[Opened, float]:
    """Return what opens the subject, and the seconds to wait for an answer."""
    from xpgcheck.gate.plan import InProcess, opener, patience
    from xpgcheck.subjects.limits import Limits

    if (subject is None) == (command is None):
        raise InputError("xpg_gate.check needs a subject or a command", mend="give one of them")
    if isinstance(subject, type):
        raise InputError(f"{subject.__name__} is a class, not a subject", mend=f"call it: check({subject.__name__}())")
    if subject is not None and not isinstance(subject, str):
        return InProcess(subject), settings.seconds
    limits = Limits(seconds=settings.seconds)
    return opener(subject, command, limits), patience(limits)


def _kept(folder: Path) -> tuple[Path, ...]:
    return tuple(sorted(folder.glob("*.json"))) if folder.is_dir() else (folder,) if folder.is_file() else ()


@pytest.fixture
def xpg_gate(request: pytest.FixtureRequest) -> XpgGate:
    """The gate: call its ``check(subject)`` in a test of your explainer."""
    return XpgGate(read_settings(request.config), request.node)
