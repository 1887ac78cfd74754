"""The private folder that DuckDB spills to: what it writes there is raw data."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from contextlib import suppress
from pathlib import Path

from sqlanon.errors import SpecError

try:
    import fcntl
except ImportError:  # Windows: what a killed process leaves is left
    fcntl = None  # type: ignore[assignment]

_PREFIX = "sqlanon-spill-"


class SpillFolder:
    """A folder that nobody else can read; it is removed on demand, or with this object.

    A lock on the folder says that somebody uses it. The system gives it back when the process ends,
    however that ends, also where another container sees the folder and not the process.

    Args:
        root: where to make it; by default the system's temporary folder.

    Raises:
        SpecError: if nothing can be written there.
    """

    def __init__(self, root: str | None = None) -> None:
        place = Path(root or tempfile.gettempdir())
        try:
            _remove_stale(place)
            self.path, lock = _locked_folder(place)
        except OSError as error:
            raise SpecError(
                f"nothing can be written to the folder {str(place)!r}: {error}"
            ) from None
        self.remove = weakref.finalize(self, _remove, self.path, lock)


def _locked_folder(root: Path) -> tuple[Path, int | None]:
    while True:
        path = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=root))
        lock = _lock(path)
        if fcntl is None or (lock is not None and path.exists()):
            return path, lock
        if lock is not None:  # somebody took it for a stale one before it was locked
            os.close(lock)


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
    shutil.rmtree(folder, ignore_errors=True)
    if lock is not None:
        os.close(lock)
