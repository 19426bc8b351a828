"""Instances from CSV files and from Python values."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path

import pytest

from xpgcheck.errors import InputError, InstanceError, LimitError
from xpgcheck.model.domains import Boolean, Categorical, Domain, Feature, Float32, Integer, Real
from xpgcheck.model.values import MISSING
from xpgcheck.readers import instances
from xpgcheck.readers.instances import instance_rows, parse_instances, read_instances, read_point

FEATURES = [
    Feature("Age", Categorical(("W", "T", "O", "a, b"))),
    Feature("n", Integer(0, 10)),
    Feature("r", Real(Fraction(0), None)),
    Feature("f", Float32(True)),
    Feature("b", Boolean()),
]
POINT = ("W", 3, Fraction(1, 10), Fraction(13421773, 134217728), True)
ROW = "W,3,0.1,0.1,1"


class TestWhatIsRead:
    def test_columns_in_order(self) -> None:
        assert parse_instances(f"Age,n,r,f,b\n{ROW}\n".encode(), FEATURES) == [POINT]

    def test_columns_in_any_order(self) -> None:
        assert parse_instances(b"b,f,r,n,Age\n1,0.1,0.1,3,W\n", FEATURES) == [POINT]

    def test_without_a_header(self) -> None:
        assert parse_instances(f"{ROW}\n{ROW}".encode(), FEATURES) == [POINT, POINT]

    def test_a_header_alone(self) -> None:
        with pytest.raises(InstanceError, match="there is a header and no instance"):
            parse_instances(b"Age,n,r,f,b\n", FEATURES)

    def test_dropped_columns(self) -> None:
        data = f"Age,n,r,f,b,target,id\n{ROW},9,\n".encode()
        assert parse_instances(data, FEATURES, drop_columns=("target", "id")) == [POINT]

    def test_windows_line_ends_a_byte_order_mark_spaces_and_empty_lines(self) -> None:
        data = b"\xef\xbb\xbfAge, n, r, f, b\r\n\r\nW, 3, 0.1, 0.1, 1\r\n\r\n"
        assert parse_instances(data, FEATURES) == [POINT]

    def test_quoted_cells(self) -> None:
        assert parse_instances(b'Age,n,r,f,b\n"a, b",3,0.1,0.1,1\n', FEATURES) == [("a, b", *POINT[1:])]

    def test_missing_values_where_the_domain_has_them(self) -> None:
        points = parse_instances(b"Age,n,r,f,b\nW,3,0.1,,1\nW,3,0.1,NaN,1\nW,3,0.1,missing,1\n", FEATURES)
        assert points == [(*POINT[:3], MISSING, True)] * 3

    def test_fractions_and_exponents(self) -> None:
        assert parse_instances(b"W,3,1/10,1e-1,1", FEATURES) == [POINT]

    def test_features_that_are_called_like_values(self) -> None:
        features = [Feature("0", Boolean()), Feature("1", Boolean())]
        assert parse_instances(b"1,0\n1,1\n0,1\n", features) == [(True, True), (True, False)]

    def test_a_large_file_is_read_in_seconds(self) -> None:
        assert len(parse_instances(f"Age,n,r,f,b\n{(ROW + chr(10)) * 50_000}".encode(), FEATURES)) == 50_000


HEADER = "Age,n,r,f,b\n"


@pytest.mark.parametrize(
    ("data", "place", "problem", "mend"),
    [
        ("", "", "the file is empty", "write a header"),
        ("\n\n", "", "the file is empty", "write a header"),
        ("Age,n,r,f\nW,3,0.1,0.1\n", "line 1", "no column for 1 feature(s): 'b'", "add the column"),
        ("Age\nW\n", "line 1", "no column for 4 feature(s): 'n', 'r', 'f', 'b'", "add the column"),
        (
            "Age,n,r,f,b,x\n",
            "line 1",
            "the column 'x' is not a feature",
            "add --drop-column x, or --ignore-extra-columns",
        ),
        (
            "Age,n,r,f,b,\n",
            "line 1",
            "the column '' is not a feature",
            "add --drop-column '', or --ignore-extra-columns",
        ),
        ("Age,n,r,f,b,b\n", "line 1", "the column 'b' is there twice", "one column"),
        ("Age;n;r;f;b\n", "line 1", "neither a header nor an instance of the 5 feature(s): it has 1 cell", "commas"),
        ("W,3,0.1,0.1\n", "line 1", "neither a header nor an instance of the 5 feature(s): it has 4 cell", "commas"),
        ("X,3,0.1,0.1,1\n", "line 1", "(feature 'Age': 'X' is not a category)", "header"),
        ("age,N,R,F,B\n", "line 1", "neither a header nor an instance", "'Age', 'n', 'r', 'f', 'b'"),
        (f"{HEADER}{ROW}\nW,3\n", "line 3", "there are 2 cells, the first line has 5", "one cell for each column"),
        (f"{HEADER}{ROW},1\n", "line 2", "there are 6 cells, the first line has 5", "one cell for each column"),
        (f"{ROW}\n{ROW},1\n", "line 2", "there are 6 cells, the first line has 5", "one cell for each column"),
        (f"{HEADER}{ROW}\nX,3,0,0,1\n", "line 3, column 1 ('Age')", "'X' is not a category", "write one of"),
        (f"{HEADER}W,11,0,0,1\n", "line 2, column 2 ('n')", "'11' is outside the domain", "[0, 10]"),
        (f"{HEADER}W,1.5,0,0,1\n", "line 2, column 2 ('n')", "'1.5' is not an integer", "[0, 10]"),
        (f"{HEADER}W,,0,0,1\n", "line 2, column 2 ('n')", "the value is missing", "write a value of"),
        (f"{HEADER}W,1,-1e-9,0,1\n", "line 2, column 3 ('r')", "'-1e-9' is outside the domain", "[0, inf)"),
        (f"{HEADER}W,1,nan,0,1\n", "line 2, column 3 ('r')", "the value is missing", "write a value of"),
        (f"{HEADER}W,1,inf,0,1\n", "line 2, column 3 ('r')", "'inf' is not a finite number", ", or leave the row out"),
        (
            f'{HEADER}W,1,"0,5",0,1\n',
            "line 2, column 3 ('r')",
            "'0,5' is not a finite number",
            "after a point, not a comma",
        ),
        (f"{HEADER}W,1,0,1e39,1\n", "line 2, column 4 ('f')", "'1e39' is beyond the float32 numbers", "scale"),
        (
            f"{HEADER}W,1,0,0,y\n",
            "line 2, column 5 ('b')",
            "'y' is not Boolean",
            "0 or 1 (or 0.0 or 1.0, false or true, no or yes)",
        ),
        (f"{HEADER}W,1,0,0,\n", "line 2, column 5 ('b')", "the value is missing", "write 0 or 1"),
        (
            "Age,n,r,f,z,b,y z\n",
            "line 1",
            "2 columns are not features: 'z', 'y z'",
            "--drop-column z --drop-column 'y z', or",
        ),
        ("Age,n,r,f,a\u202eb,b\n", "line 1", "", "add --ignore-extra-columns"),
        ("Age ,n,r,f,b, Age\n", "line 1", "the columns 'Age ', ' Age' could all be the feature 'Age'", "exactly 'Age'"),
        ("b,Age,n,r,f\n1,W,11,0,0\n", "line 2, column 3 ('n')", "'11' is outside the domain", "[0, 10]"),
        (f'{HEADER}"a\nb",3,0,0,1\n', "line 2, column 1 ('Age')", r"'a\nb' is not a category", "write one of"),
        (f'{HEADER}"W,3,0,0,1\n', "line 2", "this is not CSV", "correct the quotes"),
        (f'{HEADER}"W"x,3,0,0,1\n', "line 2", "this is not CSV", "correct the quotes"),
        (f"{HEADER}W,3\0,0,0,1\n", "line 2", "there is a NUL byte", "save"),
        (f"{HEADER}W,3,0,0,{'1' * 200_000}\n", "line 2", "this is not CSV", "correct"),
        (f"{HEADER}\xe9,3,0,0,1\n", "line 2, column 1", "not UTF-8", "save it as UTF-8"),
    ],
)
def test_bad_files(data: str, place: str, problem: str, mend: str, tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    path.write_bytes(data.encode("utf-8" if "\u202e" in data else "latin-1"))
    with pytest.raises(InputError) as caught:
        read_instances(path, FEATURES)
    error = caught.value
    assert type(error) is InstanceError
    assert error.place == (f"{path}: {place}" if place else str(path))
    assert problem in error.problem
    assert mend in error.mend
    assert str(error).isprintable()
    with pytest.raises(InstanceError) as streamed:
        list(instance_rows(path, FEATURES))
    assert streamed.value.mend == error.mend
    if "UTF-8" not in problem:
        # A stream is decoded in blocks, and knows no column there.
        assert str(streamed.value) == str(error)


def _named(*names: str) -> list[Feature]:
    return [Feature(name, Integer()) for name in names]


@pytest.mark.parametrize(
    ("names", "header", "point"),
    [
        (("age", " workclass", " hours"), "age, workclass, hours", (1, 2, 3)),
        (("age", " workclass", "hours "), "hours,age,workclass", (2, 3, 1)),
        (("a", " a", "a "), "a , a,a", (3, 2, 1)),
        (("age_yrs", "_net_pay", "x"), "x,age yrs, net pay", (2, 3, 1)),
        (("age yrs", "b", "c"), "c, b, age_yrs ", (3, 2, 1)),
        (("a b", "a_b", "c"), "a_b,a b,c", (2, 1, 3)),
        (("a, b", 'c "d"', " e"), '  "c ""d""",  "a, b"," e"', (2, 1, 3)),
    ],
)
def test_names_of_columns(names: tuple[str, ...], header: str, point: tuple[int, ...]) -> None:
    assert parse_instances(f"{header}\n1,2,3\n".encode(), _named(*names)) == [point]


@pytest.mark.parametrize(
    ("names", "header", "line"),
    [
        (
            (" a", "a "),
            "a,b",
            "line 1, column 1: the column 'a' could be any of ' a', 'a '; write the name as one of them",
        ),
        (("a b_c", "a_b c"), "a b c,x", "line 1, column 1: the column 'a b c' could be any of 'a b_c', 'a_b c'; write"),
        (("a", "b"), "a b,b", "line 1: there is no column for 1 feature(s): 'a'; add the column"),
        (("a_b", "b"), "a b,b,a_b", "line 1: the column 'a b' is not a feature; add --drop-column 'a b', or --ignore"),
    ],
)
def test_names_of_columns_that_say_too_little(names: tuple[str, ...], header: str, line: str) -> None:
    with pytest.raises(InstanceError) as caught:
        parse_instances(f"{header}\n1,2\n".encode(), _named(*names))
    assert str(caught.value).startswith(line)


@pytest.mark.parametrize(
    ("domain", "cells", "value"),
    [
        (Boolean(), ("1", "1.0", "1.00", "1e0", "True", "TRUE", "true", "yes", " Yes "), True),
        (Boolean(), ("0", "0.0", "-0.0", "False", "FALSE", "no"), False),
        (Integer(0, 2000), ("1", "1.0", "1e0", " 1 ", "True", "TRUE"), 1),
        (Integer(0, 2000), ("1e3", "1000.0"), 1000),
        (Float32(), ("False", "0.0", "-0", "0e5"), Fraction(0)),
        (Float32(True), ("", "NaN", "NA", "<NA>", "N/A", "null", "None", "missing"), MISSING),
        (Categorical(("3", "4", "10")), ("3", "3.0", " 3", "3e0"), "3"),
        (Categorical((" State-gov", "Private")), (" State-gov", "State-gov", "State-gov "), " State-gov"),
        (Categorical(("True", "False")), ("True", "TRUE", "true"), "True"),
        (Categorical(("NA", "x")), ("NA",), "NA"),
    ],
)
def test_cells_that_can_mean_one_value_only(domain: Domain, cells: tuple[str, ...], value: object) -> None:
    for cell in cells:
        assert parse_instances(f'c\n"{cell}"\n'.encode(), [Feature("c", domain)]) == [(value,)], cell


@pytest.mark.parametrize(
    ("domain", "cells"),
    [
        (Boolean(), ("2", "0.5", "t", "y", "on", "1,0", "inf")),
        (Integer(), ("1.5", "yes", "1_000", "inf", "0x1")),
        (Float32(), ("yes", "NA", "inf", "-Infinity", "0,5")),
        (Categorical(("1", "1.0")), ("1.00", "True")),
        (Categorical((" a", "a ")), ("a",)),
        (Categorical(("true", "True")), ("TRUE",)),
        (Categorical(("a", "b")), ("A", "NA", "")),
    ],
)
def test_cells_that_are_refused(domain: Domain, cells: tuple[str, ...]) -> None:
    for cell in cells:
        with pytest.raises(InstanceError, match=r"^line 2, column 1 \('c'\): .*; (write|scale)"):
            parse_instances(f'c\n"{cell}"\n'.encode(), [Feature("c", domain)])


class TestColumnsThatAreLeftOut:
    DATA = b"x, y,a,x\n1,2,3,4\n"

    def test_all_that_are_not_features(self) -> None:
        assert parse_instances(self.DATA, _named("a"), ignore_extra_columns=True) == [(3,)]

    @pytest.mark.parametrize("named", ["y", " y"])
    def test_those_that_are_named(self, named: str) -> None:
        assert parse_instances(self.DATA, _named("a"), drop_columns=["x", named]) == [(3,)]

    def test_a_feature_is_not_left_out(self) -> None:
        with pytest.raises(InstanceError, match=r"the column 'a' is a feature; leave that --drop-column out"):
            parse_instances(self.DATA, _named("a", "y"), drop_columns=["a"])

    def test_a_column_that_would_be_ambiguous(self) -> None:
        assert parse_instances(b" a,a \n1,2\n", _named("a"), drop_columns=["a "]) == [(1,)]
        with pytest.raises(InstanceError, match=r"--drop-column 'a' could be any of ' a', 'a '"):
            parse_instances(b"b, a,a \n1,2,3\n", _named("b"), drop_columns=["a"])

    def test_very_many_are_not_listed(self) -> None:
        header = ",".join(["a", *(f"column {i}" for i in range(900))])
        with pytest.raises(InstanceError) as caught:
            parse_instances(f"{header}\n".encode(), _named("a"))
        assert str(caught.value).startswith("line 1: 900 columns are not features: 'column 0', 'column 1', ")
        assert re.search(r" and 8\d\d more; add --ignore-extra-columns$", str(caught.value))
        assert len(str(caught.value)) < 500


def test_rows_of_a_stream_are_the_instances_with_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "points.csv"
    path.write_text(f"{HEADER}{ROW}\n\n{ROW}\n", encoding="utf-8-sig")
    assert list(instance_rows(path, FEATURES)) == [(2, POINT), (4, POINT)]
    path.write_text(f"{ROW}\n{ROW}\n")
    assert list(instance_rows(path, FEATURES)) == [(1, POINT), (2, POINT)]
    with pytest.raises(InputError, match="no such file"):
        next(instance_rows(tmp_path / "absent.csv", FEATURES))


def test_texts_of_a_column_are_kept_up_to_a_number(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(instances, "MAX_KEPT", 3)
    path = tmp_path / "points.csv"
    path.write_text("\n".join(str(i % 7) for i in range(50)))
    assert [point for _, point in instance_rows(path, _named("n"))] == [(i % 7,) for i in range(50)]


def test_paths_that_fail(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_instances(tmp_path / "absent.csv", FEATURES)
    (tmp_path / "large.csv").write_text(HEADER)
    with pytest.raises(LimitError, match="the limit is 3"):
        read_instances(tmp_path / "large.csv", FEATURES, max_bytes=3)


class TestPoints:
    def test_a_sequence_and_a_mapping(self) -> None:
        values = ["W", 3, Fraction(1, 10), 0.1, True]
        assert read_point(FEATURES, values) == POINT
        assert read_point(FEATURES, dict(zip(("b", "f", "r", "n", "Age"), reversed(values), strict=True))) == POINT

    def test_a_float_is_taken_at_its_exact_value(self) -> None:
        assert read_point(FEATURES, ["W", 3, 0.1, 0.1, 1])[2] == Fraction(0.1)

    def test_names_are_found_as_in_a_table(self) -> None:
        features = [Feature(" a", Integer()), Feature("b_c", Integer())]
        assert read_point(features, {"a": 1, "b c": 2}) == (1, 2)
        with pytest.raises(InstanceError, match=r"the keys 'a', 'a ' could all be the feature ' a'"):
            read_point(features, {"a": 1, "a ": 1, "b_c": 2})

    def test_nan_is_missing_where_that_is_a_value(self) -> None:
        assert read_point(FEATURES, ["W", 3, 0, float("nan"), 1])[3] is MISSING

    @pytest.mark.parametrize(
        ("raw", "place", "problem"),
        [
            (["W", 3, 0, 0], "", "the instance has 4 values, there are 5 features"),
            (["W", 3, 0, 0, 1, 1], "", "the instance has 6 values, there are 5 features"),
            ("W3001", "", "'W3001' is no instance"),
            ({"Age": "W"}, "", "features 'n', 'r', 'f', 'b' have no value"),
            ({"Age": "W", "n": 1, "r": 0, "f": 0, "b": 1, "x": 1}, "", "there is no feature 'x'"),
            ({"Age": "W", "x": 1, "y": 1}, "", "there are no features 'x', 'y'"),
            (["W", 3, float("nan"), 0, 1], "feature 'r'", "the value is missing"),
            (["W", 3, float("inf"), 0, 1], "feature 'r'", "'inf' is not a finite number"),
            (["W", 3, 0, float("inf"), 1], "feature 'f'", "'inf' is not a finite number"),
            (["W", None, 0, 0, 1], "feature 'n'", "the value is missing"),
            ([None, 3, 0, 0, 1], "feature 'Age'", "'None' is not a category"),
            (["W", 3, 0, 0, 2], "feature 'b'", "'2' is not Boolean"),
            (["W", 3, 0, 0, []], "feature 'b'", "'[]' is not Boolean"),
            (["W", [3], 0, 0, 1], "feature 'n'", "is not a finite number"),
        ],
    )
    def test_bad_points(self, raw: object, place: str, problem: str) -> None:
        with pytest.raises(InstanceError) as caught:
            read_point(FEATURES, raw)  # type: ignore[arg-type]
        assert caught.value.place == place
        assert problem in caught.value.problem
        assert caught.value.mend


def test_a_column_to_drop_must_be_there() -> None:
    with pytest.raises(InstanceError, match="no column 'target' to drop"):
        parse_instances(f"Age,n,r,f,b\n{ROW}\n".encode(), FEATURES, drop_columns=["target"])
    with pytest.raises(InstanceError, match="without a header"):
        parse_instances(f"{ROW}\n".encode(), FEATURES, drop_columns=["target"])


def test_scalars_of_numpy_are_taken_at_their_exact_values() -> None:
    numpy = pytest.importorskip("numpy")
    space = [
        Feature("real", Real()),
        Feature("integer", Integer()),
        Feature("boolean", Boolean()),
        Feature("category", Categorical(("a", "b"))),
    ]
    raw = [numpy.float32(0.1), numpy.int64(-3), numpy.bool_(True), numpy.str_("b")]
    point = (Fraction(13421773, 2**27), -3, True, "b")
    assert read_point(space, raw) == point
    assert read_point(space, dict(zip(("real", "integer", "boolean", "category"), raw, strict=True))) == point
    with pytest.raises(InstanceError, match="feature 'integer'"):
        read_point(space, [raw[0], numpy.float64(0.5), *raw[2:]])
    with pytest.raises(InstanceError, match="feature 'real'"):
        read_point(space, [numpy.datetime64("2026-01-01"), *raw[1:]])


def test_a_header_of_bare_numbers_is_no_instance() -> None:
    features = [Feature(f"x{i}", Real()) for i in range(4)]
    with pytest.raises(InstanceError, match="0, 1, … 3 may be a header of columns without names"):
        parse_instances(b"0,1,2,3\n5,6,7,8\n", features)
    assert len(parse_instances(b"0,1,2\n5,6,7\n", features[:3])) == 2
