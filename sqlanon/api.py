"""The public functions: what the command line can do, a Python program can do as well."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any, Unpack

from sqlanon.declared import Declared, Fields
from sqlanon.engines import Engine, open_engine
from sqlanon.errors import Problem, SpecError
from sqlanon.privacy.thresholds import fields_of
from sqlanon.profile import Profile, Risks, Sample, profile_table, risk_of
from sqlanon.progress import watching
from sqlanon.release import Measurements, Prepared, Release, Sweep, check, dry_run, prepare, publish
from sqlanon.release import predict as before_running
from sqlanon.release import sweep as try_grid
from sqlanon.release.as_published import of_release, of_table
from sqlanon.release.attack import attack as attack_published
from sqlanon.release.certificate import Certificate, read_certificate
from sqlanon.release.findings import Attacked
from sqlanon.release.metrics import Metric
from sqlanon.release.reachable import Reachable, reachable
from sqlanon.release.recorded import recorded
from sqlanon.release.script import release_script
from sqlanon.release.useful import Utility
from sqlanon.release.utility import QUERIES
from sqlanon.release.utility import utility as utility_of
from sqlanon.release.verify import Verified
from sqlanon.release.verify import verify as hold
from sqlanon.session import Listener
from sqlanon.spec import (
    Frame,
    Source,
    Spec,
    following,
    load_spec,
    parse_grid,
    parse_queries,
    parse_source,
    parse_spec,
)
from sqlanon.sql.names import Sql

Settings = dict[str, str | int]
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
    spec, records = _read(source, declared, after=earlier)
    engine = _engine(database, connection, settings, spec, show_database_errors)
    try:
        with _from_item(records, engine) as item, watching(progress) as listener:
            release = publish(prepare(spec, engine, item), engine, listener)
        engine.give_back()
        return release
    except BaseException:
        engine.close()
        raise


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
    spec, records = _read(source, declared, k=grid.k[0] if grid.k else None)
    engine = _engine(database, connection, settings, spec, show_database_errors)
    try:
        with _from_item(records, engine) as item, watching(progress) as listener:
            found = try_grid(spec, grid, engine, item, listener, quick)
        engine.give_back()
        return found
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
    spec, records = _read(source, declared, after=[after] if isinstance(after, str) else after)
    engine = _engine(database, connection, None, spec, show_database_errors)
    try:
        with _from_item(records, engine) as item:
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
    spec, records = _read(source, declared)
    engine = _engine(database, connection, None, spec, show_database_errors)
    try:
        with (
            _from_item(records, engine) as item,
            dry_run(prepare(spec, engine, item), engine) as dry,
        ):
            return before_running(dry)
    finally:
        engine.close()


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
    spec, records = _read(source, declared)
    engine = _engine(database, connection, settings, spec, show_database_errors)
    try:
        with _from_item(records, engine) as item, watching(progress) as listener:
            return reachable(spec, engine, item, listener)
    finally:
        engine.close()


def profile(
    source: Any,
    *,
    database: str | Path | None = None,
    connection: Any = None,
    settings: Settings | None = None,
    progress: Listener | bool = True,
    show_database_errors: bool = False,
) -> Profile:
    """What a table is like before anything is declared: by counts, without showing a value.

    Args:
        source: the records, as for `anonymize`.
        database: what holds the records, if they are a table.
        connection: as for `anonymize`.
        settings: as for `anonymize`.
        progress: as for `anonymize`.
        show_database_errors: as for `anonymize`.

    Returns:
        Of each column its counts, likely role and the reason, and the columns it is tied to; the
        combinations that single most records out; whose records they are, if they repeat persons.

    Raises:
        SpecError: if the source cannot be read, or has no record.
        EngineError: if the database fails.

    Example:
        >>> found = profile("patients.csv")  # doctest: +SKIP
        >>> found.column("age").role.role  # doctest: +SKIP
        'quasi_identifier'
    """
    if database is not None and connection is not None:
        raise SpecError("give a database or a connection, not both")
    records = source if _is_frame(source) else None
    named = Frame() if records is not None else parse_source(source)
    engine = open_engine(database, connection, settings, show_database_errors)
    try:
        with _from_item(records, engine) as item, watching(progress) as listener:
            return profile_table(named, engine, item, listener)
    finally:
        engine.close()


def risk(
    table: Any,
    *,
    quasi_identifiers: Sequence[str],
    population: Any = None,
    fraction: Any = None,
    weight: str | None = None,
    household: str | None = None,
    database: str | Path | None = None,
    connection: Any = None,
    settings: Settings | None = None,
    progress: Listener | bool = True,
    show_database_errors: bool = False,
) -> Risks:
    """How many persons of a table are picked out by their quasi-identifiers, and by which.

    Args:
        table: the table, raw or released, as for `anonymize`.
        quasi_identifiers: its columns that others may know of a person.
        population: a table of the population with these columns, for the risks of those who may
            or may not be in the table.
        fraction: the share of the population that the table is a random sample of, such as 0.01
            or "1/100", for estimates of the same.
        weight: its column that says how many persons of the population each record stands for, for
            estimates of the same from a sample that was not drawn evenly.
        household: its column that says who lives together, for the risk that somebody of a
            household is picked out.
        database: as for `anonymize`.
        connection: as for `anonymize`.
        settings: as for `anonymize`.
        progress: as for `anonymize`.
        show_database_errors: as for `anonymize`.

    Returns:
        The figures, each with a sentence; the combinations of columns that single most records
        out; and with how few columns records are alone.

    Raises:
        SpecError: if a table cannot be read, lacks a column, or has no record.
        EngineError: if the database fails.

    Example:
        >>> found = risk("patients.csv", quasi_identifiers=["age", "sex"])  # doctest: +SKIP
        >>> found.value("unique_share")  # doctest: +SKIP
        0.2
    """
    if database is not None and connection is not None:
        raise SpecError("give a database or a connection, not both")
    frame = table if _is_frame(table) else None
    people = population if _is_frame(population) else None
    share = None
    if fraction is not None:
        try:
            share = Fraction(str(fraction))
        except (ValueError, ZeroDivisionError):
            raise SpecError("fraction: it must be a number such as 0.01, or 1/100") from None
    engine = open_engine(database, connection, settings, show_database_errors)
    try:
        with (
            _from_item(frame, engine) as item,
            _from_item(people, engine) as people_item,
            watching(progress) as listener,
        ):
            others = None
            if population is not None:
                others = Frame() if people is not None else parse_source(population)
            named = Frame() if frame is not None else parse_source(table)
            return risk_of(
                named,
                quasi_identifiers,
                engine,
                item,
                others,
                people_item,
                Sample(share, weight, household),
                listener,
            )
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
    if _is_frame(source):
        raise SpecError("a script cannot read a frame: give a file, a table or a query")
    spec, _ = _read(source, declared)
    engine = _engine(database, connection, None, spec, show_database_errors)
    try:
        return release_script(prepare(spec, engine), engine, dialect)
    finally:
        engine.close()


def measure(
    table: Any,
    *,
    spec: Spec | str | Path | None = None,
    reference: Any = None,
    database: str | Path | None = None,
    connection: Any = None,
    settings: Settings | None = None,
    progress: Listener | bool = True,
    show_database_errors: bool = False,
    **declared: Unpack[Declared],
) -> Measurements:
    """Measure privacy models, and information loss where it can be known, on any table.

    Args:
        table: the table to measure, as for `anonymize`; also another tool's release.
        spec: the spec of the release that the table is; its cells are then read by the spec's
            hierarchies, the reference is the spec's source, and no record of it may be missing.
        reference: the table whose distribution t-closeness is measured against; by default the
            table itself, or the spec's source.
        database: as for `anonymize`.
        connection: as for `anonymize`.
        settings: as for `anonymize`.
        progress: as for `anonymize`.
        show_database_errors: as for `anonymize`.
        **declared: without a spec: quasi_identifiers, sensitive, and what asks for the models.

    Returns:
        The metrics, and the models that were asked for and do not hold.

    Raises:
        SpecError: if what is declared does not fit the table.
        InfeasibleError: if the table has no records.
        EngineError: if the database fails.
    """
    if spec is None:
        source: Any = table if reference is None else reference
        known, records = _read(source, declared, k=1)
    else:
        known, records = _read(spec, declared)
        records = reference if _is_frame(reference) else records
        if reference is not None and not _is_frame(reference):
            known = known.model_copy(update={"source": parse_source(reference)})
    frame = table if _is_frame(table) else None
    named = Frame() if frame is not None else parse_source(table)
    if (frame is not None or named.file) and (records is not None or known.source.file):
        known = known.model_copy(update={"database": None})  # it would not be read
    engine = _engine(database, connection, settings, known, show_database_errors)
    try:
        with (
            _from_item(records, engine) as source_item,
            _from_item(frame, engine) as table_item,
            watching(progress) as listener,
        ):
            return check(
                named,
                known,
                engine,
                generalized=spec is not None,
                listener=listener,
                table_item=table_item,
                source_item=source_item,
                source_name="source" if reference is None else "reference",
                conserved=spec is not None and reference is None,
            )
    finally:
        engine.close()


def verify(
    certificate: Certificate | str | Path,
    release: str | Path,
    *,
    database: str | Path | None = None,
    connection: Any = None,
    show_database_errors: bool = False,
) -> Verified:
    """Whether a table is what a certificate is of, and has what it says was reached.

    Args:
        certificate: a release's certificate, or the file that holds it.
        release: the table: a CSV or Parquet file that was exported, or a table of the database.
        database: what holds the table, as for `anonymize`; files need none.
        connection: as for `anonymize`.
        show_database_errors: as for `anonymize`.

    Returns:
        What is not as certified, what was confirmed, and what the table alone does not tell.

    Raises:
        SpecError: if the certificate is none, or there is no such table.
        EngineError: if the database fails.
    """
    known = certificate if isinstance(certificate, Certificate) else None
    known = known or read_certificate(Path(str(certificate)))
    if database is not None and connection is not None:
        raise SpecError("give a database or a connection, not both")
    engine = open_engine(database, connection, None, show_database_errors)
    try:
        return hold(known, str(release), engine)
    finally:
        engine.close()


def attack(
    release: Any,
    *,
    external: Any = None,
    on: Sequence[str] | None = None,
    keep: bool = False,
    spec: Spec | str | Path | None = None,
    quasi_identifiers: Sequence[str] | None = None,
    sensitive: Sequence[str] | Mapping[str, Any] | None = None,
    database: str | Path | None = None,
    connection: Any = None,
    settings: Settings | None = None,
    progress: Listener | bool = True,
    show_database_errors: bool = False,
) -> Attacked:
    """Attack a release as a reader of it could, and count what is found out.

    Args:
        release: the name of a release that a run made; or any table, as for `anonymize`, with a
            spec or with the roles of its columns.
        external: a table of persons whose quasi-identifiers are known, under the source's names;
            the source itself is the worst of them. Without it nobody is linked.
        on: the quasi-identifiers that it tells; all of them by default.
        keep: whether ``<release>__attacked`` and ``<release>__linked`` are written, with what was
            found of every class and person: for the publisher, and for nobody else.
        spec: the spec that the table is a release of, whose forms its cells are read in.
        quasi_identifiers: those of a table without a spec, whose cells are values as they are.
        sensitive: the sensitive attributes of a table without a spec, as in one.
        database: as for `anonymize`.
        connection: as for `anonymize`.
        settings: as for `anonymize`.
        progress: as for `anonymize`.
        show_database_errors: as for `anonymize`.

    Returns:
        The figures, each with a sentence; and what could not be computed, and why.

    Raises:
        SpecError: if there is no such release, or the external table does not fit it.
        InfeasibleError: if the release has no records.
        EngineError: if the database fails.

    Example:
        >>> found = attack("patients_public", external="voters.csv")  # doctest: +SKIP
        >>> found.value("linking_smallest_group")  # doctest: +SKIP
        10.0
    """
    if spec is not None and (quasi_identifiers is not None or sensitive is not None):
        raise SpecError("with a spec, the roles of the columns are the spec's")
    of_run = spec is None and quasi_identifiers is None
    if of_run and sensitive is not None:
        raise SpecError("give quasi_identifiers with the sensitive attributes, or neither")
    if keep and not of_run:
        raise SpecError("only beside a release that a run made is anything kept: leave keep out")
    known: Spec | None = None
    if not of_run:
        roles = {"quasi_identifiers": list(quasi_identifiers or ()), "sensitive": sensitive or []}
        known, _ = _read(release, roles, k=1) if spec is None else _read(spec, {})
    frame = release if _is_frame(release) else None
    persons = external if _is_frame(external) else None
    if database is not None and connection is not None:
        raise SpecError("give a database or a connection, not both")
    if connection is None and database is None and known is not None and frame is None:
        database = None if parse_source(release).file else known.database
    engine = open_engine(database, connection, settings, show_database_errors)
    try:
        with (
            _from_item(frame, engine) as item,
            _from_item(persons, engine) as persons_item,
            watching(progress) as listener,
        ):
            kept = None
            if known is None:
                past = recorded(str(release), engine)
                published, kept = of_release(past), past.relation if keep else None
            else:
                table = Frame() if frame is not None else parse_source(release)
                published = of_table(table, known, engine, spec is not None, item)
            others = None
            if external is not None:
                others = Frame() if persons is not None else parse_source(external)
            return attack_published(published, engine, others, persons_item, on, kept, listener)
    finally:
        engine.close()


def utility(
    release: str,
    *,
    source: Any = None,
    queries: int | str | Path | Mapping[str, Any] = QUERIES,
    seed: int = 1,
    database: str | Path | None = None,
    connection: Any = None,
    settings: Settings | None = None,
    progress: Listener | bool = True,
    show_database_errors: bool = False,
) -> Utility:
    """Measure what a release is still good for, beside its source.

    Args:
        release: the name of a release that a run made, of generalized records.
        source: what it was made of, as for `anonymize`; by default what the run read.
        queries: how many COUNT queries are drawn and asked of both; 0 for none. Or queries of
            your own, which are asked beside drawn ones: a YAML file of them, or a mapping of their
            names, as ``{"women": {"where": {"sex": "F", "age": [30, 50]}, "mean": "income"}}``.
        seed: what they are drawn from.
        database: as for `anonymize`.
        connection: as for `anonymize`.
        settings: as for `anonymize`.
        progress: as for `anonymize`.
        show_database_errors: as for `anonymize`.

    Returns:
        The figures, each with how the release was read; and what could not be measured.

    Raises:
        SpecError: if there is no such release, or the source or a query does not fit it.
        InfeasibleError: if the release has no records.
        EngineError: if the database fails.

    Example:
        >>> found = utility("patients_public", source="patients.csv")  # doctest: +SKIP
        >>> found.value("marginal_variation", "age")  # doctest: +SKIP
        0.012
    """
    if database is not None and connection is not None:
        raise SpecError("give a database or a connection, not both")
    frame = source if _is_frame(source) else None
    own = None if isinstance(queries, int) else parse_queries(queries)
    drawn = queries if isinstance(queries, int) else QUERIES
    engine = open_engine(database, connection, settings, show_database_errors)
    try:
        with _from_item(frame, engine) as item, watching(progress) as listener:
            past = recorded(release, engine)
            declared = past.spec["source"] if source is None else source
            if source is None and "frame" in declared:
                what = "the run was given records that have no name: give the source again"
                raise SpecError(Problem("source", what))
            read = Frame() if frame is not None else parse_source(declared)
            return utility_of(past, read, item, drawn, seed, own, listener)
    finally:
        engine.close()


def _is_frame(value: Any) -> bool:
    return not isinstance(value, str | Path | Spec | Mapping | Source | None)


def _read(
    source: Any,
    declared: Mapping[str, Any],
    k: int | None = None,
    after: Sequence[str] = (),
) -> tuple[Spec, Any]:
    """The spec, and the records if no spec can name them; k where none is declared."""
    is_file = isinstance(source, str | Path) and str(source).endswith((".yaml", ".yml"))
    if isinstance(source, Spec) or is_file:
        if declared:
            raise SpecError(f"a spec is given, so {sorted(declared)} must be in it")
        known = isinstance(source, Spec)
        return following(source, after) if known else load_spec(source, after), None
    models = {*fields_of("release"), *fields_of("sensitive")}
    short = {name: value for name, value in declared.items() if name in models}
    rest = {name: value for name, value in declared.items() if name not in models}
    privacy = rest.pop("privacy", {})
    if isinstance(privacy, Mapping):
        twice = sorted(set(short) & set(privacy))
        if twice:
            raise SpecError(f"{', '.join(twice)} is given twice: alone, and in privacy")
        privacy = {**({} if k is None else {"k": k}), **privacy, **short}
    elif short:
        raise SpecError(f"{', '.join(sorted(short))} belongs into privacy, which is given as well")
    named = Frame() if _is_frame(source) else source
    fields = {"source": named, "release": "anonymized", **rest, "privacy": privacy}
    return parse_spec(fields, after=after), source if _is_frame(source) else None


def _engine(
    database: str | Path | None,
    connection: Any,
    settings: Settings | None,
    spec: Spec,
    show_database_errors: bool,
) -> Engine:
    if database is not None and connection is not None:
        raise SpecError("give a database or a connection, not both")
    if connection is None and database is None:
        database = spec.database
    return open_engine(database, connection, settings, show_database_errors)


@contextmanager
def _from_item(records: Any, engine: Engine) -> Iterator[Sql | None]:
    """A FROM item for records that no spec can name."""
    if records is None:
        yield None
        return
    _refuse_twice(records)
    with engine.register(records) as item:
        yield item


def _refuse_twice(frame: Any) -> None:
    """A database gives the second of two columns of one name another: the spec would not know.

    Raises:
        SpecError: if a frame has two columns of one name.
    """
    names = [str(one) for one in getattr(frame, "columns", ())]
    names = names or [str(one) for one in getattr(frame, "column_names", ())]
    for name in names:
        if names.count(name) > 1:
            raise SpecError(
                Problem("source", f"the frame has two columns called {name!r}: rename one")
            )


__all__: Sequence[str] = (
    "anonymize",
    "attack",
    "compile",
    "measure",
    "plan",
    "predict",
    "profile",
    "risk",
    "sweep",
    "verify",
    "why",
)
