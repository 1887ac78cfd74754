"""Membership in groups against plain Python that puts every possible tuple together."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from commands import sqlanon as command
from hypothesis import given
from hypothesis import strategies as st
from oracle.attacks import against_slices, in_groups
from servers import Place, place
from support import Connection, Row, database, examples, make_table, read, slow

import sqlanon
from sqlanon.errors import SpecError
from sqlanon.uses.attacks.findings import Attacked

pytestmark = pytest.mark.slow

TYPES = {
    "äge": "integer",
    "Town, of": "varchar",
    "born": "date",
    "pay": "decimal(9, 2)",
    "disease": "varchar",
}
NAMES = list(TYPES)
KNOWN = NAMES[:4]
SPEC: dict[str, Any] = {
    "source": {"table": "t"},
    "release": "public",
    "quasi_identifiers": KNOWN,
    "sensitive": {"disease": {"beta": 10**6}},
    "privacy": {"k": 1},
    "method": "stack_and_deal",
    "seed": 3,
}
TOWNS = ["a", "b, c", "*", ""]
people = st.tuples(
    st.one_of(st.none(), st.integers(18, 20)),
    st.one_of(st.none(), st.sampled_from(TOWNS[:3])),
    st.one_of(st.none(), st.sampled_from([date(2000, 1, 1), date(2000, 1, 2)])),
    st.one_of(st.none(), st.sampled_from([1, 2])),
    st.sampled_from(["flu", "cold", None]),
)
partitions = st.sampled_from(
    [[[0, 1], [2, 3], [4]], [[0], [1], [2], [3], [4]], [[3, 1], [2, 0, 4]], [[0, 1, 2, 3], [4]]]
)
OTHERS: list[Row] = [(99, "a", date(2000, 1, 1), 1, None), (18, "", None, 2, None)]


def declared(name: str, slices: Sequence[Sequence[int]] = (), group: int = 3) -> dict[str, Any]:
    publish: dict[str, Any] = {"name": name, "group": group}
    if name == "sliced":
        publish["columns"] = [[NAMES[place] for place in one] for one in slices]
    return {**SPEC, "publish": publish}


def released(
    connection: Connection, rows: Sequence[Row], spec: Mapping[str, Any]
) -> dict[Any, Any]:
    """Publish, and read the rows of every group."""
    make_table(connection, "t", TYPES, rows)
    sqlanon.anonymize(sqlanon.parse_spec(spec), connection=connection)
    groups: dict[Any, list[Row]] = defaultdict(list)
    for number, *row in read(connection, "public")[1]:
        groups[number].append(tuple(row))
    return groups


def compare(found: Attacked, wanted: Mapping[str, Any]) -> None:
    told = {finding.figure: finding.value for finding in found.findings}
    for figure, value in wanted.items():
        if value is None:
            assert told.get(figure) is None, figure
        else:
            assert told[figure] == pytest.approx(float(value), abs=2e-9), figure


@pytest.fixture
def connection() -> Iterator[Connection]:
    with database() as made:
        yield made


@examples(1, 20)
@given(
    rows=st.lists(people, min_size=3, max_size=18),
    others=st.lists(people, max_size=5),
    slices=partitions,
    known=st.sets(st.integers(0, 3), min_size=1),
)
def test_slices(
    rows: list[Row], others: list[Row], slices: list[list[int]], known: set[int]
) -> None:
    persons = [row[:4] for row in (*rows[:2], *others, *OTHERS)]
    of_known = [part for entry in slices if (part := [at for at in entry if at in known])]
    beside = [at for entry in slices if 4 in entry for at in entry if at in known]
    with database() as connection:
        groups = released(connection, rows, declared("sliced", slices))
        make_table(connection, "they", {name: TYPES[name] for name in KNOWN}, persons)
        on = [NAMES[at] for at in sorted(known)]
        asked: dict[str, Any] = {"on": on, "connection": connection}
        found = sqlanon.attack("public", external="they", source="t", **asked)
        alone = sqlanon.attack("public", external="they", **asked)
        worst = sqlanon.attack("public", external="t", source="t", **asked)
        valued = {**asked, "on": [*on, "disease"]}
        whole = sqlanon.attack("public", source="t", **valued)
        with pytest.raises(SpecError, match="on: the release cannot be linked by 'disease'"):
            sqlanon.attack("public", external="they", **valued)
    with_values = [
        part for entry in slices if (part := [at for at in entry if at in known or at == 4])
    ]
    compare(whole, in_groups(groups, with_values, rows))
    wanted = in_groups(groups, of_known, rows, persons)
    compare(found, wanted)
    compare(alone, {"membership_possible_tuples": wanted["membership_possible_tuples"]})
    towns = {1: {row[1] for some in groups.values() for row in some}} if 1 in known else {}
    linked = against_slices(groups, of_known, persons, beside, towns)
    for one in (found, alone):
        compare(one, linked)
    compare(worst, {"membership_absent_share": 0, "linking_found_share": 1})
    assert "nobody is an outsider" in worst.notes["membership"]


@examples(1, 20)
@given(
    rows=st.lists(people, min_size=3, max_size=18),
    others=st.lists(people, max_size=5),
    publication=st.sampled_from(["anatomy", "permuted"]),
)
def test_exact_rows_have_no_fakes(rows: list[Row], others: list[Row], publication: str) -> None:
    """One slice of all quasi-identifiers: every possible tuple is somebody's in the table."""
    persons = [row[:4] for row in (*others, *OTHERS)]
    with database() as connection:
        groups = released(connection, rows, declared(publication))
        make_table(connection, "they", {name: TYPES[name] for name in KNOWN}, persons)
        found = sqlanon.attack("public", external="they", source="t", connection=connection)
    compare(found, in_groups(groups, [[0, 1, 2, 3]], rows, persons))
    compare(found, {"membership_fake_tuples": 0, "membership_outsider_share": 0})


def test_the_table_of_the_paper(connection: Connection) -> None:
    """Kiruthika and Raseen, §5: of the 16 tuples that the first group allows, 12 are nobody's.

    They say so of every group; but two of the second share age and sex: 12 tuples, of which 8.
    A reader who knows no disease tells fewer tuples apart.
    """
    rows = [
        (22, "M", "47906", "dyspepsia"),
        (22, "F", "47906", "flu"),
        (33, "F", "47905", "flu"),
        (52, "F", "47905", "bronchitis"),
        (54, "M", "47302", "flu"),
        (60, "M", "47302", "dyspepsia"),
        (60, "M", "47304", "dyspepsia"),
        (64, "F", "47304", "gastritis"),
    ]
    names = ["age", "sex", "zip", "disease"]
    types = {"age": "integer", **dict.fromkeys(names[1:], "varchar")}
    for some, with_disease, without in (
        (rows[:4], (16, 12), (8, 4)),
        (rows[4:], (12, 8), (6, 2)),
        (rows, (28, 20), (14, 6)),
    ):
        make_table(connection, "t", types, some)
        sqlanon.anonymize(
            "t",
            connection=connection,
            release="public",
            quasi_identifiers=names[:3],
            sensitive={"disease": {"alpha": "1/2"}},
            k=1,
            method="mondrian",
            publish={"name": "sliced", "group": 4, "columns": [names[:2], names[2:]]},
        ).close()
        for on, allowed in ((names, with_disease), (None, without)):
            found = sqlanon.attack("public", source="t", on=on, connection=connection)
            told = [found.value(f"membership_{text}_tuples") for text in ("possible", "fake")]
            assert tuple(told) == allowed
            assert found.value("membership_fewest_groups") == 1


@pytest.mark.slow
def test_more_tuples_than_can_be_counted(connection: Connection) -> None:
    """20 slices of 10 parts are 10^20 tuples: more than 10^18 count as so many, and it is said."""
    names = [f"q{n}" for n in range(20)]
    make_table(
        connection, "t", dict.fromkeys([*names, "s"], "integer"), [(n,) * 21 for n in range(10)]
    )
    sqlanon.anonymize(
        "t",
        connection=connection,
        release="public",
        quasi_identifiers=names,
        sensitive={"s": {"beta": 10**6}},
        k=1,
        method="stack_and_deal",
        publish={"name": "sliced", "group": 10, "columns": [*([name] for name in names), ["s"]]},
    ).close()
    found = sqlanon.attack("public", source="t", connection=connection)
    some = sqlanon.attack("public", source="t", on=names[:18], connection=connection)
    assert found.value("membership_possible_tuples") == 1e18
    assert "1 groups allow more than 10^18 tuples" in found.notes["membership"]
    assert some.value("membership_possible_tuples") == 1e18
    assert some.value("membership_fake_tuples") == float(10**18 - 10)
    assert "10^18" not in some.notes["membership"]


def test_some_persons_where_all_take_too_long(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [(18 + i % 40, "ab"[i % 2], date(2000, 1, 1 + i % 9), i % 5, "flu") for i in range(200)]
    released(connection, rows, declared("sliced", [[0], [1], [2], [3], [4]], 5))
    whole = sqlanon.attack("public", source="t", external="t", connection=connection)
    monkeypatch.setattr("sqlanon.uses.attacks.persons.MOST_MATCHED", 500)
    part = sqlanon.attack("public", source="t", external="t", connection=connection)
    assert part.persons is not None
    assert 0 < part.persons < 200 == whole.persons
    assert "fake tuples not computed" in part.notes["membership"]
    assert {finding.figure for finding in whole.findings} - {
        finding.figure for finding in part.findings
    } == {
        "membership_fake_tuples",
        "membership_fake_share",
    }


ROWS: list[Row] = [
    (18 + i % 3, TOWNS[i % 3], date(2000, 1, 1 + i % 2), i % 2, ["flu", "cold"][i % 5 % 2])
    for i in range(20)
]
SLICES = [[0, 1], [2, 3, 4]]


def test_found_slices_are_those_that_the_run_found(connection: Connection) -> None:
    spec = declared("sliced", SLICES)
    spec["publish"] = {"name": "sliced", "group": 4, "widest": 2}
    groups = released(connection, ROWS, spec)
    statement = "select value from public__run where item = 'slices'"
    ((text,),) = connection.execute(statement).fetchall()
    slices = [[NAMES.index(name) for name in load if name in KNOWN] for load in json.loads(text)]
    found = sqlanon.attack("public", source="t", connection=connection)
    compare(found, in_groups(groups, [entry for entry in slices if entry], ROWS))


def test_a_source_that_the_release_was_not_made_of(connection: Connection) -> None:
    released(connection, ROWS, declared("sliced", SLICES))
    make_table(connection, "other", TYPES, [*ROWS, *OTHERS])
    found = sqlanon.attack("public", source="other", connection=connection)
    assert "2 of 22 records of the source fit no group" in found.notes["membership"]


def test_what_is_kept_of_slices(connection: Connection) -> None:
    """What is found of every class; of persons nothing, who fit no row."""
    released(connection, ROWS, declared("sliced", SLICES))
    found = sqlanon.attack("public", external="t", source="t", keep=True, connection=connection)
    assert [str(relation) for relation in found.relations] == ["public__attacked"]
    joined = connection.execute(
        "select count(*) from public__attacked inner join public__classes using (class_id, records)"
        " where attack = 'homogeneity'"
    ).fetchone()
    assert joined == (len(read(connection, "public__classes")[1]),)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({**TYPES, "äge": "varchar"}, "external: its column 'äge' is VARCHAR, and the source's is"),
        ({name: TYPES[name] for name in KNOWN[1:]}, "external: it has no column 'äge'"),
        ({**TYPES, "born": "integer[]"}, "which cannot be compared"),
    ],
)
def test_tables_that_do_not_fit(
    connection: Connection, columns: dict[str, str], message: str
) -> None:
    released(connection, ROWS, declared("sliced", SLICES))
    make_table(connection, "they", columns, [(None,) * len(columns)])
    with pytest.raises(SpecError) as refused:
        sqlanon.attack("public", external="they", source="t", connection=connection)
    assert message in str(refused.value)


def test_what_is_refused(connection: Connection) -> None:
    released(connection, ROWS, declared("sliced", SLICES))
    make_table(connection, "nobody", TYPES, [])

    def refused(message: str, **asked: Any) -> None:
        with pytest.raises(SpecError, match=message):
            sqlanon.attack("public", connection=connection, **asked)

    refused("source: it has no row", source="nobody")
    refused("source: .*no table or view 'none'", source="none")
    refused("cannot be linked by 'disease'", source="t", external="t", on=["disease"])
    sqlanon.anonymize(sqlanon.parse_spec(declared("permuted")), connection=connection)
    refused("cannot be linked by 'disease'", source="t", on=["disease"])
    sqlanon.anonymize(sqlanon.parse_spec(SPEC), connection=connection)
    refused("source: it is held against groups alone", source="t")


def test_other_types_of_the_same_values(connection: Connection) -> None:
    """Whole numbers, decimals and doubles are compared by what they are."""
    released(connection, ROWS, declared("sliced", SLICES))
    types = {**TYPES, "äge": "double", "pay": "decimal(12, 4)"}
    make_table(connection, "they", types, [*ROWS, (18.5, *ROWS[0][1:])])
    found = sqlanon.attack("public", external="they", source="t", connection=connection)
    assert found.value("membership_absent_share") == pytest.approx(1 / 21)
    assert found.value("membership_outsider_share") == 0


@pytest.mark.slow
@pytest.mark.parametrize("where", ["postgres", *slow("spark")])
def test_the_same_on_every_engine(where: str, urls: Mapping[str, str]) -> None:
    def found(there: Place) -> list[Any]:
        there.make_table("t", TYPES, ROWS)
        there.make_table("they", TYPES, [*ROWS[:5], *OTHERS, (19, "a", date(2000, 1, 2), 1, None)])
        shown: list[Any] = []
        for name in ("sliced", "permuted"):
            spec = sqlanon.parse_spec(declared(name, SLICES))
            sqlanon.anonymize(spec, connection=there.connection)
            tables: dict[str, Any] = {"external": "they", "source": "t"}
            one = sqlanon.attack("public", **tables, connection=there.connection)
            shown += [*one.findings, one.notes, one.persons]
        return shown

    with place("duckdb", urls) as here, place(where, urls) as there:
        assert found(there) == found(here)


def test_the_command(tmp_path: Path) -> None:
    with database(tmp_path / "public.duckdb") as connection:
        released(connection, ROWS, declared("sliced", SLICES))
    done = command(tmp_path, "attack", "public", "--source", "t", "--json")
    shown = {load["figure"]: load["value"] for load in json.loads(done.stdout)["findings"]}
    assert shown["membership_fewest_groups"] >= 1
    told = command(tmp_path, "attack", "public", "--source", "t", "--quiet")
    assert "may be in this many groups" in " ".join(told.stdout.split())
