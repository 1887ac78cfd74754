"""Writing a plan out as one SQL script instead of running it."""

from __future__ import annotations

import re
from itertools import zip_longest

from sqlanon.errors import SpecError
from sqlanon.plan import Check, How, Plan, Step
from sqlanon.sql import identifier, literal, load_template, transpile

_CREATE = {
    How.WORK_TABLE: "create or replace temporary table",
    How.WORK_VIEW: "create or replace temporary view",
    How.TABLE: "create or replace table",
    How.VIEW: "create or replace view",
}


def script(plan: Plan, title: str, dialect: str = "duckdb") -> str:
    """The plan as one script that runs top to bottom, in one transaction.

    A check that fails raises an error, which aborts the transaction: the older release stays.

    Raises:
        SpecError: if the plan searches, so that its SQL depends on what the data answers.
    """
    parts = [_comment(title), "begin transaction;"]
    for number, step in enumerate(plan, 1):
        heading = _comment(f"{number}. {step.title}")
        if isinstance(step, Step):
            select = step.sql(dialect)
            select = select if dialect == "duckdb" else transpile(select, dialect)
            parts.append(f"{heading}\n{_CREATE[step.how]} {step.output.sql} as\n{select.strip()};")
        elif isinstance(step, Check):
            message = _message(step, dialect)
            parts.append(
                f"{heading}\nselect error({message}) as refused\nfrom (\n"
                f"{step.sql(dialect).strip()}\n) as found;"
            )
        else:
            raise SpecError(f"the step {step.title!r} searches: its SQL depends on the data")
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
