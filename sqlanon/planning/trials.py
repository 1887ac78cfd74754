"""Trials: releases of work relations, made and measured like any other and never published."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from sqlanon.clauses import defaults
from sqlanon.errors import InfeasibleError, Shortfall
from sqlanon.measure.metrics.cells import LINKAGES
from sqlanon.pages.figures import MARKETER_RISK
from sqlanon.planning.prepare import Prepared
from sqlanon.privacy.l_diversity import DISTINCT_L
from sqlanon.privacy.model import PrivacyModel
from sqlanon.privacy.t_closeness import T_CLOSENESS
from sqlanon.privacy.thresholds import declaring, models_of, swept_models
from sqlanon.record.metrics import Metric, read_metrics
from sqlanon.session import Following, Session
from sqlanon.spec import Method, Spec, changed

RECORD_LINKAGE = LINKAGES[0].name


@dataclass(frozen=True)
class Closeness:
    """A threshold of a sensitive attribute: what was asked for, as declared, and reached."""

    attribute: str | None
    asked: str | None
    reached: float | None


@dataclass(frozen=True)
class Trial:
    """The outcome of one combination of method, k, l, t and other thresholds.

    Attributes:
        method: its name, with the settings that differ from the default.
        k: the least class size asked for.
        closeness: for each sensitive attribute, t as asked for and as reached.
        classes: how many equivalence classes a reader sees.
        gcp: the information loss.
        c_avg: the average class size, divided by k.
        marketer_risk: the mean over the records of one over the size of their class.
        seconds: how long it took, what it shares with others left to the first of them.
        holds: whether every declared model holds.
        why: what is violated, if anything is.
        shortfalls: the same, as evidence.
        diversity: for each sensitive attribute, l as asked for and as reached.
        further: by its field, the same of every other model that a sweep tries.
        record_linkage: how well records are linked, where the spec asks for the metric.
    """

    method: str
    k: int
    closeness: tuple[Closeness, ...]
    classes: int | None
    gcp: float | None
    c_avg: float | None
    marketer_risk: float | None
    seconds: float | None
    holds: bool
    why: str
    shortfalls: tuple[Shortfall, ...] = ()
    diversity: tuple[Closeness, ...] = ()
    further: Mapping[str, tuple[Closeness, ...]] = field(default_factory=dict)
    record_linkage: float | None = None

    @property
    def risk(self) -> float | None:
        """The privacy loss that a map shows: t; without sensitive attributes, marketer risk."""
        return self.t if self.closeness else self.marketer_risk

    @property
    def risks(self) -> tuple[float, ...] | None:
        """The parts of privacy loss: t, if it is asked of any attribute, and marketer risk.

        None where either is not known.
        """
        found = (self.t, self.marketer_risk) if self.closeness else (self.marketer_risk,)
        known = tuple(number for number in found if number is not None)
        return known if len(known) == len(found) else None

    @property
    def t(self) -> float | None:
        """The greatest t reached of any sensitive attribute."""
        reached = [closeness.reached for closeness in self.closeness]
        known = [value for value in reached if value is not None]
        return max(known) if known and len(known) == len(reached) else None


def variant(
    spec: Spec,
    method: Method,
    k: int,
    t: Fraction | None = None,
    l: int | None = None,  # noqa: E741 - as the model is called
    further: Mapping[str, Any] | None = None,
) -> Spec:
    """The spec with another method and k, and with thresholds in place of every attribute's own.

    Raises:
        SpecError: if they contradict each other.
    """
    tried = {T_CLOSENESS: t, DISTINCT_L: l}
    tried |= {models_of(name)[0]: threshold for name, threshold in (further or {}).items()}
    asked = {
        model.field.name: declaring(model, threshold)
        for model, threshold in tried.items()
        if threshold is not None
    }
    privacy = spec.privacy.model_copy(update={"k": k, **asked})
    sensitive = {
        name: attribute.model_copy(update=dict.fromkeys(asked))
        for name, attribute in spec.sensitive.items()
    }
    asked = {"method": method, "privacy": privacy, "sensitive": sensitive, "choose": None}
    return changed(spec, **asked, **defaults("spec", kept=True))


def label(method: Method) -> str:
    """A method as a reader names it: ``stack_and_deal, locality: curve``."""
    settings = method.model_dump(mode="json", exclude_defaults=True, exclude={"name"})
    return ", ".join([method.name, *(f"{name}: {value}" for name, value in settings.items())])


def try_out(
    planned: Sequence[Prepared],
    session: Session,
    following: Following | None = None,
    worth_keeping: Callable[[Sequence[Trial]], Collection[int]] | None = None,
) -> list[Trial]:
    """Make and measure each of several releases.

    They differ in method, k and thresholds. Relations that they have in common are made once, so
    those that have most in common should lie next to each other. To be called inside a transaction:
    the relations that the last one has left are still there.

    Args:
        planned: the plans, of work relations alone.
        session: carries them out.
        following: hears whose turn it is.
        worth_keeping: the places of those trials whose searches another plan may have, so that
            what they found is kept; asked after every trial, of all so far.

    Raises:
        SpecError: if the data does not fit the specs.
    """
    found, searches = list[Trial](), list[set[str]]()
    for prepared in planned:
        about = f"{prepared.spec.method.name}, k = {prepared.spec.privacy.k}"
        if following is not None:
            following.turn(len(prepared.plan), about)
        found.append(_tried(prepared, session))
        if worth_keeping is not None:
            worth, here = worth_keeping(found), len(found) - 1
            # The relations of the last one still stand when another plan is carried out.
            keeps = here in worth and prepared is not planned[-1]
            searches.append(session.keep_found() if keeps else set())
            session.keep_only(set().union(*(searches[number] for number in worth)))
        session.reclaim_space()
    return found


def _tried(prepared: Prepared, session: Session) -> Trial:
    started = time.perf_counter()
    found, error = measured(prepared, session)
    k = prepared.spec.privacy.k
    return trial_of(prepared, k, found, time.perf_counter() - started, error)


def measured(prepared: Prepared, session: Session) -> tuple[list[Metric], InfeasibleError | None]:
    """Make and measure one release.

    To be called inside a transaction: the relations that it has left are still there.

    Returns:
        Its metrics, none where it was refused before classes were formed; and what refused it.

    Raises:
        SpecError: if the data does not fit the spec.
    """
    error = None
    try:
        session.run_sharing(prepared.plan)
    except InfeasibleError as caught:
        error = caught
    # A release that is refused before classes are formed was not measured: for a k above the number
    # of records, or an insensitive column that says too much.
    metrics = prepared.measurement.metrics
    return read_metrics(metrics, session.engine) if session.has_left(metrics) else [], error


def trial_of(
    prepared: Prepared,
    k: int,
    metrics: Sequence[Metric],
    seconds: float | None,
    error: InfeasibleError | None,
) -> Trial:
    """A trial as its metrics tell it; unknown is what they leave out."""
    value = {(metric.metric, metric.attribute): metric.value for metric in metrics}

    def reached(model: PrivacyModel) -> tuple[Closeness, ...]:
        return tuple(
            Closeness(
                requirement.name,
                requirement.shown,
                value.get((requirement.metric, requirement.name)),
            )
            for requirement in prepared.measurement.models
            if requirement.model is model
        )

    classes, records = value.get(("classes", None)), value.get(("records", None))
    shortfalls = () if error is None else error.shortfalls
    why = "" if error is None else "; ".join(map(str, shortfalls)) or str(error)
    return Trial(
        method=label(prepared.spec.method),
        k=k,
        closeness=reached(T_CLOSENESS),
        classes=None if classes is None else int(classes),
        gcp=value.get(("gcp", None)),
        c_avg=value.get(("c_avg", None)),
        marketer_risk=value.get(
            (MARKETER_RISK.name, None), classes / records if classes and records else None
        ),
        seconds=seconds,
        holds=error is None,
        why=why,
        shortfalls=shortfalls,
        diversity=reached(DISTINCT_L),
        further={
            privacy_model.field.name: reached(privacy_model) for privacy_model in swept_models()
        },
        record_linkage=value.get((RECORD_LINKAGE, None)),
    )
