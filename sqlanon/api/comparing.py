"""What holds a release beside another table: persons whom a reader knows, or its source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlanon.api.given import Settings, from_item, holder_of, is_frame, name_of, read
from sqlanon.errors import Problem, SpecError
from sqlanon.profile.beside import sections_beside
from sqlanon.progress import watching
from sqlanon.release import Release
from sqlanon.release.as_published import of_release, of_table
from sqlanon.release.attack import attack as attack_published
from sqlanon.release.export import check_place
from sqlanon.release.findings import Attacked
from sqlanon.release.recorded import Recorded, recorded
from sqlanon.release.report import REPORT_ENDINGS
from sqlanon.release.report import report as write_report
from sqlanon.release.useful import Utility
from sqlanon.release.utility import QUERIES
from sqlanon.release.utility import utility as utility_of
from sqlanon.report import Section
from sqlanon.session import Listener
from sqlanon.spec import (
    Frame,
    Source,
    Spec,
    parse_queries,
    parse_source,
)


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
        release: a release, or the name of one that a run made; or any table, as for `anonymize`,
            with a spec or with the roles of its columns.
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
    if isinstance(release, Release) and not of_run:
        raise SpecError("a release is given, which knows the roles of its columns: leave them out")
    if of_run and sensitive is not None:
        raise SpecError("give quasi_identifiers with the sensitive attributes, or neither")
    if keep and not of_run:
        raise SpecError("only beside a release that a run made is anything kept: leave keep out")
    known: Spec | None = None
    if not of_run:
        roles = {"quasi_identifiers": list(quasi_identifiers or ()), "sensitive": sensitive or []}
        known, _ = read(release, roles, k=1) if spec is None else read(spec, {})
    frame = release if is_frame(release) else None
    persons = external if is_frame(external) else None
    if database is None and connection is None and known is not None and frame is None:
        database = None if parse_source(release).file else known.database
    with (
        holder_of(release, database, connection, settings, show_database_errors) as engine,
        from_item(frame, engine) as item,
        from_item(persons, engine) as persons_item,
        watching(progress) as listener,
    ):
        kept = None
        if known is None:
            past = recorded(name_of(release), engine)
            published, kept = of_release(past), past.relation if keep else None
        else:
            table = Frame() if frame is not None else parse_source(release)
            published = of_table(table, known, engine, spec is not None, item)
        others = None
        if external is not None:
            others = Frame() if persons is not None else parse_source(external)
        return attack_published(published, engine, others, persons_item, on, kept, listener)


def utility(
    release: Release | str,
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
        release: a release, or the name of one that a run made, of generalized records.
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
    own = None if isinstance(queries, int) else parse_queries(queries)
    drawn = queries if isinstance(queries, int) else QUERIES
    with (
        holder_of(release, database, connection, settings, show_database_errors) as engine,
        from_item(source if is_frame(source) else None, engine) as item,
        watching(progress) as listener,
    ):
        past = recorded(name_of(release), engine)
        made_of = _source_of(past, source)
        return utility_of(past, made_of, item, drawn, seed, own, listener)


def report(
    release: Release | str,
    file: str | Path | None = None,
    *,
    source: Any = None,
    external: bool = False,
    overwrite: bool = False,
    database: str | Path | None = None,
    connection: Any = None,
    settings: Settings | None = None,
    show_database_errors: bool = False,
) -> Path:
    """Write what was declared for a release and what was reached, as a page for people to read.

    Args:
        release: a release, or the name of one that a run made.
        file: what to write, .html; by default it is named after the release.
        source: what it was made of, as for `anonymize`: adds its utility, and the risk before and
            after. It is read only if it is given.
        external: for others: no figures of classes or sensitive values, no source, seed or SQL.
        overwrite: whether the file may be replaced if it is there.
        database: as for `anonymize`.
        connection: as for `anonymize`.
        settings: as for `anonymize`.
        show_database_errors: as for `anonymize`.

    Returns:
        The file.

    Raises:
        SpecError: if there is no such release or it was changed since its run, the source does
            not fit it, or the file cannot be a report or is there and not to be replaced.
        EngineError: if the database fails.

    Example:
        >>> report("patients_public", source="patients.csv")  # doctest: +SKIP
        PosixPath('patients_public.html')
    """
    with (
        holder_of(release, database, connection, settings, show_database_errors) as engine,
        from_item(source if is_frame(source) else None, engine) as item,
    ):
        past = recorded(name_of(release), engine)
        page = Path(file or f"{past.relation.name}.html")
        check_place(page, REPORT_ENDINGS, overwrite)
        beside: tuple[Section, ...] = ()
        if source is not None:
            beside = sections_beside(past, _source_of(past, source), external, item)
        return write_report(past, page, external, overwrite, beside)


def _source_of(past: Recorded, source: Any) -> Source:
    """What a release was made of: as given, or what the run read.

    Raises:
        SpecError: if the run was given records without a name, or its files lie elsewhere.
    """
    if is_frame(source):
        return Frame()
    declared = past.spec["source"] if source is None else source
    if source is None and "frame" in declared:
        what = "the run was given records that have no name: give the source again"
        raise SpecError(Problem("source", what))
    past.check_files(source=source is None)
    return parse_source(declared)
