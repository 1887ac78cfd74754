"""A certificate: what a release is and what it reached, for whoever is handed it and no database.

It is the same text for the same run, whenever it is made: it has no clock but the run's own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

from pydantic import Field, ValidationError

from sqlanon.engines import Engine
from sqlanon.errors import SpecError
from sqlanon.fields import Declared
from sqlanon.privacy import MODELS
from sqlanon.privacy.thresholds import fields_of
from sqlanon.release.digest import digest
from sqlanon.release.metrics import Metric
from sqlanon.release.recorded import Recorded
from sqlanon.session import Session
from sqlanon.spec import Kind
from sqlanon.spec.publication import RULES
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql

_FORM: Literal["sqlanon 1"] = "sqlanon 1"
_COUNTS = ("records", "classes")
_MEASURES = {*_COUNTS, *(one.name for one in MODELS)}
_DIGITS = 9  # that all databases agree on
# What of a sensitive attribute is needed to measure its values, beside the thresholds.
_MEASURED_BY = ("distance", "order")


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
    records: int
    content: str


class CertifiedMeasure(Declared):
    """What was reached beside what was asked for; the value to nine digits."""

    measure: str
    attribute: str | None
    asked: str | None
    reached: float | None
    holds: bool | None


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
        source_schema: a hash of the names and types of the source's columns.
        spec: a hash of the spec without its seed and database.
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
    source_schema: str
    spec: str
    publication: str
    counts: Literal["records", "persons"]
    suppressed: int
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


def certify(recorded: Recorded) -> Certificate:
    """The certificate of a release that stands in a database.

    Raises:
        SpecError: if a relation or a column of it is gone.
        EngineError: if the database fails.
    """
    facts, spec = recorded.facts, recorded.spec
    left_out = [one for one in recorded.measures if one.metric == "suppressed_records"]
    fields = {
        "release": recorded.relation.name,
        "run": {
            "release_id": facts["release_id"],
            "started": facts.get("started"),
            "sqlanon": facts["sqlanon"],
            "engine": facts["engine"],
            "method": facts["method"],
        },
        "source_schema": facts["source_schema"],
        "spec": digest({name: value for name, value in spec.items() if name != "seed"}),
        "publication": (spec.get("publish") or {"name": next(iter(RULES))})["name"],
        "counts": "persons" if spec.get("person") else "records",
        "suppressed": int(left_out[0].value or 0) if left_out else 0,
        "relations": [one.model_dump() for one in _relations(recorded)],
        "privacy": _asked_of_classes(spec["privacy"], recorded.measures),
        "sensitive": {name: _asked(one) for name, one in spec["sensitive"].items()},
        "measures": [certified(one) for one in recorded.measures if one.metric in _MEASURES],
        "digest": "",
    }
    made = Certificate.model_validate(fields)
    return made.model_copy(update={"digest": made.own_digest})


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


def content_of(item: Relation | Sql, columns: list[str], engine: Engine) -> tuple[int, str]:
    """How many records a published relation has, and the hash of them in any order."""
    found = Session(engine).fetch(
        "certificate/content", {"released": item}, {"columns": columns}, 1
    )
    records, content = found.rows[0]
    return int(records), str(content)


def read_certificate(file: Path) -> Certificate:
    """A certificate from its file; whether its digest is right nobody has asked yet.

    Raises:
        SpecError: if there is no such file, or it is no certificate of this form.
    """
    try:
        return Certificate.model_validate(json.loads(file.read_text(encoding="utf-8")))
    except OSError as error:
        raise SpecError(f"the certificate {str(file)!r} cannot be read: {error.strerror}") from None
    except ValidationError as error:
        place = ".".join(map(str, error.errors()[0]["loc"])) or "the file"
        what = f"{place} is not as sqlanon certificate writes it"
    except (ValueError, KeyError, RecursionError):
        what = "it is no JSON"
    raise SpecError(f"{str(file)!r} is no certificate of the form {_FORM!r}: {what}")


def _relations(recorded: Recorded) -> Iterator[CertifiedRelation]:
    for beside, columns in recorded.relations.items():
        relation = recorded.named(beside)
        there = recorded.columns_there(relation)
        records, content = content_of(relation, [one.name for one in columns], recorded.engine)
        yield CertifiedRelation(
            beside=beside,
            columns=tuple(
                CertifiedColumn(
                    name=one.name,
                    type=there[one.name].shown_type,
                    kind=one.kind,
                    role=one.role,
                    form=one.form,
                )
                for one in columns
            ),
            records=records,
            content=content,
        )


def _asked_of_classes(privacy: dict[str, Any], measures: list[Metric]) -> dict[str, Any]:
    """What is asked of every class; of several k, the one that was chosen."""
    fields = (*fields_of("release"), *fields_of("sensitive"))
    asked = {name: privacy[name] for name in fields if name in privacy}
    chosen = [one.threshold for one in measures if one.metric == "k_anonymity" and one.threshold]
    return asked | ({"k": int(chosen[0])} if chosen else {})


def _asked(sensitive: dict[str, Any]) -> dict[str, Any]:
    fields = (*_MEASURED_BY, *fields_of("sensitive"))
    return {name: sensitive[name] for name in fields if name in sensitive}
