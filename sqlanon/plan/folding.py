"""Steps folded into one SELECT, where a database is given a query and not a run: a CTE for each."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, fields

from sqlanon.plan.step import Check, Step, StepRecord
from sqlanon.sql.names import Query, Relation
from sqlanon.sql.templates import goes_over_lines, readable
from sqlanon.sql.written import Naming, Written, as_named


def needed(
    steps: Sequence[Step], wanted: Iterable[Relation], standing: Collection[Relation] = ()
) -> list[Step]:
    """The steps that some relations come of, in their order.

    Args:
        steps: a plan's steps.
        wanted: the relations.
        standing: relations that need not be made, as they are there.
    """
    missing = set(wanted) - set(standing)
    found = []
    for step in reversed(steps):
        if step.output in missing:
            found.append(step)
            missing |= {given for given in step.inputs.values() if isinstance(given, Relation)}
            missing -= {step.output, *standing}
    return found[::-1]


def folded(steps: Iterable[Step], naming: Naming) -> list[str]:
    """Each step, in order, as a CTE under the name by which its relation is called."""
    return [
        f"{naming(step.output).sql} as ({titled(step.title)}\n"
        f"{readable(step.sql('portable', naming))}\n)"
        for step in steps
    ]


def titled(title: str) -> str:
    """A title as a comment at the end of a line: it may name a column of several lines."""
    return f"  -- {' '.join(title.splitlines())}" if title else ""


@dataclass(frozen=True)
class _Checked(Check):
    """A check whose query has the steps that it alone reads as CTEs.

    Attributes:
        steps: those steps, in the order in which they read each other.
    """

    steps: tuple[Step, ...] = ()

    def sql(self, dialect: str = "duckdb", naming: Naming = as_named) -> str:
        """The SELECT that must return no row."""
        inner = {step.output for step in self.steps}
        called = _named_inside(inner, naming)
        return with_ctes(_ctes(self.steps, dialect, called), super().sql(dialect, called))


@dataclass(frozen=True)
class _WithCtes(Written):
    """A rendered SELECT that has the steps it reads as CTEs.

    Attributes:
        steps: those steps, in the order in which they read each other.
        written_for: the dialect that they are rendered in.
    """

    steps: tuple[Step, ...] = ()
    written_for: str = "duckdb"

    def sql(self, naming: Naming = as_named) -> str:
        """The SQL."""
        called = _named_inside({step.output for step in self.steps}, naming)
        return with_ctes(_ctes(self.steps, self.written_for, called), super().sql(called))


@dataclass(frozen=True)
class Standing(Step):
    """A view that stays over what does: its query has the steps that it reads as CTEs.

    Attributes:
        steps: those steps, in the order in which they read each other.
    """

    steps: tuple[Step, ...] = ()

    def written(self, dialect: str) -> Written:
        """The SELECT, for places that are known later."""
        own = super().written(dialect)
        return _WithCtes(own.parts, own.dialect, self.steps, dialect)


def inlined(
    steps: Sequence[Step | Check], dialect: str = "portable", naming: Naming = as_named
) -> list[StepRecord | Check]:
    """The statements of a plan without a search; a relation with one reader is a CTE of it.

    Args:
        steps: in order.
        dialect: the dialect to write.
        naming: by what name each relation is called that is no CTE.
    """
    made = {step.output: step for step in steps if isinstance(step, Step)}
    readers = Counter(read for step in steps for read in _relations(step))
    inner = {
        output
        for output, step in made.items()
        if readers[output] == 1
        and not step.how.published
        and not any(isinstance(read, Query) for read in step.inputs.values())
    }
    called = _named_inside(inner, naming)

    def within(reader: Step | Check) -> list[Step]:
        """The steps that are CTEs of a statement."""
        found = []
        for read in _relations(reader):
            if read in inner:
                found += [*within(made[read]), made[read]]
        return found

    statements: list[StepRecord | Check] = []
    for step in steps:
        if isinstance(step, Check):
            known = {each.name: getattr(step, each.name) for each in fields(step) if each.init}
            statements.append(_Checked(**known, steps=tuple(within(step))))
        elif step.output not in inner:
            sql = with_ctes(
                _ctes(within(step), dialect, called), readable(step.sql(dialect, called))
            )
            users = any(isinstance(read, Query) for read in step.inputs.values())
            statements.append(StepRecord(step.output, step.how, step.title, sql, 0.0, users=users))
    return statements


def _named_inside(inner: Collection[Relation], naming: Naming) -> Naming:
    """By what name each relation is called in a statement that has some as CTEs."""
    return lambda relation: Relation(relation.name) if relation in inner else naming(relation)


def _relations(step: Step | Check) -> list[Relation]:
    """The relations that a step or a check reads."""
    read = step.inputs.values()
    return list(dict.fromkeys(one for one in read if isinstance(one, Relation)))


def _ctes(steps: Sequence[Step], dialect: str, called: Naming) -> list[str]:
    """Each step as a CTE, with its title and nothing else about it."""
    return [
        f"{called(step.output).sql} as ({titled(step.title)}\n"
        f"{indented(_bare(step.sql(dialect, called)))}\n)"
        for step in steps
    ]


def _bare(select: str) -> str:
    """A SELECT without the comment above it."""
    return re.sub(r"\A(?:\s*--[^\n]*\n)+", "", select.strip())


def indented(select: str) -> str:
    """A SELECT further to the right, unless a text or a name in it goes over several lines."""
    lines = select.split("\n")
    if goes_over_lines(select) or any(line.count(text) % 2 for line in lines for text in "'\"`"):
        return select
    return "\n".join(f"    {line}" if line.strip() else line for line in lines)


def with_ctes(ctes: Sequence[str], select: str) -> str:
    """A SELECT that reads CTEs; it may have some of its own, which come after these."""
    if not ctes:
        return select
    bare = _bare(select)
    about = select.strip().removesuffix(bare)
    own = re.sub(r"\Awith\s+(?!recursive\b)", "", bare, flags=re.IGNORECASE)
    between = "\n" if own == bare else ",\n"
    joined = ",\n".join(ctes)
    return f"{about}with {joined}{between}{own}"
