"""Sensitive columns that give a quasi-identifier back: its value stands in every row then.

Such is an age at the diagnosis: however coarse the published age is, the row says it.
Small tables agree by chance, so a column is a copy only by evidence that chance does not give
(`sql_templates/measure/check_copied.sql.j2`), and it undoes only cells that are no single value.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from sqlanon.domains.attribute import QuasiAttribute, SensitiveAttribute
from sqlanon.measure.insensitive import pair
from sqlanon.measure.loss import CLASS_LOSS
from sqlanon.measure.view import AdversaryView
from sqlanon.plan import Materialization, Step, work
from sqlanon.spec import MEASURABLE, NUMBERS, BandsHierarchy, DatesHierarchy
from sqlanon.sql.names import Relation, Sql

COPIED = "copied_share"
LEAST_COMPARED = 11  # records: among fewer, a copy may be chance
_CODED = work("compared")


@dataclass(frozen=True)
class Compared:
    """The records and columns that are compared with the quasi-identifiers.

    Attributes:
        records: the source's records, or one of each unit.
        accepted: the sensitive columns that the spec accepts by name.
        beside: the insensitive columns, by alias: records that agree in all columns count once.
    """

    records: Relation
    accepted: Collection[str]
    beside: Sequence[Sql]


@dataclass(frozen=True)
class Copies:
    """The query that finds the records of which a sensitive column undoes a cell.

    Attributes:
        attributes: the columns that are compared: quasi-identifiers, then sensitive ones.
        inputs: what the template ``measure/check_copied`` reads.
        params: its parameters.
    """

    attributes: tuple[QuasiAttribute | SensitiveAttribute, ...]
    inputs: dict[str, Relation]
    params: dict[str, Any]

    @property
    def domains(self) -> dict[str, Relation]:
        """The domain of every column, by its alias."""
        return {str(attribute.alias): attribute.domain for attribute in self.attributes}

    @property
    def coding(self) -> Step:
        """The step that codes the records, for a remark on what may be chance."""
        domains = {f"domain_{alias}": domain for alias, domain in self.domains.items()}
        return Step(
            "coding the records to compare their columns",
            _CODED,
            "source/coded",
            {"records": self.inputs["records"], **domains},
            {
                "attributes": tuple(attribute.alias for attribute in self.attributes),
                "domains": self.domains,
                "nodes": {},
                "carried": (),
                "tie_breaker": self.params["spelled"],
            },
            Materialization.WORK_VIEW,
        )


def copies(
    view: AdversaryView,
    compared: Compared,
    quasi_identifiers: Sequence[QuasiAttribute] | None = None,
    hidden: Relation = CLASS_LOSS,
) -> Copies | None:
    """The way to find the sensitive columns that give a generalized quasi-identifier back.

    Args:
        view: what a reader can tie together.
        compared: what is compared.
        quasi_identifiers: whose values cells hide; by default those whose loss is measured.
        hidden: for each class, and each of them, whether its cell is no single value: its loss.

    Returns:
        It; None where no cell hides a value, or no sensitive column is held to it.
    """
    held = [
        attribute
        for attribute in view.sensitive
        if type(attribute) is SensitiveAttribute and attribute.name not in compared.accepted
    ]
    given = (
        [column.of for column in view.priced] if quasi_identifiers is None else quasi_identifiers
    )
    if not held or not given:
        return None
    pairs = [
        {
            "given": attribute.alias,
            "held": other.alias,
            "shown": pair(attribute.name, other.name),
            "names": (attribute.name, other.name),
            "in_order": _in_order(attribute) and _in_order(other),
            "numbers": {attribute.kind, other.kind} <= {*NUMBERS},
        }
        for other in held
        for attribute in given
    ]
    params = {
        "pairs": pairs,
        "given": [attribute.alias for attribute in given],
        "held": [attribute.alias for attribute in held],
        "columns": [*(attribute.alias for attribute in (*given, *held)), *compared.beside],
        "apart": len(given),
        "spelled": {
            attribute.alias: attribute.tie_breaker for attribute in held if attribute.tie_breaker
        },
        "in_order": [number for number, entry in enumerate(pairs, 1) if entry["in_order"]],
    }
    inputs = {"records": compared.records, "classes": view.classes, "class_loss": hidden}
    return Copies(attributes=(*given, *held), inputs=inputs, params=params)


def _in_order(attribute: QuasiAttribute | SensitiveAttribute) -> bool:
    """Whether the codes of an attribute follow the order of its numbers or dates."""
    hierarchy = attribute.declared.hierarchy
    flat = hierarchy is None or isinstance(hierarchy, BandsHierarchy | DatesHierarchy)
    return flat and attribute.kind in MEASURABLE
