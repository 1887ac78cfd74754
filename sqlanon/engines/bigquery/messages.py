"""The texts of BigQuery's errors that may be shown: never with a value of the data."""

from __future__ import annotations

from sqlanon.engines.messages import Safe

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
