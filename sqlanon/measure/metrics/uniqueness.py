"""How many records no other equals in what is published."""

from sqlanon.figures import UNIQUE_SHARE, Figure

_UNIQUE = "measure/unique_records"

UNIQUENESS = (
    Figure(
        name="unique_records",
        per="release",
        measured=_UNIQUE,
        direction="lower",
        range="[0, n]",
        value="the records that no other equals in the published quasi-identifiers and the "
        "insensitive columns together",
        paper="none",
        says="this many records are the only ones with their published quasi-identifiers and "
        "insensitive columns",
    ),
    UNIQUE_SHARE,
    Figure(
        name="unique_with_sensitive",
        per="release",
        measured=_UNIQUE,
        direction="lower",
        range="[0, n]",
        value="the records that no other equals in these and the sensitive attributes",
        paper="none",
        says="this many records are the only ones with all that is published of them",
    ),
    Figure(
        name="unique_with_sensitive_share",
        per="release",
        measured=_UNIQUE,
        direction="lower",
        range="[0, 1]",
        value="`unique_with_sensitive` / n",
        paper="none",
        says="this share of the records are the only ones with all that is published of them",
    ),
)
