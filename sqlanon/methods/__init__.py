"""The methods that form equivalence classes; each leaves a relation with a class per record."""

from typing import Any

from sqlanon.methods.cut.mondrian import Mondrian
from sqlanon.methods.cut.split_or_deal.method import DealTree, SplitOrDeal
from sqlanon.methods.deal.anatomy import Anatomy
from sqlanon.methods.deal.fragmentation.method import Fragmentation
from sqlanon.methods.deal.random import Random
from sqlanon.methods.deal.sabre.method import Sabre
from sqlanon.methods.deal.stack_and_deal.method import StackAndDeal
from sqlanon.methods.grow.microaggregation.method import Microaggregation
from sqlanon.methods.grow.uhra import Uhra
from sqlanon.methods.level.cell_suppression.method import CellSuppression
from sqlanon.methods.level.k_optimize.method import KOptimize
from sqlanon.methods.level.lattice.method import Datafly, Incognito, Optimal, Samarati
from sqlanon.methods.level.top_down.method import TopDown
from sqlanon.methods.method import Method
from sqlanon.spec import MethodSettings

# The one list of methods. A spec that names none means the first.
METHODS: dict[str, type[Method[Any]]] = {
    one.Settings.method_name(): one
    for one in (
        SplitOrDeal,
        StackAndDeal,
        DealTree,
        Fragmentation,
        Mondrian,
        Optimal,
        Samarati,
        Incognito,
        Datafly,
        KOptimize,
        TopDown,
        CellSuppression,
        Uhra,
        Sabre,
        Microaggregation,
        Anatomy,
        Random,
    )
}


def method_of(settings: MethodSettings) -> Method[Any]:
    """The method that a spec's settings are of."""
    return METHODS[settings.name](settings)
