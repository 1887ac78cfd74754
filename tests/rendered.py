"""Every template rendered as real plans render it, for contract, golden and lint checks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import duckdb

from sqlanon.engines import DuckDBEngine
from sqlanon.plan import Check, Step
from sqlanon.release import prepare
from sqlanon.release.predict import profile_steps
from sqlanon.release.run import recording
from sqlanon.spec import parse_spec
from sqlanon.sql import Relation, Template, load_template

SOURCE = """
create table patients as
select
    i as patient_id,
    (17 + i % 60)::integer as age,
    '1' || (i % 10000) as zip,
    (i % 7) * 1.5 as dose,
    date '2020-01-01' + (i % 700)::integer as admitted,
    case when i % 2 = 0 then 'Male' else 'Female' end as sex,
    'town ' || (i % 5) as town,
    i % 23 as visits,
    case i % 4 when 0 then 'flu' when 1 then 'cold' when 2 then 'ulcer' else 'gastritis' end
        as disease,
    case i % 3 when 0 then 'low' when 1 then 'middle' else 'high' end as pain,
    i % 11 as salary,
    'ward ' || (i % 3) as ward
from range(500) as t(i)
"""
DISEASES = {"*": {"respiratory": ["flu", "cold"], "stomach": ["ulcer", "gastritis"]}}
EVERYTHING: dict[str, Any] = {
    "source": {"table": "patients"},
    "release": "patients_public",
    "identifiers": ["patient_id"],
    "quasi_identifiers": {
        "age": {"hierarchy": {"bands": [5, 10, 20]}},
        "zip": {"hierarchy": {"prefix": [5, 3, 0]}},
        "dose": {"hierarchy": {"bands": [2, 4]}, "weight": "1/2"},
        "admitted": {"hierarchy": {"dates": ["month", "year"]}},
        "sex": {"hierarchy": {"tree": {"*": ["Male", "Female"]}}},
        "town": {},
        "visits": {"publish": "bounds"},
    },
    "sensitive": {
        "disease": {"distance": "hierarchical", "hierarchy": {"tree": DISEASES}, "t": 0.9},
        "pain": {"distance": "ordered", "order": ["low", "middle", "high"], "t": 0.9},
        "salary": {
            "distance": "ordered",
            "order": "frequency",
            "nulls": "reject",
            "l": {"distinct": 1, "entropy": 1, "recursive": {"c": 99, "l": 1}},
            "alpha": 1,
        },
    },
    "insensitive": ["ward"],
    "key": [],
    "privacy": {"k": 10},
    "method": {"name": "stack_and_deal", "stack": "snake"},
    "materialize": "view",
    "seed": 7,
}
SIMPLE: dict[str, Any] = {
    "source": {"table": "patients"},
    "release": "patients_public",
    "quasi_identifiers": {
        "age": {},
        "zip": {"hierarchy": {"sql": ["left(zip, 2)", "'*'"]}},
        "admitted": {"publish": "bounds"},
    },
    "sensitive": {"disease": {"t": 0.9}},
    "privacy": {"k": 10},
    "key": ["patient_id"],
}
LOCAL: list[dict[str, Any]] = [
    {**SIMPLE, "method": {"name": "stack_and_deal", "locality": "curve"}},
    {
        **SIMPLE,
        "quasi_identifiers": ["age", "sex", "zip"],
        "method": {"name": "stack_and_deal", "locality": "stripes", "stripe": 100},
    },
]


@dataclass(frozen=True)
class Use:
    """One use of a template in a plan."""

    template: Template
    sql: str
    inputs: frozenset[str]


def uses(dialect: str) -> Iterator[Use]:
    """Every use of a template in the plans of the specs above, in one dialect."""
    for step in steps():
        template = load_template(step.template, dialect)
        names = {Relation.parse(str(value)).name for value in step.inputs.values()}
        yield Use(template, template.render(step.inputs, step.params), frozenset(names))


@cache
def steps() -> tuple[Step | Check, ...]:
    """The steps of the specs above."""
    connection = duckdb.connect()
    connection.execute(SOURCE)
    engine = DuckDBEngine(connection=connection)
    found: list[Step | Check] = []
    for declared in (EVERYTHING, SIMPLE, *LOCAL):
        prepared = prepare(parse_spec(declared), engine)
        found += profile_steps(prepared, prepared.sensitive)
        found += [step for step in prepared.plan if isinstance(step, Step | Check)]
        found.append(recording(prepared, engine, []))
    engine.close()
    connection.close()
    return tuple(found)
