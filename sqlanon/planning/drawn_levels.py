"""Drawing the levels of a release with differential privacy, for a part of its ε.

The exponential mechanism (McSherry & Talwar 2007) draws one of the choices of levels that the spec
declares, by scores of all records of the source. Sampling and leaving out follow at the levels that
were drawn, for the rest of ε, as in SafePub (Bild, Kuhn & Prasser 2018): the two add up (Dwork &
Roth 2014, theorem 3.16). Scores of the sample would not do: the theorem of sampling is of levels
that do not depend on who is sampled.

The score of a choice counts the records in classes that are large enough. A class of n counts
min(n, max(0, 2 (n - m))), where m records give k sampled ones on average. The score is weighed
with how much of the hierarchies the levels leave, as a share of the greatest such weight, and
halved. So a further record raises it by at most 1 and never lowers it; rounding down keeps this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import ceil, prod
from typing import Any

from sqlanon.domains.attribute import QuasiAttribute
from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.plan import Plan, Step, work
from sqlanon.planning.prepare import Prepared, build_plan
from sqlanon.privacy.differential.exponential import drawn, weights_of
from sqlanon.privacy.differential.sampling import Sampling
from sqlanon.session import Session
from sqlanon.spec.differential import WHERE, Differential
from sqlanon.spec.levels import levels_are_fixed

MOST_CHOICES = 1_000  # each is scored in one statement
_CODED, TUPLES = work("level_coded"), work("candidate_tuples")
Facts = list[tuple[str, str]]


@dataclass(frozen=True)
class Candidate:
    """A level for every quasi-identifier.

    Attributes:
        levels: in the order of the quasi-identifiers.
        weight: how much of the hierarchies they leave.
    """

    levels: tuple[int, ...]
    weight: Fraction


def candidates(attributes: Sequence[QuasiAttribute]) -> list[Candidate]:
    """All choices of levels within the bounds that are declared; no data have a part in them.

    Raises:
        SpecError: if they are too many, or none leaves anything.
    """
    ranges = [range(attribute.levels[0], attribute.levels[1] + 1) for attribute in attributes]
    number = prod(map(len, ranges))
    if number > MOST_CHOICES:
        what = f"the levels make {number:,} combinations, and {MOST_CHOICES:,} are scored at most"
        raise SpecError(Problem("levels", f"{what}: bound some, as age: [1, 3]"))
    found = [
        Candidate(levels, sum(map(_left, attributes, levels), Fraction(0)))
        for levels in product(*ranges)
    ]
    if len(found) == 1 or not any(candidate.weight for candidate in found):
        what = "the levels leave nothing to choose: say the lowest and the highest"
        raise SpecError(Problem(f"{WHERE}.choose", f"{what}, as age: [1, 3]"))
    return found


def _left(attribute: QuasiAttribute, level: int) -> Fraction:
    """The share of a column's hierarchy that lies above a level, by the column's weight."""
    return attribute.weight * Fraction(attribute.height - level, attribute.height)


def scores_of(kept: Sequence[int], found: Sequence[Candidate]) -> list[int]:
    """The score of each candidate: a further record raises it by 0 or 1.

    Args:
        kept: what the classes of each keep; a further record adds 0, 1 or 2.
        found: the candidates.
    """
    most = max(candidate.weight for candidate in found)
    return [
        int(candidate.weight * number / (2 * most))
        for candidate, number in zip(found, kept, strict=True)
    ]


def with_drawn_levels(
    prepared: Prepared, engine: Engine, session: Session
) -> tuple[Prepared, Facts]:
    """The plan at the levels that are drawn, and what is to be recorded of that: not the scores.

    Nothing changes where the spec asks for no such choice. To be called inside a transaction.

    Raises:
        SpecError: if the data or the levels do not fit the spec.
    """
    spec, asked = prepared.spec, prepared.spec.sampled
    if asked is None or asked.choose is None or levels_are_fixed(spec):
        return prepared, []
    attributes = prepared.grouped.quasi_identifiers
    found = candidates(attributes)
    kept = _kept(prepared, asked, found, session)
    index = drawn(weights_of(scores_of(kept, found), asked.choose.epsilon))
    levels = {
        attribute.name: (level, level)
        for attribute, level in zip(attributes, found[index].levels, strict=True)
    }
    fixed = spec.model_copy(update={"levels": levels})
    planned = build_plan(fixed, prepared.source_info, prepared.release)
    return replace(planned, spent=prepared.spent), [("levels_drawn_among", str(len(found)))]


def _kept(
    prepared: Prepared, asked: Differential, found: Sequence[Candidate], session: Session
) -> list[int]:
    """How many records the classes of each candidate keep."""
    attributes = prepared.grouped.quasi_identifiers
    with session.watching():
        session.run(scoring(prepared))
        params = counting(attributes, found, asked.sampling)
        inputs = {"candidate_tuples": TUPLES}
        rows = session.fetch("differential/level_scores", inputs, params, len(found)).rows
        session.drop_work()
    by_choice = {int(number): int(kept) for number, kept in rows}
    return [by_choice[number] for number in range(1, len(found) + 1)]


def scoring(prepared: Prepared) -> Plan:
    """The plan that gathers all records by their groups: none is left out, and none is sampled."""
    spec = prepared.spec
    privacy = spec.privacy.model_copy(update={"differential": None, "k": 1})
    whole = build_plan(spec.model_copy(update={"privacy": privacy}), prepared.source_info)
    coding, attributes = whole.coding, whole.grouped.quasi_identifiers
    assert coding is not None  # noqa: S101 - a plan that forms classes codes the records
    groups = [
        {"alias": attribute.alias, "level": level}
        for attribute in attributes
        for level in range(attribute.levels[0], min(attribute.levels[1], attribute.height - 1) + 1)
    ]
    used = {group["alias"] for group in groups}
    domains = {
        attribute.alias: attribute.domain for attribute in attributes if attribute.alias in used
    }
    tuples = Step(
        "gathering all records by their groups",
        TUPLES,
        "differential/candidate_tuples",
        {"coded": _CODED} | {f"domain_{alias}": relation for alias, relation in domains.items()},
        {"groups": groups, "domains": domains},
    )
    return Plan((*whole.coded.steps[:-1], replace(coding, output=_CODED), tuples))


def counting(
    attributes: Sequence[QuasiAttribute], found: Sequence[Candidate], sampling: Sampling
) -> dict[str, Any]:
    """The parameters by which the records are counted that each candidate keeps."""
    return {
        "choices": [
            {"number": number, "groups": _groups(attributes, candidate.levels)}
            for number, candidate in enumerate(found, 1)
        ],
        "needed": ceil(sampling.k / sampling.share),
    }


def _groups(
    attributes: Sequence[QuasiAttribute], levels: Sequence[int]
) -> list[Mapping[str, object]]:
    """The columns of groups that a choice tells apart: at the highest level there is one group."""
    return [
        {"alias": attribute.alias, "level": level}
        for attribute, level in zip(attributes, levels, strict=True)
        if level < attribute.height
    ]
