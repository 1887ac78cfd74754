"""A connection to a database, on which one statement runs at a time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar

from sqlanon.common import interrupts
from sqlanon.engines.messages import refusal
from sqlanon.engines.worker import CLOSED, Result, Worker
from sqlanon.errors import (
    ConflictError,
    EngineError,
    OutcomeUnknownError,
    ShortageError,
    SpecError,
    SqlanonError,
)
from sqlanon.plan import Rows
from sqlanon.sql.products import gives_away, shown

Setting = str | int
SETTINGS = "settings"  # the step of statements that meet no data


class Driver(ABC):
    """A connection of our own or of the caller's.

    Each product says how its client opens a connection, runs a statement and breaks it off, and
    what may be said of an error. This class has the parts that all products share. Statements run
    in a worker thread, so that Ctrl-C reaches this one at once. Settings are put back. A
    transaction is undone if anything fails.

    Args:
        database: the name of a database to open; it is closed with the driver.
        connection: the caller's own connection, left open; the database is then not used.
        settings: the database's own settings, by name, until the driver is closed.

    Attributes:
        connection: the client's connection.
        owned: whether it is ours.
        worker: the thread that statements run in.
        version: the product and its version, for the record.
        progress: is called with the fraction done (None: not known) and the seconds so far.
        remark: what the user should know of a run that succeeded.
        shows_errors: whether the database's messages are shown whole, though they may quote the
            data; False unless somebody sets it.

    Raises:
        SpecError: if the connection cannot be used, or a setting is refused.
        EngineError: if the database cannot be opened.
    """

    product: ClassVar[str]
    failures: ClassVar[type[Exception]]  # The client raises these.
    conflicts: ClassVar[tuple[type[Exception], ...]] = ()  # These say that a name is taken by now.
    shortages: ClassVar[tuple[type[Exception], ...]] = ()  # These: that room is lacking.
    settings: ClassVar[Mapping[str, Setting]]  # A run needs these, unless others are given.
    wishes: ClassVar[Mapping[str, Setting]] = {}  # A run can do without these; in order.
    fixed: ClassVar[Mapping[str, Setting]] = {}  # The meaning of its SQL depends on these.
    paths: ClassVar[tuple[str, ...]] = ()  # Unqualified names are found by these settings.
    begin: ClassVar[str] = "begin transaction"
    remark = ""
    shows_errors = False
    _names = ""  # that an error may say, besides those of the statement

    def __init__(
        self,
        database: str | Path | None = None,
        connection: Any = None,
        settings: Mapping[str, Setting] | None = None,
    ) -> None:
        self.progress: Callable[[float | None, float], None] | None = None
        self.worker = Worker(f"sqlanon-{self.product.lower()}", self._interrupt, self._tell)
        self.owned, self._closed, self._guarded = connection is None, False, False
        self._given_back = False
        self._before: dict[str, Any] = {}  # settings that were changed
        self._refuse_fixed(settings or {})
        wanted = {**self.settings, **(settings or {})}
        self.connection = connection
        try:
            if connection is None:
                with interrupts.noted():
                    self.connection = self._open(database, wanted)
            self.version = f"{self.product} {self._ready()}"
            self._guarded = True
            self._search(users=False)
            for name, value in {**wanted, **self._fixed_here()}.items():
                self._set(name, value)
            with suppress(SpecError):  # the first that is refused ends them
                for name, value in self.wishes.items():
                    if name not in wanted:
                        self._set(name, value)
        except BaseException:
            self.close()
            raise

    @property
    def closed(self) -> bool:
        """Whether it was closed; a connection of the caller's may still be open then."""
        return self._closed

    # --- what each product says ------------------------------------------------------------------

    @abstractmethod
    def _open(self, database: str | Path | None, settings: dict[str, Setting]) -> Any:
        """A connection of our own; settings that it is opened with are taken out."""

    def _abandon(self) -> None:  # noqa: B027 - most have made nothing by then
        """Undo what opening a connection has done, where it came to none."""

    @abstractmethod
    def _ready(self) -> str:
        """Refuse a connection that cannot carry a run; the database's version."""

    @abstractmethod
    def _drain(self, sql: str) -> Rows:
        """Run a statement to its end, and take all that it yields."""

    @abstractmethod
    def _interrupt(self) -> None:
        """Make the running statement end soon; it may be called again and again."""

    def _fraction(self) -> float | None:
        """How much of the running statement is done, where the database knows."""
        return None

    def _look(self) -> None:  # noqa: B027 - most ask for a setting when they need it
        """Read the settings again, which the caller may have changed."""

    @abstractmethod
    def _setting(self, name: str) -> Any:
        """The value of a setting."""

    @abstractmethod
    def _change(self, name: str, value: Any) -> None:
        """Give a setting a value."""

    def _fixed_here(self) -> Mapping[str, Setting]:
        """The fixed settings that this version has."""
        return self.fixed

    def _search(self, users: bool) -> None:  # noqa: B027 - some find names in one way only
        """Find unqualified names as the user's session does, or functions of the database alone."""

    @abstractmethod
    def _leave(self) -> None:
        """Close a connection of our own; leave the caller's as it was, but for its settings."""

    @abstractmethod
    def _safe(self, error: Exception, known: str) -> str | None:
        """The text that may be said of an error; None if it is not on the list of safe texts.

        Args:
            error: the client's error.
            known: the statement, and other text that holds no data.
        """

    @abstractmethod
    def _kind(self, error: Exception, known: str) -> str:
        """The kind of an error, and the column where known; never a value of the data."""

    # --- what is the same for all ----------------------------------------------------------------

    def _unopened(self, address: str, error: Exception) -> EngineError:
        """The error of an address that leads to no connection, without a part of its password."""
        reason = str(error).strip()
        if gives_away(address, reason):
            reason = "its message is withheld because it quotes a part of the password"
        return EngineError(f"the database {shown(address)!r} cannot be opened: {reason}")

    def message(self, error: Exception, sql: str = "") -> str:
        """The message of an error: its text only if that can hold no value of the data.

        Args:
            error: the client's error.
            sql: the statement that failed; names in the text must be in it.
        """
        if self.shows_errors:
            return refusal(self.product, str(error).strip(), "")
        known = f"{sql}\n{self._names}"
        return refusal(self.product, self._safe(error, known), self._kind(error, known))

    def execute(self, sql: str, step: str = "") -> Rows:
        """Run a statement, and take all that it yields."""
        return self.call(lambda: self._drain(sql), step, sql)

    def call(self, use: Callable[[], Result], step: str = "", sql: str = "") -> Result:
        """Use the client in the worker.

        Raises:
            EngineError: if the database fails; it carries the step and the SQL.
        """
        try:
            return self.worker.run(use)
        except SqlanonError:
            raise
        except self.failures as error:
            raise self._of_source(error) or self.failed(error, step, sql) from None

    def _of_source(self, error: Exception) -> SpecError | None:
        """The error of a source that holds what it says it does not, if that is what failed."""
        return None

    def failed(self, error: Exception, step: str = "", sql: str = "") -> EngineError:
        """The error of ours for one of the client's."""
        short = ShortageError if isinstance(error, self.shortages) else EngineError
        kind = ConflictError if self._is_conflict(error) else short
        return kind(self._message(error, step, sql), step, sql)

    @contextmanager
    def serial(self) -> Iterator[None]:
        """Run the block on one thread, where the database and its threads are ours."""
        yield

    def _is_conflict(self, error: Exception) -> bool:
        """Whether another run took a name meanwhile."""
        return isinstance(error, self.conflicts)

    def _message(self, error: Exception, step: str, sql: str) -> str:
        return str(error).strip() if step == SETTINGS else self.message(error, sql)

    @contextmanager
    def transaction(
        self, keep: bool = True, published: Callable[[], bool] | None = None
    ) -> Iterator[None]:
        """Make the block's changes visible at once at its end, or undo them: also if not kept.

        Args:
            keep: whether it is to become visible.
            published: asks the database whether it is visible, if the commit fails.
        """
        end = "commit" if keep else "rollback"

        def finish() -> None:
            if keep:
                self.commit(lambda: self._drain(end), published)
            else:
                self.execute(end)

        with self.worker.all_or_nothing(finish, self._undo):
            self.execute(self.begin)
            yield

    def commit(
        self, use: Callable[[], object], published: Callable[[], bool] | None = None
    ) -> None:
        """Make what was done visible; nothing may interrupt it.

        Raises:
            EngineError: if it failed, and the database does not say that it is visible.
            OutcomeUnknownError: if the database cannot be asked.
        """
        try:
            self.call(use, "publishing")
        except ConflictError:  # it was undone
            raise
        except EngineError as error:
            found = None if published is None else self._asked(published)
            if published is not None and found is None:
                raise OutcomeUnknownError(str(error)) from None
            if not found:
                raise
            self.remark = f"{error}; but the database has the release: it was published"
        interrupts.too_late()
        if published is not None:
            interrupts.published()

    def _asked(self, question: Callable[[], bool]) -> bool | None:
        """The answer of the database, on another connection if this one is lost; None: unknown."""
        for prepare in (lambda: None, self.reconnect):
            try:
                self.worker.finish(prepare)
                return question()
            except (EngineError, self.failures):
                continue
        return None

    def reconnect(self) -> None:
        """Connect again, if the connection is lost, and wait for the end of what it began."""
        raise EngineError("there is no other connection")

    def refuse_namesakes(self) -> None:  # noqa: B027 - where names are found in one way only
        """Refuse the user's functions that would be called in a query of the user's.

        Raises:
            SpecError: if one has the name of a function by which a query's rows are counted.
        """

    @contextmanager
    def users_names(self) -> Iterator[None]:
        """Names are found as the user's session finds them, for as long as the block lasts."""
        self._search(users=True)
        try:
            yield
        except BaseException:
            with suppress(SqlanonError):  # a transaction that failed, or a lost connection
                self._search(users=False)
            raise
        self._search(users=False)

    def _undo(self) -> None:
        with suppress(self.failures):  # what failed may have ended it, or the connection
            self._drain("rollback")

    def _tell(self, seconds: float) -> None:
        if self.progress is not None:
            self.progress(self._fraction(), seconds)

    def _set(self, name: str, value: Setting) -> None:
        """Change a setting until the driver is closed."""
        try:
            before = self._setting(name)
            as_told = str(value).lower() if isinstance(value, bool) else value
            if before not in (value, as_told):
                self._change(name, value)
                self._before.setdefault(name, before)
        except EngineError as error:
            raise SpecError(f"{self.product} refuses the setting {name}: {error}") from None

    def _refuse_fixed(self, settings: Mapping[str, Setting]) -> None:
        fixed = {name.lower(): value for name, value in self.fixed.items()}
        for name, value in settings.items():
            if name.lower() in self.paths:
                raise SpecError(f"{name} is no setting of a run: put the schema before the names")
            if str(fixed.get(name.lower(), value)).lower() != str(value).lower():
                raise SpecError(
                    f"the setting {name} changes what the SQL of a run means: it is "
                    f"{fixed[name.lower()]!r} in every run, leave it out"
                )

    def give_back(self) -> None:
        """Put the settings of the caller's connection back: nothing is to be made any more."""
        if self.owned:
            return
        self._given_back = True
        with suppress(EngineError):  # it may be lost
            if self._guarded:
                self._search(users=True)
            self._restore_settings()

    @contextmanager
    def settled(self) -> Iterator[None]:
        """The fixed settings hold in the block, also on a connection that was given back."""
        if self._closed or not self._given_back or self._before:
            yield
            return
        try:
            self._look()
            for name, value in self._fixed_here().items():
                self._set(name, value)
            yield
        finally:
            with suppress(EngineError):
                self._restore_settings()

    def _restore_settings(self) -> None:
        while self._before:
            self._change(*self._before.popitem())

    def check_open(self) -> None:
        """Refuse to go on once a connection of ours is closed; the caller's stays open.

        Raises:
            EngineError: if it is.
        """
        if self._closed and self.owned:
            raise EngineError(CLOSED)

    def close(self) -> None:
        """Close the connection if it is ours, else give it back as it was; once is enough."""
        if self._closed:
            return
        self._closed = True
        with interrupts.held():
            try:
                if self.connection is None:
                    self._abandon()
                    return
                self.give_back()
                self._leave()
            finally:
                self.worker.close()
