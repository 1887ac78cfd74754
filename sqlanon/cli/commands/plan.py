"""A run, shown before it is made: how large it is, whether it can be done, and its steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from sqlanon.cli import views
from sqlanon.cli.options import AFTER, AS_JSON, Opening, opens_database, readable
from sqlanon.cli.output import echo_object
from sqlanon.plan import Check, Search
from sqlanon.planning.prepare import Prepared
from sqlanon.planning.recoding import prepare_release
from sqlanon.spec import Distances, Spec, load_spec
from sqlanon.spec.clauses import left_open
from sqlanon.spec.refusals import refusals_by_use
from sqlanon.uses.outlook.outlook import Associations, Outlook, outlook


def plan_object(prepared: Prepared, ahead: Outlook, dialect: str = "duckdb") -> dict[str, Any]:
    """A plan, for programs."""
    fingerprints = prepared.plan.fingerprints(dialect, prepared.spec.as_written)
    choose, predicted = prepared.spec.choose, ahead.predicted
    together = ahead.associations
    steps = zip(prepared.plan, prepared.plan.phases, prepared.plan.explain(), strict=True)
    return {
        "release": str(prepared.release),
        "records": ahead.records,
        "combinations": ahead.combinations,
        "leaving_alone": ahead.leaving_alone,
        "best": None if ahead.best is None else [asdict(limit) for limit in ahead.best.limits],
        "slowest": list(ahead.slowest),
        "not_released": list(prepared.unreleased),
        "types": prepared.types,
        "distances": dict(Distances.of(prepared.spec).asked),
        "foreseen": list(ahead.foreseen),
        "choose": None if choose is None else list(choose.tried(prepared.spec.privacy.k)),
        "predicted": None if predicted is None else [asdict(metric) for metric in predicted],
        "insensitive": [asdict(metric) for metric in ahead.shares],
        "associations": None
        if together is None
        else {
            "contingencies": [
                {"columns": pair, "contingency": value}
                for pair, value in together.contingencies.items()
            ],
            "groups": together.groups,
        },
        "uses": {
            use.value: [asdict(problem) for problem in problems]
            for use, problems in refusals_by_use(prepared.spec).items()
        },
        "steps": [
            {
                "title": step.title,
                "phase": phase,
                "check": isinstance(step, Check),
                "relation": relation,
                "becomes": how,
                "most_rows": ahead.most_rows.get(relation),
                "fingerprint": fingerprints.get(relation),
            }
            for step, phase, (relation, how, _) in steps
        ],
    }


def show_plan(prepared: Prepared, ahead: Outlook) -> None:
    """The size of a run, what can be met, what takes the time; then every step by phase."""
    console = views.terminal()
    for line in _head(prepared, ahead):
        console.print(line, highlight=False)
    if ahead.predicted is not None:
        console.print(views.metrics_table(ahead.predicted, "What the classes will reach, as dealt"))
    views.show_distances(console, Distances.of(prepared.spec))
    views.show_shares(console, ahead.shares)
    _show_associations(console, ahead.associations)
    console.print()
    console.print(_steps(prepared, ahead))
    _show_notes(console, prepared, ahead)
    for line in _uses(prepared.spec):
        console.print(line, highlight=False)


def _head(prepared: Prepared, ahead: Outlook) -> Iterator[str]:
    """The size of the job, whether it can be done, and what takes the time."""
    spec = prepared.spec
    source = f"{ahead.records:,} records"
    if spec.person and ahead.best is not None:
        source += f" of {ahead.best.records:,} persons"
    attributes, sensitive = len(spec.quasi_identifiers), len(spec.sensitive)
    yield (
        f"[bold]{escape(str(prepared.release))}[/bold] of {escape(spec.source.name)}: {source}, "
        f"{_several(attributes, 'quasi-identifier')} in {ahead.combinations:,} combinations, "
        f"{_several(sensitive, 'sensitive attribute')}; {len(prepared.plan)} steps."
    )
    yield from (f"[bold]{escape(sentence)}[/bold]" for sentence in ahead.foreseen)
    if spec.counts:
        yield "Its noise is proved before the run: there is nothing that the records must meet."
    else:
        yield _feasible(ahead)
    yield _time(prepared, ahead)


def _several(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _feasible(ahead: Outlook) -> str:
    """Whether any release can meet what is asked."""
    best = ahead.best
    if best is None:
        return f"Whether it can be met, only a run tells: {escape(ahead.why_unknown)}."
    if not best.binding:
        return (
            "It can be met: all records in one class meet every model. Only a run says how much is "
            f"lost, and whether {best.method} meets it too."
        )
    short = "; ".join(
        f"{limit.title}{f' of {escape(limit.attribute)}' if limit.attribute else ''} asks for "
        f"{limit.asked}, and {limit.best:.6g} is the best there is"
        for limit in best.binding
    )
    return f"[bold red]It cannot be met[/bold red] without leaving records out: {short}."


def _time(prepared: Prepared, ahead: Outlook) -> str:
    """The sentence that says which steps take most of the time."""
    slowest = [(number, prepared.plan.steps[number - 1]) for number in ahead.slowest]
    if any(isinstance(step, Search) for _, step in slowest):
        named = " and ".join(f"step {number}, {escape(step.title)}" for number, step in slowest)
        return f"Most of the time goes into {named}: many steps, each over the combinations."
    return (
        f"Most of the time goes into the {_several(len(slowest), 'step')} with a row for every "
        "record; nothing is searched for."
    )


def _show_associations(console: Console, found: Associations | None) -> None:
    """Which sensitive attributes go together, and what may be released apart."""
    if found is None:
        return
    table = views.blank(
        "Sensitive attributes that go together", ("attributes", "φ²"), right=("φ²",)
    )
    for (one, other), value in found.contingencies.items():
        table.add_row(escape(f"{one}, {other}"), f"{value:.4f}")
    console.print(table)
    if len(found.groups) == 1:
        console.print("All of them go together: one release keeps that.", highlight=False)
        return
    listed = "; ".join(", ".join(group) for group in found.groups)
    console.print(
        f"Groups that may be released apart, each by itself: {escape(listed)}. "
        "Associations across them are lost.",
        highlight=False,
    )


def _steps(prepared: Prepared, ahead: Outlook) -> Table:
    """Every step under its phase."""
    table = views.blank(
        f"The steps that make {prepared.release}",
        ("", "step", "becomes", "relation", "rows, at most"),
        right=("", "rows, at most"),
    )
    last = ""
    explained = zip(prepared.plan.phases, prepared.plan.explain(), strict=True)
    for number, (phase, (relation, how, title)) in enumerate(explained, 1):
        if phase != last:
            table.add_section()
            table.add_row("", f"[bold]{phase}[/bold]")
            last = phase
        rows = views.count(ahead.most_rows.get(relation))
        table.add_row(str(number), escape(title), how, escape(relation), rows)
    return table


def _uses(spec: Spec) -> Iterator[str]:
    """The uses that a spec goes with, other than a run, and those that it does not: sentences."""
    refused = {use: found for use, found in refusals_by_use(spec).items() if not use.is_partial}
    going = [use.value for use, problems in refused.items() if not problems]
    if going:
        yield f"This spec goes with: {escape(', '.join(going))}."
    for problem in dict.fromkeys(chain.from_iterable(refused.values())):
        uses = ", ".join(use.value for use, problems in refused.items() if problem in problems)
        yield f"It does not go with {escape(uses)}, because of {escape(str(problem))}."


def _show_notes(console: Console, prepared: Prepared, ahead: Outlook) -> None:
    """Show the rest that there is to say of a run before it begins."""
    allowance = prepared.spec.allowance
    if allowance is not None:
        share = float(allowance.records)
        console.print(
            f"Up to {share:.4g} of the records may be left out: the release has as many rows as "
            "the source at most, and may have fewer.",
            highlight=False,
        )
    if prepared.spec.choose is not None:
        tried = ", ".join(map(str, prepared.spec.choose.tried(prepared.spec.privacy.k)))
        console.print(
            f"Shown for the least k. Before, all but publishing is done for k = {tried}; the k "
            "that costs least is then published.",
            highlight=False,
        )
    if ahead.leaving_alone is not None:
        console.print(
            f"The search is carried out in this process: at least {ahead.combinations:,} "
            "combinations of values with their counts leave the database for it. Where they are "
            f"rare, they are nearly the records: {ahead.leaving_alone:,} of the records "
            f"({ahead.leaving_alone / ahead.records:.1%}) are the only ones of their combination.",
            highlight=False,
        )
    for says in left_open(prepared.spec):
        console.print(says, highlight=False)
    sampled = prepared.spec.sampled
    if sampled is not None and sampled.choose is not None:
        share = float(sampled.choose.epsilon)
        console.print(
            f"Shown for all levels. Before, one choice of levels is drawn for ε = {share:.4g}, by "
            "the records of the whole source; the release is then made at these levels.",
            highlight=False,
        )
    if any(metric.passed is False for metric in ahead.shares):
        console.print(
            "[bold]A run will be refused[/bold] for its insensitive columns, unless the spec "
            "accepts them by name.",
            highlight=False,
        )
    if prepared.types:
        types = ", ".join(f"{name} {kind}" for name, kind in prepared.types.items())
        file = prepared.spec.source.file or ""
        console.print(f"Types in {escape(file)}: {escape(types)}.", highlight=False)
    for remark in prepared.source_info.remarks:
        console.print(f"{escape(remark)}.", highlight=False)
    views.show_unreleased(console, prepared.unreleased)


@click.command()
@click.argument("spec", type=click.Path(path_type=Path))
@opens_database(progress=False)
@AS_JSON
@AFTER
def plan(spec: Path, opening: Opening, as_json: bool, after: tuple[str, ...]) -> None:
    """Show the steps of the run that SPEC declares, without making anything.

    First come its size, whether its models can hold, and its slowest part; then every step.
    """
    declared = load_spec(spec, after)
    with opening.engine(readable(declared, opening.database)) as engine:
        prepared = prepare_release(declared, engine, all_metrics=True)
        ahead = outlook(prepared, engine)
    if as_json:
        echo_object(plan_object(prepared, ahead, engine.dialect))
    else:
        show_plan(prepared, ahead)
