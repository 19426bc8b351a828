"""The parts of a picture: short literals, colours, cut texts, folding, and the contents of files."""

from __future__ import annotations

import itertools
import struct
import sys
from fractions import Fraction
from pathlib import Path

import picture_laws as laws
import pytest
from svg_reading import Drawn

from xpgcheck import embedded
from xpgcheck.drawing.api import draw
from xpgcheck.drawing.colours import GREY_TEXT, OKABE_ITO, PAPER, class_style, luminance
from xpgcheck.drawing.folding import fold
from xpgcheck.drawing.literals import short_literals
from xpgcheck.drawing.raster import MAX_AREA, MAX_SIDE, scale
from xpgcheck.drawing.text import fitted, text_width, wrapped
from xpgcheck.drawing.view import View
from xpgcheck.errors import InputError, MissingPackageError
from xpgcheck.explanations.api import explain
from xpgcheck.model.decision_graph import DecisionGraph, NonTerminal, Terminal, decision_graph
from xpgcheck.model.domains import Boolean, Categorical, Domain, Feature, Float32, Integer, Real
from xpgcheck.model.ieee754 import BINARY32
from xpgcheck.model.literals import read_literal
from xpgcheck.model.value_sets import ValueSet
from xpgcheck.readers.xpg import parse_xpg
from xpgcheck.xpg.xps import XP, Kind

TWO_NODES = b"NN: 3\nRoot: 1\nT: 2 3\nTDef:\n2 1\n3 0\nNT: 1\nNTDef:\n1 2 1\n1 3 0\nNV: 1\nVarDef:\n1 [b]\n"

FIGURE_1 = {"Age": "O", "Income": "L", "Student": "Y", "Credit": "P"}


def splits(domain: Domain, parts: list[ValueSet]) -> DecisionGraph:
    """A graph of one node whose edges are *parts*."""
    nodes = {"root": NonTerminal(0, tuple(enumerate(parts))), **{i: Terminal(0) for i in range(len(parts))}}
    return decision_graph("splits", [Feature("x", domain)], ["c"], nodes, "root")


def texts(domain: Domain, *parts: list[object]) -> list[str]:
    graph = splits(domain, [read_literal(domain, part) for part in parts])
    return [short_literals(graph, range(len(parts)))[0][i] for i in range(len(parts))]


@pytest.mark.parametrize(
    ("domain", "parts", "expected"),
    [
        (Boolean(), [[0], [1]], ["= 0", "= 1"]),
        (Boolean(), [[0, 1]], ["∈ {0, 1}"]),
        (Categorical(tuple("abcdefg")), [["a"], list("bcdefg")], ["= a", "∈ {b, c, d, +3}"]),
        (Integer(0, 9), [["[0, 3]"], ["(3, 7]"], [8], [9]], ["[0, 3]", "[4, 7]", "= 8", "= 9"]),
        (Real(), [["(-inf, 5/2]"], ["(5/2, 7)"], ["[7, inf)"]], ["≤ 2.5", "(2.5, 7)", "≥ 7"]),
        (Real(), [["(-inf, 1)", "(2, inf)"], ["[1, 2]"]], ["< 1 or > 2", "[1, 2]"]),
        (Float32(missing=True), [["(-inf, 0.1]", "missing"], ["(0.1, inf)"]], ["< 0.1 or missing", "≥ 0.1"]),
        (Float32(), [["(-inf, inf)"]], ["any number"]),
    ],
)
def test_literals_are_short(domain: Domain, parts: list[list[object]], expected: list[str]) -> None:
    if isinstance(domain, Float32) and domain.missing:
        # 0.1 lies between two float32 numbers: both signs are right, whichever the bound is read as.
        expected = [text.replace("<", "≤").replace("≥", ">") for text in expected]
    assert texts(domain, *parts) == expected


@pytest.mark.parametrize("threshold", ["0.5", "16.795", "0.1", "1e-30", "-3.25", "16777216"])
def test_a_float32_bound_is_a_short_number_that_splits_the_same_numbers(threshold: str) -> None:
    below, above = texts(Float32(), [f"(-inf, {threshold}]"], [f"({threshold}, inf)"])
    sign, shown = below.split()
    assert above.split()[1] == shown
    edge = Fraction(threshold)
    for number in (BINARY32.floor(edge), BINARY32.above(edge)):
        assert number is not None
        said = number <= Fraction(shown) if sign == "≤" else number < Fraction(shown)
        assert said == (number <= edge)
    assert len(shown) <= len(threshold) + 1


def test_numbers_are_rounded_only_as_far_as_they_stay_apart() -> None:
    near = [Fraction("1.23456789"), Fraction("1.23456799"), Fraction(7, 3)]
    bounds = [None, *near, None]
    spans = [
        f"({'-inf' if low is None else low}, {'inf)' if high is None else f'{high}]'}"
        for low, high in itertools.pairwise(bounds)
    ]
    graph = splits(Real(), [read_literal(Real(), [span]) for span in spans])
    found, rounded = short_literals(graph, range(4))
    assert found[0] == "≤ 1.2345679"
    assert found[1] == "(1.2345679, 1.234568]"
    assert rounded
    assert short_literals(graph, [])[1] is False


def test_colours_are_told_apart_and_texts_are_read() -> None:
    styles = [class_style(index) for index in range(24)]
    assert len({(style.fill, style.bars) for style in styles}) == 24
    assert [style.fill for style in styles[:8]] == list(OKABE_ITO)

    def contrast(first: str, second: str) -> float:
        low, high = sorted((luminance(first), luminance(second)))
        return (high + 0.05) / (low + 0.05)

    assert min(contrast(style.fill, style.ink) for style in styles) >= 4.5
    assert contrast(GREY_TEXT, PAPER) >= 4.5


def test_texts_are_cut_in_the_middle() -> None:
    assert fitted("short", 13, 170) == "short"
    cut = fitted("mean concave points error of the third", 13, 120)
    assert cut.startswith("mean")
    assert cut.endswith("third")
    assert "…" in cut
    assert text_width(cut, 13) <= 120
    assert list(wrapped(["aa", "bb", "cc"], 10, text_width("aa bb", 10))) == ["aa bb", "cc"]


def test_names_do_not_reorder_the_instance() -> None:
    graph = splits(Boolean(), [read_literal(Boolean(), [0, 1])])
    feature = Feature("العمر", Boolean())
    named = decision_graph("m", [feature], ["c"], {0: NonTerminal(0, ((1, graph.literals[0].values),)), 1: Terminal(0)})
    pytest.importorskip("graphlay")
    svg = draw(named, [True]).svg
    assert "\u2068العمر\u2069 = 1" in svg
    assert r"\u2069" not in svg, "the tooltip of the instance"


@pytest.mark.parametrize("most", [1, 2, 10, 40])
def test_the_path_is_shown_first(most: int) -> None:
    model = embedded.load("digits")
    view = View(model.graph, model.instances[0])
    shown = fold(view, most)
    assert set(list(view.taken)[:most]) <= set(shown.nodes)
    nodes = [*shown.nodes, *(node for part in shown.folds for node in part.nodes)]
    assert sorted(nodes) == list(range(model.graph.node_count))
    inside = [{c for node in part.nodes for c in [model.graph.class_of[node]] if c >= 0} for part in shown.folds]
    assert [set(part.classes) for part in shown.folds] == inside


def test_a_long_path_is_folded_too() -> None:
    true, false = read_literal(Boolean(), [1]), read_literal(Boolean(), [0])
    count = 3_000
    nodes = {i: NonTerminal(i, ((i + 1, true), ("no", false))) for i in range(count)}
    chain = decision_graph(
        "chain",
        [Feature(f"x{i}", Boolean()) for i in range(count)],
        ["yes", "no"],
        {**nodes, count: Terminal(0), "no": Terminal(1)},
    )
    pytest.importorskip("graphlay")
    drawn = Drawn(draw(chain, [True] * count).svg)
    (part,) = drawn.of("fold")
    assert part.texts[0] == f"… {count + 2 - 80:,} more nodes"
    assert "path" in part.states
    laws.nothing_overlaps(drawn)


def test_the_numbers_of_xps() -> None:
    found = explain("hardware", FIGURE_1)
    for source, instance in (("hardware", FIGURE_1), (found, None)):
        kinds = [draw(source, instance, number).view.xp for number in (1, 2, 3)]
        assert [xp and xp.kind for xp in kinds] == [Kind.AXP, Kind.CXP, Kind.CXP]
        for number in (0, 4, -1):
            with pytest.raises(
                InputError, match="1 AXp and 2 CXps are numbered in this order; give a number from 1 to 3"
            ):
                draw(source, instance, number)


def words(model: str, xp: XP) -> str:
    """All texts of a picture, lines joined."""
    return " ".join(content for content, _ in Drawn(draw(model, FIGURE_1, xp).svg).text_rooms())


def test_a_wrong_claim_is_drawn_as_it_is() -> None:
    pytest.importorskip("graphlay")
    income = XP(Kind.AXP, frozenset([1]))
    assert "classes N and L are reached, so it does not suffice." in words("hardware", income)
    nothing = XP(Kind.CXP, frozenset([1]))
    assert "only class T is reached, so it changes nothing." in words("hardware", nothing)


def test_what_cannot_be_drawn() -> None:
    with pytest.raises(InputError, match="give the instance"):
        draw("hardware", None, 1)
    with pytest.raises(InputError, match="give the instance"):
        draw("hardware", None, XP(Kind.AXP, frozenset()))
    with pytest.raises(InputError, match="its own model"):
        draw("hardware", FIGURE_1, XP(Kind.AXP, frozenset([9])))
    with pytest.raises(InputError, match="no literals to draw"):
        draw(parse_xpg(TWO_NODES, "two.xpg"))
    with pytest.raises(InputError, match="not an integer from 1"):
        draw("hardware", max_nodes=0)
    with pytest.raises(InputError, match=r"ends in one of \.svg, \.png, \.dot"):
        draw("hardware").save("picture.pdf")


def test_a_png_has_its_signature_and_size(tmp_path: Path) -> None:
    pytest.importorskip("graphlay")
    pytest.importorskip("resvg_py")
    picture = draw("hardware", FIGURE_1, 1)
    try:
        picture.save(tmp_path / "picture.PNG")
    except InputError as error:
        pytest.skip(str(error))
    data = (tmp_path / "picture.PNG").read_bytes()
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", data[16:24])
    page = Drawn(picture.svg).page
    assert width == pytest.approx(2 * page.right, abs=2)
    assert height == pytest.approx(2 * page.bottom, abs=2)


@pytest.mark.parametrize("size", [(100, 100), (3_000, 3_000), (40_000, 500), (500, 200_000), (50_000, 50_000)])
def test_a_png_stays_below_its_limits(size: tuple[float, float]) -> None:
    zoom = scale(*size)
    assert zoom <= 2
    assert max(size) * zoom <= MAX_SIDE + 1
    assert size[0] * size[1] * zoom * zoom <= MAX_AREA + 1


def test_dot_marks_the_same() -> None:
    view = draw("hardware", FIGURE_1, 1).view
    lines = draw("hardware", FIGURE_1, 1).dot().splitlines()
    marked = [node for node in range(view.graph.node_count) if view.graph.feature_of[node] in (0, 3)]
    assert [line.split()[0] for line in lines if "filled" in line] == [f"n{node}" for node in marked]
    assert view.point is not None
    assert view.xp is not None
    found = laws.open_edges(view.graph, view.point, view.xp)
    edges = [
        tuple(int(name[1:]) for name in line.split("[")[0].strip().split(" -> "))
        for line in lines
        if "->" in line and "dashed" not in line
    ]
    assert set(edges) == found


@pytest.mark.parametrize(("package", "form"), [("graphlay", "svg"), ("graphlay", "png"), ("resvg_py", "png")])
def test_a_missing_package_is_named(package: str, form: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if package != "graphlay":
        pytest.importorskip("graphlay")
    monkeypatch.setitem(sys.modules, package, None)
    from xpgcheck.drawing import raster

    raster._has_fonts.cache_clear()
    with pytest.raises(MissingPackageError, match=r"is not installed; run: pip install 'graphlay>="):
        draw("hardware").save(tmp_path / f"picture.{form}")
    assert list(tmp_path.iterdir()) == []
    assert draw("hardware").dot().startswith("digraph")


def test_a_system_without_fonts_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("graphlay")
    monkeypatch.setattr("xpgcheck.drawing.raster._has_fonts", lambda: False)
    with pytest.raises(InputError, match="no fonts for a PNG picture; install some"):
        draw("hardware").png()


@pytest.mark.parametrize(("name", "number"), [("draw-axp.svg", 1), ("draw-cxp.svg", 2)])
def test_the_pictures_of_the_document_are_what_the_command_draws(name: str, number: int) -> None:
    """Up to where the layout puts things, which another version of graphlay may decide otherwise."""
    pytest.importorskip("graphlay")
    kept = Drawn((Path(__file__).resolve().parents[2] / "docs" / "pictures" / name).read_text(encoding="utf-8"))
    fresh = Drawn(draw("hardware", FIGURE_1, number).svg)
    assert [(i.kind, i.data, i.texts, i.tooltip) for i in kept.items] == [
        (i.kind, i.data, i.texts, i.tooltip) for i in fresh.items
    ]


@pytest.mark.parametrize(
    ("name", "kind", "features"),
    [
        ("anchor-wine.svg", Kind.AXP, ("malic_acid", "flavanoids", "od280/od315_of_diluted_wines")),
        ("anchor-wine-axp.svg", Kind.AXP, ("malic_acid", "flavanoids", "color_intensity")),
        ("dice-wine-cxp.svg", Kind.CXP, ("color_intensity",)),
    ],
)
def test_the_pictures_of_the_findings_are_what_is_drawn(name: str, kind: Kind, features: tuple[str, ...]) -> None:
    """Pictures of row 162 of the wine data, in docs/findings/anchors.md and dice.md."""
    pytest.importorskip("graphlay")
    model = embedded.load("wine")
    members = [feature.name for feature in model.graph.features]
    claim = XP(kind, frozenset(map(members.index, features)))
    kept = Drawn((Path(__file__).resolve().parents[2] / "docs" / "pictures" / name).read_text(encoding="utf-8"))
    fresh = Drawn(draw(model.graph, model.instances[161], claim).svg)
    assert [(i.kind, i.data, i.texts, i.tooltip) for i in kept.items] == [
        (i.kind, i.data, i.texts, i.tooltip) for i in fresh.items
    ]
