"""One random release: made, judged, measured again."""

from __future__ import annotations

import tempfile
from pathlib import Path

from support import Connection, database, quoted, read, relations

import sqlanon
from fuzz.groups import group_faults
from fuzz.judge import faults, read_metrics
from fuzz.releases import Case
from sqlanon.spec import parse_spec
from sqlanon.spec.levels import levels_are_fixed

BESIDE = ("", "__classes", "__metrics", "__run")
LEFT_OUT = "__suppressed"


class FaultError(AssertionError):
    """A release that must not be, or an error that a valid spec must not get."""


def attempt(case: Case) -> str:
    """Make the release and judge it; what became of it, ``published`` or ``refused``.

    Raises:
        FaultError: if anything is wrong with it.
    """
    with database() as connection, tempfile.TemporaryDirectory() as folder:
        case.drawn.make(connection)
        before = _source(connection, case)
        declared = case.declared(Path(folder))
        try:
            outcome = _made(connection, case, declared)
        except sqlanon.SqlanonError as error:
            raise FaultError(f"{type(error).__name__} of a valid spec: {error}") from error
        if _source(connection, case) != before:
            raise FaultError("the source has changed")
        left = relations(connection) - {case.drawn.source}
        beside = [*BESIDE, *(["__rows"] if case.drawn.materialize == "view" else [])]
        beside += ["__sensitive"] if case.apart else []
        beside += [] if case.suppression is None else [LEFT_OUT]
        spec = parse_spec(declared)
        has_choice = spec.method.chooses_levels and not levels_are_fixed(spec)
        beside += ["__nodes"] if has_choice else []
        expected = (
            {case.drawn.release + text for text in beside} if outcome == "published" else set()
        )
        if left != expected:
            raise FaultError(f"the relations left are {sorted(left)}, not {sorted(expected)}")
        return outcome


def _source(connection: Connection, case: Case) -> list[str]:
    return sorted(map(repr, read(connection, case.drawn.source)[1]))


def _made(connection: Connection, case: Case, declared: dict[str, object]) -> str:
    spec = parse_spec(declared)
    try:
        release = sqlanon.anonymize(spec, connection=connection)
    except sqlanon.InfeasibleError as error:
        if case.searched and not case.impossible:
            raise FaultError(f"refused, though one class would do: {error}") from error
        return "refused"
    release.close()
    columns, rows = read(connection, case.drawn.release)
    metrics = read_metrics(release)
    if case.publish is None:
        found = faults(case, columns, rows, metrics)
    else:
        beside = read(connection, case.drawn.release + "__sensitive") if case.apart else None
        found = group_faults(case, (columns, rows), beside, metrics)
    if case.suppression is not None:
        reasons = read(connection, case.drawn.release + LEFT_OUT)[1]
        if sum(row[-1] for row in reasons) != case.drawn.size - len(rows):
            found.append("the reasons do not account for what was left out")
    if found:
        raise FaultError("; ".join(found))
    if case.known is not None:  # what is known of whom no table tells that was published
        return "published"
    again = sqlanon.check({"table": quoted(case.drawn.release)}, spec=spec, connection=connection)
    if not again.passed:
        found.append(f"check finds {[str(shortfall) for shortfall in again.shortfalls]}")
    if metrics != {(metric.metric, metric.attribute): metric.value for metric in again.measures}:
        found.append("check measures something else than the run did")
    if found:
        raise FaultError("; ".join(found))
    return "published"
