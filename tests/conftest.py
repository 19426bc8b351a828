"""Settings of all tests."""

import gc
import os
import signal
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from xpgcheck.properties.running.hypothesis_internals import begin

QUICK = ("embedded", "gate/check", "model", "oracles", "writers", "xpg")
"""The folders of ``pytest -m quick``: models, explainers and oracles, without what starts processes or imports much."""

# A shell without job control lets what it starts in the background ignore Ctrl-C, and so whatever that starts in turn: a
# handler of our own becomes the default in programs that tests start, which are then stopped as on a terminal.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Hundreds of processes would otherwise compile all that they import again (many images set this variable).
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

# A busy machine is no failure: what is slow is measured in benchmarks/, not by a deadline.
# Half as many cases as Hypothesis itself would try find what seeded bugs and tamperings have to show; "thorough" tries more:
# pytest --hypothesis-profile=thorough
for profile, examples in (("default", 50), ("thorough", 200)):
    settings.register_profile(
        profile, deadline=None, max_examples=examples, suppress_health_check=[HealthCheck.too_slow]
    )
settings.load_profile("default")


# Thousands of tests and their modules stay to the end: no collection need look at them, and each pytest within pytest
# (pytester) collects five times.
gc.disable()


def pytest_collection_finish() -> None:
    begin()
    gc.freeze()
    gc.enable()


def _is_quick(path: Path) -> bool:
    """Tell whether *path* is one of the quick folders, or lies in one."""
    return any(path.is_relative_to(Path(__file__).parent / folder) for folder in QUICK)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import nothing else for ``pytest -m quick``."""
    here = Path(__file__).parent
    unneeded = here in collection_path.parents and not _is_quick(collection_path)
    holds_quick = any(collection_path in (here / folder).parents for folder in QUICK)
    return True if config.option.markexpr == "quick" and unneeded and not holds_quick else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if _is_quick(item.path) and "slow" not in item.keywords:
            item.add_marker("quick")
