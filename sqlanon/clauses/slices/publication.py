"""Slicing: attributes in slices, each of which is shuffled by itself inside each group.

Li, Li, Zhang and Molloy (2012); Kiruthika and Raseen, §5.

Where records of a group are alike, what follows is suppressed: Kiruthika and Raseen, §8.3. Their
algorithm takes the records in pairs from a queue: ``pairs``. By ``similar`` it is a rule of the
group, so that no order decides: what is alike in the leading quasi-identifiers has the next one
suppressed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

from sqlanon.domains.attribute import QuasiAttribute, SensitiveAttribute
from sqlanon.domains.domain import nothing_starred
from sqlanon.measure.insensitive import Released
from sqlanon.measure.view import AdversaryView, joined_view
from sqlanon.plan import Check, Step, work
from sqlanon.publish import groups
from sqlanon.publish.groups import OfGroups
from sqlanon.publish.publication import Grouped
from sqlanon.spec import Spec
from sqlanon.spec.publication import PublicationRule
from sqlanon.sql.names import Relation, Sql

_PLACED = work("placed")
SUPPRESSED, CELLS = work("suppressed"), work("suppressed_cells")
PAIRS = "pairs"
_Some = TypeVar("_Some")
Slices = tuple[tuple[str, ...], ...]  # the names of the attributes that stay together
Attributes = Sequence[QuasiAttribute | SensitiveAttribute]
_CUTTING = "mondrian"
_OTHER_SLICES = (
    ", or fewer quasi-identifiers in the slice of the sensitive attributes (publish.columns), or "
    "coarser ones (publish.levels)"
)
_OTHER_METHOD = f", or method: {_CUTTING}, which cuts by what such slices show,"


def alike(names: Sequence[_Some]) -> dict[_Some, Sequence[_Some]]:
    """For each quasi-identifier that may be suppressed, in which ones records are then alike.

    From the third one on these are all before it. Of two, the next would be the sensitive
    attribute, which is never suppressed: then the second is, in records alike in both.
    """
    if len(names) == 2:
        return {names[1]: names}
    return {name: names[:index] for index, name in enumerate(names) if index > 1}


def neighbours(names: Sequence[_Some]) -> dict[_Some, list[tuple[_Some, _Some]]]:
    """For each quasi-identifier that may be suppressed, in which two a pair is then alike.

    The paper's loop suppresses what follows two neighbours in which the pair is alike. A suppressed
    cell is alike to another, so that all that follow are suppressed. Behind the last there is the
    sensitive attribute, and the last is suppressed in its place.
    """
    last = len(names) - 1
    every = list(pairwise(names))
    return {
        name: every[: max(index - 1, 0) + (index == last)]
        for index, name in enumerate(names)
        if index > 1 or index == last
    }


def suppressing(grouped: Grouped, rule: str) -> list[Step]:
    """The steps that suppress cells of the records before they are sliced, and count them."""
    quasi = [attribute.alias for attribute in grouped.quasi_identifiers]
    attributes = (*quasi, *(attribute.alias for attribute in grouped.sensitive))
    masked = [attribute for attribute in grouped.quasi_identifiers if attribute.masked]
    in_pairs = rule == PAIRS
    may_be = neighbours(quasi) if in_pairs else alike(quasi)
    step = Step(
        "suppressing what follows where records of a group are alike",
        SUPPRESSED,
        "clauses/slices/suppressed",
        {"assigned": grouped.assigned}
        | {f"domain_{attribute.alias}": attribute.domain for attribute in masked},
        {
            "attributes": attributes,
            "alike": {attribute: may_be.get(attribute, ()) for attribute in attributes},
            "masks": {
                attribute.alias: {
                    "domain": attribute.domain,
                    "node": Sql(f"node_{attribute.masked}"),
                }
                for attribute in masked
            },
        },
    )
    if in_pairs:
        step = Step(
            "suppressing what follows where two records of a queue are alike",
            SUPPRESSED,
            "clauses/slices/suppressed_pairs",
            step.inputs,
            {**step.params, "told": (*attributes, Sql("turn")), "seed": grouped.seed},
        )
    columns = [
        {"name": attribute.name, "alias": attribute.alias}
        for attribute in grouped.quasi_identifiers
        if attribute.alias in may_be
    ]
    counting = Step(
        "counting the cells that are suppressed",
        CELLS,
        "clauses/slices/suppressed_cells",
        {"suppressed": SUPPRESSED},
        {"columns": columns},
    )
    return [step, counting]


def unambiguous(attribute: QuasiAttribute) -> Check:
    """That no value of a quasi-identifier is written like a suppressed one."""
    return nothing_starred(
        attribute.name,
        attribute.domain,
        "publish.suppress writes for a suppressed value",
        "leave suppress out",
    )


@dataclass(frozen=True)
class Sliced(OfGroups):
    """Rows that are put together of slices of some records of a group.

    The first slice stays in the order of its own values and every other is shuffled against it, so
    that any two are as well. Like a permutation it knows no links, and the seed gives none back.

    Attributes:
        slices: the names of the attributes that stay together.
        suppress: by which rule cells are suppressed before that: similar or pairs; None for none.
        cuts: whether the method cuts by what slices show.
    """

    slices: Slices = ()
    suppress: str | None = None
    cuts: bool = False

    rule = PublicationRule(
        "sliced", exact=True, mixes=True, parts="slices", tied="the slices to each other"
    )
    apart = False
    read = "as it stands, slices shuffled inside groups"

    def asked(self, spec: Spec) -> Sliced:
        """The same, for the slices that a spec declares and what it suppresses in them."""
        return Sliced(spec.slices, spec.suppresses_cells, spec.method.name == _CUTTING)

    @property
    def counted(self) -> Relation | None:
        """Where it is counted which cells were suppressed, if any may be."""
        return CELLS if self.suppress else None

    def starred(self, quasi_identifiers: Sequence[QuasiAttribute]) -> tuple[str, ...]:
        """The names of those that may have suppressed cells, in order; they are published as text.

        Each is suppressed in a record only where those before it are.
        """
        names = (
            tuple(alike([attribute.name for attribute in quasi_identifiers]))
            if self.suppress
            else ()
        )
        # Of a pair all that follow are suppressed: the last in the most records.
        return names[::-1] if self.suppress == PAIRS else names

    def unambiguous(self, quasi_identifiers: Sequence[QuasiAttribute]) -> list[Check]:
        """That no value is written like a suppressed one."""
        starred = self.starred(quasi_identifiers)
        stars = [
            attribute
            for attribute in quasi_identifiers
            if attribute.name in starred and not attribute.masked
        ]
        return [unambiguous(attribute) for attribute in stars]

    def parts(
        self, quasi_identifiers: Sequence[QuasiAttribute], sensitive: Sequence[SensitiveAttribute]
    ) -> list[tuple[list[QuasiAttribute], list[SensitiveAttribute]]]:
        """The quasi-identifiers and the sensitive attributes of every slice."""
        return [
            (
                [attribute for attribute in quasi_identifiers if attribute.name in names],
                [attribute for attribute in sensitive if attribute.name in names],
            )
            for names in self.slices
        ]

    def view(
        self,
        release: Relation,
        quasi_identifiers: Sequence[QuasiAttribute],
        sensitive: Sequence[SensitiveAttribute],
        insensitive: Sequence[Released],
    ) -> AdversaryView:
        """The view of a reader, who ties together a group, and in it what shares the values' slice.

        The person of a tuple may be in every group that has all its slices. So a reader's belief of
        the tuple is a mixture over these groups, and every model but k is convex in the
        distribution. So each group's values next to each of those quasi-identifiers are held to the
        models. Of these a suppressed one is a value like others. A reader who takes it for any
        value believes a mixture of what stands next to a value and what stands next to suppressed
        ones. A reader who knows the group's quasi-identifiers knows which of both it is, because
        the rule is known.
        """
        # Where several slices have sensitive values, none of them has quasi-identifiers.
        beside = next(quasi for quasi, values in self.parts(quasi_identifiers, sensitive) if values)
        starred = self.starred(quasi_identifiers)
        own = groups.own_columns(quasi_identifiers, self.as_text(quasi_identifiers))
        names = {attribute.name for attribute in beside}
        within = [column for column in own if column.name in names]
        view = joined_view(self.tied(release), own, sensitive, insensitive, within)
        if within:
            remedy = f"{view.remedy}{_OTHER_SLICES}{',' if self.cuts else _OTHER_METHOD}"
            view = replace(view, remedy=remedy)
        if names.isdisjoint(starred):
            return view
        return replace(view, remedy=f"{view.remedy} or no suppressed cells (publish.suppress)")

    def writing(self, grouped: Grouped) -> Iterator[Step | Check]:
        """The steps that shuffle the slices inside the groups and write the table."""
        if self.suppress:
            yield from self.unambiguous(grouped.quasi_identifiers)
            yield from suppressing(grouped, self.suppress)
            grouped = replace(grouped, assigned=SUPPRESSED)
        starred = self.starred(grouped.quasi_identifiers)
        parts = self.parts(grouped.quasi_identifiers, grouped.sensitive)
        # The slice with the sensitive values is shuffled, whichever the spec names first.
        (first, _), *others = sorted(parts, key=lambda part: bool(part[1]))
        yield Step(
            "the records of each group in an order of their first slice",
            _PLACED,
            "publish/placed",
            {"assigned": grouped.assigned, "groups": groups.GROUPS},
            {"quasi_identifiers": tuple(attribute.alias for attribute in first), "insensitive": ()},
        )
        home = {attribute.alias: Sql("placed") for attribute in first}
        shuffled: dict[str, Relation] = {}
        for number, (quasi, values) in enumerate(others, 1):
            together: Attributes = [*quasi, *values]
            aliases = tuple(attribute.alias for attribute in together)
            name = str(aliases[0])
            shuffled[name] = work("shuffled_", aliases[0])
            home |= {alias: Sql(f"shuffled_{name}") for alias in aliases}
            names = ", ".join(attribute.name for attribute in together)
            yield Step(
                f"shuffling {names} inside each group",
                shuffled[name],
                "publish/shuffled",
                {"assigned": grouped.assigned, "groups": groups.GROUPS, "placed": _PLACED},
                {"attributes": aliases, "seed": grouped.seed + number},
            )
        as_text = self.as_text(grouped.quasi_identifiers)
        labels = {
            attribute.name: attribute.label
            for attribute in grouped.quasi_identifiers
            if attribute.name in as_text
        }
        attributes: Attributes = [*grouped.quasi_identifiers, *grouped.sensitive]
        yield Step(
            "writing the release",
            grouped.release,
            "clauses/slices/sliced",
            {"placed": _PLACED}
            | {f"shuffled_{name}": relation for name, relation in shuffled.items()}
            | groups.as_inputs(groups.domains_of(attributes)),
            {
                "columns": [
                    {
                        "name": attribute.name,
                        "alias": attribute.alias,
                        "domain": attribute.domain,
                        "padded": getattr(attribute, "padded", None),
                        "slice": home[attribute.alias],
                        "label": labels.get(attribute.name),
                        "starred": attribute.name in starred,
                        "mask": getattr(attribute, "mask", None),
                    }
                    for attribute in attributes
                ],
                "shuffled": {Sql(name): relation for name, relation in shuffled.items()},
                "group": groups.GROUP,
            },
            grouped.how,
        )


PUBLISHER = Sliced()
