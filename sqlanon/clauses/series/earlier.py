"""The releases that one of a series follows, and others that keep who is in which class.

A release keeps for the publisher alone in which class each person is, and which sensitive values
each class shows. These relations are bound to their release by the mark of one run, and by the hash
of their content.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlanon.clauses.series.declared import CLASS, MEMBERS, VALUES, series_of
from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.plan import FOUND, Check, Step, work
from sqlanon.record.content import content_step, held
from sqlanon.record.ownership import ID, mark
from sqlanon.record.recorded import Recorded
from sqlanon.source.source import table_named
from sqlanon.spec import NUMBERS, Column, Spec
from sqlanon.sql.names import Relation

FACT = "series"  # the item of the run relation
# The columns of the relation of values.
VALUE_COLUMNS = (CLASS, "attribute", "value", "persons")
_CHANGED = (
    f"{{release}} keeps its persons in {{relation}}, and its run left other rows there than these "
    f"{FOUND.records}. So nobody knows what readers could find out by both releases. Put the rows "
    "back, or begin a new series"
)
_WHERE, _APART = "series.after", "series.apart"
_DIGITS = 64  # of a SHA-256 in hexadecimal


@dataclass(frozen=True)
class Kept:
    """An earlier release by what it keeps.

    Attributes:
        index: its place among the earlier ones, from 1.
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

    index: int
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
        return next(
            (attribute for attribute in self.attributes if attribute.lower() == name.lower()), None
        )

    @property
    def checks(self) -> Iterator[Step | Check]:
        """The steps that hold it to what its run left."""
        for name, (relation, columns) in zip((MEMBERS, VALUES), self.columns.items(), strict=False):
            content = content_relation(f"earlier_{self.index}_{name}")
            yield content_step(relation, columns, content)
            records, digest = self.digests[name]
            yield Check(
                f"{relation} is as its run left it",
                "clauses/series/check_kept",
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
        mark: the mark of its run.
    """

    release: str
    members: Relation
    person: Mapping[str, tuple[str, str]]
    mark: str


def earlier_releases(
    spec: Spec, release: Relation, columns: Mapping[str, Column], engine: Engine
) -> tuple[Kept, ...]:
    """The releases that a spec follows and all that these followed, by what they kept.

    Raises:
        SpecError: if one of them is not there, or not as it was when another followed it; if it
            keeps nothing, names persons otherwise, or holds as sensitive what is shown here.
    """
    found: dict[str, Kept] = {}
    replaced = engine.comment_of(release)
    waiting: list[tuple[str, str, str]] = [(name, "", "") for name in series_of(spec).after]
    while waiting:
        name, number, follower = waiting.pop(0)
        if number in found:
            continue
        try:
            one = held(table_named(name, _WHERE), engine)
        except SpecError as error:
            raise _refusal(f"{error.problems[0].what}{_of(follower)}") from None
        known = one.facts[ID]
        if number and known != number:
            what = f"{name} was made again since {follower} followed it, and what readers had of "
            raise _refusal(f"{what}the older one is not known any more: begin a new series")
        if replaced == mark(known):
            what = f"{release} is the release that is to be followed, and would take its place"
            raise _refusal(f"{what}: give every release of a series a name of its own")
        if known in found:
            continue
        kept = _kept(one, len(found) + 1, not follower, engine)
        _check_person(kept, spec, columns, engine)
        _check_roles(kept, spec)
        found[known] = kept
        waiting += [(other, of, name) for other, of in kept.after.items()]
    return tuple(found.values())


def known_marks(
    spec: Spec, release: Relation, earlier: Sequence[Kept], engine: Engine
) -> frozenset[str | None]:
    """The marks of releases that a release replaces, follows, or is said to be apart from.

    Raises:
        SpecError: if one that is said to be apart is not there.
    """
    known = {
        engine.comment_of(release),
        *(mark(earlier_release.number) for earlier_release in earlier),
    }
    for name in series_of(spec).apart:
        members = table_named(name, _APART).sibling(MEMBERS)
        if engine.kind_of(members) is None:
            what = f"there is no {str(members)!r}: {name!r} keeps nothing, so leave it out"
            raise SpecError(Problem(_APART, what))
        known.add(engine.comment_of(members))
    return frozenset(known)


def other_releases(
    spec: Spec,
    releases: Sequence[Relation],
    columns: Mapping[str, Column],
    known: Collection[str | None],
    engine: Engine,
) -> tuple[Other, ...]:
    """The releases of persons so named that a spec does not follow, by what they keep.

    Args:
        spec: what is declared.
        releases: the release to make and those that it follows: in their schemas it is looked.
        columns: the source's columns.
        known: the marks of these, and of others that are apart.
        engine: where all of them are.
    """
    found: dict[Relation, Other] = {}
    for members, name, comment in _kept_in_schemas(releases, engine):
        there = None if comment in known else _naming_alike(members, spec, engine)
        if there is not None:
            person = {
                column: _compared(columns[column], other)
                for column, other in zip(spec.person, there, strict=True)
            }
            found[members] = Other(name, members, person, comment)
    return tuple(found.values())


def published_since(
    spec: Spec, releases: Sequence[Relation], known: Collection[str | None], engine: Engine
) -> str | None:
    """A release of persons so named that a plan does not know; None if there is none.

    Args:
        spec: what is declared.
        releases: as for `other_releases`; the release replaces an older one of its own name.
        known: the marks of all that the plan knows.
        engine: where all of them are.
    """
    own = engine.qualified(releases[0].sibling(MEMBERS))
    for members, name, comment in _kept_in_schemas(releases, engine):
        if comment in known or str(members).lower() == str(own).lower():
            continue
        if _naming_alike(members, spec, engine) is not None:
            return name
    return None


def _kept_in_schemas(
    releases: Iterable[Relation], engine: Engine
) -> Iterator[tuple[Relation, str, str]]:
    """The relations of persons in the schemas of releases: each, its own release, its mark.

    The last first: it is most likely the one to follow, and has followed the others itself.
    """
    for release in releases:
        for members in reversed(engine.siblings(release, f"__{MEMBERS}")):
            comment = engine.comment_of(members) or ""
            if re.fullmatch(mark("[0-9a-f]{32}"), comment):
                released = Relation(members.name.removesuffix(f"__{MEMBERS}"), release.path)
                yield members, str(released), comment


def _naming_alike(members: Relation, spec: Spec, engine: Engine) -> list[Column] | None:
    """The columns that name persons there, in the order of a spec; None if they are others."""
    there = {column.name.lower(): column for column in _columns(members, engine)}
    same = [there[name.lower()] for name in spec.person if name.lower() in there]
    return same if len(same) == len(spec.person) == len(there) - 1 else None


def _kept(release: Recorded, index: int, named: bool, engine: Engine) -> Kept:
    """An earlier release by what it keeps, as its run says."""
    if FACT not in release.facts:
        what = (
            f"{release.relation} keeps nothing by which it could be followed: releases that others "
            "come after are run with series: {} in their specs, or --after. It is not too late "
            "as long as nobody was given it"
        )
        raise _refusal(what)
    try:
        kept = read_fact(release, index, named)
    except (ValueError, TypeError, KeyError, AttributeError):
        what = f"the run of {release.relation} kept a record of its series that was changed"
        raise _refusal(f"{what}, or is of another sqlanon. Begin a new series") from None
    for relation, names in kept.columns.items():
        if engine.comment_of(relation) != mark(release.facts[ID]):
            what = f"{relation} is gone, or of another run than {release.relation}"
            raise _refusal(f"{what}: the classes of its persons are not known; begin a new series")
        if [column.name for column in _columns(relation, engine)] != list(names):
            what = f"{relation} has not the columns that its run gave it, {', '.join(names)}"
            raise _refusal(f"{what}: put it back, or begin a new series")
    return kept


def _check_person(kept: Kept, spec: Spec, columns: Mapping[str, Column], engine: Engine) -> None:
    """The persons must be named by the same columns."""
    name = kept.release
    if list(kept.person) != list(spec.person):
        what = f"{name} names a person by {', '.join(kept.person)}, and this spec by "
        raise _refusal(f"{what}{', '.join(spec.person)}: take the same columns, in this order")
    there = {one.name: one for one in _columns(kept.members, engine)}
    for column in spec.person:
        one, other = there[column], columns[column]
        if not _alike(one, other):
            kinds: list[str] = [one.kind, other.kind]
            if len(set(kinds)) == 1:
                kinds = [one.shown_type, other.shown_type]
            what = f"{column} is {kinds[0]} in {name}, and {kinds[1]} here"
            raise _refusal(f"{what}, so that persons would not be found again: cast it in a query")


def _check_roles(kept: Kept, spec: Spec) -> None:
    """Refuse to show unprotected what is sensitive in a release that this release follows."""
    held = {name.lower() for name in kept.attributes}
    for role, names in (
        ("quasi_identifiers", spec.quasi_identifiers),
        ("insensitive", spec.insensitive),
    ):
        for name in names:
            if name.lower() in held:
                what = (
                    f"it is sensitive in {kept.release}, which this release follows, and here its "
                    "values would be shown with nothing asked of them: declare it as sensitive, "
                    "or leave it out"
                )
                raise SpecError(Problem(f"{role}.{name}", what))


def _compared(here: Column, there: Column) -> tuple[str, str]:
    """In which forms two columns that name persons are compared, so that no cast hides anybody.

    A rounded number is compared as one, and one that a double cannot hold as the double it became.
    """
    kinds = {here.kind, there.kind}
    if kinds <= {*NUMBERS, "text"} and kinds & {*NUMBERS} - {"integer"}:
        as_what = "double" if "number" in kinds else "exact"
    elif kinds == {"integer", "text"}:
        as_what = "exact"
    elif len(kinds) > 1 and kinds <= {"date", "timestamp", "text"}:
        as_what = "moment"
    elif kinds != {"text"} and _alike(here, there):
        return "as_is", "as_is"
    else:
        return "text", "text"
    first, second = (_form(column, as_what) for column in (here, there))
    return first, second


def _form(column: Column, as_what: str) -> str:
    if column.kind == "text":
        return f"text_as_{as_what}"
    return "whole" if as_what == "exact" and column.kind == "integer" else as_what


def _alike(column: Column, other: Column) -> bool:
    """Whether persons who are named by two columns can be compared."""
    return column.kind == other.kind and (column.kind != "other" or column.type == other.type)


def _columns(relation: Relation, engine: Engine) -> list[Column]:
    with engine.reading(relation) as item:
        return engine.columns(item)


def _refusal(what: str) -> SpecError:
    return SpecError(Problem(_WHERE, what))


def _of(follower: str) -> str:
    return f" ({follower} followed it)" if follower else ""


def content_relation(name: str) -> Relation:
    """The work relation of what is kept under a name: how many rows, and their hash."""
    return work("content_", name)


def read_fact(release: Recorded, index: int, named: bool) -> Kept:
    """An earlier release, from the fact that `told` has written to its run relation.

    Args:
        release: the release.
        index: its place among the earlier ones.
        named: whether the spec names it.

    Raises:
        ValueError, TypeError, KeyError, AttributeError: if it cannot be read.
    """
    said: dict[str, Any] = json.loads(release.facts[FACT])
    if any(len(str(content)) != _DIGITS for _, content in said["kept"].values()):
        raise ValueError("an older sqlanon kept another hash, which can be forged")
    attributes = tuple(map(str, said["attributes"]))
    parts = (MEMBERS, VALUES) if attributes else (MEMBERS,)
    return Kept(
        index=index,
        release=release.relation,
        number=release.facts[ID],
        named=named,
        members=release.relation.sibling(MEMBERS),
        values=release.relation.sibling(VALUES) if attributes else None,
        attributes=attributes,
        digests={part: (int(said["kept"][part][0]), str(said["kept"][part][1])) for part in parts},
        person={str(name): str(kind) for name, kind in said["person"].items()},
        after={str(name): str(number) for name, number in said["after"].items()},
    )
