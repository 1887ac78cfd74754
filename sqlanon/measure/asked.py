"""The models that a spec asks of each attribute, and the steps that measure and judge them.

Attributes may be measured together: one relation of their values, one of each model. A script is
shorter so. A run that measures all it can, and dbt models, have relations for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from sqlanon.domains.attribute import HiddenAttribute, SensitiveAttribute
from sqlanon.plan import Materialization, Step, work
from sqlanon.privacy import MODELS
from sqlanon.privacy.k_anonymity import K_ANONYMITY
from sqlanon.privacy.model import Bound, Demand, PrivacyModel
from sqlanon.spec import Privacy
from sqlanon.sql.names import Relation, exact

Key = tuple[str, str | None]  # a model's name, and the attribute's or the columns'
OF_RECORDS: Key = (K_ANONYMITY.name, None)  # k of whole records


@dataclass(frozen=True)
class UnitCounts:
    """The relations that stand for the units of every class, of a single attribute.

    Attributes:
        pairs: how many pairs of a unit and a value every class has.
        shares: the shares of the values among the units of every class, as whole numbers.
        wholes: what these are shares of.
    """

    pairs: Relation
    shares: Relation
    wholes: Relation


def unit_counts(
    attribute: SensitiveAttribute,
    noun: str,
    sizes: Relation,
    values: Relation,
    prefix: str = "class",
) -> tuple[UnitCounts, list[Step]]:
    """The relations that stand for the units of every class, and the steps that make them.

    Args:
        attribute: the attribute.
        noun: the word for one of them.
        sizes: how many every class has.
        values: how many of them have each value.
        prefix: of the names of the relations.
    """
    alias, name = attribute.alias, attribute.name
    counts = UnitCounts(
        work(prefix, "_pairs_", alias),
        work(prefix, "_shares_", alias),
        work(prefix, "_wholes_", alias),
    )
    sharing = {"classes": sizes, "class_values": values}
    return counts, [
        Step(
            f"pairs of a {noun} and a value of {name} in each class",
            counts.pairs,
            "units/class_pairs",
            {"class_values": values},
        ),
        Step(
            f"shares of the values of {name} among the {noun}s of each class",
            counts.shares,
            "units/class_shares",
            sharing,
        ),
        Step(
            f"what these are shares of, of {name}",
            counts.wholes,
            "units/class_pairs",
            {"class_values": counts.shares},
        ),
    ]


@dataclass(frozen=True)
class Asked:
    """A privacy model of an attribute, and what is asked of it.

    Attributes:
        demand: the model and its threshold.
        attribute: the sensitive or hidden attribute, or None for the whole record.
        stem: how the name of its work relation begins.
        number: the attribute's number, where all are measured together; else 0.
    """

    demand: Demand
    attribute: SensitiveAttribute | None = None
    stem: str = field(default="measured", repr=False)
    number: int = field(default=0, repr=False)

    @property
    def model(self) -> PrivacyModel:
        """The model."""
        return self.demand.model

    @property
    def metric(self) -> str:
        """Its name in the metrics, such as ``t_closeness``."""
        return self.model.name

    @property
    def name(self) -> str | None:
        """The attribute's name."""
        return None if self.attribute is None else self.attribute.name

    @property
    def key(self) -> Key:
        """The model and what it is of: what it is called by."""
        return self.metric, self.name

    @property
    def bound(self) -> Bound | None:
        """To what every class is held; None if it is only measured."""
        return self.demand.bound

    @property
    def shown(self) -> str | None:
        """The threshold as declared, for people."""
        threshold = self.demand.threshold
        if threshold is None:
            return None
        return exact(threshold) if self.model.shown is None else self.model.shown(threshold)

    @property
    def relation(self) -> Relation:
        """The work relation with a row for each class, or for each class and attribute."""
        about = f"_{self.attribute.alias}" if self.attribute and not self.number else ""
        return work(self.stem, "_", self.metric, about)

    @property
    def column(self) -> str:
        """The column of the classes relation that shows its value."""
        return class_column(self.metric, self.name)

    def step(
        self,
        classes: Relation,
        class_values: Mapping[str, Relation],
        units: Mapping[str, UnitCounts] | None = None,
    ) -> Step:
        """The step that measures it in every class, for any threshold.

        Args:
            classes: how many records every class has, or how many of what it counts; and of a model
                of covered people, how many of these its tuple covers.
            class_values: for each sensitive attribute, how many of these have each value.
            units: where others than records are counted, which may have several values: for each
                attribute, what stands for them.
        """
        model, attribute = self.model, self.attribute
        there: dict[str, Relation] = {"classes": classes, "covered": classes}
        params = dict(self.demand.params)
        distance, measured, reads = "", model.measured, model.reads
        if attribute is not None:
            there["class_values"] = class_values[attribute.alias]
            if units is not None and not isinstance(attribute, HiddenAttribute):
                if model.of_units:
                    measured, reads = model.of_units, ("classes", *reads)
                there |= _counted(model, units[attribute.alias])
            there["positions"] = attribute.positions
            if isinstance(attribute, HiddenAttribute):
                there |= attribute.relations
            distance = attribute.laid_out
            known = model.distances.get(attribute.distance, ())
            params |= {name: getattr(attribute, name) for name in known}
        about = f" of {attribute.name}" if attribute else ""
        title = f"measuring {model.name.replace('_', ' ')}{about}"
        if model.is_of_covered:
            title = f"measuring {model.title} against the {model.per}"
        return Step(
            title,
            self.relation,
            measured.format(distance=distance),
            {name: there[name] for name in reads},
            params,
        )


@dataclass(frozen=True)
class Requirements:
    """Models in the order in which the relations of a run number them.

    Who asks for one names its key; a number is what a relation has in its place.

    Attributes:
        models: the models, from number 1.
    """

    models: tuple[Asked, ...]

    @classmethod
    def bounded(cls, models: Iterable[Asked]) -> Requirements:
        """Those of which something is asked."""
        return cls(tuple(model for model in models if model.bound is not None))

    def __iter__(self) -> Iterator[tuple[int, Asked]]:
        """Every model with its number."""
        return iter(enumerate(self.models, 1))

    def number(self, key: Key) -> int:
        """The number of a model of an attribute.

        Raises:
            KeyError: if it is not among them.
        """
        return self._numbers[key]

    @property
    def of_size(self) -> int:
        """The number of what asks for a number of records: of k, or of the first model if k is 1.

        Then nothing is asked by k, and only what follows from the others asks for a size.
        """
        return self._numbers.get(OF_RECORDS, 1)

    @cached_property
    def _numbers(self) -> dict[Key, int]:
        found = {model.key: number for number, model in self}
        if len(found) < len(self.models):
            raise ValueError("two models have one key, and no metric could name them")
        return found


def _counted(model: PrivacyModel, units: UnitCounts) -> dict[str, Relation]:
    """The relations that a model reads where others than records are counted."""
    if model.counted == "pairs":
        return {"classes": units.pairs}
    if model.counted == "shares":
        return {"classes": units.wholes, "class_values": units.shares}
    return {}


def class_column(metric: str, attribute: str | None) -> str:
    """The column of the classes relation that shows a model's value.

    Args:
        metric: the model, as the metrics call it.
        attribute: what it is of, as the metrics call that: the columns with commas between, of k.
    """
    if attribute is None:
        return metric
    if metric == K_ANONYMITY.name:
        attribute = attribute.replace(", ", "_")
    return f"{attribute}_{metric}"


def asked_models(
    privacy: Privacy, sensitive: Sequence[SensitiveAttribute], full: bool = True
) -> list[Asked]:
    """Every model a spec asks for, and those that are measured of all attributes that they fit.

    Args:
        privacy: what is asked of every class.
        sensitive: the sensitive attributes, and what is hidden of them.
        full: whether to measure those of an attribute, too, that nothing is asked of.
    """
    found = []
    for attribute in (None, *sensitive):
        per = "release" if attribute is None else "sensitive"
        if isinstance(attribute, HiddenAttribute):
            per = attribute.per
        for model in (privacy_model for privacy_model in MODELS if privacy_model.per == per):
            of_attribute = None if attribute is None else attribute.declared
            threshold = model.asked_of(of_attribute, privacy)
            fits = attribute is None or model.per != "sensitive" or model.fits(attribute) is None
            wanted = model.always and fits and (attribute is None or full)
            if threshold is not None or wanted:
                found.append(Asked(Demand(model, threshold), attribute))
    return found


def asked_of_covered(privacy: Privacy) -> list[Asked]:
    """The models that a clause asks, or measures, of the people whom published tuples cover."""
    declared = {model: getattr(privacy, model.per) for model in MODELS if model.is_of_covered}
    return [
        Asked(Demand(model, model.asked(own))) for model, own in declared.items() if own is not None
    ]


def held_step(
    models: Sequence[Asked], output: Relation, how: Materialization = Materialization.WORK_VIEW
) -> Step | None:
    """The step that holds every class to what is asked; None where nothing is."""
    held = [
        (number, requirement)
        for number, requirement in Requirements(tuple(models))
        if requirement.bound is not None
    ]
    if not held:
        return None
    return Step(
        "holding the classes to what is asked",
        output,
        "privacy/held",
        {f"model_{number}": model.relation for number, model in held},
        {"models": [as_parameter(number, model) for number, model in held]},
        how,
    )


def as_parameter(number: int, model: Asked) -> dict[str, Any]:
    """A measured model, as templates read it; ``number`` is its number among `Requirements`."""
    return {
        "number": number,
        "metric": model.metric,
        "attribute": model.name,
        "threshold": model.shown,
        "worst": model.model.worst,
        "relation": model.relation,
        "attribute_number": model.number,
        "column": model.column,
        "bound": model.bound,
    }


POSITIONS, CLASS_VALUES = work("positions"), work("class_values")
# The templates of a single attribute, and those of all.
_MODELS = {
    "privacy/distinct_l": "measure/together/distinct_l",
    "privacy/t_listed": "measure/together/t_ordered",
    "privacy/t_ordered": "measure/together/t_ordered",
}
_ALIKE = ("integer", "decimal", "date", "text")  # equal values have one text


def numbers_of(sensitive: Sequence[SensitiveAttribute], asked: Sequence[Asked]) -> dict[str, int]:
    """The number of each sensitive attribute, by its alias, if they can be measured together.

    Returns:
        The numbers, from 1; none where there is one attribute alone, where not the same is asked
        of all, or where one's values are not known by their texts.
    """
    models = {str(attribute.alias): set[str]() for attribute in sensitive}
    for model in asked:
        if model.attribute is not None:
            template = model.model.measured.format(distance=model.attribute.laid_out)
            models.setdefault(str(model.attribute.alias), set()).add(_MODELS.get(template, ""))
    alike = len({frozenset(model) for model in models.values()}) == 1 and "" not in set().union(
        *models.values()
    )
    if len(sensitive) < 2 or not alike or not all(map(_known_by_texts, sensitive)):
        return {}
    return {str(attribute.alias): number for number, attribute in enumerate(sensitive, 1)}


def _known_by_texts(attribute: SensitiveAttribute) -> bool:
    plain = attribute.nodes is None and attribute.tie_breaker is None and attribute.padded is None
    ordered = attribute.declared.order != "frequency"
    return plain and ordered and attribute.kind in _ALIKE


def positions_step(
    sensitive: Sequence[SensitiveAttribute], numbers: Mapping[str, int], records: Relation
) -> Step:
    """The step that counts the values of all attributes, and puts each one's in their order.

    Args:
        sensitive: the sensitive attributes.
        numbers: their numbers.
        records: the records of the source.
    """
    lines = [
        (numbers[str(attribute.alias)], code, label)
        for attribute in sensitive
        if isinstance(attribute.declared.order, list)
        for code, label in [(0, None), *enumerate(attribute.declared.order, 1)]
    ]
    attributes = [
        {**_as_parameter(attribute, numbers), "listed": isinstance(attribute.declared.order, list)}
        for attribute in sensitive
    ]
    return Step(
        f"order of {_named(sensitive)}",
        POSITIONS,
        "measure/together/positions",
        {"records": records},
        {"attributes": attributes, "lines": lines},
    )


def values_step(
    sensitive: Sequence[SensitiveAttribute],
    numbers: Mapping[str, int],
    read: Mapping[str, Relation],
    params: Mapping[str, Any],
) -> Step:
    """The step that counts the values of all attributes in each class.

    Args:
        sensitive: the sensitive attributes.
        numbers: their numbers.
        read: the records and the classes.
        params: the template's parameters on the classes.
    """
    return Step(
        f"values of {_named(sensitive)} in each class",
        CLASS_VALUES,
        "measure/together/class_values",
        {**read, "positions": POSITIONS},
        {"attributes": [_as_parameter(attribute, numbers) for attribute in sensitive], **params},
    )


def measuring_steps(asked: Sequence[Asked], classes: Relation) -> Iterator[Step]:
    """The steps that measure each model of all attributes in every class.

    Args:
        asked: what is asked of them.
        classes: how many records every class has.
    """
    there = {"classes": classes, "class_values": CLASS_VALUES, "positions": POSITIONS}
    for output in dict.fromkeys(requirement.relation for requirement in asked):
        model = next(requirement.model for requirement in asked if requirement.relation == output)
        named = [
            requirement.attribute
            for requirement in asked
            if requirement.relation == output and requirement.attribute
        ]
        yield Step(
            f"measuring {model.name.replace('_', ' ')} of {_named(named)}",
            output,
            _MODELS[model.measured.format(distance=named[0].laid_out)],
            {name: there[name] for name in model.reads},
        )


def numbered(asked: Sequence[Asked], numbers: Mapping[str, int]) -> list[Asked]:
    """The asked models, with the numbers of attributes that are measured together."""
    return [
        replace(model, number=numbers.get(str(model.attribute.alias), 0))
        if model.attribute
        else model
        for model in asked
    ]


def _as_parameter(attribute: SensitiveAttribute, numbers: Mapping[str, int]) -> dict[str, Any]:
    return {"alias": attribute.alias, "number": numbers[str(attribute.alias)]}


def _named(attributes: Sequence[SensitiveAttribute]) -> str:
    return ", ".join(attribute.name for attribute in attributes)
