"""Measuring what a release is still good for, from what was published and from its source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from math import sqrt

from sqlanon.engines import Engine
from sqlanon.errors import InfeasibleError, Problem, SpecError
from sqlanon.methods.workspace import Workspace
from sqlanon.pages.figures import Finding
from sqlanon.plan import Plan, Step
from sqlanon.session import Listener, Session
from sqlanon.spec import NUMBERS, Column, Source
from sqlanon.spec.metrics import MOST_QUERIES, AskedQuery
from sqlanon.sql.names import Relation, Sql
from sqlanon.uses.attacks.against import alias
from sqlanon.uses.attacks.as_published import EXACT, AsPublished, ShownCell
from sqlanon.uses.attacks.fitting import fit
from sqlanon.uses.attacks.linking import EXTERNAL
from sqlanon.uses.utilities import asking
from sqlanon.uses.utilities.conditions import own_queries
from sqlanon.uses.utilities.figures import UNIFORM
from sqlanon.uses.utilities.mining import (
    MOST_COMBINATIONS,
    TooManyCombinationsError,
    clustering_error,
    predictions,
)
from sqlanon.uses.utilities.reading import (
    BINS,
    RELEASED,
    SHOWN,
    SOURCE,
    Part,
    aliases_of,
    read_source,
    released,
    rows_of,
    shown_steps,
    sides,
)
from sqlanon.uses.utilities.useful import Bin, Utility, correlation, useful

# So many pairs of a combination of the source and one of the release are looked at, at most.
MOST_PAIRS = 200_000_000
_TITLE = "combinations of all quasi-identifiers"
QUERIES = 200  # that are drawn by default
_CENTROIDS = (
    "of {}: a centroid is read as the value of every record of its class; a mean that no record "
    "has, as the two values around it; no reader can say whose value it is"
)
_SIDES = (SOURCE, RELEASED)


def utility(
    published: AsPublished,
    engine: Engine,
    source: Source,
    source_item: Sql | None = None,
    queries: int = QUERIES,
    seed: int = 1,
    own: Mapping[str, AskedQuery] | None = None,
    listener: Listener | None = None,
) -> Utility:
    """Measure what a release is still good for. Nothing is written.

    Args:
        published: the release.
        engine: where it is.
        source: what it was made of.
        source_item: a FROM item in its place.
        queries: how many COUNT queries are drawn; 0 for none.
        seed: what they are drawn from.
        own: the user's own queries, by their names.
        listener: hears of every step.

    Raises:
        SpecError: if the source does not fit the release.
        InfeasibleError: if the release has no records.
    """
    if not 0 <= queries <= MOST_QUERIES:
        raise SpecError(Problem("queries", f"it must be from 0 to {MOST_QUERIES:,}"))
    measuring = _Measuring(published, engine, queries, seed, own or {})
    return measuring.run(source, source_item, listener)


class _Measuring:
    """One measuring of utility."""

    def __init__(
        self,
        published: AsPublished,
        engine: Engine,
        queries: int,
        seed: int,
        own: Mapping[str, AskedQuery],
    ) -> None:
        self.published, self.engine = published, engine
        self.queries, self.seed, self.own = queries, seed, own
        self.read = UNIFORM if published.groups is None else published.groups.read
        self.notes: dict[str, str] = {}
        self.findings: list[Finding] = []
        self.marginals: dict[str, tuple[Bin, ...]] = {}

    def run(self, source: Source, item: Sql | None, listener: Listener | None) -> Utility:
        """Carry it out, in one transaction of which nothing stays."""
        published, engine = self.published, self.engine
        cells, roles = self._cells()
        read, columns = read_source(source, cells, published.spec, engine, item)
        session = Session(engine, listener, plans=2)
        with session.transaction(keep=False):
            session.run(Plan((read, *shown_steps(published, cells))))
            records, total = (self._count(relation) for relation in (rows_of(published), EXTERNAL))
            if not records:
                what = f"{published.name!r} has no records: it is good for nothing"
                raise InfeasibleError(what)
            if not total:
                raise SpecError(Problem("source", "it has no row: nothing can be compared with it"))
            parts = self._lay_out(session, cells, roles, columns)
            own = own_queries(self.own, {part.name: part for part in parts}, self.notes)
            self._distributions(session, parts)
            self._means(session, parts, records)
            self._correlations(session, parts)
            self._classifiers(session, parts)
            self._clusters(session, parts)
            asked = self._ask(session, parts, total)
            totals = {SOURCE: total, RELEASED: records}
            answers = asking.own_answers(session, parts, own, totals, self.read)
            if any(query.hidden for query in own):
                self._tell("hiding_failure", (), asking.hidden_share(own, answers, totals))
            session.drop_work()
        return Utility(
            release=published.name,
            records=records,
            source_records=total,
            findings=tuple(self.findings),
            queries=asked,
            seed=self.seed,
            answers=tuple(answers),
            notes=self.notes,
            marginals=self.marginals,
        )

    def _count(self, relation: Relation) -> int:
        named = self.engine.named(relation)
        rows = self.engine.fetch_portable(
            f"select count(*) from {named}", 1, "counting records"
        ).rows
        return int(rows[0][0])

    def _tell(self, figure: str, of: tuple[str, ...], value: float | None) -> None:
        self.findings.append(useful(figure, of, value, self.read))

    # --- what is read -----------------------------------------------------------------------------

    def _cells(self) -> tuple[list[ShownCell], dict[str, str]]:
        """The columns that both have, as published, and their roles."""
        published = self.published
        cells = list(published.cells)
        centroids = [cell.name for cell in cells if not cell.covers]
        if centroids:
            self.notes["exact_share"] = _CENTROIDS.format(", ".join(centroids))
        roles = {cell.name: "quasi_identifier" for cell in cells}
        carried = [column for column in published.insensitive if column.kind in NUMBERS]
        for role, columns in (("sensitive", published.sensitive), ("insensitive", carried)):
            for column in columns:
                if column.name in published.transformed:
                    self.notes[column.name] = "transformed, so that its values are not the source's"
                elif column.kind == "other":
                    self.notes[column.name] = (
                        f"of type {column.shown_type}, which cannot be compared"
                    )
                else:
                    cells.append(ShownCell(column.name, EXACT, (column,), None))
                    roles[column.name] = role
        return cells, roles

    def _lay_out(
        self,
        session: Session,
        cells: Sequence[ShownCell],
        roles: Mapping[str, str],
        columns: Mapping[str, Column],
    ) -> list[Part]:
        """Make the relations that both sides are read from."""
        parts, steps = [], []
        for number, cell in enumerate(cells, 1):
            shown = aliases_of(number, cell)
            different = Step(
                f"cells of {cell.name}",
                released(alias(number)),
                "measure/classes",
                {"measured": SHOWN},
                {"published": shown},
            )
            fitted, made = fit(cell, number, columns[cell.name], shown, different.output, "source")
            part = Part(cell.name, fitted, shown, columns[cell.name].kind, roles[cell.name])
            steps += [different, *made, *part.steps]
            parts.append(part)
        session.run(Plan((*steps, *sides(parts, self.published.apart))))
        return parts

    # --- the figures ------------------------------------------------------------------------------

    def _distributions(self, session: Session, parts: Sequence[Part]) -> None:
        asked = [part for part in parts if part.role != "insensitive"]
        found = []
        for part in asked:
            found.append(self._distance(session, "marginal", [part]))
            self.marginals[part.name] = self._marginal(session, part)
        # A method that shuffles values may part those of a record; no other does.
        shuffled = self.published.groups is not None and not self.published.apart
        for left, right in combinations(asked, 2):
            if left.role == "quasi_identifier" or shuffled:
                found.append(self._distance(session, "pair", [left, right]))
        for figure, value in asking.costs(found).items():
            self._tell(figure, (), value)
        known = [part for part in asked if part.role == "quasi_identifier"]
        if known:
            self._joint(session, "joint_divergence", known, ())
            for part in asked:
                if part.role == "sensitive":
                    of = (part.name,)
                    self._joint(session, "joint_sensitive_divergence", [*known, part], of)

    def _joint(
        self, session: Session, figure: str, parts: Sequence[Part], of: tuple[str, ...]
    ) -> None:
        try:
            self._tell(figure, of, joint_divergence(session, parts))
        except TooManyPairsError:
            what = f"more than {MOST_PAIRS:,} pairs of combinations of both sides to look at"
            self.notes[figure] = what

    def _distance(self, session: Session, figure: str, parts: Sequence[Part]) -> asking.Patterns:
        """Tell how far the distribution is from the source's, and return its frequent patterns."""
        inputs = {"source": SOURCE, "released": RELEASED}
        for part in parts:
            inputs[f"source_{part.alias}"] = part.read(SOURCE)
            inputs[f"released_{part.alias}"] = part.read(RELEASED)
        attributes = [
            {"alias": part.alias, "source": part.read(SOURCE), "released": part.read(RELEASED)}
            for part in parts
        ]
        params = {"attributes": attributes, "support": asking.SUPPORT}
        (row,) = session.fetch("utility/distance", inputs, params, 1).dicts()
        of = tuple(part.name for part in parts)
        self._tell(f"{figure}_variation", of, float(row["variation"]))
        self._tell(f"{figure}_hellinger", of, sqrt(max(0.0, float(row["hellinger"]))))
        divergence = row["divergence"]
        self._tell(f"{figure}_divergence", of, None if divergence is None else max(0.0, divergence))
        return asking.Patterns(*(int(row[name]) for name in asking.Patterns._fields))

    def _marginal(self, session: Session, part: Part) -> tuple[Bin, ...]:
        inputs = {
            "source": SOURCE,
            "released": RELEASED,
            "values": part.values,
            "places": part.fitted.places,
            "source_read": part.read(SOURCE),
            "released_read": part.read(RELEASED),
        }
        found = session.fetch("utility/marginals", inputs, {"attribute": part.alias}, BINS)
        return tuple(
            Bin(
                row["starts"], row["ends"], float(row["source_share"]), float(row["released_share"])
            )
            for row in found.dicts()
        )

    def _means(self, session: Session, parts: Sequence[Part], records: int) -> None:
        groups = [part for part in parts if part.role == "quasi_identifier"]
        exact = self.published.groups is not None
        exact = exact and all(cell.form == EXACT for cell in self.published.cells)
        if exact:
            self.notes["exact_share"] = "every row shows its quasi-identifiers as they are"
        covering = {cell.name for cell in self.published.cells if cell.covers and not exact}
        for part in (group for group in groups if group.name in covering):
            inputs = {"released": RELEASED, "numbers": part.numbers(RELEASED)}
            found = session.fetch("utility/exact", inputs, {"attribute": part.alias}, 1)
            self._tell("exact_share", (part.name,), int(found.rows[0][0]) / records)
        for number in parts:
            if number.role == "quasi_identifier" or not number.numeric:
                continue
            for group in groups:
                inputs = {
                    "source": SOURCE,
                    "released": RELEASED,
                    "source_groups": group.read(SOURCE),
                    "released_groups": group.read(RELEASED),
                    "group_cells": group.numbers(RELEASED),
                    "source_numbers": number.numbers(SOURCE),
                    "released_numbers": number.numbers(RELEASED),
                }
                params = {"group": group.alias, "number": number.alias}
                (row,) = session.fetch("utility/means", inputs, params, 1).dicts()
                of = (number.name, group.name)
                self._tell("means_difference", of, row["difference"])
                if group.name in covering:
                    self._tell("means_exact_difference", of, row["exact_difference"])

    def _correlations(self, session: Session, parts: Sequence[Part]) -> None:
        for left, right in combinations([part for part in parts if part.numeric], 2):
            both = []
            for side in _SIDES:
                inputs = {
                    "profiles": side,
                    "left_numbers": left.numbers(side),
                    "right_numbers": right.numbers(side),
                }
                params = {"left": left.alias, "right": right.alias}
                (row,) = session.fetch("utility/moments", inputs, params, 1).dicts()
                both.append(
                    correlation(
                        {name: None if is_ is None else float(is_) for name, is_ in row.items()}
                    )
                )
            true, found = both
            difference = None if true is None or found is None else abs(found - true)
            self._tell("correlation_difference", (left.name, right.name), difference)

    # --- predictions ------------------------------------------------------------------------------

    def _classifiers(self, session: Session, parts: Sequence[Part]) -> None:
        known = [part for part in parts if part.role == "quasi_identifier"]
        for target in (part for part in parts if part.role == "sensitive" and known):
            learned = predictions(session, target, known, RELEASED)
            true = predictions(session, target, known, SOURCE, holds_out=True)
            whole = predictions(session, target, known, SOURCE)
            self._tell("classifier_accuracy", (target.name,), learned.accuracy)
            self._tell("classifier_accuracy_source", (target.name,), true.accuracy)
            self._tell("classifier_baseline", (target.name,), true.baseline)
            self._tell("misclassification_error", (target.name,), learned.error(whole))

    def _clusters(self, session: Session, parts: Sequence[Part]) -> None:
        known = [part for part in parts if part.role == "quasi_identifier"]
        if not known:
            return
        try:
            self._tell("clustering_error", (), clustering_error(session, known))
        except TooManyCombinationsError:
            what = f"more than {MOST_COMBINATIONS:,} combinations of one side to cluster"
            self.notes["clustering_error"] = what

    # --- queries ----------------------------------------------------------------------------------

    def _ask(self, session: Session, parts: Sequence[Part], total: int) -> int:
        """Ask the drawn queries of both; returns how many there are."""
        asked = [part for part in parts if part.role != "insensitive"]
        errors = asking.drawn_errors(session, asked, total, self.queries, self.seed)
        if errors is None:
            if self.queries:
                self.notes["queries"] = "no column has two values to ask for"
            return 0
        number, median, nine_tenths = errors
        self._tell("query_error", (), median)
        self._tell("query_error_nine_tenths", (), nine_tenths)
        return number


class TooManyPairsError(Exception):
    """The combinations of both sides are too many to hold each against each."""


def joint_divergence(session: Session, parts: Sequence[Part]) -> float | None:
    """The Kullback-Leibler divergence of the source from the release. Kifer and Gehrke (2006), §3.

    Returns:
        It, in bits; None where the release lacks a combination of bins of the source.

    Raises:
        TooManyPairsError: if there are more pairs of combinations than are looked at.
    """
    attributes = [
        {"alias": part.alias, "source": part.read(SOURCE), "released": part.read(RELEASED)}
        for part in parts
    ]
    of = {"attributes": attributes}
    of_source = {f"source_{part.alias}": part.read(SOURCE) for part in parts}
    released = {f"released_{part.alias}": part.read(RELEASED) for part in parts}
    workspace = Workspace(session)
    read = {"source": SOURCE} | of_source
    tuples = workspace.make(_TITLE, "joint_tuples", "utility/tuples", read, **of)
    alike = workspace.make(_TITLE, "joint_alike", "utility/alike", {"released": RELEASED}, **of)
    try:
        if workspace.rows(tuples) * workspace.rows(alike) > MOST_PAIRS:
            raise TooManyPairsError
        inputs = {"tuples": tuples, "alike": alike} | released
        divergence = workspace.one("utility/joint", inputs, **of)["divergence"]
    finally:
        workspace.clear()
    return None if divergence is None else max(0.0, float(divergence))
