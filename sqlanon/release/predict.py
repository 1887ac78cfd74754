"""What a release will reach, known before a record is touched: from the frequencies alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlanon.engines import Engine
from sqlanon.hierarchies import Attribute
from sqlanon.methods import stacked_columns
from sqlanon.plan import Check, Plan, Search, Step, work
from sqlanon.privacy import Model
from sqlanon.release.metrics import Metric
from sqlanon.release.prepare import SIZE, Prepared
from sqlanon.session import Session
from sqlanon.spec import Method, StackAndDealMethod
from sqlanon.sql import Relation

# Kinds of classes times blocks are compared, so the work grows with the square of the blocks; of
# several numbers of classes as many are taken together as keep it below so many pairs.
MOST_BLOCKS = 3000
MOST_PAIRS = 10_000_000
STACK, SIZES = work("stack"), work("sizes")
PROFILES, CLASSES, FORETOLD = work("profiles"), work("classes"), work("foretold")


def predict(prepared: Prepared, engine: Engine) -> list[Metric] | None:
    """The privacy models' values of the classes that Stack & Deal will form.

    They hold for the classes as dealt. Classes that publish the same tuple are one class to a
    reader; then k and l can only be greater, and t only smaller.

    Nothing is written. The sensitive attributes are counted once.

    Returns:
        A metric for every model; None for a method whose classes cannot be known beforehand, and
        for more combinations of sensitive values than can be compared.

    Raises:
        SpecError: if the data does not fit the spec.
        InfeasibleError: if there are fewer records than k.
    """
    if prepared.spec.person or not foretellable(prepared.spec.method):
        return None
    session, k = Session(engine), prepared.spec.privacy.k
    with session.transaction(keep=False):
        found = foretell([prepared], [k], session)
        return None if found is None else found.metrics[0][k]


def foretellable(method: Method) -> bool:
    """Whether the frequencies alone tell what a method's classes will hold."""
    return isinstance(method, StackAndDealMethod) and method.locality != "stripes"


@dataclass(frozen=True)
class Foretold:
    """What was foretold.

    Attributes:
        records: how many records the source has.
        metrics: for each plan, and each k up to that, a metric for every model.
    """

    records: int
    metrics: list[dict[int, list[Metric]]]


def foretell(
    prepared: Sequence[Prepared], sizes: Sequence[int], session: Session
) -> Foretold | None:
    """What every model will reach for every k, by one scan of the sensitive attributes.

    For a number of classes e there are at most s + 1 kinds of classes, s the blocks of the stack,
    and k decides nothing but e = floor(n / k). To be called inside a transaction; what it makes
    lasts until its end.

    Args:
        prepared: plans that differ in nothing but what is asked for; the first one's k is the
            least of all.
        sizes: the k to foretell; those above the number of records are left out.
        session: makes the relations.

    Returns:
        The metrics; None for more combinations of sensitive values than can be compared.

    Raises:
        SpecError: if the data does not fit the spec.
        InfeasibleError: if there are fewer records than the least k.
    """
    engine = session.engine
    session.run(Plan(tuple(_up_to_stack(prepared[0]))))
    records = int(engine.ask(f"select records from {engine.named(SIZE)}").rows[0][0])
    blocks = int(engine.ask(f"select count(*) as n from {engine.named(STACK)}").rows[0][0])
    if blocks > MOST_BLOCKS:
        return None
    known: list[dict[int, list[Metric]]] = [{} for _ in prepared]
    numbers = sorted({records // k for k in sizes if k <= records})
    at_once = max(1, MOST_PAIRS // (blocks + 1) ** 2)
    for start in range(0, len(numbers), at_once):
        some = numbers[start : start + at_once]
        for step in profile_steps(prepared[0].sensitive, some):
            session.create(step)
        for metrics, plan in zip(known, prepared, strict=True):
            models = plan.measurement.models
            for step in _model_steps(models, plan.sensitive):
                session.create(step)
            found = _found(models, session, len(some))
            for k in sizes:
                if k <= records and records // k in found:
                    metrics[k] = list(_metrics(models, found[records // k], k))
    return Foretold(records, known)


def _up_to_stack(prepared: Prepared) -> list[Step | Check | Search]:
    """The plan's steps before any record is coded, and the stack of values.

    Without those that look at the insensitive columns, which have no part in how values are dealt.
    """
    kept: list[Step | Check | Search] = []
    for step in prepared.plan:
        if isinstance(step, Step) and step.output.name == work("coded").name:
            continue
        if isinstance(step, Step | Check) and step.template.startswith("insensitive/"):
            continue
        kept.append(step)
        if isinstance(step, Step) and step.output == STACK:
            break
    return kept


def profile_steps(sensitive: Sequence[Attribute], classes: Sequence[int]) -> list[Step]:
    """The steps that find every kind of class that dealing will give.

    Args:
        sensitive: the sensitive attributes.
        classes: numbers of classes.
    """
    stacked_by = stacked_columns(sensitive)
    return [
        Step(
            "counting the classes",
            SIZES,
            "stack_and_deal/several_sizes",
            {"stack": STACK},
            {"classes": tuple(classes)},
        ),
        Step(
            "kinds of classes",
            PROFILES,
            "stack_and_deal/profiles",
            {"stack": STACK, "sizes": SIZES},
            {"sensitive": stacked_by},
        ),
        Step(
            "their sizes",
            CLASSES,
            "stack_and_deal/profile_classes",
            {"profiles": PROFILES},
        ),
        *(
            Step(
                f"their values of {attribute.name}",
                _values(attribute),
                "stack_and_deal/profile_values",
                {"profiles": PROFILES, "positions": attribute.positions},
                {"attribute": attribute.alias},
            )
            for attribute in sensitive
        ),
    ]


def _model_steps(models: Sequence[Model], sensitive: Sequence[Attribute]) -> list[Step]:
    """The steps that measure every model in every kind of class."""
    class_values = {str(one.alias): _values(one) for one in sensitive}
    return [model.step(CLASSES, class_values) for model in models]


def foretold_step(models: Sequence[Model]) -> Step:
    """The step that finds the worst kind of class for every number of classes and model."""
    inputs: dict[str, Any] = {"classes": CLASSES}
    inputs |= {f"model_{place}": model.relation for place, model in enumerate(models, 1)}
    shown = [{"relation": model.relation, "worst": model.worst} for model in models]
    return Step("what they reach", FORETOLD, "stack_and_deal/foretold", inputs, {"models": shown})


def _found(
    models: Sequence[Model], session: Session, numbers: int
) -> dict[int, dict[int, tuple[float | None, int]]]:
    """For each number of classes and each model's place, its value and how many kinds fail."""
    step = foretold_step(models)
    rows = session.fetch(step.template, step.inputs, step.params, numbers * len(models)).rows
    found: dict[int, dict[int, tuple[float | None, int]]] = {}
    for classes, place, value, failing in rows:
        found.setdefault(int(classes), {})[int(place)] = (value, int(failing))
    return found


def _metrics(
    models: Sequence[Model], found: Mapping[int, tuple[float | None, int]], k: int
) -> Iterator[Metric]:
    for place, model in enumerate(models, 1):
        value, failing = found[place]
        name = None if model.attribute is None else model.attribute.name
        shown, passed = model.shown, None if model.threshold is None else failing == 0
        if model.metric == "k_anonymity":  # dealing forms floor(n / k) classes of at least k
            shown, passed, failing = (str(k), True, 0) if k > 1 else (None, None, 0)
        # Each kind of class stands for several, so the records are known only where none fails.
        records = None if failing else 0
        yield Metric(model.metric, name, value, shown, passed, failing, records)


def _values(attribute: Attribute) -> Relation:
    return work("class_values_", attribute.alias)
