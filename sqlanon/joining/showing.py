"""The cells that groups of classes show to a reader, before it is settled which classes join."""

from __future__ import annotations

from collections.abc import Sequence

from sqlanon.domains import QuasiAttribute
from sqlanon.forms import Enough, published_columns
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import Step
from sqlanon.publish.recoding import recoding_steps
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql


def grouped(
    title: str, output: Relation, assigned: Relation, groups: Relation, columns: Sequence[Sql]
) -> Step:
    """The step that makes the groups the classes of the records.

    Args:
        title: what is done, for people.
        output: the relation to make.
        assigned: the records with their classes.
        groups: the group of every class.
        columns: the columns that go on from here.
    """
    inputs = {"assigned": assigned, "group_classes": groups}
    return Step(title, output, "groups/assigned", inputs, {"columns": tuple(columns)})


def united(
    workspace: Workspace,
    output: str,
    made: Step,
    recoded: Relation,
    quasi_identifiers: Sequence[QuasiAttribute],
    k: int,
    **clusters: Relation,
) -> Relation:
    """Make what every group publishes, and the groups such that no two publish the same.

    Args:
        workspace: makes the relations.
        output: the name of the groups to make.
        made: the step that makes the groups the classes of the records.
        recoded: the relation to make of what they publish.
        quasi_identifiers: the quasi-identifiers.
        k: how many records a class has at least.
        clusters: ``class_clusters``, where only groups of one cluster become one.
    """
    records = workspace.create(made)
    published = published_columns(quasi_identifiers)
    for step in recoding_steps(records, recoded, published, quasi_identifiers, Enough(k)):
        if isinstance(step, Step):
            workspace.create(step)
    inputs = {"group_classes": made.inputs["group_classes"], "recoded": recoded, **clusters}
    columns = shown(quasi_identifiers)
    return workspace.make(made.title, output, "groups/united", inputs, published=columns)


def shown(quasi_identifiers: Sequence[QuasiAttribute]) -> tuple[Sql, ...]:
    """The columns of what a group publishes."""
    return tuple(one.alias for one in published_columns(quasi_identifiers))
