"""A report of a release for people: one HTML file, for its publisher or for others."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sqlanon.certificates.certify import certify
from sqlanon.certificates.export import check_place
from sqlanon.files import write
from sqlanon.kept.recorded import Recorded
from sqlanon.pages import Page, Section, Table, number, render
from sqlanon.reports.attacks import attacks_section, sweep_section
from sqlanon.reports.charts import bounds_section, classes_section, values_section
from sqlanon.reports.declared import declared_section
from sqlanon.reports.measures import (
    counts_persons,
    loss_section,
    measures_section,
    reached_section,
    shown_measures,
    summary_section,
    suppression_section,
)
from sqlanon.reports.why import verdict_of
from sqlanon.spec.publication import RULES

REPORT_ENDINGS = (".html",)
_SQL_LIMIT = 500_000  # characters of a script that a page holds
_INTERNAL = (
    "It shows figures of single classes and values, the source, the seed and the SQL: keep it with "
    "the release's proof, and hand out the external version."
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
        beside: further sections, of the release beside its source.

    Returns:
        The file.

    Raises:
        SpecError: if the file cannot be written there, or the release is not whole any more.
        EngineError: if the database fails.
    """
    check_place(file, REPORT_ENDINGS, replace)
    text = render(page_of(recorded, external, beside))
    write({file: text}, replace, handed_out=external)
    return file


def page_of(recorded: Recorded, external: bool, beside: Sequence[Section] = ()) -> Page:
    """What a report shows.

    Raises:
        SpecError: if the release is not whole any more.
        EngineError: if the database fails.
    """
    shown = shown_measures(recorded, external)
    sections = [
        summary_section(recorded, shown, external),
        declared_section(recorded, external),
        reached_section(recorded, shown),
    ]
    verdict = verdict_of(recorded)
    if verdict:
        words = verdict.lost if external else (*verdict.lost, *verdict.relax)
        sections.insert(0, Section("verdict", "What is nearly all lost", words))
    if not external:
        sections += [classes_section(recorded), bounds_section(recorded)]
    sections.append(loss_section(shown))
    if not external:
        tried = sweep_section(recorded)
        sections += [values_section(recorded), attacks_section(recorded)]
        sections += [] if tried is None else [tried]
    sections += [
        *beside,
        measures_section(shown),
        suppression_section(recorded, external),
        _transforms(recorded, external),
        _certificate(recorded),
    ]
    if not external:
        sections.append(_sql(recorded))
    return Page(
        str(recorded.relation),
        _EXTERNAL if external else _INTERNAL,
        not external,
        _facts(recorded),
        tuple(sections),
    )


def _facts(recorded: Recorded) -> tuple[tuple[str, str], ...]:
    facts = recorded.facts
    value = {one.metric: one.value for one in recorded.measures if one.attribute is None}
    asked = [one for one in recorded.measures if one.passed is not None]
    holding = sum(one.passed is True for one in asked)
    return (
        ("Records", number(value.get("records"))),
        ("Classes", number(value.get("classes"))),
        ("Counted", "persons" if counts_persons(recorded) else "records"),
        ("Conditions", f"{holding} of {len(asked)} hold"),
        ("Method", facts["method"]),
        ("Made", facts.get("started", "by a script, which kept no time")),
        ("With", f"sqlanon {facts['sqlanon']} on {facts['engine']}"),
    )


def _transforms(recorded: Recorded, external: bool) -> Section:
    changed = recorded.transforms
    words = (
        "Values of these columns were changed before anything else was done. No guarantee rests on "
        "that: what was reached is of the values as published."
        if changed
        else "No column's values were changed."
    )
    head = ("column",) if external else ("column", "what was done")
    rows = tuple((name, says)[: len(head)] for name, says in changed.items())
    table = (Table("Transformed columns", head, rows),) if changed else ()
    return Section("transforms", "Transforms", (words,), table)


def _certificate(recorded: Recorded) -> Section:
    if RULES[recorded.publication].sliced:
        words = "No certificate is made of slices: sqlanon check holds them against the source."
        return Section("certificate", "Certificate", (words,))
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
        return Section("sql", "SQL", ("The run as one SQL script.",), folded=("Show the SQL", text))
    return Section("sql", "SQL", (words,))
