"""How much information the published quasi-identifiers lack."""

from sqlanon.figures import Figure

_LOSSES = "measure/losses"

LOSSES = (
    Figure(
        name="gcp",
        per="release",
        measured=_LOSSES,
        direction="lower",
        range="[0, 1]",
        value="the mean over the records of Σ w_q · NCP_q / Σ w_q",
        paper="Amiri et al. (2023), §3.3",
        says="this share of the information in the quasi-identifiers is lost: 0 is nothing and 1 "
        "is everything",
    ),
    Figure(
        name="ncp",
        per="quasi-identifier",
        measured=_LOSSES,
        direction="lower",
        range="[0, 1]",
        value="the mean over the records of their cell's NCP",
        paper="Xu et al. (2006)",
        says="this share of the information in the attribute is lost: 0 is nothing and 1 is "
        "everything",
    ),
)
