"""Slices that a run finds: contingencies and clusters against an oracle in plain Python."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from hypothesis import Phase, given
from hypothesis import strategies as st
from oracle.slicing import cells, contingency
from support import Connection, Row, database, examples

import sqlanon
from sqlanon.domains.contingencies import CELLS, clustered
from sqlanon.errors import SpecError

NAMES = ("age", "größe \"é'", "zip", "disease")
SPEC: dict[str, Any] = {
    "release": "public",
    "quasi_identifiers": list(NAMES[:3]),
    "sensitive": {"disease": {"t": 0.999}},
    "privacy": {"k": 1},
    "seed": 5,
    "method": "stack_and_deal",
    "publish": {"name": "sliced", "group": 2, "widest": 2},
}


@pytest.fixture
def connection() -> Iterator[Connection]:
    with database() as made:
        yield made


def fill(connection: Connection, rows: list[Row]) -> None:
    columns = ", ".join(
        f'"{name.replace(chr(34), chr(34) * 2)}" {kind}'
        for name, kind in zip(NAMES, ("integer", *["varchar"] * 3), strict=True)
    )
    connection.execute(f"create or replace table people ({columns})")
    connection.executemany("insert into people values (?, ?, ?, ?)", rows)


def facts(connection: Connection) -> dict[str, str]:
    return dict(connection.execute("select item, value from public__run").fetchall())


people = st.lists(
    st.tuples(
        st.one_of(st.none(), st.integers(0, 40)),
        st.sampled_from([None, "", "f"]),
        st.sampled_from(["x", "é'", None]),
        st.sampled_from(["flu", "cold", None]),
    ),
    min_size=2,
    max_size=40,
)
# More ages than cells, so that they are put into cells; and tied ones among them.
MANY: list[Row] = [
    (None if at % 9 == 0 else at * at % 31, "mf"[at % 2], f"z{at % 4}", "ab"[at % 3 == 0])
    for at in range(90)
]


def agree(rows: list[Row], connection: Connection) -> None:
    fill(connection, rows)
    sqlanon.anonymize("people", connection=connection, **SPEC).close()
    told = facts(connection)
    found = {
        tuple(load["columns"]): load["contingency"]
        for load in json.loads(told["slice_contingencies"])
    }
    placed = {name: cells([row[at] for row in rows], CELLS) for at, name in enumerate(NAMES)}
    exact = {
        (one, other): contingency(placed[one], placed[other])
        for one, other in combinations(NAMES, 2)
    }
    assert list(found) == list(exact)
    for pair, value in exact.items():
        assert found[pair] == pytest.approx(float(value), abs=2e-9)
    slices = [tuple(load) for load in json.loads(told["slices"])]
    assert slices == [*clustered(NAMES[:3], found, 2), ("disease",)]
    best = max(found[pair] for pair in combinations(NAMES[:3], 2))
    together = [entry for entry in slices if len(entry) == 2]
    assert [found[one] for one in together] == ([best] if best > 0 else [])


@pytest.mark.slow
@examples(4, 40, Phase.explicit, Phase.generate)
@given(rows=people)
def test_contingencies_are_the_oracles(rows: list[Row]) -> None:
    with database() as connection:
        agree(rows, connection)


def test_many_values_share_cells(connection: Connection) -> None:
    assert len({row[0] for row in MANY} - {None}) <= CELLS
    rows = [(at * 7 % 61, *row[1:]) for at, row in enumerate(MANY)]
    assert len({row[0] for row in rows}) > CELLS
    agree(MANY, connection)
    agree(rows, connection)


def test_by_hand() -> None:
    """Equal attributes have 1, unrelated ones 0; in between what the paper's formula says."""
    assert contingency("aabb", "xxyy") == 1
    assert contingency("aabb", "xyxy") == 0
    assert contingency("aaab", "xxyy") * 3 == 1
    assert contingency("aaaa", "xxyy") == 0


def test_clusters_by_hand() -> None:
    measured = dict.fromkeys(combinations("abcd", 2), 0.1) | {("b", "d"): 0.9, ("a", "b"): 0.8}
    assert clustered("abcd", measured, 2) == [("a", "c"), ("b", "d")]
    # a beside (b, d): (0.8 + 0.1) / 2; c beside a: 0.1.
    assert clustered("abcd", measured, 3) == [("a", "b", "d"), ("c",)]
    assert clustered("abcd", measured, 4) == [("a", "b", "c", "d")]
    # Of equals those named first; what has nothing to do with each other stays apart.
    assert clustered("abcd", dict.fromkeys(measured, 0.5), 2) == [("a", "b"), ("c", "d")]
    assert clustered("abcd", dict.fromkeys(measured, 0.0), 4) == [(text,) for text in "abcd"]


def test_sensitive_attributes_join_by_hand() -> None:
    names, both = "abc", ("s", "t")
    measured = dict.fromkeys(combinations("abcst", 2), 0.1)
    measured |= {("a", "s"): 0.9, ("a", "t"): 0.7, ("b", "c"): 0.6}
    # a beside (s, t): (0.9 + 0.7) / 2. The sensitive ones do not count as wide.
    assert clustered(names, measured, 2, both) == [("a", "s", "t"), ("b", "c")]
    assert clustered(names, measured, 1, both) == [("a", "s", "t"), ("b",), ("c",)]
    # A slice of all attributes would be the table.
    assert clustered(names, measured, 3, both) == [("a", "s", "t"), ("b", "c")]
    assert clustered("a", measured, 2, both) == [("a",), both]
    apart = dict.fromkeys(measured, 0.0)
    assert clustered(names, apart, 3, both) == [("a",), ("b",), ("c",), both]


def test_a_sensitive_attribute_is_found_with_the_quasi_identifiers_it_goes_with(
    connection: Connection,
) -> None:
    """Li et al.: the disease stays together with a zip that tells of it; buckets keep l."""
    rows = [
        (at // 6, "mf"[at * at % 5 % 2], f"z{at % 3}", "abc"[(at % 3 + at // 3 % 2) % 3])
        for at in range(60)
    ]
    fill(connection, rows)
    publish = {"name": "sliced", "widest": 2, "sensitive": "joined"}
    declared = {**SPEC, "sensitive": {"disease": {"l": 2}}, "publish": publish}
    declared["method"] = "mondrian"
    sqlanon.anonymize("people", connection=connection, **declared).close()
    told = facts(connection)
    slices = json.loads(told["slices"])
    assert ["zip", "disease"] in slices
    released = connection.execute(
        "select count(distinct disease) from public group by group_id, zip"
    ).fetchall()
    assert min(released) == (2,)
    assert len(released) > 3
    assert connection.execute("select count(distinct group_id) > 3 from public").fetchone() == (
        True,
    )
    attacked = sqlanon.attack("public", source="people", connection=connection)
    assert attacked.value("membership_fewest_groups") == 1


@pytest.mark.slow
def test_the_slices_can_be_declared(connection: Connection) -> None:
    """What was found and is then named gives the same release, and so does a compiled script."""
    fill(connection, MANY)
    sqlanon.anonymize("people", connection=connection, **SPEC).close()
    found = connection.execute("select * from public order by all").fetchall()
    named = {"name": "sliced", "group": 2, "columns": json.loads(facts(connection)["slices"])}
    declared = {**SPEC, "source": "people", "publish": named}
    measured = sqlanon.check("public", spec=sqlanon.parse_spec(declared), connection=connection)
    assert not measured.faults
    sqlanon.anonymize("people", connection=connection, **{**SPEC, "publish": named}).close()
    assert connection.execute("select * from public order by all").fetchall() == found
    script = sqlanon.compile("people", connection=connection, **SPEC)
    connection.execute("drop table public")
    for left in ("classes", "metrics", "run"):
        connection.execute(f"drop table public__{left}")
    connection.execute(script)
    assert connection.execute("select * from public order by all").fetchall() == found
    assert json.loads(facts(connection)["slices"]) == [list(one) for one in named["columns"]]
    spec = sqlanon.parse_spec({**SPEC, "source": "people"})
    with pytest.raises(SpecError, match="the item slices of its __run relation"):
        sqlanon.check("public", spec=spec, connection=connection)


@pytest.mark.parametrize(
    ("publish", "message"),
    [
        ({"name": "sliced", "widest": 2, "columns": [["age"], ["disease"]]}, "say one of the two"),
        ({"name": "anatomy", "widest": 2}, "publish.widest: anatomy has no slices"),
        (
            {"name": "sliced", "sensitive": "joined", "columns": [["age"], ["disease"]]},
            "publish.sensitive: columns says what stays together",
        ),
        ({"name": "sliced", "widest": 1}, "publish.widest"),
    ],
)
def test_what_does_not_go_together(publish: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecError, match=message):
        sqlanon.parse_spec({**SPEC, "source": "people", "publish": publish})


def test_no_record(connection: Connection) -> None:
    connection.execute(
        'create table people (age integer, "größe ""é\'" text, zip text, disease text)'
    )
    with pytest.raises(SpecError, match="it has no records"):
        sqlanon.anonymize("people", connection=connection, **SPEC)
