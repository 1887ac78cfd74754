"""The reasons that keep the classes of a release large, and a spec from being met."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click
from rich.markup import escape

from sqlanon.cli.options import AS_JSON, Opening, holding, opens_database, readable
from sqlanon.cli.output import echo_object, next_command
from sqlanon.cli.views import blank, show_sample, show_verdict, terminal
from sqlanon.record.content import held
from sqlanon.spec import load_spec
from sqlanon.uses.outlook.reachable import Reachable
from sqlanon.uses.reports.why import Why
from sqlanon.uses.reports.why import why as look

_SPECS = (".yaml", ".yml")


@click.command()
@click.argument("release", metavar="RELEASE|SPEC")
@opens_database()
@AS_JSON
def why(release: str, opening: Opening, as_json: bool) -> None:
    """Show which models keep the classes of RELEASE large, and where.

    Of a SPEC (.yaml) show the thresholds that no release of its source can reach, those that its
    method does not reach, and those that you could ask for instead. Nothing is published. Both are
    for the publisher, because they show figures of single classes.
    """
    if release.lower().endswith(_SPECS):
        spec = load_spec(Path(release))
        with opening.open(readable(spec, opening.database)) as db:
            limits = db.why(spec)
        if as_json:
            summary = {"passed": limits.passed, "conclusion": limits.conclusion}
            echo_object(asdict(limits) | summary)
        else:
            _show_reachable(limits)
            if limits.passed:
                click.echo(f"To publish it: {next_command('run', release)}")
        return
    with opening.engine(holding(release, opening.database)) as engine:
        found = look(held(release, engine))
    if as_json:
        echo_object(asdict(found))
    else:
        _show(found)


def _show_reachable(found: Reachable) -> None:
    right = ("asked for", "at best", f"by {found.method}", "feasible")
    table = blank(f"{found.release}: what can be reached", ("model", "of", *right, ""), right)
    for limit in found.limits:
        says = "violated" if limit in found.binding else "holds" if limit.holds else ""
        of = limit.attribute or "every class"
        table.add_row(
            limit.title,
            of,
            limit.asked,
            _number(limit.best),
            _number(limit.reached),
            limit.feasible,
            says,
        )
    console = terminal()
    console.print(table)
    console.print(found.conclusion, highlight=False, markup=False)


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{int(value):,}" if float(value).is_integer() else f"{value:.4g}"


def _show(found: Why) -> None:
    console = terminal()
    show_verdict(console, found.verdict)
    right = ("asked for", "reached", "classes at it", "records")
    table = blank(
        f"{found.release}: {found.classes:,} {'class' if found.classes == 1 else 'classes'}",
        ("model", "of", *right),
        right,
    )
    for edge in found.edges:
        reached = "" if edge.reached is None else f"{edge.reached:.4g}"
        of = escape(edge.attribute or "every class")
        table.add_row(edge.title, of, edge.asked, reached, f"{edge.classes:,}", f"{edge.records:,}")
    table.add_row("none of these", "", "", "", f"{found.free_classes:,}", f"{found.free_records:,}")
    console.print(table)
    if found.left_out:
        head = ("model", "of", "asked for", "classes", "records")
        left = blank("Left out, for the first model that a class did not meet", head, head[2:])
        for each in found.left_out:
            of, counts = each.attribute or "every class", (f"{each.classes:,}", f"{each.records:,}")
            left.add_row(each.title, of, each.asked, *counts)
        console.print(left)
    names = list(found.largest[0].cells) if found.largest else []
    rows = [
        (
            large_class.class_id,
            f"{large_class.records:,}",
            "; ".join(_title(found, index) for index in large_class.edges) or "none",
            *large_class.cells.values(),
        )
        for large_class in found.largest
    ]
    show_sample(console, "The largest classes", ("class", "records", "at", *names), rows)


def _title(found: Why, index: int) -> str:
    edge = found.edges[index]
    return f"{edge.title} of {edge.attribute}" if edge.attribute else edge.title
