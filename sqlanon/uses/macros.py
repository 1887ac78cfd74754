"""The table macros, as steps of the plan of a run, folded into one SELECT each.

A macro names its relation and its columns in its arguments, which stand in the SQL where a plan has
names. The templates that read them are in ``sql_templates/table_macros``; everything else is the
plan's of a table with one quasi-identifier, which all of them together are, and one sensitive
attribute. Of the privacy models of a sensitive attribute, those of one field of a spec have a macro
together, with a column for each, and ``class_metrics`` has all of them: both come of the registry.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import get_args

from sqlanon.measure.asked import Asked
from sqlanon.measure.view import MEASURED
from sqlanon.methods.deal.stack_and_deal.stack import SIZES, STACK
from sqlanon.plan import Step, folded, needed, work
from sqlanon.planning.pattern import pattern, steps_of, with_arguments
from sqlanon.planning.prepare import Prepared
from sqlanon.privacy import MODELS
from sqlanon.privacy.k_anonymity import K_ANONYMITY
from sqlanon.privacy.model import Demand, Distance, PrivacyModel
from sqlanon.source.source import RECORDS
from sqlanon.sql.names import Relation, Sql

_HEAD = """\
-- Privacy models and Stack & Deal as table macros for DuckDB 1.5 and later: run this file once in a
-- database, or begin a session with it. Columns are named in lists: ['age', 'sex'].
"""
# A value rounded down to a multiple of the width, and a text's first characters: as the hierarchies
# of bands and of prefixes write them.
_SCALARS = """\
-- 23 in bands of 5 is [20, 24]; whole numbers.
create or replace macro generalize_number(value, width) as
    '[' || cast(cast(floor(cast(value as double) / width) * width as bigint) as varchar) || ', '
    || cast(cast(floor(cast(value as double) / width) * width as bigint) + width - 1 as varchar)
    || ']';

-- '12345' with 3 characters kept is 123**.
create or replace macro generalize_text(value, kept) as
    rpad(left(cast(value as varchar), kept), cast(length(cast(value as varchar)) as integer), '*');

-- 2024-05-17 in months is [2024-05-01, 2024-05-31]; also quarter, year, decade and century.
create or replace macro generalize_date(value, period) as
    '[' || cast(cast(date_trunc(period, value) as date) as varchar) || ', '
    || cast(
        cast(
            date_trunc(period, value) + case period
                when 'day' then interval '1 day'
                when 'month' then interval '1 month'
                when 'quarter' then interval '3 months'
                when 'year' then interval '1 year'
                when 'decade' then interval '10 years'
                when 'century' then interval '100 years'
                else error('the period must be day, month, quarter, year, decade or century')
            end - interval '1 day' as date
        ) as varchar
    ) || ']';
"""
# Text has no order of its own: its ordered distance is NULL.
_IN_ORDER = f"""(
        select count(*)
        from {MEASURED} as records
        where regexp_matches(typeof(records.s1), '^(VARCHAR|BOOLEAN|ENUM.*|UUID)$')
    ) = 0"""


@dataclass(frozen=True)
class Column:
    """A column that a macro shows for a privacy model, held to no threshold.

    Attributes:
        model: the model.
        distance: the distance by which it is measured; empty where it goes by none.
    """

    model: PrivacyModel
    distance: str

    @property
    def name(self) -> str:
        """Its name: that of the model, or of the template that measures by the distance."""
        return self._template.rpartition("/")[2] if self.distance else self.model.name

    @property
    def says(self) -> str:
        """Its title for people, and how it is measured."""
        ways = [f"{self.distance} distance"] * bool(self.distance)
        ways += [f"with the argument {name}" for name in self.model.taken]
        return ", ".join((self.model.title, *ways))

    @property
    def step(self) -> Step:
        """The step that measures it in every class."""
        step = _measuring_step(self.model, self.distance or "equal")
        params = {**step.params, **{name: Sql(name) for name in self.model.taken}}
        return replace(step, output=work(self.name), params=params)

    @property
    def of_class(self) -> str:
        """Its value in a class, as SQL."""
        value = f"{work(self.name)}.value"
        return f"case when {_IN_ORDER} then {value} end" if self._in_order else value

    @property
    def of_worst(self) -> str:
        """Its value in the class that is worst off, as SQL: unknown if it is in any class."""
        worst = "min(measured.value)"
        if self.model.worst == "greatest":
            worst = "case when count(measured.value) = count(*) then max(measured.value) end"
        where = f" where {_IN_ORDER}" if self._in_order else ""
        return f"(select {worst} from {work(self.name)} as measured{where})"

    @property
    def _template(self) -> str:
        return self.model.measured.format(distance=self.distance)

    @property
    def _in_order(self) -> bool:
        return self.distance == "ordered"


def families() -> dict[str, list[Column]]:
    """The macros of the models of a sensitive attribute, with what each shows."""
    found: dict[str, list[Column]] = {}
    for model in (
        privacy_model
        for privacy_model in MODELS
        if privacy_model.per == "sensitive" and privacy_model.of_any_table
    ):
        ways = [one for one in get_args(Distance) if one not in model.distances]
        columns = [Column(model, one) for one in (ways if model.by_distance else [""])]
        found.setdefault(model.field.family, []).extend(columns)
    return found


def library() -> str:
    """Every macro, as one SQL script."""
    return "\n".join([_HEAD, *_measuring(), _dealing(), _SCALARS])


def _measuring() -> list[str]:
    macros, k = families(), _measuring_step(K_ANONYMITY)
    of_k = _macro(
        "k_anonymity",
        "relation, quasi_identifiers",
        "How many records share each combination of the quasi-identifiers, at least.",
        [*_classes(sensitive=False), k],
        "select\n"
        "    min(measured.value) as k,\n"
        "    count(*) as classes,\n"
        "    cast(sum(measured.value) as bigint) as records\n"
        f"from {k.output} as measured",
    )
    of_models = [_of_worst(name, columns) for name, columns in macros.items()]
    return [
        of_k,
        *of_models,
        _of_classes([column for columns in macros.values() for column in columns]),
    ]


def _of_worst(name: str, columns: Sequence[Column]) -> str:
    """The macro of what the class that is worst off reaches."""
    shown = ",\n".join(f"    {column.of_worst} as {column.name}" for column in columns)
    about = [f"{column.name}: {column.says}" for column in columns]
    return _macro(
        name,
        _arguments(columns),
        "\n-- ".join(["The value of the worst class.", *about]),
        [*_classes(), *(column.step for column in columns)],
        f"select\n{shown}",
    )


def _of_classes(columns: Sequence[Column]) -> str:
    """The macro of what every class reaches."""
    shown = "".join(f",\n    {column.of_class} as {column.name}" for column in columns)
    joined = "".join(
        f"\ninner join {measured}\n    on classes.class_id = {measured}.class_id"
        for measured in (work(column.name) for column in columns)
    )
    return _macro(
        "class_metrics",
        _arguments(columns),
        "A row for each class: its records and what is measured in it.",
        [*_classes(), *(column.step for column in columns)],
        f"select\n    classes.class_id,\n    classes.records{shown}"
        f"\nfrom {_plan().publication.view.classes} as classes{joined}\norder by classes.class_id",
    )


def _arguments(columns: Sequence[Column]) -> str:
    taken = {name: value for column in columns for name, value in column.model.taken.items()}
    defaults = [f"{name} := {value}" for name, value in taken.items()]
    return ", ".join(("relation, quasi_identifiers, sensitive", *defaults))


@cache
def _plan(distance: str = "equal") -> Prepared:
    """The plan of a table with a sensitive attribute of some distance."""
    return pattern(sensitive={"distance": distance})


def _measuring_step(model: PrivacyModel, distance: str = "equal") -> Step:
    """The step that measures a model in every class."""
    view = _plan(distance).publication.view
    attribute = view.sensitive[0] if model.per == "sensitive" else None
    return Asked(Demand(model), attribute).step(view.sizes, view.class_values)


def _classes(sensitive: bool = True) -> list[Step]:
    """From the caller's relation to its classes, and to the sensitive values in each."""
    view, params = _plan().publication.view, {"sensitive": sensitive}
    reading = Step("the table as it is read", MEASURED, "table_macros/measured", {}, params)
    wanted = [view.classes, *(view.class_values.values() if sensitive else ())]
    return [reading, *needed(steps_of(_plan()), wanted, [MEASURED, RECORDS])]


def _dealing() -> str:
    ranked, packed, dealt, release = map(work, ("ranked", "packed", "dealt", "release"))
    domain = _plan().publication.view.sensitive[0].domain
    stacking = needed(steps_of(_plan()), [domain, STACK, SIZES], [RECORDS])
    dealing = {"packed": packed, "domain": domain, "stack": STACK, "sizes": SIZES}
    steps = [
        Step("the values of the quasi-identifiers by their ranks", ranked, "table_macros/ranked"),
        Step("these of a record as a list", packed, "table_macros/packed", {"ranked": ranked}),
        *with_arguments(stacking, {"k": Sql("k")}),
        Step("dealing the records into classes", dealt, "table_macros/dealt", dealing),
        Step("what every class publishes", release, "table_macros/release", {"dealt": dealt}),
    ]
    return _macro(
        "stack_and_deal",
        "relation, quasi_identifiers, sensitive, k, seed := 0",
        "The records in classes of at least k, with nearly equal hands of sensitive values.\n"
        "-- Measure what it gives before you publish it.",
        steps,
        f"select released.*\nfrom {release} as released\norder by all",
        packed,
    )


def _macro(
    name: str,
    arguments: str,
    about: str,
    steps: Sequence[Step],
    last: str,
    records: Relation = MEASURED,
) -> str:
    """Steps as the CTEs of one SELECT; the plan's records are those of a relation."""
    parts = folded(steps, naming=lambda one: records if one == RECORDS else one)
    return (
        f"-- {about}\ncreate or replace macro {name}({arguments}) as table\n"
        f"with\n{(',' + chr(10) * 2).join(parts)}\n\n{last};\n"
    )
