"""How identifying the quasi-identifiers of a table are: by counts, and against a population.

A plan like any other, of which nothing stays. A table may be raw, or a release, whose cells are
then values like others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.pages.figures import Finding, findings_table, value_of
from sqlanon.plan import FOUND, Check, Materialization, Plan, Step, work
from sqlanon.session import Listener, Session
from sqlanon.source.source import RECORDS, inspect_source, lacking
from sqlanon.spec import NUMBERS, TEXTS, Column, Source
from sqlanon.sql.names import Relation, Sql
from sqlanon.uses.profile.measured import POPULATION, TUPLES, Measured, alias
from sqlanon.uses.profile.profile import Combination

# The names of the columns of a sample.
BESIDE = {"weight": Sql("x1"), "household": Sql("w1"), "person": Sql("w2")}
_PEOPLE = work("population_records")
MOST_COLUMNS = 62  # a set of columns is a whole number of 64 bits on every database
DEFAULT_KNOWN, MOST_KNOWN = 2, 3  # items of a person
LEAST_FRACTION = Fraction(1, 10**12)


@dataclass(frozen=True, repr=False)
class Risks:
    """How identifying the quasi-identifiers of a table are.

    Attributes:
        table: its name.
        columns: the quasi-identifiers.
        figures: the figures.
        combinations: the subsets of columns that single out most records, the best of each size.
        special: of every subset of columns with which records are alone, and with none of fewer,
            how many records that are, the most first.
        shares: of every column the share of these in which it is, the greatest first.
        at_once: of how many columns the subsets have at most.
    """

    table: str
    columns: tuple[str, ...]
    figures: tuple[Finding, ...]
    combinations: tuple[Combination, ...]
    special: tuple[tuple[tuple[str, ...], int], ...]
    shares: tuple[tuple[str, float], ...]
    at_once: int

    def value(self, figure: str) -> float | None:
        """The value of a figure.

        Raises:
            KeyError: if it was not computed.
        """
        return value_of(self.figures, figure)

    def __repr__(self) -> str:
        share = self.value("unique_share") or 0
        return f"Risks({self.table}, {share:.2%} of the records are unique)"

    def _repr_html_(self) -> str:
        return findings_table(repr(self), self.figures)


@dataclass(frozen=True)
class Sample:
    """The facts that are known of how a table's records came into it.

    Attributes:
        fraction: the share of the population that the table is a random sample of.
        weight: the column that says how many persons of the population a record stands for.
        household: the column that says which household a record's person belongs to.
        person: the column that says whose item a record is, where the quasi-identifiers are those
            of an item.
        known: how many items of a person others may know.
    """

    fraction: Fraction | None = None
    weight: str | None = None
    household: str | None = None
    person: str | None = None
    known: int | None = None

    @property
    def columns(self) -> dict[str, str]:
        """The names of its columns, by what they are for."""
        told = {"weight": self.weight, "household": self.household, "person": self.person}
        return {of: name for of, name in told.items() if name is not None}


def risk_of(
    table: Source,
    names: Sequence[str],
    engine: Engine,
    item: Sql | None = None,
    population: Source | None = None,
    population_item: Sql | None = None,
    sample: Sample | None = None,
    listener: Listener | None = None,
) -> Risks:
    """Measure the risk of a table.

    Args:
        table: the table.
        names: its quasi-identifiers.
        engine: where it is.
        item: a FROM item in its place.
        population: a table of the population, with columns of the same names.
        population_item: a FROM item in its place.
        sample: what is known of how its records came into it.
        listener: hears of every step.

    Raises:
        SpecError: if a table lacks a column, or has no record, or the columns cannot be compared.
    """
    sample = sample or Sample()
    _check_asked(names, sample)
    asked = {"table": names} | {of: [name] for of, name in sample.columns.items()}
    found, there = _columns(table, asked, engine, item)
    known, beside = there[: len(names)], dict(zip(sample.columns, there[len(names) :], strict=True))
    if "weight" in beside and beside["weight"].kind not in NUMBERS:
        what = f"{sample.weight!r} is {beside['weight'].shown_type}, and must be numbers"
        raise SpecError(Problem("weight", what))
    read_once = table.table is None
    reading = _reading(
        found,
        columns=known,
        records=RECORDS,
        tuples=TUPLES,
        what="the table",
        once=read_once,
        beside=beside,
    )
    if population is not None:
        people, others = _columns(population, {"population": names}, engine, population_item)
        _check_alike(known, others)
        read_once = population.table is None
        reading += _reading(people, others, _PEOPLE, POPULATION, "the population", read_once)
    session = Session(engine, listener, plans=2)
    with session.transaction(keep=False):
        session.run(Plan(tuple(reading)))
        (counts,) = session.fetch("risk/frequencies", {"tuples": TUPLES}, {}, 1).dicts()
        if not counts["records"]:
            raise SpecError(Problem("table", "it has no record"))
        measured = Measured(session, names, {text: int(value) for text, value in counts.items()})
        measured.alone()
        if population is not None:
            measured.in_population()
        if sample.fraction is not None:
            measured.estimated(sample.fraction)
        if sample.weight is not None:
            measured.weighted()
        if sample.household is not None:
            measured.in_households(beside["household"].kind in TEXTS)
        if sample.person is not None:
            measured.of_items(_known_items(sample))
        singled = measured.singled()
        session.drop_work()
    return Risks(table.name, tuple(names), tuple(measured.figures), *singled)


def _check_asked(names: Sequence[str], sample: Sample) -> None:
    """Refuse columns and figures whose risk no table shows."""
    fraction = sample.fraction
    if fraction is not None and not LEAST_FRACTION <= fraction < 1:
        what = f"it must be at least {float(LEAST_FRACTION):g}, and less than 1"
        raise SpecError(Problem("fraction", what))
    if not names or len(set(names)) < len(names):
        raise SpecError(Problem("quasi_identifiers", "name at least one, each once"))
    if len(names) > MOST_COLUMNS:
        raise SpecError(Problem("quasi_identifiers", f"at most {MOST_COLUMNS} can be looked at"))
    for of, name in sample.columns.items():
        if name in names:
            raise SpecError(Problem(of, f"{name!r} is a quasi-identifier"))
    for of, name in sample.columns.items():
        first = next(one for one, other in sample.columns.items() if other == name)
        if first != of:
            raise SpecError(Problem(of, f"{name!r} is the {first}"))
    if sample.known is not None and sample.person is None:
        what = "it counts the items of a person: name the column that says whose they are as person"
        raise SpecError(Problem("known", what))
    if not 1 <= _known_items(sample) <= MOST_KNOWN:
        raise SpecError(Problem("known", f"it must be from 1 to {MOST_KNOWN}"))


def _known_items(sample: Sample) -> int:
    """How many items of a person a reader knows."""
    return DEFAULT_KNOWN if sample.known is None else sample.known


def _columns(
    table: Source, asked: Mapping[str, Sequence[str]], engine: Engine, item: Sql | None
) -> tuple[Relation | Sql, list[Column]]:
    """The table, and the columns that are asked for, by the arguments that ask."""
    needed = {name for names in asked.values() for name in names}
    found, columns = inspect_source(table, engine, next(iter(asked)), item, needed=needed)
    there = {column.name: column for column in columns}
    problems = []
    for where, names in asked.items():
        problems += lacking(names, table, there, where, beside=needed)
        problems += [
            Problem(where, f"the values of {name!r} ({there[name].shown_type}) cannot be compared")
            for name in names
            if name in there and there[name].kind == "other"
        ]
    if problems:
        raise SpecError(problems)
    return found, [there[name] for names in asked.values() for name in names]


def _check_alike(columns: Sequence[Column], others: Sequence[Column]) -> None:
    problems = [
        Problem(
            "population",
            f"{one.name!r} is {other.shown_type} there and {one.shown_type} in the table: cast one "
            "of them in a query",
        )
        for one, other in zip(columns, others, strict=True)
        if one.kind != other.kind
    ]
    if problems:
        raise SpecError(problems)


def _reading(
    item: Relation | Sql,
    columns: Sequence[Column],
    records: Relation,
    tuples: Relation,
    what: str,
    once: bool,
    beside: Mapping[str, Column] | None = None,
) -> list[Step | Check]:
    beside = beside or {}
    named = [(alias(index), column) for index, column in enumerate(columns)]
    named += [(BESIDE[of], column) for of, column in beside.items()]
    read = [
        {"name": column.name, "alias": short, "kind": column.kind, "codes": (), "tie": None}
        for short, column in named
    ]
    told = [
        {"alias": alias(index), "as_text": column.kind in ("boolean", "label")}
        for index, column in enumerate(columns)
    ]
    how = Materialization.WORK_TABLE if once else Materialization.WORK_VIEW
    steps: list[Step | Check] = [
        Step(f"reading {what}", records, "source/records", {"source": item}, {"columns": read}, how)
    ]
    if "weight" in beside:
        steps.append(
            Check(
                "every record has a weight",
                "risk/check_weights",
                {"records": records},
                {},
                "weight",
                f"of {FOUND.unweighed} records it is missing or no number above 0: it says how "
                "many persons a record stands for",
            )
        )
    if "person" in beside:
        steps.append(
            Check(
                "every record says whose it is",
                "source/check_named",
                {"read": records},
                {"names": [BESIDE["person"]], "unique": False},
                "person",
                f"of {FOUND.records} records it is missing, and nobody knows whose item they are: "
                "fill it, or leave them out by a query",
            )
        )
    return [
        *steps,
        Step(
            f"the different combinations of {what}",
            tuples,
            "risk/tuples",
            {"records": records},
            {"attributes": told, "weighted": "weight" in beside},
        ),
    ]
