"""``explain`` as people guess it: models and instances of every kind, and a result that prints well."""

from __future__ import annotations

import json
from collections import OrderedDict
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from published_schemas import fits_schema

import xpgcheck
from xpgcheck import embedded
from xpgcheck.errors import InputError, InstanceError
from xpgcheck.explanations.api import explain, explain_case, explain_one
from xpgcheck.explanations.case import case_of
from xpgcheck.explanations.result import Explanations, Mode
from xpgcheck.model.decision_graph import DecisionGraph, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Categorical, Feature, Float64, Real
from xpgcheck.model.value_sets import FiniteSet, Grid, Interval, interval_set
from xpgcheck.model.values import MISSING
from xpgcheck.readers.json_model import parse_json
from xpgcheck.readers.xpg import parse_xpg
from xpgcheck.writers.json_model import model_json

FIGURE_1 = {"Age": "O", "Income": "L", "Student": "Y", "Credit": "P"}

XPG = b"NN: 3\nRoot: 1\nT: 2 3\nTDef:\n2 1\n3 0\nNT: 1\nNTDef:\n1 2 1\n1 3 0\nNV: 2\nVarDef:\n1 f0\n"


@pytest.fixture
def hardware() -> DecisionGraph:
    return embedded.load("hardware").graph


def constant() -> DecisionGraph:
    return decision_graph("constant", [Feature("f", Boolean()), Feature("g", Boolean())], ["X"], {1: Terminal(0)})


def nasty() -> DecisionGraph:
    """Names with markup, HTML and control characters."""
    names = ("[red]a[/red]", '<b>"x"</b>', "new\nline\x1b[2J")
    nodes = {
        1: NonTerminal(0, ((2, FiniteSet(frozenset([False]))), (3, FiniteSet(frozenset([True]))))),
        2: Terminal(0),
        3: NonTerminal(1, ((2, FiniteSet(frozenset([names[1]]))), (4, FiniteSet(frozenset(["v"]))))),
        4: Terminal(1),
    }
    features = [
        Feature(names[0], Boolean()),
        Feature(names[1], Categorical((names[1], "v"))),
        Feature(names[2], Boolean()),
    ]
    return decision_graph("[bold]<i>", features, ["<script>", "[/]"], nodes, 1)


def test_the_papers_example(hardware: DecisionGraph) -> None:
    found = explain(hardware, FIGURE_1)
    assert found.prediction == "T"
    assert (found.axps, found.cxps) == ((("Age", "Credit"),), (("Age",), ("Credit",)))
    assert (found.relevant, found.necessary) == (("Age", "Credit"), ("Age", "Credit"))
    change = found.closest(("Age",))
    assert (change.values, change.prediction, change.proven) == ({"Age": "T"}, "L", True)
    assert found.complete
    assert repr(found) == "<Explanations: hardware, class T: 1 AXp, 2 CXps>"
    assert (
        str(found)
        == """\
hardware: class T for Age = O, Income = L, Student = Y, Credit = P
Why class T? 1 AXp:
  1. class T because Age = O and Credit = P or F, whatever the other 2 features are
What changes class T? 2 CXps:
  1. class L with Age = T (not O)
  2. class L with Credit = E (not P)
In every AXp (necessary): Age, Credit.
The other 2 features are in no AXp and no CXp."""
    )


@pytest.mark.parametrize(
    "instance",
    [
        FIGURE_1,
        OrderedDict(reversed(FIGURE_1.items())),
        ["O", "L", "Y", "P"],
        ("O", "L", "Y", "P"),
    ],
)
def test_instances_of_every_kind(hardware: DecisionGraph, instance: Any) -> None:
    assert explain(hardware, instance).case.point == ("O", "L", "Y", "P")


def test_models_of_every_kind(hardware: DecisionGraph, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    path.write_text(model_json(hardware), encoding="utf-8")
    expected = explain(hardware, FIGURE_1).to_dict()
    assert explain("hardware", FIGURE_1).to_dict() == expected
    assert explain(path, FIGURE_1).to_dict() == expected
    assert explain(str(path), FIGURE_1).to_dict() == expected


def test_numpy_rows_keep_their_exact_values() -> None:
    numpy = pytest.importorskip("numpy")
    pair = interval_set(Grid.DENSE, [Interval(None, True, Fraction(1, 10), False)])
    rest = Real().all_values().difference(pair)
    nodes = {1: NonTerminal(0, ((2, pair), (3, rest))), 2: Terminal(0), 3: Terminal(1)}
    graph = decision_graph("one", [Feature("x", Real()), Feature("b", Boolean())], ["low", "high"], nodes, 1)
    row = numpy.array([0.1, 1], dtype=numpy.float32)
    assert explain(graph, row).case.point == (Fraction(float(numpy.float32(0.1))), True)
    assert explain(graph, row.reshape(1, 2)).case.point == explain(graph, row).case.point
    assert explain(graph, [numpy.float64(0.25), numpy.bool_(True)]).case.point == (Fraction(1, 4), True)
    with pytest.raises(InstanceError, match="a table of 3 rows"):
        explain(graph, numpy.zeros((3, 2)))


def test_pandas_rows(hardware: DecisionGraph) -> None:
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame([FIGURE_1, FIGURE_1])[["Student", "Age", "Credit", "Income"]]
    for row in (table.iloc[0], table.head(1), pandas.Series(["O", "L", "Y", "P"])):
        assert explain(hardware, row).case.point == ("O", "L", "Y", "P")
    with pytest.raises(InstanceError, match="a table of 2 rows"):
        explain(hardware, table)


class FakeSeries:
    """The part of a pandas row that is used, so that this is tested without pandas too."""

    ndim = 1
    iloc: object = None

    def __init__(self, values: dict[Any, Any]) -> None:
        self._values = values

    def to_dict(self) -> dict[Any, Any]:
        return self._values


def test_rows_are_taken_by_their_methods(hardware: DecisionGraph) -> None:
    assert explain(hardware, FakeSeries(FIGURE_1)).case.point == ("O", "L", "Y", "P")
    spaced = {f" {name} ": value for name, value in FIGURE_1.items()}
    assert explain(hardware, FakeSeries(spaced)).case.point == ("O", "L", "Y", "P")
    numbered = dict(enumerate(FIGURE_1.values()))
    assert explain(hardware, FakeSeries(numbered)).case.point == ("O", "L", "Y", "P")


def test_wishes_name_features_as_columns_do() -> None:
    graph = decision_graph(
        "g",
        [Feature("net_pay", Boolean()), Feature(" b", Boolean())],
        ["n", "y"],
        {
            0: NonTerminal(0, (("n", FiniteSet(frozenset((False,)))), (1, FiniteSet(frozenset((True,)))))),
            1: NonTerminal(1, (("n", FiniteSet(frozenset((False,)))), ("y", FiniteSet(frozenset((True,)))))),
            "n": Terminal(0),
            "y": Terminal(1),
        },
    )
    found = explain_one(graph, {"net pay": 0.0, "b": "no"}, prefer=["b"], never=["net pay"])
    assert found.axps == ((" b",),)
    with pytest.raises(InputError, match="no feature 'net  pay'"):
        explain_one(graph, [0, 0], never=["net  pay"])


class NAType:
    """The part of pandas.NA that is used."""


def test_the_missing_value_of_pandas() -> None:
    graph = decision_graph("g", [Feature("a", Float64(missing=True))], ["n"], {"n": Terminal(0)})
    assert explain(graph, {"a": NAType()}).case.point == (MISSING,)
    assert explain(graph, {"a": None}).case.point == (MISSING,)


def test_a_fitted_scikit_learn_tree() -> None:
    datasets = pytest.importorskip("sklearn.datasets")
    trees = pytest.importorskip("sklearn.tree")
    x, y = datasets.load_iris(return_X_y=True)
    tree = trees.DecisionTreeClassifier(max_depth=3, random_state=0).fit(x, y)
    found = explain(tree, x[0])
    assert found.prediction == str(tree.predict(x[:1])[0])
    for cxp in found.cxps:
        change = found.closest(cxp)
        there = [float(change.values.get(f"feature_{i}", x[0][i])) for i in range(4)]
        assert str(tree.predict([there])[0]) == change.prediction


@pytest.mark.parametrize(
    ("instance", "text"),
    [
        ({**FIGURE_1, "Agee": "O"}, "Agee"),
        ({"Age": "O"}, "no value"),
        ({**FIGURE_1, "Age": "X"}, "'X' is not a category"),
        (["O"], "4 features"),
        ("O, L, Y, P", "no instance"),
        (5, "no instance"),
        (None, "no instance"),
    ],
)
def test_a_bad_instance_is_one_clear_line(hardware: DecisionGraph, instance: Any, text: str) -> None:
    with pytest.raises(InstanceError, match=text) as caught:
        explain(hardware, instance)
    assert "\n" not in str(caught.value)
    assert caught.value.mend


def test_an_xpg_model_has_names_only() -> None:
    graph = parse_xpg(XPG, "labels")
    found = explain(graph)
    assert (found.prediction, found.axps, found.cxps) == (None, (("f0",),), (("f0",),))
    assert "the prediction holds while f0 keeps its value" in str(found)
    assert "the prediction can change with f0" in str(found)
    with pytest.raises(InputError, match="no values"):
        found.closest(("f0",))
    with pytest.raises(InstanceError, match="leave the instance out"):
        explain(graph, {"f0": 1})
    with pytest.raises(InstanceError, match="leave the instance out"):
        case_of(graph, (True,))
    valid(found)


def test_a_constant_model() -> None:
    for found in (
        explain(constant(), [0, 1]),
        explain_one(constant(), [0, 1]),
        explain_one(constant(), [0, 1], smallest=True, never=["f"]),
    ):
        assert (found.axps, found.cxps, found.relevant, found.necessary) == (((),), (), (), ())
        assert "class X whatever the features are" in str(found)
        assert "Nothing changes it: the model is constant." in str(found)
        assert "No feature is in any AXp or CXp." in str(found)
        assert found.complete
        valid(found)


def test_what_never_forbids_is_said_with_the_evidence(hardware: DecisionGraph) -> None:
    found = explain_one(hardware, FIGURE_1, never=["Age", "Student", "Credit", "Income"])
    assert (found.axps, found.cxps) == ((), ())
    text = str(found)
    assert "No AXp does without Age, Income, Student and Credit, all else as it is: class " in text
    assert "No CXp does without Age, Income, Student and Credit: class T because " in text
    assert not found.complete
    record = valid(found)
    assert record["axps"]["obstacle"]["closest"]["class"] != "T"


def test_what_cannot_be_preferred_is_said(hardware: DecisionGraph) -> None:
    found = explain_one(hardware, FIGURE_1, prefer=["Income"])
    assert "No AXp holds Income as well." in str(found)
    assert "No CXp holds Income as well." in str(found)
    valid(found)


@pytest.mark.parametrize(
    ("wishes", "text"),
    [
        ({"prefer": ["Agee"]}, "did you mean 'Age'"),
        ({"never": ["age"]}, "did you mean 'Age'"),
        ({"never": ["zzz"]}, "name a feature of the model: 'Age', 'Income', 'Student', 'Credit'"),
        ({"prefer": ["Age"], "never": ["Age"]}, "name it once"),
        ({"prefer": ["Age"], "smallest": True}, "leave one of the two wishes out"),
    ],
)
def test_bad_wishes_are_one_clear_line(hardware: DecisionGraph, wishes: Any, text: str) -> None:
    with pytest.raises(InputError, match=text):
        explain_one(hardware, FIGURE_1, **wishes)


def test_all_explanations_take_no_wishes(hardware: DecisionGraph) -> None:
    case = case_of(hardware, ("O", "L", "Y", "P"))
    with pytest.raises(InputError, match="ask for one"):
        explain_case(case, mode=Mode.ALL, never=["Age"])


def test_a_limit_below_one_is_refused(hardware: DecisionGraph) -> None:
    with pytest.raises(ValueError, match="from 1"):
        explain(hardware, FIGURE_1, limit=0)


def test_closest_wants_a_cxp(hardware: DecisionGraph) -> None:
    found = explain(hardware, FIGURE_1)
    for wrong in ((), ("Age", "Income", "Student", "Credit"), ("Income",)):
        with pytest.raises(InputError, match="is not a CXp"):
            found.closest(wrong)
    with pytest.raises(InputError, match="there is no feature"):
        found.closest(("nothing",))
    assert found.closest("Age") == found.closest(("Age",))


def test_names_are_escaped_wherever_they_are_shown() -> None:
    found = explain(nasty(), [True, "v", False])
    html = found._repr_html_()
    for raw in ("<script>", "<i>", '<b>"', "\x1b"):
        assert raw not in html
    assert "&lt;script&gt;" in html
    assert "\x1b" not in str(found)
    assert "[red]a[/red] = 1" in str(found)
    valid(found)


def test_a_notebook_shows_a_picture_next_to_the_words(monkeypatch: pytest.MonkeyPatch) -> None:
    found = xpgcheck.explain("hardware", {"Age": "T", "Income": "L", "Student": "N", "Credit": "F"})
    html = found._repr_html_()
    assert html.count("<svg") == 1
    assert html.count("<div") == html.count("</div>") == 3
    monkeypatch.setattr(Explanations, "illustrated", staticmethod(lambda _: {}))
    plain = found._repr_html_()
    assert "<svg" not in plain
    assert plain.count("<div") == plain.count("</div>") == 1


def test_the_notebook_table_shows_roles_and_stops_after_fifty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("xpgcheck.explanations.html.MAX_SHOWN", 1)
    found = explain("hardware", {"Age": "T", "Income": "L", "Student": "N", "Credit": "F"})
    html = found._repr_html_()
    assert "… and 2 more" in html
    assert "<th>every AXp</th>" in html


def test_the_record_reads_back_as_the_instance() -> None:
    model = embedded.load("iris")
    for point in model.instances[::20]:
        record = valid(explain(model.graph, point))
        again = explain(parse_json(model_json(model.graph).encode()), record["instance"])
        assert again.case.point == point
        for member in record["cxps"]["members"]:
            there = explain(model.graph, {**record["instance"], **member["closest"]["values"]})
            assert there.prediction == member["closest"]["class"] != record["prediction"]


def valid(found: Explanations) -> dict[str, Any]:
    """Return the record of *found* after checking it against the schema, as JSON text has it."""
    record: dict[str, Any] = json.loads(json.dumps(found.to_dict()))
    fits_schema(record, "explanations")
    return record
