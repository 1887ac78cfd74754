"""Slices: attributes that stay together where others are shuffled inside each group.

The oracle sees what is published and the source, and works out what an adversary believes of every
record over its matching groups: in fractions, in plain Python.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import chain, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given
from hypothesis import strategies as st
from oracle import slicing
from oracle.mondrian import Axis
from oracle.privacy import equal_distance
from support import DEALT, Connection, Row, copy_of, database, examples, make_table, one_in

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError

NAMES = ("age", "sex", "zip \"é'", "disease")
SPEC: dict[str, Any] = {
    "release": "public",
    "quasi_identifiers": list(NAMES[:3]),
    "sensitive": {"disease": {"l": 2}},
    "privacy": {"k": 1},
    "seed": 5,
    "method": "mondrian",
}
KEYED = {"id": {"pseudonym": "keyed", "key": {"env": "K"}}}
BOTH = ["sex", "disease"]
ZIP = '"zip ""é\'"'
TWO = [NAMES[:2], NAMES[2:]]


def sliced(slices: Any, group: int = 4, **declared: Any) -> dict[str, Any]:
    publish = {"name": "sliced", "group": group, "columns": [list(one) for one in slices]}
    return {**SPEC, "publish": publish, **declared}


def publish(connection: Connection, rows: list[Row], declared: dict[str, Any]) -> list[Row]:
    columns = ", ".join(
        f'"{name.replace(chr(34), chr(34) * 2)}" {kind}'
        for name, kind in zip(NAMES, ("integer", *["varchar"] * 3), strict=True)
    )
    connection.execute(f"create or replace table people ({columns})")
    connection.executemany("insert into people values (?, ?, ?, ?)", rows)
    sqlanon.anonymize("people", connection=connection, **declared).close()
    return connection.execute("select * from public").fetchall()


def reached(connection: Connection, metric: str) -> float:
    statement = "select value from public__metrics where metric = ?"
    ((value,),) = connection.execute(statement, [metric]).fetchall()
    return float(value)


def faults(connection: Connection, declared: dict[str, Any]) -> set[str]:
    spec = sqlanon.parse_spec({**declared, "source": "people"})
    return {
        fault.what for fault in sqlanon.check("public", spec=spec, connection=connection).faults
    }


@pytest.fixture
def connection() -> Iterator[Connection]:
    with database() as made:
        yield made


# --- the oracle ----------------------------------------------------------------------------------


def groups_of(released: list[Row]) -> dict[int, list[Row]]:
    found: dict[int, list[Row]] = defaultdict(list)
    for number, *row in released:
        found[number].append(tuple(row))
    return found


def part(row: Row, slice_: list[int]) -> Row:
    return tuple(row[place] for place in slice_)


def believed(
    record: Row, groups: dict[int, list[Row]], slices: list[list[int]]
) -> Mapping[Any, Fraction]:
    return slicing.believed(record, groups.values(), slices, 3)


def combined(
    record: Row, groups: dict[int, list[Row]], slices: list[list[int]]
) -> dict[Any, Fraction]:
    """The same by trying everything: every row that the parts of a group could make.

    Of each group the share of those that could be the record's, and of these the share of a value.
    """
    matching: dict[int, Fraction] = {}
    values: dict[int, Counter[Any]] = {}
    for number, rows in groups.items():
        made = list(product(*([part(row, entry) for row in rows] for entry in slices)))
        places = [place for entry in slices for place in entry]
        whole = [dict(zip(places, chain(*parts), strict=True)) for parts in made]
        own = [entry for entry in whole if all(entry[place] == record[place] for place in range(3))]
        if own:
            matching[number] = Fraction(len(own), len(whole))
            values[number] = Counter(entry[3] for entry in own)
    found: dict[Any, Fraction] = defaultdict(Fraction)
    for number, weight in matching.items():
        for value, times in values[number].items():
            share = Fraction(times, values[number].total())
            found[value] += weight / sum(matching.values()) * share
    return found


def farthest(distribution: Any, rows: list[Row]) -> Fraction:
    """Its equal distance from the table."""
    table = Counter(row[3] for row in rows)
    shares = {value: Fraction(records, len(rows)) for value, records in table.items()}
    return equal_distance(distribution, shares)


people = st.lists(
    st.tuples(
        st.one_of(st.none(), st.integers(0, 2)),
        st.sampled_from([None, "", "f"]),
        st.sampled_from(["x", "é'", None]),
        st.sampled_from(["flu", "cold", None]),
    ),
    min_size=2,
    max_size=20,
)
partitions = st.sampled_from(
    [[[0, 1], [2, 3]], [[0], [1], [2], [3]], [[2, 3, 1], [0]], [[3], [0, 1, 2]]]
)


@pytest.mark.slow
@examples(4, 30, Phase.explicit, Phase.generate)
@given(rows=people, slices=partitions, size=st.integers(2, 6), seed=st.integers(0, 9))
def test_no_record_is_believed_more_than_was_measured(
    rows: list[Row], slices: list[list[int]], size: int, seed: int
) -> None:
    named = [[NAMES[place] for place in entry] for entry in slices]
    asked = {"sensitive": {"disease": {"l": 1, "alpha": 1, "t": 1}}, "seed": seed, **DEALT}
    asked["privacy"] = {"k": 1, "beta": 10**6}
    declared = sliced(named, min(size, len(rows)), **asked)
    with database() as connection:
        released = publish(connection, rows, declared)
        alpha, distinct = reached(connection, "alpha"), reached(connection, "distinct_l")
        t = reached(connection, "t_closeness")
        classes = connection.execute("select count(*) from public__classes").fetchall()
        assert faults(connection, declared) == set()
    groups = groups_of(released)
    # what was measured is what a reader sees of a group and of what stands beside the values
    (sensitive,) = (entry for entry in slices if 3 in entry)
    beside = [place for place in sensitive if place != 3]
    seen: dict[Any, Counter[Any]] = defaultdict(Counter)
    for number, several in groups.items():
        for row in several:
            seen[number, part(row, beside)][row[3]] += 1
    assert classes == [(len(seen),)]
    worst = max(Fraction(max(one.values()), one.total()) for one in seen.values())
    assert alpha == pytest.approx(float(worst), abs=1e-9)
    assert distinct == min(map(len, seen.values()))
    groupwise = max(
        farthest({value: Fraction(records, one.total()) for value, records in one.items()}, rows)
        for one in seen.values()
    )
    assert t == pytest.approx(float(groupwise), abs=1e-9)
    # and bounds what is believed of every record, which matches some group
    for record in rows:
        found = believed(record, groups, slices)
        assert sum(found.values()) == 1
        assert max(found.values()) <= worst
        assert len(found) >= distinct
        assert farthest(found, rows) <= groupwise
    # the source, slice by slice
    for slice_ in slices:
        parts = Counter(part(row, slice_) for several in groups.values() for row in several)
        assert parts == Counter(part(row, slice_) for row in rows)
    assert min(map(len, groups.values())) >= min(size, len(rows))


@pytest.mark.slow
def test_every_slice_of_a_group_is_that_of_its_records(connection: Connection) -> None:
    """Groups are of ages that no other group has, so whose they are is known."""
    rows = [(i, "fm"[i % 2], "xyz"[i * i % 7 % 3], ["flu", "cold"][i % 3 % 2]) for i in range(40)]
    declared = sliced([["age"], [NAMES[1]], NAMES[2:]], 8, sensitive={"disease": {"l": 1, "t": 1}})
    declared["sensitive"]["disease"]["alpha"] = "99/100"
    declared["publish"]["columns"] = [["age"], ["sex", NAMES[2]], ["disease"]]
    released = publish(connection, rows, declared)
    groups = groups_of(released)
    assert len(groups) > 1
    for several in groups.values():
        own = [rows[row[0]] for row in several]
        for slice_ in ([0], [1, 2], [3]):
            assert Counter(part(row, slice_) for row in several) == Counter(
                part(row, slice_) for row in own
            )
    assert any(rows[row[0]] != row for several in groups.values() for row in several)
    again = publish(connection, rows, declared)
    assert Counter(again) == Counter(released)
    other = publish(connection, rows, {**declared, "seed": 6})
    assert Counter(row[1:] for row in other) != Counter(row[1:] for row in released)


@examples(3, 25)
@given(rows=people.filter(lambda rows: len(rows) <= 12), slices=partitions)
def test_models_hold_over_all_groups_that_a_record_matches(
    rows: list[Row], slices: list[list[int]]
) -> None:
    """Whatever groups and slices: what is believed is a mixture of what the groups show.

    Groups are cut by hand, so that they need not be those of a method.
    """
    groups = {number: rows[number * 4 : number * 4 + 4] for number in range(-(-len(rows) // 4))}
    for record in rows:
        found = combined(record, groups, slices)
        assert found == believed(record, groups, slices)
        (beside,) = ([place for place in entry if place != 3] for entry in slices if 3 in entry)
        shown = [
            Counter(row[3] for row in several if part(row, beside) == part(record, beside))
            for several in groups.values()
        ]
        shares = [
            {value: Fraction(records, one.total()) for value, records in one.items()}
            for one in shown
            if one
        ]
        assert sum(found.values()) == 1
        assert len(found) >= min(map(len, shares))
        assert max(found.values()) <= max(max(share.values()) for share in shares)
        assert farthest(found, rows) <= max(farthest(share, rows) for share in shares)


# --- the papers' tables --------------------------------------------------------------------------


TABLE_1 = [
    (22, "M", "47906", "Dyspepsia"),
    (22, "F", "47906", "Flu"),
    (33, "F", "47905", "Flu"),
    (52, "F", "47905", "Bronchitis"),
    (54, "M", "47302", "Flu"),
    (60, "M", "47302", "Dyspepsia"),
    (60, "M", "47304", "Dyspepsia"),
    (64, "F", "47304", "Gastritis"),
]
HALF: dict[str, Any] = {"sensitive": {"disease": {"l": 2, "alpha": "1/2"}}}


def test_the_table_that_is_sliced(connection: Connection) -> None:
    """Kiruthika and Raseen, table 3, whose seventh row must be of zip 47302."""
    declared = sliced(TWO, **HALF)
    groups = groups_of(publish(connection, TABLE_1, declared))
    by_age = sorted(groups.values(), key=lambda rows: min(row[0] for row in rows))
    combinations, fakes = [], []
    for shown, records in zip(by_age, [TABLE_1[:4], TABLE_1[4:]], strict=True):
        for slice_ in ([0, 1], [2, 3]):
            expected = Counter(part(row, slice_) for row in records)
            assert Counter(part(row, slice_) for row in shown) == expected
        joined = {(*left[:2], *right[2:]) for left in shown for right in shown}
        combinations.append(len(joined))
        fakes.append(len(joined - set(records)))
    assert (combinations, fakes) == ([16, 12], [12, 8])
    assert reached(connection, "alpha") == 0.5
    assert faults(connection, declared) == set()
    statement = f"update public set {ZIP} = '47304' where {ZIP} = '47302' and disease = 'Dyspepsia'"
    connection.execute(statement)
    assert "missing_rows" in faults(connection, declared)  # as printed


def suppressed() -> list[Row]:
    """The same, its similar zips suppressed (their §8.3)."""
    return [(*row[:2], "473**", row[3]) if row[0] == 60 else row for row in TABLE_1]


def test_suppression_after_the_check_is_refused(connection: Connection) -> None:
    """Their table 5: what the suppressed zips stand beside is Dyspepsia alone."""
    with pytest.raises(InfeasibleError, match="disease"):
        publish(connection, suppressed(), sliced(TWO, **HALF))
    found = connection.execute("select table_name from duckdb_tables()").fetchall()
    assert found == [("people",)]


@pytest.mark.slow
def test_one_attribute_in_a_slice_stays_diverse_when_suppressed(connection: Connection) -> None:
    """Their table 4."""
    declared = sliced([[text] for text in NAMES], **HALF)
    publish(connection, suppressed(), declared)
    assert reached(connection, "alpha") == 0.5
    assert faults(connection, declared) == set()


# --- the buckets of the papers -------------------------------------------------------------------


def small_tables() -> list[list[Row]]:
    """Tables of 24 records: two columns of one slice, and two of the other."""
    chance = random.Random(1)
    return [
        [
            (*(chance.randint(0, most) for most in (9, 1, 2)), chance.choice("abc"))
            for _ in range(24)
        ]
        for _ in range(6)
    ]


def axis(rows: list[Row], place: int) -> Axis:
    """A column of numbers, by the width of what is between its least and its greatest."""
    values = [row[place] for row in rows]
    length = max(values) - min(values)
    scale = 2520 // length  # which every length up to 10 divides
    return Axis(lambda one: one, lambda found: (max(found) - min(found)) * scale)


@pytest.mark.slow
def test_buckets_are_cut_while_the_sliced_check_holds(connection: Connection) -> None:
    """Kiruthika and Raseen, §8.1: the paper's algorithm, over all buckets each time."""
    slices, released = [[0, 1], [2, 3]], []
    for rows in small_tables():
        axes = [axis(rows, place) for place in range(3)]
        wanted = slicing.tuple_partition(rows, axes, slices, 3, Fraction(2, 3))
        make_table(
            connection, "people", dict(zip("abc", 3 * ["int"], strict=True)) | {"d": "text"}, rows
        )
        declared: dict[str, Any] = {
            "release": "public",
            "quasi_identifiers": ["a", "b", "c"],
            "sensitive": {"d": {"alpha": "2/3"}},
            "privacy": {"k": 1},
            "method": "mondrian",
            "publish": {"name": "sliced", "columns": [["a", "b"], ["c", "d"]]},
        }
        believable = all(
            max(slicing.believed(row, wanted, slices, 3).values()) <= Fraction(2, 3) for row in rows
        )
        if not believable:
            with pytest.raises(InfeasibleError):
                sqlanon.anonymize("people", connection=connection, **declared)
            continue
        sqlanon.anonymize("people", connection=connection, **declared).close()
        shown = groups_of(connection.execute("select * from public").fetchall())
        for slice_ in slices:
            assert Counter(
                tuple(sorted(part(row, slice_) for row in bucket)) for bucket in shown.values()
            ) == Counter(tuple(sorted(part(row, slice_) for row in bucket)) for bucket in wanted)
        released.append(len(wanted))
    assert released == [6, 6, 10, 6]


@pytest.mark.parametrize("method", ["mondrian", "stack_and_deal"])
def test_no_refusal_advises_the_method_that_it_is_of(connection: Connection, method: str) -> None:
    """Men have one disease: no group's part of men has two."""
    rows = [(at % 4, "mf"[at % 2], "flu" if at % 8 else "cold") for at in range(1, 17)]
    make_table(connection, "people", {"age": "int", "sex": "text", "ill": "text"}, rows)
    with pytest.raises(InfeasibleError) as found:
        sqlanon.anonymize(
            "people",
            connection=connection,
            quasi_identifiers=["age", "sex"],
            sensitive={"ill": {"l": 2}},
            privacy={"k": 1},
            method=method,
            publish={"name": "sliced", "group": 4, "columns": [["age"], ["sex", "ill"]]},
        )
    assert "or coarser ones (publish.levels)" in str(found.value)
    assert ("method: mondrian" in str(found.value)) == (method != "mondrian")


@pytest.mark.slow
def test_several_sensitive_attributes_are_each_in_a_slice_of_their_own(
    connection: Connection,
) -> None:
    """Kiruthika and Raseen, §6, separately: each is shuffled against all others."""
    chance = random.Random(2)
    rows = [
        (at, chance.choice("mf"), *2 * [chance.choice("abcd")], chance.choice([None, "é'"]))
        for at in range(40)
    ]
    types = {"age": "integer", **dict.fromkeys(["sex", "illness", "drug", "plan"], "varchar")}
    make_table(connection, "people", types, rows)
    declared: dict[str, Any] = {
        "release": "public",
        "quasi_identifiers": ["age", "sex"],
        "sensitive": {"illness": {"l": 3}, "drug": {"alpha": "1/2"}, "plan": {"l": 2}},
        "privacy": {"k": 1},
        "method": "mondrian",
        "seed": 5,
        "publish": {
            "name": "sliced",
            "columns": [["drug", "plan"], ["age"], ["illness"], ["sex"]],
        },
    }
    sqlanon.anonymize("people", connection=connection, **declared).close()
    groups = groups_of(connection.execute("select * from public").fetchall())
    assert len(groups) > 4
    of_age = {row[0]: row for row in rows}
    apart = 0
    for shown in groups.values():
        own = [of_age[row[0]] for row in shown]
        for slice_ in ([0], [1], [2], [3, 4]):
            found, wanted = ([part(one, slice_) for one in some] for some in (shown, own))
            assert Counter(found) == Counter(wanted)
        values = [Counter(row[at] for row in shown) for at in (2, 3, 4)]
        assert (len(values[0]) >= 3, len(values[2]) >= 2) == (True, True)
        assert 2 * max(values[1].values()) <= len(shown)
        apart += Counter(row[2:4] for row in shown) != Counter(row[2:4] for row in own)
    assert apart  # an illness no longer tells the drug
    assert faults(connection, declared) == set()
    attacked = sqlanon.attack("public", source="people", connection=connection)
    assert attacked.value("membership_fewest_groups") == 1
    connection.execute("update public set drug = 'a' where drug = 'b'")
    assert faults(connection, declared)


# --- what does not hold, or is not known ---------------------------------------------------------


@pytest.mark.parametrize(
    ("slices", "says"),
    [
        ([], "publish.columns: sliced needs two slices at least"),
        ([], r"such as \[\[age\], \[sex\], \[zip"),
        ([NAMES], "publish.columns: sliced needs two slices at least"),
        ([NAMES, []], "publish.columns: sliced needs two slices at least"),
        ([NAMES[:2], NAMES[3:]], "publish.columns: .* is in no slice"),
        ([NAMES, ["age"]], "publish.columns: 'age' is named twice"),
        ([NAMES, ["agee"]], "publish.columns: 'agee' is neither .* did you mean 'age'"),
    ],
)
def test_slices_that_are_none_are_refused(connection: Connection, slices: Any, says: str) -> None:
    with pytest.raises(SpecError, match=says):
        publish(connection, [(1, "f", "x", "flu")], sliced(slices))


@pytest.mark.parametrize(
    ("declared", "says"),
    [
        ({"privacy": {"k": 2}}, "privacy.k: sliced publishes"),
        (
            {"publish": {"name": "permuted", "columns": TWO}},
            "publish.columns: permuted has",
        ),
        (
            {"quasi_identifiers": ["age", "sex"], "insensitive": [NAMES[2]]},
            "insensitive.*: sliced publishes no column of a single record",
        ),
        (
            {
                "quasi_identifiers": ["age", NAMES[2]],
                "sensitive": {text: {"l": 2} for text in BOTH},
            },
            "must be in one slice, or in slices without quasi-identifiers",
        ),
        ({"identifiers": KEYED}, "identifiers.id.pseudonym: a row of sliced"),
        ({"person": "age", "quasi_identifiers": ["sex"]}, "publish: the groups of sliced"),
    ],
)
def test_what_goes_with_no_slices_is_refused(
    connection: Connection, declared: dict[str, Any], says: str
) -> None:
    with pytest.raises(SpecError, match=says):
        publish(connection, [(1, "f", "x", "flu")], {**sliced(TWO), **declared})


@pytest.mark.slow
def test_a_sweep_and_a_certificate_are_refused(connection: Connection) -> None:
    rows = [(i, "f", "x", ["flu", "cold"][i % 2]) for i in range(8)]
    declared = sliced(TWO)
    publish(connection, rows, declared)
    refused = pytest.raises(SpecError, match=r"publish: no certificate is made of .* sliced")
    with refused, sqlanon.anonymize("people", connection=connection, **declared) as release:
        release.certificate()
    with pytest.raises(SpecError, match="publish: a sweep weighs"):
        sqlanon.sweep("people", connection=connection, **declared, methods=["mondrian"])


@pytest.mark.slow
def test_a_compiled_script_publishes_the_same(connection: Connection) -> None:
    rows = [(i, "fm"[i % 2], "x", ["flu", "cold"][i % 3 % 2]) for i in range(12)]
    declared = sliced(TWO, 6)
    released = publish(connection, rows, declared)
    script = sqlanon.compile("people", connection=connection, **declared)
    connection.execute("update public set age = 0")
    connection.execute(script)
    assert connection.execute("select * from public").fetchall() == released


@pytest.mark.parametrize("limit", ["top", "bottom"])
def test_a_limit_before_a_shift_would_show_the_shift(limit: str) -> None:
    several = [{limit: "2020-01-01"}, {"date_shift": {"days": 9, "key": {"env": "K"}}}]
    declared = {**SPEC, "source": "people", "key": ["id"], "identifiers": ["id"]}
    declared |= {"insensitive": {"seen": {"transform": several}}}
    with pytest.raises(SpecError, match=f"insensitive.seen.transform: a {limit} before a date_shi"):
        sqlanon.parse_spec(declared)


MENDED = {
    "nothing": ("select 1", set()),
    "a part of a row": ("update public set age = 99 where rowid = 0", {"missing_rows"}),
    "a value": ("update public set disease = 'plague' where rowid = 0", {"invented_values"}),
    "two parts of a slice change places": (
        "update public set sex = case sex when 'f' then 'm' else 'f' end where rowid < 3",
        {"missing_rows"},
    ),
    "groups change numbers": (
        "update public set group_id = case group_id when 1 then null else group_id end",
        {"uneven_groups"},
    ),
    "values change groups": (
        "update public set disease = case group_id when 1 then 'flu' else 'cold' end",
        {"missing_values", "unjoined_records"},
    ),
}


THREE = sliced([["age", "sex"], [NAMES[2]], ["disease"]], 6)


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a release."""
    rows = [(i, "fm"[i * i % 5 % 2], "x", ["flu", "cold"][i % 3 % 2]) for i in range(12)]
    file = tmp_path_factory.mktemp("released") / "sliced"
    with database(file) as connection:
        publish(connection, rows, THREE)
    return file


@pytest.mark.parametrize("done", one_in(3, MENDED))
def test_what_is_no_release_of_the_source_is_found(
    released: Path, tmp_path: Path, done: str
) -> None:
    statement, expected = MENDED[done]
    with copy_of(released, tmp_path) as connection:
        connection.execute(statement)
        found = faults(connection, THREE)
    assert found >= expected
    assert bool(found) == bool(expected)
