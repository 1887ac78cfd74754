"""Guarded nodes in a plan: from labels in the source to classes that tell nothing of them.

A method forms classes, and two of them may publish the same cells. With most
models the union of two classes meets what both meet; with guarded nodes it may not.
So the classes that a reader cannot tell apart are joined. Those that fail then join their
neighbours, until none fails or one class is left, which the gate judges.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlanon.clauses.guard.declared import GUARD, guard_columns
from sqlanon.domains.attribute import HiddenAttribute, QuasiAttribute
from sqlanon.draft import Draft, Stages
from sqlanon.measure.asked import Asked
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import FOUND, Check, Phase, Runner, SearchBase, Step, work
from sqlanon.publish.joining import Neighbours, grouped, united
from sqlanon.sql.names import Relation, Sql

_RECODED = work("guard_recoded")


@dataclass(frozen=True)
class Joining(SearchBase):
    """The search for classes that need to be joined.

    Attributes:
        assigned: the records with their classes, as a method formed them.
        output: the relation to make: the same with the classes that come of it.
        quasi_identifiers: the quasi-identifiers.
        columns: the columns that go on from here.
        models: what is asked of what is guarded.
        k: how many records a class has at least.
    """

    assigned: Relation
    output: Relation
    quasi_identifiers: tuple[QuasiAttribute, ...]
    columns: tuple[Sql, ...]
    models: tuple[Asked, ...]
    k: int

    @property
    def title(self) -> str:
        """The title of the search, for people."""
        return "joining classes that tell what persons guard"

    def run(self, session: Runner) -> None:
        """Search, by steps of its own; the session's notes say how many classes failed in turn."""
        workspace = Workspace(session)
        neighbours = Neighbours(workspace, self.title, "guard")

        def judged(groups: Relation, turn: int) -> tuple[Relation, Relation]:
            groups = self._united(workspace, groups, turn)
            return groups, neighbours.states(self.models, *self._counted(workspace, groups))

        codes = [attribute.alias for attribute in self.quasi_identifiers]
        groups, found = neighbours.joined(neighbours.placed(self.assigned, codes), judged)
        failing = [entry["failing"] for entry in found]
        session.notes.append(("classes_failing_guards", json.dumps(failing)))
        session.create(grouped(self.title, self.output, self.assigned, groups, self.columns))
        workspace.clear()

    def _united(self, workspace: Workspace, groups: Relation, turn: int) -> Relation:
        """The groups, such that no two publish the same cells."""
        made = grouped(self.title, work("guard_grouped"), self.assigned, groups, self.columns)
        name = f"guard_united_{turn}"
        return united(workspace, name, made, _RECODED, self.quasi_identifiers, self.k)

    def _counted(
        self, workspace: Workspace, groups: Relation
    ) -> tuple[Relation, dict[str, Relation]]:
        """How many records every group has, and how many with each pair of value and node."""
        grouped = {"assigned": self.assigned, "group_classes": groups}
        sizes = workspace.make(self.title, "guard_sizes", "groups/sizes", grouped)
        attributes = [model.attribute.alias for model in self.models if model.attribute]
        values = {
            str(alias): workspace.make(
                self.title,
                f"guard_values_{alias}",
                "groups/record_values",
                grouped,
                attribute=alias,
            )
            for alias in attributes
        }
        return sizes, values


GUARDED_CODED = work("guarded_coded")


@dataclass(frozen=True, kw_only=True)
class GuardAttribute(HiddenAttribute):
    """Pairs of an attribute's value and the node that the person guards.

    Its positions have a row for each pair. They have the columns of any attribute's positions and
    three more: ``own``, the code of the value, and ``low`` and ``high``, the first and the last
    code under the node: NULL where no node is named.

    Attributes:
        of: the column of the codes of the attribute itself.
        label: the column of the labels in the records.
        spans: a row for each label of the hierarchy: ``label``, ``low`` and ``high``.
    """

    per = GUARD.per
    of: Sql
    label: Sql
    spans: Relation

    @property
    def remedy(self) -> str:
        """The changes that may help where a class tells what a member guards."""
        return "a greater p, a greater k, or another method"


def looked(draft: Draft) -> Draft:
    """The declared guards are attributes of the records, numbered after the sensitive ones."""
    of = {attribute.name: attribute for attribute in draft.sensitive}
    found = []
    columns = guard_columns(draft.spec).items()
    for number, (name, column) in enumerate(columns, len(draft.sensitive) + 1):
        alias, label = Sql(f"s{number}"), Sql(draft.short[column])
        positions = work("positions_", alias)
        found.append(
            GuardAttribute(
                alias=alias,
                name=name,
                kind="integer",
                domain=positions,
                nodes=None,
                height=of[name].height,
                declared=of[name].declared,
                positions=positions,
                tie_breaker=None,
                padded=None,
                read=(label,),
                of=of[name].alias,
                label=label,
                spans=work("spans_", alias),
            )
        )
    return replace(draft, hidden=(*draft.hidden, *found))


def coded(draft: Draft) -> Draft:
    """Every record has the pair of its value and its node, in place of the label."""
    domains = {attribute.name: attribute.domain for attribute in draft.sensitive}
    guards = guards_of(draft.hidden)
    steps = [
        step
        for attribute in guards
        for step in _described(attribute, draft.coded, domains[attribute.name])
    ]
    steps.append(
        Step(
            "the records with what they guard",
            GUARDED_CODED,
            "clauses/guard/coded",
            {"coded": draft.coded}
            | {f"spans_{attribute.alias}": attribute.spans for attribute in guards}
            | {f"positions_{attribute.alias}": attribute.positions for attribute in guards},
            {"codes": draft.codes, "carried": draft.carried, "guards": guards},
        )
    )
    codes = (*draft.codes, *(attribute.alias for attribute in guards))
    return replace(draft, coded=GUARDED_CODED, codes=codes).adding(Phase.FORMING, *steps)


def formed(draft: Draft) -> Draft:
    """The same classes, joined where what persons guard does not hold.

    Classes of one level or one cut for every column are all different, and were tested as they are;
    so are those of which cells cover more than their records, and those of a method that leaves out
    classes.
    """
    task, classes = draft.task, draft.classes
    assert task is not None and classes is not None  # noqa: S101, PT018 - the stages before
    tested = classes.covered is not None or any(
        attribute.of_one_level for attribute in task.quasi_identifiers
    )
    if tested or (classes.suppressed is not None and not classes.outliers):
        return draft
    joining = Joining(
        assigned=classes.assigned,
        output=work("guarded_assigned"),
        quasi_identifiers=task.quasi_identifiers,
        columns=task.released,
        models=tuple(model for model in task.models if isinstance(model.attribute, GuardAttribute)),
        k=task.k,
    )
    steps = (*classes.steps, joining)
    return replace(draft, classes=replace(classes, steps=steps, assigned=joining.output))


def guards_of(hidden: Sequence[HiddenAttribute]) -> tuple[GuardAttribute, ...]:
    """The guard attributes among all that is hidden."""
    return tuple(attribute for attribute in hidden if isinstance(attribute, GuardAttribute))


def _described(attribute: GuardAttribute, coded: Relation, domain: Relation) -> list[Step | Check]:
    """The steps that read one attribute's labels, each of which must be a node above the value."""
    where = f"sensitive.{attribute.name}.guard.column"
    read = {"coded": coded, "spans": attribute.spans}
    return [
        Step(
            f"nodes of {attribute.name} that may be guarded",
            attribute.spans,
            "clauses/guard/spans",
            {"domain": domain},
            {"height": attribute.height},
        ),
        Check(
            f"guarded nodes of {attribute.name} are the hierarchy's",
            "clauses/guard/check_nodes",
            read,
            {"label": attribute.label},
            where,
            f"{FOUND.records} records hold {FOUND.labels} labels that the hierarchy does not have: "
            "write each as it stands there, '*' for the root, and NULL where nothing is guarded",
        ),
        Check(
            f"guarded nodes of {attribute.name} lie above the own value",
            "clauses/guard/check_above",
            read,
            {"label": attribute.label, "of": attribute.of},
            where,
            f"{FOUND.records} records name a node that their own value does not lie under: a "
            "person guards the own value or a group that it is in; NULL where nothing is guarded",
        ),
        Step(
            f"pairs of a value of {attribute.name} and a guarded node",
            attribute.positions,
            "clauses/guard/positions",
            read,
            {"label": attribute.label, "of": attribute.of},
        ),
    ]


STAGES = Stages(look=looked, code=coded, form=formed)
