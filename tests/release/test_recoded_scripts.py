"""Scripts at fixed levels: labels that follow from the values alone make the release of a run."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import (
    Connection,
    database,
    examples,
    make_table,
    multiset,
    read,
    recipe_file,
    relations,
)

import sqlanon
from sqlanon.engines import DuckDBEngine
from sqlanon.errors import SpecError, SqlanonError
from sqlanon.planning.recoding import prepare_release
from sqlanon.spec import parse_spec

COLUMNS = {
    "age": "integer",
    "paid": "decimal(8, 2)",
    "zip": "varchar",
    "born": "date",
    "sex": "varchar",
    "ill": "varchar",
}
HIERARCHIES: dict[str, Any] = {
    "age": {"bands": [10, 20]},
    "paid": {"bands": [5, 50]},
    "zip": {"prefix": [3, 1]},
    "born": {"dates": ["month", "year"]},
    "sex": {"tree": {"*": {"known": ["f", "m"], "other": ["x"]}}},
}
VALUES: dict[str, list[Any]] = {
    "age": [None, -3, 0, 7, 10, 19, 41],
    "paid": [None, Decimal("-0.01"), Decimal("4.99"), Decimal("5.00"), Decimal("50.00")],
    "zip": [None, "", "1", "12", "123", "124", "1é3", "**"],
    "born": [None, datetime.date(1999, 12, 31), datetime.date(2000, 1, 1)],
    "sex": [None, "f", "m", "x"],
    "ill": [None, "flu", "cold", "it's"],
}
PLAIN: dict[str, Any] = {
    "quasi_identifiers": {
        "age": {"hierarchy": {"bands": [10, 20]}},
        "sex": {"hierarchy": HIERARCHIES["sex"]},
    },
    "levels": {"age": 1, "sex": 1},
    "method": "optimal",
    "seed": 1,
}


@pytest.fixture
def people() -> Iterator[Connection]:
    with database() as connection:
        rows = [(age, "fmx"[age % 3], ("flu", "cold")[age % 2]) for age in range(60)]
        make_table(
            connection, "people", {"age": "integer", "sex": "varchar", "ill": "varchar"}, rows
        )
        yield connection


@st.composite
def declared(draw: st.DrawFn) -> dict[str, Any]:
    """What a spec may ask for whose script is made of labels."""
    names = draw(st.lists(st.sampled_from([*HIERARCHIES]), min_size=1, max_size=3, unique=True))
    spec: dict[str, Any] = {
        "quasi_identifiers": {name: {"hierarchy": HIERARCHIES[name]} for name in names},
        "levels": {name: draw(st.integers(0, 2 if name == "sex" else 3)) for name in names},
        "method": draw(st.sampled_from(["optimal", "samarati", "incognito", "datafly"])),
        "k": draw(st.integers(1, 4)),
        "seed": 1,
    }
    if draw(st.booleans()):
        spec["sensitive"] = {"ill": {}}
        if draw(st.booleans()):
            spec |= draw(st.sampled_from([{"l": 2}, {"t": 0.4}, {"l": 2, "t": 0.3, "alpha": 0.8}]))
    if draw(st.booleans()):
        spec["suppression"] = {"records": 0.5}
    return spec


@st.composite
def rows(draw: st.DrawFn) -> list[tuple[Any, ...]]:
    """Records that repeat each other, with NULLs."""
    kinds = draw(st.lists(st.tuples(*map(st.sampled_from, VALUES.values())), max_size=6))
    return [kind for kind in kinds for _ in range(draw(st.integers(1, 4)))]


def of_a_run(connection: Connection, release: str, spec: dict[str, Any]) -> Any:
    """The release of a run, and what was left out; or nothing, where it is refused."""
    try:
        sqlanon.anonymize("people", connection=connection, release=release, **spec)
    except SqlanonError:
        return None
    return left(connection, release)


def of_a_script(connection: Connection, release: str, spec: dict[str, Any]) -> Any:
    """The same of a script."""
    script = sqlanon.compile("people", connection=connection, release=release, **spec)
    try:
        connection.execute(script)
    except duckdb.Error:
        connection.execute("rollback")
        return None
    return left(connection, release)


def left(connection: Connection, release: str) -> Any:
    columns, rows = read(connection, release)
    suppressed = None
    if f"{release}__suppressed" in relations(connection):
        suppressed = read(connection, f"{release}__suppressed")
    return columns, multiset(rows), suppressed


@pytest.mark.slow
@given(declared(), rows())
@examples(12, 400)
def test_a_script_makes_the_release_of_a_run(spec: dict[str, Any], rows: Any) -> None:
    with database() as connection:
        make_table(connection, "people", COLUMNS, rows)
        engine = DuckDBEngine(connection=connection)
        plan = prepare_release(parse_spec({**_fields(spec), "release": "by_script"}), engine)
        assert plan.is_recoded
        engine.close()
        assert of_a_script(connection, "by_script", spec) == of_a_run(connection, "by_run", spec)


def _fields(spec: dict[str, Any]) -> dict[str, Any]:
    """The spec as a file has it."""
    privacy = {name: spec[name] for name in ("k", "l", "t", "alpha") if name in spec}
    others = {name: value for name, value in spec.items() if name not in privacy}
    return {**others, "source": {"table": "people"}, "privacy": privacy}


def test_a_script_at_fixed_levels_is_short(people: Connection) -> None:
    """What a person can read, with its proof; all that a run measures is there if asked for."""
    short = sqlanon.compile("people", connection=people, k=3, **PLAIN)
    whole = sqlanon.compile("people", connection=people, k=3, all_metrics=True, **PLAIN)
    assert len(short.splitlines()) < 199 < 1450 < len(whole.splitlines())
    leaving_out = {**PLAIN, "suppression": {"records": 0.1}}
    assert len(sqlanon.compile("people", connection=people, k=3, **leaving_out).splitlines()) < 277
    made = []
    for script in (whole, short, short):
        people.execute(script)
        made.append(multiset(read(people, "anonymized")[1]))
    assert made[0] == made[1] == made[2]


def test_only_what_is_asked_for_is_measured(people: Connection) -> None:
    people.execute(sqlanon.compile("people", connection=people, k=3, **PLAIN))
    columns, found = read(people, "anonymized__metrics")
    assert [row[:2] for row in found] == [("k_anonymity", None)]
    assert columns[2:5] == ("value", "threshold", "passed")
    assert sqlanon.check("anonymized", connection=people).passed


def test_a_script_refuses_what_does_not_hold(people: Connection) -> None:
    people.execute(sqlanon.compile("people", connection=people, k=3, **PLAIN))
    before = read(people, "anonymized")
    script = sqlanon.compile("people", connection=people, k=4, **PLAIN)
    with pytest.raises(duckdb.Error, match="k_anonymity: asked for 4, reached 3"):
        people.execute(script)
    people.execute("rollback")
    assert read(people, "anonymized") == before


@pytest.mark.parametrize("method", ["optimal", "stack_and_deal"])
def test_a_script_refuses_a_column_of_another_type(people: Connection, method: str) -> None:
    """Bands of whole numbers are none of fractions, and codes of values neither."""
    spec = {**PLAIN, "method": method, "levels": PLAIN["levels"] if method == "optimal" else {}}
    people.execute("create type answer as enum ('secret', 'flu', 'cold')")
    people.execute("create table others as select age, sex, ill::answer as ill from people")
    script = sqlanon.compile("others", connection=people, k=3, sensitive=["ill"], **spec)
    people.execute(script)
    assert "secret" not in script.replace("values ('secret'", "")
    people.execute("alter table others alter age type double")
    with pytest.raises(duckdb.Error, match="source: age: of another type than when this script"):
        people.execute(script)
    people.execute("rollback")


def test_a_script_refuses_an_empty_table(people: Connection) -> None:
    script = sqlanon.compile("people", connection=people, k=3, **PLAIN)
    people.execute("delete from people")
    with pytest.raises(duckdb.Error, match="k is 3, the source has only 0 records"):
        people.execute(script)
    people.execute("rollback")
    assert relations(people) == {"people"}


def test_a_script_refuses_a_value_without_a_label(people: Connection) -> None:
    script = sqlanon.compile("people", connection=people, k=3, **PLAIN)
    people.execute("insert into people values (1, 'unheard of', 'flu')")
    with pytest.raises(duckdb.Error) as refused:
        people.execute(script)
    people.execute("rollback")
    assert "quasi_identifiers.sex.hierarchy: the hierarchy does not cover 1 of" in str(
        refused.value
    )
    assert "unheard" not in str(refused.value)


def test_a_listed_label_of_two_groups_is_refused_before_there_is_a_script(
    people: Connection,
) -> None:
    tree = {"*": {"a": {"same": ["f"]}, "b": {"same": ["m", "x"]}}}
    spec = {
        **PLAIN,
        "quasi_identifiers": {"sex": {"hierarchy": {"tree": tree}}},
        "levels": {"sex": 1},
    }
    with pytest.raises(SpecError, match="1 labels stand for several different groups"):
        sqlanon.compile("people", connection=people, k=3, **spec)


def test_a_sensitive_column_that_gives_a_value_back_is_refused(people: Connection) -> None:
    people.execute("create table copied as select age, sex, age as age_too from people")
    spec = {**PLAIN, "sensitive": ["age_too"]}
    script = sqlanon.compile("copied", connection=people, k=3, **spec)
    with pytest.raises(duckdb.Error, match="age by age_too"):
        people.execute(script)
    people.execute("rollback")


def test_expressions_of_a_level_below_others_are_left_to_the_long_script(
    people: Connection,
) -> None:
    """Whether a label has several parents is then seen in the data alone."""
    levels = ["case when age < 30 then 'young' else 'old' end", "case when age < 9 then 'x' end"]
    for sql, recoded in ((levels[:1], True), (levels, False)):
        spec = {
            "quasi_identifiers": {"age": {"hierarchy": {"sql": sql}}},
            "levels": {"age": 1},
            "method": "optimal",
            "privacy": {"k": 2},
            "source": {"table": "people"},
            "release": "anonymized",
        }
        engine = DuckDBEngine(connection=people)
        assert prepare_release(parse_spec(spec), engine).is_recoded is recoded
        engine.close()


@pytest.mark.one_in(5)
@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize(
    ("hierarchy", "values"),
    [
        ({"prefix": [1]}, ["1*", "12"]),  # a value is written like a group
        ({"prefix": [1]}, ["*", "12"]),
        ({"sql": ["case when zip in ('a', 'c') then 'b' else 'd' end"]}, ["a", "b", "c"]),
        ({"sql": ["case when zip in ('a', 'b') then '*' else 'd' end"]}, ["a", "b", "c"]),
        ({"tree": {"*": {"a": ["a", "b"], "z": ["c"]}}}, ["a", "b", "c"]),
        ({"tree": {"*": {"x": ["a", "b"], "z": ["c"]}}}, ["a", "unheard of"]),
        ({"sql": ["nullif(left(zip, 1), 'b')"]}, ["a", "b"]),
    ],
)
def test_a_script_publishes_no_label_that_a_run_refuses(
    level: int, hierarchy: dict[str, Any], values: list[str]
) -> None:
    """Whatever level is published: a label that means two things, or a value that has none."""
    spec: dict[str, Any] = {
        "quasi_identifiers": {"zip": {"hierarchy": hierarchy}},
        "levels": {"zip": level},
        "method": "optimal",
        "k": 2,
    }
    with database() as connection:
        make_table(connection, "people", {"zip": "varchar"}, [(value,) for value in values * 3])
        assert of_a_run(connection, "by_run", spec) is None
        with pytest.raises((SpecError, duckdb.Error), match=r"hierarchy: .* (labels|cover)"):
            connection.execute(
                sqlanon.compile("people", connection=connection, release="by_script", **spec)
            )


@pytest.mark.one_in(3)
@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize(
    ("column", "hierarchy", "values"),
    [
        ("date", {"dates": ["year"]}, ["infinity", "2000-01-01"]),
        ("date", {"dates": ["decade"]}, ["0044-03-15 (BC)", "2000-01-01"]),
        ("decimal(38, 0)", {"bands": [10]}, ["9" * 38, "1"]),
    ],
)
def test_a_script_refuses_values_off_the_scale_at_every_level(
    level: int, column: str, hierarchy: dict[str, Any], values: list[str]
) -> None:
    spec: dict[str, Any] = {
        "quasi_identifiers": {"x": {"hierarchy": hierarchy}},
        "levels": {"x": level},
        "method": "optimal",
        "k": 2,
    }
    with database() as connection:
        make_table(connection, "people", {"x": column}, [(value,) for value in values * 3])
        assert of_a_run(connection, "by_run", spec) is None
        script = sqlanon.compile("people", connection=connection, release="by_script", **spec)
        with pytest.raises(duckdb.Error, match=r"quasi_identifiers.x[a-z.]*: 3 records hold"):
            connection.execute(script)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("hierarchy", [{"bands": [10]}, {"prefix": [1]}, {"sql": ['"{}" % 2']}])
def test_a_name_over_several_lines_is_no_statement_of_a_script(hierarchy: dict[str, Any]) -> None:
    """It stands in comments, each line of which is one."""
    name = 'age\n)) select 1; create table "taken" (a integer); --'
    quoted = name.replace('"', '""')
    hierarchy = {
        kind: [
            quoted.join(level.split("{}")) if isinstance(level, str) else level for level in levels
        ]
        for kind, levels in hierarchy.items()
    }
    spec: dict[str, Any] = {
        "quasi_identifiers": {name: {"hierarchy": hierarchy}},
        "levels": {name: 1},
        "sensitive": ["ill"],
        "method": "optimal",
        "k": 2,
    }
    with database() as connection:
        rows = [(age, ("flu", "cold")[age % 2]) for age in (10, 11, 12, 10, 11, 12)]
        make_table(connection, "people", {name: "integer", "ill": "varchar"}, rows)
        made = of_a_run(connection, "by_run", spec)
        assert made is not None
        assert of_a_script(connection, "by_script", spec) == made
        assert "taken" not in relations(connection)


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    "text",
    [
        "$$p\nq$$",
        "$a$p\n  'q'$a$",
        "'p\nq' || 'r\n\n\ns'",
        "/* ' */ 'p\nq'",
        "replace('\"', '\"', 'p\nq')",
    ],
)
def test_a_text_over_several_lines_stays_as_it_is(text: str) -> None:
    """The SELECT that it stands in is further to the right in a script."""
    spec: dict[str, Any] = {
        "quasi_identifiers": {"zip": {"hierarchy": {"sql": [f"left(zip, 1) || {text}"]}}},
        "levels": {"zip": 1},
        "method": "optimal",
        "k": 2,
    }
    with database() as connection:
        make_table(connection, "people", {"zip": "varchar"}, [("12",), ("13",)])
        made = of_a_run(connection, "by_run", spec)
        assert made is not None
        assert of_a_script(connection, "by_script", spec) == made


@pytest.mark.slow
@pytest.mark.parametrize("suppression", [None, {"records": 0.5}])
def test_a_run_may_measure_what_is_asked_for_alone(
    people: Connection, suppression: dict[str, Any] | None
) -> None:
    """It is carried out by labels, as the script is; of a search too, the release is the same."""
    levels = {**PLAIN, "k": 4 if suppression else 3, "suppression": suppression}
    searched = {**levels, "levels": {}, "k": 4}
    for spec in (levels, searched):
        found = [
            sqlanon.anonymize(
                "people", connection=people, release=name, all_metrics=name == "all", **spec
            )
            for name in ("all", "asked")
        ]
        assert multiset(read(people, "asked")[1]) == multiset(read(people, "all")[1])
        measured = {metric.metric for metric in found[1].measures}
        assert measured <= {"k_anonymity", "suppressed_records", "suppressed_share"}
        assert found[1].summary.left_out == found[0].summary.left_out
        assert found[1].summary.protected == found[0].summary.protected
        assert "asked" in repr(found[1])
        assert sqlanon.check("asked", connection=people).passed


@pytest.mark.slow
def test_what_a_script_made_is_a_release_to_all_that_reads_one(
    people: Connection, tmp_path: Path
) -> None:
    """A script measures less than a run; its levels are a recipe as those of a run are."""
    spec = {**PLAIN, "sensitive": {"ill": {"l": 2}}}
    people.execute(sqlanon.compile("people", connection=people, k=3, **spec))
    sqlanon.anonymize("people", connection=people, release="by_run", k=3, **spec)
    with sqlanon.open(people) as db:
        assert db.check("anonymized").passed
        assert db.recipe("anonymized").facts == {
            **db.recipe("by_run").facts,
            "method": "optimal",
        }
        assert db.compare("anonymized", "by_run").rows
        assert db.certificate("anonymized").text
        assert db.attack("anonymized", external="people").findings
        assert db.report("anonymized", tmp_path / "report.html").exists()


NATURAL = {"distance": "ordered", "order": "natural"}

ORDERS: dict[str, dict[str, Any]] = {
    "ill": {"distance": "ordered", "order": ["cold", "it's", "flu"]},
    "paid": NATURAL,
    "born": NATURAL,
}


@st.composite
def several(draw: st.DrawFn) -> dict[str, Any]:
    """Sensitive attributes that a script measures together: the same is asked of each."""
    names = draw(st.lists(st.sampled_from([*ORDERS]), min_size=2, max_size=3, unique=True))
    bounds = st.fixed_dictionaries({"l": st.integers(1, 3), "t": st.sampled_from([0.2, 0.5, 1])})
    return {
        "quasi_identifiers": {"age": {"hierarchy": HIERARCHIES["age"]}},
        "levels": {"age": draw(st.integers(0, 2))},
        "method": "optimal",
        "k": draw(st.integers(1, 3)),
        "seed": 1,
        "sensitive": {name: {**ORDERS[name], **draw(bounds)} for name in names},
    }


@pytest.mark.slow
@given(several(), rows())
@examples(12, 400)
def test_attributes_that_are_measured_together_have_the_measures_of_a_run(
    spec: dict[str, Any], rows: Any
) -> None:
    with database() as connection:
        make_table(connection, "people", COLUMNS, rows)
        script = sqlanon.compile("people", connection=connection, release="by_script", **spec)
        assert "measuring t closeness of " + ", ".join(spec["sensitive"]) in script
        made = of_a_script(connection, "by_script", spec)
        assert made == of_a_run(connection, "by_run", {**spec, "all_metrics": False})
        for beside in ("metrics", "classes") if made is not None else ():
            columns, found = read(connection, f"by_script__{beside}")
            assert (columns, multiset(found)) == _of_the_run(connection, beside)


def _of_the_run(connection: Connection, beside: str) -> Any:
    columns, found = read(connection, f"by_run__{beside}")
    return columns, multiset(found)


# Cells of a recipe: intervals, and labels of listed hierarchies.
CELLS: dict[str, Any] = {
    "quasi_identifiers": {
        "age": {},
        "paid": {},
        "born": {},
        "sex": {"hierarchy": HIERARCHIES["sex"]},
    },
    "sensitive": {"ill": {}},
    "method": "mondrian",
    "seed": 1,
}


@st.composite
def placed(draw: st.DrawFn) -> dict[str, Any]:
    """What a spec may ask for whose script lays cells of a recipe over the records."""
    spec: dict[str, Any] = {**CELLS, "k": draw(st.integers(1, 4)), "recipe": "cells"}
    if draw(st.booleans()):
        spec["suppression"] = {"records": 0.9}
    if draw(st.booleans()):
        return {**spec, "sensitive": {}, "insensitive": {"ill": {"accept": "made up"}}}
    asked = [{}, {"l": 2}, {"t": 0.4}, {"t": 0.4, "order": ["cold", "it's", "flu"]}]
    return {**spec, "sensitive": {"ill": draw(st.sampled_from(asked))}}


@pytest.mark.slow
@given(placed(), rows(), rows(), st.integers(1, 3))
@examples(12, 400)
def test_a_script_of_cells_makes_the_release_of_a_run(
    spec: dict[str, Any], earlier: Any, now: Any, k: int
) -> None:
    with database() as connection:
        make_table(connection, "earlier", COLUMNS, earlier)
        make_table(connection, "people", COLUMNS, [*now, *earlier])
        first = {**CELLS, "k": k, "release": "cells"}
        try:
            sqlanon.anonymize("earlier", connection=connection, **first)
        except SqlanonError:
            return
        engine = DuckDBEngine(connection=connection)
        plan = prepare_release(parse_spec({**_fields(spec), "release": "by_script"}), engine)
        assert plan.is_recoded
        engine.close()
        assert of_a_script(connection, "by_script", spec) == of_a_run(connection, "by_run", spec)


# By hand: [20, 39] is half of all ages, and a group of two of three leaves half of the others.
OVERLAPPING = [("[0, 40]", "f"), ("[20, 39]", "known"), ("[30, 31]", "*"), ("*", "x"), (None, "*")]


def test_a_record_goes_to_the_narrowest_cell_that_holds_it(tmp_path: Path) -> None:
    """How wide a cell is follows from the recipe, whatever the records are."""
    expected = {
        (10, "f"): ("[0, 40]", "f"),
        (25, "f"): ("[20, 39]", "known"),  # 475,001 and 500,000 of a million, to 1,000,000
        (30, "f"): ("[20, 39]", "known"),
        (30, "m"): ("[20, 39]", "known"),
        (30, "x"): ("*", "x"),
        (31, None): ("[30, 31]", "*"),
        (None, "x"): (None, "*"),  # as wide as the other, and before it
        (None, "m"): (None, "*"),
    }
    tree = {"*": {"known": ["f", "m"], "other": ["x"]}}
    spec: dict[str, Any] = {
        "quasi_identifiers": {"age": {}, "sex": {"hierarchy": {"tree": tree}}},
        "k": 2,
        "seed": 1,
    }
    with database() as connection:
        columns = {"age": "integer", "sex": "varchar"}
        make_table(connection, "people", columns, [cells for cells in expected for _ in range(2)])
        sqlanon.anonymize(
            "people", connection=connection, release="cells", method="mondrian", **spec
        )
        spec |= {"recipe": recipe_file(connection, "cells", tmp_path, OVERLAPPING), "k": 1}
        counts = multiset([cells for cells in expected.values() for _ in range(2)])
        assert of_a_script(connection, "by_script", spec)[1] == counts
        assert of_a_run(connection, "by_run", spec)[1] == counts


def test_a_script_of_cells_is_short_and_refuses_what_lies_in_none(
    people: Connection, tmp_path: Path
) -> None:
    spec: dict[str, Any] = {**PLAIN, "quasi_identifiers": {**PLAIN["quasi_identifiers"], "age": {}}}
    spec |= {"levels": {}, "method": "mondrian", "k": 5}
    sqlanon.anonymize("people", connection=people, release="cells", **spec)
    short = sqlanon.compile("people", connection=people, recipe="cells", **spec)
    assert len(short.splitlines()) < 310
    listed = sqlanon.compile(
        "people", connection=people, recipe=recipe_file(people, "cells", tmp_path), **spec
    )
    assert len(listed.splitlines()) < 272  # the cells stand there with their numbers and ends
    people.execute(listed)
    assert multiset(read(people, "anonymized")[1]) == multiset(read(people, "cells")[1])
    sensitive = {"ill": {"l": 2, "t": 0.9}, "pay": {"t": 0.9, **NATURAL}}
    people.execute("create table paid as select *, age * 7 % 50 as pay, sex as plan from people")
    proved = sqlanon.compile(
        "paid",
        connection=people,
        recipe="cells",
        **spec,
        sensitive=sensitive,
        insensitive=["plan"],
    )
    assert len(proved.splitlines()) < 711
    people.execute(short)
    assert multiset(read(people, "anonymized")[1]) == multiset(read(people, "cells")[1])
    people.execute("insert into people values (99, 'f', 'flu')")
    with pytest.raises(duckdb.Error, match="1 records lie in no cell of 'cells'"):
        people.execute(short)
    people.execute("rollback")
    people.execute("update people set age = 20, sex = 'new' where age = 99")
    with pytest.raises(duckdb.Error, match="does not cover 1 of the column's values"):
        people.execute(short)
    people.execute("rollback")
    assert multiset(read(people, "anonymized")[1]) == multiset(read(people, "cells")[1])


@pytest.mark.parametrize(
    ("groups", "published"),
    [
        ({f"group {name}": [name] for name in "abcdef"}, True),
        ({"first": ["a", "b", "c"], "last": ["d", "e", "f"]}, False),
    ],
    ids=["of one value", "of several"],
)
def test_a_group_of_one_value_hides_nothing_that_a_copy_gives_back(
    groups: dict[str, list[str]], published: bool
) -> None:
    """A run and a script agree, also where a level above the values has a group for each value."""
    spec: dict[str, Any] = {
        "quasi_identifiers": {"town": {"hierarchy": {"tree": {"*": groups}}}},
        "sensitive": {"home": {}},
        "levels": {"town": 1},
        "method": "optimal",
        "k": 2,
    }
    with database() as connection:
        rows = [(town, town) for town in "abcdef" for _ in range(6)]
        rows = [(town, f"{home}{at}") for at, (town, home) in enumerate(rows)]
        make_table(connection, "people", {"town": "varchar", "home": "varchar"}, rows)
        made = of_a_run(connection, "by_run", spec)
        assert (made is not None) == published
        assert of_a_script(connection, "by_script", spec) == made
