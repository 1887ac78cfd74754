"""How many values the published cells stand for."""

from sqlanon.figures import Figure

_COVERS = "measure/covers"

COVERS = (
    Figure(
        name="ambiguity",
        per="release",
        measured=_COVERS,
        direction="lower",
        range="[1, inf)",
        value="the mean over the records of Π |cell|, how many combinations of values of the "
        "domains the cells stand for; of a suppressed record all",
        paper="Nergiz and Clifton (2007), ambiguity metric",
        says="a record's cells could stand for this many combinations of values on average",
        needs="cells",
    ),
    Figure(
        name="iloss",
        per="release",
        measured=_COVERS,
        direction="lower",
        range="[0, inf)",
        value="Σ over the records of Σ w_q · (|cell| - 1) / |domain|; of a suppressed record the "
        "cell is the domain",
        paper="Xiao and Tao (2006a); Kiran and Kavya (2012), §5.2",
        says="the records lose this much together, each cell less than the attribute's weight",
        needs="cells",
    ),
    Figure(
        name="coarsened_share",
        per="release",
        measured=_COVERS,
        direction="lower",
        range="[0, 1]",
        value="(the records with a cell of more than one value, or with a label above the values, "
        "+ the suppressed records) / the records of the source",
        paper="Kiran and Kavya (2012), §5.2, CM",
        says="this share of the records were generalized or left out; the others show their own "
        "values in every quasi-identifier",
        needs="cells",
    ),
)
