"""The table macros, as steps of the templates that a run is made of, folded into one SELECT each.

A macro names its relation and its columns in its arguments, which stand in the SQL where a plan has
names. What reads them is in ``sql_templates/table_macros``; everything else is shared.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlanon.plan import Step, folded, work
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql

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
_MEASURED, _CLASSES, _VALUES = work("measured"), work("classes"), work("values_in_use")
_DOMAIN, _POSITIONS, _CLASS_VALUES = work("domain"), work("positions"), work("class_values")
# Text has no order of its own: its ordered distance is NULL.
_IN_ORDER = f"""(
        select count(*)
        from {_MEASURED} as records
        where regexp_matches(typeof(records.s1), '^(VARCHAR|BOOLEAN|ENUM.*|UUID)$')
    ) = 0"""
_VALUE = {"attribute": Sql("s1"), "telling": None}  # a macro does not know the column's type
_S1, _TUPLE = Sql("s1"), {"published": (Sql("p1"),)}


def library() -> str:
    """Every macro, as one SQL script."""
    return "\n".join([_HEAD, *_measuring(), _dealing(), _SCALARS])


def _measuring() -> list[str]:
    table = "relation, quasi_identifiers"
    sensitive = f"{table}, sensitive"
    k = Step("", work("k"), "privacy/k_anonymity", {"classes": _CLASSES})
    distinct, entropy = _model("distinct_l"), _model("entropy_l")
    alpha, equal, ordered = _model("alpha"), _model("t_equal"), _model("t_ordered")
    of_values = (distinct, entropy, alpha, equal, ordered)
    return [
        _macro(
            "k_anonymity",
            table,
            "How many records share each combination of the quasi-identifiers, at least.",
            [*_classes(sensitive=False), k],
            "select\n"
            "    min(measured.value) as k,\n"
            "    count(*) as classes,\n"
            "    cast(sum(measured.value) as bigint) as records\n"
            f"from {k.output} as measured",
        ),
        _macro(
            "l_diversity",
            sensitive,
            "How many sensitive values each class holds, at least, and how many in effect.",
            [*_classes(), distinct, entropy],
            f"select\n"
            f"    (select min(measured.value) from {distinct.output} as measured) as distinct_l,\n"
            f"    (select min(measured.value) from {entropy.output} as measured) as entropy_l",
        ),
        _macro(
            "t_closeness",
            sensitive,
            "How far the farthest class is from the table: values as unlike as any other, or in\n"
            "-- their natural order.",
            [*_classes(), equal, ordered],
            f"select\n"
            f"    (select max(measured.value) from {equal.output} as measured) as t_equal,\n"
            f"    (select max(measured.value) from {ordered.output} as measured where {_IN_ORDER})"
            " as t_ordered",
        ),
        _macro(
            "class_metrics",
            sensitive,
            "A row for each class: its records and what is measured in it.",
            [*_classes(), *of_values],
            "select\n    classes.class_id,\n    classes.records"
            + "".join(
                f",\n    {_shown(one, ordered)} as {one.output.name.removeprefix('sqlanon_')}"
                for one in of_values
            )
            + f"\nfrom {_CLASSES} as classes"
            + "".join(
                f"\ninner join {one.output}\n    on classes.class_id = {one.output}.class_id"
                for one in of_values
            )
            + "\norder by classes.class_id",
        ),
    ]


def _shown(model: Step, ordered: Step) -> str:
    value = f"{model.output}.value"
    return f"case when {_IN_ORDER} then {value} end" if model == ordered else value


def _model(name: str) -> Step:
    """What a model measures in every class, held to no threshold."""
    inputs: dict[str, Any] = {"classes": _CLASSES, "class_values": _CLASS_VALUES}
    if name.startswith("t_"):
        inputs["positions"] = _POSITIONS
    return Step("", work(name), f"privacy/{name}", inputs)


def _classes(sensitive: bool = True) -> list[Step]:
    """From the caller's relation to its classes, and to the sensitive values in each."""
    steps = [
        Step("", _MEASURED, "table_macros/measured", {}, {"sensitive": sensitive}),
        Step("", _CLASSES, "measure/classes", {"measured": _MEASURED}, _TUPLE),
    ]
    if not sensitive:
        return steps
    inputs = {"measured": _MEASURED, "classes": _CLASSES, "positions": _POSITIONS}
    of_values = Step("", _CLASS_VALUES, "measure/class_values", inputs, {**_VALUE, **_TUPLE})
    return [*steps, *_positions(_MEASURED), of_values]


def _positions(records: Relation) -> list[Step]:
    domain, order = {"domain": _DOMAIN}, {"order": "code", "height": 0}
    values = {"values_in_use": _VALUES}
    return [
        Step(
            "", _VALUES, "source/values_in_use", {"records": records}, {**_VALUE, "folded": False}
        ),
        Step("", _DOMAIN, "domains/domain_flat", values, {"telling": None}),
        Step("", _POSITIONS, "domains/positions", domain, order),
    ]


def _dealing() -> str:
    ranked, packed, dealt = work("ranked"), work("packed"), work("dealt")
    stack, sizes, release = work("stack"), work("sizes"), work("release")
    steps = [
        Step("", ranked, "table_macros/ranked"),
        Step("", packed, "table_macros/packed", {"ranked": ranked}),
        *_positions(packed),
        Step(
            "",
            stack,
            "stack_and_deal/stack",
            {"records": packed, "positions_s1": _POSITIONS},
            {
                "sensitive": (_S1,),
                "positions": {"s1": _POSITIONS},
                "telling": {},
                "order": "frequency",
            },
        ),
        Step("", sizes, "stack_and_deal/sizes", {"stack": stack}, {"k": Sql("k")}),
        Step(
            "",
            dealt,
            "table_macros/dealt",
            {"packed": packed, "domain": _DOMAIN, "stack": stack, "sizes": sizes},
        ),
        Step("", release, "table_macros/release", {"dealt": dealt}),
    ]
    return _macro(
        "stack_and_deal",
        "relation, quasi_identifiers, sensitive, k, seed := 0",
        "The records in classes of at least k, with nearly equal hands of sensitive values.\n"
        "-- Measure what it gives before you publish it.",
        steps,
        f"select released.*\nfrom {release} as released\norder by all",
    )


def _macro(name: str, arguments: str, about: str, steps: Sequence[Step], last: str) -> str:
    """Steps as the CTEs of one SELECT."""
    parts = folded(steps)
    return (
        f"-- {about}\ncreate or replace macro {name}({arguments}) as table\n"
        f"with\n{(',' + chr(10) * 2).join(parts)}\n\n{last};\n"
    )
