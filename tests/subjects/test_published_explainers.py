"""The adapters of published explainers: that they translate, what they refuse, and what is found by them."""

from __future__ import annotations

import importlib.metadata
import itertools
import os
import subprocess
import sys
import warnings
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from xpgcheck import explanation_graph, from_sklearn
from xpgcheck.errors import MissingPackageError
from xpgcheck.gate.questions import judge_answers
from xpgcheck.judging.claim import Notion
from xpgcheck.judging.panel import Panel
from xpgcheck.model.decision_graph import NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Categorical, Feature, Float64, Integer, Real
from xpgcheck.model.literals import read_literal
from xpgcheck.model.values import MISSING
from xpgcheck.oracles.conditions import condition_graph, conditions_at, conditions_of
from xpgcheck.properties.running.search import visit
from xpgcheck.properties.strategies import property_cases
from xpgcheck.subjects.adapters.packages import imported
from xpgcheck.xpg.choose import xp_masks


def needs(package):
    """Return the mark of tests that are skipped where *package* is not installed."""
    try:
        found = importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        found = None
    return pytest.mark.skipif(found is None, reason=f"{package} is not installed")


needs_xpgraph, needs_pyxai, needs_sklearn = map(needs, ("XpGraph", "pyxai", "scikit-learn"))


@pytest.fixture(scope="module")
def pyxai():
    """Return the adapter's module, the package imported: its dependencies warn of each other."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from xpgcheck.subjects.adapters import pyxai

        pyxai.PyXAI()
    return pyxai


def graph_of(features, classes, *nodes):
    """Return a graph; a node is a class, or a feature and pairs of a child and a literal's texts."""
    named = [Feature(f"f{index}", domain) for index, domain in enumerate(features)]
    built = {}
    for number, node in enumerate(nodes):
        if isinstance(node, int):
            built[number] = Terminal(node)
        else:
            index, edges = node
            literals = [(child, read_literal(features[index], text)) for child, text in edges]
            built[number] = NonTerminal(index, tuple(literals))
    return decision_graph("case", named, classes, built, 0)


def booleans(*nodes, count=2, classes=("c0", "c1")):
    """Return a graph over Boolean features; a node is a class or (feature, child if 0, child if 1)."""
    return graph_of(
        [Boolean()] * count,
        list(classes),
        *(node if isinstance(node, int) else (node[0], [(node[1], [0]), (node[2], [1])]) for node in nodes),
    )


STEP = booleans((0, 1, 2), (1, 3, 4), 1, 1, 0)
"""f0 = 0 leads to a test of f1, whose two classes are unlike; f0 = 1 leads to class c1."""


def drawn(examples, kinds, size=12):
    """Return generated cases."""
    cases = []
    visit(property_cases(size=size, kinds=kinds), cases.append, examples, 5)
    return cases


def families(xpg):
    """Return all AXps and all CXps by brute force."""
    return [{frozenset(i for i in range(mask.bit_length()) if mask >> i & 1) for mask in f} for f in xp_masks(xpg)]


def verdicts(subject, kind, examples=150):
    """Return how often each verdict comes up, by ability and verdict."""
    can = [name for name in ("axp", "cxp", "enumerate") if hasattr(subject, name)]
    notion = Notion(subject.notion)
    counts = Counter()
    for case in drawn(examples, (kind,)):
        with Panel(case.graph, ("z3",), solver_last=True) as judges:
            answers = judge_answers(subject, can, case, judges.claims_at(case.instance), notion, 10.0)
        counts.update((about, judged.verdict.value) for about, judged in answers.judged)
    return counts


@pytest.fixture(scope="module", params=[False, True], ids=["traversal", "horn"])
def subject(request):
    from xpgcheck.subjects.adapters.xpgraph import XpGraph

    return XpGraph.horn() if request.param else XpGraph()


def test_a_package_that_is_not_there_is_named_with_its_mend(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["xpgcheck", "gate"])
    with pytest.raises(MissingPackageError, match=r"no_such_package cannot be imported .*; run: pip install it==1"):
        imported("no_such_package.part", "it==1")
    assert sys.argv == ["xpgcheck", "gate"]


@needs_xpgraph
class TestXpGraph:
    def test_says_what_it_is(self, subject):
        assert subject.name.startswith("XpGraph 0.0.1, ")

    def test_answers_are_of_our_features_where_some_are_not_tested(self, subject):
        graph = booleans((3, 1, 2), (1, 3, 4), 1, 0, 1, count=4)
        assert subject.axp(graph, (False, False, True, False)) == [1, 3]
        found = {(kind, frozenset(xp)) for kind, xp in subject.enumerate(graph, (False,) * 4)}
        assert found == {("AXp", frozenset({1, 3})), ("CXp", frozenset({1})), ("CXp", frozenset({3}))}

    def test_seeds_are_passed_on(self, subject):
        graph = booleans((0, 1, 2), 0, 1, count=1)
        assert subject.axp_inside(graph, (False,), frozenset({0})) == [0]
        assert subject.cxp_inside(graph, (False,), frozenset({0})) == [0]

    def test_all_but_cxp_is_right_on_generated_graphs(self, subject):
        for case in drawn(60, ("graph", "tree")):
            axps, cxps = families(explanation_graph(case.graph, case.instance))
            if not cxps:
                continue
            assert frozenset(subject.axp(case.graph, case.instance)) in axps
            found = [(kind, frozenset(xp)) for kind, xp in subject.enumerate(case.graph, case.instance)]
            assert {xp for kind, xp in found if kind == "AXp"} == axps
            assert {xp for kind, xp in found if kind == "CXp"} == cxps

    def test_find_cxp_gives_up_where_each_feature_is_tested_before_the_last_test(self, subject):
        # f0 is tested twice on the path, so no feature is left to begin with.
        three = [Integer(0, 2)]
        graph = graph_of(three, ["c0", "c1"], (0, [(1, [0, 1]), (2, [2])]), (0, [(3, [0]), (4, [1])]), 1, 0, 1)
        with pytest.raises(AssertionError, match="CXp cannot be an empty-set"):
            subject.cxp(graph, (0,))
        assert families(explanation_graph(graph, (0,)))[1] == {frozenset({0})}

    def test_find_cxp_answers_a_set_that_changes_nothing(self, subject):
        graph = booleans((0, 1, 2), 0, (1, 3, 4), 1, 1)
        assert list(subject.cxp(graph, (True, False))) == [1]
        assert families(explanation_graph(graph, (True, False)))[1] == {frozenset({0})}

    def test_find_cxp_is_right_on_read_once_graphs_without_constant_parts(self, subject):
        right = Counter()
        for case in drawn(120, ("obdd",)):
            graph = case.graph
            below = [set() for _ in range(graph.node_count)]
            for node in reversed(range(graph.node_count)):
                own = {graph.class_of[node]} if graph.is_terminal(node) else set()
                below[node] = own.union(*(below[child] for child in graph.children[node]))
            lean = all(graph.is_terminal(node) or len(reached) > 1 for node, reached in enumerate(below))
            cxps = families(explanation_graph(graph, case.instance))[1]
            if cxps:
                right[lean, frozenset(subject.cxp(graph, case.instance)) in cxps] += 1
        assert right[True, True] > 50
        assert not right[True, False]
        assert right[False, False]

    def test_constant_classifiers_end_in_assertions(self, subject):
        graph = booleans((0, 1, 2), 0, 0, count=1)
        with pytest.raises(AssertionError, match="AXp cannot be an empty-set"):
            subject.axp(graph, (False,))
        assert list(subject.cxp(graph, (False,))) == [0]


@needs_pyxai
class TestPyXAITrees:
    def test_the_tree_has_the_classes_of_the_graph(self, pyxai):
        subject, checked = pyxai.PyXAI(), 0
        for case in drawn(60, ("threshold-tree",), 20):
            tree = subject.translated(case.graph)
            cells = [[cell.representative() for cell in part] for part in case.graph.cells]
            for point in itertools.islice(itertools.product(*cells), 40):
                floats = [float(value) for value in point]
                if any(Fraction(number) != value for number, value in zip(floats, point, strict=True)):
                    # PyXAI has binary64 numbers alone; the simplest fraction of a cell need not be one.
                    continue
                assert tree.predict_instance(floats) == case.graph.kappa(point)
                truth = dict(enumerate(conditions_at(conditions_of(case.graph), point)))
                opened = subject.opened(case.graph, point)
                assert opened.members(opened.explainer.binary_representation) == set(truth)
                checked += 1
        assert checked > 500

    def test_thresholds_are_kept_on_either_side(self, pyxai):
        half = Fraction(1, 2)
        for text, points in (("(-inf, 1/2]", (half, Fraction(3, 4))), ("(-inf, 1/2)", (Fraction(1, 4), half))):
            other = {"(-inf, 1/2]": "(1/2, inf)", "(-inf, 1/2)": "[1/2, inf)"}[text]
            graph = graph_of([Real()], ["c0", "c1"], (0, [(1, [text]), (2, [other])]), 0, 1)
            mirrored = graph_of([Real()], ["c0", "c1"], (0, [(1, [other]), (2, [text])]), 1, 0)
            for written in (graph, mirrored):
                tree = pyxai.PyXAI().translated(written)
                assert [tree.predict_instance([float(point)]) for point in points] == [0, 1]

    @pytest.mark.parametrize(
        ("graph", "instance", "why"),
        [
            (booleans((0, 1, 2), (1, 3, 4), (1, 4, 3), 0, 1), (False, False), "no tree"),
            (
                graph_of([Categorical(("a", "b"))], ["c0", "c1"], (0, [(1, ["a"]), (2, ["b"])]), 0, 1),
                ("a",),
                "categorical",
            ),
            (
                graph_of([Integer(0, 2)], ["c0", "c1"], (0, [(1, [0]), (2, [1]), (3, [2])]), 0, 1, 0),
                (0,),
                "3 edges",
            ),
            (graph_of([Integer(0, 2)], ["c0", "c1"], (0, [(1, [1]), (2, [0, 2])]), 0, 1), (0,), "no half"),
            (
                graph_of([Real()], ["c0", "c1"], (0, [(1, ["(-inf, 1/3]"]), (2, ["(1/3, inf)"])]), 0, 1),
                (Fraction(0),),
                "1/3",
            ),
            (
                graph_of([Real()], ["c0", "c1"], (0, [(1, ["(-inf, 0]"]), (2, ["(0, inf)"])]), 0, 1),
                (Fraction(1, 3),),
                "1/3",
            ),
            (
                graph_of([Integer()], ["c0", "c1"], (0, [(1, ["(-inf, 0]"]), (2, ["(0, inf)"])]), 0, 1),
                ((1 << 53) + 1,),
                "no binary64",
            ),
            (
                graph_of([Integer()], ["c0", "c1"], (0, [(1, ["(-inf, 0]"]), (2, ["(0, inf)"])]), 0, 1),
                (10**400,),
                "no binary64",
            ),
            (
                graph_of(
                    [Float64(missing=True)], ["c0", "c1"], (0, [(1, ["(-inf, 0]", "missing"]), (2, ["(0, inf)"])]), 0, 1
                ),
                (MISSING,),
                "missing",
            ),
        ],
        ids=["shared", "categorical", "three edges", "middle", "threshold", "value", "large", "huge", "missing"],
    )
    def test_what_pyxai_cannot_hold_is_declined(self, pyxai, graph, instance, why):
        with pytest.raises(NotImplementedError, match=why):
            pyxai.PyXAI().axp(graph, instance)

    def test_a_literal_that_is_false_at_the_instance_is_not_taken(self, pyxai):
        graph = booleans((0, 1, 2), 0, 1, count=1)
        opened = pyxai.PyXAI().opened(graph, (False,))
        (literal,) = opened.explainer.binary_representation
        assert opened.members([literal]) == {0}
        with pytest.raises(ValueError, match="does not hold at"):
            opened.members([-literal])


@needs_pyxai
class TestPyXAIReasons:
    def test_all_reasons_are_right_over_independent_conditions(self, pyxai):
        subject, smallest, several = pyxai.PyXAI(), pyxai.PyXAISmallest(), 0
        before = sorted(os.listdir())
        for case in drawn(100, ("threshold-tree",)):
            conditions = conditions_of(case.graph)
            if not conditions:
                continue
            xpg = explanation_graph(condition_graph(case.graph), conditions_at(conditions, case.instance))
            axps, cxps = families(xpg)
            if not cxps:
                continue
            several += len(axps) > 1
            listed = list(subject.enumerate(case.graph, case.instance))
            assert len(listed) == len(axps) + len(cxps)
            assert set(listed) == {("AXp", xp) for xp in axps} | {("CXp", xp) for xp in cxps}
            assert frozenset(subject.axp(case.graph, case.instance)) in axps
            assert frozenset(subject.cxp(case.graph, case.instance)) in cxps
            found = frozenset(smallest.axp(case.graph, case.instance))
            assert found in axps
            assert len(found) == min(map(len, axps))
        assert several > 10
        assert sorted(os.listdir()) == before

    def test_over_features_some_are_not_minimal(self, pyxai):
        counts = verdicts(pyxai.PyXAIProjected(), "threshold-tree")
        assert counts["enumerate", "redundant"]
        assert not counts["enumerate", "insufficient"]
        assert not counts["enumerate", "ineffective"]

    def test_types_of_features_change_nothing(self, pyxai):
        plain, typed, differ = pyxai.PyXAI(), pyxai.PyXAIWithTheory(), 0
        for case in drawn(80, ("threshold-tree",)):
            if not families(explanation_graph(case.graph, case.instance))[1]:
                continue
            opened = typed.opened(case.graph, case.instance)
            assert opened.explainer._theory
            differ += set(plain.enumerate(case.graph, case.instance)) != set(typed.enumerate(case.graph, case.instance))
        assert differ == 0

    def test_with_the_theory_some_are_redundant_and_some_ineffective(self, pyxai):
        # f0 > 0 follows from f0 > 1; and f0 > 0 cannot be undone where f0 > 1 stays.
        graph = graph_of(
            [Integer(0, 2)], ["c0", "c1"], (0, [(1, [0]), (2, [1, 2])]), 0, (0, [(3, [0, 1]), (4, [2])]), 0, 1
        )
        found = list(pyxai.PyXAIWithTheory().enumerate(graph, (2,)))
        assert found == [("AXp", {0, 1}), ("CXp", {0}), ("CXp", {1})]

    @pytest.mark.parametrize("name", ["PyXAILabelled", "PyXAINamed"])
    def test_labels_other_than_indices_make_sufficient_reasons_wrong(self, pyxai, name):
        counts = verdicts(getattr(pyxai, name)(), "threshold-tree")
        assert counts["axp", "redundant"]
        assert counts["enumerate", "incomplete"]
        assert bool(counts["axp", "insufficient"]) is (name == "PyXAILabelled")
        assert not counts["cxp", "ineffective"]

    def test_the_smallest_tree_whose_labels_make_a_reason_insufficient(self, pyxai, monkeypatch, tmp_path):
        # At (0, 0) the class hangs on f1 alone.
        instance = (False, False)
        graph = booleans((0, 1, 2), (1, 3, 4), 0, 0, 1)
        assert list(pyxai.PyXAI().axp(graph, instance)) == [1]
        opened = pyxai.PyXAILabelled().opened(graph, instance)
        reason = opened.explainer.sufficient_reason()
        assert opened.members(reason) == {0}
        # PyXAI's own methods say so: the class is another where f1 is.
        assert [opened.explainer.predict(values) for values in ([0.0, 0.0], [0.0, 1.0])] == [1, 2]
        monkeypatch.chdir(tmp_path)
        assert opened.members(opened.explainer.minimal_sufficient_reason()) == {1}

    @pytest.mark.parametrize("name", ["PyXAI", "PyXAISmallest"])
    def test_constant_trees_end_in_an_index_error(self, pyxai, name):
        for graph in (booleans(0, count=1), booleans((0, 1, 2), 0, 0, count=1)):
            with pytest.raises(IndexError):
                getattr(pyxai, name)().axp(graph, (False,))


FINDINGS = Path(__file__).parents[2] / "docs" / "findings"


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        pytest.param("xpgraph.md", ["[1] ([[0]], [[0]])"], marks=needs_xpgraph),
        pytest.param(
            "pyxai.md",
            ["['f1 > 0.5']", "['f1 > 0.5']", "0 1", "['f2 > 0.5']", "['f1 > 0.5']", "1 2"],
            marks=[needs_pyxai, needs_sklearn],
        ),
    ],
)
def test_programs_in_the_findings_print_what_these_say(name, printed, tmp_path):
    _, _, rest = (FINDINGS / name).read_text(encoding="utf-8").partition("```py\n")
    program = rest.partition("```")[0]
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, encoding="utf-8", timeout=900
    )
    assert done.returncode == 0, done.stderr
    # PyXAI reports on itself too.
    assert [line for line in done.stdout.splitlines() if line[:1] in ("[", "0", "1")] == printed


@needs_pyxai
@needs_sklearn
@pytest.mark.filterwarnings("ignore")
def test_trees_that_pyxai_imports_itself_have_the_same_reasons(pyxai):
    import numpy
    from pyxai import Explaining, Learning
    from sklearn.tree import DecisionTreeClassifier

    subjects = [pyxai.PyXAI(), pyxai.PyXAILabelled()]
    wrong = Counter()
    for number in range(8):
        random = numpy.random.default_rng(number)
        rows = random.integers(0, 5, (30, 3)).astype(float)
        for start, subject in enumerate(subjects):
            fitted = DecisionTreeClassifier(max_depth=3, random_state=0).fit(rows, random.integers(0, 2, 30) + start)
            graph = from_sklearn(fitted)
            _, model = Learning.ModelIO.import_models(fitted, instances_type="tabular")
            for row in rows[:4]:
                point = tuple(map(Fraction, row.tolist()))
                opened = subject.opened(graph, point)
                theirs = Explaining.initialize(model, instance=row)
                index_of, tests = opened.index_of, model.map_id_binaries_to_features
                for method in ("sufficient_reason", "contrastive_reason"):
                    listed = getattr(theirs, method)(n=Explaining.ALL)
                    said = [
                        frozenset(index_of[t[0], t[1].value, float(t[2])] for t in (tests[abs(i)] for i in reason))
                        for reason in listed
                    ]
                    ours = getattr(opened.explainer, method)(n=Explaining.ALL)
                    assert Counter(said) == Counter(map(opened.members, ours))
                    if method == "sufficient_reason":
                        conditions = condition_graph(graph)
                        xpg = explanation_graph(conditions, conditions_at(conditions_of(graph), point))
                        wrong[start] += set(said) != families(xpg)[0]
    assert not wrong[0]
    assert wrong[1]
