"""Which methods of a subject are judged: those that fit the call, or are listed; helpers are passed over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import judged_methods
import pytest
from judged_methods import RIGHT, FewParameters, Listed, ManyParameters, NamedParameters, OnlyHelpers

from xpgcheck.cli.main import main
from xpgcheck.errors import InputError
from xpgcheck.gate.plan import Cases, GatePlan, InProcess
from xpgcheck.gate.reports.console import print_report
from xpgcheck.gate.reports.html import html_report
from xpgcheck.gate.reports.json_report import json_report
from xpgcheck.gate.reports.junit import junit_report
from xpgcheck.gate.reports.markdown import markdown_report
from xpgcheck.gate.results import Report
from xpgcheck.gate.run import gate
from xpgcheck.properties.seeded.honest import HonestOracle
from xpgcheck.properties.seeded.textbook import Textbook
from xpgcheck.properties.subjects import ARGUMENTS, abilities, methods_of
from xpgcheck.subjects.abilities import ABILITIES
from xpgcheck.subjects.remote import RemoteSubject

HELPERS = set(ARGUMENTS) - set(RIGHT)


@pytest.fixture(autouse=True)
def importable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(Path(__file__).parent))


@pytest.mark.parametrize("make", [FewParameters, ManyParameters, NamedParameters])
def test_a_helper_with_other_parameters_is_passed_over_whatever_its_name(make: Any) -> None:
    found = methods_of(make())
    assert found.judged == set(RIGHT)
    assert found.passed_over.keys() == HELPERS
    for name, reason in found.passed_over.items():
        assert reason.endswith(f"do not fit the call {name}({', '.join(ARGUMENTS[name])})")


@pytest.mark.parametrize("name", ARGUMENTS)
def test_a_method_counts_that_takes_the_arguments_of_the_call(name: str) -> None:
    given = ", ".join(ARGUMENTS[name])
    for parameters in (given, f"{given}, more=None", f"{given}, *, quick=True", "*arguments", f"{given}, /"):
        subject = type("Subject", (), {name: eval(f"lambda self, {parameters}: None")})()
        assert abilities(subject) == {name}, parameters


def test_the_arguments_are_those_of_the_line_protocol() -> None:
    for name, ability in ABILITIES.items():
        asked_about = ("graph", "instance") if ability.on_model else ()
        assert ARGUMENTS[name] == (*asked_about, *ability.arguments)


def test_all_of_a_whole_explainer_and_of_a_whole_oracle_count() -> None:
    assert not methods_of(Textbook()).passed_over
    assert not methods_of(HonestOracle()).passed_over


def test_a_list_says_which_methods_count() -> None:
    found = methods_of(Listed())
    assert found.judged == {"axp"}
    assert found.passed_over == {"terminals": "it is not listed in 'can'"}


def test_a_method_called_can_is_not_a_list() -> None:
    class Asks:
        def can(self, what: str) -> bool:
            return False

        def axp(self, graph: Any, instance: Any) -> Any:
            return ()

    assert abilities(Asks()) == {"axp"}


def test_a_method_whose_parameters_cannot_be_read_counts_only_where_it_is_listed() -> None:
    class Opaque:
        @property
        def __signature__(self) -> Any:
            raise ValueError("no signature")

        def __call__(self, *_: Any) -> Any:
            return ()

    plain = type("Plain", (), {"axp": Opaque()})()
    assert "list it in 'can'" in methods_of(plain).passed_over["axp"]
    assert abilities(type("Lists", (), {"axp": Opaque(), "can": ["axp"]})()) == {"axp"}


@pytest.mark.parametrize(
    ("name", "problem", "mend"),
    [
        ("ListedWithoutMethod", "lists 'cxp' in 'can' and has no such method", "write the method"),
        ("ListedWrongly", "lists 'axps' in 'can', which is not an ability", "did you mean 'axp'?"),
        (
            "ListedThatDoesNotFit",
            "lists 'dual' in 'can', and its parameters (sets) do not fit",
            "give the method these",
        ),
        ("ListedAsText", "is not a list of names: 'str'", "can = ['axp', 'cxp']"),
        ("OnlyHelpers", "(dual: its parameters (sets) do not fit the call dual(axps", "the parameters of the call"),
    ],
)
def test_what_is_wrong_with_a_list_or_with_all_methods_is_said(
    name: str, problem: str, mend: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["properties", "run", "--subject", f"judged_methods:{name}", "--examples", "1"]) == 2
    said = capsys.readouterr().err
    assert problem in said
    assert mend in said
    with pytest.raises(InputError) as raised:
        gate(GatePlan(InProcess(getattr(judged_methods, name)()), Cases(1, 0, 4)))
    assert problem in str(raised.value)


def _gated(subject: Any) -> Report:
    return gate(
        GatePlan(
            InProcess(subject), Cases(15, 0, 6), properties=("duality_is_what_the_definition_says", "an_axp_suffices")
        )
    )


@pytest.mark.parametrize("make", [FewParameters, ManyParameters, NamedParameters, Listed])
def test_a_right_explainer_with_helpers_holds_at_the_gate(make: Any) -> None:
    report = _gated(make())
    assert report.exit_status() == 0
    assert set(report.abilities) == abilities(make())
    assert report.passed_over.keys() == methods_of(make()).passed_over.keys()


def test_every_report_says_which_methods_were_passed_over_and_why() -> None:
    import io

    from rich.console import Console

    report = _gated(FewParameters())
    written = io.StringIO()
    print_report(report, Console(file=written, width=100))
    # Quotes and parentheses may be escaped, so the words of the reason and not the whole of it.
    for text in (written.getvalue(), html_report(report), junit_report(report).decode(), markdown_report(report)):
        assert "passed over" in text
        assert "do not fit the call" in text
    document = json.loads(json_report(report))
    assert document["abilities"] == sorted(RIGHT)
    assert document["passed_over"] == report.passed_over


def test_a_right_explainer_with_helpers_holds_in_a_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    run = [
        "properties",
        "run",
        "--subject",
        "judged_methods:FewParameters",
        "--examples",
        "10",
        "--jobs",
        "1",
        "--no-smt",
    ]
    assert main([*run, "--json", str(report)]) == 0
    said = capsys.readouterr().out
    assert "judged: axp, cxp\n" in said
    assert "passed over: dual: its parameters (sets) do not fit the call dual(axps, cxps, universe)\n" in said
    document = json.loads(report.read_text())
    assert document["abilities"] == sorted(RIGHT)
    assert document["passed_over"].keys() == HELPERS


def test_a_served_explainer_says_what_it_passes_over() -> None:
    with RemoteSubject.of_python("judged_methods:FewParameters") as subject:
        assert abilities(subject) == set(RIGHT)
        assert subject.passed_over == methods_of(FewParameters()).passed_over


def test_the_fixture_says_why_a_method_does_not_count(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_helpers="""
        from judged_methods import FewParameters

        def test_subject(xpg_property):
            xpg_property.check(FewParameters())

        def test_gate(xpg_gate):
            assert xpg_gate.check(FewParameters()).passed_over
        """
    )
    result = pytester.runpytest_inprocess("--xpgcheck-examples=5", "-rs", "-p", "no:cacheprovider")
    result.assert_outcomes(passed=result.parseoutcomes()["passed"], skipped=result.parseoutcomes()["skipped"])
    result.stdout.fnmatch_lines(
        ["*has no terminals (its parameters (sets) do not fit the call terminals(graph, instance*"]
    )


def test_an_explainer_of_helpers_alone_is_refused() -> None:
    assert not abilities(OnlyHelpers())
