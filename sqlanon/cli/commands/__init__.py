"""The commands: a file for each, or for two of one thing, imported when its command is called."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module

import click


@dataclass(frozen=True)
class Listed:
    """A command as the list of commands shows it.

    Attributes:
        name: what is typed.
        says: what it does, in a line of 60 characters at most.
        module: its file in this folder; by default called as the command is.
        function: the command in it; by default called as the command is.
    """

    name: str
    says: str
    module: str = ""
    function: str = ""

    def load(self) -> click.Command:
        """The command itself, with its options."""
        module = import_module(f"{__name__}.{self.module or self.name}")
        found: click.Command = getattr(module, self.function or self.name)
        return found


# The one list of commands, in the order of the work.
COMMANDS = (
    Listed("demo", "Run the example that comes with sqlanon"),
    Listed("profile", "Count what a table says of persons, without showing a value"),
    Listed("risk", "Count how many persons some columns of a table pick out"),
    Listed("init", "Write a first spec for a table, with roles guessed"),
    Listed("hierarchy", "Draft a hierarchy for a column, to be edited"),
    Listed("run", "Make the release that a spec declares, or say why not"),
    Listed("export", "Write a release to a file, with a data dictionary"),
    Listed("certificate", "Write what a release reached, to be handed out with it"),
    Listed("verify", "Check a table by its certificate", module="certificate"),
    Listed("recipe", "Write the levels or cells of a release, for later ones"),
    Listed("apply", "Make a release by a recipe: nothing is searched for", module="recipe"),
    Listed("why", "Show what keeps classes large, or a spec from being met"),
    Listed("report", "Write a page about a release, for people to read"),
    Listed("plan", "Show what a run would do; nothing is made"),
    Listed("compile", "Write a run as one SQL script", function="compile_"),
    Listed("check", "Measure the privacy of any table, of any tool"),
    Listed("compare", "Set releases side by side"),
    Listed("attack", "Attack a release as its readers could"),
    Listed("utility", "Measure what a release is still good for"),
    Listed("sweep", "Try many k, l, t, J and methods; nothing is published"),
    Listed("nodes", "Show the levels that a search judged; publish others"),
    Listed("macros", "Print DuckDB table macros that measure and deal", module="printed"),
    Listed("dbt", "Prepare a dbt project", function="dbt_commands"),
    Listed("schema", "Print the spec's JSON Schema, for editors", module="printed"),
)
NAMED = {command.name: command for command in COMMANDS}

__all__ = ["COMMANDS", "NAMED", "Listed"]
