"""The registry of privacy models: what is made of it, and the documents that list them."""

from __future__ import annotations

import re
from typing import Any

import pytest
import yaml
from support import assert_listed

from sqlanon.privacy import MODELS
from sqlanon.privacy.model import PrivacyModel
from sqlanon.privacy.thresholds import fields_of, models_of
from sqlanon.spec import parse_spec, spec_schema
from sqlanon.sql.templates import load_template

DISTANCES = ("equal", "ordered", "hierarchical")


def defined(model: PrivacyModel) -> str:
    """A model's row in the page of definitions."""
    return (
        f"| {model.title} | {model.formula} | {model.equality} | `{model.name}` = {model.value} "
        f"| {model.paper} |"
    )


def declared(field: str) -> str:
    """A field's row in the page of the spec."""
    models = models_of(field)
    means = "; ".join(
        f"{model.title}{f' (`{model.form}`)' if model.form else ''}: {model.says}"
        for model in models
    )
    return f"| `{field}` | {models[0].field.says} | {means} |"


KNOWN = {"background": {"estimate": {"by": ["a"]}}}
PAGES = {
    "definitions/privacy_models.md": (
        "| model | holds in a class if |",
        [defined(model) for model in MODELS if not model.is_of_covered],
    ),
    "spec/privacy.md": (
        "| setting | what it takes | means |",
        [
            declared(field)
            for field in (
                *fields_of("release"),
                *fields_of("sensitive"),
                *fields_of("background"),
                *fields_of("guard"),
            )
        ],
    ),
}


@pytest.mark.parametrize("page", PAGES)
def test_the_documents_list_the_models(page: str) -> None:
    """Run with UPDATE_DOCS=1 to write the tables anew; then read the difference."""
    assert_listed(page, *PAGES[page])


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_a_model_is_measured_without_its_threshold(model: PrivacyModel) -> None:
    """Its templates yield an amount and a scale, and read what it says."""
    distances = DISTANCES if "{distance}" in model.measured else ("",)
    for distance in distances:
        template = load_template(model.measured.format(distance=distance))
        assert template.outputs == ("class_id", "value", "amount", "scale")
        assert set(template.inputs) == set(model.reads)
        assert not {"threshold", "bound"} & template.variables()
    assert re.search(r"\b(19|20)\d\d\b", model.paper), "a formula cites its paper"


@pytest.mark.parametrize(
    "model",
    [model for model in MODELS[1:] if model.per != "guard" and not model.is_of_covered],
    ids=lambda model: model.name,
)
def test_an_example_is_a_threshold(model: PrivacyModel) -> None:
    """Under privacy and of one attribute; the schema has the field in both places."""
    threshold = yaml.safe_load(model.example)
    form = None if model.with_level else model.form
    asked = {model.field.name: {form: threshold} if form else threshold}
    fields: dict[str, Any] = {
        "source": {"table": "t"},
        "release": "r",
        "quasi_identifiers": ["a"],
        "sensitive": {"s": asked | (KNOWN if model.per == "background" else {})},
        "privacy": {"k": 2, **asked},
    }
    spec = parse_spec(fields)
    assert model.asked(spec.privacy) == model.asked(spec.sensitive["s"]) is not None
    definitions = spec_schema()["$defs"]
    for place in ("Privacy", "Sensitive"):
        assert model.field.name in definitions[place]["properties"]
