r"""The one filter of what reaches a screen: signs that command a terminal are shown, not sent.

A value, a name or a message may hold an escape sequence, which moves the cursor, hides lines or
sets the title; a sign for the direction of text, which shows a text as another; or one that nobody
sees. Each is shown as Python writes it: ``\x1b``, ``\u202e``.
"""

from __future__ import annotations

import codecs
import io
import json
import re
import sys
from collections.abc import Iterable
from typing import Any, TextIO

# C0 but for line feed and tab, delete, C1; then what has no width, turns the direction or ends a
# line; halves of a sign; marks and tags that nobody sees.
_COMMANDS = (
    r"\x00-\x08\x0b-\x1f\x7f-\x9f\xad"
    r"\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    r"\ud800-\udfff\ufff9-\ufffb\U000e0000-\U000e007f"
)
_SIGNS = re.compile(f"[{_COMMANDS}]")
_NULL = "NULL"
_SIGNS_OF_CELLS = re.compile(f"[{_COMMANDS}\\n]")


def visible(text: str, one_line: bool = False) -> str:
    """A text with each sign that would command a terminal as people can read it.

    Args:
        text: any text.
        one_line: whether a line feed is shown, too, as in a name or a cell.
    """
    return (_SIGNS_OF_CELLS if one_line else _SIGNS).sub(_escaped, text)


def cell(value: object) -> str:
    """A value of a table as people can read it, in one line.

    NULL looks different from empty text, and from the text NULL.
    """
    if value is None:
        return _NULL
    text = str(value)
    return f"'{text}'" if text in ("", _NULL) else visible(text, one_line=True)


def visible_json(text: str) -> str:
    """JSON in which such signs stand as JSON's own escapes: a program reads the same of it."""
    return _SIGNS.sub(lambda found: json.dumps(found[0])[1:-1], text)


def _escaped(found: re.Match[str]) -> str:
    number = ord(found[0])
    if found[0] == "\n":
        return "\\n"
    if number < 1 << 8:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 1 << 16 else f"\\U{number:08x}"


class VisibleStream:
    """A stream for people: all that is written to it is made visible.

    Attributes:
        behind: the stream itself, for what has passed the filter already.
        buffer: takes the same as bytes, so that nobody writes past the filter.
    """

    def __init__(self, behind: TextIO) -> None:
        self.behind = behind
        self.buffer = _VisibleBytes(self)

    def write(self, text: str) -> int:
        """Write a text; how many of its signs were written."""
        self.behind.write(visible(text))
        return len(text)

    def writelines(self, lines: Iterable[str]) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.behind, name)


class _VisibleBytes(io.RawIOBase):
    """Text in UTF-8 for a stream that makes it visible."""

    def __init__(self, stream: VisibleStream) -> None:
        self._stream = stream
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._stream.write(self._decoder.decode(bytes(data)))
        return len(data)

    def flush(self) -> None:
        self._stream.flush()


def percent(share: float) -> str:
    """A share in percent: neither 0 % of something, nor 100 % of less than all."""
    if 0 < share < 0.01:
        return "<1%"
    if 0.99 < share < 1:
        return ">99%"
    return f"{share:.0%}"


def behind(stream: Any) -> Any:
    """The stream that a filter stands before, or the stream itself."""
    return stream.behind if isinstance(stream, VisibleStream) else stream


def guard_output() -> None:
    """From now on all that this process writes for people passes the filter: errors, too."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None and not isinstance(stream, VisibleStream):
            setattr(sys, name, VisibleStream(stream))


def write_exactly(text: str) -> None:
    """A text for a program on stdout: as it is, unless a terminal reads it."""
    stream = behind(sys.stdout)
    stream.write(visible(text) if stream.isatty() else text)
