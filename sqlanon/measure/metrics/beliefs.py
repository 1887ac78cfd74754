"""How sure of a person's value somebody is who has background knowledge."""

from sqlanon.figures import Figure

_BELIEVED = "background/believed"
_PAPER = "Li, Li and Zhang (2010), §4; Amiri et al. (2023), §1"

BELIEFS = (
    Figure(
        name="background_prior",
        per="sensitive attribute",
        measured=_BELIEVED,
        direction=None,
        range="[0, 1]",
        value="the mean over the records of P(v | u), v the record's value and u its background; "
        "where a `background` is declared",
        paper=_PAPER,
        says="a reader with the background gives a record's own value this chance on average, "
        "before "
        "reading the release",
    ),
    Figure(
        name="background_belief",
        per="sensitive attribute",
        measured=_BELIEVED,
        direction="lower",
        range="[0, 1]",
        value="the mean over the records of the belief in v after reading: the omega-estimate, in "
        "which a class's values are shared out among its members by their P(v | u)",
        paper=_PAPER,
        says="a reader with the background who knows everybody's class gives a record's own value "
        "this "
        "chance on average, after reading the release",
    ),
    Figure(
        name="background_gain",
        per="sensitive attribute",
        measured=_BELIEVED,
        direction="lower",
        range="[0, 1]",
        value="max (belief - P(v | u)) over the members of a class and its values",
        paper=_PAPER,
        says="a reader with the background becomes surer of a person's value by at most this much",
    ),
)
