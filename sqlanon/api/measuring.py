"""What measures a table, or a release that stands."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Unpack

from sqlanon.api.given import Settings, engine_of, from_item, is_frame, opened, read
from sqlanon.certificates.certificate import Certificate, read_certificate
from sqlanon.certificates.verify import Verified
from sqlanon.certificates.verify import verify as hold
from sqlanon.declared import Declared
from sqlanon.errors import SpecError
from sqlanon.judge.check import check as measured
from sqlanon.judge.check_result import CheckResult
from sqlanon.kept.content import hold_table
from sqlanon.profile import Profile, Risks, Sample, profile_table, risk_of
from sqlanon.progress import watching
from sqlanon.session import Listener
from sqlanon.spec import (
    Frame,
    Spec,
    parse_source,
)


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
    records = source if is_frame(source) else None
    named = Frame() if records is not None else parse_source(source)
    with (
        opened(database, connection, settings, show_database_errors) as engine,
        from_item(records, engine) as item,
        watching(progress) as listener,
    ):
        return profile_table(named, engine, item, listener)


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
    frame = table if is_frame(table) else None
    people = population if is_frame(population) else None
    share = None
    if fraction is not None:
        try:
            share = Fraction(str(fraction))
        except (ValueError, ZeroDivisionError):
            raise SpecError("fraction: it must be a number such as 0.01, or 1/100") from None
    with (
        opened(database, connection, settings, show_database_errors) as engine,
        from_item(frame, engine) as item,
        from_item(people, engine) as people_item,
        watching(progress) as listener,
    ):
        others = None
        if population is not None:
            others = Frame() if people is not None else parse_source(population)
        named = Frame() if frame is not None else parse_source(table)
        if frame is None:
            hold_table(named, engine)
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


def check(
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
) -> CheckResult:
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
        known, records = read(source, declared, k=1)
    else:
        known, records = read(spec, declared)
        records = reference if is_frame(reference) else records
        if reference is not None and not is_frame(reference):
            known = known.model_copy(update={"source": parse_source(reference)})
    frame = table if is_frame(table) else None
    named = Frame() if frame is not None else parse_source(table)
    if (frame is not None or named.file) and (records is not None or known.source.file):
        known = known.model_copy(update={"database": None})  # it would not be read
    engine = engine_of(database, connection, settings, known, show_database_errors)
    try:
        with (
            from_item(records, engine, known.columns_read) as source_item,
            from_item(frame, engine, known.columns_read if spec is None else None) as table_item,
            watching(progress) as listener,
        ):
            return measured(
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
    with opened(database, connection, None, show_database_errors) as engine:
        return hold(known, str(release), engine)
