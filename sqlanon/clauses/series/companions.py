"""Companions: persons who are in the same class of every release, and what they have.

No reader of all releases can tell one of them from the other, so that at best the reader knows
which values they have among them. To the reader they are a class, held to what else is asked of
one: t, entropy and the other models.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlanon.clauses.series.declared import series_of
from sqlanon.clauses.series.earlier import Kept, Other
from sqlanon.clauses.series.linked import SHORT, Link, Linked, linked
from sqlanon.domains import attribute as of_attribute
from sqlanon.domains.attribute import SensitiveAttribute, Unit
from sqlanon.draft import Draft
from sqlanon.measure.asked import Asked, Requirements, UnitCounts, as_parameter, unit_counts
from sqlanon.plan import FOUND, Check, Materialization, Step, work
from sqlanon.privacy.k_anonymity import K_ANONYMITY
from sqlanon.privacy.l_diversity import DISTINCT_L
from sqlanon.spec import Spec
from sqlanon.sql.names import Relation, Sql

_NOBODY = (
    "no person of {release} is in this table: persons are found by {names}, and the two share no "
    "value of it. Name persons as in {release}, or do not follow it if it is of other people"
)
_ALIKE = (
    f"{FOUND.persons} person ids match ids of {{release}} except for case, spaces, or digits after "
    "the decimal point: 'A1' is not 'a1'. Normalize them in the query, or rename them if they are "
    "different people"
)
# In which form names are compared that are not found again: see ``macros/named``.
_ALIKE_BY = {"text": "text", "number": "double", "decimal": "exact"}
_SAME = (
    f"{FOUND.persons} of the persons are in {{release}} too. This release does not follow it, so a "
    f"reader of both may single persons out: follow it (series: {{{{after: {{release}}}}}}, or "
    f"--after {{release}}). If nobody was given it, or its persons are different people, drop it "
    f"or say so (series: {{{{apart: {{release}}}}}}). A release that others have followed is not "
    "made again"
)


@dataclass(frozen=True)
class Shown:
    """A sensitive attribute, as a series holds it.

    Attributes:
        attribute: the attribute.
        least: how many values must be possible; 0 if nothing is asked of them.
        demand: the number of what asks it among the requirements.
        earlier: the earlier releases whose classes rule out a value; none where values change.
        shared: of how many persons one may have the same value; 0 where distinct l is not asked.
    """

    attribute: SensitiveAttribute
    least: int
    demand: int
    earlier: tuple[Kept, ...]
    shared: int = 0

    @property
    def alias(self) -> Sql:
        """Its name in work relations."""
        return self.attribute.alias


@dataclass(frozen=True)
class Follows:
    """How a release follows earlier ones.

    Attributes:
        spec: what is declared.
        unit: the persons.
        kinds: the kind of values that each of them has, by name.
        earlier: what the earlier releases kept.
        shown: the sensitive attributes.
        demand: the number of k among the requirements.
        others: what releases keep that are not followed, and must be of other persons.
        linked: by what readers know persons of the earlier releases again, if by anything.
        asked: what else is asked of sensitive attributes, by its number among the requirements.
        known: the marks of all releases of persons so named that are known.
    """

    spec: Spec
    unit: Unit
    kinds: Mapping[str, str]
    earlier: tuple[Kept, ...]
    shown: tuple[Shown, ...]
    demand: int
    others: tuple[Other, ...]
    linked: Linked | None
    asked: Mapping[int, Asked]
    known: frozenset[str | None]

    @property
    def reuses(self) -> bool:
        """Whether persons stay together with whom they shared their classes."""
        return series_of(self.spec).reuse

    @property
    def named(self) -> tuple[dict[str, Any], ...]:
        """The columns that name a person, by alias and by name."""
        pairs = zip(self.unit.columns, self.spec.person, strict=True)
        return tuple({"alias": alias, "name": name} for alias, name in pairs)

    @property
    def checks(self) -> list[Step | Check]:
        """The steps that hold what is kept to what was kept, and others to be of others."""
        steps: list[Step | Check] = [step for release in self.earlier for step in release.checks]
        for other in self.others:
            pairs = zip(self.unit.columns, other.person.items(), strict=True)
            named = [
                {"alias": alias, "name": name, "here": here, "there": there}
                for alias, (name, (here, there)) in pairs
            ]
            steps.append(
                Check(
                    f"{other.release} is of other persons",
                    "clauses/series/check_apart",
                    {"persons": self.unit.numbered, "members": other.members},
                    {"person": named},
                    "series",
                    _SAME.format(release=other.release),
                )
            )
        if self.linked is not None:
            steps += self.linked.checks
        return steps

    @property
    def joins(self) -> Linked | None:
        """By what readers join the rows of the releases, where it is said that they do."""
        return None if self.linked is None or self.linked.joined is None else self.linked

    def found_again(self, histories: Relation, groups: Relation) -> Iterator[Check]:
        """The checks that persons are named as they were.

        Args:
            histories: the class of every person in each earlier release.
            groups: how many have the same ones.
        """
        names = ", ".join(self.spec.person)
        for release in self.earlier:
            kinds = [release.person[str(of["name"])] for of in self.named]
            forms = [_ALIKE_BY.get(kind, "as_is") for kind in kinds]
            named = [{**of, "form": form} for of, form in zip(self.named, forms, strict=True)]
            about = {"release": str(release.release), "names": names}
            if release.named:
                yield Check(
                    f"somebody of {release.release} is here",
                    "clauses/series/check_followed",
                    {"groups": groups},
                    {"index": release.index},
                    "series.after",
                    _NOBODY.format(**about),
                )
            if set(forms) != {"as_is"}:
                yield Check(
                    f"nobody of {release.release} is here with other case or spaces, or rounded",
                    "clauses/series/check_alike",
                    {"histories": histories, "members": release.members},
                    {"person": named, "index": release.index},
                    "series.after",
                    _ALIKE.format(**about),
                )


def follows(
    draft: Draft,
    earlier: Sequence[Kept],
    others: Sequence[Other],
    links: Sequence[Link],
    known: frozenset[str | None],
) -> Follows:
    """How a release follows earlier ones.

    Args:
        draft: the draft of its plan, with all attributes.
        earlier: what the earlier releases kept.
        others: what releases keep that are not followed.
        links: the earlier releases whose rows readers may join with its own.
        known: the marks of those that are followed, replaced, or apart.
    """
    spec, requirements, shown = draft.spec, Requirements.bounded(draft.models), []
    changing = set(series_of(spec).changing)
    for attribute in draft.sensitive:
        asking = [
            (requirement.model.least_size(requirement.demand.threshold), number)
            for number, requirement in requirements
            if requirement.name == attribute.name and requirement.model.field is DISTINCT_L.field
        ]
        least, index = max(asking, default=(0, 0))
        persists = attribute.name not in changing
        ruling = tuple(
            release for release in earlier if persists and release.attribute(attribute.name)
        )
        whole = DISTINCT_L.asked_of(attribute.declared, spec.privacy)
        shown.append(Shown(attribute, least, index, ruling, int(whole or 0)))
    return Follows(
        spec=spec,
        unit=draft.unit,
        kinds={name: draft.read[name].kind for name in spec.person},
        earlier=tuple(earlier),
        shown=tuple(shown),
        demand=requirements.of_size,
        others=tuple(others),
        linked=linked(spec, draft.short, links),
        asked=asked_of_groups(draft.models),
        known=known.union(other.mark for other in others),
    )


def group_steps(
    follows: Follows,
    prefix: str,
    placed: Relation | None = None,
    joining: Sequence[Step | Check] = (),
) -> list[Step | Check]:
    """The steps that group persons by their classes in all releases, and measure the groups.

    Args:
        follows: how the release follows others.
        prefix: of the names of the relations.
        placed: the class of every person in this release, where it is known.
        joining: the steps that find which groups cannot be published because of what readers join,
            if they join anything.
    """
    histories, groups = work(prefix, "_histories"), groups_relation(prefix)
    grouped, standing = grouped_relation(prefix), standing_relation(prefix)
    indexes = tuple(
        ([] if placed is None else [0]) + [release.index for release in follows.earlier]
    )
    joined: dict[str, Relation] = {} if placed is None else {"placed": placed}
    joined |= {f"earlier_{release.index}": release.members for release in follows.earlier}
    kept = [{"index": release.index, "members": release.members} for release in follows.earlier]
    steps: list[Step | Check] = [
        Step(
            "in which class of every release each person is",
            histories,
            "clauses/series/histories",
            {"persons": follows.unit.numbered, **joined},
            {"earlier": kept, "person": follows.named, "now": placed is not None},
        ),
        Step(
            "persons of equal history",
            groups,
            "clauses/series/groups",
            {"histories": histories},
            {"indexes": indexes},
        ),
        *(follows.found_again(histories, groups) if placed is None or not follows.reuses else ()),
        Step(
            "which of them each person is of",
            grouped,
            "clauses/series/grouped",
            {"histories": histories, "groups": groups},
            {"indexes": indexes, "person": follows.unit.columns},
            Materialization.WORK_TABLE if placed is None else Materialization.WORK_VIEW,
        ),
        *joining,
    ]
    possible = {
        attribute.alias: work(prefix, "_possible_", attribute.alias) for attribute in follows.shown
    }
    for attribute in follows.shown:
        steps += _possible_values(follows, attribute, prefix, possible[attribute.alias])
    held = held_companions(follows, prefix)
    if held is not None:
        steps += held.steps
    asked = [
        {
            "alias": attribute.alias,
            "name": attribute.attribute.name,
            "least": attribute.least,
            "demand": attribute.demand,
            "shared": attribute.shared,
            "possible": possible[attribute.alias],
        }
        for attribute in follows.shown
    ]
    steps.append(
        Step(
            "what is asked of them, and what they have",
            standing,
            "clauses/series/standing",
            {"groups": groups}
            | {f"possible_{alias}": at for alias, at in possible.items()}
            | ({"short": SHORT} if joining else {})
            | ({"held": held.held} if held else {}),
            {"k": follows.spec.privacy.k, "k_number": follows.demand, "attributes": asked},
        )
    )
    return steps


def _possible_values(
    follows: Follows, attribute: Shown, prefix: str, output: Relation
) -> Iterator[Step]:
    """The steps that find which values groups have of an attribute, and which they may have."""
    own, groups = own_values(prefix, attribute), groups_relation(prefix)
    values = {kept.index: kept.values for kept in attribute.earlier if kept.values is not None}
    yield Step(
        f"values of {attribute.attribute.name} that they have",
        own,
        "clauses/series/own_values",
        {"grouped": grouped_relation(prefix), "pairs": work("pairs_", attribute.alias)},
        {"attribute": attribute.alias, "person": follows.unit.columns},
    )
    read: dict[str, Relation] = {"own_values": own, "groups": groups}
    read |= {f"values_{index}": relation for index, relation in values.items()}
    yield Step(
        f"values of {attribute.attribute.name} that are possible in them",
        output,
        "clauses/series/possible",
        read,
        {
            "earlier": [
                {
                    "index": kept.index,
                    "relation": kept.values,
                    "name": kept.attribute(attribute.attribute.name),
                }
                for kept in attribute.earlier
            ]
        },
    )


def held_companions(follows: Follows, prefix: str) -> Holding | None:
    """The steps that hold groups to the other models of a class, if the spec asks for any.

    Those of a first release are its classes, which the gate holds anyway.
    """
    if not follows.earlier or not follows.asked:
        return None
    grouped = grouped_relation(prefix)

    def counting(attribute: SensitiveAttribute, output: Relation) -> Step:
        return Step(
            f"values of {attribute.name} among companions",
            output,
            "clauses/series/companion_values",
            {
                "pairs": work("pairs_", attribute.alias),
                "grouped": grouped,
                "positions": attribute.positions,
            },
            {
                "person": follows.unit.columns,
                "attribute": attribute.alias,
                "tie_breaker": attribute.tie_breaker,
            },
        )

    return holding(prefix, groups_relation(prefix), counting, follows.asked, "companions")


def grouped_relation(prefix: str) -> Relation:
    """The relation with the group of each person."""
    return work(prefix, "_grouped")


def standing_relation(prefix: str) -> Relation:
    """The relation with the groups, and what is asked of them."""
    return work(prefix, "_standing")


def groups_relation(prefix: str) -> Relation:
    """The persons of equal history."""
    return work(prefix, "_groups")


def own_values(prefix: str, shown: Shown) -> Relation:
    """The values of a sensitive attribute that each group has."""
    return work(prefix, "_own_", shown.alias)


_COUNTED = (K_ANONYMITY.name, DISTINCT_L.name)  # by persons and by values, and not as in a class


@dataclass(frozen=True)
class Holding:
    """Groups of persons as classes.

    Attributes:
        steps: that measure them.
        held: of each model, by its number among the requirements, and each group whether it holds.
        measures: of each model what the worst group reaches, and how many do not hold it.
    """

    steps: tuple[Step, ...]
    held: Relation
    measures: Relation


def asked_of_groups(models: Sequence[Asked]) -> dict[int, Asked]:
    """The models besides k and distinct l, by their numbers among the requirements.

    A model of what is known beforehand holds of each part of a class, and so of companions.
    """
    return {
        number: model
        for number, model in Requirements.bounded(models)
        if model.metric not in _COUNTED and not of_attribute.follows(model.attribute)
    }


def holding(
    prefix: str,
    groups: Relation,
    counting: Callable[[SensitiveAttribute, Relation], Step],
    asked: Mapping[int, Asked],
    called: str,
    absent: bool = False,
) -> Holding:
    """The steps that hold groups of persons to what is asked.

    Args:
        prefix: of the names of the relations.
        groups: the groups.
        counting: makes the step that leaves how many persons of each group have each value.
        asked: what is asked of them, by number.
        called: what the names of the measures begin with.
        absent: whether there are groups of persons who are not in this release.
    """
    sizes, held, measures = (work(prefix, part) for part in ("_sizes", "_held", "_model_measures"))
    steps = [
        Step(
            "groups of persons, as classes",
            sizes,
            "clauses/series/sizes",
            {"groups": groups},
            {"absent": absent},
        )
    ]
    values: dict[str, Relation] = {}
    persons: dict[str, UnitCounts] = {}
    of = {
        str(model.attribute.alias): model.attribute for model in asked.values() if model.attribute
    }
    for alias, attribute in of.items():
        values[alias] = work(prefix, "_values_", alias)
        steps.append(counting(attribute, values[alias]))
        persons[alias], counted = unit_counts(attribute, "person", sizes, values[alias], prefix)
        steps += [replace(step, title=f"{step.title} of them") for step in counted]
    listed = []
    for index, model in asked.items():
        relation = work(prefix, "_", model.relation.name)
        steps.append(replace(model.step(sizes, values, persons), output=relation))
        worst = Sql("min" if model.model.worst == "least" else "max")
        measure = f"{called}_{model.metric}"
        listed.append(
            {**as_parameter(index, model), "relation": relation, "worst": worst, "measure": measure}
        )
    measured = {f"model_{entry['number']}": entry["relation"] for entry in listed}
    steps += [
        Step(
            "holding groups of persons to what is asked",
            held,
            "privacy/held",
            measured,
            {"models": listed},
        ),
        Step(
            "what else groups of persons come to",
            measures,
            "clauses/series/model_measures",
            {"held": held, "sizes": sizes, **measured},
            {"models": listed},
        ),
    ]
    return Holding(tuple(steps), held, measures)
