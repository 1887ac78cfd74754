"""Profiles of the records, one for each state of knowledge, and the steps that lay them out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlanon.clauses.background.declared import BACKGROUND, Background
from sqlanon.domains.attribute import HiddenAttribute, QuasiAttribute, SensitiveAttribute
from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError, nearest
from sqlanon.plan import FOUND, Check, Step, work
from sqlanon.source.source import OtherTable, check_not_source, inspect_source
from sqlanon.spec import NUMBERS, Column, Source, comparable
from sqlanon.spec.method import SETTINGS
from sqlanon.sql.names import Relation, Sql

KNOWN_CODED = work("known_coded")
# So many are compared two by two: some two million pairs.
MOST_PROFILES = 2_000
_NO_BACKGROUND = (
    f"the table is no background of every record: {FOUND.lacking} tuples of the source's "
    f"quasi-identifiers have no row; {FOUND.twice} pairs of a tuple and a value have several; "
    f"{FOUND.negative} rows have no probability from 0 to 1; of {FOUND.uneven} tuples the "
    f"probabilities do not sum to 1 within a millionth; {FOUND.unnamed} values of the source are "
    "never named: give every tuple each value once (one that is left out has probability 0)"
)
_TOO_MANY = (
    f"{FOUND.profiles} different backgrounds are there, and "
    f"{MOST_PROFILES:,} are compared at most: declare it by fewer quasi-identifiers, or in a "
    "table by groups of them, with the same probabilities in a group"
)


@dataclass(frozen=True, kw_only=True)
class BackgroundAttribute(HiddenAttribute):
    """A sensitive attribute's background: what its values are for an attribute, these are for it.

    A value is a profile, a number for all tuples of quasi-identifiers of which the same is known.

    Attributes:
        background: as declared.
        tuples: the profile of each tuple, with its number of ``records``.
        priors: a row for each profile and ``code`` of the attribute's own values: its ``prior``.
        divergences: a row for two profiles, the lower ``code`` first, ``other`` and ``amount``: how
            far they lie apart, in parts of 10^9.
    """

    per = BACKGROUND.per

    background: Background
    tuples: Relation
    priors: Relation
    divergences: Relation

    @property
    def known_by(self) -> tuple[Sql, ...]:
        """The quasi-identifiers that it depends on."""
        return self.of_unit or self.by

    @property
    def remedy(self) -> str:
        """The changes that may help where its classes are not alike."""
        clusters = ", ".join(name for name, settings in SETTINGS.items() if settings.clusters)
        return (
            f"a method that starts from clusters of alike background ({clusters}), leaving "
            "records out, or a greater bk"
        )

    @property
    def relations(self) -> dict[str, Relation]:
        """How far profiles lie apart."""
        return {"divergences": self.divergences}


def background_steps(
    coded: Relation,
    columns: Sequence[Sql],
    backgrounds: Sequence[BackgroundAttribute],
    sensitive: Sequence[SensitiveAttribute],
    quasi_identifiers: Sequence[QuasiAttribute],
    tables: Mapping[str, OtherTable],
    numbered: Relation,
) -> list[Step | Check]:
    """The steps from coded records to the profile of each.

    Args:
        coded: the records with integer codes.
        columns: its columns.
        backgrounds: what is known.
        sensitive: the sensitive attributes.
        quasi_identifiers: the quasi-identifiers.
        tables: the tables of backgrounds that are given, by attribute.
        numbered: whom a class counts, by number.
    """
    steps: list[Step | Check] = []
    for attribute in backgrounds:
        (of,) = (each for each in sensitive if each.name == attribute.name)
        steps += _described(attribute, of, coded, quasi_identifiers, tables, numbered)
    steps.append(
        Step(
            "the records with what is known of them",
            KNOWN_CODED,
            "clauses/background/coded",
            {"coded": coded}
            | {f"profiles_{attribute.alias}": attribute.tuples for attribute in backgrounds},
            {"columns": tuple(columns), "backgrounds": tuple(backgrounds)},
        )
    )
    return steps


def _described(
    attribute: BackgroundAttribute,
    of: SensitiveAttribute,
    coded: Relation,
    quasi_identifiers: Sequence[QuasiAttribute],
    tables: Mapping[str, OtherTable],
    numbered: Relation,
) -> list[Step | Check]:
    """The steps that find the profiles of one attribute, and how far they lie apart."""
    tuples, known = work("tuples_", attribute.alias), work("known_", attribute.alias)
    given = work("given_", attribute.alias)
    declared = attribute.background
    estimated = work("estimated_", attribute.alias) if attribute.of_unit else known
    read = work("read_", attribute.alias) if attribute.of_unit else given
    by, about = {"by": attribute.known_by}, f"of {attribute.name}"
    steps: list[Step | Check] = [
        Step(
            f"tuples by which {attribute.name} is known",
            tuples,
            "clauses/background/tuples",
            {"coded": coded},
            by,
        )
    ]
    if declared.estimate is not None:
        steps.append(
            Step(
                f"estimating the background {about}",
                estimated,
                "clauses/background/estimated",
                {"coded": coded, "tuples": tuples},
                {**by, "attribute": of.alias, "smoothing": declared.estimate.smoothing},
            )
        )
    else:
        item = tables[attribute.name].item
        steps += _reading(attribute, of, quasi_identifiers, item, tuples=tuples, output=read)
    if attribute.of_unit:
        told, output = (read, given) if declared.estimate is None else (estimated, known)
        steps += _of_persons(attribute, coded, tuples, told, output, numbered)
        tuples, by = work("person_tuples_", attribute.alias), {"by": attribute.by}
    if declared.estimate is None:
        title = f"the background {about}"
        steps.append(Step(title, known, "clauses/background/known", {"given": given}))
    told = known if declared.estimate is not None else given
    return [
        *steps,
        Step(
            f"different backgrounds {about}",
            attribute.tuples,
            "clauses/background/profiles",
            {"tuples": tuples, "known": known},
            by,
        ),
        Step(
            f"what each background {about} says of the source's values",
            attribute.priors,
            "clauses/background/priors",
            {"profiles": attribute.tuples, "known": told, "positions": of.positions},
            {"given": told != known},
        ),
        Step(
            f"how many records have each {about}",
            attribute.positions,
            "clauses/background/positions",
            {"profiles": attribute.tuples},
        ),
        Check(
            f"few enough backgrounds {about}",
            "clauses/background/check_few",
            {"positions": attribute.positions},
            {"most": MOST_PROFILES},
            f"{_where(attribute)}.{declared.key}",
            _TOO_MANY,
        ),
        Step(
            f"how far the backgrounds {about} lie apart",
            attribute.divergences,
            "clauses/background/divergences",
            {"profiles": attribute.tuples, "known": known, "positions": attribute.positions},
        ),
    ]


def _where(attribute: BackgroundAttribute) -> str:
    """The address of an attribute's background."""
    return f"sensitive.{attribute.name}.background"


def _reading(
    attribute: BackgroundAttribute,
    of: SensitiveAttribute,
    quasi_identifiers: Sequence[QuasiAttribute],
    source: Relation | Sql,
    *,
    tuples: Relation,
    output: Relation,
) -> Iterator[Step | Check]:
    """The steps that read the background of an attribute, and hold that it is one."""
    declared = attribute.background
    there = {str(each.alias): each for each in quasi_identifiers}
    domains = {str(alias): there[alias].domain for alias in attribute.known_by}
    yield Step(
        f"reading the background of {attribute.name}",
        output,
        "clauses/background/given",
        {"tuples": tuples, "source": source}
        | {f"domain_{alias}": at for alias, at in domains.items()},
        {
            "by": [
                {"alias": alias, "name": declared.columns[there[alias].name]}
                for alias in attribute.known_by
            ],
            "domains": domains,
            "value": declared.value,
            "probability": declared.probability,
        },
    )
    yield Check(
        f"the background of {attribute.name} is one",
        "source/check_distributions",
        {"tuples": tuples, "given": output, "positions": of.positions},
        {},
        f"{_where(attribute)}.table",
        _NO_BACKGROUND,
    )


def _of_persons(
    attribute: BackgroundAttribute,
    coded: Relation,
    tuples: Relation,
    told: Relation,
    output: Relation,
    numbered: Relation,
) -> list[Step]:
    """The steps from what is known of each tuple to what is known of each person."""
    return [
        Step(
            f"the persons of whom {attribute.name} is known",
            work("person_tuples_", attribute.alias),
            "clauses/background/person_tuples",
            {"persons": numbered},
            {"person": attribute.by},
        ),
        Step(
            f"what is known of {attribute.name} of each person",
            output,
            "clauses/background/person_known",
            {"coded": coded, "tuples": tuples, "persons": numbered, "told": told},
            {
                "by": attribute.of_unit,
                "person": attribute.by,
                "given": attribute.background.estimate is None,
            },
        ),
    ]


def background_tables(
    backgrounds: Mapping[str, Background],
    columns: Mapping[str, Column],
    engine: Engine,
    written: Sequence[Relation],
) -> dict[str, OtherTable]:
    """The tables that hold backgrounds, by sensitive attribute.

    Args:
        backgrounds: by sensitive attribute, as declared.
        columns: the source's columns.
        engine: where the tables are.
        written: what the run writes; the release first, or nothing.

    Raises:
        SpecError: if a table is not there, lacks a column, or has another kind of values.
    """
    found = {}
    for name, background in backgrounds.items():
        if background.table is None:
            continue
        where, source = f"sensitive.{name}.background", Source(table=background.table)
        at = f"{where}.table"
        if written:
            check_not_source(written[0], written, source, engine)
        item, there = inspect_source(source, engine, at)
        problems = list(
            _misfits(name, background, columns, {column.name: column for column in there}, where)
        )
        if problems:
            raise SpecError(problems)
        found[name] = OtherTable(at, source, item)
    return found


def _misfits(
    name: str,
    background: Background,
    columns: Mapping[str, Column],
    there: Mapping[str, Column],
    where: str,
) -> list[Problem]:
    """The columns that a table lacks, or that cannot be compared with the source's."""
    wanted = [
        (f"{where}.columns.{text}", at, columns[text]) for text, at in background.columns.items()
    ]
    wanted.append((f"{where}.value", str(background.value), columns[name]))
    problems = []
    for key, at, column in wanted:
        if at not in there:
            what = f"the table has no column {at!r}; {nearest(at, there)}"
            problems.append(Problem(key, what))
        elif not comparable(there[at].kind, column.kind):
            what = f"the column is {there[at].shown_type}, the source's is {column.shown_type}"
            problems.append(Problem(key, f"{what}: cast it in a view"))
    at = str(background.probability)
    if at not in there:
        problems.append(
            Problem(f"{where}.probability", f"the table has no column {at!r}; {nearest(at, there)}")
        )
    elif there[at].kind not in NUMBERS:
        what = f"the column is {there[at].shown_type}, and must be numbers"
        problems.append(Problem(f"{where}.probability", what))
    return problems
