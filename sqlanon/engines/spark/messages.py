"""The messages of Spark's errors that may be shown: never with a value of the data."""

from __future__ import annotations

import re

from pyspark.errors import AnalysisException, PySparkException

from sqlanon.engines.messages import is_known

# The message for each condition of an error, with the parameters that name objects.
_SAFE = {
    "TABLE_OR_VIEW_NOT_FOUND": "there is no table or view {relationName}",
    "TABLE_OR_VIEW_ALREADY_EXISTS": "the relation {relationName} exists already",
    "SCHEMA_NOT_FOUND": "there is no schema {schemaName}",
    "UNRESOLVED_COLUMN": "there is no column {objectName}",
    "AMBIGUOUS_REFERENCE": "the column {name} is ambiguous",
    "UNRESOLVED_ROUTINE": "there is no function {routineName}",
    "DATATYPE_MISMATCH": "an operand in {sqlExpr} has the wrong type: cast it",
    "MISSING_AGGREGATION": "the column {expression} must be grouped by, or aggregated",
    "PARSE_SYNTAX_ERROR": "syntax error at or near {error}",
    "PATH_NOT_FOUND": "there is no file {path}",
    "DIVIDE_BY_ZERO": "division by zero",
    "CANNOT_MODIFY_CONFIG": "the setting {key} cannot be changed",
    "INSUFFICIENT_PERMISSIONS": "a permission is missing",
}
_CONDITION = re.compile(r"[A-Z][A-Z0-9_.]*")


def condition_of(error: Exception) -> str | None:
    """The name of an error's condition, where Spark gives it one."""
    found = error.getCondition() if isinstance(error, PySparkException) else None
    return found if found and _CONDITION.fullmatch(found) else None


def safe_message(error: Exception, known: str) -> str | None:
    """The text that may be said of an error; None if its condition is not listed."""
    condition = condition_of(error)
    said = _SAFE.get((condition or "").partition(".")[0])
    if said is None or not isinstance(error, PySparkException):
        return None
    if "{" in said and not isinstance(error, AnalysisException):  # it met the data
        return None
    given = error.getMessageParameters() or {}

    def name(found: re.Match[str]) -> str:
        value = given.get(found[1], "").replace("`", "").strip("\"'")
        return value if is_known(value, known.replace("`", "")) else "…"

    return re.sub(r"\{(\w+)\}", name, said)
