"""The settings that change what SQL means: the same in every run, and in every script."""

from __future__ import annotations

# A table keeps the order it is written in (Stack & Deal counts on it).
DUCKDB = {
    "preserve_insertion_order": "true",
    "default_order": "ASCENDING",
    "default_null_order": "NULLS_LAST",
    "default_collation": "",
    "TimeZone": "UTC",
    "Calendar": "gregorian",
    "integer_division": "false",
    "ieee_floating_point_ops": "true",
    "scalar_subquery_error_on_multiple_rows": "true",
    "order_by_non_integer_literal": "false",
}
# What not every version has, and the other name of one.
DUCKDB_OF_VERSIONS = {
    "null_order": "NULLS_LAST",
    "old_implicit_casting": "false",
    "error_on_division_by_zero": "true",
    "dialect_compatibility_mode": "NONE",
    "regex_match_operator_semantics": "partial",
}
# What the text of literals and of values hangs on.
POSTGRES = {
    "client_encoding": "UTF8",
    "standard_conforming_strings": "on",
    "datestyle": "ISO, YMD",
    "intervalstyle": "postgres",
    "timezone": "UTC",
    "extra_float_digits": "1",
    "bytea_output": "hex",
    "array_nulls": "on",
    "transform_null_equals": "off",
}
# Arithmetic that overflows is an error, a time of day reads the same everywhere, text is text.
SPARK = {
    "spark.sql.ansi.enabled": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.caseSensitive": "false",
    "spark.sql.storeAssignmentPolicy": "ANSI",
    "spark.sql.timestampType": "TIMESTAMP_LTZ",
    "spark.sql.legacy.timeParserPolicy": "CORRECTED",
    "spark.sql.legacy.ctePrecedencePolicy": "CORRECTED",
    "spark.sql.decimalOperations.allowPrecisionLoss": "true",
    "spark.sql.parser.escapedStringLiterals": "false",
    "spark.sql.ansi.doubleQuotedIdentifiers": "false",
    "spark.sql.variable.substitute": "false",
    "spark.sql.functionResolution.sessionOrder": "second",  # after Spark's own functions
}
