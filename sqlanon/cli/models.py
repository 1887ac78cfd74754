"""The options by which a command is asked to hold a table to privacy models."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click

from sqlanon.clauses import clauses
from sqlanon.errors import SpecError, nearest
from sqlanon.privacy import MODELS
from sqlanon.privacy.model import PrivacyModel
from sqlanon.privacy.thresholds import is_bare

Command = TypeVar("Command", bound=Callable[..., Any])
# Those whose threshold is a number and that a table alone can be held to.
_OFFERED = [one for one in MODELS if one.numeric and one.per in ("release", "sensitive")]
# The options of clauses, by the fields of `privacy` that they fill.
_OF_CLAUSES = {field: option for one in clauses() for field, option in one.options.items()}


def model_options(command: Command) -> Command:
    """An option for every privacy model."""
    for one in reversed(_OFFERED):
        about = f"{one.says.replace('`', '')} ({one.title})."
        command = click.option(
            f"--{_name(one).replace('_', '-')}",
            _name(one),
            type=int if one.whole else str,
            metavar=one.field.name.upper(),
            help=about[:1].upper() + about[1:],
        )(command)
    return command


def take_models(given: dict[str, Any]) -> Mapping[str, Any]:
    """The models that the options ask for, as fields of a spec, taken out of what is given."""
    fields: dict[str, Any] = {}
    for one in _OFFERED:
        threshold = given.pop(_name(one))
        if threshold is None:
            continue
        if one.form is None:
            fields[one.field.name] = threshold
        else:
            fields.setdefault(one.field.name, {})[one.form] = threshold
    return fields


def clause_options(command: Command) -> Command:
    """An option for every demand that a clause can make of a table."""
    for field, one in reversed(_OF_CLAUSES.items()):
        command = click.option(one.name, field, multiple=True, metavar=one.takes, help=one.says)(
            command
        )
    return command


def take_clauses(given: dict[str, Any]) -> dict[str, list[Any]]:
    """The demands of the options of clauses, as fields of ``privacy``, taken out of the options.

    Raises:
        SpecError: if one cannot be read.
    """
    found = {
        field: [one.read(each) for each in given.pop(field)] for field, one in _OF_CLAUSES.items()
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
    for one in given:
        parts = re.fullmatch(r"([^:]+):(.+):(\d{1,18}):(\d{1,18})", one.strip())
        if parts is None:
            what = f"--l-of-groups: {one!r} is not A:FILE:LEVEL:L, such as health:groups.csv:1:3"
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


def _name(one: PrivacyModel) -> str:
    return one.field.name if is_bare(one) else f"{one.field.name}_{one.form}"
