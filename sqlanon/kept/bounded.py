"""Sentences on transforms: which carry no guarantee, and which have an ε."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlanon.domains.unit import one_of
from sqlanon.kept.metrics import Metric
from sqlanon.measure.metrics.changes import EPSILONS, SAMPLING

_EPSILON, _DELTA, _SHARE, _CHOICE = (one.name for one in SAMPLING)
_OF_COLUMN, _TOTAL = (one.name for one in EPSILONS)


def transforms_in_a_run(
    transforms: Mapping[str, str], measures: Sequence[Metric], counts: str
) -> tuple[str, ...]:
    """The sentences on the columns that a run transformed: those without an ε, and the others.

    Args:
        transforms: what was done to each column, in a few words.
        measures: what the release reached.
        counts: what a class counts: records, or another word.
    """
    bounded = {one.attribute for one in measures if one.metric == _OF_COLUMN}
    plain = "; ".join(f"{name} {says}" for name, says in transforms.items() if name not in bounded)
    drawn = "; ".join(f"{name} {says}" for name, says in transforms.items() if name in bounded)
    said = []
    if plain:
        said.append(
            f"Transformed: {plain}. No guarantee rests on that: the measures are of the published "
            "values."
        )
    if drawn:
        said.append(f"Drawn: {drawn}. {epsilons_said(measures, counts)}")
    return tuple(said)


def epsilons_said(
    measures: Sequence[Metric], counts: str = "records", with_total: bool = True
) -> str:
    """The sentences on the ε of columns; empty where no column has one.

    Args:
        measures: what the release reached.
        counts: what a class counts: records, or another word.
        with_total: whether it says to what they sum up: where others than records are counted, that
            tells how many records one of these has.
    """
    columns = {one.attribute: one.value for one in measures if one.metric == _OF_COLUMN}
    if not columns:
        return ""
    each = ", ".join(f"ε = {value:g} for {name}" for name, value in columns.items())
    (total,) = (one.value for one in measures if one.metric == _TOTAL)
    whole = ""
    if with_total and total is not None and total != next(iter(columns.values())):
        whose = "a record" if counts == "records" else f"the {one_of(counts)} with most records"
        whole = f" All that is shown of {whose} has ε = {total:g}."
    return (
        f"Local differential privacy: {each} in each record.{whole} The other columns are not "
        "covered by it."
    )


def sampling_said(measures: Sequence[Metric]) -> str:
    """The sentences on the (ε, δ) of a release; empty where it has none."""
    value = {one.metric: one.value for one in measures}
    if _EPSILON not in value:
        return ""
    whose = "for every record of the source"
    if _SHARE in value:
        how = f"{whose}. Each was sampled with a chance of {value[_SHARE]:.2%}."
        if _CHOICE in value:
            how += f" The choice of levels took {value[_CHOICE]:g} of this ε."
    else:
        how = "for every person whose records are bounded, or for every record where none is named."
    return (
        f"Differential privacy of the release: ε = {value[_EPSILON]:g}, δ = {value[_DELTA]:.2g}, "
        f"{how} "
        "Hand out nothing but the release: the metrics, the classes and the run tell more."
    )
