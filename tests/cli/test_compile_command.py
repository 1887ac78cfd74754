"""`sqlanon compile`: the run as one script."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
from commands import sqlanon
from patients import SEARCHED, SPEC, patients_in, rows
from support import slow


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return patients_in(tmp_path)


@pytest.mark.parametrize("spec", [SPEC, *slow(SEARCHED)], ids=["dealt", "searched"])
def test_compile_makes_the_same_release(
    folder: Path, spec: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)  # the script names the file as the spec does
    (folder / "release.yaml").write_text(spec, encoding="utf-8")
    assert sqlanon(folder, "run", "release.yaml").returncode == 0
    done = sqlanon(folder, "compile", "release.yaml", "-o", "release.sql")
    assert done.returncode == 0, done.stderr
    script = (folder / "release.sql").read_text(encoding="utf-8")
    with duckdb.connect() as connection:
        connection.execute(script)
        compiled = connection.execute("select * from public order by all").fetchall()
        left = connection.execute("select table_name from information_schema.tables").fetchall()
    assert sorted(left) == [("public" + text,) for text in ("", "__classes", "__metrics", "__run")]
    assert compiled == rows(folder / "public.duckdb", "select * from public order by all")


def test_compile_refuses_what_violates_a_model(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A searching method at once; a script of a fixed plan when it runs."""
    monkeypatch.chdir(folder)
    for spec in (SPEC, SEARCHED):
        name = "release.yaml" if spec == SPEC else "searched.yaml"
        asked = spec.replace("k: 2", "k: 2, l: {distinct: 4, entropy: 4}")
        (folder / name).write_text(asked, encoding="utf-8")
    done = sqlanon(folder, "compile", "searched.yaml")
    assert (done.returncode, done.stdout) == (1, "")
    done = sqlanon(folder, "compile", "release.yaml")
    with (
        duckdb.connect() as connection,
        pytest.raises(duckdb.Error, match="does not reach what the spec asks for") as caught,
    ):
        connection.execute(done.stdout)
    said = str(caught.value)
    assert said.count("nothing was published") == 1  # and then each model, with what it reached
    assert "distinct_l disease: asked for 4" in said
    assert "entropy_l disease: asked for 4" in said
