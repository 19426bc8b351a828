"""The properties as a pytest plugin: the fixture ``xpg_property``, and options that begin with ``--xpgcheck``.

pytest loads this module in every process of everyone who has xpgcheck installed, so it imports nothing but pytest and
the settings; what runs properties is imported when a test asks for one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from xpgcheck.errors import InputError
from xpgcheck.properties.pytest_plugin.settings import (
    DEFAULT_CORPUS,
    PluginSettings,
    failed_test,
    read_settings,
    used_error,
)

if TYPE_CHECKING:
    from xpgcheck.properties.catalogue import Property

_SETTINGS = pytest.StashKey[PluginSettings]()
_SUBJECT = pytest.StashKey[Any]()
_KEPT = pytest.StashKey[Any]()

VALUES = (
    ("subject", "SUBJECT", "Who is judged by xpgcheck.properties.conformance: package.module:factory."),
    ("profile", "NAME", "How much is tried: dev, ci or nightly (default: $XPGCHECK_PROFILE, else dev)."),
    ("examples", "N", "Cases that each property is tried on (default: the profile's)."),
    ("seed", "S", "Seed of the cases (default: 0)."),
    ("size", "N", "Most nodes of a graph (default: the profile's)."),
    ("timeout", "SECONDS", "The time that a subject has for one answer (default: 10)."),
    ("corpus", "DIR", f"Folder of kept cases, tried first (default: {DEFAULT_CORPUS} if it is there)."),
)
"""The options that take a value, each a setting of the configuration file too: ``--xpgcheck-seed``, ``xpgcheck_seed``."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options, and those that are settings too."""
    group = parser.getgroup("xpgcheck", "xpgcheck: what holds of every formal explainer")
    for name, shape, text in VALUES:
        group.addoption(f"--xpgcheck-{name}", metavar=shape, help=text)
        parser.addini(f"xpgcheck_{name}", text, default="")
    group.addoption(
        "--xpgcheck-property",
        action="append",
        default=[],
        metavar="NAME",
        help="This property, or this group of them, alone (repeatable).",
    )
    group.addoption(
        "--xpgcheck-record",
        action="store_true",
        help="Write failures into the corpus, so that later runs try them first.",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Declare the mark that every test of a property carries."""
    config.addinivalue_line("markers", "xpgcheck(group, smt): a test of one property of explainers (set by xpgcheck)")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Read the settings, and load the subject that an option names: what is wrong with them ends the run in one line."""
    config = session.config
    config.stash[_SETTINGS] = read_settings(config)
    if config.getoption("xpgcheck_subject"):
        with used_error():
            _subject(config)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make a test that asks for ``xpg_property`` one test per property."""
    if "xpg_property" not in metafunc.fixturenames:
        return
    from xpgcheck.properties.catalogue import chosen

    params = [
        pytest.param(p.name, id=p.name, marks=pytest.mark.xpgcheck(group=p.group, smt="yes" if p.smt else "no"))
        for p in chosen(metafunc.config.stash[_SETTINGS].names)
    ]
    metafunc.parametrize("xpg_property", params, indirect=True)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Let ``-k`` find a property by its group."""
    mark = item.get_closest_marker("xpgcheck")
    if mark is not None and "group" in mark.kwargs:
        item.extra_keyword_matches.add(str(mark.kwargs["group"]))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(session: pytest.Session, config: pytest.Config, items: list[pytest.Item]) -> None:
    """Once it is known that properties will be tried, see that they can be, and add a failing test a bad corpus file."""
    if not any(map(_is_property, items)):
        return
    from xpgcheck.properties.needed import require_hypothesis
    from xpgcheck.properties.pytest_plugin.kept import bad_files, read_kept

    # A worker of pytest-xdist that ends by an error of usage takes the whole run down: there the fixtures fail.
    if not hasattr(config, "workerinput"):
        with used_error():
            require_hypothesis()
            if any("xpgcheck_subject" in _fixtures(item) for item in items):
                _subject(config)
    config.stash[_KEPT] = kept = read_kept(config.stash[_SETTINGS])
    # Last, so that a run that stops at the first failure shows the properties first.
    items.extend(bad_files(session, kept))


def pytest_report_collectionfinish(config: pytest.Config, items: list[pytest.Item]) -> list[str]:
    """Say what the properties are tried with, where some are."""
    if config.option.verbose < 0 or not any(map(_is_property, items)):
        return []
    return [f"xpgcheck: {config.stash[_SETTINGS].summary()}"]


@dataclass(frozen=True, slots=True)
class XpgProperty:
    """The value of the fixture ``xpg_property``: one property, to be checked of a subject.

    ``name``, ``statement`` and ``source`` say which, what it states, and where the paper does.
    """

    name: str
    statement: str
    source: str
    _property: Property
    _item: pytest.Item

    def check(self, subject: object) -> None:
        """Try the property of *subject* on the kept cases, then on generated ones.

        Returns if it holds; fails the test with a report if it is violated, or if the oracles left a case open; skips
        the test if the property says nothing of what the subject can do, or of any case.
        """
        __tracebackhide__ = True
        from xpgcheck.properties.pytest_plugin.checking import check

        config = self._item.config
        check(self._property, subject, config.stash[_SETTINGS], config.stash[_KEPT].files(self.name), self._item)


@pytest.fixture
def xpg_property(request: pytest.FixtureRequest) -> XpgProperty:
    """One property of explainers: call its ``check(subject)``.  A test with this fixture becomes one test per property."""
    from xpgcheck.properties.catalogue import all_properties
    from xpgcheck.properties.needed import require_hypothesis

    with failed_test():
        require_hypothesis()
    found = next(p for p in all_properties() if p.name == request.param)
    return XpgProperty(found.name, found.statement, found.source, found, request.node)


@pytest.fixture(scope="session")
def xpgcheck_subject(pytestconfig: pytest.Config) -> object:
    """The subject that ``--xpgcheck-subject`` names."""
    with failed_test():
        return _subject(pytestconfig)


def _subject(config: pytest.Config) -> Any:
    """Return the subject that the settings name, the same in the whole run.  Raises ``InputError``."""
    if _SUBJECT not in config.stash:
        from xpgcheck.properties.running.loading import load_subject

        spec = config.stash[_SETTINGS].subject
        if not spec:
            raise InputError("no subject is named", mend="add --xpgcheck-subject package.module:factory")
        config.stash[_SUBJECT] = load_subject(spec)
    return config.stash[_SUBJECT]


def _fixtures(item: pytest.Item) -> tuple[str, ...]:
    return tuple(getattr(item, "fixturenames", ()))


def _is_property(item: pytest.Item) -> bool:
    return "xpg_property" in _fixtures(item)
