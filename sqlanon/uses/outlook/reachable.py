"""The values that any release of a source could reach, and those of a method: for a spec.

All records in one class are the coarsest release there is. A sensitive attribute's models hold of
classes put together if they hold of each, so no release that leaves no record out reaches more than
this class does. Of a model that is not so, the class tells nothing.

It also tells how large a class within t must be, where all values are equally far apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from sqlanon.clauses import defaults
from sqlanon.clauses.clause import Use
from sqlanon.draft import filled
from sqlanon.engines import Engine
from sqlanon.errors import InfeasibleError, Problem, SpecError
from sqlanon.judge.judge import UNPUBLISHED
from sqlanon.measure.cover import asked_of_projections
from sqlanon.methods.deal.stack_and_deal.stack import StackAndDealSettings
from sqlanon.pages.page import table
from sqlanon.planning.prepare import Prepared, build_plan
from sqlanon.record.metrics import Metric
from sqlanon.record.recorded import MODEL_OF
from sqlanon.session import Listener, Session
from sqlanon.source.source_info import SourceInfo
from sqlanon.spec import MEASURABLE, MethodSettings, QuasiIdentifier, Spec, SqlHierarchy, changed
from sqlanon.spec.method import default_method
from sqlanon.spec.privacy import without_clauses
from sqlanon.spec.refusals import refusals, refuse
from sqlanon.sql.names import Relation, Sql
from sqlanon.uses.outlook.dry_run import DryRun, dry_run

TIMES = 10  # a class this many times larger than every model needs is said
_BLIND = (
    "{method} deals records to classes without a look at their quasi-identifiers, so it always "
    "loses most of these: {near}leave method out for "
    "{default}, which keeps them as close as the models allow."
)


def loses_blindly(method: MethodSettings) -> str:
    """The remark that a method loses most by nature; empty of one that looks at the records."""
    if not method.blind:
        return ""
    near = "say locality: curve, or " if "locality" in type(method).model_fields else ""
    return _BLIND.format(method=method.name, near=near, default=default_method().name)


@dataclass(frozen=True)
class Needed:
    """The size of a class that a t needs.

    Attributes:
        column: the sensitive attribute.
        t: what was asked for, as declared.
        records: how many records there are.
        used: how many different values they have.
        needed: how many records a class must have at least.
        has_order: whether the values are numbers, dates or times.
    """

    column: str
    t: str
    records: int
    used: int
    needed: int
    has_order: bool

    @property
    def of_all(self) -> bool:
        """Whether two such classes need more records than there are."""
        return 2 * self.needed > self.records

    @property
    def says(self) -> str:
        """A sentence with what to do."""
        cure = "say distance: ordered, " if self.has_order else "list its values in order, "
        return (
            f"{self.column} has {self.used:,} values, all equally far apart, so that a class "
            f"within t = {self.t} needs {self.needed:,} of the {self.records:,} records at least: "
            f"{cure}round or group the values, or ask for a greater t."
        )


def needed_of(
    session: Session, records: Relation, column: str, name: str, t: str, kinds: Mapping[str, str]
) -> Needed:
    """Count the values of an attribute, and how many records make up 1 - t of them.

    Args:
        session: asks the database.
        records: the records.
        column: their column of the attribute.
        name: the attribute.
        t: what was asked for, as declared.
        kinds: the kinds of columns, by name.
    """
    asked = Fraction(t)
    params = {"column": column, "amount": asked.numerator, "scale": asked.denominator}
    (row,) = session.fetch("why/needed", {"published": records}, params, 1).dicts()
    return Needed(
        column=name,
        t=t,
        records=int(row["records"] or 0),
        used=int(row["used"]),
        needed=int(row["needed"] or 0),
        has_order=kinds.get(name) in MEASURABLE,
    )


_DIGITS = 4


@dataclass(frozen=True)
class Limit:
    """A model that a spec asks for, and how much of it can be had.

    Attributes:
        title: the model's name for people.
        attribute: the sensitive attribute it is of; None: of every class.
        asked: what is asked for, as declared.
        best: what all records in one class reach, and so no release more; None: not known.
        possible: whether that is enough.
        reached: the worst class of the method's release; None where it was not tried, or was
            refused before there was one.
        holds: whether the method holds what is asked; None where it was not tried.
        feasible: what can be asked for: of any method where it is not possible, else of this one.
            None where that is what was asked for, or nothing can.
    """

    title: str
    attribute: str | None
    asked: str
    best: float | None
    possible: bool
    reached: float | None = None
    holds: bool | None = None
    feasible: str | None = None


@dataclass(frozen=True, repr=False)
class Reachable:
    """Whether a spec can be met, which model keeps it from that, and what could be asked for.

    Attributes:
        release: the release that the spec declares.
        records: how many records there are, or others that a class counts.
        method: the spec's method.
        limits: the models that are asked for.
        refusal: why the method came to no release; empty where it did, or was not tried.
    """

    release: str
    records: int
    method: str
    limits: tuple[Limit, ...]
    refusal: str = ""

    @property
    def binding(self) -> tuple[Limit, ...]:
        """The models that cannot be met; where each can be, those that the method does not meet."""
        return tuple(
            limit
            for limit in self.limits
            if limit.holds is False or (limit.holds is None and not limit.possible)
        )

    @property
    def passed(self) -> bool:
        """Whether the spec's method meets it."""
        return not self.binding and not self.refusal

    @property
    def conclusion(self) -> str:
        """The conclusion from these limits, in a sentence."""
        if self.passed:
            return f"{self.method} meets all that is asked for."
        if any(not limit.possible for limit in self.binding):
            return (
                "All records in one class violate what is asked as well, so no release of all "
                "records and sensitive values can meet this: ask for what is feasible."
            )
        if not self.binding:
            return f"{self.method} comes to no release: {self.refusal}"
        if any(limit.best is None for limit in self.binding):
            return (
                f"{self.method} does not meet it, and all records in one class do not tell whether "
                "another release can: ask for less, or take split_or_deal, which makes no cut that "
                "breaks a model."
            )
        return (
            f"Each can be met, for all records in one class meet it, and {self.method} does not: "
            "ask for what is feasible with it, or take a greater k, or split_or_deal, which makes "
            "no cut that breaks a model."
        )

    def __repr__(self) -> str:
        short = ", ".join(
            f"{limit.title}{f' of {limit.attribute}' if limit.attribute else ''}"
            for limit in self.binding
        )
        says = "can be met" if self.passed else f"violated: {short or 'no class is formed'}"
        return f"Reachable({self.release!r}, {says})"

    def _repr_html_(self) -> str:
        rows = (
            (limit.title, limit.attribute, limit.asked, limit.best, limit.reached, limit.feasible)
            for limit in self.limits
        )
        columns = ("model", "of", "asked for", "at best", "by this method", "feasible")
        return table(self.release, columns, rows)


def reachable(
    spec: Spec, engine: Engine, source: Sql | None = None, listener: Listener | None = None
) -> Reachable:
    """Tell whether a spec can be met at all, and by its method; nothing is published.

    The method is tried only where all records in one class meet every model, or records may be left
    out: else no method can.

    Args:
        spec: what is declared.
        engine: where the source lies.
        source: a FROM item, where the source is nothing that a spec can name.
        listener: hears of the steps.

    Raises:
        SpecError: if the spec does not fit the source, or is of a kind for which this is not known.
    """
    refuse(spec, Use.WHY)
    spec = filled(spec, engine)
    source_info = SourceInfo.of(spec, engine, source)
    prepared = build_plan(changed(spec, choose=None), source_info)
    with dry_run(prepared, engine, listener) as dry:
        best = _at_best(dry)
        if not best.limits[0].possible or (
            spec.allowance is None and not all(limit.possible for limit in best.limits)
        ):
            return best
        found, error = dry.measured(prepared)
    return _tried(best, found, error)


def at_best(dry: DryRun) -> Reachable:
    """Tell what all records in one class reach, and so no release more; no method is tried.

    Args:
        dry: a dry run of the spec's plan; nothing but the records is left of it.

    Raises:
        SpecError: if there are no records, or the spec is of a kind for which this is not known.
    """
    refuse(dry.prepared.spec, Use.LIMITS)
    return _at_best(dry)


def _at_best(dry: DryRun) -> Reachable:
    spec = dry.prepared.spec
    counted = _counted(dry)
    if not counted:
        raise SpecError(Problem("source", "it has no records: nothing can be released"))
    limits = tuple(_limits(dry, counted))
    return Reachable(spec.release, counted, spec.method.name, limits)


def _counted(dry: DryRun) -> int:
    """How many records there are, or others that a class counts."""
    records, named = dry.records(), dry.prepared.grouped.unit.columns
    return dry.combinations(named) if named else records


def _limits(dry: DryRun, counted: int) -> Iterator[Limit]:
    """The values that all records in one class reach."""
    spec = dry.prepared.spec
    asked = str(spec.privacy.k)
    possible = spec.privacy.k <= counted
    feasible = None if possible else str(counted)
    yield Limit(MODEL_OF["k_anonymity"].title, None, asked, counted, possible, feasible=feasible)
    for known in asked_of_projections(spec):
        possible = known.k <= counted
        feasible = None if possible else str(counted)
        title = MODEL_OF["k_anonymity"].title
        yield Limit(title, known.name, str(known.k), counted, possible, feasible=feasible)
    if not spec.sensitive:
        return
    # One class shows nothing of its records, whichever way: so least is written.
    hidden = QuasiIdentifier(hierarchy=SqlHierarchy(sql=["'*'"]))
    whole = changed(
        spec,
        privacy=without_clauses(spec.privacy).model_copy(update={"k": counted}),
        method=StackAndDealSettings(),  # where k is the number of records, it deals one class
        quasi_identifiers={next(iter(spec.quasi_identifiers)): hidden},
        levels={},
        insensitive={},
        choose=None,
        materialize="table",
        **defaults("spec"),
    )
    found, _ = dry.measured(build_plan(whole, dry.prepared.source_info))
    for metric in found:
        if (
            metric.metric in MODEL_OF
            and metric.attribute is not None
            and metric.threshold is not None
        ):
            told = MODEL_OF[metric.metric].monotone is not None
            possible = bool(metric.passed) or not told
            yield Limit(
                MODEL_OF[metric.metric].title,
                metric.attribute,
                metric.threshold,
                metric.value if told else None,
                possible,
                feasible=None if possible else _feasible(metric),
            )


def _tried(best: Reachable, found: Sequence[Metric], error: InfeasibleError | None) -> Reachable:
    """The same with what the method came to."""
    refusal = "" if error is None or error.shortfalls else str(error)
    by_number = {
        (MODEL_OF[metric.metric].title, metric.attribute): metric
        for metric in found
        if metric.metric in MODEL_OF and metric.threshold is not None
    }
    limits = []
    for limit in best.limits:
        one = by_number.get((limit.title, limit.attribute))
        if one is None:
            limits.append(limit)
            continue
        feasible = _feasible(one) if one.passed is False else None
        limits.append(replace(limit, reached=one.value, holds=one.passed, feasible=feasible))
    others = () if error is None else error.shortfalls
    if not refusal and others and all(limit.holds is not False for limit in limits):
        refusal = "; ".join(map(str, others))
    return replace(best, limits=tuple(limits), refusal=refusal)


def _feasible(metric: Metric) -> str | None:
    """A threshold that could be asked instead, by what was reached: rounded to its safe side.

    Of recursive (c, l)-diversity c alone is moved; where no class has l values, no c holds.
    """
    model = MODEL_OF[metric.metric]
    if metric.value is None or model.monotone is None:
        return None
    if model.whole:
        return str(int(metric.value))
    if metric.value == 0 and not model.strict:
        return "0"
    least = model.worst == "least"
    text = _rounded(metric.value, down=least, strict=model.strict)
    l_asked = (metric.threshold or "").partition(", l = ")[2]
    return f"c = {text}, l = {l_asked}" if l_asked else text


def rounded_up(value: Fraction) -> str:
    """A number of few digits that is no less."""
    return _rounded(float(value), down=False, strict=False)


def _rounded(value: float, down: bool, strict: bool) -> str:
    """A number of few digits on the safe side of a value; strictly so if it must be."""
    exact = Fraction(repr(value))
    digits = _DIGITS - 1 - (math.floor(math.log10(value)) if value > 0 else 0)
    unit = Fraction(10) ** -digits
    steps = math.floor(exact / unit) if down else math.ceil(exact / unit)
    if strict and steps * unit == exact:
        steps += -1 if down else 1
    return f"{float(steps * unit):.{_DIGITS + 2}g}"


def refusal(prepared: Prepared, engine: Engine, error: InfeasibleError) -> InfeasibleError:
    """The refusal of a release; where all records in one class violate a model, it says so.

    No k helps then, for no class has more values, or values better mixed, than the table. Where
    that is not known, the refusal is as it was.
    """
    violated = {
        (MODEL_OF[shortfall.model].title, shortfall.attribute)
        for shortfall in error.shortfalls
        if shortfall.attribute is not None and shortfall.model in MODEL_OF
    }
    if not violated or any(refusals(prepared.spec, Use.LIMITS)):
        return error
    try:
        with dry_run(prepared, engine) as dry:
            limits = at_best(dry).limits
    except SpecError:  # what follows other releases is not tried alone
        return error
    hopeless = [
        limit
        for limit in limits
        if not limit.possible and (limit.title, limit.attribute) in violated
    ]
    if not hopeless:
        return error
    titles = {limit.title for limit in hopeless}
    models = (
        MODEL_OF[shortfall.model] for shortfall in error.shortfalls if shortfall.model in MODEL_OF
    )
    remedies = {model.remedy for model in models if model.title in titles} - {""}
    told = "; ".join([f"{UNPUBLISHED}{_cannot(hopeless)}", *sorted(remedies)])
    return InfeasibleError(f"{told}; relax what is violated:", error.shortfalls)


def _cannot(limits: Sequence[Limit]) -> str:
    """The demands that no k helps."""
    found = [
        f"{limit.title} of {limit.attribute} asks for {limit.asked}, and all records in one class "
        f"reach {0 if limit.best is None else limit.best:.6g}"
        for limit in limits
    ]
    return f"no k helps: {'; '.join(found)}"
