"""Classes that follow those of earlier releases, so that intersecting them tells nothing more.

Persons who were in the same classes of all earlier releases stay together; those who are in none
are put into classes of their own by the method. Classes are joined, never parted, where a model
asks for it. A group that has become too small, or too few of values, is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

from sqlanon.clauses import allowing
from sqlanon.clauses.series.companions import (
    Follows,
    group_steps,
    grouped_relation,
    standing_relation,
)
from sqlanon.clauses.series.joined import before_steps, nobody_short
from sqlanon.domains.attribute import SensitiveAttribute
from sqlanon.measure.asked import asked_models
from sqlanon.methods import method_of
from sqlanon.methods.method import Forming, Grouping, Task
from sqlanon.plan import FOUND, Check, Plan, Runner, Search, SearchBase, Step, infeasible, work
from sqlanon.publish import joining
from sqlanon.sql.names import Relation, Sql

_FRESH, _FRESH_VALUES = work("fresh_units"), work("fresh_values")
_NEW_CLASSES, _MERGED_NEW = work("new_classes"), work("merged_new_classes")
_LEFT_OUT, _CONTINUED = work("left_out"), work("continued")
_APART = (
    f"{FOUND.persons} persons cannot be published. After the earlier releases they are "
    f"{FOUND.groups} groups that are too small, have too few sensitive values, or violate another "
    f"model. Readers of all releases would find out more than the spec allows ({FOUND.fresh} of "
    f"the persons are in no earlier one). Let them be left out ({allowing()}), lower k or l, raise "
    "t, or begin a new series with a greater k, so that groups outlast those who leave"
)


@dataclass(frozen=True)
class NewClasses(SearchBase):
    """The search for classes of those who are in no earlier release: the method's, if any is.

    Attributes:
        units: one record of each of them.
        steps: the method's.
        formed: what they come to.
        output: the relation to make: class_id and x0.
    """

    title: ClassVar[str] = "forming classes of new persons"

    units: Relation
    steps: tuple[Step | Check | Search, ...]
    formed: Relation
    output: Relation

    def describe(self) -> str:
        """The settings that decide the outcome."""
        return "".join(Plan(self.steps).step_fingerprints())

    def run(self, session: Runner) -> None:
        """Carry out the method's steps if there is a record for them."""
        units = {"records": self.units}
        found = session.fetch("source/record_count", units, {}, limit=1)
        if not found.rows[0][0]:
            empty = Step(
                self.title, self.output, "clauses/series/no_classes", {"units": self.units}
            )
            session.create(empty)
            return
        for step in self.steps:
            session.carry_out(step)
        made = Step(self.title, self.output, "clauses/series/new_classes", {"formed": self.formed})
        session.create(made)


@dataclass(frozen=True)
class Continued(Forming):
    """Classes that keep earlier companions together; those of new persons are the method's.

    Attributes:
        follows: how the release follows earlier ones.
    """

    follows: Follows

    def group(self, task: Task) -> Grouping:
        """The steps from the records to classes that go on, and new ones."""
        values = self.value_columns(task.sensitive)
        codes = (*task.quasi_codes, *values, *task.unit_codes)
        return _continued(self.follows, task, codes)

    def value_columns(self, sensitive: Sequence[SensitiveAttribute]) -> tuple[Sql, ...]:
        """The codes of a record's sensitive values, as the method reads them."""
        return method_of(self.follows.spec.method).value_columns(sensitive)


def _continued(follows: Follows, task: Task, codes: Sequence[Sql]) -> Grouping:
    """The steps to classes that go on, by the codes that the method reads of a record."""
    spec, unit, coded = follows.spec, follows.unit, task.coded
    grouped, standing = grouped_relation("earlier"), standing_relation("earlier")
    choosing, _ = joining.chosen(unit, coded, codes, (), task.seed)
    states = {"grouped": grouped, "standing": standing}
    steps: list[Step | Check | Search] = [*choosing]
    before = []
    if follows.joins is not None:
        before = before_steps(follows.joins, spec.privacy.k, grouped)
        if spec.allowance is None:
            before.append(nobody_short(grouped))
    steps += group_steps(follows, "earlier", joining=before)
    suppressed = None
    if spec.allowance is None:
        steps.append(
            Check(
                "nobody has to be left out",
                "clauses/series/check_together",
                {"standing": standing},
                {},
                "series",
                _APART,
                infeasible,
            )
        )
    else:
        suppressed = _LEFT_OUT
        steps.append(
            Step(
                "who has to be left out",
                _LEFT_OUT,
                "clauses/series/left_out",
                {"coded": coded, **states},
                {"person": unit.columns},
            )
        )
    steps.append(
        Step(
            "new persons",
            _FRESH,
            "clauses/series/fresh_units",
            {"units": joining.UNITS, **states},
            {"coordinates": tuple(codes)},
        )
    )
    steps += [
        _new_classes(follows, task),
        Step(
            "classes that go on, and new ones",
            _CONTINUED,
            "clauses/series/continued",
            {"units": joining.UNITS, **states, "fresh_classes": _NEW_CLASSES},
            {"coordinates": task.quasi_codes},
        ),
    ]
    classes = _CONTINUED
    if task.sensitive:
        classes = joining.UNIT_CLASSES
        steps.append(_merging(follows, task, coded, _CONTINUED, classes))
    followed = joining.following(unit, coded, classes, task.released)
    return Grouping((*steps, followed), followed.output, suppressed)


def _new_classes(follows: Follows, task: Task) -> NewClasses:
    """The method's classes of new persons, each of which meets by itself what is asked."""
    counting, counted = joining.counted_among(
        _FRESH, _FRESH_VALUES, task.sensitive, "fresh_positions_"
    )
    models = tuple(asked_models(follows.spec.privacy, [*counted, *task.following]))
    alone = joining.among_units(task, follows.unit, (_FRESH, _FRESH_VALUES), counted, models)
    # Outliers are found among records: here persons are left out, for lack of companions alone.
    formed = method_of(follows.spec.method).group(replace(alone, allowance=Fraction(0)))
    steps, classes = [*counting, *formed.steps], formed.assigned
    if counted:
        # Against the frequencies of all persons, and not those of the new ones alone.
        merging = _merging(follows, task, task.coded, classes, _MERGED_NEW, formed.profiles)
        steps, classes = [*steps, merging], merging.output
    return NewClasses(_FRESH, tuple(steps), classes, _NEW_CLASSES)


def _merging(
    follows: Follows,
    task: Task,
    coded: Relation,
    assigned: Relation,
    output: Relation,
    profiles: Relation | None = None,
) -> joining.Merging:
    return joining.Merging(
        coded=coded,
        assigned=assigned,
        output=output,
        unit=follows.unit,
        quasi_identifiers=task.quasi_codes,
        sensitive=task.sensitive,
        models=task.models,
        profiles=profiles,
    )
