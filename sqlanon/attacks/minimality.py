"""The minimality attack: what is learned from a class not having been split further.

Wong et al. (2007): a reader who knows the algorithm and everybody's quasi-identifiers can reason
that a class was left large because a smaller class would have broken the model.
"""

from __future__ import annotations

from sqlanon.methods import METHODS

_BY_VALUES = (
    "not computed: the method deals the records out and never refuses a split, so that the size of "
    "a class says nothing of its values"
)
_BY_SEARCH = (
    "not computed: the method refuses splits that break a model, but the run neither publishes nor "
    "keeps the splits that it tried. A reader who knows everybody's quasi-identifiers and the "
    "method may learn that it refused a split. k alone gives nothing to learn"
)
_BY_LEVELS = (
    "not computed: the method refused finer levels, and a reader who knows everybody's "
    "quasi-identifiers sees for which of them k holds. The chance of a value is its share among "
    "all tables in which each of them breaks a model, and no class can be counted by itself. k "
    "alone gives nothing to learn"
)
_UNKNOWN = "not computed: how the classes were formed is not known"


def minimality(method: str | None) -> str:
    """The remark about the attack on classes that a method has formed.

    Args:
        method: its name; None of a release that another tool has made.
    """
    if method is None:
        return _UNKNOWN
    if METHODS[method].Settings.chooses_levels:
        return _BY_LEVELS
    return _BY_SEARCH if METHODS[method].refuses else _BY_VALUES
