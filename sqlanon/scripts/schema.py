"""Scripts whose work tables, and the release until it is published, have a schema of their own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlanon.plan import StepRecord
from sqlanon.scripts.syntax import HOLDS, Gate, Marks, Syntax, Writer
from sqlanon.sql.names import Relation, literal, quoted
from sqlanon.sql.products import PRODUCTS
from sqlanon.sql.templates import readable


class SchemaSyntax(Syntax):
    """How a script is written where there are no temporary tables and no transactions.

    A check that fails ends the script. It leaves the older release, and the schema with what was
    made until then, which the next run of the script drops.
    """

    def own_parts(
        self, statements: Sequence[StepRecord | Gate], writer: Writer, marks: Marks | None
    ) -> Iterator[str]:
        """The parts of the script, in order."""
        from sqlanon.scripts.staging import Staging  # it reads SQL as a tree, which is slow to load

        settings = PRODUCTS[writer.dialect].settings
        made = [one for one in statements if isinstance(one, StepRecord)]
        release = next(one.relation for one in made if one.how.published)
        path = (f"sqlanon_work_{release.name}",)
        work = {one.relation for one in made if not one.how.published}
        places = {relation: Relation(relation.name, path) for relation in work}
        staging = Staging(self, writer.dialect, places, path, writer.place)
        schema = quoted(Relation(*path), writer.dialect)

        if settings:
            yield "\n".join(f"set {name} = {value};" for name, value in settings.items())
        yield (
            f"{writer.comment('Work tables stand in a schema of their own.')}\n"
            f"drop schema if exists {schema} cascade;\ncreate schema {schema};"
        )
        for number, one in enumerate(statements, 1):
            heading = writer.heading(number, one)
            if isinstance(one, Gate):
                yield f"{heading}\n{writer.refusing(one, staging.query)}"
                continue
            record = staging.made(one)
            name = quoted(record.relation, writer.dialect)
            drop = f"drop table if exists {name};"
            yield f"{heading}\n{drop}\ncreate table {name} as\n{readable(record.sql, True)};"
        yield writer.comment(HOLDS)
        yield from staging.publishing(marks)
        yield f"drop schema {schema} cascade;"


class SparkSyntax(SchemaSyntax):
    """How spark-sql reads a script: no table of Spark's own can be replaced."""

    def publishing(self, relation: Relation, staged: str, dialect: str) -> str:
        """The statements that publish a table: it is whole before the older one is dropped."""
        final = quoted(relation, dialect)
        beside = quoted(Relation(f"{relation.name}__new", relation.path), dialect)
        bare = quoted(Relation(relation.name, relation.path[-1:]), dialect)  # without a catalog
        return (
            f"drop table if exists {beside};\ncreate table {beside} as\nselect * from {staged};\n"
            f"drop table if exists {final};\nalter table {beside} rename to {bare};"
        )

    def mark_of_view(self, marks: Marks) -> str:
        """The text that marks a view where it is made, before ``as``."""
        return f" comment {literal(marks.text)}"
