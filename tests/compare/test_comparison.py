"""Releases side by side: as their runs measured them, with what was asked otherwise."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from commands import sqlanon as command
from support import DEALT, database

import sqlanon
from sqlanon.errors import SpecError
from sqlanon.pages.figures import PROSECUTOR_RISK, finding, side_by_side
from sqlanon.record.metrics import value_of
from sqlanon.uses.comparison.comparison import differences

SOURCE = """
create table t as select
    (20 + i * 7 % 50)::integer as age,
    'town ' || (i * i % 7) as town,
    ['flu', 'cold', 'ulcer'][1 + i % 3] as disease,
    (i * 13 % 40)::integer as costs
from range(120) as r(i)
"""
ROLES: dict[str, Any] = {
    "quasi_identifiers": ["age", "town"],
    "sensitive": {"disease": {"t": 0.5}},
    "seed": 4711,
    **DEALT,
}


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with two releases of one source."""
    path = tmp_path_factory.mktemp("compared") / "both.duckdb"
    with database(path) as fresh:
        fresh.execute(SOURCE)
        sqlanon.anonymize("t", release="fine", k=4, connection=fresh, **ROLES)
        sqlanon.anonymize("t", release="coarse", k=12, connection=fresh, **(ROLES | {"seed": 1}))
        fresh.execute("create table other as select * from fine")
    return path


@pytest.fixture
def db(file: Path) -> Iterator[sqlanon.Database]:
    with sqlanon.open(file, progress=False) as opened:
        yield opened


@pytest.mark.slow
def test_every_figure_is_as_the_run_measured_it(db: sqlanon.Database) -> None:
    found = db.compare("fine", "coarse")
    assert found.names == ("fine", "coarse")
    for name in found.names:
        measures = db.check(name).measures
        for figure, attribute in (
            ("k_anonymity", None),
            ("distinct_l", "disease"),
            ("t_closeness", "disease"),
            ("gcp", None),
            ("ncp", "age"),
            ("ncp", "town"),
            ("classes", None),
            ("prosecutor_risk", None),
        ):
            expected = value_of(measures, figure, attribute)
            assert found.value(figure, name, attribute) == pytest.approx(expected, abs=1e-8)
    with pytest.raises(KeyError, match="no 'rough'"):
        found.value("gcp", "rough")
    with pytest.raises(KeyError, match="of town was not measured"):
        found.value("gcp", "fine", "town")


def test_the_best_of_a_row_goes_by_its_direction(db: sqlanon.Database) -> None:
    rows = {(row.figure, row.of): row for row in db.compare("fine", "coarse").rows}
    assert rows["k_anonymity", ()].values == (4, 12)
    assert rows["k_anonymity", ()].best == {1}
    assert rows["gcp", ()].best == {0}
    assert rows["prosecutor_risk", ()].best == {1}
    assert rows["records", ()].best == frozenset()


def test_what_is_left_of_each_column_stands_side_by_side(db: sqlanon.Database) -> None:
    found = db.compare("fine", "coarse")
    assert list(found.left) == ["age", "town"]
    fine, coarse = found.left["age"]
    assert ("%: " in fine, "%: " in coarse) == (True, True)
    assert fine != coarse


@pytest.mark.slow
def test_what_was_asked_otherwise_is_said_and_no_seed(db: sqlanon.Database) -> None:
    found = db.compare("fine", "coarse")
    assert [(difference.field, difference.values) for difference in found.differences] == [
        ("privacy.k", ("4", "12"))
    ]
    text = json.dumps(found.as_object()) + found.html() + found._repr_html_() + repr(found)
    assert "4711" not in text
    alike = db.compare("fine").beside(db.compare("coarse"))
    assert alike == found
    assert "All of them were asked for the same." not in found.remarks


def test_columns_and_thresholds_that_one_spec_lacks_are_differences() -> None:
    one = {
        "seed": 1,
        "quasi_identifiers": {"age": {"publish": None}, "zip": {"hierarchy": {"prefix": [2]}}},
        "sensitive": {"ill": {"t": "1/5"}},
        "privacy": {"k": 3},
    }
    other = {"seed": 2, "quasi_identifiers": {"age": {}}, "privacy": {"k": 3, "alpha": "1/3"}}
    assert {found.field: found.values for found in differences([one, other, {}])} == {
        "quasi_identifiers.zip": ("yes", "", "not known"),
        "quasi_identifiers.zip.hierarchy": ('{"prefix": [2]}', "", "not known"),
        "sensitive.ill": ("yes", "", "not known"),
        "sensitive.ill.t": ("0.2", "", "not known"),
        "privacy.alpha": ("", "1/3", "not known"),
    }
    trees = [{"order": [f"{n}" * 40, "b" * 40]} for n in (1, 2, 1)]
    assert differences(trees)[0].values == ("a long one (1)", "a long one (2)", "a long one (1)")


@pytest.mark.slow
def test_t_by_another_distance_is_compared_with_nothing(db: sqlanon.Database) -> None:
    asked = {name: value for name, value in ROLES.items() if name != "sensitive"}
    for name in ("ordered", "equal"):
        db.run("t", release=name, k=4, sensitive={"costs": {"t": 0.9, "distance": name}}, **asked)
    found = db.compare("ordered", "equal")
    row = next(one for one in found.rows if one.figure == "t_closeness")
    assert len(set(row.values)) == 2
    assert row.best == frozenset()
    assert any("cannot be compared" in text and "costs" in text for text in found.remarks)


def test_another_table_is_measured_by_its_roles_or_a_spec(db: sqlanon.Database) -> None:
    with pytest.raises(SpecError, match="'other' is no release of a run"):
        db.compare("fine", "other")
    by_roles = db.compare(
        "fine", "other", quasi_identifiers=["age", "town"], sensitive=["disease"], reference="t"
    )
    for figure, attribute in (("k_anonymity", None), ("t_closeness", "disease")):
        fine, other = (by_roles.value(figure, name, attribute) for name in by_roles.names)
        assert fine == pytest.approx(other)
    assert by_roles.value("gcp", "other") is None
    assert by_roles.remarks == ("Of other no spec is known, and so not what was asked.",)
    to_itself = db.compare("other", quasi_identifiers=["age"], sensitive=["disease"])
    assert "measured against its own distribution" in to_itself.remarks[0]
    spec = sqlanon.parse_spec({"source": "t", "release": "x", **ROLES, "privacy": {"k": 4}})
    by_spec = db.compare("fine", "other", spec=spec)
    assert by_spec.value("gcp", "other") == by_spec.value("gcp", "fine")
    assert by_spec.differences == ()
    assert by_spec.remarks == ("All of them were asked for the same.",)
    harder = sqlanon.parse_spec({"source": "t", "release": "x", **ROLES, "privacy": {"k": 90}})
    assert "other does not hold" in db.compare("other", spec=harder).remarks[0]


@pytest.mark.slow
def test_attacks_and_utility_stand_side_by_side_where_they_are_asked_for(
    db: sqlanon.Database,
) -> None:
    plain = db.compare("fine", "coarse")
    assert (plain.attacked, plain.useful) == ((), ())
    found = db.compare("fine", "coarse", attacks=True, utility=True)
    assert found.rows == plain.rows
    for name in found.names:
        attacked, useful = db.attack(name), db.utility(name)
        for one in attacked.findings:
            assert found.value(one.figure, name, one.attribute) == one.value
        shown = {(row.figure, row.of): row for row in found.useful}
        place = found.names.index(name)
        for each in useful.findings:
            assert shown[each.figure, each.of].values[place] == each.value
        (of_pairs,) = (
            row
            for table in found.tables
            for row in table.rows
            if row[:2] == ("pair variation", "pairs, on average")
        )
        mean = useful.mean("pair_variation")
        assert mean is not None
        assert str(of_pairs[2 + place]).startswith(f"{mean:.2%}")
    captions = [table.caption for table in found.tables]
    assert captions.index("What attacks find") < captions.index("What it is still good for")
    assert {"attacks", "utility"} <= found.as_object().keys()
    assert len(found.as_object()["utility"]) == len(found.useful)
    assert "What it is still good for" in found.html()
    linked = db.compare("fine", "coarse", external="t")
    assert linked.value("linking_smallest_group", "coarse") == 12


@pytest.mark.slow
def test_utility_is_refused_where_a_source_is_not_known(db: sqlanon.Database) -> None:
    roles: dict[str, Any] = {"quasi_identifiers": ["age", "town"], "sensitive": ["disease"]}
    with pytest.raises(SpecError, match="the use of other cannot be measured: source"):
        db.compare("fine", "other", utility=True, **roles)
    spec = sqlanon.parse_spec({"source": "t", "release": "x", **ROLES, "privacy": {"k": 4}})
    found = db.compare("fine", "other", spec=spec, attacks=True, utility=True)
    for row in (*found.attacked, *found.useful):  # it is the same table
        assert row.values[0] == row.values[1], row
    in_memory = made("frame", 4)
    with pytest.raises(
        SpecError, match=r"use of frame cannot be measured: .* give the source again"
    ):
        sqlanon.compare(in_memory, utility=True)
    in_memory.close()


def test_a_release_that_was_changed_is_not_compared(tmp_path: Path) -> None:
    with database(tmp_path / "changed.duckdb") as own:
        own.execute(SOURCE)
        sqlanon.anonymize("t", release="fine", k=4, connection=own, **ROLES)
        own.execute("delete from fine where rowid = 1")
        with pytest.raises(SpecError, match="changed since its run"):
            sqlanon.compare("fine", connection=own)
        with pytest.raises(SpecError, match="there is no release 'rough'"):
            sqlanon.compare("rough", connection=own)


def test_releases_in_hand_may_lie_in_several_databases() -> None:
    first, second = (made(name, k) for name, k in (("first", 4), ("second", 12)))
    found = sqlanon.compare(first, second)
    assert (found.value("k_anonymity", "first"), found.value("k_anonymity", "second")) == (4, 12)
    with pytest.raises(SpecError, match="'first' is named twice"):
        sqlanon.compare(first, first)
    with pytest.raises(SpecError, match="name the releases"), sqlanon.open() as empty:
        empty.compare()
    for one in (first, second):
        one.close()


def made(name: str, k: int) -> sqlanon.Release:
    """A release in a database of its own, in memory."""
    rows = [(20 + i * 7 % 50, f"town {i % 7}", f"ill {i % 3}") for i in range(60)]
    people = pd.DataFrame(rows, columns=["age", "town", "disease"])
    return sqlanon.anonymize(people, release=name, k=k, progress=False, **ROLES)


def test_a_page_is_written_once(db: sqlanon.Database, tmp_path: Path) -> None:
    found, page = db.compare("fine", "coarse"), tmp_path / "both.html"
    assert found.write(page) == page
    text = page.read_text(encoding="utf-8")
    assert all(one in text for one in ("fine", "coarse", "What was asked, where it differs"))
    with pytest.raises(SpecError, match="is there already"):
        found.write(page)
    found.write(page, overwrite=True)
    with pytest.raises(SpecError, match=r"must end in \.html"):
        found.write(tmp_path / "both.pdf")


def test_figures_stand_side_by_side_whatever_lacks_one() -> None:
    risk, more = finding(PROSECUTOR_RISK, 0.25), finding(PROSECUTOR_RISK, 0.5)
    of_age = finding(PROSECUTOR_RISK, 0.1, ("age",))
    whole, part = side_by_side([[risk], [], [more, of_age]])
    assert (whole.shown, whole.best) == (("25.00%", "", "50.00%"), frozenset({0}))
    assert (part.values, part.best) == ((None, None, 0.1), frozenset())


@pytest.mark.slow
def test_the_command_finds_each_release_in_its_own_file(tmp_path: Path) -> None:
    rows = "".join(f"{20 + i * 7 % 50},town {i % 7},{'abc'[i % 3]}\n" for i in range(60))
    (tmp_path / "t.csv").write_text("age,town,disease\n" + rows, encoding="utf-8")
    for name, k in (("fine", 4), ("coarse", 12)):
        spec = (
            f"source: t.csv\nrelease: {name}\nquasi_identifiers: [age, town]\n"
            f"sensitive: {{disease: {{t: 0.5}}}}\nprivacy: {{k: {k}}}\n"
            "method: stack_and_deal\nseed: 4711\n"
        )
        (tmp_path / f"{name}.yaml").write_text(spec, encoding="utf-8")
        assert command(tmp_path, "run", f"{name}.yaml").returncode == 0
    done = command(tmp_path, "compare", "fine", "coarse", "--html", "both.html")
    assert done.returncode == 0, done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    assert ["k", "anonymity", "4", "12", "*"] in lines
    assert ["privacy.k", "4", "12"] in lines
    assert (tmp_path / "both.html").is_file()
    found = json.loads(command(tmp_path, "compare", "fine", "coarse", "--json").stdout)
    k = next(one for one in found["figures"] if one["figure"] == "k_anonymity")
    assert (k["values"], k["best"]) == ([4, 12], ["coarse"])
    assert command(tmp_path, "export", "fine", "-o", "theirs.csv").returncode == 0
    roles = ("--qi", "age,town", "--sensitive", "disease", "--reference", "t.csv")
    done = command(tmp_path, "compare", "coarse", "theirs.csv", *roles)
    assert ["k", "anonymity", "12", "*", "4"] in [line.split() for line in done.stdout.splitlines()]
    for refused, why in (
        (("fine",), "name two releases or more"),
        (("fine", "theirs.csv"), "a file is taken with --spec, or with --qi"),
        (("fine", "coarse", "--html", "both.html"), "is there already"),
        (("fine", "none"), "there is no database 'none.duckdb' here"),
    ):
        done = command(tmp_path, "compare", *refused)
        assert (done.returncode, why in done.stderr) == (2, True), done.stderr
