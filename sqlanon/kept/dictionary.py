"""The meaning of every published column: kept by the run, and a data dictionary for readers."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass

from sqlanon.forms import form_called
from sqlanon.publish.publication import Publication, ReleasedColumn
from sqlanon.spec import Kind, Spec
from sqlanon.spec.transformed import transforms_in_words

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
        {name: value for name, value in asdict(one).items() if value or name != "transformed"}
        for one in columns
    ]
    return json.dumps(facts, ensure_ascii=False)


def from_text(text: str) -> tuple[ColumnFacts, ...]:
    """The columns that a run kept."""
    return tuple(ColumnFacts(**one) for one in json.loads(text))
