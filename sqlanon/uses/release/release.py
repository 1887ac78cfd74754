"""A release that was published: what it has reached, and all that can be done with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

from sqlanon.common.visible import visible
from sqlanon.draft import Told
from sqlanon.engines import Engine
from sqlanon.engines.alone import alone
from sqlanon.engines.frames import held_by_polars
from sqlanon.errors import EngineError, SpecError
from sqlanon.pages.charts.chart import Chart
from sqlanon.plan import Rows
from sqlanon.record.content import held
from sqlanon.record.left_out import GivenAway
from sqlanon.record.metrics import Measured, Metric
from sqlanon.record.preview import AS_PUBLISHED, Cells, preview, release_html, usable
from sqlanon.record.recorded import metrics_frame, recorded
from sqlanon.record.summary import Summary
from sqlanon.spec import Distances
from sqlanon.sql.names import Relation
from sqlanon.uses.certificates.certificate import Certificate
from sqlanon.uses.certificates.certify import certify
from sqlanon.uses.certificates.export import export
from sqlanon.uses.reports.charts import class_charts
from sqlanon.uses.reports.report import report
from sqlanon.uses.reports.verdict import Verdict
from sqlanon.uses.reports.why import Why, why

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


_Given = ParamSpec("_Given")
_Result = TypeVar("_Result")


def _settled(
    read: Callable[Concatenate[Release, _Given], _Result],
) -> Callable[Concatenate[Release, _Given], _Result]:
    """Read a release as its run wrote it, also on a connection that has its own settings again."""

    @wraps(read)
    def called(self: Release, /, *given: _Given.args, **named: _Given.kwargs) -> _Result:
        with alone(self.engine.connection), self.engine.driver.settled():
            return read(self, *given, **named)

    return called


@dataclass(frozen=True, repr=False)
class Release(Measured):
    """A release that was published.

    Attributes:
        relation: the anonymized table or view.
        classes: a row for each equivalence class, for the publisher.
        metrics: the relation of what was reached, with what was asked for.
        run: the relation of the run's facts: spec, fingerprint, versions, timings, SQL.
        measures: the metrics, read.
        sql: the whole run as one SQL script.
        steps: every step's relation, title, seconds and rows (None: not known), in order.
        unreleased: the source's columns that have no role and so were not released.
        seconds: how long it took.
        engine: the database that holds it.
        chosen: which k was chosen and why, where the spec left it to be chosen.
        levels: of a method that searches over levels, the level it chose for each column; a column
            is published at a lower one if that shows the same classes.
        suppressed: where records might be left out, how many were by each reason.
        nodes: where a search chose levels, the relation of all choices that it judged.
        drawn_seed: the seed, where the spec gives none: with it, the same release is made again,
            but for what differential privacy draws by a key of the run's own.
        transforms: what was done to each column that was transformed, in a few words.
        others: the other published relations, such as anatomy's sensitive values.
        kept: what clauses keep for the publisher, such as the class of each person for later
            releases; it is published to nobody.
        told: by the name of a clause's folder, what it has to say of the release. Of one that
            follows others, what intersecting the classes of all of them leaves: `candidates`, the
            persons that nobody can be distinguished from, and `possible_values`, with how many
            groups of persons violate a model, and with how many persons.
        counts: what k, l, α and t count: records, or persons.
        suppressed_cells: where cells of slices are suppressed, of how many records each
            quasi-identifier that may be is.
        taken_from: the release whose cells, or whose way of dealing records out, was taken over.
        outside: how many records lie in none of its classes.
        distances: by which distance each t was measured.
        verdict: whether nearly all is lost, and what to relax; false where it is not.
        remarks: sentences on columns that are text because of how the source's file writes them.
            Others are on what holds as it was asked for and protects less than it seems to.
        shows_counts: whether it shows counts with noise, and no record.
        given_away: the sensitive attributes of which a value is certain of everybody in some
            classes, with how many these are.
        lent: whether the database is somebody else's to close.
        summary: the protection, its cost, and the remaining risks, in sentences.
    """

    relation: Relation
    classes: Relation
    metrics: Relation
    run: Relation
    measures: tuple[Metric, ...] = field(repr=False)
    sql: str = field(repr=False)
    steps: tuple[dict[str, Any], ...] = field(repr=False)
    unreleased: tuple[str, ...]
    seconds: float
    engine: Engine = field(repr=False)
    chosen: str | None = None
    levels: dict[str, int] | None = None
    suppressed: Relation | None = None
    nodes: Relation | None = None
    drawn_seed: int | None = field(default=None, repr=False)
    others: tuple[Relation, ...] = ()
    transforms: dict[str, str] = field(default_factory=dict)
    kept: tuple[Relation, ...] = ()
    told: dict[str, Told] = field(default_factory=dict)
    counts: str = "records"
    suppressed_cells: dict[str, int] | None = None
    taken_from: str | None = None
    outside: int = 0
    distances: Distances = field(default_factory=Distances, repr=False)
    verdict: Verdict = field(default_factory=Verdict, repr=False)
    remarks: tuple[str, ...] = ()
    shows_counts: bool = False
    given_away: tuple[GivenAway, ...] = ()
    lent: bool = field(default=False, repr=False)
    summary: Summary = field(default_factory=Summary, repr=False)

    @_settled
    def frame(self, cells: Cells = AS_PUBLISHED) -> pd.DataFrame:
        """The published table as a pandas frame.

        Args:
            cells: what an interval of a quasi-identifier becomes: ``text`` as it is published,
                ``bounds`` its two ends in columns of their own,
                ``interval`` a ``pandas.Interval``, or ``mid`` the middle of it, as a number or a
                date. Columns with other cells, such as sets, stay as they are.

        Raises:
            SpecError: if the release was changed since its run, or ``cells`` is not known.
            EngineError: if the database was closed, which says what the columns are.
        """
        self._hold()
        found = self.engine.frame(self.relation)
        if cells == AS_PUBLISHED:
            return found
        columns = held(self.relation, self.engine).relations[""]
        generalized = [column.name for column in columns if column.role == "quasi_identifier"]
        return usable(found, generalized, cells)

    @_settled
    def arrow(self) -> pa.Table:
        """The published table as an Arrow table; of that ``polars.from_arrow`` makes a frame.

        Raises:
            SpecError: if the release was changed since its run.
            ModuleNotFoundError: if pyarrow is not installed.
        """
        self._hold()
        return self.engine.arrow(self.relation)

    @_settled
    def polars(self) -> Any:
        """The published table as a polars ``DataFrame``.

        Raises:
            SpecError: if polars is not installed, or the release was changed since its run.
            ModuleNotFoundError: if pyarrow is not installed.
        """
        if find_spec("polars") is None:
            raise SpecError("a polars frame needs polars: install it, or take frame() or arrow()")
        return import_module("polars").from_arrow(held_by_polars(self.arrow()))

    @_settled
    def charts(self) -> dict[str, Chart]:
        """The report's histograms, by title; a notebook shows each, and ``save`` draws a file.

        They are of single classes: for the publisher.

        Raises:
            SpecError: if the classes are gone.
        """
        return class_charts(held(self.relation, self.engine))

    def metrics_frame(self) -> pd.DataFrame:
        """The metrics as a pandas frame, a row each; ``sentence`` says what was reached."""
        return metrics_frame(self.measures, self.counts)

    @_settled
    def export(
        self, file: str | Path, overwrite: bool = False, escape_formulas: bool = False
    ) -> tuple[Path, ...]:
        """Write it to a file to hand out, .csv or .parquet, with a data dictionary next to it.

        Args:
            file: the file.
            overwrite: whether files that are there may be replaced.
            escape_formulas: put a quote before text of a CSV file that a spreadsheet would take for
                a formula.

        Returns:
            The files, the release first and the dictionary last.

        Raises:
            SpecError: if the file cannot be of a release, or is there and not to be replaced.
        """
        past = held(self.relation, self.engine)
        return export(past, Path(file), overwrite, escape_formulas)

    def _hold(self) -> None:
        """Refuse a release that was changed since its run, as far as its engine can still ask."""
        if not self.engine.driver.closed:
            held(self.relation, self.engine)

    @_settled
    def certificate(self) -> Certificate:
        """The certificate to hand out with it: what it is and reached; its ``text`` goes to a file.

        Raises:
            SpecError: if the release was changed since its run.
        """
        return certify(held(self.relation, self.engine))

    @_settled
    def report(self, file: str | Path, external: bool = False, overwrite: bool = False) -> Path:
        """Write what was declared and reached to an HTML file, for people to read.

        Args:
            file: the file, .html.
            external: leave out what is the publisher's alone: figures of classes and of
                sensitive values, the source, the seed and the SQL.
            overwrite: whether the file may be replaced if it is there.

        Raises:
            SpecError: if the file cannot be a report, or is there and not to be replaced.
        """
        return report(held(self.relation, self.engine), Path(file), external, overwrite)

    @_settled
    def why(self) -> Why:
        """The reasons for the size of its classes: the models at whose edge they lie.

        Raises:
            SpecError: if its classes are gone, or nothing was asked of them that is one number.
        """
        return why(held(self.relation, self.engine))

    def close(self) -> None:
        """Close the database; the release stays in it, unless it is in memory.

        A database of `sqlanon.open` stays open, until that is closed.
        """
        if not self.lent:
            self.engine.close()

    def __enter__(self) -> Release:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def __repr__(self) -> str:
        sizes = {metric.metric: metric.value or 0 for metric in self.measures}
        name = f"Release({self.relation})"
        if "records" in sizes:  # which a run that measures what is asked for does not
            of = f"{sizes['records']:,.0f} records in {sizes['classes']:,.0f} classes"
            name = f"Release({self.relation}, {of})"
        return visible("\n".join((name, *self.summary.sentences)))

    def _repr_html_(self) -> str:
        name, measures = str(self.relation), self.measures
        return release_html(name, self.summary, measures, self.preview(), self.shows_counts)

    def preview(self) -> Rows | None:
        """A record of each of five classes; None where they cannot be read any more."""
        if self.engine.driver.closed:
            return None
        try:
            return preview(recorded(self.relation, self.engine))
        except (SpecError, EngineError):
            return None
