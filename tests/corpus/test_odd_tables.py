"""Tables of all that databases can hold: each value is published bit by bit, or its column refused.

Numbers, dates, booleans and text have any role; what has an order is published as it is; what has
none is refused, in a sentence that names the column and its type.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from servers import PostgresPlace, place
from support import DEALT, Connection, database

import sqlanon
from sqlanon.engines import Engine, open_engine
from sqlanon.errors import SpecError
from sqlanon.source.source import inspect_source
from sqlanon.source.source_info import SourceInfo
from sqlanon.spec import check_columns, parse_source, parse_spec

pytestmark = pytest.mark.slow

# By its name an expression of i, from 0 to 11.
MEASURED = {
    "least_integer": "cast(-170141183460469231731687303715884105728 as hugeint) + i % 3",
    "unsigned": "cast(18446744073709551615 - i % 3 as ubigint)",
    "tiny": "cast(i % 3 as tinyint)",
    "exact": "cast('0.' || repeat('1', 27) || (i % 3) as decimal(28, 28))",
    "float": "cast(0.1 as float) + i % 3",
    "not_a_number": "case when i % 3 = 0 then cast('nan' as double) else i % 3 end",
    "infinite": "case when i % 3 = 0 then cast('-infinity' as double) else i % 3 end",
    "zero_with_a_sign": "case when i % 2 = 0 then cast(-0.0 as double) else 0.0 end",
    "infinite_date": "case when i % 3 = 0 then date 'infinity' else date '2024-02-29' end",
    "before_christ": "date '0044-03-15 (BC)' + cast(i % 3 as integer)",
    "far_off": "date '5877642-06-25' - cast(i % 3 as integer)",
    "to_the_nanosecond": "make_timestamp_ns(1700000000123456700 + i % 3)",
    "to_the_second": "cast(timestamp '2024-02-29 23:59:59' as timestamp_s)",
    "long_ago": "cast(timestamp '0201-02-03 23:59:59' as timestamp_s)",
    "for_ever": "cast(case when i % 3 > 0 then timestamp '9999-12-31' end as timestamp_ms)",
    "in_a_zone": "timestamptz '2024-02-29 23:59:59.999999+05:45'",
    "truth": "i % 3 = 0",
    "enum": "cast(['sad', 'ok', 'a b'][i % 3 + 1] as enum('sad', 'ok', 'a b'))",
    "uuid": "cast(md5(cast(i % 3 as varchar)) as uuid)",
    "accents": "['e\u0301', '\u00e9', 'E\u0301'][i % 3 + 1]",
    "blanks": "['', ' ', 'a ', chr(9), chr(160)][i % 5 + 1]",
    "line_breaks": "['a' || chr(13) || chr(10), 'a' || chr(10)][i % 2 + 1]",
    "controls": "['a' || chr(27) || '[31m', 'a' || chr(8238)][i % 2 + 1]",
    "emoji": "['\U0001f469\u200d\U0001f680', '\U0001f469'][i % 2 + 1]",
    "collated": "(['a', 'A', 'b'][i % 3 + 1]) collate nocase",
    "long": "repeat('x', 100000) || (i % 2)",
    "formula": "['=1+1', '@x'][i % 2 + 1]",
    "nothing": "cast(null as varchar)",
}
TOLD = ["not_a_number", "zero_with_a_sign", "to_the_nanosecond", "accents", "blanks", "collated"]
CARRIED = {
    "nothing_at_all": "null",
    "list": "[i % 3, null]",
    "nested": "[{'a': [i % 3], 'b': null}]",
    "array": "array_value(i % 3, 2)",
    "struct": "{'a': i % 3, 'b c': 'x'}",
    "map": "map {'a': i % 3}",
    "interval": "interval 1 month * (i % 3)",
    "time": "time '23:59:59.999999'",
    "time_in_a_zone": "timetz '10:00:00+05:45'",
    "blob": "encode('a' || (i % 3))",
    "bits": "cast('10' || (i % 2) as bit)",
    "union": "cast(i % 3 as union(n bigint, t varchar))",
}
POSTGRES_MEASURED = {
    "citext": "('N' || i % 3)::citext",
    "domain": "(1 + i % 3)::odd_positive",
    "enum": "(array['sad', 'ok', 'a b'])[1 + i % 3]::odd_mood",
    "name": "('a' || i % 3)::name",
    "padded": "('a' || i % 3)::char(5)",
    "one_sign": "'x'::\"char\"",
    "huge": "(i % 3)::numeric * 1e40 + 1e-30",
    "scaled_down": "(i % 3 * 100)::numeric(3, -2)",
    "infinite": "case when i % 3 = 0 then 'infinity'::float8 else i end",
    "infinite_numeric": "case when i % 3 = 0 then '-infinity'::numeric else i end",
    "not_a_number": "case when i % 3 = 0 then 'NaN'::numeric else i end",
    "infinite_date": "case when i % 3 = 0 then date 'infinity' else date '2024-02-29' end",
    "infinite_time": "case when i % 3 = 0 then timestamp '-infinity' else now()::timestamp end",
    "before_christ": "date '0044-03-15 BC' + i % 3",
    "far_off": "date '12024-03-15' + i % 3",
    "in_a_zone": "timestamptz '2024-02-29 23:59:59.999999+05:45'",
    "truth": "i % 3 = 0",
    "uuid": "md5((i % 3)::text)::uuid",
    "nondeterministic": "(array['a', 'A', 'b'])[1 + i % 3] collate odd_case",
    "generated": "2 * i",
    "nothing_at_all": "null",
}
POSTGRES_TOLD = ["citext", "not_a_number", "huge", "before_christ", "nondeterministic"]
POSTGRES_CARRIED = {
    "array": "array[i % 3, null]",
    "composite": "row(i % 3, 'x')::odd_pair",
    "range": "int4range(i % 3, 10)",
    "dates": "daterange('2024-02-29'::date + i % 3, null)",
    "money": "(i % 3)::money",
    "bits": "b'101'",
    "bits_varying": "(i % 3)::bit(4)::varbit",
    "jsonb": "jsonb_build_object('a', i % 3)",
    "inet": "inet '10.0.0.1' + i % 3",
    "macaddr": "macaddr '08:00:2b:01:02:03'",
    "bytea": "decode('00ff', 'hex')",
    "interval": "interval '1 month' * (i % 3)",
    "time": "time '24:00'",
    "time_in_a_zone": "timetz '10:00+02'",
    "tsvector": "to_tsvector('simple', 'a b')",
    "oid": "(i % 3)::oid",
}
POSTGRES_REFUSED = {
    "json": "json '{\"a\": 1}'",
    "xml": "xml '<a/>'",
    "point": "point(i % 3, 1)",
}


SPEC: dict[str, Any] = {"release": "p", "quasi_identifiers": ["age"], "privacy": {"k": 2}}


def made(expressions: Mapping[str, str], series: str) -> str:
    """A SELECT of twelve records with the columns."""
    columns = ", ".join(f'{text} as "{name}"' for name, text in expressions.items())
    return f"select 20 + i % 4 as age, 's' || i % 3 as ill, {columns} from {series}"


def check_published(connection: Any, names: list[str], cells: str) -> None:
    """All columns are published as they are in the source, each record's together."""
    sqlanon.anonymize(
        "odd",
        release="published",
        connection=connection,
        quasi_identifiers=["age"],
        sensitive=["ill"],
        insensitive={name: {"accept": "a test"} for name in names},
        k=2,
        progress=False,
        **DEALT,
    ).close()
    told = ", ".join(cells.format(f'"{name}"') for name in names)
    rows = [
        sorted(connection.execute(f"select ill, {told} from {table}").fetchall(), key=repr)
        for table in ("odd", "published")
    ]
    assert rows[0] == rows[1]


def check_counted(connection: Any, names: list[str], cells: str) -> None:
    """Values are told apart by their bytes, and by nothing else."""
    found = sqlanon.check(
        "odd",
        quasi_identifiers={"age": {}},
        sensitive={name: {"distance": "equal"} for name in names},
        connection=connection,
        progress=False,
    )
    counted = {
        metric.attribute: metric.value for metric in found.measures if metric.metric == "distinct_l"
    }
    for name in names:
        told = cells.format(f'"{name}"')
        classes = f"select count(distinct coalesce({told}, '')) as l from odd group by age"
        ((least,),) = connection.execute(f"select min(l) from ({classes}) as counted").fetchall()
        assert counted[name] == least, name


def check_refused(engine: Engine, names: list[str], role: str) -> None:
    """Each column is refused in a role, by its name."""
    roles: dict[str, Any] = {"quasi_identifiers": ["age"], "sensitive": ["ill"]}
    roles[role] = [*roles.get(role, ()), *names]
    spec = parse_spec({"source": "odd", "release": "published", "privacy": {"k": 2}, **roles})
    with pytest.raises(SpecError) as refused:
        SourceInfo.of(spec, engine)
    assert [problem.where for problem in refused.value.problems] == [
        f"{role}.{name}" for name in names
    ]


# --- DuckDB --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def odd() -> Iterator[Connection]:
    """A database with one table of all of DuckDB's types."""
    with database() as connection:
        held = {**MEASURED, **CARRIED}
        connection.execute(f"create table odd as {made(held, 'range(12) as n(i)')}")
        yield connection


@pytest.mark.slow
def test_all_that_duckdb_holds_is_published_bit_by_bit(odd: Connection) -> None:
    check_published(odd, [*MEASURED, *CARRIED], "cast({} as varchar)")


@pytest.mark.slow
def test_values_of_duckdb_are_told_apart_by_their_bytes(odd: Connection) -> None:
    check_counted(odd, TOLD, "hex(encode(cast({} as varchar)))")


@pytest.mark.parametrize("name", ["to_the_nanosecond", "to_the_second", "long_ago", "for_ever"])
def test_a_time_of_any_precision_is_a_quasi_identifier_or_ordered(
    odd: Connection, name: str
) -> None:
    """DuckDB reads the year of seconds from nanoseconds, which end in 2262."""
    ordered = {name: {"distance": "ordered", "order": "natural", "t": 1}}
    for roles in (
        {"quasi_identifiers": [name], "sensitive": ["ill"]},
        {"quasi_identifiers": ["age"], "sensitive": ordered},
    ):
        with sqlanon.anonymize("odd", connection=odd, k=2, progress=False, **roles) as release:
            assert len(release.frame()) == 12


def test_what_cannot_be_measured_on_duckdb_is_refused(odd: Connection) -> None:
    engine = open_engine(connection=odd)
    for role in ("quasi_identifiers", "sensitive"):
        check_refused(engine, [*CARRIED], role)
    engine.close()


@pytest.mark.parametrize(
    ("made_by", "source"),
    [
        ('create table "a.b""c\nd" as select 1 as age', '"a.b""c\nd"'),
        ('create schema "s.t"; create table "s.t"."select" as select 1 as age', '"s.t"."select"'),
        ("create table grown (i integer, age integer as (i + 1)); insert into grown values (1)",
         "grown"),
        ('create view "v w" as select 1 as age', '"v w"'),
    ],
    ids=["quotes and a line end", "a schema", "a generated column", "a view"],
)  # fmt: skip
def test_a_table_of_any_name_or_make_is_read(made_by: str, source: str) -> None:
    with database() as connection:
        connection.execute(made_by)
        engine = open_engine(connection=connection)
        item, columns = inspect_source(parse_source({"table": source}), engine)
        assert "age" in {column.name for column in columns}
        with engine.reading(item) as read:
            assert engine.driver.execute(f"select count(*) from {read}").rows == [(1,)]
        engine.close()


# --- PostgreSQL ----------------------------------------------------------------------------------


PREPARED = """
create extension citext;
create domain odd_positive as integer check (value > 0);
create type odd_mood as enum ('sad', 'ok', 'a b');
create type odd_pair as (a integer, b text);
create collation odd_case (provider = icu, locale = 'und-u-ks-level2', deterministic = false);
"""


@pytest.fixture
def there(urls: Mapping[str, str]) -> Iterator[PostgresPlace]:
    with place("postgres_icu", urls) as found:
        assert isinstance(found, PostgresPlace)
        yield found


@pytest.mark.slow
def test_all_that_postgresql_holds_is_published_bit_by_bit_or_refused(there: PostgresPlace) -> None:
    there.connection.execute(PREPARED)
    held = {**POSTGRES_MEASURED, **POSTGRES_CARRIED, **POSTGRES_REFUSED}
    there.connection.execute(f"create table odd as {made(held, 'generate_series(0, 11) as n(i)')}")
    check_published(there.connection, [*POSTGRES_MEASURED, *POSTGRES_CARRIED], "{}::text")
    check_counted(there.connection, POSTGRES_TOLD, '{}::text collate "C"')
    engine = open_engine(connection=there.connection)
    for role in ("quasi_identifiers", "sensitive"):
        check_refused(engine, [*POSTGRES_CARRIED, *POSTGRES_REFUSED], role)
    check_refused(engine, [*POSTGRES_REFUSED], "insensitive")
    engine.close()


MAKES = {
    "quotes and a line end": ('create table "a.b""c\nd" as {}', '"a.b""c\nd"'),
    "partitions": (
        "create table part (age integer) partition by list (age); create table part_1 partition of "
        "part for values in (1); insert into part {}",
        "part",
    ),
    "inheritance": ("create table old (age integer); create table new () inherits (old); "
                    "insert into new {}", "old"),
    "a materialized view": ("create materialized view kept as {}", "kept"),
    "a generated column": ("create table grown (i integer, age integer generated always as (i) "
                           "stored); insert into grown (i) {}", "grown"),
    "a dropped column": ("create table less as {}; alter table less add gone integer; "
                         "alter table less drop gone", "less"),
    "capitals": ('create table "Upper" as {}', '"Upper"'),
}  # fmt: skip
UNREAD = {
    "no columns": ("create table zero ()", "zero", "no such column"),
    "nothing in it yet": (
        "create materialized view empty as select 1 as age with no data",
        "empty",
        "cannot be read",
    ),
    "columns that differ by case": ('create table two ("Age" int, "age" int)', "two", "by case"),
    "no table": ("create sequence counted", "counted", "no such column"),
}


def test_tables_of_postgresql_of_any_make_are_read_whole_or_refused(there: PostgresPlace) -> None:
    for statement, _ in MAKES.values():
        there.connection.execute(statement.format("select 1 as age"))
    for statement, *_ in UNREAD.values():
        there.connection.execute(statement)
    engine = open_engine(connection=there.connection)
    for _, source in MAKES.values():
        item, columns = inspect_source(parse_source({"table": source}), engine)
        assert "age" in {column.name for column in columns}
        with engine.reading(item) as read:
            assert engine.driver.execute(f"select count(*) from {read} as r").rows == [(1,)]
    for _, source, says in UNREAD.values():
        with pytest.raises(SpecError, match=says):
            check_columns(
                parse_spec(SPEC | {"source": {"table": source}}),
                inspect_source(parse_source({"table": source}), engine)[1],
            )
    engine.close()


def test_decades_of_times_to_the_nanosecond() -> None:
    """Their type begins in 1677, so that it cannot be compared with the first day of the year 1."""
    with database() as connection:
        times = "cast(make_timestamp(1960 + i * 5, 2, 3, 4, 5, 6.0) as timestamp_ns) as seen"
        connection.execute(f"create table t as select {times}, i % 3 as s from range(8) as n(i)")
        seen = {"seen": {"hierarchy": {"dates": ["decade"]}, "publish": "level"}}
        declared: dict[str, Any] = {"levels": {"seen": 1}, "sensitive": "s", "k": 2}
        declared |= {"quasi_identifiers": seen, "release": "p"}
        sqlanon.anonymize("t", connection=connection, **declared).close()
        found = connection.execute("select seen, count(*) from p group by 1 order by 1").fetchall()
        decades = [f"[{year}-01-01, {year + 9}-12-31]" for year in range(1960, 2000, 10)]
        assert found == [(decade, 2) for decade in decades]
