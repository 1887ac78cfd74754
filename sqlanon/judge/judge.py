"""View, measure, judge: how a run judges what it is about to publish, and `check` any table."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from sqlanon.domains import BackgroundAttribute, GuardAttribute
from sqlanon.errors import Shortfall
from sqlanon.judge.gate import copied, models_hold, nothing_copied
from sqlanon.kept.metrics import Metric, read_metrics, shortfalls
from sqlanon.measure import (
    AdversaryView,
    Compared,
    Copies,
    MeasurementPlan,
    Population,
    copies,
    measure,
)
from sqlanon.plan import Check, Step
from sqlanon.publish import Ledger
from sqlanon.session import Session
from sqlanon.spec import Privacy
from sqlanon.spec.method import SETTINGS
from sqlanon.sql import Relation
from sqlanon.sql.names import exact


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
        """What refuses to publish what violates a model: the last steps of a run's plan."""
        accounts = [] if self.ledger is None else self.ledger.checks
        copying = [] if self.copies is None else [nothing_copied(self.copies, self.ledger)]
        return [*accounts, *copying, models_hold(self.measurement.metrics, self.cure)]

    def outcome(self, session: Session) -> tuple[list[Metric], list[Shortfall]]:
        """What was measured and what the gate would refuse, once the steps are carried out."""
        measures = read_metrics(self.measurement.metrics, session.engine)
        found = [*shortfalls(measures)]
        if self.ledger is not None:
            check = self.ledger.check
            for row in session.fetch(check.template, check.inputs, check.params, 1).dicts():
                read, released = row["records_in"], row["records_out"]
                found.append(Shortfall("records", None, str(read), float(released)))
            if self.ledger.limit:
                check, share = self.ledger.within, exact(self.ledger.limit)
                for row in session.fetch(check.template, check.inputs, check.params, 1).dicts():
                    lost = int(row["records_suppressed"]) / max(1, int(row["records_in"]))
                    found.append(Shortfall("suppressed_share", None, share, lost))
        if self.copies is not None:
            copying = nothing_copied(self.copies, None)
            most = len(self.copies.params["pairs"])
            there = session.fetch(copying.template, copying.inputs, copying.params, most)
            found += copied(there.dicts())
        return measures, found


def judge(
    view: AdversaryView,
    privacy: Privacy,
    ledger: Ledger | None = None,
    shares: Relation | None = None,
    beside: Relation | None = None,
    changes: Relation | None = None,
    proved: Relation | None = None,
    metrics: Collection[str] = (),
    population: Population | None = None,
    compared: Compared | None = None,
    asked_only: bool = False,
) -> Judgement:
    """Plan to judge what a reader can tie together.

    Args:
        view: what that is.
        privacy: what is asked of every class.
        ledger: the account of the records, if they are to be those of the source.
        shares: what the insensitive columns say about single records, if that was measured.
        beside: the release beside which the class report and the metrics are kept; without one
            they are work relations.
        changes: what the transforms change, if there are any.
        proved: what the sampling proves, where records are sampled.
        metrics: what is asked for beside what every release is measured by.
        population: the population beside which it is measured, where one is declared.
        compared: what is compared to find the sensitive columns that give a quasi-identifier back.
        asked_only: whether nothing is measured but what the spec asks for.
    """
    cure = view.remedy
    if any(isinstance(one, BackgroundAttribute) for one in view.sensitive):
        cure = (
            "a method that starts from clusters of alike background "
            f"({', '.join(name for name, one in SETTINGS.items() if one.clusters)}), suppression, "
            "or a greater bk"
        )
    elif any(isinstance(one, GuardAttribute) for one in view.sensitive):
        cure = "a greater p, a greater k, or another method"
    accounting = () if ledger is None else (ledger.step,)
    # What is left out is a metric where there is a limit to it, so the account comes first.
    account = ledger.relation if ledger is not None and ledger.limit else None
    measurement = measure(
        view,
        privacy=privacy,
        shares=shares,
        beside=beside,
        ledger=account,
        changes=changes,
        proved=proved,
        metrics=metrics,
        population=population,
        asked_only=asked_only,
    )
    steps = (*measurement.steps, *accounting)
    if account is not None:
        steps = (*accounting, *measurement.steps)
    copying = None if compared is None else copies(view, compared)
    if copying is not None:
        steps += (copying.coding,)
    viewing = view.steps
    if asked_only:
        viewing = tuple(
            one for one in viewing if isinstance(one, Check) or one.output != view.unique_records
        )
    return Judgement((*viewing, *steps), measurement, ledger, cure, copying)
