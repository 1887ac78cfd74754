"""How each dialect writes the statements of a script around its SELECTs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlanon.plan import How

_NOT_ATOMIC = "Its statements stand alone: if a check fails, drop what was made until then."
_AS_NUMBER = "cast({message} as integer)"  # no function fails with a message: this cast does


@dataclass(frozen=True)
class Form:
    """How a dialect writes a script.

    Attributes:
        work_table: how a statement begins that makes a work table.
        work_view: the same of a work view.
        make: the same of what is published, before ``table`` or ``view``.
        drop_work: the statement that drops a work relation, and no other of the same name.
        begin: the statements before the first step.
        commit: the statement after the last one.
        refuse: the expression that fails with a message.
        text: the type of text.
        untested: the product, where the script was never run on it.
        remarks: what the head of the script says.
    """

    work_table: str = "create or replace temporary table"
    work_view: str = "create or replace temporary view"
    make: str = "create or replace"
    drop_work: str = "drop {kind} if exists {name};"
    begin: tuple[str, ...] = ()
    commit: str | None = None
    refuse: str = "error({message})"
    text: str = "varchar"
    untested: str = ""
    remarks: tuple[str, ...] = ()

    def creating(self, how: How) -> str:
        """How a statement begins that makes a relation."""
        work = {How.WORK_TABLE: self.work_table, How.WORK_VIEW: self.work_view}
        return work.get(how) or f"{self.make} {how.value}"

    def dropping(self, how: How, name: str) -> str:
        """The statement that drops a relation, if it is there."""
        kind = "view" if self.creating(how).endswith("view") else "table"
        drop = Form.drop_work if how.published else self.drop_work
        return drop.format(kind=kind, name=name)

    @property
    def head(self) -> tuple[str, ...]:
        """What the head of the script says of the dialect."""
        if not self.untested:
            return self.remarks
        warning = f"This text was not run on {self.untested}: read it before you use it."
        return (warning, *self.remarks)


_SPARK = Form(refuse="raise_error({message})", text="string")
FORMS = {
    "duckdb": Form(
        drop_work="drop {kind} if exists temp.{name};",
        begin=("begin transaction;",),
        commit="commit;",
    ),
    "postgres": Form(
        "create temporary table",
        "create temporary view",
        "create",
        "drop {kind} if exists pg_temp.{name} cascade;",
        (
            "begin isolation level repeatable read;",
            "set local client_encoding = 'UTF8';\n"
            "set local standard_conforming_strings = on;\n"
            "set local datestyle = 'ISO, YMD';\n"
            "set local extra_float_digits = 1;\n"
            "set local client_min_messages = warning;\n"
            "set local enable_nestloop = off;\n"
            "set local jit = off;",
            "-- What makes a check fail.\n"
            "create or replace function pg_temp.refuse(message text) returns void\n"
            "language plpgsql as 'begin raise exception using message = message; end';",
        ),
        "commit;",
        "pg_temp.refuse({message})",
        "text",
        remarks=("Run it with: psql -v ON_ERROR_STOP=1 -f FILE",),
    ),
    "redshift": Form(
        "create temporary table",
        "create temporary table",
        "create",
        begin=("begin;",),
        commit="commit;",
        refuse=_AS_NUMBER,
        untested="Redshift",
    ),
    "snowflake": Form(refuse=_AS_NUMBER, untested="Snowflake", remarks=(_NOT_ATOMIC,)),
    "bigquery": Form(
        work_table="create or replace temp table",
        work_view="create or replace temp table",
        text="string",
        untested="BigQuery",
        remarks=(_NOT_ATOMIC,),
    ),
    "trino": Form(
        work_table="create or replace table",
        work_view="create or replace view",
        refuse="fail({message})",
        untested="Trino",
        remarks=(_NOT_ATOMIC,),
    ),
    "spark": replace(_SPARK, remarks=("Run it with: spark-sql -f FILE",)),
    "databricks": replace(
        _SPARK,
        work_table="create or replace temporary view",
        untested="Databricks",
        remarks=(_NOT_ATOMIC,),
    ),
}
