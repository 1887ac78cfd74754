"""A script for Spark: work tables in a schema of their own, a release swapped in at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sqlanon.plan import Check, How, StepRecord
from sqlanon.sql import Relation, moved, quoted

_SETTINGS = "set spark.sql.ansi.enabled = true;\nset spark.sql.session.timeZone = UTC;"


def spark_parts(
    statements: Sequence[StepRecord | Check],
    comment: Callable[[str], str],
    refusing: Callable[[Check, str], str],
) -> Iterator[str]:
    """The parts of the script, in order.

    Spark has no temporary tables and no transactions. What is published is made under another name
    and measured there; a check that fails ends the script, and leaves the older release, the work
    tables and what was made until then, which the next run of the script drops.

    Args:
        statements: what a session did, in Spark's SQL.
        comment: writes a comment.
        refusing: writes the statement that fails if a check's query, given as text, finds a row.
    """
    made = [one for one in statements if isinstance(one, StepRecord)]
    published = {one.relation: one for one in made if one.how.published}
    release = next(iter(published))
    schema = f"sqlanon_work_{release.name}"
    places = {
        one.relation: Relation(one.relation.name, (schema,))
        for one in made
        if one.relation not in published
    }

    yield _SETTINGS
    yield (
        f"{comment('Work tables stand in a schema of their own.')}\n"
        f"drop schema if exists `{schema}` cascade;\ncreate schema `{schema}`;"
    )
    for number, one in enumerate(statements, 1):
        heading = comment(f"{number}. {one.title}")
        if isinstance(one, Check):
            yield f"{heading}\n{refusing(one, moved(one.sql('spark'), 'spark', places))}"
            continue
        select = moved(one.sql, "spark", places).strip()
        if one.how == How.TABLE:  # until then its name means the older release
            places[one.relation] = Relation(f"{one.relation.name}__new", one.relation.path)
        elif one.how == How.VIEW:
            places[one.relation] = Relation(f"sqlanon_{one.relation.name}", (schema,))
        name = quoted(places[one.relation], "spark")
        yield f"{heading}\ndrop table if exists {name};\ncreate table {name} as\n{select};"
    yield comment("Everything holds: the new release takes the place of the older one.")
    for relation, one in published.items():
        final = quoted(relation, "spark")
        if one.how == How.VIEW:
            yield f"create or replace view {final} as\n{one.sql.strip()};"
        else:
            bare = quoted(Relation(relation.name, relation.path[-1:]), "spark")
            made_as = quoted(places[relation], "spark")
            yield f"drop table if exists {final};\nalter table {made_as} rename to {bare};"
    yield f"drop schema `{schema}` cascade;"
