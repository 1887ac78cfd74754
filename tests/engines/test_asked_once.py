"""What costs time is done once: questions of the catalog, translations of a statement."""

import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import anonymized, database, examples, make_table

from sqlanon.engines import DuckDBEngine
from sqlanon.engines.duckdb.driver import DuckDBDriver
from sqlanon.errors import SpecError
from sqlanon.plan import Materialization, Rows, Step
from sqlanon.sql.dialects import _kept_by_tokens, _lower, transpile
from sqlanon.sql.names import Relation, identifier, literal
from sqlanon.sql.products import DIALECTS, PRODUCTS
from sqlanon.sql.templates import Template, load_template
from sqlanon.sql.written import Written

OTHERS = [name for name in DIALECTS if name != "duckdb"]


def test_a_run_asks_the_catalog_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    take = DuckDBDriver._take

    def noted(driver: DuckDBDriver, sql: str) -> Rows:
        asked.append(sql)
        return take(driver, sql)

    monkeypatch.setattr(DuckDBDriver, "_take", noted)
    monkeypatch.setattr(DuckDBDriver, "_known", ())
    with database(own=True) as connection:
        make_table(connection, "people", {"q": "varchar", "s": "varchar"}, [("a", "x")] * 3)
        anonymized(connection, "people", quasi_identifiers=["q"], sensitive=["s"], k=2, seed=1)
    asked = [
        sql for sql in asked if sql.startswith("select ")
    ]  # not the record, which has the script
    metrics = '"anonymized__metrics"\n) as bounded'
    catalog = (("duckdb_settings()", 1), ("duckdb_functions()", 1), ("duckdb_views()", 5))
    for what, most in (*catalog, (metrics, 1)):
        assert 0 < sum(what in sql for sql in asked) <= most, what


def test_relations_are_listed_once_in_a_block_unless_a_statement_of_its_session_changes_them() -> (
    None
):
    there = Relation("there")
    with database(own=True) as connection, connection.cursor() as other:
        engine = DuckDBEngine(connection=connection)
        with engine.listing_once():
            assert engine.kind_of(there) is None
            other.execute("create table there (a integer)")
            assert engine.kind_of(there) is None
            with engine.listing_once():  # a block begins with a look
                assert engine.kind_of(there) == "table"
            engine.driver.execute("create temporary table here (a integer)")
            assert engine.kind_of(there) == "table"
            engine.driver.execute(f"drop table {engine.qualified(there).sql}")
            assert engine.kind_of(there) is None
            other.execute("create view there as select 1 as a")
        assert engine.kind_of(there) == "view"
        other.execute("drop view there")
        assert engine.kind_of(there) is None
        engine.close()


def test_functions_that_are_known_to_be_clean_are_looked_at_again_where_one_is_added() -> None:
    for name in ("upper", "abs"):
        with database(own=True) as connection:
            DuckDBEngine(connection=connection).close()
            DuckDBEngine(connection=connection).close()
            connection.execute(f"create temp macro {name}(a) as a")
            with pytest.raises(SpecError, match=f"macro '{name}'"):
                DuckDBEngine(connection=connection)


def test_the_settings_are_listed_once_and_then_told_by_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(DuckDBDriver, "_known", ())
    found = []
    for known in (False, True):
        with database(own=True) as connection:
            connection.execute("set null_order = 'nulls_first'; set enable_progress_bar = false")
            assert bool(DuckDBDriver._known) is known
            engine = DuckDBEngine(connection=connection)
            found.append({name: engine.driver._setting(name) for name in DuckDBDriver._known})
            assert engine.driver._setting("memory_limit"), "one that no run asks for"
            with pytest.raises(SpecError, match="DuckDB has no setting 'memory'"):
                engine.driver._setting("memory")
            engine.close()
    listed, told = found
    assert told == listed
    assert told["null_order"] == "NULLS_FIRST"
    assert told["enable_profiling"] is None


def test_a_step_is_rendered_once_for_each_dialect(monkeypatch: pytest.MonkeyPatch) -> None:
    rendered: list[str] = []
    write = Template.write

    def noted(template: Template, *given: Any) -> Written:
        rendered.append(template.name)
        return write(template, *given)

    monkeypatch.setattr(Template, "write", noted)
    step = Step("counting", Relation("size"), "source/record_count", {"records": Relation("one")})
    texts = [step.sql(), step.sql(), step.sql(naming=lambda _: Relation("there"))]
    assert [re.findall(r'from "(\w+)"', text) for text in texts] == [["one"], ["one"], ["there"]]
    assert step.sql("postgres") == step.sql("postgres")
    assert len(rendered) == 2
    other = replace(step, inputs={"records": Relation("other")})
    assert 'from "other"' in other.sql(), "one that is changed has a text of its own"


def test_what_stands_is_found_however_it_is_called() -> None:
    with database() as connection:
        connection.execute('create table "Größe ""b" as select 1 as x')
        connection.execute("create schema other")
        connection.execute("create view other.V as select 1 as x")
        connection.execute("comment on view other.V is 'seen'")
        engine = DuckDBEngine(connection=connection)
        table, view = Relation('größe "B'), Relation("v", ("other",))
        missing = [Relation("v"), Relation('Größe "b', ("other",)), Relation("none")]
        there = engine.standing([view, *missing, table])
        assert there == {table: ("table", None), view: ("view", "seen")}
        assert engine.standing([]) == {}
        assert [engine.kind_of(relation) for relation in (table, view, *missing)] == [
            "table",
            "view",
            None,
            None,
            None,
        ]
        engine.close()


def test_names_that_differ_by_an_accented_capital_are_two() -> None:
    """DuckDB tells É from é, as it does not tell E from e."""
    with database() as connection:
        for name in ("É", "é"):
            connection.execute(f'create schema "{name}_schema"')
            connection.execute(f'create table "{name}" as select 1 as x')
            connection.execute(f"comment on table \"{name}\" is '{name}'")
        engine = DuckDBEngine(connection=connection)
        both = [Relation("É"), Relation("é")]
        there = {name.name: found.comment for name, found in engine.standing(both).items()}
        assert there == {"É": "É", "é": "é"}
        with engine.driver.users_names():
            connection.execute('drop table "é"')
            connection.execute('drop schema "É_schema"')
        assert list(engine.standing(both)) == both[:1]
        assert engine.has_schema(Relation("x", ("é_schema",)))
        assert not engine.has_schema(Relation("x", ("É_schema",)))
        engine.close()


def test_what_was_held_before_a_transaction_is_asked_again_in_it() -> None:
    with database() as connection:
        connection.execute("create view r as select 1 as x")
        engine, relation = DuckDBEngine(connection=connection), Relation("r")
        assert engine.standing([relation], hold=True)[relation].kind == "view"
        with engine.driver.users_names():
            connection.execute("drop view r")
            connection.execute("create table r as select 2 as x")
        with engine.transaction():
            engine.create(relation, "select 3 as x", Materialization.TABLE)
        engine.close()
        assert connection.execute("from r").fetchall() == [(3,)]


@pytest.mark.parametrize("dialect", OTHERS)
def test_a_statement_is_translated_once_wherever_its_relations_stand(dialect: str) -> None:
    template = load_template("source/record_count", dialect)
    inputs = {"records": Relation("records")}
    here = template.render(inputs, {})
    before = transpile.cache_info().misses
    there = template.render(inputs, {}, lambda one: Relation(f'{one.name} "odd` \\', ("a b",)))
    assert transpile.cache_info().misses == before
    quote = "`" if "`records`" in here else '"'
    name = 'records "odd` \\'.replace(quote, 2 * quote)
    assert there == here.replace(
        f"from {quote}records{quote}", f"from {quote}a b{quote}.{quote}{name}{quote}"
    )


@pytest.mark.parametrize("dialect", [text for text in OTHERS if not PRODUCTS[text].cased])
@examples(10, 100)
@given(texts=st.lists(st.text("'\"`\\-/*Ab\n $É%{?", min_size=1, max_size=7), min_size=4))
def test_words_are_lower_and_names_and_text_as_they_were(dialect: str, texts: list[str]) -> None:
    text, name, table, other = texts[:4]
    sql = transpile(
        f"select CAST({literal(text)} AS varchar) as {identifier(name)}, COUNT(*) as N "
        f"from {identifier(table)} where {literal(other)} = 'X' group by all",
        dialect,
    )
    shouted = "".join(
        sql[start:end] if kept else sql[start:end].upper()
        for start, end, kept in _parts(sql, dialect)
    )
    assert _lower(shouted, dialect) == _lower(sql, dialect) == sql
    outside = "".join(sql[start:end] for start, end, kept in _parts(sql, dialect) if not kept)
    assert not re.search("[A-Z]", outside)


def test_functions_and_types_stay_as_they_were_where_they_are_found_so() -> None:
    sql = "select cast(\"A b\" as bigint), 'X Y' as t, starts_with(c, 'x') from q -- Z"
    written = transpile(sql, "clickhouse")
    assert written.startswith('select\n  CAST("A b" as Nullable(Int64))')
    assert "'X Y' as \"t\"" in written
    assert "startsWith(\"c\", 'x')" in written
    assert 'from "q"' in written


def _parts(sql: str, dialect: str) -> list[tuple[int, int, bool]]:
    """The pieces of a statement, and whether each is text, a name or a comment."""
    found, done = [], 0
    for start, end in _kept_by_tokens(sql, dialect):
        found += [(done, start, False), (start, end, True)]
        done = end
    return [*found, (done, len(sql), False)]
