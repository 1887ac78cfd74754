"""Whether a release is nearly all lost, and what to relax: one verdict for all who show one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sqlanon.errors import Problem, SpecError
from sqlanon.forms import names_in
from sqlanon.privacy.k_anonymity import K_ANONYMITY
from sqlanon.record.content import hashed_records
from sqlanon.record.metrics import Metric
from sqlanon.record.recorded import MODEL_OF, Recorded
from sqlanon.session import Session
from sqlanon.spec.method import SETTINGS
from sqlanon.spec.publication import RULES
from sqlanon.uses.outlook.reachable import TIMES, Needed, loses_blindly, needed_of

_HALF = 0.5
_SHARE = Fraction(1, 10)  # of the records: fewer in classes at an edge are no reason
_DIFFERENTIAL = (
    "With differential privacy the levels and k come before the records: name lower levels, or "
    "publish fewer quasi-identifiers; a greater epsilon or delta needs a smaller k."
)


@dataclass(frozen=True)
class Edge:
    """A model that was asked for, and the classes that only just meet it.

    Attributes:
        title: the model's name for people.
        attribute: the sensitive attribute it is of; None: of every class.
        asked: what was asked for, as declared.
        reached: the value of the worst class.
        classes: how many classes lie at the edge: of k those of fewer than 2 k records, which
            cannot be cut in two; of a count such as distinct l those that have no more than it
            asks for; of any other those within a tenth of it.
        records: how many records these have.
    """

    title: str
    attribute: str | None
    asked: str
    reached: float | None
    classes: int
    records: int


@dataclass(frozen=True)
class Verdict:
    """The losses of a release, and what to relax; both empty where nothing has to be said.

    Attributes:
        lost: what is nearly all lost, a sentence each.
        relax: what keeps it so, by figures, and what could be asked for instead.
    """

    lost: tuple[str, ...] = ()
    relax: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.lost)


def most_is_lost(measures: Sequence[Metric]) -> bool:
    """Whether more than half of the domain is published, or of the records left out."""
    return any(lost_altogether(measures))


def lost_altogether(measures: Sequence[Metric]) -> Iterator[str]:
    """Whether most of the domain is published, or most records are left out: a sentence each."""
    value = {metric.metric: metric.value or 0 for metric in measures if metric.attribute is None}
    gcp, left_out = value.get("gcp", 0), value.get("suppressed_share", 0)
    if gcp == 1:
        yield "Nothing is left of the quasi-identifiers: every record shows the same (GCP 1)."
    elif gcp > _HALF:
        yield (
            f"Most is lost of the quasi-identifiers: GCP is {gcp:.3g}, where 0 is nothing and 1 is "
            "everything."
        )
    if left_out > _HALF:
        yield f"Most records are left out: {left_out:.1%}."


def lost_of(recorded: Recorded) -> tuple[str, ...]:
    """The parts of a release that are nearly all lost: none where most is left or rows are exact.

    There are four signs of it. More than half of the domain is published (GCP above one half). More
    than half of the records are left out. Classes that lose something are ten times larger than
    every declared model needs. A column that has several values is published as one throughout.

    Raises:
        SpecError: if its classes are gone, or count other records than the release has.
    """
    value = {(metric.metric, metric.attribute): metric.value for metric in recorded.measures}
    gcp = value.get(("gcp", None))
    rule = RULES[recorded.publication]
    if gcp is None or rule.exact or rule.counts:
        return ()
    least = least_size(recorded.measures)
    session, classes = Session(recorded.engine), recorded.relation.sibling("classes")
    if recorded.engine.kind_of(classes) is None:
        raise SpecError(Problem("release", f"{str(classes)!r} is gone: run its spec again"))
    columns = _columns(recorded, value)
    params = {"columns": list(columns.values()), "most": TIMES * least, "size": "k_anonymity"}
    (row,) = session.fetch("why/large", {"classes": classes}, params, 1).dicts()
    counted = int(row["records"] or 0)
    released = hashed_records(recorded)
    if released is not None and counted != released:
        what = f"{str(classes)!r} was changed since its run: it counts {counted:,} records"
        raise SpecError(Problem("release", f"{what}; run its spec again"))
    single = [name for number, name in enumerate(columns, 1) if row[f"cells_{number}"] == 1]
    return tuple(_lost(recorded, value, row, least, single))


def _lost(
    recorded: Recorded,
    value: dict[tuple[str, str | None], float | None],
    counted: dict[str, Any],
    least: int,
    single: Sequence[str],
) -> Iterator[str]:
    yield from lost_altogether(recorded.measures)
    large, records = int(counted["large_classes"]), int(counted["large_records"])
    if large:
        more = "" if large == 1 else f"; the largest has {int(counted['largest']):,}"
        yield (
            f"{'One class has' if large == 1 else f'{large:,} classes have'} more than {TIMES} "
            f"times the {least:,} {recorded.counts} that every declared model needs: "
            f"{_part(records, int(counted['records']))}{more}."
        )
    if single and value["gcp", None] != 1:
        are = "is" if len(single) == 1 else "are each"
        yield f"{', '.join(single)} {are} published as one value throughout."


def relaxing(recorded: Recorded, edges: Sequence[Edge], free_records: int) -> tuple[str, ...]:
    """The causes of the loss, the models that bind most records first, and what to do.

    Args:
        recorded: the release.
        edges: the models that were asked for, and how many records are in classes at their edge.
        free_records: how many records lie in classes at no edge.
    """
    if recorded.spec["privacy"].get("differential"):
        return (_DIFFERENTIAL,)
    total = recorded.count("records")
    said = []
    blind = _blind(recorded)
    if blind:
        said.append(blind)
    apart = list(_apart(recorded))
    said += [need.says for need in apart]
    binding = sorted(edges, key=lambda edge: -edge.records)
    for edge in binding:
        known = any(each.column == edge.attribute for each in apart) and edge.title == "t-closeness"
        if blind or known or edge.records < _SHARE * total:
            continue
        said.append(_edge(edge, total))
    if not blind and not any(need.of_all for need in apart) and free_records >= _SHARE * total:
        said += [_as_the_table(edge) for edge in edges if edge.attribute and edge.reached == 0]
        said.append(
            f"{_part(free_records, total)} lie in classes at the edge of no model: no cut of them "
            "was found that keeps all that is asked and loses less. Ask for less, give columns a "
            "hierarchy, publish fewer quasi-identifiers, or let the search try more (method: "
            "{name: split_or_deal, effort: best})."
        )
        if recorded.counts != "records":
            said.append(
                "All records of a person are in one class: what differs between them, such as "
                "the date of a visit, is lost; leave it out, or coarsen it in the source."
            )
    return tuple(said) or ("Ask for less, or publish fewer quasi-identifiers.",)


def _edge(edge: Edge, total: int) -> str:
    model = next(each for each in MODEL_OF.values() if each.title == edge.title)
    way = "smaller" if model.worst == "least" else "greater"
    of = f" of {edge.attribute}" if edge.attribute else ""
    cure = f"A {way} {model.field.name} lets the run cut them."
    if model is K_ANONYMITY and edge.asked in ("1", "2"):
        cure = "Publish fewer quasi-identifiers."
    return (
        f"{edge.title}{of} (asked for {edge.asked}, reached {_number(edge.reached)}) keeps "
        f"classes large: {_part(edge.records, total)} lie in classes that can hardly be cut "
        f"without breaking it. {cure}"
    )


def _as_the_table(edge: Edge) -> str:
    """The advice where every class is as the whole table, and no figure tells what keeps it so."""
    model = next(each for each in MODEL_OF.values() if each.title == edge.title)
    return (
        f"Every class has {edge.attribute} just as the whole table has it ({edge.title}: asked for "
        f"{edge.asked}, reached 0), as a class of all records always has: smaller classes may be "
        f"farther from it than that. A greater {model.field.name} may let the run cut them."
    )


def _blind(recorded: Recorded) -> str:
    """The loss by nature of a method that deals blindly; empty of any other."""
    declared = recorded.spec["method"]
    return loses_blindly(SETTINGS[declared["name"]].model_validate(declared))


def _apart(recorded: Recorded) -> Iterator[Needed]:
    """The attributes of which a t asks for large classes, for all values are equally far apart."""
    if recorded.counts != "records":
        return
    least = least_size(recorded.measures)
    kinds = {column.name: column.kind for column in recorded.columns if column.role == "sensitive"}
    for metric in recorded.measures:
        if metric.metric != "t_closeness" or not metric.threshold or metric.attribute is None:
            continue
        declared = recorded.spec["sensitive"].get(metric.attribute, {})
        if declared.get("distance") != "equal":
            continue
        session = Session(recorded.engine)
        found = needed_of(
            session, recorded.relation, metric.attribute, metric.attribute, metric.threshold, kinds
        )
        if found.needed > TIMES * least:
            yield found


def least_size(measures: Sequence[Metric]) -> int:
    """How many records every declared model needs in a class: k, l, 1/α, as they are asked for."""
    return max([1, *(_least(metric) for metric in measures if metric.threshold is not None)])


def _least(metric: Metric) -> int:
    model = MODEL_OF.get(metric.metric)
    if model is None or metric.threshold is None:
        return 1
    l_asked = re.search(r"\bl = (\d+)", metric.threshold)  # of a model that asks for more than l
    if l_asked:
        return int(l_asked[1])
    try:
        return model.least_size(Fraction(metric.threshold))
    except (ValueError, AttributeError):  # it is no number, and asks for no size
        return 1


def _columns(
    recorded: Recorded, value: dict[tuple[str, str | None], float | None]
) -> dict[str, list[str]]:
    """The quasi-identifiers that lose something, and may lose less, with their published columns.

    Not those that the class report has under another name, as it has a column of theirs itself.
    """
    there = {column.name for column in recorded.columns if column.role == "quasi_identifier"}
    with recorded.engine.reading(recorded.relation.sibling("classes")) as item:
        reported = {column.name for column in recorded.engine.columns(item)}
    there = {name for name in there if name in reported and f"{name}_" not in reported}
    levels = recorded.spec.get("levels") or {}
    fixed = {name for name, bounds in levels.items() if bounds[0] == bounds[1]}
    return {
        name: list(names)
        for name in recorded.spec["quasi_identifiers"]
        if value.get(("ncp", name))
        and name not in fixed
        and there.issuperset(names := names_in(name, there))
    }


def _part(records: int, total: int) -> str:
    return f"{records:,} of {total:,} records ({records / max(1, total):.1%})"


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:.4g}"
