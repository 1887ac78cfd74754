"""Strata: no class mixes values of a column with fixed levels, by every method that knows them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from fractions import Fraction
from typing import Any

import duckdb
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from oracle import strata as oracle
from oracle.privacy import ordered_distance
from support import Row, database, examples, facts, make_table, read, select, slow

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.methods import METHODS
from sqlanon.spec import parse_spec

DEALING: list[Any] = [
    "mondrian",
    "microaggregation",
    "sabre",
    *slow(
        {"name": "split_or_deal", "effort": "quick"},
        {"name": "split_or_deal", "transferable": True},
        {"name": "mondrian", "partitioning": "strict"},
    ),
]
COLUMNS = {
    "own": "integer",
    "age": "integer",
    "region": "varchar",
    "zip": "varchar",
    "ill": "varchar",
}
REGIONS = ["N", "S", "o'\"dd", "Süd"]
DECLARED: dict[str, Any] = {
    "quasi_identifiers": {
        "age": {"publish": "bounds"},
        "region": {"hierarchy": {"tree": {"*": REGIONS}}},
        "zip": {"hierarchy": {"prefix": [2, 1]}},
    },
    "sensitive": {"ill": {"t": "0.6", "l": 2, "distance": "equal"}},
    "insensitive": {"own": {"accept": "the number of the record, to know it by"}},
    "privacy": {"k": 3},
    "levels": {"region": 0, "zip": [0, 1]},
    "seed": 1,
}
TABLES = st.lists(
    st.tuples(
        st.sampled_from([20, 21, 35, 60, None]),
        st.sampled_from([*REGIONS, None]),
        st.sampled_from(["111", "112", "121", "211", None]),
        st.sampled_from(["flu", "cold", None]),
    ),
    min_size=8,
    max_size=60,
)


def stratum(row: Row) -> Hashable:
    """The region of a record and the first two characters of its zip."""
    return row[2], None if row[3] is None else row[3][:2]


def failing(rows: Sequence[Row], k: int = 3) -> tuple[dict[Hashable, list[Row]], set[Hashable]]:
    """The strata of a table, and those that fail."""
    found = oracle.strata(rows, stratum)
    return found, oracle.failing(found, lambda row: row[4], k, 2, Fraction(6, 10))


def released(rows: Sequence[Row], **declared: Any) -> list[dict[str, Any]]:
    """The rows of a release, by column."""
    with database() as connection:
        make_table(connection, "people", COLUMNS, rows)
        fields = {**DECLARED, **declared}
        sqlanon.anonymize("people", connection=connection, release="public", **fields).close()
        names, found = read(connection, "public")
    return [dict(zip(names, row, strict=True)) for row in found]


def numbered(rows: Sequence[Row]) -> list[Row]:
    return [(number, *row) for number, row in enumerate(rows)]


def check_cells(rows: Sequence[Row], shown: Sequence[dict[str, Any]], k: int) -> None:
    """Every cell of a stratum is the record's own, and every class has k records, two illnesses."""
    own = {row[0]: row for row in rows}
    classes: dict[Hashable, list[Any]] = defaultdict(list)
    for entry in shown:
        _, _, region, place, ill = own[entry["own"]]
        assert entry["region"] == region
        assert (entry["zip"] is None) == (place is None)
        assert place is None or entry["zip"] in (place, f"{place[:2]}*")
        assert entry["ill"] == ill
        cells = (value for name, value in entry.items() if name not in ("own", "ill"))
        classes[tuple(cells)].append(ill)
    assert all(len(found) >= k and len({*found}) >= 2 for found in classes.values())


@pytest.mark.one_in(2)
@pytest.mark.parametrize("method", [*DEALING, "top_down"], ids=str)
@examples(2, 40)
@given(TABLES)
def test_no_cell_shows_two_strata_and_strata_that_fail_are_refused(
    method: Any, table: list[Row]
) -> None:
    """The oracle counts which strata fail; where none does, every cell is as exact as it says."""
    rows = numbered(table)
    found, fails = failing(rows)
    if not fails:
        check_cells(rows, released(rows, method=method), 3)
        return
    with pytest.raises(InfeasibleError) as caught:
        released(rows, method=method)
    left = sum(len(found[one]) for one in fails)
    said = f"{len(fails)} of {len(found)} strata of region and zip, with {left} records"
    if method == "top_down":
        said = (
            f"{left} records lie in classes that fall short; take a higher level as levels.region"
        )
    assert said in str(caught.value)
    advised = "allow records to be suppressed" in str(caught.value)
    assert advised == (len(fails) < len(found)) or method == "top_down"


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("method", [*DEALING, "top_down"], ids=str)
@examples(2, 40)
@given(TABLES)
def test_strata_that_fail_are_left_out_and_nobody_else(method: Any, table: list[Row]) -> None:
    """A limit of all records: those of the strata that fail are left out, if not all do."""
    rows = numbered(table)
    found, fails = failing(rows)
    if len(fails) == len(found):
        with pytest.raises(InfeasibleError):
            released(rows, method=method, suppression={"records": 1})
        return
    shown = released(rows, method=method, suppression={"records": 1})
    kept = {row[0] for name, of in found.items() if name not in fails for row in of}
    if method == "top_down":  # it may leave out more, where that loses less
        assert {entry["own"] for entry in shown} <= {row[0] for row in rows}
    else:
        assert {entry["own"] for entry in shown} == kept
    check_cells(rows, shown, 3)


IN_ORDER = {"ill": {"t": "0.6", "l": 2, "distance": "ordered", "order": ["cold", "flu"]}}
OF_L: dict[str, Any] = {"sensitive": {"ill": {"l": 2}}, "privacy": {"k": 2}}
ONE_AFTER_THE_OTHER: list[Any] = [
    ({"name": "sabre"}, {"sensitive": IN_ORDER}),
    ({"name": "fragmentation"}, {"sensitive": IN_ORDER}),
    ({"name": "fragmentation", "neighbours": "nearest"}, {"sensitive": IN_ORDER}),
    ({"name": "fragmentation", "sizing": "gcd"}, {"sensitive": IN_ORDER}),
    ({"name": "anatomy"}, OF_L),
    ({"name": "anatomy", "locality": "none"}, OF_L),
]


@pytest.mark.slow
@pytest.mark.parametrize(("method", "asked"), ONE_AFTER_THE_OTHER, ids=lambda one: str(one)[:60])
@examples(3, 40)
@given(TABLES)
def test_classes_of_one_stratum_after_the_other_are_close_to_the_table(
    method: dict[str, str], asked: dict[str, Any], table: list[Row]
) -> None:
    """A stratum has a release if it meets what is asked as one class; t is that to the table."""
    rows = numbered(table)
    of_l = method["name"] == "anatomy"
    found, k = oracle.strata(rows, stratum), 2 if of_l else 3

    def short(ills: list[Any]) -> bool:
        if len(ills) < k or len({*ills}) < 2:
            return True
        if of_l:
            return max(map(ills.count, ills)) > len(ills) // 2
        return in_order(ills, [row[4] for row in rows]) > Fraction(6, 10)

    if any(short([row[4] for row in of]) for of in found.values()):
        with pytest.raises(InfeasibleError):
            released(rows, **asked, method=method)
        return
    shown = released(rows, **asked, method=method)
    assert {entry["own"] for entry in shown} == {row[0] for row in rows}
    check_cells(rows, shown, k)
    classes: dict[Hashable, list[Any]] = defaultdict(list)
    for entry in shown:
        cells = (str(value) for name, value in entry.items() if name not in ("own", "ill"))
        classes[tuple(cells)].append(entry["ill"])
    if not of_l:
        table_ills = [row[4] for row in rows]
        assert all(in_order(ills, table_ills) <= Fraction(6, 10) for ills in classes.values())


@pytest.mark.parametrize(
    "method",
    [
        {"name": "random"},
        *slow(
            {"name": "random", "sizes": "free"},
            {"name": "random", "counts": 2},
            {"name": "deal_tree"},
        ),
    ],
    ids=str,
)
@examples(2, 30)
@given(TABLES)
def test_classes_that_are_dealt_in_each_stratum(method: dict[str, Any], table: list[Row]) -> None:
    """Of methods that look at no model but k: every stratum of k records has classes of k."""
    rows = numbered(table)
    found = oracle.strata(rows, stratum)
    asked: dict[str, Any] = {"sensitive": ["ill"], "method": method}
    if any(len(of) < 3 for of in found.values()):
        with pytest.raises(InfeasibleError, match="strata of region and zip"):
            released(rows, **asked)
        return
    shown = released(rows, **asked)
    own = {row[0]: row for row in rows}
    assert {entry["own"] for entry in shown} == {*own}
    classes: dict[Hashable, list[int]] = defaultdict(list)
    for entry in shown:
        cells = (str(value) for name, value in entry.items() if name not in ("own", "ill"))
        classes[tuple(cells)].append(entry["own"])
    for of in classes.values():
        assert len(of) >= 3
        assert len({stratum(own[number]) for number in of}) == 1


def in_order(some: list[Any], of: list[Any]) -> Fraction:
    """The ordered distance of two lists of illnesses, NULL before all."""
    there = [*([None] if None in of else []), "cold", "flu"]
    return ordered_distance(
        [Fraction(some.count(text), len(some)) for text in there],
        [Fraction(of.count(text), len(of)) for text in there],
    )


@pytest.mark.slow
def test_more_classes_form_in_strata_than_one_each() -> None:
    """Three regions alike in their illnesses: a run deals each into many classes."""
    rows = numbered(
        [
            (20 + number % 31, "NS"[number % 2], "111", ("cold", "flu")[number % 3 == 0])
            for number in range(120)
        ]
    )
    for method in ("sabre", "fragmentation"):
        shown = released(rows, sensitive=IN_ORDER, method=method)
        cells = {(entry["age_min"], entry["age_max"], entry["region"]) for entry in shown}
        assert len(cells) > 10


# What a method publishes of the columns, and the strata that it is asked for.
IN_STRETCHES = {
    "quasi_identifiers": {
        "age": {"publish": "bounds"},
        "region": {"hierarchy": {"tree": {"*": REGIONS}}, "publish": "set"},
        "zip": {"hierarchy": {"prefix": [2, 1]}, "publish": "set"},
    }
}
WITH_STARS = {
    "quasi_identifiers": {"age": {}, "region": {}, "zip": {"hierarchy": {"prefix": [2, 1]}}},
    "levels": {"region": 0},
}
ON_TUPLES: list[tuple[str, dict[str, Any]]] = [
    ("k_optimize", IN_STRETCHES),
    ("cell_suppression", WITH_STARS),
]


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("method", "asked"), ON_TUPLES, ids=["k_optimize", "cell_suppression"])
@pytest.mark.parametrize("suppresses", [True, *slow(False)])
@examples(2, 60)
@given(TABLES)
def test_classes_of_tuples_lie_in_strata(
    method: str, asked: dict[str, Any], suppresses: bool, table: list[Row]
) -> None:
    """As one class each, the strata say whether there is a release; of it, no cell shows two."""
    rows = numbered(table)
    by_region = method == "cell_suppression"
    found = oracle.strata(rows, (lambda row: row[2]) if by_region else stratum)
    fails = oracle.failing(found, lambda row: row[4], 3, 2, Fraction(6, 10))
    declared = {**asked, "method": method}
    if suppresses:
        declared["suppression"] = {"records": 1}
    if len(fails) == len(found) or (fails and not suppresses):
        with pytest.raises(InfeasibleError, match=r"out of levels|to be suppressed"):
            released(rows, **declared)
        return
    shown = released(rows, **declared)
    if not suppresses:
        assert {entry["own"] for entry in shown} == {row[0] for row in rows}
    kept = {row[0] for name, of in found.items() if name not in fails for row in of}
    assert {entry["own"] for entry in shown} <= kept
    own = {row[0]: row for row in rows}
    classes: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for entry in shown:
        cells = tuple(str(cell) for name, cell in entry.items() if name not in ("own", "ill"))
        classes[cells].append(own[entry["own"]])
        if by_region:
            assert entry["region"] == own[entry["own"]][2]
    for members in classes.values():
        assert len({row[2] if by_region else stratum(row) for row in members}) == 1
        assert len(members) >= 3
        ills = [row[4] for row in members]
        assert len({*ills}) >= 2
        assert oracle.distance(ills, [row[4] for row in rows]) <= Fraction(6, 10)


@examples(2, 40)
@given(table=TABLES, k=st.sampled_from([1, 2, 4]), suppresses=st.booleans())
def test_every_stratum_is_dealt_by_itself(table: list[Row], k: int, suppresses: bool) -> None:
    """Stack & Deal forms ⌊n / k⌋ classes of each stratum, with its share of every illness."""
    rows = numbered(table)
    asked = {
        "privacy": {"k": k},
        "sensitive": {"ill": {"distance": "equal"}},
        "method": "stack_and_deal",
    }
    asked |= {"suppression": {"records": 1}} if suppresses else {}
    found = oracle.strata(rows, stratum)
    small = {name for name, of in found.items() if len(of) < k}
    if small and (not suppresses or len(small) == len(found)):
        with pytest.raises(InfeasibleError, match=f"{len(small)} of {len(found)} strata"):
            released(rows, **asked)
        return
    with database() as connection:
        make_table(connection, "people", COLUMNS, rows)
        fields = {**DECLARED, **asked}
        sqlanon.anonymize("people", connection=connection, release="public", **fields).close()
        shown = select(connection, "select own from public")[1]
    assert {own for (own,) in shown} == {
        row[0] for name, of in found.items() if name not in small for row in of
    }


def test_a_class_of_a_stratum_has_its_share_of_every_value() -> None:
    """Of 12 records of each region, dealt by 4: three classes with the same counts."""
    rows = numbered(
        [
            (20 + number, region, "111", "flu" if number % 4 else "cold")
            for region in ("N", "S")
            for number in range(12)
        ]
    )
    asked = {"privacy": {"k": 4}, "sensitive": {"ill": {}}, "method": "stack_and_deal"}
    classes: dict[Hashable, list[str]] = defaultdict(list)
    for row in released(rows, **asked, insensitive=[]):
        classes[row["region"], row["age_min"], row["age_max"]].append(row["ill"])
    counted = [sorted(found) for found in classes.values()]
    assert sum(map(len, counted)) == 24
    assert all(found.count("cold") * 4 == len(found) for found in counted)


@pytest.mark.parametrize(
    "method",
    [{"name": "stack_and_deal", "locality": "curve"}, *slow("mondrian", "microaggregation")],
    ids=str,
)
def test_a_column_of_one_value_makes_one_stratum_and_changes_nothing(method: Any) -> None:
    """The classes are those of the table without levels."""
    rows = [(number, number * 7 % 50, "N", "111", "ab"[number % 2]) for number in range(40)]
    given = {"sensitive": {"ill": {"l": 2}}, "method": method}
    assert released(rows, **given) == released(rows, **given, levels={})


def test_a_column_of_one_level_is_published_at_it_by_mondrian() -> None:
    """Records of one group of level 1 are never in a class with those of another."""
    rows = numbered(
        [
            (20 + number % 5, "N", zip_, "ab"[number % 2])
            for number in range(20)
            for zip_ in ("111", "121")
        ]
    )
    zipped = {"hierarchy": {"prefix": [2, 1]}, "publish": "level"}
    asked = {"quasi_identifiers": {"age": {}, "zip": zipped}, "method": "mondrian"}
    shown = released(rows, **asked, levels={"zip": 1})
    assert {entry["zip"] for entry in shown} == {"11*", "12*"}


@pytest.mark.slow
def test_classes_of_alike_background_lie_within_strata() -> None:
    """Clusters of the background are parted by the strata."""
    rows = numbered(
        [
            (20 + number % 4, region, "111", "ab"[(number + number // 7) % 2])
            for number in range(28)
            for region in ("N", "S")
        ]
    )
    known = {"estimate": {"by": ["age"], "smoothing": 1}}
    asked = {
        "quasi_identifiers": {"age": {"publish": "bounds"}, "region": {}},
        "sensitive": {"ill": {"background": known}},
        "privacy": {"k": 3, "bk": 0.5},
        "levels": {"region": 0},
    }
    for method in ("uhra", "mondrian"):
        shown = released(rows, **asked, method=method)
        own = {row[0]: row[2] for row in rows}
        assert all(entry["region"] == own[entry["own"]] for entry in shown), method
        assert len(shown) == len(rows)


def test_a_method_that_does_not_know_strata_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every method knows them; one that is added and does not say so is refused by itself."""
    known = [one.Settings for one in METHODS.values()]
    assert all(settings.chooses_levels or settings.strata for settings in known)
    asked = {"quasi_identifiers": {"age": {}, "region": {}}, "levels": {"region": 0}}
    spec = {"source": "t", "release": "r", **DECLARED, **asked, "method": {"name": "random"}}
    parse_spec(spec)
    monkeypatch.setattr(METHODS["random"].Settings, "strata", False)
    with pytest.raises(SpecError, match="random mixes all values of a column: leave it out"):
        parse_spec(spec)


REFUSED: dict[str, tuple[dict[str, Any], str, str]] = {
    "a level that no hierarchy has": (
        {"quasi_identifiers": {"region": {}}, "levels": {"region": 1}, "method": "mondrian"},
        "levels.region",
        "has no hierarchy, and so no level above 0",
    ),
    "a lowest level of cells that mix levels": (
        {"levels": {"zip": 1}, "method": "mondrian"},
        "levels.zip",
        r"only publish: level shows no cell finer than level 1: say it, or \[0, 1\]",
    ),
    "blind dealing": (
        {"method": {"name": "stack_and_deal", "locality": "stripes"}},
        "method.locality",
        "each stratum is dealt along a curve of its own: leave it out, or say curve",
    ),
    "top_down without a hierarchy": (
        {"quasi_identifiers": {"age": {}}, "levels": {"age": 0}, "method": "top_down"},
        "levels.age",
        "keeps groups of a hierarchy apart, and the column has none",
    ),
    "groups where every cell is a value or a star": (
        {"method": "cell_suppression"},
        "levels.zip",
        "its value or as \\*, and no group: say 0",
    ),
    "stars of no column": (
        {"method": "cell_suppression", "levels": {"age": 0, "region": 0, "zip": 0}},
        "levels",
        "no cell to suppress",
    ),
    "persons": ({"person": ["own"], "insensitive": []}, "levels.region", "in several strata"),
    "exact rows": ({"publish": "anatomy", "privacy": {"k": 1}}, "levels.region", "as they are"),
    "a limit in groups": (
        {"suppression": {"records": 0.1, "within": "age"}},
        "levels.region",
        "whole strata, of all groups alike",
    ),
    "a subset of the strata": (
        {"privacy": {"k": 2, "subsets": [{"columns": ["region"], "k": 5}]}},
        "privacy.subsets.0.columns",
        "'region' would show values of several strata",
    ),
    "a subset of what follows the strata": (
        {
            "quasi_identifiers": {**DECLARED["quasi_identifiers"], "town": {"follows": "region"}},
            "privacy": {"k": 2, "subsets": [{"columns": ["town"], "k": 5}]},
        },
        "privacy.subsets.0.columns",
        "'region', which 'town' follows, would show values of several strata: leave 'town' out",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_spec_that_cannot_have_strata_is_refused(case: str) -> None:
    """With the place in the spec, and what would be accepted."""
    changed, where, why = REFUSED[case]
    spec = {"source": "t", "release": "r", **DECLARED, "method": "mondrian", **changed}
    with pytest.raises(SpecError, match=why) as caught:
        parse_spec(spec)
    assert where in {problem.where for problem in caught.value.problems}


def test_a_level_that_a_hierarchy_lacks_is_refused_by_its_height() -> None:
    """prefix: [2, 1] has the levels 0 to 3."""
    rows = numbered([(20, "N", "111", "ab"[number % 2]) for number in range(6)])
    with pytest.raises(SpecError, match="there is no level 4"):
        released(rows, levels={"zip": [0, 4]}, method="mondrian")


@pytest.mark.slow
def test_the_root_is_no_stratum() -> None:
    """Levels up to * leave all as it is."""
    rows = numbered(
        [(20 + number, "NS"[number % 2], "111", "ab"[number % 2]) for number in range(8)]
    )
    given = {"method": "mondrian", "sensitive": {"ill": {}}}
    assert released(rows, **given, levels={"zip": [0, 3]}) == released(rows, **given, levels={})


def test_a_run_records_how_many_strata_it_kept() -> None:
    """The note of the search counts them."""
    rows = numbered(
        [(20 + number, "NS"[number % 2], "111", "ab"[number // 2 % 2]) for number in range(16)]
    )
    with database() as connection:
        make_table(connection, "people", COLUMNS, rows)
        fields = {**DECLARED, "method": "mondrian"}
        sqlanon.anonymize("people", connection=connection, release="public", **fields).close()
        assert facts(connection, "public")["search_zones"] == "2 clusters kept, 0 suppressed"


@pytest.mark.slow
def test_a_check_holds_cells_to_strata() -> None:
    """Of values, and of groups of a level; a release of a run passes, and other cells do not."""
    rows = [(i, 20 + i % 3, "NS"[i % 2], ["111", "121", None][i % 3], "flu") for i in range(36)]
    declared = {**DECLARED, "sensitive": [], "method": "mondrian"}
    spec = parse_spec({**declared, "source": {"table": "t"}, "release": "public"})
    with database() as connection, sqlanon.open(connection) as db:
        make_table(connection, "t", COLUMNS, rows)
        db.run(spec)
        assert db.check("public").passed
        assert db.check("public", spec=spec).passed
        for column, cell in (("region", "*"), ("zip", "1**")):
            replaced = f"select * replace ('{cell}' as {column}) from public"
            connection.execute(f"create table {column}s as {replaced}")
            found = db.check(f"{column}s", spec=spec)
            assert (found.faults[0].what, found.faults[0].column) == ("mixed_strata", column)


def test_a_check_takes_no_centroid_for_a_cell_of_several_strata() -> None:
    """It excludes no value, whomever it is of: a release of the run's own was called none."""
    rows = [(i, 20 + i % 3, "NS"[i % 2], None, "flu") for i in range(12)]
    columns = {**DECLARED["quasi_identifiers"]["region"], "publish": "mode"}
    declared = {
        "quasi_identifiers": {"age": {"publish": "median"}, "region": columns},
        "levels": {"region": 0},
        "privacy": {"k": 3},
        "method": "stack_and_deal",
    }
    with database() as connection, sqlanon.open(connection) as db:
        make_table(connection, "t", COLUMNS, rows)
        db.run({**declared, "source": {"table": "t"}, "release": "public"})
        assert db.check("public").passed


@pytest.mark.parametrize("method", ["stack_and_deal", *slow("mondrian")])
def test_a_script_says_that_a_new_stratum_is_too_small(method: str) -> None:
    """The stratum came after the script was written, as of a table that grows."""
    rows = [(20 + at % 7, REGIONS[at % 2]) for at in range(24)]
    asked: dict[str, Any] = {"quasi_identifiers": ["age", "region"], "k": 3, "seed": 1}
    asked |= {"levels": {"region": 0}, "method": method}
    with database() as connection:
        make_table(connection, "t", {"age": "integer", "region": "varchar"}, rows)
        script = sqlanon.compile("t", connection=connection, release="out", **asked)
        connection.execute(script)
        connection.execute("insert into t values (20, 'new')")
        with pytest.raises(
            duckdb.Error, match="1 of 3 strata of region, with 1 records, are"
        ) as no:
            connection.execute(script)
        assert "fault of sqlanon" not in str(no.value)
        connection.execute("rollback")


def test_a_remedy_names_a_column_as_a_spec_does() -> None:
    """Its key is in quotes where YAML would read it otherwise."""
    name = "the zip: \"of\" 'home'"
    rows = [(20 + at % 2, f"{at:03}") for at in range(24)]
    asked: dict[str, Any] = {
        "quasi_identifiers": {"age": {}, name: {"hierarchy": {"prefix": [2, 1]}}},
        "levels": {name: [0, 1]},
        "method": {"name": "split_or_deal", "effort": "quick"},
        "k": 11,
    }
    with database() as connection:
        make_table(connection, "t", {"age": "integer", name: "varchar"}, rows)
        with pytest.raises(InfeasibleError) as found:
            sqlanon.anonymize("t", connection=connection, release="out", **asked)
    flow = str(found.value).partition("(levels: ")[2].partition(")")[0]
    assert yaml.safe_load(flow) == {name: [0, 2]}


@pytest.mark.parametrize(
    ("asked", "proves"), [({"t": 0}, True), ({"proximity": {"epsilon": 1, "m": 2}}, False)]
)
def test_only_of_monotone_models_a_stratum_is_said_to_have_no_classes(
    asked: dict[str, Any], proves: bool
) -> None:
    """Classes that hold (ε, m) may be parts of one that fails it."""
    rows = [(20, "a", 1), (21, "a", 1), (22, "a", 1), (23, "b", 9), (24, "b", 9), (25, "b", 9)]
    with database() as connection:
        columns = {"age": "integer", "zip": "varchar", "pay": "integer"}
        make_table(connection, "t", columns, rows)
        with pytest.raises(InfeasibleError) as caught:
            sqlanon.anonymize(
                "t",
                connection=connection,
                quasi_identifiers=["age", "zip"],
                sensitive={"pay": asked},
                privacy={"k": 2},
                levels={"zip": 0},
                method="mondrian",
            )
    said = "fail another model as a whole"
    assert f"{said}{', so that they have no classes that all hold' * proves}: " in str(caught.value)
