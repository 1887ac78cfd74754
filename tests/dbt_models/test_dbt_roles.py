"""A spec in the properties of a dbt project, and back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from commands import sqlanon as command

from sqlanon.dbt.reading import meta_of, spec_of
from sqlanon.errors import SpecError
from sqlanon.spec import parse_spec

BANDS = {"bands": [9]}
TREE = {"tree": {"*": ["f", "m"]}}
MODEL: dict[str, Any] = {
    "name": "people",
    "config": {
        "meta": {"sqlanon": {"release": "people_public", "privacy": {"k": 3}, "method": "optimal"}}
    },
    "columns": [
        {"name": "patient_id", "config": {"meta": {"sqlanon": "identifier"}}},
        {
            "name": "age",
            "config": {
                "meta": {"sqlanon": {"role": "quasi_identifier", "hierarchy": {"bands": [9]}}}
            },
        },
        # where older projects have it
        {"name": "sex", "meta": {"sqlanon": {"role": "quasi_identifier", "hierarchy": TREE}}},
        {"name": "ill", "config": {"meta": {"sqlanon": {"role": "sensitive", "l": 2}}}},
        {"name": "ward", "config": {"meta": {"other": 1}}},
        {"name": "note"},
    ],
}
SPEC: dict[str, Any] = {
    "source": "people",
    "release": "people_public",
    "privacy": {"k": 3},
    "method": "optimal",
    "identifiers": {"patient_id": {}},
    "quasi_identifiers": {"age": {"hierarchy": {"bands": [9]}}, "sex": {"hierarchy": TREE}},
    "sensitive": {"ill": {"l": 2}},
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "dbt_project.yml").write_text("name: made\nversion: '1'\nmodel-paths: [m]\n")
    (tmp_path / "m" / "deep").mkdir(parents=True)
    return tmp_path


def declare(project: Path, *models: Any, kind: str = "models", name: str = "people.yml") -> None:
    text = yaml.safe_dump({"version": 2, kind: list(models)}, allow_unicode=True)
    (project / "m" / "deep" / name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("kind", ["models", "seeds", "snapshots"])
def test_the_roles_of_columns_are_a_spec(project: Path, kind: str) -> None:
    declare(project, {"name": "other"}, MODEL, kind=kind)
    assert spec_of(project, "people") == SPEC


def test_a_spec_is_the_properties_of_a_model(project: Path) -> None:
    declare(project, meta_of(parse_spec(SPEC)))
    again = spec_of(project, "people")
    assert parse_spec({**again, "seed": 1}) == parse_spec({**SPEC, "seed": 1})


def changed(**config: Any) -> dict[str, Any]:
    return MODEL | {"config": {"meta": {"sqlanon": config}}}


@pytest.mark.parametrize(
    ("model", "said"),
    [
        ({"name": "people"}, r"people: meta.sqlanon: it is missing, or no mapping"),
        (changed(privacy={"k": 3}), "it names no release"),
        (changed(release="r", privacy={"k": 3}, source="x"), "source: the properties of the model"),
        (changed(release="r", privacy={"kk": 3}), "privacy"),
        (
            MODEL | {"columns": [{"name": "age", "meta": {"sqlanon": "quasi"}}]},
            r"people.age: meta.sqlanon: there is no role 'quasi'; a role is one of identifier",
        ),
        (
            MODEL | {"columns": [{"name": "age", "meta": {"sqlanon": {"hierarchy": TREE}}}]},
            "it has no role; a role is one of identifier, quasi_identifier, sensitive",
        ),
    ],
)
def test_what_is_no_spec_is_refused(project: Path, model: dict[str, Any], said: str) -> None:
    declare(project, model)
    with pytest.raises(SpecError, match=said):
        spec_of(project, "people")


def test_a_model_is_declared_once_and_by_its_name(project: Path) -> None:
    declare(project, MODEL)
    with pytest.raises(SpecError, match=r"no properties of 'peopl'.*did you mean 'people'"):
        spec_of(project, "peopl")
    declare(project, MODEL, name="again.yml")
    with pytest.raises(SpecError, match="'people' is declared twice"):
        spec_of(project, "people")
    (project / "m" / "bad.yml").write_text("a: [")
    with pytest.raises(SpecError, match=r"bad.yml' cannot be read as YAML"):
        spec_of(project, "people")


def test_a_source_that_is_no_table_has_no_properties() -> None:
    with pytest.raises(SpecError, match="properties are those of a model"):
        meta_of(parse_spec({**SPEC, "source": {"query": "select 1"}}))


def test_the_command_line_writes_both(project: Path) -> None:
    declare(project, MODEL)
    done = command(project, "dbt", "spec", "people", "-o", "people.yaml")
    assert done.returncode == 0
    assert yaml.safe_load((project / "people.yaml").read_text(encoding="utf-8")) == SPEC
    assert command(project, "dbt", "spec", "people", "-o", "people.yaml").returncode == 2
    shown = command(project, "dbt", "meta", "people.yaml")
    (model,) = yaml.safe_load(shown.stdout)["models"]
    assert {one["name"] for one in model["columns"]} == {"patient_id", "age", "sex", "ill"}
