"""How many of a population the published cells cover: k-map and δ-presence.

The count is of the population's rows that lie in the cells of every published tuple, for all forms
and methods. Everybody in the release is one of the population, so that a tuple covers at least as
many of it as it has records. A run refuses a release of which that is not so: then nothing that is
asked against the population means anything.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlanon.measure.asked import Asked
from sqlanon.measure.cover import cells_of
from sqlanon.measure.persons import PersonCounts
from sqlanon.measure.view import AdversaryView
from sqlanon.plan import Check, Step, work
from sqlanon.privacy import OF_POPULATION, Demand
from sqlanon.spec import Privacy
from sqlanon.sql import Relation

COVERED = work("population_covered")
_NOT_OF_IT = (
    "the released persons are to be of the population, and {classes} published tuples with "
    "{records} records cover only {covered} of its rows: name the table that they are from, with "
    "a row for each person and the values that the source has of them"
)


@dataclass(frozen=True)
class Population:
    """A population against which a release is measured.

    Attributes:
        tuples: how many of its rows have each combination of the quasi-identifiers' codes.
    """

    tuples: Relation


@dataclass(frozen=True)
class AskedPopulation(Asked):
    """A model that is asked of the published tuples against a population."""

    def step(
        self,
        classes: Relation,
        class_values: Mapping[str, Relation],
        persons: Mapping[str, PersonCounts] | None = None,
    ) -> Step:
        """The step that measures it in every class, for any threshold.

        Args:
            classes: how many records every class has, or where persons are counted how many
                persons, and how many rows of the population its tuple covers.
            class_values: not read.
            persons: not read.
        """
        return Step(
            f"measuring {self.model.title} against the population",
            self.relation,
            self.model.measured,
            {"covered": classes},
            {},
        )


def asked_population(privacy: Privacy) -> list[AskedPopulation]:
    """The models that are asked or measured against a population; none where there is none."""
    population = privacy.population
    if population is None:
        return []
    return [AskedPopulation(Demand(model, model.asked(population))) for model in OF_POPULATION]


def population_steps(
    view: AdversaryView, population: Population, asked: Sequence[AskedPopulation]
) -> list[Step | Check]:
    """The steps that measure what the published tuples of a view cover.

    Args:
        view: what a reader can tie together, with cells that can be read back.
        population: the population.
        asked: what is measured.
    """
    cells = cells_of(view.priced, view.classes)
    steps: list[Step | Check] = [*cells.steps]
    steps.append(
        Step(
            "how much of the population each tuple covers",
            COVERED,
            "population/covered",
            {"classes": view.sizes, "population": population.tuples, **cells.inputs},
            {"columns": cells.columns},
        )
    )
    steps.append(
        Check(
            "every released person is one of the population",
            "population/check_covered",
            {"covered": COVERED},
            {},
            "privacy.population.source",
            _NOT_OF_IT,
        )
    )
    return [*steps, *(one.step(COVERED, {}) for one in asked)]
