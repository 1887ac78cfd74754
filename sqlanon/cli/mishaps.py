"""The messages that no command could give: of arguments that a shell split, of a bug."""

from __future__ import annotations

import os
import traceback
from collections.abc import Sequence
from pathlib import Path

import click

from sqlanon import _version
from sqlanon.errors import EngineError

DEBUG = "SQLANON_DEBUG"


def hinted(error: click.ClickException, arguments: Sequence[str]) -> click.ClickException:
    """A refusal of arguments, with what to do where a list was split at its spaces."""
    split = [one for one in arguments if one.endswith(",") and len(one) > 1]
    if isinstance(error, click.UsageError) and "extra argument" in error.message and split:
        mend = "write a list without spaces, or put it into quotes: 'age, sex'"
        return click.UsageError(f"{error.message.rstrip('.')}: {mend}", error.ctx)
    return error


def unexpected(error: Exception) -> EngineError:
    """A bug of ours: what kind it is and where, and nothing that its message may quote.

    Raises:
        Exception: the error itself, where a traceback is asked for.
    """
    if os.environ.get(DEBUG):
        raise error
    package = Path(_version.__file__).parent
    ours = [
        f"{Path(frame.filename).relative_to(package.parent).as_posix()}, line {frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(package)
    ]
    at = f" in {ours[-1]}" if ours else ""
    return EngineError(
        f"an unexpected error, {type(error).__name__}{at}: a bug of sqlanon "
        f"{_version.__version__}; its message is withheld because it may quote the data: set "
        f"{DEBUG}=1 to see it"
    )
