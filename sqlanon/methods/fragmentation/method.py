"""Fragmentation: a t for each of several ordered sensitive attributes. Gowda (2023), §4."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlanon.domains import SensitiveAttribute
from sqlanon.measure import Asked
from sqlanon.methods.fragmentation.search import MOST_CELLS, FragmentSearch, Ordered
from sqlanon.methods.fragmentation.settings import FragmentationSettings
from sqlanon.methods.locality import Columns, along_curve, curve_through
from sqlanon.methods.method import ASSIGNED, Grouping, Method, Task
from sqlanon.plan import Check, Step, work
from sqlanon.privacy.t_closeness import T_CLOSENESS
from sqlanon.sql import Relation

# By default there are as many bins as can never make too many cells, and at most so many of one
# attribute.
MOST_BINS = 200
_CURVE_PLACES, _MATRIX = work("curve_places"), work("matrix")


class Fragmentation(Method[FragmentationSettings]):
    """Cuts the multiplicity matrix into fragments, and deals these along a curve."""

    Settings = FragmentationSettings
    enforces = True

    def group(self, task: Task) -> Grouping:
        """The steps from the matrix, by way of a search, to a class for every record."""
        counts = task.count()
        curve = curve_through(counts.distinct, counts.records)
        columns = Columns(task.quasi_codes, task.sensitive_codes, task.tie_breaks)
        bins = {str(alias): work("bins_", alias) for alias in task.sensitive_codes}
        search = FragmentSearch(
            matrix=_MATRIX,
            curve_places=_CURVE_PLACES,
            assigned=ASSIGNED,
            columns=columns,
            released=task.released,
            sensitive=tuple(_ordered(one, bins[one.alias], task.models) for one in task.sensitive),
            curve=curve,
            models=task.models,
            least=max([task.k, *(one.demand.least_size for one in task.models)]),
            sizing=self.settings.sizing,
            strategy=self.settings.strategy,
        )
        return Grouping(
            (
                *_matrix_steps(task, bins, self.settings.bins),
                *along_curve(task.coded, _CURVE_PLACES, task.quasi_identifiers, columns.all, curve),
                search,
            )
        )


def _matrix_steps(
    task: Task, bins: Mapping[str, Relation], asked: int | None
) -> list[Step | Check]:
    """The steps that count the combinations of sensitive values, which must not be too many."""
    always = most_bins(len(task.sensitive))
    return [
        *(
            Step(
                f"the values of {one.name} in bins",
                bins[str(one.alias)],
                "domains/bins",
                {"positions": one.positions},
                {"bins": always if asked is None else asked},
            )
            for one in task.sensitive
        ),
        Step(
            "counting the combinations of sensitive values",
            _MATRIX,
            "methods/fragmentation/matrix",
            {"coded": task.coded, **{f"bins_{alias}": at for alias, at in bins.items()}},
            {"sensitive": task.sensitive_codes, "bins": bins},
        ),
        Check(
            "fragments can be searched for",
            "methods/fragmentation/check_cells",
            {"matrix": _MATRIX},
            {"most": MOST_CELLS},
            "method.bins",
            f"the sensitive attributes make {{cells}} combinations of bins, and fragments are "
            f"searched for among {MOST_CELLS:,} at most; bins: {always} or fewer never make more",
        ),
    ]


def _ordered(attribute: SensitiveAttribute, bins: Relation, models: Sequence[Asked]) -> Ordered:
    (t,) = (
        one.demand.threshold
        for one in models
        if one.attribute == attribute and one.model is T_CLOSENESS
    )
    assert t is not None  # noqa: S101 - a spec without it is refused
    return Ordered(attribute.alias, t, attribute.positions, bins)


def most_bins(attributes: int) -> int:
    """How many bins of each attribute can never make more cells than are allowed."""
    bins = MOST_BINS
    while bins**attributes > MOST_CELLS and bins > 1:
        bins -= 1
    return bins
