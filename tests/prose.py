"""The prose of a page: its paragraphs and list items, sentence by sentence, without code."""

from __future__ import annotations

import ast
import re
import tokenize
from collections.abc import Iterator, Mapping
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


# Statements of SQL, templates of dbt and styles: no English, though they hold words.
_NO_PROSE = re.compile(
    r"\b(?:select|insert into|create (?:or replace|table|schema|temp)|set local|drop schema)\b"
    r"|\{[%#]|\bfont-size\b|\bdeclare\n|\bnot in\(|var\(--|<span|\(\?:|\n *sqlanon "
)


def messages(module: Path) -> Iterator[Sentence]:
    """Every sentence that a module may say to its users: of its texts that are no docstring.

    What a text is filled with is `CODE`. Names and titles of fewer than four words are none.
    """
    tree = ast.parse(module.read_text(encoding="utf-8"))
    seen = {
        id(node.value)
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        text = None if id(node) in seen else _text(node)
        if text is None or not isinstance(node, ast.expr):
            continue
        seen |= {id(part) for part in ast.walk(node)}
        if len(re.findall(r"[a-z]+", text)) >= 4 and not _NO_PROSE.search(text):
            plain_text = re.sub(r"`[^`\n]*`|\{[^{}\s]*\}", CODE, text)
            yield from (Sentence(node.lineno, one) for one in split(" ".join(plain_text.split())))


def docstrings(module: Path) -> Iterator[Sentence]:
    """Every sentence of a module's docstrings, without their examples."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        text = ast.get_docstring(node)
        line = node.body[0].lineno
        for part in re.split(r"\n\s*\n|\n\s*(?=[\w*, ]+: )", text or ""):
            if ">>>" not in part:
                said = re.sub(r"^\s*[\w*]+: ", f"{CODE}: ", part)  # the name of an argument
                plain_text = re.sub(r"``[^`]*``|`[^`\n]*`", CODE, said)
                yield from (Sentence(line, one) for one in split(" ".join(plain_text.split())))


def comments(module: Path) -> Iterator[Sentence]:
    """Every sentence of a module's comments; lines that follow each other are one paragraph."""
    lines: dict[int, str] = {}
    with module.open("rb") as source:
        for token in tokenize.tokenize(source.readline):
            if token.type == tokenize.COMMENT:
                lines[token.start[0]] = token.string.lstrip("#: ").rstrip()
    yield from _paragraphs(lines)


def sql_comments(template: Path) -> Iterator[Sentence]:
    """Every sentence of a template's comments, below the contract at its head."""
    lines = {
        number: line.partition("-- ")[2].strip()
        for number, line in enumerate(template.read_text(encoding="utf-8").splitlines(), 1)
        if line.lstrip().startswith("-- ")
        and not re.match(r"-- (?:relation|grain|inputs|outputs|paper): ", line)
    }
    yield from _paragraphs(lines)


def _paragraphs(lines: Mapping[int, str]) -> Iterator[Sentence]:
    begun, gathered = 0, list[str]()
    for number in sorted(lines):
        if gathered and number - 1 not in lines:
            yield from (Sentence(begun, text) for text in split(" ".join(gathered)))
            gathered = []
        begun = begun if gathered else number
        gathered.append(re.sub(r"`[^`]*`", CODE, lines[number]))
    yield from (Sentence(begun, text) for text in split(" ".join(gathered)))


def _text(node: ast.AST) -> str | None:
    """The text of an expression, with what it is filled with as `CODE`; None if it is no text."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.JoinedStr):
        parts = (value.value if isinstance(value, ast.Constant) else CODE for value in node.values)
        return "".join(map(str, parts))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        both = _text(node.left), _text(node.right)
        return None if both == (None, None) else "".join(text or CODE for text in both)
    return None
