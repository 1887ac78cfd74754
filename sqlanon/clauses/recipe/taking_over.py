"""The base of searches that take over the classes of an earlier release."""

from __future__ import annotations

from collections.abc import Sequence

from sqlanon.clauses import allowing
from sqlanon.engines import Engine
from sqlanon.measure.asked import Asked
from sqlanon.methods.level.forming import held_cells
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import (
    Check,
    Phase,
    Plan,
    Runner,
    SearchBase,
    Step,
    infeasible,
    laid_out,
    work,
)
from sqlanon.record.content import content_of
from sqlanon.sql.names import Relation, Sql

_CONTENT = work("recipe_content")


class TakingOver(SearchBase):
    """Giving every record the class that the earlier release has for it: there is no choice.

    A record without such a class has the class 0. The run counts these records.

    Attributes:
        name: the earlier release's name.
        models: what every class must meet.
        suppresses: whether records may be suppressed.
    """

    name: str
    models: tuple[Asked, ...]
    suppresses: bool

    @property
    def title(self) -> str:
        """The title of the search, for people."""
        raise NotImplementedError

    def run(self, session: Runner) -> None:
        """Place the records; the session's notes say how many have no class.

        Raises:
            InfeasibleError: if some have none, and may not be suppressed.
        """
        workspace = Workspace(session)
        placed = self._place(session, workspace)
        outside = workspace.one("clauses/recipe/outside", {"placed": placed})
        session.notes.append(("recipe_outside", str(outside["records"])))
        workspace.clear()

    def foreseen(self) -> tuple[Step | Check, ...] | None:
        """All of its steps."""
        return laid_out(self._laid)

    def _laid(self, session: Runner) -> None:
        self._place(session, Workspace(session))

    def _place(self, session: Runner, workspace: Workspace) -> Relation:
        """Make the relation that it leaves.

        Returns:
            The class of every combination of codes, with its records.
        """
        raise NotImplementedError

    def _held(
        self,
        session: Runner,
        workspace: Workspace,
        placed: Relation,
        *,
        columns: Sequence[Sql],
        every: str,
        beyond: str,
    ) -> dict[str, Relation]:
        """The relation of which classes meet each model; records of the class 0 meet none.

        Args:
            session: carries the steps out.
            workspace: makes the relations.
            placed: the class of every combination of codes, with its records.
            columns: the codes that tell the class of a record.
            every: the title of the check that every record has a class.
            beyond: what is wrong with records that have none.

        Returns:
            It as ``held``; nothing where no record may be suppressed: the run checks that instead.
        """
        if not self.suppresses:
            session.carry_out(none_beyond(placed, columns, every, beyond))
            return {}
        inputs = {"placed": placed}
        asked = [model for model in self.models if model.bound is not None]
        if asked:
            inputs["held"] = held_cells(workspace, placed, asked)
        return {"held": workspace.make(self.title, "recipe_held", "clauses/recipe/held", inputs)}


def none_beyond(placed: Relation, columns: Sequence[Sql], every: str, beyond: str) -> Check:
    """The check that every record has a class of the earlier release.

    Args:
        placed: the class of every combination of values, with its records.
        columns: those that tell the class of a record.
        every: its title.
        beyond: what is wrong with records that have none.
    """
    said = f"{beyond}: let them be left out ({allowing()}), or leave the recipe out"
    inputs, params = {"placed": placed}, {"columns": tuple(columns)}
    return Check(every, "clauses/recipe/check_outside", inputs, params, "recipe", said, infeasible)


def unchanged(
    plan: Plan,
    engine: Engine,
    name: str,
    columns: list[str],
    read: Relation | Sql,
    *,
    now: Relation | Sql,
    index: int = 0,
) -> Plan:
    """The plan of a script or of dbt models, which look themselves whether the recipe was changed.

    A run reads no recipe that was changed since its own run. A script runs another day, so it holds
    the recipe to the cells, or the allotment, of the day on which it was written.

    Args:
        plan: the plan.
        engine: where the recipe stands.
        name: of the earlier release.
        columns: the columns that are read of it.
        read: what the plan reads.
        now: the same, as it stands now.
        index: how many of the plan's steps come before.
    """
    rows, content = content_of(now, columns, engine)
    title, params = "the content of the recipe", {"columns": columns}
    looking = Step(title, _CONTENT, "certificate/content", {"released": read}, params)
    check = Check(
        "the recipe is what it was",
        "clauses/recipe/check_unchanged",
        {"content": _CONTENT},
        {"rows": rows, "content_then": content},
        "recipe",
        f"{name!r} was changed since this was written: run its spec again, and write this again",
    )
    steps, phases = [*plan.steps], [*plan.phases]
    steps[index:index] = [looking, check]
    phases[index:index] = [Phase.LOOKING] * 2
    return Plan(tuple(steps), tuple(phases))
