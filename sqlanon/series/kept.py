"""The relations that a release of a series keeps for later ones, and those of earlier ones.

It is the publisher's alone: in which class each person is, and which sensitive values each class
shows. It is bound to its release by the mark of one run, and by the hash of its content.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlanon.engines import Engine
from sqlanon.kept.content import content_step
from sqlanon.kept.ownership import ID, SERIES
from sqlanon.kept.recorded import Recorded
from sqlanon.plan import Check, Step, work
from sqlanon.spec import Column, Spec
from sqlanon.spec.series import CLASS
from sqlanon.sql import Relation

MEMBERS, VALUES, _ = SERIES
FACT = "series"  # the item of the run relation
# The columns of the relation of values.
VALUE_COLUMNS = (CLASS, "attribute", "value", "persons")
_CHANGED = (
    "{release} keeps its persons in {relation}, and its run left other rows there than these "
    "{{records}}. So nobody knows what readers could find out by both releases. Put the rows back, "
    "or begin a new series"
)
_WHERE = "series.after"
_DIGITS = 64  # of a SHA-256 in hexadecimal


@dataclass(frozen=True)
class Kept:
    """An earlier release by what it keeps.

    Attributes:
        place: its place among the earlier ones, from 1.
        release: its name.
        number: by which it is known.
        named: whether the spec names it; if not, one that it names came after it.
        members: in which class each person is.
        values: which sensitive values each class shows; None where it has no sensitive attribute.
        attributes: the sensitive attributes.
        digests: how many rows each of the two has, and the hash of them.
        person: the columns that name a person, and what kind of values each has.
        after: the releases that it followed, by name, and the number of each.
    """

    place: int
    release: Relation
    number: str
    named: bool
    members: Relation
    values: Relation | None
    attributes: tuple[str, ...]
    digests: Mapping[str, tuple[int, str]]
    person: Mapping[str, str]
    after: Mapping[str, str]

    @property
    def columns(self) -> dict[Relation, tuple[str, ...]]:
        """The relations, and the columns of each."""
        found = {self.members: (CLASS, *self.person)}
        return found if self.values is None else found | {self.values: VALUE_COLUMNS}

    def attribute(self, name: str) -> str | None:
        """The name of an attribute there, if it is sensitive there; case does not count."""
        return next((one for one in self.attributes if one.lower() == name.lower()), None)

    @property
    def checks(self) -> Iterator[Step | Check]:
        """The steps that hold it to what its run left."""
        for name, (relation, columns) in zip(SERIES, self.columns.items(), strict=False):
            content = content_relation(f"earlier_{self.place}_{name}")
            yield content_step(relation, columns, content)
            records, digest = self.digests[name]
            yield Check(
                f"{relation} is as its run left it",
                "series/check_kept",
                {"content": content},
                {"records": records, "digest": digest},
                _WHERE,
                _CHANGED.format(release=self.release, relation=relation),
            )


@dataclass(frozen=True)
class Other:
    """A release that a spec does not follow, by what it keeps.

    Attributes:
        release: its name.
        members: in which class each person is.
        person: the columns that name a person there, and in which form each is compared, here
            and there: see ``macros/named``.
    """

    release: str
    members: Relation
    person: Mapping[str, tuple[str, str]]


def kept_names(spec: Spec) -> tuple[str, ...]:
    """How the names end of what a release keeps for later ones, if it is of a series."""
    kept = SERIES if spec.series is not None else ()
    return tuple(one for one in kept if spec.sensitive or one != VALUES)


def content_relation(name: str) -> Relation:
    """The work relation of what is kept under a name: how many rows, and their hash."""
    return work("content_", name)


def series_fact(
    spec: Spec, columns: Mapping[str, Column], earlier: Sequence[Kept], engine: Engine
) -> tuple[str, str]:
    """The fact of the run relation about the series, once the kept relations were written."""
    kept = {}
    for name in (MEMBERS, VALUES) if spec.sensitive else (MEMBERS,):
        content = engine.named(content_relation(name))
        found = engine.fetch_portable(f"select records, content from {content}", 1)
        kept[name] = [int(found.rows[0][0]), str(found.rows[0][1])]
    said = {
        "person": {name: columns[name].kind for name in spec.person},
        "attributes": list(spec.sensitive),
        "after": {_spelled(one.release): one.number for one in earlier},
        "kept": kept,
    }
    return FACT, json.dumps(said, ensure_ascii=False)


def read_fact(one: Recorded, place: int, named: bool) -> Kept:
    """An earlier release, from the fact that `series_fact` has written to its run relation.

    Args:
        one: the release.
        place: its place among the earlier ones.
        named: whether the spec names it.

    Raises:
        ValueError, TypeError, KeyError, AttributeError: if it cannot be read.
    """
    said: dict[str, Any] = json.loads(one.facts[FACT])
    if any(len(str(content)) != _DIGITS for _, content in said["kept"].values()):
        raise ValueError("an older sqlanon kept another hash, which can be forged")
    attributes = tuple(map(str, said["attributes"]))
    parts = (MEMBERS, VALUES) if attributes else (MEMBERS,)
    return Kept(
        place=place,
        release=one.relation,
        number=one.facts[ID],
        named=named,
        members=one.relation.beside(MEMBERS),
        values=one.relation.beside(VALUES) if attributes else None,
        attributes=attributes,
        digests={part: (int(said["kept"][part][0]), str(said["kept"][part][1])) for part in parts},
        person={str(name): str(kind) for name, kind in said["person"].items()},
        after={str(name): str(number) for name, number in said["after"].items()},
    )


def _spelled(relation: Relation) -> str:
    """A name that reads as the relation, quoted where that takes it."""
    try:
        return str(relation) if Relation.parse(str(relation)) == relation else relation.sql
    except ValueError:
        return relation.sql
