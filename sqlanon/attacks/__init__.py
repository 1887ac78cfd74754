"""The attacks of a reader on what was published, and what each finds.

``ATTACKS`` is the only list of their figures; what a command shows and the documents' table are
made of it.
"""

from sqlanon.attacks.figure import Attack, Figure
from sqlanon.attacks.inside import INSIDE, homogeneity_step, similarity_step, skewness_step
from sqlanon.attacks.linking import (
    EXTERNAL,
    LINKED,
    LINKING,
    MEMBERSHIP,
    MOST_COMPARED,
    Fitted,
    Join,
    certain_of,
    unknown_of,
)
from sqlanon.attacks.minimality import minimality

ATTACKS: tuple[Figure, ...] = (*INSIDE, *LINKING, *MEMBERSHIP)
FIGURE_OF = {one.name: one for one in ATTACKS}

__all__ = [
    "ATTACKS",
    "EXTERNAL",
    "FIGURE_OF",
    "LINKED",
    "MOST_COMPARED",
    "Attack",
    "Figure",
    "Fitted",
    "Join",
    "certain_of",
    "homogeneity_step",
    "minimality",
    "similarity_step",
    "skewness_step",
    "unknown_of",
]
