"""The settings of the pytest plugin: from options, the environment and the configuration file, in this order."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from xpgcheck.errors import InputError, XpgcheckError, shown
from xpgcheck.properties.running.profiles import profile

DEFAULT_CORPUS = "tests/regressions"
"""The folder of kept cases, under pytest's root folder."""

DEFAULT_SECONDS = 10.0
"""As for ``xpgcheck properties run``."""

MAX_SEED = 2**32 - 1
MAX_SIZE = 200


@dataclass(frozen=True, slots=True)
class PluginSettings:
    """Settings of properties in a run of pytest.

    ``names`` are the properties and groups that it is confined to (all if empty), ``corpus`` the folder of kept cases,
    which need not be there where failures are to be written (``record``), ``corpus_option`` how the command line named it.
    """

    profile: str
    examples: int
    size: int
    smt: bool
    seed: int
    seconds: float
    subject: str
    names: tuple[str, ...]
    corpus: Path
    corpus_option: str
    record: bool

    def summary(self) -> str:
        """Return the profile, the number of examples and the seed, in a line."""
        return f"profile {self.profile}, {self.examples:,} examples a property, seed {self.seed}"

    def options(self) -> str:
        """Return the options that make another run try the same cases."""
        texts = [f"--xpgcheck-{n}={getattr(self, n)}" for n in ("profile", "examples", "seed", "size")]
        if self.seconds != DEFAULT_SECONDS:
            texts.append(f"--xpgcheck-timeout={self.seconds:g}")
        if self.corpus_option:
            texts.append(shlex.quote(f"--xpgcheck-corpus={self.corpus_option}"))
        return " ".join(texts)


@contextmanager
def used_error() -> Iterator[None]:
    """Turn an error of this package into one line of pytest's, with its exit status 4."""
    try:
        yield
    except XpgcheckError as error:
        raise pytest.UsageError(f"xpgcheck: {error}") from None


@contextmanager
def failed_test() -> Iterator[None]:
    """Turn an error of this package into the failure of a test, in one line."""
    try:
        yield
    except XpgcheckError as error:
        raise pytest.fail.Exception(f"xpgcheck: {error}", pytrace=False) from None


def read_settings(config: pytest.Config) -> PluginSettings:
    """Return the settings of *config*.  Raises ``pytest.UsageError`` where one is wrong."""
    with used_error():
        found = {name: _value(config, name) for name in ("profile", "examples", "seed", "size", "timeout", "subject")}
        name = found["profile"] or "dev"
        base = profile(name)
        names = tuple(config.getoption("xpgcheck_property"))
        if names:
            from xpgcheck.properties.catalogue import chosen

            chosen(names)
        record = bool(config.getoption("xpgcheck_record"))
        corpus, named = _corpus(config)
        if named and not record and not corpus.exists():
            mend = "name a folder of kept cases, or add --xpgcheck-record"
            raise InputError(f"no folder is called {shown(corpus)}", mend=mend)
        return PluginSettings(
            name,
            _integer("examples", found["examples"], base.examples, 0, None),
            _integer("size", found["size"], base.size, 1, MAX_SIZE),
            base.smt,
            _integer("seed", found["seed"], 0, 0, MAX_SEED),
            _seconds(found["timeout"]),
            found["subject"],
            names,
            corpus,
            str(config.getoption("xpgcheck_corpus") or ""),
            record,
        )


def _value(config: pytest.Config, name: str) -> str:
    option = config.getoption(f"xpgcheck_{name}")
    if option is None and name == "profile":
        option = os.environ.get("XPGCHECK_PROFILE") or None
    return str(config.getini(f"xpgcheck_{name}") if option is None else option)


def _integer(name: str, text: str, default: int, low: int, high: int | None) -> int:
    if not text:
        return default
    number = int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else -1
    if number < low or (high is not None and number > high):
        upto = "" if high is None else f" to {high}"
        raise InputError(
            f"{shown(text)} is not a value of --xpgcheck-{name}", mend=f"give it an integer from {low}{upto}"
        )
    return number


def _seconds(text: str) -> float:
    if not text:
        return DEFAULT_SECONDS
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.001 <= seconds <= 86_400:
        raise InputError(
            f"{shown(text)} is not a value of --xpgcheck-timeout", mend="give it seconds, from 0.001 to 86400"
        )
    return seconds


def _corpus(config: pytest.Config) -> tuple[Path, bool]:
    """Return the corpus, and whether the user named it: on the command line or, from where that file is, in a file."""
    option = config.getoption("xpgcheck_corpus")
    if option:
        return config.invocation_params.dir / str(option), True
    named = config.getini("xpgcheck_corpus")
    if named:
        return (config.inipath.parent if config.inipath else config.rootpath) / str(named), True
    return config.rootpath / DEFAULT_CORPUS, False
