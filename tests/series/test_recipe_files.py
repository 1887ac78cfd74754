"""Recipes that are files: the release of the same recipe, wherever the earlier one stands."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from commands import sqlanon as command
from support import Connection, database, make_table, multiset, read, relations

import sqlanon
from sqlanon.clauses.recipe.file import read_recipe
from sqlanon.dbt import write_models
from sqlanon.engines import DuckDBEngine
from sqlanon.errors import SpecError
from sqlanon.spec import parse_spec

TREE = {"*": {"CH": ["Bern", "Chur"], "A": ["Linz", "it's"]}}
TOWNS = ["Bern", "Chur", "Linz", "it's", None]
CELLS: dict[str, Any] = {
    "quasi_identifiers": {
        "age": {"publish": "bounds"},
        "born": {},
        "town": {"hierarchy": {"tree": TREE}, "publish": "lca"},
    },
    "k": 4,
    "seed": 1,
}
LEVELS: dict[str, Any] = {
    "quasi_identifiers": {
        "age": {"hierarchy": {"bands": [10, 20]}},
        "town": {"hierarchy": {"tree": TREE}},
    },
    "method": "optimal",
    "k": 4,
    "seed": 1,
}


def fill(connection: Connection, name: str, start: int = 0) -> None:
    rows = [
        (20 + i * 7 % 40, f"19{50 + i % 40}-01-02", TOWNS[i % 5], i % 3)
        for i in range(start, start + 120)
    ]
    columns = {"age": "integer", "born": "date", "town": "varchar", "ill": "integer"}
    make_table(connection, name, columns, rows)


@pytest.fixture
def here() -> Iterator[Connection]:
    with database() as connection:
        fill(connection, "first")
        fill(connection, "second", 30)
        yield connection


@pytest.fixture
def there() -> Iterator[Connection]:
    """Another database, in which the earlier release does not stand."""
    with database() as connection:
        fill(connection, "second", 30)
        yield connection


def made(
    connection: Connection, source: str, release: str, **declared: Any
) -> list[tuple[Any, ...]]:
    asked: dict[str, Any] = {"suppression": {"records": 0.9}} if "recipe" in declared else {}
    sqlanon.anonymize(source, connection=connection, release=release, **asked, **declared)
    return multiset(read(connection, release)[1])


def written(connection: Connection, folder: Path, release: str = "january") -> str:
    file = folder / f"{release}.recipe.yaml"
    with sqlanon.open(connection) as db:
        file.write_text(db.recipe(release).text, encoding="utf-8")
    return str(file)


@pytest.mark.slow
@pytest.mark.parametrize(
    "declared", [CELLS | {"method": "top_down"}, LEVELS], ids=["cells", "levels"]
)
def test_a_file_makes_the_release_that_its_release_makes(
    declared: dict[str, Any], here: Connection, there: Connection, tmp_path: Path
) -> None:
    made(here, "first", "january", **declared)
    expected = made(here, "second", "february", **declared, recipe="january")
    file = written(here, tmp_path)
    assert made(there, "second", "february", **declared, recipe=file) == expected
    script = sqlanon.compile(
        "second",
        connection=there,
        release="by_script",
        suppression={"records": 0.9},
        recipe=file,
        **declared,
    )
    there.execute(script)
    assert multiset(read(there, "by_script")[1]) == expected


def test_levels_are_no_data(kept: Connection, tmp_path: Path) -> None:
    text = Path(written(kept, tmp_path, "by_levels")).read_text(encoding="utf-8")
    content = yaml.safe_load(text)
    assert "# It holds levels and no data." in text
    assert set(content["levels"]) == {"age", "town"}
    assert "cells" not in content
    assert not {"Bern", "Linz", "CH"} & set(text.replace(",", " ").split())


def test_cells_are_those_that_are_published(kept: Connection, tmp_path: Path) -> None:
    file = written(kept, tmp_path)
    assert "it is as public as that" in Path(file).read_text(encoding="utf-8")
    found = kept.execute(
        "select distinct age_min::varchar, age_max::varchar, born, town from january"
    ).fetchall()
    assert multiset(read_recipe(file).cells) == multiset(found)


@pytest.fixture(scope="module")
def kept() -> Iterator[Connection]:
    """Releases to which no test does anything: `january` of cells, `by_levels`."""
    with database() as connection:
        fill(connection, "first")
        fill(connection, "second", 30)
        made(connection, "first", "january", **CELLS, method="top_down")
        made(connection, "first", "by_levels", **LEVELS)
        yield connection


def _edited(text: str) -> str:
    return text.replace("method: top_down", "method: mondrian")


def _older(text: str) -> str:
    return text.replace("recipe_format: 1", "recipe_format: 0")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_edited, "was changed since it was written: write it again: sqlanon recipe RELEASE"),
        (_older, "has another format than 1"),
        (lambda text: "a: 1", "is no recipe of sqlanon's, which begins with recipe_format"),
        (lambda text: "a: [", "nor any YAML"),
    ],
)
def test_a_file_that_is_none_is_refused(
    change: Callable[[str], str], said: str, kept: Connection, tmp_path: Path
) -> None:
    file = Path(written(kept, tmp_path))
    file.write_text(change(file.read_text(encoding="utf-8")), encoding="utf-8")
    declared = CELLS | {"method": "top_down"}
    with pytest.raises(SpecError, match=said):
        made(kept, "second", "february", **declared, recipe=str(file))


def test_a_file_that_is_not_there_is_refused(here: Connection) -> None:
    with pytest.raises(SpecError, match=r"recipe: the recipe '.*nowhere.yaml' cannot be read"):
        made(here, "second", "february", **LEVELS, recipe="nowhere.yaml")


def test_a_file_of_another_spec_is_refused(kept: Connection, tmp_path: Path) -> None:
    file = written(kept, tmp_path, "by_levels")
    others: list[tuple[dict[str, Any], str]] = [
        (CELLS | {"method": "top_down"}, "has levels and no cells|publishes it otherwise"),
        (
            {**LEVELS, "quasi_identifiers": {"age": {"hierarchy": {"bands": [5, 20]}}}},
            "publishes 'town' at one level, and this spec does not",
        ),
    ]
    for declared, said in others:
        with pytest.raises(SpecError, match=said):
            made(kept, "second", "february", **declared, recipe=file)


def test_a_release_without_classes_has_no_recipe(here: Connection) -> None:
    declared: dict[str, Any] = {
        "quasi_identifiers": ["age"],
        "sensitive": {"ill": {"l": 2}},
        "k": 1,
    }
    made(here, "first", "january", **declared, method="stack_and_deal", publish="anatomy")
    with sqlanon.open(here) as db, pytest.raises(SpecError, match="shows no classes whose levels"):
        db.recipe("january")


@pytest.mark.slow
def test_models_of_dbt_hold_the_cells_and_read_no_release(kept: Connection, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "dbt_project.yml").write_text("name: made\nversion: '1'\nmodel-paths: [models]\n")
    privacy = {"k": CELLS["k"]}
    others = {name: value for name, value in CELLS.items() if name != "k"}
    spec = parse_spec(
        {
            **others,
            "privacy": privacy,
            "method": "top_down",
            "source": {"table": "second"},
            "release": "february",
            "recipe": written(kept, tmp_path),
        }
    )
    engine = DuckDBEngine(connection=kept)
    files = write_models(spec, engine, project)
    engine.close()
    text = "".join(file.read_text(encoding="utf-8") for file in files)
    assert '"january"' not in text
    assert "february__recipe" not in text
    assert "'CH'" in text


@pytest.mark.slow
def test_the_command_line_writes_a_recipe_and_takes_it(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "one.duckdb")) as connection:
        fill(connection, "people")
    (tmp_path / "specs").mkdir()
    spec: dict[str, Any] = {
        "source": "people",
        "release": "january",
        "privacy": {"k": 4},
        "method": "optimal",
    }
    spec |= {"quasi_identifiers": LEVELS["quasi_identifiers"], "seed": 1}
    (tmp_path / "specs" / "spec.yaml").write_text(yaml.safe_dump(spec))
    on = ("--database", "one.duckdb")
    assert command(tmp_path, "run", "specs/spec.yaml", *on).returncode == 0
    done = command(tmp_path, "recipe", "january", *on)
    assert done.returncode == 0
    assert "Wrote january.recipe.yaml: levels, no data." in done.stdout
    again = command(tmp_path, "recipe", "january", *on)
    assert (again.returncode, "is there already" in again.stderr) == (2, True)
    taken = ("--recipe", "january.recipe.yaml")  # which lies here, and not beside the spec
    assert command(tmp_path, "run", "specs/spec.yaml", *on, *taken).returncode == 0
    script = command(tmp_path, "compile", "specs/spec.yaml", *on, *taken)
    assert (script.returncode, "sqlanon_labels_q1" in script.stdout) == (0, True)


def _signed(change: Callable[[dict[str, Any]], object], text: str) -> str:
    """A file that says otherwise, with a digest of that."""
    content = yaml.safe_load(text)
    del content["digest"]
    change(content)
    signed = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return yaml.safe_dump(content | {"digest": hashlib.sha256(signed.encode()).hexdigest()})


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("x: 2020-01-01", "was changed since"),
        ("1: 2", "was changed since"),
        ("x: !!set {a, b}", "was changed since"),
        ("x: !!binary aGk=", "was changed since"),
        ("x: &a [*a]", "was changed since"),
        ('x: "\\ud800"', "was changed since"),
        ("x: 2020-99-99", "nor any YAML"),
        ("x: " + "9" * 5000, "nor any YAML"),
        ("x: !!python/name:os.system", "nor any YAML"),
    ],
)
def test_what_yaml_reads_as_no_text_is_refused(
    more: str, said: str, kept: Connection, tmp_path: Path
) -> None:
    file = Path(written(kept, tmp_path, "by_levels"))
    file.write_text(f"{file.read_text(encoding='utf-8')}{more}\n", encoding="utf-8")
    with pytest.raises(SpecError, match=said):
        read_recipe(str(file))


@pytest.mark.parametrize(
    "change",
    [
        lambda content: content.pop("method"),
        lambda content: content.pop("columns"),
        lambda content: content["columns"][0].pop("form"),
        lambda content: content.update(release=1),
        lambda content: content.update(levels={"age": 1}, levels_mean={}),
        lambda content: content.update(cells=[[1, 2, 3, 4]]),
        lambda content: content.update(cells=[["1"]]),
        lambda content: content.update(cells={"a": "b"}),
        lambda content: content.update(more="x"),
    ],
)
def test_a_file_that_holds_something_else_is_refused(
    change: Callable[[dict[str, Any]], object], kept: Connection, tmp_path: Path
) -> None:
    file = Path(written(kept, tmp_path))
    file.write_text(_signed(change, file.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(SpecError, match="does not hold what a recipe holds: write it again"):
        read_recipe(str(file))


WORDS = [
    *("null", "~", "yes", "1e3", "[17, 25]", "2020-01-01"),
    *("", " a", "a\x85b", "\u2028", "\ufeff"),
]


def test_every_word_stays_the_text_that_it_is(tmp_path: Path) -> None:
    """Also one that YAML takes for something else, and a sign that ends a line."""
    declared: dict[str, Any] = {
        "quasi_identifiers": {"yes": {"publish": "set"}},
        "method": "stack_and_deal",
        "k": 2,
        "seed": 1,
    }
    with database() as one, database() as other:
        for connection in (one, other):
            make_table(connection, "people", {"yes": "varchar"}, [(word,) for word in WORDS * 4])
        made(one, "people", "january", **declared)
        expected = made(one, "people", "february", **declared, recipe="january")
        file = written(one, tmp_path)
        assert made(other, "people", "february", **declared, recipe=file) == expected


def test_a_cell_that_no_script_can_hold_is_refused_at_once(tmp_path: Path) -> None:
    declared: dict[str, Any] = {"quasi_identifiers": {"name": {"publish": "set"}}, "k": 2}
    with database() as connection:
        rows = [("a\0b",), ("a\0c",)] * 2
        make_table(connection, "people", {"name": "varchar"}, rows)
        made(connection, "people", "january", **declared, method="stack_and_deal", seed=1)
        with pytest.raises(SpecError, match="a cell of the release holds a NUL character"):
            written(connection, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["hidden", "{there}/hidden"])
def test_a_release_says_nothing_of_where_its_recipe_lies(
    folder: str, here: Connection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Readers of the table of what was left out see the earlier release's name, and no path."""
    monkeypatch.setenv("RECIPES", folder.replace("{there}", str(tmp_path)))
    (tmp_path / "hidden").mkdir()
    made(here, "first", "january", **CELLS, method="top_down")
    written(here, tmp_path / "hidden")
    spec: dict[str, Any] = {
        "source": "second",
        "release": "february",
        "privacy": {"k": 4},
        "method": "top_down",
        "suppression": {"records": 0.9},
        "recipe": "${RECIPES}/january.recipe.yaml",
        "quasi_identifiers": CELLS["quasi_identifiers"],
    }
    (tmp_path / "spec.yaml").write_text(yaml.safe_dump(spec))
    with sqlanon.open(here) as db:
        db.run(tmp_path / "spec.yaml")
        script = db.compile(tmp_path / "spec.yaml")
    left_out = read(here, "february__suppressed")[1]
    assert [row[2] for row in left_out if row[0] == "recipe"] == ["january"]
    tables = [relation for relation in relations(here) if relation.startswith("february")]
    said = [script, *(str(read(here, table)) for table in tables)]
    assert not any("hidden" in text for text in said)
    assert "${RECIPES}/january.recipe.yaml" in str(read(here, "february__run"))


def in_parquet(connection: Connection, folder: Path) -> Path:
    file = folder / "january.recipe.parquet"
    with sqlanon.open(connection) as db:
        content = db.recipe("january").written_as(file)
    assert isinstance(content, bytes)
    file.write_bytes(content)
    return file


@pytest.mark.slow
@pytest.mark.parametrize(
    "declared", [CELLS | {"method": "top_down"}, LEVELS], ids=["cells", "levels"]
)
def test_a_parquet_file_says_what_the_yaml_file_says(
    declared: dict[str, Any], here: Connection, there: Connection, tmp_path: Path
) -> None:
    made(here, "first", "january", **declared)
    expected = made(here, "second", "february", **declared, recipe="january")
    file = in_parquet(here, tmp_path)
    assert read_recipe(str(file)) == read_recipe(written(here, tmp_path))
    assert made(there, "second", "february", **declared, recipe=str(file)) == expected


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            "copy (from read_parquet('{file}') limit 3) to '{other}' (format parquet, "
            "kv_metadata {{sqlanon_recipe: '{kept}'}})",
            "was changed since it was written: write it again",
        ),
        (
            "copy (from read_parquet('{file}')) to '{other}' (format parquet, "
            "kv_metadata {{sqlanon_recipe: '{{\"recipe_format\": 7}}'}})",
            "has another format than 1",
        ),
        (
            "copy (from read_parquet('{file}')) to '{other}' (format parquet, "
            "kv_metadata {{sqlanon_recipe: 'none'}})",
            "is no recipe of sqlanon's, whose metadata has sqlanon_recipe",
        ),
        (
            "copy (from read_parquet('{file}')) to '{other}' (format parquet)",
            "is no recipe of sqlanon's, whose metadata has sqlanon_recipe",
        ),
        (
            "copy (select 1 as age) to '{other}' (format parquet, "
            "kv_metadata {{sqlanon_recipe: '{kept}'}})",
            "is no recipe of sqlanon's, whose metadata has sqlanon_recipe",
        ),
        ("copy (select 1 as age) to '{other}' (format csv)", "is no recipe of sqlanon's"),
    ],
    ids=["fewer rows", "another format", "no JSON", "no metadata", "numbers", "no parquet"],
)
def test_a_parquet_file_that_is_none_is_refused(
    change: str, said: str, kept: Connection, tmp_path: Path
) -> None:
    file, other = in_parquet(kept, tmp_path), tmp_path / "other.parquet"
    with duckdb.connect() as connection:
        (says,) = connection.execute(
            f"select decode(value) from parquet_kv_metadata('{file}')"
        ).fetchall()[0]
        connection.execute(change.format(file=file, other=other, kept=says.replace("'", "''")))
    declared = CELLS | {"method": "top_down"}
    with pytest.raises(SpecError, match=said):
        made(kept, "second", "february", **declared, recipe=str(other))
    with pytest.raises(SpecError, match=r"the recipe '.*nowhere.parquet' cannot be read"):
        made(kept, "second", "february", **declared, recipe=str(tmp_path / "nowhere.parquet"))


def test_apply_makes_what_a_run_makes_by_the_recipe(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "one.duckdb")) as connection:
        fill(connection, "people")
        made(connection, "people", "january", **LEVELS)
        file = written(connection, tmp_path)
    spec = {name: value for name, value in LEVELS.items() if name != "k"}
    spec |= {"source": {"table": "people"}, "release": "applied", "privacy": {"k": LEVELS["k"]}}
    spec |= {"database": "one.duckdb"}
    (tmp_path / "spec.yaml").write_text(yaml.safe_dump(spec))
    done = command(tmp_path, "apply", Path(file).name, "spec.yaml")
    assert done.returncode == 0, done.stderr
    with duckdb.connect(str(tmp_path / "one.duckdb")) as connection:
        assert multiset(read(connection, "applied")[1]) == multiset(read(connection, "january")[1])
        asked = connection.execute("select count(*) from applied__metrics").fetchall()
        everything = connection.execute("select count(*) from january__metrics").fetchall()
    assert 0 < asked[0][0] < everything[0][0]
    done = command(tmp_path, "apply", "nowhere.yaml", "spec.yaml")
    assert done.returncode == 2
    assert "cannot be read" in done.stderr
