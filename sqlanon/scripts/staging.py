"""Where each statement of a script commits by itself: a release is published at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from sqlanon.plan import Check, Materialization, StepRecord
from sqlanon.scripts.syntax import Marks, Syntax
from sqlanon.sql.dialects import rebind_relations
from sqlanon.sql.names import Relation, quoted
from sqlanon.sql.written import Naming, as_named


class Staging:
    """The relations of a script as they are called until every check has passed.

    A relation to publish is made as a work table, which no reader of releases sees. A statement
    that reads it reads this table; until the last statements its own name means the older release.

    Args:
        syntax: how the dialect writes a script.
        dialect: the dialect.
        names: where work relations stand, if not under their own names.
        schema: the path of the work tables that stand for what is published.
        naming: by what name the records call each relation.
    """

    def __init__(
        self,
        syntax: Syntax,
        dialect: str,
        names: Mapping[Relation, Relation] | None = None,
        schema: tuple[str, ...] = (),
        naming: Naming = as_named,
    ) -> None:
        self.syntax, self.dialect, self.schema, self._naming = syntax, dialect, schema, naming
        self._staged = dict(names or {})
        self._published: list[StepRecord] = []

    def made(self, record: StepRecord) -> StepRecord:
        """A relation as it is made for the moment, reading what was made for the moment."""
        select = rebind_relations(record.sql, self.dialect, self._staged)
        if not record.how.published:
            return replace(record, relation=self.staged(record.relation), sql=select)
        self._published.append(record)
        staged = Relation(f"sqlanon_{record.relation.name}", self.schema)
        self._staged[record.relation] = staged
        return replace(record, relation=staged, how=Materialization.WORK_TABLE, sql=select)

    def staged(self, relation: Relation) -> Relation:
        """Where a relation stands for the moment."""
        return self._staged.get(relation, relation)

    def query(self, check: Check) -> str:
        """A check's query of what was made for the moment."""
        return rebind_relations(check.sql(self.dialect, self._naming), self.dialect, self._staged)

    def publishing(self, marks: Marks | None) -> Iterator[str]:
        """The statements that publish what was staged, in the order it was made.

        Args:
            marks: by which what is published is known.
        """
        for record in self._published:
            final = quoted(record.relation, self.dialect)
            if record.how is Materialization.VIEW:
                mark = self.syntax.mark_of_view(marks) if marks else ""
                yield f"create or replace view {final}{mark} as\n{record.sql.strip()};"
                continue
            staged = quoted(self.staged(record.relation), self.dialect)
            commenting = marks.commenting(record, self.dialect) if marks else ""
            yield self.syntax.publishing(record.relation, staged, self.dialect) + commenting
