"""Whether the source has, inside each class's cells, the records that the class publishes.

For every class and tuple of sensitive and insensitive values, the source's records with the tuple
and inside the cells are counted until there are enough. The source's records lie in the nested
cells of a grid: those inside a class are counted at once, those on its border are looked into, and
a demand that is met or cannot be met is not pursued.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlanon.domains.attribute import QuasiAttribute
from sqlanon.judge.check_result import Fault
from sqlanon.plan import Materialization, Plan, Step, work
from sqlanon.session import Session
from sqlanon.source.source import RECORDS
from sqlanon.sql.names import Relation, Sql

SHOWN, CLASSES, TUPLES = work("shown"), work("shown_classes"), work("shown_tuples")
_CODED, _POINTS, _SAMPLE = work("source_coded"), work("source_points"), work("source_sample")
_DEMANDS, _SAMPLED, _UNMET = work("demands"), work("demands_sampled"), work("demands_unmet")
_MATCHED = work("demands_matched")
# How many records of a tuple a finest cell holds, about; how many times a cell is halved at each
# level, and in all at most; how many records of a tuple are tried before the grid is searched.
_IN_CELL, _HALVINGS, _MOST_HALVINGS, _SAMPLED_RECORDS = 8, 3, 18, 128


@dataclass(frozen=True)
class Support:
    """The search for the records that classes publish.

    Attributes:
        quasi_identifiers: the quasi-identifiers; their domains are made of the source's records.
        published: the columns of the classes.
        keys: the columns of the tuples.
        sets: for each quasi-identifier that is published as sets, their members.
        boxes: the step that reads the classes as codes.
        fold: whether empty text is as NULL.
    """

    quasi_identifiers: Sequence[QuasiAttribute]
    published: tuple[Sql, ...]
    keys: tuple[Sql, ...]
    sets: Mapping[Sql, Relation]
    boxes: Step
    fold: bool

    def faults(self, session: Session) -> Iterator[Fault]:
        """Search, inside a transaction, and tell what classes publish and the source lacks."""
        largest = session.fetch("check/tuple_size", {"tuples": TUPLES}, {}, 1).rows[0][0]
        halvings = min(max((int(largest) // _IN_CELL).bit_length() - 1, 0), _MOST_HALVINGS)
        levels = -(-halvings // _HALVINGS)
        session.run(Plan((*self._placing(levels), *self._searching(levels))))
        rounds = [*(work("open_", level) for level in range(1, levels + 1)), _MATCHED]
        found = session.fetch(
            "check/check_supported",
            {f"open_{number}": relation for number, relation in enumerate(rounds, 1)},
            {"rounds": rounds},
            1,
        )
        for classes, records in found.rows:
            yield Fault("unsupported_records", None, int(records), int(classes))

    @property
    def _attributes(self) -> tuple[Sql, ...]:
        return tuple(attribute.alias for attribute in self.quasi_identifiers)

    def _placing(self, levels: int) -> Iterator[Step]:
        """The source's records as points, in the cells of the grid."""
        divided = self._divided(levels)
        places = {alias: work("places_", alias) for alias in divided}
        for attribute in self.quasi_identifiers:
            if attribute.alias in divided:
                yield Step(
                    f"parts of {attribute.name}",
                    places[attribute.alias],
                    "check/places",
                    {"domain": attribute.domain},
                    {"parts": 2 ** divided[attribute.alias]},
                )
        domains = {
            str(quasi_identifier.alias): quasi_identifier.domain
            for quasi_identifier in self.quasi_identifiers
        }
        yield Step(
            "the source in codes",
            _CODED,
            "source/coded",
            {"records": RECORDS} | {f"domain_{alias}": at for alias, at in domains.items()},
            {
                "attributes": self._attributes,
                "domains": domains,
                "nodes": {},
                "carried": self.keys,
                "tie_breaker": {},
            },
            Materialization.WORK_VIEW,
        )
        yield Step(
            "the source's distinct records",
            _POINTS,
            "check/points",
            {"coded": _CODED, "tuples": TUPLES}
            | {f"places_{alias}": relation for alias, relation in places.items()},
            {
                "attributes": self._attributes,
                "keys": self.keys,
                "fold": self.fold,
                "places": places,
                "divided": tuple(divided),
                "levels": _numbering(divided, levels),
            },
        )

    def _divided(self, levels: int) -> dict[Sql, int]:
        """How often each quasi-identifier is halved, one after the other."""
        turns = {
            alias: len(range(index, levels * _HALVINGS, len(self.quasi_identifiers)))
            for index, alias in enumerate(self._attributes)
        }
        return {alias: times for alias, times in turns.items() if times}

    def _searching(self, levels: int) -> Iterator[Step]:
        """The steps that seek what each class asks of the source, in finer and finer cells."""
        yield self.boxes
        keyed = {"published": self.published, "keys": self.keys, "fold": self.fold}
        yield Step(
            "what each class asks of the source",
            _DEMANDS,
            "check/demands",
            {"shown": SHOWN, "classes": CLASSES, "boxes": self.boxes.output, "tuples": TUPLES},
            keyed,
        )
        attributes, opened = {"attributes": self._attributes}, _DEMANDS
        if levels:
            yield Step(
                "a sample of the source",
                _SAMPLE,
                "check/sample",
                {"points": _POINTS},
                {"level": levels, "most": _SAMPLED_RECORDS, **attributes},
            )
            yield self._matching("what the sample adds", _SAMPLED, _DEMANDS, _DEMANDS, _SAMPLE, 0)
            yield Step(
                "what the sample does not meet",
                _UNMET,
                "check/unmet",
                {"demands": _DEMANDS, "matched": _SAMPLED},
            )
            opened = _UNMET
        frontier = opened
        for level in range(1, levels + 1):
            nodes, pairs, after = (work(name, level) for name in ("nodes_", "pairs_", "open_"))
            about = f"level {level} of {levels}"
            yield Step(
                f"the cells of {about}",
                nodes,
                "check/nodes",
                {"points": _POINTS},
                {"level": level, **attributes},
            )
            yield Step(
                f"the cells in and around each class, {about}",
                pairs,
                "check/pairs",
                {"open": opened, "frontier": frontier, "nodes": nodes, "boxes": self.boxes.output},
                attributes,
            )
            yield Step(
                f"what is not found yet, {about}",
                after,
                "check/open",
                {"open": opened, "pairs": pairs},
            )
            opened, frontier = after, pairs
        yield self._matching("what single records add", _MATCHED, opened, frontier, _POINTS, levels)

    def _matching(
        self,
        title: str,
        output: Relation,
        opened: Relation,
        frontier: Relation,
        points: Relation,
        level: int,
    ) -> Step:
        inputs = {"open": opened, "frontier": frontier, "points": points}
        inputs |= {"boxes": self.boxes.output}
        inputs |= {f"set_members_{alias}": relation for alias, relation in self.sets.items()}
        params = {"level": level, "attributes": self._attributes, "sets": self.sets}
        return Step(title, output, "check/matched", inputs, params)


def _numbering(divided: Mapping[Sql, int], levels: int) -> list[list[dict[str, Any]]]:
    """For each level of the grid, how a cell's number is made of the parts of each attribute.

    The parts are the finest ones; at a coarser level 2, 4, 8, … of them are one. All halvings of
    all attributes together are the binary digits of the number.
    """
    offsets, before = {}, 0
    for alias, times in divided.items():
        offsets[alias], before = before, before + times
    numbering = []
    for level in range(1, levels + 1):
        parts = []
        for index, (alias, times) in enumerate(divided.items()):
            made = len(range(index, level * _HALVINGS, len(divided)))
            if made:
                width, scale = 2 ** (times - made), 2 ** offsets[alias]
                parts.append({"attribute": alias, "width": width, "scale": scale})
        numbering.append(parts)
    return numbering
