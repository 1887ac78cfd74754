"""The output of the commands for people: tables, as wide as the terminal."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Literal

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markup import escape
from rich.measure import Measurement
from rich.table import Column, Table
from rich.text import Text

from sqlanon.clauses import following
from sqlanon.cli.output import as_typed
from sqlanon.common.console import VisibleConsole
from sqlanon.common.visible import cell, percent, visible
from sqlanon.draft import Told
from sqlanon.judge.check_result import CheckResult
from sqlanon.measure.metrics.records import SHARES_OF_RECORDS, UNIQUENESS
from sqlanon.pages.page import Table as Shown
from sqlanon.record.metrics import Metric
from sqlanon.record.preview import shown_in_words
from sqlanon.record.spent import epsilons_said, sampling_said, transforms_in_a_run
from sqlanon.record.summary import Summary
from sqlanon.spec import Distances
from sqlanon.uses.release.release import Release
from sqlanon.uses.reports.verdict import Verdict, lost_altogether, most_is_lost

_WIDEST = 40  # characters of a sample's cell in one line
_ENDLESS = 10_000
_PIPED = 160  # no name of a column or a relation is folded then
_LITTLE = 8  # what a column is given first if it then needs no second line


def terminal() -> Console:
    """The console that is printed on: in a log or a pipe as wide as COLUMNS says, or wide."""
    console = VisibleConsole()
    given = os.environ.get("COLUMNS", "")
    if console.is_terminal or (given.isdecimal() and int(given) > 0):
        return console
    return VisibleConsole(width=_PIPED)


class _Table(Table):
    """A table that breaks no word where its lines can be broken at blanks.

    Its heading is as wide as the terminal, however narrow the table is.
    """

    def __init__(self, heading: str) -> None:
        super().__init__(box=box.SIMPLE_HEAD)
        self._heading = heading

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The heading, and the table fitted to the terminal."""
        yield Text(self._heading, style="bold")
        self._fit(console, options.max_width)
        yield from super().__rich_console__(console, options)

    def _fit(self, console: Console, room: int) -> None:
        """Where it is too wide, give every column its longest word, and share out what is left."""
        needs = [_need(console, column) for column in self.columns]
        free = room - narrowest(self, console)
        if width(self, console) <= room or free < 0:
            return
        order = sorted(range(len(needs)), key=lambda index: needs[index][1] - needs[index][0])
        for behind, index in enumerate(order):
            least, most = needs[index]
            share = max(free // (len(order) - behind), min(_LITTLE, free))
            given = min(most - least, share)
            self.columns[index].width = least + given
            free -= given


def _need(console: Console, column: Column) -> tuple[int, int]:
    """How many characters the longest word of a column has, and its longest line."""
    found = [
        Measurement.get(
            console, console.options.update(width=_ENDLESS), console.render_str(str(text))
        )
        for text in (column.header, *column.cells)
    ]
    most = max(one.maximum for one in found)
    if column.max_width is not None:
        most = min(most, column.max_width)
    return (most if column.no_wrap else min(most, max(one.minimum for one in found))), most


def blank(title: str, columns: Iterable[str], right: Collection[str] = ()) -> Table:
    """An empty table; in a narrow terminal its cells go on in the next line, and none is cut."""
    table = _Table(title)
    for name in columns:
        justify: Literal["left", "right"] = "right" if name in right else "left"
        table.add_column(escape(visible(name, one_line=True)), justify=justify, overflow="fold")
    return table


def show_table(console: Console, shown: Shown) -> None:
    """A table that a page would show as well, as text."""
    right = [name for index, name in enumerate(shown.head) if index in shown.numbers]
    table = blank(shown.caption, shown.head, right)
    for row in shown.rows:
        table.add_row(*(escape(visible(str(value), one_line=True)) for value in row))
    console.print(table)


def width(table: Table, console: Console) -> int:
    """How many characters a table takes in which no cell goes on in the next line."""
    options = console.options.update(width=_ENDLESS)
    return Measurement.get(console, options, table).maximum


def narrowest(table: Table, console: Console) -> int:
    """How many characters a table takes in which every word has a line of its own."""
    needs = [_need(console, column) for column in table.columns]
    return width(table, console) - sum(most - least for least, most in needs)


def show_sample(
    console: Console, title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]
) -> None:
    """Some rows of a table: as many of its columns, from the first, as fit the terminal.

    A line counts the columns that are left out. One column is shown however narrow it is.
    """
    cells = [[escape(cell(value)) for value in row] for row in rows]
    shown, taken = _sample(title, columns[:1], cells), 1
    while taken < len(columns):
        wider = _sample(title, columns[: taken + 1], cells)
        if width(wider, console) > console.width:
            break
        shown, taken = wider, taken + 1
    console.print(shown)
    left = len(columns) - taken
    if left:
        more = "1 more column is" if left == 1 else f"{left} more columns are"
        console.print(f"{more} not shown, of {len(columns)}.\n", highlight=False)


def _sample(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    table = blank(title, columns)
    for column in table.columns:
        column.max_width = _WIDEST
    for row in rows:
        table.add_row(*row[: len(columns)])
    return table


def release_object(release: Release) -> dict[str, Any]:
    """A release, for programs."""
    told = {clause.name: release.told.get(clause.name, Told()) for clause in following()}
    return {
        "release": str(release.relation),
        "others": [str(relation) for relation in release.others],
        "classes": str(release.classes),
        "metrics_relation": str(release.metrics),
        "run": str(release.run),
        "seconds": round(release.seconds, 3),
        "chosen": release.chosen,
        "seed_is_drawn": release.drawn_seed is not None,
        "transforms": release.transforms,
        "not_released": list(release.unreleased),
        "metrics": [asdict(metric) for metric in release.measures],
        "distances": dict(release.distances.asked),
        "verdict": asdict(release.verdict),
        "given_away": [asdict(attribute) for attribute in release.given_away],
        "remarks": list(release.remarks),
        "kept": [str(relation) for relation in release.kept],
        **{name: [asdict(metric) for metric in value.metrics] for name, value in told.items()},
        "steps": list(release.steps),
    }


# From how many seconds on a run shows its slowest steps, and how many of them.
SLOW_RUN, SLOWEST = 10, 5
# How many columns without a role are named.
UNRELEASED = 12
# Metrics that are shown apart from the others.
UNIQUE = tuple(figure.name for figure in UNIQUENESS)
OF_RECORDS = tuple(figure.name for figure in SHARES_OF_RECORDS)


def show_release(release: Release, database: str, steps: bool = False, full: bool = False) -> None:
    """Show the outcome of a release, some of its records, and where everything is.

    Args:
        release: the release.
        database: what the database is called.
        steps: show every step.
        full: show every metric.
    """
    console = terminal()
    first = most_is_lost(release.measures)
    if first:
        show_verdict(console, release.verdict)
    show_summary(console, release.summary)
    if not first:
        show_verdict(console, release.verdict)
    sample = release.preview()
    if sample is not None:
        show_sample(
            console,
            f"{release.relation}, {shown_in_words(release.shows_counts)}",
            sample.columns,
            sample.rows,
        )
    if full:
        _show_metrics(console, release.measures, "What was reached")
    show_distances(console, release.distances)
    for clause_words in release.told.values():
        if clause_words.metrics:
            console.print(metrics_table(clause_words.metrics, clause_words.title))
        for sentence in clause_words.sentences:
            console.print(escape(sentence), highlight=False)
    if steps or release.seconds >= SLOW_RUN:
        console.print(_steps(release, None if steps else SLOWEST))
    if release.chosen is not None:
        console.print(f"Chosen: {escape(release.chosen)}.", highlight=False)
    if release.levels is not None:
        levels = ", ".join(f"{name} {level}" for name, level in release.levels.items())
        console.print(f"Levels: {escape(levels)}.", highlight=False)
    if release.taken_from is not None:
        console.print(
            f"Classes: those of {escape(release.taken_from)}; records in none of them: "
            f"{release.outside:,}.",
            highlight=False,
        )
    if release.suppressed_cells is not None:
        cells = ", ".join(f"{name} {count:,}" for name, count in release.suppressed_cells.items())
        console.print(f"Suppressed cells: {escape(cells)}.", highlight=False)
    if sampled := sampling_said(release.measures):
        console.print(sampled, highlight=False)
    for said in transforms_in_a_run(release.transforms, release.measures, release.counts):
        console.print(escape(said), highlight=False)
    others = f" with {escape(', '.join(map(str, release.others)))}" if release.others else ""
    proof = [release.classes, release.metrics]
    proof += [relation for relation in (release.suppressed, release.nodes) if relation is not None]
    console.print(
        f"{release.seconds:.1f} s. In {escape(database)}: the release "
        f"[bold]{escape(str(release.relation))}[/bold]{others} and, for you alone, its proof "
        f"{escape(', '.join(map(str, proof)))} and "
        f"{escape(str(release.run))} (the spec, the timings and the SQL).",
        highlight=False,
    )
    for clause_words in release.told.values():
        if clause_words.kept:
            console.print(escape(clause_words.kept), highlight=False)
    _show_next(console, release, database)
    # No seed makes again the values that a key of the run has drawn.
    by_a_key = sampling_said(release.measures) or epsilons_said(release.measures)
    if release.drawn_seed is not None and not by_a_key:
        where = f"{release.run} keeps it, as item seed"
        console.print(f"{DRAWN} {escape(where)}; it is as secret as the source.", highlight=False)
    for remark in release.remarks:
        console.print(f"{escape(remark)}.", highlight=False)
    show_unreleased(console, release.unreleased)


def _show_next(console: Console, release: Release, database: str) -> None:
    """The commands that take a release to its readers."""
    name = str(release.relation)
    where = [] if database == f"{name}.duckdb" else ["--database", database]
    commands = {}
    if not release.shows_counts:  # a report is of records and classes
        commands["A page to read"] = as_typed("sqlanon", "report", name, *where)
    if release.engine.writes_files:
        commands["A file to hand out"] = as_typed(
            "sqlanon", "export", name, *where, "-o", f"{name}.csv"
        )
    if release.nodes is not None:
        commands["Other choices of levels"] = as_typed("sqlanon", "nodes", name, *where)
    for what, command in commands.items():
        text = f"{what}: {escape(command)}"
        console.print(text, highlight=False, soft_wrap=True)  # a command is copied in one piece


def show_unreleased(console: Console, columns: Sequence[str]) -> None:
    """The columns that have no role; of many the first, and how many more there are."""
    if not columns:
        return
    more = len(columns) - UNRELEASED
    names = ", ".join(columns if more <= 0 else columns[:UNRELEASED])
    others = "" if more <= 0 else f", and {more:,} more"
    console.print(
        f"Not released, because no role was given: {escape(names)}{others}.", highlight=False
    )


def written(files: Sequence[Path]) -> str:
    """The sentence that names the files of a release."""
    *released, dictionary = map(str, files)
    return f"Wrote {' and '.join(released)}; {dictionary} says what each column is."


# Remarks on a seed that the spec does not give. The seed itself stays out of logs of the screen.
DRAWN = "The run drew a seed. Put it into the spec to make the same release again:"


def show_verdict(console: Console, verdict: Verdict) -> None:
    """Show what is nearly all lost, and what to relax; show nothing where that is not so."""
    for sentence in verdict.lost:
        console.print(f"[bold]{escape(sentence)}[/bold]", highlight=False)
    for sentence in verdict.relax:
        console.print(f"  {escape(sentence)}", highlight=False)


# The columns of the table of quasi-identifiers.
COSTS = ("column", "lost", "what is left")


def show_summary(console: Console, summary: Summary) -> None:
    """Show whom the release protects, what that cost by column, and what remains risky."""
    for sentence in filter(None, (summary.protected, summary.cost)):
        console.print(escape(sentence), highlight=False)
    if summary.columns:
        table = blank("What is left of the quasi-identifiers", COSTS, right=COSTS[1:2])
        for cost in summary.columns:
            lost = "unknown" if cost.lost is None else percent(cost.lost)
            table.add_row(escape(visible(cost.column, one_line=True)), lost, escape(cost.left))
        console.print(table)
    if summary.risk:
        console.print(f"[bold]Risky:[/bold] {escape(summary.risk)}", highlight=False)


def show_distances(console: Console, distances: Distances) -> None:
    """By which distance each t is measured."""
    for sentence in distances.sentences:
        console.print(sentence, highlight=False, markup=False)


def show_measurements(found: CheckResult) -> None:
    """Show the measurements of a check, and what is violated."""
    console = terminal()
    show_verdict(console, Verdict(tuple(lost_altogether(found.measures))))
    show_summary(console, found.summary)
    if found.measures:
        _show_metrics(console, found.measures, found.table)
    show_distances(console, found.distances)
    for shortfall in found.shortfalls:
        console.print(f"[bold]not satisfied:[/bold] {escape(str(shortfall))}", highlight=False)
    for fault in found.faults:
        console.print(f"[bold]no release of the spec:[/bold] {escape(str(fault))}", highlight=False)
    for remark in found.remarks:
        console.print(f"{escape(remark)}.", highlight=False)


def count(rows: int | None) -> str:
    """A number of rows, if it is known."""
    return "" if rows is None else f"{rows:,}"


def _steps(release: Release, most: int | None) -> Table:
    """The steps of a run with their rows and seconds: all, in order, or the slowest.

    A step that a search makes again and again is one line, with its seconds added up.
    """
    made: dict[str, dict[str, Any]] = {}
    for step in release.steps:
        one = made.setdefault(step["relation"], {**step, "seconds": 0.0, "times": 0})
        one["seconds"] += step["seconds"]
        if one["times"]:
            one["title"] = one["title"].partition(":")[0]  # which level or pass it was
        one["times"] += 1
        one["rows"] = max(filter(None, (one["rows"], step["rows"])), default=None)
    shown = list(made.values())
    if most is not None:
        shown = sorted(shown, key=lambda one: -float(one["seconds"]))[:most]
    title = "Every step" if most is None else f"The {most} slowest steps"
    figures = ("times", "rows", "seconds")
    table = blank(title, ("step", "relation", *figures), right=figures)
    for one in shown:
        table.add_row(
            escape(one["title"]),
            escape(one["relation"]),
            str(one["times"]),
            count(one["rows"]),
            f"{one['seconds']:.2f}",
        )
    return table


def _show_metrics(console: Console, measures: Sequence[Metric], title: str) -> None:
    """Show the metrics of classes and insensitive columns, and how many records are unique."""
    apart = (*OF_RECORDS, *UNIQUE)
    console.print(
        metrics_table([metric for metric in measures if metric.metric not in apart], title)
    )
    show_shares(console, measures)
    value = {metric.metric: metric.value for metric in measures if metric.metric in UNIQUE[:2]}
    if value:
        console.print(
            "Unique in what is published of quasi-identifiers and insensitive columns: "
            f"{_records(*(value[name] for name in UNIQUE[:2]))}.",
            highlight=False,
        )


def _records(number: float | None, share: float | None) -> str:
    """How many records, and which share of all."""
    if number is None or share is None:
        return "unknown"
    return f"{number:,.0f} {'record' if number == 1 else 'records'} ({share:.2%})"


def show_shares(console: Console, measures: Sequence[Metric]) -> None:
    """The shares of insensitive columns that say anything about single records."""
    shares = [metric for metric in measures if metric.metric in OF_RECORDS and metric.value]
    if shares:
        console.print(metrics_table(shares, "What the insensitive columns say of single records"))


def metrics_table(measures: Sequence[Metric], title: str) -> Table:
    """The measured values next to the values that were asked for."""
    figures = ("reached", "asked for")
    table = blank(title, ("measure", "attribute", *figures, ""), right=figures)
    for metric in measures:
        verdict = {True: "holds", False: "[bold red]fails[/bold red]", None: ""}[metric.passed]
        reached = "unknown" if metric.value is None else f"{metric.value:.6g}"
        if metric.value is not None and metric.value.is_integer():
            reached = f"{metric.value:,.0f}"
        table.add_row(
            metric.metric, escape(metric.attribute or ""), reached, metric.threshold or "", verdict
        )
    return table
