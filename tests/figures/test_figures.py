"""The figures of all registries: how they are defined, found, shown, and listed in docs/."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from support import assert_listed

from sqlanon.measure.metrics import METRICS
from sqlanon.pages.figures import (
    MARKETER_RISK,
    PROSECUTOR_RISK,
    RECORDS,
    UNIQUE_SHARE,
    Figure,
    Unit,
    finding,
    shown,
    value_of,
)
from sqlanon.sql.templates import load_template
from sqlanon.uses.attacks import ATTACKS
from sqlanon.uses.profile.risk_figures import RISKS_OF_TABLES
from sqlanon.uses.utilities.figures import UTILITIES

REGISTRIES: dict[str, Sequence[Figure]] = {
    "metrics": METRICS,
    "attacks": ATTACKS,
    "utility": UTILITIES,
    "risk": RISKS_OF_TABLES,
}
# Of each table of the documents: its page, how its head begins, its figures, its columns.
TABLES = {
    "metrics": (
        *(
            "definitions/metrics.md",
            "| metric | of each |",
            [figure for figure in METRICS if figure.needs is None],
        ),
        ("per", "value", "range", "direction", "says", "paper"),
    ),
    "metrics that are asked for": (
        *(
            "definitions/metrics.md",
            "| asked for | of each |",
            [figure for figure in METRICS if figure.needs],
        ),
        ("per", "value", "range", "direction", "says", "paper"),
    ),
    "attacks": (
        *("attacks.md", "| figure | of |", ATTACKS),
        ("per", "direction", "range", "value", "paper"),
    ),
    "utility": (
        *("utility.md", "| figure | of |", UTILITIES),
        ("per", "direction", "range", "read", "value", "paper"),
    ),
    "risk": (
        *("attacks.md", "| figure | needs |", RISKS_OF_TABLES),
        ("needs", "range", "value", "paper"),
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_the_documents_list_the_figures(name: str) -> None:
    """Run with UPDATE_DOCS=1 to write the tables anew; then read the difference."""
    page, head, figures, columns = TABLES[name]
    assert_listed(page, head, [listed(figure, columns) for figure in figures])


def listed(figure: Figure, columns: Sequence[str]) -> str:
    """A figure's row in a table of the documents."""
    whole = replace(figure, per="release") == figure
    cells = ["" if name == "per" and whole else getattr(figure, name) or "" for name in columns]
    return f"| `{figure.name}` | {' | '.join(cells)} |"


@pytest.mark.parametrize("figures", REGISTRIES.values(), ids=REGISTRIES)
def test_every_figure_has_a_name_of_its_own_a_template_and_a_sentence(
    figures: Sequence[Figure],
) -> None:
    names = [figure.name for figure in figures]
    assert len(set(names)) == len(names)
    for figure in figures:
        assert load_template(figure.measured.format(distance="equal")), figure.name
        assert figure.sentence[0].isupper(), figure.name
        assert figure.sentence.endswith("."), figure.name
        assert figure.range[0] in "[(", figure.name
        assert figure.range[-1] in "])", figure.name


def test_what_a_release_and_a_table_have_in_common_is_defined_once() -> None:
    """A table tells it of its combinations, in its own words; it is the same figure."""
    of_release = {figure.name: figure for figure in METRICS}
    of_table = {figure.name: figure for figure in RISKS_OF_TABLES}
    words = ("per", "measured", "range", "value", "says")
    for figure in (RECORDS, PROSECUTOR_RISK, MARKETER_RISK, UNIQUE_SHARE):
        assert of_release[figure.name] is figure
        told = of_table[figure.name]
        assert replace(told, **{name: getattr(figure, name) for name in words}) == figure


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (None, "share", "none"),
        (0.12345, "share", "12.35%"),
        (2.0, "share", "200.00%"),
        (0.12345, "distance", "0.1235"),
        (1234.0, "number", "1,234"),
        (1234.5, "number", "1,234.50"),
        (1234.4, "count", "1,234"),
    ],
)
def test_values_are_shown_by_one_set_of_rules(value: float | None, unit: Unit, text: str) -> None:
    assert shown(value, unit) == text


@pytest.mark.parametrize(
    ("name", "registry", "of", "keys"),
    [
        ("linking_found_share", ATTACKS, (), ["attack", "attribute"]),
        ("marginal_variation", UTILITIES, ("age",), ["read"]),
        ("records", RISKS_OF_TABLES, (), []),
    ],
)
def test_a_finding_is_one_object_whatever_it_is_of(
    name: str, registry: Sequence[Figure], of: tuple[str, ...], keys: Sequence[str]
) -> None:
    (figure,) = (one for one in registry if one.name == name)
    found = finding(figure, 0.25, of)
    common = ["figure", "of", "value", "direction", "range", "sentence"]
    assert set(found.as_object()) == {*common, *keys}
    assert found.as_object()["value"] == 0.25
    assert found.as_object()["of"] == list(of)


def test_a_value_that_is_not_there_is_asked_for_by_name() -> None:
    found = [finding(UTILITIES[0], 0.5, ("age",))]
    name = UTILITIES[0].name
    assert value_of(found, name, ("age",)) == 0.5
    with pytest.raises(KeyError, match="is not of the whole, but of age"):
        value_of(found, name)
    with pytest.raises(KeyError, match=f"did you mean '{name}'"):
        value_of(found, name[:-1])
