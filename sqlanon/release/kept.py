"""What a release of a series keeps for those that come after, and what the earlier ones kept.

It is the publisher's alone: in which class each person is, and which sensitive values each class
shows. It is bound to its release by the mark of one run, and by the hash of its content.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.plan import Check, Step, work
from sqlanon.release.ownership import ID, SERIES, mark
from sqlanon.release.recorded import Recorded, recorded
from sqlanon.release.source import table_named
from sqlanon.spec import Column, Spec
from sqlanon.spec.series import CLASS
from sqlanon.sql import Relation

MEMBERS, VALUES, _ = SERIES
FACT = "series"  # the item of the run relation
# The columns of the relation of values.
VALUE_COLUMNS = (CLASS, "attribute", "value")
_CHANGED = (
    "what {release} keeps in {relation} is not what its run left there ({{records}} rows now): it "
    "was changed since, and what readers could find out by both releases is not known. Put it "
    "back, or begin a new series"
)
_WHERE = "series.after"


@dataclass(frozen=True)
class Kept:
    """What an earlier release keeps.

    Attributes:
        place: its place among the earlier ones, from 1.
        release: its name.
        number: by which it is known.
        members: in which class each person is.
        values: which sensitive values each class shows; None where it has no sensitive attribute.
        attributes: the sensitive attributes.
        digests: how many rows each of the two has, and the hash of them.
    """

    place: int
    release: Relation
    number: str
    members: Relation
    values: Relation | None
    attributes: tuple[str, ...]
    digests: Mapping[str, tuple[int, str]]

    def checks(self, person: Sequence[str]) -> Iterator[Step | Check]:
        """The steps that hold it to what its run left.

        Args:
            person: the columns that name a person.
        """
        columns = {MEMBERS: (CLASS, *person), VALUES: VALUE_COLUMNS}
        for name, relation in ((MEMBERS, self.members), (VALUES, self.values)):
            if relation is not None:
                yield content_step(relation, columns[name], f"earlier_{self.place}_{name}")
                records, content = self.digests[name]
                yield Check(
                    f"{relation} is as its run left it",
                    "series/check_kept",
                    {"content": content_relation(f"earlier_{self.place}_{name}")},
                    {"records": records, "digest": content},
                    _WHERE,
                    _CHANGED.format(release=self.release, relation=relation),
                )


def kept_names(spec: Spec) -> tuple[str, ...]:
    """How the names end of what a release keeps for later ones, if it is of a series."""
    kept = SERIES if spec.series is not None else ()
    return tuple(one for one in kept if spec.sensitive or one != VALUES)


def content_relation(name: str) -> Relation:
    """The work relation of what is kept under a name: how many rows, and their hash."""
    return work("content_", name)


def content_step(relation: Relation, columns: Sequence[str], name: str) -> Step:
    """The step that hashes what is kept."""
    return Step(
        f"the content of {relation}",
        content_relation(name),
        "series/content",
        {"kept": relation},
        {"columns": list(columns), "plain": _plain(columns)},
    )


def _plain(columns: Sequence[str]) -> list[str]:
    """The columns whose text alone tells rows apart: the class, and one name after it."""
    alone = len(columns) == 2  # a class and the one column that names a person
    return list(columns) if alone else [CLASS]


def series_fact(
    spec: Spec, columns: Mapping[str, Column], earlier: Sequence[Kept], engine: Engine
) -> tuple[str, str]:
    """What the run relation says of the series, once what is kept was written."""
    kept = {}
    for name in (MEMBERS, VALUES) if spec.sensitive else (MEMBERS,):
        content = engine.named(content_relation(name))
        found = engine.ask(f"select records, content from {content}", 1)
        kept[name] = [int(found.rows[0][0]), str(found.rows[0][1])]
    said = {
        "person": {name: columns[name].kind for name in spec.person},
        "attributes": list(spec.sensitive),
        "after": {str(one.release): one.number for one in earlier},
        "kept": kept,
    }
    return FACT, json.dumps(said, ensure_ascii=False)


def earlier_releases(
    spec: Spec, release: Relation, columns: Mapping[str, Column], engine: Engine
) -> tuple[Kept, ...]:
    """What the releases kept that a spec follows, and all that these followed.

    Args:
        spec: what is declared.
        release: the release to make.
        columns: the source's columns.
        engine: where all of them are.

    Raises:
        SpecError: if one of them is not there, or not as it was when another followed it; if it
            keeps nothing, or names persons otherwise.
    """
    if spec.series is None:
        return ()
    found: dict[str, Kept] = {}
    replaced = engine.comment_of(release)
    waiting: list[tuple[str, str, str]] = [(name, "", "") for name in spec.series.after]
    while waiting:
        name, number, follower = waiting.pop(0)
        if number in found:
            continue
        try:
            one = recorded(table_named(name, _WHERE), engine)
        except SpecError as error:
            raise _refusal(f"{error.problems[0].what}{_of(follower)}") from None
        known = one.facts[ID]
        if number and known != number:
            what = f"{name} was made anew since {follower} followed it, and what readers had of "
            raise _refusal(f"{what}the older one is not known any more: begin a new series")
        if replaced == mark(known):
            what = f"{release} is the release that is to be followed, and would take its place"
            raise _refusal(f"{what}: give every release of a series a name of its own")
        if known in found:
            continue
        said = _said(one, engine)
        _check_person(said["person"], spec, columns, name)
        found[known] = Kept(
            len(found) + 1,
            one.relation,
            known,
            one.relation.beside(MEMBERS),
            one.relation.beside(VALUES) if said["attributes"] else None,
            tuple(said["attributes"]),
            {part: (int(rows), str(text)) for part, (rows, text) in said["kept"].items()},
        )
        waiting += [(other, of, name) for other, of in said["after"].items()]
    return tuple(found.values())


def _said(one: Recorded, engine: Engine) -> dict[str, Any]:
    """What the run of a release says of its series."""
    if FACT not in one.facts:
        what = (
            f"{one.relation} keeps nothing by which it could be followed: releases that others "
            "come after are run with series: {} in their specs, or --after. It is not too late "
            "as long as nobody was given it"
        )
        raise _refusal(what)
    said: dict[str, Any] = json.loads(one.facts[FACT])
    for name in (MEMBERS, VALUES) if said["attributes"] else (MEMBERS,):
        relation = one.relation.beside(name)
        if engine.comment_of(relation) != mark(one.facts[ID]):
            what = f"{relation} is gone, or of another run than {one.relation}"
            raise _refusal(f"{what}: who is in which class of it is not known; begin a new series")
    return said


def _check_person(
    said: dict[str, str], spec: Spec, columns: Mapping[str, Column], name: str
) -> None:
    """The persons must be named by the same columns."""
    if list(said) != list(spec.person):
        what = f"{name} names a person by {', '.join(said)}, and this spec by "
        raise _refusal(f"{what}{', '.join(spec.person)}: take the same columns, in this order")
    for column, kind in said.items():
        if columns[column].kind != kind:
            what = f"{column} is {kind} in {name}, and {columns[column].kind} here"
            raise _refusal(f"{what}, so that persons would not be found again: cast it in a query")


def _refusal(what: str) -> SpecError:
    return SpecError(Problem(_WHERE, what))


def _of(follower: str) -> str:
    return f" ({follower} followed it)" if follower else ""
