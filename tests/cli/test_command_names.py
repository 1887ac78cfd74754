"""A command and its Python function share a name; the few exceptions are listed with the reason."""

from __future__ import annotations

import inspect

import pytest

import sqlanon
from sqlanon.cli.commands import COMMANDS, Listed

NAMES = [command.name for command in COMMANDS]
# Commands that are a method of what a run returns.
METHODS = {"export", "certificate"}
# Commands without a function of their name, and why.
OTHERWISE = {
    "run": "anonymize: a command runs a spec, Python mostly declares one",
    "demo": "it writes the example into a folder, to be run from a terminal",
    "init": "it writes a spec to be edited; Python declares one, with the help of profile",
    "macros": "it prints SQL for shells that have no Python: sqlanon.uses.macros.library",
    "recipe": "Database.recipe; of a release it is the recipe that its run took over",
    "apply": "anonymize with recipe and all_metrics=False: a command needs neither option",
    "dbt": "it prepares the files of a dbt project: sqlanon.dbt",
}


@pytest.mark.parametrize("listed", COMMANDS, ids=lambda listed: listed.name)
def test_the_list_shows_a_command_by_its_name_in_a_line_that_fits(listed: Listed) -> None:
    assert listed.load().name == listed.name
    assert len(listed.says) <= 60


@pytest.mark.parametrize("name", [text for text in NAMES if text not in METHODS | OTHERWISE.keys()])
def test_a_command_is_a_public_function(name: str) -> None:
    assert name in sqlanon.__all__
    assert inspect.isfunction(getattr(sqlanon, name))


@pytest.mark.parametrize("name", sorted(METHODS))
def test_some_are_methods_of_a_release(name: str) -> None:
    assert name in NAMES
    assert callable(getattr(sqlanon.Release, name))


@pytest.mark.parametrize("name", OTHERWISE)
def test_the_list_names_no_more_than_it_must(name: str) -> None:
    assert name in NAMES
    assert name not in sqlanon.__all__
