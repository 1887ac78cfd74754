"""The figures of utility."""

from __future__ import annotations

from functools import partial

from sqlanon.pages.figures import Figure

UNIFORM = "uniformly within cells"
_EXACT = "cells of one value alone"
_CLASSIFIED, _BAYES = "utility/classified", "Domingos and Pazzani (1997), §2"
_KIFER, _OLIVEIRA = "Kifer and Gehrke (2006)", "Oliveira and Zaïane (2002)"
_DISTANCE, _MEANS, _COUNTS = "utility/distance", "utility/means", "utility/counts"
_JOINT = "utility/joint"
_QUERIES = "Xiao and Tao (2006), §6; the bound 0.1 % n: Xiao, Wang and Gehrke (2011)"

_read_evenly = partial(Figure, read=UNIFORM)

UTILITIES = (
    _read_evenly(
        name="marginal_variation",
        per="column",
        measured=_DISTANCE,
        value="Σ |p - r| / 2 over the bins; p of the source, r of the release",
        says="this share of the records would have to be moved to give the column the "
        "distribution of the source",
    ),
    _read_evenly(
        name="marginal_hellinger",
        per="column",
        measured=_DISTANCE,
        unit="distance",
        value="√(Σ (√p - √r)² / 2) over the bins",
        says="so far the column's distribution is from the source's, by Hellinger's distance",
    ),
    _read_evenly(
        name="marginal_divergence",
        per="column",
        measured=_DISTANCE,
        range="[0, inf)",
        unit="distance",
        value="Σ p log₂ (p / r) over the bins; none where the release lacks a bin of the source",
        paper=_KIFER,
        says="who codes the column's bins by the release needs so many bits more for each record",
    ),
    _read_evenly(
        name="pair_variation",
        per="pair",
        measured=_DISTANCE,
        value="Σ |p - r| / 2 over pairs of bins",
        says="this share of the records would have to be moved to give the two columns the joint "
        "distribution of the source",
    ),
    _read_evenly(
        name="pair_hellinger",
        per="pair",
        measured=_DISTANCE,
        unit="distance",
        value="√(Σ (√p - √r)² / 2) over pairs of bins",
        says="so far the joint distribution is from the source's, by Hellinger's distance",
    ),
    _read_evenly(
        name="pair_divergence",
        per="pair",
        measured=_DISTANCE,
        range="[0, inf)",
        unit="distance",
        value="Σ p log₂ (p / r) over pairs of bins; none where the release lacks one of the source",
        paper=_KIFER,
        says="who codes the columns' pairs by the release needs so many bits more for each record",
    ),
    _read_evenly(
        name="joint_divergence",
        measured=_JOINT,
        range="[0, inf)",
        unit="distance",
        value="Σ p log₂ (p / r) over the combinations of bins of all quasi-identifiers; none where "
        "the release lacks one of the source",
        paper=f"{_KIFER}, §3",
        says="who codes the combinations of all quasi-identifiers by the release needs so many "
        "bits more for each record",
    ),
    _read_evenly(
        name="joint_sensitive_divergence",
        per="column",
        measured=_JOINT,
        range="[0, inf)",
        unit="distance",
        value="the same, over the combinations of all quasi-identifiers and the sensitive "
        "attribute",
        paper=f"{_KIFER}, §3",
        says="who codes the quasi-identifiers and the sensitive attribute together by the release "
        "needs so many bits more for each record",
    ),
    _read_evenly(
        name="misses_cost",
        measured=_DISTANCE,
        value="|P(T) without P(T*)| / |P(T)|; P(T) the bins and pairs of bins that 1 % of the "
        "source's records have, P(T*) those that 1 % of the release's have",
        paper=f"{_OLIVEIRA}; Kiran and Kavya (2012), §5.2",
        says="this share of the source's frequent values and pairs is not frequent in the release",
    ),
    _read_evenly(
        name="artifactual_patterns",
        measured=_DISTANCE,
        value="|P(T*) without P(T)| / |P(T*)|",
        paper=_OLIVEIRA,
        says="this share of the release's frequent values and pairs is not frequent in the source",
    ),
    _read_evenly(
        name="hiding_failure",
        measured="utility/answers",
        value="|R(T) and R(T*)| / |R(T)|; R(T) the patterns to be hidden that 1 % of the source's "
        "records have, R(T*) those that 1 % of the release's have; none where R(T) is empty",
        paper=f"{_OLIVEIRA}; Kiran and Kavya (2012), §5.2",
        says="this share of the source's frequent patterns that were to be hidden is still "
        "frequent in the release",
    ),
    Figure(
        name="exact_share",
        per="column",
        measured="utility/exact",
        direction="higher",
        read=_EXACT,
        value="the share of the release's records whose cell is one value of the source",
        says="this share of the records show the column's value as it is",
    ),
    _read_evenly(
        name="means_difference",
        per="number by group",
        measured=_MEANS,
        range="[0, inf)",
        unit="share",
        value="the mean over the groups of |r - p| / |p|; p, r: the number's mean in the group",
        says="by so much the mean of the first column in a group of the second is off",
    ),
    Figure(
        name="means_exact_difference",
        per="number by group",
        measured=_MEANS,
        range="[0, inf)",
        unit="share",
        read=_EXACT,
        value="the same, of groups that have such a record",
        says="by so much it is off for a reader of the records whose group is exact",
    ),
    _read_evenly(
        name="correlation_difference",
        per="pair of numbers",
        measured="utility/moments",
        range="[0, 2]",
        unit="distance",
        value="|c_r - c_p|, Pearson's, of records that have both numbers",
        says="by so much the correlation differs from the source's",
    ),
    _read_evenly(
        name="classifier_accuracy",
        per="column",
        measured=_CLASSIFIED,
        direction="higher",
        value="the share of held-out records of the source whose bin naive Bayes predicts from the "
        "quasi-identifiers, trained on the release",
        paper=_BAYES,
        says="a model trained on the release predicts this share of records right",
    ),
    Figure(
        name="classifier_accuracy_source",
        per="column",
        measured=_CLASSIFIED,
        direction="higher",
        read="the source itself",
        value="the same, trained on the rest of the source",
        paper=_BAYES,
        says="a model trained on the source itself predicts this share of records right",
    ),
    Figure(
        name="classifier_baseline",
        per="column",
        measured=_CLASSIFIED,
        direction="higher",
        read="the source itself",
        value="the same, always predicting the commonest bin",
        says="a guess of the commonest value is right for this share of records",
    ),
    _read_evenly(
        name="misclassification_error",
        per="column",
        measured=_CLASSIFIED,
        range="[0, 2]",
        unit="share",
        value="Σ ||Cᵢ(T)| - |Cᵢ(T*)|| / the held-out records; Cᵢ those for which the classifier "
        "predicts bin i that was trained on all of the source (T) or of the release (T*)",
        paper="Oliveira and Zaïane (2003); Kiran and Kavya (2012), §5.2",
        says="by so many records for each that is predicted the groups differ in size that a "
        "classifier sorts them into",
    ),
    _read_evenly(
        name="clustering_error",
        measured="utility/clusters",
        range="[0, 2]",
        unit="share",
        value="Σ ||Cᵢ(T)| - |Cᵢ(T*)|| / the records of T; Cᵢ the five clusters that k-means makes "
        "of the quasi-identifiers of each, from the same first centres",
        paper="Oliveira and Zaïane (2003); Kiran and Kavya (2012), §5.2",
        says="by so many records for each of the source the groups differ in size that k-means "
        "finds",
    ),
    _read_evenly(
        name="query_error",
        measured=_COUNTS,
        range="[0, inf)",
        unit="share",
        value="the median over the queries of |r - p| / max(p, 0.1 % n); p, r: what it counts",
        paper=_QUERIES,
        says="half of the COUNT queries are off by at most this",
    ),
    _read_evenly(
        name="query_error_nine_tenths",
        measured=_COUNTS,
        range="[0, inf)",
        unit="share",
        value="the least error that nine tenths of the queries do not exceed",
        paper=_QUERIES,
        says="nine in ten of the COUNT queries are off by at most this",
    ),
)
