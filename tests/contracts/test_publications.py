"""What every publication must keep, by being registered: records, values, k and l, one release."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from support import Connection, Row, database, facts, make_table, quoted, read, relations

import sqlanon
from sqlanon.plan import Materialization
from sqlanon.publish import PUBLICATIONS
from sqlanon.sql.names import Relation

pytestmark = pytest.mark.slow

# Those of records: counts show none, and `tests/publish/test_counts.py` is of them.
every_publication = pytest.mark.parametrize(
    "name", [name for name, publisher in PUBLICATIONS.items() if not publisher.rule.counts]
)
TABLE, RELEASE = "p'e\"ople", "pub'l\"ic"
COLUMNS = {
    'größe "n"': "integer",
    "Town, it's": "varchar",
    "ill; --": "varchar",
    "{{ pay }}": "integer",
    "tag": "varchar",
}
QUASI, SENSITIVE = tuple(COLUMNS)[:2], tuple(COLUMNS)[2:4]
TAG = "tag"
SIZE, L = 4, 2
Table = tuple[Sequence[str], Sequence[Row]]  # columns and rows
Relations = Mapping[str, Table]


def records(count: int = 32) -> list[Row]:
    """Records with ties, NULLs and odd texts; each has one of as many illnesses as another."""
    sizes, towns = (3, None, 7, 7, 40), ("a, b", "O'Brien", None, "{é}")
    ills, pays = ('f"lu', None, "c'old", "{}, *"), (10, 20, None)
    return [
        (sizes[at // 2 % 5], towns[at // 2 % 4], ills[at % 4], pays[at % 3], f"t{at}")
        for at in range(count)
    ]


def asked(name: str, size: int = SIZE) -> dict[str, Any]:
    """A spec of the publication: classes or groups of a size, and l of what is sensitive."""
    rule = PUBLICATIONS[name].rule
    publish: dict[str, Any] = {"name": name}
    if rule.exact:
        publish["group"] = size
    if rule.mixes:
        publish["columns"] = [QUASI[:1], [*QUASI[1:], *SENSITIVE]]
    # A row of slices is nobody's, so that it has no column of a single record.
    kept: dict[str, Any] = {"insensitive": {TAG: {"accept": "the number of the record"}}}
    if rule.mixes:
        kept = {"identifiers": [TAG]}
    return {
        "source": {"table": quoted(TABLE)},
        "release": quoted(RELEASE),
        "quasi_identifiers": list(QUASI),
        "sensitive": {SENSITIVE[0]: {"l": L}, SENSITIVE[1]: {"l": L}},
        **kept,
        "publish": publish,
        "privacy": {"k": 1 if rule.exact else size},
        "method": "mondrian",
        "seed": 1,
    }


def release(connection: Connection, fields: Mapping[str, Any]) -> Relations:
    """The published relations by name, with their columns and rows."""
    spec = sqlanon.parse_spec(fields)
    before = relations(connection)
    sqlanon.anonymize(spec, connection=connection, progress=False).close()
    proof = {f"{RELEASE}__{suffix}" for suffix in ("classes", "metrics", "run")}
    return {
        relation: read(connection, relation)
        for relation in sorted(relations(connection) - before - proof)
    }


@dataclass(frozen=True)
class Made:
    """A release, what the run says of it, and what it says to those who read it."""

    relations: Relations
    facts: Mapping[str, str]
    checked: sqlanon.CheckResult
    page: str


@cache
def made(name: str) -> Made:
    """A release of the publication: made once, since no test changes it."""
    with database() as connection, TemporaryDirectory() as folder:
        make_table(connection, TABLE, COLUMNS, records())
        found = release(connection, asked(name))
        there = facts(connection, RELEASE)
        checked = sqlanon.check(
            {"table": quoted(RELEASE)},
            spec=sqlanon.parse_spec(asked(name)),
            reference={"table": quoted(TABLE)},
            connection=connection,
            progress=False,
        )
        page = sqlanon.report(quoted(RELEASE), Path(folder, "report.html"), connection=connection)
        return Made(found, there, checked, page.read_text(encoding="utf-8"))


def column(relation: Table, names: Iterable[str]) -> Iterator[Row]:
    """What each record of a relation has in some columns; a row of counts stands for several."""
    columns, rows = relation
    places = [columns.index(name) for name in names]
    counted = columns.index("records") if "records" in columns else None
    for row in rows:
        for _ in range(1 if counted is None else row[counted]):
            yield tuple(row[at] for at in places)


def valued(found: Relations) -> Table:
    """The one relation that has the sensitive values."""
    (one,) = (one for one in found.values() if set(SENSITIVE) <= set(one[0]))
    return one


def tied_by(name: str, rows: Table) -> list[str]:
    """The columns by which a reader ties values to records: the group, or the class's cells."""
    if not PUBLICATIONS[name].rule.exact:
        return list(QUASI)
    (group,) = (row for row in rows[0] if row not in (*COLUMNS, "records"))
    return [group]


def gathered(keys: Iterable[Row], values: Iterable[Row]) -> dict[Row, list[Row]]:
    """The values under each key."""
    found: dict[Row, list[Row]] = defaultdict(list)
    for key, value in zip(keys, values, strict=True):
        found[key].append(value)
    return found


@pytest.mark.sampled
@every_publication
def test_its_relations_are_those_that_it_names(name: str) -> None:
    named = PUBLICATIONS[name].names(Relation(RELEASE), Materialization.TABLE)
    assert set(made(name).relations) == {relation.name for relation in named}


@pytest.mark.sampled
@every_publication
def test_no_record_and_no_value_is_lost_or_invented(name: str) -> None:
    """What is published as it is is that of the source, row by row where rows stay together."""
    rows, rule, found = records(), PUBLICATIONS[name].rule, made(name).relations
    assert made(name).facts["records_in"] == made(name).facts["records_out"] == str(len(rows))
    assert made(name).facts["records_suppressed"] == "0"
    assert len(found[RELEASE][1]) == len(rows)
    source: Table = (tuple(COLUMNS), rows)
    for text in SENSITIVE:
        assert Counter(column(valued(found), [text])) == Counter(column(source, [text]))
    shown = [text for text in found[RELEASE][0] if text in COLUMNS and text not in SENSITIVE]
    own = shown if rule.exact else [TAG]
    assert own
    for some in [[text] for text in own] if rule.mixes else [own]:
        assert Counter(column(found[RELEASE], some)) == Counter(column(source, some))


@every_publication
def test_every_class_or_group_has_k_records_and_l_values(name: str) -> None:
    """Counted from what is published alone; NULL is a value."""
    rule, found = PUBLICATIONS[name].rule, made(name).relations
    by = tied_by(name, found[RELEASE])
    sizes = Counter(column(found[RELEASE], by))
    assert len(sizes) > 1
    assert min(sizes.values()) >= SIZE
    for text in SENSITIVE:
        values = gathered(column(valued(found), by), column(valued(found), [text]))
        assert {key: len(some) for key, some in values.items()} == sizes
        within = [*by, *QUASI[1:]] if rule.mixes else by  # what shares a slice with the values
        told = gathered(column(valued(found), within), column(valued(found), [text]))
        assert min(len(set(some)) for some in told.values()) >= L


@pytest.mark.parametrize(
    "name", [name for name, publisher in PUBLICATIONS.items() if publisher.rule.exact]
)
def test_a_record_is_in_the_join_of_the_exact_rows_and_the_values(name: str) -> None:
    rows, found = records(), made(name).relations
    by = tied_by(name, found[RELEASE])
    for text in SENSITIVE:
        values = gathered(column(valued(found), by), column(valued(found), [text]))
        own = gathered(column(found[RELEASE], by), column(found[RELEASE], QUASI[:1]))
        joined = {(key[0], value[0]) for at in own for key in own[at] for value in values[at]}
        at = tuple(COLUMNS).index(text)
        assert {(row[0], row[at]) for row in rows} <= joined


@every_publication
def test_a_release_of_the_same_seed_is_the_same_whatever_the_order_of_the_source(name: str) -> None:
    with database() as connection:
        make_table(connection, TABLE, COLUMNS, records()[::-1])
        again = release(connection, asked(name))
    first = made(name).relations
    assert again.keys() == first.keys()
    for text, (columns, rows) in first.items():
        assert again[text][0] == columns
        assert Counter(again[text][1]) == Counter(rows)


@every_publication
def test_a_release_is_read_by_check_and_report(name: str) -> None:
    assert made(name).checked.passed, [
        str(shortfall) for shortfall in made(name).checked.shortfalls
    ]
    assert "<html" in made(name).page


@every_publication
def test_a_class_of_all_records_is_published_and_a_larger_one_refused(name: str) -> None:
    rows = records(12)
    with database() as connection:
        make_table(connection, TABLE, COLUMNS, rows)
        found = release(connection, asked(name, len(rows)))
        sizes = Counter(column(found[RELEASE], tied_by(name, found[RELEASE])))
        assert list(sizes.values()) == [len(rows)]
    assert refused(rows, asked(name, len(rows) + 1)) == 1


@every_publication
def test_one_sensitive_value_for_all_is_refused(name: str) -> None:
    """As l of two asks for another. The value is NULL."""
    rows = [(size, town, None, pay, tag) for size, town, _, pay, tag in records()]
    assert refused(rows, asked(name)) == 1


def refused(rows: Sequence[Row], fields: Mapping[str, Any]) -> int:
    """The exit code of the refusal; nothing is left of the run."""
    with database() as connection:
        make_table(connection, TABLE, COLUMNS, rows)
        with pytest.raises(sqlanon.SqlanonError) as error:
            release(connection, fields)
        assert relations(connection) == {TABLE}
    return error.value.exit_code
