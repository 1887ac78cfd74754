"""The options by which a command is asked to hold a table to privacy models."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import click

from sqlanon.cli.options import names_in
from sqlanon.errors import SpecError
from sqlanon.privacy import MODELS, PrivacyModel
from sqlanon.privacy.thresholds import is_bare

Command = TypeVar("Command", bound=Callable[..., Any])
# Those whose threshold is a number and that a table alone can be held to.
_OFFERED = [one for one in MODELS if one.numeric and not one.is_of_hidden]


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
    """What the options ask for, as fields of a spec; they are taken out of what is given."""
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
    """What ``--subset`` asks for, as ``privacy.subsets`` has it.

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


def _name(one: PrivacyModel) -> str:
    return one.field.name if is_bare(one) else f"{one.field.name}_{one.form}"
