"""What ``init`` writes runs, or it says in one line what must be decided first."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from commands import sqlanon as command
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sqlanon.sql.names import identifier, literal

pytestmark = pytest.mark.slow

_AGE, _SEX = "20 + i % 5 as age", "substr('mf', cast(i % 2 as integer) + 1, 1) as sex"
_ODD_NAMES = [
    'se"x', "a b", " a", "a ", "région", "x,y", "yes", "null", "1e5", "a: b", "#a", "- a", "{a}",
    "*", "&a", "!a", "~", "=", "%", "a\nb", "a\tb", "'a'", "2020-01-01", "年", "🙂", "${x}",
]  # fmt: skip
_CELLS = [
    "i % 3", "'v' || (i % 4)", "i % 2 = 0", "null::integer", "null::varchar", "'same'",
    "date '2000-01-01' + cast(i % 7 as integer)", "timestamp '2000-01-01' + to_hours(i % 7)",
    "i", "'p' || i", "[i]", "{'a': i}", "cast(i as double) / 7", "cast('nan' as double)",
    "case when i % 3 = 0 then cast('infinity' as double) else i % 4 end", "uuid()",
    "cast(i % 4 as decimal(38, 3))", "cast('x' as blob)", "time '10:00:00'", "interval 1 day",
]  # fmt: skip


def _tried(folder: Path, columns: list[str], records: int) -> tuple[str, int, str]:
    """What ``init`` says of a table, and what a run of what it wrote ends with."""
    file, spec = folder / "t.parquet", folder / "t.yaml"
    spec.unlink(missing_ok=True)
    query = f"select {', '.join(columns)} from range({records}) as n(i)"
    duckdb.execute(f"copy ({query}) to {literal(str(file))}")
    said = command(folder, "init", "t.parquet", "--quiet")
    if said.returncode:
        return said.stderr, said.returncode, ""
    (folder / "t_release.duckdb").unlink(missing_ok=True)
    ran = command(folder, "run", "t.yaml", "--quiet")
    return said.stdout, ran.returncode, ran.stderr


@pytest.mark.parametrize(
    ("columns", "records", "said"),
    [
        (["i % 3 as thing", "i % 4 as other"], 12, "quasi_identifiers: name at least one column"),
        (["'p' || i || '@x.org' as email", "i as id"], 12, "name at least one column"),
        (["null::integer as age", "null::varchar as sex"], 12, "name at least one column"),
        ([_AGE, _SEX], 1, "name at least one column"),
        ([f"{_CELLS[14]} as age", _SEX], 12, "hold NaN or infinity"),
    ],
    ids=["no quasi-identifier", "all identifiers", "all NULL", "one record", "no number"],
)
def test_what_must_be_decided_first_is_said_in_one_line(
    columns: list[str], records: int, said: str, tmp_path: Path
) -> None:
    told, code, error = _tried(tmp_path, columns, records)
    (line,) = (text for text in told.splitlines() if text.startswith("Decide first"))
    assert said in line
    assert (code, said in error) == (2, True)
    assert (tmp_path / "t.yaml").read_text(encoding="utf-8").startswith("# Decide first")


@pytest.mark.parametrize("apart", [True, False], ids=["common", "apart"])
def test_what_most_persons_of_several_records_have_is_not_asked_apart(
    apart: bool, tmp_path: Path
) -> None:
    """Three of four diagnoses each: of classes of persons, no two values can be asked for."""
    which = "i % 4" if apart else "i // 3 % 4"
    visits = ["i // 3 as patient_id", "20 + i // 3 % 5 as age", f"'d' || ({which}) as diagnosis"]
    told, code, error = _tried(tmp_path, visits, 120)
    written = (tmp_path / "t.yaml").read_text(encoding="utf-8")
    assert "person: patient_id" in written
    assert ("l: 2}" in written) is not apart
    assert ("alpha: 0.88}" in written) is apart  # halfway between three of four and all
    assert (code, "Decide first" in told) == (0, False), error


def test_an_empty_table_has_no_first_spec(tmp_path: Path) -> None:
    told, code, _ = _tried(tmp_path, [_AGE, _SEX], 0)
    assert (code, "has no record" in told) == (2, True)
    assert not (tmp_path / "t.yaml").exists()


@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    names=st.lists(st.sampled_from(_ODD_NAMES), max_size=4, unique_by=str.lower),
    cells=st.lists(st.sampled_from(_CELLS), min_size=4, max_size=4),
    plain=st.lists(st.sampled_from([_AGE, _SEX]), unique=True),
    records=st.integers(1, 24),
)
def test_a_first_spec_of_any_table_runs_or_says_why_not(
    names: list[str],
    cells: list[str],
    plain: list[str],
    records: int,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    odd = [f"{cell} as {identifier(name)}" for name, cell in zip(names, cells, strict=False)]
    columns = [*plain, *odd] or ["i as one"]
    told, code, error = _tried(tmp_path_factory.mktemp("odd"), columns, records)
    # A table of blobs alone has nothing to guess from, and is left without a spec.
    refused = "Decide first" in told or "no column whose values can be compared" in told
    assert code == (2 if refused else 0), (told, error)
