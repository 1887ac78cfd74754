"""The causes of the size of a release's classes, for its publisher."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction

from sqlanon.clauses import clauses
from sqlanon.errors import Problem, SpecError
from sqlanon.measure.asked import class_column
from sqlanon.pages.page import table
from sqlanon.plan import Step, work
from sqlanon.publish.generalized import OUTLIERS
from sqlanon.record.metrics import METRIC_LIMIT, Metric
from sqlanon.record.recorded import MODEL_OF, Recorded, needs_records
from sqlanon.session import Session
from sqlanon.sql.names import Sql
from sqlanon.uses.reports.verdict import Edge, Verdict, lost_of, relaxing

MOST = 5  # of the largest classes that are named
_NEAR = Fraction(1, 10)  # of what was asked for


@dataclass(frozen=True)
class LargeClass:
    """One of the largest classes.

    Attributes:
        class_id: its number in ``<release>__classes``.
        records: how many it has.
        cells: what is published of it, by quasi-identifier; nothing of groups, which have rows of
            many kinds.
        edges: the places, from 0, of the edges it lies at.
    """

    class_id: int
    records: int
    cells: dict[str, str | None]
    edges: tuple[int, ...]


@dataclass(frozen=True)
class LeftOut:
    """Why records were left out of a release.

    Attributes:
        title: the first model that their classes did not meet.
        attribute: the sensitive attribute it is of; None: of every class.
        asked: what was asked for, as declared.
        classes: how many classes were left out for it.
        records: how many records these had.
    """

    title: str
    attribute: str | None
    asked: str
    classes: int
    records: int


@dataclass(frozen=True, repr=False)
class Why:
    """The causes of the size of a release's classes.

    Attributes:
        release: its name.
        classes: how many it has.
        edges: the models that were asked for.
        free_classes: how many classes lie at no edge: no cut of them was found that kept every
            model and lost less.
        free_records: how many records these have.
        largest: the largest classes, the largest first.
        left_out: why records were left out, where they might be.
        verdict: whether nearly all is lost, and what to relax.
    """

    release: str
    classes: int
    edges: tuple[Edge, ...]
    free_classes: int
    free_records: int
    largest: tuple[LargeClass, ...]
    left_out: tuple[LeftOut, ...] = ()
    verdict: Verdict = field(default_factory=Verdict)

    def __repr__(self) -> str:
        return f"Why({self.release!r}, {self.classes:,} classes, {self.free_classes:,} at no edge)"

    def _repr_html_(self) -> str:
        rows = (
            (edge.title, edge.attribute, edge.asked, edge.reached, edge.classes, edge.records)
            for edge in self.edges
        )
        columns = ("model", "of", "asked for", "reached", "classes at it", "records")
        return table(repr(self), columns, rows)


def left_out(recorded: Recorded) -> tuple[LeftOut, ...]:
    """Why records were left out of a release; nothing where none might be.

    Raises:
        SpecError: if the relation that says so is gone.
    """
    relation = recorded.relation.sibling("suppressed")
    if str(relation) not in recorded.made:
        return ()
    if recorded.engine.kind_of(relation) is None:
        raise SpecError(Problem("release", f"{str(relation)!r} is gone: run its spec again"))
    found = recorded.engine.fetch_portable(
        f"select * from {recorded.engine.named(relation)}", METRIC_LIMIT, "reading the reasons"
    )
    return tuple(
        LeftOut(_reason(metric), attribute, threshold or "", int(classes), int(records))
        for metric, attribute, threshold, classes, records in found.rows
    )


def _reason(metric: str) -> str:
    """The name of a reason: a model, an outlier, or a record in no cell that was taken over."""
    if metric == OUTLIERS:
        return "an outlier, by its quasi-identifiers"
    unplaced = {clause.name: clause.unplaced for clause in clauses() if clause.unplaced}
    return MODEL_OF[metric].title if metric in MODEL_OF else unplaced.get(metric, metric)


def why(recorded: Recorded) -> Why:
    """Look at the classes of a release: at the edge of which models they lie.

    Raises:
        SpecError: if its classes are gone, or nothing was asked of them that is one number.
    """
    needs_records(recorded)
    classes = recorded.relation.sibling("classes")
    if recorded.engine.kind_of(classes) is None:
        raise SpecError(Problem("release", f"{str(classes)!r} is gone: run its spec again"))
    return _at_edges(recorded, lost_of(recorded))


def _at_edges(recorded: Recorded, lost: tuple[str, ...]) -> Why:
    engine, classes = recorded.engine, recorded.relation.sibling("classes")
    with engine.reading(classes) as item:
        there = {column.name for column in engine.columns(item)}
    asked = [
        (metric, edge) for metric, edge in _edges(recorded.measures) if edge["column"] in there
    ]
    if not asked:
        what = "nothing was asked of its classes that is one number"
        raise SpecError(Problem("release", what))
    cells = [
        column.name
        for column in recorded.columns
        if column.role == "quasi_identifier" and not column.beside and column.name in there
    ]
    session, count = Session(engine), len(asked)
    with session.transaction(keep=False):
        edges = session.create(
            Step(
                "finding the classes at an edge",
                work("edges"),
                "why/edges",
                {"classes": classes},
                {"edges": [edge for _, edge in asked]},
            )
        ).relation
        counted = session.fetch("why/edge_counts", {"edges": edges}, {"count": count}, count + 2)
        largest = session.fetch(
            "why/largest",
            {"edges": edges, "classes": classes},
            {"count": count, "columns": cells, "most": MOST},
            MOST,
        )
        session.drop_work()
    (_, free_classes, free_records), *found, (_, classes_there, _) = counted.rows
    at_edges = tuple(
        Edge(
            title=MODEL_OF[metric.metric].title,
            attribute=metric.attribute,
            asked=metric.threshold or "",
            reached=metric.value,
            classes=int(row[1]),
            records=int(row[2]),
        )
        for (metric, _), row in zip(asked, found, strict=True)
    )
    relax = relaxing(recorded, at_edges, int(free_records)) if lost else ()
    return Why(
        release=str(recorded.relation),
        classes=int(classes_there),
        edges=at_edges,
        free_classes=int(free_classes),
        free_records=int(free_records),
        largest=tuple(
            LargeClass(
                int(number),
                int(records),
                dict(zip(cells, rest[count:], strict=True)),
                tuple(index for index, at in enumerate(rest[:count]) if at),
            )
            for number, records, *rest in largest.rows
        ),
        left_out=left_out(recorded),
        verdict=Verdict(lost, relax),
    )


def verdict_of(recorded: Recorded) -> Verdict:
    """Whether a release is nearly all lost, and what to relax.

    Raises:
        SpecError: if its classes are gone.
    """
    lost = lost_of(recorded)
    if not lost:
        return Verdict()
    try:
        return _at_edges(recorded, lost).verdict
    except SpecError:  # nothing was asked of its classes that has an edge
        return Verdict(lost, relaxing(recorded, (), 0))


def _edges(measures: list[Metric]) -> Iterator[tuple[Metric, dict[str, object]]]:
    """Every model that was asked for by one number, with the column of its measure and its edge."""
    for metric in measures:
        model = MODEL_OF.get(metric.metric)
        if model is None or metric.threshold is None:
            continue
        try:
            asked = Fraction(metric.threshold)
        except ValueError:
            continue
        least = model.worst == "least"
        if metric.metric == "k_anonymity" and metric.attribute is None:
            edge = 2 * asked
        elif model.whole:
            edge = asked + 1
        else:
            edge = asked * (1 + _NEAR if least else 1 - _NEAR)
        column = class_column(metric.metric, metric.attribute)
        yield metric, {"column": column, "least": least, "value": Sql(f"{float(edge):.12g}")}
