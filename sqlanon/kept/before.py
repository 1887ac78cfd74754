"""How far the source's quasi-identifiers single its records out: counted while a run reads it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from sqlanon.session import Session
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql

BEFORE_FACT = "source_risk"  # the item of the run relation


@dataclass(frozen=True)
class Before:
    """The risk of the source, as its quasi-identifiers were read, before anything was generalized.

    Attributes:
        records: how many records it has.
        combinations: how many different combinations of values.
        unique_records: how many records share theirs with no other.
        least: how many records the rarest combination has.
    """

    records: int
    combinations: int
    unique_records: int
    least: int


def before(records: Relation, columns: Sequence[Sql], session: Session) -> Before | None:
    """Count the source's combinations; None where nothing is a quasi-identifier.

    Args:
        records: the records as the run read them.
        columns: their quasi-identifiers.
        session: asks the database.

    Raises:
        EngineError: if the database fails.
    """
    if not columns:
        return None
    params = {"columns": tuple(columns)}
    (row,) = session.fetch("report/source_risk", {"records": records}, params, 1).dicts()
    return Before(**{name: int(row[name] or 0) for name in Before.__dataclass_fields__})


def before_fact(found: Before) -> str:
    """The counts, as a run keeps them."""
    return json.dumps(asdict(found))


def before_from_fact(text: str) -> Before | None:
    """The counts that a run kept; None where a script made the release, which keeps none."""
    return Before(**json.loads(text)) if text else None
