"""The metrics of the published cells: how much the generalized quasi-identifiers lose."""

from sqlanon.pages.figures import Figure

# How much information the published quasi-identifiers lack.
_LOSSES = "measure/losses"

LOSSES = (
    Figure(
        name="gcp",
        measured=_LOSSES,
        value="the mean over the records of Σ w_q · NCP_q / Σ w_q",
        paper="Amiri et al. (2023), §3.3",
        says="this share of the information in the quasi-identifiers is lost: 0 is nothing and 1 "
        "is everything",
    ),
    Figure(
        name="ncp",
        per="quasi-identifier",
        measured=_LOSSES,
        value="the mean over the records of their cell's NCP",
        paper="Xu et al. (2006)",
        says="this share of the information in the attribute is lost: 0 is nothing and 1 is "
        "everything",
    ),
)

# How far a class tells the sensitive value of its records to who wants to predict it.
CLASSIFIED = (
    Figure(
        name="classification_metric",
        per="sensitive attribute",
        measured="measure/minorities",
        value="(the records of a class whose value is not its most frequent one, summed over the "
        "classes, + the suppressed records) / the records of the source",
        paper="Iyengar (2002), CM",
        says="who takes every class to have its most frequent value is wrong for this share of "
        "the records",
        needs="sensitive",
    ),
)

# How many bits of the values the published cells leave open.
ENTROPIES = (
    Figure(
        name="non_uniform_entropy",
        per="quasi-identifier",
        measured="measure/entropies",
        value="Σ -log₂ P(v | its cell) / Σ -log₂ P(v), over the records of the source; v the "
        "record's value, P its share of the source's records; a suppressed record's cell is the "
        "whole domain",
        paper="Gionis and Tassa (2009), non-uniform entropy; over its greatest value",
        says="of the bits that tell a record's value of the attribute this share is lost: 0 is "
        "nothing and 1 is everything",
        needs="cells",
    ),
)

# How often a record is found again among the published cells.
LINKAGES = (
    Figure(
        name="record_linkage",
        measured="measure/linkage",
        value="Σ 1 / the records of all classes whose cells have the record's values, over the "
        "published records; / the records of the source",
        paper="Amiri et al. (2023), equations 4 and 5",
        says="guesses at the published record of every record of the source are right for this "
        "share of them",
        needs="cells",
    ),
)

# How many values the published cells stand for.
_COVERS = "measure/covers"

COVERS = (
    Figure(
        name="ambiguity",
        measured=_COVERS,
        range="[1, inf)",
        value="the mean over the records of Π |cell|, how many combinations of values of the "
        "domains the cells stand for; of a suppressed record all",
        paper="Nergiz and Clifton (2007), ambiguity metric",
        says="a record's cells could stand for this many combinations of values on average",
        needs="cells",
    ),
    Figure(
        name="iloss",
        measured=_COVERS,
        range="[0, inf)",
        value="Σ over the records of Σ w_q · (|cell| - 1) / |domain|; of a suppressed record the "
        "cell is the domain",
        paper="Xiao and Tao (2006a); Kiran and Kavya (2012), §5.2",
        says="the records lose this much together, each cell less than the attribute's weight",
        needs="cells",
    ),
    Figure(
        name="coarsened_share",
        measured=_COVERS,
        value="(the records with a cell of more than one value, or with a label above the values, "
        "+ the suppressed records) / the records of the source",
        paper="Kiran and Kavya (2012), §5.2, CM",
        says="this share of the records were generalized or left out; the others show their own "
        "values in every quasi-identifier",
        needs="cells",
    ),
)

# How far values were moved up their hierarchies.
_LEVELS = "measure/levels"

LEVELS = (
    Figure(
        name="precision",
        measured=_LEVELS,
        direction="higher",
        value="1 - the mean over the records and quasi-identifiers of the levels that a label lies "
        "above a value / the levels of the hierarchy; of a suppressed record all",
        paper="Sweeney (2002b), Prec",
        says="this share of the levels of the hierarchies is kept: 1 is all values as they are",
        needs="labels",
    ),
    Figure(
        name="minimal_distortion",
        measured=_LEVELS,
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
        range="[0, inf)",
        value="the mean over the records of the levels that a label lies above a value; of a "
        "suppressed record all",
        says="a value of the attribute was moved up this many levels of its hierarchy on average",
        needs="labels",
    ),
    Figure(
        name="height",
        measured="measure/height",
        range="[0, inf)",
        value="Σ over the quasi-identifiers of the level at which the column is published: the "
        "lowest that has all of its labels",
        paper="Samarati (2001), §3",
        says="the columns lie this many levels of their hierarchies above the source, in all",
        needs="levels",
    ),
)
