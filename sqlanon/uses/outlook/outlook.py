"""The outlook on a run: how large it is, what can be met, and what takes the time.

And which sensitive attributes go together, so that groups of them may be released apart. CODIP
(Fang et al. 2011), as Gowda (2023), §2.6.6, reviews it, parts the sensitive attributes into
disjoint groups by their associations. The review names no measure; here it is the mean-square
contingency coefficient.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from sqlanon.domains.contingencies import Pair, clustered, contingencies
from sqlanon.engines import Engine
from sqlanon.errors import SpecError
from sqlanon.measure.insensitive import SHARES
from sqlanon.plan import Search, Step
from sqlanon.planning.prepare import Prepared
from sqlanon.privacy.model import Demand
from sqlanon.privacy.t_closeness import T_CLOSENESS
from sqlanon.record.metrics import METRIC_LIMIT, Metric, defined
from sqlanon.session import searching
from sqlanon.source.source import PEOPLE, PEOPLE_CODED, RECORDS, aliases
from sqlanon.spec import Sensitive, Spec, shown_columns
from sqlanon.spec.levels import levels_are_fixed
from sqlanon.spec.publication import asked_of
from sqlanon.sql.names import Relation, Sql, exact
from sqlanon.sql.templates import Grain
from sqlanon.uses.outlook.dry_run import DryRun, dry_run
from sqlanon.uses.outlook.halves import MOST_COMPARED, closest
from sqlanon.uses.outlook.predict import predict_metrics
from sqlanon.uses.outlook.reachable import (
    TIMES,
    Needed,
    Reachable,
    at_best,
    loses_blindly,
    needed_of,
    rounded_up,
)

# From so much on average two groups go together: Cramér's V of .316.
TOGETHER = 0.1


@dataclass(frozen=True)
class Outlook:
    """The facts that counts alone tell about a run.

    Attributes:
        records: how many records the source has.
        combinations: how many different combinations of quasi-identifiers they have.
        leaving_alone: where a search in this process reads cells, how many records stand in cells
            of their own, by the quasi-identifiers and the sensitive attributes of which something
            is asked; else None.
        best: what all records in one class reach; None where this is not known.
        why_unknown: why it is not; empty where it is.
        most_rows: how many rows each relation has at most, where that is known.
        shares: what the insensitive columns give away, with their limits.
        predicted: what the models will reach, where the method's classes are known beforehand.
        slowest: what takes most of the time: the numbers of these steps, from 1.
        foreseen: why nearly all will be lost, where counts alone tell.
        associations: which of several sensitive attributes go together.
    """

    records: int
    combinations: int
    leaving_alone: int | None
    best: Reachable | None
    why_unknown: str
    most_rows: Mapping[str, int]
    shares: list[Metric]
    predicted: list[Metric] | None
    slowest: tuple[int, ...]
    foreseen: tuple[str, ...] = ()
    associations: Associations | None = None


def outlook(prepared: Prepared, engine: Engine) -> Outlook:
    """Look ahead: the source is read, and nothing stays.

    Raises:
        SpecError: if the data does not fit the spec.
        InfeasibleError: if there are fewer records than k.
    """
    with dry_run(prepared, engine) as dry:
        rows, records = most_rows(dry), dry.records()
        combinations = dry.combinations(
            attribute.alias for attribute in prepared.grouped.quasi_identifiers
        )
        alone = dry.alone(_cell_columns(prepared)) if _leaves(prepared) else None
        shares, predicted = insensitive_shares(dry), predict_metrics(dry)
        foreseen = tuple(_foreseen(dry, records))
        together = associations(dry)
        best, why_unknown = None, ""
        try:
            best = at_best(dry)  # last, for it leaves nothing but the records
        except SpecError as error:
            why_unknown = error.problems[0].what
    slowest = _slowest(prepared, rows, records)
    return Outlook(
        records=records,
        combinations=combinations,
        leaving_alone=alone,
        best=best,
        why_unknown=why_unknown,
        most_rows=rows,
        shares=shares,
        predicted=predicted,
        slowest=slowest,
        foreseen=foreseen,
        associations=together,
    )


def _leaves(prepared: Prepared) -> bool:
    """Whether cells leave the database for a search in this process."""
    moved = any(isinstance(step, Search) and step.on_cells for step in prepared.plan)
    return moved and searching(prepared.spec, prepared.source_info.engine) is not None


def _cell_columns(prepared: Prepared) -> list[str]:
    """The columns whose values make a cell that a search reads."""
    spec = prepared.spec
    asked = [name for name, declared in spec.sensitive.items() if any(asked_of(spec, declared))]
    return [*spec.quasi_identifiers, *asked]


def _foreseen(dry: DryRun, records: int) -> Iterator[str]:
    """Why nearly all will be lost by any search.

    There can be no two classes where each needs more than half of the records.
    """
    spec = dry.prepared.spec
    if spec.shows_exact or spec.counts or dry.prepared.grouped.unit.columns:
        return
    if spec.method.blind:
        yield loses_blindly(spec.method)
    if 2 * spec.privacy.k > records:
        yield (
            f"All records will be one class: two of k = {spec.privacy.k:,} need more than the "
            f"{records:,} there are. Ask for a smaller k."
        )
    least = max([spec.privacy.k, *(demand.least_size for demand in _demands(spec))])
    columns = shown_columns(spec, dry.prepared.source_info.columns)
    kinds, short = {name: column.kind for name, column in columns.items()}, aliases(spec)
    for name, declared in spec.sensitive.items():
        t = T_CLOSENESS.asked_of(declared, spec.privacy)
        is_natural = declared.order in (None, "natural")
        if t is None or not (
            declared.distance == "equal" or (_is_ordered(declared) and is_natural)
        ):
            continue
        dry.until(RECORDS)
        found = needed_of(dry.session, RECORDS, short[name], name, exact(t), kinds)
        if declared.distance == "equal" and found.of_all:
            yield f"All records will be one class: {found.says}"
            continue
        best = _closest(dry, short[name], found, least, _is_ordered(declared))
        if best is not None and best > t:
            yield (
                f"All records will be one class: no class of at most half of them has {name} "
                f"closer to the whole table than {rounded_up(best)}, and t is {exact(t)}. Ask for "
                "a greater t."
            )
        elif declared.distance == "equal" and found.needed > TIMES * least:
            yield f"Classes will be large: {found.says}"


def _is_ordered(declared: Sensitive) -> bool:
    return declared.distance == "ordered" and declared.order in (None, "natural")


def _closest(dry: DryRun, column: str, found: Needed, least: int, ordered: bool) -> Fraction | None:
    """How close a class of at most half of the records can come, where it is soon compared."""
    if found.used * (found.records // 2) > MOST_COMPARED:
        return None
    read = {"published": RECORDS}
    rows = dry.session.fetch("why/frequencies", read, {"column": column}, found.used).dicts()
    return closest([int(row["records"]) for row in rows], least, ordered)


def _demands(spec: Spec) -> Iterator[Demand]:
    """The demands on every sensitive attribute."""
    for declared in spec.sensitive.values():
        yield from asked_of(spec, declared)


def _slowest(prepared: Prepared, most_rows: Mapping[str, int], records: int) -> tuple[int, ...]:
    """Searches, for each is many steps of its own; else the steps that make a row for a record."""
    steps = list(enumerate(prepared.plan, 1))
    searches = tuple(
        number
        for number, step in steps
        if isinstance(step, Search) and not levels_are_fixed(prepared.spec)
    )
    made = prepared.plan.explain()
    return searches or tuple(
        number for number, _ in steps if most_rows.get(made[number - 1][0]) == records
    )


def most_rows(dry: DryRun) -> dict[str, int]:
    """At most how many rows each relation of a plan will have.

    The source's records are counted. A template says what a row of its relation is: so there is a
    row for each record, or for k of them, or one row in all. Relations whose size depends on the
    values, or on another table, are left out.
    """
    records, k = dry.records(), dry.prepared.spec.privacy.k
    steps = (
        step
        for step in dry.prepared.plan
        if isinstance(step, Step) and step.output not in (PEOPLE, PEOPLE_CODED)
    )
    found = {str(step.output): Grain.of(step.grain).most_rows(records, k) for step in steps}
    return {relation: rows for relation, rows in found.items() if rows is not None}


def insensitive_shares(dry: DryRun) -> list[Metric]:
    """The shares that a run would hold to their limits; none without insensitive columns.

    Raises:
        SpecError: if the data does not fit the spec.
        InfeasibleError: if there are fewer records than k.
    """
    if not dry.prepared.looking_at_insensitive:
        return []
    dry.until(SHARES)
    return read_shares(SHARES, dry.engine)


def read_shares(shares: Relation, engine: Engine) -> list[Metric]:
    """The relation of the shares, read."""
    columns = "metric, attribute, value, threshold, failing_records"
    found = engine.fetch_portable(
        f"select {columns} from {engine.named(shares)} order by number",
        METRIC_LIMIT,
        "reading the shares",
    )
    return [
        defined(
            Metric(
                metric=metric,
                attribute=attribute,
                value=value,
                threshold=threshold,
                passed=None if failing is None else not failing,
                failing_classes=None,
                failing_records=failing,
            )
        )
        for metric, attribute, value, threshold, failing in found.rows
    ]


@dataclass(frozen=True)
class Associations:
    """The associations of the sensitive attributes.

    Attributes:
        contingencies: φ² of every two of them, from 0 to 1.
        groups: disjoint groups of attributes that go together.
    """

    contingencies: Mapping[Pair, float]
    groups: tuple[tuple[str, ...], ...]


def associations(dry: DryRun) -> Associations | None:
    """The associations of the sensitive attributes; None where there are not two.

    Raises:
        SpecError: if the data does not fit the spec.
        InfeasibleError: if there are fewer records than k.
    """
    names, coding = list(dry.prepared.spec.sensitive), dry.prepared.coding
    if len(names) < 2 or coding is None:
        return None
    dry.until(coding.output)
    short = aliases(dry.prepared.spec)
    measured = contingencies(coding, {name: Sql(short[name]) for name in names}, dry.session)
    return Associations(measured, tuple(clustered(names, measured, len(names), least=TOGETHER)))
