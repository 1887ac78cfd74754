"""The pages of the methods: each has a row in the index, settings, an example and limits."""

from __future__ import annotations

import re

import pytest
from support import ROOT

from sqlanon.methods import METHODS

PAGES = ROOT / "docs" / "methods"
INDEX = PAGES / "index.md"
ROW = re.compile(r"^\| \[`(\w+)`\]\((\w+\.md)\) \|", re.MULTILINE)
SECTIONS = {"Settings", "Example", "Limits"}


def rows_of_the_index() -> list[tuple[str, str]]:
    """Each method of the index, with the name of its page."""
    text = INDEX.read_text(encoding="utf-8")
    return [(found[1], found[2]) for found in ROW.finditer(text)]


def page_of(method: str) -> str:
    """The page that the index names for a method."""
    return (PAGES / dict(rows_of_the_index())[method]).read_text(encoding="utf-8")


def settings(text: str) -> dict[str, str]:
    """The rows of a page's table of settings, by the setting."""
    lines = text.partition("\n## Settings\n")[2].strip("\n").splitlines()
    table = [line for line in lines[: lines.index("")] if line.startswith("| `")]
    return {row.split("`")[1]: row for row in table}


def test_the_index_lists_every_method_and_every_page() -> None:
    rows = rows_of_the_index()
    assert sorted(name for name, _ in rows) == sorted(METHODS)
    pages = {page.name for page in PAGES.glob("*.md")} - {INDEX.name}
    assert {page for _, page in rows} == pages


@pytest.mark.parametrize("method", METHODS)
def test_a_page_names_its_method_and_has_every_section(method: str) -> None:
    text = page_of(method)
    assert f"`{method}`" in text or f"`method: {method}`" in text
    assert set(re.findall(r"^## (.*)$", text, re.MULTILINE)) >= SECTIONS
    assert re.search(r"^```(console|python|yaml)$", text.partition("\n## Example\n")[2], re.M)


@pytest.mark.parametrize("method", METHODS)
def test_a_page_lists_the_settings_of_its_method_with_their_defaults(method: str) -> None:
    fields = dict(METHODS[method].Settings.model_fields)
    fields.pop("name")
    rows = settings(page_of(method))
    for name, field in fields.items():
        default = rows[name].split("|")[-2]
        if isinstance(field.default, bool):
            assert f"`{str(field.default).lower()}`" in default
        elif isinstance(field.default, int):
            assert f"{field.default:,}" in default
        elif isinstance(field.default, str):
            assert f"`{field.default}`" in default
    siblings = [
        value.Settings for name, value in METHODS.items() if page_of(name) == page_of(method)
    ]
    assert set(rows) <= {
        field for method_settings in siblings for field in method_settings.model_fields
    }
