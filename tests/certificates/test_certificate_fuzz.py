"""Whatever bytes the checker is given: an outcome and one line of text, never a traceback, never more than a second.

``python tests/certificates/test_certificate_fuzz.py 1000000`` tries that many inputs, over several processes.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from collections import Counter
from typing import Any

import pytest
from formulas import EXAMPLE
from hypothesis import example, given
from hypothesis import strategies as st
from tamperings import certificates, majority, random_cases, random_ensembles

from xpgcheck.check_certificate import Outcome, check_lines
from xpgcheck.runs.pool import pooled

SECONDS = 30.0
"""Limit of the processor's time: a thousand times what an input takes, so that no slow machine reaches it."""

TOKENS = [
    b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"\n", b"\0", b"\xff", b"\xed\xa0\x80", b"\xef\xbb\xbf", b"-",
    b"0", b"1", b"-1", b"9" * 400, b"9" * 401, b"1e999999999", b"1e5", b"1.5", b"NaN", b"Infinity", b"true",
    b"null", b"[[]]", b"{}",
    b'""', b'"\\ud800"', b'"\\u0000"', b"[" * 3000, b'{"a":' * 300, b'"end":1', b'{"end":1}\n', b'"(-inf, inf)"', b'"1/0"',
    b'"missing"', b'"AXp"', b'"CXp"', b'"redundant"', b'"ineffective"', b'"rup"', b'"tree"', b'"float32"', b'"boolean"',
    b'"sum"', b'"average"', b'"binary32"', b'"answers"', b'"boxes"', b"[-1]", b"[0,1,-1,-1]",
]  # fmt: skip


def seeds() -> list[bytes]:
    return [*certificates(random_cases(30)), *random_ensembles(30), majority(), EXAMPLE]


def judged(data: bytes) -> Outcome:
    """Check *data* and what an outcome has to be like."""
    start = time.process_time()
    outcome = check_lines(data.splitlines(keepends=True))
    assert time.process_time() - start < SECONDS, data
    assert outcome.status in (0, 1, 2)
    assert outcome.message.isascii()
    assert outcome.message.isprintable()
    assert 0 < len(outcome.message) <= 500
    assert outcome.status == 0 or outcome.message.startswith("line ")
    return outcome


def mutated(data: bytes, other: bytes, rng: random.Random) -> bytes:
    """Change some places: bits, tokens, what is cut out or repeated, parts of another certificate."""
    changed = bytearray(data)
    for _ in range(rng.choice([1, 1, 1, 2, 4, 8])):
        at = rng.randrange(len(changed) + 1)
        to = min(len(changed), at + rng.choice([0, 1, 1, 2, 5, 40]))
        way = rng.randrange(5)
        if way == 0 and at < len(changed):
            changed[at] ^= 1 << rng.randrange(8)
        elif way == 1:
            changed[at:to] = rng.choice(TOKENS)
        elif way == 2:
            del changed[at:to]
        elif way == 3:
            changed[at:at] = changed[at : at + rng.choice([1, 3, 30, 300])]
        else:
            start = rng.randrange(len(other))
            changed[at:to] = other[start : start + rng.choice([1, 4, 40, 400])]
    return bytes(changed)


def restructured(data: bytes, rng: random.Random) -> bytes:
    """Change some values of the JSON, so that what comes is JSON still."""
    lines = [json.loads(line) for line in data.splitlines()]
    for _ in range(rng.choice([1, 1, 2, 3])):
        holder: Any = lines
        while True:
            keys: list[Any] = list(holder) if isinstance(holder, dict) else list(range(len(holder)))
            if not keys:
                break
            key = rng.choice(keys)
            if isinstance(holder[key], (dict, list)) and holder[key] and rng.random() < 0.85:
                holder = holder[key]
                continue
            old = holder[key]
            near = [old + 1, old - 1, -old] if type(old) is int else [old]
            holder[key] = rng.choice(
                [*near, 0, 1, -1, 2**70, True, None, "", "0", "1/2", "[0, 1)", "(-inf, 0)", [], {}, [old], {"a": old}]
            )
            break
    return b"".join((json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n").encode() for line in lines)


def batch(task: tuple[int, int]) -> Counter[int]:
    """Try so many inputs from that seed; return how often there was which status."""
    number, count = task
    rng = random.Random(number)
    files = seeds()
    statuses: Counter[int] = Counter()
    for _ in range(count):
        data, way = rng.choice(files), rng.random()
        if way < 0.1:
            tokens = [rng.choice(TOKENS) for _ in range(rng.randrange(30))]
            data = b"".join(tokens) if way < 0.05 else rng.randbytes(rng.randrange(200))
        elif way < 0.55:
            data = restructured(data, rng)
        else:
            data = mutated(data, rng.choice(files), rng)
        statuses[judged(data).status] += 1
    return statuses


def test_a_thousand_inputs() -> None:
    statuses = batch((0, 1000))
    assert statuses[1] > 30
    assert statuses[2] > 300


@pytest.mark.slow
def test_tens_of_thousands_of_inputs() -> None:
    """In the environment ``fuzz`` of tox: XPGCHECK_FUZZ=1000000."""
    count = int(os.environ.get("XPGCHECK_FUZZ", "20000"))
    assert fuzz(count).total() >= count


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=20,
)


@given(st.binary(max_size=300))
@example(b"")
def test_bytes(data: bytes) -> None:
    judged(data)


@given(st.lists(JSON, max_size=4))
def test_json(values: list[Any]) -> None:
    judged(b"".join((json.dumps(value, separators=(",", ":")) + "\n").encode() for value in values))


@pytest.fixture(scope="module")
def files() -> list[bytes]:
    return seeds()


@given(st.randoms(use_true_random=False), st.booleans())
def test_mutated_certificates(files: list[bytes], rng: random.Random, raw: bool) -> None:
    data = rng.choice(files)
    judged(mutated(data, rng.choice(files), rng) if raw else restructured(data, rng))


def fuzz(count: int, jobs: int | None = None) -> Counter[int]:
    """Try *count* inputs over processes."""
    size = 10_000
    tasks = [(number, size) for number in range(1, -(-count // size) + 1)]
    total: Counter[int] = Counter()
    for _, statuses in pooled(batch, tasks, jobs or os.cpu_count() or 1):
        total += statuses
    return total


if __name__ == "__main__":
    # By its name: processes do not find what is in the program that is run itself.
    from test_certificate_fuzz import fuzz as fuzz_by_name

    begun = time.perf_counter()
    found = fuzz_by_name(int(sys.argv[1]))
    print(f"{found.total()} inputs, {time.perf_counter() - begun:.0f} s; by status: {dict(sorted(found.items()))}")
