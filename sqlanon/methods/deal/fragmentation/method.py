"""Fragmentation: a t for each of several ordered sensitive attributes. Gowda (2023), §4."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import ClassVar, Literal

from pydantic import Field

from sqlanon.common.fields import Whole
from sqlanon.domains.attribute import SensitiveAttribute
from sqlanon.errors import Problem
from sqlanon.measure.asked import Asked
from sqlanon.methods.deal.fragmentation.search import MOST_CELLS, FragmentSearch, Near, Ordered
from sqlanon.methods.deal.locality import Columns, along_curve, curve_through
from sqlanon.methods.method import ASSIGNED, Grouping, Method, Task
from sqlanon.methods.strata import in_each_stratum
from sqlanon.methods.workspace import scales_of
from sqlanon.plan import FOUND, Check, Step, work
from sqlanon.privacy.t_closeness import T_CLOSENESS
from sqlanon.spec import MethodSettings, Spec
from sqlanon.sql.names import Relation


class FragmentationSettings(MethodSettings):
    """Fragmentation: a t for each of several ordered sensitive attributes."""

    counts_persons: ClassVar[bool] = False
    strata: ClassVar[bool] = True
    reads_records: ClassVar[bool] = True
    by_order: ClassVar[bool] = True

    name: Literal["fragmentation"] = "fragmentation"
    sizing: Literal["envelope", "gcd"] = Field(
        default="envelope",
        description="how many classes there are: as many as an envelope of each allows, or the "
        "fragments' greatest common divisor, as in the literature",
    )
    strategy: Literal["excess", "sum"] | None = Field(
        default=None,
        description="the figure that each split makes least: the bounds' excess over t, or their "
        "sum; by "
        "default both are tried, with sizing: gcd excess alone",
    )
    neighbours: Literal["curve", "nearest"] = Field(
        default="curve",
        description="which records of a fragment a class takes: along a curve through the "
        "quasi-identifiers, or those nearest to one of its records, as in the literature, for "
        "small tables",
    )
    bins: Whole | None = Field(
        default=None,
        ge=1,
        le=1000,
        description="an attribute with more values is searched in so many runs of values; by "
        "default 200 for one attribute, 141 for two, 27, 11, 7, 5 …",
    )

    def problems(self, spec: Spec) -> Iterator[Problem]:
        """Fragments are runs of values in an order, sought for a t of every attribute."""
        if not spec.sensitive:
            what = "fragmentation needs sensitive attributes, and none is declared"
            yield Problem("method", f"{what}: take another method")
        for name, declared in spec.sensitive.items():
            if declared.distance not in (None, "ordered"):  # None: until the types are known
                yield Problem(
                    f"sensitive.{name}.distance",
                    "fragmentation needs an order of the values, and this distance is "
                    f"{declared.distance}: say distance: ordered, of text with its order, or take "
                    "another method",
                )
            if T_CLOSENESS.asked(declared) is None and T_CLOSENESS.asked(spec.privacy) is None:
                yield Problem(
                    f"sensitive.{name}.t",
                    "fragmentation needs a t for every sensitive attribute: give it one here, or "
                    "all of them one under privacy",
                )


# By default there are as many bins as can never make too many cells, and at most so many of one
# attribute.
MOST_BINS = 200
_CURVE_PLACES, _MATRIX = work("curve_places"), work("matrix")
_TABLE_MATRIX, _POINTS = work("table_matrix"), work("points")


class Fragmentation(Method[FragmentationSettings]):
    """Cuts the multiplicity matrix into fragments, and deals these to neighbours."""

    Settings = FragmentationSettings
    enforces = True

    def group(self, task: Task) -> Grouping:
        """The steps from the matrix, by way of a search, to a class for every record."""
        return in_each_stratum(task, partial(self._grouped, task.coded))

    def _grouped(self, table: Relation, task: Task) -> Grouping:
        """The same of the table, or of one stratum of it."""
        counts = task.count()
        curve = curve_through(counts.distinct, counts.records)
        columns = Columns(task.quasi_codes, task.sensitive_codes, task.tie_breaks)
        bins = {str(alias): work("bins_", alias) for alias in task.sensitive_codes}
        near = self.settings.neighbours == "nearest"
        scales, laid = scales_of(task) if near else ((), [])
        search = FragmentSearch(
            matrix=_MATRIX,
            table_matrix=_MATRIX if task.coded == table else _TABLE_MATRIX,
            curve_places=_CURVE_PLACES,
            assigned=ASSIGNED,
            columns=columns,
            released=task.released,
            sensitive=tuple(
                _ordered(attribute, bins[attribute.alias], task.models)
                for attribute in task.sensitive
            ),
            curve=curve,
            models=task.models,
            least=max([task.k, *(model.demand.least_size for model in task.models)]),
            sizing=self.settings.sizing,
            strategy=self.settings.strategy,
            near=Near(_POINTS, scales) if near else None,
        )
        return Grouping(
            (
                *_matrix_steps(task, bins, self.settings.bins),
                *([] if task.coded == table else [_counting(_TABLE_MATRIX, table, task, bins)]),
                *along_curve(task.coded, _CURVE_PLACES, task.quasi_identifiers, columns.all, curve),
                *([_points(task), *laid] if near else []),
                search,
            )
        )


def _points(task: Task) -> Step:
    """The step that gathers the records that no distance tells apart."""
    return Step(
        "gathering records with equal quasi-identifiers",
        _POINTS,
        "cells/cells",
        {"coded": task.coded},
        {"columns": task.quasi_codes},
    )


def _matrix_steps(
    task: Task, bins: Mapping[str, Relation], asked: int | None
) -> list[Step | Check]:
    """The steps that count the combinations of sensitive values, which must not be too many."""
    always = most_bins(len(task.sensitive))
    return [
        *(
            Step(
                f"the values of {attribute.name} in bins",
                bins[str(attribute.alias)],
                "domains/bins",
                {"positions": attribute.positions},
                {"bins": always if asked is None else asked},
            )
            for attribute in task.sensitive
        ),
        _counting(_MATRIX, task.coded, task, bins),
        Check(
            "fragments can be searched for",
            "methods/fragmentation/check_cells",
            {"matrix": _MATRIX},
            {"most": MOST_CELLS},
            "method.bins",
            f"the sensitive attributes make {FOUND.cells} combinations of bins, and fragments are "
            f"searched for among {MOST_CELLS:,} at most; bins: {always} or fewer never make more",
        ),
    ]


def _counting(matrix: Relation, coded: Relation, task: Task, bins: Mapping[str, Relation]) -> Step:
    """The step that counts the combinations of some records."""
    return Step(
        "counting the combinations of sensitive values",
        matrix,
        "methods/deal/matrix",
        {"coded": coded, **{f"bins_{alias}": at for alias, at in bins.items()}},
        {"sensitive": task.sensitive_codes, "bins": bins},
    )


def _ordered(attribute: SensitiveAttribute, bins: Relation, models: Sequence[Asked]) -> Ordered:
    (t,) = (
        model.demand.threshold
        for model in models
        if model.attribute == attribute and model.model is T_CLOSENESS
    )
    assert t is not None  # noqa: S101 - a spec without it is refused
    return Ordered(attribute.alias, t, attribute.positions, bins)


def most_bins(attributes: int) -> int:
    """How many bins of each attribute can never make more cells than are allowed."""
    bins = MOST_BINS
    while bins**attributes > MOST_CELLS and bins > 1:
        bins -= 1
    return bins
