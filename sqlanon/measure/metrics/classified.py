"""How far a class tells the sensitive value of its records to who wants to predict it."""

from sqlanon.figures import Figure

CLASSIFIED = (
    Figure(
        name="classification_metric",
        per="sensitive attribute",
        measured="measure/minorities",
        direction="lower",
        range="[0, 1]",
        value="(the records of a class whose value is not its most frequent one, summed over the "
        "classes, + the suppressed records) / the records of the source",
        paper="Iyengar (2002), CM",
        says="who takes every class to have its most frequent value is wrong for this share of "
        "the records",
        needs="sensitive",
    ),
)
