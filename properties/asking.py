"""Asking a subject: whatever it does, raise, hang, answer nonsense, ends in an answer of the right type or a verdict."""

from __future__ import annotations

import itertools
import math
import operator
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from xpgcheck.errors import InputError, shown
from xpgcheck.model.domains import Feature
from xpgcheck.model.literals import read_literal
from xpgcheck.model.value_sets import FiniteSet, Grid, IntervalSet, ValueSet
from xpgcheck.properties.verdicts import NotApplicable, SubjectFault

try:
    # Without the search for a name of the handler, which fails and takes longer than most answers.
    from _signal import getsignal  # type: ignore[import-not-found]
except ImportError:
    from signal import getsignal

DEFAULT_SECONDS = 10.0
"""The time that a subject has for one answer."""

MAX_XPS = 100_000
"""XPs that one enumeration may list."""


class _Late(BaseException):
    """Not an ``Exception``: a subject that swallows those does not swallow this."""


@dataclass(slots=True)
class _Clock:
    """The question that is open: how many ticks it has left.  ``users`` counts nested uses, ``ticks`` is their interval.

    Ticks rather than the time of day: a process that is suspended for a minute gets one tick for it.
    """

    users: int = 0
    ticks: float = 0.0
    left: float = math.inf


_clock = _Clock()


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Let :func:`ask` limit the time of answers in the body to about *seconds*.

    By a signal that comes at regular times, so only in the main thread and on systems that have interval timers; elsewhere
    nothing limits an answer.  Setting a timer for each question would take longer than most answers.  A timer that was
    running before goes on afterwards with what was left of it.
    """
    if (
        seconds == math.inf
        or not hasattr(signal, "setitimer")
        or threading.current_thread() is not threading.main_thread()
    ):
        yield
        return
    if _clock.users:
        _clock.users += 1
        try:
            yield
        finally:
            _clock.users -= 1
        return
    handler, hook = signal.getsignal(signal.SIGALRM), sys.unraisablehook

    def unheard(raised: Any) -> None:
        # It came upon a `__del__` or the like, where Python prints it and goes on: the next tick raises it again.
        if not isinstance(raised.exc_value, _Late):
            hook(raised)

    sys.unraisablehook = unheard
    # As whole microseconds, so that the timer's interval can be compared with it.
    _clock.users, _clock.ticks = 1, max(1, int(min(0.05, seconds / 2) * 1e6)) / 1e6
    started = time.monotonic()
    left, interval = _wind_up()
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        _clock.users, _clock.left = 0, math.inf
        sys.unraisablehook = hook
        signal.signal(signal.SIGALRM, handler)
        if left:
            signal.setitimer(signal.ITIMER_REAL, max(left - (time.monotonic() - started), 0.001), interval)


def _wind_up() -> tuple[float, float]:
    """Set the handler and the timer; return what was left of the timer before, and its interval."""
    signal.signal(signal.SIGALRM, _tick)
    return signal.setitimer(signal.ITIMER_REAL, _clock.ticks, _clock.ticks)


def _tick(*_: object) -> None:
    _clock.left -= 1
    if _clock.left < 0:
        raise _Late


def ask(subject: Any, ability: str, arguments: tuple[Any, ...], read: Callable[[Any], Any], seconds: float) -> Any:
    """Return ``read(subject.ability(*arguments))``; *read* turns the raw answer into what properties compare.

    *read* runs under the same guard, since an answer may be a generator of the subject's.  After *seconds* (inside
    :func:`alarm`) the answer is interrupted, again and again should the subject swallow that.  Raises ``SubjectFault``,
    and ``NotApplicable`` where the subject declines to answer by raising ``NotImplementedError``.
    """
    try:
        if _clock.users and (
            getsignal(signal.SIGALRM) is not _tick or signal.getitimer(signal.ITIMER_REAL)[1] != _clock.ticks
        ):
            # An answer before this one has set an alarm of its own.
            _wind_up()
        depth = sys.getrecursionlimit()
        try:
            _clock.left = seconds / _clock.ticks if _clock.users else math.inf
            return read(getattr(subject, ability)(*arguments))
        finally:
            _clock.left = math.inf
            if sys.getrecursionlimit() != depth:
                sys.setrecursionlimit(depth)
    except (SubjectFault, NotApplicable, KeyboardInterrupt):
        raise
    except NotImplementedError as refusal:
        raise NotApplicable(f"{ability} is declined: {shown(refusal, 300)[1:-1]}") from None
    except _Late:
        raise SubjectFault("timeout", f"{ability} gave no answer after {seconds:g} s") from None
    except MemoryError:
        raise SubjectFault("memory", f"{ability} ran out of memory") from None
    except BaseException as error:
        # SystemExit among them: a subject may not end the judge.
        raise SubjectFault("crash", f"{ability} raised {type(error).__name__}: {shown(error, 300)[1:-1]}") from error


def malformed(what: str, answer: object) -> SubjectFault:
    """Return the fault of an answer that is not *what* it has to be."""
    return SubjectFault("malformed answer", f"not {what}: {shown(_repr(answer), 200)[1:-1]}")


def _repr(answer: object) -> str:
    try:
        return repr(answer)
    except Exception as error:
        return f"a {type(answer).__name__} whose repr raises {type(error).__name__}"


def truth(answer: object) -> bool:
    """Read a yes or no.  Raises ``SubjectFault``."""
    if type(answer) is bool:
        return answer
    # numpy's bool, and an array that is one number of it, are not a bool and mean one.
    if type(answer).__module__ == "numpy" and getattr(answer, "shape", None) == ():
        value = answer.item()  # type: ignore[attr-defined]
        if type(value) is bool:
            return value
    raise malformed("True or False", answer)


def number(answer: object) -> int:
    """Read an integer.  Raises ``SubjectFault``."""
    if isinstance(answer, bool):
        raise malformed("an integer", answer)
    try:
        return operator.index(answer)  # type: ignore[arg-type]
    except TypeError:
        raise malformed("an integer", answer) from None


def numbers(answer: object, most: int) -> tuple[int, ...]:
    """Read a list of at most *most* integers.  Raises ``SubjectFault``."""
    if isinstance(answer, (str, bytes)) or not isinstance(answer, Iterable):
        raise malformed("a list of integers", answer)
    found = tuple(map(number, itertools.islice(answer, most + 1)))
    if len(found) > most:
        raise malformed(f"a list of at most {most} integers", found)
    return found


def features(answer: object, count: int) -> frozenset[int]:
    """Read a set of indices of *count* features.  Raises ``SubjectFault``."""
    if isinstance(answer, (str, bytes)) or not isinstance(answer, Iterable):
        raise malformed("a set of feature indices", answer)
    listed = []
    for member in answer:
        index = number(member)
        if not 0 <= index < count:
            raise SubjectFault("malformed answer", f"it names feature {index} of a model with {count} features")
        listed.append(index)
        if len(listed) > count:
            raise malformed(f"a set of at most {count} features", answer)
    found = frozenset(listed)
    if len(found) < len(listed):
        raise malformed("a set: a feature is named twice", listed)
    return found


def family(answer: object, count: int) -> tuple[frozenset[int], ...]:
    """Read a list of sets of features.  Raises ``SubjectFault``."""
    if isinstance(answer, (str, bytes)) or not isinstance(answer, Iterable):
        raise malformed("a list of sets of features", answer)
    found = []
    for member in answer:
        found.append(features(member, count))
        if len(found) > MAX_XPS:
            raise SubjectFault("malformed answer", f"more than {MAX_XPS} explanations")
    return tuple(found)


def xps(answer: object, count: int, most: int = MAX_XPS) -> tuple[tuple[str, frozenset[int]], ...]:
    """Read what an enumeration yields: at most *most* pairs of a kind and a set of features.  Raises ``SubjectFault``."""
    if isinstance(answer, (str, bytes)) or not isinstance(answer, Iterable):
        raise malformed("a list of (kind, features) pairs", answer)
    found = []
    for member in answer:
        try:
            kind, members = member
        except (TypeError, ValueError):
            raise malformed("a (kind, features) pair", member) from None
        word = getattr(kind, "value", kind)
        if word not in ("AXp", "CXp"):
            raise malformed('"AXp" or "CXp"', kind)
        found.append((str(word), features(members, count)))
        if len(found) > most:
            raise SubjectFault("malformed answer", f"more than {most} explanations")
    return tuple(found)


def box(answer: object, features: Sequence[Feature], members: frozenset[int]) -> dict[int, ValueSet]:
    """Read a mapping from *members*, indices of *features*, to sets of their values.  Raises ``SubjectFault``."""
    if not isinstance(answer, Mapping):
        raise malformed("a mapping from features to sets of values", answer)
    pairs = {number(key): values for key, values in answer.items()}
    if pairs.keys() != members:
        raise malformed(f"a mapping from the features {sorted(members)}", answer)
    return {i: _values(values, features[i]) for i, values in sorted(pairs.items())}


def _values(answer: object, feature: Feature) -> ValueSet:
    domain = feature.domain
    whole = domain.all_values()
    if isinstance(answer, FiniteSet | IntervalSet):
        found: ValueSet = answer
    elif isinstance(answer, list | tuple):
        try:
            found = read_literal(domain, answer)
        except InputError as error:
            raise malformed(f"values of {domain} ({error.problem})", answer) from None
    else:
        raise malformed("a set of values", answer)
    if type(found) is not type(whole) or (isinstance(found, IntervalSet) and found.grid is not _grid(whole)):
        raise malformed(f"a set of values of {domain}", answer)
    return found.intersection(whole)


def _grid(whole: ValueSet) -> Grid | None:
    return whole.grid if isinstance(whole, IntervalSet) else None
