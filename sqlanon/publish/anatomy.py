"""Anatomy: quasi-identifiers and sensitive values in two relations, joined by groups alone.

Xiao and Tao (2006), §3.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlanon.plan import Step
from sqlanon.publish.groups import COUNT, GROUP, GROUPS, OfGroups, as_inputs, domains_of
from sqlanon.publish.publication import Grouped
from sqlanon.spec.publication import PublicationRule


class Anatomy(OfGroups):
    """Every record's own quasi-identifiers, and apart how often each group has which values.

    Several sensitive attributes stay together: the second relation has their combinations.
    """

    rule = PublicationRule("anatomy", exact=True)
    apart = True
    read = "by groups, each of a group's values as likely as it is frequent"

    def writing(self, grouped: Grouped) -> Iterator[Step]:
        """The steps that write both relations."""
        rows, values = self.names(grouped.release, grouped.how)
        domains = domains_of(grouped.quasi_identifiers)
        yield Step(
            "writing the quasi-identifiers",
            rows,
            "publish/quasi_identifiers",
            {"assigned": grouped.assigned, "groups": GROUPS} | as_inputs(domains),
            {
                "quasi_identifiers": grouped.quasi_identifiers,
                "insensitive": grouped.kept,
                "domains": domains,
                "group": GROUP,
            },
            grouped.how,
        )
        domains = domains_of(grouped.sensitive)
        yield Step(
            "writing the sensitive values of each group",
            values,
            "publish/sensitive_values",
            {"assigned": grouped.assigned, "groups": GROUPS} | as_inputs(domains),
            {
                "sensitive": grouped.sensitive,
                "domains": domains,
                "group": GROUP,
                "records": COUNT,
            },
            grouped.how,
        )
