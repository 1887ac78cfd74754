"""The dbt package `sqlanon`, which is part of what pip installs, written into a dbt project."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

import yaml

from sqlanon.dbt.project import Place
from sqlanon.errors import SpecError
from sqlanon.files import replace_folder, write

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
    Place.of(project)
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
