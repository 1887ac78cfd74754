"""Writing statements out as one SQL script instead of running them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import zip_longest

from sqlanon.plan import Check, How, StepRecord
from sqlanon.sql import identifier, literal, load_template

_CREATE = {
    How.WORK_TABLE: "create or replace temporary table",
    How.WORK_VIEW: "create or replace temporary view",
    How.TABLE: "create or replace table",
    How.VIEW: "create or replace view",
}


def script(statements: Iterable[StepRecord | Check], title: str, dialect: str = "duckdb") -> str:
    """Statements as one script that runs top to bottom, in one transaction.

    A check that fails raises an error, which aborts the transaction: the older release stays.

    Args:
        statements: what a session did, or what a plan without a search will do.
        title: the heading, as text of several lines.
        dialect: the dialect to write, in which the SELECTs are given.
    """
    parts = [_comment(title), "begin transaction;"]
    for number, one in enumerate(statements, 1):
        heading = _comment(f"{number}. {one.title}")
        if isinstance(one, Check):
            message = _message(one, dialect)
            parts.append(
                f"{heading}\nselect error({message}) as refused\nfrom (\n"
                f"{one.sql(dialect).strip()}\n) as found;"
            )
        else:
            select = one.sql.strip()
            parts.append(f"{heading}\n{_CREATE[one.how]} {one.relation.sql} as\n{select};")
    return "\n\n".join([*parts, "commit;"]) + "\n"


def _message(check: Check, dialect: str) -> str:
    """A check's message as an expression over the rows found, whose counts it says."""
    counts = "|".join(load_template(check.template, dialect).outputs)
    text = f"{check.where}: {check.message}".removeprefix(": ")
    parts = re.split(rf"\{{({counts})\}}", text)
    words = [literal(part) for part in parts[::2]]
    found = [f"coalesce(cast(found.{identifier(part)} as varchar), '')" for part in parts[1::2]]
    return " || ".join(part for pair in zip_longest(words, found) for part in pair if part)


def _comment(text: str) -> str:
    return "\n".join(f"-- {line}" for line in text.splitlines())
