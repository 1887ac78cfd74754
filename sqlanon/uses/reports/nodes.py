"""The solution space of a search over levels: the choices that it judged."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from sqlanon.common.files import write
from sqlanon.errors import Problem, SpecError
from sqlanon.pages.charts.chart import Line, Map, Point
from sqlanon.pages.page import Page, Section, Table, number, render, table
from sqlanon.privacy.k_anonymity import K_ANONYMITY
from sqlanon.record.metrics import Metric
from sqlanon.record.ownership import NODES
from sqlanon.record.recorded import Recorded
from sqlanon.spec import Spec, changed

_MOST = 1_000_000  # of a relation that are read; a run keeps fewer
_IN_A_PAGE = 500
_HOLDS = "holds"
_NOTICE = "It shows figures of the source's records that no release publishes: for you alone."
_MAPPED = (
    "Each point is a choice of levels that holds: to the right what it loses, upwards {}. The "
    "number of a choice stands next to its point; the square is the one that was published."
)
_LISTED = (
    "Levels count from 0, the values as they are. Choices that hold stand first, what loses least "
    "before what loses more. Of a choice that does not hold, the loss and the records are the "
    "least that is known: the search went no further."
)


@dataclass(frozen=True)
class Node:
    """A choice of a level for every quasi-identifier that a search judged.

    Attributes:
        number: by which it is published.
        levels: the level of every quasi-identifier; 0 is the values as they are.
        height: the sum of the levels.
        loss: what it loses, by the metric that the search keeps good.
        suppressed: how many records it would leave out; of one that does not hold, at least.
        holds: whether all classes that stay meet every model, and no more records are left out than
            may be.
        chosen: whether it was published.
    """

    number: int
    levels: dict[str, int]
    height: int
    loss: float
    suppressed: int
    holds: bool
    chosen: bool


@dataclass(frozen=True, repr=False)
class Nodes:
    """The choices of levels that a search judged.

    Attributes:
        release: what was published of them.
        metric: the metric of the loss.
        nodes: the choices, by number.
        declared: the spec of the run; None where it cannot be run again.
        why_not: why it cannot; empty where it can.
    """

    release: str
    metric: str
    nodes: tuple[Node, ...]
    declared: Spec | None = field(default=None, repr=False)
    why_not: str = ""

    @property
    def columns(self) -> tuple[str, ...]:
        """The quasi-identifiers."""
        return tuple(self.nodes[0].levels)

    @property
    def holding(self) -> tuple[Node, ...]:
        """Those that hold."""
        return tuple(node for node in self.nodes if node.holds)

    def node(self, wanted: int) -> Node:
        """The choice of a number.

        Raises:
            SpecError: if there is none.
        """
        for node in self.nodes:
            if node.number == wanted:
                return node
        raise SpecError(f"there is no choice {wanted}: they are numbered 1 to {len(self.nodes):,}")

    def spec(self, wanted: int, release: str | None = None) -> Spec:
        """The spec of the run with the levels of one choice, to be run like any other.

        Args:
            wanted: the number of the choice.
            release: the name of what is to be published; by default that of the release, with
                ``_node_`` and the number behind it.

        Raises:
            SpecError: if there is no such choice, it does not hold, or the run's spec or its source
                is not found any more.
        """
        node = self.node(wanted)
        if not node.holds:
            what = f"choice {wanted} does not hold what was asked for: take one that holds"
            raise SpecError(what)
        if self.declared is None:
            raise SpecError(self.why_not)
        levels = {name: (level, level) for name, level in node.levels.items()}
        name = release or f"{self.release}_node_{wanted}"
        return changed(self.declared, release=name, levels=levels, choose=None)

    def map(self) -> Map:
        """The choices that hold: what they leave out, or their heights, over what they lose."""
        by_records = any(node.suppressed for node in self.holding)
        points = (
            Point(
                _HOLDS, node.number, node.loss, node.suppressed if by_records else node.height, True
            )
            for node in self.holding
        )
        lines = tuple(Line(_HOLDS, (point,)) for point in points)
        return Map(
            _words(self.metric),
            "records left out" if by_records else "height",
            lines,
            title="What the choices that hold come to",
            line="",
            point="choice",
        )

    def as_object(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "release": self.release,
            "metric": self.metric,
            "nodes": [asdict(node) for node in self.nodes],
        }

    def table(self, most: int) -> Table:
        """The first choices, and the one that was published, as a table."""
        shown = [node for node in self.nodes if node.number <= most or node.chosen]
        head = ("choice", *self.columns, _words(self.metric), "records left out", "")
        rows = tuple(
            (
                f"{node.number:,}",
                *(str(level) for level in node.levels.values()),
                number(node.loss),
                f"{node.suppressed:,}",
                _says(node),
            )
            for node in shown
        )
        caption = f"{len(self.holding):,} of {len(self.nodes):,} choices that were judged hold"
        return Table(caption, head, rows, frozenset(range(len(head) - 1)))

    def html(self) -> str:
        """A page for people: one HTML text that needs nothing else."""
        shown, chosen = self.map(), next((node for node in self.nodes if node.chosen), None)
        sections = [Section("choices", "The choices", (_LISTED,), (self.table(_IN_A_PAGE),))]
        if shown.points:
            here = next(
                (point for point in shown.points if chosen and point.k == chosen.number), None
            )
            at = None if here is None else (here.x, here.y)
            words = _MAPPED.format(shown.y)
            drawn = replace(shown, here=at)
            sections.insert(0, Section("map", "Map", (words,), charts=(drawn,)))
        facts = [
            ("Release", self.release),
            ("Judged", f"{len(self.nodes):,} choices of levels"),
            ("Hold", f"{len(self.holding):,}"),
        ]
        if chosen is not None:
            facts.append(("Published", f"choice {chosen.number:,}"))
        return render(Page(f"{self.release}: levels", _NOTICE, True, tuple(facts), tuple(sections)))

    def write(self, file: str | Path, overwrite: bool = False) -> Path:
        """Write the page to a file, for its owner alone.

        Raises:
            SpecError: if the file is there and not to be replaced.
            EngineError: if the disk fails.
        """
        page = Path(file)
        write({page: self.html()}, overwrite)
        return page

    def __repr__(self) -> str:
        return f"Nodes({self.release}, {len(self.holding):,} of {len(self.nodes):,} hold)"

    def _repr_html_(self) -> str:
        shown = self.table(_IN_A_PAGE)
        return table(repr(self), shown.head, shown.rows)


def kept_nodes(recorded: Recorded) -> tuple[str, tuple[Node, ...]]:
    """The metric and the choices that a run kept.

    Raises:
        SpecError: if it kept none: another method made the release, nothing was left to be chosen,
            or their relation is gone.
    """
    relation, engine = recorded.relation.sibling(NODES), recorded.engine
    if relation.name not in recorded.made or engine.kind_of(relation) is None:
        what = (
            "its run kept no choices of levels: a method that searches for levels keeps them, such "
            "as optimal or incognito, where the spec leaves it more than one"
        )
        raise SpecError(Problem("release", what))
    columns = "node, levels, height, metric, loss, suppressed, holds, chosen"
    found = engine.fetch_portable(
        f"select {columns} from {engine.named(relation)} order by node",
        _MOST,
        "reading the choices",
    )
    nodes = tuple(
        Node(
            number=int(number),
            levels=json.loads(levels),
            height=int(height),
            loss=float(loss),
            suppressed=int(suppressed),
            holds=bool(holds),
            chosen=bool(chosen),
        )
        for number, levels, height, _, loss, suppressed, holds, chosen in found.rows
    )
    return str(found.rows[0][3]), nodes


def with_measured_k(spec: Spec, measures: Sequence[Metric]) -> Spec:
    """The spec with the k that its run came to, where the spec left that to be chosen."""
    asked = [metric.threshold for metric in measures if (metric.metric, metric.attribute) == _K]
    if spec.choose is None or not asked or asked[0] is None:
        return spec
    privacy = spec.privacy.model_copy(update={"k": int(asked[0])})
    return changed(spec, privacy=privacy, choose=None)


_K = (K_ANONYMITY.name, None)


def _says(node: Node) -> str:
    holds = _HOLDS if node.holds else "fails"
    return f"{holds}, published" if node.chosen else holds


def _words(metric: str) -> str:
    return "loss (GCP)" if metric == "gcp" else metric.replace("_", " ")
