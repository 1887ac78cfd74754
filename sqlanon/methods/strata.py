"""Strata: records that agree in the values, or groups of values, of columns with fixed levels.

No class has records of two strata. Every cell of such a column therefore shows one value, or values
of one group at the column's level, in every form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlanon.domains.attribute import QuasiAttribute, follows
from sqlanon.errors import as_key
from sqlanon.measure.asked import Asked
from sqlanon.methods.method import Clusters, Grouping, Stratum
from sqlanon.methods.zones import Zones
from sqlanon.plan import Check, Step, fault
from sqlanon.spec import Spec
from sqlanon.spec.levels import stratified
from sqlanon.sql.names import Relation


@dataclass(frozen=True)
class Strata(Clusters):
    """Strata as the clusters that a search starts from.

    Attributes:
        models: everything that every class must meet.
        strata: the columns.
        suppresses: whether records may be left out.
    """

    called = "strata"

    models: tuple[Asked, ...]
    strata: tuple[Stratum, ...]
    suppresses: bool = False

    def asking(self, models: tuple[Asked, ...]) -> Strata:
        """The same for other records."""
        return replace(self, models=models)

    @property
    def remedy(self) -> str:
        """The change after which more records would be in a stratum."""
        for one in self.strata:
            if one.coarser is not None:
                return f"take a higher level (levels: {{{as_key(one.name)}: {one.coarser}}})"
        return f"leave {self.strata[0].name!r} out of levels"

    def search(self, cells: Relation, whole: bool) -> Zones:
        """The search that leaves them."""
        names = " and ".join(one.name for one in self.strata)
        return Zones(
            cells=cells,
            # A part may meet a model of what follows from quasi-identifiers where the whole fails.
            models=tuple(one for one in self.models if not follows(one.attribute)),
            suppresses=self.suppresses,
            strata=self.strata,
            called=f"{self.called} of {names}",
            cure=f"{self.remedy} or ask for less",
            whole=whole,
        )

    def profiles(self, parts: Relation, cells: Relation) -> Step | None:
        """Nothing is known of the members beforehand."""
        return None


def strata_of(spec: Spec, attributes: Sequence[QuasiAttribute]) -> tuple[Stratum, ...]:
    """The columns whose values classes are not to mix.

    Args:
        spec: what is declared.
        attributes: the quasi-identifiers, with their bounds.
    """
    names = stratified(spec)
    return tuple(
        Stratum(one.alias, one.name, one.domain, one.levels[1], _coarser(one))
        for one in attributes
        if one.name in names
        and one.bounds is not None
        and (not one.height or one.bounds[1] < one.height)
    )


def _coarser(one: QuasiAttribute) -> str | None:
    """The bounds of a column with its highest level one higher, as a spec has them."""
    least, most = one.levels
    if most + 1 >= one.height:
        return None
    return str(most + 1) if one.of_one_level and least == most else f"[{least}, {most + 1}]"


def strata_held(strata: Sequence[Stratum], classes: Grouping) -> list[Check]:
    """The checks that no class covers values of two strata.

    Args:
        strata: the columns.
        classes: the classes as they are published.
    """
    covering = classes.covered or classes.assigned
    return [
        Check(
            f"no class mixes values of {one.name}",
            "zones/check_strata",
            {"classes": covering, "domain": one.domain},
            {"attribute": one.alias, "level": one.level},
            f"levels.{one.name}",
            "{mixed} classes have values of several strata",
            fault,
        )
        for one in strata
    ]
