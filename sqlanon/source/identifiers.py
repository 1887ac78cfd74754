"""Identifiers: those that repeat, and those that are released as pseudonyms.

Where one repeats, a record is not a person, unless the spec says whom it is about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sqlanon.errors import Problem, as_key
from sqlanon.measure.insensitive import Released
from sqlanon.plan import Check, Step, work
from sqlanon.source.source import as_read
from sqlanon.spec import Column, Spec
from sqlanon.sql.names import Relation, Sql


def identifier_steps(
    spec: Spec, source: Relation | Sql, known: Mapping[str, Column]
) -> list[Step | Check]:
    """The steps that refuse an identifier which several records, or persons, have in common.

    Exact, by one scan for each identifier. Missing values are no repetition.

    Args:
        spec: what is declared.
        source: the source's FROM item: identifiers are counted where they lie, and not copied.
        known: its columns.
    """
    person = [
        as_read(spec, known[name], Sql(f"w{number}")) for number, name in enumerate(spec.person, 1)
    ]
    steps: list[Step | Check] = []
    for number, (name, declared) in enumerate(spec.identifiers.items(), 1):
        if declared.repeats:
            continue
        holders = work("holders_", number)
        steps += [
            Step(
                f"counting the values of {name}",
                holders,
                "source/holders",
                {"source": source},
                {"identifier": as_read(spec, known[name], Sql("value")), "person": person},
            ),
            Check(
                f"{name} names one {'person' if person else 'record'}",
                "source/check_identifier",
                {"holders": holders},
                {},
                f"identifiers.{name}",
                _shared(name) if person else _repeating(name),
            ),
        ]
    return steps


def _repeating(name: str) -> str:
    return (
        "{used} values in {holders} records: it repeats, so k records need not be k persons. Say "
        f"whom a record is about, and k, l and t count persons: person: {name}. If every record is "
        "about another person all the same, as where this is the name of a hospital, say so: "
        f"identifiers: {{{as_key(name)}: {{repeats: true}}}}"
    )


def _shared(name: str) -> str:
    return (
        "{used} values among {holders} persons: several persons share one, so perhaps person: does "
        "not name whom a record is about. If they are different persons all the same, say so: "
        f"identifiers: {{{as_key(name)}: {{repeats: true}}}}"
    )


def pseudonym_columns(spec: Spec, short: Mapping[str, str]) -> list[Released]:
    """The pseudonyms as columns that are released as they are read."""
    return [Released(Sql(short[name]), name, "text", made=True) for name in spec.pseudonyms]


def misfits(spec: Spec, columns: Mapping[str, Column]) -> Iterator[Problem]:
    """Identifiers whose text databases do not write alike."""
    for name in spec.pseudonyms:
        column = columns[name]
        if column.kind not in ("text", "label", "integer", "date"):
            yield Problem(
                f"identifiers.{name}.pseudonym",
                f"a pseudonym needs text, whole numbers or dates, the column is "
                f"{column.shown_type}: cast it to text in a query",
            )
