"""The calls that measure a table, and those that draft a spec for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, Unpack

from sqlanon.api.connected import Connected
from sqlanon.api.declared import Declared
from sqlanon.api.given import from_item, is_frame, read, spec_of
from sqlanon.clauses.recipe.file import hold_allotment
from sqlanon.errors import Problem, SpecError
from sqlanon.inputs.source import ReadAs
from sqlanon.judge.check import check as measured
from sqlanon.judge.check_result import CheckResult
from sqlanon.record.content import hold_table
from sqlanon.record.summary import summary_of
from sqlanon.source.suppressed import as_marks
from sqlanon.spec import Frame, Spec, parse_source, shown
from sqlanon.sql.names import Relation
from sqlanon.uses.certificates.certificate import Certificate, read_certificate
from sqlanon.uses.certificates.verify import Verified
from sqlanon.uses.certificates.verify import verify as hold
from sqlanon.uses.profile.first_spec import FirstSpec, draft_spec
from sqlanon.uses.profile.hierarchies import GROUPS, Suggested, suggest_hierarchy
from sqlanon.uses.profile.profile import Ask, Profile
from sqlanon.uses.profile.risk import Risks, Sample, risk_of
from sqlanon.uses.profile.table import profile_table
from sqlanon.uses.release.release import Release

_UNDECLARED = (
    "the table is no release of a run: give its quasi_identifiers and perhaps what is sensitive, "
    "or the spec that it is a release of"
)
_WITHOUT_ROLES = (
    "a release of a run has no suppressed records: leave it out, or give the quasi_identifiers or "
    "the spec of another tool's table"
)

_PERSONS = (
    "A released table names no persons, so the check counts records and holds no model against "
    "them. The run counted the persons: {metrics} has their k, l and t"
)


class Measuring(Connected):
    """The calls that look at a table, of any tool."""

    def profile(self, source: Any) -> Profile:
        """Describe a table before anything is declared: by counts, without showing a value.

        Args:
            source: the records: a file or glob, a table, view or query of the database, or a frame.

        Returns:
            Of each column its counts, likely role and the reason, and the columns it is tied to;
            the combinations that single most records out; whose records they are, if they repeat
            persons.

        Raises:
            SpecError: if the source cannot be read, or has no record.
            EngineError: if the database fails.

        Example:
            >>> db.profile("patients.csv").column("age").role.role  # doctest: +SKIP
            'quasi_identifier'
        """
        records = source if is_frame(source) else None
        named = Frame() if records is not None else parse_source(source)
        with (
            self._use() as engine,
            from_item(records, engine) as item,
            self._watching() as listener,
        ):
            return profile_table(named, engine, item, listener)

    def init(self, table: str, folder: str | Path = ".", *, ask: Ask | None = None) -> FirstSpec:
        """A first spec for a table, with guessed roles and comments, to be corrected.

        It rests on `profile`. It is for you alone: it holds the seed, and its hierarchies hold
        values of the data.

        Args:
            table: a file, or a table of the database.
            folder: where the spec will lie; the paths in it count from there.
            ask: a function that is given the three `Questions` which no guess can answer, and
                returns the `Answers`, or None if nobody is there to answer: then they are comments.

        Returns:
            The spec's text, the files of the hierarchies that it names, and what must be decided
            before it runs. Nothing is written.

        Raises:
            SpecError: if the table cannot be read, or has no record.
            EngineError: if the database fails.

        Example:
            >>> db.init("patients.csv").undecided  # doctest: +SKIP
            ''
        """
        name = shown(self._name) if self._name else None
        with self._use() as engine:
            return draft_spec(table, name, Path(folder), engine, self._watching, ask)

    def hierarchy(
        self, source: Any, column: str, *, k: int = 10, groups: int = GROUPS
    ) -> Suggested:
        """A first hierarchy for a column, to be read, edited and kept with the spec.

        Dates get periods, and codes are masked. Numbers are put in bands of about as many records
        each, whose borders are rounded. Text that fewer than ``k`` records share becomes one group.

        Args:
            source: the records, as for `profile`.
            column: the column's name.
            k: how many records make a text frequent.
            groups: in how many bands numbers are put at most; each level has half as many as the
                last.

        Returns:
            The hierarchy as a spec declares it, and the text of the file that it names, if any.

        Raises:
            SpecError: if the source cannot be read, has no such column, or nothing fits the
                column.
            EngineError: if the database fails.

        Example:
            >>> db.hierarchy("patients.csv", "age", groups=4).declared  # doctest: +SKIP
        """
        records = source if is_frame(source) else None
        named = Frame() if records is not None else parse_source(source)
        with (
            self._use() as engine,
            from_item(records, engine) as item,
            self._watching() as listener,
        ):
            return suggest_hierarchy(
                named,
                column=column,
                engine=engine,
                k=k,
                groups=groups,
                item=item,
                listener=listener,
            )

    def risk(
        self,
        table: Any,
        *,
        quasi_identifiers: Sequence[str],
        population: Any = None,
        fraction: Any = None,
        weight: str | None = None,
        household: str | None = None,
        person: str | None = None,
        known: int | None = None,
    ) -> Risks:
        """How many persons of a table are picked out by their quasi-identifiers, and by which.

        Args:
            table: the table, raw or released, as for `profile`.
            quasi_identifiers: its columns that others may know of a person.
            population: a table of the population with these columns, for the risks of those who
                may or may not be in the table.
            fraction: the share of the population that the table is a random sample of, such as
                0.01 or "1/100", for estimates of the same.
            weight: its column that says how many persons of the population each record stands for,
                for estimates of the same from a sample that was not drawn evenly.
            household: its column that says who lives together, for the risk that somebody of a
                household is picked out.
            person: its column that says whose item a record is, where the quasi-identifiers are
                those of an item: a basket, the diagnoses of a patient.
            known: how many items of a person others may know, from 1 to 3, by default 2.

        Returns:
            The figures, each with a sentence; the combinations of columns that single most records
            out; and with how few columns records are alone.

        Raises:
            SpecError: if a table cannot be read, lacks a column, or has no record.
            EngineError: if the database fails.

        Example:
            >>> found = db.risk("patients.csv", quasi_identifiers=["age"])  # doctest: +SKIP
            >>> found.value("unique_share")  # doctest: +SKIP
            0.2
        """
        frame = table if is_frame(table) else None
        people = population if is_frame(population) else None
        share = None
        if fraction is not None:
            try:
                share = Fraction(str(fraction))
            except (ValueError, ZeroDivisionError):
                raise SpecError("fraction: it must be a number such as 0.01, or 1/100") from None
        with (
            self._use() as engine,
            from_item(frame, engine) as item,
            from_item(people, engine) as people_item,
            self._watching() as listener,
        ):
            others = None
            if population is not None:
                others = Frame() if people is not None else parse_source(population)
            named = Frame() if frame is not None else parse_source(table)
            if frame is None:
                hold_table(named, engine)
            return risk_of(
                named,
                names=quasi_identifiers,
                engine=engine,
                item=item,
                population=others,
                population_item=people_item,
                sample=Sample(share, weight, household, person, known),
                listener=listener,
            )

    def check(
        self,
        table: Any,
        *,
        spec: Spec | str | Path | None = None,
        reference: Any = None,
        suppressed: str | Sequence[str] | None = None,
        **declared: Unpack[Declared],
    ) -> CheckResult:
        """Measure privacy models, and information loss where it can be known, on any table.

        Args:
            table: the table to measure, as for `profile`; also another tool's release. Or a
                release, or the name of one that a run made, with nothing declared: then the spec of
                its run counts.
            spec: the spec of the release that the table is; its cells are then read by the spec's
                hierarchies, the reference is the spec's source, and no record of it may be missing.
            reference: the table whose distribution t-closeness is measured against; by default the
                table itself, or the spec's source.
            suppressed: the marks that stand in every quasi-identifier of a record that another tool
                suppressed, such as ``"*"``; ``""`` stands for NULL as well. These records are
                counted apart, held against the limit of suppression, and are no class. Without it
                a remark says how many records look like that.
            **declared: without a spec: quasi_identifiers, sensitive, and what asks for the models.

        Returns:
            The metrics, and the models that were asked for and do not hold.

        Raises:
            SpecError: if what is declared does not fit the table.
            InfeasibleError: if the table has no records.
            EngineError: if the database fails.

        Example:
            >>> db.check("patients.csv", quasi_identifiers=["age"], k=5).passed  # doctest: +SKIP
            False
        """
        marks = as_marks(suppressed)
        if isinstance(table, Release):
            if spec is not None or declared or marks:
                raise SpecError("a release is given, which knows its spec: declare nothing")
            return self._check_run(table, reference)
        if spec is None and not declared and marks:
            raise SpecError(Problem("suppressed", _WITHOUT_ROLES))
        if spec is None and not declared and not is_frame(table):
            if parse_source(table).table is None:
                raise SpecError(_UNDECLARED)
            return self._check_run(table, reference)
        if spec is None:
            source: Any = table if reference is None else reference
            known, records = read(source, declared, k=1)
        else:
            known, records = read(spec, declared)
            records = reference if is_frame(reference) else records
            if reference is not None and not is_frame(reference):
                known = known.model_copy(update={"source": parse_source(reference)})
        frame = table if is_frame(table) else None
        named = Frame() if frame is not None else parse_source(table)
        if (frame is not None or named.file) and (records is not None or known.source.file):
            known = known.model_copy(update={"database": None})  # it would not be read
        with (
            self._use(known.database) as engine,
            from_item(records, engine, known.columns_read) as source_item,
            from_item(frame, engine, known.columns_read if spec is None else None) as table_item,
            self._watching() as listener,
        ):
            return measured(
                named,
                known,
                engine,
                generalized=spec is not None,
                listener=listener,
                table_item=table_item,
                source_item=source_item,
                source_name="source" if reference is None else "reference",
                conserved=spec is not None and reference is None,
                suppressed=marks,
            )

    def _check_run(self, release: Release | Relation | str, reference: Any) -> CheckResult:
        """Measure a release against the spec of its run."""
        frame = reference if is_frame(reference) else None
        with self._use() as engine:
            found = self._held(release, engine)
            hold_allotment(found)
            known = spec_of(found, reference)
            of_persons, conserved = bool(known.person), reference is None
            if of_persons:
                # A share of the persons may be left out, which is another of the records.
                conserved = conserved and known.allowance is None
                known = known.of_records()
            with from_item(frame, engine, known.columns_read) as item, self._watching() as listener:
                checked = measured(
                    parse_source(found.relation),
                    known,
                    engine,
                    generalized=True,
                    listener=listener,
                    source_item=item,
                    source_name="source" if reference is None else "reference",
                    conserved=conserved,
                )
            if not of_persons:
                return checked
            protected = summary_of(found.measures, (), (), counts="persons").protected
            said = _PERSONS.format(metrics=found.relation.sibling("metrics"))
            summary = replace(checked.summary, protected=protected)
            return replace(checked, summary=summary, remarks=(*checked.remarks, said))

    def verify(self, certificate: Certificate | str | Path, release: str | Path) -> Verified:
        """Whether a table is what a certificate is of, and has what it says was reached.

        Args:
            certificate: a release's certificate, or the file that holds it.
            release: the table: a CSV or Parquet file that was exported, or a table of the database.

        Returns:
            What is not as certified, what was confirmed, and what the table alone does not tell.

        Raises:
            SpecError: if the certificate is none, or there is no such table.
            EngineError: if the database fails.
        """
        known = certificate if isinstance(certificate, Certificate) else None
        known = known or read_certificate(Path(str(certificate)))
        with self._use() as engine:
            named = release if isinstance(release, ReadAs) else str(release)
            return hold(known, named, engine)
