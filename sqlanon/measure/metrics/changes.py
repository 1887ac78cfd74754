"""What the transforms change of a column's values."""

from sqlanon.figures import Figure

_CHANGES = "transform/changes"

LEAST_CHANGED = 10  # records or persons: a mean of fewer, or of fewer than k, may tell of one

CHANGES_OF_VALUES = (
    Figure(
        name="changed_share",
        per="transformed column",
        measured=_CHANGES,
        direction=None,
        range="[0, 1]",
        value="the share of records whose value a `transform` changes",
        paper="none",
        says="this share of the records have another value than in the source; no transform "
        "carries a guarantee",
    ),
    Figure(
        name="mean_change",
        per="transformed column",
        measured=_CHANGES,
        direction=None,
        range="[0, inf)",
        value="the mean of |transformed value - value| over the records that have one; of dates in "
        "days; of numbers and dates that stay such and have no `top` or `bottom`; none where "
        "fewer than k or 10 records, or persons, are changed",
        paper="none",
        says="a value of the column differs by this much from the source's, on average",
    ),
)
