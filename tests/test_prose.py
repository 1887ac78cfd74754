"""The house rules of the documents' English: short sentences, each with a subject that is named.

``python tests/test_prose.py`` lists every complaint of every page, and how many a page has. With
``--code`` it lists those of docstrings and comments.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from prose import (
    PARSER,
    Sentence,
    commands,
    comments,
    docstrings,
    messages,
    sentences,
    sql_comments,
)

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
ROOM = ROOT / "sqlanon"
ROOMS = ["", *sorted(path.name for path in ROOM.iterdir() if list(path.glob("*.py")))]
LONGEST = 30  # words of a sentence

VERBS = "believes|changes|finds|guesses|has|intersects|is|keeps|knows|learns|leaves|may|reads|sees"
PHRASES = {
    "a clause with who needs its noun: a reader who, a person who": re.compile(
        rf"(?:^|[;:,] |\b(?:and|as|but|by|for|if|of|or|so|than|that|to|where) )who (?:{VERBS})\b",
        re.IGNORECASE,
    ),
    "a clause with what is no subject: name the thing": re.compile(
        r"(?:^|; )what (?!if\b)[^?]*$", re.IGNORECASE
    ),
    "say next to, or with": re.compile(r"\bbeside\b", re.IGNORECASE),
    "say who says it, in the active: the run says": re.compile(r"\btold\b", re.IGNORECASE),
    "say any reader, or the actor": re.compile(r"\b(?:who|what)ever\b", re.IGNORECASE),
    "say again": re.compile(r"\banew\b", re.IGNORECASE),
    "three clauses in a row: make sentences of them": re.compile(r";[^;]*;"),
    "a word is there twice": re.compile(r"\b([a-z]+) \1\b"),
}
# The glossary's words, and what else people write for them.
TERMS = {
    "anonymization": r"anonymis\w*",
    "equivalence class": r"equivalence groups?",
    "generalization": r"generalis\w*",
    "k-anonymity": r"k anonymity",
    "l-diversity": r"l diversity",
    "pseudonym": r"pseudonymis\w*",
    "quasi-identifier": r"quasi identifiers?|quasiidentifiers?",
    "t-closeness": r"t closeness",
}


def complaints(page: Path) -> Iterator[str]:
    """What a page says against the rules, with its line."""
    for sentence in sentences(page):
        where = f"{page.relative_to(ROOT)}:{sentence.line}"
        shown = sentence.text if len(sentence.text) < 90 else sentence.text[:87] + "…"
        if sentence.words > LONGEST:
            yield f"{where}: {sentence.words} words in a sentence: {shown}"
        for rule, phrase in PHRASES.items():
            if phrase.search(sentence.text):
                yield f"{where}: {rule}: {shown}"
        for term, other in TERMS.items():
            if re.search(rf"\b(?:{other})\b", sentence.text, re.IGNORECASE):
                yield f"{where}: the glossary says {term}: {shown}"
    yield from bare_tables(page)


def said_badly(sentence: Sentence, longest: int = LONGEST) -> Iterator[str]:
    """What a sentence of the program breaks: no title, which has no verb and may begin with what.

    A message says what is wrong, where and what would be accepted, so a colon and a semicolon part
    it, and each part has its own length.
    """
    text = sentence.text
    is_sentence = bool(re.search(r"[;:] |[.!]$", text))
    for part in re.split(r"[;:] ", text):
        words = len(re.findall(r"[^\W_][\w'.,/%-]*", part))
        if words > longest:
            yield f"{words} words in a part of a sentence"
    for rule, phrase in PHRASES.items():
        is_title = not is_sentence or "?" in text or rule.startswith("three clauses")
        begins = re.match(r"(?:who|what)\b", text, re.IGNORECASE)
        found = phrase.search(text)
        if found and not (is_title and (begins or rule.startswith("three clauses"))):
            yield rule


def bare_tables(page: Path) -> Iterator[str]:
    """Tables without a header: of Markdown, and in output that leaves lines out."""
    inside = False
    for token in PARSER.parse(page.read_text(encoding="utf-8")):
        where = f"{page.relative_to(ROOT)}:{(token.map or [0])[0] + 1}"
        if token.type in ("th_open", "th_close"):
            inside = token.type == "th_open"
        elif token.type == "inline" and inside and not token.content.strip():
            yield f"{where}: a column of a table has no header"
        elif token.type == "fence" and token.info == "console":
            for prompt, output in commands(token.content):
                rows = re.search(r"^  \S.*? {3,}\S", output, re.MULTILINE)
                if rows and "|" not in prompt and "──" not in output:
                    yield f"{where}: the output's table is shown without its header"


def name(page: Path) -> str:
    """What a page is called in a test."""
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_a_page_keeps_the_rules_of_prose(page: Path) -> None:
    found = list(complaints(page))
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize("room", ROOMS)
def test_the_messages_of_a_room_keep_the_rules_of_prose(room: str) -> None:
    """Errors, help, remarks and what a run prints; not the words by which columns are guessed."""
    modules = sorted(ROOM.glob(f"{room}/**/*.py")) if room else sorted(ROOM.glob("*.py"))
    found = [
        f"{module.relative_to(ROOT)}:{sentence.line}: {rule}: {sentence.text}"
        for module in modules
        if module != ROOM / "uses" / "profile" / "names.py"
        for sentence in messages(module)
        for rule in said_badly(sentence)
    ]
    assert modules
    assert not found, "\n" + "\n".join(found)


@pytest.mark.slow
def test_docstrings_and_comments_keep_the_rules_of_prose() -> None:
    """Of the program and of its SQL templates."""
    found = list(code_complaints())
    assert not found, "\n" + "\n".join(found)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("Who knows the age finds the record.", "a clause with who"),
        ("The record is found, so who has the key reads it.", "a clause with who"),
        ("What is published is counted.", "a clause with what"),
        ("The metrics lie beside the release.", "say next to"),
        ("The reader is told so.", "in the active"),
        ("It ends the the run.", "there twice"),
        ("The release is anonymised.", "the glossary says anonymization"),
        (f"A run {'counts and ' * 15}ends.", "33 words in a sentence"),
        ("It counts; it measures; it ends.", "three clauses in a row"),
        ("| | value |\n|---|---|\n| k | 12 |", "no header"),
        ("```console\n$ sqlanon check\n…\n  k_anonymity    12   holds\n```", "without its header"),
    ],
)
def test_a_rule_finds_what_breaks_it(
    text: str, complaint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    assert [one for one in complaints(page) if complaint in one]


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        ('raise SpecError("who knows the age finds it: leave it out")', "a clause with who"),
        ("what = f'what is asked of {name} holds: take less'", "a clause with what"),
        ('help="The metrics lie beside " + "the release."', "say next to"),
        ('f"the column {name} cannot be told from others"', "in the active"),
        (f'help="The run {"counts and " * 15}ends: ask for less"', "in a part of a sentence"),
        ('title = "what each class loses of it"', ""),
        ('"""Who knows the age finds it."""', ""),
        ('sql = "select what; who knows from told beside"', ""),
    ],
)
def test_a_rule_finds_what_breaks_it_in_a_message(
    code: str, complaint: str, tmp_path: Path
) -> None:
    module = tmp_path / "module.py"
    module.write_text(code, encoding="utf-8")
    found = [rule for sentence in messages(module) for rule in said_badly(sentence)]
    assert bool(found) == bool(complaint)
    assert not complaint or any(complaint in text for text in found)


@pytest.mark.parametrize(
    "text",
    [
        "A reader who knows the age finds twelve records.",
        "What does a run leave behind?",
        "`told` is code, as `a beside b` is. The run says what is wrong.",
        "See Sweeney et al. The table follows.\n\n```text\ntold beside\n```",
        "```console\n$ sqlanon check\n  model    reached\n ──────────────\n  k    12\n```",
    ],
)
def test_prose_that_keeps_the_rules_passes(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "ROOT", tmp_path)
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    assert list(complaints(page)) == []


def code_complaints() -> Iterator[str]:
    """What docstrings and comments of the program and its templates say against the rules."""
    read = {
        "docstring": [(path, docstrings(path)) for path in sorted(ROOM.rglob("*.py"))],
        "comment": [(path, comments(path)) for path in sorted(ROOM.rglob("*.py"))],
        "template": [
            (path, sql_comments(path)) for path in sorted((ROOT / "sql_templates").rglob("*.j2"))
        ],
    }
    for kind, files in read.items():
        for file, said in files:
            for sentence in said:
                for rule in said_badly(sentence):
                    where = f"{file.relative_to(ROOT)}:{sentence.line}"
                    yield f"{where}: {kind}: {rule}: {sentence.text}"


if __name__ == "__main__" and sys.argv[1:] == ["--code"]:
    print(*code_complaints(), sep="\n")
elif __name__ == "__main__":
    for path in [Path(arg).resolve() for arg in sys.argv[1:]] or PAGES:
        found = list(complaints(path))
        print(*found, sep="\n")
        print(f"{name(path)}: {len(found)}", file=sys.stderr)
