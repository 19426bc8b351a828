"""The gate asks explainers about ensembles that take them, and no others; a wrong answer comes with its ensemble."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import ensemble_subjects
import pytest
from published_schemas import fits_schema
from small_forests import document, majority_of_three, stump

from xpgcheck import embedded
from xpgcheck.cli.main import main
from xpgcheck.errors import InputError, NothingCheckedError
from xpgcheck.gate.check import cross_check
from xpgcheck.gate.inputs import Job
from xpgcheck.gate.plan import Cases, GatePlan, InProcess, opener
from xpgcheck.gate.results import Report
from xpgcheck.gate.run import gate
from xpgcheck.judging.verdicts import Outcome
from xpgcheck.model.values import Point
from xpgcheck.properties.running.loading import load_subject
from xpgcheck.properties.seeded.ensemble_textbook import EnsembleTextbook
from xpgcheck.properties.subjects import models_of
from xpgcheck.properties.verdicts import NotApplicable
from xpgcheck.readers.json_ensemble import parse_classifier
from xpgcheck.subjects.limits import Limits
from xpgcheck.subjects.remote import RemoteSubject
from xpgcheck.xpg.ensembles import places
from xpgcheck.xpg.xps import XP, Kind

FOREST = majority_of_three()
HARDWARE = embedded.load("hardware")
POINT: Point = (Fraction(1), Fraction(1), Fraction(1))
JOBS = (Job(FOREST, (POINT,), "one"), Job(HARDWARE.graph, HARDWARE.instances[:3], "some"))


def asked(subject: Any, examples: int = 0, models: tuple[str, ...] = (), **more: Any) -> Report:
    return gate(GatePlan(InProcess(subject), Cases(examples, 0, 12, models=models), **more))


class TestWhoTakesWhat:
    def test_by_default_decision_graphs_alone(self) -> None:
        assert models_of(ensemble_subjects.OfGraphs()) == ("decision-graph",)

    def test_in_one_order_whatever_the_list(self) -> None:
        assert models_of(ensemble_subjects.Both()) == ("decision-graph", "majority")

    @pytest.mark.parametrize(
        ("subject", "problem"),
        [
            (
                ensemble_subjects.Misspelt(),
                "lists 'majorities' in 'models', which is not a kind of model; did you mean",
            ),
            (ensemble_subjects.OfNone(), "takes no models: its 'models' is empty"),
            (ensemble_subjects.OneWord(), "the 'models' of all of them is not a list of names: 'str'"),
        ],
    )
    def test_a_list_of_something_else_is_refused(self, subject: object, problem: str) -> None:
        with pytest.raises(InputError, match=problem):
            asked(subject, 10)

    def test_of_who_takes_both_half_of_the_cases_are_ensembles(self) -> None:
        report = asked(ensemble_subjects.Both(), 41)
        assert report.outcome() is Outcome.HOLDS
        assert report.cases["generated"] == 41
        assert report.claims == 82
        assert not report.unsupported

    @pytest.mark.parametrize(
        ("subject", "kind", "left_out"),
        [(EnsembleTextbook(), "decision-graph", 3), (ensemble_subjects.OfGraphs(), "majority", 1)],
    )
    def test_models_of_another_kind_are_passed_over_and_counted(self, subject: Any, kind: str, left_out: int) -> None:
        report = gate(GatePlan(InProcess(subject), Cases(0, 0, 12, models=()), models=JOBS))
        assert report.not_asked == {kind: left_out}
        assert report.claims
        assert report.outcome() is not Outcome.VIOLATED

    def test_a_model_that_was_named_has_to_be_taken(self) -> None:
        with pytest.raises(
            InputError, match="of graphs takes no ensembles that vote, and 'small' is one; leave that --model"
        ):
            gate(GatePlan(InProcess(ensemble_subjects.OfGraphs()), Cases(0, 0, 12), models=JOBS[:1], named=True))

    def test_who_is_left_with_nothing_is_told_why(self) -> None:
        with pytest.raises(NothingCheckedError, match="asked nothing: it takes no ensembles that vote"):
            gate(GatePlan(InProcess(ensemble_subjects.OfGraphs()), Cases(0, 0, 12), models=JOBS[:1]))

    def test_what_cannot_be_generated_is_said(self) -> None:
        with pytest.raises(InputError, match="takes no ensembles that vote or ensembles whose trees are summed"):
            asked(ensemble_subjects.OfGraphs(), 5, ("majority", "sum"))


class TestOverTheProtocol:
    @pytest.fixture
    def remote(self, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], RemoteSubject]:
        monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
        return lambda name: RemoteSubject.of_python(f"ensemble_subjects:{name}", limits=Limits(start_seconds=300.0))

    def test_hello_says_which_models_a_subject_takes(self, remote: Callable[[str], RemoteSubject]) -> None:
        with remote("Both") as both, remote("OfGraphs") as old:
            assert both.models == ("decision-graph", "majority")
            assert old.models == ("decision-graph",)

    def test_answers_are_those_of_the_subject(self, remote: Callable[[str], RemoteSubject]) -> None:
        with remote("Both") as subject:
            assert subject.axp(FOREST, POINT) == sorted(ensemble_subjects.Both().axp(FOREST, POINT))  # type: ignore[attr-defined]
            assert subject.axp(HARDWARE.graph, HARDWARE.instances[0])  # type: ignore[attr-defined]

    def test_an_old_subject_is_never_asked(self, remote: Callable[[str], RemoteSubject]) -> None:
        with remote("OfGraphs") as subject:
            with pytest.raises(NotApplicable, match="it takes no ensembles that vote"):
                subject.axp(FOREST, POINT)  # type: ignore[attr-defined]
            assert subject.counters.questions == 0

    def test_a_program_reads_the_ensemble(self, tmp_path: Path) -> None:
        program = tmp_path / "subject.py"
        log = tmp_path / "log.jsonl"
        program.write_text(
            "import json, sys\n"
            "for line in sys.stdin:\n"
            f"    open({str(log)!r}, 'a').write(line)\n"
            "    q = json.loads(line)\n"
            "    hello = {'protocol': 1, 'name': 'p', 'can': ['axp'], 'models': ['majority', 'of the future']}\n"
            "    print(json.dumps({'id': q['id'], **(hello if q['ask'] == 'hello' else {'answer': [0, 1]})}), flush=True)\n"
        )
        with RemoteSubject([sys.executable, str(program)], limits=Limits(start_seconds=300.0)) as subject:
            assert subject.models == ("majority",)
            assert subject.axp(FOREST, POINT) == [0, 1]  # type: ignore[attr-defined]
        question = json.loads(log.read_text().splitlines()[1])
        fits_schema(question, "line-protocol")
        fits_schema(question["graph"], "ensemble")
        assert parse_classifier(json.dumps(question["graph"]).encode()) == FOREST

    def test_a_subject_of_models_that_are_unknown_is_refused(self, tmp_path: Path) -> None:
        program = tmp_path / "subject.py"
        program.write_text(
            'print(\'{"id":1,"protocol":1,"name":"p","can":["axp"],"models":["tea leaves"]}\', flush=True)\n'
        )
        with pytest.raises(
            InputError, match="it takes none of the kinds of models that are known: 'tea leaves'; declare"
        ):
            RemoteSubject([sys.executable, str(program)], limits=Limits(start_seconds=300.0))


class TestVerdicts:
    def test_a_right_explainer_is_called_right(self) -> None:
        report = asked(EnsembleTextbook(), 150)
        assert report.number(Outcome.VIOLATED) == 0
        assert {about for about, _ in report.counts} == {
            "predict",
            "axp",
            "cxp",
            "axp_inside",
            "cxp_inside",
            "enumerate",
            "member",
        }
        assert report.counts["cxp", "complete"] > 0

    def test_a_wrong_one_is_found_out_by_a_small_case(self) -> None:
        report = asked(ensemble_subjects.AllOfThem(), 60)
        (finding,) = report.findings
        assert (finding.about, finding.verdict) == ("axp", "redundant")
        assert finding.size[:2] <= (1, 1)
        assert len(finding.case.graph.trees) == 1
        assert finding.times == report.counts["axp", "redundant"]

    def test_in_a_process_of_its_own_the_same(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
        limits = Limits(start_seconds=300.0)
        remote = gate(GatePlan(opener("ensemble_subjects:AllOfThem", None, limits), Cases(40, 0, 12, models=())))
        own = asked(ensemble_subjects.AllOfThem(), 40)
        assert remote.counts == own.counts
        assert [found.case for found in remote.findings] == [found.case for found in own.findings]

    @pytest.mark.parametrize("name", ["OverConditions", "WithTheory"])
    def test_conditions_are_judged_by_their_own_notion(self, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
        limits = Limits(start_seconds=300.0)
        cases = Cases(25, 0, 12, models=())
        remote = gate(GatePlan(opener(f"ensemble_subjects:{name}", None, limits), cases, models=JOBS[:1], named=True))
        assert remote.counts["axp", "redundant"]
        assert remote.counts == asked(getattr(ensemble_subjects, name)(), 25, models=()).counts + Counter(
            {("axp", "redundant"): 1}
        )
        assert remote.projected
        assert remote.notion.startswith("conditions")

    def test_a_subject_that_spoils_an_ensemble_is_found_out(self) -> None:
        class Spoils:
            name = "spoils"
            models = ("majority",)

            def axp(self, forest: Any, instance: Point) -> list[int]:
                object.__setattr__(forest, "trees", forest.trees[:0])
                return []

        report = asked(Spoils(), 20)
        assert {verdict for _, verdict in report.counts} == {"malformed answer"}


class TestCommand:
    @pytest.fixture
    def here(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        (tmp_path / "forest.json").write_text(json.dumps(document(stump(0), stump(1), stump(2))))
        (tmp_path / "my_subjects.py").write_text(Path(ensemble_subjects.__file__).read_text())
        monkeypatch.chdir(tmp_path)
        return tmp_path

    def test_reports_cases_and_replay(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        words = [
            "gate",
            "my_subjects:AllOfThem",
            "--model",
            "forest.json",
            "--examples",
            "10",
            "--no-deck",
            "--jobs",
            "1",
        ]
        outputs = ["--cases", "cases", "--json", "r.json", "--html", "r.html", "--junit", "r.xml", "--markdown", "r.md"]
        assert main([*words, *outputs]) == 1
        out = capsys.readouterr().out
        assert "takes:     ensembles that vote" in out
        assert "cases:     5 of model small, 10 generated" in out
        assert "1 tree, majority, ties to the lowest class" in out
        report = json.loads(Path("r.json").read_text())
        fits_schema(report, "gate-report")
        assert report["models"] == ["majority"]
        assert report["findings"][0]["graph"]["format"] == "ensemble"
        (saved,) = Path("cases").glob("*.json")
        fits_schema(json.loads(saved.read_text()), "judged-case")
        assert main(["replay", str(saved)]) == 1
        assert main(["replay", str(saved), "--subject", "my_subjects:AllOfThem"]) == 1
        assert main(["replay", str(saved), "--subject", "my_subjects:Both"]) == 0
        capsys.readouterr()
        assert main(["replay", str(saved), "--subject", "my_subjects:OfGraphs"]) == 2
        err = capsys.readouterr().err
        assert err.count("\n") == 1
        assert "it takes no ensembles that vote" in err
        # The saved case is a kept one, and so is another that the subject does not take.
        assert (
            main(
                [
                    "gate",
                    "my_subjects:OfGraphs",
                    "--no-models",
                    "--examples",
                    "5",
                    "--no-deck",
                    "--corpus",
                    "cases",
                    "--quiet",
                ]
            )
            == 0
        )

    @pytest.mark.parametrize(
        ("words", "problem"),
        [
            (
                ["my_subjects:OfGraphs", "--model", "forest.json"],
                "of graphs takes no ensembles that vote, and 'small' is one",
            ),
            (
                ["my_subjects:OfGraphs", "--ensembles"],
                "of graphs takes no ensembles that vote or ensembles whose trees",
            ),
            (["my_subjects:AllOfThem", "--graph-kind", "tree"], "all of them takes no decision graphs"),
            (["my_subjects:Both", "--graph-kind", "tree", "--ensembles"], "--graph-kind and --ensembles"),
            (["my_subjects:Misspelt", "--no-models"], "'majorities' in 'models', which is not a kind of model"),
            (["my_subjects:OfNone", "--no-models"], "its 'models' is empty"),
        ],
    )
    def test_bad_input_ends_in_one_line(
        self, here: Path, words: list[str], problem: str, capsys: pytest.CaptureFixture[str]
    ) -> None:
        assert main(["gate", *words, "--jobs", "1", "--examples", "4"]) == 2
        err = capsys.readouterr().err
        assert err.count("\n") == 1
        assert problem in err

    def test_our_own_explainer_is_checked(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["check", "forest.json", "--json", "r.json", "--junit", "r.xml"]) == 0
        assert "HOLDS: 1 model, 8 instances" in capsys.readouterr().out
        report = json.loads(Path("r.json").read_text())
        fits_schema(report, "check-report")
        assert report["models"][0]["nodes"] == 9

    def test_a_limit_leaves_open_what_is_beyond(self, here: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["check", "forest.json", "--limit", "1", "--quiet"]) == 3
        assert "8 inconclusive" in capsys.readouterr().out


def test_the_textbook_of_ensembles_is_had_by_name() -> None:
    assert isinstance(load_subject("textbook-ensembles"), EnsembleTextbook)


class TestOurOwn:
    @pytest.mark.parametrize(
        ("spoilt", "checks"),
        [
            (lambda xps: [XP(Kind.AXP, frozenset(range(3)))], {"every feature of an AXp is needed"}),
            (lambda xps: xps[:-1], {"the families are complete (hitting-set duality)"}),
            (lambda xps: [*xps, XP(Kind.CXP, frozenset())], {"every CXp can change the class (Eq. 2)"}),
        ],
    )
    def test_a_wrong_explainer_is_found_out(
        self, spoilt: Callable[[list[XP]], list[XP]], checks: set[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        real = cross_check.OurExplainer._of_ensemble
        monkeypatch.setattr(cross_check.OurExplainer, "_of_ensemble", lambda *args: spoilt(real(*args)))
        (result,) = cross_check.cross_check(JOBS[0], range(1), cross_check.CheckSettings())
        assert {finding.about for finding in result.findings if finding.outcome is Outcome.VIOLATED} >= checks

    def test_what_the_explainer_cannot_take_stays_open(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(places, "MAX_PATHS", 2)
        other = majority_of_three()
        (result,) = cross_check.cross_check(Job(other, (POINT,), "one"), range(1), cross_check.CheckSettings())
        assert [finding.outcome for finding in result.findings] == [Outcome.INCONCLUSIVE]
        assert "paths" in result.findings[0].text

    def test_as_a_subject_it_holds(self) -> None:
        report = asked(load_subject("ours"), 60, ("majority",))
        assert report.outcome() is Outcome.HOLDS
        assert {about for about, _ in report.counts} >= {
            "axp",
            "cxp",
            "enumerate",
            "member",
            "axp_inside",
            "cxp_inside",
            "inflate",
            "inflate_cxp",
        }
