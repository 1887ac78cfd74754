"""Anatomy's own grouping: groups of l records with l different sensitive values.

Xiao and Tao (2006), §4, the algorithm Anatomize. It takes one record of each of the l values that
have most records left, time and again. Then it puts each record of the residue into a group that
has not its value. Here the same is done in one go: the records, sorted by value, are dealt in turn
to e = floor(n / l) groups, which is Stack & Deal with k = l.

Every value is at most once in a group wherever Anatomize can be used at all: where no value has
more than n / l records (the paper's eligibility condition).

*Proof.* Such a value has at most floor(n / l) = e records, since their number is whole. They lie at
consecutive places of the stack, and the record at place i goes to group i mod e; at most e
consecutive numbers are all different modulo e.

The sizes are floor(n / e) and ceil(n / e), for r = n mod l that is l + floor(r / e) and
l + ceil(r / e): l or l + 1 where r is at most e, as in all but small tables. Every group has as
many different values as records, so l holds, and k, groups and alpha up to what follows from l.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import ClassVar, Literal

from pydantic import Field

from sqlanon.domains.attribute import SensitiveAttribute
from sqlanon.errors import Problem
from sqlanon.methods.deal.locality import curve_through
from sqlanon.methods.deal.stack_and_deal.along import dealt_along
from sqlanon.methods.deal.stack_and_deal.stack import (
    KEPT_STACK,
    STACK,
    StackAndDealSettings,
    dealt_blindly,
    kept_stack,
    stack_order,
    stacking,
)
from sqlanon.methods.method import Grouping, Method, Task
from sqlanon.methods.strata import in_each_stratum
from sqlanon.plan import FOUND, Check, infeasible
from sqlanon.privacy.l_diversity import DISTINCT_L
from sqlanon.spec import MethodSettings, Spec
from sqlanon.spec.publication import asked_of
from sqlanon.sql.names import Relation


class AnatomySettings(MethodSettings):
    """Groups of l records with l different sensitive values. Xiao and Tao (2006), §4."""

    counts_persons: ClassVar[bool] = False
    strata: ClassVar[bool] = True
    by_name: ClassVar[bool] = True
    follows_k: ClassVar[bool] = False
    searches: ClassVar[bool] = False

    name: Literal["anatomy"] = "anatomy"
    locality: Literal["none", "curve"] = Field(
        default="curve",
        description="which records of a value a group gets: along a curve through the "
        "quasi-identifiers, so that a group's records lie close, or drawn blindly, as in the paper",
    )

    def problems(self, spec: Spec) -> Iterator[Problem]:
        """Groups are of l records for the l of one sensitive attribute, and no larger."""
        if len(spec.sensitive) != 1:
            number = "none is" if not spec.sensitive else f"{len(spec.sensitive)} are"
            what = f"anatomy works on one sensitive attribute, and {number} declared"
            yield Problem("method", f"{what}: take another method")
            return
        ((name, declared),) = spec.sensitive.items()
        distinct = DISTINCT_L.asked_of(declared, spec.privacy)
        if distinct is None or distinct < 2:
            yield Problem(
                f"sensitive.{name}.l",
                "anatomy forms groups of l different values, and no distinct l is asked for: give "
                "it a whole number from 2",
            )
            return
        yield from _larger_groups(spec, distinct)
        for demand in asked_of(spec, declared):
            if demand.least_size > distinct:
                own = getattr(declared, demand.model.field.name, None) is not None
                yield Problem(
                    f"{f'sensitive.{name}' if own else 'privacy'}.{demand.model.field.name}",
                    f"{demand.model.title} needs groups of {demand.least_size} records at least, "
                    f"and anatomy forms groups of l = {distinct}: raise l to {demand.least_size}, "
                    "or take another method",
                )


def _larger_groups(spec: Spec, distinct: int) -> Iterator[Problem]:
    """The demands for groups of more records than l, as problems."""
    what = f"anatomy forms groups of l = {distinct} records"
    if spec.choose is not None:
        return  # it chooses k, which is not followed
    if spec.publish is not None and (spec.publish.group or 0) > distinct and spec.shows_exact:
        group = spec.publish.group
        yield Problem(
            "publish.group",
            f"{what}, and {group} are asked for: say {distinct} at most, or raise l to {group}",
        )
    elif spec.privacy.k > distinct:
        k = spec.privacy.k
        yield Problem(
            "privacy.k", f"{what}, and {k} are asked for: say {distinct} at most, or raise l to {k}"
        )


class Anatomy(Method[AnatomySettings]):
    """Deals the records of every value to as many groups."""

    Settings = AnatomySettings
    refuses = False

    def group(self, task: Task) -> Grouping:
        """The steps from the stack of sensitive values to a group for every record."""
        return in_each_stratum(task, partial(self._grouped, task.coded))

    def _grouped(self, table: Relation, task: Task) -> Grouping:
        """The same of the table, or of one stratum of it."""
        (attribute,) = task.sensitive
        distinct = _distinct(task, attribute)
        grouped = replace(task, k=distinct)
        steps = list(stacking(grouped, stack_order(StackAndDealSettings(), grouped.sensitive)))
        stack, whose = STACK, "the"
        if task.coded != table:
            stack, whose = KEPT_STACK, "a stratum's"
            steps.append(kept_stack(task.coded, task.sensitive_codes, STACK))
        check = _eligible(attribute, distinct, stack, whose)
        if self.settings.locality == "none":
            return Grouping((*steps, check, *dealt_blindly(grouped, stack)))
        counts = task.count()
        # Along the curve a value's records change places with each other alone: the values of
        # every group stay.
        curve = curve_through(counts.distinct, counts.records)
        return Grouping((*steps, check, *dealt_along(grouped, curve, None, stack)))


def _distinct(task: Task, attribute: SensitiveAttribute) -> int:
    """How many different values a group is to have; the settings see to it that it is asked."""
    (asked,) = (
        int(model.demand.threshold)
        for model in task.models
        if model.attribute == attribute and model.model is DISTINCT_L
    )
    return asked


def _eligible(attribute: SensitiveAttribute, distinct: int, stack: Relation, whose: str) -> Check:
    """Refuse a table with a value that more than n / l of the records have.

    Groups of l records or more are at most floor(n / l), and each may have the value once.
    """
    return Check(
        "no value is too frequent for groups of different values",
        "methods/anatomy/check_eligible",
        {"stack": stack},
        {"l": distinct},
        f"sensitive.{attribute.name}.l",
        f"the groups of anatomy hold no value of {attribute.name} twice: with l = {distinct} a "
        f"value (or NULL) may be in {FOUND.most} of {whose} {FOUND.records} records at most, and "
        f"one is in {FOUND.commonest}; the greatest l that would do is {FOUND.greatest}. Groups of "
        "other methods may hold a value several times",
        infeasible,
    )
