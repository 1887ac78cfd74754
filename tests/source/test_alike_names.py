"""Names of columns that differ by case or by Unicode form: each is read right, or refused."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any
from unicodedata import normalize

import pyarrow
import pyarrow.parquet
import pytest
from commands import sqlanon as command
from servers import PostgresPlace, place
from support import DEALT

import sqlanon
from sqlanon.errors import SpecError

pytestmark = pytest.mark.slow

COMPOSED, TAKEN_APART = (normalize(form, "Größe") for form in ("NFC", "NFD"))
ROWS = [(30 + n // 4, n % 5, ("flu", "cough", "gout")[n % 3]) for n in range(24)]
DECLARED: dict[str, Any] = {"sensitive": ["ill"], "k": 2, **DEALT}
# Of the first column six values are there, of the second five.
SPEC = """
source: {file}
release: public
quasi_identifiers: ["{name}"]
sensitive: [ill]
privacy: {{k: 2}}
method: stack_and_deal
seed: 1
"""


def written(folder: Path, *heads: str) -> str:
    """A text file with these names before the records."""
    lines = [",".join(heads), *(",".join(map(str, row)) for row in ROWS)]
    (folder / "people.csv").write_text("\n".join(lines), encoding="utf-8")
    return str(folder / "people.csv")


def values(folder: Path, file: str, name: str) -> int | str:
    """How many values the column has by `profile`, or why it is not read by any command."""
    (folder / "spec.yaml").write_text(SPEC.format(file=file, name=name), encoding="utf-8")
    done = [
        command(folder, *words)
        for words in (
            ("run", "spec.yaml", "--quiet"),
            ("check", file, "--qi", name, "--k", "1"),
            ("risk", file, "--qi", name),
        )
    ]
    codes = {one.returncode for one in done}
    assert len(codes) == 1, [one.stderr for one in done]
    if codes == {2}:
        return done[0].stderr
    assert codes == {0}
    (column,) = (profile for profile in sqlanon.profile(file).columns if profile.name == name)
    return column.counts.used


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("heads", "name", "found"),
    [
        (("Age", "age"), "Age", 6),
        (("Age", "age"), "age", "did you mean 'Age'?"),
        (("AGE", "b"), "age", "did you mean 'AGE'?"),
        ((COMPOSED, TAKEN_APART), COMPOSED, 6),
        ((COMPOSED, TAKEN_APART), TAKEN_APART, 5),
        ((TAKEN_APART, "b"), TAKEN_APART, 6),
        ((TAKEN_APART, "b"), COMPOSED, "in other Unicode signs that look the same"),
        (("STRASSE", "straße"), "straße", 5),
    ],
)
def test_a_column_of_a_text_file_is_the_one_that_is_named(
    heads: tuple[str, str], name: str, found: int | str, tmp_path: Path
) -> None:
    read = values(tmp_path, written(tmp_path, *heads, "ill"), name)
    assert found in read if isinstance(found, str) and isinstance(read, str) else read == found


@pytest.mark.sampled
@pytest.mark.parametrize("how", ["parquet", "arrow", "pandas"])
def test_a_column_of_a_frame_is_the_one_that_is_named(how: str, tmp_path: Path) -> None:
    for names in (("Age", "age"), (COMPOSED, TAKEN_APART)):
        table = pyarrow.table([list(entry) for entry in zip(*ROWS, strict=True)], [*names, "ill"])
        pyarrow.parquet.write_table(table, tmp_path / "people.parquet")
        source = {
            "parquet": str(tmp_path / "people.parquet"),
            "arrow": table,
            "pandas": table.to_pandas(),
        }[how]
        for place_, name in enumerate(names):
            declared = {**DECLARED, "quasi_identifiers": [name], "k": 1}
            if name == "age":
                with pytest.raises(SpecError, match="did you mean 'Age'"):
                    sqlanon.anonymize(source, **declared)
                continue
            published = sqlanon.anonymize(source, **declared).frame()[name]
            assert set(published) == {str(row[place_]) for row in ROWS}


def test_names_of_postgresql_that_differ_by_case_are_refused(urls: Mapping[str, str]) -> None:
    """A database that takes them for one would read the other; by Unicode form they are two."""
    with place("postgres", urls) as there:
        assert isinstance(there, PostgresPlace)
        text = {"ill": "varchar"}
        there.make_table("people", {"Age": "integer", "age": "integer", **text}, ROWS)
        there.make_table("sizes", {COMPOSED: "integer", TAKEN_APART: "integer", **text}, ROWS)
        for name in ("Age", "age"):
            with pytest.raises(SpecError, match="differ by case alone"):
                sqlanon.anonymize(
                    "people", connection=there.connection, quasi_identifiers=[name], **DECLARED
                )
            with pytest.raises(SpecError, match="differ by case alone"):
                sqlanon.check("people", connection=there.connection, quasi_identifiers=[name], k=1)
        for table, names in (("people", ("Age", "age")), ("sizes", (COMPOSED, TAKEN_APART))):
            found = sqlanon.profile(table, connection=there.connection).columns
            assert [(column.name, column.counts.used) for column in found[:2]] == list(
                zip(names, (6, 5), strict=True)
            )
