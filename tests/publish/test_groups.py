"""Exact rows whose sensitive values groups alone tie to them: anatomy and permutation.

The oracle sees what is published and the source, and counts in plain Python.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given
from hypothesis import strategies as st
from oracle import distinct_l, emd_equal, emd_ordered
from support import DEALT, Connection, Row, at, copy_of, database, examples, one_in

import sqlanon
from sqlanon.cli.views import release_object
from sqlanon.errors import InfeasibleError, InterruptedRunError, SpecError

pytestmark = pytest.mark.slow

SPEC: dict[str, Any] = {
    "release": "public",
    "quasi_identifiers": ["age", "town"],
    "sensitive": {"disease": {"l": 2}, "pay": {"distance": "ordered", "t": 0.9}},
    "insensitive": {"ward": {"accept": "a test"}},
    "privacy": {"k": 1},
    "seed": 5,
    **DEALT,
}
PUBLICATIONS = ["anatomy", "permuted"]
COLUMNS = "age integer, town varchar, disease varchar, pay integer, ward varchar"


def publish(connection: Connection, rows: list[Row], **declared: Any) -> None:
    connection.execute(f"create or replace table people ({COLUMNS})")
    connection.executemany("insert into people values (?, ?, ?, ?, ?)", rows)
    sqlanon.anonymize("people", connection=connection, **{**SPEC, **declared}).close()


def read(connection: Connection, name: str = "public") -> list[Row]:
    return connection.execute(f"select * from {name}").fetchall()


def sixty() -> list[Row]:
    return [
        (
            None if i % 13 == 0 else 20 + i * 7 % 30,
            ["a", "b", "", None][i % 4],
            ["flu", "cold", None][i * i % 7 % 3],
            i * 5 % 8,
            "xyz"[i % 3],
        )
        for i in range(60)
    ]


@pytest.fixture
def connection() -> Iterator[Connection]:
    with database() as made:
        yield made


# --- against the oracle --------------------------------------------------------------------------

people = st.lists(
    st.tuples(
        st.one_of(st.none(), st.integers(0, 3)),
        st.sampled_from([None, "", "a", "b'"]),
        st.sampled_from(["flu", "cold", "ulcer"]),
        st.one_of(st.none(), st.integers(0, 3)),
        st.sampled_from([None, "x", "y"]),
    ),
    min_size=2,
    max_size=24,
)


def groups_of(rows: list[Row]) -> dict[int, list[Row]]:
    found: dict[int, list[Row]] = defaultdict(list)
    for number, *row in rows:
        found[number].append(tuple(row))
    assert sorted(found) == list(range(1, len(found) + 1))
    return found


def values_of(rows: list[Row]) -> dict[int, Counter[Row]]:
    """What each group has how often of the sensitive values."""
    found: dict[int, Counter[Row]] = defaultdict(Counter)
    for number, *values, records in rows:
        assert tuple(values) not in found[number]
        assert records > 0
        found[number][tuple(values)] = records
    return found


def in_join(source: list[Row], rows: dict[int, list[Row]], values: dict[int, Any]) -> bool:
    """Whether the join of the relations has every record of the source, as often as it is there."""
    for (age, town, disease, pay, ward), records in Counter(source).items():
        row, value = (age, town, ward), (disease, pay)
        if sum(min(rows[g].count(row), values[g][value]) for g in rows) < records:
            return False
    return True


def marginal(values: Counter[Row], place: int) -> Counter[Any]:
    found: Counter[Any] = Counter()
    for value, records in values.items():
        found[value[place]] += records
    return found


@pytest.mark.slow
@examples(6, 60, Phase.explicit, Phase.generate)
@given(rows=people, size=st.integers(2, 6), seed=st.integers(0, 9))
def test_anatomy_holds_every_record_and_permutation_the_same_groups(
    rows: list[Row], size: int, seed: int
) -> None:
    """At what is asked of the least; what is measured of l and t is counted here once more."""
    size = min(size, len(rows))
    declared: dict[str, Any] = {
        "sensitive": {"disease": {"l": 1}, "pay": {"distance": "ordered", "t": 1}},
        "seed": seed,
    }
    declared["sensitive"]["disease"]["t"] = 1
    declared["sensitive"]["disease"]["alpha"] = 1
    declared["privacy"] = {"k": 1, "beta": 10**6}
    with database() as connection:
        publish(connection, rows, publish={"name": "anatomy", "group": size}, **declared)
        released, sensitive = read(connection), read(connection, "public__sensitive")
        metrics = connection.execute(
            "select metric, attribute, value from public__metrics"
        ).fetchall()
        publish(connection, rows, publish={"name": "permuted", "group": size}, **declared)
        permuted = read(connection)
        assert "public__sensitive" not in tables(connection)
    found, values = groups_of(released), values_of(sensitive)
    source = [(age, town, disease, pay, ward) for age, town, disease, pay, ward in rows]
    assert Counter(row for group in found.values() for row in group) == Counter(
        (age, town, ward) for age, town, _, _, ward in source
    )
    assert {g: len(group) for g, group in found.items()} == {
        g: sum(counted.values()) for g, counted in values.items()
    }
    assert min(map(len, found.values())) >= size
    assert in_join(source, found, values)
    # the same groups: each column of a group has the same values as often
    shuffled = groups_of(permuted)
    for g, group in shuffled.items():
        assert Counter((row[0], row[1], row[4]) for row in group) == Counter(found[g])
        for place in (0, 1):
            assert Counter(row[2 + place] for row in group) == marginal(values[g], place)
    # l and t by brute force
    reached = {(metric, attribute): value for metric, attribute, value in metrics}
    of_groups = [list(marginal(counted, 0).elements()) for counted in values.values()]
    assert reached["distinct_l", "disease"] == distinct_l(of_groups).minimum
    t = emd_equal(of_groups, [row[2] for row in source]).maximum
    assert reached["t_closeness", "disease"] == pytest.approx(float(t), abs=1e-9)
    order = sorted({row[3] for row in source}, key=lambda pay: (pay is not None, pay))
    of_groups = [list(marginal(counted, 1).elements()) for counted in values.values()]
    t = emd_ordered(of_groups, [row[3] for row in source], order).maximum
    assert reached["t_closeness", "pay"] == pytest.approx(float(t), abs=1e-9)
    # and k is honest: of the exact tuples
    tuples = Counter((age, town) for age, town, *_ in source)
    assert reached["k_anonymity", None] == min(tuples.values())
    assert reached["marketer_risk", None] == pytest.approx(len(tuples) / len(source), abs=1e-9)


@pytest.mark.further
@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("publication", ["anatomy", "permuted"])
@pytest.mark.parametrize("method", ["split_or_deal", "deal_tree", "fragmentation"])
def test_the_methods_that_search_form_groups_that_hold(
    connection: Connection, publication: str, method: str
) -> None:
    group = 12 if method == "deal_tree" else 2  # it deals: all it sees to is the size
    near = {"distance": "ordered", "t": 0.4}
    declared = {
        **SPEC,
        "sensitive": {
            "disease": {**near, "order": "frequency"} if method == "fragmentation" else {"l": 2},
            "pay": near,
        },
        "publish": {"name": publication, "group": group},
        "method": method,
    }
    publish(connection, sixty(), **declared)
    assert connection.execute("select count(*) from public__classes").fetchall() > [(2,)]
    spec = sqlanon.parse_spec({**declared, "source": "people"})
    assert sqlanon.check("public", spec=spec, connection=connection).passed


def test_a_run_says_what_it_published(connection: Connection) -> None:
    connection.execute("create table t as select i % 5 as age, i % 3 as pay from range(30) as n(i)")
    declared = {**SPEC, "quasi_identifiers": "age", "sensitive": {"pay": {"l": 2}}}
    declared |= {"insensitive": [], "publish": "anatomy"}
    with sqlanon.anonymize("t", connection=connection, **declared) as release:
        assert [str(relation) for relation in release.others] == ["public__sensitive"]
        assert release_object(release)["others"] == ["public__sensitive"]
    with sqlanon.anonymize("t", connection=connection, **declared | {"publish": "permuted"}) as one:
        assert one.others == ()


def test_the_least_group_is_what_the_models_need(connection: Connection) -> None:
    publish(connection, sixty(), publish="anatomy", sensitive={"pay": {"l": 3}})
    groups = groups_of(read(connection))
    assert {len(group) for group in groups.values()} == {3}


def test_no_group_is_of_one_record(connection: Connection) -> None:
    """However little is asked of a sensitive attribute."""
    publish(connection, sixty(), publish="permuted", sensitive={"pay": {"t": 0.99}})
    assert all(len(group) > 1 for group in groups_of(read(connection)).values())


def test_levels_keep_the_groups_as_large_as_asked(connection: Connection) -> None:
    hierarchy = {"age": {"hierarchy": {"bands": [10, 20]}}}
    publish(
        connection,
        sixty(),
        quasi_identifiers=hierarchy,
        insensitive=[],
        publish={"name": "anatomy", "group": 5},
        method="optimal",
        sensitive={"pay": {"l": 2}},
    )
    groups = groups_of(read(connection)).values()
    assert min(map(len, groups)) >= 5
    assert len(groups) > 1


def test_an_insensitive_column_that_gives_a_sensitive_value_back_is_refused(
    connection: Connection,
) -> None:
    rows = [(age, town, disease, pay, f"for {disease}") for age, town, disease, pay, _ in sixty()]
    group = {"name": "anatomy", "group": 6}
    with pytest.raises(InfeasibleError, match="disease by ward"):
        publish(connection, rows, publish=group, insensitive=["ward"])
    accepted = {"ward": {"accept": "the drug is known to everybody"}}
    publish(connection, rows, publish=group, insensitive=accepted)


def test_a_group_that_violates_a_model_refuses_all(connection: Connection) -> None:
    rows = [(i, "a", "flu" if i else "cold", i % 2, "x") for i in range(12)]
    with pytest.raises(
        InfeasibleError,
        match=r"(?s)larger groups \(publish.group\) may .*disease: asked for 2, reached 1",
    ):
        publish(connection, rows, publish={"name": "anatomy", "group": 4})
    tables = connection.execute("select table_name from duckdb_tables()").fetchall()
    assert tables == [("people",)]


def test_too_few_records_for_a_group(connection: Connection) -> None:
    with pytest.raises(InfeasibleError, match="no group can be formed: one needs 61 records"):
        publish(connection, sixty(), publish={"name": "permuted", "group": 61})


def test_the_seed_decides_the_numbers_of_the_groups_and_the_shuffle(connection: Connection) -> None:
    found = []
    for seed in (1, 1, 2):
        publish(connection, sixty(), publish={"name": "permuted", "group": 6}, seed=seed)
        found.append(read(connection))
    assert found[0] == found[1] != found[2]


# --- what does not go together -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("declared", "says"),
    [
        ({"privacy": {"k": 5}}, r"privacy.k: anatomy publishes every record's own .* group: 5"),
        ({"sensitive": []}, "sensitive: anatomy hides whose the sensitive values are"),
        ({"sensitive": {"disease": {"l": 2}, "pay": {}}}, "sensitive.pay: nothing is asked of it"),
        ({"quasi_identifiers": {"age": {"publish": "set"}}}, "quasi_identifiers.age.publish: anat"),
        ({"person": ["town"], "quasi_identifiers": ["age"]}, "publish: the groups of anatomy are"),
        ({"sensitive": {"pay": {"l": 1, "t": 1}}}, "sensitive.pay: nothing is asked of it"),
        ({"suppression": {"records": 0.1}}, "suppression: anatomy publishes every record"),
        ({"publish": {"name": "anatomy", "group": 1}}, "publish.group: it must be greater"),
        ({"choose": {}}, "choose: k is chosen by the information that is lost"),
        ({"materialize": "view"}, "materialize: a release of anatomy is tables"),
        ({"publish": {"name": "anatomy", "group": 0}}, "publish.group: it must be greater"),
        ({"publish": {"name": "anatomy", "groups": 2}}, "publish.groups: unknown key; did you mea"),
        ({"publish": "anatomie"}, "publish.name: 'anatomie' is not accepted; did you mean 'anato"),
        ({"publish": {"name": "generalized", "group": 3}}, "publish.group: generalized publishes"),
        ({"publish": 3}, "publish: it must be a publication's name, or a mapping"),
    ],
)
def test_what_cannot_be_promised_is_refused(
    connection: Connection, declared: dict[str, Any], says: str
) -> None:
    with pytest.raises(SpecError, match=says):
        publish(connection, sixty(), **{"publish": "anatomy", **declared})


@pytest.mark.parametrize("name", ["group_id", "GROUP_ID", "records"])
def test_a_column_called_like_one_of_the_publication_is_refused(
    connection: Connection, name: str
) -> None:
    connection.execute(f'create table t as select i as "{name}", i as age from range(9) as n(i)')
    declared = {**SPEC, "insensitive": [], "quasi_identifiers": ["age"]}
    declared |= {"sensitive": {name: {"l": 2}}, "publish": "anatomy"}
    with pytest.raises(SpecError, match=rf"sensitive.{name}: .* is a column that the publication"):
        sqlanon.anonymize("t", connection=connection, **declared)


def test_a_sweep_is_refused(connection: Connection) -> None:
    declared = {**SPEC, "publish": {"name": "anatomy", "group": 6}}
    publish(connection, sixty(), **declared)
    with pytest.raises(SpecError, match="publish: a sweep weighs the information that is lost"):
        sqlanon.sweep("people", connection=connection, **declared, methods=["deal_tree"])


# --- check ---------------------------------------------------------------------------------------


def faults(connection: Connection, publication: str, table: Any = "public") -> set[str]:
    spec = sqlanon.parse_spec(
        {**SPEC, "source": "people", "publish": {"name": publication, "group": 6}}
    )
    return {fault.what for fault in sqlanon.check(table, spec=spec, connection=connection).faults}


APART = "public__sensitive"
ROWS = {"missing_rows", "invented_rows", "unjoined_records"}
VALUES = {"missing_values", "invented_values", "unjoined_records"}
# One thing done to a release, and what is found wrong with it.
MENDED: dict[str, tuple[str, str, set[str]]] = {
    "nothing": ("anatomy", "select 1", set()),
    "nothing to a shuffle": ("permuted", "select 1", set()),
    "an age": ("anatomy", "update public set age = 99 where group_id = 1", ROWS),
    "a ward": ("permuted", "update public set ward = 'w' where group_id = 1", ROWS),
    "a row left out": (
        "anatomy",
        "delete from public where rowid = 0",
        {"uneven_groups", "small_groups"},
    ),
    "a row and its value left out": (
        "permuted",
        "delete from public where rowid = 0",
        {"small_groups", "missing_rows", "missing_values", "unjoined_records"},
    ),
    "values that are not there": (
        "anatomy",
        f"update {APART} set pay = 99 where group_id = 1",
        VALUES,
    ),
    "a value put into another place": (
        "permuted",
        "update public set pay = 99 where rowid = 0",
        VALUES - {"unjoined_records"},
    ),
    "more values than records": (
        "anatomy",
        f"update {APART} set records = records + 1 where group_id = 1",
        {"uneven_groups"},
    ),
    "two groups change numbers on one side": (
        "anatomy",
        f"update {APART} set group_id = 3 - group_id where group_id in (1, 2)",
        {"unjoined_records"},
    ),
    "a group without a number": (
        "permuted",
        "update public set group_id = null where group_id = 1",
        {"uneven_groups"},
    ),
    "no second relation": (
        "anatomy",
        f"drop table {APART}",
        {"missing_column"},
    ),
    "an identifier": ("permuted", "alter table public add id integer", {"undeclared_column"}),
}


@pytest.fixture(scope="module")
def releases(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database for each publication."""
    folder = tmp_path_factory.mktemp("releases")
    for name in ("anatomy", "permuted"):
        with database(folder / name) as connection:
            publish(connection, sixty(), publish={"name": name, "group": 6})
    return folder


@pytest.mark.sampled
@pytest.mark.parametrize("done", one_in(3, MENDED))
def test_what_is_no_release_of_the_source_is_found(
    releases: Path, tmp_path: Path, done: str
) -> None:
    publication, statement, expected = MENDED[done]
    with copy_of(releases / publication, tmp_path) as connection:
        connection.execute(statement)
        assert faults(connection, publication) == expected


def test_two_small_groups_may_not_pass_for_one(connection: Connection) -> None:
    publish(connection, sixty(), publish={"name": "permuted", "group": 3})
    assert faults(connection, "permuted") == {"small_groups"}


def test_a_release_is_read_where_it_was_made(connection: Connection, tmp_path: Path) -> None:
    publish(connection, sixty(), publish={"name": "anatomy", "group": 6})
    connection.execute(f"copy public to '{tmp_path}/public.parquet'")
    with pytest.raises(SpecError, match="a release of anatomy is read where it was made"):
        faults(connection, "anatomy", f"{tmp_path}/public.parquet")
    with pytest.raises(SpecError, match="publish: the relations of anatomy are read by the spec"):
        sqlanon.check(
            "public",
            connection=connection,
            quasi_identifiers="age",
            sensitive="pay",
            l=2,
            publish="anatomy",
        )


# --- both relations, or none ---------------------------------------------------------------------


def tables(connection: Connection) -> set[str]:
    return {
        name for (name,) in connection.execute("select table_name from duckdb_tables()").fetchall()
    }


PARTS = {"public", "public__classes", "public__metrics", "public__run"}


def test_a_foreign_table_is_not_replaced(connection: Connection) -> None:
    connection.execute("create table public__sensitive as select 1 as one")
    with pytest.raises(SpecError, match="a relation 'public__sensitive' exists and is no release"):
        publish(connection, sixty(), publish="anatomy")
    assert tables(connection) == {"people", "public__sensitive"}
    publish(connection, sixty(), publish={"name": "permuted", "group": 6})
    assert read(connection, "public__sensitive") == [(1,)]


def test_a_release_replaces_both_and_leaves_nothing_of_the_older(connection: Connection) -> None:
    publish(connection, sixty(), publish={"name": "anatomy", "group": 6})
    assert tables(connection) == {"people", *PARTS, "public__sensitive"}
    publish(connection, sixty(), publish={"name": "anatomy", "group": 10})
    assert faults(connection, "anatomy") == set()
    publish(connection, sixty(), privacy={"k": 3})
    assert tables(connection) == {"people", *PARTS}
    publish(connection, sixty(), publish={"name": "anatomy", "group": 6})
    assert tables(connection) == {"people", *PARTS, "public__sensitive"}


@pytest.mark.parametrize("title", ["writing the sensitive values of each group", "metrics"])
def test_a_run_that_fails_leaves_both_as_they_were(connection: Connection, title: str) -> None:
    publish(connection, sixty(), publish={"name": "anatomy", "group": 6})
    before = {name: read(connection, name) for name in tables(connection)}

    def fail() -> None:
        raise KeyboardInterrupt

    declared = {**SPEC, "publish": {"name": "anatomy", "group": 12}}
    with pytest.raises(InterruptedRunError):
        sqlanon.anonymize("people", connection=connection, progress=at(title, fail), **declared)
    assert {name: read(connection, name) for name in tables(connection)} == before


@pytest.mark.slow
def test_a_compiled_script_publishes_both(connection: Connection) -> None:
    for publication in PUBLICATIONS:
        declared = {**SPEC, "publish": {"name": publication, "group": 6}}
        publish(connection, sixty(), **declared)
        made = {name: read(connection, name) for name in tables(connection) - {"public__run"}}
        script = sqlanon.compile("people", connection=connection, all_metrics=True, **declared)
        connection.execute("update public set age = 0")
        connection.execute(script)
        assert {
            name: read(connection, name) for name in tables(connection) - {"public__run"}
        } == made


def test_the_share_of_a_value_is_known_of_every_record(connection: Connection) -> None:
    """With the join a reader has a distribution for every row, and alpha bounds it."""
    publish(
        connection,
        sixty(),
        publish={"name": "anatomy", "group": 5},
        privacy={"k": 1, "alpha": 0.8},
    )
    values = values_of(read(connection, "public__sensitive"))
    shares = [
        Fraction(records, marginal(values[number], 0).total())
        for number, *_ in read(connection)
        for records in marginal(values[number], 0).values()
    ]
    assert max(shares) <= Fraction(4, 5)
    (reached,) = connection.execute(
        "select value from public__metrics where metric = 'alpha' and attribute = 'disease'"
    ).fetchall()
    assert reached[0] == pytest.approx(float(max(shares)))


def test_names_that_break_what_is_not_quoted(connection: Connection) -> None:
    columns = ['a"b', "select", "{x}", "Größe"]
    listed = ", ".join(
        f'i * i % {n + 4} as "{name.replace(chr(34), chr(34) * 2)}"'
        for n, name in enumerate(columns)
    )
    connection.execute(f"create table t as select {listed} from range(30) as n(i)")
    for publication in PUBLICATIONS:
        declared = {
            **SPEC,
            "quasi_identifiers": columns[:2],
            "sensitive": {name: {"alpha": 1, "t": "0.99"} for name in columns[2:]},
            "insensitive": [],
            "publish": {"name": publication, "group": 5},
        }
        sqlanon.anonymize("t", connection=connection, **declared).close()
        spec = sqlanon.parse_spec({**declared, "source": "t"})
        assert sqlanon.check("public", spec=spec, connection=connection).passed
