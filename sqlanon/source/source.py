"""The source as a FROM item, and the records read from it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import Any

import duckdb

from sqlanon.domains.attribute import Unit
from sqlanon.engines import Engine, unreadable
from sqlanon.errors import EngineError, Problem, SpecError, nearest_column
from sqlanon.inputs.files import is_remote_file, matching, without_query
from sqlanon.plan import Materialization, Secret, Step, work
from sqlanon.source.looks import check_header
from sqlanon.spec import Column, Source, Spec, codes
from sqlanon.spec.columns import all_names_drawn
from sqlanon.spec.foreign import no_table, unread
from sqlanon.spec.roles import hidden_columns
from sqlanon.sql.names import Query, Relation, Sql

RECORDS, SIZE = work("records"), work("size")
RECORD_UNIT = Unit("record", RECORDS, SIZE, RECORDS)
# The persons of another table, if a clause reads some; the source does not tell how many they are.
PEOPLE, PEOPLE_CODED = work("people"), work("people_coded")
_QUOTED = re.compile(r"'([^']+)'|\"([^\"]+)\"")
_LONGEST = 4096  # of the name of a file
_WIDE = 100  # characters of a line of short names
COUNTING = Step("counting the records", SIZE, "source/record_count", {"records": RECORDS})


def lacking(
    names: Sequence[str],
    source: Source,
    known: Collection[str],
    where: str,
    more: str = "",
    beside: Iterable[str] = (),
) -> list[Problem]:
    """The columns that a table should have and has not.

    Args:
        names: the columns.
        source: the table.
        known: the names of the columns that it has.
        where: what it is in the call or the spec.
        more: what else may be wrong.
        beside: the columns that it should have for other arguments of the call.
    """
    declared = [*names, *beside]
    return [
        Problem(
            where,
            f"it has no column {name!r}; "
            f"{nearest_column(name, source.sayable(known), declared, source.is_named)}{more}",
        )
        for name in names
        if name not in known
    ]


def files_of(source: Source) -> list[str]:
    """The files that a source reads; none of a table, a query or a place in the network."""
    if source.file is None or is_remote_file(source.file):
        return []
    return matching(source.file)


def files_read(declared: Mapping[str, Any], engine: Engine) -> dict[str, str]:
    """Every file that a run reads, as far as a text of its spec names it, and what names it.

    A query, a view or a macro of a DuckDB database may read a file: what stands in quotes in these
    counts where files are there of that name or pattern. A variable of the environment in the name
    of a file may stand for anything.

    Args:
        declared: the fields of the spec.
        engine: the database of the release.
    """
    named: dict[str, str] = {}
    for field, text in _texts(declared, "file"):
        what = "the source of the release" if field == "source" else f"read by the release: {field}"
        named.setdefault(re.sub(r"\$\{\w+\}", "*", text), what)
    queries = [(f"read by the query of {field}", text) for field, text in _texts(declared, "query")]
    views = [("read by a view or a macro of the database", sql) for sql in engine.definitions()]
    for what, sql in (*queries, *views):
        for one, other in _QUOTED.findall(sql):
            if (one or other).strip("*") or _is_read(one or other, sql, engine.dialect):
                named.setdefault(one or other, what)
    found: dict[str, str] = {}
    for text, what in named.items():
        for file in _there(text):
            found.setdefault(file, what)
    return found


def _is_read(pattern: str, sql: str, dialect: str) -> bool:
    """Whether a statement may read all files, and a ``*`` in it is no label; no FROM is of these.

    Of one that cannot be read as SQL it may be.
    """
    from sqlanon.sql.reading import texts_read  # which takes a while to load

    try:
        read = texts_read(sql, dialect)
    except ValueError:
        return True
    return any(text == pattern or f"'{pattern}'" in text for text in read)  # it may be SQL


def _texts(declared: Any, name: str, field: str = "") -> Iterator[tuple[str, str]]:
    """The texts of all fields of a name in a spec, each with the field that holds it."""
    if isinstance(declared, Mapping):
        for each, held in declared.items():
            if each == name and isinstance(held, str):
                yield field, held
            yield from _texts(held, name, f"{field}.{each}" if field else str(each))
    elif isinstance(declared, list | tuple):
        for held in declared:
            yield from _texts(held, name, field)


def _there(text: str) -> list[str]:
    """The files of a name or a pattern, or in a folder, if there are any."""
    if is_remote_file(text) or "\0" in text or len(text) > _LONGEST:
        return []
    try:
        return matching(text)
    except (ValueError, OSError, duckdb.Error):  # a folder of other files, or no name of a file
        return []


def check_spares(file: Path, read: Mapping[str, str]) -> None:
    """Refuse to write to a file that a run reads, even if files may be replaced.

    Args:
        file: the file to write.
        read: the files that the run reads, and what names each.

    Raises:
        SpecError: if it is one of them.
    """
    if not file.exists():
        return
    for text, what in read.items():
        if Path(text).exists() and file.samefile(text):
            raise SpecError(f"{str(file)!r} is {what}: name another file")


@dataclass(frozen=True)
class OtherTable:
    """A table that a plan reads besides the source.

    Attributes:
        where: the field of the spec that names it.
        source: what it names.
        item: its FROM item.
    """

    where: str
    source: Source
    item: Relation | Sql


def inspect_source(
    source: Source,
    engine: Engine,
    where: str = "source",
    item: Sql | None = None,
    headed: bool = False,
    needed: Collection[str] | None = None,
    may_be_empty: bool = False,
) -> tuple[Relation | Sql, list[Column]]:
    """The item of a FROM clause that reads a source, and its columns.

    Args:
        source: the source.
        engine: where it is read.
        where: what it is called in a message.
        item: a FROM item in its place.
        headed: whether it is known, or looked up later, that a file has a header line.
        needed: the columns that will be read, of a file that must be sent; by default all.
        may_be_empty: whether a text file may have no record after its header line.

    Raises:
        SpecError: if there is no such file, table or view, or the query is no SELECT, or it
            cannot be read.
    """
    is_doubtful = item is None and (source.is_text or source.is_workbook) and not headed
    found = _found(source, engine, where, needed) if item is None else item
    if isinstance(found, Query):
        engine.refuse_namesakes()
    try:
        with engine.reading(found) as read:
            columns = engine.columns(read)
    except EngineError as error:
        raise unreadable(where, found if isinstance(found, Sql) else Sql(""), error) from None
    if is_doubtful and isinstance(found, Sql):
        with engine.looking_at(source, found) as (near, read):
            called = columns if near is engine else near.columns(read)
            check_header(
                read,
                called,
                near,
                where,
                may_be_empty=may_be_empty,
                declared=source.columns,
            )
    return found, columns


def _found(
    source: Source, engine: Engine, where: str, needed: Collection[str] | None
) -> Relation | Sql:
    """The FROM item of a source; an error in it names the field that declares the source."""
    try:
        return _from_item(source, engine, where, needed)
    except EngineError as error:  # of a text file, which is read to know its types
        raise unreadable(where, Sql(""), error) from None
    except SpecError as error:
        problems = [
            Problem(re.sub("^source", where, problem.where), problem.what)
            for problem in error.problems
        ]
        raise SpecError(problems) from None


def _from_item(
    source: Source, engine: Engine, where: str, needed: Collection[str] | None
) -> Relation | Sql:
    if source.file is not None:
        cannot = unread(source.file)
        if cannot is not None:
            raise SpecError(Problem(where, f"{without_query(source.file)!r}: {cannot}"))
        if is_remote_file(source.file):
            return engine.scan(source, needed)
        try:
            files = files_of(source)
        except ValueError as error:
            raise SpecError(Problem(where, str(error))) from None
        if not files:
            raise SpecError(Problem(where, f"there is no file {source.file!r}"))
        if not any(Path(file).stat().st_size for file in files):
            raise SpecError(Problem(where, f"the file {source.file!r} is empty"))
        return engine.scan(source, needed)
    if source.query is not None:
        from sqlanon.sql.reading import check_query

        try:
            query = Query(f"({check_query(source.query, engine.dialect)}\n)")
        except ValueError as error:
            raise SpecError(Problem(where, f"the query is refused: {error}")) from None
        engine.check_files(source.query, needed)
        return query
    relation = table_named(source.table or "", where)
    lacking = engine.lacking_to_read(relation)
    if lacking:
        raise SpecError([Problem(where, why) for why in lacking])
    if engine.kind_of(relation) is None:
        mend = no_table(source.table or "") or _elsewhere(relation, engine)
        what = f"there is no table or view {source.table!r}" + (f"; {mend}" if mend else "")
        raise SpecError(Problem(where, what))
    engine.check_files(relation, needed)
    return engine.item(relation)


def _elsewhere(relation: Relation, engine: Engine) -> str | None:
    if engine.dialect != "duckdb":
        return None
    if not relation.path:
        temporary = Relation(relation.name, ("temp",))
        is_there = engine.kind_of(temporary) is not None
        return f"a temporary one is there: name it {str(temporary)!r}" if is_there else None
    if engine.has_schema(relation):
        return None
    return (
        f"no database or schema {relation.path[0]!r} is attached: name the file that holds the "
        "table as the database, or in Python give the connection that has attached it"
    )


def table_named(text: str, where: str) -> Relation:
    """A relation as the user names it.

    Raises:
        SpecError: if the name cannot be read, or is reserved.
    """
    try:
        relation = Relation.parse(text)
    except ValueError as error:
        raise SpecError(Problem(where, str(error))) from None
    if relation.name.lower().startswith("sqlanon_"):
        raise SpecError(
            Problem(where, "names that begin with sqlanon_ are kept for work relations")
        )
    return relation


def check_not_source(
    release: Relation, written: Iterable[Relation], source: Source, engine: Engine
) -> None:
    """Refuse to write a relation that is the source, or that its query names.

    From here on the names of what is written mean where it is made.

    Args:
        release: the release's name.
        written: what is written: the release, or what comes with it.
        source: the source.
        engine: where both are.
    """
    written = list(written)
    for relation in written:
        engine.qualified_new(relation)
    if source.query is not None:
        from sqlanon.sql.reading import tables_read

        try:
            read, what = tables_read(source.query, engine.dialect), "read by the source's query"
        except ValueError:  # it will be refused where it is read
            return
    else:
        read, what = {table_named(source.table, "source")} if source.table else set(), "the source"
    named = {str(relation).lower() for relation in read}
    full = {str(engine.resolve(relation)).lower() for relation in read}
    for relation in written:
        if str(engine.qualified(relation)).lower() in full or str(relation).lower() in named:
            is_it = "it is" if relation == release else f"it comes with {relation}, which is"
            raise SpecError(Problem("release", f"{is_it} {what}; the source is never written"))


def check_not_read(relations: Sequence[Relation], item: Relation | Sql, engine: Engine) -> None:
    """Refuse to write a relation that the source reads through a view, a macro or a function."""
    there = list(engine.standing(relations))
    found = engine.reads(item, there) if there else None
    if found is not None:
        what = f"the source reads {found}, which would be replaced; the source is never written"
        raise SpecError(Problem("release", what))


def aliases(spec: Spec) -> dict[str, str]:
    """The short name of every column that is read: q1, s1, x1, k1, w1, g1, …, by its own name."""
    roles: dict[str, Iterable[str]] = {
        "q": spec.quasi_identifiers,
        "s": spec.sensitive,
        "x": (*spec.insensitive, *spec.pseudonyms),
        "k": spec.key,
        "w": spec.drawn_for,
        "g": [column for _, column in hidden_columns(spec.sensitive)],
    }
    return {
        column: f"{letter}{number}"
        for letter, columns in roles.items()
        for number, column in enumerate(columns, 1)
    }


def short_names(spec: Spec, read: str | None = None) -> list[str]:
    """The lines that say which columns q1, s1, x1, … stand for.

    Args:
        spec: what is declared.
        read: the text that they stand above, whose short names alone are said; None for all.
    """
    lines = []
    for role, letter in (("quasi_identifiers", "q"), ("sensitive", "s"), ("insensitive", "x")):
        named = ((f"{letter}{at}", name) for at, name in enumerate(getattr(spec, role), 1))
        said = [
            f"{short} = {name}"
            for short, name in named
            if read is None or re.search(rf"\b{short}\b", read)
        ]
        lines += wrap(
            ", ".join(said),
            _WIDE,
            initial_indent="  ",
            subsequent_indent="  ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    return lines


def ties(spec: Spec, known: Mapping[str, Column]) -> dict[str, tuple[str, Sql]]:
    """The functions, besides the key, that distinguish equal carried values of other bytes.

    So a run does not depend on which of them comes first: -0.0 or 0.0, a month or 30 days.

    Returns:
        By its alias, the column and the function of it: its text, where none is known.
    """
    carried = [(name, known[name]) for name in (*spec.insensitive, *spec.key)]
    apart = [(name, column.apart) for name, column in carried if column.apart is not None]
    return {f"k{number}": value for number, value in enumerate(apart, len(spec.key) + 1)}


def secret_names(number: int) -> tuple[Secret, Secret]:
    """The names of the two pads of a key in a plan; the first key of a spec is 1."""
    inner, outer = (work("secret_", number, pad).name for pad in ("_inner", "_outer"))
    return Secret(inner), Secret(outer)


def names_as_text(spec: Spec) -> dict[str, Sql]:
    """The short name of the text of every column that numbers are drawn by: t1, ….

    It is made where the source is read, before the session has a key: a cast may be the user's.
    """
    return {name: Sql(f"t{number}") for number, name in enumerate(all_names_drawn(spec), 1)}


def as_read(spec: Spec, column: Column, alias: Sql) -> dict[str, Any]:
    """A column of the source, as a template reads it."""
    missing = codes(column, spec.missing.get(column.name, ()))
    return {"name": column.name, "alias": alias, "kind": column.kind, "codes": missing, "tie": None}


def records_step(
    source: Relation | Sql,
    spec: Spec,
    known: Mapping[str, Column],
    short: Mapping[str, str],
    engine: Engine,
    once: bool,
) -> Step:
    """The step that reads the declared columns.

    A table is read where it lies; a file, a query or a view is read once, because reading it
    again may cost as much or give other records. So is a table if ``once``: by a run that may
    reclaim space, which ends the transaction in which the table stands still.
    """
    table = spec.source.table
    # Keys are used on a table of the run's own: a view would run foreign code while they are there.
    once = once or bool(spec.keys)
    is_table = table is not None and engine.kind_of(Relation.parse(table)) == "table"
    stays = not once and is_table
    columns = [as_read(spec, known[name], Sql(alias)) for name, alias in short.items()]
    for column in columns:
        if column["name"] in spec.pseudonyms:
            column["as_text"] = True
    columns += [
        as_read(spec, known[name], alias) | {"as_text": True}
        for name, alias in names_as_text(spec).items()
    ]
    columns += [
        {"name": name, "alias": Sql(alias), "kind": "other", "codes": (), "tie": how}
        for alias, (name, how) in ties(spec, known).items()
    ]
    return Step(
        "reading the source",
        RECORDS,
        "source/records",
        {"source": source},
        {"columns": columns},
        Materialization.WORK_VIEW if stays else Materialization.WORK_TABLE,
        where="" if is_table else "source",
    )
