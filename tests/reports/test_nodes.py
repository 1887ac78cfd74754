"""The choices of levels that a search judged: kept, shown, and published by their number."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from commands import sqlanon as command
from servers import place
from support import database, make_table, slow

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError

COLUMNS = {"age": "integer", "town": "varchar", "ill": "varchar"}
ROWS = [(20 + i * 7 % 31, f"t{i * i % 4}", f"ill{i % 3}") for i in range(60)]
TOWNS = {"*": {"north": ["t0", "t1"], "south": ["t2", "t3"]}}
DECLARED: dict[str, Any] = {
    "release": "public",
    "quasi_identifiers": {
        "age": {"hierarchy": {"bands": [5, 10]}},
        "town": {"hierarchy": {"tree": TOWNS}},
    },
    "sensitive": {"ill": {"l": 2}},
    "k": 4,
    "suppression": {"records": 0.3},
    "seed": 1,
}


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["duckdb", *slow("postgres")])
@pytest.mark.parametrize("method", ["optimal", "incognito"])
def test_every_choice_that_holds_comes_to_what_it_says(
    engine: str, method: str, urls: Mapping[str, str]
) -> None:
    with place(engine, urls) as there:
        there.make_table("people", COLUMNS, ROWS)
        with sqlanon.open(there.connection) as db:
            made = db.run("people", method=method, **DECLARED)
            found = db.nodes(made)
            assert found.metric == "gcp"
            assert [node.number for node in found.nodes] == [*range(1, len(found.nodes) + 1)]
            assert [node.levels for node in found.nodes if node.chosen] == [made.levels]
            assert 2 < len(found.holding) < len(found.nodes) + 1
            for node in (found.holding[0], found.holding[-1], found.holding[1]):
                other = db.run(found.spec(node.number))
                assert str(other.relation) == f"public_node_{node.number}"
                assert other.levels == node.levels
                assert other.measure("gcp") == pytest.approx(node.loss, abs=1e-7)
                assert other.measure("suppressed_records") == node.suppressed
            assert db.nodes("public") == found  # the release stays, and its choices
            with pytest.raises(SpecError, match="kept no choices"):
                db.nodes("public_node_1")


@pytest.mark.slow
def test_a_choice_is_held_by_the_gate_like_any_other() -> None:
    with database() as connection, sqlanon.open(connection) as db:
        make_table(connection, "people", COLUMNS, ROWS)
        db.run("people", method="optimal", **DECLARED)
        found = db.nodes("public")
        connection.execute("update people set ill = 'ill0'")
        with pytest.raises(InfeasibleError, match="60 records lie in classes that violate it"):
            db.run(found.spec(1))
        assert db.nodes("public") == found


@pytest.mark.slow
def test_a_choice_that_is_none_or_does_not_hold_is_refused() -> None:
    with database() as connection, sqlanon.open(connection) as db:
        make_table(connection, "people", COLUMNS, ROWS)
        db.run("people", method="optimal", **DECLARED | {"suppression": None})
        found = db.nodes("public")
        fails = next(node for node in found.nodes if not node.holds)
        with pytest.raises(SpecError, match=f"choice {fails.number} does not hold"):
            found.spec(fails.number)
        with pytest.raises(SpecError, match="there is no choice 0: they are numbered 1 to"):
            found.spec(0)
        frame = connection.execute("select * from people").df()
        db.run(frame, method="optimal", **DECLARED)
        with pytest.raises(SpecError, match="no name: give the source again"):
            db.nodes("public").spec(1)


@pytest.mark.slow
def test_what_is_run_again_drops_the_choices_of_the_older_release() -> None:
    with database() as connection, sqlanon.open(connection) as db:
        make_table(connection, "people", COLUMNS, ROWS)
        db.run("people", method="optimal", **DECLARED)
        assert connection.execute("select count(*) > 1 from public__nodes").fetchall() == [(True,)]
        db.run("people", method="optimal", levels={"age": 2, "town": 1}, **DECLARED)
        there = {row[0] for row in connection.execute("show tables").fetchall()}
        assert "public__nodes" not in there
        assert "public__suppressed" in there
        connection.execute("create table public__nodes as select 1 as own")
        with pytest.raises(SpecError, match="'public__nodes' exists and is no release"):
            db.run("people", method="optimal", **DECLARED)


@pytest.mark.slow
def test_the_k_that_was_chosen_is_that_of_its_choices() -> None:
    with database() as connection, sqlanon.open(connection) as db:
        make_table(connection, "people", COLUMNS, ROWS)
        choose = {"k": [4, 6], "privacy_weight": 1}
        made = db.run("people", method="optimal", choose=choose, **DECLARED)
        spec = db.nodes("public").spec(1)
        assert spec.privacy.k == int(made.measures[0].threshold or 0) == 6
        assert db.run(spec).measure("gcp") == pytest.approx(made.measure("gcp"), abs=1e-7)


@pytest.mark.slow
def test_the_command_shows_them_and_publishes_one(tmp_path: Path) -> None:
    lines = "".join(f"{age},{town},{ill}\n" for age, town, ill in ROWS)
    (tmp_path / "people.csv").write_text("age,town,ill\n" + lines, encoding="utf-8")
    spec = {name: value for name, value in DECLARED.items() if name != "k"}
    spec |= {"source": "people.csv", "privacy": {"k": 4}, "method": "optimal"}
    (tmp_path / "spec.yaml").write_text(json.dumps(spec), encoding="utf-8")
    ran = command(tmp_path, "run", "spec.yaml")
    assert "Other choices of levels: sqlanon nodes public\n" in ran.stdout
    assert "public__nodes" in ran.stdout
    done = command(tmp_path, "nodes", "public", "--html", "nodes.html")
    assert done.returncode == 0, done.stderr
    shown = json.loads(command(tmp_path, "nodes", "public", "--json").stdout)
    holding = sum(one["holds"] for one in shown["nodes"])
    assert f"{holding} of {len(shown['nodes'])} choices that were judged hold" in done.stdout
    assert "To publish another one: sqlanon nodes public --publish" in done.stdout
    page = (tmp_path / "nodes.html").read_text(encoding="utf-8")
    assert page.count("<circle") == holding + 1
    again = command(tmp_path, "nodes", "public", "--html", "nodes.html")
    assert "is there already" in again.stderr
    made = command(tmp_path, "nodes", "public", "--publish", "2", "--as", "second", "--json")
    assert made.returncode == 0, made.stderr
    assert json.loads(made.stdout)["release"] == "second"
    both = command(tmp_path, "compare", "public", "second", "--database", "public.duckdb")
    assert both.returncode == 0, both.stderr
    refused = command(tmp_path, "nodes", "public", "--as", "second")
    assert (refused.returncode, "say which choice" in refused.stderr) == (2, True)
