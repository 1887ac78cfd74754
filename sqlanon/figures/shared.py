"""The figures that are told of a release's classes, and of the combinations of any table."""

from __future__ import annotations

from sqlanon.figures.figure import Figure

RECORDS = Figure(
    name="records",
    per="release",
    measured="measure/sizes",
    direction=None,
    range="[0, inf)",
    value="n",
    paper="none",
    says="the release has this many records",
)
PROSECUTOR_RISK = Figure(
    name="prosecutor_risk",
    per="release",
    measured="measure/risks",
    direction="lower",
    range="[0, 1]",
    value="max 1 / the persons of a class",
    paper="El Emam and Dankar (2008)",
    says="a person who is known to be in the release is picked out of those who look alike "
    "with at most this chance",
)
MARKETER_RISK = Figure(
    name="marketer_risk",
    per="release",
    measured="measure/risks",
    direction="lower",
    range="[0, 1]",
    value="the mean over the records of 1 / the persons of their class",
    paper="Dankar and El Emam (2010)",
    says="guesses at the person of every record are right for this share of them on average",
)
UNIQUE_SHARE = Figure(
    name="unique_share",
    per="release",
    measured="measure/unique_records",
    direction="lower",
    range="[0, 1]",
    value="`unique_records` / n",
    paper="none",
    says="this share of the records are the only ones with their published quasi-identifiers "
    "and insensitive columns",
)
