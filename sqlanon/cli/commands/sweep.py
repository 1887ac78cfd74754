"""Many k, l, t and methods, tried; their results as wide as the terminal allows."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict
from pathlib import Path
from string import ascii_uppercase
from typing import Any, TypeVar

import click
from rich.markup import escape
from rich.table import Table

from sqlanon.cli.options import AS_JSON, Opening, database_of, opens_database
from sqlanon.cli.output import echo_object, next_command
from sqlanon.cli.views import blank, narrowest, show_distances, terminal, width
from sqlanon.errors import SpecError
from sqlanon.pages.charts.chart import check_drawable, draw_text
from sqlanon.planning.trials import RECORD_LINKAGE, Closeness, Trial
from sqlanon.privacy.thresholds import swept_models
from sqlanon.spec import changed, load_spec, shown
from sqlanon.uses.sweeps.sweep import Risk, Sweep

SWEEP_ROWS = 60

SWEPT_BY_A_DRAWN_SEED = (
    "The sweep drew a seed and did not keep it. A seed in the spec makes a sweep repeatable."
)


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
    methods = dict.fromkeys((*sweep.map().methods, *(trial.method for trial in sweep.trials)))
    return {**dict.fromkeys(methods, "*"), **dict(zip(methods, ascii_uppercase, strict=False))}


def _legend(letters: Mapping[str, str]) -> str:
    words = (f"{letter} {name}" for name, letter in letters.items() if letter != "*")
    return "   ".join(words) + "\n"


def _filled(
    sweep: Sweep, most: int, methods: Mapping[str, str], t_of: str, without: Collection[str] = ()
) -> Table:
    names = [closeness.attribute for closeness in sweep.trials[0].closeness]
    known = [
        f"{name}{t_of[1:]}{closeness.attribute}"
        for name, some in sweep.trials[0].further.items()
        for closeness in some
    ]
    varied = [closeness.attribute for closeness in sweep.trials[0].diversity]
    # l is shown where the combinations ask for several: without that it is the same in each.
    varied = varied if len({_asked(trial) for trial in sweep.trials}) > 1 else []
    linked = any(each.record_linkage is not None for each in sweep.trials)
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
    for index, (trial, cost) in enumerate(zip(sweep.trials, sweep.costs, strict=True)):
        if index >= most and index != sweep.cheapest:
            continue
        table.add_row(
            escape(methods[trial.method]),
            f"{trial.k:,}",
            *(
                _figure(closeness.reached, closeness.asked, wraps=bool(without))
                for some in (trial.closeness, *trial.further.values())
                for closeness in some
            ),
            *(_counted(closeness, wraps=bool(without)) for closeness in trial.diversity if varied),
            "" if trial.classes is None else f"{trial.classes:,}",
            *(() if sweep.quick else (_figure(trial.gcp),)),
            *(() if without else (_figure(trial.c_avg), _figure(trial.marketer_risk))),
            *((_figure(trial.record_linkage),) if linked else ()),
            *((_figure(None if cost is None else float(cost)),) if costed else ()),
            _verdict(trial, index == sweep.cheapest),
        )
    return table


def _figure(value: float | None, asked: str | None = None, wraps: bool = False) -> str:
    """A measure, and what was asked for in its place."""
    reached = "" if value is None else f"{value:.4f}"
    return reached if asked is None else reached + ("\n" if wraps else " ") + f"(≤ {asked})"


def _asked(trial: Trial) -> tuple[str | None, ...]:
    """The l that a combination asks for, of each sensitive attribute."""
    return tuple(closeness.asked for closeness in trial.diversity)


def _counted(closeness: Closeness, wraps: bool) -> str:
    """How many values a class has at least, and what was asked for."""
    reached = "" if closeness.reached is None else f"{closeness.reached:,.0f}"
    return (
        reached
        if closeness.asked is None
        else reached + ("\n" if wraps else " ") + f"(≥ {closeness.asked})"
    )


def _verdict(trial: Trial, cheapest: bool) -> str:
    if trial.holds:
        return "holds, [bold]costs least[/bold]" if cheapest else "holds"
    failed = [
        shortfall.model + (f" of {shortfall.attribute}" if shortfall.attribute else "")
        for shortfall in trial.shortfalls
    ]
    return f"[bold red]fails[/bold red]: {escape(', '.join(failed) or trial.why)}"


def show_sweep(sweep: Sweep, database: str) -> None:
    """Show every combination's result, the map of risk and utility, and where they are written."""
    console = terminal()
    table = sweep_table(sweep, SWEEP_ROWS)
    if width(table, console) > console.width:
        table, methods = narrow_table(sweep, SWEEP_ROWS)
        if narrowest(table, console) > console.width:
            table, methods = narrowest_table(sweep, SWEEP_ROWS)
        console.print(table)
        console.print(methods, markup=False, highlight=False)
    else:
        console.print(table)
    if len(sweep.trials) > SWEEP_ROWS:
        console.print(f"The first {SWEEP_ROWS} rows; all are in the relation.\n", highlight=False)
    console.print(draw_text(sweep.map()), markup=False, highlight=False)
    show_distances(console, sweep.distances)
    about = " As dealt; classes that publish equal tuples only make it better." * sweep.quick
    console.print(
        f"\n{sweep.seconds:.1f} s.{about} In {escape(database)}, for you alone: "
        f"[bold]{escape(str(sweep.relation))}[/bold]. Nothing was published.",
        highlight=False,
    )


def sweep_object(sweep: Sweep) -> dict[str, Any]:
    """A sweep, for programs."""
    costs = [None if cost is None else float(cost) for cost in sweep.costs]
    return {
        "sweep": str(sweep.relation),
        "seconds": round(sweep.seconds, 3),
        "cheapest": sweep.cheapest,
        "distances": dict(sweep.distances.asked),
        "combinations": [
            {**asdict(trial), "cost": cost} for trial, cost in zip(sweep.trials, costs, strict=True)
        ],
    }


Command = TypeVar("Command", bound=Callable[..., Any])


def _together(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> str | None:
    """An option that is given several times is one list."""
    return ",".join(given) or None


_LISTED: dict[str, Any] = {"multiple": True, "callback": _together}


def _further(command: Command) -> Command:
    """An option for every other model that a sweep tries several thresholds of."""
    for model in swept_models():
        metavar = f"{(model.form or model.field.name).upper()},…"
        option = click.option(f"--{model.field.name}", metavar=metavar, help=model.swept, **_LISTED)
        command = option(command)
    return command


@click.command()
@click.argument("spec", type=click.Path(path_type=Path))
@click.option(
    "--k", metavar="K,…", help="Least class sizes and ranges of them: 3,5,10 or 2-50.", **_LISTED
)
@click.option(
    "--l",
    "l_asked",
    metavar="L,…",
    help="Different values asked of every sensitive attribute: 2,3 or 2-5.",
    **_LISTED,
)
@click.option(
    "--t", metavar="T,…", help="Closeness asked of every sensitive attribute: 0.3,0.2.", **_LISTED
)
@_further
@click.option(
    "--method",
    "methods",
    metavar="M,…",
    help="Methods, each as in a spec: split_or_deal,{locality: curve}.",
    **_LISTED,
)
@click.option("--privacy-weight", metavar="W", help="Weight of privacy loss; names the cheapest.")
@click.option("--alpha", "no_weight", hidden=True)
@click.option("--quick", is_flag=True, help="Stack & Deal's t from the frequencies alone.")
@click.option(
    "--chart",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.svg",
    help="Draw risk and utility too; .png and .pdf need the chart extra.",
)
@click.option(
    "--risk",
    type=click.Choice(["t", "marketer", "linkage"]),
    help="The chart's risk: t by default, the marketer risk, or record linkage, which it measures.",
)
@opens_database(resources=True)
@AS_JSON
def sweep(
    spec: Path,
    k: str | None,
    l_asked: str | None,
    t: str | None,
    methods: str | None,
    privacy_weight: str | None,
    no_weight: str | None,
    quick: bool,
    chart: Path | None,
    risk: Risk | None,
    opening: Opening,
    as_json: bool,
    **further: Any,
) -> None:
    """Try many k, l, t and methods for SPEC and write what each comes to; nothing is published.

    Searches run with effort: quick where neither SPEC nor --method declares an effort.
    """
    if no_weight is not None:
        raise SpecError("the weight of privacy loss is --privacy-weight")
    declared = load_spec(spec)
    if risk is not None and chart is None:
        raise SpecError("--risk says what --chart draws: name a file of the chart, too")
    if chart is not None:
        check_drawable(chart)
    if risk == "linkage":
        metrics = dict.fromkeys((*declared.metrics, RECORD_LINKAGE))
        declared = changed(declared, metrics=tuple(metrics))
    database = database_of(declared, opening.database)
    with opening.open(database) as db:
        found = db.sweep(
            declared,
            k=k,
            l=l_asked,
            t=t,
            **further,
            methods=methods,
            privacy_weight=privacy_weight,
            quick=quick,
        )
    if as_json:
        drawn = {"seed_is_drawn": declared.seed_is_drawn}
        echo_object(sweep_object(found) | drawn)
    else:
        show_sweep(found, shown(database))
        if declared.seed_is_drawn:
            click.echo(SWEPT_BY_A_DRAWN_SEED)
        running = next_command("run", str(spec))
        click.echo(
            f"To publish a row that holds, write its k, l, t and method into {spec}: {running}"
        )
    if chart is not None:
        found.chart(chart, risk)
