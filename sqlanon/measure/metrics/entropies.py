"""How many bits of the values the published cells leave open."""

from sqlanon.figures import Figure

ENTROPIES = (
    Figure(
        name="non_uniform_entropy",
        per="quasi-identifier",
        measured="measure/entropies",
        direction="lower",
        range="[0, 1]",
        value="Σ -log₂ P(v | its cell) / Σ -log₂ P(v), over the records of the source; v the "
        "record's value, P its share of the source's records; a suppressed record's cell is the "
        "whole domain",
        paper="Gionis and Tassa (2009), non-uniform entropy; over its greatest value",
        says="of the bits that tell a record's value of the attribute this share is lost: 0 is "
        "nothing and 1 is everything",
        needs="cells",
    ),
)
