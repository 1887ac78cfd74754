"""What goes with what: the table of clauses is what a user meets, and the page is the table."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import deepcopy
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from support import ROOT, Connection, database, make_table

from sqlanon.clauses.clause import Use
from sqlanon.clauses.recipe.declared import recipe_of
from sqlanon.dbt.models import model_files
from sqlanon.dbt.project import Project
from sqlanon.engines import DuckDBEngine, Engine
from sqlanon.errors import SpecError
from sqlanon.judge.check import check
from sqlanon.methods import METHODS, method_of
from sqlanon.plan import Search
from sqlanon.planning.prepare import build_plan, prepare
from sqlanon.privacy import MODELS
from sqlanon.publish import PUBLICATIONS
from sqlanon.record.recorded import recorded
from sqlanon.source import keys
from sqlanon.source.source_info import SourceInfo
from sqlanon.spec import Source, Spec, parse_grid, parse_spec
from sqlanon.spec.clauses import CLAUSES, MEASURED
from sqlanon.spec.method import MethodSettings
from sqlanon.spec.refusals import contradictions, one_of, refusals
from sqlanon.uses.attacks.as_published import of_table
from sqlanon.uses.attacks.attack import attack
from sqlanon.uses.certificates.certify import certify
from sqlanon.uses.certificates.verify import verify
from sqlanon.uses.outlook.dry_run import dry_run
from sqlanon.uses.outlook.predict import predict_metrics
from sqlanon.uses.outlook.reachable import at_best, reachable
from sqlanon.uses.release.run import publish
from sqlanon.uses.release.script import release_script
from sqlanon.uses.sweeps.sweep import sweep

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
    "band": "varchar",
}
ILLS = ("flu", "cold", "ulcer")
ROWS = [
    (
        *(number, 90 - number, f"p{number}", 20 + number % 4, "FM"[number % 2]),
        *(ILLS[number % 3], number % 5, ILLS[number % 3], "ab"[number % 4 // 2]),
    )
    for number in range(12)
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
    "local differential privacy": {
        "insensitive": {"pay": {"transform": [{"laplace": {"epsilon": 1, "low": 0, "high": 4}}]}},
    },
    "insensitive": {"insensitive": {"pay": {"accept": "why not"}}},
    "k": {"privacy": {"k": 2}},
    "differential privacy": {
        "key": "number",
        "levels": {"age": 1, "sex": 1},
        "privacy": {"k": 2, "differential": {"epsilon": 1, "delta": 0.5}},
    },
    "l of persons": {"sensitive": {"ill": {"l": {"entropy": 1.5}}}},
    "k^m": {"sensitive": {"ill": {"km": {"k": 1, "m": 2}}}},
    "metrics of cells": {"metrics": ["ambiguity"]},
    "background": {"sensitive": {"ill": {"background": {"estimate": {"by": ["age"]}}}}},
    "clusters": {"sensitive": {"ill": {"bk": 0.9}}},
    "guard": {
        "sensitive": {
            "ill": {
                "distance": "hierarchical",
                "hierarchy": TREE,
                "guard": {"column": "asks", "p": 0.9},
            }
        }
    },
    "population": {"privacy": {"population": {"source": {"table": "voters"}, "k_map": 1}}},
    "k-map": {"privacy": {"population": {"k_map": 3}}},
    "δ-presence": {"privacy": {"population": {"presence": [0, "1/2"]}}},
    "sensitive cells": {"quasi_identifiers": {"age": {"sensitive": {"t": 0.9}}}},
    "subsets": {"privacy": {"subsets": [{"columns": ["age"], "k": 3}]}},
    "followers": {"quasi_identifiers": {"band": {"follows": "age"}}},
    "series": {"series": {"reuse": False}},
    "reuse": {"series": {"reuse": True}},
    "strata": {"levels": {"sex": 0}},
    "suppression": {"suppression": {"records": 0.5}},
    "limit in groups": {"suppression": {"records": 0.5, "within": "sex"}},
    "choose": {"choose": {"k": [2, 3]}},
    "recipe": {"recipe": "earlier"},
    "cells of a recipe": {},
    "allotment": {"allotment": True},
    "exact rows": {"publish": {"name": "anatomy"}},
    "slices": {"publish": {"name": "sliced"}},
    "counts": {"publish": {"name": "counts"}},
    "settings of counts": {"publish": {"noise": "gaussian"}},
    "publish.group": {"publish": {"group": 2}},
    "publish.columns": {"publish": {"columns": [["age"], ["sex", "ill"]]}},
    "publish.widest": {"publish": {"widest": 2}},
    "publish.sensitive": {"publish": {"sensitive": "joined"}},
    "publish.levels": {"publish": {"levels": {"age": 1}}},
    "publish.suppress": {"publish": {"suppress": "similar"}},
    "form": {"quasi_identifiers": {"age": {"publish": "lca"}}},
    "view": {"materialize": "view"},
    "live view": {"materialize": "live"},
    "where to search": {"search": "local"},
    "search": {"method": {"name": "split_or_deal", "effort": "quick"}},
    "unpredicted classes": {"method": {"locality": "stripes"}},
    "file": {"source": {"file": "people.csv"}},
    "encoding": {"source": {"encoding": "utf-32"}},
    "query": {"source": {"query": "select * from people"}},
    "schema": {"release": "main.public"},
}
ALONG_A_HIERARCHY = "its distance is measured along a hierarchy, which is not certified"
OF_METHODS = ("search", "unpredicted classes")
OF_SOURCES = ("file", "encoding", "query")
SHOWN = [use for use in Use if use is not Use.TRIAL]


@pytest.fixture(autouse=True)
def draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is drawn is the same in every run of a test: the key is another one in each."""
    monkeypatch.setattr(keys, "fresh_key", lambda: bytes(32))


def laid_over(under: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """One declaration over another, mapping by mapping."""
    both = {
        name: laid_over(under[name], value)
        for name, value in over.items()
        if isinstance(value, Mapping) and isinstance(under.get(name), Mapping)
    }
    return {**under, **over, **both}


def with_needed(names: Iterable[str], method: type[MethodSettings] | None = None) -> set[str]:
    """Clauses, and those without which they or the method cannot be asked for."""
    found, left = set[str](), [*names, *(method.needs if method else ())]
    while left:
        name = left.pop()
        found.add(name)
        left += [text for text in CLAUSES[name].needs if text not in found]
    return found


def declared(names: Iterable[str], method: str | None = None) -> dict[str, Any]:
    """The smallest spec that asks for these clauses and what they need."""
    settings = None if method is None else METHODS[method].Settings
    spec = deepcopy(dict(SMALL))
    if method is not None:
        spec = laid_over(spec, {"method": {"name": method}, **BY_METHOD.get(method, {})})
    asked = with_needed(names, settings)
    for name, asking in ASKING.items():
        if name in asked:
            spec = laid_over(spec, deepcopy(dict(asking)))
    if "guard" in asked:
        spec["sensitive"]["ill"].pop("order", None)
    if "differential privacy" in asked:
        spec["suppression"] = {"records": 1}
        if spec["sensitive"] == SMALL["sensitive"]:
            spec["sensitive"] = []
        if "person" in asked:  # whom records are about counts in no release of records
            spec.setdefault("publish", {"name": "counts"})
    if spec.get("publish", {}).get("name") == "counts":
        if "suppression" not in asked:
            spec.pop("suppression", None)
        if "k" not in asked:
            spec["privacy"]["k"] = 1
    publishes = spec.get("publish", {})
    if publishes.get("name") == "sliced" and not publishes.keys() & {"columns", "widest"}:
        publishes["columns"] = ASKING["publish.columns"]["publish"]["columns"]
    if publishes.get("name") == "sliced" and method != "anatomy":
        publishes["group"] = 6
    if "form" in asked and settings is not None and settings.publishes:
        spec["quasi_identifiers"]["age"]["publish"] = settings.publishes
    levels = "recipe" in asked and not asked & {"cells of a recipe", "exact rows"}
    if levels and method in (None, "stack_and_deal"):
        for column in spec["quasi_identifiers"].values():
            column["publish"] = "level"
    if asked & set(OF_SOURCES):
        spec["source"] = {name: value for name, value in spec["source"].items() if name != "table"}
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
        CLAUSES[name].refused[use]
        for name in names
        for use in parts
        if use in CLAUSES[name].refused
    ]


def shows(sentence: str) -> str:
    """What a sentence of the table looks like, whatever stands for the names in braces."""
    parts = re.split(r"\{\w+(?:!r)?\}", sentence)
    return ".+".join(re.escape(part.replace("{{", "{").replace("}}", "}")) for part in parts)


def refuses(act: Callable[[], object], sentences: Iterable[str]) -> None:
    """It is refused, and by every one of these sentences."""
    with pytest.raises(SpecError) as found:
        act()
    said = [problem.what for problem in found.value.problems]
    for sentence in sentences:
        assert any(re.fullmatch(shows(sentence), text) for text in said), (sentence, said)


def of(names: Iterable[str], method: str | None = None) -> Spec:
    return parse_spec(declared(names, method))


def method_for(names: set[str]) -> str | None:
    """A method that goes with clauses, if the small spec's does not."""
    if names & {"k-map", "δ-presence", "live view"}:
        return "optimal"
    if with_needed(names) & {"differential privacy"}:
        return "optimal"
    return "cell_suppression" if "suppression" in names else None


# --- in a spec --------------------------------------------------------------------------------


def test_every_clause_can_be_asked_for_alone() -> None:
    assert {*ASKING} == {*CLAUSES}
    for name in CLAUSES:
        spec = of([name], method_for({name}))
        assert list(CLAUSES[name].asked(spec)), name
        assert not list(contradictions(spec))
    asked = {name for name, clause in CLAUSES.items() if list(clause.asked(parse_spec(SMALL)))}
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
        if of_two_publications(names):
            continue
        sentences = between(names)
        if sentences:
            refuses(partial(of, [first, second]), sentences)
        else:
            of_any_method(names)


def able(names: set[str]) -> list[str]:
    """The methods that go with clauses."""
    settings = {name: value.Settings for name, value in METHODS.items()}
    return [
        name
        for name, method_settings in settings.items()
        if not between(with_needed(names, method_settings), method_settings)
    ]


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
        if clause in OF_METHODS or with_needed([clause]) & {
            "exact rows",
            "slices",
            "counts",
        }:
            continue
        names = with_needed([clause, *kind])
        spec = declared([clause, *kind], method_for({clause, *kind}))
        spec.setdefault("publish", {})["name"] = name
        sentences = between(names)
        if sentences:
            refuses(partial(parse_spec, spec), sentences)
        else:
            parse_spec(spec)


def publication_is(name: str) -> list[str]:
    rule = PUBLICATIONS[name].rule
    return [
        kind
        for kind, is_one in (
            ("exact rows", rule.exact),
            ("slices", rule.mixes),
            ("counts", rule.counts),
        )
        if is_one
    ]


def of_two_publications(names: set[str]) -> bool:
    """Whether clauses are of two publications: a spec names one."""
    return {"exact rows", "counts"} <= names


# --- with a use -------------------------------------------------------------------------------


class Tried:
    """A database and a folder in which specs are put to use."""

    def __init__(self, connection: Connection, folder: Path) -> None:
        self.folder = folder
        make_table(connection, "people", COLUMNS, ROWS)
        make_table(connection, "voters", COLUMNS, ROWS * 2)
        connection.execute(f"copy people to '{folder / 'people.csv'}'")
        self.text = (folder / "people.csv").read_text(encoding="utf-8")
        (folder / "dbt_project.yml").write_text("name: mine\n", encoding="utf-8")
        self.engine: Engine = DuckDBEngine(connection=connection)

    def spec(self, name: str) -> Spec:
        """The smallest that asks for a clause."""
        coded = "utf-32" if name == "encoding" else "utf-8"
        (self.folder / "people.csv").write_text(self.text, encoding=coded)
        return parse_spec(declared([name], method_for({name})), self.folder)

    def put_to(self, use: Use, spec: Spec) -> object:
        """Put a spec to use."""
        return getattr(self, use.name.lower())(spec)

    def warehouse(self, spec: Spec) -> object:
        return self.warehouse_search(spec.model_copy(update={"search": "local"}))

    def warehouse_search(self, spec: Spec) -> object:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(DuckDBEngine, "is_warehouse", True)
            return SourceInfo.of(spec, self.engine)

    def script(self, spec: Spec) -> object:
        return release_script(prepare(spec, self.engine), self.engine)

    def server_script(self, spec: Spec) -> object:
        return release_script(prepare(spec, self.engine), self.engine, "postgres")

    other_script = server_script

    def dbt(self, spec: Spec) -> object:
        ref = None if spec.source.query is None else "people"
        return model_files(spec, self.engine, Project.of(self.folder), "duckdb", ref)

    def check(self, spec: Spec) -> object:
        return check(Source(table="public"), spec, self.engine, generalized=True)

    def check_table(self, spec: Spec) -> object:
        marks = ["*"] if spec.allowance is not None else None
        people = Source(table="people")
        return check(people, spec, self.engine, generalized=False, suppressed=marks)

    def attack_table(self, spec: Spec) -> object:
        found = of_table(Source(table="public"), spec, self.engine, generalized=True)
        return attack(found, self.engine)

    def certificate(self, _: Spec) -> object:
        return certify(recorded("public", self.engine))

    def verify(self, _: Spec) -> Mapping[str, str]:
        made = certify(recorded("public", self.engine))
        return verify(made, "public", self.engine).unknown

    def why(self, spec: Spec) -> object:
        return reachable(spec, self.engine)

    def sweep(self, spec: Spec) -> object:
        return sweep(spec, parse_grid(k=[2, 3]), self.engine)

    def quick_sweep(self, spec: Spec) -> object:
        return sweep(spec, parse_grid(k=[2, 3]), self.engine, quick=True)

    def limits(self, spec: Spec) -> object:
        with dry_run(prepare(spec, self.engine), self.engine) as dry:
            return at_best(dry)

    def prediction(self, spec: Spec) -> object:
        with dry_run(prepare(spec, self.engine), self.engine) as dry:
            return predict_metrics(dry)

    def trial(self, spec: Spec) -> object:
        return build_plan(spec, SourceInfo.of(spec, self.engine))


@pytest.fixture
def tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Tried]:
    monkeypatch.setenv(KEY["env"], "0123456789abcdef0123456789abcdef")
    with database() as connection:
        yield Tried(connection, tmp_path)


def asked_by(spec: Spec) -> set[str]:
    return {name for name, clause in CLAUSES.items() if list(clause.asked(spec))}


# What is refused before anything is made; the others need a release.
BEFOREHAND = [use for use in Use if use not in (Use.CERTIFICATE, Use.VERIFY)]


@pytest.mark.parametrize("use", BEFOREHAND)
def test_a_use_refuses_the_clauses_that_the_table_says(tried: Tried, use: Use) -> None:
    """By the sentence of the table, in the words of the spec, before anything is made."""
    both = (Use.SERVER_SCRIPT, Use.OTHER_SCRIPT)  # as both a script of a server is asked for
    several = both if use in both else (use,)
    for name in CLAUSES:
        if use in (Use.LIMITS, Use.PREDICTION) and "recipe" in with_needed([name]):
            continue  # a plan reads the earlier release first
        sentences = with_use(with_needed([name]), *several)
        if not sentences:
            continue
        spec = tried.spec(name)
        if use is Use.PREDICTION:
            assert tried.prediction(spec) is None
        elif use is Use.QUICK_SWEEP:  # what no sweep goes with is refused first
            of_any = with_use(with_needed([name]), Use.SWEEP)
            refuses(partial(tried.quick_sweep, spec), of_any or sentences)
        else:
            refuses(partial(tried.put_to, use, spec), sentences)


def test_a_use_refuses_by_all_that_is_asked_and_names_where(tried: Tried) -> None:
    spec = tried.spec("guard")
    (problem,) = refusals(spec, Use.DBT)
    assert problem.where == "sensitive.ill.guard"
    several = parse_spec(declared(["subsets", "choose", "strata"]))
    addresses = {one.where for one in refusals(several, Use.DBT)}
    assert addresses == {"privacy.subsets", "choose", "levels.sex", "method"}


@pytest.mark.parametrize("name", [name for name, clause in CLAUSES.items() if clause.at_levels])
def test_with_the_level_of_every_column_no_use_is_refused_for_a_search(
    tried: Tried, name: str
) -> None:
    fields = laid_over(declared([name], "optimal"), {"levels": {"age": 1, "sex": 0}})
    spec = parse_spec(fields, tried.folder)
    assert CLAUSES[name].at_levels == (Use.DBT,)
    assert tried.dbt(spec)


def test_what_is_said_of_methods_is_so(tried: Tried) -> None:
    """Whether a method searches, or can be predicted, is known before its plan is."""
    for name in METHODS:
        spec = of([], name)
        searches = [step for step in prepare(spec, tried.engine).plan if isinstance(step, Search)]
        assert spec.method.searches == bool(searches), name
        assert spec.method.reads_records == any(not one.on_cells for one in searches), name
        assert spec.method.predicts == (method_of(spec.method).prediction() is not None), name


def test_what_refuses_a_certificate_says_of_which_releases() -> None:
    """A certificate is of a release that stands, whose spec nobody may be able to load."""
    refusing = {name for name, clause in CLAUSES.items() if Use.CERTIFICATE in clause.refused}
    assert refusing == {name for name, clause in CLAUSES.items() if clause.uncertified is not None}


def test_every_kind_of_model_has_the_clause_that_it_is_of() -> None:
    kinds = {model.per for model in MODELS}
    assert kinds - {"release", "sensitive"} == set(MEASURED)


# Each makes a release and a dozen uses of it: the gate tries some, and the rest is beyond it.
SOME = ("person", "clusters", "cells of a recipe", "slices")


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name in SOME else [pytest.mark.further])
        for name in CLAUSES
        if name != "live view"  # which has tests of its own, with what else it refuses
    ],
)
def test_a_clause_goes_with_every_use_that_the_table_does_not_refuse(
    tried: Tried, name: str
) -> None:
    """Each use is really made of it; a release that stands is refused or told of in part."""
    spec = tried.spec(name)
    if recipe_of(spec) is not None:
        earlier = declared([name], method_for({name})) | {"release": "earlier", "recipe": None}
        publish(prepare(parse_spec(earlier, tried.folder), tried.engine), tried.engine)
    publish(prepare(spec, tried.engine), tried.engine)
    for use in Use:
        sentences = with_use(asked_by(spec), use)
        if use in (Use.SERVER_SCRIPT, Use.OTHER_SCRIPT):
            sentences = with_use(asked_by(spec), Use.SERVER_SCRIPT, Use.OTHER_SCRIPT)
        if use is Use.QUICK_SWEEP:
            sentences = with_use(asked_by(spec), Use.SWEEP) or sentences
        if use is Use.VERIFY:
            if not with_use(asked_by(spec), Use.CERTIFICATE):
                unknown = set(tried.verify(spec).values()) - {ALONG_A_HIERARCHY}
                # Where nothing was left out after all, nothing is unknown because of that.
                assert unknown == set(sentences) or (not unknown and spec.allowance is not None)
        elif use is Use.PREDICTION:
            assert (tried.prediction(spec) is None) == bool(sentences)
        elif sentences:
            refuses(partial(tried.put_to, use, spec), sentences)
        else:
            tried.put_to(use, spec)


# --- the page ---------------------------------------------------------------------------------

HEAD = """# What goes with what

sqlanon refuses a spec with clauses that exclude each other when it reads the spec. It refuses a
use of the spec, such as a script, when you ask for that use. Each refusal is a sentence of one
table, which says what would be accepted. This page is generated from that table, and `sqlanon plan`
applies it to your spec. Words in capitals stand for the words of the spec.

A clause that needs others is excluded wherever one of these is. If it is like one of them, it has
no row of its own below. Where it says *depends*, a run tells by what it finds, before it begins.
"""
STANDS_FOR = {
    "{publication}": "PUBLICATION",
    "{method}": "METHOD",
    "{metrics}": "METRIC",
    "{recipe!r}": "RELEASE",
    "{k}": "K",
}


def plain(sentence: str) -> str:
    """A sentence of the table with no spec at hand."""
    settings = {name: value.Settings for name, value in METHODS.items()}
    found: dict[str, list[str]] = {
        "{mixing}": [name for name, publisher in PUBLICATIONS.items() if publisher.rule.mixes],
        "{suppressing}": [
            name
            for name, method_settings in settings.items()
            if method_settings.suppresses or method_settings.leaves_outliers
        ],
        "{leaving}": [
            name for name, method_settings in settings.items() if method_settings.leaves_outliers
        ],
        "{testing}": [
            name for name, method_settings in settings.items() if method_settings.chooses_levels
        ],
        **{f"{{{name}}}": [clause.how] for name, clause in CLAUSES.items() if clause.how},
    }
    for mark, words in {
        **STANDS_FOR,
        **{mark: one_of(names) for mark, names in found.items()},
    }.items():
        sentence = sentence.replace(mark, words)
    return sentence.replace("{{", "{").replace("}}", "}")


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    names = list(head)
    yield f"| {' | '.join(names)} |"
    yield f"|{'---|' * len(names)}"
    yield from (f"| {' | '.join(row)} |" for row in rows)
    yield ""


def listed(clauses: Iterable[str]) -> str:
    return ", ".join(clauses)


def depends(names: set[str]) -> bool:
    """Whether only a run finds out if some of these clauses go with others."""
    return any(names & {*CLAUSES[name].unless_found} for name in names)


def cell(refused: object) -> str:
    return "no" if refused else "yes"


def the_clauses() -> Iterator[str]:
    rows = []
    for name, clause in CLAUSES.items():
        spec = of([name], method_for({name}))
        (where, *_) = clause.asked(spec)
        needs = with_needed([name]) - {name}
        named = re.sub(r"\.(ill|id|pay|age|band)\b", ".NAME", where)
        rows.append(
            (name, f"`{named}`", clause.says, listed(name for name in CLAUSES if name in needs))
        )
    yield from ("## The clauses", "")
    yield from table(("clause", "where", "asks that", "needs"), rows)


Row = tuple[str, ...]


def own(found: Mapping[str, Row]) -> dict[str, Row]:
    """The rows of clauses that are not alike to those of a clause that they need."""
    return {
        name: row
        for name, row in found.items()
        if not any(found.get(text) == row for text in with_needed([name]) - {name})
    }


def rest(found: Mapping[str, Row]) -> str:
    return listed(name for name, row in own(found).items() if {*row} == {"yes"})


def rows_of(found: Mapping[str, Row]) -> list[Row]:
    return [(name, *row) for name, row in own(found).items() if {*row} != {"yes"}]


def the_uses() -> Iterator[str]:
    yield from ("## With which uses", "")
    shown = [use for use in SHOWN if not use.is_partial]
    found = {
        name: tuple(cell(with_use(with_needed([name]), use)) for use in shown) for name in CLAUSES
    }
    yield from table(("clause", *shown), rows_of(found))
    yield f"All others go with every use: {rest(found)}."
    yield from ("", "These uses answer as far as the clause has no part in it:", "")
    partial_uses = [use for use in SHOWN if use.is_partial]
    parts = {
        name: tuple(cell(with_use(with_needed([name]), use)) for use in partial_uses)
        for name in CLAUSES
    }
    yield from table(("clause", *partial_uses), rows_of(parts))
    reasons: list[tuple[str, str, str]] = []
    for name, clause in CLAUSES.items():
        for why in dict.fromkeys(clause.refused.values()):
            refusing = {use for use, own in clause.refused.items() if own == why}
            within = [one for one in SHOWN if refusing & {*one.does}]
            reasons.append((name, listed(within), plain(why)))
    yield from table(("clause", "excluded use", "the reason, and an alternative"), reasons)


def the_publications() -> Iterator[str]:
    yield from ("## With which publications", "")
    found = {}
    for name in CLAUSES:
        needed = with_needed([name]) & {"exact rows", "slices"}
        row = []
        for publisher in PUBLICATIONS:
            names = with_needed([name, *publication_is(publisher)])
            refused = between(names) or needed - {*publication_is(publisher)}
            row.append("depends" if not refused and depends(names) else cell(refused))
        found[name] = tuple(row)
    yield from table(("clause", *PUBLICATIONS), rows_of(found))
    yield f"All others go with every publication: {rest(found)}."
    yield ""


def of_method(name: str, settings: type[MethodSettings]) -> str:
    """Whether a method goes with a clause, or with it and another one."""
    names = with_needed([name], settings)
    if not between(names, settings):
        return "yes"
    among = ("clusters", "reuse", "strata", "cells of a recipe")
    others = [text for text in among if text not in names]
    helped = [
        text for text in others if not between(with_needed([*names, text], settings), settings)
    ]
    return f"with {' or '.join(helped)}" if helped else "no"


def the_methods() -> Iterator[str]:
    yield from ("## With which methods", "")
    settings = {name: value.Settings for name, value in METHODS.items()}
    asked = [name for name in CLAUSES if name not in OF_METHODS]
    found = {
        name: tuple(of_method(name, method_settings) for method_settings in settings.values())
        for name in asked
    }
    told = {name: row for name, *row in rows_of(found)}
    rows = (
        (f"`{setting}`", *(row[at] for row in told.values())) for at, setting in enumerate(settings)
    )
    yield from table(("method", *told), rows)
    yield f"All others go with every method: {rest(found)}."
    yield ""
    for name, clause in CLAUSES.items():
        if clause.method is not None:
            yield f"- **{name}**: {plain(clause.method.why)}."
    for method_settings in settings.values():
        for name, why in method_settings.needs.items():
            yield f"- `{method_settings.method_name()}` needs **{name}**: {plain(why)}."
    yield from (
        "",
        "The page of [each method](methods/index.md) lists its demands on columns and models.",
        "",
    )
    uses = (Use.DBT, Use.QUICK_SWEEP, Use.PREDICTION)
    kinds = {name: asked_by(of([], name)) & {*OF_METHODS} for name in METHODS}
    rows = (
        (f"`{name}`", *(cell(with_use(kind, use)) for use in uses)) for name, kind in kinds.items()
    )
    yield from table(("method", *uses), rows)


def the_pairs() -> Iterator[str]:
    yield from ("## With which other clauses", "")
    asked = [name for name in CLAUSES if name not in OF_METHODS]
    found: dict[str, Row] = {}
    for name in asked:
        both = {text: with_needed([name, text]) for text in asked if text != name}
        refused = [text for text, names in both.items() if between(names)]
        unformed = [text for text, names in both.items() if text not in refused and not able(names)]
        found[name] = (
            listed(refused),
            listed(unformed),
            listed(text for text, names in both.items() if text not in refused and depends(names)),
        )
    shown = {name: row for name, row in own(found).items() if any(row)}
    rows = (
        (
            name,
            *(
                listed(text for text in cells.split(", ") if text in shown or not text)
                for cells in row
            ),
        )
        for name, row in shown.items()
    )
    yield from table(("clause", "does not go with", "no method takes both", "depends"), rows)
    for name, clause in CLAUSES.items():
        for other, why in clause.excludes.items():
            yield f"- **{name}** and **{other}**: {plain(why)}."
        for other, why in clause.needs.items():
            yield f"- **{name}** needs **{other}**: {plain(why)}."
        for other, why in clause.unless_found.items():
            yield f"- **{name}** and **{other}** depend: {plain(why)}."


def page() -> str:
    parts = (the_clauses(), the_uses(), the_publications(), the_methods(), the_pairs())
    return "\n".join([HEAD, *(line for part in parts for line in part)]).rstrip("\n") + "\n"


def test_the_page_says_what_the_table_says() -> None:
    """Run with UPDATE_DOCS=1 to write it anew; then read the difference."""
    if os.environ.get("UPDATE_DOCS"):
        PAGE.write_text(page(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page()
