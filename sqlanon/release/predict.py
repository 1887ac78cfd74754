"""What a release will reach, known before a record is touched: from the frequencies alone."""

from __future__ import annotations

from sqlanon.engines import Engine
from sqlanon.hierarchies import Attribute
from sqlanon.measure import model_metrics
from sqlanon.plan import Check, Plan, Search, Session, Step, work
from sqlanon.release.prepare import Prepared
from sqlanon.release.run import Metric, read_metrics
from sqlanon.spec import StackAndDealMethod
from sqlanon.sql import Relation

# Kinds of classes times blocks are compared, so the work grows with the square of the blocks.
MOST_BLOCKS = 3000
STACK, SIZES = work("stack"), work("sizes")
PROFILES, CLASSES = work("profiles"), work("classes")


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
    method = prepared.spec.method
    if not isinstance(method, StackAndDealMethod) or method.locality == "stripes":
        return None
    session = Session(engine)
    with session.transaction(keep=False):
        session.run(Plan(tuple(_up_to_stack(prepared))))
        blocks = engine.ask(f"select count(*) as n from {STACK.sql}")
        if blocks.rows[0][0] > MOST_BLOCKS:
            return None
        for step in profile_steps(prepared, prepared.sensitive):
            session.create(step)
        models = prepared.measurement.models
        class_values = {str(one.alias): _values(one) for one in prepared.sensitive}
        steps, metrics = model_metrics(models, CLASSES, class_values)
        session.run(Plan(tuple(steps)))
        return read_metrics(metrics, engine)[: len(models)]


def _up_to_stack(prepared: Prepared) -> list[Step | Check | Search]:
    """The plan's steps before any record is coded, and the stack of values."""
    kept: list[Step | Check | Search] = []
    for step in prepared.plan:
        if isinstance(step, Step) and step.output.name == work("coded").name:
            continue
        kept.append(step)
        if isinstance(step, Step) and step.output == STACK:
            break
    return kept


def profile_steps(prepared: Prepared, sensitive: tuple[Attribute, ...]) -> list[Step]:
    """The steps that find every kind of class that dealing will give."""
    k = prepared.spec.privacy.k
    stacked_by = tuple(attribute.alias for attribute in sensitive)
    return [
        Step("counting the classes", SIZES, "stack_and_deal/sizes", {"stack": STACK}, {"k": k}),
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


def _values(attribute: Attribute) -> Relation:
    return work("class_values_", attribute.alias)
