"""The three questions of `init --ask`, asked in a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TypeVar

import click

from sqlanon.errors import nearest
from sqlanon.profile.asked import Answers, Questions
from sqlanon.separated import names_in
from sqlanon.spec.goals import GOALS, GoalName

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
