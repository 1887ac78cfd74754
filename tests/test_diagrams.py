"""The diagrams of the documents, and their pictures on the site."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

DOCS = Path(__file__).parents[1] / "docs"


def _diagrams() -> ModuleType:
    spec = importlib.util.spec_from_file_location("diagrams", DOCS / "site" / "diagrams.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


diagrams = _diagrams()
PAGES = [page for page in sorted(DOCS.rglob("*.md")) if "```mermaid" in page.read_text("utf-8")]
BLOCKS = [block for page in PAGES for block in diagrams.sources(page.read_text("utf-8"))]


def words(text: str) -> list[str]:
    return re.findall(r"\w+", text)


@pytest.mark.parametrize("block", BLOCKS, ids=diagrams.title_of)
def test_a_diagram_has_a_picture_that_says_the_same(block: str) -> None:
    """After a change: draw it again as docs/site/diagrams.py says."""
    file = diagrams.picture_of(block)
    assert file.exists(), f"no picture of: {diagrams.title_of(block)}"
    drawn = ElementTree.fromstring(file.read_text("utf-8"))
    texts = [one.text or "" for one in drawn.iter() if not one.tag.endswith("style")]
    labels = re.findall(r'"([^"]+)"|\|([^|"\n]+)\||: ([^"\n]+)$', block, re.MULTILINE)
    said = words(" ".join("".join(label) for label in labels).replace("<br/>", " "))
    assert said
    assert set(said) <= set(words(" ".join(texts)))


def test_every_picture_is_of_a_diagram() -> None:
    assert {*diagrams.PICTURES.glob("*.svg")} == {*map(diagrams.picture_of, BLOCKS)}


def test_a_picture_follows_dark_mode_and_loads_nothing() -> None:
    for file in diagrams.PICTURES.glob("*.svg"):
        text = file.read_text("utf-8")
        assert "prefers-color-scheme: dark" in text
        assert "foreignObject" not in text
        assert not re.search(r"(href|src)=\"(?!#)|url\((?!#)|@import|<script", text)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_site_shows_pictures_in_place_of_diagrams(page: Path) -> None:
    text = page.read_text("utf-8")
    shown = diagrams.with_pictures(text, page.parent)
    assert "```mermaid" not in shown
    for block in diagrams.sources(text):
        link = re.search(rf"!\[{re.escape(diagrams.title_of(block))}\]\((.+?)\)", shown)
        assert link is not None
        assert (page.parent / link[1]).resolve() == diagrams.picture_of(block)
