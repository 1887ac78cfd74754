"""Whether a table is the one that a certificate is of, and has reached what it says."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from sqlanon.clauses import counting, leaving_out
from sqlanon.clauses.clause import Clause, Use
from sqlanon.engines import Engine
from sqlanon.engines.duckdb import exports
from sqlanon.errors import EngineError, Problem, SpecError
from sqlanon.inputs.source import COPIED, TEXT_SETTINGS, ReadAs
from sqlanon.judge.check import check
from sqlanon.pages.page import table
from sqlanon.privacy import MODELS
from sqlanon.privacy.model import LEVEL
from sqlanon.record.content import content_of
from sqlanon.record.metrics import Metric
from sqlanon.session import Session
from sqlanon.source.source import table_named
from sqlanon.spec import NUMBERS, TEXTS, Frame, Kind, parse_source
from sqlanon.spec.clauses import EXACT, MEASURED
from sqlanon.sql.names import Relation, Sql, identifier, quoted
from sqlanon.sql.templates import load_template
from sqlanon.uses.certificates.certificate import (
    Certificate,
    CertifiedColumn,
    CertifiedMeasure,
    CertifiedRelation,
    certified,
    check_sound,
    spec_of,
    with_certified_names,
)
from sqlanon.uses.certificates.export import beside_file, cells_of

_MODELS = {model.name: model for model in MODELS}
# How a file begins that a packer wrote.
_PACKED = {
    b"\x1f\x8b": "gzip",
    b"\x28\xb5\x2f\xfd": "zstd",
    b"BZh": "bzip2",
    b"PK\x03\x04": "zip",
    b"\xfd7zXZ\x00": "xz",
    b"\x04\x22\x4d\x18": "lz4",
    b"7z\xbc\xaf": "7-Zip",
}
# The settings of a source that say how a file is written, and not what its cells mean.
_OF_DIALECT = ("delimiter", "quote", "escape", "nullstr", "skip", "encoding")
_LONGEST = 8  # bytes that tell
_MOST_DIGITS = 38  # of a decimal
_NEARLY = 1e-8  # by which databases may differ in a logarithm
# What the types of a CSV file's columns are read as, by their kinds; all others are text.
_TYPES = {"integer": "hugeint", "number": "double", "date": "date", "timestamp": "timestamp"}


@dataclass(frozen=True, repr=False)
class Verified:
    """The outcome of holding a table against a certificate.

    Attributes:
        faults: what is not as it is certified; none if it all is.
        confirmed: the measures that were worked out again and are as certified.
        unknown: why each other measure cannot be worked out from the table alone, by its name.
        escaped: whether the table is a file whose text was escaped for spreadsheets.
    """

    faults: tuple[str, ...]
    confirmed: tuple[CertifiedMeasure, ...] = ()
    unknown: Mapping[str, str] = field(default_factory=dict)
    escaped: bool = False

    @property
    def passed(self) -> bool:
        """Whether the table is the certified one, as far as it alone can tell."""
        return not self.faults

    def __repr__(self) -> str:
        says = "passed" if self.passed else f"faults: {len(self.faults):,}"
        return f"Verified({says}, {len(self.confirmed)} measures confirmed)"

    def _repr_html_(self) -> str:
        rows = [("fault", fault) for fault in self.faults]
        rows += [
            ("confirmed", f"{measure.measure} {measure.attribute or ''}")
            for measure in self.confirmed
        ]
        rows += [("not known", f"{name}: {why}") for name, why in self.unknown.items()]
        return table(repr(self), ("", "what"), rows)


@dataclass(frozen=True)
class _Given:
    """A relation that is held against a certificate.

    Attributes:
        columns: the names of its columns.
        cells: the FROM item that reads its cells as they were certified.
        values: the one that reads values in their types.
        kinds: what the columns of a table hold, by name; a file is read as it was certified.
        as_text: the columns of numbers whose values are compared as text, for no type holds them.
    """

    columns: list[str]
    cells: Sql
    values: Sql
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    as_text: frozenset[str] = frozenset()


def verify(certificate: Certificate, table: str | Relation, engine: Engine) -> Verified:
    """Hold a published table against its certificate. Nothing is written.

    Args:
        certificate: as it was read.
        table: the release: a CSV or Parquet file that was exported, or a table of the database by
            its name. Relations that are published with it are looked for next to it.
        engine: where it is read.

    Raises:
        SpecError: if there is no such table, or no run can have come to the certificate.
        EngineError: if the database fails.
    """
    if certificate.digest != certificate.own_digest:
        what = "the certificate was changed after it was made: its digest is not of what it says"
        return Verified((what,))
    check_sound(certificate)
    escaped = False
    given, faults = _held(certificate, table, engine)
    if faults and isinstance(table, str) and table.lower().endswith(".csv"):
        as_escaped, others = _held(certificate, table, engine, escaped=True)
        if not others:  # it says the same, with a quote before what would be a formula
            escaped, given, faults = True, as_escaped, others
    if faults:
        return Verified(tuple(faults))
    found = {
        (metric.metric, metric.attribute): metric
        for metric in _measured(certificate, given, engine)
    }
    confirmed, unknown = [], {}
    for measure in certificate.measures:
        there = found.pop((measure.measure, measure.attribute), None)
        why, name = _unknown(measure, certificate, _texts(given)), measure.name
        if why is not None:
            unknown[name] = why
            continue
        anew = None if there is None else CertifiedMeasure.model_validate(certified(there))
        faults += _measure_faults(name, measure, anew)
        confirmed.append(measure)
    faults += [
        f"{_named(metric)}: it is asked for, and the certificate does not say what was reached"
        for metric in found.values()
        if metric.threshold is not None
    ]
    return Verified(tuple(faults), () if faults else tuple(confirmed), unknown, escaped)


def _held(
    certificate: Certificate, table: str | Relation, engine: Engine, escaped: bool = False
) -> tuple[dict[str, _Given], list[str]]:
    """The relations that are held against a certificate, and in what they are others."""
    given: dict[str, _Given] = {}
    faults: list[str] = []
    for relation in certificate.relations:
        with _reading(table, relation):
            given[relation.beside] = _given(table, relation, engine, escaped)
            faults += _content_faults(relation, given[relation.beside], engine)
    return given, faults


@contextmanager
def _reading(table: str | Relation, relation: CertifiedRelation) -> Iterator[None]:
    """A file that cannot be read is the wrong file; it is no failure of the database."""
    try:
        yield
    except EngineError as error:
        lacking = "out of memory" in str(error).lower() or "no space left" in str(error).lower()
        if lacking or not isinstance(table, str) or not is_exported(table):
            raise
        line = re.search(r"\(\w+: (line \d+[^()]*)\)", str(error))
        raise _unreadable(
            beside_file(Path(table), relation.beside), line[1] if line else str(error)
        ) from None


def _unreadable(file: Path, why: str) -> SpecError:
    kind = "Parquet" if exports.is_parquet(file) else "CSV"
    what = f"{str(file)!r} is not {kind} as sqlanon export writes it: {why}"
    return SpecError(Problem("release", what))


def _given(
    table: str | Relation, relation: CertifiedRelation, engine: Engine, escaped: bool
) -> _Given:
    if isinstance(table, str) and is_exported(table):
        file = beside_file(Path(table), relation.beside)
        if not file.is_file():
            raise SpecError(Problem("release", f"there is no file {str(file)!r}"))
        dialect = _dialect(table)
        _check_packed(file, coded=isinstance(table, ReadAs) and "encoding" in table.settings)
        if exports.is_parquet(file):
            item = cells_of(file, [])
            there = engine.columns(item)
            texts = [column.name for column in there if column.kind in TEXTS]
            types = _types(relation, texts, item, engine)
            values, names = _typed(item, types), [column.name for column in there]
            return _Given(names, item, values, as_text=_as_text(relation, types))
        names = _header(file, dialect)
        if escaped:
            names = [exports.unescape_formula(name) for name in names]
        cells = cells_of(file, names, escaped, dialect)
        types = _types(relation, names, cells, engine)
        read = {name: types.get(name, "varchar") for name in names}
        if escaped:
            casts = ", ".join(
                f"cast({identifier(name)} as {kind}) as {identifier(name)}"
                for name, kind in read.items()
            )
            values = Sql(f"(select {casts} from {cells})")
        else:
            values = exports.exported_item(file, read, dialect=dialect)
        return _Given(names, cells, values, as_text=_as_text(relation, types))
    named = table_named(table, "release") if isinstance(table, str) else table
    sibling = named.sibling(relation.beside) if relation.beside else named
    if engine.kind_of(sibling) is None:
        raise SpecError(Problem("release", f"there is no table or view {str(sibling)!r}"))
    item = quoted(engine.qualified(sibling), engine.dialect)
    kinds = {column.name: column.kind for column in engine.columns(item)}
    return _Given(list(kinds), item, item, kinds)


def _typed(item: Sql, types: Mapping[str, str]) -> Sql:
    """A Parquet file with what it holds as text, because Parquet lacks the type, in such a type."""
    casts = ", ".join(
        f"cast({identifier(name)} as {kind}) as {identifier(name)}"
        for name, kind in types.items()
        if kind != "varchar"
    )
    return Sql(f"(select * replace ({casts}) from {item})") if casts else item


def is_exported(table: str) -> bool:
    """Whether a release is named by a file."""
    return table.lower().endswith((".csv", ".parquet"))


def _dialect(table: str) -> exports.Dialect:
    """How a text file is written that a table is named by.

    Raises:
        SpecError: if that is said by a setting that would change what the cells say.
    """
    if not isinstance(table, ReadAs):
        return exports.AS_EXPORTED
    said = parse_source(table)
    other = [
        setting
        for setting in TEXT_SETTINGS
        if getattr(said, setting) and setting not in _OF_DIALECT
    ]
    other += ["encoding"] if said.encoding in COPIED else []
    if other:
        why = "its cells are held as they were written, of a file in utf-8, utf-16 or latin-1"
        raise SpecError(Problem(f"release.{other[0]}", f"{why}: leave it out"))
    given = {name: getattr(said, name) for name in _OF_DIALECT if getattr(said, name)}
    return replace(exports.AS_EXPORTED, **given)


def _check_packed(file: Path, coded: bool) -> None:
    """Refuse a file that is packed, or is no text of its encoding, by how it begins.

    Args:
        file: the file.
        coded: whether its encoding is said.
    """
    try:
        with file.open("rb") as opened:
            begins = opened.read(_LONGEST)
    except OSError as error:
        raise _unreadable(file, str(error.strerror)) from None
    for magic, name in _PACKED.items():
        if begins.startswith(magic):
            raise _unreadable(file, f"it is compressed by {name}: unpack it")
    if not exports.is_parquet(file) and begins.startswith(b"PAR1"):
        raise _unreadable(file, "it is Parquet: let its name end in .parquet")
    if not coded and not exports.is_parquet(file) and begins.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise _unreadable(file, "it is encoded in UTF-16, and not in UTF-8")


def _header(file: Path, dialect: exports.Dialect) -> list[str]:
    marked = "utf-8-sig" if dialect.encoding == "utf-8" else dialect.encoding  # as Excel saves it
    try:
        with file.open(encoding=marked, newline="") as opened:
            for _ in range(dialect.skip):
                next(opened, "")
            reader = csv.reader(
                opened,
                delimiter=dialect.delimiter,
                quotechar=dialect.quote,
                escapechar=dialect.escape,
                doublequote=dialect.escape in (None, dialect.quote),
            )
            names = next(reader, [])
    except UnicodeError:
        raise _unreadable(file, f"it is not encoded in {dialect.encoding.upper()}") from None
    except csv.Error:
        raise _unreadable(file, "its first line does not name its columns") from None
    except OSError as error:
        raise _unreadable(file, str(error.strerror)) from None
    if any("\0" in name for name in names):
        raise _unreadable(file, "line 1 holds a NUL")
    if len({name.lower() for name in names}) < len(names) or not all(names):
        what = f"the first line of {str(file)!r} does not name its columns, each once"
        raise SpecError(Problem("release", what))
    return names


def _types(
    relation: CertifiedRelation, names: Sequence[str], cells: Sql, engine: Engine
) -> dict[str, str]:
    """The types that the columns of a file are read as which it holds as text.

    Args:
        relation: what is certified.
        names: these columns.
        cells: the FROM item that reads their cells as text.
        engine: where it is read.
    """
    types = {}
    for column in relation.columns:
        if column.name in names:
            kind = _type(column)
            unknown = kind is None and column.role == "sensitive"
            types[column.name] = (
                _holding(column.name, cells, engine) if unknown else kind
            ) or "varchar"
    return types


def _as_text(relation: CertifiedRelation, types: Mapping[str, str]) -> frozenset[str]:
    texts = (column.name for column in relation.columns if column.kind in NUMBERS)
    return frozenset(name for name in texts if types.get(name) == "varchar")


def _type(column: CertifiedColumn) -> str | None:
    """The type that a column's text is read as; None where only its values tell."""
    if column.kind == "decimal" or (column.kind == "integer" and "(" in column.type):
        digits = re.search(r"\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)", column.type)
        if digits is None or not max(1, int(digits[2] or 0)) <= int(digits[1]) <= _MOST_DIGITS:
            return None
        return f"decimal({digits[1]}, {digits[2] or 0})"
    return "boolean" if column.kind == "boolean" else _TYPES.get(column.kind, "varchar")


def _holding(name: str, cells: Sql, engine: Engine) -> str | None:
    """The decimals that all numbers of a column are, as PostgreSQL's numeric; None if none are."""
    fetched = Session(engine).fetch("certificate/digits", {"released": cells}, {"column": name}, 1)
    whole, behind, others, texts, numbers = map(int, fetched.rows[0])
    if others or texts != numbers or whole + behind > _MOST_DIGITS:
        return None
    return f"decimal({_MOST_DIGITS}, {behind})"


def _content_faults(relation: CertifiedRelation, given: _Given, engine: Engine) -> Iterator[str]:
    about = f" of {relation.beside}" if relation.beside else ""
    names = [column.name for column in relation.columns]
    lacking = [name for name in names if name not in given.columns]
    further = [name for name in given.columns if name not in names]
    yield from (f"the column {name!r}{about} is certified, and missing" for name in lacking)
    if further:  # unnamed: the first line of a text file may be a record
        yield f"{len(further)} more columns{about} than were certified"
    if lacking or further:
        return
    other = [
        column
        for column in relation.columns
        if column.name in given.kinds and _family(given.kinds[column.name]) != _family(column.kind)
    ]
    records, content = content_of(given.cells, names, engine)
    if records != relation.records:
        yield f"there are {records:,} records{about}, and {relation.records:,} are certified"
    elif content != relation.content:
        yield from (_other_kind(column, given, about) for column in other)
        yield (
            f"the {records:,} records{about} are not those that were certified: at least one cell "
            "was changed"
        )
    else:  # the same text, but values that are measured are of another kind
        yield from (
            _other_kind(column, given, about) for column in other if column.role == "sensitive"
        )


def _other_kind(column: CertifiedColumn, given: _Given, about: str) -> str:
    there = given.kinds[column.name]
    return f"the column {column.name!r}{about} is {there} here, and {column.kind} is certified"


def _family(kind: Kind) -> int:
    """By what the values of a kind are compared."""
    families: tuple[tuple[Kind, ...], ...] = (NUMBERS, TEXTS, ("date", "timestamp"), ("boolean",))
    return next((index for index, family in enumerate(families) if kind in family), len(families))


def _measured(
    certificate: Certificate, given: Mapping[str, _Given], engine: Engine
) -> tuple[Metric, ...]:
    """The measures of the table, worked out from it alone."""
    columns = [column for relation in certificate.relations for column in relation.columns]
    shown = [column.name for column in columns if column.role == "quasi_identifier"]
    sensitive, privacy = certificate.sensitive, certificate.privacy
    if certificate.counts != "records":
        sensitive, privacy = {}, {}
    item, texts = given[""].values, _texts(given)
    if certificate.shows_exact:
        shown = [next(column.name for column in columns if column.role == "group")]
        item = _tied(certificate, given, engine)
    declared = {
        "source": Frame(),
        "release": "certified",
        "quasi_identifiers": shown,
        "sensitive": {
            name: _measurable(attribute, name in texts) for name, attribute in sensitive.items()
        },
        "privacy": {"k": 1} | _of_values(privacy),
        "method": "stack_and_deal",  # it takes any model; no class is formed here
    }
    try:
        spec = spec_of(declared)
    except SpecError as error:
        problems = [
            Problem(f"certificate.{problem.where}", problem.what) for problem in error.problems
        ]
        raise SpecError(problems) from None
    found = check(
        Frame(), spec, engine, generalized=False, table_item=item, source_item=item
    ).measures
    return with_certified_names(found, privacy, spec)


def _tied(certificate: Certificate, given: Mapping[str, _Given], engine: Engine) -> Sql:
    """The FROM item of groups and values, a row for each record."""
    if len(certificate.relations) == 1:
        return given[""].values
    (apart,) = (relation for relation in certificate.relations if relation.beside)
    group, *_ = (column.name for column in apart.columns if column.role == "group")
    count = [column.name for column in apart.columns if column.role == "group"][-1]
    params = {
        "group": group,
        "count": count,
        "sensitive": [column.name for column in apart.columns if column.role == "sensitive"],
    }
    read = {"released": given[""].values, "values_apart": given[apart.beside].values}
    select = load_template("certificate/tied", engine.dialect).render(read, params)
    return Sql(f"(\n{select}\n)")


def _texts(given: Mapping[str, _Given]) -> frozenset[str]:
    return frozenset[str]().union(*(one.as_text for one in given.values()))


def _measurable(sensitive: Mapping[str, object], as_text: bool) -> dict[str, object]:
    """The demands on an attribute, where its hierarchy or its distance is not at hand."""
    if sensitive.get("distance") != "hierarchical" and not as_text:
        return dict(sensitive)
    unknown = ("distance", "order", "t")
    known = {name: attribute for name, attribute in sensitive.items() if name not in unknown}
    return _of_values(known)


def _of_values(asked: Mapping[str, object]) -> dict[str, object]:
    """The demands on values, without those on groups of a hierarchy."""
    forms = {str(model.form) for model in MODELS if model.with_level}
    found = dict(asked)
    for name, value in asked.items():
        if isinstance(value, Mapping) and value.get(LEVEL) is not None:
            kept = {form: of for form, of in value.items() if form not in {LEVEL, *forms}}
            found[name] = kept or None
    return {name: value for name, value in found.items() if value is not None}


def _unknown(
    measure: CertifiedMeasure, certificate: Certificate, as_text: frozenset[str]
) -> str | None:
    """Why a measure cannot be worked out from the table alone; None if it can."""
    clause = next(_clauses(measure, certificate), None)
    if clause is not None:
        return clause.refused[Use.VERIFY]
    model = _MODELS.get(measure.measure)
    distance = certificate.sensitive.get(measure.attribute or "", {}).get("distance")
    if model is not None and model.with_level:
        return "it counts groups of a hierarchy, which is not certified"
    if model is not None and model.by_distance and distance == "hierarchical":
        return "its distance is measured along a hierarchy, which is not certified"
    if model is not None and model.by_distance and measure.attribute in as_text:
        return "no type of DuckDB holds its numbers as they are written, which have an order"
    return None


def _clauses(measure: CertifiedMeasure, certificate: Certificate) -> Iterator[Clause]:
    """The clauses of the release's spec because of which a table does not tell a measure."""
    model, of_rows = _MODELS.get(measure.measure), measure.measure in ("k_anonymity", "classes")
    if of_rows and certificate.shows_exact:
        yield EXACT
    if model is None:
        return
    units = counting(certificate.counts)
    if units is not None:
        yield units
    if model.per in MEASURED:
        yield MEASURED[model.per]
    if measure.attribute is not None and certificate.suppressed and "positions" in model.reads:
        yield leaving_out()


def _measure_faults(
    name: str, measure: CertifiedMeasure, there: CertifiedMeasure | None
) -> Iterator[str]:
    if there is None:
        yield f"{name}: the table has no such measure"
        return
    if measure.asked != there.asked:
        certified = f"{measure.asked} is certified as asked for"
        yield f"{name}: {certified}, and the thresholds say {there.asked}"
    reached, certain = there.reached, measure.reached
    equal = reached == certain or (
        reached is not None
        and certain is not None
        and abs(reached - certain) <= _NEARLY * max(abs(reached), abs(certain))
    )
    if not equal:
        yield f"{name}: {certain} is certified, and the table has {reached}"
    if there.holds is False or measure.holds is False:
        yield f"{name}: it does not hold; asked for {there.asked}, reached {reached}"
    elif measure.holds != there.holds:
        yield f"{name}: whether it holds is not as certified"


def _named(metric: Metric) -> str:
    return metric.metric if metric.attribute is None else f"{metric.metric} of {metric.attribute}"
