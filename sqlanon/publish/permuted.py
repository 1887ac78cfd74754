"""Permutation: one table of exact rows whose sensitive values are shuffled inside each group.

Zhang et al. (2007), §3.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlanon.plan import Step, work
from sqlanon.publish.groups import GROUP, GROUPS, OfGroups, as_inputs, domains_of
from sqlanon.publish.publication import Grouped
from sqlanon.spec.publication import PublicationRule

_PLACED = work("placed")


class Permuted(OfGroups):
    """Every record's own quasi-identifiers with sensitive values of some record of its group.

    Each sensitive attribute is shuffled by itself. The shuffle is of the group's values in their
    own order and knows nothing of whose they were: the seed does not give that back.
    """

    rule = PublicationRule("permuted", exact=True)
    apart = False
    read = "as it stands, values shuffled inside groups"

    def writing(self, grouped: Grouped) -> Iterator[Step]:
        """The steps that shuffle the values inside the groups and write the table."""
        yield Step(
            "the records of each group in an order of what they keep",
            _PLACED,
            "publish/placed",
            {"assigned": grouped.assigned, "groups": GROUPS},
            {
                "quasi_identifiers": tuple(one.alias for one in grouped.quasi_identifiers),
                "insensitive": grouped.kept,
            },
        )
        shuffled = {str(one.alias): work("shuffled_", one.alias) for one in grouped.sensitive}
        for number, attribute in enumerate(grouped.sensitive, 1):
            yield Step(
                f"shuffling {attribute.name} inside each group",
                shuffled[str(attribute.alias)],
                "publish/shuffled",
                {"assigned": grouped.assigned, "groups": GROUPS, "placed": _PLACED},
                {"attributes": (attribute.alias,), "seed": grouped.seed + number},
            )
        domains = domains_of((*grouped.quasi_identifiers, *grouped.sensitive))
        yield Step(
            "writing the release",
            grouped.release,
            "publish/permuted",
            {"placed": _PLACED}
            | {f"shuffled_{alias}": relation for alias, relation in shuffled.items()}
            | as_inputs(domains),
            {
                "quasi_identifiers": grouped.quasi_identifiers,
                "sensitive": grouped.sensitive,
                "insensitive": grouped.kept,
                "shuffled": shuffled,
                "domains": domains,
                "group": GROUP,
            },
            grouped.how,
        )
