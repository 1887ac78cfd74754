"""A certificate: what a release is and what it reached, for a reader who has no database.

It is the same text for the same run, whenever it is made: it has no clock but the run's own. Its
demands on a table are a spec of the columns that were published.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from sqlanon.common.fields import Declared, Truth, Whole
from sqlanon.errors import Problem, SpecError
from sqlanon.forms import names_in
from sqlanon.privacy.k_anonymity import K_ANONYMITY
from sqlanon.record.metrics import Metric
from sqlanon.source.source_info import digest
from sqlanon.spec import Kind, Spec, changed, parse_spec
from sqlanon.spec.privacy import NAMING, TABLES
from sqlanon.spec.publication import RULES

CERTIFICATE_ENDINGS = (".json",)
_FORM: Literal["sqlanon 1"] = "sqlanon 1"
_DIGITS = 9  # that all databases agree on


class CertifiedColumn(Declared):
    """A column of a published relation: as a data dictionary has it."""

    name: str
    type: str
    kind: Kind
    role: str
    form: str


class CertifiedRelation(Declared):
    """A published relation: how its name ends, its columns, and the hash of its records."""

    beside: str
    columns: tuple[CertifiedColumn, ...]
    records: Whole
    content: str


class CertifiedMeasure(Declared):
    """A value that was reached, with what was asked for; the value to nine digits.

    Attributes:
        basis: what it is certified on: ``release``, if it was worked out again from that when
            that was certified; ``run``, if it is as the run measured it, since the release alone
            does not tell.
    """

    measure: str
    attribute: str | None
    asked: str | None
    reached: float | None
    holds: Truth | None
    basis: Literal["release", "run"] = "run"

    @property
    def name(self) -> str:
        """The name that people call it by."""
        return self.measure if self.attribute is None else f"{self.measure} of {self.attribute}"


class CertifiedRun(Declared):
    """The run that made the release: its number, its beginning, and what it ran on."""

    release_id: str
    started: str | None
    sqlanon: str
    engine: str
    method: str


class Certificate(Declared):
    """A certificate.

    Attributes:
        certificate: the form of this text.
        release: the name of the release.
        run: the run that made it.
        source_schema: a salted hash of the names and types of the source's columns; None of a
            release that a script made, which kept no salt.
        spec: a salted hash of the spec without its seed and database; None likewise.
        publication: what is shown of the classes, as ``publish`` calls it.
        counts: whether k, l, α and t are of records or of persons.
        suppressed: how many of the source's records were left out.
        relations: what is published.
        privacy: what the spec asks of every class.
        sensitive: what it asks of each attribute, and how its values are measured.
        measures: what was reached.
        digest: a hash of all the rest.
    """

    certificate: Literal["sqlanon 1"] = _FORM
    release: str
    run: CertifiedRun
    source_schema: str | None
    spec: str | None
    publication: str
    counts: Literal["records", "persons"]
    suppressed: Whole
    relations: tuple[CertifiedRelation, ...] = Field(min_length=1)
    privacy: dict[str, Any]
    sensitive: dict[str, dict[str, Any]]
    measures: tuple[CertifiedMeasure, ...]
    digest: str

    @property
    def own_digest(self) -> str:
        """The hash of what it says."""
        return digest(self.model_dump(mode="json", exclude={"digest"}))

    @property
    def shows_exact(self) -> bool:
        """Whether groups alone tie its sensitive values to its records."""
        return RULES[self.publication].exact

    @property
    def text(self) -> str:
        """As it is written."""
        fields = self.model_dump(mode="json")
        return json.dumps(fields, ensure_ascii=False, indent=2, sort_keys=True) + "\n"


def certified(measure: Metric) -> dict[str, Any]:
    """A measure, as a certificate has it."""
    value = measure.value
    return {
        "measure": measure.metric,
        "attribute": measure.attribute,
        "asked": measure.threshold,
        "reached": None if value is None else float(f"{value:.{_DIGITS}g}"),
        "holds": measure.passed,
    }


def read_certificate(file: Path) -> Certificate:
    """Read a certificate file; the digest is not verified here.

    Raises:
        SpecError: if there is no such file, or it is no certificate of this form.
    """
    try:
        return Certificate.model_validate(json.loads(file.read_text(encoding="utf-8")))
    except OSError as error:
        raise SpecError(f"the certificate {str(file)!r} cannot be read: {error.strerror}") from None
    except ValidationError as error:
        where = ".".join(map(str, error.errors()[0]["loc"])) or "the file"
        what = f"{where} is not as sqlanon certificate writes it"
    except (ValueError, KeyError, RecursionError):
        what = "it is no JSON"
    raise SpecError(f"{str(file)!r} is no certificate of the form {_FORM!r}: {what}")


def check_sound(certificate: Certificate) -> None:
    """Refuse a certificate whose digest is right and that no run can have come to.

    Raises:
        SpecError: naming the place of the certificate.
    """
    for where, what in _problems(certificate):
        raise SpecError(Problem(f"certificate.{where}", what))


def _problems(certificate: Certificate) -> Iterator[tuple[str, str]]:
    certified = [rule.name for rule in RULES.values() if not rule.mixes]
    if certificate.publication not in certified:
        yield "publication", f"it must be one of {', '.join(certified)}"
        return
    release, *apart = certificate.relations
    if release.beside or not all(re.fullmatch(r"[a-z]+", one.beside) for one in apart):
        yield "relations", "the first must be the release, each other be named by a word"
    if len(apart) > (1 if certificate.shows_exact else 0):
        yield "relations", f"{certificate.publication} publishes fewer"
    for number, relation in enumerate(certificate.relations):
        names = [column.name for column in relation.columns]
        if not names or len(set(names)) < len(names) or not all(map(_is_name, names)):
            yield f"relations.{number}.columns", "each must have a name, and no two the same"
        groups = [column for column in relation.columns if column.role == "group"]
        if certificate.shows_exact and len(groups) < (2 if number else 1):
            yield f"relations.{number}.columns", "its groups are missing"
    protected = {
        column.name for each in certificate.relations for column in each.columns
        if column.role == "sensitive"
    }  # fmt: skip
    if not certificate.sensitive.keys() <= protected:
        yield "sensitive", "it must name sensitive columns of the relations"


def _is_name(text: str) -> bool:
    return bool(text) and "\x00" not in text


def spec_of(declared: Mapping[str, Any]) -> Spec:
    """The spec; its k may have been chosen beyond that of some columns.

    Args:
        declared: the fields of the spec, whose quasi-identifiers are the published columns. A
            demand on some of them names the columns of the source. A demand by another table is
            left out: nobody else has that table.

    Raises:
        SpecError: if there can be no such spec.
    """
    asked = {name: limit for name, limit in declared["privacy"].items() if name not in TABLES}
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
        replace(metric, attribute=names.get(metric.attribute or "", metric.attribute))
        if metric.metric == K_ANONYMITY.name
        else metric
        for metric in measures
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
