"""What cannot be measured of a table whose sensitive values are not those of its source."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlanon.domains import SensitiveAttribute
from sqlanon.errors import Shortfall
from sqlanon.kept.metrics import Metric, defined, shortfalls
from sqlanon.measure import UNIQUENESS, asked_models
from sqlanon.privacy import MODELS, OF_POPULATION
from sqlanon.spec import Privacy

_WITH_SENSITIVE = tuple(one.name for one in UNIQUENESS)[2:]


def with_unknown(
    measures: Sequence[Metric], unknown: Sequence[SensitiveAttribute], privacy: Privacy
) -> tuple[list[Metric], tuple[Shortfall, ...]]:
    """The measures of a table with those of some attributes, which are not known.

    Args:
        measures: what was measured without the attributes; models first.
        unknown: the attributes that have values which the source does not have.
        privacy: what is asked of every class.

    Returns:
        The measures, and what is asked of such an attribute: nobody can tell that it holds.
    """
    more = [
        defined(Metric(one.metric, one.name, None, one.shown, None if one.bound is None else False))
        for one in asked_models(privacy, unknown)
        if one.attribute is not None
    ]
    kept = [replace(one, value=None) if one.metric in _WITH_SENSITIVE else one for one in measures]
    models = {one.name for one in (*MODELS, *OF_POPULATION)}
    at = sum(one.metric in models for one in kept)
    return [*kept[:at], *more, *kept[at:]], shortfalls(more)
