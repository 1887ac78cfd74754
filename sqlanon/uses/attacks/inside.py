"""Attacks on what a class says by itself: somebody is known to be in it, and nothing else.

They read how often a reader gives each sensitive value in each class, and compare with the release
itself, which is all that a reader has.
"""

from __future__ import annotations

from typing import Any

from sqlanon.domains.attribute import SensitiveAttribute
from sqlanon.measure.view import AdversaryView
from sqlanon.pages.figures import Figure
from sqlanon.plan import Step, work
from sqlanon.spec import MEASURABLE

_SURVEY = "Kiran and Kavya (2012), §3"

INSIDE = (
    Figure(
        name="homogeneity_share",
        attack="homogeneity",
        per="sensitive attribute",
        measured="attacks/homogeneity",
        value="the share of records in classes that have one value",
        paper=f"Machanavajjhala et al. (2007), §2.1; {_SURVEY}",
        says="this share of the records lie in classes where all have the same value: a reader who "
        "finds a person in such a class learns it",
    ),
    Figure(
        name="homogeneity_count",
        attack="homogeneity",
        per="sensitive attribute",
        measured="attacks/homogeneity",
        range="[0, n]",
        value="the records in classes that have one value; where the run counted persons, the "
        "persons in classes where all of them have one",
        paper=f"Machanavajjhala et al. (2007), §2.1; {_SURVEY}",
        says="of so many records, or persons where the release counts them, a value is certain: "
        "everybody in their class has it",
    ),
    Figure(
        name="skewness_gain",
        attack="skewness",
        per="sensitive attribute",
        measured="attacks/skewness",
        value="max (q_v - p_v) over classes and values; p is of the whole release",
        paper=f"Li et al. (2007), §3; {_SURVEY}",
        says="a reader who finds a person's class becomes surer of a value of theirs by at most "
        "this much, "
        "compared with knowing nothing but the whole release",
    ),
    Figure(
        name="skewness_share",
        attack="skewness",
        per="sensitive attribute",
        measured="attacks/skewness",
        value="the share of records in classes where q_v > 1/2 and q_v >= 2 p_v for a value v",
        paper=f"Li et al. (2007), §3; {_SURVEY}",
        says="this share of the records lie in classes where a value is likelier than not, and at "
        "least twice as likely as in the whole release",
    ),
    Figure(
        name="similarity_share",
        attack="similarity",
        per="sensitive attribute",
        measured="attacks/similarity_groups",
        value="the share of records in classes whose values lie under one node right above the "
        "values, or near each other: within a quarter of the range, with at most half of all "
        "records between them",
        paper=f"Li et al. (2007), §3; {_SURVEY}; Gowda (2023), §2.6.2",
        says="this share of the records lie in classes whose values are all alike: of one group of "
        "the hierarchy, or near each other in their order",
    ),
)


def homogeneity_step(attribute: SensitiveAttribute, view: AdversaryView) -> Step:
    """How much of each class has its commonest value."""
    return _step("homogeneity", "attacks/homogeneity", attribute, view)


def skewness_step(attribute: SensitiveAttribute, view: AdversaryView) -> Step:
    """By how much each class makes a value likelier."""
    return _step("skewness", "attacks/skewness", attribute, view)


def similarity_step(attribute: SensitiveAttribute, view: AdversaryView) -> Step | None:
    """How much of each class has values that are alike; None where nothing says which are."""
    if attribute.nodes is not None and attribute.height > 1:
        return _step("similarity", "attacks/similarity_groups", attribute, view, level=1)
    if attribute.distance == "ordered" and attribute.declared.order != "frequency":
        natural = attribute.declared.order in (None, "natural")
        measurable = natural and attribute.kind in MEASURABLE
        return _step(
            "similarity",
            "attacks/similarity_interval",
            attribute,
            view,
            kind=attribute.kind,
            measurable=measurable,
        )
    return None


def _step(
    attack: str, template: str, attribute: SensitiveAttribute, view: AdversaryView, **params: Any
) -> Step:
    inputs = {"class_values": view.class_values[str(attribute.alias)]}
    if params:
        inputs["positions"] = attribute.positions
    output = work("attack_", attack, "_", attribute.alias)
    return Step(f"{attack} of {attribute.name} in each class", output, template, inputs, params)
