"""A script for Spark: work tables in a schema of their own, a release swapped in at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlanon.plan import Check, StepRecord
from sqlanon.scripts.marks import Marks
from sqlanon.scripts.syntax import Syntax, Writer
from sqlanon.sql import Relation, literal, quoted
from sqlanon.sql.products import PRODUCTS


class SparkSyntax(Syntax):
    """How spark-sql reads a script."""

    def own_parts(
        self, statements: Sequence[StepRecord | Check], writer: Writer, marks: Marks | None
    ) -> Iterator[str]:
        """The parts of the script, in order.

        Spark has no temporary tables and no transactions. What is published is made under another
        name and measured there; a check that fails ends the script, and leaves the older release,
        the work tables and what was made until then, which the next run of the script drops.
        """
        from sqlanon.scripts.staging import Staging  # it reads SQL as a tree, which is slow to load

        settings = PRODUCTS["spark"].settings
        made = [one for one in statements if isinstance(one, StepRecord)]
        release = next(one.relation for one in made if one.how.published)
        schema = f"sqlanon_work_{release.name}"
        work = {one.relation for one in made if not one.how.published}
        places = {relation: Relation(relation.name, (schema,)) for relation in work}
        comment_on_view = f" comment {literal(marks.text)}" if marks else ""
        staging = Staging("spark", self.renaming, places, (schema,), comment_on_view, writer.place)

        yield "\n".join(f"set {name} = {value};" for name, value in settings.items())
        yield (
            f"{writer.comment('Work tables stand in a schema of their own.')}\n"
            f"drop schema if exists `{schema}` cascade;\ncreate schema `{schema}`;"
        )
        for number, one in enumerate(statements, 1):
            heading = writer.comment(f"{number}. {one.title}")
            if isinstance(one, Check):
                yield f"{heading}\n{writer.refusing(one, staging.query(one))}"
                continue
            record = staging.made(one)
            name = quoted(record.relation, "spark")
            drop = f"drop table if exists {name};"
            commenting = marks.commenting(record, "spark") if marks else ""
            yield f"{heading}\n{drop}\ncreate table {name} as\n{record.sql.strip()};{commenting}"
        yield writer.comment("Everything holds: the new release takes the place of the older one.")
        yield from staging.swaps()
        yield f"drop schema `{schema}` cascade;"
