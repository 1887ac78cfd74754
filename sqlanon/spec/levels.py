"""Levels: between which levels of a hierarchy a column is published as one of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BeforeValidator, WithJsonSchema

from sqlanon.clauses import clauses
from sqlanon.common.fields import Whole
from sqlanon.errors import Problem, nearest
from sqlanon.spec.hierarchy import SqlHierarchy
from sqlanon.spec.publication import FORM_RULES

if TYPE_CHECKING:
    from sqlanon.spec.model import Spec
    from sqlanon.spec.roles import QuasiIdentifier


def _bounds(value: Any) -> Any:
    """Let a level stand for itself as the lowest and the highest."""
    pair = value if isinstance(value, list | tuple) else [value, value]
    whole = all(isinstance(one, int) and not isinstance(one, bool) for one in pair)
    if len(pair) != 2 or not whole or not 0 <= pair[0] <= pair[1]:
        raise ValueError(
            "it must be a level, such as 2, or the lowest and the highest, such as [1, 3]; 0 is "
            "the values as they are"
        )
    return tuple(pair)


_LEVEL = {"type": "integer", "minimum": 0}
Levels = Annotated[
    tuple[Whole, Whole],
    BeforeValidator(_bounds),
    WithJsonSchema(
        {"anyOf": [_LEVEL, {"type": "array", "items": _LEVEL, "minItems": 2, "maxItems": 2}]}
    ),
]


def published_as(spec: Spec, name: str) -> str | None:
    """The form that a quasi-identifier asks for, or else its method; None where neither does."""
    declared = spec.quasi_identifiers[name]
    has_groups = declared.hierarchy is not None or shows_stars(spec)
    form = spec.method.publishes
    if declared.publish is not None or not has_groups or form is None:
        return declared.publish
    # A column that follows another has no level that a method could choose.
    return None if declared.follows is not None and FORM_RULES[form].one_level else form


def uncovering(spec: Spec) -> dict[str, str]:
    """The quasi-identifiers whose cells do not say whom they cover, with their forms."""
    found = {name: published_as(spec, name) for name in spec.quasi_identifiers}
    return {
        name: value
        for name, value in found.items()
        if value is not None and not FORM_RULES[value].covers
    }


def of_one_level(spec: Spec, name: str) -> bool:
    """Whether a quasi-identifier is published as labels of one level."""
    form = published_as(spec, name)
    return form is not None and FORM_RULES[form].one_level


def levelled(spec: Spec) -> list[str]:
    """The quasi-identifiers that are published as labels of one level."""
    return [name for name in spec.quasi_identifiers if of_one_level(spec, name)]


def levels_are_fixed(spec: Spec) -> bool:
    """Whether the level of every quasi-identifier is known, and a method has nothing to choose."""
    given = [spec.levels.get(name) for name in spec.leading]
    fixed = _are_given(spec) or all(one is not None and one[0] == one[1] for one in given)
    return spec.method.chooses_levels and fixed


def _are_given(spec: Spec) -> bool:
    """Whether a clause says the level of every column that is published at one."""
    return any(any(clause.asked(spec)) for clause in clauses() if clause.gives_levels)


def stratified(spec: Spec) -> list[str]:
    """The quasi-identifiers of which no class may mix values of two groups at a level.

    A method that searches over levels needs no such strata. Persons may have records in several: a
    column of one level is then tested once classes are formed. So it is where a method knows no
    strata, and where a clause gives the level.
    """
    tested = spec.person or _are_given(spec) or not spec.method.strata
    if spec.method.chooses_levels:
        return []
    known = [name for name in spec.levels if name in spec.quasi_identifiers]
    return [name for name in known if not (tested and of_one_level(spec, name))]


def shows_stars(spec: Spec) -> bool:
    """Whether every cell is its value or *, even where a column has a hierarchy."""
    return spec.method.stars and not spec.shows_exact


def as_shown(spec: Spec, name: str) -> QuasiIdentifier:
    """The declaration of a quasi-identifier, with the form and groups that its cells really have.

    Where every cell is its value or *, there are no groups between these.
    """
    shown: dict[str, Any] = {"publish": published_as(spec, name)}
    if shows_stars(spec):
        shown |= {"hierarchy": SqlHierarchy(sql=["'*'"]), "order": None, "nominal": False}
    return spec.quasi_identifiers[name].model_copy(update=shown)


def level_problems(spec: Spec) -> Iterator[Problem]:
    """Levels of columns that have none, and lowest levels of columns that mix levels."""
    forms = " or ".join(rule.name for rule in FORM_RULES.values() if rule.one_level)
    for name, (least, most) in spec.levels.items():
        if name not in spec.quasi_identifiers:
            what = f"it is no quasi-identifier; {nearest(name, spec.quasi_identifiers)}"
            yield Problem(f"levels.{name}", what)
        elif of_one_level(spec, name):
            continue
        elif spec.method.chooses_levels:
            what = "the column is not published as labels of one level: give it a hierarchy and "
            yield Problem(f"levels.{name}", f"{what}publish: {forms}")
        elif most and spec.quasi_identifiers[name].hierarchy is None:
            what = "the column has no hierarchy, and so no level above 0: say 0, or give it one"
            yield Problem(f"levels.{name}", what)
        elif least:
            what = f"only publish: {forms} shows no cell finer than level {least}: say it, or "
            what += f"[0, {most}], so that no class mixes groups of level {most}"
            yield Problem(f"levels.{name}", what)
