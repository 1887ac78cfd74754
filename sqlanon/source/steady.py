"""Hierarchies in SQL must give a value the same group whenever they are asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.spec import QuasiIdentifier, Sensitive, Spec, SqlHierarchy


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
