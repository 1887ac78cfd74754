"""How each dialect writes the statements of a script around its SELECTs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlanon.engines import meaning
from sqlanon.plan import Materialization

_STAGED = (
    "Each of its statements commits by itself. The release is made and measured under other names",
    "(…__new) and takes the place of the older one at the end, table by table. A check that fails",
    "ends the script, if the client stops at an error: the older release stays as it was.",
)
_AS_NUMBER = "cast({message} as integer)"  # no function fails with a message: this cast does


@dataclass(frozen=True)
class Syntax:
    """How a dialect writes a script.

    Attributes:
        work_table: how a statement begins that makes a work table.
        work_view: the same of a work view.
        make: the same of what is published, before ``table`` or ``view``.
        drop_work: the statement that drops a work relation.
        work_path: where work relations stand, and no other of the same name.
        begin: the statements before the first step.
        commit: the statement after the last one.
        refuse: the expression that fails with a message.
        text: the type of text.
        folds: whether a refusal that is a constant fails before any row is looked for.
        staged: whether what is published is made under other names and swapped in at the end,
            because a statement commits by itself.
        untested: the product, where the script was never run on it.
        remarks: what the head of the script says.
    """

    work_table: str = "create or replace temporary table"
    work_view: str = "create or replace temporary view"
    make: str = "create or replace"
    drop_work: str = "drop {kind} if exists {name};"
    work_path: tuple[str, ...] = ()
    begin: tuple[str, ...] = ()
    commit: str | None = None
    refuse: str = "error({message})"
    text: str = "varchar"
    folds: bool = False
    staged: bool = False
    untested: str = ""
    remarks: tuple[str, ...] = ()

    def creating(self, how: Materialization) -> str:
        """How a statement begins that makes a relation."""
        work = {
            Materialization.WORK_TABLE: self.work_table,
            Materialization.WORK_VIEW: self.work_view,
        }
        return work.get(how) or f"{self.make} {how.value}"

    def dropping(self, how: Materialization, name: str) -> str:
        """The statement that drops a relation, if it is there."""
        kind = "view" if self.creating(how).endswith("view") else "table"
        drop = Syntax.drop_work if how.published else self.drop_work
        return drop.format(kind=kind, name=name)

    @property
    def drop_first(self) -> bool:
        """Whether what is replaced must be dropped before it can be made."""
        return "or replace" not in self.make

    @property
    def head(self) -> tuple[str, ...]:
        """What the head of the script says of the dialect."""
        if not self.untested:
            return self.remarks
        warning = f"This text was not run on {self.untested}: read it before you use it."
        return (warning, *self.remarks)


_SPARK = Syntax(refuse="raise_error({message})", text="string")
SYNTAX = {
    "duckdb": Syntax(
        work_path=("temp", "main"),
        begin=(
            "\n".join(f"set {name} = '{value}';" for name, value in meaning.DUCKDB.items()),
            "begin transaction;",
        ),
        commit="commit;",
    ),
    "postgres": Syntax(
        "create temporary table",
        "create temporary view",
        "create",
        "drop {kind} if exists {name} cascade;",
        ("pg_temp",),
        (
            "begin isolation level repeatable read;",
            "".join(f"set local {name} = '{value}';\n" for name, value in meaning.POSTGRES.items())
            + "set local client_min_messages = warning;\n"
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
    "redshift": Syntax(
        "create temporary table",
        "create temporary table",
        "create",
        begin=("begin;",),
        commit="commit;",
        refuse=_AS_NUMBER,
        folds=True,
        untested="Redshift",
    ),
    "snowflake": Syntax(
        refuse=_AS_NUMBER,
        folds=True,
        untested="Snowflake",
        remarks=(*_STAGED, "With snowsql: -o exit_on_error=true"),
        staged=True,
    ),
    "bigquery": Syntax(
        work_table="create or replace temp table",
        work_view="create or replace temp table",
        text="string",
        untested="BigQuery",
        remarks=_STAGED,
        staged=True,
    ),
    "trino": Syntax(
        work_table="create or replace table",
        work_view="create or replace view",
        refuse="fail({message})",
        untested="Trino",
        remarks=_STAGED,
        staged=True,
    ),
    "spark": replace(_SPARK, remarks=("Run it with: spark-sql -f FILE",)),
    "databricks": replace(
        _SPARK,
        work_table="create or replace temporary view",
        untested="Databricks",
        remarks=_STAGED,
        staged=True,
    ),
}
