"""Those who left: what a reader of both releases finds out of persons who are in the older alone.

Nothing holds them, since no class of the new release can change what the old one shows: it is
measured and said. The reader knows everybody's class, and the values of all who stayed.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlanon.plan import Step, work
from sqlanon.series.companions import Follows, groups_relation, own_values
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql

CERTAIN = 2  # with fewer values than this, one is certain


def departed_steps(follows: Follows, prefix: str) -> tuple[list[Step], list[dict[str, Any]]]:
    """The steps that count who left the releases that the spec names, and their values.

    Args:
        follows: how the release follows others.
        prefix: of the names of the relations.

    Returns:
        The steps, and what is to be measured of them.
    """
    steps: list[Step] = []
    groups = groups_relation(prefix)
    left: dict[int, Relation] = {}
    for one in follows.earlier:
        if one.named:
            left[one.place] = work(prefix, f"_departed_{one.place}")
            steps.append(
                Step(
                    f"who left since {one.release}",
                    left[one.place],
                    "series/departed",
                    {"members": one.members, "groups": groups},
                    {"place": one.place},
                )
            )
    found = [_measure("left_candidates", None, "persons", follows.spec.privacy.k, left)]
    for shown in follows.shown:
        values: dict[int, Relation] = {}
        for one in shown.earlier:
            if one.place in left and one.values is not None:
                values[one.place] = work(prefix, f"_departed_{one.place}_", shown.alias)
                steps.append(
                    Step(
                        f"values of {shown.attribute.name} of those who left since {one.release}",
                        values[one.place],
                        "series/departed_values",
                        {
                            "departed": left[one.place],
                            "kept_values": one.values,
                            "groups": groups,
                            "own_values": own_values(prefix, shown),
                        },
                        {"place": one.place, "name": one.attribute(shown.attribute.name)},
                    )
                )
        least = max(shown.least, CERTAIN)
        found.append(_measure("left_values", shown.attribute.name, "amount", least, values))
    return steps, [one for one in found if one["departed"]]


def _measure(
    measure: str, name: str | None, column: str, least: int, of: Mapping[int, Relation]
) -> dict[str, Any]:
    relations = list(of.values())
    return {
        "measure": measure,
        "name": name,
        "column": Sql(column),
        "least": least,
        "departed": relations,
    }
