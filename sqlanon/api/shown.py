"""A release that callers give: one that a run made, or any table with the roles of its columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlanon.api.given import is_frame, read
from sqlanon.attacks.as_published import AsPublished, of_release, of_table
from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.kept.content import hold_table
from sqlanon.kept.recorded import Recorded, needs_records
from sqlanon.release.run import Release
from sqlanon.spec import Frame, Source, Spec, parse_source, parse_spec
from sqlanon.spec.clauses import as_settled
from sqlanon.sql.names import Sql


def roles_of(
    release: Any,
    spec: Spec | str | Path | None,
    quasi_identifiers: Sequence[str] | None,
    sensitive: Sequence[str] | Mapping[str, Any] | None,
) -> Spec | None:
    """The roles of a table's columns, of a spec or as given; None for a release of a run.

    Raises:
        SpecError: if they are given twice, or by halves.
    """
    if spec is not None and (quasi_identifiers is not None or sensitive is not None):
        raise SpecError("with a spec, the roles of the columns are the spec's")
    if spec is None and quasi_identifiers is None:
        if sensitive is not None:
            raise SpecError("give quasi_identifiers with the sensitive attributes, or neither")
        return None
    if isinstance(release, Release):
        raise SpecError("a release is given, which knows the roles of its columns: leave them out")
    roles = {"quasi_identifiers": list(quasi_identifiers or ()), "sensitive": sensitive or []}
    return (read(release, roles, k=1) if spec is None else read(spec, {}))[0]


def database_of(release: Any, known: Spec | None) -> str | None:
    """The database that a table's spec names; None of a frame or a file, which lie in none."""
    if known is None or is_frame(release):
        return None
    return None if parse_source(release).file else known.database


def published_of(
    release: Any,
    known: Spec | Recorded,
    generalized: bool,
    engine: Engine,
    item: Sql | None,
    suppressed: Sequence[str] = (),
) -> AsPublished:
    """A release of a run, or any table of known roles, as its readers have it."""
    if isinstance(known, Recorded):
        return of_release(known)
    table = Frame() if item is not None else parse_source(release)
    if item is None:
        hold_table(table, engine)
    return of_table(table, known, engine, generalized, item, suppressed=suppressed)


def source_of(known: Spec | Recorded, source: Any) -> Source:
    """The source of a release: as given, or as the run read it, or as the spec names it.

    Raises:
        SpecError: if the run was given records without a name, or its files lie elsewhere.
    """
    if is_frame(source):
        return Frame()
    if source is not None:
        return parse_source(source)
    if isinstance(known, Spec):
        return known.source
    if "frame" in known.spec["source"]:
        what = "the run was given records that have no name: give the source again"
        raise SpecError(Problem("source", what))
    return parse_source(known.source)


def spec_of(found: Recorded, reference: Any = None) -> Spec:
    """The spec of a release's run, with every file where it is now.

    Args:
        found: the release.
        reference: a table in place of the run's source, which is then not looked for.

    Raises:
        SpecError: if the source has no name, or a file is not found from here.
    """
    needs_records(found)
    source = source_of(found, reference)
    declared = {name: value for name, value in found.readable_spec.items() if name != "source"}
    declared = as_settled(declared, found.facts)
    spec = parse_spec({**declared, "source": {"table": "source"}})
    return spec.model_copy(update={"source": source, "database": None})
