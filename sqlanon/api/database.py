"""A database that is open, with all that can be done in it; and how one is opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self, Unpack

from sqlanon.api.connected import BOTH, Connected, Settings
from sqlanon.api.declared import Declared, Tried
from sqlanon.api.given import from_item, is_frame, read
from sqlanon.api.measuring import Measuring
from sqlanon.api.reading import Reading
from sqlanon.errors import SpecError
from sqlanon.planning.prepare import Prepared, prepare
from sqlanon.planning.recoding import prepare_release, prepare_script
from sqlanon.privacy.thresholds import swept_models
from sqlanon.record.metrics import Metric
from sqlanon.session import Listener
from sqlanon.source.source import table_named
from sqlanon.spec import Spec, parse_grid, parse_source
from sqlanon.uses.comparison.comparison import Comparison, compared
from sqlanon.uses.comparison.release import Compared, compared_release, compared_table
from sqlanon.uses.outlook.dry_run import dry_run
from sqlanon.uses.outlook.predict import predict_metrics
from sqlanon.uses.outlook.reachable import Reachable, reachable
from sqlanon.uses.release.release import Release
from sqlanon.uses.release.run import publish
from sqlanon.uses.release.script import release_script
from sqlanon.uses.sweeps.sweep import Sweep
from sqlanon.uses.sweeps.sweep import sweep as try_grid

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
        fields = [model.field.name for model in swept_models() if model.field.name in asked]
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


class Comparing(Measuring, Reading):
    """The call that measures several releases, and reads them."""

    def compare(
        self,
        *releases: Any,
        spec: Spec | str | Path | None = None,
        quasi_identifiers: Sequence[str] | None = None,
        sensitive: Sequence[str] | Mapping[str, Any] | None = None,
        reference: Any = None,
        attacks: bool = False,
        external: Any = None,
        utility: bool = False,
        source: Any = None,
    ) -> Comparison:
        """Set releases side by side: what each reached, what it cost, and what was asked of it.

        Of a release of a run nothing is measured again: its metrics are read. Any other table is
        measured as `check` does, and needs a spec or the roles of its columns.

        Args:
            *releases: releases, or the names of those that runs made; or other tables, as for
                `run`: files, frames, and tables that no run made.
            spec: the spec that these other tables are releases of.
            quasi_identifiers: those of the other tables, without a spec.
            sensitive: the sensitive attributes of the other tables, without a spec.
            reference: the table that t of the other tables is measured against; by default the
                table itself, or the spec's source.
            attacks: whether each is attacked as well, as `attack` does.
            external: a table of persons for the attacks, which asks for them.
            utility: whether it is measured as well what each is good for, as `utility` does: reads
                the source of each.
            source: what all of them were made of, which asks for utility; by default what the run
                of each read, or the spec's source.

        Returns:
            The comparison: a table in a notebook, ``as_object`` for programs, ``write`` for a page
            of HTML. With ``beside`` it takes in one of another database.

        Raises:
            SpecError: if none is given, there is no such release, or a table's roles are not known.
                With ``utility`` also if a source is not found from here.
            InfeasibleError: if a table has no records.
            EngineError: if the database fails.

        Example:
            >>> found = db.compare("patients_10", "patients_20")  # doctest: +SKIP
            >>> found.value("gcp", "patients_20")  # doctest: +SKIP
            0.31
        """
        roles: dict[str, Any] = {}
        if quasi_identifiers is not None:
            roles = {"quasi_identifiers": quasi_identifiers, "sensitive": sensitive or []}
        elif sensitive is not None:
            raise SpecError("give quasi_identifiers with the sensitive attributes, or neither")
        if spec is not None and roles:
            raise SpecError("with a spec, the roles of the columns are the spec's")
        found = list[Compared]()
        for number, release in enumerate(releases, 1):
            known: dict[str, Any] = {}
            if self._is_release(release):
                with self._use() as engine:
                    made = compared_release(self._held(release, engine))
            else:
                made = self._measured_table(number, release, spec, roles, reference)
                known = roles or {"spec": spec}
            if attacks or external is not None:
                attacked = self.attack(release, external=external, **known)
                notes = dict[str, str](attacked.notes.items())
                made = replace(made, attacked=attacked.findings, notes=notes)
            if utility or source is not None:
                made = self._with_utility(made, release, source, known)
            found.append(made)
        return compared(found)

    def _measured_table(
        self,
        number: int,
        table: Any,
        spec: Spec | str | Path | None,
        roles: Mapping[str, Any],
        reference: Any,
    ) -> Compared:
        """Any table, measured as `check` does."""
        name = f"table {number}" if is_frame(table) else parse_source(table).name
        if spec is None and not roles:
            what = "is no release of a run: give its quasi_identifiers, or the spec it is of"
            raise SpecError(f"{name!r} {what}")
        checked = self.check(table, spec=spec, reference=reference, **roles)
        known = None if spec is None else read(spec, {})[0]
        return compared_table(checked, name, known, known is None and reference is None)

    def _with_utility(
        self, made: Compared, release: Any, source: Any, known: Mapping[str, Any]
    ) -> Compared:
        """The same with what it is still good for.

        Raises:
            SpecError: if its source is not known, or not found from here.
        """
        try:
            useful = self.utility(release, source=source, **known)
        except SpecError as error:
            what = f"the use of {made.name} cannot be measured: {error}"
            raise SpecError(what) from None
        return replace(made, useful=useful.findings, notes={**made.notes, **useful.notes})

    def _is_release(self, table: Any) -> bool:
        """Whether a run made it; a name that nothing bears is one, which is then missed."""
        if isinstance(table, Release):
            return True
        source = None if is_frame(table) else parse_source(table)
        if source is None or source.table is None:
            return False
        with self._use() as engine:
            relation = table_named(source.table, "release")
            run = relation.sibling("run")
            there = engine.kind_of(relation) is not None
            return not there or engine.kind_of(run) is not None


class Database(Releasing, Comparing):
    """A database that is open: one call after the other, on one connection.

    `sqlanon.open` opens it. As a context manager it is closed at the end of its block.
    """

    def __enter__(self) -> Self:
        self._check_open()
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def open(  # noqa: A001 - the word for it
    database: Any = None,
    *,
    connection: Any = None,
    settings: Settings | None = None,
    progress: Listener | bool = True,
    show_database_errors: bool = False,
) -> Database:
    """Open a database, for one call after the other.

    Args:
        database: what holds the tables and the releases: a DuckDB file, which is made if there is
            none; the address of another database, such as ``postgresql://host/name``; your own
            DuckDB or psycopg connection or Spark session; or the ``engine`` of a release. In
            memory by default. Your own is left open, and between two calls it is as you left it.
        connection: your own connection, in its place, as the functions of single calls have it.
        settings: the database's settings, such as DuckDB's ``{"memory_limit": "4GB"}``.
        progress: whether to show how a call comes along, in a terminal or a notebook; or a function
            that is called with an `Event` at every sign of life.
        show_database_errors: show the database's own messages whole, for finding a fault: they may
            quote the data. Without it only those are shown that cannot.

    Returns:
        The database. Close it, or open it in a ``with``.

    Raises:
        SpecError: if it cannot be used, two are given, a setting is refused, or its client is not
            installed.
        EngineError: if it cannot be opened.

    Example:
        >>> with sqlanon.open("patients.duckdb") as db:  # doctest: +SKIP
        ...     release = db.run("release.yaml")
        ...     print(db.attack(release, external="voters.csv"))
    """
    if database is not None and connection is not None:
        raise SpecError(BOTH)
    opened = Database(
        database if connection is None else connection,
        settings=settings,
        progress=progress,
        show_database_errors=show_database_errors,
    )
    opened.open()
    return opened
