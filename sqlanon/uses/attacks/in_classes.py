"""The findings of a reader about the members of every class, and the relation that keeps them.

The minimality attack: what is learned from a class not having been split further.

Wong et al. (2007): a reader who knows the algorithm and everybody's quasi-identifiers can reason
that a class was left large because a smaller class would have broken the model.
"""

from __future__ import annotations

from sqlanon.measure.asked import class_column
from sqlanon.measure.view import AdversaryView
from sqlanon.methods import METHODS
from sqlanon.pages.figures import Attack
from sqlanon.plan import Materialization, Plan, Step, work
from sqlanon.privacy.alpha import ALPHA
from sqlanon.record.left_out import given_away
from sqlanon.sql.names import Relation
from sqlanon.uses.attacks.as_published import Target
from sqlanon.uses.attacks.inside import homogeneity_step, similarity_step, skewness_step

_BY_VALUES = (
    "not computed: the method deals the records out and never refuses a split, so that the size of "
    "a class says nothing of its values"
)
_BY_SEARCH = (
    "not computed: the method refuses splits that break a model, but the run neither publishes nor "
    "keeps the splits that it tried. A reader who knows everybody's quasi-identifiers and the "
    "method may learn that it refused a split. k alone gives nothing to learn"
)
_BY_LEVELS = (
    "not computed: the method refused finer levels, and a reader who knows everybody's "
    "quasi-identifiers sees for which of them k holds. The chance of a value is its share among "
    "all tables in which each of them breaks a model, and no class can be counted by itself. k "
    "alone gives nothing to learn"
)
_UNKNOWN = "not computed: how the classes were formed is not known"


def minimality(method: str | None) -> str:
    """The remark about the attack on classes that a method has formed.

    Args:
        method: its name; None of a release that another tool has made.
    """
    if method is None:
        return _UNKNOWN
    if METHODS[method].Settings.chooses_levels:
        return _BY_LEVELS
    return _BY_SEARCH if METHODS[method].refuses else _BY_VALUES


_INSIDE: tuple[Attack, ...] = ("homogeneity", "skewness", "similarity")
_ATTACKED = work("attacked")
_NO_ORDER = "not computed of {}: it has neither groups of a hierarchy nor an order"
_NO_PERSONS = (
    "persons of whom a value is certain are not counted: no release tells them apart, and the "
    "classes that its run kept are not there, or are not those of a reader who knows more"
)
_NO_SENSITIVE = "not computed: the release has no sensitive attribute"


class InClasses:
    """The findings about every class, in one attack."""

    def __init__(self, target: Target) -> None:
        """Take down what is attacked."""
        self._session, self._findings, self._keep = target.session, target.findings, target.keep
        self._published = target.published
        self._rows: list[dict[str, object]] = []

    def add(self, attack: Attack, attribute: str | None, found: Relation) -> None:
        """Take down what an attack found of every class."""
        self._rows.append({"attack": attack, "attribute": attribute, "relation": found})

    def look(self, view: AdversaryView) -> None:
        """Attack every class by its own sensitive values."""
        if not view.sensitive:
            for attack in _INSIDE:
                self._findings.note(attack, _NO_SENSITIVE)
        unordered = []
        for attribute in view.sensitive:
            steps = [homogeneity_step(attribute, view), skewness_step(attribute, view)]
            similar = similarity_step(attribute, view)
            if similar is None:
                unordered.append(attribute.name)
            else:
                steps.append(similar)
            self._session.run(Plan(tuple(steps)))
            for attack, step in zip(_INSIDE, steps, strict=False):
                self.add(attack, attribute.name, step.output)
        if unordered:
            self._findings.note("similarity", _NO_ORDER.format(", ".join(unordered)))

    def tell(self) -> None:
        """Tell what was found of classes, and keep it if it is to be kept."""
        if not self._rows:
            return
        output, how = _ATTACKED, Materialization.WORK_TABLE
        if self._keep is not None:
            output, how = self._keep.sibling("attacked"), Materialization.TABLE
        inputs = {f"found_{number}": row["relation"] for number, row in enumerate(self._rows, 1)}
        self._session.run(
            Plan(
                (
                    Step(
                        "what is found of every class",
                        output,
                        "attacks/attacked",
                        inputs,
                        {"attacks": self._rows},
                        how,
                    ),
                )
            )
        )
        found = self._session.fetch("attacks/exposed", {"attacked": output}, {}, len(self._rows))
        of_records = not self._published.of_persons
        self._findings.of_classes(found.rows, of_records)
        if not of_records:
            self._of_persons()

    def _of_persons(self) -> None:
        """Count the persons of whom a value is certain, which no release tells: its run kept it."""
        found, sensitive = self._published, list(self._published.spec.sensitive)
        if found.counted is None:
            self._findings.note("homogeneity", _NO_PERSONS)
            return
        with self._session.engine.reading(found.counted) as item:
            there = {column.name for column in self._session.engine.columns(item)}
        if not {class_column(ALPHA.name, name) for name in sensitive} <= there:
            self._findings.note("homogeneity", _NO_PERSONS)  # a run of what is asked for
            return
        given = given_away(found.counted, sensitive, "persons", self._session)
        persons = {attribute.attribute: attribute.units for attribute in given}
        for name in sensitive:
            self._findings.tell("homogeneity_count", name, persons.get(name, 0))
