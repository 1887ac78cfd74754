"""How many records were left out of the release."""

from sqlanon.figures import Figure

_LEFT_OUT = "measure/left_out"

SUPPRESSION = (
    Figure(
        name="suppressed_records",
        per="release",
        measured=_LEFT_OUT,
        direction="lower",
        range="[0, n]",
        value="the records of the source that are not published; where `suppression` allows it",
        paper="none",
        says="this many records were left out of the release",
    ),
    Figure(
        name="suppressed_share",
        per="release",
        measured=_LEFT_OUT,
        direction="lower",
        range="[0, 1]",
        value="`suppressed_records` / the records of the source; where `suppression` allows it",
        paper="none",
        says="this share of the records was left out of the release",
    ),
)
