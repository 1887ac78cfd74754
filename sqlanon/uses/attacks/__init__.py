"""The attacks of a reader on what was published, and what each finds.

``ATTACKS`` is the only list of their figures. The output of a command and the documents' table
are made of it.
"""

from sqlanon.pages.figures import Figure
from sqlanon.uses.attacks.beliefs import BELIEFS
from sqlanon.uses.attacks.inside import INSIDE
from sqlanon.uses.attacks.linking import LINKING, MEMBERSHIP
from sqlanon.uses.attacks.matching import MATCHING

ATTACKS: tuple[Figure, ...] = (*INSIDE, *BELIEFS, *LINKING, *MEMBERSHIP, *MATCHING)
FIGURE_OF = {figure.name: figure for figure in ATTACKS}
