"""Hierarchy files: what stands in quotes is the value, and nothing else becomes one."""

from __future__ import annotations

import csv
from io import StringIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlanon.common.separated import separated
from sqlanon.domains.lines import hierarchy_lines
from sqlanon.errors import SpecError
from sqlanon.spec import FileHierarchy

TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\0"))


def lines(folder: Path, text: str) -> list[list[str]]:
    file = folder / "h.csv"
    file.write_bytes(text.encode())
    return hierarchy_lines(FileHierarchy(file=file), "hierarchy", "town")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"Paris ";F\nLyon;E\n', [["Paris ", "F"], ["Lyon", "E"]]),
        ('" Paris" ; F \n Lyon ;E', [[" Paris", "F"], ["Lyon", "E"]]),
        ('\ufeff"Paris ";F\r\nLyon;E\r\n', [["Paris ", "F"], ["Lyon", "E"]]),
        ("Paris;F\rLyon;E\r", [["Paris", "F"], ["Lyon", "E"]]),
        ("Paris\tF\nLyon\tE\n", [["Paris", "F"], ["Lyon", "E"]]),
        ('"Paris;12",F\nLyon,E\n', [["Paris;12", "F"], ["Lyon", "E"]]),
        ('"Paris, F";F\nLyon;E\n', [["Paris, F", "F"], ["Lyon", "E"]]),
        ('"say ""hi""";F\n5" pipe;E\n', [['say "hi"', "F"], ['5" pipe', "E"]]),
        ('"two\r\nlines";F\nLyon;E\n', [["two\r\nlines", "F"], ["Lyon", "E"]]),
        ("Paris\u00a0;F\nLyon;E\n", [["Paris\u00a0", "F"], ["Lyon", "E"]]),
        ("Paris;F\n;\n\nLyon;E\n", [["Paris", "F"], ["Lyon", "E"]]),
        ("one\u2028line;F\nLyon;E\n", [["one\u2028line", "F"], ["Lyon", "E"]]),
    ],
)
def test_a_value_is_read_as_it_stands_in_the_file(
    tmp_path: Path, text: str, expected: list[list[str]]
) -> None:
    assert lines(tmp_path, text) == expected


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('"Paris;F\nLyon;E\n', "the quotes of a field do not end with the field in line 1"),
        ('Paris;F\n"Lyon"x;E\n', "the quotes of a field do not end with the field in line 2"),
        ("Paris;F;\nLyon;E;\n", "line 1 has an empty level"),
        ("Paris;;F\nLyon;E;F\n", "line 1 has an empty level"),
        ("# towns of Europe\nParis;F\nLyon;E\n", "line 1 .* looks like a comment"),
        ("Paris;F\nLyon;E\n# the end\n", "line 3 .* looks like a comment"),
        ("town;country\nParis;F\n", "line 1 .* begins with the column's name"),
    ],
)
def test_what_is_no_leaf_is_refused_by_its_line(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(SpecError, match=said):
        lines(tmp_path, text)


@given(st.lists(st.lists(TEXT, min_size=1), min_size=1), st.sampled_from(",;\t|"))
def test_what_a_writer_of_csv_quotes_is_read_back(rows: list[list[str]], sign: str) -> None:
    text = StringIO(newline="")
    writer = csv.writer(text, delimiter=sign, quoting=csv.QUOTE_ALL, lineterminator="\r\n")
    writer.writerows(rows)
    read = separated(text.getvalue().removesuffix("\r\n"), sign)
    assert [fields for _, fields in read] == rows
