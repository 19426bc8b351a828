"""The pytest plugin, run by pytest's own ``pytester`` on small test files."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import distributions
from pathlib import Path

# Loaded here, since pytester forgets after each run what was first imported in it, and none of this is loaded twice.
import pysmt.shortcuts
import pysmt.solvers.z3
import pytest

from xpgcheck.extras import install
from xpgcheck.properties import catalogue
from xpgcheck.properties.running import engine
from xpgcheck.properties.trials import Trial
from xpgcheck.properties.verdicts import Inconclusive, NotApplicable

assert pysmt.shortcuts is not None, "loaded, and of no other use"

Run = Callable[..., pytest.RunResult]

PROPERTIES = [p.name for p in catalogue.all_properties()]

ROOT = Path(__file__).resolve().parents[2]

HEAVY = ("hypothesis", "msgspec", "pysat", "pysmt", "rich", "z3", "xpgcheck.properties.catalogue", "xpgcheck.model")

SUBJECTS = """
import time



class All:
    '''Every feature, always: an AXp that is not minimal.'''

    name = "all"

    def axp(self, graph, instance):
        return frozenset(range(len(instance)))


class Nothing:
    name = "nothing"

    def axp(self, graph, instance):
        return ()


class AllListed:
    name = "all listed"

    def enumerate(self, graph, instance):
        yield "AXp", range(len(instance))


class Raises:
    name = "raises"

    def axp(self, graph, instance):
        raise RuntimeError("no idea")


class Hangs:
    name = "hangs"

    def axp(self, graph, instance):
        time.sleep(60)


class Text:
    name = "text"

    def axp(self, graph, instance):
        return "f0"


class Useless:
    name = "useless"


def broken():
    raise ValueError("no\\nfactory")
"""

MINIMAL = "an_axp_is_minimal"
SUFFICES = "an_axp_suffices"


@pytest.fixture(autouse=True)
def _hardly_shrunk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Spare the time of shrinking: other tests ask how small cases become."""
    monkeypatch.setattr(engine, "SHRINK_SECONDS", 0.0)


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A folder with subjects in ``subjects.py`` and a test file that checks the one whose class is in $JUDGED."""
    monkeypatch.delenv("XPGCHECK_PROFILE", raising=False)
    pytester.makepyfile(
        subjects=SUBJECTS,
        test_mine="import os\nimport subjects\n\n"
        "def test_mine(xpg_property):\n    xpg_property.check(getattr(subjects, os.environ['JUDGED'])())\n",
    )
    pytester.syspathinsert()
    return pytester


@pytest.fixture
def judged(project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Return a function that checks the class of that name on five cases, with more options of pytest's."""

    def run(name: str, *options: str) -> pytest.RunResult:
        monkeypatch.setenv("JUDGED", name)
        return project.runpytest_inprocess("--xpgcheck-examples=5", *options)

    return run


def conformance(project: pytest.Pytester, *options: str) -> pytest.RunResult:
    return project.runpytest_inprocess("--pyargs", "xpgcheck.properties.conformance", *options)


def report(result: pytest.RunResult) -> list[str]:
    """Return the lines between the heading of the one failure and the summary."""
    lines = result.outlines
    start = next(i for i, line in enumerate(lines) if re.match(r"_{3,} .* _{3,}$", line))
    end = next(i for i, line in enumerate(lines) if "short test summary" in line or re.match(r"=+ \d+ failed", line))
    return lines[start + 1 : end]


def names_no_line_of_ours(result: pytest.RunResult) -> bool:
    text = result.stdout.str() + result.stderr.str()
    return "Traceback" not in text and "INTERNALERROR" not in text and re.search(r"\w\.py:\d", text) is None


# What pytest loads


def test_the_entry_point_is_declared() -> None:
    # As pytest looks for it: entry_points() would stop at the first of several installations.
    found = {e.value for d in distributions() for e in d.entry_points if (e.group, e.name) == ("pytest11", "xpgcheck")}
    assert found == {"xpgcheck.properties.pytest_plugin"}


def test_a_run_without_properties_loads_nothing_heavy(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        "import sys\n\n"
        "def test_light():\n"
        "    assert 'xpgcheck.properties.pytest_plugin' in sys.modules\n"
        f"    assert [name for name in {HEAVY!r} if name in sys.modules] == []\n"
    )
    # Hypothesis has a plugin of its own.
    result = pytester.runpytest_subprocess("-p", "no:hypothesispytest", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=1)
    result.stdout.no_fnmatch_line("xpgcheck:*")


def test_importing_the_plugin_needs_pytest_and_nothing_else() -> None:
    program = (
        "import sys; sys.modules['hypothesis'] = None\n"
        "import xpgcheck.properties.pytest_plugin\n"
        f"print([name for name in {HEAVY!r} if sys.modules.get(name)])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=900, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(("test", "status"), [("def test_other(): pass", 0), ("def test_mine(xpg_property): pass", 4)])
def test_without_hypothesis_only_a_run_that_needs_it_is_refused(
    pytester: pytest.Pytester, test: str, status: int
) -> None:
    pytester.makeconftest("import sys; sys.modules['hypothesis'] = None")
    pytester.makepyfile(test)
    result = pytester.runpytest_subprocess("-p", "no:hypothesispytest")
    assert result.ret == status
    message = f"ERROR: xpgcheck: generated cases need Hypothesis, which is not installed; {install('properties')}"
    if status:
        result.stderr.fnmatch_lines([message])
    else:
        result.assert_outcomes(passed=1)


# Outcomes


def test_a_right_subject_passes(project: pytest.Pytester) -> None:
    result = conformance(project, "--xpgcheck-subject=ours", "--xpgcheck-examples=3")
    outcomes = result.parseoutcomes()
    assert result.ret == 0
    assert sum(outcomes.values()) == len(PROPERTIES)
    assert outcomes["passed"] > outcomes["skipped"]
    result.stdout.fnmatch_lines(["xpgcheck: profile dev, 3 examples a property, seed 0"])


def test_a_violation_is_reported_with_all_that_is_needed(judged: Run) -> None:
    result = judged("All", "-k", MINIMAL, "-rf")
    result.assert_outcomes(failed=1, deselected=len(PROPERTIES) - 1)
    lines = report(result)
    assert lines[0].startswith("redundant: AXp {")
    assert lines[1] == f"  {MINIMAL} [Eq. 1]: No feature of the one AXp can be left out of it."
    assert re.fullmatch(
        r"  subject 'all'; case \d, generated, seed 0, size 12, shrunk to \d non-terminals, \d features:", lines[2]
    )
    assert lines[3].startswith("    |--- ")
    assert re.fullmatch(r"    instance: f\d=.* \(class c\d\)", lines[-3])
    assert lines[-2] == "not kept; --xpgcheck-record keeps it"
    assert lines[-1] == (
        f"again: pytest 'test_mine.py::test_mine[{MINIMAL}]' "
        "--xpgcheck-profile=dev --xpgcheck-examples=5 --xpgcheck-seed=0 --xpgcheck-size=12"
    )
    assert names_no_line_of_ours(result)
    result.stdout.fnmatch_lines([f"FAILED test_mine.py::test_mine[[]{MINIMAL}[]] - Failed: redundant*"])


def test_the_printed_line_gives_the_same_report(project: pytest.Pytester, judged: Run) -> None:
    first = report(judged("Nothing", "-k", SUFFICES, "--xpgcheck-seed=7", "--xpgcheck-timeout=5"))
    assert first[0].startswith("insufficient: ")
    words = first[-1].removeprefix("again: pytest ").replace("'", "").split()
    assert "--xpgcheck-seed=7" in words
    assert "--xpgcheck-timeout=5" in words
    assert report(project.runpytest_inprocess(*words)) == first


def test_the_printed_line_of_the_conformance_suite_gives_the_same_report(project: pytest.Pytester) -> None:
    first = report(conformance(project, "--xpgcheck-subject=subjects:All", "-k", MINIMAL, "--xpgcheck-examples=5"))
    line = first[-1].removeprefix("again: pytest ").replace("'", "")
    assert line.startswith(f"--pyargs xpgcheck.properties.conformance::test_property[{MINIMAL}]")
    assert report(project.runpytest_inprocess(*line.split())) == first


def test_what_a_subject_cannot_do_is_skipped_with_the_reason(judged: Run) -> None:
    result = judged("Nothing", "-k", "sat_calls_are", "-rs")
    result.assert_outcomes(skipped=1, deselected=len(PROPERTIES) - 1)
    result.stdout.fnmatch_lines(["SKIPPED*'nothing' has no enumerate, sat_calls"])


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("Raises", "crash: axp raised RuntimeError: no idea"),
        ("Hangs", r"timeout: .*no answer after 0\.02 s"),
        ("Text", "malformed answer: not a set of feature indices: 'f0'"),
    ],
)
def test_a_subject_without_an_answer_fails_without_a_traceback_of_ours(judged: Run, name: str, first: str) -> None:
    result = judged(name, "-k", SUFFICES, "--xpgcheck-timeout=0.02" if name == "Hangs" else "--xpgcheck-timeout=10")
    result.assert_outcomes(failed=1, deselected=len(PROPERTIES) - 1)
    assert re.fullmatch(first, report(result)[0])
    assert names_no_line_of_ours(result)


def outcome(monkeypatch: pytest.MonkeyPatch, raised: Exception) -> None:
    """Let the oracles end every question in *raised*."""

    def ask(*_: object) -> bool:
        raise raised

    monkeypatch.setattr(Trial, "is_weak_axp", ask)


def test_what_the_oracles_leave_open_fails_as_inconclusive(judged: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome(monkeypatch, Inconclusive("my solver gave up"))
    result = judged("All", "-k", SUFFICES)
    result.assert_outcomes(failed=1, deselected=len(PROPERTIES) - 1)
    lines = report(result)
    assert lines[0] == "inconclusive: the oracles left 5 of 5 cases open, and none fails"
    assert lines[3] == "    my solver gave up"
    assert lines[-1].startswith("again: pytest ")


def test_a_property_that_says_nothing_of_any_case_does_not_pass(judged: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    outcome(monkeypatch, NotApplicable("not my kind of graph"))
    result = judged("All", "-k", SUFFICES, "-rs")
    result.assert_outcomes(skipped=1, deselected=len(PROPERTIES) - 1)
    result.stdout.fnmatch_lines(["SKIPPED*it says nothing of any of the 5 cases"])


@pytest.mark.parametrize(
    ("subject", "message"),
    [
        (
            "subjects.Useless()",
            "'useless' has none of the methods that properties judge; give it some of: predict, axp,",
        ),
        ("subjects.All", "All is a class, not a subject; call it: check(All())"),
    ],
)
def test_what_is_no_subject_fails(project: pytest.Pytester, subject: str, message: str) -> None:
    project.makepyfile(test_mine=f"import subjects\n\ndef test_mine(xpg_property): xpg_property.check({subject})\n")
    result = project.runpytest_inprocess("-k", SUFFICES)
    result.assert_outcomes(failed=1, deselected=len(PROPERTIES) - 1)
    (line,) = report(result)
    assert line.startswith(message)


# Selection


@pytest.mark.parametrize(
    "options",
    [["-k", "soundness"], ["--xpgcheck-property=soundness"], ["--xpgcheck-property", SUFFICES, "-m", "xpgcheck"]],
)
def test_properties_are_selected_by_name_group_and_mark(judged: Run, options: list[str]) -> None:
    result = judged("All", *options)
    assert result.parseoutcomes()["passed"] == 1
    assert "failed" not in result.parseoutcomes()


def test_smt_properties_are_left_to_other_profiles_unless_named(project: pytest.Pytester) -> None:
    options = ["--xpgcheck-subject=ours", "--xpgcheck-examples=2"]
    result = conformance(project, *options, "-k", "z3_accepts", "-rs")
    result.stdout.fnmatch_lines(["SKIPPED*profile dev leaves SMT properties out; --xpgcheck-profile=ci tries them"])
    for more in (["-k", "z3_accepts", "--xpgcheck-profile=ci"], ["--xpgcheck-property=z3_accepts_every_xp"]):
        assert conformance(project, *options, *more).parseoutcomes()["passed"] == 1


def test_the_printed_line_of_an_smt_property_names_it(project: pytest.Pytester, judged: Run) -> None:
    first = report(judged("AllListed", "--xpgcheck-property=z3_accepts_every_xp"))
    assert first[0].startswith("redundant: AXp {")
    assert (
        report(project.runpytest_inprocess(*first[-1].removeprefix("again: pytest ").replace("'", "").split())) == first
    )


# Settings


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--xpgcheck-profile=fast"], "no profile is called 'fast'; use one of dev, ci, nightly"),
        (["--xpgcheck-property=soundnes"], "no property is called 'soundnes'; did you mean 'soundness'[?]"),
        (["--xpgcheck-examples=-1"], "'-1' is not a value of --xpgcheck-examples; give it an integer from 0"),
        (["--xpgcheck-seed=x"], "'x' is not a value of --xpgcheck-seed; give it an integer from 0 to 4294967295"),
        (["--xpgcheck-size=0"], "'0' is not a value of --xpgcheck-size; give it an integer from 1 to 200"),
        (
            ["--xpgcheck-timeout=nan"],
            "'nan' is not a value of --xpgcheck-timeout; give it seconds, from 0.001 to 86400",
        ),
        (["--xpgcheck-corpus=nowhere"], "no folder is called '*nowhere'; name a folder of kept cases, or add *"),
        (["--xpgcheck-subject=nobody"], "no subject is called 'nobody'; *"),
        (["--xpgcheck-subject=nobody:Me"], "the subject 'nobody:Me' cannot be loaded: ModuleNotFoundError: *"),
        (
            ["--xpgcheck-subject=subjects:broken"],
            "the subject 'subjects:broken' cannot be loaded: ValueError: no*factory; *",
        ),
        (
            ["--xpgcheck-subject=subjects:Useless"],
            "'subjects:Useless' has none of the methods that properties judge; *",
        ),
        ([], "no subject is named; add --xpgcheck-subject package.module:factory"),
    ],
)
def test_errors_of_usage_are_one_line(project: pytest.Pytester, options: list[str], message: str) -> None:
    result = conformance(project, *options)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    (line,) = [line for line in result.errlines if line]
    result.stderr.fnmatch_lines([f"ERROR: xpgcheck: {message}"])
    assert "Error(" not in line


def test_a_wrong_subject_in_the_file_concerns_only_who_asks_for_it(project: pytest.Pytester, judged: Run) -> None:
    project.makeini("[pytest]\nxpgcheck_subject = nobody\n")
    assert judged("All", "-k", SUFFICES).ret == 0
    result = conformance(project)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: xpgcheck: no subject is called 'nobody'; *"])


def test_settings_come_from_options_then_the_environment_then_the_file(
    project: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.makeini(
        "[pytest]\nxpgcheck_subject = ours\nxpgcheck_profile = ci\nxpgcheck_examples = 4\nxpgcheck_seed = 3\n"
    )
    said = "xpgcheck: profile {}, 4 examples a property, seed {}"
    options = ["--collect-only", "-k", SUFFICES]
    conformance(project, *options).stdout.fnmatch_lines([said.format("ci", 3)])
    monkeypatch.setenv("XPGCHECK_PROFILE", "nightly")
    conformance(project, *options).stdout.fnmatch_lines([said.format("nightly", 3)])
    more = ["--xpgcheck-profile=dev", "--xpgcheck-seed=1"]
    conformance(project, *options, *more).stdout.fnmatch_lines([said.format("dev", 1)])


# Kept cases


def test_a_recorded_failure_is_tried_first(project: pytest.Pytester, judged: Run) -> None:
    first = report(judged("All", "-k", MINIMAL, "--xpgcheck-record"))
    (kept,) = (project.path / "tests" / "regressions").iterdir()
    assert first[-2] == f"kept: tests/regressions/{kept.name}"
    again = report(judged("All", "-k", MINIMAL, "--xpgcheck-record"))
    assert re.fullmatch(rf"  subject 'all'; kept in {kept.name}, \d non-terminals, \d features:", again[2])
    assert (again[0], again[3:-1]) == (first[0], first[3:-2])
    assert len(list(kept.parent.iterdir())) == 1
    # Not generated: no example is.
    assert report(judged("All", "-k", MINIMAL, "--xpgcheck-examples=0"))[:-1] == again[:-1]
    # A subject that is right on it goes on to generated cases.
    result = conformance(project, "--xpgcheck-subject=ours", "-k", MINIMAL, "--xpgcheck-examples=1")
    assert result.parseoutcomes()["passed"] == 1


@pytest.mark.parametrize("named", ["option", "file"])
def test_the_corpus_is_where_it_is_said_to_be(project: pytest.Pytester, judged: Run, named: str) -> None:
    options = ["--xpgcheck-corpus=my cases"]
    if named == "file":
        project.makeini("[pytest]\nxpgcheck_corpus = my cases\n")
        options = []
    lines = report(judged("All", "-k", MINIMAL, "--xpgcheck-record", *options))
    (kept,) = (project.path / "my cases").iterdir()
    assert lines[-2] == f"kept: my cases/{kept.name}"
    assert ("'--xpgcheck-corpus=my cases'" in lines[-1]) == (named == "option")
    assert "kept in" in report(judged("All", "-k", MINIMAL, "--xpgcheck-examples=0", *options))[2]


def test_a_case_that_cannot_be_kept_hides_no_failure(project: pytest.Pytester, judged: Run) -> None:
    (project.path / "tests").write_text("no folder", encoding="utf-8")
    lines = report(judged("All", "-k", MINIMAL, "--xpgcheck-record"))
    assert lines[0].startswith("redundant: ")
    assert re.match(r"not kept: .*tests.regressions: the folder cannot be made", lines[-2])


def test_a_bad_file_of_the_corpus_fails_on_its_own(project: pytest.Pytester, judged: Run) -> None:
    folder = project.path / "tests" / "regressions"
    judged("All", "-k", MINIMAL, "--xpgcheck-record")
    (folder / "broken.json").write_text("{", encoding="utf-8")
    result = judged("All", "-k", "axp_suffices or minimality", "-rf")
    assert result.ret == 1
    outcomes = result.parseoutcomes()
    assert (outcomes["passed"], outcomes["failed"]) == (1, 2)
    result.stdout.fnmatch_lines(
        [
            "*kept case broken.json*",
            f"{folder / 'broken.json'}: no case: *",
            f"FAILED test_mine.py::test_mine[[]{MINIMAL}[]] - *",
            "FAILED tests/regressions/broken.json::xpgcheck - *",
        ]
    )
    assert names_no_line_of_ours(result)


def test_the_corpus_is_not_looked_at_where_no_property_is_tried(project: pytest.Pytester) -> None:
    folder = project.mkdir("tests") / "regressions"
    folder.mkdir()
    (folder / "other.json").write_text("{", encoding="utf-8")
    project.makepyfile(test_mine="def test_other(): pass\n")
    project.runpytest_inprocess().assert_outcomes(passed=1)


# The document


def test_the_example_of_the_document_prints_what_is_shown(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Where these are set, pytest prints the summary in full.
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.delenv("BUILD_NUMBER", raising=False)
    text = (ROOT / "docs" / "how-to" / "pytest.md").read_text(encoding="utf-8")
    program = re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)[0]
    shown = re.findall(r"^```text\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)[0].splitlines()
    pytester.makepyfile(test_explainer=program)
    # In its order, whatever the tests around it are run in.
    result = pytester.runpytest_inprocess("-k", "soundness or minimality", "-rf", "-p", "no:randomly")

    def steady(lines: list[str]) -> list[str]:
        """Leave out what depends on the version of Hypothesis (which case is met) and on the clock."""
        start = next(i for i, line in enumerate(lines) if line.startswith("xpgcheck: "))
        kept = [line for line in lines[start:] if not line.startswith(("    ", "redundant: ")) and " in " not in line]
        return [re.sub(r"case \d+|\d non-terminals|\d features|[=_ ]{3,}| - .*", "…", line) for line in kept if line]

    assert steady(result.outlines) == steady(shown)


def test_the_document_names_every_option(pytester: pytest.Pytester) -> None:
    text = (ROOT / "docs" / "how-to" / "pytest.md").read_text(encoding="utf-8")
    offered = set(re.findall(r"--xpgcheck-\w+", pytester.runpytest_inprocess("--help").stdout.str()))
    assert offered == set(re.findall(r"--xpgcheck-\w+", text))
