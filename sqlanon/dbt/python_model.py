"""A release made by a dbt Python model: for methods that search, on dbt-duckdb."""

from __future__ import annotations

from typing import Any

import sqlanon.api
from sqlanon.clauses import following
from sqlanon.errors import SpecError
from sqlanon.sql.names import Relation


def model(dbt: Any, session: Any, source: Any, **declared: Any) -> Any:
    """Make a release inside a Python model, and hand it to dbt.

    The release stands in the model's own table, made by dbt. What a run leaves behind is beside
    it: ``<model>__made`` with its ``__classes``, ``__metrics`` and ``__run``. If the release falls
    short the model fails, and the older tables stay.

    Args:
        dbt: the model's first argument.
        session: the model's second argument.
        source: what ``dbt.ref`` or ``dbt.source`` gives.
        **declared: the fields of a spec without source, release and database; arguments as for
            `sqlanon.anonymize`.

    Returns:
        The release as a DuckDB relation, which the model must return.

    Raises:
        SpecError: if a place for the release is given, or the database is not DuckDB.
        InfeasibleError: if a declared privacy model cannot be met.
    """
    given = sorted({"release", "database", "connection"} & set(declared))
    if given:
        raise SpecError(f"{', '.join(given)} must not be given: dbt knows where the model goes")
    follows = sorted(declared.keys() & {"after", *(clause.name for clause in following())})
    if follows:
        raise SpecError(f"{follows[0]}: dbt makes a model again in its own place: run the spec")
    if not hasattr(session, "query_progress"):
        raise SpecError("the session is not one of DuckDB: Python models need dbt-duckdb")
    this = dbt.this
    made = Relation(f"{this.identifier}__made", (this.database, this.schema))
    # A run is a transaction of its own, so one that dbt has begun for the model ends before it.
    inside = _transaction(session) == _transaction(session)
    if inside:
        session.commit()
    try:
        sqlanon.api.anonymize(
            source, connection=session, release=str(made.sql), **{"progress": False, **declared}
        ).close()
    finally:
        if inside:
            session.begin()
    return session.sql(f"select * from {made.sql}")


def _transaction(session: Any) -> int:
    """The transaction that a statement runs in; each has its own unless one was begun."""
    found: int = session.execute("select txid_current()").fetchall()[0][0]
    return found
