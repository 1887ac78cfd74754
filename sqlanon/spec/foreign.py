"""Words that other tools, and people, use for what a spec calls otherwise."""

from __future__ import annotations

import re
from pathlib import Path

from sqlanon.clauses import allowing
from sqlanon.errors import as_key
from sqlanon.privacy.thresholds import fields_of, kinds_for_all

_HIDDEN = "did you mean quasi_identifiers, for the columns that may tell who a record is about?"
_SENSITIVE = "the columns to protect belong under sensitive, as `column: {t: 0.3}`"
_NAMING = "columns that name a person belong under identifiers: they are not released"
_SOURCE = "the records are named by source: a file, a table or a query"
_RELEASE = "the table to make is named by release, and what holds it by database"
_HIERARCHY = "a hierarchy is declared with its column: quasi_identifiers: {age: {hierarchy: …}}"
_SUPPRESSING = (
    f"no record is suppressed unless the spec allows it: {allowing()}, with a method that leaves "
    "records out"
)
_MODELS = tuple(name for per in kinds_for_all() for name in fields_of(per))
_PRIVACY = "the models belong under privacy: {k: 5, l: 3, t: 0.2}"

_ROLES = (
    "columns are listed by role: identifiers, quasi_identifiers, sensitive, insensitive; one "
    "without a role is not released"
)

# By the form of the key; the first that fits.
_SAID = (
    (r"suppress\w*|outliers?|max_?suppression|drop_?records?", _SUPPRESSING),
    (r"qis?|qids?|quasi_?ids?|quasi\w*|keys?_?(attributes|variables)|keyvars?", _HIDDEN),
    (r"sas?|sensitive_?\w+|confidential\w*|secrets?|targets?", _SENSITIVE),
    (r"identifying|direct_?\w*|drop(ped)?(_columns)?|remove|mask(ed)?|redact|exclude", _NAMING),
    (r"inputs?|data(set)?|file(name)?|path|tables?|query|csv|from", _SOURCE),
    (r"outputs?|name|to|dest(ination)?|target_?table|result|into", _RELEASE),
    (r"hierarch(y|ies)|generali[sz]ations?(_\w+)?|taxonom(y|ies)", _HIERARCHY),
    ("|".join((*_MODELS, r"models?|min_?(group|class)_?size")), _PRIVACY),
    (r"[klt]_?(anonymity|diversity|closeness)", _PRIVACY),
    (r"algorithm|strategy|approach", "how classes are formed is named by method"),
    (r"columns|attributes|fields", _ROLES),
    (r"engine|connection|db|url|dsn", "the database is named by database: a file or an address"),
    (
        r"epsilon|differential\w*",
        f"the models are {', '.join(_MODELS[:-1])} and {_MODELS[-1]}, no noise is added",
    ),
)
# By how a source's name ends.
_UNREAD = (
    (r"xls|xlsm|xlsb|ods", "such a workbook cannot be read: save it as .xlsx, or as a CSV file"),
    (
        r"duckdb|db|sqlite3?|mdb",
        "that is a database: name a table of it as the source, and it as the database",
    ),
    (
        r"avro|orc|feather|arrow|xml|sav|dta|sas7bdat|rds",
        "CSV, TSV, JSON, Excel and Parquet files are read: convert it, or read it by a query of "
        "the database's",
    ),
    (
        r"zip|bz2|xz|7z|rar|tar|tgz",
        "no archive and no such compression is read: unpack it, or compress the CSV file by gzip "
        "or zstd, as .csv.gz or .csv.zst",
    ),
)
_FILE = r"csv|tsv|txt|parquet|jsonl?|ndjson|xlsx|" + "|".join(form for form, _ in _UNREAD)


def said_of(key: str) -> str | None:
    """The advice for a key that a spec does not have, if it is a common word for another."""
    word = key.strip().lower().replace("-", "_").replace(" ", "_")
    return next((said for form, said in _SAID if re.fullmatch(form, word)), None)


def unread(source: str) -> str | None:
    """The advice for a file that cannot be a source, if a name is that of one."""
    ending = source.lower().rpartition(".")[2]
    return next((said for form, said in _UNREAD if re.fullmatch(form, ending)), None)


def no_table(name: str) -> str | None:
    """The advice for a name that is taken for that of a table, if it is a file's."""
    if unread(name) is None and Path(name).is_file():
        return f"a file has this name: if it is text, such as CSV, name it as './{name}'"
    if unread(name) is None and Path(name).is_dir():
        return f"a folder has this name: if its files are meant, say {{file: {as_key(name)}}}"
    return unread(name)


def is_file_name(release: str) -> bool:
    """Whether a name looks like that of a file to write, and not of a table."""
    return bool(re.search(rf"\w\.({_FILE})(\.gz)?$", release.lower()))
