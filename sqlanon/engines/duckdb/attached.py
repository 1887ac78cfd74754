"""Attached databases that are not DuckDB's own: a release is made in DuckDB and published there.

A relation to publish is a temporary table until the last moment: it is made, measured and judged
here, where no reader looks. Then it is written to the attached database, by the statements of one
transaction, which that database commits or undoes as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field

from sqlanon.engines.base import RelationKind
from sqlanon.engines.duckdb.attached_postgres import (
    AFRESH,
    AttachedPostgres,
    kept_in_postgres,
    on_server,
)
from sqlanon.engines.duckdb.driver import DuckDBDriver, private
from sqlanon.errors import EngineError, Problem, SpecError
from sqlanon.sql.names import Relation, identifier, literal

_STEP = "publishing in the attached database"
# SQLite keeps no comment: a condition that always holds is part of the table as it was made.
_MARK = re.compile(r"check\s*\(\s*\(?'((?:[^']|'')*)' is not null\)?\s*\)\s*\)\s*$", re.IGNORECASE)
_WHOLE = r"U?(TINY|SMALL)INT|U?INTEGER|BIGINT"  # what 64 bits with a sign hold


def _as_it_is(type_name: str) -> tuple[str, str]:
    return type_name, "{0}"


def _as_sqlite(type_name: str) -> tuple[str, str]:
    if re.fullmatch(rf"{_WHOLE}|DOUBLE|VARCHAR|BLOB", type_name):
        return type_name, "{0}"
    if type_name == "BOOLEAN":
        return "BIGINT", "cast({0} as bigint)"
    if type_name == "FLOAT":  # the same number: 0.1 of 64 bits is another, and equals none
        return "DOUBLE", "cast({0} as double)"
    return "VARCHAR", "cast({0} as varchar)"


@dataclass(frozen=True)
class Kind:
    """A kind of attached database that is not DuckDB's own.

    Attributes:
        name: as DuckDB calls it.
        keeps: the type in which it keeps a column, and the expression that makes it.
        comments: whether it keeps comments on tables.
        server: whether it is a server, which others change meanwhile, and which takes statements of
            its own.
        files: whether its tables are files of their own.
        schema: the schema of a table that names none.
        types: whether its columns keep DuckDB's types.
    """

    name: str
    keeps: Callable[[str], tuple[str, str]] = _as_it_is
    comments: bool = True
    server: bool = False
    files: bool = False
    schema: str = "main"
    types: bool = False

    @classmethod
    def called(cls, name: str) -> Kind:
        """The kind that DuckDB calls so."""
        return KINDS.get(name) or cls(name)


# The kinds that commit all of a release or nothing: a release can be published in them.
KINDS: Mapping[str, Kind] = {
    one.name: one
    for one in (
        Kind("ducklake", files=True, types=True),
        Kind("postgres", kept_in_postgres, server=True, schema="public"),
        Kind("sqlite", _as_sqlite, comments=False),
    )
}


@dataclass
class _Staged:
    """A relation that is made and not yet published.

    Attributes:
        final: its full name once it is published.
        here: the temporary table that holds it until then.
        kind: the kind of database that it is published in.
        comment: on it.
    """

    final: Relation
    here: Relation
    kind: Kind
    comment: str | None = None
    columns: list[tuple[str, str]] = field(default_factory=list)


class Attached:
    """The relations that one transaction is to publish in an attached database.

    Args:
        driver: the connection.
        work_path: where temporary tables stand.
    """

    def __init__(self, driver: DuckDBDriver, work_path: tuple[str, ...]) -> None:
        self._driver, self._work_path = driver, work_path
        self._staged: dict[Relation, _Staged] = {}  # by full names
        self._older: dict[Relation, RelationKind] = {}  # dropped by a server's own statements
        self._changed = False  # DuckDB knows tables that a server may undo
        self.withheld: Collection[Relation] = ()  # the publisher's alone
        self.readers: Collection[Relation] = ()  # whose readers stay

    def stage(self, final: Relation, kind: Kind, select: str, step: str) -> tuple[Relation, int]:
        """Make a relation as a temporary table, with the types that it will have.

        Returns:
            Where it stands until it is published, and how many rows it has.
        """
        here = Relation(f"sqlanon_new_{final.name}", self._work_path)
        made = self._driver.execute(
            f"create or replace temporary table {here.sql} as\n{select}", step
        )
        described = self._driver.execute(f"describe {here.sql}", step).rows
        if kind.server:
            self._refuse_misfits(final, [name for name, *_ in described])
        columns = []
        for name, type_name, *_ in described:
            kept, cast = kind.keeps(type_name)
            if kept != type_name:
                column = identifier(name)
                self._driver.execute(
                    f"alter table {here.sql} alter column {column} type {kept} "
                    f"using {cast.format(column)}",
                    step,
                )
            columns.append((name, kept))
        if kind.server:
            self._refuse_nul(here, [name for name, kept in columns if kept == "VARCHAR"], step)
        self._staged[final] = _Staged(final, here, kind, columns=columns)
        return here, int(made.rows[0][0])

    def _refuse_misfits(self, final: Relation, columns: list[str]) -> None:
        problems = self._server(final).misfits(columns)
        if problems:
            raise SpecError([Problem("release", what) for what in problems])

    def _refuse_nul(self, here: Relation, texts: list[str], step: str) -> None:
        """Refuse the character that a text of PostgreSQL's cannot hold."""
        held = (f"coalesce(bool_or(contains({identifier(one)}, chr(0))), false)" for one in texts)
        found = self._driver.execute(f"select {', '.join(held) or 'false'} from {here.sql}", step)
        holding = [name for name, holds in zip(texts, found.rows[0], strict=False) if holds]
        if holding:
            what = (
                f"its column {holding[0]!r} holds NUL characters, which text in PostgreSQL cannot"
            )
            raise SpecError(Problem("release", f"{what}: take them out"))

    def replace(self, final: Relation, kind: RelationKind) -> None:
        """Drop an older relation of a server's when the rest is published."""
        self._older[final] = kind

    def _server(self, final: Relation) -> AttachedPostgres:
        return AttachedPostgres(final.path[0], self._driver)

    def comment(self, final: Relation, text: str) -> bool:
        """Comment on a relation that is to be published; whether it is one."""
        if final not in self._staged:
            return False
        self._staged[final].comment = text
        return True

    def publish(self) -> None:
        """Write all of it where readers find it, as a part of the transaction.

        Raises:
            EngineError: if the database fails, or does not hold what was written.
        """
        staged = [*self._staged.values()]
        served = [one for one in staged if one.kind.server]
        if served:
            self._make_room(self._server(served[0].final), served)
        for one in staged:
            alone = one.kind.files and one.final in self.withheld
            with private() if alone else nullcontext():
                for statement in _publishing(one):
                    self._driver.execute(statement, _STEP)
            written, meant = (self._content(place, one) for place in (one.final, one.here))
            if written != meant:
                raise EngineError(
                    f"the attached database ({one.kind.name}) does not hold {one.final.name} as it "
                    "was written: nothing was published. It may lack a value that stands in a "
                    "column, such as -0.0, NaN or an infinity",
                    _STEP,
                )
            self._driver.execute(f"drop table {one.here.sql}", _STEP)
        if served:
            server = self._server(served[0].final)
            for one in served:
                server.tell(server.marking(on_server(one.final), one.comment), _STEP)
            server.tell(server.settling([on_server(one) for one in self.withheld]), _STEP)

    def _make_room(self, server: AttachedPostgres, served: list[_Staged]) -> None:
        """Make the tables of a server, empty, in place of the older ones."""
        older = [(on_server(one), kind) for one, kind in self._older.items()]
        for statement in server.replacing(older, [on_server(one) for one in self.readers]):
            server.tell(statement, _STEP)
        for one in served:
            server.tell(server.making(on_server(one.final), one.columns), _STEP)
        self._changed = True
        self._driver.execute(AFRESH, _STEP)

    def _content(self, place: Relation, one: _Staged) -> tuple[object, ...]:
        """How many rows a relation has, and what they add up to in any order."""
        cells = ", ".join(f"cast({identifier(name)} as varchar)" for name, _ in one.columns)
        found = self._driver.execute(
            f"select count(*), sum(cast(hash({cells}) as hugeint)) from {place.sql}", _STEP
        )
        return tuple(found.rows[0])

    def look_again(self) -> None:
        """After the transaction: DuckDB would go on with what was made, and perhaps undone."""
        if self._changed:
            self._driver.restore(AFRESH)
        self._changed = False

    def is_staged(self, here: Relation) -> bool:
        """Whether a temporary table holds what is to be published."""
        return any(one.here == here for one in self._staged.values())

    def forget(self) -> None:
        """The transaction has ended."""
        self._staged.clear()
        self._older.clear()
        self.withheld = self.readers = ()


def _publishing(one: _Staged) -> list[str]:
    """The statements that make the relation where it is published, in place of an older one."""
    final = one.final.sql
    filling = f"insert into {final} select * from {one.here.sql}"
    if one.kind.server:  # its table is there by now
        return [filling]
    columns = [f"{identifier(name)} {kept}" for name, kept in one.columns]
    comments = one.kind.comments
    if one.comment is not None and not comments:
        columns.append(f"check ({literal(one.comment)} is not null)")
    made = [f"create or replace table {final} ({', '.join(columns)})", filling]
    if one.comment is not None and comments:
        made.append(f"comment on table {final} is {literal(one.comment)}")
    return made


def marks_in(catalog: str, kind: Kind, driver: DuckDBDriver) -> dict[str, str]:
    """The marks that stand for comments in a database that has none, by the tables' names."""
    if kind.comments:
        return {}
    listed = f"sqlite_query({literal(catalog)}, 'select name, sql from sqlite_master')"
    found = driver.execute(f"select name, sql from {listed} where sql is not null").rows
    marked = ((name, _MARK.search(sql)) for name, sql in found)
    return {name: mark[1].replace("''", "'") for name, mark in marked if mark}
