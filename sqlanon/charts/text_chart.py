"""A risk-utility map in characters, for a terminal or a log."""

from __future__ import annotations

from string import ascii_uppercase

from sqlanon.charts.risk_utility import Map

WIDTH, HEIGHT = 72, 18
_MARGIN = 8  # for the numbers of the upward axis


def draw_text(shown: Map, width: int = WIDTH, height: int = HEIGHT) -> str:
    """The map as lines of text.

    A letter stands for a method, small where a model does not hold; k stands next to it where there
    is room. Points on one place show the first.
    """
    points = shown.points
    if not points:
        return ""
    letters = dict(zip(shown.methods, ascii_uppercase, strict=False))
    low_x, high_x = _ends([point.x for point in points])
    low_y, high_y = _ends([point.y for point in points])
    canvas = [[" "] * width for _ in range(height)]
    places = []
    for point in points:
        column = round((point.x - low_x) / (high_x - low_x) * (width - 5))
        row = height - 1 - round((point.y - low_y) / (high_y - low_y) * (height - 1))
        letter = letters.get(point.method, "*")
        if canvas[row][column] == " ":
            canvas[row][column] = letter if point.holds else letter.lower()
            places.append((row, column, str(point.k)))
    for row, column, text in places:
        stop = column + 1 + len(text)
        free = canvas[row][column + 1 : stop + 1]
        if stop <= width and all(cell == " " for cell in free):
            canvas[row][column + 1 : stop] = list(text)
    numbers = {0: high_y, height // 2: (low_y + high_y) / 2, height - 1: low_y}
    lines = [f"{shown.y}"]
    for row, cells in enumerate(canvas):
        number = f"{numbers[row]:.3g}" if row in numbers else ""
        lines.append(f"{number:>{_MARGIN - 2}} │{''.join(cells)}".rstrip())
    lines.append(" " * (_MARGIN - 1) + "└" + "─" * width)
    left, right = f"{low_x:.4g}", f"{high_x:.4g}"
    middle = shown.x.center(width - len(left) - len(right))
    lines.append(" " * _MARGIN + left + middle + right)
    named = [f"{letter} {method}" for method, letter in letters.items()]
    if not all(point.holds for point in points):
        named.append("small: a model does not hold")
    return "\n".join([*lines, "", "   ".join(named) + "; next to a point: k"])


def _ends(values: list[float]) -> tuple[float, float]:
    """The least and the greatest value, apart from each other."""
    low, high = min(values), max(values)
    return (low, high) if high > low else (low - 0.05, high + 0.05)
