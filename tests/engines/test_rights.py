"""Who may read a release on PostgreSQL, and that nobody else may read what proves it."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from needs import missing
from servers import PostgresPlace, place
from support import DEALT, slow

import sqlanon

pytestmark = pytest.mark.slow

TABLE = {"person": "integer", "a": "integer", "q": "varchar", "s": "varchar"}
ROWS = [(i % 30, 20 + i % 7, f"q{i % 3}", f"s{i % 4}") for i in range(60)]
DECLARED: dict[str, Any] = {
    "quasi_identifiers": ["a", "q"],
    "sensitive": {"s": {"l": 2}},
    "k": 4,
    "release": "public_table",
}
EXACT = {**DECLARED, "k": 1}
# What is published by each publication, and so may be read by whom default privileges name.
PUBLICATIONS: dict[str, tuple[dict[str, Any], set[str]]] = {
    "generalized": (DECLARED, {"public_table"}),
    "view": ({**DECLARED, "materialize": "view"}, {"public_table"}),
    "suppressed": (
        {
            **DECLARED,
            "quasi_identifiers": {"a": {"hierarchy": {"bands": [5]}}},
            "suppression": {"records": 0.5},
            "method": "optimal",
        },
        {"public_table"},
    ),
    "series": (
        {**DECLARED, "person": "person", "series": {}, "method": "split_or_deal"},
        {"public_table"},
    ),
    "anatomy": (
        {**EXACT, "publish": {"name": "anatomy", "group": 12}},
        {"public_table", "public_table__sensitive"},
    ),
    "permuted": ({**EXACT, "publish": {"name": "permuted", "group": 12}}, {"public_table"}),
    "sliced": (
        {**EXACT, "publish": {"name": "sliced", "group": 12, "columns": [["a"], ["q", "s"]]}},
        {"public_table"},
    ),
    "similar": (
        {
            **EXACT,
            "publish": {
                "name": "sliced",
                "group": 12,
                "columns": [["a"], ["q", "s"]],
                "suppress": "similar",
            },
        },
        {"public_table"},
    ),
}


@pytest.fixture
def there(urls: Mapping[str, str]) -> Iterator[PostgresPlace]:
    with place("postgres", urls) as found:
        assert isinstance(found, PostgresPlace)
        found.make_table("t", TABLE, ROWS)
        yield found


@contextmanager
def reader(there: PostgresPlace, default: str | None) -> Iterator[None]:
    """A role that may do what default privileges say with every table made inside the block."""
    execute = there.connection.execute
    execute("create role reader; grant usage on schema public to public")
    to = "public" if default == "to public" else "reader"
    try:
        if default:
            execute(f"alter default privileges grant all on tables to {to}".encode())
        yield
    finally:
        execute("alter default privileges revoke all on tables from public, reader")
        execute("drop owned by reader; drop role reader")


def readable(there: PostgresPlace) -> set[str]:
    """What the reader has any right on, be it on one column."""
    rights = "select, insert, update, delete, truncate, references, trigger"
    parts = "select, insert, update, references"
    found = there.connection.execute(
        f"select relname from pg_class where relnamespace = 'public'::regnamespace "
        f"and relkind in ('r', 'v') and relname <> 't' and (has_table_privilege('reader', oid, "
        f"'{rights}') or has_any_column_privilege('reader', oid, '{parts}'))".encode()
    )
    return {name for (name,) in found.fetchall()}


def run(there: PostgresPlace, **declared: Any) -> None:
    sqlanon.anonymize("t", connection=there.connection, **DEALT | declared).close()


@pytest.mark.sampled
@pytest.mark.parametrize("default", ["to public", *slow("to a role")])
@pytest.mark.parametrize(
    "publication",
    ["view", "series", "anatomy", *slow(*sorted({*PUBLICATIONS} - {"view", "series", "anatomy"}))],
)
def test_default_privileges_open_no_proof(
    publication: str, default: str, there: PostgresPlace
) -> None:
    """By them the reader may read what is published; nothing that tells who is in which class."""
    declared, published = PUBLICATIONS[publication]
    with reader(there, default):
        run(there, **declared)
        assert readable(there) == published
        assert there.relations() > published | {"public_table__run", "public_table__classes"}


def test_default_privileges_open_neither_a_sweep_nor_what_an_attack_keeps(
    there: PostgresPlace,
) -> None:
    with reader(there, "to public"):
        run(there, **DECLARED)
        connection = there.connection
        sqlanon.sweep("t", connection=connection, **{**DEALT, **DECLARED, "k": [2, 4]}).close()
        sqlanon.attack("public_table", connection=connection, keep=True)
        assert {"public_table__sweep", "public_table__attacked"} < there.relations()
        assert readable(there) == {"public_table"}


def rights(there: PostgresPlace) -> list[tuple[Any, ...]]:
    """The rights that are granted on what is published, and on its columns."""
    found = there.connection.execute(
        "select relname, null as part, relacl::text from pg_class where relname in "
        "('public_table', 'public_table__sensitive') union all select relname, attname, "
        "attacl::text from pg_attribute inner join pg_class on attrelid = pg_class.oid "
        "where relname like 'public\\_table%' and attacl is not null order by 1, 2"
    )
    return [
        (name, part, sorted(one.split("/")[0] for one in (acl or "{}")[1:-1].split(",")))
        for name, part, acl in found.fetchall()
    ]


@pytest.mark.parametrize("how", ["table", "view"])
def test_a_release_made_again_keeps_its_readers(how: str, there: PostgresPlace) -> None:
    """Those of the table and those of columns; what default privileges would add is not added."""
    declared = {**DECLARED, "materialize": how}
    with reader(there, "to public"):
        run(there, **declared)
        execute = there.connection.execute
        execute("revoke all on public_table from public")
        execute("grant insert, select (a), update (a) on public_table to reader")
        execute("grant select (s) on public_table to reader with grant option")
        execute("grant select on public_table__classes to reader")
        run(there, **declared)
        columns = [(part, acl) for _, part, acl in rights(there) if part]
        assert columns == [("a", ["reader=r"]), ("s", ["reader=r*"])]
        assert readable(there) == {"public_table"}
        writing = "has_any_column_privilege('reader', 'public_table', 'insert, update')"
        assert execute(f"select {writing}".encode()).fetchone() == (False,)
        execute("grant select on public_table to public")
        run(there, **{**declared, "quasi_identifiers": "q"})  # the column a is gone
        columns = [(part, acl) for _, part, acl in rights(there) if part]
        assert columns == [("s", ["reader=r*"])]
        assert readable(there) == {"public_table"}


def test_a_release_of_another_publication_keeps_the_readers_of_what_both_publish(
    there: PostgresPlace,
) -> None:
    anatomy = PUBLICATIONS["anatomy"][0]
    with reader(there, None):
        run(there, **anatomy)
        execute = there.connection.execute
        execute("grant select on public_table, public_table__sensitive to reader")
        run(there, **anatomy)
        assert readable(there) == {"public_table", "public_table__sensitive"}
        run(there, **DECLARED)
        assert readable(there) == {"public_table"}


def test_a_run_that_fails_leaves_the_rights_as_they_were(there: PostgresPlace) -> None:
    with reader(there, None):
        run(there, **DECLARED)
        there.connection.execute("grant all on public_table, public_table__run to reader")
        before = rights(there)
        there.connection.execute("insert into t values (99, 99, 'alone', 'new')")
        with pytest.raises(sqlanon.InfeasibleError):
            run(there, **DECLARED, alpha=0.01)
        assert rights(there) == before
        assert readable(there) == {"public_table", "public_table__run"}


@pytest.mark.parametrize("publication", ["anatomy", *slow("view", "suppressed")])
def test_a_script_opens_no_proof_and_keeps_readers(
    publication: str, there: PostgresPlace, tmp_path: Path
) -> None:
    psql = shutil.which("psql")
    if psql is None:
        missing("psql", "psql is not installed")
    declared, published = PUBLICATIONS[publication]
    spec = {**DEALT, **declared}
    script = sqlanon.compile("t", connection=there.connection, **spec)
    file = tmp_path / "script.sql"
    file.write_text(script, encoding="utf-8")
    arguments = [psql, there.url, "-q", "-v", "ON_ERROR_STOP=1", "-f", str(file)]
    with reader(there, "to public"):
        subprocess.run(arguments, capture_output=True, check=True)
        assert readable(there) == published
        there.connection.execute("revoke all on public_table from public")
        there.connection.execute("grant select (a) on public_table to reader")
        subprocess.run(arguments, capture_output=True, check=True)
        assert readable(there) == published
        assert [(part, acl) for _, part, acl in rights(there) if part] == [("a", ["reader=r"])]
