"""What a run read is found again from any folder, and wherever the database went with it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from commands import sqlanon as command

from sqlanon.domains.lines import as_tree, hierarchy_lines
from sqlanon.spec import FileHierarchy, TreeHierarchy

pytestmark = pytest.mark.slow

SPEC = """
source: {SOURCE}
release: public
quasi_identifiers: {age: {}, town: {hierarchy: {TOWNS}}}
sensitive: ill
privacy: {k: 3}
method: stack_and_deal
"""
PEOPLE = "age,town,ill\n" + "".join(f"{20 + i},{'abc'[i % 3]},x{i % 2}\n" for i in range(12))


def made(folder: Path, source: str, towns: str) -> None:
    """A folder with a spec, what it reads, and the release in a database of it."""
    folder.mkdir()
    (folder / "people.csv").write_text(PEOPLE, encoding="utf-8")
    (folder / "towns.csv").write_text("a,west\nb,west\nc,east\n", encoding="utf-8")
    text = SPEC.replace("{SOURCE}", source).replace("{TOWNS}", towns)
    (folder / "spec.yaml").write_text(text, encoding="utf-8")
    ran = command(
        folder.parent, "run", f"{folder.name}/spec.yaml", "--quiet", "--database", _of(folder)
    )
    assert ran.returncode == 0, ran.stderr


def _of(folder: Path) -> str:
    return str(folder / "public.duckdb")


@pytest.mark.further
@pytest.mark.sampled
@pytest.mark.parametrize("way", ["relative", "absolute", "glob", "home"])
def test_files_are_found_again_from_another_folder(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From inside the folder, from elsewhere, and after the folder was moved."""
    monkeypatch.setenv("HOME", str(tmp_path))
    folder = tmp_path / "project"
    start = {"absolute": f"{folder}/", "home": "~/project/"}.get(way, "")
    made(folder, f"{start}{'peop*.csv' if way == 'glob' else 'people.csv'}", f"{start}towns.csv")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    moved = tmp_path / "moved"
    for at in (folder, moved):
        if at is moved:
            shutil.move(folder, moved)
            (moved / "towns.csv").unlink()  # the run kept it
        for here in (at, elsewhere) if way == "relative" else (elsewhere,):
            asked = ("--database", _of(at), "--quiet")
            told = command(here, "utility", "public", *asked)
            assert told.returncode == 0, told.stderr
            told = command(here, "attack", "public", "--external", str(at / "people.csv"), *asked)
            assert told.returncode == 0, told.stderr


def test_a_file_that_is_gone_is_named_as_the_spec_names_it(tmp_path: Path) -> None:
    made(tmp_path / "project", "people.csv", "towns.csv")
    (tmp_path / "project" / "people.csv").unlink()
    asked = ("--database", _of(tmp_path / "project"), "--quiet")
    refused = command(tmp_path, "utility", "public", *asked)
    assert refused.returncode == 2
    assert "its run read 'project/people.csv', which is not found from here" in refused.stderr


@pytest.mark.parametrize(
    "text",
    [
        "a,west\nb,west\nc,east\n",
        "a\nb\n",
        "a,x,*\nb,x,*\n",
        "a,b,x\nc,x\nx,y,y\n",
        "a,x,x\nb,x,x\n",
    ],
)
def test_a_hierarchy_is_kept_as_it_was_read(text: str, tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text(text, encoding="utf-8")
    lines = hierarchy_lines(FileHierarchy(file=tmp_path / "h.csv"), "here", "q")
    again = hierarchy_lines(TreeHierarchy(tree=as_tree(lines)), "here", "q")
    assert sorted(again) == sorted(lines)
