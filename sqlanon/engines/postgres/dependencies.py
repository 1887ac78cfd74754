"""The relations that a source in PostgreSQL reads: through views, partitions and functions too."""

from __future__ import annotations

from sqlanon.engines.postgres.driver import PostgresDriver
from sqlanon.sql.names import Sql

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


def what_it_reads(driver: PostgresDriver) -> tuple[set[str], list[str]]:
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
