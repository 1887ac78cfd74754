"""A warehouse: the run stays where the table is.

Every statement that makes a table commits by itself there, so publishing is by steps that can be
taken back.
"""

from __future__ import annotations

import re
import secrets
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar

from sqlanon.engines.base import RelationKind, Standing
from sqlanon.engines.staged import StagingEngine
from sqlanon.engines.warehouse.driver import Catalog, WarehouseDriver
from sqlanon.errors import ConflictError, EngineError, Problem, SpecError
from sqlanon.inputs.source import Source
from sqlanon.plan import Materialization
from sqlanon.plan.step import is_work, work
from sqlanon.spec.columns import Column
from sqlanon.sql.names import Relation, Sql, quoted
from sqlanon.sql.reading import tables_read


class WarehouseStaging(ABC):
    """The relations that a run publishes: work tables until they replace what is there.

    No other session looks at a work table. At the end each replaces the older table by one
    statement, the release last. Until then a copy of the older one stands next to it.

    Args:
        driver: the connection.
        catalog: of it, asked within the worker.
        work_path: where work tables stand.

    Attributes:
        staged: where each relation stands for the moment.
        comments: what is said of each.
        held: the comment on what a relation replaces.
        retired: what is dropped when all else is done.
        withheld: what nobody but its owner may read.
    """

    dialect: str

    def __init__(
        self, driver: WarehouseDriver, catalog: Catalog, work_path: tuple[str, ...] = ()
    ) -> None:
        self.staged: dict[Relation, Relation] = {}
        self.comments: dict[Relation, str] = {}
        self.held: dict[Relation, str | None] = {}
        self.retired: list[Relation] = []
        self.withheld: Collection[Relation] = ()
        self._driver, self._catalog, self._work_path = driver, catalog, work_path
        self._run = secrets.token_hex(4)

    @abstractmethod
    def _copying(self, final: Relation, left: Relation) -> str:
        """The statement that copies a table with all that is said of it."""

    @abstractmethod
    def _replacing(self, final: Relation, staged: Relation, comment: str | None) -> str:
        """The statement that makes a table of another one; it keeps those who may read it."""

    def table(self, relation: Relation) -> Relation:
        """The work table that a relation is until it is published."""
        self.staged[relation] = Relation(work("new_", relation.name).name, self._work_path)
        return self.staged[relation]

    def publish(self) -> None:
        """Replace all that is there; if that fails, put back what was there.

        Raises:
            ConflictError: if somebody else has replaced a relation meanwhile.
            EngineError: if it fails, and what was there cannot be put back.
        """
        finals = list(reversed(self.staged))  # the release is the last
        older = self._catalog.standing(finals)
        comments = {relation: there.comment for relation, there in older.items()}
        changed = [
            relation for relation in finals if comments.get(relation) != self.held.get(relation)
        ]
        if changed:
            raise ConflictError(f"{changed[0]} was replaced by somebody else", "publishing")
        aside = {
            relation: Relation(f"{relation.name}__old_{self._run}", relation.path)
            for relation in older
        }
        undo: list[str] = [self._dropping(left) for left in aside.values()]
        try:
            for final, left in aside.items():
                self._say(self._copying(final, left))
            for final in finals:
                undo.append(self._back(final, older.get(final), aside.get(final)))
                self._say(self._replacing(final, self.staged[final], self.comments.get(final)))
        except BaseException:
            self._undo(list(reversed(undo)), aside)
            raise
        for left in (*aside.values(), *self.retired):
            with suppress(EngineError):  # the release is published
                self._say(self._dropping(left))

    def _say(self, statement: str) -> None:
        """Run a statement in the worker, which runs this."""
        try:
            self._driver.say(statement)
        except self._driver.failures as error:
            message = self._driver.message(error, statement)
            raise EngineError(message, "publishing", statement) from None

    def _dropping(self, relation: Relation) -> str:
        return f"drop table if exists {quoted(relation, self.dialect)}"

    def _back(self, final: Relation, there: Standing | None, left: Relation | None) -> str:
        """The statement that puts back what stood under a name, or nothing."""
        if there is None or left is None:
            return self._dropping(final)
        return self._replacing(final, left, there.comment)

    def _undo(self, statements: Sequence[str], aside: dict[Relation, Relation]) -> None:
        """Put back what was there; where the connection is lost, on another one."""
        for lost in (False, True):
            try:
                if lost:
                    self._driver.reconnect()
                for statement in statements:
                    self._say(statement)
            except (EngineError, self._driver.failures):
                continue
            return
        where = ", ".join(f"{final} as {left}" for final, left in aside.items())
        kept = f"; the older release is kept: {where}" if where else ""
        raise EngineError(
            f"publishing failed, and what was there could not be put back{kept}", "publishing"
        )


_ELSEWHERE = "load it into a table there, and name that"
_MOST = 2**63  # what pyarrow takes for a whole number


class WarehouseEngine(StagingEngine):
    """Runs in a warehouse, by its address or on a connection the caller owns.

    A work relation is a table that no other session looks at. The release and its proof are some,
    too, until the gate has passed.
    """

    writes_files = False
    is_warehouse = True
    driver: WarehouseDriver
    staging: ClassVar[type[WarehouseStaging]]
    catalog: ClassVar[type[Catalog]]
    work_table: ClassVar[str] = "create or replace temporary table"  # what makes one
    sent_types: ClassVar[tuple[tuple[str, str], ...]]  # by the form of an Arrow type's name
    _staging: WarehouseStaging

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._catalog = self.catalog(self.driver)
        self._made: dict[Relation, None] = {}  # work tables, in order
        self._lent = 0
        self._begin()

    @abstractmethod
    def _send(self, table: Relation, frame: Any) -> None:
        """Send an Arrow table to a work table of its columns, within the worker."""

    def stored(self, name: str) -> str:
        """The name under which the warehouse stores what sqlanon calls so."""
        return name

    def scan(self, source: Source, needed: Collection[str] | None = None) -> Sql:
        """No file of this machine is sent to a warehouse."""
        what = f"{self.driver.product} reads no file of this machine: {_ELSEWHERE}"
        raise SpecError(Problem("source", what))

    @contextmanager
    def register(self, frame: Any, needed: Collection[str] | None = None) -> Iterator[Sql]:
        """A work table of an Arrow table of numbers, truth values and text.

        Its values are sent as a file, and stand in no statement that the warehouse keeps.
        """
        product = self.driver.product
        if type(frame).__module__.split(".")[0] != "pyarrow":
            raise SpecError(f"a {type(frame).__name__} is not sent to {product}: {_ELSEWHERE}")
        table = self.qualified(work("lent_", self._lent))
        self._lent += 1
        described = ", ".join(
            f"{quoted(Relation(self.stored(name)), self.dialect)} {self._type_of(str(kind))}"
            for name, kind in zip(frame.column_names, frame.schema.types, strict=True)
        )
        item = quoted(table, self.dialect)
        self.driver.make(f"{self.work_table} {item} ({described})")
        self._made[table] = None
        if frame.num_rows:
            self.driver.call(lambda: self._send(table, frame), "sending what was found")
        yield item

    def _type_of(self, arrow: str) -> str:
        """The type of an Arrow column, by its name."""
        found = next((kind for form, kind in self.sent_types if re.fullmatch(form, arrow)), None)
        if found is None:
            what = f"a column of type {arrow} is not sent to {self.driver.product}"
            raise SpecError(f"{what}: {_ELSEWHERE}")
        return found

    def reads(self, source: Relation | Sql, relations: Sequence[Relation]) -> Relation | None:
        """One of the relations that a FROM item reads, however it reaches it; None if none.

        Raises:
            SpecError: if it reads a view whose text the session may not see.
        """
        written = {self.qualified(relation): relation for relation in relations}
        read = [source] if isinstance(source, Relation) else tables_read(source, self.dialect)
        waiting, seen = [self.qualified(relation) for relation in read], set[Relation]()
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
        text = self._catalog.text_of(view)
        body = re.search(r"(^|\bas\b)\s*((select|with)\b.*)", text, re.IGNORECASE | re.DOTALL)
        try:
            if body is None:
                raise ValueError
            read = tables_read(body[2].rstrip().rstrip(";"), self.dialect)
        except ValueError:
            what = f"this session may not see what the view {view} reads: name a table"
            raise SpecError(Problem("source", what)) from None
        return [self._full(relation, view.path) for relation in read]

    def standing(
        self, relations: Sequence[Relation], hold: bool = False
    ) -> dict[Relation, Standing]:
        """Those of some relations that exist: what each is, and the comment on it.

        Args:
            relations: by what names.
            hold: whether nobody else may replace them: if somebody does, the run publishes nothing.
        """
        full_names = {self.qualified(relation): relation for relation in relations}
        found = self._catalog.standing(list(full_names))
        if hold:
            self._staging.held |= {
                full: found[full].comment if full in found else None for full in full_names
            }
        return {full_names[full]: there for full, there in found.items()}

    def siblings(self, relation: Relation, ending: str) -> list[Relation]:
        """The relations in the schema of a relation whose names end so, by their full names."""
        there = self._catalog.tables_in(self.qualified(relation).path)
        return [one for one in there if one.name.endswith(ending)]

    def comment(self, relation: Relation, how: Materialization, text: str) -> None:
        """Comment on a relation that this transaction publishes."""
        self._staging.comments[self.qualified(relation)] = text

    def settle_rights(self, withheld: Sequence[Relation]) -> None:
        """Give what is replaced its readers, and nobody but the owner what is withheld."""
        self._staging.withheld = {self.qualified(relation) for relation in withheld}

    def retire(self, relation: Relation, kind: RelationKind) -> None:
        """Drop a relation of the older release that the new one has no use for."""
        self._staging.retired.append(self.qualified(relation))

    def secret(self, name: Relation, value: str) -> None:
        """No secret is sent: a warehouse keeps every statement with its values."""
        raise EngineError(f"a key is not sent to {self.driver.product}, which keeps its statements")

    def forget(self, name: Relation) -> None:
        """It has none."""

    def has_schema(self, relation: Relation) -> bool:
        """Whether the schema that a relation is to stand in exists."""
        with suppress(EngineError):  # there is no such database
            return self._catalog.has_schema(self._full(relation).path)
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
        known = here or self.driver.path
        path = (*known[: len(known) - len(relation.path)], *relation.path)
        return Relation(relation.name, path)

    def create(
        self, relation: Relation, select: str, how: Materialization, step: str = ""
    ) -> int | None:
        """Make a relation of a SELECT, in place of an older one of the same name."""
        placed = self._as_staged(select)
        relation = self.qualified(relation)
        if how is Materialization.TABLE:
            relation = self._staging.table(relation)
        self._made[relation] = None
        # A view would read the source again, which may have changed.
        self.driver.make(f"{self.work_table} {quoted(relation, self.dialect)} as\n{placed}", step)
        return None

    def drop(self, relation: Relation, how: Materialization) -> None:
        """Drop a relation if it is there; a work table of a session of ours goes with that."""
        if how.published or not self.driver.owned:
            self._made.pop(relation, None)
            self.driver.make(self._dropping(self.qualified(relation)))

    def _dropping(self, relation: Relation) -> str:
        return f"drop table if exists {quoted(relation, self.dialect)}"

    def export(
        self, relation: Relation, columns: Sequence[Column], file: Path, escaped: bool = False
    ) -> None:
        """A warehouse writes files to places of its own."""
        raise NotImplementedError

    def arrow_type(self, column: Column, cells: Sequence[Any]) -> Any:
        """As the embedded DuckDB has it."""
        import pyarrow as pa

        if column.kind == "number":
            return pa.float64()
        if column.kind == "boolean":
            return pa.bool_()
        small = all(cell is None or abs(cell) < _MOST for cell in cells)
        return pa.int64() if small else pa.decimal128(38, 0)

    def _begin(self) -> None:
        within = self.catalog(self.driver, within=True)
        self._staging = self.staging(self.driver, within, self.work_path)

    def _clear(self) -> None:
        """Forget what was staged; the caller's session loses the work tables."""
        self._begin()
        if not self.driver.owned:
            with suppress(self.driver.failures):
                for relation in list(self._made):
                    self.driver.say(self._dropping(relation))
        self._made.clear()
