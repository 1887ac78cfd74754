"""Writing statements out as one SQL script instead of running them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import TYPE_CHECKING

from sqlanon.engines.base import Engine
from sqlanon.errors import SpecError
from sqlanon.plan import Check, Materialization, StepRecord, blanks, indented
from sqlanon.plan.step import is_work
from sqlanon.scripts.dialects import SYNTAX
from sqlanon.scripts.syntax import HOLDS, RETIRED, Gate, Marks, Syntax
from sqlanon.sql.names import Relation, check_names, filled, literal, quoted
from sqlanon.sql.products import product_of
from sqlanon.sql.templates import load_template, readable
from sqlanon.sql.written import Naming, as_named

if TYPE_CHECKING:
    from sqlanon.scripts.staging import Staging

_GRAIN = re.compile(r"\A-- grain: ([^\n]*)\n")


def script_naming(dialect: str, engine: Engine) -> Naming:
    """By what name a script calls each relation.

    A work relation is called by its full name where there is one. So is what is published and read
    in the engine's own dialect; a DuckDB file may be renamed, and is no part of a name.
    """
    full = engine.qualified if dialect == engine.dialect != "duckdb" else as_named
    path = SYNTAX[dialect].work_path
    return lambda one: Relation(one.name, path) if is_work(one) else full(one)


def script(
    statements: Iterable[StepRecord | Check],
    title: str,
    dialect: str = "duckdb",
    marks: Marks | None = None,
    naming: Naming = as_named,
    reads: Sequence[Relation] = (),
) -> str:
    """Statements as one script that runs top to bottom, in one transaction where there are some.

    A check that fails raises an error, which ends the script: the older release stays, because the
    transaction is aborted, or because nothing was done to it yet.

    Args:
        statements: what a session did, or what a plan without a search will do.
        title: the heading, as text of several lines.
        dialect: the dialect to write, in which the SELECTs are given.
        marks: by which what is published is known, and what may be replaced.
        naming: by what name each relation is called; the SELECTs call them so.
        reads: the table that is read, if it is one.

    Raises:
        SpecError: if a name is longer than the dialect's databases keep.
    """
    syntax = SYNTAX[dialect]
    named = [
        replace(statement, relation=naming(statement.relation))
        if isinstance(statement, StepRecord)
        else statement
        for statement in statements
    ]
    gates = gated(named)
    writer = _Writer(syntax, dialect, naming)
    head = writer.comment("\n".join([title, *syntax.head]))
    own = syntax.own_parts(gates, writer, marks)
    if own is not None:
        return "\n\n".join([head, *own]) + "\n"
    made = [statement for statement in gates if isinstance(statement, StepRecord)]
    published = [step for step in made if step.how.published]
    names = [*(step.relation for step in published), *map(naming, reads)]
    parts = [head, *syntax.begin, *syntax.standing_in(names)]
    staging = _staging(syntax, dialect) if syntax.staged else None
    work: dict[Relation, StepRecord] = {}
    for number, statement in enumerate(gates, 1):
        if marks and published[:1] == [statement]:
            replaced = [*(record.relation for record in published), *marks.retired]
            refusing = [*syntax.foreign(marks, replaced)]
            parts += refusing
            parts += syntax.readers(marks.readers)
            if refusing:  # elsewhere nothing tells what is ours
                parts.append(f"-- {RETIRED}\n{writer.retiring(marks.retired)}")
        if syntax.drop_first and published[:1] == [statement]:
            parts.append("-- What this replaces.\n" + writer.dropping(published))
        if isinstance(statement, Gate):
            written = writer.refusing(statement, staging.query if staging else writer.query)
        else:
            record = staging.made(statement) if staging else statement
            if not record.how.published:
                work[record.relation] = record
            written = writer.making(record) + (marks.commenting(record, dialect) if marks else "")
            written = syntax.in_users_names(written) if statement.users else written
        parts.append(f"{writer.heading(number, statement)}\n{written}")
    if staging:
        parts += [f"-- {HOLDS}", *staging.publishing(marks)]
    if marks:
        withheld = [step.relation for step in published if step.relation not in marks.readers]
        parts += syntax.rights(withheld)
    parts.append("-- What was needed until here.\n" + writer.dropping(list(work.values())))
    text = "\n\n".join([*parts, *([syntax.commit] if syntax.commit else [])]) + "\n"
    try:
        check_names(text, dialect)
    except ValueError as error:
        raise SpecError(str(error)) from None
    return _in_capitals(text, dialect) if product_of(dialect).capitals else text


def gated(statements: Sequence[StepRecord | Check]) -> list[StepRecord | Gate]:
    """Statements with the checks at their end as one, which is the gate, and others by themselves.

    Args:
        statements: what is made and checked, in order.
    """
    found: list[StepRecord | Gate] = []
    last = max(
        (at for at, statement in enumerate(statements) if isinstance(statement, Check)), default=-1
    )
    first = last
    while first > 0 and isinstance(statements[first - 1], Check):
        first -= 1
    gate = [statement for statement in statements[first : last + 1] if isinstance(statement, Check)]
    for at, statement in enumerate(statements):
        if not isinstance(statement, Check):
            found.append(statement)
        elif at == last and len(gate) > 1:
            found.append(Gate("nothing is published unless all of this holds", tuple(gate)))
        elif at < first or last == first:
            found.append(Gate(statement.title, (statement,)))
    return found


def message(check: Check, dialect: str = "duckdb") -> str:
    """A check's message as an expression over the rows found, which are called ``found``."""
    return _Writer(SYNTAX[dialect], dialect, as_named).message(check)


def _in_capitals(text: str, dialect: str) -> str:
    from sqlanon.sql.dialects import in_capitals  # it reads SQL as a tree, which is slow to load

    return in_capitals(text, dialect)


def _staging(syntax: Syntax, dialect: str) -> Staging:
    from sqlanon.scripts.staging import Staging  # it reads SQL as a tree, which is slow to load

    return Staging(syntax, dialect)


class _Writer:
    """The statements of one dialect, one after the other."""

    def __init__(self, syntax: Syntax, dialect: str, naming: Naming) -> None:
        self.syntax, self.dialect, self.naming = syntax, dialect, naming
        self._shapes: dict[Relation, str] = {}

    def query(self, check: Check) -> str:
        """A check's query."""
        return check.sql(self.dialect, self.naming)

    def refusing(self, gate: Gate, query: Callable[[Check], str]) -> str:
        """A SELECT that fails with the messages of all checks whose queries find a row."""
        if len(gate.checks) == 1:
            (check,) = gate.checks
            refusal = self.syntax.refuse.format(message=self.message(check))
            found = readable(query(check), titled=True)
            return f"select {refusal} as refused\nfrom (\n{found}\n) as found;"
        promises = [self._promise(check, query(check)) for check in gate.checks]
        said = self.syntax.joined.format(text="broken.promise")
        # Databases may work out what is selected before HAVING leaves the row out.
        refusal = f"case when count(*) > 0 then {self.syntax.refuse.format(message=said)} end"
        return (
            f"select {refusal} as refused\nfrom (  "
            + indented("\nunion all".join(promises)).lstrip()
            + "\n) as broken\nhaving count(*) > 0;"
        )

    def _promise(self, check: Check, query: str) -> str:
        """A SELECT of the messages of a check; those that differ at their end alone are one."""
        texts, counts = _words(check)
        message, having = self.message(check), ""
        if len(counts) == 1 and not texts[-1]:
            ends = self.syntax.joined.format(text=self._count(counts[0]))
            message = f"{_literal(texts[0], self.dialect)} || {ends}"
            having = " having count(*) > 0"
        found = indented(readable(query, titled=True))
        return (
            f"  {self.comment(check.title)}\n"
            f"select {message} as promise\nfrom (\n{found}\n) as found{having}"
        )

    def making(self, record: StepRecord) -> str:
        """The statements that make the relation; a work table that is there is filled again."""
        select = readable(record.sql, titled=True)
        create = self.syntax.creating(record.how)
        name = quoted(record.relation, self.dialect)
        creating = f"{create} {name} as"
        if record.how.published or "or replace" in create:
            return f"{creating}\n{select};"
        before, shape = self._shapes.get(record.relation), re.sub(r"\d+", "0", select)
        self._shapes[record.relation] = shape
        making, there = [creating, f"{select};"], before is not None
        return "\n".join(self.syntax.again(record.how, name, making, there, before == shape))

    def comment(self, text: str) -> str:
        """Text as a comment."""
        return "\n".join(f"-- {line}" for line in text.splitlines())

    def heading(self, number: int, statement: StepRecord | Gate) -> str:
        """The comment above a statement: what it is for, and what a row of its relation is."""
        grain = None if isinstance(statement, Gate) else _GRAIN.search(readable(statement.sql))
        return self.comment(f"{number}. {statement.title}" + (f": {grain[1]}" if grain else ""))

    def dropping(self, records: Sequence[StepRecord]) -> str:
        """The statements that drop the relations; readers of a relation go before it."""
        drops = (
            self.syntax.dropping(step.how, quoted(step.relation, self.dialect))
            for step in reversed(records)
        )
        return filled("\n".join(drops))

    def retiring(self, relations: Sequence[Relation]) -> str:
        """The statements that drop the tables of an older release, where they are there."""
        names = (quoted(relation, self.dialect) for relation in relations)
        return filled(
            "\n".join(self.syntax.dropping(Materialization.TABLE, name) for name in names)
        )

    def message(self, check: Check) -> str:
        """A check's message as an expression over the rows found, whose counts it says."""
        texts, counts = _words(check)
        words = [_literal(text, self.dialect) if text else "" for text in texts]
        found = [self._count(name) for name in counts]
        if self.syntax.folds and not found:
            # A constant is cast before any row is looked for: make it depend on the row.
            one = quoted(
                Relation(load_template(check.template, self.dialect).outputs[0]), self.dialect
            )
            found.append(f"coalesce(left(cast(found.{one} as {self.syntax.text}), 0), '')")
        return " || ".join(part for pair in zip_longest(words, found) for part in pair if part)

    def _count(self, name: str) -> str:
        """A count of a row that a check found, as text."""
        column = quoted(Relation(name), self.dialect)
        return f"coalesce(cast(found.{column} as {self.syntax.text}), '')"


def _words(check: Check) -> tuple[list[str], list[str]]:
    """The texts of a check's message, its place in the spec first, and what fills their blanks."""
    return blanks(f"{check.where}: {check.message}".removeprefix(": "))


def _literal(text: str, dialect: str) -> str:
    if not product_of(dialect).backslashes:
        return literal(text)
    from sqlanon.sql.dialects import text_literal

    return text_literal(text, dialect)
