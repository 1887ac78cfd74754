"""Keyed pseudonyms are Python's own HMAC, agree wherever a key does, and tell the key nowhere."""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner
from hypothesis import Phase, given
from hypothesis import strategies as st
from servers import ENGINES, Place, PostgresPlace, SparkPlace, place
from support import DEALT, Connection, database, examples

import sqlanon
from sqlanon.cli.main import cli
from sqlanon.dbt import write_models
from sqlanon.engines import DuckDBEngine
from sqlanon.errors import EngineError, InfeasibleError, SpecError, SqlanonError
from sqlanon.source.keys import pads

pytestmark = pytest.mark.slow

KEY = "correct horse battery staple, and so on 4711"
NAMES = ["Ann", "ann", "", "Zürich", "O'Hara", 'a "b"', "{x}", "日本", "x" * 200, "a\nb", None]
COLUMNS = {
    "name": "varchar",
    "number": "bigint",
    "born": "date",
    "age": "integer",
    "disease": "varchar",
}
ROLES: dict[str, Any] = {
    "release": "public",
    "quasi_identifiers": ["age"],
    "sensitive": ["disease"],
    "privacy": {"k": 3},
    "seed": 1,
    **DEALT,
}


def keyed(**key: Any) -> dict[str, Any]:
    return {"pseudonym": "keyed", "key": key or {"env": "PEPPER"}, "repeats": True}


def rows() -> list[tuple[Any, ...]]:
    return [
        (NAMES[i % len(NAMES)], i * 10**15 - 7, date(1960 + i, 2, 28), i % 9, "abc"[i % 3])
        for i in range(33)
    ]


def by_python(value: Any, key: bytes = KEY.encode()) -> str | None:
    if value is None:
        return None
    return hmac.new(key, str(value).encode(), hashlib.sha256).hexdigest()


@pytest.fixture(autouse=True)
def pepper(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PEPPER", KEY)


@pytest.fixture(params=ENGINES)
def there(request: pytest.FixtureRequest, urls: Mapping[str, str]) -> Iterator[Place]:
    with place(request.param, urls) as found:
        yield found


@pytest.fixture
def connection() -> Iterator[Connection]:
    with database() as made:
        made.execute(
            "create table people as select i as id, i % 9 as age, i % 3 as disease "
            "from range(33) as n(i)"
        )
        yield made


# --- what it is ----------------------------------------------------------------------------------


def test_a_pseudonym_is_the_hmac_of_the_text_on_every_engine(there: Place) -> None:
    there.make_table("people", COLUMNS, rows())
    declared = {**ROLES, "identifiers": {text: keyed() for text in ("name", "number", "born")}}
    sqlanon.anonymize("people", connection=there.connection, **declared).close()
    names, found = there.read("public")
    assert names == ("age", "disease", "name", "number", "born")
    expected = [tuple(map(by_python, row[:3])) for row in rows()]
    assert sorted((row[2:] for row in found), key=repr) == sorted(expected, key=repr)
    left = {relation for relation in there.relations() if "secret" in relation}
    assert not left


@pytest.mark.sampled
@pytest.mark.parametrize("size", [32, 63, 64, 65, 200])
def test_keys_of_any_length_from_a_file(connection: Connection, tmp_path: Path, size: int) -> None:
    """Any bytes; the end of a line after them is none of the key."""
    key = bytes(range(255, 255 - size, -1))
    (tmp_path / "key").write_bytes(key + b"\r\n")
    declared = {**ROLES, "identifiers": {"id": keyed(file=str(tmp_path / "key"))}}
    sqlanon.anonymize("people", connection=connection, **declared).close()
    found = connection.execute("select id from public").fetchall()
    assert {one for (one,) in found} == {by_python(i, key) for i in range(33)}


@pytest.mark.slow
@examples(5, 40, Phase.generate)
@given(
    names=st.lists(
        st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])),
        min_size=3,
        max_size=9,
    ),
    key=st.binary(min_size=32, max_size=80).filter(lambda key: key == key.rstrip(b"\r\n")),
)
def test_any_text_under_any_key(
    names: list[str], key: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    file = tmp_path_factory.mktemp("key") / "key"
    file.write_bytes(key)
    with database() as made:
        made.execute("create table t (name varchar, age integer, disease integer)")
        made.executemany("insert into t values (?, 1, 2)", [[name] for name in names])
        declared = {**ROLES, "identifiers": {"name": keyed(file=str(file))}}
        sqlanon.anonymize("t", connection=made, **declared).close()
        found = sorted(one for (one,) in made.execute("select name from public").fetchall())
    assert found == sorted(str(by_python(name, key)) for name in names)


def test_pseudonyms_agree_over_tables_and_releases_that_share_a_key(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a number or as text; with another key, none does."""
    connection.execute("create table visits as select id::varchar as id, age, disease from people")
    for source, release in (("people", "a"), ("visits", "b")):
        declared = {**ROLES, "identifiers": {"id": keyed()}, "release": release}
        sqlanon.anonymize(source, connection=connection, **declared).close()
    monkeypatch.setenv("PEPPER", KEY[::-1])
    sqlanon.anonymize("people", connection=connection, **{**declared, "release": "c"}).close()
    joined = "select count(*) from a join {} using (id)"
    assert connection.execute(joined.format("b")).fetchall() == [(33,)]
    assert connection.execute(joined.format("c")).fetchall() == [(0,)]


@pytest.mark.further
@pytest.mark.sampled
@pytest.mark.parametrize(
    "declared",
    [
        {"choose": {"k": "3-4"}},
        {"publish": "anatomy", "privacy": {"k": 1, "l": 2}},
        {"publish": "permuted", "privacy": {"k": 1, "l": 2}},
        {"materialize": "view"},
        {"method": "deal_tree"},
        {"person": ["w"]},
    ],
    ids=str,
)
def test_whatever_else_is_declared(connection: Connection, declared: dict[str, Any]) -> None:
    connection.execute("alter table people add w integer; update people set w = id")
    spec = {**ROLES, "identifiers": {"id": keyed()}, "source": "people", **declared}
    sqlanon.anonymize(connection=connection, **spec).close()
    found = connection.execute("select id from public").fetchall()
    assert sorted(one for (one,) in found) == sorted(str(by_python(i)) for i in range(33))
    if "person" not in declared:
        known = sqlanon.parse_spec(spec)
        assert sqlanon.check("public", spec=known, connection=connection).passed
        connection.execute("create table cut as select * exclude (id) from public")
        if "publish" not in declared:
            faults = sqlanon.check("cut", spec=known, connection=connection).faults
            assert [(fault.what, fault.column) for fault in faults] == [("missing_column", "id")]


def test_a_pseudonym_counts_for_no_metric(connection: Connection) -> None:
    """It tells a reader nothing that a reader could know of a person."""
    found = []
    for settings in ({}, keyed()):
        declared = {**ROLES, "identifiers": {"id": settings}}
        with sqlanon.anonymize("people", connection=connection, **declared) as release:
            found.append(release.measures)
    assert found[0] == found[1]


# --- a key that is none --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "says"),
    [
        ({"env": "NOT_THERE"}, "key: the environment variable that it names is not set"),
        ({"env": "EMPTY"}, "key: the key has 0 bytes: it must have at least 32, drawn at random"),
        ({"env": "SHORT"}, "key: the key has 31 bytes: it must have at least 32"),
        ({"file": "nowhere"}, "key: the file that it names cannot be read: No such file"),
        ({"env": "PEPPER", "file": "x"}, "key: it must be {env: NAME} or {file: PATH}, one of the"),
        ({}, "key: it must be {env: NAME} or {file: PATH}, one of them"),
        ({"env": KEY}, "key: env must be the name of an environment variable, not the key"),
        (KEY, "key: it must be {env: NAME} or {file: PATH}: a spec never holds the key itself"),
        ({"value": KEY}, "key.value: unknown key"),
        (None, "pseudonym: keyed and a key, {env: NAME} or {file: PATH}, go together"),
    ],
)
def test_a_key_that_is_missing_empty_or_short_is_refused(
    connection: Connection, monkeypatch: pytest.MonkeyPatch, key: Any, says: str
) -> None:
    monkeypatch.setenv("EMPTY", "")
    monkeypatch.setenv("SHORT", "x" * 31)
    identifiers = {"id": {"pseudonym": "keyed"} | ({} if key is None else {"key": key})}
    with pytest.raises(SpecError) as caught:
        sqlanon.anonymize("people", connection=connection, **ROLES, identifiers=identifiers)
    assert says in str(caught.value)
    assert KEY not in f"{caught.value!s}{caught.value!r}"
    assert connection.execute("select count(*) from duckdb_tables()").fetchall() == [(1,)]


def test_a_kind_that_databases_write_otherwise_is_refused(connection: Connection) -> None:
    connection.execute("alter table people add weight double")
    declared = {**ROLES, "identifiers": {"weight": keyed()}}
    with pytest.raises(SpecError, match=r"identifiers.weight.pseudonym: .* the column is DOUBLE"):
        sqlanon.anonymize("people", connection=connection, **declared)


def test_scripts_and_dbt_models_are_refused(connection: Connection, tmp_path: Path) -> None:
    declared = {**ROLES, "identifiers": {"id": keyed()}}
    with pytest.raises(SpecError, match=r"id.pseudonym: a script would have to hold the key"):
        sqlanon.compile("people", connection=connection, **declared)
    (tmp_path / "dbt_project.yml").write_text("name: a\nversion: '1'\nprofile: a\n")
    spec = sqlanon.parse_spec({**declared, "source": "people"})
    with pytest.raises(SpecError, match=r"id.pseudonym: dbt models would have to hold the key"):
        write_models(spec, DuckDBEngine(connection=connection), tmp_path)


# --- nobody is told the key ----------------------------------------------------------------------


def secrets() -> list[str]:
    """The key, and what it is given to a session as."""
    return [KEY, *pads(KEY.encode()), KEY.encode().hex()]


def assert_untold(text: str) -> None:
    for secret in secrets():
        assert secret not in text
        assert secret.lower() not in text.lower()


def test_the_key_is_nowhere(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Not in what is said or recorded, not in the database's files while a run lasts or after."""
    caplog.set_level(logging.DEBUG)
    file = tmp_path / "people.duckdb"
    said: list[str] = []

    def look(event: Any = None) -> None:
        said.append(repr(event))
        for path in tmp_path.rglob("*"):
            if path.is_file():
                held = path.read_bytes()
                for secret in secrets():
                    assert secret.encode() not in held
                    assert bytes.fromhex(pads(KEY.encode())[0]) not in held

    made = duckdb.connect(str(file))
    made.execute(
        "create table people as select i as id, i % 9 as age, i % 3 as disease "
        "from range(33) as n(i)"
    )
    declared = {**ROLES, "identifiers": {"id": keyed()}}
    release = sqlanon.anonymize("people", connection=made, progress=look, **declared)
    said += [release.sql, repr(release), json.dumps(release.steps)]
    for name in ("public", "public__run", "public__metrics", "public__classes"):
        said.append(repr(made.execute(f"from {name}").fetchall()))
    said.append(repr(made.execute("from duckdb_variables()").fetchall()))
    prepared = sqlanon.plan("people", connection=made, **declared)
    said += [step.sql() for step in prepared.plan if hasattr(step, "sql")]
    bad = {**declared, "privacy": {"k": 3, "l": 9}}
    with pytest.raises(InfeasibleError) as caught:
        sqlanon.anonymize("people", connection=made, progress=look, **bad)
    said += [str(caught.value), repr(caught.value)]
    look()
    made.close()
    look()
    assert_untold("".join([*said, caplog.text]))


def test_the_command_line_does_not_tell_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [f"{i},{i % 9},{i % 3}" for i in range(33)]
    Path("people.csv").write_text("id,age,disease\n" + "\n".join(lines) + "\n")
    spec = {**ROLES, "source": "people.csv", "identifiers": {"id": keyed()}}
    Path("spec.yaml").write_text(json.dumps(spec))
    for words in (["run"], ["run", "--json"], ["plan"], ["compile"]):
        done = CliRunner().invoke(cli, [words[0], "spec.yaml", *words[1:]])
        assert done.exit_code == 0 or words == ["compile"], done.output
        assert_untold(f"{done.output}{done.exception!r}")
    assert_untold(Path("public.duckdb").read_bytes().decode("latin-1"))


def test_a_script_that_a_run_kept_has_no_key_and_publishes_nothing(connection: Connection) -> None:
    declared = {**ROLES, "identifiers": {"id": keyed()}}
    release = sqlanon.anonymize("people", connection=connection, **declared)
    before = connection.execute("from public").fetchall()
    with pytest.raises(duckdb.Error, match="the key of id is not there"):
        connection.execute(release.sql)
    connection.execute("rollback")
    assert connection.execute("from public").fetchall() == before


def test_an_error_of_the_database_does_not_tell_it(there: Place) -> None:
    """Whatever fails while the session has the key."""
    there.make_table("people", COLUMNS, rows())

    def fail(event: Any) -> None:
        if event.title == "stacking the records":
            raise EngineError("broken")

    declared = {**ROLES, "identifiers": {"name": keyed()}}
    with pytest.raises(SqlanonError) as caught:
        sqlanon.anonymize(
            "people",
            connection=there.connection,
            progress=fail,
            show_database_errors=True,
            **declared,
        )
    assert_untold(f"{caught.value!s}{caught.value!r}{vars(caught.value)}")
    if isinstance(there, PostgresPlace):
        sql = "select current_setting('sqlanon.sqlanon_secret_1_inner', true)"
        assert there.connection.execute(sql).fetchall() in ([(None,)], [("",)])
    elif not isinstance(there, SparkPlace):
        assert not there.connection.execute("from duckdb_variables()").fetchall()
    assert "public" not in there.relations()


def test_a_statement_that_fails_leaves_no_key_in_the_session(connection: Connection) -> None:
    """A transaction that failed forgets nothing until it has ended."""
    query = "select *, if(id = 7, error('stop'), 'x') as other from people"
    declared = {**ROLES, "identifiers": {"id": keyed()}, "insensitive": {"other": {"accept": "x"}}}
    with pytest.raises(SpecError):
        sqlanon.anonymize({"query": query}, connection=connection, **declared)
    assert not connection.execute("from duckdb_variables()").fetchall()


@pytest.mark.parametrize("made", [{}, {"publish": "anatomy", "privacy": {"k": 1}}], ids=str)
def test_what_is_no_pseudonym_is_found(connection: Connection, made: dict[str, Any]) -> None:
    declared = {**ROLES, "identifiers": {"id": keyed()}, "sensitive": {"disease": {"l": 2}}, **made}
    sqlanon.anonymize("people", connection=connection, **declared)
    spec = sqlanon.parse_spec({**declared, "source": "people"})
    assert sqlanon.check("public", spec=spec, connection=connection).passed
    connection.execute("update public set id = 'n' || rowid where rowid < 5")
    (fault,) = sqlanon.check("public", spec=spec, connection=connection).faults
    assert (fault.what, fault.column, fault.records) == ("no_pseudonyms", "id", 5)


def test_of_a_key_file_the_end_of_its_line_alone_is_left_out(
    connection: Connection, tmp_path: Path
) -> None:
    key = b"k" * 31 + b"\n"
    (tmp_path / "key").write_bytes(key + b"\n")
    asked = keyed(file=str(tmp_path / "key"))
    sqlanon.anonymize("people", connection=connection, **{**ROLES, "identifiers": {"id": asked}})
    found = {one for (one,) in connection.execute("select id from public").fetchall()}
    ids = connection.execute("select id from people").fetchall()
    assert found == {by_python(one, key) for (one,) in ids}
