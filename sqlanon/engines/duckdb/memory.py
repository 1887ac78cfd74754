"""How much memory the containers around this process leave it."""

from __future__ import annotations

import os
from pathlib import Path

_SHARE = 70  # percent for DuckDB: Python, and what DuckDB does not count, need some too
_CONTROLLERS = {"memory": ("memory", "memory.limit_in_bytes"), "": ("", "memory.max")}


def contained_limit(
    membership: Path = Path("/proc/self/cgroup"), root: Path = Path("/sys/fs/cgroup")
) -> str | None:
    """A memory limit for DuckDB, where control groups leave less than the machine has.

    DuckDB itself heeds the limit of the innermost group alone, and only where it is mounted under
    the name that the process knows it by. A limit may stand at any group around it.

    Args:
        membership: the file that names the groups of this process, of version 1 or 2.
        root: where they are mounted.

    Returns:
        DuckDB's setting, or None where nothing limits the process.
    """
    limits = []
    for line in _read(membership).splitlines():
        _, controllers, group = line.split(":", 2)
        for controller in controllers.split(","):
            if controller in _CONTROLLERS:
                folder, file = _CONTROLLERS[controller]
                top = root / folder
                inner = top / group.lstrip("/")
                around = [place for place in (inner, *inner.parents) if place.is_relative_to(top)]
                limits += [_read(place / file).strip() for place in around]
    if not limits:
        return None
    whole = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    least = min((int(limit) for limit in limits if limit.isdigit()), default=whole)
    return f"{least * _SHARE // 100 // 2**20}MiB" if least < whole else None


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except OSError:  # there are no control groups, or not of this version
        return ""
