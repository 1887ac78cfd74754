"""A dbt project's folder: where models and tests go, and which files there are ours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import yaml

from sqlanon.errors import SpecError
from sqlanon.files import write

MARK = "Written by sqlanon"
SCHEMA = "schema.yml"


@dataclass(frozen=True)
class File:
    """A file of a dbt project: its place below the project's folder, and its text."""

    path: PurePosixPath
    text: str


@dataclass(frozen=True)
class Place:
    """A dbt project's folder, and where in it the models and the tests are."""

    project: Path
    models: str = "models"
    tests: str = "tests"

    @classmethod
    def of(cls, project: Path) -> Place:
        """As ``dbt_project.yml`` says.

        Raises:
            SpecError: if the folder holds no dbt project.
        """
        try:
            text = (project / "dbt_project.yml").read_text(encoding="utf-8")
        except OSError:
            raise SpecError(
                f"there is no dbt_project.yml in {str(project)!r}: name the folder of a dbt project"
            ) from None
        try:
            declared = yaml.safe_load(text)
            paths = {key: declared.get(f"{key}-paths", [f"{key}s"])[0] for key in ("model", "test")}
        except (yaml.YAMLError, AttributeError, IndexError, KeyError):
            raise SpecError(
                "dbt_project.yml cannot be read: no model-paths or test-paths"
            ) from None
        return cls(project, paths["model"], paths["test"])

    def write(self, release: str, files: Sequence[File]) -> list[Path]:
        """Write the files of a release, all or none, and remove those of an older spec of it.

        People's additions to the descriptions and tests of ``schema.yml`` are kept.

        Raises:
            SpecError: if a file of somebody else's is in the way; then nothing is written.
        """
        folders = [self.project / self.models / release, self.project / self.tests / release]
        old = {
            path: path.read_text(encoding="utf-8")
            for folder in folders
            for path in sorted(folder.rglob("*"))
            if path.is_file()
        }
        foreign = [path for path, text in old.items() if not _is_written(text)]
        if foreign:
            raise SpecError(
                f"{str(foreign[0])!r} was not written by sqlanon, and the folder would be written "
                f"again: move it elsewhere"
            )
        wanted = {self.project / file.path: file.text for file in files}
        for path in wanted:
            if path.name == SCHEMA and old.get(path, wanted[path]) != wanted[path]:
                from sqlanon.dbt.merging import merged

                wanted[path] = merged(old[path], wanted[path], release, str(path))
        write(wanted, True, gone=[path for path in old if path not in wanted])
        return list(wanted)


def _is_written(text: str) -> bool:
    """Whether a file says that it was written by sqlanon: after its settings, where it has some."""
    return any(line.removeprefix("--").lstrip("# ").startswith(MARK) for line in text.splitlines())
