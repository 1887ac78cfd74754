"""The texts of Snowflake's errors that may be shown: never with a value of the data."""

from __future__ import annotations

from sqlanon.engines.messages import Safe

_COMPILING = r"(SQL compilation error:( error line \d+ at position \d+)?\s*)?"
# By the error's number; a group that begins with `name` is shown where the statement holds it.
SAFE = (
    Safe(
        ("2003", "2043"),
        _COMPILING + r"(\w+ )?'(?P<name>[^']*)' does not exist or not authorized\.",
        "there is no object {name}, or the role may not use it",
    ),
    Safe(
        ("3001",),
        r"SQL access control error:\s*Insufficient privileges to operate on (?P<what>[a-z_ ]+) "
        r"'(?P<name>[^']*)'\.?.*",
        "the role lacks a right on the {what} {name}",
    ),
    Safe(
        ("904",), _COMPILING + r"invalid identifier '(?P<name>[^']*)'", "there is no column {name}"
    ),
    Safe(
        ("606",),
        r"No active warehouse selected in the current session\..*",
        "the session has no warehouse: name one in the address, with ?warehouse=NAME",
    ),
    Safe(("90105", "90106"), r"Cannot perform .*", "the session has no database and schema"),
    Safe(("390114", "390195"), r"Authentication token has expired\..*", "the session has expired"),
    Safe(("604",), r"SQL execution canceled.*", "the statement was canceled"),
    Safe(
        ("630", "631", "632"),
        r"Statement reached its statement or warehouse timeout .*",
        "the statement reached a timeout of the session or the warehouse",
    ),
    Safe(("100051",), r"Division by zero", "division by zero"),
    Safe(("250001", "250002", "250003", "250005", "251005"), r".*", "the connection is lost"),
)
