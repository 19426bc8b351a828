"""A subject in a process of its own, as an object that properties can judge."""

from __future__ import annotations

import contextlib
import functools
import os
import shlex
import weakref
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from xpgcheck.errors import InputError, shown
from xpgcheck.model.classifier import Classifier
from xpgcheck.model.values import Point
from xpgcheck.oracles.answers import Answer
from xpgcheck.properties.subjects import MODEL_KINDS, model_kind
from xpgcheck.properties.verdicts import NotApplicable, SubjectFault
from xpgcheck.runs import interpreter
from xpgcheck.subjects.abilities import ABILITIES, BY_FEATURES, NOTIONS, WitnessAnswer
from xpgcheck.subjects.limits import Limits
from xpgcheck.subjects.point_texts import one_line, read_point
from xpgcheck.subjects.process import SubjectProcess
from xpgcheck.subjects.questions import PROTOCOL, Conditions, Questions, hello
from xpgcheck.subjects.replies import Hello, SaidError, read_hello, read_reply
from xpgcheck.subjects.trace import ProtocolTrace

_SERVE = "from xpgcheck.subjects.serve import main; sys.exit(main(sys.argv[1:]))"


def python_command(spec: str) -> list[str]:
    """Return the command that serves the Python subject *spec* (see ``load_subject``), by this interpreter."""
    return interpreter.python_command(_SERVE, spec)


def split_command(command: str) -> list[str]:
    """Return the words of *command*, as a shell splits them.  Raises ``InputError``."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError(f"the command {shown(command)} cannot be split: {error}", mend="close the quotes") from None
    if not words:
        raise InputError("the command is empty", mend="name a program and its arguments")
    return words


@dataclass(slots=True)
class Counters:
    """Counts of a remote subject: questions that were asked, and processes that were started after the first."""

    questions: int = 0
    restarts: int = 0


class RemoteSubject:
    """A subject that answers over the line protocol.  A context manager: its processes end on leaving.

    It has the methods of :mod:`xpgcheck.properties.subjects` that the process declares, and no others.  Each raises
    ``SubjectFault`` where no answer came that could be judged, and then the process is killed and started again by the
    next question, unless it said itself that it failed; ``NotApplicable`` where it says that it does not support the
    question.

    ``name``, ``version`` and ``notion`` are what the process says of itself, ``models`` the kinds of models that it takes,
    ``ignored`` the abilities that it declares and that are not known here, ``passed_over`` the methods that it has and does
    not offer, with why, ``counters`` what it was asked so far, ``last_stderr`` the end of what it wrote to stderr.
    It is used from one thread of the process that made it.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        limits: Limits | None = None,
        conditions: Conditions | None = None,
        called: str | None = None,
        trace: ProtocolTrace | None = None,
    ) -> None:
        """Start *command*, a program and its arguments, and shake hands.

        *conditions* gives the conditions of a graph, for subjects that explain by those; by default those of
        ``xpgcheck.oracles.conditions``.  *called* is what the subject is called in messages, by default the command.
        What is said
        is noted in *trace*.  Raises ``InputError`` where it cannot be started or says nothing that it could be judged by.
        """
        if os.name != "posix":
            problem = "subjects in processes of their own need a POSIX system"
            raise InputError(problem, mend="judge a Python subject in this process")
        self.limits = limits or Limits()
        self.counters = Counters()
        self._stderr = ""
        self._command = list(command)
        self._called = called or shlex.join(self._command)
        self._trace = trace
        self._process: SubjectProcess | None = None
        self._finalizer: Any = None
        self._number = 0
        try:
            said = self._start()
        except SubjectFault as fault:
            mend = "its first line has to answer hello: see docs/reference/protocol.md"
            raise self._refused(f"{fault.verdict}: {fault.evidence}", mend) from None
        self._said = said
        self.name = one_line(said.name, 100) or self._called
        self.version = one_line(said.version, 100)
        self.notion = said.notion
        self.models = tuple(kind for kind in MODEL_KINDS if kind in said.models)
        self.passed_over = {
            one_line(name, 100): one_line(reason) for name, reason in said.passed_over.items() if name in ABILITIES
        }
        self.ignored = tuple(one_line(name, 100) for name in said.can if name not in ABILITIES)
        by_conditions = None
        if said.notion not in BY_FEATURES:
            by_conditions = conditions or _conditions()
        self._questions = Questions(by_conditions)
        for ability in dict.fromkeys(said.can):
            if ability in ABILITIES:
                setattr(self, ability, functools.partial(self._ask, ability))

    @classmethod
    def of_python(cls, spec: str, **options: Any) -> RemoteSubject:
        """Return the Python subject *spec* (see ``load_subject``) in a process of its own.  Raises ``InputError``."""
        return cls(python_command(spec), called=spec, **options)

    @classmethod
    def of_command(cls, command: str, **options: Any) -> RemoteSubject:
        """Return the subject that *command*, split as a shell does, runs.  Raises ``InputError``."""
        return cls(split_command(command), called=command, **options)

    def __enter__(self) -> RemoteSubject:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the processes of the subject.  A question that is asked afterwards starts them again."""
        process, self._process = self._process, None
        if process is not None:
            process.stop()
            self._stderr = process.stderr
            self._finalizer.detach()

    @property
    def last_stderr(self) -> str:
        """The end of what the process, or the last one if there is none, wrote to stderr."""
        return self._stderr if self._process is None else self._process.stderr

    def _ask(self, ability: str, *arguments: Any) -> Any:
        if ABILITIES[ability].on_model and model_kind(arguments[0]) not in self.models:
            raise NotApplicable(f"it takes no {MODEL_KINDS[model_kind(arguments[0])]}")
        self.counters.questions += 1
        try:
            if self._process is None:
                self._start_again()
            self._number += 1
            question = self._questions.question(self._number, ability, arguments)
            assert self._process is not None
            line = self._process.exchange(question, self.limits.seconds)
            answer = read_reply(line, self._number, ability)
        except (NotApplicable, SaidError):
            # The conversation goes on; who does not support a graph, or failed on it, need not have kept it.
            self._questions.send_again(arguments[0])
            raise
        except BaseException:
            # After an interrupt, too: an answer that is under way would be taken for that of the next question.
            self.close()
            raise
        if isinstance(answer, WitnessAnswer):
            return self._with_point(arguments[0], answer)
        # JSON has only texts as keys, so that a mapping comes as pairs.
        return dict(answer) if ability in ("inflate", "inflate_cxp") else answer

    def _with_point(self, graph: Classifier, said: WitnessAnswer) -> Answer:
        witness: Point | None = None if said.witness is None else read_point(graph, said.witness)
        return Answer(said.changeable, witness, self.name, one_line(said.reason))

    def _start_again(self) -> None:
        self.counters.restarts += 1
        self._questions.start_anew()
        try:
            said = self._start()
        except InputError as error:
            raise SubjectFault("crash", f"it does not start again: {error}") from None
        except SubjectFault as fault:
            raise SubjectFault(fault.verdict, f"when started again: {fault.evidence}") from None
        if (said.can, said.notion, said.models) != (self._said.can, self._said.notion, self._said.models):
            raise SubjectFault("malformed answer", "started again, it declares other abilities than before")

    def _start(self) -> Hello:
        """Start a process and return what it says of itself.  Raises ``InputError``, ``SubjectFault``."""
        try:
            process = SubjectProcess(self._command, self.limits, self._trace)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise self._refused(reason, "name a program that can be run, by its path if need be") from None
        self._process = process
        self._finalizer = weakref.finalize(self, process.stop)
        try:
            self._number += 1
            said = read_hello(process.exchange(hello(self._number), self.limits.start_seconds))
            self._check(said)
        except BaseException:
            self.close()
            raise
        return said

    def _check(self, said: Hello) -> None:
        """Raise ``InputError`` unless *said* is an answer to hello that can be worked with."""
        if said.error is not None:
            # A Python subject's error is a whole line of ours already.
            raise (
                InputError(one_line(said.error))
                if said.error.startswith("the subject ")
                else self._refused(one_line(said.error), "")
            )
        if said.protocol != PROTOCOL:
            problem = f"it speaks version {said.protocol} of the line protocol"
            raise self._refused(problem, f"version {PROTOCOL} is needed: see docs/reference/protocol.md")
        if said.id != self._number:
            raise self._refused(f"it answers hello {self._number} as {said.id}", "repeat the question's id")
        if said.notion not in NOTIONS:
            raise self._refused(f"it explains by {shown(said.notion)}", f"use one of {', '.join(NOTIONS)}")
        if not any(name in ABILITIES for name in said.can):
            problem = f"it can do none of what is judged: {shown(', '.join(said.can))}"
            raise self._refused(problem, f"declare some of {', '.join(ABILITIES)}")
        if not any(kind in MODEL_KINDS for kind in said.models):
            problem = f"it takes none of the kinds of models that are known: {shown(', '.join(said.models))}"
            raise self._refused(problem, f"declare some of {', '.join(MODEL_KINDS)}")

    def _refused(self, problem: str, mend: str) -> InputError:
        return InputError(f"the subject {shown(self._called)} cannot be used: {problem}", mend=mend)


def _conditions() -> Conditions:
    with contextlib.suppress(ImportError):
        from xpgcheck.oracles.conditions import conditions_of

        return conditions_of
    raise InputError("subjects that explain by conditions cannot be judged here", mend="explain by features")
