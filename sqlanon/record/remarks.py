"""The remarks of a run: on what holds as was asked for, and protects less than it seems to."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from sqlanon.clauses import counting_others, following
from sqlanon.domains.attribute import SensitiveAttribute, Unit
from sqlanon.engines import Engine
from sqlanon.errors import EngineError, SpecError
from sqlanon.inputs.source import MISSING_WORDS
from sqlanon.measure.asked import Asked
from sqlanon.measure.copies import Compared, copies
from sqlanon.measure.plan import MeasurementPlan
from sqlanon.measure.view import MEASURED, AdversaryView
from sqlanon.privacy.l_diversity import DISTINCT_L
from sqlanon.privacy.t_closeness import T_CLOSENESS
from sqlanon.publish.publication import Publication
from sqlanon.record.ownership import mark
from sqlanon.record.recorded import Recorded
from sqlanon.record.spent import FACT as SPENT
from sqlanon.session import Session
from sqlanon.source.source import RECORDS, aliases, table_named
from sqlanon.source.source_info import SourceInfo
from sqlanon.spec import Spec
from sqlanon.sql.names import Relation, Sql, identifier

# Signs that readers do not see: blanks of any width, and what only tells how others are shown.
_BLANKS = tuple(" \t\n\r\u00a0\u00ad\u202f\u2060\u3000\ufeff") + tuple(
    map(chr, range(0x2000, 0x2010))
)
FACT = "remarks"  # the item of the run relation
_HIERARCHICAL = "hierarchical"
# Fewer different records may well be there equally often: then nothing is said.
_LEAST_DIFFERENT = 10
_MOST_TIMES = 12  # that a table is taken to be loaded
_FEW = 1000  # records that are looked at first

# One sensitive value gives the other away of some records where classes are small: of more is said.
_JOINTLY = Fraction(1, 4)
# A text with so many values a record is likely to name them: two of a family share an address, and
# one may be there twice. Diagnoses and jobs repeat more, in a small table too.
_OWN = Fraction(9, 10)
# Larger tables have the evidence by which a column that gives another back is refused.
_MOST_COMPARED = 1_000


def remarks_of(
    spec: Spec,
    source_info: SourceInfo,
    measurement: MeasurementPlan,
    publication: Publication,
    unit: Unit,
    session: Session,
) -> tuple[str, ...]:
    """The remarks on a release, while the relations of its run are still there.

    Figures and names of columns alone; never a cell of the data.

    Args:
        spec: what is declared.
        source_info: what is known of its source.
        measurement: what was measured.
        publication: what is published, on which it was measured.
        unit: what a class counts.
        session: asks the database.

    Raises:
        EngineError: if the database fails.
    """
    if spec.counts:
        return ()  # the others are of records, or of classes
    view = publication.view
    known = {
        attribute.name: attribute
        for attribute in view.sensitive
        if type(attribute) is SensitiveAttribute
    }
    return (
        *_spellings(measurement, known, session),
        *_own_texts(spec, known, session),
        *_nulls_counted(measurement, view, known, session),
        *_excluding_nothing(measurement, view, session),
        *_tied_by_pseudonym(spec, publication, unit, session),
        *_given_back(spec, view, unit, session),
        *_common_members(spec, view, known, session),
        *_jointly_certain(measurement, publication, session),
        *_several_times(spec, source_info, unit, session),
        *_empty_lines(spec, session),
    )


def _spellings(
    measurement: MeasurementPlan, known: Mapping[str, SensitiveAttribute], session: Session
) -> Iterator[str]:
    """The attributes whose values differ in part by what nobody sees or by case, or are none."""
    asked = {model.name for model in _declared(measurement)}
    for name, attribute in known.items():
        if attribute.kind != "text":
            continue
        there = {"positions": attribute.positions}
        params = {"missing": MISSING_WORDS, "blanks": _BLANKS}
        ((spellings, folded, missing),) = session.fetch("measure/spellings", there, params, 1).rows
        if missing and name in asked:
            yield (
                f"{missing:,} records have a text for {name} that stands for a missing value, "
                "such as NA or unknown, and each such text counts as a value of its own: name "
                "them in missing"
            )
        if folded < spellings:
            yield (
                f"{spellings:,} values of {name} are {folded:,} without case, blanks, invisible "
                "signs and the two forms of an accent, and each spelling counts as a value of its "
                "own: write one of them in the source"
            )


def _own_texts(
    spec: Spec, known: Mapping[str, SensitiveAttribute], session: Session
) -> Iterator[str]:
    """The texts with nearly as many values as records, as of names, addresses and notes."""
    for name, attribute in known.items():
        if attribute.kind != "text" or spec.sensitive[name].accept is not None:
            continue
        there = {"positions": attribute.positions}
        ((own, records, different),) = session.fetch("measure/own_values", there, {}, 1).rows
        if different >= _LEAST_DIFFERENT and different >= _OWN * records:
            yield (
                f"{own:,} of {records:,} records have a {name} that no other record has, and every "
                "row shows it: a reader of a name, an address or a note knows the person, and k "
                f"does not help; make {name} an identifier, or coarsen it in the source"
            )


def _nulls_counted(
    measurement: MeasurementPlan,
    view: AdversaryView,
    known: Mapping[str, SensitiveAttribute],
    session: Session,
) -> Iterator[str]:
    """The attributes of which l holds only because NULL counts as a value."""
    for model in _declared(measurement):
        attribute = known.get(model.name or "")
        if model.model is not DISTINCT_L or attribute is None or view.units is not None:
            continue
        least = int(model.demand.threshold)
        there = {
            "class_report": measurement.class_report,
            "class_values": view.class_values[str(attribute.alias)],
            "positions": attribute.positions,
        }
        params = {"diversity": model.column, "least": least}
        ((classes, records),) = session.fetch("measure/null_counted", there, params, 1).rows
        if classes and least > 1:
            in_classes = f"{classes:,} {'class' if classes == 1 else 'classes'}"
            yield (
                f"l {least} of {model.name} holds only because NULL counts as a value in "
                f"{in_classes} with {int(records):,} records: leave the records without a value "
                f"out of the source and say nulls: reject, or ask for l {least + 1}"
            )


def _excluding_nothing(
    measurement: MeasurementPlan, view: AdversaryView, session: Session
) -> Iterator[str]:
    """The thresholds that every class meets that this table can have."""
    declared = list(_declared(measurement))
    if not declared:  # not even a k: one of 1 is only measured
        yield "k 1 excludes nothing: a record alone is a class; ask for a greater k"
    for model in declared:
        of = f" of {model.name}" if model.name else ""
        title, shown = model.model.title, model.shown
        if model.model is T_CLOSENESS:
            greatest = _farthest(model, view, session)
            if greatest is not None and model.demand.threshold >= greatest:
                yield (
                    f"{title}{of} excludes nothing: no class of this table can be farther than "
                    f"{float(greatest):.4g}, and t is {shown}; ask for a smaller t"
                )
        elif model.demand.threshold == model.model.vacuous:
            yield f"{title}{of} excludes nothing with {shown}: every class of one record has it"


def _farthest(model: Asked, view: AdversaryView, session: Session) -> Fraction | None:
    """The greatest distance that a class can have; None where that is not simple."""
    attribute = model.attribute
    if attribute is None or view.units is not None or attribute.distance == _HIERARCHICAL:
        return None
    there = {"positions": attribute.positions}
    params = {"ordered": attribute.distance == "ordered"}
    ((amount, scale),) = session.fetch("measure/farthest", there, params, 1).rows
    return Fraction(int(amount), int(scale)) if scale else None


def _tied_by_pseudonym(
    spec: Spec, publication: Publication, unit: Unit, session: Session
) -> Iterator[str]:
    """The pseudonyms by whose rows fewer than k whom they stand for are alike."""
    if _shows_groups(publication):
        return  # its cells are the records' own: k is not asked of them
    rows = publication.relations[0]
    shown = [column for column in rows.columns if column.role == "quasi_identifier"]
    there = {"released": rows.relation, "classes": publication.view.classes}
    for name in spec.pseudonyms:
        repeats = spec.identifiers[name].repeats
        if repeats == bool(unit.columns):
            continue  # a row each; or what several units share, which ties no rows of one
        params = {"pseudonym": name, "published": shown}
        found = session.fetch("measure/alike_pseudonyms", there, params, 1).rows
        ((pseudonyms, repeated, fewest, alone),) = found
        if not repeated or fewest >= spec.privacy.k:
            continue
        if unit.columns:
            if alone:
                yield (
                    f"{alone:,} of {pseudonyms:,} {unit.several} are the only ones in their class "
                    f"with as many rows, which their pseudonym {name} shows: a reader who knows a "
                    f"{unit.noun}'s number of rows finds that {unit.noun}; leave the pseudonym out "
                    "if nobody needs it"
                )
            continue
        yield (
            f"a reader ties the rows of one pseudonym {name} together, and k is then {fewest:,}, "
            f"not {spec.privacy.k}: {alone:,} of {pseudonyms:,} pseudonyms have rows in classes as "
            f"no other has; if {name} names a person, copy it in a query (select *, {name} as who) "
            f"and say {counting_others().name}: who without repeats, or leave the pseudonym out"
        )


def _common_members(
    spec: Spec, view: AdversaryView, known: Mapping[str, SensitiveAttribute], session: Session
) -> Iterator[str]:
    """The lists read as one value of which a class tells a member, different as the lists are."""
    for name, several in spec.transforms.items():
        attribute = known.get(name)
        if attribute is None or view.units is not None or several[-1].transform.name != "members":
            continue
        there = {
            "classes": view.classes,
            "class_values": view.class_values[str(attribute.alias)],
            "positions": attribute.positions,
        }
        ((classes, records),) = session.fetch("measure/common_members", there, {}, 1).rows
        if classes:
            in_classes = f"{classes:,} {'class' if classes == 1 else 'classes'}"
            yield (
                f"all records of {in_classes} with {int(records):,} records have a member of "
                f"{name} in common, and l and t count lists, not members: for a row of each "
                f"member, read it by a query (select *, unnest({name}) as member) and name the "
                f"record as {counting_others().name}"
            )


def _given_back(spec: Spec, view: AdversaryView, unit: Unit, session: Session) -> Iterator[str]:
    """The sensitive columns that give a quasi-identifier back where it may be chance."""
    accepted = [name for name, attribute in spec.sensitive.items() if attribute.accept is not None]
    found = copies(view, Compared(unit.once, accepted, ()))
    if found is None:
        return
    ((records,),) = session.fetch("source/record_count", {"records": RECORDS}, {}, 1).rows
    if records > _MOST_COMPARED:
        return
    coding, domains_of = found.coding, found.domains
    session.create(coding)
    there = {name: found.inputs[name] for name in ("classes", "class_loss")}
    there["coded"] = coding.output
    pairs = found.params["pairs"]
    asked = {"held": found.params["held"], "pairs": pairs}
    (several,) = session.fetch("measure/followed", {"coded": coding.output}, asked, 1).rows
    for one in (pair for pair, count in zip(pairs, several, strict=True) if not count):
        domains = {f"domain_{name}": domains_of[str(one[name])] for name in ("held", "given")}
        params = {name: one[name] for name in ("held", "given", "in_order", "numbers")}
        rows = session.fetch("measure/follows", there | domains, params, 1).rows
        for (undone,) in rows:
            yield (
                f"a reader may take {one['names'][0]} from {one['names'][1]}, which gives it back "
                f"in every record and undoes its cells in {undone:,}; there are too few different "
                f"values to tell that from chance: leave {one['names'][1]} out, or coarsen it in "
                "the source"
            )
        if rows:
            continue
        others = [name for name in found.params["given"] if name != one["given"]]
        params = {"held": one["held"], "given": one["given"], "others": others}
        for (undone,) in session.fetch("measure/paired", there, params, 1).rows:
            yield (
                f"a reader may take {one['names'][0]} from {one['names'][1]}, which says it in "
                f"other words and undoes its cells in {undone:,} records: of the values that are "
                "there again, nearly all go with one another; leave "
                f"{one['names'][1]} out, or coarsen it in the source"
            )


def _jointly_certain(
    measurement: MeasurementPlan, publication: Publication, session: Session
) -> Iterator[str]:
    """The attributes that another one gives away within the classes, diverse as each is."""
    if _shows_groups(publication):
        return  # most show the values of a record apart
    of = {
        model.attribute.name: model.attribute for model in _declared(measurement) if model.attribute
    }
    known = [
        attribute
        for attribute in publication.view.sensitive
        if type(attribute) is SensitiveAttribute
    ]
    pairs = [
        (attribute, other)
        for other in of.values()
        for attribute in known
        if attribute.name != other.name
    ]
    pairs = [(one, other) for one, other in pairs if type(other) is SensitiveAttribute]
    if not pairs:
        return
    params = {
        "published": [column.alias for column in publication.view.shown],
        "pairs": [{"known": one.alias, "asked": other.alias} for one, other in pairs],
    }
    there = {"measured": MEASURED}
    found = session.fetch("measure/jointly_certain", there, params, len(pairs))
    if not any(records for _, _, records in found.rows):
        return
    ((every,),) = session.fetch("source/record_count", {"records": MEASURED}, {}, 1).rows
    learned: dict[str, list[str]] = {}
    for number, classes, records in found.rows:
        one, other = pairs[int(number) - 1]
        if records > _JOINTLY * every:
            in_classes = f"{classes:,} {'class' if classes == 1 else 'classes'}"
            of_them = f"{other.name} in {in_classes} with {int(records):,} records"
            learned.setdefault(one.name, []).append(of_them)
    for name, others in learned.items():
        yield (
            f"A reader who knows the {name} of a person learns {' and '.join(others)}: there each "
            f"value of {name} goes with a single other value, and l and t do not count with that "
            f"knowledge; coarsen {name}, or leave it out"
        )


def _shows_groups(publication: Publication) -> bool:
    """Whether every record's own quasi-identifiers are published, with the number of a group."""
    return any(column.role == "group" for column in publication.relations[0].columns)


def _several_times(spec: Spec, known: SourceInfo, unit: Unit, session: Session) -> Iterator[str]:
    """That every record is there several times, as in a table that was loaded twice.

    Whole records are read only where those of the declared columns alone are all there several
    times: that is rare.
    """
    if (
        any(not declaration.repeats for declaration in spec.identifiers.values())
        and not unit.columns
    ):
        return  # a value of each record's own
    declared = [Sql(alias) for alias in aliases(spec).values()]
    _, of_few = _times(RECORDS, declared, session, few=_FEW)
    if of_few == 1 or not _is_several_times(_times(RECORDS, declared, session)):
        return
    engine = session.engine
    with engine.reading(known.source) as found:
        columns = engine.columns(found)
    # PostgreSQL gets only those columns of a file or a frame that are read.
    sent = engine.dialect == "postgres" and not (spec.source.table or spec.source.query)
    unread = {column.name for column in columns} - spec.columns_read
    if any(column.kind == "other" for column in columns) or (sent and unread):
        return  # what cannot be compared may tell the records apart
    names = [identifier(column.name) for column in columns]
    times = _times(known.source, names, session)
    if _is_several_times(times):
        yield (
            f"every record of the source is there {times[1]} times, or a multiple of that, as if "
            f"it had been loaded {times[1]} times: then k {spec.privacy.k} is of fewer persons; "
            "read each record once, by a query with select distinct"
        )


def _empty_lines(spec: Spec, session: Session) -> Iterator[str]:
    """The records of a text file without any value, as of lines of delimiters alone."""
    if not spec.source.is_text:
        return
    params = {"columns": [Sql(alias) for alias in aliases(spec).values()]}
    ((records,),) = session.fetch("measure/empty_records", {"records": RECORDS}, params, 1).rows
    if records:
        yield (
            f"{records:,} {'record has' if records == 1 else 'records have'} no value in any "
            "declared column, as a line of delimiters alone has none, and "
            f"{'it counts' if records == 1 else 'they count'} as persons: leave such lines out of "
            "the file"
        )


def _times(
    records: Relation | Sql, columns: Sequence[Sql], session: Session, few: int | None = None
) -> tuple[int, int]:
    """How many different records there are, and how many times each is there at least.

    Of a few records, each counted in the whole table, where their number is given.
    """
    params = {"columns": list(columns), "most": _MOST_TIMES, "few": few}
    found = session.fetch("measure/multiples", {"records": records}, params, 1)
    ((different, times),) = found.rows
    return different, times


def _is_several_times(found: tuple[int, int]) -> bool:
    different, times = found
    return times > 1 and different >= _LEAST_DIFFERENT


def _declared(measurement: MeasurementPlan) -> Iterator[Asked]:
    """The models that were asked for, and not only measured."""
    for model in measurement.models:
        if isinstance(model, Asked) and model.demand.threshold is not None:
            yield model


def all_remarks(release: Recorded) -> tuple[str, ...]:
    """The remarks on a release that stands: those of its run, and on other releases of its source.

    Raises:
        EngineError: if the database fails.
    """
    kept: Sequence[str] = json.loads(release.facts.get(FACT, "[]"))
    return (*kept, *_of_one_source(release))


def _of_one_source(release: Recorded) -> Iterator[str]:
    """That other releases of the same source stand next to it, and nothing holds them together."""
    own = _source(release.spec, release.engine)
    if not any(own):
        return
    asked = release.spec["privacy"].get("differential")
    spent = {name for name, *_ in json.loads(release.facts.get(SPENT, "{}")).values()}
    names, adding = list[str](), list[str]()
    for relation, spec in _specs_beside(release.relation, release.engine):
        if _source(spec, release.engine) != own:
            continue
        if asked and spec["privacy"].get("differential"):
            adding += [str(relation)] if str(relation) not in spent else []
        elif not any(
            spec.get(clause.name) and release.spec.get(clause.name) for clause in following()
        ):
            names.append(str(relation))
    if names:
        cure = "" if asked else "".join(f", or {clause.how}" for clause in following())
        yield (
            f"{_are(names)} of the same source: a reader of both can intersect them, "
            f"and no model holds then; give readers one of them{cure}"
        )
    if adding:
        yield (
            f"{_are(adding)} of the same source: the ε and δ of all releases add up; name those of "
            "the same persons as privacy.differential.after"
        )


def _are(names: Sequence[str]) -> str:
    return f"{', '.join(names)} {'is another release' if len(names) == 1 else 'are other releases'}"


def _specs_beside(release: Relation, engine: Engine) -> Iterator[tuple[Relation, dict[str, Any]]]:
    """The other releases in the schema of one, each with its spec; those that may be read."""
    full = engine.qualified(release)
    runs = [
        relation
        for relation in engine.siblings(release, "__run")
        if relation.name != f"{full.name}__run"
    ]
    marked = [
        run
        for run, there in engine.standing(runs).items()
        if re.fullmatch(mark("[0-9a-f]{32}"), there.comment or "")
    ]
    made = {Relation(run.name.removesuffix("__run"), run.path): run for run in marked}
    for of in engine.standing(list(made)):
        run = made[of]
        if engine.lacking_to_read(run):
            continue
        text = f"select value from {engine.named(run)} where item = 'spec'"
        try:
            found = engine.fetch_portable(text, 1, "reading a run")
            if found.rows:
                yield Relation(of.name, release.path), json.loads(found.rows[0][0])
        except (EngineError, SpecError, ValueError):
            continue  # another run replaces it just now


def _source(spec: Mapping[str, Any], engine: Engine) -> tuple[str | None, ...]:
    """The source of a spec: a file, a table or a query; nothing where it is a frame."""
    source = spec["source"]
    table = source.get("table")
    if table is not None:
        try:
            table = str(engine.qualified(table_named(table, "source.table")))
        except (EngineError, SpecError):
            table = str(table)
    return source.get("file"), table, source.get("query")
