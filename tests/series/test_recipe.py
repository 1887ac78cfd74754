"""Levels taken over from an earlier release: the same labels, or a refusal."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import commands
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from support import Connection, database, examples, facts, make_table, read, relations

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError

pytestmark = pytest.mark.slow

TREE = {"*": {"CH": ["Bern", "Chur"], "A": ["Linz"]}}
DECLARED: dict[str, Any] = {
    "quasi_identifiers": {
        "age": {"hierarchy": {"bands": [10, 20, 40]}},
        'the "town"': {"hierarchy": {"tree": TREE}},
    },
    "sensitive": {"disease": {"l": 2}},
    "k": 6,
    "method": "optimal",
    "seed": 7,
}
COLUMNS = {"age": "integer", 'the "town"': "varchar", "disease": "varchar"}
TOWNS = {"Bern": "CH", "Chur": "CH", "Linz": "A"}
PEOPLE = [
    (age, town, disease)
    for age in range(0, 40, 5)
    for town in TOWNS
    for disease in ("flu", "cold", "ulcer")
]


def label(place: int, value: Any, level: int) -> str:
    """What a value is published as at a level, by the definition of its hierarchy."""
    if place == 0:
        width = (1, 10, 20, 40)[level] if level < 4 else 0
        low = value // width * width if width else 0
        return "*" if not width else str(value) if width == 1 else f"[{low}, {low + width - 1}]"
    return (value, TOWNS[value], "*")[level]


def released(connection: Connection, source: str, release: str, **declared: Any) -> Any:
    return sqlanon.anonymize(
        source, connection=connection, progress=False, **DECLARED | {"release": release} | declared
    )


def levels(connection: Connection, release: str) -> dict[str, int]:
    found: dict[str, int] = json.loads(facts(connection, release)["levels"])
    return found


@pytest.fixture(scope="module")
def connection() -> Iterator[Connection]:
    with database() as opened:
        make_table(opened, "january", COLUMNS, PEOPLE)
        released(opened, "january", "first")
        released(opened, "january", "dealt", method="stack_and_deal")
        yield opened


def test_what_can_be_reached_is_told_at_the_levels_that_are_taken_over(
    connection: Connection,
) -> None:
    """Of the release that a run would make, and not of other levels or of the recipe's cells."""
    coarser = {"age": (3, 3)}
    released(connection, "january", "coarse", levels=coarser)
    found = sqlanon.why(
        "january",
        connection=connection,
        progress=False,
        **DECLARED | {"release": "second", "recipe": "coarse"},
    )
    assert found.passed
    asked = {**DECLARED, "release": "second", "k": 100}
    found = sqlanon.why("january", connection=connection, progress=False, **asked, recipe="coarse")
    assert [limit.best for limit in found.binding] == [len(PEOPLE)]


rows = st.lists(
    st.tuples(
        st.sampled_from([*range(0, 60, 7)]),
        st.sampled_from([*TOWNS]),
        st.sampled_from(["flu", "cold", "ulcer"]),
    ),
    min_size=40,
    max_size=80,
)


@pytest.mark.slow
@examples(6, 60)
@given(rows, rows, st.sampled_from(["optimal", "samarati", "incognito", "datafly", "mondrian"]))
def test_a_second_sample_has_the_labels_of_the_first(
    one: list[Any], other: list[Any], method: str
) -> None:
    """Or it is refused; what is published is the label of the first one's level."""
    asked: dict[str, Any] = {"method": method}
    if method == "mondrian":
        columns = DECLARED["quasi_identifiers"]
        asked["quasi_identifiers"] = {
            name: declared | {"publish": "level"} for name, declared in columns.items()
        }
    with database() as connection:
        make_table(connection, "one", COLUMNS, one)
        make_table(connection, "other", COLUMNS, other)
        try:
            released(connection, "one", "first", **asked)
        except InfeasibleError:
            return
        chosen = [*levels(connection, "first").values()]
        for release, records in (("first", one), ("second", other)):
            if release == "second":
                try:
                    released(connection, "other", "second", recipe="first", **asked)
                except InfeasibleError:
                    return
                assert [*levels(connection, "second").values()] == chosen
            names, found = read(connection, release)
            assert names[:2] == tuple(DECLARED["quasi_identifiers"])
            labels = [
                tuple(label(index, row[index], level) for index, level in enumerate(chosen))
                for row in records
            ]
            assert sorted(row[:2] for row in found) == sorted(labels)


@pytest.mark.slow
def test_a_table_that_breaks_a_model_at_these_levels_is_refused(connection: Connection) -> None:
    make_table(connection, "february", COLUMNS, [*PEOPLE, (5, "Linz", "flu"), (99, "Linz", "flu")])
    released(connection, "february", "alone")
    assert levels(connection, "alone") != levels(connection, "first")
    with pytest.raises(InfeasibleError, match="none of the 1 choices of levels meets"):
        released(connection, "february", "broken", recipe="first")
    assert not relations(connection) & {"broken", "broken__run"}
    kept = released(connection, "february", "second", recipe="first", suppression={"records": 0.05})
    assert kept.levels == levels(connection, "first") == levels(connection, "second")


def test_a_release_may_follow_the_one_that_it_replaces(connection: Connection) -> None:
    chosen = levels(connection, "first")
    again = released(connection, "january", "first", recipe="first", k=5)
    assert again.levels == chosen
    assert json.loads(facts(connection, "first")["spec"])["recipe"] == "first"


def test_k_is_chosen_and_sweeps_go_at_these_levels(connection: Connection) -> None:
    chosen = levels(connection, "first")
    one = released(connection, "january", "second", recipe="first", choose={"k": [6, 7]})
    assert one.levels == chosen
    swept = sqlanon.sweep(
        "january",
        k=[6, 7],
        connection=connection,
        progress=False,
        **{name: value for name, value in DECLARED.items() if name != "k"} | {"recipe": "first"},
    )
    assert [trial.gcp for trial in swept.trials] == [one.measure("gcp"), None]  # 7 need others


@pytest.mark.parametrize(
    ("declared", "where", "what"),
    [
        ({"recipe": "nothing"}, "recipe", "there is no release 'nothing'"),
        ({"recipe": "january"}, "recipe", "is no release that sqlanon run"),
        ({"recipe": "dealt"}, "recipe", "its method was stack_and_deal"),
        (
            {"recipe": "first", "method": "split_or_deal"},
            "quasi_identifiers.age",
            "publishes it otherwise, as level",
        ),
        ({"recipe": "first", "publish": "permuted", "k": 1}, "recipe", "cells here are values"),
        (
            {"recipe": "first", "missing": {"age": ["35"]}},
            "quasi_identifiers.age.hierarchy",
            "would mean something else",
        ),
        ({"recipe": "first", "levels": {"age": 3}}, "levels.age", "'first' has level"),
        ({"recipe": ""}, "recipe", "it must not be empty"),
        (
            {
                "recipe": "first",
                "quasi_identifiers": {
                    **DECLARED["quasi_identifiers"],
                    "age": {"hierarchy": {"bands": [5, 20, 40]}},
                },
            },
            "quasi_identifiers.age.hierarchy",
            "would mean something else",
        ),
        (
            {
                "recipe": "first",
                "quasi_identifiers": {"age": {"hierarchy": {"bands": [10, 20, 40]}}},
            },
            "recipe",
            "at one level, and this spec does not",
        ),
    ],
)
def test_what_cannot_be_taken_over_is_refused(
    connection: Connection, declared: dict[str, Any], where: str, what: str
) -> None:
    with pytest.raises(SpecError) as refused:
        released(connection, "january", "second", **declared)
    found = {problem.where: problem.what for problem in refused.value.problems}
    assert what in found[where]


LEVELLED = {"age": {**DECLARED["quasi_identifiers"]["age"], "publish": "level"}, 'the "town"': {}}


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("declared", "levelled"),
    [
        ({}, [*DECLARED["quasi_identifiers"]]),
        ({"method": "stack_and_deal"}, []),
        ({"method": "stack_and_deal", "quasi_identifiers": LEVELLED}, ["age"]),
        ({"method": "cell_suppression", "sensitive": []}, None),
        ({"publish": "permuted", "k": 1}, None),
    ],
    ids=["levels", "cells", "one level", "single cells", "exact"],
)
def test_a_release_says_what_others_can_take_over(
    connection: Connection, declared: dict[str, Any], levelled: list[str] | None
) -> None:
    """The levels that were published if there are any, what cells mean if there are groups."""
    released(connection, "january", "kept", **declared)
    found = facts(connection, "kept")
    known = {
        name: json.loads(found[name]) for name in ("cells_mean", "levels_mean") if name in found
    }
    assert [*known.get("cells_mean", ())] == ([] if levelled is None else [*COLUMNS][:2])
    assert [*known.get("levels_mean", ())] == (levelled or [])
    assert ("levels" in found) == bool(levelled)
    if levelled:
        assert [*levels(connection, "kept")] == levelled


def test_a_column_that_the_recipe_does_not_know_needs_a_level(connection: Connection) -> None:
    make_table(connection, "wider", COLUMNS | {"sex": "varchar"}, [(*one, "f") for one in PEOPLE])
    wider = DECLARED["quasi_identifiers"] | {"sex": {"hierarchy": {"tree": {"*": ["f", "m"]}}}}
    with pytest.raises(SpecError, match=r"give its level, as levels: \{sex: 1\}"):
        released(connection, "wider", "second", recipe="first", quasi_identifiers=wider)
    asked: dict[str, Any] = {"quasi_identifiers": wider, "levels": {"sex": [0, 1]}}
    second = released(connection, "wider", "second", recipe="first", **asked)
    assert second.levels == levels(connection, "first") | {"sex": 0}


def test_a_hierarchy_file_with_other_groups_is_refused(tmp_path: Path) -> None:
    """Told by what is in it and not by its name; the order of its lines does not matter."""
    file = tmp_path / "towns.csv"
    spec: dict[str, Any] = DECLARED | {
        "source": "people.csv",
        "release": "first",
        "quasi_identifiers": {"town": {"hierarchy": "towns.csv"}},
        "privacy": {"k": 30},
    }
    del spec["k"]
    lines = ["Bern,CH", "Chur,CH", "Linz,A"]
    people = [*PEOPLE, *(one for one in PEOPLE if one[1] == "Linz")]
    rows = [f"{town},{disease}" for _, town, disease in people]
    (tmp_path / "people.csv").write_text("\n".join(["town,disease", *rows]), encoding="utf-8")

    def run(release: str, lines: list[str], *options: str) -> commands.Done:
        file.write_text("\n".join(lines), encoding="utf-8")
        (tmp_path / "spec.yaml").write_text(yaml.safe_dump(spec | {"release": release}), "utf-8")
        arguments = ["run", "spec.yaml", "--database", "releases.duckdb", "--quiet", *options]
        return commands.sqlanon(tmp_path, *arguments)

    assert run("first", lines).returncode == 0
    assert run("second", lines[::-1], "--recipe", "first").returncode == 0
    refused = run("third", ["Bern,A", *lines[1:]], "--recipe", "first")
    assert refused.returncode == 2
    assert (
        "quasi_identifiers.town.hierarchy: its hierarchy, or what stands for NULL, is not"
        in refused.stderr
    )
