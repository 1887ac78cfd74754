"""Slices whose quasi-identifiers are shown at a level of their hierarchies.

The oracle writes the labels itself and sees the source: a release at levels must be, in all that a
reader can tell, one of a source that had the labels for values.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from commands import sqlanon as command
from hypothesis import Phase, given
from hypothesis import strategies as st
from oracle import slicing
from oracle.attacks import against_slices, in_groups
from oracle.similar import STAR, suppressed
from support import Connection, Row, database, examples, make_table, read

import sqlanon
from sqlanon.errors import SpecError

pytestmark = pytest.mark.slow

TYPES = {"äge": "integer", "sex": "varchar", 'zip "é': "varchar", "disease": "varchar"}
NAMES = list(TYPES)
TREE = {"*": {"north": ["a'", "b"], "south": ["c", "north d"]}}
SPEC: dict[str, Any] = {
    "source": {"table": "t"},
    "release": "public",
    "quasi_identifiers": {
        NAMES[0]: {"hierarchy": {"bands": [10, 50]}},
        "sex": {},
        NAMES[2]: {"hierarchy": {"tree": TREE}},
    },
    "sensitive": {"disease": {"l": 1, "alpha": 1}},
    "privacy": {"k": 1, "beta": 10**6},
    "seed": 3,
}
people = st.tuples(
    st.one_of(st.none(), st.integers(17, 22)),
    st.sampled_from([None, "f", "m"]),
    st.sampled_from(["a'", "b", "c", None]),
    st.sampled_from(["flu", "cold", None]),
)
partitions = st.sampled_from([[[0, 1], [2, 3]], [[0], [1], [2], [3]], [[1], [2, 0, 3]]])
LEVELS = {NAMES[0]: 1, NAMES[2]: 1}


def declared(slices: Any, method: str, group: int, **publish: Any) -> dict[str, Any]:
    columns = [[NAMES[at] for at in one] for one in slices]
    made = {"name": "sliced", "group": group, "columns": columns, "levels": LEVELS, **publish}
    return {**SPEC, "publish": made, "method": method}


def labels(row: Row) -> Row:
    """A record as it is shown."""
    age, sex, town, disease = row
    band = None if age is None else f"[{age // 10 * 10}, {age // 10 * 10 + 9}]"
    north = None if town is None else "north" if town in TREE["*"]["north"] else "south"
    return band, sex, north, disease


def released(connection: Connection, rows: list[Row], spec: dict[str, Any]) -> dict[Any, Any]:
    make_table(connection, "t", TYPES, rows)
    sqlanon.anonymize(sqlanon.parse_spec(spec), connection=connection)
    groups: dict[Any, list[Row]] = defaultdict(list)
    for number, *row in read(connection, "public")[1]:
        groups[number].append(tuple(row))
    return groups


def part(row: Row, slice_: list[int]) -> Row:
    return tuple(row[place] for place in slice_)


@pytest.fixture
def connection() -> Iterator[Connection]:
    with database() as made:
        yield made


@examples(2, 25, Phase.explicit, Phase.generate)
@given(
    rows=st.lists(people, min_size=3, max_size=16),
    others=st.lists(people, max_size=4),
    slices=partitions,
    method=st.sampled_from(["mondrian", "stack_and_deal"]),
)
def test_a_reader_sees_labels_and_nothing_else(
    rows: list[Row], others: list[Row], slices: list[list[int]], method: str
) -> None:
    spec = declared(slices, method, 3)
    source = [labels(row) for row in rows]
    persons = [row[:3] for row in (*rows[:2], *others, (99, "f", "c"))]
    with database() as connection:
        groups = released(connection, rows, spec)
        alpha = sqlanon.check("public", spec=sqlanon.parse_spec(spec), connection=connection)
        make_table(connection, "they", {name: TYPES[name] for name in NAMES[:3]}, persons)
        found = sqlanon.attack("public", external="they", source="t", connection=connection)
    shown = [row for several in groups.values() for row in several]
    for entry in slices:  # each part is a record's
        assert Counter(part(row, entry) for row in shown) == Counter(
            part(row, entry) for row in source
        )
    (sensitive,) = (entry for entry in slices if 3 in entry)
    beside = [place for place in sensitive if place != 3]
    seen: dict[Any, Counter[Any]] = defaultdict(Counter)
    for number, several in groups.items():
        for row in several:
            seen[number, part(row, beside)][row[3]] += 1
    worst = max(Fraction(max(one.values()), one.total()) for one in seen.values())
    (measured,) = (metric.value for metric in alpha.measures if metric.metric == "alpha")
    assert not alpha.faults
    assert measured == pytest.approx(float(worst), abs=1e-9)
    for row in source:
        assert max(slicing.believed(row, groups.values(), slices, 3).values()) <= worst
    known = [some for entry in slices if (some := [at for at in entry if at < 3])]
    theirs = [labels((*row, None))[:3] for row in persons]
    wanted = in_groups(groups, known, [row[:3] for row in source], theirs)
    wanted |= against_slices(groups, known, theirs, beside, {1: {row[1] for row in shown}})
    told = {finding.figure: finding.value for finding in found.findings}
    for figure, value in wanted.items():
        assert told.get(figure) == (None if value is None else pytest.approx(float(value))), figure


def test_labels_are_suppressed_where_records_are_alike_in_them(connection: Connection) -> None:
    rows = [(17, "f", "a'", "flu"), (18, "f", "c", "cold"), (21, "f", "b", "flu")]
    spec = declared([[0, 1], [2, 3]], "stack_and_deal", 3, suppress="similar")
    (shown,) = released(connection, rows, spec).values()
    expected = suppressed([labels(row) for row in rows], 3)
    assert sorted(row[2:] for row in shown) == sorted(row[2:] for row in expected)
    assert [row[2] for row in shown].count(STAR) == 2
    checked = sqlanon.check("public", spec=sqlanon.parse_spec(spec), connection=connection)
    assert not checked.faults
    found = sqlanon.attack("public", external="t", connection=connection)
    assert found.value("membership_absent_share") == 0
    connection.execute('update public set "zip ""é" = \'south\' where "zip ""é" = \'north\'')
    checked = sqlanon.check("public", spec=sqlanon.parse_spec(spec), connection=connection)
    assert {fault.what for fault in checked.faults} == {"missing_rows", "invented_rows"}


@pytest.mark.further
@examples(3, 25, Phase.explicit, Phase.generate)
@given(
    rows=st.lists(people, min_size=2, max_size=12),
    others=st.lists(people, max_size=4),
    slices=partitions,
    rule=st.sampled_from(["similar", "pairs"]),
)
def test_a_suppressed_cell_shows_the_label_of_a_level(
    rows: list[Row], others: list[Row], slices: list[list[int]], rule: str
) -> None:
    """Towns are shown as they are, and by their region where they are suppressed."""
    suppress = {"rule": rule, "levels": {NAMES[2]: 1}}
    spec = declared(slices, "stack_and_deal", 2, levels={}, suppress=suppress)
    persons = [*(row[:3] for row in (*rows[:3], *others)), (99, "f", "c")]
    regions = {"north": {"a'", "b"}, "south": {"c", "north d"}}
    with database() as connection:
        groups = released(connection, rows, spec)
        faults = sqlanon.check("public", spec=sqlanon.parse_spec(spec), connection=connection)
        make_table(connection, "they", {name: TYPES[name] for name in NAMES[:3]}, persons)
        found = sqlanon.attack("public", external="they", source="t", connection=connection)
        measured = sqlanon.utility("public", source="t", connection=connection)
    assert not faults.faults
    assert measured.findings

    def fits(shown: Row, known: Row) -> bool:
        own = shown[2] == known[2] or known[2] in regions.get(shown[2], ())
        return shown[:2] == known[:2] and own

    def matching(person: Row) -> int:
        return sum(
            all(
                any(
                    all(fits((*person[:at], row[at], *person[at + 1 :])[:3], person) for at in part)
                    for row in several
                )
                for part in ([at for at in entry if at < 3] for entry in slices)
            )
            for several in groups.values()
        )

    own = [matching(row[:3]) for row in rows]
    assert min(own) > 0
    told = {finding.figure: finding.value for finding in found.findings}
    assert told["membership_mean_groups"] == pytest.approx(sum(own) / len(own))
    assert told["linking_found_share"] == pytest.approx(
        sum(matching(one) > 0 for one in persons) / len(persons)
    )
    outside = [one for one in persons if one not in [row[:3] for row in rows]]
    assert told["membership_outsider_share"] == pytest.approx(
        sum(matching(one) > 0 for one in outside) / len(outside)
    )
    if len(groups) == 1 and rule == "similar":
        (shown,) = groups.values()
        names = {town: region for region, towns in regions.items() for town in towns}
        expected = [
            names.get(row[2]) if star[2] == STAR else row[2]
            for row, star in zip(rows, suppressed(rows, 3), strict=True)
        ]
        assert Counter(row[2] for row in shown) == Counter(expected)


def region(age: int, sex: str) -> str:
    """Three parts of the product of ages and sexes, which do not overlap and leave nothing out."""
    return "young" if age < 20 else f"old {sex}"


def test_regions_of_several_columns(connection: Connection) -> None:
    """Kiruthika and Raseen, §6: labels of the combination, in the slice of the sensitive values."""
    rows = [
        (17 + n % 6, "fm"[n % 2], "ab"[n // 4 % 2], ["flu", "cold"][n // 2 % 2]) for n in range(16)
    ]
    they = [(age, sex, town) for age in (17, 21, 25) for sex in "fm" for town in "abc"]
    labels_of = """case when cast(split_part(cell, ' ', 1) as integer) < 20 then 'young'
        else 'old ' || split_part(cell, ' ', 2) end"""
    combined = "select age || ' ' || sex as cell, town{} from "
    types = {"age": "integer", "sex": "varchar", "town": "varchar"}
    make_table(connection, "t", types | {"disease": "varchar"}, rows)
    make_table(connection, "they", types, they)
    source = {"query": combined.format(", disease") + "t"}
    sqlanon.anonymize(
        source,
        connection=connection,
        release="public",
        quasi_identifiers={"cell": {"hierarchy": {"sql": [labels_of]}}, "town": {}},
        sensitive={"disease": {"alpha": "3/4"}},
        privacy={"k": 1},
        method="mondrian",
        publish={
            "name": "sliced",
            "columns": [["cell", "disease"], ["town"]],
            "levels": {"cell": 1},
        },
        seed=1,
    ).close()
    groups: dict[Any, list[Row]] = defaultdict(list)
    for number, *row in read(connection, "public")[1]:
        groups[number].append(tuple(row))
    assert len(groups) > 1
    own = [(region(*row[:2]), row[2], row[3]) for row in rows]
    shown = [row for several in groups.values() for row in several]
    for slice_ in ([0, 2], [1]):
        assert Counter(part(row, slice_) for row in shown) == Counter(
            part(row, slice_) for row in own
        )
    persons = [(region(*one[:2]), one[2]) for one in they]
    wanted = in_groups(groups, [[0], [1]], [row[:2] for row in own], persons)
    found = sqlanon.attack(
        "public",
        source=source,
        external={"query": combined.format("") + "they"},
        connection=connection,
    )
    for figure, value in wanted.items():
        assert value is not None
        assert found.value(figure) == pytest.approx(float(value)), figure
    fewest = min(Counter(row[0] for row in own).values())
    held = sqlanon.check("public", quasi_identifiers=["cell"], k=fewest, connection=connection)
    assert held.passed
    assert held.measure("k_anonymity") == fewest


def test_coarser_quasi_identifiers_allow_smaller_groups(connection: Connection) -> None:
    """Kiruthika and Raseen, §6: groups of two hold with labels beside values, not with zips."""
    rows = [
        (17 + n, "f", town, ill) for n in range(4) for town, ill in (("a'", "flu"), ("b", "cold"))
    ]
    half = {"sensitive": {"disease": {"alpha": "1/2"}}}
    slices = [[0, 1], [2, 3]]
    groups = released(connection, rows, {**declared(slices, "mondrian", 2), **half})
    assert len(groups) > 1
    plain = {**declared(slices, "mondrian", 2, levels={}), **half}
    with pytest.raises(sqlanon.InfeasibleError, match="disease"):
        released(connection, rows, {**plain, "release": "other"})


@pytest.mark.further
def test_what_is_kept_says_of_what_level_cells_are(connection: Connection) -> None:
    rows = [(17, "f", "a'", "flu"), (18, "m", "c", "cold"), (30, None, None, "flu")]
    released(connection, rows, declared([[0, 1], [2, 3]], "stack_and_deal", 3))
    text = "select value from public__run where item = 'published'"
    ((published,),) = connection.execute(text).fetchall()
    forms = {load["name"]: (load["form"], load["kind"]) for load in json.loads(published)}
    assert forms[NAMES[0]] == ("of_group_at_level", "text")
    assert forms["sex"] == ("of_group", "text")
    measured = sqlanon.utility("public", source="t", connection=connection)
    exact = {
        finding.of: finding.value
        for finding in measured.findings
        if finding.figure == "exact_share"
    }
    assert exact[(NAMES[0],)] == pytest.approx(1 / 3)  # nobody else is in the band of 30
    assert exact[("sex",)] == 1


def test_found_slices_go_by_labels(connection: Connection) -> None:
    """Ages that differ within a band have as much to do with the zip as their band has."""
    rows = [
        (10 * band + n, "fm"[n % 2], "ac"[band - 1] + "'" * (band == 1), "flu")
        for band in (1, 2)
        for n in range(8)
    ]
    spec = declared([], "stack_and_deal", 16, widest=2)
    del spec["publish"]["columns"]
    released(connection, rows, spec)
    text = "select value from public__run where item = 'slice_contingencies'"
    ((found,),) = connection.execute(text).fetchall()
    measured = {tuple(load["columns"]): load["contingency"] for load in json.loads(found)}
    assert measured[NAMES[0], NAMES[2]] == pytest.approx(1)


@pytest.mark.parametrize(
    ("publish", "says"),
    [
        ({"levels": {"agee": 1}}, "publish.levels.agee: it is no quasi-identifier; "),
        ({"levels": {"sex": 1}}, "publish.levels.sex: the column has no hierarchy, and so no"),
        ({"levels": {NAMES[0]: 3}}, "no level 3 below the root: the highest is 2"),
        ({"levels": {NAMES[0]: -1}}, "publish.levels"),
        ({"suppress": {"levels": {NAMES[2]: 1}}}, "is shown at level 1 of every record: say a hig"),
        ({"suppress": {"levels": {NAMES[0]: 2}}}, "publish.suppress.levels.äge: it is never suppr"),
        ({"suppress": {"rule": "pair"}}, "publish.suppress.rule"),
        ({"name": "anatomy", "columns": ()}, "publish.levels.äge: anatomy has no slices"),
    ],
)
def test_what_is_refused(connection: Connection, publish: dict[str, Any], says: str) -> None:
    with pytest.raises(SpecError, match=says):
        released(
            connection,
            [(1, "f", "b", "flu")] * 3,
            declared([[0, 1], [2, 3]], "mondrian", 3, **publish),
        )


@pytest.mark.further
def test_the_command(tmp_path: Path) -> None:
    rows = "\n".join(
        f"{17 + n},{'fm'[n % 2]},{'abc'[n % 3]},{['flu', 'cold'][n % 2]}" for n in range(12)
    )
    (tmp_path / "t.csv").write_text(f"age,sex,zip,disease\n{rows}\n")
    (tmp_path / "t.yaml").write_text(
        "source: t.csv\nrelease: public\nsensitive: {disease: {l: 2}}\nprivacy: {k: 1}\n"
        "quasi_identifiers: {age: {hierarchy: {bands: [10]}}, sex: {}, zip: {}}\nmethod: mondrian\n"
        "publish: {name: sliced, columns: [[age, sex], [zip, disease]], levels: {age: 1}}\n"
    )
    database = ["--database", "t.duckdb"]
    done = command(tmp_path, "run", "t.yaml", *database)
    assert done.returncode == 0, done.stderr
    for asked in (
        ("check", "public", "--spec", "t.yaml"),
        ("attack", "public", "--source", "t.csv"),
        ("utility", "public", "--source", "t.csv"),
        ("report", "public", "-o", "r.html"),
    ):
        done = command(tmp_path, *asked, *database)
        assert done.returncode == 0, (asked, done.stderr, done.stdout)
