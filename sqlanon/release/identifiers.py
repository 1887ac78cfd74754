"""Identifiers that repeat: then a record is not a person, unless the spec says that it is."""

from __future__ import annotations

from sqlanon.plan import Check, Step, work
from sqlanon.spec import Spec
from sqlanon.sql.names import Relation, Sql


def identifier_steps(spec: Spec, source: Relation | Sql) -> list[Step | Check]:
    """The steps that refuse an identifier which several records have in common.

    Exact, by one scan for each identifier. Missing values are no repetition.

    Args:
        spec: what is declared.
        source: the source's FROM item: identifiers are counted where they lie, and not copied.
    """
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
                {"identifier": name},
            ),
            Check(
                f"{name} names one record",
                "source/check_identifier",
                {"holders": holders},
                {},
                f"identifiers.{name}",
                "{used} values in {records} records: it repeats, so k records need not be k "
                "persons. If a record is about one person all the same, as where this is the name "
                f"of a hospital, say so: identifiers: {{{name}: {{repeats: true}}}}",
            ),
        ]
    return steps
