"""A script for Spark: work tables in a schema of their own, a release swapped in at the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sqlanon.plan import Check, StepRecord
from sqlanon.scripts.marks import Marks
from sqlanon.scripts.staging import Staging
from sqlanon.sql import Relation, literal, quoted
from sqlanon.sql.products import PRODUCTS
from sqlanon.sql.templates import Place

_SETTINGS = "\n".join(
    f"set {name} = {value};" for name, value in PRODUCTS["spark"].settings.items()
)


def spark_parts(
    statements: Sequence[StepRecord | Check],
    comment: Callable[[str], str],
    place: Place,
    refusing: Callable[[Check, str], str],
    renaming: int | None,
    marks: Marks | None = None,
) -> Iterator[str]:
    """The parts of the script, in order.

    Spark has no temporary tables and no transactions. What is published is made under another name
    and measured there; a check that fails ends the script, and leaves the older release, the work
    tables and what was made until then, which the next run of the script drops.

    Args:
        statements: what a session did, in Spark's SQL.
        comment: writes a comment.
        place: by what name each relation is called.
        refusing: writes the statement that fails if a check's query, given as text, finds a row.
        renaming: how many parts of its path a table is renamed with.
        marks: by which what is published is known.
    """
    made = [one for one in statements if isinstance(one, StepRecord)]
    release = next(one.relation for one in made if one.how.published)
    schema = f"sqlanon_work_{release.name}"
    work = {one.relation for one in made if not one.how.published}
    places = {relation: Relation(relation.name, (schema,)) for relation in work}
    comment_on_view = f" comment {literal(marks.text)}" if marks else ""
    staging = Staging("spark", renaming, places, (schema,), comment_on_view, place)

    yield _SETTINGS
    yield (
        f"{comment('Work tables stand in a schema of their own.')}\n"
        f"drop schema if exists `{schema}` cascade;\ncreate schema `{schema}`;"
    )
    for number, one in enumerate(statements, 1):
        heading = comment(f"{number}. {one.title}")
        if isinstance(one, Check):
            yield f"{heading}\n{refusing(one, staging.query(one))}"
            continue
        record = staging.made(one)
        name = quoted(record.relation, "spark")
        drop = f"drop table if exists {name};"
        commenting = marks.commenting(record, "spark") if marks else ""
        yield f"{heading}\n{drop}\ncreate table {name} as\n{record.sql.strip()};{commenting}"
    yield comment("Everything holds: the new release takes the place of the older one.")
    yield from staging.swaps()
    yield f"drop schema `{schema}` cascade;"
