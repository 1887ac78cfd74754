"""The facts of a source before its release is planned: columns and counts, no record.

Hierarchies in SQL must give a value the same group whenever they are asked.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlanon.clauses.clause import Use
from sqlanon.engines import Engine
from sqlanon.errors import EngineError, Problem, SpecError
from sqlanon.methods.method import Counts
from sqlanon.session import Session
from sqlanon.source.looks import renamed_remarks, text_remarks
from sqlanon.source.source import inspect_source
from sqlanon.spec import Column, QuasiIdentifier, Sensitive, Spec, SqlHierarchy, check_columns
from sqlanon.spec.refusals import refuse
from sqlanon.sql.names import Relation, Sql


@dataclass(frozen=True)
class SourceInfo:
    """The facts of a source that a plan needs before it is laid out: no record of it.

    Attributes:
        engine: where the source lies.
        source: its FROM item.
        columns: the declared columns, by name.
        quasi_identifiers: the quasi-identifiers among them.
        unreleased: the columns that have no role and so are not released.
        schema: a hash of the names and types of all its columns, in order.
        remarks: what is said of columns that are text because of how a file writes them, or have
            another name than in the file.
    """

    engine: Engine
    source: Relation | Sql
    columns: Mapping[str, Column]
    quasi_identifiers: tuple[str, ...]
    unreleased: tuple[str, ...]
    schema: str
    remarks: tuple[str, ...] = ()

    @classmethod
    def of(cls, spec: Spec, engine: Engine, source: Sql | None = None) -> SourceInfo:
        """Look at the source of a spec.

        Raises:
            SpecError: if the spec does not fit it.
        """
        refuse(spec, *_uses(spec, engine))
        found, everything = inspect_source(
            spec.source, engine, item=source, needed=spec.columns_read, may_be_empty=spec.counts
        )
        columns = check_columns(spec, everything)
        check_steady(spec, engine)
        _check_sorted(spec, columns, engine, found)
        if source is None and spec.source.table is not None:
            _check_read(spec, columns, engine)
        unreleased = tuple(column.name for column in everything if column.name not in columns)
        schema = digest([[column.name, column.type] for column in everything])
        remarks = text_remarks(spec, columns, engine, found) if source is None else ()
        remarks += renamed_remarks(spec, everything)
        quasi_identifiers = tuple(spec.quasi_identifiers)
        return cls(
            engine=engine,
            source=found,
            columns=columns,
            quasi_identifiers=quasi_identifiers,
            unreleased=unreleased,
            schema=schema,
            remarks=remarks,
        )

    @cached_property
    def counts(self) -> Counts:
        """How many records there are, and values of each quasi-identifier.

        This reads the source once more than a run does: a method that lays its steps along a curve
        must know these counts before there is a plan, and so before the records are read.
        """
        found = Session(self.engine).fetch(
            "source/distinct",
            {"source": self.source},
            {"columns": list(self.quasi_identifiers)},
            len(self.quasi_identifiers),
        )
        rows = found.dicts()
        distinct = {Sql(f"q{number}"): row["used"] for number, row in enumerate(rows, 1)}
        return Counts(rows[0]["records"], distinct)


def _check_sorted(
    spec: Spec, columns: Mapping[str, Column], engine: Engine, source: Relation | Sql
) -> None:
    """Refuse a column whose values have no order where a run sorts rows or tells them apart."""
    problems = []
    asked = [(role, name) for role, name in spec.roles() if role in ("insensitive", "key")]
    asked += [("person", name) for name in spec.person]
    asked += [("identifiers", name) for name, of in spec.identifiers.items() if not of.repeats]
    for role, name in asked:
        if columns[name].kind != "other":
            continue
        params = {"column": name, "compared": role == "person"}
        try:
            Session(engine).fetch("source/sorted", {"source": source}, params, 1)
        except EngineError:
            kind = columns[name].shown_type
            what = f"values of type {kind} have no order here: cast the column in a query"
            problems.append(Problem(f"{role}.{name}", what))
    if problems:
        raise SpecError(problems)


def _check_read(spec: Spec, columns: Mapping[str, Column], engine: Engine) -> None:
    """Refuse a column of a table that the database reads as other values than it holds."""
    relation = Relation.parse(spec.source.table or "")
    found = engine.misread(relation, list(columns.values()))
    if found:
        problems = [
            f"{engine.driver.product} would read {count:,} values of {name} as others: numbers as "
            "seconds since 1970, no time zone, no time of day in a date, and no part of a "
            "microsecond. Say in a query what they mean, and name that as the source"
            for name, count in found.items()
        ]
        raise SpecError([Problem("source", what) for what in problems])


def _uses(spec: Spec, engine: Engine) -> tuple[Use, ...]:
    """As what a run in a warehouse has a place in the table of refusals."""
    if not engine.is_warehouse:
        return ()
    elsewhere = spec.search == "local" and not spec.method.reads_records
    return (Use.WAREHOUSE if elsewhere else Use.WAREHOUSE_SEARCH,)


def check_steady(spec: Spec, engine: Engine) -> None:
    """Refuse a hierarchy that calls a function whose value may change, or that is not known.

    Raises:
        SpecError: with every such function, by name.
    """
    problems = [
        *_unsteady("quasi_identifiers", spec.quasi_identifiers, engine),
        *_unsteady("sensitive", spec.sensitive, engine),
    ]
    if problems:
        raise SpecError(problems)


def _unsteady(
    role: str, declared: Mapping[str, QuasiIdentifier | Sensitive], engine: Engine
) -> Iterator[Problem]:
    for column, settings in declared.items():
        if not isinstance(settings.hierarchy, SqlHierarchy):
            continue
        from sqlanon.sql.reading import functions_called  # which takes a while to load

        for number, text in enumerate(settings.hierarchy.sql, 1):
            where = f"{role}.{column}.hierarchy.sql"
            try:
                called = functions_called(text, engine.dialect)
            except ValueError as error:
                yield Problem(where, f"level {number}: {error}")
                continue
            for name in sorted(called - engine.steady_functions(called)):
                yield Problem(
                    where,
                    f"level {number}: {name} is not known to give the same value whenever it is "
                    "asked, and a hierarchy must: use case, substring, date_trunc and the like, or "
                    "list the groups in a file",
                )


def digest(value: Any) -> str:
    """SHA-256 of JSON with sorted keys and no spaces, in UTF-8."""
    return hashlib.sha256(_bytes(value)).hexdigest()


def salted(value: Any, salt: str) -> str:
    """HMAC-SHA-256 of the same under a salt: without it no guess of the value can be tried."""
    return hmac.new(salt.encode(), _bytes(value), hashlib.sha256).hexdigest()


def _bytes(value: Any) -> bytes:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return text.encode()
