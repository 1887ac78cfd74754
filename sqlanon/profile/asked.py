"""The questions that no guess can answer: readers, what nobody should learn, whose a record is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from sqlanon.profile.profile import ColumnProfile, Profile, Role
from sqlanon.spec.goals import GoalName


@dataclass(frozen=True)
class Questions:
    """Three questions, with what a draft assumes as long as nobody answers them.

    Attributes:
        profile: what is known of the table.
        k: the least class size that is drafted where no goal is named.
        sensitive: the sensitive attributes that are drafted, what is most worth protecting first.
        person: the column that says whose record it is; None where each is another person's.
    """

    profile: Profile
    k: int
    sensitive: tuple[str, ...]
    person: str | None

    @property
    def others(self) -> tuple[str, ...]:
        """Further columns that may be sensitive, those of no clear role first."""
        first = self.profile.of("sensitive", "unclear", "telling")
        listed = [*first, *self.profile.of("quasi_identifier")]
        return tuple(one.name for one in listed if one.name not in self.sensitive)

    @property
    def names(self) -> tuple[str, ...]:
        """All columns whose values can be compared."""
        return tuple(one.name for one in self.profile.columns if one.counts.counted)

    @property
    def repeating(self) -> tuple[str, ...]:
        """Columns that may say whose a record is: named like it, and several records share one."""
        likely = self.profile.of("person", "identifier", "withheld")
        return tuple(one.name for one in likely if one.counts.repeats and not one.counts.missing)


@dataclass(frozen=True)
class Answers:
    """The answers that somebody gives to them.

    Attributes:
        goal: the goal that names the release's readers; None: k, l and t are numbers in the spec.
        sensitive: what nobody should learn, what is most worth protecting first.
        person: the column that says whose record it is; None: each is another person's.
    """

    goal: GoalName | None
    sensitive: tuple[str, ...]
    person: str | None


# None: nobody is there to answer.
Ask = Callable[[Questions], Answers | None]


def answered(questions: Questions, answers: Answers) -> Profile:
    """A profile with the roles that were answered in place of the guesses."""
    found, guessed = questions.profile, questions.sensitive
    columns = tuple(replace(one, role=_role(one, answers, guessed)) for one in found.columns)
    return replace(found, columns=columns, person=answers.person)


def _role(one: ColumnProfile, answers: Answers, guessed: tuple[str, ...]) -> Role:
    if one.name == answers.person:
        return Role("person", "it says whose record it is, as was answered")
    if one.name in answers.sensitive:
        return Role("sensitive", "nobody should learn it, as was answered")
    if one.name in guessed:
        return Role("unclear", "it is none of those that nobody should learn, as was answered")
    if one.role.role == "person":
        return Role("withheld", "it names no person, as was answered")
    return one.role
