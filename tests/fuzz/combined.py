"""Random specs that combine all that a spec may say, drawn from the registries and its fields.

The cases of `fuzz.releases` are judged to the last cell, of the clauses that their oracle knows.
These are broad: any method, form, publication, model and clause beside any other. A spec is made or
refused; what is made is held to its models by rows that bear their record's number, and every
command that reads a release reads it. A fault is a violated model, an error that is none of
sqlanon's, and an error of the database.
"""

from __future__ import annotations

import tempfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Any

from drawn import Attribute
from hypothesis import strategies as st
from support import Connection, database, make_table, read

import sqlanon
from fuzz.attempt import FaultError
from fuzz.releases import Asked
from sqlanon.engines import DuckDBEngine
from sqlanon.forms import FORMS
from sqlanon.methods import METHODS
from sqlanon.privacy import MODELS
from sqlanon.publish import PUBLICATIONS
from sqlanon.record.recorded import recorded
from sqlanon.spec.model import Spec
from sqlanon.transforms.kinds import TRANSFORMS
from sqlanon.uses.reports.why import why as look

TOWNS = {"*": {"north": ["Aa", "Bé"], "south": ["C'c", 'D"d']}}
ILL = {"*": {"lungs": ["flu", "cold", "asthma"], "other": ["ulcer", "gout"]}}
GRADES = ["low", "mid", "high"]
COLUMNS = {
    "id": "integer",
    "who": "varchar",
    "age": "integer",
    "town": "varchar",
    "code": "varchar",
    "when": "date",
    "size": "decimal(6, 2)",
    "ill": "varchar",
    "pay": "integer",
    "grade": "varchar",
    "guards": "varchar",
    "note": "varchar",
    "tag": "varchar",
    "ills": "varchar[]",
}
HIERARCHIES: dict[str, dict[str, Any]] = {
    "age": {"bands": [5, 20]},
    "town": {"tree": TOWNS},
    "code": {"prefix": [3, 1, 0]},
    "when": {"dates": ["month", "year"]},
    "size": {"bands": [10, 100]},
}
QUASI = tuple(HIERARCHIES)
SENSITIVE = ("ill", "pay", "grade")
# Thresholds of each model of a sensitive attribute, by the fields of a spec.
THRESHOLDS: dict[str, tuple[dict[str, Any], ...]] = {
    "distinct_l": tuple({"l": number} for number in (1, 2, 3)),
    "distinct_groups_l": tuple({"l": {"distinct": number, "level": 1}} for number in (1, 2)),
    "entropy_l": tuple({"l": {"entropy": one}} for one in ("1.2", 2)),
    "recursive_l": ({"l": {"recursive": {"c": 2, "l": 2}}}, {"l": {"recursive": {"c": 3, "l": 3}}}),
    "alpha": tuple({"alpha": text} for text in ("0.5", "0.7", "0.9")),
    "t_closeness": tuple({"t": text} for text in ("0.1", "0.3", "0.6")),
    "beta_likeness": tuple({"beta": {"basic": number}} for number in (1, 4)),
    "enhanced_beta_likeness": tuple({"beta": {"enhanced": number}} for number in (1, 4)),
    "delta_disclosure": tuple({"delta": {"log2": number}} for number in (1, 3)),
    "delta_disclosure_ln": tuple({"delta": {"ln": number}} for number in (1, 3)),
    "km_anonymity": tuple({"km": {"k": number, "m": 2}} for number in (1, 2)),
    "proximity": tuple({"proximity": {"epsilon": 1, "m": number}} for number in (1, 2)),
    "background_knowledge": ({"bk": "0.5"},),
    "guarded_share": ({"guard": {"column": "guards", "p": "0.5"}},),
}
_OF_GROUPS = [entry["l"] for entry in THRESHOLDS["distinct_groups_l"]]
# What of a spec each case has, and what is no clause.
ALWAYS = {"source", "release", "quasi_identifiers", "sensitive", "privacy", "method", "seed"}
NO_CLAUSE = {"database", "goal", "materialize", "search"}

# What a command may say of a release that it does not read.
REFUSALS = (
    "a released table",  # check, of what only the run could measure
    "the release alone does not show",
    "is published as its class's",  # attack, by centroids, which leave nobody out
    "it is held against groups alone",
    "nothing was asked of its classes",
    "shows counts with noise, and no record or class",
)

Row = tuple[Any, ...]
Clause = Callable[["Draft"], None]


@dataclass
class Draft:
    """A spec while it is drawn.

    Attributes:
        random: what is drawn by.
        records: how many records the table has.
        spec: the fields, without the source.
        earlier: the fields of a release that is made before it.
        key: a file that holds a key.
    """

    random: Random
    records: int
    spec: dict[str, Any]
    earlier: dict[str, Any] | None = None
    key: str = "KEY"

    def some(self, values: Sequence[str]) -> list[str]:
        """At least one of these, in any order."""
        return self.random.sample(list(values), self.random.randint(1, len(values)))

    def any_of(self, values: Sequence[Any]) -> Any:
        """One of these."""
        return values[self.random.randrange(len(values))]


def _identifiers(draft: Draft) -> None:
    pseudonym = {"pseudonym": "keyed", "key": {"file": draft.key}}
    draft.spec["identifiers"] = {"id": draft.any_of([{}, pseudonym])}


def _insensitive(draft: Draft) -> None:
    draft.spec["insensitive"]["note"] = draft.any_of([{}, {"accept": "harmless"}])


def _swap(draft: Draft) -> None:
    _key(draft)
    columns = [*draft.spec["sensitive"], "note"]
    _insensitive(draft)
    draft.spec["swap"] = {
        "columns": draft.some(columns),
        "share": "0.5",
        "key": {"file": draft.key},
    }


def _noise(draft: Draft) -> None:
    _key(draft)
    draft.spec["sensitive"].setdefault("pay", {})
    draft.spec["noise"] = {"columns": ["pay"], "share": "0.5", "key": {"file": draft.key}}


def _transform(draft: Draft) -> None:
    _key(draft)
    key = {"key": {"file": draft.key}}
    settings: dict[str, tuple[str, Any]] = {
        "round": ("pay", 10),
        "bands": ("pay", 20),
        "top": ("pay", 50),
        "bottom": ("pay", 20),
        "mask": ("ill", 1),
        "members": ("ills", "sorted"),
        "rare_members": ("ill", {"k": 2, "m": 1}),
        "noise": ("pay", {"within": 5, **key}),
        "date_shift": ("when", {"days": 9, **key}),
        "pram": ("ill", {"keep": "0.8", **key}),
        "rank_swap": ("pay", {"within": "0.2", **key}),
        "laplace": ("pay", {"epsilon": "0.5", "low": 10, "high": 40}),
        "randomized_response": (
            "ill",
            {"epsilon": 1, "values": ILL["*"]["lungs"] + ILL["*"]["other"]},
        ),
    }
    assert set(settings) == {transform.name for transform in TRANSFORMS}, (
        "a transform that is not drawn"
    )
    name = draft.any_of(sorted(settings))
    column, setting = settings[name]
    if column == "when":
        draft.spec["quasi_identifiers"].pop("when", None)
        draft.spec["quasi_identifiers"].setdefault("age", {})
        draft.spec["insensitive"]["when"] = {"accept": "dates", "transform": [{name: setting}]}
    else:
        draft.spec["sensitive"].setdefault(column, {})["transform"] = [{name: setting}]


def _key(draft: Draft) -> None:
    draft.spec["key"] = "id"


def _person(draft: Draft) -> None:
    draft.spec["person"] = "who"


def _publish(draft: Draft) -> None:
    shown = [name for name, publisher in PUBLICATIONS.items() if not publisher.rule.counts]
    name = draft.any_of(sorted(shown))
    publish: dict[str, Any] = {"name": name}
    quasi = list(draft.spec["quasi_identifiers"])
    if name != "generalized":
        draft.spec["quasi_identifiers"] = {column: {} for column in quasi}
        if draft.random.random() < 0.5:
            publish["group"] = draft.random.randint(2, 5)
        first = next(iter(draft.spec["sensitive"]), "grade")
        draft.spec["sensitive"].setdefault(first, {}).setdefault("l", 2)
        draft.spec["privacy"]["k"] = 1
    if name == "sliced" and draft.random.random() < 0.5:
        publish["widest"] = 2
        if draft.random.random() < 0.5:
            publish["sensitive"] = "joined"
    elif name == "sliced":
        cut = draft.random.randint(0, len(quasi))
        slices = [quasi[:cut], [*quasi[cut:], *draft.spec["sensitive"]]]
        publish["columns"] = [entry for entry in slices if entry]
    if name == "sliced" and draft.random.random() < 0.5:
        publish["suppress"] = draft.any_of(["similar", "pairs"])
    if name == "sliced" and draft.random.random() < 0.5:
        coarse = [column for column in quasi if draft.random.random() < 0.5]
        draft.spec["quasi_identifiers"] |= {one: {"hierarchy": HIERARCHIES[one]} for one in coarse}
        publish["levels"] = dict.fromkeys(coarse, 1)
    draft.spec["publish"] = publish


def _counts(draft: Draft) -> None:
    """Counts with noise, of groups at one level, in place of all that a class shows."""
    spec, quasi = draft.spec, list(draft.spec["quasi_identifiers"])
    spec["quasi_identifiers"] = {column: {"hierarchy": HIERARCHIES[column]} for column in quasi}
    spec["levels"] = dict.fromkeys(quasi, 1)
    differential = {"epsilon": draft.any_of([1, 5]), "delta": "0.01"}
    spec["privacy"] = {"k": 1, "differential": differential}
    spec["method"], spec["sensitive"] = {"name": "optimal"}, {}
    spec["insensitive"].pop("tag")
    sums = {"sums": {"pay": {"low": 0, "high": 50, "step": 10}}}
    sets = {"columns": [[column] for column in quasi]}
    asked = draft.any_of([{}, {"noise": "gaussian"}, {"round": 5, "between": [0, 20]}, sums, sets])
    if "sums" in asked:
        spec["sensitive"] = {"pay": {}}
    spec["publish"] = {"name": "counts", **asked}


def _component(draft: Draft) -> None:
    """Several ordered attributes are stacked along their principal component, or in clusters."""
    ordered = {"pay": {"distance": "ordered"}, "grade": {"distance": "ordered", "order": GRADES}}
    sensitive = draft.spec["sensitive"]
    draft.spec["sensitive"] = {text: sensitive.get(text, {}) | how for text, how in ordered.items()}
    draft.spec["method"] = {
        "name": "stack_and_deal",
        "stack": draft.any_of(["component", "clusters"]),
    }


def _sensitive_cells(draft: Draft) -> None:
    """The cells of a quasi-identifier are published, and its values are not to be learned."""
    column = draft.any_of(list(draft.spec["quasi_identifiers"]))
    if draft.any_of([True, False]):
        draft.spec["quasi_identifiers"][column] = {}
    settings = draft.spec["quasi_identifiers"][column]
    asked = draft.any_of([{"l": 2}, {"l": {"entropy": "1.2"}}, {"t": "0.6"}, {"alpha": "0.7"}])
    settings["sensitive"] = {**asked, "distance": "equal"}


def _levels(draft: Draft) -> None:
    if draft.any_of([True, False]):  # strata
        draft.spec["levels"] = {draft.any_of(list(draft.spec["quasi_identifiers"])): 0}
        return
    _on_levels(draft)
    column = draft.any_of(list(draft.spec["quasi_identifiers"]))
    draft.spec["levels"] = {column: draft.any_of([0, 1, [0, 2], [1, 2]])}


def _on_levels(draft: Draft) -> None:
    """Every quasi-identifier is published at one level of its hierarchy."""
    draft.spec["quasi_identifiers"] = {
        one: {"hierarchy": HIERARCHIES[one], "publish": "level"}
        for one in draft.spec["quasi_identifiers"]
    }


def _recipe(draft: Draft) -> None:
    kept = {"allotment": True} if draft.any_of([True, False, False]) else {}
    draft.earlier = {**draft.spec, "release": "earlier", **kept}
    draft.spec["recipe"] = "earlier"


def _allotment(draft: Draft) -> None:
    draft.spec["allotment"] = True


def _series(draft: Draft) -> None:
    _person(draft)
    draft.earlier = {**draft.spec, "release": "earlier", "series": {}}
    draft.spec["series"] = {"after": "earlier", "reuse": draft.any_of([True, False])}


def _suppression(draft: Draft) -> None:
    within = {"within": draft.any_of(list(draft.spec["quasi_identifiers"]))}
    asked = draft.any_of([{}, {}, within])
    draft.spec["suppression"] = {"records": draft.any_of(["0.1", "1/2", 1]), **asked}


def _choose(draft: Draft) -> None:
    draft.spec["choose"] = draft.any_of([{}, {"k": [2, 3]}, {"privacy_weight": "0.3"}])


def _metrics(draft: Draft) -> None:
    metrics = ["classification_metric", "ambiguity", "iloss", "coarsened_share", "precision"]
    draft.spec["metrics"] = draft.some(metrics)


def _missing(draft: Draft) -> None:
    draft.spec["missing"] = draft.any_of([{"town": ["Aa"]}, {"pay": ["10"]}, {"age": ["20", "21"]}])


def _subsets(draft: Draft) -> None:
    columns = [draft.any_of(list(draft.spec["quasi_identifiers"]))]
    k = draft.spec["privacy"]["k"] + 1
    draft.spec["privacy"]["subsets"] = [{"columns": columns, "k": k}]


def _population(draft: Draft) -> None:
    asked = draft.any_of([{"k_map": 3}, {"presence": [0, "0.9"]}])
    draft.spec["privacy"]["population"] = {"source": "everybody", **asked}


def _background(draft: Draft) -> None:
    draft.spec["sensitive"].setdefault("ill", {})
    by = draft.some(list(draft.spec["quasi_identifiers"]))
    estimate = {"background": {"estimate": {"by": by}}, "bk": draft.any_of(["0.2", "0.6"])}
    draft.spec["sensitive"]["ill"] |= estimate


def _follows(draft: Draft) -> None:
    """Another column follows the first quasi-identifier."""
    quasi = draft.spec["quasi_identifiers"]
    follower = next(text for text in QUASI if text not in quasi)
    quasi[follower] = {"follows": next(iter(quasi))}


def _guard(draft: Draft) -> None:
    ill = draft.spec["sensitive"].setdefault("ill", {})
    ill |= {"distance": "hierarchical", "hierarchy": {"tree": ILL}}
    ill["guard"] = {"column": "guards", "p": "0.6"}


def fitted(draft: Draft) -> Draft:
    """The draft with what its method cannot do without."""
    random, spec, name = draft.random, draft.spec, draft.spec["method"]["name"]
    if name in ("anatomy", "sabre"):
        first = next(iter(spec["sensitive"]), "grade")
        asked = {"l": 2} if name == "anatomy" else {"t": "0.6"}
        spec["sensitive"] = {first: spec["sensitive"].get(first, {}) | asked}
    if name == "anatomy":
        spec["publish"] = {"name": random.choice(["anatomy", "permuted"])}
        spec["privacy"]["k"] = 1
        spec["quasi_identifiers"] = {one: {} for one in spec["quasi_identifiers"]}
    if name == "fragmentation":
        ordered = {"distance": "ordered", "order": "frequency", "t": "0.6"}
        spec["sensitive"] = {one: dict(ordered) for one in spec["sensitive"] or ["grade"]}
    if name == "uhra":
        _background(draft)
    if name == "top_down":
        texts = [one for one in spec["quasi_identifiers"] if COLUMNS[one] == "varchar"]
        for text in texts:
            spec["quasi_identifiers"][text] = {"hierarchy": HIERARCHIES[text]}
    return draft


# Every clause by its field: of the spec, of `privacy`, of a column.
CLAUSES: dict[str, Clause] = {
    "identifiers": _identifiers,
    "insensitive": _insensitive,
    "swap": _swap,
    "noise": _noise,
    "key": _key,
    "person": _person,
    "publish": _publish,
    "publish.counts": _counts,
    "levels": _levels,
    "recipe": _recipe,
    "allotment": _allotment,
    "suppression": _suppression,
    "choose": _choose,
    "metrics": _metrics,
    "missing": _missing,
    "series": _series,
    "method.stack": _component,
    "quasi_identifiers.follows": _follows,
    "quasi_identifiers.sensitive": _sensitive_cells,
    "privacy.subsets": _subsets,
    "privacy.population": _population,
    "sensitive.transform": _transform,
    "sensitive.background": _background,
    "sensitive.guard": _guard,
}


@dataclass(frozen=True)
class Combined:
    """A table and a spec of it.

    Attributes:
        rows: the records, as COLUMNS has them.
        spec: the fields of the spec.
        earlier: those of a release that is made before it.
        clauses: what was drawn beside a method and models.
    """

    rows: tuple[Row, ...]
    spec: Mapping[str, Any]
    earlier: Mapping[str, Any] | None
    clauses: tuple[str, ...]

    def __repr__(self) -> str:
        return f"Combined({self.spec!r},\n earlier={self.earlier!r},\n rows={self.rows!r})"


def _rows(random: Random, count: int) -> tuple[Row, ...]:
    """Records with NULLs, ties and few values, so that some classes are possible."""
    persons = random.choice([1, 1, 2, 3])  # so many records has each
    return tuple(_row(random, row, f"p{row // persons}") for row in range(count))


def _row(random: Random, row: int, person: str) -> Row:
    def maybe(value: Any) -> Any:
        return None if random.random() < 0.06 else value

    above = {leaf: group for group, leaves in ILL["*"].items() for leaf in leaves}
    towns = [leaf for group in TOWNS["*"].values() for leaf in group]
    ill = maybe(random.choice(sorted(above)))
    return (
        row,
        person,
        maybe(random.randint(18, 60)),
        maybe(random.choice(towns)),
        maybe(random.choice(["02134", "02139", "10001", "00000"])),
        maybe(date(2020, 1, 1) + timedelta(days=random.randint(0, 800))),
        maybe(Decimal(random.randint(0, 9999)).scaleb(-2)),
        ill,
        maybe(10 * random.randint(0, 9)),
        random.choice(GRADES),
        random.choice([None, ill, above.get(ill or "")]),
        random.choice(["x", "y"]),
        f"t{row}",
        maybe(random.choices([*sorted(above), None], k=random.randint(0, 3))),
    )


@cache
def _forms(column: str) -> tuple[dict[str, Any], ...]:
    """How a quasi-identifier may be published: every form, with and without a hierarchy.

    The spec itself says which of them go together.
    """
    found: list[dict[str, Any]] = []
    for hierarchy in ({}, {"hierarchy": HIERARCHIES[column]}):
        for form in ({}, *({"publish": name} for name in FORMS)):
            settings = {**hierarchy, **form}
            declared = {
                "release": "r",
                "quasi_identifiers": {column: settings},
                "privacy": {"k": 2},
            }
            try:
                sqlanon.parse_spec({"source": "people", **declared})
            except sqlanon.SpecError:
                continue
            found.append(settings)
    return tuple(found)


def _quasi_identifiers(random: Random) -> dict[str, Any]:
    columns = random.sample(QUASI, random.randint(1, 3))
    return {column: dict(random.choice(_forms(column))) for column in columns}


def _sensitive(random: Random) -> dict[str, Any]:
    asked = {model.name for model in MODELS if model.per == "sensitive"}
    found: dict[str, Any] = {}
    for column in random.sample(SENSITIVE, random.choice([0, 1, 1, 1, 2])):
        settings: dict[str, Any] = {}
        for model in random.sample(sorted(asked), random.choice([0, 1, 1, 2])):
            settings |= random.choice(THRESHOLDS[model])
        settings.pop("km" if column == "pay" else "proximity", None)  # of text, and of numbers
        if column != "ill":
            settings["distance"] = random.choice(["equal", "ordered"])
        if column == "grade" and settings["distance"] == "ordered":
            settings["order"] = random.choice([GRADES, "frequency"])
        if column == "ill" and random.random() < 0.4:
            settings |= {"distance": "hierarchical", "hierarchy": {"tree": ILL}}
        if "hierarchy" not in settings and settings.get("l") in _OF_GROUPS:
            settings["l"] = settings["l"]["distinct"]  # there are none
        found[column] = settings
    return found


def draw(random: Random) -> Combined:
    """A table and a spec; of every method and clause as many as of the others."""
    count = random.randint(1, 26)
    spec: dict[str, Any] = {
        "release": "public",
        "quasi_identifiers": _quasi_identifiers(random),
        "sensitive": _sensitive(random),
        "insensitive": {"tag": {"accept": "the number of the record"}},
        "privacy": {"k": random.choice([1, 2, 2, 3, 5])},
        "method": {"name": random.choice(sorted(METHODS))},
        "seed": random.randint(0, 99),
    }
    draft = Draft(random, count, spec)
    if METHODS[spec["method"]["name"]].Settings.publishes == "level":
        _on_levels(draft)
    fitted(draft)
    clauses = random.sample(sorted(CLAUSES), random.choice([0, 1, 1, 1, 2, 2, 3]))
    for clause in clauses:
        CLAUSES[clause](draft)
    return Combined(_rows(random, count), draft.spec, draft.earlier, tuple(clauses))


def combined() -> st.SearchStrategy[Combined]:
    """Cases that hypothesis can make smaller."""
    return st.randoms(use_true_random=False).map(draw)


# --- what must hold ------------------------------------------------------------------------------


@dataclass
class Outcome:
    """What became of a case: published or refused, and what the commands after it said."""

    published: bool
    refused: str = ""
    after: Counter[str] = field(default_factory=Counter)


def attempt(case: Combined) -> Outcome:
    """Make the release, judge it, and read it by every command.

    Raises:
        FaultError: if a model is violated, or an error is none that a user could cause.
    """
    with database() as connection, tempfile.TemporaryDirectory() as folder:
        make_table(connection, "people", COLUMNS, case.rows)
        make_table(connection, "everybody", COLUMNS, case.rows * 2)
        (Path(folder) / "KEY").write_bytes(bytes(range(32)))
        for declared in (case.earlier, case.spec):
            if declared is None:
                continue
            refused = _refused(partial(_run, connection, declared, Path(folder)))
            if refused is not None:
                _nothing_left(connection, case)
                return Outcome(published=False, refused=refused)
        _judge(case, connection)
        return Outcome(published=True, after=_read_by_all(case, connection, Path(folder)))


def _run(connection: Connection, fields: Mapping[str, Any], folder: Path) -> None:
    parsed = sqlanon.parse_spec({"source": "people", **fields}, folder)
    sqlanon.anonymize(parsed, connection=connection, progress=False).close()


def _refused(act: Callable[[], Any]) -> str | None:
    """What an act is refused with; None if it is not.

    Raises:
        FaultError: if the error is none that a user could cause.
    """
    try:
        act()
    except sqlanon.SqlanonError as error:
        if error.exit_code not in (1, 2):
            raise FaultError(f"{type(error).__name__}, exit {error.exit_code}: {error}") from error
        return str(error)
    except Exception as error:
        raise FaultError(f"{type(error).__name__}: {error}") from error
    return None


def _nothing_left(connection: Connection, case: Combined) -> None:
    release = case.spec["release"]
    left = connection.execute(
        "select count(*) from duckdb_tables() where table_name = ? or starts_with(table_name, ?)",
        [release, f"{release}__"],
    ).fetchone()
    if left != (0,):
        raise FaultError("a refused run left relations behind")


def _judge(case: Combined, connection: Connection) -> None:
    """Hold what a reader of generalized rows sees to k and the models of untouched values."""
    publication = case.spec.get("publish", {}).get("name", "generalized")
    if publication == "counts":
        _judge_counts(*read(connection, case.spec["release"]))
    if publication != "generalized":
        return
    columns, rows = read(connection, case.spec["release"])
    carried = {*case.spec["sensitive"], *case.spec["insensitive"], "id"}
    shown = [at for at, name in enumerate(columns) if name not in carried]
    tag = columns.index("tag")
    classes: dict[Row, list[int]] = defaultdict(list)
    for row in rows:
        classes[tuple(row[at] for at in shown)].append(int(row[tag][1:]))
    numbers = Counter(number for members in classes.values() for number in members)
    if max(numbers.values()) > 1 or (len(numbers) < len(case.rows) and not _may_suppress(case)):
        raise FaultError(f"{len(case.rows)} records went in, {len(numbers)} came out")
    for violated in _violated(case, list(classes.values())):
        raise FaultError(f"{violated} does not hold")


def _judge_counts(columns: Sequence[str], rows: Sequence[Row]) -> None:
    """No group of a set of columns is counted twice, and no count is below 0."""
    counted = next(at for at, name in enumerate(columns) if name in ("records", "persons"))
    groups = Counter(row[:counted] for row in rows)
    if any(row[counted] < 0 for row in rows) or max(groups.values(), default=1) > 1:
        raise FaultError("a group is counted twice, or below 0")


def _may_suppress(case: Combined) -> bool:
    return "suppression" in case.spec or "series" in case.spec


def _violated(case: Combined, classes: list[list[int]]) -> Iterator[str]:
    names = list(COLUMNS)
    by_person = "person" in case.spec
    persons = [row[names.index("who")] if by_person else row[0] for row in case.rows]
    for members in classes:
        if len({persons[number] for number in members}) < case.spec["privacy"]["k"]:
            yield "k_anonymity"
    touched = {"swap", "noise", "missing"}.intersection(case.spec)
    hidden = {
        column: settings["sensitive"]
        for column, settings in case.spec["quasi_identifiers"].items()
        if "sensitive" in settings
    }
    for column, settings in (*case.spec["sensitive"].items(), *hidden.items()):
        if touched or "transform" in settings:
            continue
        values = tuple(row[names.index(column)] for row in case.rows)
        if by_person:
            distinct = _l_of(settings)
            for members in classes:
                yield from _certain(members, values, persons, distinct, column)
        elif settings.get("distance") != "hierarchical":
            attribute = Attribute(column, COLUMNS[column], values, _distance_of(settings))
            found = [[values[number] for number in members] for members in classes]
            yield from _asked(settings).violated(attribute, found)


def _l_of(settings: Mapping[str, Any]) -> int:
    asked = settings.get("l", 1)
    return int(asked.get("distinct", 1)) if isinstance(asked, dict) else int(asked)


def _certain(
    members: Sequence[int],
    values: Sequence[Any],
    persons: Sequence[Any],
    distinct: int,
    column: str,
) -> Iterator[str]:
    """A value that more of the class's persons have than 1 / l of them."""
    having: dict[Any, set[Any]] = defaultdict(set)
    for number in members:
        having[values[number]].add(persons[number])
    of_all = len({persons[number] for number in members})
    if any(len(some) * distinct > of_all for some in having.values()):
        yield f"distinct_l of {column} over persons"


def _distance_of(settings: Mapping[str, Any]) -> dict[str, Any]:
    return {name: settings[name] for name in ("distance", "order") if name in settings}


def _asked(settings: Mapping[str, Any]) -> Asked:
    """The models of a column as the oracle reads them."""
    diversity = settings.get("l", {})
    diversity = diversity if isinstance(diversity, dict) else {"distinct": diversity}
    recursive = diversity.get("recursive")
    likeness, delta = settings.get("beta", {}), settings.get("delta", {})

    def text(value: Any) -> str | None:
        return None if value is None else str(value)

    return Asked(
        t=text(settings.get("t")),
        distinct=diversity.get("distinct"),
        entropy=text(diversity.get("entropy")),
        recursive=None if recursive is None else (recursive["c"], recursive["l"]),
        alpha=text(settings.get("alpha")),
        beta=text(likeness.get("basic")),
        enhanced=text(likeness.get("enhanced")),
        delta=text(delta.get("log2")),
        proximity=settings.get("proximity"),
        km=settings.get("km"),
    )


def _read_by_all(case: Combined, connection: Connection, folder: Path) -> Counter[str]:
    """Read the release by every command that reads one; what each said, in a word."""
    name = case.spec["release"]
    there: dict[str, Any] = {"connection": connection}
    spec = sqlanon.parse_spec({"source": "people", **case.spec}, folder)
    quiet: dict[str, Any] = {**there, "progress": False}
    commands: dict[str, Callable[[], Any]] = {
        "check": lambda: _passed(sqlanon.check({"table": name}, spec=spec, **quiet)),
        "why": lambda: _why(connection, name),
        "attack": lambda: sqlanon.attack(name, **quiet),
        "attack with persons": lambda: _nobody_is_absent(
            sqlanon.attack(name, external={"table": "people"}, **quiet)
        ),
        "attack with the source": lambda: sqlanon.attack(name, source={"table": "people"}, **quiet),
        "utility": lambda: sqlanon.utility(name, source={"table": "people"}, queries=3, **quiet),
        "report": lambda: sqlanon.report(name, folder / "report.html", **there),
        "external report": lambda: sqlanon.report(
            name, folder / "external.html", external=True, **there
        ),
    }
    said: Counter[str] = Counter()
    for command, act in commands.items():
        try:
            refused = _refused(act)
        except FaultError as fault:
            raise FaultError(f"{command}: {fault}") from fault
        if refused is not None and not any(known in refused for known in REFUSALS):
            raise FaultError(f"{command} refuses a release of its own: {refused}")
        said[f"{command} {'read it' if refused is None else 'refused it'}"] += 1
    return said


def _why(connection: Connection, release: str) -> None:
    with closing(DuckDBEngine(connection=connection)) as engine:
        look(recorded(release, engine))


def _passed(found: sqlanon.CheckResult) -> None:
    if not found.passed:
        raise FaultError(f"check finds {[str(shortfall) for shortfall in found.shortfalls]}")


def _nobody_is_absent(found: Any) -> None:
    absent = {finding.figure: finding.value for finding in found.findings}.get(
        "membership_absent_share"
    )
    if absent and not found.notes:
        raise FaultError(f"{absent} of the persons of the source are called absent")


def undrawn() -> set[str]:
    """What is registered, or a field of a spec, and never drawn."""
    clauses = {name for name in Spec.model_fields if name not in ALWAYS | NO_CLAUSE}
    shown = {name for name, publisher in PUBLICATIONS.items() if publisher.rule.counts} - {"counts"}
    return (clauses - set(CLAUSES) | shown) | (
        {model.name for model in MODELS if model.per != "population"}
        - set(THRESHOLDS)
        - {"k_anonymity"}
    )


__all__ = [
    "COLUMNS",
    "HIERARCHIES",
    "Combined",
    "Draft",
    "FaultError",
    "Outcome",
    "attempt",
    "combined",
    "draw",
    "fitted",
    "undrawn",
]
