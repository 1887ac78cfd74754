"""The ledger of ε and δ: what the releases of the same persons tell together.

Every run with differential privacy keeps what it promised, next to what the releases promised that
it came after. So the last one of them has the whole account, and a release that is made again has
that of its earlier runs, which readers may have.

Transforms have sentences: which carry no guarantee, and which have an ε.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil

from sqlanon.clauses import counted, counting_others
from sqlanon.domains.attribute import one_of
from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.measure.metrics.changes import EPSILONS, SAMPLING
from sqlanon.privacy.differential.counts import summed
from sqlanon.record.content import held
from sqlanon.record.metrics import Metric
from sqlanon.record.ownership import ID, mark
from sqlanon.source.source import table_named
from sqlanon.spec import Spec
from sqlanon.spec.differential import WHERE, counting_of
from sqlanon.sql.names import Relation, exact, literal

_FINE = 10**30  # to such a part a δ is rounded up
FACT = "spent"  # the item of the run relation
# By the number of a run: its release, its ε and δ, and of whom they are.
Spent = Mapping[str, tuple[str, Fraction, Fraction, str]]


def spent_before(spec: Spec, release: Relation, engine: Engine) -> Spent:
    """The account of the releases that a release comes after, and of its own earlier runs.

    Raises:
        SpecError: if one of them is not there or promised nothing. With a budget also if an earlier
            run of the release promised nothing, or if all of them exceed it.
    """
    asked = spec.privacy.differential
    if asked is None:
        return {}
    found: dict[str, tuple[str, Fraction, Fraction, str]] = {}
    for name in asked.after:
        where = f"{WHERE}.after"
        try:
            facts = held(table_named(name, where), engine).facts
        except SpecError as error:
            raise SpecError(Problem(where, error.problems[0].what)) from None
        if FACT not in facts:
            what = f"{name} was not made with differential privacy, so no ε bounds what it tells"
            raise SpecError(Problem(where, f"{what}: leave it out"))
        found |= _read(facts[FACT], name)
    unbounded, own = _own(release, engine)
    if unbounded and asked.budget is not None:
        what = f"an earlier run made {release} without differential privacy, so no ε bounds what "
        raise SpecError(
            Problem(f"{WHERE}.budget", f"{what}its readers have, and no budget: leave it out")
        )
    found |= own
    _of_one_unit(spec, found)
    _within(spec, found)
    return found


def still_all(before: Spent, release: Relation, engine: Engine) -> None:
    """Refuse to replace a release that another run made after the account was read.

    Raises:
        SpecError: if its own account has a run that this account lacks.
    """
    _, own = _own(release, engine)
    if own.keys() - before.keys():
        what = f"another run made {release} while this run was under way, and its ε is not counted"
        raise SpecError(Problem("release", f"{what}; this run published nothing: run again"))


def spent_fact(spec: Spec, before: Spent, number: str, release: Relation) -> tuple[str, str] | None:
    """The item of the run relation: what was promised before, and by this run.

    Args:
        spec: what is declared.
        before: the account of the earlier ones.
        number: that of this run.
        release: the release.
    """
    if spec.privacy.differential is None:
        return None
    whole = {**before, number: (str(release), *_promised(spec), _unit(spec))}
    return FACT, json.dumps(
        {
            number: [name, str(one), str(other), unit]
            for number, (name, one, other, unit) in whole.items()
        },
        ensure_ascii=False,
    )


def _unit(spec: Spec) -> str:
    """The unit of an ε: a record, or somebody whom columns name, with all records."""
    several, columns = counted(vars(spec))
    return f"a {one_of(several)}" + (f" by {', '.join(sorted(columns))}" if columns else "")


def _of_one_unit(spec: Spec, before: Spent) -> None:
    """Refuse an account of different units: a person may have many records, and many cards."""
    for name, _, _, unit in before.values():
        if unit != _unit(spec):
            what = f"the ε of {name} is of {unit}, and that of this release of {_unit(spec)}"
            mend = (
                f"they do not add up: declare {counting_others().name} for all releases, or for "
                "none where each person has one record; columns that name the same persons one for "
                "one must have one name: rename them in a query"
            )
            raise SpecError(Problem(f"{WHERE}.after", f"{what}; {mend}"))


def _within(spec: Spec, before: Spent) -> None:
    """Refuse a release with which the budget would be exceeded."""
    asked = spec.privacy.differential
    if asked is None or asked.budget is None:
        return
    own = _promised(spec)
    epsilon, delta = summed([own, *((one, other) for _, one, other, _ in before.values())])
    if epsilon <= asked.budget.epsilon and delta <= asked.budget.delta:
        return
    names = ", ".join(dict.fromkeys(name for name, *_ in before.values()))
    of = f" with {len(before)} earlier runs ({names})" if before else ""
    raise SpecError(
        Problem(
            f"{WHERE}.budget",
            f"this release{of} would have ε = {exact(epsilon)} and δ = {float(delta):.3g}, and the "
            f"budget is ε = {exact(asked.budget.epsilon)}, δ = {float(asked.budget.delta):.3g}: "
            "publish nothing more of these persons, or less of it",
        )
    )


def _promised(spec: Spec) -> tuple[Fraction, Fraction]:
    """The ε and the δ of one run."""
    asked = spec.privacy.differential
    assert asked is not None  # noqa: S101 - such a spec alone promises
    delta = counting_of(spec).noisy.delta if spec.counts else asked.sampling.delta
    return asked.epsilon, Fraction(ceil(delta * _FINE), _FINE)


def _own(release: Relation, engine: Engine) -> tuple[bool, Spent]:
    """The account of a release that is to be replaced: its readers may have it.

    The run relation has it, also where the release itself was dropped.

    Returns:
        Whether an earlier run made it without an ε, and its account.
    """
    run = release.sibling("run")
    if engine.kind_of(run) is None or engine.lacking_to_read(run):
        return False, {}
    columns = [column.name for column in engine.columns(engine.named(run))]
    if columns != ["item", "value"]:  # of no run: whether it may be replaced is asked elsewhere
        return False, {}
    wanted = ", ".join(map(literal, (ID, FACT)))
    text = f"select item, value from {engine.named(run)} where item in ({wanted})"
    facts = dict(engine.fetch_portable(text, 2, "reading what was spent").rows)
    if engine.comment_of(run) != mark(facts.get(ID, "")):
        return False, {}
    return FACT not in facts, _read(facts.get(FACT, "{}"), str(release))


def _read(text: str, release: str) -> Spent:
    """The account that a run relation holds.

    Raises:
        SpecError: if somebody has changed it.
    """
    try:
        return {
            number: (name, Fraction(epsilon), Fraction(delta), unit)
            for number, (name, epsilon, delta, unit) in json.loads(text).items()
        }
    except (ValueError, TypeError, AttributeError, ZeroDivisionError):
        what = f"the run of {release} has another account of ε and δ than a run writes"
        raise SpecError(Problem(WHERE, f"{what}: give the release another name")) from None


_EPSILON, _DELTA, _SHARE, _CHOICE = (figure.name for figure in SAMPLING)
_OF_COLUMN, _TOTAL = (figure.name for figure in EPSILONS)


def transforms_in_a_run(
    transforms: Mapping[str, str], measures: Sequence[Metric], counts: str
) -> tuple[str, ...]:
    """The sentences on the columns that a run transformed: those without an ε, and the others.

    Args:
        transforms: what was done to each column, in a few words.
        measures: what the release reached.
        counts: what a class counts: records, or another word.
    """
    bounded = {metric.attribute for metric in measures if metric.metric == _OF_COLUMN}
    plain = "; ".join(f"{name} {says}" for name, says in transforms.items() if name not in bounded)
    drawn = "; ".join(f"{name} {says}" for name, says in transforms.items() if name in bounded)
    said = []
    if plain:
        said.append(
            f"Transformed: {plain}. No guarantee rests on that: the measures are of the published "
            "values."
        )
    if drawn:
        said.append(f"Drawn: {drawn}. {epsilons_said(measures, counts)}")
    return tuple(said)


def epsilons_said(
    measures: Sequence[Metric], counts: str = "records", with_total: bool = True
) -> str:
    """The sentences on the ε of columns; empty where no column has one.

    Args:
        measures: what the release reached.
        counts: what a class counts: records, or another word.
        with_total: whether it says to what they sum up: where others than records are counted, that
            tells how many records one of these has.
    """
    columns = {metric.attribute: metric.value for metric in measures if metric.metric == _OF_COLUMN}
    if not columns:
        return ""
    each = ", ".join(f"ε = {value:g} for {name}" for name, value in columns.items())
    (total,) = (metric.value for metric in measures if metric.metric == _TOTAL)
    whole = ""
    if with_total and total is not None and total != next(iter(columns.values())):
        whose = "a record" if counts == "records" else f"the {one_of(counts)} with most records"
        whole = f" All that is shown of {whose} has ε = {total:g}."
    return (
        f"Local differential privacy: {each} in each record.{whole} The other columns are not "
        "covered by it."
    )


def sampling_said(measures: Sequence[Metric]) -> str:
    """The sentences on the (ε, δ) of a release; empty where it has none."""
    value = {metric.metric: metric.value for metric in measures}
    if _EPSILON not in value:
        return ""
    whose = "for every record of the source"
    if _SHARE in value:
        how = f"{whose}. Each was sampled with a chance of {value[_SHARE]:.2%}."
        if _CHOICE in value:
            how += f" The choice of levels took {value[_CHOICE]:g} of this ε."
    else:
        how = "for every person whose records are bounded, or for every record where none is named."
    return (
        f"Differential privacy of the release: ε = {value[_EPSILON]:g}, δ = {value[_DELTA]:.2g}, "
        f"{how} "
        "Hand out nothing but the release: the metrics, the classes and the run tell more."
    )
