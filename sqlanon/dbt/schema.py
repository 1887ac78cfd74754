"""The schema.yml of a release: descriptions, types for a contract, and the spec's tests."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from sqlanon.dbt.jinja import PACKAGE, no_jinja
from sqlanon.dbt.package import asked_of
from sqlanon.domains.attribute import HiddenAttribute
from sqlanon.measure.asked import Asked
from sqlanon.planning.prepare import Prepared
from sqlanon.publish.groups import GROUP
from sqlanon.publish.publication import ReleasedColumn, Role
from sqlanon.spec import Spec
from sqlanon.spec.publication import least_class

_ROLES: Mapping[Role, str] = {
    "quasi_identifier": "quasi-identifier, generalized",
    "sensitive": "sensitive",
    "insensitive": "as in the source",
    "group": "the number of the group, which says nothing else",
}
_EXACT = "quasi-identifier, as in the source"
_AS_TEXT = "quasi-identifier, as a label or a value, perhaps suppressed"


@dataclass(frozen=True, kw_only=True)
class Schema:
    """The schema.yml of a release.

    Attributes:
        spec: what is declared.
        prepared: its plan.
        types: of the released columns.
        described: the work models and what each holds.
        fixed: those of them that dbt always keeps as tables, that of the source's records first.
        judged: the one of them that holds what the checks found.
        companions: the columns of the release's companions, by what follows its name.
        grows: whether builds add to the release: then no build has all of its records.
        reads_values: whether the database reads VALUES, in which a test has a list of values.
        sources: the sources to declare.
    """

    spec: Spec
    prepared: Prepared
    types: Mapping[str, str]
    described: Mapping[str, str]
    fixed: Sequence[str]
    judged: str
    companions: Mapping[str, Sequence[str]]
    grows: bool
    reads_values: bool
    sources: Sequence[Mapping[str, Any]]

    def text(self) -> str:
        """The document as YAML text."""
        work = [_work(name, text, name in self.fixed) for name, text in self.described.items()]
        passing = {"name": f"{self.spec.release}__checks"}
        arguments = {"arguments": {"release": self.spec.release}}
        for entry in work:
            if entry["name"] == self.judged:
                entry["data_tests"] = [{f"{PACKAGE}.checks_pass": passing | arguments}]
        document: dict[str, Any] = _escaped({"version": 2, "models": [self._release(), *work]})
        # The package has what they are in a block of its documents, which dbt fills in.
        document["models"][1:1] = [
            {
                "name": f"{self.spec.release}__{suffix}",
                "description": f"{{{{ doc('{PACKAGE}', '{PACKAGE}_{suffix}') }}}}",
                "columns": [{"name": no_jinja(name)} for name in columns],
            }
            for suffix, columns in self.companions.items()
        ]
        if self.sources:  # they are written for dbt, which fills in what they leave to it
            document["sources"] = list(self.sources)
        return yaml.safe_dump(document, sort_keys=False, allow_unicode=True, width=100)

    @property
    def _columns(self) -> Sequence[ReleasedColumn]:
        """The columns of the release."""
        return self.prepared.publication.relations[0].columns

    def _release(self) -> dict[str, Any]:
        """The model of the release, with its columns and its tests."""
        spec = self.spec
        roles = {**_ROLES, "quasi_identifier": _EXACT} if spec.shows_exact else _ROLES
        return {
            "name": spec.release,
            "description": "the anonymized release: a row for each record of the source",
            "columns": [
                _column(
                    column.name,
                    self.types[column.name],
                    _AS_TEXT
                    if spec.slices and column.role == "quasi_identifier" and column.source is None
                    else roles[column.role],
                )
                for column in self._columns
            ],
            "data_tests": self._tests(),
        }

    def _tests(self) -> list[dict[str, Any]]:
        """The tests of the release.

        A test counts records: where others are counted, the release's own checks hold its values.
        Where records are left out, the release has not the values of the whole table. Models for
        which the package has no test are held by the release's own checks alone, and so is a listed
        order where the database reads no list.
        """
        shown = [column for column in self._columns if column.role == "quasi_identifier"]
        columns, k = _alike(self.spec, shown)
        of_units = self.prepared.publication.view.units is not None
        tested = set() if of_units else {column.name for column in self._columns}
        left_out = [f"ref('{name}')" for name in self.described if name.endswith("_suppressed")]
        suppressed = {"suppressed": left_out[0]} if left_out else {}
        records = f"ref('{self.fixed[0]}')"
        tests = [] if self.grows else [_test("row_conservation", records=records, **suppressed)]
        tests.append(_test("k_anonymity", quasi_identifiers=columns, k=k))
        for model in self.prepared.measurement.models:
            found = asked_of(model) if _is_shown(model, tested) else None
            if found is None or (suppressed and "positions" in model.model.reads):
                continue
            test, arguments = found
            if self.reads_values or "order" not in arguments:
                named = {"quasi_identifiers": columns, "sensitive": model.name}
                tests.append(_test(test, **named, **arguments))
        release = self.spec.release
        return [_called(release, number, *test) for number, test in enumerate(tests, 1)]


def _is_shown(model: Asked, tested: Collection[str]) -> bool:
    """Whether a test can read what a model is of: nothing of a record that no release shows."""
    return model.name is None or (
        model.name in tested and not isinstance(model.attribute, HiddenAttribute)
    )


def _alike(spec: Spec, quasi_identifiers: Sequence[ReleasedColumn]) -> tuple[list[str], int]:
    """The columns in which the records of a class are alike, and how many they are at least.

    What tests hold in a group, a slice with quasi-identifiers beside the values has to hold in less
    than a group: that is left to the checks.
    """
    alike = [GROUP.name] if spec.shows_exact else [column.name for column in quasi_identifiers]
    return alike, least_class(spec)


def _work(name: str, description: str, is_fixed: bool) -> dict[str, Any]:
    config = {"schema": "private"} | ({} if is_fixed else {"materialized": "table"})
    return {"name": name, "description": description, "config": config}


def _column(name: str, data_type: str, description: str) -> dict[str, Any]:
    column: dict[str, Any] = {"name": name, "description": description, "data_type": data_type}
    # dbt writes the names of a contract as they are, unless the column asks for quotes.
    return column if re.fullmatch(r"[a-z_][a-z0-9_]*", name) else column | {"quote": True}


def _escaped(value: Any) -> Any:
    if isinstance(value, str):
        return no_jinja(value)
    if isinstance(value, Mapping):
        return {key: _escaped(one) for key, one in value.items()}
    return [_escaped(one) for one in value] if isinstance(value, list) else value


def _test(name: str, **arguments: Any) -> tuple[str, dict[str, Any]]:
    return name, arguments


def _called(release: str, number: int, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    # A name of its own: by it the test is found again when the spec has changed.
    called = {"name": f"{release}__{name}", "arguments": arguments}
    if "sensitive" in arguments:
        column = re.sub(r"\W+", "_", str(arguments["sensitive"]))[:20]
        called["name"] = f"{release}__{name}_{number}_{column}"
    return {f"sqlanon.{name}": called}
