"""The arguments that callers give: a spec, records, or a release."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlanon.engines import Engine
from sqlanon.engines.frames import names_of
from sqlanon.errors import Problem, SpecError
from sqlanon.privacy.thresholds import fields_of
from sqlanon.record.content import hold_table
from sqlanon.record.recorded import Recorded, needs_records
from sqlanon.spec import Frame, Source, Spec, following, load_spec, parse_source, parse_spec
from sqlanon.spec.clauses import as_settled
from sqlanon.sql.names import Relation, Sql
from sqlanon.uses.attacks.as_published import AsPublished, of_release, of_table
from sqlanon.uses.release.release import Release

# No field of a source.
_FIELDS = set(Spec.model_fields) - set(Source.model_fields) | {"source"}


def is_frame(value: Any) -> bool:
    """Whether records are given that no spec can name."""
    return not isinstance(value, str | Path | Spec | Mapping | Source | Release | Relation | None)


def read(
    source: Any, declared: Mapping[str, Any], k: int | None = None, after: Sequence[str] = ()
) -> tuple[Spec, Any]:
    """The spec, and the records if no spec can name them; k where none is declared.

    A mapping with fields of a spec stands for keyword arguments of these names.
    """
    if isinstance(source, Release):
        what = "it is a release: give its table by name, release.relation, or what its run read"
        raise SpecError(Problem("source", what))
    is_file = isinstance(source, str | Path) and str(source).endswith((".yaml", ".yml"))
    has_fields = isinstance(source, Mapping) and bool(set(source) & _FIELDS)
    if declared and (is_file or has_fields or isinstance(source, Spec)):
        raise SpecError(f"a spec is given, so {sorted(declared)} must be in it")
    if isinstance(source, Spec):
        return following(source, after), None
    if is_file:
        return load_spec(source, after), None
    if has_fields:
        declared = dict(source)
        if "source" not in declared:
            raise SpecError(Problem("source", "missing; it names the table or the file to read"))
        source = declared.pop("source")
    models = {*fields_of("release"), *fields_of("sensitive")}
    short = {name: value for name, value in declared.items() if name in models}
    rest = {name: value for name, value in declared.items() if name not in models}
    privacy = rest.pop("privacy", {})
    if isinstance(privacy, Mapping):
        twice = sorted(set(short) & set(privacy))
        if twice:
            raise SpecError(f"{', '.join(twice)} is given twice: alone, and in privacy")
        least = {} if k is None or "goal" in rest else {"k": k}
        privacy = {**least, **privacy, **short}
    elif short:
        raise SpecError(f"{', '.join(sorted(short))} belongs into privacy, which is given as well")
    named = Frame() if is_frame(source) else source
    if isinstance(named, Relation):
        named = parse_source(named)
    fields = {"source": named, "release": "anonymized", **rest, "privacy": privacy}
    return parse_spec(fields, after=after), source if is_frame(source) else None


@contextmanager
def from_item(
    records: Any, engine: Engine, needed: Collection[str] | None = None
) -> Iterator[Sql | None]:
    """A FROM item for records that no spec can name.

    Args:
        records: a frame, or None.
        engine: where it is read.
        needed: the columns that will be read; by default all.
    """
    if records is None:
        yield None
        return
    _refuse_twice(records)
    with engine.register(records, needed) as item:
        yield item


def _refuse_twice(frame: Any) -> None:
    """A database gives the second of two columns of one name another: the spec would not know.

    Raises:
        SpecError: if a frame has two columns of one name.
    """
    names = [str(one) for one in names_of(frame)]
    for name in names:
        if names.count(name) > 1:
            raise SpecError(
                Problem("source", f"the frame has two columns called {name!r}: rename one")
            )


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
