"""``xpgcheck paper bounded``, ``symbolic`` and ``reduction``."""

import json

import pytest

from xpgcheck.cli.main import main
from xpgcheck.cli.paper_source_commands import KINDS, THEOREMS
from xpgcheck.paper.bounded import seeded as bounded_bugs
from xpgcheck.paper.reduction import counterexamples
from xpgcheck.paper.symbolic.graphs import GraphKind
from xpgcheck.paper.symbolic.theorems import THEOREMS as ALL
from xpgcheck.properties.reduction import exploring, formula_bugs
from xpgcheck.properties.seeded import seeded_bug


@pytest.fixture
def run(capfd):
    def run_(*arguments):
        status = main(["paper", *map(str, arguments)])
        out, err = capfd.readouterr()
        return status, out, err

    return run_


def test_the_options_name_every_theorem_and_kind():
    assert set(THEOREMS) == {theorem.key for theorem in ALL}
    assert set(KINDS) == {kind.value for kind in GraphKind}


def test_every_graph_of_a_size(run, tmp_path):
    status, out, err = run("bounded", "--bound", "2,2,2,2", "-j", 1, "--json", tmp_path / "b.json")
    assert (status, err) == (0, "")
    assert "| 2,2,2,2 | 0 | both | 2 | 20 | 80 | 80 |" in out
    assert out.splitlines()[-1].startswith("HOLDS: Every decision graph up to 2 non-terminals")
    assert json.loads((tmp_path / "b.json").read_text())["holds"] is True


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (("bounded", "--bound", "2,2"), "'2,2' is no bound"),
        (("symbolic", "--shape", "6,4"), "6,4"),
        (("symbolic", "--shape", "a,b,c"), "a,b,c"),
        (("symbolic", "--shape", "0,1,2"), "0,1,2"),
        (("symbolic", "--shape", "1,1,1"), "1,1,1"),
        (("symbolic", "--shape", "65,2,2"), "65,2,2"),
        (("symbolic", "--shape", "5,12,2"), "5,12,2"),
        (("symbolic", "--shape", "2,2,7"), "2,2,7"),
        (("symbolic", "--theorem", "Prop. 4"), "--theorem"),
        (("symbolic", "--theorem", "monotone", "--shape", "2,1,2", "--smtlib", "no/such/m.smt2"), "m.smt2"),
        (("reduction", "--readings", "--seeded"), "--readings and --seeded are asked at once"),
        (("reduction", "--markdown", "x.md"), "add --seeded"),
        (("bounded", "--markdown", "x.md"), "add --seeded"),
        (("bounded", "--seeded", "--quick"), "leave --bound and --quick out"),
        (("reduction", "--property", "nothing"), "no property of the reduction is called 'nothing'"),
        (("--quick", "bounded"), "put options behind it"),
        (("nothing",), "nothing"),
    ],
)
def test_wrong_options_get_one_line(run, arguments, problem):
    status, out, err = run(*arguments)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert problem in err


def test_one_theorem(run, tmp_path):
    status, out, _ = run(
        "symbolic", "--theorem", "necessary", "--shape", "3,2,2", "-j", 1, "--json", tmp_path / "s.json"
    )
    assert status == 0
    assert "| necessary | read-once | 3, 2, 2 |" in out
    assert "proof checked" in out
    assert json.loads((tmp_path / "s.json").read_text())["holds"] is True


def test_a_theorem_that_fails(run):
    asked = ("--theorem", "necessary", "--graphs", "inconsistent", "--shape", "2,1,2", "--two-solvers", "-j", 1)
    status, out, _ = run("symbolic", *asked)
    assert status == 1
    assert '"decision-graph"' in out
    assert out.splitlines()[-1].startswith("VIOLATED: ")


def test_what_is_proved_is_written(run, tmp_path):
    assert run("symbolic", "--theorem", "monotone", "--shape", "2,1,2", "--smtlib", tmp_path / "m.smt2")[0] == 0
    assert (tmp_path / "m.smt2").read_text(encoding="utf-8").startswith("; Prop. 4")
    assert run("symbolic", "--theorem", "Algorithm 2", "--shape", "2,2,2", "--smtlib", tmp_path / "a.smt2")[0] == 0
    assert sorted(p.name for p in tmp_path.glob("a-*")) == ["a-minimal-0.smt2", "a-minimal-1.smt2", "a-weak.smt2"]


@pytest.mark.slow
def test_the_quick_symbolic_evidence_holds(run):
    status, out, _ = run("symbolic", "--quick", "-q", "-j", 1)
    assert (status, out.split(":")[0]) == (0, "HOLDS")


def test_formulas(run):
    status, out, err = run("reduction", "--examples", 5, "-j", 1)
    assert (status, err) == (0, "")
    assert "marco_lists_the_muses" in out
    assert out.splitlines()[-1].startswith("HOLDS: ")
    assert ", 5 cases, 0 violated, 0 inconclusive" in out


def test_a_property_that_fails_is_shown_with_its_formula(run, monkeypatch):
    wrong = seeded_bug("tautology-dropped").make()
    monkeypatch.setattr(exploring.HonestRoutes, "selector_dnf", lambda routes, formula: wrong.selector_dnf(formula))
    status, out, _ = run("reduction", "--examples", 80, "--property", "the_reduction_is_linear", "-j", 1)
    assert status == 1
    assert "1 clause, 2 literals:\n    (1 -1) over 1 variable" in out


def test_readings(run, monkeypatch):
    monkeypatch.setattr(counterexamples, "CLAIMS", {name: counterexamples.CLAIMS[name] for name in ("B", "C-some")})
    status, out, _ = run("reduction", "--readings")
    assert status == 0
    assert "| ()(1) over 1 variable | 2 |" in out


def test_seeded_bugs(run, monkeypatch, tmp_path):
    from xpgcheck.properties import seeded

    chosen = [bug for bug in seeded.reduction_bugs() if bug.name == "tautology-dropped"]
    monkeypatch.setattr(seeded, "reduction_bugs", lambda: tuple(chosen))
    monkeypatch.setattr(formula_bugs, "LOOKED_AT", 3)
    status, out, _ = run(
        "reduction", "--seeded", "--seeds", 1, "--examples", 60, "--markdown", tmp_path / "m.md", "-j", 1
    )
    assert status == 1
    assert out.splitlines()[-1].startswith("MISSED: 1 of 1 seeded bugs")
    assert "no seeded bug makes this property fail: marco_lists_the_muses" in out
    assert "| tautology-dropped |" in (tmp_path / "m.md").read_text(encoding="utf-8")


def test_seeded_bugs_of_the_code_under_test(run, monkeypatch, tmp_path):
    monkeypatch.setattr(bounded_bugs, "BUGS", bounded_bugs.BUGS[:2])
    status, out, _ = run("bounded", "--seeded", "--markdown", tmp_path / "m.md", "--json", tmp_path / "b.json", "-j", 1)
    assert status == 1
    assert "wrong function" in out
    assert "no seeded bug makes this property fail: σ is Eq. 1" in out
    assert out.splitlines()[-1].startswith("MISSED: 2 of 2 seeded bugs")
    assert "| first edge taken | A point takes the first edge" in (tmp_path / "m.md").read_text(encoding="utf-8")
    assert json.loads((tmp_path / "b.json").read_text())["bugs"][0]["runs"][0]["non_terminals"] == 2
