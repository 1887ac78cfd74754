"""Sweeping over k, l, t and methods: what each would come to, and nothing published.

The risk-utility map is made of the trials, or of the relation that a sweep left.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from sqlanon.clauses.clause import Use
from sqlanon.draft import filled
from sqlanon.engines import Engine
from sqlanon.errors import InfeasibleError, Problem, SpecError
from sqlanon.judge.judge import too_few_records
from sqlanon.methods import method_of
from sqlanon.pages.charts.chart import Line, Map, Point
from sqlanon.pages.charts.svg import document
from sqlanon.pages.page import table
from sqlanon.plan import Materialization, Step
from sqlanon.planning.prepare import Prepared, build_plan
from sqlanon.planning.trials import Closeness, Trial, label, trial_of, try_out, variant
from sqlanon.privacy.thresholds import swept_models
from sqlanon.record.metrics import Metric, shortfalls
from sqlanon.record.ownership import SweepOwnership
from sqlanon.record.recorded import Recorded
from sqlanon.session import Following, Listener, Session, searching
from sqlanon.source.source import check_not_read, check_not_source, table_named
from sqlanon.source.source_info import SourceInfo
from sqlanon.spec import Distances, Grid, Spec, with_distances
from sqlanon.spec.refusals import refusals, refuse
from sqlanon.sql.names import Relation, Sql
from sqlanon.uses.outlook.dry_run import DryRun
from sqlanon.uses.outlook.predict import predict_sizes
from sqlanon.uses.sweeps.choose import cheapest, costs

if TYPE_CHECKING:
    import pandas as pd


COLUMNS = (
    *("combination", "method", "k", "attribute", "t_asked", "t_reached", "classes", "gcp"),
    *("c_avg", "marketer_risk", "record_linkage", "cost", "seconds", "holds", "why"),
    *(f"{model.field.name}_{part}" for model in swept_models() for part in ("asked", "reached")),
    *("l_asked", "l_reached"),
)
_NO_LINKAGE = (
    "risk: no record linkage was measured; ask for metrics: record_linkage in the spec, and sweep "
    "without quick"
)
_NOTHING = Closeness(None, None, None)
MOST_COMBINATIONS = 10_000


@dataclass(frozen=True, repr=False)
class Sweep:
    """The trials of a sweep, and what they cost.

    Attributes:
        relation: a row for each combination and sensitive attribute; a row for each combination
            where there is none.
        trials: what each combination came to, in order.
        costs: what each costs, where a weight was given; None for those that do not hold.
        cheapest: the place of the one that costs least.
        quick: whether only what the frequencies tell was looked at.
        seconds: how long it took.
        engine: the database that holds the relation.
        distances: by which distance each t was measured.
        lent: whether the database is somebody else's to close.
    """

    relation: Relation
    trials: tuple[Trial, ...] = field(repr=False)
    costs: tuple[Fraction | None, ...] = field(repr=False)
    cheapest: int | None
    quick: bool
    seconds: float
    engine: Engine = field(repr=False)
    distances: Distances = field(default_factory=Distances, repr=False)
    lent: bool = field(default=False, repr=False)

    @property
    def best(self) -> Trial | None:
        """The combination that costs least, where a weight was given and one holds."""
        return None if self.cheapest is None else self.trials[self.cheapest]

    def map(self, risk: Risk | None = None) -> Map:
        """The risk-utility map: risk over the information loss, or over k where that is not known.

        Args:
            risk: the axis upwards: ``t``, the greatest of any sensitive attribute; ``marketer``,
                the marketer risk; or ``linkage``, the record linkage, where the metrics of the
                spec have it. It is t by default, and the marketer risk where there is none.

        Raises:
            SpecError: if t is asked for and no attribute has one, or a record linkage that was not
                measured.
        """
        closest = any(trial.closeness for trial in self.trials)
        if risk == "t" and not closest:
            raise SpecError("risk: there is no sensitive attribute with a t; ask for marketer")
        if risk == "linkage" and all(trial.record_linkage is None for trial in self.trials):
            raise SpecError(_NO_LINKAGE)
        shown = risk or ("t" if closest else "marketer")
        return map_of(
            (
                Tried(
                    method=trial.method,
                    k=trial.k,
                    asked=tuple(
                        each.asked
                        for some in (trial.closeness, *trial.further.values(), trial.diversity)
                        for each in some
                    ),
                    loss=trial.gcp,
                    risk=_risk(trial, shown),
                    holds=trial.holds,
                )
                for trial in self.trials
            ),
            shown,
            by_k=self.quick,
        )

    def chart(self, file: str | Path, risk: Risk | None = None) -> None:
        """Draw the risk-utility map: as .svg, or as .png and .pdf with the ``chart`` extra.

        Args:
            file: where it goes.
            risk: the axis upwards, as of `map`.

        Raises:
            SpecError: if no chart is drawn with such an ending, it needs CairoSVG, or the risk is
                not known.
        """
        self.map(risk).save(file)

    def frame(self) -> pd.DataFrame:
        """The relation as a pandas frame."""
        return self.engine.frame(self.relation)

    def close(self) -> None:
        """Close the database; the relation stays in it, unless it is in memory.

        A database of `sqlanon.open` stays open, until that is closed.
        """
        if not self.lent:
            self.engine.close()

    def __enter__(self) -> Sweep:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def __repr__(self) -> str:
        holding = sum(trial.holds for trial in self.trials)
        return f"Sweep({self.relation}, {holding} of {len(self.trials)} combinations hold)"

    def _repr_html_(self) -> str:
        rows = (
            (
                *(
                    trial.method,
                    trial.k,
                    trial.t,
                    trial.classes,
                    trial.gcp,
                    trial.c_avg,
                    trial.marketer_risk,
                ),
                None if cost is None else float(cost),
                trial.why or "holds",
            )
            for trial, cost in zip(self.trials, self.costs, strict=True)
        )
        columns = ("method", "k", "t", "classes", "gcp", "c_avg", "marketer_risk", "cost", "")
        return document(self.map().picture) + table(str(self.relation), columns, rows)


def sweep(
    spec: Spec,
    grid: Grid,
    engine: Engine,
    source: Sql | None = None,
    listener: Listener | None = None,
    quick: bool = False,
) -> Sweep:
    """Try every combination of a grid, and write what each came to next to the release.

    The relations that the combinations have in common are made once, of one copy of the records.
    Nothing stays but the sweep relation, which holds measures and no cell of the data.

    Args:
        spec: what is declared of the release.
        grid: what is tried.
        engine: where the source lies and the relation goes.
        source: a FROM item, where the source is nothing that a spec can name.
        listener: hears of the steps.
        quick: look at nothing but the frequencies of the sensitive values: what Stack & Deal
            reaches as dealt, for any number of k by one scan, without information loss.

    Raises:
        SpecError: if the spec does not fit the source, or the grid not the spec.
        InfeasibleError: if there are fewer records than the least k.
    """
    refuse(spec, Use.SWEEP)
    spec = filled(spec, engine)
    relation = _target(spec, engine)
    combinations = list(grid.combinations(spec))
    if len(combinations) > MOST_COMBINATIONS:
        what = f"{len(combinations):,} combinations; at most {MOST_COMBINATIONS:,} can be tried"
        raise SpecError(what)
    specs = [
        variant(
            spec,
            combination.method.in_sweep(),
            combination.k,
            combination.t,
            combination.l,
            combination.further,
        )
        for combination in combinations
    ]
    if quick:
        _check_quick(specs, grid)
    source_info = SourceInfo.of(spec, engine, source)
    check_not_read([relation], source_info.source, engine)
    owner, begun = SweepOwnership(engine, [relation]), time.perf_counter()
    session = Session(engine, owner=owner)
    with owner.transaction(session):
        if quick:
            trials = _predicted(specs, source_info, engine, listener)
        else:
            trials = _tried(specs, source_info, engine, listener)
        _check_any(trials)
        known = (
            [None] * len(trials)
            if grid.privacy_weight is None
            else list(costs(trials, grid.privacy_weight))
        )
        session.create(recording(relation, trials, known))
    return Sweep(
        relation=relation,
        trials=tuple(trials),
        costs=tuple(known),
        cheapest=None if grid.privacy_weight is None else cheapest(trials, grid.privacy_weight),
        quick=quick,
        seconds=time.perf_counter() - begun,
        engine=engine,
        distances=Distances.of(with_distances(specs[0], source_info.columns)),
    )


def _risk(trial: Trial, risk: Risk) -> float | None:
    """The privacy loss of a trial that a map shows."""
    if risk == "linkage":
        return trial.record_linkage
    return trial.t if risk == "t" else trial.marketer_risk


def recording(
    relation: Relation, trials: Sequence[Trial], costs: Sequence[Fraction | None]
) -> Step:
    """The step that writes the sweep relation."""
    rows = [
        (
            number,
            trial.method,
            trial.k,
            one.attribute,
            one.asked,
            _text(one.reached),
            trial.classes,
            *map(_text, (trial.gcp, trial.c_avg, trial.marketer_risk, trial.record_linkage)),
            _text(None if cost is None else float(cost)),
            _text(None if trial.seconds is None else round(trial.seconds, 3)),
            trial.holds,
            trial.why,
            *(part for known in others for part in (known.asked, _text(known.reached))),
        )
        for number, (trial, cost) in enumerate(zip(trials, costs, strict=True), 1)
        for one, *others in _by_attribute(trial)
    ]
    return Step(
        "recording the sweep",
        relation,
        "release/sweep",
        {},
        {"rows": rows, "further": tuple(Sql(model.field.name) for model in swept_models())},
        Materialization.TABLE,
    )


def _by_attribute(trial: Trial) -> Iterator[tuple[Closeness, ...]]:
    """The t of each sensitive attribute, and of other models, l last; nothing where none is."""
    further = (trial.further.get(model.field.name, ()) for model in swept_models())
    others = [
        {closeness.attribute: closeness for closeness in some}
        for some in (*further, trial.diversity)
    ]
    for closeness in trial.closeness or (_NOTHING,):
        yield closeness, *(each.get(closeness.attribute, _NOTHING) for each in others)


def _text(value: float | None) -> str | None:
    """A double as text that reads back as the same."""
    return None if value is None else repr(value)


def _target(spec: Spec, engine: Engine) -> Relation:
    """The relation to write, unless it is the source or something that is not ours to replace."""
    release = table_named(spec.release, "release")
    relation = release.sibling("sweep")
    check_not_source(release, [relation], spec.source, engine)
    if not engine.has_schema(release):
        raise SpecError(Problem("release", f"there is no schema {'.'.join(release.path)!r}"))
    SweepOwnership(engine, [relation]).older()
    return relation


def _check_quick(specs: Sequence[Spec], grid: Grid) -> None:
    problems = (problem for spec in specs for problem in refusals(spec, Use.QUICK_SWEEP))
    found = list(dict.fromkeys(problems))
    if found:
        raise SpecError(found)
    if grid.privacy_weight is not None:
        raise SpecError(
            "privacy_weight weighs information loss, which a quick sweep does not look at"
        )


def _check_any(trials: Sequence[Trial]) -> None:
    """A grid in which no k can be had at all is a mistake, not a result."""
    if not any(trial.holds or trial.shortfalls for trial in trials):
        raise InfeasibleError(trials[0].why)


def _tried(
    specs: Sequence[Spec], source_info: SourceInfo, engine: Engine, listener: Listener | None
) -> list[Trial]:
    """The trials as they are made and measured, in the order of the specs."""
    planned = [build_plan(spec, source_info) for spec in specs]
    following = Following(listener, sum(len(prepared.plan) for prepared in planned))
    session = Session(engine, following, searching=searching(specs[0], engine))
    with session.watching():
        trials = try_out(planned, session, following)
        session.drop_work()
    return trials


def _predicted(
    specs: Sequence[Spec], source_info: SourceInfo, engine: Engine, listener: Listener | None
) -> list[Trial]:
    """The trials as the frequencies tell them, in the order of the specs."""
    by_method: dict[str, list[Spec]] = {}
    for spec in specs:
        by_method.setdefault(label(spec.method), []).append(spec)
    trials: list[Trial] = []
    for alike in by_method.values():
        sizes = list(dict.fromkeys(spec.privacy.k for spec in alike))
        planned = [build_plan(spec, source_info) for spec in alike if spec.privacy.k == sizes[0]]
        session, found = Session(engine, listener), None
        with session.watching():
            prediction = method_of(alike[0].method).prediction()
            if prediction is not None:  # those without one are refused
                found = predict_sizes(prediction, planned, sizes, DryRun(planned[0], session))
            session.drop_work()
        if found is None:
            raise SpecError(
                "there are too many combinations of sensitive values to compare them beforehand: "
                "sweep without quick"
            )
        trials += [
            _predicted_trial(prepared, k, metrics.get(k), found.records)
            for k in sizes
            for prepared, metrics in zip(planned, found.metrics, strict=True)
        ]
    return trials


def _predicted_trial(
    prepared: Prepared, k: int, metrics: list[Metric] | None, records: int
) -> Trial:
    """A trial of which nothing but the classes as dealt is known."""
    if metrics is None:
        return trial_of(prepared, k, [], None, too_few_records(k, records))
    classes = records // k
    sizes = {"records": records, "classes": classes, "c_avg": records / classes / k}
    measured = [
        *metrics,
        *(Metric(name, None, float(value), None, None) for name, value in sizes.items()),
    ]
    # Each kind of class stands for several, so how many violate a model is not known.
    failed = shortfalls(
        replace(metric, failing_classes=None, failing_records=None) for metric in metrics
    )
    error = InfeasibleError("as dealt", failed) if failed else None
    return trial_of(prepared, k, measured, None, error)


Risk = Literal["t", "marketer", "linkage"]  # the axis upwards
_RISKS: dict[Risk, str] = {
    "t": "t reached",
    "marketer": "marketer risk",
    "linkage": "record linkage",
}

_ROWS = 100_000  # of a sweep relation that are read


@dataclass(frozen=True)
class Tried:
    """A combination that was tried, as the map needs it.

    Attributes:
        method: its method, with the settings that differ from the default.
        k: the least class size asked for.
        asked: the thresholds asked of each sensitive attribute; empty where there is none.
        loss: the information loss; None where it is not known.
        risk: the privacy loss; None where it is not known.
        holds: whether every declared model holds.
    """

    method: str
    k: int
    asked: tuple[str | None, ...]
    loss: float | None
    risk: float | None
    holds: bool


def map_of(tried: Iterable[Tried], risk: Risk, by_k: bool = False) -> Map:
    """The map: risk over the information loss, or over k where that is not known.

    A method whose classes do not depend on the l, t and J asked for has one line,
    else one for each.
    """
    found = list(tried)
    lines: dict[tuple[str, tuple[str | None, ...]], list[Point]] = {}
    for trial in found:
        x = float(trial.k) if by_k else trial.loss
        if x is not None and trial.risk is not None:
            point = Point(trial.method, trial.k, x, trial.risk, trial.holds)
            lines.setdefault((trial.method, trial.asked), []).append(point)
    different: dict[tuple[object, ...], Line] = {}
    for (method, _), points in lines.items():
        curve = (method, *((point.k, point.x, point.y) for point in points))
        known = different.get(curve)
        pairs = zip(points, known.points if known else points, strict=True)
        merged = [replace(one, holds=one.holds or other.holds) for one, other in pairs]
        different[curve] = Line(method, tuple(merged))
    title = "k" if by_k else "information loss (GCP)"
    return Map(title, _RISKS[risk], tuple(different.values()))


def kept_map(recorded: Recorded) -> Map | None:
    """The map of the last sweep of a release; None where there is none, or it shows no point."""
    engine, relation = recorded.engine, recorded.relation.sibling("sweep")
    if not SweepOwnership(engine, [relation]).older_of_ours(hold=False):
        return None
    with engine.reading(relation) as item:
        if "l_asked" not in {column.name for column in engine.columns(item)}:
            return None  # of an older sqlanon
    found = engine.fetch_portable(
        "select combination, method, k, attribute, t_asked, t_reached, gcp, marketer_risk, "
        f"holds, {''.join(f'{model.field.name}_asked, ' for model in swept_models())}l_asked "
        f"from {engine.named(relation)} order by combination, attribute",
        _ROWS,
        "reading the sweep",
    )
    tried = []
    for _, same in groupby(found.rows, lambda row: row[0]):
        rows = list(same)
        _, method, k, attribute, _, _, loss, marketer, holds, *_ = rows[0]
        reached = [row[5] for row in rows]
        risk = marketer
        if attribute is not None:
            risk = None if None in reached else max(reached)
        asked = (
            ()
            if attribute is None
            else (
                *(row[4] for row in rows),
                *(one for row in rows for one in row[9:-1] if one),
                *(row[-1] for row in rows),
            )
        )
        tried.append(
            Tried(method=method, k=int(k), asked=asked, loss=loss, risk=risk, holds=bool(holds))
        )
    has_t = any(trial.asked for trial in tried)
    shown = map_of(
        tried, "t" if has_t else "marketer", by_k=all(trial.loss is None for trial in tried)
    )
    return shown if shown.points else None
