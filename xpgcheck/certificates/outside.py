"""SMT-LIB queries and cvc5's proofs of them, for checkers that are not of this project.

The query asks for a point that agrees with the instance on some features and has another class
(:func:`xpgcheck.oracles.smtlib.smtlib_query`); of a weak AXp it is unsatisfiable, and cvc5 can say why, in the format
Alethe.  `Carcara <https://github.com/ufmg-smite/carcara>`_ checks that proof against the query:
``carcara check --expand-let-bindings --allow-int-real-subtyping NAME.alethe NAME.smt2``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from xpgcheck.errors import UndecidedError
from xpgcheck.model.decision_graph import DecisionGraph
from xpgcheck.model.values import Point
from xpgcheck.oracles.pysmt_backend import require_solvers
from xpgcheck.oracles.smtlib import smtlib_query

_OPTIONS = {
    "produce-proofs": "true",
    # Every step by a rule of its own; with less, rewriting leaves holes.
    "proof-granularity": "dsl-rewrite",
    # Both are off by default; pySMT switches them on, and then cvc5 answers wrongly.
    "ite-simp": "false",
    "simp-ite-compress": "false",
}

_ONLY_FOR_MODELS = re.compile(r"^(; a witness; .*|\(get-model\)|\(set-option :produce-models true\))\n", re.MULTILINE)

_END = re.compile(r"\(step \S+ \(cl\) [^\n]*\)\s*\)?\s*\Z")
"""The last step of a refutation in Alethe: the empty clause."""

_HOLE = re.compile(r":rule (hole|trust\w*)\b")


class SmtProof(NamedTuple):
    """A query as SMT-LIB 2, cvc5's proof in Alethe that it is unsatisfiable, and how many steps it leaves open."""

    query: str
    alethe: str
    holes: int


def require_cvc5() -> None:
    """Raise ``MissingPackageError`` where cvc5 is not installed."""
    require_solvers(["cvc5"])


def smt_proof(graph: DecisionGraph, point: Point, fixed: Iterable[int], *, timeout: float = 60) -> SmtProof:
    """Return the query whether fixing *fixed* leaves another class, with cvc5's proof that it does not.

    The same question always gives the same query; the proof is the same with the same cvc5.  Raises ``MissingPackageError``
    without cvc5, ``UndecidedError`` where it finds no proof within *timeout* seconds (of a set that is no weak AXp there is
    none), and what :func:`xpgcheck.oracles.smtlib.smtlib_query` raises.
    """
    require_cvc5()
    query = _ONLY_FOR_MODELS.sub("", smtlib_query(graph, point, fixed))
    try:
        answer, alethe = _ask(query, timeout)
    except RuntimeError as error:
        # cvc5's own errors, of options that an older one lacks and of proofs that Alethe cannot write.
        problem = f"cvc5 gives no proof ({' '.join(str(error).split())[:200]})"
        raise UndecidedError(problem, mend="install a newer cvc5, or leave the proofs out") from None
    if answer != "unsat":
        raise UndecidedError(
            f"cvc5 says {answer} of a query that was to be unsatisfiable", mend="give it more time, or report it"
        )
    if not _END.search(alethe):
        # cvc5 1.2 writes something else under this name.
        problem = "what cvc5 writes as its proof does not end in the empty clause"
        raise UndecidedError(problem, mend="run: pip install 'cvc5>=1.4'")
    return SmtProof(query, alethe, len(_HOLE.findall(alethe)))


def _ask(query: str, timeout: float) -> tuple[str, str]:
    """Return cvc5's answer to *query*, and its proof where it says unsat."""
    import cvc5

    manager = cvc5.TermManager()
    solver = cvc5.Solver(manager)
    for name, value in {**_OPTIONS, "tlimit-per": str(max(1, int(timeout * 1000)))}.items():
        solver.setOption(name, value)
    symbols = cvc5.SymbolManager(manager)
    parser = cvc5.InputParser(solver, symbols)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, query, "query")
    answer = ""
    while not (command := parser.nextCommand()).isNull():
        answer = str(command.invoke(solver, symbols)).strip() or answer
    if answer != "unsat":
        return answer, ""
    (proof,) = solver.getProof()
    text = solver.proofToString(proof, cvc5.ProofFormat.ALETHE)
    return answer, text.decode() if isinstance(text, bytes) else str(text)
