"""The room that DuckDB has: memory, and a private folder to spill to, which holds raw data."""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
import weakref
from contextlib import suppress
from pathlib import Path

from sqlanon.common.interrupts import held
from sqlanon.errors import SpecError

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
                around = [
                    parent for parent in (inner, *inner.parents) if parent.is_relative_to(top)
                ]
                limits += [_read(parent / file).strip() for parent in around]
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


try:
    import fcntl
except ImportError:  # Windows: what a killed process leaves is left
    fcntl = None  # type: ignore[assignment]

_PREFIX = "sqlanon-spill-"
_ATTEMPTS = 100  # at a folder that nobody else removes meanwhile


class SpillFolder:
    """A folder that nobody else can read; it is removed on demand, or with this object.

    No signal leaves it behind: it is made and removed to the end.

    A lock on the folder says that somebody uses it. The system gives it back when the process ends,
    however that ends, also where another container sees the folder and not the process.

    Args:
        root: where to make it; by default the system's temporary folder.

    Raises:
        SpecError: if nothing can be written there.
    """

    def __init__(self, root: str | None = None) -> None:
        parent = Path(root or tempfile.gettempdir())
        try:
            _remove_stale(parent)
            with held():
                self.path, lock = _locked_folder(parent)
                self.remove = weakref.finalize(self, _remove, self.path, lock)
        except OSError as error:
            raise SpecError(
                f"nothing can be written to the folder {str(parent)!r}: {error.strerror}"
            ) from None


def _locked_folder(root: Path) -> tuple[Path, int | None]:
    """A new folder, locked.

    Raises:
        OSError: if none can be, as under a umask of 777, or where a file system has no locks.
    """
    for _ in range(_ATTEMPTS):
        path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=root))
        lock = _lock(path)
        if fcntl is None or (lock is not None and path.exists()):
            return path, lock
        if lock is not None:  # somebody took it for a stale one before it was locked
            os.close(lock)
        with suppress(OSError):
            path.rmdir()
    raise OSError(errno.ENOLCK, "no folder can be made there that its maker can open and lock")


def _remove_stale(root: Path) -> None:
    """Remove what killed processes left."""
    for folder in root.glob(f"{_PREFIX}*"):
        lock = _lock(folder)
        if lock is not None:
            _remove(folder, lock)


def _lock(folder: Path) -> int | None:
    """Lock a folder; None if another has it locked."""
    if fcntl is None:
        return None
    with suppress(OSError):  # it is gone, or somebody else's
        opened = os.open(folder, os.O_RDONLY)
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(opened)
            return None
        return opened
    return None


def _remove(folder: Path, lock: int | None) -> None:
    with held():
        shutil.rmtree(folder, ignore_errors=True)
        if lock is not None:
            os.close(lock)
