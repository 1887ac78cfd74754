"""The utility of a release, measured against its source.

``UTILITIES`` in ``figures`` is the only list of the figures. The output of a command and the
documents' table are made of it.
"""

from sqlanon.uses.utilities.figures import UTILITIES

UTILITY_OF = {figure.name: figure for figure in UTILITIES}
