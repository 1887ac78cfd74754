"""An external table of persons, held against what was published: the steps that read both alike."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlanon.attacks import EXTERNAL, Fitted
from sqlanon.attacks.as_published import EXACT, STARRED, AsPublished, ShownCell
from sqlanon.domains import attribute_steps
from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.plan import Check, Materialization, Step, work
from sqlanon.source.source import as_read, inspect_source, lacking
from sqlanon.spec import NUMBERS, Column, Kind, QuasiIdentifier, Source, Spec, comparable
from sqlanon.spec.columns import TEXTS, hierarchy_need
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql

_DATE = "[0-9]{4,}-[0-9]{2}-[0-9]{2}"
_NUMBER = "^(-?([0-9]+([.][0-9]*)?([eE][+-]?[0-9]+)?|[iI]nf(inity)?)|[nN]a[nN])$"
# As what values of a kind are compared, and what text can be read as one.
_READ: dict[Kind, tuple[str, str, str]] = {
    **dict.fromkeys(NUMBERS, ("double", _NUMBER, "numbers")),
    "date": ("date", f"^{_DATE}$", "dates"),
    "timestamp": ("timestamp", f"^{_DATE}([ T][0-9:.]+)?$", "dates or times"),
}
_TEXT = "varchar"
_DIGITS = 38  # of a decimal of every engine
# Forms whose cells begin and end with a value.
_OF_ENDS = ("interval", "bounds", EXACT)
# Forms whose cells are one value: the record's own where it is exact, else its class's.
_OF_VALUES = (EXACT, "mean", "median", "mode")


def read_external(
    source: Source,
    cells: Sequence[ShownCell],
    spec: Spec,
    engine: Engine,
    item: Sql | None = None,
    where: str = "external",
    output: Relation = EXTERNAL,
) -> tuple[list[Step | Check], dict[str, Column]]:
    """The step that reads the persons, and the columns by which they are known.

    Args:
        source: the external table.
        cells: the quasi-identifiers that are known of its persons.
        spec: whose codes for a missing value mean one in the external table as well.
        engine: where it is read.
        item: a FROM item in its place.
        where: what the table is called in a message.
        output: where it is read to.

    Raises:
        SpecError: if it cannot be read, or lacks a column, or has one whose values cannot be
            compared.
    """
    more = "; if it does not tell that, say which quasi-identifiers it tells (on)"
    found, known, read = known_columns(source, cells, spec, engine, item, where, more)
    table, size = f"{where} table", work(where, "_size")
    stays = source.table is not None and item is None
    how = Materialization.WORK_VIEW if stays else Materialization.WORK_TABLE
    reading = Step(
        f"reading the {table}",
        output,
        "source/records",
        {"source": found},
        {"columns": read},
        how,
    )
    empty = Check(
        f"the {table} has persons",
        "source/check_not_empty",
        {"size": size},
        {},
        where,
        "it has no row: nobody can be linked",
    )
    counting = Step("counting the persons", size, "source/size", {"records": output})
    return [reading, counting, empty], known


def known_columns(
    source: Source,
    cells: Sequence[ShownCell],
    spec: Spec,
    engine: Engine,
    item: Sql | None,
    where: str,
    more: str = "",
) -> tuple[Relation | Sql, dict[str, Column], list[dict[str, Any]]]:
    """Where a table is, its columns that are held against a release, and how they are read.

    Args:
        source: the table.
        cells: the columns of the release.
        spec: whose codes for a missing value mean one in the table as well.
        engine: where it is read.
        item: a FROM item in its place.
        where: what the table is called in a message.
        more: what else may be wrong where a column is not there.

    Raises:
        SpecError: if it cannot be read, or lacks a column, or has one whose values cannot be
            compared.
    """
    found, columns = inspect_source(source, engine, where, item)
    there = {one.name: one for one in columns}
    wanted = [one.name for one in cells]
    problems = lacking(wanted, source, there, where, more)
    problems += [
        Problem(
            where,
            f"its column {name!r} is {there[name].shown_type}, which cannot be compared: numbers, "
            "dates, timestamps, booleans and text can; cast it in a query",
        )
        for name in wanted
        if name in there and there[name].kind == "other"
    ]
    if problems:
        raise SpecError(problems)
    known = {name: there[name] for name in wanted}
    try:
        read = [as_read(spec, one, alias(place)) for place, one in enumerate(known.values(), 1)]
    except ValueError as error:  # codes of another type
        raise SpecError(Problem(where, f"missing: {error}")) from None
    return found, known, read


def alias(place: int) -> Sql:
    """What a known column is called in the external table as it is read; the first is 1."""
    return Sql(f"q{place}")


def fit(
    cell: ShownCell,
    place: int,
    column: Column,
    shown: Sequence[Sql],
    tuples: Relation,
    where: str = "external",
    persons: Relation = EXTERNAL,
) -> tuple[Fitted, list[Step | Check]]:
    """The steps that hold a quasi-identifier's cells against the persons' values.

    Args:
        cell: how it is shown.
        place: its place among the known ones, from 1.
        column: the external table's column.
        shown: the columns of the tuples that stand for it.
        tuples: the published tuples.
        where: what the table of persons is called in a message.
        persons: the table of persons as it is read.
    """
    if cell.form in (*_OF_ENDS, *_OF_VALUES):
        return _by_ends(cell, place, column, shown, tuples, where, persons)
    return _by_hierarchy(cell, place, column, shown[0], tuples, where)


def _by_ends(
    cell: ShownCell,
    place: int,
    column: Column,
    shown: Sequence[Sql],
    tuples: Relation,
    where: str,
    persons: Relation,
) -> tuple[Fitted, list[Step | Check]]:
    known = alias(place)
    ends, places, spans = (work(name, known) for name in ("ends_", "known_", "spans_"))
    kind = column.kind
    if cell.form not in _OF_VALUES and kind not in _READ:
        what = (
            f"its column {cell.name!r} is {column.shown_type}, and the release has intervals: "
            "numbers or dates are needed; cast it in a query"
        )
        raise SpecError(Problem(where, what))
    type_, form, of = _READ.get(kind, (_TEXT, "", ""))
    if cell.form in _OF_VALUES:
        type_ = _exact_type(cell.name, column, cell.columns[0], where) or type_
    steps: list[Step | Check] = [
        Step(
            f"cells of {cell.name}, read",
            ends,
            "attacks/ends",
            {"classes": tuples},
            {"form": cell.form, "low": shown[0], "high": shown[-1]},
        ),
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
                f"have cells that are no {of}, {{classes}} in number: give it in the release's "
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
            {"ends": ends, "places": places, "external": EXTERNAL},
            {"attribute": known, "type": sql_type},
        )
        if cell.form == "mean"
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
    sizes = [_digits(one) for one in (column, published)]
    declared = [one for one in sizes if one is not None]
    whole, scale = (max((one[at] for one in declared), default=0) for at in (0, 1))
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
    cell: ShownCell, place: int, column: Column, shown: Sql, tuples: Relation, where: str
) -> tuple[Fitted, list[Step | Check]]:
    """Labels and sets: the hierarchy, or the list of values, is that of the persons' values."""
    known, spans = alias(place), work("spans_", alias(place))
    declared = cell.declared or QuasiIdentifier()
    need = hierarchy_need(declared, column)
    if need is not None:
        what = f"its column {cell.name!r} is {column.shown_type}, and the release has labels of a "
        raise SpecError(Problem(where, f"{what}hierarchy: {need}; cast it in a query"))
    attribute, made = attribute_steps(
        str(known), replace(column, name=cell.name), declared, EXTERNAL, "external_"
    )
    # A person whom the hierarchy does not know is no fault: every cell but * leaves that one out.
    steps: list[Step | Check] = [one for one in made if isinstance(one, Step)]
    if cell.form == "set":
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
        return Fitted(known, attribute.domain, None, spans, members, lists), steps
    labels, of = work("external_labels_", known), {"domain": attribute.domain}
    template, params = "check/labels", {"height": attribute.height}
    if cell.form == STARRED:
        template, params = "check/starred_labels", {}
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
    return Fitted(known, attribute.domain, None, spans), steps


def known_cells(found: AsPublished, on: Sequence[str] | None) -> list[ShownCell]:
    """The quasi-identifiers that are known of the persons: all, or those that are named.

    Raises:
        SpecError: if one is named that is none.
    """
    cells = [one.name for one in found.cells]
    others = [one.name for one in found.comparable]
    names = list(dict.fromkeys([*cells, *others]))
    problems = [
        Problem("on", f"the release cannot be linked by {name!r}: it can by {', '.join(names)}")
        for name in on or ()
        if name not in names
    ]
    if problems:
        raise SpecError(problems)
    if on is not None and not on:
        raise SpecError(Problem("on", "name one quasi-identifier at least"))
    return [one for one in found.cells if on is None or one.name in on]
