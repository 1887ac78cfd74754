"""The results of a sweep's combinations: a table, as wide as its terminal allows."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from string import ascii_uppercase

from rich.markup import escape
from rich.table import Table

from sqlanon.cli.tables import blank
from sqlanon.planning.trials import Closeness, Trial
from sqlanon.sweeps.sweep import Sweep

LEFT_OUT = ("c_avg", "marketer")  # first, where there is little room


def sweep_table(sweep: Sweep, most: int) -> Table:
    """A row for each of the first combinations, and for the cheapest, with its method's name."""
    names = {trial.method: trial.method for trial in sweep.trials}
    table = _filled(sweep, most, names, "t of ")
    table.columns[0].no_wrap = True
    return table


def narrow_table(sweep: Sweep, most: int) -> tuple[Table, str]:
    """The same with a letter for each method, as in the map below it, and what the letters are.

    Figures stay in one line; only why a combination fails goes on in the next.
    """
    letters = _letters(sweep)
    table = _stacked(_filled(sweep, most, letters, "t of\n"))
    for column in table.columns[:-1]:
        column.no_wrap = True
    table.columns[0].header = ""
    return table, _legend(letters)


def narrowest_table(sweep: Sweep, most: int) -> tuple[Table, str]:
    """The same for a terminal that is narrower still, without the figures that say least."""
    letters = _letters(sweep)
    table = _stacked(_filled(sweep, most, letters, "t of\n", LEFT_OUT))
    table.columns[0].header = ""
    where = f"{' and '.join(LEFT_OUT)}: in the relation, or in a wider terminal"
    return table, f"{where}\n{_legend(letters)}"


def _stacked(table: Table) -> Table:
    """The table with "t of" above the attribute's name; `blank` made the line feed visible."""
    for column in table.columns:
        column.header = str(column.header).replace("\\n", "\n", 1)
    return table


def _letters(sweep: Sweep) -> dict[str, str]:
    methods = dict.fromkeys((*sweep.map().methods, *(one.method for one in sweep.trials)))
    return {**dict.fromkeys(methods, "*"), **dict(zip(methods, ascii_uppercase, strict=False))}


def _legend(letters: Mapping[str, str]) -> str:
    words = (f"{letter} {name}" for name, letter in letters.items() if letter != "*")
    return "   ".join(words) + "\n"


def _filled(
    sweep: Sweep,
    most: int,
    methods: Mapping[str, str],
    t_of: str,
    without: Collection[str] = (),
) -> Table:
    names = [one.attribute for one in sweep.trials[0].closeness]
    known = [
        f"{name}{t_of[1:]}{one.attribute}"
        for name, some in sweep.trials[0].further.items()
        for one in some
    ]
    varied = [one.attribute for one in sweep.trials[0].diversity]
    # l is shown where the combinations ask for several: without that it is the same in each.
    varied = varied if len({_asked(trial) for trial in sweep.trials}) > 1 else []
    linked = any(one.record_linkage is not None for one in sweep.trials)
    costed = any(cost is not None for cost in sweep.costs)
    figures = (
        *("k", *(f"{t_of}{name}" for name in names)),
        *known,
        *(f"l{t_of[1:]}{name}" for name in varied),
        "classes",
        *(() if sweep.quick else ("gcp",)),
        *(name for name in LEFT_OUT if name not in without),
        *(("linkage",) if linked else ()),
        *(("cost",) if costed else ()),
    )
    title = f"What {len(sweep.trials):,} combinations come to"
    table = blank(title, ("method", *figures, ""), right=figures)
    for place, (trial, cost) in enumerate(zip(sweep.trials, sweep.costs, strict=True)):
        if place >= most and place != sweep.cheapest:
            continue
        table.add_row(
            escape(methods[trial.method]),
            f"{trial.k:,}",
            *(
                _figure(one.reached, one.asked, wraps=bool(without))
                for some in (trial.closeness, *trial.further.values())
                for one in some
            ),
            *(_counted(one, wraps=bool(without)) for one in trial.diversity if varied),
            "" if trial.classes is None else f"{trial.classes:,}",
            *(() if sweep.quick else (_figure(trial.gcp),)),
            *(() if without else (_figure(trial.c_avg), _figure(trial.marketer_risk))),
            *((_figure(trial.record_linkage),) if linked else ()),
            *((_figure(None if cost is None else float(cost)),) if costed else ()),
            _verdict(trial, place == sweep.cheapest),
        )
    return table


def _figure(value: float | None, asked: str | None = None, wraps: bool = False) -> str:
    """A measure, and what was asked for in its place."""
    reached = "" if value is None else f"{value:.4f}"
    return reached if asked is None else reached + ("\n" if wraps else " ") + f"(≤ {asked})"


def _asked(trial: Trial) -> tuple[str | None, ...]:
    """The l that a combination asks for, of each sensitive attribute."""
    return tuple(one.asked for one in trial.diversity)


def _counted(one: Closeness, wraps: bool) -> str:
    """How many values a class has at least, and what was asked for."""
    reached = "" if one.reached is None else f"{one.reached:,.0f}"
    return reached if one.asked is None else reached + ("\n" if wraps else " ") + f"(≥ {one.asked})"


def _verdict(trial: Trial, cheapest: bool) -> str:
    if trial.holds:
        return "holds, [bold]costs least[/bold]" if cheapest else "holds"
    failed = [
        one.model + (f" of {one.attribute}" if one.attribute else "") for one in trial.shortfalls
    ]
    return f"[bold red]fails[/bold red]: {escape(', '.join(failed) or trial.why)}"
