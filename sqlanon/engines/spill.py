"""The private folder that DuckDB spills to: what it writes there is raw data."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from pathlib import Path

from sqlanon.errors import SpecError

_PREFIX = "sqlanon-spill-"


class SpillFolder:
    """A folder that nobody else can read; it is removed on demand, or with this object.

    Args:
        root: where to make it; by default the system's temporary folder.

    Raises:
        SpecError: if nothing can be written there.
    """

    def __init__(self, root: str | None = None) -> None:
        place = Path(root or tempfile.gettempdir())
        try:
            _remove_stale(place)
            self.path = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-", dir=place))
        except OSError as error:
            raise SpecError(
                f"nothing can be written to the folder {str(place)!r}: {error}"
            ) from None
        self.remove = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)


def _remove_stale(root: Path) -> None:
    """Remove what killed processes left."""
    for folder in root.glob(f"{_PREFIX}*"):
        owner = folder.name.removeprefix(_PREFIX).split("-")[0]
        if owner.isdigit() and not _alive(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is alive and somebody else's
        return True
    return True
