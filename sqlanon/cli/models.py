"""The options by which a command is asked to hold a table to privacy models."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from sqlanon.privacy import MODELS, PrivacyModel
from sqlanon.privacy.thresholds import is_bare

Command = TypeVar("Command", bound=Callable[..., Any])
# Those whose threshold is a number and that a table alone can be held to.
_OFFERED = [one for one in MODELS if one.numeric and one.per != "background"]


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


def _name(one: PrivacyModel) -> str:
    return one.field.name if is_bare(one) else f"{one.field.name}_{one.form}"
