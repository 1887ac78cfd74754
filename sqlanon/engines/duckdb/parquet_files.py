"""How DuckDB reads Parquet files, and what it would read as something else."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlanon.engines.duckdb.text_copies import FileEngine, listed, pattern
from sqlanon.engines.duckdb.text_files import partitioned
from sqlanon.errors import EngineError, Problem, SpecError
from sqlanon.inputs.files import partitions
from sqlanon.inputs.source import Source
from sqlanon.sql.names import Sql, identifier, literal

_MOST_DIGITS = 38  # of a decimal
_FINER = r"\d:\d\d\.\d{6}\d*[1-9]"  # than a microsecond, of a time of day
_CUT = "a time with a zone and nanoseconds"  # of which an older DuckDB reads microseconds
_OF_SPARK = "org.apache.spark.version"  # whose times are of microseconds


def parquet_item(source: Source, said: Mapping[str, str]) -> Sql:
    """The FROM item by which DuckDB reads Parquet files.

    Args:
        source: the files.
        said: DuckDB's types of the columns that their folders say.
    """
    options = partitioned(said, {})
    return Sql(f"read_parquet({literal(pattern(str(source.file)))}, {', '.join(options)})")


def parquet(source: Source, engine: FileEngine, needed: Collection[str] | None = None) -> Sql:
    """The FROM item that reads Parquet files, and the columns that their folders say.

    Args:
        source: the files.
        engine: reads them.
        needed: the columns that will be read; by default all.
    """
    file, plain = str(source.file), parquet_item(source, {})
    files = listed(file, engine)
    check_values(file, engine, needed)
    if files == [file]:
        return plain
    check_alike(files, engine)
    own = [column.name for column in engine.describe(plain)]
    return parquet_item(source, partitions(file, files, own))


def check_values(
    file: str,
    engine: FileEngine,
    needed: Collection[str] | None,
    times: bool = True,
    by: str = "DuckDB",
) -> None:
    """Refuse values that a database reads as others, at any depth of a column.

    DuckDB has decimals of 38 digits, and reads longer ones as doubles. Of INT96, in which older
    programs write times, it reads microseconds, as Spark does.

    Args:
        file: the files.
        engine: reads them.
        needed: the columns that will be read; by default all.
        times: whether times in INT96 are read without an option that keeps all of them.
        by: the database that will read them.

    Raises:
        SpecError: if a column that is needed has such.
    """
    wanted = None if needed is None else {name.lower() for name in needed}
    found = _leaves(file, engine)
    leaves = [leaf for leaf in found if wanted is None or leaf[0].lower() in wanted]
    for name, _, digits in sorted(leaves, key=lambda leaf: leaf[0]):
        if digits is not None and digits > _MOST_DIGITS:
            what = f"column {name!r} has decimals of {digits} digits, which {by} would round"
            most = f"give it as text, or as decimals of at most {_MOST_DIGITS} digits"
            raise SpecError(Problem("source", f"{what}: {most}"))
    for name in sorted({name for name, type_, _ in leaves if type_ == _CUT}):
        what = f"column {name!r} has times with a zone and nanoseconds, which {by} would cut"
        cure = "write them as timestamps of microseconds, or use DuckDB 2"
        raise SpecError(Problem("source", f"{what}: {cure}"))
    for name in sorted({name for name, type_, _ in leaves if times and type_ == "INT96"}):
        _check_times(name, file, engine, by)


def columns_of(file: str, engine: FileEngine) -> set[str]:
    """The names of the columns of Parquet files."""
    return {name for name, _, _ in _leaves(file, engine)}


def _leaves(file: str, engine: FileEngine) -> list[tuple[str, str, int | None]]:
    """The leaves of the columns of files, each with its column, its type and its digits."""
    schema = f"parquet_schema({literal(pattern(file))})"
    zoned = "contains(logical_type, 'NANOS=Nano') and duckdb_type = 'TIMESTAMP WITH TIME ZONE'"
    type_ = f"case when {zoned} then {literal(_CUT)} else type end"
    asked = f"select file_name, name, num_children, {type_}, precision from {schema}"
    try:
        return list(_walked(engine.driver.execute(asked, "reading the source").rows))
    except EngineError:  # reading the file says better what is wrong with it
        return []


def _walked(nodes: Iterable[Sequence[Any]]) -> Iterator[tuple[str, str, int | None]]:
    """The leaves among the nodes of schemas, depth first."""
    left: list[int] = []  # of each node above the next one: how many children are to come
    column, file = "", None
    for of_file, name, children, type_, digits in nodes:
        if of_file != file:
            file, left = of_file, [children or 0]
            continue
        while left and not left[-1]:
            left.pop()
        if len(left) == 1:
            column = str(name)
        if left:
            left[-1] -= 1
        left.append(children or 0)
        if not children:
            yield column, str(type_), digits


def _check_times(name: str, file: str, engine: FileEngine, by: str) -> None:
    """Refuse a column of times in INT96 of which a database would cut the nanoseconds."""
    what = f"column {name!r} has times in INT96 with nanoseconds, which {by} would cut"
    cure = "write them as timestamps of microseconds"
    if _reads_int96(engine):
        read = f"read_parquet({literal(pattern(file))}, int96_as = 'struct')"
        text = f"cast({identifier(name)} as varchar)"
        finer = f"coalesce(bool_or(regexp_matches({text}, {literal(_FINER)})), false)"
        ((cut,),) = engine.driver.execute(f"select {finer} from {read}", "reading the source").rows
        if by == "DuckDB":
            cure += ", or read them by int96_as = 'timestamp_ns' in read_parquet of a query"
    else:  # none of the values can be asked; Spark's have none
        known = f"parquet_kv_metadata({literal(pattern(file))})"
        spark = f"count(*) filter (key = encode({literal(_OF_SPARK)}))"
        asked = f"select {spark} from {known}"
        files = listed(file, engine)
        ((written,),) = engine.driver.execute(asked, "reading the source").rows
        cut, what = written < len(files), what.replace("with", "perhaps with")
        cure += ", or use DuckDB 2"
    if cut:
        raise SpecError(Problem("source", f"{what}: {cure}"))


def _reads_int96(engine: FileEngine) -> bool:
    asked = (
        "select count(*) from duckdb_functions() where function_name = 'read_parquet' "
        "and list_contains(parameters, 'int96_as')"
    )
    return bool(engine.driver.execute(asked).rows[0][0])


def check_alike(files: Sequence[str], engine: FileEngine) -> None:
    """Refuse Parquet files that are read together and have other columns, or other types.

    DuckDB would make the types of the first of them of all values, and leave out further columns.

    Raises:
        SpecError: if one is not as the first.
    """
    first: set[tuple[str, str]] = set()
    for index, file in enumerate(files):
        read = Sql(f"read_parquet({literal(file)}, hive_partitioning = false)")
        there = {(column.name, column.type) for column in engine.describe(read)}
        first = first or there
        other = sorted(there ^ first)
        if other:
            raise SpecError(
                Problem(
                    "source",
                    f"column {other[0][0]!r} of {files[index]!r} is not as in {files[0]!r}: files "
                    "that are read together have the same columns of the same types",
                )
            )
