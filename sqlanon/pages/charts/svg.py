"""The only drawing of charts: a picture as SVG, in a page, a notebook or a file of its own.

Its colors and rules are those of every chart, in light and dark mode and on paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from sqlanon.common.visible import visible
from sqlanon.pages.charts.picture import Bar, Curve, Dot, Frame, Marker, Note, Panel, Picture, Rule

# Okabe and Ito's colors first, which do not rely on telling red from green.
_LIGHT = {
    "paper": "#ffffff",
    "ink": "#1b1f23",
    "faint": "#57606a",
    "grid": "#e4e8ec",
    "bound": "#b84a00",
    "h0": "#0072b2",
    "h1": "#d55e00",
    "h2": "#009e73",
    "h3": "#cc79a7",
    "h4": "#e69f00",
    "h5": "#56b4e9",
    "h6": "#1b1f23",
    "h7": "#8c564b",
    "h8": "#6f7d8c",
    "h9": "#8a63b8",
}
_DARK = {
    "paper": "#14181c",
    "ink": "#e6e9ec",
    "faint": "#a3adb7",
    "grid": "#2a323a",
    "bound": "#e69f00",
    "h0": "#56b4e9",
    "h1": "#ff8c42",
    "h2": "#3fc79a",
    "h3": "#e0a3c4",
    "h4": "#f0b94a",
    "h5": "#9bd3f5",
    "h6": "#e6e9ec",
    "h7": "#c08a7d",
    "h8": "#9aa7b4",
    "h9": "#b697e0",
}
_RULES = """\
.chart text { fill: var(--ink); font-family: system-ui, sans-serif; font-size: 13px; }
.chart .small { font-size: 11px; fill: var(--faint); }
.chart .head { font-weight: 600; }
.chart .end { text-anchor: end; }
.chart .middle { text-anchor: middle; }
.chart .back { fill: var(--paper); }
.chart .axis { stroke: var(--faint); stroke-width: 1; }
.chart .grid { stroke: var(--grid); stroke-width: 1; }
.chart .line { fill: none; stroke-width: 1.2; }
.chart .dashed { stroke-dasharray: 6 4; }
.chart .dotted { stroke-dasharray: 1.5 3; }
.chart .dot { stroke-width: 1.5; }
.chart .hollow { fill: var(--paper); }
.chart .open { fill: none; }
.chart .frame { fill: none; stroke: var(--ink); stroke-width: 2; }
.chart .bound { stroke: var(--bound); stroke-width: 2; stroke-dasharray: 6 4; }
.chart .bounded { fill: var(--bound); font-weight: 600; }
"""
_HUES = "".join(
    f".chart .h{hue} {{ fill: var(--h{hue}); }}\n.chart .s{hue} {{ stroke: var(--h{hue}); }}\n"
    for hue in range(10)
)
_ALL = _HUES + _RULES  # the rules come last, so that a hollow dot has the color of the paper


def style() -> str:
    """The style: it follows the reader's light or dark mode, and paper is always light."""
    dark = f"@media screen and (prefers-color-scheme: dark) {{ {_variables(_DARK)} }}\n"
    return _variables(_LIGHT) + "\n" + dark + _ALL


def light_style() -> str:
    """The same in the light mode alone, without variables, for programs that know none."""
    text = _ALL
    for name, color in _LIGHT.items():
        text = text.replace(f"var(--{name})", color)
    return text


def _variables(colors: dict[str, str]) -> str:
    return ".chart { " + " ".join(f"--{name}: {color};" for name, color in colors.items()) + " }"


_RIGHT, _TOP, _BOTTOM = 16, 40, 40  # margins for numbers and titles
_TEXT = 24  # for the text next to the last point
_LINE = 18  # of the legend
_NEAR = (26, 13)  # texts of nearer points overlap
_APART = 50  # nearer numbers of the x axis overlap
_SHAPES: Mapping[Marker, str] = {
    "square": "M {0} {2} H {1} V {3} H {0} Z",
    "triangle": "M {0} {3} L {4} {2} L {1} {3} Z",
    "diamond": "M {0} {5} L {4} {2} L {1} {5} L {4} {3} Z",
    "cross": "M {0} {2} L {1} {3} M {0} {3} L {1} {2}",
    "stroke": "M {4} {2} V {3}",
}


def drawing(picture: Picture, name: str) -> Markup:
    """A picture as an element of a page that has `style`.

    Args:
        picture: what is drawn.
        name: what its ids begin with, once on a page.
    """
    return _element(picture, name, Markup())


def document(picture: Picture, rules: str | None = None) -> str:
    """A picture as a file, or as an element of a page that lacks `style`.

    Args:
        picture: what is drawn.
        rules: its style; by default `style`.
    """
    head = Markup("<style>\n{}</style>\n").format(rules or style())
    back = Markup('<rect class="back" width="100%" height="100%"/>\n')
    return str(_element(picture, "chart", head + back)) + "\n"


def _element(picture: Picture, name: str, head: Markup) -> Markup:
    rows = -(-len(picture.panels) // picture.columns)
    width, legend = picture.wide / picture.columns, list(_legend(picture))
    below = 10 + _LINE * -(-len(legend) // picture.legend) if legend else 0
    high = rows * picture.high + below
    own = Markup(' xmlns="http://www.w3.org/2000/svg" width="{}" height="{}"')
    attributes = own.format(picture.wide, high) if head else ""
    parts = [
        Markup('<svg class="chart"{} viewBox="0 0 {} {}" role="img" aria-labelledby="{}">').format(
            attributes, picture.wide, high, f"{name}-title {name}-says"
        ),
        _tag("title", visible(picture.title), id=f"{name}-title"),
        _tag("desc", visible(picture.says), id=f"{name}-says"),
    ]
    for index, panel in enumerate(picture.panels):
        row, column = divmod(index, picture.columns)
        parts += _Drawn.of(panel, picture, column * width, row * picture.high).parts()
    for index, (mark, text) in enumerate(legend):
        row, column = divmod(index, picture.legend)
        x = picture.left + column * (picture.wide - picture.left) / picture.legend
        y = rows * picture.high + 14 + _LINE * row
        parts += [*_sample(mark, x + 5, y - 4), _text(x + 18, y, text)]
    return parts[0] + "\n" + head + Markup("\n").join(parts[1:]) + Markup("\n</svg>")


@dataclass(frozen=True)
class _Drawn:
    """A panel, and where in the picture its axes lie."""

    panel: Panel
    left: float
    right: float
    top: float
    floor: float

    @classmethod
    def of(cls, panel: Panel, picture: Picture, x: float, y: float) -> _Drawn:
        dots = (dot for mark in panel.marks if isinstance(mark, Curve) for dot in mark.dots)
        named = _TEXT if any(dot.text for dot in dots) else 0
        right = x + picture.wide / picture.columns - _RIGHT - named
        return cls(panel, x + picture.left, right, y + _TOP, y + picture.high - _BOTTOM)

    def x(self, value: float) -> float:
        """Where a value of the axis to the right lies."""
        return round(self.left + (self.right - self.left) * self.panel.x.share(value), 2)

    def y(self, value: float) -> float:
        """Where a value of the upward axis lies."""
        return round(self.floor - (self.floor - self.top) * self.panel.y.share(value), 2)

    def parts(self) -> Iterator[Markup]:
        """The axes and the marks."""
        yield from self._axes()
        for mark in self.panel.marks:
            match mark:
                case Bar():
                    yield self._bar(mark)
                case Curve():
                    yield from self._curve(mark)
                case Rule():
                    yield from self._rule(mark)
                case Note():
                    yield _text(self.x(mark.x) + 4, self.y(mark.y) + 4, mark.text, "small")
                case Frame():
                    yield _frame(self.x(mark.x), self.y(mark.y), 8, mark.name)
        yield from self._names()

    def _axes(self) -> Iterator[Markup]:
        panel, left, right, floor = self.panel, self.left, self.right, self.floor
        for tick in panel.y.shown:
            y = self.y(tick.at)
            yield _tag("line", class_="grid", x1=left, y1=y, x2=right, y2=y)
            yield _text(left - 6, y + 4, tick.text, "end")
        last = [-_APART * 2.0]
        for tick in panel.x.shown:
            x = self.x(tick.at)
            if all(abs(x - other) >= _APART for other in last):
                last.append(x)
                yield _text(x, floor + 16, tick.text, "middle")
        yield _tag("line", class_="axis", x1=left, y1=floor, x2=right, y2=floor)
        yield _tag("line", class_="axis", x1=left, y1=self.top, x2=left, y2=floor)
        yield _text(left, self.top - 24, panel.title, "head")
        yield _text(left, self.top - 8, panel.y.title)
        yield _text(right, floor + 34, panel.x.title, "end")

    def _bar(self, bar: Bar) -> Markup:
        (left, right), (below, above) = map(self.x, bar.x), map(self.y, bar.y)
        return _tag(
            "rect",
            _tag("title", visible(bar.says)),
            class_=f"bar h{bar.hue}",
            x=left,
            y=above,
            width=round(max(right - left - 1, 1.5), 2),
            height=round(below - above, 2),
        )

    def _curve(self, curve: Curve) -> Iterator[Markup]:
        points = [(self.x(dot.x), self.y(dot.y)) for dot in curve.dots]
        if curve.stroke != "none":
            corners = " ".join(f"{x},{y}" for x, y in points)
            kind = "" if curve.stroke == "solid" else f" {curve.stroke}"
            yield _tag("polyline", class_=f"line s{curve.hue}{kind}", points=corners)
        for dot, (x, y) in zip(curve.dots, points, strict=True):
            yield from _marker(curve, x, y, dot)

    def _rule(self, rule: Rule) -> Iterator[Markup]:
        x = self.x(rule.at)
        yield _tag("line", class_="bound", x1=x, y1=self.top, x2=x, y2=self.floor)
        end = "" if x < (self.left + self.right) / 2 else " end"
        yield _text(x, self.top - 24, rule.text, f"bounded{end}")

    def _names(self) -> Iterator[Markup]:
        """The texts next to points, where there is room: at the ends of curves first."""
        curves = [mark.dots for mark in self.panel.marks if isinstance(mark, Curve) and mark.dots]
        ends = [dots[at] for dots in curves for at in (0, -1)]
        found: list[tuple[float, float]] = []
        for dot in [*ends, *(dot for dots in curves for dot in dots)]:
            x, y = round(self.x(dot.x) + 6, 2), round(self.y(dot.y) - 5, 2)
            near = any(abs(x - a) <= _NEAR[0] and abs(y - b) <= _NEAR[1] for a, b in found)
            if dot.text and not near:
                found.append((x, y))
                yield _text(x, y, dot.text, "small")


def _legend(picture: Picture) -> Iterator[tuple[Bar | Curve | Frame, str]]:
    """The first mark of every name."""
    found = set[str]()
    for panel in picture.panels:
        for mark in panel.marks:
            if isinstance(mark, Bar | Curve | Frame) and mark.name and mark.name not in found:
                found.add(mark.name)
                yield mark, mark.name


def _sample(mark: Bar | Curve | Frame, x: float, y: float) -> Iterator[Markup]:
    match mark:
        case Bar():
            yield _tag("rect", class_=f"h{mark.hue}", x=x - 5, y=y - 5, width=10, height=10)
        case Frame():
            yield _frame(x, y, 5, mark.name)
        case Curve():
            if mark.stroke != "none":
                kind = "" if mark.stroke == "solid" else f" {mark.stroke}"
                look = f"line s{mark.hue}{kind}"
                yield _tag("line", class_=look, x1=x - 8, y1=y, x2=x + 8, y2=y)
            yield from _marker(mark, x, y, Dot(0, 0, mark.name))


def _marker(curve: Curve, x: float, y: float, dot: Dot) -> Iterator[Markup]:
    look = f"dot h{curve.hue} s{curve.hue}{' hollow' if dot.hollow else ''}"
    says = _tag("title", visible(dot.says))
    if curve.marker == "circle":
        yield _tag("circle", says, class_=look, cx=x, cy=y, r=4)
    elif curve.marker != "none":
        half = 4 if curve.marker != "diamond" else 5
        corners = (x - half, x + half, y - half, y + half, x, y)
        path = _SHAPES[curve.marker].format(*(round(corner, 2) for corner in corners))
        yield _tag("path", says, class_=look, d=path)


def _frame(x: float, y: float, half: float, name: str) -> Markup:
    says, size = _tag("title", visible(name)), 2 * half
    return _tag("rect", says, class_="frame", x=x - half, y=y - half, width=size, height=size)


def _text(x: float, y: float, text: str, kind: str = "") -> Markup:
    return _tag("text", visible(text), class_=kind or "plain", x=x, y=y)


def _tag(name: str, within: str = "", /, **attributes: object) -> Markup:
    written = Markup("").join(
        Markup(' {}="{}"').format(key.rstrip("_"), value) for key, value in attributes.items()
    )
    return Markup("<{0}{1}>{2}</{0}>").format(name, written, within)
