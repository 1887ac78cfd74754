"""A release that grows by batches: what is published stays, and new batches are added to it.

The batch is a quasi-identifier that is published. So a class lies within a batch. A model that
holds in every class of a build holds in each of its batches. As no later class has the same label,
it holds in all that is published, too. The labels follow from a record's values alone: the release
is the one that would be made of all batches at once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass

from sqlanon.errors import Problem, SpecError
from sqlanon.plan import Step, work
from sqlanon.planning.prepare import Prepared
from sqlanon.record.dictionary import meanings
from sqlanon.spec import Spec
from sqlanon.sql.names import Relation


@dataclass(frozen=True)
class Batches:
    """By which quasi-identifier a release grows.

    Attributes:
        name: the column.
        number: which it is among the quasi-identifiers, from 1 on.
        meaning: a hash of what labels stand for: it stays while the release grows.
    """

    name: str
    number: int
    meaning: str

    @property
    def labels(self) -> Relation:
        """The relation with the label of each of its values."""
        return work("labels_", f"q{self.number}")


def batches_of(spec: Spec, prepared: Prepared, column: str) -> Batches:
    """How a release grows by the labels of a column.

    Raises:
        SpecError: if what holds in new batches would not hold in all that is published.
    """
    problems = list(_problems(spec, prepared, column))
    if problems:
        raise SpecError(problems)
    # The levels are those of a recipe, too, and a hierarchy in a file is what the file says.
    said = prepared.spec.model_dump(mode="json", include={"quasi_identifiers", "levels"})
    said["meanings"] = meanings(prepared.spec, prepared.source_info.columns)
    return Batches(
        name=column,
        number=list(spec.quasi_identifiers).index(column) + 1,
        meaning=hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest(),
    )


def _problems(spec: Spec, prepared: Prepared, column: str) -> Iterator[Problem]:
    if column not in spec.quasi_identifiers:
        what = (
            f"--incremental {column}: a release grows by a quasi-identifier that is published, "
            "such as the month: then every class lies in one batch"
        )
        yield Problem("quasi_identifiers", what)
        return
    if not prepared.is_recoded or prepared.forming.taken_over is not None or spec.insensitive:
        what = (
            "with --incremental the labels must follow from a record's values alone: give the "
            "level of every quasi-identifier, or a recipe of levels, and leave out what a plan of "
            "labels has not (docs/how-to/script.md)"
        )
        yield Problem("levels", what)
    elif not any(
        isinstance(step, Step) and step.title == f"labels of {column}" for step in prepared.plan
    ):
        yield Problem(f"levels.{column}", "all batches would have one label: take a lower level")
    for asked in prepared.measurement.models:
        if asked.demand.threshold is not None and "positions" in asked.model.reads:
            what = (
                f"{asked.model.name} compares classes with the whole table, and a build sees its "
                "new batches alone: ask for l or alpha"
            )
            yield Problem(f"sensitive.{asked.name}", what)
