"""Opens the registries: from here on a spec may name what the package has."""

from __future__ import annotations

from sqlanon.forms import FORMS
from sqlanon.measure.metrics import BESIDE_MODELS
from sqlanon.measure.metrics.metric import rule_of
from sqlanon.methods import METHODS
from sqlanon.publish import PUBLICATIONS
from sqlanon.spec import form, method, metrics, publication


def open_registries() -> None:
    """Open all of them; the first reader of any of them calls this, once."""
    form.RULES.open((name, one.rule) for name, one in FORMS.items())
    metrics.RULES.open((one.name, rule_of(one)) for one in BESIDE_MODELS if one.needs is not None)
    publication.RULES.open((name, one.rule) for name, one in PUBLICATIONS.items())
    method.SETTINGS.open((name, one.Settings) for name, one in METHODS.items())
