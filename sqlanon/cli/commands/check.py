"""The privacy of a table, of any tool, with an option for each privacy model."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

import click

from sqlanon.clauses import clauses
from sqlanon.cli import options, views
from sqlanon.cli.output import echo_object
from sqlanon.errors import SpecError, nearest
from sqlanon.judge.check_result import CheckResult
from sqlanon.privacy import MODELS
from sqlanon.privacy.model import PrivacyModel
from sqlanon.privacy.thresholds import is_bare
from sqlanon.spec import Source, load_spec
from sqlanon.uses.reports.verdict import lost_altogether


def measurements_object(found: CheckResult) -> dict[str, Any]:
    """The measurements of a check, for programs."""
    return {
        "table": found.table,
        "passed": found.passed,
        "distances": dict(found.distances.asked),
        "metrics": [asdict(metric) for metric in found.measures],
        "shortfalls": [asdict(shortfall) for shortfall in found.shortfalls],
        "faults": [asdict(fault) for fault in found.faults],
        "lost": list(lost_altogether(found.measures)),
        "remarks": list(found.remarks),
    }


Command = TypeVar("Command", bound=Callable[..., Any])


# Those whose threshold is a number and that a table alone can be held to.
_OFFERED = [model for model in MODELS if model.numeric and model.per in ("release", "sensitive")]


# The options of clauses, by the fields of `privacy` that they fill.
_OF_CLAUSES = {field: option for clause in clauses() for field, option in clause.options.items()}


def model_options(command: Command) -> Command:
    """An option for every privacy model."""
    for model in reversed(_OFFERED):
        about = f"{model.says.replace('`', '')} ({model.title})."
        command = click.option(
            f"--{_name(model).replace('_', '-')}",
            _name(model),
            type=int if model.whole else str,
            metavar=model.field.name.upper(),
            help=about[:1].upper() + about[1:],
        )(command)
    return command


def take_models(given: dict[str, Any]) -> Mapping[str, Any]:
    """The models that the options ask for, as fields of a spec, taken out of what is given."""
    fields: dict[str, Any] = {}
    for model in _OFFERED:
        threshold = given.pop(_name(model))
        if threshold is None:
            continue
        if model.form is None:
            fields[model.field.name] = threshold
        else:
            fields.setdefault(model.field.name, {})[model.form] = threshold
    return fields


def clause_options(command: Command) -> Command:
    """An option for every demand that a clause can make of a table."""
    for field, option in reversed(_OF_CLAUSES.items()):
        command = click.option(
            option.name, field, multiple=True, metavar=option.takes, help=option.says
        )(command)
    return command


def take_clauses(given: dict[str, Any]) -> dict[str, list[Any]]:
    """The demands of the options of clauses, as fields of ``privacy``, taken out of the options.

    Raises:
        SpecError: if one cannot be read.
    """
    found = {
        field: [option.read(each) for each in given.pop(field)]
        for field, option in _OF_CLAUSES.items()
    }
    return {field: several for field, several in found.items() if several}


def groups_option(command: Command) -> Command:
    """An option for l of the groups of a sensitive attribute's hierarchy."""
    return click.option(
        "--l-of-groups",
        "groups",
        multiple=True,
        metavar="A:FILE:LEVEL:L",
        help="l of groups: every class holds values of A from at least L different groups of LEVEL "
        "of the hierarchy in FILE.",
    )(command)


def take_groups(given: Sequence[str], sensitive: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The groups that ``--l-of-groups`` asks for, by sensitive attribute, as a spec has them.

    Raises:
        SpecError: if one is not a sensitive attribute, a file and two whole numbers, or if an
            attribute has several.
    """
    found: dict[str, dict[str, Any]] = {}
    for text in given:
        parts = re.fullmatch(r"([^:]+):(.+):(\d{1,18}):(\d{1,18})", text.strip())
        if parts is None:
            what = f"--l-of-groups: {text!r} is not A:FILE:LEVEL:L, such as health:groups.csv:1:3"
            raise SpecError(what)
        name, file, level, least = parts.groups()
        if name not in sensitive:
            what = f"--l-of-groups: {name!r} is no sensitive attribute: name it with --sensitive"
            raise SpecError(f"{what}; {nearest(name, sensitive)}" if sensitive else what)
        if name in found:
            raise SpecError(f"--l-of-groups: {name!r} is there twice: ask for one level of it")
        found[name] = {
            "distance": "hierarchical",
            "hierarchy": {"file": file},
            "l": {"distinct": int(least), "level": int(level)},
        }
    return found


def _name(model: PrivacyModel) -> str:
    return model.field.name if is_bare(model) else f"{model.field.name}_{model.form}"


@click.command()
@click.argument("table")
@options.columns_option("--qi", about="The quasi-identifiers.")
@options.columns_option("--sensitive", about="The sensitive attributes.")
@model_options
@groups_option
@clause_options
@click.option(
    "--distance",
    type=click.Choice(["equal", "ordered"]),
    help="The distance of t-closeness; by default ordered for numbers, dates and times, equal for "
    "the rest.",
)
@click.option("--reference", metavar="TABLE", help="The table to measure t-closeness against.")
@click.option(
    "--spec", type=click.Path(path_type=Path), help="The spec that TABLE is a release of."
)
@options.SUPPRESSED
@click.option(
    "--suppression",
    metavar="SHARE",
    help="With --suppressed: the greatest share of the records that may be suppressed.",
)
@options.opens_database(resources=True)
@options.AS_JSON
@options.reading("table", "reference")
def check(
    table: str,
    qi: list[str] | None,
    sensitive: list[str] | None,
    distance: str | None,
    groups: tuple[str, ...],
    reference: str | None,
    spec: Path | None,
    suppressed: tuple[str, ...],
    suppression: str | None,
    opening: options.Opening,
    as_json: bool,
    **asked_for: Any,
) -> None:
    """Measure the privacy of TABLE, of any tool; exit code 1 if a requested model fails.

    For a release that a run made, its name is enough, because the run kept its spec. The check
    then measures the models and the information loss, and compares columns, cells, values and
    classes with the source. For a file that is a release give its --spec, for any other table --qi
    and, if there are any, --sensitive. Files need no database.
    """
    asked, database = dict(take_models(asked_for)), opening.database
    of_groups = take_groups(groups, sensitive or ())
    if of_clauses := take_clauses(asked_for):
        asked["privacy"] = of_clauses
    if suppression is not None:
        asked["suppression"] = {"records": suppression}
    if spec is None and not (suppressed or qi or sensitive or asked or distance):
        database = options.holding(table, database, options.OF_FILE)
    elif spec is None:
        if not qi:
            raise SpecError("a model of a table needs its quasi-identifiers: give --qi, too")
        asked |= {
            "quasi_identifiers": qi,
            "sensitive": {
                name: of_groups.get(name, {"distance": distance}) for name in sensitive or ()
            },
        }
        database = options.beside(table, database)
        if reference is not None:
            options.existing(database)
    elif qi or sensitive or asked:
        raise SpecError("with --spec, the columns and the models are the spec's")
    declared = load_spec(spec) if spec else None
    if declared and not (declared.source.file and "file" in Source.read(table)):
        database = options.database_of(declared, database)
    with opening.open(options.existing(database)) as db:
        found = db.check(table, spec=declared, reference=reference, suppressed=suppressed, **asked)
    if as_json:
        echo_object(measurements_object(found))
    else:
        views.show_measurements(found)
    if not found.passed:
        sys.exit(1)
