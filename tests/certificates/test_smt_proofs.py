"""SMT-LIB queries with cvc5's proofs, for outside checkers."""

from __future__ import annotations

import importlib.util
import json
import re
from importlib import metadata
from pathlib import Path

import pytest

from xpgcheck import embedded
from xpgcheck.certificates import outside
from xpgcheck.certificates.issuing import certificate
from xpgcheck.certificates.outside import require_cvc5, smt_proof
from xpgcheck.cli.main import main
from xpgcheck.errors import MissingPackageError, UndecidedError
from xpgcheck.extras import install
from xpgcheck.oracles import pysmt_backend
from xpgcheck.xpg.explanation_graph import explanation_graph
from xpgcheck.xpg.find_one import find_axp

needs_alethe = pytest.mark.skipif(
    importlib.util.find_spec("cvc5") is None or int(metadata.version("cvc5").split(".")[1]) < 4,
    reason="there is no cvc5, or one before 1.4",
)

MODELS = ("hardware", "omdd", "corral", "monk1", "iris", "wine")


@pytest.mark.parametrize("name", MODELS)
@needs_alethe
def test_every_axp_gets_a_proof_without_holes(name: str) -> None:
    model = embedded.load(name)
    point = model.instances[0]
    axp = find_axp(explanation_graph(model.graph, point))
    proof = smt_proof(model.graph, point, axp)
    assert proof.holes == 0
    assert "(get-model)" not in proof.query
    assert proof.query.count("(check-sat)") == 1
    # Each assumption of the proof is an assertion of the query; the last step is the empty clause.
    assert proof.query.count("(assert ") == proof.alethe.count("(assume ")
    assert re.search(r"\(step t\d+ \(cl\) [^\n]*\)\n\)\n?$", proof.alethe)
    assert smt_proof(model.graph, point, axp) == proof


@needs_alethe
def test_the_query_is_unsatisfiable_for_z3_too() -> None:
    import z3

    model = embedded.load("iris")
    point = model.instances[60]
    solver = z3.Solver()
    solver.from_string(smt_proof(model.graph, point, find_axp(explanation_graph(model.graph, point))).query)
    assert solver.check() == z3.unsat


@needs_alethe
def test_there_is_no_proof_for_what_is_no_weak_axp() -> None:
    model = embedded.load("omdd")
    with pytest.raises(UndecidedError, match="cvc5 says sat of a query that was to be unsatisfiable"):
        smt_proof(model.graph, model.instances[0], [])


@needs_alethe
def test_an_error_of_cvc5_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(outside._OPTIONS, "no-such-option", "true")
    model = embedded.load("omdd")
    with pytest.raises(UndecidedError, match="cvc5 gives no proof") as caught:
        smt_proof(model.graph, model.instances[0], [0, 1, 2])
    assert "\n" not in str(caught.value)


def test_holes_are_counted_and_what_is_no_refutation_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [
        "(step t1 (cl a) :rule hole :args (trust))\n(step t2 (cl) :rule trust_x :premises (t1))\n)\n",
        "(assume a0 44)\n(assume a1 (cl))\n(step t0 (cl n0_0) :rule resolution)\n\n",
    ]
    monkeypatch.setattr(outside, "require_cvc5", lambda: None)
    monkeypatch.setattr(outside, "_ask", lambda *_: ("unsat", answers.pop(0)))
    model = embedded.load("omdd")
    assert smt_proof(model.graph, model.instances[0], [0, 1, 2]).holes == 2
    with pytest.raises(UndecidedError, match=r"does not end in the empty clause; run: pip install 'cvc5>=1\.4'"):
        smt_proof(model.graph, model.instances[0], [0, 1, 2])


def test_without_cvc5_there_is_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(pysmt_backend, "available_solvers", lambda: ("z3",))
    with pytest.raises(MissingPackageError):
        require_cvc5()
    assert main(["certify", "omdd", "--row", "1", "--smt-proofs", str(tmp_path / "p")]) == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", f"xpgcheck: the solver cvc5 is not installed; {install('cvc5')}\n")


@needs_alethe
def test_the_command_writes_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = embedded.load("hardware")
    out, folder = tmp_path / "c.jsonl", tmp_path / "new" / "proofs"
    table = tmp_path / "rows.csv"
    rows = [",".join(map(str, point)) for point in model.instances[:2]]
    table.write_text("\n".join([",".join(feature.name for feature in model.graph.features), *rows]) + "\n")
    arguments = ["certify", "hardware", "--instances", table, "--smt-proofs", folder, "--output", out]
    assert main([*map(str, arguments)]) == 0
    text = certificate(model.graph, model.instances[:2])
    assert out.read_text(encoding="utf-8") == text
    wanted, holes = {}, 0
    for number, line in enumerate(text.splitlines()[1:-1], 1):
        axps = [claim["features"] for claim in json.loads(line)["claims"] if claim["kind"] == "AXp"]
        for count, axp in enumerate(axps, 1):
            proof = smt_proof(model.graph, model.instances[number - 1], axp)
            holes += proof.holes
            wanted[f"instance{number}-axp{count}.smt2"] = proof.query
            wanted[f"instance{number}-axp{count}.alethe"] = proof.alethe
    assert {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()} == wanted
    said = capsys.readouterr().out
    assert said.endswith(f"; {len(wanted) // 2} proofs by cvc5, with {holes} hole{'' if holes == 1 else 's'}\n")


@needs_alethe
def test_a_folder_that_cannot_be_made_is_refused(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("")
    assert main(["certify", "omdd", "--row", "1", "--smt-proofs", str(tmp_path / "file" / "p")]) == 2
    assert "the folder cannot be made" in capsys.readouterr().err
