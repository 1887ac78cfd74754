"""The prose of a page: its paragraphs and list items, sentence by sentence, without code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

PARSER = MarkdownIt("commonmark").enable("table")
CODE = "CODE"  # stands for code in a sentence, and counts as a word
# Where a sentence ends: before a capital, a figure, or a name that has no capital.
NAMES = r"(?:[kltαβδ]|sqlanon|libpq)\b"
END = re.compile(rf"[.!?][\"”)]*(?=\s+(?:[\"“(]?[A-Z0-9]|{NAMES}))")
ABBREVIATED = re.compile(r"\b(e\.g|i\.e|et al|cf|vs|Eq|no|pp?|ch)\.$")


@dataclass(frozen=True)
class Sentence:
    """A sentence, and the line that its paragraph begins in."""

    line: int
    text: str

    @property
    def words(self) -> int:
        """The number of words; a code span is one."""
        return len(re.findall(r"[^\W_][\w'.,/%-]*", self.text))


def sentences(page: Path) -> Iterator[Sentence]:
    """Every sentence of the page's paragraphs and list items, in order."""
    for line, text in paragraphs(page.read_text(encoding="utf-8")):
        yield from (Sentence(line, one) for one in split(text))


def paragraphs(text: str) -> Iterator[tuple[int, str]]:
    """The plain text of every paragraph and list item, with its first line."""
    inside = ""
    for token in PARSER.parse(text):
        if token.type in ("heading_open", "paragraph_open", "th_open", "td_open"):
            inside = token.type
        elif token.type == "inline" and inside == "paragraph_open":
            yield (token.map or [0])[0] + 1, plain(token.children or [])


def plain(children: list[Token]) -> str:
    """The text of a paragraph, with `CODE` where code stands."""
    parts = {"softbreak": " ", "hardbreak": " ", "code_inline": CODE}
    return "".join(
        parts.get(one.type, one.content if one.type == "text" else "") for one in children
    )


def split(text: str) -> list[str]:
    """The sentences of a paragraph; a colon that ends it leads to a list or an example."""
    found, begun = [], 0
    for end in END.finditer(text):
        if not ABBREVIATED.search(text[: end.start() + 1]):
            found.append(text[begun : end.end()].strip())
            begun = end.end()
    return [one for one in (*found, text[begun:].strip()) if one]


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Each command of a console block, with the output shown below it."""
    parts = re.split(r"^\$ (.*)$", text, flags=re.MULTILINE)
    assert not parts[0].strip(), "a console block begins with a command"
    yield from zip(parts[1::2], parts[2::2], strict=True)
