"""The arguments that callers give: a spec or records."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.privacy.thresholds import fields_of
from sqlanon.release.run import Release
from sqlanon.spec import (
    Frame,
    Source,
    Spec,
    following,
    load_spec,
    parse_source,
    parse_spec,
)
from sqlanon.sql.names import Relation, Sql

# No field of a source.
_FIELDS = set(Spec.model_fields) - set(Source.model_fields) | {"source"}


def is_frame(value: Any) -> bool:
    """Whether records are given that no spec can name."""
    return not isinstance(value, str | Path | Spec | Mapping | Source | Release | Relation | None)


def read(
    source: Any,
    declared: Mapping[str, Any],
    k: int | None = None,
    after: Sequence[str] = (),
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
    names = [str(one) for one in getattr(frame, "columns", ())]
    names = names or [str(one) for one in getattr(frame, "column_names", ())]
    for name in names:
        if names.count(name) > 1:
            raise SpecError(
                Problem("source", f"the frame has two columns called {name!r}: rename one")
            )
