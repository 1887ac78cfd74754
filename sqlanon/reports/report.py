"""A report of a release for people: one HTML file, for its publisher or for others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sqlanon.certificates.certify import certify, uncertified
from sqlanon.certificates.export import check_place
from sqlanon.errors import Problem, SpecError
from sqlanon.files import write
from sqlanon.kept.recorded import Recorded, needs_records
from sqlanon.kept.spent import epsilons_said
from sqlanon.pages.page import Page, Section, Table, number, render
from sqlanon.reports import charts, measures
from sqlanon.reports.sections import (
    attacks_section,
    declared_section,
    sweep_section,
    unpublished_section,
)
from sqlanon.reports.why import verdict_of
from sqlanon.spec.clauses import DIFFERENTIAL

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
        EngineError: if the database fails.
    """
    needs_records(recorded)
    if external and recorded.spec["privacy"].get("differential"):
        what = "its figures are of more than the release shows, which ε and δ do not cover"
        raise SpecError(Problem("release", f"{what}: hand out the release alone"))
    check_place(file, REPORT_ENDINGS, replace)
    text = render(page_of(recorded, external, beside))
    write({file: text}, replace, handed_out=external)
    return file


def page_of(recorded: Recorded, external: bool, beside: Sequence[Section] = ()) -> Page:
    """The page of a report.

    Raises:
        SpecError: if the release is not whole any more.
        EngineError: if the database fails.
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
        sections += [one for one in further if one is not None]
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
    value = {one.metric: one.value for one in recorded.measures if one.attribute is None}
    asked = measures.conditions(recorded.measures)
    holding = sum(one.passed is True for one in asked)
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


# Of each clause whose releases have no certificate: why, and what stands for it.
_UNCERTIFIED = {
    "slices": "No certificate is made of slices: sqlanon check holds them against the source.",
    DIFFERENTIAL.name: "No certificate is made: it counts records, which ε and δ do not cover.",
    "live view": "No certificate is made of a view that changes with its source: the figures here "
    "are of the run, and sqlanon check measures it again.",
    "sensitive cells": "No certificate is made of cells whose values are held: nobody can measure "
    "these again.",
}


def _certificate(recorded: Recorded) -> Section:
    refused = uncertified(recorded)
    if refused is not None:
        return Section("certificate", "Certificate", (_UNCERTIFIED[refused[1].name],))
    known = certify(recorded)
    rows = [
        ("release", known.release),
        ("run", known.run.release_id),
        ("source's columns, salted", known.source_schema or "left out"),
        ("spec without its seed, salted", known.spec or "left out"),
        *(
            (f"records of {one.beside or known.release}", f"{one.records:,}, {one.content}")
            for one in known.relations
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
        run = recorded.relation.beside("run")
        words = (
            f"The run as one SQL script has {len(text.splitlines()):,} lines, too many for a page: "
            f"it is the value of the item sql of {run}."
        )
    else:
        words = "The run as one SQL script."
        return Section("sql", "SQL", (words,), folded=("Show the SQL", text), closed=True)
    return Section("sql", "SQL", (words,), closed=True)
