"""The options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from sqlanon.clauses.recipe.declared import is_recipe_file
from sqlanon.errors import Problem, SpecError
from sqlanon.inputs.files import is_parquet, is_workbook
from sqlanon.inputs.source import TEXT_SETTINGS, WORKBOOK_SETTINGS, ReadAs, Source
from sqlanon.separated import names_in

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
    for one in given:
        name, sign, value = one.partition("=")
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
    return {name: one for name, one in settings.items() if name in taken}


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
