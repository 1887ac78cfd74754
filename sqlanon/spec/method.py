"""The method of a spec: one of those that are registered, with the settings of its own.

This module does not know which methods there are. Each method keeps its settings next to its
code, and the registry of methods hands them over. When the first spec is read, the union that a
spec is held to and its JSON Schema are made of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

from pydantic import BeforeValidator

from sqlanon.common.fields import Declared
from sqlanon.common.registry import Registry
from sqlanon.errors import Problem

if TYPE_CHECKING:
    from sqlanon.spec.model import Spec


class MethodSettings(Declared):
    """The settings of a method in a spec; each method has a class of its own.

    Attributes:
        name: the method's; in each class a literal and its default.
        counts_persons: whether it can form classes of persons in place of records.
        publishes: the form of a column with a hierarchy that asks for none; None for the natural.
        stars: whether every cell is the value itself or *, even where a column has a hierarchy.
        suppresses: whether it can leave records out of the release.
        cuts: whether its classes come of cuts whose sides are held to every model.
        clusters: whether its classes are made within clusters of records, where a clause asks for
            some; then a cluster can be left out of the release.
        strata: whether its classes can be kept from mixing values of a column, or groups of these.
        leaves_outliers: whether it can leave outliers out before its classes form.
        tests_projections: whether it sees to what is asked of some of the quasi-identifiers, or
            that to those who coarsen its classes.
        follows_k: whether its classes grow with k.
        by_order: whether sensitive attributes must have an order, and none may lie in a hierarchy.
        searches: whether it asks the data what to do next, so that its plan is not fixed.
        reads_records: whether its search reads records, so that it is carried out where they are.
        chooses_levels: whether a level for every column is all that it searches for. It sees to
            what is asked of the persons whom such labels cover, too.
        covers: whether its cells cover all that a group of values does, whichever of these a class
            has: they follow from the quasi-identifiers, and no records are dealt out.
        needs: the clauses without which it cannot form classes: why, and what would be accepted.
        by_name: whether settings without a name never stand for it, though they could.
    """

    counts_persons: ClassVar[bool] = True
    publishes: ClassVar[str | None] = None
    stars: ClassVar[bool] = False
    suppresses: ClassVar[bool] = False
    cuts: ClassVar[bool] = False
    clusters: ClassVar[bool] = False
    strata: ClassVar[bool] = False
    leaves_outliers: ClassVar[bool] = False
    tests_projections: ClassVar[bool] = True
    follows_k: ClassVar[bool] = True
    by_order: ClassVar[bool] = False
    searches: ClassVar[bool] = True
    reads_records: ClassVar[bool] = False
    chooses_levels: ClassVar[bool] = False
    covers: ClassVar[bool] = False
    needs: ClassVar[Mapping[str, str]] = {}
    by_name: ClassVar[bool] = False

    name: str

    @property
    def blind(self) -> bool:
        """Whether classes are dealt without a look at the quasi-identifiers, which loses most."""
        return False

    @property
    def predicts(self) -> bool:
        """Whether the frequencies of values alone tell what its classes will reach."""
        return False

    @classmethod
    def method_name(cls) -> str:
        """The name of the method whose settings these are."""
        return str(cls.model_fields["name"].default)

    def in_sweep(self) -> MethodSettings:
        """The settings that a sweep takes where the spec leaves them open."""
        return self

    def problems(self, spec: Spec) -> Iterator[Problem]:
        """Parts of a spec that do not go with this method, beyond the rules for every method."""
        yield from ()


# The settings of every method by its name, the default method's first.
SETTINGS = Registry[type[MethodSettings]]("methods")


def default_method() -> MethodSettings:
    """The method of a spec that names none."""
    return SETTINGS[SETTINGS.first].model_validate({})


def _read(value: Any) -> Any:
    """Let a name stand for a method without settings, and settings for the one that has them."""
    default = SETTINGS.first
    if value is None or isinstance(value, str):
        return {"name": value or default}
    if isinstance(value, dict) and "name" not in value:
        open_to = {name: settings for name, settings in SETTINGS.items() if not settings.by_name}
        fitting = [
            name for name, settings in open_to.items() if set(value) <= set(settings.model_fields)
        ]
        return {"name": fitting[0] if len(fitting) == 1 else default, **value}
    return value


Method = Annotated[MethodSettings, SETTINGS.one_entry, BeforeValidator(_read)]
