"""The measures of a release and its losses, as sections of a report.

The first section is three sentences, the figures in a table, and what each column cost. Others have
the values reached, the losses and the records left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from sqlanon.clauses import leaving_out, share_left_out
from sqlanon.common.visible import percent
from sqlanon.pages.figures import MARKETER_RISK, PROSECUTOR_RISK
from sqlanon.pages.page import Section, Share, Table, number, said_once
from sqlanon.privacy.k_anonymity import K_ANONYMITY
from sqlanon.record.left_out import (
    LEFT_OUT_FACT,
    GivenAway,
    given_away,
    least_shown,
    left_out_from_fact,
    with_shares,
)
from sqlanon.record.metrics import Metric
from sqlanon.record.recorded import MODEL_OF, Recorded, compared_with_source, sentence_of
from sqlanon.record.remarks import all_remarks
from sqlanon.record.summary import (
    BEFORE_FACT,
    DETAIL_FACT,
    Before,
    Summary,
    before_from_fact,
    from_fact,
    summary_of,
)
from sqlanon.session import Session
from sqlanon.spec.publication import RULES
from sqlanon.uses.reports.verdict import Verdict, most_is_lost
from sqlanon.uses.reports.why import left_out as reasons_of

NOT_SHOWN = "not shown here"
_ROWS = 6  # of models; where there are more, each has one row
_DIGITS = 3
_RISKS = {
    PROSECUTOR_RISK.name: "chance to pick out the person who is easiest to find",
    MARKETER_RISK.name: "chance to pick out a person on average",
}


def summary_section(
    recorded: Recorded, shown: Sequence[Metric], external: bool, verdict: Verdict
) -> Section:
    """The persons protected, the cost and the remaining risk, with the figures in a table.

    Args:
        recorded: the release.
        shown: its metrics; a value that others may not see is None.
        external: whether it is for others; their report does not say what remains risky.
        verdict: whether nearly all is lost.
    """
    summary = _summary(recorded, shown, external)
    risk = "" if external else summary.risk
    cost = verdict.lost[0] if verdict and most_is_lost(shown) else summary.cost
    first = (cost, summary.protected) if most_is_lost(shown) else (summary.protected, cost)
    words = tuple(filter(None, (*first, risk)))
    tables = [_at_a_glance(recorded, shown, external)]
    rows = tuple(
        (
            column_cost.column,
            "" if column_cost.lost is None else Share(column_cost.lost),
            "" if column_cost.lost is None else percent(column_cost.lost),
            column_cost.left,
        )
        for column_cost in summary.columns
    )
    if rows:
        head = ("column", "lost", "of all", "what is left")
        what = "What is left of the quasi-identifiers"
        tables.append(Table(what, head, rows, frozenset({2})))
    return Section("summary", "In short", words, tuple(tables))


def _summary(recorded: Recorded, shown: Sequence[Metric], external: bool) -> Summary:
    return summary_of(
        shown,
        from_fact(recorded.facts.get(DETAIL_FACT, "")),
        () if external else _given(recorded),
        recorded.counts,
        RULES[recorded.publication],
        json.loads(recorded.facts.get("suppressed_cells", "{}")),
    )


def _given(recorded: Recorded) -> tuple[GivenAway, ...]:
    """The values that are given away, where the classes are still there to tell."""
    classes = recorded.relation.sibling("classes")
    if recorded.engine.kind_of(classes) is None:
        return ()
    sensitive = with_shares(list(recorded.spec["sensitive"]), recorded.measures)
    return given_away(classes, sensitive, recorded.counts, Session(recorded.engine))


def _at_a_glance(recorded: Recorded, shown: Sequence[Metric], external: bool) -> Table:
    """k, l and t, the loss, and the risk before and after: a row each."""
    before = None if external else before_from_fact(recorded.facts.get(BEFORE_FACT, ""))
    if recorded.counts != "records":  # of which there are fewer in the source
        before = None
    hidden = {id(metric) for metric in shown} - {id(metric) for metric in recorded.measures}
    generalized = not RULES[recorded.publication].exact
    rows = [
        *_models(shown, hidden, before),
        *_costs(recorded, shown),
        *_risks(shown, before, generalized),
    ]
    head: tuple[str, ...] = ("figure", "source", "asked for", "release")
    cells: list[tuple[str, ...]] = list(rows)
    if before is None:
        head, cells = (head[0], *head[2:]), [(row[0], *row[2:]) for row in rows]
    numbers = frozenset(range(1, len(head)))
    return Table("At a glance", head, tuple(cells), numbers)


_Row = tuple[str, str, str, str]


def _models(shown: Sequence[Metric], hidden: set[int], before: Before | None) -> Iterator[_Row]:
    """The threshold and the value of each model; of many attributes the worst."""
    asked = [
        measure for measure in shown if measure.metric in MODEL_OF and measure.threshold is not None
    ]
    by_model: dict[str, list[Metric]] = {}
    for measure in asked:
        by_model.setdefault(measure.metric, []).append(measure)
    for metric, some in by_model.items():
        model = MODEL_OF[metric]
        each = [[measure] for measure in some] if len(asked) <= _ROWS else [some]
        for same in each:
            known = [measure for measure in same if measure.value is not None]
            order = min if model.worst == "least" else max
            worst = order(known, key=lambda one: one.value or 0) if known else same[0]
            of = f" of {worst.attribute}" if worst.attribute else ""
            others = f", the worst of {len(same)}" if len(same) > 1 and known else ""
            reached = NOT_SHOWN if id(worst) in hidden else _short(worst.value)
            of_source = ""
            if before is not None and model is K_ANONYMITY and worst.attribute is None:
                of_source = f"{before.least:,}"
            yield f"{model.title}{of}{others}", of_source, worst.threshold or "", reached


def _costs(recorded: Recorded, shown: Sequence[Metric]) -> Iterator[_Row]:
    value = {metric.metric: metric.value for metric in shown if metric.attribute is None}
    if value.get("gcp") is not None:
        yield "information lost", "", "", percent(value["gcp"] or 0)
    limit = share_left_out(recorded.spec)
    left_out = value.get("suppressed_share")
    if left_out is not None and (left_out or limit is not None):
        at_most = "" if limit is None else f"at most {percent(float(Fraction(limit)))}"
        yield "records left out", "", at_most, percent(left_out)


def _risks(shown: Sequence[Metric], before: Before | None, generalized: bool) -> Iterator[_Row]:
    """How well a person is picked out who is known to be in it, before and after."""
    value = {metric.metric: metric.value for metric in shown if metric.attribute is None}
    known: dict[str, float] = {}
    if before is not None:
        known[PROSECUTOR_RISK.name] = 1 / before.least
        known[MARKETER_RISK.name] = before.combinations / before.records
    for name, says in _RISKS.items():
        after = value.get(name)
        if after is not None:
            yield says, percent(known[name]) if name in known else "", "", percent(after)
    if before is not None and generalized and (value.get(K_ANONYMITY.name) or 0) > 1:
        alone = percent(before.unique_records / before.records)
        yield "records alone with their quasi-identifiers", alone, "", "0%"


def _short(value: float | None) -> str:
    if value is None:
        return "not known"
    return f"{int(value):,}" if float(value).is_integer() else f"{value:.{_DIGITS}g}"


# The measures that others may read: of the whole release, and of nothing that is sensitive. A
# measure that is not named here stays with the publisher.
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
_HALF = 0.5
_AGAINST_SOURCE = (
    "Records were left out. {}: each compares a class with the whole source, those records "
    "included. A reader who measures the file by itself finds other values."
)
_LEFT_OUT_RULE = (
    "These groups lost a greater share of their {counted} than the table, the greatest first. No "
    "group is named of which one to {most} {counted} were left out, or were kept, and none by "
    "which such a count of the others would follow."
)


def shown_measures(recorded: Recorded, external: bool) -> list[Metric]:
    """The measures that a report shows; to others without what models reached."""
    if not external:
        return recorded.measures
    known = {*_OF_RECORDS, *(_OF_HOLDERS if recorded.counts == "records" else ())}
    found = []
    for metric in recorded.measures:
        if metric.metric in known:
            found.append(metric)
        elif metric.passed is not None:
            found.append(replace(metric, value=None))
    return found


def conditions(shown: Sequence[Metric]) -> list[Metric]:
    """All that the gate held the release to: its models, and the limits of what columns say."""
    return [metric for metric in shown if metric.passed is not None]


def reached_section(recorded: Recorded, shown: Sequence[Metric]) -> Section:
    """Every condition, with its sentence, what was asked for and what was reached."""
    hidden = {id(metric) for metric in shown} - {id(metric) for metric in recorded.measures}
    asked = conditions(shown)
    measured = [
        metric for metric in shown if metric.metric in MODEL_OF and metric.threshold is None
    ]
    holding = sum(metric.passed is True for metric in asked)
    rows = tuple(
        (
            _title(metric),
            metric.attribute or "every class",
            _says(metric, recorded.counts),
            f"{'' if metric.metric in MODEL_OF else 'at most '}{metric.threshold or ''}",
            NOT_SHOWN if id(metric) in hidden else number(metric.value),
            "yes" if metric.passed else "no",
        )
        for metric in asked
    )
    head = ("condition", "of", "what it says", "asked for", "reached", "holds")
    caption = f"{holding} of {len(asked)} hold"
    tables = [Table(caption, head, said_once(rows, 2), frozenset({3, 4}))]
    if measured:
        others = (
            (MODEL_OF[metric.metric].title, metric.attribute or "every class", number(metric.value))
            for metric in measured
        )
        names = ("model", "of", "reached")
        tables.append(Table("What was not asked for", names, tuple(others), frozenset({2})))
    words = (
        "Reached is the value of the worst class, measured on what is published by a check of its "
        "own. A release is published only if every condition holds."
    )
    against = _against_source(recorded)
    said = () if hidden else tuple(f"{remark}." for remark in all_remarks(recorded))
    told = (words, *((against,) if against else ()), *said)
    return Section("reached", "What was asked for and reached", told, tuple(tables))


def _against_source(recorded: Recorded) -> str:
    """That models compare with the source, where the file is not all of it; else nothing."""
    found = compared_with_source(recorded.measures).items()
    models: dict[str, list[str]] = {}
    for name, titles in found:
        for title in titles:
            models.setdefault(title, []).append(name)
    names = [f"{title} ({', '.join(of)})" for title, of in models.items()]
    return _AGAINST_SOURCE.format(" and ".join(names)) if names else ""


def _title(metric: Metric) -> str:
    return (
        MODEL_OF[metric.metric].title
        if metric.metric in MODEL_OF
        else metric.metric.replace("_", " ")
    )


def _says(metric: Metric, counts: str) -> str:
    if metric.metric in MODEL_OF:
        return _sentence(sentence_of(metric, counts))
    return metric.sentence or ""


def measures_section(shown: Sequence[Metric]) -> Section:
    """All other measures, with what they mean."""
    rows = tuple(
        (
            metric.metric.replace("_", " "),
            metric.attribute or "the release",
            number(metric.value),
            metric.direction or "neither",
            metric.range or "",
            metric.sentence or "",
        )
        for metric in shown
        if metric.passed is None and metric.metric not in MODEL_OF
    )
    head = ("measure", "of", "value", "better", "lies in", "what it means")
    table = Table("Measures", head, rows, frozenset({2}), frozenset({3, 4}))
    return Section("measures", "Every other measure", (), (table,), closed=True)


def left_out_section(recorded: Recorded, external: bool) -> Section:
    """How many records were left out, and to their publisher why."""
    facts = recorded.facts
    read, left_out = facts.get("records_in"), int(facts.get("records_suppressed", 0))
    of = f" of {int(read):,}" if read is not None else ""
    words = f"{left_out:,}{of} records of the source were left out."
    if "suppressed_cells" in facts:
        found = json.loads(facts["suppressed_cells"]).items()
        cells = ", ".join(f"{name} in {count:,}" for name, count in found)
        words += f" Of others cells are suppressed: {cells}."
    if external:
        return Section(leaving_out().name, "Records left out", (words,))
    tables, said = list[Table](), [words]
    reasons = reasons_of(recorded)
    if reasons:
        rows = tuple(
            (
                reason.title,
                reason.attribute or "every class",
                reason.asked,
                f"{reason.classes:,}",
                f"{reason.records:,}",
            )
            for reason in reasons
        )
        said.append("A class counts for the first model that it does not meet.")
        head = ("model", "of", "asked for", "classes", "records")
        tables.append(Table("Why they were left out", head, rows, frozenset({2, 3, 4})))
    if left_out:
        said += _who(recorded, tables)
    return Section(leaving_out().name, "Records left out", tuple(said), tuple(tables))


def _who(recorded: Recorded, tables: list[Table]) -> list[str]:
    """Which groups lost most of their records: a table more, and what is to be known of it."""
    if LEFT_OUT_FACT not in recorded.facts and BEFORE_FACT not in recorded.facts:
        return ["A script made the release: it did not count which groups lost most records."]
    groups = left_out_from_fact(recorded.facts.get(LEFT_OUT_FACT, ""))
    least = least_shown(int(recorded.spec["privacy"].get("k") or 1))
    counted = recorded.counts
    if not groups:
        return [
            "No group of a column's values lost a greater share than the table, of those of which "
            f"at least {least} {counted} were left out."
        ]
    rows = tuple(
        (
            group.column,
            "no value" if group.group is None else group.group,
            f"{group.left_out:,} of {group.records:,}",
            percent(group.share),
            Share(group.share),
        )
        for group in groups
    )
    head = ("column", "group", "left out", "of the group", "share")
    tables.append(Table("Who was left out", head, rows, frozenset({2, 3})))
    most = [group for group in groups if group.share > _HALF]
    said = [_LEFT_OUT_RULE.format(most=least - 1, counted=counted)]
    if most:
        named = "; ".join(
            f"{group.column} {'without a value' if group.group is None else group.group} "
            f"({percent(group.share)})"
            for group in most
        )
        said.insert(0, f"More than half of their {counted} lost: {named}.")
    return said


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."
