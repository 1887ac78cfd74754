"""Recoding: what stands in a class's records in place of their quasi-identifiers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlanon.domains.attribute import QuasiAttribute
from sqlanon.forms import form_of
from sqlanon.forms.form import Enough, PublishedColumn
from sqlanon.plan import Check, Step, work
from sqlanon.sql.names import Relation

BOXES = work("boxes")


def recoding_steps(
    assigned: Relation,
    recoded: Relation,
    published: Sequence[PublishedColumn],
    attributes: Sequence[QuasiAttribute],
    enough: Enough,
    covered: Relation | None = None,
    boxes: Relation = BOXES,
) -> list[Step | Check]:
    """The steps that find what every class publishes.

    Args:
        assigned: the records with their class and codes.
        recoded: the relation to make: a row for each class.
        published: the columns of the release that stand for quasi-identifiers.
        attributes: the quasi-identifiers.
        enough: of how many of a class a value must be known where one is computed of them.
        covered: rows with the codes that the cells of a class are to cover, if not those of its
            records. A centroid is that of the records.
        boxes: the relation to make of the extents of the classes.
    """
    covered = covered or assigned
    domains = {str(attribute.alias): attribute.domain for attribute in attributes}
    members = {str(one.alias): form_of(one).members(one) for one in attributes}
    sets = {alias: relation for alias, relation in members.items() if relation is not None}
    bounded = tuple(one.alias for one in attributes if str(one.alias) not in sets)
    steps: list[Step | Check] = [
        Step(
            "the extent of every class",
            boxes,
            "release/boxes",
            {"assigned": covered},
            {"quasi_identifiers": bounded},
        )
    ]
    for attribute in attributes:
        form = form_of(attribute)
        steps += form.publishing(attribute, covered if form.rule.covers else assigned, enough)
    inputs: dict[str, Any] = {"boxes": boxes}
    inputs |= {f"domain_{alias}": domains[alias] for alias in domains if alias not in sets}
    inputs |= {f"sets_{alias}": relation for alias, relation in sets.items()}
    steps.append(
        Step(
            "what every class publishes",
            recoded,
            "release/recoded",
            inputs,
            {"published": tuple(published), "domains": domains, "sets": sets},
        )
    )
    return steps


def given_cells(
    cells: Relation, recoded: Relation, published: Sequence[PublishedColumn]
) -> Step | Check:
    """The step that takes what every class publishes as it is given.

    Args:
        cells: class_id and the published columns.
        recoded: the relation to make: a row for each class.
        published: the columns of the release that stand for quasi-identifiers.
    """
    params = {"published": tuple(one.alias for one in published)}
    return Step(
        "what every class publishes", recoded, "release/given_cells", {"classes": cells}, params
    )
