"""The attacks of a reader on what was published, and what each finds.

``ATTACKS`` is the only list of their figures. The output of a command and the documents' table
are made of it.
"""

from sqlanon.attacks.beliefs import BELIEFS
from sqlanon.attacks.inside import INSIDE, homogeneity_step, similarity_step, skewness_step
from sqlanon.attacks.linking import (
    LINKED,
    LINKING,
    MEMBERSHIP,
    MOST_COMPARED,
    Join,
    certain_of,
)
from sqlanon.attacks.matching import (
    EVERYBODY,
    MATCHING,
    MOST_MATCHED,
    OF_PERSONS,
    OF_RECORDS,
    ORIGINAL,
    Allowed,
    Matching,
    Points,
)
from sqlanon.attacks.minimality import minimality
from sqlanon.attacks.points import EXTERNAL, Fitted, linking, points, unknown_of
from sqlanon.figures import Figure
from sqlanon.figures.figure import Attack

ATTACKS: tuple[Figure, ...] = (*INSIDE, *BELIEFS, *LINKING, *MEMBERSHIP, *MATCHING)
FIGURE_OF = {one.name: one for one in ATTACKS}

__all__ = [
    "ATTACKS",
    "EVERYBODY",
    "EXTERNAL",
    "FIGURE_OF",
    "LINKED",
    "MOST_COMPARED",
    "MOST_MATCHED",
    "OF_PERSONS",
    "OF_RECORDS",
    "ORIGINAL",
    "Allowed",
    "Attack",
    "Figure",
    "Fitted",
    "Join",
    "Matching",
    "Points",
    "certain_of",
    "homogeneity_step",
    "linking",
    "minimality",
    "points",
    "similarity_step",
    "skewness_step",
    "unknown_of",
]
