"""What every form must keep, by being registered: its cells, what they lose, NULLs, any threads."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from functools import cache
from typing import Any

import pytest
from drawn import members_of, text
from support import Connection, Row, database, make_table, quoted, read, relations

import sqlanon
from sqlanon.forms import FORMS
from sqlanon.forms.form import Form

pytestmark = pytest.mark.slow

every_form = pytest.mark.parametrize("form", FORMS)
TABLE, RELEASE, K = "p'e\"ople", "pub'l\"ic", 4
TOWNS = {"süd, it's": ["a, b", "O'Brien"], 'n"orth': ["{x}", "é", "[1, 2]"]}
STRETCH = re.compile(r"\[(.*), (.*)([])])", re.DOTALL)


@dataclass(frozen=True)
class Column:
    """A quasi-identifier that a form may take, and its values: one, and some others with ties."""

    type: str
    one: Any
    others: Sequence[Any]
    settings: Mapping[str, Any] = field(default_factory=dict)

    def takes(self, form: Form) -> bool:
        """Whether the form may publish it, by what its rule says."""
        rule, ordered = form.rule, "order" in self.settings
        if rule.misfit("hierarchy" in self.settings, ordered) is not None:
            return False
        if rule.adds:
            return self.type in ("integer", "decimal(6, 2)")
        return not rule.measurable or ordered or self.type != "varchar"

    def place(self, value: Any) -> Any:
        """Where a value lies among the others, given in its type or as text."""
        if "order" in self.settings:
            return self.settings["order"].index(value)
        if self.type == "date":
            return date.fromisoformat(str(value))
        return Decimal(str(value))

    def lies(self, value: Any, low: Any, high: Any, closed: bool = True) -> bool:
        """Whether a value lies between two, the greater one included if it is closed."""
        if value is None:
            return False
        least, at, most = map(self.place, (low, value, high))
        return bool(least <= at <= most and (closed or at < most))


NUMBERS, DAYS = (20, 23, 23, None, 41), (date(2000, 1, 31), date(2001, 5, 2), None)
NAMES = ("é", "O'Brien", "{x}", None, "[1, 2]", "é")
ORDER = ["lo'w", "mid", "high"]
COLUMNS = {
    'größe "n"': Column("integer", 7, NUMBERS),
    "bands; --": Column("integer", 7, NUMBERS, {"hierarchy": {"bands": [5, 20]}}),
    "Town, it's": Column("varchar", "a, b", NAMES),
    "{{ tree }}": Column("varchar", "a, b", NAMES, {"hierarchy": {"tree": {"*": TOWNS}}}),
    "born on": Column("date", date(1999, 2, 3), DAYS),
    "月": Column("date", date(1999, 2, 3), DAYS, {"hierarchy": {"dates": ["month", "year"]}}),
    "pay": Column("decimal(6, 2)", Decimal("-1.50"), (Decimal("0.05"), None, Decimal("0.10"))),
    "select": Column("varchar", "lo'w", ("mid", "high", "mid", None), {"order": ORDER}),
}


@dataclass(frozen=True)
class Class:
    """A class as it is published: its cells of each column, its values there, and its loss."""

    cells: Mapping[str, Row]
    values: Mapping[str, list[Any]]
    loss: float


def taken(form: str) -> list[str]:
    """The columns that a form may publish."""
    return [name for name, column in COLUMNS.items() if column.takes(FORMS[form])]


def records(names: Sequence[str]) -> list[Row]:
    """Four alike, four of NULLs alone and twelve of ties and NULLs, a block each, and a number."""
    columns = [COLUMNS[name] for name in names]
    rows = [(0, *(column.one for column in columns))] * 4 + [(1, *[None] * len(columns))] * 4
    rows += [
        (2, *(column.others[at % len(column.others)] for column in columns)) for at in range(12)
    ]
    return [(*row, f"t{number}") for number, row in enumerate(rows)]


def make(connection: Connection, columns: Mapping[str, str]) -> list[Row]:
    """The source; columns map the names that it gives them to those of this module."""
    rows = records(list(columns.values()))
    types = {name: COLUMNS[column].type for name, column in columns.items()}
    make_table(connection, TABLE, {"block": "integer", **types, "tag": "varchar"}, rows)
    return rows


def asked(quasi: Mapping[str, Mapping[str, Any]], k: int, **more: Any) -> dict[str, Any]:
    """A spec of these quasi-identifiers; classes are cut between the blocks first."""
    return {
        "source": {"table": quoted(TABLE)},
        "release": quoted(RELEASE),
        "quasi_identifiers": {"block": {}, **quasi},
        "insensitive": {"tag": {"accept": "the number of the record"}},
        "privacy": {"k": k},
        "method": "mondrian",
        "seed": 1,
        **more,
    }


def published(form: str, *names: str) -> dict[str, dict[str, Any]]:
    """What a spec says of columns that are published in a form."""
    return {name: {**COLUMNS[name].settings, "publish": form} for name in names}


@cache
def released(form: str) -> list[Class]:
    """The classes that a reader sees of a release, which is no other's and passes `check`."""
    names = taken(form)
    with database() as connection:
        rows = make(connection, {name: name for name in names})
        spec = sqlanon.parse_spec(asked(published(form, *names), K))
        sqlanon.anonymize(spec, connection=connection, progress=False).close()
        columns, found = read(connection, RELEASE)
        report = [dict(zip(*row, strict=True)) for row in _rows(connection)]
        checked = sqlanon.check(
            {"table": quoted(RELEASE)},
            spec=spec,
            reference={"table": quoted(TABLE)},
            connection=connection,
            progress=False,
        )
    assert checked.passed, [str(shortfall) for shortfall in checked.shortfalls]
    shown = {name: FORMS[form].names(name) for name in names}
    assert columns == ("block", *(cell for cells in shown.values() for cell in cells), "tag")
    assert Counter(row[-1] for row in found) == Counter(row[-1] for row in rows)
    members: dict[Row, list[Row]] = defaultdict(list)
    for *cells, tag in found:
        members[tuple(cells)].append(rows[int(tag[1:])])
    losses = {
        tuple(entry[name] for name in columns[:-1]): entry["information_loss"] for entry in report
    }
    assert len(losses) == len(report) == len(members)
    return [
        Class(
            {name: tuple(cells[columns.index(text)] for text in shown[name]) for name in names},
            {name: [row[at] for row in some] for at, name in enumerate(names, 1)},
            losses[cells],
        )
        for cells, some in members.items()
    ]


def _rows(connection: Connection) -> list[tuple[tuple[str, ...], Row]]:
    columns, rows = read(connection, f"{RELEASE}__classes")
    return [(columns, row) for row in rows]


def covers(form: str, name: str, cells: Row, value: Any) -> bool:
    """Whether a reader takes cells for a value, by what the form says that its cells show."""
    rule, column = FORMS[form].rule, COLUMNS[name]
    if set(cells) == {None}:
        return value is None or not rule.tells_null
    if rule.shows == "members":
        return text(value) in members_of(*cells)
    if len(cells) == 2:
        return column.lies(value, *cells)
    (cell,) = map(text, cells)
    if cell in ("*", text(value)):
        return True
    if rule.shows == "label" and cell in TOWNS:
        return value in TOWNS[cell]
    stretch = STRETCH.fullmatch(str(cell))
    return stretch is not None and column.lies(value, stretch[1], stretch[2], stretch[3] == "]")


def stands_for(form: str, cells: Row, values: Sequence[Any], k: int) -> bool:
    """Whether a value in place of all is one of them or, where it is computed, between them.

    Of fewer than k known values it is NULL; also where NULL is the value that stands for all.
    """
    (cell,), rule = cells, FORMS[form].rule
    known = [value for value in values if value is not None]
    if cell is None or len(known) < k:
        return cell is None and (len(known) < k or not rule.measurable)
    if rule.adds:
        return min(map(Decimal, known)) <= Decimal(cell) <= max(map(Decimal, known))
    return text(cell) in set(map(text, known))


@pytest.mark.sampled
@every_form
def test_every_cell_says_what_its_class_has(form: str) -> None:
    """The values of the class; or where a value stands in place of all, one that may."""
    assert taken(form)
    classes = released(form)
    assert len(classes) > 2
    for one in classes:
        assert len(next(iter(one.values.values()))) >= K
        assert 0 <= one.loss <= 1
        for name, values in one.values.items():
            cells = one.cells[name]
            if FORMS[form].rule.covers:
                assert all(covers(form, name, cells, value) for value in values), name
            else:
                assert stands_for(form, cells, values, K), name


@every_form
def test_a_class_of_one_value_says_it_and_loses_nothing(form: str) -> None:
    """NULL alone is NULL. It loses where it is not told from any value, as by bounds."""
    rule = FORMS[form].rule
    found = []
    for released_class in released(form):
        if any(len(set(values)) > 1 for values in released_class.values.values()):
            continue
        values = {name: text(value) for name, (value, *_) in released_class.values.items()}
        found.append(set(values.values()) == {None})
        if rule.one_level:
            # The level is one at which every class has one label, so no value need be its own.
            continue
        assert {name: set(map(text, cells)) for name, cells in released_class.cells.items()} == {
            name: {value} for name, value in values.items()
        }
        untold = found[-1] and not rule.tells_null
        assert (released_class.loss > 0) == untold
    assert sorted(found) == [False, True]


def every_form_at_once() -> tuple[dict[str, str], dict[str, dict[str, Any]]]:
    """A column for each form: which of this module's it is, and what a spec says of it."""
    columns = {f"in {form}": taken(form)[0] for form in FORMS}
    settings = {f"in {form}": published(form, taken(form)[0]) for form in FORMS}
    return columns, {name: entry[columns[name]] for name, entry in settings.items()}


def test_one_class_of_all_records_covers_the_column_in_every_form() -> None:
    columns, quasi = every_form_at_once()
    with database() as connection:
        rows = make(connection, columns)
        spec = sqlanon.parse_spec(asked(quasi, len(rows)))
        sqlanon.anonymize(spec, connection=connection, progress=False).close()
        names, found = read(connection, RELEASE)
    assert len(found) == len(rows)
    ((*cells,),) = {row[:-1] for row in found}
    shown = dict(zip(names, cells, strict=False))
    for at, (form, name) in enumerate(zip(FORMS, columns, strict=True), 1):
        values = [row[at] for row in rows]
        own = tuple(shown[text] for text in FORMS[form].names(name))
        if FORMS[form].rule.covers:
            assert all(covers(form, columns[name], own, value) for value in values), form
        else:
            assert stands_for(form, own, values, len(rows)), form


def test_a_k_of_more_than_all_records_is_refused_in_every_form() -> None:
    columns, quasi = every_form_at_once()
    with database() as connection:
        rows = make(connection, columns)
        spec = sqlanon.parse_spec(asked(quasi, len(rows) + 1))
        with pytest.raises(sqlanon.SqlanonError) as error:
            sqlanon.anonymize(spec, connection=connection, progress=False)
        assert error.value.exit_code == 1
        assert relations(connection) == {TABLE}


def test_cells_are_the_same_on_any_number_of_threads_in_every_form() -> None:
    """Of so many records that DuckDB shares them out among its threads."""
    columns, quasi = every_form_at_once()
    assert {COLUMNS[column].type for column in columns.values()} == {"integer"}
    value = "i * 48271 % 2147483647 % 300"
    drawn = [
        f"nullif({value} + {at}, {at * 7}) as {quoted(name)}" for at, name in enumerate(columns)
    ]
    made = f"create table {quoted(TABLE)} as select {', '.join(drawn)} from range(130000) as t(i)"
    fields = asked(quasi, 2000, insensitive={})
    fields["quasi_identifiers"] = quasi
    found = []
    for threads in (1, 4):
        with database(own=True) as connection:
            connection.execute(f"set threads = {threads}")
            connection.execute(made)
            spec = sqlanon.parse_spec(fields)
            sqlanon.anonymize(spec, connection=connection, progress=False).close()
            found.append(Counter(read(connection, RELEASE)[1]))
    assert found[0] == found[1]
    assert len(found[0]) > 10
