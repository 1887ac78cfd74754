"""The measures of every class, kept side by side in one model for all that read them."""

from __future__ import annotations

from collections.abc import Sequence

from sqlanon.plan import Step, needed, work
from sqlanon.plan.step import WORK_PREFIX
from sqlanon.planning.recoding import CLASS_REPORT
from sqlanon.sql import Relation, columns_of

MEASURED = work("all_measured")
PART = "dbt/part"  # the template that reads one of its relations back


def measured_once(steps: Sequence[Step], report: Relation) -> list[Step]:
    """The same steps, with one that keeps what a report reads, and those that read it back.

    Args:
        steps: a plan's steps, in order.
        report: the relation that puts together what is measured in every equivalence class.
    """
    reporting = next(one for one in steps if one.output == report)
    if reporting.template == CLASS_REPORT:  # it is all that is measured of a class
        return [*steps]
    parts = [*dict.fromkeys(reporting.inputs.values())]
    before = needed(steps, parts)
    made = {step.output: step for step in before}
    kept = [
        {
            "place": place,
            "relation": part,
            "columns": [
                {"name": name, "kept": f"{part.name.removeprefix(WORK_PREFIX)}_{name}"}
                for name in columns_of(made[part].sql())
                if name != "class_id"
            ],
        }
        for place, part in enumerate(parts, 1)
    ]
    together = Step(
        "what is measured in every class",
        MEASURED,
        "dbt/measured",
        {f"part_{one['place']}": one["relation"] for one in kept},
        {"parts": kept},
    )
    again = [
        Step(
            made[part].title,
            part,
            PART,
            {"measured": MEASURED},
            {"columns": one["columns"]},
        )
        for part, one in zip(parts, kept, strict=True)
    ]
    return [*before, together, *again, *(step for step in steps if step not in before)]
