"""What stands in a PostgreSQL database, asked of its catalog by whoever is connected to it."""

from __future__ import annotations

from collections.abc import Sequence

from sqlanon.engines.base import Standing
from sqlanon.engines.postgres.rights import Asking
from sqlanon.sql.names import Relation, literal

#: The columns that every table of PostgreSQL has of itself.
SYSTEM_COLUMNS = ("tableoid", "xmin", "cmin", "xmax", "cmax", "ctid")


def standing_of(places: Sequence[Relation], server: Asking) -> dict[Relation, Standing]:
    """Those of some relations that exist: what each is, and the comment on it.

    One that another session has made, and that this transaction's snapshot has not, bears none.

    Args:
        places: their names on the server.
        server: is asked.
    """
    names = (literal(place.sql) for place in places)
    named = (f"({at}, pg_catalog.to_regclass({name}))" for at, name in enumerate(names))
    found = server.execute(
        "select place, relkind::text, pg_catalog.obj_description(oid, 'pg_class') from "
        f"(values {', '.join(named) or '(0, null::regclass)'}) as named (place, id) "
        "left join pg_catalog.pg_class on oid = id where id is not null order by place"
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
