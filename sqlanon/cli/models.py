"""The options by which a command is asked to hold a table to privacy models."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click

from sqlanon.cli.options import names_in
from sqlanon.errors import SpecError, nearest
from sqlanon.privacy import MODELS, PrivacyModel
from sqlanon.privacy.thresholds import is_bare

Command = TypeVar("Command", bound=Callable[..., Any])
# Those whose threshold is a number and that a table alone can be held to.
_OFFERED = [one for one in MODELS if one.numeric and one.per in ("release", "sensitive")]


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


def subset_option(command: Command) -> Command:
    """An option for a greater k of some of the quasi-identifiers."""
    return click.option(
        "--subset",
        "subsets",
        multiple=True,
        metavar="A,B:K",
        help="A greater k of some quasi-identifiers: K records share each tuple of A and B.",
    )(command)


def take_subsets(given: Sequence[str]) -> list[dict[str, Any]]:
    """The subsets that ``--subset`` asks for, as ``privacy.subsets`` has them.

    Raises:
        SpecError: if one is not columns and a whole number.
    """
    found = []
    for one in given:
        columns, colon, k = one.rpartition(":")
        try:
            names = names_in(columns)
        except ValueError:
            names = []
        if not colon or not re.fullmatch(r"\s*\d{1,18}\s*", k) or not names:
            raise SpecError(f"--subset: {one!r} is not columns and a k, such as age,zip:20")
        found.append({"columns": names, "k": int(k)})
    return found


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

    Args:
        given: the options.
        sensitive: the sensitive attributes.

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
