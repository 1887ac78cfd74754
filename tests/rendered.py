"""Every template rendered as real plans render it, for contract, golden and lint checks.

``python tests/rendered.py FOLDER`` writes the longest use of each template, for a linter.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from hashlib import sha256
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeGuard
from unittest.mock import patch

import duckdb
from large import as_large

from sqlanon.clauses.recipe.file import recipe_of
from sqlanon.domains.contingencies import ATTRIBUTE_CELLS, counting_cells
from sqlanon.engines import DuckDBEngine
from sqlanon.judge.check import check
from sqlanon.measure.detail import detail_step
from sqlanon.methods.deal.stack_and_deal.method import KindsOfClasses
from sqlanon.plan import Check, Rows, Step, StepRecord, work
from sqlanon.planning.drawn_levels import TUPLES, candidates, counting, scoring
from sqlanon.planning.prepare import prepare
from sqlanon.planning.recoding import prepare_release
from sqlanon.planning.trials import Closeness, Trial
from sqlanon.privacy.differential.sampling import sampling_for
from sqlanon.record.content import content_steps
from sqlanon.record.recorded import recorded
from sqlanon.session import Session
from sqlanon.session.session import Owner
from sqlanon.spec import Source, parse_spec
from sqlanon.spec.metrics import AskedQuery
from sqlanon.sql.names import Relation, Sql, identifier
from sqlanon.sql.templates import Template, load_template, template_names
from sqlanon.uses.attacks.against import Given
from sqlanon.uses.attacks.as_published import of_release
from sqlanon.uses.attacks.attack import attack
from sqlanon.uses.profile.hierarchies import suggest_hierarchy
from sqlanon.uses.profile.risk import Sample, risk_of
from sqlanon.uses.profile.table import profile_table
from sqlanon.uses.release.record import recording
from sqlanon.uses.release.run import publish
from sqlanon.uses.sweeps.sweep import recording as sweep_recording
from sqlanon.uses.utilities.utility import utility

HERE = Path(__file__).parent
ROOT = HERE.parent
# A search that is over soon, and refines nonetheless.
QUICK = {"name": "split_or_deal", "effort": "quick", "refine": 1}
SOURCE = """
create table patients as
select
    i as patient_id,
    (17 + i % 60)::integer as age,
    '1' || lpad((i % 10000)::varchar, 4, '0') as zip,
    (i % 7) * 1.5e0 as dose,
    date '2020-01-01' + (i % 700)::integer as admitted,
    case when i % 2 = 0 then 'Male' else 'Female' end as sex,
    'town ' || (i % 5) as town,
    i % 23 as visits,
    case i % 4 when 0 then 'flu' when 1 then 'cold' when 2 then 'ulcer' else 'gastritis' end
        as disease,
    case i % 3 when 0 then 'low' when 1 then 'middle' else 'high' end as pain,
    i % 11 as salary,
    'ward ' || (i % 3) as ward
from range(240) as t(i)
"""
# What is known of diseases by sex.
PREVALENCE = """
create table prevalence as
select s.sex, d.disease, case s.sex when 'Male' then d.men else d.women end as p
from (values ('Male'), ('Female')) as s (sex)
cross join (
    values
    ('flu', 0.4e0, 0.2e0), ('cold', 0.3e0, 0.3e0),
    ('ulcer', 0.2e0, 0.1e0), ('gastritis', 0.1e0, 0.4e0)
) as d (disease, men, women)
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
        "disease": {
            "distance": "hierarchical",
            "hierarchy": {"tree": DISEASES},
            "t": 0.9,
            "l": {"distinct": 1, "level": 1},
        },
        "pain": {
            "distance": "ordered",
            "order": ["low", "middle", "high"],
            "t": 0.9,
            "beta": {"basic": 9, "enhanced": 9},
            "delta": {"log2": 9, "ln": 9},
        },
        "salary": {
            "distance": "ordered",
            "order": "frequency",
            "nulls": "reject",
            "proximity": {"epsilon": 0, "m": 1},
            "l": {"distinct": 1, "entropy": 1, "recursive": {"c": 99, "l": 1}},
            "alpha": 1,
        },
    },
    "insensitive": ["ward"],
    "key": [],
    "privacy": {"k": 10},
    "method": {"name": "stack_and_deal", "stack": "snake"},
    "metrics": ["classification_metric", "ambiguity", "non_uniform_entropy"],
    "materialize": "view",
    "seed": 7,
}
OWN = {
    "well paid": AskedQuery(where={"sex": "Male", "salary": [1, 2000]}, mean="dose"),
    "of a year": AskedQuery(where={"admitted": ["2020-01-01", "2020-12-31"], "town": ["a", None]}),
    "the old": AskedQuery(where={"age": [60, 90]}, mean="age"),
}
BANDED: dict[str, Any] = {
    "source": {"table": "dosed_patients"},
    "release": "patients_public",
    "quasi_identifiers": {
        "dose": {"hierarchy": {"bands": [0.5, 5]}},
        "pounds": {"hierarchy": {"bands": [0.25, [None, 2.5, 5, None]]}},
        "age": {"hierarchy": {"bands": [[0, 18, 30, 120]]}},
    },
    "privacy": {"k": 1},
    "method": "optimal",
    "levels": {"dose": 1, "pounds": 2, "age": 1},
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
    "method": "stack_and_deal",
    "key": ["patient_id"],
}
ALONG_A_COMPONENT: dict[str, Any] = {
    **SIMPLE,
    "sensitive": {"age": {}, "visits": {}},
    "quasi_identifiers": ["sex"],
    "method": {"name": "stack_and_deal", "stack": "component"},
}
IN_CLUSTERS: dict[str, Any] = {
    **ALONG_A_COMPONENT,
    "sensitive": {"age": {}, "disease": {}},
    "method": {"name": "stack_and_deal", "stack": "clusters"},
}
LOCAL: list[dict[str, Any]] = [
    {**SIMPLE, "method": {"name": "stack_and_deal", "locality": "curve"}},
    {**SIMPLE, "method": "random"},
    {**SIMPLE, "method": {"name": "random", "sizes": "free"}},
    {**SIMPLE, "method": {"name": "random", "sizes": "free", "counts": 2}},
    {**SIMPLE, "method": {"name": "random", "counts": 2}},
    {
        **SIMPLE,
        "quasi_identifiers": ["age", "sex"],
        "suppression": {"records": 0.2, "within": "sex"},
    },
    {
        **SIMPLE,
        "quasi_identifiers": ["age", "sex", "zip"],
        "method": {"name": "stack_and_deal", "locality": "stripes", "stripe": 100},
    },
]
ALONE: dict[str, Any] = {**SIMPLE, "sensitive": [], "quasi_identifiers": ["age", "sex"]}
CENTURIES: dict[str, Any] = {
    **SIMPLE,
    "quasi_identifiers": {"admitted": {"hierarchy": {"dates": ["year", "century"]}}},
}
BY_PERSON = {
    **SIMPLE,
    "quasi_identifiers": ["sex", "zip"],
    "key": [],
    "identifiers": ["patient_id"],
    "person": ["town", "age"],
    "insensitive": {"ward": {"accept": "known to all"}},
    "sensitive": {"disease": {"distance": "hierarchical", "hierarchy": {"tree": DISEASES}}},
    "privacy": {"k": 5},
}
FIRST: dict[str, Any] = {
    **BY_PERSON,
    "source": {"table": "first_patients"},
    "release": "visits_first",
    "sensitive": {"disease": {"l": {"recursive": {"c": 99, "l": 2}}}, "pain": {}},
    "insensitive": [],
    "privacy": {"k": 3},
    "series": {},
}
PLACED: dict[str, Any] = {
    **SIMPLE,
    "quasi_identifiers": {
        "age": {},
        "visits": {"publish": "bounds"},
        "sex": {"hierarchy": {"tree": {"*": ["Male", "Female"]}}},
    },
    "method": "mondrian",
}
# Doubles that are laid out by their distances.
DOSED: dict[str, Any] = {**SIMPLE, "quasi_identifiers": ["dose"]}
# Its cells say by themselves which values they hold.
PLAINLY_PLACED: dict[str, Any] = {
    **PLACED,
    "quasi_identifiers": {
        "age": {},
        "visits": {
            "hierarchy": {"tree": {"*": {"few": ["0", "1"], "more": [*map(str, range(2, 23))]}}}
        },
        "sex": {"hierarchy": {"tree": {"*": ["Male", "Female"]}}},
    },
}
PLACED_IN_SETS = {**PLACED, "quasi_identifiers": ["age", "town"]}
SERIES: list[dict[str, Any]] = [
    {
        **FIRST,
        "source": {"table": "second_patients"},
        "release": "visits_second",
        "series": {"after": ["visits_first"], "changing": ["pain"]},
        "suppression": {"records": 0.9},
    },
    {
        **FIRST,
        "release": "visits_third",
        "sensitive": [],
        "series": {"after": ["visits_first"]},
    },
]
LINKED_FIRST: dict[str, Any] = {
    **SIMPLE,
    "release": "linked_first",
    "quasi_identifiers": ["age", "sex"],
    "key": [],
    "person": ["patient_id"],
    "identifiers": {"nr": {"pseudonym": "keyed", "key": {"env": "PEPPER"}}},
    "source": {"query": "select *, patient_id as nr from patients"},
    "sensitive": {"disease": {"t": 0.9, "l": {"recursive": {"c": 99, "l": 2}}}},
    "series": {},
}
LINKED: dict[str, Any] = {
    **LINKED_FIRST,
    "release": "linked_second",
    "quasi_identifiers": ["ward"],
    "sensitive": {"pain": {"l": {"recursive": {"c": 99, "l": 2}}, "t": 0.9}},
    "series": {"after": ["linked_first"], "joined": "nr"},
}
LEVELS: list[dict[str, Any]] = [
    {
        **SIMPLE,
        "quasi_identifiers": {
            "sex": {"hierarchy": {"tree": {"*": ["Male", "Female"]}}},
            "zip": {"hierarchy": {"prefix": [5, 2, 1, 0]}},
            "age": {"hierarchy": {"bands": [10, 20]}, "weight": 2},
        },
        "sensitive": {
            "disease": {
                "t": 0.4,
                "l": 2,
                "distance": "hierarchical",
                "hierarchy": {"tree": DISEASES},
            }
        },
        "privacy": {"k": 5},
        "method": "optimal",
        "levels": {"zip": [1, 3]},
        "suppression": {"records": 0.2},
        "metrics": ["classification_metric", "iloss", "coarsened_share", "non_uniform_entropy"],
    },
    {
        **ALONE,
        "quasi_identifiers": {
            "age": {"hierarchy": {"bands": [5, 20]}},
            "sex": {"hierarchy": {"tree": {"*": ["Male", "Female"]}}},
        },
        "method": "incognito",
        "metrics": ["precision", "height"],
        "materialize": "view",
    },
]
# At fixed levels, whose scripts are made of labels.
RECODED: list[dict[str, Any]] = [
    {
        **LEVELS[0],
        "levels": {"zip": 1, "sex": 0, "age": 1},
        "suppression": None,
        "metrics": [],
    },
    {
        **ALONE,
        "quasi_identifiers": {
            "age": {"hierarchy": {"sql": ["case when age < 30 then 'young' else 'old' end"]}},
            "sex": {"hierarchy": {"tree": {"*": ["Male", "Female"]}}},
        },
        "levels": {"age": 1, "sex": 1},
        "method": "optimal",
        "suppression": {"records": 0.2},
    },
    {
        **LEVELS[0],
        "levels": {"zip": 1, "sex": 0, "age": 1},
        "sensitive": {"disease": {"t": 0.5}},
        "suppression": {"records": 0.2},
        "metrics": [],
    },
]
SUBSETS: list[dict[str, Any]] = [
    {
        **LEVELS[0],
        "privacy": {
            "k": 5,
            "subsets": [{"columns": ["zip", "sex"], "k": 20}, {"columns": "age", "k": 10}],
        },
    },
    {
        **LEVELS[1],
        "privacy": {"k": 10, "subsets": [{"columns": "age", "k": 20}]},
    },
    {
        **SIMPLE,
        "quasi_identifiers": {
            "age": {"publish": "bounds"},
            "town": {},
            "zip": {"hierarchy": {"prefix": [5, 3, 0]}},
        },
        "privacy": {
            "k": 10,
            "subsets": [{"columns": ["age", "town"], "k": 20}, {"columns": "age", "k": 40}],
        },
    },
    {**BY_PERSON, "privacy": {"k": 5, "subsets": [{"columns": "sex", "k": 30}]}},
]
BY_PERSON_WITHIN: dict[str, Any] = {
    **BY_PERSON,
    "sensitive": {"disease": {"t": 0.9}},
    "suppression": {"records": 0.2, "within": "sex"},
}
VOTERS: dict[str, Any] = {"source": {"table": "voters"}, "k_map": 10, "presence": ["1/99", "3/4"]}
POPULATIONS: list[dict[str, Any]] = [
    {**LEVELS[0], "privacy": {"k": 2, "population": VOTERS}},
    {**LEVELS[1], "privacy": {"k": 1, "population": {"source": "voters", "k_map": 20}}},
    {
        **SIMPLE,
        "quasi_identifiers": {
            "age": {"publish": "bounds"},
            "town": {},
            "zip": {"hierarchy": {"prefix": [5, 3, 0]}},
        },
        "privacy": {"k": 10, "population": {"source": "voters", "k_map": 10}},
    },
]
APART = {
    **SIMPLE,
    "quasi_identifiers": ["age", "sex"],
    "sensitive": {"disease": {"l": 2}, "salary": {"t": 0.9}},
    "insensitive": {"ward": {"accept": "known to all"}},
    "privacy": {"k": 1},
    "publish": {"name": "anatomy", "group": 10},
}
DIFFERENT = {
    **APART,
    "sensitive": {"disease": {"l": 3}},
    "publish": "anatomy",
    "method": "anatomy",
}
KEYED = {
    **SIMPLE,
    "key": [],
    "identifiers": {"patient_id": {"pseudonym": "keyed", "key": {"env": "PEPPER"}}},
}
TRANSFORMED: dict[str, Any] = {
    **SIMPLE,
    "key": ["patient_id"],
    "identifiers": [],
    "quasi_identifiers": ["age"],
    "sensitive": {"salary": {"transform": [{"round": 2}, {"top": 8}, {"bottom": 2}], "l": 2}},
    "insensitive": {
        "visits": {"transform": {"noise": {"within": 2, "key": {"env": "PEPPER"}}}},
        "pounds": {
            "transform": [{"noise": {"share": 0.05, "key": {"env": "PEPPER"}}}, {"bands": 25}]
        },
        "grams": {"transform": {"rank_swap": {"within": 0.05, "key": {"env": "PEPPER"}}}},
        "admitted": {"transform": {"date_shift": {"days": 30, "key": {"env": "PEPPER"}}}},
        "ward": {"transform": [{"pram": {"keep": 0.9, "key": {"env": "PEPPER"}}}, {"mask": 4}]},
    },
    "source": {
        "query": "select *, cast(dose as decimal(9, 2)) as pounds, cast(dose as decimal(9, 1)) as "
        "grams from patients"
    },
}
BOUNDED: dict[str, Any] = {
    **TRANSFORMED,
    "sensitive": {
        "salary": {"transform": {"laplace": {"epsilon": 1, "low": 2, "high": 8, "step": 2}}}
    },
    "insensitive": {
        "grams": {"transform": {"laplace": {"epsilon": 2, "low": 0, "high": "0.3"}}},
        "ward": {
            "transform": [
                {"randomized_response": {"epsilon": 1, "values": ["a", "b", "c"]}},
                {"mask": 1},
            ]
        },
    },
    "person": ["sex"],
}
DRAWN = (
    *("clauses/transform/", "measure/changes", "publish/"),
    *("source/check_named", "source/keyed", "source/sampled", "source/proved"),
)
SAMPLED: dict[str, Any] = {
    **{
        name: value
        for name, value in SIMPLE.items()
        if name not in ("method", "privacy", "sensitive")
    },
    "key": ["patient_id"],
    "identifiers": [],
    "quasi_identifiers": {"age": {"hierarchy": {"bands": [10]}}},
    "levels": {"age": 1},
    "privacy": {"differential": {"epsilon": 1, "delta": 0.5}},
}
CHOOSING: dict[str, Any] = {
    **SAMPLED,
    "quasi_identifiers": {
        "age": {"hierarchy": {"bands": [10, 20]}},
        "sex": {"hierarchy": {"tree": {"*": ["Female", "Male"]}}},
    },
    "levels": {"age": [1, 3]},
    "privacy": {"differential": {"epsilon": 1, "delta": 0.5, "choose": {"epsilon": 0.1}}},
}
COUNTED: dict[str, Any] = {
    **SAMPLED,
    "key": [],
    "person": ["patient_id"],
    "quasi_identifiers": {
        "age": {"hierarchy": {"bands": [10]}},
        "sex": {"hierarchy": {"tree": {"*": ["Female", "Male"]}}},
        "town": {"hierarchy": {"prefix": [1]}},
    },
    "levels": {"age": 1, "sex": 0, "town": 2},
    "sensitive": ["visits"],
    "publish": {
        "name": "counts",
        "columns": [["age", "sex"], ["sex", "town"]],
        "contributions": 2,
        "sums": {"visits": {"low": -2, "high": 20, "step": 2}},
        "round": 5,
        "between": [0, 1000],
    },
}
JOINT: dict[str, Any] = {
    **TRANSFORMED,
    "quasi_identifiers": ["age", "sex"],
    "sensitive": ["disease"],
    "insensitive": {
        "visits": {"transform": {"bottom": 0}},
        "pounds": {},
        "ward": {"transform": {"mask": 1}},
        "pain": {},
    },
    "swap": {
        "columns": ["ward", "pain"],
        "within": ["sex"],
        "rare": ["age", "sex"],
        "share": 0.1,
        "key": {"env": "PEPPER"},
    },
    "noise": {"columns": ["visits", "pounds"], "share": 0.1, "key": {"env": "PEPPER"}},
}
LISTED: dict[str, Any] = {
    **SIMPLE,
    "quasi_identifiers": {
        "pain": {"order": ["low", "middle", "high", "none"], "publish": "interval"},
        "sex": {"order": ["Male", "Female"], "publish": "bounds"},
        "visits": {"nominal": True},
    },
    "method": "mondrian",
}
CENTROIDS: dict[str, Any] = {
    **SIMPLE,
    "source": {"table": "dosed_patients"},
    "quasi_identifiers": {
        "age": {"publish": "mean"},
        "pounds": {"publish": "mean"},
        "admitted": {"publish": "median"},
        "pain": {"order": ["low", "middle", "high", "none"], "publish": "median"},
        "sex": {"publish": "mode"},
        "visits": {"publish": "mode"},
    },
}
KNOWN = {"background": {"estimate": {"by": ["age", "sex"], "smoothing": "1/2"}}}
TOLD = {
    "background": {
        "table": "prevalence",
        "columns": {"sex": "sex"},
        "value": "disease",
        "probability": "p",
    }
}
GUARDED: dict[str, Any] = {
    **SIMPLE,
    "source": {"table": "guarded_patients"},
    "quasi_identifiers": ["age", "sex"],
    "sensitive": {
        "disease": {
            "distance": "hierarchical",
            "hierarchy": {"tree": {"*": {"a": ["flu", "cold"], "b": ["ulcer", "gastritis"]}}},
            "guard": {"column": "asks", "p": "2/3"},
        }
    },
    "method": QUICK,
}
SENSITIVE_CELLS: dict[str, Any] = {
    **SIMPLE,
    "quasi_identifiers": {
        "age": {"sensitive": {"t": 0.9}},
        "sex": {
            "hierarchy": {"tree": {"*": ["Male", "Female"]}},
            "sensitive": {"distance": "hierarchical", "t": 0.9},
        },
    },
    "sensitive": ["disease"],
}
FOLLOWERS: dict[str, Any] = {
    **SIMPLE,
    "quasi_identifiers": {
        "town": {"follows": "zip"},
        "age": {"follows": "sex"},
        "zip": {"hierarchy": {"prefix": [1]}},
        "sex": {},
    },
}
BACKGROUNDS: list[dict[str, Any]] = [
    {
        **BY_PERSON,
        "sensitive": {
            "disease": {"t": 0.9, "bk": 0.5, "background": {"estimate": {"by": ["sex"]}}},
        },
        "method": "mondrian",
        "suppression": {"records": 0.5},
    },
    {
        **SIMPLE,
        "quasi_identifiers": ["age", "sex"],
        "sensitive": {"disease": {"t": 0.9, **KNOWN}, "pain": {"bk": 0.5, **KNOWN}},
        "privacy": {"k": 5, "bk": 0.9},
        "method": QUICK,
        "suppression": {"records": 0.5},
    },
    {
        **SIMPLE,
        "quasi_identifiers": {
            "age": {"hierarchy": {"bands": [20, 40]}},
            "sex": {"hierarchy": {"tree": {"*": ["Male", "Female"]}}},
        },
        "sensitive": {"disease": {"bk": 0.9, **TOLD}},
        "method": {"name": "optimal", "objective": "discernibility"},
    },
    {
        **SIMPLE,
        "quasi_identifiers": {"sex": {"hierarchy": {"tree": {"*": ["Male", "Female"]}}}},
        "method": {"name": "optimal", "objective": "non_uniform_entropy"},
    },
    {
        **SIMPLE,
        "quasi_identifiers": {"age": {}, "town": {}, "visits": {"publish": "bounds"}},
        "sensitive": {"disease": {"t": 0.9}},
        "method": {"name": "k_optimize", "objective": "gcp", "splits": 2, "nodes": 40},
        "suppression": {"records": 0.2},
    },
    {
        **ALONE,
        "method": {"name": "k_optimize", "splits": 2, "nodes": 40},
        "levels": {"sex": 0},
    },
    {
        **SIMPLE,
        "quasi_identifiers": ["town", "sex"],
        "sensitive": {"disease": {"bk": 0.9, **TOLD}},
        "method": "mondrian",
    },
    {  # clusters that show the same, each one class
        **SIMPLE,
        "quasi_identifiers": {"visits": {"hierarchy": {"bands": [100]}}},
        "sensitive": {
            "disease": {
                "background": {"estimate": {"by": ["visits"], "smoothing": 1}},
                "bk": 0.00001,
            }
        },
        "suppression": {"records": 0.9},
        "privacy": {"k": 20},
        "method": "mondrian",
    },
    {
        **SIMPLE,
        "source": {"table": "few_patients"},
        "quasi_identifiers": {
            "age": {},
            "sex": {"hierarchy": {"tree": {"*": ["Male", "Female"]}}},
            "visits": {},
        },
        "sensitive": {
            "disease": {"t": 0.5, "bk": 0.9, **TOLD},
            "pain": {"t": 0.5, "distance": "ordered", "order": ["low", "middle", "high"]},
        },
        "privacy": {"k": 4},
        "method": {"name": "uhra", "block": 50},
        "suppression": {"records": 0.5},
    },
    {
        **SIMPLE,
        "source": {"table": "few_patients"},
        "quasi_identifiers": ["age", "sex"],
        "sensitive": {"disease": {"t": 0.5, "bk": 0.9, **TOLD}},
        "privacy": {"k": 4},
        "method": {"name": "uhra", "scope": "table", "order": "curve", "rounds": 0},
        "suppression": {"records": 0.5},
        "metrics": [
            *("record_linkage", "formed_classes", "least_formed_class", "mean_formed_class"),
        ],
    },
]
SHUFFLED = {**APART, "publish": {"name": "permuted", "group": 10}}
SLICED = {
    **APART,
    "quasi_identifiers": ["age", "sex", "town"],
    "insensitive": [],
    "sensitive": {"disease": {"l": 2}, "salary": {"t": 0.99}},
    "method": "stack_and_deal",
    "publish": {
        "name": "sliced",
        "group": 60,
        "columns": [["sex", "disease", "salary"], ["age"], ["town"]],
    },
}
STARRED: dict[str, Any] = {
    **SLICED,
    "quasi_identifiers": ["sex", "town", "age", "zip"],
    "sensitive": {"disease": {"l": 2}},
    "publish": {
        "name": "sliced",
        "group": 60,
        "columns": [["sex", "age", "zip"], ["town"], ["disease"]],
        "suppress": "similar",
    },
}
# By pairs of a queue, with labels of a level where cells are suppressed, and of another elsewhere.
PAIRED = {
    **STARRED,
    "quasi_identifiers": {
        "sex": {},
        "town": {},
        "age": {"hierarchy": {"bands": [5, 20]}},
        "zip": {},
    },
    "publish": {
        **STARRED["publish"],
        "levels": {"age": 1},
        "suppress": {"rule": "pairs", "levels": {"age": 2}},
    },
}
# With a record that stretches every cell it lies in.
OUTLYING: dict[str, Any] = {
    **SIMPLE,
    "source": {"query": "select * replace (if(patient_id = 5, 4000, age) as age) from patients"},
    "quasi_identifiers": ["age", "sex"],
    "suppression": {"records": 0.2},
    "method": "mondrian",
}
# With persons, one of whom does so by all records.
OUTLYING_PERSONS: dict[str, Any] = {
    **OUTLYING,
    "key": [],
    "person": ["patient_id"],
    "suppression": {"records": 0.2, "within": "sex"},
}
# Without classes of two groups of towns, one of which is left out.
IN_STRATA: list[dict[str, Any]] = [
    {
        **SIMPLE,
        "quasi_identifiers": {"age": {}, "town": {}, "zip": {"hierarchy": {"prefix": [1]}}},
        "levels": {"town": 0, "zip": [0, 1]},
        "privacy": {"k": 4},
        "suppression": {"records": 0.9},
        "method": method,
    }
    for method in ("mondrian", {"name": "stack_and_deal", "locality": "curve"})
]
# Of slices with quasi-identifiers next to sensitive values, which have to be diverse with each.
BUCKETS: dict[str, Any] = {
    **SIMPLE,
    "quasi_identifiers": {"age": {"hierarchy": {"bands": [20]}}, "town": {}, "sex": {}},
    "sensitive": {
        "disease": {"l": {"distinct": 2}},
        "visits": {"distance": "ordered", "t": 0.5, "l": {"distinct": 2}},
    },
    "privacy": {"k": 1},
    "method": "mondrian",
    "publish": {
        "name": "sliced",
        "columns": [["age", "town"], ["sex", "disease", "visits"]],
        "levels": {"age": 1},
    },
}
# What a search makes of a large table alone.
LARGE = frozenset(
    [
        *(
            f"methods/cut/{text}"
            for text in (
                "border_levels",
                "borders",
                "dealt_cuts",
                "laid_cells",
                "laid_counts",
                "laid_parts",
                "laid_positions",
                "laid_sides",
                "node_values",
                "nodes_above",
                "parts_in_blocks",
                "sampled_cells",
                "share_positions",
            )
        ),
        "methods/split_or_deal/part_loss",
        "methods/split_or_deal/region_parts",
    ]
)
SEARCHED: list[dict[str, Any]] = [
    {**SIMPLE, "method": "split_or_deal"},
    {**SIMPLE, "method": "deal_tree", "privacy": {"k": 60}},
    {**EVERYTHING, "method": QUICK},
    {
        **SIMPLE,
        "quasi_identifiers": {"town": {}, "age": {}, "sex": {"publish": "set"}},
        "sensitive": "ward",
        "privacy": {"k": 20},
        "method": {"name": "split_or_deal", "objective": "queries", "effort": "quick"},
    },
    {
        **SIMPLE,
        "sensitive": {
            "disease": {
                "t": 0.9,
                "alpha": 0.8,
                "l": {"distinct": 2, "entropy": "3/2", "recursive": {"c": 9, "l": 2}},
            }
        },
        "method": QUICK,
    },
    {
        **SIMPLE,
        "quasi_identifiers": ["sex", "town", "visits"],
        "sensitive": {
            "admitted": {"distance": "ordered", "t": 0.3, "l": {"distinct": 2}},
            "disease": {"t": 0.5},
        },
        "privacy": {"k": 10},
        "method": QUICK,
    },
    {
        **BY_PERSON,
        "quasi_identifiers": ["sex", "admitted"],
        "person": ["visits", "ward"],
        "insensitive": [],
        "sensitive": {"salary": {"alpha": 0.8}},
        "privacy": {"k": 2},
        "method": QUICK,
    },
    {
        **SIMPLE,
        "quasi_identifiers": ["age", "visits"],
        "sensitive": {
            "pain": {"distance": "ordered", "order": ["low", "middle", "high"], "t": 0.3},
            "salary": {"distance": "ordered", "t": 0.3, "alpha": 0.9},
        },
        "insensitive": ["ward"],
        "method": {"name": "fragmentation", "bins": 8},
    },
    {
        **SIMPLE,
        "sensitive": {"salary": {"distance": "ordered", "t": 0.3}},
        "method": {"name": "fragmentation", "neighbours": "nearest"},
    },
    {**SIMPLE, "sensitive": {"disease": {"t": 0.3, "alpha": 0.4}}, "method": "sabre"},
    {
        **SIMPLE,
        "quasi_identifiers": {"visits": {}, "sex": {}},
        "levels": {"sex": 0},
        "sensitive": {"disease": {"t": 0.9}},
        "method": "sabre",
    },
    {
        **SIMPLE,
        "quasi_identifiers": {"town": {}, "visits": {}, "sex": {}},
        "sensitive": {"disease": {"t": 0.3, "l": 3}},
        "privacy": {"k": 5, "subsets": [{"columns": ["visits"], "k": 11}]},
        "method": {"name": "cell_suppression", "importance": {"visits": 3}},
    },
    {
        **SIMPLE,
        "quasi_identifiers": {"town": {}, "visits": {}, "sex": {}},
        "levels": {"sex": 0},
        "sensitive": [],
        "privacy": {"k": 11},
        "method": "cell_suppression",
        "suppression": {"records": 0.4},
    },
    {
        **SIMPLE,
        "source": {"table": "cold_patients"},
        "quasi_identifiers": ["sex"],
        "sensitive": {"disease": {"l": 2}},
        "method": "cell_suppression",
        "suppression": {"records": 0.4},
    },
    {
        **ALONE,
        "source": {"table": "town_patients"},
        "quasi_identifiers": ["town"],
        "method": "cell_suppression",
    },
    {
        **SIMPLE,
        "quasi_identifiers": ["age", "visits"],
        "sensitive": {
            "disease": {
                "distance": "hierarchical",
                "hierarchy": {"tree": DISEASES},
                "t": 0.4,
                "l": {"distinct": 1, "level": 1},
            }
        },
        "method": "sabre",
    },
    {
        **LEVELS[0],
        "quasi_identifiers": {**LEVELS[0]["quasi_identifiers"], "visits": {}},
        "method": {"name": "top_down", "places": 5},
        "levels": {},
        "metrics": [],
    },
    {
        **ALONE,
        "quasi_identifiers": {"age": {"publish": "bounds"}, "zip": {"hierarchy": {"prefix": [2]}}},
        "method": "top_down",
    },
    {**EVERYTHING, "method": "mondrian"},
    {
        **SIMPLE,
        "quasi_identifiers": {"town": {}, "sex": {"publish": "set"}},
        "sensitive": {"disease": {"t": 0.9}, "ward": {}},
        "privacy": {"k": 20},
        "method": {"name": "mondrian", "partitioning": "relaxed"},
    },
    {
        **SIMPLE,
        "quasi_identifiers": {
            "age": {},
            "sex": {"hierarchy": {"tree": {"*": ["Male", "Female"]}}},
            "visits": {},
        },
        "sensitive": {"disease": {"t": 0.1, "l": {"distinct": 2}}, "ward": {}},
        "privacy": {"k": 20},
        "method": {"name": "microaggregation", "block": 100},
    },
    {
        **SIMPLE,
        "quasi_identifiers": ["age", "visits"],
        "sensitive": {"disease": {"t": 0.9}},
        "privacy": {"k": 20},
        "method": {"name": "microaggregation", "gamma": 1.1, "block": 100},
    },
    {
        **SIMPLE,
        "quasi_identifiers": ["age", "visits"],
        "sensitive": {"salary": {"distance": "ordered", "t": 0.05}},
        "privacy": {"k": 20},
        "method": {"name": "microaggregation", "order": "t_closeness_first", "block": 100},
    },
    {
        **SIMPLE,
        "quasi_identifiers": ["age", "visits"],
        "sensitive": {"salary": {"distance": "ordered", "t": 0.2}},
        "privacy": {"k": 4},
        "method": {"name": "microaggregation", "order": "k_anonymity_first", "block": 100},
    },
    {
        **SIMPLE,
        "quasi_identifiers": ["age", "visits"],
        "sensitive": {"disease": {"t": 0.2}},
        "privacy": {"k": 4},
        "method": {"name": "microaggregation", "order": "k_anonymity_first", "block": 100},
    },
    {
        **SIMPLE,
        "quasi_identifiers": ["age", "visits"],
        "sensitive": {"salary": {"distance": "ordered", "t": 0.05}},
        "privacy": {"k": 40},
        "method": {"name": "microaggregation", "order": "k_anonymity_first", "swaps": "free"},
    },
]


@dataclass(frozen=True)
class Use:
    """One use of a template in a plan."""

    template: Template
    sql: str
    inputs: frozenset[str]


@cache
def uses(dialect: str, only: frozenset[str] | None = None) -> tuple[Use, ...]:
    """The uses of templates, or of some templates, in the plans of the specs above that differ."""
    return tuple(
        used(step, dialect) for step in differing() if only is None or step.template in only
    )


@cache
def differing() -> tuple[Step | Check, ...]:
    """The steps of the specs above, of those that read alike the first.

    Names of relations have numbers, so two uses of a template are held to read alike if their text
    is equally long. To plan takes a minute: what a process found is kept for the next, as long as
    nothing changes that it depends on.
    """
    kept = ROOT / ".pytest_cache" / "plans" / f"{fingerprint()}.pickle"
    if kept.exists():
        return tuple(pickle.loads(kept.read_bytes()))
    found: dict[tuple[str, int], Step | Check] = {}
    with patch("sqlanon.spec.model.draw_seed", lambda: 0):  # every process finds the same
        every = steps()
    for step in every:
        found.setdefault((step.template, len(used(step, "duckdb").sql)), step)
    kept.parent.mkdir(parents=True, exist_ok=True)
    written = kept.with_suffix(f".{os.getpid()}")  # no reader finds half of it
    written.write_bytes(pickle.dumps(tuple(found.values())))
    written.replace(kept)
    return tuple(found.values())


def fingerprint() -> str:
    """What plans depend on: the code, the templates, the specs above, Python and DuckDB."""
    found = sha256(f"{sys.version} {duckdb.__version__}".encode())
    code = [*(ROOT / "sqlanon").rglob("*.py"), *(ROOT / "sql_templates").rglob("*.j2")]
    for file in sorted([*code, HERE / "large.py", HERE / "rendered.py"]):
        found.update(str(file.relative_to(ROOT)).encode())
        found.update(file.read_bytes())
    return found.hexdigest()


def used(step: Step | Check, dialect: str) -> Use:
    """How a step uses its template."""
    template = load_template(step.template, dialect)
    names = {Relation.parse(str(value)).name for value in step.inputs.values()}
    return Use(template, template.render(step.inputs, step.params), frozenset(names))


class Listening(Session):
    """A session that keeps every step and every question asked of the database.

    Loops are done turn by turn, so that the steps of a turn are heard; or in one query.
    """

    def __init__(self, engine: DuckDBEngine, at_once: bool = False) -> None:
        super().__init__(engine)
        self.heard: list[Step] = []
        self._at_once = at_once

    @property
    def recursive(self) -> bool:
        return self._at_once

    def create(self, step: Step) -> StepRecord:
        # The search goes on with its own mappings: keep what they hold now.
        self.heard.append(replace(step, inputs=dict(step.inputs), params=dict(step.params)))
        return super().create(step)

    def fetch(
        self, template: str, inputs: Mapping[str, Any], params: Mapping[str, Any], limit: int
    ) -> Rows:
        asked = Step("a question", Relation("answer"), template, dict(inputs), dict(params))
        self.heard.append(asked)
        return super().fetch(template, inputs, params, limit)


def searched(declared: dict[str, Any], engine: DuckDBEngine, at_once: bool = False) -> list[Step]:
    """The steps of a plan that searches, the search's own among them; few of each template."""
    prepared = prepare(parse_spec(declared), engine)
    session = Listening(engine, at_once)
    with session.transaction(keep=False):
        session.run(prepared.plan)
    times: Counter[str] = Counter()
    few = []
    for step in session.heard:
        times[step.template] += 1
        if times[step.template] <= 3:
            few.append(step)
    return few


def checked(
    declared: dict[str, Any],
    engine: DuckDBEngine,
    table: Source,
    suppressed: tuple[str, ...] | None = None,
) -> list[Step]:
    """The steps by which a release is held against its source."""
    spec = parse_spec(declared)
    session = Listening(engine)
    with patch("sqlanon.judge.check.Session", lambda *given, **known: session):
        publish(prepare(spec, engine), engine)
        item = Relation(spec.release).sql if table.file else None
        done = check(
            table, spec, engine, True, table_item=item, conserved=True, suppressed=suppressed
        )
        assert done.passed
    return session.heard


def profiled(engine: DuckDBEngine, table: Source) -> list[Step]:
    """The steps by which a table is profiled, and the questions asked of it."""
    session = Listening(engine)
    with patch("sqlanon.uses.profile.table.Session", lambda *given, **known: session):
        profile_table(table, engine)
    with patch("sqlanon.uses.profile.hierarchies.Session", lambda *given, **known: session):
        suggest_hierarchy(table, "age", engine)
    return session.heard


def attacked(
    engine: DuckDBEngine,
    table: str,
    on: list[str] | None = None,
    source: Given | None = None,
    background: Given | None = None,
) -> list[Step]:
    """The steps by which a release is attacked with its source."""
    session = Listening(engine)
    keep = Relation("patients_public")
    with patch(
        "sqlanon.uses.attacks.attack.Session", lambda *given, **known: heard(session, **known)
    ):
        found = of_release(recorded("patients_public", engine))
        attack(found, engine, Given(Source(table=table)), source, background, on=on, keep=keep)
    return session.heard


def useful(
    engine: DuckDBEngine, own: Mapping[str, AskedQuery], source: Source | None = None
) -> list[Step]:
    """The steps by which a release is held against its source, and the questions asked of it."""
    session = Listening(engine)
    with patch("sqlanon.uses.utilities.utility.Session", lambda *given, **known: session):
        published = of_release(recorded("patients_public", engine))
        of = source or Source(table="patients")
        utility(published, engine, of, queries=3, own=own)
    return session.heard


def heard(session: Listening, owner: Owner | None, plans: int) -> Listening:
    """A session that answers for what is kept, in the place of another."""
    session.owner = owner
    return session


def risky(engine: DuckDBEngine) -> list[Step]:
    """The steps by which the risk of a table is measured, and the questions asked of it."""
    session = Listening(engine)
    table = Source(table="patients")
    with patch("sqlanon.uses.profile.risk.Session", lambda *given, **known: session):
        sample = Sample(weight="age", household="zip", person="patient_id")
        risk_of(table, ["ward", "sex", "town"], engine, population=table, sample=sample)
    return session.heard


def with_parts(steps: Iterable[Step | Check]) -> Iterator[Step | Check]:
    """Each step, and before it the templates that it holds as parts."""
    for step in steps:
        for part in step.params.get("parts", ()) if step.template == "measure/metrics" else ():
            yield Step("a part", Relation(part.name), part.template, part.inputs, part.params)
        yield step


def _of_recipe(step: object) -> TypeGuard[Step | Check]:
    return isinstance(step, Step | Check) and step.template.startswith("clauses/recipe/")


def steps() -> tuple[Step | Check, ...]:
    """The steps of the specs above."""
    connection = duckdb.connect()
    # What is rendered is looked at, not how fast so few rows are read: planning costs a quarter.
    connection.execute("pragma disable_optimizer")
    connection.execute(SOURCE)
    connection.execute(PREVALENCE)
    connection.execute(
        "create table dosed_patients as select *, cast(dose as decimal(9, 2)) as pounds "
        "from patients"
    )
    connection.execute(
        "create table told_patients as select distinct patients.age, others.disease, 0.25 as "
        "probability from patients cross join patients as others where patients.age < 30"
    )
    connection.execute("create table few_patients as from patients where patient_id < 110")
    connection.execute("create table guarded_patients as select *, disease as asks from patients")
    connection.execute(
        "create table cold_patients as from patients where sex = 'Male' or disease = 'cold'"
    )
    connection.execute(
        "create table town_patients as from patients where town <> 'town 4' or patient_id < 9"
    )
    connection.execute("create table first_patients as from patients where age < 70")
    connection.execute(
        "create table other_patients as select * replace (age + 1000 as age) from  first_patients"
    )
    connection.execute(
        "create table voters as from patients union all "
        "select * replace (age + 30 as age) from patients where age < 40"
    )
    connection.execute("create table second_patients as from patients where age > 20")
    engine = DuckDBEngine(connection=connection)
    found: list[Step | Check] = []
    persons = (BY_PERSON, BY_PERSON_WITHIN)
    for declared in (EVERYTHING, SIMPLE, *LOCAL, ALONE, DOSED, CENTURIES, *persons):
        prepared = prepare(parse_spec(declared), engine)
        found += KindsOfClasses().steps(prepared.publication.view.sensitive, [12, 24])
        models = prepared.measurement.models
        held = work("held") if any(model.bound for model in models) else None
        found.append(KindsOfClasses().worst(models, held))
        found += [step for step in prepared.plan if isinstance(step, Step | Check)]
        found += content_steps(prepared.publication, run=True).values()
        contents = content_steps(prepared.publication, run=False)
        found += [*contents.values(), recording(prepared, engine, [], contents)]
    for declared in RECODED:
        recoded = prepare_release(parse_spec(declared), engine)
        assert recoded.is_recoded
        found += [step for step in recoded.plan if isinstance(step, Step | Check)]
    banded = (*prepare(parse_spec(BANDED), engine).plan,)
    banded += (*prepare_release(parse_spec(BANDED), engine).plan,)
    k_alone = {**BANDED, "privacy": {"k": 2}}
    banded += (*prepare_release(parse_spec(k_alone), engine).plan,)
    labelling = ("domains/leaves_bands", "recode/labels", "measure/k_metrics")
    found += [one for one in banded if isinstance(one, Step) and one.template in labelling]
    tried = Trial("a method", 2, (Closeness("s", "0.1", 0.25),), 3, 0.5, 1.0, 0.1, 0.2, True, "")
    missed = Trial(
        "it's", 3, (Closeness("s", None, None),), None, None, None, None, None, False, ""
    )
    found.append(sweep_recording(Relation("people__sweep"), [tried, missed], [Fraction(1), None]))
    publish(prepare(parse_spec({**PLAINLY_PLACED, "release": "december"}), engine), engine)
    for more in (
        {
            "insensitive": ["ward"],
            "sensitive": {
                "pain": {"order": ["low", "middle", "high"], "t": 0.9},
                "disease": {"l": 2},
            },
        },
        {"suppression": {"records": 0.9}, "sensitive": ["disease"], "privacy": {"k": 8}},
        {
            "sensitive": {
                "pain": {"distance": "ordered", "order": ["low", "middle", "high"], "l": 2, "t": 1},
                "admitted": {"distance": "ordered", "order": "natural", "l": 2, "t": 1},
            },
        },
    ):
        plainly = {**PLAINLY_PLACED, **more, "recipe": "december"}
        recoded = prepare_release(parse_spec(plainly), engine, together=True)
        assert recoded.is_recoded
        found += [step for step in recoded.plan if isinstance(step, Step | Check)]
    for entry in (PLACED, PLACED_IN_SETS):
        publish(prepare(parse_spec({**entry, "release": "january"}), engine), engine)
        again = {**entry, "recipe": "january", "suppression": {"records": 0.9}}
        placing = searched(again, engine)
        found += [
            step
            for step in placing
            if step.template.startswith(("clauses/recipe/", "domains/", "release/given_cells"))
        ]
    with TemporaryDirectory() as folder:
        file = Path(folder, "january.recipe.yaml")
        file.write_text(recipe_of(recorded("january", engine)).text, encoding="utf-8")
        by_file = list(prepare(parse_spec({**PLACED_IN_SETS, "recipe": str(file)}), engine).plan)
        file.write_text(recipe_of(recorded("december", engine)).text, encoding="utf-8")
        recoded = prepare_release(
            parse_spec({**PLAINLY_PLACED, "recipe": str(file)}), engine, together=True
        )
        by_file += recoded.plan
    found += [
        step
        for step in by_file
        if isinstance(step, Step)
        and step.template in ("clauses/recipe/listed", "clauses/recipe/listed_boxes")
    ]
    of_cells = prepare(parse_spec({**PLACED_IN_SETS, "recipe": "january"}), engine)
    foreseen = replace(of_cells, plan=of_cells.plan.foreseen()).held(engine).plan
    found += [step for step in foreseen if isinstance(step, Check) and "recipe" in step.template]
    keeping = {**SIMPLE, "insensitive": ["sex"], "allotment": True, "release": "dealt"}
    publish(prepare(parse_spec(keeping), engine), engine)
    dealing_persons = {**BY_PERSON, "allotment": True, "release": "dealt_persons"}
    for asked_for in (keeping, dealing_persons):
        found += [step for step in prepare(parse_spec(asked_for), engine).plan if _of_recipe(step)]
    again = {**keeping, "allotment": False, "recipe": "dealt"}
    for suppressing in ({}, {"suppression": {"records": 0.9}}):
        plan = prepare(parse_spec({**again, **suppressing}), engine).plan.foreseen()
        found += [step for step in plan if _of_recipe(step)]
    groups = (
        *SEARCHED,
        *LEVELS,
        *SUBSETS,
        *POPULATIONS,
        LISTED,
        GUARDED,
        *BACKGROUNDS,
        OUTLYING,
        OUTLYING_PERSONS,
        BUCKETS,
        *IN_STRATA,
    )
    for declared in groups:
        found += searched(declared, engine)
    with as_large(every=1):
        large = searched({**SIMPLE, "seed": 7, "method": "split_or_deal"}, engine)
    found += [step for step in large if step.template in LARGE]
    of_clauses = ("clauses/sensitive_cells/", "clauses/followers/")
    stacks = ("c", "sq", "one_cluster", "bisected")
    own = (*of_clauses, *(f"methods/stack_and_deal/{text}" for text in stacks))
    found += [
        step
        for declared in (SENSITIVE_CELLS, FOLLOWERS, ALONG_A_COMPONENT, IN_CLUSTERS)
        for step in prepare(parse_spec(declared), engine).plan
        if isinstance(step, Step | Check) and step.template.startswith(own)
    ]
    dealt = searched({**SIMPLE, "method": "deal_tree"}, engine, at_once=True)
    found += [step for step in dealt if step.template == "loop/recursion"]
    other = {**FIRST, "source": {"table": "other_patients"}, "release": "visits_other"}
    for entry in (FIRST, other):
        publish(prepare(parse_spec(entry), engine), engine)
    for declared in SERIES:
        found += searched(declared, engine)
    with patch.dict("os.environ", {"PEPPER": "0123456789abcdef0123456789abcdef"}):
        publish(prepare(parse_spec(LINKED_FIRST), engine), engine)
    plan = prepare(parse_spec(LINKED), engine).plan
    linked = ("clauses/series/linked/", "clauses/series/standing", "clauses/series/measures")
    found += [
        step for step in plan if isinstance(step, Step | Check) and step.template.startswith(linked)
    ]
    unsaid = {**LINKED, "series": {"after": ["linked_first"]}}
    plan = prepare(parse_spec(unsaid), engine).plan
    found += [
        step
        for step in plan
        if isinstance(step, Check) and step.template == "clauses/series/linked/check_unlinked"
    ]
    for table in (Source(table="patients_public"), Source(file="patients_public.csv")):
        found += checked({**EVERYTHING, "materialize": "table"}, engine, table)
    found += checked(SIMPLE, engine, Source(table="patients_public"))
    found += checked(SIMPLE, engine, Source(table="patients_public"), ("*",))
    found += checked({**ALONE, "privacy": {"k": 60}}, engine, Source(table="patients_public"))
    found += checked(LISTED, engine, Source(table="patients_public"))
    found += checked(POPULATIONS[-1], engine, Source(table="patients_public"))
    plan = prepare(parse_spec(CENTROIDS), engine).plan
    found += [step for step in plan if isinstance(step, Step | Check)]
    found += checked(CENTROIDS, engine, Source(table="patients_public"))
    means = ("utility/mean_spans",)
    drawn_from = Source(table="dosed_patients")
    found += [step for step in useful(engine, {}, drawn_from) if step.template in means]
    found += checked(IN_STRATA[0], engine, Source(table="patients_public"))
    found += checked(LEVELS[0], engine, Source(table="patients_public"))
    with patch("sqlanon.uses.attacks.persons.MOST_COMPARED", 50):
        found += attacked(engine, "patients", ["zip", "age"])
    publish(prepare(parse_spec({**EVERYTHING, "materialize": "table"}), engine), engine)
    found += attacked(engine, "patients")
    found += useful(engine, OWN)
    publish(prepare(parse_spec(SIMPLE), engine), engine)
    found += attacked(engine, "patients", background=Given(Source(table="told_patients")))
    publish(prepare(parse_spec(APART), engine), engine)
    by_groups = ("utility/tied", "utility/release_profiles")
    found += [step for step in useful(engine, {}) if step.template in by_groups]
    plan = prepare(parse_spec(KEYED), engine).plan
    found += [step for step in plan if isinstance(step, Step | Check)][:3]
    released = {"released": Relation("patients_public")}
    asked = {"columns": [identifier("patient_id")]}
    found.append(Step("a question", work("asked"), "check/check_pseudonyms", released, asked))
    columns = ["age_min", "disease"]
    found.append(
        Step("a question", work("asked"), "certificate/content", released, {"columns": columns})
    )
    tied = released | {"values_apart": Relation("patients_public__sensitive")}
    params = {"group": "group_id", "count": "records", "sensitive": ["disease", "salary"]}
    found.append(Step("a question", work("asked"), "certificate/tied", tied, params))
    classes = {"classes": Relation("patients_public__classes")}
    for measure, whole in (("records", True), ("disease_t_closeness", False)):
        bars = {"measure": measure, "whole": whole, "bins": 24}
        found.append(Step("a question", work("asked"), "report/histogram", classes, bars))
    edges = [
        {"column": "k_anonymity", "least": True, "value": Sql("8")},
        {"column": "disease_t_closeness", "least": False, "value": Sql("0.45")},
    ]
    found.append(Step("a question", work("asked"), "why/edges", classes, {"edges": edges}))
    placed, shown = {"edges": work("edges")}, {"count": 2, "columns": ["age"], "most": 5}
    found.append(Step("a question", work("asked"), "why/edge_counts", placed, {"count": 2}))
    found.append(Step("a question", work("asked"), "why/largest", classes | placed, shown))
    sized = {"columns": [["age"], ["zip_min", "zip_max"]], "most": 40, "size": "k_anonymity"}
    found.append(Step("a question", work("asked"), "why/large", classes, sized))
    apart = {"column": "disease", "amount": 3, "scale": 10}
    published = {"published": Relation("patients_public")}
    found.append(Step("a question", work("asked"), "why/needed", published, apart))
    found.append(
        Step("a question", work("asked"), "why/frequencies", published, {"column": "disease"})
    )
    classes_of = {"classes": Relation("patients_public__classes"), **released}
    few = {"numbers": [1, 7], "columns": columns, "keys": columns[:1]}
    found.append(Step("a question", work("asked"), "report/preview", classes_of, few))
    few = {"group": "group_id", "columns": columns, "among": 1000, "most": 5}
    found.append(Step("a question", work("asked"), "report/preview_groups", released, few))
    before = {"columns": [Sql("q1"), Sql("q2")]}
    found.append(
        Step(
            "a question", work("asked"), "report/source_risk", {"records": work("records")}, before
        )
    )
    grouped = [
        {"alias": Sql("q1"), "height": 1, "in_order": True},
        {"alias": Sql("q2"), "height": 2, "in_order": False},
    ]
    domains = {"q1": work("domain_q1"), "q2": work("domain_q2")}
    lost = {"attributes": grouped, "domains": domains, "most": 24, "stretches": 10}
    lost |= {"least": 5, "shown": 5}
    of_domains = {f"domain_{name}": at for name, at in domains.items()}
    of_groups = {"assigned": work("assigned"), **of_domains}
    found.append(Step("a question", work("asked"), "report/left_out_groups", of_groups, lost))
    for spec in (EVERYTHING, CENTROIDS):
        detail = detail_step(prepare(parse_spec(spec), engine).publication.view)
        found += [] if detail is None else [detail]
    report = {"class_report": Relation("r__classes")}
    for of_persons in (False, True):
        said = {"shares": ["pay_alpha", "disease_alpha"], "persons": of_persons}
        found.append(Step("a question", work("asked"), "measure/given_away", report, said))
    positions = {"positions": Relation("positions")}
    missing = {"missing": ["na", "don't know"], "blanks": [" "]}
    found.append(Step("a question", work("asked"), "measure/spellings", positions, missing))
    found.append(Step("a question", work("asked"), "measure/own_values", positions, {}))
    edge = {"diversity": "disease_distinct_l", "least": 2}
    counted = report | positions | {"class_values": Relation("class_values")}
    found.append(Step("a question", work("asked"), "measure/null_counted", counted, edge))
    for ordered in (False, True):
        by = {"ordered": ordered}
        found.append(Step("a question", work("asked"), "measure/farthest", positions, by))
    listed = {name: Relation(name) for name in ("classes", "class_values", "positions")}
    found.append(Step("a question", work("asked"), "measure/common_members", listed, {}))
    of_sets = {name: listed[name] for name in ("class_values", "positions")}
    found.append(Step("a question", work("asked"), "privacy/km_anonymity", of_sets, {"m": 2}))
    cut = {"left_values": Relation("left_values"), "positions": Relation("positions")}
    cuts = {"m": 1, "cuts": (1, 2)}
    found.append(Step("a question", work("asked"), "privacy/cut/supports", cut, cuts))
    read, rare = {"read": Relation("read")}, {"column": Sql("s1"), "k": 5, "m": 3}
    found.append(Step("a question", work("asked"), "clauses/transform/rare_members", read, rare))
    thinned = {"transformed": Relation("transformed"), "rare_s1": Relation("rare_s1")}
    kept = {"aliases": (Sql("q1"), Sql("s1")), "thinned": {Sql("s1"): Relation("rare_s1")}}
    found.append(Step("a question", work("asked"), "clauses/transform/without_rare", thinned, kept))
    sides = ("coded", "domain_given", "domain_held", "classes", "class_loss")
    there = {name: Relation(name) for name in sides}
    for scaled in (False, True):
        pair = {"held": Sql("s1"), "given": Sql("q1")}
        on_scale = {"in_order": scaled, "numbers": scaled}
        found.append(Step("a question", work("asked"), "measure/follows", there, pair | on_scale))
    of_one = [{"held": Sql(held), "given": Sql("q1")} for held in ("s1", "s2")]
    of_all = {"held": [Sql("s1"), Sql("s2")], "pairs": of_one}
    coded = {"coded": Relation("coded")}
    found.append(Step("a question", work("asked"), "measure/followed", coded, of_all))
    there = {name: there[name] for name in ("coded", "classes", "class_loss")}
    for others in ([Sql("q2"), Sql("q3")], []):
        apart = pair | {"others": others}
        found.append(Step("a question", work("asked"), "measure/paired", there, apart))
    shown = {"published": [{"name": "age", "alias": Sql("p1")}], "pseudonym": "patient_id"}
    tied = {"released": Relation("patients_public"), "classes": work("classes")}
    found.append(Step("a question", work("asked"), "measure/alike_pseudonyms", tied, shown))
    times = {"columns": [Sql("q1"), Sql("s1")], "most": 12, "few": 1000}
    records = {"records": work("records")}
    found.append(Step("a question", work("asked"), "measure/multiples", records, times))
    found.append(Step("a question", work("asked"), "measure/empty_records", records, times))
    both = [{"known": Sql("s1"), "asked": Sql("s2")}, {"known": Sql("s2"), "asked": Sql("s1")}]
    pairs = {"published": [Sql("p1"), Sql("p2")], "pairs": both}
    measured = {"measured": work("measured")}
    found.append(Step("a question", work("asked"), "measure/jointly_certain", measured, pairs))
    most = {"column": "disease", "most": 12}
    found.append(Step("a question", work("asked"), "report/frequent", released, most))
    for declared in (APART, SHUFFLED, SLICED, STARRED, PAIRED, DIFFERENT):
        plan = prepare(parse_spec(declared), engine).plan
        found += [step for step in plan if isinstance(step, Step | Check)]
        found += checked(declared, engine, Source(table="patients_public"))
        if declared in (SLICED, PAIRED):
            found += attacked(engine, "patients", source=Given(Source(table="patients")))
        if declared is STARRED:
            of_source = attacked(engine, "patients", source=Given(Source(table="patients")))
            suppressed = (
                "starred_labels",
                "shown_parts",
                "known_parts",
                "fitting_effort",
                "fitting_parts",
            )
            found += [step for step in of_source if step.template.endswith(suppressed)]
            with patch("sqlanon.uses.attacks.persons.MOST_MATCHED", 50):
                some = attacked(engine, "patients", source=Given(Source(table="patients")))
            found += [step for step in some if step.template == "attacks/known_parts"]
    found_slices: dict[str, Any] = {
        **SLICED,
        "publish": {"name": "sliced", "group": 60, "widest": 2},
    }
    coding = prepare(parse_spec(found_slices), engine).coding
    names = list(map(Sql, ("q1", "q2", "q3", "s1", "s2")))
    found += [] if coding is None else counting_cells(coding, names)
    beside, pairs = {"attribute_cells": ATTRIBUTE_CELLS}, {"pairs": list(combinations(names, 2))}
    found.append(Step("a question", work("asked"), "domains/contingencies", beside, pairs))
    drawing = prepare(parse_spec(CHOOSING), engine)
    found += [step for step in list(scoring(drawing))[-1:] if isinstance(step, Step)]
    attributes, sampling = (
        drawing.grouped.quasi_identifiers,
        sampling_for(Fraction(1), Fraction(1, 2)),
    )
    choices = counting(attributes, candidates(attributes), sampling)
    tuples = {"candidate_tuples": TUPLES}
    found.append(Step("a question", work("asked"), "differential/level_scores", tuples, choices))
    for declared in (TRANSFORMED, BOUNDED, SAMPLED, COUNTED, JOINT):
        plan = prepare(parse_spec(declared), engine).plan
        made = [step for step in plan if isinstance(step, Step | Check)]
        found += [step for step in made if step.template.startswith(DRAWN)]
    found += profiled(engine, Source(table="patients"))
    found += risky(engine)
    engine.close()
    connection.close()
    return tuple(with_parts(found))


def write(folder: Path) -> None:
    """Write the longest use of each template, and of each sibling that is not translated."""
    folder.mkdir(parents=True)
    every = {name.partition(".")[0] for name in template_names()}
    for dialect in ("duckdb", "portable", "postgres", "spark"):
        other = "duckdb" if dialect == "portable" else dialect
        siblings = {name: load_template(name, other) for name in every}
        only = frozenset(
            name
            for name, template in siblings.items()
            if dialect == "duckdb" or (template.dialect == other and template.translate_to is None)
        )
        longest: dict[str, str] = {}
        for use in uses(dialect, only):
            name = use.template.name
            longest[name] = max(use.sql, longest.get(name, ""), key=len)
        for name, sql in longest.items():
            file = folder / f"{name.replace('/', '.')}.{dialect}.sql"
            file.write_text(sql, encoding="utf-8")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
