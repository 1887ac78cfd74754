"""A report of a release for people: one HTML file, for its publisher or for others."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlanon.clauses import share_left_out
from sqlanon.common.files import write
from sqlanon.errors import Problem, SpecError
from sqlanon.pages.figures import MARKETER_RISK
from sqlanon.pages.page import Page, Section, Table, number, render, said_once
from sqlanon.privacy.thresholds import fields_of
from sqlanon.record.recorded import Recorded, needs_records
from sqlanon.record.spent import epsilons_said
from sqlanon.spec.privacy import without_tables
from sqlanon.uses.attacks.as_published import of_release
from sqlanon.uses.attacks.attack import attack
from sqlanon.uses.certificates.certify import certify, uncertified
from sqlanon.uses.certificates.export import check_target
from sqlanon.uses.reports import charts, measures
from sqlanon.uses.reports.why import verdict_of
from sqlanon.uses.sweeps.sweep import kept_map

_ATTACKED = (
    "The findings of a reader who has the release alone and knows the quasi-identifiers of "
    "everybody in it. Persons of a table of your own are linked by sqlanon attack with --external."
)
_SWEPT = (
    "The combinations that sqlanon sweep tried last for this release, of the source and the spec "
    "as they were then: less risk and less loss lie below and to the left. k stands next to the "
    "points; a hollow "
    "one failed a model."
)


def attacks_section(recorded: Recorded) -> Section:
    """The findings without any other table.

    Raises:
        SpecError: if a column of the release is gone.
    """
    if recorded.rule.mixes:
        left_out = f"{recorded.rule.parts.capitalize()} are not attacked."
        return Section("attacks", "Attacks", (left_out,))
    found = attack(of_release(recorded), recorded.engine)
    rows = tuple(
        (
            finding.figure.replace("_", " "),
            finding.attribute or "the release",
            number(finding.value),
            finding.direction or "neither",
            finding.range,
            finding.sentence,
        )
        for finding in found.findings
    )
    head = ("figure", "of", "value", "better", "lies in", "what it means")
    table = Table("What attacks found", head, said_once(rows, 5), frozenset({2}), frozenset({3, 4}))
    words = (_ATTACKED, *(f"{name}: {note}." for name, note in found.notes.items()))
    return Section("attacks", "Attacks", words, (table,) if rows else ())


def sweep_section(recorded: Recorded) -> Section | None:
    """The risk-utility map, where a sweep left one."""
    shown = kept_map(recorded)
    if shown is None:
        return None
    chart = replace(shown, here=_here(recorded, shown.x))
    return Section("sweep", "Risk-utility map", (_SWEPT,), charts=(chart,))


def _here(recorded: Recorded, x: str) -> tuple[float, float] | None:
    """Where the release lies itself, by what the axes show."""
    value = {(metric.metric, metric.attribute): metric.value for metric in recorded.measures}
    closeness = [metric.value for metric in recorded.measures if metric.metric == "t_closeness"]
    known = [number for number in closeness if number is not None]
    y = max(known) if known and len(known) == len(closeness) else None
    y = y if closeness else value.get((MARKETER_RISK.name, None))
    loss = value.get(("gcp", None))
    return None if x == "k" or y is None or loss is None else (loss, y)


_ROLES = {"quasi_identifier": "quasi-identifier", "group": "number of the group"}


def declared_section(recorded: Recorded, external: bool) -> Section:
    """The published columns, by roles, and the demands; to the publisher the whole spec."""
    columns = [
        (
            f"{f'{column.beside}: ' if column.beside else ''}{column.name}",
            _ROLES.get(column.role, column.role),
            column.means,
            _asked(recorded, column.name, column.role, external),
        )
        for column in recorded.columns
    ]
    head = ("column", "role", "its cells", "declared")
    tables = (
        Table("Columns", head, tuple(columns)),
        Table("Settings", ("setting", "declared"), tuple(_settings(recorded, external))),
    )
    text = json.dumps(recorded.spec, ensure_ascii=False, indent=2)
    folded = None if external else ("Show the whole spec", text)
    return Section("declared", "What was declared", (), tables, folded=folded)


def unpublished_section(recorded: Recorded) -> Section | None:
    """The columns that nobody is given; None where all are published."""
    rows = tuple(_unpublished(recorded).items())
    if not rows:
        return None
    words = "Identifiers are dropped; a column without a role is not published."
    table = Table("Columns of the source", ("column", "role"), rows)
    return Section("unpublished", "What was not published", (words,), (table,), closed=True)


def _asked(recorded: Recorded, name: str, role: str, external: bool) -> str:
    """The declaration of a column, in short."""
    spec = recorded.spec
    if role == "sensitive":
        declared = spec["sensitive"].get(name, {})
        asked = {field: declared[field] for field in fields_of("sensitive") if field in declared}
        distance = f"distance {declared['distance']}" if "distance" in declared else ""
        told = (distance, _words(asked), _reason(declared, external))
        return "; ".join(filter(None, told))
    if role == "quasi_identifier":
        weight = spec["quasi_identifiers"].get(name, {}).get("weight", "1")
        return "" if weight == "1" else f"weight {weight}"
    return _reason(spec["insensitive"].get(name, {}), external)


def _reason(declared: dict[str, Any], external: bool) -> str:
    """Why a column may be released all the same; that is for the publisher alone."""
    accepted = declared.get("accept")
    return f"accepted: {accepted}" if accepted and not external else ""


def _unpublished(recorded: Recorded) -> dict[str, str]:
    """The columns that nobody is given, and why."""
    spec, published = recorded.spec, {column.name for column in recorded.columns}
    found = dict.fromkeys(json.loads(recorded.facts.get("columns_not_released", "[]")), "none")
    found |= {name: "identifier" for name in spec["identifiers"] if name not in published}
    return found


def _settings(recorded: Recorded, external: bool) -> list[tuple[str, str]]:
    spec, facts = recorded.spec, recorded.facts
    privacy = spec["privacy"]
    rows = [
        ("asked of every class", _words(without_tables(privacy) if external else privacy)),
        ("method", facts["method"]),
        ("publication", recorded.publication),
    ]
    share = share_left_out(spec)
    if share is not None:
        rows.append(("share of the records that may be left out", _words(share)))
    if external:
        return rows
    internal = {
        "source": spec.get("source"),
        "person": spec.get("person"),
        "chosen": facts.get("choose_chosen"),
        "seed": facts.get("seed"),
    }
    return rows + [(name, _words(value)) for name, value in internal.items() if value]


def _words(value: Any) -> str:
    """A setting in words."""
    if isinstance(value, dict):
        words = {name: _words(one) for name, one in value.items() if one not in ({}, [])}
        return ", ".join(f"{name} {text}" for name, text in words.items())
    if isinstance(value, list):
        return ", ".join(map(_words, value))
    return str(value)


REPORT_ENDINGS = (".html",)
_SQL_LIMIT = 500_000  # characters of a script that a page holds
_INTERNAL = (
    "Figures of single classes and values, the source, the seed and the SQL: for you alone. Hand "
    "out the external version."
)
_EXTERNAL = (
    "It leaves out what is its publisher's alone: figures of classes and of sensitive values, the "
    "source, the seed and the SQL."
)


def report(
    recorded: Recorded,
    file: Path,
    external: bool = False,
    replace: bool = False,
    beside: Sequence[Section] = (),
) -> Path:
    """Write the report of a release; the file appears whole, or not at all.

    It is the same text for the same run, whenever it is made; the internal one until another sweep.

    Args:
        recorded: the release.
        file: what to write, .html.
        external: leave out what is the publisher's alone.
        replace: whether a file that is there may be replaced.
        beside: further sections, of the release compared with its source.

    Returns:
        The file.

    Raises:
        SpecError: if the file cannot be written there, or the release is not whole any more.
    """
    needs_records(recorded)
    if external and recorded.spec["privacy"].get("differential"):
        what = "its figures are of more than the release shows, which ε and δ do not cover"
        raise SpecError(Problem("release", f"{what}: hand out the release alone"))
    check_target(file, REPORT_ENDINGS, replace)
    text = render(page_of(recorded, external, beside))
    write({file: text}, replace, handed_out=external)
    return file


def page_of(recorded: Recorded, external: bool, beside: Sequence[Section] = ()) -> Page:
    """The page of a report.

    Raises:
        SpecError: if the release is not whole any more.
    """
    shown, verdict = measures.shown_measures(recorded, external), verdict_of(recorded)
    sections = [measures.reached_section(recorded, shown), declared_section(recorded, external)]
    if verdict and not external:
        sections.insert(0, Section("verdict", "What to relax", (*verdict.lost, *verdict.relax)))
    sections.append(measures.left_out_section(recorded, external))
    if not external:
        tried = sweep_section(recorded)
        sections += [charts.classes_section(recorded), charts.bounds_section(recorded)]
        further = (charts.fragments_section(recorded), attacks_section(recorded), tried)
        sections += [section for section in further if section is not None]
    sections += [*beside, _certificate(recorded), _transforms(recorded, external)]
    if not external:
        sections.append(charts.values_section(recorded))
    sections.append(measures.measures_section(shown))
    if not external:
        unpublished = unpublished_section(recorded)
        sections.append(_sql(recorded))
        sections += [] if unpublished is None else [unpublished]
    return Page(
        title=str(recorded.relation),
        notice=_EXTERNAL if external else _INTERNAL,
        internal=not external,
        facts=_facts(recorded),
        sections=tuple(sections),
        first=measures.summary_section(recorded, shown, external, verdict),
    )


def _facts(recorded: Recorded) -> tuple[tuple[str, str], ...]:
    facts = recorded.facts
    value = {
        metric.metric: metric.value for metric in recorded.measures if metric.attribute is None
    }
    asked = measures.conditions(recorded.measures)
    holding = sum(metric.passed is True for metric in asked)
    return (
        ("Records", number(value.get("records"))),
        ("Classes", number(value.get("classes"))),
        ("Counted", recorded.counts),
        ("Conditions", f"{holding} of {len(asked)} hold: they are listed below"),
        ("Method", facts["method"]),
        ("Made", facts.get("started", "by a script, which kept no time")),
        ("With", f"sqlanon {facts['sqlanon']} on {facts['engine']}"),
    )


def _transforms(recorded: Recorded, external: bool) -> Section:
    changed = recorded.transforms
    bounded = epsilons_said(recorded.measures, recorded.counts, with_total=not external)
    words = (
        "Values of these columns were changed before anything else was done. No "
        f"{'model' if bounded else 'guarantee'} rests on that: what was reached is of the values "
        "as published."
        if changed
        else "No column's values were changed."
    )
    head = ("column",) if external else ("column", "what was done")
    rows = tuple((name, says)[: len(head)] for name, says in changed.items())
    table = (Table("Transformed columns", head, rows),) if changed else ()
    said = (words, bounded) if bounded else (words,)
    return Section("transforms", "Transforms", said, table, closed=not changed)


def _certificate(recorded: Recorded) -> Section:
    refused = uncertified(recorded)
    if refused is not None:
        return Section("certificate", "Certificate", (refused[1].says,))
    known = certify(recorded)
    rows = [
        ("release", known.release),
        ("run", known.run.release_id),
        ("source's columns, salted", known.source_schema or "left out"),
        ("spec without its seed, salted", known.spec or "left out"),
        *(
            (
                f"records of {relation.beside or known.release}",
                f"{relation.records:,}, {relation.content}",
            )
            for relation in known.relations
        ),
        ("digest of the certificate", known.digest),
    ]
    words = (
        "The facts of the certificate that sqlanon certificate writes; hashes are SHA-256. With "
        "the certificate, sqlanon verify tells whether a table is this release."
    )
    table = Table("What is certified", ("what", "value"), tuple(rows))
    return Section("certificate", "Certificate", (words,), (table,))


def _sql(recorded: Recorded) -> Section:
    text = recorded.sql
    if not text:
        words = "The run kept no script of itself."
    elif len(text) > _SQL_LIMIT:
        run = recorded.relation.sibling("run")
        words = (
            f"The run as one SQL script has {len(text.splitlines()):,} lines, too many for a page: "
            f"it is the value of the item sql of {run}."
        )
    else:
        words = "The run as one SQL script."
        return Section("sql", "SQL", (words,), folded=("Show the SQL", text), closed=True)
    return Section("sql", "SQL", (words,), closed=True)
