"""Allotments: how records were dealt out, so that a recipe makes the same classes again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from commands import sqlanon as command
from hypothesis import given
from hypothesis import strategies as st
from servers import place
from support import (
    Connection,
    database,
    examples,
    make_table,
    multiset,
    read,
    recipe_file,
    relations,
    slow,
)

import sqlanon
from sqlanon.dbt import write_models
from sqlanon.engines import DuckDBEngine
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.spec import parse_spec

TOWNS = ["Bern", "b, c", "NULL", "it's", "10%", None]
COLUMNS = {
    "age": "integer",
    "town": "varchar",
    "dose": "double",
    "ill": "varchar",
    "pay": "integer",
    "note": "varchar",
}
ILL = ["flu", "cold", "hip", None]
RECORDS = st.tuples(
    st.sampled_from([3, 14, 15]),
    st.sampled_from(TOWNS),
    st.sampled_from([0.1, -0.0, None]),
    st.sampled_from(ILL),
    st.sampled_from([1, 2]),
    st.sampled_from(["a", "b'", None]),
)
PEOPLE = [
    (20 + i * 7 % 11, TOWNS[i % 6], (i % 3) * 0.1, ILL[i % 4], i * 3 % 10, f"n{i % 5}")
    for i in range(90)
]
DECLARED: dict[str, Any] = {
    "quasi_identifiers": {"age": {}, "town": {}, "dose": {}},
    "sensitive": {"ill": {}, "pay": {}},
    "insensitive": {"note": {"accept": "of no person"}},
    "k": 4,
    "seed": 3,
}
OF_PAY: dict[str, Any] = {"sensitive": {"pay": {"t": 0.4}}}
DEALT: dict[str, dict[str, Any]] = {
    "split_or_deal": {"method": "split_or_deal", "sensitive": {"ill": {"l": 2}, "pay": {}}},
    "stack_and_deal": {"method": "stack_and_deal"},
    "along a curve": {"method": {"name": "stack_and_deal", "locality": "curve"}},
    "in stripes": {"method": {"name": "stack_and_deal", "locality": "stripes", "stripe": 20}},
    "deal_tree": {"method": "deal_tree"},
    "microaggregation": {"method": "microaggregation"},
    "sabre": {"method": "sabre", **OF_PAY},
    "fragmentation": {"method": "fragmentation", **OF_PAY, "key": ["id"]},
}


def made(connection: Any, release: str, **declared: Any) -> sqlanon.Release:
    asked = {**DECLARED, **declared}
    if "privacy" in asked:  # which has a k of its own
        asked.pop("k")
    source = asked.pop("source", "people")
    return sqlanon.anonymize(
        source, connection=connection, release=release, progress=False, **asked
    )


def fill(connection: Connection, name: str, rows: list[Any]) -> None:
    numbered = [(index, *row) for index, row in enumerate(rows)]
    make_table(connection, name, {"id": "integer", **COLUMNS}, numbered)


@pytest.fixture
def here() -> Iterator[Connection]:
    with database() as connection:
        fill(connection, "people", PEOPLE)
        yield connection


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("method", [*list(DEALT)[:2], *slow(*list(DEALT)[2:])])
def test_laid_over_its_source_it_makes_the_release(method: str, here: Connection) -> None:
    """Row by row, whatever the seed of the second run is."""
    made(here, "first", **DEALT[method], allotment=True)
    again = made(here, "again", **DEALT[method] | {"seed": 8}, recipe="first")
    assert again.outside == 0
    assert multiset(read(here, "again")[1]) == multiset(read(here, "first")[1])


@pytest.mark.slow
def test_without_one_cells_that_overlap_do_not(here: Connection) -> None:
    """The test above would fail without an allotment."""
    declared = DEALT["stack_and_deal"] | {"suppression": {"records": 0.9}}
    made(here, "first", **DEALT["stack_and_deal"])
    made(here, "again", **declared, recipe="first")
    assert multiset(read(here, "again")[1]) != multiset(read(here, "first")[1])


@pytest.mark.further
@pytest.mark.slow
@examples(10, 60)
@given(
    st.lists(RECORDS, min_size=8, max_size=30),
    st.sampled_from(
        ["stack_and_deal", "split_or_deal", "deal_tree", "microaggregation", "mondrian"]
    ),
    st.sampled_from([{}, {"l": 2}]),
)
def test_any_table_is_dealt_out_again(rows: list[Any], method: str, asked: dict[str, Any]) -> None:
    with database() as connection:
        fill(connection, "people", rows)
        declared = {"method": method, "sensitive": {"ill": asked, "pay": {}}}
        try:
            made(connection, "first", **declared, allotment=True)
        except InfeasibleError:
            return
        made(connection, "again", **declared, recipe="first")
        assert multiset(read(connection, "again")[1]) == multiset(read(connection, "first")[1])


@pytest.mark.slow
def test_cells_that_overlap_point_to_an_allotment(here: Connection) -> None:
    declared = DEALT["stack_and_deal"]
    made(here, "first", **declared)
    with pytest.raises(InfeasibleError, match=r"overlap, .* allotment: true on 'first'") as error:
        made(here, "again", **declared, recipe="first")
    assert error.value.shortfalls
    assert "again" not in relations(here)
    made(here, "first", **declared, allotment=True)
    made(here, "again", **declared, recipe="first")


@pytest.mark.slow
def test_it_counts_every_record_once(here: Connection) -> None:
    """By the values of quasi-identifiers, and of the attributes that a model is asked of."""
    made(here, "first", **DEALT["split_or_deal"], allotment=True)
    names, rows = read(here, "first__allotment")
    assert names == ("class_id", "first_turn", "records", "q1", "q2", "q3", "s1")
    counted = Counter[tuple[Any, ...]]()
    for _, _, records, *values in rows:
        counted[tuple(values)] += records
    text = (tuple(None if one is None else str(one) for one in row[:4]) for row in PEOPLE)
    assert counted == Counter(text)
    classes = here.execute("select count(*) from first__classes").fetchall()[0][0]
    assert {row[0] for row in rows} == set(range(1, classes + 1))


@pytest.mark.slow
def test_records_beyond_it_are_counted_and_refused_or_left_out(here: Connection) -> None:
    more = [PEOPLE[0]] * 5 + [(99, "Chur", 7.5, "flu", 1, "n1")]
    fill(here, "next", PEOPLE + more)
    declared = DEALT["stack_and_deal"]
    made(here, "first", **declared, allotment=True)
    said = "6 records are more than 'first' dealt out, with 2 combinations of values"
    with pytest.raises(InfeasibleError, match=said):
        made(here, "second", **declared, source="next", recipe="first")
    assert "second" not in relations(here)
    left_out = {"suppression": {"records": 0.2}}
    second = made(here, "second", **declared, **left_out, source="next", recipe="first")
    assert second.outside == 6
    assert len(read(here, "second")[1]) == len(PEOPLE)
    beyond = "recipe", None, "first", 1, 6
    assert beyond in [tuple(row) for row in read(here, "second__suppressed")[1]]
    few = {"suppression": {"records": 0.01}}
    with pytest.raises(InfeasibleError):
        made(here, "third", **declared, **few, source="next", recipe="first")


@pytest.mark.slow
def test_classes_that_lost_records_are_left_out(here: Connection) -> None:
    fill(here, "next", PEOPLE[:70])
    declared = DEALT["stack_and_deal"]
    made(here, "first", **declared, allotment=True)
    with pytest.raises(InfeasibleError, match="k_anonymity: asked for 4"):
        made(here, "second", **declared, source="next", recipe="first")
    left_out = {"suppression": {"records": 0.9}}
    second = made(here, "second", **declared, **left_out, source="next", recipe="first")
    assert second.outside == 0
    assert (second.measure("k") or 0) >= 4


def test_an_allotment_that_was_changed_is_refused(here: Connection) -> None:
    declared = DEALT["stack_and_deal"]
    made(here, "first", **declared, allotment=True)
    assert sqlanon.check("first", connection=here).passed
    here.execute("update first__allotment set class_id = 1 where class_id = 2")
    changed = "'first__allotment' was changed since its run"
    with pytest.raises(SpecError, match=changed):
        made(here, "again", **declared, recipe="first")
    with pytest.raises(SpecError, match=changed):
        sqlanon.check("first", connection=here)
    here.execute("drop table first__allotment")
    with pytest.raises(SpecError, match="'first__allotment' is gone"):
        made(here, "again", **declared, recipe="first")
    with pytest.raises(SpecError, match="'first__allotment' is gone"):
        sqlanon.check("first", connection=here)


@pytest.mark.parametrize("kept", [True, *slow(False)], ids=["allotment", "cells"])
def test_a_script_refuses_a_recipe_that_was_changed_since(kept: bool, here: Connection) -> None:
    """Also one of the same number of rows: the script holds the hash of what it was written for."""
    declared = {**DECLARED, **DEALT["stack_and_deal"], "suppression": {"records": 0.9}}
    made(here, "first", **declared, allotment=kept)
    script = sqlanon.compile("people", connection=here, recipe="first", release="again", **declared)
    here.execute(script)
    before = read(here, "again")
    how = "first__allotment set class_id = 1 where class_id = 2" if kept else "first set dose = '*'"
    here.execute(f"update {how}")
    with pytest.raises(duckdb.Error, match="recipe: 'first' was changed since this was written"):
        here.execute(script)
    here.execute("rollback")
    assert read(here, "again") == before


@pytest.mark.slow
def test_another_spec_is_refused(here: Connection) -> None:
    declared = DEALT["split_or_deal"]
    made(here, "first", **declared, allotment=True)
    with pytest.raises(SpecError, match="'first' dealt records out by 'ill'"):
        made(here, "again", method="stack_and_deal", sensitive=["pay"], recipe="first")


@pytest.mark.parametrize(
    ("asked", "where"),
    [
        ({"method": "cell_suppression"}, "method"),
        ({"method": "k_optimize"}, "method"),
        ({"method": "top_down"}, "method"),
        ({"quasi_identifiers": {"age": {"hierarchy": {"bands": [9]}, "publish": "level"}}}, ""),
    ],
    ids=["stars", "stretches", "cuts", "levels"],
)
def test_classes_that_were_not_dealt_keep_none(
    asked: dict[str, Any], where: str, here: Connection
) -> None:
    said = "a recipe takes" if not where else "deals no records out"
    with pytest.raises(SpecError, match=said):
        made(here, "first", **asked, allotment=True)


@pytest.mark.slow
def test_a_release_that_replaces_another_drops_its_allotment(here: Connection) -> None:
    made(here, "first", **DEALT["stack_and_deal"], allotment=True)
    assert "first__allotment" in relations(here)
    made(here, "first", **DEALT["stack_and_deal"])
    assert "first__allotment" not in relations(here)


def file_of(connection: Connection, file: Path, release: str = "first") -> str:
    with sqlanon.open(connection) as db:
        content = db.recipe(release).written_as(file)
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return str(file)


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("ending", ["yaml", "parquet"])
def test_a_file_of_it_makes_the_release_by_a_run_and_a_script(
    ending: str, here: Connection, tmp_path: Path
) -> None:
    declared = DEALT["split_or_deal"]
    made(here, "first", **declared, allotment=True)
    expected = multiset(read(here, "first")[1])
    file = file_of(here, tmp_path / f"x.{ending}")
    with database() as there:
        fill(there, "people", PEOPLE)
        made(there, "again", **declared, recipe=file)
        assert multiset(read(there, "again")[1]) == expected
        asked = {**DECLARED, **declared, "recipe": file}
        script = sqlanon.compile("people", connection=there, release="by_script", **asked)
        assert "rows with values of records" in script.partition("\n\n")[0]
        there.execute(script)
        assert multiset(read(there, "by_script")[1]) == expected


@pytest.mark.slow
def test_a_file_of_it_is_nothing_for_a_repository(here: Connection, tmp_path: Path) -> None:
    """dbt models hold no values of records, and read the release in place of a file."""
    declared = DEALT["split_or_deal"]
    made(here, "first", **declared, allotment=True)
    file = file_of(here, tmp_path / "x.yaml")
    assert "put it into no repository" in Path(file).read_text(encoding="utf-8")
    project = tmp_path / "project"
    project.mkdir()
    (project / "dbt_project.yml").write_text("name: made\nversion: '1'\nmodel-paths: [models]\n")
    fields = {name: value for name, value in {**DECLARED, **declared}.items() if name != "k"}
    fields |= {"privacy": {"k": 4}, "source": {"table": "main.people"}, "release": "again"}
    engine = DuckDBEngine(connection=here)
    with pytest.raises(SpecError, match="recipe: it has values of records, which a dbt project"):
        write_models(parse_spec({**fields, "recipe": file}), engine, project)
    files = write_models(parse_spec({**fields, "recipe": "first"}), engine, project)
    engine.close()
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    assert "source('again__recipe', 'first__allotment')" in text
    assert "it''s" not in text


@pytest.mark.slow
def test_the_command_line_writes_it_for_its_owner_alone(tmp_path: Path) -> None:
    spec = {name: value for name, value in DECLARED.items() if name != "k"}
    spec |= {"privacy": {"k": 4}, "method": "stack_and_deal", "source": {"file": "people.csv"}}
    spec |= {"release": "first", "database": "x.duckdb", "allotment": True}
    rows = (f"{20 + i % 9},a{i % 2},0.5,x{i % 3},{i % 4},n" for i in range(40))
    lines = [",".join(COLUMNS), *rows]
    (tmp_path / "people.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "first.yaml").write_text(yaml.safe_dump(spec))
    done = command(tmp_path, "run", "first.yaml")
    assert done.returncode == 0, done.stderr
    assert "first__allotment" in done.stdout
    done = command(tmp_path, "recipe", "first", "-o", "x.parquet", "--database", "x.duckdb")
    assert "show it to nobody, and put it into no repository" in done.stdout
    assert (tmp_path / "x.parquet").stat().st_mode & 0o777 == 0o600
    again = {**spec, "release": "again", "allotment": False, "recipe": "x.parquet"}
    (tmp_path / "again.yaml").write_text(yaml.safe_dump(again))
    done = command(tmp_path, "run", "again.yaml")
    assert done.returncode == 0, done.stderr
    assert "records in none of them: 0." in done.stdout
    done = command(tmp_path, "compile", "again.yaml", "-o", "again.sql")
    assert done.returncode == 0, done.stderr
    assert "The script holds" in done.stderr
    assert "show it to nobody, and put it into no repository" in done.stderr
    assert (tmp_path / "again.sql").stat().st_mode & 0o777 == 0o600
    done = command(tmp_path, "compile", "first.yaml")
    assert done.returncode == 2
    assert "allotment: a script records no recipe of its release" in done.stderr


@pytest.mark.slow
def test_on_postgresql_it_is_its_owners_alone(urls: Mapping[str, str]) -> None:
    """Whatever default privileges readers of the schema have."""
    with place("postgres", urls) as server:
        fields = {"id": "integer", **COLUMNS}
        server.make_table("people", fields, [(at, *row) for at, row in enumerate(PEOPLE)])
        server.connection.execute("create role reader")
        server.connection.execute("alter default privileges grant select on tables to reader")
        made(server.connection, "first", **DEALT["split_or_deal"], allotment=True)
        asked = "select has_table_privilege('reader', %s, 'select')"
        told = {
            name: server.connection.execute(asked, [name]).fetchall()[0][0]
            for name in ("first", "first__allotment")
        }
        assert told == {"first": True, "first__allotment": False}


# Forty persons have the records of PEOPLE, two or three each.
OF_PERSONS: dict[str, Any] = {"person": "who", "sensitive": {"ill": {}, "pay": {}}}


def fill_persons(connection: Connection, name: str, rows: list[Any]) -> None:
    columns = {"who": "varchar", "id": "integer", **COLUMNS}
    make_table(connection, name, columns, [(row[0], at, *row[1]) for at, row in enumerate(rows)])


PERSONS = [(f"p{i * 7 % 40:02}", row) for i, row in enumerate(PEOPLE)]


@pytest.fixture
def persons(here: Connection) -> Connection:
    fill_persons(here, "persons", PERSONS)
    return here


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize(
    "method", ["stack_and_deal", "split_or_deal", "deal_tree", "microaggregation", "mondrian"]
)
def test_persons_are_dealt_out_with_all_of_their_records(
    method: str, persons: Connection, tmp_path: Path
) -> None:
    """Row by row, whatever the seed of the second run is; also by a file, and by a script."""
    asked = {**OF_PERSONS, "method": method, "source": "persons"}
    made(persons, "first", **asked, allotment=True)
    first = multiset(read(persons, "first")[1])
    assert made(persons, "again", **asked | {"seed": 8}, recipe="first").outside == 0
    assert multiset(read(persons, "again")[1]) == first
    made(persons, "by_file", **asked, recipe=recipe_file(persons, "first", tmp_path))
    assert multiset(read(persons, "by_file")[1]) == first
    declared = {**DECLARED, **OF_PERSONS, "method": method, "recipe": "first"}
    persons.execute(sqlanon.compile("persons", connection=persons, release="by_script", **declared))
    assert multiset(read(persons, "by_script")[1]) == first


@pytest.mark.slow
def test_an_allotment_of_persons_counts_each_once(persons: Connection) -> None:
    asked = {**OF_PERSONS, "method": "stack_and_deal", "source": "persons"}
    made(persons, "first", **asked, allotment=True)
    _, rows = read(persons, "first__allotment")
    of_person: dict[str, set[tuple[Any, ...]]] = {}
    for who, row in PERSONS:
        text = (None if one is None else str(one) for one in row[:3])
        of_person.setdefault(who, set()).add(tuple(text))
    assert sum(row[2] for row in rows) == len(of_person)
    whole = set.union(*of_person.values())
    assert {tuple(row[3:6]) for row in rows} <= whole


@pytest.mark.slow
@examples(6, 60)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a", "b", "c", "d'", "é", "f", "g", "h"]),
            st.tuples(
                st.sampled_from([3, 14, 80]),
                st.sampled_from(TOWNS),
                st.sampled_from([0.1, None]),
                st.sampled_from(ILL),
                st.sampled_from([1, 2]),
                st.sampled_from(["x", None]),
            ),
        ),
        min_size=8,
        max_size=30,
    ),
    st.sampled_from(["stack_and_deal", "split_or_deal", "mondrian"]),
)
def test_persons_who_were_left_out_are_left_out_again(rows: list[Any], method: str) -> None:
    """They keep their turns, which no other person takes; they count as persons of no class."""
    asked = {**OF_PERSONS, "sensitive": {"ill": {"l": 2}, "pay": {}}, "k": 3, "source": "persons"}
    asked |= {"suppression": {"records": 0.7}, "method": method}
    with database() as connection:
        fill_persons(connection, "persons", rows)
        try:
            first = made(connection, "first", **asked, allotment=True)
        except InfeasibleError:
            return
        left_out = first.measure("suppressed_records")
        again = made(connection, "again", **asked, recipe="first")
        assert multiset(read(connection, "again")[1]) == multiset(read(connection, "first")[1])
        assert again.outside == left_out
        held = sum(row[2] for row in read(connection, "first__allotment")[1])
        assert held == len({who for who, _ in rows})


@pytest.mark.slow
def test_persons_beyond_it_are_left_out_with_all_records(persons: Connection) -> None:
    late = (99, "Chur", 7.5, "flu", 1, "n1")
    come = [("new", late), ("new", (98, *late[1:])), ("other", late)]
    fill_persons(persons, "next", [*PERSONS, *come])
    asked = {**OF_PERSONS, "method": "stack_and_deal"}
    made(persons, "first", **asked, source="persons", allotment=True)
    asked |= {"source": "next", "recipe": "first"}
    with pytest.raises(InfeasibleError, match="2 persons are more than 'first' dealt out"):
        made(persons, "second", **asked)
    second = made(persons, "second", **asked, suppression={"records": 0.9})
    assert second.outside == 3
    assert multiset(read(persons, "second")[1]) == multiset(read(persons, "first")[1])
    suppressed = [tuple(row) for row in read(persons, "second__suppressed")[1]]
    assert suppressed == [("recipe", None, "first", 1, 3), ("k_anonymity", None, "4", 0, 0)]


@pytest.mark.slow
def test_classes_that_lost_persons_are_left_out(persons: Connection) -> None:
    """k counts persons there: who is left shares a class with three others, and all are whole."""
    fill_persons(persons, "next", [one for one in PERSONS if one[0] > "p08"])
    asked = {**OF_PERSONS, "method": "stack_and_deal"}
    made(persons, "first", **asked, source="persons", allotment=True)
    asked |= {"source": "next", "recipe": "first"}
    with pytest.raises(InfeasibleError, match="k_anonymity: asked for 4"):
        made(persons, "second", **asked)
    second = made(persons, "second", **asked, suppression={"records": 0.99})
    assert second.outside == 0
    assert (second.measure("k") or 0) >= 4
    reasons = {row[0]: row[4] for row in read(persons, "second__suppressed")[1]}
    assert reasons["k_anonymity"] > 0


def test_an_allotment_of_records_is_none_of_persons(persons: Connection) -> None:
    asked = {**OF_PERSONS, "method": "stack_and_deal", "source": "persons"}
    made(persons, "first", **asked, allotment=True)
    with pytest.raises(SpecError, match="'first' dealt out persons: name them here too"):
        made(persons, "again", **{**asked, "person": None}, recipe="first")
    made(persons, "first", **{**asked, "person": None}, allotment=True)
    with pytest.raises(SpecError, match="'first' says nothing of persons"):
        made(persons, "again", **asked, recipe="first")


# --- with subsets, with a population, and of groups ---------------------------------------------

PUBLISHED: dict[str, dict[str, Any]] = {
    "anatomy": {"publish": "anatomy"},
    "permuted": {"publish": "permuted"},
    "sliced": {"publish": {"name": "sliced", "columns": [["age", "town"], ["dose", "ill"]]}},
    "widest": {"publish": {"name": "sliced", "widest": 2}},
}
OF_GROUPS: dict[str, Any] = {"k": 1, "sensitive": {"ill": {"l": {"distinct": 2}}}}
BY_AGE = {"estimate": {"by": ["age"], "smoothing": 1}}
BESIDES: dict[str, dict[str, Any]] = {
    "subsets": {
        "privacy": {
            "k": 2,
            "subsets": [{"columns": ["age"], "k": 8}, {"columns": ["town"], "k": 5}],
        }
    },
    "population": {"privacy": {"k": 2, "population": {"source": "everybody", "k_map": 2}}},
    "followers": {"quasi_identifiers": {"age": {}, "town": {"follows": "age"}, "dose": {}}, "k": 2},
    "background": {"sensitive": {"ill": {"l": 2, "background": BY_AGE}}, "k": 2},
    "bk": {"sensitive": {"ill": {"bk": "0.1", "background": BY_AGE}}, "k": 2},
}


def everything(connection: Connection, release: str) -> dict[str, Any]:
    """All relations of a release but its record and its allotment, by how their names end."""
    own = {
        name.removeprefix(release): name
        for name in relations(connection)
        if name.startswith(release)
    }
    return {
        end: multiset(read(connection, name)[1])
        for end, name in own.items()
        if end not in ("__run", "__allotment")
    }


def by_group(connection: Connection, release: str, publication: str) -> dict[Any, Counter[Any]]:
    """How often each group has every illness."""
    table = f"{release}__sensitive" if publication == "anatomy" else release
    names, rows = read(connection, table)
    at, ill = names.index("group_id"), names.index("ill")
    weighed = names.index("records") if "records" in names else None
    found: dict[Any, Counter[Any]] = {}
    for row in rows:
        found.setdefault(row[at], Counter())[row[ill]] += 1 if weighed is None else row[weighed]
    return found


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("publication", PUBLISHED)
@pytest.mark.parametrize("method", ["split_or_deal", "anatomy", "mondrian", "microaggregation"])
def test_groups_are_dealt_out_again_under_the_same_numbers(
    publication: str, method: str, here: Connection, tmp_path: Path
) -> None:
    """All that is published and measured is alike; every group has two illnesses."""
    asked = {**OF_GROUPS, "method": method, **PUBLISHED[publication]}
    asked |= {"insensitive": {}} if publication in ("sliced", "widest") else {}
    try:
        made(here, "first", **asked, allotment=True)
    except InfeasibleError:  # slices of small groups may tie a record to a value
        assert publication == "sliced"
        return
    first = everything(here, "first")
    made(here, "again", **asked, recipe="first")
    assert everything(here, "again") == first
    made(here, "again", **asked, recipe=recipe_file(here, "first", tmp_path))
    assert everything(here, "again") == first
    declared = {**DECLARED, **asked, "recipe": "first"}
    here.execute(sqlanon.compile("people", connection=here, release="scripted", **declared))
    assert multiset(read(here, "scripted")[1]) == first[""]
    groups = by_group(here, "again", publication)
    assert sum(group.total() for group in groups.values()) == len(PEOPLE)
    assert all(len(group) >= 2 for group in groups.values())


@pytest.mark.slow
@examples(8, 60)
@given(
    st.lists(RECORDS, min_size=4, max_size=30),
    st.sampled_from(["stack_and_deal", "split_or_deal", "mondrian"]),
    st.sampled_from(["anatomy", "permuted", *BESIDES]),
)
def test_any_table_is_dealt_out_again_with_these(rows: list[Any], method: str, what: str) -> None:
    asked = {"method": method, "sensitive": {"ill": {"l": 2}}, **BESIDES.get(what, {})}
    asked |= {} if what in BESIDES else {"k": 1, **PUBLISHED[what]}
    with database() as connection:
        fill(connection, "people", rows)
        fill(connection, "everybody", rows + rows)
        try:
            made(connection, "first", **asked, allotment=True)
        except InfeasibleError:
            return
        made(connection, "again", **asked, recipe="first")
        assert everything(connection, "again") == everything(connection, "first")


@pytest.mark.slow
def test_groups_of_another_table_are_whole_or_refused(here: Connection) -> None:
    """Nobody may be left out there: who is new, and a group that lost records, is refused."""
    asked = {**OF_GROUPS, "method": "stack_and_deal", "publish": "anatomy"}
    made(here, "first", **asked, allotment=True)
    fill(here, "next", [*PEOPLE, (99, "Chur", 7.5, "flu", 1, "n1")])
    with pytest.raises(InfeasibleError, match="1 records are more than 'first' dealt out"):
        made(here, "second", **asked, source="next", recipe="first")
    fill(here, "next", PEOPLE[1:])
    with pytest.raises(InfeasibleError, match="1 groups have fewer than 2 records"):
        made(here, "second", **asked, source="next", recipe="first")
    assert "second" not in relations(here)
    fill(here, "next", [(*row[:5], "changed") for row in PEOPLE])
    made(here, "second", **asked, source="next", recipe="first")
    groups = by_group(here, "second", "anatomy")
    assert groups == by_group(here, "first", "anatomy")


@pytest.mark.slow
@pytest.mark.parametrize("method", ["stack_and_deal", "split_or_deal"])
def test_subsets_hold_over_another_table(method: str, here: Connection) -> None:
    """Every age cell has eight records there too, and every class two, whoever is left out."""
    asked = {"method": method, **BESIDES["subsets"]}
    made(here, "first", **asked, allotment=True)
    fill(here, "next", [*PEOPLE[20:], (99, "Chur", 7.5, "flu", 1, "n1")])
    asked |= {"source": "next", "recipe": "first", "suppression": {"records": 0.9}}
    second = made(here, "second", **asked)
    assert second.outside == 1
    names, rows = read(here, "second")
    assert rows
    ages, towns = (Counter(row[names.index(text)] for row in rows) for text in ("age", "town"))
    whole = Counter(
        tuple(row[names.index(text)] for text in ("age", "town", "dose")) for row in rows
    )
    assert (min(ages.values()) >= 8, min(towns.values()) >= 5, min(whole.values()) >= 2) == (
        *(True, True, True),
    )


@pytest.mark.slow
@pytest.mark.parametrize("what", ["followers", "background", "bk"])
@pytest.mark.parametrize("method", ["stack_and_deal", "split_or_deal", "sabre"])
def test_followers_and_backgrounds_are_dealt_out_again(
    method: str, what: str, here: Connection, tmp_path: Path
) -> None:
    """All that is published and measured is alike, by the release itself and by a file of it."""
    asked: dict[str, Any] = {"method": method, **deepcopy(BESIDES[what])}
    if method == "sabre":
        ill = asked.get("sensitive", {}).get("ill", {})
        asked["sensitive"] = {"ill": {"t": 0.6, **{one: ill[one] for one in ill if one != "l"}}}
    if what == "bk" and method != "split_or_deal":
        asked["sensitive"]["ill"]["bk"] = 1  # a method without clusters reaches what it reaches
    made(here, "first", **asked, allotment=True)
    first = everything(here, "first")
    made(here, "again", **asked, recipe="first")
    assert everything(here, "again") == first
    made(here, "again", **asked, recipe=recipe_file(here, "first", tmp_path))
    assert everything(here, "again") == first


@pytest.mark.slow
def test_what_follows_is_shown_of_the_records_of_another_table(here: Connection) -> None:
    """Each cell of the leader shows one cell of what follows: the towns that its records have."""
    asked = {"method": "split_or_deal", **BESIDES["followers"], "sensitive": {"ill": {}, "pay": {}}}
    made(here, "first", **asked, allotment=True)
    fill(here, "next", [(age, "Chur", *rest) for age, _, *rest in PEOPLE])
    made(here, "second", **asked, source="next", recipe="first")
    names, rows = read(here, "second")
    assert {row[names.index("town")] for row in rows} == {"Chur"}
    shown = Counter(
        tuple(row[names.index(text)] for text in ("age", "town", "dose")) for row in rows
    )
    assert min(shown.values()) >= 2
    assert shown.total() == len(PEOPLE)


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (BESIDES["followers"], "name a release with an allotment, or leave follows or the recipe"),
        (BESIDES["subsets"], "the cells of 'first' are taken over as they are"),
        (BESIDES["population"], "the cells of 'first' are taken over as they are"),
        ({"k": 1, "publish": "anatomy"}, "'first' has no groups to take over"),
    ],
    ids=["followers", "subsets", "population", "groups"],
)
def test_a_recipe_of_cells_goes_with_none_of_these(
    asked: dict[str, Any], why: str, here: Connection
) -> None:
    declared = {"method": "stack_and_deal", "sensitive": {"ill": {"l": 2}}}
    fill(here, "everybody", PEOPLE)
    made(here, "first", **declared)
    with pytest.raises(SpecError, match=why):
        made(here, "again", **declared, **asked, recipe="first")


@pytest.mark.slow
def test_groups_and_cells_are_not_taken_for_each_other(here: Connection) -> None:
    declared = {"method": "stack_and_deal", "sensitive": {"ill": {"l": 2}}}
    groups = {**declared, "k": 1, "publish": "anatomy"}
    made(here, "first", **groups, allotment=True)
    for other in (declared, {**groups, "publish": "permuted"}):
        with pytest.raises(SpecError, match="publish: 'first' is published as anatomy: so must"):
            made(here, "again", **other, recipe="first")
    made(here, "first", **declared, allotment=True)
    with pytest.raises(SpecError, match="publish: 'first' is published as cells: so must"):
        made(here, "again", **groups, recipe="first")
