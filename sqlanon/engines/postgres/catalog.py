"""The relations of a PostgreSQL database, by its catalog.

The rights that a role lacks are asked before the work, with how to grant them. A source reads
relations through views, partitions and functions too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from sqlanon.engines.base import Standing
from sqlanon.plan import Rows
from sqlanon.sql.names import Relation, Sql, identifier, literal


class Asking(Protocol):
    """Carries statements to the server: its driver, or DuckDB that has attached it."""

    def execute(self, sql: str, step: str = "") -> Rows:
        """The rows of a statement."""


def lacking_to_read(driver: Asking, relation: Relation) -> list[str]:
    """Why a table or view cannot be read, if it is there."""
    schema, name = relation.path[-1], literal(relation.sql)
    hidden = f"select oid from pg_namespace where nspname = {literal(schema)}"
    if _holds(driver, f"exists ({hidden} and not has_schema_privilege(oid, 'USAGE'))"):
        return [_grant("usage", f"schema {identifier(schema)}", driver)]
    if _holds(driver, f"not has_table_privilege(to_regclass({name}), 'SELECT')"):
        return [_grant("select", relation.sql, driver)]
    return []


def lacking_to_work(driver: Asking) -> list[str]:
    """Why no work table can be made."""
    (database,) = driver.execute("select current_database()").rows[0]
    if _holds(driver, "has_database_privilege(current_database(), 'TEMPORARY')"):
        return []
    grant = f"grant temporary on database {identifier(database)} to {_role(driver)}"
    return [f"work tables are temporary, and this role may make none: {grant}"]


def lacking_to_write(driver: Asking, relations: Sequence[Relation]) -> list[str]:
    """Why relations cannot be made, or those of their names not be replaced."""
    return list(_lacking_to_write(driver, relations))


def _lacking_to_write(driver: Asking, relations: Sequence[Relation]) -> Iterator[str]:
    role = _role(driver)
    if not _holds(driver, "not current_setting('transaction_read_only')::boolean"):
        yield (
            "the connection is read-only: connect to the primary server, or set "
            "default_transaction_read_only to off"
        )
    for schema in sorted({relation.path[-1] for relation in relations}):
        for right in ("usage", "create"):
            if not _holds(driver, f"has_schema_privilege({literal(schema)}, '{right}')"):
                grant = f"grant {right} on schema {identifier(schema)} to {role}"
                yield f"nothing can be made in the schema {schema!r}: {grant}"
    for relation in relations:
        owner = driver.execute(
            "select pg_get_userbyid(relowner)::text from pg_class "
            f"where oid = to_regclass({literal(relation.sql)}) "
            "and not pg_has_role(relowner, 'USAGE')"
        ).rows
        if owner:
            yield (
                f"{str(relation)!r} would be replaced and belongs to {owner[0][0]!r}: "
                f"alter table {relation.sql} owner to {role}, or give the release another name"
            )


def _grant(right: str, what: str, driver: Asking) -> str:
    return f"it may not be read: grant {right} on {what} to {_role(driver)}"


def _role(driver: Asking) -> Sql:
    return identifier(str(driver.execute("select current_user::text").rows[0][0]))


def _holds(driver: Asking, condition: str) -> bool:
    return bool(driver.execute(f"select {condition}").rows[0][0])


#: The columns that every table of PostgreSQL has of itself.
SYSTEM_COLUMNS = ("tableoid", "xmin", "cmin", "xmax", "cmax", "ctid")


def standing_of(
    relations: Sequence[Relation], server: Asking, unseen: bool = False
) -> dict[Relation, Standing]:
    """Those of some relations that exist: the kind of each, and the comment on it.

    Args:
        relations: their names on the server.
        server: is asked.
        unseen: whether a relation counts, without a comment, that another session has made and
            that this transaction's snapshot has not.
    """
    join = "left" if unseen else "inner"
    names = (literal(relation.sql) for relation in relations)
    named = (f"({at}, pg_catalog.to_regclass({name}))" for at, name in enumerate(names))
    found = server.execute(
        "select number, relkind::text, pg_catalog.obj_description(oid, 'pg_class') from "
        f"(values {', '.join(named) or '(0, null::regclass)'}) as named (number, id) "
        f"{join} join pg_catalog.pg_class on oid = id where id is not null order by number"
    )
    return {
        relations[at]: Standing("view" if kind in ("v", "m") else "table", comment)
        for at, kind, comment in found.rows
    }


def names_beside(schema: str, ending: str, server: Asking) -> list[str]:
    """The relations in a schema whose names end so."""
    found = server.execute(
        "select relname::text from pg_catalog.pg_class inner join pg_catalog.pg_namespace "
        f"on relnamespace = pg_namespace.oid where nspname = {literal(schema)} and relkind in "
        f"('r', 'p', 'v', 'm', 'f') and right(relname::text, {len(ending)}) = "
        f"{literal(ending)} order by relname"
    )
    return [str(name) for (name,) in found.rows]


_VIEW = "sqlanon_source"
_REACHED = f"""
with recursive reached (kind, object) as (
    select 'pg_class'::regclass::oid, 'pg_temp.{_VIEW}'::regclass::oid
    union
    select found.kind, found.object
    from reached
    cross join lateral (
        select read.refclassid as kind, read.refobjid as object
        from pg_rewrite
        inner join pg_depend as read
            on read.classid = 'pg_rewrite'::regclass and read.objid = pg_rewrite.oid
        where
            reached.kind = 'pg_class'::regclass and pg_rewrite.ev_class = reached.object
            and pg_rewrite.ev_type = '1'
        union all
        select 'pg_class'::regclass, inhrelid
        from pg_inherits
        where reached.kind = 'pg_class'::regclass and inhparent = reached.object
        union all
        select 'pg_class'::regclass, inhparent
        from pg_inherits
        where reached.kind = 'pg_class'::regclass and inhrelid = reached.object
        union all
        select used.refclassid, used.refobjid
        from pg_depend as used
        where
            reached.kind <> 'pg_class'::regclass and used.classid = reached.kind
            and used.objid = reached.object
    ) as found
    where
        found.kind in ('pg_class'::regclass, 'pg_proc'::regclass, 'pg_operator'::regclass)
)
"""


def viewed(source: Sql) -> str:
    """The statement that makes a view of a FROM item: what it depends on is known to PostgreSQL."""
    return f"create view pg_temp.{_VIEW} as select 1 as one from {source} as source"


def what_it_reads(driver: Asking) -> tuple[set[str], list[str]]:
    """The full names of the relations that the view reads, and the text of functions it calls.

    The relations that a function reads are known only if its body is SQL that is parsed when the
    function is made; of other functions there is the text.
    """
    tables = driver.execute(
        f"{_REACHED} select nspname || '.' || relname from reached "
        "inner join pg_class on kind = 'pg_class'::regclass and object = pg_class.oid "
        "inner join pg_namespace on relnamespace = pg_namespace.oid"
    )
    bodies = driver.execute(
        f"{_REACHED} select prosrc from reached "
        "inner join pg_proc on kind = 'pg_proc'::regclass and object = pg_proc.oid "
        "where prosrc is not null"
    )
    return {name for (name,) in tables.rows}, [body for (body,) in bodies.rows]
