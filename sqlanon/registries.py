"""Opens the registries: from here on a spec may name what the package has."""

from __future__ import annotations

from typing import cast

from sqlanon.clauses import publishers
from sqlanon.forms import FORMS
from sqlanon.measure.metrics import BESIDE_MODELS
from sqlanon.methods import METHODS
from sqlanon.pages.figures import Figure
from sqlanon.publish import OWN, PUBLICATIONS
from sqlanon.spec import method, metrics, publication


def open_registries() -> None:
    """Open all of them; the first reader of any of them calls this, once."""
    publication.FORM_RULES.open((name, form.rule) for name, form in FORMS.items())
    metrics.RULES.open(
        (figure.name, _rule(figure)) for figure in BESIDE_MODELS if figure.needs is not None
    )
    # Publications that show no record come last.
    published = sorted([*OWN, *publishers()], key=lambda one: one.rule.counts)
    PUBLICATIONS.open((publisher.name, publisher) for publisher in published)
    publication.RULES.open((publisher.name, publisher.rule) for publisher in published)
    method.SETTINGS.open((name, value.Settings) for name, value in METHODS.items())


def _rule(figure: Figure) -> metrics.MetricRule:
    """The rule for a spec that asks for a metric that is not measured of every release."""
    return metrics.MetricRule(figure.name, cast(metrics.Needs, figure.needs))
