"""The plan of a pattern: a table with one column of every kind, of which macros are made.

A macro learns its columns when it is called. The plan has one column of a kind, and the macro does
with all of them what the plan does with that one. It takes from here which relations there are, and
what each reads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any

from sqlanon.engines import DuckDBEngine
from sqlanon.plan import Step, work
from sqlanon.planning.prepare import Prepared, build_plan
from sqlanon.source.source_info import SourceInfo
from sqlanon.spec import Column, parse_spec

READ = work("read")  # what the plan reads as its source
RELEASE = work("release")

# The columns, each called as its kind: a quasi-identifier by how it is published, any other by its
# role. Text, whose equal values are one, stands for a type that a macro does not know.
_COLUMNS = {
    "interval": Column("interval", "bigint", "integer"),
    **{
        name: Column(name, "varchar", "text") for name in ("set", "sensitive", "insensitive", "key")
    },
}


def pattern(
    quasi_identifiers: Sequence[str] = ("set",),
    sensitive: Mapping[str, Any] | None = None,
    **declared: Any,
) -> Prepared:
    """The plan of a spec whose columns are called as their kinds, dealt by Stack & Deal.

    Args:
        quasi_identifiers: how each is published: ``interval`` or ``set``.
        sensitive: what is declared of the sensitive attribute.
        declared: more of the spec.
    """
    spec = parse_spec(
        {
            "source": {"table": READ.name.removeprefix("sqlanon_")},
            "release": RELEASE.name.removeprefix("sqlanon_"),
            "quasi_identifiers": list(quasi_identifiers),
            "sensitive": {"sensitive": dict(sensitive or {})},
            "privacy": {"k": 1},
            "method": "stack_and_deal",
            **declared,
        }
    )
    with closing(DuckDBEngine()) as engine:
        info = SourceInfo(
            engine=engine,
            source=READ,
            columns=_COLUMNS,
            quasi_identifiers=tuple(quasi_identifiers),
            unreleased=(),
            schema="",
        )
        return build_plan(spec, info, RELEASE)


def steps_of(prepared: Prepared) -> list[Step]:
    """The steps of a plan."""
    return [step for step in prepared.plan if isinstance(step, Step)]


def with_arguments(steps: Sequence[Step], params: Mapping[str, Any]) -> list[Step]:
    """The steps with the arguments of a macro in place of some parameters."""
    return [
        replace(step, params={name: params.get(name, value) for name, value in step.params.items()})
        for step in steps
    ]
