"""Text files where they lie, or copies of them that DuckDB can read."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from sqlanon.engines.duckdb.text_heads import Head
from sqlanon.errors import Problem, SpecError
from sqlanon.inputs.addresses import is_remote_file
from sqlanon.inputs.files import matching, pattern_of
from sqlanon.inputs.source import COPIED, Source
from sqlanon.sql.names import Sql, literal

if TYPE_CHECKING:
    from sqlanon.engines.duckdb.engine import DuckDBEngine

CODECS = dict(zip(COPIED, ("utf-16-be", "utf-32", "cp1252"), strict=True))  # Python's names
_CHUNK = 1 << 20  # the signs that are read at once; a header line ends within the first of them


@dataclass(frozen=True)
class Files:
    """The text files of a source, or copies of them that are read in their place.

    Attributes:
        source: what is declared.
        names: what the files are called.
        copies: their copies in UTF-8, if these are read.
    """

    source: Source
    names: Sequence[str]
    copies: Sequence[str] = ()

    @property
    def paths(self) -> Sequence[str]:
        """The paths that are read, file by file."""
        return self.copies or self.names

    @property
    def encoding(self) -> str | None:
        """The encoding of what is read, as DuckDB calls it; None if it is UTF-8."""
        return None if self.copies else self.source.encoding

    @property
    def item(self) -> Sql:
        """The paths that DuckDB reads: a path, a pattern or several paths."""
        if self.copies:
            return Sql(f"[{', '.join(map(literal, self.copies))}]")
        return literal(pattern(str(self.source.file)))

    @property
    def _codec(self) -> str:
        """The encoding of what is read, as Python calls it."""
        declared = None if self.copies else self.source.encoding
        return CODECS.get(declared or "", declared) or "utf-8-sig"

    def breaks(self, likely: Sequence[Sequence[Head]]) -> Iterator[bool]:
        """Of each file whether its header line breaks within a name as its lines do not end.

        As spreadsheets write it. DuckDB takes such a file for one without records.

        Args:
            likely: how each file may begin.

        Raises:
            SpecError: if Python cannot unpack the file, to look.
        """
        for path, found in zip(self.paths, likely, strict=True):
            for head in found:
                yield head.lines > 1 and self._breaks(path, head)

    def _breaks(self, path: str, head: Head) -> bool:
        if path.lower().endswith(".zst"):
            what = f"a name in the header line of {path!r} holds a line break: unpack the file"
            raise SpecError(Problem("source", what))
        try:
            with _text_in(path, self._codec) as read:
                text = read.read(_CHUNK)
        except (UnicodeError, EOFError, gzip.BadGzipFile):
            return False  # which is said where it is read
        ends = _line_ends(text, head)[head.skip :]
        return len({text[start:end] for start, end in ends}) > 1

    def copied(self, folder: Path, likely: Sequence[Sequence[Head]] = ()) -> Files:
        """The same files, to be read as copies in UTF-8.

        Args:
            folder: where the copies are made: a private one.
            likely: how each file may begin, if its header line is to break as its lines end.

        Raises:
            SpecError: if a file is not encoded as is declared.
        """
        folder.mkdir()
        copies = []
        for number, path in enumerate(self.paths):
            copy = folder / f"{number}.csv"
            longest = max(likely[number], key=lambda head: head.before) if likely else None
            try:
                with (
                    _text_in(path, self._codec) as read,
                    copy.open("w", encoding="utf-8", newline="") as written,
                ):
                    text = read.read(_CHUNK)
                    written.write(_even(text, longest) if longest else text)
                    while text := read.read(_CHUNK):
                        written.write(text)
            except (UnicodeError, EOFError, gzip.BadGzipFile):
                what = f"the file {self.names[number]!r} is not encoded so"
                raise SpecError(Problem("source.encoding", what)) from None
            copies.append(str(copy))
        return replace(self, copies=copies)


def pattern(file: str) -> str:
    """The path or the pattern that DuckDB reads.

    Raises:
        SpecError: if it is a folder of other files.
    """
    try:
        return pattern_of(file)
    except ValueError as error:
        raise SpecError(Problem("source", str(error))) from None


def listed(file: str, engine: DuckDBEngine) -> list[str]:
    """The files of a source; those at an address are listed where they are, by a pattern."""
    if not is_remote_file(file):
        return matching(file)
    if "*" not in file:
        return [file]
    select = f"select file from glob({literal(file)}) order by file"
    return [one for (one,) in engine.driver.execute(select, "reading the source").rows] or [file]


def _line_ends(text: str, head: Head) -> list[tuple[int, int]]:
    """Where the lines of a text end, from its beginning to the end of its header line."""
    return [one.span() for one in islice(re.finditer("\r\n|\r|\n", text), head.before)]


def _even(text: str, head: Head) -> str:
    """The text of a file whose header line breaks within names as it ends."""
    ends = _line_ends(text, head)
    last = text[slice(*ends[-1])]
    for start, end in reversed(ends[head.skip : -1]):
        text = text[:start] + last + text[end:]
    return text


def _text_in(file: str, encoding: str) -> TextIO:
    """A local file as Python reads its text, with the line ends that it has."""
    opening: Any = gzip.open if file.lower().endswith(".gz") else open
    text: TextIO = opening(file, "rt", encoding=encoding, newline="")
    return text
