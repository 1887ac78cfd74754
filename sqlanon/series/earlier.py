"""The releases that one of a series follows, and others that keep who is in which class."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.kept.content import held
from sqlanon.kept.ownership import ID, mark
from sqlanon.kept.recorded import Recorded
from sqlanon.series.kept import FACT, MEMBERS, Kept, Other, read_fact
from sqlanon.source.source import table_named
from sqlanon.spec import NUMBERS, Column, Spec
from sqlanon.sql import Relation

_WHERE, _APART = "series.after", "series.apart"


def earlier_releases(
    spec: Spec, release: Relation, columns: Mapping[str, Column], engine: Engine
) -> tuple[Kept, ...]:
    """The releases that a spec follows and all that these followed, by what they kept.

    Args:
        spec: what is declared.
        release: the release to make.
        columns: the source's columns.
        engine: where all of them are.

    Raises:
        SpecError: if one of them is not there, or not as it was when another followed it; if it
            keeps nothing, names persons otherwise, or holds as sensitive what is shown here.
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


def other_releases(
    spec: Spec,
    release: Relation,
    columns: Mapping[str, Column],
    earlier: Sequence[Kept],
    engine: Engine,
) -> tuple[Other, ...]:
    """The releases of persons so named that a spec does not follow, by what they keep.

    They are looked for where the release goes, and where the earlier ones are.

    Args:
        spec: what is declared.
        release: the release to make.
        columns: the source's columns.
        earlier: those that it follows.
        engine: where all of them are.

    Raises:
        SpecError: if one that is said to be apart is not there.
    """
    if spec.series is None:
        return ()
    known = {engine.comment_of(release), *(mark(one.number) for one in earlier)}
    for name in spec.series.apart:
        members = table_named(name, _APART).beside(MEMBERS)
        if engine.kind_of(members) is None:
            what = f"there is no {str(members)!r}: {name!r} keeps nothing, so leave it out"
            raise SpecError(Problem(_APART, what))
        known.add(engine.comment_of(members))
    found: dict[Relation, Other] = {}
    for place in (release, *(one.release for one in earlier)):
        # The last first: it is most likely the one to follow, and has followed the others itself.
        for members in reversed(engine.beside(place, f"__{MEMBERS}")):
            comment = engine.comment_of(members) or ""
            if comment in known or not re.fullmatch(mark("[0-9a-f]{32}"), comment):
                continue
            there = {one.name.lower(): one for one in _columns(members, engine)}
            same = [there.get(name.lower()) for name in spec.person]
            person = {
                one.name: _compared(columns[name], one)
                for one, name in zip(same, spec.person, strict=True)
                if one is not None
            }
            if len(person) == len(spec.person) == len(there) - 1:
                name = str(Relation(members.name.removesuffix(f"__{MEMBERS}"), place.path))
                found[members] = Other(name, members, person)
    return tuple(found.values())


def _kept(one: Recorded, place: int, named: bool, engine: Engine) -> Kept:
    """An earlier release by what it keeps, as its run says."""
    if FACT not in one.facts:
        what = (
            f"{one.relation} keeps nothing by which it could be followed: releases that others "
            "come after are run with series: {} in their specs, or --after. It is not too late "
            "as long as nobody was given it"
        )
        raise _refusal(what)
    try:
        kept = read_fact(one, place, named)
    except (ValueError, TypeError, KeyError, AttributeError):
        what = f"the run of {one.relation} kept a record of its series that was changed"
        raise _refusal(f"{what}, or is of another sqlanon. Begin a new series") from None
    for relation, names in kept.columns.items():
        if engine.comment_of(relation) != mark(one.facts[ID]):
            what = f"{relation} is gone, or of another run than {one.relation}"
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
    first, second = (_form(one, as_what) for one in (here, there))
    return first, second


def _form(one: Column, as_what: str) -> str:
    if one.kind == "text":
        return f"text_as_{as_what}"
    return "whole" if as_what == "exact" and one.kind == "integer" else as_what


def _alike(one: Column, other: Column) -> bool:
    """Whether persons who are named by two columns can be compared."""
    return one.kind == other.kind and (one.kind != "other" or one.type == other.type)


def _columns(relation: Relation, engine: Engine) -> list[Column]:
    with engine.reading(relation) as item:
        return engine.columns(item)


def _refusal(what: str) -> SpecError:
    return SpecError(Problem(_WHERE, what))


def _of(follower: str) -> str:
    return f" ({follower} followed it)" if follower else ""
