"""Subjects in processes of their own answer as they do in this process; and what is said of those that cannot start."""

from __future__ import annotations

import gc
import json
import sys
import textwrap
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import psutil
import pytest
from subject_cases import BAD, GOOD, small_graph

from xpgcheck import embedded
from xpgcheck.errors import InputError
from xpgcheck.model.decision_graph import DecisionGraph, Node, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Categorical, Feature, Float32, Float64, Integer, Real
from xpgcheck.model.graph_errors import NodeId
from xpgcheck.model.value_sets import FiniteSet, Grid, Interval, interval_set
from xpgcheck.model.values import MISSING, Point
from xpgcheck.oracles.answers import Answer, replay
from xpgcheck.properties import asking
from xpgcheck.properties.running.loading import load_subject
from xpgcheck.properties.seeded import SeededBug, seeded_bugs
from xpgcheck.properties.subjects import EXPLAINS, JUDGES, abilities
from xpgcheck.properties.verdicts import NotApplicable, SubjectFault
from xpgcheck.subjects.abilities import ABILITIES
from xpgcheck.subjects.limits import MEBIBYTE, Limits
from xpgcheck.subjects.point_texts import one_line, point_texts, read_point
from xpgcheck.subjects.questions import Questions
from xpgcheck.subjects.remote import RemoteSubject

Script = Callable[[str], list[str]]


@pytest.fixture
def script(tmp_path: Path) -> Script:
    """Write a Python program and return the command that runs it; ``say(…)`` writes a line."""

    def write(program: str) -> list[str]:
        head = "import json, os, sys, time\ndef say(**record):\n    print(json.dumps(record), flush=True)\n"
        path = tmp_path / "subject.py"
        path.write_text(head + textwrap.dedent(program), encoding="utf-8")
        return [sys.executable, str(path)]

    return write


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Write a module that subjects are loaded from, and return its name."""

    def write(program: str) -> str:
        name = f"subject_module_{len(list(tmp_path.iterdir()))}"
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(program), encoding="utf-8")
        monkeypatch.syspath_prepend(str(tmp_path))
        return name

    return write


HELLO = "sys.stdin.readline(); say(id=1, protocol=1, name='mine', can=['axp', 'predict', 'cxp', 'enumerate'])\n"


class TestStart:
    @pytest.mark.parametrize(
        ("program", "problem"),
        [
            ("sys.exit('no licence')", "crash: it ended with exit status 1, after 'no licence' on stderr"),
            ("pass", "crash: it ended with exit status 0"),
            ("time.sleep(60)", "timeout: no answer after 1 s"),
            ("say(id=1, protocol=2, name='x', can=['axp'])", "it speaks version 2 of the line protocol; version 1"),
            ("say(id=1, name='x', can=['axp'])", "it speaks version None of the line protocol"),
            ("say(id=7, protocol=1, name='x', can=['axp'])", "it answers hello 1 as 7"),
            ("say(id=1, protocol=1, name='x', can=[])", "it can do none of what is judged: ''"),
            ("say(id=1, protocol=1, name='x', can=['dance'])", "it can do none of what is judged: 'dance'"),
            ("say(id=1, protocol=1, name='x', can='axp')", "Expected `array`, got `str`"),
            (
                "say(id=1, protocol=1, name='x', can=['axp'], notion='rules')",
                "it explains by 'rules'; use one of features",
            ),
            ("say(id=1, error='no\\nmodel')", "cannot be used: no model"),
            ("print('{no json')", "malformed answer: no answer to hello"),
            ("print('[]'); time.sleep(60)", "timeout: no answer after 1 s"),
        ],
    )
    def test_what_does_not_shake_hands_is_refused_in_one_line(self, program: str, problem: str, script: Script) -> None:
        with pytest.raises(InputError) as caught:
            RemoteSubject(script(program), limits=Limits(start_seconds=1.0 if "timeout" in problem else 300.0))
        assert problem in str(caught.value)
        assert str(caught.value).startswith("the subject '")
        assert "\n" not in str(caught.value)
        assert caught.value.exit_status == 2

    def test_a_command_that_is_not_there(self) -> None:
        with pytest.raises(
            InputError, match="'no-such-program -v' cannot be used: No such file or directory; name a prog"
        ):
            RemoteSubject.of_command("no-such-program -v")

    def test_a_file_that_is_no_program(self, tmp_path: Path) -> None:
        (tmp_path / "data").write_text("data")
        with pytest.raises(InputError, match="Permission denied"):
            RemoteSubject([str(tmp_path / "data")])

    def test_a_command_that_is_no_command(self) -> None:
        with pytest.raises(InputError, match="cannot be split: No closing quotation"):
            RemoteSubject.of_command("node 'explainer.js")
        with pytest.raises(InputError, match="the command is empty"):
            RemoteSubject.of_command(" ")

    @pytest.mark.parametrize(
        ("program", "problem"),
        [
            ("import no_such_module", "ModuleNotFoundError: No module named 'no_such_module'"),
            ("subject = 3", "has none of the methods that properties judge"),
            ("def subject(): raise LookupError('no data')", "LookupError: no data"),
            ("import sys; sys.exit(3)", "SystemExit: 3"),
            ("import os; os._exit(3)", "crash: it ended with exit status 3"),
        ],
    )
    def test_a_python_subject_that_cannot_be_loaded(
        self, program: str, problem: str, module: Callable[[str], str]
    ) -> None:
        with pytest.raises(InputError) as caught:
            RemoteSubject.of_python(f"{module(program)}:subject")
        assert problem in str(caught.value)

    def test_a_seeded_bug_that_does_not_exist(self) -> None:
        with pytest.raises(InputError, match="no seeded bug is called 'nobody'"):
            RemoteSubject.of_python("seeded:nobody")

    def test_abilities_that_are_not_known_are_ignored_and_listed(self, script: Script) -> None:
        command = script(
            "sys.stdin.readline(); say(id=1, protocol=1, name='x', version=\"2\", can=['axp', 'dance'], more=1)"
        )
        with RemoteSubject(command) as subject:
            assert abilities(subject) == {"axp"}
            assert (subject.name, subject.version, subject.notion) == ("x", "2", "features")
            assert subject.ignored == ("dance",)

    def test_a_subject_has_what_it_declares_and_nothing_else(self) -> None:
        for spec in ("ours", "paper", "oracle:exhaustive", "textbook"):
            with RemoteSubject.of_python(spec) as subject:
                assert abilities(subject) == abilities(load_subject(spec)), spec
                assert subject.name == load_subject(spec).name

    def test_python_finds_the_modules_that_the_judge_finds_after_the_standard_library(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(tmp_path)
        (tmp_path / "json.py").write_text("raise RuntimeError('shadowed')")
        (tmp_path / "here.py").write_text("class Mine:\n    def axp(self, graph, instance):\n        return [1]\n")
        with RemoteSubject.of_python("here:Mine") as subject:
            assert subject.axp(small_graph(), GOOD) == [1]


class TestAnswers:
    def test_an_error_is_a_crash_with_its_text(self, script: Script) -> None:
        program = f"{HELLO}sys.stdin.readline(); say(id=2, error='index\\nout of range')"
        with (
            RemoteSubject(script(program)) as subject,
            pytest.raises(SubjectFault, match=r"^crash: index out of range$"),
        ):
            subject.axp(small_graph(), GOOD)

    def test_what_is_not_supported_is_not_judged_and_the_process_stays(self, script: Script) -> None:
        program = f"""{HELLO}
            \nfor line in sys.stdin: say(id=json.loads(line)["id"], unsupported='only trees')"""
        with RemoteSubject(script(program)) as subject:
            for _ in range(2):
                with pytest.raises(NotApplicable, match="only trees"):
                    subject.axp(small_graph(), GOOD)
            assert subject.counters.restarts == 0

    def test_a_graph_that_was_not_supported_is_sent_again(self, script: Script) -> None:
        program = f"""{HELLO}
            \nfor line in sys.stdin:
                question = json.loads(line)
                known = {{"answer": ["graph" in question]}}
                say(id=question["id"], **({{"unsupported": "not yet"}} if question["id"] == 2 else known))"""
        with RemoteSubject(script(program)) as subject:
            graph = small_graph()
            with pytest.raises(NotApplicable):
                subject.axp(graph, GOOD)
            with pytest.raises(SubjectFault, match=r"\[true\]"):
                subject.axp(graph, GOOD)

    def test_a_python_subject_declines_by_not_implemented(self, module: Callable[[str], str]) -> None:
        name = module(
            """
            class Mine:
                notion = "features"
                version = 3
                def axp(self, graph, instance):
                    raise NotImplementedError("only trees")
                def cxp(self, graph, instance):
                    raise MemoryError
                def enumerate(self, graph, instance):
                    yield "AXp", {1}
                    raise ValueError("midway")
                def predict(self, graph, instance):
                    return 10 ** 5000
                def sigma(self, graph, instance, fixed):
                    return "yes"
            """
        )
        graph = small_graph()
        with RemoteSubject.of_python(f"{name}:Mine") as subject:
            assert subject.version == "3"
            with pytest.raises(NotApplicable, match="only trees"):
                subject.axp(graph, GOOD)
            with pytest.raises(SubjectFault, match=r"^memory: cxp ran out of memory"):
                subject.cxp(graph, GOOD)
            with pytest.raises(SubjectFault, match=r"^crash: enumerate raised ValueError: midway"):
                subject.enumerate(graph, GOOD)
            assert "Traceback" in subject.last_stderr
            with pytest.raises(SubjectFault, match=r"^malformed answer: the answer cannot be written"):
                subject.predict(graph, GOOD)
            with pytest.raises(SubjectFault, match=r"^malformed answer: not True or False: 'yes'"):
                subject.sigma(graph, GOOD, frozenset())
            # It is started again after it ran out of memory; it told of the others itself, and nothing starts again.
            assert subject.counters.restarts == 1

    def test_models_are_sent_again_to_a_process_that_was_started_anew(self, script: Script) -> None:
        program = f"""{HELLO}
            \nfor line in sys.stdin:
                question = json.loads(line)
                if question["ask"] == "cxp":
                    sys.exit(1)
                say(id=question["id"], answer=[1] if "graph" in question else [])"""
        with RemoteSubject(
            script(
                program.replace("id=1,", "id=json.loads(line)['id'],").replace(
                    "sys.stdin.readline();", "line = sys.stdin.readline();"
                )
            )
        ) as subject:
            graph = small_graph()
            assert [subject.axp(graph, GOOD), subject.axp(graph, BAD)] == [[1], []]
            with pytest.raises(SubjectFault, match="crash"):
                subject.cxp(graph, GOOD)
            assert [subject.axp(graph, GOOD), subject.axp(graph, BAD)] == [[1], []]
            assert (subject.counters.questions, subject.counters.restarts) == (5, 1)

    def test_a_subject_that_does_not_start_again_has_crashed(self, script: Script, tmp_path: Path) -> None:
        program = f"""
            \nif os.path.exists({str(tmp_path / "was")!r}): sys.exit("only once")
            \nopen({str(tmp_path / "was")!r}, "w").close()
            \n{HELLO}"""
        with RemoteSubject(script(program)) as subject:
            with pytest.raises(SubjectFault, match="crash: it ended with exit status 0"):
                subject.axp(small_graph(), GOOD)
            with pytest.raises(SubjectFault, match=r"crash: when started again: .* 'only once' on stderr"):
                subject.axp(small_graph(), GOOD)

    def test_a_question_after_closing_starts_a_process_anew(self) -> None:
        subject = RemoteSubject.of_python("textbook")
        subject.close()
        subject.close()
        assert subject.predict(small_graph(), GOOD) == 1
        subject.close()

    def test_a_graph_that_the_format_cannot_hold_is_not_asked_about(self) -> None:
        nodes: dict[NodeId, Node] = {0: Terminal(0)}
        graph = decision_graph("a\tb", [Feature("x", Boolean())], ["no"], nodes, 0)
        with RemoteSubject.of_python("textbook") as subject:
            with pytest.raises(NotApplicable, match="the graph cannot be sent"):
                subject.predict(graph, (False,))
            assert subject.predict(small_graph(), GOOD) == 1
            assert subject.counters.restarts == 0

    def test_conditions_are_sent_with_the_graph(self, script: Script) -> None:
        program = f"""{HELLO.replace("name='mine'", "name='mine', notion='conditions'")}
            \nfor line in sys.stdin:
                question = json.loads(line)
                say(id=question["id"], answer=[len(question["conditions"])] if "graph" in question else [])"""
        with RemoteSubject(script(program)) as subject:
            assert subject.notion == "conditions"
            assert [subject.axp(small_graph(), GOOD), subject.axp(small_graph(), GOOD)] == [[1], [1]]
        question = json.loads(Questions(lambda graph: [_Condition()]).question(1, "axp", (small_graph(), GOOD)))
        assert question["conditions"] == [{"feature": 1, "values": [1]}]


class _Condition:
    feature = 1
    values = FiniteSet(frozenset([True]))


def numbers_graph() -> DecisionGraph:
    """Return a graph with a feature of each kind, which tests the real one."""
    low = interval_set(Grid.DENSE, [Interval(None, True, 0, False)])  # type: ignore[arg-type]
    high = low.complement()
    features = [
        Feature("real", Real()),
        Feature("integer", Integer(0, 9)),
        Feature("single", Float32(missing=True)),
        Feature("double", Float64()),
        Feature("truth", Boolean()),
        Feature("colour", Categorical(("red", "1"))),
    ]
    nodes: dict[NodeId, Node] = {0: NonTerminal(0, ((1, low), (2, high))), 1: Terminal(0), 2: Terminal(1)}
    return decision_graph("numbers", features, ["low", "high"], nodes, 0)


class TestPoints:
    GOOD: tuple[Any, ...] = (Fraction(1, 3), 3, MISSING, Fraction(0.1), True, "1")

    def test_a_point_comes_back_as_it_was(self) -> None:
        graph = numbers_graph()
        back = read_point(graph, point_texts(graph, self.GOOD))
        assert back == self.GOOD
        assert list(map(type, back)) == list(map(type, self.GOOD))

    @pytest.mark.parametrize(
        ("position", "value"),
        [
            (0, 0.5),
            (0, 1),
            (1, Fraction(1, 2)),
            (1, 10),
            (1, True),
            (2, Fraction(1, 10)),
            (3, MISSING),
            (3, Fraction(1, 3)),
            (4, 1),
            (4, "yes"),
            (5, "green"),
            (5, None),
        ],
    )
    def test_what_is_wrong_with_a_point_stays_wrong(self, position: int, value: Any) -> None:
        graph = numbers_graph()
        instance: Point = (-self.GOOD[0], *self.GOOD[1:])
        point = (*self.GOOD[:position], value, *self.GOOD[position + 1 :])
        back = read_point(graph, point_texts(graph, point))
        assert replay(graph, instance, (), self.GOOD) is None
        assert f"feature {position} cannot be" in (replay(graph, instance, (), back) or "")

    @pytest.mark.parametrize("point", [GOOD[:5], (*GOOD, "more")])
    def test_another_number_of_values_stays_another_number(self, point: tuple[Any, ...]) -> None:
        graph = numbers_graph()
        assert "another number" in (replay(graph, self.GOOD, (), read_point(graph, point_texts(graph, point))) or "")

    def test_foreign_text_is_one_line(self) -> None:
        assert one_line("a\n b\t\x1b[31m\u202e") == "a b \\u001b[31m\\u202e"
        assert one_line("x" * 500) == "x" * 299 + "…"


def answers_of(subject: Any, graph: DecisionGraph, instance: Point, seconds: float) -> dict[str, Any]:
    """Return what *subject* says to one question of each of its abilities, faults by their verdicts."""
    count = len(graph.features)
    sets, pairs = asking.features, asking.xps
    everything = frozenset(range(count))
    some = frozenset([0])
    family = (some, everything)
    questions: dict[str, tuple[tuple[Any, ...], Callable[[Any], Any]]] = {
        "predict": ((), asking.number),
        "axp": ((), lambda a: sets(a, count)),
        "cxp": ((), lambda a: None if a is None else sets(a, count)),
        "axp_inside": ((everything,), lambda a: sets(a, count)),
        "cxp_inside": ((everything,), lambda a: sets(a, count)),
        "enumerate": ((), lambda a: pairs(a, count)),
        "sat_calls": ((), asking.number),
        "member": ((count - 1,), asking.truth),
        "sigma": ((some,), asking.truth),
        "path_to_zero": ((some,), asking.truth),
        "path_steps": ((some,), asking.number),
        "tree_cxps": ((), lambda a: asking.family(a, count)),
        "tree_steps": ((), asking.number),
        "terminals": ((), lambda a: asking.numbers(a, graph.node_count)),
        "inflate": (
            (everything, tuple(range(count))),
            lambda a: list(asking.box(a, graph.features, everything).items()),
        ),
        "changeable": ((some,), lambda a: _told(graph, instance, a)),
        "judge": (("AXp", everything), str),
        "judge_family": ((family, family), str),
        "settle": ((some, (_Says(True, instance), _Says(False, None))), lambda a: a if a is None else asking.truth(a)),
    }
    found: dict[str, Any] = {}
    for ability, (arguments, read) in questions.items():
        if ability in abilities(subject):
            found[ability] = _asked(subject, ability, (graph, instance, *arguments), read, seconds)
    if "dual" in abilities(subject):
        found["dual"] = _asked(subject, "dual", (family, family, count), asking.truth, seconds)
    return found


def _asked(subject: Any, ability: str, arguments: tuple[Any, ...], read: Callable[[Any], Any], seconds: float) -> Any:
    try:
        return asking.ask(subject, ability, arguments, read, seconds)
    except SubjectFault as fault:
        return fault.verdict


def _told(graph: DecisionGraph, instance: Point, answer: Any) -> Any:
    if not isinstance(answer, Answer):
        raise asking.malformed("an Answer", answer)
    problem = None if answer.witness is None else replay(graph, instance, (), answer.witness)
    return answer.changeable, answer.witness is None, str(problem)[:40]


class _Says:
    def __init__(self, changeable: bool, witness: Any) -> None:
        self.name = self.engine = f"says {changeable}"
        self._answer = Answer(changeable, witness, self.name)

    def changeable(self, fixed: object) -> Answer:
        return self._answer


def compared(spec: str, cases: list[tuple[DecisionGraph, Point]], seconds: float = asking.DEFAULT_SECONDS) -> None:
    """Assert that the subject *spec* says the same in this process and in one of its own."""
    own = load_subject(spec)
    with RemoteSubject.of_python(spec, limits=Limits(seconds=seconds, memory=512 * MEBIBYTE)) as remote:
        assert abilities(remote) == abilities(own)
        for graph, instance in cases:
            with asking.alarm(seconds):
                expected = answers_of(own, graph, instance, seconds)
            assert answers_of(remote, graph, instance, seconds) == expected, (spec, graph)


def some_cases() -> list[tuple[DecisionGraph, Point]]:
    """Return a few graphs with an instance: one of the paper's, one with numbers, a small one."""
    paper = embedded.load(embedded.names()[0])
    numbers = numbers_graph()
    return [(paper.graph, paper.instances[1]), (numbers, TestPoints.GOOD), (small_graph(), GOOD)]


SOME_BUGS = ("answers-kept-by-graph", "right-the-first-time", "witness-rounded", "bare-yes-or-no", "majority-vote")


class TestSameAnswers:
    def test_the_abilities_of_the_protocol_are_those_of_subjects(self) -> None:
        assert list(ABILITIES) == [*EXPLAINS, *JUDGES]

    @pytest.mark.parametrize("spec", ["ours", "textbook", "oracle:exhaustive", "oracle:z3-ite"])
    def test_right_subjects(self, spec: str) -> None:
        compared(spec, some_cases())

    @pytest.mark.parametrize("name", SOME_BUGS)
    def test_some_wrong_subjects(self, name: str) -> None:
        compared(f"seeded:{name}", some_cases())

    @pytest.mark.slow
    @pytest.mark.parametrize("bug", seeded_bugs()[::6], ids=lambda bug: bug.name)
    def test_more_wrong_subjects(self, bug: SeededBug) -> None:
        # The selftest says what catches each of them: here it is one protocol, and each kind of answer.
        # One that hangs is to be said to, and all others have time enough.
        compared(f"seeded:{bug.name}", some_cases(), bug.seconds)


def test_no_file_and_no_process_is_left_after_many_starts() -> None:
    files = Path("/proc/self/fd")
    if not files.exists():
        pytest.skip("no /proc")
    before = len(list(files.iterdir()))
    # Other tests may have left processes of their own, such as the one that multiprocessing tracks resources with.
    strangers = {child.pid for child in psutil.Process().children()}
    subject = RemoteSubject.of_python("textbook")
    for _ in range(3):
        subject.close()
        assert subject.predict(small_graph(), GOOD) == 1
    del subject
    gc.collect()
    # A process that nobody closed is closed with the object.
    assert len(list(files.iterdir())) == before
    assert {child.pid for child in psutil.Process().children()} <= strangers
