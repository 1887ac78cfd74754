"""Values, names and settings of PostgreSQL that the client cannot hold, or takes for others."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from servers import PostgresPlace, place
from support import DEALT, Row, slow

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.session import Event
from sqlanon.spec import Spec, parse_spec

pytestmark = pytest.mark.slow

DATES = [
    "0044-03-15 BC",
    "0005-02-29 BC",
    "12000-05-05",
    "12000-02-29",
    "2020-02-29",
    "0001-01-01",
]
DECLARED: dict[str, Any] = {"quasi_identifiers": ["a"], "sensitive": "s", "k": 3, **DEALT}


def spec_of(source: Any, declared: Mapping[str, Any]) -> Spec:
    """The spec of a release, by which a check holds it against its source."""
    fields = {name: value for name, value in declared.items() if name not in ("k", "method")}
    return parse_spec(
        {**fields, "source": source, "release": "anonymized", "privacy": {"k": 3}, **DEALT}
    )


@pytest.fixture
def there(urls: Mapping[str, str]) -> Iterator[PostgresPlace]:
    with place("postgres", urls) as found:
        assert isinstance(found, PostgresPlace)
        yield found


def dates(there: PostgresPlace, kind: str, *more: str) -> None:
    """Records with dates of which Python's own type holds two."""
    rows = [(i % 4, f"s{i % 3}", text) for i, text in enumerate([*DATES, *more] * 2)]
    there.make_table("t", {"a": "integer", "s": "varchar", "d": kind}, rows)


# --- dates that the client cannot hold -----------------------------------------------------------


@pytest.mark.parametrize("kind", ["date", *slow("timestamp", "timestamptz")])
def test_a_release_with_dates_that_python_cannot_hold_is_read_by_all_that_reads_one(
    kind: str, there: PostgresPlace, tmp_path: Path
) -> None:
    """Infinity, years before Christ and after 9999: published as they are, and shown as text."""
    dates(there, kind, "infinity", "-infinity")
    declared = {**DECLARED, "insensitive": {"d": {"accept": "it is public"}}}
    with sqlanon.anonymize("t", connection=there.connection, **declared) as release:
        found = release.frame()["d"].map(str)
        assert sum(found.str.startswith("0044-03-15") & found.str.endswith("BC")) == 2
        assert sum(found == "infinity") == 2
        release.export(tmp_path / "release.csv")
        release.report(tmp_path / "report.html")
        release.certificate()
        release.why()
        sqlanon.attack(release, external="t")


@pytest.mark.parametrize("kind", ["date", *slow("timestamp")])
def test_intervals_of_dates_before_christ_are_read_back(kind: str, there: PostgresPlace) -> None:
    """By a check, the attacks and the questions of utility; leap years before Christ too."""
    dates(there, kind)
    declared = {
        **DECLARED,
        "quasi_identifiers": ["a", "d"],
        "sensitive": {"s": {"l": 2}},
    }
    with sqlanon.anonymize("t", connection=there.connection, **declared) as release:
        assert any("BC" in cell for cell in release.frame()["d"])
        attacked = sqlanon.attack(release, external="t")
        assert attacked
        assert sqlanon.utility(release, source="t")
    spec = spec_of("t", declared)
    assert sqlanon.check("anonymized", connection=there.connection, spec=spec).passed


@pytest.mark.parametrize("engine", ["duckdb", "postgres"])
@pytest.mark.parametrize("how", [{}, *slow({"hierarchy": {"dates": ["month", "year"]}})])
def test_infinite_dates_lie_nowhere_on_a_scale(
    how: dict[str, Any], engine: str, urls: Mapping[str, str]
) -> None:
    """They are refused as infinite numbers are, and published in sets."""
    rows: list[Row] = [(f"s{i % 3}", "infinity" if i % 4 == 0 else "2020-02-29") for i in range(12)]
    for kind in ("date", "timestamp"):
        with place(engine, urls) as found:
            found.make_table("t", {"s": "varchar", "d": kind}, rows)
            declared = {**DECLARED, "connection": found.connection}
            with pytest.raises(SpecError, match="d: 3 records hold infinity or a year beyond"):
                sqlanon.anonymize("t", **{**declared, "quasi_identifiers": {"d": how}})
            in_sets = {**declared, "quasi_identifiers": {"d": {"publish": "set"}}}
            sqlanon.anonymize("t", **in_sets).close()


@pytest.mark.sampled
@pytest.mark.parametrize("engine", ["duckdb", "postgres"])
@pytest.mark.parametrize("kind", ["date", *slow("timestamp", "real")])
def test_an_infinite_sensitive_value_has_no_place_in_an_order(
    kind: str, engine: str, urls: Mapping[str, str]
) -> None:
    """Neither a date nor a number: of an equal distance both are values like any other."""
    other = "1.5" if kind == "real" else "2020-02-29"
    rows: list[Row] = [(i % 2, "-infinity" if i % 4 == 0 else other) for i in range(12)]
    with place(engine, urls) as found:
        found.make_table("t", {"a": "integer", "d": kind}, rows)
        declared = {**DECLARED, "connection": found.connection, "quasi_identifiers": ["a"]}
        for asked in ({"t": "1/2"}, {"distance": "ordered", "t": "1/2"}):
            with pytest.raises(SpecError, match=r"sensitive.d: 3 records hold .*distance: equal"):
                sqlanon.anonymize("t", **{**declared, "sensitive": {"d": asked}})
        with pytest.raises(SpecError, match=r"sensitive.d: 3 records hold .*distance: equal"):
            sqlanon.anonymize("t", **{**declared, "sensitive": ["d"], "t": "1/2"})
        for asked in ({}, {"distance": "equal", "t": "1/2"}, {"order": "frequency"}):
            sqlanon.anonymize("t", **{**declared, "sensitive": {"d": asked}}).close()


@pytest.mark.parametrize("engine", ["duckdb", "postgres"])
def test_a_date_before_christ_has_no_decade(engine: str, urls: Mapping[str, str]) -> None:
    """Databases count them in other ways, and DuckDB's does not hold the date."""
    text = "0044-03-15 BC" if engine == "postgres" else "0044-03-15 (BC)"
    rows: list[Row] = [(f"s{i % 3}", text if i % 4 == 0 else "2020-02-29") for i in range(12)]
    with place(engine, urls) as found:
        found.make_table("t", {"s": "varchar", "d": "date"}, rows)
        for part in ("decade", "century"):
            periods = {"d": {"hierarchy": {"dates": ["year", part]}}}
            declared = {
                **DECLARED,
                "quasi_identifiers": periods,
                "connection": found.connection,
            }
            with pytest.raises(SpecError, match="3 records hold dates before the year 1"):
                sqlanon.anonymize("t", **declared)
        periods = {"d": {"hierarchy": {"dates": ["month", "year"]}}}
        declared = {
            **DECLARED,
            "quasi_identifiers": periods,
            "connection": found.connection,
        }
        sqlanon.anonymize("t", **declared).close()


@pytest.mark.parametrize(
    ("kind", "equal"),
    [
        ("numeric", "1.0{}"),
        ("numeric[]", "{{1.0{}}}"),
        ("numrange", "[1.0{},2]"),
        ("jsonb", "1.0{}"),
        ("interval", None),
    ],
)
def test_what_reads_differently_gives_back_what_it_stands_next_to(
    there: PostgresPlace, kind: str, equal: str | None
) -> None:
    """1.0 and 1.00 are equal to the server, and a reader counts the zeros."""
    written = (
        f"{30 - i % 5} days {24 * (i % 5)} hours" if equal is None else equal.format("0" * (i % 5))
        for i in range(60)
    )
    rows = [(i % 5, f"s{i % 3}", text) for i, text in enumerate(written)]
    there.make_table("t", {"a": "integer", "s": "varchar", "x": kind}, rows)
    with pytest.raises(InfeasibleError) as error:
        sqlanon.anonymize("t", connection=there.connection, insensitive=["x"], **DECLARED)
    assert "determined_share of a by x" in str(error.value)


@pytest.mark.parametrize(
    ("kind", "values"),
    [
        ("mood", ["sad", "glad"]),
        ("uuid", [f"00000000-0000-0000-0000-{place:012}" for place in range(3)]),
        ('"char"', ["a", "b", "c"]),
        ("numeric(5, -2)", ["100", "200", "1300"]),
    ],
)
def test_a_recipe_of_cells_goes_with_every_type(
    there: PostgresPlace, kind: str, values: list[str]
) -> None:
    """Types that DuckDB lacks: their values are text, or numbers of any digits."""
    there.connection.execute("create type mood as enum ('sad', 'glad')")
    rows = [(values[i * i % 7 % len(values)], i % 3, f"s{i % 4}") for i in range(36)]
    there.make_table("t", {"q": kind, "a": "integer", "s": "varchar"}, rows)
    declared = {**DECLARED, "quasi_identifiers": ["q", "a"], "connection": there.connection}
    cells = {"release": "earlier", "method": "mondrian"}
    sqlanon.anonymize("t", **{**declared, **cells}).close()
    del declared["method"]
    sqlanon.anonymize("t", **declared, release="later", recipe="earlier").close()
    earlier, later = (sorted(there.read(name)[1]) for name in ("earlier", "later"))
    assert earlier == later
    assert len({row[:2] for row in later}) > 1


def test_a_frame_holds_what_the_server_says(there: PostgresPlace) -> None:
    """Months of an interval are no days, 24:00 is no time of Python's, and JSON is text."""
    rows = [(i % 2, f"s{i % 3}", "1 mon", "2 days", "24:00", '{"b": 1}', "NaN") for i in range(12)]
    kinds = {"m": "interval", "d": "interval", "t": "time", "j": "jsonb", "n": "numeric"}
    there.make_table("t", {"a": "integer", "s": "varchar", **kinds}, rows)
    public = {name: {"accept": "it is public"} for name in kinds}
    declared = {**DECLARED, "insensitive": public}
    with sqlanon.anonymize("t", connection=there.connection, **declared) as release:
        m, d, t, j, n = release.frame()[list(kinds)].iloc[0]
    assert (m, d, t, j) == ("1 mon", pd.Timedelta(days=2), "24:00:00", '{"b": 1}')
    assert n != n  # NaN


def test_no_number_of_a_frame_and_no_cell_of_an_arrow_table_is_changed(
    there: PostgresPlace,
) -> None:
    """Numbers are compared with those written down here, texts with the server's own."""
    odd: dict[str, tuple[str, list[Any]]] = {
        "whole": ("bigint", [2**53 + 1, None, 3]),
        "long": ("numeric(30, 2)", ["9007199254740993.25", "0.10", None]),
        "short": ("numeric(8, 2)", ["1.10", None, "-2.50"]),
        "great": ("numeric", [10**30, None, 1]),
        "offset": ("timetz", ["10:00:00+02", None, "11:30:00-01:30"]),
        "span": ("int4range", ["[1,3)", None, "[2,9)"]),
        "bits": ("bit(3)", ["101", None, "000"]),
    }
    rows = [(i % 2, f"s{i % 3}", *(cells[i % 3] for _, cells in odd.values())) for i in range(12)]
    kinds = {name: kind for name, (kind, _) in odd.items()}
    there.make_table("t", {"a": "integer", "s": "varchar", **kinds}, rows)
    public = {name: {"accept": "it is public"} for name in kinds}
    declared = {**DECLARED, "insensitive": public}
    with sqlanon.anonymize("t", connection=there.connection, **declared) as release:
        frame, arrow = release.frame(), release.arrow().to_pandas(integer_object_nulls=True)
    for name, (kind, cells) in odd.items():
        read = Fraction if kind.startswith(("numeric", "bigint")) else str
        expected = {None if cell is None else read(cell) for cell in cells}
        assert {None if pd.isna(one) else read(str(one)) for one in arrow[name]} == expected, name
        if read is Fraction:
            assert {None if pd.isna(one) else read(str(one)) for one in frame[name]} == expected


# --- what is sent to the server ------------------------------------------------------------------


def frame(**columns: Any) -> pd.DataFrame:
    given = {"a": [i % 4 for i in range(12)], "s": [f"s{i % 3}" for i in range(12)]}
    return pd.DataFrame({**given, **columns})


def sent(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The columns that are sent, of each file or frame."""
    from sqlanon.engines.postgres import loading

    names: list[list[str]] = []
    load = loading.load

    def noted(driver: Any, table: Any, records: Any) -> Any:
        names.append([one.name for one in records.sent])
        return load(driver, table, records)

    monkeypatch.setattr("sqlanon.engines.postgres.engine.load", noted)
    return names


def test_only_columns_that_are_read_are_sent(
    there: PostgresPlace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So names and texts that PostgreSQL cannot hold hurt no run that does not need them."""
    there.make_table("somebody", {"x": "integer"}, [(1,)])
    names, ids = sent(monkeypatch), [f"p{i}" for i in range(12)]
    records = frame(xmin=range(12), note=["a\0b"] * 12, nr=ids, ward=ids, unused=ids)
    records.to_parquet(tmp_path / "t.parquet")
    frame(xmin=range(12), nr=ids, ward=ids, unused=ids).to_csv(tmp_path / "t.csv", index=False)
    declared = {**DECLARED, "identifiers": {"nr": {}, "ward": {"repeats": True}}}
    for source in (records, str(tmp_path / "t.parquet"), str(tmp_path / "t.csv")):
        release = sqlanon.anonymize(source, connection=there.connection, **declared)
        assert set(release.unreleased) >= {"xmin", "unused"}
        release.close()
    assert [*map(sorted, names)] == [["a", "nr", "s"]] * 3
    spec = spec_of(str(tmp_path / "t.csv"), declared)
    assert sqlanon.check("anonymized", connection=there.connection, spec=spec).passed
    assert not {"ward", "unused", "xmin"} & {*names[3]}


def test_what_postgresql_cannot_hold_is_named(there: PostgresPlace) -> None:
    with pytest.raises(SpecError, match="'xmin' is the name of a column of PostgreSQL's own"):
        sqlanon.anonymize(
            frame(xmin=range(12)), connection=there.connection, **{**DECLARED, "key": "xmin"}
        )
    with pytest.raises(SpecError, match="'note' holds NUL characters") as refused:
        sqlanon.anonymize(
            frame(note=["secret\0"] * 12), connection=there.connection, **DECLARED, key="note"
        )
    assert "secret" not in str(refused.value)
    fine = pd.to_datetime(["2020-01-01 10:00:00.123456789"] * 12)
    with pytest.raises(SpecError, match="'at' holds times to the nanosecond") as refused:
        sqlanon.anonymize(frame(at=fine), connection=there.connection, **DECLARED, key="at")
    assert "2020" not in str(refused.value)
    even = pd.to_datetime(["2020-01-01 10:00:00.123456000"] * 12).astype("datetime64[ns]")
    sqlanon.anonymize(frame(at=even), connection=there.connection, **DECLARED, key="at").close()
    with pytest.raises(SpecError, match="'xmin'"):
        sqlanon.profile(frame(xmin=range(12)), connection=there.connection)


def test_no_command_sends_columns_that_it_does_not_read(
    there: PostgresPlace, tmp_path: Path
) -> None:
    """Names that PostgreSQL has itself, or would cut, are in the way of nobody who needs none."""
    file = str(tmp_path / "t.csv")
    frame(xmin=range(12), **{"long" * 20: range(12)}).to_csv(file, index=False)
    roles: dict[str, Any] = {"quasi_identifiers": ["a"], "sensitive": ["s"]}
    known: dict[str, Any] = {"connection": there.connection}
    assert sqlanon.check(file, **roles, reference=file, **known).measures
    assert sqlanon.risk(file, quasi_identifiers=["a"], population=file, **known).figures
    assert sqlanon.attack(file, **roles, external=file, **known).findings
    assert sqlanon.utility(file, **roles, source=file, queries=2, **known).findings
    sqlanon.anonymize(file, **known, **DECLARED).close()
    assert sqlanon.attack("anonymized", external=file, **known).findings
    assert sqlanon.utility("anonymized", source=file, queries=2, **known).findings


def test_a_sign_that_no_text_holds_may_stand_where_nobody_reads(
    there: PostgresPlace, tmp_path: Path
) -> None:
    file = tmp_path / "t.csv"
    lines = [f"{20 + i % 4},s{i % 3},a\0b" for i in range(12)]
    file.write_text("\n".join(["a,s,note", *lines]), encoding="utf-8")
    sqlanon.anonymize(str(file), connection=there.connection, **DECLARED).close()
    with pytest.raises(SpecError, match="line 2 of the file has a value with a NUL"):
        sqlanon.anonymize(
            str(file),
            connection=there.connection,
            **DECLARED,
            insensitive={"note": {"accept": "x"}},
        )


def test_the_header_of_a_file_is_looked_at_whole(there: PostgresPlace, tmp_path: Path) -> None:
    """Though the columns that show that it is a record are not sent."""
    file = tmp_path / "t.csv"
    lines = [f"{20 + i % 4},s{i % 3},2020-01-{10 + i}" for i in range(12)]
    file.write_text("\n".join(["a,s,2020-01-01", *lines]), encoding="utf-8")
    with pytest.raises(SpecError, match="the first line of the file looks like a record"):
        sqlanon.anonymize(str(file), connection=there.connection, **DECLARED)


# --- types, settings and rights ------------------------------------------------------------------


@pytest.mark.parametrize("path", ["public", *slow('"$user"', "")])
def test_text_of_an_extension_or_a_domain_is_text(path: str, there: PostgresPlace) -> None:
    execute = there.connection.execute
    execute("create domain word as text check (value <> '')")
    kinds = ["public.word", "name", "varchar(9)"]
    if execute("select 1 from pg_available_extensions where name = 'citext'").fetchone():
        execute("create extension citext schema public")
        kinds.append("public.citext")
    for kind in kinds:
        made = (
            f"select ('n' || i % 3)::{kind} as a, 's' || i % 4 as s from generate_series(1, 12) i"
        )
        execute("drop table if exists public.t")
        execute(f"create table public.t as {made}".encode())
        execute(f"set search_path = '{path}'".encode())
        declared = {**DECLARED, "release": "public.r"}
        with sqlanon.anonymize("public.t", connection=there.connection, **declared) as release:
            assert release.frame()["a"].str.startswith("{").all()
        execute("set search_path = public")


def test_a_session_without_a_schema_is_told_to_name_one(there: PostgresPlace) -> None:
    dates(there, "date")
    there.connection.execute("set search_path = nowhere")
    with pytest.raises(SpecError, match="release: the session's search path has no schema"):
        sqlanon.anonymize("public.t", connection=there.connection, **DECLARED)
    there.connection.execute("set search_path = public")


def test_a_server_that_quotes_all_names_has_the_same_types(there: PostgresPlace) -> None:
    dates(there, "date")
    there.connection.execute("set quote_all_identifiers = on")
    declared = {**DECLARED, "insensitive": {"d": {"accept": "it is public"}}}
    sqlanon.anonymize("t", connection=there.connection, **declared).close()
    shown = there.connection.execute("show quote_all_identifiers").fetchone()
    assert shown == ("on",)


def test_records_that_row_level_security_hides_are_not_left_out_in_silence(
    there: PostgresPlace,
) -> None:
    """A run of half of a table would look like one of the whole; whoever wants it says so."""
    import psycopg

    execute = there.connection.execute
    dates(there, "date")
    execute("create role partial login")
    try:
        execute("grant usage, create on schema public to partial; grant select on t to partial")
        execute("alter table t enable row level security; create policy half on t using (a < 2)")
        execute("create view v as select * from t")
        url = psycopg.conninfo.make_conninfo(there.url, user="partial")
        with psycopg.connect(url, autocommit=True) as partial:
            for source in ("t", {"query": "select * from t"}):
                with pytest.raises(SpecError, match="row-level security hides records"):
                    sqlanon.anonymize(source, connection=partial, **DECLARED)
            seen: dict[str, str | int] = {"row_security": "on"}
            made = sqlanon.anonymize("t", connection=partial, settings=seen, **DECLARED)
            assert made.measure("records") == 6
            made.close()
        sqlanon.anonymize("t", connection=there.connection, release="whole", **DECLARED).close()
    finally:
        execute("drop owned by partial; drop role partial")


# --- two runs at once ----------------------------------------------------------------------------


def in_thread(there: PostgresPlace, told: list[str], progress: Any = False) -> threading.Thread:
    """A run on a connection of its own, that tells how it was refused."""
    import psycopg

    def run() -> None:
        with psycopg.connect(there.url, autocommit=True) as connection:
            given: dict[str, Any] = {"connection": connection, "progress": progress}
            try:
                sqlanon.anonymize("t", **given, **DECLARED).close()
            except SpecError as error:
                told.append(str(error))

    return threading.Thread(target=run)


def wait_until_it_waits(there: PostgresPlace, thread: threading.Thread) -> None:
    """Until a thread's statement waits for a lock of another's."""
    import psycopg

    waits = "select 1 from pg_stat_activity where wait_event_type = 'Lock'"
    with psycopg.connect(there.url, autocommit=True) as watching:
        while thread.is_alive() and not watching.execute(waits).fetchone():
            time.sleep(0.02)


def checks(there: PostgresPlace) -> bool:
    """Whether a whole release stands."""
    spec = spec_of("t", DECLARED)
    return sqlanon.check("anonymized", connection=there.connection, spec=spec).passed


@pytest.mark.parametrize("older", [True, *slow(False)])
def test_a_run_is_told_that_another_published_meanwhile(older: bool, there: PostgresPlace) -> None:
    """Not that what the other published bears no mark and is to be dropped."""
    dates(there, "date")
    if older:
        sqlanon.anonymize("t", connection=there.connection, **DECLARED).close()
    begun: list[str] = []

    def publish_there(event: Event) -> None:
        if event.kind == "end" and not begun:
            begun.append(event.title)
            other = in_thread(there, begun)
            other.start()
            other.join()

    loser: dict[str, Any] = {"connection": there.connection, "progress": publish_there}
    with pytest.raises(SpecError, match=r"another run.* published nothing: run again") as refused:
        sqlanon.anonymize("t", **loser, **DECLARED)
    assert "drop" not in str(refused.value)
    assert len(begun) == 1
    assert checks(there)


@pytest.mark.slow
def test_a_run_that_waits_for_another_to_publish_is_told(there: PostgresPlace) -> None:
    dates(there, "date")
    sqlanon.anonymize("t", connection=there.connection, **DECLARED).close()
    paused, go_on, told = threading.Event(), threading.Event(), list[str]()

    def pause(event: Event) -> None:
        if event.kind == "end" and not paused.is_set():
            paused.set()
            go_on.wait(60)

    loser = in_thread(there, told, pause)

    def until_it_waits(event: Event) -> None:
        """The winner holds what it replaces when the loser comes to it."""
        if event.kind == "end" and event.number == event.total:
            go_on.set()
            wait_until_it_waits(there, loser)

    loser.start()
    assert paused.wait(60)
    winner: dict[str, Any] = {"connection": there.connection, "progress": until_it_waits}
    sqlanon.anonymize("t", **winner, **DECLARED).close()
    loser.join()
    assert [text.partition(" or a relation")[0] for text in told] == [
        "release: another run, or somebody else, made anonymized"
    ]
    assert checks(there)


@pytest.mark.slow
def test_a_run_that_begins_while_another_publishes_replaces_its_release(
    there: PostgresPlace,
) -> None:
    """What it looks at first changes under its eyes: it looks again."""
    dates(there, "date")
    sqlanon.anonymize("t", connection=there.connection, **DECLARED).close()
    told: list[str] = []
    second = in_thread(there, told)

    def until_it_waits(event: Event) -> None:
        if event.kind == "end" and event.number == event.total:
            second.start()
            wait_until_it_waits(there, second)

    first: dict[str, Any] = {"connection": there.connection, "progress": until_it_waits}
    sqlanon.anonymize("t", **first, **DECLARED).close()
    second.join()
    assert told == []
    assert checks(there)


def test_a_query_that_locks_is_refused(there: PostgresPlace) -> None:
    dates(there, "date")
    for text in ("for update", "for no key update of t skip locked", "for share"):
        query = {"query": f"select * from t {text}"}
        with pytest.raises(SpecError, match="it locks what it reads"):
            sqlanon.anonymize(query, connection=there.connection, **DECLARED)
