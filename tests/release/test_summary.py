"""What a release comes to, in three sentences and a table, wherever a release is shown."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from commands import sqlanon as command
from support import DEALT, Connection, database, make_table

import sqlanon
from sqlanon.measure.detail import Detail
from sqlanon.record.summary import ColumnCost, summary_of
from sqlanon.uses.release.release import Release

pytestmark = pytest.mark.slow

TREE = {"*": {"north": ["Bern", "Thun"], "south": ["Chur", "Davos"]}}
COLUMNS = {
    "age": "integer",
    "born": "date",
    "town": "varchar",
    "site": "varchar",
    "grade": "varchar",
    "pay": "integer",
    "ill": "varchar",
    "dose": "integer",
    "ward": "varchar",
    "place": "varchar",
}
TOWNS = ["Bern", "Thun", "Chur", "Davos"]
ROWS = [
    (
        20 + i // 3 * 2,
        f"2020-0{1 + i // 4}-1{i % 4}",
        None if i > 9 else TOWNS[i // 3],
        f"s{i // 2}",
        "abc"[i // 4],
        i,
        f"ill{i % 3}",
        i * i,
        "xyz"[i % 3],
        TOWNS[i // 3],
    )
    for i in range(12)
]
ORDER = ["a", "b", "c"]
# Every form, and what it says of classes that have records from everywhere.
STEPS = r"a range of (1 step|[\d.]+ steps) on average in all records"
FORMS: dict[str, tuple[dict[str, Any], str]] = {
    "age": ({}, r"a range of [\d.]+ on average in all records"),
    "pay": ({"publish": "bounds"}, r"a range of [\d.]+ on average in all records"),
    "born": ({}, r"a range of \d+ days on average in all records"),
    "grade": ({"order": ORDER, "publish": "interval"}, STEPS),
    "town": ({"hierarchy": {"tree": TREE}}, "nothing in all records"),
    "place": ({"hierarchy": {"tree": TREE}, "publish": "level"}, "nothing in all records"),
    "site": ({}, r"one of [\d.]+ values on average in all records"),
    "dose": ({"publish": "mean"}, "one value for its class in all records"),
    "ward": ({"publish": "mode"}, "one value for its class in all records"),
}


def made(rows: Sequence[Sequence[Any]] = ROWS, **declared: Any) -> Release:
    """A release of some rows, in a database of its own that its connection keeps open."""
    connection = duckdb.connect()
    make_table(connection, "people", COLUMNS, rows)
    given = {"k": 4, "seed": 1, **DEALT, **declared}
    return sqlanon.anonymize("people", connection=connection, **given)


REST = ROWS[0][7:]


def told(cells: Sequence[Any], width: Any) -> str:
    """What cells of ranges say, counted in plain Python."""
    widths = [width(cell) for cell in cells]
    ranges = [one for one in widths if one]
    exact, wide = len(widths) - len(ranges), sum(ranges) / max(1, len(ranges))
    said = f"a range of {wide:.2g} on average"
    if not exact:
        return f"{said} in all records"
    if not ranges:
        return "exact in all records"
    share = len(ranges) / len(widths)
    return f"exact in {1 - share:.0%}, {said} in {share:.0%}"


def numbers(cell: Any) -> float:
    """How wide a range of numbers is; 0 of one number."""
    ends = [float(one) for one in re.findall(r"-?[\d.]+", str(cell))]
    return ends[-1] - ends[0]


def test_every_form_is_told_in_its_readers_terms_and_read_back_by_check() -> None:
    with database() as connection:
        make_table(connection, "people", COLUMNS, ROWS)
        declared: dict[str, Any] = {
            "quasi_identifiers": {name: form for name, (form, _) in FORMS.items()},
            "sensitive": {"ill": {}},
            "privacy": {"k": 4},
            "seed": 1,
            **DEALT,
        }
        release = sqlanon.anonymize("people", connection=connection, release="r", **declared)
        said = {cost.column: cost.left for cost in release.summary.columns}
        assert list(said) == list(FORMS)
        for name, (_, says) in FORMS.items():
            assert re.fullmatch(says, said[name]), (name, said[name])
        frame = release.frame()
        assert said["age"] == told(list(frame["age"]), numbers)
        bounds = list(zip(frame["pay_min"], frame["pay_max"], strict=True))
        assert said["pay"] == told(bounds, lambda ends: float(ends[1] - ends[0]))
        sizes = [cell.count(",") + 1 for cell in frame["site"]]
        assert (
            said["site"] == f"one of {sum(sizes) / len(sizes):.2g} values on average in all records"
        )
        for cost in release.summary.columns:
            assert cost.lost == release.measure("ncp", cost.column)
        spec = sqlanon.parse_spec({"source": "people", "release": "r", **declared})
        found = sqlanon.check("r", spec=spec, connection=connection).summary
        assert {cost.column: cost.left for cost in found.columns} == said
        assert found.protected == release.summary.protected


def test_exact_values_and_ranges_are_told_apart() -> None:
    rows = [(20 if i < 3 else 20 + i, *ROWS[i][1:]) for i in range(6)]
    release = made(rows, quasi_identifiers=["age"], sensitive="ill", k=3, method="mondrian")
    (cost,) = release.summary.columns
    assert cost.left == told(list(release.frame()["age"]), numbers)
    assert cost.left.startswith("exact in 50%, a range of 2 on average")


def test_groups_of_a_hierarchy_are_called_by_what_makes_them() -> None:
    hierarchies: dict[str, Any] = {
        "town": {"hierarchy": {"tree": TREE}},
        "born": {"hierarchy": {"dates": ["month", "year"]}},
        "age": {"hierarchy": {"bands": [4, 20]}},
        "site": {"hierarchy": {"prefix": [1]}},
    }
    rows: list[tuple[Any, ...]] = [
        (21, "2020-01-02", "Bern", "a1"),
        (22, "2020-01-03", "Thun", "a2"),
    ]
    rows += [(30, "2020-02-02", None, "b1"), (30, "2020-02-02", None, "b1")]
    whole = [(*row, "a", i, f"ill{i % 2}", *REST) for i, row in enumerate(rows)]
    found = made(whole, quasi_identifiers=hierarchies, sensitive="ill", k=2, method="mondrian")
    assert {cost.column: cost.left for cost in found.summary.columns} == {
        "town": "exact in 50%, a group such as north in 50%",
        "born": "exact in 50%, the month in 50%",
        "age": "exact in 50%, a band of 4 in 50%",
        "site": "exact in 50%, the first character in 50%",
    }


def test_null_is_exact_where_all_of_a_class_have_none() -> None:
    rows = [
        (None if i < 2 else 30 + i // 4, *ROWS[0][1:5], i, f"ill{i % 2}", *REST) for i in range(6)
    ]
    found = made(rows, quasi_identifiers=["age"], sensitive="ill", k=2, method="mondrian")
    assert found.frame()["age"].isna().sum() == 2
    assert found.summary.columns == (ColumnCost("age", 0.0, "exact in all records"),)


def test_records_left_out_are_told() -> None:
    rows = [(20, "2020-01-01", "Bern", "s", "a", i, f"ill{i % 2}", *REST) for i in range(9)]
    rows.append((77, "2020-01-01", "Thun", "t", "b", 9, "ill1", *REST))
    found = made(
        rows,
        quasi_identifiers=["age", "town"],
        sensitive="ill",
        k=3,
        method="cell_suppression",
        suppression={"records": "1/5"},
    )
    assert [cost.left for cost in found.summary.columns] == ["exact in all records"] * 2
    assert "; 1 record was left out (10.00%), of which all counts as lost." in found.summary.cost


def test_suppressed_cells_say_nothing() -> None:
    rows = [
        (20 + i // 3, *ROWS[0][1:2], "Bern" if i < 4 else "Thun", *ROWS[i][3:]) for i in range(6)
    ]
    asked = {"quasi_identifiers": ["age", "town"], "sensitive": "ill", "k": 3}
    release = made(rows, method="cell_suppression", **asked)
    frame = release.frame()
    for cost in release.summary.columns:
        stars = sum(frame[cost.column] == "*") / 6
        exact = f"exact in {1 - stars:.0%}, nothing in {stars:.0%}"
        every = "nothing in all records" if stars else "exact in all records"
        assert cost.left == (exact if 0 < stars < 1 else every)
    assert "*" in {*frame["age"], *frame["town"]}


def test_every_model_that_was_asked_for_is_in_the_second_sentence() -> None:
    found = made(
        quasi_identifiers=["age"],
        sensitive={"ill": {"t": 0.9, "l": 2}, "pay": {"t": 0.8, "l": 2, "alpha": 0.7}},
        k=6,
    ).summary
    assert found.protected == (
        "Every record shares what is published of the quasi-identifiers with at least 5 others, "
        "its class. Every class holds at least 2 different sensitive values (ill, pay); "
        "the sensitive values of every class are distributed as in the whole table, within t "
        "(ill: 0.9, pay: 0.8); "
        "no sensitive value makes up more of a class than this share (pay: 0.7)."
    )
    assert found.risks == ()


def test_what_asks_for_nothing_protects_nobody() -> None:
    found = made(quasi_identifiers=["age"], sensitive={"ill": {"l": 1}}, k=1)
    assert found.summary.protected == ""


def test_persons_are_called_persons() -> None:
    found = made(
        quasi_identifiers=["age"], sensitive="ill", person="site", identifiers=[], k=2
    ).summary
    assert found.protected.startswith("Every person shares what is published")


@pytest.mark.parametrize(
    ("publish", "lost"),
    [
        ("anatomy", "quasi-identifiers and sensitive values"),
        ("permuted", "quasi-identifiers and sensitive values"),
        ({"name": "sliced", "columns": [["age", "town"], ["ill"]]}, "slices"),
    ],
)
def test_exact_rows_lose_what_belongs_together(publish: Any, lost: str) -> None:
    release = made(
        quasi_identifiers=["age", "town"], sensitive={"ill": {"l": 2}}, k=1, publish=publish
    )
    found = release.summary
    assert "published as they are, and only groups tie" in found.protected
    assert found.cost == f"Within a group it is lost which {lost} belong together."
    assert found.columns == ()
    sample = release.preview()
    assert sample is not None
    groups = [row[sample.columns.index("group_id")] for row in sample.rows]
    assert len(groups) == len(set(groups)) > 1


# --- risks ---------------------------------------------------------------------------------------


def test_a_class_of_one_value_is_a_risk_that_is_told() -> None:
    rows = [(20 + i // 3, *ROWS[0][1:5], i, "one" if i < 3 else f"d{i}", *REST) for i in range(6)]
    found = made(rows, quasi_identifiers=["age"], sensitive="ill", k=3, method="mondrian").summary
    (risk,) = found.risks
    assert "of ill in 1 class with 3 records. Ask for l: 2 or more of it" in risk


def test_records_alone_by_an_insensitive_column_are_a_risk_that_is_told() -> None:
    found = made(
        quasi_identifiers=["age"],
        sensitive="ill",
        insensitive={"pay": {"accept": "a test"}},
        k=6,
    ).summary
    (risk,) = found.risks
    assert risk.startswith("12 records are alone (100.00%) with the published quasi-identifiers ")


def test_a_share_that_nothing_bounds_is_a_risk_that_is_told() -> None:
    rows = [
        (20 + i // 6, *ROWS[0][1:5], i, "rare" if 0 < i < 6 else f"d{i}", *REST) for i in range(12)
    ]
    asked = {"quasi_identifiers": ["age"], "k": 6, "method": "mondrian"}
    (risk,) = made(rows, sensitive={"ill": {"l": 2}}, **asked).summary.risks
    assert risk.startswith("In some class 83% of the records have one value of ill, and no model")
    assert not made(rows, sensitive={"ill": {"l": 2, "alpha": 0.9}}, **asked).summary.risks


def test_a_share_that_the_whole_table_has_is_none() -> None:
    rows = [(20 + i // 6, *ROWS[0][1:5], i, "rare" if i % 6 else f"d{i}", *REST) for i in range(12)]
    asked = {"quasi_identifiers": ["age"], "k": 6, "method": "mondrian"}
    assert not made(rows, sensitive={"ill": {"l": 2}}, **asked).summary.risks


# --- words ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("detail", "says"),
    [
        (Detail("q", "range", 9, 63_115_200.0, "seconds"), "a range of 2 years on average"),
        (Detail("q", "range", 9, 7_200.0, "seconds"), "a range of 2 hours on average"),
        (Detail("q", "range", 9, 30.0, "seconds"), "a range of 30 seconds on average"),
        (Detail("q", "range", 9, 1.0, "places"), "a range of 1 step on average"),
        (Detail("q", "range", 9, 12_345.6), "a range of 12,346 on average"),
        (Detail("q", "range", 9, 5e15), "a range of 5e+15 on average"),
    ],
)
def test_a_width_has_a_unit_that_people_take(detail: Detail, says: str) -> None:
    (cost,) = summary_of((), [detail], ()).columns
    assert cost.left == f"{says} in all records"


def test_little_is_never_called_nothing_and_most_never_all() -> None:
    few = [Detail("q", "exact", 999), Detail("q", "none", 1)]
    (cost,) = summary_of((), few, ()).columns
    assert cost.left == "exact in >99%, nothing in <1%"


def test_a_sentence_names_the_columns_that_lost_most() -> None:
    many = [Detail(f"q{i}", "exact", 1) for i in range(7)]
    (sentence,) = summary_of((), many, ()).sentences
    assert sentence.endswith("; and 3 more columns).")


# --- where it is shown ---------------------------------------------------------------------------


def write(folder: Path) -> None:
    """A table with NULL beside empty text in it, and its spec."""
    rows = "".join(f"{20 + i // 2},{'' if i < 2 else repr(i // 2)},d{i % 2}\n" for i in range(12))
    (folder / "t.csv").write_text("age,note,ill\n" + rows, encoding="utf-8")
    query = "select age, note, case when age < 22 then '' end as word, ill from 't.csv'"
    declared = {
        "source": {"query": query},
        "release": "r",
        "quasi_identifiers": ["age", "word"],
        "sensitive": {"ill": {"l": 2}},
        "privacy": {"k": 2},
        "method": "mondrian",
        "seed": 1,
    }
    (folder / "s.yaml").write_text(yaml.safe_dump(declared), encoding="utf-8")


def test_run_begins_with_it_and_shows_the_metrics_only_if_asked(tmp_path: Path) -> None:
    write(tmp_path)
    done = command(tmp_path, "run", "s.yaml", "--quiet")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Every record shares what is published of the quasi-identifiers")
    assert "It cost nothing of the quasi-identifiers." in done.stdout
    assert "k_anonymity" not in done.stdout
    assert "with the sensitive ones" not in done.stdout
    full = command(tmp_path, "run", "s.yaml", "--quiet", "--full").stdout
    assert "k_anonymity" in full
    assert "Unique in what is published" in full
    assert "with the sensitive ones" not in full
    known = set(json.loads(command(tmp_path, "run", "s.yaml", "--json").stdout))
    assert "metrics" in known
    assert not known & {"summary", "detail"}


def test_the_preview_shows_five_classes_and_tells_empty_text_from_null(tmp_path: Path) -> None:
    write(tmp_path)
    shown = command(tmp_path, "run", "s.yaml", "--quiet").stdout
    start = shown.index("r, a row of each of some classes")
    table = shown[start:].splitlines()[4:9]
    words = [line.split()[:2] for line in table]
    assert words == [["20", "''"], ["21", "''"], ["22", "NULL"], ["23", "NULL"], ["25", "NULL"]]


def test_check_says_it_of_the_release_as_the_run_did(tmp_path: Path) -> None:
    write(tmp_path)
    run = command(tmp_path, "run", "s.yaml", "--quiet").stdout
    done = command(tmp_path, "check", "r", "--database", "r.duckdb", "--spec", "s.yaml", "--quiet")
    assert done.returncode == 0
    end = run.index("r, a row of each")
    assert done.stdout.startswith(run[:end])
    raw = command(tmp_path, "check", "t.csv", "--qi", "age,note", "--k", "3", "--quiet").stdout
    assert raw.startswith("Nothing that was asked for holds.")


def test_a_notebook_shows_it_with_a_bar_and_rows() -> None:
    release = made(quasi_identifiers=["age"], sensitive="ill", k=6)
    first, *sentences = repr(release).splitlines()
    assert first == "Release(anonymized, 12 records in 2 classes)"
    assert sentences == list(release.summary.sentences)
    page = release._repr_html_()
    assert f"<p>{release.summary.protected}</p>" in page
    width = round(100 * (release.measure("ncp", "age") or 0))
    assert f"width:{width}%" in page
    assert "a row of each of some classes" in page
    release.close()
    release.engine.driver.close()
    assert f"<p>{release.summary.protected}</p>" in release._repr_html_()


def page_of(release: Release, folder: Path, external: bool = False) -> str:
    """A report of a release, as text."""
    file = release.report(folder / f"{external}.html", external=external)
    return file.read_text(encoding="utf-8")


def test_a_report_begins_with_it_and_others_are_not_told_the_risks(tmp_path: Path) -> None:
    rows = [(20 + i // 3, *ROWS[0][1:5], i, "one" if i < 3 else f"d{i}", *REST) for i in range(6)]
    release = made(rows, quasi_identifiers=["age"], sensitive="ill", k=3, method="mondrian")
    inside, outside = page_of(release, tmp_path), page_of(release, tmp_path, external=True)
    for page in (inside, outside):
        assert page.index("with at least 2 others") < page.index("What was declared</h2>")
        assert "exact in all records" in page
    assert "of ill in 1 class with 3 records" in inside
    assert "of ill in 1 class" not in outside


def test_a_release_of_a_script_is_told_without_its_detail(
    tmp_path: Path, made_by_script: Connection
) -> None:
    file = sqlanon.report("r", tmp_path / "r.html", connection=made_by_script)
    page = file.read_text(encoding="utf-8")
    assert "with at least 5 others" in page
    assert "What is left of the quasi-identifiers" in page
    assert "a range of" not in page[: page.index("What was declared</h2>")]


@pytest.fixture
def made_by_script() -> Connection:
    connection: Connection = duckdb.connect()
    make_table(connection, "people", COLUMNS, ROWS)
    declared = {"quasi_identifiers": ["age"], "sensitive": ["ill"], "k": 6, "seed": 1, **DEALT}
    text = sqlanon.compile(
        "people", connection=connection, release="r", all_metrics=True, **declared
    )
    connection.execute(text)
    return connection
