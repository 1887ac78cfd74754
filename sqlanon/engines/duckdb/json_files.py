"""How DuckDB reads JSON: an object for each record, and no value otherwise than the file has it.

Its columns are read as text: their names, and their types, declared or found.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import duckdb

from sqlanon.engines.base import Engine
from sqlanon.engines.duckdb.text_copies import pattern
from sqlanon.errors import EngineError, Problem, SpecError, as_key, nearest_column
from sqlanon.inputs.files import is_remote_file
from sqlanon.inputs.source import COLUMN_TYPES, Source
from sqlanon.sql.names import Sql, identifier, literal

EXACT = 2**53  # every whole number up to it is a double of its own


class Found(Protocol):
    """A column whose cells were looked at."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def type(self) -> str:
        """DuckDB's type of its cells.

        Raises:
            ValueError: if they are of no one type.
        """


def namesakes(names: Iterable[str]) -> list[list[str]]:
    """The names that upper and lower case alone tell apart, if anything does, together."""
    folded: dict[str, list[str]] = {}
    for name in names:
        folded.setdefault(name.lower(), []).append(name)
    return [several for several in folded.values() if len(several) > 1]


def unknown(source: Source, names: Sequence[str], lacks: str) -> Iterator[Problem]:
    """The declared columns that a file lacks.

    Args:
        source: declares them.
        names: the columns that it has.
        lacks: that it lacks one, in words.
    """
    for name in source.columns:
        if name not in names:
            hint = nearest_column(name, names, source.columns, certain=True)
            yield Problem(f"source.columns.{name}", f"{lacks}; {hint}")


def types_of(
    columns: Iterable[tuple[Found, str]],
    source: Source,
    relation: str,
    engine: Engine,
    needed: Collection[str] | None,
) -> tuple[dict[str, str], list[Problem]]:
    """DuckDB's types of columns by their names, and the problems of those that have none.

    Args:
        columns: what was found of each, and the expression of a record's value as text.
        source: declares types.
        relation: the FROM item of the records.
        engine: reads them.
        needed: the columns that will be read; by default all.
    """
    types: dict[str, str] = {}
    problems: list[Problem] = []
    for column, text in columns:
        name = column.name
        declared = source.columns.get(name)
        if declared is not None:
            types[name] = COLUMN_TYPES.get(declared.lower(), declared)
            problems += _unlike(relation, text, name, types[name], engine)
            continue
        try:
            types[name] = column.type
        except ValueError as error:
            types[name] = COLUMN_TYPES["text"]
            if needed is None or name in needed:
                mend = f"declare its type, such as columns: {{{as_key(name)}: text}}"
                problems.append(Problem(f"source.columns.{name}", f"{error}: {mend}"))
    return types, problems


def _unlike(relation: str, value: str, name: str, kind: str, engine: Engine) -> Iterator[Problem]:
    """Values that are not of the declared type, or that the type would change."""
    cast, declared = f"try_cast({value} as {kind})", kind.lower()
    same = f"cast({cast} as varchar) in ({value}, replace({value}, 'T', ' '))"
    alike = f"{_plain(f'cast({cast} as varchar)')} = {_plain(value)}"
    if re.match("decimal|numeric", declared):
        as_double = f"cast({cast} as double) = try_cast({value} as double)"
        same = f"({alike} or contains(lower({value}), 'e') and {as_double})"
    elif re.match("double|float|real", declared):
        digits = 6 if re.match("float4?\\b|real", declared) else 15
        same = f"({alike} or {represented(value, cast, digits)})"
    try:
        ((misfits,),) = engine.driver.execute(
            f"select count(*) filter ({value} is not null and not coalesce({same}, false)) "
            f"from {relation}",
            "reading the source",
        ).rows
    except EngineError:
        yield Problem(f"source.columns.{name}", f"{kind!r} is no type that DuckDB knows")
        return
    if misfits:
        what = f"{misfits} values are no {kind}, or it would change them"
        yield Problem(f"source.columns.{name}", f"{what}: declare another type, or text")


def _plain(text: str) -> str:
    """A number's text without zeros after its last decimal place that is none."""
    return f"regexp_replace({text}, '[.]0*$|([.][0-9]*[1-9])0+$', '\\1')"


def represented(text: str, number: str, most: int) -> str:
    """Whether a floating-point number has all digits of its text, which are ``most`` or fewer."""
    mantissa = f"regexp_replace(lower({text}), 'e.*$', '')"
    digits = f"trim(regexp_replace({mantissa}, '[^0-9]', '', 'g'), '0')"
    return (
        f"(isfinite({number}) and length({digits}) <= {most} "
        f"and ({number} <> 0 or {digits} = '') and not regexp_matches({text}, '^[+-]?0[0-9]'))"
    )


_TEXT = COLUMN_TYPES["text"]
# The text of a number that is nearer to 0 than any double: DuckDB reads it as 0, also as text.
_NEAR_ZERO = "[eE]-0*[1-9][0-9]{2}|0{300}"
# A number of so many digits that DuckDB may cut some off, also as text; and what is no number.
_LONG, _NUMBER = "[1-9](?:[.]?[0-9]){17}", "-?[0-9]+(?:[.][0-9]+)?(?:[eE][-+]?[0-9]+)?"
_QUOTED = r'"(?:[^"\\]|\\.)*"'

# JSON's words for the types that DuckDB finds.
_FORMS = {
    "VARCHAR": "text",
    "BOOLEAN": "truth values",
    "BIGINT": "numbers",
    "UBIGINT": "numbers",
    "HUGEINT": "numbers",
    "DOUBLE": "numbers",
    "OBJECT": "objects",
    "ARRAY": "lists",
}


@dataclass(frozen=True)
class _Key:
    """The facts on the values of a key, of all records.

    Attributes:
        name: the key.
        types: DuckDB's names of the types that the values have; none if all are null.
        wide: how many whole numbers no bigint holds.
        rounded: how many numbers a double does not surely hold.
        vanished: how many numbers DuckDB may have read as 0, which the file has otherwise.
        cut: how many numbers have more digits than DuckDB reads of them.
        dates: whether every text is a date as it is written.
        times: whether every text is a timestamp as it is written.
    """

    name: str
    types: tuple[str, ...]
    wide: int
    rounded: int
    vanished: int
    cut: int
    dates: bool
    times: bool

    @property
    def forms(self) -> list[str]:
        """The forms of its values, in words."""
        return sorted({_FORMS[kind] for kind in self.types})

    @property
    def type(self) -> str:
        """DuckDB's type of the column.

        Raises:
            ValueError: if its values are of no one type that holds all of them.
        """
        if set(self.forms) & {"objects", "lists"}:
            raise ValueError(f"it has {' and '.join(self.forms)}, which are no value of a column")
        if len(self.forms) > 1:
            raise ValueError(f"it has {' and '.join(self.forms)}, which are no one type")
        if "DOUBLE" in self.types:
            if self.rounded:
                raise ValueError(f"it has {self.rounded} numbers that no double holds")
            return "DOUBLE"
        if self.wide:
            raise ValueError(f"it has {self.wide} whole numbers of 2^63 or more")
        if self.forms == ["text"]:
            return "DATE" if self.dates else "TIMESTAMP" if self.times else _TEXT
        found = {"numbers": "BIGINT", "truth values": "BOOLEAN"}
        return found[self.forms[0]] if self.forms else _TEXT


def json_item(source: Source, engine: Engine, needed: Collection[str] | None = None) -> Sql:
    """The FROM item that reads JSON files: a list of objects, or objects one after the other.

    Text stays text, so 01 keeps its zero, unless every text of a key is a date or a timestamp as
    ISO 8601 writes it. All records are asked. A key that a record lacks is NULL there.

    Args:
        source: the file, or the files.
        engine: reads them.
        needed: the columns that will be read; by default all.

    Raises:
        SpecError: if the file is no such JSON; if an object has a key twice, or keys differ by case
            alone; if values of a key have no one type, or are objects or lists, and the source does
            not declare one; or if a value is not of the declared type.
    """
    file = str(source.file)
    if is_remote_file(file):
        raise SpecError(Problem("source", "JSON is read of local files alone: make a copy"))
    path = literal(pattern(file))
    objects = f"read_json_objects({path}, format = 'auto', hive_partitioning = false)"
    _check_objects(objects, engine)
    keys = {one.name: one for one in _keys(objects, engine)}
    problems = list(_misnamed(source, keys))
    for name, key in keys.items():
        if key.vanished and (needed is None or name in needed):
            what = (
                f"it has {key.vanished} numbers that may be nearer to 0 than any double, as 1e-400"
            )
            mend = "and become 0: write them as text"
            problems.append(Problem(f"source.columns.{name}", f"{what}, {mend}"))
        if key.cut and (needed is None or name in needed):
            what = f"it has {key.cut} numbers of more digits than a double has"
            problems.append(Problem(f"source.columns.{name}", f"{what}: write them as text"))
    values = [(key, f"(json -> {literal(_path(key.name))} ->> '$')") for key in keys.values()]
    types, misfits = types_of(values, source, objects, engine, needed)
    problems += misfits
    if problems:
        raise SpecError(problems)
    texts = ", ".join(f"{literal(name)}: {literal(_TEXT)}" for name in types)
    # Cast from text, as the checks do: the reader of JSON takes other writings for numbers.
    cells = ", ".join(
        f"cast({identifier(name)} as {kind}) as {identifier(name)}" for name, kind in types.items()
    )
    return Sql(
        f"(select {cells} from read_json({path}, auto_detect = false, format = 'auto', "
        f"records = 'true', hive_partitioning = false, columns = {{{texts}}}))"
    )


def _rows(select: str, engine: Engine) -> list[Any]:
    """The rows of a SELECT from a file.

    Raises:
        SpecError: if it is no JSON: at which byte, without a sign of it.
    """

    def take() -> list[Any]:
        try:
            found: list[Any] = engine.connection.execute(select).fetchall()
            return found
        except duckdb.InvalidInputException as error:
            at = re.search(r"at byte (\d+) in (?:record/value|line) (\d+)", str(error))
            # DuckDB has counted the record that it could not read.
            where = f" at byte {at[1]} of record {max(1, int(at[2]) - 1)}" if at else ""
            raise SpecError(Problem("source", f"the file is no JSON{where}")) from None

    return engine.driver.call(take, "reading the source", select)


def _check_objects(objects: str, engine: Engine) -> None:
    """Refuse files without records, and records that are no objects or have a key twice."""
    ((records, others, twice),) = _rows(
        "select count(*), count(*) filter (json_type(json) is distinct from 'OBJECT'), "
        "count(*) filter (json_type(json) = 'OBJECT' and "
        f"len(json_keys(json)) <> len(list_distinct(json_keys(json)))) from {objects}",
        engine,
    )
    if not records:
        raise SpecError(Problem("source", "the file has no records"))
    if others:
        what = f'{others} of {records} records are no objects, such as {{"age": 34}}'
        raise SpecError(
            Problem(
                "source",
                f"{what}: give a list of objects "
                "without a byte order mark before it, or an object a line",
            )
        )
    if twice:
        what = f"{twice} of {records} records have a key twice: which value counts is not said"
        raise SpecError(Problem("source", what))


def _keys(objects: str, engine: Engine) -> Iterator[_Key]:
    """The keys of all records, in the order in which the file has them."""
    text = "(each.value ->> '$')"
    number = f"try_cast({text} as double)"
    whole = "each.type in ('BIGINT', 'UBIGINT', 'HUGEINT', 'DOUBLE') and "
    whole += f"regexp_full_match({text}, '-?[0-9]+')"
    day = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
    dated = f"try_cast({text} as date)"
    timed = f"try_cast({text} as timestamp)"
    outside = f"regexp_replace(text, {literal(_QUOTED)}, '', 'g')"
    one_number = "try_cast(one as double)"
    longer = f"regexp_matches(one, '[.eE]') and not {represented('one', one_number, 17)}"
    found = f"list_filter(regexp_extract_all({outside}, '{_NUMBER}'), lambda one: {longer})"
    cut = f"list_transform({found}, lambda one: {one_number})"
    select = (
        "select each.key, list_sort(list(distinct each.type) filter (each.type <> 'NULL')), "
        f"count(*) filter ({whole} and try_cast({text} as bigint) is null), "
        f"count(*) filter ({whole} and abs({number}) >= {EXACT} "
        f"or each.type = 'DOUBLE' and not {represented(text, number, 17)}), "
        f"count(*) filter (each.type = 'DOUBLE' and {number} = 0 "
        f"and regexp_matches(records.text, '{_NEAR_ZERO}')), "
        f"count(*) filter (each.type = 'DOUBLE' and list_contains(records.cut, {number}) "
        "or each.type in ('OBJECT', 'ARRAY') and len(records.cut) > 0), "
        f"coalesce(bool_and(regexp_full_match({text}, '{day}') "
        f"and cast({dated} as varchar) is not distinct from {text}) "
        "filter (each.type = 'VARCHAR'), false), "
        f"coalesce(bool_and(regexp_full_match({text}, '{day}[T ].*') and "
        f"cast({timed} as varchar) is not distinct from replace({text}, 'T', ' ')) "
        "filter (each.type = 'VARCHAR'), false) "
        f"from (select *, case when regexp_matches(text, '{_LONG}') then {cut} end as cut "
        "from (select json, cast(json as varchar) as text, "
        f"row_number() over () as number from {objects})) as records, "
        "json_each(records.json) as each "
        "group by each.key order by min(records.number), arg_min(each.id, records.number)"
    )
    for name, types, *rest in _rows(select, engine):
        yield _Key(name, tuple(types or ()), *rest)


def _misnamed(source: Source, keys: Collection[str]) -> Iterator[Problem]:
    """Keys that name no column of their own, and declared columns that are no key."""
    if not keys:
        yield Problem("source", "its records have no keys")
    if any(not name or "\0" in name for name in keys):
        yield Problem("source", "a key is empty, or has a NUL character: rename it")
    for several in namesakes(keys):
        names = " and ".join(map(repr, several))
        yield Problem("source", f"the keys {names} differ by case alone: rename one")
    yield from unknown(source, list(keys), "the file has no such key")


def _path(key: str) -> str:
    """The path by which DuckDB finds a key with any signs."""
    return "/" + key.replace("~", "~0").replace("/", "~1")
