"""Linked releases: whose rows readers join person by person, because both have one pseudonym.

Nergiz, Clifton & Nergiz (2009), Multirelational k-Anonymity, IEEE TKDE 21(8): a person is hidden in
a star of tables if k persons are alike in the join of all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlanon.clauses.series.declared import series_of
from sqlanon.clauses.series.earlier import Kept
from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.plan import FOUND, Check, Step, work
from sqlanon.privacy import MODELS
from sqlanon.privacy.l_diversity import DISTINCT_L
from sqlanon.record.recorded import Recorded, recorded
from sqlanon.source.source import RECORDS
from sqlanon.spec import Spec, parse_spec
from sqlanon.sql.names import Relation, Sql

SHORT = work("linked_short")  # the groups that cannot be published because of what readers join
_WHERE = "series.joined"
_OTHER_KEY = (
    f"{FOUND.persons} of the persons have other pseudonyms in {{release}} than here, so that "
    f"readers cannot join them by {{name}}, or join those of different persons: take the key of "
    f"{{release}}, and write the column as it was written there"
)
_NOT_NAMED = (
    f"{{name}} does not name the persons of {{release}} one by one ({FOUND.named} pseudonyms of "
    f"{FOUND.persons} persons, {FOUND.nameless} without one, {FOUND.several} in several classes), "
    "so that their join cannot be held: let it stand for whom a record is about"
)
_UNLINKED = (
    f"{FOUND.pseudonyms} pseudonyms of {{name}} are in {{there}} of {{release}} too: readers join "
    f"the rows of the two by it, and no model holds on that join: {{cure}}, or take another key"
)


@dataclass(frozen=True)
class Held:
    """A sensitive attribute of an earlier release, as the join of releases holds it.

    Attributes:
        name: its column there.
        least: how many different values a class had to have there; 0 if nothing was asked.
        more: whether anything else was asked of it, such as t.
    """

    name: str
    least: int
    more: bool


@dataclass(frozen=True)
class Link:
    """An earlier release, as its readers have it.

    Attributes:
        kept: what it keeps.
        cells: the columns that stand for quasi-identifiers.
        pseudonyms: the columns with pseudonyms.
        sensitive: the sensitive attributes.
    """

    kept: Kept
    cells: tuple[str, ...]
    pseudonyms: tuple[str, ...]
    sensitive: tuple[Held, ...]

    def spelled(self, name: str) -> str | None:
        """The name of a column of pseudonyms there; case does not count."""
        return next(
            (pseudonym for pseudonym in self.pseudonyms if pseudonym.lower() == name.lower()), None
        )

    @property
    def named(self) -> Relation:
        """By what readers know each of its persons again."""
        return work("linked_named_", self.kept.index)


@dataclass(frozen=True)
class Linked:
    """By what the readers of a release know persons of earlier ones again.

    Attributes:
        links: the earlier releases; only those that have pseudonyms, where readers are to join
            none.
        joined: the column of pseudonyms by which they join; None if they are to join none.
        alias: its name in the records.
        person: the columns that name a person, by alias and by name.
        others: all columns of pseudonyms of this release, by name, and their aliases.
    """

    links: tuple[Link, ...]
    joined: str | None
    alias: Sql
    person: tuple[dict[str, Any], ...]
    others: Mapping[str, Sql]

    @property
    def named(self) -> Iterator[tuple[Link, str]]:
        """Each earlier release with its column of the pseudonyms that readers join by."""
        for link in self.links:
            name = None if self.joined is None else link.spelled(self.joined)
            if name is not None:
                yield link, name

    @property
    def checks(self) -> Iterator[Step | Check]:
        """The steps that see to it that readers join by what was declared, and nothing else."""
        for link, name in self.named:
            yield named_step(link.kept.release, name, link.cells, link.named)
            yield named_check(link.kept.release, name, link.named, link.kept.members)
            yield Check(
                f"{name} is of the key of {link.kept.release}",
                "clauses/series/linked/check_key",
                {"records": RECORDS, "members": link.kept.members, "named": link.named},
                {"alias": self.alias, "person": self.person},
                f"identifiers.{self.joined}.key",
                _OTHER_KEY.format(release=link.kept.release, name=name),
            )
        for link in self.links:
            for name, alias in self.others.items():
                for there in link.pseudonyms:
                    both = {name.lower(), there.lower()}
                    if self.joined is not None and both == {self.joined.lower()}:
                        continue
                    yield self._apart(link, name, alias, there)

    def _apart(self, link: Link, name: str, alias: Sql, there: str) -> Check:
        """The check that readers do not join by two columns of pseudonyms."""
        cure = "leave it out"
        if self.joined is None and name.lower() == there.lower():
            cure = f"say that they do (series: {{joined: {name}}})"
        return Check(
            f"{name} is not in {there} of {link.kept.release}",
            "clauses/series/linked/check_unlinked",
            {"records": RECORDS, "released": link.kept.release},
            {"alias": alias, "name": there},
            f"identifiers.{name}.key",
            _UNLINKED.format(name=name, there=there, release=link.kept.release, cure=cure),
        )


def linked(spec: Spec, short: Mapping[str, str], links: Sequence[Link]) -> Linked | None:
    """By what the readers of a release know persons of earlier ones again; None if by nothing.

    Args:
        spec: what is declared.
        short: the alias of every column.
        links: the earlier releases.
    """
    if not links:
        return None
    joined = series_of(spec).joined
    others = {name: Sql(short[name]) for name in spec.pseudonyms}
    alias = Sql("") if joined is None else others[joined]
    person = tuple({"alias": Sql(short[name]), "name": name} for name in spec.person)
    return Linked(tuple(links), joined, alias, person, others)


def links_of(spec: Spec, earlier: Sequence[Kept], engine: Engine) -> tuple[Link, ...]:
    """The earlier releases whose rows readers may join with those of a new one.

    Raises:
        SpecError: if one has no pseudonyms by which readers are to join it.
    """
    if not spec.pseudonyms:
        return ()
    joined, found = series_of(spec).joined, []
    for kept in earlier:
        link = _link(kept, recorded(kept.release, engine))
        if joined is not None and link.spelled(joined) is None:
            what = (
                f"{kept.release} has no pseudonyms {joined!r}, so that readers join none of its "
                "rows: release them there too, or leave joined out"
            )
            raise SpecError(Problem(_WHERE, what))
        if link.pseudonyms:
            found.append(link)
    return tuple(found)


def _link(kept: Kept, release: Recorded) -> Link:
    columns = [column for column in release.columns if not column.beside]
    pseudonyms = tuple(column.name for column in columns if column.role == "pseudonym")
    held = []
    if pseudonyms:  # of others it is not asked
        # The run says what was asked, as it says the hashes: changed metrics could ask for less.
        spec = parse_spec({**release.spec, "source": {"table": "source"}})
        shown = [column.name for column in columns if column.role == "sensitive"]
        held = [_held(name, spec) for name in shown]
    cells = tuple(column.name for column in columns if column.role == "quasi_identifier")
    return Link(kept, cells, pseudonyms, tuple(held))


def _held(name: str, spec: Spec) -> Held:
    """A sensitive attribute of an earlier release, and what its spec asks of it."""
    declared = spec.sensitive[name]
    asked = {
        model.name: model.asked_of(declared, spec.privacy)
        for model in MODELS
        if model.is_of_attribute
    }
    least = asked.pop(DISTINCT_L.name)
    return Held(name, int(least or 0), any(one is not None for one in asked.values()))


def named_step(release: Relation, name: str, cells: Sequence[str], output: Relation) -> Step:
    """The step that finds by what readers know each person of a release again, and the class."""
    return Step(
        f"who is who in {release}, by {name}",
        output,
        "clauses/series/linked/named",
        {"released": release},
        {"name": name, "cells": tuple(cells)},
    )


def named_check(release: Relation, name: str, named: Relation, members: Relation) -> Check:
    """The check that every person of a release has one pseudonym, and it is nobody else's."""
    return Check(
        f"{name} names each person of {release}",
        "clauses/series/linked/check_named",
        {"named": named, "members": members},
        {},
        _WHERE,
        _NOT_NAMED.format(release=release, name=name),
    )
