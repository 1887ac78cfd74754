"""The demands of a certificate on a table, as a spec of the columns that were published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlanon.errors import Problem, SpecError
from sqlanon.forms import names_in
from sqlanon.kept.metrics import Metric
from sqlanon.privacy.k_anonymity import K_ANONYMITY
from sqlanon.spec import Spec, changed, parse_spec
from sqlanon.spec.privacy import NAMING, TABLES


def spec_of(declared: Mapping[str, Any]) -> Spec:
    """The spec; its k may have been chosen beyond that of some columns.

    Args:
        declared: the fields of the spec, whose quasi-identifiers are the published columns. A
            demand on some of them names the columns of the source. A demand by another table is
            left out: nobody else has that table.

    Raises:
        SpecError: if there can be no such spec.
    """
    asked = {name: one for name, one in declared["privacy"].items() if name not in TABLES}
    shown = declared["quasi_identifiers"]
    some = {name: _published(name, asked.pop(name), shown) for name in NAMING if name in asked}
    spec = parse_spec({**declared, "privacy": asked})
    alone = {**declared, "privacy": {"k": 1, **some}, "sensitive": {}}
    known = parse_spec(alone).privacy if any(some.values()) else spec.privacy
    found = {name: getattr(known, name) for name in some}
    return changed(spec, privacy=spec.privacy.model_copy(update=found))


def with_certified_names(
    measures: Sequence[Metric], privacy: Mapping[str, Any], spec: Spec
) -> tuple[Metric, ...]:
    """The measures, with k of some columns called by the source's columns.

    Args:
        measures: of the table.
        privacy: what is certified to be asked.
        spec: the same, as a spec of the published columns.
    """
    names = {
        ", ".join(one.columns): ", ".join(certified["columns"])
        for name in NAMING
        for one, certified in zip(getattr(spec.privacy, name), privacy.get(name, ()), strict=True)
    }
    return tuple(
        replace(one, attribute=names.get(one.attribute or "", one.attribute))
        if one.metric == K_ANONYMITY.name
        else one
        for one in measures
    )


def _published(name: str, asked: Any, shown: Sequence[str]) -> list[dict[str, Any]]:
    """The same of the published columns: those that stand for a quasi-identifier."""
    try:
        return [
            {**one, "columns": [each for name in one["columns"] for each in names_in(name, shown)]}
            for one in asked
        ]
    except (TypeError, KeyError):
        what = "each must be a mapping such as {columns: [age, zip], k: 20}"
        raise SpecError(Problem(f"privacy.{name}", what)) from None
