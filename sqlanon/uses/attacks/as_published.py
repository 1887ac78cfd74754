"""A release as its readers have it, ours or another tool's: what is attacked and compared."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlanon.clauses.clause import Use
from sqlanon.clauses.slices.publication import PAIRS
from sqlanon.domains.domain import attribute_steps
from sqlanon.engines import Engine
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.forms import FORMS, form_called, form_of, names_in
from sqlanon.forms.label import Level
from sqlanon.measure.insensitive import Released
from sqlanon.measure.view import MEASURED, AdversaryView, Tied, joined_view, table_view
from sqlanon.plan import Check, Materialization, Plan, Step, work
from sqlanon.publish import groups_of
from sqlanon.publish.groups import COUNT, GROUP, OfGroups
from sqlanon.record.dictionary import OR_SUPPRESSED
from sqlanon.record.recorded import Recorded, needs_records
from sqlanon.session import Session
from sqlanon.source.attributes import sensitive_attributes
from sqlanon.source.source import RECORDS, aliases, inspect_source, lacking
from sqlanon.source.source_info import check_steady
from sqlanon.source.suppressed import SuppressedRows
from sqlanon.spec import (
    Column,
    QuasiIdentifier,
    Source,
    Spec,
    check_columns,
    parse_spec,
    shown_columns,
    with_distances,
)
from sqlanon.spec.clauses import as_settled
from sqlanon.spec.columns import transforms_in_words
from sqlanon.spec.levels import as_shown, shows_stars
from sqlanon.spec.publication import FormRule
from sqlanon.spec.refusals import refuse
from sqlanon.sql.names import Relation, Sql
from sqlanon.uses.attacks.findings import Findings

EXACT = "exact"  # a cell that is a value, and no form of several
STARRED = "starred"  # a cell that is a value or its label at a level, or suppressed
_AS_THEY_ARE = {
    EXACT: FormRule(EXACT, "taken", measurable=False, shows="value"),
    STARRED: FormRule(STARRED, "taken", measurable=False, shows="label"),
}
# The keys of a run's spec that say how its cells read; the rest may name what is gone by now.
_READ = ("release", "quasi_identifiers", "sensitive", "privacy", "method", "publish", "levels")


@dataclass(frozen=True)
class ShownCell:
    """How a quasi-identifier is shown.

    Attributes:
        name: its name in the source, and in an external table.
        form: the name of its form; exact for a value as it is, starred for one that is suppressed
            in some records.
        columns: the published columns that stand for it: one, or two bounds.
        declared: what the spec says of it, for its hierarchy; None where there is no spec.
        starred: whether every cell is its value, or suppressed.
        level: the level of the hierarchy that groups show of every record; 0 is the value.
        masked: the level that they show where it is suppressed; 0 for none, but *.
    """

    name: str
    form: str
    columns: tuple[Column, ...]
    declared: QuasiIdentifier | None
    starred: bool = False
    level: int = 0
    masked: int = 0

    @property
    def rule(self) -> FormRule:
        """The rule of its form: what its cells show."""
        return _AS_THEY_ARE.get(self.form) or FORMS[self.form].rule

    @property
    def covers(self) -> bool:
        """Whether it says which values its records may have; a centroid does not."""
        return self.form in _AS_THEY_ARE or self.rule.covers


@dataclass(frozen=True)
class AsPublished:
    """A release as its readers have it.

    Attributes:
        name: its name.
        rows: the FROM item with the quasi-identifiers.
        values: that with the sensitive values: the same, but where these stand apart.
        cells: the quasi-identifiers, in the spec's order.
        spec: the roles and hierarchies.
        sensitive: the columns of the sensitive attributes, as published.
        groups: how exact rows are tied to values, where groups do; else None.
        method: what formed the classes; None if that is not known.
        insensitive: the columns that are published as they are.
        transformed: the names of those whose values are not the source's any more.
        of_persons: whether several records may be of one person, so that its run counted these.
        counted: then the classes as the run measured them, for the publisher; None where they are
            gone, or are not those of a reader who knows more.
        suppressed: of another tool's table, the records with a mark in every quasi-identifier.
    """

    name: str
    rows: Relation | Sql
    values: Relation | Sql
    cells: tuple[ShownCell, ...]
    spec: Spec
    sensitive: tuple[Column, ...]
    groups: OfGroups | None = None
    method: str | None = None
    insensitive: tuple[Column, ...] = ()
    transformed: frozenset[str] = frozenset()
    of_persons: bool = False
    counted: Relation | None = None
    suppressed: SuppressedRows | None = None

    @property
    def comparable(self) -> tuple[Column, ...]:
        """The insensitive columns whose values can be compared with those of another table."""
        return tuple(
            column
            for column in self.insensitive
            if column.kind != "other" and column.name not in self.transformed
        )

    @property
    def slices(self) -> tuple[tuple[str, ...], ...]:
        """The names of what stays together of every record, where rows are of no single one."""
        return self.spec.slices if self.groups is not None else ()

    @property
    def beside(self) -> tuple[str, ...]:
        """The quasi-identifiers that stay together with the sensitive values in a slice."""
        with_values = [names for names in self.slices if set(names) & set(self.spec.sensitive)]
        return tuple(
            name for names in with_values for name in names if name not in self.spec.sensitive
        )

    @property
    def last_first(self) -> bool:
        """Whether a suppressed cell has suppressed ones behind it, and not before it."""
        return self.spec.suppresses_cells == PAIRS

    @property
    def suppresses_cells(self) -> bool:
        """Whether cells of some records are suppressed, and may stand for any value."""
        return any(cell.form == STARRED for cell in self.cells)

    def known_with(self, names: Collection[str], values: bool = False) -> AsPublished:
        """The same for a reader who knows some insensitive columns of persons as well.

        Args:
            names: what is known.
            values: whether sensitive values may be, where they are in a slice.
        """
        told = self.sensitive if values and self.slices else ()
        more = [column for column in (*self.comparable, *told) if column.name in names]
        cells = tuple(ShownCell(column.name, EXACT, (column,), None) for column in more)
        return replace(self, cells=(*self.cells, *cells), counted=None) if more else self

    @property
    def apart(self) -> bool:
        """Whether the sensitive values stand apart, with how often each group has them."""
        return self.groups is not None and self.groups.apart


def of_release(found: Recorded) -> AsPublished:
    """A release that a run recorded, as it published it. The source is not read.

    Raises:
        SpecError: if a column of it is gone, or the run's spec cannot be read any more.
    """
    needs_records(found)
    known = found.readable_spec
    declared = {name: value for name, value in known.items() if name in _READ}
    roles = {*declared["quasi_identifiers"], *declared.get("sensitive", {})}
    codes = known.get("missing", {}).items()  # which mean NULL in another table as well
    declared["missing"] = {name: several for name, several in codes if name in roles}
    for settings in declared.get("sensitive", {}).values():
        settings.pop("transform", None)  # what is published is transformed already
    declared["privacy"] = {**declared["privacy"], "differential": None}  # it is sampled already
    declared = as_settled(declared, found.facts)
    spec = parse_spec({**declared, "source": {"table": "source"}})
    groups = groups_of(spec)
    there, classes = found.columns_there(found.relation), found.relation.sibling("classes")
    besides = list(found.relations)
    apart = found.named(besides[-1]) if groups is not None and groups.apart else found.relation
    values = there if apart == found.relation else found.columns_there(apart)
    rows, tied = found.engine.item(found.relation), found.engine.item(apart)
    forms = {
        column.name: column.form for column in found.columns if column.role == "quasi_identifier"
    }
    cells = []
    for name, asked in spec.quasi_identifiers.items():
        shown = names_in(name, forms)
        meaning = forms[shown[0]]
        if groups is None:
            form, asked = form_called(meaning).name, as_shown(spec, name)
        else:
            form = Level.rule.name if name in spec.coarse else EXACT
            form = STARRED if meaning == OR_SUPPRESSED else form
        starred = form == STARRED or shows_stars(spec)
        cells.append(
            ShownCell(
                name=name,
                form=form,
                columns=tuple(there[name] for name in shown),
                declared=asked,
                starred=starred,
                level=spec.coarse.get(name, 0),
                masked=spec.masked.get(name, 0),
            )
        )
    return AsPublished(
        name=str(found.relation),
        rows=rows,
        values=tied,
        cells=tuple(cells),
        spec=spec,
        sensitive=tuple(values[name] for name in spec.sensitive),
        groups=groups,
        method=spec.method.name,
        insensitive=tuple(
            there[column.name]
            for column in found.columns
            if column.role == "insensitive" and not column.beside
        ),
        transformed=frozenset(found.transforms),
        of_persons=bool(found.spec.get("person")),
        counted=classes if found.engine.kind_of(classes) else None,
    )


def of_table(
    table: Source,
    spec: Spec,
    engine: Engine,
    generalized: bool,
    table_item: Sql | None = None,
    suppressed: Sequence[str] = (),
) -> AsPublished:
    """Any table of the roles that a spec gives.

    Args:
        table: the table.
        spec: the roles of its columns.
        engine: where it is.
        generalized: whether its cells are to be read in the spec's forms, which the types of the
            spec's source decide; else they are values as they are.
        table_item: a FROM item in place of ``table``.
        suppressed: the marks that its suppressed records have in every quasi-identifier; these
            records are left out once an attack has counted them.

    Raises:
        SpecError: if it lacks a column, or the spec does not fit its source.
    """
    refuse(spec, Use.ATTACK_TABLE)
    needed = None if generalized else spec.columns_read
    item, given = inspect_source(table, engine, "table", table_item, needed=needed)
    check_steady(spec, engine)
    there = {column.name: column for column in given}
    if generalized:
        _, read = inspect_source(spec.source, engine, needed=spec.columns_read)
        plain = spec.without_pseudonyms()
        cells = _generalized(plain, shown_columns(plain, check_columns(plain, read)))
    else:
        cells = [(name, EXACT, (name,), None) for name in spec.quasi_identifiers]
    wanted = [column for cell in cells for column in cell[2]]
    problems = lacking([*wanted, *spec.sensitive], table, there, "table")
    if problems:
        raise SpecError(problems)
    spec = with_distances(spec, there)
    rows = SuppressedRows(item, given, wanted, tuple(suppressed))
    return AsPublished(
        name=table.name,
        rows=rows.rest,
        values=rows.rest,
        cells=tuple(
            ShownCell(
                name,
                form,
                tuple(there[column] for column in columns),
                declared,
                generalized and shows_stars(spec),
            )
            for name, form, columns, declared in cells
        ),
        spec=spec,
        sensitive=tuple(there[name] for name in spec.sensitive),
        insensitive=tuple(there[name] for name in spec.insensitive if name in there),
        transformed=frozenset(transforms_in_words(spec)),
        suppressed=rows,
    )


def _generalized(
    spec: Spec, columns: Mapping[str, Column]
) -> list[tuple[str, str, tuple[str, ...], QuasiIdentifier | None]]:
    """The name, form and columns of every quasi-identifier as a run of the spec would show it."""
    found: list[tuple[str, str, tuple[str, ...], QuasiIdentifier | None]] = []
    short = aliases(spec)
    for name in spec.quasi_identifiers:
        declared = as_shown(spec, name)
        attribute, _ = attribute_steps(short[name], columns[name], declared, RECORDS)
        form = form_of(attribute)
        shown = tuple(column.name for column in form.columns(attribute, 0))
        found.append((name, form.name, shown, declared))
    return found


_TUPLES = work("published_tuples")


@dataclass(frozen=True)
class Target:
    """A release under attack, what is known of persons, and where the findings go.

    Attributes:
        session: carries steps out where the release is.
        published: the release, as its readers have it.
        cells: the quasi-identifiers that are known of the persons.
        findings: the attack writes its findings here.
        keep: the release with which the findings about every class and person are kept; None where
            nothing is kept.
    """

    session: Session
    published: AsPublished
    cells: Sequence[ShownCell]
    findings: Findings
    keep: Relation | None = None


def view_of(target: Target) -> AdversaryView:
    """Lay out what a reader can tie together.

    Raises:
        InfeasibleError: if the release has no records.
    """
    found, session = target.published, target.session
    columns = {column.name: column for column in found.sensitive}
    short = aliases(found.spec)
    read = [
        {"name": name, "alias": Sql(short[name]), "kind": column.kind, "codes": (), "tie": None}
        for name, column in columns.items()
    ]
    steps: list[Step | Check] = []
    if columns:
        steps.append(
            Step(
                "the sensitive values",
                RECORDS,
                "source/records",
                {"source": found.values},
                {"columns": read},
                Materialization.WORK_VIEW,
            )
        )
    sensitive, made = sensitive_attributes(found.spec, columns, short)
    shown = [
        Released(Sql(f"p{number}"), one.name, one.kind)
        for number, one in enumerate((column for cell in found.cells for column in cell.columns), 1)
    ]
    if found.groups is None:
        view = table_view(found.rows, shown, sensitive)
    else:
        weight = COUNT if found.groups.apart else None
        tied = Tied(found.rows, found.values, GROUP, weight)
        within = [column for column in shown if column.name in found.beside]
        view = joined_view(tied, shown, sensitive, within=within)
    # That no other record equals one is measured by the run, and needs no column but these.
    steps += [
        step
        for step in (*made, *view.steps)
        if isinstance(step, Check) or step.output != view.unique_records
    ]
    session.run(Plan(tuple(steps)))
    classes = session.engine.named(view.classes)
    counted = session.engine.fetch_portable(
        f"select count(*) from {classes}", 1, "counting the classes"
    )
    if not counted.rows[0][0]:
        raise InfeasibleError(f"{found.name!r} has no records: there is nothing to attack")
    return view


def tuples_of(target: Target, view: AdversaryView) -> tuple[Relation, Sql, dict[str, list[Sql]]]:
    """The published tuples, the column that names their class, and what shows each cell."""
    shown: dict[str, list[Sql]] = {}
    for cell in target.published.cells:
        taken = sum(map(len, shown.values()))
        shown[cell.name] = [Sql(f"p{taken + n}") for n, _ in enumerate(cell.columns, 1)]
    if view.tuples is None:
        return view.classes, Sql("class_id"), shown
    columns = [column for cell in target.cells for column in shown[cell.name]]
    step = Step(
        "the rows of every group that look alike",
        _TUPLES,
        "measure/classes",
        {"measured": MEASURED},
        {"published": (Sql("p0"), *columns)},
    )
    target.session.run(Plan((step,)))
    return _TUPLES, Sql("p0"), shown
