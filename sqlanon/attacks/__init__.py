"""The attacks of a reader on what was published, and what each finds.

``ATTACKS`` is the only list of their figures. The output of a command and the documents' table
are made of it.
"""

from sqlanon.attacks.beliefs import BELIEFS
from sqlanon.attacks.inside import INSIDE
from sqlanon.attacks.linking import LINKING, MEMBERSHIP
from sqlanon.attacks.matching import MATCHING
from sqlanon.figures import Figure

ATTACKS: tuple[Figure, ...] = (*INSIDE, *BELIEFS, *LINKING, *MEMBERSHIP, *MATCHING)
FIGURE_OF = {figure.name: figure for figure in ATTACKS}
