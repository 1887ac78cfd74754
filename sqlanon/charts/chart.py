"""A chart: what it shows as a picture and as numbers, and how to show or keep it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sqlanon.charts.picture import Picture
from sqlanon.charts.svg import document, light_style
from sqlanon.errors import SpecError, nearest
from sqlanon.files import appearing, check_folder, check_free

ENDINGS = (".pdf", ".png", ".svg")
_SHARP = 2  # pixels for each unit of a picture


@dataclass(frozen=True)
class Numbers:
    """The numbers of a chart, as a table.

    Attributes:
        head: the names of the columns.
        rows: the cells, as text.
        numbers: the places of the columns that hold numbers.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[int]


class Chart(ABC):
    """A chart, which a notebook shows by itself.

    Attributes:
        title: what it shows.
    """

    title: str

    @property
    @abstractmethod
    def picture(self) -> Picture:
        """The chart, to be drawn."""

    @property
    @abstractmethod
    def numbers(self) -> Numbers:
        """The same for a reader who wants numbers."""

    def save(self, file: str | Path) -> None:
        """Draw the chart to a file, for its owner alone.

        Raises:
            SpecError: as `check_drawable` does.
        """
        save(self.picture, Path(file))

    def _repr_svg_(self) -> str:
        return document(self.picture)


def check_drawable(file: Path) -> None:
    """Find out before the work is done whether a chart can be drawn to a file.

    Raises:
        SpecError: if no chart is drawn with such an ending, there is no such folder, or the ending
            needs CairoSVG, which is missing.
    """
    ending = file.suffix.lower()
    if ending not in ENDINGS:
        raise SpecError(f"the chart {str(file)!r} cannot be drawn: {nearest(file.suffix, ENDINGS)}")
    check_folder(file)
    check_free(file, True)
    if ending != ".svg":
        _cairosvg()


def save(picture: Picture, file: Path) -> None:
    """Draw a picture to a file: as SVG, or by CairoSVG as PNG or PDF.

    Raises:
        SpecError: as `check_drawable` does.
    """
    check_drawable(file)
    with appearing([file], True) as (hidden,):
        if file.suffix.lower() == ".svg":
            hidden.write_text(document(picture), encoding="utf-8")
        else:
            draw = getattr(_cairosvg(), f"svg2{file.suffix.lower().removeprefix('.')}")
            drawn = document(picture, light_style()).encode()
            hidden.write_bytes(draw(bytestring=drawn, scale=_SHARP))


def _cairosvg() -> Any:
    """CairoSVG, which needs the Cairo library of the system.

    Raises:
        SpecError: if either is missing.
    """
    if find_spec("cairosvg") is None:
        what = "a chart as .png or .pdf needs CairoSVG: install sqlanon's extra 'chart', or take"
        raise SpecError(f"{what} .svg")
    try:
        return import_module("cairosvg")
    except OSError:
        what = "a chart as .png or .pdf needs the Cairo library: install it (on Debian libcairo2)"
        raise SpecError(f"{what}, or take .svg") from None
