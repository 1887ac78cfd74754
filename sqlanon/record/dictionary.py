"""The meaning of every published column: kept by the run, and a data dictionary for readers.

By the meaning of a release's cells later runs know that theirs mean the same.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from sqlanon.domains.lines import hierarchy_lines
from sqlanon.engines import Engine
from sqlanon.forms import form_called
from sqlanon.publish.publication import Publication, ReleasedColumn
from sqlanon.spec import Column, FileHierarchy, Kind, Spec, TreeHierarchy
from sqlanon.spec.columns import transforms_in_words
from sqlanon.sql.names import Relation

_AS_IT_IS, _TRANSFORMED, _OF_GROUP = "as_is", "transformed", "of_group"
_PSEUDONYM, OR_SUPPRESSED = "pseudonym", "of_group_or_suppressed"
_OF_LEVEL = "of_group_at_level"
_MAY_BE_TRANSFORMED = ("sensitive", "insensitive")
_MEANINGS = {
    _AS_IT_IS: "as in the source",
    _TRANSFORMED: "a value of the source, transformed",
    _OF_GROUP: "a value of the record's group: which of its records has it is not said",
    _OF_LEVEL: "the label of a value of the record's group: which of its records has it is not "
    "said",
    OR_SUPPRESSED: "a value of the record's group or its label, or where it is suppressed * or a "
    "coarser label: which of its records has it is not said",
    _PSEUDONYM: "stands for an identifier: equal where that is equal, and made with a secret key",
    "group_id": "the number of the record's group, drawn at random",
    "records": "how many records of the group have these values",
    "set_of_columns": "which of the sets of columns the row is a group of, counted from 1; the "
    "columns of others are empty",
    "noisy_count": "how many are in the group, with noise: differential privacy",
    "noisy_sum": "the sum in the group of values between two bounds, with noise",
    "noisy_mean": "the sum with noise by the count with noise",
}


@dataclass(frozen=True)
class ColumnFacts:
    """A column of a published relation, as the run knew it.

    Attributes:
        beside: the relation: empty for the release, or what its name ends in behind it.
        name: its name.
        role: quasi_identifier, sensitive, insensitive, pseudonym or group.
        kind: the kind of its values.
        form: how it is published: of a quasi-identifier, how it is generalized.
        transformed: what its transforms do, in a few words; empty if it has none.
    """

    beside: str
    name: str
    role: str
    kind: Kind
    form: str
    transformed: str = ""

    @property
    def means(self) -> str:
        """The meaning of its cells, for readers."""
        found = _MEANINGS.get(self.form) or form_called(self.form).meanings[self.form]
        if not self.transformed:
            return found
        done = f"the source's value {self.transformed}"
        return done if self.form == _TRANSFORMED else f"{found}; each is {done}"


def column_facts(publication: Publication, spec: Spec) -> Iterator[ColumnFacts]:
    """Every column that readers are given, in order; the release's own relation first."""
    said = transforms_in_words(spec)
    forms = {one.name: getattr(one, "form", _AS_IT_IS) for one in publication.view.shown}
    for relation in publication.for_readers:
        beside = publication.beside(relation.relation)
        for column in relation.columns:
            made = column.role == "insensitive" and column.name in spec.pseudonyms
            role = _PSEUDONYM if made else column.role
            form = _PSEUDONYM if made else _form(column, spec, forms.get(column.name, _AS_IT_IS))
            done = said.get(column.name, "") if role in _MAY_BE_TRANSFORMED else ""
            yield ColumnFacts(
                beside=beside,
                name=column.name,
                role=role,
                kind=column.kind,
                form=form,
                transformed=done,
            )


def _form(column: ReleasedColumn, spec: Spec, generalized: str) -> str:
    if column.form is not None:
        return column.form
    if column.role == "group":
        return column.name
    if column.role == "quasi_identifier" and column.starred:
        return OR_SUPPRESSED
    if column.name in spec.coarse:
        return _OF_LEVEL
    if spec.mixes_records or (column.role == "sensitive" and spec.shows_exact):
        return _OF_GROUP
    if column.role == "quasi_identifier":
        return generalized
    return _TRANSFORMED if column.name in spec.transforms else _AS_IT_IS


def as_text(columns: Iterable[ColumnFacts]) -> str:
    """The columns, as a run keeps them."""
    facts = [
        {name: value for name, value in asdict(column).items() if value or name != "transformed"}
        for column in columns
    ]
    return json.dumps(facts, ensure_ascii=False)


def from_text(text: str) -> tuple[ColumnFacts, ...]:
    """The columns that a run kept."""
    return tuple(ColumnFacts(**load) for load in json.loads(text))


LEVELS, LEVELS_MEAN, CELLS_MEAN = "levels", "levels_mean", "cells_mean"
# Kinds whose values are the same and have the same text in all of their types.
_ALIKE = ("integer", "text", "date", "boolean")


def class_facts(
    levels: Mapping[str, Relation] | None,
    spec: Spec,
    columns: Mapping[str, Column],
    engine: Engine,
    fixed: bool = False,
) -> list[tuple[str, str]]:
    """The facts of the classes that later releases need: what cells mean, and the levels.

    Args:
        levels: by the name of a quasi-identifier that is published as labels of one level, the
            relation whose ``level`` that is; None where cells are values, and no groups.
        spec: what was declared.
        columns: the source's columns.
        engine: where it was published, with the work relations that stand.
        fixed: whether the levels are those of the spec, and no relation holds them.
    """
    if levels is None:
        return []
    known: dict[str, Any] = {CELLS_MEAN: meanings(spec, columns)}
    if levels:
        given = {name: level for name, (level, _) in spec.levels.items()}
        known[LEVELS] = given if fixed else _found(levels, engine)
        known[LEVELS_MEAN] = {name: level_meaning(spec, name) for name in levels}
    return [(name, json.dumps(fact, ensure_ascii=False)) for name, fact in known.items()]


def _found(levels: Mapping[str, Relation], engine: Engine) -> dict[str, int]:
    """The published levels."""
    shown = (
        f"(select max(level) from {engine.named(relation)}) as l{index}"
        for index, relation in enumerate(levels.values())
    )
    found = engine.fetch_portable(f"select {', '.join(shown)}").rows[0]
    return dict(zip(levels, map(int, found), strict=True))


def level_meaning(spec: Spec, name: str) -> str:
    """A hash of what the labels of a column's levels stand for."""
    return hashlib.sha256(_text(spec, name).encode()).hexdigest()


def meanings(spec: Spec, columns: Mapping[str, Column]) -> dict[str, str]:
    """A hash for each quasi-identifier of what its labels and cells stand for."""
    return {name: _meaning(spec, name, columns[name]) for name in spec.quasi_identifiers}


def _meaning(spec: Spec, name: str, column: Column) -> str:
    """A hash of what decides which values a cell of a column stands for."""
    declared = spec.quasi_identifiers[name]
    kind = column.kind if column.kind in _ALIKE else column.type
    parts = [_text(spec, name), kind, declared.order, declared.nominal]
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode()).hexdigest()


def _text(spec: Spec, name: str) -> str:
    """The base of a column's levels, as text: its hierarchy, and which codes stand for NULL."""
    hierarchy = spec.quasi_identifiers[name].hierarchy
    made_of: Any = None if hierarchy is None else hierarchy.model_dump(mode="json")
    if isinstance(hierarchy, FileHierarchy | TreeHierarchy):
        made_of = sorted(hierarchy_lines(hierarchy, f"quasi_identifiers.{name}.hierarchy", name))
    return json.dumps([made_of, sorted(spec.missing.get(name, ()))], ensure_ascii=False)
