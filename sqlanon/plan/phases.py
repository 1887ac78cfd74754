"""The phases of a plan: what its steps are there for, told by their templates."""

from __future__ import annotations

from sqlanon.plan.step import Check, Plan, Step

READING, LOOKING, GROUPING, PUBLISHING, MEASURING, GATE = (
    "reading the source",
    "looking at the columns",
    "forming classes",
    "publishing",
    "measuring what is published",
    "the gate",
)
_ORDER = (READING, LOOKING, GROUPING, PUBLISHING, MEASURING, GATE)
# Templates by themselves, and families of them; of persons whatever they stand between, and all
# others form classes.
_OF = {
    "source/values_in_use": LOOKING,
    "source/coded": GROUPING,
    "release/ledger": GATE,
    "release/ledger_reasons": MEASURING,
    "release/check_conserved": GATE,
    "release/check_suppressed": GATE,
    "release/check_gate": GATE,
    "population/covered": MEASURING,
    "population/check_covered": MEASURING,
    "source": READING,
    "transform": READING,
    "background": LOOKING,
    "domains": LOOKING,
    "recipe/shown": READING,
    "recipe/end_values": LOOKING,
    "recipe/set_values": LOOKING,
    "insensitive": LOOKING,
    "release": PUBLISHING,
    "publish": PUBLISHING,
    "measure": MEASURING,
    "privacy": MEASURING,
    "check": MEASURING,
    "series": MEASURING,
}


def phases(plan: Plan) -> list[str]:
    """The phase of each step of a plan, in order; a phase that ended does not come back."""
    found: list[str] = []
    for step in plan:
        last = found[-1] if found else READING
        own = _own(step.template, last) if isinstance(step, Step | Check) else GROUPING
        if own == READING and last == PUBLISHING:  # the table is read, as anybody will read it
            own = MEASURING
        found.append(max(own, last, key=_ORDER.index))
    return found


def _own(template: str, last: str) -> str:
    family = template.partition("/")[0]
    if family == "persons":
        return last
    return _OF.get(template) or _OF.get(family, GROUPING)
