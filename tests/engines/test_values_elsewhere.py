"""What is published is the source's, bit by bit, on PostgreSQL and Spark as well."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from servers import PostgresPlace, SparkPlace, place
from support import DEALT, Row

import sqlanon
from sqlanon.errors import SpecError

KNOWN = {"accept": "it is looked at by the test"}
# Of every type values that are easily lost, as PostgreSQL reads their texts.
TYPED: dict[str, list[str]] = {
    "boolean": ["true", "false"],
    "smallint": ["-32768", "32767"],
    "bigint": ["4611686018427387892", "4611686018427387893", "-9223372036854775808"],
    "real": ["0.1", "16777217", "-0", "0", "NaN", "-Infinity"],
    "double precision": ["0.1", "5e-324", "-0", "0", "1e308", "NaN"],
    "numeric": ["1.0", "1.00", "1", "1e40", "-0.10", "NaN"],
    "numeric(38,10)": ["1234567890123456789012345678.9876543210", "0.0000000001"],
    "numeric(20,0)": ["18446744073709551615", "0"],
    "text": ["flu", "FLU", "flu ", "", "*", "{a, b}"],
    'text collate "nocase"': ["flu", "FLU", "Flu"],
    "varchar(4)": ["flu", "flu ", "FLU"],
    "character(4)": ["flu", "FLU", ""],
    '"char"': ["a", "A"],
    "uuid": ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"],
    "mood": ["sad", "happy"],
    "date": ["0001-01-01", "2024-02-29", "9999-12-31"],
    "timestamp": ["1970-01-01 00:00:00.000001", "2024-02-29 23:59:59.999999"],
    "timestamptz": ["2024-03-31 01:30:00+01", "2024-03-31 02:30:00+00", "1969-12-31 23:59:59+00"],
    "time": ["00:00:00", "23:59:59.999999"],
    "timetz": ["12:00:00+00", "13:00:00+01"],
    "interval": ["1 month", "30 days", "720 hours"],
    "money": ["1.00", "-92233720368547758.08"],
    "bytea": ["\\x00", "\\xff", "a"],
    "bit(3)": ["000", "101"],
    "bit varying": ["0", "00"],
    "integer[]": ["{1,2}", "{}", "{NULL}"],
    "double precision[]": ["{-0}", "{0}"],
    "jsonb": ['{"a": 1.0}', '{"a": 1.00}', "null"],
    "inet": ["10.0.0.1", "10.0.0.1/24"],
    "pair": ["(1,x)", "(1,X)"],
    "json": ['{"a": 1}', '{"a":1}'],
    "point": ["(1,2)", "(2,1)"],
    "xid": ["1", "2"],
    "bpchar": ["flu", "flu  "],
}
REFUSED_IN_ROLES = {
    *("time", "timetz", "interval", "money", "bytea", "bit(3)", "bit varying", "integer[]"),
    *("double precision[]", "jsonb", "inet", "pair", "json", "point", "xid", "bpchar"),
}
WITHOUT_ORDER = {"json", "point", "xid"}


@pytest.fixture(params=["postgres_icu"])
def there(request: pytest.FixtureRequest, urls: Mapping[str, str]) -> Iterator[PostgresPlace]:
    with place(request.param, urls) as found:
        assert isinstance(found, PostgresPlace)
        run = found.connection.execute
        run(
            "create collation nocase (provider = icu, locale = 'und-u-ks-level2', "
            "deterministic = false)"
        )
        run("create type mood as enum ('sad', 'happy')")
        run("create type pair as (a integer, b text)")
        yield found


def fill(there: PostgresPlace, kind: str) -> None:
    """A table of the type: each value twice, and NULL; and the same under another name."""
    run = there.connection.execute
    run(f"create table t (id integer, age integer, v {kind}, same {kind})".encode())
    plain = kind.partition(" collate")[0]
    for number, text in enumerate((*TYPED[kind], None)):
        value = "null" if text is None else "'" + text.replace("'", "''") + "'"
        given = f"cast({value} as {plain})"
        rows = f"{number}, i, {given}, {given} from generate_series(0, 1) as i"
        run(f"insert into t select {rows}".encode())


def publish(there: PostgresPlace, **declared: Any) -> None:
    sqlanon.anonymize("t", connection=there.connection, **DEALT | declared).engine.close()


def told(there: PostgresPlace, table: str, columns: list[str]) -> Counter[Row]:
    """The rows of a table with what a client is sent of each column."""
    # A format string calls the type's output function: a cast to text would cut char(n).
    texts = ", ".join(
        f"case when {name} is not null then format('%s', {name}) end" for name in columns
    )
    return Counter(there.connection.execute(f"select id, {texts} from {table}".encode()).fetchall())


@pytest.mark.sampled
@pytest.mark.parametrize("kind", TYPED)
def test_a_value_of_every_type_is_published_bit_by_bit_or_refused_by_name(
    there: PostgresPlace, kind: str
) -> None:
    fill(there, kind)
    declared: dict[str, Any] = {
        "quasi_identifiers": ["age"],
        "insensitive": {"id": KNOWN, "same": KNOWN},
        "k": 2,
    }
    columns, roles = ["same"], {"sensitive": ["v"]}
    if kind in REFUSED_IN_ROLES:
        with pytest.raises(SpecError, match=r"^sensitive\.v: a column of type "):
            publish(there, **roles, **declared)
        roles = {"sensitive": []}
    else:
        columns.append("v")
    if kind in WITHOUT_ORDER:
        with pytest.raises(SpecError, match=r"^insensitive\.same: values of type .* have no order"):
            publish(there, **roles, **declared)
        return
    publish(there, **roles, **declared)
    assert told(there, "anonymized", columns) == told(there, "t", columns)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("role", "kind"), [("person", "point"), ("identifiers", "point"), ("person", "public.own")]
)
def test_persons_whose_values_the_database_cannot_compare_are_refused(
    role: str, kind: str, there: PostgresPlace
) -> None:
    """Nor those of a type with operators of its own, as an extension brings them."""
    there.connection.execute("create type own as (a integer, b point)")
    value = "row(i, point(i, 1))::own" if kind == "public.own" else "point(i, 1)"
    there.connection.execute(
        f"create table t as select {value} as who, i % 2 as q, i % 3 as s "
        "from generate_series(1, 12) as numbers (i)".encode()
    )
    declared: dict[str, Any] = {"quasi_identifiers": "q", "sensitive": "s", role: "who", "k": 2}
    with pytest.raises(SpecError, match=rf"^{role}\.who: values of type {kind} have no order here"):
        sqlanon.anonymize("t", connection=there.connection, **declared)


@pytest.mark.parametrize("kind", [text for text in TYPED if text not in REFUSED_IN_ROLES])
@pytest.mark.parametrize("k", [2, 3])
def test_what_a_cell_of_every_type_shows_is_not_decided_by_the_order_of_the_records(
    there: PostgresPlace, kind: str, k: int
) -> None:
    fill(there, kind)
    declared: dict[str, Any] = {"quasi_identifiers": {"v": {"publish": "set"}}, "k": k}
    made = []
    for order in ("id, age", "id desc, age desc"):
        there.connection.execute(
            f"create or replace view o as select * from t order by {order}".encode()
        )
        release = sqlanon.anonymize(
            "o", connection=there.connection, insensitive={"id": KNOWN}, **DEALT | declared
        )
        release.engine.close()
        made.append(Counter(there.read("anonymized")[1]))
    assert made[0] == made[1]
    cells = there.connection.execute(
        "select anonymized.v, cast(t.v as text) from anonymized inner join t using (id)"
    ).fetchall()
    for cell, text in cells:
        written = {None: "NULL", "NaN": "nan", "-Infinity": "-inf"}.get(text) or str(text)
        members = cell[1:-1].split(", ") if cell and cell[0] == "{" else [cell or "NULL"]
        assert (
            {written.replace(",", "%2C"), text} & {*members}
            or cell == written
            or Fraction(written) in {Fraction(one) for one in members if one[-1] in "0123456789"}
        ), (cell, text)


BANDED = {
    "bigint": ["4611686018427387892", "4611686018427387897", "-9223372036854775808"],
    "numeric": ["1000000000000000000000000000000000003", "-0.5", "7.25"],
    "double precision": ["-0.5", "4611686018427387904", "4611686018427388928"],
}


@pytest.mark.parametrize("kind", BANDED)
def test_a_band_holds_the_numbers_that_are_published_inside_it(
    there: PostgresPlace, kind: str
) -> None:
    there.make_table(
        "t", {"v": kind, "s": "integer"}, [(v, i) for v in BANDED[kind] for i in (1, 2)]
    )
    publish(
        there,
        quasi_identifiers={"v": {"hierarchy": {"bands": [5, 10]}}},
        sensitive=["s"],
        k=1,
        method="deal_tree",
    )
    assert len(there.read("anonymized")[1]) == 2 * len(BANDED[kind])


@pytest.mark.parametrize(("kind", "value"), [("numeric", "1e40"), ("double precision", "1e30")])
def test_a_number_that_no_band_reaches_is_refused_by_the_name_of_its_column(
    there: PostgresPlace, kind: str, value: str
) -> None:
    there.make_table("t", {"v": kind, "s": "integer"}, [(value, 1)])
    with pytest.raises(
        SpecError, match=r"^quasi_identifiers\.v\.hierarchy: 1 records hold numbers"
    ):
        publish(there, quasi_identifiers={"v": {"hierarchy": {"bands": [5]}}}, sensitive=["s"], k=1)


def test_a_text_file_is_read_as_it_is_declared(there: PostgresPlace, tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_bytes("age;smoke;weight\n1;Ja, größer;1,5\n1;no;NA\n".encode("latin-1"))
    source = {"file": str(file), "encoding": "latin-1", "decimal": ",", "nullstr": "NA"}
    release = sqlanon.anonymize(
        source,
        connection=there.connection,
        quasi_identifiers=["age"],
        sensitive=["smoke"],
        insensitive={"weight": KNOWN},
        k=2,
        missing={"smoke": "no"},
        **DEALT,
    )
    release.engine.close()
    assert Counter(there.read("anonymized")[1]) == Counter(
        [("1", "Ja, größer", 1.5), ("1", None, None)]
    )


# --- Spark ---------------------------------------------------------------------------------------


@pytest.mark.spark
def test_spark_publishes_text_and_zero_as_they_are(urls: Mapping[str, str], tmp_path: Path) -> None:
    with place("spark", urls) as spark:
        assert isinstance(spark, SparkPlace)
        rows = [(i % 3, ("flu", "FLU", "Flu")[i % 3], (0.0, -0.0)[i % 2]) for i in range(24)]
        frame = spark.connection.createDataFrame(rows, "age int, s string, z double")
        frame.selectExpr("age", "s collate UTF8_LCASE as s", "z", "z as x").createOrReplaceTempView(
            "t"
        )
        release = sqlanon.anonymize(
            "t",
            connection=spark.connection,
            quasi_identifiers=["age"],
            sensitive=["s", "z"],
            insensitive={"x": KNOWN},
            k=4,
            all_metrics=False,
            **DEALT,
        )
        release.engine.close()
        texts = "select s collate UTF8_BINARY, cast(z as string), cast(x as string) from "
        found, given = (
            Counter(tuple(row) for row in spark.connection.sql(texts + name).collect())
            for name in ("anonymized", "t")
        )
        assert found == given
        file = tmp_path / "people.csv"
        file.write_text("age;smoke;zip;weight\n1;yes;007;1,5\n1;no;010;NA\n")
        release = sqlanon.anonymize(
            {"file": str(file), "decimal": ",", "nullstr": "NA"},
            connection=spark.connection,
            quasi_identifiers=["age"],
            sensitive=["smoke"],
            insensitive={"zip": KNOWN, "weight": KNOWN},
            k=2,
            all_metrics=False,
            **DEALT,
        )
        release.engine.close()
        assert Counter(spark.read("anonymized")[1]) == Counter(
            [("1", "yes", "007", 1.5), ("1", "no", "010", None)]
        )
