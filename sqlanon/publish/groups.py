"""Groups: classes whose records keep their own quasi-identifiers, under a random number.

Two publications link them to sensitive values by that number alone. Anatomy has the values in a
relation of their own (Xiao and Tao 2006, §3); permutation shuffles them inside each group (Zhang et
al. 2007, §3).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from sqlanon.domains.attribute import Attribute, QuasiAttribute, SensitiveAttribute
from sqlanon.measure.insensitive import Released
from sqlanon.measure.view import AdversaryView, Tied, joined_view
from sqlanon.plan import FOUND, Check, Materialization, Step, infeasible, work
from sqlanon.publish.ledger import Ledger
from sqlanon.publish.publication import (
    Grouped,
    Publication,
    PublishedRelation,
    Publisher,
    ReleasedColumn,
    released_columns,
)
from sqlanon.spec.publication import PublicationRule
from sqlanon.sql.names import Relation, Sql

GROUPS = work("groups")
GROUP = ReleasedColumn("group_id", Sql("p0"), "integer", "group", None)
COUNT = ReleasedColumn("records", Sql("k0"), "integer", "group", None)


class OfGroups(Publisher):
    """Publishes every record's own quasi-identifiers, and of its group the sensitive values.

    Attributes:
        apart: whether the sensitive values are in a relation of their own, with their numbers.
        read: how what is published is read for its utility.
    """

    apart: ClassVar[bool]
    read: ClassVar[str]

    @property
    def counted(self) -> Relation | None:
        """Where it is counted which cells were suppressed, if any may be."""
        return None

    def names(
        self, release: Relation, how: Materialization, suppresses: bool = False
    ) -> dict[Relation, Materialization]:
        """The release, and where they are apart its sensitive values."""
        return {release: how} | ({release.sibling("sensitive"): how} if self.apart else {})

    def relations(
        self,
        release: Relation,
        how: Materialization,
        quasi_identifiers: Sequence[QuasiAttribute],
        sensitive: Sequence[SensitiveAttribute],
        insensitive: Sequence[Released],
    ) -> tuple[PublishedRelation, ...]:
        """The relations that are published; first the one with a row for each record."""
        as_text = self.as_text(quasi_identifiers)
        starred = self.starred(quasi_identifiers)
        own = [
            ReleasedColumn(
                name=attribute.name,
                alias=attribute.alias,
                kind="text",
                role="quasi_identifier",
                source=None,
                starred=attribute.name in starred,
            )
            if attribute.name in as_text
            else ReleasedColumn(
                attribute.name, attribute.alias, attribute.kind, "quasi_identifier", attribute.name
            )
            for attribute in quasi_identifiers
        ]
        values, kept = released_columns((), sensitive, ()), released_columns((), (), insensitive)
        rows, *others = self.names(release, how)
        if not others:
            return (PublishedRelation(rows, (GROUP, *own, *values, *kept), how),)
        return (
            PublishedRelation(rows, (GROUP, *own, *kept), how),
            PublishedRelation(others[0], (GROUP, *values, COUNT), how),
        )

    def view(
        self,
        release: Relation,
        quasi_identifiers: Sequence[QuasiAttribute],
        sensitive: Sequence[SensitiveAttribute],
        insensitive: Sequence[Released],
    ) -> AdversaryView:
        """The view of a reader who ties the relations together by the groups."""
        own = own_columns(quasi_identifiers)
        return joined_view(self.tied(release), own, sensitive, insensitive)

    def tied(self, release: Relation) -> Tied:
        """The relations that tie a record to values by its group."""
        rows, *others = self.names(release, Materialization.TABLE)
        return Tied(rows, others[0], GROUP, COUNT) if others else Tied(rows, rows, GROUP)

    def starred(self, quasi_identifiers: Sequence[QuasiAttribute]) -> tuple[str, ...]:
        """The names of those that may have suppressed cells, in order; they are published as text.

        Each is suppressed in a record only where those before it are.
        """
        return ()

    def as_text(self, quasi_identifiers: Sequence[QuasiAttribute]) -> tuple[str, ...]:
        """The names of those that are published as text: labels, and what may be suppressed."""
        starred = self.starred(quasi_identifiers)
        return tuple(
            attribute.name
            for attribute in quasi_identifiers
            if attribute.coarse or attribute.name in starred
        )

    def unambiguous(self, quasi_identifiers: Sequence[QuasiAttribute]) -> list[Check]:
        """That no value is written like a suppressed one."""
        return []

    def parts(
        self, quasi_identifiers: Sequence[QuasiAttribute], sensitive: Sequence[SensitiveAttribute]
    ) -> list[tuple[list[QuasiAttribute], list[SensitiveAttribute]]]:
        """The columns that stay together: quasi-identifiers, sensitive attributes, or both."""
        together = [list(sensitive)] if self.apart else [[attribute] for attribute in sensitive]
        return [(list(quasi_identifiers), []), *(([], some) for some in together)]

    def publish(self, grouped: Grouped) -> Publication:
        """The steps that number the groups and write what is published of them."""
        columns = grouped.quasi_identifiers, grouped.sensitive
        return Publication(
            steps=(*_numbering(grouped), *self.writing(grouped)),
            relations=self.relations(grouped.release, grouped.how, *columns, grouped.kept),
            formed=GROUPS,
            view=self.view(grouped.release, *columns, grouped.insensitive),
            ledger=Ledger(grouped.size, grouped.release),
            suppressed_cells=self.counted,
        )

    @abstractmethod
    def writing(self, grouped: Grouped) -> Iterator[Step | Check]:
        """The steps that write what is published, once the groups are numbered."""


def own_columns(
    quasi_identifiers: Sequence[QuasiAttribute], as_text: Sequence[str] = ()
) -> list[Released]:
    """The columns of the rows that hold quasi-identifiers: as they are, or some as text."""
    return [
        Released(
            Sql(f"p{number}"),
            attribute.name,
            "text" if attribute.name in as_text else attribute.kind,
        )
        for number, attribute in enumerate(quasi_identifiers, 1)
    ]


def domains_of(attributes: Sequence[Attribute]) -> dict[str, Relation]:
    """The domains of some attributes, by alias."""
    return {str(attribute.alias): attribute.domain for attribute in attributes}


def as_inputs(domains: Mapping[str, Relation]) -> dict[str, Relation]:
    """Domains as a template's inputs."""
    return {f"domain_{alias}": relation for alias, relation in domains.items()}


def _numbering(grouped: Grouped) -> Iterator[Step | Check]:
    yield Step(
        "random numbers of the groups",
        GROUPS,
        "publish/groups",
        {"assigned": grouped.assigned},
        {"seed": grouped.seed},
    )
    yield Check(
        "every group has enough records",
        "publish/check_group_sizes",
        {"groups": GROUPS},
        {"least": grouped.least},
        "publish.group",
        f"{FOUND.groups} groups have fewer than {grouped.least} records: nothing was published",
        infeasible,
    )


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
                "quasi_identifiers": tuple(
                    quasi_identifier.alias for quasi_identifier in grouped.quasi_identifiers
                ),
                "insensitive": grouped.kept,
            },
        )
        shuffled = {
            str(sensitive_attribute.alias): work("shuffled_", sensitive_attribute.alias)
            for sensitive_attribute in grouped.sensitive
        }
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
            {"sensitive": grouped.sensitive, "domains": domains, "group": GROUP, "records": COUNT},
            grouped.how,
        )
