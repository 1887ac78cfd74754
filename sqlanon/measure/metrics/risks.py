"""How likely a record is linked to its person by somebody who knows the quasi-identifiers."""

from sqlanon.measure.metrics.metric import MetricDef

_RISKS = "measure/risks"

RISKS = (
    MetricDef(
        name="prosecutor_risk",
        per="release",
        measured=_RISKS,
        direction="lower",
        range="[0, 1]",
        value="max 1 / the persons of a class",
        paper="El Emam and Dankar (2008)",
        says="a person who is known to be in the release is picked out of those who look alike "
        "with at most this chance",
    ),
    MetricDef(
        name="marketer_risk",
        per="release",
        measured=_RISKS,
        direction="lower",
        range="[0, 1]",
        value="the mean over the records of 1 / the persons of their class",
        paper="Dankar and El Emam (2010)",
        says="guesses at the person of every record are right for this share of them on average",
    ),
)
