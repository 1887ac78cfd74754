"""The work relations of a search: made as it goes, and gone when it is done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlanon.plan import Session, Step, work
from sqlanon.sql import Relation


class Bench:
    """Makes work relations, and remembers them until they are dropped.

    Args:
        session: runs the steps and keeps their record.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._there: dict[str, Relation] = {}

    def make(
        self, title: str, name: str, template: str, inputs: Mapping[str, Relation], **params: Any
    ) -> Relation:
        """Make a work relation, in place of an older one of its name."""
        relation = work(name)
        self._session.create(Step(title, relation, template, inputs, params))
        self._there[name] = relation
        return relation

    def one(self, template: str, inputs: Mapping[str, Relation]) -> dict[str, Any]:
        """The one row of a template that counts."""
        return self._session.fetch(template, inputs, {}, limit=1).dicts()[0]

    def several(
        self, template: str, inputs: Mapping[str, Relation], limit: int, **params: Any
    ) -> list[dict[str, Any]]:
        """The few rows of a template that counts."""
        return self._session.fetch(template, inputs, params, limit).dicts()

    def rows(self, relation: Relation) -> int:
        """How many rows a relation has."""
        return int(self.one("split_or_deal/row_count", {"counted": relation})["rows"])

    def drop(self, *relations: Relation) -> None:
        """Drop relations that nothing will read again."""
        for name in [name for name, relation in self._there.items() if relation in relations]:
            self._session.drop(self._there.pop(name))

    def clear(self) -> None:
        """Drop every relation that is left."""
        self.drop(*self._there.values())
