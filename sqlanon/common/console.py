"""A console that shows signs that would command a terminal; its own commands pass."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from sqlanon.common.visible import VisibleStream, behind, visible


class VisibleConsole(Console):
    """Rich's console before the streams of this process.

    Args:
        stderr: whether it writes to stderr.
        given: as for rich's own.
    """

    def __init__(self, stderr: bool = False, **given: Any) -> None:
        stream = sys.stderr if stderr else sys.stdout
        if isinstance(stream, VisibleStream):  # its colours would not pass
            given["file"] = behind(stream)
        super().__init__(stderr=stderr, **given)

    def on_broken_pipe(self) -> None:
        """Not rich's exit code 1, which says that a privacy model does not hold."""
        raise BrokenPipeError

    def render_str(self, text: str, **given: Any) -> Text:
        """A text as it is laid out: what is shown in place of a sign takes its room."""
        return super().render_str(visible(text), **given)

    def render(
        self, renderable: RenderableType, options: ConsoleOptions | None = None
    ) -> Iterable[Segment]:
        """Make the text visible: all that is printed comes through here, however it was made."""
        for segment in super().render(renderable, options):
            if segment.control:
                yield segment
            else:
                yield Segment(visible(segment.text), segment.style)
