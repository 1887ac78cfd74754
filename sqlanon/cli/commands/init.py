"""A first spec for a table, and the three questions of `init --ask`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import click

from sqlanon.cli.options import Opening, existing, opens_database, reading
from sqlanon.cli.output import NAMED_ANEW, as_typed
from sqlanon.common.files import check_folder, check_free
from sqlanon.common.separated import names_in
from sqlanon.errors import nearest
from sqlanon.spec.privacy import GOALS, GoalName
from sqlanon.uses.profile.profile import Answers, Questions

Answer = TypeVar("Answer")
NUMBERS = "numbers"
NONE = "none"


def is_terminal() -> bool:
    """Whether somebody is there to answer."""
    return sys.stdin.isatty()


def answers_to(questions: Questions) -> Answers:
    """The answers that somebody types. An empty line takes what was guessed.

    Raises:
        Abort: if nobody answers any more.
    """
    click.echo("Three questions that no guess can answer; Enter takes what is guessed.\n")
    goal, sensitive = _goal(questions), _sensitive(questions)
    return Answers(goal, sensitive, _person(questions, sensitive))


def _goal(questions: Questions) -> GoalName | None:
    click.echo("1. Who reads the release?")
    for name, goal in GOALS.items():
        asked = ", ".join(f"{letter} = {value}" for letter, value in goal.asked.items())
        click.echo(f"   {name:<12} {goal.readers} ({asked})")
    click.echo(f"   {NUMBERS:<12} the spec has numbers, such as k = {questions.k} (guessed)")

    def chosen(typed: str) -> GoalName | None:
        goal = next((name for name in GOALS if name == typed), None)
        if goal is None and typed not in ("", NUMBERS):
            known = nearest(typed, [*GOALS, NUMBERS])
            raise click.UsageError(f"{typed!r} is none of these; {known}")
        return goal

    return _prompted("Readers", chosen)


def _sensitive(questions: Questions) -> tuple[str, ...]:
    click.echo(
        "\n2. What should nobody learn about a person? Those most worth protecting come first."
    )
    click.echo(f"   guessed: {_listed(questions.sensitive)}")
    click.echo(f"   further columns: {_listed(questions.others)}")

    def chosen(typed: str) -> tuple[str, ...]:
        if not typed:
            return questions.sensitive
        if typed == NONE and NONE not in questions.names:
            return ()
        try:
            names = names_in(typed)
        except ValueError:
            raise click.UsageError("a quote is not closed") from None
        return tuple(_known(name, questions.names) for name in dict.fromkeys(names))

    return _prompted(f"Columns, such as {NONE} or A,B", chosen)


def _person(questions: Questions, sensitive: Sequence[str]) -> str | None:
    click.echo("\n3. Is each record another person's? If several are one person's, such as visits,")
    click.echo("   which column names the person?")
    guessed = NONE if questions.person is None else questions.person
    click.echo(f"   guessed: {guessed}; columns that repeat: {_listed(questions.repeating)}")

    def chosen(typed: str) -> str | None:
        if not typed:
            return questions.person
        if typed == NONE and NONE not in questions.names:
            return None
        if typed in sensitive:
            raise click.UsageError(f"{typed!r} is to be protected, and a column has one role")
        return _known(typed, questions.names)

    return _prompted(f"Column, or {NONE}", chosen)


def _prompted(what: str, read: Callable[[str], Answer]) -> Answer:
    """Ask for an answer and read it; ask again if it cannot be read."""
    answer: Answer = click.prompt(what, default="", show_default=False, value_proc=read)
    return answer


def _known(name: str, names: Sequence[str]) -> str:
    if name not in names:
        raise click.UsageError(f"{name!r} is no column of the table; {nearest(name, names)}")
    return name


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names) or NONE


@click.command()
@click.argument("table")
@opens_database()
@click.option("-o", "--output", type=click.Path(path_type=Path), help="The file to write.")
@click.option(
    "--ask",
    is_flag=True,
    help="Ask who reads the release, what nobody should learn, and whose a record is; without a "
    "terminal the questions are comments of the spec.",
)
@reading("table")
def init(table: str, opening: Opening, output: Path | None, ask: bool) -> None:
    """Write a commented spec for TABLE (a file or a table), with guessed roles to correct.

    It rests on `sqlanon profile`, and is for you alone: it holds the seed. The spec runs as it is
    written, or sqlanon says in one line what must be decided first. A column whose role is
    uncertain is not released, and a comment names it. Text of too many values waits for you to
    group them, in files of a folder `hierarchies` next to the spec.
    """
    output = output or Path(f"{Path(table).stem}.yaml")
    check_folder(output)
    check_free(output, mend=NAMED_ANEW)
    asking = ask and is_terminal()
    answering = (answers_to if asking else _nobody) if ask else None
    if asking:  # a bar would be drawn over the questions
        opening = replace(opening, quiet=True)
    with opening.open(existing(opening.database)) as db:
        drafted = db.init(table, output.parent, ask=answering)
    *files, _ = drafted.write(output)
    running = as_typed("sqlanon", "run", str(output))
    click.echo(f"Wrote {output}. Correct the roles it guesses, then: {running}")
    if ask and not asking:
        click.echo("There is no terminal to ask in: three questions stand at its head as comments.")
    if drafted.undecided:
        click.echo(f"Decide first, for it does not run yet: {drafted.undecided}")
    if files:
        names = ", ".join(map(str, files))
        click.echo(f"To be edited, and for you alone, for they hold values of the data: {names}")


def _nobody(_: Questions) -> None:
    """Nobody is there to answer."""
