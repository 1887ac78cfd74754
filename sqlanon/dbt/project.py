"""A dbt project's folder: where models and tests go, and which files there are ours.

The dbt package `sqlanon`, which is part of what pip installs, is written into it.
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path, PurePosixPath
from typing import Any

import yaml
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from sqlanon.common.files import replace_folder, write
from sqlanon.errors import SpecError

# Properties that people may have put in words of their own, corrected, or decided otherwise.
_THEIRS = {"description", "data_type", "quote", "schema", "materialized"}
MARK = "Written by sqlanon"
SCHEMA = "schema.yml"


@dataclass(frozen=True)
class File:
    """A file of a dbt project: its place below the project's folder, and its text."""

    path: PurePosixPath
    text: str


@dataclass(frozen=True)
class Project:
    """A dbt project's folder, and where in it the models and the tests are."""

    folder: Path
    models: str = "models"
    tests: str = "tests"

    @classmethod
    def of(cls, project: Path) -> Project:
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
        folders = [self.folder / self.models / release, self.folder / self.tests / release]
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
        wanted = {self.folder / file.path: file.text for file in files}
        for path in wanted:
            if path.name == SCHEMA and old.get(path, wanted[path]) != wanted[path]:
                wanted[path] = merged(old[path], wanted[path], release, str(path))
        write(wanted, True, gone=[path for path in old if path not in wanted])
        return list(wanted)


def _is_written(text: str) -> bool:
    """Whether a file says that it was written by sqlanon: after its settings, where it has some."""
    return any(line.removeprefix("--").lstrip("# ").startswith(MARK) for line in text.splitlines())


def merged(old: str, new: str, release: str, where: str) -> str:
    """The older text brought up to date, its comments and everything added to it in place.

    Descriptions and data types that are there stay as they are; arguments of the tests that are
    written for the spec follow the spec. Models of the release, their columns and those tests go
    where the spec has them no more.

    Args:
        old: the file as it is.
        new: the file as it would be written without an older one.
        release: the release's name, with which the names of all that is written begin.
        where: the file's path, for the message.

    Raises:
        SpecError: if the older text cannot be read.
    """
    reader = YAML()
    reader.preserve_quotes = True
    reader.width = 100
    try:
        document = reader.load(old)
        if not isinstance(document, dict):
            raise SpecError(
                f"{where!r} is no mapping: mend it, or remove it to have it written again"
            )
    except YAMLError as error:
        line = getattr(getattr(error, "problem_mark", None), "line", None)
        at_line = "" if line is None else f" at line {line + 1}"
        raise SpecError(f"{where!r} cannot be read as YAML{at_line}: mend it first") from None
    _update(document, YAML(typ="safe", pure=True).load(new), release)
    text = io.StringIO()
    reader.dump(document, text)
    return text.getvalue()


def _update(old: Any, new: dict[str, Any], release: str) -> None:
    for key, value in new.items():
        there = old.get(key)
        if isinstance(value, dict) and isinstance(there, dict):
            _update(there, value, release)
        elif isinstance(value, list) and isinstance(there, list) and _named(value):
            _update_list(there, value, release, every=key == "columns")
        elif there is None or key not in _THEIRS:
            old[key] = value


def _update_list(old: Any, new: list[Any], release: str, every: bool) -> None:
    """Bring a list of named things up to date; of what is not new, ours goes, or everything."""
    wanted = {_name(one): one for one in new}
    for at in reversed(range(len(old))):
        name = _name(old[at])
        ours = every or name == release or name.startswith(f"{release}__")
        if name not in wanted and ours:
            del old[at]
    there = {_name(one): one for one in old}
    for name, value in wanted.items():
        if name in there:
            _update(there[name], value, release)
        else:
            old.append(value)


def _named(items: list[Any]) -> bool:
    return all(_name(item) for item in items)


def _name(item: Any) -> str:
    """The name of a model, a column, a source or a test; empty if it has none."""
    if not isinstance(item, dict):
        return ""
    if "name" in item:
        return str(item["name"])
    inner = next(iter(item.values()), None)
    return str(inner.get("name", "")) if isinstance(inner, dict) else ""


FOLDER = "sqlanon_package"
_ENTRY = f"  - local: {FOLDER}\n"


def install(project: Path) -> str | None:
    """Write the package into a folder of a dbt project, and name it in its ``packages.yml``.

    Returns:
        The lines that the user must add, where there is a ``packages.yml`` or a
        ``dependencies.yml`` already that does not name the package.

    Raises:
        SpecError: if the folder is no dbt project, or something else has the package's name there.
    """
    Project.of(project)
    target = project / FOLDER
    if target.exists() and not _is_package(target):
        raise SpecError(f"{str(target)!r} is something else: move it elsewhere")
    replace_folder(package_folder(), target)
    if is_known(project):
        return None
    there = [name for name in ("packages.yml", "dependencies.yml") if (project / name).exists()]
    if there:
        return f"add to {project / there[0]}:\npackages:\n{_ENTRY}"
    write({project / "packages.yml": f"packages:\n{_ENTRY}"}, handed_out=True)
    return None


def is_known(project: Path) -> bool:
    """Whether the project names the package among those it depends on."""
    for name in ("packages.yml", "dependencies.yml"):
        try:
            declared = yaml.safe_load((project / name).read_text(encoding="utf-8"))
            listed = declared["packages"]
            local = [one["local"] for one in listed if isinstance(one, dict) and "local" in one]
        except (OSError, yaml.YAMLError, TypeError, KeyError):
            continue
        if any(_is_package(project / str(path)) for path in local):
            return True
    return False


def _is_package(folder: Path) -> bool:
    try:
        declared = yaml.safe_load((folder / "dbt_project.yml").read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError):
        return False
    return isinstance(declared, dict) and declared.get("name") == "sqlanon"


def package_folder() -> Path:
    """Where the package lies: in what pip installed, or next to that in a checkout."""
    packaged = Path(str(files("sqlanon"))) / "dbt_package"
    return packaged if packaged.is_dir() else packaged.parents[1] / "dbt"
