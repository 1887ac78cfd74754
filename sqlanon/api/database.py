"""A database that is open, with all that can be done in it; and how one is opened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Self

from sqlanon.api.connected import BOTH, Settings
from sqlanon.api.given import is_frame, read
from sqlanon.api.measuring import Measuring
from sqlanon.api.reading import Reading
from sqlanon.api.releasing import Releasing
from sqlanon.comparison.comparison import Comparison, compared
from sqlanon.comparison.release import Compared, compared_release, compared_table
from sqlanon.errors import SpecError
from sqlanon.release.release import Release
from sqlanon.session import Listener
from sqlanon.source.source import table_named
from sqlanon.spec import Spec, parse_source


class Comparing(Measuring, Reading):
    """The call that measures several releases, and reads them."""

    def compare(
        self,
        *releases: Any,
        spec: Spec | str | Path | None = None,
        quasi_identifiers: Sequence[str] | None = None,
        sensitive: Sequence[str] | Mapping[str, Any] | None = None,
        reference: Any = None,
        attacks: bool = False,
        external: Any = None,
        utility: bool = False,
        source: Any = None,
    ) -> Comparison:
        """Set releases side by side: what each reached, what it cost, and what was asked of it.

        Of a release of a run nothing is measured again: its metrics are read. Any other table is
        measured as `check` does, and needs a spec or the roles of its columns.

        Args:
            *releases: releases, or the names of those that runs made; or other tables, as for
                `run`: files, frames, and tables that no run made.
            spec: the spec that these other tables are releases of.
            quasi_identifiers: those of the other tables, without a spec.
            sensitive: the sensitive attributes of the other tables, without a spec.
            reference: the table that t of the other tables is measured against; by default the
                table itself, or the spec's source.
            attacks: whether each is attacked as well, as `attack` does.
            external: a table of persons for the attacks, which asks for them.
            utility: whether it is measured as well what each is good for, as `utility` does: reads
                the source of each.
            source: what all of them were made of, which asks for utility; by default what the run
                of each read, or the spec's source.

        Returns:
            The comparison: a table in a notebook, ``as_object`` for programs, ``write`` for a page
            of HTML. With ``beside`` it takes in one of another database.

        Raises:
            SpecError: if none is given, there is no such release, or a table's roles are not known.
                With ``utility`` also if a source is not found from here.
            InfeasibleError: if a table has no records.
            EngineError: if the database fails.

        Example:
            >>> found = db.compare("patients_10", "patients_20")  # doctest: +SKIP
            >>> found.value("gcp", "patients_20")  # doctest: +SKIP
            0.31
        """
        roles: dict[str, Any] = {}
        if quasi_identifiers is not None:
            roles = {"quasi_identifiers": quasi_identifiers, "sensitive": sensitive or []}
        elif sensitive is not None:
            raise SpecError("give quasi_identifiers with the sensitive attributes, or neither")
        if spec is not None and roles:
            raise SpecError("with a spec, the roles of the columns are the spec's")
        found = list[Compared]()
        for place, one in enumerate(releases, 1):
            known: dict[str, Any] = {}
            if self._is_release(one):
                with self._use() as engine:
                    made = compared_release(self._held(one, engine))
            else:
                made = self._measured_table(place, one, spec, roles, reference)
                known = roles or {"spec": spec}
            if attacks or external is not None:
                attacked = self.attack(one, external=external, **known)
                notes = dict[str, str](attacked.notes.items())
                made = replace(made, attacked=attacked.findings, notes=notes)
            if utility or source is not None:
                made = self._with_utility(made, one, source, known)
            found.append(made)
        return compared(found)

    def _measured_table(
        self,
        place: int,
        table: Any,
        spec: Spec | str | Path | None,
        roles: Mapping[str, Any],
        reference: Any,
    ) -> Compared:
        """Any table, measured as `check` does."""
        name = f"table {place}" if is_frame(table) else parse_source(table).name
        if spec is None and not roles:
            what = "is no release of a run: give its quasi_identifiers, or the spec it is of"
            raise SpecError(f"{name!r} {what}")
        checked = self.check(table, spec=spec, reference=reference, **roles)
        known = None if spec is None else read(spec, {})[0]
        return compared_table(checked, name, known, known is None and reference is None)

    def _with_utility(
        self, made: Compared, release: Any, source: Any, known: Mapping[str, Any]
    ) -> Compared:
        """The same with what it is still good for.

        Raises:
            SpecError: if its source is not known, or not found from here.
        """
        try:
            useful = self.utility(release, source=source, **known)
        except SpecError as error:
            what = f"the use of {made.name} cannot be measured: {error}"
            raise SpecError(what) from None
        return replace(made, useful=useful.findings, notes={**made.notes, **useful.notes})

    def _is_release(self, table: Any) -> bool:
        """Whether a run made it; a name that nothing bears is one, which is then missed."""
        if isinstance(table, Release):
            return True
        source = None if is_frame(table) else parse_source(table)
        if source is None or source.table is None:
            return False
        with self._use() as engine:
            relation = table_named(source.table, "release")
            run = relation.beside("run")
            there = engine.kind_of(relation) is not None
            return not there or engine.kind_of(run) is not None


class Database(Releasing, Comparing):
    """A database that is open: one call after the other, on one connection.

    `sqlanon.open` opens it. As a context manager it is closed at the end of its block.
    """

    def __enter__(self) -> Self:
        self._check_open()
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()


def open(  # noqa: A001 - the word for it
    database: Any = None,
    *,
    connection: Any = None,
    settings: Settings | None = None,
    progress: Listener | bool = True,
    show_database_errors: bool = False,
) -> Database:
    """Open a database, for one call after the other.

    Args:
        database: what holds the tables and the releases: a DuckDB file, which is made if there is
            none; the address of another database, such as ``postgresql://host/name``; your own
            DuckDB or psycopg connection or Spark session; or the ``engine`` of a release. In
            memory by default. Your own is left open, and between two calls it is as you left it.
        connection: your own connection, in its place, as the functions of single calls have it.
        settings: the database's settings, such as DuckDB's ``{"memory_limit": "4GB"}``.
        progress: whether to show how a call comes along, in a terminal or a notebook; or a function
            that is called with an `Event` at every sign of life.
        show_database_errors: show the database's own messages whole, for finding a fault: they may
            quote the data. Without it only those are shown that cannot.

    Returns:
        The database. Close it, or open it in a ``with``.

    Raises:
        SpecError: if it cannot be used, two are given, a setting is refused, or its client is not
            installed.
        EngineError: if it cannot be opened.

    Example:
        >>> with sqlanon.open("patients.duckdb") as db:  # doctest: +SKIP
        ...     release = db.run("release.yaml")
        ...     print(db.attack(release, external="voters.csv"))
    """
    if database is not None and connection is not None:
        raise SpecError(BOTH)
    opened = Database(
        database if connection is None else connection,
        settings=settings,
        progress=progress,
        show_database_errors=show_database_errors,
    )
    opened.open()
    return opened
