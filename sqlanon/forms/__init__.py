"""The forms of a cell: how each is published, read back and priced."""

from collections.abc import Collection, Sequence

from sqlanon.domains.attribute import QuasiAttribute
from sqlanon.forms import centroid, interval, label, listed
from sqlanon.forms.form import Form, PublishedColumn

# The kinds of forms; each module lists its own. An attribute that asks for none has the first form
# that is natural to it.
_KINDS: tuple[tuple[Form, ...], ...] = (interval.FORMS, label.FORMS, listed.FORMS, centroid.FORMS)
FORMS = {form.name: form for kind in _KINDS for form in kind}
_CALLED = {meaning: form for form in FORMS.values() for meaning in form.meanings}


def form_of(attribute: QuasiAttribute) -> Form:
    """The form that a quasi-identifier asks for, or the one that is natural to it."""
    if attribute.publish is not None:
        return FORMS[attribute.publish]
    return next(form for form in FORMS.values() if form.is_natural(attribute))


def form_called(meaning: str) -> Form:
    """The form of a column, by what a data dictionary calls it."""
    return _CALLED[meaning]


def names_in(name: str, there: Collection[str]) -> tuple[str, ...]:
    """Of a table's columns those that stand for a quasi-identifier; its own name if none do."""
    every = (form.names(name) for form in FORMS.values())
    return next((names for names in every if all(text in there for text in names)), (name,))


def published_columns(attributes: Sequence[QuasiAttribute]) -> list[PublishedColumn]:
    """The columns of the release that stand for the quasi-identifiers, in the spec's order."""
    columns: list[PublishedColumn] = []
    for attribute in attributes:
        columns += form_of(attribute).columns(attribute, len(columns))
    return columns
