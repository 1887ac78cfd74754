"""The first section of a report: three sentences, the figures in a table, what each column cost."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction

from sqlanon.clauses import share_left_out
from sqlanon.figures.figure import MARKETER_RISK, PROSECUTOR_RISK
from sqlanon.kept.given_away import GivenAway, given_away, with_shares
from sqlanon.kept.metrics import Metric
from sqlanon.kept.recorded import MODEL_OF, Recorded
from sqlanon.kept.summary import (
    BEFORE_FACT,
    DETAIL_FACT,
    Before,
    Summary,
    before_from_fact,
    from_fact,
    summary_of,
)
from sqlanon.pages.page import Section, Share, Table
from sqlanon.privacy.k_anonymity import K_ANONYMITY
from sqlanon.reports.verdict import Verdict, most_is_lost
from sqlanon.session import Session
from sqlanon.spec.publication import RULES
from sqlanon.visible import percent

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
    words = tuple(filter(None, (summary.protected, cost, risk)))
    tables = [_at_a_glance(recorded, shown, external)]
    rows = tuple(
        (
            one.column,
            "" if one.lost is None else Share(one.lost),
            "" if one.lost is None else percent(one.lost),
            one.left,
        )
        for one in summary.columns
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
    classes = recorded.relation.beside("classes")
    if recorded.engine.kind_of(classes) is None:
        return ()
    sensitive = with_shares(list(recorded.spec["sensitive"]), recorded.measures)
    return given_away(classes, sensitive, recorded.counts, Session(recorded.engine))


def _at_a_glance(recorded: Recorded, shown: Sequence[Metric], external: bool) -> Table:
    """k, l and t, the loss, and the risk before and after: a row each."""
    before = None if external else before_from_fact(recorded.facts.get(BEFORE_FACT, ""))
    if recorded.counts != "records":  # of which there are fewer in the source
        before = None
    hidden = {id(one) for one in shown} - {id(one) for one in recorded.measures}
    generalized = not RULES[recorded.publication].exact
    rows = [
        *_models(shown, hidden, before),
        *_costs(recorded, shown),
        *_risks(shown, before, generalized),
    ]
    head: tuple[str, ...] = ("figure", "source", "asked for", "release")
    cells: list[tuple[str, ...]] = list(rows)
    if before is None:
        head, cells = (head[0], *head[2:]), [(one[0], *one[2:]) for one in rows]
    numbers = frozenset(range(1, len(head)))
    return Table("At a glance", head, tuple(cells), numbers)


_Row = tuple[str, str, str, str]


def _models(shown: Sequence[Metric], hidden: set[int], before: Before | None) -> Iterator[_Row]:
    """The threshold and the value of each model; of many attributes the worst."""
    asked = [one for one in shown if one.metric in MODEL_OF and one.threshold is not None]
    by_model: dict[str, list[Metric]] = {}
    for one in asked:
        by_model.setdefault(one.metric, []).append(one)
    for metric, some in by_model.items():
        model = MODEL_OF[metric]
        each = [[one] for one in some] if len(asked) <= _ROWS else [some]
        for same in each:
            known = [one for one in same if one.value is not None]
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
    value = {one.metric: one.value for one in shown if one.attribute is None}
    if value.get("gcp") is not None:
        yield "information lost", "", "", percent(value["gcp"] or 0)
    limit = share_left_out(recorded.spec)
    left_out = value.get("suppressed_share")
    if left_out is not None and (left_out or limit is not None):
        at_most = "" if limit is None else f"at most {percent(float(Fraction(limit)))}"
        yield "records left out", "", at_most, percent(left_out)


def _risks(shown: Sequence[Metric], before: Before | None, generalized: bool) -> Iterator[_Row]:
    """How well a person is picked out who is known to be in it, before and after."""
    value = {one.metric: one.value for one in shown if one.attribute is None}
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
