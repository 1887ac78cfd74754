"""`python -m benchmarks.performance`: the tables and the chart of docs/performance.md.

The stages of every case go to docs/appendix/performance_stages.md. Tables and chart are drawn from
the file of figures as it is; --measure makes it anew, which takes about half an hour on two cores.
The sections can be measured one by one.
"""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from math import log
from pathlib import Path
from typing import Any

import click
import duckdb

from benchmarks import peers
from benchmarks.cases import COLUMNS, Case, Outcome, rows, run, show
from benchmarks.data import Shape
from sqlanon.pages.charts.picture import (
    Axis,
    Bar,
    Curve,
    Dot,
    Marker,
    Panel,
    Picture,
    Rule,
    Stroke,
    Tick,
)
from sqlanon.pages.charts.svg import document

DOCS = Path(__file__).parents[1] / "docs"
FIGURES = DOCS / "figures" / "performance.json"
CHART = DOCS / "figures" / "performance.svg"
PAGES = (DOCS / "performance.md", DOCS / "appendix" / "performance_stages.md")
SETTINGS: dict[str, str | int] = {"memory_limit": "4GB"}
LIMIT = 600.0
SIZES = (10**6, 3 * 10**6, 10**7, 3 * 10**7, 10**8)
NAMES = {
    "stack_and_deal": "Stack & Deal",
    "curve": "Stack & Deal along a curve",
    "stripes": "Stack & Deal in stripes",
    "split_or_deal": "Split-or-Deal",
}
SECTIONS: dict[str, list[Case]] = {
    "sizes": [
        Case(Shape(size), "stack_and_deal", rounds=3 if size <= 10**7 else 1) for size in SIZES
    ],
    "methods": [
        Case(Shape(size), method)
        for size in (10**6, 10**7)
        for method in ("stack_and_deal", "curve", "stripes")
    ],
    "values": [
        Case(Shape(10**7, values=values), "stack_and_deal", distance="ordered", rounds=1)
        for values in (2, 15, 1000, 50_000)
    ],
    "searches": [
        Case(Shape(10**6), "split_or_deal", t=0.3, rounds=1),
        Case(Shape(10**7), "split_or_deal", t=0.2, adult=True, rounds=1),
    ],
}
Found = dict[str, Any]


def measure(section: str, found: Found) -> None:
    """Measure a section anew."""
    if section == "peers":
        environment = Path(".venv-peers").absolute()
        found["peers"] = [
            asdict(peer)
            for size in (10**4, 10**5, 10**6)
            for peer in peers.measured(size, environment, LIMIT, anonymizing=size <= 10**4)
        ]
        return
    outcomes = []
    for case in SECTIONS[section]:
        outcome = run(case, SETTINGS)
        show(outcome)
        outcomes.append(outcome.to_dict())
    found[section] = outcomes


def outcomes(found: Found, section: str) -> list[Outcome]:
    """The cases of a section, from the file."""
    return [Outcome.from_dict(one) for one in found[section]]


def slope(points: list[tuple[float, float]]) -> float:
    """The least-squares slope of log(seconds) over log(rows): 1 is growth in proportion."""
    pairs = [(log(rows), log(seconds)) for rows, seconds in points]
    middle = [sum(entry) / len(pairs) for entry in zip(*pairs, strict=True)]
    across = float(sum((x - middle[0]) * (y - middle[1]) for x, y in pairs))
    return across / float(sum((x - middle[0]) ** 2 for x, _ in pairs))


def machine() -> str:
    """What this runs on."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{os.cpu_count()} cores ({platform.machine()}), {memory:.0f} GiB of memory, "
        f"{platform.system()}, Python {platform.python_version()}, DuckDB {duckdb.__version__}, "
        f"memory_limit {SETTINGS['memory_limit']}"
    )


def _markdown(head: Sequence[str], body: Iterable[Sequence[str]]) -> list[str]:
    aligned = "|".join("---" if number == 0 else "---:" for number in range(len(head)))
    lines = [f"| {' | '.join(head)} |", f"|{aligned}|"]
    return lines + [f"| {' | '.join(row)} |" for row in body]


def _sizes(found: Found) -> Iterator[str]:
    taken = outcomes(found, "sizes")
    body = [
        (
            f"{one.case.shape.rows:,}",
            f"{one.seconds('floor'):.2f}",
            f"{one.seconds('release'):.2f}",
            f"{one.ratio('release'):.2f}",
            f"{one.case.shape.rows / one.seconds('release'):,.0f}",
            f"{one.most('release', 'peak'):,.0f}",
            f"{one.most('release', 'spilled'):,.0f}",
            f"{one.seconds('check'):.2f}",
            f"{one.ratio('check'):.2f}",
        )
        for one in taken
    ]
    head = ("rows", "floor s", "run s", "ratio", "rows/s", "peak MB", "spilled MB", "check s")
    yield from _markdown((*head, "ratio"), body)
    yield ""
    slopes = {
        what: slope([(one.case.shape.rows, one.seconds(what)) for one in taken])
        for what in ("floor", "release", "check")
    }
    yield (
        f"Slope of log(seconds) over log(rows): run {slopes['release']:.2f}, "
        f"check {slopes['check']:.2f}, floor {slopes['floor']:.2f}."
    )


def _summary(found: Found) -> Iterator[str]:
    taken = [one for name in ("methods", "values", "searches") for one in outcomes(found, name)]
    body = [
        (
            NAMES[one.case.method],
            f"{one.case.shape.rows:,}{' Adult-like' if one.case.adult else ''}",
            f"{one.case.shape.values:,}" if one.case.distance == "ordered" else "",
            f"{one.seconds('release'):.2f}",
            f"{one.ratio('release'):.1f}",
            f"{one.case.shape.rows / one.seconds('release'):,.0f}",
            f"{one.most('release', 'peak'):,.0f}",
            f"{one.reached['gcp']:.4f}",
            f"{one.seconds('check'):.2f}",
        )
        for one in taken
    ]
    head = ("method", "rows", "ordered values", "run s", "ratio", "rows/s", "peak MB", "gcp")
    yield from _markdown((*head, "check s"), body)


def _cases(section: str) -> Callable[[Found], Iterator[str]]:
    def lines(found: Found) -> Iterator[str]:
        for one in outcomes(found, section):
            about = f"{one.case.shape.values:,} sensitive values, " if section == "values" else ""
            size = f"{one.case.shape.rows:,} {'Adult-like ' if one.case.adult else ''}rows"
            reached = ", ".join(f"{name} {value:.4g}" for name, value in one.reached.items())
            yield f"**{NAMES[one.case.method]}**, {size}, {about}{reached}:"
            yield ""
            yield from _markdown(COLUMNS, [(row[0].strip(), *row[1:]) for row in rows(one)])
            yield ""

    return lines


TABLES: dict[str, Callable[[Found], Iterator[str]]] = {
    "machine": lambda found: iter([f"{found['machine']}."]),
    "summary": _summary,
    "sizes": _sizes,
    "methods": _cases("methods"),
    "values": _cases("values"),
    "searches": _cases("searches"),
    "peers": lambda found: iter(peers.table([peers.Peer(**one) for one in found["peers"]], LIMIT)),
}


def page(text: str, found: Found) -> str:
    """A page with those of the tables that it has written anew, each between its two markers."""
    for name, lines in TABLES.items():
        marker = f"<!-- {name} -->\n"
        if marker in text and (name in found or (name == "summary" and {*SECTIONS} <= {*found})):
            head, before, rest = text.partition(marker)
            _, after, tail = rest.partition("\n<!-- end -->")
            text = head + before + "\n".join(lines(found)).strip() + after + tail
    return text


def draw(found: Found, file: Path) -> None:
    """Seconds over rows, and what a run is made of."""
    picture = Picture(
        "Seconds over rows, and what a run is made of",
        (_growth(found), _parts(found)),
        columns=2,
        wide=1100,
        high=380,
        left=72,
        legend=3,
    )
    file.write_text(document(picture), encoding="utf-8")


def _growth(found: Found) -> Panel:
    taken = outcomes(found, "sizes")
    curves = []
    looks: tuple[tuple[str, str, Stroke, Marker, int], ...] = (
        ("floor", "sorting the table (floor)", "dashed", "none", 6),
        ("release", "Stack & Deal, the whole run", "solid", "circle", 0),
        ("check", "check with k, l and t", "solid", "square", 1),
    )
    for what, name, stroke, marker, hue in looks:
        dots = tuple(Dot(one.case.shape.rows, one.seconds(what)) for one in taken)
        curves.append(Curve(dots, hue, stroke, marker, name))
    xs, ys = ([getattr(dot, of) for one in curves for dot in one.dots] for of in "xy")
    x = Axis("rows", min(xs) / 1.3, max(xs) * 1.3, log=True)
    y = Axis("seconds", min(ys) / 1.3, max(ys) * 1.3, log=True)
    return Panel(x, y, tuple(curves), "growth")


def _parts(found: Found) -> Panel:
    large = [one for one in outcomes(found, "methods") if one.case.shape.rows == 10**7]
    stages = list(dict.fromkeys(stage for one in large for stage in one.stages))
    bars, names, most = [], [], 1.0
    for index, one in enumerate(reversed(large)):
        left = 0.0
        for hue, stage in enumerate(stages):
            wide = one.ratio("release", stage)
            says = f"{stage}: {wide:.2f}"
            bars.append(Bar((left, left + wide), (index + 0.15, index + 0.85), hue, says, stage))
            left += wide
        most = max(most, left)
        name = NAMES[one.case.method].removeprefix("Stack & Deal ")
        names.append(Tick(index + 0.5, name.removeprefix("along a ").removeprefix("in ")))
    x = Axis("multiples of the floor, at 10 million rows", 0, most * 1.02)
    y = Axis("", 0, len(large), ticks=tuple(names))
    return Panel(x, y, (*bars, Rule(1, "")), "what a run is made of (dashed: the floor)")


@click.command()
@click.option(
    "--measure", "sections", multiple=True, type=click.Choice(["all", *SECTIONS, "peers"])
)
def main(sections: tuple[str, ...]) -> None:
    """Write the tables and the chart of the pages, of new figures where --measure says so."""
    found: Found = json.loads(FIGURES.read_text(encoding="utf-8")) if FIGURES.exists() else {}
    wanted = [*SECTIONS, "peers"] if "all" in sections else list(sections)
    for section in wanted:
        measure(section, found)
        found["machine"] = machine()
        FIGURES.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    for path in PAGES:
        path.write_text(page(path.read_text(encoding="utf-8"), found), encoding="utf-8")
    if {"sizes", "methods"} <= set(found):
        draw(found, CHART)


if __name__ == "__main__":
    main()
