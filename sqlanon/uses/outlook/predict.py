"""The values that a release will reach, from the frequencies alone, before a record is touched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlanon.clauses.clause import Use
from sqlanon.measure.asked import Asked, Requirements, held_step
from sqlanon.measure.cover import Projected
from sqlanon.methods import method_of
from sqlanon.methods.method import Prediction
from sqlanon.plan import Materialization, Step, work
from sqlanon.planning.prepare import Prepared
from sqlanon.privacy.k_anonymity import K_ANONYMITY
from sqlanon.record.metrics import Metric, defined
from sqlanon.session import Session
from sqlanon.spec.refusals import refusals
from sqlanon.uses.outlook.dry_run import DryRun

# Kinds of classes times blocks are compared, so the work grows with the square of the blocks; of
# several numbers of classes as many are taken together as keep it below so many pairs.
MOST_BLOCKS = 3000
MOST_PAIRS = 10_000_000
_HELD = work("held")


def predict_metrics(dry: DryRun) -> list[Metric] | None:
    """The privacy models' values of the classes that the method will form.

    They hold for the classes as dealt. Classes that publish the same tuple are one class to a
    reader; then k and l can only be greater, and t only smaller.

    The sensitive attributes are counted once.

    Returns:
        A metric for every model; None for a method whose classes cannot be known beforehand, and
        for more combinations of sensitive values than can be compared.

    Raises:
        SpecError: if the data does not fit the spec.
        InfeasibleError: if there are fewer records than k.
    """
    spec = dry.prepared.spec
    prediction, k = method_of(spec.method).prediction(), spec.privacy.k
    if prediction is None or any(refusals(spec, Use.PREDICTION)):
        return None
    found = predict_sizes(prediction, [dry.prepared], [k], dry)
    return None if found is None else found.metrics[0][k]


@dataclass(frozen=True)
class Predicted:
    """The values that were predicted.

    Attributes:
        records: how many records the source has.
        metrics: for each plan, and each k up to that, a metric for every model.
    """

    records: int
    metrics: list[dict[int, list[Metric]]]


def predict_sizes(
    prediction: Prediction, prepared: Sequence[Prepared], sizes: Sequence[int], dry: DryRun
) -> Predicted | None:
    """The values that every model will reach for every k, by one scan of the sensitive attributes.

    Args:
        prediction: how the method's classes are known.
        prepared: plans that differ in nothing but what is asked for; the first one's k is the
            least of all.
        sizes: the k to predict; those above the number of records are left out.
        dry: a dry run of the first of them.

    Returns:
        The metrics; None for more combinations of sensitive values than can be compared.

    Raises:
        SpecError: if the data does not fit the spec.
        InfeasibleError: if there are fewer records than the least k.
    """
    session, engine, start = dry.session, dry.engine, prediction.start
    sensitive = prepared[0].publication.view.sensitive
    records = dry.records()
    not_read = (dry.prepared.coding, *dry.prepared.looking_at_insensitive)
    dry.until(start, leaving_out=lambda step: any(step is one for one in not_read))
    blocks = int(
        engine.fetch_portable(f"select count(*) as n from {engine.named(start)}").rows[0][0]
    )
    if blocks > MOST_BLOCKS:
        return None
    known: list[dict[int, list[Metric]]] = [{} for _ in prepared]
    numbers = sorted({records // k for k in sizes if k <= records})
    at_once = max(1, MOST_PAIRS // (blocks + 1) ** 2)
    for first in range(0, len(numbers), at_once):
        some = numbers[first : first + at_once]
        for step in prediction.steps(sensitive, some):
            session.create(step)
        values = {str(attribute.alias): prediction.values(attribute) for attribute in sensitive}
        for model in _known(prepared[0]):  # the same in every plan
            session.create(model.step(prediction.classes, values))
        for metrics, plan in zip(known, prepared, strict=True):
            models = _known(plan)
            holding = held_step(models, _HELD, Materialization.WORK_TABLE)
            held = None if holding is None else session.create(holding).relation
            found = _found(prediction.worst(models, held), session, len(some) * len(models))
            for k in sizes:
                if k <= records and records // k in found:
                    metrics[k] = list(_metrics(models, found[records // k], k))
    return Predicted(records, known)


def _known(prepared: Prepared) -> list[Asked]:
    """The models of classes; those of cells are known only once the classes are formed."""
    found = prepared.measurement.models
    return [
        model for model in found if not (isinstance(model, Projected) or model.model.is_of_covered)
    ]


def _found(
    worst: Step, session: Session, limit: int
) -> dict[int, dict[int, tuple[float | None, int]]]:
    """For each number of classes and each model, by its number: its value, how many kinds fail."""
    rows = session.fetch(worst.template, worst.inputs, worst.params, limit).rows
    found: dict[int, dict[int, tuple[float | None, int]]] = {}
    for classes, number, value, failing in rows:
        found.setdefault(int(classes), {})[int(number)] = (value, int(failing))
    return found


def _metrics(
    models: Sequence[Asked], found: Mapping[int, tuple[float | None, int]], k: int
) -> Iterator[Metric]:
    for number, model in Requirements(tuple(models)):
        value, failing = found[number]
        shown, passed = model.shown, None if model.bound is None else failing == 0
        if model.model is K_ANONYMITY:  # dealing forms floor(n / k) classes of at least k
            shown, passed, failing = (str(k), True, 0) if k > 1 else (None, None, 0)
        # Each kind of class stands for several, so the records are known only where none fails.
        records = None if failing else 0
        yield defined(
            Metric(
                metric=model.metric,
                attribute=model.name,
                value=value,
                threshold=shown,
                passed=passed,
                failing_classes=failing,
                failing_records=records,
            )
        )
