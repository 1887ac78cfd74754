"""Parts of a first spec that a run would refuse, found out before it is written."""

from __future__ import annotations

from collections.abc import Sequence

from sqlanon.engines import Engine
from sqlanon.errors import SpecError
from sqlanon.measure.insensitive import pair
from sqlanon.measure.metrics.records import RARE
from sqlanon.outlook.dry_run import dry_run
from sqlanon.outlook.outlook import insensitive_shares
from sqlanon.outlook.reachable import at_best
from sqlanon.planning.prepare import build_plan
from sqlanon.source.source_info import SourceInfo
from sqlanon.spec import Column, Source, Spec


def too_telling(
    columns: Sequence[Column],
    quasi_identifiers: Sequence[Column],
    k: int,
    source: Source,
    engine: Engine,
) -> dict[str, str]:
    """Why a column cannot be insensitive, with the figure, by its name.

    Nothing is known of columns whose values cannot be compared, and of none without
    quasi-identifiers.

    Args:
        columns: those that might be insensitive.
        quasi_identifiers: the quasi-identifiers.
        k: the least class size.
        source: where the records are.
        engine: where they are read.
    """
    asked = [one.name for one in columns if one.kind != "other"]
    if not asked or not quasi_identifiers:
        return {}
    spec = Spec.model_validate(
        {
            "source": source,
            "release": "guessed",
            "quasi_identifiers": {one.name: {"publish": "set"} for one in quasi_identifiers},
            "insensitive": asked,
            "privacy": {"k": k},
        }
    )
    pairs = {pair(one.name, name): (one.name, name) for one in quasi_identifiers for name in asked}
    reasons: dict[str, list[str]] = {}
    with dry_run(build_plan(spec, SourceInfo.of(spec, engine)), engine) as dry:
        shares = insensitive_shares(dry)
    for one in shares:
        if one.passed is not False or one.attribute is None:
            continue
        share = f"{one.value:.0%} of the records"
        if one.metric == RARE:
            name, reason = one.attribute, f"fewer than {k} share the value of {share}"
        else:
            about, name = pairs[one.attribute]
            reason = f"it gives {about} back for {share}"
        reasons.setdefault(name, []).append(reason)
    return {name: "; ".join(texts) for name, texts in reasons.items()}


def too_common(
    sensitive: Sequence[Column],
    quasi_identifiers: Sequence[Column],
    person: str,
    source: Source,
    engine: Engine,
    apart: int,
) -> dict[str, float]:
    """The sensitive attributes of which no class can hold so many values apart, as l asks.

    Where persons are counted, l: 2 cannot be met of a value that more than half of them have. Each
    comes with the share of the persons who have it: no alpha below that can be asked for.

    Args:
        sensitive: the sensitive attributes.
        quasi_identifiers: the quasi-identifiers.
        person: the column that says whom a record is about.
        source: where the records are.
        engine: where they are read.
        apart: the l that is to be met.
    """
    if not sensitive or not quasi_identifiers:
        return {}
    spec = Spec.model_validate(
        {
            "source": source,
            "release": "guessed",
            "quasi_identifiers": {one.name: {"publish": "set"} for one in quasi_identifiers},
            "sensitive": {one.name: {"alpha": f"1/{apart}"} for one in sensitive},
            "person": person,
            "privacy": {"k": 1},
        }
    )
    try:
        with dry_run(build_plan(spec, SourceInfo.of(spec, engine)), engine) as dry:
            best = at_best(dry)
    except SpecError:  # which is said of the spec that is written
        return {}
    return {
        one.attribute: one.best
        for one in best.limits
        if one.attribute and one.best is not None and not one.possible
    }
