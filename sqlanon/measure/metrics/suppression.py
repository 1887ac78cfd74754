"""How many records were left out of the release."""

from sqlanon.measure.metrics.metric import MetricDef

_LEFT_OUT = "measure/left_out"

SUPPRESSION = (
    MetricDef(
        name="suppressed_records",
        per="release",
        measured=_LEFT_OUT,
        direction="lower",
        range="[0, n]",
        value="the records of the source that are not published; where `suppression` allows it",
        paper="none",
        says="this many records were left out of the release",
    ),
    MetricDef(
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
