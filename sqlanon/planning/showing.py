"""What groups of classes show to a reader while it is not settled yet which classes are joined."""

from __future__ import annotations

from collections.abc import Sequence

from sqlanon.domains import QuasiAttribute
from sqlanon.forms import published_columns
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
    return Step(title, output, "guard/grouped", inputs, {"columns": tuple(columns)})


def show(
    workspace: Workspace,
    made: Step,
    recoded: Relation,
    quasi_identifiers: Sequence[QuasiAttribute],
) -> None:
    """Make what every group publishes.

    Args:
        workspace: makes the relations.
        made: the step that makes the groups the classes of the records.
        recoded: the relation to make.
        quasi_identifiers: the quasi-identifiers.
    """
    records = workspace.create(made)
    published = published_columns(quasi_identifiers)
    for step in recoding_steps(records, recoded, published, quasi_identifiers):
        if isinstance(step, Step):
            workspace.create(step)


def shown(quasi_identifiers: Sequence[QuasiAttribute]) -> tuple[Sql, ...]:
    """The columns of what a group publishes."""
    return tuple(one.alias for one in published_columns(quasi_identifiers))
