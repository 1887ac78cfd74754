"""The calls that read a release: attacks on it, its utility, and the files to hand out with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlanon.api import given
from sqlanon.api.connected import Connected
from sqlanon.clauses.recipe.file import RecipeFile, recipe_of
from sqlanon.errors import Problem, SpecError
from sqlanon.pages.page import Section
from sqlanon.record.recorded import Recorded
from sqlanon.source.suppressed import as_marks
from sqlanon.spec import Frame, Spec, parse_queries, parse_source
from sqlanon.sql.names import Relation, Sql
from sqlanon.uses.attacks.against import Given
from sqlanon.uses.attacks.attack import attack as attack_published
from sqlanon.uses.attacks.findings import Attacked
from sqlanon.uses.certificates.certificate import Certificate
from sqlanon.uses.certificates.certify import certify
from sqlanon.uses.certificates.export import check_escapable, check_file, check_target
from sqlanon.uses.certificates.export import export as write_files
from sqlanon.uses.profile.beside import sections_beside
from sqlanon.uses.release.release import Release
from sqlanon.uses.reports.nodes import Nodes, kept_nodes, with_measured_k
from sqlanon.uses.reports.report import REPORT_ENDINGS
from sqlanon.uses.reports.report import report as write_report
from sqlanon.uses.utilities.useful import Utility
from sqlanon.uses.utilities.utility import QUERIES
from sqlanon.uses.utilities.utility import utility as utility_of


class Reading(Connected):
    """The calls that read a release."""

    def attack(
        self,
        release: Any,
        *,
        external: Any = None,
        source: Any = None,
        background: Any = None,
        on: Sequence[str] | None = None,
        keep: bool = False,
        spec: Spec | str | Path | None = None,
        quasi_identifiers: Sequence[str] | None = None,
        sensitive: Sequence[str] | Mapping[str, Any] | None = None,
        suppressed: str | Sequence[str] | None = None,
    ) -> Attacked:
        """Attack a release as a reader of it could, and count what is found out.

        Args:
            release: a release, or the name of one that a run made; or any table, as for `run`,
                with a spec or with the roles of its columns.
            external: a table of persons whose quasi-identifiers are known, under the source's
                names; the source itself is the worst of them. Without it nobody is linked.
            source: what a release of groups was made of, to tell of its records in how many groups
                they may be, and which of the tuples that groups allow are nobody's.
            background: what a reader knows of persons beforehand: a table with quasi-identifiers,
                a sensitive attribute, and ``probability``, a row for each tuple and value.
            on: what an external table tells: quasi-identifiers, all of them by default, and
                insensitive columns; of slices, with ``source`` alone, sensitive columns as well.
            keep: whether ``<release>__attacked`` and ``<release>__linked`` are written, with what
                was found of every class and person: for the publisher, and for nobody else.
            spec: the spec that the table is a release of, whose forms its cells are read in.
            quasi_identifiers: those of a table without a spec, whose cells are values as they are.
            sensitive: the sensitive attributes of a table without a spec, as in one.
            suppressed: the marks of the records that another tool suppressed, as for `check`: they
                are counted, and no class.

        Returns:
            The figures, each with a sentence; and what could not be computed, and why.

        Raises:
            SpecError: if there is no such release, or a table that is given does not fit it.
            InfeasibleError: if the release has no records.
            EngineError: if the database fails.

        Example:
            >>> found = db.attack("patients_public", external="voters.csv")  # doctest: +SKIP
            >>> found.value("linking_smallest_group")  # doctest: +SKIP
            10.0
        """
        known = given.roles_of(release, spec, quasi_identifiers, sensitive)
        marks = as_marks(suppressed)
        if marks and known is None:
            what = "a release of a run has no suppressed records: leave it out"
            raise SpecError(Problem("suppressed", what))
        if keep and known is not None:
            raise SpecError("an attack keeps nothing of a table that no run made: leave keep out")
        with (
            self._use(given.database_of(release, known)) as engine,
            given.from_item(release if given.is_frame(release) else None, engine) as item,
            given.from_item(external if given.is_frame(external) else None, engine) as persons_item,
            given.from_item(source if given.is_frame(source) else None, engine) as source_item,
            given.from_item(
                background if given.is_frame(background) else None, engine
            ) as known_item,
            self._watching() as listener,
        ):
            of = self._held(release, engine) if known is None else known
            published = given.published_of(release, of, spec is not None, engine, item, marks)
            kept = of.relation if isinstance(of, Recorded) and keep else None
            return attack_published(
                published,
                engine,
                external=_given(external, persons_item),
                source=_given(source, source_item),
                background=_given(background, known_item),
                on=on,
                keep=kept,
                listener=listener,
            )

    def utility(
        self,
        release: Any,
        *,
        source: Any = None,
        spec: Spec | str | Path | None = None,
        quasi_identifiers: Sequence[str] | None = None,
        sensitive: Sequence[str] | Mapping[str, Any] | None = None,
        queries: int | str | Path | Mapping[str, Any] = QUERIES,
        seed: int = 1,
    ) -> Utility:
        """Measure what a release is still good for, against its source.

        Args:
            release: a release, or the name of one that a run made; or any table, as for `run`,
                with a spec or with the roles of its columns.
            source: what it was made of, as for `run`; by default what the run read, or the spec's
                source.
            spec: the spec that the table is a release of, whose forms its cells are read in.
            quasi_identifiers: those of a table without a spec, whose cells are values as they are.
            sensitive: the sensitive attributes of a table without a spec, as in one.
            queries: how many COUNT queries are drawn and asked of both; 0 for none. Or queries of
                your own, which are asked as well as drawn ones: a YAML file of them, or a mapping
                of their names, as
                ``{"women": {"where": {"sex": "F", "age": [30, 50]}, "mean": "income"}}``.
            seed: what they are drawn from.

        Returns:
            The figures, each with how the release was read; and what could not be measured.

        Raises:
            SpecError: if there is no such release, or the source or a query does not fit it.
            InfeasibleError: if the release has no records.
            EngineError: if the database fails.

        Example:
            >>> found = db.utility("patients_public", source="patients.csv")  # doctest: +SKIP
            >>> found.value("marginal_variation", "age")  # doctest: +SKIP
            0.012
        """
        known = given.roles_of(release, spec, quasi_identifiers, sensitive)
        if known is not None and spec is None and source is None:
            raise SpecError(Problem("source", "without a spec nobody knows it: name the table"))
        own = None if isinstance(queries, int) else parse_queries(queries)
        drawn = queries if isinstance(queries, int) else QUERIES
        with (
            self._use(given.database_of(release, known)) as engine,
            given.from_item(release if given.is_frame(release) else None, engine) as table_item,
            given.from_item(source if given.is_frame(source) else None, engine) as item,
            self._watching() as listener,
        ):
            of = self._held(release, engine) if known is None else known
            made_of = given.source_of(of, source)
            published = given.published_of(release, of, spec is not None, engine, table_item)
            return utility_of(
                published,
                engine,
                source=made_of,
                source_item=item,
                queries=drawn,
                seed=seed,
                own=own,
                listener=listener,
            )

    def report(
        self,
        release: Release | Relation | str,
        file: str | Path | None = None,
        *,
        source: Any = None,
        external: bool = False,
        overwrite: bool = False,
    ) -> Path:
        """Write what was declared for a release and what was reached, as a page for people to read.

        Args:
            release: a release, or the name of one that a run made.
            file: what to write, .html; by default it is named after the release.
            source: what it was made of, as for `run`: adds its utility, and the risk before and
                after. It is read only if it is given.
            external: for others: no figures of classes or sensitive values, no source, seed or SQL.
            overwrite: whether the file may be replaced if it is there.

        Returns:
            The file.

        Raises:
            SpecError: if there is no such release, it was changed since its run, or the source does
                not fit it; or if the file cannot be a report, or is there and not to be replaced.
            EngineError: if the database fails.

        Example:
            >>> db.report("patients_public", source="patients.csv")  # doctest: +SKIP
            PosixPath('patients_public.html')
        """
        page = Path(file or f"{_name(release)}.html")
        check_target(page, REPORT_ENDINGS, overwrite)
        read = None if source is None or given.is_frame(source) else parse_source(source)
        with (
            self._use() as engine,
            given.from_item(source if given.is_frame(source) else None, engine) as item,
        ):
            past = self._held(release, engine)
            beside: tuple[Section, ...] = ()
            if source is not None:
                beside = sections_beside(past, read or Frame(), external, item)
            return write_report(past, page, external, overwrite, beside)

    def nodes(self, release: Release | Relation | str) -> Nodes:
        """The choices of levels that the search for a release judged.

        Args:
            release: a release of a method that searches for levels, such as ``optimal``, or the
                name of one.

        Returns:
            The choices with what each loses and leaves out, those that hold first. Its ``spec`` of
            a number is the run's spec with the levels of that choice, for `run`.

        Raises:
            SpecError: if there is no such release, it was changed since its run, or the run kept no
                choices.
            EngineError: if the database fails.

        Example:
            >>> found = db.nodes("patients_public")  # doctest: +SKIP
            >>> db.run(found.spec(2))  # doctest: +SKIP
        """
        with self._use() as engine:
            past = self._held(release, engine)
            metric, nodes = kept_nodes(past)
            name, spec, why_not = str(past.relation), None, ""
            try:
                spec = with_measured_k(given.spec_of(past), past.measures)
            except SpecError as error:
                why_not = str(error)
            return Nodes(name, metric, nodes, spec, why_not)

    def export(
        self,
        release: Release | Relation | str,
        file: str | Path | None = None,
        *,
        overwrite: bool = False,
        escape_formulas: bool = False,
    ) -> tuple[Path, ...]:
        """Write a release to a file to hand out, with a data dictionary next to it.

        Only what is published is written: the proof stays in the database.

        Args:
            release: a release, or the name of one that a run made.
            file: the file, .csv or .parquet; by default it is .parquet and named after the release.
            overwrite: whether files that are there may be replaced.
            escape_formulas: put a quote before text of a CSV file that a spreadsheet would take
                for a formula.

        Returns:
            The files, the release first and the dictionary last.

        Raises:
            SpecError: if there is no such release or it was changed since its run, or the file
                cannot be of a release, or is there and not to be replaced.
            EngineError: if the database fails.

        Example:
            >>> db.export("patients_public", "patients_public.csv")  # doctest: +SKIP
        """
        output = Path(file or f"{_name(release)}.parquet")
        check_file(output, overwrite)
        check_escapable(output, escape_formulas)
        with self._use() as engine:
            past = self._held(release, engine)
            return write_files(past, output, overwrite, escape_formulas)

    def certificate(self, release: Release | Relation | str) -> Certificate:
        """Certify a release: what it is and what it reached, to be handed out with it.

        Args:
            release: a release, or the name of one that a run made.

        Returns:
            The certificate, whose ``text`` goes to a file: hashes of the release's records, of its
            spec and of its source's columns, and what was asked for and reached; no record.

        Raises:
            SpecError: if there is no such release, or it was changed since its run.
            EngineError: if the database fails.

        Example:
            >>> db.certificate("patients_public").text  # doctest: +SKIP
        """
        with self._use() as engine:
            return certify(self._held(release, engine))

    def recipe(self, release: Release | Relation | str) -> RecipeFile:
        """The recipe of a release: how it made its classes, to be laid over another table anywhere.

        Args:
            release: a release, or the name of one that a run made.

        Returns:
            The recipe, which goes to a file that a spec names as its ``recipe``: its ``text``, or
            what ``written_as`` gives for a ``.parquet`` file. Levels hold no data, cells are what
            the release publishes of its quasi-identifiers, and an allotment is the publisher's.

        Raises:
            SpecError: if there is no such release, it was changed since its run, or it shows no
                classes.
            EngineError: if the database fails.

        Example:
            >>> db.recipe("patients_public").text  # doctest: +SKIP
        """
        with self._use() as engine:
            return recipe_of(self._held(release, engine))


def _name(release: Release | Relation | str) -> str:
    of = release.relation if isinstance(release, Release) else release
    return of.name if isinstance(of, Relation) else of


def _given(table: Any, item: Sql | None) -> Given | None:
    """A table that is given: by its name, or as a frame that stands behind a FROM item."""
    if table is None:
        return None
    return Given(Frame() if item is not None else parse_source(table), item)
