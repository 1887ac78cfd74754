"""Where the files are that a run read: kept by the run, and found again from any folder."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from sqlanon.engines import Engine
from sqlanon.inputs.addresses import is_remote_file
from sqlanon.source.source import files_of
from sqlanon.spec import Source, Spec

_WHOLE, _BESIDE = "whole", "from the database"


def places_of(spec: Spec, engine: Engine) -> dict[str, dict[str, str]]:
    """Where the source's file is, by its name in the spec: the whole path, and from the database.

    Args:
        spec: what is declared.
        engine: whose database holds the release.
    """
    file = spec.source.file
    written = None if file is None else spec.as_written(file)
    if file is None or written != file or is_remote_file(file):
        return {}  # the value of an environment variable is not kept
    whole = os.path.abspath(file)  # noqa: PTH100 - a pattern is no path to resolve
    found = {_WHOLE: whole}
    folder = engine.folder
    if folder is not None and Path(whole).anchor == folder.anchor:
        found[_BESIDE] = os.path.relpath(whole, folder)
    return {file: found}


def found_again(file: str, places: Mapping[str, Mapping[str, str]], engine: Engine) -> str | None:
    """Where a file is now that a run read; None where it is not found.

    It is looked for on its path from the database, which may have moved with it, then where it was,
    and then by its name from this folder.

    Args:
        file: as the run's spec names it.
        places: what the run kept.
        engine: whose database holds the release.
    """
    candidates = _candidates(file, places.get(file, {}), engine)
    return next((one for one in candidates if files_of(Source(file=one))), None)


def _candidates(file: str, kept: Mapping[str, str], engine: Engine) -> Iterator[str]:
    if _BESIDE in kept and engine.folder is not None:
        yield os.path.normpath(engine.folder / kept[_BESIDE])
    if _WHOLE in kept:
        yield kept[_WHOLE]
    yield file
