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

from dataclasses import replace

from sqlanon.domains import SensitiveAttribute
from sqlanon.methods.anatomy.settings import AnatomySettings
from sqlanon.methods.locality import curve_through
from sqlanon.methods.method import Grouping, Method, Task
from sqlanon.methods.stack_and_deal.along import dealt_along
from sqlanon.methods.stack_and_deal.dealing import dealt_blindly
from sqlanon.methods.stack_and_deal.settings import StackAndDealSettings
from sqlanon.methods.stack_and_deal.stack import STACK, stack_order, stacking
from sqlanon.plan import Check, infeasible
from sqlanon.privacy.l_diversity import DISTINCT_L


class Anatomy(Method[AnatomySettings]):
    """Deals the records of every value to as many groups."""

    Settings = AnatomySettings
    refuses = False

    def group(self, task: Task) -> Grouping:
        """The steps from the stack of sensitive values to a group for every record."""
        (attribute,) = task.sensitive
        distinct = _distinct(task, attribute)
        grouped = replace(task, k=distinct)
        (stack,) = stacking(grouped, stack_order(StackAndDealSettings(), grouped.sensitive))
        check = _eligible(attribute, distinct)
        if self.settings.locality == "none":
            return Grouping((stack, check, *dealt_blindly(grouped)))
        counts = task.count()
        # Along the curve a value's records change places with each other alone: the values of
        # every group stay.
        curve = curve_through(counts.distinct, counts.records)
        return Grouping((stack, check, *dealt_along(grouped, curve, None)))


def _distinct(task: Task, attribute: SensitiveAttribute) -> int:
    """How many different values a group is to have; the settings see to it that it is asked."""
    (asked,) = (
        int(one.demand.threshold)
        for one in task.models
        if one.attribute == attribute and one.model is DISTINCT_L
    )
    return asked


def _eligible(attribute: SensitiveAttribute, distinct: int) -> Check:
    """Refuse a table with a value that more than n / l of the records have.

    Groups of l records or more are at most floor(n / l), and each may have the value once.
    """
    return Check(
        "no value is too frequent for groups of different values",
        "methods/anatomy/check_eligible",
        {"stack": STACK},
        {"l": distinct},
        f"sensitive.{attribute.name}.l",
        f"the groups of anatomy hold no value of {attribute.name} twice: with l = {distinct} a "
        "value (or NULL) may be in {most} of the {records} records at most, and one is in "
        "{commonest}; the greatest l that would do is {greatest}. Groups of other methods may hold "
        "a value several times",
        infeasible,
    )
