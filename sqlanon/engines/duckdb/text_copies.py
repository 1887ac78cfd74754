"""Text files where they lie, or copies of them that DuckDB can read.

The beginning of a file tells its encoding, what separates its fields, and its column names.
"""

from __future__ import annotations

import csv
import gzip
import re
from abc import abstractmethod
from codecs import getincrementaldecoder
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from sqlanon.engines.base import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.inputs.files import is_remote_file, matching, pattern_of
from sqlanon.inputs.source import COPIED, Source
from sqlanon.spec.columns import Column
from sqlanon.sql.names import Sql, literal

DELIMITERS = ",;\t|"
LINES = 100  # that a header may take
_LOOKED_AT = 2**20  # bytes of a file, for its encoding
# What the first bytes of a file say that it is, and what to do.
_SIGNATURES = (
    (b"PK\x03\x04", "a zip archive: unpack it"),
    (b"\x1f\x8b", "compressed by gzip: give its name the ending .gz"),
    (b"\x28\xb5\x2f\xfd", "compressed by zstd: give its name the ending .zst"),
    (b"BZh", "compressed by bzip2: unpack it"),
    (b"\xfd7zXZ", "compressed by xz: unpack it"),
    (b"%PDF", "a PDF"),
    (b"PAR1", "Parquet: give its name the ending .parquet"),
    (b"\xd0\xcf\x11\xe0", "a workbook or document of Microsoft Office: save it as CSV"),
    (b"SQLite format 3\x00", "a SQLite database"),
)
_COMPRESSED = (".gz", ".zst")


class FileEngine(Engine):
    """The part of DuckDB's engine that the readers of files ask."""

    @abstractmethod
    def describe(self, source: Sql) -> list[Column]:
        """The columns of a FROM item, asked again: of a text file this reads all of it."""

    @abstractmethod
    def keep_text(self, item: Sql) -> Sql:
        """The FROM item of a temporary table of what another item reads now, and no later."""


@dataclass(frozen=True)
class Head:
    """How a text file begins.

    Attributes:
        delimiter: what separates its fields.
        skip: how many lines stand before the one that names its columns.
        names: of its columns, as they are called in SQL.
        lines: how many lines the names take: more than one if a name holds a line break.
        written: by the names of columns that the file calls as an earlier one, but perhaps for
            case, the name of that.
    """

    delimiter: str
    skip: int
    names: tuple[str, ...]
    lines: int = field(default=1, compare=False)
    written: Mapping[str, str] = field(default_factory=dict, compare=False)

    @property
    def before(self) -> int:
        """How many lines stand before the records."""
        return self.skip + self.lines


def check_bytes(file: str, encoding: str | None) -> None:
    """Refuse a local file that is no text, or no text of the encoding.

    Raises:
        SpecError: if its first bytes say so.
    """
    if file.lower().endswith(_COMPRESSED):
        return
    with Path(file).open("rb") as opened:
        read = opened.read(_LOOKED_AT)
    start = read[:4096]
    for bytes_, what in _SIGNATURES:
        if start.startswith(bytes_):
            raise SpecError(Problem("source", f"the file {file!r} is no CSV, it is {what}"))
    found, declared = _encoding(start), encoding or "utf-8"
    if declared in ("latin-1", "windows-1252") and _is_utf8(read):
        what = (
            f"all signs of the file {file!r} are those of UTF-8, and {encoding} would make others"
        )
        raise SpecError(Problem("source.encoding", f"{what} of them: leave it out"))
    if found is None or found == declared:
        return
    what = f"the file {file!r} is no {declared.upper()} text"
    if found == "binary":
        raise SpecError(Problem("source", f"{what}: it holds NUL bytes"))
    raise SpecError(Problem("source", f"{what}; if it is {found.upper()}, say encoding: {found}"))


def _is_utf8(start: bytes) -> bool:
    """Whether bytes have signs beyond ASCII, all as UTF-8 writes them: hardly by chance."""
    try:
        getincrementaldecoder("utf-8")().decode(start)
    except UnicodeDecodeError:
        return False
    return not start.isascii()


def _encoding(start: bytes) -> str | None:
    """The encoding that the first bytes of a file tell; None where any of one byte may be."""
    if start.startswith((b"\xff\xfe\x00\x00", b"\x00\x00\xfe\xff")):
        return "utf-32"
    if start.startswith(b"\xef\xbb\xbf"):
        return "utf-8"
    if start.startswith(b"\xff\xfe"):
        return "utf-16"
    if start.startswith(b"\xfe\xff"):
        return "utf-16-be"
    if b"\x00" not in start:
        return None
    even, odd = start[::2].count(0), start[1::2].count(0)
    if len(start) >= 4 and start[:3] == b"\x00\x00\x00":
        return "utf-32"
    if even > 4 * odd and 4 * even > len(start):
        return "utf-16-be"
    if odd > 4 * even and 4 * odd > len(start):
        return "utf-16"
    return "binary" if 4 * start.count(0) > len(start) else None  # a few may stand in a value


def heads(lines: Sequence[str | None], source: Source, name: str) -> list[Head]:
    """How a file may begin: a head for each sign that may separate its fields, the likeliest first.

    Args:
        lines: its first lines, None for an empty one.
        source: what is declared of it.
        name: what the file is called, one of several perhaps.

    Raises:
        SpecError: if it has no header line, or that cannot be read.
    """
    texts = [line or "" for line in lines[source.skip :]]
    blank = next((index for index, text in enumerate(texts) if text.strip()), None)
    if blank is None:
        raise SpecError(Problem("source", f"the file {name!r} has no header line"))
    texts = texts[blank:]
    quote = source.quote or '"'
    signs = source.delimiter or "".join(delimiter for delimiter in DELIMITERS if delimiter != quote)
    found = {sign: _fields(texts, sign, source) for sign in signs}
    several = [sign for sign in signs if len(found[sign][0]) > 1] or [signs[0]]
    several.sort(key=lambda sign: -len(found[sign][0]))  # which is stable
    skip = source.skip + blank
    return [_head(sign, skip, *found[sign], source) for sign in several]


def _head(sign: str, skip: int, fields: Sequence[str], lines: int, source: Source) -> Head:
    names, texts = _named(fields, source), [name.strip() for name in fields]
    first: dict[str, str] = {}
    again = {
        name: first[text.lower()]
        for name, text in zip(names, texts, strict=True)
        if text and first.setdefault(text.lower(), name) != name
    }
    return Head(sign, skip, tuple(names), lines, again)


def _fields(lines: Sequence[str], delimiter: str, source: Source) -> tuple[list[str], int]:
    """The fields of the first record, as RFC 4180 has it, and how many lines it takes."""
    quote = source.quote or '"'
    escape = None if source.escape in (None, quote) else source.escape
    reader = csv.reader(
        [f"{line}\n" for line in lines],
        delimiter=delimiter,
        quotechar=quote,
        escapechar=escape,
        doublequote=escape is None,
    )
    try:
        return next(reader), reader.line_num
    except csv.Error as error:
        raise SpecError(Problem("source", f"the header line cannot be read: {error}")) from None


def _named(fields: Sequence[str], source: Source) -> list[str]:
    """The names of columns, as DuckDB gives them.

    One without a name is called by its place, from column0; one whose name an earlier one has, but
    for case, has a number after it.
    """
    names: list[str] = []
    used = {text.strip().lower() for text in fields}
    seen: Counter[str] = Counter()
    for index, written in enumerate(fields):
        name = written.strip() or f"column{index}"
        if "\x00" in name:
            what = f"a name in the header line of {source.file!r} holds a NUL sign"
            raise SpecError(Problem("source", what))
        folded = name.lower()
        seen[folded] += 1
        if seen[folded] > 1:
            number = seen[folded] - 1
            while f"{folded}_{number}" in used:
                number += 1
            name = f"{name}_{number}"
            used.add(name.lower())
        names.append(name)
    return names


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


def listed(file: str, engine: Engine) -> list[str]:
    """The files of a source; those at an address are listed where they are, by a pattern."""
    if not is_remote_file(file):
        return matching(file)
    if "*" not in file:
        return [file]
    select = f"select file from glob({literal(file)}) order by file"
    return [row for (row,) in engine.driver.execute(select, "reading the source").rows] or [file]


def _line_ends(text: str, head: Head) -> list[tuple[int, int]]:
    """Where the lines of a text end, from its beginning to the end of its header line."""
    return [match.span() for match in islice(re.finditer("\r\n|\r|\n", text), head.before)]


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
