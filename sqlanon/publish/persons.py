"""The published rows with their persons: where persons are counted, they are counted here."""

from __future__ import annotations

from collections.abc import Sequence

from sqlanon.domains import telling
from sqlanon.forms import PublishedColumn
from sqlanon.plan import Check, Step, fault, work
from sqlanon.publish.ledger import Persons
from sqlanon.publish.publication import Grouped, ReleasedColumn
from sqlanon.sql import Relation

BESIDE = work("beside")


def beside_step(grouped: Grouped, recoded: Relation, published: Sequence[PublishedColumn]) -> Step:
    """The step that writes down the published rows with their persons."""
    domains = {str(one.alias): one.domain for one in grouped.sensitive}
    return Step(
        "the release with its persons",
        BESIDE,
        "persons/beside",
        {"assigned": grouped.assigned, "recoded": recoded}
        | {f"domain_{alias}": relation for alias, relation in domains.items()}
        | {f"profiles_{one.alias}": one.tuples for one in grouped.hidden if one.tuples},
        {
            "published": tuple(published),
            "sensitive": grouped.sensitive,
            "insensitive": tuple(one.alias for one in grouped.kept),
            "domains": domains,
            "following": grouped.hidden,
        },
    )


def evidence(grouped: Grouped, persons: Persons, columns: Sequence[ReleasedColumn]) -> list[Check]:
    """That persons are counted on the very rows that are published, and are the source's."""
    return [
        Check(
            "persons are counted on what is released",
            "persons/check_counted",
            {"release": grouped.release, "beside": BESIDE},
            {"columns": columns},
            "",
            "{differing} published tuples are not what the persons were counted on: a fault of "
            "sqlanon's; nothing was published",
            fault,
        ),
        Check(
            "every person has the source's values",
            "persons/check_belonging",
            {"records": grouped.records, "persons": persons.numbered, "beside": BESIDE},
            {
                "person": persons.columns,
                "sensitive": tuple(one.alias for one in grouped.sensitive),
                "telling": telling(grouped.sensitive),
                "some": grouped.suppression is not None,
            },
            "",
            "{differing} combinations of a person and sensitive values are not the source's: a "
            "fault of sqlanon's, or the source changed during the run; nothing was published",
            fault,
        ),
    ]
