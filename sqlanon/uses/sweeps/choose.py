"""Choosing k: the least cost of privacy loss and information loss together.

Gowda (2023), chapter 6: releases are made for several k, each with its privacy loss t and its
information loss i, and the one with the least w · t + (1 - w) · i is taken. Here privacy loss
counts the linking of records to persons as well.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from operator import le
from typing import Literal

from sqlanon.errors import InfeasibleError
from sqlanon.planning.prepare import Prepared, build_plan
from sqlanon.planning.trials import Trial, try_out, variant
from sqlanon.session import Following, Session
from sqlanon.spec import Spec, changed

# Costs that agree to so many decimals are equal: what is measured is known to nine.
DECIMALS = 6


Normalize = Literal["range", "none"]


def costs(
    trials: Sequence[Trial], privacy_weight: Fraction, normalize: Normalize = "range"
) -> list[Fraction | None]:
    """The cost of each trial: w · p + (1 - w) · i. Gowda (2023), chapter 6, where p is t alone.

    p is the greater of t, the greatest of any sensitive attribute, and the marketer risk, which
    says how well records are linked to persons: a greater k is worth something for the same t. i is
    the GCP. Of each of the three the least among the trials that hold counts as 0 and the greatest
    as 1; where all are alike, as 0. With ``normalize="none"`` they count as they are, and p is t
    alone, as printed; without a t it is the marketer risk.

    Returns:
        The costs, rounded to DECIMALS places; None for a trial that does not hold.
    """
    weighed = _weighed(trials, privacy_weight, normalize)
    return [None if one is None else one[0] for one in weighed]


def _weighed(
    trials: Sequence[Trial], privacy_weight: Fraction, normalize: Normalize
) -> list[tuple[Fraction, Fraction] | None]:
    """The cost of each trial, and its privacy loss; None for a trial that does not hold."""
    measured = [_measured(trial) for trial in trials]
    known = [values for values in measured if values is not None]
    scales = [
        _Scale([entry[index] for entry in known]) for index in range(len(known[0]) if known else 0)
    ]
    found: list[tuple[Fraction, Fraction] | None] = []
    for each in measured:
        if each is None:
            found.append(None)
            continue
        if normalize == "none":
            privacy, information = each[0], each[-1]
        else:
            *risks, information = (scale(value) for scale, value in zip(scales, each, strict=True))
            privacy = max(risks)
        cost = privacy_weight * privacy + (1 - privacy_weight) * information
        found.append((round(cost, DECIMALS), privacy))
    return found


def _measured(trial: Trial) -> tuple[Fraction, ...] | None:
    """The risks and the information loss of a trial that holds; None if one is not known."""
    risks = trial.risks
    if not trial.holds or risks is None or trial.gcp is None:
        return None
    return (*map(Fraction, risks), Fraction(trial.gcp))


class _Scale:
    """From the least to the greatest of some values, as from 0 to 1."""

    def __init__(self, values: Sequence[Fraction]) -> None:
        self._least = min(values, default=Fraction(0))
        self._span = max(values, default=Fraction(0)) - self._least

    def __call__(self, value: Fraction) -> Fraction:
        return (value - self._least) / self._span if self._span else Fraction(0)


def cheapest(
    trials: Sequence[Trial], privacy_weight: Fraction, normalize: Normalize = "range"
) -> int | None:
    """The place of the trial that costs least.

    Of several the one with the least privacy loss, and of these the one of the smallest k.
    """
    weighed = enumerate(_weighed(trials, privacy_weight, normalize))
    ranked = [(*one, trials[index].k, index) for index, one in weighed if one is not None]
    return min(ranked)[-1] if ranked else None


def may_be_chosen(trials: Sequence[Trial], privacy_weight: Fraction) -> set[int]:
    """The places of the trials that may still cost least after any further trials.

    How much each measure counts depends on all trials. So these are all but those of which another
    is as good in every measure that has a weight, and has no greater k.
    """
    found = []
    for index, trial in enumerate(trials):
        measured = _measured(trial)
        if measured is not None:  # without a weight, information says nothing; privacy settles ties
            weighed = measured if privacy_weight < 1 else measured[:-1]
            found.append((*weighed, Fraction(trial.k), Fraction(index)))
    return {
        int(entry[-1])
        for entry in found
        if not any(
            other is not entry and all(map(le, other[:-1], entry[:-1])) and _first(other, entry)
            for other in found
        )
    }


def _first(other: Sequence[Fraction], one: Sequence[Fraction]) -> bool:
    """Whether another is better somewhere, or came first."""
    return other[:-1] != one[:-1] or other[-1] < one[-1]


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
        following: hears whose turn it is.

    Raises:
        InfeasibleError: if no k that is tried reaches what the spec asks for.
    """
    spec = prepared.spec
    if spec.choose is None:
        return prepared, []
    weight, normalize = spec.choose.privacy_weight, spec.choose.normalize
    trials = try_out(tried, session, following, lambda found: may_be_chosen(found, weight))
    index = cheapest(trials, weight, normalize)
    if index is None:
        raise _none_holds(trials)
    known = costs(trials, weight, normalize)
    chosen = build_plan(_fixed(spec, trials[index].k), prepared.source_info, prepared.release)
    holding = sum(cost is not None for cost in known)
    ties = [trial.k for trial, cost in zip(trials, known, strict=True) if cost == known[index]]
    reason = f"k = {trials[index].k}: cost {_shown(known[index])}, the least of {holding} that hold"
    others = [k for k in ties if k != trials[index].k]
    if others:
        reason += f"; k = {', '.join(map(str, others))} cost as much, and protect no better"
    table = [
        {
            "k": trial.k,
            "t": trial.t,
            "marketer_risk": trial.marketer_risk,
            "gcp": trial.gcp,
            "cost": None if cost is None else float(cost),
            "holds": trial.holds,
            "why": trial.why,
        }
        for trial, cost in zip(trials, known, strict=True)
    ]
    facts = [("choose_tried", json.dumps(table, ensure_ascii=False)), ("choose_chosen", reason)]
    return chosen, facts


def _fixed(spec: Spec, k: int) -> Spec:
    """The spec with the chosen k."""
    return changed(spec, privacy=spec.privacy.model_copy(update={"k": k}), choose=None)


def _shown(cost: Fraction | None) -> str:
    return "unknown" if cost is None else f"{float(cost):.6f}"


def _none_holds(trials: Sequence[Trial]) -> InfeasibleError:
    """The refusal, with the evidence of the greatest k that could be tried."""
    tried = ", ".join(str(trial.k) for trial in trials)
    measured = [trial for trial in trials if trial.shortfalls]
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
