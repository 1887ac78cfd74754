"""The risk-utility map of what a sweep tried: from its trials, or from the relation it left."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from sqlanon.charts.risk_utility import Line, Map, Point
from sqlanon.kept.ownership import SweepOwnership
from sqlanon.kept.recorded import Recorded
from sqlanon.privacy.thresholds import swept_models

Risk = Literal["t", "marketer", "linkage"]  # the axis upwards
_RISKS: dict[Risk, str] = {
    "t": "t reached",
    "marketer": "marketer risk",
    "linkage": "record linkage",
}

_ROWS = 100_000  # of a sweep relation that are read


@dataclass(frozen=True)
class Tried:
    """A combination that was tried, as the map needs it.

    Attributes:
        method: its method, with the settings that differ from the default.
        k: the least class size asked for.
        asked: the thresholds asked of each sensitive attribute; empty where there is none.
        loss: the information loss; None where it is not known.
        risk: the privacy loss; None where it is not known.
        holds: whether every declared model holds.
    """

    method: str
    k: int
    asked: tuple[str | None, ...]
    loss: float | None
    risk: float | None
    holds: bool


def map_of(tried: Iterable[Tried], risk: Risk, by_k: bool = False) -> Map:
    """The map: risk over the information loss, or over k where that is not known.

    A method whose classes do not depend on the l, t and J asked for has one line,
    else one for each.
    """
    found = list(tried)
    lines: dict[tuple[str, tuple[str | None, ...]], list[Point]] = {}
    for one in found:
        x = float(one.k) if by_k else one.loss
        if x is not None and one.risk is not None:
            point = Point(one.method, one.k, x, one.risk, one.holds)
            lines.setdefault((one.method, one.asked), []).append(point)
    different: dict[tuple[object, ...], Line] = {}
    for (method, _), points in lines.items():
        places = (method, *((point.k, point.x, point.y) for point in points))
        known = different.get(places)
        pairs = zip(points, known.points if known else points, strict=True)
        merged = [replace(one, holds=one.holds or other.holds) for one, other in pairs]
        different[places] = Line(method, tuple(merged))
    title = "k" if by_k else "information loss (GCP)"
    return Map(title, _RISKS[risk], tuple(different.values()))


def kept_map(recorded: Recorded) -> Map | None:
    """The map of the last sweep of a release; None where there is none, or it shows no point.

    Raises:
        EngineError: if the database fails.
    """
    engine, relation = recorded.engine, recorded.relation.beside("sweep")
    if not SweepOwnership(engine, [relation]).older_of_ours(hold=False):
        return None
    with engine.reading(relation) as item:
        if "l_asked" not in {one.name for one in engine.columns(item)}:
            return None  # of an older sqlanon
    found = engine.fetch_portable(
        "select combination, method, k, attribute, t_asked, t_reached, gcp, marketer_risk, "
        f"holds, {''.join(f'{one.field.name}_asked, ' for one in swept_models())}l_asked "
        f"from {engine.named(relation)} order by combination, attribute",
        _ROWS,
        "reading the sweep",
    )
    tried = []
    for _, same in groupby(found.rows, lambda row: row[0]):
        rows = list(same)
        _, method, k, attribute, _, _, loss, marketer, holds, *_ = rows[0]
        reached = [row[5] for row in rows]
        risk = marketer
        if attribute is not None:
            risk = None if None in reached else max(reached)
        asked = (
            ()
            if attribute is None
            else (
                *(row[4] for row in rows),
                *(one for row in rows for one in row[9:-1] if one),
                *(row[-1] for row in rows),
            )
        )
        tried.append(
            Tried(
                method=method,
                k=int(k),
                asked=asked,
                loss=loss,
                risk=risk,
                holds=bool(holds),
            )
        )
    has_t = any(one.asked for one in tried)
    shown = map_of(tried, "t" if has_t else "marketer", by_k=all(one.loss is None for one in tried))
    return shown if shown.points else None
