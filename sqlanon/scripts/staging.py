"""Where each statement of a script commits by itself: what is published is staged, then swapped."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from sqlanon.plan import Check, Materialization, StepRecord
from sqlanon.sql import Relation, quoted, rebind_relations
from sqlanon.sql.templates import Place, as_named


class Staging:
    """The relations of a script as they are called until every check has passed.

    A table is made as ``<name>__new`` beside the one that it will replace, a view as a work table.
    What reads them reads these; until the last statements their own names mean the older release.

    Args:
        dialect: the dialect of the script.
        renaming: how many parts of its path a table is renamed with; None: all of them.
        places: where work relations stand, if not under their own names.
        schema: the path of the work table that stands for a view.
        comment: what stands before ``as`` where a view is made.
        named: by what name the records call each relation.
    """

    def __init__(
        self,
        dialect: str,
        renaming: int | None = None,
        places: Mapping[Relation, Relation] | None = None,
        schema: tuple[str, ...] = (),
        comment: str = "",
        named: Place = as_named,
    ) -> None:
        self.dialect, self.schema, self.comment = dialect, schema, comment
        self._renaming, self._named = renaming, named
        self._places = dict(places or {})
        self._published: list[StepRecord] = []

    def made(self, record: StepRecord) -> StepRecord:
        """A relation as it is made for the moment, reading what was made for the moment."""
        select = rebind_relations(record.sql, self.dialect, self._places)
        if not record.how.published:
            return replace(record, relation=self.place(record.relation), sql=select)
        self._published.append(record)
        relation, how = record.relation, Materialization.TABLE
        self._places[relation] = Relation(f"{relation.name}__new", relation.path)
        if record.how is Materialization.VIEW:
            self._places[relation] = Relation(f"sqlanon_{relation.name}", self.schema)
            how = Materialization.WORK_TABLE
        return replace(record, relation=self.place(relation), how=how, sql=select)

    def place(self, relation: Relation) -> Relation:
        """Where a relation stands for the moment."""
        return self._places.get(relation, relation)

    def query(self, check: Check) -> str:
        """A check's query of what was made for the moment."""
        return rebind_relations(check.sql(self.dialect, self._named), self.dialect, self._places)

    def swaps(self) -> Iterator[str]:
        """The statements that give what was published its own name, in the order it was made."""
        for record in self._published:
            final = quoted(record.relation, self.dialect)
            if record.how is Materialization.VIEW:
                yield f"create or replace view {final}{self.comment} as\n{record.sql.strip()};"
                continue
            staged = quoted(self.place(record.relation), self.dialect)
            yield (
                f"drop table if exists {final};\n"
                f"alter table {staged} rename to {self._renamed(record.relation)};"
            )

    def _renamed(self, relation: Relation) -> str:
        path = relation.path
        if self._renaming is not None:
            path = path[max(len(path) - self._renaming, 0) :]
        return quoted(Relation(relation.name, path), self.dialect)
