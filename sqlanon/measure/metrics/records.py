"""The metrics of single records: how many a run leaves out, and how many a reader can tell."""

from sqlanon.pages.figures import MARKETER_RISK, PROSECUTOR_RISK, UNIQUE_SHARE, Figure

# How many records were left out of the release.
_LEFT_OUT = "measure/left_out"

LEFT_OUT = (
    Figure(
        name="suppressed_records",
        measured=_LEFT_OUT,
        range="[0, n]",
        value="the records of the source that are not published; where a spec allows it",
        says="this many records were left out of the release",
    ),
    Figure(
        name="suppressed_share",
        measured=_LEFT_OUT,
        value="`suppressed_records` / the records of the source; where a spec allows it",
        says="this share of the records was left out of the release",
    ),
)

# How likely a record is linked to its person by somebody who knows the quasi-identifiers.
RISKS = (PROSECUTOR_RISK, MARKETER_RISK)

# How many records no other equals in what is published.
_UNIQUE = "measure/unique_records"

UNIQUENESS = (
    Figure(
        name="unique_records",
        measured=_UNIQUE,
        range="[0, n]",
        value="the records that no other equals in the published quasi-identifiers and the "
        "insensitive columns together",
        says="this many records are the only ones with their published quasi-identifiers and "
        "insensitive columns",
    ),
    UNIQUE_SHARE,
    Figure(
        name="unique_with_sensitive",
        measured=_UNIQUE,
        range="[0, n]",
        value="the records that no other equals in these and the sensitive attributes",
        says="this many records are the only ones with all that is published of them",
    ),
    Figure(
        name="unique_with_sensitive_share",
        measured=_UNIQUE,
        value="`unique_with_sensitive` / n",
        says="this share of the records are the only ones with all that is published of them",
    ),
)

# How much the insensitive columns say about single records of the source.
_SHARES = "insensitive/shares"

SHARES_OF_RECORDS = (
    Figure(
        name="rare_share",
        per="insensitive column",
        measured=_SHARES,
        value="the share of records whose value of it fewer than k records hold",
        says="this share of the records have a value of the column that fewer than `k` records "
        "have, or of all insensitive columns together where none is named",
    ),
    Figure(
        name="determined_share",
        per="quasi-identifier and insensitive column",
        measured=_SHARES,
        value="the share of records whose quasi-identifier it gives back, beyond chance",
        says="for this share of the records the column gives the original value of the "
        "quasi-identifier back",
    ),
)
RARE, DETERMINED = (figure.name for figure in SHARES_OF_RECORDS)
