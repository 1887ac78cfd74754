"""View, measure, judge: how a run judges what it is about to publish, and `check` any table."""

from __future__ import annotations

from dataclasses import dataclass

from sqlanon.domains.attribute import HiddenAttribute
from sqlanon.errors import Shortfall
from sqlanon.judge.gate import copied, models_hold, nothing_copied
from sqlanon.kept.metrics import Metric, read_metrics, shortfalls
from sqlanon.measure.copies import Copies, copies
from sqlanon.measure.plan import MeasurementPlan, ToMeasure, measure
from sqlanon.measure.view import AdversaryView
from sqlanon.plan import Check, Step
from sqlanon.publish.ledger import Ledger
from sqlanon.session import Session
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
    hidden = (one for one in view.sensitive if isinstance(one, HiddenAttribute))
    cure = next((one.remedy for one in hidden), view.remedy)
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
            one for one in viewing if isinstance(one, Check) or one.output != view.unique_records
        )
    return Judgement((*viewing, *steps), measurement, ledger, cure, copying)
