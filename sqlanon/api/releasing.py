"""What makes a release, or says what a run would come to."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Unpack

from sqlanon.api.given import Settings, engine_of, from_item, is_frame, read
from sqlanon.declared import Declared, Fields
from sqlanon.errors import SpecError
from sqlanon.kept.metrics import Metric
from sqlanon.outlook.dry_run import dry_run
from sqlanon.outlook.predict import predict_metrics
from sqlanon.outlook.reachable import Reachable, reachable
from sqlanon.planning.prepare import Prepared, prepare
from sqlanon.progress import watching
from sqlanon.release.run import Release, publish
from sqlanon.release.script import release_script
from sqlanon.session import Listener
from sqlanon.spec import (
    parse_grid,
)
from sqlanon.sweeps.sweep import Sweep
from sqlanon.sweeps.sweep import sweep as try_grid

_NO_WEIGHT = (
    "the weight of privacy loss is called privacy_weight; alpha as a model belongs into privacy "
    "here"
)


def anonymize(
    source: Any,
    *,
    after: str | Sequence[str] = (),
    database: str | Path | None = None,
    connection: Any = None,
    settings: Settings | None = None,
    progress: Listener | bool = True,
    show_database_errors: bool = False,
    **declared: Unpack[Declared],
) -> Release:
    """Publish a table so that no person in it can be picked out, or refuse to.

    Args:
        source: a spec (an object or its YAML file), or the records: a CSV or Parquet file or
            glob, a table, view or query of the database, a DuckDB relation, or a pandas, polars
            or Arrow frame.
        after: earlier releases of the same persons, by name, beside those that ``series`` names:
            what readers of all of them can find out is held too.
        database: what holds the release (and the source, if that is a table): a DuckDB file, or
            the address of another database, such as ``postgresql://host/name``; in memory by
            default.
        connection: your own connection in place of ``database``; it stays open.
        settings: the database's settings, such as DuckDB's ``{"memory_limit": "4GB"}``.
        progress: whether to show how it comes along, in a terminal or a notebook; or a function
            that is called with an Event at every sign of life.
        show_database_errors: show the database's own messages whole, for finding a fault: they
            may quote the data. Without it only those are shown that cannot.
        **declared: the fields of a spec, unless ``source`` is one. What asks for a privacy model,
            such as ``k``, ``l`` and ``t``, may stand for the same under ``privacy``; ``release``
            is ``anonymized`` by default.

    Returns:
        The release, published, with its metrics.

    Raises:
        SpecError: if what is declared is wrong or does not fit the source.
        InfeasibleError: if a declared privacy model cannot be met; nothing is published.
        EngineError: if the database fails.
        InterruptedRunError: if the user interrupts.

    Example:
        >>> release = anonymize(
        ...     "patients.csv",
        ...     quasi_identifiers=["age", "sex"],
        ...     sensitive={"disease": {"t": 0.3}},
        ...     k=10,
        ... )  # doctest: +SKIP
    """
    earlier = [after] if isinstance(after, str) else list(after)
    spec, records = read(source, declared, after=earlier)
    engine = engine_of(database, connection, settings, spec, show_database_errors)
    try:
        with from_item(records, engine, spec.columns_read) as item, watching(progress) as listener:
            release = publish(prepare(spec, engine, item), engine, listener)
        engine.give_back()
        return release
    except BaseException:
        engine.close()
        raise


def plan(
    source: Any,
    *,
    database: str | Path | None = None,
    connection: Any = None,
    after: str | Sequence[str] = (),
    show_database_errors: bool = False,
    **declared: Unpack[Declared],
) -> Prepared:
    """Everything a run would do, without doing it; arguments as for `anonymize`."""
    spec, records = read(source, declared, after=[after] if isinstance(after, str) else after)
    engine = engine_of(database, connection, None, spec, show_database_errors)
    try:
        with from_item(records, engine, spec.columns_read) as item:
            return prepare(spec, engine, item)
    finally:
        engine.close()


def predict(
    source: Any,
    *,
    database: str | Path | None = None,
    connection: Any = None,
    show_database_errors: bool = False,
    **declared: Unpack[Declared],
) -> list[Metric] | None:
    """What the models will reach, from the frequencies of the sensitive values alone.

    Arguments as for `anonymize`. No record is assigned and nothing is written. The values are
    those of the classes as dealt: where classes publish equal tuples, a reader sees one class,
    whose k and l can only be greater and whose t only smaller.

    Returns:
        A metric for every model, or None where the classes depend on the quasi-identifiers.
    """
    spec, records = read(source, declared)
    engine = engine_of(database, connection, None, spec, show_database_errors)
    try:
        with (
            from_item(records, engine, spec.columns_read) as item,
            dry_run(prepare(spec, engine, item), engine) as dry,
        ):
            return predict_metrics(dry)
    finally:
        engine.close()


def sweep(
    source: Any,
    *,
    k: Any = None,
    t: Any = None,
    methods: Any = None,
    privacy_weight: Any = None,
    quick: bool = False,
    database: str | Path | None = None,
    connection: Any = None,
    settings: Settings | None = None,
    progress: Listener | bool = True,
    show_database_errors: bool = False,
    **declared: Unpack[Fields],
) -> Sweep:
    """What every combination of several k, t and methods would come to; nothing is published.

    The relation ``<release>__sweep`` is written, with the measures of each combination and why it
    does not hold if it does not.

    Args:
        source: as for `anonymize`.
        k: the least class sizes, as numbers and ranges such as ``"2-50"``; the spec's by default.
        t: the closeness asked of every sensitive attribute, in place of its own.
        methods: the methods, each as in a spec; the spec's by default.
        privacy_weight: the weight of privacy loss, 0 to 1, if the cheapest combination is to be
            named.
        quick: tell from the frequencies alone what Stack & Deal reaches as dealt: one scan for
            any number of k, and no information loss.
        database: as for `anonymize`.
        connection: as for `anonymize`.
        settings: as for `anonymize`.
        progress: as for `anonymize`.
        show_database_errors: as for `anonymize`.
        **declared: the fields of a spec, as for `anonymize`.

    Returns:
        What was found; its trials lie in the order of methods, k and t.

    Raises:
        SpecError: if what is declared is wrong or does not fit the source.
        InfeasibleError: if there are fewer records than the least k.
        EngineError: if the database fails.
        InterruptedRunError: if the user interrupts; no relation is left behind.

    Example:
        >>> found = sweep(
        ...     "patients.csv",
        ...     quasi_identifiers=["age", "sex"],
        ...     sensitive=["disease"],
        ...     k=[3, 5, 10],
        ...     t=[0.3, 0.2],
        ... )  # doctest: +SKIP
    """
    if "alpha" in declared:  # it weighed privacy loss once, and is not to mean a share silently
        raise SpecError(_NO_WEIGHT)
    grid = parse_grid(k=k, t=t, methods=methods, privacy_weight=privacy_weight)
    spec, records = read(source, declared, k=grid.k[0] if grid.k else None)
    engine = engine_of(database, connection, settings, spec, show_database_errors)
    try:
        with from_item(records, engine, spec.columns_read) as item, watching(progress) as listener:
            found = try_grid(spec, grid, engine, item, listener, quick)
        engine.give_back()
        return found
    except BaseException:
        engine.close()
        raise


def why(
    source: Any,
    *,
    database: str | Path | None = None,
    connection: Any = None,
    settings: Settings | None = None,
    progress: Listener | bool = True,
    show_database_errors: bool = False,
    **declared: Unpack[Declared],
) -> Reachable:
    """Whether what is declared can be met, which model keeps it from that, and what could be asked.

    Arguments as for `anonymize`; nothing is published. What all records in one class reach is the
    most that any release can, without leaving records out. Where that is enough, the method is
    tried: then it is told what the method reaches.

    Raises:
        SpecError: if the spec does not fit the source, or asks for exact rows or background.
        EngineError: if the database fails.
        InterruptedRunError: if the user interrupts.

    Example:
        >>> found = why("patients.csv", quasi_identifiers=["age"], k=10)  # doctest: +SKIP
        >>> found.passed  # doctest: +SKIP
        True
    """
    spec, records = read(source, declared)
    engine = engine_of(database, connection, settings, spec, show_database_errors)
    try:
        with from_item(records, engine, spec.columns_read) as item, watching(progress) as listener:
            return reachable(spec, engine, item, listener)
    finally:
        engine.close()


def compile(  # noqa: A001 - the word for it
    source: Any,
    *,
    dialect: str | None = None,
    database: str | Path | None = None,
    connection: Any = None,
    show_database_errors: bool = False,
    **declared: Unpack[Declared],
) -> str:
    """The run as one SQL script that makes the same release without sqlanon.

    Arguments as for `anonymize`; the source must be one that the script can name.

    Args:
        source: as for `anonymize`.
        dialect: the SQL to write; by default the database's own. Of those that no engine here
            runs, the text says so.
        database: as for `anonymize`.
        connection: as for `anonymize`.
        show_database_errors: as for `anonymize`.
        **declared: as for `anonymize`.

    Raises:
        SpecError: also if the source is a frame, which no script can read.
    """
    if is_frame(source):
        raise SpecError("a script cannot read a frame: give a file, a table or a query")
    spec, _ = read(source, declared)
    engine = engine_of(database, connection, None, spec, show_database_errors)
    try:
        return release_script(prepare(spec, engine), engine, dialect)
    finally:
        engine.close()
