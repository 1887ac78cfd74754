"""What goes with what: the table of clauses is what a user meets, and the page is the table."""

from __future__ import annotations

import os
import re
from copy import deepcopy
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from support import ROOT, Connection, database, make_table

from sqlanon.attacks.as_published import of_release, of_table
from sqlanon.attacks.attack import attack
from sqlanon.certificates.certify import certify
from sqlanon.certificates.verify import verify
from sqlanon.dbt.models import model_files
from sqlanon.dbt.project import Place
from sqlanon.engines import DuckDBEngine, Engine
from sqlanon.errors import SpecError
from sqlanon.judge.check import check
from sqlanon.kept.recorded import recorded
from sqlanon.methods import METHODS, method_of
from sqlanon.outlook.dry_run import dry_run
from sqlanon.outlook.outlook import outlook
from sqlanon.outlook.predict import predict_metrics
from sqlanon.outlook.reachable import at_best, reachable
from sqlanon.plan import Search
from sqlanon.planning.prepare import build_plan, prepare
from sqlanon.privacy import MODELS, OF_POPULATION
from sqlanon.publish import PUBLICATIONS
from sqlanon.release.run import publish
from sqlanon.release.script import release_script
from sqlanon.source.source_info import SourceInfo
from sqlanon.spec import Source, Spec, parse_grid, parse_spec
from sqlanon.spec.clause import Use
from sqlanon.spec.clauses import CLAUSES, MEASURED
from sqlanon.spec.method import MethodSettings
from sqlanon.spec.refusals import contradictions, refusals
from sqlanon.sweeps.sweep import sweep

PAGE = ROOT / "docs" / "what_goes_with_what.md"
COLUMNS = {
    "number": "integer",
    "id": "integer",
    "who": "varchar",
    "age": "integer",
    "sex": "varchar",
    "ill": "varchar",
    "pay": "integer",
    "asks": "varchar",
}
ILLS = ("flu", "cold", "ulcer")
ROWS = [
    (one, 90 - one, f"p{one}", 20 + one % 4, "FM"[one % 2], ILLS[one % 3], one % 5, ILLS[one % 3])
    for one in range(12)
]
TREE = {"tree": {"*": {"lungs": ["flu", "cold"], "stomach": ["ulcer"]}}}
# What every clause is added to: it has a hierarchy for methods of levels, and an l for exact rows.
SMALL: Mapping[str, Any] = {
    "source": {"table": "people"},
    "release": "public",
    "quasi_identifiers": {
        "age": {"hierarchy": {"bands": [2, 10]}},
        "sex": {"hierarchy": {"tree": {"*": ["F", "M"]}}},
    },
    "sensitive": {"ill": {"l": {"distinct": 2}}},
    "privacy": {"k": 1},
    "method": {"name": "stack_and_deal"},
    "seed": 1,
}
BY_METHOD: Mapping[str, Mapping[str, Any]] = {
    "fragmentation": {
        "sensitive": {"ill": {"distance": "ordered", "order": "frequency", "t": 0.9}}
    },
    "sabre": {"sensitive": {"ill": {"t": 0.9}}},
}
KEY = {"env": "KEY_OF_A_TEST"}
# The smallest that asks for a clause, beside what it needs.
ASKING: Mapping[str, Mapping[str, Any]] = {
    "person": {"person": "who"},
    "pseudonym": {"identifiers": {"id": {"pseudonym": "keyed", "key": KEY}}},
    "transform": {"sensitive": {"ill": {"transform": {"mask": 9}}}},
    "transform by a key": {
        "key": "number",
        "insensitive": {
            "pay": {"accept": "noised", "transform": {"noise": {"within": 1, "key": KEY}}}
        },
    },
    "insensitive": {"insensitive": {"pay": {"accept": "why not"}}},
    "k": {"privacy": {"k": 2}},
    "subsets": {"privacy": {"subsets": [{"columns": ["age"], "k": 3}]}},
    "population": {"privacy": {"population": {"source": {"table": "voters"}, "k_map": 1}}},
    "k-map": {"privacy": {"population": {"k_map": 3}}},
    "δ-presence": {"privacy": {"population": {"presence": [0, "1/2"]}}},
    "background": {"sensitive": {"ill": {"background": {"estimate": {"by": ["age"]}}}}},
    "bk": {"sensitive": {"ill": {"bk": 0.9}}},
    "guard": {
        "sensitive": {
            "ill": {
                "distance": "hierarchical",
                "hierarchy": TREE,
                "guard": {"column": "asks", "p": 0.9},
            }
        }
    },
    "l of persons": {"sensitive": {"ill": {"l": {"entropy": 1.5}}}},
    "metrics of cells": {"metrics": ["ambiguity"]},
    "suppression": {"suppression": {"records": 0.5}},
    "choose": {"choose": {"k": [2, 3]}},
    "recipe": {"recipe": "earlier"},
    "cells of a recipe": {},
    "series": {"series": {"reuse": False}},
    "reuse": {"series": {"reuse": True}},
    "exact rows": {"publish": {"name": "anatomy"}},
    "slices": {"publish": {"name": "sliced"}},
    "publish.group": {"publish": {"group": 2}},
    "publish.columns": {"publish": {"columns": [["age"], ["sex", "ill"]]}},
    "publish.widest": {"publish": {"widest": 2}},
    "publish.suppress": {"publish": {"suppress": "similar"}},
    "form": {"quasi_identifiers": {"age": {"publish": "lca"}}},
    "view": {"materialize": "view"},
    "search": {"method": {"name": "split_or_deal", "effort": "quick"}},
    "unpredicted classes": {"method": {"name": "anatomy"}},
    "file": {"source": {"file": "people.csv"}},
    "encoding": {"source": {"encoding": "utf-32"}},
    "query": {"source": {"query": "select * from people"}},
    "schema": {"release": "main.public"},
}
OF_METHODS = ("search", "unpredicted classes")
OF_SOURCES = ("file", "encoding", "query")
SHOWN = [use for use in Use if use is not Use.TRIAL]


def laid_over(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """One declaration over another, mapping by mapping."""
    both = {
        name: laid_over(under[name], one)
        for name, one in over.items()
        if isinstance(one, Mapping) and isinstance(under.get(name), Mapping)
    }
    return {**under, **over, **both}


def with_needed(names: Iterable[str], method: type[MethodSettings] | None = None) -> set[str]:
    """Clauses, and those without which they or the method cannot be asked for."""
    found, left = set[str](), [*names, *(method.needs if method else ())]
    while left:
        name = left.pop()
        found.add(name)
        left += [one for one in CLAUSES[name].needs if one not in found]
    return found


def declared(names: Iterable[str], method: str | None = None) -> dict[str, Any]:
    """The smallest spec that asks for these clauses and what they need."""
    settings = None if method is None else METHODS[method].Settings
    spec = deepcopy(dict(SMALL))
    if method is not None:
        spec = laid_over(spec, {"method": {"name": method}, **BY_METHOD.get(method, {})})
    asked = with_needed(names, settings)
    for name in CLAUSES:
        if name in asked:
            spec = laid_over(spec, deepcopy(ASKING[name]))
    if "guard" in asked:
        spec["sensitive"]["ill"].pop("order", None)
    publishes = spec.get("publish", {})
    if publishes.get("name") == "sliced" and not publishes.keys() & {"columns", "widest"}:
        publishes["columns"] = ASKING["publish.columns"]["publish"]["columns"]
    if "form" in asked and settings is not None and settings.publishes:
        spec["quasi_identifiers"]["age"]["publish"] = settings.publishes
    levels = "recipe" in asked and not asked & {"cells of a recipe", "exact rows"}
    if levels and method in (None, "stack_and_deal"):
        for column in spec["quasi_identifiers"].values():
            column["publish"] = "level"
    if asked & set(OF_SOURCES):
        spec["source"] = {name: one for name, one in spec["source"].items() if name != "table"}
    return spec


def between(names: set[str], method: type[MethodSettings] | None = None) -> list[str]:
    """Why some of these clauses do not go with others, or with a method."""
    found = [
        why for name in names for other, why in CLAUSES[name].excludes.items() if other in names
    ]
    if method is not None:
        rules = [one for one in (CLAUSES[name].method for name in names) if one is not None]
        found += [
            one.why for one in rules if not one.fits(method.model_construct(), frozenset(names))
        ]
    return found


def with_use(names: set[str], *uses: Use) -> list[str]:
    """Why some of these clauses do not go with a use."""
    parts = [part for use in uses for part in use.does]
    return [
        CLAUSES[one].refused[use] for one in names for use in parts if use in CLAUSES[one].refused
    ]


def shows(sentence: str) -> str:
    """What a sentence of the table looks like, whatever stands for the names in braces."""
    parts = re.split(r"\{\w+(?:!r)?\}", sentence)
    return ".+".join(re.escape(part.replace("{{", "{").replace("}}", "}")) for part in parts)


def refuses(act: Callable[[], object], sentences: Iterable[str]) -> None:
    """It is refused, and by every one of these sentences."""
    with pytest.raises(SpecError) as found:
        act()
    said = [one.what for one in found.value.problems]
    for sentence in sentences:
        assert any(re.fullmatch(shows(sentence), one) for one in said), (sentence, said)


def of(names: Iterable[str], method: str | None = None) -> Spec:
    return parse_spec(declared(names, method))


def method_for(names: set[str]) -> str | None:
    """A method that goes with clauses, if the small spec's does not."""
    if names & {"k-map", "δ-presence"}:
        return "optimal"
    return "cell_suppression" if "suppression" in names else None


# --- in a spec --------------------------------------------------------------------------------


def test_every_clause_can_be_asked_for_alone() -> None:
    assert list(ASKING) == list(CLAUSES)
    for name in CLAUSES:
        spec = of([name], method_for({name}))
        assert list(CLAUSES[name].asked(spec)), name
        assert not list(contradictions(spec))
    asked = {name for name, one in CLAUSES.items() if list(one.asked(parse_spec(SMALL)))}
    assert not asked


@pytest.mark.parametrize("method", METHODS)
def test_a_method_goes_with_the_clauses_that_the_table_says(method: str) -> None:
    settings = METHODS[method].Settings
    for name in CLAUSES:
        if name in OF_METHODS:
            continue
        sentences = between(with_needed([name], settings), settings)
        if sentences:
            refuses(partial(of, [name], method), sentences)
        else:
            of([name], method)


def test_clauses_go_with_each_other_as_the_table_says() -> None:
    for first, second in combinations(CLAUSES, 2):
        if {first, second} & {*OF_METHODS} or {first, second} <= {*OF_SOURCES}:
            continue
        names = with_needed([first, second])
        sentences = between(names)
        if sentences:
            refuses(partial(of, [first, second]), sentences)
        else:
            of_any_method(names)


def able(names: set[str]) -> list[str]:
    """The methods that go with clauses."""
    settings = {name: one.Settings for name, one in METHODS.items()}
    return [name for name, one in settings.items() if not between(with_needed(names, one), one)]


def of_any_method(names: set[str]) -> None:
    """Clauses that go with each other and with methods go with one of these."""
    problems: list[str] = []
    for method in able(names):
        try:
            of(names, method)
        except SpecError as error:
            problems.append(f"{method}: {error}")
        else:
            return
    assert not problems, names


@pytest.mark.parametrize("name", PUBLICATIONS)
def test_a_publication_goes_with_the_clauses_that_the_table_says(name: str) -> None:
    kind = publication_is(name)
    for clause in CLAUSES:
        if clause in OF_METHODS or with_needed([clause]) & {"exact rows", "slices"}:
            continue
        names = with_needed([clause, *kind])
        spec = declared([clause, *kind], None if kind else method_for({clause}))
        spec.setdefault("publish", {})["name"] = name
        sentences = between(names)
        if sentences:
            refuses(partial(parse_spec, spec), sentences)
        else:
            parse_spec(spec)


def publication_is(name: str) -> list[str]:
    rule = PUBLICATIONS[name].rule
    return [
        kind for kind, is_one in (("exact rows", rule.exact), ("slices", rule.sliced)) if is_one
    ]
