"""Who was left out: the groups of a column's values that lost most of their records.

Records that are left out are published nowhere, and of the others only coarse cells are: a small
count of either says something of single records. No count from one to k - 1 is kept, k being three
at least, and none that follows from those that are.

Of those who stay, a release may give away values: where everybody in a class has one of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass

from sqlanon.domains.attribute import Attribute, QuasiAttribute, SensitiveAttribute, one_of
from sqlanon.measure.asked import class_column
from sqlanon.privacy.alpha import ALPHA
from sqlanon.publish.publication import Grouped
from sqlanon.record.metrics import Metric
from sqlanon.session import Session
from sqlanon.spec import NUMBERS
from sqlanon.sql.names import Relation, Sql

LEFT_OUT_FACT = "left_out_groups"  # The item of the run relation.
_FEWEST = 3  # A count is shown of no fewer records, with any k.
_GROUPS, _STRETCHES = 24, 10  # Of a column with more of them a higher level is taken, or parts.
_SHOWN = 5  # Of a column.


@dataclass(frozen=True)
class LeftOutGroup:
    """A group of a column's values, and how many of its records were left out.

    Attributes:
        column: the column of the source.
        group: the value, the label of the hierarchy's group, or a stretch; None of no value.
        records: how many records of the source are in the group; or where a class counts others,
            how many of these have a record in it.
        left_out: how many of these were left out.
    """

    column: str
    group: str | None
    records: int
    left_out: int

    @property
    def share(self) -> float:
        """The share of its records that were left out."""
        return self.left_out / self.records


def least_shown(k: int) -> int:
    """The fewest records of which a count is shown."""
    return max(k, _FEWEST)


def left_out_groups(
    grouped: Grouped, k: int, records: int, suppressed: int, session: Session
) -> tuple[LeftOutGroup, ...]:
    """The groups that lost a greater share of their records than the table did.

    Args:
        grouped: the records in classes, while their relations are there.
        k: the least class size.
        records: how many records were read.
        suppressed: how many of these were left out. Where a class counts others than records, the
            database is asked how many of these both are.
        session: asks the database.

    Returns:
        Of every quasi-identifier and sensitive attribute up to five groups, the greatest share
        first.
    """
    # Where cells were taken over, the classes have no codes of the quasi-identifiers.
    taken = grouped.left_out is not None and grouped.left_out.taken_over is not None
    quasi_identifiers = () if grouped.cells is not None and taken else grouped.quasi_identifiers
    attributes: tuple[Attribute, ...] = (*quasi_identifiers, *grouped.sensitive)
    if not suppressed or not attributes:
        return ()
    inputs = {"assigned": grouped.assigned}
    inputs |= {f"domain_{attribute.alias}": attribute.domain for attribute in attributes}
    of_units: dict[str, tuple[Sql, ...]] = {}
    if grouped.unit.number is not None and grouped.coded is not None:
        of_units = {"unit": grouped.unit.columns}
        both = {"numbered": grouped.unit.numbered, "assigned": grouped.assigned}
        inputs |= {"coded": grouped.coded, "numbered": grouped.unit.numbered}
        counted = session.fetch("release/unit_ledger", both, {}, 1).dicts()[0]
        records, suppressed = int(counted["records_in"]), int(counted["records_suppressed"])
    found = session.fetch(
        "report/left_out_groups",
        inputs,
        {
            "attributes": [
                {
                    "alias": attribute.alias,
                    "height": attribute.height,
                    "in_order": _in_order(attribute),
                }
                for attribute in attributes
            ],
            "domains": {str(attribute.alias): attribute.domain for attribute in attributes},
            "most": _GROUPS,
            "stretches": _STRETCHES,
            "shown": _SHOWN,
            "least": least_shown(k),
            **of_units,
        },
        _SHOWN * len(attributes),
    )
    groups = [
        LeftOutGroup(attributes[int(number) - 1].name, label, int(records), int(left_out))
        for number, label, records, left_out in found.rows
    ]
    return tuple(
        one
        for attribute in attributes
        for one in may_be_shown(
            [group for group in groups if group.column == attribute.name], suppressed, k
        )
        if one.left_out * records > suppressed * one.records
    )


def may_be_shown(groups: Sequence[LeftOutGroup], suppressed: int, k: int) -> list[LeftOutGroup]:
    """The groups of one column whose counts give no small count away.

    Those that are not shown lost together as many records as no shown one did: that count follows
    by subtraction, so that it must be nothing or large enough as well.

    Args:
        groups: groups of one column.
        suppressed: how many records were left out of the whole table.
        k: the least class size.
    """
    least = least_shown(k)
    shown = [
        group
        for group in groups
        if group.left_out >= least and not 0 < group.records - group.left_out < least
    ]
    while shown and 0 < suppressed - sum(group.left_out for group in shown) < least:
        shown.remove(min(shown, key=lambda one: (one.left_out, one.share)))
    return sorted(shown, key=lambda one: (-one.share, -one.left_out, one.group or ""))


def _in_order(attribute: Attribute) -> bool:
    """Whether neighbouring codes are alike, so that stretches of them are groups."""
    if attribute.nodes is not None:
        return False
    if isinstance(attribute, QuasiAttribute):
        return attribute.measurable or attribute.ordered
    if not isinstance(attribute, SensitiveAttribute):
        return False
    listed = isinstance(attribute.declared.order, list)
    return listed or (attribute.declared.order != "frequency" and attribute.kind in NUMBERS)


def left_out_fact(groups: Iterable[LeftOutGroup]) -> str:
    """The groups, as a run keeps them."""
    return json.dumps([asdict(group) for group in groups], ensure_ascii=False)


def left_out_from_fact(text: str) -> tuple[LeftOutGroup, ...]:
    """The groups that a run kept; nothing where a script made the release, which keeps none."""
    return tuple(LeftOutGroup(**load) for load in json.loads(text or "[]"))


@dataclass(frozen=True)
class GivenAway:
    """The classes of a release in which everybody has one value of a sensitive attribute.

    Attributes:
        attribute: the attribute.
        classes: how many these are.
        records: how many records they have.
        units: how many of what a class counts these are of.
    """

    attribute: str
    classes: int
    records: int
    units: int


def with_shares(sensitive: Iterable[str], measures: Iterable[Metric]) -> list[str]:
    """The attributes whose greatest share in each class was measured.

    A script, and a run that measures what is asked for, measure α only where the spec asks for it.
    """
    known = {metric.attribute for metric in measures if metric.metric == ALPHA.name}
    return [name for name in sensitive if name in known]


def given_away(
    classes: Relation, sensitive: Sequence[str], counts: str, session: Session
) -> tuple[GivenAway, ...]:
    """Count the classes that give a value away to a reader who knows somebody in them.

    Args:
        classes: the classes of a release, with what was measured in each.
        sensitive: its sensitive attributes.
        counts: what a class counts: records, or another word.
        session: asks the database.
    """
    if not sensitive:
        return ()
    shares = [class_column(ALPHA.name, name) for name in sensitive]
    found = session.fetch(
        "measure/given_away",
        {"class_report": classes},
        {"shares": shares, "persons": counts != "records"},
        len(shares),
    )
    return tuple(
        GivenAway(sensitive[int(attribute) - 1], int(number), int(records), int(units))
        for attribute, number, records, units in found.rows
    )


def sentence_of_given(given: Sequence[GivenAway], counts: str) -> str:
    """A sentence on what is given away, without its end, which says what may be done.

    Args:
        given: what is; something.
        counts: what a class counts: records, or another word.
    """
    counted = "; ".join(
        f"of {away.attribute} in {away.classes:,} {'class' if away.classes == 1 else 'classes'} "
        f"with {away.records if counts == 'records' else away.units:,} {counts}"
        for away in given
    )
    everybody = f"every {one_of(counts)} has" if counts != "records" else "all records have"
    return f"There are classes where {everybody} one value, so that it is known of each: {counted}"
