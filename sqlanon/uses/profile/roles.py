"""The role that fits a column, by its name, the shape of its values and its counts; and why."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from sqlanon.spec import TEXTS
from sqlanon.uses.profile.counting import DATES, DIRECT, LEAST_CODES, MOST, SAYS
from sqlanon.uses.profile.names import (
    BODIES,
    Meaning,
    is_body_weight,
    meaning_of,
    stems_of,
    words_of,
)
from sqlanon.uses.profile.profile import Counts, Role

# A column that is named like an identifier and has no more values than this, each shared by so many
# records on average, is none.
FEW = 20
# Attributes that everybody has, and keeps: by them a column is known to name persons.
_KEPT = (
    "sex gender geschlecht sexe sexo birthdate birth_date date_of_birth dob geburtsdatum race "
    "ethnicity"
)
CONSTANT = frozenset(_KEPT.split())
# Names of latitudes, and of the other half of a place, where a latitude stands next to it.
_LATITUDES = frozenset({"lat", "latitude"})
_LONGITUDES = frozenset({"long", "longitude", "lon", "lng"})
# Kilograms or pounds, the least and the greatest: of persons, and of grown ones.
_BODIES, _GROWN = (0.2, 1_400.0), (25.0, 700.0)
_DIRECT: Mapping[Meaning, str] = {
    "number": "a number that is one person's",
    "name": "a name",
    "contact": "a way to reach a person",
    "place": "an address",
}
_QUASI: Mapping[Meaning, str] = {
    "quasi_identifier": "others may know this of a person",
    "age": "age is known to others",
    "date": "a date in a life is known to others",
    "postcode": "where somebody lives is known to others",
}


def least_class(records: int) -> int:
    """The k that a table of so many records is looked at with, and gets in a first spec."""
    return max(2, min(10, records // 10))


def shape_of(counts: Counts) -> str | None:
    """The shape that nearly all values of a column have, if there is one."""
    for name, records in counts.shapes.items():
        is_most = counts.known > 0 and records >= MOST * counts.known
        if is_most and (name != "icd" or counts.used >= LEAST_CODES):
            return name
    return None


def role_of(counts: Counts, k: int) -> Role:
    """The role of a column by itself.

    Args:
        counts: what is counted of it.
        k: the least class size; a value that fewer share on average points at a person.
    """
    kind, meaning, shape = counts.column.kind, meaning_of(counts.column.name), shape_of(counts)
    if kind == "other":
        return Role("withheld", "values of this type cannot be compared")
    if counts.used < 2:
        return Role("unclear", "it has one value, or none")
    if shape in DIRECT and not (_few(counts) and meaning not in ("person", "number", "contact")):
        return Role("identifier", f"its values look like {SAYS[shape]}")
    if meaning is not None and (meaning in _DIRECT or meaning in ("person", "record", "group")):
        return _named_like_one(counts, meaning, k)
    if meaning == "weight":
        if is_body_weight(words_of(counts.column.name)):
            return _BODY_WEIGHT
        return Role("withheld", "a sampling weight, which gives a stratum away")
    telling_text = kind in TEXTS and counts.tells(2)
    if meaning == "diagnosis" or shape == "icd":
        if not telling_text:
            return Role("sensitive", f"{'diagnoses' if meaning else SAYS['icd']}")
        return Role("withheld", "diagnoses that few share point at a person")
    if meaning is not None and meaning in _QUASI:
        return Role("quasi_identifier", _QUASI[meaning])
    if meaning == "sensitive" and not telling_text:
        return Role("sensitive", "nobody should learn this of a person")
    return _by_counts(counts, shape, k)


_BODY_WEIGHT = Role("quasi_identifier", "what somebody weighs can be seen")


_SOME_WEIGHT = Role(
    "unclear",
    "a weight: of a body others know it, and of a sample it tells a stratum and is not released",
)


def in_context(counts: Sequence[Counts], roles: Sequence[Role]) -> list[Role]:
    """The roles, once the other columns of the table are known.

    A plain ``weight`` is a body's if its values may be and the table has a height, or else
    something of bodies; without that somebody is to decide, if its values may be those of grown
    persons, and else it is a sample's. A ``long`` next to a ``lat`` is where somebody is.

    Args:
        counts: the columns.
        roles: what each is by itself.
    """
    words = [words_of(column_counts.column.name) for column_counts in counts]
    of_bodies = any(BODIES & {*some, *stems_of(some)} for some in words)
    placed = any(_LATITUDES & {*some} for some in words)
    changed = list(roles)
    for index, (column_counts, some) in enumerate(zip(counts, words, strict=True)):
        if roles[index].role in ("identifier", "quasi_identifier") or column_counts.span is None:
            continue
        if meaning_of(column_counts.column.name) == "weight" and is_body_weight(some) is None:
            if of_bodies and _lies(column_counts.span, _BODIES):
                changed[index] = _BODY_WEIGHT
            elif _lies(column_counts.span, _GROWN) and column_counts.used > FEW:
                changed[index] = _SOME_WEIGHT
        elif placed and _LONGITUDES & {*some}:
            changed[index] = Role("quasi_identifier", _QUASI["quasi_identifier"])
    return changed


def _lies(span: tuple[float, float], within: tuple[float, float]) -> bool:
    return within[0] <= span[0] and span[1] <= within[1]


def _few(counts: Counts) -> bool:
    """Whether so many records share so few values that they name no person."""
    return counts.used <= FEW and FEW * counts.used <= counts.known


def _named_like_one(counts: Counts, meaning: Meaning, k: int) -> Role:
    """A column that is named like an identifier."""
    if _few(counts):
        return Role("unclear", f"it is named like an identifier, but {counts.used} values are few")
    if meaning == "group":
        return Role("withheld", "it ties the records of a household or of a sampling unit together")
    if meaning in _DIRECT:
        return Role("identifier", _DIRECT[meaning])
    if counts.unique:
        return Role("identifier", "every record has its own")
    if meaning == "person" or counts.tells(2):
        return Role("identifier", "it is named like one")
    if counts.tells(k):
        return Role("withheld", f"fewer than {k} records share a value on average")
    return Role("unclear", "it is named like an identifier, but many records share a value")


def _by_counts(counts: Counts, shape: str | None, k: int) -> Role:
    """A column whose name says nothing that is known."""
    if counts.unique and counts.column.kind in (*TEXTS, "integer") and shape not in DATES:
        return Role("identifier", "every record has its own")
    if counts.column.kind in ("date", "timestamp") and counts.used > FEW:
        return Role("quasi_identifier", "others may know when something happened to a person")
    if shape in (*DATES, "postcode") and counts.used > FEW:
        return Role("quasi_identifier", f"its values look like {SAYS[shape]}")
    if counts.tells(k):
        return Role("withheld", f"fewer than {k} records share a value on average")
    return Role("unclear", "its name says nothing that is known here")


def persons(counts: Sequence[Counts], roles: Sequence[Role]) -> list[int]:
    """The places of the columns that may say whose record it is, the likeliest first.

    One that is only called an id may, if the table has something that a person keeps.
    """
    likely = {"person": 0, "number": 1, "record": 2}
    if not constants(counts):
        del likely["record"]
    found = []
    for number, (column_counts, role) in enumerate(zip(counts, roles, strict=True), 1):
        meaning = meaning_of(column_counts.column.name)
        is_one = role.role == "identifier" or (
            meaning == "record" and role.role in ("withheld", "unclear") and not _few(column_counts)
        )
        if meaning in likely and is_one and column_counts.repeats and not column_counts.missing:
            found.append((likely[meaning], -column_counts.used, number))
    return [index for _, _, index in sorted(found)]


def constants(counts: Sequence[Counts]) -> list[int]:
    """The places of the columns whose value a person keeps."""
    return [
        number
        for number, column_counts in enumerate(counts, 1)
        if column_counts.used > 1 and _is_constant(column_counts.column.name)
    ]


def _is_constant(name: str) -> bool:
    words = words_of(name)
    return bool(CONSTANT & {*words, *stems_of(words), "_".join(words)})


def beside_others(
    counts: Sequence[Counts],
    roles: Sequence[Role],
    pairs: Collection[tuple[int, int]],
    person: int | None,
) -> list[Role]:
    """The roles, once it is known which columns tell which: what tells a protected one is none.

    Args:
        counts: the columns.
        roles: what each is by itself.
        pairs: the places of a column and of another that it determines.
        person: the place of the column that says whose record it is, if records repeat persons.
    """
    changed = list(roles)
    for index in persons(counts, roles):
        if meaning_of(counts[index - 1].column.name) == "record":
            continue
        changed[index - 1] = Role(
            "withheld", "it is named like a person, but whose record it is it does not say"
        )
    if person is not None:
        changed[person - 1] = Role("person", "it says whose record it is, and repeats")
    protected = ("quasi_identifier", "sensitive")
    for one, other in sorted(pairs):
        tells, told = roles[one - 1], roles[other - 1]
        if tells.role == "unclear" and told.role in protected and counts[one - 1].used > 1:
            name = counts[other - 1].column.name
            changed[one - 1] = Role("telling", f"it tells {name} in nearly all records")
    return changed
