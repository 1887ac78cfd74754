"""Compiled templates, kept between processes: compiling a hundred takes a second."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from importlib.util import cache_from_source
from pathlib import Path

import jinja2
from jinja2.bccache import Bucket, FileSystemBytecodeCache

from sqlanon._version import __version__


class _Bytecode(FileSystemBytecodeCache):
    """Compiled templates in files; where one cannot be written, there is none."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep what was compiled."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def compiled_beside(module: str) -> FileSystemBytecodeCache | None:
    """Where compiled templates are kept: where Python keeps what it has compiled of a module.

    Nothing is kept, and nothing read, where Python writes no bytecode.

    Args:
        module: the file of the module.
    """
    folder = Path(cache_from_source(module)).parent
    if sys.dont_write_bytecode or not os.access(folder, os.R_OK | os.W_OK):
        return None
    return _Bytecode(str(folder), f"%s.jinja-{jinja2.__version__}.sqlanon-{__version__}.cache")
