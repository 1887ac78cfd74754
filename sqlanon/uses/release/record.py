"""The record that a run leaves of itself: the spec, versions, counts, timings and the SQL."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from secrets import token_hex
from typing import Any

from sqlanon._version import __version__
from sqlanon.domains.lines import as_tree, hierarchy_lines
from sqlanon.engines import Engine
from sqlanon.plan import Materialization, Step
from sqlanon.planning.prepare import Prepared
from sqlanon.publish.ledger import ENTRIES
from sqlanon.record import ownership
from sqlanon.record.dictionary import as_text, class_facts, column_facts
from sqlanon.record.ownership import Ownership
from sqlanon.record.recorded import SALT, paths_of
from sqlanon.record.spent import spent_fact
from sqlanon.session import Session, facts_of_search
from sqlanon.source.source import RECORDS
from sqlanon.spec import FileHierarchy, QuasiIdentifier, Sensitive, Spec
from sqlanon.spec.columns import transforms_in_words
from sqlanon.sql.names import Sql

Facts = list[tuple[str, str]]


def recording(
    prepared: Prepared,
    engine: Engine,
    facts: Facts,
    contents: Mapping[str, Step],
    declared: Spec | None = None,
) -> Step:
    """The step that writes the run relation: what is known before a run, then further facts.

    Args:
        prepared: the plan.
        engine: where it is carried out.
        facts: further facts.
        contents: the steps that have hashed what is published, by the item of each.
        declared: the spec as declared, where its k was chosen.
    """
    spec = declared or prepared.spec
    fields = spec.model_dump(mode="json", exclude={"database"}, exclude_none=True)
    text = json.dumps(_as_written(fields, spec), ensure_ascii=False)
    parts = [
        text,
        prepared.plan.fingerprints(engine.dialect, spec.as_written)[str(prepared.release)],
    ]
    known = [
        ("spec", text),
        ("fingerprint", hashlib.sha256("\x1f".join(parts).encode()).hexdigest()),
        ("sqlanon", __version__),
        ("method", spec.method.name),
        ("seed", str(spec.seed)),
        ("columns_not_released", json.dumps(prepared.unreleased, ensure_ascii=False)),
        ("types", json.dumps(prepared.types, ensure_ascii=False)),
        ("source_schema", prepared.source_info.schema),
        ("hierarchies", json.dumps(_hierarchies(spec), ensure_ascii=False)),
        ("published", as_text(column_facts(prepared.publication, prepared.spec))),
    ]
    if spec.transforms:
        known.append(("transforms", json.dumps(transforms_in_words(spec), ensure_ascii=False)))
    return Step(
        "recording the run",
        prepared.release.sibling("run"),
        "release/run",
        {f"content_{number}": step.output for number, step in enumerate(contents.values(), 1)},
        {
            "facts": [*known, *facts],
            "contents": [
                {"name": Sql(f"content_{number}"), "item": item, "relation": step.output}
                for number, (item, step) in enumerate(contents.items(), 1)
            ],
        },
        Materialization.TABLE,
    )


def facts_of(
    prepared: Prepared, session: Session, owner: Ownership, started: str, script: str
) -> Facts:
    """The facts of a run that are known only after it.

    Args:
        prepared: the plan.
        session: what carried it out.
        owner: whose marks the release has.
        started: when it began.
        script: the run as text.
    """
    steps: list[dict[str, Any]] = [
        {
            "relation": str(record.relation),
            "title": record.title,
            "seconds": round(record.seconds, 4),
            "rows": record.rows,
        }
        for record in session.records
    ]
    counts = _counts(prepared, session.engine)
    return [
        *ownership.facts(owner.number, owner.relations),
        ("engine", session.engine.version),
        ("started", started),
        (SALT, token_hex(16)),
        ("files", json.dumps(paths_of(prepared.spec, session.engine), ensure_ascii=False)),
        *((name, str(value)) for name, value in counts.items()),
        *class_facts(
            prepared.publication.levels,
            prepared.spec,
            prepared.source_info.columns,
            session.engine,
            prepared.is_recoded,
        ),
        *_spent(prepared, owner.number),
        *_suppressed_cells(prepared, session.engine),
        ("steps", json.dumps(steps, ensure_ascii=False)),
        *facts_of_search(session),
        ("sql", prepared.spec.as_written(script)),
    ]


def _hierarchies(spec: Spec) -> dict[str, Any]:
    """The hierarchies that are files, as trees, by role and column: a file may be gone tomorrow."""
    roles: dict[str, Mapping[str, QuasiIdentifier | Sensitive]] = {
        "quasi_identifiers": spec.quasi_identifiers,
        "sensitive": spec.sensitive,
    }
    return {
        role: {
            name: as_tree(hierarchy_lines(declaration.hierarchy, f"{role}.{name}.hierarchy", name))
            for name, declaration in declared.items()
            if isinstance(declaration.hierarchy, FileHierarchy)
        }
        for role, declared in roles.items()
    }


def _spent(prepared: Prepared, number: str) -> Facts:
    """The ledger of ε and δ, where the release has them."""
    fact = spent_fact(prepared.spec, prepared.spent, number, prepared.release)
    return [] if fact is None else [fact]


def _suppressed_cells(prepared: Prepared, engine: Engine) -> Facts:
    """Of how many records each quasi-identifier is suppressed, where cells are."""
    counted = prepared.publication.suppressed_cells
    if counted is None:
        return []
    text = f"select quasi_identifier, cells from {engine.named(counted)}"
    most = len(prepared.spec.quasi_identifiers)
    found = dict(engine.fetch_portable(text, most, "counting the cells that are suppressed").rows)
    in_order = {name: int(found[name]) for name in prepared.spec.quasi_identifiers if name in found}
    return [("suppressed_cells", json.dumps(in_order, ensure_ascii=False))]


def _counts(prepared: Prepared, engine: Engine) -> dict[str, int]:
    """The account of the records, and how many classes there were and are."""
    made = prepared.publication
    account, formed = engine.named(made.ledger.relation), made.formed
    entries = {name: f"select {name} from {account}" for name in ENTRIES}
    if prepared.is_recoded:  # without classes of a method, and with an account only where needed
        formed = made.view.classes
        read, released = (engine.named(relation) for relation in (RECORDS, prepared.release))
        counted = (f"select count(*) from {read}", f"select count(*) from {released}")
        lost = f"select ({counted[0]}) - ({counted[1]})"
        entries = dict(zip(ENTRIES, (*counted, lost), strict=True))
    counts = {
        **entries,
        "classes_formed": f"select count(*) from {engine.named(formed)}",
        "classes_published": f"select count(*) from {engine.named(made.view.classes)}",
    }
    if (unit := prepared.grouped.unit).number is not None:
        counts[unit.several] = f"select count(*) from {engine.named(unit.numbered)}"
    found = engine.fetch_portable(
        f"select {', '.join(f'({sql}) as {name}' for name, sql in counts.items())}"
    )
    return found.dicts()[0]


def _as_written(value: Any, spec: Spec) -> Any:
    """Fields of a spec with environment variables by their names."""
    if isinstance(value, str):
        return spec.as_written(value)
    if isinstance(value, dict):
        return {name: _as_written(inner, spec) for name, inner in value.items()}
    return [_as_written(one, spec) for one in value] if isinstance(value, list) else value
