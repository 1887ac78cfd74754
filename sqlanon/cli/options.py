"""The options that several commands share, and the database that a command opens by them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from sqlanon.api import Database
from sqlanon.clauses.recipe.declared import is_recipe_file
from sqlanon.common.separated import names_in
from sqlanon.engines import Engine, open_engine
from sqlanon.errors import Problem, SpecError
from sqlanon.inputs.files import is_parquet, is_remote_database, is_workbook
from sqlanon.inputs.source import TEXT_SETTINGS, WORKBOOK_SETTINGS, ReadAs
from sqlanon.session import Listener
from sqlanon.session.progress import watching
from sqlanon.source.source import table_named
from sqlanon.spec import Source, Spec, product
from sqlanon.spec.foreign import is_file_name, no_table
from sqlanon.sql.products import known_databases

_LONGEST = 255 - len(".wal")  # bytes of a file's name on common systems, with DuckDB's log
OF_FILE = "; a file is taken with --spec, or with --qi and perhaps --sensitive"


def database_of(spec: Spec, given: str | None) -> str:
    """The file the release goes to: as given, as declared, or named after the release."""
    database = given or spec.database
    if database is None and spec.source.table is not None:
        what = "the source is a table: name its database with --database NAME"
        raise SpecError(Problem("source", no_table(spec.source.table) or what))
    name = f"{table_named(spec.release, 'release').name}.duckdb"
    if database is None and len(os.fsencode(name)) > _LONGEST:
        what = "it is too long for the name of a file, and its database is named after it"
        raise SpecError(Problem("release", f"{what}: shorten it, or name the database"))
    return database or name


def holding(release: str, given: str | None, of_file: str = "") -> str | None:
    """The database that holds a release: as given, or the file that a run names after it.

    Args:
        release: its name.
        given: the database, if one is named.
        of_file: what a command takes a file with, to be said to who names one.

    Raises:
        SpecError: if there is no such file, or a file is named in place of a release.
    """
    if given is None and is_file_name(release):
        what = f"{release!r} is a file, and RELEASE is the name of a release in a database"
        raise SpecError(f"{what}: name it as its spec does, such as {_stem(release)!r}{of_file}")
    name = f"{table_named(release, 'release').name}.duckdb"
    if given is None and not Path(name).exists():
        what = f"there is no database {name!r} here: name the one that holds {release!r}"
        raise SpecError(f"{what} with --database NAME")
    return existing(given or name)


def beside(table: str, given: str | None) -> str | None:
    """The database of a table: as given, or the file that a run names after a release.

    Args:
        table: a table or a file.
        given: the database, if one is named.
    """
    if given is not None or is_remote_database(table) or "table" not in Source.read(table):
        return given
    name = f"{table_named(table, 'table').name}.duckdb"
    return name if Path(name).exists() else None


def held(release: str, given: str | None, of_run: bool) -> str | None:
    """The database of a release that a run made, or of any table.

    Raises:
        SpecError: if there is none, or a file is named in place of a release.
    """
    return holding(release, given, OF_FILE) if of_run else existing(beside(release, given))


def _stem(file: str) -> str:
    return Path(file).name.partition(".")[0]


def readable(spec: Spec, given: str | None) -> str | None:
    """The database to plan against: none is made if there is none yet."""
    database = database_of(spec, given)
    if product(database) != "duckdb" or is_remote_database(database) or Path(database).exists():
        return database
    return existing(given) if spec.source.table is not None else None


def existing(database: str | None) -> str | None:
    """The database that is named, which must be there if it is a file.

    Raises:
        SpecError: if there is no such file.
    """
    if not database or product(database) != "duckdb" or is_remote_database(database):
        return database
    if not Path(database).exists():
        raise SpecError(f"there is no database {database!r}")
    return database


def _size(context: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    """Refuse a negative size, which DuckDB takes for no limit at all."""
    if value is not None and value.strip().startswith("-") and value.strip() != "-1":
        raise click.BadParameter("a size is not negative: say such as 4GB, or none for no limit")
    return value


_DATABASE = click.option(
    "--database",
    metavar="NAME",
    help=f"The database of the source or of the release: {known_databases()}.",
)
_SHOW_ERRORS = click.option(
    "--show-database-errors",
    is_flag=True,
    help="Show the database's own messages whole, to find a fault: they may quote the data.",
)
_QUIET = click.option("--quiet", is_flag=True, help="No progress.")
_RESOURCES = (
    click.option("--temp-directory", metavar="DIR", help="Where to spill to."),
    click.option("--threads", type=click.IntRange(1, 1024), help="How many threads to use."),
    click.option(
        "--memory-limit", metavar="SIZE", callback=_size, help="Such as 4GB; spills to disk beyond."
    ),
)
_SETTINGS = ("memory_limit", "threads", "temp_directory")


@dataclass(frozen=True)
class Opening:
    """How a command opens its database.

    Attributes:
        database: what ``--database`` names.
        show_database_errors: whether the database's messages are shown whole.
        quiet: whether no progress is shown.
        settings: the database's settings.
    """

    database: str | None = None
    show_database_errors: bool = False
    quiet: bool = False
    settings: dict[str, str | int] = field(default_factory=dict)

    @contextmanager
    def open(self, database: str | None) -> Iterator[Database]:
        """A database, opened by what is first done in it, and closed at the end.

        Args:
            database: its name; where None, the one that a spec names, or in memory.
        """
        with (
            self.watching() as listener,
            Database(
                database,
                settings=self.settings,
                progress=listener or False,
                show_database_errors=self.show_database_errors,
            ) as opened,
        ):
            yield opened

    @contextmanager
    def engine(self, database: str | None) -> Iterator[Engine]:
        """The engine of a database, for what takes more than one call."""
        opened = open_engine(database, None, self.settings, self.show_database_errors)
        with closing(opened) as engine:
            yield engine

    @contextmanager
    def watching(self) -> Iterator[Listener | None]:
        """The listener that shows how the command comes along."""
        with watching(not self.quiet, log=True) as listener:
            yield listener


def opens_database(progress: bool = True, resources: bool = False) -> Callable[[Command], Command]:
    """The options of a command that opens a database; it is given them as ``opening``.

    Args:
        progress: whether it shows progress.
        resources: whether it lets users bound what is used.
    """

    def decorated(command: Command) -> Command:
        @wraps(command)
        def opens(*args: Any, **given: Any) -> Any:
            settings = {name: given.pop(name) for name in _SETTINGS if name in given}
            opening = Opening(
                given.pop("database"),
                given.pop("show_database_errors"),
                given.pop("quiet", True) or given.get("as_json", False),
                {name: value for name, value in settings.items() if value is not None},
            )
            return command(*args, opening=opening, **given)

        options = [*(_RESOURCES if resources else ()), *([_QUIET] if progress else [])]
        found = cast(Command, opens)
        for option in (*options, _SHOW_ERRORS, _DATABASE):
            found = option(found)
        return found

    return decorated


Command = TypeVar("Command", bound=Callable[..., Any])

AS_JSON = click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout.")
AFTER = click.option(
    "--after",
    multiple=True,
    metavar="RELEASE",
    help="An earlier release of the same persons: the gate also bounds what a reader of both finds "
    "out. The releases that it came after count as well.",
)
SUPPRESSED = click.option(
    "--suppressed",
    multiple=True,
    metavar="MARK",
    help="The text in every quasi-identifier of a record that another tool suppressed, such as "
    "'*'; '' stands for NULL as well. Such records are counted apart. Repeat it for more marks.",
)
OVERWRITE = click.option("--overwrite", is_flag=True, help="Replace existing files.")
ESCAPE_FORMULAS = click.option(
    "--escape-formulas",
    is_flag=True,
    help="In .csv put a quote before text that a spreadsheet would read as a formula.",
)


def writes(says: str, name: str = "--output") -> Callable[[Command], Command]:
    """The option that names the file to write.

    Args:
        says: what is written, and where by default.
        name: the option's; ``-o`` is short for ``--output``.
    """
    names = ("-o", name) if name == "--output" else (name,)
    return click.option(*names, type=click.Path(path_type=Path), metavar="FILE", help=says)


def _as_read(given: Sequence[str]) -> dict[str, Any]:
    """The settings of a source that an option names."""
    settings: dict[str, Any] = {}
    seen: set[tuple[str, str]] = set()
    for text in given:
        name, sign, value = text.partition("=")
        setting, _, column = name.strip().partition(".")
        known = (*TEXT_SETTINGS, "sheet")
        if not sign or setting not in known or (setting == "columns") != bool(column):
            names = ", ".join("columns.NAME" if one == "columns" else one for one in known)
            what = f"{name!r} is no setting of a file: SETTING=VALUE, of {names}"
            raise SpecError(Problem("--read", what))
        if setting != "nullstr" and (setting, column) in seen:
            raise SpecError(Problem("--read", f"it says {name.strip()} twice: say it once"))
        seen.add((setting, column))
        if column:
            settings.setdefault(setting, {})[column] = value
        elif setting == "nullstr":
            settings.setdefault(setting, []).append(value)
        elif setting == "delimiter":
            settings[setting] = {"\\t": "\t", "tab": "\t"}.get(value, value)
        else:
            settings[setting] = value
    return settings


def reading(*tables: str) -> Callable[[Command], Command]:
    """The option that says how text files are read.

    Args:
        tables: the parameters of the command that may name one.
    """

    def decorated(command: Command) -> Command:
        @click.option(
            "--read",
            multiple=True,
            metavar="SETTING=VALUE",
            help="How to read the files of this command, as in a spec's source: delimiter=;, "
            "encoding=windows-1252, dates=%d.%m.%Y, columns.NAME=text, sheet=NAME …; repeat it "
            "for more.",
        )
        @wraps(command)
        def reads(*args: Any, read: tuple[str, ...], **given: Any) -> Any:
            if read:
                settings = _as_read(read)
                files = {name: given[name] for name in tables if _is_text_file(given.get(name))}
                if not files:
                    what = "it says how text files are read, and none is named"
                    raise SpecError(Problem("--read", what))
                if len({is_workbook(file) for file in files.values()}) > 1:
                    read_as = {name: _taken(settings, file) for name, file in files.items()}
                else:
                    read_as = dict.fromkeys(files, settings)
                given |= {name: ReadAs(file, read_as[name]) for name, file in files.items()}
            return command(*args, **given)

        return cast(Command, reads)

    return decorated


def _taken(settings: Mapping[str, Any], file: str) -> dict[str, Any]:
    """Those settings of a command that a workbook takes, or a text file, where it reads both."""
    taken = WORKBOOK_SETTINGS if is_workbook(file) else TEXT_SETTINGS
    return {name: value for name, value in settings.items() if name in taken}


def _is_text_file(table: Any) -> bool:
    """Whether a table that is given to a command, if any, is a text file."""
    if not isinstance(table, str):
        return False
    file = Source.read(table).get("file")
    return file is not None and not is_parquet(file)


def _all_named(
    _: click.Context, option: click.Parameter, given: tuple[str, ...]
) -> list[str] | None:
    """The columns of an option, however often it is given: they are one list.

    Raises:
        SpecError: if a list cannot be read, or names no column, or a column twice.
    """
    if not given:
        return None
    of = option.opts[0]
    found: list[str] = []
    for text in given:
        try:
            names = names_in(text)
        except ValueError:
            mend = 'put it into double quotes, and write a quote in it twice: "a, b",c'
            raise SpecError(f"{of}: a column's name is not read whole: {mend}") from None
        if not names:
            raise SpecError(f"{of}: it names no column")
        found += names
    twice = [name for name in dict.fromkeys(found) if found.count(name) > 1]
    if twice:
        raise SpecError(f"{of}: {twice[0]!r} is named twice")
    return found


def columns_option(*names: str, about: str, required: bool = False) -> Callable[[Command], Command]:
    """An option that takes a list of columns, and may be given several times."""
    return click.option(
        *names,
        multiple=True,
        callback=_all_named,
        required=required,
        metavar="A,B,…",
        help=f"{about} A name with a comma stands in quotes: '\"a, b\",c'.",
    )


def of_any_table(command: Command) -> Command:
    """The options that say what the columns of a table are that no run made."""
    for option in (
        columns_option("--sensitive", about="Its sensitive attributes."),
        columns_option("--qi", about="The quasi-identifiers of a table without one."),
        click.option(
            "--spec", type=click.Path(path_type=Path), help="The spec that RELEASE is of."
        ),
    ):
        command = option(command)
    return command


def located(context: click.Context, option: click.Parameter, given: str | None) -> str | None:
    """A recipe; the path of a file counts from where the command is typed, not from the spec."""
    return str(Path(given).absolute()) if given and is_recipe_file(given) else given


RECIPE = click.option(
    "--recipe",
    metavar="RELEASE",
    callback=located,
    help="An earlier release, or a file of `sqlanon recipe`, so that labels or cells of both mean "
    "the same: columns published as labels of one level keep that level; without such columns its "
    "cells are the classes, or the records are dealt out as it did if it kept that.",
)


def measures(by_default: str) -> Callable[[Command], Command]:
    """The option that says what is measured.

    Args:
        by_default: ``asked`` or ``all``.
    """
    return click.option(
        "--metrics",
        type=click.Choice(["asked", "all"]),
        default=by_default,
        show_default=True,
        help="The measures: those that SPEC asks for, or all that are known of a release.",
    )
