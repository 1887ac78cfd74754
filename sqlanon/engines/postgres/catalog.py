"""The relations of a PostgreSQL database, by its catalog."""

from __future__ import annotations

from collections.abc import Sequence

from sqlanon.engines.base import Standing
from sqlanon.engines.postgres.rights import Asking
from sqlanon.sql.names import Relation, literal

#: The columns that every table of PostgreSQL has of itself.
SYSTEM_COLUMNS = ("tableoid", "xmin", "cmin", "xmax", "cmax", "ctid")


def standing_of(
    places: Sequence[Relation], server: Asking, unseen: bool = False
) -> dict[Relation, Standing]:
    """Those of some relations that exist: the kind of each, and the comment on it.

    Args:
        places: their names on the server.
        server: is asked.
        unseen: whether a relation counts, without a comment, that another session has made and
            that this transaction's snapshot has not.
    """
    join = "left" if unseen else "inner"
    names = (literal(place.sql) for place in places)
    named = (f"({at}, pg_catalog.to_regclass({name}))" for at, name in enumerate(names))
    found = server.execute(
        "select place, relkind::text, pg_catalog.obj_description(oid, 'pg_class') from "
        f"(values {', '.join(named) or '(0, null::regclass)'}) as named (place, id) "
        f"{join} join pg_catalog.pg_class on oid = id where id is not null order by place"
    )
    return {
        places[at]: Standing("view" if kind in ("v", "m") else "table", comment)
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
