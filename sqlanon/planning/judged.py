"""The classes of recoded records, held to every model before any of them is published.

A script and a view of the source leave a class out by SQL alone: for the first model that it
violates, as a run does. The gate of a run measures again what is published then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlanon.measure.asked import OF_RECORDS, Asked, held_step
from sqlanon.methods.method import PLACED
from sqlanon.plan import Step, work
from sqlanon.sql.names import Sql

RECODED = work("recoded")  # every record with its labels, where some may be left out
CLASSES, JUDGED = work("recoded_classes"), work("judged_classes")
_TITLE = "which classes meet every model"


def judging_steps(published: Sequence[Sql], asked: Sequence[Asked], of_cells: bool) -> list[Step]:
    """The steps from `RECODED` to `JUDGED`: the first model that each of its classes violates.

    Args:
        published: the columns that stand for quasi-identifiers.
        asked: the models that are asked for.
        of_cells: whether known cells are laid over the records, of which some may lie in none.
    """
    outside = {"outside": PLACED} if of_cells else {}
    bounded = [replace(one, stem="judged") for one in asked if one.bound is not None]
    if [one.key for one in bounded] == [OF_RECORDS]:
        inputs = {"recoded": RECODED, **outside}
        sized = {"published": tuple(published), "k": bounded[0].demand.threshold}
        return [Step(_TITLE, JUDGED, "recode/sized_classes", inputs, sized)]
    attributes = {one.attribute.alias: one.attribute for one in bounded if one.attribute}
    values = {str(alias): work("recoded_values_", alias) for alias in attributes}
    shown = {"published": tuple(published)}
    steps = [
        Step("classes of the records", CLASSES, "measure/classes", {"measured": RECODED}, shown)
    ]
    for alias, one in attributes.items():
        inputs = {"measured": RECODED, "classes": CLASSES, "positions": one.positions}
        params = {"attribute": alias, "telling": one.telling, **shown}
        title = f"values of {one.name} in each of them"
        steps.append(Step(title, values[str(alias)], "measure/class_values", inputs, params))
    steps += [one.step(CLASSES, values) for one in bounded]
    inputs = {"placed": CLASSES, **outside}
    holding = held_step(bounded, work("judged_held"))
    if holding is not None:
        steps.append(holding)
        inputs["held"] = holding.output
    return [*steps, Step(_TITLE, JUDGED, "recode/judged_classes", inputs, shown)]
