"""The metrics of what the insensitive columns say about single records of the source."""

from sqlanon.figures import Figure

_SHARES = "insensitive/shares"

SHARES_OF_RECORDS = (
    Figure(
        name="rare_share",
        per="insensitive column",
        measured=_SHARES,
        direction="lower",
        range="[0, 1]",
        value="the share of records whose value of it fewer than k records hold",
        paper="none",
        says="this share of the records have a value of the column that fewer than `k` records "
        "have, or of all insensitive columns together where none is named",
    ),
    Figure(
        name="determined_share",
        per="quasi-identifier and insensitive column",
        measured=_SHARES,
        direction="lower",
        range="[0, 1]",
        value="the share of records whose quasi-identifier it gives back, beyond chance",
        paper="none",
        says="for this share of the records the column gives the original value of the "
        "quasi-identifier back",
    ),
)
RARE, DETERMINED = (one.name for one in SHARES_OF_RECORDS)
