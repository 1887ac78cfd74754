"""The beliefs of a reader with background knowledge: how likely a person has each value.

Machanavajjhala et al. (2007), §2.2; Kiran and Kavya (2012), §3.2; Gowda (2023), §2.5.2. Somebody is
known to be in the release, by some of the quasi-identifiers u, and so is P(v | u) of every value v.
Of everybody else the reader knows how often the whole release has each value. A run whose spec
declares a background measures another reader: one with P(v | u) of all records.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlanon.domains.attribute import SensitiveAttribute
from sqlanon.measure.view import AdversaryView
from sqlanon.pages.figures import Figure
from sqlanon.plan import FOUND, Check, Step, work
from sqlanon.sql.names import Relation, Sql
from sqlanon.uses.attacks.linking import Fitted, coded, places_of

_SURVEY = "Kiran and Kavya (2012), §3; Gowda (2023), §2.5.2"
_MEASURED = "attacks/told_beliefs"

BELIEFS = (
    Figure(
        name="known_prior",
        attack="background",
        per="sensitive attribute",
        measured=_MEASURED,
        direction=None,
        value="max P(v | u) over the values v and the tuples u that fit a record",
        paper=_SURVEY,
        says="a reader with the background is this sure of a value of somebody at most, before "
        "reading the release",
    ),
    Figure(
        name="known_belief",
        attack="background",
        per="sensitive attribute",
        measured=_MEASURED,
        value="max P(v | u) n_v / N_v, of a sum of 1 over the values v: n_v of the N_v records "
        "with v fit u",
        paper=f"Machanavajjhala et al. (2007), §2.2; {_SURVEY}",
        says="a reader with the background is this sure of a value of somebody at most, after "
        "reading the release",
    ),
    Figure(
        name="known_omega",
        attack="background",
        per="sensitive attribute",
        measured=_MEASURED,
        value="the same by the omega-estimate: max n_v P(v | u) / (P(v | u) + (n - 1) N_v / N), of "
        "a sum of 1 over the values v: n of N records fit u",
        paper="Li, Li and Zhang (2010), §4",
        says="by the omega-estimate such a reader is this sure of a value of somebody at most",
    ),
    Figure(
        name="known_gain",
        attack="background",
        per="sensitive attribute",
        measured=_MEASURED,
        value="max (belief - P(v | u)) over the same v and u",
        paper=_SURVEY,
        says="such a reader becomes surer of a value of somebody by at most this much",
    ),
)
TOLD = work("told")
_TUPLES, _VALUES, _CLASSES = work("told_tuples"), work("told_values"), work("told_classes")
_TARGETS, _FOUND = work("told_targets"), work("told_beliefs")
# An attack compares at most this many pairs of tuples, one of the table and one published.
MOST_TOLD = 100_000_000
_WHERE = "background"
_NO_BACKGROUND = (
    f"the table is no background: {FOUND.twice} pairs of a tuple and a value have several rows; "
    f"{FOUND.negative} rows have no probability from 0 to 1; of {FOUND.uneven} tuples the "
    f"probabilities do not sum to 1 within a millionth; {FOUND.unnamed} values of the release are "
    "never named: give every tuple each value once (one that is left out has probability 0)"
)
_TOO_MANY = (
    f"it tells of {FOUND.tuples} tuples, and the release has {FOUND.published}: "
    f"{MOST_TOLD:,} pairs are compared at most; give those of fewer persons"
)


@dataclass(frozen=True)
class Told:
    """A background as it is read, held against what is published.

    Attributes:
        attribute: the sensitive attribute that it tells of.
        fitted: the quasi-identifiers by which it does.
        view: what a reader can tie together.
        tuples: the published tuples: ``class_id`` and ``records``.
        owner: the tuples' column that names the view's class.
    """

    attribute: SensitiveAttribute
    fitted: Sequence[Fitted]
    view: AdversaryView
    tuples: Relation
    owner: Sql

    @property
    def steps(self) -> list[Step | Check]:
        """The steps from the table to what is believed of each tuple."""
        by = {"attributes": tuple(column.alias for column in self.fitted)}
        spans = {column.alias: column.spans for column in self.fitted}
        sets = {
            column.alias: column.members for column in self.fitted if column.members is not None
        }
        positions = {"positions": self.attribute.positions}
        told = {"tuples": _TUPLES, "given": _VALUES}
        return [
            Step(
                "the tuples that the background tells of",
                _TUPLES,
                "attacks/told_tuples",
                {"told": TOLD},
                by,
            ),
            Step(
                "what it says of each",
                _VALUES,
                "attacks/told_values",
                {"told": TOLD, "told_tuples": _TUPLES},
                by,
            ),
            Check(
                "the background is one",
                "source/check_distributions",
                told | positions,
                {},
                _WHERE,
                _NO_BACKGROUND,
            ),
            Step(
                "what is published, as codes of what is told",
                _TARGETS,
                "attacks/targets",
                {"tuples": self.tuples, "held": self.view.classes}
                | {f"spans_{alias}": at for alias, at in spans.items()},
                {"spans": spans, "sensitive": (), "owner": self.owner},
            ),
            Check(
                "the background tells of few enough tuples",
                "attacks/check_told_effort",
                {"told_tuples": _TUPLES, "targets": _TARGETS},
                {"most": MOST_TOLD},
                _WHERE,
                _TOO_MANY,
            ),
            Step(
                "the classes that may have somebody of each tuple",
                _CLASSES,
                "attacks/told_classes",
                {"told_tuples": _TUPLES, "targets": _TARGETS}
                | places_of(self.fitted)
                | {f"set_members_{alias}": at for alias, at in sets.items()},
                {"attributes": coded(self.fitted), "sets": sets},
            ),
            Step(
                f"what is believed of {self.attribute.name}",
                _FOUND,
                _MEASURED,
                {
                    "told_classes": _CLASSES,
                    "told_values": _VALUES,
                    "class_values": self.view.class_values[str(self.attribute.alias)],
                }
                | positions,
            ),
        ]

    @property
    def totals(self) -> tuple[str, dict[str, Any], dict[str, Any]]:
        """The question what that comes to."""
        return "attacks/told_totals", {"told_tuples": _TUPLES, "told_beliefs": _FOUND}, {}
