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
from sqlanon.spec.privacy import TABLES


def spec_of(declared: Mapping[str, Any]) -> Spec:
    """The spec; its k may have been chosen beyond that of some columns.

    Args:
        declared: the fields of the spec, whose quasi-identifiers are the published columns; of
            ``privacy.subsets`` the columns are those of the source. What is asked by another table
            is left out: nobody else has it.

    Raises:
        SpecError: if there can be no such spec.
    """
    asked = {name: one for name, one in declared["privacy"].items() if name not in TABLES}
    subsets = _published(asked.pop("subsets", ()), declared["quasi_identifiers"])
    spec = parse_spec({**declared, "privacy": asked})
    if not subsets:
        return spec
    alone = {"k": 1, "subsets": subsets}
    known = parse_spec({**declared, "privacy": alone, "sensitive": {}}).privacy.subsets
    return changed(spec, privacy=spec.privacy.model_copy(update={"subsets": known}))


def with_certified_names(
    measures: Sequence[Metric], subsets: Sequence[Mapping[str, Any]], spec: Spec
) -> tuple[Metric, ...]:
    """The measures, with k of some columns called by the source's columns.

    Args:
        measures: of the table.
        subsets: what is certified to be asked of some columns.
        spec: the same, as a spec of the published columns.
    """
    names = {
        one.name: ", ".join(certified["columns"])
        for one, certified in zip(spec.privacy.subsets, subsets, strict=True)
    }
    return tuple(
        replace(one, attribute=names.get(one.attribute or "", one.attribute))
        if one.metric == K_ANONYMITY.name
        else one
        for one in measures
    )


def _published(subsets: Any, shown: Sequence[str]) -> list[dict[str, Any]]:
    """The same of the published columns: those that stand for a quasi-identifier."""
    try:
        return [
            {**one, "columns": [each for name in one["columns"] for each in names_in(name, shown)]}
            for one in subsets
        ]
    except (TypeError, KeyError):
        what = "each must be a mapping such as {columns: [age, zip], k: 20}"
        raise SpecError(Problem("privacy.subsets", what)) from None
