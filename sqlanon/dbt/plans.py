"""The plans that the package's tests and its Stack & Deal are made of, as macros.

Their arguments, and the use of the relations that they make, are written by hand in ``dbt/macros``.
Which relations there are, and what each reads, is as in a run.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlanon.dbt.calls import Calls, Expression, called, cases, filled, joined
from sqlanon.domains.attribute import FEW
from sqlanon.measure.view import known_values
from sqlanon.plan import Check, Step, needed
from sqlanon.planning.pattern import READ, RELEASE, pattern, steps_of, with_arguments
from sqlanon.source.source import RECORDS

_MACRO = """\
{# Written from the plan of a run: @about@. #}
{% macro plan_of_@name@(@arguments@) -%}
@ctes@
{%- endmacro %}
"""
# A list of a test may be of any length: its distance is measured as along a long one.
_LONG = [str(value) for value in range(FEW + 1)]


@dataclass(frozen=True)
class Domain:
    """A kind of values of a sensitive attribute, on which its plan depends.

    Attributes:
        distance: the distance of a spec in whose plan the values are like that.
        condition: when they are, in dbt's Jinja; empty where nothing else holds.
        declared: what such a spec says of the attribute.
        arguments: what a macro is given in place of that.
    """

    distance: str
    condition: str
    declared: Mapping[str, Any] = field(default_factory=dict)
    arguments: Mapping[str, Any] = field(default_factory=dict)


DOMAINS = (
    Domain(
        "hierarchical",
        "hierarchy is not none",
        {"distance": "hierarchical", "hierarchy": {"tree": {"*": {"group": ["leaf"]}}}},
        {"lines": Expression("hierarchy"), "height": Expression("hierarchy[0] | length")},
    ),
    Domain(
        "ordered",
        "order is not string",
        {"distance": "ordered", "order": _LONG},
        {"order": Expression("order")},
    ),
    Domain("equal", "", arguments={"by_frequency": Expression('order == "frequency"')}),
)
# The quasi-identifiers of a table that is measured are published. It has one sensitive attribute,
# and of the table of reference no other column is read.
MEASURING = Calls({"q1": "read", "p1": "published", "s1": "sensitive"}, alone=("s1",))
_DEALING = Calls(
    {
        **{"q1": "interval", "q2": "set", "s1": "sensitive", "x1": "insensitive", "k1": "key"},
        **dict.fromkeys(("p1", "p2"), "published"),
    }
)


def plan_files() -> dict[str, str]:
    """Every macro of a plan, by the name of its file in ``dbt/macros/plans``."""
    variants = {}
    for domain in DOMAINS:
        steps, known = _class_values(domain)
        unknown = called("sqlanon_unknown", MEASURING.call(known))
        variants[domain.condition] = [*MEASURING.ctes(steps), unknown]
    accounting, even = _accounting()
    lost = called("sqlanon_lost", _DEALING.call(even))
    return {
        "classes.sql": _macro(
            "classes", "columns", "the classes of sqlanon_release", MEASURING.ctes(_classes())
        ),
        "class_values.sql": _macro(
            "class_values",
            "columns, order, hierarchy",
            "how many of each value of sqlanon_read are in every class",
            cases(variants),
        ),
        "dealing.sql": _macro(
            "dealing",
            "columns, k, stack, seed",
            "from sqlanon_read to sqlanon_release, by Stack & Deal",
            _DEALING.ctes(_dealing()),
        ),
        "accounting.sql": _macro(
            "accounting",
            "",
            "what became of sqlanon_records in sqlanon_release",
            [*_DEALING.ctes(accounting), lost],
        ),
    }


def plan_templates() -> list[str]:
    """The templates of all these plans."""
    accounting, even = _accounting()
    found: list[Step | Check] = [*_classes(), *_dealing(), *accounting, even]
    for domain in DOMAINS:
        steps, known = _class_values(domain)
        found += [*steps, known]
    return list(dict.fromkeys(step.template for step in found))


def _classes() -> list[Step]:
    """From a table to its classes."""
    prepared = pattern()
    return needed(steps_of(prepared), [prepared.publication.view.classes], [RELEASE])


def _class_values(domain: Domain) -> tuple[list[Step], Check]:
    """From a table of reference to how many of its values are in each class, and the unknown."""
    prepared = pattern(sensitive=domain.declared)
    there = [RELEASE, *(step.output for step in _classes())]
    values = prepared.publication.view.class_values.values()
    steps = needed(steps_of(prepared), values, there)
    (attribute,) = prepared.publication.view.sensitive
    return with_arguments(steps, domain.arguments), known_values(attribute)


def _dealing() -> list[Step]:
    """From the records to the release."""
    prepared = pattern(("interval", "set"), insensitive=["insensitive"], key=["key"])
    arguments = {"k": Expression("k"), "seed": Expression("seed"), "order": Expression("stack")}
    return with_arguments(needed(steps_of(prepared), [RELEASE], [READ]), arguments)


def _accounting() -> tuple[list[Step], Check]:
    """From the records and the release to what became of them."""
    prepared = pattern()
    ledger = prepared.publication.ledger
    return needed(steps_of(prepared), [ledger.relation], [RECORDS, RELEASE]), ledger.check


def _macro(name: str, arguments: str, about: str, ctes: Iterable[str]) -> str:
    said = {"about": about, "name": name, "arguments": arguments, "ctes": joined(ctes)}
    return filled(_MACRO, said)
