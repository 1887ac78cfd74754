"""The interface that a plan needs of a database."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple

from sqlanon.engines.driver import Driver, Setting
from sqlanon.engines.frames import exact_frame, fits_arrow
from sqlanon.errors import EngineError
from sqlanon.inputs.source import Source
from sqlanon.plan import Materialization, Rows
from sqlanon.plan.step import is_work
from sqlanon.spec.columns import Column, Kind
from sqlanon.sql.names import Query, Relation, Sql, identifier, quoted
from sqlanon.sql.written import Naming, to_dialect

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

Watcher = Callable[[float | None, float], None]
RelationKind = Literal["table", "view"]


class Standing(NamedTuple):
    """The relation that stands under a name: its kind, and the comment on it."""

    kind: RelationKind
    comment: str | None


class Engine(ABC):
    """A database that plans run on: how relations are read, made and found in its SQL.

    Args:
        database: the name of a database to open; it is closed with the engine.
        connection: the caller's own connection, left open; the database is then not used.
        settings: the database's own settings, by name, until the engine is closed.

    Raises:
        SpecError: if the connection cannot be used, or a setting is refused.
        EngineError: if the database cannot be opened.
    """

    dialect: ClassVar[str]  # of its SQL
    kinds: ClassVar[tuple[tuple[str, Kind], ...]]  # of its types, by the form of their names
    work_path: tuple[str, ...] = ()  # where work relations stand, and nothing else
    connecting: ClassVar[type[Driver]]
    writes_files: ClassVar[bool] = True  # where this process can read them
    searches: ClassVar[bool] = True  # whether searches are best carried out in it
    is_warehouse: ClassVar[bool] = False  # It keeps each statement, and searches nothing.
    recursive: ClassVar[bool] = False  # Recursive queries may aggregate what they are given.
    sorts_signed_zeros: ClassVar[bool] = True  # Sorting by a column keeps its -0.0.

    def __init__(
        self,
        database: str | Path | None = None,
        connection: Any = None,
        settings: Mapping[str, Setting] | None = None,
    ) -> None:
        self.driver = self.connecting(database, connection, settings)
        self._qualified: dict[Relation, Relation] = {}  # the full names, found out once

    # --- what each product says ------------------------------------------------------------------

    @abstractmethod
    def scan(self, source: Source, needed: Collection[str] | None = None) -> Sql:
        """The FROM item that reads a file or a glob of files.

        Args:
            source: the file or the glob.
            needed: the columns that will be read; by default all. No other is sent to a database,
                and what text cannot hold may stand in others.
        """

    @abstractmethod
    def register(
        self, frame: Any, needed: Collection[str] | None = None
    ) -> AbstractContextManager[Sql]:
        """A FROM item that reads a frame of this process, for as long as the block lasts.

        Args:
            frame: the frame.
            needed: the columns that will be read, as for a file.
        """

    def looking_at(self, source: Source, item: Sql) -> AbstractContextManager[tuple[Engine, Sql]]:
        """Where a file can be looked at that may not be sent whole: here, by its FROM item."""
        return nullcontext((self, item))

    @abstractmethod
    def columns(self, source: Sql) -> list[Column]:
        """The columns of a FROM item, in order."""

    @abstractmethod
    def reads(self, source: Relation | Sql, relations: Sequence[Relation]) -> Relation | None:
        """One of the relations that a FROM item reads, however it reaches it; None if none."""

    @abstractmethod
    def standing(
        self, relations: Sequence[Relation], hold: bool = False
    ) -> dict[Relation, Standing]:
        """Those of some relations that exist: what each is, and the comment on it.

        Args:
            relations: by what names.
            hold: whether nobody else may replace them until this transaction ends. If somebody does
                so nevertheless, replacing them is a `ConflictError`.
        """

    def listing_once(self) -> AbstractContextManager[None]:
        """A change that others make is seen when a block begins or ends, perhaps no earlier.

        A database that has to list all relations for it lists them again only after a change of
        this session's own.
        """
        return nullcontext()

    def turn(self, name: str) -> AbstractContextManager[None]:
        """A turn, for work that runs do one after the other: nobody else has that of a name.

        It begins before a transaction, so that this sees all that others did in their turns. By
        default all may have it at once.

        Raises:
            ConflictError: if somebody else has it.
        """
        return nullcontext()

    def claim(self, beside: Relation, name: str) -> None:  # noqa: B027 - most have none
        """Claim a name for this transaction, in the database of a relation.

        No transaction that began before this one ends can claim it, too. By default all can.

        Raises:
            ConflictError: if another transaction has claimed it.
        """

    def kind_of(self, relation: Relation) -> RelationKind | None:
        """Whether a relation is a table or a view, or does not exist."""
        found = self.standing([relation]).get(relation)
        return None if found is None else found.kind

    def keeps_types(self, relation: Relation) -> bool:
        """Whether a relation's columns have the types that a release is made with."""
        return True

    def comment_of(self, relation: Relation) -> str | None:
        """The comment on a relation; None also where there is no relation."""
        found = self.standing([relation]).get(relation)
        return None if found is None else found.comment

    @abstractmethod
    def has_schema(self, relation: Relation) -> bool:
        """Whether the schema that a relation is to stand in exists."""

    def foreign_kind(self, relation: Relation) -> str | None:
        """The kind of the database that a relation is to stand in, if that is another product's."""
        return None

    def publishes_in(self, kind: str) -> bool:
        """Whether a run can publish all of a release or nothing in a database of such a kind."""
        return False

    @abstractmethod
    def resolve(self, relation: Relation) -> Relation:
        """The full name of a relation to be read: one that lasts rather than a temporary one."""

    @abstractmethod
    def resolve_new(self, relation: Relation) -> Relation:
        """The full name under which a relation is made."""

    @abstractmethod
    def siblings(self, relation: Relation, ending: str) -> list[Relation]:
        """The relations in the schema of a relation whose names end so, by their full names."""

    @abstractmethod
    def comment(self, relation: Relation, how: Materialization, text: str) -> None:
        """Comment on a relation that this transaction has published."""

    def keep_readers(self, relations: Sequence[Relation]) -> None:  # noqa: B027 - most have none
        """Note who may read relations that this transaction is about to replace."""

    def settle_rights(self, withheld: Sequence[Relation]) -> None:  # noqa: B027 - most have none
        """Give what was replaced its readers, and nobody but the owner what is withheld."""

    def retire(self, relation: Relation, kind: RelationKind) -> None:
        """Drop a relation of the older release that the new one has no use for."""
        self.drop(relation, Materialization(kind))

    def steady_functions(self, names: Collection[str]) -> set[str]:
        """Those of some functions that the database knows to be steady.

        A steady function gives the same value for the same arguments, whenever it is asked. By
        default none is known to be.
        """
        return set()

    @abstractmethod
    def create(
        self, relation: Relation, select: str, how: Materialization, step: str = ""
    ) -> int | None:
        """Make a relation of a SELECT, in place of an older one of the same name.

        Returns:
            How many rows it has, if that is known without counting.
        """

    @abstractmethod
    def drop(self, relation: Relation, how: Materialization) -> None:
        """Drop a relation if it is there."""

    def drop_all(self, relations: Iterable[tuple[Relation, Materialization]]) -> None:
        """Drop relations that are there, one after the other."""
        for relation, how in relations:
            self.drop(relation, how)

    def frame(self, relation: Relation) -> pd.DataFrame:
        """A published relation as a pandas frame.

        Where pandas would change a value, the column has Python's exact numbers.
        """
        return self._framed(relation)

    def arrow(self, relation: Relation) -> pa.Table:
        """A published relation as an Arrow table.

        Where Arrow has no type for a value, the column is text as the database writes it.
        """
        import pyarrow as pa

        frame = self._framed(relation)
        texts = [str(name) for name in frame if not fits_arrow(frame[name])]
        found = self._framed(relation, texts) if texts else frame
        return pa.Table.from_pandas(found, preserve_index=False)

    def _framed(self, relation: Relation, texts: Collection[str] = ()) -> pd.DataFrame:
        """All rows of a relation, with the columns that ``texts`` names as text."""
        columns = self.columns(self._written(relation))
        numbers = {column.name for column in columns if column.kind == "decimal"}.difference(texts)
        cells = ", ".join(
            f"cast({identifier(column.name)} as varchar) as {identifier(column.name)}"
            if column.name in numbers or column.name in texts
            else identifier(column.name)
            for column in columns
        )
        select = f"select {cells} from {self.named(relation)}"
        found = self.driver.execute(to_dialect(select, self.dialect))
        return exact_frame([column.name for column in columns], found.rows, numbers)

    def taken(self, relation: Relation, columns: Sequence[Column]) -> pa.Table:
        """Codes and counts of a work relation as an Arrow table of this process.

        Args:
            relation: it is read whole.
            columns: those of it that are taken; they hold numbers or truth values.
        """
        import pyarrow as pa

        names = ", ".join(quoted(Relation(column.name), self.dialect) for column in columns)
        found = self.driver.execute(f"select {names} from {self._written(relation)}")
        values = zip(*found.rows, strict=True) if found.rows else [()] * len(columns)
        arrays = [
            pa.array(cells, self.arrow_type(column, cells))
            for column, cells in zip(columns, values, strict=True)
        ]
        return pa.table(arrays, names=[column.name for column in columns])

    def arrow_type(self, column: Column, cells: Sequence[Any]) -> Any:
        """The type that such a column has as DuckDB reads it; by default that of its cells."""
        return None

    @abstractmethod
    def export(
        self, relation: Relation, columns: Sequence[Column], file: Path, escaped: bool = False
    ) -> None:
        """Write columns of a published relation to a file: CSV or Parquet, by its name's ending.

        The rows go from the database to the file, and are looked at by nobody on their way.

        Args:
            relation: what is written, in its own order.
            columns: of it, in order, with their types here.
            file: which is written over.
            escaped: whether text that a spreadsheet would take for a formula is escaped, in CSV.

        Raises:
            SpecError: if the database can write no file here.
            EngineError: if it fails; the file may then be there in part.
        """

    @abstractmethod
    def secret(self, name: Relation, value: str) -> None:
        """Let the session know a secret, which is in no statement and no parameter that is logged.

        It is known in this transaction until it is forgotten, and on some databases as a relation.
        """

    @abstractmethod
    def forget(self, name: Relation) -> None:
        """Make the session forget a secret, if it has it: after any failure too, and uninterrupted.

        Where a transaction that failed takes no statement any more, the session forgets it at its
        end.
        """

    # --- what is the same for all ----------------------------------------------------------------

    def qualified(self, relation: Relation) -> Relation:
        """Where a relation stands: the full name by which every statement calls it.

        So a statement never reads or writes another relation that the session finds under the
        bare name.
        """
        if relation not in self._qualified:
            work = is_work(relation)
            found = Relation(relation.name, self.work_path) if work else self.resolve(relation)
            self._qualified[relation] = found
        return self._qualified[relation]

    def qualified_new(self, relation: Relation) -> Relation:
        """The same of a relation that is to be made."""
        self._qualified[relation] = self.resolve_new(relation)
        return self._qualified[relation]

    def naming(self, how: Materialization) -> Naming:
        """How a statement that makes such a relation calls what it reads."""
        return self.qualified

    def item(self, relation: Relation) -> Relation | Query:
        """The item of a FROM clause that reads a relation of the user's."""
        return relation

    @contextmanager
    def reading(self, item: Relation | Sql) -> Iterator[Sql]:
        """A FROM item as text, while the names in it are found as the user means them."""
        if isinstance(item, Relation):
            yield self._written(item)
            return
        with self.users_names() if isinstance(item, Query) else nullcontext():
            yield item

    def refuse_namesakes(self) -> None:
        """Refuse the user's functions that would act on what a query of the user's yields."""
        self.driver.refuse_namesakes()

    def users_names(self) -> AbstractContextManager[None]:
        """Names are found as the user's session finds them, for as long as the block lasts.

        Everywhere else a function is the database's own, even if a user's has the same name.
        """
        return self.driver.users_names()

    def named(self, relation: Relation) -> Sql:
        """A relation's full name, as portable SQL quotes it."""
        return self.qualified(relation).sql

    def _written(self, relation: Relation) -> Sql:
        """A relation's full name, as this database quotes it."""
        return quoted(self.qualified(relation), self.dialect)

    def fetch(self, select: str, limit: int, step: str = "") -> Rows:
        """The rows of a SELECT, all of them.

        Raises:
            EngineError: if there are more rows than the limit.
        """
        bounded = f"select * from (\n{select}\n) as bounded limit {limit + 1}"
        result = self.driver.execute(bounded, step)
        if len(result.rows) > limit:
            raise EngineError(f"more than {limit} rows where only counts were expected", step)
        return result

    def fetch_portable(self, select: str, limit: int = 1, step: str = "") -> Rows:
        """The same of a SELECT in portable SQL."""
        return self.fetch(to_dialect(select, self.dialect), limit, step)

    def kind(self, type_name: str) -> Kind:
        """The kind of values that a type holds."""
        found = (kind for form, kind in self.kinds if re.fullmatch(form, type_name))
        return next(found, "other")

    def transaction(
        self, keep: bool = True, published: Callable[[], bool] | None = None
    ) -> AbstractContextManager[None]:
        """Make the block's changes visible at once at its end, or undo them: also if not kept.

        Args:
            keep: whether it is to become visible.
            published: asks the database whether it is visible, if the commit fails.
        """
        return self.driver.transaction(keep, published)

    def reclaim_space(self) -> None:  # noqa: B027 - most have nothing to do
        """Give back the room of what this transaction has dropped, if it has published nothing.

        A database that keeps it to the end may end the transaction here and begin another, if it
        drops the work relations itself when the rest fails. So a plan that does so must not read
        a source twice that may change meanwhile.
        """

    def definitions(self) -> list[str]:
        """The SQL of views and macros, where these may read files of this machine."""
        return []

    def is_copy(self, item: Relation | Sql) -> bool:
        """Whether a FROM item of this session reads a copy of a text file."""
        return False

    def check_files(  # noqa: B027 - most guess nothing
        self, query: str | Relation, needed: Collection[str] | None = None
    ) -> None:
        """Refuse a query or a view that guesses what is in the files that it reads.

        Args:
            query: the query, or the view; of a table nothing is asked.
            needed: the columns that will be read; by default all.

        Raises:
            SpecError: if a guess changes what is read.
        """

    def misread(self, relation: Relation, columns: Sequence[Column]) -> dict[str, int]:
        """The columns of a source's table whose values are read as others, and how many of each."""
        return {}

    def lacking_to_read(self, relation: Relation) -> list[str]:
        """Why this connection may not read a table or view that is there; most have no rights."""
        return []

    def lacking_to_write(self, relations: Sequence[Relation]) -> list[str]:
        """Why it may not make work tables, or these relations in place of older ones."""
        return []

    @property
    def folder(self) -> Path | None:
        """The folder of the database's file; None where it has none, or none here."""
        return None

    @property
    def version(self) -> str:
        """The product and its version, for the record."""
        return self.driver.version

    @property
    def connection(self) -> Any:
        """The client's connection."""
        return self.driver.connection

    def watch(self, progress: Watcher | None) -> Watcher | None:
        """Tell how much of a running statement is done (None: not known), and its seconds.

        Returns:
            Who listened before.
        """
        before, self.driver.progress = self.driver.progress, progress
        return before

    def find_as(self, other: Engine) -> None:
        """Find relations where another engine on this connection has found them."""
        self._qualified |= other._qualified

    def renew(self) -> None:
        """Forget what the last use has found out, kept or left: the next one looks again."""
        self._qualified.clear()
        self.driver.remark = ""

    def give_back(self) -> None:
        """Put the settings of the caller's connection back: nothing is to be made any more."""
        self.driver.give_back()

    def close(self) -> None:
        """Close the connection if it is ours, else give it back as it was; once is enough."""
        self.driver.close()
