"""The page of the spec's fields, written from its models."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from support import ROOT

from sqlanon.spec import spec_schema

Schema = Mapping[str, Any]
PAGE = ROOT / "docs" / "fields.md"
HEAD = """# Every field of the spec

Written from the models that a spec is read with, as its JSON Schema is (`sqlanon schema`).
[The spec](spec/index.md) says what the fields mean, with examples. `NAME` stands for a column. A
number may be written as a fraction, `"1/3"`; a mapping of columns also as a list of them, where no
column has a setting. Short forms: a name stands for a list of one, `l: 3` for `l: {distinct: 3}`,
`method: mondrian` for `method: {name: mondrian}`, a file's name for a hierarchy in a file.
"""
# What the schema of a kind does not say: by which key, or which value of one, it is known.
KEYS = ("file", "prefix", "bands", "dates", "tree", "sql")


def target(schema: Schema) -> str | None:
    """The model that a schema refers to."""
    return schema["$ref"].removeprefix("#/$defs/") if "$ref" in schema else None


def parts(schema: Schema) -> list[Schema]:
    """What a value may be, without null."""
    inner = schema.get("anyOf") or schema.get("oneOf") or [schema]
    flat = [leaf for one in inner for leaf in (parts(one) if one is not schema else [one])]
    return [entry for entry in flat if entry.get("type") != "null"]


def kind(name: str, model: Schema) -> str:
    """Which of several models it is: its name in a spec, or the key that only it has."""
    constant = model["properties"].get("name", {}).get("const")
    return str(constant or next((key for key in KEYS if key in model["properties"]), name))


class Fields:
    """The models of a spec in the order in which a reader meets them, by where they stand."""

    def __init__(self, schema: Schema) -> None:
        self.models: dict[str, Schema] = schema["$defs"]
        self.places: dict[str, str] = {}
        self.sections = [("The spec", schema)]
        self._visit("", schema)

    def _visit(self, place: str, model: Schema) -> None:
        met = []
        for field, schema in model.get("properties", {}).items():
            inside = f"{place}.{field}" if place else field
            for at, entry in self._inner(inside, schema):
                name = target(entry)
                if name is not None and name not in self.places:
                    several = len([leaf for leaf in parts(schema) if target(leaf)]) > 1
                    said = kind(name, self.models[name])
                    self.places[name] = f"{at}: {said}" if several else at
                    self.sections.append((self.places[name], self.models[name]))
                    met.append((at, self.models[name]))
        for at, inner in met:
            self._visit(at, inner)

    def _inner(self, place: str, schema: Schema) -> Iterator[tuple[str, Schema]]:
        for part in parts(schema):
            yield place, part
            if isinstance(part.get("additionalProperties"), Mapping):
                yield from self._inner(f"{place}.NAME", part["additionalProperties"])
            if "items" in part:
                yield from self._inner(place, part["items"])

    def linked(self, name: str) -> str:
        place = self.places[name]
        anchor = "".join(sign for sign in place.lower() if sign.isalnum() or sign in "_ -")
        return f"[{place.rpartition(': ')[2]}](#{anchor.replace(' ', '-')})"

    def takes(self, schema: Schema) -> str:
        """What may be written, in words."""
        return " or ".join(dict.fromkeys(self._one(part) for part in parts(schema)))

    def _one(self, schema: Schema) -> str:
        name = target(schema)
        if name is not None:
            return self.linked(name)
        if "enum" in schema or "const" in schema:
            values = schema.get("enum", [schema.get("const")])
            return ", ".join(f"`{value}`" for value in values)
        types = schema.get("type")
        if types == "string" and schema.get("format") == "path":
            return "a path"
        if "additionalProperties" in schema:
            inner = schema["additionalProperties"]
            if "properties" in schema:  # written out, as it has several short forms
                named = " and ".join(f"`{name}`" for name in schema["properties"])
                return f"a mapping with {named}"
            return f"a mapping of names to {'groups' if inner is True else self.takes(inner)}"
        if "items" in schema:
            inner = self.takes(schema["items"])
            listed = f"a list of {inner.replace('a text', 'texts').replace('a whole', 'whole')}"
            return listed if types == "array" else f"{inner}, or a list"
        if types == ["number", "string"]:
            return "a number"
        return {"integer": whole(schema), "boolean": "`true` or `false`"}.get(str(types), "a text")

    def default(self, field: str, schema: Schema, model: Schema) -> str:
        if field in model.get("required", ()):
            return "required"
        value = schema.get("default")
        return "" if value in (None, {}, []) else f"`{json.dumps(value).strip(chr(34))}`"


def whole(schema: Schema) -> str:
    least = schema.get("minimum", schema.get("ge"))
    most = schema.get("maximum", schema.get("le"))
    if "gt" in schema or "exclusiveMinimum" in schema:
        least = schema.get("gt", schema.get("exclusiveMinimum")) + 1
    if "exclusiveMaximum" in schema:
        most = schema["exclusiveMaximum"] - 1
    limits = f" from {least:,}" if least is not None else ""
    return f"a whole number{limits}" + (f" to {most:,}" if most is not None else "")


def page() -> str:
    fields = Fields(spec_schema())
    lines = [HEAD]
    for place, model in fields.sections:
        said = model.get("description", "").partition("\n\n")[0].replace("\n", " ")
        lines += [f"## {place}", "", *([said, ""] if said else [])]
        lines += ["| field | takes | default | is |", "|---|---|---|---|"]
        for field, schema in model["properties"].items():
            cells = (
                f"`{field}`",
                fields.takes(schema),
                fields.default(field, schema, model),
                schema.get("description", "").replace("|", "\\|"),
            )
            lines.append(f"| {' | '.join(cells)} |")
        lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


def test_the_page_lists_every_field() -> None:
    """Run with UPDATE_DOCS=1 to write it anew; then read the difference."""
    if os.environ.get("UPDATE_DOCS"):
        PAGE.write_text(page(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page()


@pytest.mark.parametrize("name", ["Spec", *spec_schema()["$defs"]])
def test_every_field_says_what_it_is(name: str) -> None:
    """Also in the editors that complete a spec by its schema."""
    schema = spec_schema()
    model = schema if name == "Spec" else schema["$defs"][name]
    silent = [
        field
        for field, value in model.get("properties", {}).items()
        if not value.get("description") and "const" not in value
    ]
    assert not silent
