"""Nothing secret is told or kept: passwords, first lines that are records, variables, seeds."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import conftest
import pytest
from click.testing import CliRunner
from support import DEALT, database, facts, multiset, read

import sqlanon
from sqlanon.cli.main import cli
from sqlanon.engines import open_engine
from sqlanon.errors import SpecError, SqlanonError
from sqlanon.spec import changed, model, parse_source, parse_spec, product

ROLES: dict[str, Any] = {"quasi_identifiers": ["a"], "sensitive": ["s"], "k": 2, **DEALT}


# --- passwords -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "address",
    [
        "postgresql:/user:s3cret@host/db",
        "postgresql:user:s3cret@host/db",
        "postgresql:///user:s3cret@host/db",
        "postgresql:\\\\user:s3cret@host",
        "postgres//user:s3cret@host/db",
        "mysql://user:s3cret@host/db",
        "user:s3cret@host/db",
        "host=nowhere dbname=d password=s3cret",
        "postgresql://user:with@sign:s3cret@127.0.0.1:1/db",
        "postgresql://127.0.0.1:1/db?password=s3cret",
    ],
)
def test_a_malformed_address_shows_no_password(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever it is given: as the database, as the source, as the release."""
    monkeypatch.chdir(tmp_path)
    said = []
    for act in (
        lambda: open_engine(address),
        lambda: sqlanon.anonymize(address, release="r", **ROLES),
        lambda: sqlanon.anonymize("t.csv", release=address, **ROLES),
        lambda: sqlanon.anonymize("t.csv", database=address, **ROLES),
    ):
        with pytest.raises(SqlanonError) as caught:
            act()
        said += [str(caught.value), repr(caught.value)]
    for words in (["init", "t", "--database", address], ["check", address, "--qi", "a"]):
        done = CliRunner().invoke(cli, words)
        said += [done.output, str(done.exception)]
    assert not [text for text in said if "s3cret" in text]
    assert not list(tmp_path.iterdir())


# --- a first line that is a record ---------------------------------------------------------------


@pytest.mark.parametrize("as_query", [False, True])
@pytest.mark.parametrize("where", ["run", "check", "columns"])
def test_a_file_without_a_header_shows_no_name_of_its_columns(
    where: str, as_query: bool, tmp_path: Path
) -> None:
    """Its first record stands where the names should be, and no type gives that away."""
    file = tmp_path / "people.csv"
    lines = ["12 High St,Ann Smith,flu", "3 Low Rd,Bob Jones,gout", "7 Mid Ln,Cy Young,flu"]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    query = {"query": f"select * from read_csv('{file}', header = true)"}
    source: Any = query if as_query else file
    roles: dict[str, Any] = {"quasi_identifiers": ["Ann Smyth"], "sensitive": ["12 High Street"]}
    if where == "columns":
        source = {"file": str(file), "columns": {"Ann Smyth": "text"}}
    act = sqlanon.check if where == "check" else sqlanon.anonymize
    with pytest.raises(SpecError) as caught:
        act(source, k=2, **roles)
    said = str(caught.value)
    assert "has no such column" in said
    assert not [cell for cell in ("'12 High St'", "'Ann Smith'", "'flu'") if cell in said]
    assert "see to it that its first line names the columns" in said


def test_a_file_whose_header_is_proved_names_the_nearest_column(tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_text("street,name,illness\nx,y,flu\nx,z,gout\n", encoding="utf-8")
    with pytest.raises(SpecError, match="did you mean 'illness'"):
        sqlanon.anonymize(file, quasi_identifiers="street", sensitive="ilness", k=2)


# --- environment variables -----------------------------------------------------------------------


def test_a_variable_in_a_query_is_kept_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the run's record and its SQL; a script, too, and it says so."""
    monkeypatch.setenv("PART_OF_IT", "s3cret")
    query = "select i % 5 as a, i % 3 as s from range(60) as t(i) where '${PART_OF_IT}' <> 'x'; "
    with database() as connection:
        made = sqlanon.anonymize({"query": query}, connection=connection, **ROLES)
        kept = str(read(connection, "anonymized__run"))
        assert "s3cret" not in kept + made.sql + str(made.steps)
        assert "where '${PART_OF_IT}' <> 'x'" in facts(connection)["sql"]
        assert json.loads(facts(connection)["spec"])["source"]["query"] in query
        first = facts(connection)["fingerprint"]
        monkeypatch.setenv("PART_OF_IT", "n0ther")
        sqlanon.anonymize({"query": query}, connection=connection, **ROLES).close()
        assert facts(connection)["fingerprint"] == first
        script = sqlanon.compile({"query": query}, connection=connection, **ROLES)
        assert "n0ther" not in script
        assert "where '${PART_OF_IT}' <> 'x'" in script
        assert "-- The query or path below names environment variables" in script.splitlines()[1]
        plain = sqlanon.compile({"query": query.replace("$", "")}, connection=connection, **ROLES)
        assert "environment variables" not in plain


def test_a_variable_in_the_path_of_a_file_is_kept_by_its_name(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """In a script and in the run's record and SQL, wherever the spec lies."""
    monkeypatch.setenv("PLACE", "s3cret_place")
    (tmp_path / "s3cret_place").mkdir()
    lines = [f"{i % 5},{i % 3}" for i in range(60)]
    (tmp_path / "s3cret_place" / "t.csv").write_text("a,s\n" + "\n".join(lines), encoding="utf-8")
    (tmp_path / "spec.yaml").write_text(
        "source: ${PLACE}/t.csv\nrelease: anonymized\nquasi_identifiers: [a]\nsensitive: [s]\n"
        "privacy: {k: 2}\nmethod: stack_and_deal\nseed: 1\n",
        encoding="utf-8",
    )
    with database() as connection:
        made = sqlanon.anonymize(tmp_path / "spec.yaml", connection=connection)
        kept = str(read(connection, "anonymized__run"))
        assert "s3cret_place" not in kept + made.sql + str(made.steps)
        made.close()
        script = sqlanon.compile(tmp_path / "spec.yaml", connection=connection)
        assert "s3cret_place" not in script
        assert "/${PLACE}/t.csv'" in script
        assert "-- The query or path below names environment variables" in script.splitlines()[1]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("people.csv", "${WHAT}/people.csv", "/${WHAT}/people.csv'"),
        ("[s]", "['${WHAT}']", "sensitive.${WHAT}"),
        ("seed: 1", "seed: 1\nmissing: {a: '${WHAT}'}", "the code '${WHAT}'"),
        ("[a]", "{a: {hierarchy: '${WHAT}.csv'}}", "/${WHAT}.csv'"),
    ],
)
def test_an_error_says_a_variable_anywhere_as_it_is_written(
    before: str, after: str, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("WHAT", "s3cret_text")
    (tmp_path / "people.csv").write_text("a,s\n" + "1,2\n2,1\n" * 9, encoding="utf-8")
    text = (
        "source: people.csv\nrelease: anonymized\nquasi_identifiers: [a]\nsensitive: [s]\n"
        "privacy: {k: 2}\nmethod: stack_and_deal\nseed: 1\n"
    )
    (tmp_path / "spec.yaml").write_text(text.replace(before, after), encoding="utf-8")
    with database() as connection, pytest.raises(SpecError) as refused:
        sqlanon.anonymize(tmp_path / "spec.yaml", connection=connection)
    assert "s3cret_text" not in str(refused.value)
    assert said in str(refused.value)
    assert "${WHAT}" in str(refused.value)


def test_a_value_of_a_variable_in_the_name_of_a_database_is_no_address(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What errors show otherwise is not taken for a password in it."""
    monkeypatch.setenv("NAMED", "monthly")
    query = "select 1 as a, 2 as s where '${NAMED}' <> ''"
    assert parse_spec(
        {
            "source": {"query": query},
            "release": "p",
            "quasi_identifiers": ["a"],
            "privacy": {"k": 1},
        }
    ).hides
    assert product(str(tmp_path / "monthly.duckdb")) == "duckdb"


@pytest.mark.parametrize(
    "query", ["select ${COLUMN} from range(9) as t(i)", "select 1 from ${COLUMN}"]
)
def test_an_error_says_a_variable_in_a_query_as_it_is_written(
    monkeypatch: pytest.MonkeyPatch, query: str
) -> None:
    """Also where the database's own message is shown."""
    monkeypatch.setenv("COLUMN", "s3cret_column")
    with database() as connection:
        for shows in (False, True):
            with pytest.raises(SpecError, match=re.escape("${COLUMN}")) as caught:
                sqlanon.anonymize(
                    {"query": query}, connection=connection, show_database_errors=shows, **ROLES
                )
            assert "s3cret" not in str(caught.value)


# --- the seed ------------------------------------------------------------------------------------


@pytest.fixture
def drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seeds are drawn as they are outside of tests."""
    monkeypatch.setattr(model, "draw_seed", conftest.DRAW_SEED)


@pytest.mark.slow
def test_a_seed_that_is_not_given_is_drawn_and_kept_off_the_screen(
    drawing: None, tmp_path: Path
) -> None:
    """Nobody can guess it or read it in a log, and the same release can be made again."""
    query = "select (i * 7) % 50 as a, i % 3 as s from range(300) as t(i)"
    with database(tmp_path / "d.duckdb") as connection:
        connection.execute(f"create table t as {query}")
    declared: dict[str, Any] = {
        "source": "t",
        "release": "r",
        "database": "d.duckdb",
        "quasi_identifiers": ["a"],
        "sensitive": ["s"],
        "privacy": {"k": 4},
        "method": "stack_and_deal",
    }
    spec, released = tmp_path / "spec.yaml", []
    seeds: list[int] = []
    for given in (None, None, "again"):
        if given:
            declared["seed"] = seeds[-1]
        spec.write_text(json.dumps(declared))
        done = CliRunner().invoke(cli, ["run", str(spec), "--quiet"], catch_exceptions=False)
        as_json = CliRunner().invoke(cli, ["run", str(spec), "--quiet", "--json"])
        told = (
            "The run drew a seed. Put it into the spec to make the same release again"
            in done.output
        )
        assert json.loads(as_json.stdout)["seed_is_drawn"] is not bool(given)
        with database(tmp_path / "d.duckdb") as connection:
            run = facts(connection, "r")
            released.append(multiset(read(connection, "r")[1]))
        assert told is not bool(given)
        assert run["seed"] not in done.output
        assert run["seed"] not in as_json.output
        assert json.loads(run["spec"])["seed"] == int(run["seed"])
        seeds.append(int(run["seed"]))
    assert seeds[0] != seeds[1] == seeds[2]
    assert released[0] != released[1] == released[2]


def test_a_script_holds_the_seed_that_was_drawn(drawing: None) -> None:
    """It makes the same release whenever it runs; another script makes another."""
    released = []
    with database() as connection:
        connection.execute("create table t as select i as a, i % 3 as s from range(60) as r(i)")
        scripts = [sqlanon.compile("t", connection=connection, **ROLES) for _ in range(2)]
        for script in (scripts[0], scripts[0], scripts[1]):
            connection.execute(script)
            released.append(multiset(read(connection, "anonymized")[1]))
    assert released[0] == released[1] != released[2]


def test_all_trials_with_one_spec_have_the_seed_that_was_drawn(drawing: None) -> None:
    """A choice of k and a sweep change a spec in part: the seed stays."""
    roles = {name: value for name, value in ROLES.items() if name != "k"}
    spec = parse_spec({"source": "t", "release": "r", "privacy": {"k": 2}, **roles})
    assert spec.seed == changed(spec, privacy=spec.privacy).seed
    assert spec.seed_is_drawn


# --- a database that is made ---------------------------------------------------------------------


def test_only_the_owner_may_read_a_database_that_a_run_makes(tmp_path: Path) -> None:
    """And what DuckDB writes beside it until it is closed; a file that was there stays as it is."""
    file, older = tmp_path / "new.duckdb", tmp_path / "older.duckdb"
    query = {"query": "select i % 5 as a, i % 3 as s from range(60) as t(i)"}
    with database(older):
        pass
    older.chmod(0o640)
    settings: dict[str, str | int] = {"wal_autocheckpoint": "1TB"}
    for made in (file, older):
        release = sqlanon.anonymize(query, database=made, settings=settings, **ROLES)
        log = made.with_name(f"{made.name}.wal")
        assert log.stat().st_mode & 0o077 == 0
        release.close()
    assert file.stat().st_mode & 0o777 == 0o600
    assert older.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize(
    ("query", "value", "stands"),
    [
        ("select 1 as a where 'x' <> '${PART_OF_IT}'", "May 2020; or 'none'", False),
        ("select 1 as a where 'x' <> '${PART_OF_IT}'", "Mai (früh) = 1", True),
        ("select 1 as a where 'x' <> '${PART_OF_IT}'", "a\\", False),
        ("select 1 as a where 1 = ${PART_OF_IT}", "1 or true", False),
        ("select 1 as a where 1 = ${PART_OF_IT}", "1--", False),
        ("select 1 as a where 1 = ${PART_OF_IT}", "-1.5", True),
        ("select 1 as a where 1 = -${PART_OF_IT}", "-1", False),
        ("select 1 as a -- don't\nwhere 1 = ${PART_OF_IT}", "1 or true", False),
        ("select 1 as a /* ' */ where 1 = ${PART_OF_IT}", "1 or true", False),
        ('select 1 as "o\'b" where 1 = ${PART_OF_IT}', "1 or true", False),
        ("select e'\\'' as a where 1 = ${PART_OF_IT} and 'b' = 'b'", "1 or true", False),
        ("select $$'$$ as a where 1 = ${PART_OF_IT} and 'b' = 'b'", "1 or true", False),
        ("select 1 /* /* */ ' */ as a where 1 = ${PART_OF_IT} and 'b' = 'b'", "1 or true", False),
        ("select 1 as a -- don't\nwhere 'b' = '${PART_OF_IT}'", "New York", True),
        ("select 'it''s' as a where 'b' = '${PART_OF_IT}'", "New York", True),
        ("select 1 as a from ${PART_OF_IT}", "main.people", True),
        ("${PART_OF_IT}", "select 'a' as a", True),
    ],
)
def test_a_variable_changes_no_query(
    query: str, value: str, stands: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PART_OF_IT", value)
    if stands:
        assert parse_source({"query": query}).query == query.replace("${PART_OF_IT}", value)
        return
    with pytest.raises(SpecError, match=r"PART_OF_IT.* cannot stand in SQL") as refused:
        parse_source({"query": query})
    assert value not in str(refused.value)
