"""What was reached, lost and left out, as sections of a report."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from sqlanon.kept.given_away import GivenAway, given_away
from sqlanon.kept.metrics import Metric
from sqlanon.kept.recorded import Recorded
from sqlanon.kept.remarks import all_remarks
from sqlanon.kept.summary import DETAIL_FACT, from_fact, summary_of
from sqlanon.kept.words import MODEL_OF, sentence_of
from sqlanon.pages import Section, Share, Table, number
from sqlanon.reports.why import left_out as reasons_of
from sqlanon.session import Session
from sqlanon.spec.publication import RULES

# What others may read: of the whole release, and of nothing that is sensitive. What is not named
# here stays with the publisher.
_OF_RECORDS = (
    "records",
    "classes",
    "average_class_size",
    "c_avg",
    "discernibility",
    "gcp",
    "ncp",
    "suppressed_records",
    "suppressed_share",
    "unique_records",
    "unique_share",
)
# Readers can count records for themselves, but not persons.
_OF_HOLDERS = ("k_anonymity", "prosecutor_risk", "marketer_risk")
_LOSSES = ("gcp", "ncp")
_NOT_SHOWN = "not shown here"


def counts_persons(recorded: Recorded) -> bool:
    """Whether k, l, α and t are of persons."""
    return bool(recorded.spec.get("person"))


def shown_measures(recorded: Recorded, external: bool) -> list[Metric]:
    """The measures that a report shows; to others without what models reached."""
    if not external:
        return recorded.measures
    known = {*_OF_RECORDS, *(() if counts_persons(recorded) else _OF_HOLDERS)}
    found = []
    for one in recorded.measures:
        if one.metric in known:
            found.append(one)
        elif one.metric in MODEL_OF and one.threshold is not None:
            found.append(replace(one, value=None))
    return found


def reached_section(recorded: Recorded, shown: Sequence[Metric]) -> Section:
    """Every model, with its sentence, what was asked for and what was reached."""
    hidden = {id(one) for one in shown} - {id(one) for one in recorded.measures}
    asked = [one for one in shown if one.metric in MODEL_OF and one.threshold is not None]
    measured = [one for one in shown if one.metric in MODEL_OF and one.threshold is None]
    tables = [
        Table(
            "What was asked for",
            ("model", "of", "what it says", "asked for", "reached", "holds"),
            tuple(
                (
                    MODEL_OF[one.metric].title,
                    one.attribute or "every class",
                    _sentence(sentence_of(one, counts_persons(recorded))),
                    one.threshold or "",
                    _NOT_SHOWN if id(one) in hidden else number(one.value),
                    "yes" if one.passed else "no",
                )
                for one in asked
            ),
            frozenset({3, 4}),
        )
    ]
    if measured:
        rows = (
            (MODEL_OF[one.metric].title, one.attribute or "every class", number(one.value))
            for one in measured
        )
        head = ("model", "of", "reached")
        tables.append(Table("What was not asked for", head, tuple(rows), frozenset({2})))
    words = (
        "Reached is the value of the worst class, measured on what is published by a check of its "
        "own. A release is published only if every model holds."
    )
    said = () if hidden else tuple(f"{one}." for one in all_remarks(recorded))
    return Section("reached", "What was reached", (words, *said), tuple(tables))


def summary_section(recorded: Recorded, shown: Sequence[Metric], external: bool) -> Section:
    """Who is protected, what it cost by column, and to the publisher what remains risky."""
    of_persons = counts_persons(recorded)
    summary = summary_of(
        shown,
        from_fact(recorded.facts.get(DETAIL_FACT, "")),
        () if external else _given(recorded),
        of_persons,
        RULES[recorded.publication],
        json.loads(recorded.facts.get("suppressed_cells", "{}")),
    )
    risks = () if external else summary.risks
    words = tuple(filter(None, (summary.protected, summary.cost, *risks)))
    rows = tuple(
        (one.column, "" if one.lost is None else Share(one.lost), one.left)
        for one in summary.columns
    )
    head = ("column", "lost", "what is left")
    tables = (Table("What is left of the quasi-identifiers", head, rows),) if rows else ()
    return Section("summary", "In short", words, tables)


def _given(recorded: Recorded) -> tuple[GivenAway, ...]:
    """What is given away, where the classes are still there to tell."""
    classes = recorded.relation.beside("classes")
    if recorded.engine.kind_of(classes) is None:
        return ()
    sensitive = list(recorded.spec["sensitive"])
    return given_away(classes, sensitive, counts_persons(recorded), Session(recorded.engine))


def loss_section(shown: Sequence[Metric]) -> Section:
    """How much information every quasi-identifier lacks."""
    losses = [one for one in shown if one.metric in _LOSSES]
    if not losses:
        what = "Nothing was generalized whose loss could be measured."
        return Section("loss", "Information loss", (what,))
    rows = tuple(
        (one.attribute or "all quasi-identifiers", number(one.value), Share(one.value or 0))
        for one in losses
    )
    words = "0 is nothing lost, 1 is everything. All quasi-identifiers: the weighted mean."
    table = Table("Loss of each column", ("column", "loss", "of everything"), rows, frozenset({1}))
    return Section("loss", "Information loss", (words,), (table,))


def measures_section(shown: Sequence[Metric]) -> Section:
    """Whatever else was measured, with what it means."""
    rows = tuple(
        (
            one.metric.replace("_", " "),
            one.attribute or "the release",
            number(one.value),
            one.threshold or "",
            one.direction or "neither",
            one.range or "",
            one.sentence or "",
        )
        for one in shown
        if one.metric not in MODEL_OF and one.metric not in _LOSSES
    )
    head = ("measure", "of", "value", "at most", "better", "lies in", "what it means")
    table = Table("Measures", head, rows, frozenset({2, 3}))
    return Section("measures", "Other measures", (), (table,))


def suppression_section(recorded: Recorded, external: bool) -> Section:
    """How many records were left out, and to their publisher why."""
    facts = recorded.facts
    read, left_out = facts.get("records_in"), int(facts.get("records_suppressed", 0))
    of = f" of {int(read):,}" if read is not None else ""
    words = f"{left_out:,}{of} records of the source were left out."
    if "suppressed_cells" in facts:
        found = json.loads(facts["suppressed_cells"]).items()
        cells = ", ".join(f"{name} in {count:,}" for name, count in found)
        words += f" Of others cells are suppressed, and published as *: {cells}."
    reasons = () if external else reasons_of(recorded)
    if not reasons:
        return Section("suppression", "Records left out", (words,))
    rows = tuple(
        (
            one.title,
            one.attribute or "every class",
            one.asked,
            f"{one.classes:,}",
            f"{one.records:,}",
        )
        for one in reasons
    )
    words += " A class counts for the first model that it does not meet."
    head = ("model", "of", "asked for", "classes", "records")
    table = Table("Why they were left out", head, rows, frozenset({2, 3, 4}))
    return Section("suppression", "Records left out", (words,), (table,))


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
