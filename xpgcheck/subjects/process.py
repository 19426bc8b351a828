"""One subject process: a question goes in, an answer comes out, within limits that hold whatever the subject does.

The process runs in a session of its own.  One loop writes the question (a subject may not read it), reads the answer and
what is written to stderr, and looks now and then at the memory and number of the subject's processes.  When anything goes
wrong, all of them are killed.
"""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
import select
import signal
import subprocess
import time
from collections.abc import Sequence

from xpgcheck.errors import shown
from xpgcheck.properties.verdicts import SubjectFault
from xpgcheck.subjects.family import KILL_SECONDS, TOKEN, ProcessFamily
from xpgcheck.subjects.limits import MEBIBYTE, Limits
from xpgcheck.subjects.point_texts import one_line
from xpgcheck.subjects.trace import Message, ProtocolTrace

_log = logging.getLogger(__name__)

TICK = 0.05
"""Seconds between two looks at a process that is slow to answer."""

LONGEST_TICK = 0.25
"""Seconds that one look can count for: if the judge itself is suspended, the subject is not blamed for that."""

LOOK_EVERY = 1.0
"""Seconds after which the memory of a subject that answers fast is looked at all the same."""

GRACE = 0.3
"""Seconds that a process which closed its output has to end, so that its exit status can be told."""

KEPT_STDERR = 8192
CHUNK = 1 << 16


class SubjectProcess:
    """A running subject.  :meth:`stop` it in the end; a fault has stopped it already."""

    def __init__(self, command: Sequence[str], limits: Limits, trace: ProtocolTrace | None = None) -> None:
        """Start *command*, and note in *trace* what is said.  Raises ``OSError`` where that cannot be done."""
        self._limits = limits
        self._trace = trace
        self._output = bytearray()
        self._searched = 0
        self._chatter = 0
        self._stderr = b""
        self._closed = False
        self._looked = time.monotonic()
        self._owner = os.getpid()
        token = secrets.token_hex(16)
        self._family = ProcessFamily(token)
        self._process = subprocess.Popen(
            command,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            env={**os.environ, TOKEN: token},
        )
        self._family.adopt(self._process.pid)
        _log.info("the subject is started as process %d: %s", self._process.pid, " ".join(map(shown, command)))
        pipes = [self._process.stdin, self._process.stdout, self._process.stderr]
        self._in, self._out, self._err = [pipe.fileno() for pipe in pipes if pipe is not None]
        self._poll = select.poll()
        for end in (self._in, self._out, self._err):
            os.set_blocking(end, False)
        for end in (self._out, self._err):
            self._poll.register(end, select.POLLIN)

    @property
    def stderr(self) -> str:
        """The end of what the process wrote to stderr since the last question was begun."""
        for _ in range(MEBIBYTE // CHUNK):
            if self._closed or not self._read_stderr():
                break
        return self._stderr.decode(errors="replace")

    def exchange(self, question: bytes, seconds: float) -> bytes:
        """Write *question*, a line, and return the line that answers it, without its end.

        Raises ``SubjectFault``, and then the process is stopped: no answer within *seconds* (timeout), too much memory
        (memory), an end or too many processes (crash), lines that are no answer (malformed answer).
        """
        # Before it is written: a subject that hangs or dies on it shows it.
        self._note("question", question)
        try:
            answer = self._exchange(question, seconds)
        except SubjectFault as fault:
            self.stop()
            self._note("fault", f"{fault.verdict}: {fault.evidence}".encode())
            raise
        except BaseException:
            self.stop()
            raise
        self._note("answer", answer)
        return answer

    def _note(self, what: Message, message: bytes) -> None:
        if self._trace is not None:
            self._trace.note(what, self._process.pid, message.rstrip(b"\n"))

    def stop(self) -> None:
        """Kill all processes of the subject, and close the pipes.

        Nothing is left behind.  Stopping twice is legal, and what an exception interrupted is done by the second time.
        """
        if self._closed or os.getpid() != self._owner:
            return
        self._read_stderr()
        self._family.kill(group=self._process.returncode is None)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(KILL_SECONDS)
        self._closed = True
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _exchange(self, question: bytes, seconds: float) -> bytes:
        self._chatter = 0
        self._forget_stderr()
        self._read_output()
        early = self._line()
        if early is not None:
            raise self._malformed("a line that nothing had asked for", early)
        rest = self._write(memoryview(question))
        if rest:
            self._poll.register(self._in, select.POLLOUT)
        waited, before = 0.0, time.monotonic()
        while True:
            line = self._line()
            if line is not None:
                return self._answer(line, rest)
            if self._process.returncode is not None or self._out < 0:
                self._read_to_the_end()
                line = self._line()
                if line is not None:
                    return self._answer(line, rest)
                raise self._ended()
            for end, _ in self._poll.poll(1000 * max(min(TICK, seconds - waited), 0.001)):
                if end == self._in:
                    rest = self._write(rest)
                    if not rest:
                        self._poll.unregister(self._in)
                elif end == self._err:
                    self._read_stderr()
                else:
                    self._read_output()
            now = time.monotonic()
            waited, before = waited + min(now - before, LONGEST_TICK), now
            if now - self._looked > (TICK if waited >= TICK else LOOK_EVERY):
                self._look()
            if waited >= seconds and b"\n" not in self._output:
                raise SubjectFault("timeout", f"no answer after {seconds:g} s{self._last_words()}")

    def _answer(self, line: bytes, rest: memoryview) -> bytes:
        if rest:
            raise self._malformed("a line before the question was written", line)
        second = self._line()
        if second is not None:
            raise self._malformed(f"two answers to one question, {_cut(line)} and then", second)
        if time.monotonic() - self._looked > LOOK_EVERY:
            self._look()
        return line

    def _write(self, rest: memoryview) -> memoryview:
        """Write what the pipe takes of *rest*; return what is left.  A closed pipe takes all: the end is seen elsewhere."""
        try:
            return rest[os.write(self._in, rest) :]
        except BlockingIOError:
            return rest
        except OSError:
            # It closed its stdin: either it has ended, or no answer will come.
            self._process.poll()
            return rest[len(rest) :]

    def _read_output(self) -> bool:
        """Read a part of stdout, and tell whether there was one."""
        chunk = _read(self._out)
        self._output += chunk or b""
        if chunk == b"":
            self._poll.unregister(self._out)
            self._out = -1
        return bool(chunk)

    def _read_stderr(self) -> bool:
        """Read a part of stderr, keep the end, and tell whether there was one."""
        chunk = _read(self._err)
        self._stderr = (self._stderr + (chunk or b""))[-KEPT_STDERR:]
        if chunk == b"":
            self._poll.unregister(self._err)
            self._err = -1
        return bool(chunk)

    def _forget_stderr(self) -> None:
        """Let what was written before this question be: what is kept is of the last one."""
        for _ in range(MEBIBYTE // CHUNK):
            if not self._read_stderr():
                break
        self._stderr = b""

    def _line(self) -> bytes | None:
        """Return the next whole line that begins with "{", None if there is none yet.  Raises ``SubjectFault``."""
        while True:
            end = self._output.find(b"\n", self._searched)
            is_answer = self._output.startswith(b"{")
            if end < 0:
                self._searched = len(self._output)
                if is_answer and self._searched > self._limits.line:
                    raise SubjectFault("malformed answer", f"a line of over {self._limits.line} bytes")
                if not is_answer and self._chatter + self._searched > self._limits.chatter:
                    raise self._endless()
                return None
            line = bytes(self._output[:end])
            del self._output[: end + 1]
            self._searched = 0
            if is_answer:
                if len(line) > self._limits.line:
                    raise SubjectFault("malformed answer", f"a line of over {self._limits.line} bytes")
                return line
            self._chatter += len(line) + 1
            if self._chatter > self._limits.chatter:
                raise self._endless()

    def _endless(self) -> SubjectFault:
        return SubjectFault("malformed answer", f"over {self._limits.chatter} bytes on stdout that are no answer")

    def _malformed(self, what: str, line: bytes) -> SubjectFault:
        return SubjectFault("malformed answer", f"{what}: {_cut(line)}")

    def _look(self) -> None:
        """Measure the processes of the subject.  Raises ``SubjectFault`` where they are over a limit."""
        self._process.poll()
        started = time.monotonic()
        count, memory = self._family.usage()
        if count > self._limits.processes:
            raise SubjectFault("crash", f"it started over {self._limits.processes} processes")
        if memory > self._limits.memory and self._family.exact_memory() > self._limits.memory:
            megabytes = self._limits.memory // MEBIBYTE
            raise SubjectFault("memory", f"it took over {megabytes} MiB{self._last_words()}")
        self._looked = time.monotonic()
        # Looking takes at most a tenth of the time.
        self._looked += 9 * (self._looked - started)

    def _read_to_the_end(self) -> None:
        """Read what a process that ended, or closed its output, had written before.

        The end of the file may never come, should a process that it left behind hold the pipe.
        """
        until = time.monotonic() + GRACE
        while self._process.poll() is None and time.monotonic() < until:
            self._read_stderr()
            time.sleep(0.005)
        for read, most in ((self._read_output, self._limits.line), (self._read_stderr, MEBIBYTE)):
            for _ in range(most // CHUNK + 1):
                if not read():
                    break

    def _ended(self) -> SubjectFault:
        """Return the fault of a process that ended, or closed its output, before it answered."""
        how = f"{_exit(self._process.returncode)}{self._last_words()}"
        if self._output.startswith(b"{"):
            return self._malformed(f"its end within an answer ({how})", bytes(self._output))
        return SubjectFault("crash", how)

    def _last_words(self) -> str:
        lines = self.stderr.strip().splitlines()
        return f", after {shown(one_line(lines[-1]), 200)} on stderr" if lines else ""


def _cut(line: bytes) -> str:
    return shown(line[:1000].decode(errors="replace"), 120)


def _read(end: int) -> bytes | None:
    """Return what can be read at once from a pipe, nothing at its end, None where there is nothing yet or it is closed."""
    if end < 0:
        return None
    try:
        return os.read(end, CHUNK)
    except BlockingIOError:
        return None
    except OSError:
        return b""


def _exit(status: int | None) -> str:
    if status is None:
        return "it closed its output"
    if status >= 0:
        return f"it ended with exit status {status}"
    try:
        name = signal.Signals(-status).name
    except ValueError:
        name = f"signal {-status}"
    return f"it was killed by {name}"
