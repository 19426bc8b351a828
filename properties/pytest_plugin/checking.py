"""One property of one subject, and how that ends for pytest: it returns, fails with a report, or skips."""

from __future__ import annotations

import os
import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest

from xpgcheck.errors import InputError, XpgcheckError, shown
from xpgcheck.properties import corpus
from xpgcheck.properties.catalogue import Property
from xpgcheck.properties.pytest_plugin.settings import PluginSettings
from xpgcheck.properties.running.engine import explore
from xpgcheck.properties.running.outcomes import Failure, Result
from xpgcheck.properties.running.replaying import replay_corpus
from xpgcheck.properties.running.report import finding_lines
from xpgcheck.properties.subjects import Methods, require_abilities, subject_name

CONFORMANCE = "xpgcheck.properties.conformance"


def check(judged: Property, subject: object, settings: PluginSettings, kept: Sequence[Path], item: pytest.Item) -> None:
    """Try *judged* of *subject* on the files *kept*, then on generated cases; end as the result says."""
    __tracebackhide__ = True
    if isinstance(subject, type):
        pytest.fail(
            f"{subject.__name__} is a class, not a subject; call it: check({subject.__name__}())", pytrace=False
        )
    methods, refusal = _judged(subject)
    if methods is None:
        pytest.fail(refusal, pytrace=False)
    if not judged.needs <= methods.judged:
        lacking = sorted(judged.needs - methods.judged)
        words = [f"{name} ({methods.passed_over[name]})" if name in methods.passed_over else name for name in lacking]
        pytest.skip(f"{_name(subject)} has no {', '.join(words)}")
    if judged.smt and not settings.smt and not settings.names:
        pytest.skip(f"profile {settings.profile} leaves SMT properties out; --xpgcheck-profile=ci tries them")
    result = _tried(judged, subject, settings, kept)
    # A profile without SMT properties tries one only if it is named.
    named = f" --xpgcheck-property={judged.name}" if judged.smt and not settings.smt else ""
    again = f"again: {repeated_test(settings, item)}{named}"
    if result.findings:
        finding = result.findings[0]
        lines = [*_finding_lines(judged, finding), *_kept_lines(settings, finding, item.config), again]
        pytest.fail("\n".join(lines), pytrace=False)
    tally = result.tallies[judged.name]
    if tally.open:
        pytest.fail("\n".join([*_open_lines(judged, subject, result), again]), pytrace=False)
    if not tally.held:
        pytest.skip(f"it says nothing of any of the {result.cases:,} cases")


def _judged(subject: object) -> tuple[Methods | None, str]:
    """Return the methods of *subject* that are judged; None where there are none, and why."""
    try:
        return require_abilities(subject, subject_name(subject)), ""
    except InputError as error:
        return None, str(error)


def _tried(judged: Property, subject: object, settings: PluginSettings, kept: Sequence[Path]) -> Result:
    """Return what was found; a property that fails on a kept case is not tried on others."""
    result = Result.of([judged.name])
    for path in kept:
        replayed, _ = replay_corpus(path, [judged], subject, settings.seconds)
        result.add(replayed)
        if result.findings:
            return result
    if settings.examples:
        result.add(
            explore(
                [judged],
                subject,
                examples=settings.examples,
                seed=settings.seed,
                size=settings.size,
                seconds=settings.seconds,
            )
        )
    return result


def _name(subject: object) -> str:
    return shown(subject_name(subject))


def _statement(judged: Property) -> str:
    return f"  {judged.name} [{judged.source}]: {judged.statement}"


def _finding_lines(judged: Property, finding: Failure) -> list[str]:
    # First what the name of the test does not say already: pytest's summary shows this line, and cuts it.
    first, *rest = finding_lines(finding)
    return [first, _statement(judged), *rest]


def _open_lines(judged: Property, subject: object, result: Result) -> list[str]:
    tally = result.tallies[judged.name]
    return [
        f"inconclusive: the oracles left {tally.open:,} of {result.cases:,} cases open, and none fails",
        _statement(judged),
        f"  subject {_name(subject)}; reasons:",
        *(f"    {reason}" for reason in dict.fromkeys(tally.reasons)),
    ]


def _kept_lines(settings: PluginSettings, finding: Failure, config: pytest.Config) -> list[str]:
    """Write *finding* into the corpus if that is wanted; say where it is, or why it is not."""
    if not finding.example:
        return []
    if not settings.record:
        return ["not kept; --xpgcheck-record keeps it"]
    try:
        path = corpus.record(settings.corpus, finding)
    except XpgcheckError as error:
        return [f"not kept: {error}"]
    return [f"kept: {_from_here(path, config)}"]


def repeated_test(settings: PluginSettings, item: pytest.Item) -> str:
    """Return the command line that tries the one test *item* on the same cases."""
    _, _, test = item.nodeid.partition("::")
    module = getattr(getattr(item, "module", None), "__name__", "")
    if module == CONFORMANCE:
        target, more = f"--pyargs {shlex.quote(f'{CONFORMANCE}::{test}')}", ""
    else:
        target, more = shlex.quote(f"{_from_here(item.path, item.config)}::{test}"), ""
    if "xpgcheck_subject" in getattr(item, "fixturenames", ()):
        more = " " + shlex.quote(f"--xpgcheck-subject={settings.subject}")
    return f"pytest {target}{more} {settings.options()}"


def _from_here(path: Path, config: pytest.Config) -> str:
    """Return *path* as one types it where pytest was started."""
    try:
        return Path(os.path.relpath(path, config.invocation_params.dir)).as_posix()
    except ValueError:  # another drive
        return path.as_posix()
