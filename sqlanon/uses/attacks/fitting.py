"""The cells of a release, and the values of persons held against them, as codes of one scale."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from sqlanon.domains.domain import attribute_steps
from sqlanon.errors import Problem, SpecError
from sqlanon.plan import FOUND, Check, Step, work
from sqlanon.spec import NUMBERS, Column, Kind, QuasiIdentifier, comparable
from sqlanon.spec.columns import TEXTS, hierarchy_need
from sqlanon.sql.names import Relation, Sql
from sqlanon.uses.attacks.against import alias
from sqlanon.uses.attacks.as_published import STARRED, ShownCell
from sqlanon.uses.attacks.linking import EXTERNAL, Fitted

# Before Christ, after 9999 and without end as each of the databases writes them.
_DATE = "[+-]?[0-9]{4,6}-[0-9]{2}-[0-9]{2}( [(]BC[)])?"
_NUMBER = "^(-?([0-9]+([.][0-9]*)?([eE][+-]?[0-9]+)?|[iI]nf(inity)?)|[nN]a[nN])$"
# As what values of a kind are compared, and what text can be read as one.
_READ: dict[Kind, tuple[str, str, str]] = {
    **dict.fromkeys(NUMBERS, ("double", _NUMBER, "numbers")),
    "date": ("date", f"^({_DATE}( BC)?|-?infinity)$", "dates"),
    # A release has times with a zone as of UTC; another offset would be lost where it is cast.
    "timestamp": (
        "timestamp",
        f"^({_DATE}([ T][0-9:.]+([+]00(:?00)?)?)?( BC)?|-?infinity)$",
        "dates or times",
    ),
}
_TEXT = "varchar"
_LARGE = ("HUGEINT", "UHUGEINT")  # whole numbers of up to 39 digits
_DIGITS = 38  # of a decimal of every engine


def fit(
    cell: ShownCell,
    number: int,
    column: Column,
    shown: Sequence[Sql],
    tuples: Relation,
    where: str = "external",
    persons: Relation = EXTERNAL,
) -> tuple[Fitted, list[Step | Check]]:
    """The steps that hold a quasi-identifier's cells against the persons' values.

    Args:
        cell: how it is shown.
        number: its place among the known ones, from 1.
        column: the external table's column.
        shown: the columns of the tuples that stand for it.
        tuples: the published tuples.
        where: what the table of persons is called in a message.
        persons: the table of persons as it is read.
    """
    if cell.rule.shows in ("ends", "value"):
        return _by_ends(
            cell,
            number=number,
            column=column,
            shown=shown,
            tuples=tuples,
            where=where,
            persons=persons,
        )
    return _by_hierarchy(
        cell,
        number=number,
        column=column,
        shown=shown[0],
        tuples=tuples,
        where=where,
        persons=persons,
    )


def _by_ends(
    cell: ShownCell,
    number: int,
    column: Column,
    shown: Sequence[Sql],
    tuples: Relation,
    where: str,
    persons: Relation,
) -> tuple[Fitted, list[Step | Check]]:
    known = alias(number)
    ends, places, spans = (work(name, known) for name in ("ends_", "known_", "spans_"))
    kind, has_ends = column.kind, cell.rule.shows == "ends"
    if has_ends and kind not in _READ:
        what = (
            f"its column {cell.name!r} is {column.shown_type}, and the release has intervals: "
            "numbers or dates are needed; cast it in a query"
        )
        raise SpecError(Problem(where, what))
    type_, form, of = _READ.get(kind, (_TEXT, "", ""))
    if column.single:
        type_ = "real"
    if not has_ends:
        type_ = _exact_type(cell.name, column, cell.columns[0], where) or type_
    steps: list[Step | Check] = [
        Step(
            f"cells of {cell.name}, read",
            ends,
            "attacks/ends",
            {"classes": tuples},
            {
                "low": shown[0],
                "high": shown[-1],
                "in_one": has_ends and len(shown) == 1,
                "tells_null": cell.rule.tells_null,
            },
        )
    ]
    if form:
        steps.append(
            Check(
                f"cells of {cell.name} are {of}",
                "attacks/check_ends",
                {"ends": ends},
                {"form": form},
                where,
                f"its column {cell.name!r} is {column.shown_type}, and classes of the release "
                f"have cells that are no {of}, {FOUND.classes} in number: give it in the release's "
                "type",
            )
        )
    sql_type = Sql(type_)
    steps += [
        Step(
            f"values of {cell.name}",
            places,
            "attacks/places",
            {"external": persons, "ends": ends},
            {"attribute": known, "type": sql_type},
        ),
        Step(
            f"what cells of {cell.name} stand for",
            spans,
            "utility/mean_spans",
            {"ends": ends, "places": places, "external": persons},
            {"attribute": known, "type": sql_type},
        )
        if cell.rule.adds
        else Step(
            f"what cells of {cell.name} stand for",
            spans,
            "attacks/end_spans",
            {"ends": ends, "places": places},
            {"type": sql_type},
        ),
    ]
    return Fitted(known, places, sql_type, spans, lists=type_ == _TEXT), steps


def _exact_type(name: str, column: Column, published: Column, where: str) -> str | None:
    """As what whole and decimal numbers are compared, so that no digit is lost; None for others.

    Raises:
        SpecError: if values of the two types cannot be compared, or no decimal holds both.
    """
    what = (
        f"its column {name!r} is {column.shown_type}, and the release's is {published.shown_type}"
    )
    if not comparable(column.kind, published.kind):
        raise SpecError(Problem(where, f"{what}: cast it in a query"))
    if not {column.kind, published.kind} <= {"integer", "decimal"}:
        return None
    if column.kind == published.kind == "integer":
        largest = [type_name for type_name in _LARGE if type_name in (column.type, published.type)]
        if largest and {column.type, published.type} != set(_LARGE):
            return largest[0].lower()
    sizes = [_digits(one) for one in (column, published)]
    declared = [size for size in sizes if size is not None]
    whole, scale = (max((digits[at] for digits in declared), default=0) for at in (0, 1))
    if len(declared) < len(sizes) or whole + scale > _DIGITS:
        cure = f"no decimal of {_DIGITS} digits is known to hold both; give both as decimals that"
        raise SpecError(Problem(where, f"{what}: {cure} one does, or as doubles"))
    return f"decimal({_DIGITS}, {scale})"


def _digits(column: Column) -> tuple[int, int] | None:
    """The digits before and behind the point; None where that is not declared."""
    declared = re.fullmatch(r"\w+\((\d+)(?:,\s*(\d+))?\)", column.type)
    if declared is None:
        return (19, 0) if column.kind == "integer" else None
    scale = int(declared[2] or 0)
    return int(declared[1]) - scale, scale


def _by_hierarchy(
    cell: ShownCell,
    number: int,
    column: Column,
    shown: Sql,
    tuples: Relation,
    where: str,
    persons: Relation,
) -> tuple[Fitted, list[Step | Check]]:
    """Labels and sets: the hierarchy, or the list of values, is that of the persons' values."""
    known, spans = alias(number), work("spans_", alias(number))
    declared = cell.declared or QuasiIdentifier()
    need = hierarchy_need(declared, column)
    if need is not None:
        what = f"its column {cell.name!r} is {column.shown_type}, and the release has labels of a "
        raise SpecError(Problem(where, f"{what}hierarchy: {need}; cast it in a query"))
    attribute, made = attribute_steps(
        str(known), replace(column, name=cell.name), declared, persons, "external_"
    )
    # A person whom the hierarchy does not know is no fault: every cell but * leaves that one out.
    steps: list[Step | Check] = [step for step in made if isinstance(step, Step)]
    if cell.rule.shows == "members":
        members = work("external_members_", known)
        steps += [
            Step(
                f"sets of {cell.name}",
                members,
                "check/set_members",
                {"classes": tuples, "domain": attribute.domain},
                {"alias": shown, "fold": False},
            ),
            Step(
                f"what cells of {cell.name} stand for",
                spans,
                "attacks/set_spans",
                {"set_members": members},
            ),
        ]
        lists = column.kind in TEXTS
        return Fitted(
            alias=known,
            places=attribute.domain,
            type=None,
            spans=spans,
            members=members,
            lists=lists,
        ), steps
    labels, of = work("external_labels_", known), {"domain": attribute.domain}
    template, params = "check/labels", {"height": attribute.height}
    if cell.form == STARRED:
        template, params = "check/starred_labels", {"level": cell.level, "mask": cell.masked}
    steps += [
        Step(f"labels of {cell.name}", labels, template, of, params),
        Step(
            f"what cells of {cell.name} stand for",
            spans,
            "attacks/label_spans",
            {"classes": tuples, "labels": labels},
            {"alias": shown},
        ),
    ]
    # A cell that is its value is published as text: what is written otherwise may be the same.
    lists = cell.starred and not cell.level
    fitted = Fitted(known, attribute.domain, None, spans, lists=lists, starred=cell.starred)
    return fitted, steps


def by_label(
    cell: ShownCell, fitted: Fitted, shown: Sql, tuples: Relation
) -> tuple[Fitted, list[Step]]:
    """The same where groups show labels of a level: persons who share one have the same code.

    Args:
        cell: how the quasi-identifier is shown.
        fitted: how its values become codes.
        shown: the column of the tuples that stands for it.
        tuples: the published tuples.
    """
    if not cell.level and not cell.masked:
        return fitted, []
    places, domain = work("node_places_", fitted.alias), {"domain": fitted.places}
    node = Sql(f"node_{cell.level}" if cell.level else "code")
    steps = [
        Step(
            f"values of {cell.name} by their labels",
            places,
            "attacks/node_places",
            domain,
            {"node": node},
        )
    ]
    if not cell.masked:
        return replace(fitted, places=places), steps
    masks, spans = work("masks_", fitted.alias), work("mask_spans_", fitted.alias)
    label, mask = Sql(f"level_{cell.level}"), Sql(f"level_{cell.masked}")
    params = {"node": node, "label": label, "mask": mask}
    steps += [
        Step(
            f"what suppressed cells of {cell.name} show",
            masks,
            "attacks/mask_codes",
            domain,
            {**params, "mask_node": Sql(f"node_{cell.masked}")},
        ),
        Step(
            f"cells of {cell.name}, suppressed ones by what they show",
            spans,
            "attacks/mask_spans",
            {**domain, "classes": tuples, "masks": masks},
            {**params, "alias": shown},
        ),
    ]
    return replace(fitted, places=places, spans=spans, lists=False, masks=masks), steps
