"""Classifiers trained on a release and on its source, and clusters of both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlanon.methods.workspace import Workspace
from sqlanon.session import Session
from sqlanon.spec import MEASURABLE
from sqlanon.sql.names import Relation, Sql
from sqlanon.uses.utilities.reading import BINS, RELEASED, SOURCE, Part

CLUSTERS, ROUNDS = 5, 20
MOST_COMBINATIONS = 1_000_000
_TITLE = "clusters of the quasi-identifiers"


class TooManyCombinationsError(Exception):
    """The combinations of one side are too many to be clustered round after round."""


def clustering_error(session: Session, parts: Sequence[Part]) -> float | None:
    """The misclassification error over clusters. Kiran and Kavya (2012), §5.2.

    Both sides are clustered by k-means, in whole numbers, from the same first centres. These are
    the commonest combination of the source, and then the one that is farthest from all centres
    (Gonzalez 1985).

    Args:
        session: where both are.
        parts: the quasi-identifiers, at least one.

    Returns:
        By how many records the clusters differ in size, over the records of the source.

    Raises:
        TooManyCombinationsError: if a side has more combinations than are clustered.
    """
    workspace = Workspace(session)
    try:
        source, released = (_Side.of(workspace, relation, parts) for relation in (SOURCE, RELEASED))
        first = _first_centres(workspace, source)
        clustered = {
            "source": _clustered(workspace, source, first),
            "released": _clustered(workspace, released, first),
        }
        rows = workspace.several("utility/clusters", clustered, CLUSTERS)
    finally:
        workspace.clear()
    moved = sum(abs(float(row["source_records"]) - float(row["released_records"])) for row in rows)
    return moved / sum(float(row["source_records"]) for row in rows)


@dataclass(frozen=True)
class _Side:
    """A side as points: its combinations of cells, and where the cells of every column lie."""

    name: str
    alike: Relation
    points: Relation
    aliases: tuple[Sql, ...]

    @classmethod
    def of(cls, workspace: Workspace, side: Relation, parts: Sequence[Part]) -> _Side:
        name = "source" if side == SOURCE else "released"
        alike = workspace.make(
            _TITLE,
            f"combinations_{name}",
            "utility/alike",
            {"released": side},
            attributes=[{"alias": part.alias} for part in parts],
        )
        if workspace.rows(alike) > MOST_COMBINATIONS:
            raise TooManyCombinationsError
        coordinates = [
            workspace.make(
                _TITLE,
                f"coordinates_{part.alias}_{name}",
                "utility/coordinates",
                {"values": part.values, "read": part.read(side)},
                in_order=part.kind in MEASURABLE,
            )
            for part in parts
        ]
        points = workspace.make(
            _TITLE,
            f"points_{name}",
            "utility/points",
            {f"coordinates_{number}": relation for number, relation in enumerate(coordinates, 1)},
            coordinates=coordinates,
        )
        return cls(name, alike, points, tuple(part.alias for part in parts))

    def nearest(self, workspace: Workspace, centres: Relation) -> Relation:
        """Every combination with its nearest centre."""
        return workspace.make(
            _TITLE,
            f"clustered_{self.name}",
            "utility/clustered",
            {"alike": self.alike, "points": self.points, "centres": centres},
            aliases=self.aliases,
        )


def _first_centres(workspace: Workspace, side: _Side) -> Relation:
    """The centres from which both sides begin."""

    def begin(cluster: int, inputs: dict[str, Relation]) -> Relation:
        return workspace.make(
            _TITLE,
            f"centres_{cluster}",
            "utility/centre",
            {"points": side.points, **inputs},
            aliases=side.aliases,
            cluster=cluster,
        )

    centres = begin(1, {"combinations": side.alike})
    for cluster in range(2, CLUSTERS + 1):
        nearest = side.nearest(workspace, centres)
        centres = begin(cluster, {"combinations": nearest, "older": centres})
    return centres


def _clustered(workspace: Workspace, side: _Side, centres: Relation) -> Relation:
    """Every combination of a side with its cluster, once no centre moves."""
    for number in range(1, ROUNDS + 1):
        clustered = side.nearest(workspace, centres)
        moved = workspace.make(
            _TITLE,
            f"centres_{side.name}_{number % 2}",
            "utility/centres",
            {"clustered": clustered, "points": side.points, "older": centres},
            aliases=side.aliases,
        )
        both = {"centres": moved, "older": centres}
        if not workspace.one("utility/moved", both)["moved"]:
            break
        centres = moved
    return clustered


@dataclass(frozen=True)
class Predicted:
    """A bin of the attribute that is predicted.

    Attributes:
        answer: its number.
        records: how many held-out records have it.
        predicted: for how many it is predicted.
        met: for how many of these it is right.
        commonest: 1 of the commonest of those that the classifier was trained on, else 0.
    """

    answer: int
    records: int
    predicted: int
    met: int
    commonest: int


@dataclass(frozen=True)
class Predictions:
    """The predictions for held-out records: the bins that a record has or is predicted to have."""

    bins: tuple[Predicted, ...]

    @property
    def accuracy(self) -> float | None:
        """The share that is predicted right; None where none is predicted."""
        return self._share(sum(group.met for group in self.bins))

    @property
    def baseline(self) -> float | None:
        """The share that has the commonest bin; None where none is predicted."""
        return self._share(sum(group.records for group in self.bins if group.commonest))

    def error(self, true: Predictions) -> float | None:
        """The misclassification error against another classifier. Kiran and Kavya (2012), §5.2."""
        mine, other = (
            {group.answer: group.predicted for group in each.bins} for each in (self, true)
        )
        moved = (abs(mine.get(number, 0) - other.get(number, 0)) for number in {*mine, *other})
        return self._share(sum(moved))

    def _share(self, records: int) -> float | None:
        total = sum(group.predicted for group in self.bins)
        return records / total if total else None


def predictions(
    session: Session, target: Part, known: Sequence[Part], side: Relation, holds_out: bool = False
) -> Predictions:
    """The predictions of naive Bayes for held-out records of the source, trained on one side.

    Args:
        session: where both sides are laid out.
        target: the attribute whose bins are predicted.
        known: the attributes from whose bins they are.
        side: what it is trained on.
        holds_out: whether it is not trained on those records, if it is trained on the source.
    """
    inputs = {"profiles": side, "source": SOURCE}
    columns = []
    for part in (target, *known):
        read = {"read": part.read(side), "source": part.read(SOURCE)}
        inputs |= {f"{name}_{part.alias}": relation for name, relation in read.items()}
        columns.append({"alias": part.alias, **read})
    params = {"target": columns[0], "attributes": columns[1:], "holds_out": holds_out}
    found = session.fetch("utility/classified", inputs, params, BINS)
    return Predictions(
        tuple(Predicted(**{name: int(is_) for name, is_ in row.items()}) for row in found.dicts())
    )
