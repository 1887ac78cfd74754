"""The published rows, with the hidden columns of every record next to them: these are measured."""

from __future__ import annotations

from collections.abc import Sequence

from sqlanon.domains import follows, telling
from sqlanon.forms import PublishedColumn
from sqlanon.plan import Check, Step, fault
from sqlanon.publish.persons import BESIDE
from sqlanon.publish.publication import Grouped, ReleasedColumn
from sqlanon.sql import Relation


def hidden_step(grouped: Grouped, recoded: Relation, published: Sequence[PublishedColumn]) -> Step:
    """The step that writes down what is published with the hidden columns next to it."""
    following = tuple(one for one in grouped.hidden if follows(one))
    return Step(
        "the release with the hidden columns of its records",
        BESIDE,
        "hidden/beside",
        {"assigned": grouped.assigned, "recoded": recoded}
        | {f"domain_{one.alias}": one.domain for one in grouped.sensitive}
        | {f"profiles_{one.alias}": one.tuples for one in following if one.tuples is not None},
        {
            "published": tuple(published),
            "sensitive": grouped.sensitive,
            "insensitive": tuple(one.alias for one in grouped.kept),
            "domains": {str(one.alias): one.domain for one in grouped.sensitive},
            "hidden": tuple(one.alias for one in grouped.hidden if not follows(one)),
            "following": following,
        },
    )


def hidden_evidence(grouped: Grouped, columns: Sequence[ReleasedColumn]) -> list[Check]:
    """That it is measured on the very rows that are published, and is the source's."""
    domains = {str(one.alias): one.domain for one in grouped.sensitive}
    return [
        Check(
            "the run measures the rows that it releases",
            "persons/check_counted",
            {"release": grouped.release, "beside": BESIDE},
            {"columns": columns},
            "",
            "{differing} published tuples are not what the models were measured on: a fault "
            "of sqlanon's; nothing was published",
            fault,
        ),
        Check(
            "the hidden columns are those of the source",
            "hidden/check_belonging",
            {"coded": grouped.coded, "beside": BESIDE}
            | {f"domain_{alias}": at for alias, at in domains.items()},
            {
                "beside_codes": tuple(one.alias for one in grouped.hidden),
                "sensitive": tuple(one.alias for one in grouped.sensitive),
                "domains": domains,
                "telling": telling(grouped.sensitive),
            },
            "",
            "{differing} combinations of what is hidden and sensitive values are not the "
            "source's: a fault of sqlanon's, or the source changed during the run; nothing was "
            "published",
            fault,
        ),
    ]
