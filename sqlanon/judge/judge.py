"""View, measure, judge: how a run judges what it is about to publish, and `check` any table.

The gate refuses for reasons: a model that does not hold, a column that tells much.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from sqlanon.domains.attribute import HiddenAttribute, Unit
from sqlanon.errors import InfeasibleError, Shortfall, SqlanonError
from sqlanon.measure.copies import COPIED, LEAST_COMPARED, Copies, copies
from sqlanon.measure.cover import Projected
from sqlanon.measure.plan import MeasurementPlan, ToMeasure, measure
from sqlanon.measure.view import AdversaryView
from sqlanon.plan import FOUND, Check, Found, Step, filled, infeasible
from sqlanon.publish.ledger import Ledger
from sqlanon.record.metrics import Metric, failed, read_metrics, shortfalls
from sqlanon.session import Session
from sqlanon.sql.names import Relation, exact

UNPUBLISHED = "the release does not reach what the spec asks for, so nothing was published; "
_REFUSED = UNPUBLISHED + "relax what is violated; {cure} may help:"
_TELLING = (
    "the insensitive columns say more of single records than a release may, so nothing was "
    "published (rare_share: of how many records fewer than k share the value; "
    "determined_share: of how many it gives back the value of a quasi-identifier, or of a "
    "sensitive attribute with exact rows); make it a "
    "quasi-identifier or an identifier, coarsen it in the source, or accept it "
    "by name with insensitive: {COLUMN: {accept: WHY}}:"
)

_COPYING = (
    "a sensitive column gives a quasi-identifier back, whose value then stands in every row "
    "although its own cell hides it (copied_share: of how many records), so nothing was published; "
    "leave one of the two out, coarsen the sensitive one in the source, or accept it by name with "
    "sensitive: {COLUMN: {accept: WHY}}:"
)


def limits(shares: Relation) -> Check:
    """Refuse insensitive columns that say too much, before any class is formed."""
    return Check(
        "insensitive columns within their limits",
        "insensitive/check_shares",
        {"shares": shares},
        {},
        "",
        f"{_TELLING} {FOUND.metric} of {FOUND.attribute}: asked for {FOUND.threshold}, reached "
        f"{FOUND.value} ({FOUND.failing_records} records)",
        _tells,
    )


def _tells(where: str, message: str, found: Found) -> SqlanonError:
    return InfeasibleError(_TELLING, shortfalls(failed(found)))


def nothing_copied(copies: Copies, ledger: Ledger | None) -> Check:
    """Refuse a sensitive column that gives back what cells of a quasi-identifier hide.

    Args:
        copies: what finds the columns that do.
        ledger: the account of the records: where none are left out, the table has as many as the
            source.
    """
    whole = ledger is not None and ledger.suppressed is None
    return Check(
        "no sensitive column gives a hidden value back",
        "measure/check_copied",
        copies.inputs,
        copies.params | {"pairs": [one["shown"] for one in copies.params["pairs"]]},
        "",
        f"{_COPYING} {FOUND.attribute} ({FOUND.records} records)",
        _copies,
        (ledger.released, LEAST_COMPARED) if ledger is not None and whole else None,
    )


def copied(found: Found) -> tuple[Shortfall, ...]:
    """The findings of the check of copies, as evidence."""
    return tuple(
        Shortfall(
            model=COPIED,
            attribute=row["attribute"],
            threshold="0",
            reached=float(row["reached"]),
            classes=None,
            records=int(row["records"]),
        )
        for row in found
    )


def _copies(where: str, message: str, found: Found) -> SqlanonError:
    return InfeasibleError(_COPYING, copied(found))


def models_hold(metrics: Relation, cure: str = "a greater k") -> Check:
    """Refuse a release on which a declared model does not hold.

    Args:
        metrics: what was measured on what is about to be published.
        cure: what may help.
    """
    refused = _REFUSED.format(cure=cure)

    return Check(
        "every declared model holds",
        "release/check_gate",
        {"metrics": metrics},
        {},
        "",
        f"{refused} {FOUND.reached}",
        partial(_violated, refused),
    )


def _violated(refused: str, where: str, message: str, found: Found) -> SqlanonError:
    return InfeasibleError(refused, shortfalls(failed(found)))


FEWER = f"no group can be formed: one needs {{k}} records, the source has only {FOUND.records}"
TOO_FEW = (
    "k-anonymity cannot be reached: k is {k}, the source has only "
    f"{FOUND.records} records; lower k"
)


_FEW_SAMPLED = (
    "k-anonymity cannot be reached: ε and δ need classes of {k} sampled records, and only "
    f"{FOUND.records} were sampled in all; ask for a smaller epsilon or a greater delta, or take "
    "more records"
)


def enough_records(size: Relation, k: int, exact: bool = False, sampled: bool = False) -> Check:
    """Refuse a source with fewer records than a class must have.

    Args:
        size: how many records there are.
        k: how many a class must have.
        exact: whether exact rows are published in groups, whose size is no k.
        sampled: whether k follows from ε and δ, and the records were sampled.
    """
    refused = FEWER if exact else _FEW_SAMPLED if sampled else TOO_FEW
    return Check(
        "there are enough records",
        "source/check_enough_records",
        {"size": size},
        {"k": k},
        "publish.group" if exact else "privacy.k",
        refused.format(k=k),
        infeasible,
    )


def enough_that_share(projected: Sequence[Projected], unit: Unit) -> Iterator[Check]:
    """Refuse a k of some columns that is greater than the number of records, or of other units."""
    for projection in projected:
        where = f"{projection.projection.where}.k"
        yield Check(
            f"there are enough {unit.several} for {projection.name}",
            "source/check_enough_records",
            {"size": unit.size},
            {"k": projection.k},
            where,
            f"k of some columns cannot be reached: {where} is {projection.k}, the source has only "
            f"{FOUND.records} {unit.several}; lower it",
            infeasible,
        )


def too_few_records(k: int, records: int) -> InfeasibleError:
    """The refusal of a k that is greater than the number of records."""
    return InfeasibleError(filled(TOO_FEW.format(k=k), [{"records": records}]))


@dataclass(frozen=True)
class Judgement:
    """The part of a plan that judges what a reader can tie together.

    Attributes:
        steps: that lay out the view, measure it, and account for the records.
        measurement: what is measured.
        ledger: the account of the records, if they are to be those of the source.
        cure: what may help where a model does not hold.
        copies: what finds the sensitive columns that give a quasi-identifier back, if any may.
    """

    steps: tuple[Step | Check, ...]
    measurement: MeasurementPlan
    ledger: Ledger | None
    cure: str
    copies: Copies | None = None

    @property
    def gate(self) -> list[Check]:
        """The checks that refuse to publish if a model is violated: the last steps of a plan."""
        accounts = [] if self.ledger is None else self.ledger.checks
        copying = [] if self.copies is None else [nothing_copied(self.copies, self.ledger)]
        return [*accounts, *copying, models_hold(self.measurement.metrics, self.cure)]

    def outcome(self, session: Session) -> tuple[list[Metric], list[Shortfall]]:
        """The measures, and what the gate would refuse, once the steps are carried out."""
        measures = read_metrics(self.measurement.metrics, session.engine)
        found = [*shortfalls(measures)]
        if self.ledger is not None:
            check = self.ledger.check
            for row in session.fetch(check.template, check.inputs, check.params, 1).dicts():
                read, released = row["records_in"], row["records_out"]
                found.append(Shortfall("records", None, str(read), float(released)))
            if self.ledger.allowance is not None:
                check, share = self.ledger.within, exact(self.ledger.allowance.records)
                for row in session.fetch(check.template, check.inputs, check.params, 1).dicts():
                    lost = int(row["records_suppressed"]) / max(1, int(row["records_in"]))
                    found.append(Shortfall("suppressed_share", None, share, lost))
        if self.copies is not None:
            copying = nothing_copied(self.copies, None)
            most = len(self.copies.params["pairs"])
            there = session.fetch(copying.template, copying.inputs, copying.params, most)
            found += copied(there.dicts())
        return measures, found


def judge(view: AdversaryView, wanted: ToMeasure, ledger: Ledger | None = None) -> Judgement:
    """Plan to judge what a reader can tie together.

    Args:
        view: what that is.
        wanted: what is to be measured of it.
        ledger: the account of the records, if they are to be those of the source.
    """
    hidden = (attribute for attribute in view.sensitive if isinstance(attribute, HiddenAttribute))
    cure = next((attribute.remedy for attribute in hidden), view.remedy)
    accounting = () if ledger is None else ledger.steps
    # The share left out is a metric where there is a limit to it, so the account comes first.
    account = ledger.relation if ledger is not None and ledger.allowance else None
    measurement = measure(view, wanted, account)
    steps = (*measurement.steps, *accounting)
    if account is not None:
        steps = (*accounting, *measurement.steps)
    copying = None if wanted.compared is None else copies(view, wanted.compared)
    viewing = view.steps
    if not wanted.full:
        viewing = tuple(
            step
            for step in viewing
            if isinstance(step, Check) or step.output != view.unique_records
        )
    return Judgement((*viewing, *steps), measurement, ledger, cure, copying)
