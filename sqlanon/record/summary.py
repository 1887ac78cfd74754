"""The summary of a release: its protection and its cost, in three sentences, and its risks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

from sqlanon.common.visible import percent
from sqlanon.domains.attribute import one_of
from sqlanon.measure.detail import Detail, by_column
from sqlanon.privacy.alpha import ALPHA
from sqlanon.privacy.k_anonymity import K_ANONYMITY
from sqlanon.privacy.l_diversity import DISTINCT_L
from sqlanon.privacy.t_closeness import T_CLOSENESS
from sqlanon.record.left_out import GivenAway, sentence_of_given
from sqlanon.record.metrics import Metric
from sqlanon.record.recorded import MODEL_OF, sentence_of
from sqlanon.session import Session
from sqlanon.spec.publication import PublicationRule
from sqlanon.sql.names import Relation, Sql

DETAIL_FACT = "detail"  # the item of the run relation
_MOST = 4  # columns that a sentence names; a table has all
# Of a class: so large a share of one value nearly tells it, and so far from the whole table it is
# not what everybody knows.
_SKEWED, _FAR = 0.8, 0.2
# The models that bound no value's share in a class, however they are declared.
_BOUND_NOTHING = (K_ANONYMITY.name, DISTINCT_L.name)
_MINUTE, _HOUR, _DAY, _YEAR = 60.0, 3_600.0, 86_400.0, 31_557_600.0


@dataclass(frozen=True)
class ColumnCost:
    """The loss of one quasi-identifier, and what is left of it.

    Attributes:
        column: its name.
        lost: its share of information that is lost (NCP); None where it is not known.
        left: what its cells say, by shares of the records; empty where it is not known.
    """

    column: str
    lost: float | None
    left: str


@dataclass(frozen=True)
class Summary:
    """The summary of a release, for people.

    Attributes:
        protected: the protection, in two sentences; empty where nothing was asked.
        lost: what it cost altogether, without an end; empty where that is not known.
        left_out: how many records were left out, without an end; empty where none were.
        columns: what is left of each quasi-identifier, in the spec's order.
        risks: what remains risky, a sentence each.
    """

    protected: str = ""
    lost: str = ""
    left_out: str = ""
    columns: tuple[ColumnCost, ...] = ()
    risks: tuple[str, ...] = ()

    @property
    def cost(self) -> str:
        """The cost altogether, for a page with a table of the columns."""
        return _sentence(self.lost, self.left_out)

    @property
    def sentences(self) -> tuple[str, ...]:
        """All of it without a table: of the columns those that lost most."""
        return tuple(filter(None, (self.protected, self._cost_by_column, self.risk)))

    @property
    def risk(self) -> str:
        """The remaining risks, on one line; empty where none is known."""
        return " ".join(self.risks)

    @property
    def _cost_by_column(self) -> str:
        told = [cost for cost in self.columns if cost.left]
        if not told:
            return self.cost
        named = sorted(told, key=lambda one: -(one.lost or 0))[:_MOST]
        of_each = "; ".join(f"{cost.column}: {cost.left}" for cost in named)
        others = len(told) - len(named)
        more = f"; and {others} more {'column' if others == 1 else 'columns'}" if others else ""
        return _sentence(f"{self.lost or 'What is left'} ({of_each}{more})", self.left_out)


def summary_of(
    measures: Sequence[Metric],
    detail: Iterable[Detail],
    given: Sequence[GivenAway],
    counts: str = "records",
    publication: PublicationRule | None = None,
    suppressed_cells: Mapping[str, int] | None = None,
) -> Summary:
    """Summarize a release.

    Args:
        measures: its metrics; a value that others may not see is None.
        detail: how much of every quasi-identifier is published, where that is known.
        given: the sensitive attributes of which values are certain.
        counts: what a class counts: records, or another word.
        publication: what is shown of a class, where that is exact rows in groups.
        suppressed_cells: where cells of exact rows are suppressed, of how many records each
            quasi-identifier is.
    """
    if publication is not None and publication.counts:
        return Summary()  # its classes are nobody's: it shows none
    exact = publication if publication is not None and publication.exact else None
    return Summary(
        _protected(measures, counts, exact),
        _lost(measures) if exact is None else _untied(exact, suppressed_cells or {}),
        _left_out(measures),
        tuple(_columns(measures, detail)),
        tuple(_risks(measures, given, counts)),
    )


def _protected(measures: Sequence[Metric], counts: str, exact: PublicationRule | None) -> str:
    asked = [
        metric for metric in measures if metric.metric in MODEL_OF and metric.threshold is not None
    ]
    holding = [metric for metric in asked if metric.passed]
    if asked and not holding:
        return "Nothing that was asked for holds."
    alike, said, models = "", list[str](), dict[str, list[Metric]]()
    for metric in holding:
        if metric.metric == K_ANONYMITY.name and metric.attribute is None:
            alike = _alike(metric, counts)
        elif not _vacuous(metric):
            models.setdefault(f"{metric.metric} {metric.attribute is None}", []).append(metric)
    if exact and models:
        said.append(f"the values are published as they are, and only groups tie {exact.tied}")
    said += [_held(some, counts) for some in models.values()]
    return " ".join(filter(None, (_sentence(alike), _sentence(*said))))


def _vacuous(asked: Metric) -> bool:
    """Whether a model asks for what every class has, such as one value."""
    model = MODEL_OF[asked.metric]
    return model.vacuous is not None and asked.threshold == str(model.vacuous)


def _held(asked: Sequence[Metric], counts: str) -> str:
    """The sentence of one model, for all attributes that it was asked of."""
    sentences = {sentence_of(metric, counts): metric.threshold or "" for metric in asked}
    says, threshold = next(iter(sentences.items()))
    if len(sentences) == 1 and (threshold in says or " = " in threshold):
        names = [metric.attribute for metric in asked if metric.attribute]
        return f"{says} ({', '.join(names)})" if names else says
    # Thresholds that differ stand next to the attributes, in the sentence their letter does.
    model = MODEL_OF[asked[0].metric]
    lettered = sentence_of(replace(asked[0], threshold=model.field.name), counts)
    names = [f"{metric.attribute or model.title}: {metric.threshold}" for metric in asked]
    return f"{lettered if len(sentences) > 1 else says} ({', '.join(names)})"


def _alike(k: Metric, counts: str) -> str:
    """That nobody is alone; nothing where k is 1."""
    others = int(float(k.value if k.value is not None else k.threshold or 1)) - 1
    if others < 1:
        return ""
    return (
        f"every {one_of(counts)} shares what is published of the quasi-identifiers with at least "
        f"{others:,} {'other' if others == 1 else 'others'}, its class"
    )


def _lost(measures: Sequence[Metric]) -> str:
    """The sentence on the whole loss of generalized cells; empty where it is not known."""
    gcp = next((metric.value for metric in measures if metric.metric == "gcp"), None)
    if gcp is None:
        return ""
    if gcp == 1:
        return "It cost all of the quasi-identifiers: every record shows the same"
    share = f"{percent(gcp)} of the information in" if gcp else "nothing of"
    return f"It cost {share} the quasi-identifiers"


def _untied(exact: PublicationRule, suppressed_cells: Mapping[str, int]) -> str:
    """The sentence on the loss of exact rows in groups."""
    cells = ", ".join(f"{name} in {count:,}" for name, count in suppressed_cells.items() if count)
    stars = f"; cells are suppressed, by records: {cells}" if cells else ""
    return f"Within a group it is lost which {exact.parts} belong together{stars}"


def _left_out(measures: Sequence[Metric]) -> str:
    value = {metric.metric: metric.value for metric in measures if metric.attribute is None}
    records = value.get("suppressed_records")
    if not records:
        return ""
    were = "record was" if records == 1 else "records were"
    share = value.get("suppressed_share") or 0
    return f"{records:,.0f} {were} left out ({share:.2%}), of which all counts as lost"


def _sentence(*parts: str) -> str:
    """Parts that there are as one sentence."""
    text = "; ".join(filter(None, parts))
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _columns(measures: Sequence[Metric], detail: Iterable[Detail]) -> Iterable[ColumnCost]:
    left = {name: _left(found) for name, found in by_column(detail).items()}
    lost = {
        metric.attribute: metric.value
        for metric in measures
        if metric.metric == "ncp" and metric.attribute
    }
    for name in dict.fromkeys((*left, *lost)):
        yield ColumnCost(name, lost.get(name), left.get(name, ""))


def _left(found: Sequence[Detail]) -> str:
    """The words for the cells of a column, by shares of the records."""
    total = sum(detail.records for detail in found)
    if len(found) == 1:
        return f"{_cells(found[0])} in all records"
    return ", ".join(f"{_cells(detail)} in {percent(detail.records / total)}" for detail in found)


def _cells(detail: Detail) -> str:
    """The words for cells that show equally much."""
    if detail.state == "range":
        return f"a range of {_width(detail.amount or 0, detail.unit)} on average"
    if detail.state == "values":
        return f"one of {_few(detail.amount or 0)} values on average"
    if detail.level:
        return detail.level
    return {
        "exact": "exact",
        "centroid": "one value for its class",
        "none": "nothing",
        "other": "cells that cannot be read",
    }[detail.state]


def _width(width: float, unit: str) -> str:
    """The width of a range, in a unit that people would take."""
    if unit == "places":
        return "1 step" if width == 1 else f"{_few(width)} steps"
    if unit != "seconds":
        return _few(width)
    units = ((_YEAR, "years"), (_DAY, "days"), (_HOUR, "hours"), (_MINUTE, "minutes"))
    size, name = next((one for one in units if width >= 2 * one[0]), (1.0, "seconds"))
    return f"{_few(width / size)} {name}"


def _few(number: float) -> str:
    """A number with as many digits as say something."""
    return f"{number:,.0f}" if 100 <= number < 1e6 else f"{number:.2g}"


def _risks(measures: Sequence[Metric], given: Sequence[GivenAway], counts: str) -> Iterable[str]:
    value = {metric.metric: metric.value for metric in measures if metric.attribute is None}
    if given:
        says = sentence_of_given(given, counts)
        yield f"{says}. Ask for l: 2 or more of it, or for alpha below 1."
    alone = value.get("unique_records")
    if "gcp" in value and alone:
        are = "record is" if alone == 1 else "records are"
        share = value.get("unique_share") or 0
        yield (
            f"{alone:,.0f} {are} alone ({share:.2%}) with the published quasi-identifiers and "
            "insensitive columns: a reader who knows a person's insensitive values finds the "
            "record. Make such a column a quasi-identifier, or leave it out."
        )
    bounded = {
        metric.attribute
        for metric in measures
        if metric.threshold is not None and metric.metric not in _BOUND_NOTHING
    }
    certain = {attribute.attribute for attribute in given}
    far = {
        metric.attribute
        for metric in measures
        if metric.metric == T_CLOSENESS.name and (metric.value is None or metric.value >= _FAR)
    }
    for metric in measures:
        skewed = (
            metric.metric == ALPHA.name and metric.value is not None and metric.value >= _SKEWED
        )
        if skewed and metric.attribute in far - bounded - certain:
            yield (
                f"In some class {percent(metric.value or 0)} of the {counts} have one value of "
                f"{metric.attribute}, and no model of the spec bounds that: ask for a t of it, or "
                "for an alpha."
            )


def as_fact(detail: Iterable[Detail]) -> str:
    """The detail of a release, as its run keeps it."""
    return json.dumps([asdict(one) for one in detail], ensure_ascii=False)


def from_fact(text: str) -> tuple[Detail, ...]:
    """The detail that a run kept; nothing where a script made the release, which keeps none."""
    return tuple(Detail(**load) for load in json.loads(text or "[]"))


BEFORE_FACT = "source_risk"  # the item of the run relation


@dataclass(frozen=True)
class Before:
    """The risk of the source, as its quasi-identifiers were read, before anything was generalized.

    Attributes:
        records: how many records it has.
        combinations: how many different combinations of values.
        unique_records: how many records share theirs with no other.
        least: how many records the rarest combination has.
    """

    records: int
    combinations: int
    unique_records: int
    least: int


def before(records: Relation, columns: Sequence[Sql], session: Session) -> Before | None:
    """Count the source's combinations; None where nothing is a quasi-identifier."""
    if not columns:
        return None
    params = {"columns": tuple(columns)}
    (row,) = session.fetch("report/source_risk", {"records": records}, params, 1).dicts()
    return Before(**{name: int(row[name] or 0) for name in Before.__dataclass_fields__})


def before_fact(found: Before) -> str:
    """The counts, as a run keeps them."""
    return json.dumps(asdict(found))


def before_from_fact(text: str) -> Before | None:
    """The counts that a run kept; None where a script made the release, which keeps none."""
    return Before(**json.loads(text)) if text else None
