"""A connection to BigQuery, through google-cloud-bigquery."""

from __future__ import annotations

import io
import re
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import unquote, urlsplit

import pyarrow.parquet
from google.api_core import exceptions
from google.auth.exceptions import GoogleAuthError, TransportError
from google.cloud import bigquery
from requests.exceptions import RequestException

from sqlanon.common.interrupts import raised
from sqlanon.engines.driver import SETTINGS, Setting
from sqlanon.engines.messages import Safe, safe_text
from sqlanon.engines.warehouse.driver import WarehouseDriver, silenced
from sqlanon.engines.worker import Result
from sqlanon.errors import EngineError, Problem, SpecError
from sqlanon.plan import Rows
from sqlanon.sql.names import Relation
from sqlanon.sql.products import PRODUCTS

_TABLE = r"(?P<name_of_project>[\w.:-]+?)[:.](?P<name_of_dataset>\w+)\.(?P<name>[^\s:]+)"
_DATASET = r"(?P<name_of_project>[\w.:-]+?)[:.](?P<name>\w+)"
_GONE = r"Not found: [Dd]ataset[: ]" + _DATASET
_WHERE = r"( was not found in location [\w-]+)?\.?"
_LACKS = "the user lacks the right {right} on {name}"
# By the error's reason; a group that begins with `name` is shown where the statement holds it.
SAFE = (
    Safe(("notFound",), rf"Not found: [Tt]able[: ]{_TABLE}{_WHERE}", "there is no table {name}"),
    Safe(("notFound",), rf"{_GONE}{_WHERE}", "there is no data set {name}"),
    Safe(
        ("accessDenied",),
        rf"Access Denied: Table {_TABLE}: Permission (?P<right>bigquery\.[\w.]+) denied.*",
        _LACKS,
    ),
    Safe(
        ("accessDenied",),
        rf"Access Denied: Dataset {_DATASET}: Permission (?P<right>bigquery\.[\w.]+) denied.*",
        _LACKS,
    ),
    Safe(
        ("accessDenied",),
        r"Access Denied: Project (?P<name>[\w.:-]+): User does not have "
        r"(?P<right>bigquery\.[\w.]+) permission in project .*",
        _LACKS,
    ),
    Safe(
        ("accessDenied",),
        rf"Access Denied: Table {_TABLE}: User does not have permission to query table .*",
        "the user may not read {name}, or it is not there",
    ),
    Safe(("accessDenied",), r"Access Denied: .*", "the user lacks a right that this needs"),
    Safe(
        ("invalidQuery",),
        r"Unrecognized name: `?(?P<name>[^;`\s]+)`?(; Did you mean [^?]*\?)? at \[\d+:\d+\]",
        "there is no column {name}",
    ),
    Safe(("invalidQuery",), r"division by zero: .*", "division by zero"),
    Safe(
        ("invalid",),  # also of a query
        r"Cannot replace a table with a different (partitioning|clustering) spec\..*",
        "the older table is partitioned or clustered: drop it first",
    ),
    Safe(
        ("invalid",),
        r"The query is too large\..*",
        "the statement is longer than the product takes: a megabyte",
    ),
    Safe(("duplicate",), r"Already Exists: .*", "the name is taken"),
    Safe(
        ("bytesBilledLimitExceeded",),
        r".*",
        "the statement would read more than the setting maximum_bytes_billed allows",
    ),
    Safe(("quotaExceeded", "rateLimitExceeded"), r".*", "a quota of the project is used up"),
    Safe(
        ("resourcesExceeded", "billingTierLimitExceeded"),
        r".*",
        "the statement reached a limit of memory or of time",
    ),
    Safe(("responseTooLarge",), r".*", "the statement yields too much to fetch"),
    Safe(("stopped", "timeout"), r".*", "the statement was canceled"),
    Safe(("login",), r".*", "the credentials are refused: log in again"),
    Safe(("lost", "backendError", "internalError"), r".*", "the connection is lost"),
)


_LOGGERS = ("google", "requests", "urllib3")
_KEPT_MS = 24 * 60 * 60 * 1000  # how long a work table stays that nobody drops
_OPTIONS = ("job_timeout_ms", "maximum_bytes_billed", "priority")  # settings that a user may give


class BigQueryDriver(WarehouseDriver):
    """A client of BigQuery, and a hidden data set of its own for work tables.

    The service has no sessions unless they are asked for, so every statement is a job by itself.

    Attributes:
        work: the data set of the work tables, which is made before the first one.
        retry: for how long a call is tried again that finds nobody; a statement may take hours.
    """

    product = "BigQuery"
    failures = exceptions.GoogleAPIError
    fixed = PRODUCTS["bigquery"].settings
    work: Relation
    retry: ClassVar[Any] = bigquery.DEFAULT_RETRY.with_timeout(60)  # seconds
    _address: tuple[str, str] | None = None  # of a connection of our own
    _location: str  # of the data set: a job runs in one location, and reads nothing of another
    _settings: dict[str, Setting]  # that are sent with each statement
    _has_work = False
    _running = _ended = ""  # the job of the last statement, and of the last that was broken off

    def _open(self, database: str | Path | None, settings: dict[str, Setting]) -> Any:
        address = str(database)
        self._address = path_of(address)
        try:
            with raised(), silenced(*_LOGGERS):
                return self._connect()
        except exceptions.GoogleAPICallError as error:
            raise self._unopened(address, EngineError(error.message)) from None

    def _connect(self) -> Any:
        with _known():
            return bigquery.Client(project=self._address[0] if self._address else None)

    def _ready(self) -> str:
        self._settings = {}
        path = self._address or _default_path(self.connection)
        self.path, self._names = path, " ".join(path)
        self.work = Relation(f"_sqlanon_{uuid.uuid4().hex}", path[:1])

        data_set = ".".join(path)
        found = self.call(lambda: self.look("get_dataset", data_set), sql=data_set)
        self._location = str(found.location)
        return f"(google-cloud-bigquery {bigquery.__version__})"

    def _setting(self, name: str) -> Any:
        return self._settings.get(name)

    def _change(self, name: str, value: Any) -> None:
        if name not in (*self.fixed, *_OPTIONS):
            raise SpecError(f"BigQuery has no setting {name!r}: {', '.join(_OPTIONS)}")
        if value is None:
            self._settings.pop(name, None)
            return
        try:
            bigquery.QueryJobConfig(**{name: value} if name in _OPTIONS else {})
        except ValueError:
            what = f"BigQuery refuses the setting {name}: it takes a whole number"
            raise SpecError(what) from None
        self._settings[name] = value
        if name not in self.fixed:
            self.execute("select 1 as one", SETTINGS)

    def call(self, use: Callable[[], Result], step: str = "", sql: str = "") -> Result:
        """Use the client in the worker; its loggers are silenced meanwhile."""
        with silenced(*_LOGGERS):
            return super().call(use, step, sql)

    def ask(self, sql: str, bare: bool = True) -> Rows:
        """All that a statement yields, within the worker.

        Args:
            sql: the statement.
            bare: whether it may name relations of the session's data set without it.
        """
        with _known():
            found = self._job(sql, bare=bare).result(retry=self.retry, job_retry=None)
            return Rows(
                tuple(one.name for one in found.schema), [tuple(row.values()) for row in found]
            )

    def say(self, sql: str) -> None:
        """Run a statement that yields nothing, within the worker."""
        with _known():
            self._job(sql).result(retry=self.retry, job_retry=None)

    def make(self, sql: str, step: str = "") -> None:
        """Run a statement that yields nothing; the first is preceded by the data set it fills."""
        self.call(self._make_work, step)
        super().make(sql, step)

    def look(self, method: str, name: str) -> Any:
        """The answer of a method of the client to a name, within the worker; it costs no query."""
        with _known():
            return getattr(self.connection, method)(name, retry=self.retry)

    def describe(self, sql: str) -> list[Any]:
        """The columns that a SELECT yields, within the worker; it is not run."""
        with _known():
            return list(self._job(sql, dry_run=True).schema)

    def send(self, table: Relation, frame: Any) -> None:
        """Send an Arrow table to a table of its columns, within the worker; no file holds it."""
        held = io.BytesIO()
        pyarrow.parquet.write_table(frame, held)
        config = bigquery.LoadJobConfig(
            source_format=bigquery.SourceFormat.PARQUET,
            write_disposition=bigquery.WriteDisposition.WRITE_APPEND,
        )
        self._running = _job_id()
        with _known():
            self.connection.load_table_from_file(
                held,
                id_of(table),
                rewind=True,
                job_id=self._running,
                location=self._location,
                job_config=config,
            ).result(retry=self.retry)

    def drop_work(self) -> None:
        """Drop the data set of the work tables with all in it, within the worker."""
        if self._has_work:
            everything = {"delete_contents": True, "not_found_ok": True}
            with _known():
                self.connection.delete_dataset(id_of(self.work), **everything, retry=self.retry)
            self._has_work = False

    def _make_work(self) -> None:
        """Make it for the user alone; its tables expire, if the run is cut off."""
        if self._has_work:
            return
        ((user,),) = self.ask("select session_user() as name").rows
        kind = "userByEmail" if "@" in user and "/" not in user else "iamMember"
        data_set = bigquery.Dataset(id_of(self.work))
        data_set.location = self._location
        data_set.default_table_expiration_ms = _KEPT_MS
        data_set.access_entries = [bigquery.AccessEntry("OWNER", kind, user)]
        data_set.description = "Work tables of a run of sqlanon: dropped at its end"
        with _known():
            self.connection.create_dataset(data_set, exists_ok=True, retry=self.retry)
        self._has_work = True

    def _job(self, sql: str, dry_run: bool = False, bare: bool = True) -> Any:
        """A job of a statement, which has an id by which another connection can end it."""
        self._running = _job_id()
        where = {"location": self._location, "retry": self.retry}
        options = {
            option: self._settings[option] for option in _OPTIONS if option in self._settings
        }
        options |= {"default_dataset": ".".join(self.path)} if bare else {}
        config = bigquery.QueryJobConfig(
            dry_run=dry_run,
            connection_properties=[
                bigquery.ConnectionProperty(name, str(self._settings.get(name, value)))
                for name, value in self.fixed.items()
            ],
            **options,
        )
        try:
            return self.connection.query(
                sql, job_config=config, job_id=self._running, job_retry=None, **where
            )
        except exceptions.Conflict:  # it was sent twice, since the first answer was lost
            return self.connection.get_job(self._running, **where)

    def _interrupt(self) -> None:
        """End what is running, once the service knows of it."""
        if self._running != self._ended:
            running = self._running
            with suppress(exceptions.GoogleAPIError), _known(), silenced(*_LOGGERS):
                self.connection.cancel_job(running, location=self._location, retry=None)
                self._ended = running

    def _cancel(self, lost: Any) -> None:
        """End the last statement, and wait for that: it would go on without its connection."""
        with suppress(exceptions.NotFound), _known():  # it has never begun
            job = self.connection.cancel_job(
                self._running, location=self._location, retry=self.retry
            )
            with suppress(exceptions.GoogleAPICallError):  # it has failed, as it should
                job.result(retry=self.retry, timeout=self.retry.timeout)

    def _is_conflict(self, error: Exception) -> bool:
        return self._reason(error) == "duplicate"

    def _leave(self) -> None:
        with suppress(exceptions.GoogleAPIError), silenced(*_LOGGERS):  # it expires by itself
            self.drop_work()
        super()._leave()

    def _safe(self, error: Exception, known: str) -> str | None:
        found = (getattr(error, "errors", None) or [{}])[0]
        text = str(found.get("message") or getattr(error, "message", None) or error)
        return safe_text(text, self._reason(error), SAFE, known)

    def _kind(self, error: Exception, known: str) -> str:
        reason = self._reason(error)
        return f"error {reason}" if re.fullmatch(r"\w+", reason) else "error"

    def _reason(self, error: Exception) -> str:
        """The reason of an error, as the service calls it; one of the connection has none."""
        if isinstance(error, exceptions.Unauthorized):
            return "login"
        if isinstance(error, (exceptions.ServiceUnavailable, exceptions.RetryError)):
            return "lost"
        found = getattr(error, "errors", None) or [{}]
        return str(found[0].get("reason") or getattr(error, "code", None) or "")


@contextmanager
def _known() -> Iterator[None]:
    """An error of a library under the client becomes one of the client's."""
    try:
        yield
    except (TransportError, RequestException, TimeoutError) as error:
        raise exceptions.ServiceUnavailable(str(error)) from None
    except GoogleAuthError as error:
        # Behind its text is the cause, which may quote the file of the credentials.
        raise exceptions.Unauthorized(str(error.args[0] if error.args else error)) from None


def _default_path(client: Any) -> tuple[str, str]:
    """The project and the data set that a client of the caller's means by a bare name.

    Raises:
        SpecError: if it has none.
    """
    config = client.default_query_job_config
    found = None if config is None else config.default_dataset
    if found is None:
        what = "the client has no data set: make it with default_query_job_config="
        raise SpecError(f"{what}QueryJobConfig(default_dataset='acme-research.patients')")
    return str(found.project), str(found.dataset_id)


def id_of(relation: Relation) -> str:
    """The name of a table or a data set, as the API takes it."""
    return ".".join((*relation.path, relation.name))


def _job_id() -> str:
    return f"sqlanon_{uuid.uuid4()}"


_FORM = "bigquery://PROJECT/DATASET"
_LOGIN = "it has no user: log in by `gcloud auth application-default login`"


def path_of(address: str) -> tuple[str, str]:
    """The project that runs and pays for the statements, and the data set of bare names.

    Args:
        address: ``bigquery://acme-research/patients``.

    Raises:
        SpecError: if it cannot be read, or says what it must not.
    """
    wrong = f"an address of BigQuery is {_FORM}"
    try:
        parts = urlsplit(address)
    except ValueError:
        raise SpecError(Problem("database", wrong)) from None
    project, path = unquote(parts.netloc), parts.path.strip("/")
    if "@" in parts.netloc:
        raise SpecError(Problem("database", f"{wrong}; {_LOGIN}"))
    named = re.fullmatch(r"[\w.:-]+", project) and re.fullmatch(r"\w+", path)
    if not named or parts.query or parts.fragment:
        raise SpecError(Problem("database", wrong))
    return project, path
