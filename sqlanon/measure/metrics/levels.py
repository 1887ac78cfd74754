"""How far values were moved up their hierarchies."""

from sqlanon.figures import Figure

_LEVELS = "measure/levels"

LEVELS = (
    Figure(
        name="precision",
        per="release",
        measured=_LEVELS,
        direction="higher",
        range="[0, 1]",
        value="1 - the mean over the records and quasi-identifiers of the levels that a label lies "
        "above a value / the levels of the hierarchy; of a suppressed record all",
        paper="Sweeney (2002b), Prec",
        says="this share of the levels of the hierarchies is kept: 1 is all values as they are",
        needs="labels",
    ),
    Figure(
        name="minimal_distortion",
        per="release",
        measured=_LEVELS,
        direction="lower",
        range="[0, inf)",
        value="Σ over the records and quasi-identifiers of the levels that a label lies above a "
        "value; of a suppressed record all",
        paper="Samarati (2001); Kiran and Kavya (2012), §5.2",
        says="values were moved up this many levels of their hierarchies in all",
        needs="labels",
    ),
    Figure(
        name="mean_level",
        per="quasi-identifier",
        measured=_LEVELS,
        direction="lower",
        range="[0, inf)",
        value="the mean over the records of the levels that a label lies above a value; of a "
        "suppressed record all",
        paper="none",
        says="a value of the attribute was moved up this many levels of its hierarchy on average",
        needs="labels",
    ),
    Figure(
        name="height",
        per="release",
        measured="measure/height",
        direction="lower",
        range="[0, inf)",
        value="Σ over the quasi-identifiers of the level at which the column is published: the "
        "lowest that has all of its labels",
        paper="Samarati (2001), §3",
        says="the columns lie this many levels of their hierarchies above the source, in all",
        needs="levels",
    ),
)
