"""Many k, l, t and methods, tried."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from sqlanon.charts.chart import check_drawable
from sqlanon.cli import objects, views
from sqlanon.cli.databases import database_of
from sqlanon.cli.opening import Opening, opens_database
from sqlanon.cli.options import AS_JSON
from sqlanon.cli.output import echo_object, next_command
from sqlanon.errors import SpecError
from sqlanon.planning.trials import RECORD_LINKAGE
from sqlanon.privacy.thresholds import swept_models
from sqlanon.spec import changed, load_spec, shown
from sqlanon.sweeps.risk_utility import Risk

Command = TypeVar("Command", bound=Callable[..., Any])


def _together(_: click.Context, __: click.Parameter, given: tuple[str, ...]) -> str | None:
    """An option that is given several times is one list."""
    return ",".join(given) or None


_LISTED: dict[str, Any] = {"multiple": True, "callback": _together}


def _further(command: Command) -> Command:
    """An option for every other model that a sweep tries several thresholds of."""
    for one in swept_models():
        metavar = f"{(one.form or one.field.name).upper()},…"
        option = click.option(f"--{one.field.name}", metavar=metavar, help=one.swept, **_LISTED)
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
        echo_object(objects.sweep_object(found) | drawn)
    else:
        views.show_sweep(found, shown(database))
        if declared.seed_is_drawn:
            click.echo(views.SWEPT_BY_A_DRAWN_SEED)
        running = next_command("run", str(spec))
        click.echo(
            f"To publish a row that holds, write its k, l, t and method into {spec}: {running}"
        )
    if chart is not None:
        found.chart(chart, risk)
