"""Snowflake: the run stays in the warehouse that holds the table."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import snowflake.connector.pandas_tools
from snowflake.connector.constants import FIELD_ID_TO_NAME

from sqlanon.engines.base import RelationKind, Standing
from sqlanon.engines.snowflake import catalog
from sqlanon.engines.snowflake.driver import SnowflakeDriver
from sqlanon.engines.snowflake.names import our_name, stored_name
from sqlanon.engines.snowflake.publishing import Staging
from sqlanon.engines.staged import StagingEngine
from sqlanon.errors import EngineError, Problem, SpecError
from sqlanon.inputs.source import Source
from sqlanon.plan import Materialization, Rows
from sqlanon.plan.step import is_work, work
from sqlanon.spec.columns import Column
from sqlanon.sql.dialects import in_capitals
from sqlanon.sql.names import Relation, Sql, identifier
from sqlanon.sql.reading import tables_read

_MADE_BY_US = re.compile(r"[A-Z_][A-Z0-9_$]*(__[a-z_]+)?")  # PUB, and what comes with it
_ELSEWHERE = "load it into a table there, and name that"
_MOST = 2**63  # what pyarrow takes for a whole number


class SnowflakeEngine(StagingEngine):
    """Runs in a Snowflake account, by its address or on a connection the caller owns.

    A work relation is a temporary table, which no other session sees. The release and its proof
    are some, too, until the gate has passed.
    """

    dialect = "snowflake"
    connecting = SnowflakeDriver
    driver: SnowflakeDriver
    _staging: Staging
    writes_files = False
    is_warehouse = True
    kinds = (
        (r"number\(\d+,0\)", "integer"),
        (r"number.*", "decimal"),
        (r"real", "number"),
        (r"date", "date"),
        (r"timestamp_(ntz|ltz)", "timestamp"),
        (r"boolean", "boolean"),
        (r"text", "text"),
    )

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._staging = Staging(self.driver)
        self._made: dict[Relation, None] = {}  # work tables, in order
        self._lent = 0

    def scan(self, source: Source, needed: Collection[str] | None = None) -> Sql:
        """No file of this machine is sent to a warehouse."""
        raise SpecError(Problem("source", f"Snowflake reads no file of this machine: {_ELSEWHERE}"))

    @contextmanager
    def register(self, frame: Any, needed: Collection[str] | None = None) -> Iterator[Sql]:
        """A temporary table of an Arrow table of numbers, truth values and text.

        Its values are sent as a file, and stand in no statement that the account keeps.
        """
        if type(frame).__module__.split(".")[0] != "pyarrow":
            raise SpecError(f"a {type(frame).__name__} is not sent to Snowflake: {_ELSEWHERE}")
        names = [stored_name(name) for name in frame.column_names]
        types = [_type_of(str(kind)) for kind in frame.schema.types]
        table = work("lent_", self._lent)
        self._lent += 1
        described = ", ".join(
            f"{identifier(name)} {kind}" for name, kind in zip(names, types, strict=True)
        )
        self.driver.make(f"create or replace temporary table {table.sql} ({described})")
        self._made[table] = None
        if frame.num_rows:
            self.driver.call(
                lambda: snowflake.connector.pandas_tools.write_pandas(
                    self.connection,
                    frame.rename_columns(names).to_pandas(),
                    stored_name(table.name),
                    quote_identifiers=True,
                ),
                "sending what was found",
            )
        yield table.sql

    def columns(self, source: Sql) -> list[Column]:
        """The columns of a FROM item, in order; without those that nobody names without quotes."""
        asked = in_capitals(f"select * from {source} as source", self.dialect)
        found = self.driver.call(
            lambda: self.connection.cursor().describe(asked), "reading the source", asked
        )
        columns = []
        for one in found:
            type_name = FIELD_ID_TO_NAME[one.type_code].lower()
            if type_name == "fixed":
                type_name = f"number({one.precision},{one.scale})"
            name = our_name(one.name)
            if stored_name(name) == one.name:
                columns.append(Column(name, type_name, self.kind(type_name)))
        return columns

    def reads(self, source: Relation | Sql, relations: Sequence[Relation]) -> Relation | None:
        """One of the relations that a FROM item reads, however it reaches it; None if none.

        Raises:
            SpecError: if it reads a view whose text the role may not see.
        """
        written = {self.place(one): one for one in relations}
        read = [source] if isinstance(source, Relation) else tables_read(source, self.dialect)
        waiting, seen = [self.place(one) for one in read], set[Relation]()
        while waiting:
            one = waiting.pop()
            if one in written:
                return written[one]
            if one not in seen:
                seen.add(one)
                waiting += self._read_by(one)
        return None

    def _read_by(self, view: Relation) -> list[Relation]:
        """The relations that a view reads; a table reads none."""
        if self.kind_of(view) != "view":
            return []
        text = catalog.text_of(view, self._ask)
        body = re.search(r"\bas\b\s+((select|with)\b.*)", text, re.IGNORECASE | re.DOTALL)
        try:
            if body is None:
                raise ValueError
            read = tables_read(body[1].rstrip().rstrip(";"), self.dialect)
        except ValueError:
            what = f"the role may not see what the view {view} reads: name a table"
            raise SpecError(Problem("source", what)) from None
        return [self._full(one, view.path) for one in read]

    def check_files(self, query: str | Relation, needed: Collection[str] | None = None) -> None:
        """Refuse a query with a name in small letters and quotes, which would mean another here."""
        if isinstance(query, str) and in_capitals(query, self.dialect) != query:
            what = (
                'the query has a name in small letters and quotes, as "age": leave the quotes out'
            )
            raise SpecError(Problem("source", f"{what}, or name a view"))

    def _ask(self, query: str) -> Rows:
        return self.driver.execute(query, "reading the catalog")

    def standing(
        self, relations: Sequence[Relation], hold: bool = False
    ) -> dict[Relation, Standing]:
        """Those of some relations that exist: what each is, and the comment on it.

        Args:
            relations: by what names.
            hold: whether nobody else may replace them: if somebody does, the run publishes nothing.
        """
        places = {self.place(one): one for one in relations}
        found = catalog.standing(list(places), self._ask)
        if hold:
            self._staging.held |= {
                place: found[place].comment if place in found else None for place in places
            }
        return {places[place]: there for place, there in found.items()}

    def beside(self, relation: Relation, ending: str) -> list[Relation]:
        """The relations in the schema of a relation whose names end so, by their full names."""
        there = catalog.tables_in(self.place(relation).path, self._ask)
        return [one for one in there if one.name.endswith(ending)]

    def comment(self, relation: Relation, how: Materialization, text: str) -> None:
        """Comment on a relation that this transaction publishes."""
        self._staging.comments[self.place(relation)] = text

    def settle_rights(self, withheld: Sequence[Relation]) -> None:
        """Give what is replaced its readers, and nobody but the owner what is withheld."""
        self._staging.withheld = {self.place(one) for one in withheld}

    def retire(self, relation: Relation, kind: RelationKind) -> None:
        """Drop a relation of the older release that the new one has no use for."""
        self._staging.retired.append(self.place(relation))

    def secret(self, name: Relation, value: str) -> None:
        """No secret is sent: a warehouse keeps every statement with its values."""
        raise EngineError("a key is not sent to Snowflake, which keeps its statements")

    def forget(self, name: Relation) -> None:
        """It has none."""

    def has_place(self, relation: Relation) -> bool:
        """Whether the schema that a relation is to stand in exists."""
        with suppress(EngineError):  # there is no such database
            return catalog.has_schema(self._full(relation).path, self._ask)
        return False

    def resolve(self, relation: Relation) -> Relation:
        """The full name of a relation to be read."""
        return self._full(relation)

    def resolve_new(self, relation: Relation) -> Relation:
        """The full name under which a relation is made."""
        return self._full(relation)

    def _full(self, relation: Relation, here: tuple[str, ...] = ()) -> Relation:
        if is_work(relation):
            return relation
        path = [*(here or self.driver.place)[: 2 - len(relation.path)], *relation.path]
        name = relation.name
        folded = name.lower() if _MADE_BY_US.fullmatch(name) else name
        return Relation(folded, tuple(map(our_name, path)))

    def create(
        self, relation: Relation, select: str, how: Materialization, step: str = ""
    ) -> int | None:
        """Make a relation of a SELECT, in place of an older one of the same name."""
        placed = self._as_staged(select)
        relation = self.place(relation)
        if how is Materialization.TABLE:
            relation = self._staging.table(relation)
        self._made[relation] = None
        # A view would read the source again, which may have changed.
        self.driver.make(f"create or replace temporary table {relation.sql} as\n{placed}", step)
        return None

    def drop(self, relation: Relation, how: Materialization) -> None:
        """Drop a relation if it is there; a work table of a session of ours goes with that."""
        if how.published or not self.driver.owned:
            self._made.pop(relation, None)
            self.driver.make(f"drop table if exists {self.place(relation).sql}")

    def export(
        self, relation: Relation, columns: Sequence[Column], file: Path, escaped: bool = False
    ) -> None:
        """Snowflake writes files to its stages."""
        raise NotImplementedError

    def arrow_type(self, column: Column, cells: Sequence[Any]) -> Any:
        """As the embedded DuckDB has it."""
        import pyarrow as pa

        if column.kind == "number":
            return pa.float64()
        if column.kind == "boolean":
            return pa.bool_()
        small = all(one is None or abs(one) < _MOST for one in cells)
        return pa.int64() if small else pa.decimal128(38, 0)

    def _begin(self) -> None:
        self._staging = Staging(self.driver)

    def _clear(self) -> None:
        """Forget what was staged; the caller's session loses the work tables."""
        self._begin()
        if not self.driver.owned:
            with suppress(self.driver.failures):
                for one in list(self._made):
                    self.driver.say(f"drop table if exists {one.sql}")
        self._made.clear()


_TYPES = {"bool": "boolean", "float": "float", "double": "float", "string": "varchar"}


def _type_of(arrow: str) -> str:
    """The type of an Arrow column, by its name."""
    if re.fullmatch(r"u?int\d+|decimal128\(\d+, 0\)", arrow):
        return "number(38, 0)"
    if arrow not in _TYPES:
        raise SpecError(f"a column of type {arrow} is not sent to Snowflake: {_ELSEWHERE}")
    return _TYPES[arrow]
