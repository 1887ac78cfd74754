"""From the records to an equivalence class for each of them, by the method that the spec names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlanon.hierarchies import Attribute, telling
from sqlanon.methods import (
    Curve,
    Merging,
    Scaled,
    SplitOrDeal,
    Tested,
    fragmentation_steps,
    stack_and_deal,
    stacked_columns,
)
from sqlanon.plan import Check, How, Search, Step, work
from sqlanon.privacy import Model, declared_models
from sqlanon.release.persons import (
    NUMBER,
    PERSONS,
    UNIT_ASSIGNED,
    UNIT_CLASSES,
    UNIT_VALUES,
    UNITS,
    following_step,
    unit_steps,
)
from sqlanon.release.source import RECORDS
from sqlanon.spec import (
    BandsHierarchy,
    DatesHierarchy,
    DealTreeMethod,
    FragmentationMethod,
    QuasiIdentifier,
    Spec,
    SplitOrDealMethod,
    StackAndDealMethod,
)
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql

CODED, ASSIGNED = work("coded"), work("assigned")
CELLS, PARTS, RANGES = work("cells"), work("parts"), work("ranges")


@dataclass(frozen=True)
class Coded:
    """The records with integer codes, and what their columns are.

    Attributes:
        hidden: the quasi-identifiers.
        sensitive: the sensitive attributes.
        insensitive: the released columns beside them.
        key: the columns that name a record.
        ties: what tells apart values of these two that are equal.
        person: the columns that name whom a record is about, if persons are counted.
        records: the records with their values.
        relation: the records with their codes.
        assigned: where a class for each of them goes.
    """

    hidden: tuple[Attribute, ...]
    sensitive: tuple[Attribute, ...]
    insensitive: tuple[Sql, ...]
    key: tuple[Sql, ...]
    ties: tuple[Sql, ...]
    person: tuple[Sql, ...]
    records: Relation = RECORDS
    relation: Relation = CODED
    assigned: Relation = ASSIGNED

    @classmethod
    def of(
        cls,
        spec: Spec,
        short: Mapping[str, str],
        hidden: Sequence[Attribute],
        sensitive: Sequence[Attribute],
        ties: Iterable[str],
    ) -> Coded:
        """The columns of a spec, by their short names."""
        return cls(
            tuple(hidden),
            tuple(sensitive),
            tuple(Sql(short[name]) for name in spec.insensitive),
            tuple(Sql(short[name]) for name in spec.key),
            tuple(map(Sql, ties)),
            tuple(Sql(short[name]) for name in spec.person),
        )

    @property
    def coordinates(self) -> tuple[Sql, ...]:
        """The codes: a record's quasi-identifiers and sensitive values."""
        return tuple(attribute.alias for attribute in (*self.hidden, *self.sensitive))

    @property
    def carried(self) -> tuple[Sql, ...]:
        """The columns that decide nothing but ties."""
        return (*self.insensitive, *self.key, *self.person)


def assignment_steps(
    spec: Spec, coded: Coded, curve: Callable[[], Curve]
) -> list[Step | Check | Search]:
    """The steps that leave the relation ``ASSIGNED``: a class for every record.

    Args:
        spec: names the method.
        coded: the columns.
        curve: the order of the records along their quasi-identifiers, for a method that asks.
    """
    domains = {str(one.alias): one.domain for one in (*coded.hidden, *coded.sensitive)}
    coordinates = coded.coordinates
    if isinstance(spec.method, StackAndDealMethod):
        hidden = tuple(attribute.alias for attribute in coded.hidden)
        coordinates = (*hidden, *stacked_columns(coded.sensitive))
    coding = Step(
        "coding the records",
        CODED,
        "source/coded",
        {"records": RECORDS} | {f"domain_{alias}": at for alias, at in domains.items()},
        {
            "attributes": coordinates,
            "domains": domains,
            "carried": (*coded.carried, *coded.ties),
            "telling": telling(coded.sensitive),
        },
        How.WORK_VIEW,
    )
    if coded.person:
        return [coding, *_by_person(spec, coded, coordinates, curve)]
    return [coding, *_formed(spec, coded, curve)]


def _formed(spec: Spec, coded: Coded, curve: Callable[[], Curve]) -> list[Step | Check | Search]:
    """The steps of the method."""
    if isinstance(spec.method, StackAndDealMethod):
        return [*_dealt(spec, spec.method, coded, curve)]
    if isinstance(spec.method, FragmentationMethod):
        return _fragmented(spec, spec.method, coded, curve)
    return [*_searched(spec, spec.method, coded)]


def _by_person(
    spec: Spec, coded: Coded, coordinates: Sequence[Sql], curve: Callable[[], Curve]
) -> list[Step | Check | Search]:
    """One record for each person is assigned by the method; the others follow their person."""
    choosing, chosen = unit_steps(CODED, coded.person, coordinates, coded.sensitive, spec.seed)
    units = replace(
        coded,
        sensitive=chosen,
        insensitive=(NUMBER,),
        key=(),
        ties=(),
        person=(),
        records=UNIT_VALUES if chosen else UNITS,
        relation=UNITS,
        assigned=UNIT_ASSIGNED,
    )
    steps: list[Step | Check | Search] = [*choosing, *_formed(spec, units, curve)]
    classes = UNIT_ASSIGNED
    if isinstance(spec.method, SplitOrDealMethod) and coded.sensitive:
        classes = UNIT_CLASSES
        merging = Merging(
            CODED,
            PERSONS,
            UNIT_ASSIGNED,
            classes,
            coded.person,
            tuple(attribute.alias for attribute in coded.hidden),
            coded.sensitive,
            tuple(declared_models(spec.privacy, coded.sensitive)),
        )
        steps.append(merging)
    columns = (*coded.coordinates, *coded.insensitive)
    return [*steps, following_step(CODED, classes, ASSIGNED, coded.person, columns)]


def _dealt(
    spec: Spec, method: StackAndDealMethod, coded: Coded, curve: Callable[[], Curve]
) -> list[Step]:
    return stack_and_deal(
        coded.records,
        coded.relation,
        coded.assigned,
        coded.hidden,
        coded.sensitive,
        coded.insensitive,
        (*coded.key, *coded.ties),
        method,
        spec.privacy.k,
        spec.seed,
        None if method.locality == "none" else curve(),
    )


def _fragmented(
    spec: Spec, method: FragmentationMethod, coded: Coded, curve: Callable[[], Curve]
) -> list[Step | Check | Search]:
    return fragmentation_steps(
        coded.relation,
        coded.assigned,
        coded.hidden,
        coded.sensitive,
        coded.insensitive,
        (*coded.key, *coded.ties),
        method,
        declared_models(spec.privacy, coded.sensitive),
        curve(),
    )


def _searched(
    spec: Spec, method: SplitOrDealMethod | DealTreeMethod, coded: Coded
) -> list[Step | Search]:
    """Search on weighted cells, then hand the records of every cell out to its classes."""
    scaled, scales = [], []
    for attribute in coded.hidden:
        one, steps = _scaled(attribute)
        scaled.append(one)
        scales += steps
    models = declared_models(spec.privacy, coded.sensitive)
    search = SplitOrDeal(
        CELLS,
        PARTS,
        tuple(scaled),
        tuple(_tested(attribute, models) for attribute in coded.sensitive),
        spec.privacy.k,
        method.refine if isinstance(method, SplitOrDealMethod) else 0,
        spec.seed,
        method.regions if isinstance(method, SplitOrDealMethod) else None,
        dealt_only=isinstance(method, DealTreeMethod),
    )
    return [
        Step(
            "gathering equal records in cells",
            CELLS,
            "cells/cells",
            {"coded": coded.relation},
            {"columns": coded.coordinates},
        ),
        *scales,
        search,
        Step("each class's share of the cells", RANGES, "cells/ranges", {"parts": PARTS}),
        Step(
            "handing the records out to the classes",
            coded.assigned,
            "cells/assigned",
            {"coded": coded.relation, "cells": CELLS, "ranges": RANGES},
            {
                "columns": (*coded.coordinates, *coded.insensitive),
                "coordinates": coded.coordinates,
                "carried": coded.carried,
                "seed": spec.seed,
            },
        ),
    ]


def _scaled(attribute: Attribute) -> tuple[Scaled, list[Step]]:
    """How a quasi-identifier's loss grows with its extent, as the search reads it."""
    declared = attribute.declared
    assert isinstance(declared, QuasiIdentifier)  # noqa: S101 - only these are generalized
    publish = {"bounds": "interval"}.get(attribute.publish, attribute.publish)
    inputs = {"domain": attribute.domain}
    if attribute.nodes is not None:
        levels, losses = work("levels_", attribute.alias), work("node_losses_", attribute.alias)
        periods = isinstance(declared.hierarchy, BandsHierarchy | DatesHierarchy)
        params = {"height": attribute.height, "kind": attribute.kind if periods else None}
        steps = [
            Step(f"levels of {attribute.name}", levels, "cells/levels", inputs, params),
            Step(
                f"what each group of {attribute.name} loses",
                losses,
                "cells/node_losses",
                inputs,
                params,
            ),
        ]
        scaled = Scaled(
            attribute.alias, publish, declared.weight, attribute.height, levels, losses, None
        )
        return scaled, steps
    if publish == "interval":
        axis = work("axis_", attribute.alias)
        step = Step(
            f"where each {attribute.name} lies",
            axis,
            "cells/axis",
            inputs,
            {"kind": attribute.kind},
        )
        scaled = Scaled(attribute.alias, publish, declared.weight, None, None, None, axis)
        return scaled, [step]
    return Scaled(attribute.alias, publish, declared.weight, None, None, None, None), []


def _tested(attribute: Attribute, models: Sequence[Model]) -> Tested:
    """The models asked of a sensitive attribute, as the search tests them."""
    assert attribute.positions is not None  # noqa: S101 - sensitive attributes have them
    own = {model.metric: model for model in models if model.attribute == attribute}
    asked = {metric: model.threshold for metric, model in own.items()}
    distinct, recursive = asked["distinct_l"], own.get("recursive_l")
    return Tested(
        attribute.alias,
        attribute.positions,
        asked["t_closeness"],
        own["t_closeness"].template.removeprefix("privacy/t_"),
        asked["alpha"],
        None if distinct is None else int(distinct),
        asked["entropy_l"],
        None
        if recursive is None or recursive.threshold is None
        else (recursive.threshold, recursive.params["l"]),
        attribute.height,
    )
