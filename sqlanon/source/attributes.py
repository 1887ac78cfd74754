"""The columns of a spec by their roles, and the steps that lay out their values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from sqlanon.domains.attribute import QuasiAttribute, SensitiveAttribute, Unit
from sqlanon.domains.domain import attribute_steps
from sqlanon.errors import Problem, SpecError
from sqlanon.forms import form_of, published_columns
from sqlanon.measure.copies import Compared
from sqlanon.measure.insensitive import Released
from sqlanon.plan import Check, Step, work
from sqlanon.privacy.l_diversity import DISTINCT_GROUPS_L
from sqlanon.privacy.model import LEVEL
from sqlanon.privacy.t_closeness import T_CLOSENESS
from sqlanon.source.source import RECORD_UNIT, RECORDS
from sqlanon.spec import Column, Spec
from sqlanon.spec.levels import as_shown, shows_stars
from sqlanon.sql.names import Relation, Sql


def quasi_attributes(
    spec: Spec,
    columns: Mapping[str, Column],
    short: Mapping[str, str],
    records: Relation = RECORDS,
    prefix: str = "",
    others: Mapping[str, Relation] = MappingProxyType({}),
) -> tuple[list[QuasiAttribute], list[Step | Check]]:
    """The quasi-identifiers, whose frequencies are those of the records.

    Args:
        spec: what is declared.
        columns: the source's columns.
        short: the alias of each of them.
        records: the records.
        prefix: of the names of the relations.
        others: by alias a relation whose values belong to the domain too.
    """
    attributes: list[QuasiAttribute] = []
    steps: list[Step | Check] = []
    for name in spec.quasi_identifiers:
        published = as_shown(spec, name)
        attribute, made = attribute_steps(
            short[name],
            columns[name],
            published,
            records,
            prefix,
            others.get(short[name]),
            stars=shows_stars(spec),
        )
        attribute = _bounded(attribute, spec.levels.get(name))
        coarse, masked = spec.coarse.get(name, 0), spec.masked.get(name, 0)
        attributes.append(_coarsened(attribute, coarse, masked))
        steps += made
    return attributes, steps


def named_values(
    title: str,
    table: Relation | Sql,
    attributes: Sequence[QuasiAttribute],
    shown: Relation,
    where: str,
) -> tuple[list[Step], dict[str, Relation]]:
    """The cells of a published table, and the values that they name, which a source may lack.

    Args:
        title: of reading the table, for people.
        table: the table.
        attributes: the quasi-identifiers.
        shown: the relation to make: the table's cells, its columns under their aliases.
        where: the place in the spec, or the argument, that names the table.

    Returns:
        The steps, and by alias of a quasi-identifier the relation of its values.
    """
    columns, types = (
        published_columns(attributes),
        {quasi_identifier.alias: quasi_identifier.column for quasi_identifier in attributes},
    )
    read = [
        {
            "name": column.name,
            "alias": column.alias,
            "type": Sql(types[column.attribute].type) if column.typed else None,
        }
        for column in columns
    ]
    read_cells, cells = {"earlier": table}, {"columns": read}
    steps = [Step(title, shown, "domains/cells_shown", read_cells, cells, where=where)]
    values: dict[str, Relation] = {}
    for attribute in attributes:
        of = [column for column in columns if column.attribute == attribute.alias]
        output = work("named_values_", attribute.alias)
        step = form_of(attribute).naming(attribute, of, shown, output)
        if step is not None:
            steps.append(step)
            values[str(attribute.alias)] = output
    return steps, values


def _bounded(attribute: QuasiAttribute, levels: tuple[int, int] | None) -> QuasiAttribute:
    """The attribute with its levels bounded.

    Raises:
        SpecError: if it has no such levels.
    """
    if levels is not None and levels[1] > attribute.height:
        what = f"there is no level {levels[1]}: the highest, where all is *, is {attribute.height}"
        raise SpecError(Problem(f"levels.{attribute.name}", what))
    return replace(attribute, bounds=levels)


def _coarsened(attribute: QuasiAttribute, coarse: int, masked: int) -> QuasiAttribute:
    """The attribute as slices show it: at a level, and at another one where it is suppressed.

    Raises:
        SpecError: if it has no such level below the root.
    """
    for where, level in (("levels", coarse), ("suppress.levels", masked)):
        if level >= max(attribute.height, 1):
            highest = attribute.height - 1
            what = f"there is no level {level} below the root: the highest is {highest}"
            raise SpecError(Problem(f"publish.{where}.{attribute.name}", what))
    return replace(attribute, coarse=coarse, masked=masked)


def sensitive_attributes(
    spec: Spec,
    columns: Mapping[str, Column],
    short: Mapping[str, str],
    unit: Unit = RECORD_UNIT,
) -> tuple[list[SensitiveAttribute], list[Step | Check]]:
    """The sensitive attributes, with frequencies of the values of the records, or of other units.

    Args:
        spec: what is declared.
        columns: the source's columns.
        short: the alias of each of them.
        unit: what a class counts.
    """
    attributes: list[SensitiveAttribute] = []
    steps: list[Step | Check] = []
    for name, declared in spec.sensitive.items():
        source = RECORDS
        pairs = unit.values(columns[name], short[name])
        if pairs is not None:
            source = pairs.output
            steps.append(pairs)
        asks_t = T_CLOSENESS.asked_of(declared, spec.privacy) is not None
        attribute, made = attribute_steps(
            short[name], columns[name], declared, source, asks_t=asks_t
        )
        _hold_level(spec, attribute)
        attributes.append(attribute)
        steps += made
    return attributes, steps


def _hold_level(spec: Spec, attribute: SensitiveAttribute) -> None:
    """Refuse to count groups of a hierarchy that an attribute has not.

    Raises:
        SpecError: if it has no hierarchy, or none of such a level.
    """
    declared, model = attribute.declared, DISTINCT_GROUPS_L
    asked = model.asked_of(declared, spec.privacy)
    if asked is None:
        return
    own = getattr(declared, model.field.name, None) is not None
    where = f"{f'sensitive.{attribute.name}' if own else 'privacy'}.{model.field.name}.{LEVEL}"
    if attribute.nodes is None:
        what = (
            f"it counts groups of a hierarchy, and {attribute.name!r} has none: declare one with "
        )
        raise SpecError(Problem(where, f"{what}distance: hierarchical, or leave the level out"))
    if asked.level >= attribute.height:
        highest = attribute.height - 1
        what = f"there are no groups of level {asked.level} of {attribute.name!r}: "
        what += (
            f"the highest below * is {highest}" if highest else "all its values lie right below *"
        )
        raise SpecError(Problem(where, what))


def released_as_they_are(
    spec: Spec, columns: Mapping[str, Column], short: Mapping[str, str]
) -> list[Released]:
    """The insensitive columns."""
    found = []
    for name, declared in spec.insensitive.items():
        column, alias = columns[name], Sql(short[name])
        accepted, tie_breaker, padded = declared.accept, column.tie_breaker, column.padded
        found.append(
            Released(
                alias=alias,
                name=name,
                kind=column.kind,
                accepted=accepted,
                tie_breaker=tie_breaker,
                apart=column.apart,
                padded=padded,
            )
        )
    return found


def compared(spec: Spec, records: Relation, insensitive: Sequence[Released]) -> Compared:
    """The comparison that finds the sensitive columns that give a quasi-identifier back.

    Args:
        spec: what is declared.
        records: the source's records, or one of each unit.
        insensitive: the insensitive columns.
    """
    accepted = [name for name, attribute in spec.sensitive.items() if attribute.accept is not None]
    return Compared(records, accepted, [column.alias for column in insensitive])
