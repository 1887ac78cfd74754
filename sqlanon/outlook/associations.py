"""Which sensitive attributes go together, and the groups of them that may be released apart.

CODIP (Fang et al. 2011), as Gowda (2023), §2.6.6, reviews it, parts the sensitive attributes into
disjoint groups by their associations. The review names no measure; here it is the mean-square
contingency coefficient.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlanon.domains.contingencies import Pair, clustered, contingencies
from sqlanon.outlook.dry_run import DryRun
from sqlanon.source.source import aliases
from sqlanon.sql.names import Sql

# From so much on average two groups go together: Cramér's V of .316.
TOGETHER = 0.1


@dataclass(frozen=True)
class Associations:
    """The associations of the sensitive attributes.

    Attributes:
        contingencies: φ² of every two of them, from 0 to 1.
        groups: disjoint groups of attributes that go together.
    """

    contingencies: Mapping[Pair, float]
    groups: tuple[tuple[str, ...], ...]


def associations(dry: DryRun) -> Associations | None:
    """The associations of the sensitive attributes; None where there are not two.

    Raises:
        SpecError: if the data does not fit the spec.
        InfeasibleError: if there are fewer records than k.
    """
    names, coding = list(dry.prepared.spec.sensitive), dry.prepared.coding
    if len(names) < 2 or coding is None:
        return None
    dry.until(coding.output)
    short = aliases(dry.prepared.spec)
    measured = contingencies(coding, {name: Sql(short[name]) for name in names}, dry.session)
    return Associations(measured, tuple(clustered(names, measured, len(names), least=TOGETHER)))
