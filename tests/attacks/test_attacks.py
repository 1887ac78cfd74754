"""Attacks on releases against plain Python that sees only what is published."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from commands import sqlanon as command
from hypothesis import given
from hypothesis import strategies as st
from odd_table import GROUP, KNOWN, QUASI, SPEC, TYPES, VALUES, cells
from oracle.attacks import (
    Cell,
    Under,
    alike_in_groups,
    alike_in_order,
    inside,
    linking,
    membership,
)
from oracle.attacks import Row as Published
from servers import Place, place
from support import (
    ROOT,
    Connection,
    Row,
    database,
    examples,
    make_table,
    quoted,
    read,
    slow,
)

import sqlanon
from sqlanon.errors import SpecError
from sqlanon.uses.attacks import FIGURE_OF
from sqlanon.uses.attacks.findings import Attacked
from sqlanon.uses.attacks.in_classes import minimality

METHODS = ("split_or_deal", "stack_and_deal", "mondrian", "optimal")
STRANGE: Row = (99, "999", "nowhere", 77, date(1970, 1, 1))  # nobody of the source


def named_by(cell: Cell) -> frozenset[Any]:
    """The values that a set names; NULL stands for itself."""
    return cell.values if isinstance(cell, Under) else frozenset([cell])


def compare(found: Attacked, wanted: Mapping[str, Any], attribute: str | None = None) -> None:
    for figure, value in wanted.items():
        of = attribute if FIGURE_OF[figure].per == "sensitive attribute" else None
        reached = found.value(figure, of)
        assert (reached is None) == (value is None), figure
        assert value is None or reached == pytest.approx(float(value), abs=2e-9), figure


PAPERS = Path(__file__).parents[1] / "papers/cases.json"


def attacked(
    connection: Connection, rows: Sequence[Row], persons: Sequence[Row], **spec: Any
) -> Attacked:
    make_table(connection, "t", TYPES, rows)
    make_table(connection, "they", {name: TYPES[name] for name in KNOWN}, persons)
    sqlanon.anonymize(sqlanon.parse_spec({**SPEC, **spec}), connection=connection)
    return sqlanon.attack("public", external="they", connection=connection)


@pytest.mark.slow
@examples(2, 20)
@given(
    st.lists(st.tuples(*QUASI, *VALUES), min_size=2, max_size=24),
    st.lists(st.tuples(*QUASI), max_size=6),
    st.sampled_from(METHODS),
    st.integers(2, 4),
)
def test_generalized_releases(rows: list[Row], others: list[Row], method: str, k: int) -> None:
    k = min(k, len(rows))
    persons = [*(row[:5] for row in rows), *others, STRANGE]
    asked = {"privacy": {"k": k}, "method": method}
    if method == "optimal":
        groups = {name: SPEC["quasi_identifiers"][name] for name in ("zip", "born")}
        groups |= {"äge": {"hierarchy": {"bands": [3, 6]}}}
        asked["quasi_identifiers"] = groups
    with database() as connection:
        if method == "optimal":
            linked_by_levels(connection, rows, k, asked)
            return
        found = attacked(connection, rows, persons, **asked)
        _, released = read(connection, "public")
    published = [(cells(row[:6]), row[6], row[7]) for row in released]
    of = {shown: str(row[:6]) for (shown, _, _), row in zip(published, released, strict=True)}
    for attribute, at in (("disease", 1), ("pay", 2)):
        values: dict[Any, list[Any]] = defaultdict(list)
        for one in published:
            values[of[one[0]]].append(one[at])
        records = [Published(shown, of[shown]) for shown, _, _ in published]
        towns = {one for shown, _, _ in published for one in named_by(shown[2])}
        compare(found, linking(persons, records, values, {2: towns}), attribute)
        classes = list(values.values())
        compare(found, inside(classes), attribute)
        alike = alike_in_order(classes) if at == 2 else alike_in_groups(classes, GROUP)
        compare(found, {"similarity_share": alike}, attribute)
    compare(found, membership(persons, Counter(shown for shown, _, _ in published)))
    source = linking([row[:5] for row in rows], records, values)
    assert source["linking_smallest_group"] >= k  # type: ignore[operator]
    assert source["linking_found_share"] == 1


def linked_by_levels(
    connection: Connection, rows: Sequence[Row], k: int, asked: Mapping[str, Any]
) -> None:
    """Labels of one level: whoever is in the source finds k records at least."""
    make_table(connection, "t", TYPES, rows)
    sqlanon.anonymize(sqlanon.parse_spec({**SPEC, **asked}), connection=connection)
    found = sqlanon.attack("public", external="t", connection=connection)
    assert found.value("linking_smallest_group") >= k  # type: ignore[operator]
    assert found.value("linking_found_share") == 1
    _, released = read(connection, "public")
    sizes = Counter(row[:3] for row in released)
    linkage = Fraction(len(sizes), len(rows))  # labels of a level share no value
    assert found.value("record_linkage") == pytest.approx(float(linkage), abs=1e-9)


@examples(1, 15)
@given(
    st.lists(st.tuples(*QUASI, *VALUES), min_size=8, max_size=24),
    st.lists(st.tuples(*QUASI), max_size=6),
    st.sampled_from(("anatomy", "permuted")),
)
def test_exact_rows_in_groups(rows: list[Row], others: list[Row], publication: str) -> None:
    """A row is found, but never fewer sensitive values than a group has."""
    asked = {
        "privacy": {"k": 1},
        "publish": {"name": publication, "group": 4},
        "quasi_identifiers": KNOWN,
        "sensitive": {"disease": {"t": "0.999"}},
    }
    persons = [*(row[:5] for row in rows), *others, STRANGE]
    with database() as connection:
        found = attacked(connection, rows, persons, **asked)
        _, released = read(connection, "public")
        values: dict[Any, list[Any]] = defaultdict(list)
        if publication == "anatomy":
            for group, value, records in read(connection, "public__sensitive")[1]:
                values[group] += [value] * records
        else:
            for row in released:
                values[row[0]].append(row[-1])
    published = [Published(row[1:6], row[0]) for row in released]
    named = {at: {row[1 + at] for row in released} for at in (1, 2)}
    compare(found, linking(persons, published, values, named), "disease")
    compare(found, inside(list(values.values())), "disease")
    assert found.value("linking_smallest_choice") >= 4  # type: ignore[operator]
    assert "membership" in found.notes


@examples(1, 20)
@given(st.lists(st.tuples(*QUASI, *VALUES), min_size=2, max_size=24), st.integers(1, 3))
def test_linking_by_some_of_the_quasi_identifiers(rows: list[Row], known: int) -> None:
    """Who knows less finds more records, never fewer than k."""
    on = [KNOWN[known], KNOWN[0]]
    with database() as connection:
        make_table(connection, "t", TYPES, rows)
        sqlanon.anonymize(sqlanon.parse_spec(SPEC), connection=connection)
        every = sqlanon.attack("public", external="t", connection=connection)
        some = sqlanon.attack("public", external="t", on=on, connection=connection)
    assert some.value("linking_smallest_group") >= every.value("linking_smallest_group") >= 2  # type: ignore[operator]
    assert some.value("record_linkage") <= every.value("record_linkage")  # type: ignore[operator]
    assert some.notes["membership"].startswith("of classes not computed")


@pytest.mark.slow
def test_a_sample_of_persons(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond the limit some of the different persons are tried, and it is said."""
    rows = [(i % 40, str(100 + i % 7), "ab"[i % 2], i % 4, None, "flu", i) for i in range(400)]
    persons = [row[:5] for row in rows]
    with database() as connection:
        whole = attacked(connection, rows, persons)
        monkeypatch.setattr("sqlanon.uses.attacks.persons.MOST_COMPARED", 20)
        part = sqlanon.attack("public", external="they", keep=True, connection=connection)
        kept = read(connection, "public__linked")[1]
        monkeypatch.undo()
        sqlanon.attack("public", external="they", keep=True, connection=connection)
        every = read(connection, "public__linked")[1]
    assert part.persons is not None
    assert 0 < part.persons < 400 == whole.persons
    assert "was tried" in part.notes["linking"]
    assert set(kept) < set(every)  # what is tried is counted in full
    assert sum(row[5] for row in kept) == part.persons


def test_codes_for_a_missing_value_are_read_as_in_the_source() -> None:
    rows = [(-8 if i % 3 else 20 + i % 5, *ROWS[i][1:]) for i in range(40)]
    with database() as connection:
        make_table(connection, "t", TYPES, rows)
        spec = sqlanon.parse_spec({**SPEC, "missing": {"äge": [-8]}})
        sqlanon.anonymize(spec, connection=connection)
        found = sqlanon.attack("public", external="t", connection=connection)
    assert found.value("linking_found_share") == 1


def test_a_release_with_persons_pseudonyms_and_transforms() -> None:
    """What a run's spec needed beside the columns that are attacked is not looked for."""
    with database() as connection:
        make_table(
            connection,
            "t",
            {"id": "integer", **TYPES},
            [(i // 2, *row) for i, row in enumerate(ROWS)],
        )
        asked = {
            "person": "id",
            "quasi_identifiers": {"zip": {"publish": "set"}},
            "sensitive": {"pay": {"transform": {"round": 10}}},
        }
        sqlanon.anonymize(sqlanon.parse_spec({**SPEC, **asked}), connection=connection)
        connection.execute("alter table t rename to gone")
        found = sqlanon.attack("public", external="gone", connection=connection)
    assert found.value("linking_smallest_group") >= 2  # type: ignore[operator]
    assert found.value("linking_found_share") == 1


# --- the papers' tables --------------------------------------------------------------------------


def case(name: str) -> dict[str, Any]:
    cases = json.loads((ROOT / "tests/papers/cases.json").read_text(encoding="utf-8"))["cases"]
    found: dict[str, Any] = next(one for one in cases if one["id"] == name)
    return found


def test_the_homogeneity_attack_of_a_paper() -> None:
    """Gowda (2021), Table 2: 3-anonymous, and whoever lives in 476** has the flu."""
    rows = case("000-T2")["input"]["rows"]
    with database() as connection:
        make_table(connection, "t", dict.fromkeys(("zip", "age", "disease"), "varchar"), rows)
        found = sqlanon.attack(
            "t", quasi_identifiers=["zip", "age"], sensitive=["disease"], connection=connection
        )
    assert found.value("homogeneity_share", "disease") == pytest.approx(1 / 3)
    assert found.value("skewness_gain", "disease") == pytest.approx(2 / 3)
    assert "needs a table of persons" in found.notes["linking"]


def test_record_linkage_of_a_paper() -> None:
    """Amiri et al. (2023), Table 2, recomputed: classes that fit are united."""
    given = case("004-T2")
    rows, of = given["input"]["numeric"], given["input"]["class"]
    ends = {
        number: [
            f"[{min(column)}, {max(column)}]" if min(column) < max(column) else str(column[0])
            for column in zip(
                *(row for row, at in zip(rows, of, strict=True) if at == number), strict=True
            )
        ]
        for number in set(of)
    }
    with database() as connection:
        make_table(connection, "t", dict.fromkeys(("age", "zip"), "integer"), rows)
        shown = [ends[number] for number in of]
        make_table(connection, "r", dict.fromkeys(("age", "zip"), "varchar"), shown)
        spec = sqlanon.parse_spec(
            {
                "source": {"table": "t"},
                "release": "r",
                "quasi_identifiers": ["age", "zip"],
                "privacy": {"k": 3},
            }
        )
        found = sqlanon.attack("r", spec=spec, external="t", connection=connection)
    expected = Fraction(given["expect"]["rl_box"])
    assert found.value("record_linkage") == pytest.approx(float(expected), abs=1e-9)
    assert found.value("linking_smallest_group") == given["expect"]["k"]
    assert found.notes["homogeneity"] == "not computed: the release has no sensitive attribute"


@pytest.mark.parametrize(
    ("method", "says"),
    [
        ("stack_and_deal", "never refuses a split"),
        ("anatomy", "never refuses a split"),
        ("deal_tree", "refuses splits"),
        ("optimal", "refused finer levels"),
        (None, "is not known"),
    ],
)
def test_what_minimality_may_tell_goes_by_the_method(method: str | None, says: str) -> None:
    assert says in minimality(method)


# --- hostile external tables ---------------------------------------------------------------------

ROWS: list[Row] = [
    (20 + i % 9, str(100 + i % 9), "ab"[i % 2], i % 4, date(2000, 1, 1 + i % 9), "flu", i)
    for i in range(40)
]


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({**TYPES, "äge": "varchar"}, "'äge' is VARCHAR, and the release has intervals"),
        ({**TYPES, "äge": "date"}, "have cells that are no dates"),
        ({**TYPES, "äge": "integer[]"}, "which cannot be compared"),
        ({name: TYPES[name] for name in KNOWN[1:]}, "it has no column 'äge'"),
    ],
)
def test_what_does_not_fit_is_refused(columns: dict[str, str], message: str) -> None:
    with database() as connection:
        make_table(connection, "t", TYPES, ROWS)
        make_table(connection, "they", columns, [])
        first = next(iter(columns.values()))
        connection.execute(
            f"insert into they ({next(iter(map(quoted, columns)))}) values (cast(null as {first}))"
        )
        sqlanon.anonymize(sqlanon.parse_spec(SPEC), connection=connection)
        with pytest.raises(SpecError, match="external") as refused:
            sqlanon.attack("public", external="they", connection=connection)
    assert message in str(refused.value)


@pytest.mark.parametrize("hierarchy", [{"bands": [5, 10]}, {"dates": ["month", "year"]}])
def test_a_hierarchy_that_an_external_column_does_not_fit(hierarchy: dict[str, Any]) -> None:
    """Said before the database would fail, with what is needed."""
    name = "äge" if "bands" in hierarchy else "born"
    need = "bands need numbers" if name == "äge" else "dates need a date or a timestamp"
    with database() as connection:
        make_table(connection, "t", TYPES, ROWS)
        spec = {**SPEC, "quasi_identifiers": {name: {"hierarchy": hierarchy}}}
        sqlanon.anonymize(sqlanon.parse_spec(spec), connection=connection)
        make_table(connection, "they", {name: "varchar"}, [("thirty",)])
        with pytest.raises(SpecError) as refused:
            sqlanon.attack("public", external="they", connection=connection)
    assert f"external: its column '{name}' is VARCHAR" in str(refused.value)
    assert f"{need}; cast it in a query" in str(refused.value)


@pytest.mark.slow
def test_who_cannot_be_compared_is_not_called_absent() -> None:
    """NULL and another spelling are said, by column; a number out of reach is absent."""
    known = list(ROWS[0][:5])
    persons = [
        known,
        [None, *known[1:]],
        [*known[:2], "A", *known[3:]],
        [None, known[1], "A", *known[3:]],
        [99, *known[1:]],
    ]
    with database() as connection:
        found = attacked(connection, ROWS, list(map(tuple, persons)))
        only = sqlanon.attack("public", external="they", on=["äge"], connection=connection)
    assert found.value("membership_absent_share") == pytest.approx(1 / 5)
    assert found.value("linking_found_share") == pytest.approx(1 / 5)
    said = found.notes["membership"]
    assert "3 of 5 persons fit no record and cannot be compared" in said
    assert "(äge: 2, Town, of: 2)" in said
    assert "2 of 5 persons fit no record" in only.notes["membership"]


@pytest.mark.slow
def test_nobody_and_nothing() -> None:
    with database() as connection:
        make_table(connection, "t", TYPES, ROWS)
        make_table(connection, "they", TYPES, [])
        sqlanon.anonymize(sqlanon.parse_spec(SPEC), connection=connection)

        def refused(message: str, *release: Any, **asked: Any) -> None:
            with pytest.raises(SpecError, match=message):
                sqlanon.attack(*(release or ("public",)), connection=connection, **asked)

        refused("it has no row", external="they")
        refused("no table or view 'nobody'", external="nobody")
        refused("cannot be linked by 'pay'", external="t", on=["pay"])
        refused("name one quasi-identifier", external="t", on=[])
        refused("give one", on=["zip"])
        refused("there is no release 'nothing'", "nothing")
        refused("it has no column 'size'", "t", quasi_identifiers=["size"])
        refused("leave keep out", "t", quasi_identifiers=["zip"], keep=True)
        connection.execute("create table public__attacked as select 1 as theirs")
        refused("exists and is no attack", keep=True)
        make_table(connection, "they", TYPES, [(None,) * 7])
        alone = sqlanon.attack("public", external="they", connection=connection)
    assert alone.value("linking_found_share") == 0
    assert alone.value("linking_smallest_group") is None
    assert alone.value("record_linkage") == 0


@pytest.mark.slow
def test_what_is_kept_is_for_the_publisher() -> None:
    """It is marked as an attack's, joins the class report, and is replaced by the next."""
    with database() as connection:
        make_table(connection, "t", TYPES, ROWS)
        sqlanon.anonymize(sqlanon.parse_spec(SPEC), connection=connection)
        for _ in range(2):
            found = sqlanon.attack("public", external="t", keep=True, connection=connection)
        assert [str(relation) for relation in found.relations] == [
            "public__attacked",
            "public__linked",
        ]
        joined = connection.execute(
            "select count(*), count(distinct class_id) from public__attacked inner join "
            "public__classes using (class_id, records) where attack = 'homogeneity' and "
            "attribute = 'disease'"
        ).fetchone()
        classes = len(read(connection, "public__classes")[1])
        assert joined == (classes, classes)
        assert sum(row[5] for row in read(connection, "public__linked")[1]) == len(ROWS)
        left = connection.execute("select table_name from duckdb_tables() where temporary")
        assert not [name for (name,) in left.fetchall() if "sqlanon_" in name]


IN_GROUPS: dict[str, Any] = {
    "publish": {"name": "anatomy", "group": 4},
    "privacy": {"k": 1},
    "quasi_identifiers": KNOWN,
    "sensitive": {"disease": {"t": "0.999"}},
}


@pytest.mark.slow
@pytest.mark.parametrize("where", ["postgres", *slow("postgres_icu", "spark")])
def test_the_same_on_every_engine(where: str, urls: Mapping[str, str]) -> None:
    def found(there: Place) -> list[Any]:
        there.make_table("t", TYPES, ROWS)
        shown: list[Any] = []
        for asked in ({}, IN_GROUPS):
            spec = sqlanon.parse_spec({**SPEC, **asked})
            sqlanon.anonymize(spec, connection=there.connection)
            one = sqlanon.attack("public", external="t", connection=there.connection)
            shown += [*one.findings, one.notes, one.persons]
        return shown

    with place("duckdb", urls) as here, place(where, urls) as there:
        assert found(there) == found(here)


@pytest.mark.slow
def test_insensitive_columns_are_known_where_they_are_named() -> None:
    """By default nobody knows them, and it is said; who does finds smaller groups."""
    rows = [(20 + i % 6, "ab"[i % 7 == 0], "xyz"[i % 3]) for i in range(42)]
    with database() as connection:
        make_table(connection, "t", {"age": "integer", "ward": "varchar", "ill": "varchar"}, rows)
        made = sqlanon.anonymize(
            "t",
            connection=connection,
            release="public",
            quasi_identifiers=["age"],
            sensitive=["ill"],
            insensitive={"ward": {"accept": "on every door"}},
            k=10,
        )
        shown = made.frame().to_dict("records")
        default = sqlanon.attack(made, external="t")
        known = sqlanon.attack(made, external="t", on=["age", "ward"])
        with pytest.raises(SpecError, match="keep: a reader who knows more than quasi-id"):
            sqlanon.attack(made, external="t", on=["age", "ward"], keep=True)

    def fitting(age: int, *ward: str) -> int:
        ends = [(str(entry["age"]).strip("[]").split(", "), entry["ward"]) for entry in shown]
        return sum(
            int(low[0]) <= age <= int(low[-1]) and their in (ward or (their,))
            for low, their in ends
        )

    assert default.value("linking_smallest_group") == min(fitting(age) for age, *_ in rows) >= 10
    smallest = min(fitting(age, ward) for age, ward, _ in rows)
    assert known.value("linking_smallest_group") == smallest < 10
    assert "ward" in default.notes["linking"]
    assert "linking" not in known.notes


@pytest.mark.slow
def test_the_command(tmp_path: Path) -> None:
    with database(tmp_path / "public.duckdb") as connection:
        make_table(connection, "t", TYPES, ROWS)
        sqlanon.anonymize(sqlanon.parse_spec(SPEC), connection=connection)
    done = command(tmp_path, "attack", "public", "--external", "t", "--json")
    shown = json.loads(done.stdout)
    smallest = {one["figure"]: one["value"] for one in shown["findings"]}["linking_smallest_group"]
    assert smallest >= 2
    told = command(tmp_path, "attack", "public", "--on", "zip", "--external", "t", "--quiet")
    assert "fits this many at least" in " ".join(told.stdout.split())
    refused = command(tmp_path, "attack", "public", "--external", "none", "--json")
    assert refused.returncode == 2
    for name in ("attack", "why", "utility"):
        done = command(tmp_path, name, "public.csv")
        assert done.returncode == 2
        assert "'public.csv' is a file, and RELEASE is the name" in " ".join(done.stderr.split())
        assert ("--qi" in done.stderr) == (name != "why")
    for name in ("check", "attack"):  # a table of the database that a run named after it
        done = command(tmp_path, name, "public", "--qi", "zip", "--sensitive", "pay", "--json")
        assert done.returncode == 0


def test_salaries_that_differ_and_lie_near_each_other_are_similar() -> None:
    """Gowda (2023), table 2.11: of the three classes the first has 3K, 4K and 5K."""
    cases = json.loads(PAPERS.read_text(encoding="utf-8"))["cases"]
    (given_,) = (one["input"] for one in cases if one["id"] == "003-T2.11")
    rows = [
        (number, 1000 * pay) for number, pay in zip(given_["class"], given_["salary"], strict=True)
    ]
    with database() as connection:
        make_table(connection, "t", {"class": "integer", "pay": "integer"}, rows)
        found = sqlanon.attack(
            "t", quasi_identifiers=["class"], sensitive=["pay"], connection=connection
        )
    assert found.value("similarity_share", "pay") == pytest.approx(1 / 3)
    assert found.value("homogeneity_share", "pay") == 0
