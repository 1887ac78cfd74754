"""The forms of a cell: how each is published, read back and priced."""

from collections.abc import Sequence

from sqlanon.domains import QuasiAttribute
from sqlanon.forms.centroid import Centroid, Mean, Median, Mode
from sqlanon.forms.form import Form, PublishedColumn, QuasiIdentifierScale, Shown
from sqlanon.forms.interval import Bounds, Interval
from sqlanon.forms.label import Level, LowestCommonAncestor
from sqlanon.forms.listed import ValueSet
from sqlanon.spec.form import register_forms

# The one list of forms. An attribute that asks for none has the first that is natural to it.
FORMS: dict[str, Form] = {
    one.name: one
    for one in (
        Interval(),
        Bounds(),
        LowestCommonAncestor(),
        Level(),
        ValueSet(),
        Mean(),
        Median(),
        Mode(),
    )
}
register_forms(*(one.rule for one in FORMS.values()))


def form_of(attribute: QuasiAttribute) -> Form:
    """The form that a quasi-identifier asks for, or the one that is natural to it."""
    if attribute.publish is not None:
        return FORMS[attribute.publish]
    return next(one for one in FORMS.values() if one.is_natural(attribute))


def published_columns(attributes: Sequence[QuasiAttribute]) -> list[PublishedColumn]:
    """The columns of the release that stand for the quasi-identifiers, in the spec's order."""
    columns: list[PublishedColumn] = []
    for attribute in attributes:
        columns += form_of(attribute).columns(attribute, len(columns))
    return columns


__all__ = [
    "FORMS",
    "Centroid",
    "Form",
    "PublishedColumn",
    "QuasiIdentifierScale",
    "Shown",
    "form_of",
    "published_columns",
]
