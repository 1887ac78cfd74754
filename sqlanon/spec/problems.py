"""The faults of a declaration, in the words of the spec."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from sqlanon.clauses import clauses
from sqlanon.errors import Problem, SpecError, nearest
from sqlanon.privacy.alpha import ALPHA
from sqlanon.privacy.thresholds import mapping_at, mapping_of
from sqlanon.spec.foreign import said_of
from sqlanon.spec.hierarchy import KINDS
from sqlanon.spec.method import SETTINGS
from sqlanon.spec.model import Spec
from sqlanon.spec.privacy import Choose, Privacy
from sqlanon.spec.publication import Publish
from sqlanon.spec.queries import AskedQuery
from sqlanon.spec.roles import QuasiIdentifier, Sensitive
from sqlanon.transforms.declared import setting_at
from sqlanon.transforms.joint import NOISE, SWAP

# The mappings of places that do not follow from the fields of a spec.
_SECTIONS: dict[str, type[BaseModel]] = {"publish": Publish, "queries": AskedQuery}
_BY_NAME = ("identifiers", "quasi_identifiers", "sensitive", "insensitive", "queries")
# The message where a mapping is wanted and another thing given, by the name of its model or field.
_MAPPINGS = {
    "Source": "it must be a file, a table or a query, or a mapping such as {file: patients.csv}",
    "identifiers": "it must be a list of columns, or a mapping such as {name: {repeats: true}}",
    "Identifier": "it must be the column's settings: {repeats: true}, or {}",
    "KeySource": "it must be {env: NAME} or {file: PATH}: a spec never holds the key itself",
    "quasi_identifiers": "name at least one column, as `column: {}`",
    "QuasiIdentifier": "it must be the column's settings, such as {publish: set}, or {}",
    "Protected": "it must be what is asked of its values, such as {t: 0.3}",
    "sensitive": "it must be columns with their settings, as `column: {t: 0.3}`, or a list",
    "Sensitive": "it must be the column's settings, such as {t: 0.3}, or {}",
    "insensitive": "it must be a column's name, a list of names, or a mapping of columns",
    "Insensitive": 'it must be the column\'s settings, such as {accept: "why"}, or {}',
    "Privacy": "it must be a mapping such as {k: 5, t: 0.3}",
    "method": "it must be a method's name, or a mapping such as {name: stack_and_deal}",
    "Choose": "it must be a mapping such as {privacy_weight: 0.5}",
    "levels": "it must be a mapping of columns, such as {age: 1}",
    "missing": "it must be a mapping of columns, such as {age: [-8, 999]}",
    "Publish": "it must be a publication's name, or a mapping such as {name: anatomy, group: 10}",
    "Swap": f"it must be a list of mappings such as {SWAP.example}",
    "CorrelatedNoise": f"it must be a list of mappings such as {NOISE.example}",
    "queries": "it must be queries by their names, as `women: {where: {sex: F}}`",
    "AskedQuery": "it must be a mapping such as {where: {age: [30, 50]}, mean: income}",
    "where": "it must be conditions on columns, such as {age: [30, 50], sex: F}",
    "tree": "it must be a mapping of groups such as {West: [Seattle], South: [Charleston]}",
    **{name: said for one in clauses() for name, said in one.mappings.items()},
}
_NO_MAPPING = {"dict_type", "tuple_type", "model_type", "model_attributes_type", "too_short"}
_WORDS = {
    "bool_type": "it must be true or false",
    "bool_parsing": "it must be true or false",
    "int_type": "it must be a whole number",
    "int_parsing": "it must be a whole number",
    "int_from_float": "it must be a whole number",
    "string_type": "it must be a text: put it into quotes",
    "path_type": "it must be a text: put it into quotes",
    "string_too_short": "it must not be empty",
    "string_too_long": "it must be one character",
    "tuple_type": "it must be a column's name or a list of names",
    "list_type": "it must be a list",
    "too_short": "it must not be empty",
    "missing": "it is missing",
    "invalid_key": "a key must be a text: put it into quotes",
}


_NOT_DRAWN = (
    "a quasi-identifier is generalized and never changed, since k would then hold of changed "
    "values; where no model is asked of the column, declare it insensitive, with its ε, as "
    "insensitive: {{{0}: {{transform: {{laplace: {{epsilon: 1, low: 0, high: 100}}}}}}}}"
)


def wrong(error: ValidationError) -> SpecError:
    """Every problem that was found."""
    return SpecError([_problem(dict(found)) for found in error.errors()])


def _problem(found: dict[str, Any]) -> Problem:
    """One pydantic error as a problem of ours: the place in the spec and what is accepted."""
    place, model = _place([str(part) for part in found["loc"]])
    where, kind, given = ".".join(place), found["type"], found.get("input")
    if kind == "extra_forbidden" and model is QuasiIdentifier and place[-1] == "transform":
        return Problem(where, _NOT_DRAWN.format(place[1]))
    if kind == "extra_forbidden":
        return Problem(where, f"unknown key; {_meant(place[-1], model)}")
    if kind == "union_tag_invalid":
        tag = found["ctx"]["tag"]
        return Problem(f"{where}.name", f"{tag!r} is not accepted; {nearest(tag, SETTINGS)}")
    if kind == "literal_error":
        wanted = re.findall(r"'([^']*)'", found["ctx"]["expected"])
        shown = "an empty value" if given is None else repr(str(given))
        return Problem(where, f"{shown} is not accepted; {nearest(str(given), wanted)}")
    about = found.get("ctx", {}).get("class_name", place[-1])
    mapping = _MAPPINGS.get(about) or mapping_of(about)
    if mapping is not None and kind in _NO_MAPPING:
        return Problem(where, mapping)
    if kind in _WORDS:
        return Problem(where, _WORDS[kind])
    message = str(found["msg"]).removeprefix("Value error, ").removeprefix("Input should be ")
    if kind.startswith(("greater_than", "less_than")):
        message = f"it must be {message}"
    return Problem(where, message[:1].lower() + message[1:])


def _meant(key: str, model: type[BaseModel]) -> str:
    """A hint at what an unknown key may stand for: another tool's word, or a misspelt field."""
    if model is Choose and key == "alpha":
        return f"it is called privacy_weight; alpha is {ALPHA.title}'s share"
    foreign = said_of(key) if model is Spec else None
    return foreign or nearest(key, model.model_fields)


def _place(place: list[str]) -> tuple[list[str], type[BaseModel]]:
    """Where in the spec a problem is, and what is declared there."""
    model: type[BaseModel] = Spec
    if len(place) > 1:
        model = _SECTIONS.get(place[0]) or _within(Spec, place[:2])
    if place[0] == "methods" and len(place) > 1:
        place[:2] = ["method"]
    if place[0] == "method" and len(place) > 1:
        model = SETTINGS[place.pop(1)]
    if place[-1] == "[key]":
        place.pop()
    settings = place[2 if place[0] in _BY_NAME else 1 :]  # a column or query may be called anything
    if "hierarchy" in settings[:-1]:
        kind = place.pop(len(place) - len(settings) + settings.index("hierarchy") + 1)
        model = KINDS[kind]
    if model in (Privacy, Sensitive, QuasiIdentifier):
        model = _within(model, settings)
    if place[0] == "quasi_identifiers" and settings[:1] == ["sensitive"]:
        settings = settings[1:]  # thresholds, as of a sensitive column
    return place, mapping_at(settings) or setting_at(settings) or model


def _within(model: type[BaseModel], settings: Sequence[str]) -> type[BaseModel]:
    """The mapping that a place within a declaration lies in, by the types of its fields."""
    for name in settings[:-1]:
        field = model.model_fields.get(name)
        kinds = () if field is None else (field.annotation, *get_args(field.annotation))
        mappings = [one for one in kinds if isinstance(one, type) and issubclass(one, BaseModel)]
        model = mappings[0] if mappings else model
    return model
