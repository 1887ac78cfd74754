"""The shapes of values: patterns matched in the database, which tells only how many fit."""

from __future__ import annotations

from fractions import Fraction

# By name, in a form that DuckDB, PostgreSQL and Spark read alike: no backslash, no look-around.
SHAPES: dict[str, str] = {
    "email": "^[^@ ]+@[^@ ]+[.][A-Za-z]{2,}$",
    "url": "^(https?|ftp)://",
    "ip": "^[0-9]{1,3}([.][0-9]{1,3}){3}$",
    "uuid": "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
    "iban": "^[A-Z]{2}[0-9]{2} ?[0-9A-Z]{4}( ?[0-9A-Z]{1,4}){2,7}$",
    "ssn": "^[0-9]{3}-[0-9]{2}-[0-9]{4}$",
    "iso_date": "^[0-9]{4}[-/.][0-9]{2}([-/.][0-9]{2}([ T].*)?)?$",
    "date": "^([0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}([ T].*)?|[0-9]{1,2}[-/.][0-9]{1,2}[-/.]"
    "([0-9]{2}|[0-9]{4}))$",
    "phone": "^([+]|00)[0-9][0-9 ()/.-]{6,18}$|^[(]?[0-9]{2,5}[)]?[ /.-][0-9 /.-]{5,14}$",
    "postcode": "^[0-9]{5}(-[0-9]{4})?$|^[A-Z]{1,2}[0-9][0-9A-Z]? [0-9][A-Z]{2}$",
    "icd": "^[A-TV-Z][0-9][0-9AB]([.]?[0-9A-Z]{1,4})?$",
}
# The share of a column's records that must have a shape: a few may be mistyped.
MOST = Fraction(9, 10)
# Values that look like ICD codes are codes only if there are so many of them.
LEAST_CODES = 20
DATES = ("iso_date", "date")
DIRECT = ("email", "url", "ip", "uuid", "iban", "ssn", "phone")
SAYS = {
    "email": "e-mail addresses",
    "url": "web addresses",
    "ip": "network addresses",
    "uuid": "UUIDs",
    "iban": "IBANs",
    "ssn": "social security numbers",
    "iso_date": "dates as text",
    "date": "dates as text",
    "phone": "phone numbers",
    "postcode": "postcodes",
    "icd": "ICD codes",
}
