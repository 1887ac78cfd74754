"""The gate of linked releases: k, l and what else is asked, among persons alike in the join.

Readers who join the releases by a pseudonym see of everybody in which class of each he or she is,
and in which he or she has no row. They also see which sensitive values each class shows. Persons
who agree in all of that but the values are a group.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from sqlanon.clauses import allowing
from sqlanon.clauses.series.companions import Shown, holding
from sqlanon.clauses.series.linked import SHORT, Linked, named_check, named_step
from sqlanon.domains.attribute import SensitiveAttribute
from sqlanon.errors import InfeasibleError, Shortfall, SqlanonError
from sqlanon.measure.asked import Asked
from sqlanon.plan import FOUND, Check, Found, Step, infeasible, work
from sqlanon.source.source import RECORDS
from sqlanon.sql.names import Relation

_SHORT = (
    f"{FOUND.persons} persons cannot be published. Readers who join the releases see who has a row "
    f"here. {FOUND.groups} groups that shared their classes have too few persons with a row or "
    "without one, or too few sensitive values. Give everybody a row (by a left join in the "
    f"query, NULL where there is nothing to say), let these be left out ({allowing()}), or lower k "
    "or l"
)


def before_steps(linked: Linked, k: int, grouped: Relation) -> list[Step | Check]:
    """The steps that find who cannot be published, before there are classes.

    Args:
        linked: by what readers join.
        k: how many persons must be alike.
        grouped: the group of equal history that each person is in.
    """
    here = work("linked_here")
    steps: list[Step | Check] = [
        Step(
            "who is here, by what readers know them again",
            here,
            "clauses/series/linked/here",
            {"records": RECORDS},
            {"alias": linked.alias},
        )
    ]
    grouping, groups, within = _group_steps(linked, "linked_before", here)
    attributes = _attributes(linked, ())
    counting = _amount_steps(attributes, "linked_before", within)
    short = Step(
        "who would be found by the join",
        SHORT,
        "clauses/series/linked/short",
        {
            "groups": groups,
            "linked_grouped": within,
            "records": RECORDS,
            "grouped": grouped,
            **_amounts(attributes),
        },
        {
            "indexes": _indexes(linked),
            "k": k,
            "attributes": attributes,
            "wholes": tuple(dict.fromkeys(entry["index"] for entry in _wholes(linked))),
            "alias": linked.alias,
            "person": tuple(entry["alias"] for entry in linked.person),
        },
    )
    return [*steps, *grouping, *counting, short]


def nobody_short(grouped: Relation) -> Check:
    """The check that nobody has to be left out because of the join."""
    return Check(
        "nobody would be found by the join",
        "clauses/series/linked/check_short",
        {"short": SHORT, "grouped": grouped},
        {},
        "series.joined",
        _SHORT,
        infeasible,
    )


def joined_steps(
    linked: Linked,
    release: Relation,
    members: Relation,
    cells: Sequence[str],
    shown: Sequence[Shown],
    asked: Mapping[int, Asked],
    k: int,
) -> tuple[list[Step | Check], Relation]:
    """The steps that measure the join of what is published, and refuse what does not hold there.

    Args:
        linked: by what readers join.
        release: the release.
        members: in which class each person is.
        cells: its columns that stand for quasi-identifiers.
        shown: its sensitive attributes.
        asked: what else is asked of it, by its number among the requirements.
        k: how many persons must be alike.

    Returns:
        The steps, and what was measured, for the gate.
    """
    name, here, output = str(linked.joined), work("linked_named_0"), work("linked_measures")
    grouping, groups, within = _group_steps(linked, "linked", here)
    attributes = _attributes(linked, shown, release)

    def counting(attribute: SensitiveAttribute, output: Relation) -> Step:
        return Step(
            f"values of {attribute.name} among persons who are alike",
            output,
            "clauses/series/linked/class_values",
            {"released": release, "grouped": within, "positions": attribute.positions},
            {"name": name, "attribute": attribute.name, "tie_breaker": attribute.tie_breaker},
        )

    held = holding("linked", groups, counting, asked, "joined", absent=True) if asked else None
    steps: list[Step | Check] = [
        named_step(release, name, cells, here),
        named_check(release, name, here, members),
        *grouping,
        *_amount_steps(attributes, "linked", within),
        *(held.steps if held else ()),
        Step(
            "what joining the rows of all releases leaves",
            output,
            "clauses/series/linked/measures",
            {"groups": groups, **_amounts(attributes), **({"held": held.measures} if held else {})},
            {"k": k, "attributes": attributes, "wholes": _wholes(linked)},
        ),
    ]
    return steps, output


def _indexes(linked: Linked) -> tuple[int, ...]:
    return (0, *(link.kept.index for link, _ in linked.named))


def _wholes(linked: Linked) -> list[dict[str, Any]]:
    """The attributes of which more was asked than l, and the releases whose join was held to it.

    It goes on to hold where persons who are alike in these are alike in all.
    """
    found = []
    for link, _ in linked.named:
        followed = set(link.kept.after.values())
        known = [one.kept.index for one, _ in linked.named if one.kept.number in followed]
        found += [
            {
                "index": link.kept.index,
                "shown": f"{attribute.name} in {link.kept.release}",
                "known": (link.kept.index, *known),
            }
            for attribute in link.sensitive
            if attribute.more
        ]
    return found


def _group_steps(
    linked: Linked, prefix: str, here: Relation
) -> tuple[list[Step | Check], Relation, Relation]:
    histories, groups, grouped = (
        work(prefix, f"_{part}") for part in ("histories", "groups", "grouped")
    )
    named = {0: here} | {link.kept.index: link.named for link, _ in linked.named}
    indexes = _indexes(linked)
    steps: list[Step | Check] = [
        Step(
            "in which class of every release readers find each person",
            histories,
            "clauses/series/linked/histories",
            {f"named_{index}": relation for index, relation in named.items()},
            {"releases": [{"index": index, "named": named[index]} for index in indexes]},
        ),
        Step(
            "persons who are alike in the join",
            groups,
            "clauses/series/groups",
            {"histories": histories},
            {"indexes": indexes},
        ),
        Step(
            "which of them each person is of",
            grouped,
            "clauses/series/linked/grouped",
            {"histories": histories, "groups": groups},
            {"indexes": indexes},
        ),
    ]
    return steps, groups, grouped


def _attributes(
    linked: Linked, shown: Sequence[Shown], release: Relation | None = None
) -> list[dict[str, Any]]:
    """The sensitive attributes of all releases, those of the new one first."""
    found: list[dict[str, Any]] = [
        {
            "index": 0,
            "name": attribute.attribute.name,
            "shown": attribute.attribute.name,
            "least": attribute.least,
            "released": release,
            "by": linked.joined,
        }
        for attribute in shown
    ]
    for link, by in linked.named:
        found += [
            {
                "index": link.kept.index,
                "name": attribute.name,
                "shown": f"{attribute.name} in {link.kept.release}",
                "least": attribute.least,
                "released": link.kept.release,
                "by": by,
            }
            for attribute in link.sensitive
        ]
    return [{**entry, "number": number} for number, entry in enumerate(found, 1)]


def _amount_steps(
    attributes: Sequence[dict[str, Any]], prefix: str, grouped: Relation
) -> list[Step | Check]:
    steps: list[Step | Check] = []
    for attribute in attributes:
        attribute["amounts"] = work(prefix, f"_amounts_{attribute['number']}")
        steps.append(
            Step(
                f"values of {attribute['shown']} that persons who are alike show",
                attribute["amounts"],
                "clauses/series/linked/amounts",
                {"released": attribute["released"], "grouped": grouped},
                {"name": attribute["by"], "attribute": attribute["name"]},
            )
        )
    return steps


def _amounts(attributes: Sequence[Mapping[str, Any]]) -> dict[str, Relation]:
    return {f"amounts_{attribute['number']}": attribute["amounts"] for attribute in attributes}


def violation(refused: str) -> Callable[[str, str, Found], SqlanonError]:
    """The error of a check of groups of persons: what of each measure falls short.

    Args:
        refused: what is refused, and what may be done.
    """

    def error(where: str, message: str, found: Found) -> SqlanonError:
        short = [
            Shortfall(
                str(entry["measure"]),
                entry["attribute"],
                f"{entry['threshold']} ({entry['failing_groups']:,} groups with "
                f"{entry['failing_persons']:,} persons violate it)",
                None if entry["value"] is None else float(entry["value"]),
            )
            for entry in found
        ]
        return InfeasibleError(refused, short)

    return error
