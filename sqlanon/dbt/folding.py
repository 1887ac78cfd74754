"""The SQL of the models: the steps of a plan folded into a few SELECTs, a CTE for each step.

The relations that a model reads of other models and of dbt itself are CTEs too. They are the first
of each SELECT, so that the steps' SQL stands there as it does in a run.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from sqlanon.clauses.recipe.cells import BOXES, GROUPS
from sqlanon.dbt.batches import Batches
from sqlanon.dbt.jinja import PACKAGE, Calls, called_in_lines, in_jinja, no_jinja, text_of
from sqlanon.dbt.package import packaged
from sqlanon.dbt.reading import Outside
from sqlanon.measure.view import COVERED
from sqlanon.methods.method import ASSIGNED, PLACED
from sqlanon.plan import Check, Step, blanks, indented, needed, titled, with_ctes, work
from sqlanon.plan.step import WORK_PREFIX
from sqlanon.planning.assign import JUDGED as JUDGED_CLASSES
from sqlanon.planning.assign import RECODED
from sqlanon.planning.recoding import CLASS_REPORT
from sqlanon.source.source import RECORDS
from sqlanon.sql.dialects import in_capitals, is_rewritten
from sqlanon.sql.names import Relation, Sql, quoted
from sqlanon.sql.products import Building, product_of
from sqlanon.sql.reading import columns_of
from sqlanon.sql.templates import load_template, readable

MEASURED = work("all_measured")
PART = "dbt/part"  # the template that reads one of its relations back
# A name that no relation has, so that what is to be published is known among those of a plan.
RELEASE = Relation("the release")
CLASSES, METRICS, RUN = map(RELEASE.sibling, ("classes", "metrics", "run"))
CHECKS, JUDGED = work("checks"), work("judged")
# The two kinds of rows that one model holds, and which rows are whose.
_ROWS = {METRICS: "check_number is null", CHECKS: "check_number is not null"}
_REPORTS = {CLASSES: "class_report", METRICS: "metrics", RUN: "run"}
# Each is the last SELECT of its model.
_PLAIN = {RECORDS, BOXES, GROUPS, RECODED, PLACED, JUDGED_CLASSES}
_SHOWN = {"source/records"}  # what is read of the source is seen in the model
_STAMP = "'{{ invocation_id }}' as sqlanon_invocation"


def measured_once(steps: Sequence[Step], report: Relation) -> list[Step]:
    """The same steps, with one that keeps what a report reads, and those that read it back.

    Args:
        steps: a plan's steps, in order.
        report: the relation that puts together what is measured in every equivalence class.
    """
    reporting = next(step for step in steps if step.output == report)
    if reporting.template == CLASS_REPORT:  # it is all that is measured of a class
        return [*steps]
    parts = [*dict.fromkeys(reporting.inputs.values())]
    before = needed(steps, parts)
    made = {step.output: step for step in before}
    kept = [
        {
            "name": Sql(part.name.removeprefix(WORK_PREFIX)),
            "relation": part,
            "columns": [name for name in columns_of(made[part].sql()) if name != "class_id"],
        }
        for part in parts
    ]
    together = Step(
        "what is measured in every class",
        MEASURED,
        "dbt/measured",
        {f"part_{number}": entry["relation"] for number, entry in enumerate(kept, 1)},
        {"parts": kept},
    )
    again = [
        Step(
            made[part].title,
            part,
            PART,
            {"measured": MEASURED},
            {"kept": entry["name"], "columns": entry["columns"]},
        )
        for part, entry in zip(parts, kept, strict=True)
    ]
    return [*before, together, *again, *(step for step in steps if step not in before)]


def models_of(
    published: Iterable[Relation], is_recoded: bool = False, measured: Relation = MEASURED
) -> dict[Relation, str]:
    """The relations that have a model of their own, and the names of the models.

    They are those that several models read and that are not made in a moment.

    Args:
        published: what is to be published, `RELEASE` first.
        is_recoded: whether the records are labelled at fixed levels, or lie in cells of a recipe.
        measured: what is measured in every class: `CLASSES` where that is all.
    """
    candidates = {relation: _candidate(relation) for relation in published}
    before = {RECORDS: "records", ASSIGNED: "assigned"}
    laid = {BOXES: "cells", GROUPS: "groups", PLACED: "placed"}
    labelled = {**laid, RECODED: "recoded", JUDGED_CLASSES: "judged"} if is_recoded else {}
    measures = {COVERED: "covered", measured: "classes", JUDGED: "metrics"}
    return {**before, **labelled, **candidates, **measures}


@dataclass(frozen=True)
class Copied:
    """A relation that is copied into the release, or into a companion of it.

    Attributes:
        columns: its columns, in order.
        model: the work model that it is of, by the last part of its name.
        ctes: the CTEs that it is read from; empty if it is read from the model.
        cte: the one of them that is copied, quoted.
        by_value: whether its rows are in the order of their values.
    """

    columns: Sequence[str]
    model: str
    ctes: str = ""
    cte: str = ""
    by_value: bool = False


@dataclass(frozen=True)
class Folding:
    """A plan as the SELECTs of dbt models.

    Attributes:
        plan: a plan of `RELEASE`, and the recording of its run.
        published: what it publishes, `RELEASE` first.
        outside: what it reads that no model makes, the source first.
        models: for each relation that has a model the model's name.
        short: the last part of each name.
        dialect: of the database that dbt runs on.
        batches: by which labels the release grows, if it does.
        release: what the release is called in the project.
    """

    plan: Sequence[Step | Check]
    published: Sequence[Relation]
    outside: Sequence[Outside]
    models: Mapping[Relation, str]
    short: Mapping[Relation, str]
    dialect: str
    batches: Batches | None = None
    release: str = ""

    @cached_property
    def steps(self) -> list[Step]:
        """The steps; in place of what lies outside they read dbt's relations for it.

        The measures of every class are one relation more, and so are the metrics with
        what the checks found.
        """
        called = {
            outside_relation.item: outside_relation.called
            for outside_relation in reversed(self.outside)
        }
        steps = [
            replace(step, inputs={name: called.get(at, at) for name, at in step.inputs.items()})
            for step in self.plan
            if isinstance(step, Step)
        ]
        judged = Step(
            "metrics, and what the checks found",
            JUDGED,
            "dbt/judged",
            {"metrics": METRICS, "checks": CHECKS},
        )
        return [*measured_once(steps, CLASSES), judged]

    @cached_property
    def checks(self) -> list[Check]:
        """The checks."""
        return [step for step in self.plan if isinstance(step, Check)]

    def step(self, relation: Relation) -> Step:
        """The step that makes a relation."""
        return next(step for step in self.steps if step.output == relation)

    def work(self, relation: Relation) -> str:
        """The SELECT that makes a relation of the plan from those that have a model before it."""
        if relation == RECORDS and self.batches is not None:
            return self._new_records(self.batches)
        steps = needed(self.steps, [relation], set(self.models) - {relation})
        *before, last = steps
        if relation not in _PLAIN and last.template not in _SHOWN:
            return self._made(relation, self._ctes(before), last, _read(steps))
        ctes = self._all(self._ctes(before), _read(steps))
        return f"{with_ctes(ctes, self._select(last))}\n"

    def _new_records(self, batches: Batches) -> str:
        """The SELECT of the records whose batch is not published yet."""
        steps = needed(self.steps, [batches.labels], set(self.models) - {RECORDS})
        read = [relation for relation in _read(steps) if relation != RECORDS]
        ctes = self._with(self._ctes(steps), read)
        return (
            f"{ctes}select made.*\nfrom {self._name(RECORDS)} as made\n"
            f"left join {self._name(batches.labels)} as labels\n"
            f"    on made.q{batches.number} = labels.value\n"
            f"where {{{{ {PACKAGE}.is_new_batch('{self.release}', 'labels.label') }}}}\n"
        )

    def judged(self) -> str:
        """The SELECT with a row for each metric, and for each check with what it found or NULL.

        Both are one model, as they read the same; so no check is of other metrics.
        """
        outside = set(self.models) - {JUDGED}
        *steps, both = _read_once(needed(self.steps, [JUDGED, *_read(self.checks)], outside))
        rows = [self._finding(number, check) for number, check in enumerate(self.checks, 1)]
        found = "\n".join(rows)
        ctes = [*self._ctes(steps), f"{self._name(CHECKS)} as (\n{found}\n)"]
        read = [relation for relation in _read([*steps, *self.checks]) if relation not in _ROWS]
        read += [RECORDS] if self.batches is not None else []
        return self._made(JUDGED, ctes, both, read)

    def _finding(self, number: int, check: Check) -> str:
        """The row of a check: a call of the package's macro, with its title and its message."""
        new = [] if self.batches is None else [f"new={text_of(RECORDS.name)}"]
        message = [f"message={text_of(said(check))}", *new]
        head, found = f"{number}, {text_of(check.title)}", self._call(check)
        if found is not None:
            given = [f"{head}, {found}", *message]
            call = called_in_lines("check", [", ".join(given)] if "\n" in found else given)
            return f"{{{{ {call} }}}}"
        call = called_in_lines("check", [head, *message])
        return f"{{% call {call} %}}\n{self._select(check)}\n{{% endcall %}}"

    @property
    def facts(self) -> list[tuple[str, str]]:
        """The facts of the run that are known before it."""
        return [*self.step(RUN).params["facts"]]

    def copied(self, relation: Relation) -> Copied:
        """The published part of a relation: the CTEs that it is read from, and what is copied.

        Args:
            relation: the release, or a companion of it.
        """
        columns = columns_of(self.step(relation).sql("portable"))
        if relation in self.models:
            return Copied(columns, self.short[relation], by_value=relation != CLASSES)
        if relation == METRICS:  # they are of the same model as the checks
            return Copied(columns, self.short[JUDGED])
        if relation == RUN:
            return Copied(columns, "")
        steps = needed(self.steps, [relation], set(self.models))
        ctes = self._with(self._ctes(steps), _read(steps))
        return Copied(columns, self.short[MEASURED], ctes, self._name(_called(relation)))

    @property
    def growth(self) -> dict[str, str]:
        """The meaning of labels, and the model and column with the batch of every new record."""
        if self.batches is None:
            return {}
        labelled, label = RELEASE, self.batches.name
        if RECODED in self.models:  # which has the batches that are left out as a whole, too
            labelled, label = RECODED, f"p{self.batches.number}"
        return {
            "meaning": self.batches.meaning,
            "labelled": self.short[labelled],
            "label": label,
        }

    def _made(
        self, relation: Relation, ctes: Sequence[str], last: Step, read: Iterable[Relation]
    ) -> str:
        """CTEs, and the SELECT of a relation; its CTEs are its own where a macro writes it."""
        stamped = relation in {*self.published, CLASSES, MEASURED, JUDGED}
        columns = f"made.*, {_STAMP}" if stamped else "made.*"
        made = _in_brackets(self._select(last))
        return f"{self._with(ctes, read)}select {columns} from {made} as made\n"

    def _ctes(self, steps: Iterable[Step]) -> list[str]:
        """Each step as a CTE."""
        return [self._cte(step, _called(step.output)) for step in steps]

    def _cte(self, step: Step, name: Relation) -> str:
        """A step as a CTE."""
        says_it = name == work(step.title.replace(" ", "_"))
        title = "" if says_it else no_jinja(step.title)
        return f"{self._name(name)} as {_in_brackets(self._select(step), title)}"

    def _select(self, step: Step | Check) -> str:
        """The SELECT of a step or a check: a call of the package's macro for it, if it can."""
        call = self._call(step)
        if call is None:
            return no_jinja(readable(self._sql(step), titled=True))
        return f"{{{{ {in_jinja(call)} }}}}"

    def _call(self, step: Step | Check) -> str | None:
        """The call of a macro; None where the SQL must stand in the model."""
        has_sibling = load_template(step.template, self._written).dialect != "portable"
        if has_sibling or step.template not in packaged() - _SHOWN:
            return None
        if not self._reads(step):
            return None  # dbt translates nothing
        try:
            return Calls({}).call(
                replace(step, inputs=_as_called(step.inputs), params=_as_called(step.params))
            )
        except TypeError:  # it is given what dbt's Jinja cannot write
            return None

    def _with(self, ctes: Sequence[str], read: Iterable[Relation]) -> str:
        """CTEs, after those that stand for what lies outside."""
        parts = ",\n".join(self._all(ctes, read))
        return f"with {parts}\n"

    def _all(self, ctes: Sequence[str], read: Iterable[Relation]) -> list[str]:
        """The same, each by itself."""
        outside = {
            **{
                outside_relation.called: f"select * from {outside_relation.read}"
                for outside_relation in self.outside
            },
            **{
                relation: f"select * from {{{{ ref('{name}') }}}}"
                for relation, name in self.models.items()
            },
        }
        outside |= {relation: f"{outside[JUDGED]} where {rows}" for relation, rows in _ROWS.items()}
        # As it would be if it were named in FROM, however often it is read. There dbt would put an
        # alias of its own, where it reads a part.
        imports = [
            f"{self._name(_called(relation))} as{self._there.ctes} ({outside[relation]})"
            for relation in dict.fromkeys(read)
            if relation in outside
        ]
        return [*([",\n".join(imports)] if imports else []), *ctes]

    def _reads(self, step: Step | Check) -> bool:
        """Whether the database reads the portable SQL of a step as DuckDB does."""
        portable = step.sql("portable", _called)
        if self._written == "portable":
            return True
        if self._there.reads_portable:
            return not is_rewritten(portable)
        return _bare(portable) == _bare(self._sql(step))

    def _sql(self, step: Step | Check) -> str:
        """The SQL of a step as the database reads it."""
        return self._cased(step.sql(self._written, _called))

    def _name(self, relation: Relation) -> Sql:
        """The name of a CTE as the database quotes it."""
        return Sql(self._cased(quoted(relation, self.dialect)))

    def _cased(self, sql: str) -> str:
        """SQL with its names in capitals where a name without quotes means that."""
        capitals = product_of(self.dialect).capitals
        return in_capitals(sql, self.dialect) if capitals else sql

    @property
    def _there(self) -> Building:
        """The row of the database on which dbt builds the models."""
        return product_of(self.dialect).dbt or Building()

    @property
    def _written(self) -> str:
        # The portable text takes its order from columns, never from where a row happens to stand.
        is_portable = product_of(self.dialect) is product_of("portable")
        return "portable" if is_portable else self.dialect


def _in_brackets(select: str, title: str = "") -> str:
    """A SELECT in brackets, and what it does; a macro brings the ends of its lines itself."""
    if select.startswith("{{") and not title:
        return f"({select})"
    body = select if select.startswith("{{") else f"{indented(select.rstrip())}\n"
    return f"({titled(title)}\n{body})"


def said(check: Check) -> str:
    """A check's message on the rows found, as the package's macro reads it.

    A count of theirs stands in braces, and any other brace twice.
    """
    texts, counts = blanks(f"{check.where}: {check.message}".removeprefix(": "))
    said = [text.replace("{", "{{") for text in texts]
    return said[0] + "".join(
        f"{{{name}}}{text}" for name, text in zip(counts, said[1:], strict=True)
    )


def _bare(sql: str) -> str:
    """SQL without its header, quotes of names and what parts its words."""
    return re.sub(r'^--[^\n]*|["`\s]', "", sql, flags=re.MULTILINE).lower()


def _called(relation: Relation) -> Relation:
    """The CTE of a relation."""
    if relation in _REPORTS:
        return work(_REPORTS[relation])
    of_release = relation.name.partition("__")[0] == RELEASE.name
    return work(_candidate(relation)) if of_release else relation


def _as_called(value: Any) -> Any:
    """The same with the CTE of each relation in its stead."""
    if isinstance(value, Relation):
        return _called(value)
    if isinstance(value, Mapping):
        return {name: _as_called(one) for name, one in value.items()}
    return [*map(_as_called, value)] if isinstance(value, (list, tuple)) else value


def _candidate(relation: Relation) -> str:
    """The name of a candidate for publication: of the release, or of a companion of it."""
    return f"candidate{relation.name.removeprefix(RELEASE.name).replace('__', '_')}"


def _read_once(steps: Sequence[Step]) -> list[Step]:
    """Steps in which a relation that was measured is only read, first, and not made again."""
    read = {step.output: step for step in steps if step.template == PART}
    return [*read.values(), *(step for step in steps if step.output not in read)]


def _read(steps: Iterable[Step | Check]) -> list[Relation]:
    found = [given for step in steps for given in step.inputs.values()]
    return [one for one in found if isinstance(one, Relation)]
