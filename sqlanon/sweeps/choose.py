"""Choosing k: the least cost of privacy loss and information loss together.

Gowda (2023), chapter 6: releases are made for several k, each with its privacy loss t and its
information loss i, and the one with the least w · t + (1 - w) · i is taken.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction

from sqlanon.errors import InfeasibleError
from sqlanon.planning.prepare import Prepared, build_plan
from sqlanon.planning.trials import Trial, try_out, variant
from sqlanon.session import Following, Session
from sqlanon.spec import Spec, changed

# Costs that agree to so many decimals are equal: what is measured is known to nine.
DECIMALS = 6


def costs(trials: Sequence[Trial], privacy_weight: Fraction) -> list[Fraction | None]:
    """What each trial costs: w · t + (1 - w) · i, both normalized. Gowda (2023), chapter 6.

    t is the greatest of any sensitive attribute, or where there is none the risk of record linkage
    (which the literature does not weigh); i is the GCP. The least of either among the trials
    that hold counts as 0 and the greatest as 1; where all are alike, as 0.

    Returns:
        The costs, rounded to DECIMALS places; None for a trial that does not hold.
    """
    holding = [one for one in trials if one.holds and None not in (one.risk, one.gcp)]
    privacy = _Scale([Fraction(one.risk or 0) for one in holding])
    information = _Scale([Fraction(one.gcp or 0) for one in holding])
    known: list[Fraction | None] = []
    for one in trials:
        if one.holds and one.risk is not None and one.gcp is not None:
            cost = privacy_weight * privacy(one.risk) + (1 - privacy_weight) * information(one.gcp)
            known.append(round(cost, DECIMALS))
        else:
            known.append(None)
    return known


class _Scale:
    """From the least to the greatest of some values, as from 0 to 1."""

    def __init__(self, values: Sequence[Fraction]) -> None:
        self._least = min(values, default=Fraction(0))
        self._span = max(values, default=Fraction(0)) - self._least

    def __call__(self, value: float) -> Fraction:
        return (Fraction(value) - self._least) / self._span if self._span else Fraction(0)


def cheapest(trials: Sequence[Trial], privacy_weight: Fraction) -> int | None:
    """The place of the trial that costs least; of several the one of the smallest k."""
    known = enumerate(costs(trials, privacy_weight))
    ranked = [(cost, trials[place].k, place) for place, cost in known if cost is not None]
    return min(ranked)[2] if ranked else None


def may_be_chosen(trials: Sequence[Trial], privacy_weight: Fraction) -> set[int]:
    """The places of the trials that may still cost least, whatever is tried after them.

    What t and i count for depends on all trials. So these are the corners of the lower left hull of
    the points (t, i): every other point lies above one of them, or above a line between two.
    """
    points = sorted(
        (one.risk * bool(privacy_weight), one.gcp * (privacy_weight < 1), one.k, place)
        for place, one in enumerate(trials)
        if one.holds and one.risk is not None and one.gcp is not None
    )
    hull = list[tuple[float, float, int, int]]()
    for point in points:
        if hull and point[1] >= hull[-1][1]:
            continue
        while len(hull) > 1 and _is_above(hull[-1], hull[-2], point):
            hull.pop()
        hull.append(point)
    return {place for *_, place in hull}


def _is_above(point: tuple[float, ...], left: tuple[float, ...], right: tuple[float, ...]) -> bool:
    """Whether a point lies above the line between two others."""
    x, y, x0, y0, x1, y1 = map(Fraction, (*point[:2], *left[:2], *right[:2]))
    return (x - x0) * (y1 - y0) < (y - y0) * (x1 - x0)


def tried_plans(prepared: Prepared) -> list[Prepared]:
    """The plans that are tried before one is carried out; none where nothing is to be chosen."""
    spec = prepared.spec
    tried = () if spec.choose is None else spec.choose.tried(spec.privacy.k)
    return [build_plan(variant(spec, spec.method, k, None), prepared.source_info) for k in tried]


def with_chosen_k(
    prepared: Prepared,
    tried: Sequence[Prepared],
    session: Session,
    following: Following | None = None,
) -> tuple[Prepared, list[tuple[str, str]]]:
    """The plan with the k that ``choose`` comes to, and what is to be recorded of the choice.

    Nothing changes where the spec does not ask for a choice. To be called inside a transaction. If
    the same session carries the plan out, sharing what was tried, nothing is searched again.

    Args:
        prepared: the plan, of the least k.
        tried: the ``tried_plans`` of it.
        session: carries them out.
        following: is told whose turn it is.

    Raises:
        InfeasibleError: if no k that is tried reaches what the spec asks for.
        EngineError: if the database fails.
        InterruptedRunError: if the user interrupts.
    """
    spec = prepared.spec
    if spec.choose is None:
        return prepared, []
    weight = spec.choose.privacy_weight
    trials = try_out(tried, session, following, lambda found: may_be_chosen(found, weight))
    place = cheapest(trials, weight)
    if place is None:
        raise _none_holds(trials)
    known = costs(trials, weight)
    chosen = build_plan(_fixed(spec, trials[place].k), prepared.source_info, prepared.release)
    holding = sum(cost is not None for cost in known)
    ties = [one.k for one, cost in zip(trials, known, strict=True) if cost == known[place]]
    reason = f"k = {trials[place].k}: cost {_shown(known[place])}, the least of {holding} that hold"
    if len(ties) > 1:
        reason += f"; k = {', '.join(map(str, ties[1:]))} cost as much, the smallest is taken"
    table = [
        {
            "k": one.k,
            "t": one.t,
            "record_linkage": one.record_linkage,
            "gcp": one.gcp,
            "cost": None if cost is None else float(cost),
            "holds": one.holds,
            "why": one.why,
        }
        for one, cost in zip(trials, known, strict=True)
    ]
    facts = [
        ("choose_tried", json.dumps(table, ensure_ascii=False)),
        ("choose_chosen", reason),
    ]
    return chosen, facts


def _fixed(spec: Spec, k: int) -> Spec:
    """The spec with the chosen k."""
    return changed(spec, privacy=spec.privacy.model_copy(update={"k": k}), choose=None)


def _shown(cost: Fraction | None) -> str:
    return "unknown" if cost is None else f"{float(cost):.6f}"


def _none_holds(trials: Sequence[Trial]) -> InfeasibleError:
    """The refusal, with the evidence of the greatest k that could be tried."""
    tried = ", ".join(str(one.k) for one in trials)
    measured = [one for one in trials if one.shortfalls]
    if not measured:
        what = trials[0].why
        if trials[0].holds:
            what = "the privacy or the information loss is unknown for every one of them"
        return InfeasibleError(f"none of k = {tried} can be chosen: {what}")
    last = measured[-1]
    return InfeasibleError(
        f"none of k = {tried} reaches what the spec asks for, so nothing was published; relax "
        f"what is violated, or let choose.k go further. With k = {last.k}:",
        last.shortfalls,
    )
