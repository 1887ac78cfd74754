"""The calls that make a release, or say what a run would come to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

from sqlanon.api.connected import Connected
from sqlanon.api.given import from_item, is_frame, read
from sqlanon.declared import Declared, Tried
from sqlanon.errors import SpecError
from sqlanon.kept.metrics import Metric
from sqlanon.outlook.dry_run import dry_run
from sqlanon.outlook.predict import predict_metrics
from sqlanon.outlook.reachable import Reachable, reachable
from sqlanon.planning.prepare import Prepared, prepare
from sqlanon.planning.recoding import prepare_release, prepare_script
from sqlanon.privacy.thresholds import swept_models
from sqlanon.release.release import Release
from sqlanon.release.run import publish
from sqlanon.release.script import release_script
from sqlanon.spec import parse_grid
from sqlanon.sweeps.sweep import Sweep
from sqlanon.sweeps.sweep import sweep as try_grid

_NO_WEIGHT = (
    "the weight of privacy loss is called privacy_weight; alpha as a model belongs into privacy "
    "here"
)


class Releasing(Connected):
    """The calls that follow a spec."""

    def run(
        self,
        source: Any,
        *,
        after: str | Sequence[str] = (),
        all_metrics: bool = True,
        **declared: Unpack[Declared],
    ) -> Release:
        """Publish a table so that no person in it can be picked out, or refuse to.

        Args:
            source: a spec (an object, its YAML file, or a mapping of its fields), or the records: a
                CSV or Parquet file or glob, a table, view or query of the database, a DuckDB
                relation, or a pandas, polars or Arrow frame.
            after: earlier releases of the same persons, by name, in addition to those that the
                spec names: the run also limits what readers of all of them can find out.
            all_metrics: whether all is measured that is known of a release, or what is asked for.
            **declared: the fields of a spec, unless ``source`` is one. A field that asks for a
                privacy model, such as ``k``, ``l`` and ``t``, may stand for the same under
                ``privacy``; ``release`` is ``anonymized`` by default.

        Returns:
            The release, published, with its metrics. It is read from this database, and so for as
            long as that is open.

        Raises:
            SpecError: if what is declared is wrong or does not fit the source.
            InfeasibleError: if a declared privacy model cannot be met; nothing is published.
            EngineError: if the database fails.
            InterruptedRunError: if the user interrupts; nothing is published, and the database
                stays open.

        Example:
            >>> with sqlanon.open("patients.duckdb") as db:  # doctest: +SKIP
            ...     release = db.run("release.yaml")
        """
        earlier = [after] if isinstance(after, str) else list(after)
        spec, records = read(source, declared, after=earlier)
        with (
            self._use(spec.database, lasting=True) as engine,
            from_item(records, engine, spec.columns_read) as item,
            self._watching() as listener,
        ):
            plan = prepare_release(spec, engine, all_metrics, item)
            release = publish(plan, engine, listener)
        return replace(release, lent=self.lends)

    def plan(
        self, source: Any, *, after: str | Sequence[str] = (), **declared: Unpack[Declared]
    ) -> Prepared:
        """Everything a run would do, without doing it; arguments as for `run`.

        Raises:
            SpecError: if what is declared is wrong or does not fit the source.
            EngineError: if the database fails.
        """
        spec, records = read(source, declared, after=[after] if isinstance(after, str) else after)
        with (
            self._use(spec.database) as engine,
            from_item(records, engine, spec.columns_read) as item,
        ):
            return prepare_release(spec, engine, True, item)

    def predict(self, source: Any, **declared: Unpack[Declared]) -> list[Metric] | None:
        """Predict what the models will reach, by the frequencies of the sensitive values alone.

        Arguments as for `run`. No record is assigned and nothing is written. The values are those
        of the classes as dealt: where classes publish equal tuples, a reader sees one class, whose
        k and l can only be greater and whose t only smaller.

        Returns:
            A metric for every model, or None where the classes depend on the quasi-identifiers.

        Raises:
            SpecError: if what is declared is wrong or does not fit the source.
            EngineError: if the database fails.
        """
        spec, records = read(source, declared)
        with (
            self._use(spec.database) as engine,
            from_item(records, engine, spec.columns_read) as item,
            dry_run(prepare(spec, engine, item), engine) as dry,
        ):
            return predict_metrics(dry)

    def sweep(
        self,
        source: Any,
        *,
        k: Any = None,
        l: Any = None,  # noqa: E741 - as the model is called
        t: Any = None,
        methods: Any = None,
        privacy_weight: Any = None,
        quick: bool = False,
        **declared: Unpack[Tried],
    ) -> Sweep:
        """Try every combination of k, l, t and methods; nothing is published.

        The relation ``<release>__sweep`` is written, with the measures of each combination and why
        it does not hold if it does not.

        Args:
            source: as for `run`.
            k: the least class sizes, as numbers and ranges such as ``"2-50"``; the spec's by
                default.
            l: the different values asked of every sensitive attribute, in place of its own, as
                numbers and ranges; a mapping is the spec's l, such as ``{"entropy": 2}``.
            t: the closeness asked of every sensitive attribute, in place of its own.
            methods: the methods, each as in a spec; the spec's by default.
            privacy_weight: the weight of privacy loss, 0 to 1, if the cheapest combination is to
                be named.
            quick: tell from the frequencies alone what Stack & Deal reaches as dealt: one scan for
                any number of k, and no information loss.
            **declared: the fields of a spec, as for `run`. Several thresholds may stand where the
                command has an option for several.

        Returns:
            What was found; its trials lie in the order of methods, k, l, such thresholds and t.

        Raises:
            SpecError: if what is declared is wrong or does not fit the source.
            InfeasibleError: if there are fewer records than the least k.
            EngineError: if the database fails.
            InterruptedRunError: if the user interrupts; no relation is left behind.

        Example:
            >>> found = db.sweep(
            ...     "patients.csv",
            ...     quasi_identifiers=["age", "sex"],
            ...     sensitive=["disease"],
            ...     k=[3, 5, 10],
            ...     t=[0.3, 0.2],
            ... )  # doctest: +SKIP
        """
        if "alpha" in declared:  # it weighed privacy loss once, and is not to mean a share silently
            raise SpecError(_NO_WEIGHT)
        asked: dict[str, Any] = dict(declared)
        if isinstance(l, Mapping):
            asked["l"], l = l, None  # noqa: E741
        fields = [one.field.name for one in swept_models() if one.field.name in asked]
        tried = {"k": k, "l": l, "t": t, "methods": methods}
        tried |= {name: asked.pop(name) for name in fields}
        grid = parse_grid(**tried, privacy_weight=privacy_weight)
        spec, records = read(source, asked, k=grid.k[0] if grid.k else None)
        with (
            self._use(spec.database, lasting=True) as engine,
            from_item(records, engine, spec.columns_read) as item,
            self._watching() as listener,
        ):
            found = try_grid(spec, grid, engine, item, listener, quick)
        return replace(found, lent=self.lends)

    def why(self, source: Any, **declared: Unpack[Declared]) -> Reachable:
        """Whether what is declared can be met, what keeps it from that, and what could be asked.

        Arguments as for `run`; nothing is published. Without leaving records out, no
        release can reach more than all records in one class do. Where that is enough, the method is
        tried, and the result says what the method reaches.

        Raises:
            SpecError: if the spec does not fit the source, or asks for what has no known limits.
            EngineError: if the database fails.
            InterruptedRunError: if the user interrupts.

        Example:
            >>> db.why("patients.csv", quasi_identifiers=["age"], k=10).passed  # doctest: +SKIP
            True
        """
        if isinstance(source, Release):
            raise SpecError("a release is given: release.why() says what keeps its classes large")
        spec, records = read(source, declared)
        with (
            self._use(spec.database) as engine,
            from_item(records, engine, spec.columns_read) as item,
            self._watching() as listener,
        ):
            return reachable(spec, engine, item, listener)

    def compile(
        self,
        source: Any,
        *,
        dialect: str | None = None,
        all_metrics: bool = False,
        **declared: Unpack[Declared],
    ) -> str:
        """The run as one SQL script that makes the same release without sqlanon.

        Args:
            source: as for `run`; it must be one that the script can name.
            dialect: the SQL to write; by default the database's own. Of those that no engine here
                runs, the text says so.
            all_metrics: whether the script measures all that a run measures; by default it
                measures what is asked for.
            **declared: as for `run`.

        Raises:
            SpecError: if what is declared is wrong or does not fit the source; also if that is a
                frame, which no script can read.
            EngineError: if the database fails.
        """
        if is_frame(source):
            raise SpecError("a script cannot read a frame: give a file, a table or a query")
        spec, _ = read(source, declared)
        with self._use(spec.database) as engine:
            prepared = prepare_script(spec, engine, all_metrics, dialect)
            return release_script(prepared, engine, dialect)
