"""`sqlanon schema`: the spec's JSON Schema."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import sqlanon
from patients import patients_in

from sqlanon._version import __version__


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return patients_in(tmp_path)


def test_schema_is_json_schema(folder: Path) -> None:
    found = json.loads(sqlanon(folder, "schema").stdout)
    assert {"source", "quasi_identifiers", "privacy"} <= set(found["properties"])
    assert "null" in found["properties"]["insensitive"]["type"], "as init leaves it"
    assert found["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert found["$id"] == f"urn:sqlanon:spec:{__version__}"
