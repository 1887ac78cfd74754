"""The figures of utility."""

from __future__ import annotations

from sqlanon.utilities.figure import UtilityFigure

_UNIFORM = "uniformly within cells"
_EXACT = "cells of one value alone"
_DISTANCE, _MEANS, _COUNTS = "utility/distance", "utility/means", "utility/counts"
_QUERIES = "Xiao and Tao (2006), §6; the bound 0.1 % n: Xiao, Wang and Gehrke (2011)"

UTILITIES = (
    UtilityFigure(
        name="marginal_variation",
        per="column",
        measured=_DISTANCE,
        direction="lower",
        range="[0, 1]",
        read=_UNIFORM,
        value="Σ |p - r| / 2 over the bins; p of the source, r of the release",
        paper="",
        says="this share of the records would have to be moved to give the column the "
        "distribution of the source",
    ),
    UtilityFigure(
        name="marginal_hellinger",
        per="column",
        measured=_DISTANCE,
        direction="lower",
        range="[0, 1]",
        read=_UNIFORM,
        value="√(Σ (√p - √r)² / 2) over the bins",
        paper="",
        says="so far the column's distribution is from the source's, by Hellinger's distance",
    ),
    UtilityFigure(
        name="pair_variation",
        per="pair",
        measured=_DISTANCE,
        direction="lower",
        range="[0, 1]",
        read=_UNIFORM,
        value="Σ |p - r| / 2 over pairs of bins",
        paper="",
        says="this share of the records would have to be moved to give the two columns the joint "
        "distribution of the source",
    ),
    UtilityFigure(
        name="pair_hellinger",
        per="pair",
        measured=_DISTANCE,
        direction="lower",
        range="[0, 1]",
        read=_UNIFORM,
        value="√(Σ (√p - √r)² / 2) over pairs of bins",
        paper="",
        says="so far the joint distribution is from the source's, by Hellinger's distance",
    ),
    UtilityFigure(
        name="exact_share",
        per="column",
        measured="utility/exact",
        direction="higher",
        range="[0, 1]",
        read=_EXACT,
        value="the share of the release's records whose cell is one value of the source",
        paper="",
        says="this share of the records show the column's value as it is",
    ),
    UtilityFigure(
        name="means_difference",
        per="number by group",
        measured=_MEANS,
        direction="lower",
        range="[0, inf)",
        read=_UNIFORM,
        value="the mean over the groups of |r - p| / |p|; p, r: the number's mean in the group",
        paper="",
        says="by so much the mean of the first column in a group of the second is off",
    ),
    UtilityFigure(
        name="means_exact_difference",
        per="number by group",
        measured=_MEANS,
        direction="lower",
        range="[0, inf)",
        read=_EXACT,
        value="the same, of groups that have such a record",
        paper="",
        says="by so much it is off for who reads only records whose group is exact",
    ),
    UtilityFigure(
        name="correlation_difference",
        per="pair of numbers",
        measured="utility/moments",
        direction="lower",
        range="[0, 2]",
        read=_UNIFORM,
        value="|c_r - c_p|, Pearson's, of records that have both numbers",
        paper="",
        says="by so much the correlation differs from the source's",
    ),
    UtilityFigure(
        name="query_error",
        per="release",
        measured=_COUNTS,
        direction="lower",
        range="[0, inf)",
        read=_UNIFORM,
        value="the median over the queries of |r - p| / max(p, 0.1 % n); p, r: what it counts",
        paper=_QUERIES,
        says="half of the COUNT queries are off by at most this",
    ),
    UtilityFigure(
        name="query_error_nine_tenths",
        per="release",
        measured=_COUNTS,
        direction="lower",
        range="[0, inf)",
        read=_UNIFORM,
        value="the least error that nine tenths of the queries do not exceed",
        paper=_QUERIES,
        says="nine in ten of the COUNT queries are off by at most this",
    ),
)
